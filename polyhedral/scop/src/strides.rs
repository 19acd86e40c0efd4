//! First locations and strides of references, loop by loop.
//!
//! Marin and Mellor-Crummey, *Scalable Cross-Architecture Predictions of Memory Hierarchy Response
//! for Scientific Applications* (2005), section 2, on source instead of binaries: where a reference
//! goes first, by how much it moves from one iteration of each loop around to the next, and which
//! references move alike. Nothing is rejected: what is not understood is flagged.

use imbl::OrdMap;
use premiss_tree::{
    ArrayId, BinaryOperator, Expression, Loop, LoopId, NestTree, Node, ParameterId, ReferenceId,
    UnaryOperator, VariableId,
};
use std::collections::{BTreeMap, BTreeSet};

/// A polynomial in sizes: the coefficient of each product of them, sorted; none is zero.
pub type SizePolynomial = BTreeMap<Vec<ParameterId>, i64>;

/// The value of a polynomial with `size` giving the value of each size; `None` where `size` yields none, or a number
/// does not fit 64 bits.
#[must_use]
pub fn value_of(
    polynomial: &SizePolynomial,
    size: impl Fn(ParameterId) -> Option<i64>,
) -> Option<i64> {
    let mut sum = 0_i64;
    for (product, coefficient) in polynomial {
        let mut term = *coefficient;
        for id in product {
            term = term.checked_mul(size(*id)?)?;
        }
        sum = sum.checked_add(term)?;
    }
    Some(sum)
}

/// How the location of a reference changes from one iteration of a loop to the next.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Stride {
    /// The loop.
    pub id: LoopId,
    /// The change in bytes; `None` where it is irregular.
    pub bytes: Option<SizePolynomial>,
    /// Whether it may depend on data that is read within the loop: an indirect access. A tree does not say where data
    /// that an address depends on was read, which may then be within any loop around.
    pub indirect: bool,
}

impl Stride {
    /// Whether the change is not known to be the same in all iterations of this loop and of those
    /// around it. An unknown address is taken to change with every loop that its parts change with.
    #[must_use]
    pub fn irregular(&self) -> bool {
        self.bytes.is_none()
    }
}

/// The first location of a reference, and its stride in each loop around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
    /// The reference.
    pub reference: ReferenceId,
    /// Bytes from the start of its array in the first iteration of all loops; `None` where data or
    /// more than sums and products decide it.
    pub first: Option<SizePolynomial>,
    /// The strides, one for each loop around, outermost first.
    pub strides: Vec<Stride>,
}

/// The first location and strides of every reference, one formula for each access in the tree, in order of execution.
#[must_use]
pub fn formulae(tree: &NestTree) -> Vec<Formula> {
    let mut walk = StrideCollector {
        tree,
        loops: Vec::new(),
        values: OrdMap::new(),
        formulas: Vec::new(),
    };
    walk.nodes(&tree.body);
    walk.formulas
}

/// Groups of references of similar access patterns: those to one array in the same loops that have equal strides in
/// each of them, none irregular, in order of execution; every other reference is alone in its group. (The paper's
/// definition is of strides alone, and would put vectors that are walked in step into one group.)
#[must_use]
pub fn similar(tree: &NestTree, formulae: &[Formula]) -> Vec<Vec<ReferenceId>> {
    let mut groups: Vec<Vec<ReferenceId>> = Vec::new();
    let mut regular: BTreeMap<(ArrayId, &[Stride]), usize> = BTreeMap::new();
    for formula in formulae {
        let key = (
            tree.references[formula.reference].array,
            &formula.strides[..],
        );
        let own = match formula.strides.iter().any(Stride::irregular) {
            true => groups.len(),
            false => *regular.entry(key).or_insert(groups.len()),
        };
        match groups.get_mut(own) {
            Some(group) => group.push(formula.reference),
            None => groups.push(vec![formula.reference]),
        }
    }
    groups
}

/// What an integer is made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Symbol {
    Size(ParameterId),
    /// How many iterations of a loop came before.
    Count(LoopId),
}

type Polynomial = BTreeMap<Vec<Symbol>, i64>;

/// What is known of an integer.
#[derive(Clone, Default)]
struct IntegerValue {
    /// As sums and products.
    polynomial: Option<Polynomial>,
    /// Loops that it may change with.
    varies: BTreeSet<LoopId>,
    /// Loops in which data is read that it depends on.
    indirect: BTreeSet<LoopId>,
}

/// The tree, walked in order of execution.
struct StrideCollector<'a> {
    tree: &'a NestTree,
    /// The loops around, outermost first.
    loops: Vec<LoopId>,
    /// Copies share what they have in common: a branch keeps the values before it.
    values: OrdMap<VariableId, IntegerValue>,
    formulas: Vec<Formula>,
}

impl StrideCollector<'_> {
    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Loop(inner) => self.repeat(inner),
                Node::Access(reference) => self.access(*reference),
                Node::Assign { variable, value } => {
                    let value = self.value(value);
                    self.values.insert(*variable, value);
                }
                Node::Branch {
                    then, otherwise, ..
                } => {
                    let before = self.values.clone();
                    self.nodes(then);
                    self.values = before;
                    self.nodes(otherwise);
                    self.forget(then);
                    self.forget(otherwise);
                }
                Node::Opaque(_) | Node::Operations(_) => {}
            }
        }
    }

    fn repeat(&mut self, inner: &Loop) {
        let first = self.value(&inner.first);
        let step = self.value(&inner.step);
        self.loops.push(inner.id);
        self.forget(&inner.body);
        let mut own = joined(&first, &step);
        let count = Polynomial::from([(vec![Symbol::Count(inner.id)], 1)]);
        let known = first.polynomial.as_ref().zip(step.polynomial.as_ref());
        own.polynomial = known.and_then(|(first, step)| plus(first, 1, &times(step, &count)?));
        own.varies.insert(inner.id);
        if assigned(&inner.body).contains_key(&inner.variable) {
            own.polynomial = None;
        }
        self.values.insert(inner.variable, own);
        self.nodes(&inner.body);
        self.loops.pop();
        self.forget(&inner.body);
        self.values.remove(&inner.variable);
    }

    /// Nothing is known any more of the variables that nodes assign, except that they may change with every loop
    /// around, and which of them depend on data.
    fn forget(&mut self, nodes: &[Node]) {
        let around: BTreeSet<LoopId> = self.loops.iter().copied().collect();
        for (variable, depends_on_data) in assigned(nodes) {
            let value = self.values.entry(variable).or_default();
            value.polynomial = None;
            value.varies.clone_from(&around);
            if depends_on_data {
                value.indirect.clone_from(&around);
            }
        }
    }

    fn access(&mut self, reference: ReferenceId) {
        let value = self.value(&self.tree.references[reference].offset);
        let strides = self.loops.iter().map(|id| stride(&value, *id)).collect();
        let first = value.polynomial.as_ref().and_then(|known| {
            let firsts = known.iter().filter(|(product, _)| !counts(product));
            sizes(firsts)
        });
        self.formulas.push(Formula {
            reference,
            first,
            strides,
        });
    }

    fn value(&self, expression: &Expression) -> IntegerValue {
        let mut value = IntegerValue::default();
        match expression {
            Expression::Integer(x) => value.polynomial = Some(constant(*x)),
            Expression::Parameter(id) => {
                value.polynomial = Some(match self.tree.parameters[*id].value {
                    Some(x) => constant(x),
                    None => Polynomial::from([(vec![Symbol::Size(*id)], 1)]),
                });
            }
            Expression::Variable(id) => match self.values.get(id) {
                Some(known) => value = known.clone(),
                // A variable that nothing assigns holds loaded data; in which loop it was loaded is not known.
                None => {
                    value.varies = self.loops.iter().copied().collect();
                    value.indirect.clone_from(&value.varies);
                }
            },
            Expression::Data => {
                value.varies = self.loops.iter().copied().collect();
                value.indirect = value.varies.clone();
            }
            Expression::Unary(operator, x) => {
                value = self.value(x);
                let negated = |x: Polynomial| plus(&Polynomial::new(), -1, &x);
                value.polynomial = match operator {
                    UnaryOperator::Negate => value.polynomial.and_then(negated),
                    UnaryOperator::Unsigned => value.polynomial,
                    UnaryOperator::BitNot | UnaryOperator::Not => None,
                };
            }
            Expression::Binary(operator, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                value = joined(&a, &b);
                value.polynomial =
                    a.polynomial
                        .zip(b.polynomial)
                        .and_then(|(a, b)| match operator {
                            BinaryOperator::Add => plus(&a, 1, &b),
                            BinaryOperator::Subtract => plus(&a, -1, &b),
                            BinaryOperator::Multiply => times(&a, &b),
                            _ => None,
                        });
            }
            Expression::Select(operands) => {
                for operand in operands.iter() {
                    value = joined(&value, &self.value(operand));
                }
            }
            Expression::Wrap(_, x) => {
                value = self.value(x);
                value.polynomial = None;
            }
            Expression::Entry(_, index) => {
                value = self.value(index);
                value.polynomial = None;
                // The entry is read where its index changes.
                value.indirect = value.varies.clone();
            }
        }
        value
    }
}

/// What depends on both.
fn joined(a: &IntegerValue, b: &IntegerValue) -> IntegerValue {
    IntegerValue {
        polynomial: None,
        varies: a.varies.union(&b.varies).copied().collect(),
        indirect: a.indirect.union(&b.indirect).copied().collect(),
    }
}

/// The variables that nodes assign, iterators included, and whether they depend on data read there.
fn assigned(nodes: &[Node]) -> BTreeMap<VariableId, bool> {
    let mut assignments = Vec::new();
    for node in nodes {
        node.walk(&mut |node| match node {
            Node::Assign { variable, value } => assignments.push((*variable, value)),
            Node::Loop(inner) => {
                assignments.push((inner.variable, &inner.first));
                assignments.push((inner.variable, &inner.step));
            }
            Node::Access(_) | Node::Branch { .. } | Node::Opaque(_) | Node::Operations(_) => {}
        });
    }
    let mut found: BTreeMap<VariableId, bool> = assignments.iter().map(|x| (x.0, false)).collect();
    loop {
        let before = found.clone();
        for (variable, value) in &assignments {
            let depends = value.any(|part| match part {
                Expression::Data => true,
                Expression::Variable(other) => before.get(other) == Some(&true),
                _ => false,
            });
            found.entry(*variable).and_modify(|known| *known |= depends);
        }
        if found == before {
            return found;
        }
    }
}

/// The change with a loop: the factor of its count, which must be of sizes alone.
fn stride(value: &IntegerValue, id: LoopId) -> Stride {
    let count = Symbol::Count(id);
    let bytes = match &value.polynomial {
        Some(known) => {
            let moved = known.iter().filter(|(product, _)| product.contains(&count));
            let mut factors = Polynomial::new();
            for (product, coefficient) in moved {
                let mut rest = product.clone();
                rest.retain(|symbol| *symbol != count);
                let is_linear = rest.len() + 1 == product.len();
                // The square of a count, or another loop's, stays and is no size.
                let kept = if is_linear { rest } else { product.clone() };
                factors.insert(kept, *coefficient);
            }
            sizes(&factors)
        }
        None if value.varies.contains(&id) => None,
        None => Some(SizePolynomial::new()),
    };
    Stride {
        id,
        bytes,
        indirect: value.indirect.contains(&id),
    }
}

fn counts(product: &[Symbol]) -> bool {
    let is_count = |symbol: &Symbol| matches!(symbol, Symbol::Count(_));
    product.iter().any(is_count)
}

/// Terms as a polynomial in sizes, where they are.
fn sizes<'p>(
    terms: impl IntoIterator<Item = (&'p Vec<Symbol>, &'p i64)>,
) -> Option<SizePolynomial> {
    let mut found = SizePolynomial::new();
    for (product, coefficient) in terms {
        let size = |symbol: &Symbol| match symbol {
            Symbol::Size(id) => Some(*id),
            Symbol::Count(_) => None,
        };
        let product: Option<Vec<ParameterId>> = product.iter().map(size).collect();
        found.insert(product?, *coefficient);
    }
    Some(found)
}

fn constant(value: i64) -> Polynomial {
    let terms = (value != 0).then_some((Vec::new(), value));
    terms.into_iter().collect()
}

/// `a + factor·b`, where it fits.
fn plus(a: &Polynomial, factor: i64, b: &Polynomial) -> Option<Polynomial> {
    let mut sum = a.clone();
    for (product, coefficient) in b {
        let added = coefficient.checked_mul(factor)?;
        let entry = sum.entry(product.clone()).or_insert(0);
        *entry = entry.checked_add(added)?;
    }
    sum.retain(|_, coefficient| *coefficient != 0);
    Some(sum)
}

fn times(a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
    let mut all = Polynomial::new();
    for (left, x) in a {
        let mut row = Polynomial::new();
        for (right, y) in b {
            let mut product = [&left[..], right].concat();
            product.sort_unstable();
            row.insert(product, x.checked_mul(*y)?);
        }
        all = plus(&all, 1, &row)?;
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_tree::EntityRef;

    fn polynomial(terms: &[(&[usize], i64)]) -> SizePolynomial {
        let product = |ids: &[usize]| ids.iter().map(|id| ParameterId::new(*id)).collect();
        terms.iter().map(|(ids, c)| (product(ids), *c)).collect()
    }

    #[test]
    fn a_polynomial_has_a_value_where_its_sizes_have_and_it_fits() {
        // 8·n·m - 3·n + 2
        let stride = polynomial(&[(&[0, 1], 8), (&[0], -3), (&[], 2)]);
        let at = |n: i64, m: i64| value_of(&stride, |id| Some([n, m][id.index()]));
        assert_eq!(at(0, 7), Some(2));
        assert_eq!(at(10, 5), Some(372));
        assert_eq!(at(i64::MAX, 2), None);
        assert_eq!(value_of(&stride, |id| (id.index() == 0).then_some(4)), None);
        assert_eq!(value_of(&SizePolynomial::new(), |_| None), Some(0));
    }

    #[test]
    fn variables_depend_on_data_through_those_that_they_are_assigned_from() {
        let [a, b, c, d] = [0, 1, 2, 3].map(VariableId::new);
        let assign = |variable: VariableId, value: Expression| Node::Assign { variable, value };
        // a = b; b = c; c = data; d = 1;
        let nodes = [
            assign(a, Expression::Variable(b)),
            assign(b, Expression::Variable(c)),
            assign(c, Expression::Data),
            assign(d, 1.into()),
        ];
        let expected = BTreeMap::from([(a, true), (b, true), (c, true), (d, false)]);
        assert_eq!(assigned(&nodes), expected);
        assert_eq!(
            assigned(&nodes[..2]),
            BTreeMap::from([(a, false), (b, false)])
        );
    }

    #[test]
    fn a_stride_is_what_one_iteration_more_adds_if_that_is_the_same_in_all() {
        let (own, other) = (LoopId::new(0), LoopId::new(1));
        let n = Symbol::Size(ParameterId::new(0));
        let counted = |terms: &[(&[Symbol], i64)]| IntegerValue {
            polynomial: Some(terms.iter().map(|(x, c)| (x.to_vec(), *c)).collect()),
            ..IntegerValue::default()
        };
        let bytes = |terms: &[(&[Symbol], i64)]| stride(&counted(terms), own).bytes;
        let count = Symbol::Count(own);
        assert_eq!(
            bytes(&[(&[count], 8), (&[], 5)]),
            Some(polynomial(&[(&[], 8)]))
        );
        assert_eq!(bytes(&[(&[n, count], 8)]), Some(polynomial(&[(&[0], 8)])));
        assert_eq!(
            bytes(&[(&[Symbol::Count(other)], 8)]),
            Some(polynomial(&[]))
        );
        // Triangles and squares move by another amount each time.
        assert_eq!(bytes(&[(&[count, Symbol::Count(other)], 8)]), None);
        assert_eq!(bytes(&[(&[count, count], 8)]), None);
    }
}
