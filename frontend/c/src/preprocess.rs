//! The C preprocessor: from files to one text without directives and macros (C11, phases 2 to 4).
//!
//! It runs in this process and reads nothing by itself: files come from a function that the caller
//! gives, the standard headers are built in, and the predefined macros are those of GCC on x86-64
//! Linux. So the same program means the same on every machine.
//!
//! Every token keeps where it was written. A token of a file, also one passed as a macro argument,
//! has its own place; a token of a macro's replacement list has the place of the outermost
//! invocation. With `#define AT(i,j) a[(i)*n+(j)]`, the text that `AT(i+1,j)` leaves is
//! `a[(i+1)*n+(j)]`; its `i+1` has its own place, and the subscript as a whole `AT(i+1,j)`.
//!
//! Nothing here fails: what is malformed is reported and passed over, and every input ends.

mod beginnings;
mod budget;
mod condition;
mod directives;
mod expand;
mod headers;
mod include;
mod lex;
mod macros;
mod nearby;
mod output;
mod predefined;
mod report;
mod substitute;
mod symbolic;
#[cfg(test)]
mod tests;
mod token;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use premiss_source::{Diagnostic, FileId, SourceMap, Span};

pub(crate) use self::beginnings::{Beginning, BeginningId};
use self::beginnings::{Beginnings, Progress};
use self::budget::Budget;
use self::directives::{Condition, Guard};
use self::expand::Context;
use self::lex::Lexer;
use self::macros::{Macro, MacroTable, Piece};
pub use self::nearby::NearbyFiles;
use self::output::Output;
use self::report::Report;
use self::token::{Kind, Name, Names, Token};
use premiss_ast::OriginMap;

/// What a command line says about preprocessing.
#[derive(Clone, Debug, Default)]
pub struct PreprocessOptions {
    /// Folders in which headers are looked for, in order (`-I`).
    pub include_dirs: Vec<String>,
    /// Folders in which headers in quotes are looked for before those (`-iquote`).
    pub quote_dirs: Vec<String>,
    /// Files that are read before the file itself (`-include`).
    pub forced_includes: Vec<String>,
    /// Macros defined and undefined before the file is read, in order (`-D`, `-U`).
    pub macros: Vec<MacroFlag>,
    /// Values that object-like macros of the program get, however it defines them (`-P`).
    pub overrides: BTreeMap<String, i64>,
    /// Object-like macros of the program that stay names in the text wherever they stand for an
    /// integer; conditions take the value that they are defined with.
    pub symbolic: BTreeSet<String>,
    /// Where headers are looked for by their names that no folder has.
    pub nearby: Arc<NearbyFiles>,
}

/// A `-D` or `-U` of the command line.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MacroFlag {
    /// `-D name=value`; `name` may have parameters, as in `f(x)`.
    Define {
        /// The macro, with its parameters if it has some.
        name: String,
        /// Its replacement list.
        value: String,
    },
    /// `-U name`.
    Undefine {
        /// The macro.
        name: String,
    },
}

/// A program without directives and macros.
#[derive(Debug)]
pub struct Preprocessed {
    /// What other files of the program begin with, too: it stands before the text.
    pub(crate) after: Option<BeginningId>,
    /// The tokens that are left, with white space where it is needed and lines much as written.
    pub text: String,
    /// Where each part of `text` was written.
    pub origins: OriginMap,
    /// The pragmas, which are not in `text`; in order of `offset`.
    pub pragmas: Vec<Pragma>,
    /// What is wrong with the program as text.
    pub diagnostics: Vec<Diagnostic>,
    /// The names of `overrides` that took effect: the program defines an object-like macro so.
    pub overridden: BTreeSet<String>,
    /// The names of `symbolic` that took effect, with what the program defines them as.
    pub kept: BTreeMap<String, ObjectMacro>,
    /// The object-like macros of the program that stand for an integer, so that `-P` may name them.
    pub object_macros: BTreeMap<String, ObjectMacro>,
}

/// A `#pragma` or `_Pragma`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pragma {
    /// What follows the word `pragma`, as written.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// Where it stood in the preprocessed text: before the token that starts here or later.
    pub offset: usize,
}

/// An object-like macro that stands for an integer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectMacro {
    /// Its name in the last `#define`; `None` for a macro of the command line.
    pub defined_at: Option<Span>,
    /// Its replacement list as written.
    pub value: String,
}

/// Preprocesses the file `main`.
///
/// `load` returns the bytes of the file with that path, `None` where there is none. Every file
/// that is read is added to `sources`; built-in headers have paths such as `<stdio.h>`.
pub fn preprocess(
    sources: &mut SourceMap,
    main: FileId,
    options: &PreprocessOptions,
    load: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Preprocessed {
    preprocess_with(sources, main, options, &mut KnownFiles::default(), load)
}

/// What preprocessing earlier files of a program found out.
pub(crate) struct KnownFiles {
    names: Names,
    beginnings: Beginnings,
    /// Files by their path that were read, or found missing.
    by_path: HashMap<String, Option<FileId>>,
}

impl Default for KnownFiles {
    fn default() -> Self {
        Self {
            names: Names::new(),
            beginnings: Beginnings::default(),
            by_path: HashMap::new(),
        }
    }
}

impl KnownFiles {
    /// What several of the files begin with.
    pub(crate) fn into_beginnings(self) -> Vec<Beginning> {
        self.beginnings.texts
    }
}

/// Preprocesses a file of a program whose files include much the same headers.
pub(crate) fn preprocess_with(
    sources: &mut SourceMap,
    main: FileId,
    options: &PreprocessOptions,
    known: &mut KnownFiles,
    load: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Preprocessed {
    let mut preprocessor = Preprocessor {
        sources,
        main,
        options,
        load_bytes: load,
        names: std::mem::take(&mut known.names),
        macros: MacroTable::default(),
        readers: Vec::new(),
        contexts: Vec::new(),
        argument_depth: 0,
        budget: Budget::default(),
        output: Output::default(),
        pragmas: Vec::new(),
        report: Report::default(),
        counter: 0,
        overridden: BTreeSet::new(),
        kept: BTreeMap::new(),
        candidates: Rc::default(),
        known: std::mem::take(known),
        entered: HashSet::new(),
        once: HashSet::new(),
        guards: HashMap::new(),
        missing: HashSet::new(),
        by_name: HashSet::new(),
        progress: Progress::default(),
        names_main: false,
    };
    preprocessor.define_predefined();
    preprocessor.run();
    let preprocessed = preprocessor.finish();
    *known = preprocessor.known;
    known.names = preprocessor.names;
    preprocessed
}

/// The state of one preprocessing.
struct Preprocessor<'a> {
    sources: &'a mut SourceMap,
    main: FileId,
    options: &'a PreprocessOptions,
    load_bytes: &'a mut dyn FnMut(&str) -> Option<Vec<u8>>,
    names: Names,
    macros: MacroTable,
    /// The files that are being read, each included by the one before.
    readers: Vec<Reader>,
    contexts: Vec<Context>,
    /// How many arguments are being expanded within each other.
    argument_depth: usize,
    budget: Budget,
    output: Output,
    pragmas: Vec<Pragma>,
    report: Report,
    /// The next value of `__COUNTER__`.
    counter: u64,
    overridden: BTreeSet<String>,
    /// Macros that stay names in the text, as they are defined.
    kept: BTreeMap<Name, Candidate>,
    /// Object-like macros of the program, shared as the definitions of all macros are.
    candidates: Rc<BTreeMap<Name, Candidate>>,
    known: KnownFiles,
    entered: HashSet<FileId>,
    /// Files with `#pragma once`.
    once: HashSet<FileId>,
    /// Files that are empty while this macro is defined.
    guards: HashMap<FileId, Name>,
    /// Headers that were reported as not found.
    missing: HashSet<String>,
    /// Headers that were reported as found by their name alone.
    by_name: HashSet<String>,
    progress: Progress,
    /// Whether something depends on what the main file is called.
    names_main: bool,
}

/// An object-like macro of the program, which may stand for an integer.
#[derive(Clone)]
struct Candidate {
    defined_at: Option<Span>,
    definition: Rc<Macro>,
}

/// A file that is being read.
struct Reader {
    lexer: Lexer,
    conditions: Vec<Condition>,
    guard: Guard,
    builtin: bool,
}

impl Reader {
    fn new(file: FileId, builtin: bool) -> Self {
        Self {
            lexer: Lexer::new(file),
            conditions: Vec::new(),
            guard: Guard::NothingRead,
            builtin,
        }
    }
}

impl Preprocessor<'_> {
    fn run(&mut self) {
        let path = self.sources.file(self.main).path().to_owned();
        self.known.by_path.insert(path, Some(self.main));
        self.readers.push(Reader::new(self.main, false));
        self.begin();
        self.enter_forced_includes();
        while !self.budget.is_exhausted() {
            match self.next_expanded() {
                Some(token) if token.kind == Kind::Identifier && token.name == Name::PRAGMA => {
                    self.pragma_operator(token);
                }
                Some(token) => self.write(token),
                None if !self.leave_file() => break,
                None => {}
            }
        }
        if let Some(limit) = self.budget.exhausted() {
            self.run_over_limit(limit);
        }
    }

    fn finish(&mut self) -> Preprocessed {
        let object_macros = match self.progress.integer_macros.take() {
            Some(known) => Rc::unwrap_or_clone(known),
            None => self.integer_macros(),
        };
        let kept = self.kept.iter().map(|(&name, candidate)| {
            let name = self.names.spelling(name).to_owned();
            (name, self.object_macro(candidate))
        });
        let kept = kept.collect();
        let output = std::mem::take(&mut self.output);
        Preprocessed {
            after: self.progress.after,
            text: output.text,
            origins: OriginMap::new(self.main, output.runs),
            pragmas: std::mem::take(&mut self.pragmas),
            diagnostics: std::mem::take(&mut self.report).finish(),
            overridden: std::mem::take(&mut self.overridden),
            kept,
            object_macros,
        }
    }

    fn write(&mut self, token: Token) {
        if self.budget.is_over() {
            return;
        }
        self.output.write(token, &self.names, self.sources);
        if self.progress.n_bytes + self.output.text.len() > budget::Limit::Text.value() {
            self.budget.exceed(budget::Limit::Text);
        }
    }

    /// The next token of the innermost file; directives are obeyed on the way.
    fn next_in_file(&mut self) -> Option<Token> {
        loop {
            if self.budget.is_over() {
                self.give_up_invocation();
            }
            if self.budget.is_exhausted() {
                return None;
            }
            let reader = self.readers.last_mut()?;
            let text = self.sources.file(reader.lexer.file()).text();
            let token = reader.lexer.next(text, &mut self.names)?;
            if token.newline && token.is(Name::HASH) {
                self.directive(token);
                continue;
            }
            self.budget.charge_reading(1);
            if reader.conditions.is_empty() {
                reader.guard = Guard::Absent;
            }
            self.note_reading();
            return Some(token);
        }
    }

    fn next_in_line(&mut self) -> Option<Token> {
        let reader = self.readers.last_mut()?;
        let text = self.sources.file(reader.lexer.file()).text();
        reader.lexer.next_in_line(text, &mut self.names)
    }

    fn tokens_of_line(&mut self) -> Vec<Token> {
        let line: Vec<Token> = std::iter::from_fn(|| self.next_in_line()).collect();
        self.budget.charge_reading(line.len());
        line
    }

    /// The tokens of a text that is in no file.
    fn tokenise(&mut self, text: &str) -> Vec<Token> {
        let mut lexer = Lexer::new(self.main);
        std::iter::from_fn(|| lexer.next_in_line(text, &mut self.names)).collect()
    }

    /// `_Pragma ( "…" )`, wherever it comes from.
    fn pragma_operator(&mut self, operator: Token) {
        let offset = self.output.text.len();
        let mut read = Vec::new();
        let mut next_is = |this: &mut Self, wanted: &dyn Fn(&Token) -> bool| {
            let token = this.next_expanded();
            read.extend(token);
            token.filter(wanted)
        };
        let open = next_is(self, &|token| token.is(Name::LEFT_PARENTHESIS));
        let string = open.and_then(|_| next_is(self, &|token| token.kind == Kind::String));
        let close = string.and_then(|_| next_is(self, &|token| token.is(Name::RIGHT_PARENTHESIS)));
        let (Some(string), Some(close)) = (string, close) else {
            self.malformed_directive("`_Pragma` wants a string in parentheses", operator.span);
            for token in read {
                self.write(token);
            }
            return;
        };
        let text = unquoted(self.names.spelling(string.name));
        let span = operator.span.cover(close.span);
        if !self.budget.is_over() {
            self.pragmas.push(Pragma { text, span, offset });
        }
    }

    /// The macros of the program that stand for an integer.
    fn integer_macros(&self) -> BTreeMap<String, ObjectMacro> {
        let mut known = HashMap::new();
        let mut found = BTreeMap::new();
        for (&name, candidate) in self.candidates.iter() {
            if self.is_integer(name, &mut known, 0) {
                let name = self.names.spelling(name).to_owned();
                found.insert(name, self.object_macro(candidate));
            }
        }
        found
    }

    fn object_macro(&self, candidate: &Candidate) -> ObjectMacro {
        ObjectMacro {
            defined_at: candidate.defined_at,
            value: self.spelled(&candidate.definition),
        }
    }

    /// Whether a macro's replacement list looks like an integer expression: numbers, names of such
    /// macros, operators and parentheses. `known` holds the answers so far.
    fn is_integer(&self, name: Name, known: &mut HashMap<Name, bool>, depth: usize) -> bool {
        const DEPTH: usize = 8;
        if let Some(&answer) = known.get(&name) {
            return answer;
        }
        known.insert(name, false); // for macros that name themselves
        let Some(candidate) = self.candidates.get(&name).filter(|_| depth < DEPTH) else {
            return false;
        };
        let mut n_operands = 0;
        let fits = candidate.definition.body.iter().all(|piece| {
            let Piece::Token(token) = piece else {
                return false;
            };
            let spelling = self.names.spelling(token.name);
            n_operands += usize::from(token.kind != Kind::Punctuator);
            match token.kind {
                Kind::Number => condition::is_integer(spelling),
                Kind::Identifier => self.is_integer(token.name, known, depth + 1),
                Kind::Punctuator => {
                    matches!(
                        spelling,
                        "(" | ")" | "+" | "-" | "*" | "/" | "%" | "<<" | ">>"
                    )
                }
                _ => false,
            }
        });
        let answer = fits && n_operands > 0;
        known.insert(name, answer);
        answer
    }

    fn spelled(&self, definition: &Macro) -> String {
        let mut text = String::new();
        for piece in &definition.body {
            if let Piece::Token(token) = piece {
                if token.space && !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(self.names.spelling(token.name));
            }
        }
        text
    }
}

/// What a string literal says, as `_Pragma` reads it.
fn unquoted(literal: &str) -> String {
    let inner = literal.split_once('"').map_or("", |(_, rest)| rest);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut text = String::with_capacity(inner.len());
    let mut characters = inner.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some(&escaped @ ('"' | '\\'))) => {
                text.push(escaped);
                characters.next();
            }
            _ => text.push(character),
        }
    }
    text.trim().to_owned()
}
