//! The gate where levels are estimated from samples: by their intervals, with labels, and with a way to decide.

use crate::repository::Repository;
use crate::{Folder, Run, root};
use serde_json::Value;
use std::fs;

/// Budgets that do not suffice for counting a kernel at sizes of 100.
const SAMPLED: [&str; 4] = ["--budget", "3e6", "--effort", "300"];

fn kernel(name: &str) -> String {
    let path = root().join(format!("testdata/kernels/c/{name}.c"));
    fs::read_to_string(path).expect("a kernel")
}

/// The options that give the sizes of a kernel values.
fn sizes(text: &str) -> Vec<String> {
    let defined = text
        .lines()
        .filter_map(|line| line.strip_prefix("#define "));
    let names = defined.filter_map(|line| line.split(' ').next());
    names
        .flat_map(|name| ["-P".to_owned(), format!("{name}=100")])
        .collect()
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).expect("JSON")
}

/// A command on a kernel in a file by itself.
fn on_kernel(name: &str, text: &str, command: &str, options: &[&str]) -> Run {
    let folder = Folder::new(&format!("samples-{name}-{command}-{}", options.len()));
    folder.write("k.c", text);
    let sizes = sizes(text);
    let sizes: Vec<&str> = sizes.iter().map(String::as_str).collect();
    folder.premiss(&[&[command, "k.c"][..], &sizes, options].concat())
}

#[test]
fn findings_on_samples_have_an_interval_that_holds_the_exact_count() {
    let text = kernel("gemm");
    let cache = ["--cache", "L1=2KiB,1,16"];
    let run = on_kernel("gemm", &text, "check", &[&cache[..], &SAMPLED].concat());
    let run = run
        .exits(1)
        .says("1 function is estimated from samples")
        .says("--exact");
    assert!(
        run.stdout.contains("L1 misses are conflicts"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("at least ~"), "{}", run.stdout);
    let options = [&cache[..], &SAMPLED, &["--format", "json"]].concat();
    let check = json(&on_kernel("gemm", &text, "check", &options).exits(1));
    let options = [&cache[..], &["--exact", "--format", "json"]].concat();
    let report = json(&on_kernel("gemm", &text, "report", &options).exits(0));
    let references = report["functions"][0]["references"]
        .as_array()
        .expect("references");
    let diagnostics = check["diagnostics"].as_array().expect("diagnostics").iter();
    let findings: Vec<&Value> = diagnostics.filter(|x| x["misses"].is_object()).collect();
    assert!(!findings.is_empty(), "{check}");
    for finding in findings {
        let misses = &finding["misses"];
        assert_eq!(misses["kind"], "estimate");
        let place = |x: &Value| (x["line"].clone(), x["column"].clone());
        let there = references.iter().filter(|x| place(x) == place(finding));
        let exact = there.map(|x| {
            let misses = &x["levels"][0]["misses"];
            assert_eq!(misses["kind"], "exact");
            misses["value"].as_u64().expect("a number")
        });
        let exact: u64 = exact.sum();
        let end = |name: &str| misses[name].as_u64().expect("a number");
        assert!(
            end("lower") <= exact && exact <= end("upper"),
            "{exact}: {finding}"
        );
        assert!(end("lower") < end("upper"), "{finding}");
    }
}

#[test]
fn an_interval_over_the_limit_of_a_rule_is_undecided_and_exact_decides() {
    let text = kernel("trmm");
    let cache = ["--cache", "L1=4KiB,2,32", "--format", "json"];
    let options = [&cache[..], &SAMPLED].concat();
    let run = on_kernel("trmm", &text, "check", &options).exits(3);
    let run = run.says("reach over the limits of rules at 1 place, which --exact decides");
    let is_open = |x: &&Value| x["code"] == "PM007-undecided";
    let report = json(&run);
    let diagnostics = report["diagnostics"].as_array().expect("diagnostics");
    let open: Vec<&Value> = diagnostics.iter().filter(is_open).collect();
    assert_eq!(open.len(), 1, "{report}");
    assert_eq!(
        (&open[0]["severity"], &open[0]["misses"]["kind"]),
        (&"note".into(), &"estimate".into())
    );
    assert!(
        open[0]["help"]
            .as_str()
            .is_some_and(|x| x.contains("--exact")),
        "{report}"
    );
    let exact = on_kernel("trmm", &text, "check", &[&cache[..], &["--exact"]].concat());
    assert!(exact.code != Some(3), "{}", exact.stderr);
    assert!(!exact.stdout.contains("undecided"), "{}", exact.stdout);
    // A comment on the rule is one on what may be its finding.
    let line = open[0]["line"].as_u64().expect("a line");
    let lines = (1..)
        .zip(text.lines())
        .map(|(number, one)| match number == line {
            true => format!("{one} // premiss:ignore[PM007] as it is\n"),
            false => format!("{one}\n"),
        });
    let silenced = on_kernel("trmm", &lines.collect::<String>(), "check", &options);
    assert!(
        !silenced.stdout.contains("PM007-undecided"),
        "{}",
        silenced.stdout
    );
}

#[test]
fn comparisons_go_by_intervals() {
    let text = kernel("gemm");
    let repository = Repository::new("samples-diff");
    repository.write("k.c", &text).commit();
    let all_sizes = sizes(&text);
    let cache = ["--cache", "L1=2KiB,1,16"];
    let diff_as = |format: &str, more: &[&str]| {
        let options = ["--base", "HEAD", "--format", format];
        let sizes = all_sizes.iter().map(String::as_str);
        let options: Vec<&str> = options.into_iter().chain(sizes).collect();
        repository.diff_with(&[&options[..], more].concat(), &cache)
    };
    let diff = |more: &[&str]| diff_as("json", more);
    let l1 = |run: &Run| json(run)["kernels"][0]["metrics"][0].clone();

    // B by columns: more misses, whatever the intervals hold.
    repository.write("k.c", &text.replace("B[k][j]", "B[j][k]"));
    let run = diff(&SAMPLED).exits(1);
    let metric = l1(&run);
    assert_eq!(metric["verdict"], "exceeds");
    let end = |side: &str, name: &str| metric[side][name].as_u64().expect("a number");
    for side in ["before", "after"] {
        assert_eq!(metric[side]["kind"], "estimate");
        assert!(end(side, "lower") < end(side, "upper"), "{metric}");
    }
    assert!(end("before", "upper") < end("after", "lower"), "{metric}");
    let exact = l1(&diff(&["--exact"]).exits(1));
    for side in ["before", "after"] {
        let count = exact[side]["value"].as_u64().expect("a number");
        assert!(
            (end(side, "lower")..=end(side, "upper")).contains(&count),
            "{exact}: {metric}"
        );
    }

    // One access more, of a line that is there: about as many misses.
    repository.write(
        "k.c",
        &text.replace("C[i][j] += alpha", "C[i][j] += A[i][k] + alpha"),
    );
    let run = diff(&SAMPLED).exits(3);
    assert_eq!(l1(&run)["verdict"], "undecided");
    let text = diff_as("text", &SAMPLED).exits(3);
    assert!(
        text.stdout.contains("undecided: --exact decides"),
        "{}",
        text.stdout
    );
    assert!(
        text.stdout.contains('~') && text.stdout.contains(" ("),
        "{}",
        text.stdout
    );
    let run = diff(&["--exact"]);
    assert_ne!(l1(&run)["verdict"], "undecided");
}
