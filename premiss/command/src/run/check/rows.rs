//! What files have, as it is kept: each by itself, so that what is as it was is neither read nor written for the others'
//! sake, and all processors can read.

use super::look::Looked;
use super::record::{LookedRecord, Reader};
use super::texts::Places;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeSet;
use std::sync::Arc;

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
pub(super) struct Bytes(Arc<[u8]>);

impl Bytes {
    /// Those that tell something.
    pub(super) fn of<T: Serialize>(told: &T) -> Option<Self> {
        let bytes = postcard::to_stdvec(told).ok()?;
        Some(Self(bytes.into()))
    }

    /// What they tell.
    pub(super) fn read<'a, T: Deserialize<'a>>(&'a self) -> Option<T> {
        postcard::from_bytes(&self.0).ok()
    }
}

impl KeptRow {
    pub(super) fn of(looked: &Looked) -> Option<Self> {
        let (records, words) = LookedRecord::all_of(std::slice::from_ref(looked));
        let record = records.into_iter().next()?;
        let mut elsewhere = record.places();
        elsewhere.remove(&record.file());
        Some(Self {
            file: record.file(),
            elsewhere,
            content: Bytes::of(&(words, record))?,
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
        let (words, record): (Vec<String>, LookedRecord) = self.content.read()?;
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
        Ok(Self(bytes.into()))
    }
}
