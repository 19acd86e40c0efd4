//! Which function or constant a path means, of several with its last name.
//!
//! ```text
//! fn rows() { fn load(..) {..} load(0) }     `load` of this body, not that of another one
//! super::normal::sample(r)                   `sample` of the module or file `normal`
//! sample(r)                                  that of this file, or the one that it imports
//! ```

use crate::inherent_methods::is_inherent;
use crate::item_index::{Index, only};
use crate::types::Ty;

impl Index<'_> {
    /// The function that a path refers to, as seen from a place in a file, if there is one.
    pub(crate) fn function_of(&self, (unit, at): (usize, usize), path: &[String]) -> Option<usize> {
        let (last, before) = path.split_last()?;
        let all = self.functions_by_name.get(last)?;
        let qualifier = before.last().map(String::as_str);
        let is_library = |owner| is_inherent(owner, last) && self.record_of(owner).is_none();
        if qualifier.is_some_and(is_library) {
            return None;
        }
        let of_type = |idx: &&usize| {
            let owner = self.functions[**idx].owner.as_ref();
            owner.is_some_and(|owner| Some(owner.name.as_str()) == qualifier)
        };
        let owned: Vec<usize> = all.iter().filter(of_type).copied().collect();
        if let Some(qualifier) = qualifier
            && !owned.is_empty()
            && !matches!(qualifier, "self" | "super" | "crate")
        {
            return only(owned.iter().copied());
        }
        // A function of a type is no free one.
        let is_type =
            |name: &str| name.starts_with(char::is_uppercase) || Ty::primitive(name).is_some();
        if qualifier.is_some_and(is_type) {
            return None;
        }
        let foreign = matches!(
            before.first().map(String::as_str),
            Some("std" | "core" | "alloc")
        );
        if foreign {
            return None;
        }
        let free: Vec<usize> = all
            .iter()
            .copied()
            .filter(|idx| self.is_free(*idx))
            .collect();
        self.function_in_body(&free, unit, at)
            .filter(|_| before.is_empty())
            .or_else(|| self.only_of(&free, qualifier, unit, last))
            .or_else(|| {
                let outside = free.iter().copied();
                let outside = outside.filter(|idx| self.functions[*idx].outer_body.is_none());
                self.only_of(&outside.collect::<Vec<usize>>(), qualifier, unit, last)
            })
    }

    fn is_free(&self, function: usize) -> bool {
        self.functions[function].owner.is_none()
    }

    /// The function that the innermost body around a place defines.
    fn function_in_body(&self, free: &[usize], unit: usize, at: usize) -> Option<usize> {
        let visible = free.iter().copied().filter_map(|idx| {
            let function = &self.functions[idx];
            let around = function.outer_body.as_ref()?;
            let is_around = function.unit == unit && around.contains(&at);
            is_around.then_some((around.len(), idx))
        });
        let visible: Vec<(usize, usize)> = visible.collect();
        let (least, _) = visible.iter().min()?;
        let inner = visible.iter().filter(|(length, _)| length == least);
        only(inner.map(|(_, idx)| *idx))
    }

    /// The only one of some free functions, of its module, of this file, or imported.
    fn only_of(
        &self,
        free: &[usize],
        qualifier: Option<&str>,
        unit: usize,
        name: &str,
    ) -> Option<usize> {
        let in_module = |idx: &usize| {
            let function = &self.functions[*idx];
            match function.module.last() {
                Some(module) => Some(module.as_str()) == qualifier,
                None => qualifier.is_some() && self.imports.module(function.unit) == qualifier,
            }
        };
        let is_here = |idx: &usize| self.functions[*idx].unit == unit;
        let imported = |idx: &usize| self.imports.has(unit, name, self.functions[*idx].unit);
        let all = || free.iter().copied();
        only(all())
            .or_else(|| only(all().filter(in_module)))
            .or_else(|| only(all().filter(is_here)))
            .or_else(|| only(all().filter(imported)))
    }

    /// The constant of that name, as seen from a file.
    pub(crate) fn constant_of(&self, unit: usize, name: &str) -> Option<usize> {
        let all = self.constants_by_name.get(name)?;
        let is_here = |idx: &usize| self.constants[*idx].unit == unit;
        let imported = |idx: &usize| self.imports.has(unit, name, self.constants[*idx].unit);
        only(all.iter().copied())
            .or_else(|| only(all.iter().copied().filter(is_here)))
            .or_else(|| only(all.iter().copied().filter(imported)))
    }
}
