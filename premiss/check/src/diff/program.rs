//! Reading the two programs that are compared.

use crate::error::CheckError;
use crate::git::{Revision, RevisionOrIgnored};
use crate::host::Host;
use crate::inputs::{
    self, ExpandedPaths, Input, InputOptions, InputRequest, SkipReason, SkippedFile, check_name,
    is_source, read_from, too_large, unreadable, unsupported_language,
};
use crate::open::read_merged_from;
use crate::paths::normalize;
use crate::repository::Repository;
use premiss_analyze::{NearbyFiles, Omission, Program, ReadOptions, omission};
use premiss_gate::digest;
use premiss_source::{Diagnostic, FileId, Files, MemoryFiles, ObservedFiles, SourceMap, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// The name of the files in the current folder.
const WORKING_TREE: &str = "the working tree";

/// One of the two programs.
pub(super) struct DiffProgram {
    /// Its name in reports.
    pub(super) name: String,
    pub(super) sources: SourceMap,
    pub(super) program: Program,
    /// Its files by path, with the keys by which files of both sides correspond, and the options with which they were
    /// read.
    pub(super) files: BTreeMap<String, (String, ReadOptions)>,
    /// Its files, and the options with which they were read.
    pub(super) ids: Vec<(FileId, ReadOptions)>,
    /// The bytes of included files.
    pub(super) included: MemoryFiles,
    /// The source files of its folders that are not read.
    pub(super) skipped: Vec<SkippedFile>,
    /// The texts of files in languages that are not supported.
    unread: UnparsedTexts,
    /// Whether it comes from a saved base.
    is_saved: bool,
}

/// Digests of the texts that could not be read or parsed, with the files that they are in.
pub(super) type UnparsedTexts = BTreeMap<String, Vec<String>>;

/// How files are found and read.
#[derive(Clone, Copy)]
pub(super) struct ReadingRequest<'a> {
    pub(super) options: &'a InputOptions,
    pub(super) reading: &'a ReadOptions,
    pub(super) host: &'a dyn Host,
}

impl DiffProgram {
    /// A saved base: nothing is read, and only sizes that it was not counted for are unused.
    pub(super) fn of_saved(name: &str, unused_sizes: Vec<String>) -> Self {
        let program = Program {
            unused_sizes,
            ..Program::default()
        };
        Self {
            name: name.to_owned(),
            sources: SourceMap::new(),
            program,
            files: BTreeMap::new(),
            ids: Vec::new(),
            included: MemoryFiles::new(),
            skipped: Vec::new(),
            unread: UnparsedTexts::new(),
            is_saved: true,
        }
    }

    /// Whether there was nothing to read.
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty() && !self.is_saved
    }

    /// The files of the working tree; their keys are their paths in the repository.
    pub(super) fn working_tree(
        paths: &[String],
        request: ReadingRequest<'_>,
        repository: &Repository,
    ) -> Result<Self, CheckError> {
        let key = |file: &str| repository.path_of(file);
        Self::of_paths(WORKING_TREE, paths_or_current(paths), &key, request)
    }

    /// A file or a folder that is compared with another. The keys of files in folders are their paths within these; two
    /// single files correspond whatever their names are.
    pub(super) fn path(path: &str, request: ReadingRequest<'_>) -> Result<Self, CheckError> {
        let key = |file: &str| {
            let below = Path::new(file).strip_prefix(path).ok();
            below.map_or_else(String::new, |x| x.display().to_string())
        };
        Self::of_paths(path, &[path.to_owned()], &key, request)
    }

    /// The files of the working tree that are compared with those of a revision.
    pub(super) fn head(
        paths: &[String],
        request: ReadingRequest<'_>,
        revision: &Revision,
    ) -> Result<Self, CheckError> {
        let key = |file: &str| revision.key(file).unwrap_or_else(|| file.to_owned());
        Self::of_paths(WORKING_TREE, paths_or_current(paths), &key, request)
    }

    fn of_paths(
        name: &str,
        paths: &[String],
        key: &dyn Fn(&str) -> String,
        request: ReadingRequest<'_>,
    ) -> Result<Self, CheckError> {
        let (inputs, skipped) = expanded_inputs(paths, request)?;
        let files = ProgramFiles {
            inputs: &inputs,
            open: &mut |path: &str| read_source(path, request.host),
            included: request.host.files(),
        };
        let mut program = Self::read(name, files, key, request.host)?;
        for SkippedFile { path, reason } in &skipped {
            if reason.is_omission() {
                // Of what cannot be read, the reason is all that can be compared.
                let text = request.host.files().read(path);
                let text = text.unwrap_or_else(|_| reason.to_string().into());
                add_text(&mut program.unread, &text, key(path));
            }
        }
        program.skipped = skipped;
        Ok(program)
    }

    /// The files of the head as they were at a revision, and those that are gone since, as a new file may be an old one
    /// renamed. Included files are those of the revision; files that no revision has are read as they are now.
    ///
    /// # Errors
    ///
    /// Git cannot read a file.
    pub(super) fn base(
        name: &str,
        revision: &Revision,
        (head, paths): (&Self, &[String]),
        request: ReadingRequest<'_>,
    ) -> Result<Self, CheckError> {
        let inputs = base_inputs(revision, head, request);
        let keys: BTreeMap<String, String> = inputs
            .iter()
            .map(|x| (x.path.clone(), revision.key(&x.path).unwrap_or_default()))
            .collect();
        let key = |file: &str| keys.get(file).cloned().unwrap_or_else(|| file.to_owned());
        let files = ProgramFiles {
            inputs: &inputs,
            open: &mut |path: &str| {
                let bytes = revision.read(path);
                bytes.map_err(|error| {
                    CheckError::File(format!(
                        "`{path}`: git cannot read it as it was at {name}: {error}"
                    ))
                })
            },
            included: &RevisionOrIgnored {
                revision,
                files: request.host.files(),
            },
        };
        let mut program = Self::read(name, files, &key, request.host)?;
        program.add_unread_files(revision, paths, request)?;
        program.add_unreadable(revision, head);
        Ok(program)
    }

    fn read(
        name: &str,
        from: ProgramFiles<'_>,
        key: &dyn Fn(&str) -> String,
        host: &dyn Host,
    ) -> Result<Self, CheckError> {
        let ProgramFiles {
            inputs,
            open,
            included: from,
        } = from;
        let mut sources = SourceMap::new();
        let (mut ids, mut files) = (Vec::new(), BTreeMap::new());
        for Input { path, options } in inputs {
            check_name(path)?;
            let id = sources
                .add(path, open(path)?)
                .ok_or_else(|| too_large(path))?;
            ids.push((id, options.clone()));
            files.insert(path.clone(), (key(path), options.clone()));
        }
        let mut included = MemoryFiles::new();
        let observed = ObservedFiles::new(from, |path: &str, bytes: Option<&[u8]>| {
            if let Some(bytes) = bytes {
                included.insert(path, bytes);
            }
        });
        let program = read_merged_from(&mut sources, &ids, &observed, host);
        let mut program = Self {
            name: name.to_owned(),
            sources,
            program,
            files,
            ids,
            included,
            skipped: Vec::new(),
            unread: UnparsedTexts::new(),
            is_saved: false,
        };
        program.add_unparsed(from);
        Ok(program)
    }

    /// Adds the texts at a revision of the files below these paths in languages that are not supported.
    fn add_unread_files(
        &mut self,
        revision: &Revision,
        paths: &[String],
        request: ReadingRequest<'_>,
    ) -> Result<(), CheckError> {
        let settings = &request.options.settings;
        let is_unread = |path: &String| {
            unsupported_language(Path::new(path)).is_some()
                && is_below(Path::new(path), paths_or_current(paths))
                && !settings.excludes(path)
        };
        for path in revision.paths().filter(is_unread) {
            let bytes = revision.read(&path).map_err(|error| {
                CheckError::File(format!(
                    "`{path}`: git cannot read it as it was at the base: {error}"
                ))
            })?;
            let key = revision.key(&path).unwrap_or(path);
            add_text(&mut self.unread, &bytes, key);
        }
        Ok(())
    }

    /// Adds the source files that neither the head nor the revision can read as text.
    fn add_unreadable(&mut self, revision: &Revision, head: &Self) {
        for SkippedFile { path, .. } in &head.skipped {
            let reason = match is_source(path) && revision.key(path).is_some() {
                true => unreadable(path, revision),
                false => None,
            };
            if let Some(reason) = reason {
                let text = revision.read(path);
                let text = text.unwrap_or_else(|_| reason.to_string().into());
                let key = revision.key(path).unwrap_or_default();
                add_text(&mut self.unread, &text, key);
            }
        }
    }

    /// Adds the texts that could not be read or parsed; `files` has those that they name.
    fn add_unparsed(&mut self, files: &dyn Files) {
        let is_unread = |x: &&Diagnostic| omission(x) == Some(Omission::Text);
        let diagnostics = self.program.diagnostics.iter().filter(is_unread);
        let mut unread = UnparsedTexts::new();
        for diagnostic in diagnostics {
            let Some(span) = diagnostic.labels.first().map(|label| label.span) else {
                // It may be about any text.
                for (file, _) in &self.ids {
                    let text = self.sources.file(*file).text();
                    let all = format!("{}{text}", diagnostic.message);
                    add_text(&mut unread, all.as_bytes(), self.key(*file));
                }
                continue;
            };
            let text = self.sources.text(self.unparsed_span(span));
            let mut all = format!("{}{text}", diagnostic.message).into_bytes();
            let path = self.sources.file(span.file).path();
            // What an include names that is not followed is a part of what is not read.
            let named = named_file(self.sources.text(span), path, files);
            all.extend(named.unwrap_or_default());
            add_text(&mut unread, &all, self.key(span.file));
        }
        self.unread = unread;
    }

    /// What may not be parsed because of an error: from there to the next function that is known, or to the end of the
    /// file.
    fn unparsed_span(&self, error: Span) -> Span {
        let functions = self.program.functions.iter().map(|tree| tree.span);
        let behind = functions.filter(|x| x.file == error.file && error.end <= x.start);
        let length = self.sources.file(error.file).text().len();
        let end = u32::try_from(length).unwrap_or(u32::MAX);
        let end = behind.map(|x| x.start).min().unwrap_or(end);
        Span {
            end: end.max(error.end),
            ..error
        }
    }

    /// The texts that could not be read or parsed.
    pub(super) fn unparsed(&self) -> UnparsedTexts {
        self.unread.clone()
    }

    /// The key of a file, by which files of both sides correspond.
    pub(super) fn key(&self, file: FileId) -> String {
        let path = self.sources.file(file).path();
        let known = self.files.get(path).map(|(key, _)| key.clone());
        known.unwrap_or_else(|| path.to_owned())
    }
}

/// The files of a program, before they are read.
struct ProgramFiles<'a> {
    inputs: &'a [Input],
    /// Reads the bytes of an input file.
    open: &'a mut dyn FnMut(&str) -> Result<Vec<u8>, CheckError>,
    /// Where included files are read from.
    included: &'a dyn Files,
}

fn paths_or_current(paths: &[String]) -> &[String] {
    static CURRENT: std::sync::LazyLock<[String; 1]> =
        std::sync::LazyLock::new(|| [".".to_owned()]);
    match paths.is_empty() {
        true => &*CURRENT,
        false => paths,
    }
}

fn read_source(path: &str, host: &dyn Host) -> Result<Vec<u8>, CheckError> {
    if path == "-" {
        let message = "-: diff reads files and folders, not standard input";
        return Err(CheckError::usage(message));
    }
    read_from(host.files(), path)
}

fn add_text(texts: &mut UnparsedTexts, text: &[u8], file: String) {
    let files = texts.entry(digest(text)).or_default();
    files.push(file);
}

/// The bytes of the file that a text names between quotes, relative to the folder of the file that the text is in.
fn named_file(text: &str, within: &str, files: &dyn Files) -> Option<Vec<u8>> {
    let mut parts = text.split(['"', '\'']);
    let name = parts.nth(1).filter(|_| parts.next().is_some())?;
    let folder = Path::new(within).parent().unwrap_or(Path::new(""));
    files.read(folder.join(name).to_str()?).ok()
}

/// The files at these paths, with folders expanded, and the source files in the folders that are not read.
fn expanded_inputs(
    paths: &[String],
    request: ReadingRequest<'_>,
) -> Result<(Vec<Input>, Vec<SkippedFile>), CheckError> {
    let ReadingRequest {
        options,
        reading,
        host,
    } = request;
    let ExpandedPaths {
        paths,
        mut skipped,
        nearby,
    } = inputs::expand(paths, &options.settings, host)?;
    let plain = |path: String| path.strip_prefix("./").map_or(path.clone(), str::to_owned);
    let paths: Vec<String> = paths.into_iter().map(plain).collect();
    for file in &mut skipped {
        file.path = plain(std::mem::take(&mut file.path));
    }
    let reading = reading.with_nearby(Arc::new(nearby));
    let inputs = inputs::inputs(&InputRequest {
        paths: &paths,
        stdin_filename: "",
        options,
        reading: &reading,
        host,
    })?;
    Ok((inputs, skipped))
}

/// The files of the head that a revision has, and its source files that are gone now.
fn base_inputs(revision: &Revision, head: &DiffProgram, request: ReadingRequest<'_>) -> Vec<Input> {
    let keys: BTreeSet<&String> = revision.keys().collect();
    let nearby: Arc<NearbyFiles> = Arc::new(revision.paths().collect());
    // A link may have led nowhere.
    let is_common =
        |(path, (key, _)): &(&String, &(String, _))| keys.contains(key) && revision.is_file(path);
    let common = head.files.iter().filter(is_common);
    let common = common.map(|(path, (_, options))| Input {
        path: path.clone(),
        options: options.with_nearby(nearby.clone()),
    });
    let settings = &request.options.settings;
    let is_ignored = |file: &&SkippedFile| file.reason == SkipReason::Ignored;
    let ignored = head.skipped.iter().filter(is_ignored);
    let ignored: BTreeSet<&str> = ignored.map(|file| file.path.as_str()).collect();
    let is_gone = |path: &String| {
        let is_read = is_source(path) && !settings.excludes(path) && revision.is_file(path);
        is_read && (!Path::new(path).exists() || ignored.contains(path.as_str()))
    };
    let gone = revision.paths().filter(is_gone).map(|path| Input {
        options: settings.complete(&path, request.reading.clone()),
        path,
    });
    common.chain(gone).collect()
}

/// Whether a path, relative to the current folder, is one of these paths or below one.
fn is_below(path: &Path, folders: &[String]) -> bool {
    folders.iter().any(|folder| {
        let folder = normalize(Path::new(folder));
        match folder.as_os_str().is_empty() {
            true => !path.starts_with(".."),
            false => path.starts_with(folder),
        }
    })
}
