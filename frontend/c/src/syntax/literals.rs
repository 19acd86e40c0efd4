//! Values and types of number and character literals.

use super::ExpressionKind;
use premiss_tree::IntegerType;

/// `int`.
pub(crate) const INT: IntegerType = IntegerType {
    bits: 32,
    signed: true,
};

/// Reads a number; `None` where it is none or an integer does not fit 64 bits.
pub(super) fn number(text: &str) -> Option<ExpressionKind> {
    let lower = text.to_ascii_lowercase().replace('\'', "");
    let (digits, radix) = match lower.as_bytes() {
        [b'0', b'x', ..] => (&lower[2..], 16),
        [b'0', b'b', ..] => (&lower[2..], 2),
        [b'0', b'0'..=b'9', ..] => (&lower[1..], 8),
        _ => (lower.as_str(), 10),
    };
    let is_floating = if radix == 16 {
        digits.contains(['.', 'p'])
    } else {
        lower.contains(['.', 'e'])
    };
    if is_floating {
        return floating(&lower, radix == 16);
    }
    let end = digits
        .find(|c: char| !c.is_digit(radix))
        .unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    if digits.is_empty() && radix != 8 {
        return None;
    }
    let value = if digits.is_empty() {
        0
    } else {
        u64::from_str_radix(digits, radix).ok()?
    };
    let kind = integer_type(value, suffix, radix == 10)?;
    Some(ExpressionKind::Integer(value.cast_signed(), kind))
}

/// The first type of C's list for such a literal that holds the value.
fn integer_type(value: u64, suffix: &str, is_decimal: bool) -> Option<IntegerType> {
    let unsigned = suffix.contains('u');
    let longs = suffix.chars().filter(|c| *c == 'l').count();
    let rest = suffix.chars().filter(|c| !matches!(c, 'u' | 'l')).count();
    if rest != 0 || longs > 2 {
        return None;
    }
    let candidates = [(32, true), (32, false), (64, true), (64, false)];
    let fits = |bits: u8, signed: bool| {
        let most = u64::MAX >> (64 - u32::from(bits) + u32::from(signed));
        value <= most
    };
    let allowed = |bits: u8, signed: bool| {
        (longs == 0 || bits == 64) && (!unsigned || !signed) && (unsigned || signed || !is_decimal)
    };
    let found = candidates
        .into_iter()
        .find(|&(bits, signed)| allowed(bits, signed) && fits(bits, signed));
    let (bits, signed) = found.unwrap_or((64, false));
    Some(IntegerType { bits, signed })
}

fn floating(lower: &str, is_hexadecimal: bool) -> Option<ExpressionKind> {
    let number = lower.trim_end_matches(['f', 'l', 'i', 'j']);
    let suffix = &lower[number.len()..];
    let real_size = if suffix.contains('f') && !is_hexadecimal {
        4
    } else if suffix.contains('l') {
        16
    } else {
        8
    };
    let is_complex = suffix.contains(['i', 'j']);
    let size = if is_complex { 2 * real_size } else { real_size };
    if is_hexadecimal {
        return Some(ExpressionKind::Floating(f64::NAN, size));
    }
    let value = number.parse::<f64>().ok()?;
    Some(ExpressionKind::Floating(value, size))
}

/// The value of a character literal such as `'a'` or `'\n'`.
pub(super) fn character(text: &str) -> i64 {
    let mut characters = text.trim_start_matches(['L', 'u', 'U', '8']).chars();
    characters.next();
    match (characters.next(), characters.next()) {
        (Some('\\'), Some(escaped)) => escape(escaped, characters.as_str()),
        (Some(c), _) => i64::from(u32::from(c)),
        (None, _) => 0,
    }
}

fn escape(first: char, rest: &str) -> i64 {
    let digits = |text: &str, radix| {
        let end = text
            .find(|c: char| !c.is_digit(radix))
            .unwrap_or(text.len());
        i64::from_str_radix(&text[..end], radix).unwrap_or(0)
    };
    match first {
        'n' => 10,
        't' => 9,
        'r' => 13,
        'a' => 7,
        'b' => 8,
        'v' => 11,
        'f' => 12,
        'e' => 27,
        'x' => digits(rest, 16),
        '0'..='7' => digits(&format!("{first}{rest}"), 8),
        other => i64::from(u32::from(other)),
    }
}
