//! Types and ranks of the results of intrinsic functions.

use crate::intrinsics::{IntrinsicGroup, is_in_group, is_intrinsic};
use crate::names::types::{DOUBLE, INTEGER, LOGICAL, REAL};
use crate::names::{FortranType, constants};
use crate::syntax::{ActualArgument, ExprKind, NameKey, find_argument};
use crate::translate::environment::NameEnvironment;

/// The type of the result of an intrinsic function.
pub(crate) fn result_type(
    env: &NameEnvironment,
    key: &NameKey,
    arguments: &[ActualArgument],
) -> Option<FortranType> {
    let first = arguments.first().and_then(ActualArgument::expr);
    let of_first = || first.map_or(FortranType::Unknown, |x| env.type_of(x));
    let requested = |default: FortranType| {
        let kind = find_argument(arguments, 1, "kind");
        let bytes = kind.and_then(|x| constants::integer(x, &env.scope));
        match (bytes.and_then(|x| u8::try_from(x).ok()), default) {
            (Some(bytes), FortranType::Integer(_)) => FortranType::Integer(bytes),
            (Some(bytes), FortranType::Real(_)) => FortranType::Real(bytes),
            (_, default) => default,
        }
    };
    Some(match &**key {
        "dble" | "dfloat" | "dreal" | "dprod" | "dimag" | "dsqrt" | "dexp" | "dlog" | "dabs"
        | "dsign" | "dmax1" | "dmin1" | "dmod" | "dlog10" | "dsin" | "dcos" | "cdabs" | "zabs" => {
            DOUBLE
        }
        "real" | "float" | "sngl" => match (of_first(), find_argument(arguments, 1, "kind")) {
            (FortranType::Complex(part), None) => FortranType::Real(part),
            _ => requested(REAL),
        },
        "aimag" | "imag" | "cabs" => real_part(of_first()),
        "abs" => real_part(of_first()),
        "cmplx" => {
            let kind = find_argument(arguments, 2, "kind");
            let bytes = kind.and_then(|x| constants::integer(x, &env.scope));
            FortranType::Complex(bytes.and_then(|x| u8::try_from(x).ok()).unwrap_or(4))
        }
        "dcmplx" => FortranType::Complex(8),
        "int" | "nint" | "ceiling" | "floor" | "ifix" | "idint" | "idnint" => requested(INTEGER),
        "amax0" | "amin0" | "amax1" | "amin1" => REAL,
        "max1" | "min1" => INTEGER,
        "char" | "achar" => FortranType::Character(Some(1)),
        "repeat" | "trim" | "adjustl" | "adjustr" => FortranType::Character(None),
        "iand" | "ior" | "ieor" | "not" | "ishft" | "ishftc" | "ibset" | "ibclr" | "ibits"
        | "shiftl" | "shiftr" | "shifta" => of_first(),
        "dot_product" | "matmul" => {
            let second = arguments.get(1).and_then(ActualArgument::expr);
            let second = second.map_or(FortranType::Unknown, |x| env.type_of(x));
            of_first().common(&second)
        }
        name if is_in_group(IntrinsicGroup::RealFunction, name) => {
            let rest = arguments.iter().filter_map(ActualArgument::expr);
            let kinds = rest.map(|x| env.type_of(x));
            kinds.reduce(|a, b| a.common(&b)).unwrap_or(REAL)
        }
        name if is_in_group(IntrinsicGroup::Reduction, name)
            || is_in_group(IntrinsicGroup::ArrayFunction, name) =>
        {
            of_first()
        }
        name if is_in_group(IntrinsicGroup::IntegerFunction, name) => INTEGER,
        name if is_in_group(IntrinsicGroup::LogicalFunction, name) => LOGICAL,
        _ => return None,
    })
}

/// The type of the parts of a complex number.
fn real_part(kind: FortranType) -> FortranType {
    match kind {
        FortranType::Complex(part) => FortranType::Real(part),
        other => other,
    }
}

/// The rank of the result of an intrinsic function; `None` for other functions.
pub(crate) fn result_rank(
    env: &NameEnvironment,
    key: &NameKey,
    arguments: &[ActualArgument],
) -> Option<usize> {
    let ranks = || {
        let list = arguments.iter().filter_map(ActualArgument::expr);
        list.map(|x| env.rank_of(x)).max().unwrap_or(0)
    };
    let first = || {
        let first = arguments.first().and_then(ActualArgument::expr);
        first.map_or(0, |x| env.rank_of(x))
    };
    let has_dimension = || {
        let named = arguments
            .iter()
            .any(|x| x.keyword.as_deref() == Some("dim"));
        let second = arguments.get(1).filter(|x| x.keyword.is_none());
        let second = second.and_then(ActualArgument::expr);
        named || second.is_some_and(|x| env.rank_of(x) == 0 && env.type_of(x).is_integer())
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
                let rank = |x: &ActualArgument| x.expr().map_or(0, |x| env.rank_of(x));
                (rank(a) + rank(b)).saturating_sub(2)
            }
            _ => 0,
        },
        "reshape" => match find_argument(arguments, 1, "shape").map(|shape| &shape.kind) {
            Some(ExprKind::Constructor(items)) => items.len(),
            _ => 2,
        },
        "spread" => first() + 1,
        "pack" => 1,
        name if is_intrinsic(name) => ranks(),
        _ => return None,
    })
}
