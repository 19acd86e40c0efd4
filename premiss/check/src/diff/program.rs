//! Reading the two programs that are compared.

use crate::error::CheckError;
use crate::git::{Revision, RevisionOrIgnored};
use crate::host::Host;
use crate::inputs::{
    self, ExpandedPaths, Input, InputOptions, InputRequest, is_source, read_path,
    refuse_other_languages, too_large,
};
use crate::open::read_merged_from;
use crate::repository::Repository;
use premiss_analyze::{NearbyFiles, Program, ReadOptions};
use premiss_gate::digest;
use premiss_source::{
    Diagnostic, FileId, FileSystem, Files, MemoryFiles, ObservedFiles, Severity, SourceMap,
};
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
    /// Whether it comes from a saved base.
    is_saved: bool,
}

/// Digests of the texts that could not be parsed, with the files that they are in.
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
            is_saved: true,
        }
    }

    /// The number of files that were read.
    pub(super) fn n_files(&self) -> usize {
        self.files.len()
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
        let files = ProgramFiles {
            inputs: &expanded_inputs(paths, request)?,
            open: &mut read_source,
            included: &FileSystem,
        };
        Self::read(name, files, key, request.host)
    }

    /// The files of the head as they were at a revision, and those that are gone since, as a new file may be an old one
    /// renamed. Included files are those of the revision; files that no revision has are read as they are now.
    pub(super) fn base(
        name: &str,
        revision: &Revision,
        head: &Self,
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
                bytes.ok_or_else(|| {
                    CheckError::File(format!("`{path}`: git cannot read it as it was at {name}"))
                })
            },
            included: &RevisionOrIgnored(revision),
        };
        Self::read(name, files, &key, request.host)
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
            refuse_other_languages(path)?;
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
        Ok(Self {
            name: name.to_owned(),
            sources,
            program,
            files,
            ids,
            included,
            is_saved: false,
        })
    }

    /// The texts that could not be parsed.
    pub(super) fn unparsed(&self) -> UnparsedTexts {
        let is_unparsed = |x: &&Diagnostic| x.code == "syntax" || x.severity == Severity::Error;
        let mut unparsed = UnparsedTexts::new();
        for diagnostic in self.program.diagnostics.iter().filter(is_unparsed) {
            if let Some(span) = diagnostic.labels.first().map(|label| label.span) {
                let text = format!("{}{}", diagnostic.message, self.sources.text(span));
                let files = unparsed.entry(digest(&text)).or_default();
                files.push(self.key(span.file));
            }
        }
        unparsed
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

fn read_source(path: &str) -> Result<Vec<u8>, CheckError> {
    if path == "-" {
        let message = "-: diff reads files and folders, not standard input";
        return Err(CheckError::usage(message));
    }
    let bytes = read_path(path)?;
    match bytes.iter().all(u8::is_ascii_whitespace) {
        true => Err(CheckError::File(format!("`{path}`: it is empty"))),
        false => Ok(bytes),
    }
}

/// The files at these paths, with folders expanded.
fn expanded_inputs(
    paths: &[String],
    request: ReadingRequest<'_>,
) -> Result<Vec<Input>, CheckError> {
    let ReadingRequest {
        options,
        reading,
        host,
    } = request;
    let ExpandedPaths { paths, nearby } = inputs::expand(paths, &options.settings, host)?;
    let plain = |path: String| path.strip_prefix("./").map_or(path.clone(), str::to_owned);
    let paths: Vec<String> = paths.into_iter().map(plain).collect();
    let reading = reading.with_nearby(Arc::new(nearby));
    inputs::inputs(&InputRequest {
        paths: &paths,
        stdin_filename: "",
        options,
        reading: &reading,
        host,
    })
}

/// The files of the head that a revision has, and its source files that are gone now.
fn base_inputs(revision: &Revision, head: &DiffProgram, request: ReadingRequest<'_>) -> Vec<Input> {
    let keys: BTreeSet<String> = revision.paths().filter_map(|x| revision.key(&x)).collect();
    let nearby: Arc<NearbyFiles> = Arc::new(revision.paths().collect());
    let common = head.files.iter().filter(|(_, (key, _))| keys.contains(key));
    let common = common.map(|(path, (_, options))| Input {
        path: path.clone(),
        options: options.with_nearby(nearby.clone()),
    });
    let settings = &request.options.settings;
    let is_gone = |path: &String| {
        let is_read = is_source(path) && !settings.excludes(path);
        is_read && !Path::new(path).exists()
    };
    let gone = revision.paths().filter(is_gone).map(|path| Input {
        options: settings.complete(&path, request.reading.clone()),
        path,
    });
    common.chain(gone).collect()
}
