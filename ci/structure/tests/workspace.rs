//! The workspace meets its targets.

use std::path::Path;

use premiss_structure::{Structure, Workspace};

#[test]
fn the_workspace_meets_its_targets() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let workspace = Workspace::read(&root, None).expect("sources that parse");
    let mut lines = Vec::new();
    for violation in Structure::measure(&workspace).violations() {
        lines.push(violation.to_string());
        lines.extend(violation.offenders);
    }
    assert!(lines.is_empty(), "{}", lines.join("\n"));
}
