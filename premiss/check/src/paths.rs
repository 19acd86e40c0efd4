//! Operations on the text of paths; no file is accessed.

use std::path::{Component, Path, PathBuf};

/// A path without `.` and `..`, by its text only: links are not followed.
#[must_use]
pub fn normalize(path: &Path) -> PathBuf {
    let mut normalized = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                let above = normalized.components().next_back();
                if matches!(above, Some(Component::Normal(_))) {
                    normalized.pop();
                } else if !matches!(above, Some(Component::RootDir)) {
                    normalized.push("..");
                }
            }
            other => normalized.push(other),
        }
    }
    normalized
}

/// A path as reports show it: relative to the current folder if it is below that.
pub(crate) fn displayed(path: &Path, current: &Path) -> String {
    let path = normalize(path);
    let relative = path.strip_prefix(current).unwrap_or(&path);
    match relative.as_os_str().is_empty() {
        true => ".".to_owned(),
        false => relative.display().to_string(),
    }
}

/// An absolute path relative to an absolute folder: `../include` from `/a/src` for `/a/include`.
#[must_use]
pub fn relative(path: &Path, from: &Path) -> String {
    let shared = path.components().zip(from.components());
    let shared = shared.take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| "..".as_ref());
    let down = path.components().skip(shared).map(Component::as_os_str);
    let relative: PathBuf = up.chain(down).collect();
    match relative.as_os_str().is_empty() {
        true => ".".to_owned(),
        false => joined(&relative),
    }
}

/// A path with `/` between its parts.
pub(crate) fn joined(path: &Path) -> String {
    let parts = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shown_from_the_current_folder() {
        let current = Path::new("/home/me/project");
        let shown = |path: &str| displayed(Path::new(path), current);
        assert_eq!(shown("/home/me/project/build/../src/./a.c"), "src/a.c");
        assert_eq!(shown("/home/me/project"), ".");
        assert_eq!(shown("/usr/include"), "/usr/include");
        assert_eq!(shown("/../a"), "/a");
    }

    #[test]
    fn paths_are_seen_from_a_folder() {
        let seen = |path: &str| relative(Path::new(path), Path::new("/a/src"));
        assert_eq!(seen("/a/include"), "../include");
        assert_eq!(seen("/a/src/b/c.h"), "b/c.h");
        assert_eq!(seen("/a/src"), ".");
        assert_eq!(seen("/b"), "../../b");
    }
}
