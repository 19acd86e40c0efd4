//! The gate: what grew since a base, and what only looks as if.

use crate::{Run, command, premiss};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const CACHES: [&str; 4] = ["--cache", "L1=4KiB,full,64", "--cache", "L2=32KiB,full,64"];

const BY_ROWS: &str = "double s;\nvoid f(double a[200][200])\n{\n  for (int i = 0; i < 200; i++)\n    \
                       for (int j = 0; j < 200; j++)\n      s += a[i][j];\n}\n";

/// A folder of a test's own, with a repository; it is gone afterwards.
pub(crate) struct Repository(PathBuf);

impl Repository {
    pub(crate) fn new(name: &str) -> Self {
        let folder =
            std::env::temp_dir().join(format!("premiss-diff-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        let repository = Self(folder);
        repository.git(&["init", "--quiet"]);
        repository
    }

    pub(crate) fn git(&self, arguments: &[&str]) {
        let own = [
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.org",
            "-c",
            "commit.gpgsign=false",
        ];
        let mut git = Command::new("git");
        git.args(own).args(arguments).current_dir(&self.0);
        let output = git.output().expect("git starts");
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) -> &Self {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
        self
    }

    pub(crate) fn commit(&self) -> &Self {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", "x"]);
        self
    }

    fn diff_in(&self, folder: &str, arguments: &[&str]) -> Run {
        let all = [&["diff"][..], arguments, &CACHES].concat();
        let output = command(&all).current_dir(self.0.join(folder)).output();
        Run::new(&output.expect("it starts"))
    }

    /// The same with other caches.
    pub(crate) fn diff_with(&self, arguments: &[&str], caches: &[&str]) -> Run {
        let all = [&["diff"][..], arguments, caches].concat();
        let output = command(&all).current_dir(&self.0).output();
        Run::new(&output.expect("it starts"))
    }

    fn diff(&self, arguments: &[&str]) -> Run {
        self.diff_in("", arguments)
    }
}

impl Drop for Repository {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

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
    repository.diff(&["--base", "HEAD", "src"]).exits(3);
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
            .contains("src/k.c: one side has places that could not"),
        "{}",
        run.stdout
    );
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
