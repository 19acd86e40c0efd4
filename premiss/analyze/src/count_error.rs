//! Why a function could not be counted.

use premiss_formulas::NoClosedForm;
use premiss_trace::TraceError;

/// Why a function, or part of its counts, could not be counted.
#[derive(Clone, PartialEq, Debug)]
pub enum CountError {
    /// The trace could not start, or did not run to its end.
    Trace(TraceError),
    /// There is no closed form, and the options rule out the trace.
    Closed(NoClosedForm),
    /// The misses of a cache have no closed form, and the options rule out the trace: it is not LRU, or deciding which
    /// lines share sets takes too many steps.
    Sets,
}

impl std::fmt::Display for CountError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Trace(error) => error.fmt(f),
            Self::Closed(_) => f.write_str("there is no closed form"),
            Self::Sets => f.write_str(
                "the misses of a cache that is not LRU, or in which too many lines may share a set, have no closed form",
            ),
        }
    }
}
