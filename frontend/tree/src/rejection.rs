//! What a front end could not understand, and how its author can avoid that.

use premiss_source::Span;

/// A place in the source that could not be understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// Why.
    pub reason: RejectReason,
    /// Where.
    pub span: Span,
}

/// Why a part of a program is outside of the model. Strings are quoted from the source.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum RejectReason {
    /// A loop whose trip count is not known on entry.
    UncountedLoop {
        /// What makes it so, as a clause: `its bound p[i] is loaded from memory`.
        reason: String,
    },
    /// A loop that does not terminate, for the given sizes or for any.
    EndlessLoop,
    /// Control flow that leaves a loop or function early, or jumps.
    Jump {
        /// The statement: `break`, `continue`, `goto`, `return`.
        keyword: &'static str,
    },
    /// A call of a function without a known body that may access arrays.
    UnknownCall {
        /// The callee as written.
        callee: String,
    },
    /// A recursive call.
    Recursion {
        /// The callee.
        callee: String,
    },
    /// A pointer that may point into more than one array.
    AmbiguousPointer {
        /// The pointer as written.
        pointer: String,
    },
    /// A statement, expression or type that the front end does not model.
    Unsupported {
        /// What it is, in the terms of the language: `a union member`.
        construct: String,
    },
    /// The same of a loop, or of a statement that stands for loops: `a = pack(b, m)`.
    UnsupportedLoop {
        /// What it is, in the terms of the language: `a DO variable that is no INTEGER`.
        construct: String,
    },
    /// A function that a file defines more than once in the same words, of which the first definition counts.
    Redefinition {
        /// The function.
        function: String,
    },
    /// Text that is not a valid program.
    Syntax,
    /// More calls, nesting or text than the budget of the front end allows.
    Budget {
        /// The limit, and its value.
        limit: String,
    },
}

impl RejectReason {
    /// A stable kebab-case name, used as the code of diagnostics.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::UncountedLoop { .. } => "uncounted-loop",
            Self::EndlessLoop => "endless-loop",
            Self::Jump { .. } => "jump",
            Self::UnknownCall { .. } => "unknown-call",
            Self::Recursion { .. } => "recursion",
            Self::AmbiguousPointer { .. } => "ambiguous-pointer",
            Self::Unsupported { .. } | Self::UnsupportedLoop { .. } => "unsupported-construct",
            Self::Redefinition { .. } => "redefinition",
            Self::Syntax => "syntax",
            Self::Budget { .. } => "budget-exhausted",
        }
    }

    /// A description of the problem: one line without a capital letter at its start and a full stop at its end.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::UncountedLoop { reason: why } => {
                format!("the number of iterations is not known: {why}")
            }
            Self::EndlessLoop => "the loop never ends".to_owned(),
            Self::Jump { keyword } => format!("`{keyword}` changes what the loop executes"),
            Self::UnknownCall { callee } => {
                format!("`{callee}` is not defined here and may touch any array")
            }
            Self::Recursion { callee } => format!("`{callee}` calls itself"),
            Self::AmbiguousPointer { pointer } => {
                format!("`{pointer}` may point into more than one array")
            }
            Self::Unsupported { construct } | Self::UnsupportedLoop { construct } => {
                format!("{construct} is not modelled")
            }
            Self::Redefinition { function } => {
                format!(
                    "`{function}` is defined more than once; only the first definition is counted"
                )
            }
            Self::Syntax => "syntax error".to_owned(),
            Self::Budget { limit } => format!("the budget ran out: {limit}"),
        }
    }

    /// How to change the program or the invocation to avoid the rejection.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            Self::UncountedLoop { .. } => {
                "count with an integer that starts, ends and steps by sizes known before the loop"
            }
            Self::EndlessLoop => "check the direction of the step and the comparison",
            Self::Jump { .. } => "turn the exit into part of the loop's bound or into a guard",
            Self::UnknownCall { .. } => {
                "add the file that defines it, describe it with --functions, or move the call out of the loop"
            }
            Self::Recursion { .. } => "analyse the loops of one level in a function of their own",
            Self::AmbiguousPointer { .. } => {
                "index the array by its own name, or give each array a pointer of its own"
            }
            Self::Unsupported { .. } | Self::UnsupportedLoop { .. } => {
                "write it with arrays and integer subscripts, or move it out of the function"
            }
            Self::Redefinition { .. } => {
                "keep one definition; an include guard keeps a header from being read again"
            }
            Self::Syntax => "check include paths (-I), macros (-D) and the text itself",
            Self::Budget { .. } => "split the function, or analyse its parts by themselves",
        }
    }
}
