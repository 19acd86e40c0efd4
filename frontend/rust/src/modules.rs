//! The modules that a file declares and that stand in other files.

use crate::index::is_test;
use crate::parse::parse;
use premiss_link::on_own_stack;
use syn::{Attribute, Expr, Item, Lit, Meta};

/// A module that stands in a file of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// The modules of the declaring file that it is declared in.
    pub inside: Vec<String>,
    /// Its name.
    pub name: String,
    /// The file that an attribute names.
    pub file: Option<String>,
}

/// The modules that a file declares, those for tests alone left out.
#[must_use]
pub fn modules(text: &str) -> Vec<Module> {
    let find = || {
        let source = parse(text);
        let mut found = Vec::new();
        collect(&source.items, &[], &mut found);
        found
    };
    on_own_stack(find).unwrap_or_default()
}

fn collect(items: &[Item], inside: &[String], found: &mut Vec<Module>) {
    for item in items {
        let Item::Mod(item) = item else { continue };
        if is_test(&item.attrs) {
            continue;
        }
        let name = item.ident.to_string();
        match &item.content {
            Some((_, items)) => {
                let inside = [inside, &[name]].concat();
                collect(items, &inside, found);
            }
            None => found.push(Module {
                inside: inside.to_vec(),
                name: name.trim_start_matches("r#").to_owned(),
                file: stated_path(&item.attrs),
            }),
        }
    }
}

/// `#[path = "…"]`
fn stated_path(attributes: &[Attribute]) -> Option<String> {
    attributes
        .iter()
        .find_map(|attribute| match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
                Expr::Lit(literal) => match &literal.lit {
                    Lit::Str(text) => Some(text.value()),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        })
}
