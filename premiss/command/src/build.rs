//! How a build compiles its files: what `compile_commands.json` says.

mod database;
mod flags;
mod words;

pub(crate) use database::{Database, Entry};
pub(crate) use flags::FileFlags;
pub(crate) use words::with_response_files;

use std::path::{Component, Path, PathBuf};

/// A path without `.` and `..`, as far as its text tells.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                let above = normal.components().next_back();
                if matches!(above, Some(Component::Normal(_))) {
                    normal.pop();
                } else if !matches!(above, Some(Component::RootDir)) {
                    normal.push("..");
                }
            }
            other => normal.push(other),
        }
    }
    normal
}

/// A path as reports show it: relative to the current folder where it is below that.
pub(crate) fn shown(path: &Path, current: &Path) -> String {
    let path = normal(path);
    let relative = path.strip_prefix(current).unwrap_or(&path);
    match relative.as_os_str().is_empty() {
        true => ".".to_owned(),
        false => relative.display().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shown_from_the_current_folder() {
        let current = Path::new("/home/me/project");
        let shown = |path: &str| shown(Path::new(path), current);
        assert_eq!(shown("/home/me/project/build/../src/./a.c"), "src/a.c");
        assert_eq!(shown("/home/me/project"), ".");
        assert_eq!(shown("/usr/include"), "/usr/include");
        assert_eq!(shown("/../a"), "/a");
    }
}
