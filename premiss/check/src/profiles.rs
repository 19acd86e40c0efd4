//! Profiles of runs of the program (`--profile FILE`): how often lines ran.

use crate::error::CheckError;
use crate::inputs::read_path;
use premiss_analyze::{Profile, Program};
use premiss_source::{FileId, SourceMap};

/// The profiles of a command line, added up.
#[derive(Default)]
pub struct Profiles {
    all: Profile,
    /// What to call them; empty where there is none.
    name: String,
}

impl Profiles {
    /// Reads the files of those paths.
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

    /// All that they contain, with their names: what results depend on.
    pub(crate) fn content(&self) -> String {
        format!("{}: {:?}", self.name, self.all)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.name.is_empty()
    }

    /// Gives a program their averages, if there are any; at least one of `files` has to be in them.
    ///
    /// # Errors
    ///
    /// They are of other files, or of another version of these.
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
