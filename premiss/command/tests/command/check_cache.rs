//! The results of checks, cached between runs of the command.

use crate::{Run, command};
use std::fs;
use std::path::{Path, PathBuf};

/// A program in a folder of ours, with a place to keep things in, gone with the test.
pub(crate) struct Tree {
    root: PathBuf,
}

const MAIN_C: &str = "#include \"sizes.h\"\n#include <math.h>\n\
    void scale(double *x, const double *y);\n\
    double a[N][N];\n\
    double trace(void)\n{\n  double s = 0;\n  for (int j = 0; j < N; j++)\n\
    \x20   for (int i = 0; i < N; i++)\n      s += sqrt(a[i][j]);\n  scale(a[0], a[1]);\n  return s;\n}\n";
const SCALE_C: &str = "#include \"sizes.h\"\n\
    void scale(double *x, const double *y)\n{\n  for (int i = 0; i < N; i++)\n    x[i] *= f(y[i]);\n}\n";
const AXPY_F: &str = "      SUBROUTINE AXPY(N, A, X, Y)\n      INTEGER N, I\n      REAL A, X(N), Y(N)\n\
    \x20     DO 10 I = 1, N\n        Y(I) = Y(I) + A*X(I)\n10    CONTINUE\n      END\n";
const FORMS: [&str; 7] = [
    "text", "json", "sarif", "github", "gitlab", "junit", "markdown",
];

impl Tree {
    /// A folder without files.
    pub(crate) fn empty(name: &str) -> Self {
        let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&root);
        Self { root }
    }

    fn new(name: &str) -> Self {
        let tree = Self::empty(name);
        tree.write("one/src/main.c", MAIN_C);
        tree.write("one/src/scale.c", SCALE_C);
        tree.write("one/src/axpy.f", AXPY_F);
        tree.write("one/src/sizes.h", "#define N 300\n");
        fs::create_dir_all(tree.root.join("one/.git")).expect("it is ours");
        tree
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it is ours");
        fs::write(path, text).expect("it is ours");
    }

    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.root.join(path)).expect("it is there");
    }

    fn cache(&self) -> PathBuf {
        self.root.join("kept")
    }

    fn check(&self, folder: &str, arguments: &[&str]) -> Run {
        let mut command = command(&[&["check"], arguments].concat());
        command.current_dir(self.root.join(folder));
        command.env("PREMISS_CACHE_DIR", self.cache());
        Run::new(&command.output().expect("the command starts"))
    }

    /// Asserts that a check says what it says without a cache; returns what it says.
    #[track_caller]
    pub(crate) fn holds(&self, folder: &str, arguments: &[&str]) -> String {
        let anew = self.check(folder, &[arguments, &["--no-cache"]].concat());
        let cached = self.check(folder, arguments);
        assert_eq!(
            (&anew.code, &anew.stdout, messages(&anew)),
            (&cached.code, &cached.stdout, messages(&cached)),
            "{arguments:?}"
        );
        cached.stdout
    }
}

/// What a run says besides the command line to type next, which repeats its own.
fn messages(run: &Run) -> Vec<&str> {
    let lines = run.stderr.lines();
    lines.filter(|line| !line.starts_with("next: ")).collect()
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// How often something was cached.
fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, Iterator::count)
}

#[test]
fn cached_findings_are_reported_in_every_format() {
    let tree = Tree::new("check-forms");
    for form in FORMS {
        let arguments = ["src", "--format", form];
        let first = tree.holds("one", &arguments);
        assert_eq!(first, tree.holds("one", &arguments), "{form}");
    }
    let n_entries = entries(&tree.cache());
    assert!(0 < n_entries);
    tree.holds("one", &["src", "--format", "json"]);
    assert_eq!(entries(&tree.cache()), n_entries, "nothing is kept twice");
}

#[test]
fn another_place_of_the_same_files_is_the_same() {
    let tree = Tree::new("check-places");
    let sarif = ["src", "--format", "sarif"];
    let first = tree.holds("one", &sarif);
    let n_entries = entries(&tree.cache());
    fs::create_dir_all(tree.root.join("two/.git")).expect("it is ours");
    for file in ["main.c", "scale.c", "axpy.f", "sizes.h"] {
        let from = tree.root.join("one/src").join(file);
        tree.write(
            &format!("two/src/{file}"),
            &fs::read_to_string(from).expect("it is ours"),
        );
    }
    assert_eq!(first, tree.holds("two", &sarif));
    assert_eq!(entries(&tree.cache()), n_entries);
    // From within the folder, paths of diagnostics are others, and those from the root the same.
    assert_eq!(
        first,
        tree.holds(
            "two/src",
            &["main.c", "scale.c", "axpy.f", "--format", "sarif"]
        )
    );
}

#[test]
fn every_file_that_matters_counts() {
    let tree = Tree::new("check-files");
    let before = tree.holds("one", &["src"]);
    tree.write("one/src/sizes.h", "#define N 8\n");
    let after = tree.holds("one", &["src"]);
    assert_ne!(before, after, "a header");
    tree.write("one/src/scale.c", &SCALE_C.replace("f(y[i])", "y[i]"));
    let without_call = tree.holds("one", &["src"]);
    assert_ne!(after, without_call, "a file");
    // A header of the folder that was missing, and one that comes before another.
    tree.write("one/src/main.c", &MAIN_C.replace("sizes.h", "more/sizes.h"));
    let nearby = tree.holds("one", &["src"]);
    tree.write("one/src/more/sizes.h", "#define N 9\n");
    assert_ne!(
        nearby,
        tree.holds("one", &["src"]),
        "a file that was not there"
    );
    tree.write("one/src/scale.c", "#include \"other.h\"\nvoid g(void) {}\n");
    tree.holds("one", &["src"]);
    tree.write("one/src/below/other.h", "#error\n");
    tree.holds("one", &["src"]);
    let unrelated = entries(&tree.cache());
    tree.write("one/src/notes.txt", "nothing");
    tree.holds("one", &["src"]);
    assert_eq!(
        entries(&tree.cache()),
        unrelated,
        "a file that nobody asks for"
    );
}

#[test]
fn every_option_that_matters_counts() {
    let tree = Tree::new("check-options");
    let options: [&[&str]; 6] = [
        &["src"],
        &["src", "-P", "N=64"],
        &["src", "-D", "N=64"],
        &["src", "--cache", "L1=1KiB,2,64"],
        &["src", "--dense"],
        &["src/axpy.f"],
    ];
    for arguments in options {
        let first = tree.holds("one", arguments);
        assert_eq!(first, tree.holds("one", arguments));
    }
}

#[test]
fn entries_that_are_broken_are_made_anew() {
    let tree = Tree::new("check-broken");
    let before = tree.holds("one", &["src"]);
    for entry in fs::read_dir(tree.cache()).expect("a folder") {
        let path = entry.expect("an entry").path();
        let bytes = fs::read(&path).expect("it is ours");
        fs::write(&path, &bytes[..bytes.len() / 2]).expect("it is ours");
    }
    assert_eq!(before, tree.holds("one", &["src"]));
    assert_eq!(before, tree.holds("one", &["src"]));
}
