//! Reads the file of `premiss baseline`.

use crate::failure::Failure;
use premiss_gate::Baseline;
use std::fs;
use std::io;

/// The baseline in a file, which has to be for this machine.
///
/// # Errors
///
/// The file does not exist, or is for another machine: the result is inconclusive then. Or it cannot be read.
pub(super) fn read(file: &str, machine: &str) -> Result<Baseline, Failure> {
    let bytes = fs::read(file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failure::Inconclusive(format!(
            "`{file}`: there is no such baseline; `premiss baseline write` with the same paths and options \
             makes one"
        )),
        _ => Failure::file(file, &error),
    })?;
    let refuse = |why: String| Failure::File(format!("`{file}`: it is no baseline: {why}"));
    let text = String::from_utf8(bytes).map_err(|_| refuse("it is no UTF-8 text".to_owned()))?;
    let baseline = Baseline::from_json(&text).map_err(refuse)?;
    match baseline.machine() == machine {
        true => Ok(baseline),
        false => Err(Failure::Inconclusive(format!(
            "`{file}`: it is of the machine {}, and this is {machine}; choose that one with --machine, or write \
             the baseline anew",
            baseline.machine()
        ))),
    }
}
