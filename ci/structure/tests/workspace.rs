//! The workspace meets its targets, or comes no farther from them than it is.

use std::path::Path;

use premiss_structure::{Structure, Workspace};

/// Where a target is missed, the number that was reached; it is only ever lowered. The target stands beside it.
const REACHED: [(&str, usize); 3] = [
    // 700
    ("lines of the largest file", 753),
    // none
    ("banned names", 95),
    // none
    ("names of more than three types", 5),
];

#[test]
fn the_workspace_meets_its_targets() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let workspace = Workspace::read(&root, None).expect("sources that parse");
    let mut lines = Vec::new();
    for violation in Structure::measure(&workspace).violations() {
        let reached = REACHED.iter().find(|it| it.0 == violation.measure);
        if reached.is_none_or(|it| it.1 < violation.reached) {
            lines.push(violation.to_string());
            lines.extend(violation.offenders);
        }
    }
    assert!(lines.is_empty(), "{}", lines.join("\n"));
}
