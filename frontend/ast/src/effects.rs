//! What functions do to a program's arrays whose bodies are not in it: stated by the user, or known.

use std::collections::BTreeMap;

/// What a call of a function does to the program's arrays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FunctionEffect {
    /// It touches no array; what it yields is data of a kind.
    Nothing(ResultKind),
    /// It does what this definition of a C function of its name does.
    Body(String),
    /// It touches arrays, and nobody says in which order and how often: why, as a noun.
    Unstated(String),
}

/// What a function yields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultKind {
    /// Nothing.
    Void,
    /// An `int`.
    Int,
    /// A `long`, or a `size_t`.
    Long,
    /// A `float`.
    Float,
    /// A `double`.
    Double,
    /// A pointer to something that is none of the program's arrays.
    Pointer,
}

/// Functions by name. A name that ends in `*` stands for all that start with the rest of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FunctionTable {
    names: BTreeMap<String, FunctionEffect>,
    /// By the beginnings of names, without the `*`.
    beginnings: BTreeMap<String, FunctionEffect>,
}

impl FunctionTable {
    /// A table; of two entries for a name, the later one counts.
    #[must_use]
    pub fn new(entries: impl IntoIterator<Item = (String, FunctionEffect)>) -> Self {
        let mut table = Self {
            names: BTreeMap::new(),
            beginnings: BTreeMap::new(),
        };
        for (name, effect) in entries {
            match name.strip_suffix('*') {
                Some(beginning) => table.beginnings.insert(beginning.to_owned(), effect),
                None => table.names.insert(name, effect),
            };
        }
        table
    }

    /// What is stated about a function: by its name, or else by the longest beginning of it.
    #[must_use]
    pub fn effect(&self, name: &str) -> Option<&FunctionEffect> {
        if let Some(effect) = self.names.get(name) {
            return Some(effect);
        }
        let beginnings = self.beginnings.iter();
        let fitting = beginnings.filter(|(beginning, _)| name.starts_with(beginning.as_str()));
        let longest = fitting.max_by_key(|(beginning, _)| beginning.len());
        longest.map(|(_, effect)| effect)
    }

    /// The definitions that are stated, in order of their names.
    pub fn definitions(&self) -> impl Iterator<Item = &str> {
        self.names.values().filter_map(|effect| match effect {
            FunctionEffect::Body(body) => Some(body.as_str()),
            _ => None,
        })
    }
}

/// Functions that handle errors: they print, or end the program.
const HANDLERS: &[&str] = &["gsl_error", "gsl_stream_printf", "gsl_warning"];
/// What matrix functions of BLAS are named, behind the letter of their type.
const MATRICES: &[&str] = &[
    "gemv", "gbmv", "hemv", "hbmv", "hpmv", "symv", "sbmv", "spmv", "trmv", "tbmv", "tpmv", "trsv",
    "tbsv", "tpsv", "ger", "geru", "gerc", "her", "hpr", "her2", "hpr2", "syr", "spr", "syr2",
    "spr2", "gemm", "symm", "hemm", "syrk", "herk", "syr2k", "her2k", "trmm", "trsm",
];

/// Whether a function only handles errors, whatever its definition says.
pub fn is_handler(name: &str) -> bool {
    HANDLERS.contains(&name)
}

/// Whether a function is one of BLAS on matrices: every library goes its own way through them.
pub fn is_matrix_function(name: &str) -> bool {
    let base = name
        .strip_prefix("cblas_")
        .or_else(|| name.strip_suffix('_'));
    let Some(base) = base else {
        return false;
    };
    let rest = base.strip_prefix(['s', 'd', 'c', 'z']);
    rest.is_some_and(|rest| MATRICES.contains(&rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_counts_before_its_beginnings_and_the_longest_of_those() {
        let nothing = |kind| FunctionEffect::Nothing(kind);
        let entries = [
            ("log*", ResultKind::Void),
            ("log_t*", ResultKind::Int),
            ("log_time", ResultKind::Double),
        ];
        let entries = entries.map(|(name, kind)| (name.to_owned(), nothing(kind)));
        let table = FunctionTable::new(entries);
        assert_eq!(table.effect("log"), Some(&nothing(ResultKind::Void)));
        assert_eq!(table.effect("log_two"), Some(&nothing(ResultKind::Int)));
        assert_eq!(table.effect("log_time"), Some(&nothing(ResultKind::Double)));
        assert_eq!(table.effect("lo"), None);
    }

    #[test]
    fn matrix_functions_are_recognized() {
        assert!(is_matrix_function("cblas_dgemm") && is_matrix_function("zher2k_"));
        assert!(!is_matrix_function("dgemm") && !is_matrix_function("cblas_daxpy"));
    }
}
