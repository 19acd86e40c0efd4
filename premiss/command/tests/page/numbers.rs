//! Numbers of a page and of its document.

use serde_json::Value;

/// What a number of the document is in the `value` of an element.
pub(crate) fn number_text(number: &Value) -> String {
    let plain = |x: &Value| x.as_str().map_or_else(|| x.to_string(), str::to_owned);
    match (number.get("lower"), number.get("value")) {
        (Some(lower), _) => format!("{}..{}", plain(lower), plain(&number["upper"])),
        (None, Some(Value::Null)) => String::new(),
        (None, Some(value)) => plain(value),
        (None, None) => plain(number),
    }
}
