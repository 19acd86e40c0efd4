//! The parts of a check, put together: the rows of all files in the order in which one check has them, and the texts
//! that they are about. From there on the road is that of a check.

use super::checked::Checked;
use super::look::{Looked, found};
use super::part::{FileRecord, Part, PartRecord, digest};
use super::record::LookedRecord;
use crate::failure::Failure;
use crate::input;
use crate::repository::Repository;
use crate::settings::RuleLevels;
use premiss_analyze::Language;
use premiss_source::{FileId, SourceMap};
use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;

/// What one check of all files would have found.
///
/// # Errors
///
/// Parts are missing, are there twice, or are not of one check; or the sources are not there, or are others now.
pub(crate) fn merged(parts: Vec<Part>, levels: &RuleLevels) -> Result<Checked, Failure> {
    agree(&parts)?;
    complete(&parts)?;
    let repository = Repository::here()?;
    let places = parts.iter().flat_map(|part| part.record.places()).collect();
    let mut rows = Vec::new();
    let mut first = None;
    for Part { path, mut record } in parts {
        let (of_part, words) = (take(&mut record.rows), take(&mut record.words));
        let of_part = LookedRecord::all(of_part, words, record.files.len());
        rows.extend(
            of_part.ok_or_else(|| {
                Failure::File(format!("`{path}`: something in it is about no file"))
            })?,
        );
        first.get_or_insert(record);
    }
    let Some(record) = first else {
        return Err(Failure::usage("no part is named"));
    };
    let sources = sources(&record, &places, &repository)?;
    let rows = in_order(&sources, rows);
    let mains: BTreeSet<FileId> = (0..record.n_asked).map(FileId::from_u32).collect();
    let of_rows: BTreeSet<FileId> = rows.iter().map(|looked| looked.row.file).collect();
    if rows.len() != mains.len() || of_rows != mains {
        return Err(Failure::File(
            "the parts do not have each file once: let the shards write them anew".to_owned(),
        ));
    }
    let found = found(&sources, &mains, rows);
    let told = (record.machine, levels);
    Ok(Checked::new((repository, sources), &mains, found, told))
}

/// Makes sure that all parts are of one check.
fn agree(parts: &[Part]) -> Result<(), Failure> {
    let Some((first, rest)) = parts.split_first() else {
        return Ok(());
    };
    for other in rest {
        if let Some(how) = difference(&first.record, &other.record) {
            return Err(Failure::Inconclusive(format!(
                "`{}` and `{}` are not of one check: {how}",
                first.path, other.path
            )));
        }
    }
    Ok(())
}

/// In what two parts differ that have to be the same.
fn difference(a: &PartRecord, b: &PartRecord) -> Option<String> {
    if a.of != b.of {
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
    let value = |part: &PartRecord, key: &str| part.asked.get(key).cloned().unwrap_or_default();
    if value(a, "sizes") != value(b, "sizes") {
        let shown = |part: &PartRecord| match value(part, "sizes") {
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
            "options for counting (--layout, --base, --hierarchy, --engine, --budget, --effort)",
        ),
        ("profile", "profiles (--profile)"),
    ];
    let other = what.iter().find(|(key, _)| value(a, key) != value(b, key));
    other.map(|(_, what)| format!("they have other {what}"))
}

/// In which file two parts differ.
fn other_files(a: &PartRecord, b: &PartRecord) -> Option<String> {
    if a.n_asked == b.n_asked && a.files == b.files {
        return None;
    }
    let paths = |part: &'_ PartRecord| -> BTreeMap<String, String> {
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

/// Makes sure that each shard is there once.
fn complete(parts: &[Part]) -> Result<(), Failure> {
    let mut known: BTreeMap<u32, &str> = BTreeMap::new();
    for Part { path, record } in parts {
        if let Some(before) = known.insert(record.shard, path) {
            return Err(Failure::usage(format!(
                "`{before}` and `{path}` are both shard {}: name each once",
                record.shard()
            )));
        }
    }
    let of = parts.first().map_or(0, |part| part.record.of);
    let missing = (1..=of).filter(|number| !known.contains_key(number));
    let shown: Vec<String> = missing.clone().take(10).map(|x| x.to_string()).collect();
    let (n_missing, shown) = (missing.count(), shown.join(", "));
    match n_missing {
        0 => Ok(()),
        1 => Err(Failure::Inconclusive(format!(
            "shard {shown} of {of} is missing: what is in its files is not known"
        ))),
        n => Err(Failure::Inconclusive(format!(
            "{n} of {of} shards are missing, such as {shown}: what is in their files is not known"
        ))),
    }
}

/// The texts that parts are about. Of files that others include and nothing is told of, the names suffice.
fn sources(
    record: &PartRecord,
    places: &BTreeSet<u32>,
    repository: &Repository,
) -> Result<SourceMap, Failure> {
    let mut sources = SourceMap::new();
    for (number, file) in (0..).zip(&record.files) {
        let is_needed = number < record.n_asked || places.contains(&number);
        let bytes = match &file.text {
            Some(text) => text.clone().into_bytes(),
            None if is_needed => bytes(file, record, repository)?,
            None => Vec::new(),
        };
        let too_large = || Failure::File(format!("`{}`: it has 4 GiB or more", file.path));
        let id = sources
            .add(file.path.as_str(), bytes)
            .ok_or_else(too_large)?;
        if is_needed && digest(sources.file(id)) != file.digest {
            return Err(Failure::Inconclusive(format!(
                "`{}`: it is not what the shards read; merge where the same revision is checked out",
                file.path
            )));
        }
    }
    Ok(sources)
}

fn bytes(
    file: &FileRecord,
    record: &PartRecord,
    repository: &Repository,
) -> Result<Vec<u8>, Failure> {
    input::read_path(&file.path).map_err(|error| {
        let (here, there) = (repository.path_of("."), &record.folder);
        let way_out = match here == *there {
            true => "check out the same revision".to_owned(),
            false if there.is_empty() => "run this in the root of the repository".to_owned(),
            false => format!("run this in the folder `{there}` of the repository"),
        };
        Failure::File(format!(
            "{error}; sources are read again where shards are merged: {way_out}"
        ))
    })
}

/// Rows in the order of one check: files in C, in Fortran, in Rust, each in the order of the command line.
fn in_order(sources: &SourceMap, mut rows: Vec<Looked>) -> Vec<Looked> {
    rows.sort_by_key(|looked| {
        let file = looked.row.file;
        let language = Language::of_path(sources.file(file).path());
        (language.unwrap_or(Language::C), file)
    });
    rows
}
