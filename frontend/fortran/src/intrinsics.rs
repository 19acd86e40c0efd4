//! Intrinsic procedures: their names, groups of functions with the same rule for the result type, and the
//! corresponding functions of the C library.
//!
//! These are tables of the language, independent of any program. Names are in lower case.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::LazyLock;

/// A group of intrinsic procedures with the same rule for the type of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum IntrinsicGroup {
    /// Real functions: the result has the common type of all arguments.
    RealFunction,
    /// Functions with an `INTEGER` result.
    IntegerFunction,
    /// Functions with a `LOGICAL` result.
    LogicalFunction,
    /// Reductions of arrays: the result has the type of the first argument.
    Reduction,
    /// Functions that rearrange arrays: the result has the type of the first argument.
    ArrayFunction,
    /// Conversions, each with its own result type.
    Conversion,
    /// Subroutines.
    Subroutine,
}

/// Real functions of real arguments, with their specific names.
const REAL_FUNCTIONS: &str = "sqrt dsqrt csqrt zsqrt cdsqrt exp dexp cexp zexp cdexp log dlog alog \
    clog zlog cdlog log10 alog10 dlog10 sin dsin csin zsin cos dcos ccos zcos tan dtan asin dasin acos \
    dacos atan datan atan2 datan2 sinh dsinh cosh dcosh tanh dtanh asinh acosh atanh hypot gamma \
    log_gamma erf erfc erfc_scaled sign dsign isign dim ddim idim aint dint anint dnint conjg dconjg \
    spacing nearest fraction epsilon tiny huge rrspacing scale set_exponent bessel_j0 bessel_j1 \
    bessel_y0 bessel_y1 abs dabs iabs cabs cdabs zabs max min mod amod dmod modulo max0 max1 amax0 \
    amax1 dmax1 min0 min1 amin0 amin1 dmin1 dprod cbrt";
const INTEGER_FUNCTIONS: &str = "int ifix idint nint idnint ceiling floor size lbound ubound len \
    len_trim index ichar iachar ishft ishftc iand ior ieor not ibset ibclr ibits shiftl shiftr shifta \
    kind selected_real_kind selected_int_kind maxloc minloc count digits maxexponent minexponent radix \
    precision range exponent bit_size scan verify command_argument_count popcnt poppar leadz trailz \
    rank int8 iargc storage_size findloc iand";
const LOGICAL_FUNCTIONS: &str = "present allocated associated any all btest lge lgt lle llt logical \
    isnan is_iostat_end ieee_is_nan ieee_is_finite same_type_as parity btest lsame lsamen";
const REDUCTIONS: &str = "sum product maxval minval dot_product norm2";
const ARRAY_FUNCTIONS: &str = "matmul transpose reshape spread cshift eoshift pack unpack merge";
const CONVERSIONS: &str = "real float sngl dble dfloat cmplx dcmplx aimag dimag imag dreal char achar \
    repeat trim adjustl adjustr transfer c_loc";
const SUBROUTINES: &str = "random_number random_seed system_clock cpu_time date_and_time \
    get_command_argument getarg get_environment_variable exit abort flush etime move_alloc mvbits \
    execute_command_line second";

/// The names of each group; a name can be in several groups.
static GROUPS: LazyLock<BTreeMap<IntrinsicGroup, BTreeSet<&'static str>>> = LazyLock::new(|| {
    let lists = [
        (IntrinsicGroup::RealFunction, REAL_FUNCTIONS),
        (IntrinsicGroup::IntegerFunction, INTEGER_FUNCTIONS),
        (IntrinsicGroup::LogicalFunction, LOGICAL_FUNCTIONS),
        (IntrinsicGroup::Reduction, REDUCTIONS),
        (IntrinsicGroup::ArrayFunction, ARRAY_FUNCTIONS),
        (IntrinsicGroup::Conversion, CONVERSIONS),
        (IntrinsicGroup::Subroutine, SUBROUTINES),
    ];
    let set =
        |(group, list): (IntrinsicGroup, &'static str)| (group, list.split_whitespace().collect());
    lists.into_iter().map(set).collect()
});
/// The names of all groups.
static NAMES: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| GROUPS.values().flatten().copied().collect());

/// Whether an intrinsic procedure of that name is in a group.
pub(crate) fn is_in_group(group: IntrinsicGroup, key: &str) -> bool {
    GROUPS.get(&group).is_some_and(|names| names.contains(key))
}

/// Whether a name is that of an intrinsic procedure.
pub(crate) fn is_intrinsic(key: &str) -> bool {
    NAMES.contains(key)
}

/// Mathematical intrinsic functions with the corresponding functions of the C library, so that an operation has the
/// same name in all languages.
const LIBRARY_FUNCTIONS: [(&str, &str); 40] = [
    ("sqrt", "sqrt"),
    ("exp", "exp"),
    ("log", "log"),
    ("log10", "log10"),
    ("sin", "sin"),
    ("cos", "cos"),
    ("tan", "tan"),
    ("asin", "asin"),
    ("acos", "acos"),
    ("atan", "atan"),
    ("atan2", "atan2"),
    ("sinh", "sinh"),
    ("cosh", "cosh"),
    ("tanh", "tanh"),
    ("asinh", "asinh"),
    ("acosh", "acosh"),
    ("atanh", "atanh"),
    ("hypot", "hypot"),
    ("gamma", "tgamma"),
    ("log_gamma", "lgamma"),
    ("erf", "erf"),
    ("erfc", "erfc"),
    ("bessel_j0", "j0"),
    ("bessel_j1", "j1"),
    ("bessel_y0", "y0"),
    ("bessel_y1", "y1"),
    ("cbrt", "cbrt"),
    ("sign", "copysign"),
    ("dim", "fdim"),
    ("aint", "trunc"),
    ("anint", "round"),
    ("abs", "fabs"),
    ("max", "fmax"),
    ("max1", "fmax"),
    ("min", "fmin"),
    ("min1", "fmin"),
    ("mod", "fmod"),
    ("modulo", "fmod"),
    ("conjg", "conj"),
    ("dprod", "dprod"),
];

/// The C function for an intrinsic function, regardless of the precision in its name: `DLOG`, `ALOG` and `CLOG` are
/// `log`. `None` if there is none.
pub(crate) fn library_name(key: &str) -> Option<&'static str> {
    let listed = |key: &str| {
        let found = LIBRARY_FUNCTIONS.iter().find(|(name, _)| *name == key);
        found.map(|(_, function)| *function)
    };
    let without = |prefix| key.strip_prefix(prefix).and_then(listed);
    let prefixes = ["cd", "d", "c", "z", "a"];
    listed(key).or_else(|| prefixes.into_iter().find_map(without))
}

#[cfg(test)]
mod tests {
    use super::{IntrinsicGroup, is_in_group, is_intrinsic, library_name};

    #[test]
    fn precisions_have_one_name() {
        for key in ["log", "dlog", "alog", "clog", "zlog", "cdlog"] {
            assert_eq!(library_name(key), Some("log"), "{key}");
        }
        assert_eq!(library_name("amod"), Some("fmod"));
        assert_eq!(library_name("epsilon"), None);
    }

    #[test]
    fn names_are_in_their_groups() {
        assert!(is_in_group(IntrinsicGroup::Reduction, "maxval"));
        assert!(!is_in_group(IntrinsicGroup::RealFunction, "maxval"));
        assert!(is_intrinsic("move_alloc"));
        assert!(!is_intrinsic("dgemm"));
    }
}
