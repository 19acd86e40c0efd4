//! From Fortran's syntax to that of imperative programs.
//!
//! An array is a pointer to rows, or to elements, with its subscripts in reverse order: `a(i, j)` of
//! `REAL a(lda, *)` is `a[j - 1][i - 1]` of `float (*a)[lda]`. A dummy argument that is a scalar is the value
//! of the actual argument, or a reference where the procedure may change it; COMMON blocks are arrays of bytes,
//! their scalars variables. Whole-array operations are the loops that they stand for.
//!
//! ```text
//! unit ─▶ procedures, objects ─▶ statements/ ─▶ calls/ ─▶ expressions/ ─▶ arrays/
//!                                     │            │            │            │
//!                                     └────────────┴── judgments (context) ──┘
//! ```
//!
//! The passes are free functions that take a [`Translator`](context::Translator) first, or, where they only
//! ask what names mean, a [`NameEnvironment`](environment::NameEnvironment). A pass imports passes to its
//! right; where it needs one to its left (a subscript is an expression, the body of a loop statements), it
//! calls a method of the context that [`judgments`] defines.

mod arrays;
mod calls;
mod context;
mod control;
mod environment;
mod expressions;
mod invariance;
mod judgments;
mod objects;
mod procedures;
mod rejections;
mod resolution;
mod statements;
mod temporaries;
mod typing;
mod unit;

pub(crate) use unit::unit;
