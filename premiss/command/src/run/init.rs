//! `premiss init`

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::settings::TEMPLATE;
use std::fs::OpenOptions;
use std::io::{self, Write as _};

/// The file that is written.
const FILE: &str = "premiss.toml";

/// Writes the file, which must not exist.
pub(crate) fn run() -> Result<Exit, Failure> {
    let file = OpenOptions::new().write(true).create_new(true).open(FILE);
    let written = file.and_then(|mut file| file.write_all(TEMPLATE.as_bytes()));
    written.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::File(format!(
            "`{FILE}`: it is there already; move it away to have a new one"
        )),
        _ => Failure::file(FILE, &error),
    })?;
    output::say(&format!("premiss: wrote `{FILE}`\n"));
    Ok(Exit::Clean)
}
