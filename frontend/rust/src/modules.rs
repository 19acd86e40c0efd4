//! Modules in separate files: finds all files of a crate from its root file, following `mod` and `#[path]` (the Rust
//! Reference, "Module source filenames").

use crate::item_index::is_test;
use crate::parse::parse;
use premiss_link::on_own_stack;
use premiss_source::Files;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use syn::{Attribute, Expr, Item, Lit, Meta};

/// Adds the root file of a crate and the files of the modules that it declares to `found`, without those for tests
/// only. A module whose file does not exist is skipped, as it may be generated. Files already in `found` are not
/// followed again.
pub fn add_module_files(files: &dyn Files, root: &Path, found: &mut BTreeSet<PathBuf>) {
    let mut open = vec![(root.to_owned(), true)];
    while let Some((file, is_root)) = open.pop() {
        let Some(bytes) = files.read(&file.to_string_lossy()) else {
            continue;
        };
        if !found.insert(file.clone()) {
            continue;
        }
        let parent = file.parent().unwrap_or(Path::new("")).to_owned();
        let stem = file.file_stem().unwrap_or_default();
        let own = match is_root || stem == "mod" {
            true => parent.clone(),
            false => parent.join(stem),
        };
        for module in modules(&String::from_utf8_lossy(&bytes)) {
            if let Some(path) = &module.file {
                open.push((parent.join(path), true));
                continue;
            }
            let inside = module.inside.iter();
            let folder = inside.fold(own.clone(), |folder, name| folder.join(name));
            let beside = folder.join(format!("{}.rs", module.name));
            let below = folder.join(&module.name).join("mod.rs");
            let is_beside = files.is_file(&beside.to_string_lossy());
            open.push((if is_beside { beside } else { below }, false));
        }
    }
}

/// A module in a separate file.
struct Module {
    /// The inline modules of the declaring file that enclose the declaration.
    inside: Vec<String>,
    /// Its name.
    name: String,
    /// The file named by a `#[path]` attribute.
    file: Option<String>,
}

/// The modules that a file declares, without those for tests only.
fn modules(text: &str) -> Vec<Module> {
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
