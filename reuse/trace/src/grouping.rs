//! Accesses of a run that follow one another through the same lines.
//!
//! In `for (j…) b[j] = a[j-1] + a[j] + a[j+1]` the three references to `a` pass through the same
//! lines, at most a line apart; from the moment the leading one (`a[j+1]`) enters a line until the
//! trailing one (`a[j-1]`) leaves it, the line is accessed in every iteration. A cache whose sets
//! have room for all lines accessed within one iteration ([`Grouping::crowding`]) hits all those
//! accesses, so that only arrivals and departures need to be simulated.

use crate::run::{AccessRun, RunAccess};
use premiss_tree::ArrayId;
use std::ops::Range;

/// The accesses of a run, sorted into groups.
#[derive(Debug, Default)]
pub(crate) struct Grouping {
    pub(crate) groups: Vec<Group>,
    pub(crate) members: Vec<Member>,
    line_size: i64,
    /// (motion, stride, array, place, position) of each access, while they are sorted.
    order: Vec<(Motion, i64, ArrayId, i64, usize)>,
}

/// Accesses that pass through the same lines one after another.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) motion: Motion,
    /// The array that all members access.
    array: ArrayId,
    /// Whether addresses fall; members' places are then mirrored, see [`Member::place`].
    pub(crate) falling: bool,
    /// By how many bytes places rise per iteration.
    pub(crate) pace: i64,
    /// Indices of its members, by rising place, then position.
    pub(crate) members: Range<usize>,
}

/// How fast a group moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Motion {
    /// It stays in one line.
    Still,
    /// It needs several iterations for most lines, or just one: less than a line per iteration.
    Slow,
    /// A line or more per iteration. All members have the same place.
    Fast,
}

/// An access as a member of a group.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// Index of the access in its run.
    pub(crate) position: usize,
    /// Its address in iteration 0, or, where addresses fall, `line_size - 1 - address`, so that it
    /// always rises: the line is then minus the place's.
    pub(crate) place: i64,
}

impl Grouping {
    /// Sorts a run's accesses into groups. Returns `false` where some access has no known address
    /// or may lie across two lines.
    pub(crate) fn analyse(&mut self, run: &AccessRun<'_>, line_size: i64) -> bool {
        self.line_size = line_size;
        self.members.clear();
        self.groups.clear();
        self.order.clear();
        for (position, access) in run.accesses.iter().enumerate() {
            let Some(address) = access.address.filter(|_| !may_straddle(access, line_size)) else {
                return false;
            };
            let place = if access.stride < 0 {
                line_size - 1 - address
            } else {
                address
            };
            let motion = motion(access.stride, line_size);
            self.order
                .push((motion, access.stride, access.array, place, position));
        }
        self.order.sort_unstable();
        for idx in 0..self.order.len() {
            let (motion, stride, array, place, position) = self.order[idx];
            self.join(motion, stride, array, place);
            self.members.push(Member { position, place });
            if let Some(group) = self.groups.last_mut() {
                group.members.end = self.members.len();
            }
        }
        true
    }

    /// Opens a new group unless the last one can take in a member of the same motion.
    fn join(&mut self, motion: Motion, stride: i64, array: ArrayId, place: i64) {
        let pace = stride.abs();
        let falling = stride < 0;
        let fits = |group: &Group| {
            let last = self.members[group.members.end - 1].place;
            group.motion == motion
                && group.array == array
                && group.pace == pace
                && group.falling == falling
                && match motion {
                    Motion::Still => {
                        last.div_euclid(self.line_size) == place.div_euclid(self.line_size)
                    }
                    // Places closer than the pace may enter a line together: each its own group.
                    Motion::Slow => {
                        place == last || (pace..=self.line_size).contains(&(place - last))
                    }
                    Motion::Fast => place == last,
                }
        };
        if self.groups.last().is_some_and(fits) {
            return;
        }
        let start = self.members.len();
        self.groups.push(Group {
            motion,
            array,
            falling,
            pace,
            members: start..start,
        });
    }

    /// The members of a group.
    pub(crate) fn members(&self, group: &Group) -> &[Member] {
        &self.members[group.members.clone()]
    }

    /// An upper bound on how many distinct lines of one of `sets` sets are accessed between an
    /// access and its repetition in the next iteration, both included.
    pub(crate) fn crowding(&self, sets: u64) -> u64 {
        let mut crowding = 0;
        let mut any_fast = 0;
        for group in &self.groups {
            crowding += match group.motion {
                Motion::Still => 1,
                Motion::Fast => {
                    any_fast = 1;
                    1
                }
                Motion::Slow => self.lines_within_an_iteration(group).div_ceil(sets),
            };
        }
        crowding + any_fast
    }

    /// A slow group's lines within an iteration: those of all bytes from where its last member was
    /// to where its first one is.
    fn lines_within_an_iteration(&self, group: &Group) -> u64 {
        let members = self.members(group);
        let span = members[members.len() - 1].place - members[0].place + group.pace;
        (span.cast_unsigned()).div_ceil(self.line_size.cast_unsigned()) + 1
    }
}

fn motion(stride: i64, line_size: i64) -> Motion {
    match stride.abs() {
        0 => Motion::Still,
        pace if pace < line_size => Motion::Slow,
        _ => Motion::Fast,
    }
}

/// Whether the bytes of an access may lie in two lines at some time.
pub(crate) fn may_straddle(access: &RunAccess, line_size: i64) -> bool {
    let size = i64::from(access.size.max(1));
    let is_multiple = |x: i64| x % size == 0;
    size > 1
        && !(is_multiple(line_size)
            && is_multiple(access.stride)
            && access.address.is_some_and(is_multiple))
}
