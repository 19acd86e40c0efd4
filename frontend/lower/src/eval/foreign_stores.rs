//! Stores of functions that nothing in the program defines.
//!
//! Such a function may change every object with external linkage, and all whose address it may have: what parameters
//! point to, and arrays that were passed on or stored. It may also call back into the program, and so change `static`
//! objects that some function of the program modifies. It is assumed to fill arrays, not to replace them by others.
//!
//! ```text
//! int n = 5;
//! for (i = 0; i < n; i++) { a[i] = 0; ext(); }         n is data behind the first call: the trip count is unknown
//! for (i = 0; i < s->n; i++) { s->d[i] = 0; ext(); }   so is s->n; s->d is the same array
//! ```
//!
//! Objects at file scope become variables of the tree, which a call makes unknown. As it is known only at the end
//! whether a function calls such functions, it is lowered again then (`interpret`). For memory there is a variable of
//! the abstract state alone that holds the version at the last such call: 0 if there was none, unknown if paths differ.

use crate::context::Lowering;
use crate::domain::memory_version::MemoryVersion;
use crate::domain::state::IntegerKnowledge;
use crate::domain::types::LONG;
use crate::domain::values::{ArrayRow, Slot, Value};
use crate::eval::variables::{new_variable_row, read_integer, set_integer};
use crate::symbol_table::ArrayData;
use crate::syntax::{GlobalName, Lifetime, Name, Notation};
use premiss_ast::SyntaxFacts;
use premiss_link::Global;
use premiss_tree::{Expression, Storage, VariableId};
use std::collections::BTreeSet;

/// The name of the variable that holds the version at the last call; no variable of a program has it.
const LAST_CALL: &str = "outside?";

/// The variable that holds the version at the last call, the first one of every function.
fn last_call() -> VariableId {
    VariableId::from_u32(0)
}

/// Declares the variable that holds the version at the last call.
pub(crate) fn start_foreign_stores(ctx: &mut Lowering) {
    let id = new_variable_row(ctx, LAST_CALL, LONG, false);
    debug_assert_eq!(id, last_call(), "it is the first variable");
    ctx.symbols.variables[id.as_u32() as usize].frame = 0;
    set_last_call(ctx, 0);
}

fn set_last_call(ctx: &mut Lowering, version: u32) {
    let version = Expression::Integer(version.into());
    set_integer(ctx, last_call(), IntegerKnowledge::Symbolic(version));
}

/// A call may have led to a function that nothing defines.
pub(crate) fn leave_program(ctx: &mut Lowering) {
    ctx.calls.n_foreign += 1;
    match ctx.is_in_loop() {
        true => set_integer(ctx, last_call(), IntegerKnowledge::Unknown),
        false => {
            let version = ctx.heap_symbols.new_version();
            set_last_call(ctx, version);
        }
    }
    let rows = ctx.state.memory.rows.iter();
    let rows = rows.filter(|(row, content)| content.holds_integers() && is_in_reach(ctx, **row));
    let rows: Vec<ArrayRow> = rows.map(|(row, _)| *row).collect();
    for row in rows {
        ctx.state.memory.content_mut(row).forget_integers();
    }
}

/// The version since which an integer in an array has its value, where its contents are known since a version.
pub(crate) fn version_with_foreign_stores(
    ctx: &mut Lowering,
    row: ArrayRow,
    version: MemoryVersion,
) -> MemoryVersion {
    if version == MemoryVersion::Varying || !is_in_reach(ctx, row) {
        return version;
    }
    let last = match read_integer(ctx, last_call()) {
        Some(IntegerKnowledge::Symbolic(last)) => last.as_integer(),
        _ => None,
    };
    match last.and_then(|last| u32::try_from(last).ok()) {
        Some(0) => version,
        Some(last) => version.max(MemoryVersion::TextRange(last)),
        None if ctx.is_in_loop() => MemoryVersion::Varying,
        None => {
            // Whatever happened on the way here, nothing happens between this load and the next.
            let now = ctx.heap_symbols.new_version();
            set_last_call(ctx, now);
            MemoryVersion::TextRange(now)
        }
    }
}

/// Whether a function that nothing defines may have stored to an array since `n_foreign` such calls had been lowered.
pub(crate) fn may_have_foreign_store(ctx: &Lowering, row: ArrayRow, n_foreign: u64) -> bool {
    n_foreign < ctx.calls.n_foreign && is_in_reach(ctx, row)
}

/// Whether a function that nothing defines may have the address of an array.
fn is_in_reach(ctx: &Lowering, row: ArrayRow) -> bool {
    if ctx.program.notation(ctx.unit()) != Notation::C || ctx.symbols.registers.contains(&row) {
        return false;
    }
    let data = &ctx.symbols.arrays[row.0];
    match data.storage {
        Storage::Global | Storage::Parameter => true,
        Storage::Local | Storage::Callee => data.is_region || escapes(ctx, data),
    }
}

/// Whether the address of a local array, or of a block that a local variable points to, may be known elsewhere: its
/// name occurs in another way than subscripted, dereferenced or as an operand of `free`.
fn escapes(ctx: &Lowering, data: &ArrayData) -> bool {
    let Some(frame) = ctx.frames.first().filter(|_| data.frame <= 1) else {
        return true;
    };
    let facts: &SyntaxFacts = &frame.facts;
    let name = &data.name;
    let is_passed = |(callee, passed): &(Name, Name)| passed == name && &**callee != "free";
    facts.bare.contains(name)
        || facts.addressed.contains(name)
        || facts.passed.iter().any(is_passed)
        || !facts.mentioned.contains(name)
}

/// The objects at file scope that were taken as unchangeable, though a function that nothing defines may change them.
pub(crate) fn objects_in_reach(ctx: &Lowering) -> BTreeSet<GlobalName> {
    if ctx.calls.n_foreign == 0 {
        return BTreeSet::new();
    }
    let globals = ctx.symbols.globals.iter();
    let known = globals.filter(|(owner, slot)| match slot {
        Slot::Fixed(value) => is_changeable(ctx, owner, value),
        _ => false,
    });
    known.map(|(owner, _)| owner.clone()).collect()
}

/// Whether a function that nothing defines may change an object at file scope that has this value. A pointer that
/// points to what its name stands for keeps doing so.
fn is_changeable(ctx: &Lowering, owner: &GlobalName, value: &Value) -> bool {
    let Some(Global::Object(object)) = ctx.program.global(owner) else {
        return false;
    };
    let is_tracked = match value {
        Value::Integer(value, _) => value.as_integer().is_none(),
        Value::Floating(..) => true,
        Value::Pointer(_) => object.initializer.is_some(),
        _ => false,
    };
    let has_linkage = object.lifetime != Lifetime::Static;
    is_tracked && !object.is_const && (has_linkage || ctx.program.is_modified(owner))
}
