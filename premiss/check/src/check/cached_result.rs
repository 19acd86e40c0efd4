//! Cached results of files: each is encoded by itself, so that unchanged results need not be decoded or encoded again,
//! and all processors can decode.

use super::analyze_file::FileResult;
use super::decode::Decoder;
use super::result_record::ResultRecord;
use super::span_map::SpanMap;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The result of one file.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct CachedResult {
    file: u32,
    /// The numbers of other files that it refers to.
    references: BTreeSet<u32>,
    /// Its strings and its record, encoded.
    content: EncodedBytes,
}

/// A value encoded with postcard, which is serialised as bytes.
#[derive(Clone, Default)]
pub(super) struct EncodedBytes(Arc<[u8]>);

impl EncodedBytes {
    pub(super) fn encode<T: Serialize>(value: &T) -> Option<Self> {
        let bytes = postcard::to_stdvec(value).ok()?;
        Some(Self(bytes.into()))
    }

    /// The value; `None` if the bytes are of another type.
    pub(super) fn decode<'a, T: Deserialize<'a>>(&'a self) -> Option<T> {
        postcard::from_bytes(&self.0).ok()
    }
}

impl CachedResult {
    pub(super) fn encode(result: &FileResult) -> Option<Self> {
        let (records, strings) = ResultRecord::encode_all(std::slice::from_ref(result));
        let record = records.into_iter().next()?;
        let mut references = record.referenced_files();
        references.remove(&record.file());
        Some(Self {
            file: record.file(),
            references,
            content: EncodedBytes::encode(&(strings, record))?,
        })
    }

    /// The number of the file.
    pub(super) fn file(&self) -> u32 {
        self.file
    }

    /// The numbers of other files that it refers to.
    pub(super) fn references(&self) -> &BTreeSet<u32> {
        &self.references
    }

    /// The result with its spans moved to their current places, and whether any span moved; `None` if a span has no
    /// counterpart.
    pub(super) fn decode(&self, spans: &SpanMap) -> Option<(FileResult, bool)> {
        let (strings, record): (Vec<String>, ResultRecord) = self.content.decode()?;
        let mut decoder = Decoder::new(spans, strings);
        let result = decoder.result(record)?;
        Some((result, decoder.has_moved()))
    }
}

impl Serialize for EncodedBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for EncodedBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = <&'de [u8]>::deserialize(deserializer).map_err(D::Error::custom)?;
        Ok(Self(bytes.into()))
    }
}
