//! `--format callgrind`: what KCachegrind and `callgrind_annotate` read.

use crate::{Folder, premiss};
use std::collections::BTreeMap;
use std::process::Command;

const GEMM: &str = "testdata/kernels/c/gemm.c";

/// A profile as a reader understands it: events, their sum, and costs by file, function and line.
struct Profile {
    events: Vec<String>,
    summary: Vec<u64>,
    costs: BTreeMap<(String, String, u32), Vec<u64>>,
}

fn parse(text: &str) -> Profile {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("# callgrind format"));
    assert_eq!(lines.next(), Some("version: 1"));
    let mut profile = Profile {
        events: Vec::new(),
        summary: Vec::new(),
        costs: BTreeMap::new(),
    };
    let (mut file, mut function) = (String::new(), String::new());
    let numbers = |text: &str| -> Vec<u64> {
        let words = text.split_whitespace();
        words.map(|word| word.parse().expect("a cost")).collect()
    };
    for line in lines.filter(|line| !line.is_empty()) {
        if let Some(rest) = line.strip_prefix("events: ") {
            profile.events = rest.split(' ').map(str::to_owned).collect();
        } else if let Some(rest) = line.strip_prefix("summary: ") {
            profile.summary = numbers(rest);
        } else if let Some(rest) = line.strip_prefix("fl=").or(line.strip_prefix("fi=")) {
            rest.clone_into(&mut file);
        } else if let Some(rest) = line.strip_prefix("fn=") {
            rest.clone_into(&mut function);
        } else if line.starts_with(|x: char| x.is_ascii_digit()) {
            let mut costs = numbers(line);
            let number = u32::try_from(costs.remove(0)).expect("a line");
            assert_eq!(costs.len(), profile.events.len(), "{line}");
            let key = (file.clone(), function.clone(), number);
            assert!(profile.costs.insert(key, costs).is_none(), "{line}: twice");
        } else {
            let known = ["creator: ", "cmd: ", "positions: line", "event: ", "desc: "];
            assert!(known.iter().any(|head| line.starts_with(head)), "{line}");
        }
    }
    profile
}

#[test]
fn costs_are_the_counts_of_the_report() {
    let run = premiss(&[
        "report",
        GEMM,
        "--format",
        "callgrind",
        "--cache",
        "L1=4KiB,full,64",
    ]);
    let Profile {
        events,
        summary,
        costs,
    } = parse(&run.exits(0).stdout);
    assert_eq!(events, ["Accesses", "L1Misses"]);
    let json = premiss(&[
        "report",
        GEMM,
        "--format",
        "json",
        "--cache",
        "L1=4KiB,full,64",
    ]);
    let report: serde_json::Value = serde_json::from_str(&json.exits(0).stdout).expect("JSON");
    let function = &report["functions"][0];
    let totals = [
        &function["accesses"]["value"],
        &function["levels"][0]["misses"]["value"],
    ];
    assert_eq!(
        totals.map(serde_json::Value::as_u64),
        [Some(summary[0]), Some(summary[1])]
    );
    let sum = |idx: usize| costs.values().map(|row| row[idx]).sum::<u64>();
    assert_eq!(summary, [sum(0), sum(1)]);
    let keys: Vec<_> = costs
        .keys()
        .map(|(x, y, line)| (x.as_str(), y.as_str(), *line))
        .collect();
    assert_eq!(keys, [(GEMM, "kernel_gemm", 17), (GEMM, "kernel_gemm", 20)]);
}

#[test]
fn check_writes_it_beside_other_forms() {
    let folder = Folder::repository("callgrind");
    folder.write(
        "inc/part.h",
        "static void part(double *a)\n{\n  for (int i = 0; i < 80; i++)\n    a[i] = 0;\n}\n",
    );
    folder.write(
        "src/k.c",
        "#include \"../inc/part.h\"\nvoid g(double *);\nvoid f(double *a, int *b)\n{\n  part(a);\n  \
         for (int i = 0; i < 80; i++)\n    if (b[i]) a[i]++;\n}\n",
    );
    let run = folder.premiss(&["check", "src", "--format", "text,callgrind:out.callgrind"]);
    run.exits(0);
    let text = folder.read("out.callgrind");
    let profile = parse(&text);
    let f: Vec<_> = profile.costs.keys().filter(|key| key.1 == "f").collect();
    assert!(
        f.iter().any(|key| key.0 == "inc/part.h" && key.2 == 4),
        "{text}"
    );
    assert!(text.contains("desc: Note: lower bounds in f\n"), "{text}");
}

#[test]
fn what_is_unknown_is_named() {
    let unknown = "void search(double *x)\n{\n  for (int i = 0; i < 9; i++)\n    while (x[i] > 0) x[i] /= 2;\n}\n";
    let run = crate::premiss_on(unknown, &["check", "-", "--format", "callgrind"]).exits(1);
    assert!(
        run.stdout.contains("desc: Note: nothing known in search\n"),
        "{}",
        run.stdout
    );
    assert!(run.stderr.contains("there are findings"), "{}", run.stderr);
}

/// Without valgrind's scripts the test passes and says that it was skipped.
#[test]
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
fn callgrind_annotate_opens_it() {
    let folder = Folder::repository("annotate");
    let source = std::fs::read_to_string(crate::root().join(GEMM)).expect("it is there");
    folder.write("gemm.c", &source);
    folder
        .premiss(&[
            "report",
            "gemm.c",
            "--format",
            "callgrind",
            "-o",
            "callgrind.out",
        ])
        .exits(0);
    let mut annotate = Command::new("callgrind_annotate");
    annotate
        .args(["--auto=yes", "--threshold=100", "callgrind.out"])
        .current_dir(&folder.0);
    let Ok(output) = annotate.output() else {
        println!("skipped: there is no callgrind_annotate");
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(text.contains("kernel_gemm"), "{text}");
    assert!(text.contains("L1Misses"), "{text}");
    assert!(
        text.contains("C[i][j] += alpha * A[i][k] * B[k][j];"),
        "{text}"
    );
}
