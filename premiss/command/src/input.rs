//! Files in.

use crate::failure::Failure;
use premiss_source::{FileId, SourceMap};
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// Included files of more bytes are not read.
const LARGEST_INCLUDE: u64 = 1 << 28;
/// Files are not read beyond so many bytes: more cannot be analysed.
const LARGEST_FILE: u64 = 1 << 32;

/// The file to analyse, `-` being standard input.
pub(crate) fn open(
    sources: &mut SourceMap,
    path: &str,
    stdin_filename: &str,
) -> Result<FileId, Failure> {
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
    sources
        .add(name, bytes)
        .ok_or_else(|| Failure::File(format!("`{name}`: it has 4 GiB or more")))
}

/// The bytes of a file that another one includes, where it is there.
pub(crate) fn load_include(path: &str) -> Option<Vec<u8>> {
    let metadata = fs::metadata(path).ok()?;
    let fits = metadata.is_file() && metadata.len() <= LARGEST_INCLUDE;
    fits.then(|| fs::read(path).ok())?
}

pub(crate) fn read_path(path: &str) -> Result<Vec<u8>, Failure> {
    let refuse = |error: io::Error| Failure::file(path, &error);
    let file = fs::File::open(path).map_err(refuse)?;
    let mut bytes = Vec::new();
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

fn refuse_other_languages(path: &str) -> Result<(), Failure> {
    let extension = Path::new(path).extension().and_then(|x| x.to_str());
    let language = match extension.unwrap_or("") {
        "cc" | "cpp" | "cxx" | "c++" | "C" | "hh" | "hpp" | "hxx" | "h++" | "cu" | "cuh" => "C++",
        "f" | "for" | "f77" | "f90" | "f95" | "f03" | "f08" | "F" | "F90" | "F95" => "Fortran",
        "rs" => "Rust",
        _ => return Ok(()),
    };
    Err(Failure::usage(format!(
        "`{path}`: {language} is not supported yet; premiss reads C \
         (move the loop nests into a .c file to analyse them)"
    )))
}

/// The C files that paths name: files as they are, folders by their `*.c`, deeply, in order.
pub(crate) fn expand(paths: &[String]) -> Result<Vec<String>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if Path::new(path).is_dir() {
            let before = files.len();
            collect(Path::new(path), &mut files)?;
            if files.len() == before {
                return Err(Failure::File(format!("`{path}`: it has no *.c files")));
            }
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

/// The `*.c` below a folder, without following links to folders: those can go in circles.
fn collect(root: &Path, files: &mut Vec<String>) -> Result<(), Failure> {
    let mut folders = vec![root.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        let shown = folder.display().to_string();
        let refuse = |error: io::Error| Failure::file(&shown, &error);
        for entry in fs::read_dir(&folder).map_err(refuse)? {
            let entry = entry.map_err(refuse)?;
            let (path, kind) = (entry.path(), entry.file_type().map_err(refuse)?);
            if kind.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|x| x == "c") {
                found.push(path.display().to_string());
            }
        }
    }
    found.sort();
    files.extend(found);
    Ok(())
}
