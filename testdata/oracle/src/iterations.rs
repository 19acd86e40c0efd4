//! Executes a tree and lists its accesses with the iterations that make them.

use super::Failure;
use super::evaluate::Environment;
use super::walk::goes_on;
use premiss_tree::{Loop, LoopId, NestTree, Node, ParameterId, ReferenceId};
use std::collections::BTreeMap;

/// One iteration of a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Iteration {
    /// The loop.
    pub id: LoopId,
    /// The value of the loop's variable where its step is one, up or down; else how many iterations
    /// came before it since the loop was entered.
    pub value: i64,
    /// What later iterations have more of: the value, or where the loop counts down what it lacks.
    pub order: i64,
}

/// One access.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Iterated {
    /// Who.
    pub reference: ReferenceId,
    /// The byte within the array.
    pub offset: i64,
    /// Where, outermost loop first.
    pub iterations: Vec<Iteration>,
}

/// The accesses of a tree in order; none where data or what was not understood decides something.
///
/// # Errors
/// There are more accesses than the budget allows, or a number does not fit.
pub fn iterated(
    tree: &NestTree,
    sizes: &BTreeMap<ParameterId, i64>,
    budget: usize,
) -> Result<Option<Vec<Iterated>>, Failure> {
    let mut environment = Environment::default();
    for (id, parameter) in &tree.parameters {
        if let Some(value) = parameter.value.or(sizes.get(&id).copied()) {
            environment.parameters.insert(id, value);
        }
    }
    let mut walk = Walk {
        tree,
        environment,
        budget,
        loops: Vec::new(),
        accesses: Vec::new(),
    };
    let is_known = walk.nodes(&tree.body)?;
    Ok(is_known.then_some(walk.accesses))
}

struct Walk<'a> {
    tree: &'a NestTree,
    environment: Environment,
    budget: usize,
    loops: Vec<Iteration>,
    accesses: Vec<Iterated>,
}

impl Walk<'_> {
    /// Whether everything was known.
    fn nodes(&mut self, nodes: &[Node]) -> Result<bool, Failure> {
        for node in nodes {
            let is_known = match node {
                Node::Loop(inner) => self.repeat(inner)?,
                Node::Access(reference) => self.access(*reference)?,
                Node::Branch {
                    condition,
                    then,
                    otherwise,
                } => match self.environment.value(condition)? {
                    Some(0) => self.nodes(otherwise)?,
                    Some(_) => self.nodes(then)?,
                    None => false,
                },
                Node::Assign { variable, value } => {
                    let value = self.environment.value(value)?;
                    self.environment.assign(*variable, value);
                    true
                }
                Node::Opaque(_) | Node::Operations(_) => false,
            };
            if !is_known {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn repeat(&mut self, inner: &Loop) -> Result<bool, Failure> {
        let first = self.environment.value(&inner.first)?;
        let bound = self.environment.value(&inner.bound)?;
        let step = self.environment.value(&inner.step)?;
        let (Some(mut value), Some(bound), Some(step)) = (first, bound, step) else {
            return Ok(false);
        };
        self.environment.assign(inner.variable, Some(value));
        let mut count = 0;
        while goes_on(value, inner.comparison, bound) {
            if usize::try_from(count).is_ok_and(|count| self.budget < count) {
                return Err(Failure::Budget);
            }
            self.loops.push(Iteration {
                id: inner.id,
                value: if step.abs() == 1 { value } else { count },
                order: match step {
                    1 => value,
                    -1 => -value,
                    _ => count,
                },
            });
            let is_known = self.nodes(&inner.body)?;
            self.loops.pop();
            if !is_known {
                return Ok(false);
            }
            count += 1;
            value = value.checked_add(step).ok_or(Failure::Overflow)?;
            self.environment.assign(inner.variable, Some(value));
        }
        Ok(true)
    }

    fn access(&mut self, reference: ReferenceId) -> Result<bool, Failure> {
        let offset = &self.tree.references[reference].offset;
        let Some(offset) = self.environment.value(offset)? else {
            return Ok(false);
        };
        if self.budget <= self.accesses.len() {
            return Err(Failure::Budget);
        }
        self.accesses.push(Iterated {
            reference,
            offset,
            iterations: self.loops.clone(),
        });
        Ok(true)
    }
}
