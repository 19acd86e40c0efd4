//! Operations and scalars that were recorded, and values as operands.

use crate::domain::types::{Type, common, promoted};
use crate::domain::values::{ArrayRow, Value};
use crate::syntax::{At, Binary, Name};
use premiss_tree::{Arithmetic, IntegerType, Operands, OperationKind, Role, Scalar, ScalarId};
use std::collections::{BTreeMap, BTreeSet};

/// Addresses.
pub(crate) const ADDRESS_OPERANDS: Operands = Operands::Integer(64);

/// What is known while operations are noted.
pub(crate) struct OperationRecorder {
    pub(crate) rows: Vec<OperationsRow>,
    pub(crate) scalars: Vec<Scalar>,
    pub(crate) scalar_rows: BTreeMap<ScalarKey, ScalarId>,
    /// What the value that is being evaluated is for.
    pub(crate) role: Role,
    /// The statement that is being lowered.
    pub(crate) statement: At,
    /// Local names of constants, with how many functions were open where they are declared.
    pub(crate) constants: BTreeSet<(usize, Name)>,
    /// Names that a front end gave to a product, with where that is written.
    pub(crate) products: BTreeMap<(usize, Name), At>,
}

impl OperationRecorder {
    pub(crate) fn new(at: At) -> Self {
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
    pub(crate) fn roll_back(&mut self, n_rows: usize, last: Option<&OperationsRow>) {
        self.rows.truncate(n_rows);
        if let (Some(row), Some(last)) = (self.rows.last_mut(), last) {
            row.clone_from(last);
        }
    }
}

/// A row of the tree's table.
#[derive(Clone)]
pub(crate) struct OperationsRow {
    pub(crate) arithmetic: Arithmetic,
    pub(crate) at: At,
    pub(crate) inside: Option<usize>,
}

/// What a scalar variable is known by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum ScalarKey {
    /// A name, with how many functions were open where it is declared; none at file scope.
    Named(usize, Name),
    /// The member at an offset of a struct in registers.
    Member(ArrayRow, i64),
}

/// What a value is as an operand; `None` where that is no number.
pub(crate) fn operands_of(value: &Value) -> Option<Operands> {
    match value {
        Value::Integer(_, kind) => Some(Operands::Integer(promoted(*kind).bits)),
        Value::Floating(_, kind) | Value::Particular(kind) | Value::Named(_, kind) => {
            Some(kind.operands())
        }
        _ => None,
    }
}

/// What an object of a type is as an operand.
pub(crate) fn operands_of_type(kind: &Type) -> Option<Operands> {
    match kind {
        Type::Floating(kind) => Some(kind.operands()),
        Type::Pointer(_) => Some(ADDRESS_OPERANDS),
        kind => kind.integer().map(|kind| Operands::Integer(kind.bits)),
    }
}

/// What two operands are brought to.
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
