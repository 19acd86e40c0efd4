//! The symbols of one unit, indexed on demand.

use crate::inputs::LinkUnit;
use crate::lazy_unit::LazyUnit;
use crate::queries::Global;
use crate::unit_summary::{Place, UnitInterface};
use premiss_ast::SyntaxFacts;
use premiss_ast::syntax::{
    Declaration, Function, Initializer, Item, Lifetime, Linkage, Name, Object, TypeName, Unit,
};
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// A unit with an index of its declarations.
pub(crate) struct UnitSymbols<'a> {
    pub(crate) inputs: LinkUnit<'a>,
    index: OnceLock<SymbolIndex>,
    /// Its interface, once computed or taken from the summary.
    pub(crate) interface: OnceLock<Arc<UnitInterface>>,
    /// Whether the summary of an earlier run is valid.
    pub(crate) has_valid_summary: bool,
}

/// The names at the file scope of a unit.
#[derive(Default)]
pub(crate) struct SymbolIndex {
    pub(crate) functions: FxHashMap<Name, Arc<Function>>,
    /// Result types of declared functions.
    pub(crate) prototypes: FxHashMap<Name, Arc<TypeName>>,
    /// The items that declare objects and enumerators.
    globals: FxHashMap<Name, GlobalItem>,
    pub(crate) facts: FxHashMap<Name, Arc<SyntaxFacts>>,
    /// The facts of the initializers of objects at file scope.
    pub(crate) file_scope: SyntaxFacts,
}

/// An object or enumerator.
#[derive(Clone, Copy)]
struct GlobalItem {
    /// The index of the item that declares it.
    item: usize,
    /// The number of declarations of objects and enumerators before that item.
    rank: usize,
}

impl<'a> UnitSymbols<'a> {
    /// Indexes a unit that is present; a deferred one stays deferred.
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

    /// Its syntax; builds it if it is deferred.
    pub(crate) fn unit(&self) -> &'a Unit {
        self.inputs.syntax.unit()
    }

    pub(crate) fn contents(&self) -> &SymbolIndex {
        self.index.get_or_init(|| SymbolIndex::of(self.unit()))
    }

    /// Whether it defines a function of that name.
    pub(crate) fn defines(&self, name: &str) -> bool {
        match self.interface.get() {
            Some(interface) => interface.functions.contains_key(name),
            None => self.contents().functions.contains_key(name),
        }
    }

    /// The declaration of a name at file scope.
    pub(crate) fn global(&self, name: &Name) -> Option<Global<'a>> {
        let entry = self.contents().globals.get(name)?;
        global(&self.unit().items[entry.item])
    }

    /// The names at file scope with their declarations.
    pub(crate) fn globals(&self) -> impl Iterator<Item = (&Name, Global<'a>)> {
        let entries = self.contents().globals.iter();
        entries.filter_map(|(name, entry)| Some((name, global(&self.unit().items[entry.item])?)))
    }

    /// The number of functions with a loop.
    pub(crate) fn n_loops(&self) -> u64 {
        if let Some(summary) = self.inputs.syntax.summary() {
            return summary.n_loops;
        }
        let facts = self.contents().facts.values();
        facts.filter(|facts| facts.has_loop).count() as u64
    }

    /// The functions with external linkage that it defines.
    pub(crate) fn external_functions(&self) -> Vec<(Name, Place)> {
        if let Some(summary) = self.inputs.syntax.summary() {
            return summary.function_names();
        }
        let functions = self.contents().functions.iter();
        let external = functions.filter(|(_, function)| function.linkage == Linkage::External);
        let placed = external.map(|(name, function)| (name.clone(), self.place_of(function)));
        placed.collect()
    }

    fn place_of(&self, function: &Function) -> Place {
        let origins = &self.inputs.origins;
        let at = origins.span(function.at.start as usize..function.at.end as usize);
        match at.file == origins.main() {
            true => Place::Own,
            false => Place::Included,
        }
    }

    /// The objects with external linkage that it declares, each with whether it defines it.
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

    /// Hashes the declaration of a name at file scope without function bodies. The position among the objects is
    /// included, as it determines the order of arrays in memory.
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

    /// Adds a declaration; returns whether it declares an object rather than a function.
    fn add_object(&mut self, object: &Object, item: GlobalItem) -> bool {
        if let TypeName::Function(signature) = &*object.kind {
            let result = signature.result.clone();
            self.prototypes.insert(object.name.clone(), result);
            return false;
        }
        // A definition takes precedence over an `extern` declaration.
        if !self.globals.contains_key(&object.name) || is_definition(object) {
            self.globals.insert(object.name.clone(), item);
        }
        true
    }
}

/// The initializer of the object that an item declares.
fn initializer(item: &Item) -> Option<&Initializer> {
    match item {
        Item::Declaration(Declaration::Object(object)) => object.initializer.as_ref(),
        _ => None,
    }
}

/// The object or enumerator that an item declares.
fn global(item: &Item) -> Option<Global<'_>> {
    match item {
        Item::Declaration(Declaration::Object(object)) => Some(Global::Object(object)),
        Item::Declaration(declaration @ Declaration::Enumerator { .. }) => {
            Some(Global::Enumerator(declaration))
        }
        Item::Function(_) => None,
    }
}

/// Whether a declaration at file scope is a definition of its object, possibly a tentative one (C11 6.9.2).
pub(crate) fn is_definition(object: &Object) -> bool {
    object.lifetime != Lifetime::Extern || object.initializer.is_some()
}
