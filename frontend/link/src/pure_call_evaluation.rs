//! Evaluates pure calls on demand and records the dependencies on their results.

use crate::dependencies::{Dependencies, Input};
use crate::program::{LinkedProgram, Program};
use crate::pure_call_cache::CachedPureCall;
use crate::pure_calls::{PureCall, PureCallResult};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Interprets the body of a call in isolation.
type Evaluate<'e> = &'e dyn Fn(&PureCall) -> Option<PureCallResult>;

impl LinkedProgram<'_> {
    /// Adds a result of an earlier run to the cache.
    pub fn insert_pure_call(&self, call: PureCall, result: CachedPureCall) {
        self.pure_calls.insert(call, Arc::new(result));
    }
}

impl Program<'_> {
    /// The result of a pure call. The current computation depends on the result and on no text; if there is none, on
    /// the inputs that show this.
    pub(crate) fn result_of_pure_call(
        &self,
        call: &PureCall,
        evaluate: Evaluate<'_>,
    ) -> Option<PureCallResult> {
        let cached = self.cached_pure_call(call, evaluate);
        let Some(result) = cached.result.clone() else {
            self.add_dependencies(&cached.dependencies);
            return None;
        };
        self.record(Input::PureCall(call));
        let sizes = cached.dependencies.names.sizes.iter();
        sizes.for_each(|size| self.use_size(size));
        Some(result)
    }

    /// The cached outcome of a pure call, evaluated on first use. It is not recorded as a dependency of the current
    /// computation.
    pub fn cached_pure_call(&self, call: &PureCall, evaluate: Evaluate<'_>) -> Arc<CachedPureCall> {
        if let Some(cached) = self.linked().pure_calls.get(call) {
            return cached;
        }
        let around = self.take_dependencies();
        let result = self.evaluate(call, evaluate);
        let dependencies = self.take_dependencies();
        self.add_dependencies(&around);
        let cached = Arc::new(CachedPureCall {
            result,
            dependencies,
        });
        let cache = &self.linked().pure_calls;
        cache.insert(call.clone(), cached.clone());
        cached
    }

    /// The dependencies of a result with those of the results of other pure calls that it uses, transitively.
    pub fn transitive_dependencies(
        &self,
        result: Arc<CachedPureCall>,
        evaluate: Evaluate<'_>,
    ) -> Dependencies {
        let around = self.take_dependencies();
        let mut visited = BTreeSet::new();
        let mut worklist = vec![result];
        while let Some(result) = worklist.pop() {
            self.add_dependencies(&result.dependencies);
            for other in &result.dependencies.names.pure_calls {
                if visited.insert(other.clone()) {
                    worklist.push(self.cached_pure_call(other, evaluate));
                }
            }
        }
        let mut dependencies = self.take_dependencies();
        dependencies.names.pure_calls.clear();
        self.add_dependencies(&around);
        dependencies
    }

    /// Evaluates a call, and before that its generalization: if that has no result, the function is not pure and no
    /// call of it is tried.
    fn evaluate(&self, call: &PureCall, evaluate: Evaluate<'_>) -> Option<PureCallResult> {
        let general = call.generalized();
        if general != *call {
            self.result_of_pure_call(&general, evaluate)?;
        }
        evaluate(call)
    }
}
