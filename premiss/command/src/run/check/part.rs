//! What a shard of a check found, as `premiss merge` reads it: the rows of its files as they are before anything is put
//! together, and all that tells whether other parts are of the same check.

use super::checked::{Checked, Subject};
use super::kept::{PROGRAM, shown};
use super::look::{Question, found, look};
use super::record::LookedRecord;
use crate::arguments::SubjectArguments;
use crate::failure::Failure;
use crate::input;
use crate::shard::Shard;
use clap::ArgMatches;
use premiss_analyze::{MeasureOptions, ReadOptions};
use premiss_machine::Machine;
use premiss_source::{FileId, FileSystem, ObservedFiles, SourceFile};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What merging needs of a shard.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct PartRecord {
    /// Which shard, from 1.
    pub(super) shard: u32,
    /// Of how many.
    pub(super) of: u32,
    /// The version of premiss, with a digest of what it was made of.
    pub(super) program: String,
    pub(super) machine: MachineRecord,
    /// How files were read and counted: values and digests.
    pub(super) asked: BTreeMap<String, String>,
    /// The folder that paths start from, from the root of the repository.
    pub(super) folder: String,
    /// How many of the files were asked for: the first ones.
    pub(super) n_asked: u32,
    /// The files that were read. What is found names them by their numbers, from 0.
    pub(super) files: Vec<FileRecord>,
    /// What the files of this shard have.
    pub(super) rows: Vec<LookedRecord>,
    /// The texts that are named there by their numbers, from 0.
    pub(super) words: Vec<String>,
}

/// The machine that something was counted on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct MachineRecord {
    /// Its name: `spr`.
    pub(crate) name: String,
    /// The same with its fingerprint: `spr@4f1c`.
    pub(crate) id: String,
    /// The names of its caches and TLBs.
    pub(crate) levels: Vec<String>,
}

/// A file that was read.
#[derive(PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) struct FileRecord {
    pub(super) path: String,
    pub(super) digest: String,
    /// Its text, where it comes along with the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
}

/// A part, and the file that it was read from.
pub(crate) struct Part {
    pub(super) path: String,
    pub(super) record: PartRecord,
}

/// What is looked at first: a part of another version need not be one that can be read.
#[derive(Deserialize)]
struct Head {
    part: Option<Made>,
}

#[derive(Deserialize)]
struct Made {
    program: String,
}

#[derive(Deserialize)]
struct Whole {
    part: PartRecord,
}

/// Counts the files of a shard; yields what it finds by itself, and what merging needs of it.
///
/// # Errors
///
/// What keeps the files from being read, or being read again.
pub(super) fn checked_part(
    arguments: &SubjectArguments,
    matches: &ArgMatches,
    shard: Shard,
) -> Result<(Checked, PartRecord), Failure> {
    if arguments.input.paths.iter().any(|path| path == "-") {
        return Err(Failure::usage(format!(
            "--shard {shard}: standard input is one file, and cannot be read again where shards are merged"
        )));
    }
    let Subject {
        mut sources,
        opened,
        measuring,
        profile,
        repository,
    } = Subject::new(arguments, matches)?;
    let n_asked = opened.files.len();
    let bytes = sources.files().map(|(_, file)| {
        let path = repository.path_of(file.path());
        (path, file.text().len())
    });
    let numbers = shard.part(&bytes.collect::<Vec<_>>());
    let asked = opened.files.iter().enumerate();
    let part: BTreeSet<FileId> = asked
        .filter(|(idx, _)| numbers.contains(idx))
        .map(|(_, (file, _))| *file)
        .collect();
    let question = Question {
        measuring: &measuring,
        profile: &profile,
        part: Some(&part),
    };
    let mut loaded = BTreeSet::new();
    let observed = ObservedFiles::new(&FileSystem, |path: &str, bytes: Option<&[u8]>| {
        if bytes.is_some() {
            loaded.insert(path.to_owned());
        }
    });
    let after = look(&mut sources, &opened, question, None, &observed)?;
    drop(observed);
    let machine = MachineRecord::of(&measuring.machine);
    let is_own = |idx: usize, path: &str| n_asked <= idx && !loaded.contains(path);
    let files = sources.files().enumerate();
    let (rows, words) = LookedRecord::all_of(&after.rows);
    let record = PartRecord {
        shard: shard.number,
        of: shard.of,
        program: program(),
        machine: machine.clone(),
        asked: asked_of(&opened.own, &opened.files, &measuring, &profile.shown()),
        folder: repository.path_of("."),
        n_asked: u32::try_from(n_asked).unwrap_or(u32::MAX),
        files: files
            .map(|(idx, (_, file))| FileRecord {
                path: file.path().to_owned(),
                digest: digest(file),
                text: is_own(idx, file.path()).then(|| file.text().to_owned()),
            })
            .collect(),
        rows,
        words,
    };
    let found = found(&sources, &opened.mains(), after.rows);
    let told = (machine, &arguments.levels);
    let checked = Checked::new((repository, sources), &part, found, told);
    Ok((checked, record))
}

/// How files are read and counted.
fn asked_of(
    own: &ReadOptions,
    files: &[(FileId, ReadOptions)],
    measuring: &MeasureOptions,
    profile: &str,
) -> BTreeMap<String, String> {
    let sizes = own.sizes.iter();
    let sizes: Vec<String> = sizes
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let mut reading = blake3::Hasher::new();
    for options in files.iter().map(|(_, options)| options).chain([own]) {
        reading.update(shown(options).as_bytes());
        reading.update(b"\n");
    }
    let counting = MeasureOptions {
        store: None,
        ..measuring.clone()
    };
    let short = |hash: blake3::Hash| hash.to_hex()[..32].to_owned();
    [
        ("sizes", sizes.join(", ")),
        ("reading", short(reading.finalize())),
        (
            "counting",
            short(blake3::hash(format!("{counting:?}").as_bytes())),
        ),
        ("profile", short(blake3::hash(profile.as_bytes()))),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

/// The version of this program, with a digest of what it was made of.
fn program() -> String {
    let (version, made_of) = PROGRAM;
    format!("{version} ({made_of})")
}

/// A digest of what was read of a file.
pub(super) fn digest(file: &SourceFile) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&file.invalid_bytes().to_le_bytes());
    hasher.update(file.text().as_bytes());
    hasher.finalize().to_hex()[..32].to_owned()
}

impl MachineRecord {
    pub(super) fn of(machine: &Machine) -> Self {
        Self {
            name: machine.name().to_owned(),
            id: machine.id(),
            levels: machine.models().map(|(name, _)| name.to_owned()).collect(),
        }
    }
}

impl Part {
    /// Reads what a shard wrote.
    ///
    /// # Errors
    ///
    /// It cannot be read or is no part; or another version of the program wrote it, which leaves open what it says.
    pub(crate) fn read(path: &str) -> Result<Self, Failure> {
        let bytes = input::read_path(path)?;
        let refuse = |error: serde_json::Error| {
            Failure::File(format!("`{path}`: it is no part of a check: {error}"))
        };
        let head: Head = serde_json::from_slice(&bytes).map_err(refuse)?;
        let Some(Made { program: made }) = head.part else {
            return Err(Failure::File(format!(
                "`{path}`: it is what all of a check found, or something else, and no part: \
                 `premiss check --shard 1/3 --format json:part-1.json` writes the first of three"
            )));
        };
        if made != program() {
            return Err(Failure::Inconclusive(format!(
                "`{path}`: premiss {made} wrote it, and this is premiss {}; take the same for all shards and to \
                 merge them",
                program()
            )));
        }
        let Whole { part: record } = serde_json::from_slice(&bytes).map_err(refuse)?;
        match record.is_sound() {
            true => Ok(Self {
                path: path.to_owned(),
                record,
            }),
            false => Err(Failure::File(format!(
                "`{path}`: it is no part of a check: what it says of its files does not fit together"
            ))),
        }
    }

    /// The machine that it was counted on.
    pub(crate) fn machine_id(&self) -> &str {
        &self.record.machine.id
    }
}

impl PartRecord {
    pub(super) fn shard(&self) -> Shard {
        Shard {
            number: self.shard,
            of: self.of,
        }
    }

    /// Whether its numbers are those of what it has.
    fn is_sound(&self) -> bool {
        let n_asked = usize::try_from(self.n_asked).unwrap_or(usize::MAX);
        (1..=self.of).contains(&self.shard)
            && n_asked <= self.files.len()
            && self.rows.iter().all(|row| row.file() < self.n_asked)
    }

    /// The numbers of the files that something is told of.
    pub(super) fn places(&self) -> BTreeSet<u32> {
        self.rows.iter().flat_map(LookedRecord::places).collect()
    }
}
