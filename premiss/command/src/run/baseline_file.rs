//! Reads the file of `premiss baseline`.

use crate::failure::Failure;
use premiss_check::CheckError;
use premiss_gate::Baseline;
use premiss_source::{FileSystem, Files as _, ReadError};

/// The baseline in a file, which has to be for this machine.
///
/// # Errors
///
/// The file does not exist, or is for another machine: the result is inconclusive then. Or it cannot be read.
pub(super) fn read(file: &str, machine: &str) -> Result<Baseline, Failure> {
    let bytes = FileSystem::unconfined().read(file);
    let bytes = bytes.map_err(|error| match error {
        ReadError::Missing => Failure::Inconclusive(format!(
            "`{file}`: there is no such baseline; `premiss baseline write` with the same paths and options \
             makes one"
        )),
        error => CheckError::read(file, &error).into(),
    })?;
    let refuse = |why: String| Failure::File(format!("`{file}`: it is not a baseline: {why}"));
    let text = String::from_utf8(bytes).map_err(|_| refuse("it is not UTF-8 text".to_owned()))?;
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
