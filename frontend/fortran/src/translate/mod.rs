//! Translates Fortran's syntax to the common imperative syntax.
//!
//! An array is a pointer to rows or elements, with its subscripts in reverse order: `a(i, j)` of `REAL a(lda, *)` is
//! `a[j - 1][i - 1]` of `float (*a)[lda]`. A scalar dummy argument is the value of the actual argument, or a reference
//! if the procedure may change it; COMMON blocks are arrays of bytes, and their scalars are variables. Whole-array
//! operations become loops.
//!
//! ```text
//! unit ─▶ procedures, objects ─▶ statements/ ─▶ calls/ ─▶ expressions/ ─▶ arrays/
//!                                     │            │            │            │
//!                                     └────────────┴── judgments (context) ──┘
//! ```
//!
//! The passes are free functions that take a [`Translator`](context::Translator) first, or, if they only look up
//! names, a [`NameEnvironment`](environment::NameEnvironment). A pass imports only passes to its right; to use one to
//! its left (a subscript is an expression, the body of a loop consists of statements), it calls a method of the
//! context defined in [`judgments`].

mod arrays;
mod calls;
mod context;
mod control;
mod entry_values;
mod environment;
mod expressions;
mod invariance;
mod judgments;
mod objects;
mod operations;
mod procedures;
mod rejections;
mod resolution;
mod statements;
mod temporaries;
mod typing;
mod unit;
mod unknown_effects;

pub(crate) use unit::unit;
