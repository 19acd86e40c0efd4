//! Baselines: what is known is held back, what is new or grew is told.

use crate::Folder;
use serde_json::Value;

const COLUMNS: &str = "double s;\nvoid f(double a[2000][16])\n{\n  for (int j = 0; j < 16; j++)\n    \
                       for (int i = 0; i < 2000; i++)\n      s += a[i][j];\n}\n";
const SEARCH: &str = "void search(double *x)\n\
                      {\n  for (int i = 0; i < 9; i++)\n    while (x[i] > 0) x[i] /= 2;\n}\n";
const FILE: &str = "premiss-baseline.json";

fn project(name: &str) -> Folder {
    let folder = Folder::repository(name);
    folder.write("src/k.c", COLUMNS);
    folder.premiss(&["check", "src"]).exits(1);
    folder
        .premiss(&["baseline", "write", "src"])
        .exits(0)
        .says("finding");
    folder
}

fn check(folder: &Folder) -> crate::Run {
    folder.premiss(&["check", "src", "--baseline", FILE])
}

#[test]
fn what_is_known_is_held_back_wherever_it_moves() {
    let folder = project("known");
    let written: Value = serde_json::from_str(&folder.read(FILE)).expect("JSON");
    assert_eq!(written["schema_version"], "1.0");
    assert_eq!(written["findings"][0]["path"], "src/k.c");
    assert_eq!(written["coverage"]["src/k.c"]["exact"], 1);
    let run = check(&folder).exits(0);
    assert!(run.stdout.contains("held back"), "{}", run.stdout);
    assert!(!run.stdout.contains("PM001"), "{}", run.stdout);
    let last = run.stdout.lines().last().expect("a line");
    assert!(last.starts_with("Coverage: "), "{last}");
    // Lines, layout and the name of the file are no part of what is known.
    let moved = format!("/* more */\n\n{}", COLUMNS.replace("      s", "        s"));
    folder.remove("src/k.c").write("src/moved.c", &moved);
    check(&folder).exits(0);
    let json = ["check", "src", "--baseline", FILE, "--format", "json"];
    let report: Value = serde_json::from_str(&folder.premiss(&json).exits(0).stdout).expect("JSON");
    let known = written["findings"].as_array().map(Vec::len);
    assert_eq!(report["held_back"].as_u64(), known.map(|n| n as u64));
    let markdown = ["check", "src", "--baseline", FILE, "--format", "markdown"];
    let run = folder.premiss(&markdown).exits(0);
    assert!(run.stdout.contains("0 findings"), "{}", run.stdout);
    assert!(run.stdout.contains("held back"), "{}", run.stdout);
}

#[test]
fn only_new_findings_are_reported() {
    let folder = project("new-finding");
    folder.write(
        "src/m.c",
        &COLUMNS
            .replace("void f", "void g")
            .replace("a[i][j]", "a[i][j] * 2"),
    );
    let run = check(&folder).exits(1);
    assert!(run.stdout.contains("src/m.c"), "{}", run.stdout);
    assert!(!run.stdout.contains("src/k.c"), "{}", run.stdout);
    let all = ["check", "src", "--baseline", FILE, "--exit-zero"];
    folder.premiss(&all).exits(0);
}

#[test]
fn grown_findings_are_reported_with_both_numbers() {
    let folder = project("grew");
    folder.write("src/k.c", &COLUMNS.replace("2000", "4000"));
    let run = check(&folder).exits(1);
    assert!(run.stdout.contains("(known with "), "{}", run.stdout);
    folder.write("src/k.c", &COLUMNS.replace("2000", "1900"));
    check(&folder).exits(0);
}

#[test]
fn pruning_takes_out_and_never_adds() {
    let folder = project("prune");
    folder.write("src/m.c", &COLUMNS.replace("void f", "void g"));
    folder.premiss(&["baseline", "write", "src"]).exits(0);
    let before = folder.read(FILE);
    folder
        .premiss(&["baseline", "prune", "src"])
        .exits(0)
        .says("0 removed, 0 lowered");
    assert_eq!(folder.read(FILE), before);
    // What is in other files stays.
    folder
        .premiss(&["baseline", "prune", "src/m.c"])
        .exits(0)
        .says("0 removed");
    folder.write(
        "src/m.c",
        &COLUMNS
            .replace("void f", "void g")
            .replace("a[i][j]", "a[j][i]"),
    );
    folder.write("src/n.c", &COLUMNS.replace("void f", "void h"));
    folder
        .premiss(&["baseline", "prune", "src/k.c"])
        .exits(0)
        .says("0 removed");
    let run = folder.premiss(&["baseline", "prune", "src"]).exits(0);
    assert!(!run.stderr.contains(" 0 removed"), "{}", run.stderr);
    let text = folder.read(FILE);
    assert!(
        text.contains("src/k.c") && !text.contains("src/n.c"),
        "{text}"
    );
    folder.write("src/k.c", &COLUMNS.replace("2000", "1900"));
    let run = folder.premiss(&["baseline", "prune", "src"]).exits(0);
    assert!(!run.stderr.contains(" 0 lowered"), "{}", run.stderr);
    folder.write("src/k.c", COLUMNS);
    check(&folder).exits(1);
    folder.remove("src/k.c").write("src/o.c", SEARCH);
    folder
        .premiss(&["baseline", "prune", "src"])
        .exits(0)
        .says(" 0 left");
}

#[test]
fn a_baseline_that_says_nothing_is_3_and_a_broken_one_2() {
    let folder = project("missing");
    let with = |file: &str, more: &[&str]| {
        folder.premiss(&[&["check", "src", "--baseline", file], more].concat())
    };
    with("none.json", &[]).exits(3).says("no such baseline");
    with("none.json", &["--exit-zero"]).exits(3);
    with(FILE, &["-m", "zen4"])
        .exits(3)
        .says("it is of the machine spr@");
    folder.write("broken.json", "{}");
    with("broken.json", &[])
        .exits(2)
        .says("it is not a baseline");
    folder.write(
        "broken.json",
        &folder.read(FILE).replace("\"1.0\"", "\"9.0\""),
    );
    with("broken.json", &[]).exits(2).says("9.0");
    with("src", &[]).exits(2);
    folder
        .premiss(&["baseline", "prune", "src", "--baseline", "none.json"])
        .exits(3);
    folder.write("premiss.toml", "baseline = \"elsewhere.json\"\n");
    folder
        .premiss(&["check", "src"])
        .exits(3)
        .says("elsewhere.json");
    folder
        .premiss(&["baseline", "write", "src"])
        .exits(0)
        .says("elsewhere.json");
    folder.premiss(&["check", "src"]).exits(0);
}

#[test]
fn coverage_that_fell_is_3_though_what_is_unknown_is_known() {
    let folder = project("fell");
    folder.write("src/s.c", SEARCH);
    let run = check(&folder);
    let run = run.exits(1).says("coverage fell");
    assert!(run.stdout.contains("src/s.c"), "{}", run.stdout);
    folder
        .premiss(&["check", "src", "--baseline", FILE, "--exit-zero"])
        .exits(3);
    folder.premiss(&["baseline", "write", "src"]).exits(0);
    check(&folder).exits(0);
}

#[test]
fn coverage_under_its_least_is_3() {
    let folder = Folder::repository("least");
    folder.write("src/k.c", &COLUMNS.replace("a[i][j]", "a[j][i]"));
    let least =
        |least: &str| folder.premiss(&["check", "src", "--min-coverage", least, "--exit-zero"]);
    least("100%").exits(0);
    folder.write("src/s.c", SEARCH);
    least("60").exits(3).says("at least 60 % asked");
    folder
        .premiss(&["check", "src", "--min-coverage", "60%"])
        .exits(1);
    folder.write("premiss.toml", "min-coverage = \"60%\"\n");
    folder.premiss(&["check", "src", "--exit-zero"]).exits(3);
    folder.premiss(&["coverage", "src"]).exits(3);
    folder
        .premiss(&["coverage", "src", "--min-coverage", "0"])
        .exits(0);
}
