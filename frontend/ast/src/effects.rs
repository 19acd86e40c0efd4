//! Effects on a program's arrays of functions without a body: stated by the user, or built in.

use std::collections::BTreeMap;

/// The effect of a call on the program's arrays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FunctionEffect {
    /// It accesses no array; the result is unknown data of this kind.
    Nothing(ResultKind),
    /// The function behaves like this C definition of a function of the same name.
    Body(String),
    /// It accesses arrays in an unknown order and number; a noun phrase that says why.
    Unstated(String),
}

/// The type of a function's result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultKind {
    /// Nothing.
    Void,
    /// An `int`.
    Int,
    /// A `long` or `size_t`.
    Long,
    /// A `float`.
    Float,
    /// A `double`.
    Double,
    /// A pointer to memory outside of the program's arrays.
    Pointer,
}

/// The effects of functions by name. An entry whose name ends in `*` applies to all functions whose names start with
/// the rest.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FunctionTable {
    names: BTreeMap<String, FunctionEffect>,
    /// By name prefix, without the `*`.
    beginnings: BTreeMap<String, FunctionEffect>,
}

impl FunctionTable {
    /// A table of these entries; the last of several entries for a name applies.
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

    /// The effect stated for a function: that of its exact name, else that of the longest matching prefix.
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

    /// The C definitions of all [`FunctionEffect::Body`] entries with exact names, ordered by name.
    pub fn definitions(&self) -> impl Iterator<Item = &str> {
        self.names.values().filter_map(|effect| match effect {
            FunctionEffect::Body(body) => Some(body.as_str()),
            _ => None,
        })
    }
}

/// Error handlers: functions that print or end the program.
const HANDLERS: &[&str] = &["gsl_error", "gsl_stream_printf", "gsl_warning"];
/// Names of the BLAS functions on matrices (levels 2 and 3), without the letter for their type.
const MATRICES: &[&str] = &[
    "gemv", "gbmv", "hemv", "hbmv", "hpmv", "symv", "sbmv", "spmv", "trmv", "tbmv", "tpmv", "trsv",
    "tbsv", "tpsv", "ger", "geru", "gerc", "her", "hpr", "her2", "hpr2", "syr", "spr", "syr2",
    "spr2", "gemm", "symm", "hemm", "syrk", "herk", "syr2k", "her2k", "trmm", "trsm",
];

/// Whether a function is a known error handler, whose definition is ignored.
pub fn is_error_handler(name: &str) -> bool {
    HANDLERS.contains(&name)
}

/// Whether a function is a BLAS function on matrices (level 2 or 3) by its C or Fortran name, such as `cblas_dgemm` or
/// `dgemm_`: the order of its accesses depends on the library.
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
