//! Loops: their trip counts, the fixpoint over their bodies, and the symbols for the unknown values at their heads.

pub(crate) mod bounding_ranges;
pub(crate) mod conditional_tests;
pub(crate) mod counted_loops;
pub(crate) mod exit_conditions;
pub(crate) mod fresh_values;
pub(crate) mod geometric_loops;
pub(crate) mod header_invariants;
pub(crate) mod induction_variable;
pub(crate) mod inner_exits;
pub(crate) mod iterator_limits;
pub(crate) mod iterator_ranges;
pub(crate) mod loop_context;
pub(crate) mod loop_entry;
pub(crate) mod loop_fixpoint;
pub(crate) mod loop_head_reads;
pub(crate) mod loop_header;
pub(crate) mod loop_nodes;
pub(crate) mod loop_passes;
pub(crate) mod loop_shape;
pub(crate) mod loop_statements;
pub(crate) mod moving_bounds;
pub(crate) mod pointer_rotation;
pub(crate) mod searched_arrays;
pub(crate) mod uncounted_loops;
