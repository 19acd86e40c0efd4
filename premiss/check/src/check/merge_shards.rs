//! Merging the shards of a check: the results of all files in the order of a single check, and the texts that they
//! refer to. All further steps are those of a check.

use super::analyze_file::{FileResult, merge_results};
use super::checked_program::{CheckedProgram, RuleLevels};
use super::decode::decode_all;
use super::shard_record::{FileRecord, ShardFile, ShardRecord, digest};
use crate::error::CheckError;
use crate::host::Host;
use crate::inputs::{read_from, unread_diagnostics};
use crate::repository::Repository;
use premiss_analyze::Language;
use premiss_source::{FileId, SourceMap};
use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;

/// The results of one check of all files, from those of its shards.
///
/// # Errors
///
/// Shards are missing, occur twice, or belong to different checks; or source files are missing or have changed.
pub fn merge_shards(
    parts: Vec<ShardFile>,
    levels: &RuleLevels,
    host: &dyn Host,
) -> Result<CheckedProgram, CheckError> {
    check_same_run(&parts)?;
    check_complete(&parts)?;
    let repository = Repository::enclosing(host.current_dir());
    let referenced = parts.iter();
    let referenced = referenced
        .flat_map(|part| part.record.referenced_files())
        .collect();
    let mut results = Vec::new();
    let mut first = None;
    for ShardFile { path, mut record } in parts {
        let (records, strings) = (take(&mut record.results), take(&mut record.strings));
        let decoded = decode_all(records, strings, record.files.len());
        results.extend(decoded.ok_or_else(|| {
            CheckError::File(format!("`{path}`: something in it is about no file"))
        })?);
        first.get_or_insert(record);
    }
    let Some(record) = first else {
        return Err(CheckError::usage("no part is named"));
    };
    let sources = sources(&record, &referenced, (&repository, host))?;
    let results = in_order(&sources, results);
    let mains: BTreeSet<FileId> = (0..record.n_mains).map(FileId::from_u32).collect();
    let analyzed: BTreeSet<FileId> = results.iter().map(|result| result.report.file).collect();
    if results.len() != mains.len() || analyzed != mains {
        return Err(CheckError::File(
            "the parts do not have each file once: run the shards again".to_owned(),
        ));
    }
    let mut result = merge_results(&sources, &mains, results);
    result
        .diagnostics
        .extend(unread_diagnostics(&record.unread, &record.other_files));
    Ok(CheckedProgram::new(
        (repository, sources),
        &mains,
        result,
        (record.machine, levels),
        host,
    ))
}

/// Checks that all shards belong to the same check.
fn check_same_run(parts: &[ShardFile]) -> Result<(), CheckError> {
    let Some((first, rest)) = parts.split_first() else {
        return Ok(());
    };
    for other in rest {
        if let Some(how) = difference(&first.record, &other.record) {
            return Err(CheckError::Inconclusive(format!(
                "`{}` and `{}` are not of one check: {how}",
                first.path, other.path
            )));
        }
    }
    Ok(())
}

/// A difference in the properties that all shards of a check share.
fn difference(a: &ShardRecord, b: &ShardRecord) -> Option<String> {
    if a.total != b.total {
        return Some(format!(
            "one is shard {}, the other {}",
            a.shard(),
            b.shard()
        ));
    }
    if a.machine != b.machine {
        let (a, b) = (&a.machine.id, &b.machine.id);
        return Some(format!("one is of the machine {a}, the other of {b}"));
    }
    let value = |part: &ShardRecord, key: &str| part.options.get(key).cloned().unwrap_or_default();
    if value(a, "sizes") != value(b, "sizes") {
        let shown = |part: &ShardRecord| match value(part, "sizes") {
            sizes if sizes.is_empty() => "none".to_owned(),
            sizes => sizes,
        };
        return Some(format!(
            "sizes (-P) are {} in one, {} in the other",
            shown(a),
            shown(b)
        ));
    }
    if a.folder != b.folder {
        let (a, b) = (&a.folder, &b.folder);
        return Some(format!(
            "one ran in the folder `{a}` of the repository, the other in `{b}`"
        ));
    }
    if let Some(how) = other_files(a, b) {
        return Some(how);
    }
    let what = [
        (
            "reading",
            "options or settings for reading (-D, -U, -I, -p, --functions, --dense, sizes)",
        ),
        (
            "counting",
            "options for counting (--layout, --array-base, --hierarchy, --engine, --budget, --effort)",
        ),
        ("profile", "profiles (--profile)"),
    ];
    let other = what.iter().find(|(key, _)| value(a, key) != value(b, key));
    other.map(|(_, what)| format!("they have other {what}"))
}

/// A file in which two shards differ.
fn other_files(a: &ShardRecord, b: &ShardRecord) -> Option<String> {
    if a.n_mains == b.n_mains && a.files == b.files {
        return None;
    }
    let paths = |part: &'_ ShardRecord| -> BTreeMap<String, String> {
        let files = part.files.iter();
        files
            .map(|file| (file.path.clone(), file.digest.clone()))
            .collect()
    };
    let (of_a, of_b) = (paths(a), paths(b));
    let all: BTreeSet<&String> = of_a.keys().chain(of_b.keys()).collect();
    let other = all
        .into_iter()
        .find(|path| of_a.get(*path) != of_b.get(*path));
    Some(match other {
        Some(path) if of_a.contains_key(path) && of_b.contains_key(path) => {
            format!("`{path}` is not the same file in both")
        }
        Some(path) => format!("only one of them read `{path}`"),
        None => "they read the same files in another order".to_owned(),
    })
}

/// Checks that each shard is there exactly once.
fn check_complete(parts: &[ShardFile]) -> Result<(), CheckError> {
    let mut paths: BTreeMap<u32, &str> = BTreeMap::new();
    for ShardFile { path, record } in parts {
        if let Some(other) = paths.insert(record.shard, path) {
            return Err(CheckError::usage(format!(
                "`{other}` and `{path}` are both shard {}: name each once",
                record.shard()
            )));
        }
    }
    let of = parts.first().map_or(0, |part| part.record.total);
    let missing = (1..=of).filter(|number| !paths.contains_key(number));
    let shown: Vec<String> = missing.clone().take(10).map(|x| x.to_string()).collect();
    let (n_missing, shown) = (missing.count(), shown.join(", "));
    match n_missing {
        0 => Ok(()),
        1 => Err(CheckError::Inconclusive(format!(
            "shard {shown} of {of} is missing: what is in its files is not known"
        ))),
        n => Err(CheckError::Inconclusive(format!(
            "{n} of {of} shards are missing, such as {shown}: what is in their files is not known"
        ))),
    }
}

/// The texts that shards refer to. For included files that no result refers to, the names suffice.
fn sources(
    record: &ShardRecord,
    referenced: &BTreeSet<u32>,
    place: (&Repository, &dyn Host),
) -> Result<SourceMap, CheckError> {
    let mut sources = SourceMap::new();
    for (number, file) in (0..).zip(&record.files) {
        let is_needed = number < record.n_mains || referenced.contains(&number);
        let bytes = match &file.text {
            Some(text) => text.clone().into_bytes(),
            None if is_needed => bytes(file, record, place)?,
            None => Vec::new(),
        };
        let too_large = || CheckError::File(format!("`{}`: it has 4 GiB or more", file.path));
        let id = sources
            .add(file.path.as_str(), bytes)
            .ok_or_else(too_large)?;
        if is_needed && digest(sources.file(id)) != file.digest {
            return Err(CheckError::Inconclusive(format!(
                "`{}`: it is not what the shards read; merge where the same revision is checked out",
                file.path
            )));
        }
    }
    Ok(sources)
}

fn bytes(
    file: &FileRecord,
    record: &ShardRecord,
    (repository, host): (&Repository, &dyn Host),
) -> Result<Vec<u8>, CheckError> {
    read_from(host.files(), &file.path).map_err(|error| {
        let (here, there) = (repository.path_of("."), &record.folder);
        let way_out = match here == *there {
            true => "check out the same revision".to_owned(),
            false if there.is_empty() => "run this in the root of the repository".to_owned(),
            false => format!("run this in the folder `{there}` of the repository"),
        };
        CheckError::File(format!(
            "{error}; sources are read again where shards are merged: {way_out}"
        ))
    })
}

/// The results in the order of a single check: files in C, in Fortran, in Rust, each in the order of the command line.
fn in_order(sources: &SourceMap, mut results: Vec<FileResult>) -> Vec<FileResult> {
    results.sort_by_key(|result| {
        let file = result.report.file;
        let language = Language::of_path(sources.file(file).path());
        (language.unwrap_or(Language::C), file)
    });
    results
}
