//! Functions that yield arrays, and array expressions as arguments.
//!
//! Such a function hands its result back where its caller says: behind the other arguments it takes where
//! the pointer to the result is to be kept, and where its bounds. `a = b + f(c * d)` becomes
//!
//! ```text
//! argument1 = c * d              an array of its own
//! call f(argument1, result2)     allocates result2
//! a = b + result2
//! ```

use super::Translator;
use super::make::{
    assign, binary, call, cast, dereference, evaluate, integer, name, object, statement,
};
use super::make::{block, long_name};
use super::place::{extent_name, lower_name};
use crate::names::{Entity, Passing, ProcedureId, Scope, Shape, Storage, Symbol, Type, Variable};
use crate::syntax::{AllocateOptions, Argument, ArgumentValue, Expr, ExprKind, Key, UnitKind};
use premiss_imperative::syntax::{
    At, Binary, Declaration, Expression, ExpressionKind as Kind, Name, Parameter, Statement,
    StatementKind, TypeName,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Translator<'_> {
    /// The rank of the array that this procedure yields, and the variable that holds it.
    fn own_result(&self) -> Option<(Symbol, Arc<Variable>, usize)> {
        let ast = self.procedure?.ast;
        if ast.kind != UnitKind::Function {
            return None;
        }
        let key = &ast.result.as_ref().unwrap_or(&ast.name).key;
        let symbol = self.symbol(key)?;
        let variable = self.scope.variable(key)?.clone();
        let rank = variable.shape.as_ref()?.rank();
        Some((symbol, variable, rank))
    }

    /// How the result of this function is handed back, where a variable is it.
    pub(super) fn passing_of_result(&self, key: &Key) -> Option<Passing> {
        let ast = self.procedure?.ast;
        let own = &ast.result.as_ref().unwrap_or(&ast.name).key;
        let (_, variable, rank) = self.own_result().filter(|_| key == own)?;
        matches!(variable.shape, Some(Shape::Deferred(_))).then_some(Passing::Descriptor(rank))
    }

    /// What the parameters for the result are called: as the variable itself where that is allocated.
    fn result_parameter(symbol: &Symbol, variable: &Variable) -> Name {
        match variable.shape {
            Some(Shape::Deferred(_)) => symbol.name.clone(),
            _ => Name::from(format!("result({})", symbol.name)),
        }
    }

    /// The parameters for the result: its bounds, and the pointer to it.
    pub(super) fn result_parameters(&self) -> Vec<Parameter> {
        let Some((symbol, variable, rank)) = self.own_result() else {
            return Vec::new();
        };
        let own = Self::result_parameter(&symbol, &variable);
        let parameter = |name: Name, kind| Parameter {
            name: Some(name),
            at: symbol.at,
            kind: Arc::new(TypeName::Reference(kind)),
        };
        let mut list = Vec::new();
        for dimension in 0..rank {
            list.push(parameter(extent_name(&own, dimension), long_name()));
            list.push(parameter(lower_name(&own, dimension), long_name()));
        }
        list.push(parameter(own, variable.kind.pointer()));
        list
    }

    /// Makes the array that an explicitly shaped result is, and hands it back.
    pub(super) fn made_result(&mut self) -> Option<Vec<Statement>> {
        let (symbol, variable, rank) = self.own_result()?;
        let shape = variable
            .shape
            .clone()
            .filter(|x| matches!(x, Shape::Explicit(_)))?;
        let at = symbol.at;
        let own = Self::result_parameter(&symbol, &variable);
        let key = Key::from(symbol.name.to_ascii_lowercase());
        let whole = Expr {
            at,
            kind: ExprKind::Name(key),
        };
        let mut list = Vec::new();
        let mut length = integer(at, 1);
        for dimension in 0..rank {
            let extent = self.extent_of(&whole, dimension)?;
            let kept = dereference(at, name(at, &extent_name(&own, dimension)));
            list.push(evaluate(assign(at, kept.clone(), extent)));
            let lower = dereference(at, name(at, &lower_name(&own, dimension)));
            list.push(evaluate(assign(at, lower, integer(at, 1))));
            length = binary(at, Binary::Multiply, length, kept);
        }
        let size = Expression::new(at, Kind::SizeofType(variable.kind.name()));
        let bytes = binary(at, Binary::Multiply, length, size);
        let memory = call(at, "malloc", vec![bytes]);
        let row = self.row_type(&variable.kind, &shape)?;
        let kind = Arc::new(TypeName::Pointer(row));
        let made = object(at, &symbol.name, kind.clone(), Some(cast(at, kind, memory)));
        list.push(declared(at, made));
        let start = cast(at, variable.kind.pointer(), name(at, &symbol.name));
        list.push(evaluate(assign(at, dereference(at, name(at, &own)), start)));
        Some(list)
    }

    /// Puts what array-valued functions yield, and array expressions that are handed over, into variables
    /// of their own: what does so, and the expression with these variables in place of them.
    pub(super) fn hoisted(&mut self, expr: &Expr, list: &mut Vec<Statement>) -> Option<Expr> {
        let kind = match &expr.kind {
            ExprKind::Unary(operator, x) => {
                ExprKind::Unary(*operator, Box::new(self.hoisted(x, list)?))
            }
            ExprKind::Binary(operator, a, b) => {
                let left = self.hoisted(a, list)?;
                ExprKind::Binary(*operator, Box::new(left), Box::new(self.hoisted(b, list)?))
            }
            ExprKind::Apply(base, arguments) if !self.is_data(base) => {
                let mut own = Vec::new();
                for argument in arguments {
                    own.push(self.hoisted_argument(argument, list)?);
                }
                let ids = base
                    .as_name()
                    .map(|key| self.index.callees(&self.scope, key));
                let id = self.chosen(&ids.unwrap_or_default(), &own);
                if let Some(id) = id.filter(|id| 0 < self.result_rank(*id)) {
                    return self.hoisted_call(id, &own, expr.at, list);
                }
                if id.is_some() {
                    let computed = own.iter().map(|one| self.computed_argument(one, list));
                    own = computed.collect::<Option<_>>()?;
                }
                ExprKind::Apply(base.clone(), own)
            }
            other => other.clone(),
        };
        Some(Expr { at: expr.at, kind })
    }

    fn hoisted_argument(
        &mut self,
        argument: &Argument,
        list: &mut Vec<Statement>,
    ) -> Option<Argument> {
        let value = match &argument.value {
            ArgumentValue::Expr(inner) => ArgumentValue::Expr(self.hoisted(inner, list)?),
            other => other.clone(),
        };
        Some(Argument {
            keyword: argument.keyword.clone(),
            value,
        })
    }

    fn hoisted_call(
        &mut self,
        id: ProcedureId,
        arguments: &[Argument],
        at: At,
        list: &mut Vec<Statement>,
    ) -> Option<Expr> {
        let mut own = Vec::new();
        for argument in arguments {
            own.push(self.computed_argument(argument, list)?);
        }
        let rank = self.result_rank(id);
        let result = self.array_variable("result", self.result_kind(id), rank, at, list);
        let handed = self.handed(id, &own, at).ok()?;
        let descriptor = self.descriptor_of(&result, list)?;
        let callee = &self.index.procedure(id).name;
        list.extend(handed.around(at, &|mut values| {
            values.extend(descriptor.clone());
            call(at, callee, values)
        }));
        Some(result)
    }

    /// An argument that is an array expression gets a variable.
    fn computed_argument(
        &mut self,
        argument: &Argument,
        list: &mut Vec<Statement>,
    ) -> Option<Argument> {
        let ArgumentValue::Expr(expr) = &argument.value else {
            return Some(argument.clone());
        };
        let is_computed = match &expr.kind {
            ExprKind::Unary(..) | ExprKind::Binary(..) => true,
            ExprKind::Apply(base, _) => !self.is_data(base),
            _ => false,
        };
        let rank = self.rank_of(expr);
        if rank == 0 || !is_computed || matches!(self.kind_of(expr), Type::Character(_)) {
            return Some(argument.clone());
        }
        let variable = self.array_variable("argument", self.kind_of(expr), rank, expr.at, list);
        let options = AllocateOptions {
            reports: Vec::new(),
            like: Some((crate::syntax::Like::Value, expr.clone())),
        };
        list.push(self.allocate(std::slice::from_ref(&variable), &options, expr.at));
        Some(Argument {
            keyword: argument.keyword.clone(),
            value: ArgumentValue::Expr(variable),
        })
    }

    /// A new variable for an array that is allocated.
    pub(super) fn array_variable(
        &mut self,
        beginning: &str,
        kind: Type,
        rank: usize,
        at: At,
        list: &mut Vec<Statement>,
    ) -> Expr {
        let own = self.fresh(beginning);
        let whole = self.bring_variable(&own, at, kind, Some(Shape::Deferred(rank)));
        let symbol = whole.as_name().and_then(|key| self.symbol(key));
        if let Some(symbol) = symbol
            && let Entity::Variable(variable) = &symbol.entity
        {
            let objects = self.objects(&symbol, variable);
            list.extend(objects.into_iter().map(|one| declared(at, one)));
        }
        whole
    }

    /// Lets a name stand for a new local variable, as long as the scope is not set back.
    pub(super) fn bring_variable(
        &mut self,
        own: &Name,
        at: At,
        kind: Type,
        shape: Option<Shape>,
    ) -> Expr {
        let symbol = Symbol {
            name: own.clone(),
            at,
            entity: Entity::Variable(Arc::new(Variable {
                kind,
                is_allocatable: shape.is_some(),
                shape,
                storage: Storage::Local,
                is_pointer: false,
                is_optional: false,
                intent: None,
                initial: None,
            })),
            is_imported: false,
        };
        let key = Key::from(own.to_ascii_lowercase());
        let inner = Scope {
            implicit: self.scope.implicit.clone(),
            symbols: FxHashMap::from_iter([(key.clone(), symbol)]),
            host: Some(self.scope.clone()),
            ..Scope::default()
        };
        self.scope = Arc::new(inner);
        Expr {
            at,
            kind: ExprKind::Name(key),
        }
    }

    /// Translates a statement with what it needs before it, in a block of its own; `None` where something
    /// is not modelled.
    pub(super) fn with_hoisted(
        &mut self,
        at: At,
        translate: impl FnOnce(&mut Self, &mut Vec<Statement>) -> Option<Statement>,
    ) -> Option<Statement> {
        let scope = self.scope.clone();
        let mut list = Vec::new();
        let translated = translate(self, &mut list);
        self.scope = scope;
        let translated = translated?;
        if list.is_empty() {
            return Some(translated);
        }
        list.push(translated);
        Some(block(at, list))
    }

    /// The arguments of `CALL` with variables in place of array expressions.
    pub(super) fn hoisted_arguments(
        &mut self,
        arguments: &[Argument],
        list: &mut Vec<Statement>,
    ) -> Option<Vec<Argument>> {
        let mut own = Vec::new();
        for argument in arguments {
            let inner = self.hoisted_argument(argument, list)?;
            own.push(self.computed_argument(&inner, list)?);
        }
        Some(own)
    }
}

pub(super) fn declared(at: At, object: premiss_imperative::syntax::Object) -> Statement {
    statement(
        at,
        StatementKind::Declarations(vec![Declaration::Object(object)]),
    )
}
