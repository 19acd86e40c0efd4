//! Vector instructions of `std::arch`: what they load and store, and the types of their results.
//!
//! ```text
//! let x = _mm256_loadu_ps(a.as_ptr().add(i));       loads 32 bytes at a[i]
//! let y = _mm256_add_ps(x, x);                      computes
//! _mm256_storeu_ps(b.as_mut_ptr().add(i), y);       stores 32 bytes at b[i]
//! vst1q_f32(p, vld1q_f32(q))                        loads and stores 16 bytes
//! v128_store(p, f32x4_add(v128_load(q), x))         the same
//! ```
//!
//! A vector counts as a single number of its size. Instructions that touch only some of the lanes, by a mask or at
//! gathered places, are unknown functions.

use crate::ast_builder;
use crate::body::context::Body;
use crate::body::values::{casts, places};
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::{Expression, TextRange};

/// What an instruction does with memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MemoryEffect {
    Nothing,
    /// Loads this many bytes at its argument that is a pointer.
    Load(u32),
    /// Stores this many bytes there.
    Store(u32),
}

/// An instruction by its name.
#[derive(Debug, PartialEq, Eq)]
struct Instruction {
    effect: MemoryEffect,
    /// The type of its result, as far as the name tells it.
    result: Option<&'static str>,
}

/// The result of an instruction; `None` for other functions, and for instructions whose accesses are not known.
pub(crate) fn call<'a>(
    ctx: &mut Body<'a, '_>,
    name: &str,
    arguments: &[Value<'a>],
    at: TextRange,
    expected: Option<&Ty>,
) -> Option<Value<'a>> {
    let one = Instruction::of(name)?;
    let pointer = arguments.iter().position(|x| is_address(ctx, x));
    let values = arguments.iter().enumerate();
    let values = values.filter(|(idx, _)| Some(*idx) != pointer);
    let values: Vec<Value<'a>> = values.map(|(_, value)| value.clone()).collect();
    let result = one.result.and_then(Ty::primitive);
    let result = expected.cloned().filter(Ty::is_scalar).or(result);
    match (one.effect, pointer) {
        (MemoryEffect::Nothing, None) => {
            values.into_iter().for_each(|value| {
                ctx.evaluate(value);
            });
            Some(match result {
                Some(kind) => ctx.unknown_value(&kind, at),
                None => Value::Unit,
            })
        }
        (MemoryEffect::Load(bytes), Some(idx)) => {
            let place = lanes(ctx, &arguments[idx], bytes, at)?;
            // The lanes of another vector that stay.
            for value in values {
                ctx.evaluate(value);
            }
            Some(Value::Plain(place, result?))
        }
        (MemoryEffect::Store(bytes), Some(idx)) => {
            let place = lanes(ctx, &arguments[idx], bytes, at)?;
            let value = values.into_iter().next()?;
            let kind = Ty::Opaque(bytes);
            let value = match places::strip_references(ctx, value, at) {
                Value::Plain(value, _) => Value::Plain(value, kind.clone()),
                _ => ctx.unknown_value(&kind, at),
            };
            places::store(ctx, place, &kind, value, at);
            Some(Value::Unit)
        }
        _ => None,
    }
}

fn is_address(ctx: &Body, value: &Value) -> bool {
    match value {
        Value::Slice(_) => true,
        value => matches!(ctx.inference.resolve(&value.kind()), Ty::Pointer(_)),
    }
}

/// The place of some bytes at a pointer.
fn lanes<'a>(
    ctx: &mut Body<'a, '_>,
    pointer: &Value<'a>,
    bytes: u32,
    at: TextRange,
) -> Option<Expression> {
    let pointer = match pointer.clone() {
        Value::Slice(slice) => slice.pointer,
        Value::Plain(pointer, _) => pointer,
        _ => return None,
    };
    let pointer = casts::pointer_to(ctx, pointer, &Ty::Opaque(bytes), at);
    Some(ast_builder::dereference(at, pointer))
}

/// What the names of operations of ARM begin with.
const ARM_OPERATIONS: [&str; 50] = [
    "ab",
    "add",
    "and",
    "bcax",
    "bic",
    "bsl",
    "c",
    "div",
    "dot",
    "dup",
    "eor",
    "ext",
    "fm",
    "get",
    "hadd",
    "hsub",
    "ld1",
    "ld2",
    "ld3",
    "ld4",
    "max",
    "min",
    "ml",
    "mov",
    "mul",
    "mvn",
    "neg",
    "orn",
    "orr",
    "pad",
    "pmax",
    "pmin",
    "q",
    "raddhn",
    "rbit",
    "recp",
    "reinterpret",
    "rev",
    "rhadd",
    "rnd",
    "rs",
    "set",
    "shl",
    "shr",
    "sqrt",
    "sra",
    "st",
    "sub",
    "t",
    "z",
];

impl Instruction {
    fn of(name: &str) -> Option<Self> {
        if let Some(rest) = name.strip_prefix("_mm") {
            let (bytes, rest) = match rest.split_once('_')? {
                ("", rest) => (16, rest),
                ("256", rest) => (32, rest),
                ("512", rest) => (64, rest),
                _ => return None,
            };
            return Self::of_x86(bytes, rest);
        }
        if let Some(rest) = name.strip_prefix("v128_") {
            return Self::of_wasm(rest);
        }
        if let Some((shape, rest)) = name.split_once('_')
            && [
                "f32x4", "f64x2", "i8x16", "i16x8", "i32x4", "i64x2", "u8x16", "u16x8", "u32x4",
                "u64x2",
            ]
            .contains(&shape)
        {
            return Self::of_wasm_lanes(shape, rest);
        }
        Self::of_arm(name)
    }

    fn computed(result: Option<&'static str>) -> Self {
        Self {
            effect: MemoryEffect::Nothing,
            result,
        }
    }

    /// `rest` is the name after `_mm256_`: the operation and the type of its lanes, as in `loadu_ps`.
    fn of_x86(bytes: u32, rest: &str) -> Option<Self> {
        let (operation, lanes) = rest.rsplit_once('_').unwrap_or((rest, ""));
        if matches!(rest, "prefetch" | "pause" | "sfence" | "lfence" | "mfence") {
            return Some(Self::computed(None));
        }
        let is_partial = ["mask", "gather", "scatter", "compress", "expand"];
        if is_partial.iter().any(|word| operation.contains(word)) && !operation.contains("movemask")
        {
            return None;
        }
        let result = x86_result(bytes, operation, lanes);
        let scalar = match lanes {
            "ss" | "si32" => Some(4),
            "sd" | "si64" => Some(8),
            "si16" => Some(2),
            _ => None,
        };
        let of_lane = match lanes {
            "ps" | "ps1" => 4,
            _ => 8,
        };
        let effect = match operation {
            "load" | "loadu" | "lddqu" | "loadr" | "stream_load" => {
                MemoryEffect::Load(scalar.unwrap_or(bytes))
            }
            "load1" | "loaddup" => MemoryEffect::Load(of_lane),
            "loadl" | "loadh" => MemoryEffect::Load(8),
            "store" | "storeu" | "storer" | "store1" | "stream" => {
                MemoryEffect::Store(scalar.unwrap_or(bytes))
            }
            "storel" | "storeh" => MemoryEffect::Store(8),
            "broadcast" => MemoryEffect::Load(scalar.unwrap_or(16)),
            operation if operation.starts_with("load") || operation.starts_with("store") => {
                return None;
            }
            _ => MemoryEffect::Nothing,
        };
        match lanes {
            "pd1" | "ps1" if operation == "load" => Some(Self {
                effect: MemoryEffect::Load(if lanes == "ps1" { 4 } else { 8 }),
                result,
            }),
            _ => Some(Self { effect, result }),
        }
    }

    fn of_wasm(rest: &str) -> Option<Self> {
        let effect = match rest {
            "load" => MemoryEffect::Load(16),
            "load64_splat" | "load64_zero" | "load64_lane" => MemoryEffect::Load(8),
            "load32_splat" | "load32_zero" | "load32_lane" => MemoryEffect::Load(4),
            "store" => MemoryEffect::Store(16),
            "store64_lane" => MemoryEffect::Store(8),
            "store32_lane" => MemoryEffect::Store(4),
            "any_true" => return Some(Self::computed(Some("bool"))),
            "and" | "or" | "xor" | "not" | "andnot" | "bitselect" => MemoryEffect::Nothing,
            _ => return None,
        };
        let result = Some("v128");
        Some(Self { effect, result })
    }

    fn of_wasm_lanes(shape: &str, rest: &str) -> Option<Self> {
        let result = match (rest, shape) {
            (rest, _) if rest.starts_with("load") || rest.starts_with("store") => return None,
            ("extract_lane", "f32x4") => "f32",
            ("extract_lane", "f64x2") => "f64",
            ("extract_lane", "i64x2" | "u64x2") => "i64",
            ("extract_lane" | "bitmask", _) => "i32",
            ("all_true", _) => "bool",
            _ => "v128",
        };
        Some(Self::computed(Some(result)))
    }

    /// `vld1q_f32`, `vaddq_f32`, `vreinterpretq_f64_f32`: the first type after the operation is that of the result.
    fn of_arm(name: &str) -> Option<Self> {
        let mut parts = name.strip_prefix('v')?.split('_');
        let operation = parts.next()?;
        if !ARM_OPERATIONS
            .iter()
            .any(|word| operation.starts_with(word))
        {
            return None;
        }
        let rest: Vec<&str> = parts.collect();
        let lanes = *rest.iter().find(|part| arm_vector(true, part).is_some())?;
        let is_part = rest.iter().any(|part| matches!(*part, "lane" | "dup"));
        let is_half = rest.iter().any(|part| matches!(*part, "low" | "high")) && operation == "get";
        let is_wide = (operation.ends_with('q') || operation == "combine") && !is_half;
        let whole = if is_wide { 16 } else { 8 };
        let of_lane = lanes[1..].parse::<u32>().ok()? / 8;
        let bytes = if is_part { of_lane } else { whole };
        let result = match operation {
            "getq" | "get" if rest.contains(&"lane") => arm_number(lanes),
            _ => arm_vector(is_wide, lanes),
        };
        let effect = match operation.strip_suffix('q').unwrap_or(operation) {
            "ld1" if !rest.iter().any(|part| part.starts_with('x')) => MemoryEffect::Load(bytes),
            "st1" if !rest.iter().any(|part| part.starts_with('x')) => MemoryEffect::Store(bytes),
            operation if operation.starts_with("ld") || operation.starts_with("st") => return None,
            _ => MemoryEffect::Nothing,
        };
        Some(Self { effect, result })
    }
}

/// The type of the result of an instruction of x86 by the width of its operands, its operation and its lanes.
fn x86_result(bytes: u32, operation: &str, lanes: &str) -> Option<&'static str> {
    match (operation, lanes) {
        (operation, _) if operation.starts_with("store") || operation == "stream" => return None,
        ("cvtss", "f32") => return Some("f32"),
        ("cvtsd", "f64") => return Some("f64"),
        (operation, lanes) if operation.starts_with("cvtsi") && lanes.starts_with("si64") => {
            return Some("i64");
        }
        (operation, "si32") if operation.starts_with("cvt") => return Some("i32"),
        ("extract", "epi64") => return Some("i64"),
        ("extract", lanes) if lanes.starts_with("epi") => return Some("i32"),
        ("movemask", _) => return Some("i32"),
        (operation, _) if operation.starts_with("test") => return Some("i32"),
        _ => {}
    }
    let stated = lanes.trim_start_matches(|c: char| !c.is_ascii_digit());
    let is_half = operation.starts_with("extractf") || operation.starts_with("extracti");
    let is_narrowed = bytes == 32 && matches!((operation, lanes), ("cvtpd", "ps" | "epi32"));
    let bytes = match (lanes, stated) {
        _ if is_half || is_narrowed => 16,
        (lanes, "128" | "256" | "512") if !lanes.starts_with("ep") => {
            stated.parse::<u32>().ok()? / 8
        }
        _ => bytes,
    };
    let kind = match (lanes.get(..2)?, bytes) {
        ("ps" | "ss", 16) => "__m128",
        ("ps" | "ss", 32) => "__m256",
        ("ps", _) => "__m512",
        ("pd" | "sd", 16) => "__m128d",
        ("pd" | "sd", 32) => "__m256d",
        ("pd", _) => "__m512d",
        ("ep" | "si", 16) => "__m128i",
        ("ep" | "si", 32) => "__m256i",
        ("ep" | "si", _) => "__m512i",
        _ => return None,
    };
    Some(kind)
}

/// A vector of ARM by the type of its lanes.
fn arm_vector(is_wide: bool, lanes: &str) -> Option<&'static str> {
    Some(match (is_wide, lanes) {
        (true, "f32") => "float32x4_t",
        (true, "f64") => "float64x2_t",
        (true, "s8") => "int8x16_t",
        (true, "s16") => "int16x8_t",
        (true, "s32") => "int32x4_t",
        (true, "s64") => "int64x2_t",
        (true, "u8") => "uint8x16_t",
        (true, "u16") => "uint16x8_t",
        (true, "u32") => "uint32x4_t",
        (true, "u64") => "uint64x2_t",
        (false, "f32") => "float32x2_t",
        (false, "f64") => "float64x1_t",
        (false, "s8") => "int8x8_t",
        (false, "s16") => "int16x4_t",
        (false, "s32") => "int32x2_t",
        (false, "s64") => "int64x1_t",
        (false, "u8") => "uint8x8_t",
        (false, "u16") => "uint16x4_t",
        (false, "u32") => "uint32x2_t",
        (false, "u64") => "uint64x1_t",
        _ => return None,
    })
}

/// A number of ARM by the type of a lane.
fn arm_number(lanes: &str) -> Option<&'static str> {
    Some(match lanes {
        "f32" => "f32",
        "f64" => "f64",
        "s8" => "i8",
        "s16" => "i16",
        "s32" => "i32",
        "s64" => "i64",
        "u8" => "u8",
        "u16" => "u16",
        "u32" => "u32",
        "u64" => "u64",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_instructions_tell_what_they_load_and_store() {
        let of = |name| Instruction::of(name).map(|one| (one.effect, one.result));
        let load = |bytes, kind| Some((MemoryEffect::Load(bytes), Some(kind)));
        let computed = |kind| Some((MemoryEffect::Nothing, Some(kind)));
        assert_eq!(of("_mm256_loadu_ps"), load(32, "__m256"));
        assert_eq!(of("_mm_load_sd"), load(8, "__m128d"));
        assert_eq!(of("_mm_load_ps1"), load(4, "__m128"));
        assert_eq!(of("_mm_load1_pd"), load(8, "__m128d"));
        assert_eq!(of("_mm_loadl_epi64"), load(8, "__m128i"));
        assert_eq!(of("_mm_loadu_si128"), load(16, "__m128i"));
        assert_eq!(of("_mm256_broadcast_ss"), load(4, "__m256"));
        assert_eq!(
            of("_mm512_storeu_pd"),
            Some((MemoryEffect::Store(64), None))
        );
        assert_eq!(of("_mm_storel_pd"), Some((MemoryEffect::Store(8), None)));
        assert_eq!(of("_mm256_maskload_ps"), None);
        assert_eq!(of("_mm256_i32gather_pd"), None);
        assert_eq!(of("_mm256_add_ps"), computed("__m256"));
        assert_eq!(of("_mm256_castps256_ps128"), computed("__m128"));
        assert_eq!(of("_mm256_extractf128_pd"), computed("__m128d"));
        assert_eq!(of("_mm256_cvtepu16_epi32"), computed("__m256i"));
        assert_eq!(of("_mm_cvtsi128_si32"), computed("i32"));
        assert_eq!(of("vld1q_f32"), load(16, "float32x4_t"));
        assert_eq!(of("vld1_f32"), load(8, "float32x2_t"));
        assert_eq!(of("vld1q_dup_f64"), load(8, "float64x2_t"));
        assert_eq!(of("vld2q_f32"), None);
        assert_eq!(of("vreinterpretq_f64_f32"), computed("float64x2_t"));
        assert_eq!(of("vget_low_f32"), computed("float32x2_t"));
        assert_eq!(of("v128_load"), load(16, "v128"));
        assert_eq!(of("f32x4_add"), computed("v128"));
        assert_eq!(of("vec_f32"), None);
        assert_eq!(of("sum"), None);
    }
}
