//! From forms over columns to statements.

use super::program::{ArgumentColumn, ClassCode, CodeCondition, Expression, Statement, column};
use premiss_analyze::{
    Affine, Column, Combination, CountForm, Floor, LoopedPieces, Piece, Polynomial, QuantityTerm,
    Refusal, ResidueClassForm, System,
};
use std::collections::BTreeMap;

/// The statements that evaluate the form of a residue class.
///
/// # Errors
/// A number does not fit.
pub(super) fn class(form: &ResidueClassForm) -> Result<ClassCode, Refusal> {
    let mut lower = Lower {
        denominator: denominator(&form.form)?,
        n_names: 0,
    };
    let mut scope = Scope::new(form.form.columns);
    let mut statements = Vec::new();
    lower.require(&form.context, &mut scope, &mut statements);
    lower.form(&form.form, &mut scope, &mut statements)?;
    Ok(ClassCode {
        residues: form.sizes.iter().map(|size| size.residue).collect(),
        statements,
        denominator: lower.denominator,
    })
}

/// The statements that evaluate a combination of other functions with these names and arguments.
///
/// # Errors
/// A number does not fit.
pub(super) fn combination(
    of: &Combination,
    names: &[String],
    arguments: &[String],
) -> Result<Vec<Statement>, Refusal> {
    let mut called: Vec<(usize, Option<u64>)> = Vec::new();
    let mut term = |term: &QuantityTerm| {
        let call = (term.quantity, term.lines);
        let known = called.iter().position(|x| *x == call);
        let place = known.unwrap_or_else(|| {
            called.push(call);
            called.len() - 1
        });
        let value = Expression::Name(format!("f{}_", place + 1));
        product(Expression::Integer(term.factor), value)
    };
    let zero = || Expression::Integer(0);
    let mut total = zero();
    for list in &of.sum {
        let linear = |linear: &Vec<QuantityTerm>| linear.iter().map(&mut term).fold(zero(), sum);
        let mut list: Vec<Expression> = list.iter().map(linear).collect();
        let greatest = match list.len() {
            1 => list.pop().unwrap_or_else(zero),
            _ => Expression::Greatest(list),
        };
        total = sum(total, greatest);
    }
    let denominator = i64::try_from(of.denominator).map_err(|_| Refusal::Overflow)?;
    let calls = called.iter().enumerate().map(|(idx, (quantity, lines))| {
        let capacity = lines.map(|lines| lines.to_string());
        Statement::Call {
            name: format!("f{}_", idx + 1),
            function: names[*quantity].clone(),
            arguments: capacity.into_iter().chain(arguments.to_vec()).collect(),
        }
    });
    let mut statements: Vec<Statement> = calls.collect();
    statements.push(Statement::Add(Vec::new(), floored(total, denominator)));
    Ok(statements)
}

/// The columns of a form, with the names of arguments; a capacity follows the sizes.
pub(super) fn columns(
    form: &ResidueClassForm,
    arguments: &[String],
    capacity: Option<&str>,
) -> Vec<ArgumentColumn> {
    let sizes = form
        .sizes
        .iter()
        .zip(arguments)
        .map(|(size, name)| ArgumentColumn {
            argument: name.clone(),
            factor: size.factor,
        });
    let capacity = capacity.map(|name| ArgumentColumn {
        argument: name.to_owned(),
        factor: 1,
    });
    sizes.chain(capacity).collect()
}

/// The common denominator of the values of all pieces.
fn denominator(form: &CountForm) -> Result<i128, Refusal> {
    let looped = form.looped.iter().flat_map(|looped| &looped.pieces);
    let mut all = 1_i128;
    for piece in form.pieces.iter().chain(looped) {
        let (_, own) = piece.value.scaled_terms();
        let times = own / divisor(all, own);
        all = all.checked_mul(times).ok_or(Refusal::Overflow)?;
    }
    Ok(all)
}

fn divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { divisor(b, a % b) }
}

/// A floor: its numerator's terms and constant, and its denominator.
type FloorKey = (Vec<(String, i64)>, i64, i64);

/// The names of columns, and of floors computed so far.
#[derive(Clone)]
struct Scope {
    columns: Vec<String>,
    floors: BTreeMap<FloorKey, String>,
}

impl Scope {
    fn new(columns: usize) -> Self {
        Self {
            columns: (1..=columns).map(column).collect(),
            floors: BTreeMap::new(),
        }
    }
}

struct Lower {
    denominator: i128,
    n_names: usize,
}

impl Lower {
    fn name(&mut self, what: char) -> String {
        self.n_names += 1;
        format!("{what}{}_", self.n_names)
    }

    /// Requires that the sizes satisfy a context.
    fn require(&mut self, context: &System, scope: &mut Scope, out: &mut Vec<Statement>) {
        // A capacity is no column of the context.
        let sizes = Scope {
            columns: scope.columns[..context.variables].to_vec(),
            floors: std::mem::take(&mut scope.floors),
        };
        let mut sizes = sizes;
        let names = self.floors(&context.floors, &mut sizes, out);
        let conditions = conditions(context, &names);
        scope.floors = sizes.floors;
        if !conditions.is_empty() {
            out.push(Statement::Require(conditions));
        }
    }

    fn form(
        &mut self,
        form: &CountForm,
        scope: &mut Scope,
        out: &mut Vec<Statement>,
    ) -> Result<(), Refusal> {
        let given = scope.clone();
        let mut inner = scope.clone();
        for computed in &form.computed {
            let name = self.computed(computed, &given, out);
            inner.columns.push(name);
        }
        self.pieces(&form.pieces, &mut inner, out)?;
        for looped in &form.looped {
            self.looped(looped, &given, 0, out)?;
        }
        Ok(())
    }

    /// Computes a number; returns its name.
    fn computed(&mut self, number: &Piece, scope: &Scope, out: &mut Vec<Statement>) -> String {
        let mut scope = scope.clone();
        let names = self.floors(&number.domain.floors, &mut scope, out);
        let name = self.name('t');
        let value = polynomial(&number.value, 1, &names);
        out.push(Statement::Let(name.clone(), value));
        name
    }

    fn looped(
        &mut self,
        looped: &LoopedPieces,
        scope: &Scope,
        depth: usize,
        out: &mut Vec<Statement>,
    ) -> Result<(), Refusal> {
        let mut scope = scope.clone();
        let Some(rows) = looped.bounds.get(depth) else {
            if !looped.computed.value.is_zero() {
                let name = self.computed(&looped.computed, &scope, out);
                scope.columns.push(name);
            } else {
                scope.columns.push("0".to_owned());
            }
            return self.pieces(&looped.pieces, &mut scope, out);
        };
        let (mut low, mut high) = (Vec::new(), Vec::new());
        for row in rows {
            let slope = row.coefficient(Column::new(row.columns() - 1));
            let rest = row.coefficients()[..row.columns() - 1].to_vec();
            let rest = Affine::new(rest);
            // From a·v + f >= 0: v >= -floor(f / a); from -b·v + f >= 0: v <= floor(f / b).
            let bound = floored(affine(&rest, &scope.columns), slope.abs());
            match 0 < slope {
                true => low.push(product(Expression::Integer(-1), bound)),
                false => high.push(bound),
            }
        }
        let name = self.name('v');
        scope.columns.push(name.clone());
        let mut body = Vec::new();
        self.looped(looped, &scope, depth + 1, &mut body)?;
        out.push(Statement::For {
            name,
            low,
            high,
            body,
        });
        Ok(())
    }

    fn pieces(
        &mut self,
        pieces: &[Piece],
        scope: &mut Scope,
        out: &mut Vec<Statement>,
    ) -> Result<(), Refusal> {
        for piece in pieces {
            let names = self.floors(&piece.domain.floors, scope, out);
            let (_, own) = piece.value.scaled_terms();
            let factor = self.denominator / own;
            let value = polynomial(&piece.value, factor, &names);
            let largest = piece
                .value
                .scaled_terms()
                .0
                .iter()
                .map(|(_, x)| x.unsigned_abs())
                .max();
            let fits = largest.unwrap_or(0).checked_mul(factor.unsigned_abs());
            if fits.is_none_or(|x| i128::MAX.unsigned_abs() < x) {
                return Err(Refusal::Overflow);
            }
            out.push(Statement::Add(conditions(&piece.domain, &names), value));
        }
        Ok(())
    }

    /// Computes floors that are not in the scope yet; returns the names of all columns.
    fn floors(
        &mut self,
        floors: &[Floor],
        scope: &mut Scope,
        out: &mut Vec<Statement>,
    ) -> Vec<String> {
        let mut names = scope.columns.clone();
        for floor in floors {
            let numerator = &floor.numerator;
            let terms = numerator
                .support()
                .map(|x| (names[x.place()].clone(), numerator.coefficient(x)));
            let key = (
                terms.collect(),
                numerator.constant_term(),
                floor.denominator,
            );
            let name = match scope.floors.get(&key) {
                Some(name) => name.clone(),
                None => {
                    let name = self.name('q');
                    let value = floored(affine(numerator, &names), floor.denominator);
                    out.push(Statement::Let(name.clone(), value));
                    scope.floors.insert(key, name.clone());
                    name
                }
            };
            names.push(name);
        }
        names
    }
}

pub(super) fn conditions(domain: &System, names: &[String]) -> Vec<CodeCondition> {
    let zero = domain
        .equalities
        .iter()
        .map(|row| CodeCondition::Zero(affine(row, names)));
    let others = domain.inequalities.iter();
    zero.chain(others.map(|row| CodeCondition::NotNegative(affine(row, names))))
        .collect()
}

pub(super) fn affine(row: &Affine, names: &[String]) -> Expression {
    let mut whole = None;
    for column in row.support() {
        let name = Expression::Name(names[column.place()].clone());
        let term = product(Expression::Integer(row.coefficient(column).into()), name);
        whole = Some(match whole {
            None => term,
            Some(known) => sum(known, term),
        });
    }
    let constant = Expression::Integer(row.constant_term().into());
    match whole {
        None => constant,
        Some(whole) => sum(whole, constant),
    }
}

/// A product: its columns with repetition, and its coefficient.
type Product = (Vec<Column>, i128);

/// A polynomial times its denominator and a factor, in Horner's form.
pub(super) fn polynomial(value: &Polynomial, factor: i128, names: &[String]) -> Expression {
    let (terms, _) = value.scaled_terms();
    let terms = terms.iter().map(|(monomial, coefficient)| {
        (
            monomial.factors().collect(),
            coefficient.wrapping_mul(factor),
        )
    });
    horner(terms.collect(), names)
}

/// `x·(the terms divided by x) + the rest`, for the `x` that occurs in most terms.
fn horner(terms: Vec<Product>, names: &[String]) -> Expression {
    let mut uses: BTreeMap<Column, usize> = BTreeMap::new();
    for (columns, _) in &terms {
        let mut own = columns.clone();
        own.dedup();
        own.into_iter()
            .for_each(|column| *uses.entry(column).or_default() += 1);
    }
    let Some((column, _)) = uses.iter().max_by_key(|(column, uses)| (**uses, **column)) else {
        return Expression::Integer(terms.iter().map(|(_, coefficient)| coefficient).sum());
    };
    let (with, without): (Vec<Product>, Vec<Product>) = terms
        .into_iter()
        .partition(|(columns, _)| columns.contains(column));
    let divided = |(mut columns, coefficient): Product| {
        let place = columns.iter().position(|x| x == column);
        place.map(|place| columns.remove(place));
        (columns, coefficient)
    };
    let with = horner(with.into_iter().map(divided).collect(), names);
    let whole = product(with, Expression::Name(names[column.place()].clone()));
    match without.is_empty() {
        true => whole,
        false => sum(whole, horner(without, names)),
    }
}

fn sum(a: Expression, b: Expression) -> Expression {
    match (&a, &b) {
        (Expression::Integer(0), _) => b,
        (_, Expression::Integer(0)) => a,
        _ => Expression::Sum(Box::new([a, b])),
    }
}

fn product(a: Expression, b: Expression) -> Expression {
    match (&a, &b) {
        (Expression::Integer(1), _) => b,
        (_, Expression::Integer(1)) => a,
        (Expression::Integer(x), Expression::Integer(y)) => Expression::Integer(x.wrapping_mul(*y)),
        _ => Expression::Product(Box::new([a, b])),
    }
}

pub(super) fn floored(numerator: Expression, denominator: i64) -> Expression {
    match (&numerator, denominator) {
        (_, 1) => numerator,
        (Expression::Integer(x), _) => Expression::Integer(x.div_euclid(denominator.into())),
        _ => Expression::Floor(Box::new(numerator), denominator),
    }
}
