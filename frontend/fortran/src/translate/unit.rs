//! A file as a unit of the program.

use crate::build;
use crate::names::{Entity, FileDefinitions, ParsedFile, ProgramIndex, Storage};
use crate::translate::context::Translator;
use crate::translate::{objects, procedures};
use premiss_ast::syntax::{Declaration, Item, Lifetime, Notation, Object, Unit};
use std::sync::Arc;

/// Translates a file.
pub(crate) fn unit(index: &ProgramIndex, source: &ParsedFile, own: &FileDefinitions) -> Unit {
    let mut items = Vec::new();
    items.extend(areas(index, source).into_iter().map(declaration));
    items.extend(module_variables(index, source).into_iter().map(declaration));
    for ((id, _), written) in index.of_unit(source.unit).zip(&own.procedures) {
        let function = procedures::function(&mut Translator::for_procedure(
            index,
            id,
            written,
            source.text,
        ));
        items.extend(function.map(|function| Item::Function(Arc::new(function))));
    }
    Unit {
        items,
        structs: own.structs.clone(),
        has_error: !source.file.errors.is_empty(),
        notation: Notation::Fortran,
    }
}

fn declaration(object: Object) -> Item {
    Item::Declaration(Declaration::Object(object))
}

/// An object whose initial value is unknown, as other files may store to it.
fn elsewhere(object: Object) -> Object {
    Object {
        lifetime: Lifetime::Extern,
        ..object
    }
}

/// The COMMON blocks that this file declares first, and their scalars.
fn areas(index: &ProgramIndex, source: &ParsedFile) -> Vec<Object> {
    let mut list = Vec::new();
    for (name, (size, at)) in &index.areas.areas {
        if at.unit != source.unit {
            continue;
        }
        list.push(elsewhere(build::object(
            *at,
            name,
            build::bytes(*size),
            None,
        )));
        for item in index.areas.scalars(name) {
            list.push(elsewhere(build::object(
                item.at,
                &item.name,
                item.kind.name(),
                None,
            )));
        }
    }
    list
}

/// The variables and constants of the modules in this file.
fn module_variables(index: &ProgramIndex, source: &ParsedFile) -> Vec<Object> {
    let mut list = Vec::new();
    for (unit, scope) in index.modules.values() {
        if *unit != source.unit {
            continue;
        }
        let mut translator = Translator::for_module(index, scope.clone(), source.text);
        for (_, symbol) in scope.own_symbols() {
            match &symbol.entity {
                Entity::Constant {
                    kind,
                    value,
                    is_array,
                    ..
                } => list.extend(objects::named_constant(
                    &mut translator,
                    symbol,
                    kind,
                    value,
                    *is_array,
                )),
                Entity::Variable(variable) if variable.storage == Storage::Module => {
                    let objects = objects::objects(&mut translator, symbol, variable);
                    list.extend(objects.into_iter().map(elsewhere));
                }
                _ => {}
            }
        }
    }
    list.sort_by_key(|object| object.at);
    list
}
