//! What the numbers of a tree rest on beyond its text.

use std::collections::BTreeSet;

/// How many subjects of one kind are named.
const MOST_NAMED: usize = 8;

/// Something that a tree takes for granted though its text does not tell it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Assumption {
    /// What is taken for granted.
    pub kind: AssumptionKind,
    /// Of what: the name of a type, or a type with its function; empty for [`AssumptionKind::Dense`].
    pub subject: String,
}

impl Assumption {
    /// That of [`AssumptionKind::Dense`].
    pub const DENSE: Self = Self {
        kind: AssumptionKind::Dense,
        subject: String::new(),
    };
}

/// What is taken for granted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AssumptionKind {
    /// Floating-point values are not NaN and equal no constant, as the user states.
    Dense,
    /// A type that no text declares, as one of a header that is not there, is what its name says, or has the size of a
    /// pointer: `opus_int32 as int32_t`, `MPI_Comm`.
    UndeclaredType,
    /// Numbers of a kind that no text defines, as one of a module that is not there, have 8 bytes.
    UndefinedKind,
    /// A generic parameter that no call determines is a certain type, as ``T = f64 in `scale` ``.
    GenericType,
    /// Pointers that the condition of a loop compares lead to one array, as ``x and e of `sum` ``.
    SameArray,
    /// Ends of the program that data decide, as `exit` behind a test of an element, are not reached, as ``exit in `f` ``.
    NoEnd,
    /// Rows that the pointers of a table lead to lie one behind the other, as ``a[i]` in `f``.
    Rows,
    /// How often a loop runs that data end, as `40..60 in f`.
    Trips,
    /// Pointers of which nothing tells where they lead, lead to blocks of their own, as ``p` in `f``.
    OwnBlock,
}

impl AssumptionKind {
    /// All of them, in the order in which they are told.
    pub const ALL: [Self; 9] = [
        Self::Dense,
        Self::UndeclaredType,
        Self::UndefinedKind,
        Self::GenericType,
        Self::SameArray,
        Self::NoEnd,
        Self::Rows,
        Self::Trips,
        Self::OwnBlock,
    ];

    /// A stable kebab-case name.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Dense => "dense",
            Self::UndeclaredType => "undeclared-type",
            Self::UndefinedKind => "undefined-kind",
            Self::GenericType => "generic-type",
            Self::SameArray => "same-array",
            Self::NoEnd => "no-end",
            Self::Rows => "rows",
            Self::Trips => "trips",
            Self::OwnBlock => "own-block",
        }
    }

    /// The kind of this name.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }

    fn text(self) -> &'static str {
        match self {
            Self::Dense => {
                "numbers that only running the program would tell are numbers, and equal none of the constants that they are \
                 compared with (--dense)"
            }
            Self::UndeclaredType => {
                "types that nothing declares are what their names say, or have 8 bytes: "
            }
            Self::UndefinedKind => "numbers of kinds that nothing defines have 8 bytes: ",
            Self::GenericType => {
                "generic parameters that no call determines are what --type says, what their bounds say, the first type of the \
                 program that has their traits, or f64: "
            }
            Self::SameArray => "pointers that loops compare lead to one array: ",
            Self::NoEnd => "what data decide does not end the program: ",
            Self::Rows => {
                "rows that pointers lead to lie one behind the other in the order of the pointers, as blocks that malloc of \
                 glibc yields for the elements that are accessed: "
            }
            Self::Trips => "loops that data end run as often as premiss:assume says: ",
            Self::OwnBlock => {
                "pointers of which nothing tells where they lead, lead to blocks that have no other name: "
            }
        }
    }
}

/// One sentence for each kind, without a capital letter at its start and a full stop at its end, with what it concerns.
///
/// ```
/// # use premiss_tree::*;
/// let one = |name: &str| Assumption { kind: AssumptionKind::UndeclaredType, subject: name.to_owned() };
/// let all = [one("MPI_Comm"), one("MPI_Info")].into();
/// assert_eq!(assumption_texts(&all), ["types that nothing declares are what their names say, or have 8 bytes: MPI_Comm, MPI_Info"]);
/// ```
#[must_use]
pub fn assumption_texts(assumptions: &BTreeSet<Assumption>) -> Vec<String> {
    let of_kind = |kind: AssumptionKind| {
        let subjects = assumptions.iter().filter(move |one| one.kind == kind);
        let subjects: Vec<&str> = subjects.map(|one| one.subject.as_str()).collect();
        let (named, rest) = subjects.split_at(subjects.len().min(MOST_NAMED));
        let more = match rest.len() {
            0 => String::new(),
            n => format!(", and {n} more"),
        };
        (!subjects.is_empty()).then(|| format!("{}{}{more}", kind.text(), named.join(", ")))
    };
    AssumptionKind::ALL
        .into_iter()
        .filter_map(of_kind)
        .collect()
}
