//! The documents stay short, and name files that are there.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders of the repository, with which a path in a document begins.
const FOLDERS: [&str; 11] = [
    "frontend",
    "polyhedral",
    "reuse",
    "bounds",
    "premiss",
    "testdata",
    "snapshots",
    "schemas",
    "docs",
    "ci",
    "examples",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn documents() -> Vec<PathBuf> {
    let names = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];
    let mut documents: Vec<PathBuf> = names.iter().map(|name| root().join(name)).collect();
    for folder in ["docs/src", "docs/src/commands"] {
        for entry in fs::read_dir(root().join(folder)).expect("the book is there") {
            let path = entry.expect("a readable folder").path();
            documents.extend(
                path.extension()
                    .is_some_and(|it| it == "md")
                    .then_some(path),
            );
        }
    }
    documents
}

/// Whether a piece of code in a document is a path in this repository.
fn is_path(code: &str) -> bool {
    let first = code.split('/').next().unwrap_or("");
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-".contains(letter);
    code.contains('/') && FOLDERS.contains(&first) && code.chars().all(is_plain)
}

#[test]
fn paths_in_documents_exist() {
    for document in documents() {
        let text = text(&document);
        let prose = text.split("```").step_by(2);
        for code in prose.flat_map(|part| part.split('`').skip(1).step_by(2)) {
            if is_path(code) {
                assert!(root().join(code).exists(), "{}: {code}", document.display());
            }
        }
    }
}

#[test]
fn documents_for_a_first_reading_are_short() {
    let readme = text(&root().join("README.md"));
    assert!(
        readme.lines().count() <= 150,
        "README.md has {} lines",
        readme.lines().count()
    );
    let architecture = text(&root().join("ARCHITECTURE.md"));
    let n_words = architecture.split_whitespace().count();
    assert!(n_words <= 2000, "ARCHITECTURE.md has {n_words} words");
}

#[test]
fn every_page_of_the_book_is_in_its_summary() {
    let summary = text(&root().join("docs/src/SUMMARY.md"));
    for document in documents() {
        let Ok(page) = document.strip_prefix(root().join("docs/src")) else {
            continue;
        };
        let link = format!("({})", page.display());
        assert!(
            page.ends_with("SUMMARY.md") || summary.contains(&link),
            "{}",
            page.display()
        );
    }
}
