//! The state of preprocessing: the stack of open files, the tables of macros, and the text so far.

use super::budget::Budget;
use super::lex::Lexer;
use super::macros::{Candidate, MacroTable};
use super::options::PreprocessOptions;
use super::output::Output;
use super::preambles::{Preamble, PreambleProgress, Preambles};
use super::preprocessed::Pragma;
use super::report::Report;
use super::token::{Name, Names, Token};
use premiss_source::{FileId, Files, ReadError, SourceMap, Span};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// The state of preprocessing one file.
pub(super) struct Preprocessor<'a> {
    pub(super) sources: &'a mut SourceMap,
    pub(super) main: FileId,
    pub(super) options: &'a PreprocessOptions,
    pub(super) files: &'a dyn Files,
    pub(super) names: Names,
    pub(super) macros: MacroTable,
    /// The open files, each included by the one before.
    pub(super) readers: Vec<Reader>,
    pub(super) contexts: Vec<Context>,
    /// The nesting depth of arguments being expanded.
    pub(super) argument_depth: usize,
    pub(super) budget: Budget,
    pub(super) output: Output,
    pub(super) pragmas: Vec<Pragma>,
    pub(super) report: Report,
    /// The next value of `__COUNTER__`.
    pub(super) counter: u64,
    pub(super) overridden: BTreeSet<String>,
    /// The macros that are left unexpanded, with their definitions.
    pub(super) symbolic_macros: BTreeMap<Name, Candidate>,
    /// Object-like macros of the program, shared like the definitions of all macros.
    pub(super) candidates: Rc<BTreeMap<Name, Candidate>>,
    pub(super) cache: PreprocessCache,
    pub(super) entered: HashSet<FileId>,
    /// Files with `#pragma once`.
    pub(super) once: HashSet<FileId>,
    /// Files that are empty while this macro is defined.
    pub(super) guards: HashMap<FileId, Name>,
    /// Headers reported as not found.
    pub(super) missing: HashSet<String>,
    /// The first file, with the reason, that must not be read and might be the header looked for.
    pub(super) refusal: Option<String>,
    /// What was guessed and reported: headers that were found by their names alone or made of templates, and types that
    /// nothing chooses.
    pub(super) by_name: HashSet<String>,
    /// Symbolic sizes whose value decided a condition.
    pub(super) sizes_in_conditions: BTreeSet<String>,
    pub(super) progress: PreambleProgress,
    /// Whether something depends on the name of the main file.
    pub(super) names_main: bool,
}

/// An open file.
pub(super) struct Reader {
    pub(super) lexer: Lexer,
    pub(super) conditions: Vec<Condition>,
    pub(super) guard: Guard,
    pub(super) role: HeaderRole,
}

/// What an open file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum HeaderRole {
    /// A file of the program.
    User,
    BuiltIn,
}

impl Reader {
    pub(super) fn new(file: FileId, role: HeaderRole) -> Self {
        Self {
            lexer: Lexer::new(file),
            conditions: Vec::new(),
            guard: Guard::NothingRead,
            role,
        }
    }
}

/// An open `#if` group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Condition {
    pub(super) span: Span,
    /// Whether some group of it was selected already.
    pub(super) has_selected_group: bool,
    pub(super) after_else: bool,
}

/// Whether a file is a single `#ifndef` group (an include guard).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Guard {
    NothingRead,
    Inside(Name),
    Closed(Name),
    Absent,
}

/// Tokens to be read before the file continues.
#[derive(Debug)]
pub(super) struct Context {
    pub(super) tokens: Vec<Token>,
    pub(super) pos: usize,
    pub(super) role: Role,
}

/// The origin of the tokens of a context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// The replacement of this macro.
    Replacement(Name),
    /// Tokens that were read too far and put back.
    PutBack,
    /// The whole input: reading does not continue below.
    Whole,
}

/// What is shared between the files of a program.
pub(crate) struct PreprocessCache {
    pub(super) names: Names,
    pub(super) preambles: Preambles,
    /// Files by path, and why there are none at other paths.
    pub(super) by_path: HashMap<String, Result<FileId, ReadError>>,
    /// What a build would make of templates, by their files.
    pub(super) filled_templates: HashMap<FileId, FileId>,
}

impl Default for PreprocessCache {
    fn default() -> Self {
        Self {
            names: Names::new(),
            preambles: Preambles::default(),
            by_path: HashMap::new(),
            filled_templates: HashMap::new(),
        }
    }
}

impl PreprocessCache {
    /// The preambles that several of the files begin with.
    pub(crate) fn into_preambles(self) -> Vec<Preamble> {
        self.preambles.texts
    }
}

impl Preprocessor<'_> {
    pub(super) fn next_in_line(&mut self) -> Option<Token> {
        let reader = self.readers.last_mut()?;
        let text = self.sources.file(reader.lexer.file()).text();
        reader.lexer.next_in_line(text, &mut self.names)
    }

    pub(super) fn tokens_of_line(&mut self) -> Vec<Token> {
        let line: Vec<Token> = std::iter::from_fn(|| self.next_in_line()).collect();
        self.budget.charge_reading(line.len());
        line
    }

    /// The tokens of a text that is not in a file.
    pub(super) fn tokenise(&mut self, text: &str) -> Vec<Token> {
        let mut lexer = Lexer::new(self.main);
        std::iter::from_fn(|| lexer.next_in_line(text, &mut self.names)).collect()
    }
}
