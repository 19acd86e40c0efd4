//! The request for a check of files.

use super::analyze_file::AnalysisOptions;
use super::check_cache::{CacheWriter, analyze_or_restore};
use super::checked_program::{CheckedProgram, RuleLevels};
use super::shard_record::MachineRecord;
use crate::error::CheckError;
use crate::inputs::InputRequest;
use crate::open::{OpenedFiles, open_below};
use crate::profiles::Profiles;
use crate::repository::Repository;
use premiss_analyze::MeasureOptions;
use premiss_source::SourceMap;

/// What is checked, and how.
pub struct CheckRequest<'a> {
    /// The files and folders.
    pub inputs: InputRequest<'a>,
    /// How to count; if it has a store, results are read from it and written to it.
    pub measuring: MeasureOptions,
    /// Execution profiles; results that depend on a profile are not stored.
    pub profiles: Profiles,
    /// The severities of rules from settings.
    pub levels: &'a RuleLevels,
}

/// The opened files of a request.
pub(super) struct OpenedRequest {
    pub(super) sources: SourceMap,
    pub(super) files: OpenedFiles,
    pub(super) repository: Repository,
}

impl CheckRequest<'_> {
    /// Opens the files.
    ///
    /// # Errors
    ///
    /// A file cannot be opened.
    pub(super) fn open(&self) -> Result<OpenedRequest, CheckError> {
        let repository = Repository::enclosing(self.inputs.host.current_dir());
        let mut sources = SourceMap::new();
        let opened = open_below(&mut sources, &self.inputs)?;
        Ok(OpenedRequest {
            sources,
            files: opened,
            repository,
        })
    }
}

/// Reads and counts the files of a request, and applies all rules. The cache is written in the background: dropping the
/// [`CacheWriter`] waits for that.
///
/// # Errors
///
/// A file cannot be opened; an option names a size or an array that does not exist; or a profile is of other files.
pub fn check(request: &CheckRequest<'_>) -> Result<(CheckedProgram, CacheWriter), CheckError> {
    let OpenedRequest {
        mut sources,
        files: opened,
        repository,
    } = request.open()?;
    let options = AnalysisOptions {
        measuring: &request.measuring,
        profile: &request.profiles,
        shard: None,
        host: request.inputs.host,
    };
    let (mut result, writer) = analyze_or_restore(&mut sources, &opened, options)?;
    opened.add_diagnostics(&mut result.diagnostics);
    let machine = MachineRecord::new(&request.measuring.machine);
    let mains = opened.ids();
    let checked = CheckedProgram::new(
        (repository, sources),
        &mains,
        result,
        (machine, request.levels),
        request.inputs.host,
    );
    Ok((checked, writer))
}
