//! From the syntax of one function to a NestTree, by abstract interpretation.
//!
//! [`lower_function`] executes a function symbolically. It reads the program through
//! [`Queries`](premiss_link::Queries) alone, and knows nothing of other functions' results or of earlier runs: what comes
//! of a function depends on the answers to its queries and on its [`Allowance`] of steps.

mod lowering;

pub use lowering::{
    Allowance, ConstantImages, FunctionOutcome, MAX_FILE_WORK, MAX_LINKED_WORK_WITHOUT_LOOP,
    evaluate_pure_call, lower_function, lower_function_without_tree,
};
pub(crate) use premiss_ast::syntax;
