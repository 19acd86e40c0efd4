//! Derived types: their components, those of the parent type first, and their structs.

use super::builder::ScopeBuilder;
use crate::array_descriptors::{extent_name, lower_bound_name};
use crate::build;
use crate::names::constants;
use crate::names::symbols::{
    ArraySpec, BoundProcedure, DerivedType, Entity, Storage, Symbol, Variable, constructor_key,
};
use crate::names::types::FortranType;
use crate::syntax::{DerivedType as DerivedTypeDefinition, NameKey, ProcedureBinding};
use premiss_ast::syntax::{Attributes, Field, Name, Struct, StructId, TextRange, TypeName};
use std::sync::Arc;

/// Defines a derived type and its struct.
pub(super) fn derived_type(builder: &mut ScopeBuilder, found: &DerivedTypeDefinition) {
    let id = StructId {
        unit: builder.enclosing.unit,
        row: builder.enclosing.structs.len(),
    };
    builder.enclosing.structs.push(Struct::default());
    let parent = found.extends.as_ref();
    let parent = parent.and_then(|key| match &builder.scope.lookup(key)?.entity {
        Entity::DerivedType(parent) => Some(parent.clone()),
        _ => None,
    });
    let (mut members, mut bindings, mut generics) = match parent {
        Some(parent) => (
            parent.members.clone(),
            parent.bindings.clone(),
            parent.generics.clone(),
        ),
        None => Default::default(),
    };
    bindings.extend(
        found
            .bindings
            .iter()
            .map(|one| bound_procedure(builder, one)),
    );
    generics.extend(found.generics.iter().cloned());
    // A type may contain pointers to itself.
    let placeholder = |members: Vec<_>| {
        Entity::DerivedType(Arc::new(DerivedType {
            id,
            members,
            bindings: bindings.clone(),
            generics: generics.clone(),
            parent: found.extends.clone(),
        }))
    };
    let symbol = Symbol {
        name: builder.source_name(found.name.at),
        at: found.name.at,
        entity: placeholder(members.clone()),
        is_imported: false,
        is_undeclared: false,
    };
    let key = found.name.key.clone();
    let before = builder.scope.symbols.remove(&key);
    if let Some(generic) = before.filter(|one| matches!(one.entity, Entity::Generic(_))) {
        builder.scope.symbols.insert(constructor_key(&key), generic);
    }
    builder.scope.symbols.insert(key.clone(), symbol.clone());
    members.extend(own_components(builder, found));
    let fields = members
        .iter()
        .map(|(_, name, variable)| fields(builder, name, variable));
    let fields: Option<Vec<Vec<Field>>> = fields.collect();
    let fields = fields.map(|list| list.into_iter().flatten().collect());
    builder.enclosing.structs[id.row] = Struct {
        fields,
        is_at_file_scope: true,
        ..Struct::default()
    };
    let entity = placeholder(members);
    builder
        .scope
        .symbols
        .insert(key, Symbol { entity, ..symbol });
}

/// A type-bound procedure with the procedure that its target denotes where the type is defined.
fn bound_procedure(builder: &ScopeBuilder, binding: &ProcedureBinding) -> BoundProcedure {
    let target = builder.scope.lookup(&binding.target);
    BoundProcedure {
        name: binding.name.clone(),
        procedure: match target.map(|symbol| &symbol.entity) {
            Some(Entity::Procedure(id)) => Some(*id),
            _ => None,
        },
        target: binding.target.clone(),
        passed: binding.passed.clone(),
    }
}

/// The components that a type itself declares, in order.
fn own_components(
    builder: &mut ScopeBuilder,
    found: &DerivedTypeDefinition,
) -> Vec<(NameKey, Name, Arc<Variable>)> {
    let outer = std::mem::take(&mut builder.attributes);
    let outer_order = std::mem::take(&mut builder.order);
    builder.specifications(&found.members);
    let mut own = std::mem::replace(&mut builder.attributes, outer);
    let order = std::mem::replace(&mut builder.order, outer_order);
    let mut components = Vec::new();
    for key in order {
        if let Some(facts) = own.remove(&key) {
            let at = facts.at.unwrap_or(found.name.at);
            let variable = builder.variable(&key, facts, Storage::Member);
            components.push((key, builder.source_name(at), Arc::new(variable)));
        }
    }
    components
}

/// A component as members of a struct; `None` if its size is not known.
pub(super) fn fields(
    builder: &ScopeBuilder,
    name: &Name,
    variable: &Variable,
) -> Option<Vec<Field>> {
    let element = variable.kind.name();
    let scalar = || match variable.kind {
        FortranType::Character(length) => length.map(build::bytes),
        _ => Some(element.clone()),
    };
    let kind = match &variable.shape {
        None if variable.is_allocatable || variable.is_pointer => {
            Arc::new(TypeName::Pointer(element))
        }
        None => scalar()?,
        Some(ArraySpec::Explicit(bounds)) => {
            let mut kind = scalar()?;
            for (lower, upper) in bounds {
                let lower = lower.as_ref();
                let lower = lower.map_or(Some(1), |x| constants::integer(x, &builder.scope))?;
                let upper = constants::integer(upper.as_ref()?, &builder.scope)?;
                let length = upper.checked_sub(lower)?.checked_add(1)?.max(0);
                kind = Arc::new(TypeName::Array(
                    kind,
                    Some(Arc::new(build::integer(
                        TextRange::start_of(builder.enclosing.unit),
                        length,
                    ))),
                ));
            }
            kind
        }
        Some(shape) => {
            return Some(descriptor(name, element, shape.rank()));
        }
    };
    Some(vec![field(name.clone(), kind)])
}

/// A member of a struct.
pub(super) fn field(name: Name, kind: Arc<TypeName>) -> Field {
    Field {
        name: Some(name),
        kind,
        width: None,
        attributes: Attributes::default(),
    }
}

/// An allocatable component as gfortran lays it out: the address of its elements, 32 bytes on their type, and 24 bytes
/// per dimension. All are scalars, so that a variable of a type with such components is no array.
pub(super) fn descriptor(name: &Name, element: Arc<TypeName>, rank: usize) -> Vec<Field> {
    let mut fields = vec![field(name.clone(), Arc::new(TypeName::Pointer(element)))];
    for word in ["offset", "length", "type", "span"] {
        fields.push(field(
            Name::from(format!("{word}({name})")),
            build::long_name(),
        ));
    }
    for dimension in 0..rank {
        let stride = Name::from(format!("stride({name},{})", dimension + 1));
        fields.push(field(stride, build::long_name()));
        fields.push(field(lower_bound_name(name, dimension), build::long_name()));
        fields.push(field(extent_name(name, dimension), build::long_name()));
    }
    fields
}
