//! The integers that control a slice: names, and expressions in checked 64-bit arithmetic.

use super::super::names::mangled;
use super::super::text::Lines;
use premiss_analyze::{NestInput, Slice, SliceNode};
use premiss_tree::{
    BinaryOperator, Expression, NestTree, ParameterId, TableId, UnaryOperator, VariableId,
};
use std::collections::{BTreeMap, BTreeSet};

/// The names that a slice uses.
pub(super) struct Control<'a> {
    tree: &'a NestTree,
    name: &'a str,
    /// Its arguments.
    pub(super) sizes: BTreeMap<ParameterId, String>,
    /// The variables that occur.
    pub(super) variables: BTreeMap<VariableId, String>,
    tables: BTreeSet<TableId>,
}

impl<'a> Control<'a> {
    pub(super) fn new(tree: &'a NestTree, slice: &Slice, name: &'a str) -> Self {
        let mut used = Used::default();
        slice.nodes.iter().for_each(|node| used.node(node));
        let sizes = slice.sizes.iter();
        let sizes = sizes.map(|id| tree.work.parameters[*id].name.as_str());
        let variables = used.variables.iter();
        let variables = variables.map(|id| slice.variables[*id].name.as_str());
        let mut names = mangled(sizes.chain(variables), "size").into_iter();
        Self {
            tree,
            name,
            sizes: slice.sizes.iter().copied().zip(names.by_ref()).collect(),
            variables: used.variables.iter().copied().zip(names).collect(),
            tables: used.tables,
        }
    }

    /// The tables that are used.
    pub(super) fn tables(&self, out: &mut Lines) {
        for id in &self.tables {
            let entries = &self.tree.work.tables[*id].entries;
            let entries: Vec<String> = entries.iter().map(|x| integer(*x)).collect();
            out.line("");
            out.line(&format!(
                "static const int64_t {}[] = {{{}}};",
                self.table(*id),
                entries.join(", ")
            ));
        }
    }

    fn table(&self, id: TableId) -> String {
        format!("{}_table_{}", self.name, id.as_u32())
    }

    /// An expression in C; [`Expression::Data`] does not occur.
    pub(super) fn expression(&self, expression: &Expression) -> String {
        match expression {
            Expression::Integer(value) => integer(*value),
            Expression::Parameter(id) => match self.tree.work.parameters[*id].value {
                Some(value) => integer(value),
                None => self.sizes.get(id).cloned().unwrap_or_default(),
            },
            Expression::Variable(id) => self.variables.get(id).cloned().unwrap_or_default(),
            Expression::Data => "0".to_owned(),
            Expression::Unary(operator, x) => {
                let x = self.expression(x);
                match operator {
                    UnaryOperator::Negate => format!("pbound_sub(0, {x})"),
                    UnaryOperator::BitNot => format!("pbound_sub(-1, {x})"),
                    UnaryOperator::Not => format!("({x} == 0)"),
                    UnaryOperator::Unsigned => format!("pbound_unsigned({x})"),
                }
            }
            Expression::Binary(operator, a, b) => {
                binary(*operator, &self.expression(a), &self.expression(b))
            }
            Expression::Select(operands) => {
                let [condition, then, otherwise] = operands.as_ref();
                let [condition, then, otherwise] =
                    [condition, then, otherwise].map(|x| self.expression(x));
                format!("({condition} != 0 ? {then} : {otherwise})")
            }
            Expression::Wrap(kind, x) => format!(
                "pbound_wrap({}, {}, {})",
                self.expression(x),
                kind.bits,
                u8::from(kind.signed)
            ),
            Expression::Entry(id, index) => format!(
                "pbound_entry({}, {}, {})",
                self.table(*id),
                self.tree.work.tables[*id].entries.len(),
                self.expression(index)
            ),
        }
    }
}

fn binary(operator: BinaryOperator, a: &str, b: &str) -> String {
    use BinaryOperator as Op;
    let call = |name: &str| format!("pbound_{name}({a}, {b})");
    let infix = |sign: &str| format!("({a} {sign} {b})");
    let bits = |sign: &str| format!("(pbound_wide)((int64_t){a} {sign} (int64_t){b})");
    let unsigned = |sign: &str| format!("((uint64_t){a} {sign} (uint64_t){b})");
    match operator {
        Op::Add => call("add"),
        Op::Subtract => call("sub"),
        Op::Multiply => call("mul"),
        Op::Quotient => call("quotient"),
        Op::Remainder => call("remainder"),
        Op::Minimum => call("min"),
        Op::Maximum => call("max"),
        Op::BitAnd => bits("&"),
        Op::BitOr => bits("|"),
        Op::BitXor => bits("^"),
        Op::ShiftLeft => call("shift_left"),
        Op::ShiftRight => call("shift_right"),
        Op::Less => infix("<"),
        Op::LessEqual => infix("<="),
        Op::LessUnsigned => unsigned("<"),
        Op::LessEqualUnsigned => unsigned("<="),
        Op::Equal => infix("=="),
        Op::NotEqual => infix("!="),
        Op::And => format!("({a} != 0 && {b} != 0)"),
        Op::Or => format!("({a} != 0 || {b} != 0)"),
    }
}

/// Writes the least 64-bit integer as an expression, because it is no literal of C.
fn integer(value: i64) -> String {
    match value {
        i64::MIN => "INT64_MIN".to_owned(),
        value if value < 0 => format!("({value})"),
        value => value.to_string(),
    }
}

/// The sizes, variables and tables that occur in a slice.
#[derive(Default)]
struct Used {
    variables: BTreeSet<VariableId>,
    tables: BTreeSet<TableId>,
}

impl Used {
    fn node(&mut self, node: &SliceNode) {
        match node {
            SliceNode::Assign(id, _)
            | SliceNode::Trips(id, _)
            | SliceNode::Loop { variable: id, .. } => {
                self.variables.insert(*id);
            }
            SliceNode::Closed(nest) => {
                self.variables
                    .extend(nest.inputs.iter().filter_map(|x| match x {
                        NestInput::Variable(id) | NestInput::Negated(id) => Some(*id),
                        NestInput::Size(_) => None,
                    }));
            }
            SliceNode::Row { .. } | SliceNode::Branch { .. } | SliceNode::LeftOut { .. } => {}
        }
        for expression in node.expressions() {
            expression.walk(&mut |part| match part {
                Expression::Variable(id) => {
                    self.variables.insert(*id);
                }
                Expression::Entry(id, _) => {
                    self.tables.insert(*id);
                }
                _ => {}
            });
        }
        node.inner().for_each(|node| self.node(node));
    }
}
