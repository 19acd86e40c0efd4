//! The file of settings: its location, and its content.

use super::layer::Layer;
use super::table::TableReader;
use crate::failure::Failure;
use premiss_check::{CheckError, read_path, relative};
use premiss_report::{Colour, render_diagnostics};
use premiss_source::{Files, ReadError, Severity, SourceMap};
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The files that may have settings, the first one in a folder being used, and the tables that contain them.
const FILES: [(&str, &[&[&str]]); 4] = [
    ("premiss.toml", &[&[]]),
    (".premiss.toml", &[&[]]),
    (
        "Cargo.toml",
        &[
            &["workspace", "metadata", "premiss"],
            &["package", "metadata", "premiss"],
        ],
    ),
    ("fpm.toml", &[&["extra", "premiss"]]),
];

/// The settings of the nearest of these files that has any, in this folder or one around it, up to the root of the
/// repository; empty if there is none. Paths in it stay inside the repository.
///
/// # Errors
///
/// The file cannot be read, or a setting is invalid.
pub(super) fn find(current: &Path, files: &dyn Files, colour: Colour) -> Result<Layer, Failure> {
    let root = current.ancestors().find(|x| x.join(".git").exists());
    for folder in current.ancestors() {
        for (name, _) in FILES {
            let path = folder.join(name);
            let bytes = match files.read(&path.to_string_lossy()) {
                Ok(bytes) => bytes,
                Err(ReadError::Missing | ReadError::Directory) => continue,
                // Without a repository, the current folder is all that may be read.
                Err(ReadError::Outside) if root.is_none() && folder != current => continue,
                Err(error) => {
                    return Err(CheckError::read(&relative(&path, current), &error).into());
                }
            };
            let place = (current, Some(root.unwrap_or(folder)));
            if let Some(layer) = read(&path, bytes, place, colour)? {
                return Ok(layer);
            }
        }
        if Some(folder) == root {
            break;
        }
    }
    Ok(Layer::default())
}

/// The settings of the file at a path, which the user names: it may name others anywhere.
///
/// # Errors
///
/// As for [`find`]; or the file has no settings.
pub(super) fn at_path(path: &str, current: &Path, colour: Colour) -> Result<Layer, Failure> {
    // Who names the file answers for what it names.
    let layer = read(
        &current.join(path),
        read_path(path)?,
        (current, None),
        colour,
    )?;
    layer.ok_or_else(|| Failure::File(format!("`{path}`: it has no table of settings of premiss")))
}

/// The settings of a file with these bytes; `None` if it is that of another tool and has none. `root` is the folder that
/// paths must not lead out of.
fn read(
    path: &Path,
    bytes: Vec<u8>,
    (current, root): (&Path, Option<&Path>),
    colour: Colour,
) -> Result<Option<Layer>, Failure> {
    let shown = relative(path, current);
    let mut sources = SourceMap::new();
    let too_long = || Failure::File(format!("`{shown}`: it has 4 GiB or more"));
    let file = sources.add(shown.as_str(), bytes).ok_or_else(too_long)?;
    let folder: PathBuf = path.parent().unwrap_or(current).to_owned();
    let mut reader = TableReader::new(&sources, file, (folder, root), current.to_owned());
    let (table, errors) = DeTable::parse_recoverable(sources.file(file).text());
    for error in errors {
        let span = error.span().unwrap_or_default();
        reader.refuse(span, error.message().to_owned(), "");
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let own: &[&[&str]] = &[&[]];
    let of_name = FILES.iter().find(|(known, _)| *known == name);
    let places = of_name.map_or(own, |(_, places)| places);
    let table = places
        .iter()
        .find_map(|place| inner(table.get_ref(), place));
    // A malformed manifest is left to its own tool, unless it has settings of premiss.
    let layer = table.map(|table| reader.layer(table));
    let diagnostics = reader.diagnostics;
    match layer {
        Some(_) if diagnostics.iter().any(|x| x.severity == Severity::Error) => Err(
            Failure::Rendered(render_diagnostics(&sources, &diagnostics, colour)),
        ),
        layer => Ok(layer),
    }
}

/// The table at a path of keys in another table.
fn inner<'a, 'i>(table: &'a DeTable<'i>, place: &[&str]) -> Option<&'a DeTable<'i>> {
    let [first, rest @ ..] = place else {
        return Some(table);
    };
    let is_it = |(key, _): &(&Spanned<_>, &Spanned<DeValue<'_>>)| {
        let key: &toml::de::DeString<'_> = key.get_ref();
        key == first
    };
    let (_, value) = table.iter().find(is_it)?;
    inner(value.get_ref().as_table()?, rest)
}
