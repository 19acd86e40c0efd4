//! Havoc: makes everything unknown that some text may have changed.

use crate::context::Lowering;
use crate::domain::memory_version::Clobber;
use crate::domain::reals::RealKnowledge;
use crate::domain::state::{AbstractState, IntegerKnowledge};
use crate::domain::values::{PointerId, Slot, Target};
use crate::eval::foreign_stores::leave_program;
use crate::eval::real_variables::{havoc_real, havoc_shared_reals};
use crate::eval::records::clobber_addressed_records;
use crate::eval::variables::assign_integer;
use crate::syntax::Name;
use premiss_ast::NameUses;
use premiss_tree::{Expression, VariableId};
use std::collections::BTreeSet;

/// Makes everything unknown that a piece of text may change.
pub(crate) fn havoc_mentioned(ctx: &mut Lowering, mentions: &NameUses) {
    for slot in changed_slots(ctx, mentions) {
        havoc_slot(ctx, &slot);
    }
    // It may store through pointers.
    havoc_shared_reals(ctx);
    if !mentions.called.is_empty() || mentions.calls_pointer {
        havoc_shared(ctx, Clobber::Everything);
        leave_program(ctx);
    }
    if ctx.frames.len() == 1 {
        let unit = ctx.unit();
        let called = mentions.called.iter();
        let called = called.filter_map(|name| ctx.program.definition(unit, name));
        ctx.calls.unknown_arguments.extend(called);
    }
}

/// Makes the value of an integer or pointer unknown.
pub(crate) fn havoc_slot(ctx: &mut Lowering, slot: &Slot) {
    match *slot {
        Slot::Integer(id, _) => assign_integer(ctx, id, Expression::Data),
        Slot::Pointer(id, _) => {
            ctx.state.pointers.insert(id, Target::Ambiguous);
            assign_integer(ctx, ctx.symbols.pointers[id.0], Expression::Data);
        }
        Slot::Real(id, _) => havoc_real(ctx, id),
        _ => {}
    }
}

/// Makes every variable unknown that may change other than by its name.
pub(crate) fn havoc_shared(ctx: &mut Lowering, lost: Clobber) {
    ctx.calls.has_unknown_effects = true;
    clobber_addressed_records(ctx, lost);
    let is_shared = |id: &PointerId| {
        let offset = ctx.symbols.pointers[id.0];
        ctx.symbols.variable(offset).is_shared
    };
    let pointers = ctx.state.pointers.keys().copied();
    let shared: Vec<PointerId> = pointers.filter(is_shared).collect();
    let target = lost_target(lost);
    let kept: BTreeSet<VariableId> = match target {
        Target::Elsewhere => kept_offsets(ctx, &shared),
        _ => BTreeSet::new(),
    };
    let ids: Vec<VariableId> = ctx.state.integers.keys().copied().collect();
    for id in ids {
        if ctx.symbols.variable(id).is_shared && !kept.contains(&id) {
            assign_integer(ctx, id, Expression::Data);
        }
    }
    havoc_shared_reals(ctx);
    for id in shared {
        ctx.state.pointers.insert(id, target.clone());
    }
}

/// The offsets that pointers keep of which it is lost where they lead: an unknown place needs none, and the pointer may lead
/// where it did. One that is or may be null has none to keep.
fn kept_offsets(ctx: &Lowering, pointers: &[PointerId]) -> BTreeSet<VariableId> {
    let is_null = |id: &PointerId| ctx.state.pointers.get(id) == Some(&Target::Null);
    let offsets = pointers.iter().filter(|id| !is_null(id));
    let offsets = offsets.map(|id| ctx.symbols.pointers[id.0]);
    let is_set = |id: &VariableId| !ctx.state.nullable.contains_key(id);
    offsets.filter(is_set).collect()
}

/// Where a pointer leads that was lost: a call that is not followed yields blocks of its own, text that is not understood
/// any.
fn lost_target(lost: Clobber) -> Target {
    match lost {
        Clobber::Integers | Clobber::ByCall => Target::Elsewhere,
        Clobber::Everything => Target::Ambiguous,
    }
}

fn changed_slots(ctx: &mut Lowering, mentions: &NameUses) -> Vec<Slot> {
    let names: Vec<&Name> = mentions.changed.iter().collect();
    let slots = names.into_iter().filter_map(|name| ctx.lookup(name));
    slots
        .filter(|slot| matches!(slot, Slot::Integer(..) | Slot::Pointer(..) | Slot::Real(..)))
        .collect()
}

/// The state at the head of a loop that may change these names, before its body is lowered: values that the text may
/// change are no longer constants.
pub(crate) fn state_at_loop_head(ctx: &mut Lowering, mentions: &NameUses) -> AbstractState {
    let mut state = ctx.state.clone();
    for slot in changed_slots(ctx, mentions) {
        let id = match slot {
            Slot::Integer(id, _) => id,
            Slot::Pointer(id, _) => ctx.symbols.pointers[id.0],
            // Whether it is a constant in some iteration is determined by the passes.
            Slot::Real(id, _) if !ctx.program.is_dense() => {
                state.reals.insert(id, RealKnowledge::General);
                continue;
            }
            _ => continue,
        };
        if let Some(IntegerKnowledge::Symbolic(_)) = state.integers.get(&id) {
            state.integers.insert(id, IntegerKnowledge::Exact);
        }
    }
    state
}
