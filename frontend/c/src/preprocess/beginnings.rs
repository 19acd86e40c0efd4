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
//! Most files have a beginning of their own. What is kept is what a second file begins with, so that the
//! third is the first to gain by it.

use super::macros::MacroTable;
use super::token::Name;
use super::{
    Candidate, MacroFlag, NearbyFiles, ObjectMacro, Pragma, PreprocessOptions, Preprocessor,
};
use premiss_ast::{OriginMap, Run};
use premiss_source::{Diagnostic, FileId, Span};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// A row of [`Beginnings::texts`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct BeginningId(pub(crate) usize);

/// The text that a header leaves at the beginning of files, after those of the headers before it.
#[derive(Debug)]
pub(crate) struct Beginning {
    /// What stands before it.
    pub(crate) after: Option<BeginningId>,
    pub(crate) text: String,
    pub(crate) origins: OriginMap,
    /// Those in the text, by offsets in it.
    pub(crate) pragmas: Vec<Pragma>,
    /// The macros that stay names in it, with where they are defined.
    pub(crate) kept: BTreeMap<String, Option<Span>>,
}

/// The beginnings that files of a program share, and the headers that they were seen to begin with.
#[derive(Default)]
pub(super) struct Beginnings {
    pub(super) texts: Vec<Beginning>,
    options: HashMap<Options, usize>,
    /// Where files look for headers by name: each table once, known by its place.
    nearby: Vec<Arc<NearbyFiles>>,
    steps: HashMap<(Place, FileId), usize>,
    /// What is known of each step.
    known: Vec<Step>,
}

/// What decides how a header reads, apart from what was read before.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Options {
    dirs: [Vec<String>; 2],
    macros: Vec<MacroFlag>,
    overrides: BTreeMap<String, i64>,
    symbolic: BTreeSet<String>,
    /// Which of the tables of files.
    nearby: usize,
}

/// Where a file has got to while it has read headers alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    /// At its start, with these options.
    Start(usize),
    /// After a step.
    After(usize),
}

/// A header that files include at some place.
enum Step {
    Once,
    Kept(Rc<State>),
    /// What it leaves depends on the file.
    Lost,
}

/// The state after a header.
struct State {
    text: BeginningId,
    macros: MacroTable,
    kept: BTreeMap<Name, Candidate>,
    candidates: Rc<BTreeMap<Name, Candidate>>,
    integer_macros: Rc<BTreeMap<String, ObjectMacro>>,
    overridden: BTreeSet<String>,
    entered: HashSet<FileId>,
    once: HashSet<FileId>,
    guards: HashMap<FileId, Name>,
    missing: HashSet<String>,
    by_name: HashSet<String>,
    counter: u64,
    /// What there was to say of it.
    diagnostics: Vec<Diagnostic>,
    n_tokens: usize,
}

/// How a file begins, as far as it is read.
#[derive(Default)]
pub(super) struct Progress {
    /// `None` where something else than headers was read.
    place: Option<Place>,
    /// What it goes on after.
    pub(super) after: Option<BeginningId>,
    /// How long that is, in bytes.
    pub(super) n_bytes: usize,
    /// Those of the macros that stand for an integer, where the file defines none beside them.
    pub(super) integer_macros: Option<Rc<BTreeMap<String, ObjectMacro>>>,
    recording: Option<Recording>,
}

/// What there was before a header that is to be kept.
struct Recording {
    step: usize,
    after: Option<BeginningId>,
    text: usize,
    n_runs: usize,
    n_pragmas: usize,
    n_diagnostics: usize,
    n_tokens: usize,
}

impl Preprocessor<'_> {
    /// Starts a file, of which nothing is read.
    pub(super) fn begin(&mut self) {
        if !self.options.forced_includes.is_empty() {
            return;
        }
        let all = &mut self.known.beginnings;
        let nearby = all.nearby_of(self.options);
        let n_known = all.options.len();
        let options = Options::of(self.options, nearby);
        let row = *all.options.entry(options).or_insert(n_known);
        self.progress.place = Some(Place::Start(row));
    }

    /// Notes that something else than a header was read, where that is in the main file.
    pub(super) fn note_reading(&mut self) {
        if self.readers.len() == 1 {
            self.progress.place = None;
        }
    }

    /// Goes on after a header where it is known what that leaves; otherwise it is to be read.
    pub(super) fn goes_on_after(&mut self, header: FileId) -> bool {
        let Some(place) = self.progress.place.filter(|_| self.readers.len() == 1) else {
            return false;
        };
        let all = &mut self.known.beginnings;
        let n_known = all.known.len();
        let step = *all.steps.entry((place, header)).or_insert(n_known);
        self.progress.place = Some(Place::After(step));
        match all.known.get(step) {
            None => all.known.push(Step::Once),
            Some(Step::Once) => self.progress.recording = Some(self.recording(place, step)),
            Some(Step::Kept(state)) => {
                let state = Rc::clone(state);
                self.restore(&state);
                return true;
            }
            Some(Step::Lost) => self.progress.place = None,
        }
        false
    }

    fn recording(&self, place: Place, step: usize) -> Recording {
        Recording {
            step,
            after: self.known.beginnings.text_before(place),
            text: self.output.text.len(),
            n_runs: self.output.runs.len(),
            n_pragmas: self.pragmas.len(),
            n_diagnostics: self.report.diagnostics.len(),
            n_tokens: self.budget.spent(),
        }
    }

    fn restore(&mut self, state: &State) {
        self.progress.after = Some(state.text);
        self.progress.n_bytes += self.known.beginnings.texts[state.text.0].text.len();
        self.macros = state.macros.clone();
        self.kept = state.kept.clone();
        self.candidates = state.candidates.clone();
        self.progress.integer_macros = Some(state.integer_macros.clone());
        self.overridden.clone_from(&state.overridden);
        self.entered.clone_from(&state.entered);
        self.once.clone_from(&state.once);
        self.guards.clone_from(&state.guards);
        self.missing.clone_from(&state.missing);
        self.by_name.clone_from(&state.by_name);
        self.counter = state.counter;
        let diagnostics = state.diagnostics.iter().cloned();
        diagnostics.for_each(|diagnostic| self.report.push(diagnostic));
        self.budget.charge_reading(state.n_tokens);
    }

    /// Keeps what a header left that the main file has just come back from.
    pub(super) fn keep_beginning(&mut self, header: FileId) {
        let Some(recording) = self.progress.recording.take_if(|_| self.readers.len() == 1) else {
            return;
        };
        let is_own = self.names_main
            || self.entered.contains(&self.main)
            || self.budget.is_over()
            || !self.report.is_whole();
        let step = match is_own {
            true => Step::Lost,
            false => Step::Kept(Rc::new(self.state_after(header, &recording))),
        };
        if matches!(step, Step::Lost) {
            self.progress.place = None;
        }
        self.known.beginnings.known[recording.step] = step;
    }

    fn state_after(&mut self, header: FileId, recording: &Recording) -> State {
        let text = BeginningId(self.known.beginnings.texts.len());
        let beginning = self.beginning(header, recording);
        self.known.beginnings.texts.push(beginning);
        let diagnostics = &self.report.diagnostics[recording.n_diagnostics..];
        State {
            text,
            macros: self.macros.clone(),
            kept: self.kept.clone(),
            candidates: self.candidates.clone(),
            integer_macros: Rc::new(self.integer_macros()),
            overridden: self.overridden.clone(),
            entered: self.entered.clone(),
            once: self.once.clone(),
            guards: self.guards.clone(),
            missing: self.missing.clone(),
            by_name: self.by_name.clone(),
            counter: self.counter,
            diagnostics: diagnostics.to_vec(),
            n_tokens: self.budget.spent() - recording.n_tokens,
        }
    }

    fn beginning(&self, header: FileId, recording: &Recording) -> Beginning {
        let runs = self.output.runs[recording.n_runs..].iter();
        let runs = runs.map(|run| Run {
            start: run.start - recording.text,
            end: run.end - recording.text,
            ..*run
        });
        let pragmas = self.pragmas[recording.n_pragmas..].iter();
        let pragmas = pragmas.map(|pragma| Pragma {
            offset: pragma.offset - recording.text,
            ..pragma.clone()
        });
        let kept = self.kept.iter();
        let kept = kept.map(|(name, kept)| {
            let name = self.names.spelling(*name).to_owned();
            (name, kept.defined_at)
        });
        Beginning {
            after: recording.after,
            text: self.output.text[recording.text..].to_owned(),
            origins: OriginMap::new(header, runs.collect()),
            pragmas: pragmas.collect(),
            kept: kept.collect(),
        }
    }
}

impl Beginnings {
    /// The number of the table in which options look for headers by name.
    fn nearby_of(&mut self, options: &PreprocessOptions) -> usize {
        let table = &options.nearby;
        let known = self.nearby.iter().position(|one| Arc::ptr_eq(one, table));
        known.unwrap_or_else(|| {
            self.nearby.push(table.clone());
            self.nearby.len() - 1
        })
    }

    /// The text that leads to a place.
    fn text_before(&self, place: Place) -> Option<BeginningId> {
        let Place::After(step) = place else {
            return None;
        };
        match self.known.get(step) {
            Some(Step::Kept(state)) => Some(state.text),
            _ => None,
        }
    }
}

impl Options {
    fn of(options: &PreprocessOptions, nearby: usize) -> Self {
        Self {
            dirs: [options.include_dirs.clone(), options.quote_dirs.clone()],
            macros: options.macros.clone(),
            overrides: options.overrides.clone(),
            symbolic: options.symbolic.clone(),
            nearby,
        }
    }
}
