//! `--functions FILE`: the effects of functions without a definition, or in place of their definitions.
//!
//! ```toml
//! [functions]
//! "log_*" = "nothing"                                     # touches no array, yields nothing
//! norm = { touches = "nothing", result = "double" }
//! axpy = { body = "void axpy(int n, double *x) { for (int i = 0; i < n; i++) x[i] += 1; }" }
//! solve = { touches = "unknown", why = "what the solver does" }
//! ```

use crate::failure::Failure;
use crate::named_contents::NamedContents;
use premiss_analyze::{FunctionEffect, FunctionTable, ResultKind, check_definition};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    functions: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "it is \"nothing\", \"unknown\", or a table of touches, result, body, why"
)]
enum Entry {
    Short(Touches),
    Long(Long),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Long {
    touches: Option<Touches>,
    result: Option<ResultName>,
    /// The definition of a C function.
    body: Option<String>,
    #[serde(rename = "why")]
    reason: Option<String>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum Touches {
    Nothing,
    Unknown,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum ResultName {
    Void,
    Int,
    Long,
    Float,
    Double,
    Pointer,
}

/// The table of some files; of two entries for a name, the later one is used.
///
/// # Errors
///
/// A file cannot be read, or an entry is invalid.
pub(crate) fn table(paths: &[String], contents: &NamedContents) -> Result<FunctionTable, Failure> {
    let mut entries = Vec::new();
    for path in paths {
        let text = String::from_utf8(contents.read(path)?);
        let text = text.map_err(|_| Failure::File(format!("`{path}`: it is not UTF-8 text")))?;
        let refuse = |why: String| Failure::File(format!("`{path}`: {why}"));
        entries.extend(read(&text).map_err(refuse)?);
    }
    Ok(FunctionTable::new(entries))
}

fn read(text: &str) -> Result<Vec<(String, FunctionEffect)>, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    let entries = file.functions.into_iter();
    let read = |(name, entry): (String, Entry)| {
        let effect = effect(&name, entry).map_err(|why| format!("function `{name}`: {why}"))?;
        Ok((name, effect))
    };
    entries.map(read).collect()
}

fn effect(name: &str, entry: Entry) -> Result<FunctionEffect, String> {
    let entry = match entry {
        Entry::Long(entry) => entry,
        Entry::Short(touches) => Long {
            touches: Some(touches),
            result: None,
            body: None,
            reason: None,
        },
    };
    match (entry.touches, entry.body) {
        (None, Some(body)) if entry.result.is_none() && entry.reason.is_none() => {
            if name.ends_with('*') {
                return Err("a body is that of one function".to_owned());
            }
            check_definition(name, &body).map_err(|why| format!("its body: {why}"))?;
            Ok(FunctionEffect::Body(body))
        }
        (Some(Touches::Nothing), None) if entry.reason.is_none() => {
            let result = entry.result.unwrap_or(ResultName::Void);
            Ok(FunctionEffect::Nothing(result.kind()))
        }
        (Some(Touches::Unknown), None) if entry.result.is_none() => {
            let why = entry.reason.unwrap_or_else(|| format!("what `{name}` does to its arguments"));
            Ok(FunctionEffect::Unstated(why))
        }
        _ => Err(
            "it has a body, or touches = \"nothing\" with perhaps a result, or touches = \"unknown\" \
             with perhaps a why"
                .to_owned(),
        ),
    }
}

impl ResultName {
    fn kind(self) -> ResultKind {
        match self {
            Self::Void => ResultKind::Void,
            Self::Int => ResultKind::Int,
            Self::Long => ResultKind::Long,
            Self::Float => ResultKind::Float,
            Self::Double => ResultKind::Double,
            Self::Pointer => ResultKind::Pointer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read() {
        let text = r#"
            [functions]
            "log_*" = "nothing"
            norm = { touches = "nothing", result = "double" }
            solve = { touches = "unknown", why = "what the solver does" }
            axpy = { body = "void axpy(int n, double *x) { for (int i = 0; i < n; i++) x[i] += 1; }" }
        "#;
        let entries: BTreeMap<_, _> = read(text).expect("it is right").into_iter().collect();
        assert_eq!(entries["log_*"], FunctionEffect::Nothing(ResultKind::Void));
        assert_eq!(entries["norm"], FunctionEffect::Nothing(ResultKind::Double));
        let why = "what the solver does".to_owned();
        assert_eq!(entries["solve"], FunctionEffect::Unstated(why));
        assert!(matches!(entries["axpy"], FunctionEffect::Body(_)));
    }

    #[test]
    fn what_has_no_meaning_is_refused() {
        for entry in [
            "f = \"something\"",
            "f = {}",
            "f = { touches = \"nothing\", body = \"void f(void) {}\" }",
            "f = { result = \"double\" }",
            "f = { body = \"void g(void) {}\" }",
            "f = { body = \"void f(void) { x\" }",
            "\"f*\" = { body = \"void f(void) {}\" }",
            "f = { touches = \"unknown\", result = \"int\" }",
        ] {
            assert!(read(&format!("[functions]\n{entry}\n")).is_err(), "{entry}");
        }
        assert!(read("f = 1").is_err());
    }
}
