//! Averages of a function from the counts of its lines.
//!
//! The list of nodes that a branch chooses, or a loop repeats, ran as often as the lines on which nothing
//! else stands. Where a loop's header has one condition, its two ways out tell more: one was taken as
//! often as the loop was entered (then it was never left early), the other as often as its body ran. So
//! do those of a condition: the line of an arm tells which way leads to it, and the way how often.
//!
//! ```text
//!  2002  for (i = 0; i < n; i++)    ways 2000, 2: entered twice, the body ran 2000 times
//!  2000      if (x[i] > 0)          ways 1046, 954
//!  1046          a += x[i];         0.523 times for each time that the body ran
//!            else
//!   954          a -= x[i];         0.477 times
//! ```
//!
//! A loop that jumps leave early repeats what may be skipped so often a time that it is entered.

use crate::gcov::LineCount;
use crate::lists::{Decided, Event, Origin, Row, is_tested_before, is_uncounted, lists, skipped};
use crate::located::{Located, Place};
use premiss_source::Span;
use premiss_tree::{Average, Averages, ListId, LoopId, NestTree, PrimaryMap, SecondaryMap};
use std::collections::{BTreeMap, BTreeSet};

/// What a profile says of a function.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Found {
    /// How often its parts run.
    pub averages: Averages,
    /// Of which of those that data decide it says nothing, in the order of the tree.
    pub gaps: Vec<Gap>,
}

/// A loop or branch of which a profile says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gap {
    /// The loop's header, or the first access or operation of the arm.
    pub span: Span,
    /// Whether it is a loop.
    pub is_loop: bool,
    /// Why nothing is said.
    pub why: Why,
}

/// Why a profile says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// It has no such function.
    NoFunction,
    /// What decides was never reached.
    NeverReached,
    /// No line is its own.
    NoLine,
}

/// The averages of a function, and what is not known of it.
#[must_use]
pub fn averages(tree: &NestTree, located: &Located) -> Found {
    let mut counter = Counter::new(tree, located);
    counter.count_lists();
    let mut found = Found::default();
    for id in counter.rows.keys().skip(1) {
        match counter.average(id) {
            Ok(average) => {
                found.averages.lists.insert(id, average);
                counter.test(id, average, &mut found.averages.tests);
            }
            Err(why) => found.gaps.extend(counter.gap(id, why)),
        }
    }
    found
}

/// What text a list is made of, the same for every call that leads there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Text {
    Function(Option<Place>),
    Body(Span),
    /// Arms by how many branches are around, and by their first item.
    Arm(u32, bool, Option<Span>),
}

struct Counter<'a> {
    tree: &'a NestTree,
    located: &'a Located<'a>,
    rows: PrimaryMap<ListId, Row>,
    /// The first line of the function that each list is written in.
    functions: SecondaryMap<ListId, Option<Place>>,
    texts: PrimaryMap<ListId, Text>,
    /// The texts with items on each line.
    users: BTreeMap<Place, BTreeSet<Text>>,
    /// The headers on each line.
    headers: BTreeMap<Place, BTreeSet<Span>>,
    /// The last items before branches, on each line.
    conditions: BTreeMap<Place, BTreeSet<Span>>,
    counts: SecondaryMap<ListId, Option<u64>>,
}

impl<'a> Counter<'a> {
    fn new(tree: &'a NestTree, located: &'a Located<'a>) -> Self {
        let mut counter = Self {
            tree,
            located,
            rows: lists(tree),
            functions: SecondaryMap::new(),
            texts: PrimaryMap::new(),
            users: BTreeMap::new(),
            headers: BTreeMap::new(),
            conditions: BTreeMap::new(),
            counts: SecondaryMap::new(),
        };
        for id in counter.rows.keys() {
            counter.functions[id] = counter.function_of_list(id);
            let text = counter.text(id);
            counter.texts.push(text);
        }
        for id in counter.rows.keys() {
            counter.note_users(id);
        }
        counter
    }

    fn function_at(&self, span: Span) -> Option<Place> {
        let place = self.located.place(span);
        self.located.function(place).map(|(first, _)| first)
    }

    fn function_of_list(&self, id: ListId) -> Option<Place> {
        let row = &self.rows[id];
        match (row.origin, row.around) {
            (Origin::Body(inner), _) => self.function_at(self.tree.loops[inner].span),
            (Origin::Arm { event, .. }, Some(around)) => match self.condition(around, event) {
                Some(span) => self.function_at(span),
                None => self.functions[around],
            },
            _ => self.function_at(self.tree.span),
        }
    }

    /// The item just before a branch: what it tests, if that is an access or an operation.
    fn condition(&self, list: ListId, event: usize) -> Option<Span> {
        match self.rows[list].events.get(event.checked_sub(1)?)? {
            Event::Item(span) => Some(*span),
            _ => None,
        }
    }

    fn text(&self, id: ListId) -> Text {
        let row = &self.rows[id];
        match (row.origin, row.around) {
            (Origin::Body(inner), _) => Text::Body(self.tree.loops[inner].span),
            (Origin::Arm { is_second, .. }, Some(around)) => {
                let depth = match self.texts[around] {
                    Text::Arm(depth, ..) => depth + 1,
                    _ => 0,
                };
                Text::Arm(depth, is_second, row.first)
            }
            _ => Text::Function(self.functions[id]),
        }
    }

    fn note_users(&mut self, id: ListId) {
        for (idx, event) in self.rows[id].events.iter().enumerate() {
            match event {
                Event::Item(span) => {
                    let place = self.located.place(*span);
                    let text = match self.function_at(*span) {
                        own if own == self.functions[id] => self.texts[id],
                        other => Text::Function(other),
                    };
                    self.users.entry(place).or_default().insert(text);
                }
                Event::Loop { id: inner, .. } => {
                    let span = self.tree.loops[*inner].span;
                    for place in self.located.places(span) {
                        self.headers.entry(place).or_default().insert(span);
                    }
                }
                Event::Branch { .. } => {
                    if let Some(span) = self.condition(id, idx) {
                        let place = self.located.place(span);
                        self.conditions.entry(place).or_default().insert(span);
                    }
                }
            }
        }
    }

    fn count_lists(&mut self) {
        for id in self.rows.keys() {
            self.counts[id] = match self.rows[id].origin {
                Origin::Function => self.entered(self.functions[id]),
                Origin::Body(inner) => self.body(id, inner),
                Origin::Arm { .. } => self.arm(id),
            };
        }
    }

    /// How often a function was entered.
    fn entered(&self, function: Option<Place>) -> Option<u64> {
        let (_, count) = self.located.function(function?)?;
        Some(count.executions)
    }

    /// How often what is around a list ran, as far as it is in the same function.
    fn around(&self, id: ListId) -> Option<u64> {
        let around = self.rows[id].around?;
        match self.functions[around] == self.functions[id] {
            true => self.counts[around],
            false => self.entered(self.functions[id]),
        }
    }

    /// How often the body of a loop ran. Its lines say it, but for jumps that compilers put on them, at
    /// most one for each time that the loop was entered; a way out of the header that is so near says it
    /// better. Where the body has no lines of its own, one way out of the header is the loop's end.
    fn body(&self, id: ListId, inner: LoopId) -> Option<u64> {
        let ways = match self.is_tested_before(inner) {
            true => self.ways_of_header(inner),
            false => None,
        };
        let entries = self.around(id);
        let skipped = self.skipped(id);
        let lines = self.by_lines(skipped.unwrap_or(id));
        let (Some(ways), Some(entries)) = (ways, entries) else {
            return lines.filter(|_| skipped.is_none());
        };
        let [one, other] = ways;
        let found = match lines {
            Some(lines) => {
                let is_near = |way: &u64| *way <= lines && lines - way <= entries;
                let nearest = ways.into_iter().filter(is_near).max();
                nearest.or(lines.into())
            }
            None if one == entries => Some(other),
            None if other == entries => Some(one),
            None => None,
        };
        // No way at all: it may be another test that stands there.
        let found = found.filter(|found| 0 < *found || lines == Some(0))?;
        let is_left = Some(found) != (one + other).checked_sub(entries);
        (skipped.is_none() || !is_left).then_some(found)
    }

    fn skipped(&self, body: ListId) -> Option<ListId> {
        skipped(&self.rows, body)
    }

    fn is_tested_before(&self, inner: LoopId) -> bool {
        is_tested_before(self.located.text(self.tree.loops[inner].span))
    }

    /// The two ways out of the one condition of a header.
    fn ways_of_header(&self, inner: LoopId) -> Option<[u64; 2]> {
        let span = self.tree.loops[inner].span;
        let places: Vec<Place> = self.located.places(span).collect();
        let is_alone = |place: &Place| self.headers.get(place).is_none_or(|x| x.len() == 1);
        if !places.iter().all(is_alone) {
            return None;
        }
        let lines = places.iter().filter_map(|place| self.located.line(*place));
        let mut tests = lines.filter(|line| !line.branches.is_empty());
        match (tests.next(), tests.next()) {
            (Some(line), None) => ways(line),
            _ => None,
        }
    }

    /// The count of the lines that belong to a list alone: the least, as compilers put jumps on lines
    /// that have nothing to do with them.
    fn by_lines(&self, id: ListId) -> Option<u64> {
        let items = self.rows[id].events.iter().filter_map(|event| match event {
            Event::Item(span) => Some(*span),
            _ => None,
        });
        let counts = items.filter_map(|span| {
            let place = self.located.place(span);
            let users = self.users.get(&place)?;
            let is_own = users.len() == 1 && users.contains(&self.texts[id]);
            match is_own && !self.headers.contains_key(&place) {
                true => self.located.line(place).map(reached),
                false => None,
            }
        });
        counts.min()
    }

    fn arm(&self, id: ListId) -> Option<u64> {
        let own = self.by_lines(id);
        let ways = self.ways_of_arm(id);
        if let (Some(own), Some((ways, _))) = (own, ways) {
            return ways.into_iter().min_by_key(|way| way.abs_diff(own));
        }
        if own.is_some() {
            return own;
        }
        if let Some((ways, taken)) = ways
            && let Some(is_first) = self.follows_condition(id)
        {
            let other = ways.iter().sum::<u64>().checked_sub(taken?)?;
            return Some(if is_first { taken? } else { other });
        }
        if let Some(guarded) = self.guarded(id) {
            return Some(guarded);
        }
        // What is left of the other arm.
        let other = self.other_arm(id)?;
        let counted = match other < id {
            true => self.counts[other],
            false => self.by_lines(other),
        };
        let all = match ways {
            Some((ways, _)) => Some(ways.iter().sum()),
            None => self.around(id),
        };
        all?.checked_sub(counted?)
    }

    fn other_arm(&self, id: ListId) -> Option<ListId> {
        let row = &self.rows[id];
        let Origin::Arm { event, is_second } = row.origin else {
            return None;
        };
        match self.rows[row.around?].events[event] {
            Event::Branch { arms, .. } => Some(arms[usize::from(!is_second)]),
            _ => None,
        }
    }

    /// The two ways out of the condition of an arm, and which of them leads to what follows it.
    fn ways_of_arm(&self, id: ListId) -> Option<([u64; 2], Option<u64>)> {
        let row = &self.rows[id];
        let Origin::Arm { event, .. } = row.origin else {
            return None;
        };
        let place = self.located.place(self.condition(row.around?, event)?);
        let is_alone = self.conditions.get(&place).is_some_and(|x| x.len() == 1);
        if !is_alone || self.headers.contains_key(&place) {
            return None;
        }
        let line = self.located.line(place)?;
        let mut following = line.branches.iter().filter(|way| way.falls_through);
        let taken = match (following.next(), following.next()) {
            (Some(way), None) => Some(way.taken),
            _ => None,
        };
        Some((ways(line)?, taken))
    }

    /// Whether an arm is what the text has right behind the condition, or behind an `else`.
    fn follows_condition(&self, id: ListId) -> Option<bool> {
        let row = &self.rows[id];
        let Origin::Arm { event, .. } = row.origin else {
            return None;
        };
        let condition = self.condition(row.around?, event)?;
        let first = row.first.filter(|first| first.file == condition.file)?;
        if self.located.place(first) != self.located.place(condition) {
            return None;
        }
        let text = self.located.between(condition, first).to_ascii_lowercase();
        match (text.contains("else"), text.contains(';')) {
            (false, false) => Some(true),
            (true, _) => Some(false),
            (false, true) => None,
        }
    }

    /// How often the second operand of `&&` or `||` is evaluated, on the line of the first: as often as one
    /// way leads there from the first, and as both lead away from it.
    fn guarded(&self, id: ListId) -> Option<u64> {
        let row = &self.rows[id];
        let Origin::Arm { event, .. } = row.origin else {
            return None;
        };
        let condition = self.condition(row.around?, event)?;
        let first = row.first.filter(|first| first.file == condition.file)?;
        let place = self.located.place(condition);
        // Operations have all of the condition for their place.
        let text = self.located.text(condition.cover(first));
        let is_second = ["&&", "||"].iter().any(|word| text.contains(word));
        if !is_second || text.contains(';') || self.headers.contains_key(&place) {
            return None;
        }
        let [one, other, second @ ..] = &self.located.line(place)?.branches[..] else {
            return None;
        };
        let [x, y] = second else {
            return None;
        };
        let count = x.taken.checked_add(y.taken)?;
        let is_sound = count == one.taken || count == other.taken;
        (self.located.place(first) == place && is_sound).then_some(count)
    }

    /// How often a list runs for each time that one around it does.
    fn average(&self, id: ListId) -> Result<Average, Why> {
        if self.functions[id].is_none() {
            return Err(Why::NoFunction);
        }
        let own = self.counts[id].ok_or(Why::NoLine);
        let mut inner = id;
        loop {
            let of = self.rows[inner].around.ok_or(Why::NoLine)?;
            match self.around(inner) {
                Some(0) => return Err(Why::NeverReached),
                #[expect(clippy::cast_precision_loss, reason = "an average")]
                Some(all) => {
                    return own.map(|own| Average {
                        of,
                        times: own as f64 / all as f64,
                    });
                }
                None if !self.is_passed_over(inner, of) => return Err(Why::NoLine),
                None => inner = of,
            }
        }
    }

    /// Whether the count of what is around a list may be left out between it and what is around that: it
    /// is an arm, or the body of a loop that jumps leave.
    fn is_passed_over(&self, inner: ListId, around: ListId) -> bool {
        if self.functions[inner] != self.functions[around] {
            return false;
        }
        match self.rows[around].origin {
            Origin::Function => false,
            Origin::Arm { .. } => self.is_by_data(around),
            Origin::Body(_) => self.skipped(around) == Some(inner),
        }
    }

    fn is_by_data(&self, id: ListId) -> bool {
        let row = &self.rows[id];
        let (Origin::Arm { event, .. }, Some(around)) = (row.origin, row.around) else {
            return false;
        };
        matches!(
            self.rows[around].events[event],
            Event::Branch {
                decided: Decided::Data | Decided::DataAlone,
                ..
            }
        )
    }

    /// Notes how often a loop tests whether to go on: once more than its body runs, unless jumps leave it.
    fn test(&self, id: ListId, average: Average, tests: &mut BTreeMap<LoopId, Average>) {
        let (Origin::Body(inner), Some(of)) = (self.rows[id].origin, self.rows[id].around) else {
            return;
        };
        let body = self.counts[id].unwrap_or(0);
        let by_header = || Some(self.ways_of_header(inner)?.iter().sum());
        let all = match self.is_tested_before(inner) {
            true => by_header().or_else(|| body.checked_add(self.around(id)?)),
            false => None,
        };
        let test = match (body, all) {
            (0, _) => Average { of, times: 1.0 },
            #[expect(clippy::cast_precision_loss, reason = "an average")]
            (_, Some(all)) => Average {
                times: average.times * (all as f64 / body as f64),
                ..average
            },
            (_, None) => average,
        };
        tests.insert(inner, test);
    }

    /// What is to be said where nothing is known of a list: only of those that data decide, and that do
    /// something.
    fn gap(&self, id: ListId, why: Why) -> Option<Gap> {
        let row = &self.rows[id];
        let first = row.first?;
        match row.origin {
            Origin::Function => None,
            Origin::Body(inner) => {
                let span = self.tree.loops[inner].span;
                let tree = self.tree;
                let is_open = is_uncounted(&self.rows, &tree.rejections, &tree.loops, id);
                is_open.then_some(Gap {
                    span,
                    is_loop: true,
                    why,
                })
            }
            Origin::Arm { .. } => self.is_by_data(id).then_some(Gap {
                span: first,
                is_loop: false,
                why,
            }),
        }
    }
}

/// How often a line was reached. Where it has one condition, the ways out of that say it: they do not
/// count the jumps of others that the compiler put on the line.
fn reached(line: &LineCount) -> u64 {
    ways(line).map_or(line.executions, |ways| ways.iter().sum())
}

/// The two ways out of the one condition of a line.
fn ways(line: &LineCount) -> Option<[u64; 2]> {
    match line.branches[..] {
        [one, other] => {
            one.taken.checked_add(other.taken)?;
            Some([one.taken, other.taken])
        }
        _ => None,
    }
}
