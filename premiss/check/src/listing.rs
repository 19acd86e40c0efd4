//! Which files a run reads, and which it does not.

use crate::error::CheckError;
use crate::git::Revision;
use crate::inputs::{self, ExpandedPaths, InputRequest, SkippedFile, is_source};
use std::path::Path;

/// The files of a request.
#[derive(Debug)]
pub struct FileList {
    /// The paths of the files that are read.
    pub read: Vec<String>,
    /// The source files in folders that are not.
    pub skipped: Vec<SkippedFile>,
    /// The source files that only the base of a comparison has.
    pub gone: Vec<String>,
}

impl FileList {
    /// The files of a request; folders are expanded, and nothing is read.
    ///
    /// # Errors
    ///
    /// There is no file, or a folder cannot be read.
    pub fn new(request: &InputRequest<'_>) -> Result<Self, CheckError> {
        let settings = &request.options.settings;
        let ExpandedPaths { paths, skipped, .. } =
            inputs::expand(request.paths, settings, request.host)?;
        let expanded = InputRequest {
            paths: &paths,
            ..*request
        };
        let inputs = inputs::inputs(&expanded)?.into_iter();
        Ok(Self {
            read: inputs.map(|input| input.path).collect(),
            skipped,
            gone: Vec::new(),
        })
    }

    /// The same with the files that are gone since a revision.
    ///
    /// # Errors
    ///
    /// There is no such revision.
    pub fn since(mut self, revision: &str, request: &InputRequest<'_>) -> Result<Self, CheckError> {
        let settings = &request.options.settings;
        let is_gone = |path: &String| {
            is_source(path) && !settings.excludes(path) && !Path::new(path).exists()
        };
        let revision = Revision::open(revision)?;
        self.gone = revision.paths().filter(is_gone).collect();
        Ok(self)
    }

    /// A line for each file.
    #[must_use]
    pub fn text(&self) -> String {
        let read = self.read.iter().map(|path| format!("{path}\n"));
        let skipped = self.skipped.iter();
        let skipped = skipped.map(|file| format!("skipped {}: {}\n", file.path, file.reason));
        let gone = self.gone.iter();
        let gone = gone.map(|path| format!("base alone {path}\n"));
        read.chain(skipped).chain(gone).collect()
    }
}
