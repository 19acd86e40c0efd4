//! From a distance in bytes to the subscripts of rows.
//!
//! An array is a box of rows: `offset = strides[0]·e[0] + strides[1]·e[1] + … + e[k]`, the last subscript counting
//! bytes. Where every subscript but the first stays within its row, two offsets are equal if and only if their
//! subscripts are. A subscript that may leave its row merges the row with the row around it; in the end an array is one
//! row of bytes. Where that is not affine, rows are kept to under conditions on the sizes.
//!
//! `double a[n][m]; a[i][j + 1]` at `8·m·i + 8·j + 8` has stride `8·m` and subscripts `i`, `8·j + 8`.

use crate::condition::{Conjunction, may_all_be};
use crate::execute::not_negative;
use crate::polynomial::{Polynomial, Symbol};
use crate::reject::Obstacle;
use crate::size_conditions::{Scale, preventing, require};
use std::collections::BTreeSet;

/// By how many rows a subscript may be off its row: what is tried, in this order.
const TURNS: [i64; 5] = [0, -1, 1, -2, 2];

/// An access to an array: when it happens, where, and how many bytes it touches.
#[derive(Clone, Debug)]
pub(crate) struct Touch<'a> {
    pub(crate) domain: &'a Conjunction,
    pub(crate) offset: &'a Polynomial,
    pub(crate) size: i64,
}

/// The strides of an array and the subscripts of its accesses.
#[derive(Clone, Debug)]
pub(crate) struct ArrayRows {
    /// Bytes from row to row, outermost first; each a multiple of the next.
    pub(crate) strides: Vec<Polynomial>,
    /// Each stride divided by the next one, the last stride by one byte: the length of the next dimension.
    pub(crate) lengths: Vec<Polynomial>,
    /// For each access its subscripts, one more than there are strides.
    pub(crate) subscripts: Vec<Vec<Polynomial>>,
    /// Conditions on sizes under which all that holds.
    pub(crate) required: Conjunction,
}

/// Which sizes subscripts must stay within their rows for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sizes {
    All,
    /// Those that satisfy conditions.
    Some,
}

/// The finest rows that all accesses keep to, first as declared, then as the subscripts look; where there are none, the
/// same under conditions on the sizes. Rows as declared under conditions are preferred to others without.
pub(crate) fn rows(
    touches: &[Touch<'_>],
    declared: &[Polynomial],
    line: i64,
) -> Result<ArrayRows, Obstacle> {
    let is_row = |stride: &&Polynomial| stride.as_constant().is_none_or(|bytes| line <= bytes);
    let declared: Vec<Polynomial> = declared.iter().filter(is_row).cloned().collect();
    let first = coarsened(touches, declared.clone(), Sizes::All);
    match &first {
        Ok(rows) if !declared.is_empty() && rows.strides.len() == declared.len() => return first,
        _ => {}
    }
    let mut guessed = guess(touches)?;
    guessed.retain(|stride| is_row(&stride));
    let second = coarsened(touches, guessed.clone(), Sizes::All);
    let is_declared = |rows: &ArrayRows| rows.strides.iter().all(|x| declared.contains(x));
    if !declared.is_empty() && second.as_ref().is_ok_and(|rows| !is_declared(rows)) {
        // Rows as declared are to be preferred: along a diagonal, rows look longer by an element.
        let conditional = coarsened(touches, declared.clone(), Sizes::Some);
        if let Ok(rows) = &conditional
            && rows.strides.len() == declared.len()
        {
            return conditional;
        }
    }
    let best = match (&first, &second) {
        (Ok(a), Ok(b)) if a.strides.len() < b.strides.len() => second,
        (Err(_), Ok(_)) => second,
        _ => first,
    };
    best.or_else(|obstacle| {
        let conditional = coarsened(touches, declared, Sizes::Some);
        let conditional = conditional.or_else(|_| coarsened(touches, guessed, Sizes::Some));
        conditional.map_err(|_| obstacle)
    })
}

/// Drops strides until all subscripts stay within their rows.
fn coarsened(
    touches: &[Touch<'_>],
    mut strides: Vec<Polynomial>,
    sizes: Sizes,
) -> Result<ArrayRows, Obstacle> {
    loop {
        match attempt(touches, &strides, sizes) {
            Ok(rows) => return Ok(rows),
            Err(Failure::Dimension(idx)) => {
                strides.remove(idx);
            }
            Err(Failure::Obstacle(obstacle)) if strides.is_empty() => return Err(obstacle),
            Err(Failure::Obstacle(_)) => {
                strides.remove(0);
            }
        }
    }
}

enum Failure {
    /// The index of a stride that cannot be one.
    Dimension(usize),
    Obstacle(Obstacle),
}

impl From<Obstacle> for Failure {
    fn from(obstacle: Obstacle) -> Self {
        Self::Obstacle(obstacle)
    }
}

fn attempt(
    touches: &[Touch<'_>],
    strides: &[Polynomial],
    sizes: Sizes,
) -> Result<ArrayRows, Failure> {
    let one = Polynomial::constant(1);
    let mut lengths = Vec::new();
    for (idx, stride) in strides.iter().enumerate() {
        let next = strides.get(idx + 1).unwrap_or(&one);
        let (length, rest) = stride.divided(next)?;
        let is_trivial = length.as_constant().is_some_and(|length| length < 2);
        if rest != Polynomial::default() || !length.is_affine() || is_trivial {
            return Err(Failure::Dimension(idx));
        }
        lengths.push(length);
    }
    let mut rows = ArrayRows {
        strides: strides.to_vec(),
        lengths,
        subscripts: Vec::new(),
        required: Conjunction::new(),
    };
    for touch in touches {
        let subscripts = subscripts_of(touch, &mut rows, sizes)?;
        rows.subscripts.push(subscripts);
    }
    Ok(rows)
}

/// The subscripts of an access; adds what they require of sizes to those of the rows.
fn subscripts_of(
    touch: &Touch<'_>,
    rows: &mut ArrayRows,
    sizes: Sizes,
) -> Result<Vec<Polynomial>, Failure> {
    let ArrayRows {
        strides, lengths, ..
    } = rows;
    let mut subscripts = Vec::new();
    let mut rest = touch.offset.clone();
    for stride in strides.iter() {
        let (subscript, inner) = rest.divided(stride)?;
        subscripts.push(subscript);
        rest = inner;
    }
    subscripts.push(rest);
    for idx in (1..subscripts.len()).rev() {
        let size = if idx == strides.len() { touch.size } else { 1 };
        let length = &lengths[idx - 1];
        let turn = turn(touch.domain, &subscripts[idx], length, size, sizes)?;
        let (turn, conditions) = turn.ok_or(Failure::Dimension(idx - 1))?;
        for condition in conditions {
            require(&mut rows.required, condition)?;
        }
        subscripts[idx] = subscripts[idx].plus(-turn, length)?;
        subscripts[idx - 1] = subscripts[idx - 1].plus_constant(turn)?;
    }
    if subscripts.iter().all(Polynomial::is_affine) {
        Ok(subscripts)
    } else {
        Err(Failure::Obstacle(Obstacle::NonAffine))
    }
}

/// By how many rows a subscript is beyond its row, where that is the same for all iterations of the access, and the
/// conditions on sizes for that.
fn turn(
    domain: &Conjunction,
    subscript: &Polynomial,
    length: &Polynomial,
    size: i64,
    sizes: Sizes,
) -> Result<Option<(i64, Conjunction)>, Obstacle> {
    for turn in TURNS {
        let inside = subscript.plus(-turn, length)?;
        if stays_within(domain, &inside, length, size)? {
            return Ok(Some((turn, Conjunction::new())));
        }
    }
    for turn in TURNS.into_iter().filter(|_| sizes == Sizes::Some) {
        let inside = subscript.plus(-turn, length)?;
        if let Some(conditions) = keeping_within(domain, &inside, length, size, Scale::Any)? {
            return Ok(Some((turn, conditions)));
        }
    }
    Ok(None)
}

/// Whether `0 <= x` and `x + size <= length` wherever the domain holds.
fn stays_within(
    domain: &Conjunction,
    x: &Polynomial,
    length: &Polynomial,
    size: i64,
) -> Result<bool, Obstacle> {
    let mut violations = violations(x, length, size)?.into_iter();
    Ok(violations.all(|violation| !may_happen(domain, &violation)))
}

/// Conditions on sizes under which `0 <= x` and `x + size <= length` wherever the domain holds; `None` where no
/// conditions do.
pub(crate) fn keeping_within(
    domain: &Conjunction,
    x: &Polynomial,
    length: &Polynomial,
    size: i64,
    scale: Scale,
) -> Result<Option<Conjunction>, Obstacle> {
    let mut conditions = Conjunction::new();
    for violation in violations(x, length, size)? {
        if may_happen(domain, &violation) {
            let Some(condition) = preventing(domain, &violation, scale)? else {
                return Ok(None);
            };
            require(&mut conditions, condition)?;
        }
    }
    Ok(Some(conditions))
}

/// What is negative unless `x < 0` or `length < x + size`.
fn violations(x: &Polynomial, length: &Polynomial, size: i64) -> Result<[Polynomial; 2], Obstacle> {
    let below = x.scaled(-1)?.plus_constant(-1)?;
    let above = x.plus(-1, length)?.plus_constant(size - 1)?;
    Ok([below, above])
}

fn may_happen(domain: &Conjunction, violation: &Polynomial) -> bool {
    let violation = not_negative(violation.clone());
    may_all_be(domain.iter().chain(&violation))
}

/// The coefficients of iterators that may be strides: each a multiple of the next.
fn guess(touches: &[Touch<'_>]) -> Result<Vec<Polynomial>, Obstacle> {
    let mut found = BTreeSet::new();
    for touch in touches {
        for (product, coefficient) in touch.offset.coefficients() {
            let is_single = matches!(&product[..], [Symbol::Iterator(_)]);
            if is_single {
                let is_negative = coefficient.terms().all(|(_, c)| c < 0);
                found.insert(coefficient.scaled(if is_negative { -1 } else { 1 })?);
            }
        }
    }
    let mut strides: Vec<Polynomial> = found.into_iter().collect();
    strides.sort_by_key(|x| {
        let greatest = x.terms().map(|(_, c)| c.unsigned_abs()).max();
        std::cmp::Reverse((x.degree(), greatest))
    });
    let mut chain: Vec<Polynomial> = Vec::new();
    for stride in strides {
        let divides = |last: &Polynomial| {
            let (length, rest) = last.divided(&stride)?;
            Ok::<_, Obstacle>(rest == Polynomial::default() && length.is_affine())
        };
        if chain.last().map_or(Ok(true), divides)? {
            chain.push(stride);
        }
    }
    Ok(chain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::Constraint;
    use crate::test_forms::{between, form};

    const I: Symbol = Symbol::Iterator(0);
    const J: Symbol = Symbol::Iterator(1);
    const M: Symbol = Symbol::Size(0);

    /// `first <= i <= 7` and `0 <= j <= last`, the latter a form in the size.
    fn domain(first: i64, last: &Polynomial) -> Conjunction {
        let mut domain = between(I, first, 7);
        let upper = last.plus(-1, &Polynomial::symbol(J)).expect("it is small");
        domain.extend([Polynomial::symbol(J), upper].map(Constraint::NotNegative));
        domain
    }

    /// `stride·i + bytes·j + constant`.
    fn offset(stride: &Polynomial, bytes: i64, constant: i64) -> Polynomial {
        let row = stride.times(&Polynomial::symbol(I)).expect("it is small");
        row.plus(1, &form(constant, &[(J, bytes)]))
            .expect("it is small")
    }

    fn of_doubles(
        domain: &Conjunction,
        offset: &Polynomial,
        line: i64,
    ) -> Result<ArrayRows, Obstacle> {
        let touch = Touch {
            domain,
            offset,
            size: 8,
        };
        rows(&[touch], &[], line)
    }

    #[test]
    fn a_row_of_symbolic_length_is_a_subscript_of_its_own() {
        // double a[8][m]; a[i][j + 1] for 0 <= j <= m - 2
        let stride = form(0, &[(M, 8)]);
        let (domain, offset) = (domain(0, &form(-2, &[(M, 1)])), offset(&stride, 8, 8));
        let found = of_doubles(&domain, &offset, 64).expect("it keeps to its rows");
        assert_eq!(found.strides, found.lengths);
        assert_eq!(found.lengths, [stride]);
        assert_eq!(
            found.subscripts,
            [[Polynomial::symbol(I), form(8, &[(J, 8)])]]
        );
    }

    #[test]
    fn an_element_before_its_row_is_in_the_row_before() {
        // a[i - 1][m - 1], written as an offset of -8 from row i.
        let stride = form(0, &[(M, 8)]);
        let row = stride.times(&Polynomial::symbol(I)).expect("it is small");
        let offset = row.plus_constant(-8).expect("it is small");
        let mut domain = domain(1, &form(-1, &[(M, 1)]));
        domain.insert(Constraint::NotNegative(form(-1, &[(M, 1)])));
        let found = of_doubles(&domain, &offset, 64).expect("it keeps to its rows");
        let last = form(-8, &[(M, 8)]);
        assert_eq!(found.subscripts, [[form(-1, &[(I, 1)]), last]]);
    }

    #[test]
    fn a_subscript_that_may_leave_its_row_merges_it_with_the_others() {
        // double a[8][10]; a[i][j + 1]
        let stride = Polynomial::constant(80);
        let offset = offset(&stride, 8, 8);
        let within = domain(0, &Polynomial::constant(8));
        let found = of_doubles(&within, &offset, 64).expect("it keeps to its rows");
        assert_eq!(found.strides, [stride]);
        let beyond = domain(0, &Polynomial::constant(9));
        let found = of_doubles(&beyond, &offset, 64).expect("there is one row of bytes");
        assert!(found.strides.is_empty());
        assert_eq!(found.subscripts, [[offset]]);
        // With rows of symbolic length, one row of bytes is not affine.
        let symbolic = self::offset(&form(0, &[(M, 8)]), 8, 8);
        let beyond = domain(0, &form(-1, &[(M, 1)]));
        let refused = of_doubles(&beyond, &symbolic, 64);
        assert_eq!(refused.err(), Some(Obstacle::NonAffine));
    }

    #[test]
    fn rows_that_are_shorter_than_a_line_are_no_rows() {
        let offset = offset(&Polynomial::constant(40), 8, 0);
        let domain = domain(0, &Polynomial::constant(4));
        let strides = |line: i64| {
            let found = of_doubles(&domain, &offset, line).expect("it keeps to its rows");
            found.strides.len()
        };
        assert_eq!(strides(64), 0);
        assert_eq!(strides(40), 1);
    }

    #[test]
    fn an_element_stays_within_where_its_last_byte_does() {
        let domain = between(J, 0, 3);
        let stays = |constant: i64, length: i64| {
            let (x, length) = (form(constant, &[(J, 8)]), Polynomial::constant(length));
            stays_within(&domain, &x, &length, 8).expect("it is small")
        };
        assert!(stays(0, 32) && !stays(0, 31));
        assert!(!stays(-1, 32) && !stays(1, 32) && stays(1, 33));
    }
}
