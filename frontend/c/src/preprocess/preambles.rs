//! Preambles: the common beginnings of the files of a program, read once.
//!
//! ```text
//! a.c: #include "x.h"            b.c: #include "x.h"          c.c: #include "x.h"
//!      #include "y.h"                 int b;                       #include "y.h"
//! ```
//!
//! Files that begin with the same headers, under the same options, are in the same state after them. Until something
//! other than a header is read, that state depends on the headers alone: it is kept, with the text of the headers, and
//! other files continue from there. Otherwise, a program of a few thousand files that include a header of ten thousand
//! lines would take hours and all memory.
//!
//! Most files have a unique preamble. So a preamble is kept when a second file begins with it, and the third file is
//! the first to benefit.

use super::budget::HeaderTotals;
use super::macros::Candidate;
use super::macros::MacroTable;
use super::options::{MacroFlag, PreprocessOptions};
use super::preprocessed::{ObjectMacro, Pragma};
use super::token::Name;
use premiss_ast::OriginMap;
use premiss_source::NearbyFiles;
use premiss_source::{Diagnostic, FileId, Span};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// An index into [`Preambles::texts`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PreambleId(pub(crate) usize);

/// The text of a header in the preambles of files, after those of the headers before it.
#[derive(Debug)]
pub(crate) struct Preamble {
    /// The preamble before it.
    pub(crate) after: Option<PreambleId>,
    pub(crate) text: String,
    pub(crate) origins: OriginMap,
    /// The pragmas in the text, by offsets in it.
    pub(crate) pragmas: Vec<Pragma>,
    /// The macros left unexpanded in it, with the places of their definitions.
    pub(crate) symbolic_macros: BTreeMap<String, Option<Span>>,
}

/// The shared preambles of the files of a program, and the headers that files were seen to begin with.
#[derive(Default)]
pub(super) struct Preambles {
    pub(super) texts: Vec<Preamble>,
    pub(super) options: HashMap<PreambleOptions, usize>,
    /// The tables for finding headers by name, each once, identified by its address.
    pub(super) nearby: Vec<Arc<NearbyFiles>>,
    pub(super) steps: HashMap<(PreamblePlace, FileId), usize>,
    /// What is known about each step.
    pub(super) outcomes: Vec<PreambleStep>,
}

/// The options that affect how a header is read.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct PreambleOptions {
    dirs: [Vec<String>; 2],
    pub(super) macros: Vec<MacroFlag>,
    overrides: BTreeMap<String, i64>,
    symbolic: BTreeSet<String>,
    /// The index of the table for finding headers by name.
    pub(super) nearby: usize,
}

/// The position of a file that has read only headers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum PreamblePlace {
    /// At its start, with these options.
    Start(usize),
    /// After a step.
    After(usize),
}

/// A header that files include at some position.
pub(super) enum PreambleStep {
    SeenOnce,
    Shared(Rc<PreambleState>),
    /// Its result depends on the file.
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
    /// The diagnostics of the header.
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) n_tokens: usize,
    pub(super) headers: HeaderTotals,
}

/// The preamble of a file as far as it has been read.
#[derive(Default)]
pub(super) struct PreambleProgress {
    /// `None` after something other than headers was read.
    pub(super) place: Option<PreamblePlace>,
    /// The preamble that the file continues.
    pub(super) after: Option<PreambleId>,
    /// The length of that preamble, in bytes.
    pub(super) n_bytes: usize,
    /// The integer macros of that preamble, if the file itself defines none.
    pub(super) integer_macros: Option<Rc<BTreeMap<String, ObjectMacro>>>,
    pub(super) recording: Option<Recording>,
}

/// The state before a header that is to be kept.
pub(super) struct Recording {
    pub(super) step: usize,
    pub(super) after: Option<PreambleId>,
    pub(super) text: usize,
    pub(super) n_runs: usize,
    pub(super) n_pragmas: usize,
    pub(super) n_diagnostics: usize,
    pub(super) n_tokens: usize,
    pub(super) headers: HeaderTotals,
}

impl Preambles {
    /// The index of the table in which these options look up headers by name.
    pub(super) fn nearby_of(&mut self, options: &PreprocessOptions) -> usize {
        let table = &options.nearby;
        let known = self.nearby.iter().position(|one| Arc::ptr_eq(one, table));
        known.unwrap_or_else(|| {
            self.nearby.push(table.clone());
            self.nearby.len() - 1
        })
    }

    /// The preamble text at a position.
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
