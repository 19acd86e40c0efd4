//! A cache of results of pure calls, shared by all units of a program.

use crate::dependencies::Dependencies;
use crate::pure_calls::{PureCall, PureCallResult};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The results found so far.
#[derive(Default)]
pub(crate) struct PureCallCache(Mutex<FxHashMap<PureCall, Arc<CachedPureCall>>>);

/// The cached outcome of evaluating a pure call.
pub struct CachedPureCall {
    /// The result; `None` if the body has to be inlined instead.
    pub result: Option<PureCallResult>,
    /// The inputs that the evaluation read.
    pub dependencies: Dependencies,
}

impl PureCallCache {
    pub(crate) fn get(&self, call: &PureCall) -> Option<Arc<CachedPureCall>> {
        let cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cached.get(call).cloned()
    }

    pub(crate) fn insert(&self, call: PureCall, result: Arc<CachedPureCall>) {
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cached.insert(call, result);
    }
}
