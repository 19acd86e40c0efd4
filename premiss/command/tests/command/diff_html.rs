//! A comparison as a page: the numbers of its document, both programs in each picture, and nothing from elsewhere.

use crate::diff::BY_ROWS;
use crate::html::{check_all, check_numbers, embedded, thousand_lines};
use crate::premiss;
use crate::repository::Repository;
use serde_json::Value;
use std::fs;

const SUM: &str = "double s;\nvoid f(int n, double a[n][n])\n{\n  for (int i = 0; i < n; i++)\n    \
                   for (int j = 0; j < n; j++)\n      s += a[i][j];\n}\n";

fn with(name: &str, before: &str, after: &str) -> Repository {
    let repository = Repository::new(&format!("html-{name}"));
    repository.write("src/k.c", before).commit();
    repository.write("src/k.c", after);
    repository
}

/// The page and the document of one comparison.
fn page_and_json(repository: &Repository, arguments: &[&str], code: i32) -> (String, Value) {
    let base = ["--base", "HEAD", "src", "--format", "html:d.html,json"];
    let run = repository
        .diff(&[&base[..], arguments].concat())
        .exits(code);
    let page = fs::read_to_string(repository.path("d.html")).expect("a page");
    let json = serde_json::from_str(&run.stdout).expect("JSON");
    check_all(&page);
    assert_eq!(embedded(&page), json);
    (page, json)
}

/// Rows of the numbers of a figure.
fn rows(page: &str, figure: &str) -> Vec<String> {
    let (_, rest) = page
        .split_once(&format!("<figure data-name=\"{figure}\">"))
        .expect(figure);
    let (figure, _) = rest.split_once("</figure>").expect("its end");
    let (_, table) = figure.split_once("<tbody>").expect("numbers");
    table.split("<tr>").skip(1).map(str::to_owned).collect()
}

#[test]
fn a_regression_stands_on_its_line_beside_what_it_was() {
    let repository = with("line", SUM, &SUM.replace("a[i][j]", "a[j][i]"));
    let (page, json) = page_and_json(&repository, &["-P", "n=200"], 1);
    // Three metrics, each with two counts, and two more where one grew most.
    assert!(8 <= check_numbers(&page, &json));
    for part in [
        "<title>premiss: HEAD → the working tree</title>",
        "Limits exceeded: 1 of 3 counts are certain",
        "Exit code 1: a regression past its limit",
        "<tr class=\"finding exceeds\">",
        "`f` exceeds its limits: l1_miss 5000 → 40.0 k (limit 1%&amp;1e3)",
        "<data value=\"35000\">35.0 k</data>",
        "+700.0 %",
        "▲ was <data value=\"5000\">5000</data>",
        "Source of the base",
        "base: fully associative, 64 B lines",
        "head: fully associative, 64 B lines",
        "left, pale: base; right: head",
        "Misses against n",
        "What is unknown in the base",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for figure in ["miss-ratio", "reuse-distances", "misses-against-n"] {
        let rows = rows(&page, &format!("premiss-1-f-{figure}"));
        for side in ["base", "head"] {
            let first = format!("<th scope=\"row\">{side}</th>");
            assert!(
                rows.iter().any(|row| row.starts_with(&first)),
                "{figure}: {side}"
            );
        }
    }
    // 64 lines: what is used again in the base is there, in the head it is not.
    let rows = rows(&page, "premiss-1-f-miss-ratio");
    let has = |side: &str, misses: u32| {
        rows.iter()
            .any(|row| row.contains(side) && row.contains(&format!("<data value=\"{misses}\">")))
    };
    assert!(has(">base<", 5000) && has(">head<", 40_000));
    // Text and page come from one run, and a page from a run of its own is the same.
    let run = repository.diff(&["--base", "HEAD", "src", "-P", "n=200", "-o", "own.html"]);
    assert_eq!(run.exits(1).stdout, "");
    let own = fs::read_to_string(repository.path("own.html")).expect("a page");
    assert_eq!(own, page);
    assert!(!page.contains(&*repository.path("src").to_string_lossy()));
}

#[test]
fn the_roofline_leads_from_the_base_to_the_head() {
    let repository = with("roofline", SUM, &SUM.replace("a[i][j]", "a[j][i]"));
    let run = repository.diff_with(
        &[
            "--base", "HEAD", "src", "-P", "n=100", "--limit", "0%", "--format", "html",
        ],
        &["-m", "spr"],
    );
    let page = run.exits(1).stdout;
    check_all(&page);
    let rows = rows(&page, "premiss-roofline");
    assert!(rows.iter().any(|row| row.contains(">base<")));
    assert!(rows.iter().any(|row| row.contains(">head<")));
    assert!(page.contains("b: base; dotted: from base to head"));
    assert!(page.contains("Least time"));
}

#[test]
fn what_is_new_gone_or_the_same_has_its_words() {
    let before = format!(
        "{BY_ROWS}void old(double x[9])\n{{\n  for (int i = 0; i < 9; i++)\n    x[i] = 1;\n}}\n"
    );
    let after = format!(
        "{BY_ROWS}void fresh(float y[64], int p[64], float z[64])\n{{\n  for (int i = 0; i < 64; i++)\n    \
         for (int j = 0; j < i; j++)\n      y[i] += z[j] * p[j];\n}}\n"
    );
    let repository = with("words", &before, &after);
    let (page, json) = page_and_json(&repository, &[], 0);
    let statuses: Vec<&str> = json["kernels"]
        .as_array()
        .expect("kernels")
        .iter()
        .map(|x| x["status"].as_str().expect("text"))
        .collect();
    assert_eq!(statuses, ["unchanged", "added", "removed"]);
    for part in [
        "Within limits: none of 9 counts grew beyond its limit.",
        "Exit code 0: nothing to report.",
        "data-group=\"added\"",
        "data-group=\"removed\"",
        "data-group=\"unchanged\"",
        "The nest at line 10 is new.",
        "These are the distances of the head alone.",
    ] {
        assert!(page.contains(part), "{part}");
    }
    // What did not change has no section.
    assert_eq!(page.matches("<h2 id=\"f").count(), 1);
}

#[test]
fn without_sizes_the_page_says_what_was_proved_and_what_is_open() {
    let worse = SUM.replace("a[i][j]", "a[j][i]");
    let (page, json) = page_and_json(&with("witness", SUM, &worse), &[], 1);
    let l1 = &json["kernels"][0]["metrics"][0];
    assert!(l1["for_all_sizes"]["witness"].is_object());
    assert!(page.contains("data-at=\"/kernels/0/metrics/0/for_all_sizes/witness/after\""));
    assert!(page.contains("closed forms were compared for all of them"));
    // Misses over sizes need no value.
    let rows = rows(&page, "premiss-1-f-misses-against-n");
    assert!(
        rows.iter().any(|row| row.contains(">base<"))
            && rows.iter().any(|row| row.contains(">head<"))
    );
    let (page, _) = page_and_json(&with("never", &worse, SUM), &[], 0);
    assert!(page.contains("for all sizes"));
    let gathered = SUM.replace("double a[n][n])", "double a[n][n], int p[n])");
    let gathered = gathered.replace("a[i][j]", "a[p[j]][i]");
    let (page, _) = page_and_json(&with("open", SUM, &gathered), &[], 3);
    for part in [
        "Exit code 3: what is known leaves it open",
        "no value for n (-P n=VALUE gives one)",
        "data-group=\"undecided\"",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn a_base_in_a_file_has_counts_and_no_pictures() {
    let repository = with("saved", SUM, SUM);
    repository
        .diff(&["--save", "base.json", "src", "-P", "n=200"])
        .exits(0);
    repository.write("src/k.c", &SUM.replace("a[i][j]", "a[j][i]"));
    let arguments = [
        "--base",
        "base.json",
        "src",
        "-P",
        "n=200",
        "--format",
        "html",
    ];
    let page = repository.diff(&arguments).exits(1).stdout;
    check_all(&page);
    check_numbers(&page, &embedded(&page));
    for part in [
        "The base was saved in a file",
        "▲ was <data value=\"5000\">5000</data>",
        "These are the distances of the head alone.",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn a_page_adds_nothing_to_what_is_decided() {
    let repository = with("same", SUM, &SUM.replace("a[i][j]", "a[j][i]"));
    let (_, json) = page_and_json(&repository, &["-P", "n=200"], 1);
    let alone = repository.diff(&["--base", "HEAD", "src", "-P", "n=200", "--format", "json"]);
    let alone: Value = serde_json::from_str(&alone.exits(1).stdout).expect("JSON");
    assert_eq!(alone, json);
}

#[test]
fn a_thousand_lines_are_less_than_two_megabytes() {
    let before = thousand_lines();
    let after = before.replace("a[i][j] * b[j][i]", "a[j][i] * b[j][i]");
    let repository = with("size", &before, &after);
    let (page, _) = page_and_json(&repository, &["-P", "n=40"], 1);
    assert!(page.len() < 2_000_000, "{}", page.len());
    assert_eq!(page.matches("<h2 id=\"f").count(), 12);
    assert!(page.contains("Sources and pictures are of 12 of 100 functions that changed"));
}

#[test]
fn only_a_comparison_has_a_page() {
    premiss(&["check", "testdata/kernels/c/gemm.c", "--format", "html"])
        .exits(2)
        .says("premiss report");
}

#[test]
fn text_of_others_stays_text() {
    let hostile = |text: &str| format!("// </script><img src=x>\n{text}").replace(" f(", " f_(");
    let after = SUM.replace(
        "a[i][j];",
        "a[j][i]; // </td><script>alert(1)</script> {{json}}",
    );
    let repository = with("hostile", &hostile(SUM), &hostile(&after));
    let (page, _) = page_and_json(&repository, &["-P", "n=200"], 1);
    assert!(!page.contains("<img") && page.contains("{{json}}"));
}
