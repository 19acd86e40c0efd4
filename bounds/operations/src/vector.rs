//! Which innermost loops may run as vectors, and what hinders the others.
//!
//! A loop may where dependences allow it (Allen and Kennedy 1987): no iteration needs what an earlier one of the same
//! vector makes, neither in an array (`arrays.rs`) nor in a variable (`scalars.rs`). Statements stay in their order.
//! What is not understood counts as a hindrance: a loop that is reported to be a vector is one, whatever its data.
//!
//! ```text
//! y[i] += a * x[i];           yes
//! s += x[i] * y[i];           a reduction: partial sums, if sums may be reordered
//! x[i] = b[i] - x[i - 1];     no: x[i] is needed one iteration later
//! x[i] = x[i - 4] + 1;        yes, in vectors of at most four lanes
//! if (m[i] > 0) y[i] = 0;     yes, under a mask
//! ```

mod arrays;
mod scalars;
mod slice;

use premiss_dataflow::DependenceKind;
use premiss_tree::{Expression, Loop, LoopId, NestTree, Node, OperationKind, ReferenceId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The greatest number of loops of a function that are examined.
const MOST_LOOPS: usize = 400;

/// Functions that compilers and their vector libraries have for vectors, by their names in C.
const FUNCTIONS: &str = "abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp \
    exp10 exp2 expm1 fabs fdim floor fma fmax fmin hypot log log10 log1p log2 nearbyint pow rint round sin \
    sinh tan tanh trunc sincos isnan isinf isfinite signbit isgreater isless isgreaterequal islessequal \
    isunordered __builtin_isnan __builtin_isinf __builtin_isfinite __builtin_assume __builtin_prefetch \
    _mm_prefetch __builtin_unreachable __builtin_popcount cabs carg cimag creal conj";

/// Whether the iterations of an innermost loop may run side by side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vectorisable {
    /// Whether, and under which condition.
    pub verdict: Verdict,
    /// The dependence whose distance is the most iterations of one vector; `None` where there is no limit.
    pub most: Option<Carried>,
    /// Whether data decide what each iteration executes, so that vectors need masks.
    pub is_masked: bool,
}

/// Whether a loop may run as vectors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It may, as it is.
    Yes,
    /// It may if the operations that combine these may be reordered: variables and elements, by their text.
    Reduction(Vec<String>),
    /// It may not.
    No(Hindrance),
}

/// A dependence between iterations of a loop: that of the source is before that of the sink.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Carried {
    /// The reference that touches an element first.
    pub source: ReferenceId,
    /// The reference that touches it later.
    pub sink: ReferenceId,
    /// Which of the two store.
    pub kind: DependenceKind,
    /// The least number of iterations from source to sink.
    pub distance: i64,
}

/// What keeps a loop from running as vectors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Hindrance {
    /// The next iteration touches an element that this one touches.
    Carried(Carried),
    /// Where a store goes is data: two iterations may store to the same place.
    Scatter(ReferenceId),
    /// Where a load comes from is data, and another reference stores to the array.
    Gather(ReferenceId),
    /// An iteration needs the value that a variable has from the one before.
    Scalar(String),
    /// A function is called that has no known vector version.
    Call(Arc<str>),
    /// Data decide which iteration is the last.
    EndsByData,
    /// It was not understood, for this reason.
    Unknown(&'static str),
}

impl Vectorisable {
    /// How many of the lanes of a machine the loop may use; 1 where it may not run as vectors.
    #[must_use]
    pub fn lanes(&self, of_machine: u64) -> u64 {
        match (&self.verdict, &self.most) {
            (Verdict::No(_), _) => 1,
            (_, Some(most)) => {
                let most = u64::try_from(most.distance).unwrap_or(1).max(1);
                // Vectors have lengths that are powers of two.
                of_machine.min(1 << most.ilog2()).max(1)
            }
            (_, None) => of_machine.max(1),
        }
    }

    fn no(why: Hindrance) -> Self {
        Self {
            verdict: Verdict::No(why),
            most: None,
            is_masked: false,
        }
    }
}

/// For each innermost loop of a function, by its id, whether it may run as vectors. The tree must have its arithmetic
/// (`work`); sizes without a value may have any. `budget` limits the operations on sets for each loop.
#[must_use]
pub fn vectorisable(tree: &NestTree, budget: u64) -> BTreeMap<LoopId, Vectorisable> {
    let mut innermost = Vec::new();
    find_innermost(&tree.work.body, &mut innermost);
    let mut bare = slice::bare(tree);
    let mut found: BTreeMap<LoopId, Vectorisable> = BTreeMap::new();
    for (n_seen, inner) in innermost.into_iter().enumerate() {
        let own = match n_seen < MOST_LOOPS {
            true => verdict(tree, &mut bare, inner, budget),
            false => Vectorisable::no(Hindrance::Unknown("the function has too many loops")),
        };
        // Of a loop that is in the tree more than once, all occurrences must be vectors.
        let known = found.entry(inner.id).or_insert_with(|| own.clone());
        if matches!(own.verdict, Verdict::No(_)) {
            *known = own;
        }
    }
    found
}

fn verdict(tree: &NestTree, bare: &mut NestTree, inner: &Loop, budget: u64) -> Vectorisable {
    let mut judged = || -> Result<Vectorisable, Hindrance> {
        understood(tree, inner)?;
        let mut reduced = scalars::reductions(tree, inner)?;
        let arrays = arrays::examined(tree, bare, inner, budget)?;
        reduced.extend(arrays.reduced);
        Ok(Vectorisable {
            verdict: match reduced.is_empty() {
                true => Verdict::Yes,
                false => Verdict::Reduction(reduced.into_iter().collect()),
            },
            most: arrays.most,
            is_masked: is_masked(&inner.body),
        })
    };
    judged().unwrap_or_else(Vectorisable::no)
}

/// Refuses what no analysis of values helps against.
fn understood(tree: &NestTree, inner: &Loop) -> Result<(), Hindrance> {
    let mut result = Ok(());
    let mut note = |why: Hindrance| {
        if result.is_ok() {
            result = Err(why);
        }
    };
    if tree.work.ended_by_data.contains(&inner.id) {
        note(Hindrance::EndsByData);
    }
    let mut look = |arithmetic: &premiss_tree::Arithmetic| {
        let named = arithmetic
            .performed
            .keys()
            .filter_map(|operation| match &operation.kind {
                OperationKind::Call(name) => Some(name),
                _ => None,
            });
        for name in named.chain(&arithmetic.calls) {
            if !FUNCTIONS.split_whitespace().any(|known| known == &**name) {
                note(Hindrance::Call(name.clone()));
            }
        }
        if arithmetic.is_veiled {
            note(Hindrance::Unknown(
                "variables are used through pointers, or structs as a whole",
            ));
        }
    };
    look(&tree.work.headers[inner.id]);
    let mut is_opaque = false;
    for node in &inner.body {
        node.walk(&mut |node| match node {
            Node::Operations(id) => look(&tree.work.operations[*id].arithmetic),
            Node::Opaque(_) => is_opaque = true,
            _ => {}
        });
    }
    if is_opaque {
        note(Hindrance::Unknown("it has an unsupported construct"));
    }
    result
}

/// Whether a branch depends on data.
fn is_masked(nodes: &[Node]) -> bool {
    let mut found = false;
    for node in nodes {
        node.walk(&mut |node| {
            if let Node::Branch { condition, .. } = node {
                found |= condition.any(|part| *part == Expression::Data);
            }
        });
    }
    found
}

fn find_innermost<'n>(nodes: &'n [Node], found: &mut Vec<&'n Loop>) {
    for node in nodes {
        match node {
            Node::Loop(inner) => {
                let before = found.len();
                find_innermost(&inner.body, found);
                if found.len() == before {
                    found.push(inner);
                }
            }
            Node::Branch {
                then, otherwise, ..
            } => {
                find_innermost(then, found);
                find_innermost(otherwise, found);
            }
            Node::Access(_) | Node::Assign { .. } | Node::Opaque(_) | Node::Operations(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_tree::{Comparison, EntityRef, VariableId};

    fn carried(distance: i64) -> Carried {
        Carried {
            source: ReferenceId::new(1),
            sink: ReferenceId::new(0),
            kind: DependenceKind::Flow,
            distance,
        }
    }

    /// A loop over an iterator that nothing else uses.
    fn counted(id: usize, body: Vec<Node>) -> Node {
        Node::Loop(Loop {
            id: LoopId::new(id),
            variable: VariableId::new(id),
            first: 0.into(),
            comparison: Comparison::Less,
            bound: 10.into(),
            step: 1.into(),
            body,
        })
    }

    fn branch(condition: Expression, then: Vec<Node>) -> Node {
        Node::Branch {
            condition,
            then,
            otherwise: Vec::new(),
        }
    }

    #[test]
    fn lanes_are_a_power_of_two_that_no_dependence_crosses() {
        let lanes = |distance: i64, of_machine: u64| {
            let judged = Vectorisable {
                verdict: Verdict::Yes,
                most: Some(carried(distance)),
                is_masked: false,
            };
            judged.lanes(of_machine)
        };
        let of_eight = [2, 3, 4, 7, 8, 9, 63].map(|distance| lanes(distance, 8));
        assert_eq!(of_eight, [2, 2, 4, 4, 8, 8, 8]);
        assert_eq!(lanes(63, 1), 1);
        assert_eq!(lanes(4, 0), 1, "a machine has a lane");
    }

    #[test]
    fn all_lanes_are_used_without_a_dependence_and_one_where_something_hinders() {
        let judged = |verdict: Verdict| Vectorisable {
            verdict,
            most: None,
            is_masked: false,
        };
        assert_eq!(judged(Verdict::Yes).lanes(8), 8);
        let sum = Verdict::Reduction(vec!["s".to_owned()]);
        assert_eq!(judged(sum).lanes(8), 8);
        assert_eq!(Vectorisable::no(Hindrance::EndsByData).lanes(8), 1);
        assert_eq!(Vectorisable::no(Hindrance::Carried(carried(1))).lanes(8), 1);
    }

    #[test]
    fn innermost_loops_have_no_loop_in_them_not_even_in_a_branch() {
        let nodes = [
            counted(0, vec![counted(1, Vec::new()), counted(2, Vec::new())]),
            counted(
                3,
                vec![branch(Expression::Data, vec![counted(4, Vec::new())])],
            ),
            counted(5, vec![branch(Expression::Data, Vec::new())]),
        ];
        let mut found = Vec::new();
        find_innermost(&nodes, &mut found);
        let ids: Vec<usize> = found.iter().map(|inner| inner.id.index()).collect();
        assert_eq!(ids, [1, 2, 4, 5]);
    }

    #[test]
    fn only_branches_that_data_decide_need_masks() {
        let known = Expression::Variable(VariableId::new(0));
        assert!(!is_masked(&[branch(known.clone(), Vec::new())]));
        let inner = branch(Expression::Data, Vec::new());
        assert!(is_masked(&[branch(known, vec![inner])]));
        let assigned = Node::Assign {
            variable: VariableId::new(0),
            value: Expression::Data,
        };
        assert!(!is_masked(&[assigned]));
    }
}
