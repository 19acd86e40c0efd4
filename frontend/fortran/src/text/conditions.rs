//! Conditions of `#if` and `#elif`: integer expressions with C's operators, after macro replacement.

/// Evaluates a condition.
///
/// # Errors
///
/// If the text is not a condition or is nested too deeply: the reason, as a clause.
pub(super) fn truth(text: &str) -> Result<bool, String> {
    let mut reader = ConditionReader::new(text);
    let value = reader.value(0)?;
    match reader.rest().is_empty() {
        true => Ok(value != 0),
        false => Err(format!("`{text}` is no condition")),
    }
}

/// The maximum nesting depth of a condition.
const MAX_NESTING: usize = 200;

/// Evaluates a condition.
struct ConditionReader<'t> {
    text: &'t str,
    depth: usize,
}

const OPERATORS: [(&str, u8); 13] = [
    ("||", 1),
    ("&&", 2),
    ("==", 3),
    ("!=", 3),
    ("<=", 4),
    (">=", 4),
    ("<", 4),
    (">", 4),
    ("+", 5),
    ("-", 5),
    ("*", 6),
    ("/", 6),
    ("%", 6),
];

impl<'t> ConditionReader<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, depth: 0 }
    }

    fn rest(&self) -> &str {
        let rest = self.text.trim();
        rest.split("/*").next().unwrap_or("").trim()
    }

    fn take(&mut self, mark: &str) -> bool {
        self.text = self.text.trim_start();
        match self.text.strip_prefix(mark) {
            Some(rest) => {
                self.text = rest;
                true
            }
            None => false,
        }
    }

    /// The value of operators with at least this precedence.
    fn value(&mut self, least: u8) -> Result<i64, String> {
        let mut left = self.operand()?;
        loop {
            self.text = self.text.trim_start();
            let operator = OPERATORS
                .iter()
                .find(|(mark, _)| self.text.starts_with(mark));
            let Some((mark, strength)) = operator.filter(|(_, strength)| least <= *strength) else {
                return Ok(left);
            };
            self.text = &self.text[mark.len()..];
            let right = self.value(strength + 1)?;
            left = apply(mark, left, right);
        }
    }

    fn operand(&mut self) -> Result<i64, String> {
        self.depth += 1;
        if MAX_NESTING < self.depth {
            return Err("this condition nests too deeply".to_owned());
        }
        let value = self.operand_here();
        self.depth -= 1;
        value
    }

    fn operand_here(&mut self) -> Result<i64, String> {
        if self.take("!") {
            return Ok(i64::from(self.operand()? == 0));
        }
        if self.take("-") {
            return Ok(self.operand()?.wrapping_neg());
        }
        if self.take("(") {
            let value = self.value(0)?;
            return match self.take(")") {
                true => Ok(value),
                false => Err("a parenthesis is not closed in this condition".to_owned()),
            };
        }
        let end = self
            .text
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(self.text.len());
        let (word, rest) = self.text.split_at(end);
        if word.is_empty() {
            return Err(format!("`{}` is no condition", self.text.trim()));
        }
        self.text = rest;
        // A name that is not a macro is 0.
        let digits = word.trim_end_matches(['l', 'L', 'u', 'U']);
        Ok(digits.parse().unwrap_or(0))
    }
}

fn apply(mark: &str, a: i64, b: i64) -> i64 {
    match mark {
        "||" => i64::from(a != 0 || b != 0),
        "&&" => i64::from(a != 0 && b != 0),
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "<=" => i64::from(a <= b),
        ">=" => i64::from(a >= b),
        "<" => i64::from(a < b),
        ">" => i64::from(a > b),
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" => a.checked_div(b).unwrap_or(0),
        _ => a.checked_rem(b).unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::truth;

    #[test]
    fn operators_bind_as_in_c() {
        for (text, expected) in [
            ("1 + 2 * 3 == 7", true),
            ("!(1 && 0) || 0", true),
            ("NAME", false),
            ("0x", false),
            ("8 / 0", false),
            ("201811L > 200", true),
        ] {
            assert_eq!(truth(text), Ok(expected), "{text}");
        }
        assert!(truth("1 +").is_err());
        assert!(truth("(1").is_err());
    }
}
