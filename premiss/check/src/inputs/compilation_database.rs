//! `compile_commands.json`, the compilation database of a build: a command for each file that it compiles.
//!
//! Entries for files in other languages are skipped; of several commands for one file, the first is used.

use super::bytes::read_from;
use super::command_words::{split, with_response_files};
use super::compiler_flags::FileFlags;
use crate::error::CheckError;
use crate::host::Host;
use crate::paths::{displayed, normalize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const NAME: &str = "compile_commands.json";

/// The compilations of files in supported languages, in the order of the database.
pub(crate) struct CompilationDatabase {
    /// Its path as messages show it.
    pub(crate) path: String,
    pub(crate) commands: Vec<CompileCommand>,
    by_path: BTreeMap<PathBuf, usize>,
}

/// The compilation of a file.
pub(crate) struct CompileCommand {
    /// The file as reports show it.
    pub(crate) path: String,
    absolute: PathBuf,
    pub(crate) flags: FileFlags,
}

impl CompilationDatabase {
    /// The database in a folder that the user specified.
    pub(crate) fn in_folder(folder: &str, host: &dyn Host) -> Result<Self, CheckError> {
        let path = Path::new(folder);
        let path = match path.is_dir() {
            true => path.join(NAME),
            false => path.to_owned(),
        };
        Self::read(&path, host)
    }

    /// The database in the current folder, or else in the first folder `build*` in it that has one.
    pub(crate) fn find(host: &dyn Host) -> Result<Option<Self>, CheckError> {
        let current = host.current_dir();
        let mut folders = vec![PathBuf::new()];
        let entries = std::fs::read_dir(current).into_iter().flatten().flatten();
        let mut builds: Vec<PathBuf> = entries
            .map(|entry| PathBuf::from(entry.file_name()))
            .filter(|name| name.to_string_lossy().starts_with("build"))
            .collect();
        builds.sort();
        folders.extend(builds);
        let paths = folders.into_iter().map(|folder| folder.join(NAME));
        match paths.into_iter().find(|path| current.join(path).is_file()) {
            Some(path) => Self::read(&path, host).map(Some),
            None => Ok(None),
        }
    }

    fn read(path: &Path, host: &dyn Host) -> Result<Self, CheckError> {
        let current = host.current_dir();
        let name = path.display().to_string();
        let refuse = |why: String| CheckError::File(format!("`{name}`: {why}"));
        let bytes = read_from(host.files(), &name)?;
        let rows: Vec<Value> = serde_json::from_slice(&bytes)
            .map_err(|error| refuse(format!("it is not a compilation database: {error}")))?;
        let folder = current.join(path.parent().unwrap_or(Path::new("")));
        let mut database = Self {
            path: name.clone(),
            commands: Vec::new(),
            by_path: BTreeMap::new(),
        };
        for (idx, row) in rows.iter().enumerate() {
            let entry = entry(row, &folder, host)?
                .map_err(|why| refuse(format!("entry {}: {why}", idx + 1)))?;
            // Of several compilations of a file, the first is used.
            if let Some(entry) = entry
                && !database.by_path.contains_key(&entry.absolute)
            {
                let next = database.commands.len();
                database.by_path.insert(entry.absolute.clone(), next);
                database.commands.push(entry);
            }
        }
        Ok(database)
    }

    /// The compilation of a file.
    pub(crate) fn command_of(&self, path: &str, current: &Path) -> Option<&CompileCommand> {
        let path = real(&current.join(path));
        self.by_path.get(&path).map(|idx| &self.commands[*idx])
    }

    /// The compilation of the nearest file in the tree of folders; the first if there are several.
    pub(crate) fn nearest(&self, path: &str, current: &Path) -> Option<&CompileCommand> {
        let path = real(&current.join(path));
        let n_shared = |entry: &CompileCommand| {
            let pairs = path.components().zip(entry.absolute.components());
            pairs.take_while(|(a, b)| a == b).count()
        };
        let greatest = self.commands.iter().map(n_shared).max()?;
        self.commands
            .iter()
            .find(|entry| n_shared(entry) == greatest)
    }
}

/// A path that identifies a file: links are resolved if it exists.
fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| normalize(path))
}

/// The command of a row; `None` if its file is in another language. The inner error says what is wrong with the row.
fn entry(
    row: &Value,
    folder: &Path,
    host: &dyn Host,
) -> Result<Result<Option<CompileCommand>, String>, CheckError> {
    let current = host.current_dir();
    let text = |key: &str| row.get(key).and_then(Value::as_str);
    let Some(file) = text("file") else {
        return Ok(Err("it has no `file`".to_owned()));
    };
    let directory = folder.join(text("directory").unwrap_or(""));
    let words = match words(row) {
        Ok(words) => words,
        Err(why) => return Ok(Err(why)),
    };
    let words = with_response_files(host.files(), words, &directory)?;
    let place = |path: &str| displayed(&directory.join(path), current);
    let absolute = directory.join(file);
    let flags = FileFlags::new(words.get(1..).unwrap_or(&[]), &place);
    let is_read = flags.is_read(&absolute);
    Ok(Ok(is_read.then(|| CompileCommand {
        path: displayed(&absolute, current),
        absolute: real(&absolute),
        flags,
    })))
}

/// The words of a command, from `arguments` or else from `command`.
fn words(row: &Value) -> Result<Vec<String>, String> {
    if let Some(arguments) = row.get("arguments") {
        let words = arguments.as_array().map(|list| {
            let words = list.iter().map(|word| word.as_str().map(str::to_owned));
            words.collect::<Option<Vec<_>>>()
        });
        return words
            .flatten()
            .ok_or_else(|| "`arguments` is not a list of words".to_owned());
    }
    let command = row.get("command").and_then(Value::as_str);
    let command = command.ok_or("it has neither `arguments` nor `command`")?;
    split(command).ok_or_else(|| "`command` has an open quote".to_owned())
}
