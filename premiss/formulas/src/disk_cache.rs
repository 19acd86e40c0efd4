//! A folder of byte strings by key, kept between runs.
//!
//! A cache is a convenience: whatever goes wrong with it (no folder, no permission to write, a full disk, a truncated
//! or foreign file) counts as a miss. Files are written under a temporary name and renamed, so that concurrent runs see
//! only complete ones, and checked when they are read against a digest that only the user can make
//! ([`CacheSecret`](crate::CacheSecret)). A folder that somebody else may write to is not used.

#![allow(
    clippy::disallowed_methods,
    reason = "the one room of the library that keeps files"
)]

use crate::cache_secret::{CacheSecret, owner};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// The first bytes of a cache file.
const MAGIC: &[u8; 16] = b"premiss kept  2\n";

/// The extension of cache files; unfinished ones have another.
const EXTENSION: &str = "kept";
const UNFINISHED: &str = "part";

/// The most bytes in a folder; beyond, the least recently used files are removed.
const MOST_BYTES: u64 = 256 << 20;

/// The bytes that one run writes between two checks of the folder's size.
const BYTES_PER_CHECK: u64 = 16 << 20;

/// A use is recorded only if the last recorded one is older than this.
const USE_RECORDED_EVERY: Duration = Duration::from_secs(3600);

/// An unfinished file older than this has been abandoned by its writer.
const LONGEST_WRITE: Duration = Duration::from_secs(3600);

/// The key of a cached byte string: a BLAKE3 digest of all that the content depends on.
pub type CacheKey = blake3::Hash;

/// A folder in which derivations and other expensive results are cached between runs.
#[derive(Debug)]
pub struct DiskCache {
    folder: PathBuf,
    secret: CacheSecret,
    most_bytes: u64,
    hits: AtomicU64,
    misses: AtomicU64,
    /// The bytes written by this run.
    bytes_written: AtomicU64,
}

impl DiskCache {
    /// A cache in this folder, which is created at the first write, with entries of this secret.
    ///
    /// # Errors
    ///
    /// The folder belongs to another user, or others may write to it.
    pub fn new(folder: PathBuf, secret: CacheSecret) -> io::Result<Self> {
        if let Ok(metadata) = fs::metadata(&folder) {
            owner::check_own(&metadata)?;
        }
        Ok(Self {
            folder,
            secret,
            most_bytes: MOST_BYTES,
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
            bytes_written: AtomicU64::new(0),
        })
    }

    /// How many calls of [`Self::get`] returned a value.
    #[must_use]
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// How many calls of [`Self::get`] returned `None`.
    #[must_use]
    pub fn misses(&self) -> u64 {
        self.misses.load(Ordering::Relaxed)
    }

    /// The content of a key as decoded by `read`; `None` if there is no file, if it is damaged, or if `read` fails.
    pub fn get<T>(&self, key: CacheKey, read: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
        let path = self.path(key);
        let found = fs::read(&path).ok();
        let found = found.and_then(|bytes| read(self.content(key, &bytes)?));
        let counter = match found {
            Some(_) => &self.hits,
            None => &self.misses,
        };
        counter.fetch_add(1, Ordering::Relaxed);
        if found.is_some() {
            touch(&path);
        }
        found
    }

    /// Stores content under a key. Errors are ignored: the content is not cached then.
    pub fn put(&self, key: CacheKey, content: &[u8]) {
        if self.write(key, content).is_ok() {
            let length = u64::try_from(content.len()).unwrap_or(u64::MAX);
            let before = self.bytes_written.fetch_add(length, Ordering::Relaxed);
            let looks = |bytes: u64| bytes / BYTES_PER_CHECK;
            if before == 0 || looks(before) != looks(before.saturating_add(length)) {
                trim(&self.folder, self.most_bytes);
            }
        }
    }

    fn write(&self, key: CacheKey, content: &[u8]) -> io::Result<()> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        owner::create_private_folder(&self.folder)?;
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let process = std::process::id();
        let aside = format!("{}-{process}-{number}.{UNFINISHED}", key.to_hex());
        let aside = self.folder.join(aside);
        let whole = || -> io::Result<()> {
            let mut file = File::create(&aside)?;
            file.write_all(MAGIC)?;
            file.write_all(self.secret.digest(key, content).as_bytes())?;
            file.write_all(content)?;
            drop(file);
            fs::rename(&aside, self.path(key))
        };
        whole().inspect_err(|_| {
            let _ = fs::remove_file(&aside);
        })
    }

    /// The content of a file, if it is complete, belongs to the key, and was written with the secret.
    fn content<'b>(&self, key: CacheKey, bytes: &'b [u8]) -> Option<&'b [u8]> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (found, content) = rest.split_at_checked(blake3::OUT_LEN)?;
        (self.secret.digest(key, content).as_bytes() == found).then_some(content)
    }

    fn path(&self, key: CacheKey) -> PathBuf {
        self.folder.join(format!("{}.{EXTENSION}", key.to_hex()))
    }
}

/// Sets the modification time of a file, which stands for the time of its last use.
fn touch(path: &Path) {
    let Ok(file) = File::options().append(true).open(path) else {
        return;
    };
    let now = SystemTime::now();
    let age = file.metadata().and_then(|x| x.modified()).ok();
    let age = age.and_then(|then| now.duration_since(then).ok());
    if age.is_some_and(|age| USE_RECORDED_EVERY < age) {
        let _ = file.set_modified(now);
    }
}

/// Removes the least recently used files until the folder is small enough.
fn trim(folder: &Path, most_bytes: u64) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let now = SystemTime::now();
    let mut files = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        let Some(extension) = path.extension().and_then(|x| x.to_str()) else {
            continue;
        };
        let Ok(Ok(modified)) = entry.metadata().map(|x| x.modified()) else {
            continue;
        };
        let age = now.duration_since(modified).unwrap_or_default();
        if extension == UNFINISHED && LONGEST_WRITE < age {
            let _ = fs::remove_file(&path);
        } else if extension == EXTENSION {
            let length = entry.metadata().map_or(0, |x| x.len());
            files.push((modified, path, length));
        }
    }
    let mut total: u64 = files.iter().map(|(_, _, length)| length).sum();
    files.sort();
    for (_, path, length) in files {
        if total <= most_bytes {
            break;
        }
        if fs::remove_file(&path).is_ok() {
            total = total.saturating_sub(length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A temporary folder that is removed with the test.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let name = format!("premiss-cache-{name}-{}", std::process::id());
            Self(std::env::temp_dir().join(name))
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn open(folder: &Path) -> DiskCache {
        DiskCache::new(folder.to_owned(), CacheSecret::of_text("mine")).expect("it is ours")
    }

    fn key(text: &str) -> CacheKey {
        blake3::hash(text.as_bytes())
    }

    fn bytes(cache: &DiskCache, name: &str) -> Option<Vec<u8>> {
        cache.get(key(name), |bytes| Some(bytes.to_vec()))
    }

    #[test]
    fn what_is_put_is_found() {
        let folder = Folder::new("found");
        let cache = open(&folder.0);
        assert_eq!(bytes(&cache, "a"), None);
        cache.put(key("a"), b"one");
        cache.put(key("b"), b"");
        assert_eq!(bytes(&cache, "a").as_deref(), Some(&b"one"[..]));
        assert_eq!(bytes(&cache, "b").as_deref(), Some(&b""[..]));
        assert_eq!((cache.hits(), cache.misses()), (2, 1));
        let names = fs::read_dir(&folder.0).expect("it is there").count();
        assert_eq!(names, 2, "nothing is left aside");
    }

    #[test]
    fn what_is_broken_or_foreign_is_not_there_and_is_overwritten() {
        let folder = Folder::new("broken");
        let cache = open(&folder.0);
        cache.put(key("a"), b"content");
        cache.put(key("b"), b"another");
        let path = cache.path(key("a"));
        let whole = fs::read(&path).expect("it is there");
        let other = fs::read(cache.path(key("b"))).expect("it is there");
        let mut flipped = whole.clone();
        *flipped.last_mut().expect("it is long") ^= 1;
        for broken in [&b""[..], b"#!/bin/sh\n", &whole[..30], &flipped, &other] {
            fs::write(&path, broken).expect("it is ours");
            assert_eq!(bytes(&cache, "a"), None);
            cache.put(key("a"), b"content");
            assert_eq!(bytes(&cache, "a").as_deref(), Some(&b"content"[..]));
        }
    }

    #[test]
    fn what_others_wrote_is_not_there() {
        let folder = Folder::new("forged");
        let other = DiskCache::new(folder.0.clone(), CacheSecret::of_text("of others"));
        other.expect("it is ours").put(key("a"), b"nothing found");
        let cache = open(&folder.0);
        assert_eq!(bytes(&cache, "a"), None);
        // What a whole entry is, without the secret: the digest of the content under its key.
        let forged = blake3::keyed_hash(key("a").as_bytes(), b"nothing found");
        let forged = [&MAGIC[..], forged.as_bytes(), b"nothing found"].concat();
        fs::write(cache.path(key("a")), forged).expect("it is ours");
        assert_eq!(bytes(&cache, "a"), None);
    }

    #[test]
    #[cfg(unix)]
    fn a_folder_that_others_may_write_to_is_not_used() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = Folder::new("open");
        open(&folder.0).put(key("a"), b"one");
        let permissions = |mode| fs::set_permissions(&folder.0, fs::Permissions::from_mode(mode));
        permissions(0o770).expect("it is ours");
        let error = DiskCache::new(folder.0.clone(), CacheSecret::of_text("mine"));
        assert!(
            error
                .expect_err("others may")
                .to_string()
                .contains("chmod 700")
        );
        permissions(0o755).expect("it is ours");
        assert_eq!(bytes(&open(&folder.0), "a").as_deref(), Some(&b"one"[..]));
    }

    #[test]
    fn a_folder_that_cannot_be_is_an_empty_one() {
        let folder = Folder::new("file");
        fs::write(&folder.0, "a file").expect("it is ours");
        let cache = open(&folder.0.join("below"));
        cache.put(key("a"), b"one");
        assert_eq!(bytes(&cache, "a"), None);
        fs::remove_file(&folder.0).expect("it is ours");
    }

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let folder = Folder::new("trim");
        let cache = open(&folder.0);
        let now = SystemTime::now();
        for (age, name) in (1..).zip(["a", "b", "c", "d"]) {
            cache.put(key(name), &[0; 1000]);
            let file = File::options().append(true).open(cache.path(key(name)));
            let then = now - Duration::from_secs(age * 10_000);
            file.and_then(|x| x.set_modified(then)).expect("it is ours");
        }
        assert!(bytes(&cache, "d").is_some(), "it is used now");
        fs::write(folder.0.join("notes.txt"), "somebody's").expect("it is ours");
        trim(&folder.0, 2500);
        let left = ["a", "b", "c", "d"].map(|name| bytes(&cache, name).is_some());
        assert_eq!(left, [true, false, false, true]);
        assert!(folder.0.join("notes.txt").exists(), "it is none of ours");
    }
}
