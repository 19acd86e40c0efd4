//! Executes a tree and lists what it does to memory.

use super::Failure;
use super::evaluate::{Environment, Value};
use super::layout::Place;
use premiss_tree::{
    AccessKind, ArrayId, Comparison, Expression, Loop, NestTree, Node, ReferenceId, VariableId,
};
use std::collections::{BTreeMap, BTreeSet};

/// One execution of an arm of a branch that data decide: either all that it does happens, or nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArmId(usize);

/// All executions of arms.
#[derive(Clone, Debug, Default)]
pub(super) struct Arms {
    /// The arm around each.
    parents: Vec<Option<ArmId>>,
}

impl Arms {
    pub(super) fn enter(&mut self, around: Option<ArmId>) -> ArmId {
        self.parents.push(around);
        ArmId(self.parents.len() - 1)
    }

    /// Whether what happens in one arm implies that another runs: it is the same or around it.
    pub(super) fn implies(&self, arm: Option<ArmId>, other: Option<ArmId>) -> bool {
        let mut next = arm;
        while let Some(inner) = next {
            if Some(inner) == other {
                return true;
            }
            next = self.parents[inner.0];
        }
        other.is_none()
    }
}

/// Something that happens to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A reference touches an element.
    Access {
        /// Who.
        reference: ReferenceId,
        /// Whether it reads or writes.
        kind: AccessKind,
        /// The array that it names.
        array: ArrayId,
        /// The first byte; `None` where only running the program would tell.
        address: Option<u64>,
        /// How many bytes.
        size: u32,
        /// The arm that must run for it to happen; `None` where it is sure to.
        arm: Option<ArmId>,
    },
    /// Anything may be touched, any number of times.
    Opaque,
    /// Something outside of all references touches memory.
    Foreign {
        /// The first byte.
        address: u64,
        /// How many bytes.
        size: u32,
        /// Whether it writes.
        kind: AccessKind,
    },
}

/// How to go on where the text does not say.
pub enum Choices<'a> {
    /// All at once: accesses become possible, addresses unknown.
    Open,
    /// As one run of the program might: each call decides something by a number below its argument.
    Decided(&'a mut dyn FnMut(u64) -> u64),
}

/// One execution.
pub(super) struct Walk<'a> {
    pub(super) tree: &'a NestTree,
    pub(super) places: &'a BTreeMap<ArrayId, Place>,
    pub(super) choices: Choices<'a>,
    pub(super) environment: Environment,
    /// More events than this are an error.
    pub(super) budget: u64,
    pub(super) trace: Trace,
}

/// What an execution did.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    /// All that happened to memory, in order.
    pub(super) events: Vec<Event>,
    /// References inside of loops of which nobody knows how often they run.
    pub(super) uncounted: BTreeSet<ReferenceId>,
    /// Arms that may have run.
    pub(super) arms: Arms,
}

impl Walk<'_> {
    pub(super) fn run(mut self) -> Result<Trace, Failure> {
        let tree = self.tree;
        self.nodes(&tree.body, None)?;
        Ok(self.trace)
    }

    fn nodes(&mut self, nodes: &[Node], arm: Option<ArmId>) -> Result<(), Failure> {
        for node in nodes {
            match node {
                Node::Loop(the_loop) => self.repeat(the_loop, arm)?,
                Node::Access(reference) => self.access(*reference, arm)?,
                Node::Branch {
                    condition,
                    then,
                    otherwise,
                } => self.branch(condition, then, otherwise, arm)?,
                Node::Assign { variable, value } => {
                    let value = self.environment.value(value)?;
                    self.environment.assign(*variable, value);
                }
                Node::Opaque(_) => self.opaque()?,
                Node::Operations(_) => {}
            }
        }
        Ok(())
    }

    fn repeat(&mut self, the_loop: &Loop, arm: Option<ArmId>) -> Result<(), Failure> {
        let variable = the_loop.variable;
        let first = self.environment.value(&the_loop.first)?;
        let bound = self.environment.value(&the_loop.bound)?;
        let step = self.environment.value(&the_loop.step)?;
        let (Some(first), Some(bound), Some(step)) = (first, bound, step) else {
            return self.uncounted(the_loop);
        };
        self.environment.assign(variable, Some(first));
        let mut value = first;
        let mut iterations = 0;
        while goes_on(value, the_loop.comparison, bound) {
            iterations += 1;
            if iterations > self.budget {
                return Err(Failure::Budget);
            }
            self.nodes(&the_loop.body, arm)?;
            value = value.checked_add(step).ok_or(Failure::Overflow)?;
            self.environment.assign(variable, Some(value));
        }
        Ok(())
    }

    /// A loop that may run any number of times: as if it were opaque, where it does anything to arrays.
    fn uncounted(&mut self, the_loop: &Loop) -> Result<(), Failure> {
        if !leaves_arrays_alone(&the_loop.body) {
            self.opaque()?;
        }
        let mut assigned = BTreeSet::from([the_loop.variable]);
        assigned_in(&the_loop.body, &mut assigned);
        references_in(&the_loop.body, &mut self.trace.uncounted);
        for variable in assigned {
            self.environment.assign(variable, None);
        }
        Ok(())
    }

    fn branch(
        &mut self,
        condition: &Expression,
        then: &[Node],
        otherwise: &[Node],
        arm: Option<ArmId>,
    ) -> Result<(), Failure> {
        let condition = match (self.environment.value(condition)?, &mut self.choices) {
            (Some(value), _) => Some(value != 0),
            (None, Choices::Decided(choose)) => Some(choose(2) == 1),
            (None, Choices::Open) => None,
        };
        match condition {
            Some(true) => self.nodes(then, arm),
            Some(false) => self.nodes(otherwise, arm),
            None => {
                let before = self.environment.clone();
                let then_arm = self.trace.arms.enter(arm);
                self.nodes(then, Some(then_arm))?;
                let after_then = std::mem::replace(&mut self.environment, before);
                let other_arm = self.trace.arms.enter(arm);
                self.nodes(otherwise, Some(other_arm))?;
                let same = |id: &VariableId, value: &mut i64| {
                    after_then.variables.get(id) == Some(&*value)
                };
                self.environment.variables.retain(same);
                Ok(())
            }
        }
    }

    fn access(&mut self, id: ReferenceId, arm: Option<ArmId>) -> Result<(), Failure> {
        let reference = &self.tree.references[id];
        let offset = self.environment.value(&reference.offset)?;
        let place = self.places[&reference.array];
        let address = match self.decide(offset, place, reference.size) {
            Some(offset) => Some(add(place.base, offset)?),
            None => None,
        };
        self.event(Event::Access {
            reference: id,
            kind: reference.kind,
            array: reference.array,
            address,
            size: reference.size,
            arm,
        })
    }

    /// Where the offset is not known but must be, one inside the array.
    fn decide(&mut self, offset: Value, place: Place, size: u32) -> Value {
        match (offset, &mut self.choices) {
            (None, Choices::Decided(choose)) => {
                let size = u64::from(size.max(1));
                let elements = (place.extent / size).max(1);
                i64::try_from(choose(elements) * size).ok()
            }
            (offset, _) => offset,
        }
    }

    fn opaque(&mut self) -> Result<(), Failure> {
        let Choices::Decided(choose) = &mut self.choices else {
            return self.event(Event::Opaque);
        };
        let mut touches = Vec::new();
        for _ in 0..choose(4) {
            let idx = choose(self.places.len() as u64);
            let Some(place) = self.places.values().nth(usize::try_from(idx).unwrap_or(0)) else {
                break;
            };
            let address = place.base + choose(place.extent.max(1));
            let kind = [AccessKind::Load, AccessKind::Store][usize::from(choose(2) == 1)];
            touches.push(Event::Foreign {
                address,
                size: 1,
                kind,
            });
        }
        touches.into_iter().try_for_each(|touch| self.event(touch))
    }

    fn event(&mut self, event: Event) -> Result<(), Failure> {
        if self.trace.events.len() as u64 >= self.budget {
            return Err(Failure::Budget);
        }
        self.trace.events.push(event);
        Ok(())
    }
}

pub(super) fn goes_on(value: i64, comparison: Comparison, bound: i64) -> bool {
    match comparison {
        Comparison::Less => value < bound,
        Comparison::LessEqual => value <= bound,
        Comparison::Greater => value > bound,
        Comparison::GreaterEqual => value >= bound,
        Comparison::NotEqual => value != bound,
    }
}

fn add(base: u64, offset: i64) -> Result<u64, Failure> {
    base.checked_add_signed(offset).ok_or(Failure::Overflow)
}

fn assigned_in(nodes: &[Node], assigned: &mut BTreeSet<VariableId>) {
    for node in nodes {
        match node {
            Node::Loop(the_loop) => {
                assigned.insert(the_loop.variable);
                assigned_in(&the_loop.body, assigned);
            }
            Node::Branch {
                then, otherwise, ..
            } => {
                assigned_in(then, assigned);
                assigned_in(otherwise, assigned);
            }
            Node::Assign { variable, .. } => {
                assigned.insert(*variable);
            }
            Node::Access(_) | Node::Opaque(_) | Node::Operations(_) => {}
        }
    }
}

fn leaves_arrays_alone(nodes: &[Node]) -> bool {
    let mut inner = nodes.iter();
    inner.all(|node| match node {
        Node::Assign { .. } | Node::Operations(_) => true,
        Node::Loop(the_loop) => leaves_arrays_alone(&the_loop.body),
        Node::Branch {
            then, otherwise, ..
        } => leaves_arrays_alone(then) && leaves_arrays_alone(otherwise),
        Node::Access(_) | Node::Opaque(_) => false,
    })
}

fn references_in(nodes: &[Node], references: &mut BTreeSet<ReferenceId>) {
    for node in nodes {
        match node {
            Node::Loop(the_loop) => references_in(&the_loop.body, references),
            Node::Branch {
                then, otherwise, ..
            } => {
                references_in(then, references);
                references_in(otherwise, references);
            }
            Node::Access(reference) => {
                references.insert(*reference);
            }
            Node::Assign { .. } | Node::Opaque(_) | Node::Operations(_) => {}
        }
    }
}
