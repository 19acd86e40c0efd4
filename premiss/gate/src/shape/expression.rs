//! Integers as polynomials, so that equal integers are written the same.

use premiss_tree::{BinaryOperator, Expression, NestTree, ParameterId, UnaryOperator, VariableId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Polynomials with more terms are not multiplied out.
const MOST_TERMS: usize = 64;
/// Casts to 32 bits or more leave numbers with coefficients up to this unchanged, as long as they fit.
const SMALL: i64 = 1 << 16;

/// The factors of a polynomial's terms.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Atom {
    /// A size.
    Size(ParameterId),
    /// The iteration number, from 0, of the loop with this index; or its iterator if its first value is not known.
    Iteration(usize),
    /// A number that depends on data.
    Data,
    /// Anything else: an operation on polynomials.
    Other(String, Vec<Sum>),
}

/// A sum of products with integer coefficients.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Sum(BTreeMap<Vec<Atom>, i64>);

impl Sum {
    pub(super) fn integer(value: i64) -> Self {
        let term = (value != 0).then(|| (Vec::new(), value));
        Self(term.into_iter().collect())
    }

    pub(super) fn atom(atom: Atom) -> Self {
        Self(BTreeMap::from([(vec![atom], 1)]))
    }

    /// The value, if it is constant.
    pub(super) fn to_integer(&self) -> Option<i64> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// Whether data occur in it.
    pub(super) fn has_data(&self) -> bool {
        self.0.keys().flatten().any(|atom| match atom {
            Atom::Data => true,
            Atom::Other(_, parts) => parts.iter().any(Self::has_data),
            Atom::Size(_) | Atom::Iteration(_) => false,
        })
    }

    fn is_data(&self) -> bool {
        self.0.contains_key([Atom::Data].as_slice())
    }

    /// The sum; data if either operand is data, as in expressions. `None` on overflow.
    pub(super) fn plus(&self, other: &Self) -> Option<Self> {
        if self.is_data() || other.is_data() {
            return Some(Self::atom(Atom::Data));
        }
        let mut sum = self.0.clone();
        for (product, coefficient) in &other.0 {
            let entry = sum.entry(product.clone()).or_insert(0);
            *entry = entry.checked_add(*coefficient)?;
        }
        sum.retain(|_, coefficient| *coefficient != 0);
        Some(Self(sum))
    }

    pub(super) fn minus(&self, other: &Self) -> Option<Self> {
        self.plus(&other.times(&Self::integer(-1))?)
    }

    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        let is_nothing = self.0.is_empty() || other.0.is_empty();
        if !is_nothing && (self.is_data() || other.is_data()) {
            return Some(Self::atom(Atom::Data));
        }
        if MOST_TERMS < self.0.len() * other.0.len() {
            return None;
        }
        let mut sum = Self::default();
        for (a, x) in &self.0 {
            for (b, y) in &other.0 {
                let mut product = [&a[..], b].concat();
                product.sort();
                let one = Self(BTreeMap::from([(product, x.checked_mul(*y)?)]));
                sum = sum.plus(&one)?;
            }
        }
        Some(sum)
    }

    fn other(name: impl std::fmt::Debug, mut parts: Vec<Self>, commutes: bool) -> Self {
        if commutes {
            parts.sort();
        }
        Self::atom(Atom::Other(format!("{name:?}"), parts))
    }

    /// 1 where it is 0, else 0.
    fn zero(self) -> Self {
        self.tested("zero")
    }

    /// 1 where it is not 0, else 0.
    pub(super) fn not_zero(self) -> Self {
        self.tested("not zero")
    }

    /// The test whether it is 0, or is not: the same for it and for its negation.
    fn tested(self, name: &str) -> Self {
        if let Some(value) = self.to_integer() {
            return Self::integer(i64::from((value == 0) == (name == "zero")));
        }
        let opposite = self.times(&Self::integer(-1));
        let least = opposite.map_or(self.clone(), |opposite| opposite.min(self));
        Self::other(name, vec![least], false)
    }

    /// 1 where it is at most 0, else 0.
    pub(super) fn at_most_zero(self) -> Self {
        match self.to_integer() {
            Some(value) => Self::integer(i64::from(value <= 0)),
            None => Self::other("at most 0", vec![self], false),
        }
    }

    /// The polynomial that is at most 0 where this comparison is true, if it is one.
    pub(super) fn compared(&self) -> Option<&Self> {
        self.operand("at most 0")
    }

    /// The negation of this comparison, if it is one.
    pub(super) fn negated(&self) -> Option<Self> {
        if let Some(inner) = self.compared() {
            // Not at most 0 is at least 1.
            return Some(Self::integer(1).minus(inner)?.at_most_zero());
        }
        let (zero, not_zero) = (self.operand("zero"), self.operand("not zero"));
        let opposite = not_zero.map(|inner| inner.clone().zero());
        zero.map(|inner| inner.clone().not_zero()).or(opposite)
    }

    /// The operand of the operation of that name, if it is one.
    fn operand(&self, name: &str) -> Option<&Self> {
        let mut terms = self.0.iter();
        match (terms.next(), terms.next()) {
            (Some((product, 1)), None) => match &product[..] {
                [Atom::Other(known, parts)] if *known == format!("{name:?}") => parts.first(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Numbers the sizes of each product that have no number yet; those of equal products by their other factors.
    fn number_sizes(&self, names: &mut Vec<ParameterId>) {
        let mut products: Vec<(String, &Vec<Atom>)> = self
            .0
            .iter()
            .map(|(product, coefficient)| (term_text(product, *coefficient, names, None), product))
            .collect();
        products.sort();
        for (_, product) in products {
            for atom in product {
                match atom {
                    Atom::Size(id) if !names.contains(id) => names.push(*id),
                    Atom::Other(_, parts) => parts.iter().for_each(|part| part.number_sizes(names)),
                    Atom::Size(_) | Atom::Iteration(_) | Atom::Data => {}
                }
            }
        }
    }

    /// The written form, with sizes by their numbers.
    pub(super) fn to_text(&self, tree: &NestTree, names: &mut Vec<ParameterId>) -> String {
        self.number_sizes(names);
        self.with(names, Some(tree))
    }

    fn with(&self, names: &[ParameterId], tree: Option<&NestTree>) -> String {
        let products = self.0.iter();
        let mut all: Vec<String> = products
            .map(|(product, coefficient)| term_text(product, *coefficient, names, tree))
            .collect();
        all.sort();
        format!("({})", all.join("+"))
    }
}

/// The written form of a product; sizes without a number look the same.
fn term_text(
    product: &[Atom],
    coefficient: i64,
    names: &[ParameterId],
    tree: Option<&NestTree>,
) -> String {
    let mut factors: Vec<String> = product
        .iter()
        .map(|atom| match atom {
            Atom::Size(id) => {
                let number = names.iter().position(|known| known == id);
                let number = number.map_or("?".to_owned(), |number| number.to_string());
                let kind = tree
                    .and_then(|tree| tree.parameters.get(*id))
                    .map(|size| size.kind);
                format!("P{number}:{kind:?}")
            }
            Atom::Iteration(number) => format!("V{number}"),
            Atom::Data => "data".to_owned(),
            Atom::Other(name, parts) => {
                let parts: Vec<String> = parts.iter().map(|part| part.with(names, tree)).collect();
                format!("{name}{}", parts.concat())
            }
        })
        .collect();
    factors.sort();
    let mut text = coefficient.to_string();
    for factor in factors {
        let _ = write!(text, "*{factor}");
    }
    text
}

/// Turns expressions into polynomials, given the values of variables.
pub(super) fn sum_of(
    expression: &Expression,
    values: &BTreeMap<VariableId, Option<Sum>>,
    lost: &mut BTreeSet<VariableId>,
    tables: &dyn Fn(premiss_tree::TableId) -> String,
) -> Sum {
    let mut of = |x: &Expression| sum_of(x, values, lost, tables);
    match expression {
        Expression::Integer(value) => Sum::integer(*value),
        Expression::Parameter(id) => Sum::atom(Atom::Size(*id)),
        Expression::Data => Sum::atom(Atom::Data),
        Expression::Variable(id) => match values.get(id) {
            Some(Some(value)) => value.clone(),
            Some(None) => {
                lost.insert(*id);
                Sum::atom(Atom::Data)
            }
            None => Sum::atom(Atom::Data),
        },
        Expression::Unary(operator, x) => unary(*operator, of(x)),
        Expression::Binary(operator, a, b) => binary(*operator, of(a), of(b)),
        Expression::Select(operands) => {
            Sum::other("select", operands.iter().map(of).collect(), false)
        }
        Expression::Wrap(kind, x) => {
            let inner = of(x);
            let is_small = inner
                .0
                .values()
                .all(|x| x.unsigned_abs() <= SMALL.unsigned_abs());
            match 32 <= kind.bits && is_small {
                true => inner,
                false => Sum::other(kind, vec![inner], false),
            }
        }
        Expression::Entry(table, x) => Sum::other(tables(*table), vec![of(x)], false),
    }
}

fn unary(operator: UnaryOperator, x: Sum) -> Sum {
    let simple = match operator {
        UnaryOperator::Negate => x.times(&Sum::integer(-1)),
        UnaryOperator::Not => x.negated(),
        UnaryOperator::BitNot => None,
        // It differs from the number only where a loop would have 2^63 iterations and more.
        UnaryOperator::Unsigned => Some(x.clone()),
    };
    simple.unwrap_or_else(|| Sum::other(operator, vec![x], false))
}

fn binary(operator: BinaryOperator, a: Sum, b: Sum) -> Sum {
    use BinaryOperator::{
        Add, And, BitAnd, BitOr, BitXor, Equal, Less, LessEqual, Maximum, Minimum, Multiply,
        NotEqual, Or, ShiftLeft, Subtract,
    };
    let simple = match operator {
        Add => a.plus(&b),
        Subtract => a.minus(&b),
        Multiply => a.times(&b),
        ShiftLeft => {
            let power = b.to_integer().filter(|x| (0..62).contains(x));
            power.and_then(|x| a.times(&Sum::integer(1 << x)))
        }
        LessEqual => a.minus(&b).map(Sum::at_most_zero),
        Less => {
            let difference = a.minus(&b).and_then(|x| x.plus(&Sum::integer(1)));
            difference.map(Sum::at_most_zero)
        }
        Equal => a.minus(&b).map(Sum::zero),
        NotEqual => a.minus(&b).map(Sum::not_zero),
        _ => None,
    };
    let commutes = matches!(
        operator,
        Add | Multiply | Minimum | Maximum | BitAnd | BitOr | BitXor | Equal | NotEqual | And | Or
    );
    simple.unwrap_or_else(|| Sum::other(operator, vec![a, b], commutes))
}
