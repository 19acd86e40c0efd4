//! The layout of structs and unions: the System V ABI of x86-64 as GCC implements it, with its extensions (`packed`,
//! `aligned`, `#pragma pack`).
//!
//! Members are placed one after another, in bits. A member starts at the next multiple of its alignment. A bit-field
//! starts at the next bit, unless it would then span more units of its type's alignment than its type has: `struct {
//! char c; int b : 30; }` has `b` at bit 32. A packed bit-field always starts at the next bit. A bit-field of width 0
//! ends the current unit of its type.

/// The properties of a member that determine its place. Sizes and alignments are in bytes, widths in bits.
#[derive(Clone, Debug)]
pub struct MemberLayout {
    /// The size of its type.
    pub n_bytes: i64,
    /// The alignment of its type.
    pub alignment: i64,
    /// The width of a bit-field; `None` for any other member.
    pub width: Option<i64>,
    /// Whether it has a name.
    pub is_named: bool,
    /// Whether it is placed without regard to the alignment of its type.
    pub packed: bool,
    /// The alignment stated for the member itself, 0 if there is none.
    pub aligned: i64,
}

/// The properties of the struct or union itself. Alignments are in bytes.
#[derive(Clone, Copy, Debug)]
pub struct LayoutRules {
    /// Whether all members start at offset 0.
    pub is_union: bool,
    /// The maximum alignment of members (`#pragma pack`); `None` if there is no limit.
    pub packing: Option<i64>,
    /// The minimum alignment stated for the struct or union, 0 if there is none.
    pub aligned: i64,
}

/// The layout of a struct or union: offsets in bits, size and alignment in bytes.
#[derive(Debug, PartialEq, Eq)]
pub struct RecordLayout {
    /// The size in bytes, padding included.
    pub size: i64,
    /// The alignment in bytes.
    pub alignment: i64,
    /// The offset of each member in bits, in the order of the members.
    pub starts: Vec<i64>,
}

/// Places the members of a struct or union, in order; `None` if a size or offset exceeds 2^32 bytes.
///
/// # Panics
///
/// If the alignment of a bit-field's type is 0.
pub fn lay_out_members(form: LayoutRules, members: &[MemberLayout]) -> Option<RecordLayout> {
    const MOST_BITS: i64 = 8 << 32;
    let mut alignment = form.aligned.max(1) * 8;
    let mut end = 0_i64;
    let mut greatest_end = 0_i64;
    let mut starts = Vec::new();
    for member in members {
        if MOST_BITS / 8 < member.n_bytes {
            return None;
        }
        let start = if form.is_union {
            0
        } else {
            start(form, member, end)?
        };
        alignment = alignment.max(demanded(form, member, start));
        end = start.checked_add(member.width.unwrap_or(8 * member.n_bytes))?;
        greatest_end = greatest_end.max(end);
        if MOST_BITS <= end {
            return None;
        }
        starts.push(start);
    }
    Some(RecordLayout {
        size: rounded(greatest_end, alignment)? / 8,
        alignment: alignment / 8,
        starts,
    })
}

/// The offset in bits of a member that follows what ends at bit `end`.
fn start(form: LayoutRules, member: &MemberLayout, end: i64) -> Option<i64> {
    let start = rounded(end, own_alignment(form, member, end))?;
    let Some(width) = member.width else {
        return Some(start);
    };
    let may_cross =
        form.packing.is_some() || member.packed || width == 0 || fills_integer(member, end);
    let unit = 8 * member.alignment;
    let n_units = (start % unit + width + unit - 1) / unit;
    if !may_cross && 8 * member.n_bytes / unit < n_units {
        return rounded(start, unit);
    }
    Some(start)
}

/// Whether a bit-field at a bit has the size and alignment of an integer type, and is placed like one.
fn fills_integer(member: &MemberLayout, at: i64) -> bool {
    let Some(width) = member.width else {
        return false;
    };
    matches!(width, 8 | 16 | 32 | 64) && at % width == 0 && (width == 8 || !member.packed)
}

/// The alignment at which a member is placed, in bits.
fn own_alignment(form: LayoutRules, member: &MemberLayout, at: i64) -> i64 {
    let limited = |bits: i64| match form.packing {
        Some(packing) => bits.min(8 * packing),
        None => bits,
    };
    let (own, given) = (8 * member.alignment, 8 * member.aligned);
    match member.width {
        Some(0) => own.max(given),
        Some(width) => {
            let own = if fills_integer(member, at) { width } else { 1 };
            limited(given.max(own))
        }
        None if member.packed => limited(given.max(8)),
        None => limited(own.max(given)),
    }
}

/// The alignment that a member requires of its struct or union, in bits.
fn demanded(form: LayoutRules, member: &MemberLayout, start: i64) -> i64 {
    let placed = own_alignment(form, member, start);
    match member.width {
        None => placed,
        Some(_) if !member.is_named => 1,
        Some(_) => {
            let own = match form.packing {
                Some(packing) => member.alignment.min(packing),
                None if member.packed => 1,
                None => member.alignment,
            };
            placed.max(8 * own)
        }
    }
}

fn rounded(bits: i64, unit: i64) -> Option<i64> {
    let past = bits.checked_add(unit - 1)?;
    Some(past - past % unit)
}
