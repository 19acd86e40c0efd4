//! Arrays: the rows of declared and allocated arrays, with their place in the layout.

use crate::call_stack::Frame;
use crate::context::Lowering;
use crate::domain::types::Type;
use crate::domain::values::{ArrayRow, Pointer, Slot, Target, Value, is_constant};
use crate::eval::initializer_forms::is_zero_initializer;
use crate::symbol_table::ArrayData;
use crate::syntax::{GlobalName, Initializer, Name, Object, TextRange};
use premiss_tree::{Expression, Storage};
use std::rc::Rc;

/// Names a region after the variable that it is assigned to, preferring the variable of the outermost function.
pub(crate) fn name_allocation(
    ctx: &mut Lowering,
    target: Target,
    name: &Name,
    frame: usize,
    at: Option<TextRange>,
) -> Target {
    let (Target::Fresh(row) | Target::Array(row)) = target else {
        return target;
    };
    let data = &mut ctx.symbols.arrays[row.0];
    if frame < data.frame {
        data.frame = frame;
        data.name = name.clone();
        if let Some(at) = at {
            data.at = at;
            data.order.1 = at;
        }
        data.storage = if frame <= 1 {
            Storage::Local
        } else {
            Storage::Callee
        };
    }
    Target::Array(row)
}

/// A pointer to a new region of `size` bytes that is allocated at this place.
pub(crate) fn allocate_array(ctx: &mut Lowering, size: Option<Expression>, at: TextRange) -> Value {
    let mut key: Vec<TextRange> = ctx.frames.iter().map(|frame| frame.call).collect();
    key.push(at);
    let extent = size.filter(is_constant);
    let row = ctx.symbols.intern_array(
        key,
        ArrayData {
            name: Name::from("allocated"),
            storage: Storage::Callee,
            order: (0, at),
            kind: Type::Void,
            extent,
            at,
            frame: usize::MAX,
            is_used: true,
            is_region: false,
            may_be_missing: false,
            is_renewed: false,
        },
    );
    if ctx.symbols.arrays[row.0].may_be_missing && !is_pointed_to(ctx, row) {
        ctx.symbols.arrays[row.0].may_be_missing = false;
    }
    Value::Pointer(Pointer {
        target: Target::Fresh(row),
        offset: 0.into(),
        pointee: Rc::new(Type::Void),
    })
}

/// Whether something has a pointer to an array, as far as it is known where pointers lead: one that may be null is known by its
/// array alone.
fn is_pointed_to(ctx: &Lowering, row: ArrayRow) -> bool {
    let is_one = |value: &Value| match value {
        Value::Pointer(pointer) => pointer.target.arrays().contains(&row),
        _ => false,
    };
    let is_bound = |frame: &Frame| {
        let mut slots = frame.scopes.iter().flat_map(|scope| scope.values());
        slots.any(|slot| matches!(slot, Slot::Fixed(value) if is_one(value)))
            || frame.result.as_ref().is_some_and(is_one)
    };
    ctx.state.leads_to(row) || ctx.frames.iter().any(is_bound)
}

/// Records the pointers that an array is initialized with.
pub(crate) fn record_pointer_initializer(
    ctx: &mut Lowering,
    row: ArrayRow,
    kind: &Type,
    initializer: Option<&Initializer>,
) {
    if initializer.is_some_and(|x| !is_zero_initializer(x)) && kind.holds_pointer() {
        ctx.symbols.havoc_initial_pointers(row);
    }
}

/// The region of a local array of this function.
pub(crate) fn declare_local_array(
    ctx: &mut Lowering,
    name: &Name,
    order: TextRange,
    kind: &Type,
    at: TextRange,
) -> ArrayRow {
    let depth = ctx.frames.len();
    let storage = if depth <= 1 {
        Storage::Local
    } else {
        Storage::Callee
    };
    let order = (callee_order(ctx), order);
    declare_array(ctx, name, storage, order, kind, at)
}

/// The region of an array with static storage.
pub(crate) fn declare_static_array(
    ctx: &mut Lowering,
    name: &Name,
    order: TextRange,
    kind: &Type,
    at: TextRange,
) -> ArrayRow {
    declare_array(ctx, name, Storage::Global, (0, order), kind, at)
}

/// The separate region that a pointer with static storage leads to on entry.
pub(crate) fn pointed_global_array(
    ctx: &mut Lowering,
    object: &Object,
    pointee: &Rc<Type>,
) -> ArrayRow {
    let data = ArrayData {
        name: object.name.clone(),
        storage: Storage::Global,
        order: (0, object.at),
        kind: (**pointee).clone(),
        extent: None,
        at: object.at,
        frame: 0,
        is_used: false,
        is_region: false,
        may_be_missing: false,
        is_renewed: false,
    };
    ctx.symbols.intern_array(vec![object.at], data)
}

fn declare_array(
    ctx: &mut Lowering,
    name: &Name,
    storage: Storage,
    order: (usize, TextRange),
    kind: &Type,
    at: TextRange,
) -> ArrayRow {
    let extent = kind.size().filter(is_constant);
    let data = ArrayData {
        name: name.clone(),
        storage,
        order,
        kind: kind.clone(),
        extent,
        at,
        frame: ctx.frames.len(),
        is_used: storage != Storage::Global,
        is_region: false,
        may_be_missing: false,
        is_renewed: false,
    };
    ctx.symbols.intern_array(vec![at], data)
}

/// The position of the current function in the order of first calls.
fn callee_order(ctx: &mut Lowering) -> usize {
    let frame = ctx.frame();
    let name = GlobalName {
        unit: frame.unit,
        name: frame.function.clone(),
    };
    match ctx
        .symbols
        .callees
        .iter()
        .position(|callee| *callee == name)
    {
        Some(idx) => idx,
        None => {
            ctx.symbols.callees.push(name);
            ctx.symbols.callees.len() - 1
        }
    }
}
