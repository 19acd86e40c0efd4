//! Quantities of a function and the forms of their values.

use crate::capacity_sum::CountForm;
use premiss_operations::{Form, Places};
use premiss_presburger::System;
use premiss_scop::SymbolicParameter;
use premiss_tree::ParameterId;
use std::collections::BTreeMap;

/// No more residue classes than this are derived.
pub const MOST_CLASSES: u64 = 4096;

/// The formulas of one function.
#[derive(Debug)]
pub struct FunctionCode {
    /// The sizes, in the order of arguments.
    pub sizes: Vec<ParameterId>,
    /// Bytes in the lines that misses are told of.
    pub line_size: u64,
    /// What is counted.
    pub quantities: Vec<CodeQuantity>,
    /// Residue classes that were left out, and why; lines without a final stop.
    pub left_out: Vec<String>,
}

/// A number that a function of the sizes yields.
#[derive(Debug)]
pub struct CodeQuantity {
    /// A word for it: `accesses`, `misses_L1`.
    pub name: String,
    /// What it counts; a phrase.
    pub meaning: String,
    /// The number; why there is none otherwise.
    pub value: Result<CodeValue, String>,
}

/// How a number is computed.
#[derive(Debug)]
pub enum CodeValue {
    /// By the form of the class that the sizes are in.
    Exact(Vec<ResidueClassForm>),
    /// It lies between two numbers.
    Between([Vec<ResidueClassForm>; 2]),
    /// As for [`Self::Exact`], with one argument more: the lines that a cache holds.
    OfCapacity(Vec<ResidueClassForm>),
    /// Another quantity, one of a capacity, where the cache has so many lines, times a number.
    AtCapacity {
        /// The index of the other quantity.
        quantity: usize,
        /// The lines.
        lines: u64,
        /// What the number is multiplied with.
        times: u64,
    },
    /// From other quantities.
    Combined(Combination),
}

/// `floor(sum / denominator)`, the sum of the greatest number of each list.
#[derive(Debug)]
pub struct Combination {
    /// The lists, of sums of terms.
    pub sum: Vec<Vec<Vec<QuantityTerm>>>,
    /// Positive.
    pub denominator: i128,
}

/// Another quantity times a factor.
#[derive(Clone, Debug)]
pub struct QuantityTerm {
    /// The factor.
    pub factor: i128,
    /// The index of the quantity; of one that lies between two numbers the least is meant.
    pub quantity: usize,
    /// The lines of the cache, where it is one of a capacity.
    pub lines: Option<u64>,
}

/// A form and the sizes for which it holds.
#[derive(Debug)]
pub struct ResidueClassForm {
    /// The class of each size of the form: `size = factor·x + residue`, `x` its column.
    pub sizes: Vec<SymbolicParameter>,
    /// Which columns of sizes it holds for, none of which is negative.
    pub context: System,
    /// The number.
    pub form: CountForm,
}

/// Which residue classes of sizes are derived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ResidueClasses {
    /// All.
    All,
    /// The one with these remainders, 0 where none is given.
    Single(BTreeMap<ParameterId, i64>),
}

/// A quantity of this name and meaning.
pub(super) fn quantity(
    name: &str,
    meaning: &str,
    value: Result<CodeValue, String>,
) -> CodeQuantity {
    CodeQuantity {
        name: name.to_owned(),
        meaning: meaning.to_owned(),
        value,
    }
}

/// A number of work, or two that it lies between.
pub(super) fn of_bounds(places: &Places, [lower, upper]: [Form; 2]) -> Result<CodeValue, String> {
    let of_form = |form: &Form| -> Result<Vec<ResidueClassForm>, String> {
        let form = CountForm::of_pieces(places.parameters.len(), &form.pieces);
        Ok(vec![ResidueClassForm {
            sizes: places.parameters.clone(),
            context: places.context.clone(),
            form: form.map_err(|refusal| refusal.to_string())?,
        }])
    };
    Ok(match lower == upper {
        true => CodeValue::Exact(of_form(&lower)?),
        false => CodeValue::Between([of_form(&lower)?, of_form(&upper)?]),
    })
}
