//! A procedure as a function: its parameters, its variables, its body.
//!
//! Parameters are in the order scalars, extents, arrays, so that the bounds of an array can use the scalars before it;
//! a function with an array result has a descriptor of the result after them.

use crate::array_descriptors::{extent_name, lower_bound_name};
use crate::build;
use crate::names::{ArgumentPassing, Entity, FortranType, Procedure, StorageArea, Symbol};
use crate::syntax::visit::statements;
use crate::syntax::{NameKey, StatementKind as Fortran, UnitKind};
use crate::translate::arrays::array_types;
use crate::translate::calls::function_results;
use crate::translate::context::Translator;
use crate::translate::entry_values::EntryFrame;
use crate::translate::environment::ProcedureInTranslation;
use crate::translate::objects;
use premiss_ast::structured_loops;
use premiss_ast::syntax::{
    Function, Lifetime, Linkage, Name, Object, Parameter, Signature, Statement, StatementKind,
    TextRange, TypeName,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The procedure as a function.
pub(crate) fn function(ctx: &mut Translator) -> Option<Function> {
    let ProcedureInTranslation {
        ast,
        interface: called,
    } = ctx.env.procedure?;
    let is_function = ast.kind == UnitKind::Function;
    let (parameters, order) = parameters(ctx, called);
    let (constants, locals) = locals(ctx);
    let mut rest = locals;
    rest.extend(function_results::allocate_result(ctx).into_iter().flatten());
    rest.extend(ctx.statements(&ast.body));
    let mut list = constants;
    let entry = ctx.entries.pop();
    list.extend(entry.into_iter().flat_map(EntryFrame::into_constants));
    list.append(&mut rest);
    let end = TextRange {
        start: ast.at.end,
        ..ast.at
    };
    let end = match ast.body.last() {
        Some(last) => TextRange {
            start: last.at.end,
            ..last.at
        },
        None => end,
    };
    let result = function_results::result_value(ctx, end);
    if is_function && result.is_some() {
        list.push(build::statement(end, StatementKind::Return(result)));
    }
    let kind = match &called.summary.interface.result {
        (kind, 0) if is_function => kind.name(),
        _ => Arc::new(TypeName::Void),
    };
    let body_at = ast.at.to(end);
    Some(Function {
        name: called.name.clone(),
        at: ast.name.at,
        signature: Arc::new(Signature {
            result: kind,
            parameters,
            order,
        }),
        linkage: match ast.kind {
            UnitKind::Program => Linkage::Internal,
            _ => Linkage::External,
        },
        body: structured_loops(build::statement(body_at, StatementKind::Block(list))),
        assumed_types: Vec::new(),
        assumed_kinds: ctx.env.scope.all_assumed_kinds(),
    })
}

/// Parameters by group, in the order of the dummy arguments.
#[derive(Default)]
struct ParameterGroups {
    scalars: Vec<Parameter>,
    extents: Vec<Parameter>,
    arrays: Vec<Parameter>,
}

/// The parameters of a procedure, scalars first, with the index among them of the parameter of each dummy argument.
fn parameters(ctx: &mut Translator, procedure: &Procedure) -> (Vec<Parameter>, Vec<usize>) {
    let n_dummies = procedure.passing.len();
    let mut dummies_at = Vec::new();
    let dummies = procedure.summary.interface.dummies.iter().flatten();
    let dummies = dummies.map(|dummy| dummy.key.clone());
    let mut all: Vec<(NameKey, ArgumentPassing)> =
        dummies.zip(procedure.passing.iter().copied()).collect();
    all.extend(procedure.host_associated.iter().cloned());
    let mut groups = ParameterGroups::default();
    for (idx, (key, passing)) in all.into_iter().enumerate() {
        if idx < n_dummies {
            let (n_scalars, n_arrays) = (groups.scalars.len(), groups.arrays.len());
            dummies_at.push((passing.is_array(), n_scalars, n_arrays));
        }
        if let Some(symbol) = ctx.env.symbol(&key) {
            add_parameters(ctx, &symbol, passing, &mut groups);
        }
    }
    let ParameterGroups {
        scalars,
        extents,
        arrays,
    } = groups;
    let first_array = scalars.len() + extents.len();
    let place = |(is_array, n_scalars, n_arrays)| match is_array {
        true => first_array + n_arrays,
        false => n_scalars,
    };
    let order: Vec<usize> = dummies_at.into_iter().map(place).collect();
    let is_in_order = order.iter().enumerate().all(|(idx, place)| idx == *place);
    let result = function_results::result_parameters(&ctx.env);
    let all = scalars.into_iter().chain(extents).chain(arrays);
    let order = if is_in_order { Vec::new() } else { order };
    (all.chain(result).collect(), order)
}

/// Adds the parameters for a dummy argument or a variable of the host.
fn add_parameters(
    ctx: &mut Translator,
    symbol: &Symbol,
    passing: ArgumentPassing,
    groups: &mut ParameterGroups,
) {
    let parameter = |name: Name, kind: Arc<TypeName>| Parameter {
        name: Some(name),
        at: symbol.at,
        kind,
    };
    let reference = |kind| Arc::new(TypeName::Reference(kind));
    let variable = match &symbol.entity {
        Entity::Variable(variable) => Some(variable.clone()),
        _ => None,
    };
    let element = variable.as_ref();
    let element = element.map_or(FortranType::Unknown, |x| x.kind.clone());
    let name = symbol.name.clone();
    match passing {
        ArgumentPassing::Value => groups.scalars.push(parameter(name, element.name())),
        ArgumentPassing::Procedure => groups.scalars.push(parameter(name, procedure_pointer())),
        ArgumentPassing::Reference => {
            groups
                .scalars
                .push(parameter(name, reference(element.name())));
        }
        ArgumentPassing::Array => {
            let shape = variable.as_ref().and_then(|x| x.shape.clone());
            let kind = shape.and_then(|shape| array_types::array_type(ctx, &element, &shape));
            let kind = kind.unwrap_or_else(|| element.pointer());
            groups.arrays.push(parameter(name, kind));
        }
        ArgumentPassing::Descriptor(rank) => {
            for dimension in 0..rank {
                let (extent, lower) = (
                    extent_name(&name, dimension),
                    lower_bound_name(&name, dimension),
                );
                for bound in [extent, lower] {
                    groups
                        .extents
                        .push(parameter(bound, reference(build::long_name())));
                }
            }
            groups
                .arrays
                .push(parameter(name, reference(element.pointer())));
        }
        ArgumentPassing::Shaped(rank) => {
            for dimension in 0..rank {
                let extent = extent_name(&symbol.name, dimension);
                groups.extents.push(parameter(extent, build::long_name()));
            }
            groups.arrays.push(parameter(name, element.pointer()));
        }
    }
}

/// The constants and the other variables of the procedure, without those of its blocks.
fn locals(ctx: &mut Translator) -> (Vec<Statement>, Vec<Statement>) {
    let scope = ctx.env.scope.clone();
    let mut constants = Vec::new();
    let mut scalars = Vec::new();
    let mut arrays = Vec::new();
    for area in scope.areas.values().filter(|area| !area.is_common) {
        constants.push(static_area(area));
        for item in &area.items {
            if let Some(item) = ctx.env.index.areas.scalar(area, item.offset) {
                scalars.push(build::object(item.at, &item.name, item.kind.name(), None));
            }
        }
    }
    let of_blocks = names_of_blocks(ctx);
    for (key, symbol) in scope.own_symbols() {
        match &symbol.entity {
            Entity::Constant {
                kind,
                value,
                is_array,
                ..
            } => constants.extend(objects::named_constant(ctx, symbol, kind, value, *is_array)),
            Entity::Variable(variable) if !of_blocks.contains(key) => {
                let group = match variable.shape {
                    None => &mut scalars,
                    Some(_) => &mut arrays,
                };
                group.append(&mut objects::local_variable(ctx, key, symbol, variable));
            }
            _ => {}
        }
    }
    let declare = |object: Object| {
        let at = object.at;
        build::declare(at, object)
    };
    let constants = constants.into_iter().map(declare);
    let others = scalars.into_iter().chain(arrays).map(declare);
    (constants.collect(), others.collect())
}

/// The names that `BLOCK` constructs declare.
fn names_of_blocks(ctx: &Translator) -> BTreeSet<NameKey> {
    let mut names = BTreeSet::new();
    if let Some(procedure) = ctx.env.procedure {
        statements(&procedure.ast.body, &mut |one| {
            if let Fortran::Block(block) = &one.kind {
                names.extend(block.declared.iter().cloned());
            }
        });
    }
    names
}

fn static_area(area: &StorageArea) -> Object {
    Object {
        lifetime: Lifetime::Static,
        ..build::object(area.at, &area.name, build::bytes(area.size), None)
    }
}

fn procedure_pointer() -> Arc<TypeName> {
    let signature = Signature {
        result: Arc::new(TypeName::Void),
        parameters: Vec::new(),
        order: Vec::new(),
    };
    Arc::new(TypeName::Pointer(Arc::new(TypeName::Function(Arc::new(
        signature,
    )))))
}
