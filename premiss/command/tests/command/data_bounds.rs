//! Kernels in which data decide, with real data: what they did lies within the bounds, which are near each other.
//!
//! `sh testdata/data/record.sh` runs the kernels and writes what they do. The table of `docs/src/data.md` is compared with what
//! the test finds; `PREMISS_BLESS=1` writes it.

use crate::{premiss, root};
use serde_json::Value;
use std::fs;

/// Kernels with bounds that are farther apart: nothing tells how far numbers move.
const FAR_APART: [&str; 1] = ["insertion_sort"];

/// A kernel in the table of truth.
struct Row {
    kernel: String,
    sizes: String,
    accesses: u64,
    misses: u64,
}

fn rows() -> Vec<Row> {
    let text = fs::read_to_string(root().join("testdata/truth/data_bounds.csv")).expect("truth");
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        Row {
            kernel: fields[0].to_owned(),
            sizes: fields[1].to_owned(),
            accesses: fields[2].parse().expect("a number"),
            misses: fields[3].parse().expect("a number"),
        }
    };
    text.lines().skip(1).map(row).collect()
}

/// The bounds that a report has on accesses and misses.
fn bounds(row: &Row, engine: &str) -> [(u64, u64); 2] {
    let path = format!("testdata/data/{}.c", row.kernel);
    let mut arguments = vec!["report", &path, "--cache", "L1=4KiB,8,64", "--no-cache"];
    arguments.extend(["--format", "json", "--engine", engine]);
    for size in row.sizes.split(' ') {
        arguments.extend(["-P", size]);
    }
    // Closed forms alone leave accesses at computed places unknown.
    let run = premiss(&arguments);
    assert!(matches!(run.code, Some(0 | 3)), "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let function = &report["functions"][0];
    [&function["accesses"], &function["levels"][0]["misses"]].map(|count| {
        let end = |name: &str| count[name].as_u64().or(count["value"].as_u64());
        let ends = (end("lower"), end("upper"));
        (ends.0.unwrap_or(0), ends.1.unwrap_or(u64::MAX))
    })
}

fn ratio((lower, upper): (u64, u64)) -> String {
    let hundredths = upper.saturating_mul(100).checked_div(lower);
    hundredths.map_or("–".to_owned(), |x| format!("{}.{:02}", x / 100, x % 100))
}

#[test]
fn bounds_hold_what_real_data_do_and_are_near_each_other() {
    let mut table = vec![
        "| kernel | sizes | accesses: at least | true | at most | ratio | misses: at least | true | at most | ratio |".to_owned(),
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |".to_owned(),
    ];
    for row in rows() {
        let all = bounds(&row, "auto");
        let closed = bounds(&row, "closed");
        let truth = [row.accesses, row.misses];
        for (of_one, truth) in all.iter().chain(&closed).zip(truth.iter().cycle()) {
            let (lower, upper) = *of_one;
            let text = format!("{}: {truth} in {lower}..{upper}", row.kernel);
            assert!((lower..=upper).contains(truth), "{text}");
        }
        for (lower, upper) in all {
            let is_near = upper <= lower.saturating_mul(3);
            let is_far = FAR_APART.contains(&row.kernel.as_str());
            assert!(is_near || is_far, "{}: {lower}..{upper}", row.kernel);
        }
        let [accesses, misses] = all;
        table.push(format!(
            "| `{}` | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.kernel,
            row.sizes,
            accesses.0,
            row.accesses,
            accesses.1,
            ratio(accesses),
            misses.0,
            row.misses,
            misses.1,
            ratio(misses)
        ));
    }
    let table = table.join("\n") + "\n";
    let page = root().join("docs/src/data.md");
    let text = fs::read_to_string(&page).expect("the page is there");
    let start = text.find("| kernel |").expect("it has a table");
    let end = text[start..]
        .find("\n\n")
        .map_or(text.len(), |end| start + end + 1);
    if std::env::var_os("PREMISS_BLESS").is_some() {
        fs::write(page, format!("{}{table}{}", &text[..start], &text[end..])).expect("it is ours");
        return;
    }
    assert_eq!(text[start..end], table);
}
