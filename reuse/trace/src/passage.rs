//! The passage of groups of accesses through lines: a run as arrivals and departures.
//!
//! A group holds every line from when its first access enters it until its last one has left. At the
//! start of iteration `t`, the lines that were left (last accessed in iteration `t - 1`) are released
//! in the order of those last accesses; then new lines are entered in the order of the accesses that
//! enter them. Between such iterations nothing happens that a cache could notice.

use crate::cache::CacheSink;
use crate::grouping::{Group, Grouping, Motion};
use crate::run::{AccessRun, LineNumber, line_of, stay};
use premiss_tree::AccessKind;

/// The groups of a run on their way.
#[derive(Debug, Default)]
pub(crate) struct Passage {
    /// By the position of the access that leaves a line last.
    leaving: Vec<Edge>,
    /// By the position of the access that enters a line first.
    entering: Vec<Edge>,
    /// (position, group, line of places): lines held at the start or at the end of a run.
    pub(crate) lines: Vec<(usize, usize, i64)>,
}

/// The foremost or the hindmost place of a group.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The access that enters a line first or leaves it last.
    position: usize,
    group: usize,
    /// The iteration in which it enters its next line.
    next: u64,
    /// Its place in that iteration.
    place: i64,
    pace: i64,
    /// The line (of places) that it is in until then.
    line: i64,
    /// How many iterations it needs for a line, where that is always the same.
    period: Option<u64>,
}

/// Which accesses of an iteration to a line count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// The first to each line.
    First,
    /// The last.
    Last,
}

impl Edge {
    fn new(position: usize, group: usize, place: i64, pace: i64, line_size: i64) -> Self {
        let first = stay(place, pace, line_size);
        let is_regular = 0 < pace && line_size % pace == 0;
        Self {
            position,
            group,
            next: first,
            place: place.saturating_add(pace.saturating_mul(first.cast_signed())),
            pace,
            line: place.div_euclid(line_size),
            period: is_regular.then(|| (line_size / pace).cast_unsigned()),
        }
    }

    /// Enters the next line.
    fn advance(&mut self, line_size: i64) {
        self.line = match self.period {
            Some(_) => self.line + 1,
            None => self.place.div_euclid(line_size),
        };
        let stays = match self.period {
            Some(period) => period,
            None => stay(self.place, self.pace, line_size),
        };
        self.next += stays;
        let distance = self.pace.saturating_mul(stays.cast_signed());
        self.place = self.place.saturating_add(distance);
    }
}

impl CacheSink {
    /// Runs arrivals and departures only. The first level must have room, see
    /// [`Grouping::crowding`].
    pub(crate) fn run_in_groups(&mut self, run: &AccessRun<'_>) {
        let grouping = std::mem::take(&mut self.grouping);
        let mut passage = std::mem::take(&mut self.passage);
        let line_size = self.line_size(0);
        passage.start(&grouping, line_size);
        passage.lines_at(&grouping, 0, line_size, Order::First);
        for (position, group, line) in &passage.lines {
            self.enter(&grouping, run, *position, *group, *line);
        }
        loop {
            let edges = passage.leaving.iter().chain(&passage.entering);
            let t = edges.map(|edge| edge.next).fold(u64::MAX, u64::min);
            if run.iterations <= t {
                break;
            }
            for edge in &mut passage.leaving {
                if edge.next == t {
                    let falling = grouping.groups[edge.group].falling;
                    self.levels[0].release(actual(edge.line, falling));
                    edge.advance(line_size);
                }
            }
            for edge in &mut passage.entering {
                if edge.next == t {
                    edge.advance(line_size);
                    self.enter(&grouping, run, edge.position, edge.group, edge.line);
                }
            }
        }
        passage.lines_at(&grouping, run.iterations - 1, line_size, Order::Last);
        for (_, group, line) in &passage.lines {
            let falling = grouping.groups[*group].falling;
            self.levels[0].release(actual(*line, falling));
        }
        self.grouping = grouping;
        self.passage = passage;
    }

    fn enter(
        &mut self,
        grouping: &Grouping,
        run: &AccessRun<'_>,
        position: usize,
        group: usize,
        line: i64,
    ) {
        let group = &grouping.groups[group];
        let dirties =
            self.follows_stores && is_stored_to(grouping, group, run, line, self.line_size(0));
        let line = actual(line, group.falling);
        self.hold(line, &run.accesses[position], dirties);
    }
}

impl Passage {
    /// Places the edges of all groups that move at iteration 0.
    fn start(&mut self, grouping: &Grouping, line_size: i64) {
        self.leaving.clear();
        self.entering.clear();
        for (idx, group) in grouping.groups.iter().enumerate() {
            if group.motion == Motion::Still {
                continue;
            }
            let members = grouping.members(group);
            let (trail, lead) = (members[0].place, members[members.len() - 1].place);
            let leads = members.iter().filter(|member| member.place == lead);
            let first = leads.map(|member| member.position).min().unwrap_or(0);
            let trails = members.iter().filter(|member| member.place == trail);
            let last = trails.map(|member| member.position).max().unwrap_or(0);
            let edge = |position, place| Edge::new(position, idx, place, group.pace, line_size);
            self.entering.push(edge(first, lead));
            self.leaving.push(edge(last, trail));
        }
        self.entering.sort_unstable_by_key(|edge| edge.position);
        self.leaving.sort_unstable_by_key(|edge| edge.position);
    }

    /// Lists the lines that each group is in at an iteration, by the first access to each in it or by
    /// the last.
    pub(crate) fn lines_at(&mut self, grouping: &Grouping, t: u64, line_size: i64, order: Order) {
        self.lines.clear();
        for (idx, group) in grouping.groups.iter().enumerate() {
            let before = self.lines.len();
            for member in grouping.members(group) {
                let place = member.place + group.pace * t.cast_signed();
                let line = line_of(place, line_size);
                match self.lines[before..].last_mut() {
                    Some((position, _, same)) if *same == line => {
                        *position = match order {
                            Order::First => (*position).min(member.position),
                            Order::Last => (*position).max(member.position),
                        };
                    }
                    _ => self.lines.push((member.position, idx, line)),
                }
            }
        }
        self.lines.sort_unstable();
    }
}

/// The line of addresses for a line of places.
pub(crate) fn actual(line: i64, falling: bool) -> LineNumber {
    if falling { -line } else { line }
}

/// Whether a store of the group touches a line (of places) at some time of the run.
pub(crate) fn is_stored_to(
    grouping: &Grouping,
    group: &Group,
    run: &AccessRun<'_>,
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
