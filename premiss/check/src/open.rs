//! Opens files and reads them, as one program or file by file.

use crate::error::CheckError;
use crate::host::Host;
use crate::inputs::{
    self, ExpandedPaths, Input, InputRequest, SkippedFile, other_files, unread_diagnostics,
    unread_files,
};
use crate::validate::{check_bases, check_bounds, check_sizes, mentions_size, select};
use premiss_analyze::{
    FileOutcome, IncrementalCache, MeasureOptions, Program, ReadOptions, parallel, read_linked,
};
use premiss_source::{Diagnostic, FileId, Files, SourceMap, Span};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Files read as one program, restricted to one function if one is chosen.
pub struct SelectedProgram {
    /// The requested files.
    pub files: Vec<FileId>,
    /// The same files, each with the options that it was read with.
    pub inputs: Vec<(FileId, ReadOptions)>,
    /// Their paths, for messages.
    pub paths: String,
    /// The program of all files.
    pub program: Program,
}

/// Reads the files of a request as one program.
///
/// # Errors
///
/// A file cannot be opened, or an option names a size, array or function that does not exist, or a given size
/// contradicts a `premiss:assume` comment.
pub fn read_selected(
    sources: &mut SourceMap,
    request: &InputRequest<'_>,
    options: &MeasureOptions,
    function: Option<&str>,
) -> Result<SelectedProgram, CheckError> {
    let files = open_files(sources, request)?;
    let mut program = read_merged(sources, &files, request.host);
    let paths = displayed_paths(sources, &files);
    let unused = program.unused_sizes.iter();
    let unused: Vec<String> = unused
        .filter(|x| mentions_size(request.reading, x))
        .cloned()
        .collect();
    check_sizes(&unused, &program.size_names, &paths)?;
    check_bases(&program.functions, options)?;
    select(&mut program, function)?;
    check_bounds(sources, &program, &|_| None)?;
    Ok(SelectedProgram {
        files: files.iter().map(|(file, _)| *file).collect(),
        inputs: files,
        paths,
        program,
    })
}

/// Opens the files of a request, in order; folders are refused.
///
/// # Errors
///
/// There is no file, or one cannot be opened.
pub fn open_files(
    sources: &mut SourceMap,
    request: &InputRequest<'_>,
) -> Result<Vec<(FileId, ReadOptions)>, CheckError> {
    let inputs = inputs::inputs(request)?;
    open_inputs(sources, inputs, request)
}

/// The paths of files, for messages.
#[must_use]
pub fn displayed_paths(sources: &SourceMap, files: &[(FileId, ReadOptions)]) -> String {
    let paths = files.iter().map(|(file, _)| sources.file(*file).path());
    paths.collect::<Vec<_>>().join(", ")
}

/// Reads files as one program, with included files from those of the host.
pub fn read_merged(
    sources: &mut SourceMap,
    files: &[(FileId, ReadOptions)],
    host: &dyn Host,
) -> Program {
    read_merged_from(sources, files, host.files(), host)
}

/// Reads files as one program, with included files from `included`.
pub(crate) fn read_merged_from(
    sources: &mut SourceMap,
    files: &[(FileId, ReadOptions)],
    included: &dyn Files,
    host: &dyn Host,
) -> Program {
    let mut reported = ReportedDiagnostics::default();
    let mut merged: Option<Program> = None;
    let progress = host.progress("reading", "files", files.len());
    let mut n_read = 0;
    read_linked(
        sources,
        files,
        None,
        included,
        &mut |sources, file, outcome| {
            progress.advance(n_read, "reading", sources.file(file).path());
            n_read += 1;
            let Some(mut program) = outcome.into_read() else {
                return;
            };
            reported.retain_new(&mut program.diagnostics);
            let Some(merged) = &mut merged else {
                merged = Some(program);
                return;
            };
            merged.functions.extend(program.functions);
            merged.diagnostics.extend(program.diagnostics);
            merged.used_sizes.extend(program.used_sizes);
            merged.size_names.extend(program.size_names);
            merged
                .sizes_in_conditions
                .extend(program.sizes_in_conditions);
            merged.assumed_at.extend(program.assumed_at);
            merged.assumed_at.sort();
            merged.assumed_at.dedup();
            let unused = &mut merged.unused_sizes;
            unused.retain(|name| program.unused_sizes.contains(name));
        },
    );
    merged.unwrap_or_default()
}

/// The codes of diagnostics for headers that were found by their names, or made of templates, which are reported once,
/// however many files include the header.
const FOUND_BY_NAME: [&str; 3] = ["header-by-name", "header-template", "configuration-choice"];

/// The diagnostics reported so far, to report each about a header once although several files include it.
#[derive(Default)]
pub(crate) struct ReportedDiagnostics(FxHashSet<(&'static str, Option<Span>, String)>);

impl ReportedDiagnostics {
    /// Removes the diagnostics that were reported before.
    pub(crate) fn retain_new(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        diagnostics.retain(|diagnostic| {
            let is_of_all = FOUND_BY_NAME.contains(&diagnostic.code);
            let span = diagnostic.labels.first().map(|label| label.span);
            let span = span.filter(|_| !is_of_all);
            self.0
                .insert((diagnostic.code, span, diagnostic.message.clone()))
        });
    }
}

/// Receives the outcome `T` of each file, with all texts, and with all files of the request.
type FileVisitor<'a, T> =
    dyn FnMut(&SourceMap, (FileId, &[FileId]), T) -> Result<(), CheckError> + 'a;

/// Reads open files as one program, and calls `visit` with the program of each. A diagnostic about a header that
/// several files include is reported once.
///
/// # Errors
///
/// An option names a size that no file uses, or `visit` fails.
pub fn read_each(
    sources: &mut SourceMap,
    opened: &OpenedFiles,
    host: &dyn Host,
    visit: &mut FileVisitor<'_, Program>,
) -> Result<(), CheckError> {
    let mut reported = ReportedDiagnostics::default();
    read_opened(
        sources,
        opened,
        None,
        host.files(),
        &mut |sources, file, outcome| {
            let Some(mut program) = outcome.into_read() else {
                return Ok(());
            };
            reported.retain_new(&mut program.diagnostics);
            visit(sources, file, program)
        },
    )
}

/// Open files, before they are read.
pub struct OpenedFiles {
    /// The files, each with its options.
    pub files: Vec<(FileId, ReadOptions)>,
    /// The source files of its folders that are not read.
    pub skipped: Vec<SkippedFile>,
    /// The options of the command line.
    pub options: ReadOptions,
}

impl OpenedFiles {
    /// Adds diagnostics about files that are not read although nothing excludes them.
    pub fn add_diagnostics(&self, diagnostics: &mut Vec<Diagnostic>) {
        let (unread, others) = (unread_files(&self.skipped), other_files(&self.skipped));
        diagnostics.extend(unread_diagnostics(&unread, &others));
    }

    /// The ids of the files.
    #[must_use]
    pub fn ids(&self) -> BTreeSet<FileId> {
        self.files.iter().map(|(file, _)| *file).collect()
    }
}

/// Opens the files of a request, and the source files below its folders.
///
/// # Errors
///
/// There is no file, or one cannot be opened.
pub fn open_below(
    sources: &mut SourceMap,
    request: &InputRequest<'_>,
) -> Result<OpenedFiles, CheckError> {
    let ExpandedPaths {
        paths,
        skipped,
        nearby,
    } = inputs::expand(request.paths, &request.options.settings, request.host)?;
    let own = request.reading.with_nearby(Arc::new(nearby));
    let expanded = InputRequest {
        paths: &paths,
        reading: &own,
        ..*request
    };
    let inputs = inputs::inputs(&expanded)?;
    let files = open_inputs(sources, inputs, request)?;
    Ok(OpenedFiles {
        files,
        skipped,
        options: own,
    })
}

/// Opens files, in order.
fn open_inputs(
    sources: &mut SourceMap,
    inputs: Vec<Input>,
    request: &InputRequest<'_>,
) -> Result<Vec<(FileId, ReadOptions)>, CheckError> {
    let (stdin_filename, host) = (request.stdin_filename, request.host);
    let read = parallel::map(&inputs, |input| {
        inputs::open(&input.path, stdin_filename, host)
    });
    let files = inputs.into_iter().zip(read);
    let files = files.map(|(input, file)| Ok((sources.push(file?), input.options)));
    files.collect()
}

/// Reads open files, with included files from `included`. All diagnostics of a file that is read are passed on, even if
/// another file has the same.
///
/// # Errors
///
/// An option names a size that no file uses, or `visit` fails.
pub(crate) fn read_opened(
    sources: &mut SourceMap,
    opened: &OpenedFiles,
    cache: Option<&IncrementalCache>,
    included: &dyn Files,
    visit: &mut FileVisitor<'_, FileOutcome<Program>>,
) -> Result<(), CheckError> {
    let all: Vec<FileId> = opened.files.iter().map(|(file, _)| *file).collect();
    let sizes = opened.options.sizes.keys();
    let (mut unused, mut names) = (sizes.cloned().collect(), BTreeSet::new());
    let mut result = Ok(());
    read_linked(
        sources,
        &opened.files,
        cache,
        included,
        &mut |sources, file, outcome| {
            if !opened.options.sizes.is_empty() {
                record_sizes(&outcome, &mut unused, &mut names);
            }
            if result.is_ok() {
                result = visit(sources, (file, &all), outcome);
            }
        },
    );
    result?;
    let unused: Vec<_> = unused.into_iter().collect();
    check_sizes(&unused, &names, &displayed_paths(sources, &opened.files))
}

/// Some file has to use each size.
fn record_sizes(
    outcome: &FileOutcome<Program>,
    unused: &mut BTreeSet<String>,
    names: &mut BTreeSet<String>,
) {
    match outcome {
        FileOutcome::Read(program) => {
            unused.retain(|name| program.unused_sizes.contains(name));
            names.extend(program.size_names.iter().cloned());
        }
        FileOutcome::Reused(sizes) => {
            unused.retain(|name| !sizes.used.contains(name));
            names.extend(sizes.all.iter().cloned());
        }
    }
}
