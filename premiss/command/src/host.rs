//! The host of the engines: the current folder, files, standard input, standard error, and a progress line.

use crate::failure::Failure;
use crate::output;
use crate::progress::ProgressLine;
use clap::ArgMatches;
use premiss_check::{Host, Progress, Repository};
use premiss_source::{FileSystem, Files};
use std::env;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The command as a host of the engines.
#[derive(Debug)]
pub(crate) struct CommandHost {
    current_dir: PathBuf,
    files: FileSystem,
}

/// The options that name folders with files of the program.
const FOLDERS: [&str; 2] = ["include", "build"];

impl CommandHost {
    /// The host in the current folder, which reads files from everywhere.
    ///
    /// # Errors
    ///
    /// The current folder does not exist any more.
    pub(crate) fn new() -> Result<Self, Failure> {
        let current_dir = env::current_dir().map_err(|error| Failure::file(".", &error))?;
        Ok(Self {
            current_dir,
            files: FileSystem::unconfined(),
        })
    }

    /// The same host, which reads files from the repository and from the folders that the command line or the
    /// environment names.
    ///
    /// # Errors
    ///
    /// There is no such folder.
    pub(crate) fn confined(self, matches: &ArgMatches) -> Result<Self, Failure> {
        let repository = Repository::enclosing(&self.current_dir);
        let mut folders = vec![repository.root().to_owned()];
        for option in FOLDERS {
            // Not every command has these options.
            let named = matches.try_get_many::<String>(option).ok().flatten();
            folders.extend(named.into_iter().flatten().map(PathBuf::from));
        }
        let build = env::var_os("PREMISS_BUILD").filter(|folder| !folder.is_empty());
        folders.extend(build.map(PathBuf::from));
        let mut files = Vec::new();
        for folder in folders {
            let real = folder.canonicalize();
            files.push(real.map_err(|error| Failure::file(&folder.to_string_lossy(), &error))?);
        }
        let files = FileSystem::confined(files.iter().map(PathBuf::as_path));
        let files = files.map_err(|error| Failure::file(".", &error))?;
        Ok(Self { files, ..self })
    }
}

impl Host for CommandHost {
    fn current_dir(&self) -> &Path {
        &self.current_dir
    }

    fn files(&self) -> &dyn Files {
        &self.files
    }

    fn is_confined(&self) -> bool {
        self.files.is_confined()
    }

    fn message(&self, text: &str) {
        output::say(text);
    }

    fn progress(
        &self,
        activity: &'static str,
        items: &'static str,
        total: usize,
    ) -> Box<dyn Progress> {
        Box::new(ProgressLine::new(activity, items, total))
    }

    fn read_stdin(&self, limit: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        io::stdin().take(limit).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}
