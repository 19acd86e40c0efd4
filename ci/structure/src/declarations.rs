//! The names that a file declares, with their kinds.
//!
//! Methods of trait implementations are named by the trait and left out, and so are fields of serialised types, whose
//! names are part of a format.

use std::fmt;

use syn::visit::{self, Visit};

use crate::references;
use crate::workspace::RustFile;

/// The kind of thing that a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameKind {
    /// A struct, an enumeration, a union or an alias.
    Type,
    /// A trait.
    Trait,
    /// A module, by its declaration.
    Module,
    /// A function or a method.
    Function,
    /// A field of a struct or of a variant.
    Field,
    /// A variant of an enumeration.
    Variant,
    /// An alias of an import: `use a::B as C`.
    Rename,
}

impl fmt::Display for NameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Type => "type",
            Self::Trait => "trait",
            Self::Module => "module",
            Self::Function => "function",
            Self::Field => "field",
            Self::Variant => "variant",
            Self::Rename => "rename",
        })
    }
}

/// One declared name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// The kind of thing that it stands for.
    pub kind: NameKind,
    /// The name.
    pub name: String,
    /// Its place: `file:line`.
    pub location: String,
    /// Whether it is compiled only for tests.
    pub is_test: bool,
}

/// All names that a file declares, in order.
pub(crate) fn declarations(file: &RustFile) -> Vec<Declaration> {
    let mut visitor = DeclarationVisitor {
        path: file.path.display().to_string(),
        is_test: file.is_test(),
        is_serialised: false,
        declarations: Vec::new(),
    };
    visitor.visit_file(&file.syntax);
    visitor.declarations
}

struct DeclarationVisitor {
    path: String,
    is_test: bool,
    /// Whether the enclosing type is serialised.
    is_serialised: bool,
    declarations: Vec<Declaration>,
}

impl DeclarationVisitor {
    fn declare(&mut self, kind: NameKind, ident: &syn::Ident) {
        self.declarations.push(Declaration {
            kind,
            name: references::name_of(ident),
            location: format!("{}:{}", self.path, ident.span().start().line),
            is_test: self.is_test,
        });
    }
}

/// Whether a type derives serialisation by field names.
fn derives_format(attributes: &[syn::Attribute]) -> bool {
    let derives = attributes.iter().filter(|it| it.path().is_ident("derive"));
    let mut lists = derives.filter_map(|it| it.meta.require_list().ok());
    lists.any(|list| {
        let names = list.tokens.to_string();
        names.contains("Serialize") || names.contains("Deserialize")
    })
}

impl<'ast> Visit<'ast> for DeclarationVisitor {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let is_test = self.is_test;
        self.is_test |= references::item_is_for_tests(item);
        visit::visit_item(self, item);
        self.is_test = is_test;
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.declare(NameKind::Type, &item.ident);
        self.is_serialised = derives_format(&item.attrs);
        visit::visit_item_struct(self, item);
        self.is_serialised = false;
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.declare(NameKind::Type, &item.ident);
        self.is_serialised = derives_format(&item.attrs);
        visit::visit_item_enum(self, item);
        self.is_serialised = false;
    }

    fn visit_item_union(&mut self, item: &'ast syn::ItemUnion) {
        self.declare(NameKind::Type, &item.ident);
        visit::visit_item_union(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.declare(NameKind::Type, &item.ident);
        visit::visit_item_type(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.declare(NameKind::Trait, &item.ident);
        visit::visit_item_trait(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.declare(NameKind::Module, &item.ident);
        visit::visit_item_mod(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        for inner in &item.items {
            if let syn::ImplItem::Fn(function) = inner
                && item.trait_.is_none()
            {
                self.declare(NameKind::Function, &function.sig.ident);
            }
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.declare(NameKind::Function, &item.sig.ident);
        visit::visit_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.declare(NameKind::Function, &item.sig.ident);
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_use_rename(&mut self, rename: &'ast syn::UseRename) {
        self.declare(NameKind::Rename, &rename.rename);
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        if let Some(ident) = &field.ident
            && !self.is_serialised
        {
            self.declare(NameKind::Field, ident);
        }
        visit::visit_field(self, field);
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        if !self.is_serialised {
            self.declare(NameKind::Variant, &variant.ident);
        }
        visit::visit_variant(self, variant);
    }
}
