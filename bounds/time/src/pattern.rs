//! Access patterns and the misses that they make: Byna, Sun, Gropp and Thakur (2004), section 4, Tables
//! 3 and 4.
//!
//! A reference walks through *blocks* of W contiguous bytes, one every S bytes. In
//! `for i { for j { … a[j][i] … } }` over `double a[n][n]` blocks are single numbers, W = 8, each
//! S = 8n bytes from the one before. Lines have L bytes, a cache C bytes in A ways, and D is the working
//! set: what is touched until the walk comes back to lines that it has touched before.
//!
//! | class | misses |
//! | --- | --- |
//! | constant | ⌈W/L⌉, once |
//! | contiguous | ΣW/L, rounded up (4.5, 4.6) |
//! | any other, D < C | ΣW/L (4.8's text) |
//! | fixed stride, S ≤ L | R·S/L |
//! | fixed stride, L < S ≤ D/A | R·max(⌈W/L⌉, 1) (4.9) |
//! | fixed stride, D/A < S | R·W/L (4.8) |
//! | variable stride | Σ min(⌊S_j/L⌋, 1)·max(⌈W/L⌉, 1) (4.10) |
//! | variable block | Σ max(⌈W_j/L⌉, 1) (4.12) |
//!
//! The paper has one walk; a walk that is repeated (`a[j]` in a loop over `i`) finds its lines again
//! where what is touched in between fits, and else misses as often again.

use std::sync::Arc;

/// How blocks follow one another (section 2, Fig. 1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PatternClass {
    /// One block, again and again.
    Constant,
    /// Each block begins where the last one ended.
    Contiguous,
    /// Blocks of one length at one distance (Fig. 1.a).
    FixedStride,
    /// Blocks of one length at various or unknown distances (Fig. 1.b).
    VariableStride,
    /// Blocks of various lengths at one distance (Fig. 1.c).
    VariableBlock,
    /// Blocks of various lengths at various distances (Fig. 1.d).
    VariableBoth,
}

/// A cache, or a TLB with its pages for lines.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PatternLevel {
    /// Bytes of a line: L.
    pub line: f64,
    /// Bytes that it holds: C.
    pub capacity: f64,
    /// Lines of a set: A.
    pub ways: f64,
}

/// Blocks of one length and distance that a walk goes through.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Blocks {
    /// The number of blocks: R.
    pub number: f64,
    /// Bytes of each: W.
    pub bytes: f64,
    /// Bytes from the start of one to the start of the next: S; infinite where it is not known.
    pub stride: f64,
}

/// The footprint of several walks together.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Footprint {
    /// The blocks of each of the walks. All walks in a loop share its footprint.
    pub walks: Arc<[Blocks]>,
}

/// How a reference walks through its array.
#[derive(Clone, PartialEq, Debug)]
pub struct Pattern {
    /// How its blocks follow one another.
    pub class: PatternClass,
    /// The blocks, those of one length and distance together.
    pub blocks: Vec<Blocks>,
    /// The working set: D.
    pub working_set: Footprint,
    /// For each loop around that repeats the walk, the number of repetitions, and the footprint of one.
    pub repeated: Vec<(f64, Footprint)>,
}

impl PatternClass {
    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Contiguous => "contiguous",
            Self::FixedStride => "fixed stride",
            Self::VariableStride => "variable stride",
            Self::VariableBlock => "variable block",
            Self::VariableBoth => "variable block and stride",
        }
    }
}

impl Pattern {
    /// The estimated number of misses in a level, by the table in the head of this module and the repetitions of the
    /// walk.
    #[must_use]
    pub fn misses(&self, level: PatternLevel) -> f64 {
        let does_not_fit = |part: &&(f64, Footprint)| level.capacity < part.1.bytes(level.line);
        let again = self.repeated.iter().filter(does_not_fit);
        again.map(|(times, _)| times).product::<f64>() * self.once(level)
    }

    /// Whether hardware prefetchers fetch its lines ahead, as one line follows the other closely. Intel's Optimization
    /// Reference Manual (248966), "Data Prefetching", has strides of up to 2 KiB.
    #[must_use]
    pub fn is_foreseen(&self) -> bool {
        const FARTHEST: f64 = 2048.0;
        let is_close = |x: &Blocks| x.stride <= FARTHEST || FARTHEST <= x.bytes;
        self.blocks.iter().all(is_close)
    }

    fn once(&self, level: PatternLevel) -> f64 {
        let line = level.line;
        let sum = |of: &dyn Fn(&Blocks) -> f64| -> f64 {
            self.blocks.iter().map(|x| x.number * of(x)).sum()
        };
        let compulsory = sum(&|x| x.bytes / line);
        let each_block = |x: &Blocks| (x.bytes / line).ceil().max(1.0);
        let working_set = self.working_set.bytes(line);
        match self.class {
            PatternClass::Constant => self.blocks.iter().map(each_block).sum(),
            PatternClass::Contiguous => compulsory.ceil(),
            _ if working_set < level.capacity => compulsory,
            PatternClass::FixedStride => sum(&|x| {
                if x.stride <= line {
                    x.stride / line
                } else if x.stride <= working_set / level.ways {
                    each_block(x)
                } else {
                    x.bytes / line
                }
            }),
            PatternClass::VariableStride => {
                sum(&|x| (x.stride / line).floor().min(1.0) * each_block(x))
            }
            PatternClass::VariableBlock | PatternClass::VariableBoth => sum(&each_block),
        }
    }
}

impl Footprint {
    /// Bytes of the lines of `line` bytes that it touches.
    #[must_use]
    pub fn bytes(&self, line: f64) -> f64 {
        let of_walk = |x: &Blocks| {
            let apart = (x.bytes / line).ceil().max(1.0) * line;
            x.number * x.stride.max(x.bytes).min(apart)
        };
        self.walks.iter().map(of_walk).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 4 KiB in 2 ways, lines of 64 bytes.
    const SMALL: PatternLevel = PatternLevel {
        line: 64.0,
        capacity: 4096.0,
        ways: 2.0,
    };

    fn blocks(number: f64, bytes: f64, stride: f64) -> Blocks {
        Blocks {
            number,
            bytes,
            stride,
        }
    }

    fn pattern(class: PatternClass, blocks: Vec<Blocks>) -> Pattern {
        Pattern {
            class,
            working_set: Footprint {
                walks: blocks.clone().into(),
            },
            blocks,
            repeated: Vec::new(),
        }
    }

    fn check(class: PatternClass, list: Vec<Blocks>, expected: f64) {
        assert_eq!(pattern(class, list).misses(SMALL), expected, "{class:?}");
    }

    // Each row worked by hand from the formula named.

    #[test]
    fn constant() {
        // ceil(8 / 64) = 1; ceil(100 / 64) = 2.
        check(PatternClass::Constant, vec![blocks(1000.0, 8.0, 0.0)], 1.0);
        check(
            PatternClass::Constant,
            vec![blocks(1000.0, 100.0, 0.0)],
            2.0,
        );
    }

    #[test]
    fn contiguous() {
        // (4.6): 1000 * 8 / 64 = 125; 1001 * 8 / 64 = 125.125, rounded up.
        check(
            PatternClass::Contiguous,
            vec![blocks(1000.0, 8.0, 8.0)],
            125.0,
        );
        check(
            PatternClass::Contiguous,
            vec![blocks(1001.0, 8.0, 8.0)],
            126.0,
        );
        // A block of 128 bytes in a line of 64 is 2: 50 * 2.
        check(
            PatternClass::Contiguous,
            vec![blocks(50.0, 128.0, 128.0)],
            100.0,
        );
    }

    #[test]
    fn fixed_stride() {
        // 32 blocks on lines of their own are 2 KiB, which fits: 32 * 8 / 64.
        check(
            PatternClass::FixedStride,
            vec![blocks(32.0, 8.0, 256.0)],
            4.0,
        );
        // S = 32 <= 64 and 1000 * 32 bytes do not fit: 1000 * 32 / 64.
        check(
            PatternClass::FixedStride,
            vec![blocks(1000.0, 8.0, 32.0)],
            500.0,
        );
        // (4.9), S = 256 <= 64,000 / 2: 1000 * 1; with W = 96, 1000 * 2.
        check(
            PatternClass::FixedStride,
            vec![blocks(1000.0, 8.0, 256.0)],
            1000.0,
        );
        check(
            PatternClass::FixedStride,
            vec![blocks(1000.0, 96.0, 256.0)],
            2000.0,
        );
        // (4.8), S = 40,000 > 64,000 / 2: 1000 * 8 / 64.
        check(
            PatternClass::FixedStride,
            vec![blocks(1000.0, 8.0, 40_000.0)],
            125.0,
        );
    }

    #[test]
    fn variable_stride() {
        // (4.10): strides of 16 and 48 stay in a line, 64 and 200 do not: 300 + 100.
        let strides = vec![
            blocks(100.0, 8.0, 16.0),
            blocks(100.0, 8.0, 48.0),
            blocks(300.0, 8.0, 64.0),
            blocks(100.0, 8.0, 200.0),
        ];
        check(PatternClass::VariableStride, strides, 400.0);
        // W = 130 is 3 lines each.
        check(
            PatternClass::VariableStride,
            vec![blocks(100.0, 130.0, f64::INFINITY)],
            300.0,
        );
    }

    #[test]
    fn variable_blocks() {
        // (4.12): blocks of 8, 64, 65 and 200 bytes: 1, 1, 2 and 4 lines, 50 of each.
        let lengths = [8.0, 64.0, 65.0, 200.0];
        let list: Vec<Blocks> = lengths.map(|bytes| blocks(50.0, bytes, 512.0)).to_vec();
        check(PatternClass::VariableBlock, list.clone(), 400.0);
        check(PatternClass::VariableBoth, list, 400.0);
        // 5 of 8 bytes fit: 5 * 8 / 64.
        check(
            PatternClass::VariableBoth,
            vec![blocks(5.0, 8.0, 512.0)],
            0.625,
        );
    }

    #[test]
    fn repetitions_miss_again_where_lines_do_not_stay() {
        let mut walk = pattern(PatternClass::Contiguous, vec![blocks(1000.0, 8.0, 8.0)]);
        walk.repeated = vec![(10.0, walk.working_set.clone())];
        assert_eq!(walk.misses(SMALL), 1250.0);
        let large = PatternLevel {
            capacity: 8192.0,
            ..SMALL
        };
        assert_eq!(walk.misses(large), 125.0);
    }
}
