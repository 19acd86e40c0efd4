//! A function, lowered: its tree, and what is left of it for its callers and callees.

use crate::budget::Allowance;
use crate::constant_images::ConstantImages;
use crate::interpret::interpret_function;
use crate::output::finish::{CallFacts, finish_tree, finish_without_tree};
use crate::output::jump_functions::caller_record;
use crate::syntax::{Function, Name};
use premiss_link::{CallerRecord, Queries};
use premiss_tree::NestTree;
use std::sync::Arc;

/// What is left of a lowered function beside its tree.
pub struct FunctionOutcome(CallFacts);

impl FunctionOutcome {
    /// The names of its sizes.
    pub fn size_names(&self) -> impl Iterator<Item = String> {
        let parameters = self.0.parameters.iter();
        parameters.map(|row| row.name.to_string())
    }

    /// What its calls pass to others.
    #[must_use]
    pub fn caller_record(&self, function: &Function) -> CallerRecord {
        caller_record(function, &self.0)
    }

    /// How many steps it took, those in bodies of other files aside.
    #[must_use]
    pub fn own_work(&self) -> u64 {
        self.0.work - self.0.linked_work
    }

    /// How many steps it took in bodies of other files.
    #[must_use]
    pub fn linked_work(&self) -> u64 {
        self.0.linked_work
    }

    /// Gives the parameters of its tree the values that `size` has for them, where they have none.
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

/// Lowers a function to a tree, within an allowance of steps. What cannot be understood is a rejection in the tree.
///
/// The result is a function of what it asks the program: nothing else is read.
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

/// The same for a function without a loop, of which only what it passes to others is wanted.
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
