//! `--profile`: estimates against what programs count of themselves, and what is refused.
//!
//! `testdata/profiles` has kernels, what gcov of GCC 12.2 wrote of a run (`*.gcov.json`), and how often each
//! array was accessed in it, counted by the program itself (`*.counts`). Where there is a compiler, both are
//! made anew.

use crate::{Run, premiss, root};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const C: &str = "testdata/profiles/kernels.c";
const FORTRAN: &str = "testdata/profiles/kernels.f90";

fn report(source: &str, profile: &str, more: &[&str]) -> Run {
    let mut arguments = vec!["report", source, "-P", "n=1000", "--profile", profile];
    arguments.extend(["--cache", "L1=32KiB,8,64", "--no-cache"]);
    arguments.extend(more);
    premiss(&arguments)
}

fn json(source: &str, profile: &str) -> Value {
    let run = report(source, profile, &["--format", "json"]);
    // Misses are unknown where averages do not give them.
    assert!(matches!(run.code, Some(0 | 3)), "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("it is JSON")
}

fn functions(report: &Value) -> impl Iterator<Item = &Value> {
    report["functions"].as_array().expect("a list").iter()
}

fn function<'a>(report: &'a Value, name: &str) -> &'a Value {
    let mut all = functions(report);
    all.find(|x| x["name"] == name).expect("there is one")
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect("it is there")
}

/// Lines of `array count`.
fn counts(text: &str) -> BTreeMap<String, i64> {
    let pair = |line: &str| {
        let (array, count) = line.split_once(' ')?;
        Some((array.to_owned(), count.parse().ok()?))
    };
    text.lines().filter_map(pair).collect()
}

/// Compares the loads and the stores of each array with what the program counted; yields how many are
/// estimates. Those of arrays that are named are not known.
fn check(report: &Value, counted: &str, unknown: &[&str]) -> usize {
    let mut found: BTreeMap<(String, String), Option<i64>> = BTreeMap::new();
    let mut n_estimates = 0;
    for reference in functions(report).flat_map(|x| x["references"].as_array().expect("a list")) {
        let name = |key: &str| reference[key].as_str().expect("text").to_owned();
        let accesses = &reference["accesses"];
        n_estimates += usize::from(accesses["kind"] == "estimate");
        let sum = found
            .entry((name("array"), name("kind")))
            .or_insert(Some(0));
        *sum = sum.and_then(|sum| Some(sum + accesses["value"].as_i64()?));
    }
    let counted = counts(counted);
    for ((array, kind), count) in &found {
        let expected = Some(counted[array]).filter(|_| !unknown.contains(&array.as_str()));
        assert_eq!(*count, expected, "{kind}s of {array}");
    }
    let arrays = found.keys().map(|(array, _)| array);
    let missing: Vec<_> = counted
        .keys()
        .filter(|x| !arrays.clone().any(|y| y == *x))
        .collect();
    assert!(missing.is_empty(), "nothing is said of {missing:?}");
    n_estimates
}

#[test]
fn arms_and_loops_run_as_often_as_the_program_counts() {
    let report = json(C, "testdata/profiles/kernels.gcov.json");
    // What was never reached is not known.
    let n_estimates = check(&report, &text("testdata/profiles/kernels.counts"), &["ab"]);
    assert_eq!(n_estimates, 21);
    let rare = function(&report, "rare");
    assert_eq!(rare["accesses"]["kind"], "unknown");
    for (name, accesses) in [
        ("arms", 5290),
        ("halves", 21232),
        ("rows", 11276),
        ("search", 521),
    ] {
        let found = &function(&report, name)["accesses"];
        assert_eq!(found["kind"], "estimate", "{name}");
        assert_eq!(found["value"], accesses, "{name}");
    }
    let flops = &function(&report, "halves")["operations"]["floating_point"];
    assert_eq!(flops["add"]["value"], 10116);
    assert_eq!(flops["mul"]["value"], 10116 + 2529);
    assert_eq!(flops["compare"]["value"], 2529 + 1000);
    let inner = &function(&report, "halves")["loops"][1];
    assert_eq!(inner["accesses"]["value"], 20232);
    let assumptions = report["assumptions"].as_array().expect("a list");
    let is_named = |x: &Value| x.as_str().is_some_and(|x| x.contains("kernels.gcov.json"));
    assert!(assumptions.iter().any(is_named), "{assumptions:?}");
}

#[test]
fn fortran_has_the_same_form() {
    let report = json(FORTRAN, "testdata/profiles/kernels_f90.gcov.json");
    let n_estimates = check(&report, &text("testdata/profiles/kernels_f90.counts"), &[]);
    assert_eq!(n_estimates, 8);
}

#[test]
fn averages_hold_for_other_sizes() {
    let profile = "testdata/profiles/kernels.gcov.json";
    let arguments = [
        "report",
        C,
        "-P",
        "n=10000",
        "--profile",
        profile,
        "--format",
        "json",
    ];
    let caches = ["--cache", "L1=32KiB,8,64", "--no-cache"];
    let run = premiss(&[&arguments[..], &caches].concat()).exits(3);
    let report = serde_json::from_str(&run.stdout).expect("it is JSON");
    let accesses = |name| function(&report, name)["accesses"]["value"].as_i64();
    assert_eq!(accesses("arms"), Some(52900));
    assert_eq!(accesses("halves"), Some(212_320));
    // It was left after 174 iterations, whatever there might have been.
    assert_eq!(accesses("search"), Some(521));
}

#[test]
fn closed_forms_take_averages_too() {
    let profile = "testdata/profiles/kernels.gcov.json";
    let run = report(C, profile, &["--format", "json", "--engine", "closed"]);
    let report: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    for (name, flops) in [
        ("arms", 6918),
        ("halves", 26290),
        ("rows", 4138),
        ("search", 694),
    ] {
        let operations = &function(&report, name)["operations"]["floating_point"];
        let kinds = operations.as_object().expect("a table").values();
        let sum: i64 = kinds.map(|x| x["value"].as_i64().expect("a number")).sum();
        assert_eq!(sum, flops, "{name}");
    }
}

#[test]
fn text_marks_estimates_and_names_the_profile() {
    let run = report(C, "testdata/profiles/kernels.gcov.json", &[]).exits(3);
    assert!(
        run.stdout
            .contains("arms · n=1000 · ~5290 accesses: ~5290 loads")
    );
    assert!(run.stdout.contains("averages") || run.stdout.contains("on average in"));
    assert!(run.stderr.contains("no-average"), "{}", run.stderr);
    assert!(run.stderr.contains("kernels.c:108"), "{}", run.stderr);
}

#[test]
fn profiles_add_up() {
    let profile = "testdata/profiles/kernels.gcov.json";
    let once = json(C, profile);
    let twice = report(C, profile, &["--profile", profile, "--format", "json"]).exits(3);
    let twice: Value = serde_json::from_str(&twice.stdout).expect("it is JSON");
    assert_eq!(once["functions"], twice["functions"]);
}

#[test]
fn what_is_no_profile_of_this_source_is_refused() {
    let folder = scratch("refused");
    let text = text("testdata/profiles/kernels.gcov.json");
    let shifted = text.replace("\"start_line\": 25,", "\"start_line\": 24,");
    assert_ne!(shifted, text);
    for (name, bytes, message) in [
        ("empty", "", "it is empty"),
        (
            "sarif",
            "{\"version\": \"2.1.0\", \"runs\": []}",
            "not JSON that gcov writes",
        ),
        ("cut", "\u{1f}", "not JSON that gcov writes"),
        (
            "other",
            &text.replace("kernels.c", "other.c"),
            "nothing of `testdata/profiles/kernels.c`",
        ),
        (
            "shifted",
            &shifted,
            "function `rows` begins on line 24 in it, on 25 here",
        ),
    ] {
        let path = folder.join(name);
        fs::write(&path, bytes).expect("it is ours");
        let run = report(C, path.to_str().expect("text"), &[]).exits(2);
        assert!(run.stderr.contains(message), "{name}: {}", run.stderr);
        assert!(run.stdout.is_empty(), "{name}");
    }
    let run = report(C, "nowhere.json", &[]).exits(2);
    assert!(
        run.stderr.contains("there is no such file"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_profile_without_a_function_leaves_bounds() {
    let folder = scratch("without");
    let mut profile: Value =
        serde_json::from_str(&text("testdata/profiles/kernels.gcov.json")).expect("it is JSON");
    let functions = profile["files"][0]["functions"]
        .as_array_mut()
        .expect("a list");
    functions.retain(|x| x["name"] != "arms");
    let path = folder.join("without.json");
    fs::write(&path, profile.to_string()).expect("it is ours");
    let report = report(C, path.to_str().expect("text"), &["--format", "json"]).exits(3);
    assert!(
        report.stderr.contains("it has no function here"),
        "{}",
        report.stderr
    );
    let report = serde_json::from_str(&report.stdout).expect("it is JSON");
    let accesses = &function(&report, "arms")["accesses"];
    assert_eq!(
        (accesses["lower"].as_i64(), accesses["upper"].as_i64()),
        (Some(4000), Some(6000))
    );
    assert_eq!(function(&report, "halves")["accesses"]["value"], 21232);
}

#[test]
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
fn profiles_made_here_are_read() {
    let folder = scratch("made");
    for name in [
        "kernels.c",
        "kernels.h",
        "main.c",
        "kernels.f90",
        "main.f90",
    ] {
        let from = root().join("testdata/profiles").join(name);
        fs::copy(from, folder.join(name)).expect("it is ours");
    }
    let script = "gcc -DCOUNTING -O0 kernels.c main.c -o counting && ./counting > c.counts && \
                  gcc --coverage -O0 -c kernels.c && gcc -c main.c && \
                  gcc --coverage kernels.o main.o -o run && ./run && \
                  gcov -b --json-format kernels.c && mv kernels.gcov.json.gz c.json.gz";
    if !runs(script, &folder) {
        println!("skipped: there is no gcc, or no gcov");
        return;
    }
    let path = |name: &str| folder.join(name).to_str().expect("text").to_owned();
    let counted = fs::read_to_string(folder.join("c.counts")).expect("it was written");
    assert_eq!(
        check(
            &json(&path("kernels.c"), &path("c.json.gz")),
            &counted,
            &["ab"]
        ),
        21
    );
    let script = "rm -f *.gcda *.gcno *.o && gfortran --coverage -O0 -c kernels.f90 && \
                  gfortran -c main.f90 && gfortran --coverage kernels.o main.o -o run && \
                  ./run > f.counts && gcov -b --json-format kernels.f90 && \
                  mv kernels.gcov.json.gz f.json.gz";
    if !runs(script, &folder) {
        println!("skipped: there is no gfortran");
        return;
    }
    let counted = fs::read_to_string(folder.join("f.counts")).expect("it was written");
    assert_eq!(
        check(
            &json(&path("kernels.f90"), &path("f.json.gz")),
            &counted,
            &[]
        ),
        8
    );
}

fn runs(script: &str, folder: &Path) -> bool {
    let output = Command::new("sh")
        .args(["-c", script])
        .current_dir(folder)
        .output();
    output.is_ok_and(|output| output.status.success())
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("profile")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("it is ours");
    folder
}

/// A command on the kernels with a profile.
fn with_profile(command: &str, profile: &str, more: &[&str]) -> Run {
    let machine = "testdata/machines/plain.toml";
    let mut arguments = vec![command, C, "--profile", profile, "-m", machine];
    arguments.push("--no-cache");
    arguments.extend(more);
    premiss(&arguments)
}

#[test]
fn misses_lie_between_their_bounds_where_accesses_do() {
    let counted = counts(&text("testdata/profiles/kernels.counts"));
    let profiled = json(C, "testdata/profiles/kernels.gcov.json");
    let plain = premiss(&[
        "report",
        C,
        "-P",
        "n=1000",
        "--cache",
        "L1=32KiB,8,64",
        "--no-cache",
        "--format",
        "json",
    ]);
    let plain: Value = serde_json::from_str(&plain.exits(3).stdout).expect("it is JSON");
    let mut n_compared = 0;
    for name in ["arms", "both"] {
        let references = |report: &Value| function(report, name)["references"].clone();
        let (before, after) = (references(&plain), references(&profiled));
        for (before, after) in before
            .as_array()
            .expect("a list")
            .iter()
            .zip(after.as_array().expect("a list"))
        {
            let (misses, found) = (
                &before["levels"][0]["misses"],
                &after["levels"][0]["misses"],
            );
            if misses["kind"] != "bounded" {
                assert_eq!(misses, found);
                continue;
            }
            let number = |count: &Value, key: &str| count[key].as_f64().expect("a number");
            let (lower, upper) = (number(misses, "lower"), number(misses, "upper"));
            let array = before["array"].as_str().expect("text");
            let accesses = &before["accesses"];
            let share = match accesses["kind"] == "bounded" {
                true => {
                    let (least, most) = (number(accesses, "lower"), number(accesses, "upper"));
                    let count = f64::from(i32::try_from(counted[array]).expect("it is small"));
                    (count - least) / (most - least)
                }
                false => 0.5,
            };
            // Lines of 1000 doubles: more cannot miss, as all arrays are gone through once.
            let expected = (lower + share * (upper - lower)).min(lower.max(125.0));
            assert_eq!(found["kind"], "estimate", "{array}");
            let value = number(found, "value");
            assert!(
                (value - expected).abs() <= 1.0,
                "{array}: {value}, {expected}"
            );
            n_compared += 1;
        }
    }
    assert!(3 < n_compared, "{n_compared}");
}

#[test]
fn every_command_that_counts_takes_a_profile() {
    let profile = "testdata/profiles/kernels.gcov.json";
    let sizes = ["-P", "n=1000", "--format", "json"];
    let plain = premiss(&[
        "report",
        C,
        "-P",
        "n=1000",
        "-m",
        "testdata/machines/plain.toml",
        "--no-cache",
        "--format",
        "json",
    ]);
    let plain: Value = serde_json::from_str(&plain.exits(3).stdout).expect("it is JSON");
    let report = with_profile("report", profile, &sizes).exits(3);
    let report: Value = serde_json::from_str(&report.stdout).expect("it is JSON");
    let range = ["-P", "n=1000..1000", "--format", "json"];
    let sweep = with_profile("sweep", profile, &range).exits(3);
    let sweep: Value = serde_json::from_str(&sweep.stdout).expect("it is JSON");
    for name in ["arms", "both"] {
        let (before, after) = (function(&plain, name), function(&report, name));
        let point = &function(&sweep, name)["points"][0];
        assert_eq!(
            point["levels"][0]["misses"], after["levels"][0]["misses"],
            "{name}"
        );
        assert_eq!(point["levels"][0]["misses"]["kind"], "estimate", "{name}");
        assert_eq!(point["flops"]["kind"], "estimate", "{name}");
        // A bound on time holds for every run; what it takes about is known of this one.
        assert_eq!(before["time"]["least"], after["time"]["least"], "{name}");
        assert!(after["time"]["least"].is_object(), "{name}");
        let about = |function: &Value| function["time"]["estimate"]["value"].as_f64();
        assert!(
            about(after).expect("a time") < about(before).expect("a time"),
            "{name}"
        );
    }
    let run = with_profile("check", profile, &["-P", "n=1000"]).exits(1);
    assert!(run.stdout.contains("no-average"), "{}", run.stdout);
    let drawn = |run: Run| run.exits(3).stdout;
    let picture = drawn(with_profile("roofline", profile, &["-P", "n=1000"]));
    let machine = ["-m", "testdata/machines/plain.toml", "--no-cache"];
    let other = drawn(premiss(
        &[&["roofline", C, "-P", "n=1000"], &machine[..]].concat(),
    ));
    assert!(picture.contains("<svg") && picture != other);
    for command in ["check", "roofline", "sweep"] {
        let size = if command == "sweep" {
            "n=10..20"
        } else {
            "n=10"
        };
        with_profile(
            command,
            "testdata/profiles/kernels_f90.gcov.json",
            &["-P", size],
        )
        .exits(2)
        .says("nothing of `testdata/profiles/kernels.c`");
    }
}
