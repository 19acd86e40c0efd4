//! The folder of the cache for derivations and results of earlier runs.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// `PREMISS_CACHE_DIR`, else `premiss` in `XDG_CACHE_HOME`, else `.cache/premiss` in the home folder; `None` if none of
/// these variables is set.
pub(crate) fn cache_dir() -> Option<PathBuf> {
    cache_dir_of(|name| env::var_os(name))
}

fn cache_dir_of(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let set = |name| {
        let value = variable(name).filter(|value| !value.is_empty());
        value.map(PathBuf::from)
    };
    // According to the XDG base directory specification, relative paths are ignored.
    let absolute = |name| set(name).filter(|path| path.is_absolute());
    set("PREMISS_CACHE_DIR")
        .or_else(|| absolute("XDG_CACHE_HOME").map(|path| path.join("premiss")))
        .or_else(|| absolute("HOME").map(|path| path.join(".cache/premiss")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_counts() {
        let folder = |variables: &[(&str, &str)]| {
            let value = |name: &str| variables.iter().find(|x| x.0 == name);
            cache_dir_of(|name| value(name).map(|x| x.1.into()))
        };
        let home = ("HOME", "/home/me");
        let xdg = ("XDG_CACHE_HOME", "/var/xdg");
        let all = [home, xdg, ("PREMISS_CACHE_DIR", "here")];
        assert_eq!(folder(&all), Some("here".into()));
        assert_eq!(folder(&[home, xdg]), Some("/var/xdg/premiss".into()));
        assert_eq!(folder(&[home]), Some("/home/me/.cache/premiss".into()));
        let empty = [home, ("XDG_CACHE_HOME", "xdg"), ("PREMISS_CACHE_DIR", "")];
        assert_eq!(folder(&empty), Some("/home/me/.cache/premiss".into()));
        assert_eq!(folder(&[]), None);
    }
}
