//! Bases in files: written by `--save`, read by `--base`.

use super::side::{Lost, Read};
use super::{ARRAY_BASE, Asked, kernels_of, side};
use crate::arguments::DiffArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::output;
use crate::repository::Repository;
use crate::run::selection::{check_bases, check_sizes};
use premiss_analyze::measure;
use premiss_gate::{ComparedProgram, SavedBase, SavedConditions};
use std::io;
use std::path::Path;

/// What `--base` names, if it is a file.
pub(super) enum Opened {
    /// A base that fits.
    Base(SavedBase),
    /// It is no file: a revision, or nothing.
    NoFile,
    /// It cannot be compared with, and why.
    Inconclusive(String),
}

/// Opens the base, where `--base` names a file.
///
/// # Errors
///
/// The file is broken, or cannot be read though it is there.
pub(super) fn open(asked: &Asked<'_>) -> Result<Opened, Failure> {
    let Some(file) = file(asked.arguments) else {
        return Ok(Opened::NoFile);
    };
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Opened::Inconclusive(format!(
                "--base {file}: there is no such file; `premiss diff --save {file}` writes it"
            )));
        }
        Err(error) => return Err(Failure::file(file, &error)),
    };
    let broken = |error| {
        Failure::File(format!(
            "--base {file}: it is no base that --save wrote: {error}"
        ))
    };
    let saved = SavedBase::parse(&text).map_err(broken)?;
    let (then, now) = (&saved.conditions.machine, machine(asked));
    if *then != now {
        return Ok(Opened::Inconclusive(format!(
            "--base {file}: it was counted for another machine ({then}) than now ({now}); save it anew"
        )));
    }
    for (name, value) in &asked.reading.sizes {
        let then = saved.conditions.sizes.get(name);
        if let Some(then) = then.filter(|then| *then != value) {
            return Ok(Opened::Inconclusive(format!(
                "--base {file}: it was counted for {name} = {then}, and now {name} = {value}; save it anew"
            )));
        }
    }
    Ok(Opened::Base(saved))
}

/// The file that `--base` names: revisions do not end like that.
fn file(arguments: &DiffArguments) -> Option<&str> {
    let name = arguments.revision.as_deref()?;
    let extension = Path::new(name).extension()?;
    extension.eq_ignore_ascii_case("json").then_some(name)
}

/// Whether a program is to be saved, and compared with nothing.
pub(super) fn is_all(arguments: &DiffArguments) -> bool {
    arguments.save.is_some() && arguments.revision.is_none() && arguments.paths.len() != 2
}

/// Counts a program and saves it.
///
/// # Errors
///
/// It cannot be read, or the file cannot be written.
pub(super) fn save_alone(asked: &Asked<'_>) -> Result<Exit, Failure> {
    let mut head = here(asked)?;
    let unused = head.program.unused_sizes.iter();
    let unused: Vec<String> = unused
        .filter(|name| flags::mention(asked.reading, name))
        .cloned()
        .collect();
    check_sizes(&unused, &head.program.size_names, &head.name)?;
    check_bases(&head.program.functions, asked.measuring, ARRAY_BASE)?;
    let (kernels, lost) = (kernels_of(&head), head.lost());
    let analysis = measure(std::mem::take(&mut head.program), asked.measuring);
    if let Some(file) = &asked.arguments.save {
        write(file, asked, side(&head, &analysis, &kernels), lost)?;
        output::say(&format!("note: `{file}` has {} nests\n", kernels.len()));
    }
    Ok(Exit::Clean)
}

/// A base that was saved, and the head.
///
/// # Errors
///
/// The head cannot be read.
pub(super) fn read(asked: &Asked<'_>, saved: &SavedBase) -> Result<(Read, Read), Failure> {
    let sizes = asked.reading.sizes.keys();
    let unused = sizes.filter(|name| !saved.conditions.sizes.contains_key(*name));
    let name = asked.arguments.revision.as_deref().unwrap_or_default();
    Ok((
        Read::of_saved(name, unused.cloned().collect()),
        here(asked)?,
    ))
}

fn here(asked: &Asked<'_>) -> Result<Read, Failure> {
    let current = std::env::current_dir().map_err(|error| Failure::file(".", &error))?;
    let repository = Repository::around(&current);
    let Asked {
        arguments, reading, ..
    } = asked;
    Read::here(&arguments.paths, &arguments.reading, reading, &repository)
}

/// Saves a program.
///
/// # Errors
///
/// The file cannot be written.
pub(super) fn write(
    file: &str,
    asked: &Asked<'_>,
    side: ComparedProgram<'_>,
    lost: Lost,
) -> Result<(), Failure> {
    let current = std::env::current_dir().map_err(|error| Failure::file(".", &error))?;
    let repository = Repository::around(&current);
    let conditions = SavedConditions {
        machine: machine(asked),
        sizes: asked.reading.sizes.clone(),
        unparsed: lost,
    };
    let saved = SavedBase::of(side, &|path| repository.path_of(path), conditions);
    output::write(Some(file), &saved.to_json())
}

/// `spr@4f1c, page4096, independent`: what counts depend on beside the program and its sizes.
fn machine(asked: &Asked<'_>) -> String {
    let measuring = asked.measuring;
    let mut text = format!(
        "{}, {}, {}",
        measuring.machine.id(),
        measuring.layout.name(),
        measuring.hierarchy.name()
    );
    for (array, address) in &measuring.bases {
        text.push_str(&format!(", {array} at {address:#x}"));
    }
    text
}
