//! Kernels that exist in three languages: what premiss says of one it says of all of them.
//!
//! Kernels are found in their folders. Where a language has them in another order of dimensions, the
//! closed form differs, and so is compared with the trace in each; how often each array is loaded and
//! stored, and from within which loops, is the same in all.

use premiss_presburger::{Budget, Column, Evaluator, System, count};
use premiss_scop::{Direction, NodeId, NodeKind, Scop, lower_elements};
use premiss_testdata::closed::{NoForm, check_form, closed_form};
use premiss_testdata::judge::execute;
use premiss_testdata::kernel::{Kernel, check_each};
use premiss_testdata::language::Language;
use premiss_testdata::memo::compare_once;
use premiss_tree::{AccessKind, NestTree, ReferenceId};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::panic::RefUnwindSafe;

/// How many kernels there are in all languages, at least.
const ENOUGH: usize = 15;

/// The scales of sizes: none, rows of one and two elements, whole lines and others.
const SCALES: [i64; 6] = [0, 1, 2, 3, 8, 11];

/// Scales of a kernel in three dimensions, whose planes otherwise straddle lines in every residue.
const SCALES_OF_PLANES: [i64; 6] = [0, 1, 2, 3, 8, 12];

/// Kernels that iterations pass pointers around in: which array an access is of has no closed form.
const EXCHANGING: &[&str] = &["shapes/exchanged_pairs"];

/// Kernels whose subscripts are no affine functions.
const NOT_AFFINE: [&str; 1] = ["shapes/closures"];

/// Kernels in which data decide what is executed.
const DECIDED_BY_DATA: [&str; 6] = [
    "shapes/constant_arguments",
    "shapes/data_chosen_slices",
    "shapes/early_exits",
    "shapes/idle_loops",
    "shapes/iterator_stages",
    "shapes/loaded_bounds",
];

/// Steps that counting one domain may take.
const STEPS: u64 = 1_000_000;

#[test]
fn there_are_enough_in_all_languages() {
    let n_kernels = kernels().len();
    assert!(ENOUGH <= n_kernels, "only {n_kernels} kernels");
}

/// Other sizes are tried where kernels in C have tests of their own.
#[test]
fn closed_forms_in_c_of_nothing() {
    every_kernel(|kernel| check_closed_form(kernel, Language::C, 0));
}

#[test]
fn closed_forms_in_fortran() {
    every_kernel(|kernel| check_closed_forms(kernel, Language::Fortran));
}

#[test]
fn closed_forms_in_rust() {
    every_kernel(|kernel| check_closed_forms(kernel, Language::Rust));
}

#[test]
fn closed_forms_of_shapes_in_fortran() {
    check_shapes(Language::Fortran);
}

#[test]
fn closed_forms_of_shapes_in_rust() {
    check_shapes(Language::Rust);
}

#[test]
fn loads_and_stores_in_fortran() {
    every_kernel(|kernel| check_as_in_c(kernel, Language::Fortran, &scales(kernel), counts));
}

#[test]
fn loads_and_stores_in_rust() {
    every_kernel(|kernel| check_as_in_c(kernel, Language::Rust, &scales(kernel), counts));
}

#[test]
fn loops_and_references_in_fortran() {
    every_kernel(|kernel| check_as_in_c(kernel, Language::Fortran, &[8], table));
}

#[test]
fn loops_and_references_in_rust() {
    every_kernel(|kernel| check_as_in_c(kernel, Language::Rust, &[8], table));
}

#[test]
fn scops_in_fortran() {
    every_kernel(|kernel| check_as_in_c(kernel, Language::Fortran, &[2, 8, 11], parts));
}

#[test]
fn scops_in_rust() {
    every_kernel(|kernel| check_as_in_c(kernel, Language::Rust, &[2, 8, 11], parts));
}

/// Something of a kernel in a language is what it is in C.
fn check_as_in_c<T: PartialEq + Debug>(
    kernel: &str,
    language: Language,
    scales: &[i64],
    what: impl Fn(&NestTree, Language) -> T,
) {
    for scale in scales {
        let [c, other] = [Language::C, language].map(|language| {
            let read = Kernel::at_scale(kernel, language, *scale);
            what(tree(&read), language)
        });
        assert_eq!(other, c, "{kernel} at {scale}: {language:?} and C");
    }
}

/// The kernels that every language has.
fn kernels() -> Vec<String> {
    let [c, fortran, rust] = Language::ALL.map(Language::kernels);
    let in_all = |name: &String| fortran.contains_key(name) && rust.contains_key(name);
    c.into_keys().filter(in_all).collect()
}

fn every_kernel(check: impl Fn(&str) + RefUnwindSafe) {
    check_each(kernels(), check);
}

/// Checks shapes of one language alone, at the sizes of their comments and in whole lines.
fn check_shapes(language: Language) {
    let in_all = kernels();
    let kernels = language.kernels().into_keys();
    let own = kernels.filter(|name| name.starts_with("shapes/") && !in_all.contains(name));
    check_each(own.collect(), |kernel| {
        check_closed_form(kernel, language, 10);
        check_closed_form(kernel, language, 16);
    });
}

fn scales(kernel: &str) -> [i64; 6] {
    match kernel {
        "heat-3d" => SCALES_OF_PLANES,
        _ => SCALES,
    }
}

/// The tree of the kernel: of a file with several functions, the last.
fn tree(read: &Kernel) -> &NestTree {
    let tree = read.unit.functions.last();
    let tree = tree.unwrap_or_else(|| panic!("nothing is read: {:#?}", read.diagnostics()));
    assert!(tree.rejections.is_empty(), "{:#?}", read.diagnostics());
    tree
}

fn check_closed_forms(kernel: &str, language: Language) {
    for scale in scales(kernel) {
        check_closed_form(kernel, language, scale);
    }
}

fn check_closed_form(kernel: &str, language: Language, scale: i64) {
    let read = Kernel::at_scale(kernel, language, scale);
    let tree = tree(&read);
    let what = format!("{kernel} in {language:?} at {scale}");
    compare_once(tree, &what, || {
        compare_closed_form(tree, kernel, scale, &what);
    });
}

fn compare_closed_form(tree: &NestTree, kernel: &str, scale: i64, what: &str) {
    let form = match closed_form(tree, 64, &BTreeMap::new()) {
        Ok((form, _)) => form,
        // Of an array without elements, the first is one of another array.
        Err(NoForm::Rejected(why)) if scale == 0 && why.starts_with("out-of-bounds") => return,
        Err(NoForm::Rejected(why))
            if DECIDED_BY_DATA.contains(&kernel) && why.starts_with("depends-on-data") =>
        {
            return;
        }
        Err(NoForm::Rejected(why))
            if NOT_AFFINE.contains(&kernel) && why.starts_with("not-affine") =>
        {
            return;
        }
        Err(NoForm::Rejected(why))
            if EXCHANGING.contains(&kernel) && why.starts_with("variable-not-affine") =>
        {
            return;
        }
        Err(reason) => panic!("{what}: {reason:?}"),
    };
    check_form(tree, &form, what);
}

/// The array of a reference as it is called in all languages. What lies in a COMMON block is part of
/// one area, but has a name in the text.
fn array_name(tree: &NestTree, language: Language, id: ReferenceId) -> String {
    let reference = &tree.references[id];
    let name = match language {
        Language::Fortran => reference.text.split('(').next().unwrap_or_default().trim(),
        Language::C | Language::Rust => &tree.arrays[reference.array].name,
    };
    name.to_lowercase()
}

/// How often each array is loaded and stored.
fn counts(tree: &NestTree, language: Language) -> BTreeMap<(String, AccessKind), u64> {
    let accesses = execute(tree, 64).accesses().expect("within budget");
    let mut counts = BTreeMap::new();
    for (id, reference) in &tree.references {
        let executed = accesses[id].exact().expect("data decide nothing here");
        let name = array_name(tree, language, id);
        *counts.entry((name, reference.kind)).or_insert(0) += executed;
    }
    counts
}

/// How many loops there are, and how many references to each array in how many loops.
fn table(
    tree: &NestTree,
    language: Language,
) -> (usize, BTreeMap<(String, AccessKind, usize), usize>) {
    let mut references = BTreeMap::new();
    for (id, reference) in &tree.references {
        let around = |inside: &Option<_>| inside.map(|id| tree.loops[id].inside);
        let depth = std::iter::successors(Some(reference.inside), around).count() - 1;
        let key = (array_name(tree, language, id), reference.kind, depth);
        *references.entry(key).or_insert(0) += 1;
    }
    (tree.loops.len(), references)
}

/// A part of a scop without the names of variables, the layout of arrays, and the order of accesses
/// that follow one another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Part {
    /// Accesses, sorted: which array, what is done, and how many times.
    Accesses(Vec<(String, AccessKind, i128)>),
    /// A loop with what it executes.
    Loop(Direction, Vec<Part>),
}

/// The parts of the scop whose lines are elements.
fn parts(tree: &NestTree, language: Language) -> Vec<Part> {
    let scops = lower_elements(tree, &BTreeMap::new());
    let scops = scops.unwrap_or_else(|reject| panic!("{}", reject.message(tree)));
    let [scop] = &scops[..] else {
        panic!("all elements are of one length");
    };
    let name = |id: ReferenceId| (array_name(tree, language, id), tree.references[id].kind);
    parts_of(scop, &scop.roots, &name)
}

fn parts_of(
    scop: &Scop,
    nodes: &[NodeId],
    name: &dyn Fn(ReferenceId) -> (String, AccessKind),
) -> Vec<Part> {
    let mut parts = Vec::new();
    for id in nodes {
        let node = &scop.nodes[*id];
        match &node.kind {
            NodeKind::Loop {
                direction,
                children,
                ..
            } => parts.push(Part::Loop(*direction, parts_of(scop, children, name))),
            NodeKind::Access(access) => {
                let domains = access.pieces.iter().map(|piece| &piece.domain);
                let points = domains.map(|domain| points(domain, node.depth)).sum();
                let (array, kind) = name(access.reference);
                let one = (array, kind, points);
                match parts.last_mut() {
                    Some(Part::Accesses(accesses)) => accesses.push(one),
                    _ => parts.push(Part::Accesses(vec![one])),
                }
            }
        }
    }
    for part in &mut parts {
        if let Part::Accesses(accesses) = part {
            accesses.sort();
        }
    }
    parts
}

/// The points of a domain of so many loops and no symbolic size.
fn points(domain: &System, depth: usize) -> i128 {
    let over: Vec<Column> = Column::variables(depth).collect();
    let context = System::universe(depth);
    let pieces =
        count(domain, &over, &context, &mut Budget::new(STEPS)).expect("it can be counted");
    let points = Evaluator::new(depth, &pieces).at(&vec![0; depth]);
    let points = points.expect("numbers fit").to_integer();
    points.expect("a number of points")
}
