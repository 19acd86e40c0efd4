//! How often each place of a function is executed, found by executing it.

use super::Failure;
use super::evaluate::Environment;
use super::walk::goes_on;
use premiss_histogram::Counted;
use premiss_tree::{
    Loop, LoopId, NestTree, Node, OperationsId, ParameterId, ReferenceId, VariableId,
};
use std::collections::{BTreeMap, BTreeSet};

/// How often places are executed. Those that are absent never are.
#[derive(Clone, Debug, Default)]
pub struct Executed {
    /// Each place where arithmetic runs.
    pub operations: BTreeMap<OperationsId, Times>,
    /// Each reference.
    pub references: BTreeMap<ReferenceId, Times>,
    /// The body of each loop.
    pub iterations: BTreeMap<LoopId, Times>,
    /// How many iterations and nodes may follow.
    left: u64,
}

/// How often a place is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Times {
    certain: u64,
    possible: u64,
    is_unknown: bool,
}

impl Times {
    /// The number.
    #[must_use]
    pub fn counted(self) -> Counted {
        match self.is_unknown {
            true => Counted::Unknown,
            false => Counted::between(self.certain, self.certain + self.possible),
        }
    }

    fn add(&mut self, certainty: ExecutionCertainty) {
        match certainty {
            ExecutionCertainty::Certain => self.certain += 1,
            ExecutionCertainty::Possible => self.possible += 1,
            ExecutionCertainty::Unknown => self.is_unknown = true,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ExecutionCertainty {
    Certain,
    Possible,
    /// Inside of a loop of which nobody knows how often it runs.
    Unknown,
}

/// Executes a function with its arithmetic, in at most so many steps. Sizes without a value are not known.
///
/// # Errors
///
/// More steps than that; a number that does not fit.
pub fn executed(
    tree: &NestTree,
    sizes: &BTreeMap<ParameterId, i64>,
    budget: u64,
) -> Result<Executed, Failure> {
    let work = &tree.work;
    let value = |(id, parameter): (ParameterId, &premiss_tree::Parameter)| {
        let value = parameter.value.or(sizes.get(&id).copied());
        value.map(|value| (id, value))
    };
    let mut walk = Walk {
        environment: Environment {
            parameters: work.parameters.iter().filter_map(value).collect(),
            variables: BTreeMap::new(),
            tables: work.tables.clone(),
        },
        executed: Executed {
            left: budget,
            ..Executed::default()
        },
    };
    walk.nodes(&work.body, ExecutionCertainty::Certain)?;
    Ok(walk.executed)
}

struct Walk {
    environment: Environment,
    executed: Executed,
}

impl Walk {
    fn nodes(&mut self, nodes: &[Node], certainty: ExecutionCertainty) -> Result<(), Failure> {
        for node in nodes {
            self.executed.left = self.executed.left.checked_sub(1).ok_or(Failure::Budget)?;
            match node {
                Node::Operations(id) => self
                    .executed
                    .operations
                    .entry(*id)
                    .or_default()
                    .add(certainty),
                Node::Access(id) => self
                    .executed
                    .references
                    .entry(*id)
                    .or_default()
                    .add(certainty),
                Node::Opaque(_) => {}
                Node::Assign { variable, value } => {
                    let value = self.environment.value(value)?;
                    self.environment.assign(*variable, value);
                }
                Node::Branch {
                    condition,
                    then,
                    otherwise,
                } => match self.environment.value(condition)? {
                    Some(0) => self.nodes(otherwise, certainty)?,
                    Some(_) => self.nodes(then, certainty)?,
                    None => self.either(then, otherwise, certainty)?,
                },
                Node::Loop(inner) => self.repeat(inner, certainty)?,
            }
        }
        Ok(())
    }

    /// One of two arms, nobody knows which.
    fn either(
        &mut self,
        then: &[Node],
        otherwise: &[Node],
        certainty: ExecutionCertainty,
    ) -> Result<(), Failure> {
        let certainty = match certainty {
            ExecutionCertainty::Certain => ExecutionCertainty::Possible,
            certainty => certainty,
        };
        let before = self.environment.clone();
        self.nodes(then, certainty)?;
        let after = std::mem::replace(&mut self.environment, before);
        self.nodes(otherwise, certainty)?;
        let same = |id: &VariableId, value: &mut i64| after.variables.get(id) == Some(&*value);
        self.environment.variables.retain(same);
        Ok(())
    }

    fn repeat(&mut self, inner: &Loop, certainty: ExecutionCertainty) -> Result<(), Failure> {
        let first = self.environment.value(&inner.first)?;
        let bound = self.environment.value(&inner.bound)?;
        let step = self.environment.value(&inner.step)?;
        let (Some(mut value), Some(bound), Some(step)) = (first, bound, step) else {
            return self.uncounted(inner);
        };
        self.environment.assign(inner.variable, Some(value));
        while goes_on(value, inner.comparison, bound) {
            self.executed
                .iterations
                .entry(inner.id)
                .or_default()
                .add(certainty);
            self.nodes(&inner.body, certainty)?;
            value = value.checked_add(step).ok_or(Failure::Overflow)?;
            self.environment.assign(inner.variable, Some(value));
        }
        Ok(())
    }

    /// A loop that runs an unknown number of times: whatever it does is unknown.
    fn uncounted(&mut self, inner: &Loop) -> Result<(), Failure> {
        let mut changed = BTreeSet::from([inner.variable]);
        let node = Node::Loop(inner.clone());
        node.walk(&mut |node| match node {
            Node::Operations(id) => {
                self.executed
                    .operations
                    .entry(*id)
                    .or_default()
                    .add(ExecutionCertainty::Unknown);
            }
            Node::Access(id) => {
                self.executed
                    .references
                    .entry(*id)
                    .or_default()
                    .add(ExecutionCertainty::Unknown);
            }
            Node::Loop(inner) => {
                self.executed
                    .iterations
                    .entry(inner.id)
                    .or_default()
                    .add(ExecutionCertainty::Unknown);
                changed.insert(inner.variable);
            }
            Node::Assign { variable, .. } => {
                changed.insert(*variable);
            }
            Node::Branch { .. } | Node::Opaque(_) => {}
        });
        for variable in changed {
            self.environment.assign(variable, None);
        }
        Ok(())
    }
}
