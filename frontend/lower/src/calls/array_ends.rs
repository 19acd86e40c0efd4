//! Parameters that point to the end of another parameter's array.
//!
//! ```text
//! double sum(const double *x, const double *e) { double s = 0; for (; x != e; ++x) s += *x; return s; }
//! ```
//!
//! C defines the order of pointers into one array only. So where the condition of a loop compares a pointer that steps
//! through the array of one parameter with what another one points to, that is the array of the first, `e - x` elements
//! behind its start: a size of the function. It is found when the loop is lowered, and the function is lowered again with
//! it from its start.

use crate::context::Lowering;
use crate::domain::integers::times;
use crate::domain::types::{LONG, Type};
use crate::domain::values::{ArrayRow, Slot, Target, Value, pointer_to};
use crate::syntax::{Name, Notation, TextRange};
use premiss_tree::{Assumption, AssumptionKind, Storage};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The parameters that point into the array of another one.
#[derive(Default)]
pub(crate) struct ArrayEnds {
    /// The parameters whose array each points into.
    pub(crate) starts: BTreeMap<Name, Name>,
    /// Those that comparisons tell in addition.
    pub(crate) tested: BTreeMap<Name, Name>,
}

/// Records that the condition of a loop compares pointers to these targets, the first of which is the lower one.
pub(crate) fn record_comparison(ctx: &mut Lowering, start: &Target, end: &Target) {
    let (Some(start), Some(end)) = (parameter_of(ctx, start), parameter_of(ctx, end)) else {
        return;
    };
    let ArrayEnds { starts, tested } = &ctx.ends;
    let known = || starts.iter().chain(tested);
    // One is the start or the end of an array, not both.
    let is_taken = known().any(|(one, other)| *one == end || *one == start || *other == end);
    if !is_taken && start != end {
        ctx.ends.tested.insert(end, start);
    }
}

/// The parameter of the lowered function whose array a target is.
fn parameter_of(ctx: &Lowering, target: &Target) -> Option<Name> {
    let Target::Array(row) = target else {
        return None;
    };
    let data = &ctx.symbols.arrays[row.0];
    let is_parameter = matches!(data.storage, Storage::Parameter) && data.extent.is_none();
    let is_of_c = ctx.program.notation(ctx.unit()) == Notation::C;
    (is_parameter && is_of_c).then(|| data.name.clone())
}

/// The value of a parameter that points to the end of another one's array, which is bound already; `None` if it points
/// to an array of its own, or to elements of another size.
pub(crate) fn end_of_array(
    ctx: &mut Lowering,
    name: &Name,
    pointee: &Rc<Type>,
    at: TextRange,
) -> Option<Value> {
    let start = ctx.ends.starts.get(name)?.clone();
    let row = array_of(ctx, &start)?;
    let size = pointee.size()?;
    if ctx.symbols.arrays[row.0].kind.size()? != size {
        return None;
    }
    let length = Name::from(format!("{name} - {start}").as_str());
    let given = ctx.program.size_value(&length);
    let length = ctx
        .symbols
        .intern_parameter(&length, at, LONG, given, false);
    let function = ctx.frame().function.clone();
    ctx.assumptions.insert(Assumption {
        kind: AssumptionKind::SameArray,
        subject: format!("{start} and {name} of `{function}`"),
    });
    Some(Value::Pointer(pointer_to(
        row,
        times(size, length),
        pointee,
    )))
}

/// The array that a parameter pointed to when it was bound.
fn array_of(ctx: &mut Lowering, name: &Name) -> Option<ArrayRow> {
    let target = match ctx.lookup(name)? {
        Slot::Fixed(Value::Pointer(pointer)) => pointer.target,
        Slot::Pointer(id, _) => ctx.state.pointers.get(&id)?.clone(),
        _ => return None,
    };
    match target {
        Target::Array(row) => Some(row),
        _ => None,
    }
}
