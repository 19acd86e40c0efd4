//! Command lines as words: quotes of the shell, and response files.

use super::bytes::read_from;
use crate::error::CheckError;
use premiss_source::Files;
use std::path::Path;

/// The most levels of response files that name each other.
const MAX_DEPTH: usize = 16;
/// The most words of a command line, including response files.
const MAX_WORDS: usize = 1_000_000;

/// Splits a command as a shell does: blanks separate, `'…'` and `"…"` quote, `\` escapes the next character (within
/// double quotes only `$`, `` ` ``, `"`, `\` and line ends). `None` if a quote is not closed.
pub(super) fn split(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '\'' => break,
                        c => word.push(c),
                    }
                }
            }
            '"' => quoted(&mut chars, word.get_or_insert_default())?,
            '\\' => match chars.next()? {
                '\n' => {}
                c => word.get_or_insert_default().push(c),
            },
            c if c.is_ascii_whitespace() => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Some(words)
}

fn quoted(chars: &mut std::str::Chars<'_>, word: &mut String) -> Option<()> {
    loop {
        match chars.next()? {
            '"' => return Some(()),
            '\\' => match chars.next()? {
                '\n' => {}
                c @ ('$' | '`' | '"' | '\\') => word.push(c),
                c => {
                    word.push('\\');
                    word.push(c);
                }
            },
            c => word.push(c),
        }
    }
}

/// Replaces each word `@file` by the words of that file, as compilers do; its name is relative to `folder`. A word
/// whose file does not exist stays as it is, and so do all words after `--`.
///
/// # Errors
///
/// A file cannot be read or has an unclosed quote, or files are nested too deeply or have too many words.
pub fn with_response_files(
    files: &dyn Files,
    words: Vec<String>,
    folder: &Path,
) -> Result<Vec<String>, CheckError> {
    let mut all = Vec::new();
    expand((files, folder), words, 0, &mut all)?;
    Ok(all)
}

fn expand(
    place: (&dyn Files, &Path),
    words: Vec<String>,
    depth: usize,
    all: &mut Vec<String>,
) -> Result<(), CheckError> {
    let (files, folder) = place;
    for word in words {
        let is_option = !all.iter().any(|word| word == "--");
        let name = word.strip_prefix('@').filter(|_| is_option);
        let path = name.map(|name| folder.join(name).display().to_string());
        let Some(shown) = path.filter(|path| files.is_file(path)) else {
            all.push(word);
            continue;
        };
        if MAX_DEPTH <= depth || MAX_WORDS <= all.len() {
            return Err(CheckError::usage(format!(
                "`{word}`: response files may name each other {MAX_DEPTH} deep and have {MAX_WORDS} words"
            )));
        }
        let text = String::from_utf8(read_from(files, &shown)?);
        let words = text.ok().and_then(|text| split(&text));
        let words = words.ok_or_else(|| {
            CheckError::File(format!(
                "`{shown}`: it is not UTF-8 text, or a quote is not closed"
            ))
        })?;
        expand(place, words, depth + 1, all)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_source::FileSystem;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(
            split(text).as_deref(),
            Some(
                expected
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .as_slice()
            )
        );
    }

    #[test]
    fn words_are_split_as_a_shell_does() {
        check("cc -c  a.c\n", &["cc", "-c", "a.c"]);
        check(
            r#"cc "-DA=a b" -D'B="x"' -DC=\"y\""#,
            &["cc", "-DA=a b", "-DB=\"x\"", "-DC=\"y\""],
        );
        check(
            r#""a\"b" "a\nb" a\ b '' """#,
            &["a\"b", "a\\nb", "a b", "", ""],
        );
        check("a\\\nb", &["ab"]);
        check("", &[]);
        assert_eq!(split("'open"), None);
        assert_eq!(split("\"open"), None);
        assert_eq!(split("open\\"), None);
    }

    #[test]
    #[allow(clippy::disallowed_methods, reason = "a test writes files of its own")]
    fn files_that_name_themselves_end() {
        let folder = std::env::temp_dir().join(format!("premiss-words-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("a"), "-DX @b").expect("a file");
        std::fs::write(folder.join("b"), "'-DY Z' @none").expect("a file");
        std::fs::write(folder.join("loop"), "-DX @loop @loop").expect("a file");
        let files = FileSystem::unconfined();
        let expand = |words: &[&str]| {
            let words = words.iter().map(ToString::to_string).collect();
            with_response_files(&files, words, &folder)
        };
        let words = expand(&["@a", "--", "@a"]).expect("they end");
        assert_eq!(words, ["-DX", "-DY Z", "@none", "--", "@a"]);
        assert!(expand(&["@loop"]).is_err());
        std::fs::remove_dir_all(&folder).expect("the folder is ours");
    }
}
