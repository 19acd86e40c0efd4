//! Texts of which nothing is expected but that reading and running them ends.

use crate::closed::{Effort, form_of};
use crate::kernel::Kernel;
use premiss_cache::{CacheGeometry, Hierarchy};
use premiss_operations::count;
use premiss_scop::{ArrayLayout, ScopOptions, Size, lower};
use premiss_trace::{Execution, Placement};
use premiss_tree::NestTree;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// Steps of each run.
const STEPS: u64 = 20_000;

/// Steps of each derivation.
const EFFORT: Effort = Effort {
    operations: 20_000,
    steps: 2_000,
};

/// Reads any bytes as a file of that name, runs each of its functions in every way that the engine has, and derives
/// closed forms. A budget that runs out is an answer.
pub fn read_and_run(name: &str, bytes: Vec<u8>) {
    let kernel = Kernel::from_bytes(name, bytes, &[], &[("n", 9), ("m", 5)]);
    for tree in &kernel.unit.functions {
        run(tree);
        derive(tree);
    }
}

fn run(tree: &NestTree) {
    let placement = Placement {
        alignment: 64,
        bases: BTreeMap::new(),
    };
    let Ok(execution) = Execution::new(tree, &BTreeMap::new(), &placement, STEPS) else {
        return;
    };
    let level = CacheGeometry {
        line_size: 64,
        sets: 3,
        ways: 2,
    };
    let _ = execution.accesses();
    let _ = execution.histograms(64);
    let _ = execution.misses(&[level, level], Hierarchy::Filtered);
}

fn derive(tree: &NestTree) {
    let _ = count(tree, &BTreeMap::new(), EFFORT.steps);
    let symbolic = Size::Symbolic {
        factor: 8,
        residue: 1,
    };
    let options = ScopOptions {
        line_size: 64,
        layout: ArrayLayout::Aligned,
        sizes: tree
            .used_parameters()
            .into_iter()
            .map(|id| (id, symbolic))
            .collect(),
    };
    if let Ok(scop) = lower(tree, &options) {
        let _ = form_of(&scop, EFFORT);
    }
}

/// The texts of all files of our languages in some folders, in order, with names that tell their languages.
///
/// # Panics
/// A folder cannot be read.
#[must_use]
pub fn texts_below(folders: &[PathBuf]) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = folders.to_vec();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("a file").path();
            let extension = path.extension().and_then(|x| x.to_str());
            let extension = extension.map(str::to_ascii_lowercase);
            match extension.as_deref() {
                _ if path.is_dir() => folders.push(path),
                Some("c" | "f" | "f90" | "rs") => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    let text = |path: &PathBuf| {
        let extension = path.extension().and_then(|x| x.to_str()).expect("a suffix");
        let name = format!("any.{}", extension.to_ascii_lowercase());
        (name, fs::read(path).expect("a text"))
    };
    files.iter().map(text).collect()
}
