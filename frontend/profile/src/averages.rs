//! Average execution counts of the parts of a function, from the counts of its lines.
//!
//! The list of nodes that a branch selects or a loop repeats has the count of the lines that contain nothing else. If
//! a loop's header has one condition, the counts of its two ways out give more: one is the number of entries of the
//! loop (if it is never left early), the other the count of its body. The same holds for other conditions: the line of
//! an arm determines which way leads to it, and that way its count.
//!
//! ```text
//!  2002  for (i = 0; i < n; i++)    ways 2000, 2: entered twice, the body ran 2000 times
//!  2000      if (x[i] > 0)          ways 1046, 954
//!  1046          a += x[i];         0.523 times per execution of the body
//!            else
//!   954          a -= x[i];         0.477 times
//! ```
//!
//! In a loop that jumps leave early, the average is that of the part of the body that may be skipped, per entry of the
//! loop.

use crate::list_counter::ListCounter;
use crate::located_profile::LocatedProfile;
use crate::node_lists::{BranchDecision, ListItem, ListOrigin, has_unknown_trip_count};
use premiss_source::Span;
use premiss_tree::{Average, Averages, ListId, LoopId, NestTree};
use std::collections::BTreeMap;

/// The averages of a function that follow from a profile.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ProfileAverages {
    /// Average execution counts of its loops and branches.
    pub averages: Averages,
    /// The data-dependent loops and branches without an average, in the order of the tree.
    pub gaps: Vec<Gap>,
}

/// A data-dependent loop or branch without an average.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gap {
    /// The loop's header, or the first access or operation of the arm.
    pub span: Span,
    /// Whether it is a loop.
    pub is_loop: bool,
    /// Why it has no average.
    pub reason: GapReason,
}

/// Why a loop or branch has no average.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GapReason {
    /// The profile does not contain the function.
    NoFunction,
    /// The enclosing code was never executed.
    NeverReached,
    /// No line belongs to it alone.
    NoLine,
}

/// Computes the averages of a function from a profile, and lists the gaps among them.
#[must_use]
pub fn averages(tree: &NestTree, profile: &LocatedProfile) -> ProfileAverages {
    let mut counter = ListCounter::new(tree, profile);
    counter.count_lists();
    let mut found = ProfileAverages::default();
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

impl ListCounter<'_> {
    /// The average number of executions of a list per execution of an enclosing one.
    fn average(&self, id: ListId) -> Result<Average, GapReason> {
        if self.functions[id].is_none() {
            return Err(GapReason::NoFunction);
        }
        let own = self.counts[id].ok_or(GapReason::NoLine);
        let mut inner = id;
        loop {
            let of = self.rows[inner].parent.ok_or(GapReason::NoLine)?;
            match self.parent_count(inner) {
                Some(0) => return Err(GapReason::NeverReached),
                #[expect(clippy::cast_precision_loss, reason = "an average")]
                Some(all) => {
                    return own.map(|own| Average {
                        per: of,
                        times: own as f64 / all as f64,
                    });
                }
                None if !self.is_passed_over(inner, of) => return Err(GapReason::NoLine),
                None => inner = of,
            }
        }
    }

    /// Whether the enclosing list `around` may be skipped when the average of `inner` is computed: it is an arm, or
    /// the body of a loop that jumps leave.
    fn is_passed_over(&self, inner: ListId, around: ListId) -> bool {
        if self.functions[inner] != self.functions[around] {
            return false;
        }
        match self.rows[around].origin {
            ListOrigin::Function => false,
            ListOrigin::Arm { .. } => self.is_decided_by_data(around),
            ListOrigin::Body(_) => self.skippable_arm(around) == Some(inner),
        }
    }

    fn is_decided_by_data(&self, id: ListId) -> bool {
        let row = &self.rows[id];
        let (ListOrigin::Arm { item, .. }, Some(around)) = (row.origin, row.parent) else {
            return false;
        };
        matches!(
            self.rows[around].items[item],
            ListItem::Branch {
                decision: BranchDecision::Data | BranchDecision::DataAlone,
                ..
            }
        )
    }

    /// Records the average number of evaluations of a loop's condition: one more than that of its body, unless jumps
    /// leave the loop.
    fn test(&self, id: ListId, average: Average, tests: &mut BTreeMap<LoopId, Average>) {
        let (ListOrigin::Body(inner), Some(of)) = (self.rows[id].origin, self.rows[id].parent)
        else {
            return;
        };
        let body = self.counts[id].unwrap_or(0);
        let by_header = || Some(self.ways_of_header(inner)?.iter().sum());
        let all = match self.is_tested_first(inner) {
            true => by_header().or_else(|| body.checked_add(self.parent_count(id)?)),
            false => None,
        };
        let test = match (body, all) {
            (0, _) => Average {
                per: of,
                times: 1.0,
            },
            #[expect(clippy::cast_precision_loss, reason = "an average")]
            (_, Some(all)) => Average {
                times: average.times * (all as f64 / body as f64),
                ..average
            },
            (_, None) => average,
        };
        tests.insert(inner, test);
    }

    /// The gap for a list without an average, if data decide whether it is executed and it has an effect.
    fn gap(&self, id: ListId, why: GapReason) -> Option<Gap> {
        let row = &self.rows[id];
        let first = row.first?;
        match row.origin {
            ListOrigin::Function => None,
            ListOrigin::Body(inner) => {
                let span = self.tree.loops[inner].span;
                let tree = self.tree;
                let is_open = has_unknown_trip_count(&self.rows, &tree.rejections, &tree.loops, id);
                is_open.then_some(Gap {
                    span,
                    is_loop: true,
                    reason: why,
                })
            }
            ListOrigin::Arm { .. } => self.is_decided_by_data(id).then_some(Gap {
                span: first,
                is_loop: false,
                reason: why,
            }),
        }
    }
}
