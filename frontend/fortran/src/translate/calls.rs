//! Calls: which procedure is meant, and how its arguments are handed over.
//!
//! A scalar that nobody changes is handed over as its value; one that the procedure changes, or may, as a
//! reference; an array as the place of its first element (sequence association), with its extents where
//! the procedure takes its shape.

use super::Translator;
use super::make::{
    address_of, assign, block, call, cast, computed, evaluate, integer, long_name, name, object,
    statement,
};
use super::results::declared;
use super::sections::Use;
use crate::names::{Dummy, Entity, Passing, Procedure, ProcedureId, Shape, Type};
use crate::syntax::{Argument, ArgumentValue, Expr, ExprKind, Intent, Key};
use premiss_imperative::syntax::{
    At, Declaration, Expression, ExpressionKind as Kind, Name, Statement, StatementKind, TypeName,
};
use premiss_tree::RejectReason;
use std::sync::Arc;

/// How many arrays of a call may be of those of which sizes tell whether they are copied: the call stands
/// there for each choice.
const MAX_ALTERNATIVES: usize = 2;

/// The arguments of a call, as programs hand them over.
#[derive(Default, Clone)]
pub(super) struct Handed {
    scalars: Vec<Expression>,
    extents: Vec<Expression>,
    arrays: Vec<Expression>,
    /// What has to be declared before.
    before: Vec<Statement>,
    /// What is to be done when the call has returned.
    after: Vec<Statement>,
    alternatives: Vec<Alternative>,
}

/// An array that is handed over as it is where a condition holds, and else as a copy.
#[derive(Clone)]
struct Alternative {
    condition: Expression,
    /// Where the array itself is.
    place: Expression,
    /// What fills the copy before the call, and what keeps after it what is in it.
    fill: Option<Statement>,
    keep: Option<Statement>,
    /// Which of the arrays it is.
    idx: usize,
}

impl Handed {
    /// Adds what has to be done before the call and after it.
    pub(super) fn surround(&mut self, before: Vec<Statement>, after: Option<Statement>) {
        self.before.extend(before);
        self.after.extend(after);
    }

    /// Lets the array that is handed over next be another one where a condition holds; `None` where there are
    /// too many such arrays.
    pub(super) fn choose(
        &mut self,
        condition: Expression,
        place: Expression,
        fill: Option<Statement>,
        keep: Option<Statement>,
    ) -> Option<()> {
        self.alternatives.push(Alternative {
            condition,
            place,
            fill,
            keep,
            idx: self.arrays.len(),
        });
        (self.alternatives.len() <= MAX_ALTERNATIVES).then_some(())
    }

    fn is_plain(&self) -> bool {
        self.before.is_empty() && self.after.is_empty() && self.alternatives.is_empty()
    }

    /// The arguments in the order in which procedures take them: scalars, then extents, then arrays, so that
    /// what the bounds of arrays need is there before.
    fn values(&self) -> Vec<Expression> {
        let list = self.scalars.iter().chain(&self.extents);
        list.chain(&self.arrays).cloned().collect()
    }

    /// What comes before a call, and its arguments; `None` where something comes after it.
    pub(super) fn list(self) -> Option<(Vec<Statement>, Vec<Expression>)> {
        let values = self.values();
        let is_all = self.after.is_empty() && self.alternatives.is_empty();
        is_all.then_some((self.before, values))
    }

    /// A call with what comes before it and after it.
    pub(super) fn around(
        mut self,
        at: At,
        call: &dyn Fn(Vec<Expression>) -> Expression,
    ) -> Vec<Statement> {
        let mut list = std::mem::take(&mut self.before);
        let after = std::mem::take(&mut self.after);
        list.extend(self.chosen(at, call));
        list.extend(after);
        list
    }

    /// The call, once for each choice of arrays and their copies.
    fn chosen(mut self, at: At, call: &dyn Fn(Vec<Expression>) -> Expression) -> Vec<Statement> {
        let Some(last) = self.alternatives.pop() else {
            return vec![evaluate(call(self.values()))];
        };
        let mut whole = self.clone();
        if let Some(array) = whole.arrays.get_mut(last.idx) {
            *array = last.place;
        }
        let mut copied: Vec<Statement> = last.fill.into_iter().collect();
        copied.extend(self.chosen(at, call));
        copied.extend(last.keep);
        let choice = StatementKind::If {
            condition: last.condition,
            then: Box::new(block(at, whole.chosen(at, call))),
            otherwise: Some(Box::new(block(at, copied))),
        };
        vec![statement(at, choice)]
    }
}

impl Translator<'_> {
    /// `CALL name(…)`
    pub(super) fn call_statement(
        &mut self,
        callee: &Expr,
        arguments: &[Argument],
        at: At,
    ) -> Statement {
        let object_argument;
        let (ids, arguments) = match &callee.kind {
            ExprKind::Name(key) => {
                if self.is_free(key) && self.callees(key).is_empty() {
                    if &**key == "move_alloc" {
                        return self.move_allocation(arguments, at);
                    }
                    return self.intrinsic_subroutine(key, arguments, at);
                }
                (self.callees(key), arguments)
            }
            ExprKind::Member(object, key) => {
                object_argument = with_object(object, arguments);
                (self.bound_to(object, key), &object_argument[..])
            }
            _ => (Vec::new(), arguments),
        };
        if let Some(id) = self.chosen(&ids, arguments) {
            return match self.handed(id, arguments, at) {
                Ok(handed) => {
                    let name = &self.index.procedure(id).name;
                    block(at, handed.around(at, &|values| call(at, name, values)))
                }
                Err(construct) => self.rejected(construct, at),
            };
        }
        let name = match &callee.kind {
            ExprKind::Name(key) => self.called_name(key),
            _ => Name::from(self.text_of(callee.at)),
        };
        let handed = self.unknown_arguments(callee.as_name(), arguments, at);
        block(at, handed.around(at, &|values| call(at, &name, values)))
    }

    /// What a procedure that is not there is called: a dummy procedure is a variable.
    fn called_name(&self, key: &Key) -> Name {
        match self.scope.lookup(key) {
            Some(symbol) => symbol.name.clone(),
            None => key.clone(),
        }
    }

    fn callees(&self, key: &Key) -> Vec<ProcedureId> {
        self.index.callees(&self.scope, key)
    }

    /// The procedure that a derived type binds to a name.
    fn bound_to(&self, object: &Expr, key: &Key) -> Vec<ProcedureId> {
        let Type::Derived(kind, _) = self.kind_of(object) else {
            return Vec::new();
        };
        let Some(found) = self.derived(&kind) else {
            return Vec::new();
        };
        let mut bindings = found.bindings.iter();
        match bindings.find(|(own, _)| own == key) {
            Some((_, target)) => self.callees(target),
            None => Vec::new(),
        }
    }

    /// Which of several procedures takes these arguments.
    pub(super) fn chosen(
        &self,
        ids: &[ProcedureId],
        arguments: &[Argument],
    ) -> Option<ProcedureId> {
        match ids {
            [] => None,
            [only] => Some(*only),
            several => {
                let fits = |id: &&ProcedureId| self.fits(**id, arguments);
                let fitting = several.iter().find(fits).copied();
                // External procedures of one name are told apart by the files that they are in.
                let first = several.first()?;
                let are_alike = several
                    .iter()
                    .all(|id| self.index.procedure(*id).name == self.index.procedure(*first).name);
                fitting.or(Some(*first).filter(|_| are_alike))
            }
        }
    }

    fn fits(&self, id: ProcedureId, arguments: &[Argument]) -> bool {
        let face = &self.index.procedure(id).account.face;
        if face.dummies.len() < arguments.len() {
            return false;
        }
        let variable = |position| face.dummy(position)?.variable.as_ref();
        for (idx, argument) in arguments.iter().enumerate() {
            let position = face.position(idx, argument.keyword.as_ref());
            let (Some(variable), Some(expr)) = (variable(position), argument.expr()) else {
                continue;
            };
            let is_alike = alike(&variable.kind, &self.kind_of(expr));
            if variable.rank() != self.rank_of(expr) || !is_alike {
                return false;
            }
        }
        let is_required = |idx: usize| variable(idx).is_some_and(|variable| !variable.is_optional);
        (arguments.len()..face.dummies.len()).all(|idx| !is_required(idx))
    }

    pub(super) fn result_kind(&self, id: ProcedureId) -> Type {
        self.index.procedure(id).account.face.result.0.clone()
    }

    pub(super) fn result_rank(&self, id: ProcedureId) -> usize {
        self.index.procedure(id).account.face.result.1
    }

    /// `f(…)`
    pub(super) fn function_reference(
        &mut self,
        expr: &Expr,
        key: &Key,
        arguments: &[Argument],
    ) -> Expression {
        let at = expr.at;
        match self.symbol(key).map(|symbol| symbol.entity) {
            Some(Entity::StatementFunction(function)) => {
                return self.statement_function(&function, arguments, at);
            }
            Some(Entity::DerivedType(_)) => {
                let operands = arguments.iter().filter_map(Argument::expr);
                let operands: Vec<Expression> = operands.map(|x| self.expr(x)).collect();
                return computed(at, self.kind_of(expr).name(), operands);
            }
            _ => {}
        }
        let is_letter_test = &**key == "lsame" && arguments.len() == 2;
        let ids = self.callees(key);
        if (is_letter_test || ids.is_empty()) && super::is_intrinsic(key) {
            let is_reduction = matches!(
                &**key,
                "sum"
                    | "product"
                    | "maxval"
                    | "minval"
                    | "count"
                    | "any"
                    | "all"
                    | "dot_product"
                    | "norm2"
                    | "maxloc"
                    | "minloc"
            );
            let value = match is_reduction {
                true => self.reduction(expr, key, arguments),
                false => self.intrinsic(key, arguments, at),
            };
            return value.unwrap_or_else(|| {
                let construct = format!("{} of these arguments", key.to_ascii_uppercase());
                self.rejected_value(construct, expr)
            });
        }
        match self.chosen(&ids, arguments) {
            Some(id) => self.known_function(id, expr, arguments),
            None => {
                let name = self.called_name(key);
                let handed = self.unknown_arguments(Some(key), arguments, at);
                let kind = self.kind_of(expr).name();
                self.value_around(handed, at, &kind, &|values| {
                    cast(at, kind.clone(), call(at, &name, values))
                })
            }
        }
    }

    /// `object%name(…)`
    pub(super) fn bound_function(
        &mut self,
        expr: &Expr,
        object: &Expr,
        key: &Key,
        arguments: &[Argument],
    ) -> Expression {
        let arguments = with_object(object, arguments);
        let ids = self.bound_to(object, key);
        match self.chosen(&ids, &arguments) {
            Some(id) => self.known_function(id, expr, &arguments),
            None => computed(expr.at, self.kind_of(expr).name(), Vec::new()),
        }
    }

    fn known_function(
        &mut self,
        id: ProcedureId,
        expr: &Expr,
        arguments: &[Argument],
    ) -> Expression {
        let is_function = self.index.procedure(id).account.face.is_function();
        if !is_function || 0 < self.result_rank(id) {
            return self.rejected_value("a function that yields an array".to_owned(), expr);
        }
        match self.handed(id, arguments, expr.at) {
            Ok(handed) => {
                let name = &self.index.procedure(id).name;
                let kind = self.result_kind(id).name();
                self.value_around(handed, expr.at, &kind, &|values| {
                    call(expr.at, name, values)
                })
            }
            Err(construct) => self.rejected_value(construct, expr),
        }
    }

    /// The value of a call with what comes before it and after it.
    fn value_around(
        &mut self,
        mut handed: Handed,
        at: At,
        kind: &Arc<TypeName>,
        call: &dyn Fn(Vec<Expression>) -> Expression,
    ) -> Expression {
        if handed.is_plain() {
            return call(handed.values());
        }
        let mut list = std::mem::take(&mut handed.before);
        if handed.is_plain() {
            list.push(evaluate(call(handed.values())));
        } else {
            let kept = self.fresh("value");
            list.push(declared(at, object(at, &kept, kind.clone(), None)));
            let keeping = |values| assign(at, name(at, &kept), call(values));
            list.extend(handed.around(at, &keeping));
            list.push(evaluate(name(at, &kept)));
        }
        Expression::new(at, Kind::StatementExpression(Box::new(block(at, list))))
    }

    /// A function that is defined by one expression: its arguments are evaluated once.
    fn statement_function(
        &mut self,
        function: &crate::names::StatementFunction,
        arguments: &[Argument],
        at: At,
    ) -> Expression {
        let mut list = Vec::new();
        let mut bound = Vec::new();
        for ((dummy, kind), argument) in function.dummies.iter().zip(arguments) {
            let Some(value) = argument.expr() else {
                continue;
            };
            let value = self.expr(value);
            let local = self.fresh(&dummy.key);
            let declared = object(at, &local, kind.name(), Some(value));
            list.push(statement(
                at,
                StatementKind::Declarations(vec![Declaration::Object(declared)]),
            ));
            bound.push((dummy.key.clone(), local));
        }
        let value = self.with_arguments(bound, |translator| translator.expr(&function.value));
        list.push(evaluate(cast(at, function.kind.name(), value)));
        Expression::new(at, Kind::StatementExpression(Box::new(block(at, list))))
    }

    /// The arguments of a procedure that is there.
    pub(super) fn handed(
        &mut self,
        id: ProcedureId,
        arguments: &[Argument],
        at: At,
    ) -> Result<Handed, String> {
        let index = self.index;
        let callee = index.procedure(id);
        let face = &callee.account.face;
        let n_dummies = callee.passing.len();
        let mut actual: Vec<Option<&Expr>> = vec![None; n_dummies];
        let mut n_labels = 0;
        for (idx, argument) in arguments.iter().enumerate() {
            match &argument.value {
                ArgumentValue::Label => n_labels += 1,
                ArgumentValue::Expr(expr) => {
                    let idx = idx - n_labels;
                    let position = face.position(idx, argument.keyword.as_ref());
                    if let Some(slot) = actual.get_mut(position) {
                        *slot = Some(expr);
                    }
                }
                _ => {}
            }
        }
        if 0 < n_labels {
            return Err("an alternate return".to_owned());
        }
        let externals = index.externals.get(&face.key);
        let has_interface = externals.is_none_or(|ids| !ids.contains(&id));
        let mut handed = Handed::default();
        let dummies = face.dummies.iter().flatten();
        for ((passing, expr), dummy) in callee.passing.iter().zip(actual).zip(dummies) {
            let kind = match &dummy.variable {
                Some(variable) => variable.kind.clone(),
                None => Type::Unknown,
            };
            let is_scalar = matches!(passing, Passing::Value | Passing::Reference);
            if is_scalar && has_interface && expr.is_some_and(|expr| 0 < self.rank_of(expr)) {
                // An elemental procedure, which is called for each element.
                return Err("an array for an argument that is no array".to_owned());
            }
            let used = used(callee, dummy);
            self.hand_over(*passing, expr, (&kind, used), at, &mut handed)?;
        }
        for (key, passing) in &callee.captured {
            let expr = Expr {
                at,
                kind: ExprKind::Name(key.clone()),
            };
            let kind = self.kind_of(&expr);
            self.hand_over(*passing, Some(&expr), (&kind, Use::Both), at, &mut handed)?;
        }
        Ok(handed)
    }

    fn hand_over(
        &mut self,
        passing: Passing,
        expr: Option<&Expr>,
        (kind, used): (&Type, Use),
        at: At,
        handed: &mut Handed,
    ) -> Result<(), String> {
        let null = || cast(at, kind.pointer(), integer(at, 0));
        match (passing, expr) {
            (Passing::Value, Some(expr)) => {
                let value = match kind {
                    Type::Character(Some(1)) => self.first_character(expr),
                    Type::Character(_) => computed(at, kind.name(), Vec::new()),
                    _ => self.expr(expr),
                };
                handed.scalars.push(value);
            }
            (Passing::Value, None) => handed.scalars.push(computed(at, kind.name(), Vec::new())),
            (Passing::Procedure, expr) => {
                let value = match expr.and_then(Expr::as_name) {
                    Some(key) => self.procedure_value(key, at),
                    None => computed(at, Type::Unknown.name(), Vec::new()),
                };
                handed.scalars.push(value);
            }
            (Passing::Reference, Some(expr)) => {
                let reference = self.reference(expr, kind, handed);
                handed.scalars.push(reference);
            }
            (Passing::Reference, None) => handed.scalars.push(null()),
            (Passing::Array, Some(expr)) => {
                let start = self.start_or_copy(expr, (kind, used), handed)?;
                handed.arrays.push(cast(at, kind.pointer(), start));
            }
            (Passing::Shaped(rank), Some(expr)) => {
                let start = self.start_of_shaped(expr)?;
                handed.arrays.push(cast(at, kind.pointer(), start));
                for dimension in 0..rank {
                    let extent = self.extent_of(expr, dimension);
                    let extent = extent.ok_or("an array whose extents are not known")?;
                    handed.extents.push(cast(at, long_name(), extent));
                }
            }
            (Passing::Descriptor(rank), Some(expr)) => {
                self.hand_over_descriptor(rank, expr, kind, handed)?;
            }
            (Passing::Descriptor(rank), None) => {
                let null = |kind: Arc<TypeName>| {
                    cast(at, Arc::new(TypeName::Pointer(kind)), integer(at, 0))
                };
                handed.arrays.push(null(kind.pointer()));
                handed
                    .extents
                    .extend((0..2 * rank).map(|_| null(long_name())));
            }
            (Passing::Array, None) => handed.arrays.push(null()),
            (Passing::Shaped(rank), None) => {
                handed.arrays.push(null());
                handed.extents.extend((0..rank).map(|_| integer(at, 0)));
            }
        }
        Ok(())
    }

    /// Where an array has its pointer and its bounds; of one that is not allocated, where copies are.
    fn hand_over_descriptor(
        &mut self,
        rank: usize,
        expr: &Expr,
        kind: &Type,
        handed: &mut Handed,
    ) -> Result<(), String> {
        let at = expr.at;
        let array = self.array(expr).filter(
            |array| matches!(array.variable.shape, Some(Shape::Deferred(own)) if own == rank),
        );
        for dimension in 0..rank {
            let (extent, lower) = match &array {
                Some(array) => (
                    self.run_time_extent(&array.bounds, dimension, at),
                    self.run_time_lower(&array.bounds, dimension, at),
                ),
                None => {
                    let extent = self.extent_of(expr, dimension);
                    let extent = extent.ok_or("an array whose extents are not known")?;
                    (extent, integer(at, 1))
                }
            };
            for bound in [extent, lower] {
                let place = match is_object(&bound) {
                    true => bound,
                    false => self.put(bound, long_name(), handed),
                };
                handed.extents.push(address_of(at, place));
            }
        }
        let start = match array {
            Some(array) => array.base,
            None => {
                let start = self.start_of(expr)?;
                self.put(cast(at, kind.pointer(), start), kind.pointer(), handed)
            }
        };
        handed.arrays.push(address_of(at, start));
        Ok(())
    }

    /// Where the bounds of an array are that is allocated, and the pointer to it.
    pub(super) fn descriptor_of(
        &mut self,
        expr: &Expr,
        list: &mut Vec<Statement>,
    ) -> Option<Vec<Expression>> {
        let kind = self.kind_of(expr);
        let mut handed = Handed::default();
        let rank = self.rank_of(expr);
        self.hand_over_descriptor(rank, expr, &kind, &mut handed)
            .ok()?;
        let (before, values) = handed.list()?;
        list.extend(before);
        Some(values)
    }

    /// A variable that has a value while the call lasts.
    fn put(&mut self, value: Expression, kind: Arc<TypeName>, handed: &mut Handed) -> Expression {
        let at = value.at;
        let temporary = self.fresh("argument");
        let declared = object(at, &temporary, kind, Some(value));
        handed.before.push(statement(
            at,
            StatementKind::Declarations(vec![Declaration::Object(declared)]),
        ));
        name(at, &temporary)
    }

    fn procedure_value(&mut self, key: &Key, at: At) -> Expression {
        let ids = self.callees(key);
        match self.chosen(&ids, &[]) {
            Some(id) => name(at, &self.index.procedure(id).name.clone()),
            None => name(at, &self.called_name(key)),
        }
    }

    /// Where a scalar is; a value that is nowhere is put somewhere, and so is that of a DO variable while its
    /// loop runs: no procedure may change that.
    fn reference(&mut self, expr: &Expr, kind: &Type, handed: &mut Handed) -> Expression {
        let at = expr.at;
        let is_text = matches!(self.kind_of(expr), Type::Character(length) if length != Some(1));
        let is_counting = expr.as_name().is_some_and(|key| self.is_active(key));
        let place = match is_text || is_counting || 0 < self.rank_of(expr) {
            true => None,
            false => self.place(expr).filter(is_object),
        };
        let place = match place {
            Some(place) => place,
            None => {
                let value = match kind {
                    Type::Character(_) => self.first_character(expr),
                    _ => self.expr(expr),
                };
                self.put(value, kind.name(), handed)
            }
        };
        cast(at, kind.pointer(), address_of(at, place))
    }

    /// The arguments of a procedure of which the text of its call tells no more than the name `key`. A dummy procedure takes
    /// all of them by reference; one that is not there may change all that it gets.
    fn unknown_arguments(&mut self, key: Option<&Key>, arguments: &[Argument], at: At) -> Handed {
        let is_dummy = key.is_some_and(|key| {
            let symbol = self.scope.lookup(key).map(|symbol| &symbol.entity);
            matches!(symbol, Some(Entity::DummyProcedure(_)))
        });
        let mut handed = Handed::default();
        for expr in arguments.iter().filter_map(Argument::expr) {
            let value = if let Some(key) = self.procedure_name(expr) {
                self.procedure_value(&key, at)
            } else if 0 < self.rank_of(expr) {
                let start = match is_dummy {
                    true => self.start_for_dummy(expr, &mut handed),
                    false => self.array_root(expr),
                };
                start.unwrap_or_else(|| computed(at, Type::Unknown.name(), Vec::new()))
            } else if matches!(self.kind_of(expr), Type::Character(_)) {
                self.first_character(expr)
            } else {
                let kind = self.kind_of(expr);
                match self.place(expr).filter(is_object) {
                    None if !is_dummy => self.expr(expr),
                    _ => self.reference(expr, &kind, &mut handed),
                }
            };
            handed.scalars.push(value);
        }
        handed
    }

    /// The name of the procedure that an argument is, where it is one.
    fn procedure_name(&self, expr: &Expr) -> Option<Key> {
        let key = expr
            .as_name()
            .filter(|key| self.associated(key).is_none())?;
        let is_procedure = matches!(
            self.scope.lookup(key)?.entity,
            Entity::Procedure(_)
                | Entity::External(_)
                | Entity::DummyProcedure(_)
                | Entity::Generic(_)
        );
        is_procedure.then(|| key.clone())
    }

    /// Where an array starts that a dummy procedure gets, or a section that lies in one piece.
    fn start_for_dummy(&mut self, expr: &Expr, handed: &mut Handed) -> Option<Expression> {
        let kind = self.kind_of(expr);
        let mut own = Handed::default();
        let start = self
            .start_or_copy(expr, (&kind, Use::Both), &mut own)
            .ok()?;
        if !own.alternatives.is_empty() {
            return None;
        }
        handed.surround(own.before, None);
        handed.after.extend(own.after);
        Some(cast(expr.at, kind.pointer(), start))
    }

    /// Where the array is that an expression is part of.
    fn array_root(&mut self, expr: &Expr) -> Option<Expression> {
        match &expr.kind {
            ExprKind::Apply(base, _) => self.array_root(base),
            _ => self.array(expr).map(|array| array.base),
        }
    }

    fn intrinsic_subroutine(&mut self, key: &Key, arguments: &[Argument], at: At) -> Statement {
        let mut list = Vec::new();
        for expr in arguments.iter().filter_map(Argument::expr) {
            if &**key != "exit" {
                list.extend(self.store_unknown(expr));
            }
        }
        block(at, list)
    }

    /// Something that is not modelled, as a statement.
    pub(super) fn rejected(&self, construct: String, at: At) -> Statement {
        statement(
            at,
            StatementKind::Error(RejectReason::Unsupported { construct }),
        )
    }

    /// Something that is not modelled, as a value.
    pub(super) fn rejected_value(&mut self, construct: String, expr: &Expr) -> Expression {
        let rejected = self.rejected(construct, expr.at);
        self.after(rejected, expr)
    }
}

/// `object%name(a)` is `name(object, a)`.
fn with_object(object: &Expr, arguments: &[Argument]) -> Vec<Argument> {
    let first = Argument {
        keyword: None,
        value: ArgumentValue::Expr(object.clone()),
    };
    std::iter::once(first)
        .chain(arguments.iter().cloned())
        .collect()
}

/// What a procedure does with an array that it takes.
fn used(callee: &Procedure, dummy: &Dummy) -> Use {
    match dummy.variable.as_ref().and_then(|variable| variable.intent) {
        Some(Intent::Out) => Use::Writes,
        Some(Intent::In) => Use::Reads,
        _ if callee.modified.contains(&dummy.key) => Use::Both,
        _ => Use::Reads,
    }
}

/// Whether an expression is one whose address can be taken.
pub(super) fn is_object(place: &Expression) -> bool {
    matches!(
        place.kind,
        Kind::Name(_) | Kind::Index(..) | Kind::Dereference(_) | Kind::Member { .. }
    )
}

/// Whether a value of one type can be passed for another.
fn alike(dummy: &Type, actual: &Type) -> bool {
    match (dummy, actual) {
        (Type::Character(_), Type::Character(_))
        | (Type::Unknown, _)
        | (_, Type::Unknown)
        | (Type::Logical(_), Type::Logical(_)) => true,
        (Type::Derived(a, _), Type::Derived(b, _)) => a == b,
        (a, b) => a == b,
    }
}
