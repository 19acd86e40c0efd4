//! What can be wrong with the description of a machine.

/// Why a description was refused; every message names what it is about and what would do.
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
    /// A name that is no name.
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
    /// An option that is not of the form that it has to be.
    #[error("`{text}` is not of the form {form}, as in {example}")]
    Form {
        /// What was given.
        text: String,
        /// The form.
        form: &'static str,
        /// One of that form.
        example: &'static str,
    },
    /// A file that is no TOML, or has other keys.
    #[error("{0}")]
    Toml(String),
    /// No machine of that name is shipped.
    #[error("no machine `{0}` is shipped; there are: {list}", list = crate::SHIPPED.join(", "))]
    Unshipped(String),
}
