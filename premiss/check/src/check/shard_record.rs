//! The output of a shard for `premiss merge`: the results of its files before merging, and the properties that identify
//! the check.

use super::check_cache::PROGRAM;
use super::result_record::ResultRecord;
use crate::error::CheckError;
use crate::inputs::{OtherFiles, UnreadFiles, read_path};
use crate::shard::Shard;
use premiss_machine::Machine;
use premiss_source::SourceFile;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What merging needs of a shard.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PartRecord")]
pub struct ShardRecord {
    /// Which shard, from 1.
    pub(super) shard: u32,
    /// Of how many.
    #[serde(rename = "of")]
    pub(super) total: u32,
    /// The version of premiss, with a digest of what it was made of.
    pub(super) program: String,
    pub(super) machine: MachineRecord,
    /// How files were read and counted: values and digests.
    #[serde(rename = "asked")]
    pub(super) options: BTreeMap<String, String>,
    /// The folder that paths start from, from the root of the repository.
    pub(super) folder: String,
    /// How many of the files were asked for: the first ones.
    #[serde(rename = "n_asked")]
    pub(super) n_mains: u32,
    /// The files that were read. What is found names them by their numbers, from 0.
    pub(super) files: Vec<FileRecord>,
    /// The source files of the folders that are not read, by the reason.
    #[serde(default, skip_serializing_if = "UnreadFiles::is_empty")]
    pub(super) unread: UnreadFiles,
    /// How many files in other languages the folders have, by language.
    #[serde(default, skip_serializing_if = "OtherFiles::is_empty")]
    pub(super) other_files: OtherFiles,
    /// What the files of this shard have.
    #[serde(rename = "rows")]
    pub(super) results: Vec<ResultRecord>,
    /// The texts that are named there by their numbers, from 0.
    #[serde(rename = "words")]
    pub(super) strings: Vec<String>,
    /// A digest of everything else in it.
    pub(super) seal: String,
}

/// The machine that something was counted on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MachineRecord {
    /// Its name: `spr`.
    pub name: String,
    /// The same with its fingerprint: `spr@4f1c`.
    pub id: String,
    /// The names of its caches and TLBs.
    pub levels: Vec<String>,
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

/// The record of a shard, and the file that it was read from.
pub struct ShardFile {
    pub(super) path: String,
    pub(super) record: ShardRecord,
}

/// The part of the JSON that is read first: output of another version may be unreadable otherwise.
#[derive(Deserialize)]
struct VersionJson {
    part: Option<ProgramJson>,
}

#[derive(Deserialize)]
struct ProgramJson {
    program: String,
}

#[derive(Deserialize)]
struct ShardJson {
    part: ShardRecord,
}

/// The version of this program, with a digest of its sources.
pub(super) fn program() -> String {
    let (version, sources) = PROGRAM;
    format!("{version} ({sources})")
}

/// A digest of a file's text.
pub(super) fn digest(file: &SourceFile) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&file.invalid_bytes().to_le_bytes());
    hasher.update(file.text().as_bytes());
    hasher.finalize().to_hex()[..32].to_owned()
}

impl MachineRecord {
    pub(super) fn new(machine: &Machine) -> Self {
        Self {
            name: machine.name().to_owned(),
            id: machine.id(),
            levels: machine.models().map(|(name, _)| name.to_owned()).collect(),
        }
    }
}

impl ShardFile {
    /// Reads the output of a shard.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is not the output of a shard, or was written by another version of premiss.
    pub fn read(path: &str) -> Result<Self, CheckError> {
        let bytes = read_path(path)?;
        let refuse = |error: serde_json::Error| {
            CheckError::File(format!("`{path}`: it is not a part of a check: {error}"))
        };
        let head: VersionJson = serde_json::from_slice(&bytes).map_err(refuse)?;
        let Some(ProgramJson { program: writer }) = head.part else {
            return Err(CheckError::File(format!(
                "`{path}`: it is what all of a check found, or something else, and no part: \
                 `premiss check --shard 1/3 --format json:part-1.json` writes the first of three"
            )));
        };
        if writer != program() {
            return Err(CheckError::Inconclusive(format!(
                "`{path}`: premiss {writer} wrote it, and this is premiss {}; take the same for all shards and to \
                 merge them",
                program()
            )));
        }
        let ShardJson { part: record } = serde_json::from_slice(&bytes).map_err(refuse)?;
        let refuse = |why: &str| {
            let what = "it is not a part of a check";
            Err(CheckError::File(format!("`{path}`: {what}: {why}")))
        };
        if record.seal != record.digest() {
            return refuse("something in it was changed after it was written; run the shard again");
        }
        if !record.is_sound() {
            return refuse("what it says of its files does not fit together");
        }
        Ok(Self {
            path: path.to_owned(),
            record,
        })
    }

    /// The machine, with its fingerprint, that the shard was counted for.
    #[must_use]
    pub fn machine_id(&self) -> &str {
        &self.record.machine.id
    }
}

impl ShardRecord {
    /// The same with the digest of its content.
    pub(super) fn sealed(self) -> Self {
        let seal = self.digest();
        Self { seal, ..self }
    }

    /// The digest of its JSON without the seal, with keys in alphabetical order.
    fn digest(&self) -> String {
        let mut json = serde_json::to_value(self).unwrap_or_default();
        if let Some(fields) = json.as_object_mut() {
            fields.remove("seal");
        }
        json.sort_all_objects();
        blake3::hash(json.to_string().as_bytes())
            .to_hex()
            .to_string()
    }

    pub(super) fn shard(&self) -> Shard {
        Shard {
            number: self.shard,
            total: self.total,
        }
    }

    /// Whether all its indices are within range.
    fn is_sound(&self) -> bool {
        let n_mains = usize::try_from(self.n_mains).unwrap_or(usize::MAX);
        (1..=self.total).contains(&self.shard)
            && n_mains <= self.files.len()
            && self
                .results
                .iter()
                .all(|result| result.file() < self.n_mains)
    }

    /// The numbers of the files that results refer to.
    pub(super) fn referenced_files(&self) -> BTreeSet<u32> {
        let results = self.results.iter();
        results.flat_map(ResultRecord::referenced_files).collect()
    }
}
