//! What files have, as it is kept: each by itself, so that what is as it was is neither read nor written for the others'
//! sake, and all processors can read.

use super::look::Looked;
use super::record::{LookedRecord, Reader};
use super::texts::Places;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeSet;

/// What one file has.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct KeptRow {
    file: u32,
    /// The numbers of other files in which something of it is.
    elsewhere: BTreeSet<u32>,
    /// Its words and its record.
    content: Bytes,
}

/// Bytes, told as such.
#[derive(Clone, Default)]
pub(super) struct Bytes(pub(super) Vec<u8>);

impl KeptRow {
    pub(super) fn of(looked: &Looked) -> Option<Self> {
        let (records, words) = LookedRecord::all_of(std::slice::from_ref(looked));
        let record = records.into_iter().next()?;
        let mut elsewhere = record.places();
        elsewhere.remove(&record.file());
        Some(Self {
            file: record.file(),
            elsewhere,
            content: Bytes(postcard::to_stdvec(&(words, record)).ok()?),
        })
    }

    /// The number of the file.
    pub(super) fn file(&self) -> u32 {
        self.file
    }

    /// The numbers of other files in which something of it is.
    pub(super) fn elsewhere(&self) -> &BTreeSet<u32> {
        &self.elsewhere
    }

    /// What the file has, where everything is now, and whether something of it was elsewhere; nothing where something is
    /// no longer there.
    pub(super) fn looked(&self, places: &Places) -> Option<(Looked, bool)> {
        let Bytes(content) = &self.content;
        let (words, record) = postcard::from_bytes::<(Vec<String>, LookedRecord)>(content).ok()?;
        let mut reader = Reader::of(places, words);
        let looked = reader.looked(record)?;
        Some((looked, reader.is_moved()))
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = <&'de [u8]>::deserialize(deserializer).map_err(D::Error::custom)?;
        Ok(Self(bytes.to_vec()))
    }
}
