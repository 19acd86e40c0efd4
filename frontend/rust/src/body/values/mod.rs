//! Values and places: aggregate literals, fields, patterns, operators, assignments.

pub(crate) mod aggregates;
pub(crate) mod assignments;
pub(crate) mod captures;
pub(crate) mod casts;
pub(crate) mod constants;
pub(crate) mod fields;
pub(crate) mod indexing;
pub(crate) mod operators;
pub(crate) mod patterns;
pub(crate) mod places;
pub(crate) mod same_element;
pub(crate) mod scrutinees;
