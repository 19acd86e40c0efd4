//! What is counted, and where.

use crate::counts::ElementKind;
use crate::marked::Marked;
use premiss_tree::{AccessKind, LoopId, NestTree, Operands, Operation, OperationsId, ReferenceId};
use std::collections::BTreeMap;

/// A quantity that is counted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Quantity {
    /// Operations of a kind.
    Operation(Operation),
    /// Sums with a product as an operand: one instruction where a machine fuses them.
    Fused(Operands),
    /// Array elements read or written.
    Elements(AccessKind, ElementKind),
    /// Bytes of the array elements read or written.
    Bytes(AccessKind, ElementKind),
}

/// A part of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scope {
    /// All of it, with the calls that were followed.
    Function,
    /// A loop with all that it contains.
    Loop(LoopId),
    /// The operations of a statement.
    Statement(OperationsId),
}

/// For each scope and quantity, the places that contribute, each with the amount of one execution.
pub(crate) type Weights = BTreeMap<Scope, BTreeMap<Quantity, BTreeMap<ReferenceId, u64>>>;

/// The weights of all scopes of a function.
pub(crate) fn weights(tree: &NestTree, marked: &Marked) -> Weights {
    let mut weights = Weights::new();
    let mut add = |scope: Scope, quantity: Quantity, places: &[ReferenceId], each: u64| {
        let of_scope = weights.entry(scope).or_default();
        let of_quantity = of_scope.entry(quantity).or_default();
        for place in places {
            *of_quantity.entry(*place).or_default() += each;
        }
    };
    for (id, places) in &marked.operations {
        let row = &tree.work.operations[*id];
        let mut scopes = enclosing_scopes(tree, row.inside);
        scopes.push(Scope::Statement(*id));
        for scope in scopes {
            for (operation, each) in &row.arithmetic.performed {
                let quantity = Quantity::Operation(operation.clone());
                add(scope, quantity, places, u64::from(*each));
            }
            for (operands, each) in &row.arithmetic.fused {
                add(scope, Quantity::Fused(*operands), places, u64::from(*each));
            }
        }
    }
    for (id, places) in &marked.references {
        let reference = &tree.references[*id];
        let kind = ElementKind::of(tree, *id);
        for scope in enclosing_scopes(tree, reference.inside) {
            add(scope, Quantity::Elements(reference.kind, kind), places, 1);
            let bytes = Quantity::Bytes(reference.kind, kind);
            add(scope, bytes, places, u64::from(reference.size));
        }
    }
    weights
}

/// The function, and the loops from the innermost one outwards.
pub(crate) fn enclosing_scopes(tree: &NestTree, inside: Option<LoopId>) -> Vec<Scope> {
    let loops = std::iter::successors(inside, |id| tree.loops[*id].inside);
    std::iter::once(Scope::Function)
        .chain(loops.map(Scope::Loop))
        .collect()
}
