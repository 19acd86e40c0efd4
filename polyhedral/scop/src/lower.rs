//! From a tree to a [`Scop`].

use crate::condition::{Conjunction, Constraint, may_be};
use crate::evaluate::Evaluator;
use crate::execute::execute;
use crate::options::{ScopOptions, Size};
use crate::partial_truth::data_variables;
use crate::polynomial::{Polynomial, Symbol};
use crate::reject::Reject;
use crate::scop::{Scop, SymbolicParameter};
use crate::spaces::Lowering;
use crate::table::Runs;
use premiss_presburger::{Affine, System};
use premiss_tree::{Expression, NestTree, ParameterId, SecondaryMap, SizeBound, VariableId};
use std::collections::BTreeSet;

/// The longest line, in bytes.
const LONGEST_LINE: u64 = 1 << 16;

/// At most how often conditions on sizes are added.
const MOST_ATTEMPTS: usize = 16;

/// Lowers a tree to a [`Scop`]: for each access its iteration domain and, on disjoint pieces of it, its line as an
/// affine function.
///
/// The scop's context excludes sizes at which that does not hold. Those are the sizes at which accesses leave their
/// arrays (`a[0]` of `n` elements where `n` is 0), at which rows are shorter than a line, or than a subscript within
/// them says (`a[i][7]`), and at which an unsigned number wraps around that sizes alone determine (the bound of a loop
/// up to `n - 1`).
///
/// # Errors
/// A [`Reject`] says which expression is not affine, not even in pieces, which access may leave its array or its line,
/// which size is missing, or which option cannot be met.
pub fn lower(tree: &NestTree, question: &ScopOptions) -> Result<Scop, Reject> {
    lower_where(tree, None, question)
}

/// As [`lower`], where data may decide conditions: what they decide about is [possible](crate::Certainty::Possible). A
/// condition that depends on no data is rejected if it is not affine, as there is an exact answer then.
///
/// # Errors
/// As for [`lower`], but conditions on data.
pub fn lower_possible(tree: &NestTree, question: &ScopOptions) -> Result<Scop, Reject> {
    lower_where(tree, Some(&data_variables(tree)), question)
}

fn lower_where(
    tree: &NestTree,
    data: Option<&BTreeSet<VariableId>>,
    question: &ScopOptions,
) -> Result<Scop, Reject> {
    let mut required = Conjunction::new();
    for _ in 0..MOST_ATTEMPTS {
        match lower_from(tree, data, question, &required)? {
            Ok(scop) => return Ok(scop),
            Err(more) => required.extend(more),
        }
    }
    Err(Reject::NoSizes)
}

/// As [`lower`], for sizes for which `required` holds; the conditions where that takes more of them.
fn lower_from(
    tree: &NestTree,
    data: Option<&BTreeSet<VariableId>>,
    question: &ScopOptions,
    required: &Conjunction,
) -> Result<Result<Scop, Conjunction>, Reject> {
    let line = i64::try_from(question.line_size).ok();
    let line = line.filter(|line| (1..=LONGEST_LINE).contains(&line.cast_unsigned()));
    let line = line.ok_or_else(|| {
        Reject::Question(format!(
            "a line has 1 to {LONGEST_LINE} bytes, not {}",
            question.line_size
        ))
    })?;
    let (parameters, sizes) = sizes(tree, question)?;
    let mut evaluator = Evaluator {
        sizes,
        floors: Vec::new(),
        tables: tree.tables.values().map(Runs::of).collect(),
        holes: Vec::new(),
        required: Conjunction::new(),
    };
    let mut start = taken_for_granted(tree, &parameters);
    start.extend(bounds(tree, &evaluator.sizes));
    start.extend(required.iter().cloned());
    if !required.is_empty() && !may_be(&start) {
        return Err(Reject::NoSizes);
    }
    let (items, n_iterators) = execute(tree, data, &mut evaluator, &start)?;
    if !evaluator.required.is_subset(&start) {
        return Ok(Err(evaluator.required));
    }
    let lowering = Lowering {
        tree,
        line,
        sizes: parameters.clone(),
        context: context(&parameters, &start),
        granted: start,
        required: Conjunction::new(),
        evaluator,
        n_iterators,
    };
    lowering.finish(question, parameters, &items)
}

/// All sizes as polynomials; `None` where the value of a size is not given.
type SizeValues = SecondaryMap<ParameterId, Option<Polynomial>>;

/// The symbolic sizes, and all sizes as polynomials.
fn sizes(
    tree: &NestTree,
    question: &ScopOptions,
) -> Result<(Vec<SymbolicParameter>, SizeValues), Reject> {
    let used = tree.used_parameters();
    let mut symbolic = Vec::new();
    let mut sizes = SecondaryMap::new();
    for (id, parameter) in &tree.parameters {
        let given = question.sizes.get(&id).copied();
        let size = match parameter.value.map(Size::Fixed).or(given) {
            Some(size) => size,
            None if used.contains(&id) => return Err(Reject::MissingSize(id)),
            None => continue,
        };
        sizes[id] = Some(match size {
            Size::Fixed(value) => Polynomial::constant(value),
            Size::Symbolic { factor, residue } => {
                if factor < 1 || !(0..factor).contains(&residue) {
                    let name = &parameter.name;
                    return Err(Reject::Question(format!(
                        "`{name}` cannot be {factor}·x + {residue}"
                    )));
                }
                let column = Polynomial::symbol(Symbol::Size(symbolic.len()));
                symbolic.push(SymbolicParameter {
                    id,
                    factor,
                    residue,
                });
                let size = column.scaled(factor).and_then(|x| x.plus_constant(residue));
                size.map_err(|_| Reject::Question("a factor is too large".to_owned()))?
            }
        });
    }
    Ok((symbolic, sizes))
}

/// Sizes are not negative; where types may wrap, they are at most 2^31 - 1.
fn taken_for_granted(tree: &NestTree, parameters: &[SymbolicParameter]) -> Conjunction {
    let wraps = |expression: &Expression| expression.any(|x| matches!(x, Expression::Wrap(..)));
    let mut found = tree
        .references
        .values()
        .any(|reference| wraps(&reference.offset));
    for node in &tree.body {
        node.walk(&mut |node| found |= node.expressions().into_iter().any(wraps));
    }
    let mut granted = Conjunction::new();
    for number in 0..parameters.len() {
        let size = Polynomial::symbol(Symbol::Size(number));
        granted.insert(Constraint::NotNegative(size));
    }
    for (number, parameter) in parameters.iter().enumerate().filter(|_| found) {
        let most = (i64::from(i32::MAX) - parameter.residue) / parameter.factor;
        let size = Polynomial::symbol(Symbol::Size(number)).scaled(-1);
        let below = size.and_then(|size| size.plus_constant(most));
        granted.extend(below.map(Constraint::NotNegative));
    }
    granted
}

/// The tree's bounds on sizes, as far as they depend on symbolic ones.
fn bounds(tree: &NestTree, sizes: &SizeValues) -> Conjunction {
    let of_one = |bound: &SizeBound| {
        let mut sum = Polynomial::constant(bound.constant);
        for (id, factor) in &bound.sizes {
            sum = sum.plus(*factor, sizes[*id].as_ref()?).ok()?;
        }
        sum.as_constant()
            .is_none()
            .then_some(Constraint::NotNegative(sum))
    };
    tree.bounds.iter().filter_map(of_one).collect()
}

fn context(parameters: &[SymbolicParameter], granted: &Conjunction) -> System {
    let width = 1 + parameters.len();
    let mut context = System::universe(parameters.len());
    for constraint in granted {
        let mut row = vec![0; width];
        for (product, coefficient) in constraint.polynomial().terms() {
            let column = match product.first() {
                Some(Symbol::Size(number)) => 1 + number,
                _ => 0,
            };
            row[column] = coefficient;
        }
        context.inequalities.push(Affine::new(row));
    }
    context
}
