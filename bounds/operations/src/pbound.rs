//! Numbers in the convention of PBound (Narayanan, Norris, Hovland: "Generating performance bounds from
//! source code", as the caption of Fig. 2 in the reuse-distance paper has them for `axpy4`).
//!
//! - Elements are loaded and stored as in the access model: `5n` loads and `n` stores of doubles there.
//! - A scalar that is read anywhere is loaded once, and never stored: it is in a register then. That is
//!   `a1` to `a4`, and of integers `n` and `i`.
//! - A loop's header counts for each iteration (Table I), and once more for what the iterator starts
//!   with: `i <= n - 1; i++` is a comparison, a difference and a sum, so `3n + 1` in all. Arithmetic of
//!   subscripts counts as that of data does.
//! - A sum with a product for an operand is one operation: `4n`. Fig. 2(d) counts these as two (8 flops
//!   an iteration) and leaves the scalars out (5 loads an iteration); the caption and the generated code
//!   in (b) say otherwise, and are followed here.

mod exclusive;

pub use exclusive::{PBOUND_ENTRY, PboundPart, PboundRow, pbound_header, pbound_parts, pbound_row};

use crate::counts::ElementKind;
use crate::derive::Places;
use crate::forms::Form;
use crate::marked::ExecutionCount;
use crate::scope::{Quantity, Scope};
use premiss_presburger::{Piece, Polynomial, Rational, Refusal, System, united};
use premiss_tree::{AccessKind, NestTree, ReferenceId, ScalarId};
use std::collections::BTreeSet;

/// The counts of a function in the convention of PBound: for each the least and the greatest value as functions of the
/// sizes, or `None` where it is unknown.
#[derive(Clone, PartialEq, Debug)]
pub struct PboundCounts {
    /// Integers loaded.
    pub integer_loads: Option<[Form; 2]>,
    /// Integers stored.
    pub integer_stores: Option<[Form; 2]>,
    /// Real and complex numbers loaded.
    pub floating_loads: Option<[Form; 2]>,
    /// Real and complex numbers stored.
    pub floating_stores: Option<[Form; 2]>,
    /// Operations on integers.
    pub integer_operations: Option<[Form; 2]>,
    /// Operations on real and complex numbers, a fused pair being one.
    pub floating_operations: Option<[Form; 2]>,
}

/// Counts a function in the convention of PBound (see the head of this module's source for what it counts).
///
/// # Errors
/// [`Refusal::Overflow`] where a coefficient does not fit.
pub fn pbound(tree: &NestTree, places: &Places) -> Result<PboundCounts, Refusal> {
    let moved = |access, kind| {
        let wanted = Quantity::Elements(access, kind);
        places.form(tree, Scope::Function, |quantity| *quantity == wanted)
    };
    let [integers, floats] = pbound_scalars(tree);
    let loads = |kind, scalars: usize| -> Result<_, Refusal> {
        let elements = moved(AccessKind::Load, kind)?;
        Ok(elements.map(|bounds| bounds.map(|form| with_constant(form, scalars))))
    };
    Ok(PboundCounts {
        integer_loads: loads(ElementKind::Integer, integers)?,
        integer_stores: moved(AccessKind::Store, ElementKind::Integer)?,
        floating_loads: loads(ElementKind::Floating, floats)?,
        floating_stores: moved(AccessKind::Store, ElementKind::Floating)?,
        integer_operations: integer_operations(tree, places)?,
        floating_operations: floating_operations(tree, places)?,
    })
}

/// How many scalars are read in a function: integers first, then real and complex numbers.
#[must_use]
pub fn pbound_scalars(tree: &NestTree) -> [usize; 2] {
    let rows = tree.work.operations.values().map(|row| &row.arithmetic);
    let headers = tree.loops.keys().map(|id| &tree.work.headers[id]);
    let read = rows.chain(headers).flat_map(|x| x.reads.keys());
    let is_variable = |id: &&ScalarId| !tree.work.scalars[**id].is_member;
    let read: BTreeSet<&ScalarId> = read.filter(is_variable).collect();
    let is_real = |id: &&&ScalarId| tree.work.scalars[***id].holds.is_floating();
    let n_floats = read.iter().filter(is_real).count();
    [read.len() - n_floats, n_floats]
}

fn integer_operations(tree: &NestTree, places: &Places) -> Result<Option<[Form; 2]>, Refusal> {
    let is_integer =
        |x: &Quantity| matches!(x, Quantity::Operation(x) if !x.operands.is_floating());
    let own = places.form(tree, Scope::Function, is_integer)?;
    let mut terms = Vec::new();
    for (id, bodies) in &places.marked.bodies {
        let [.., each, _] = pbound_header(tree, *id);
        terms.extend(bodies.iter().map(|place| (*place, each)));
    }
    let entries = places.marked.entries.values().flatten();
    terms.extend(entries.map(|place| (*place, 1)));
    Ok(match own {
        Some(own) => Some(with_terms(own, places, &terms)?),
        None => None,
    })
}

fn floating_operations(tree: &NestTree, places: &Places) -> Result<Option<[Form; 2]>, Refusal> {
    let is_floating =
        |x: &Quantity| matches!(x, Quantity::Operation(x) if x.operands.is_floating());
    let is_fused = |x: &Quantity| matches!(x, Quantity::Fused(_));
    let all = places.form(tree, Scope::Function, is_floating)?;
    let fused = places.form(tree, Scope::Function, is_fused)?;
    let (Some([least, most]), Some([least_fused, most_fused])) = (all, fused) else {
        return Ok(None);
    };
    // A pair is possible where its operations are: bounds go with bounds.
    Ok(Some([minus(least, least_fused)?, minus(most, most_fused)?]))
}

fn minus(mut form: Form, other: Form) -> Result<Form, Refusal> {
    let negative = Rational::new(-1, 1)?;
    for piece in other.pieces {
        let value = piece.value.scaled(negative)?;
        form.pieces.push(Piece { value, ..piece });
    }
    Ok(Form::of_pieces(united(form.pieces)))
}

fn with_terms(
    [mut lower, mut upper]: [Form; 2],
    places: &Places,
    terms: &[(ReferenceId, u64)],
) -> Result<[Form; 2], Refusal> {
    for (place, each) in terms {
        let pieces = places.times(*place, *each)?;
        if places.kind(*place) == ExecutionCount::Certain {
            lower.pieces.extend(pieces.clone());
        }
        upper.pieces.extend(pieces);
    }
    Ok([lower, upper].map(|form| Form::of_pieces(united(form.pieces))))
}

fn with_constant(mut form: Form, number: usize) -> Form {
    form.pieces.push(Piece {
        domain: System::universe(0),
        value: Polynomial::integer(number as i128),
    });
    form
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constant(value: i128) -> Form {
        Form::of_pieces(vec![Piece {
            domain: System::universe(0),
            value: Polynomial::integer(value),
        }])
    }

    #[test]
    fn each_fused_pair_is_one_operation_less() {
        let found = minus(constant(8), constant(4)).expect("it is small");
        assert_eq!(found.at(&[]), Some(4));
        let nothing = minus(constant(4), constant(4)).expect("it is small");
        assert_eq!(nothing, Form::default(), "what cancels leaves no piece");
    }

    #[test]
    fn scalars_are_loaded_once_whatever_the_sizes_are() {
        assert_eq!(with_constant(constant(5), 2).at(&[]), Some(7));
        assert_eq!(with_constant(Form::default(), 4).at(&[]), Some(4));
        assert_eq!(with_constant(constant(5), 0).at(&[]), Some(5));
    }
}
