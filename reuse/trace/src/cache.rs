//! Misses of a cache, or of a chain of caches in which each sees the misses of the one before.
//!
//! In a chain, a level that misses a line asks the next one for it, then writes back the dirty line
//! that had to make room. A write-back is a store to the next level in everything but this: it is no
//! access. Where that level no longer holds the line, it misses.

use crate::grouping::{Group, Grouping, Motion};
use crate::lru::{LruSets, Outcome};
use crate::run::{Line, Run, RunAccess, stay};
use crate::sweep::Ranges;
use crate::walk::{Shortcut, Sink};
use crate::{CacheGeometry, TraceError};
use premiss_tree::{AccessKind, EntityRef, ReferenceId};

/// Counts the misses of each reference in each level of a chain.
#[derive(Debug)]
pub(crate) struct CacheSink {
    pub(crate) levels: Vec<LruSets>,
    /// Misses by level, then by reference.
    pub(crate) misses: Vec<Vec<u64>>,
    /// What has been touched since the period under way began.
    pub(crate) ranges: Ranges,
    /// Accesses to lines so far.
    pub(crate) work: u64,
    weight: u64,
    grouping: Grouping,
    trackers: Vec<Tracker>,
    events: Vec<Event>,
}

/// Whose access makes a level be asked for lines.
#[derive(Clone, Copy, Debug)]
struct Requester {
    reference: ReferenceId,
    /// Its array, as a number.
    owner: u32,
}

impl Requester {
    fn new(access: &RunAccess) -> Self {
        Self {
            reference: access.reference,
            owner: access.array.as_u32(),
        }
    }
}

/// Addresses of the first and the last of some bytes.
#[derive(Clone, Copy, Debug)]
struct Bytes {
    first: i64,
    last: i64,
}

impl Bytes {
    fn of_line(line: Line, line_size: i64) -> Self {
        let first = line.saturating_mul(line_size);
        Self {
            first,
            last: first.saturating_add(line_size - 1),
        }
    }
}

/// Where a group is.
#[derive(Clone, Debug)]
struct Tracker {
    /// Line (of places, not mirrored back) of the member furthest ahead.
    lead_line: i64,
    /// Line of the member furthest behind.
    trail_line: i64,
    /// The iteration in which the first enters its next line.
    next_lead: u64,
    /// The iteration in which the last enters its next line.
    next_trail: u64,
}

/// A line is entered or left for good by a group, at some position of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Event {
    position: usize,
    /// Arrivals come first.
    leaves: bool,
    line: Line,
    dirties: bool,
}

impl CacheSink {
    pub(crate) fn new(
        geometries: &[CacheGeometry],
        n_references: usize,
        n_arrays: usize,
    ) -> Result<Self, TraceError> {
        let levels: Result<Vec<LruSets>, TraceError> = geometries
            .iter()
            .map(|geometry| LruSets::new(*geometry))
            .collect();
        Ok(Self {
            levels: levels?,
            misses: vec![vec![0; n_references]; geometries.len()],
            ranges: Ranges::new(n_arrays),
            work: 0,
            weight: 1,
            grouping: Grouping::default(),
            trackers: Vec::new(),
            events: Vec::new(),
        })
    }

    fn line_size(&self, level: usize) -> i64 {
        self.levels[level].geometry().line_size.cast_signed()
    }

    /// Dirtiness matters only where there is a level to write back to.
    fn dirties(&self, access: &RunAccess) -> bool {
        1 < self.levels.len() && access.kind == AccessKind::Store
    }

    /// Asks a level for the lines of some bytes, on behalf of a reference; it misses once if any of
    /// them is not there.
    fn request(&mut self, level: usize, bytes: Bytes, by: &Requester, dirties: bool) {
        let line_size = self.line_size(level);
        let first = bytes.first.div_euclid(line_size);
        let last = bytes.last.div_euclid(line_size);
        let mut missed = false;
        for line in first..=last {
            self.work += 1;
            let outcome = self.levels[level].access(line, by.owner, dirties);
            missed |= !outcome.hit;
            self.after(level, line, by, outcome);
        }
        if missed {
            self.misses[level][by.reference.index()] += self.weight;
        }
    }

    /// Sends what follows from an access to a line on to the next level: first the request for a
    /// line that was not there, then the write-back of one that had to go.
    fn after(&mut self, level: usize, line: Line, by: &Requester, outcome: Outcome) {
        if level + 1 == self.levels.len() {
            return;
        }
        let line_size = self.line_size(level);
        if !outcome.hit {
            self.request(level + 1, Bytes::of_line(line, line_size), by, false);
        }
        if let Some(victim) = outcome.written_back {
            self.request(level + 1, Bytes::of_line(victim, line_size), by, true);
        }
    }

    /// Runs whole iterations: two of each stretch in which all accesses stay in their lines. The
    /// state after the first is that after every other, so the second stands for the rest.
    fn run_in_stretches(&mut self, run: &Run<'_>) {
        let line_size = self.line_size(0);
        let mut t = 0;
        while t < run.iterations {
            let stretch = run
                .accesses
                .iter()
                .filter_map(|access| {
                    let first = access.address_at(t)?;
                    let last = first + i64::from(access.size.max(1)) - 1;
                    let both = stay(first, access.stride, line_size).min(stay(
                        last,
                        access.stride,
                        line_size,
                    ));
                    Some(both)
                })
                .fold(run.iterations - t, u64::min);
            // A level below may need more repetitions than one to settle.
            let alike = if self.levels.len() == 1 { 2 } else { stretch };
            self.iteration(run, t);
            if 1 < stretch {
                let weight = self.weight;
                for repetition in 2..=alike {
                    let is_last = repetition == alike;
                    self.weight = if is_last {
                        weight * (stretch - alike + 1)
                    } else {
                        weight
                    };
                    self.iteration(run, t);
                }
                self.weight = weight;
            }
            t += stretch;
        }
    }

    fn iteration(&mut self, run: &Run<'_>, t: u64) {
        for access in run.accesses {
            if let Some(first) = access.address_at(t) {
                let last = first + i64::from(access.size.max(1)) - 1;
                let dirties = self.dirties(access);
                self.request(0, Bytes { first, last }, &Requester::new(access), dirties);
            }
        }
    }

    /// Runs arrivals and departures only, see [`Grouping`].
    fn run_in_groups(&mut self, run: &Run<'_>) {
        let last = run.iterations - 1;
        let grouping = std::mem::take(&mut self.grouping);
        let any_fast = grouping
            .groups
            .iter()
            .any(|group| group.motion == Motion::Fast);
        self.start(&grouping, run);
        let mut t = 0;
        while t < last {
            self.handle_events(run);
            t = if any_fast {
                t + 1
            } else {
                self.trackers
                    .iter()
                    .map(|tracker| tracker.next_lead.min(tracker.next_trail - 1))
                    .fold(last, u64::min)
            };
            self.gather(&grouping, run, t);
        }
        self.gather_last(&grouping, run);
        self.handle_events(run);
        self.grouping = grouping;
    }

    /// Places the groups at iteration 0 and gathers its events.
    fn start(&mut self, grouping: &Grouping, run: &Run<'_>) {
        let line_size = self.line_size(0);
        self.trackers.clear();
        self.events.clear();
        for group in &grouping.groups {
            let members = grouping.members(group);
            let (trail, lead) = (members[0].place, members[members.len() - 1].place);
            self.trackers.push(Tracker {
                lead_line: lead.div_euclid(line_size),
                trail_line: trail.div_euclid(line_size),
                next_lead: stay(lead, group.pace, line_size),
                next_trail: stay(trail, group.pace, line_size),
            });
            if group.motion != Motion::Fast {
                self.arrive_at_start(grouping, group, run);
            }
        }
        self.gather(grouping, run, 0);
    }

    /// Every line that a group is in at iteration 0 is entered by the first access to it.
    fn arrive_at_start(&mut self, grouping: &Grouping, group: &Group, run: &Run<'_>) {
        let members = grouping.members(group);
        let line_size = self.line_size(0);
        let line = |idx: usize| members[idx].place.div_euclid(line_size);
        let mut from = 0;
        while from < members.len() {
            let same = (from..members.len()).take_while(|idx| line(*idx) == line(from));
            let (mut to, mut position) = (from, usize::MAX);
            for idx in same {
                position = position.min(members[idx].position);
                to = idx + 1;
            }
            self.push(grouping, group, run, position, line(from), false);
            from = to;
        }
    }

    /// Gathers the events of iteration `t`, except arrivals at the start and departures at the end.
    fn gather(&mut self, grouping: &Grouping, run: &Run<'_>, t: u64) {
        let line_size = self.line_size(0);
        let last = run.iterations - 1;
        for (idx, group) in grouping.groups.iter().enumerate() {
            if group.motion == Motion::Fast {
                self.pass(grouping, group, run, t);
                continue;
            }
            let members = grouping.members(group);
            let place = |member: usize| members[member].place + group.pace * t.cast_signed();
            if self.trackers[idx].next_lead == t {
                self.trackers[idx].lead_line += 1;
                let line = self.trackers[idx].lead_line;
                let arrived = (0..members.len())
                    .rev()
                    .take_while(|member| line * line_size <= place(*member));
                let position = arrived.map(|member| members[member].position).min();
                let lead = place(members.len() - 1);
                self.trackers[idx].next_lead = t + stay(lead, group.pace, line_size);
                self.push(grouping, group, run, position.unwrap_or(0), line, false);
            }
            if self.trackers[idx].next_trail == t + 1 && t < last {
                let line = self.trackers[idx].trail_line;
                let position = last_position(grouping, group, t, (line + 1) * line_size);
                self.push(grouping, group, run, position, line, true);
                self.trackers[idx].trail_line += 1;
                let next = place(0) + group.pace;
                self.trackers[idx].next_trail = t + 1 + stay(next, group.pace, line_size);
            }
        }
    }

    /// A fast group enters a line and leaves it in the same iteration.
    fn pass(&mut self, grouping: &Grouping, group: &Group, run: &Run<'_>, t: u64) {
        let members = grouping.members(group);
        let place = members[0].place + group.pace * t.cast_signed();
        let line = place.div_euclid(self.line_size(0));
        let (first, last) = (members[0].position, members[members.len() - 1].position);
        self.push(grouping, group, run, first, line, false);
        self.push(grouping, group, run, last, line, true);
    }

    /// Gathers the departures from all lines that are held at the end of a run.
    fn gather_last(&mut self, grouping: &Grouping, run: &Run<'_>) {
        let line_size = self.line_size(0);
        let last = run.iterations - 1;
        for (idx, group) in grouping.groups.iter().enumerate() {
            if group.motion == Motion::Fast {
                continue;
            }
            let (from, to) = (self.trackers[idx].trail_line, self.trackers[idx].lead_line);
            for line in from..=to {
                let position = last_position(grouping, group, last, (line + 1) * line_size);
                self.push(grouping, group, run, position, line, true);
            }
        }
    }

    fn push(
        &mut self,
        grouping: &Grouping,
        group: &Group,
        run: &Run<'_>,
        position: usize,
        place_line: i64,
        leaves: bool,
    ) {
        let dirties = !leaves
            && 1 < self.levels.len()
            && is_stored_to(grouping, group, run, place_line, self.line_size(0));
        self.events.push(Event {
            position,
            leaves,
            line: if group.falling {
                -place_line
            } else {
                place_line
            },
            dirties,
        });
    }

    fn handle_events(&mut self, run: &Run<'_>) {
        if 1 < self.events.len() {
            self.events.sort_unstable();
        }
        let events = std::mem::take(&mut self.events);
        self.work += events.len() as u64;
        for event in &events {
            if event.leaves {
                self.levels[0].release(event.line);
            } else {
                let access = &run.accesses[event.position];
                let by = Requester::new(access);
                let outcome = self.levels[0].hold(event.line, by.owner, event.dirties);
                if !outcome.hit {
                    self.misses[0][by.reference.index()] += self.weight;
                    self.after(0, event.line, &by, outcome);
                }
            }
        }
        self.events = events;
        self.events.clear();
    }
}

/// The last position among the members of a group whose places in iteration `t` are below `limit`
/// and in the line that ends there.
fn last_position(grouping: &Grouping, group: &Group, t: u64, limit: i64) -> usize {
    let moved = group.pace * t.cast_signed();
    let start = limit - grouping.line_size();
    grouping
        .members(group)
        .iter()
        .filter(|member| (start..limit).contains(&(member.place + moved)))
        .map(|member| member.position)
        .max()
        .unwrap_or(0)
}

/// Whether a store of the group touches a line (of places) at some time of the run.
fn is_stored_to(
    grouping: &Grouping,
    group: &Group,
    run: &Run<'_>,
    line: i64,
    line_size: i64,
) -> bool {
    let distance = group.pace * (run.iterations - 1).cast_signed();
    grouping.members(group).iter().any(|member| {
        let from = member.place.div_euclid(line_size);
        let to = (member.place + distance).div_euclid(line_size);
        run.accesses[member.position].kind == AccessKind::Store && (from..=to).contains(&line)
    })
}

impl Sink for CacheSink {
    const SHORTCUT: Shortcut = Shortcut::Recurring;

    fn run(&mut self, run: &Run<'_>) -> u64 {
        let before = self.work;
        self.ranges.note(run);
        let geometry = self.levels[0].geometry();
        let line_size = geometry.line_size.cast_signed();
        let mut grouping = std::mem::take(&mut self.grouping);
        let fits = 1 < run.iterations
            && grouping.analyse(run, line_size)
            && grouping.crowding(geometry.sets) <= geometry.ways;
        self.grouping = grouping;
        if fits {
            self.run_in_groups(run);
        } else {
            self.run_in_stretches(run);
        }
        self.work - before
    }
}
