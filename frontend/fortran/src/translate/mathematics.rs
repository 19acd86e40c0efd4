//! Functions of mathematics, by their names in C: what is computed has one name in all languages.

use super::make::{computed, computed_by};
use premiss_imperative::syntax::{At, Binary, Expression, ExpressionKind as Kind, TypeName};
use std::sync::Arc;

/// Intrinsic functions, with the function of C that each is.
const FUNCTIONS: [(&str, &str); 40] = [
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

/// The function of C that an intrinsic function is, whatever precision its name tells: `DLOG`, `ALOG`
/// and `CLOG` are `log`. `None` where it computes nothing.
pub(super) fn library_name(key: &str) -> Option<&'static str> {
    let listed = |key: &str| {
        let found = FUNCTIONS.iter().find(|(name, _)| *name == key);
        found.map(|(_, function)| *function)
    };
    let without = |prefix| key.strip_prefix(prefix).and_then(listed);
    let prefixes = ["cd", "d", "c", "z", "a"];
    listed(key).or_else(|| prefixes.into_iter().find_map(without))
}

/// What a reduction does with each element: `SUM` adds it to what it has, and so on.
pub(super) fn accumulated(
    at: At,
    key: &str,
    kind: Arc<TypeName>,
    element: Expression,
) -> Expression {
    let operator = match key {
        "sum" | "dot_product" => Binary::Add,
        "product" => Binary::Multiply,
        "maxval" | "minval" => Binary::Less,
        _ => return element,
    };
    let so_far = computed(at, kind, Vec::new());
    Expression::new(
        at,
        Kind::Binary(operator, Box::new(so_far), Box::new(element)),
    )
}

/// `x**y`. Multiplications where `y` is known, as compilers write it out.
pub(super) fn power(at: At, kind: Arc<TypeName>, operands: Vec<Expression>) -> Expression {
    computed_by(at, "pow", kind, operands)
}

#[cfg(test)]
mod tests {
    use super::library_name;

    #[test]
    fn precisions_have_one_name() {
        for key in ["log", "dlog", "alog", "clog", "zlog", "cdlog"] {
            assert_eq!(library_name(key), Some("log"), "{key}");
        }
        assert_eq!(library_name("amod"), Some("fmod"));
        assert_eq!(library_name("epsilon"), None);
    }
}
