//! Values and types of number and character literals.

use super::ExpressionKind;
use premiss_ast::syntax::Real;
use premiss_tree::IntegerType;

/// `int`.
pub(crate) const INT: IntegerType = IntegerType {
    bits: 32,
    signed: true,
};

/// Parses a number; `None` if it is malformed or an integer that does not fit 64 bits.
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

/// The first type for such a literal that holds the value (C11 6.4.4.1).
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
        return Some(ExpressionKind::Floating(Real(f64::NAN), size));
    }
    let value = number.parse::<f64>().ok()?;
    Some(ExpressionKind::Floating(Real(value), size))
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

/// The number of characters of a string literal such as `"a
/// "`, without the terminating 0.
pub(super) fn text_length(text: &str) -> u32 {
    let is_wide = text.starts_with(['L', 'U']) || text.starts_with("u\"");
    let Some((_, quoted)) = text.split_once('"') else {
        return 0;
    };
    let mut rest = quoted.strip_suffix('"').unwrap_or(quoted).chars();
    let mut length = 0;
    while let Some(first) = rest.next() {
        let c = match first {
            '\\' => escaped(&mut rest),
            c => c,
        };
        length += match is_wide {
            true => 1,
            false => c.len_utf8(),
        };
    }
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Consumes what follows a backslash; returns a character with the same length as the denoted one.
fn escaped(rest: &mut std::str::Chars) -> char {
    let named = |code| {
        let code = u32::try_from(code).ok();
        code.and_then(char::from_u32).unwrap_or('\0')
    };
    let byte = match rest.as_str().chars().next() {
        Some('0'..='7') => digits(rest, 8, 3),
        first => {
            rest.next();
            match first {
                Some('x') => digits(rest, 16, usize::MAX),
                Some('u') => return named(digits(rest, 16, 4)),
                Some('U') => return named(digits(rest, 16, 8)),
                _ => 0,
            }
        }
    };
    // A single byte, whatever its value.
    named(byte & 0x7f)
}

/// Consumes at most `most` digits.
fn digits(rest: &mut std::str::Chars, radix: u32, most: usize) -> i64 {
    let text = rest.as_str();
    let n_digits = text
        .bytes()
        .take(most)
        .take_while(|c| char::from(*c).is_digit(radix));
    let (digits, after) = text.split_at(n_digits.count());
    *rest = after.chars();
    i64::from_str_radix(digits, radix).unwrap_or(0)
}

fn escape(first: char, rest: &str) -> i64 {
    let digits = |text: &str, radix| digits(&mut text.chars(), radix, usize::MAX);
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

#[cfg(test)]
mod tests {
    use super::text_length;

    #[test]
    fn escapes_are_single_characters() {
        assert_eq!(text_length("\"\""), 0);
        assert_eq!(text_length("\"abc\""), 3);
        assert_eq!(text_length(r#""a\n\\\"\0""#), 5);
        assert_eq!(text_length(r#""\x41\1234\u00e9""#), 5);
        assert_eq!(text_length(r#"L"a\n""#), 2);
        assert_eq!(text_length("u8\"\u{e9}\""), 2);
        assert_eq!(text_length("L\"\u{e9}\""), 1);
    }
}
