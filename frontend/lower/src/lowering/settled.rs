//! What the iterations of loops lose, remembered from one pass over the loops around to the next.
//!
//! A loop's body is lowered until what is known at its head holds in every iteration. Were every loop inside of it
//! lowered until the same goes for it, in each of these passes, work would double with each level. But what an inner
//! loop loses in one pass over those around it loses in the next one, too, where less is known. So there it starts
//! without it; and where it loses more, it waits for the next pass. A pass over the outermost loop is the last in which
//! no loop has lost more than the pass before knew.
//!
//! ```text
//!                                  first pass                        second pass, the last
//! for (i = 0; i < n; i++)          k and m are 0; in the end lost    nobody knows k and m
//!     for (j = 0; j < n; j++)      k and m are 0; in the end lost    nobody knows k and m
//!         m = k = index[j];
//! ```
//!
//! These are rounds of chaotic iteration (Cousot and Cousot, POPL 1977, section 9): every pass knows too much or the truth,
//! and the last one has found that what it began with holds.

use super::Lowering;
use super::asked_at_heads::AskedAtHead;
use super::memory::MemoryLosses;
use super::reals::RealKnowledge;
use super::value::{Knowledge, PointerId, State, Target};
use crate::syntax::{At, Statement};
use imbl::ordmap::DiffItem;
use premiss_tree::VariableId;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// How often a loop waits for the next pass over those around before it is passed over by itself until it loses no more.
const MAX_WAITS: u32 = 1;

/// The calls that led to a function, digested.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Path(u64);

impl Path {
    /// Where a call leads that stands there.
    pub(super) fn through(self, call: At) -> Self {
        Self(digest((self, place(call))))
    }
}

/// Which variable of the program one is, digested: passes over loops make those of callees anew.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Origin(u64);

/// A loop of the program, with the calls that led to it.
type Key = (*const Statement, Path);

/// What one loop loses. A digest that two variables share, or a place that two paths lead to, makes more unknown than
/// has to be, never less.
struct Losses {
    /// Integers with what was known of them before and at the head.
    integers: Vec<(Origin, Knowledge, Knowledge)>,
    /// Pointers of which nobody knows where they point.
    pointers: Vec<Origin>,
    /// Real numbers with what is known of them at the head.
    reals: Vec<(Origin, RealKnowledge)>,
    memory: MemoryLosses,
}

/// What all loops lose that are inside of others.
#[derive(Default)]
pub(super) struct Settled {
    losses: FxHashMap<Key, Losses>,
    /// How often loops have waited for the next pass over those around.
    waits: FxHashMap<Key, u32>,
    /// Whether one does.
    is_waiting: bool,
    /// The variables that were made last.
    variables: FxHashMap<Origin, VariableId>,
    /// The moments at which loops are entered, where these are inside of others.
    moments: FxHashMap<Key, u32>,
}

impl Settled {
    pub(super) fn note_variable(&mut self, origin: Origin, id: VariableId) {
        self.variables.insert(origin, id);
    }
}

impl Lowering<'_> {
    fn key(&self, statement: &Statement) -> Key {
        (std::ptr::from_ref(statement), self.frame_ref().path)
    }

    /// Which variable one of this name is that is made here.
    pub(super) fn origin_of(&self, name: &str) -> Origin {
        let path = self.frames.last().map(|frame| frame.path);
        Origin(digest((path, place(self.declared_at), name)))
    }

    /// The moment at which a loop is entered: inside of others the same in each pass over these.
    pub(super) fn moment_of_entry(&mut self, statement: &Statement) -> u32 {
        if !self.is_in_loop() {
            return self.symbols.next_moment();
        }
        let key = self.key(statement);
        if let Some(moment) = self.settled.moments.get(&key) {
            return *moment;
        }
        let moment = self.symbols.next_moment();
        self.settled.moments.insert(key, moment);
        moment
    }

    /// What is known at the head of a loop when its first pass begins, where `before` is known but for its iterations:
    /// not what it lost in the last pass over those around.
    pub(super) fn first_head(&mut self, statement: &Statement, before: &State) -> State {
        let mut head = before.clone();
        match self.is_in_loop() {
            true => self.lose_again(statement, &mut head),
            false => self.settled.is_waiting = false,
        }
        head
    }

    fn lose_again(&self, statement: &Statement, head: &mut State) {
        let Some(losses) = self.settled.losses.get(&self.key(statement)) else {
            return;
        };
        for (origin, before, after) in &losses.integers {
            if let Some(id) = self.settled.variables.get(origin)
                && let Some(known) = head.integers.get_mut(id)
                && before.join(known) == *known
            {
                *known = known.join(after);
            }
        }
        for origin in &losses.pointers {
            if let Some(offset) = self.settled.variables.get(origin)
                && let Ok(idx) = self.pointers.binary_search(offset)
                && let Some(target) = head.pointers.get_mut(&PointerId(idx))
            {
                *target = Target::Ambiguous;
            }
        }
        for (origin, after) in &losses.reals {
            if let Some(id) = self.settled.variables.get(origin)
                && let Some(known) = head.reals.get_mut(id)
            {
                *known = known.join(after);
            }
        }
        head.memory.lose_again(&losses.memory);
    }

    /// Whether no further pass over a loop is due that found `after` where it began with `head`: because it lost
    /// nothing more, or nothing that it asked for, or because there is one over the loops around.
    pub(super) fn is_settled(
        &mut self,
        statement: &Statement,
        asked: &AskedAtHead,
        [before, head, after]: [&State; 3],
    ) -> bool {
        let holds = head == after || self.is_same_after(asked, head, after);
        if !self.is_in_loop() {
            return !std::mem::take(&mut self.settled.is_waiting) && holds;
        }
        self.remember_losses(statement, before, after);
        if holds {
            return true;
        }
        let n_waits = self.settled.waits.entry(self.key(statement)).or_default();
        *n_waits += 1;
        let waits = *n_waits <= MAX_WAITS;
        self.settled.is_waiting |= waits;
        waits
    }

    /// Remembers what a loop loses.
    fn remember_losses(&mut self, statement: &Statement, before: &State, head: &State) {
        let integers = before.integers.diff(&head.integers);
        let integers = integers.filter_map(|difference| match difference {
            DiffItem::Update { old, new } => {
                let origin = self.variable(*old.0).origin;
                Some((origin, old.1.clone(), new.1.clone()))
            }
            DiffItem::Add(..) | DiffItem::Remove(..) => None,
        });
        let pointers = before.pointers.diff(&head.pointers);
        let pointers = pointers.filter_map(|difference| match difference {
            DiffItem::Update { new, .. } if *new.1 == Target::Ambiguous => {
                Some(self.variable(self.pointers[new.0.0]).origin)
            }
            _ => None,
        });
        let reals = before.reals.diff(&head.reals);
        let reals = reals.filter_map(|difference| match difference {
            DiffItem::Update {
                new: (id, known), ..
            } => Some((self.variable(*id).origin, *known)),
            DiffItem::Add(..) | DiffItem::Remove(..) => None,
        });
        let losses = Losses {
            integers: integers.collect(),
            reals: reals.collect(),
            pointers: pointers.collect(),
            memory: before.memory.losses(&head.memory),
        };
        self.settled.losses.insert(self.key(statement), losses);
    }
}

/// A place, as what is hashed: the hash of an [`At`] says only which unit.
fn place(at: At) -> (u32, u32, u32) {
    (at.unit.0, at.start, at.end)
}

fn digest(what: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    what.hash(&mut hasher);
    hasher.finish()
}
