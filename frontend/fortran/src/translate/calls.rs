//! Calls: which procedure is meant, and how its arguments are handed over.
//!
//! A scalar that nobody changes is handed over as its value; one that the procedure changes, or may, as a
//! reference; an array as the place of its first element (sequence association), with its extents where
//! the procedure takes its shape.

use super::Translator;
use super::make::{
    address_of, block, call, cast, computed, evaluate, integer, long_name, name, object, statement,
};
use crate::names::{Entity, Passing, ProcedureId, Shape, Type};
use crate::syntax::{Argument, ArgumentValue, Expr, ExprKind, Key, UnitKind};
use premiss_imperative::syntax::{
    At, Declaration, Expression, ExpressionKind as Kind, Name, Statement, StatementKind, TypeName,
};
use premiss_tree::RejectReason;
use std::sync::Arc;

/// The arguments of a call, as programs hand them over.
#[derive(Default)]
pub(super) struct Handed {
    scalars: Vec<Expression>,
    extents: Vec<Expression>,
    arrays: Vec<Expression>,
    /// What has to be declared before.
    before: Vec<Statement>,
}

impl Handed {
    /// In the order in which procedures take them: scalars, then extents, then arrays, so that what the
    /// bounds of arrays need is there before.
    pub(super) fn list(self) -> (Vec<Statement>, Vec<Expression>) {
        let list = self
            .scalars
            .into_iter()
            .chain(self.extents)
            .chain(self.arrays);
        (self.before, list.collect())
    }
}

impl Translator<'_, '_> {
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
                    let (mut list, values) = handed.list();
                    let name = self.index.procedure(id).name.clone();
                    list.push(evaluate(call(at, &name, values)));
                    block(at, list)
                }
                Err(construct) => self.rejected(construct, at),
            };
        }
        let name = match &callee.kind {
            ExprKind::Name(key) => self.called_name(key),
            _ => Name::from(self.text_of(callee.at)),
        };
        let (mut list, values) = self.unknown_arguments(arguments, at).list();
        list.push(evaluate(call(at, &name, values)));
        block(at, list)
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
        let callee = self.index.procedure(id);
        let dummies = &callee.ast.dummies;
        if dummies.len() < arguments.len() {
            return false;
        }
        for (idx, argument) in arguments.iter().enumerate() {
            let position = crate::names::position(self.index, id, idx, argument.keyword.as_ref());
            let (Some(Some(dummy)), Some(expr)) = (dummies.get(position), argument.expr()) else {
                continue;
            };
            let Some(variable) = callee.scope.variable(&dummy.key) else {
                continue;
            };
            let rank = variable.shape.as_ref().map_or(0, Shape::rank);
            if rank != self.rank_of(expr) || !alike(&variable.kind, &self.kind_of(expr)) {
                return false;
            }
        }
        let is_required = |idx: usize| {
            let dummy = dummies.get(idx).and_then(Option::as_ref);
            let variable = dummy.and_then(|dummy| callee.scope.variable(&dummy.key));
            variable.is_some_and(|variable| !variable.is_optional)
        };
        (arguments.len()..dummies.len()).all(|idx| !is_required(idx))
    }

    pub(super) fn result_kind(&self, id: ProcedureId) -> Type {
        let callee = self.index.procedure(id);
        let result = callee.ast.result.as_ref().unwrap_or(&callee.ast.name);
        match callee.scope.variable(&result.key) {
            Some(variable) => variable.kind.clone(),
            None => callee.scope.implicit.of(&result.key),
        }
    }

    pub(super) fn result_rank(&self, id: ProcedureId) -> usize {
        let callee = self.index.procedure(id);
        let result = callee.ast.result.as_ref().unwrap_or(&callee.ast.name);
        let variable = callee.scope.variable(&result.key);
        variable
            .and_then(|x| x.shape.as_ref())
            .map_or(0, Shape::rank)
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
                let (before, values) = self.unknown_arguments(arguments, at).list();
                let value = cast(at, self.kind_of(expr).name(), call(at, &name, values));
                self.with_before(before, value)
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
        let is_function = self.index.procedure(id).ast.kind == UnitKind::Function;
        if !is_function || 0 < self.result_rank(id) {
            return self.rejected_value("a function that yields an array".to_owned(), expr);
        }
        match self.handed(id, arguments, expr.at) {
            Ok(handed) => {
                let (before, values) = handed.list();
                let name = self.index.procedure(id).name.clone();
                self.with_before(before, call(expr.at, &name, values))
            }
            Err(construct) => self.rejected_value(construct, expr),
        }
    }

    /// A value for which something has to be declared.
    fn with_before(&mut self, before: Vec<Statement>, value: Expression) -> Expression {
        if before.is_empty() {
            return value;
        }
        let at = value.at;
        let mut list = before;
        list.push(evaluate(value));
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
        let n_dummies = callee.passing.len();
        let mut actual: Vec<Option<&Expr>> = vec![None; n_dummies];
        let mut n_labels = 0;
        for (idx, argument) in arguments.iter().enumerate() {
            match &argument.value {
                ArgumentValue::Label => n_labels += 1,
                ArgumentValue::Expr(expr) => {
                    let idx = idx - n_labels;
                    let position =
                        crate::names::position(index, id, idx, argument.keyword.as_ref());
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
        let externals = index.externals.get(&callee.ast.name.key);
        let has_interface = externals.is_none_or(|ids| !ids.contains(&id));
        let mut handed = Handed::default();
        let dummies: Vec<&Key> = callee
            .ast
            .dummies
            .iter()
            .flatten()
            .map(|x| &x.key)
            .collect();
        for ((passing, expr), key) in callee.passing.iter().zip(actual).zip(dummies) {
            let kind = match callee.scope.variable(key) {
                Some(variable) => variable.kind.clone(),
                None => Type::Unknown,
            };
            let is_scalar = matches!(passing, Passing::Value | Passing::Reference);
            if is_scalar && has_interface && expr.is_some_and(|expr| 0 < self.rank_of(expr)) {
                // An elemental procedure, which is called for each element.
                return Err("an array for an argument that is no array".to_owned());
            }
            self.hand_over(*passing, expr, &kind, at, &mut handed)?;
        }
        for (key, passing) in &callee.captured {
            let expr = Expr {
                at,
                kind: ExprKind::Name(key.clone()),
            };
            let kind = self.kind_of(&expr);
            self.hand_over(*passing, Some(&expr), &kind, at, &mut handed)?;
        }
        Ok(handed)
    }

    fn hand_over(
        &mut self,
        passing: Passing,
        expr: Option<&Expr>,
        kind: &Type,
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
                let start = self.start_of(expr)?;
                handed.arrays.push(cast(at, kind.pointer(), start));
            }
            (Passing::Shaped(rank), Some(expr)) => {
                let start = self.start_of(expr)?;
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
        let (before, values) = handed.list();
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

    /// Where a scalar is; a value that is nowhere is put somewhere.
    fn reference(&mut self, expr: &Expr, kind: &Type, handed: &mut Handed) -> Expression {
        let at = expr.at;
        let is_text = matches!(self.kind_of(expr), Type::Character(length) if length != Some(1));
        let place = match is_text || 0 < self.rank_of(expr) {
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

    /// Where the first element of an array argument is: of an element, all that follow it are handed
    /// over, too.
    fn start_of(&mut self, expr: &Expr) -> Result<Expression, String> {
        let at = expr.at;
        let rank = self.rank_of(expr);
        if rank == 0 {
            return match self.place(expr).filter(is_object) {
                Some(place) => Ok(address_of(at, place)),
                // A constant stands for an array of one element.
                None => Ok(cast(at, self.kind_of(expr).pointer(), integer(at, 0))),
            };
        }
        match self.contiguous_start(expr) {
            Some(start) => Ok(start),
            None => Err(
                "an array section that is not contiguous, or an expression, as an argument"
                    .to_owned(),
            ),
        }
    }

    /// The place of the first element of an array that lies in one piece.
    pub(super) fn contiguous_start(&mut self, expr: &Expr) -> Option<Expression> {
        let at = expr.at;
        match &expr.kind {
            ExprKind::Name(key) => {
                if let Some(value) = self.associated(key) {
                    return self.contiguous_start(&value);
                }
                if let Some((key, _)) = self.constant_array(expr) {
                    let symbol = self.symbol(&key)?;
                    return Some(name(at, &symbol.name));
                }
                self.array(expr).map(|array| array.base)
            }
            ExprKind::Member(base, _) if self.rank_of(base) == 0 => {
                self.array(expr).map(|array| array.base)
            }
            ExprKind::Apply(base, arguments) if self.is_data(base) => {
                self.contiguous_section(base, arguments, at)
            }
            _ => None,
        }
    }

    /// A section lies in one piece where all but its last ranked dimension are whole, and scalars follow.
    fn contiguous_section(
        &mut self,
        base: &Expr,
        arguments: &[Argument],
        at: At,
    ) -> Option<Expression> {
        let ranked: Vec<bool> = arguments
            .iter()
            .map(|one| 0 < self.rank_of_argument(one))
            .collect();
        let last = ranked.iter().rposition(|is_ranked| *is_ranked)?;
        let array = self.array(base)?;
        let mut positions = Vec::new();
        for (dimension, argument) in arguments.iter().enumerate() {
            let position = match &argument.value {
                ArgumentValue::Section(section) => {
                    let is_whole =
                        section.first.is_none() && section.last.is_none() && section.step.is_none();
                    if section.step.is_some() || (dimension < last && !is_whole) {
                        return None;
                    }
                    match &section.first {
                        None => integer(at, 0),
                        Some(first) => {
                            let value = self.expr(first);
                            self.position(&array, dimension, value, at)
                        }
                    }
                }
                ArgumentValue::Expr(subscript) if self.rank_of(subscript) == 0 => {
                    if dimension < last {
                        return None;
                    }
                    let value = self.expr(subscript);
                    self.position(&array, dimension, value, at)
                }
                _ => return None,
            };
            positions.push(position);
        }
        let first = self.element(array, positions, at)?;
        Some(address_of(at, first))
    }

    /// The arguments of a procedure that is not there: it may change all that it gets.
    fn unknown_arguments(&mut self, arguments: &[Argument], at: At) -> Handed {
        let mut handed = Handed::default();
        for expr in arguments.iter().filter_map(Argument::expr) {
            let is_procedure = expr.as_name().is_some_and(|key| {
                self.associated(key).is_none()
                    && matches!(
                        self.scope.lookup(key).map(|symbol| &symbol.entity),
                        Some(
                            Entity::Procedure(_)
                                | Entity::External(_)
                                | Entity::DummyProcedure(_)
                                | Entity::Generic(_)
                        )
                    )
            });
            let value = if is_procedure {
                let key = expr.as_name().cloned().unwrap_or_else(|| "".into());
                self.procedure_value(&key, at)
            } else if 0 < self.rank_of(expr) {
                let start = self.array_root(expr);
                start.unwrap_or_else(|| computed(at, Type::Unknown.name(), Vec::new()))
            } else if matches!(self.kind_of(expr), Type::Character(_)) {
                self.first_character(expr)
            } else {
                let kind = self.kind_of(expr);
                match self.place(expr).filter(is_object) {
                    Some(_) => self.reference(expr, &kind, &mut handed),
                    None => self.expr(expr),
                }
            };
            handed.scalars.push(value);
        }
        handed
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

/// Whether an expression is one whose address can be taken.
fn is_object(place: &Expression) -> bool {
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
