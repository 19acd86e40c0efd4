//! Parses relations between sizes: `1 <= k <= 2*n - 1`, `N in 512..4096`.

use std::collections::BTreeMap;

/// A linear form in sizes, by name, that is at least 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SizeRelation {
    pub(crate) sizes: BTreeMap<String, i64>,
    pub(crate) constant: i64,
    /// The relation as written.
    pub(crate) text: String,
}

/// Parses a chain of comparisons.
///
/// # Errors
/// If it is malformed: the reason, as a clause.
pub(crate) fn relations(text: &str) -> Result<Vec<SizeRelation>, String> {
    if let Some((name, range)) = text.split_once(" in ") {
        return within(name, range);
    }
    let (operands, operators) = split(text);
    if operators.is_empty() {
        return Err(format!(
            "`{text}` is neither `trips`, `probability` nor a comparison such as `n >= 8`"
        ));
    }
    let sums: Vec<SizeSum> = operands.iter().map(|x| sum(x)).collect::<Result<_, _>>()?;
    let mut found = Vec::new();
    for (idx, operator) in operators.iter().enumerate() {
        let text = format!(
            "{} {operator} {}",
            operands[idx].trim(),
            operands[idx + 1].trim()
        );
        let (left, right) = (&sums[idx], &sums[idx + 1]);
        let mut push = |greater: &SizeSum, less: &SizeSum, apart: i64| {
            let difference = greater.minus(less).and_then(|x| x.plus(-apart));
            let (sizes, constant) = match difference {
                Some(difference) => (difference.sizes, difference.constant),
                None => return Err(too_large(&text)),
            };
            if sizes.is_empty() {
                return Err(format!("`{text}` names no size"));
            }
            found.push(SizeRelation {
                sizes,
                constant,
                text: text.clone(),
            });
            Ok(())
        };
        match *operator {
            "<=" => push(right, left, 0)?,
            "<" => push(right, left, 1)?,
            ">=" => push(left, right, 0)?,
            ">" => push(left, right, 1)?,
            _ => {
                push(left, right, 0)?;
                push(right, left, 0)?;
            }
        }
    }
    Ok(found)
}

/// `N in 512..4096`, both ends inclusive.
fn within(name: &str, range: &str) -> Result<Vec<SizeRelation>, String> {
    let Some((from, to)) = range.split_once("..") else {
        return Err(format!(
            "`{}` is not a range such as `512..4096`",
            range.trim()
        ));
    };
    let to = to.trim_start_matches('=');
    relations(&format!(
        "{} <= {} <= {}",
        from.trim(),
        name.trim(),
        to.trim()
    ))
}

fn too_large(text: &str) -> String {
    format!("a number in `{text}` does not fit 64 bits")
}

/// The operands of comparisons, and the comparison operators.
fn split(text: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut operands, mut operators) = (Vec::new(), Vec::new());
    let (mut start, mut at) = (0, 0);
    while at < text.len() {
        let rest = &text[at..];
        let known = ["<=", ">=", "==", "<", ">", "="];
        // `->` is a member access.
        let is_arrow = rest.starts_with('>') && text[..at].ends_with('-');
        match known.into_iter().find(|x| rest.starts_with(x)) {
            Some(operator) if !is_arrow => {
                operands.push(&text[start..at]);
                operators.push(operator);
                at += operator.len();
                start = at;
            }
            _ => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    operands.push(&text[start..]);
    (operands, operators)
}

/// A linear form in sizes.
#[derive(Clone, Default)]
struct SizeSum {
    sizes: BTreeMap<String, i64>,
    constant: i64,
}

impl SizeSum {
    fn plus(mut self, constant: i64) -> Option<Self> {
        self.constant = self.constant.checked_add(constant)?;
        Some(self)
    }

    fn minus(&self, other: &Self) -> Option<Self> {
        let mut difference = self.clone();
        for (name, factor) in &other.sizes {
            difference.add(name, factor.checked_neg()?)?;
        }
        difference.plus(other.constant.checked_neg()?)
    }

    fn add(&mut self, name: &str, factor: i64) -> Option<()> {
        let known = self.sizes.entry(name.to_owned()).or_default();
        *known = known.checked_add(factor)?;
        self.sizes.retain(|_, factor| *factor != 0);
        Some(())
    }
}

/// `2*n - k + 1`
fn sum(text: &str) -> Result<SizeSum, String> {
    let mut found = SizeSum::default();
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err("a comparison lacks one of its sides".to_owned());
    }
    let mut sign = 1;
    if let Some(behind) = rest.strip_prefix('-') {
        (sign, rest) = (-1, behind.trim_start());
    }
    loop {
        let (product, behind) = term(rest).ok_or_else(|| no_sum(text))?;
        let added = match product {
            (Some(name), factor) => found.add(&name, sign * factor),
            (None, number) => {
                found = found.plus(sign * number).ok_or_else(|| too_large(text))?;
                Some(())
            }
        };
        added.ok_or_else(|| too_large(text))?;
        rest = behind.trim_start();
        sign = match rest.chars().next() {
            None => return Ok(found),
            Some('+') => 1,
            Some('-') => -1,
            Some(_) => return Err(no_sum(text)),
        };
        rest = rest[1..].trim_start();
    }
}

fn no_sum(text: &str) -> String {
    format!(
        "`{}` is not a sum of sizes and numbers such as `2*n - 1`",
        text.trim()
    )
}

/// A product of at most a number and a size, and the rest of the text.
type SizeTerm<'t> = ((Option<String>, i64), &'t str);

fn term(text: &str) -> Option<SizeTerm<'_>> {
    let (number, behind) = number(text);
    let Some(number) = number else {
        let (name, behind) = name(text)?;
        let Some(factor) = behind.trim_start().strip_prefix('*') else {
            return Some(((Some(name), 1), behind));
        };
        let (factor, behind) = self::number(factor.trim_start());
        return Some(((Some(name), factor?), behind));
    };
    match behind.trim_start().strip_prefix('*') {
        None => Some(((None, number), behind)),
        Some(factor) => {
            let (name, behind) = name(factor.trim_start())?;
            Some(((Some(name), number), behind))
        }
    }
}

fn number(text: &str) -> (Option<i64>, &str) {
    let end = text.find(|x: char| !x.is_ascii_digit());
    let (digits, behind) = text.split_at(end.unwrap_or(text.len()));
    (digits.parse().ok(), behind)
}

/// A size with its name as for `-P`: `n`, `self.n`, `a.len()`, `size(a,1)`.
fn name(text: &str) -> Option<(String, &str)> {
    let is_first = |x: char| x.is_alphabetic() || x == '_';
    text.chars().next().filter(|x| is_first(*x))?;
    let mut depth = 0_usize;
    let mut end = text.len();
    let mut characters = text.char_indices().peekable();
    while let Some((at, x)) = characters.next() {
        let next = characters.peek().map(|(_, x)| *x);
        match x {
            '(' | '[' => depth += 1,
            ')' | ']' if depth == 0 => return None,
            ')' | ']' => depth -= 1,
            _ if 0 < depth => {}
            '-' if next == Some('>') => {
                characters.next();
            }
            x if x.is_alphanumeric() || matches!(x, '_' | '.' | '%' | ':') => {}
            _ => {
                end = at;
                break;
            }
        }
    }
    let name = text[..end].chars().filter(|x| !x.is_whitespace()).collect();
    (depth == 0).then_some((name, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&[(&str, i64)], i64)]) {
        let found = relations(text).unwrap_or_else(|why| panic!("{text}: {why}"));
        let found: Vec<_> = found.into_iter().map(|x| (x.sizes, x.constant)).collect();
        let sizes = |x: &[(&str, i64)]| x.iter().map(|(n, f)| ((*n).to_owned(), *f)).collect();
        let expected: Vec<_> = expected.iter().map(|(x, c)| (sizes(x), *c)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn comparisons_are_sums_that_are_not_negative() {
        check("n >= 8", &[(&[("n", 1)], -8)]);
        check("n > 8", &[(&[("n", 1)], -9)]);
        check(
            "1 <= k <= n",
            &[(&[("k", 1)], -1), (&[("k", -1), ("n", 1)], 0)],
        );
        check("k < 2*n - 1", &[(&[("k", -1), ("n", 2)], -2)]);
        check(
            "n = m",
            &[(&[("m", -1), ("n", 1)], 0), (&[("m", 1), ("n", -1)], 0)],
        );
        check(
            "N in 512..4096",
            &[(&[("N", 1)], -512), (&[("N", -1)], 4096)],
        );
        check("-3 <= n * 2", &[(&[("n", 2)], 3)]);
        check(
            "a.len() >= size( a, 1 )",
            &[(&[("a.len()", 1), ("size(a,1)", -1)], 0)],
        );
        check("s->n > 0", &[(&[("s->n", 1)], -1)]);
    }

    #[test]
    fn what_is_none_is_refused() {
        for (text, why) in [
            ("n", "neither `trips`, `probability` nor a comparison"),
            ("n >=", "lacks one of its sides"),
            ("n >= n*n", "`n*n` is not a sum of sizes"),
            ("n >= 8 so there", "`8 so there` is not a sum"),
            ("1 <= 2", "names no size"),
            ("n - n >= 0", "names no size"),
            ("n >= 99999999999999999999", "is not a sum of sizes"),
            ("n in 5", "`5` is not a range"),
            ("n - 9223372036854775807 >= 9", "does not fit 64 bits"),
            ("n) >= 1", "is not a sum"),
            ("(n >= 1", "is not a sum"),
        ] {
            let found = relations(text).expect_err(text);
            assert!(found.contains(why), "{text}: {found}");
        }
    }
}
