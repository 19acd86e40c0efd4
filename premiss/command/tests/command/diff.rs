//! The gate: what grew since a base, and what only looks as if.

use crate::repository::Repository;
use crate::{Run, command, premiss};
use std::fs;
use std::path::Path;

pub(crate) const BY_ROWS: &str = "double s;\nvoid f(double a[200][200])\n{\n  for (int i = 0; i < 200; i++)\n    \
                       for (int j = 0; j < 200; j++)\n      s += a[i][j];\n}\n";

/// A repository whose only commit has one file.
fn with(name: &str, text: &str) -> Repository {
    let repository = Repository::new(name);
    repository.write("src/k.c", text).commit();
    repository
}

fn json(run: &Run) -> serde_json::Value {
    serde_json::from_str(&run.stdout).expect("JSON")
}

#[test]
fn an_interchange_that_hurts_is_caught_on_its_line() {
    let repository = with("interchange", BY_ROWS);
    repository.write("src/k.c", &BY_ROWS.replace("a[i][j]", "a[j][i]"));
    let run = repository
        .diff(&["--base", "HEAD", "src", "--format", "json"])
        .exits(1);
    let report = json(&run);
    assert_eq!(report["verdict"], "exceeds");
    let l1 = &report["kernels"][0]["metrics"][0];
    // A line of 8 elements is fetched once by rows; by columns, 200 lines are more than 64.
    assert_eq!(l1["name"], "l1_miss");
    assert_eq!(l1["before"]["value"], 200 * 200 / 8);
    assert_eq!(l1["after"]["value"], 200 * 200);
    assert_eq!(
        (&l1["worst"]["line"], &l1["worst"]["path"]),
        (&6.into(), &"src/k.c".into())
    );
    // The second level holds the 200 lines of a column.
    assert_eq!(report["kernels"][0]["metrics"][1]["verdict"], "within");
    let text = repository.diff(&["--base", "HEAD"]).exits(1).stdout;
    assert!(
        text.contains("l1_miss: src/k.c:6:12: a[j][i] 5000 → 40.0 k"),
        "{text}"
    );
    repository.diff(&["--base", "HEAD", "--exit-zero"]).exits(0);
    let run = repository
        .diff_in("src", &["--base", "HEAD", "k.c"])
        .exits(1);
    assert!(run.stdout.contains("k.c:6:12"), "{}", run.stdout);
}

#[test]
fn loops_may_be_swapped_by_their_headers_too() {
    let repository = with("headers", BY_ROWS);
    let swapped = BY_ROWS.replace("(int i = 0; i < 200; i++)", "(int X = 0; X < 200; X++)");
    let swapped = swapped.replace("(int j = 0; j < 200; j++)", "(int i = 0; i < 200; i++)");
    repository.write("src/k.c", &swapped.replace('X', "j"));
    let text = repository.diff(&["--base", "HEAD", "src"]).exits(1).stdout;
    assert!(
        text.contains("src/k.c:6:12: a[i][j] 5000 → 40.0 k"),
        "{text}"
    );
}

#[test]
fn limits_allow_what_they_say() {
    let repository = with("limits", BY_ROWS);
    repository.write("src/k.c", &BY_ROWS.replace("a[i][j]", "a[j][i]"));
    let with_limit = |limit| repository.diff(&["--base", "HEAD", "src", "--limit", limit]);
    with_limit("l1_miss=700%").exits(0);
    with_limit("l1_miss=699%").exits(1);
    with_limit("l1_miss=35e3").exits(0);
    with_limit("l1_miss=34999").exits(1);
    with_limit("l1_miss=1%&1e6").exits(0);
    with_limit("l3_miss=1%")
        .exits(2)
        .says("there are l1_miss, l2_miss, mem_bytes");
    with_limit("l1_miss").exits(2).says("METRIC=LIMIT");
}

#[test]
fn what_only_looks_different_is_no_change() {
    let text = "double s;\nvoid f(int n, double a[n][n])\n{\n  for (int i = 0; i < n; i++)\n    \
                for (int j = 0; j < n; j++)\n      s += a[i][j];\n}\n";
    let moved = "/* sums */\nint unrelated(int x)\n{\n  return x + 1;\n}\n\ndouble total;\n\n\
                 // by rows\nvoid rows(int rank, double m[rank][rank])\n{\n  for (int y = 0; y < rank; y++) {\n    \
                 for (int x = 0; x < rank; x++) {\n      total += m[y][x]; // one\n    }\n  }\n}\n";
    let repository = with("same", text);
    repository.git(&["mv", "src/k.c", "sums.c"]);
    repository.write("sums.c", moved);
    for size in ["n=200", "rank=200"] {
        let run = repository
            .diff(&["--base", "HEAD", "-P", size, "--format", "json"])
            .exits(0);
        let report = json(&run);
        let kernels = report["kernels"].as_array().expect("kernels");
        assert_eq!(kernels.len(), 1, "{}", run.stdout);
        assert_eq!(kernels[0]["status"], "unchanged");
        assert_eq!(kernels[0]["metrics"][0]["after"]["value"], 5000);
        assert_eq!(kernels[0]["base"][0]["path"], "src/k.c");
    }
    // The same, made worse.
    repository.write("sums.c", &text.replace("a[i][j]", "a[j][i]"));
    repository
        .diff(&["--base", "HEAD", "sums.c", "-P", "n=200"])
        .exits(1);
    repository
        .diff(&["--base", "HEAD", "-P", "m=200"])
        .exits(2)
        .says("-P m");
}

#[test]
fn included_files_are_those_of_the_revision() {
    let repository = Repository::new("include");
    let text = BY_ROWS.replace("200", "N");
    repository.write("inc/size.h", "#define N 100\n");
    repository
        .write("src/k.c", &format!("#include \"../inc/size.h\"\n{text}"))
        .commit();
    repository.diff(&["--base", "HEAD", "src"]).exits(0);
    repository.write("inc/size.h", "#define N 200\n");
    let run = repository
        .diff(&["--base", "HEAD", "src", "--format", "json"])
        .exits(1);
    let l1 = &json(&run)["kernels"][0]["metrics"][0];
    assert_eq!(
        (&l1["before"]["value"], &l1["after"]["value"]),
        (&1250.into(), &5000.into())
    );
}

#[test]
fn what_is_new_or_gone_is_named() {
    let repository = with("new", BY_ROWS);
    repository.write(
        "src/g.c",
        &BY_ROWS.replace("f(", "g(").replace("a[i][j]", "a[j][i]"),
    );
    let text = repository.diff(&["--base", "HEAD", "src"]).exits(0).stdout;
    assert!(text.contains("src/g.c:4 g: added"), "{text}");
    let text = repository
        .diff(&["--base", "HEAD", "src/g.c"])
        .exits(0)
        .stdout;
    assert!(text.contains("src/g.c:4 g: added"), "{text}");
    repository.commit().git(&["rm", "--quiet", "src/g.c"]);
    let text = repository.diff(&["--base", "HEAD", "src"]).exits(0).stdout;
    assert!(text.contains("src/g.c:4 g: removed"), "{text}");
}

#[test]
fn less_is_within() {
    let repository = with("less", &BY_ROWS.replace("a[i][j]", "a[j][i]"));
    repository.write("src/k.c", BY_ROWS);
    let text = repository.diff(&["--base", "HEAD", "src"]).exits(0).stdout;
    assert!(text.contains("−87.5 %"), "{text}");
}

#[test]
fn what_is_not_known_is_undecided_where_it_changed() {
    let open = "void g(double *);\ndouble s;\nvoid f(double a[200])\n{\n  for (int i = 0; i < 200; i++) {\n    \
                g(a);\n    s += a[i];\n  }\n}\n";
    let repository = with("open", open);
    repository.write("src/k.c", &format!("// more\n{open}"));
    repository.diff(&["--base", "HEAD", "src"]).exits(0);
    repository.write("src/k.c", &open.replace("s += a[i]", "s += a[199 - i]"));
    let run = repository.diff(&["--base", "HEAD", "src"]).exits(3);
    run.says("unknown-call").says("src/k.c:6:5");
    repository.write("src/k.c", &open.replace("    g(a);\n", ""));
    repository.diff(&["--base", "HEAD", "src"]).exits(3);
}

#[test]
fn what_cannot_be_parsed_does_not_pass() {
    let repository = with("broken", BY_ROWS);
    repository.write("src/k.c", &BY_ROWS.replace("void f(", "void f(((("));
    let run = repository.diff(&["--base", "HEAD", "src"]).exits(3);
    assert!(
        run.stdout
            .contains("src/k.c: one side has text that could not"),
        "{}",
        run.stdout
    );
}

#[test]
fn what_cannot_be_parsed_is_named_in_every_form() {
    let repository = with("broken-forms", BY_ROWS);
    let broken = BY_ROWS.replace("void f(", "void f((((");
    repository.write("src/k.c", &broken);
    let of_form = |form: &str| {
        let options = ["--base", "HEAD", "src", "--format", form];
        repository.diff(&options).exits(3)
    };
    assert_eq!(json(&of_form("json"))["unparsed"], "src/k.c");
    for (form, named) in [
        (
            "sarif",
            "`src/k.c`: one side has text that could not be read",
        ),
        (
            "github",
            "`src/k.c`: one side has text that could not be read",
        ),
        (
            "gitlab",
            "`src/k.c`: one side has text that could not be read",
        ),
        (
            "junit",
            "`src/k.c`: one side has text that could not be read",
        ),
        (
            "markdown",
            "src/k.c: one side has text that could not be read",
        ),
        (
            "html",
            "src/k.c has places that could be parsed on one side alone",
        ),
    ] {
        let run = of_form(form);
        assert!(run.stdout.contains(named), "{form}: {}", run.stdout);
    }
}

#[test]
fn what_stands_behind_an_error_is_compared_by_its_text() {
    let broken = BY_ROWS.replace("void f(", "void f((((");
    let repository = with("broken-behind", &broken);
    repository.diff(&["--base", "HEAD", "src"]).exits(0);
    repository.write("src/k.c", &broken.replace("a[i][j]", "a[j][i]"));
    repository.diff(&["--base", "HEAD", "src"]).exits(3);
}

#[test]
fn what_cannot_be_parsed_is_kept_with_a_base_in_a_file() {
    let repository = with("broken-file", BY_ROWS);
    let save = |file: &str| {
        let options = ["--save", file, "src"];
        repository.diff(&options).exits(0)
    };
    let compare = |file: &str| repository.diff(&["--base", file, "src"]);
    let broken = BY_ROWS.replace("void f(", "void f((((");
    save("whole.json");
    repository.write("src/k.c", &broken);
    save("broken.json");
    let run = compare("whole.json").exits(3);
    let named = "src/k.c: one side has text that could not be read";
    assert!(run.stdout.contains(named), "{}", run.stdout);
    compare("broken.json").exits(0);
    repository.write("src/k.c", BY_ROWS);
    compare("broken.json").exits(3);
}

#[test]
fn what_cannot_be_parsed_is_compared_by_how_often_it_is_there() {
    let broken = BY_ROWS.replace("void f(", "void f((((");
    let repository = with("broken-twice", &broken);
    let check = |code: i32| {
        repository.diff(&["--base", "HEAD", "src"]).exits(code);
    };
    repository.write("src/l.c", "int unused;\n");
    check(0);
    // The same text once more.
    repository.write("src/l.c", &broken);
    check(3);
}

#[test]
fn languages_that_are_not_read_are_compared_by_their_text() {
    let repository = with("other-language", BY_ROWS);
    repository.write("src/l.cc", BY_ROWS).commit();
    let check = |code: i32| {
        repository.diff(&["--base", "HEAD", "src"]).exits(code);
    };
    check(0);
    repository.write("src/l.cc", &BY_ROWS.replace("a[i][j]", "a[j][i]"));
    check(3);
    fs::remove_file(repository.path("src/l.cc")).expect("it is there");
    check(3);
}

#[test]
fn included_files_that_are_not_followed_are_compared_by_their_text() {
    let repository = Repository::new("not-followed");
    repository
        .write("src/lib.rs", "include!(\"walk.in\");\n")
        .write("src/walk.in", "pub fn f() {}\n")
        .commit();
    repository.diff(&["--base", "HEAD", "src"]).exits(0);
    repository.write("src/walk.in", "pub fn g() {}\n");
    repository.diff(&["--base", "HEAD", "src"]).exits(3);
}

#[test]
fn a_base_that_is_too_large_to_read_is_2() {
    let large = BY_ROWS.to_owned() + &"\n".repeat((64 << 20) + 1);
    let repository = with("large", &large);
    repository.write("src/k.c", &BY_ROWS.replace("a[i][j]", "a[j][i]"));
    let run = repository.diff(&["--base", "HEAD", "src"]);
    run.exits(2)
        .says("`src/k.c`: git cannot read it as it was at HEAD");
}

#[test]
fn what_git_ignores_since_the_base_is_compared_with_what_is_new() {
    let repository = with("ignored-since", BY_ROWS);
    repository.git(&["rm", "--quiet", "--cached", "src/k.c"]);
    repository
        .write(".gitignore", "k.c\n")
        .write("src/columns.c", &BY_ROWS.replace("a[i][j]", "a[j][i]"));
    repository.diff(&["--base", "HEAD", "src"]).exits(1);
}

#[test]
fn more_nests_are_compared_with_what_they_were() {
    let one = "void f(double a[4096], double b[4096])\n{\n  for (int i = 0; i < 4096; i++) {\n    a[i] += b[i];\n    \
               b[i] += a[i];\n  }\n}\n";
    let two = one.replace(
        "    b[i]",
        "  }\n  for (int i = 0; i < 4096; i++) {\n    b[i]",
    );
    let repository = with("fission", one);
    repository.write("src/k.c", &two);
    let run = repository
        .diff(&["--base", "HEAD", "src", "--format", "json"])
        .exits(1);
    let report = json(&run);
    let l1 = &report["kernels"][0]["metrics"][0];
    assert_eq!(
        (&l1["before"]["value"], &l1["after"]["value"]),
        (&1024.into(), &2048.into())
    );
}

#[test]
fn what_cannot_be_compared_fails() {
    let repository = with("fails", BY_ROWS);
    repository
        .diff(&["--base", "nowhere", "src"])
        .exits(2)
        .says("no such revision");
    repository
        .diff(&["--base", "HEAD", "none.c"])
        .exits(2)
        .says("none.c");
    repository
        .diff(&["src/k.c"])
        .exits(2)
        .says("two files or folders");
    let outside = std::env::temp_dir();
    let outside: &Path = &outside;
    let output = command(&["diff", "--base", "HEAD", "k.c"])
        .current_dir(outside)
        .env("GIT_CEILING_DIRECTORIES", outside)
        .output();
    Run::new(&output.expect("it starts"))
        .exits(2)
        .says("no repository");
}

#[test]
fn files_and_folders_are_compared_without_git() {
    let repository = Repository::new("folders");
    let worse = BY_ROWS.replace("a[i][j]", "a[j][i]");
    repository
        .write("old/k.c", BY_ROWS)
        .write("new/k.c", &worse)
        .write("new/same.c", BY_ROWS);
    repository.diff(&["old/k.c", "new/k.c"]).exits(1);
    repository.diff(&["old/k.c", "new/same.c"]).exits(0);
    repository.diff(&["new/k.c", "old/k.c"]).exits(0);
    repository.diff(&["old", "old"]).exits(0);
    repository
        .diff(&["old", "missing"])
        .exits(2)
        .says("missing");
    premiss(&["diff"]).exits(2);
}

const BY_SIZE: &str = "double s;\nvoid f(int n, double a[n][n])\n{\n  for (int i = 0; i < n; i++)\n    \
                       for (int j = 0; j < n; j++)\n      s += a[i][j];\n}\n";

#[test]
fn a_size_with_a_value_on_one_side_alone_leaves_nests_undecided() {
    let product = "void f(int n, const double *a, const double *b, double *c)\n{\n  \
                   for (int i = 0; i < n; i++)\n    for (int k = 0; k < n; k++) {\n      \
                   double x = a[i * n + k];\n      for (int j = 0; j < n; j++)\n        \
                   c[i * n + j] += x * b[k * n + j];\n    }\n}\n";
    let repository = with("one-side", product);
    let mut renamed = product.replace("      double x = a[i * n + k];\n", "");
    for (from, to) in [
        ("x * b", "a[i * n + k] * b"),
        ("int n", "int size"),
        ("* n", "* size"),
        ("< n", "< size"),
    ] {
        renamed = renamed.replace(from, to);
    }
    repository.write("src/k.c", &renamed);
    let run = repository
        .diff(&["--base", "HEAD", "src", "-P", "n=20"])
        .exits(3);
    assert!(run.stdout.contains("undecided"), "{}", run.stdout);
    assert!(!run.stdout.contains("exceeds"), "{}", run.stdout);
    repository
        .diff(&["--base", "HEAD", "src", "-P", "n=20", "-P", "size=20"])
        .exits(0);
}

#[test]
fn without_sizes_formulas_are_compared_for_all() {
    let repository = with("symbolic", BY_SIZE);
    let worse = BY_SIZE.replace("a[i][j]", "a[j][i]");
    repository.write("src/k.c", &worse);
    let run = repository.diff(&["--base", "HEAD", "src"]).exits(1);
    // A column of n rows takes n lines: from 64 on, those of 4 KiB do not hold it.
    assert!(
        run.stdout.contains("exceeds 1%&1e3 at n = "),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("l1_miss: src/k.c:6:12: a[j][i]"),
        "{}",
        run.stdout
    );
    let run = repository
        .diff(&["--base", "HEAD", "src", "--format", "json"])
        .exits(1);
    let l1 = &json(&run)["kernels"][0]["metrics"][0];
    let witness = &l1["for_all_sizes"]["witness"];
    let n = witness["sizes"]["n"].as_u64().expect("a size");
    assert!(64 <= n, "{witness}");
    assert_eq!(witness["after"]["value"], n * n);
    // The other way round, misses grow for no size, and nothing is said of sizes that are missing.
    repository.commit().write("src/k.c", BY_SIZE);
    let run = repository.diff(&["--base", "HEAD", "src"]).exits(0);
    assert!(run.stdout.contains("for all sizes"), "{}", run.stdout);
    assert_eq!(run.stderr, "");
    // A row of n takes at most a line more than n / 8: eight times as many are allowed, seven are not.
    let limit = |limit| repository.diff(&["--base", "HEAD", "src", "--limit", limit]);
    repository.commit().write("src/k.c", &worse);
    limit("l1_miss=700%,l2_miss=700%,mem_bytes=700%").exits(0);
    limit("l1_miss=600%,l2_miss=700%,mem_bytes=700%").exits(1);
    repository.write("src/k.c", BY_SIZE);
    // A value has precedence: at 16, all of it stays in the cache.
    repository.write("src/k.c", &worse);
    repository
        .diff(&["--base", "HEAD", "src", "-P", "n=16"])
        .exits(0);
}

#[test]
fn without_sizes_a_loop_that_was_split_is_caught() {
    let fused = "void g(int n, double *x, double *y, double *z)\n{\n  for (int i = 0; i < n; i++) {\n    \
                 y[i] = x[i];\n    z[i] = x[i] + 1;\n  }\n}\n";
    let split = fused.replace("    z[i]", "  }\n  for (int i = 0; i < n; i++) {\n    z[i]");
    let repository = with("symbolic-split", fused);
    repository.write("src/k.c", &split);
    repository.diff(&["--base", "HEAD", "src"]).exits(1);
    repository.commit().write("src/k.c", fused);
    repository.diff(&["--base", "HEAD", "src"]).exits(0);
}

#[test]
fn what_was_renamed_and_changed_at_once_does_not_pass() {
    let repository = with("renamed", BY_ROWS);
    let worse = BY_ROWS
        .replace("void f(", "void by_columns(")
        .replace("a[i][j]", "a[j][i]");
    repository.git(&["mv", "src/k.c", "src/columns.c"]);
    repository.write("src/columns.c", &worse);
    let run = repository.diff(&["--base", "HEAD", "src"]).exits(1);
    let place = "src/columns.c:4 by_columns, before: src/k.c:4 f (they look alike";
    assert!(run.stdout.contains(place), "{}", run.stdout);
    // What has nothing in common with what is gone is new.
    let other = "void fill(int n, float *q, float *r)\n{\n  for (int k = 0; k < n; k++)\n    q[k] = r[k] + r[k + 1];\n}\n";
    repository.write("src/columns.c", other);
    let run = repository.diff(&["--base", "HEAD", "src"]).exits(0);
    assert!(run.stdout.contains("fill: added"), "{}", run.stdout);
    // What was there went to another function, and what is in its place is worse.
    let copied =
        BY_ROWS.replace("a[i][j]", "a[j][i]") + &BY_ROWS.replace("double s;\nvoid f(", "void old(");
    repository.write("src/k.c", &copied);
    repository.diff(&["--base", "HEAD", "src/k.c"]).exits(1);
}

#[test]
fn regressions_have_the_forms_of_findings() {
    let repository = with("forms", BY_ROWS);
    repository.write("src/k.c", &BY_ROWS.replace("a[i][j]", "a[j][i]"));
    let formats =
        "github,sarif:o.sarif,gitlab:o.gitlab,junit:o.xml,markdown:o.md,json:o.json,text:o.txt";
    let run = repository
        .diff(&["--base", "HEAD", "src", "--format", formats])
        .exits(1);
    let start = "::error title=premiss (regression),file=src/k.c,line=6,endLine=6,col=12,endColumn=19::`f` exceeds \
                 its limits: l1_miss 5000 → 40.0 k (limit 1%25&1e3)";
    assert!(run.stdout.starts_with(start), "{}", run.stdout);
    let text = |name: &str| fs::read_to_string(repository.path(name)).expect("it was written");
    let log: serde_json::Value = serde_json::from_str(&text("o.sarif")).expect("JSON");
    let result = &log["runs"][0]["results"][0];
    assert_eq!(
        result["locations"][0]["physicalLocation"]["region"]["startLine"],
        6
    );
    assert_eq!(
        result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"],
        5
    );
    assert_eq!(
        log["runs"][0]["automationDetails"]["id"],
        "premiss-diff/custom/"
    );
    let list: serde_json::Value = serde_json::from_str(&text("o.gitlab")).expect("JSON");
    assert_eq!(list[0]["location"]["lines"]["begin"], 6);
    assert!(
        text("o.xml")
            .contains("<testsuite name=\"premiss diff\" tests=\"1\" failures=\"1\" errors=\"0\"")
    );
    let row = "| f | l1\\_miss | 5000 | 40.0 k | +700.0 % | **exceeds 1%&amp;1e3** | src/k.c:6: a\\[j\\]\\[i\\] |";
    assert!(text("o.md").contains(row), "{}", text("o.md"));
    assert!(text("o.txt").contains("limits exceeded"));
    // Nothing to say is still a report.
    repository.commit();
    let run = repository
        .diff(&["--base", "HEAD", "src", "--format", "github,junit:o.xml"])
        .exits(0);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
    assert!(text("o.xml").contains("failures=\"0\""));
}

#[test]
fn a_base_in_a_file_is_compared_like_a_revision() {
    let repository = with("saved", BY_SIZE);
    let size = ["-P", "n=200"];
    let diff = |words: &[&str]| repository.diff(&[words, &size].concat());
    diff(&["--base", "base.json", "src"])
        .exits(3)
        .says("no such file");
    let run = diff(&["--save", "base.json", "src"]).exits(0);
    assert_eq!(run.stdout, "");
    diff(&["--base", "base.json", "src"]).exits(0);
    // Renamed, moved and written otherwise, with the size under another name.
    let renamed = BY_SIZE
        .replace("f(int n", "rows(int m")
        .replace("[n]", "[m]")
        .replace("< n", "<= m - 1");
    repository
        .write("src/k.c", "int x;\n")
        .write("src/other.c", &renamed);
    let text = diff(&["--base", "base.json", "src"]).exits(0).stdout;
    assert!(
        text.contains("0 changed, 1 unchanged, 0 added, 0 removed"),
        "{text}"
    );
    repository.write("src/other.c", &BY_SIZE.replace("a[i][j]", "a[j][i]"));
    let text = diff(&["--base", "base.json", "src", "--save", "next.json"])
        .exits(1)
        .stdout;
    assert!(
        text.contains("l1_miss: src/other.c:6:12: a[j][i] 5000 → 40.0 k"),
        "{text}"
    );
    diff(&["--base", "next.json", "src"]).exits(0);
    // Other conditions have other counts.
    let other = ["--cache", "L3=64KiB,full,64"];
    diff(&[&["--base", "base.json", "src"][..], &other].concat())
        .exits(3)
        .says("another machine");
    let run = repository
        .diff(&["--base", "base.json", "src", "-P", "n=100"])
        .exits(3);
    run.says("n = 200, and now n = 100");
    for broken in ["", "{", "[]", "{\"kind\": \"other\"}"] {
        repository.write("broken.json", broken);
        diff(&["--base", "broken.json", "src"])
            .exits(2)
            .says("it is not a base");
    }
    diff(&["--base", "src", "src"]).exits(2);
}

#[test]
fn arrays_are_placed_by_an_option_of_its_own_name() {
    let repository = with("placed", BY_ROWS);
    let diff = |base| repository.diff(&["--base", "HEAD", "src", "--array-base", base]);
    diff("a=0x200000").exits(0);
    diff("a")
        .exits(2)
        .says("--array-base a: it has the form NAME=ADDR");
    diff("b=64")
        .exits(2)
        .says("--array-base b: no function has an array of that name");
}
