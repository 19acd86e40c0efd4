//! A base in a file: the shapes and counts that matching and comparing need, without the text of the program.

mod form;

use crate::matching::{Kernel, KernelPlace, Likeness};
use crate::shape::{Nest, NestShape};
use premiss_histogram::Counted;
use premiss_tree::{EntityRef, ParameterId};
use std::collections::BTreeMap;

/// The nests of a program with their counts at some earlier time.
#[derive(Clone, Debug)]
pub struct SavedBase {
    /// The conditions under which they were counted.
    pub conditions: SavedConditions,
    pub(crate) kernels: Vec<SavedKernel>,
}

/// The conditions under which a program was counted; counts under other conditions are not comparable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedConditions {
    /// The machine with its fingerprint, the layout of arrays, and the hierarchy.
    pub machine: String,
    /// The sizes that were given values.
    pub sizes: BTreeMap<String, i64>,
    /// The texts that could not be parsed, by their digests, with the files that they are in.
    pub unparsed: BTreeMap<String, Vec<String>>,
}

#[derive(Clone, Debug)]
pub(crate) struct SavedKernel {
    pub(crate) function: usize,
    pub(crate) name: String,
    pub(crate) file: String,
    pub(crate) position: usize,
    pub(crate) path: String,
    pub(crate) line: u32,
    pub(crate) shape: NestShape,
    pub(crate) so_far: NestShape,
    pub(crate) is_opaque: bool,
    pub(crate) likeness: Likeness,
    pub(crate) sizes: Vec<(String, Option<i64>)>,
    /// One count for each metric.
    pub(crate) counts: Vec<Counted>,
    pub(crate) parts: Vec<SavedReference>,
}

/// The references with the same text.
#[derive(Clone, Debug, Default)]
pub(crate) struct SavedReference {
    pub(crate) text: String,
    pub(crate) array: String,
    /// One count for each metric.
    pub(crate) counts: Vec<Counted>,
}

/// Why a file is not a saved base.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedError(pub(crate) String);

impl std::fmt::Display for SavedError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SavedError {}

/// The digest of a text, which is stored in its place.
#[must_use]
pub fn digest(text: impl AsRef<[u8]>) -> String {
    blake3::hash(text.as_ref()).to_hex()[..32].to_owned()
}

impl SavedBase {
    /// Its nests, for matching.
    #[must_use]
    pub fn kernels(&self) -> Vec<Kernel> {
        self.kernels.iter().map(SavedKernel::kernel).collect()
    }

    /// The value of a size of a nest, by its index among the sizes of the nest; `None` if it has none.
    pub(crate) fn size(&self, kernel: usize, place: usize) -> Option<i64> {
        self.kernels[kernel].sizes.get(place)?.1
    }
}

impl SavedKernel {
    fn kernel(&self) -> Kernel {
        Kernel {
            function: self.function,
            name: self.name.clone(),
            file: self.file.clone(),
            position: self.position,
            nest: Nest {
                outermost: None,
                shape: self.shape,
                so_far: self.so_far,
                sizes: (0..self.sizes.len()).map(ParameterId::new).collect(),
                arrays: Vec::new(),
                references: Vec::new(),
                is_opaque: self.is_opaque,
            },
            likeness: self.likeness.clone(),
        }
    }

    pub(crate) fn place(&self) -> KernelPlace {
        KernelPlace {
            function: self.name.clone(),
            path: self.path.clone(),
            line: self.line,
            span: None,
        }
    }
}
