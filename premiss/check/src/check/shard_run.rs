//! A check of one shard: its files are analyzed within the whole program, and recorded for `premiss merge`.

use super::analyze_file::{AnalysisOptions, analyze_files, merge_results};
use super::check_cache::debug_form;
use super::checked_program::CheckedProgram;
use super::request::{CheckRequest, OpenedRequest};
use super::result_record::ResultRecord;
use super::shard_record::{FileRecord, MachineRecord, ShardRecord, digest, program};
use crate::error::CheckError;
use crate::inputs::{other_files, unread_files};
use crate::shard::Shard;
use premiss_analyze::{MeasureOptions, ReadOptions};
use premiss_source::{FileId, ObservedFiles, SourceMap};
use std::collections::{BTreeMap, BTreeSet};

/// Reads all files of a request and counts those of a shard: returns its findings, and the record for merging.
///
/// # Errors
///
/// A file is standard input or cannot be opened; an option names a size or an array that does not exist; or a profile
/// is of other files.
pub fn check_shard(
    request: &CheckRequest<'_>,
    shard: Shard,
) -> Result<(CheckedProgram, ShardRecord), CheckError> {
    if request.inputs.paths.iter().any(|path| path == "-") {
        return Err(CheckError::usage(format!(
            "--shard {shard}: standard input is one file, and cannot be read again where shards are merged"
        )));
    }
    let OpenedRequest {
        mut sources,
        files: opened,
        repository,
    } = request.open()?;
    let measuring = &request.measuring;
    let bytes = sources.files().map(|(_, file)| {
        let path = repository.path_of(file.path());
        (path, file.text().len())
    });
    let indices = shard.files(&bytes.collect::<Vec<_>>());
    let mains = opened.files.iter().enumerate();
    let own: BTreeSet<FileId> = mains
        .filter(|(idx, _)| indices.contains(idx))
        .map(|(_, (file, _))| *file)
        .collect();
    let options = AnalysisOptions {
        measuring,
        profile: &request.profiles,
        shard: Some(&own),
        host: request.inputs.host,
    };
    let mut loaded = BTreeSet::new();
    let observed = ObservedFiles::new(options.host.files(), |path: &str, bytes: Option<&[u8]>| {
        if bytes.is_some() {
            loaded.insert(path.to_owned());
        }
    });
    let analyzed = analyze_files(&mut sources, &opened, options, None, &observed)?;
    let machine = MachineRecord::new(&measuring.machine);
    let (results, strings) = ResultRecord::encode_all(&analyzed.results);
    let n_mains = opened.files.len();
    let record = ShardRecord {
        shard: shard.number,
        total: shard.total,
        program: program(),
        machine: machine.clone(),
        options: options_of(&opened.options, &opened.files, request),
        folder: repository.path_of("."),
        n_mains: u32::try_from(n_mains).unwrap_or(u32::MAX),
        unread: unread_files(&opened.skipped),
        other_files: other_files(&opened.skipped),
        files: file_records(&sources, n_mains, &loaded),
        results,
        strings,
        seal: String::new(),
    }
    .sealed();
    let result = merge_results(&sources, &opened.ids(), analyzed.results);
    let checked = CheckedProgram::new(
        (repository, sources),
        &own,
        result,
        (machine, request.levels),
        request.inputs.host,
    );
    Ok((checked, record))
}

/// The records of all files that were read. Files that are part of premiss carry their text.
fn file_records(sources: &SourceMap, n_mains: usize, loaded: &BTreeSet<String>) -> Vec<FileRecord> {
    let is_builtin = |idx: usize, path: &str| n_mains <= idx && !loaded.contains(path);
    let files = sources.files().enumerate();
    let records = files.map(|(idx, (_, file))| FileRecord {
        path: file.path().to_owned(),
        digest: digest(file),
        text: is_builtin(idx, file.path()).then(|| file.text().to_owned()),
    });
    records.collect()
}

/// How files are read and counted: sizes literally, other options as digests.
fn options_of(
    own: &ReadOptions,
    files: &[(FileId, ReadOptions)],
    request: &CheckRequest<'_>,
) -> BTreeMap<String, String> {
    let sizes = own.sizes.iter();
    let sizes: Vec<String> = sizes
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let mut reading = blake3::Hasher::new();
    for options in files.iter().map(|(_, options)| options).chain([own]) {
        reading.update(debug_form(options).as_bytes());
        reading.update(b"\n");
    }
    let counting = MeasureOptions {
        store: None,
        ..request.measuring.clone()
    };
    let counting = blake3::hash(format!("{counting:?}").as_bytes());
    let profile = blake3::hash(request.profiles.content().as_bytes());
    let short = |hash: blake3::Hash| hash.to_hex()[..32].to_owned();
    [
        ("sizes", sizes.join(", ")),
        ("reading", short(reading.finalize())),
        ("counting", short(counting)),
        ("profile", short(profile)),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}
