//! Scopes: the symbols of one program unit, from its specification part.

mod attributes;
mod build;
mod builder;
mod data;
mod define;
mod derived_types;
mod interfaces;
mod references;
mod use_association;

pub(super) use build::build;
pub(super) use builder::{EnclosingScope, QualifiedNames, without_blanks};
pub(crate) use use_association::is_intrinsic_module;
