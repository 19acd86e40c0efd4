//! Options that take one of a few names.

use clap::ValueEnum;

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ColourChoice {
    Auto,
    Always,
    Never,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MissingFlagsChoice {
    /// Refuse it
    Error,
    /// Leave it out
    Skip,
    /// Read it with the flags of the nearest file
    Guess,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    Text,
    Json,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReportFormat {
    Text,
    Json,
    /// One page that needs no network and no other file
    Html,
    /// The profile format of Callgrind, for KCachegrind and callgrind_annotate
    Callgrind,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConventionChoice {
    /// Array elements are loaded and stored, scalars are in registers, all arithmetic counts as written
    Elements,
    /// Scalars are loaded once, loop headers count, a sum with a product is one operation
    Pbound,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EmitChoice {
    /// Functions of the sizes in C11
    C,
    /// Functions of the sizes in Rust
    Rust,
    /// Functions of the sizes in Python 3
    Python,
    /// The pieces as data
    Json,
    /// Plain algebra, one expression a line
    Symbolica,
    /// A program in C99 that notes for each loop what it does, in the convention of PBound, and prints the sums;
    /// loops without closed forms stay
    Pbound,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TraceFormat {
    Addresses,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StageChoice {
    /// The loop nests, language-neutral: sizes, arrays, loops, and accesses with their addresses
    Tree,
    /// Iteration domains and the lines that accesses touch, as integer sets
    Scop,
    /// The reuse relation: which access touched each line last, and what executed in between
    Reuse,
    /// The reuse distances of each reference, and how many accesses have them
    Histogram,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LayoutChoice {
    Page4096,
    Packed64,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EngineChoice {
    /// Whichever is expected to take fewer steps
    Auto,
    /// Closed forms only
    Closed,
    /// The trace only
    Trace,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HierarchyChoice {
    /// Every level sees every access
    Independent,
    /// A level sees the misses of the one above
    Filtered,
    /// The same, and it holds all that the level above holds
    Inclusive,
    /// The same, and it holds nothing that the level above holds
    Exclusive,
}
