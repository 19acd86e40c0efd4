//! The recorded operations and scalars, and the operand types of values.

use crate::domain::types::{Type, common, promoted};
use crate::domain::values::{ArrayRow, Value};
use crate::syntax::{Binary, Name, TextRange};
use premiss_tree::{Arithmetic, IntegerType, Operands, OperationKind, Role, Scalar, ScalarId};
use std::collections::{BTreeMap, BTreeSet};

/// The operand type of addresses.
pub(crate) const ADDRESS_OPERANDS: Operands = Operands::Integer(64);

/// The state of recording operations.
pub(crate) struct OperationRecorder {
    pub(crate) rows: Vec<OperationsRow>,
    pub(crate) scalars: Vec<Scalar>,
    pub(crate) scalar_rows: BTreeMap<ScalarKey, ScalarId>,
    /// The role of the value that is being evaluated.
    pub(crate) role: Role,
    /// The statement that is being lowered.
    pub(crate) statement: TextRange,
    /// Local names of constants, with the call depth of their declaration.
    pub(crate) constants: BTreeSet<(usize, Name)>,
    /// Names that a front end gave to products, with the place of the product.
    pub(crate) products: BTreeMap<(usize, Name), TextRange>,
}

impl OperationRecorder {
    pub(crate) fn new(at: TextRange) -> Self {
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

    /// Drops all rows but the first `n_rows`, and restores the last of these.
    pub(crate) fn roll_back(&mut self, n_rows: usize, last: Option<&OperationsRow>) {
        self.rows.truncate(n_rows);
        if let (Some(row), Some(last)) = (self.rows.last_mut(), last) {
            row.clone_from(last);
        }
    }
}

/// A row of the table of operations.
#[derive(Clone)]
pub(crate) struct OperationsRow {
    pub(crate) arithmetic: Arithmetic,
    pub(crate) at: TextRange,
    pub(crate) inside: Option<usize>,
}

/// Identifies a scalar variable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum ScalarKey {
    /// A name with the call depth of its declaration, 0 for file scope.
    Named(usize, Name),
    /// The member of a struct in registers at a byte offset.
    Member(ArrayRow, i64),
}

/// The operand type of a value; `None` if it is not a number.
pub(crate) fn operands_of(value: &Value) -> Option<Operands> {
    match value {
        Value::Integer(_, kind) => Some(Operands::Integer(promoted(*kind).bits)),
        Value::Floating(_, kind) | Value::Particular(kind) | Value::Named(_, kind) => {
            Some(kind.operands())
        }
        _ => None,
    }
}

/// The operand type of an object of a type.
pub(crate) fn operands_of_type(kind: &Type) -> Option<Operands> {
    match kind {
        Type::Floating(kind) => Some(kind.operands()),
        Type::Pointer(_) => Some(ADDRESS_OPERANDS),
        kind => kind.integer().map(|kind| Operands::Integer(kind.bits)),
    }
}

/// The common type of two operands.
pub(crate) fn common_operands(a: Operands, b: Operands) -> Operands {
    match (a, b) {
        (Operands::Integer(a), Operands::Integer(b)) => {
            let signed = |bits| IntegerType { bits, signed: true };
            Operands::Integer(common(signed(a), signed(b)).bits)
        }
        (Operands::Integer(_), real) | (real, Operands::Integer(_)) => real,
        (Operands::Floating(a), Operands::Floating(b)) => Operands::Floating(a.max(b)),
        (Operands::Complex(a), Operands::Complex(b) | Operands::Floating(b))
        | (Operands::Floating(b), Operands::Complex(a)) => Operands::Complex(a.max(b)),
    }
}

pub(crate) fn operation_kind(operator: Binary) -> OperationKind {
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
