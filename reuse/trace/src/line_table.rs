//! A map from lines to small numbers, as fast as an array and as small as what is touched.

use crate::run::LineNumber;
use std::collections::HashMap;

const PAGE_BITS: u32 = 10;
const PAGE: usize = 1 << PAGE_BITS;

/// How many pages a directory may span before far-off lines go to the hash map instead.
const DIRECTORY: i64 = 1 << 20;

/// The value of every line that has none.
pub(crate) const NONE: u32 = u32::MAX;

/// A map from lines to numbers below [`NONE`].
#[derive(Debug, Default)]
pub(crate) struct LineTable {
    /// Page numbers by (line >> PAGE_BITS) - origin; [`NONE`] where there is no page yet.
    directory: Vec<u32>,
    origin: i64,
    pages: Vec<[u32; PAGE]>,
    far: HashMap<LineNumber, u32>,
}

impl LineTable {
    /// The number of a line, or [`NONE`].
    pub(crate) fn get(&self, line: LineNumber) -> u32 {
        match self.page(line) {
            Some(page) => self.pages[page][slot(line)],
            _ if self.far.is_empty() => NONE,
            _ => self.far.get(&line).copied().unwrap_or(NONE),
        }
    }

    /// Gives a line a number; [`NONE`] removes it.
    pub(crate) fn set(&mut self, line: LineNumber, value: u32) {
        if let Some(page) = self.page(line) {
            self.pages[page][slot(line)] = value;
            return;
        }
        let Some(idx) = self.directory_index(line >> PAGE_BITS) else {
            self.far.insert(line, value);
            return;
        };
        if self.directory[idx] == NONE {
            self.directory[idx] = u32::try_from(self.pages.len()).unwrap_or(NONE - 1);
            self.pages.push([NONE; PAGE]);
        }
        self.pages[self.directory[idx] as usize][slot(line)] = value;
    }

    /// The page of a line, where there is one.
    fn page(&self, line: LineNumber) -> Option<usize> {
        let idx = usize::try_from((line >> PAGE_BITS) - self.origin).ok()?;
        let page = *self.directory.get(idx)?;
        (page != NONE).then_some(page as usize)
    }

    /// The memory that it takes, in bytes.
    pub(crate) fn n_bytes(&self) -> u64 {
        let entry = size_of::<(LineNumber, u32)>() + 1;
        let pages = self.pages.capacity() * size_of::<[u32; PAGE]>();
        let others = self.directory.capacity() * size_of::<u32>() + self.far.capacity() * entry;
        (pages + others) as u64
    }

    /// Removes all.
    pub(crate) fn clear(&mut self) {
        self.pages.iter_mut().for_each(|page| page.fill(NONE));
        self.far.clear();
    }

    /// The place of a page in the directory, which grows to hold it where that is sensible.
    fn directory_index(&mut self, page: i64) -> Option<usize> {
        if self.directory.is_empty() {
            self.origin = page;
        }
        let end = self.origin + i64::try_from(self.directory.len()).ok()?;
        let (start, end) = (self.origin.min(page), end.max(page + 1));
        if end.checked_sub(start)? > DIRECTORY {
            return None;
        }
        if start < self.origin {
            let room = usize::try_from(self.origin - start).ok()?;
            self.directory.splice(0..0, std::iter::repeat_n(NONE, room));
            self.origin = start;
        }
        let len = usize::try_from(end - start).ok()?;
        if self.directory.len() < len {
            self.directory.resize(len, NONE);
        }
        usize::try_from(page - start).ok()
    }
}

#[expect(
    clippy::cast_sign_loss,
    clippy::cast_possible_truncation,
    reason = "masked"
)]
fn slot(line: LineNumber) -> usize {
    line as usize & (PAGE - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_and_far_lines_keep_their_numbers() {
        let mut table = LineTable::default();
        let lines = [0, 5, -3, 1 << 20, -(1 << 25), 1 << 45, i64::MAX >> 7];
        for (value, line) in (0..).zip(lines) {
            assert_eq!(table.get(line), NONE);
            table.set(line, value);
        }
        for (value, line) in (0..).zip(lines) {
            assert_eq!(table.get(line), value);
        }
        table.set(5, NONE);
        assert_eq!(table.get(5), NONE);
        table.clear();
        assert!(lines.iter().all(|line| table.get(*line) == NONE));
    }
}
