//! Quantities of a function and the forms of their values.

use crate::capacity_sum::CountForm;
use premiss_operations::{Form, Places};
use premiss_presburger::System;
use premiss_scop::SymbolicParameter;
use premiss_tree::ParameterId;
use std::collections::BTreeMap;

/// The most residue classes that are derived for [`ResidueClasses::All`].
pub const MOST_CLASSES: u64 = 4096;

/// The quantities of one function, to be evaluated by generated code.
#[derive(Debug)]
pub struct FunctionCode {
    /// The sizes, in the order of the generated function's arguments.
    pub sizes: Vec<ParameterId>,
    /// Bytes of the lines for which misses are derived.
    pub line_size: u64,
    /// The quantities; their values refer to each other by index.
    pub quantities: Vec<CodeQuantity>,
    /// Whether all of them have values but for least times, which the machine may not tell.
    pub is_counted: bool,
    /// Residue classes that were left out, with the reason; lines without a final stop.
    pub left_out: Vec<String>,
}

/// A number as a function of the sizes.
#[derive(Debug)]
pub struct CodeQuantity {
    /// Its identifier: `accesses`, `misses_L1`.
    pub name: String,
    /// What it counts, as a phrase.
    pub meaning: String,
    /// How it is computed, or why it has no value.
    pub value: Result<CodeValue, String>,
}

/// How the value of a quantity is computed.
#[derive(Debug)]
pub enum CodeValue {
    /// By the form whose residue class the sizes are in.
    Exact(Vec<ResidueClassForm>),
    /// Between a lower and an upper bound, each computed as for [`Self::Exact`].
    Between([Vec<ResidueClassForm>; 2]),
    /// As for [`Self::Exact`], with one more argument: the capacity of a cache in lines.
    OfCapacity(Vec<ResidueClassForm>),
    /// Another quantity, of the kind [`Self::OfCapacity`], at a given capacity, times a factor.
    AtCapacity {
        /// The index of that quantity.
        quantity: usize,
        /// The capacity in lines.
        lines: u64,
        /// The factor.
        times: u64,
    },
    /// Computed from other quantities.
    Combined(Combination),
}

/// `floor(sum / denominator)`, where `sum` adds the maximum of each group.
#[derive(Debug)]
pub struct Combination {
    /// The groups; each is a list of alternatives, and each alternative a sum of terms.
    pub sum: Vec<Vec<Vec<QuantityTerm>>>,
    /// The denominator; positive.
    pub denominator: i128,
}

/// A factor times the value of another quantity.
#[derive(Clone, Debug)]
pub struct QuantityTerm {
    /// The factor.
    pub factor: i128,
    /// The index of the quantity; if it lies between bounds, the lower bound is used.
    pub quantity: usize,
    /// The capacity in lines, if the quantity is of the kind [`CodeValue::OfCapacity`].
    pub lines: Option<u64>,
}

/// A form and the residue class for which it holds.
#[derive(Debug)]
pub struct ResidueClassForm {
    /// The residue class of each size: `size = factor·x + residue`, where `x` is the size's column.
    pub sizes: Vec<SymbolicParameter>,
    /// The columns of sizes for which it holds, none of them negative.
    pub context: System,
    /// The form of the number.
    pub form: CountForm,
}

/// Which residue classes of sizes to derive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ResidueClasses {
    /// All of them, up to [`MOST_CLASSES`]; beyond, only that of remainders 0.
    All,
    /// The class with these remainders, 0 for sizes that have none here.
    Single(BTreeMap<ParameterId, i64>),
}

/// A quantity with this name and meaning.
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

/// An amount of work, exact if both bounds are equal.
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
