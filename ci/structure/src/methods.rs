//! The number of methods and associated functions of each type, over all inherent implementations in one crate. Methods
//! of traits and of tests do not count.

use std::collections::BTreeMap;

use crate::module_tree::{FileId, ModuleId, ModuleTree};
use crate::references;
use crate::workspace::Workspace;

/// A type by the file that defines it (if that is in the crate) and its name.
type TypeKey = (Option<FileId>, String);

/// The types of a crate's tree with their numbers of methods.
pub(crate) fn methods_by_type(
    workspace: &Workspace,
    tree: &ModuleTree,
) -> BTreeMap<TypeKey, usize> {
    let mut methods = BTreeMap::new();
    for (idx, module) in tree.modules.iter().enumerate() {
        // Inline modules are visited with their own ids below.
        if module
            .parent
            .is_some_and(|it| tree.module(it).file == module.file)
        {
            continue;
        }
        let items = &workspace.files[module.file.0].syntax.items;
        add_items(tree, ModuleId(idx), items, &mut methods);
    }
    methods
}

fn add_items(
    tree: &ModuleTree,
    id: ModuleId,
    items: &[syn::Item],
    methods: &mut BTreeMap<TypeKey, usize>,
) {
    for item in items.iter().filter(|it| !references::item_is_for_tests(it)) {
        match item {
            syn::Item::Impl(item) if item.trait_.is_none() => {
                let Some(path) = type_path(&item.self_ty) else {
                    continue;
                };
                let name = path.last().cloned().unwrap_or_default();
                let functions = item.items.iter().filter(|it| is_method(it));
                let key = (tree.file_of_item(id, &path), name);
                *methods.entry(key).or_default() += functions.count();
            }
            syn::Item::Mod(syn::ItemMod {
                ident,
                content: Some((_, items)),
                ..
            }) => {
                let child = tree.module(id).children.get(&references::name_of(ident));
                if let Some(child) = child {
                    add_items(tree, *child, items, methods);
                }
            }
            _ => {}
        }
    }
}

fn is_method(item: &syn::ImplItem) -> bool {
    matches!(item, syn::ImplItem::Fn(function) if !references::is_for_tests(&function.attrs))
}

fn type_path(ty: &syn::Type) -> Option<Vec<String>> {
    let syn::Type::Path(path) = ty else {
        return None;
    };
    let segments = path.path.segments.iter();
    Some(segments.map(|it| references::name_of(&it.ident)).collect())
}
