//! Parses preprocessed texts to the units of a program.
//!
//! The common beginning (preamble) of several files is a separate unit if it only declares: its declarations are in
//! scope in the units of the files, which follow it. A header that defines something (`static inline`), or leaves a
//! declaration unfinished, is a part of each text that begins with it.

use crate::preprocess::{Pragma, Preamble, PreambleId, Preprocessed};
use crate::syntax::{
    Declaration, Item, Lifetime, Names, Parse, Scope, SyntaxError, TypeName, Unit, UnitId, parse,
};
use premiss_ast::{OriginMap, Run};
use premiss_parallel as parallel;
use std::sync::Arc;

/// The number of files that share a table of names: because of headers, most files have the same names.
const FILES_TOGETHER: usize = 100;

/// Parses the texts of a program, in any order.
pub(crate) struct UnitReader<'a> {
    preambles: &'a [Preamble],
    /// The unit of the first preamble.
    first: u32,
    /// For each preamble that is a separate unit, the scopes after it and after those before it.
    scopes: Vec<Option<Vec<Arc<Scope>>>>,
    /// The names in preambles.
    names: Names,
}

/// A parsed file, with its syntax errors.
pub(crate) type ParsedUnit = (Unit, Vec<SyntaxError>);

impl<'a> UnitReader<'a> {
    /// Parses preambles: one unit for each, which is empty if the preamble is not a separate unit. They are numbered
    /// from `first` on.
    pub(crate) fn new(preambles: &'a [Preamble], first: UnitId) -> (Self, Vec<Unit>) {
        let mut reader = Self {
            preambles,
            first: first.0,
            scopes: Vec::new(),
            names: Names::default(),
        };
        let units = preambles.iter().map(|one| reader.preamble(one));
        let units = units.collect();
        (reader, units)
    }

    fn preamble(&mut self, preamble: &Preamble) -> Unit {
        let id = PreambleId(self.scopes.len());
        let Some(earlier) = self.scopes_after(preamble.after) else {
            self.scopes.push(None);
            return Unit::default();
        };
        let mut scopes = earlier.to_vec();
        let text = (preamble.text.as_str(), preamble.pragmas.as_slice());
        let parse = parse(self.unit_of(id), text, &scopes, &mut self.names);
        if parse.changes_earlier || !declares_only(&parse) || has_packing(&preamble.pragmas) {
            self.scopes.push(None);
            return Unit::default();
        }
        scopes.push(parse.scope);
        self.scopes.push(Some(scopes));
        parse.unit
    }

    /// Parses files in parallel, groups of them with a common table of names. Consumes their texts; preambles that are
    /// not separate units become part of the files.
    pub(crate) fn read_all(&self, files: &mut [Preprocessed]) -> Vec<ParsedUnit> {
        let mut numbered: Vec<_> = (0..).map(UnitId).zip(files).collect();
        let read = parallel::map(numbered.chunks_mut(FILES_TOGETHER), |files| {
            let mut names = self.names.clone();
            let files = files.iter_mut();
            let read = files.map(|(unit, file)| self.read(*unit, file, &mut names));
            read.collect::<Vec<_>>()
        });
        read.into_iter().flatten().collect()
    }

    fn read(&self, unit: UnitId, file: &mut Preprocessed, names: &mut Names) -> ParsedUnit {
        let mut after = file.after;
        while let Some(id) = after
            && self.scopes[id.0].is_none()
        {
            after = self.preambles[id.0].after;
        }
        unfold(self.preambles, file, after);
        let mut parse = self.parse(unit, file, names);
        if parse.changes_earlier {
            unfold(self.preambles, file, None);
            parse = self.parse(unit, file, names);
        }
        file.text = String::new();
        (parse.unit, parse.errors)
    }

    fn parse(&self, unit: UnitId, file: &Preprocessed, names: &mut Names) -> Parse {
        let scopes = match file.after {
            Some(id) => self.scopes[id.0].as_deref(),
            None => None,
        };
        let text = (file.text.as_str(), file.pragmas.as_slice());
        parse(unit, text, scopes.unwrap_or(&[]), names)
    }

    /// The scopes after a preamble; `None` if it is not a separate unit.
    fn scopes_after(&self, preamble: Option<PreambleId>) -> Option<&[Arc<Scope>]> {
        match preamble {
            Some(id) => self.scopes[id.0].as_deref(),
            None => Some(&[]),
        }
    }

    /// The unit of a preamble.
    pub(crate) fn unit_of(&self, preamble: PreambleId) -> UnitId {
        let row = u32::try_from(preamble.0).unwrap_or(u32::MAX);
        UnitId(self.first.saturating_add(row))
    }
}

/// Inserts the preambles of a file into its text, except those up to `after`.
fn unfold(preambles: &[Preamble], file: &mut Preprocessed, after: Option<PreambleId>) {
    let mut parts = Vec::new();
    while let Some(id) = file.after
        && file.after != after
    {
        parts.push(&preambles[id.0]);
        file.after = preambles[id.0].after;
    }
    if parts.is_empty() {
        return;
    }
    let mut joined = Joined::default();
    for part in parts.into_iter().rev() {
        joined.add(&part.text, &part.origins, &part.pragmas);
    }
    joined.add(&file.text, &file.origins, &file.pragmas);
    file.text = joined.text;
    file.origins = OriginMap::new(file.origins.main(), joined.runs);
    file.pragmas = joined.pragmas;
}

/// Concatenated texts.
#[derive(Default)]
struct Joined {
    text: String,
    runs: Vec<Run>,
    pragmas: Vec<Pragma>,
}

impl Joined {
    fn add(&mut self, text: &str, origins: &OriginMap, pragmas: &[Pragma]) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let before = self.text.len();
        self.text.push_str(text);
        self.runs.extend(origins.runs().iter().map(|run| Run {
            start: run.start + before,
            end: run.end + before,
            ..*run
        }));
        self.pragmas.extend(pragmas.iter().map(|pragma| Pragma {
            offset: pragma.offset + before,
            ..pragma.clone()
        }));
    }
}

/// Whether a text has no errors and neither defines functions or objects nor evaluates anything.
fn declares_only(parse: &Parse) -> bool {
    let declares = |item: &Item| match item {
        Item::Function(_) => false,
        Item::Declaration(Declaration::Enumerator { .. }) => true,
        Item::Declaration(Declaration::Object(object)) => {
            let is_function = matches!(*object.kind, TypeName::Function(_));
            let is_elsewhere = object.lifetime == Lifetime::Extern && object.initializer.is_none();
            is_function || is_elsewhere
        }
    };
    parse.errors.is_empty() && parse.unit.items.iter().all(declares)
}

/// Whether pragmas affect the layout of structs in the following text.
fn has_packing(pragmas: &[Pragma]) -> bool {
    let says = |pragma: &Pragma| {
        let text = pragma.text.trim();
        text.starts_with("pack") || text.starts_with("ms_struct")
    };
    pragmas.iter().any(says)
}
