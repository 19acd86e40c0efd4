//! Resolves paths within a crate like the compiler, as far as the text allows: `crate`, `self`, `super`, children,
//! definitions, imports and globs. Paths into other crates are not resolved.

use crate::module_tree::{FileId, Module, ModuleId, ModuleTree};

/// The target of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Module(ModuleId),
    /// An item (or something within it: a variant, an associated function), and the module that defines it.
    Item(ModuleId),
}

/// The most imports followed in a chain: cyclic imports occur only in programs that do not compile.
const MAX_DEPTH: usize = 24;

impl ModuleTree {
    pub(crate) fn module(&self, id: ModuleId) -> &Module {
        &self.modules[id.0]
    }

    /// The file that defines the item at the end of a path; `None` if the path leads to a module.
    pub(crate) fn file_of_item(&self, at: ModuleId, segments: &[String]) -> Option<FileId> {
        match self.resolve(at, segments, 0)? {
            Target::Item(module) => Some(self.module(module).file),
            Target::Module(_) => None,
        }
    }

    /// The target of a path that is written in the module `at`.
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

    /// Follows the rest of a path from the target of its beginning.
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
                // The item is defined by a macro.
                name => {
                    (self.lookup(module, name, is_followed, depth)).unwrap_or(Target::Item(module))
                }
            };
        }
        Some(target)
    }

    /// The target of a single name in a module. A name may stand for a module and for an item at once: if more of the
    /// path follows, it is the module.
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
        // `use name::…` of another crate resolves to nothing, and must not resolve to itself.
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
