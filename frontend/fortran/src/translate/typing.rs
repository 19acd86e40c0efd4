//! Types and ranks of expressions, determined from the meanings of names without translation.
//!
//! The judgments are methods of [`NameEnvironment`], as they are mutually recursive with [`resolution`] (the specific
//! procedure for a generic name depends on the types of the actual arguments) and [`intrinsic_results`].

use crate::names::types::{DOUBLE, INTEGER, LOGICAL, REAL};
use crate::names::{ArraySpec, Entity, FortranType, Variable, constants};
use crate::syntax::{ActualArgument, ArgumentValue, Expr, ExprKind, NameKey};
use crate::translate::environment::NameEnvironment;
use crate::translate::expressions::intrinsic_results;
use crate::translate::resolution;
use std::sync::Arc;

impl NameEnvironment<'_> {
    /// The type of an expression's elements.
    pub(crate) fn type_of(&self, expr: &Expr) -> FortranType {
        match &expr.kind {
            ExprKind::Integer(_, kind) => match kind {
                Some(kind) => FortranType::Integer(self.literal_kind(kind, 4)),
                None => INTEGER,
            },
            ExprKind::Real(_, true, _) => DOUBLE,
            ExprKind::Real(_, false, Some(kind)) => FortranType::Real(self.literal_kind(kind, 4)),
            ExprKind::Real(_, false, None) => REAL,
            ExprKind::Text(bytes) => FortranType::Character(i64::try_from(bytes.len()).ok()),
            ExprKind::Logical(_) => LOGICAL,
            ExprKind::Name(key) => match self.selector(key) {
                Some(value) => self.type_of(&value),
                None => self.type_of_name(key),
            },
            ExprKind::Member(..) => match self.component(expr) {
                Some(variable) => variable.kind.clone(),
                None => FortranType::Unknown,
            },
            ExprKind::Apply(base, arguments) => self.type_of_apply(base, arguments),
            ExprKind::Parentheses(x) => self.type_of(x),
            ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Defined(..) => {
                self.type_and_rank(expr).0
            }
            ExprKind::Unparsed(..) => FortranType::Unknown,
            ExprKind::Complex(a, b) => match self.type_of(a).common(&self.type_of(b)) {
                FortranType::Real(bytes) => FortranType::Complex(bytes),
                _ => FortranType::Complex(4),
            },
            ExprKind::Constructor(items) => items
                .first()
                .map_or(FortranType::Unknown, |x| self.type_of(x)),
            ExprKind::ImpliedDo(inner) => inner
                .items
                .first()
                .map_or(FortranType::Unknown, |x| self.type_of(x)),
        }
    }

    /// The kind suffix of a literal, in bytes.
    pub(crate) fn literal_kind(&self, kind: &NameKey, default: u8) -> u8 {
        let value = constants::kind_parameter(kind, &self.scope);
        value.and_then(|x| u8::try_from(x).ok()).unwrap_or(default)
    }

    /// The declared or implicit type of a name.
    pub(crate) fn type_of_name(&self, key: &NameKey) -> FortranType {
        match self.scope.lookup(key).and_then(|symbol| symbol.kind()) {
            Some(kind) => kind.clone(),
            None => self.scope.implicit.type_for(key),
        }
    }

    /// The type of an element, a function reference or a constructor.
    pub(crate) fn type_of_apply(&self, base: &Expr, arguments: &[ActualArgument]) -> FortranType {
        let Some(key) = base.as_name() else {
            return self.type_of(base);
        };
        if let Some(value) = self.selector(key) {
            return self.type_of(&value);
        }
        match self.scope.lookup(key).map(|symbol| &symbol.entity) {
            Some(Entity::Variable(variable))
                if variable.shape.is_some()
                    || matches!(variable.kind, FortranType::Character(_)) =>
            {
                return variable.kind.clone();
            }
            Some(Entity::StatementFunction(function)) => return function.kind.clone(),
            Some(Entity::Constant { kind, .. }) => return kind.clone(),
            Some(Entity::DerivedType(found)) => {
                return FortranType::Derived(key.clone(), Some(found.id));
            }
            _ => {}
        }
        if let Some(id) = resolution::resolve_reference(self, key, arguments) {
            return resolution::result_type(self, id);
        }
        if let Some(kind) = intrinsic_results::result_type(self, key, arguments) {
            return kind;
        }
        self.type_of_name(key)
    }

    /// The component denoted by `x%name`.
    pub(crate) fn component(&self, expr: &Expr) -> Option<Arc<Variable>> {
        let ExprKind::Member(base, key) = &expr.kind else {
            return None;
        };
        let FortranType::Derived(name, _) = self.type_of(base) else {
            return None;
        };
        let found = self.derived_type(&name)?;
        let members = found.members.iter();
        let mut found = members.filter(|(own, ..)| own == key);
        found.next().map(|(_, _, variable)| variable.clone())
    }

    /// The rank of an expression.
    pub(crate) fn rank_of(&self, expr: &Expr) -> usize {
        match &expr.kind {
            ExprKind::Name(key) => match self.selector(key) {
                Some(value) => self.rank_of(&value),
                None => match self.scope.lookup(key).map(|symbol| &symbol.entity) {
                    Some(Entity::Variable(variable)) => rank_of_variable(variable),
                    Some(Entity::Constant { is_array, .. }) => usize::from(*is_array),
                    _ => 0,
                },
            },
            ExprKind::Member(base, _) => match self.rank_of(base) {
                0 => self
                    .component(expr)
                    .map_or(0, |variable| rank_of_variable(&variable)),
                rank => rank,
            },
            ExprKind::Apply(base, arguments) => self.rank_of_apply(base, arguments),
            ExprKind::Parentheses(x) => self.rank_of(x),
            ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Defined(..) => {
                self.type_and_rank(expr).1
            }
            ExprKind::Constructor(..) => 1,
            _ => 0,
        }
    }

    /// The rank of a section or function result.
    pub(crate) fn rank_of_apply(&self, base: &Expr, arguments: &[ActualArgument]) -> usize {
        if self.is_array_object(base) {
            let ranks = arguments.iter().map(|x| self.rank_of_subscript(x).min(1));
            // In `a(2:n)%y(2)` the rank is that of the part before the component.
            return ranks.sum::<usize>() + self.rank_of_parts_before(base);
        }
        let Some(key) = base.as_name() else { return 0 };
        let entity = self.scope.lookup(key).map(|symbol| &symbol.entity);
        if let Some(Entity::DerivedType(_) | Entity::StatementFunction(_)) = entity {
            return 0;
        }
        if let Some(id) = resolution::resolve_reference(self, key, arguments) {
            if self.index.procedure(id).summary.interface.is_elemental {
                let list = arguments.iter().filter_map(ActualArgument::expr);
                return list.map(|x| self.rank_of(x)).max().unwrap_or(0);
            }
            return resolution::result_rank(self, id);
        }
        intrinsic_results::result_rank(self, key, arguments).unwrap_or(0)
    }

    /// The rank of the object of which an array is a component.
    pub(crate) fn rank_of_parts_before(&self, base: &Expr) -> usize {
        match &base.kind {
            ExprKind::Member(object, _) => self.rank_of(object),
            _ => 0,
        }
    }

    /// The number of dimensions that a subscript contributes: 0 for an index.
    pub(crate) fn rank_of_subscript(&self, argument: &ActualArgument) -> usize {
        match &argument.value {
            ArgumentValue::Section(_) => 1,
            ArgumentValue::Expr(expr) => self.rank_of(expr),
            ArgumentValue::Label | ArgumentValue::Star => 0,
        }
    }

    /// Whether parentheses after an expression select elements rather than call a function.
    pub(crate) fn is_array_object(&self, base: &Expr) -> bool {
        match &base.kind {
            ExprKind::Name(key) => match self.selector(key) {
                Some(value) => 0 < self.rank_of(&value),
                None => match self.scope.lookup(key).map(|symbol| &symbol.entity) {
                    Some(Entity::Variable(variable)) => variable.shape.is_some(),
                    Some(Entity::Constant { is_array, .. }) => *is_array,
                    _ => false,
                },
            },
            ExprKind::Member(..) => self.component(base).is_some_and(|x| x.shape.is_some()),
            _ => false,
        }
    }
}

fn rank_of_variable(variable: &Variable) -> usize {
    variable.shape.as_ref().map_or(0, ArraySpec::rank)
}
