//! Why the description of a machine is refused.

/// Why a description was refused; every message says what it is about and what would be accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MachineError {
    /// A number of bytes or entries that cannot be read.
    #[error("`{0}` is no {1}")]
    Quantity(String, &'static str),
    /// A number outside what is allowed.
    #[error("{what} of {value} is outside 1..={limit}")]
    Range {
        /// What it is the number of, with the level that it belongs to.
        what: String,
        /// The number.
        value: u64,
        /// The greatest one allowed.
        limit: u64,
    },
    /// A level that does not divide into whole sets.
    #[error(
        "{level}: {total} cannot be divided into sets of {set} ({ways}); nearest that can: {near}"
    )]
    Sets {
        /// The level.
        level: String,
        /// How much it holds.
        total: String,
        /// How much a set holds.
        set: String,
        /// How a set comes to hold that.
        ways: String,
        /// The nearest sizes that divide.
        near: String,
    },
    /// A text that cannot name a level or a machine.
    #[error(
        "`{0}` cannot name a level or a machine: 1 to 24 letters, digits, `_`, `-` and `.` can"
    )]
    Name(String),
    /// Two levels of one name.
    #[error("two levels are named `{0}`")]
    Duplicate(String),
    /// A machine without levels, or with too many.
    #[error("a machine has 1 to {limit} levels, not {0}", limit = crate::machine::MAX_LEVELS)]
    Levels(usize),
    /// A word that is no policy of a level.
    #[error("{level}: `{word}` is not a kind of cache; the words are {choices}")]
    Word {
        /// The level.
        level: String,
        /// The word.
        word: String,
        /// The words that there are.
        choices: String,
    },
    /// Two words of one sort.
    #[error(
        "{level}: `{word}` and a word before it contradict or repeat each other; leave one out"
    )]
    TwoWords {
        /// The level.
        level: String,
        /// The second.
        word: String,
    },
    /// A tree over ways that are no power of two.
    #[error("{level}: tree-plru needs a power of two of ways, not {ways}; try {near}, or nru")]
    TreeWays {
        /// The level.
        level: String,
        /// Its ways.
        ways: u64,
        /// The powers of two around.
        near: String,
    },
    /// An unknown name of a hierarchy.
    #[error("`{word}` is no hierarchy; there are: {choices}")]
    Hierarchy {
        /// The word.
        word: String,
        /// The hierarchies that there are.
        choices: String,
    },
    /// Lines that an inclusive or exclusive hierarchy cannot have.
    #[error(
        "{below} has lines of {size} B below {above} with {size_above} B: {hierarchy} levels need \
         {need}; give both the same, or choose --hierarchy filtered"
    )]
    Lines {
        /// The hierarchy.
        hierarchy: &'static str,
        /// The nearer level.
        above: String,
        /// Bytes in its lines.
        size_above: u64,
        /// The level below it.
        below: String,
        /// Bytes in its lines.
        size: u64,
        /// Which lines would be accepted.
        need: &'static str,
    },
    /// A figure of speed that no machine has.
    #[error("{0} is zero or absurd; leave the key out where the figure is not known")]
    Absurd(String),
    /// Cycles without a clock.
    #[error("{0} is given in cycles: [core] with a frequency has to say how long these are")]
    NoClock(String),
    /// An option that is not of the form that it has to be.
    #[error("`{text}` is not of the form {form}, as in {example}")]
    Form {
        /// What was given.
        text: String,
        /// The form.
        form: &'static str,
        /// An example of that form.
        example: &'static str,
    },
    /// A file that is no TOML, or has other keys.
    #[error("{0}")]
    Toml(String),
    /// No machine of that name is shipped.
    #[error("no machine `{0}` is shipped; there are: {list}", list = crate::SHIPPED.join(", "))]
    Unshipped(String),
}
