//! The one way in which a program is read.

use crate::call_summary::CallSummary;
use crate::dependencies::Dependencies;
use crate::inputs::InlineBudget;
use crate::pure_calls::{PureCall, PureCallResult};
use premiss_ast::syntax::{
    At, Declaration, Function, GlobalName, Name, Notation, Object, Statement, Struct, StructId,
    TypeName, UnitId,
};
use premiss_ast::{FunctionEffect, NameUses, SyntaxFacts};
use premiss_source::Span;
use std::sync::Arc;

/// A declaration at file scope.
#[derive(Clone, Copy)]
pub enum Global<'a> {
    /// Of an object.
    Object(&'a Object),
    /// Of an enumeration constant.
    Enumerator(&'a Declaration),
}

/// What a call by name leads to.
pub enum Callee<'a> {
    /// This definition.
    Body(&'a Arc<Function>),
    /// Its effect is stated.
    Stated(&'a FunctionEffect),
    /// Other files define it, more than one of them.
    Ambiguous,
    /// Nothing defines it.
    Undefined,
}

/// Queries of a linked program.
///
/// An answer depends on the program alone, and two queries that are the same have the same answer. Whoever implements
/// this may record which inputs the answers rest upon ([`Dependencies`]); whoever asks need not know. Nothing that is
/// computed from a program may read it in another way.
pub trait Queries {
    /// How the language of a unit writes parts of objects.
    fn notation(&self, unit: UnitId) -> Notation;
    /// Where a piece of the preprocessed text was written. No result depends on it: places move with their lines.
    fn span(&self, at: At) -> Span;
    /// A piece of the program as written, runs of white space as one space.
    fn text(&self, at: At) -> String;
    /// Whether something stands in a header of the standard library.
    fn is_standard(&self, at: At) -> bool;

    /// What a call by name in a unit leads to.
    fn callee(&self, unit: UnitId, name: &Name) -> Callee<'_>;
    /// The name of the definition that a call by name in a unit leads to.
    fn definition(&self, unit: UnitId, name: &Name) -> Option<GlobalName>;
    /// Whether a definition is none of a file's, but a model of a function.
    fn is_model(&self, function: &Function) -> bool;
    /// The function that is defined by a name.
    fn function(&self, name: &GlobalName) -> Option<&Arc<Function>>;
    /// The result of a function that a unit declares.
    fn prototype(&self, name: &GlobalName) -> Option<Arc<TypeName>>;
    /// Whether a name of a unit is that of a function.
    fn is_function(&self, name: &GlobalName) -> bool;

    /// A struct or union; `None` for one that nothing declares.
    fn struct_declaration(&self, id: StructId) -> Option<&Struct>;
    /// The unit whose text says what a name at file scope means in a unit, with the name.
    fn owner(&self, unit: UnitId, name: &Name) -> GlobalName;
    /// What the text says about a name at file scope: where nothing defines it, the first declaration.
    fn global(&self, name: &GlobalName) -> Option<Global<'_>>;
    /// Whether some function modifies an object at file scope.
    fn is_modified(&self, name: &GlobalName) -> bool;
    /// What the functions and initializers of a unit do with an object of that unit which no other unit sees; `None`
    /// where others may see it, or where part of the unit could not be read.
    fn uses_of_static(&self, name: &GlobalName, object: &Object) -> Option<Vec<&SyntaxFacts>>;

    /// What the syntax of a function tells.
    fn syntax_facts(&self, function: &GlobalName) -> Arc<SyntaxFacts>;
    /// The names in a statement.
    fn name_uses(&self, statement: &Statement) -> Arc<NameUses>;
    /// What takes the place of a statement, computed once for all functions that follow it.
    fn rewrite_once(
        &self,
        statement: &Statement,
        rewrite: &mut dyn FnMut() -> Statement,
    ) -> Arc<Statement>;

    /// What following a function's calls comes to.
    fn call_summary(&self, function: &GlobalName) -> Arc<CallSummary>;
    /// The names at file scope that following calls may modify, in order.
    fn modified_globals(&self, summary: &CallSummary) -> Vec<GlobalName>;
    /// Whether following calls may modify a name at file scope.
    fn may_modify(&self, summary: &CallSummary, name: &GlobalName) -> bool;
    /// Whether following a function is likely to take more steps than these.
    fn takes_more_than(&self, steps: u64, function: &GlobalName) -> bool;
    /// How far calls into other files are followed.
    fn inline_budget(&self) -> InlineBudget;
    /// The result of a call of which nothing else matters, found by `evaluate` where it is not known; `None` where the
    /// body has to be followed.
    fn pure_call(
        &self,
        call: &PureCall,
        evaluate: &dyn Fn(&PureCall) -> Option<PureCallResult>,
    ) -> Option<PureCallResult>;

    /// The value that the user gives for a name that the program has.
    fn size_value(&self, name: &Name) -> Option<i64>;
    /// Whether a name that the program has is to be kept as a size without a value.
    fn is_symbolic(&self, name: &Name) -> bool;
    /// Whether a name is a macro that stayed in the text as a size without a value.
    fn is_size_macro(&self, name: &GlobalName) -> bool;
    /// Where a size is declared.
    fn span_of_size(&self, name: &Name, at: At) -> Span;
    /// Whether numbers that only running the program would tell are not zero.
    fn is_dense(&self) -> bool;
    /// Whether trees say which operations run.
    fn has_operations(&self) -> bool;

    /// Runs a computation whose result is kept for others, and yields what it read. The computation around it depends
    /// on that, too.
    fn dependencies_of(&self, compute: &mut dyn FnMut()) -> Dependencies;
    /// Makes the computation around depend on what another one read, whose result it uses.
    fn depend_on(&self, dependencies: &Dependencies);
}
