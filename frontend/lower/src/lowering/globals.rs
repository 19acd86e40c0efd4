//! Names at file scope.

use super::types::{INT, Type};
use super::value::{Knowledge, Place, Pointer, Slot, Target, Value};
use super::{ArrayData, Frame, Lowered, Lowering, ParameterRow};
use crate::syntax::GlobalName;
use crate::syntax::{At, Declaration, Initializer, Name, Object, TypeName, UnitId};
use premiss_link::Global;
use premiss_tree::{Expression, IntegerType, ParameterId, Storage};
use std::rc::Rc;
use std::sync::Arc;

impl Lowering<'_> {
    /// What a name at file scope stands for in this function.
    pub(super) fn global(&mut self, name: &Name) -> Option<Slot> {
        let owner = self.program.owner(self.unit(), name);
        self.global_of(owner)
    }

    /// What a name of a unit's file scope stands for in this function.
    fn global_of(&mut self, owner: GlobalName) -> Option<Slot> {
        if let Some(slot) = self.globals.get(&owner) {
            return Some(slot.clone());
        }
        let program = self.program;
        let name = &owner.name;
        let nowhere = At::start_of(owner.unit);
        let slot = match program.global(&owner) {
            None if program.is_size_macro(&owner) => self.symbolic(name, nowhere, INT),
            None => {
                let is_function = program.is_function(&owner);
                return is_function.then_some(Slot::Fixed(Value::Function(owner)));
            }
            Some(Global::Enumerator(Declaration::Enumerator { base, plus, .. })) => {
                if program.is_symbolic(name) {
                    self.symbolic(name, nowhere, INT)
                } else if let Some(value) = program.size_value(name) {
                    Slot::Fixed(Value::Integer(value.into(), INT))
                } else {
                    self.enumerator(owner.unit, base.as_deref(), *plus)
                }
            }
            Some(Global::Enumerator(_)) => return None,
            Some(Global::Object(object)) => self.global_object(&owner, object),
        };
        self.globals.insert(owner, slot.clone());
        Some(slot)
    }

    /// A constant of the program that is kept as a size without a value.
    pub(super) fn symbolic(&mut self, name: &Name, at: At, kind: IntegerType) -> Slot {
        let size = self.parameter(name, at, kind, None, true);
        Slot::Fixed(Value::Integer(size, kind))
    }

    fn enumerator(
        &mut self,
        unit: UnitId,
        base: Option<&crate::syntax::Expression>,
        plus: i64,
    ) -> Slot {
        let base = match base {
            Some(syntax) => self.at_file_scope(unit, |l| {
                let value = l.value(syntax)?;
                Ok(l.as_offset(value))
            }),
            None => Some(0.into()),
        };
        let base = base.unwrap_or(Expression::Data);
        let value = super::integers::plus(base, plus.into());
        Slot::Fixed(Value::Integer(value, INT))
    }

    /// Evaluates where only names at file scope are known; its accesses do not happen.
    pub(super) fn at_file_scope<T>(
        &mut self,
        unit: UnitId,
        lower: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Option<T> {
        let checkpoint = self.checkpoint();
        let nothing = GlobalName {
            unit,
            name: "".into(),
        };
        let call = At::start_of(unit);
        let path = self.frame_ref().path.through(call);
        self.frames
            .push(Frame::new(nothing, call, path, Arc::default()));
        let result = self.in_block(lower);
        self.roll_back(&checkpoint);
        result.ok().map(|(_, value)| value)
    }

    /// An object that a unit's file scope has, or declares for others.
    fn global_object(&mut self, owner: &GlobalName, object: &Object) -> Slot {
        // An initializer that leads back to its own object finds data there.
        let nothing = Slot::Data(Type::Void);
        self.globals.insert(owner.clone(), nothing);
        let kind = self.at_file_scope(object.at.unit, |l| {
            let kind = l.resolve(&object.kind)?;
            Ok(l.completed(kind, object.initializer.as_ref()))
        });
        let Some(kind) = kind else {
            return Slot::Data(Type::Void);
        };
        if kind.holds_array() {
            let row = self.static_array(&object.name, object.at, &kind, object.at);
            self.note_global_constant(row, owner, object, &kind);
            self.note_initializer(row, &kind, object.initializer.as_ref());
            return Slot::Array(row, kind);
        }
        match (&kind, kind.integer()) {
            (_, Some(integer)) => self.global_integer(owner, object, integer),
            (Type::Pointer(pointee), None) => self.global_pointer(owner, object, pointee),
            (Type::Floating(_), None) if !self.program.is_modified(owner) => {
                match self.initial_value(object, &kind) {
                    Some(value @ Value::Floating(Some(_), _)) => Slot::Fixed(value),
                    _ => Slot::Data(kind),
                }
            }
            (Type::Struct(..), None) => {
                let slot = self.record(&object.name, &kind, object.at);
                if let Slot::Record(row, _) = slot {
                    self.note_global_constant(row, owner, object, &kind);
                    self.addressed.insert(row);
                    self.lose_pointers(row);
                }
                slot
            }
            _ => Slot::Data(kind),
        }
    }

    fn initial_value(&mut self, object: &Object, kind: &Type) -> Option<Value> {
        let initializer = object.initializer.as_ref()?;
        if let Initializer::List(list) = initializer
            && list.len() != 1
        {
            return None;
        }
        let value = self.at_file_scope(object.at.unit, |l| {
            let value = l.initializer(initializer)?;
            Ok(l.convert(value, kind))
        })?;
        Some(value)
    }

    fn global_integer(&mut self, owner: &GlobalName, object: &Object, kind: IntegerType) -> Slot {
        let name = &object.name;
        let is_written = self.program.is_modified(owner);
        let initial = match self.initial_value(object, &Type::Integer(kind)) {
            Some(Value::Integer(Expression::Integer(value), _)) => Some(value),
            _ => None,
        };
        let is_extern = object.lifetime == crate::syntax::Lifetime::Extern;
        let initial = match (initial, &object.initializer) {
            (None, None) if !is_extern && !object.is_const => Some(0),
            (initial, _) => initial,
        };
        let is_symbolic = self.program.is_symbolic(name);
        if object.is_const && is_symbolic {
            return self.symbolic(name, object.at, kind);
        }
        let given = self.program.size_value(name);
        if object.is_const
            && let Some(value) = given.or(initial)
        {
            return Slot::Fixed(Value::Integer(value.into(), kind));
        }
        let initial = initial.filter(|_| !is_written && !is_symbolic);
        let value = given.or(initial);
        let parameter = self.parameter(name, object.at, kind, value, true);
        if !self.program.may_modify(&self.call_summary, owner) {
            return Slot::Fixed(Value::Integer(parameter, kind));
        }
        // The function changes it: it is a variable that starts with what it finds.
        let id = self.new_variable(name, kind, true);
        self.variables[id.as_u32() as usize].frame = 0;
        self.give(id, Knowledge::Exact);
        self.entry.push((id, parameter));
        Slot::Integer(id, kind)
    }

    /// A pointer at file scope that nothing in the function sets points to a region of its own.
    fn global_pointer(&mut self, owner: &GlobalName, object: &Object, pointee: &Rc<Type>) -> Slot {
        let is_written = self.program.is_modified(owner);
        let kind = Type::Pointer(pointee.clone());
        if !is_written
            && let Some(Value::Pointer(pointer)) = self.initial_value(object, &kind)
            && super::expressions::is_object(&pointer)
        {
            return Slot::Fixed(Value::Pointer(pointer));
        }
        if matches!(**pointee, Type::Function | Type::Unknown(_)) {
            return Slot::Data(kind);
        }
        let row = self.array_row(
            vec![object.at],
            ArrayData {
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
            },
        );
        let pointer = Pointer {
            target: Target::Array(row),
            offset: 0.into(),
            pointee: pointee.clone(),
        };
        if !self.program.may_modify(&self.call_summary, owner) {
            return Slot::Fixed(Value::Pointer(pointer));
        }
        let id = self.new_pointer(&object.name, true);
        let offset = self.pointers[id.0];
        self.variables[offset.as_u32() as usize].frame = 0;
        self.state.pointers.insert(id, Target::Array(row));
        self.give(offset, Knowledge::Exact);
        self.entry.push((offset, 0.into()));
        Slot::Pointer(id, pointee.clone())
    }

    /// A size of the function.
    pub(super) fn parameter(
        &mut self,
        name: &Name,
        at: At,
        kind: IntegerType,
        value: Option<i64>,
        is_global: bool,
    ) -> Expression {
        let known = self
            .parameters
            .iter()
            .position(|row| row.name == *name && row.is_global == is_global && row.at == at);
        let idx = known.unwrap_or(self.parameters.len());
        if known.is_none() {
            self.parameters.push(ParameterRow {
                name: name.clone(),
                at,
                kind,
                value,
                is_global,
                is_minted: false,
                meaning: premiss_tree::ParameterKind::Size,
            });
        }
        let id = ParameterId::from_u32(u32::try_from(idx).unwrap_or(u32::MAX));
        Expression::Parameter(id)
    }

    /// Makes the variables at file scope that the function changes, before its first statement: what
    /// they hold then is theirs in every path.
    pub(super) fn enter_globals(&mut self, changed: Vec<GlobalName>) {
        for name in changed {
            self.global_of(name);
        }
        for (variable, value) in std::mem::take(&mut self.entry) {
            self.emit(premiss_tree::Node::Assign { variable, value });
        }
    }

    /// Binds a parameter of the function itself.
    pub(super) fn own_parameter(
        &mut self,
        parameter: &crate::syntax::Parameter,
        idx: usize,
    ) -> Lowered<()> {
        let kind = self.resolve(&parameter.kind)?;
        let Some(name) = &parameter.name else {
            return Ok(());
        };
        let facts = self.frame_ref().changed.clone();
        let is_changed = facts.changed.contains(name);
        let declared = kind.clone();
        if let (TypeName::Reference(_), Type::Pointer(pointee)) = (&*parameter.kind, &kind) {
            let pointer = self.own_reference(name, idx, pointee, parameter.at);
            self.bind(name, Slot::Fixed(Value::Pointer(pointer)));
            return Ok(());
        }
        let value = match super::calls::decayed(kind) {
            Type::Pointer(pointee) if !matches!(*pointee, Type::Function) => {
                self.parameter_array(name, idx, &declared, &pointee, parameter.at)
            }
            kind => match kind.integer() {
                Some(integer) => {
                    let given = self.program.size_value(name);
                    let size = self.parameter(name, parameter.at, integer, given, false);
                    Value::Integer(size, integer)
                }
                None => match kind {
                    Type::Floating(size) if !is_changed => {
                        self.named_real(name, parameter.at, size)
                    }
                    kind => super::access::data(kind),
                },
            },
        };
        let kind = value.kind();
        let slot = match (&value, is_changed) {
            (Value::Integer(..) | Value::Pointer(_), true) => {
                let is_shared = facts.addressed.contains(name);
                let slot = self.new_slot(name, &kind, is_shared);
                self.store(&Place::Slot(slot.clone()), value, parameter.at);
                slot
            }
            (Value::Integer(..) | Value::Pointer(_) | Value::Named(..), false) => {
                Slot::Fixed(value)
            }
            _ if matches!(kind, Type::Struct(..)) && !kind.holds_array() => {
                self.record(name, &kind, parameter.at)
            }
            // A struct with an array in it: an array that the function has to itself.
            _ if kind.holds_array() => {
                let row = self.local_array(name, parameter.at, &kind, parameter.at);
                Slot::Array(row, kind)
            }
            _ => {
                let is_shared = facts.addressed.contains(name);
                self.new_slot(name, &kind, is_shared)
            }
        };
        self.bind(name, slot);
        Ok(())
    }

    /// A pointer to a variable of the caller, where there is none: to a variable that starts as a size, or
    /// as a pointer to an array.
    fn own_reference(&mut self, name: &Name, idx: usize, pointee: &Rc<Type>, at: At) -> Pointer {
        self.declared_at = at;
        let slot = self.new_slot(name, pointee, true);
        if let Some(integer) = pointee.integer() {
            let given = self.program.size_value(name);
            let size = self.parameter(name, at, integer, given, false);
            self.store(
                &Place::Slot(slot.clone()),
                Value::Integer(size, integer),
                at,
            );
        }
        if let Type::Pointer(elements) = &**pointee {
            let array = self.parameter_array(name, idx, pointee, elements, at);
            self.store(&Place::Slot(slot.clone()), array, at);
        }
        Pointer {
            target: Target::Scalar(Box::new(slot)),
            offset: 0.into(),
            pointee: pointee.clone(),
        }
    }

    fn parameter_array(
        &mut self,
        name: &Name,
        idx: usize,
        declared: &Type,
        pointee: &Rc<Type>,
        at: At,
    ) -> Value {
        let extent = match declared {
            Type::Array(..) => declared.size().filter(|size| self.is_constant(size)),
            _ => None,
        };
        let row = self.array_row(
            vec![at],
            ArrayData {
                name: name.clone(),
                storage: Storage::Parameter,
                order: (idx, at),
                kind: (**pointee).clone(),
                extent,
                at,
                frame: 0,
                is_used: true,
                is_region: false,
                may_be_missing: false,
            },
        );
        Value::Pointer(self.pointer_to(row, 0.into(), pointee))
    }
}
