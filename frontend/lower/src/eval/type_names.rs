//! Type names, and the types of expressions.

use crate::bailout::Lowered;
use crate::context::Lowering;
use crate::domain::types::{NumberType, Type, decay_type};
use crate::domain::values::{Place, Slot, as_offset, place_type};
use crate::eval::rejections::reject_unsupported;
use crate::eval::struct_layouts::{enumeration_type, struct_layout, vector_type};
use crate::eval::undeclared_types::undeclared_type;
use crate::eval::variables::pin_value;
use crate::output::operations::with_role;
use crate::syntax::{Expression as Syntax, Name, TextRange, TypeName};
use premiss_tree::{Expression, Role};
use std::rc::Rc;
use std::sync::Arc;

/// The type that a type name denotes here; evaluates array lengths.
pub(crate) fn resolve_type(ctx: &mut Lowering, name: &TypeName) -> Lowered<Type> {
    Ok(match name {
        TypeName::Void => Type::Void,
        TypeName::Integer(kind) => Type::Integer(*kind),
        TypeName::Bool => Type::Bool,
        TypeName::Floating(size) => Type::Floating(NumberType::real(*size)),
        TypeName::Complex(part) => Type::Floating(NumberType::complex(*part)),
        TypeName::Vector(bytes) => vector_type(ctx, bytes)?,
        TypeName::Aligned(inner, _) => ctx.resolve(inner)?,
        TypeName::Enumeration(values) => Type::Integer(enumeration_type(ctx, values)?),
        TypeName::Pointer(inner) | TypeName::Reference(inner) => {
            Type::Pointer(Rc::new(ctx.resolve(inner)?))
        }
        TypeName::Function(_) => Type::Function,
        TypeName::Undeclared(name) => undeclared_type(ctx, name),
        TypeName::Unknown(name) => Type::Unknown(name.clone()),
        TypeName::TypeOf(syntax) => ctx.type_of(syntax)?,
        TypeName::Struct(id) => match struct_layout(ctx, *id)? {
            Some(layout) => Type::Struct(*id, layout),
            None => Type::Unknown("struct".into()),
        },
        TypeName::Array(element, length) => {
            let length = match length {
                Some(syntax) => Some(lower_array_length(ctx, syntax)?),
                None => None,
            };
            Type::Array(Rc::new(ctx.resolve(element)?), length)
        }
    })
}

fn lower_array_length(
    ctx: &mut Lowering,
    syntax: &crate::syntax::Expression,
) -> Lowered<Expression> {
    let value = with_role(ctx, Role::Index, |ctx| ctx.expression(syntax))?;
    let length = as_offset(value);
    Ok(pin_value(ctx, length, "length"))
}

/// The type of an expression, which is not evaluated.
pub(crate) fn type_of_expression(ctx: &mut Lowering, syntax: &Syntax) -> Lowered<Type> {
    let checkpoint = ctx.checkpoint();
    let result = ctx.in_block(|ctx| match ctx.place(syntax)? {
        Place::Slot(Slot::Fixed(value)) => Ok(value.kind()),
        place => Ok(place_type(&place)),
    });
    ctx.roll_back(&checkpoint);
    Ok(result?.1)
}

/// The selection of `_Generic`: the first association with the type of the controlling expression.
pub(crate) fn select_generic<'s>(
    ctx: &mut Lowering,
    control: &Syntax,
    list: &'s [(Option<Arc<TypeName>>, Syntax)],
) -> Lowered<Option<&'s Syntax>> {
    let control = decay_type(ctx.type_of(control)?);
    for (kind, selected) in list {
        if let Some(kind) = kind
            && ctx.resolve(kind)? == control
        {
            return Ok(Some(selected));
        }
    }
    let default = list.iter().find(|(kind, _)| kind.is_none());
    Ok(default.map(|(_, selected)| selected))
}

/// The type of a `_Generic` without a matching association.
pub(crate) fn reject_generic(ctx: &mut Lowering, at: TextRange) -> Type {
    reject_unsupported(ctx, "a `_Generic` that no type selects from", at);
    Type::Unknown(Name::from("_Generic"))
}
