//! What `premiss explain` tells of the sets of a level, compared with traces of programs that are as it says.

use crate::{Folder, premiss, premiss_on, root};
use serde_json::Value;
use std::fs;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// The store of a transposition, with rows of `b` that are longer.
fn transpose(size: u64, row_of_b: u64) -> String {
    format!(
        "double a[{size}][{size}], b[{size}][{row_of_b}];\n\
         void transpose(void)\n\
         {{\n\
         \x20 for (int i = 0; i < {size}; i++)\n\
         \x20   for (int j = 0; j < {size}; j++)\n\
         \x20     b[j][i] = a[i][j];\n\
         }}\n"
    )
}

/// The explanations of the references at a place of a file.
fn stories(text: &str, place: &str, more: &[&str]) -> Vec<Value> {
    let name = format!("explain-sets-{}", place.replace(':', "-"));
    let folder = Folder::new(&format!("{name}-{}", text.len()));
    folder.write("a.c", text);
    let place = format!("a.c:{place}");
    let options = ["explain", &place, "--format", "json"];
    let run = folder.premiss(&[&options[..], more].concat());
    let report = json(&run.exits(0).stdout);
    report["references"].as_array().expect("references").clone()
}

/// The same for a single reference.
fn explained(text: &str, place: &str, more: &[&str]) -> Value {
    let all = stories(text, place, more);
    assert_eq!(all.len(), 1, "{all:?}");
    all[0].clone()
}

/// The misses in the first level of a function, and of its reference at a line and column, as the loops are run.
fn traced(text: &str, (line, column): (u64, u64), more: &[&str]) -> (u64, u64) {
    let options = [
        "report", "-", "--engine", "trace", "--budget", "1e9", "--format", "json",
    ];
    let run = premiss_on(text, &[&options[..], more].concat());
    let report = json(&run.exits(0).stdout);
    let function = &report["functions"][0];
    let exact = |count: &Value| {
        assert_eq!(count["kind"], "exact", "{count}");
        count["value"].as_u64().expect("a number")
    };
    let references = function["references"]
        .as_array()
        .expect("references")
        .iter();
    let own = references
        .filter(|x| x["line"] == line && x["column"] == column)
        .map(|x| exact(&x["levels"][0]["misses"]));
    (exact(&function["levels"][0]["misses"]), own.sum())
}

#[test]
fn least_and_most_lines_in_a_set_are_the_ways_around_which_accesses_begin_to_miss() {
    let text = transpose(48, 48);
    // Six lines in a row and eight sets: rows 24 lines apart share a set.
    for sets in [8_u64, 16] {
        let cache = |ways: u64| format!("L1={},{ways},64", sets * ways * 64);
        let story = explained(&text, "6:7", &["--cache", &cache(4)]);
        let reuses = story["reuses"].as_array().expect("reuses");
        assert_eq!(reuses.len(), 1, "{story}");
        let lines = &reuses[0]["levels"][0]["in_sets"]["lines"];
        let number = |name: &str| lines[name].as_u64().expect("a number");
        let (least, most) = (number("least"), number("most"));
        assert!(0 < least && least < most, "{lines}");
        let misses = |ways: u64| traced(&text, (6, 7), &["--cache", &cache(ways)]).1;
        let (all, cold) = (48 * 48, 48 * 6);
        assert_eq!(misses(least), all, "{lines}");
        assert!(misses(least + 1) < all, "{lines}");
        assert!(cold < misses(most), "{lines}");
        assert_eq!(misses(most + 1), cold, "{lines}");
    }
}

#[test]
fn longer_rows_have_the_misses_that_explain_predicts() {
    let cache = ["--cache", "L1=16KiB,8,64"];
    let text = transpose(128, 128);
    let story = explained(&text, "6:7", &cache);
    let sets = &story["levels"][0]["in_sets"];
    let before = traced(&text, (6, 7), &cache);
    assert_eq!(sets["misses"]["value"], before.1);
    assert_eq!(sets["remedy"]["function_misses_before"]["value"], before.0);
    let full = traced(&text, (6, 7), &["--cache", "L1=16KiB,full,64"]);
    assert_eq!(
        sets["conflict"]["value"].as_i64(),
        Some(before.1.cast_signed() - full.1.cast_signed())
    );
    let remedy = &sets["remedy"];
    let changes = remedy["changes"].as_array().expect("changes");
    assert_eq!(changes.len(), 1, "{remedy}");
    assert_eq!(changes[0]["array"], "b");
    assert_eq!(changes[0]["row_elements"], 128);
    let row = changes[0]["padded_row_elements"]
        .as_u64()
        .expect("a number");
    let after = traced(&transpose(128, row), (6, 7), &cache);
    assert_eq!(remedy["misses"]["value"], after.1);
    assert_eq!(remedy["function_misses"]["value"], after.0);
    assert!(after.0 < before.0 / 2, "{remedy}");
}

#[test]
fn arrays_that_start_later_have_the_misses_that_explain_predicts() {
    let text = "double a[512], b[512], c[512];\n\
        void add(void)\n\
        {\n\
        \x20 for (int i = 0; i < 512; i++)\n\
        \x20   c[i] = a[i] + b[i];\n\
        }\n";
    let cache = ["--cache", "L1=4KiB,1,64"];
    let story = explained(text, "5:12", &cache);
    let remedy = &story["levels"][0]["in_sets"]["remedy"];
    assert_eq!(
        remedy["changes"].as_array().map(Vec::len),
        Some(2),
        "{remedy}"
    );
    let moved = remedy["addresses"].as_array().expect("arrays").iter();
    let bases = moved.map(|x| format!("{}={}", x["array"].as_str().unwrap_or(""), x["address"]));
    let bases: Vec<String> = bases.collect();
    let places = bases.iter().flat_map(|base| ["--array-base", base]);
    let options: Vec<&str> = cache.into_iter().chain(places).collect();
    let after = traced(text, (5, 12), &options);
    assert_eq!(remedy["misses"]["value"], after.1);
    assert_eq!(remedy["function_misses"]["value"], after.0);
    // Each line of each array once.
    assert_eq!(after.0, 3 * 64);
}

#[test]
fn kernels_with_longer_rows_have_the_misses_that_explain_predicts() {
    let cache = ["--cache", "L1=16KiB,4,64"];
    for (name, line, sizes) in [("mvt", 13, ["N"]), ("gemver", 15, ["N"])] {
        let path = format!("testdata/kernels/c/{name}.c");
        let text = fs::read_to_string(root().join(path)).expect("a kernel");
        let sizes = sizes.map(|size| format!("{size}=128"));
        let sizes = sizes.iter().flat_map(|size| ["-P", size]);
        let options: Vec<&str> = cache.into_iter().chain(sizes).collect();
        let all = stories(&text, &line.to_string(), &options);
        let mut remedies = all.iter().map(|x| &x["levels"][0]["in_sets"]["remedy"]);
        let remedy = remedies.rfind(|x| x.is_object());
        let remedy = remedy.unwrap_or_else(|| panic!("{name}: {all:?}"));
        let change = &remedy["changes"][0];
        assert_eq!(change["array"], "A", "{remedy}");
        assert_eq!(
            remedy["changes"].as_array().map(Vec::len),
            Some(1),
            "{remedy}"
        );
        let added = change["padded_row_elements"].as_u64().expect("a number") - 128;
        let longer = text.replace("double A[N][N]", &format!("double A[N][N + {added}]"));
        assert_ne!(longer, text);
        let total = |text: &str| traced(text, (1, 1), &options).0;
        assert_eq!(
            remedy["function_misses_before"]["value"],
            total(&text),
            "{name}"
        );
        assert_eq!(remedy["function_misses"]["value"], total(&longer), "{name}");
    }
}

#[test]
fn text_tells_conflict_misses_and_how_to_avoid_them() {
    let folder = Folder::new("explain-sets-text");
    folder.write("a.c", &transpose(128, 128));
    let run = folder.premiss(&["explain", "a.c:6:7", "--cache", "L1=16KiB,8,64"]);
    let text = run.exits(0).stdout;
    for part in [
        "in the set of the line, of 8 ways in L1: ",
        " conflict misses\n   with rows of 136 instead of 128 elements in b: 2048 misses instead of ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let other = premiss(&["explain", "--help"]).exits(0).stdout;
    assert!(other.contains("padding"), "{other}");
}
