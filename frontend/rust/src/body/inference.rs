//! Type inference: types that the rest of a function determines, such as those of `0.0` in `vec![0.0; n]` and of the
//! items of `Vec::new()`.
//!
//! A type that the text leaves open is an inference variable, identified by its place in the text and, as all that a macro
//! expands to has one place, by the syntax that is there. Unification is
//! one-sided: a variable is bound to the first type that is not weak (as that of a literal without suffix), and keeps
//! it. A body is desugared again until its variables no longer change.

use crate::types::{GenericArg, SOME_INTEGER, Ty};
use crate::value::Value;
use premiss_ast::syntax::TextRange;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The maximum depth to which types are traversed.
const MAX_DEPTH: usize = 20;

/// Inference variables with their types, as far as known.
#[derive(Clone, Default)]
pub(crate) struct InferenceTable {
    types: BTreeMap<usize, Ty>,
    /// The address of the expression or statement that is being desugared.
    syntax: usize,
    /// The addresses of those that have a variable, by their places.
    syntax_at: BTreeMap<TextRange, Vec<usize>>,
}

impl InferenceTable {
    /// Whether it has the same variables of the same types.
    pub(crate) fn has_types_of(&self, other: &Self) -> bool {
        self.types == other.types
    }

    /// Says what is being desugared: the address of an expression or statement. Returns that of the one around it.
    pub(crate) fn enter(&mut self, syntax: usize) -> usize {
        std::mem::replace(&mut self.syntax, syntax)
    }

    /// The variable of a place, of the syntax that is being desugared: of `vec![Vec::new(); n]` in a macro, either has its
    /// own.
    pub(crate) fn variable(&mut self, at: TextRange) -> Ty {
        let all = self.syntax_at.entry(at).or_default();
        let idx = all.iter().position(|one| *one == self.syntax);
        let idx = idx.unwrap_or(all.len());
        if idx == all.len() {
            all.push(self.syntax);
        }
        // Places have 32 bits.
        Ty::Infer(at.start as usize | idx << 32)
    }

    /// The type that a variable is bound to, or the type itself; types within it may be variables.
    pub(crate) fn resolve(&self, kind: &Ty) -> Ty {
        let mut kind = kind;
        for _ in 0..MAX_DEPTH {
            match kind {
                Ty::Infer(hole) => match self.types.get(hole) {
                    Some(known) => kind = known,
                    None => break,
                },
                _ => break,
            }
        }
        kind.clone()
    }

    /// A type with all bound variables in it replaced.
    pub(crate) fn resolve_deeply(&self, kind: &Ty) -> Ty {
        self.resolve_at(kind, 0)
    }

    fn resolve_at(&self, kind: &Ty, depth: usize) -> Ty {
        if MAX_DEPTH < depth {
            return Ty::unknown();
        }
        let inner = |kind: &Arc<Ty>| Arc::new(self.resolve_at(kind, depth + 1));
        match kind {
            Ty::Infer(hole) => match self.types.get(hole) {
                Some(Ty::Infer(other)) if other == hole => kind.clone(),
                Some(known) => self.resolve_at(known, depth + 1),
                None => kind.clone(),
            },
            Ty::Vec(x) => Ty::Vec(inner(x)),
            Ty::Slice(x) => Ty::Slice(inner(x)),
            Ty::Pointer(x) => Ty::Pointer(inner(x)),
            Ty::Box(x) => Ty::Box(inner(x)),
            Ty::Array(x, length) => Ty::Array(inner(x), length.clone()),
            Ty::Option(x) => Ty::Option(inner(x)),
            Ty::NdArray(x, rank) => Ty::NdArray(inner(x), *rank),
            Ty::Tuple(parts) => Ty::Tuple(
                parts
                    .iter()
                    .map(|x| self.resolve_at(x, depth + 1))
                    .collect(),
            ),
            Ty::Record(record, arguments) => {
                let arguments = arguments.iter().map(|argument| match argument {
                    GenericArg::Type(kind) => GenericArg::Type(self.resolve_at(kind, depth + 1)),
                    value @ GenericArg::Value(_) => value.clone(),
                });
                Ty::Record(*record, arguments.collect())
            }
            other => other.clone(),
        }
    }

    /// Unifies two types.
    pub(crate) fn unify(&mut self, a: &Ty, b: &Ty) {
        self.unify_at(a, b, 0);
    }

    fn unify_at(&mut self, a: &Ty, b: &Ty, depth: usize) {
        if MAX_DEPTH < depth {
            return;
        }
        match (a, b) {
            (Ty::Infer(x), Ty::Infer(y)) if x == y => {}
            (Ty::Infer(x), Ty::Infer(_)) => self.bind(*x, b),
            (Ty::Infer(hole), known) | (known, Ty::Infer(hole)) => self.bind(*hole, known),
            (
                Ty::Vec(a) | Ty::Slice(a) | Ty::Array(a, _) | Ty::NdArray(a, _),
                Ty::Vec(b) | Ty::Slice(b) | Ty::Array(b, _) | Ty::NdArray(b, _),
            )
            | (Ty::Box(a), Ty::Box(b))
            | (Ty::Option(a), Ty::Option(b))
            | (Ty::Pointer(a), Ty::Pointer(b)) => self.unify_at(a, b, depth + 1),
            (Ty::Pointer(a), b) => self.unify_at(a, b, depth + 1),
            (a, Ty::Pointer(b)) => self.unify_at(a, b, depth + 1),
            (Ty::Tuple(a), Ty::Tuple(b)) => {
                for (a, b) in a.iter().zip(b) {
                    self.unify_at(a, b, depth + 1);
                }
            }
            _ => {}
        }
    }

    fn bind(&mut self, hole: usize, known: &Ty) {
        match self.types.get(&hole) {
            Some(Ty::Infer(next)) if *next != hole => {
                let next = *next;
                if matches!(known, Ty::Infer(x) if *x == hole || *x == next) {
                    return;
                }
                self.bind_last(next, known);
            }
            Some(old) if !old.is_weak() => {}
            _ => self.bind_last(hole, known),
        }
    }

    fn bind_last(&mut self, hole: usize, known: &Ty) {
        if let Ty::Infer(_) = known
            && self.resolve(known) == Ty::Infer(hole)
        {
            return;
        }
        let old = self.types.get(&hole).cloned();
        let is_better = match &old {
            None => true,
            Some(old) => old.is_weak() && !known.is_unknown() && !known.is_weak(),
        };
        let is_number = known.is_integer() || matches!(known, Ty::Float(_));
        let fits = match &old {
            Some(old) if *old == SOME_INTEGER => known.is_integer(),
            Some(Ty::Float(0)) => matches!(known, Ty::Float(_)),
            _ => true,
        };
        if is_better
            && fits
            && (is_number || !matches!(known, Ty::Unit | Ty::Never | Ty::Unknown(_)))
        {
            self.types.insert(hole, known.clone());
        }
    }

    /// A type with inference variables for `_` and omitted types.
    pub(crate) fn with_variables(&mut self, kind: Ty, at: TextRange) -> Ty {
        match kind {
            Ty::Vec(x) if x.is_unknown() => Ty::Vec(Arc::new(self.variable(at))),
            Ty::Unknown(name) if &*name == "_" => self.variable(at),
            Ty::Array(x, length) if x.is_unknown() => {
                Ty::Array(Arc::new(self.variable(at)), length)
            }
            other => other,
        }
    }

    /// The element type of a literal: a variable if the literal leaves it open.
    pub(crate) fn open_type(&mut self, kind: Ty, at: TextRange) -> Ty {
        if !kind.is_weak() || matches!(kind, Ty::Infer(_)) {
            return kind;
        }
        let variable = self.variable(at);
        if let Ty::Infer(hole) = variable
            && !kind.is_unknown()
        {
            self.types.entry(hole).or_insert(kind);
        }
        variable
    }

    /// A number with a variable for the type that a literal leaves open.
    pub(crate) fn open_literal<'a>(&mut self, value: Value<'a>, at: TextRange) -> Value<'a> {
        match value {
            Value::Plain(expression, kind) if kind.is_weak() && !kind.is_unknown() => {
                let kind = self.open_type(kind, at);
                Value::Plain(expression, kind)
            }
            other => other,
        }
    }
}
