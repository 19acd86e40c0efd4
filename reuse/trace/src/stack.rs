//! The LRU stack (Mattson et al. 1970) of all lines ever accessed, as an order-statistic structure.
//!
//! Every access moves its line to the end of a row of places, so that the lines in the row stand in
//! order of last access; a line's stack depth is the number of occupied places behind its own. Places
//! are bits; a Fenwick tree over blocks of them counts. When the row is full, the lines move up to
//! close the gaps, and the row doubles if that would soon happen again: memory grows with distinct
//! lines, not with accesses.

use crate::line_table::{LineTable, NONE};
use crate::run::LineNumber;
use std::ops::Range;

const WORDS_PER_BLOCK: usize = 8;
const BLOCK: usize = 64 * WORDS_PER_BLOCK;

/// With at most this many places above it, a line is moved to the top by moving those down.
const NEAR: usize = 8;

/// A line in the stack, and a number that came with it: which array accessed it, or when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StackEntry<T = u32> {
    pub(crate) line: LineNumber,
    pub(crate) owner: T,
}

/// The stack. Lines can be taken out and put back on top.
#[derive(Debug)]
pub(crate) struct LruStack<T = u32> {
    table: LineTable,
    entries: Vec<StackEntry<T>>,
    words: Vec<u64>,
    /// Fenwick tree over the blocks' numbers of occupied places; element 0 is unused.
    tree: Vec<u32>,
    /// The number of occupied places.
    len: usize,
    /// Places that mark a moment: what stands behind was accessed since.
    marks: Vec<usize>,
}

impl<T: Copy> LruStack<T> {
    pub(crate) fn new() -> Self {
        let mut stack = Self {
            table: LineTable::default(),
            entries: Vec::new(),
            words: Vec::new(),
            tree: Vec::new(),
            len: 0,
            marks: Vec::new(),
        };
        stack.make_room(BLOCK);
        stack
    }

    /// The number of lines in the stack.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The memory that it takes, in bytes.
    pub(crate) fn n_bytes(&self) -> u64 {
        let entries = self.entries.capacity() * size_of::<StackEntry<T>>();
        let counts = self.words.capacity() * 8 + self.tree.capacity() * 4;
        self.table.n_bytes() + (entries + counts) as u64
    }

    /// Takes a line out; returns how many lines were accessed since its last access, and its owner; `None` where it is
    /// not in the stack.
    pub(crate) fn take(&mut self, line: LineNumber) -> Option<(u64, T)> {
        let place = self.table.get(line);
        if place == NONE {
            return None;
        }
        let place = place as usize;
        let depth = self.len - self.occupied_up_to(place);
        self.remove(place);
        self.table.set(line, NONE);
        Some((depth as u64, self.entries[place].owner))
    }

    /// The number that came with a line; `None` where it is not in the stack.
    pub(crate) fn get(&self, line: LineNumber) -> Option<T> {
        let place = self.table.get(line);
        (place != NONE).then(|| self.entries[place as usize].owner)
    }

    /// Changes the number that came with a line, if it is in the stack.
    pub(crate) fn update(&mut self, line: LineNumber, change: impl FnOnce(&mut T)) {
        let place = self.table.get(line);
        if place != NONE {
            change(&mut self.entries[place as usize].owner);
        }
    }

    /// How many lines have an owner for which `is_above` holds; it holds for all lines above such a line.
    pub(crate) fn count_from(&self, is_above: impl Fn(T) -> bool) -> u64 {
        let first = self.first_above(is_above);
        if self.entries.len() - first < BLOCK {
            return self.occupied_from(first);
        }
        let below = first
            .checked_sub(1)
            .map_or(0, |place| self.occupied_up_to(place));
        (self.len - below) as u64
    }

    /// The first place whose owner satisfies `is_above`, which holds for all places above such a place.
    ///
    /// Searches from the top in growing steps: the place is mostly near it.
    fn first_above(&self, is_above: impl Fn(T) -> bool) -> usize {
        let n_entries = self.entries.len();
        let mut reach = 4;
        while reach < n_entries && is_above(self.entries[n_entries - reach].owner) {
            reach *= 2;
        }
        let start = n_entries.saturating_sub(reach);
        let rest = &self.entries[start..];
        start + rest.partition_point(|entry| !is_above(entry.owner))
    }

    /// Takes out all lines.
    pub(crate) fn clear(&mut self) {
        *self = Self::new();
    }

    /// Whether a line is in the stack.
    pub(crate) fn contains(&self, line: LineNumber) -> bool {
        self.table.get(line) != NONE
    }

    /// Puts a line that is not in the stack on top.
    pub(crate) fn put(&mut self, line: LineNumber, owner: T) {
        if self.entries.len() == self.words.len() * 64 {
            self.compact();
        }
        let place = self.entries.len();
        self.entries.push(StackEntry { line, owner });
        self.words[place / 64] |= 1 << (place % 64);
        self.count(place, 1);
        self.len += 1;
        self.set_place(line, place);
    }

    /// Moves a line to the top, or puts it there.
    pub(crate) fn touch(&mut self, line: LineNumber, owner: T) {
        let place = self.table.get(line);
        if place != NONE {
            let place = place as usize;
            if place + 1 == self.entries.len() && self.marks.last() <= Some(&place) {
                self.entries[place].owner = owner;
                return;
            }
            if self.is_near_top(place) {
                self.raise(place, owner);
                return;
            }
            self.remove(place);
        }
        self.put(line, owner);
    }

    /// Whether only few places are above a place, all in its word and no mark among them.
    fn is_near_top(&self, place: usize) -> bool {
        let top = self.entries.len() - 1;
        top - place <= NEAR && top / 64 == place / 64 && self.marks.last() <= Some(&place)
    }

    /// Moves a line near the top to the top place; what is above moves down to close the gap.
    fn raise(&mut self, place: usize, owner: T) {
        let line = self.entries[place].line;
        for above in place + 1..self.entries.len() {
            let entry = self.entries[above];
            if self.is_occupied(above) {
                self.set_place(entry.line, above - 1);
            }
            self.entries[above - 1] = entry;
        }
        let top = self.entries.len() - 1;
        self.entries[top] = StackEntry { line, owner };
        let word = &mut self.words[top / 64];
        let below = *word & ((1 << (place % 64)) - 1);
        let above = *word >> (place % 64) >> 1 << (place % 64);
        *word = below | above | 1 << (top % 64);
        self.set_place(line, top);
    }

    fn set_place(&mut self, line: LineNumber, place: usize) {
        self.table
            .set(line, u32::try_from(place).unwrap_or(NONE - 1));
    }

    /// The lines from the top down.
    pub(crate) fn top_down(&self) -> impl Iterator<Item = StackEntry<T>> {
        self.occupied_downwards(0..self.entries.len())
    }

    /// The lines below a line of the stack, from the top down, as long as `is_above` holds for their owners; it holds
    /// for all lines above such a line.
    pub(crate) fn below(
        &self,
        line: LineNumber,
        is_above: impl Fn(T) -> bool,
    ) -> impl Iterator<Item = StackEntry<T>> {
        let place = self.table.get(line);
        let end = if place == NONE { 0 } else { place as usize };
        self.occupied_downwards(self.first_above(is_above)..end)
    }

    /// Marks the present moment.
    pub(crate) fn mark(&mut self) {
        self.marks.push(self.entries.len());
    }

    /// Removes the latest mark; returns the lines accessed since, in order of last access.
    pub(crate) fn since_mark(&mut self) -> Vec<StackEntry<T>> {
        let mark = self.marks.pop().unwrap_or(0);
        let from_top = self.occupied_downwards(mark..self.entries.len());
        let mut lines: Vec<StackEntry<T>> = from_top.collect();
        lines.reverse();
        lines
    }

    /// The lines in some places, the last one first.
    fn occupied_downwards(&self, places: Range<usize>) -> impl Iterator<Item = StackEntry<T>> {
        let mut end = places.end;
        std::iter::from_fn(move || {
            end = self.last_occupied(places.start..end)?;
            Some(self.entries[end])
        })
    }

    /// The last of some places that is occupied.
    fn last_occupied(&self, places: Range<usize>) -> Option<usize> {
        let last = places.end.checked_sub(1)?;
        let mut word = last / 64;
        let mut bits = self.words[word] & (u64::MAX >> (63 - last % 64));
        while bits == 0 && places.start < word * 64 {
            word -= 1;
            bits = self.words[word];
        }
        let highest = bits.checked_ilog2()?;
        let place = word * 64 + highest as usize;
        (places.start <= place).then_some(place)
    }

    fn is_occupied(&self, place: usize) -> bool {
        self.words[place / 64] >> (place % 64) & 1 == 1
    }

    fn remove(&mut self, place: usize) {
        self.words[place / 64] &= !(1 << (place % 64));
        self.count(place, u32::MAX);
        self.len -= 1;
    }

    /// Adds to the count of a place's block, modulo 2^32.
    fn count(&mut self, place: usize, change: u32) {
        let mut node = place / BLOCK + 1;
        while node < self.tree.len() {
            self.tree[node] = self.tree[node].wrapping_add(change);
            node += node & node.wrapping_neg();
        }
    }

    /// The number of occupied places up to and including one.
    fn occupied_up_to(&self, place: usize) -> usize {
        let mut node = place / BLOCK;
        let mut sum = 0_u32;
        while node > 0 {
            sum = sum.wrapping_add(self.tree[node]);
            node &= node - 1;
        }
        let first = place / BLOCK * WORDS_PER_BLOCK;
        let whole = &self.words[first..place / 64];
        let part = self.words[place / 64] & (u64::MAX >> (63 - place % 64));
        let within: u32 = whole.iter().map(|word| word.count_ones()).sum();
        (sum + within + part.count_ones()) as usize
    }

    /// The number of occupied places from one on.
    fn occupied_from(&self, place: usize) -> u64 {
        let mut words = self.words[place / 64..].iter();
        let part = words.next().map_or(0, |word| word >> (place % 64));
        let last = self.entries.len() / 64;
        let whole = words.take(last - place / 64);
        let ones = |word: &u64| u64::from(word.count_ones());
        ones(&part) + whole.map(ones).sum::<u64>()
    }

    /// Closes the gaps, and makes the row at least twice as long as what is in it.
    fn compact(&mut self) {
        let occupied: Vec<bool> = (0..self.entries.len())
            .map(|place| self.is_occupied(place))
            .collect();
        for mark in &mut self.marks {
            *mark = occupied[..*mark].iter().filter(|is| **is).count();
        }
        let mut keep = occupied.iter();
        self.entries.retain(|_| keep.next().is_some_and(|is| *is));
        for (place, entry) in (0..).zip(&self.entries) {
            self.table.set(entry.line, place);
        }
        self.make_room(2 * self.len + BLOCK);
    }

    /// Lays out at least `places` places, of which the first `len` are occupied.
    fn make_room(&mut self, places: usize) {
        let blocks = places.div_ceil(BLOCK);
        self.words.clear();
        self.words.resize(blocks * WORDS_PER_BLOCK, 0);
        for word in 0..self.len / 64 {
            self.words[word] = u64::MAX;
        }
        if !self.len.is_multiple_of(64) {
            self.words[self.len / 64] = (1 << (self.len % 64)) - 1;
        }
        self.tree.clear();
        self.tree.resize(blocks + 1, 0);
        for block in 0..blocks {
            let here = self.len.saturating_sub(block * BLOCK).min(BLOCK);
            self.count(block * BLOCK, u32::try_from(here).unwrap_or(0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_those_of_a_plain_list() {
        let mut stack = LruStack::new();
        let mut list: Vec<LineNumber> = Vec::new();
        let mut seed = 7_u64;
        for round in 0..20_000_i64 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let line = (seed >> 33).cast_signed() % (5 + round / 20);
            let depth = list.iter().rev().position(|other| *other == line);
            list.retain(|other| *other != line);
            list.push(line);
            let expected = depth.map(|depth| (depth as u64, 0));
            assert_eq!(stack.take(line), expected);
            stack.put(line, 0);
        }
        let from_top: Vec<LineNumber> = stack.top_down().map(|entry| entry.line).collect();
        list.reverse();
        assert_eq!(from_top, list);
    }

    #[test]
    fn touching_keeps_the_order_of_a_plain_list() {
        let mut stack = LruStack::new();
        let mut list: Vec<(LineNumber, u64)> = Vec::new();
        let mut seed = 11_u64;
        for time in 1..20_000_u64 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let line = (seed >> 33).cast_signed() % if time % 3 == 0 { 700 } else { 6 };
            let since = time.saturating_sub((seed >> 20) % 900);
            let expected = list.iter().filter(|(_, touched)| since < *touched).count();
            assert_eq!(stack.count_from(|touched| since < touched), expected as u64);
            if time == 15_000 {
                stack.mark();
            }
            list.retain(|(other, _)| *other != line);
            list.push((line, time));
            stack.touch(line, time);
        }
        let from_top: Vec<_> = stack.top_down().map(|x| (x.line, x.owner)).collect();
        list.reverse();
        assert_eq!(from_top, list);
        list.retain(|(_, touched)| 15_000 <= *touched);
        list.reverse();
        let marked: Vec<_> = stack
            .since_mark()
            .iter()
            .map(|x| (x.line, x.owner))
            .collect();
        assert_eq!(marked, list);
    }

    #[test]
    fn marks_survive_compaction() {
        let mut stack = LruStack::new();
        for line in 0..300 {
            stack.touch(line, 0);
        }
        stack.mark();
        for round in 0..10_000 {
            stack.touch(round % 7, 1);
        }
        let since: Vec<LineNumber> = stack.since_mark().iter().map(|entry| entry.line).collect();
        assert_eq!(since.len(), 7);
        assert!(since.iter().all(|line| *line < 7));
        assert_eq!(stack.len(), 300);
    }
}
