//! The arithmetic that runs, noted where it is evaluated.
//!
//! An operation counts as it is written: `a * b + c` is a product and a sum, `x += y` a sum. What a
//! compiler computes counts nothing: `2 * 3`, and names of constants in the place of numbers. `i++`
//! counts as `i += 1`. A choice of an arm (`&&`, `!`, `?:`) is none, the comparison that it tests is one.
//! All operations of a statement that nothing comes between but accesses and assignments are one row.
//!
//! Nothing here decides what the tree says of arrays: [`super::finish`] takes these nodes out again.

use super::scalars::ScalarKey;
use super::types::{Type, common, promoted};
use super::value::{Slot, Value};
use super::{Lowered, Lowering};
use crate::syntax::{At, Binary, Expression as Syntax, ExpressionKind, Name, Unary};
use premiss_tree::{
    Arithmetic, Expression, Node, Operands, Operation, OperationKind, OperationsId, Role, Scalar,
    ScalarId,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How far back a row of the same statement is looked for, so that long statements take no time.
const MOST_NODES_BACK: usize = 32;
/// Addresses.
const ADDRESS: Operands = Operands::Integer(64);

/// What is known while operations are noted.
pub(super) struct Recorder {
    pub(super) rows: Vec<Row>,
    pub(super) scalars: Vec<Scalar>,
    pub(super) scalar_rows: BTreeMap<ScalarKey, ScalarId>,
    /// What the value that is being evaluated is for.
    role: Role,
    /// The statement that is being lowered.
    statement: At,
    /// Local names of constants, with how many functions were open where they are declared.
    constants: BTreeSet<(usize, Name)>,
    /// Names that a front end gave to a product, with where that is written.
    products: BTreeMap<(usize, Name), At>,
}

/// A row of the tree's table.
#[derive(Clone)]
pub(super) struct Row {
    pub(super) arithmetic: Arithmetic,
    pub(super) at: At,
    pub(super) inside: Option<usize>,
}

impl Recorder {
    pub(super) fn new(at: At) -> Self {
        Self {
            rows: Vec::new(),
            scalars: Vec::new(),
            scalar_rows: BTreeMap::new(),
            role: Role::Data,
            statement: at,
            constants: BTreeSet::new(),
            products: BTreeMap::new(),
        }
    }

    /// Forgets all rows but the first ones, the last of which is as it was.
    pub(super) fn roll_back(&mut self, n_rows: usize, last: Option<&Row>) {
        self.rows.truncate(n_rows);
        if let (Some(row), Some(last)) = (self.rows.last_mut(), last) {
            row.clone_from(last);
        }
    }
}

impl Lowering<'_> {
    /// Lowers with another purpose of what is evaluated. What a subscript in a header is for is the header.
    pub(super) fn with_role<T>(
        &mut self,
        role: Role,
        lower: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        let around = self.recorder.role;
        if around != Role::Header || role == Role::Data {
            self.recorder.role = role;
        }
        let result = lower(self);
        self.recorder.role = around;
        result
    }

    /// Lowers what stands in a statement, or in a condition by itself.
    pub(super) fn in_statement<T>(
        &mut self,
        at: At,
        lower: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        let around = std::mem::replace(&mut self.recorder.statement, at);
        let result = lower(self);
        self.recorder.statement = around;
        result
    }

    /// Notes an operation on two values that were evaluated from these expressions.
    pub(super) fn note_binary(
        &mut self,
        operator: Binary,
        (left, left_syntax): (&Value, Option<&Syntax>),
        (right, right_syntax): (&Value, Option<&Syntax>),
    ) {
        if !self.program.has_operations() {
            return;
        }
        let kind = kind_of(operator);
        if matches!(left, Value::Pointer(_)) || matches!(right, Value::Pointer(_)) {
            return self.note(kind, ADDRESS, Role::Index);
        }
        let (Some(a), Some(b)) = (operands(left), operands(right)) else {
            return;
        };
        let is_literal = |l: &mut Self, syntax: Option<&Syntax>| {
            syntax.is_some_and(|syntax| l.is_literal(syntax))
        };
        if is_literal(self, right_syntax) && is_literal(self, left_syntax) {
            return;
        }
        let with = match operator {
            Binary::ShiftLeft | Binary::ShiftRight => a,
            _ => both(a, b),
        };
        let role = self.recorder.role;
        let is_sum = matches!(operator, Binary::Add | Binary::Subtract);
        let is_real = with.is_floating();
        if is_sum && is_real && (self.is_product(right_syntax) || self.is_product(left_syntax)) {
            *self.arithmetic_here().fused.entry(with).or_default() += 1;
        }
        self.note(kind, with, role);
    }

    /// Notes an operation on one value.
    pub(super) fn note_unary(&mut self, operator: Unary, value: &Value, syntax: &Syntax) {
        let kind = match operator {
            Unary::Negate => OperationKind::Negate,
            Unary::BitNot => OperationKind::Bits,
            Unary::Plus | Unary::Not => return,
        };
        if let Some(with) = operands(value)
            && !self.is_literal(syntax)
        {
            self.note(kind, with, self.recorder.role);
        }
    }

    /// Notes a call of a function of the mathematical library that yields real numbers of so many bytes.
    /// A fused product and sum is what its name says.
    pub(super) fn note_call(&mut self, name: &str, with: Operands) {
        if !self.program.has_operations() {
            return;
        }
        let role = self.recorder.role;
        match name {
            "nan" | "nans" | "inf" | "huge_val" => {}
            "sqrt" | "csqrt" => self.note(OperationKind::SquareRoot, with, role),
            "fma" => {
                self.note(OperationKind::Multiply, with, role);
                self.note(OperationKind::Add, with, role);
                *self.arithmetic_here().fused.entry(with).or_default() += 1;
            }
            name => self.note(OperationKind::Call(Arc::from(name)), with, role),
        }
    }

    /// Notes a power with an exponent that stays as it is: the products that computing it by squaring
    /// takes, `x**2` one, `x**3` two, `x**4` two, and the quotient where the exponent is negative. That
    /// is what compilers make of it; any other power is a call of `pow`.
    pub(super) fn note_power(&mut self, with: Operands, exponent: Option<i64>) {
        let Some(exponent) = exponent else {
            return self.note_call("pow", with);
        };
        let size = exponent.unsigned_abs();
        let n_products = size
            .checked_ilog2()
            .map_or(0, |squares| squares + size.count_ones() - 1);
        let role = self.recorder.role;
        for _ in 0..n_products {
            self.note(OperationKind::Multiply, with, role);
        }
        if exponent < 0 {
            self.note(OperationKind::Divide, with, role);
        }
    }

    /// Notes an operation.
    pub(super) fn note(&mut self, kind: OperationKind, operands: Operands, role: Role) {
        if !self.program.has_operations() {
            return;
        }
        let role = match self.in_header {
            true => Role::Header,
            false => role,
        };
        let operation = Operation {
            kind,
            operands,
            role,
        };
        let performed = &mut self.arithmetic_here().performed;
        *performed.entry(operation).or_default() += 1;
    }

    /// Remembers a local name that stands for a constant or for a product.
    pub(super) fn note_declared(&mut self, name: &Name, is_const: bool, initial: Option<&Syntax>) {
        if !self.program.has_operations() {
            return;
        }
        self.note_shadow(name);
        let key = (self.frames.len(), name.clone());
        self.recorder.constants.remove(&key);
        self.recorder.products.remove(&key);
        let Some(initial) = initial else { return };
        if is_const && self.is_literal(initial) {
            self.recorder.constants.insert(key);
        } else if self.is_product(Some(initial)) {
            self.recorder.products.insert(key, initial.at);
        }
    }

    /// Where operations go that are evaluated now.
    pub(super) fn arithmetic_here(&mut self) -> &mut Arithmetic {
        if self.in_header {
            return &mut self.prelude.arithmetic;
        }
        if !self.is_row_open() {
            let id = u32::try_from(self.recorder.rows.len()).unwrap_or(u32::MAX);
            self.recorder.rows.push(Row {
                arithmetic: Arithmetic::default(),
                at: self.recorder.statement,
                inside: self.open_loops.last().copied(),
            });
            self.block
                .push(Node::Operations(OperationsId::from_u32(id)));
        }
        let row = self.recorder.rows.last_mut();
        &mut row.expect("a row was there or made").arithmetic
    }

    /// Whether the last row is of this statement, and nothing came after it but accesses and assignments.
    fn is_row_open(&self) -> bool {
        let Some(last) = self.recorder.rows.last() else {
            return false;
        };
        if last.at != self.recorder.statement {
            return false;
        }
        let nodes = self.block.iter().rev().take(MOST_NODES_BACK);
        for node in nodes {
            match node {
                Node::Operations(id) => {
                    return id.as_u32() as usize + 1 == self.recorder.rows.len();
                }
                Node::Access(_) | Node::Assign { .. } => {}
                Node::Loop(_) | Node::Branch { .. } | Node::Opaque(_) => return false,
            }
        }
        false
    }

    /// Whether the value of an expression is written in the text.
    fn is_literal(&mut self, syntax: &Syntax) -> bool {
        match &syntax.kind {
            ExpressionKind::Integer(..)
            | ExpressionKind::Floating(..)
            | ExpressionKind::SizeofType(_)
            | ExpressionKind::SizeofExpression(_)
            | ExpressionKind::AlignofType(_)
            | ExpressionKind::OffsetOf(..) => true,
            ExpressionKind::Name(name) => self.is_constant_name(name),
            ExpressionKind::Unary(_, operand) | ExpressionKind::Cast(_, operand) => {
                self.is_literal(operand)
            }
            ExpressionKind::Binary(_, left, right) => {
                self.is_literal(right) && self.is_literal(left)
            }
            _ => false,
        }
    }

    /// Whether a name stands for a number, as `#define` and `const` make them.
    pub(super) fn is_constant_name(&mut self, name: &Name) -> bool {
        let scopes = &self.frame_ref().scopes;
        if scopes.iter().any(|scope| scope.contains_key(name)) {
            let key = (self.frames.len(), name.clone());
            return self.recorder.constants.contains(&key);
        }
        let slot = self.lookup(name);
        match slot {
            Some(Slot::Fixed(Value::Integer(value, _))) => self.is_constant(&value),
            Some(Slot::Fixed(Value::Floating(value, _))) => value.is_some(),
            None => true,
            _ => false,
        }
    }

    /// Whether an expression is a product, or the name that a front end gave to a product of this
    /// statement.
    fn is_product(&mut self, syntax: Option<&Syntax>) -> bool {
        let Some(syntax) = syntax else { return false };
        match &syntax.kind {
            ExpressionKind::Binary(Binary::Multiply, left, right) => {
                !(self.is_literal(right) && self.is_literal(left))
            }
            ExpressionKind::Cast(_, operand) => self.is_product(Some(operand)),
            ExpressionKind::Name(name) => {
                let key = (self.frames.len(), name.clone());
                let statement = self.recorder.statement;
                let product = self.recorder.products.get(&key);
                product.is_some_and(|at| {
                    at.unit == statement.unit
                        && statement.start <= at.start
                        && at.end <= statement.end
                })
            }
            _ => false,
        }
    }
}

/// What a value is as an operand; `None` where that is no number.
pub(super) fn operands(value: &Value) -> Option<Operands> {
    match value {
        Value::Integer(_, kind) => Some(Operands::Integer(promoted(*kind).bits)),
        Value::Floating(_, kind) | Value::Particular(kind) | Value::Named(_, kind) => {
            Some(kind.operands())
        }
        _ => None,
    }
}

/// What an object of a type is as an operand.
pub(super) fn held(kind: &Type) -> Option<Operands> {
    match kind {
        Type::Floating(kind) => Some(kind.operands()),
        Type::Pointer(_) => Some(ADDRESS),
        kind => kind.integer().map(|kind| Operands::Integer(kind.bits)),
    }
}

/// What two operands are brought to.
fn both(a: Operands, b: Operands) -> Operands {
    match (a, b) {
        (Operands::Integer(a), Operands::Integer(b)) => {
            let signed = |bits| premiss_tree::IntegerType { bits, signed: true };
            Operands::Integer(common(signed(a), signed(b)).bits)
        }
        (Operands::Integer(_), real) | (real, Operands::Integer(_)) => real,
        (Operands::Floating(a), Operands::Floating(b)) => Operands::Floating(a.max(b)),
        (Operands::Complex(a), Operands::Complex(b) | Operands::Floating(b))
        | (Operands::Floating(b), Operands::Complex(a)) => Operands::Complex(a.max(b)),
    }
}

fn kind_of(operator: Binary) -> OperationKind {
    match operator {
        Binary::Add => OperationKind::Add,
        Binary::Subtract => OperationKind::Subtract,
        Binary::Multiply => OperationKind::Multiply,
        Binary::Divide => OperationKind::Divide,
        Binary::Remainder => OperationKind::Remainder,
        Binary::ShiftLeft
        | Binary::ShiftRight
        | Binary::BitAnd
        | Binary::BitOr
        | Binary::BitXor => OperationKind::Bits,
        Binary::Less
        | Binary::LessEqual
        | Binary::Greater
        | Binary::GreaterEqual
        | Binary::Equal
        | Binary::NotEqual
        | Binary::Minimum
        | Binary::Maximum => OperationKind::Compare,
    }
}

/// The integer that a value is, where it is known here.
pub(super) fn known_integer(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(Expression::Integer(value), _) => Some(*value),
        _ => None,
    }
}

/// The exponent that the argument of `powi` is; a literal may have got the type of its base.
pub(super) fn exponent_of(value: &Value) -> Option<i64> {
    match value {
        Value::Floating(Some(x), _) => x.to_string().parse().ok(),
        value => known_integer(value),
    }
}
