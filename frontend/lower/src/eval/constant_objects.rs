//! Objects that never change: their contents, from their initializers.
//!
//! An object never changes if it is declared `const` (storing to it is undefined), or if it is a local or `static`
//! object that the text only loads scalars from: nothing stores to a part of it, takes its address, or passes it on.

use crate::context::Lowering;
use crate::domain::constant_image::Image;
use crate::domain::types::Type;
use crate::domain::values::ArrayRow;
use crate::eval::constant_uses::{is_only_loaded, only_loads};
use crate::eval::file_scope::at_file_scope;
use crate::eval::initializers::write_image;
use crate::syntax::{GlobalName, Initializer, Lifetime, Object};
use std::rc::Rc;

/// The maximum size in bytes of an object whose contents are kept.
const MAX_IMAGE_BYTES: i64 = 1 << 24;

/// Records the contents of a local object that never changes.
pub(crate) fn record_constant_object(
    ctx: &mut Lowering,
    row: ArrayRow,
    object: &Object,
    kind: &Type,
) {
    let facts = ctx.frame().facts.clone();
    let is_constant = object.is_const || only_loads(&facts, &object.name, kind);
    if !is_constant || object.is_volatile {
        return;
    }
    let image = match object.lifetime {
        // Its initializer has the same value in every call.
        Lifetime::Static => {
            let (program, images) = (ctx.program, ctx.images);
            images.get_or_find(program, object.at, || constant_image(ctx, object, kind))
        }
        _ => constant_image(ctx, object, kind),
    };
    store_image(ctx, row, image);
}

/// Records the contents of an object at file scope that never changes.
pub(crate) fn record_global_constant(
    ctx: &mut Lowering,
    row: ArrayRow,
    owner: &GlobalName,
    object: &Object,
    kind: &Type,
) {
    let (program, images) = (ctx.program, ctx.images);
    let image = images.get_or_find(program, object.at, || {
        let is_constant = object.is_const || is_only_loaded(program, owner, object, kind);
        if !is_constant || object.is_volatile {
            return None;
        }
        at_file_scope(ctx, owner.unit, |ctx| Ok(constant_image(ctx, object, kind)))?
    });
    store_image(ctx, row, image);
}

/// Records the contents of an array; they become unknown if it is declared again with other contents.
fn store_image(ctx: &mut Lowering, row: ArrayRow, image: Option<Rc<Image>>) {
    let images = &mut ctx.constants.images;
    let is_other = images.get(&row).is_some_and(|known| match (known, &image) {
        (Some(known), Some(image)) => !Rc::ptr_eq(known, image) && !known.is_same(image),
        _ => true,
    });
    if is_other {
        images.insert(row, None);
    } else if image.is_some() {
        images.insert(row, image);
    }
}

/// The initial contents of an object, as far as they are integers.
fn constant_image(ctx: &mut Lowering, object: &Object, kind: &Type) -> Option<Rc<Image>> {
    let initializer = object.initializer.as_ref()?;
    let is_list = matches!(initializer, Initializer::List(_));
    let size = kind.size().and_then(|size| size.as_integer())?;
    if !is_list || !kind.holds_integer() || !(1..=MAX_IMAGE_BYTES).contains(&size) {
        return None;
    }
    let mut image = Image::new(usize::try_from(size).ok()?);
    let work = ctx.budget.work;
    let checkpoint = ctx.checkpoint();
    let written = ctx.in_block(|ctx| {
        write_image(ctx, kind, initializer, &mut image);
        Ok(())
    });
    ctx.roll_back(&checkpoint);
    // The work is shared by the whole program, so it does not count for the function that needs it first.
    ctx.budget.work = work;
    written.ok().map(|_| Rc::new(image))
}
