//! Library functions called by their path: `Vec::with_capacity`, `std::mem::swap`, `f64::from`.

use crate::ast_builder;
use crate::body::calls::{macros, paths};
use crate::body::context::Body;
use crate::body::library::method_call::MethodCall;
use crate::body::library::{complex, intrinsics, ndarray, numbers, slices, trait_numbers, vectors};
use crate::body::values::{aggregates, assignments, casts, places};
use crate::type_shapes::non_zero;
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::TextRange;

/// Methods that visit elements in an unspecified order, or a data-dependent number of times.
pub(crate) const UNORDERED: [&str; 20] = [
    "sort",
    "sort_by",
    "sort_unstable",
    "sort_unstable_by",
    "sort_by_key",
    "binary_search",
    "binary_search_by",
    "contains",
    "reverse",
    "rotate_left",
    "rotate_right",
    "concat",
    "join",
    "dedup",
    "retain",
    "starts_with",
    "ends_with",
    "select_nth_unstable",
    "repeat",
    "fill_with",
];

/// Functions of the standard library by their paths.
pub(crate) fn library_call<'a>(
    ctx: &mut Body<'a, '_>,
    names: &[&str],
    path: &syn::Path,
    arguments: &[Value<'a>],
    at: TextRange,
    expected: Option<&Ty>,
) -> Option<Value<'a>> {
    let one = |idx: usize| arguments.get(idx).cloned().unwrap_or(Value::Unit);
    if let Some(name) = names.last()
        && let Some(value) = intrinsics::call(ctx, name, arguments, at, expected)
    {
        return Some(value);
    }
    if let Some(value) = trait_numbers::call(ctx, names, path, arguments, (at, expected)) {
        return Some(value);
    }
    Some(match names {
        [.., "Some" | "Ok"] if arguments.len() == 1 => {
            Value::Option(ast_builder::integer(at, 1), Box::new(one(0)))
        }
        [.., "Err"] => {
            ctx.evaluate(one(0));
            let nothing = Value::Unknown(Ty::unknown());
            Value::Option(ast_builder::integer(at, 0), Box::new(nothing))
        }
        [.., owner, name @ ("new" | "new_unchecked" | "new_clamped")]
            if arguments.len() == 1 && is_checked(ctx, owner, path) =>
        {
            checked_number(ctx, (owner, *name), one(0), path, at)
        }
        [.., "Vec", "new"] | [.., "Vec", "with_capacity"] | [.., "String", "new"] => {
            new_vector(ctx, path, arguments, at, expected)
        }
        [
            ..,
            "Box" | "Rc" | "Arc" | "Cell" | "RefCell" | "Mutex" | "black_box",
            "new",
        ]
        | [
            ..,
            "black_box" | "identity" | "ManuallyDrop" | "Wrapping" | "Cow",
        ]
        | [.., "Cow", "Borrowed" | "Owned"]
            if arguments.len() == 1 =>
        {
            one(0)
        }
        // Of num-traits: the context tells the type.
        [.., "NumCast", "from"] if arguments.len() == 1 => {
            ctx.evaluate(one(0));
            let number = Value::Unknown(Ty::unknown());
            Value::Option(ctx.unknown_integer(at), Box::new(number))
        }
        [.., "mem", "swap"] | ["swap"] => {
            let (a, b) = (one(0), one(1));
            vectors::swap_values(ctx, a, b, at)
        }
        [.., "mem", "replace"] => replace(ctx, one(0), one(1), at),
        [.., "mem", "take"] => take(ctx, one(0), at),
        [.., "drop" | "forget" | "black_box"] => {
            ctx.evaluate(one(0));
            Value::Unit
        }
        [.., "cmp" | "f64" | "f32" | "usize", "min" | "max"] | ["min" | "max"]
            if arguments.len() == 2 =>
        {
            let name = names.last().copied().unwrap_or("min");
            let first = places::strip_references(ctx, one(0), at);
            numbers::number_with(ctx, first, name, vec![one(1)], at)
        }
        [.., owner, name] if complex::is_named(owner) => {
            let stated = paths::owner_of_path(ctx, path);
            let kind = stated.filter(|kind| complex::part_type(ctx, kind).is_some());
            complex::complex_number(ctx, name, arguments, kind.as_ref().or(expected), at)?
        }
        [.., name @ ("zero" | "one" | "default")]
            if arguments.is_empty()
                && expected.is_some_and(|kind| complex::part_type(ctx, kind).is_some()) =>
        {
            complex::complex_number(ctx, name, arguments, expected, at)?
        }
        [.., "clamp"] if arguments.len() == 3 => {
            let first = places::strip_references(ctx, one(0), at);
            if !ctx.inference.resolve(&first.kind()).is_scalar() {
                return None;
            }
            numbers::number_with(ctx, first, "clamp", vec![one(1), one(2)], at)
        }
        [.., kind, name] if arguments.is_empty() && Ty::primitive(kind).is_some() => {
            trait_numbers::number_of_type(ctx, Ty::primitive(kind)?, name, at)?
        }
        [
            ..,
            kind,
            "from_be_bytes" | "from_le_bytes" | "from_ne_bytes",
        ] if Ty::primitive(kind).is_some_and(|kind| kind.is_scalar()) => {
            number_of_bytes(ctx, &Ty::primitive(kind)?, one(0), at)?
        }
        [.., "ptr", "null" | "null_mut"] if arguments.is_empty() => Value::Unknown(Ty::unknown()),
        [.., "size_of"] => size_of_type(ctx, path, at)?,
        [.., "copy_nonoverlapping" | "copy"] if arguments.len() == 3 => {
            copy_elements(ctx, one(0), one(1), one(2), at)?
        }
        [.., "ptr", "read"] => places::dereference(ctx, one(0), at),
        [.., "ptr", "write"] => {
            let place = places::dereference(ctx, one(0), at);
            assignments::assign(ctx, place, one(1), at);
            Value::Unit
        }
        [.., "slice", "from_raw_parts" | "from_raw_parts_mut"]
        | ["from_raw_parts" | "from_raw_parts_mut"] => {
            vectors::from_raw_parts(ctx, one(0), one(1), at)?
        }
        [.., "from_fn"] => {
            let Value::Closure(closure) = one(0) else {
                return None;
            };
            vectors::array_of_calls(ctx, &closure, expected, at)?
        }
        [.., "exit" | "abort" | "panic_any"] => macros::end_program(ctx, at),
        [.., "unreachable_unchecked"] => Value::Never,
        [
            ..,
            kind,
            "from" | "try_from" | "cast_from" | "from_f64" | "from_f32" | "from_usize" | "from_u8"
            | "from_u16" | "from_u32" | "from_u64" | "from_i8" | "from_i16" | "from_i32"
            | "from_i64",
        ] if Ty::primitive(kind).is_some_and(|x| x.is_scalar()) => {
            let kind = Ty::primitive(kind)?;
            let value = places::strip_references(ctx, one(0), at);
            casts::convert(ctx, value, kind, at)
        }
        [.., "Vec", "from"] => {
            let slice = places::as_slice(ctx, one(0), at)?;
            let method = MethodCall {
                name: "to_vec",
                arguments: Vec::new(),
                at,
                expected: None,
                stated_number: None,
            };
            slices::slice_method(ctx, slice, &method)
        }
        [.., "repeat"] if arguments.len() == 1 => repeat(one(0)),
        [.., kind, name] if kind.starts_with("Array") => {
            ndarray::new_ndarray(ctx, kind, name, path, arguments, at, expected)?
        }
        [.., "default"] if arguments.is_empty() => {
            let stated = paths::owner_of_path(ctx, path).filter(|kind| !kind.is_unknown());
            match stated.or_else(|| expected.cloned()) {
                Some(kind) => aggregates::default_value(ctx, &kind, at),
                None => Value::Unknown(Ty::unknown()),
            }
        }
        _ => return None,
    })
}

/// Whether a type holds a number that is checked when it is made.
fn is_checked(ctx: &Body, owner: &str, path: &syn::Path) -> bool {
    let stated = paths::owner_of_path(ctx, path);
    let is_non_zero = matches!(stated, Some(Ty::Unknown(name)) if non_zero(&name).is_some());
    is_non_zero || non_zero(owner).is_some() || Ty::checked_number(owner).is_some()
}

/// `FiniteF32::new(x)`: the number, if it is one of the type.
fn checked_number<'a>(
    ctx: &mut Body<'a, '_>,
    (owner, name): (&str, &str),
    value: Value<'a>,
    path: &syn::Path,
    at: TextRange,
) -> Value<'a> {
    let number = match Ty::checked_number(owner) {
        Some(kind) => {
            let value = places::strip_references(ctx, value, at);
            casts::convert(ctx, value, kind, at)
        }
        None => {
            ctx.evaluate(value);
            let kind = paths::owner_of_path(ctx, path);
            Value::Unknown(kind.unwrap_or_else(|| Ty::Unknown(owner.into())))
        }
    };
    match name {
        "new" => Value::Option(ctx.unknown_integer(at), Box::new(number)),
        _ => number,
    }
}

/// `Vec::new` and `Vec::with_capacity`.
fn new_vector<'a>(
    ctx: &mut Body<'a, '_>,
    path: &syn::Path,
    arguments: &[Value<'a>],
    at: TextRange,
    expected: Option<&Ty>,
) -> Value<'a> {
    let element = vectors::new_element(ctx, path, expected, at);
    let capacity = match arguments {
        [capacity] => Some(ctx.integer_of(capacity.clone(), at)),
        _ => None,
    };
    vectors::empty_vector(ctx, &element, capacity, at)
}

/// `u32::from_be_bytes(bytes)`: loads each byte of the array.
fn number_of_bytes<'a>(
    ctx: &mut Body<'a, '_>,
    kind: &Ty,
    bytes: Value<'a>,
    at: TextRange,
) -> Option<Value<'a>> {
    let (array, length) = match bytes {
        // Of a slice that `try_into` makes an array of.
        Value::Slice(slice) => (slice.pointer, kind.bytes_of_number()?),
        Value::Plain(array, of) => match ctx.inference.resolve(&of) {
            Ty::Array(_, length) => (array, ast_builder::as_integer(&length.0)?),
            _ => return None,
        },
        _ => return None,
    };
    /// The most bytes that a number has.
    const MOST_BYTES: i64 = 16;
    if MOST_BYTES < length {
        return None;
    }
    for idx in 0..length {
        let byte = ast_builder::index(at, array.clone(), ast_builder::integer(at, idx));
        ctx.emit(ast_builder::evaluated(byte));
    }
    Some(ctx.unknown_value(kind, at))
}

/// `mem::replace`: returns the old value of a place.
fn replace<'a>(
    ctx: &mut Body<'a, '_>,
    reference: Value<'a>,
    value: Value<'a>,
    at: TextRange,
) -> Value<'a> {
    let place = places::dereference(ctx, reference, at);
    let old = ctx.hold(place.clone(), "old");
    let old = vectors::load_before_store(ctx, old);
    assignments::assign(ctx, place, value, at);
    old
}

/// `mem::take`: leaves zero or an empty slice.
fn take<'a>(ctx: &mut Body<'a, '_>, reference: Value<'a>, at: TextRange) -> Value<'a> {
    let place = places::dereference(ctx, reference, at);
    let kind = ctx.inference.resolve(&place.kind());
    let old = vectors::load_before_store(ctx, place.clone());
    match place {
        Value::Plain(place, _) if kind.is_scalar() => {
            let zero = Value::Plain(ast_builder::integer(at, 0), kind.clone());
            places::store(ctx, place, &kind, zero, at);
        }
        Value::Slice(slice) if !matches!(kind, Ty::Vec(_)) => {
            vectors::set_length(ctx, &slice, ast_builder::integer(at, 0), at);
        }
        _ => return ctx.unsupported("`take` of something with parts", at),
    }
    old
}

/// `size_of::<T>()`.
fn size_of_type<'a>(ctx: &mut Body<'a, '_>, path: &syn::Path, at: TextRange) -> Option<Value<'a>> {
    let substitution = ctx.substitution.clone();
    let last = path.segments.last()?;
    let arguments = ctx.program.arguments(last, &substitution, 0);
    let crate::types::GenericArg::Type(kind) = arguments.into_iter().next()? else {
        return None;
    };
    let size = places::size_of(ctx, &kind, ast_builder::integer(at, 1), at);
    Some(Value::size(size))
}

/// `ptr::copy`: copies a number of elements.
fn copy_elements<'a>(
    ctx: &mut Body<'a, '_>,
    from: Value<'a>,
    to: Value<'a>,
    count: Value<'a>,
    at: TextRange,
) -> Option<Value<'a>> {
    let (Value::Plain(from, kind), Value::Plain(to, _)) = (from, to) else {
        return None;
    };
    let Ty::Pointer(element) = ctx.inference.resolve(&kind) else {
        return None;
    };
    let length = ctx.integer_of(count, at);
    let size = places::size_of(ctx, &element, length, at);
    let call = ast_builder::call(at, "memcpy", vec![to, from, size]);
    ctx.emit(ast_builder::evaluated(call));
    Some(Value::Unit)
}

/// `iter::repeat`: the same value endlessly.
fn repeat(value: Value<'_>) -> Value<'_> {
    let item = crate::value::SequenceItem::Repeated(Box::new(value));
    Value::Iterator(Box::new(crate::value::ItemSequence::new(None, item)))
}
