//! A file with all that can be known of it before its functions are lowered.

use super::facts::Facts;
use crate::preprocess::{ObjectMacro, OriginMap};
use crate::syntax::{At, Declaration, Function, Item, Lifetime, Name, Object, TypeName, Unit};
use premiss_source::{SourceMap, Span};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How long a text that is quoted may be, in characters.
const MAX_QUOTED: usize = 200;

/// A declaration at file scope.
pub(super) enum Global<'a> {
    Object(&'a Object),
    Enumerator(&'a Declaration),
}

/// The names that are kept as sizes without a value.
#[derive(Clone, Copy)]
pub(crate) struct Symbolic<'a> {
    /// All of them.
    pub(crate) names: &'a BTreeSet<String>,
    /// Those that are macros, which the text still has.
    pub(crate) macros: &'a BTreeMap<String, ObjectMacro>,
}

/// A parsed file, indexed.
pub(crate) struct Program<'a> {
    pub(super) unit: &'a Unit,
    pub(super) functions: BTreeMap<Name, Rc<Function>>,
    /// Result types of functions that are declared.
    pub(super) prototypes: BTreeMap<Name, Rc<TypeName>>,
    pub(super) globals: BTreeMap<Name, Global<'a>>,
    /// Names at file scope that some function changes.
    pub(super) written: BTreeSet<Name>,
    pub(super) has_global_arrays: bool,
    facts: BTreeMap<Name, Rc<Facts>>,
    sizes: &'a BTreeMap<String, i64>,
    symbolic: Symbolic<'a>,
    used_sizes: RefCell<BTreeSet<String>>,
    sources: &'a SourceMap,
    origins: &'a OriginMap,
}

impl<'a> Program<'a> {
    /// Indexes a file. `sizes` are the values that the user gave.
    pub(crate) fn new(
        unit: &'a Unit,
        sizes: &'a BTreeMap<String, i64>,
        symbolic: Symbolic<'a>,
        sources: &'a SourceMap,
        origins: &'a OriginMap,
    ) -> Self {
        let mut program = Self {
            unit,
            functions: BTreeMap::new(),
            prototypes: BTreeMap::new(),
            globals: BTreeMap::new(),
            written: BTreeSet::new(),
            has_global_arrays: false,
            facts: BTreeMap::new(),
            sizes,
            symbolic,
            used_sizes: RefCell::default(),
            sources,
            origins,
        };
        for item in &unit.items {
            match item {
                Item::Function(function) => program.add_function(function),
                Item::Declaration(declaration) => program.add_global(declaration),
            }
        }
        for facts in program.facts.values() {
            let changed = facts.changed.difference(&facts.declared);
            program.written.extend(changed.cloned());
        }
        program
    }

    fn add_function(&mut self, function: &Rc<Function>) {
        let facts = Rc::new(Facts::of_function(function));
        self.facts.insert(function.name.clone(), facts);
        let name = function.name.clone();
        self.functions
            .entry(name)
            .or_insert_with(|| function.clone());
    }

    fn add_global(&mut self, declaration: &'a Declaration) {
        let object = match declaration {
            Declaration::Enumerator { name, .. } => {
                let global = Global::Enumerator(declaration);
                self.globals.insert(name.clone(), global);
                return;
            }
            Declaration::Object(object) => object,
        };
        if let TypeName::Function(signature) = &*object.kind {
            let result = signature.result.clone();
            self.prototypes.insert(object.name.clone(), result);
            return;
        }
        let is_standard = self.is_standard(object.at);
        self.has_global_arrays |=
            !is_standard && matches!(*object.kind, TypeName::Array(..) | TypeName::Pointer(_));
        // A definition says more than an `extern` declaration.
        let is_known = self.globals.contains_key(&object.name);
        let says_more = object.lifetime != Lifetime::Extern || object.initializer.is_some();
        if !is_known || says_more {
            let global = Global::Object(object);
            self.globals.insert(object.name.clone(), global);
        }
    }

    /// What the text of a function tells.
    pub(super) fn facts_of(&self, function: &Name) -> Rc<Facts> {
        self.facts.get(function).cloned().unwrap_or_default()
    }

    /// The names at file scope that a function changes, calls followed.
    pub(super) fn changed_by(&self, function: &Name) -> BTreeSet<Name> {
        let mut changed = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![function.clone()];
        while let Some(name) = open.pop() {
            let Some(facts) = self.facts.get(&name) else {
                continue;
            };
            if !seen.insert(name) {
                continue;
            }
            changed.extend(facts.changed.difference(&facts.declared).cloned());
            open.extend(facts.called.iter().cloned());
            if facts.calls_pointer {
                changed.extend(self.written.iter().cloned());
            }
        }
        changed
    }

    /// The value that the user gave for a name that the program has.
    pub(super) fn given(&self, name: &Name) -> Option<i64> {
        let value = self.sizes.get(&**name)?;
        self.used_sizes.borrow_mut().insert(name.to_string());
        Some(*value)
    }

    /// Whether a name that the program has is to be kept as a size without a value.
    pub(super) fn is_symbolic(&self, name: &Name) -> bool {
        let is_symbolic = self.symbolic.names.contains(&**name);
        if is_symbolic {
            self.used_sizes.borrow_mut().insert(name.to_string());
        }
        is_symbolic
    }

    /// Whether a name is a macro that stayed in the text as a size without a value.
    pub(super) fn is_kept_macro(&self, name: &Name) -> bool {
        self.symbolic.macros.contains_key(&**name)
    }

    /// Where a size is declared.
    pub(super) fn span_of_size(&self, name: &Name, at: At) -> Span {
        let kept = self.symbolic.macros.get(&**name);
        let defined_at = kept.and_then(|kept| kept.defined_at);
        defined_at.unwrap_or_else(|| self.span(at))
    }

    /// The sizes that the user gave for names that the program has, after lowering.
    pub(crate) fn used_sizes(&self) -> BTreeSet<String> {
        self.used_sizes.borrow().clone()
    }

    /// The integer constants at file scope, which `-P` can name.
    pub(super) fn constant_names(&self) -> Vec<String> {
        let is_constant = |global: &Global| match global {
            Global::Object(object) => {
                matches!(*object.kind, TypeName::Integer(_)) && !self.is_standard(object.at)
            }
            Global::Enumerator(_) => true,
        };
        let constants = self
            .globals
            .iter()
            .filter(|(_, global)| is_constant(global));
        constants.map(|(name, _)| name.to_string()).collect()
    }

    /// Where a piece of the preprocessed text was written.
    pub(crate) fn span(&self, at: At) -> Span {
        self.origins.span(at.start as usize..at.end as usize)
    }

    /// A piece of the program as written, runs of white space as one space.
    pub(super) fn text(&self, at: At) -> String {
        let text = self.sources.text(self.span(at));
        let words: Vec<&str> = text.split_whitespace().collect();
        let joined = words.join(" ");
        match joined.char_indices().nth(MAX_QUOTED) {
            Some((end, _)) => format!("{}…", &joined[..end]),
            None => joined,
        }
    }

    /// The pointer of a reference as written: `p[i]` without its last subscript, `*p` without `*`.
    pub(super) fn pointer_text(&self, at: At) -> String {
        let text = self.text(at);
        if let Some(rest) = text.strip_prefix('*') {
            return rest.trim_matches(['(', ')', '+']).to_owned();
        }
        let mut open = 0_usize;
        for (idx, c) in text.char_indices().rev() {
            match c {
                ']' => open += 1,
                '[' => open = open.saturating_sub(1),
                _ => {}
            }
            if open == 0 && c == '[' {
                return text[..idx].trim().to_owned();
            }
        }
        match text.rsplit_once("->") {
            Some((pointer, _)) => pointer.to_owned(),
            None => text,
        }
    }

    /// Whether something stands in a header of the standard library.
    pub(super) fn is_standard(&self, at: At) -> bool {
        let file = self.sources.file(self.span(at).file);
        file.path().starts_with('<')
    }
}
