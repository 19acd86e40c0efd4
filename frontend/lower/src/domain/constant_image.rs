//! The contents of objects that never change, and the integer tables read from them.

use premiss_tree::IntegerType;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The tag of a byte of an image: the size of the scalar that starts there, or one of these.
const ZERO: u8 = 0;

const CONTINUED: u8 = 64;

const UNKNOWN: u8 = 65;

/// The contents of an object that never changes.
///
/// A scalar is read as it was written: with the same size, at the same offset. Everything that was not written is 0.
pub(crate) struct Image {
    pub(crate) bytes: Vec<u8>,
    pub(crate) tags: Vec<u8>,
    /// The tables made from it, for all functions.
    pub(crate) tables: RefCell<BTreeMap<TableLattice, Option<Arc<[i64]>>>>,
}

impl Image {
    pub(crate) fn new(size: usize) -> Self {
        Self {
            bytes: vec![0; size],
            tags: vec![ZERO; size],
            tables: RefCell::default(),
        }
    }

    pub(crate) fn range(&self, offset: i64, size: i64) -> std::ops::Range<usize> {
        let place = |x: i64| usize::try_from(x).unwrap_or(0).min(self.bytes.len());
        place(offset)..place(offset.saturating_add(size))
    }

    /// Makes a range of bytes zero.
    pub(crate) fn clear(&mut self, offset: i64, size: i64) {
        self.set(offset, size, ZERO);
    }

    /// Makes a range of bytes unknown.
    pub(crate) fn set_unknown(&mut self, offset: i64, size: i64) {
        self.set(offset, size, UNKNOWN);
    }

    pub(crate) fn set(&mut self, offset: i64, size: i64, tag: u8) {
        let range = self.range(offset, size);
        self.bytes[range.clone()].fill(0);
        self.tags[range].fill(tag);
    }

    /// Writes an integer of this many bytes; parts outside of the image are ignored.
    pub(crate) fn put(&mut self, offset: i64, size: u32, value: i64) {
        self.set(offset, size.into(), CONTINUED);
        let range = self.range(offset, size.into());
        let bytes = value.to_le_bytes();
        if range.len() == size as usize && range.len() <= bytes.len() {
            self.tags[range.start] = u8::try_from(size).unwrap_or(UNKNOWN);
            let n_bytes = range.len();
            self.bytes[range].copy_from_slice(&bytes[..n_bytes]);
        }
    }

    /// Reads an integer.
    pub(crate) fn read(&self, offset: i64, kind: IntegerType) -> Option<i64> {
        let size = i64::from(kind.bits.div_ceil(8));
        let range = self.range(offset, size);
        if offset < 0 || i64::try_from(range.len()) != Ok(size) {
            return None;
        }
        let (first, rest) = self.tags[range.clone()].split_first()?;
        let is_written = i64::from(*first) == size && rest.iter().all(|tag| *tag == CONTINUED);
        let is_zero = *first == ZERO && rest.iter().all(|tag| *tag == ZERO);
        if !is_written && !is_zero {
            return None;
        }
        let mut bytes = [0; 8];
        bytes[..range.len()].copy_from_slice(&self.bytes[range]);
        Some(kind.wrap(i64::from_le_bytes(bytes)))
    }

    /// All integers at the positions of a lattice; `None` if one of them is unknown.
    pub(crate) fn table(&self, lattice: TableLattice) -> Option<Arc<[i64]>> {
        let known = self.tables.borrow().get(&lattice).cloned();
        known.unwrap_or_else(|| {
            let found = self.entries(lattice);
            self.tables.borrow_mut().insert(lattice, found.clone());
            found
        })
    }

    pub(crate) fn entries(&self, lattice: TableLattice) -> Option<Arc<[i64]>> {
        let TableLattice {
            start,
            distance,
            kind,
        } = lattice;
        let size = i64::from(kind.bits.div_ceil(8));
        let end = i64::try_from(self.bytes.len()).ok()?.checked_sub(size)?;
        let length = end
            .checked_sub(start)?
            .checked_div_euclid(distance)?
            .checked_add(1)?;
        let places = (0..length).map(|number| start + number * distance);
        places.map(|place| self.read(place, kind)).collect()
    }

    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.bytes == other.bytes && self.tags == other.tags
    }
}

/// Equidistant positions with the type of the scalars there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TableLattice {
    pub(crate) start: i64,
    pub(crate) distance: i64,
    pub(crate) kind: IntegerType,
}
