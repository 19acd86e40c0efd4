//! Elements and parts of arrays.

use super::{Body, build};
use crate::types::Ty;
use crate::value::{Grid, Range, Slice, Value};
use premiss_ast::syntax::{At, Binary, Expression};
use syn::Expr;

impl<'a> Body<'a, '_> {
    pub(super) fn index(&mut self, index: &'a syn::ExprIndex, at: At) -> Value<'a> {
        let base = self.expression(&index.expr, None);
        let base_at = self.at(&index.expr);
        let base = self.base(base, base_at);
        if let Value::Grid(_) = base {
            return self.grid_index(base, &index.index, at);
        }
        let (base, place) = self.in_order(base, |body| body.expression(&index.index, None));
        let index_at = self.at(&index.index);
        self.element_or_part(base, place, index_at, at)
    }

    /// What is indexed, behind references.
    pub(super) fn base(&mut self, base: Value<'a>, at: At) -> Value<'a> {
        match &base {
            Value::Plain(_, kind) => match self.solved(kind) {
                Ty::Pointer(inner) | Ty::Box(inner) => {
                    let inner = self.solved(&inner);
                    match inner {
                        Ty::Slice(_) | Ty::Str => base,
                        _ => {
                            let inner = self.dereferenced(base, at);
                            self.base(inner, at)
                        }
                    }
                }
                _ => base,
            },
            Value::Alias(_) => {
                let inner = self.dereferenced(base, at);
                self.base(inner, at)
            }
            _ => base,
        }
    }

    fn element_or_part(
        &mut self,
        base: Value<'a>,
        place: Value<'a>,
        index_at: At,
        at: At,
    ) -> Value<'a> {
        if let Value::Range(range) = place {
            return match self.as_slice(base.clone(), at) {
                Some(slice) => self.part(slice, range, at),
                None => self.unknown_index(&base, at),
            };
        }
        if let Value::Plain(_, kind) = &base
            && let Ty::Record(..) = self.solved(kind)
        {
            return self.index_of_record(base, place, at);
        }
        let index = match &place {
            Value::Plain(_, kind) if self.solved(kind).is_scalar() || kind.is_weak() => {
                self.integer_of(place, index_at)
            }
            Value::Unknown(_) => self.data(index_at),
            _ => return self.unknown_index(&base, at),
        };
        match base {
            Value::Plain(array, kind) => match self.solved(&kind) {
                Ty::Array(element, _) => {
                    let place = build::index(at, array, index);
                    self.value_at(place, &element)
                }
                _ => self.unknown_index(&Value::Plain(array, kind), at),
            },
            Value::Slice(slice) => {
                let place = build::index(at, slice.pointer, index);
                self.value_at(place, &slice.element)
            }
            Value::Tuple(list) => {
                // What `shape` yields.
                let idx = build::as_integer(&index).and_then(|idx| usize::try_from(idx).ok());
                match idx.and_then(|idx| list.get(idx)) {
                    Some(part) => part.clone(),
                    None => Value::size(self.data(at)),
                }
            }
            other => self.unknown_index(&other, at),
        }
    }

    /// `s[i]` where `s` is a struct that says what its elements are.
    fn index_of_record(&mut self, base: Value<'a>, index: Value<'a>, at: At) -> Value<'a> {
        let Ty::Record(record, _) = self.solved(&base.kind()) else {
            return self.unknown_index(&base, at);
        };
        let name = self.ctx.index.record_name(record);
        let functions = ["index", "index_mut"].map(|one| self.ctx.index.method(&name, one));
        if let [Some(index), Some(index_mut)] = functions
            && !self.ctx.index.do_the_same(index, index_mut)
        {
            return self.unsupported(
                "an element that `index` and `index_mut` find each in its way",
                at,
            );
        }
        let Some(function) = functions.into_iter().flatten().next() else {
            return self.unknown_index(&base, at);
        };
        let own = self.reference_to(base, at);
        let element = self.inline_function(function, vec![own, index], at);
        self.dereferenced(element, at)
    }

    fn unknown_index(&mut self, base: &Value<'a>, at: At) -> Value<'a> {
        let kind = self.solved(&base.kind());
        if kind.peeled().is_rejected() {
            return Value::Unknown(kind);
        }
        let construct = match kind {
            Ty::Unknown(name) if &*name != "_" => format!("an element of a `{name}`"),
            _ => "an element of something of unknown type".to_owned(),
        };
        self.unsupported(construct, at)
    }

    /// The elements of a range.
    pub(super) fn part(&mut self, slice: Slice, range: Range, at: At) -> Value<'a> {
        let start = range.start.unwrap_or_else(|| build::integer(at, 0));
        let start = match build::is_pure(&start) {
            true => start,
            false => self.stable(start, "start"),
        };
        let end = range.end.unwrap_or(slice.length);
        let length = build::binary(at, Binary::Subtract, end, start.clone());
        let pointer = match build::as_integer(&start) {
            Some(0) => Expression {
                at,
                ..slice.pointer
            },
            _ => build::address(at, build::index(at, slice.pointer, start)),
        };
        Value::Slice(Slice {
            pointer,
            length,
            kind: Ty::Slice(slice.element.clone()),
            element: slice.element,
        })
    }

    /// `a[[i, j]]` and `a[i]` of `ndarray`.
    fn grid_index(&mut self, base: Value<'a>, index: &'a Expr, at: At) -> Value<'a> {
        let list: Vec<(&'a Expr, Option<Ty>)> = match index {
            Expr::Array(list) => list.elems.iter().map(|x| (x, None)).collect(),
            Expr::Tuple(list) => list.elems.iter().map(|x| (x, None)).collect(),
            other => vec![(other, None)],
        };
        let (base, places) = self.in_order(base, |body| body.operands(list));
        let Value::Grid(grid) = base else {
            return self.unknown_index(&base, at);
        };
        let mut indices = Vec::new();
        for place in places {
            indices.push(self.integer_of(place, at));
        }
        if indices.len() != grid.axes.len() {
            return self.unsupported("an index of another number of dimensions", at);
        }
        let element = grid.element.clone();
        let place = grid_place(&grid, indices, at);
        self.value_at(place, &element)
    }
}

/// The element of an array of `ndarray`.
pub(super) fn grid_place(grid: &Grid, indices: Vec<Expression>, at: At) -> Expression {
    let terms = indices.into_iter().zip(&grid.axes);
    let terms =
        terms.map(|(index, (_, step))| build::binary(at, Binary::Multiply, index, step.clone()));
    let offset = terms.reduce(|a, b| build::binary(at, Binary::Add, a, b));
    let offset = offset.unwrap_or_else(|| build::integer(at, 0));
    build::index(at, grid.pointer.clone(), offset)
}
