//! `premiss merge`

use super::judge::Judge;
use crate::arguments::MergeArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::invocation::Invocation;
use premiss_check::{ShardFile, merge_shards};

/// The verdict of one check of all files, from the results of its shards.
pub(crate) fn run(arguments: &MergeArguments, invocation: Invocation<'_>) -> Result<Exit, Failure> {
    let parts = arguments.parts.iter().map(|path| ShardFile::read(path));
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    let machine = parts.first().map_or("", ShardFile::machine_id).to_owned();
    let checked = merge_shards(parts, &arguments.levels, invocation.host)?;
    let judge = Judge::new(&arguments.judging, &machine)?;
    judge.judge(checked, invocation.colours)
}
