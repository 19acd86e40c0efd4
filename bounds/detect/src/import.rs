//! Descriptions of machines that other tools write, as machine files.
//!
//! Each format has a module that turns its text into a [`MachineFile`]. They share the warning about missing TLBs.

mod hwloc;
mod kerncraft;
mod valgrind;

use crate::error::DetectError;
use crate::machine_file::MachineFile;
use crate::this_machine::detect_recorded;
use std::fs;
use std::io::Read as _;

/// No description of a machine is longer, in bytes.
const LONGEST: u64 = 64 << 20;

/// A description of a machine, and its format.
#[derive(Clone, Copy, Debug)]
pub enum Description<'a> {
    /// A machine file of Kerncraft, in YAML, by its path.
    Kerncraft(&'a str),
    /// What hwloc's `lstopo --of xml` writes, by its path.
    Hwloc(&'a str),
    /// A folder like `/sys/devices/system/cpu/cpu0/cache` of Linux.
    Sysfs(&'a str),
    /// Options of cachegrind and callgrind: `--D1=size,associativity,line`.
    Valgrind(&'a [String]),
}

/// Turns a description into a machine file; `name` becomes the name of the machine.
///
/// # Errors
/// [`DetectError::Io`] where a file or folder cannot be read, [`DetectError::File`] where it is not of the format or
/// describes no machine that can be, [`DetectError::Usage`] where options make no sense.
pub fn import(description: Description<'_>, name: &str) -> Result<MachineFile, DetectError> {
    match description {
        Description::Kerncraft(path) => kerncraft::import(name, path, &text(path)?),
        Description::Hwloc(path) => hwloc::import(name, path, &text(path)?),
        Description::Sysfs(folder) => detect_recorded(name, folder),
        Description::Valgrind(options) => valgrind::import(name, options),
    }
}

/// The text of a file.
fn text(path: &str) -> Result<String, DetectError> {
    let refuse = |why: String| DetectError::File(format!("`{path}`: {why}"));
    let unread = |error| DetectError::io(path, error);
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
        refuse(format!("it is not UTF-8 text at byte {place}"))
    })
}

/// The warning for formats that never describe TLBs.
fn missing_tlbs() -> String {
    "its TLBs are not known: add [[tlb]] tables from the processor's manual".to_owned()
}
