//! `--profile FILE`: how often lines ran.

use crate::failure::Failure;
use crate::input;
use premiss_analyze::{Profile, Program};
use premiss_source::{FileId, SourceMap};

/// The profiles of a command line, added up.
pub(crate) struct Profiles {
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
    pub(crate) fn read(paths: &[String]) -> Result<Self, Failure> {
        let mut all = Profile::default();
        for path in paths {
            let one = Profile::read(&input::read_path(path)?);
            all.merge(one.map_err(|error| Failure::File(format!("`{path}`: {error}")))?);
        }
        let name = paths.join(", ");
        Ok(Self { all, name })
    }

    /// All that they say and are called, as text.
    pub(crate) fn shown(&self) -> String {
        format!("{}: {:?}", self.name, self.all)
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.name.is_empty()
    }

    /// Gives a program their averages, if there are any; `files` are those of which they have to know one.
    ///
    /// # Errors
    ///
    /// They are of other files, or of another version of these.
    pub(crate) fn give(
        &self,
        sources: &SourceMap,
        files: &[FileId],
        program: &mut Program,
    ) -> Result<(), Failure> {
        if self.is_empty() {
            return Ok(());
        }
        let name = &self.name;
        let refuse = |error| Failure::File(format!("--profile {name}: {error}"));
        let located = std::mem::take(program).with_profile(sources, files, &self.all, name);
        *program = located.map_err(refuse)?;
        Ok(())
    }
}
