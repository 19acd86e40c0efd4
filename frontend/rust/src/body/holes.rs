//! Types that the rest of a function tells: that of `0.0` in `vec![0.0; n]`, of the items of `Vec::new()`.

use super::Body;
use crate::types::{Argument, SOME_INTEGER, Ty};
use crate::value::Value;
use premiss_ast::syntax::At;
use std::sync::Arc;

/// How deep a type is looked into.
const MAX_DEPTH: usize = 20;

impl<'a> Body<'a, '_> {
    /// A type that is no hole, as far as it is known; there may be holes in it.
    pub(super) fn solved(&self, kind: &Ty) -> Ty {
        let mut kind = kind;
        for _ in 0..MAX_DEPTH {
            match kind {
                Ty::Hole(hole) => match self.holes.get(hole) {
                    Some(known) => kind = known,
                    None => break,
                },
                _ => break,
            }
        }
        kind.clone()
    }

    /// A type with what is known of the holes in it.
    pub(super) fn filled_in(&self, kind: &Ty) -> Ty {
        self.solved_at(kind, 0)
    }

    fn solved_at(&self, kind: &Ty, depth: usize) -> Ty {
        if MAX_DEPTH < depth {
            return Ty::unknown();
        }
        let inner = |kind: &Arc<Ty>| Arc::new(self.solved_at(kind, depth + 1));
        match kind {
            Ty::Hole(hole) => match self.holes.get(hole) {
                Some(Ty::Hole(other)) if other == hole => kind.clone(),
                Some(known) => self.solved_at(known, depth + 1),
                None => kind.clone(),
            },
            Ty::Vec(x) => Ty::Vec(inner(x)),
            Ty::Slice(x) => Ty::Slice(inner(x)),
            Ty::Pointer(x) => Ty::Pointer(inner(x)),
            Ty::Box(x) => Ty::Box(inner(x)),
            Ty::Array(x, length) => Ty::Array(inner(x), length.clone()),
            Ty::Maybe(x) => Ty::Maybe(inner(x)),
            Ty::Grid(x, rank) => Ty::Grid(inner(x), *rank),
            Ty::Tuple(parts) => {
                Ty::Tuple(parts.iter().map(|x| self.solved_at(x, depth + 1)).collect())
            }
            Ty::Record(record, arguments) => {
                let arguments = arguments.iter().map(|argument| match argument {
                    Argument::Type(kind) => Argument::Type(self.solved_at(kind, depth + 1)),
                    value @ Argument::Value(_) => value.clone(),
                });
                Ty::Record(*record, arguments.collect())
            }
            other => other.clone(),
        }
    }

    /// Notes that two types are the same.
    pub(super) fn tell(&mut self, a: &Ty, b: &Ty) {
        self.tell_at(a, b, 0);
    }

    fn tell_at(&mut self, a: &Ty, b: &Ty, depth: usize) {
        if MAX_DEPTH < depth {
            return;
        }
        match (a, b) {
            (Ty::Hole(x), Ty::Hole(y)) if x == y => {}
            (Ty::Hole(x), Ty::Hole(_)) => self.fill(*x, b),
            (Ty::Hole(hole), known) | (known, Ty::Hole(hole)) => self.fill(*hole, known),
            (
                Ty::Vec(a) | Ty::Slice(a) | Ty::Array(a, _) | Ty::Grid(a, _),
                Ty::Vec(b) | Ty::Slice(b) | Ty::Array(b, _) | Ty::Grid(b, _),
            )
            | (Ty::Box(a), Ty::Box(b))
            | (Ty::Maybe(a), Ty::Maybe(b))
            | (Ty::Pointer(a), Ty::Pointer(b)) => self.tell_at(a, b, depth + 1),
            (Ty::Pointer(a), b) => self.tell_at(a, b, depth + 1),
            (a, Ty::Pointer(b)) => self.tell_at(a, b, depth + 1),
            (Ty::Tuple(a), Ty::Tuple(b)) => {
                for (a, b) in a.iter().zip(b) {
                    self.tell_at(a, b, depth + 1);
                }
            }
            _ => {}
        }
    }

    fn fill(&mut self, hole: usize, known: &Ty) {
        match self.holes.get(&hole) {
            Some(Ty::Hole(next)) if *next != hole => {
                let next = *next;
                if matches!(known, Ty::Hole(x) if *x == hole || *x == next) {
                    return;
                }
                self.fill_last(next, known);
            }
            Some(old) if !old.is_weak() => {}
            _ => self.fill_last(hole, known),
        }
    }

    fn fill_last(&mut self, hole: usize, known: &Ty) {
        if let Ty::Hole(_) = known
            && self.solved(known) == Ty::Hole(hole)
        {
            return;
        }
        let old = self.holes.get(&hole).cloned();
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
            self.holes.insert(hole, known.clone());
        }
    }

    /// A type with holes where `_` or nothing is written.
    pub(super) fn filled(&mut self, kind: Ty, at: At) -> Ty {
        let hole = || Arc::new(Ty::Hole(at.start as usize));
        match kind {
            Ty::Vec(x) if x.is_unknown() => Ty::Vec(hole()),
            Ty::Unknown(name) if &*name == "_" => Ty::Hole(at.start as usize),
            Ty::Array(x, length) if x.is_unknown() => Ty::Array(hole(), length),
            other => other,
        }
    }

    /// The type of elements that a literal gives: a hole where the literal leaves it open.
    pub(super) fn open(&mut self, kind: Ty, at: At) -> Ty {
        if !kind.is_weak() || matches!(kind, Ty::Hole(_)) {
            return kind;
        }
        let hole = at.start as usize;
        if !self.holes.contains_key(&hole) && !kind.is_unknown() {
            self.holes.insert(hole, kind);
        }
        Ty::Hole(hole)
    }

    /// A number whose type a literal left open, as a variable has it.
    pub(super) fn weakened(&mut self, value: Value<'a>, at: At) -> Value<'a> {
        match value {
            Value::Plain(expression, kind) if kind.is_weak() && !kind.is_unknown() => {
                let kind = self.open(kind, at);
                Value::Plain(expression, kind)
            }
            other => other,
        }
    }
}
