//! The two programs that are compared, read.

use crate::arguments::ReadingArguments;
use crate::failure::Failure;
use crate::git::{Revision, RevisionOrIgnored};
use crate::input::{self, Expanded, Input};
use crate::repository::Repository;
use crate::run::selection::read_merged_from;
use premiss_analyze::{NearbyFiles, Program, ReadOptions};
use premiss_gate::digest;
use premiss_source::{
    Diagnostic, FileId, FileSystem, Files, MemoryFiles, ObservedFiles, Severity, SourceMap,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// One of the programs.
pub(super) struct Read {
    /// What to call it.
    pub(super) name: String,
    pub(super) sources: SourceMap,
    pub(super) program: Program,
    /// Paths of its files with what both sides call them, and how they were read.
    pub(super) files: BTreeMap<String, (String, ReadOptions)>,
    /// Its files, and how they were read.
    pub(super) ids: Vec<(FileId, ReadOptions)>,
    /// What included files had.
    pub(super) included: MemoryFiles,
    /// Whether all that is known of it is in a file.
    is_saved: bool,
}

/// What could not be parsed, digested, with the files that it is in.
pub(super) type Lost = BTreeMap<String, Vec<String>>;

impl Read {
    /// What there is of a saved base: nothing to read. Sizes that it was counted for are known.
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

    /// How many files were read.
    pub(super) fn n_files(&self) -> usize {
        self.files.len()
    }

    /// Whether there was nothing to read at all.
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty() && !self.is_saved
    }

    /// The files that are there, known by their places in the repository, if there is one.
    pub(super) fn here(
        paths: &[String],
        reading: &ReadingArguments,
        options: &ReadOptions,
        repository: &Repository,
    ) -> Result<Self, Failure> {
        let here = [".".to_owned()];
        let paths = if paths.is_empty() { &here } else { paths };
        let inputs: Vec<Input> = inputs(paths, reading, options)?;
        let key = |file: &str| repository.path_of(file);
        let name = "the working tree";
        Self::new(name, &inputs, &key, &mut read_file, &FileSystem)
    }

    /// What could not be parsed.
    pub(super) fn lost(&self) -> Lost {
        let is_lost = |x: &&Diagnostic| x.code == "syntax" || x.severity == Severity::Error;
        let mut lost = Lost::new();
        for found in self.program.diagnostics.iter().filter(is_lost) {
            if let Some(span) = found.labels.first().map(|label| label.span) {
                let what = format!("{}{}", found.message, self.sources.text(span));
                lost.entry(digest(&what))
                    .or_default()
                    .push(self.key(span.file));
            }
        }
        lost
    }

    /// A file or a folder that is compared with another. Files of folders are known by where they are in
    /// them; a file is the same as the other one, whatever it is called.
    pub(super) fn path(
        path: &str,
        reading: &ReadingArguments,
        options: &ReadOptions,
    ) -> Result<Self, Failure> {
        let key = |file: &str| {
            let below = Path::new(file).strip_prefix(path).ok();
            below.map_or_else(String::new, |x| x.display().to_string())
        };
        let inputs = inputs(&[path.to_owned()], reading, options)?;
        Self::new(path, &inputs, &key, &mut read_file, &FileSystem)
    }

    /// The files that are there, known by their places in the repository.
    pub(super) fn head(
        paths: &[String],
        reading: &ReadingArguments,
        options: &ReadOptions,
        revision: &Revision,
    ) -> Result<Self, Failure> {
        let here = [".".to_owned()];
        let paths = if paths.is_empty() { &here } else { paths };
        let inputs: Vec<Input> = inputs(paths, reading, options)?;
        let key = |file: &str| revision.key(file).unwrap_or_else(|| file.to_owned());
        let name = "the working tree";
        Self::new(name, &inputs, &key, &mut read_file, &FileSystem)
    }

    /// The same files at a revision, and those that are gone since: what is new may be what was there.
    /// Included files are those of the revision; files that no revision has are as they are now.
    pub(super) fn base(
        name: &str,
        revision: Revision,
        head: &Self,
        (reading, options): (&ReadingArguments, &ReadOptions),
    ) -> Result<Self, Failure> {
        let known: BTreeSet<String> = revision.paths().filter_map(|x| revision.key(&x)).collect();
        let nearby: Arc<NearbyFiles> = Arc::new(revision.paths().collect());
        let mut inputs = Vec::new();
        let there = head
            .files
            .iter()
            .filter(|(_, (key, _))| known.contains(key));
        for (path, (_, options)) in there {
            inputs.push(Input {
                path: path.clone(),
                options: options.with_nearby(nearby.clone()),
            });
        }
        let is_gone = |path: &String| {
            let is_read = input::is_source(path) && !reading.configured.excludes(path);
            is_read && !Path::new(path).exists()
        };
        inputs.extend(revision.paths().filter(is_gone).map(|path| Input {
            options: input::with_settings(&path, reading, options.clone()),
            path,
        }));
        let keys: BTreeMap<String, String> = inputs
            .iter()
            .map(|x| (x.path.clone(), revision.key(&x.path).unwrap_or_default()))
            .collect();
        let key = |file: &str| keys.get(file).cloned().unwrap_or_else(|| file.to_owned());
        let mut open = |path: &str| {
            let bytes = revision.read(path);
            bytes.ok_or_else(|| {
                Failure::File(format!("`{path}`: git cannot read it as it was at {name}"))
            })
        };
        let included = RevisionOrIgnored(&revision);
        Self::new(name, &inputs, &key, &mut open, &included)
    }

    fn new(
        name: &str,
        inputs: &[Input],
        key: &dyn Fn(&str) -> String,
        open: &mut dyn FnMut(&str) -> Result<Vec<u8>, Failure>,
        files: &dyn Files,
    ) -> Result<Self, Failure> {
        let mut sources = SourceMap::new();
        let (mut ids, mut mains) = (Vec::new(), BTreeMap::new());
        for Input { path, options } in inputs {
            input::refuse_other_languages(path)?;
            let too_long = || Failure::File(format!("`{path}`: it has 4 GiB or more"));
            let id = sources.add(path, open(path)?).ok_or_else(too_long)?;
            ids.push((id, options.clone()));
            mains.insert(path.clone(), (key(path), options.clone()));
        }
        let mut included = MemoryFiles::new();
        let observed = ObservedFiles::new(files, |path: &str, bytes: Option<&[u8]>| {
            if let Some(bytes) = bytes {
                included.insert(path, bytes);
            }
        });
        let program = read_merged_from(&mut sources, &ids, &observed);
        drop(observed);
        Ok(Self {
            name: name.to_owned(),
            sources,
            program,
            files: mains,
            ids,
            included,
            is_saved: false,
        })
    }

    /// What both sides call a file.
    pub(super) fn key(&self, file: FileId) -> String {
        let path = self.sources.file(file).path();
        let known = self.files.get(path).map(|(key, _)| key.clone());
        known.unwrap_or_else(|| path.to_owned())
    }
}

fn read_file(path: &str) -> Result<Vec<u8>, Failure> {
    if path == "-" {
        let message = "-: diff reads files and folders, not standard input";
        return Err(Failure::usage(message));
    }
    let bytes = input::read_path(path)?;
    match bytes.iter().all(u8::is_ascii_whitespace) {
        true => Err(Failure::File(format!("`{path}`: it is empty"))),
        false => Ok(bytes),
    }
}

/// The files that paths name.
fn inputs(
    paths: &[String],
    reading: &ReadingArguments,
    options: &ReadOptions,
) -> Result<Vec<Input>, Failure> {
    let Expanded { paths, nearby } = input::expand(paths, &reading.configured)?;
    let plain = |path: String| path.strip_prefix("./").map_or(path.clone(), str::to_owned);
    let paths: Vec<String> = paths.into_iter().map(plain).collect();
    let options = options.with_nearby(Arc::new(nearby));
    input::inputs(&paths, reading, &options)
}
