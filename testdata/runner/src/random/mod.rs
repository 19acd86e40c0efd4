//! Random nests: well-formed trees of all shapes that the model allows.
//!
//! A sketch grows from a list of numbers, its genes: each decision takes the next one, and a list
//! that has run out yields zeros, which stand for the plainest choice. So shorter lists and smaller
//! numbers make smaller sketches, and what a property test shrinks is easy to read.

mod genes;
mod kernel_text;
mod shapeless;
mod sweeps;

use crate::sketch::Sketch;
use genes::Genes;
use proptest::prelude::{Strategy, any};
use proptest::test_runner::Config;

/// What random nests may contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Knowledge {
    /// All accesses are certain and their addresses known.
    Full,
    /// Some branches and addresses depend on data, some places are opaque.
    Partial,
}

/// Nests of any shape with few iterations: imperfect, triangular, strided both ways, guarded, with
/// counters, with elements that straddle lines.
pub fn shapeless(knowledge: Knowledge) -> impl Strategy<Value = Sketch> {
    let genes = proptest::collection::vec(any::<u16>(), 0..300);
    genes.prop_map(move |genes| grow_shapeless(&genes, knowledge))
}

/// Regular sweeps that repeat: what engines skip, run together and fast-forward.
pub fn sweeps() -> impl Strategy<Value = Sketch> {
    let genes = proptest::collection::vec(any::<u16>(), 0..60);
    genes.prop_map(|genes| grow_sweeps(&genes))
}

/// Texts of C kernels of two sizes `n` and `m`, with the subscripts, bounds and guards that closed forms
/// are made for.
pub fn kernels() -> impl Strategy<Value = String> {
    let genes = proptest::collection::vec(any::<u16>(), 40..120);
    genes.prop_map(|genes| kernel_text::write(&mut Genes::new(&genes), Knowledge::Full))
}

/// The same, with conditions on what arrays hold, choices between elements, and loops that data end.
pub fn data_kernels() -> impl Strategy<Value = String> {
    let genes = proptest::collection::vec(any::<u16>(), 40..120);
    genes.prop_map(|genes| kernel_text::write(&mut Genes::new(&genes), Knowledge::Partial))
}

/// The nest of any shape that these genes make.
#[must_use]
pub fn grow_shapeless(genes: &[u16], knowledge: Knowledge) -> Sketch {
    shapeless::grow(&mut Genes::new(genes), knowledge)
}

/// The sweeps that these genes make.
#[must_use]
pub fn grow_sweeps(genes: &[u16]) -> Sketch {
    sweeps::grow(&mut Genes::new(genes))
}

/// As many cases as `PROPTEST_CASES` says, or as the default, divided by a share. Cargo fixes the seed (`.cargo/config.toml`).
#[must_use]
pub fn config(share: u32) -> Config {
    let default = Config::default();
    Config {
        cases: default.cases.div_ceil(share),
        failure_persistence: None,
        ..default
    }
}
