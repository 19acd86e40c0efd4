//! One file of a program, indexed when somebody asks what it says.

use super::{Global, Parsed};
use crate::deferred::Said;
use crate::lowering::facts::Facts;
use crate::syntax::{Declaration, Function, Item, Lifetime, Linkage, Name, Object, TypeName, Unit};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// One unit.
pub(super) struct Table<'a> {
    pub(super) parsed: Parsed<'a>,
    contents: OnceLock<Contents>,
    pub(super) has_shared_arrays: bool,
}

/// Names at the file scope of one unit.
#[derive(Default)]
pub(super) struct Contents {
    pub(super) functions: FxHashMap<Name, Arc<Function>>,
    /// Result types of functions that are declared.
    pub(super) prototypes: FxHashMap<Name, Arc<TypeName>>,
    /// The items that declare objects and enumerators.
    globals: FxHashMap<Name, usize>,
    pub(super) facts: FxHashMap<Name, Arc<Facts>>,
    /// Those of what objects at file scope start with.
    pub(super) file_scope: Facts,
}

impl<'a> Table<'a> {
    /// Of a unit that is there; one that is not stays where it is.
    pub(super) fn new(parsed: Parsed<'a>) -> Self {
        let table = Self {
            contents: OnceLock::new(),
            has_shared_arrays: false,
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

    /// What the text says about a name at file scope.
    pub(super) fn global(&self, name: &Name) -> Option<Global<'a>> {
        let item = *self.contents().globals.get(name)?;
        global(&self.unit().items[item])
    }

    /// Names at file scope, with what the text says about them.
    pub(super) fn globals(&self) -> impl Iterator<Item = (&Name, Global<'a>)> {
        let named = self.contents().globals.iter();
        named.filter_map(|(name, item)| Some((name, global(&self.unit().items[*item])?)))
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
            let names = summary.functions.iter();
            return names.map(|name| name.as_str().into()).collect();
        }
        let functions = self.contents().functions.iter();
        let external = functions.filter(|(_, function)| function.linkage == Linkage::External);
        external.map(|(name, _)| name.clone()).collect()
    }

    /// The objects that others may know, and whether each is defined here.
    pub(super) fn external_objects(&self) -> Vec<(Name, bool)> {
        if let Some(summary) = self.parsed.said.summary() {
            let objects = summary.objects.iter();
            return objects
                .map(|(name, is)| (name.as_str().into(), *is))
                .collect();
        }
        let external = self.globals().filter_map(|(name, global)| match global {
            Global::Object(object) if object.lifetime != Lifetime::Static => {
                Some((name.clone(), is_definition(object)))
            }
            Global::Object(_) | Global::Enumerator(_) => None,
        });
        external.collect()
    }

    /// Digests what others need to know of it to tell which names its functions call and change.
    pub(super) fn surface(&self, hasher: &mut impl Hasher) {
        let contents = self.contents();
        (self.has_shared_arrays, self.parsed.after).hash(hasher);
        let functions: BTreeMap<_, _> = contents.functions.iter().collect();
        for (name, function) in functions {
            (name, &function.name, function.at.unit, function.linkage).hash(hasher);
            if let Some(facts) = contents.facts.get(name) {
                facts.rough_weight(function).hash(hasher);
            }
        }
        let facts: BTreeMap<_, _> = contents.facts.iter().collect();
        for (name, facts) in facts {
            (name, &facts.changed_outside, &facts.called).hash(hasher);
            facts.calls_pointer.hash(hasher);
        }
        let prototypes: BTreeSet<_> = contents.prototypes.keys().collect();
        prototypes.hash(hasher);
        let mut globals: Vec<_> = self.globals().collect();
        globals.sort_by_key(|(name, _)| *name);
        for (name, global) in globals {
            let is_defined = match global {
                Global::Object(object) => Some((is_definition(object), object.lifetime)),
                Global::Enumerator(_) => None,
            };
            (name, is_defined).hash(hasher);
        }
    }
}

impl Contents {
    fn of(unit: &Unit) -> Self {
        let mut contents = Self::default();
        for (idx, item) in unit.items.iter().enumerate() {
            match item {
                Item::Function(function) => {
                    let name = &function.name;
                    let facts = Arc::new(Facts::of_function(function));
                    contents.facts.insert(name.clone(), facts);
                    let functions = contents.functions.entry(name.clone());
                    functions.or_insert_with(|| function.clone());
                }
                Item::Declaration(Declaration::Object(object)) => {
                    let initializer = object.initializer.iter();
                    initializer.for_each(|x| contents.file_scope.initializer(x));
                    contents.add_object(object, idx);
                }
                Item::Declaration(Declaration::Enumerator { name, .. }) => {
                    contents.globals.insert(name.clone(), idx);
                }
            }
        }
        contents
    }

    fn add_object(&mut self, object: &Object, idx: usize) {
        if let TypeName::Function(signature) = &*object.kind {
            let result = signature.result.clone();
            self.prototypes.insert(object.name.clone(), result);
            return;
        }
        // A definition says more than an `extern` declaration.
        if !self.globals.contains_key(&object.name) || is_definition(object) {
            self.globals.insert(object.name.clone(), idx);
        }
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
