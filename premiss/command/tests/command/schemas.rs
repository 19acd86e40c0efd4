//! What is written is what schemas say: our own, which are published, and those of other people's forms.

use crate::{Folder, Run, premiss, premiss_on, root};
use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;
use std::fs;
use std::process::Command;

const GEMM: &str = "testdata/kernels/c/gemm.c";
const TRANSPOSE: &str = "testdata/kernels/c/micro/transpose.c";
/// A strided read, what nobody understands, and a size without a value.
const MIXED: &str = "double s;\nvoid f(double a[200][200])\n{\n  for (int j = 0; j < 200; j++)\n    \
                     for (int i = 0; i < 200; i++)\n      s += a[i][j];\n}\n\
                     void search(double *x)\n{\n  for (int i = 0; i < 9; i++)\n    while (x[i] > 0) x[i] /= 2;\n}\n\
                     void scale(int n, double *x)\n{\n  for (int i = 0; i < n; i++)\n    x[i] *= 2;\n}\n";

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// A schema that holds what schemas of its dialect have to hold.
#[track_caller]
fn compiled(schema: &Value) -> (Schemas, SchemaIndex) {
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    let place = "memory:schema.json";
    let added = compiler.add_resource(place, schema.clone());
    added.expect("a name of its own");
    let compiled = compiler.compile(place, &mut schemas);
    let schema = compiled.unwrap_or_else(|error| panic!("no schema: {error:#}"));
    (schemas, schema)
}

#[track_caller]
fn validate(schema: &Value, instance: &Value) {
    let (schemas, schema) = compiled(schema);
    if let Err(error) = schemas.validate(instance, schema) {
        panic!("{error:#}");
    }
}

/// The schema of that name, as it is published.
fn published(name: &str) -> Value {
    let path = root().join(format!("schemas/{name}.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    json(&text)
}

/// A schema of other people's.
fn foreign(name: &str) -> Value {
    let path = root().join("testdata/schemas").join(name);
    let text = fs::read_to_string(path).expect("it is there");
    // A bracket that nothing opens: old dialects take it for itself, Unicode's do not. We write no language.
    json(&text.replace("-[a-zA-Z]{2}]?$", "-[a-zA-Z]{2}$"))
}

#[track_caller]
fn holds(name: &str, run: &Run) {
    validate(&published(name), &json(&run.stdout));
}

/// To write them anew: `for name in $(premiss schema); do premiss schema $name > schemas/$name.json; done`.
#[test]
fn schemas_are_published_as_the_command_prints_them() {
    let names = premiss(&["schema"]).exits(0).stdout;
    let names: Vec<&str> = names.lines().collect();
    assert!(10 <= names.len(), "{names:?}");
    for name in &names {
        let text = premiss(&["schema", name]).exits(0).stdout;
        let path = root().join(format!("schemas/{name}.json"));
        assert_eq!(fs::read_to_string(path).expect(name), text, "{name}");
        let schema = json(&text);
        assert_eq!(
            schema["$schema"],
            "https://json-schema.org/draft/2020-12/schema"
        );
        compiled(&schema);
    }
    let files = fs::read_dir(root().join("schemas"))
        .expect("a folder")
        .count();
    assert_eq!(files, names.len(), "schemas that the command does not know");
    premiss(&["schema", "reprot"])
        .exits(2)
        .says("did you mean `report`?");
}

#[test]
fn reports_hold() {
    let form = ["--format", "json"];
    let of = |arguments: &[&str]| premiss(&[arguments, &form].concat());
    holds("report", &of(&["report", GEMM, "--histogram"]).exits(0));
    holds(
        "report",
        &of(&["report", GEMM, "-m", "zen4", "--engine", "closed"]).exits(0),
    );
    holds(
        "report",
        &premiss_on(MIXED, &["report", "-", "--format", "json"]).exits(3),
    );
    let random = ["report", GEMM, "--cache", "L1=4KiB,8,64,random"];
    holds("report", &of(&random).exits(0));
    holds("coverage", &of(&["coverage", GEMM]).exits(0));
    holds(
        "coverage",
        &premiss_on(MIXED, &["coverage", "-", "--format", "json"]),
    );
    holds(
        "check",
        &premiss_on(MIXED, &["check", "-", "--format", "json"]).exits(1),
    );
}

#[test]
fn formulas_sweeps_and_explanations_hold() {
    let cache = ["--cache", "L1=4KiB,full,64", "--format", "json"];
    let of = |arguments: &[&str]| premiss(&[arguments, &cache].concat());
    holds("formula", &of(&["formula", TRANSPOSE]).exits(0));
    holds(
        "formula",
        &of(&["formula", TRANSPOSE, "--convention", "pbound"]).exits(0),
    );
    holds(
        "sweep",
        &of(&["sweep", TRANSPOSE, "-P", "n=64..256"]).exits(0),
    );
    holds(
        "explain",
        &of(&["explain", &format!("{TRANSPOSE}:7:17")]).exits(0),
    );
    holds(
        "rule",
        &premiss(&["explain", "PM001", "--format", "json"]).exits(0),
    );
    holds(
        "formula-emit",
        &premiss(&["formula", TRANSPOSE, "--emit", "json"]).exits(0),
    );
}

#[test]
fn comparisons_and_baselines_hold() {
    let folder = Folder::repository("schemas");
    folder.write("old.c", MIXED);
    folder.write(
        "new.c",
        &MIXED
            .replace("a[i][j]", "a[j][i]")
            .replace("x[i] > 0", "x[i] > 1"),
    );
    let diff = |base: &str, head: &str| folder.premiss(&["diff", base, head, "--format", "json"]);
    for run in [
        diff("old.c", "new.c"),
        diff("new.c", "old.c"),
        diff("old.c", "old.c"),
    ] {
        holds("diff", &run);
    }
    let forms = "sarif:diff.sarif,gitlab:diff.json,text";
    let cache = ["--cache", "L1=4KiB,full,64"];
    let diff = ["diff", "new.c", "old.c", "--format", forms];
    folder.premiss(&[&diff[..], &cache].concat()).exits(1);
    validate(
        &foreign("sarif-2.1.0.json"),
        &json(&folder.read("diff.sarif")),
    );
    validate(
        &foreign("gitlab-code-quality.json"),
        &json(&folder.read("diff.json")),
    );
    folder.premiss(&["baseline", "write", "old.c"]).exits(0);
    validate(
        &published("baseline"),
        &json(&folder.read("premiss-baseline.json")),
    );
    let known = [
        "check",
        "old.c",
        "--baseline",
        "premiss-baseline.json",
        "--format",
        "json",
    ];
    holds("check", &folder.premiss(&known).exits(0));
    let shard = ["check", "old.c", "--shard", "1/1", "--format", "json"];
    holds("check", &folder.premiss(&shard).exits(0));
}

#[test]
fn forms_of_other_tools_hold() {
    let sarif = premiss_on(MIXED, &["check", "-", "--format", "sarif"]).exits(1);
    validate(&foreign("sarif-2.1.0.json"), &json(&sarif.stdout));
    let empty = premiss(&["check", GEMM, "--format", "sarif"]).exits(0);
    validate(&foreign("sarif-2.1.0.json"), &json(&empty.stdout));
    let gitlab = premiss_on(MIXED, &["check", "-", "--format", "gitlab"]).exits(1);
    validate(&foreign("gitlab-code-quality.json"), &json(&gitlab.stdout));
}

/// Without xmllint the test passes and says that it was skipped.
#[test]
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
fn junit_holds() {
    let folder = Folder::new("junit-schema");
    let schema = root().join("testdata/schemas/junit-10.xsd");
    for (name, run) in [
        (
            "found.xml",
            premiss_on(MIXED, &["check", "-", "--format", "junit"]).exits(1),
        ),
        (
            "empty.xml",
            premiss(&["check", GEMM, "--format", "junit"]).exits(0),
        ),
    ] {
        folder.write(name, &run.stdout);
        let mut command = Command::new("xmllint");
        command
            .args(["--noout", "--nonet", "--schema"])
            .arg(&schema)
            .arg(name);
        let Ok(output) = command.current_dir(&folder.0).output() else {
            println!("skipped: there is no xmllint");
            return;
        };
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
    }
}
