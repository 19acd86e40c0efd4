//! Methods that types of the library have themselves. They go before methods of a trait that have the same name:
//! `impl Length for Vec<f64> { fn len(&self) -> usize { self.len() } }` does not call itself (the Rust reference,
//! "Method-call expressions": inherent methods are looked up first).

use crate::types::Ty;
use std::collections::BTreeSet;
use std::sync::LazyLock;

const VECTOR: &str = "allocator append as_mut_ptr as_mut_slice as_ptr as_slice capacity clear dedup dedup_by \
                      dedup_by_key drain extend_from_slice extend_from_within extract_if insert into_boxed_slice \
                      is_empty leak len pop pop_if push remove reserve reserve_exact resize resize_with retain \
                      retain_mut set_len shrink_to shrink_to_fit spare_capacity_mut splice split_off swap_remove \
                      truncate try_reserve try_reserve_exact";

const SLICE: &str = "align_to align_to_mut array_windows as_array as_chunks as_chunks_mut as_mut_ptr as_mut_ptr_range \
                     as_ptr as_ptr_range as_rchunks binary_search binary_search_by binary_search_by_key chunk_by \
                     chunk_by_mut chunks chunks_exact chunks_exact_mut chunks_mut clone_from_slice concat contains \
                     copy_from_slice copy_within ends_with escape_ascii fill fill_with first first_chunk \
                     first_chunk_mut first_mut get get_disjoint_mut get_mut get_unchecked get_unchecked_mut \
                     into_vec is_empty is_sorted is_sorted_by is_sorted_by_key iter iter_mut join last last_chunk \
                     last_chunk_mut last_mut len partition_point rchunks rchunks_exact rchunks_exact_mut rchunks_mut \
                     repeat reverse rotate_left rotate_right rsplit rsplit_mut rsplitn rsplitn_mut select_nth_unstable \
                     select_nth_unstable_by select_nth_unstable_by_key sort sort_by sort_by_cached_key sort_by_key \
                     sort_unstable sort_unstable_by sort_unstable_by_key split split_at split_at_checked split_at_mut \
                     split_at_mut_checked split_at_mut_unchecked split_at_unchecked split_first split_first_chunk \
                     split_first_chunk_mut split_first_mut split_inclusive split_inclusive_mut split_last \
                     split_last_chunk split_last_chunk_mut split_last_mut split_mut splitn splitn_mut starts_with \
                     strip_prefix strip_suffix swap swap_with_slice to_vec windows";

const FLOAT: &str = "abs acos acosh asin asinh atan atan2 atanh cbrt ceil clamp classify copysign cos cosh div_euclid \
                     exp exp2 exp_m1 floor fract hypot is_finite is_infinite is_nan is_normal is_sign_negative \
                     is_sign_positive is_subnormal ln ln_1p log log10 log2 max midpoint min mul_add next_down next_up \
                     powf powi recip rem_euclid round round_ties_even signum sin sin_cos sinh sqrt tan tanh to_be_bytes \
                     to_bits to_degrees to_int_unchecked to_le_bytes to_ne_bytes to_radians total_cmp trunc";

const INTEGER: &str = "abs abs_diff checked_add checked_div checked_mul checked_neg checked_pow checked_rem \
                       checked_shl checked_shr checked_sub clamp cmp count_ones count_zeros div_ceil div_euclid \
                       from_be_bytes from_le_bytes from_ne_bytes ilog ilog10 ilog2 is_multiple_of is_negative \
                       is_positive is_power_of_two isqrt leading_ones leading_zeros max midpoint min \
                       next_multiple_of next_power_of_two overflowing_add overflowing_mul overflowing_sub pow \
                       rem_euclid reverse_bits rotate_left rotate_right saturating_add saturating_mul \
                       saturating_pow saturating_sub signum swap_bytes to_be to_be_bytes to_le to_le_bytes \
                       to_ne_bytes trailing_ones trailing_zeros unsigned_abs wrapping_add wrapping_div wrapping_mul \
                       wrapping_neg wrapping_pow wrapping_rem wrapping_shl wrapping_shr wrapping_sub";

const COMPLEX: &str = "acos acosh arg asin asinh atan atanh cis conj cos cosh exp expf expm1 fdiv finv from_polar inv \
                       is_finite is_infinite is_nan is_normal l1_norm ln log log10 log2 new norm norm_sqr powc powf \
                       powi powu scale sin sinh sqrt tan tanh to_polar unscale";

/// The name under which the methods that the program adds to a type of the library are found: `f64` of
/// `impl Real for f64`, `[]` of `impl Length for [f64]`.
pub(crate) fn library_type_name(kind: &Ty) -> Option<&'static str> {
    match kind {
        Ty::Slice(_) | Ty::Array(..) => Some("[]"),
        Ty::Vec(_) => Some("Vec"),
        Ty::Float(4) => Some("f32"),
        Ty::Float(_) => Some("f64"),
        Ty::Bool => Some("bool"),
        Ty::Char => Some("char"),
        Ty::Int(kind) => Some(match (kind.signed, kind.bits) {
            (true, 8) => "i8",
            (true, 16) => "i16",
            (true, 64) => "i64",
            (true, _) => "i32",
            (false, 8) => "u8",
            (false, 16) => "u16",
            (false, 32) => "u32",
            (false, _) => "usize",
        }),
        _ => None,
    }
}

/// Whether a type of the library, by its `library_type_name`, has a method of this name that is no trait's.
///
/// A vector has those of slices only by dereferencing, after methods that traits have for vectors.
pub(crate) fn is_inherent(type_name: &str, method: &str) -> bool {
    static INHERENT: LazyLock<[BTreeSet<&str>; 5]> = LazyLock::new(|| {
        [VECTOR, SLICE, COMPLEX, FLOAT, INTEGER].map(|list| list.split_ascii_whitespace().collect())
    });
    let [vector, slice, complex, float, integer] = &*INHERENT;
    let methods = match type_name {
        "Vec" => vector,
        "[]" => slice,
        "Complex" => complex,
        "f32" | "f64" => float,
        "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "usize" => integer,
        _ => return false,
    };
    methods.contains(method)
}
