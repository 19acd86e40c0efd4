//! The files that bring premiss into the pipelines of others say what the command understands.

use crate::{Folder, Run, premiss, root};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

const FILES: [&str; 6] = [
    "action.yml",
    "ci/gitlab.yml",
    ".pre-commit-hooks.yaml",
    ".github/workflows/ci.yml",
    ".github/workflows/release.yml",
    "examples/gate/base/.github/workflows/premiss.yml",
];
/// What the variables of these files stand for.
const VARIABLES: [(&str, &str); 13] = [
    ("PATHS", "src"),
    ("OPTIONS", "-P rows=100 -P columns=100"),
    ("BASE", "main"),
    ("SARIF", "premiss.sarif"),
    ("CHECKED_PATHS", "src"),
    ("CHECK_OPTIONS", ""),
    ("CI_MERGE_REQUEST_DIFF_BASE_SHA", "main"),
    ("SHARD", "1/2"),
    ("PARTS", "premiss-part-1.json premiss-part-2.json"),
    ("CI_NODE_INDEX", "1"),
    ("CI_NODE_TOTAL", "2"),
    ("notes", "."),
    ("trust", "--untrusted"),
];

fn yaml(file: &str) -> Value {
    let text =
        fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// All texts in a document.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(entries) => entries.values().for_each(|item| texts(item, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The command lines of premiss in a file.
fn command_lines(file: &str) -> Vec<String> {
    let mut found = Vec::new();
    texts(&yaml(file), &mut found);
    let lines = found.iter().flat_map(|text| text.lines());
    let lines = lines.map(|line| line.trim().to_owned());
    lines.filter(|line| line.starts_with("premiss ")).collect()
}

/// The example, with its base committed.
fn example(name: &str) -> Folder {
    let folder = Folder::repository(name);
    let base = root().join("examples/gate/base");
    for file in [
        "premiss.toml",
        "src/smooth.c",
        ".github/workflows/premiss.yml",
    ] {
        folder.write(file, &fs::read_to_string(base.join(file)).expect(file));
    }
    folder.commit();
    folder
}

/// Runs a script where `premiss` is the one that was built.
fn shell(folder: &Folder, script: &str, variables: &[(&str, &str)]) -> Run {
    let own = Path::new(env!("CARGO_BIN_EXE_premiss"))
        .parent()
        .expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new("bash");
    command.args(["-c", script]).current_dir(&folder.0);
    command.env("PATH", format!("{}:{path}", own.display()));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("PREMISS_")) {
        command.env_remove(name);
    }
    command
        .env_remove("HOME")
        .env_remove("XDG_STATE_HOME")
        .env_remove("XDG_CACHE_HOME")
        .env_remove("GITHUB_STEP_SUMMARY");
    command.envs(variables.iter().copied());
    Run::new(&command.output().expect("bash starts"))
}

#[test]
fn every_command_line_is_accepted() {
    let folder = example("lines");
    let mut number = 0;
    for file in FILES {
        for line in command_lines(file) {
            let own = line.split(" > ").next().expect("a command");
            // Read, and not run.
            let own = own.replacen("premiss ", "premiss --show-settings ", 1);
            let run = shell(&folder, &own, &VARIABLES);
            assert_eq!(run.code, Some(0), "{file}: {line}: {}", run.stderr);
            number += 1;
        }
    }
    assert_eq!(number, 16, "command lines");
    let wrong = shell(
        &folder,
        "premiss check --no-such-option --show-settings",
        &[],
    );
    assert_eq!(wrong.code, Some(2));
}

/// The step of the action that checks and compares.
fn action() -> String {
    let action = yaml("action.yml");
    let steps = action["runs"]["steps"].as_array().expect("steps").clone();
    let step = steps
        .iter()
        .find(|step| step["name"] == "Check and compare");
    step.expect("the step")["run"]
        .as_str()
        .expect("a script")
        .to_owned()
}

fn pull_request(name: &str, patch: &str, base: &str) -> (Folder, Run) {
    let folder = example(name);
    let patch = root().join("examples/gate").join(patch);
    let patch = patch
        .canonicalize()
        .expect("it is there")
        .display()
        .to_string();
    folder.git(&["switch", "--quiet", "--create", "change"]);
    folder.git(&["apply", &patch]).commit();
    let variables = [
        ("PATHS", "src"),
        ("OPTIONS", ""),
        ("BASE", base),
        ("SARIF", "premiss.sarif"),
        ("GITHUB_STEP_SUMMARY", "summary.md"),
    ];
    let run = shell(&folder, &action(), &variables);
    (folder, run)
}

#[test]
fn a_pull_request_that_changes_no_miss_passes() {
    let (folder, run) = pull_request("passing", "passing.patch", "main");
    let run = run.exits(0);
    assert!(!run.stdout.contains("::warning"), "{}", run.stdout);
    assert!(run.stdout.contains("1 unchanged"), "{}", run.stdout);
    let log: Value = serde_json::from_str(&folder.read("premiss.sarif")).expect("JSON");
    assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(0));
}

#[test]
fn a_pull_request_that_steps_over_rows_fails() {
    let (folder, run) = pull_request("failing", "failing.patch", "main");
    let run = run.exits(1);
    let annotation = "::warning title=premiss (PM007),file=src/smooth.c,line=6,endLine=6,";
    assert!(run.stdout.contains(annotation), "{}", run.stdout);
    assert!(run.stdout.contains("limits exceeded"), "{}", run.stdout);
    let log: Value = serde_json::from_str(&folder.read("premiss.sarif")).expect("JSON");
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "src/smooth.c");
}

#[test]
fn regressions_are_annotations_and_part_of_the_summary() {
    let (folder, run) = pull_request("annotated", "failing.patch", "main");
    let regression = "::error title=premiss (regression),file=src/smooth.c,line=6,";
    assert!(run.stdout.contains(regression), "{}", run.stdout);
    let summary = folder.read("summary.md");
    assert!(summary.contains("src/smooth.c"), "{summary}");
}

#[test]
fn jobs_of_a_matrix_share_the_check() {
    let folder = example("matrix");
    folder.write(
        "src/more.c",
        &folder.read("src/smooth.c").replace("smooth", "more"),
    );
    let whole = shell(&folder, &action(), &VARIABLES[..4]);
    for shard in ["1/2", "2/2"] {
        let variables = [
            ("PATHS", "src"),
            ("OPTIONS", VARIABLES[1].1),
            ("SHARD", shard),
        ];
        shell(&folder, &action(), &variables).exits(0);
    }
    let merging = |parts| {
        let variables = [
            ("PATHS", "src"),
            ("OPTIONS", VARIABLES[1].1),
            ("SARIF", "merged.sarif"),
        ];
        shell(
            &folder,
            &action(),
            &[&variables[..], &[("PARTS", parts)]].concat(),
        )
    };
    let merged = merging("premiss-part-*.json");
    assert!(
        whole.stdout.starts_with(&merged.stdout),
        "{}",
        merged.stdout
    );
    assert_eq!(folder.read("merged.sarif"), folder.read("premiss.sarif"));
    merging("premiss-part-2.json")
        .exits(3)
        .says("shard 1 of 2 is missing");
}

#[test]
fn the_action_does_not_pass_without_its_base() {
    let (_, run) = pull_request("no-base", "passing.patch", "origin/none");
    run.exits(2);
}

#[test]
fn the_readme_of_the_example_does_what_it_says() {
    let text = fs::read_to_string(root().join("examples/gate/README.md")).expect("it is there");
    let (_, block) = text.split_once("```sh\n").expect("a block");
    let (block, _) = block.split_once("```").expect("its end");
    let folder = Folder::new("readme");
    let own = folder.0.join("gate").display().to_string();
    let mut script = format!(
        "set -e; export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b\ncd '{}'\n",
        root().display()
    );
    let mut n_exits = 0;
    for line in block.replace("/tmp/gate", &own).lines() {
        match line.split_once("# exit ") {
            None => script.push_str(line),
            Some((command, code)) => {
                n_exits += 1;
                let code: String = code.chars().take_while(char::is_ascii_digit).collect();
                script.push_str(&format!(
                    "code=0; {command} || code=$?; test $code = {code}"
                ));
            }
        }
        script.push('\n');
    }
    assert_eq!(n_exits, 4);
    let run = shell(&folder, &script, &[]).exits(0);
    for part in ["PM007", "62.5 k   558 k", "1 unchanged"] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
}

#[test]
fn files_have_what_their_readers_want() {
    let action = yaml("action.yml");
    assert_eq!(action["runs"]["using"], "composite");
    for step in action["runs"]["steps"].as_array().expect("steps") {
        assert!(step["shell"].is_string(), "{step}");
    }
    for hook in yaml(".pre-commit-hooks.yaml").as_array().expect("hooks") {
        let arguments = hook["args"].as_array().expect("arguments");
        assert_eq!(arguments.last().expect("one"), "--", "{hook}");
        for key in ["id", "name", "entry", "language"] {
            assert!(hook[key].is_string(), "{hook}");
        }
    }
    let ci = yaml(".github/workflows/ci.yml");
    let mut steps = Vec::new();
    texts(&ci, &mut steps);
    assert!(steps.iter().any(|step| step == ".ci/run"), "{steps:?}");
    let release = yaml(".github/workflows/release.yml");
    let matrix = &release["jobs"]["build"]["strategy"]["matrix"]["include"];
    let targets: Vec<&str> = matrix
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|x| x["target"].as_str())
        .collect();
    // Nothing that starts with a dash is an option because a file is called so.
    for file in &FILES[..2] {
        for line in command_lines(file) {
            let (_, paths) = line.split_once(" -- ").unwrap_or_else(|| panic!("{line}"));
            assert!(!paths.contains("OPTIONS"), "{line}");
        }
    }
    // The action installs what the release has.
    let mut scripts = Vec::new();
    texts(&action, &mut scripts);
    for target in targets {
        assert!(scripts.iter().any(|text| text.contains(target)), "{target}");
    }
}

#[test]
fn completions_and_manual_pages_are_written() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = premiss(&["completions", shell]).exits(0);
        assert!(run.stdout.contains("baseline"), "{shell}");
    }
    premiss(&["completions", "sh"]).exits(2);
    let page = premiss(&["man"]).exits(0).stdout;
    assert!(page.contains(".TH premiss 1"), "{page}");
    let page = premiss(&["man", "check"]).exits(0).stdout;
    assert!(page.contains("min\\-coverage"), "{page}");
    premiss(&["man", "chek"])
        .exits(2)
        .says("did you mean `check`?");
}
