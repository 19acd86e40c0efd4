//! The call graph of a linked program, from the interfaces of its units.

use crate::call_summary::{CallGraphNode, CallSummary};
use crate::dependencies::StepBounds;
use crate::program::LinkedProgram;
use premiss_ast::syntax::GlobalName;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

impl LinkedProgram<'_> {
    /// Whether the likely number of steps of inlining a function is within bounds.
    #[must_use]
    pub fn takes_steps_within(&self, function: &GlobalName, bounds: StepBounds) -> bool {
        bounds.contains(self.likely_steps(function))
    }

    /// The likely number of steps of inlining a function.
    pub(crate) fn likely_steps(&self, function: &GlobalName) -> u64 {
        self.call_summary(function).likely_steps()
    }

    /// The names at file scope that the calls of a summary may modify, sorted.
    pub(crate) fn modified_globals(&self, summary: &CallSummary) -> Vec<GlobalName> {
        let places = summary.modified.iter();
        places.map(|x| self.modified[x].clone()).collect()
    }

    /// Whether the calls of a summary may modify a name at file scope.
    pub(crate) fn may_modify(&self, summary: &CallSummary, name: &GlobalName) -> bool {
        let place = self.modified.binary_search(name);
        place.is_ok_and(|place| summary.modified.contains(place))
    }

    /// A fingerprint of the call summary of a function without its steps.
    #[must_use]
    pub fn call_summary_fingerprint(&self, function: &GlobalName) -> u64 {
        let mut hasher = FxHasher::default();
        let summary = self.call_summary(function);
        (summary.has_shared_arrays, summary.is_recursive).hash(&mut hasher);
        let modified = summary.modified.iter();
        modified.for_each(|place| self.modified[place].hash(&mut hasher));
        hasher.finish()
    }

    /// The call summary of a function.
    pub(crate) fn call_summary(&self, function: &GlobalName) -> Arc<CallSummary> {
        let summaries = &self.call_summaries;
        summaries.get_or_find(function, |name| self.call_graph_node(name))
    }

    fn call_graph_node(&self, name: &GlobalName) -> CallGraphNode {
        let interface = self.interface(name.unit);
        let mut body = CallGraphNode {
            local: CallSummary {
                has_shared_arrays: interface.has_shared_arrays,
                steps: 1,
                ..CallSummary::default()
            },
            calls: Vec::new(),
            may_be_pure: true,
        };
        let Some(function) = interface.functions.get(&name.name) else {
            return body;
        };
        if let Some(steps) = function.steps {
            body.local.steps = steps.into();
            body.may_be_pure = false;
        }
        let at_pointers = function.calls_pointer.then_some(&interface.objects);
        for name in function
            .modified
            .iter()
            .chain(at_pointers.into_iter().flatten())
        {
            // A call through a pointer modifies no more than all functions together do.
            body.local
                .modified
                .extend(self.modified.binary_search(name).ok());
        }
        let calls = function.called.iter();
        let calls = calls.filter_map(|(called, n)| Some((self.definition(name.unit, called)?, *n)));
        body.calls = calls.collect();
        body
    }
}
