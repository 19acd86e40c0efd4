//! Entering a loop: unknown values get symbols before an outermost loop, and memory gets a version.

use crate::bailout::Lowered;
use crate::context::Lowering;
use crate::domain::memory_version::MemoryVersion;
use crate::domain::reals::RealKnowledge;
use crate::domain::state::{IntegerKnowledge, NonNullOffset};
use crate::domain::types::Type;
use crate::domain::values::{ArrayRow, Slot, Target, Value};
use crate::eval::comparisons::new_named_real;
use crate::eval::scopes::bind_name;
use crate::eval::variables::{assign_integer, set_integer};
use crate::loops::loop_fixpoint::version_at_entry;
use crate::syntax::{Name, Statement, TextRange};
use premiss_tree::{Node, VariableId};

/// Gives names to the unknown integers that a loop mentions. Before an outermost loop each becomes a size; within
/// another loop it stays unknown, but the loop lowered separately may depend on it. A pointer without a target starts
/// with no offset.
pub(crate) fn enter_loop(ctx: &mut Lowering, statement: &Statement, at: TextRange) -> Lowered<()> {
    let mentions = ctx.program.name_uses(statement);
    for name in &mentions.names {
        let id = match lookup_declared(ctx, name) {
            Some(Slot::Integer(id, _)) => id,
            Some(slot) => {
                if let Some(id) = referenced_integer(ctx, &slot) {
                    name_if_unknown(ctx, id, at);
                    continue;
                }
                match slot {
                    Slot::Pointer(id, _) => ctx.symbols.pointers[id.0],
                    _ => continue,
                }
            }
            None => continue,
        };
        let is_unknown = matches!(
            ctx.state.integers.get(&id),
            Some(IntegerKnowledge::Unknown) | None
        );
        // The place of the pointer if it is not null.
        let is_placed = matches!(
            ctx.state.nullable.get(&id),
            Some(NonNullOffset::Symbolic(_))
        );
        if is_unknown && is_unassigned_pointer(ctx, name) {
            assign_integer(ctx, id, 0.into());
        } else if is_unknown && !is_placed {
            name_unknown_value(ctx, id, at);
        }
    }
    name_invariant_reals(ctx, statement, at);
    let version = version_at_entry(ctx, statement);
    version_heap_at_head(ctx, version);
    Ok(())
}

/// Whether a name is a pointer that has not been assigned yet.
fn is_unassigned_pointer(ctx: &mut Lowering, name: &Name) -> bool {
    match lookup_declared(ctx, name) {
        Some(Slot::Pointer(id, _)) => ctx.state.pointers.get(&id) == Some(&Target::Null),
        _ => false,
    }
}

/// The meaning of a name that was looked up before.
fn lookup_declared(ctx: &Lowering, name: &Name) -> Option<Slot> {
    let mut scopes = ctx.frame().scopes.iter().rev();
    let found = scopes.find_map(|scope| scope.get(name));
    let global = || {
        ctx.symbols
            .globals
            .get(&ctx.program.owner(ctx.unit(), name))
    };
    found.or_else(global).cloned()
}

/// The integer variable that a name refers to by reference, as a dummy argument does.
fn referenced_integer(ctx: &Lowering, slot: &Slot) -> Option<VariableId> {
    let target = match slot {
        Slot::Pointer(id, _) => ctx.state.pointers.get(id)?,
        Slot::Fixed(Value::Pointer(pointer)) => &pointer.target,
        _ => return None,
    };
    match target {
        Target::Scalar(slot) => match **slot {
            Slot::Integer(id, _) => Some(id),
            _ => None,
        },
        _ => None,
    }
}

fn name_if_unknown(ctx: &mut Lowering, id: VariableId, at: TextRange) {
    if matches!(
        ctx.state.integers.get(&id),
        Some(IntegerKnowledge::Unknown) | None
    ) {
        name_unknown_value(ctx, id, at);
    }
}

fn name_unknown_value(ctx: &mut Lowering, id: VariableId, at: TextRange) {
    if !ctx.is_in_loop() {
        let row = ctx.symbols.variable(id);
        let (name, kind) = (row.name.clone(), row.kind);
        let size = ctx.symbols.fresh_size(&name, kind, at);
        ctx.tree.emit(Node::Assign {
            variable: id,
            value: size,
        });
    }
    set_integer(ctx, id, IntegerKnowledge::Exact);
    if ctx.is_in_loop() && ctx.symbols.pointers.binary_search(&id).is_err() {
        ctx.ranges.unknown.insert(id);
    }
}

/// Gives the contents of memory a version at the head of a loop that is entered at that version; it lasts if the loop
/// does not store.
fn version_heap_at_head(ctx: &mut Lowering, version: u32) {
    if ctx.is_in_loop() {
        ctx.heap_symbols.within_loops.insert(version);
    }
    let version = MemoryVersion::TextRange(version);
    let memory = &mut ctx.state.memory;
    if memory.base == MemoryVersion::Varying {
        memory.base = version;
    }
    let rows = memory.rows.iter();
    let unversioned = rows.filter(|(_, content)| !content.is_versioned());
    let unversioned: Vec<ArrayRow> = unversioned.map(|(row, _)| *row).collect();
    for row in unversioned {
        memory.content_mut(row).assign_version(version);
    }
}

/// Before an outermost loop, gives names to the real variables that it mentions and does not change.
fn name_invariant_reals(ctx: &mut Lowering, statement: &Statement, at: TextRange) {
    if ctx.is_in_loop() {
        return;
    }
    let mentions = ctx.program.name_uses(statement);
    let is_changed = |name: &&Name| mentions.changed.contains(*name);
    for name in mentions.names.iter().filter(|name| !is_changed(name)) {
        let scopes = ctx.frame().scopes.iter().rev();
        let Some(slot) = scopes.filter_map(|scope| scope.get(name)).next() else {
            continue;
        };
        let (Slot::Real(_, size) | Slot::Data(Type::Floating(size))) = slot else {
            continue;
        };
        let is_constant = matches!(slot, Slot::Real(id, _)
            if matches!(ctx.state.reals.get(id), Some(RealKnowledge::Constant(_))));
        if !is_constant {
            let value = new_named_real(ctx, name, at, *size);
            bind_name(ctx, name, Slot::Fixed(value));
        }
    }
}
