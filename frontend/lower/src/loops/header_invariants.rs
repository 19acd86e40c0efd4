//! Loop-invariant parts of a loop's header.

use crate::bailout::{Bailout, Lowered, uncounted};
use crate::context::Lowering;
use crate::domain::values::{Value, is_constant};
use crate::loops::bounding_ranges::number_within_range;
use crate::loops::fresh_values::fresh_invariant;
use crate::loops::loop_context::HeaderLoad;
use crate::syntax::Expression as Syntax;
use premiss_ast::SyntaxFacts;
use premiss_tree::{AccessKind, Expression, IntegerType, Node};

/// A loop-invariant integer, found without an access.
pub(crate) fn lower_invariant(
    ctx: &mut Lowering,
    syntax: &Syntax,
    role: &str,
) -> Lowered<Expression> {
    match lower_invariant_value(ctx, syntax, role)? {
        Value::Integer(value, kind) => as_invariant(ctx, value, kind, syntax, role),
        _ => Err(data_in_header(ctx, syntax, role)),
    }
}

/// A loop-invariant value in a header, known or not.
pub(crate) fn as_invariant(
    ctx: &mut Lowering,
    value: Expression,
    kind: IntegerType,
    syntax: &Syntax,
    role: &str,
) -> Lowered<Expression> {
    if !ctx.ranges.is_unknown(&value) {
        return Ok(value);
    }
    let why = data_in_header(ctx, syntax, role);
    let facts = SyntaxFacts::of_expression(syntax);
    let is_simple = facts.changed.is_empty() && facts.called.is_empty() && !facts.calls_pointer;
    if !is_simple
        || facts
            .mentioned
            .intersection(&ctx.loops.header.changed)
            .next()
            .is_some()
    {
        let is_data = value.any(|part| *part == Expression::Data);
        return if is_data { Err(why) } else { Ok(value) };
    }
    let name = ctx.program.text(syntax.at);
    Ok(fresh_invariant(ctx, &name, kind, syntax.at))
}

pub(crate) fn data_in_header(ctx: &Lowering, syntax: &Syntax, role: &str) -> Bailout {
    let text = ctx.program.text(syntax.at);
    let why = format!("its {role} `{text}` is known only when the program runs");
    uncounted(why, syntax.at)
}

pub(crate) fn lower_invariant_value(
    ctx: &mut Lowering,
    syntax: &Syntax,
    role: &str,
) -> Lowered<Value> {
    let (nodes, value) = ctx.in_block(|ctx| ctx.expression(syntax))?;
    let (loads, computed): (Vec<Node>, Vec<Node>) = nodes
        .into_iter()
        .partition(|node| matches!(node, Node::Access(_)));
    let mut header_loads = Vec::new();
    for node in loads {
        match header_load(ctx, &node) {
            Some(load) => header_loads.push(load),
            None => return Err(data_in_header(ctx, syntax, role)),
        }
    }
    if !computed.iter().all(only_computes) || (!header_loads.is_empty() && !computed.is_empty()) {
        return Err(data_in_header(ctx, syntax, role));
    }
    ctx.loops.header.computed.extend(computed);
    match role {
        "step" => ctx.loops.header.step_loads.extend(header_loads),
        _ => ctx.loops.header.test_loads.extend(header_loads),
    }
    Ok(value)
}

/// A load that accesses the same element in every iteration.
fn header_load(ctx: &Lowering, node: &Node) -> Option<HeaderLoad> {
    let Node::Access(id) = node else { return None };
    let row = &ctx.tree.references[id.as_u32() as usize];
    let changes = |part: &Expression| match part {
        Expression::Data => true,
        Expression::Variable(id) => {
            let row = ctx.symbols.variable(*id);
            !row.is_fixed && ctx.loops.header.changed.contains(row.name.as_str())
        }
        _ => false,
    };
    let is_fine = row.kind == AccessKind::Load && !row.offset.any(changes);
    is_fine.then(|| HeaderLoad {
        row: row.array,
        offset: row.offset.clone(),
        size: row.size,
        at: row.at,
    })
}

/// A number that every test of a loop evaluates, which may differ from test to test: sizes and constants alone, or a
/// number within a range.
pub(crate) fn number_of_tests(
    ctx: &mut Lowering,
    syntax: &Syntax,
) -> Lowered<(Expression, IntegerType)> {
    let before = ctx.state.clone();
    let (nodes, value) = ctx.in_block(|ctx| ctx.expression(syntax))?;
    ctx.state = before;
    match value {
        Value::Integer(value, kind) if nodes.is_empty() && is_constant(&value) => Ok((value, kind)),
        Value::Integer(_, kind) => {
            let text = ctx.program.text(syntax.at);
            Ok((number_within_range(ctx, &text, kind, syntax.at), kind))
        }
        _ => Err(data_in_header(ctx, syntax, "bound")),
    }
}

pub(crate) fn lower_invariant_condition(
    ctx: &mut Lowering,
    syntax: &Syntax,
) -> Lowered<Expression> {
    let (nodes, truth) = ctx.in_block(|ctx| ctx.condition(syntax))?;
    if !nodes.is_empty() || truth.any(|part| *part == Expression::Data) {
        return Err(data_in_header(ctx, syntax, "condition"));
    }
    Ok(truth)
}

/// Whether a node only assigns variables.
fn only_computes(node: &Node) -> bool {
    match node {
        Node::Assign { value, .. } => !value.any(|part| *part == Expression::Data),
        Node::Branch {
            condition,
            then,
            otherwise,
        } => {
            !condition.any(|part| *part == Expression::Data)
                && then.iter().chain(otherwise).all(only_computes)
        }
        Node::Loop(_) | Node::Access(_) | Node::Opaque(_) | Node::Operations(_) => false,
    }
}
