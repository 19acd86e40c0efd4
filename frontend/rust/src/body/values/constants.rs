//! Constants of the program and of blocks, and their initializers.

use crate::ast_builder;
use crate::body::context::Body;
use crate::body::values::places;
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::{Declaration, Initializer, Lifetime, Object, StatementKind, TextRange};
use std::sync::Arc;

/// A constant that a body declares.
pub(crate) fn local_constant<'a>(
    ctx: &mut Body<'a, '_>,
    name: &str,
    kind: &'a syn::Type,
    value: &'a syn::Expr,
    at: TextRange,
) {
    let scope = ctx.substitution.clone();
    let kind = ctx.program.resolve(kind, &scope);
    let memory = ctx.memory_type(&kind);
    let initializer = constant_initializer(ctx, value, &kind);
    let object = Object {
        name: name.into(),
        at,
        kind: Arc::new(kind.variable(memory)),
        lifetime: Lifetime::Automatic,
        is_const: true,
        is_volatile: false,
        initializer: Some(initializer),
    };
    if let Some(block) = ctx.block_names.last_mut() {
        block.insert(name.into());
    }
    let list = vec![Declaration::Object(object)];
    ctx.emit(ast_builder::statement(
        at,
        StatementKind::Declarations(list),
    ));
    let place = ast_builder::name(at, &name.into());
    let found = places::value_at(ctx, place, &kind);
    ctx.environment.bind(name.to_owned(), found);
}

/// The initial value of a constant.
pub(crate) fn constant_initializer<'a>(
    ctx: &mut Body<'a, '_>,
    value: &'a syn::Expr,
    kind: &Ty,
) -> Initializer {
    match (value, kind) {
        (syn::Expr::Array(list), Ty::Array(element, _)) => {
            let parts = list.elems.iter().map(|part| premiss_ast::syntax::Part {
                designators: Vec::new(),
                value: constant_initializer(ctx, part, element),
            });
            Initializer::List(parts.collect())
        }
        (syn::Expr::Reference(inner), Ty::Pointer(kind)) => {
            constant_initializer(ctx, &inner.expr, kind)
        }
        (value, _) => {
            let at = ctx.at(value);
            let found = ctx.emit_nothing(|ctx| ctx.expression(value, Some(kind)));
            Initializer::Expression(match found {
                Value::Plain(found, _) => found,
                _ => ctx.unknown_integer(at),
            })
        }
    }
}

/// A constant or static of the program.
pub(crate) fn constant_value<'a>(
    ctx: &mut Body<'a, '_>,
    constant: usize,
    at: TextRange,
) -> Value<'a> {
    let item = &ctx.program.index.constants[constant];
    let name = item.name.clone();
    let kind = ctx.program.constant_type(constant);
    let place = ast_builder::name(at, &name.into());
    places::value_at(ctx, place, &kind)
}
