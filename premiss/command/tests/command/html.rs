//! The report as a page: one file, nothing from elsewhere, and the numbers of the JSON document.

use crate::numbers::number_text;
use crate::{Run, command, premiss, premiss_on};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const GEMM: [&str; 8] = [
    "report",
    "testdata/kernels/c/gemm.c",
    "-P",
    "NI=40",
    "-P",
    "NJ=40",
    "-P",
    "NK=40",
];

/// Elements of which HTML has no end.
const VOID: [&str; 6] = ["meta", "col", "input", "br", "hr", "!doctype"];

fn page(arguments: &[&str]) -> String {
    let run = premiss(&[arguments, &["--format", "html"]].concat()).exits(0);
    run.stdout
}

fn page_of(source: &str, options: &[&str]) -> String {
    let run = premiss_on(
        source,
        &[&["report", "-", "--format", "html"], options].concat(),
    );
    // Of what is unknown, there is a page too.
    assert!(matches!(run.code, Some(0 | 3)), "{}", run.stderr);
    run.stdout
}

/// The JSON document in a page.
pub(crate) fn embedded(page: &str) -> Value {
    let (_, rest) = page
        .split_once("<script type=\"application/json\" id=\"premiss-")
        .expect("a document");
    let (_, rest) = rest.split_once("\">").expect("its name ends");
    let (json, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(json).expect("JSON")
}

/// Compares every number that names its place with the document; how many there are.
#[track_caller]
pub(crate) fn check_numbers(page: &str, document: &Value) -> usize {
    let mut n_numbers = 0;
    for element in page.split("<data ").skip(1) {
        let (attributes, _) = element.split_once('>').expect("its end");
        let attribute = |name: &str| {
            let (_, rest) = attributes.split_once(&format!("{name}=\""))?;
            Some(rest.split_once('"')?.0)
        };
        let Some(at) = attribute("data-at") else {
            continue;
        };
        let number = document.pointer(at).unwrap_or_else(|| panic!("no {at}"));
        let value = attribute("value").expect("a value");
        if number.is_f64() {
            assert_eq!(value.parse::<f64>().ok(), number.as_f64(), "{at}");
        } else {
            assert_eq!(value, number_text(number), "{at}");
            let kind = number.get("kind").and_then(Value::as_str);
            let shown = attribute("data-kind").unwrap_or("exact");
            assert_eq!(shown, kind.unwrap_or("exact"), "{at}");
        }
        n_numbers += 1;
    }
    n_numbers
}

/// Every element ends where it should: text that is taken for markup would show.
#[track_caller]
fn check_nesting(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page;
    while let Some((_, after)) = rest.split_once('<') {
        let (tag, after) = after.split_once('>').expect("a tag ends");
        rest = after;
        let name = tag.split([' ', '\n', '/']).next().unwrap_or("");
        let names: String = tag.split('"').step_by(2).collect();
        for asks in [" src=", " srcset=", " style=", " on"] {
            assert!(!names.contains(asks), "<{tag}>");
        }
        assert!(
            !tag.contains("href=") || tag.contains("href=\"#"),
            "<{tag}>"
        );
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !VOID.contains(&name) && !tag.ends_with('/') {
            assert!(
                !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric()),
                "<{tag}>"
            );
            open.push(name);
            if ["script", "style"].contains(&name) {
                let end = format!("</{name}>");
                let (_, after) = rest.split_once(&end).expect("a script ends");
                rest = after;
                open.pop();
            }
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[track_caller]
pub(crate) fn check_all(page: &str) {
    check_nesting(page);
    check_numbers(page, &embedded(page));
    assert_eq!(page.matches("<script").count(), 2);
    assert!(!page.contains(['\0', '\u{1b}']));
}

/// A file of a test's own, in a folder of its own.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("premiss-html-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn the_ending_of_the_output_chooses_the_form() {
    let folder = folder("ending");
    let write = |name: &str| {
        let path = folder.join(name);
        let path = path.to_str().expect("a path");
        let run = premiss(&[&GEMM[..], &["-o", path]].concat()).exits(0);
        assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
        fs::read_to_string(path).expect("it was written")
    };
    assert!(write("a.html").starts_with("<!doctype html>"));
    assert!(write("a.HTM").starts_with("<!doctype html>"));
    assert!(write("a.json").starts_with('{'));
    assert!(write("a.txt").starts_with("testdata/kernels/c/gemm.c:12"));
    fs::remove_dir_all(folder).expect("it is there");
}

#[test]
fn the_page_has_the_numbers_of_the_document() {
    let page = page(&GEMM);
    check_all(&page);
    let json = premiss(&[&GEMM[..], &["--format", "json"]].concat()).exits(0);
    let json: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(embedded(&page), json);
    // Six references in full and in their rows, five levels with seven numbers each, and more.
    assert!(100 < check_numbers(&page, &json));
}

#[test]
fn the_page_has_all_its_parts() {
    let page = page(&GEMM);
    for part in [
        "What moves most",
        "Miss ratio against cache size",
        "Reuse distances by array",
        "Misses against NJ",
        "Roofline of one core",
        "What is unknown",
        "Coverage: 1/1 nests exact",
        "Intel Xeon Platinum 8480+",
        "distinct names are distinct arrays",
        "Stride: 8 B over j (line 19), 320 B over k (line 18), 0 B over i (line 15).",
        "Line use: the innermost loop uses 64 of the 64 bytes of each line.",
        "NI·NJ·NK",
        "in an earlier iteration of the loop over",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn bounds_and_what_is_unknown_stay_so() {
    let page = page(&[
        "report",
        "testdata/kernels/c/shapes/data_branch.c",
        "-P",
        "n=100",
    ]);
    check_all(&page);
    assert!(page.contains("data-kind=\"bounded\""));
    let unknown = "void g(double *x);\n\
                   void f(int n, double *x)\n{\n  for (int i = 0; i < n; i++) {\n    \
                   x[i] += 1;\n    g(x);\n  }\n}\n";
    let page = page_of(unknown, &["-P", "n=10"]);
    check_all(&page);
    assert!(page.contains("data-kind=\"unknown\"") && page.contains("is unknown: "));
}

#[test]
fn text_of_others_stays_text() {
    let hostile = "/* </script><script>alert(1)</script> <!-- */\n\
                   double a\u{202e}[9];\n\
                   void f(double x[64], double y[64])\n{\n  \
                   for (int i = 0; i < 64; i++) // \"'><img src=x onerror=alert(1)> \u{1b}[31m\n    \
                   x[i] = y[i < 9 ? i : 63 & i] + \
                   0/*</td></table><script>*/;  // {{json}}\n}\n";
    let path = "\"><script>alert(2)</script>.c";
    let page = page_of(hostile, &["--stdin-filename", path]);
    check_all(&page);
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;"));
    assert!(page.contains("{{json}}") && !page.contains("<img"));
    assert!(!page.contains('\u{202e}'));
    assert_eq!(embedded(&page)["functions"][0]["file"], path);
    let mut bytes =
        b"void f(double x[64])\n{ // \xff\xfe\0\n  for (int i = 0; i < 64; i++)\n    x[i] = 1; // "
            .to_vec();
    bytes.extend([b'<'; 100_000]);
    bytes.extend(b"\n}\n");
    let folder = folder("bytes");
    let file = folder.join("a.c");
    fs::write(&file, bytes).expect("it is written");
    let run = premiss(&["report", file.to_str().expect("a path"), "--format", "html"]).exits(0);
    check_all(&run.stdout);
    assert!(run.stdout.len() < 200_000);
    fs::remove_dir_all(folder).expect("it is there");
}

/// A thousand lines, a nest in every ten.
pub(crate) fn thousand_lines() -> String {
    let mut text = String::new();
    for f in 0..100 {
        let _ = write!(
            text,
            "void f{f}(int n, double a[n][n], double b[n][n], double c[n][n], double d[n])\n{{\n  \
             for (int i = 0; i < n; i++) {{\n    for (int j = 0; j < n; j++) {{\n      \
             c[i][j] += a[i][j] * b[j][i];\n      d[j] = c[j][i] + a[j][j];\n      \
             b[i][j] = d[i] * {f} + d[j];\n    }}\n  }}\n}}\n"
        );
    }
    text
}

#[test]
fn a_thousand_lines_are_less_than_two_megabytes() {
    let source = thousand_lines();
    assert_eq!(source.lines().count(), 1000);
    let page = page_of(&source, &["-P", "n=40"]);
    check_all(&page);
    assert!(page.len() < 2_000_000, "{}", page.len());
    assert!(page.contains("are left out, to keep the page small"));
    // With a document that does not fit, too.
    let twice =
        source.replace("void f", "static void f") + &source.replace("void f", "static void g");
    let page = page_of(&twice, &["-P", "n=8"]);
    assert!(page.len() < 2_000_000, "{}", page.len());
    assert!(page.contains("The JSON document is left out"));
    check_nesting(&page);
}

#[test]
fn the_same_page_everywhere() {
    let once = page(&GEMM);
    assert_eq!(once, page(&GEMM));
    let folder = folder("place");
    let kernels = folder.join("testdata/kernels/c");
    fs::create_dir_all(&kernels).expect("a folder");
    let gemm = crate::root().join("testdata/kernels/c/gemm.c");
    fs::copy(gemm, kernels.join("gemm.c")).expect("a copy");
    let arguments = [&GEMM[..], &["--format", "html"]].concat();
    let elsewhere = command(&arguments)
        .current_dir(&folder)
        .output()
        .expect("it starts");
    assert_eq!(Run::new(&elsewhere).exits(0).stdout, once);
    // With one processor, where the system has a way to say so.
    let one = Command::new("taskset")
        .args(["-c", "0", env!("CARGO_BIN_EXE_premiss")])
        .args(&arguments)
        .current_dir(&folder)
        .output();
    if let Ok(one) = one {
        assert_eq!(Run::new(&one).exits(0).stdout, once);
    }
    fs::remove_dir_all(folder).expect("it is there");
}

#[test]
fn a_file_without_nests_is_a_page_too() {
    let run = premiss_on("int x;\n", &["report", "-", "--format", "html"]).exits(0);
    check_all(&run.stdout);
    assert!(
        run.stdout
            .contains("There is no function with a loop nest.")
    );
}
