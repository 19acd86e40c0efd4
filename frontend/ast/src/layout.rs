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

/// Places the members of a struct or union, in order; `None` if a size or offset reaches 2^32 bytes. The
/// alignments of types must be positive.
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

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: LayoutRules = LayoutRules {
        is_union: false,
        packing: None,
        aligned: 0,
    };

    /// A member of a type that is aligned to its size.
    fn member(n_bytes: i64) -> MemberLayout {
        MemberLayout {
            n_bytes,
            alignment: n_bytes,
            width: None,
            is_named: true,
            packed: false,
            aligned: 0,
        }
    }

    /// A bit-field of an `int`.
    fn bits(width: i64) -> MemberLayout {
        MemberLayout {
            width: Some(width),
            ..member(4)
        }
    }

    /// Size and alignment in bytes, and where members start in bits.
    fn layout(form: LayoutRules, members: &[MemberLayout]) -> (i64, i64, Vec<i64>) {
        let found = lay_out_members(form, members).expect("it is small");
        (found.size, found.alignment, found.starts)
    }

    #[test]
    fn members_start_at_multiples_of_their_alignment_and_the_end_is_padded() {
        assert_eq!(layout(PLAIN, &[]), (0, 1, vec![]));
        assert_eq!(layout(PLAIN, &[member(1)]), (1, 1, vec![0]));
        // char, double, char
        let members = [member(1), member(8), member(1)];
        assert_eq!(layout(PLAIN, &members), (24, 8, vec![0, 64, 128]));
        // char, short, int
        let members = [member(1), member(2), member(4)];
        assert_eq!(layout(PLAIN, &members), (8, 4, vec![0, 16, 32]));
    }

    #[test]
    fn a_union_starts_all_members_at_zero_and_holds_the_largest() {
        let union = LayoutRules {
            is_union: true,
            ..PLAIN
        };
        // char[5] and int: five bytes, padded to a multiple of four.
        let five = MemberLayout {
            alignment: 1,
            ..member(5)
        };
        assert_eq!(layout(union, &[five, member(4)]), (8, 4, vec![0, 0]));
    }

    #[test]
    fn bit_fields_share_a_unit_of_their_type_until_one_would_cross_its_end() {
        assert_eq!(layout(PLAIN, &[member(1), bits(30)]), (8, 4, vec![0, 32]));
        assert_eq!(layout(PLAIN, &[member(1), bits(24)]), (4, 4, vec![0, 8]));
        let three = [bits(20), bits(12), bits(1)];
        assert_eq!(layout(PLAIN, &three), (8, 4, vec![0, 20, 32]));
    }

    #[test]
    fn a_bit_field_of_no_width_ends_the_unit() {
        let nothing = MemberLayout {
            is_named: false,
            ..bits(0)
        };
        let members = [bits(3), nothing, bits(3)];
        assert_eq!(layout(PLAIN, &members), (8, 4, vec![0, 32, 32]));
    }

    #[test]
    fn packing_limits_alignments_and_packed_members_have_none() {
        let members = [member(1), member(8)];
        let most = |packing| LayoutRules {
            packing: Some(packing),
            ..PLAIN
        };
        assert_eq!(layout(most(1), &members), (9, 1, vec![0, 8]));
        assert_eq!(layout(most(4), &members), (12, 4, vec![0, 32]));
        assert_eq!(layout(most(16), &members), layout(PLAIN, &members));
        let packed = MemberLayout {
            packed: true,
            ..member(8)
        };
        assert_eq!(layout(PLAIN, &[member(1), packed]), (9, 1, vec![0, 8]));
        let crossing = MemberLayout {
            packed: true,
            ..bits(30)
        };
        assert_eq!(layout(PLAIN, &[member(1), crossing]), (5, 1, vec![0, 8]));
    }

    #[test]
    fn stated_alignments_move_members_and_pad_the_whole() {
        let whole = LayoutRules {
            aligned: 64,
            ..PLAIN
        };
        assert_eq!(layout(whole, &[member(8)]), (64, 64, vec![0]));
        let second = MemberLayout {
            aligned: 32,
            ..member(4)
        };
        assert_eq!(layout(PLAIN, &[member(1), second]), (64, 32, vec![0, 256]));
    }

    #[test]
    fn nothing_larger_than_four_gigabytes_is_laid_out() {
        let bytes = |n_bytes| MemberLayout {
            alignment: 1,
            ..member(n_bytes)
        };
        assert!(lay_out_members(PLAIN, &[bytes((1 << 32) - 1)]).is_some());
        assert!(lay_out_members(PLAIN, &[bytes((1 << 32) + 1)]).is_none());
        let halves = [bytes(1 << 31), bytes(1 << 31), bytes(1)];
        assert!(lay_out_members(PLAIN, &halves).is_none());
    }
}
