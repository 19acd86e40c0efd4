//! The documentation tells what premiss prints: every ` ```console ` block of the README and the book is run.
//!
//! A line that begins with `$ ` is a command, what follows is what it prints, on standard output and then on standard
//! error. A line `…` stands for any lines. `PREMISS_BLESS=1` writes what is printed now where that is something else.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One command of a block, with the lines that show what it prints.
struct Example {
    /// The lines of the command, as they are written.
    command: Vec<String>,
    expected: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The README and all pages of the book.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    let mut folders = vec![root().join("docs/src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the book is there") {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// The commands of a block.
fn examples(block: &[String]) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut goes_on = false;
    for line in block {
        if line.starts_with("$ ") {
            examples.push(Example {
                command: vec![line.clone()],
                expected: Vec::new(),
            });
        } else {
            let example = examples.last_mut().expect("a block begins with a command");
            let part = if goes_on {
                &mut example.command
            } else {
                &mut example.expected
            };
            part.push(line.clone());
        }
        let is_command = goes_on || line.starts_with("$ ");
        goes_on = is_command && line.ends_with('\\');
    }
    examples
}

/// The words of a command, as a shell takes them: quotes keep blanks, `#` begins a comment.
fn words(command: &[String]) -> Vec<String> {
    let lines = command.iter().map(|line| line.trim_end_matches('\\'));
    let text: String = lines.collect();
    let mut words = vec![];
    let mut word = String::new();
    let mut is_quoted = false;
    for letter in text.trim_start_matches("$ ").chars() {
        match letter {
            '\'' => is_quoted = !is_quoted,
            '#' if !is_quoted && word.is_empty() => break,
            ' ' if !is_quoted => words.push(std::mem::take(&mut word)),
            letter => word.push(letter),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// What a command prints, without blanks at the ends of lines and empty lines at the end.
fn printed(command: &[String]) -> Vec<String> {
    let words = words(command);
    assert_eq!(
        words[0], "premiss",
        "other programs have blocks of `sh`: {words:?}"
    );
    let mut premiss = Command::new(env!("CARGO_BIN_EXE_premiss"));
    premiss
        .args(&words[1..])
        .current_dir(root())
        .env("NO_COLOR", "1");
    for (name, _) in env::vars().filter(|(name, _)| name.starts_with("PREMISS_")) {
        premiss.env_remove(name);
    }
    premiss.env(
        "PREMISS_CACHE_DIR",
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("book"),
    );
    let output = premiss.output().expect("premiss runs");
    let code = output.status.code();
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(
        matches!(code, Some(0 | 1 | 3)),
        "{words:?}: {code:?}\n{text}"
    );
    trimmed(text.lines().map(str::to_owned))
}

fn trimmed(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut lines: Vec<String> = lines.map(|line| line.trim_end().to_owned()).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// Whether lines are those that are expected, where `…` stands for any.
fn agrees(expected: &[String], lines: &[String]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "…" => {
            (0..=lines.len()).any(|n_skipped| agrees(rest, &lines[n_skipped..]))
        }
        Some((first, rest)) => lines.first() == Some(first) && agrees(rest, &lines[1..]),
    }
}

/// A page with what its commands print now, and which of them printed something else.
fn checked(text: &str) -> (String, Vec<String>) {
    let mut page = Vec::new();
    let mut differences = Vec::new();
    let mut lines = text.lines().map(str::to_owned);
    while let Some(line) = lines.next() {
        let is_block = line.trim() == "```console";
        page.push(line);
        if !is_block {
            continue;
        }
        let block: Vec<String> = lines
            .by_ref()
            .take_while(|line| line.trim() != "```")
            .collect();
        for example in examples(&block) {
            let printed = printed(&example.command);
            let expected = trimmed(example.expected.iter().cloned());
            page.extend(example.command.iter().cloned());
            if agrees(&expected, &printed) {
                page.extend(example.expected);
            } else {
                differences.push(format!(
                    "{}\n{}",
                    example.command.join("\n"),
                    printed.join("\n")
                ));
                page.extend(printed);
            }
        }
        page.push("```".to_owned());
    }
    (page.join("\n") + "\n", differences)
}

#[test]
fn commands_print_what_the_documentation_shows() {
    let mut differences = Vec::new();
    let mut n_blocks = 0;
    for path in pages() {
        let text = fs::read_to_string(&path).expect("a page");
        n_blocks += text.matches("```console").count();
        let (page, differing) = checked(&text);
        if env::var_os("PREMISS_BLESS").is_some() && !differing.is_empty() {
            fs::write(&path, page).expect("a page that may be written");
        }
        let place = |it: String| format!("{}:\n{it}", path.display());
        differences.extend(differing.into_iter().map(place));
    }
    assert!(n_blocks > 10, "{n_blocks} blocks");
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

/// Links within the book lead somewhere.
#[test]
fn links_lead_to_pages_that_exist() {
    for path in pages() {
        let text = fs::read_to_string(&path).expect("a page");
        for link in text.split("](").skip(1) {
            let link = link.split(')').next().unwrap_or("");
            let target = link.split('#').next().unwrap_or("");
            if target.is_empty() || target.contains("://") {
                continue;
            }
            let target = path.parent().expect("a folder").join(target);
            assert!(target.exists(), "{}: {link}", path.display());
        }
    }
}
