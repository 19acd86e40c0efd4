//! Results of pure calls, kept for all files of a program.

use crate::dependencies::Dependencies;
use crate::pure_calls::{PureCall, PureCallResult};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The results that were found so far.
#[derive(Default)]
pub(crate) struct PureCallCache(Mutex<FxHashMap<PureCall, Arc<CachedPureCall>>>);

/// What a call comes to.
pub struct CachedPureCall {
    /// Nothing where the body has to be followed.
    pub result: Option<PureCallResult>,
    /// What was read to find it.
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
