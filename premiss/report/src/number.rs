//! Numbers in JSON: value and kind, with bounds if they have any.

use premiss_histogram::Counted;
use premiss_misses::SignedCount;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// The greatest magnitude that every JSON reader keeps exact.
const GREATEST_EXACT: i128 = 1 << 53;

/// An integer, as a JSON number up to 2^53 and as a string of decimal digits beyond.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Integer(pub(crate) i128);

impl From<u64> for Integer {
    fn from(value: u64) -> Self {
        Self(i128::from(value))
    }
}

impl Serialize for Integer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match i64::try_from(self.0) {
            Ok(value) if self.0.abs() <= GREATEST_EXACT => serializer.serialize_i64(value),
            _ => serializer.collect_str(&self.0),
        }
    }
}

impl JsonSchema for Integer {
    fn schema_name() -> Cow<'static, str> {
        "Integer".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "An integer; above 2^53 its decimal digits.",
            "anyOf": [
                { "type": "integer" },
                { "type": "string", "pattern": "^-?[0-9]+$" },
            ],
        })
    }
}

/// A number and how it was obtained. An estimate from samples has bounds that hold it with a probability of 95 %.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Number {
    /// Null where it is not one number: bounded or unknown.
    value: Option<Integer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lower: Option<Integer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upper: Option<Integer>,
    #[schemars(extend("enum" = ["exact", "bounded", "estimate", "unknown"]))]
    kind: &'static str,
}

impl Number {
    fn of(value: Option<i128>, kind: &'static str) -> Self {
        Self {
            value: value.map(Integer),
            lower: None,
            upper: None,
            kind,
        }
    }

    fn bounded(lower: i128, upper: i128) -> Self {
        Self {
            value: None,
            lower: Some(Integer(lower)),
            upper: Some(Integer(upper)),
            kind: "bounded",
        }
    }

    /// The value; `lower..upper` if it is bounded, and empty if it is unknown.
    pub(crate) fn plain(&self) -> String {
        match (self.value, self.lower, self.upper) {
            (Some(value), _, _) => value.0.to_string(),
            (None, Some(lower), Some(upper)) => format!("{}..{}", lower.0, upper.0),
            _ => String::new(),
        }
    }

    pub(crate) fn kind(&self) -> &'static str {
        self.kind
    }

    /// Estimates are rounded to whole events: further digits would differ between computers.
    fn estimate(value: f64) -> Self {
        Self::of(format!("{value:.0}").parse().ok(), "estimate")
    }
}

impl From<Counted> for Number {
    fn from(count: Counted) -> Self {
        match count {
            Counted::Exact(value) => Self::of(Some(value.into()), "exact"),
            Counted::Bounded { lower, upper } => Self::bounded(lower.into(), upper.into()),
            Counted::Estimate(estimate) => Self {
                lower: estimate.interval().map(|(lower, _)| lower.into()),
                upper: estimate.interval().map(|(_, upper)| upper.into()),
                ..Self::estimate(estimate.value)
            },
            Counted::Unknown => Self::of(None, "unknown"),
        }
    }
}

/// Misses from a sample, in whole events, with the interval that holds them with a probability of 95 %.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EstimatedMisses {
    /// About how many.
    pub value: u64,
    /// The least.
    pub least: u64,
    /// The most.
    pub most: u64,
}

impl EstimatedMisses {
    /// A count, if it comes from a sample.
    #[must_use]
    pub fn of(count: Counted) -> Option<Self> {
        let Counted::Estimate(estimate) = count else {
            return None;
        };
        let (least, most) = estimate.interval()?;
        let value = format!("{:.0}", estimate.value.max(0.0)).parse().ok()?;
        Some(Self { value, least, most })
    }
}

impl From<EstimatedMisses> for Number {
    fn from(misses: EstimatedMisses) -> Self {
        Self {
            lower: Some(misses.least.into()),
            upper: Some(misses.most.into()),
            ..Self::of(Some(misses.value.into()), "estimate")
        }
    }
}

impl From<SignedCount> for Number {
    fn from(count: SignedCount) -> Self {
        match count {
            SignedCount::Exact(value) => Self::of(Some(value.into()), "exact"),
            SignedCount::Bounded { lower, upper } => Self::bounded(lower.into(), upper.into()),
            SignedCount::Estimate(value) => Self::estimate(value),
            SignedCount::Unknown => Self::of(None, "unknown"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(number: impl Into<Number>, json: &str) {
        assert_eq!(serde_json::to_string(&number.into()).unwrap(), json);
    }

    #[test]
    fn every_kind_says_what_it_is() {
        check(Counted::Exact(125), r#"{"value":125,"kind":"exact"}"#);
        check(
            Counted::between(10, 20),
            r#"{"value":null,"lower":10,"upper":20,"kind":"bounded"}"#,
        );
        check(Counted::estimate(12.7), r#"{"value":13,"kind":"estimate"}"#);
        check(Counted::Unknown, r#"{"value":null,"kind":"unknown"}"#);
        check(SignedCount::Exact(-4), r#"{"value":-4,"kind":"exact"}"#);
    }

    #[test]
    fn integers_above_2_to_the_53_are_strings() {
        let great = 1 << 53;
        check(
            Counted::Exact(great),
            r#"{"value":9007199254740992,"kind":"exact"}"#,
        );
        check(
            Counted::between(1, great + 1),
            r#"{"value":null,"lower":1,"upper":"9007199254740993","kind":"bounded"}"#,
        );
    }
}
