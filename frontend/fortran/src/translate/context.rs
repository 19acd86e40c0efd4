//! The state of the translation of one procedure.
//!
//! A [`Translator`] holds the meanings of names ([`NameEnvironment`]), the constructs around the current statement
//! ([`ControlContext`]), and a counter for fresh names. The passes are free functions that take it first; the mutually
//! recursive judgments are methods, in [`judgments`](super::judgments).

use crate::names::{NameScope, ProcedureId, ProgramIndex, ScopedProcedure};
use crate::syntax::visit::{branch_targets, walk};
use crate::syntax::{Expr, NameKey};
use crate::translate::control::ControlContext;
use crate::translate::entry_values::EntryFrame;
use crate::translate::environment::{NameEnvironment, ProcedureInTranslation};
use premiss_ast::syntax::Name;
use std::sync::Arc;

/// The maximum number of nodes that the expansion of statement functions and constants adds to one procedure.
pub(crate) const MAX_EXPANSION: usize = 200_000;

/// The maximum number of expansions inside each other.
pub(crate) const MAX_EXPANSION_DEPTH: usize = 64;

/// What the expansion of statement functions and constants may still add to a procedure. A function that mentions
/// another one twice doubles it.
pub(crate) struct ExpansionBudget {
    nodes: usize,
    depth: usize,
    /// Whether an expansion of the current statement took more.
    pub(crate) is_exhausted: bool,
}

impl Default for ExpansionBudget {
    fn default() -> Self {
        Self {
            nodes: MAX_EXPANSION,
            depth: MAX_EXPANSION_DEPTH,
            is_exhausted: false,
        }
    }
}

/// The state of the translation of one procedure.
pub(crate) struct Translator<'i> {
    /// The meanings of names at the current statement.
    pub(crate) env: NameEnvironment<'i>,
    /// The constructs around the current statement.
    pub(crate) control: ControlContext,
    /// The procedure and the blocks with declarations around the current statement, outermost first.
    pub(crate) entries: Vec<EntryFrame>,
    /// What the expansion of statement functions and constants may still add.
    pub(crate) expansion: ExpansionBudget,
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
            entries: vec![EntryFrame::of_procedure(scope.clone())],
            expansion: ExpansionBudget::default(),
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
            entries: Vec::new(),
            expansion: ExpansionBudget::default(),
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

    /// Translates an expression that replaces a reference; `None` if that takes more than the budget.
    pub(crate) fn expand<T>(
        &mut self,
        expr: &Expr,
        translate: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        let mut n_nodes = 0;
        walk(expr, &mut |_| n_nodes += 1);
        let left = self.expansion.nodes.checked_sub(n_nodes);
        let left = left.zip(self.expansion.depth.checked_sub(1));
        let Some((nodes, depth)) = left.filter(|_| !self.expansion.is_exhausted) else {
            self.expansion.is_exhausted = true;
            return None;
        };
        self.expansion.nodes = nodes;
        self.expansion.depth = depth;
        let result = translate(self);
        self.expansion.depth += 1;
        Some(result)
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
