//! Every crate says what a registry asks for, and none is tied to this repository.

use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn manifest(folder: &str) -> Table {
    let path = root().join(folder).join("Cargo.toml");
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.parse()
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The folders of the crates that are for others, as the workspace lists them.
fn published() -> Vec<String> {
    let workspace = manifest("");
    let members = workspace["workspace"]["members"]
        .as_array()
        .expect("a list of members");
    let members = members.iter().filter_map(Value::as_str).map(str::to_owned);
    members
        .filter(|it| !it.starts_with("testdata/") && !it.starts_with("ci/"))
        .collect()
}

#[test]
fn crates_describe_themselves() {
    for folder in published() {
        let manifest = manifest(&folder);
        let package = manifest["package"].as_table().expect("a package");
        for key in [
            "description",
            "version",
            "edition",
            "rust-version",
            "license",
            "keywords",
            "categories",
        ] {
            assert!(package.contains_key(key), "{folder}: no {key}");
        }
        assert!(
            !package.contains_key("publish"),
            "{folder} is not for others"
        );
    }
}

#[test]
fn crates_of_the_workspace_are_named_with_their_version() {
    let workspace = manifest("");
    let version = &workspace["workspace"]["package"]["version"];
    let dependencies = workspace["workspace"]["dependencies"]
        .as_table()
        .expect("dependencies");
    for (name, dependency) in dependencies {
        if dependency.get("path").is_some() {
            assert_eq!(dependency.get("version"), Some(version), "{name}");
        }
    }
    for folder in published() {
        for (name, value) in manifest(&folder)
            .iter()
            .filter(|it| it.0.contains("dependencies"))
        {
            let paths = value
                .as_table()
                .into_iter()
                .flatten()
                .filter(|it| it.1.get("path").is_some());
            assert_eq!(paths.count(), 0, "{folder}: {name} with a path");
        }
    }
}

/// The Rust files below a folder, but for tests: these need the whole repository.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.ends_with("tests") || path.ends_with("tests.rs") {
            continue;
        }
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

#[test]
fn what_is_compiled_into_a_crate_lies_within_it() {
    for folder in published() {
        let folder = root().join(folder).canonicalize().expect("a folder");
        let mut files = Vec::new();
        sources(&folder.join("src"), &mut files);
        for file in files {
            let text = fs::read_to_string(&file).expect("a source");
            for part in text.split("include_").skip(1) {
                let Some(rest) = part.split_once("!(\"").filter(|it| it.0.len() < 6) else {
                    continue;
                };
                let included = rest.1.split('"').next().unwrap_or("");
                let here = file.parent().expect("a folder");
                let path = here.join(included).canonicalize();
                let path =
                    path.unwrap_or_else(|error| panic!("{}: {included}: {error}", file.display()));
                assert!(path.starts_with(&folder), "{}: {included}", file.display());
            }
        }
    }
}
