//! The value of an `#if` expression (C11 6.10.1): 64-bit integers, signed or unsigned.

use premiss_source::Span;

use super::token::{Kind, Name, Names, Token};

/// A value of type `intmax_t` or `uintmax_t`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Value {
    bits: u64,
    unsigned: bool,
}

/// Why an expression has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct NoValue {
    /// `None` if the expression ends too early.
    pub(super) span: Option<Span>,
    pub(super) problem: String,
}

/// The maximum nesting depth of operators.
const DEPTH: usize = 200;

/// Whether the expression is not 0; `tokens` must be fully expanded, remaining identifiers are 0.
pub(super) fn is_true(tokens: &[Token], names: &Names) -> Result<bool, NoValue> {
    let mut parser = ConditionParser {
        tokens,
        names,
        pos: 0,
        depth: 0,
        n_dead: 0,
    };
    if tokens.is_empty() {
        return parser.fail("the expression is missing");
    }
    let value = parser.conditional()?;
    if parser.pos < tokens.len() {
        return parser.fail("an operator is missing");
    }
    Ok(value.bits != 0)
}

struct ConditionParser<'a> {
    tokens: &'a [Token],
    names: &'a Names,
    pos: usize,
    depth: usize,
    /// The number of enclosing operators that do not evaluate this place.
    n_dead: usize,
}

impl Value {
    const FALSE: Self = Self::signed(0);
    const TRUE: Self = Self::signed(1);

    const fn signed(value: i64) -> Self {
        Self {
            bits: value.cast_unsigned(),
            unsigned: false,
        }
    }

    const fn truth(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }
}

impl ConditionParser<'_> {
    fn fail<T>(&self, problem: impl Into<String>) -> Result<T, NoValue> {
        let token = self.tokens.get(self.pos).or(self.tokens.last());
        Err(NoValue {
            span: token.map(|token| token.span),
            problem: problem.into(),
        })
    }

    fn accept(&mut self, punctuator: Name) -> bool {
        let found = self
            .tokens
            .get(self.pos)
            .is_some_and(|token| token.is(punctuator));
        self.pos += usize::from(found);
        found
    }

    fn expect(&mut self, punctuator: Name) -> Result<(), NoValue> {
        if self.accept(punctuator) {
            return Ok(());
        }
        self.fail(format!("`{}` is missing", self.names.spelling(punctuator)))
    }

    /// `condition ? yes : no`; the arm that is not taken is parsed but not evaluated.
    fn conditional(&mut self) -> Result<Value, NoValue> {
        self.depth += 1;
        if self.depth > DEPTH {
            return self.fail(format!(
                "it has more than {DEPTH} operators within each other"
            ));
        }
        let condition = self.binary(1)?;
        let mut value = condition;
        if self.accept(Name::QUESTION) {
            let taken = condition.bits != 0;
            let yes = self.dead_if(!taken, Self::conditional)?;
            self.expect(Name::COLON)?;
            let no = self.dead_if(taken, Self::conditional)?;
            value = if taken { yes } else { no };
            value.unsigned = yes.unsigned || no.unsigned;
        }
        self.depth -= 1;
        Ok(value)
    }

    fn dead_if(
        &mut self,
        dead: bool,
        parse: impl FnOnce(&mut Self) -> Result<Value, NoValue>,
    ) -> Result<Value, NoValue> {
        self.n_dead += usize::from(dead);
        let value = parse(self)?;
        self.n_dead -= usize::from(dead);
        Ok(value)
    }

    /// Binary operators of at least this precedence.
    fn binary(&mut self, lowest: u8) -> Result<Value, NoValue> {
        let mut left = self.unary()?;
        while let Some(&operator) = self.tokens.get(self.pos) {
            let Some(precedence) = precedence(&operator).filter(|found| lowest <= *found) else {
                break;
            };
            self.pos += 1;
            let dead = match operator.name {
                Name::AND_AND => left.bits == 0,
                Name::OR_OR => left.bits != 0,
                _ => false,
            };
            let right = self.dead_if(dead, |parser| parser.binary(precedence + 1))?;
            left = self.apply(operator, left, right)?;
        }
        Ok(left)
    }

    fn apply(&self, operator: Token, left: Value, right: Value) -> Result<Value, NoValue> {
        let unsigned = left.unsigned || right.unsigned;
        let (a, b) = (left.bits, right.bits);
        let (x, y) = (a.cast_signed(), b.cast_signed());
        let less = if unsigned { a < b } else { x < y };
        let by_zero = b == 0 && matches!(operator.name, Name::SLASH | Name::PERCENT);
        if by_zero && self.n_dead == 0 {
            let problem = "division by zero".to_owned();
            return Err(NoValue {
                span: Some(operator.span),
                problem,
            });
        }
        let bits = match operator.name {
            Name::OR_OR => return Ok(Value::truth(a != 0 || b != 0)),
            Name::AND_AND => return Ok(Value::truth(a != 0 && b != 0)),
            Name::EQUAL => return Ok(Value::truth(a == b)),
            Name::NOT_EQUAL => return Ok(Value::truth(a != b)),
            Name::LESS => return Ok(Value::truth(less)),
            Name::GREATER_EQUAL => return Ok(Value::truth(!less)),
            Name::GREATER => return Ok(Value::truth(!less && a != b)),
            Name::LESS_EQUAL => return Ok(Value::truth(less || a == b)),
            Name::SHIFT_LEFT | Name::SHIFT_RIGHT => return Ok(shift(operator.name, left, right)),
            Name::PIPE => a | b,
            Name::CARET => a ^ b,
            Name::AMPERSAND => a & b,
            Name::PLUS => a.wrapping_add(b),
            Name::MINUS => a.wrapping_sub(b),
            Name::STAR => a.wrapping_mul(b),
            _ if by_zero => 0,
            Name::SLASH if unsigned => a / b,
            Name::SLASH => x.wrapping_div(y).cast_unsigned(),
            _ if unsigned => a % b,
            _ => x.wrapping_rem(y).cast_unsigned(),
        };
        Ok(Value { bits, unsigned })
    }

    fn unary(&mut self) -> Result<Value, NoValue> {
        let from = self.pos;
        while self.tokens.get(self.pos).is_some_and(is_unary) {
            self.pos += 1;
        }
        let operators = from..self.pos;
        let mut value = self.primary()?;
        for operator in self.tokens[operators].iter().rev() {
            match operator.name {
                Name::NOT => value = Value::truth(value.bits == 0),
                Name::TILDE => value.bits = !value.bits,
                Name::MINUS => value.bits = value.bits.wrapping_neg(),
                _ => {}
            }
        }
        Ok(value)
    }

    fn primary(&mut self) -> Result<Value, NoValue> {
        let Some(&token) = self.tokens.get(self.pos) else {
            return self.fail("an operand is missing");
        };
        if self.accept(Name::LEFT_PARENTHESIS) {
            let value = self.conditional()?;
            self.expect(Name::RIGHT_PARENTHESIS)?;
            return Ok(value);
        }
        let spelling = self.names.spelling(token.name);
        let value = match token.kind {
            Kind::Identifier => Some(Value::truth(spelling == "true")),
            Kind::Number => integer(spelling),
            Kind::Character => character(spelling),
            _ => None,
        };
        let Some(value) = value else {
            return self.fail(format!("`{spelling}` is not an integer constant"));
        };
        self.pos += 1;
        Ok(value)
    }
}

fn is_unary(token: &Token) -> bool {
    let unary = matches!(
        token.name,
        Name::NOT | Name::TILDE | Name::MINUS | Name::PLUS
    );
    unary && token.kind == Kind::Punctuator
}

fn precedence(operator: &Token) -> Option<u8> {
    if operator.kind != Kind::Punctuator {
        return None;
    }
    Some(match operator.name {
        Name::OR_OR => 1,
        Name::AND_AND => 2,
        Name::PIPE => 3,
        Name::CARET => 4,
        Name::AMPERSAND => 5,
        Name::EQUAL | Name::NOT_EQUAL => 6,
        Name::LESS | Name::GREATER | Name::LESS_EQUAL | Name::GREATER_EQUAL => 7,
        Name::SHIFT_LEFT | Name::SHIFT_RIGHT => 8,
        Name::PLUS | Name::MINUS => 9,
        Name::STAR | Name::SLASH | Name::PERCENT => 10,
        _ => return None,
    })
}

/// A shift by a negative number goes in the other direction; a shift by the width or more yields 0 or the sign.
fn shift(operator: Name, left: Value, right: Value) -> Value {
    let negative = !right.unsigned && right.bits.cast_signed() < 0;
    let to_left = (operator == Name::SHIFT_LEFT) != negative;
    let distance = if negative {
        right.bits.wrapping_neg()
    } else {
        right.bits
    };
    let distance = u32::try_from(distance).unwrap_or(u32::MAX);
    let bits = if to_left {
        left.bits.checked_shl(distance).unwrap_or(0)
    } else if left.unsigned {
        left.bits.checked_shr(distance).unwrap_or(0)
    } else {
        (left.bits.cast_signed() >> distance.min(63)).cast_unsigned()
    };
    Value { bits, ..left }
}

/// The value of an integer constant with its suffix; `None` if it is malformed.
fn integer(spelling: &str) -> Option<Value> {
    let lower = spelling.to_ascii_lowercase();
    let (radix, rest) = if let Some(rest) = lower.strip_prefix("0x") {
        (16, rest)
    } else if let Some(rest) = lower.strip_prefix("0b") {
        (2, rest)
    } else if lower.starts_with('0') {
        (8, lower.as_str())
    } else {
        (10, lower.as_str())
    };
    let length = rest
        .find(|digit: char| !digit.is_digit(radix))
        .unwrap_or(rest.len());
    let (digits, suffix) = rest.split_at(length);
    let unsigned_suffix = match suffix {
        "" | "l" | "ll" | "z" => false,
        "u" | "ul" | "lu" | "ull" | "llu" | "uz" | "zu" => true,
        _ => return None,
    };
    let bits = u64::from_str_radix(digits, radix).ok()?;
    let unsigned = unsigned_suffix || bits > i64::MAX.cast_unsigned();
    Some(Value { bits, unsigned })
}

/// Whether a spelling is an integer constant.
pub(super) fn is_integer(spelling: &str) -> bool {
    integer(spelling).is_some()
}

/// The value of a character constant; several characters are shifted together as in GCC.
fn character(spelling: &str) -> Option<Value> {
    let (prefix, rest) = spelling.split_once('\'')?;
    let inner = rest.strip_suffix('\'')?;
    let mut rest = inner.chars().peekable();
    let mut value: i64 = 0;
    let mut n_characters = 0;
    while let Some(first) = rest.next() {
        let code = if first == '\\' {
            escape(&mut rest)?
        } else {
            u32::from(first)
        };
        let code = i64::from(code);
        n_characters += 1;
        value = (value << 8 | code) & 0xFFFF_FFFF;
    }
    if n_characters == 1 && prefix.is_empty() && (0x80..0x100).contains(&value) {
        value -= 0x100; // plain `char` is signed
    }
    (n_characters > 0).then_some(Value::signed(value))
}

fn escape(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<u32> {
    let first = rest.next()?;
    let simple = match first {
        'n' => 10,
        't' => 9,
        'r' => 13,
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'e' => 27,
        'x' => return Some(digits(0, 16, 16, rest)),
        'u' => return Some(digits(0, 16, 4, rest)),
        'U' => return Some(digits(0, 16, 8, rest)),
        '0'..='7' => return Some(digits(first.to_digit(8)?, 8, 2, rest)),
        other => u32::from(other),
    };
    Some(simple)
}

fn digits(
    start: u32,
    radix: u32,
    most: usize,
    rest: &mut std::iter::Peekable<std::str::Chars<'_>>,
) -> u32 {
    let mut value = start;
    for _ in 0..most {
        let Some(digit) = rest.peek().and_then(|next| next.to_digit(radix)) else {
            break;
        };
        rest.next();
        value = value.wrapping_mul(radix).wrapping_add(digit);
    }
    value
}
