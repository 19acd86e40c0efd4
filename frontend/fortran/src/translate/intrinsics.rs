//! Intrinsic functions: their types, and what they compute.

use super::Translator;
use super::make::{binary, cast, computed, computed_by, integer};
use super::mathematics::library_name;
use crate::names::types::{DOUBLE, INTEGER, LOGICAL, REAL};
use crate::names::{Type, constants};
use crate::syntax::{Argument, Expr, Key};
use premiss_imperative::syntax::{At, Binary, Expression, ExpressionKind as Kind, Unary};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::LazyLock;

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
const ARRAYS: &str = "matmul transpose reshape spread cshift eoshift pack unpack merge";
const CONVERSIONS: &str = "real float sngl dble dfloat cmplx dcmplx aimag dimag imag dreal char achar \
    repeat trim adjustl adjustr transfer c_loc";
const SUBROUTINES: &str = "random_number random_seed system_clock cpu_time date_and_time \
    get_command_argument getarg get_environment_variable exit abort flush etime move_alloc mvbits \
    execute_command_line second";

/// The lists as sets, made once.
static SETS: LazyLock<BTreeMap<&'static str, BTreeSet<&'static str>>> = LazyLock::new(|| {
    let lists = [
        REAL_FUNCTIONS,
        INTEGER_FUNCTIONS,
        LOGICAL_FUNCTIONS,
        REDUCTIONS,
        ARRAYS,
        CONVERSIONS,
        SUBROUTINES,
    ];
    let set = |list: &'static str| (list, list.split_whitespace().collect());
    lists.into_iter().map(set).collect()
});
/// All names of the lists.
static NAMES: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| SETS.values().flatten().copied().collect());

fn is_in(list: &'static str, key: &str) -> bool {
    SETS.get(list).is_some_and(|set| set.contains(key))
}

/// Whether a name is that of an intrinsic procedure.
pub(crate) fn is_intrinsic(key: &str) -> bool {
    NAMES.contains(key)
}

/// The argument of a name, or at a position.
pub(super) fn argument<'e>(
    arguments: &'e [Argument],
    position: usize,
    keyword: &str,
) -> Option<&'e Expr> {
    let named = arguments
        .iter()
        .find(|one| one.keyword.as_deref() == Some(keyword));
    let plain = arguments.get(position).filter(|one| one.keyword.is_none());
    named.or(plain)?.expr()
}

/// The type of what an intrinsic function yields.
pub(super) fn kind(translator: &Translator, key: &Key, arguments: &[Argument]) -> Option<Type> {
    let first = arguments.first().and_then(Argument::expr);
    let of_first = || first.map_or(Type::Unknown, |x| translator.kind_of(x));
    let requested = |default: Type| {
        let kind = argument(arguments, 1, "kind");
        let bytes = kind.and_then(|x| constants::integer(x, &translator.scope));
        match (bytes.and_then(|x| u8::try_from(x).ok()), default) {
            (Some(bytes), Type::Integer(_)) => Type::Integer(bytes),
            (Some(bytes), Type::Real(_)) => Type::Real(bytes),
            (_, default) => default,
        }
    };
    Some(match &**key {
        "dble" | "dfloat" | "dreal" | "dprod" | "dimag" | "dsqrt" | "dexp" | "dlog" | "dabs"
        | "dsign" | "dmax1" | "dmin1" | "dmod" | "dlog10" | "dsin" | "dcos" | "cdabs" | "zabs" => {
            DOUBLE
        }
        "real" | "float" | "sngl" => match (of_first(), argument(arguments, 1, "kind")) {
            (Type::Complex(part), None) => Type::Real(part),
            _ => requested(REAL),
        },
        "aimag" | "imag" | "cabs" => part_of(of_first()),
        "abs" => part_of(of_first()),
        "cmplx" => {
            let kind = argument(arguments, 2, "kind");
            let bytes = kind.and_then(|x| constants::integer(x, &translator.scope));
            Type::Complex(bytes.and_then(|x| u8::try_from(x).ok()).unwrap_or(4))
        }
        "dcmplx" => Type::Complex(8),
        "int" | "nint" | "ceiling" | "floor" | "ifix" | "idint" | "idnint" => requested(INTEGER),
        "amax0" | "amin0" | "amax1" | "amin1" => REAL,
        "max1" | "min1" => INTEGER,
        "char" | "achar" => Type::Character(Some(1)),
        "repeat" | "trim" | "adjustl" | "adjustr" => Type::Character(None),
        "iand" | "ior" | "ieor" | "not" | "ishft" | "ishftc" | "ibset" | "ibclr" | "ibits"
        | "shiftl" | "shiftr" | "shifta" => of_first(),
        "dot_product" | "matmul" => {
            let second = arguments.get(1).and_then(Argument::expr);
            let second = second.map_or(Type::Unknown, |x| translator.kind_of(x));
            of_first().common(&second)
        }
        name if is_in(REAL_FUNCTIONS, name) => {
            let rest = arguments.iter().filter_map(Argument::expr);
            let kinds = rest.map(|x| translator.kind_of(x));
            kinds.reduce(|a, b| a.common(&b)).unwrap_or(REAL)
        }
        name if is_in(REDUCTIONS, name) || is_in(ARRAYS, name) => of_first(),
        name if is_in(INTEGER_FUNCTIONS, name) => INTEGER,
        name if is_in(LOGICAL_FUNCTIONS, name) => LOGICAL,
        _ => return None,
    })
}

fn part_of(kind: Type) -> Type {
    match kind {
        Type::Complex(part) => Type::Real(part),
        other => other,
    }
}

/// How many dimensions an intrinsic function's result has; `None` where it is none.
pub(super) fn rank(translator: &Translator, key: &Key, arguments: &[Argument]) -> Option<usize> {
    let ranks = || {
        let list = arguments.iter().filter_map(Argument::expr);
        list.map(|x| translator.rank_of(x)).max().unwrap_or(0)
    };
    let first = || {
        let first = arguments.first().and_then(Argument::expr);
        first.map_or(0, |x| translator.rank_of(x))
    };
    let has_dimension = || {
        let named = arguments
            .iter()
            .any(|x| x.keyword.as_deref() == Some("dim"));
        let second = arguments.get(1).filter(|x| x.keyword.is_none());
        let second = second.and_then(Argument::expr);
        named
            || second
                .is_some_and(|x| translator.rank_of(x) == 0 && translator.kind_of(x).is_integer())
    };
    Some(match &**key {
        "sum" | "product" | "maxval" | "minval" | "count" | "any" | "all" => {
            match has_dimension() {
                true => first().saturating_sub(1),
                false => 0,
            }
        }
        "maxloc" | "minloc" => usize::from(!has_dimension()),
        "dot_product" | "norm2" | "size" | "present" | "allocated" | "associated" | "lsame" => 0,
        "lbound" | "ubound" => usize::from(!has_dimension()),
        "matmul" => match arguments {
            [a, b, ..] => {
                let rank = |x: &Argument| x.expr().map_or(0, |x| translator.rank_of(x));
                (rank(a) + rank(b)).saturating_sub(2)
            }
            _ => 0,
        },
        "reshape" => 2,
        "spread" => first() + 1,
        "pack" => 1,
        name if is_intrinsic(name) => ranks(),
        _ => return None,
    })
}

impl Translator<'_> {
    /// The value of an intrinsic function of scalars.
    pub(super) fn intrinsic(
        &mut self,
        key: &Key,
        arguments: &[Argument],
        at: At,
    ) -> Option<Expression> {
        if let Some(value) = self.inquiry(key, arguments, at) {
            return Some(value);
        }
        let kind = kind(self, key, arguments)?;
        let list: Vec<&Expr> = arguments.iter().filter_map(Argument::expr).collect();
        let first = list.first().copied();
        let is_integer = kind.is_integer();
        Some(match (&**key, first) {
            ("max" | "max0", Some(_)) if is_integer => self.extreme(Binary::Maximum, &list, at),
            ("min" | "min0", Some(_)) if is_integer => self.extreme(Binary::Minimum, &list, at),
            ("mod", Some(a)) if is_integer => {
                let a = self.expr(a);
                let b = self.expr(list.get(1)?);
                Expression::new(
                    at,
                    Kind::Binary(Binary::Remainder, Box::new(a), Box::new(b)),
                )
            }
            ("modulo", Some(a)) if is_integer => self.modulo(a, list.get(1)?, at),
            ("abs" | "iabs", Some(a)) if is_integer => self.absolute(a, &kind, at),
            ("sign" | "isign", Some(a)) if is_integer && self.is_plain(a) => {
                self.with_sign(a, list.get(1)?, &kind, at)
            }
            ("int" | "ifix" | "idint", Some(a)) => {
                let value = self.expr(a);
                cast(at, kind.name(), value)
            }
            ("real" | "float" | "dble" | "dfloat" | "sngl", Some(a)) => {
                // A complex number with a value that is known has no imaginary part.
                let value = self.expr(a);
                cast(at, kind.name(), value)
            }
            ("cmplx" | "dcmplx", Some(a)) if list.len() == 1 => {
                let value = self.expr(a);
                cast(at, kind.name(), value)
            }
            ("ichar" | "iachar", Some(a)) => {
                let value = self.first_character(a);
                cast(at, kind.name(), value)
            }
            ("char" | "achar", Some(a)) => {
                let value = self.expr(a);
                cast(at, kind.name(), value)
            }
            ("iand" | "ior" | "ieor", Some(a)) => {
                let a = self.expr(a);
                let b = self.expr(list.get(1)?);
                let op = match &**key {
                    "iand" => Binary::BitAnd,
                    "ior" => Binary::BitOr,
                    _ => Binary::BitXor,
                };
                Expression::new(at, Kind::Binary(op, Box::new(a), Box::new(b)))
            }
            ("merge", Some(a)) => {
                let (b, mask) = (list.get(1)?, list.get(2)?);
                let operands = [self.expr(mask), self.expr(a), self.expr(b)];
                Expression::new(at, Kind::Conditional(Box::new(operands)))
            }
            ("lsame", Some(a)) => self.same_letter(a, list.get(1)?, at),
            ("isnan" | "ieee_is_nan", Some(a)) => {
                let value = self.expr(a);
                computed_by(at, "isnan", kind.name(), vec![value])
            }
            _ => {
                let operands = list.iter().map(|x| self.expr(x)).collect();
                match library_name(key) {
                    Some(function) => computed_by(at, function, kind.name(), operands),
                    None => computed(at, kind.name(), operands),
                }
            }
        })
    }

    /// `LSAME(CA, 'N')` of BLAS: whether two letters are the same, whatever their case.
    fn same_letter(&mut self, a: &Expr, b: &Expr, at: At) -> Expression {
        let letter = match &b.kind {
            crate::syntax::ExprKind::Text(bytes) => bytes.first().copied(),
            _ => None,
        };
        let Some(letter) = letter else {
            return computed(at, LOGICAL.name(), Vec::new());
        };
        let is = |translator: &mut Self, byte: u8| {
            let value = translator.first_character(a);
            let byte = integer(at, i64::from(byte));
            Expression::new(
                at,
                Kind::Binary(Binary::Equal, Box::new(value), Box::new(byte)),
            )
        };
        let upper = is(self, letter.to_ascii_uppercase());
        let lower = is(self, letter.to_ascii_lowercase());
        Expression::new(at, Kind::Or(Box::new(upper), Box::new(lower)))
    }

    fn extreme(&mut self, op: Binary, list: &[&Expr], at: At) -> Expression {
        let mut values = list
            .iter()
            .map(|x| self.expr(x))
            .collect::<Vec<_>>()
            .into_iter();
        let first = values.next().unwrap_or_else(|| integer(at, 0));
        values.fold(first, |a, b| binary(at, op, a, b))
    }

    /// `MODULO(a, b)`: the remainder with the sign of `b`.
    fn modulo(&mut self, a: &Expr, b: &Expr, at: At) -> Expression {
        let divisor = |t: &mut Self| Box::new(t.expr(b));
        let value = Box::new(self.expr(a));
        let rest = Kind::Binary(Binary::Remainder, value, divisor(self));
        let sum = Kind::Binary(
            Binary::Add,
            Box::new(Expression::new(at, rest)),
            divisor(self),
        );
        let rest = Kind::Binary(
            Binary::Remainder,
            Box::new(Expression::new(at, sum)),
            divisor(self),
        );
        Expression::new(at, rest)
    }

    fn absolute(&mut self, a: &Expr, kind: &Type, at: At) -> Expression {
        let name = match kind {
            Type::Integer(8) => "labs",
            _ => "abs",
        };
        let value = self.expr(a);
        super::make::call(at, name, vec![value])
    }

    /// `SIGN(a, b)` is `|a|`, and where `b` is negative `-|a|`.
    fn with_sign(&mut self, a: &Expr, b: &Expr, kind: &Type, at: At) -> Expression {
        let sign = Box::new(self.expr(b));
        let is_negative = Kind::Binary(Binary::Less, sign, Box::new(integer(at, 0)));
        let negated = Kind::Unary(Unary::Negate, Box::new(self.absolute(a, kind, at)));
        let operands = [
            Expression::new(at, is_negative),
            Expression::new(at, negated),
            self.absolute(a, kind, at),
        ];
        Expression::new(at, Kind::Conditional(Box::new(operands)))
    }

    /// `SIZE`, `LBOUND` and their like, which ask for what an array is.
    fn inquiry(&mut self, key: &Key, arguments: &[Argument], at: At) -> Option<Expression> {
        let object = argument(arguments, 0, "array")?;
        match &**key {
            "size" => {
                let rank = self.rank_of(object);
                let dimension = argument(arguments, 1, "dim");
                let dimensions = match dimension {
                    Some(dimension) => {
                        let value = constants::integer(dimension, &self.scope)?;
                        vec![usize::try_from(value).ok()?.checked_sub(1)?]
                    }
                    None => (0..rank).collect(),
                };
                let mut product = integer(at, 1);
                for dimension in dimensions {
                    let extent = self.extent_of(object, dimension)?;
                    product = binary(at, Binary::Multiply, product, extent);
                }
                Some(product)
            }
            "lbound" | "ubound" => {
                let dimension = argument(arguments, 1, "dim")?;
                let value = constants::integer(dimension, &self.scope)?;
                let dimension = usize::try_from(value).ok()?.checked_sub(1)?;
                let Some(array) = self.array(object) else {
                    return match &**key {
                        "lbound" => Some(integer(at, 1)),
                        _ => self.extent_of(object, dimension),
                    };
                };
                let lower = self.lower_bound(&array, dimension, at);
                if &**key == "lbound" {
                    return Some(lower);
                }
                let extent = self.extent(&array, dimension, at)?;
                let past = binary(at, Binary::Add, lower, extent);
                let upper = binary(at, Binary::Subtract, past, integer(at, 1));
                Some(upper)
            }
            "kind" => {
                let value = constants::integer(object, &self.scope);
                let bytes = self.kind_of(object).size().or(value)?;
                Some(integer(at, bytes))
            }
            _ => None,
        }
    }
}
