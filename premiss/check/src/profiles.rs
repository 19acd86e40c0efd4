//! Execution profiles (`--profile FILE`): how many times lines ran.

use crate::error::CheckError;
use crate::inputs::read_path;
use premiss_analyze::{Profile, Program};
use premiss_source::{FileId, SourceMap};

/// The profiles of a command line, added up.
#[derive(Default)]
pub struct Profiles {
    all: Profile,
    /// Their paths, for messages; empty if there is none.
    name: String,
}

impl Profiles {
    /// Reads the profiles at these paths and adds them up.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or is no profile.
    pub fn read(paths: &[String]) -> Result<Self, CheckError> {
        let mut all = Profile::default();
        for path in paths {
            let one = Profile::read(&read_path(path)?);
            all.merge(one.map_err(|error| CheckError::File(format!("`{path}`: {error}")))?);
        }
        let name = paths.join(", ");
        Ok(Self { all, name })
    }

    /// The content and names of all profiles, for the key of results.
    pub(crate) fn content(&self) -> String {
        format!("{}: {:?}", self.name, self.all)
    }

    /// Whether there is no profile.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.name.is_empty()
    }

    /// Adds the averages of the profiles, if there are any, to a program read from `files`; at least one of the files
    /// has to occur in them.
    ///
    /// # Errors
    ///
    /// The profiles are of other files, or of another version of these. The program is empty then.
    pub fn apply(
        &self,
        sources: &SourceMap,
        files: &[FileId],
        program: &mut Program,
    ) -> Result<(), CheckError> {
        if self.is_empty() {
            return Ok(());
        }
        let name = &self.name;
        let refuse = |error| CheckError::File(format!("--profile {name}: {error}"));
        let located = std::mem::take(program).with_profile(sources, files, &self.all, name);
        *program = located.map_err(refuse)?;
        Ok(())
    }
}
