//! Methods of numbers.

use super::methods::Method;
use super::{Body, build};
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::{At, Binary, Expression, TypeName, Unary};
use premiss_tree::{IntegerType, RejectReason};

/// The type of what a comparison yields.
pub(super) const ORDERING: &str = "Ordering";

/// Methods of floating numbers that yield a truth value or an integer.
const TESTS: [&str; 9] = [
    "is_finite",
    "is_infinite",
    "is_sign_negative",
    "is_sign_positive",
    "is_normal",
    "eq",
    "lt",
    "gt",
    "le",
];

impl<'a> Body<'a, '_> {
    pub(super) fn number_method(
        &mut self,
        receiver: Value<'a>,
        method: &Method<'a, '_>,
    ) -> Value<'a> {
        let expected = receiver.kind();
        let list = method
            .arguments
            .iter()
            .map(|x| (*x, Some(expected.clone())))
            .collect();
        let (receiver, values) = self.in_order(receiver, |body| body.operands(list));
        self.number_with(receiver, method.name, values, method.at)
    }

    /// A method of a number with the values that it takes.
    pub(super) fn number_with(
        &mut self,
        receiver: Value<'a>,
        name: &str,
        values: Vec<Value<'a>>,
        at: At,
    ) -> Value<'a> {
        let kind = self.solved(&receiver.kind());
        match kind {
            Ty::Int(_) | Ty::Char => self.integer_method(receiver, &kind, name, values, at),
            kind => self.float_method(receiver, kind, name, values, at),
        }
    }

    /// Methods of floating numbers read what they take and yield data; constants are kept.
    fn float_method(
        &mut self,
        receiver: Value<'a>,
        kind: Ty,
        name: &str,
        values: Vec<Value<'a>>,
        at: At,
    ) -> Value<'a> {
        let mut operands = Vec::new();
        for value in [receiver].into_iter().chain(values) {
            match self.peeled(value, at) {
                Value::Plain(expression, found) => operands.push(self.loaded(expression, &found)),
                other => {
                    self.evaluate(other);
                }
            }
        }
        let size = if kind == Ty::Float(4) { "f" } else { "" };
        if name == "is_nan"
            && let Some(number) = operands.pop()
        {
            return Value::Plain(build::is_nan(at, number), Ty::Bool);
        }
        if TESTS.contains(&name) || kind == Ty::Bool {
            self.read_all(operands);
            return Value::Plain(
                self.data(at),
                if TESTS.contains(&name) {
                    Ty::Bool
                } else {
                    kind
                },
            );
        }
        if name == "sin_cos" {
            self.read_all(operands);
            let one = self.data_of(&kind, at);
            return Value::Tuple(vec![one.clone(), one]);
        }
        if matches!(name, "clone" | "to_owned" | "into") && operands.len() == 1 {
            let first = operands.pop().unwrap_or_else(|| self.data(at));
            return Value::Plain(first, kind);
        }
        let function = match name {
            "abs" => "fabs",
            "sqrt" => "sqrt",
            "floor" => "floor",
            "ceil" => "ceil",
            "trunc" => "trunc",
            "round" => "round",
            "min" => "fmin",
            "max" => "fmax",
            name => library_name(name),
        };
        let call = build::call(at, &format!("{function}{size}"), operands);
        match name {
            "to_bits" | "to_int_unchecked" | "partial_cmp" | "total_cmp" | "cmp" | "then" => {
                self.emit(build::evaluated(call));
                let order = Value::Unknown(Ty::Unknown(ORDERING.into()));
                match name {
                    "to_bits" => self.data_of(&Ty::primitive("u64").unwrap_or(kind), at),
                    "partial_cmp" => Value::Maybe(self.data(at), Box::new(order)),
                    _ => order,
                }
            }
            _ => Value::Plain(call, kind),
        }
    }

    fn read_all(&mut self, operands: Vec<Expression>) {
        for operand in operands {
            if !build::is_pure(&operand) {
                self.emit(build::evaluated(operand));
            }
        }
    }

    fn integer_method(
        &mut self,
        receiver: Value<'a>,
        kind: &Ty,
        name: &str,
        values: Vec<Value<'a>>,
        at: At,
    ) -> Value<'a> {
        let receiver = self.integer_of(receiver, at);
        let mut operands = Vec::new();
        for value in values {
            operands.push(self.integer_of(value, at));
        }
        let mut rest = operands.into_iter();
        let found = match (rest.next(), rest.next()) {
            (None, _) => self.integer_alone(receiver, kind, name, at),
            (Some(other), None) => self.integer_with(receiver, other, kind, name, at),
            (Some(low), Some(high)) if name == "clamp" => {
                let receiver = self.stable(receiver, "clamped");
                let low = self.stable(low, "low");
                let high = self.stable(high, "high");
                let inner = build::greatest(at, receiver, low);
                let inner = self.stable(inner, "clamped");
                Some(Value::Plain(build::least(at, inner, high), kind.clone()))
            }
            _ => None,
        };
        found.unwrap_or_else(|| match self.data_of(kind, at) {
            _ if name == "cmp" => Value::Unknown(Ty::Unknown(ORDERING.into())),
            _ if name == "partial_cmp" => {
                let order = Value::Unknown(Ty::Unknown(ORDERING.into()));
                Value::Maybe(self.data(at), Box::new(order))
            }
            value if name.starts_with("checked_") => Value::Maybe(self.data(at), Box::new(value)),
            value if name.starts_with("overflowing_") => {
                let is_over = Value::Plain(self.data(at), Ty::Bool);
                Value::Tuple(vec![value, is_over])
            }
            _ if name.starts_with("is_") || name == "eq" => Value::Plain(self.data(at), Ty::Bool),
            value if is_known(name) => value,
            _ => {
                let callee = name.to_owned();
                self.reject(RejectReason::UnknownCall { callee }, at)
            }
        })
    }

    fn integer_alone(&mut self, x: Expression, kind: &Ty, name: &str, at: At) -> Option<Value<'a>> {
        let zero = || build::integer(at, 0);
        let value = match name {
            "clone" | "to_owned" | "into" | "get" | "to_usize" | "as_usize" | "cast_signed"
            | "cast_unsigned" | "index" => x,
            "unwrap" => x,
            "abs" | "unsigned_abs" => {
                let x = self.stable(x, "operand");
                let negated = build::unary(at, Unary::Negate, x.clone());
                let is_negative = build::binary(at, Binary::Less, x.clone(), zero());
                build::conditional(at, [is_negative, negated, x])
            }
            "wrapping_neg" => self.wrapped(build::unary(at, Unary::Negate, x), kind),
            "is_power_of_two" | "is_positive" | "is_negative" => {
                let truth = match name {
                    "is_positive" => build::binary(at, Binary::Greater, x, zero()),
                    "is_negative" => build::binary(at, Binary::Less, x, zero()),
                    _ => self.data(at),
                };
                return Some(Value::Plain(truth, Ty::Bool));
            }
            _ => return None,
        };
        Some(Value::Plain(value, kind.clone()))
    }

    fn integer_with(
        &mut self,
        a: Expression,
        b: Expression,
        kind: &Ty,
        name: &str,
        at: At,
    ) -> Option<Value<'a>> {
        let operation = |operator, a, b| build::binary(at, operator, a, b);
        let plain = |value| Some(Value::Plain(value, kind.clone()));
        let is_unsigned = matches!(kind, Ty::Int(kind) if !kind.signed);
        let operator = match name
            .trim_start_matches("wrapping_")
            .trim_start_matches("unchecked_")
        {
            "add" | "strict_add" => Some(Binary::Add),
            "sub" => Some(Binary::Subtract),
            "mul" => Some(Binary::Multiply),
            "div" => Some(Binary::Divide),
            "rem" => Some(Binary::Remainder),
            _ => None,
        };
        if let Some(operator) = operator {
            let value = operation(operator, a, b);
            return plain(match name.starts_with("wrapping_") {
                true => self.wrapped(value, kind),
                false => value,
            });
        }
        match name {
            "min" | "max" | "abs_diff" | "saturating_sub" | "div_ceil" | "next_multiple_of" => {
                let (a, b) = (self.stable(a, "operand"), self.stable(b, "operand"));
                plain(match name {
                    "min" => build::least(at, a, b),
                    "max" => build::greatest(at, a, b),
                    "abs_diff" => {
                        let test = operation(Binary::Less, a.clone(), b.clone());
                        let up = operation(Binary::Subtract, b.clone(), a.clone());
                        let down = operation(Binary::Subtract, a, b);
                        build::conditional(at, [test, up, down])
                    }
                    "saturating_sub" if is_unsigned => {
                        let difference = operation(Binary::Subtract, a, b);
                        let difference = self.stable(difference, "difference");
                        build::greatest(at, difference, build::integer(at, 0))
                    }
                    "saturating_sub" => {
                        let difference = operation(Binary::Subtract, a, b);
                        self.saturated(difference, kind)
                    }
                    "div_ceil" => super::chains::rounded_up(at, a, b),
                    _ => {
                        let n_steps = super::chains::rounded_up(at, a, b.clone());
                        operation(Binary::Multiply, n_steps, b)
                    }
                })
            }
            "saturating_add" | "saturating_mul" => {
                let operator = match name {
                    "saturating_add" => Binary::Add,
                    _ => Binary::Multiply,
                };
                let value = operation(operator, a, b);
                plain(self.saturated(value, kind))
            }
            "div_euclid" if is_unsigned => plain(operation(Binary::Divide, a, b)),
            "rem_euclid" if is_unsigned => plain(operation(Binary::Remainder, a, b)),
            "rem_euclid" => {
                // (a % |b| + |b|) % |b|
                let b = match build::as_integer(&b) {
                    Some(1..) => b,
                    _ => {
                        let b = self.stable(b, "operand");
                        let minus = operation(Binary::Subtract, build::integer(at, 0), b.clone());
                        let size = operation(Binary::Maximum, b, minus);
                        self.stable(size, "size")
                    }
                };
                let rest = operation(Binary::Remainder, a, b.clone());
                let above = operation(Binary::Add, rest, b.clone());
                plain(operation(Binary::Remainder, above, b))
            }
            "checked_sub" if is_unsigned => {
                let (a, b) = (self.stable(a, "operand"), self.stable(b, "operand"));
                let is_some = operation(Binary::GreaterEqual, a.clone(), b.clone());
                let value = plain(operation(Binary::Subtract, a, b))?;
                Some(Value::Maybe(is_some, Box::new(value)))
            }
            "checked_div" | "checked_rem" if is_unsigned => {
                let b = self.stable(b, "operand");
                let operator = match name {
                    "checked_div" => Binary::Divide,
                    _ => Binary::Remainder,
                };
                let is_some = operation(Binary::NotEqual, b.clone(), build::integer(at, 0));
                let value = plain(operation(operator, a, b))?;
                Some(Value::Maybe(is_some, Box::new(value)))
            }
            "checked_add" | "checked_mul" | "checked_sub" => {
                let operator = match name {
                    "checked_add" => Binary::Add,
                    "checked_mul" => Binary::Multiply,
                    _ => Binary::Subtract,
                };
                let value = self.stable(operation(operator, a, b), "value");
                let is_some = match bounds(kind) {
                    Some((least, greatest)) => {
                        let (least, greatest) =
                            (build::integer(at, least), build::integer(at, greatest));
                        let above = operation(Binary::GreaterEqual, value.clone(), least);
                        let below = operation(Binary::LessEqual, value.clone(), greatest);
                        build::and(at, above, below)
                    }
                    // Where 64 bits end is beyond what is computed with.
                    None => self.data(at),
                };
                Some(Value::Maybe(is_some, Box::new(plain(value)?)))
            }
            "pow" => match build::as_integer(&b) {
                Some(exponent @ 0..=8) => {
                    let a = self.stable(a, "operand");
                    let mut product = build::integer(at, 1);
                    for _ in 0..exponent {
                        product = operation(Binary::Multiply, product, a.clone());
                    }
                    plain(product)
                }
                _ if build::as_integer(&a) == Some(2) => {
                    plain(operation(Binary::ShiftLeft, build::integer(at, 1), b))
                }
                _ => None,
            },
            "is_multiple_of" => {
                let rest = operation(Binary::Remainder, a, b);
                let truth = operation(Binary::Equal, rest, build::integer(at, 0));
                Some(Value::Plain(truth, Ty::Bool))
            }
            _ => None,
        }
    }

    /// A result as the nearest number of its type. Where 64 bits end, computing ends as well.
    fn saturated(&mut self, value: Expression, kind: &Ty) -> Expression {
        let at = value.at;
        match bounds(kind) {
            Some((least, greatest)) => {
                let value = self.stable(value, "value");
                let value = build::greatest(at, value, build::integer(at, least));
                let value = self.stable(value, "value");
                build::least(at, value, build::integer(at, greatest))
            }
            None if matches!(kind, Ty::Int(kind) if kind.bits == 64 && !kind.signed) => value,
            None => self.data(at),
        }
    }

    /// A result in the range of its type.
    fn wrapped(&mut self, value: Expression, kind: &Ty) -> Expression {
        match kind {
            Ty::Int(kind) if (1..64).contains(&kind.bits) => {
                let narrow = build::cast(value.at, TypeName::Integer(*kind), value);
                build::cast(narrow.at, build::wide(), narrow)
            }
            Ty::Int(IntegerType {
                bits: 64,
                signed: false,
            }) => super::casts::natural(value.at, value),
            _ => value,
        }
    }
}

/// The function of C that a method of floating numbers is; `nan`, which computes nothing and yields data
/// of what it is given, where there is none.
fn library_name(name: &str) -> &str {
    match name {
        "powf" => "pow",
        "powi" => "powi",
        "mul_add" => "fma",
        "ln" => "log",
        "ln_1p" => "log1p",
        "exp_m1" => "expm1",
        "exp" | "exp2" | "log2" | "log10" | "cbrt" | "hypot" | "copysign" | "sin" | "cos"
        | "tan" | "asin" | "acos" | "atan" | "atan2" | "sinh" | "cosh" | "tanh" | "asinh"
        | "acosh" | "atanh" => name,
        _ => "nan",
    }
}

/// The least and the greatest number of a type of less than 64 bits.
fn bounds(kind: &Ty) -> Option<(i64, i64)> {
    match kind {
        Ty::Int(IntegerType { bits, signed }) if (1..64).contains(bits) => Some(match signed {
            true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            false => (0, (1 << bits) - 1),
        }),
        _ => None,
    }
}

/// Whether a method of integers touches nothing: what it yields is data.
fn is_known(name: &str) -> bool {
    const KNOWN: [&str; 28] = [
        "pow",
        "count_ones",
        "count_zeros",
        "leading_zeros",
        "trailing_zeros",
        "ilog2",
        "ilog10",
        "ilog",
        "isqrt",
        "swap_bytes",
        "reverse_bits",
        "rotate_left",
        "rotate_right",
        "signum",
        "div_euclid",
        "rem_euclid",
        "next_power_of_two",
        "wrapping_shl",
        "wrapping_shr",
        "to_le_bytes",
        "to_be_bytes",
        "is_ascii_digit",
        "is_ascii_alphabetic",
        "to_ascii_lowercase",
        "is_alphanumeric",
        "cmp",
        "partial_cmp",
        "to_string",
    ];
    KNOWN.contains(&name) || name.starts_with("to_")
}
