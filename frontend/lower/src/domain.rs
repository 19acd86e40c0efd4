//! The abstract domain: values, the heap, and states with their join. It is independent of the syntax that is lowered
//! and of the tree that is built.

pub(crate) mod allocator;
pub(crate) mod array_contents;
pub(crate) mod cells;
pub(crate) mod constant_image;
pub(crate) mod constant_tables;
pub(crate) mod element_contents;
pub(crate) mod expression_variables;
pub(crate) mod heap;
pub(crate) mod heap_symbols;
pub(crate) mod integers;
pub(crate) mod memory_version;
pub(crate) mod polynomials;
pub(crate) mod predicates;
pub(crate) mod reals;
pub(crate) mod row_pointers;
pub(crate) mod shared_map;
pub(crate) mod state;
pub(crate) mod types;
pub(crate) mod value_ranges;
pub(crate) mod values;
