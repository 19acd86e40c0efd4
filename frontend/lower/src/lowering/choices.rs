//! Pointers of which a branch decides where they point.
//!
//! Where the arms of a branch leave a pointer in different arrays, a variable of the tree notes which
//! arm was taken, and an access through the pointer is a branch on that variable:
//!
//! ```text
//! if (flag) p = a;                    if (flag) arm = 0
//! else      p = b;                    else      arm = 1
//! p[i] = 0;                           if (arm == 0) a[i] = 0  else  b[i] = 0
//! ```
//!
//! Inside of loops a pointer may outlive the iteration that chose, and the variable with it: there
//! nobody knows any more where the pointer points, but for those that [`super::exchange`] follows.

use super::memory::Memory;
use super::types::INT;
use super::value::{ArrayRow, Choice, Place, State, Target, Value};
use super::{Lowered, Lowering};
use crate::syntax::At;
use imbl::ordmap::DiffItem;
use premiss_tree::{BinaryOperator as Op, Expression, Node, VariableId};
use std::rc::Rc;

/// How many choices may lie inside each other.
const MAX_CHOICES: usize = 4;

/// The name of the variables that note which arm was taken; no variable of a program has it.
const SELECTOR: &str = "arm?";

/// One of two values: the first where the selector is 0.
pub(super) fn either(selector: VariableId, first: Expression, second: Expression) -> Expression {
    super::integers::choose(is_first(selector), first, second)
}

/// Whether the first of both was chosen.
fn is_first(selector: VariableId) -> Expression {
    Expression::binary(Op::Equal, Expression::Variable(selector), 0.into())
}

impl Choice {
    fn depth(&self) -> usize {
        1 + self.first.n_choices().max(self.second.n_choices())
    }
}

impl Target {
    /// The arrays that it may be.
    pub(super) fn arrays(&self) -> Vec<ArrayRow> {
        match self {
            Self::Array(row) | Self::Fresh(row) => vec![*row],
            Self::OneOf(choice) => {
                let mut rows = choice.first.arrays();
                rows.append(&mut choice.second.arrays());
                rows
            }
            _ => Vec::new(),
        }
    }

    /// Whether it depends on one of these variables where it points.
    pub(super) fn depends_on(&self, is_one: &impl Fn(VariableId) -> bool) -> bool {
        match self {
            Self::OneOf(choice) => {
                is_one(choice.selector)
                    || choice.first.depends_on(is_one)
                    || choice.second.depends_on(is_one)
            }
            _ => false,
        }
    }

    fn n_choices(&self) -> usize {
        match self {
            Self::OneOf(choice) => choice.depth(),
            _ => 0,
        }
    }

    /// Whether a pointer to this and one to another may be one that a branch chose.
    fn is_choosable(&self) -> bool {
        let is_known = matches!(
            self,
            Self::Array(_) | Self::Fresh(_) | Self::Register(_) | Self::OneOf(_)
        );
        is_known && self.n_choices() < MAX_CHOICES
    }

    /// One of two, by a variable; `None` where they are the same or not both known.
    pub(super) fn either(&self, other: &Self, selector: VariableId) -> Option<Self> {
        let is_fine = self != other && self.is_choosable() && other.is_choosable();
        is_fine.then(|| {
            Self::OneOf(Rc::new(Choice {
                selector,
                first: self.clone(),
                second: other.clone(),
            }))
        })
    }
}

impl Lowering<'_> {
    /// Gives pointers that two arms leave in different arrays one target, after the first arm the
    /// state `first`, after the second the present one; the nodes note which arm was taken.
    pub(super) fn reconcile(
        &mut self,
        first: &mut State,
        first_nodes: &mut Vec<Node>,
        second_nodes: &mut Vec<Node>,
    ) {
        if self.is_in_loop() {
            return;
        }
        // It is made where something needs it.
        let selector = self.next_variable();
        let mut found = Vec::new();
        for difference in first.pointers.diff(&self.state.pointers) {
            if let DiffItem::Update { old, new } = difference
                && let Some(either) = old.1.either(new.1, selector)
            {
                found.push((*old.0, either));
            }
        }
        let mut is_needed = !found.is_empty();
        for (id, either) in found {
            first.pointers.insert(id, either.clone());
            self.state.pointers.insert(id, either);
        }
        is_needed |= Memory::reconcile(&mut first.memory, &mut self.state.memory, selector);
        if is_needed {
            self.new_selector();
            first_nodes.push(assignment(selector, 0));
            second_nodes.push(assignment(selector, 1));
            self.n_nodes += 2;
        }
    }

    pub(super) fn new_selector(&mut self) -> VariableId {
        let id = self.new_variable(SELECTOR, INT, false);
        let row = &mut self.variables[id.as_u32() as usize];
        row.is_fixed = true;
        row.frame = 0;
        id
    }

    /// The target of `condition ? a : b`.
    pub(super) fn chosen_target(
        &mut self,
        condition: &Expression,
        a: &Target,
        b: &Target,
    ) -> Target {
        let joined = a.join(b);
        let is_data = condition.any(|part| *part == Expression::Data);
        if joined != Target::Ambiguous || is_data {
            return joined;
        }
        if let Expression::Binary(Op::Equal, left, right) = condition
            && let (Expression::Variable(selector), Some(0)) = (&**left, right.as_integer())
            && self.variable(*selector).name == SELECTOR
        {
            return a.either(b, *selector).unwrap_or(joined);
        }
        if self.is_in_loop() {
            return joined;
        }
        let selector = self.new_selector();
        let Some(either) = a.either(b, selector) else {
            return joined;
        };
        let arm = super::integers::choose(condition.clone(), 0.into(), 1.into());
        self.emit(Node::Assign {
            variable: selector,
            value: arm,
        });
        either
    }

    /// Does the same with either place of a choice; yields both values.
    pub(super) fn with_either<T>(
        &mut self,
        choice: &Choice,
        lower: impl Fn(&mut Self, Target) -> T,
    ) -> Lowered<(Expression, Vec<T>)> {
        let condition = is_first(choice.selector);
        let values = self.branch_values(
            condition.clone(),
            |l| Ok(lower(l, choice.first.clone())),
            |l| Ok(lower(l, choice.second.clone())),
        )?;
        Ok((condition, values))
    }

    /// Loads from either place.
    pub(super) fn load_either(&mut self, choice: &Choice, place: &Place) -> Value {
        let loaded = self.with_either(choice, |l, target| l.load(place.at_target(target)));
        if let Ok((condition, mut values)) = loaded
            && let (Some(b), Some(a)) = (values.pop(), values.pop())
        {
            return self.chosen(condition, a, b);
        }
        super::access::data(super::expressions::place_type(place))
    }

    /// Stores to either place.
    pub(super) fn store_either(&mut self, choice: &Choice, place: &Place, value: &Value, at: At) {
        // Storing fails nowhere.
        let _ = self.with_either(choice, |l, target| {
            l.store(&place.at_target(target), value.clone(), at);
        });
    }
}

fn assignment(selector: VariableId, arm: i64) -> Node {
    Node::Assign {
        variable: selector,
        value: arm.into(),
    }
}

impl Place {
    /// The same place in another target.
    fn at_target(&self, target: Target) -> Self {
        match self.clone() {
            Self::Element {
                offset, kind, at, ..
            } => Self::Element {
                target,
                offset,
                kind,
                at,
            },
            other => other,
        }
    }
}
