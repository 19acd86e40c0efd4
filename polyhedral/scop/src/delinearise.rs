//! From a distance in bytes to the subscripts of rows.
//!
//! An array is a box of rows: `offset = strides[0]·e[0] + strides[1]·e[1] + … + e[k]`, the last subscript counting
//! bytes. Where every subscript but the first stays within its row, two offsets are equal if and only if their
//! subscripts are. A subscript that may leave its row merges the row with the row around it; in the end an array is one
//! row of bytes.
//!
//! `double a[n][m]; a[i][j + 1]` at `8·m·i + 8·j + 8` has stride `8·m` and subscripts `i`, `8·j + 8`.

use crate::condition::{Conjunction, Constraint, may_all_be};
use crate::execute::not_negative;
use crate::polynomial::{Polynomial, Symbol};
use crate::reject::Obstacle;
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
}

/// The finest rows that all accesses keep to, first as declared, then as the subscripts look.
pub(crate) fn rows(
    touches: &[Touch<'_>],
    declared: &[Polynomial],
    line: i64,
) -> Result<ArrayRows, Obstacle> {
    let is_row = |stride: &&Polynomial| stride.as_constant().is_none_or(|bytes| line <= bytes);
    let declared: Vec<Polynomial> = declared.iter().filter(is_row).cloned().collect();
    let wanted = declared.len();
    let first = coarsened(touches, declared);
    match &first {
        Ok(rows) if 0 < wanted && rows.strides.len() == wanted => return first,
        _ => {}
    }
    let mut guessed = guess(touches)?;
    guessed.retain(|stride| is_row(&stride));
    let second = coarsened(touches, guessed);
    match (&first, &second) {
        (Ok(a), Ok(b)) if a.strides.len() < b.strides.len() => second,
        (Err(_), Ok(_)) => second,
        _ => first,
    }
}

/// Drops strides until all subscripts stay within their rows.
fn coarsened(touches: &[Touch<'_>], mut strides: Vec<Polynomial>) -> Result<ArrayRows, Obstacle> {
    loop {
        match attempt(touches, &strides) {
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

fn attempt(touches: &[Touch<'_>], strides: &[Polynomial]) -> Result<ArrayRows, Failure> {
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
    let mut subscripts = Vec::new();
    for touch in touches {
        subscripts.push(subscripts_of(touch, strides, &lengths)?);
    }
    Ok(ArrayRows {
        strides: strides.to_vec(),
        lengths,
        subscripts,
    })
}

fn subscripts_of(
    touch: &Touch<'_>,
    strides: &[Polynomial],
    lengths: &[Polynomial],
) -> Result<Vec<Polynomial>, Failure> {
    let mut subscripts = Vec::new();
    let mut rest = touch.offset.clone();
    for stride in strides {
        let (subscript, inner) = rest.divided(stride)?;
        subscripts.push(subscript);
        rest = inner;
    }
    subscripts.push(rest);
    for idx in (1..subscripts.len()).rev() {
        let size = if idx == strides.len() { touch.size } else { 1 };
        let length = &lengths[idx - 1];
        let turn = turn(touch.domain, &subscripts[idx], length, size)?;
        let turn = turn.ok_or(Failure::Dimension(idx - 1))?;
        subscripts[idx] = subscripts[idx].plus(-turn, length)?;
        subscripts[idx - 1] = subscripts[idx - 1].plus_constant(turn)?;
    }
    if subscripts.iter().all(Polynomial::is_affine) {
        Ok(subscripts)
    } else {
        Err(Failure::Obstacle(Obstacle::NonAffine))
    }
}

/// By how many rows a subscript is beyond its row, where that is the same for all iterations of the access.
fn turn(
    domain: &Conjunction,
    subscript: &Polynomial,
    length: &Polynomial,
    size: i64,
) -> Result<Option<i64>, Obstacle> {
    for turn in TURNS {
        let inside = subscript.plus(-turn, length)?;
        if stays_within(domain, &inside, length, size)? {
            return Ok(Some(turn));
        }
    }
    Ok(None)
}

/// Whether `0 <= x` and `x + size <= length` wherever the domain holds.
pub(crate) fn stays_within(
    domain: &Conjunction,
    x: &Polynomial,
    length: &Polynomial,
    size: i64,
) -> Result<bool, Obstacle> {
    let below = x.scaled(-1)?.plus_constant(-1)?;
    let above = x.plus(-1, length)?.plus_constant(size - 1)?;
    let may = |violation: Polynomial| {
        let violation: Vec<Constraint> = not_negative(violation).into_iter().collect();
        may_all_be(domain.iter().chain(&violation))
    };
    Ok(!may(below) && !may(above))
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
