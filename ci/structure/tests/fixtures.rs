//! The tool on small trees written for the occasion.

use std::fs;
use std::path::{Path, PathBuf};

use premiss_structure::{Structure, Workspace};

const MANIFEST: &str = "[package]\nname = \"sample\"\n";

/// Measures a crate of some files.
fn measure(name: &str, files: &[(&str, &str)]) -> Structure {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    drop(fs::remove_dir_all(&root));
    for (path, text) in [("Cargo.toml", MANIFEST)].iter().chain(files) {
        let path: PathBuf = root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a writable folder");
        fs::write(path, text).expect("a writable file");
    }
    Structure::measure(&Workspace::read(&root, None).expect("files that parse"))
}

/// The files of each cycle.
fn cycles(structure: &Structure) -> Vec<Vec<&str>> {
    let cycles = structure.cycles.iter();
    cycles
        .map(|cycle| cycle.files.iter().map(String::as_str).collect())
        .collect()
}

fn banned(structure: &Structure) -> Vec<&str> {
    structure.banned.iter().map(|it| it.name.as_str()).collect()
}

#[test]
fn files_that_import_each_other_are_a_cycle() {
    let structure = measure(
        "cycle",
        &[
            ("src/lib.rs", "mod left;\nmod right;\nmod alone;\n"),
            (
                "src/left.rs",
                "use crate::right::Right;\npub struct Left(Right);\n",
            ),
            (
                "src/right.rs",
                "pub struct Right;\nfn f() { super::left::g(); }\n",
            ),
            ("src/alone.rs", "use crate::left::Left;\nfn f(_: Left) {}\n"),
        ],
    );
    assert_eq!(cycles(&structure), [["src/left.rs", "src/right.rs"]]);
}

#[test]
fn a_parent_depends_on_a_child_that_it_uses_and_not_on_one_that_it_reexports() {
    let child = "use super::Size;\npub struct Part(Size);\npub fn part() {}\n";
    let reexport =
        "mod parts { pub mod part; pub use part::Part; }\npub use parts::Part;\npub struct Size;\n";
    let structure = measure(
        "reexport",
        &[("src/lib.rs", reexport), ("src/parts/part.rs", "")],
    );
    assert!(structure.cycles.is_empty());
    let handed_on = "mod part;\npub use part::Part;\npub struct Size;\n";
    let structure = measure(
        "reexport",
        &[("src/lib.rs", handed_on), ("src/part.rs", child)],
    );
    assert!(structure.cycles.is_empty(), "{structure}");
    let used = "mod part;\npub use part::Part;\npub struct Size;\nfn f() -> Vec<Part> { vec![] }\n";
    let structure = measure("reexport", &[("src/lib.rs", used), ("src/part.rs", child)]);
    assert_eq!(cycles(&structure), [["src/lib.rs", "src/part.rs"]]);
}

#[test]
fn a_path_to_a_reexport_leads_to_the_file_that_defines_the_item() {
    let structure = measure(
        "through",
        &[
            ("src/lib.rs", "mod a;\nmod b;\nmod front;\n"),
            (
                "src/front.rs",
                "pub use crate::a::*;\npub use crate::b::B as Other;\n",
            ),
            (
                "src/a.rs",
                "pub struct A;\nfn f() { let _ = crate::front::Other::new(); }\n",
            ),
            (
                "src/b.rs",
                "use crate::front;\npub struct B;\nfn f(_: front::A) {}\n",
            ),
        ],
    );
    assert_eq!(cycles(&structure), [["src/a.rs", "src/b.rs"]]);
}

#[test]
fn paths_within_macro_calls_count_and_test_modules_do_not() {
    let a = "pub fn a() { println!(\"{}\", crate::b::b(1)); }\n";
    let b = "pub fn b(_: u8) {}\n#[cfg(test)]\nmod tests { use crate::a::a; }\n";
    let files = [
        ("src/lib.rs", "mod a;\nmod b;\n"),
        ("src/a.rs", a),
        ("src/b.rs", b),
    ];
    assert!(measure("macros", &files).cycles.is_empty());
    let b = "pub fn b(_: u8) { assert!(super::a::a() == ()); }\n";
    let files = [
        ("src/lib.rs", "mod a;\nmod b;\n"),
        ("src/a.rs", a),
        ("src/b.rs", b),
    ];
    assert_eq!(
        cycles(&measure("macros", &files)),
        [["src/a.rs", "src/b.rs"]]
    );
}

#[test]
fn methods_of_a_type_add_up_over_files_and_stay_apart_by_type() {
    let structure = measure(
        "methods",
        &[
            (
                "src/lib.rs",
                "mod more;\nmod same;\npub struct Walker;\nimpl Walker { fn a() {} fn b(&self) {} }\n",
            ),
            (
                "src/more.rs",
                "use crate::Walker;\nimpl Walker { fn c() {} }\nimpl Clone for Walker { fn clone(&self) -> Self { Walker } }\n",
            ),
            ("src/same.rs", "struct Walker;\nimpl Walker { fn a() {} }\n"),
        ],
    );
    let methods = &structure.methods.descending;
    assert_eq!(
        methods[..],
        [
            (3, "sample::Walker".to_owned()),
            (1, "sample::Walker".to_owned())
        ]
    );
}

#[test]
fn functions_are_measured_from_signature_to_brace() {
    let text =
        "/// Documented.\n#[inline]\nfn long(\n    x: u8,\n) -> u8 {\n    x\n}\nfn short() {}\n";
    let structure = measure("functions", &[("src/lib.rs", text)]);
    let sizes: Vec<usize> = structure
        .functions
        .descending
        .iter()
        .map(|it| it.0)
        .collect();
    assert_eq!(sizes, [5, 1]);
    assert_eq!(structure.files.max, 8);
    assert_eq!(structure.functions.descending[0].1, "src/lib.rs:3 long");
}

#[test]
fn banned_words_are_found_in_names_and_nowhere_else() {
    let text = "// What was told, and who asked.\n/// Said so.\npub struct Told { asked: u8, asker: u8 }\n\
        fn f() { let kept = \"known\"; }\nfn is_minted() {}\nfn of() {}\nenum E { Noted, Counted }\nmod own {}\nuse std::fmt as told;\n";
    let structure = measure("banned", &[("src/lib.rs", text)]);
    assert_eq!(
        banned(&structure),
        ["Told", "asked", "is_minted", "Noted", "own", "told"]
    );
    assert_eq!(structure.banned[0].location, "src/lib.rs:3");
}

#[test]
fn names_that_others_choose_are_not_banned() {
    let text =
        "#[derive(Serialize)]\nstruct Row { known: u8 }\nimpl Ask for Row { fn known(&self) {} }\n";
    assert_eq!(
        banned(&measure("formats", &[("src/lib.rs", text)])),
        [""; 0]
    );
}

#[test]
fn a_name_may_stand_for_three_types() {
    let inner = |n: usize| {
        (0..n)
            .map(|i| format!("mod m{i} {{ struct Row; }}\n"))
            .collect::<String>()
    };
    let tests = "#[cfg(test)]\nmod tests { struct Row; }\n";
    let structure = measure("shared", &[("src/lib.rs", &(inner(3) + tests))]);
    assert!(structure.shared.is_empty());
    let structure = measure("shared", &[("src/lib.rs", &inner(4))]);
    assert_eq!(structure.shared[0].name, "Row");
    assert_eq!(structure.shared[0].locations.len(), 4);
}

#[test]
fn what_misses_a_target_is_listed() {
    let long = "\n".repeat(701);
    let structure = measure("violations", &[("src/lib.rs", &long)]);
    let violations = structure.violations();
    let targets: Vec<String> = violations.iter().map(ToString::to_string).collect();
    assert_eq!(
        targets,
        [
            "median lines of files: 701, at most 180",
            "lines of the largest file: 701, at most 700"
        ]
    );
    assert_eq!(violations[1].offenders, ["   701  src/lib.rs"]);
    assert!(
        measure("violations", &[("src/lib.rs", "fn f() {}\n")])
            .violations()
            .is_empty()
    );
}
