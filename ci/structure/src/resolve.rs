//! Resolves paths within a crate as the compiler does, as far as the text shows: `crate`, `self`,
//! `super`, children, definitions, imports and globs. Paths into other crates resolve to nothing.

use crate::module_tree::{FileId, Module, ModuleId, ModuleTree};

/// What a path leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Module(ModuleId),
    /// An item (or what stands within it: a variant, an associated function), and the module that defines it.
    Item(ModuleId),
}

/// Imports may run in circles, which no program that compiles takes.
const MAX_DEPTH: usize = 24;

impl ModuleTree {
    pub(crate) fn module(&self, id: ModuleId) -> &Module {
        &self.modules[id.0]
    }

    /// The file in which the item at the end of a path is defined; a path that leads to a module
    /// names nothing in it.
    pub(crate) fn file_of_item(&self, at: ModuleId, segments: &[String]) -> Option<FileId> {
        match self.resolve(at, segments, 0)? {
            Target::Item(module) => Some(self.module(module).file),
            Target::Module(_) => None,
        }
    }

    /// What a path leads to when it is written in the module `at`.
    pub(crate) fn resolve(
        &self,
        at: ModuleId,
        segments: &[String],
        depth: usize,
    ) -> Option<Target> {
        let (first, rest) = segments.split_first()?;
        let start = match first.as_str() {
            "crate" => Target::Module(ModuleId(0)),
            "self" => Target::Module(at),
            "super" => Target::Module(self.module(at).parent?),
            name => self.lookup(at, name, !rest.is_empty(), depth)?,
        };
        self.descend(start, rest, depth)
    }

    /// Follows the rest of a path from what its beginning leads to.
    fn descend(&self, start: Target, rest: &[String], depth: usize) -> Option<Target> {
        let mut target = start;
        for (idx, name) in rest.iter().enumerate() {
            let Target::Module(module) = target else {
                return Some(target);
            };
            let is_followed = idx + 1 < rest.len();
            target = match name.as_str() {
                "super" => Target::Module(self.module(module).parent?),
                "self" => target,
                // What only a macro defines there.
                name => {
                    (self.lookup(module, name, is_followed, depth)).unwrap_or(Target::Item(module))
                }
            };
        }
        Some(target)
    }

    /// What a single name means in a module. A name may stand for a module and for an item at once: with
    /// more of the path to follow it is the module.
    fn lookup(&self, at: ModuleId, name: &str, is_followed: bool, depth: usize) -> Option<Target> {
        if depth > MAX_DEPTH {
            return None;
        }
        let module = self.module(at);
        let child = module.children.get(name).copied().map(Target::Module);
        let item = module
            .definitions
            .contains(name)
            .then_some(Target::Item(at));
        let here = if is_followed {
            child.or(item)
        } else {
            item.or(child)
        };
        here.or_else(|| self.lookup_imports(module, at, name, is_followed, depth))
    }

    fn lookup_imports(
        &self,
        module: &Module,
        at: ModuleId,
        name: &str,
        is_followed: bool,
        depth: usize,
    ) -> Option<Target> {
        let named = module
            .imports
            .iter()
            .filter(|it| it.alias.as_deref() == Some(name));
        // `use name::…` of another crate leads nowhere, and must not lead to itself.
        let named = named.filter(|it| it.segments.len() > 1 || it.segments[0] != name);
        let targets = named.filter_map(|it| self.resolve(at, &it.segments, depth + 1));
        let mut fallback = None;
        for target in targets {
            if matches!(target, Target::Module(_)) == is_followed {
                return Some(target);
            }
            fallback = Some(target);
        }
        fallback.or_else(|| {
            let globs = module.imports.iter().filter(|it| it.alias.is_none());
            globs
                .into_iter()
                .find_map(|it| match self.resolve(at, &it.segments, depth + 1)? {
                    Target::Module(from) if from != at => {
                        self.lookup(from, name, is_followed, depth + 1)
                    }
                    _ => None,
                })
        })
    }
}
