//! The state of the translation of one procedure.
//!
//! A [`Translator`] holds the meanings of names ([`NameEnvironment`]), the constructs around the current statement
//! ([`ControlContext`]), and a counter for fresh names. The passes are free functions that take it first; the mutually
//! recursive judgments are methods, in [`judgments`](super::judgments).

use crate::names::{NameScope, ProcedureId, ProgramIndex, ScopedProcedure};
use crate::syntax::NameKey;
use crate::syntax::visit::branch_targets;
use crate::translate::control::ControlContext;
use crate::translate::environment::{NameEnvironment, ProcedureInTranslation};
use premiss_ast::syntax::Name;
use std::sync::Arc;

/// The state of the translation of one procedure.
pub(crate) struct Translator<'i> {
    /// The meanings of names at the current statement.
    pub(crate) env: NameEnvironment<'i>,
    /// The constructs around the current statement.
    pub(crate) control: ControlContext,
    /// The number of fresh names so far.
    n_fresh_names: u32,
}

impl<'i> Translator<'i> {
    /// The state for a procedure of the index, with its text.
    pub(crate) fn for_procedure(
        index: &'i ProgramIndex,
        id: ProcedureId,
        written: &ScopedProcedure<'i>,
        text: &'i str,
    ) -> Self {
        let ScopedProcedure { ast, scope } = written;
        let procedure = ProcedureInTranslation {
            ast,
            interface: index.procedure(id),
        };
        Self {
            env: NameEnvironment::new(index, Some(procedure), scope.clone(), text),
            control: ControlContext::new(branch_targets(&ast.body)),
            n_fresh_names: 0,
        }
    }

    /// The state for the specification part of a module.
    pub(crate) fn for_module(
        index: &'i ProgramIndex,
        scope: Arc<NameScope>,
        text: &'i str,
    ) -> Self {
        Self {
            env: NameEnvironment::new(index, None, scope, text),
            control: ControlContext::default(),
            n_fresh_names: 0,
        }
    }

    /// A name that is not in the scope: a prefix and a number.
    pub(crate) fn fresh_name(&mut self, beginning: &str) -> Name {
        loop {
            self.n_fresh_names += 1;
            let name = format!("{beginning}{}", self.n_fresh_names);
            if self.env.scope.lookup(&name.to_ascii_lowercase()).is_none() {
                return Name::from(name);
            }
        }
    }

    /// Translates the expression of a statement function with variables for its dummy arguments.
    pub(crate) fn with_statement_arguments<T>(
        &mut self,
        arguments: Vec<(NameKey, Name)>,
        translate: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = std::mem::replace(&mut self.env.statement_arguments, arguments);
        let result = translate(self);
        self.env.statement_arguments = outer;
        result
    }

    /// Whether a name is a DO variable of an enclosing loop.
    pub(crate) fn is_active_do_variable(&self, key: &NameKey) -> bool {
        self.env.selector(key).is_none() && self.control.is_do_variable(key)
    }
}
