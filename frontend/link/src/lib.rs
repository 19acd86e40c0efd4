//! Links the syntax of several files into one program.
//!
//! [`Program::link`] takes the [`LinkUnit`]s of all files of one language and computes what depends on the whole
//! program: the unit whose definition a name refers to ([`ExternalSymbols`]), the effects of calls ([`CallSummary`]:
//! modified objects, recursion, steps), and, after all functions are lowered, the sizes that all callers agree on
//! ([`agree`]).
//!
//! Lowering reads the program through [`Queries`] alone. [`Program`] implements them; each thread has its own view,
//! which reports the inputs that a result depends on to its [`Recorder`].
//!
//! ```text
//! a.c: int n = 8; void f(void) { g(n); }          owner(b, n) = a     callee(a, g) = b's g
//! b.c: extern int n; void g(int m) { n = m; }     is_modified(n)      call_summary(f) modifies n
//! ```
//!
//! The results do not depend on earlier runs, on the order of threads or on which units are [deferred](LazyUnit): a
//! summary replaces the syntax of a unit only if both give the same results. Values and trees are computed in
//! `premiss-lower`.

mod agreed_sizes;
mod call_graph;
mod call_summary;
mod dependencies;
mod externals;
mod fingerprints;
mod inputs;
mod jump_functions;
mod lazy_unit;
mod program;
mod pure_call_cache;
mod pure_call_evaluation;
mod pure_calls;
mod queries;
mod stack;
mod statement_cache;
mod summaries;
mod symbols;
mod unit_interface;
mod unit_summary;
mod view;

pub use agreed_sizes::{AgreedSizes, agree};
pub use call_summary::CallSummary;
pub use dependencies::{Dependencies, Input, NameDependencies, NoRecorder, Recorder, StepBounds};
pub use externals::ExternalSymbols;
pub use inputs::{FunctionModels, InlineBudget, LinkUnit, SizeOptions};
pub use jump_functions::{CallSite, CallerRecord, JumpFunction};
pub use lazy_unit::{BuildUnit, DeferredUnit, LazyUnit};
pub use program::{LinkOptions, LinkedProgram, NewRecorder, Program, no_recorder};
pub use pure_call_cache::CachedPureCall;
pub use pure_calls::{
    AbstractScalar, PureArgument, PureCall, PureCallResult, ScalarKind, may_be_pure,
};
pub use queries::{Callee, Global, Queries};
pub use stack::{STACK, no_stack, on_own_stack};
pub use statement_cache::Rewriting;
pub use unit_summary::{UnitInterface, UnitSummary};
