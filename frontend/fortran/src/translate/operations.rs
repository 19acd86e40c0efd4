//! Operations and assignments that procedures of the program define (Fortran 2018, 10.1.6 and 10.2.1.4).
//!
//! `p + q` of a derived type is a reference to a function that an interface of `OPERATOR(+)`, or a generic binding of
//! the type, gives for these types and ranks. An operation on intrinsic types is intrinsic if its operands allow it.

use crate::names::{FortranType, ProcedureId};
use crate::syntax::{
    ASSIGNMENT, ActualArgument, ArgumentValue, BinaryOperator as Op, Expr, ExprKind, NameKey,
    UnaryOperator,
};
use crate::translate::environment::NameEnvironment;
use crate::translate::resolution;
use std::collections::BTreeSet;

/// The meaning of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Intrinsic,
    /// A reference to a function.
    Defined(ProcedureId),
    /// A reference to a function that is not there.
    Unknown,
}

/// The type and rank of an operand.
pub(crate) type Operand = (FortranType, usize);

/// The operands of an operation, with the generic name of its operator; `None` for other expressions.
pub(crate) fn operands(expr: &Expr) -> Option<(&str, Vec<&Expr>)> {
    match &expr.kind {
        ExprKind::Unary(op, x) => Some((op.generic_name(), vec![x])),
        ExprKind::Binary(op, a, b) => Some((op.generic_name(), vec![a, b])),
        ExprKind::Defined(name, list) => Some((name, list.iter().collect())),
        _ => None,
    }
}

/// The operands of an operation as arguments of the function that defines it.
pub(crate) fn operand_arguments(expr: &Expr) -> Vec<ActualArgument> {
    let list = operands(expr).map(|(_, list)| list).unwrap_or_default();
    list.into_iter().map(value_argument).collect()
}

/// An expression as an argument without a keyword.
pub(crate) fn value_argument(expr: &Expr) -> ActualArgument {
    ActualArgument {
        keyword: None,
        value: ArgumentValue::Expr(expr.clone()),
    }
}

/// The name of an operation in a message.
pub(crate) fn operator_text(expr: &Expr) -> String {
    let (generic, _) = operands(expr).unwrap_or(("operator()", Vec::new()));
    let mark = generic
        .trim_start_matches("operator(")
        .trim_end_matches(')');
    format!("`{mark}` of operands for which no procedure is known")
}

impl NameEnvironment<'_> {
    /// The meaning of an operation.
    pub(crate) fn operation(&self, expr: &Expr) -> Operation {
        let Some((generic, list)) = operands(expr) else {
            return Operation::Intrinsic;
        };
        let may_be_defined = self.index.has_defined_operations || self.index.has_derived_objects;
        if !may_be_defined && !matches!(expr.kind, ExprKind::Defined(..)) {
            return Operation::Intrinsic;
        }
        let typed: Vec<Operand> = list.iter().map(|x| self.type_and_rank(x)).collect();
        self.operation_on(expr, generic, &typed)
    }

    /// The type and rank of an expression. For an operation, each operand is looked at once.
    pub(crate) fn type_and_rank(&self, expr: &Expr) -> Operand {
        if let ExprKind::Parentheses(inner) = &expr.kind {
            return self.type_and_rank(inner);
        }
        let Some((generic, list)) = operands(expr) else {
            return (self.type_of(expr), self.rank_of(expr));
        };
        let typed: Vec<Operand> = list.iter().map(|x| self.type_and_rank(x)).collect();
        let rank = typed.iter().map(|(_, rank)| *rank).max().unwrap_or(0);
        match self.operation_on(expr, generic, &typed) {
            Operation::Intrinsic => (intrinsic_type(expr, typed), rank),
            Operation::Unknown => (FortranType::Unknown, rank),
            Operation::Defined(id) => {
                let kind = resolution::result_type(self, id);
                match self.index.procedure(id).summary.interface.is_elemental {
                    true => (kind, rank),
                    false => (kind, resolution::result_rank(self, id)),
                }
            }
        }
    }

    fn operation_on(&self, expr: &Expr, generic: &str, typed: &[Operand]) -> Operation {
        if is_intrinsic(expr, typed) {
            return Operation::Intrinsic;
        }
        let is_named = matches!(expr.kind, ExprKind::Defined(..));
        let is_derived = |(kind, _): &Operand| matches!(kind, FortranType::Derived(..));
        match self.defining_procedure(generic, typed) {
            Some(id) => Operation::Defined(id),
            None if is_named || typed.iter().any(is_derived) => Operation::Unknown,
            None if self.scope.lookup(generic).is_some() => Operation::Unknown,
            // Extensions of compilers, such as `==` of logicals.
            None => Operation::Intrinsic,
        }
    }

    /// The procedure that defines an operation or assignment for these operands; `None` if there is none, or more than
    /// one seems to fit.
    fn defining_procedure(&self, generic: &str, typed: &[Operand]) -> Option<ProcedureId> {
        if typed.iter().any(|(kind, _)| *kind == FortranType::Unknown) {
            return None;
        }
        let mut ids = BTreeSet::new();
        if self.scope.lookup(generic).is_some() {
            ids.extend(self.callees(&NameKey::from(generic)));
        }
        for (kind, _) in typed {
            if let FortranType::Derived(key, _) = kind {
                ids.extend(resolution::bound_generic(self, key, generic));
            }
        }
        let fitting = |is_elementwise| {
            let fits = ids.iter().copied();
            let fits = fits.filter(|id| resolution::accepts(self, *id, typed, is_elementwise));
            fits.collect::<Vec<_>>()
        };
        let (exact, elementwise) = (fitting(false), fitting(true));
        match (&exact[..], &elementwise[..]) {
            ([id], _) | ([], [id]) => Some(*id),
            _ => None,
        }
    }

    /// The meaning of an assignment: intrinsic, or a call of a subroutine.
    pub(crate) fn assignment(&self, left: &Expr, right: &Expr) -> Operation {
        let typed = [self.type_and_rank(left), self.type_and_rank(right)];
        let [(to, _), (from, _)] = &typed;
        if is_numeric(to) && is_numeric(from) {
            return Operation::Intrinsic;
        }
        if let Some(id) = self.defining_procedure(ASSIGNMENT, &typed) {
            return Operation::Defined(id);
        }
        match (to, from) {
            (FortranType::Derived(a, Some(x)), FortranType::Derived(b, Some(y)))
                if a != b && x != y =>
            {
                Operation::Unknown
            }
            (FortranType::Derived(_, Some(_)), other)
            | (other, FortranType::Derived(_, Some(_)))
                if !matches!(other, FortranType::Derived(..) | FortranType::Unknown) =>
            {
                Operation::Unknown
            }
            _ => Operation::Intrinsic,
        }
    }
}

/// Whether an operation is intrinsic by the types and ranks of its operands.
fn is_intrinsic(expr: &Expr, typed: &[Operand]) -> bool {
    let is_unknown = |(kind, _): &Operand| *kind == FortranType::Unknown;
    match (&expr.kind, typed) {
        (ExprKind::Defined(..), _) => false,
        (_, typed) if typed.iter().any(is_unknown) => true,
        (ExprKind::Unary(UnaryOperator::Not, _), [(kind, _)]) => {
            matches!(kind, FortranType::Logical(_) | FortranType::Integer(_))
        }
        (ExprKind::Unary(..), [(kind, _)]) => is_numeric(kind),
        (ExprKind::Binary(op, ..), [(a, a_rank), (b, b_rank)]) => {
            let conform = *a_rank == 0 || *b_rank == 0 || a_rank == b_rank;
            conform && takes(*op, a, b)
        }
        _ => true,
    }
}

/// Whether the intrinsic operation of an operator takes operands of these types.
fn takes(op: Op, a: &FortranType, b: &FortranType) -> bool {
    let are_numbers = is_numeric(a) && is_numeric(b);
    let is_text = |kind: &FortranType| matches!(kind, FortranType::Character(_));
    let is_truth = |kind: &FortranType| matches!(kind, FortranType::Logical(_));
    match op {
        Op::Power | Op::Multiply | Op::Divide | Op::Add | Op::Subtract => are_numbers,
        Op::Concatenate => is_text(a) && is_text(b),
        Op::And | Op::Or | Op::Equivalent | Op::NotEquivalent => is_truth(a) && is_truth(b),
        _ => are_numbers || (is_text(a) && is_text(b)),
    }
}

pub(crate) fn is_numeric(kind: &FortranType) -> bool {
    matches!(
        kind,
        FortranType::Integer(_) | FortranType::Real(_) | FortranType::Complex(_)
    )
}

/// The type of the result of an intrinsic operation.
fn intrinsic_type(expr: &Expr, typed: Vec<Operand>) -> FortranType {
    let mut kinds = typed.into_iter().map(|(kind, _)| kind);
    let first = kinds.next().unwrap_or(FortranType::Unknown);
    let second = kinds.next();
    match (&expr.kind, second) {
        (ExprKind::Binary(op, ..), Some(second)) => match op {
            Op::Add | Op::Subtract | Op::Multiply | Op::Divide => first.common(&second),
            Op::Power if second.is_integer() => first,
            Op::Power => first.common(&second),
            Op::Concatenate => FortranType::Character(None),
            _ => crate::names::types::LOGICAL,
        },
        _ => first,
    }
}
