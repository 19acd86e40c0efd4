//! Definitions and uses of scalar variables, recorded beside the operations on them.
//!
//! The values that an iteration needs from the previous one follow from uses that precede definitions: in `t = a[i];
//! a[i] = p; p = t` that is `p`. A variable is identified by its name; any other use, through a pointer or as a part
//! of a whole struct, is veiled.

use crate::context::Lowering;
use crate::domain::types::Type;
use crate::domain::values::{Place, Slot, Target};
use crate::output::literals::is_constant_name;
use crate::output::operation_recorder::{ScalarKey, operands_of, operands_of_type};
use crate::output::operation_rows::current_arithmetic;
use crate::output::scalar_updates::ScalarUpdate;
use crate::syntax::{Expression as Syntax, ExpressionKind, Name};
use premiss_tree::{Combination, Expression, Node, Operands, Scalar, ScalarId, Write};

/// Records that an lvalue, evaluated to this place, is read.
pub(crate) fn record_use(ctx: &mut Lowering, syntax: &Syntax, place: &Place) {
    if !ctx.program.has_operations() {
        return;
    }
    match (&syntax.kind, place) {
        (ExpressionKind::Name(name), Place::Slot(slot)) => record_read(ctx, name, slot),
        (ExpressionKind::CompoundLiteral(..), _) => {}
        (_, place) => {
            if let Some(id) = scalar_of_member(ctx, place) {
                record_scalar_read(ctx, id);
            } else if is_veiled(place) {
                current_arithmetic(ctx).is_veiled = true;
            }
        }
    }
}

/// Records that the value of a variable is read.
pub(crate) fn record_read(ctx: &mut Lowering, name: &Name, slot: &Slot) {
    if !ctx.program.has_operations() {
        return;
    }
    let value = match slot {
        Slot::Fixed(value) => operands_of(value),
        Slot::Record(..) => {
            current_arithmetic(ctx).is_veiled = true;
            None
        }
        slot => operands_of_slot(slot),
    };
    let Some(holds) = value else { return };
    if !is_constant_name(ctx, name) {
        let id = scalar_of_name(ctx, name, holds);
        record_scalar_read(ctx, id);
    }
}

fn record_scalar_read(ctx: &mut Lowering, id: ScalarId) {
    let here = current_arithmetic(ctx);
    *here.reads.entry(id).or_default() += 1;
    if !here.writes.contains_key(&id) {
        here.needs.insert(id);
    }
}

/// Records that an lvalue, evaluated to this place, is written.
pub(crate) fn record_definition(
    ctx: &mut Lowering,
    syntax: &Syntax,
    place: &Place,
    update: ScalarUpdate,
) {
    if !ctx.program.has_operations() {
        return;
    }
    if let (ExpressionKind::Name(name), Place::Slot(slot)) = (&syntax.kind, place) {
        record_write(ctx, name, slot, update);
    } else if let Some(id) = scalar_of_member(ctx, place) {
        record_scalar_write(ctx, id, update);
    } else if is_veiled(place) {
        current_arithmetic(ctx).is_veiled = true;
    } else if let (Place::Element { .. }, Some(combination)) = (place, update.combines) {
        record_combination(ctx, combination);
    }
}

/// Records that a variable is written.
pub(crate) fn record_write(ctx: &mut Lowering, name: &Name, slot: &Slot, update: ScalarUpdate) {
    if !ctx.program.has_operations() {
        return;
    }
    if matches!(slot, Slot::Record(..)) {
        current_arithmetic(ctx).is_veiled = true;
    }
    if let Some(holds) = operands_of_slot(slot) {
        let id = scalar_of_name(ctx, name, holds);
        record_scalar_write(ctx, id, update);
    }
}

fn record_scalar_write(ctx: &mut Lowering, id: ScalarId, update: ScalarUpdate) {
    let write = Write {
        times: 0,
        combines: update.combines,
        with: update.with,
    };
    let here = current_arithmetic(ctx).writes.entry(id).or_insert(write);
    here.times += 1;
    here.with = here.with.max(update.with);
    if here.combines != update.combines {
        here.combines = None;
    }
}

/// Records how the last store combines values.
fn record_combination(ctx: &mut Lowering, combination: Combination) {
    let Some(Node::Access(id)) = ctx.tree.block.last() else {
        return;
    };
    if let Some(row) = ctx.tree.references.get_mut(id.as_u32() as usize) {
        row.combines = Some(combination);
    }
}

/// Records that a name is declared while another variable of that name is in scope.
pub(crate) fn record_shadowing(ctx: &mut Lowering, name: &Name) {
    let scopes = &ctx.frame().scopes;
    let around = scopes.split_last().map_or(&[][..], |(_, around)| around);
    if around.iter().any(|scope| scope.contains_key(name)) {
        let id = scalar_row(
            ctx,
            ScalarKey::Named(ctx.frames.len(), name.clone()),
            name,
            Operands::Integer(64),
        );
        ctx.tree.operations.scalars[id.as_u32() as usize].is_shadowed = true;
    }
}

fn scalar_of_name(ctx: &mut Lowering, name: &Name, holds: Operands) -> ScalarId {
    let scopes = &ctx.frame().scopes;
    let depth = match scopes.iter().any(|scope| scope.contains_key(name)) {
        true => ctx.frames.len(),
        false => 0,
    };
    let id = scalar_row(ctx, ScalarKey::Named(depth, name.clone()), name, holds);
    ctx.tree.operations.scalars[id.as_u32() as usize].holds = holds;
    id
}

/// The member of a struct in registers at a place.
fn scalar_of_member(ctx: &mut Lowering, place: &Place) -> Option<ScalarId> {
    let Place::Element {
        target: Target::Register(row),
        offset: Expression::Integer(offset),
        kind,
        ..
    } = place
    else {
        return None;
    };
    let holds = operands_of_type(kind).filter(|_| !matches!(kind, Type::Pointer(_)))?;
    let name = ctx.symbols.arrays[row.0].name.clone();
    let id = scalar_row(ctx, ScalarKey::Member(*row, *offset), &name, holds);
    ctx.tree.operations.scalars[id.as_u32() as usize].is_member = true;
    Some(id)
}

fn scalar_row(ctx: &mut Lowering, key: ScalarKey, name: &Name, holds: Operands) -> ScalarId {
    let next = ctx.tree.operations.scalars.len();
    let next = ScalarId::from_u32(u32::try_from(next).unwrap_or(u32::MAX));
    let id = *ctx.tree.operations.scalar_rows.entry(key).or_insert(next);
    if id == next {
        ctx.tree.operations.scalars.push(Scalar {
            name: name.to_string(),
            holds,
            is_member: false,
            is_shadowed: false,
        });
    }
    id
}

/// The operand type of a variable, if it is a number.
fn operands_of_slot(slot: &Slot) -> Option<Operands> {
    match slot {
        Slot::Integer(_, kind) => Some(Operands::Integer(kind.bits)),
        Slot::Real(_, kind) | Slot::Data(Type::Floating(kind)) => Some(kind.operands()),
        _ => None,
    }
}

/// Whether a place is a variable that is not identified by a name.
fn is_veiled(place: &Place) -> bool {
    match place {
        Place::Slot(slot) => matches!(slot, Slot::Record(..)) || operands_of_slot(slot).is_some(),
        Place::Element { target, kind, .. } => {
            matches!(target, Target::Register(_)) && !matches!(kind, Type::Pointer(_))
        }
        Place::Nowhere(_) => false,
    }
}
