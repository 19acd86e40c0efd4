//! The result of lowering a function: its tree, and what its callers and callees need.

use crate::budget::Allowance;
use crate::constant_images::ConstantImages;
use crate::interpret::interpret_function;
use crate::output::finish::{CallFacts, finish_tree, finish_without_tree};
use crate::output::jump_functions::caller_record;
use crate::syntax::{Function, Name};
use premiss_link::{CallerRecord, Queries};
use premiss_tree::NestTree;
use std::sync::Arc;

/// The result of lowering a function apart from its tree.
pub struct FunctionOutcome(CallFacts);

impl FunctionOutcome {
    /// The names of the sizes of the function.
    pub fn size_names(&self) -> impl Iterator<Item = String> {
        let parameters = self.0.parameters.iter();
        parameters.map(|row| row.name.to_string())
    }

    /// The calls of the function, with their jump functions.
    #[must_use]
    pub fn caller_record(&self, function: &Function) -> CallerRecord {
        caller_record(function, &self.0)
    }

    /// The number of steps taken, without those in bodies of other files.
    #[must_use]
    pub fn own_work(&self) -> u64 {
        self.0.work - self.0.linked_work
    }

    /// The number of steps taken in bodies of other files.
    #[must_use]
    pub fn linked_work(&self) -> u64 {
        self.0.linked_work
    }

    /// Sets the values that `size` gives for parameters of the function that have no value in its tree.
    pub fn give_sizes(&self, tree: &mut NestTree, size: impl Fn(&Name) -> Option<i64>) {
        for (old, new) in &self.0.numbers {
            let row = &self.0.parameters[old.as_u32() as usize];
            if let (false, None, Some(value)) = (row.is_global, row.value, size(&row.name)) {
                let work = &mut tree.work;
                for parameters in [&mut tree.parameters, &mut work.parameters] {
                    if let Some(parameter) = parameters.get_mut(*new) {
                        parameter.value = Some(value);
                    }
                }
            }
        }
    }
}

/// Lowers a function to a tree within an allowance of steps. Constructs that cannot be understood are rejections in
/// the tree.
///
/// The result is determined by the function, the allowance and the queries of the program.
#[must_use]
pub fn lower_function(
    program: &dyn Queries,
    images: &ConstantImages,
    function: &Arc<Function>,
    allowance: Allowance,
) -> (NestTree, FunctionOutcome) {
    let ctx = interpret_function(program, images, function, allowance);
    let (tree, remains) = finish_tree(ctx, function);
    (tree, FunctionOutcome(remains))
}

/// Lowers a function without a loop, of which only the jump functions of its calls are needed.
#[must_use]
pub fn lower_function_without_tree(
    program: &dyn Queries,
    images: &ConstantImages,
    function: &Arc<Function>,
    allowance: Allowance,
) -> FunctionOutcome {
    let ctx = interpret_function(program, images, function, allowance);
    FunctionOutcome(finish_without_tree(ctx))
}
