//! Files in.

use crate::arguments::{MissingFlags, ReadingArguments};
use crate::build::{Database, Entry, FileFlags};
use crate::cargo::{self, Package};
use crate::failure::Failure;
use crate::output;
use crate::settings::Configured;
use ignore::WalkBuilder;
use premiss_analyze::{Language, NearbyFiles, ReadOptions};
use premiss_source::SourceFile;
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// The most room that is made before a file is read.
const MOST_ROOM: u64 = 1 << 28;
/// Files are not read beyond so many bytes: more cannot be analysed.
const LARGEST_FILE: u64 = 1 << 32;

/// A file to read, and how.
pub(crate) struct Input {
    /// The path; `-` is standard input.
    pub(crate) path: String,
    pub(crate) options: ReadOptions,
}

/// The files that a command is about: those named, or else all C files of the build. What the build
/// says about a file comes to the options of our own command line.
///
/// # Errors
///
/// There is no file, or a file of which the build says nothing.
pub(crate) fn inputs(
    paths: &[String],
    arguments: &ReadingArguments,
    own: &ReadOptions,
) -> Result<Vec<Input>, Failure> {
    let current = std::env::current_dir().map_err(|error| Failure::file(".", &error))?;
    let database = match &arguments.build {
        Some(folder) => Some(Database::in_folder(folder, &current)?),
        None => Database::found(&current)?,
    };
    let Some(database) = database else {
        if paths.is_empty() {
            return Err(Failure::usage(
                "no file is named, and there is no compile_commands.json here or in build*/ \
                 (-p DIR names its folder)",
            ));
        }
        let plain = |path: &String| Input {
            path: path.clone(),
            options: with_settings(path, arguments, own.clone()),
        };
        return Ok(paths.iter().map(plain).collect());
    };
    let all = database.entries.iter().map(|entry| entry.path.clone());
    let all: Vec<String> = all
        .filter(|path| !arguments.configured.excludes(path))
        .collect();
    let paths = if paths.is_empty() { &all } else { paths };
    let (mut inputs, mut skipped) = (Vec::new(), Vec::new());
    for path in paths {
        match with_flags(path, &database, &current, arguments.missing_flags)? {
            Some(flags) => inputs.push(Input {
                path: path.clone(),
                options: with_settings(path, arguments, flags.with(own)),
            }),
            None => skipped.push(path.as_str()),
        }
    }
    if !skipped.is_empty() {
        let (n, path, list) = (skipped.len(), &database.path, skipped.join(", "));
        let files = if n == 1 { "file is" } else { "files are" };
        output::say(&format!(
            "note: {n} {files} left out for want of an entry in `{path}`: {list}\n"
        ));
    }
    match inputs.is_empty() {
        true => Err(Failure::File(format!(
            "`{}`: it leaves no C file to read",
            database.path
        ))),
        false => Ok(inputs),
    }
}

/// The options of a file with the sizes that settings give it, where options give it none.
pub(crate) fn with_settings(
    path: &str,
    arguments: &ReadingArguments,
    mut options: ReadOptions,
) -> ReadOptions {
    for (name, value) in arguments.configured.sizes(path) {
        if !options.symbolic.contains(&name) {
            options.sizes.entry(name).or_insert(value);
        }
    }
    options
}

/// The flags of a file; nothing where it is to be left out.
fn with_flags(
    path: &str,
    database: &Database,
    current: &Path,
    missing: MissingFlags,
) -> Result<Option<FileFlags>, Failure> {
    if path == "-" {
        return Ok(Some(FileFlags::default()));
    }
    let entry = match (database.entry(path, current), missing) {
        (None, MissingFlags::Guess) => database.nearest(path, current),
        (entry, _) => entry,
    };
    let why = match entry {
        None => "there is no entry for it".to_owned(),
        Some(Entry { flags, .. }) => match &flags.other_layout {
            None => return Ok(Some(flags.clone())),
            Some(option) => format!("{option} gives types other sizes than x86-64 Linux has"),
        },
    };
    if missing == MissingFlags::Skip {
        return Ok(None);
    }
    let database = &database.path;
    Err(Failure::usage(format!(
        "`{path}`: {why} in `{database}` (--missing-flags=skip leaves such files out, \
         --missing-flags=guess reads a file without an entry as the nearest one that has one)"
    )))
}

/// The file to analyse, `-` being standard input.
pub(crate) fn open(path: &str, stdin_filename: &str) -> Result<SourceFile, Failure> {
    let (name, bytes) = if path == "-" {
        (stdin_filename, read_stdin()?)
    } else {
        refuse_other_languages(path)?;
        (path, read_path(path)?)
    };
    refuse_other_languages(name)?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Failure::File(format!("`{name}`: it is empty")));
    }
    SourceFile::new(name, bytes)
        .ok_or_else(|| Failure::File(format!("`{name}`: it has 4 GiB or more")))
}

pub(crate) fn read_path(path: &str) -> Result<Vec<u8>, Failure> {
    let refuse = |error: io::Error| Failure::file(path, &error);
    let file = fs::File::open(path).map_err(refuse)?;
    let length = file.metadata().map_or(0, |metadata| metadata.len());
    // One byte more, so that the end is found without asking for more room.
    let room = length.min(MOST_ROOM) + 1;
    let mut bytes = Vec::with_capacity(usize::try_from(room).unwrap_or(0));
    let read = file.take(LARGEST_FILE).read_to_end(&mut bytes);
    read.map_err(refuse)?;
    Ok(bytes)
}

fn read_stdin() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = io::stdin().take(LARGEST_FILE).read_to_end(&mut bytes);
    read.map_err(|error| Failure::file("-", &error))?;
    Ok(bytes)
}

pub(crate) fn refuse_other_languages(path: &str) -> Result<(), Failure> {
    let extension = Path::new(path).extension().and_then(|x| x.to_str());
    let is_cpp = matches!(
        extension.unwrap_or(""),
        "cc" | "cpp" | "cxx" | "c++" | "C" | "hh" | "hpp" | "hxx" | "h++" | "cu" | "cuh"
    );
    if !is_cpp {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "`{path}`: C++ is not supported yet; premiss reads C, Fortran and Rust \
         (move the loop nests into a .c file to analyse them)"
    )))
}

/// The source files that paths name, and what else lies in the folders among them.
pub(crate) struct Expanded {
    /// Files as they are, folders by their sources in C, Fortran and Rust, deeply, in order.
    pub(crate) paths: Vec<String>,
    /// All files below the folders.
    pub(crate) nearby: NearbyFiles,
}

/// Takes in what is below folders, but what is hidden, and what their `.gitignore` leaves out of a repository: headers
/// are found there all the same, as builds make some.
///
/// # Errors
///
/// A folder that cannot be read, or that has no source file.
pub(crate) fn expand(paths: &[String], configured: &Configured) -> Result<Expanded, Failure> {
    let mut expanded = Vec::new();
    let mut nearby = Vec::new();
    for path in paths {
        if !Path::new(path).is_dir() {
            expanded.push(path.clone());
            continue;
        }
        let mut files = below(Path::new(path))?;
        files.sort();
        let before = expanded.len();
        let package = cargo::package(Path::new(path));
        if let Package::Unread = package {
            output::say(&format!(
                "note: `{path}`: Cargo does not say which files belong to the package: all *.rs are read\n"
            ));
        }
        let is_chosen = |file: &&String| match &package {
            Package::Files(files) if Language::of_path(file) == Some(Language::Rust) => {
                files.contains(Path::new(file))
            }
            Package::Files(_) | Package::Unread => is_source(file) && !is_built(path, file),
            Package::None => is_source(file),
        };
        let kept = kept(Path::new(path))?;
        let is_kept =
            |file: &&String| kept.contains(OsStr::new(file)) && !configured.excludes(file);
        let chosen = files.iter().filter(is_chosen);
        expanded.extend(chosen.filter(is_kept).cloned());
        if expanded.len() == before {
            return Err(Failure::File(format!(
                "`{path}`: it has no files in C, Fortran or Rust"
            )));
        }
        nearby.append(&mut files);
    }
    Ok(Expanded {
        paths: expanded,
        nearby: nearby.into_iter().collect(),
    })
}

/// Whether Cargo made a file.
fn is_built(package: &str, file: &str) -> bool {
    Path::new(file).starts_with(Path::new(package).join("target"))
}

/// Whether a file in a folder is one to analyse: headers are read with what includes them.
pub(crate) fn is_source(path: &str) -> bool {
    match Language::of_path(path) {
        Some(Language::C) => path.ends_with(".c"),
        Some(Language::Fortran | Language::Rust) => true,
        None => false,
    }
}

/// The files below a folder that are neither hidden nor ignored by what is in the repository.
fn kept(root: &Path) -> Result<HashSet<OsString>, Failure> {
    // What one user alone ignores must not decide what a gate looks at.
    let walk = WalkBuilder::new(root)
        .git_global(false)
        .git_exclude(false)
        .ignore(false)
        .build();
    let refuse = |error: ignore::Error| Failure::File(format!("`{}`: {error}", root.display()));
    walk.map(|entry| Ok(entry.map_err(refuse)?.into_path().into_os_string()))
        .collect()
}

/// The files below a folder, without following links to folders: those can go in circles.
fn below(root: &Path) -> Result<Vec<String>, Failure> {
    let mut folders = vec![root.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let shown = folder.display().to_string();
        let refuse = |error: io::Error| Failure::file(&shown, &error);
        for entry in fs::read_dir(&folder).map_err(refuse)? {
            let entry = entry.map_err(refuse)?;
            match entry.file_type().map_err(refuse)?.is_dir() {
                true if entry.file_name() == ".git" => {}
                true => folders.push(entry.path()),
                false => files.push(entry.path().display().to_string()),
            }
        }
    }
    Ok(files)
}
