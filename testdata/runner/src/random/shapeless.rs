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
    let sketch = empty(genes);
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
        // The iterator runs over first, first + stride, … count times, in either direction; or up to
        // an iterator around it.
        let around = (!self.scope.is_empty()).then(|| {
            let idx = self.genes.below(self.scope.len());
            self.scope[idx]
        });
        let shape = self.genes.below(8);
        let (first, comparison, bound, step, least, greatest): (
            Expression,
            Comparison,
            Expression,
            i64,
            i64,
            i64,
        ) = match (shape, around) {
            (1, _) => {
                let least = self.genes.within(-3, 5);
                let first = least + stride * count;
                (
                    first.into(),
                    Comparison::Greater,
                    least.into(),
                    -stride,
                    least,
                    first,
                )
            }
            (2, _) => {
                let last = stride * count;
                (0.into(), Comparison::NotEqual, last.into(), stride, 0, last)
            }
            (3, Some(outer)) if outer.greatest - outer.least <= most => {
                let end = outer.greatest + 1;
                (
                    var(outer.variable),
                    Comparison::Less,
                    end.into(),
                    1,
                    outer.least,
                    end,
                )
            }
            (4, Some(outer)) if outer.greatest - outer.least <= most => {
                let bound = var(outer.variable);
                (
                    outer.least.into(),
                    Comparison::LessEqual,
                    bound,
                    1,
                    outer.least,
                    outer.greatest,
                )
            }
            (5, Some(outer)) if outer.greatest - outer.least <= most => {
                let first = var(outer.variable);
                let bound = outer.least;
                (
                    first,
                    Comparison::GreaterEqual,
                    bound.into(),
                    -1,
                    bound - 1,
                    outer.greatest,
                )
            }
            (6, Some(outer)) => {
                let end = Expression::binary(
                    BinaryOperator::Minimum,
                    affine(count, &[(1, outer.variable)]),
                    outer.greatest.into(),
                );
                let first = var(outer.variable);
                (
                    first,
                    Comparison::Less,
                    end,
                    stride,
                    outer.least,
                    outer.greatest + count,
                )
            }
            (7, _) if 12 <= most => {
                let n = Expression::Parameter(ParameterId::new(0));
                (0.into(), Comparison::Less, n, stride, 0, 12)
            }
            _ => {
                let first = self.genes.within(-2, 6);
                let last = first + stride * (count - 1);
                (
                    first.into(),
                    Comparison::LessEqual,
                    last.into(),
                    stride,
                    first,
                    last + stride,
                )
            }
        };
        self.scope.push(Iterator {
            variable,
            least,
            greatest: greatest.max(least),
        });
        let body = self.steps(iterations / (greatest - least).max(1));
        self.scope.pop();
        vec![Step::Loop {
            variable,
            first,
            comparison,
            bound,
            step: step.into(),
            body,
        }]
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
        let mut terms = Vec::new();
        for _ in 0..self.genes.below(4) {
            let n_scope = self.scope.len();
            let idx = self.genes.below(n_scope + self.counters.len());
            let variable = match self.scope.get(idx) {
                Some(iterator) => iterator.variable,
                None if self.counters.is_empty() => continue,
                None => self.counters[idx - n_scope],
            };
            let factor = self.genes.one_of(&[1, 1, 8, -1, 3, 12, 64]);
            terms.push((unit * factor, variable));
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
