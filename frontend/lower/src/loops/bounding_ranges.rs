//! Loads that may become bounds of loops: variables with a range, see
//! [`value_ranges`](super::super::domain::value_ranges).

use crate::bailout::Lowered;
use crate::context::Lowering;
use crate::domain::value_ranges::RangeKey;
use crate::domain::values::{ArrayRow, Value};
use crate::eval::cell_names::reference_name;
use crate::eval::variables::fresh_variable;
use crate::syntax::TextRange;
use premiss_tree::{Expression, IntegerType, ParameterKind};

/// Lowers with or without range variables for integers loaded from elements with unknown subscripts.
pub(crate) fn with_range_loads<T>(
    ctx: &mut Lowering,
    is_enabled: bool,
    lower: impl FnOnce(&mut Lowering) -> Lowered<T>,
) -> Lowered<T> {
    let around = std::mem::replace(&mut ctx.ranges.is_enabled, is_enabled);
    let result = lower(ctx);
    ctx.ranges.is_enabled = around;
    result
}

/// A number loaded from an array whose contents are invariant: a variable that is never assigned.
pub(crate) fn load_within_range(
    ctx: &mut Lowering,
    row: ArrayRow,
    kind: IntegerType,
    at: TextRange,
) -> Option<Value> {
    if !ctx.ranges.is_enabled {
        return None;
    }
    let text = reference_name(ctx, at);
    let number = variable_within_range(ctx, RangeKey::Load(row, text), kind, at);
    Some(Value::Integer(number, kind))
}

/// A number in the header of a loop that data determine, by its text: a variable that is never assigned. Its extrema
/// are those of all headers of the function that mention this text.
///
/// ```text
/// k = first;
/// while (stack[k]) k = next[k];          k is data
/// for (j = 0; j < k; j++) a[j] = 0;      within j = 0; j < max(k)
/// ```
pub(crate) fn number_within_range(
    ctx: &mut Lowering,
    text: &str,
    kind: IntegerType,
    at: TextRange,
) -> Expression {
    let function = ctx.frame().function.clone();
    let key = RangeKey::Header(function, text.to_owned());
    variable_within_range(ctx, key, kind, at)
}

fn variable_within_range(
    ctx: &mut Lowering,
    key: RangeKey,
    kind: IntegerType,
    at: TextRange,
) -> Expression {
    let (RangeKey::Load(_, text) | RangeKey::Header(_, text)) = &key;
    let text = text.clone();
    let range = match ctx.ranges.sizes.get(&key) {
        Some(range) => range.clone(),
        None => {
            let range =
                ["min", "max"].map(|end| fresh_extremum(ctx, &format!("{end}({text})"), kind, at));
            ctx.ranges.sizes.insert(key, range.clone());
            range
        }
    };
    let id = fresh_variable(ctx, &text, kind);
    ctx.ranges.ranges.insert(id, range);
    Expression::Variable(id)
}

/// A size of this name without a value, which bounds numbers.
pub(crate) fn fresh_extremum(
    ctx: &mut Lowering,
    name: &str,
    kind: IntegerType,
    at: TextRange,
) -> Expression {
    let size = ctx.symbols.fresh_size(name, kind, at);
    if let Some(row) = ctx.symbols.parameters.last_mut() {
        row.meaning = ParameterKind::Extremum;
    }
    size
}
