//! What lies outside the model is rejected by the right name at the right place.

use premiss_testdata::kernel::{Kernel, check_each};
use premiss_testdata::language::Language;
use premiss_testdata::truth::testdata;
use premiss_trace::{Execution, Placement, TraceError};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Names of rejections, as `RejectReason::code` has them.
const CODES: [&str; 10] = [
    "uncounted-loop",
    "endless-loop",
    "jump",
    "unknown-call",
    "recursion",
    "ambiguous-pointer",
    "unsupported-construct",
    "redefinition",
    "syntax",
    "budget-exhausted",
];

/// Lines and codes that the comments of a fixture ask for.
fn expected(text: &str, language: Language) -> BTreeSet<(u32, String)> {
    let mark = format!("{} rejects: ", language.comment());
    let marks = (1..).zip(text.lines()).filter_map(|(line, text)| {
        let (_, code) = text.split_once(&mark)?;
        Some((line, code.trim().to_owned()))
    });
    marks.collect()
}

/// Lines and codes of the rejections that premiss reports.
fn found(kernel: &Kernel) -> BTreeSet<(u32, String)> {
    let rejections = kernel
        .diagnostics()
        .iter()
        .filter(|found| CODES.contains(&found.code));
    let places = rejections.map(|found| {
        let label = found.labels.first().expect("a rejection has a place");
        (kernel.sources.start(label.span).line, found.code.to_owned())
    });
    places.collect()
}

fn check(name: &str) {
    check_file(&format!("rejects/{name}.c"));
}

fn check_file(path: &str) {
    let text = fs::read_to_string(testdata().join(path)).expect("a fixture");
    let kernel = Kernel::read(path, &[], &[("n", 8)]);
    let expected = expected(&text, Language::of(path));
    assert!(!expected.is_empty(), "{path} marks nothing");
    assert_eq!(
        found(&kernel),
        expected,
        "{path}: {:#?}",
        kernel.diagnostics()
    );
}

/// Checks every fixture of a folder and then tells which fail.
fn check_folder(folder: &str) {
    let entries = fs::read_dir(testdata().join(folder)).expect("a folder of fixtures");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| name.into_string().expect("a plain name"));
    let mut paths: Vec<String> = names.map(|name| format!("{folder}/{name}")).collect();
    paths.sort();
    assert!(!paths.is_empty());
    check_each(paths, check_file);
}

#[test]
fn fortran() {
    check_folder("rejects/fortran");
}

#[test]
fn rust() {
    check_folder("rejects/rust");
}

#[test]
fn uncounted_loop() {
    check("uncounted_loop");
}

/// Whether a loop ends only its sizes tell: that it does not shows when it is run.
#[test]
fn endless_loop() {
    let path = "rejects/endless_loop.c";
    let text = fs::read_to_string(testdata().join(path)).expect("a fixture");
    let kernel = Kernel::read(path, &[], &[]);
    let mut found = found(&kernel);
    for tree in &kernel.unit.functions {
        let placement = Placement {
            alignment: 64,
            bases: BTreeMap::new(),
        };
        let execution = Execution::new(tree, &BTreeMap::new(), &placement, 1000);
        if let Err(TraceError::EndlessLoop(id)) = execution.and_then(|run| run.accesses()) {
            let line = kernel.sources.start(tree.loops[id].span).line;
            found.insert((line, "endless-loop".to_owned()));
        }
    }
    assert_eq!(
        found,
        expected(&text, Language::C),
        "{:#?}",
        kernel.diagnostics()
    );
}

#[test]
fn jump() {
    check("jump");
}

#[test]
fn unknown_call() {
    check("unknown_call");
}

#[test]
fn recursion() {
    check("recursion");
}

#[test]
fn ambiguous_pointer() {
    check("ambiguous_pointer");
}

#[test]
fn unsupported_construct() {
    check("unsupported_construct");
}

#[test]
fn redefinition() {
    check("redefinition");
}

#[test]
fn syntax() {
    check("syntax");
}

/// The rest of a broken file is analysed.
#[test]
fn what_stands_beside_broken_text_is_read() {
    for path in ["syntax.c", "fortran/syntax.f90", "rust/syntax.rs"] {
        let kernel = Kernel::read(&format!("rejects/{path}"), &[], &[("n", 8)]);
        assert_eq!(kernel.tree("sound").references.len(), 1, "{path}");
        assert!(kernel.tree("sound").rejections.is_empty(), "{path}");
    }
}

/// Every reason that the front end can give has a fixture, and so has every one that coverage adds.
#[test]
fn every_reason_has_a_fixture() {
    let fixtures: String = fs::read_dir(testdata().join("rejects"))
        .expect("the fixtures")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_file())
        .map(|path| fs::read_to_string(path).expect("a text"))
        .collect();
    let root = testdata().join("..");
    let codes = |path: &str, before: &str| -> Vec<String> {
        let text = fs::read_to_string(root.join(path)).expect("a source of premiss");
        let quoted = text.split(before).skip(1);
        let quoted = quoted.filter_map(|rest| rest.split('"').next());
        let is_code = |code: &&str| code.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        quoted.filter(is_code).map(str::to_owned).collect()
    };
    let rejections = codes("frontend/tree/src/rejection.rs", "=> \"");
    let reasons = codes("premiss/analyze/src/coverage/collector.rs", "code: \"");
    assert!(CODES.len() <= rejections.len() && !reasons.is_empty());
    for code in rejections.iter().chain(&reasons) {
        let is_shown = [format!("// rejects: {code}"), format!("// reason: {code}")]
            .iter()
            .any(|mark| fixtures.contains(mark));
        assert!(is_shown, "no fixture shows `{code}`");
    }
}

/// Calls that multiply end in a rejection of the outer ones, and the rest is there.
#[test]
fn calls_without_end() {
    let kernel = Kernel::read("rejects/budget_exhausted.c", &[], &[("n", 8)]);
    assert!(kernel.tree("a0").rejections.is_empty());
    let codes = found(&kernel);
    assert!(codes.iter().any(|(_, code)| code == "budget-exhausted"));
}

/// Nesting that would overflow the stack ends in a rejection.
#[test]
fn budget_exhausted() {
    for depth in [300, 3_000, 30_000] {
        let parentheses = format!("{}i{}", "(".repeat(depth), ")".repeat(depth));
        let loops = "for (int i = 0; i < n; i++) ".repeat(depth);
        for body in [
            format!("a[{parentheses}] = 0;"),
            format!("{loops} a[i] = 0;"),
        ] {
            let text = format!("void f(int n, double *a) {{ for (int i = 0; i < n; i++) {body} }}");
            let kernel = Kernel::from_bytes("deep.c", text.into_bytes(), &[], &[("n", 8)]);
            let codes = found(&kernel);
            let is_refused = codes.iter().any(|(_, code)| code == "budget-exhausted");
            assert!(is_refused || depth < 3_000, "{:#?}", kernel.diagnostics());
        }
    }
}
