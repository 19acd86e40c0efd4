//! What the files of a program begin with, read once.
//!
//! ```text
//! a.c: #include "x.h"            b.c: #include "x.h"          c.c: #include "x.h"
//!      #include "y.h"                 int b;                       #include "y.h"
//! ```
//!
//! Files that begin with the same headers, under the same options, are in the same state after them. Before
//! anything else than a header is read, that state depends on the headers alone: it is kept, with the text
//! that the headers leave, and another file goes on from there. A program of a few thousand files that
//! include a header of ten thousand lines would take hours and all memory otherwise.
//!
//! Most files have a preamble of their own. What is kept is what a second file begins with, so that the
//! third is the first to gain by it.

use super::macros::Candidate;
use super::macros::MacroTable;
use super::nearby::NearbyFiles;
use super::options::{MacroFlag, PreprocessOptions};
use super::preprocessed::{ObjectMacro, Pragma};
use super::token::Name;
use premiss_ast::OriginMap;
use premiss_source::{Diagnostic, FileId, Span};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// A row of [`Preambles::texts`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PreambleId(pub(crate) usize);

/// The text that a header leaves at the preamble of files, after those of the headers before it.
#[derive(Debug)]
pub(crate) struct Preamble {
    /// What stands before it.
    pub(crate) after: Option<PreambleId>,
    pub(crate) text: String,
    pub(crate) origins: OriginMap,
    /// Those in the text, by offsets in it.
    pub(crate) pragmas: Vec<Pragma>,
    /// The macros that stay names in it, with where they are defined.
    pub(crate) symbolic_macros: BTreeMap<String, Option<Span>>,
}

/// The preambles that files of a program share, and the headers that they were seen to begin with.
#[derive(Default)]
pub(super) struct Preambles {
    pub(super) texts: Vec<Preamble>,
    pub(super) options: HashMap<PreambleOptions, usize>,
    /// Where files look for headers by name: each table once, known by its place.
    pub(super) nearby: Vec<Arc<NearbyFiles>>,
    pub(super) steps: HashMap<(PreamblePlace, FileId), usize>,
    /// What is known of each step.
    pub(super) outcomes: Vec<PreambleStep>,
}

/// What decides how a header reads, apart from what was read before.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct PreambleOptions {
    dirs: [Vec<String>; 2],
    pub(super) macros: Vec<MacroFlag>,
    overrides: BTreeMap<String, i64>,
    symbolic: BTreeSet<String>,
    /// Which of the tables of files.
    pub(super) nearby: usize,
}

/// Where a file has got to while it has read headers alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum PreamblePlace {
    /// At its start, with these options.
    Start(usize),
    /// After a step.
    After(usize),
}

/// A header that files include at some place.
pub(super) enum PreambleStep {
    SeenOnce,
    Shared(Rc<PreambleState>),
    /// What it leaves depends on the file.
    FileSpecific,
}

/// The state after a header.
pub(super) struct PreambleState {
    pub(super) text: PreambleId,
    pub(super) macros: MacroTable,
    pub(super) symbolic_macros: BTreeMap<Name, Candidate>,
    pub(super) candidates: Rc<BTreeMap<Name, Candidate>>,
    pub(super) integer_macros: Rc<BTreeMap<String, ObjectMacro>>,
    pub(super) overridden: BTreeSet<String>,
    pub(super) entered: HashSet<FileId>,
    pub(super) once: HashSet<FileId>,
    pub(super) guards: HashMap<FileId, Name>,
    pub(super) missing: HashSet<String>,
    pub(super) by_name: HashSet<String>,
    pub(super) sizes_in_conditions: BTreeSet<String>,
    pub(super) counter: u64,
    /// What there was to say of it.
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) n_tokens: usize,
}

/// How a file begins, as far as it is read.
#[derive(Default)]
pub(super) struct PreambleProgress {
    /// `None` where something else than headers was read.
    pub(super) place: Option<PreamblePlace>,
    /// What it goes on after.
    pub(super) after: Option<PreambleId>,
    /// How long that is, in bytes.
    pub(super) n_bytes: usize,
    /// Those of the macros that stand for an integer, where the file defines none beside them.
    pub(super) integer_macros: Option<Rc<BTreeMap<String, ObjectMacro>>>,
    pub(super) recording: Option<Recording>,
}

/// What there was before a header that is to be kept.
pub(super) struct Recording {
    pub(super) step: usize,
    pub(super) after: Option<PreambleId>,
    pub(super) text: usize,
    pub(super) n_runs: usize,
    pub(super) n_pragmas: usize,
    pub(super) n_diagnostics: usize,
    pub(super) n_tokens: usize,
}

impl Preambles {
    /// The number of the table in which options look for headers by name.
    pub(super) fn nearby_of(&mut self, options: &PreprocessOptions) -> usize {
        let table = &options.nearby;
        let known = self.nearby.iter().position(|one| Arc::ptr_eq(one, table));
        known.unwrap_or_else(|| {
            self.nearby.push(table.clone());
            self.nearby.len() - 1
        })
    }

    /// The text that leads to a place.
    pub(super) fn text_before(&self, place: PreamblePlace) -> Option<PreambleId> {
        let PreamblePlace::After(step) = place else {
            return None;
        };
        match self.outcomes.get(step) {
            Some(PreambleStep::Shared(state)) => Some(state.text),
            _ => None,
        }
    }
}

impl PreambleOptions {
    pub(super) fn of(options: &PreprocessOptions, nearby: usize) -> Self {
        Self {
            dirs: [options.include_dirs.clone(), options.quote_dirs.clone()],
            macros: options.macros.clone(),
            overrides: options.overrides.clone(),
            symbolic: options.symbolic.clone(),
            nearby,
        }
    }
}
