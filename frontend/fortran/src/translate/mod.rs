//! From Fortran's syntax to that of imperative programs.
//!
//! An array is a pointer to rows, or to elements, with its subscripts in reverse order: `a(i, j)` of
//! `REAL a(lda, *)` is `a[j - 1][i - 1]` of `float (*a)[lda]`. A dummy argument that is a scalar is the value
//! that it is handed, or a reference where the procedure may change it; COMMON blocks are arrays of bytes,
//! their scalars variables. Whole-array operations are the loops that they stand for.

mod allocation;
mod arrays;
mod calls;
mod declare;
mod expressions;
mod intrinsics;
mod kinds;
mod loops;
mod make;
mod mathematics;
mod overlap;
mod place;
mod results;
mod sections;
mod statements;
mod unit;

pub(crate) use intrinsics::is_intrinsic;
pub(crate) use make::{bytes, integer, long_name};
pub(crate) use place::{extent_name, lower_name};
pub(crate) use unit::unit;

use crate::names::{
    Area, DerivedType, Entity, Index, Procedure, ProcedureId, Scope, Storage, Written,
};
use crate::syntax::{Expr, Key, ProgramUnit, UnitKind};
use loops::{Active, Open};
use premiss_imperative::syntax::{At, Expression, Name};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a procedure is translated with.
pub(crate) struct Translator<'i> {
    index: &'i Index,
    /// The procedure; `None` for what stands in a module itself.
    procedure: Option<Current<'i>>,
    scope: Arc<Scope>,
    text: &'i str,
    /// The loops and named blocks around the place that is being translated.
    open: Vec<Open>,
    /// The DO variables of these loops.
    active: Vec<Active>,
    /// What `ASSOCIATE` lets names stand for.
    associates: Vec<Vec<(Key, Arc<Expr>)>>,
    /// What the arguments of the statement function that is being expanded are called.
    arguments: Vec<(Key, Name)>,
    /// The labels that jumps lead to.
    targets: BTreeSet<u32>,
    n_names: u32,
}

/// The procedure that is being translated: its text, and how others call it.
#[derive(Clone, Copy)]
struct Current<'i> {
    ast: &'i ProgramUnit,
    called: &'i Procedure,
}

impl<'i> Translator<'i> {
    fn new(index: &'i Index, id: ProcedureId, written: &Written<'i>, text: &'i str) -> Self {
        let Written { ast, scope } = written;
        Self {
            procedure: Some(Current {
                ast,
                called: index.procedure(id),
            }),
            targets: loops::targets(&ast.body),
            ..Self::of_module(index, scope.clone(), text)
        }
    }

    fn of_module(index: &'i Index, scope: Arc<Scope>, text: &'i str) -> Self {
        Self {
            index,
            procedure: None,
            scope,
            text,
            open: Vec::new(),
            active: Vec::new(),
            associates: Vec::new(),
            arguments: Vec::new(),
            targets: BTreeSet::new(),
            n_names: 0,
        }
    }

    /// A name that the program does not have.
    fn fresh(&mut self, beginning: &str) -> Name {
        loop {
            self.n_names += 1;
            let own = format!("{beginning}{}", self.n_names);
            if self.scope.lookup(&own.to_ascii_lowercase()).is_none() {
                return Name::from(own);
            }
        }
    }

    fn text_of(&self, at: At) -> String {
        let text = self.text.get(at.start as usize..at.end as usize);
        text.unwrap_or("").split_whitespace().collect()
    }

    /// What `ASSOCIATE` lets a name stand for.
    fn associated(&self, key: &Key) -> Option<Arc<Expr>> {
        let mut levels = self.associates.iter().rev().flatten();
        levels
            .find(|(name, _)| name == key)
            .map(|(_, value)| value.clone())
    }

    fn associate(&mut self, list: &[(Key, Expr)]) {
        let list = list.iter();
        let list = list.map(|(key, value)| (key.clone(), Arc::new(value.clone())));
        self.associates.push(list.collect());
    }

    fn end_associate(&mut self) {
        self.associates.pop();
    }

    /// What an argument of the statement function that is being expanded is called.
    fn bound_argument(&self, key: &Key) -> Option<Name> {
        let mut bound = self.arguments.iter();
        bound
            .find(|(name, _)| name == key)
            .map(|(_, local)| local.clone())
    }

    fn with_arguments<T>(
        &mut self,
        arguments: Vec<(Key, Name)>,
        translate: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = std::mem::replace(&mut self.arguments, arguments);
        let result = translate(self);
        self.arguments = outer;
        result
    }

    /// A derived type by its name, wherever it is declared.
    fn derived(&self, key: &Key) -> Option<Arc<DerivedType>> {
        match self.scope.lookup(key).map(|symbol| &symbol.entity) {
            Some(Entity::DerivedType(found)) => Some(found.clone()),
            _ => self.index.types.get(key).cloned(),
        }
    }

    fn scope_area(&self, name: &Name) -> Option<Arc<Area>> {
        let mut scope = Some(&self.scope);
        while let Some(one) = scope {
            if let Some(area) = one.areas.get(name) {
                return Some(area.clone());
            }
            scope = one.host.as_ref();
        }
        None
    }

    /// Whether a variable keeps its value while the procedure runs, whatever it calls, or while the loop does
    /// of which it is the DO variable.
    fn is_unchanged(&self, key: &Key) -> bool {
        if self.is_active(key) {
            return true;
        }
        let is_own = self.scope.variable(key).is_some_and(|variable| {
            matches!(
                variable.storage,
                Storage::Dummy | Storage::Local | Storage::Saved
            )
        });
        let is_kept = |current: Current| !current.called.modified.contains(key);
        is_own && self.procedure.is_some_and(is_kept)
    }

    /// What the procedure yields.
    fn result_value(&mut self, at: At) -> Option<Expression> {
        let ast = self.procedure?.ast;
        if ast.kind != UnitKind::Function {
            return None;
        }
        let result = ast.result.as_ref().unwrap_or(&ast.name);
        let variable = self.scope.variable(&result.key)?;
        if variable.shape.is_some() {
            return None;
        }
        self.variable_place(&result.key, at)
    }

    /// The statements of the procedure.
    fn body_statements(&mut self) -> Vec<premiss_imperative::syntax::Statement> {
        match self.procedure {
            Some(current) => self.statements(&current.ast.body),
            None => Vec::new(),
        }
    }
}
