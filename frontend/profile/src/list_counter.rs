//! Execution counts of the node lists of a function, from the counts of its lines.

use crate::gcov::LineCount;
use crate::located_profile::{LocatedProfile, SourceLine};
use crate::node_lists::{
    ListItem, ListOrigin, NodeList, is_tested_first, node_lists, skippable_arm,
};
use premiss_source::Span;
use premiss_tree::{ListId, LoopId, NestTree, PrimaryMap, SecondaryMap};
use std::collections::{BTreeMap, BTreeSet};

/// The text of a list, which is the same for all calls that lead to it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum ListText {
    Function(Option<SourceLine>),
    Body(Span),
    /// Arms, identified by the number of enclosing branches, the arm, and the first item.
    Arm(u32, bool, Option<Span>),
}

pub(crate) struct ListCounter<'a> {
    pub(crate) tree: &'a NestTree,
    pub(crate) profile: &'a LocatedProfile<'a>,
    pub(crate) rows: PrimaryMap<ListId, NodeList>,
    /// For each list, the first line of the function that it is written in.
    pub(crate) functions: SecondaryMap<ListId, Option<SourceLine>>,
    pub(crate) texts: PrimaryMap<ListId, ListText>,
    /// The lists with items on each line.
    pub(crate) users: BTreeMap<SourceLine, BTreeSet<ListText>>,
    /// The loop headers on each line.
    pub(crate) headers: BTreeMap<SourceLine, BTreeSet<Span>>,
    /// The items directly before branches, by line.
    pub(crate) conditions: BTreeMap<SourceLine, BTreeSet<Span>>,
    pub(crate) counts: SecondaryMap<ListId, Option<u64>>,
}

impl<'a> ListCounter<'a> {
    pub(crate) fn new(tree: &'a NestTree, profile: &'a LocatedProfile<'a>) -> Self {
        let mut counter = Self {
            tree,
            profile,
            rows: node_lists(tree),
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
            counter.record_users(id);
        }
        counter
    }

    fn function_at(&self, span: Span) -> Option<SourceLine> {
        let place = self.profile.place(span);
        self.profile.function(place).map(|(first, _)| first)
    }

    fn function_of_list(&self, id: ListId) -> Option<SourceLine> {
        let row = &self.rows[id];
        match (row.origin, row.parent) {
            (ListOrigin::Body(inner), _) => self.function_at(self.tree.loops[inner].span),
            (ListOrigin::Arm { item, .. }, Some(around)) => match self.condition(around, item) {
                Some(span) => self.function_at(span),
                None => self.functions[around],
            },
            _ => self.function_at(self.tree.span),
        }
    }

    /// The item directly before a branch, if it is an access or operation: the condition.
    fn condition(&self, list: ListId, item: usize) -> Option<Span> {
        match self.rows[list].items.get(item.checked_sub(1)?)? {
            ListItem::Evaluation(span) => Some(*span),
            _ => None,
        }
    }

    fn text(&self, id: ListId) -> ListText {
        let row = &self.rows[id];
        match (row.origin, row.parent) {
            (ListOrigin::Body(inner), _) => ListText::Body(self.tree.loops[inner].span),
            (ListOrigin::Arm { is_second, .. }, Some(around)) => {
                let depth = match self.texts[around] {
                    ListText::Arm(depth, ..) => depth + 1,
                    _ => 0,
                };
                ListText::Arm(depth, is_second, row.first)
            }
            _ => ListText::Function(self.functions[id]),
        }
    }

    fn record_users(&mut self, id: ListId) {
        for (idx, item) in self.rows[id].items.iter().enumerate() {
            match item {
                ListItem::Evaluation(span) => {
                    let place = self.profile.place(*span);
                    let text = match self.function_at(*span) {
                        own if own == self.functions[id] => self.texts[id],
                        other => ListText::Function(other),
                    };
                    self.users.entry(place).or_default().insert(text);
                }
                ListItem::Loop { id: inner, .. } => {
                    let span = self.tree.loops[*inner].span;
                    for place in self.profile.places(span) {
                        self.headers.entry(place).or_default().insert(span);
                    }
                }
                ListItem::Branch { .. } => {
                    if let Some(span) = self.condition(id, idx) {
                        let place = self.profile.place(span);
                        self.conditions.entry(place).or_default().insert(span);
                    }
                }
            }
        }
    }

    pub(crate) fn count_lists(&mut self) {
        for id in self.rows.keys() {
            self.counts[id] = match self.rows[id].origin {
                ListOrigin::Function => self.executions_of(self.functions[id]),
                ListOrigin::Body(inner) => self.body(id, inner),
                ListOrigin::Arm { .. } => self.arm(id),
            };
        }
    }

    /// The number of calls of a function.
    pub(crate) fn executions_of(&self, function: Option<SourceLine>) -> Option<u64> {
        let (_, count) = self.profile.function(function?)?;
        Some(count.executions)
    }

    /// The count of the enclosing list, if it is in the same function.
    pub(crate) fn parent_count(&self, id: ListId) -> Option<u64> {
        let around = self.rows[id].parent?;
        match self.functions[around] == self.functions[id] {
            true => self.counts[around],
            false => self.executions_of(self.functions[id]),
        }
    }

    /// The count of a loop's body. It is the count of its lines, except for jumps that compilers attribute to them, at
    /// most one per entry of the loop; a count of a way out of the header that close to it is more accurate. If the
    /// body has no lines of its own, one way out of the header ends the loop.
    fn body(&self, id: ListId, inner: LoopId) -> Option<u64> {
        let ways = match self.is_tested_first(inner) {
            true => self.ways_of_header(inner),
            false => None,
        };
        let entries = self.parent_count(id);
        let skippable_arm = self.skippable_arm(id);
        let lines = self.count_of_lines(skippable_arm.unwrap_or(id));
        let (Some(ways), Some(entries)) = (ways, entries) else {
            return lines.filter(|_| skippable_arm.is_none());
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
        // No ways: the line may belong to another test.
        let found = found.filter(|found| 0 < *found || lines == Some(0))?;
        let is_left = Some(found) != (one + other).checked_sub(entries);
        (skippable_arm.is_none() || !is_left).then_some(found)
    }

    pub(crate) fn skippable_arm(&self, body: ListId) -> Option<ListId> {
        skippable_arm(&self.rows, body)
    }

    pub(crate) fn is_tested_first(&self, inner: LoopId) -> bool {
        is_tested_first(self.profile.text(self.tree.loops[inner].span))
    }

    /// The counts of the two ways out of a header with a single condition.
    pub(crate) fn ways_of_header(&self, inner: LoopId) -> Option<[u64; 2]> {
        let span = self.tree.loops[inner].span;
        let places: Vec<SourceLine> = self.profile.places(span).collect();
        let is_alone = |place: &SourceLine| self.headers.get(place).is_none_or(|x| x.len() == 1);
        if !places.iter().all(is_alone) {
            return None;
        }
        let lines = places.iter().filter_map(|place| self.profile.line(*place));
        let mut tests = lines.filter(|line| !line.branches.is_empty());
        match (tests.next(), tests.next()) {
            (Some(line), None) => ways(line),
            _ => None,
        }
    }

    /// The count of the lines that belong only to this list: the minimum, as compilers attribute unrelated jumps to
    /// lines.
    fn count_of_lines(&self, id: ListId) -> Option<u64> {
        let items = self.rows[id].items.iter().filter_map(|item| match item {
            ListItem::Evaluation(span) => Some(*span),
            _ => None,
        });
        let counts = items.filter_map(|span| {
            let place = self.profile.place(span);
            let users = self.users.get(&place)?;
            let is_own = users.len() == 1 && users.contains(&self.texts[id]);
            match is_own && !self.headers.contains_key(&place) {
                true => self.profile.line(place).map(line_count),
                false => None,
            }
        });
        counts.min()
    }

    fn arm(&self, id: ListId) -> Option<u64> {
        let own = self.count_of_lines(id);
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
        if let Some(guarded) = self.second_operand(id) {
            return Some(guarded);
        }
        // The remaining count after the other arm.
        let other = self.other_arm(id)?;
        let counted = match other < id {
            true => self.counts[other],
            false => self.count_of_lines(other),
        };
        let all = match ways {
            Some((ways, _)) => Some(ways.iter().sum()),
            None => self.parent_count(id),
        };
        all?.checked_sub(counted?)
    }

    fn other_arm(&self, id: ListId) -> Option<ListId> {
        let row = &self.rows[id];
        let ListOrigin::Arm { item, is_second } = row.origin else {
            return None;
        };
        match self.rows[row.parent?].items[item] {
            ListItem::Branch { arms, .. } => Some(arms[usize::from(!is_second)]),
            _ => None,
        }
    }

    /// The counts of the two ways out of an arm's condition, and which of them leads to the following code.
    fn ways_of_arm(&self, id: ListId) -> Option<([u64; 2], Option<u64>)> {
        let row = &self.rows[id];
        let ListOrigin::Arm { item, .. } = row.origin else {
            return None;
        };
        let place = self.profile.place(self.condition(row.parent?, item)?);
        let is_alone = self.conditions.get(&place).is_some_and(|x| x.len() == 1);
        if !is_alone || self.headers.contains_key(&place) {
            return None;
        }
        let line = self.profile.line(place)?;
        let mut following = line.branches.iter().filter(|way| way.falls_through);
        let taken = match (following.next(), following.next()) {
            (Some(way), None) => Some(way.n_taken),
            _ => None,
        };
        Some((ways(line)?, taken))
    }

    /// Whether an arm directly follows the condition in the text, or follows an `else`.
    fn follows_condition(&self, id: ListId) -> Option<bool> {
        let row = &self.rows[id];
        let ListOrigin::Arm { item, .. } = row.origin else {
            return None;
        };
        let condition = self.condition(row.parent?, item)?;
        let first = row.first.filter(|first| first.file == condition.file)?;
        if self.profile.place(first) != self.profile.place(condition) {
            return None;
        }
        let text = self.profile.between(condition, first).to_ascii_lowercase();
        match (text.contains("else"), text.contains(';')) {
            (false, false) => Some(true),
            (true, _) => Some(false),
            (false, true) => None,
        }
    }

    /// The count of the second operand of `&&` or `||` on the line of the first: the count of the way that leads to it
    /// from the first operand, and the sum of the two ways out of it.
    fn second_operand(&self, id: ListId) -> Option<u64> {
        let row = &self.rows[id];
        let ListOrigin::Arm { item, .. } = row.origin else {
            return None;
        };
        let condition = self.condition(row.parent?, item)?;
        let first = row.first.filter(|first| first.file == condition.file)?;
        let place = self.profile.place(condition);
        // Operations have the place of the whole condition.
        let text = self.profile.text(condition.cover(first));
        let is_second = ["&&", "||"].iter().any(|word| text.contains(word));
        if !is_second || text.contains(';') || self.headers.contains_key(&place) {
            return None;
        }
        let [one, other, second @ ..] = &self.profile.line(place)?.branches[..] else {
            return None;
        };
        let [x, y] = second else {
            return None;
        };
        let count = x.n_taken.checked_add(y.n_taken)?;
        let is_sound = count == one.n_taken || count == other.n_taken;
        (self.profile.place(first) == place && is_sound).then_some(count)
    }
}

/// The count of a line. If it has one condition, the counts of its two ways out are used: they do not include other
/// jumps that the compiler attributes to the line.
fn line_count(line: &LineCount) -> u64 {
    ways(line).map_or(line.executions, |ways| ways.iter().sum())
}

/// The counts of the two ways out of the only condition of a line.
fn ways(line: &LineCount) -> Option<[u64; 2]> {
    match line.branches[..] {
        [one, other] => {
            one.n_taken.checked_add(other.n_taken)?;
            Some([one.n_taken, other.n_taken])
        }
        _ => None,
    }
}
