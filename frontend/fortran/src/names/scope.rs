//! From the specifications of a program unit to its symbols.

use super::types::{self, Type};
use super::{
    DerivedType, Entity, Implicit, ProcedureId, Scope, Shape, StatementFunction, Storage, Symbol,
    Variable, constants,
};
use crate::array_descriptors::{extent_name, lower_bound_name};
use crate::build;
use crate::intrinsics::is_intrinsic;
use crate::syntax::visit::{expressions, statements, walk};
use crate::syntax::{
    Attribute, DataSet, Dimension, Entity as Declared, Expr, ExprKind, Ident, Key, Kind, Length,
    ProgramUnit, Specification, SpecificationKind as Spec, TypeSpec, UnitKind, Upper, Use,
};
use premiss_imperative::syntax::{At, Attributes, Field, Name, Struct, StructId, TypeName, UnitId};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How many values of one `DATA` statement are kept.
const MAX_DATA: usize = 100_000;

/// What is around a program unit.
pub(super) struct Around<'a> {
    pub(super) unit: UnitId,
    pub(super) text: &'a str,
    pub(super) host: Option<Arc<Scope>>,
    /// The scope of a module that is used; `None` for one that is not there.
    pub(super) module: &'a mut dyn FnMut(&Key) -> Option<Arc<Scope>>,
    /// The structs of the unit so far.
    pub(super) structs: &'a mut Vec<Struct>,
    /// The procedures that the program unit contains.
    pub(super) contained: Vec<(Key, ProcedureId)>,
}

/// What is said of a name, in whatever order.
#[derive(Default)]
struct Facts {
    kind: Option<Type>,
    shape: Option<Shape>,
    at: Option<At>,
    is_allocatable: bool,
    is_pointer: bool,
    is_saved: bool,
    is_external: bool,
    is_optional: bool,
    intent: Option<crate::syntax::Intent>,
    initial: Option<Arc<Expr>>,
    has_data: bool,
}

struct Builder<'a, 'b> {
    around: &'a mut Around<'b>,
    scope: Scope,
    facts: BTreeMap<Key, Facts>,
    /// Names in the order in which they are declared.
    order: Vec<Key>,
    saves_all: bool,
}

/// The symbols of a program unit. Blocks of COMMON and EQUIVALENCE are laid out by `commons`.
pub(super) fn build(unit: &ProgramUnit, around: &mut Around) -> Scope {
    let host = around.host.clone();
    let implicit = host.as_ref().map(|host| host.implicit.clone());
    let mut builder = Builder {
        scope: Scope {
            implicit: implicit.unwrap_or_default(),
            host,
            ..Scope::default()
        },
        facts: BTreeMap::new(),
        order: Vec::new(),
        saves_all: matches!(unit.kind, UnitKind::Module),
        around,
    };
    builder.contained(unit);
    builder.specifications(&unit.specifications);
    builder.dummies(unit);
    let mentioned = Mentioned::of(unit);
    builder.declared(unit, &mentioned);
    builder.statement_functions(&unit.specifications);
    builder.implicit_names(mentioned);
    super::commons::lay_out(&unit.specifications, &mut builder.scope);
    builder.scope
}

impl Builder<'_, '_> {
    fn spelled(&self, at: At) -> Name {
        let text = self.around.text;
        let range = at.start as usize..at.end as usize;
        Name::from(text.get(range).unwrap_or("?"))
    }

    fn facts(&mut self, name: &Ident) -> &mut Facts {
        if !self.facts.contains_key(&name.key) {
            self.order.push(name.key.clone());
        }
        let facts = self.facts.entry(name.key.clone()).or_default();
        facts.at.get_or_insert(name.at);
        facts
    }

    fn contained(&mut self, unit: &ProgramUnit) {
        let names = unit.contained.iter().map(|inner| &inner.name);
        for (name, (key, id)) in names.zip(self.around.contained.clone()) {
            let symbol = Symbol {
                name: self.spelled(name.at),
                at: name.at,
                entity: Entity::Procedure(id),
                is_imported: false,
            };
            self.scope.symbols.insert(key, symbol);
        }
    }

    fn specifications(&mut self, list: &[Specification]) {
        for spec in list {
            self.specification(spec);
        }
    }

    fn specification(&mut self, spec: &Specification) {
        match &spec.kind {
            Spec::Implicit(rules) => self.implicit(rules),
            Spec::Use(used) => self.import(used),
            Spec::Parameter(list) => {
                for (name, value) in list {
                    let kind = self.facts.get(&name.key).and_then(|x| x.kind.clone());
                    self.constant(name, kind, value);
                }
            }
            Spec::Type {
                kind,
                attributes,
                entities,
            } => self.typed(kind, attributes, entities),
            Spec::Attribute(attribute, entities) => {
                if matches!(attribute, Attribute::Save) && entities.is_empty() {
                    self.saves_all = true;
                }
                for entity in entities {
                    self.shaped(entity);
                    self.attribute(&entity.name, attribute);
                }
            }
            Spec::Common(blocks) => {
                for entity in blocks.iter().flat_map(|(_, list)| list) {
                    self.shaped(entity);
                }
            }
            Spec::Data(sets) => self.data(sets),
            Spec::DerivedType(found) => self.derived_type(found),
            Spec::Interface {
                generic,
                bodies,
                procedures,
            } => self.interface(generic.as_ref(), bodies, procedures),
            Spec::Equivalence(sets) => {
                for expr in sets.iter().flatten() {
                    if let Some(key) = expr.root() {
                        let (key, at) = (key.clone(), expr.at);
                        if self.scope.lookup(&key).is_none() {
                            let end = at.start + u32::try_from(key.len()).unwrap_or(0);
                            self.facts(&Ident {
                                key,
                                at: At { end, ..at },
                            });
                        }
                    }
                }
            }
            Spec::Namelist(groups) => {
                for (group, names) in groups {
                    // A group may be continued by another statement.
                    let before = self.scope.groups.get(group).map(|x| x.to_vec());
                    let all = before.into_iter().flatten().chain(names.iter().cloned());
                    self.scope.groups.insert(group.clone(), all.collect());
                }
            }
            Spec::StatementFunction { .. } => {}
        }
    }

    fn implicit(&mut self, rules: &[(TypeSpec, Vec<(u8, u8)>)]) {
        let mut table = (*self.scope.implicit.0).clone();
        for (kind, ranges) in rules {
            let kind = self.type_of(kind);
            for (first, last) in ranges {
                for letter in *first..=*last {
                    let idx = usize::from(letter.wrapping_sub(b'a'));
                    if let Some(slot) = table.get_mut(idx) {
                        *slot = kind.clone();
                    }
                }
            }
        }
        self.scope.implicit = Implicit(Arc::new(table));
    }

    fn import(&mut self, used: &Use) {
        let Some(module) = (self.around.module)(&used.module) else {
            return;
        };
        let own = module.symbols.iter();
        let renamed: BTreeSet<&Key> = used.names.iter().map(|(_, original)| original).collect();
        if !used.only {
            for (key, symbol) in own.filter(|(key, _)| !renamed.contains(key)) {
                self.scope.symbols.insert(key.clone(), imported(symbol));
            }
        }
        for (local, original) in &used.names {
            if let Some(symbol) = module.symbols.get(original) {
                self.scope.symbols.insert(local.clone(), imported(symbol));
            }
        }
        for (name, area) in &module.areas {
            self.scope.areas.insert(name.clone(), area.clone());
        }
        for (name, group) in &module.groups {
            self.scope.groups.insert(name.clone(), group.clone());
        }
    }

    /// The type that a specification stands for here.
    fn type_of(&self, spec: &TypeSpec) -> Type {
        let bytes = |kind: &Kind, default: u8, parts: i64| match kind {
            Kind::Default => default,
            Kind::Bytes(bytes) => u8::try_from(bytes / parts).unwrap_or(default),
            Kind::Expr(expr) => {
                let value = constants::integer(expr, &self.scope);
                value
                    .and_then(|value| u8::try_from(value).ok())
                    .filter(|bytes| matches!(bytes, 1 | 2 | 4 | 8 | 10 | 16))
                    .unwrap_or(default)
            }
        };
        match spec {
            TypeSpec::Integer(kind) => Type::Integer(bytes(kind, 4, 1)),
            TypeSpec::Real(kind) => Type::Real(bytes(kind, 4, 1)),
            TypeSpec::Logical(kind) => Type::Logical(bytes(kind, 4, 1)),
            TypeSpec::Complex(kind) => Type::Complex(bytes(kind, 4, 2)),
            TypeSpec::DoublePrecision => types::DOUBLE,
            TypeSpec::DoubleComplex => Type::Complex(8),
            TypeSpec::Character(length) => Type::Character(self.length(length.as_ref())),
            TypeSpec::Derived(key) | TypeSpec::Class(Some(key)) => {
                let id = self
                    .scope
                    .lookup(key)
                    .and_then(|symbol| match &symbol.entity {
                        Entity::DerivedType(found) => Some(found.id),
                        _ => None,
                    });
                Type::Derived(key.clone(), id)
            }
            TypeSpec::Class(None) | TypeSpec::Procedure => Type::Unknown,
        }
    }

    fn length(&self, length: Option<&Length>) -> Option<i64> {
        match length {
            None => Some(1),
            Some(Length::Expr(expr)) => constants::integer(expr, &self.scope),
            Some(Length::Assumed | Length::Deferred) => None,
        }
    }

    fn typed(&mut self, spec: &TypeSpec, attributes: &[Attribute], entities: &[Declared]) {
        let base = self.type_of(spec);
        let is_constant = attributes.iter().any(|x| matches!(x, Attribute::Parameter));
        for entity in entities {
            let kind = match (&base, &entity.length) {
                (Type::Character(_), Some(length)) => Type::Character(self.length(Some(length))),
                (base, Some(Length::Expr(bytes))) => {
                    sized(base, constants::integer(bytes, &self.scope))
                }
                (base, _) => base.clone(),
            };
            if let (true, Some(value)) = (is_constant, &entity.initial) {
                self.constant(&entity.name, Some(kind), value);
                continue;
            }
            let is_procedure = matches!(spec, TypeSpec::Procedure);
            let facts = self.facts(&entity.name);
            facts.kind = Some(kind).filter(|_| !is_procedure);
            facts.is_external |= is_procedure;
            facts.initial = entity.initial.clone().map(Arc::new);
            for attribute in attributes {
                self.attribute(&entity.name, attribute);
            }
            self.shaped(entity);
        }
    }

    fn shaped(&mut self, entity: &Declared) {
        let shape = entity.shape.as_ref().map(|dimensions| shape(dimensions));
        let facts = self.facts(&entity.name);
        if shape.is_some() {
            facts.shape = shape;
        }
    }

    fn attribute(&mut self, name: &Ident, attribute: &Attribute) {
        let facts = self.facts(name);
        match attribute {
            Attribute::Dimension(dimensions) => facts.shape = Some(shape(dimensions)),
            Attribute::Allocatable => facts.is_allocatable = true,
            Attribute::Pointer => facts.is_pointer = true,
            Attribute::Save => facts.is_saved = true,
            Attribute::External => facts.is_external = true,
            Attribute::Optional => facts.is_optional = true,
            Attribute::Intent(intent) => facts.intent = Some(*intent),
            Attribute::Value => facts.intent = Some(crate::syntax::Intent::In),
            Attribute::Parameter | Attribute::Other => {}
        }
    }

    fn constant(&mut self, name: &Ident, kind: Option<Type>, value: &Expr) {
        let is_array = self
            .facts
            .get(&name.key)
            .is_some_and(|facts| facts.shape.is_some())
            || matches!(value.kind, ExprKind::Constructor(..));
        let symbol = Symbol {
            name: self.spelled(name.at),
            at: name.at,
            entity: Entity::Constant {
                kind: kind.unwrap_or_else(|| self.scope.implicit.of(&name.key)),
                value: Arc::new(value.clone()),
                is_array,
            },
            is_imported: false,
        };
        self.scope.symbols.insert(name.key.clone(), symbol);
        self.facts.remove(&name.key);
    }

    fn data(&mut self, sets: &[DataSet]) {
        for set in sets {
            let mut values = self.data_values(set);
            for object in &set.objects {
                let Some(key) = object.root() else { continue };
                let end = object.at.start + u32::try_from(key.len()).unwrap_or(0);
                let at = At { end, ..object.at };
                let name = Ident {
                    key: key.clone(),
                    at,
                };
                let value = match object.as_name() {
                    Some(_) => self.data_of(&name, object.at, &mut values),
                    None => None,
                };
                if value.is_none() {
                    // Nobody knows how many of the values this one takes.
                    values = Vec::new().into_iter();
                }
                let facts = self.facts(&name);
                facts.has_data = true;
                facts.initial = value.map(Arc::new);
            }
        }
    }

    /// The values of a `DATA` statement one by one, as far as they are known.
    fn data_values(&self, set: &DataSet) -> std::vec::IntoIter<Expr> {
        let mut list = Vec::new();
        for (repeat, value) in &set.values {
            let times = match repeat {
                None => Some(1),
                Some(repeat) => constants::integer(repeat, &self.scope),
            };
            let times = times.and_then(|times| usize::try_from(times).ok());
            match times.filter(|times| list.len() + times <= MAX_DATA) {
                Some(times) => list.extend(std::iter::repeat_n(value.clone(), times)),
                None => break,
            }
        }
        list.into_iter()
    }

    /// What an object starts with: a value, or a list of them for a whole array.
    fn data_of(&self, name: &Ident, at: At, values: &mut std::vec::IntoIter<Expr>) -> Option<Expr> {
        let Some(shape) = self.facts.get(&name.key).and_then(|x| x.shape.as_ref()) else {
            return values.next();
        };
        let length = super::commons::length(shape, &self.scope)?;
        let length = usize::try_from(length).ok()?;
        let items: Vec<Expr> = values.take(length).collect();
        (items.len() == length).then_some(Expr {
            at,
            kind: ExprKind::Constructor(items),
        })
    }

    fn derived_type(&mut self, found: &crate::syntax::DerivedType) {
        let id = StructId {
            unit: self.around.unit,
            row: self.around.structs.len(),
        };
        self.around.structs.push(Struct::default());
        let parent = found
            .extends
            .as_ref()
            .and_then(|key| match &self.scope.lookup(key)?.entity {
                Entity::DerivedType(parent) => Some(parent.clone()),
                _ => None,
            });
        let (mut members, mut bindings) = match parent {
            Some(parent) => (parent.members.clone(), parent.bindings.clone()),
            None => (Vec::new(), Vec::new()),
        };
        // A type may hold pointers to itself.
        let placeholder = |members: Vec<_>, bindings: Vec<_>| {
            Entity::DerivedType(Arc::new(DerivedType {
                id,
                members,
                bindings,
            }))
        };
        let symbol = Symbol {
            name: self.spelled(found.name.at),
            at: found.name.at,
            entity: placeholder(members.clone(), bindings.clone()),
            is_imported: false,
        };
        let key = found.name.key.clone();
        self.scope.symbols.insert(key.clone(), symbol.clone());
        let outer = std::mem::take(&mut self.facts);
        let outer_order = std::mem::take(&mut self.order);
        self.specifications(&found.members);
        let own = std::mem::replace(&mut self.facts, outer);
        let order = std::mem::replace(&mut self.order, outer_order);
        let mut own = own;
        for key in order {
            if let Some(facts) = own.remove(&key) {
                let at = facts.at.unwrap_or(found.name.at);
                let variable = self.variable(&key, facts, Storage::Member);
                members.push((key, self.spelled(at), Arc::new(variable)));
            }
        }
        bindings.extend(found.bindings.iter().cloned());
        let fields = members
            .iter()
            .map(|(_, name, variable)| self.fields(name, variable));
        let fields: Option<Vec<Vec<Field>>> = fields.collect();
        let fields = fields.map(|list| list.into_iter().flatten().collect());
        self.around.structs[id.row] = Struct {
            fields,
            is_at_file_scope: true,
            ..Struct::default()
        };
        let entity = placeholder(members, bindings);
        self.scope.symbols.insert(key, Symbol { entity, ..symbol });
    }

    /// A component as members of a struct; `None` where its size is not known.
    fn fields(&self, name: &Name, variable: &Variable) -> Option<Vec<Field>> {
        let element = variable.kind.name();
        let kind = match &variable.shape {
            None if variable.is_allocatable || variable.is_pointer => {
                Arc::new(TypeName::Pointer(element))
            }
            None => match variable.kind {
                Type::Character(length) => build::bytes(length?),
                _ => element,
            },
            Some(Shape::Explicit(bounds)) => {
                let mut kind = match variable.kind {
                    Type::Character(length) => build::bytes(length?),
                    _ => element,
                };
                for (lower, upper) in bounds {
                    let lower = lower.as_ref();
                    let lower = lower.map_or(Some(1), |x| constants::integer(x, &self.scope))?;
                    let upper = constants::integer(upper.as_ref()?, &self.scope)?;
                    let length = upper.checked_sub(lower)?.checked_add(1)?.max(0);
                    kind = Arc::new(TypeName::Array(
                        kind,
                        Some(Arc::new(build::integer(
                            At::start_of(self.around.unit),
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

    fn interface(&mut self, generic: Option<&Key>, bodies: &[ProgramUnit], procedures: &[Key]) {
        for body in bodies {
            let name = &body.name;
            if self.scope.lookup(&name.key).is_none() {
                let kind = body.prefix.as_ref().map(|spec| self.type_of(spec));
                let facts = self.facts(name);
                facts.is_external = true;
                facts.kind = kind;
            }
        }
        let Some(generic) = generic else { return };
        let ids = procedures
            .iter()
            .filter_map(|key| match self.scope.lookup(key)?.entity {
                Entity::Procedure(id) => Some(id),
                _ => None,
            });
        let ids: Vec<ProcedureId> = ids.collect();
        let Some(first) = procedures.first() else {
            return;
        };
        if ids.is_empty() {
            return;
        }
        let at = self.scope.lookup(first).map(|symbol| symbol.at);
        let before = match self.scope.symbols.get(generic).map(|x| &x.entity) {
            Some(Entity::Generic(before)) => before.to_vec(),
            Some(Entity::Procedure(own)) => vec![*own],
            _ => Vec::new(),
        };
        let ids: Vec<ProcedureId> = before.into_iter().chain(ids).collect();
        self.scope.symbols.insert(
            generic.clone(),
            Symbol {
                name: generic.clone(),
                at: at.unwrap_or(At::start_of(self.around.unit)),
                entity: Entity::Generic(ids.into()),
                is_imported: false,
            },
        );
    }

    /// Dummy arguments and the result, declared or not.
    fn dummies(&mut self, unit: &ProgramUnit) {
        for dummy in unit.dummies.iter().flatten() {
            let facts = self.facts(dummy);
            facts.at = Some(dummy.at);
        }
        if unit.kind == UnitKind::Function {
            let prefix = unit.prefix.as_ref().map(|spec| self.type_of(spec));
            let result = unit.result.as_ref().unwrap_or(&unit.name);
            let facts = self.facts(result);
            if facts.kind.is_none() {
                facts.kind = prefix;
            }
        }
    }

    /// Makes symbols of all names that something was said of. A name with arguments that is neither an array nor text is a
    /// function, even if nothing but its type is declared.
    fn declared(&mut self, unit: &ProgramUnit, mentioned: &Mentioned) {
        let dummies: BTreeSet<&Key> = unit.dummies.iter().flatten().map(|x| &x.key).collect();
        let result = (unit.kind == UnitKind::Function)
            .then(|| &unit.result.as_ref().unwrap_or(&unit.name).key);
        for key in std::mem::take(&mut self.order) {
            let Some(facts) = self.facts.remove(&key) else {
                continue;
            };
            let at = facts.at.unwrap_or(unit.at);
            let storage = if dummies.contains(&key) {
                Storage::Dummy
            } else if Some(&key) == result {
                Storage::Result
            } else if unit.kind == UnitKind::Module {
                Storage::Module
            } else if self.saves_all || facts.is_saved || facts.initial.is_some() || facts.has_data
            {
                Storage::Saved
            } else {
                Storage::Local
            };
            let is_own = |symbol: &Symbol| {
                matches!(symbol.entity, Entity::Procedure(_) | Entity::Generic(_))
            };
            if self.scope.symbols.get(&key).is_some_and(is_own) && storage != Storage::Result {
                continue;
            }
            let may_be_called = match storage {
                Storage::Dummy => true,
                Storage::Local | Storage::Saved => !is_intrinsic(&key),
                _ => false,
            };
            let is_called = may_be_called
                && mentioned.called.contains(&key)
                && self.may_be_function(&key, &facts);
            let entity = match (facts.is_external || is_called) && facts.shape.is_none() {
                true if storage == Storage::Dummy => Entity::DummyProcedure(facts.kind),
                true => Entity::External(facts.kind),
                false => Entity::Variable(Arc::new(self.variable(&key, facts, storage))),
            };
            let name = self.spelled(at);
            self.scope.symbols.insert(
                key,
                Symbol {
                    name,
                    at,
                    entity,
                    is_imported: false,
                },
            );
        }
    }

    /// Whether arguments behind a name cannot select a part of it.
    fn may_be_function(&self, key: &Key, facts: &Facts) -> bool {
        let is_text = match &facts.kind {
            Some(kind) => matches!(kind, Type::Character(_)),
            None => matches!(self.scope.implicit.of(key), Type::Character(_)),
        };
        let is_object = facts.is_pointer
            || facts.is_allocatable
            || facts.is_saved
            || facts.has_data
            || facts.initial.is_some();
        !is_text && !is_object && facts.shape.is_none()
    }

    fn variable(&self, key: &Key, facts: Facts, storage: Storage) -> Variable {
        let is_dummy = storage == Storage::Dummy;
        let shape = match facts.shape {
            // `a(:)` is as the caller passes it, unless it is allocated or pointed to here.
            Some(Shape::Assumed(lower))
                if facts.is_allocatable || facts.is_pointer || !is_dummy =>
            {
                Some(Shape::Deferred(lower.len()))
            }
            other => other,
        };
        Variable {
            kind: facts.kind.unwrap_or_else(|| self.scope.implicit.of(key)),
            shape,
            storage,
            is_allocatable: facts.is_allocatable,
            is_pointer: facts.is_pointer,
            is_optional: facts.is_optional,
            intent: facts.intent,
            initial: facts.initial,
        }
    }

    fn statement_functions(&mut self, list: &[Specification]) {
        for spec in list {
            let Spec::StatementFunction {
                name,
                dummies,
                value,
            } = &spec.kind
            else {
                continue;
            };
            let kind = |scope: &Scope, key: &Key| match scope.lookup(key).and_then(Symbol::kind) {
                Some(kind) => kind.clone(),
                None => scope.implicit.of(key),
            };
            let dummies = dummies.iter();
            let dummies = dummies.map(|x| (x.clone(), kind(&self.scope, &x.key)));
            let function = StatementFunction {
                kind: kind(&self.scope, &name.key),
                dummies: dummies.collect(),
                value: value.clone(),
            };
            let symbol = Symbol {
                name: self.spelled(name.at),
                at: name.at,
                entity: Entity::StatementFunction(Arc::new(function)),
                is_imported: false,
            };
            self.scope.symbols.insert(name.key.clone(), symbol);
        }
    }

    /// Variables that nothing declares. A name with arguments that is no array is a function.
    fn implicit_names(&mut self, mentioned: Mentioned) {
        for (key, at) in mentioned.names {
            if mentioned.called.contains(&key) || self.scope.lookup(key).is_some() {
                continue;
            }
            let end = at
                .start
                .saturating_add(u32::try_from(key.len()).unwrap_or(0));
            let at = At { end, ..at };
            let facts = Facts::default();
            let variable = self.variable(key, facts, Storage::Local);
            let symbol = Symbol {
                name: self.spelled(at),
                at,
                entity: Entity::Variable(Arc::new(variable)),
                is_imported: false,
            };
            self.scope.symbols.insert(key.clone(), symbol);
        }
    }
}

/// The names in the statements of a program unit.
#[derive(Default)]
struct Mentioned<'a> {
    /// Each with where it is first.
    names: Vec<(&'a Key, At)>,
    seen: FxHashSet<&'a Key>,
    /// Those with arguments, and those that are called.
    called: FxHashSet<&'a Key>,
}

impl<'a> Mentioned<'a> {
    fn of(unit: &'a ProgramUnit) -> Self {
        let mut mentioned = Self::default();
        statements(&unit.body, &mut |statement| {
            let mut list = expressions(statement).into_iter();
            if let crate::syntax::StatementKind::Call(callee, _) = &statement.kind {
                mentioned.called.extend(callee.as_name());
                list.next();
            }
            list.for_each(|expr| mentioned.add(expr));
        });
        for spec in &unit.specifications {
            if let Spec::StatementFunction { value, .. } = &spec.kind {
                mentioned.add(value);
            }
        }
        mentioned
    }

    fn add(&mut self, expr: &'a Expr) {
        walk(expr, &mut |part| match &part.kind {
            ExprKind::Name(key) => self.name(key, part.at),
            ExprKind::Apply(base, _) => self.called.extend(base.as_name()),
            ExprKind::ImpliedDo(inner) => self.name(&inner.variable, part.at),
            _ => {}
        });
    }

    fn name(&mut self, key: &'a Key, at: At) {
        if self.seen.insert(key) {
            self.names.push((key, at));
        }
    }
}

fn imported(symbol: &Symbol) -> Symbol {
    Symbol {
        is_imported: true,
        ..symbol.clone()
    }
}

/// `REAL X*8`
fn sized(kind: &Type, bytes: Option<i64>) -> Type {
    let Some(bytes) = bytes.and_then(|bytes| u8::try_from(bytes).ok()) else {
        return kind.clone();
    };
    match kind {
        Type::Integer(_) => Type::Integer(bytes),
        Type::Real(_) => Type::Real(bytes),
        Type::Logical(_) => Type::Logical(bytes),
        Type::Complex(_) => Type::Complex(bytes / 2),
        other => other.clone(),
    }
}

fn shape(dimensions: &[Dimension]) -> Shape {
    let is_deferred = |one: &Dimension| matches!(one.upper, Upper::Deferred);
    if dimensions.iter().any(is_deferred) {
        return Shape::Assumed(dimensions.iter().map(|one| one.lower.clone()).collect());
    }
    let bounds = dimensions.iter().map(|one| {
        let upper = match &one.upper {
            Upper::Bound(expr) => Some(expr.clone()),
            Upper::Assumed | Upper::Deferred => None,
        };
        (one.lower.clone(), upper)
    });
    Shape::Explicit(bounds.collect())
}

fn field(name: Name, kind: Arc<TypeName>) -> Field {
    Field {
        name: Some(name),
        kind,
        width: None,
        attributes: Attributes::default(),
    }
}

/// An allocatable component as gfortran has it: where its elements are, 32 bytes on their type, and 24
/// for each dimension.
fn descriptor(name: &Name, element: Arc<TypeName>, rank: usize) -> Vec<Field> {
    let mut fields = vec![
        field(name.clone(), Arc::new(TypeName::Pointer(element))),
        field(Name::from(format!("type({name})")), build::bytes(32)),
    ];
    for dimension in 0..rank {
        let stride = Name::from(format!("stride({name},{})", dimension + 1));
        fields.push(field(stride, build::long_name()));
        fields.push(field(lower_bound_name(name, dimension), build::long_name()));
        fields.push(field(extent_name(name, dimension), build::long_name()));
    }
    fields
}
