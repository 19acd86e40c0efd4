//! The statements of a procedure that may allocate an array.

use crate::syntax::visit::statements;
use crate::syntax::{ActualArgument, Expr, NameKey, StatementKind as Fortran};
use crate::translate::environment::ProcedureInTranslation;
use premiss_ast::syntax::TextRange;

/// A statement that may allocate an array or change its bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AllocatingStatement {
    /// `a = …`
    Assignment,
    Allocate,
    Deallocate,
    /// A `CALL` with the whole array as an argument.
    Call,
}

/// The statements of a procedure, without those it contains, that may allocate an array or change its bounds; one that names
/// it several times is among them once.
pub(crate) fn possible_allocations(
    procedure: ProcedureInTranslation,
    key: &NameKey,
) -> Vec<(AllocatingStatement, TextRange)> {
    let mut all = Vec::new();
    statements(&procedure.ast.body, &mut |one| {
        let is_object = |objects: &[Expr]| objects.iter().any(|object| object.root() == Some(key));
        let (kind, is_named) = match &one.kind {
            Fortran::Assign(left, _) => {
                (AllocatingStatement::Assignment, left.as_name() == Some(key))
            }
            Fortran::Allocate(objects, _) => (AllocatingStatement::Allocate, is_object(objects)),
            Fortran::Deallocate(objects, _) => {
                (AllocatingStatement::Deallocate, is_object(objects))
            }
            Fortran::Call(_, arguments) => {
                let mut list = arguments.iter().filter_map(ActualArgument::expr);
                (
                    AllocatingStatement::Call,
                    list.any(|expr| expr.as_name() == Some(key)),
                )
            }
            _ => return,
        };
        if is_named {
            all.push((kind, one.at));
        }
    });
    all
}
