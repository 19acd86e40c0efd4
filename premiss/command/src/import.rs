//! Descriptions of machines that others write, as machine files.

mod hwloc;
mod kerncraft;
mod valgrind;

use crate::arguments::ImportFormat;
use crate::detect;
use crate::failure::Failure;
use crate::sheet::Found;
use std::fs;
use std::io::Read as _;

/// No description of a machine is longer, in bytes.
const LONGEST: u64 = 64 << 20;

/// Reads a description.
///
/// # Errors
/// A file that cannot be read, is not of the format, or describes no machine.
pub(crate) fn import(format: &ImportFormat, name: &str) -> Result<Found, Failure> {
    match format {
        ImportFormat::Kerncraft { file } => kerncraft::import(name, file, &text(file)?),
        ImportFormat::Hwloc { file } => hwloc::import(name, file, &text(file)?),
        ImportFormat::Sysfs { dir } => detect::recorded(name, dir),
        ImportFormat::Valgrind { options } => valgrind::import(name, options),
    }
}

/// What a file says.
fn text(path: &str) -> Result<String, Failure> {
    let refuse = |why: String| Failure::File(format!("`{path}`: {why}"));
    let unread = |error| Failure::file(path, &error);
    let file = fs::File::open(path).map_err(unread)?;
    let mut bytes = Vec::new();
    let read = file.take(LONGEST + 1).read_to_end(&mut bytes);
    let length = read.map_err(unread)?;
    if length == 0 {
        return Err(refuse("it is empty".to_owned()));
    }
    if usize::try_from(LONGEST).is_ok_and(|longest| longest < length) {
        let why = "it is longer than 64 MiB, as no description of a machine is";
        return Err(refuse(why.to_owned()));
    }
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        refuse(format!("it is no UTF-8 text at byte {place}"))
    })
}

/// What those formats do not tell of at all.
fn missing_tlbs() -> String {
    "its TLBs are not known: add [[tlb]] tables from the processor's manual".to_owned()
}
