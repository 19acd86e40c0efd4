//! Nests of any shape.

use super::Knowledge;
use super::genes::{Genes, empty};
use crate::sketch::{Sketch, Step, affine, var};
use premiss_tree::{
    AccessKind, BinaryOperator, Comparison, EntityRef, Expression, IntegerType, ParameterId,
    UnaryOperator,
};

/// At most this many iterations of all loops around a place.
const ITERATIONS: i64 = 300;
/// At most this many loops in each other.
const DEPTH: usize = 4;
/// At most this many steps in all.
const STEPS: usize = 24;

/// A loop iterator in scope and the values that it takes.
#[derive(Clone, Copy)]
struct Iterator {
    variable: usize,
    least: i64,
    greatest: i64,
}

/// How a loop runs, and the values that its iterator takes at the most.
struct Header {
    first: Expression,
    comparison: Comparison,
    bound: Expression,
    step: i64,
    least: i64,
    greatest: i64,
}

/// A loop from or to an iterator around it.
fn around_header(shape: usize, outer: Iterator, count: i64, stride: i64) -> Option<Header> {
    let iterator = var(outer.variable);
    let (least, greatest) = (outer.least, outer.greatest);
    let (first, comparison, bound, step, least, greatest) = match shape {
        3 => (
            iterator,
            Comparison::Less,
            (greatest + 1).into(),
            1,
            least,
            greatest + 1,
        ),
        4 => (
            least.into(),
            Comparison::LessEqual,
            iterator,
            1,
            least,
            greatest + 1,
        ),
        5 => (
            iterator,
            Comparison::GreaterEqual,
            least.into(),
            -1,
            least - 1,
            greatest,
        ),
        6 => {
            let tile = affine(count, &[(1, outer.variable)]);
            let end = Expression::binary(BinaryOperator::Minimum, tile, greatest.into());
            (
                iterator,
                Comparison::Less,
                end,
                stride,
                least,
                greatest + stride,
            )
        }
        _ => return None,
    };
    Some(Header {
        first,
        comparison,
        bound,
        step,
        least,
        greatest,
    })
}

struct Grower<'a, 'b> {
    genes: &'a mut Genes<'b>,
    knowledge: Knowledge,
    sketch: Sketch,
    scope: Vec<Iterator>,
    /// Variables that are no iterators.
    counters: Vec<usize>,
    steps: usize,
}

pub(super) fn grow(genes: &mut Genes, knowledge: Knowledge) -> Sketch {
    let mut sketch = empty(genes);
    if knowledge == Knowledge::Partial {
        // Arrays lie apart: each ends where its references end.
        sketch
            .arrays
            .iter_mut()
            .for_each(|array| array.extent = None);
    }
    let mut grower = Grower {
        genes,
        knowledge,
        sketch,
        scope: Vec::new(),
        counters: Vec::new(),
        steps: 0,
    };
    let mut body = Vec::new();
    for _ in 0..grower.genes.below(3) {
        let variable = grower.variable("c");
        grower.counters.push(variable);
        let value = grower.genes.within(0, 9).into();
        body.push(Step::Assign { variable, value });
    }
    while !grower.genes.is_over() && grower.steps < STEPS {
        let step = grower.step(ITERATIONS);
        body.extend(step);
    }
    Sketch {
        body,
        ..grower.sketch
    }
}

impl Grower<'_, '_> {
    fn variable(&mut self, prefix: &str) -> usize {
        let number = self.sketch.variables.len();
        self.sketch.variables.push(format!("{prefix}{number}"));
        number
    }

    fn steps(&mut self, iterations: i64) -> Vec<Step> {
        let count = self.genes.within(1, 3);
        (0..count).flat_map(|_| self.step(iterations)).collect()
    }

    /// A step, with what must stand before it.
    fn step(&mut self, iterations: i64) -> Vec<Step> {
        self.steps += 1;
        if STEPS < self.steps {
            return Vec::new();
        }
        let outside = self.scope.is_empty() && self.genes.once_in(2);
        match self.genes.below(12) {
            _ if outside => self.repeat(iterations),
            0..=5 => vec![self.access()],
            6..=8 if self.scope.len() < DEPTH => self.repeat(iterations),
            9 => vec![self.branch(iterations)],
            10 if !self.counters.is_empty() => vec![self.assign()],
            11 if self.knowledge == Knowledge::Partial && self.genes.once_in(4) => {
                vec![Step::Opaque]
            }
            _ => vec![self.access()],
        }
    }

    fn repeat(&mut self, iterations: i64) -> Vec<Step> {
        let variable = self.variable("i");
        let most = iterations.clamp(1, 20);
        let count = self.genes.within(0, most);
        let stride = self.genes.one_of(&[1, 1, 2, 3]);
        let shape = self.genes.below(8);
        let around = self.genes.below(self.scope.len());
        let around = self.scope.get(around).copied();
        let fits = |outer: &Iterator| outer.greatest - outer.least <= most;
        let header = around
            .filter(fits)
            .and_then(|outer| around_header(shape, outer, count, stride))
            .unwrap_or_else(|| self.plain_header(shape, most, count, stride));
        let (least, greatest) = (header.least, header.greatest.max(header.least));
        self.scope.push(Iterator {
            variable,
            least,
            greatest,
        });
        let body = self.steps(iterations / (greatest - least).max(1));
        self.scope.pop();
        vec![Step::Loop {
            variable,
            first: header.first,
            comparison: header.comparison,
            bound: header.bound,
            step: header.step.into(),
            body,
        }]
    }

    /// A loop over first, first + stride, … count times, in either direction.
    fn plain_header(&mut self, shape: usize, most: i64, count: i64, stride: i64) -> Header {
        let first = self.genes.within(-2, 6);
        let last = first + stride * (count - 1);
        let (first, comparison, bound, step, least, greatest): (i64, _, Expression, _, _, _) =
            match shape {
                1 => {
                    let top = first + stride * count;
                    (top, Comparison::Greater, first.into(), -stride, first, top)
                }
                2 => {
                    let end = stride * count;
                    (0, Comparison::NotEqual, end.into(), stride, 0, end)
                }
                7 if 12 <= most => {
                    let n = Expression::Parameter(ParameterId::new(0));
                    (0, Comparison::Less, n, stride, 0, 12)
                }
                _ => {
                    let end = last + stride;
                    (
                        first,
                        Comparison::LessEqual,
                        last.into(),
                        stride,
                        first,
                        end,
                    )
                }
            };
        Header {
            first: first.into(),
            comparison,
            bound,
            step,
            least,
            greatest,
        }
    }

    fn branch(&mut self, iterations: i64) -> Step {
        let condition = self.condition();
        let then = self.steps(iterations);
        let otherwise = if self.genes.once_in(2) {
            self.steps(iterations)
        } else {
            Vec::new()
        };
        Step::Branch {
            condition,
            then,
            otherwise,
        }
    }

    fn condition(&mut self) -> Expression {
        if self.knowledge == Knowledge::Partial && self.genes.once_in(2) {
            return Expression::Data;
        }
        let operators = [
            BinaryOperator::Less,
            BinaryOperator::LessEqual,
            BinaryOperator::Equal,
            BinaryOperator::NotEqual,
            BinaryOperator::LessUnsigned,
        ];
        let operator = self.genes.one_of(&operators);
        let (a, b) = (self.sum(1), self.sum(1));
        let one = Expression::binary(operator, a, b);
        match self.genes.below(6) {
            4 => Expression::unary(UnaryOperator::Not, one),
            5 => {
                let operator = self
                    .genes
                    .one_of(&[BinaryOperator::And, BinaryOperator::Or]);
                Expression::binary(operator, one, self.condition_on_residue())
            }
            _ => one,
        }
    }

    fn condition_on_residue(&mut self) -> Expression {
        let value = self.sum(1);
        Expression::binary(BinaryOperator::Remainder, value, 2.into())
    }

    fn assign(&mut self) -> Step {
        let variable = self.genes.one_of(&self.counters.clone());
        let value = match self.genes.below(8) {
            6 => self.sum(1),
            7 if self.knowledge == Knowledge::Partial => Expression::Data,
            _ => affine(self.genes.one_of(&[1, 2, -1, 8]), &[(1, variable)]),
        };
        Step::Assign { variable, value }
    }

    fn access(&mut self) -> Step {
        let array = self.genes.below(self.sketch.arrays.len());
        let size = if self.genes.once_in(3) {
            self.genes.one_of(&[1, 4, 16, 3])
        } else {
            8
        };
        let unknown = self.knowledge == Knowledge::Partial && self.genes.once_in(12);
        Step::Access {
            kind: self.genes.one_of(&[AccessKind::Load, AccessKind::Store]),
            array,
            offset: if unknown {
                Expression::Data
            } else {
                self.offset()
            },
            size,
        }
    }

    fn offset(&mut self) -> Expression {
        let plain = self.sum(8);
        match self.genes.below(10) {
            7 => {
                let operators = [
                    BinaryOperator::Maximum,
                    BinaryOperator::Minimum,
                    BinaryOperator::Multiply,
                    BinaryOperator::BitXor,
                ];
                let operator = self.genes.one_of(&operators);
                Expression::binary(operator, plain, self.sum(1))
            }
            8 => {
                let operators = [
                    BinaryOperator::Remainder,
                    BinaryOperator::Quotient,
                    BinaryOperator::BitAnd,
                    BinaryOperator::ShiftRight,
                ];
                let operator = self.genes.one_of(&operators);
                let by = self.genes.within(1, 40);
                let halved = Expression::binary(operator, plain, by.into());
                Expression::binary(BinaryOperator::Multiply, halved, 8.into())
            }
            9 => {
                let kind = IntegerType {
                    bits: self.genes.one_of(&[16, 8]),
                    signed: self.genes.once_in(2),
                };
                let wrapped = Expression::wrap(kind, plain);
                Expression::select(self.condition_on_residue(), wrapped, self.sum(4))
            }
            _ => plain,
        }
    }

    /// A constant and up to three variables, with factors that are multiples of `unit`.
    fn sum(&mut self, unit: i64) -> Expression {
        // No variable twice: whether x - x is known where x is not is left open.
        let mut terms: Vec<(i64, usize)> = Vec::new();
        for _ in 0..self.genes.below(4) {
            let n_scope = self.scope.len();
            let idx = self.genes.below(n_scope + self.counters.len());
            let variable = match self.scope.get(idx) {
                Some(iterator) => iterator.variable,
                None if self.counters.is_empty() => continue,
                None => self.counters[idx - n_scope],
            };
            let factor = self.genes.one_of(&[1, 1, 8, -1, 3, 12, 64]);
            if terms.iter().all(|(_, other)| *other != variable) {
                terms.push((unit * factor, variable));
            }
        }
        let constant = match self.genes.below(4) {
            1 => self.genes.within(-9, 9),
            2 => unit * self.genes.within(-4, 20),
            3 => unit * 100,
            _ => 0,
        };
        affine(constant, &terms)
    }
}
