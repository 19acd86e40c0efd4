//! The crates of the workspace depend on each other as `ARCHITECTURE.md` says, and no otherwise.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Folders from the text to the verdict: a crate may know those of its own folder and of folders
/// before it, and none behind it.
const ROAD: [&str; 7] = [
    "frontend",
    "polyhedral",
    "reuse",
    "bounds",
    "premiss",
    "testdata",
    "ci",
];

/// Crates that know nothing of ours, programs least of all: arithmetic, threads, and a folder for results of tests. Every
/// crate may use them, those of earlier folders too.
const FOUNDATIONS: [&str; 3] = [
    "polyhedral/arithmetic",
    "polyhedral/parallel",
    "testdata/memo",
];

/// Every arrow there may be, but for those to [`FOUNDATIONS`].
const PERMITTED: [(&str, &[&str]); 36] = [
    ("polyhedral/arithmetic", &[]),
    ("polyhedral/parallel", &[]),
    ("testdata/memo", &[]),
    ("frontend/source", &[]),
    ("frontend/tree", &["frontend/source"]),
    ("frontend/ast", &["frontend/source", "frontend/tree"]),
    (
        "frontend/link",
        &["frontend/source", "frontend/tree", "frontend/ast"],
    ),
    // What lowers a function knows of no results of earlier runs: it reads the program through `Queries`.
    (
        "frontend/lower",
        &[
            "frontend/source",
            "frontend/tree",
            "frontend/ast",
            "frontend/link",
        ],
    ),
    (
        "frontend/incremental",
        &[
            "frontend/source",
            "frontend/tree",
            "frontend/ast",
            "frontend/link",
            "frontend/lower",
        ],
    ),
    (
        "frontend/c",
        &[
            "frontend/source",
            "frontend/tree",
            "frontend/ast",
            "frontend/link",
            "frontend/incremental",
        ],
    ),
    (
        "frontend/fortran",
        &[
            "frontend/source",
            "frontend/tree",
            "frontend/ast",
            "frontend/link",
            "frontend/incremental",
        ],
    ),
    (
        "frontend/rust",
        &[
            "frontend/source",
            "frontend/tree",
            "frontend/ast",
            "frontend/link",
            "frontend/incremental",
        ],
    ),
    ("frontend/profile", &["frontend/source", "frontend/tree"]),
    ("polyhedral/presburger", &[]),
    ("polyhedral/isl", &["polyhedral/presburger"]),
    (
        "polyhedral/scop",
        &["frontend/tree", "polyhedral/presburger"],
    ),
    (
        "polyhedral/dataflow",
        &["polyhedral/presburger", "polyhedral/isl", "polyhedral/scop"],
    ),
    ("reuse/cache", &[]),
    ("reuse/histogram", &[]),
    (
        "reuse/trace",
        &["frontend/tree", "reuse/cache", "reuse/histogram"],
    ),
    (
        "reuse/distance",
        &[
            "frontend/tree",
            "polyhedral/presburger",
            "polyhedral/scop",
            "polyhedral/dataflow",
            "reuse/cache",
            "reuse/histogram",
        ],
    ),
    ("bounds/machine", &["reuse/cache"]),
    ("bounds/detect", &["bounds/machine"]),
    ("bounds/misses", &["reuse/cache", "reuse/histogram"]),
    (
        "bounds/operations",
        &[
            "frontend/tree",
            "polyhedral/presburger",
            "polyhedral/scop",
            "polyhedral/dataflow",
            "reuse/histogram",
            "reuse/trace",
        ],
    ),
    (
        "bounds/time",
        &[
            "frontend/tree",
            "polyhedral/scop",
            "reuse/histogram",
            "bounds/machine",
            "bounds/operations",
        ],
    ),
    ("premiss/source_digest", &[]),
    (
        "premiss/formulas",
        &[
            "frontend/source",
            "frontend/tree",
            "polyhedral/presburger",
            "polyhedral/isl",
            "polyhedral/scop",
            "polyhedral/dataflow",
            "reuse/cache",
            "reuse/distance",
            "bounds/machine",
            "bounds/operations",
            "bounds/time",
            "premiss/source_digest",
        ],
    ),
    (
        "premiss/analyze",
        &[
            "frontend/source",
            "frontend/tree",
            "frontend/ast",
            "frontend/incremental",
            "frontend/c",
            "frontend/fortran",
            "frontend/rust",
            "frontend/profile",
            "polyhedral/presburger",
            "polyhedral/isl",
            "polyhedral/scop",
            "polyhedral/dataflow",
            "reuse/cache",
            "reuse/histogram",
            "reuse/trace",
            "reuse/distance",
            "bounds/machine",
            "bounds/misses",
            "bounds/operations",
            "bounds/time",
            "premiss/formulas",
        ],
    ),
    (
        "premiss/report",
        &[
            "frontend/source",
            "frontend/tree",
            "reuse/histogram",
            "bounds/machine",
            "bounds/misses",
            "premiss/analyze",
        ],
    ),
    (
        "premiss/gate",
        &[
            "frontend/source",
            "frontend/tree",
            "polyhedral/scop",
            "reuse/histogram",
            "bounds/machine",
            "premiss/analyze",
            "premiss/report",
        ],
    ),
    (
        "premiss/check",
        &[
            "frontend/source",
            "frontend/tree",
            "bounds/machine",
            "premiss/source_digest",
            "premiss/analyze",
            "premiss/report",
            "premiss/gate",
        ],
    ),
    (
        "premiss/command",
        &[
            "frontend/source",
            "frontend/tree",
            "bounds/machine",
            "bounds/detect",
            "premiss/analyze",
            "premiss/report",
            "premiss/gate",
            "premiss/check",
        ],
    ),
    // No engine is executed: of the trace engine it knows the types of questions and answers.
    (
        "testdata/oracle",
        &[
            "frontend/tree",
            "reuse/cache",
            "reuse/histogram",
            "reuse/trace",
        ],
    ),
    (
        "testdata/runner",
        &[
            "frontend/source",
            "frontend/tree",
            "frontend/c",
            "frontend/fortran",
            "frontend/rust",
            "frontend/profile",
            "polyhedral/scop",
            "polyhedral/presburger",
            "polyhedral/isl",
            "polyhedral/scop",
            "polyhedral/dataflow",
            "reuse/cache",
            "reuse/histogram",
            "reuse/distance",
            "reuse/trace",
            "bounds/machine",
            "bounds/misses",
            "bounds/operations",
            "bounds/time",
            "premiss/analyze",
            "premiss/source_digest",
            "testdata/oracle",
        ],
    ),
    ("ci/structure", &[]),
];

fn is_foundation(folder: &str) -> bool {
    FOUNDATIONS.contains(&folder)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn manifest(folder: &str) -> String {
    let path = root().join(folder).join("Cargo.toml");
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The folders of the workspace, as its manifest lists them.
fn members() -> Vec<String> {
    let text = manifest("");
    let list = text.split_once("members = [").expect("a workspace").1;
    let list = list.split_once(']').expect("a list that ends").0;
    let quoted = list.split('"').skip(1).step_by(2);
    quoted.map(str::to_owned).collect()
}

/// The folder of each crate of ours by its name.
fn folders(members: &[String]) -> BTreeMap<String, String> {
    let name = |folder: &String| {
        let text = manifest(folder);
        let line = text.lines().find_map(|line| line.strip_prefix("name = "));
        let name = line.expect("a package has a name").trim_matches('"');
        (name.to_owned(), folder.clone())
    };
    members.iter().map(name).collect()
}

/// The folders of ours that a crate names under any kind of dependencies.
fn dependencies(folder: &str, folders: &BTreeMap<String, String>) -> BTreeSet<String> {
    let text = manifest(folder);
    let mut found = BTreeSet::new();
    let mut in_dependencies = false;
    for line in text.lines() {
        if let Some(header) = line.strip_prefix('[') {
            in_dependencies = header.contains("dependencies");
        } else if in_dependencies {
            let end = line.find(['.', ' ', '=']).unwrap_or(line.len());
            found.extend(folders.get(&line[..end]).cloned());
        }
    }
    found
}

#[test]
fn crates_depend_on_each_other_as_permitted() {
    let members = members();
    let folders = folders(&members);
    let permitted: BTreeMap<&str, &[&str]> = PERMITTED.into_iter().collect();
    for member in &members {
        let allowed = permitted
            .get(member.as_str())
            .unwrap_or_else(|| panic!("{member} is in the workspace and not in this test"));
        for dependency in dependencies(member, &folders) {
            assert!(
                allowed.contains(&dependency.as_str()) || is_foundation(&dependency),
                "{member} depends on {dependency}: a new arrow is a change of its own"
            );
        }
    }
    let known: BTreeSet<&str> = members.iter().map(String::as_str).collect();
    for (folder, _) in PERMITTED {
        assert!(known.contains(folder), "{folder} is no crate any more");
    }
}

#[test]
fn permitted_arrows_run_down_the_road() {
    let place = |folder: &str| {
        let first = folder.split('/').next().unwrap_or("");
        let place = ROAD.iter().position(|row| *row == first);
        place.unwrap_or_else(|| panic!("{folder} is not on the road"))
    };
    let order: Vec<&str> = PERMITTED.iter().map(|(folder, _)| *folder).collect();
    for (folder, dependencies) in PERMITTED {
        for dependency in dependencies {
            assert!(
                place(dependency) <= place(folder),
                "{folder} -> {dependency}"
            );
            let position = |name: &str| order.iter().position(|known| *known == name);
            assert!(
                position(dependency) < position(folder),
                "{folder} -> {dependency} may go round"
            );
        }
    }
}

#[test]
fn front_ends_know_neither_caches_nor_each_other() {
    let folders = folders(&members());
    for member in members().iter().filter(|x| x.starts_with("frontend/")) {
        for dependency in dependencies(member, &folders) {
            let common = [
                "frontend/source",
                "frontend/tree",
                "frontend/ast",
                "frontend/link",
                "frontend/lower",
                "frontend/incremental",
            ];
            assert!(
                common.contains(&dependency.as_str()) || is_foundation(&dependency),
                "{member} -> {dependency}"
            );
        }
    }
}
