//! Procedures as functions: parameters and variables.

use super::make::{bytes, integer, long_name, object, statement};
use super::place::{extent_name, lower_name};
use super::{Current, Translator};
use crate::names::types::Type;
use crate::names::{Entity, Passing, Procedure, Shape, Storage, Symbol, Variable};
use crate::syntax::{Expr, ExprKind, Key, UnitKind};
use premiss_imperative::plain_loops;
use premiss_imperative::syntax::{
    At, Declaration, Function, Initializer, Lifetime, Linkage, Name, Object, Parameter, Part,
    Signature, Statement, StatementKind, TypeName,
};
use std::sync::Arc;

impl Translator<'_> {
    /// The procedure as a function.
    pub(super) fn function(&mut self) -> Option<Function> {
        let Current { ast, called } = self.procedure?;
        let is_function = ast.kind == UnitKind::Function;
        let (parameters, order) = self.parameters(called);
        let mut list = self.locals();
        list.extend(self.made_result().into_iter().flatten());
        list.extend(self.body_statements());
        let end = At {
            start: ast.at.end,
            ..ast.at
        };
        let end = match ast.body.last() {
            Some(last) => At {
                start: last.at.end,
                ..last.at
            },
            None => end,
        };
        let result = self.result_value(end);
        if is_function && result.is_some() {
            list.push(statement(end, StatementKind::Return(result)));
        }
        let kind = match &called.account.face.result {
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
            body: plain_loops(statement(body_at, StatementKind::Block(list))),
        })
    }

    /// The parameters of a procedure, scalars first, and for each dummy argument the place of its own among them.
    fn parameters(&mut self, procedure: &Procedure) -> (Vec<Parameter>, Vec<usize>) {
        let n_dummies = procedure.passing.len();
        let mut dummies_at = Vec::new();
        let dummies = procedure.account.face.dummies.iter().flatten();
        let dummies = dummies.map(|dummy| dummy.key.clone());
        let mut all: Vec<(Key, Passing)> = dummies.zip(procedure.passing.iter().copied()).collect();
        all.extend(procedure.captured.iter().cloned());
        let (mut scalars, mut extents, mut arrays) = (Vec::new(), Vec::new(), Vec::new());
        for (idx, (key, passing)) in all.into_iter().enumerate() {
            if idx < n_dummies {
                dummies_at.push((passing.is_array(), scalars.len(), arrays.len()));
            }
            let Some(symbol) = self.symbol(&key) else {
                continue;
            };
            let parameter = |name: Name, kind: Arc<TypeName>| Parameter {
                name: Some(name),
                at: symbol.at,
                kind,
            };
            let variable = match &symbol.entity {
                Entity::Variable(variable) => Some(variable.clone()),
                _ => None,
            };
            let element = variable.as_ref().map_or(Type::Unknown, |x| x.kind.clone());
            let name = symbol.name.clone();
            match passing {
                Passing::Value => scalars.push(parameter(name, element.name())),
                Passing::Procedure => scalars.push(parameter(name, procedure_pointer())),
                Passing::Reference => {
                    let kind = Arc::new(TypeName::Reference(element.name()));
                    scalars.push(parameter(name, kind));
                }
                Passing::Array => {
                    let shape = variable.as_ref().and_then(|x| x.shape.clone());
                    let kind = shape.and_then(|shape| self.array_type(&element, &shape));
                    let kind = kind.unwrap_or_else(|| element.pointer());
                    arrays.push(parameter(name, kind));
                }
                Passing::Descriptor(rank) => {
                    let reference = |kind| Arc::new(TypeName::Reference(kind));
                    for dimension in 0..rank {
                        for bound in [extent_name(&name, dimension), lower_name(&name, dimension)] {
                            extents.push(parameter(bound, reference(long_name())));
                        }
                    }
                    arrays.push(parameter(name, reference(element.pointer())));
                }
                Passing::Shaped(rank) => {
                    for dimension in 0..rank {
                        let extent = extent_name(&symbol.name, dimension);
                        extents.push(parameter(extent, long_name()));
                    }
                    arrays.push(parameter(name, element.pointer()));
                }
            }
        }
        let first_array = scalars.len() + extents.len();
        let place = |(is_array, n_scalars, n_arrays)| match is_array {
            true => first_array + n_arrays,
            false => n_scalars,
        };
        let order: Vec<usize> = dummies_at.into_iter().map(place).collect();
        let is_in_order = order.iter().enumerate().all(|(idx, place)| idx == *place);
        let result = self.result_parameters();
        let all = scalars.into_iter().chain(extents).chain(arrays);
        let order = if is_in_order { Vec::new() } else { order };
        (all.chain(result).collect(), order)
    }

    /// The variables of the procedure, constants first.
    fn locals(&mut self) -> Vec<Statement> {
        let scope = self.scope.clone();
        let mut symbols: Vec<(&Key, &Symbol)> = scope.symbols.iter().collect();
        symbols.retain(|(_, symbol)| !symbol.is_imported);
        symbols.sort_by_key(|(key, symbol)| (symbol.at, *key));
        let mut constants = Vec::new();
        let mut scalars = Vec::new();
        let mut arrays = Vec::new();
        for area in scope.areas.values().filter(|area| !area.is_common) {
            constants.push(self.area(area));
            for item in &area.items {
                if let Some(item) = self.index.areas.scalar(area, item.offset) {
                    scalars.push(object(item.at, &item.name, item.kind.name(), None));
                }
            }
        }
        for (key, symbol) in symbols {
            match &symbol.entity {
                Entity::Constant {
                    kind,
                    value,
                    is_array,
                } => constants.extend(self.constant(symbol, kind, value, *is_array)),
                Entity::Variable(variable) => {
                    let group = match variable.shape {
                        None => &mut scalars,
                        Some(_) => &mut arrays,
                    };
                    group.append(&mut self.variable(key, symbol, variable));
                }
                _ => {}
            }
        }
        let all = constants.into_iter().chain(scalars).chain(arrays);
        let all = all.map(|object| {
            let at = object.at;
            let list = vec![Declaration::Object(object)];
            statement(at, StatementKind::Declarations(list))
        });
        all.collect()
    }

    fn area(&self, area: &crate::names::Area) -> Object {
        Object {
            lifetime: Lifetime::Static,
            ..object(area.at, &area.name, bytes(area.size), None)
        }
    }

    /// A named constant: an integer, or an array of them.
    pub(super) fn constant(
        &mut self,
        symbol: &Symbol,
        kind: &Type,
        value: &Expr,
        is_array: bool,
    ) -> Option<Object> {
        let at = symbol.at;
        let (kind, initializer, lifetime) = match (is_array, &value.kind) {
            (false, _) if kind.is_counted() => {
                let value = match kind {
                    Type::Character(_) => self.first_character(value),
                    _ => self.expr(value),
                };
                let initial = Initializer::Expression(value);
                (kind.name(), initial, Lifetime::Automatic)
            }
            (true, ExprKind::Constructor(items)) => {
                let list = self.list(items);
                let length = i64::try_from(items.len()).ok()?;
                let length = Some(Arc::new(integer(at, length)));
                let kind = Arc::new(TypeName::Array(kind.name(), length));
                (kind, list, Lifetime::Static)
            }
            _ => return None,
        };
        Some(Object {
            name: symbol.name.clone(),
            at,
            kind,
            lifetime,
            is_const: true,
            is_volatile: false,
            initializer: Some(initializer),
        })
    }

    /// What the elements of an array start with, in the order in which they lie.
    fn list(&mut self, items: &[Expr]) -> Initializer {
        let part = |item: &Expr, translator: &mut Self| Part {
            designators: Vec::new(),
            value: Initializer::Expression(translator.expr(item)),
        };
        let parts = items.iter().map(|item| part(item, self)).collect();
        Initializer::List(parts)
    }

    /// The objects of a variable of this procedure; none for one that lies elsewhere.
    fn variable(&mut self, key: &Key, symbol: &Symbol, variable: &Variable) -> Vec<Object> {
        let is_saved = match variable.storage {
            Storage::Local | Storage::Result => false,
            Storage::Saved => true,
            Storage::Dummy | Storage::Module | Storage::Area(..) | Storage::Member => {
                return Vec::new();
            }
        };
        // A function hands an array that it yields back behind its arguments.
        let is_handed_back = variable.storage == Storage::Result && variable.shape.is_some();
        if is_handed_back || matches!(variable.kind, Type::Character(length) if length != Some(1)) {
            return Vec::new();
        }
        let is_constant = is_saved && variable.kind.is_integer() && self.is_unchanged(key);
        let mut objects = self.objects(symbol, variable);
        for object in &mut objects {
            object.lifetime = match is_saved && !(is_constant && variable.shape.is_none()) {
                true => Lifetime::Static,
                false => Lifetime::Automatic,
            };
        }
        if let (true, Some(initial), [object]) = (is_constant, &variable.initial, &mut objects[..])
        {
            object.is_const = true;
            let initial = initial.clone();
            object.initializer = Some(match (&initial.kind, &variable.shape) {
                (ExprKind::Constructor(items), Some(_)) => self.list(items),
                _ => Initializer::Expression(self.expr(&initial)),
            });
        }
        objects
    }

    /// What a variable is made of: one that is allocated or points has its bounds beside it.
    pub(super) fn objects(&mut self, symbol: &Symbol, variable: &Variable) -> Vec<Object> {
        let (name, at) = (&symbol.name, symbol.at);
        let one = |kind| vec![object(at, name, kind, None)];
        match &variable.shape {
            None if variable.is_pointer || variable.is_allocatable => one(variable.kind.pointer()),
            None => one(variable.kind.name()),
            Some(shape @ Shape::Explicit(_)) => match self.array_type(&variable.kind, shape) {
                Some(kind) => one(kind),
                None => one(variable.kind.pointer()),
            },
            Some(shape) => {
                let mut list = one(variable.kind.pointer());
                for dimension in 0..shape.rank() {
                    for bound in [extent_name(name, dimension), lower_name(name, dimension)] {
                        list.push(object(at, &bound, long_name(), None));
                    }
                }
                list
            }
        }
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
