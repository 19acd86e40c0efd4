//! `premiss merge`

use super::check::{Judge, Part, merged};
use crate::arguments::MergeArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Colours;

/// Judges what the shards of a check found as one check of all files would.
pub(crate) fn run(arguments: &MergeArguments, colours: Colours) -> Result<Exit, Failure> {
    let parts = arguments.parts.iter().map(|path| Part::read(path));
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    let machine = parts.first().map_or("", Part::machine_id).to_owned();
    let checked = merged(parts, &arguments.levels)?;
    let judge = Judge::new(&arguments.judging, &machine)?;
    judge.judge(checked, colours)
}
