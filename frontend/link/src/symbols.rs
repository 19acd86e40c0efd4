//! The symbols of one unit, indexed when somebody reads it.

use crate::inputs::LinkUnit;
use crate::lazy_unit::LazyUnit;
use crate::queries::Global;
use crate::unit_summary::UnitInterface;
use premiss_ast::SyntaxFacts;
use premiss_ast::syntax::{
    Declaration, Function, Initializer, Item, Lifetime, Linkage, Name, Object, TypeName, Unit,
};
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// A unit with an index of what it declares.
pub(crate) struct UnitSymbols<'a> {
    pub(crate) inputs: LinkUnit<'a>,
    index: OnceLock<SymbolIndex>,
    /// What others need of it, once it is found or taken from the summary.
    pub(crate) interface: OnceLock<Arc<UnitInterface>>,
    /// Whether the summary that an earlier run left of it holds.
    pub(crate) has_valid_summary: bool,
}

/// Names at the file scope of one unit.
#[derive(Default)]
pub(crate) struct SymbolIndex {
    pub(crate) functions: FxHashMap<Name, Arc<Function>>,
    /// Result types of functions that are declared.
    pub(crate) prototypes: FxHashMap<Name, Arc<TypeName>>,
    /// What declares objects and enumerators.
    globals: FxHashMap<Name, GlobalItem>,
    pub(crate) facts: FxHashMap<Name, Arc<SyntaxFacts>>,
    /// Those of what objects at file scope start with.
    pub(crate) file_scope: SyntaxFacts,
}

/// An object or an enumerator.
#[derive(Clone, Copy)]
struct GlobalItem {
    /// The item that declares it.
    item: usize,
    /// How many declarations of such stand before that.
    rank: usize,
}

impl<'a> UnitSymbols<'a> {
    /// Of a unit that is there; one that is not stays where it is.
    pub(crate) fn new(inputs: LinkUnit<'a>) -> Self {
        let symbols = Self {
            index: OnceLock::new(),
            interface: OnceLock::new(),
            has_valid_summary: false,
            inputs,
        };
        if let LazyUnit::Ready(_) = symbols.inputs.syntax {
            symbols.contents();
        }
        symbols
    }

    /// Its syntax, built where it is not there.
    pub(crate) fn unit(&self) -> &'a Unit {
        self.inputs.syntax.unit()
    }

    pub(crate) fn contents(&self) -> &SymbolIndex {
        self.index.get_or_init(|| SymbolIndex::of(self.unit()))
    }

    /// Whether it defines a function by that name.
    pub(crate) fn defines(&self, name: &str) -> bool {
        match self.interface.get() {
            Some(interface) => interface.functions.contains_key(name),
            None => self.contents().functions.contains_key(name),
        }
    }

    /// What the text says about a name at file scope.
    pub(crate) fn global(&self, name: &Name) -> Option<Global<'a>> {
        let entry = self.contents().globals.get(name)?;
        global(&self.unit().items[entry.item])
    }

    /// Names at file scope, with what the text says about them.
    pub(crate) fn globals(&self) -> impl Iterator<Item = (&Name, Global<'a>)> {
        let entries = self.contents().globals.iter();
        entries.filter_map(|(name, entry)| Some((name, global(&self.unit().items[entry.item])?)))
    }

    /// How many functions have a loop.
    pub(crate) fn n_loops(&self) -> u64 {
        if let Some(summary) = self.inputs.syntax.summary() {
            return summary.n_loops;
        }
        let facts = self.contents().facts.values();
        facts.filter(|facts| facts.has_loop).count() as u64
    }

    /// The functions that are defined for others, too.
    pub(crate) fn external_functions(&self) -> Vec<Name> {
        if let Some(summary) = self.inputs.syntax.summary() {
            return summary.function_names();
        }
        let functions = self.contents().functions.iter();
        let external = functions.filter(|(_, function)| function.linkage == Linkage::External);
        external.map(|(name, _)| name.clone()).collect()
    }

    /// The objects that others may know, and whether each is defined here.
    pub(crate) fn external_objects(&self) -> Vec<(Name, bool)> {
        if let Some(summary) = self.inputs.syntax.summary() {
            return summary.object_names();
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
    pub(crate) fn hash_declaration(&self, name: &str, hasher: &mut impl Hasher) {
        let contents = self.contents();
        if let Some(entry) = contents.globals.get(name) {
            (entry.rank, &self.unit().items[entry.item]).hash(hasher);
        }
        contents.prototypes.get(name).hash(hasher);
        contents.functions.contains_key(name).hash(hasher);
        self.inputs.size_macros.contains_key(name).hash(hasher);
    }
}

impl SymbolIndex {
    fn of(unit: &Unit) -> Self {
        let mut index = Self {
            file_scope: SyntaxFacts::of_initializers(unit.items.iter().filter_map(initializer)),
            ..Self::default()
        };
        let mut rank = 0;
        for (idx, item) in unit.items.iter().enumerate() {
            match item {
                Item::Function(function) => {
                    let name = &function.name;
                    let facts = Arc::new(SyntaxFacts::of_function(function));
                    index.facts.insert(name.clone(), facts);
                    let functions = index.functions.entry(name.clone());
                    functions.or_insert_with(|| function.clone());
                }
                Item::Declaration(Declaration::Object(object)) => {
                    rank += usize::from(index.add_object(object, GlobalItem { item: idx, rank }));
                }
                Item::Declaration(Declaration::Enumerator { name, .. }) => {
                    let item = GlobalItem { item: idx, rank };
                    index.globals.insert(name.clone(), item);
                    rank += 1;
                }
            }
        }
        index
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
pub(crate) fn is_definition(object: &Object) -> bool {
    object.lifetime != Lifetime::Extern || object.initializer.is_some()
}
