//! Names and types: what declarations make of them.

use super::scalars::Update;
use super::types::{NumberType, Type};
use super::value::{ArrayRow, Pointer, Slot, Target, Value};
use super::{ArrayData, Lowered, Lowering};
use crate::syntax::GlobalName;
use crate::syntax::{At, Declaration, Initializer, Lifetime, Name, Object, Statement, TypeName};
use premiss_tree::{Expression, Role, Storage};
use std::rc::Rc;

/// How many operators a fixed value may have; greater ones are held in a variable.
const MAX_FIXED_SIZE: usize = 64;

impl Lowering<'_> {
    /// What a name stands for here; `None` where nothing declares it.
    pub(super) fn lookup(&mut self, name: &Name) -> Option<Slot> {
        let scopes = self.frame_ref().scopes.iter().rev();
        let mut found = scopes.filter_map(|scope| scope.get(name));
        match found.next() {
            Some(slot) => Some(slot.clone()),
            None => self.global(name),
        }
    }

    /// Whether a name is one of the function, and none at file scope.
    pub(super) fn is_bound(&self, name: &Name) -> bool {
        let mut scopes = self.frame_ref().scopes.iter();
        scopes.any(|scope| scope.contains_key(name))
    }

    pub(super) fn bind(&mut self, name: &Name, slot: Slot) {
        if let Some(scope) = self.frame().scopes.last_mut() {
            scope.insert(name.clone(), slot);
        }
    }

    /// The meaning of a name that nothing declares.
    pub(super) fn undeclared(&self, name: &Name) -> Value {
        match &**name {
            "NULL" | "nullptr" => Value::Pointer(Pointer {
                target: Target::Null,
                offset: 0.into(),
                pointee: Rc::new(Type::Void),
            }),
            "true" | "false" => {
                Value::Integer(i64::from(&**name == "true").into(), super::types::INT)
            }
            _ => Value::Function(GlobalName {
                unit: self.unit(),
                name: name.clone(),
            }),
        }
    }

    /// The type that a type name stands for here. Array lengths are evaluated.
    pub(super) fn resolve(&mut self, name: &TypeName) -> Lowered<Type> {
        Ok(match name {
            TypeName::Void => Type::Void,
            TypeName::Integer(kind) => Type::Integer(*kind),
            TypeName::Bool => Type::Bool,
            TypeName::Floating(size) => Type::Floating(NumberType::real(*size)),
            TypeName::Complex(part) => Type::Floating(NumberType::complex(*part)),
            TypeName::Vector(bytes) => self.vector(bytes)?,
            TypeName::Aligned(inner, _) => self.resolve(inner)?,
            TypeName::Enumeration(values) => Type::Integer(self.enumeration(values)?),
            TypeName::Pointer(inner) | TypeName::Reference(inner) => {
                Type::Pointer(Rc::new(self.resolve(inner)?))
            }
            TypeName::Function(_) => Type::Function,
            TypeName::Unknown(name) => Type::Unknown(name.clone()),
            TypeName::TypeOf(syntax) => self.type_of(syntax)?,
            TypeName::Struct(id) => match self.layout(*id)? {
                Some(layout) => Type::Struct(*id, layout),
                None => Type::Unknown("struct".into()),
            },
            TypeName::Array(element, length) => {
                let length = match length {
                    Some(syntax) => Some(self.array_length(syntax)?),
                    None => None,
                };
                Type::Array(Rc::new(self.resolve(element)?), length)
            }
        })
    }

    fn array_length(&mut self, syntax: &crate::syntax::Expression) -> Lowered<Expression> {
        let value = self.with_role(Role::Index, |l| l.value(syntax))?;
        let length = self.as_offset(value);
        Ok(self.pin(length, "length"))
    }

    pub(super) fn declarations(&mut self, list: &[Declaration]) -> Lowered<()> {
        for declaration in list {
            match declaration {
                Declaration::Object(object) => self.object(object)?,
                Declaration::Enumerator { name, base, plus } => {
                    let base = match base {
                        Some(syntax) => self.value(syntax)?,
                        None => Value::Integer(0.into(), super::types::INT),
                    };
                    let value = super::integers::plus(self.as_offset(base), (*plus).into());
                    let value = Value::Integer(value, super::types::INT);
                    self.bind(name, Slot::Fixed(value));
                }
            }
        }
        Ok(())
    }

    fn object(&mut self, object: &Object) -> Lowered<()> {
        let initial = match &object.initializer {
            Some(Initializer::Expression(syntax)) => Some(syntax),
            _ => None,
        };
        self.note_declared(&object.name, object.is_const, initial);
        if object.lifetime == Lifetime::Extern || matches!(*object.kind, TypeName::Function(_)) {
            return Ok(());
        }
        let kind = self.resolve(&object.kind)?;
        let kind = self.completed(kind, object.initializer.as_ref());
        if kind.holds_array() {
            let row = match object.lifetime {
                Lifetime::Static => self.static_array(&object.name, object.at, &kind, object.at),
                _ => self.local_array(&object.name, object.at, &kind, object.at),
            };
            self.note_constant(row, object, &kind);
            if let Some(initializer) = &object.initializer
                && object.lifetime != Lifetime::Static
            {
                self.initializer(initializer)?;
            }
            self.note_initializer(row, &kind, object.initializer.as_ref());
            self.bind(&object.name, Slot::Array(row, kind));
            return Ok(());
        }
        let slot = self.scalar(object, kind)?;
        self.bind(&object.name, slot.clone());
        if object.initializer.is_some() && object.lifetime != Lifetime::Static {
            self.note_write(&object.name, &slot, Update::ANEW);
        }
        Ok(())
    }

    /// Notes what an array starts with, as far as that is pointers.
    pub(super) fn note_initializer(
        &mut self,
        row: ArrayRow,
        kind: &Type,
        initializer: Option<&Initializer>,
    ) {
        if initializer.is_some_and(|x| !is_zero(x)) && kind.holds_pointer() {
            self.lose_pointers(row);
        }
    }

    /// `T a[] = { x, y };` has as many elements as its initializer.
    pub(super) fn completed(&mut self, kind: Type, initializer: Option<&Initializer>) -> Type {
        match (kind, initializer) {
            (Type::Array(element, None), Some(Initializer::List(list))) => {
                let length = match &list[..] {
                    [part] if super::initial::is_text_for(&element, &part.value) => {
                        text_length(&part.value)
                    }
                    list => self.initialized_length(&element, list),
                };
                Type::Array(element, length.map(Expression::Integer))
            }
            (Type::Array(element, None), Some(text)) => {
                Type::Array(element, text_length(text).map(Expression::Integer))
            }
            (kind, _) => kind,
        }
    }

    /// The slot of a local variable that holds no array.
    fn scalar(&mut self, object: &Object, kind: Type) -> Lowered<Slot> {
        let facts = self.frame_ref().changed.clone();
        let is_changed = facts.changed.contains(&object.name);
        if object.lifetime == Lifetime::Static && is_changed {
            // It keeps its value from call to call, so that nobody knows it on entry.
            if !matches!(
                kind,
                Type::Integer(_) | Type::Pointer(_) | Type::Floating(_)
            ) {
                return Ok(Slot::Data(kind));
            }
            // Whatever is called may call this function.
            let is_shared =
                facts.addressed.contains(&object.name) || matches!(kind, Type::Floating(_));
            let slot = self.new_slot(&object.name, &kind, is_shared);
            self.lose_value(&slot);
            return Ok(slot);
        }
        if let (false, Some(integer)) = (is_changed, kind.integer())
            && self.program.is_symbolic(&object.name)
        {
            return Ok(self.symbolic(&object.name, object.at, integer));
        }
        let given = self.given_constant(object);
        let value = match (&given, &object.initializer) {
            (Some(value), _) => Some(Value::Integer((*value).into(), super::types::LONG)),
            (None, Some(initializer)) => {
                let is_wanted = !is_changed || self.wants_extremes();
                Some(self.with_extremes(is_wanted, |l| l.initializer(initializer))?)
            }
            (None, None) => None,
        };
        let value = value.map(|value| self.convert(value, &kind));
        if let (Some(value), false) = (&value, is_changed)
            && let Some(value) = self.fixed(value, &object.name, object.at)
        {
            return Ok(Slot::Fixed(value));
        }
        let is_shared = facts.addressed.contains(&object.name);
        self.declared_at = object.at;
        let slot = self.new_slot(&object.name, &kind, is_shared);
        if let Slot::Record(row, kind) = &slot {
            self.note_constant(*row, object, kind);
        }
        if let (Slot::Pointer(..), Some(Value::Pointer(pointer))) = (&slot, &value) {
            let depth = self.frames.len();
            self.named_target(pointer.target.clone(), &object.name, depth, Some(object.at));
        }
        if let Some(value) = value {
            self.store(&super::value::Place::Slot(slot.clone()), value, object.at);
        }
        if let (Slot::Record(row, kind), Some(list @ Initializer::List(_))) =
            (&slot, &object.initializer)
        {
            match is_zero(list) {
                true => self.clear_record(*row, kind),
                false => self.lose_pointers(*row),
            }
        }
        Ok(slot)
    }

    /// The value that the user gave for a constant of this name.
    pub(super) fn given_constant(&self, object: &Object) -> Option<i64> {
        if !object.is_const || !matches!(*object.kind, TypeName::Integer(_)) {
            return None;
        }
        self.program.size_value(&object.name)
    }

    /// A new variable of a scalar type.
    pub(super) fn new_slot(&mut self, name: &Name, kind: &Type, is_shared: bool) -> Slot {
        match (kind.integer(), kind) {
            (Some(integer), _) => {
                Slot::Integer(self.new_variable(name, integer, is_shared), integer)
            }
            (None, Type::Pointer(pointee)) => {
                Slot::Pointer(self.new_pointer(name, is_shared), pointee.clone())
            }
            (None, Type::Struct(..)) if !kind.holds_array() => {
                let at = self.declared_at;
                self.record(name, kind, at)
            }
            (None, Type::Floating(number)) => self.new_real(name, *number, is_shared),
            _ => Slot::Data(kind.clone()),
        }
    }

    /// The value in a form that holds while the name is in scope; `None` where there is none.
    pub(super) fn fixed(&mut self, value: &Value, name: &Name, at: At) -> Option<Value> {
        let is_fine = |l: &Self, expression: &Expression| {
            let mut n_operators = 0;
            expression.walk(&mut |_| n_operators += 1);
            n_operators <= MAX_FIXED_SIZE && l.is_stable(expression)
        };
        match value {
            Value::Integer(expression, _) => is_fine(self, expression).then(|| value.clone()),
            Value::Floating(Some(_), _) | Value::Named(..) | Value::Function(_) => {
                Some(value.clone())
            }
            Value::Pointer(pointer) if super::expressions::is_object(pointer) => {
                if !is_fine(self, &pointer.offset) {
                    return None;
                }
                let depth = self.frames.len();
                let target = self.named_target(pointer.target.clone(), name, depth, Some(at));
                Some(Value::Pointer(Pointer {
                    target,
                    ..pointer.clone()
                }))
            }
            _ => None,
        }
    }

    /// The region of a declared array of this function.
    pub(super) fn local_array(&mut self, name: &Name, order: At, kind: &Type, at: At) -> ArrayRow {
        let depth = self.frames.len();
        let storage = if depth <= 1 {
            Storage::Local
        } else {
            Storage::Callee
        };
        let order = (self.callee_order(), order);
        self.declared_array(name, storage, order, kind, at)
    }

    /// The region of an array that is there once for the whole program.
    pub(super) fn static_array(&mut self, name: &Name, order: At, kind: &Type, at: At) -> ArrayRow {
        self.declared_array(name, Storage::Global, (0, order), kind, at)
    }

    fn declared_array(
        &mut self,
        name: &Name,
        storage: Storage,
        order: (usize, At),
        kind: &Type,
        at: At,
    ) -> ArrayRow {
        let extent = kind.size().filter(|size| self.is_constant(size));
        let data = ArrayData {
            name: name.clone(),
            storage,
            order,
            kind: kind.clone(),
            extent,
            at,
            frame: self.frames.len(),
            is_used: storage != Storage::Global,
            is_region: false,
            may_be_missing: false,
        };
        self.array_row(vec![at], data)
    }

    /// The row of a region, made where it is met first. A region whose extent differs from call to
    /// call has none.
    pub(super) fn array_row(&mut self, key: Vec<At>, data: ArrayData) -> ArrayRow {
        if let Some(&row) = self.array_rows.get(&key) {
            if self.arrays[row.0].extent != data.extent {
                self.arrays[row.0].extent = None;
            }
            return row;
        }
        let row = ArrayRow(self.arrays.len());
        self.arrays.push(data);
        self.array_rows.insert(key, row);
        row
    }

    /// Callees in the order in which they were called first.
    fn callee_order(&mut self) -> usize {
        let frame = self.frame_ref();
        let name = GlobalName {
            unit: frame.unit,
            name: frame.function.clone(),
        };
        match self.callees.iter().position(|callee| *callee == name) {
            Some(idx) => idx,
            None => {
                self.callees.push(name);
                self.callees.len() - 1
            }
        }
    }

    pub(super) fn statement_expression(&mut self, body: &Statement) -> Lowered<Value> {
        let crate::syntax::StatementKind::Block(statements) = &body.kind else {
            return Ok(Value::Void);
        };
        self.in_scope(|l| {
            let Some((last, before)) = statements.split_last() else {
                return Ok(Value::Void);
            };
            l.list(before, super::jumps::Tail::NONE)?;
            match &last.kind {
                crate::syntax::StatementKind::Expression(syntax) => l.value(syntax),
                _ => {
                    l.statement(last, super::jumps::Tail::NONE)?;
                    Ok(Value::Void)
                }
            }
        })
    }
}

/// Whether everything in an initializer is 0.
fn is_zero(initializer: &Initializer) -> bool {
    use crate::syntax::ExpressionKind as Kind;
    let is_zero_value = |syntax: &crate::syntax::Expression| match &syntax.kind {
        Kind::Integer(value, _) => *value == 0,
        Kind::Floating(value, _) => value.0 == 0.0,
        Kind::Cast(_, operand) => matches!(operand.kind, Kind::Integer(0, _)),
        _ => false,
    };
    match initializer {
        Initializer::Expression(syntax) => is_zero_value(syntax),
        Initializer::List(list) => list.iter().all(|part| is_zero(&part.value)),
    }
}

/// How many characters a string literal has, with the 0 at its end.
fn text_length(initializer: &Initializer) -> Option<i64> {
    match initializer {
        Initializer::Expression(syntax) => match syntax.kind {
            crate::syntax::ExpressionKind::Text(size) => Some(size.into()),
            _ => None,
        },
        Initializer::List(_) => None,
    }
}
