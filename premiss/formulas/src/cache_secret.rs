//! The secret of a user, with which entries of the cache are authenticated: an entry that somebody else wrote is none.

#![allow(
    clippy::disallowed_methods,
    reason = "the file with the secret belongs to the cache"
)]

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

/// The bytes of a secret.
const LENGTH: usize = blake3::KEY_LEN;

/// The context of secrets that are derived from texts.
const CONTEXT: &str = "premiss 2026-11 cache entries";

/// A secret with which entries of the cache are authenticated.
#[derive(Clone, PartialEq, Eq)]
pub struct CacheSecret([u8; LENGTH]);

impl CacheSecret {
    /// The secret of a text that nobody else knows: the same text is the same secret on all machines.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        Self(blake3::derive_key(CONTEXT, text.as_bytes()))
    }

    /// The secret in a file, which is created with a new one if there is none.
    ///
    /// # Errors
    ///
    /// The file cannot be created or read, or others may read it.
    pub fn in_file(path: &Path) -> io::Result<Self> {
        match fs::symlink_metadata(path) {
            Ok(_) => read(path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => create(path),
            Err(error) => Err(error),
        }
    }

    /// The digest of a key and its content that only those who know the secret can make.
    pub(crate) fn digest(&self, key: blake3::Hash, content: &[u8]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(key.as_bytes());
        hasher.update(content);
        hasher.finalize()
    }
}

impl std::fmt::Debug for CacheSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CacheSecret")
    }
}

fn read(path: &Path) -> io::Result<CacheSecret> {
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    owner::check_private(&metadata)?;
    let mut secret = [0; LENGTH];
    File::open(path)?.read_exact(&mut secret)?;
    Ok(CacheSecret(secret))
}

/// Creates the file. Of several runs that do so at once, the first one counts.
fn create(path: &Path) -> io::Result<CacheSecret> {
    let mut secret = [0; LENGTH];
    getrandom::fill(&mut secret).map_err(io::Error::other)?;
    if let Some(folder) = path.parent() {
        owner::create_private_folder(folder)?;
    }
    let aside = path.with_extension(format!("{}.part", std::process::id()));
    let mut file = owner::create_private_file(&aside)?;
    let written = file.write_all(&secret).and_then(|()| file.sync_all());
    let linked = written.and_then(|()| match fs::hard_link(&aside, path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    });
    let _ = fs::remove_file(&aside);
    linked?;
    read(path)
}

/// Who owns files, and who may read and write them.
#[cfg(unix)]
pub(crate) mod owner {
    use std::fs::{DirBuilder, File, Metadata, OpenOptions};
    use std::io;
    use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
    use std::path::Path;

    /// Only the user may read and write the file.
    ///
    /// # Errors
    ///
    /// It belongs to another user, or others may access it.
    pub(crate) fn check_private(metadata: &Metadata) -> io::Result<()> {
        check(
            metadata,
            0o077,
            "others may access it (chmod 600 keeps them from it)",
        )
    }

    /// Only the user may write to the folder.
    ///
    /// # Errors
    ///
    /// It belongs to another user, or others may write to it.
    pub(crate) fn check_own(metadata: &Metadata) -> io::Result<()> {
        check(
            metadata,
            0o022,
            "others may write to it (chmod 700 keeps them from it)",
        )
    }

    fn check(metadata: &Metadata, of_others: u32, why: &str) -> io::Result<()> {
        let user = rustix::process::geteuid().as_raw();
        if metadata.uid() != user {
            let owner = metadata.uid();
            let why = format!("it belongs to user {owner}, and this is user {user}");
            return Err(io::Error::other(why));
        }
        match metadata.mode() & of_others {
            0 => Ok(()),
            _ => Err(io::Error::other(why)),
        }
    }

    pub(crate) fn create_private_folder(path: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)
    }

    pub(crate) fn create_private_file(path: &Path) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600).open(path)
    }
}

/// On other systems, folders of users are private as they are.
#[cfg(not(unix))]
pub(crate) mod owner {
    use std::fs::{DirBuilder, File, Metadata};
    use std::io;
    use std::path::Path;

    pub(crate) fn check_private(_: &Metadata) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn check_own(_: &Metadata) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn create_private_folder(path: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).create(path)
    }

    pub(crate) fn create_private_file(path: &Path) -> io::Result<File> {
        File::create_new(path)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

    #[test]
    fn a_secret_is_made_once_and_is_for_its_user_alone() {
        let folder = std::env::temp_dir().join(format!("premiss-secret-{}", std::process::id()));
        let path = folder.join("below/cache.key");
        let first = CacheSecret::in_file(&path).expect("it is made");
        assert_eq!(CacheSecret::in_file(&path).ok(), Some(first.clone()));
        let mode = fs::metadata(&path).expect("it is there").mode();
        assert_eq!(mode & 0o777, 0o600);
        let left = fs::read_dir(folder.join("below"))
            .expect("a folder")
            .count();
        assert_eq!(left, 1, "nothing is left aside");
        let link = folder.join("link");
        symlink(&path, &link).expect("a link");
        assert!(CacheSecret::in_file(&link).is_err());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("it is ours");
        let error = CacheSecret::in_file(&path).expect_err("others may read it");
        assert!(error.to_string().contains("chmod 600"), "{error}");
        fs::remove_file(&path).expect("it is ours");
        assert_ne!(CacheSecret::in_file(&path).ok(), Some(first));
        fs::remove_dir_all(&folder).expect("it is ours");
    }

    #[test]
    fn a_text_is_the_same_secret_everywhere() {
        assert_eq!(CacheSecret::of_text("a"), CacheSecret::of_text("a"));
        assert_ne!(CacheSecret::of_text("a"), CacheSecret::of_text("b"));
    }
}
