//! `premiss check`

use super::check_request::CheckOptions;
use super::judge::{self, Judge};
use crate::arguments::CheckArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::invocation::Invocation;
use crate::missing_sizes::next_line;
use crate::output;
use premiss_check::{FileList, OutputForm, Shard, check, check_shard};

pub(crate) fn run(arguments: &CheckArguments, invocation: Invocation<'_>) -> Result<Exit, Failure> {
    if let Some(shard) = arguments.shard {
        return run_shard(arguments, shard, invocation);
    }
    let machine = flags::measuring(&arguments.subject.measuring)?.machine;
    let judge = Judge::new(&arguments.judging, &machine.id())?;
    let options = CheckOptions::new(&arguments.subject, invocation)?;
    let request = options.request(&arguments.subject, invocation)?;
    if arguments.subject.input.show_files {
        output::write(None, &FileList::new(&request.inputs)?.text())?;
        return Ok(Exit::Clean);
    }
    let (checked, _writer) = check(&request)?;
    let next = match judge.writes_text() {
        true => next_line(&checked.diagnostics),
        false => String::new(),
    };
    let exit = judge.judge(checked, invocation.colours)?;
    output::say(&next);
    Ok(exit)
}

/// Counts a shard, and writes the record for merging. A shard has no verdict: it does not know the results of the
/// others, and an exit code that looks like a failure would stop them.
fn run_shard(
    arguments: &CheckArguments,
    shard: Shard,
    invocation: Invocation<'_>,
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
    if !targets.iter().any(|target| target.form == OutputForm::Json) {
        return Err(Failure::usage(format!(
            "--shard {shard}: `premiss merge` needs what it finds as JSON; add it to the formats, as in \
             --format text,json:part-{}.json",
            shard.number
        )));
    }
    let options = CheckOptions::new(&arguments.subject, invocation)?;
    let request = options.request(&arguments.subject, invocation)?;
    let (checked, record) = check_shard(&request, shard)?;
    judge::write_shard(&checked, &record, &targets, invocation.colours)?;
    Ok(Exit::Clean)
}
