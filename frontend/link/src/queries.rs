//! The queries by which a program is read.

use crate::call_summary::CallSummary;
use crate::dependencies::Dependencies;
use crate::inputs::InlineBudget;
use crate::pure_calls::{PureCall, PureCallResult};
use crate::statement_cache::Rewriting;
use premiss_ast::syntax::{
    Declaration, Function, GlobalName, Name, Notation, Object, Statement, Struct, StructId,
    TextRange, TypeName, UnitId,
};
use premiss_ast::{FunctionEffect, NameUses, SyntaxFacts};
use premiss_source::Span;
use std::sync::Arc;

/// A declaration at file scope.
#[derive(Clone, Copy)]
pub enum Global<'a> {
    /// An object or, without a definition, its first declaration.
    Object(&'a Object),
    /// An enumeration constant.
    Enumerator(&'a Declaration),
}

/// The target of a call by name.
pub enum Callee<'a> {
    /// A function with this body.
    Body(&'a Arc<Function>),
    /// A function with a stated effect.
    Stated(&'a FunctionEffect),
    /// Several other files define the function.
    Ambiguous,
    /// Nothing defines it.
    Undefined,
}

/// Queries of a linked program.
///
/// The result of a query depends on the program alone, and equal queries have equal results. An implementation may
/// record the inputs that its results depend on ([`Dependencies`]), transparently to its callers. All computations on
/// a program read it through these queries.
pub trait Queries {
    /// How the language of a unit writes parts of objects.
    fn notation(&self, unit: UnitId) -> Notation;
    /// The place in the source of a range of preprocessed text. No result may depend on it, as places move when lines
    /// are inserted.
    fn span(&self, at: TextRange) -> Span;
    /// The source text at a place; each run of white space is one space, and long texts are truncated.
    fn text(&self, at: TextRange) -> String;
    /// Whether a place is in a header of the standard library.
    fn is_standard(&self, at: TextRange) -> bool;

    /// The target of a call by name in a unit.
    fn callee(&self, unit: UnitId, name: &Name) -> Callee<'_>;
    /// The name of the definition that a call by name in a unit leads to; `None` if there is no body.
    fn definition(&self, unit: UnitId, name: &Name) -> Option<GlobalName>;
    /// Whether a function is a built-in model rather than a definition in a file.
    fn is_model(&self, function: &Function) -> bool;
    /// The definition of a function.
    fn function(&self, name: &GlobalName) -> Option<&Arc<Function>>;
    /// The result type of a function by its declaration without a body in the scope of a unit.
    fn prototype(&self, name: &GlobalName) -> Option<Arc<TypeName>>;
    /// Whether a name in a unit names a function.
    fn is_function(&self, name: &GlobalName) -> bool;

    /// A struct or union; `None` for one that nothing declares.
    fn struct_declaration(&self, id: StructId) -> Option<&Struct>;
    /// The unit that owns a name at file scope in `unit`, with the name: `unit` itself if it defines the name or if
    /// several others do, else the only unit that defines it, else the first that declares it.
    fn owner(&self, unit: UnitId, name: &Name) -> GlobalName;
    /// The definition of a name at file scope in its unit's scope; the first declaration if nothing defines it.
    fn global(&self, name: &GlobalName) -> Option<Global<'_>>;
    /// Whether some function modifies an object at file scope.
    fn is_modified(&self, name: &GlobalName) -> bool;
    /// The syntax facts of all functions and initializers that may use a `static` object at file scope; `None` if
    /// other units may use it, or if part of its unit could not be parsed.
    fn uses_of_static(&self, name: &GlobalName, object: &Object) -> Option<Vec<&SyntaxFacts>>;

    /// The syntax facts of a function; empty if it is not defined.
    fn syntax_facts(&self, function: &GlobalName) -> Arc<SyntaxFacts>;
    /// The names used in a statement.
    fn name_uses(&self, statement: &Statement) -> Arc<NameUses>;
    /// The replacement of a statement of one kind, computed by `rewrite` once and shared by all functions that inline
    /// the statement.
    fn rewrite_once(
        &self,
        statement: &Statement,
        kind: Rewriting,
        rewrite: &mut dyn FnMut() -> Statement,
    ) -> Arc<Statement>;

    /// The call summary of a function.
    fn call_summary(&self, function: &GlobalName) -> Arc<CallSummary>;
    /// The names at file scope that the calls of a summary may modify, sorted.
    fn modified_globals(&self, summary: &CallSummary) -> Vec<GlobalName>;
    /// Whether the calls of a summary may modify a name at file scope.
    fn may_modify(&self, summary: &CallSummary, name: &GlobalName) -> bool;
    /// Whether inlining a function is likely to take more than `steps` steps of the abstract interpreter.
    fn takes_more_than(&self, steps: u64, function: &GlobalName) -> bool;
    /// The limits of inlining.
    fn inline_budget(&self) -> InlineBudget;
    /// The result of a pure call, found by `evaluate` if it is not cached; `None` if the body has to be inlined.
    fn pure_call(
        &self,
        call: &PureCall,
        evaluate: &dyn Fn(&PureCall) -> Option<PureCallResult>,
    ) -> Option<PureCallResult>;

    /// The value that the user gives for a name of the program.
    fn size_value(&self, name: &Name) -> Option<i64>;
    /// Whether the user asks for a name of the program to stay a size without a value.
    fn is_symbolic(&self, name: &Name) -> bool;
    /// Whether a name is a macro that is left unexpanded as a size without a value.
    fn is_size_macro(&self, name: &GlobalName) -> bool;
    /// The place where a size is defined, if it is a macro, else the place `at`.
    fn span_of_size(&self, name: &Name, at: TextRange) -> Span;
    /// Whether numbers that depend on data are assumed to be neither NaN nor equal to constants: see
    /// [`SizeOptions::dense`](crate::SizeOptions::dense).
    fn is_dense(&self) -> bool;
    /// Whether trees contain operations.
    fn has_operations(&self) -> bool;

    /// Runs a computation whose result is cached, and returns the inputs that it read. They also count as inputs of
    /// the enclosing computation.
    fn dependencies_of(&self, compute: &mut dyn FnMut()) -> Dependencies;
    /// Adds the inputs of a cached result to those of the current computation, which uses it.
    fn depend_on(&self, dependencies: &Dependencies);
}
