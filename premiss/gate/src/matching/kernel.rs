//! Nests as comparisons know them: where they are, what they do, and what they look like.

use super::likeness::Likeness;
use crate::shape::{Nest, nests};
use premiss_source::Span;
use premiss_tree::NestTree;

/// A nest of a function of one side.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The function by its place among all of its side.
    pub function: usize,
    /// Its name.
    pub name: String,
    /// The file in which the function is, as both sides call it.
    pub file: String,
    /// Which nest of the function it is.
    pub position: usize,
    /// What it does.
    pub nest: Nest,
    /// What it looks like.
    pub(crate) likeness: Likeness,
}

/// Where a nest is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelPlace {
    /// The function that was entered.
    pub function: String,
    /// The file.
    pub path: String,
    /// The line of the outermost loop, from 1.
    pub line: u32,
    /// The header of the outermost loop, or the name of the function, in the texts of its side, where there are any.
    pub span: Option<Span>,
}

/// The kernels of functions; `file` is what both sides call the file of a function.
pub fn kernels<'a>(
    trees: impl Iterator<Item = &'a NestTree>,
    file: impl Fn(&NestTree) -> String,
) -> Vec<Kernel> {
    let mut kernels = Vec::new();
    for (function, tree) in trees.enumerate() {
        for (position, nest) in nests(tree).into_iter().enumerate() {
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
