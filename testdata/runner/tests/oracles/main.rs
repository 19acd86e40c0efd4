//! Engines against oracles, truth, machines and each other, on the kernels of `testdata` and on random nests.
//!
//! One program, not one for each file: every one of them would hold all of the engines.

mod adversarial;
mod callgrind;
mod class_sets;
mod closed_bounds;
mod closed_form;
mod closed_form_budget;
mod closed_form_random;
mod closed_form_shapes;
mod closed_form_symbolic;
mod conflict_sets;
mod crate_graph;
mod decided_misses;
mod dependences;
mod every_cache;
mod every_kernel;
mod floyd_warshall;
mod languages;
mod loaded_bounds;
mod micro;
mod mutations;
mod native;
mod native_languages;
mod native_shapes;
mod open_loops;
mod operation_counts;
mod operation_kinds;
mod operations;
mod oracle;
mod oracle_bounds;
mod overlapping_arrays;
mod pages;
mod papers;
mod pbound;
mod policies;
mod polybench;
mod random_nests;
mod random_programs;
mod rejects;
mod sampled;
mod scop;
mod scop_random;
mod shapes;
mod smoke;
mod stages;
mod strides;
mod tables;
mod too_many_accesses;
mod vectors;

/// Engines and oracles allocate much: tests take a tenth less time with this allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
