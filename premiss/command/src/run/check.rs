//! `premiss check`

mod around;
mod checked;
mod earlier;
mod judge;
mod kept;
mod look;
mod merged;
mod part;
mod record;
mod rows;
mod texts;

pub(crate) use checked::{Checked, checked};
pub(crate) use judge::Judge;
pub(crate) use merged::merged;
pub(crate) use part::{Part, PartRecord};

use crate::arguments::CheckArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::output::Colours;
use crate::shard::Shard;
use crate::targets::Form;
use clap::ArgMatches;

pub(crate) fn run(
    arguments: &CheckArguments,
    matches: &ArgMatches,
    colours: Colours,
) -> Result<Exit, Failure> {
    if let Some(shard) = arguments.shard {
        return run_shard(arguments, matches, shard, colours);
    }
    let machine = flags::measuring(&arguments.subject.measuring)?.machine;
    let judge = Judge::new(&arguments.judging, &machine.id())?;
    let (checked, _keeping) = checked(&arguments.subject, matches)?;
    judge.judge(checked, colours)
}

/// Counts a part of the files, and writes what merging needs. A job of several cannot judge: it does not know what
/// the others found, and an end that looks like a failure would stop them.
fn run_shard(
    arguments: &CheckArguments,
    matches: &ArgMatches,
    shard: Shard,
    colours: Colours,
) -> Result<Exit, Failure> {
    let judging = &arguments.judging;
    let of_merge = [
        ("--baseline", judging.baseline.is_some()),
        ("--min-coverage", judging.min_coverage.is_some()),
    ];
    if let Some((option, _)) = of_merge.iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::usage(format!(
            "--shard {shard}: a shard is not judged; give {option} to `premiss merge`"
        )));
    }
    let targets = judge::targets(judging)?;
    if !targets.iter().any(|target| target.form == Form::Json) {
        return Err(Failure::usage(format!(
            "--shard {shard}: `premiss merge` needs what it finds as JSON; add it to the formats, as in \
             --format text,json:part-{}.json",
            shard.number
        )));
    }
    let (checked, part) = part::checked_part(&arguments.subject, matches, shard)?;
    judge::write_part(&checked, &part, &targets, colours)?;
    Ok(Exit::Clean)
}
