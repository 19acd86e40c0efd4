//! `premiss schema`

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use premiss_check::{ShardRecord, suggest};
use premiss_report::{NamedSchema, check_schema};

/// Prints the schema with this name, or all names.
pub(crate) fn run(name: Option<&str>) -> Result<Exit, Failure> {
    let check: [NamedSchema; 1] = [("check", check_schema::<ShardRecord>)];
    let others = premiss_report::SCHEMAS.iter().chain(&premiss_gate::SCHEMAS);
    let all = check.iter().chain(others);
    let mut names = all.clone().map(|(known, _)| *known);
    let text = match name {
        None => names.map(|name| format!("{name}\n")).collect(),
        Some(name) => match all.clone().find(|(known, _)| *known == name) {
            Some((_, text)) => text(),
            None => {
                let nearest = suggest(name, names.by_ref());
                let message = format!("there is no schema `{name}`{nearest}");
                return Err(Failure::usage(message));
            }
        },
    };
    output::write(None, &text)?;
    Ok(Exit::Clean)
}
