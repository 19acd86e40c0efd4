//! `--profile FILE`: how often lines ran.

use crate::failure::Failure;
use crate::input;
use premiss_analyze::{Profile, Program};
use premiss_source::{FileId, SourceMap};

/// Gives a program the averages of profiles, if there are any.
///
/// # Errors
///
/// A file cannot be read, is no profile, or is one of other files or of another version of these.
pub(crate) fn take(
    paths: &[String],
    sources: &SourceMap,
    files: &[FileId],
    program: &mut Program,
) -> Result<(), Failure> {
    if paths.is_empty() {
        return Ok(());
    }
    let mut all = Profile::default();
    for path in paths {
        let one = Profile::read(&input::read_path(path)?);
        all.merge(one.map_err(|error| Failure::File(format!("`{path}`: {error}")))?);
    }
    let name = paths.join(", ");
    let refuse = |error| Failure::File(format!("--profile {name}: {error}"));
    program
        .take_averages(sources, files, &all, &name)
        .map_err(refuse)
}
