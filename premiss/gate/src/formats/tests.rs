use super::*;
use crate::finding::Finding;
use crate::results::number;
use flate2::write::GzEncoder;
use premiss_source::{Diagnostic, Label, Severity, SourceMap, Span};
use std::io::Write as _;

const PAGE: &str = "void f(double a[9][9])\n{\n  s += a[i][j];\n  t += a[i][j];\n}\n";

/// Warnings of one code at all places of a text in a file, by their order in it.
fn at(source: &str, text: &str, path: &str) -> Results {
    let mut sources = SourceMap::new();
    let file = sources.add(path, source.into()).expect("it is small");
    let found = source.match_indices(text).map(|(start, _)| Finding {
        function: "f".to_owned(),
        text: text.to_owned(),
        enclosing: Vec::new(),
        estimate: None,
        bytes: 64,
        diagnostic: Diagnostic {
            code: "PM001",
            severity: Severity::Warning,
            message: "100 % of <x> | y: z, \"w\"\nis `lost`".to_owned(),
            labels: vec![Label {
                span: Span {
                    file,
                    start: u32::try_from(start).expect("it is small"),
                    end: u32::try_from(start + text.len()).expect("it is small"),
                },
                text: String::new(),
            }],
            help: None,
            sizes: Vec::new(),
        },
    });
    let found: Vec<Finding> = found.collect();
    let same = |path: &str| path.to_owned();
    Results::new(&sources, &same, &found, &[], conditions())
}

fn conditions() -> Conditions {
    Conditions {
        machine: "spr".to_owned(),
        machine_id: "spr@4f1c".to_owned(),
        coverage: "Coverage: 1/1 nests exact, 0 bounded, 0 unknown".to_owned(),
        held_back: None,
    }
}

fn prints(results: &Results) -> Vec<&str> {
    results
        .issues
        .iter()
        .map(|x| x.fingerprint.as_str())
        .collect()
}

#[test]
fn fingerprints_stay_where_lines_shift_and_tell_occurrences_apart() {
    let before = at(PAGE, "a[i][j]", "f.c");
    let [first, second] = prints(&before)[..] else {
        panic!("there are two");
    };
    assert_ne!(first, second);
    let shifted = format!("/* a\n   comment */\n{}", PAGE.replace("s +=", "    s  +="));
    assert_eq!(prints(&at(&shifted, "a[i][j]", "f.c")), [first, second]);
    let renamed = at(PAGE, "a[i][j]", "g.c");
    assert_eq!(prints(&renamed), [first, second]);
    // What becomes the only one is the first; another text is another thing.
    let one = PAGE.replacen("a[i][j]", "b", 1);
    assert_eq!(prints(&at(&one, "a[i][j]", "f.c")), [first]);
    let other = at(&PAGE.replace("a[i]", "b[i]"), "b[i][j]", "f.c");
    assert!(prints(&other).iter().all(|x| ![first, second].contains(x)));
}

#[test]
fn order_of_findings_does_not_change_fingerprints() {
    let before = at(PAGE, "a[i][j]", "f.c");
    let mut issues = before.issues.clone();
    issues.reverse();
    let subject = ("PM001", "f".to_owned(), "a[i][j]".to_owned());
    number(&mut issues, &[subject.clone(), subject]);
    issues.reverse();
    let after: Vec<&str> = issues.iter().map(|x| x.fingerprint.as_str()).collect();
    assert_eq!(prints(&before), after);
}

#[test]
fn a_place_is_one_line() {
    let results = at(PAGE, "{\n  s += a[i][j];\n", "f.c");
    let place = results.issues[0].place.as_ref().expect("it has one");
    assert_eq!((place.line, place.column, place.end_column), (2, 1, 2));
}

#[test]
fn each_form_escapes_what_means_something_in_it() {
    let results = at(PAGE, "a[i][j]", "a b,ü.c");
    let sarif: serde_json::Value = serde_json::from_str(&sarif(&results)).expect("JSON");
    let result = &sarif["runs"][0]["results"][0];
    let location = &result["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "a%20b%2C%C3%BC.c");
    let expected = "::warning title=premiss (PM001),file=a b%2Cü.c,line=3,endLine=3,col=8,endColumn=15::\
                    100 %25 of <x> | y: z, \"w\"%0Ais `lost`\n";
    assert!(
        github(&results).starts_with(expected),
        "{}",
        github(&results)
    );
    let junit = junit(&results);
    assert!(
        junit.contains("message=\"100 % of &lt;x&gt; | y: z, &quot;w&quot;&#10;is `lost`\""),
        "{junit}"
    );
    let markdown = markdown(&results);
    assert!(
        markdown.contains("100 % of &lt;x> \\| y: z, \"w\"<br>is \\`lost\\` |\n"),
        "{markdown}"
    );
}

#[test]
fn what_sources_say_links_and_mentions_nothing() {
    let text = "[a](https://e.org) @team ::error::x \u{202e}\u{1b}[2J";
    let mut results = at(PAGE, "a[i][j]", "f.c");
    text.clone_into(&mut results.issues[0].message);
    assert!(sarif(&results).contains("[a] (https://e.org) @team"));
    let markdown = markdown(&results);
    let shown = "\\[a\\](https:&#8203;//e.org) @&#8203;team ::error::x \\\\u202e\\\\u001b\\[2J";
    assert!(markdown.contains(shown), "{markdown}");
    let junit = junit(&results);
    assert!(
        junit.contains("@team ::error::x \\u202e\\u001b[2J"),
        "{junit}"
    );
    let github = github(&results);
    assert!(
        github
            .lines()
            .all(|line| line.starts_with("::warning title=premiss"))
    );
    assert!(github.contains("\\u202e\\u001b[2J"), "{github}");
}

#[test]
fn what_github_would_not_show_is_counted() {
    let lines = |n: usize| "a[i][j];\n".repeat(n);
    let ten = at(&lines(10), "a[i][j]", "f.c");
    assert_eq!(without_annotation(&ten), 0);
    assert_eq!(github(&ten).lines().count(), 10);
    let twelve = at(&lines(12), "a[i][j]", "f.c");
    assert_eq!(without_annotation(&twelve), 2);
    let text = github(&twelve);
    assert_eq!(text.matches("::warning ").count(), 10);
    assert!(
        text.ends_with("::notice title=premiss::2 more results without an annotation\n"),
        "{text}"
    );
}

#[test]
fn sarif_keeps_to_the_limits_of_github_and_says_so() {
    let log = |n: usize| -> (usize, serde_json::Value) {
        let results = at(&"a;\n".repeat(n), "a", "f.c");
        let log: serde_json::Value = serde_json::from_str(&sarif(&results)).expect("JSON");
        let run = &log["runs"][0];
        let results = run["results"].as_array().expect("results").len();
        let notes = &run["invocations"][0]["toolExecutionNotifications"];
        (results, notes[0]["message"]["text"].clone())
    };
    assert_eq!(log(5_000), (5_000, serde_json::Value::Null));
    let (results, note) = log(5_001);
    assert_eq!(results, 5_001);
    assert!(
        note.as_str()
            .expect("a note")
            .starts_with("of 5001 results GitHub shows 5000")
    );
    let (results, note) = log(25_001);
    assert_eq!(results, 25_000);
    assert!(
        note.as_str()
            .expect("a note")
            .starts_with("of 25001 results the first 25000 are here")
    );
}

/// GitHub takes 10 MB of compressed log; here hardly anything repeats, as in no real one.
#[test]
fn the_largest_log_is_small_enough_for_github() {
    let mut results = at(&"a;\n".repeat(25_001), "a", "f.c");
    let mut state = 1_u64;
    for issue in &mut results.issues {
        let mut random = String::new();
        for _ in 0..12 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            random.push_str(&format!("{state:016x} "));
        }
        issue.message = random;
    }
    let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed
        .write_all(sarif(&results).as_bytes())
        .expect("memory");
    let bytes = packed.finish().expect("memory").len();
    assert!(bytes < 10_000_000, "{bytes}");
}

#[test]
fn what_has_no_place_is_a_notification() {
    let lost = Diagnostic {
        code: "no-place",
        severity: Severity::Warning,
        message: "nowhere".to_owned(),
        labels: Vec::new(),
        help: Some("look".to_owned()),
        sizes: Vec::new(),
    };
    let same = |path: &str| path.to_owned();
    let results = Results::new(&SourceMap::new(), &same, &[], &[lost], conditions());
    let log: serde_json::Value = serde_json::from_str(&sarif(&results)).expect("JSON");
    let run = &log["runs"][0];
    assert_eq!(run["results"], serde_json::json!([]));
    let notes = &run["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(notes[0]["message"]["text"], "nowhere\nhelp: look");
    assert_eq!(
        github(&results),
        "::warning title=premiss (no-place)::nowhere%0Ahelp: look\n"
    );
}

#[test]
fn nothing_to_say_is_still_a_report() {
    let results = at(PAGE, "nothing of it", "f.c");
    assert_eq!(github(&results), "");
    assert_eq!(gitlab(&results), "[]\n");
    assert!(junit(&results).contains("tests=\"1\" failures=\"0\" errors=\"0\""));
    assert!(markdown(&results).starts_with("### premiss: 0 findings\n"));
    let log: serde_json::Value = serde_json::from_str(&sarif(&results)).expect("JSON");
    assert_eq!(log["runs"][0]["results"], serde_json::json!([]));
}
