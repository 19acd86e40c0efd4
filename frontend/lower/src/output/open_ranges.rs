//! Ranges of loops of which data alone decide how often they run: the greatest number of iterations, and the ends that
//! are data, become sizes that are named after the loop.
//!
//! ```text
//! while (x > eps) …              the condition is evaluated iterations(while (x > eps)) times at most: the last time,
//!                                it ends the loop
//! for (i = a; i < f(x); i++) …   within i = a; i < max(end of i)
//! for (i = f(x); i < n; i++) …   within i = min(start of i); i < n
//! ```

use crate::context::Lowering;
use crate::domain::types::LONG;
use crate::domain::value_ranges::RangeEnd;
use crate::loops::bounding_ranges::fresh_extremum;
use crate::syntax::TextRange;
use premiss_tree::{
    BinaryOperator as Op, BoundingRange, Comparison, Expression, Loop, LoopId, Node, RejectReason,
};
use std::collections::BTreeMap;

/// The maximum number of characters of a header in the name of a size.
const MAX_NAME: usize = 60;

/// Adds the ranges of loops that have none and whose ends are data.
pub(crate) fn add_open_ranges(
    ctx: &mut Lowering,
    nodes: &[Node],
    ranges: &mut BTreeMap<LoopId, BoundingRange>,
) {
    for node in nodes {
        match node {
            Node::Loop(inner) => {
                if !ranges.contains_key(&inner.id)
                    && let Some(range) = open_range(ctx, inner)
                {
                    ranges.insert(inner.id, range);
                }
                add_open_ranges(ctx, &inner.body, ranges);
            }
            Node::Branch {
                then, otherwise, ..
            } => {
                add_open_ranges(ctx, then, ranges);
                add_open_ranges(ctx, otherwise, ranges);
            }
            Node::Access(_) | Node::Assign { .. } | Node::Opaque(_) | Node::Operations(_) => {}
        }
    }
}

fn open_range(ctx: &mut Lowering, inner: &Loop) -> Option<BoundingRange> {
    let row = &ctx.tree.loops[inner.id.as_u32() as usize];
    let (header, iterator, ends_by_data) = (row.header, row.iterator.clone(), row.ends_by_data);
    if let Some(rejection) = inner.rejection() {
        let (reason, _) = &ctx.tree.rejections[rejection.as_u32() as usize];
        // Of another loop with a rejection, the body is not known.
        let is_translated = ends_by_data && matches!(reason, RejectReason::UncountedLoop { .. });
        return is_translated.then(|| BoundingRange {
            first: 0.into(),
            bound: fresh_extremum(ctx, &iterations_name(ctx, header), LONG, header),
            step: 1,
        });
    }
    if !has_data(&inner.first) && !has_data(&inner.bound) {
        return None;
    }
    let step = inner.step.as_integer()?;
    let (start, end) = match inner.comparison {
        Comparison::Less | Comparison::LessEqual if 0 < step => {
            (RangeEnd::Least, RangeEnd::Greatest)
        }
        Comparison::Greater | Comparison::GreaterEqual if step < 0 => {
            (RangeEnd::Greatest, RangeEnd::Least)
        }
        _ => return None,
    };
    // From another first value, the iterations of a wider step would differ.
    let step = match has_data(&inner.first) {
        true => step.signum(),
        false => step,
    };
    let mut end_of = |value: &Expression, side: RangeEnd, what: &str| {
        limit(value, side).unwrap_or_else(|| {
            let name = match side {
                RangeEnd::Least => format!("min({what} of {iterator})"),
                RangeEnd::Greatest => format!("max({what} of {iterator})"),
            };
            fresh_extremum(ctx, &name, LONG, header)
        })
    };
    Some(BoundingRange {
        first: end_of(&inner.first, start, "start"),
        bound: end_of(&inner.bound, end, "end"),
        step,
    })
}

/// A bound of a value in one direction that is no data: `n` for the greatest value of `min(data, n)`.
fn limit(value: &Expression, side: RangeEnd) -> Option<Expression> {
    let nearer = match side {
        RangeEnd::Least => Op::Maximum,
        RangeEnd::Greatest => Op::Minimum,
    };
    match value {
        value if !has_data(value) => Some(value.clone()),
        Expression::Binary(operator, a, b) if *operator == nearer => {
            match (limit(a, side), limit(b, side)) {
                (Some(a), Some(b)) => Some(Expression::binary(nearer, a, b)),
                (a, b) => a.or(b),
            }
        }
        Expression::Binary(operator @ (Op::Add | Op::Minimum | Op::Maximum), a, b) => Some(
            Expression::binary(*operator, limit(a, side)?, limit(b, side)?),
        ),
        Expression::Binary(Op::Subtract, a, b) => Some(Expression::binary(
            Op::Subtract,
            limit(a, side)?,
            limit(b, side.other())?,
        )),
        _ => None,
    }
}

fn has_data(value: &Expression) -> bool {
    value.any(|part| *part == Expression::Data)
}

/// `iterations(while (x > eps))`
fn iterations_name(ctx: &Lowering, header: TextRange) -> String {
    let text = ctx.program.text(header);
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    match text.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("iterations({}…)", &text[..end]),
        None => format!("iterations({text})"),
    }
}
