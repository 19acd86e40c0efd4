//! Saving a program as a base for later comparisons.

use super::count::quantities;
use super::program::ComparedProgram;
use crate::saved::{SavedBase, SavedConditions, SavedKernel, SavedReference};

impl SavedBase {
    /// Saves the counts and shapes that matching and comparing need. `path_of` gives the path from the root of the
    /// repository for a file.
    #[must_use]
    pub fn of(
        side: ComparedProgram<'_>,
        path_of: &dyn Fn(&str) -> String,
        conditions: SavedConditions,
    ) -> Self {
        let levels = side
            .functions
            .first()
            .map_or(&[][..], |function| &function.levels);
        let quantities = quantities(levels);
        let of_one = |idx: usize| {
            let kernel = &side.kernels[idx];
            let tree = &side.function(kernel).tree;
            let place = side.places(&[idx]).remove(0);
            let sizes = kernel
                .nest
                .sizes
                .iter()
                .filter_map(|id| tree.parameters.get(*id));
            let parts = |quantity| side.parts(&[idx], (quantity, None));
            let mut saved: Vec<SavedReference> = Vec::new();
            for (_, quantity) in &quantities {
                let parts = parts(*quantity);
                saved.resize_with(parts.len(), SavedReference::default);
                for (saved, part) in saved.iter_mut().zip(parts) {
                    (saved.text, saved.array) = (part.text.to_owned(), part.array.to_owned());
                    saved.counts.push(part.count);
                }
            }
            SavedKernel {
                function: kernel.function,
                name: kernel.name.clone(),
                file: kernel.file.clone(),
                position: kernel.position,
                path: path_of(&place.path),
                line: place.line,
                shape: kernel.nest.shape,
                so_far: kernel.nest.so_far,
                is_opaque: kernel.nest.is_opaque,
                likeness: kernel.likeness.clone(),
                sizes: sizes.map(|size| (size.name.clone(), size.value)).collect(),
                counts: quantities
                    .iter()
                    .map(|(_, quantity)| side.sum(&[idx], *quantity))
                    .collect(),
                parts: saved,
            }
        };
        Self {
            conditions,
            kernels: (0..side.kernels.len()).map(of_one).collect(),
        }
    }
}
