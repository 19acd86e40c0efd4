//! Nests as they are compared: their place, their shape, and their likeness.

use super::likeness::Likeness;
use crate::program_text::ProgramText;
use crate::shape::{Nest, nests_with_text};
use premiss_source::{SourceMap, Span};
use premiss_tree::NestTree;
use std::cell::LazyCell;

/// A nest of a function, in one of the two programs.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The index of the function in its program.
    pub function: usize,
    /// The name of the function.
    pub name: String,
    /// The file of the function, by the key that both programs use for it.
    pub file: String,
    /// The index of the nest in its function.
    pub position: usize,
    /// The nest with its shape.
    pub nest: Nest,
    /// Its likeness to other nests.
    pub(crate) likeness: Likeness,
}

/// The place of a nest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelPlace {
    /// The analysed function.
    pub function: String,
    /// The file.
    pub path: String,
    /// The line of the outermost loop, from 1.
    pub line: u32,
    /// The header of the outermost loop, or the name of the function, in the sources of its program; `None` in a saved
    /// base.
    pub span: Option<Span>,
}

/// The kernels of functions, in order; `file` gives the key of the file of a function. In `sources` are the texts, by
/// which nests that were not understood are compared.
pub fn kernels<'a>(
    trees: impl Iterator<Item = &'a NestTree>,
    sources: &SourceMap,
    file: impl Fn(&NestTree) -> String,
) -> Vec<Kernel> {
    let mut kernels = Vec::new();
    let text = LazyCell::new(|| ProgramText::new(sources));
    let digest = |spans: &[Span]| Some(text.digest(spans));
    for (function, tree) in trees.enumerate() {
        for (position, nest) in nests_with_text(tree, &digest).into_iter().enumerate() {
            kernels.push(Kernel {
                function,
                name: tree.function.clone(),
                file: file(tree),
                position,
                likeness: Likeness::of(tree, &nest),
                nest,
            });
        }
    }
    kernels
}
