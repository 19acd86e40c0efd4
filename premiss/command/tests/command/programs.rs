//! Programs as people write them: which of their functions have a closed form, for which sizes, and why others have none.
//!
//! `PREMISS_BLESS=1` writes what is said now to `testdata/programs/closed_forms.txt`.

use crate::{premiss, root};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;

#[test]
fn functions_of_programs_have_closed_forms_as_listed() {
    let folder = root().join("testdata/programs");
    let entries = fs::read_dir(&folder).expect("the folder of programs");
    let names = entries.map(|entry| entry.expect("a file").file_name());
    let mut names: Vec<String> = names
        .map(|x| x.into_string().expect("a plain name"))
        .collect();
    names.retain(|name| !name.ends_with(".txt") && !name.ends_with(".md"));
    names.sort_unstable();
    let listed: String = names.iter().map(|name| closed_forms(name)).collect();
    let list = folder.join("closed_forms.txt");
    if std::env::var_os("PREMISS_BLESS").is_some() {
        fs::write(&list, &listed).expect("the list can be written");
    }
    assert_eq!(fs::read_to_string(&list).expect("the list"), listed);
}

/// A line for each function of a program.
fn closed_forms(name: &str) -> String {
    let path = format!("testdata/programs/{name}");
    let run = premiss(&["formula", &path, "--format", "json"]);
    let found: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let functions = found["functions"].as_array().expect("functions");
    let mut lines = String::new();
    for function in functions {
        let function_name = function["name"].as_str().unwrap_or("?");
        let closed = if has_bounds(function) {
            "bounds"
        } else {
            "closed"
        };
        let what = match (function["reason"].as_str(), function["valid"].as_str()) {
            (Some(reason), _) => format!("none: {reason}"),
            (None, Some(valid)) => format!("{closed} for {valid}"),
            (None, None) => closed.to_owned(),
        };
        let start = format!("`{function_name}` has its formulas for ");
        let stderr = run.stderr.replace("\n  │ ", " ");
        let fixed = stderr
            .split(&start)
            .nth(1)
            .and_then(|rest| rest.split(':').next());
        let fixed = fixed.map_or(String::new(), |of| format!(", {of}"));
        writeln!(lines, "{name} {function_name}: {what}{fixed}").expect("text");
    }
    lines
}

/// Whether some number of a function has but bounds.
fn has_bounds(function: &Value) -> bool {
    let levels = function["levels"].as_array().into_iter().flatten();
    let mut numbers = levels
        .map(|level| &level["misses"])
        .chain([&function["accesses"], &function["cold"]]);
    numbers.any(|number| number["kind"] == "bounded")
}
