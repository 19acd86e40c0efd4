//! Bounds on the misses of a set-associative cache.
//!
//! As in [`bounded`](crate::bounded), set by set. A line whose lower distance is at least the number of ways has
//! certainly been evicted. Forgetting it changes no answer: the lines certainly touched since, at least as many as
//! there are ways, also stand between any older line and its next access.
//!
//! A set keeps its lines by last possible access, newest last. As the last certain access is never later, all lines
//! touched since some moment, possibly or certainly, stand behind those that were not: finding a distance takes as many
//! steps as the distance. Lines that have never been touched for certain are never evicted for certain, so that a set
//! may have any number of lines; whether a line is among them is looked up in an index then.

use crate::TraceError;
use crate::bounded::{
    Certainty, Clock, DistanceBounds, LastTouch, LineState, Moment, Times, Touch,
};
use crate::bounded_sink::Bounded;
use crate::joint::{Chains, JointMisses};
use crate::run::{LineNumber, RunAccess};
use crate::somewhere::Somewhere;
use premiss_cache::CacheGeometry;
use premiss_histogram::Distance;
use premiss_tree::{EntityRef, ReferenceId};
use std::collections::{HashMap, HashSet};

/// With more sets than this, only those in use are stored.
const DENSE_SETS: u64 = 1 << 20;

/// A set with more lines than this has an index of them.
const MANY_LINES: usize = 64;

/// Counts certain and possible misses of each reference.
pub(crate) type BoundedCache = Bounded<TimesBySet>;

/// The times of the lines in each set.
#[derive(Debug)]
pub(crate) struct TimesBySet {
    geometry: CacheGeometry,
    sets: Sets,
    /// Certain misses of each reference, and possible ones beyond those.
    misses: Vec<(u64, u64)>,
    /// At least and at most how many accesses of all references together miss.
    joint: (u64, u64),
    /// What is known of accesses of unknown address.
    somewhere: Somewhere,
    /// Lines that were dropped since [`Times::take_forgotten`] was last called.
    forgotten: Vec<(LineNumber, LineState)>,
    /// The number of lines in all sets.
    n_lines: usize,
    /// How many lines were looked at so far.
    examined: u64,
}

/// The sets by number: in a row, or only those in use where there are too many.
#[derive(Debug)]
enum Sets {
    Dense(DenseSets),
    Sparse(HashMap<i64, UncertainSet>),
}

/// A sparse set of those sets that are in use (Briggs and Torczon, An efficient representation for sparse sets, 1993).
/// A large cache has a million sets, of which few are in use before all are cleared again.
#[derive(Debug)]
struct DenseSets {
    /// Where in `in_use` each set is if it is there; otherwise any number. Zeros at first, so that the system clears
    /// what is touched of it and no more.
    positions: Vec<u32>,
    /// Sets with their numbers.
    in_use: Vec<(usize, UncertainSet)>,
}

/// The lines of a set, the last possibly accessed last.
#[derive(Clone, Debug, Default)]
struct UncertainSet {
    lines: Vec<LineTimes>,
    /// The same lines, if there are many.
    index: Option<HashSet<LineNumber>>,
    /// With more lines than this, it is time to forget some.
    enough: usize,
}

#[derive(Clone, Copy, Debug)]
struct LineTimes {
    line: LineNumber,
    state: LineState,
}

/// Something that may miss.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Miss {
    OfReference {
        reference: ReferenceId,
        is_certain: bool,
    },
    /// Of any reference, in the best or the worst case.
    Joint { is_worst: bool },
}

impl BoundedCache {
    pub(crate) fn new(
        geometry: CacheGeometry,
        n_references: usize,
        clock: Clock,
    ) -> Result<Self, TraceError> {
        geometry.check()?;
        let lines = TimesBySet {
            geometry,
            sets: Sets::new(geometry),
            misses: vec![(0, 0); n_references],
            joint: (0, 0),
            somewhere: Somewhere::new(geometry),
            forgotten: Vec::new(),
            n_lines: 0,
            examined: 0,
        };
        Ok(Self::with(lines, clock))
    }

    /// At least and at most how many accesses of all references together miss.
    pub(crate) fn joint_misses(&self) -> (u64, u64) {
        self.lines.joint
    }

    /// (certain, possible) misses of a reference.
    pub(crate) fn misses(&self, reference: usize) -> (u64, u64) {
        self.lines.misses[reference]
    }
}

impl Times for TimesBySet {
    type Event = Miss;

    fn line_size(&self) -> i64 {
        self.geometry.line_size.cast_signed()
    }

    fn n_bytes(&self) -> u64 {
        let of_line = size_of::<LineTimes>() + 2 * size_of::<LineNumber>();
        (self.n_lines * of_line) as u64
    }

    fn n_examined(&self) -> u64 {
        self.examined
    }

    fn access(&mut self, clock: &Clock, line: LineNumber, when: Certainty) -> Touch {
        let line_size = self.line_size();
        let ways = Distance::Finite(self.geometry.ways);
        let most_unknown = self.somewhere.most_in_a_set();
        let set = self.sets.of_line(line, self.geometry.sets.cast_signed());
        let known = set.position(line);
        let state = known.map(|idx| set.lines[idx].state);
        let touched = state.map(|state| state.possible);
        let certain = state.and_then(|state| state.certain);
        let chains = state.map(|state| state.chains).unwrap_or_default();
        let possibly_since = |last: Moment, touched| {
            let others = set.possibly_since(line, last.time, touched);
            let unknown = clock.now.unknown - last.unknown;
            Distance::Finite(others + unknown.min(most_unknown))
        };
        let upper = clock.last_sure(when, certain, touched);
        let upper = upper.map_or(Distance::Infinite, |last| possibly_since(last, touched));
        // Nothing is left out here: whether an access in an arm implies a later one may change with every other iteration.
        let is_past = |worst| ways <= possibly_since(worst, None);
        let is_possible = ways <= upper && chains.worst.is_none_or(is_past);
        let oldest = chains.worst.map(|moment| moment.time);
        self.examined += oldest.map_or(0, |since| set.n_touched_since(since));
        let known_time = touched.map(|touch| touch.time);
        let last_possible = clock.last_possible(line, line_size, known_time);
        let lower = last_possible.map_or(Distance::Infinite, |last| {
            Distance::Finite(set.certainly_since(line, last))
        });
        let best = clock.last_possible(line, line_size, chains.best);
        let is_far = |last| ways <= Distance::Finite(set.certainly_since(line, last));
        let is_certain = ways <= lower || best.is_none_or(is_far);
        let joint = JointMisses {
            is_certain: when.certain && is_certain,
            is_possible,
        };
        let now = LineState {
            certain: if when.certain {
                Some(clock.now)
            } else {
                certain
            },
            possible: LastTouch::now(clock, when, touched),
            chains: Chains {
                worst: match when.certain || is_possible {
                    true => Some(clock.now),
                    false => chains.worst,
                },
                best: match when.certain || !is_certain || when.is_apart {
                    true => Some(clock.now.time),
                    false => chains.best,
                },
            },
        };
        if touched.is_none_or(|touch| touch.time < self.somewhere.since()) {
            let number = number_of(line, self.geometry.sets.cast_signed());
            self.somewhere.touch(number, clock.now.time);
        }
        set.put_last(known, LineTimes { line, state: now });
        self.n_lines += usize::from(known.is_none());
        if set.is_full() {
            let gone = set.forget_gone(self.geometry.ways);
            self.n_lines -= gone.len();
            let gone = gone.into_iter();
            self.forgotten.extend(gone.map(|x| (x.line, x.state)));
        }
        Touch {
            bounds: (lower.min(upper), upper),
            joint,
            earlier: state,
        }
    }

    fn access_somewhere(&mut self, clock: &Clock, area: Option<(i64, i64)>) -> bool {
        self.somewhere.access(area, clock.now.time)
    }

    fn touch_in_all_arms(&mut self, line: LineNumber, (first, last): (Moment, Moment)) -> bool {
        let set = self.sets.of_line(line, self.geometry.sets.cast_signed());
        let Some(idx) = set.position(line) else {
            return false;
        };
        let chains = &mut set.lines[idx].state.chains;
        let Chains { worst, best } = *chains;
        *chains = Chains {
            worst: worst.max(Some(first)),
            best: best.max(Some(last.time)),
        };
        best < Some(first.time)
    }

    fn version(&self) -> u64 {
        self.somewhere.version()
    }

    fn joint_event(&self, is_worst: bool) -> Option<Miss> {
        Some(Miss::Joint { is_worst })
    }

    fn event(&self, access: &RunAccess, (lower, upper): DistanceBounds) -> Option<Miss> {
        let ways = Distance::Finite(self.geometry.ways);
        let is_certain = access.certain && ways <= lower;
        (is_certain || ways <= upper).then_some(Miss::OfReference {
            reference: access.reference,
            is_certain,
        })
    }

    fn add(&mut self, miss: Miss, times: u64) {
        match miss {
            Miss::OfReference {
                reference,
                is_certain,
            } => {
                let misses = &mut self.misses[reference.index()];
                match is_certain {
                    true => misses.0 += times,
                    false => misses.1 += times,
                }
            }
            Miss::Joint { is_worst: false } => self.joint.0 += times,
            Miss::Joint { is_worst: true } => self.joint.1 += times,
        }
    }

    fn state(&self, line: LineNumber) -> Option<LineState> {
        let mut lines = self
            .sets
            .lines(line, self.geometry.sets.cast_signed())
            .iter();
        lines.find(|other| other.line == line).map(|x| x.state)
    }

    fn all(&self) -> Vec<(LineNumber, LineState)> {
        let lines = self.sets.all().into_iter();
        lines.map(|x| (x.line, x.state)).collect()
    }

    fn clear(&mut self) {
        self.sets.clear();
        self.n_lines = 0;
    }

    fn take_forgotten(&mut self) -> Vec<(LineNumber, LineState)> {
        std::mem::take(&mut self.forgotten)
    }

    fn leave_out_gone(&self, states: &mut [(LineNumber, Option<LineState>)]) {
        let sets = self.geometry.sets.cast_signed();
        states.sort_by_key(|(line, _)| (number_of(*line, sets), *line));
        let same_set =
            |a: &(LineNumber, _), b: &(LineNumber, _)| number_of(a.0, sets) == number_of(b.0, sets);
        for states in states.chunk_by_mut(same_set) {
            let known = states.iter().filter_map(|(_, state)| state.as_ref());
            let oldest = oldest_there(known, self.geometry.ways);
            for (_, state) in states {
                *state = state.filter(|state| oldest <= state.possible.time);
            }
        }
    }

    fn are_all_since(&self, since: u64, arm: u64, lines: &[LineNumber]) -> bool {
        lines.iter().all(|line| {
            let set = self.sets.lines(*line, self.geometry.sets.cast_signed());
            let is_other = |x: &&LineTimes| lines.binary_search(&x.line).is_err();
            let other = set.iter().rev().find(is_other).map(|x| x.state.possible);
            other.is_none_or(|touch| touch.time < since && touch.arm < arm)
        })
    }

    fn saturation(&self) -> u64 {
        self.geometry.ways
    }

    fn age(&mut self, line: LineNumber, since: u64, more: u64) {
        let set = self.sets.of_line(line, self.geometry.sets.cast_signed());
        let Some(known) = set.lines.iter_mut().find(|other| other.line == line) else {
            return;
        };
        let state = &mut known.state;
        for moment in [&mut state.certain, &mut state.chains.worst] {
            if let Some(moment) = moment.as_mut().filter(|moment| since < moment.time) {
                moment.unknown += more;
            }
        }
        if since < state.possible.time {
            state.possible.unknown += more;
        }
    }
}

impl Sets {
    fn new(geometry: CacheGeometry) -> Self {
        match usize::try_from(geometry.sets) {
            Ok(sets) if geometry.sets <= DENSE_SETS => Self::Dense(DenseSets {
                positions: vec![0; sets],
                in_use: Vec::new(),
            }),
            _ => Self::Sparse(HashMap::new()),
        }
    }

    fn of_line(&mut self, line: LineNumber, sets: i64) -> &mut UncertainSet {
        let number = number_of(line, sets);
        match self {
            Self::Dense(sets) => sets.used(usize::try_from(number).unwrap_or(0)),
            Self::Sparse(sets) => sets.entry(number).or_default(),
        }
    }

    /// The lines of the set of a line.
    fn lines(&self, line: LineNumber, sets: i64) -> &[LineTimes] {
        let number = number_of(line, sets);
        let set = match self {
            Self::Dense(sets) => sets.get(usize::try_from(number).unwrap_or(0)),
            Self::Sparse(sets) => sets.get(&number),
        };
        set.map_or(&[], |set| &set.lines)
    }

    /// All lines, in any order.
    fn all(&self) -> Vec<LineTimes> {
        let sets: Vec<&UncertainSet> = match self {
            Self::Dense(sets) => sets.in_use.iter().map(|(_, set)| set).collect(),
            Self::Sparse(sets) => sets.values().collect(),
        };
        sets.iter().flat_map(|set| &set.lines).copied().collect()
    }

    fn clear(&mut self) {
        match self {
            Self::Dense(sets) => sets.in_use.clear(),
            Self::Sparse(sets) => sets.clear(),
        }
    }
}

impl DenseSets {
    fn get(&self, number: usize) -> Option<&UncertainSet> {
        let (other, set) = self.in_use.get(self.positions[number] as usize)?;
        (*other == number).then_some(set)
    }

    fn used(&mut self, number: usize) -> &mut UncertainSet {
        if self.get(number).is_none() {
            self.positions[number] = u32::try_from(self.in_use.len()).expect("at most DENSE_SETS");
            self.in_use.push((number, UncertainSet::default()));
        }
        &mut self.in_use[self.positions[number] as usize].1
    }
}

/// The number of the set of a line.
fn number_of(line: LineNumber, sets: i64) -> i64 {
    if sets & (sets - 1) == 0 {
        line & (sets - 1)
    } else {
        line.rem_euclid(sets)
    }
}

impl UncertainSet {
    /// How many other lines may have been touched since a line certainly was, at `since`.
    fn possibly_since(&self, line: LineNumber, since: u64, last: Option<LastTouch>) -> u64 {
        let counts = |other: &&LineTimes| {
            other.line != line
                && !last.is_some_and(|last| last.undoes(&other.state.possible, since))
        };
        self.touched_since(since).filter(counts).count() as u64
    }

    /// How many other lines have certainly been touched since a line may have been, at `since`.
    fn certainly_since(&self, line: LineNumber, since: u64) -> u64 {
        let counts = |other: &&LineTimes| {
            other.line != line
                && other
                    .state
                    .certain
                    .is_some_and(|moment| since < moment.time)
        };
        self.touched_since(since).filter(counts).count() as u64
    }

    /// The lines that may have been touched after a time, the last one first.
    fn touched_since(&self, since: u64) -> impl Iterator<Item = &LineTimes> {
        let lines = self.lines.iter().rev();
        lines.take_while(move |other| since < other.state.possible.time)
    }

    /// How many lines may have been touched after a time.
    fn n_touched_since(&self, since: u64) -> u64 {
        let earlier = |other: &LineTimes| other.state.possible.time <= since;
        (self.lines.len() - self.lines.partition_point(earlier)) as u64
    }

    /// Where a line stands.
    fn position(&self, line: LineNumber) -> Option<usize> {
        match &self.index {
            Some(index) if !index.contains(&line) => None,
            _ => self.lines.iter().rposition(|other| other.line == line),
        }
    }

    /// Puts the line accessed now at the end; `known` is where it stands so far.
    fn put_last(&mut self, known: Option<usize>, times: LineTimes) {
        match known {
            Some(idx) => {
                self.lines.remove(idx);
                self.lines.push(times);
            }
            None => {
                self.lines.push(times);
                self.note_in_index(times.line);
            }
        }
    }

    /// Notes a new line in the index, which exists if there are many lines.
    fn note_in_index(&mut self, line: LineNumber) {
        if let Some(index) = &mut self.index {
            index.insert(line);
        } else if MANY_LINES < self.lines.len() {
            let all = self.lines.iter().map(|x| x.line).collect();
            self.index = Some(all);
        }
    }

    /// Whether it is time to forget some lines.
    fn is_full(&self) -> bool {
        self.enough < self.lines.len()
    }

    /// Drops the lines that are gone.
    fn forget_gone(&mut self, ways: u64) -> Vec<LineTimes> {
        let oldest = oldest_there(self.lines.iter().map(|x| &x.state), ways);
        let is_gone = |other: &LineTimes| other.state.possible.time < oldest;
        let n_gone = self.lines.partition_point(is_gone);
        let gone: Vec<LineTimes> = self.lines.drain(..n_gone).collect();
        if let Some(index) = &mut self.index {
            gone.iter().for_each(|x| {
                index.remove(&x.line);
            });
        }
        let ways = usize::try_from(ways).unwrap_or(usize::MAX);
        self.enough = self.lines.len().saturating_mul(2).max(ways);
        gone
    }
}

/// Lines of a set whose last possible access was before this time are gone: at least `ways` others have certainly been
/// accessed since.
fn oldest_there<'a>(states: impl Iterator<Item = &'a LineState>, ways: u64) -> u64 {
    let certain = states.filter_map(|state| state.certain);
    let mut latest: Vec<u64> = certain.map(|moment| moment.time).collect();
    latest.sort_unstable_by(|a, b| b.cmp(a));
    let nth = usize::try_from(ways)
        .ok()
        .and_then(|ways| latest.get(ways.checked_sub(1)?));
    nth.copied().unwrap_or(0)
}
