//! Prints the structure of the workspace; exits with 1 if it misses a target.
//!
//! `premiss-structure [--crate NAME] [ROOT]`

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use premiss_structure::{Structure, Workspace};

fn main() -> ExitCode {
    let mut root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut package = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--crate" {
            package = arguments.next();
        } else {
            root = PathBuf::from(argument);
        }
    }
    let workspace = match Workspace::read(&root, package.as_deref()) {
        Ok(workspace) => workspace,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    let structure = Structure::measure(&workspace);
    print!("{structure}");
    let violations = structure.violations();
    if violations.is_empty() {
        println!("all targets are met");
        return ExitCode::SUCCESS;
    }
    println!("missed:");
    for violation in &violations {
        println!("    {violation}");
    }
    ExitCode::FAILURE
}
