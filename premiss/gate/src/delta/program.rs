//! One of the two programs of a comparison, with look-ups.

use crate::matching::{Kernel, KernelPlace};
use crate::saved::SavedBase;
use premiss_analyze::FunctionAnalysis;
use premiss_source::SourceMap;

/// One of the two programs that are compared.
#[derive(Clone, Copy)]
pub struct ComparedProgram<'a> {
    /// Its source texts.
    pub sources: &'a SourceMap,
    /// Its functions with their counts.
    pub functions: &'a [FunctionAnalysis],
    /// The nests of its functions.
    pub kernels: &'a [Kernel],
    /// The saved base, if the program comes from one; it has no texts and no functions then.
    pub saved: Option<&'a SavedBase>,
}

impl<'a> ComparedProgram<'a> {
    pub(super) fn kernels_of(self, all: &[usize]) -> impl Iterator<Item = &'a Kernel> {
        all.iter().map(move |idx| &self.kernels[*idx])
    }

    /// The values of the sizes of nests, in order.
    pub(super) fn size_values(self, all: &[usize]) -> Vec<Option<i64>> {
        if let Some(saved) = self.saved {
            let sizes = all.iter().flat_map(|idx| &saved.kernels[*idx].sizes);
            return sizes.map(|(_, value)| *value).collect();
        }
        let of_one = |kernel: &'a Kernel| {
            let parameters = &self.function(kernel).tree.parameters;
            let sizes = kernel.nest.sizes.iter();
            sizes.map(move |id| parameters.get(*id).and_then(|size| size.value))
        };
        self.kernels_of(all).flat_map(of_one).collect()
    }

    pub(super) fn function(self, kernel: &Kernel) -> &'a FunctionAnalysis {
        &self.functions[kernel.function]
    }

    pub(super) fn places(self, all: &[usize]) -> Vec<KernelPlace> {
        if let Some(saved) = self.saved {
            return all.iter().map(|idx| saved.kernels[*idx].place()).collect();
        }
        let of_one = |kernel: &Kernel| {
            let tree = &self.function(kernel).tree;
            let span = kernel
                .nest
                .outermost
                .map_or(tree.span, |id| tree.loops[id].span);
            KernelPlace {
                function: kernel.name.clone(),
                path: self.sources.file(span.file).path().to_owned(),
                line: self.sources.start(span).line,
                span: Some(span),
            }
        };
        self.kernels_of(all).map(of_one).collect()
    }
}
