//! Why premiss could not do its job.

use std::io;
use std::path::Path;

/// A message for standard error; the exit code is 2, but for what says otherwise.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Options that do not fit together, or do not fit the file.
    #[error("{0}")]
    Usage(String),
    /// A file that cannot be read or written.
    #[error("{0}")]
    File(String),
    /// The same, as diagnostics that are rendered.
    #[error("{0}")]
    Rendered(String),
    /// There is nothing to compare with: the exit code is 3.
    #[error("{0}")]
    Inconclusive(String),
    /// Nobody reads what we write any more: no failure, but the end.
    #[error("the reader of standard output is gone")]
    BrokenPipe,
}

impl Failure {
    pub(crate) fn file(path: &str, error: &io::Error) -> Self {
        let why = match error.kind() {
            io::ErrorKind::NotFound => "there is no such file".to_owned(),
            io::ErrorKind::PermissionDenied => "it may not be read or written".to_owned(),
            io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
            _ => error.to_string(),
        };
        let path = Path::new(path).display();
        Self::File(format!("`{path}`: {why}"))
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }
}

/// `; did you mean …?` with the names nearest to one that is not known, or else all there are.
pub(crate) fn suggest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let near = |name: &&&str| {
        let distance = edit_distance(wrong, name);
        distance <= wrong.len().max(3) / 3 && distance < wrong.len().max(name.len())
    };
    let mut nearest: Vec<&str> = names.iter().filter(near).copied().collect();
    nearest.sort_by_key(|name| (edit_distance(wrong, name), *name));
    if let Some(nearest) = nearest.first() {
        return format!("; did you mean `{nearest}`?");
    }
    let quoted: Vec<String> = names
        .iter()
        .take(20)
        .map(|name| format!("`{name}`"))
        .collect();
    if quoted.is_empty() {
        String::new()
    } else {
        format!("; there are: {}", quoted.join(", "))
    }
}

/// The least number of letters to insert, delete or change to turn one name into the other; case
/// does not count.
fn edit_distance(a: &str, b: &str) -> usize {
    let letters = |text: &str| text.to_lowercase().chars().take(64).collect::<Vec<_>>();
    let (a, b) = (letters(a), letters(b));
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested_and_others_listed() {
        assert_eq!(suggest("nn", ["n", "m"]), "; did you mean `n`?");
        assert_eq!(
            suggest("kernel_gem", ["kernel_gemm", "main"]),
            "; did you mean `kernel_gemm`?"
        );
        assert_eq!(suggest("z", ["n", "m"]), "; there are: `n`, `m`");
        assert_eq!(suggest("zzzz", ["n", "m"]), "; there are: `n`, `m`");
        assert_eq!(suggest("zzzz", []), "");
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }
}
