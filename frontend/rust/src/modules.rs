//! Modules in separate files: finds all files of a crate from its root file, following `mod` and `#[path]` (the Rust
//! Reference, "Module source filenames").

use crate::item_index::is_test;
use crate::parse::parse;
use premiss_link::on_own_stack;
use premiss_source::{FileId, Files, SourceMap};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use syn::{Attribute, Expr, Item, Lit, Meta};

/// The maximum size of a file in bytes.
pub(crate) const MAX_BYTES: usize = 64 << 20;

/// Adds the root file of a crate and the files of the modules that it declares to `found`, without those for tests
/// only. A module whose file does not exist is skipped, as it may be generated, and so is one that is no regular file or
/// longer than 64 MiB: reading the program reports it. Files already in `found` are not followed again.
pub fn add_module_files(files: &dyn Files, root: &Path, found: &mut BTreeSet<PathBuf>) {
    let mut open = vec![(root.to_owned(), true)];
    while let Some((file, is_root)) = open.pop() {
        let Ok(bytes) = files.read(&file.to_string_lossy()) else {
            continue;
        };
        if MAX_BYTES < bytes.len() {
            continue;
        }
        if !found.insert(file.clone()) {
            continue;
        }
        for module in modules(&String::from_utf8_lossy(&bytes)) {
            let places = module.files(&file, is_root);
            let is_there = |path: &&PathBuf| files.is_file(&path.to_string_lossy());
            let found = places.iter().find(is_there).or(places.last());
            open.extend(found.map(|path| (path.clone(), module.file.is_some())));
        }
    }
}

/// The files of modules that `mains` declare and that are not among `mains`, though they are there.
pub(crate) fn other_module_files(
    files: &dyn Files,
    sources: &SourceMap,
    mains: &[FileId],
) -> BTreeSet<PathBuf> {
    let path = |file: &FileId| PathBuf::from(sources.file(*file).path());
    let given: BTreeSet<PathBuf> = mains.iter().map(path).collect();
    let mut others = BTreeSet::new();
    for main in mains {
        let text = sources.file(*main).text();
        // Most files declare none, and are not parsed once more.
        if !may_declare_file(text) {
            continue;
        }
        let places = modules(text)
            .into_iter()
            .flat_map(|x| x.places(&path(main)));
        others.extend(places.filter(|place| !given.contains(place)));
    }
    let is_short = |bytes: Vec<u8>| bytes.len() <= MAX_BYTES;
    others.retain(|path| files.read(&path.to_string_lossy()).is_ok_and(is_short));
    others
}

/// Whether a text has `mod NAME;`, as far as can be told without parsing it: `mod tests { … }` is no such text.
fn may_declare_file(text: &str) -> bool {
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_' || c == '#';
    let ends_at_name = |rest: &str| {
        let after = rest.trim_start().trim_start_matches(is_of_name);
        after.trim_start().starts_with(';')
    };
    text.split("mod ").skip(1).any(ends_at_name)
}

/// A module of which no file was given.
pub(crate) struct UnreadModule {
    /// Its name, or the file that a `#[path]` attribute names.
    pub(crate) name: String,
    /// The place of its name.
    pub(crate) at: Range<usize>,
    /// Whether it has a file that could have been given.
    pub(crate) has_file: bool,
}

/// The modules that a file declares and of which no file was given; `others` are files that could have been.
pub(crate) fn unread_modules(
    items: &[Item],
    file: &Path,
    given: &BTreeSet<PathBuf>,
    others: &BTreeSet<PathBuf>,
) -> Vec<UnreadModule> {
    let mut declared = Vec::new();
    collect(items, &[], &mut declared);
    let unread = declared.into_iter().filter_map(|module| {
        let places = module.places(file);
        let is_given = places.iter().any(|path| given.contains(path));
        (!is_given).then(|| UnreadModule {
            has_file: places.iter().any(|path| others.contains(path)),
            name: module.file.unwrap_or(module.name),
            at: module.at,
        })
    });
    unread.collect()
}

/// A module in a separate file.
struct Module {
    /// The inline modules of the declaring file that enclose the declaration.
    inside: Vec<String>,
    /// Its name.
    name: String,
    /// The file named by a `#[path]` attribute.
    file: Option<String>,
    /// The place of its name.
    at: Range<usize>,
}

impl Module {
    /// Where its file may be, if `declaring` declares it, whether or not that is the root of a crate.
    fn places(&self, declaring: &Path) -> Vec<PathBuf> {
        [self.files(declaring, true), self.files(declaring, false)].concat()
    }

    /// Where its file may be, if `declaring` declares it, which may be the root of a crate.
    fn files(&self, declaring: &Path, is_root: bool) -> Vec<PathBuf> {
        let parent = declaring.parent().unwrap_or(Path::new(""));
        if let Some(path) = &self.file {
            return vec![parent.join(path)];
        }
        let stem = declaring.file_stem().unwrap_or_default();
        let own = match is_root || stem == "mod" {
            true => parent.to_owned(),
            false => parent.join(stem),
        };
        let inside = self.inside.iter();
        let folder = inside.fold(own, |folder, name| folder.join(name));
        let beside = folder.join(format!("{}.rs", self.name));
        let below = folder.join(&self.name).join("mod.rs");
        vec![beside, below]
    }
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
                at: item.ident.span().byte_range(),
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
