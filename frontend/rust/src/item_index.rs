//! The functions, structs and constants that the files of a program define, by name.
//!
//! Paths are resolved by their last names, if these are unambiguous: modules and `use` are not resolved otherwise, but of
//! structs with one name a file means its own, or the one that it imports, and of traits that give a type methods of one
//! name those that it imports.

use crate::enumerations::Enumerations;
use crate::imports::{Imports, add_imported};
use proc_macro2::TokenTree;
use quote::ToTokens;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use syn::visit::Visit;
use syn::{
    Attribute, Block, Expr, GenericParam, Generics, ImplItem, Item, Signature, TraitItem, Type,
};

/// A function with its body.
pub(crate) struct Function<'a> {
    /// The index of its file.
    pub(crate) unit: usize,
    /// Its unique name.
    pub(crate) name: String,
    pub(crate) module: Vec<String>,
    /// The body that it is defined in, as bytes of its file.
    pub(crate) outer_body: Option<Range<usize>>,
    pub(crate) sig: &'a Signature,
    pub(crate) block: &'a Block,
    /// The `impl` or trait that contains it.
    pub(crate) owner: Option<Owner<'a>>,
    /// Whether another function has the same places: both come from one macro.
    pub(crate) is_repeated: bool,
}

/// An `impl` or a trait.
#[derive(Clone)]
pub(crate) struct Owner<'a> {
    /// The type `Self`; `None` in a trait.
    pub(crate) self_type: Option<&'a Type>,
    /// The name of that type, or of the trait.
    pub(crate) name: String,
    pub(crate) generics: &'a Generics,
    /// Its index among the implementations; `None` for a trait.
    pub(crate) implementation: Option<usize>,
}

/// An `impl`, of a trait or of a type itself.
pub(crate) struct Implementation<'a> {
    /// The index of its file.
    pub(crate) unit: usize,
    /// The name of the trait.
    pub(crate) of_trait: Option<String>,
    pub(crate) self_type: &'a Type,
    pub(crate) generics: &'a Generics,
    /// The names of its type parameters.
    pub(crate) parameters: Vec<String>,
    /// The trait with its arguments, as written.
    pub(crate) trait_path: Option<&'a syn::Path>,
    /// Its associated types.
    pub(crate) types: BTreeMap<String, &'a Type>,
}

/// A struct.
pub(crate) struct Record<'a> {
    /// The index of its file.
    pub(crate) unit: usize,
    pub(crate) name: String,
    pub(crate) generics: &'a Generics,
    pub(crate) fields: Vec<(String, &'a Type)>,
    /// Whether it is `#[repr(C)]`: its fields are in order of declaration.
    pub(crate) is_c: bool,
    /// Whether another `#[repr]` determines its layout.
    pub(crate) is_foreign: bool,
    /// Whether it derives `Copy`.
    pub(crate) is_copy: bool,
}

/// A `const` or `static`.
pub(crate) struct Constant<'a> {
    pub(crate) unit: usize,
    pub(crate) name: String,
    /// The place of its name.
    pub(crate) span: proc_macro2::Span,
    pub(crate) kind: &'a Type,
    pub(crate) value: &'a Expr,
    pub(crate) is_mutable: bool,
    /// The `impl` that it belongs to.
    pub(crate) owner: Option<Owner<'a>>,
}

/// The definitions of all files.
#[derive(Default)]
pub(crate) struct Index<'a> {
    pub(crate) functions: Vec<Function<'a>>,
    pub(crate) records: Vec<Record<'a>>,
    pub(crate) constants: Vec<Constant<'a>>,
    pub(crate) implementations: Vec<Implementation<'a>>,
    /// The implementations of each trait.
    implementations_by_trait: BTreeMap<String, Vec<usize>>,
    traits: BTreeMap<String, Vec<&'a syn::ItemTrait>>,
    /// The names that each file imports or defines as traits, and their supertraits.
    names_in_scope: BTreeMap<usize, BTreeSet<String>>,
    pub(crate) imports: Imports,
    pub(crate) functions_by_name: BTreeMap<String, Vec<usize>>,
    records_by_name: BTreeMap<String, Vec<usize>>,
    pub(crate) constants_by_name: BTreeMap<String, Vec<usize>>,
    /// The constants of implementations by their names without that of the type.
    associated_constants: BTreeMap<String, Vec<usize>>,
    aliases: BTreeMap<String, Vec<(&'a Generics, &'a Type)>>,
    pub(crate) enumerations: Enumerations<'a>,
    /// The body whose items are being indexed.
    open_body: Option<Range<usize>>,
    /// The units and starts of bodies.
    bodies: BTreeSet<(usize, usize)>,
    /// The names of types with an `impl Copy`.
    copy_types: BTreeSet<String>,
    /// Whether functions have the same text up to mutability, as far as it has been asked for.
    same_texts: RefCell<BTreeMap<(usize, usize), bool>>,
    /// Names of macros that the files define.
    pub(crate) macros: BTreeSet<String>,
}

impl<'a> Index<'a> {
    /// Indexes files, given the items of each and their paths.
    pub(crate) fn new(files: &'a [Vec<Item>], paths: &[&str]) -> Self {
        let mut index = Self {
            imports: Imports::new(paths),
            ..Self::default()
        };
        for (unit, items) in files.iter().enumerate() {
            index.items(unit, items, &[]);
        }
        index.make_names_unique();
        index.add_supertraits();
        index
    }

    fn items(&mut self, unit: usize, items: &'a [Item], module: &[String]) {
        items.iter().for_each(|item| self.item(unit, item, module));
    }

    fn item(&mut self, unit: usize, item: &'a Item, module: &[String]) {
        match item {
            Item::Fn(item) if !is_test(&item.attrs) => {
                self.function(unit, (&item.sig, &item.block), None, module);
            }
            Item::Impl(item) if !is_test(&item.attrs) => self.implementation(unit, item, module),
            Item::Trait(item) if !is_test(&item.attrs) => self.trait_items(unit, item, module),
            Item::Mod(item) if !is_test(&item.attrs) => {
                if let Some((_, items)) = &item.content {
                    let module = [module, &[item.ident.to_string()]].concat();
                    self.items(unit, items, &module);
                }
            }
            Item::Struct(item) => self.record(unit, item),
            Item::Const(item) if !is_test(&item.attrs) => {
                self.items_of_value(unit, &item.expr, module);
                let name = item.ident.to_string();
                self.constant(
                    unit,
                    (name, item.ident.span(), &item.ty, &item.expr, false),
                    None,
                );
            }
            Item::Static(item) => {
                self.items_of_value(unit, &item.expr, module);
                let is_mutable = matches!(item.mutability, syn::StaticMutability::Mut(_));
                let name = item.ident.to_string();
                self.constant(
                    unit,
                    (name, item.ident.span(), &item.ty, &item.expr, is_mutable),
                    None,
                );
            }
            Item::Type(item) => {
                let known = self.aliases.entry(item.ident.to_string()).or_default();
                known.push((&item.generics, &item.ty));
            }
            Item::Enum(item) if !is_test(&item.attrs) => self.enumerations.add(unit, item),
            Item::Use(item) => {
                let names = self.names_in_scope.entry(unit).or_default();
                add_imported(&item.tree, names);
                self.imports.add(unit, &item.tree);
            }
            Item::Macro(item) => {
                self.macros
                    .extend(item.ident.iter().map(ToString::to_string));
            }
            _ => {}
        }
    }

    fn function(
        &mut self,
        unit: usize,
        (sig, block): (&'a Signature, &'a Block),
        owner: Option<Owner<'a>>,
        module: &[String],
    ) {
        let plain = sig.ident.to_string();
        let name = match &owner {
            Some(owner) => format!("{}::{plain}", owner.name),
            None => plain.clone(),
        };
        let known = self.functions_by_name.entry(plain).or_default();
        known.push(self.functions.len());
        let span = block.brace_token.span.join().byte_range();
        let is_repeated = !self.bodies.insert((unit, span.start));
        self.functions.push(Function {
            is_repeated,
            unit,
            name,
            module: module.to_vec(),
            outer_body: self.open_body.clone(),
            sig,
            block,
            owner,
        });
        let mut nested = Nested(Vec::new());
        nested.visit_block(block);
        let module = [module, &[sig.ident.to_string()]].concat();
        let body = block.brace_token.span.join().byte_range();
        let outer = self.open_body.replace(body);
        self.nested_items(unit, nested, &module);
        self.open_body = outer;
    }

    /// The items within a body, or within the initial value of a constant.
    fn nested_items(&mut self, unit: usize, nested: Nested<'a>, module: &[String]) {
        for item in nested.0 {
            match item {
                // Constants in a body are declared there.
                Item::Const(item) => self.items_of_value(unit, &item.expr, module),
                Item::Static(item) => self.items_of_value(unit, &item.expr, module),
                item => self.item(unit, item, module),
            }
        }
    }

    fn items_of_value(&mut self, unit: usize, value: &'a Expr, module: &[String]) {
        let mut nested = Nested(Vec::new());
        nested.visit_expr(value);
        self.nested_items(unit, nested, module);
    }

    fn implementation(&mut self, unit: usize, item: &'a syn::ItemImpl, module: &[String]) {
        let owner = Owner {
            self_type: Some(&item.self_ty),
            name: name_of_type(&item.self_ty),
            generics: &item.generics,
            implementation: Some(self.implementations.len()),
        };
        let one = Implementation::of(unit, item);
        if let Some(name) = &one.of_trait {
            let of_trait = self.implementations_by_trait.entry(name.clone());
            of_trait.or_default().push(self.implementations.len());
        }
        self.implementations.push(one);
        let (of, is_copy) = (&item.trait_, |path: &syn::Path| path.is_ident("Copy"));
        if of.iter().any(|(path, _)| is_copy(path)) {
            self.copy_types.insert(owner.name.clone());
        }
        for part in &item.items {
            match part {
                ImplItem::Fn(method) if !is_test(&method.attrs) => {
                    let function = (&method.sig, &method.block);
                    self.function(unit, function, Some(owner.clone()), module);
                }
                ImplItem::Const(constant) => {
                    self.items_of_value(unit, &constant.expr, module);
                    let known = self.associated_constants.entry(constant.ident.to_string());
                    known.or_default().push(self.constants.len());
                    let name = format!("{}::{}", owner.name, constant.ident);
                    let span = constant.ident.span();
                    let parts = (name, span, &constant.ty, &constant.expr, false);
                    self.constant(unit, parts, Some(owner.clone()));
                }
                _ => {}
            }
        }
    }

    fn trait_items(&mut self, unit: usize, item: &'a syn::ItemTrait, module: &[String]) {
        let owner = Owner {
            self_type: None,
            name: item.ident.to_string(),
            generics: &item.generics,
            implementation: None,
        };
        let names = self.names_in_scope.entry(unit).or_default();
        names.insert(owner.name.clone());
        self.traits
            .entry(owner.name.clone())
            .or_default()
            .push(item);
        for part in &item.items {
            if let TraitItem::Fn(method) = part
                && let Some(block) = &method.default
            {
                self.function(unit, (&method.sig, block), Some(owner.clone()), module);
            }
        }
    }

    fn record(&mut self, unit: usize, item: &'a syn::ItemStruct) {
        let fields = item.fields.iter().enumerate();
        let fields = fields.map(|(idx, field)| {
            let name = field.ident.as_ref();
            (name.map_or(idx.to_string(), ToString::to_string), &field.ty)
        });
        let known = self.records_by_name.entry(item.ident.to_string());
        known.or_default().push(self.records.len());
        let layout = Layout::of(&item.attrs);
        self.records.push(Record {
            unit,
            name: item.ident.to_string(),
            generics: &item.generics,
            fields: fields.collect(),
            is_c: layout == Layout::C,
            is_foreign: layout == Layout::Other,
            is_copy: derives_copy(&item.attrs),
        });
    }

    fn constant(
        &mut self,
        unit: usize,
        (name, span, kind, value, is_mutable): (
            String,
            proc_macro2::Span,
            &'a Type,
            &'a Expr,
            bool,
        ),
        owner: Option<Owner<'a>>,
    ) {
        let known = self.constants_by_name.entry(name.clone()).or_default();
        known.push(self.constants.len());
        self.constants.push(Constant {
            unit,
            name,
            span,
            kind,
            value,
            is_mutable,
            owner,
        });
    }

    /// Functions and constants with the same name get a prefix of their module, then a number.
    fn make_names_unique(&mut self) {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for function in &self.functions {
            *seen.entry(function.name.clone()).or_default() += 1;
        }
        let mut taken: BTreeMap<String, usize> = BTreeMap::new();
        for function in &mut self.functions {
            if seen[&function.name] > 1 && !function.module.is_empty() {
                function.name = format!("{}::{}", function.module.join("::"), function.name);
            }
            function.name = numbered(&mut taken, &function.name);
        }
        for record in &mut self.records {
            record.is_copy |= self.copy_types.contains(&record.name);
        }
        let mut taken = BTreeMap::new();
        for constant in &mut self.constants {
            constant.name = numbered(&mut taken, &constant.name);
        }
    }

    /// The innermost function whose body contains a place of a file.
    pub(crate) fn function_around(&self, unit: usize, at: usize) -> Option<usize> {
        let body = |idx: &usize| {
            self.functions[*idx]
                .block
                .brace_token
                .span
                .join()
                .byte_range()
        };
        let contains = |idx: &usize| self.functions[*idx].unit == unit && body(idx).contains(&at);
        let around = (0..self.functions.len()).filter(contains);
        around.min_by_key(|idx| body(idx).len())
    }

    /// All functions and methods of that name.
    pub(crate) fn functions_named(&self, name: &str) -> &[usize] {
        self.functions_by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// The method of a type, or one that a trait provides for all types.
    pub(crate) fn method(&self, owner: &str, name: &str) -> Option<usize> {
        let all = self.functions_by_name.get(name)?;
        let named = |idx: &usize| {
            let of = self.functions[*idx].owner.as_ref();
            of.is_some_and(|of| of.name == owner && of.self_type.is_some())
        };
        let by_trait = |idx: &usize| {
            let of = self.functions[*idx].owner.as_ref();
            of.is_some_and(|of| of.self_type.is_none())
        };
        only(all.iter().copied().filter(named))
            .or_else(|| only(all.iter().copied().filter(by_trait)))
    }

    /// Whether two functions have the same text except for mutability: `get_mut` is `get`.
    pub(crate) fn do_the_same(&self, one: usize, other: usize) -> bool {
        if let Some(known) = self.same_texts.borrow().get(&(one, other)) {
            return *known;
        }
        let are_same = self.have_same_words(one, other);
        self.same_texts.borrow_mut().insert((one, other), are_same);
        are_same
    }

    fn have_same_words(&self, one: usize, other: usize) -> bool {
        let words = |idx: usize| {
            let text = self.functions[idx].block.to_token_stream().to_string();
            let words = text.split_whitespace().filter(|word| *word != "mut");
            let plain = words.map(|word| word.strip_suffix("_mut").unwrap_or(word).to_owned());
            plain.collect::<Vec<String>>()
        };
        words(one) == words(other)
    }

    /// The method that the program defines for a type of the standard library.
    pub(crate) fn method_of_type(&self, owner: &str, name: &str) -> Option<usize> {
        let all = self.functions_by_name.get(name)?;
        let named = |idx: &usize| {
            let of = self.functions[*idx].owner.as_ref();
            of.is_some_and(|of| of.name == owner && of.self_type.is_some())
        };
        only(all.iter().copied().filter(named))
    }

    /// The name of a struct.
    pub(crate) fn record_name(&self, record: usize) -> String {
        self.records[record].name.clone()
    }

    /// The struct of that name.
    pub(crate) fn record_of(&self, name: &str) -> Option<usize> {
        only(self.records_by_name.get(name)?.iter().copied())
    }

    /// The implementation that a function belongs to.
    pub(crate) fn implementation_of(&self, function: usize) -> Option<usize> {
        self.functions[function].owner.as_ref()?.implementation
    }

    /// The struct of that name, as seen from a file.
    pub(crate) fn record_from(&self, unit: usize, name: &str) -> Option<usize> {
        let all = self.records_by_name.get(name)?;
        let is_here = |idx: &usize| self.records[*idx].unit == unit;
        let imported = |idx: &usize| self.imports.has(unit, name, self.records[*idx].unit);
        only(all.iter().copied())
            .or_else(|| only(all.iter().copied().filter(is_here)))
            .or_else(|| only(all.iter().copied().filter(imported)))
    }

    /// The constants of this name of all implementations.
    pub(crate) fn associated_constants(&self, name: &str) -> &[usize] {
        self.associated_constants
            .get(name)
            .map_or(&[], Vec::as_slice)
    }

    /// The trait of that name.
    pub(crate) fn trait_of(&self, name: &str) -> Option<&'a syn::ItemTrait> {
        only(self.traits.get(name)?.iter().copied())
    }

    /// The implementations of a trait.
    pub(crate) fn implementations_of(&self, name: &str) -> &[usize] {
        let all = self.implementations_by_trait.get(name);
        all.map_or(&[], Vec::as_slice)
    }

    /// Whether a file imports or defines a trait, or one that has it as a supertrait.
    pub(crate) fn is_in_scope(&self, unit: usize, name: &str) -> bool {
        let names = self.names_in_scope.get(&unit);
        names.is_some_and(|names| names.contains(name))
    }

    /// Adds the supertraits of the traits that each file imports or defines, and theirs.
    fn add_supertraits(&mut self) {
        let mut all = std::mem::take(&mut self.names_in_scope);
        for names in all.values_mut() {
            let mut open: Vec<String> = names.iter().cloned().collect();
            while let Some(name) = open.pop() {
                for bound in self.trait_of(&name).iter().flat_map(|one| &one.supertraits) {
                    if let syn::TypeParamBound::Trait(bound) = bound
                        && let Some(last) = bound.path.segments.last()
                        && names.insert(last.ident.to_string())
                    {
                        open.push(last.ident.to_string());
                    }
                }
            }
        }
        self.names_in_scope = all;
    }

    /// The type alias of that name.
    pub(crate) fn alias(&self, name: &str) -> Option<(&'a Generics, &'a Type)> {
        only(self.aliases.get(name)?.iter().copied())
    }
}

impl<'a> Implementation<'a> {
    fn of(unit: usize, item: &'a syn::ItemImpl) -> Self {
        let types = item.items.iter().filter_map(|part| match part {
            ImplItem::Type(part) => Some((part.ident.to_string(), &part.ty)),
            _ => None,
        });
        let path = item.trait_.as_ref().map(|(path, _)| path);
        let last = path.and_then(|path| path.segments.last());
        Self {
            unit,
            of_trait: last.map(|last| last.ident.to_string()),
            trait_path: path,
            self_type: &item.self_ty,
            generics: &item.generics,
            parameters: type_parameters(&item.generics).collect(),
            types: types.collect(),
        }
    }
}

/// The layout attribute of a struct (`#[repr]`).
#[derive(PartialEq, Eq)]
enum Layout {
    Rust,
    C,
    Other,
}

impl Layout {
    fn of(attributes: &[Attribute]) -> Self {
        let repr = attributes.iter().find(|a| a.path().is_ident("repr"));
        let Some(syn::Meta::List(list)) = repr.map(|a| &a.meta) else {
            return Self::Rust;
        };
        match list.tokens.to_string().as_str() {
            "C" | "transparent" => Self::C,
            _ => Self::Other,
        }
    }
}

/// Whether an attribute derives `Copy`.
fn derives_copy(attributes: &[Attribute]) -> bool {
    let derives = attributes.iter().filter(|a| a.path().is_ident("derive"));
    let mut tokens = derives.filter_map(|attribute| match &attribute.meta {
        syn::Meta::List(list) => Some(list.tokens.clone()),
        _ => None,
    });
    let is_copy = |token: TokenTree| matches!(token, TokenTree::Ident(name) if name == "Copy");
    tokens.any(|tokens| tokens.into_iter().any(is_copy))
}

/// Items in a body.
struct Nested<'a>(Vec<&'a Item>);

impl<'a> Visit<'a> for Nested<'a> {
    fn visit_item(&mut self, item: &'a Item) {
        self.0.push(item);
    }
}

/// Whether an item is for tests only.
pub(crate) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let path = attribute.path();
        let Some(last) = path.segments.last() else {
            return false;
        };
        match last.ident.to_string().as_str() {
            "test" | "bench" => true,
            "cfg" => match &attribute.meta {
                syn::Meta::List(list) => {
                    let text = list.tokens.to_string();
                    text == "test" || text.starts_with("all (test") || text.starts_with("all(test")
                }
                _ => false,
            },
            _ => false,
        }
    })
}

/// The names of the type parameters of an item.
pub(crate) fn type_parameters(generics: &Generics) -> impl Iterator<Item = String> {
    generics
        .params
        .iter()
        .filter_map(|parameter| match parameter {
            GenericParam::Type(parameter) => Some(parameter.ident.to_string()),
            _ => None,
        })
}

/// The last name of a type's path; brackets for a slice or array.
pub(crate) fn name_of_type(kind: &Type) -> String {
    match kind {
        Type::Path(path) => match path.path.segments.last() {
            Some(segment) => segment.ident.to_string(),
            None => String::new(),
        },
        Type::Reference(reference) => name_of_type(&reference.elem),
        Type::Paren(inner) => name_of_type(&inner.elem),
        Type::Group(inner) => name_of_type(&inner.elem),
        Type::Slice(_) | Type::Array(_) => "[]".to_owned(),
        _ => "_".to_owned(),
    }
}

pub(crate) fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.next().is_none().then_some(first)
}

fn numbered(taken: &mut BTreeMap<String, usize>, name: &str) -> String {
    let n_taken = taken.entry(name.to_owned()).or_default();
    *n_taken += 1;
    match *n_taken {
        1 => name.to_owned(),
        n => format!("{name}'{n}"),
    }
}
