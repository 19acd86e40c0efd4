//! The folder of the cache for derivations and results of earlier runs, and the secret of its entries.

use crate::output;
use premiss_analyze::{CacheSecret, DiskCache};
use std::env;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

/// The cache; `None` without a folder for it, and, with a note, if the folder or the secret is not the user's own.
pub(crate) fn disk_cache() -> Option<DiskCache> {
    let variable = |name: &str| env::var_os(name);
    let folder = cache_dir_of(variable)?;
    let shown = folder.display().to_string();
    let cache = secret(&variable)?.and_then(|secret| DiskCache::new(folder, secret));
    cache
        .inspect_err(|error| {
            output::say(&format!("note: the cache `{shown}` is not used: {error}\n"));
        })
        .ok()
}

/// That of `PREMISS_CACHE_KEY`, else that in the file `cache.key`; `None` if there is no folder for it.
fn secret(variable: &impl Fn(&str) -> Option<OsString>) -> Option<io::Result<CacheSecret>> {
    if let Some(text) = variable("PREMISS_CACHE_KEY").filter(|text| !text.is_empty()) {
        return Some(Ok(CacheSecret::of_text(&text.to_string_lossy())));
    }
    let file = state_dir_of(variable)?.join("cache.key");
    let secret = CacheSecret::in_file(&file);
    Some(secret.map_err(|error| io::Error::other(format!("`{}`: {error}", file.display()))))
}

/// The folder of what is kept for a user and is no cache: who copies the cache does not copy its secret.
fn state_dir_of(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name| {
        variable(name)
            .map(PathBuf::from)
            .filter(|x| x.is_absolute())
    };
    let state = absolute("XDG_STATE_HOME").map(|path| path.join("premiss"));
    state.or_else(|| absolute("HOME").map(|path| path.join(".local/state/premiss")))
}

/// `PREMISS_CACHE_DIR`, else `premiss` in `XDG_CACHE_HOME`, else `.cache/premiss` in the home folder; `None` if none of
/// these variables is set.
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
