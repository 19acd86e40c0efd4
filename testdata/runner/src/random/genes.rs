//! A stream of decisions.

use crate::sketch::{Sketch, SketchedArray};
use premiss_tree::Storage;

/// Numbers that decide, one after the other.
pub(super) struct Genes<'a> {
    rest: std::slice::Iter<'a, u16>,
}

impl<'a> Genes<'a> {
    pub(super) fn new(genes: &'a [u16]) -> Self {
        let rest = genes.iter();
        Self { rest }
    }

    /// A number below `limit`; zero where the genes have run out.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        usize::from(self.rest.next().copied().unwrap_or(0)) % limit.max(1)
    }

    /// A number from `least` to `greatest`.
    pub(super) fn within(&mut self, least: i64, greatest: i64) -> i64 {
        let count = usize::try_from(greatest - least + 1).unwrap_or(1);
        least + i64::try_from(self.below(count)).unwrap_or(0)
    }

    /// One of these; the first where the genes have run out.
    pub(super) fn one_of<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.below(options.len())]
    }

    /// True once in `n` times; false where the genes have run out.
    pub(super) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    pub(super) fn is_over(&self) -> bool {
        self.rest.len() == 0
    }
}

/// A function with some arrays and nothing in it.
pub(super) fn empty(genes: &mut Genes) -> Sketch {
    let storages = [
        Storage::Parameter,
        Storage::Global,
        Storage::Local,
        Storage::Callee,
    ];
    let arrays = (0..genes.within(1, 4)).map(|number| SketchedArray {
        name: format!("A{number}"),
        storage: genes.one_of(&storages),
        element_size: genes.one_of(&[8, 4, 1, 16]),
        extent: match genes.below(8) {
            0 => Some(64 * 8),
            1 => None,
            2 => Some(0),
            3 => Some(4096),
            _ => Some(genes.within(1, 3000)),
        },
    });
    Sketch {
        parameters: vec![("n".to_owned(), Some(12))],
        variables: Vec::new(),
        arrays: arrays.collect(),
        body: Vec::new(),
    }
}
