//! One file of a program, indexed when somebody asks what it says.

use super::surface::Surface;
use super::{Global, Parsed};
use crate::deferred::Said;
use crate::syntax::{
    Declaration, Function, Initializer, Item, Lifetime, Linkage, Name, Object, TypeName, Unit,
};
use premiss_ast::SyntaxFacts;
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// One unit.
pub(super) struct Table<'a> {
    pub(super) parsed: Parsed<'a>,
    contents: OnceLock<Contents>,
    /// What is seen of it, once it is found or remembered.
    pub(super) surface: OnceLock<Arc<Surface>>,
    /// Whether what an earlier run remembers of it holds.
    pub(super) is_remembered: bool,
}

/// Names at the file scope of one unit.
#[derive(Default)]
pub(super) struct Contents {
    pub(super) functions: FxHashMap<Name, Arc<Function>>,
    /// Result types of functions that are declared.
    pub(super) prototypes: FxHashMap<Name, Arc<TypeName>>,
    /// What declares objects and enumerators.
    globals: FxHashMap<Name, GlobalItem>,
    pub(super) facts: FxHashMap<Name, Arc<SyntaxFacts>>,
    /// Those of what objects at file scope start with.
    pub(super) file_scope: SyntaxFacts,
}

/// An object or an enumerator.
#[derive(Clone, Copy)]
struct GlobalItem {
    /// The item that declares it.
    item: usize,
    /// How many declarations of such stand before that.
    rank: usize,
}

impl<'a> Table<'a> {
    /// Of a unit that is there; one that is not stays where it is.
    pub(super) fn new(parsed: Parsed<'a>) -> Self {
        let table = Self {
            contents: OnceLock::new(),
            surface: OnceLock::new(),
            is_remembered: false,
            parsed,
        };
        if let Said::Now(_) = table.parsed.said {
            table.contents();
        }
        table
    }

    /// What it says.
    pub(super) fn unit(&self) -> &'a Unit {
        self.parsed.said.unit()
    }

    pub(super) fn contents(&self) -> &Contents {
        self.contents.get_or_init(|| Contents::of(self.unit()))
    }

    /// Whether it defines a function by that name.
    pub(super) fn defines(&self, name: &str) -> bool {
        match self.surface.get() {
            Some(surface) => surface.functions.contains_key(name),
            None => self.contents().functions.contains_key(name),
        }
    }

    /// What the text says about a name at file scope.
    pub(super) fn global(&self, name: &Name) -> Option<Global<'a>> {
        let found = self.contents().globals.get(name)?;
        global(&self.unit().items[found.item])
    }

    /// Names at file scope, with what the text says about them.
    pub(super) fn globals(&self) -> impl Iterator<Item = (&Name, Global<'a>)> {
        let named = self.contents().globals.iter();
        named.filter_map(|(name, found)| Some((name, global(&self.unit().items[found.item])?)))
    }

    /// How many functions have a loop.
    pub(super) fn n_loops(&self) -> u64 {
        if let Some(summary) = self.parsed.said.summary() {
            return summary.n_loops;
        }
        let facts = self.contents().facts.values();
        facts.filter(|facts| facts.has_loop).count() as u64
    }

    /// The functions that are defined for others, too.
    pub(super) fn external_functions(&self) -> Vec<Name> {
        if let Some(summary) = self.parsed.said.summary() {
            return summary.functions();
        }
        let functions = self.contents().functions.iter();
        let external = functions.filter(|(_, function)| function.linkage == Linkage::External);
        external.map(|(name, _)| name.clone()).collect()
    }

    /// The objects that others may know, and whether each is defined here.
    pub(super) fn external_objects(&self) -> Vec<(Name, bool)> {
        if let Some(summary) = self.parsed.said.summary() {
            return summary.objects();
        }
        let external = self.globals().filter_map(|(name, global)| match global {
            Global::Object(object) if object.lifetime != Lifetime::Static => {
                Some((name.clone(), is_definition(object)))
            }
            Global::Object(_) | Global::Enumerator(_) => None,
        });
        external.collect()
    }

    /// Digests what its text says about a name at file scope, bodies of functions aside. Where among the objects that
    /// stands is part of it, as arrays lie in memory in this order.
    pub(super) fn declaration(&self, name: &str, hasher: &mut impl Hasher) {
        let contents = self.contents();
        if let Some(found) = contents.globals.get(name) {
            (found.rank, &self.unit().items[found.item]).hash(hasher);
        }
        contents.prototypes.get(name).hash(hasher);
        contents.functions.contains_key(name).hash(hasher);
        self.parsed.kept.contains_key(name).hash(hasher);
    }
}

impl Contents {
    fn of(unit: &Unit) -> Self {
        let mut contents = Self {
            file_scope: SyntaxFacts::of_initializers(unit.items.iter().filter_map(initializer)),
            ..Self::default()
        };
        let mut rank = 0;
        for (idx, item) in unit.items.iter().enumerate() {
            match item {
                Item::Function(function) => {
                    let name = &function.name;
                    let facts = Arc::new(SyntaxFacts::of_function(function));
                    contents.facts.insert(name.clone(), facts);
                    let functions = contents.functions.entry(name.clone());
                    functions.or_insert_with(|| function.clone());
                }
                Item::Declaration(Declaration::Object(object)) => {
                    rank +=
                        usize::from(contents.add_object(object, GlobalItem { item: idx, rank }));
                }
                Item::Declaration(Declaration::Enumerator { name, .. }) => {
                    let item = GlobalItem { item: idx, rank };
                    contents.globals.insert(name.clone(), item);
                    rank += 1;
                }
            }
        }
        contents
    }

    /// Adds what a declaration says; whether it is one of an object, and none of a function.
    fn add_object(&mut self, object: &Object, item: GlobalItem) -> bool {
        if let TypeName::Function(signature) = &*object.kind {
            let result = signature.result.clone();
            self.prototypes.insert(object.name.clone(), result);
            return false;
        }
        // A definition says more than an `extern` declaration.
        if !self.globals.contains_key(&object.name) || is_definition(object) {
            self.globals.insert(object.name.clone(), item);
        }
        true
    }
}

/// What an object starts with that an item declares.
fn initializer(item: &Item) -> Option<&Initializer> {
    match item {
        Item::Declaration(Declaration::Object(object)) => object.initializer.as_ref(),
        _ => None,
    }
}

/// What an item declares, where that is an object or an enumerator.
fn global(item: &Item) -> Option<Global<'_>> {
    match item {
        Item::Declaration(Declaration::Object(object)) => Some(Global::Object(object)),
        Item::Declaration(declaration @ Declaration::Enumerator { .. }) => {
            Some(Global::Enumerator(declaration))
        }
        Item::Function(_) => None,
    }
}

/// Whether a declaration at file scope defines its object, tentatively at least.
pub(super) fn is_definition(object: &Object) -> bool {
    object.lifetime != Lifetime::Extern || object.initializer.is_some()
}
