//! `premiss check` in the forms of other tools: read every changed line of a snapshot before accepting it.

use crate::{Run, command, premiss, premiss_on};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// A strided read, and stores that fetch what they overwrite.
const TWO: &str = "double s;\nvoid f(double a[200][200])\n{\n  for (int j = 0; j < 200; j++)\n    \
                   for (int i = 0; i < 200; i++)\n      s += a[i][j];\n}\n\
                   void g(double a[8192], double b[8192])\n{\n  for (int i = 0; i < 8192; i++)\n    b[i] = 2 * a[i];\n}\n";
const CHECK: [&str; 6] = [
    "check",
    "-",
    "--cache",
    "L1=4KiB,full,64",
    "--cache",
    "L2=32KiB,full,64",
];

fn check(source: &str, more: &[&str]) -> Run {
    premiss_on(source, &[&CHECK[..], more].concat())
}

fn picture(form: &str) {
    let run = check(TWO, &["--format", form]).exits(1);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../../snapshots/formats");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(form, run.stdout));
}

#[test]
fn github_annotations() {
    picture("github");
}

#[test]
fn gitlab_code_quality() {
    picture("gitlab");
}

#[test]
fn junit_tests() {
    picture("junit");
}

#[test]
fn markdown_for_a_comment() {
    picture("markdown");
}

/// The log without the pages of rules, which have a test of their own.
#[test]
fn sarif_log() {
    let run = check(TWO, &["--format", "sarif"]).exits(1);
    let mut log: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array_mut();
    for rule in rules.expect("rules") {
        assert_eq!(rule["help"]["text"], rule["help"]["markdown"]);
        let code = rule["id"].as_str().expect("an id");
        let page = premiss(&["explain", code]).exits(0).stdout;
        assert_eq!(rule["help"]["markdown"], page);
        rule["help"] = Value::from("its page");
    }
    let version = &mut log["runs"][0]["tool"]["driver"]["semanticVersion"];
    assert_eq!(*version, env!("CARGO_PKG_VERSION"));
    *version = Value::from("a version");
    let text = serde_json::to_string_pretty(&log).expect("JSON");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../../snapshots/formats");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("sarif", text));
}

/// What SARIF 2.1.0 and GitHub ask of a log that has findings and what was not understood.
#[test]
fn sarif_has_what_its_readers_want() {
    let unknown = format!(
        "{TWO}void search(double *x)\n{{\n  for (int i = 0; i < 9; i++)\n    while (x[i] > 0) x[i] /= 2;\n}}\n"
    );
    let run = check(&unknown, &["--format", "sarif"]).exits(1);
    let log: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let results = run["results"].as_array().expect("results");
    assert!(3 <= results.len(), "{results:?}");
    let mut prints = std::collections::BTreeSet::new();
    for result in results {
        let index = result["ruleIndex"].as_u64().expect("an index");
        let rule = &rules[usize::try_from(index).expect("it is small")];
        assert_eq!(rule["id"], result["ruleId"]);
        let level = result["level"].as_str().expect("a level");
        assert!(["none", "note", "warning", "error"].contains(&level));
        assert!(
            !result["message"]["text"]
                .as_str()
                .expect("a text")
                .is_empty()
        );
        assert_eq!(result["locations"].as_array().map(Vec::len), Some(1));
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert_eq!(region["startLine"], region["endLine"]);
        assert!(region["startColumn"].as_u64() < region["endColumn"].as_u64());
        let print = &result["partialFingerprints"]["primaryLocationLineHash"];
        assert!(prints.insert(print.as_str().expect("a fingerprint").to_owned()));
    }
}

/// A folder for the files of one test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn several_forms_go_to_their_files() {
    let folder = folder("several-forms");
    let path = |name: &str| folder.join(name).display().to_string();
    let (sarif, markdown) = (path("out.sarif"), path("pr.md"));
    let forms = format!("github,sarif:{sarif},markdown:{markdown}");
    let run = check(TWO, &["--format", &forms]).exits(1);
    for (form, file) in [("sarif", &sarif), ("markdown", &markdown)] {
        let alone = check(TWO, &["--format", form]).exits(1).stdout;
        assert_eq!(fs::read_to_string(file).expect("it is written"), alone);
    }
    let alone = check(TWO, &["--format", "github"]).exits(1).stdout;
    assert_eq!(run.stdout, alone);
    let single = path("single.json");
    check(TWO, &["--format", "gitlab", "-o", &single, "--exit-zero"]).exits(0);
    let alone = check(TWO, &["--format", "gitlab"]).exits(1).stdout;
    assert_eq!(fs::read_to_string(single).expect("it is written"), alone);
}

#[test]
fn forms_that_do_not_go_together_are_2() {
    let wrong = |more: &[&str], says: &str| {
        check(TWO, more).exits(2).says(says);
    };
    wrong(&["--format", "sarf"], "did you mean `sarif`?");
    wrong(&["--format", "sarif:"], "no file is named");
    wrong(
        &["--format", "text,github"],
        "two formats go to standard output",
    );
    wrong(&["--format", "sarif:x,junit:x"], "two formats go to `x`");
    wrong(&["--format", "sarif:x", "-o", "y"], "name the file once");
    wrong(
        &["--format", "github,sarif:x", "-o", "y"],
        "-o names the file of one format",
    );
    wrong(&["--format", "sarif:no/such/folder/x"], "no such file");
    // Other commands have text and JSON.
    premiss(&["report", "testdata/kernels/c/gemm.c", "--format", "sarif"]).exits(2);
}

#[test]
fn paths_are_from_the_root_however_files_are_named() {
    let kernel = "testdata/kernels/c/gemm.c";
    let full = crate::root()
        .canonicalize()
        .expect("it is there")
        .join(kernel);
    let full = full.display().to_string();
    let caches = [
        "--cache",
        "L1=256,full,64",
        "--format",
        "gitlab",
        "-P",
        "NI=40",
    ];
    let of = |path: &str| premiss(&[&["check", path][..], &caches].concat()).stdout;
    let report = of(&full);
    assert_eq!(report, of(kernel));
    let issues: Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(issues[0]["location"]["path"], kernel, "{report}");
}

#[test]
fn what_has_no_annotation_is_in_the_summary_of_the_step() {
    let summary = folder("step-summary").join("summary.md");
    fs::write(&summary, "before\n").expect("it is written");
    let columns = |n: usize| -> String {
        let function = |k: usize| {
            let from = TWO.find("void f").expect("f");
            let to = TWO.find("void g").expect("g");
            TWO[from..to].replace("void f", &format!("void f{k}"))
        };
        "double s;\n".to_owned() + &(0..n).map(function).collect::<String>()
    };
    let file = folder("step-summary").join("columns.c");
    let run = |n: usize| {
        fs::write(&file, columns(n)).expect("it is written");
        let mut command = command(&["check", &file.display().to_string(), "--format", "github"]);
        command
            .args(&CHECK[2..])
            .env("GITHUB_STEP_SUMMARY", &summary);
        let output = command.output().expect("it runs");
        String::from_utf8(output.stdout).expect("text")
    };
    assert_eq!(run(10).matches("::warning ").count(), 10);
    let text = || fs::read_to_string(&summary).expect("it is there");
    assert_eq!(text(), "before\n");
    assert!(run(11).contains("1 more result without an annotation"));
    assert!(
        text().starts_with("before\n### premiss: 11 findings\n"),
        "{}",
        text()
    );
}
