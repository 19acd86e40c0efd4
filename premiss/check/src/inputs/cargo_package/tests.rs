//! Manifests and trees in memory: `cargo metadata` was asked about each, and names the same files.

use super::*;
use crate::host::Progress;
use premiss_source::{MemoryFiles, ReadError};
use std::io;

struct Memory(MemoryFiles);

impl Host for Memory {
    fn current_dir(&self) -> &Path {
        Path::new("/w")
    }

    fn files(&self) -> &dyn Files {
        self
    }

    fn message(&self, _: &str) {}

    fn progress(&self, _: &'static str, _: &'static str, _: usize) -> Box<dyn Progress> {
        unreachable!("nothing is counted")
    }

    fn read_stdin(&self, _: u64) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }
}

/// The files of a system, where `src/../a.rs` is `a.rs`.
impl Files for Memory {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        self.0.read(&plain(path))
    }

    fn names(&self, path: &str) -> Option<Vec<String>> {
        self.0.names(&plain(path))
    }

    fn is_file(&self, path: &str) -> bool {
        self.0.is_file(&plain(path))
    }

    fn is_directory(&self, path: &str) -> bool {
        self.0.is_directory(&plain(path))
    }
}

fn plain(path: &str) -> String {
    normalize(Path::new(path)).display().to_string()
}

/// A tree of files: manifests with their text, and Rust files, which have none unless they declare modules.
fn tree(files: &[(&str, &str)]) -> Memory {
    let files = files.iter();
    Memory(
        files
            .map(|(path, text)| (format!("/w/{path}"), *text))
            .collect(),
    )
}

#[track_caller]
fn check(tree: &Memory, folder: &str, expected: &[&str]) {
    let whole = normalize(&Path::new("/w").join(folder));
    let places = Tree {
        files: &tree.0,
        current: Path::new("/w"),
    };
    let roots = target_roots(places, &whole).expect("it is well-formed");
    let shown = roots.iter().map(|path| {
        path.strip_prefix("/w")
            .expect("below")
            .display()
            .to_string()
    });
    assert_eq!(shown.collect::<Vec<_>>(), expected);
}

#[track_caller]
fn refuse(tree: &Memory, expected: &str) {
    let CargoPackage::Unreadable(why) = cargo_package(Path::new("."), tree) else {
        panic!("it is read");
    };
    assert!(why.contains(expected), "{why}");
}

const PACKAGE: &str = "[package]\nname = \"p\"\nedition = \"2021\"\n";

#[test]
fn targets_are_found_by_convention() {
    let tree = tree(&[
        ("Cargo.toml", PACKAGE),
        ("build.rs", ""),
        ("src/lib.rs", ""),
        ("src/main.rs", ""),
        ("src/forgotten.rs", ""),
        ("src/bin/one.rs", ""),
        ("src/bin/two/main.rs", ""),
        ("src/bin/two/other.rs", ""),
        ("src/bin/.hidden.rs", ""),
        ("examples/three.rs", ""),
        ("examples/data/three.txt", ""),
        ("tests/four.rs", ""),
        ("benches/five.rs", ""),
    ]);
    let expected = [
        "examples/three.rs",
        "src/bin/one.rs",
        "src/bin/two/main.rs",
        "src/lib.rs",
        "src/main.rs",
    ];
    check(&tree, ".", &expected);
}

#[test]
fn what_a_manifest_states_replaces_what_is_found() {
    let targets = "[lib]\npath = \"l.rs\"\n\
                   [[bin]]\nname = \"one\"\npath = \"x/one.rs\"\n\
                   [[bin]]\nname = \"two\"\n\
                   [[example]]\nname = \"three\"\n";
    let mut files = vec![
        ("l.rs", ""),
        ("x/one.rs", ""),
        ("src/lib.rs", ""),
        ("src/main.rs", ""),
        ("src/bin/one.rs", ""),
        ("src/bin/two.rs", ""),
        ("examples/three.rs", ""),
        ("examples/other.rs", ""),
    ];
    let manifest = format!("{PACKAGE}{targets}");
    files.push(("Cargo.toml", &manifest));
    let all = [
        "examples/other.rs",
        "examples/three.rs",
        "l.rs",
        "src/bin/two.rs",
        "src/main.rs",
        "x/one.rs",
    ];
    check(&tree(&files), ".", &all);
    let stated = ["examples/three.rs", "l.rs", "src/bin/two.rs", "x/one.rs"];
    let manifest = format!("{PACKAGE}autobins = false\nautoexamples = false\n{targets}");
    *files.last_mut().expect("the manifest") = ("Cargo.toml", &manifest);
    check(&tree(&files), ".", &stated);
    // Edition 2015 finds no targets besides those of a manifest.
    let manifest = format!("[package]\nname = \"p\"\n{targets}");
    *files.last_mut().expect("the manifest") = ("Cargo.toml", &manifest);
    check(&tree(&files), ".", &stated);
}

#[test]
fn members_are_those_that_patterns_fit_and_those_that_they_depend_on() {
    let root = "[workspace]\nmembers = [\"crates/*\", \"tools/one\"]\nexclude = [\"crates/out\"]\n\
                [workspace.package]\nedition = \"2021\"\n\
                [workspace.dependencies]\ninherited = { path = \"libs/inherited\" }\nunused = { path = \"libs/unused\" }\n";
    let a = "[package]\nname = \"a\"\nedition.workspace = true\n\
             [dependencies]\nserde = \"1\"\ninherited.workspace = true\n\
             [target.'cfg(unix)'.dev-dependencies]\nunix = { path = \"../../libs/unix\", optional = true }\n\
             outside = { path = \"../../../outside\" }\n";
    let files = [
        ("Cargo.toml", root),
        ("crates/a/Cargo.toml", a),
        ("crates/a/src/lib.rs", ""),
        ("crates/no_manifest/src/lib.rs", ""),
        ("crates/out/Cargo.toml", PACKAGE),
        ("crates/out/src/lib.rs", ""),
        ("tools/one/Cargo.toml", PACKAGE),
        ("tools/one/src/main.rs", ""),
        ("tools/two/Cargo.toml", PACKAGE),
        ("tools/two/src/main.rs", ""),
        ("libs/inherited/Cargo.toml", PACKAGE),
        ("libs/inherited/src/lib.rs", ""),
        ("libs/unix/Cargo.toml", PACKAGE),
        ("libs/unix/src/lib.rs", ""),
        ("libs/unused/Cargo.toml", PACKAGE),
        ("libs/unused/src/lib.rs", ""),
    ];
    let tree = tree(&files);
    let expected = [
        "crates/a/src/lib.rs",
        "libs/inherited/src/lib.rs",
        "libs/unix/src/lib.rs",
        "tools/one/src/main.rs",
    ];
    check(&tree, ".", &expected);
    // From a member, all members of its workspace are found; of these, only those below it are read.
    check(&tree, "crates/a", &expected);
    // What a workspace excludes, or does not name, is a package of its own.
    check(&tree, "crates/out", &["crates/out/src/lib.rs"]);
    check(&tree, "tools/two", &["tools/two/src/main.rs"]);
}

#[test]
fn patterns_of_members_may_have_several_stars() {
    let files = [
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"x/**\", \"./y/?/*-sys\"]\n",
        ),
        ("x/Cargo.toml", PACKAGE),
        ("x/src/lib.rs", ""),
        ("x/deep/er/Cargo.toml", PACKAGE),
        ("x/deep/er/src/lib.rs", ""),
        ("y/a/b-sys/Cargo.toml", PACKAGE),
        ("y/a/b-sys/src/lib.rs", ""),
        ("y/a/b/Cargo.toml", PACKAGE),
        ("y/a/b/src/lib.rs", ""),
    ];
    let expected = [
        "x/deep/er/src/lib.rs",
        "x/src/lib.rs",
        "y/a/b-sys/src/lib.rs",
    ];
    check(&tree(&files), ".", &expected);
}

#[test]
fn files_of_modules_count_wherever_their_path_leads_within_the_folder() {
    let tree = tree(&[
        ("Cargo.toml", PACKAGE),
        (
            "src/lib.rs",
            "mod a;\n#[path = \"../shared/b.rs\"]\nmod b;\n#[path = \"../../out.rs\"]\nmod c;",
        ),
        ("src/a.rs", "mod inner;"),
        ("src/a/inner.rs", ""),
        ("src/forgotten.rs", ""),
        ("shared/b.rs", ""),
    ]);
    let CargoPackage::Files(files) = cargo_package(Path::new("."), &tree) else {
        panic!("it is read");
    };
    for file in [
        "./src/lib.rs",
        "src/a.rs",
        "./src/a/inner.rs",
        "shared/b.rs",
    ] {
        assert!(files.contains(file), "{file}");
    }
    assert!(!files.contains("./src/forgotten.rs"));
}

#[test]
fn manifests_that_cannot_be_read_are_refused() {
    refuse(&tree(&[("Cargo.toml", "[package\n")]), "`Cargo.toml`:");
    refuse(&tree(&[("Cargo.toml", PACKAGE)]), "no target");
    let manifest = format!("{PACKAGE}[[bin]]\nname = \"none\"\n");
    refuse(&tree(&[("Cargo.toml", &manifest)]), "the target `none`");
    let manifest = format!("{PACKAGE}[lib]\npath = \"none.rs\"\n");
    refuse(
        &tree(&[("Cargo.toml", &manifest)]),
        "`none.rs` is not there",
    );
    let workspace = "[workspace]\nmembers = [\"none\"]\n";
    refuse(&tree(&[("Cargo.toml", workspace)]), "has no Cargo.toml");
    let nothing = cargo_package(Path::new("."), &tree(&[("src/lib.rs", "")]));
    assert!(matches!(nothing, CargoPackage::None));
}
