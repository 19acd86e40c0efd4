//! Closed forms of operation counts against executing the tree: every place of every kernel, in every
//! language, at sizes of nothing, one, two, and whole lines and others.

use premiss_histogram::Counted;
use premiss_operations::{FunctionCounts, NoPlaces, Places, Scope, count, enumerate};
use premiss_oracle::{Executed, Failure, executed};
use premiss_testdata::kernel::{Kernel, check_each};
use premiss_testdata::language::Language;
use premiss_testdata::memo::compare_once;
use premiss_tree::{
    AccessKind, LoopId, NestTree, Node, Operands, Operation, OperationKind, ParameterId,
    ParameterKind, Role,
};
use std::collections::BTreeMap;

/// Steps that counting a function may take.
const STEPS: u64 = 2_000_000;
/// Nodes that executing a function may take.
const BUDGET: u64 = 50_000_000;

/// The scales of sizes: none, one and two elements, whole lines of doubles and of floats, and others.
const SCALES: [i64; 8] = [0, 1, 2, 3, 8, 9, 13, 16];

/// Kernels with loops or branches that are affine in no way that sets can say: closed forms bound them.
const NOT_AFFINE: [&str; 14] = [
    "shapes/changing_bounds",
    "shapes/data_chosen_pointers",
    "shapes/data_chosen_slices",
    "shapes/exchanged_pairs",
    "shapes/exchanged_pointers",
    "shapes/factor_steps",
    "shapes/idle_loops",
    "shapes/loaded_bounds",
    "shapes/lost_in_nests",
    "shapes/member_stores",
    "shapes/own_blocks",
    "shapes/real_bounds",
    "shapes/table_walks",
    "shapes/typed_functions",
];

/// Kernels with a loop that never ends at some sizes: `i != n` in steps of two.
const ENDLESS: [&str; 2] = ["shapes/not_equal", "shapes/do_while"];

/// Kernels that divide by a size.
const DIVIDES: [&str; 1] = ["shapes/chunks"];

/// A kernel in a language at all scales: every part is what executing it says.
fn check_kernel(kernel: &str, language: Language) {
    for scale in SCALES {
        let read = Kernel::at_scale(kernel, language, scale);
        for tree in &read.unit.functions {
            let what = format!("{kernel} in {language:?}, {} at {scale}", tree.function);
            compare_once(tree, &what, || check_tree(tree, kernel, scale, &what));
        }
    }
}

fn check_tree(tree: &NestTree, kernel: &str, scale: i64, what: &str) {
    let open = tree.work.parameters.iter();
    let open = open.filter(|(_, x)| x.value.is_none() && x.kind == ParameterKind::Size);
    let sizes: BTreeMap<ParameterId, i64> = open.map(|(id, _)| (id, scale)).collect();
    let expected = match executed(tree, &sizes, BUDGET) {
        Err(Failure::Budget) if ENDLESS.contains(&kernel) => return,
        expected => expected.expect("it runs within the budget"),
    };
    let found = count(tree, &sizes, STEPS).unwrap_or_else(|reason| panic!("{what}: {reason:?}"));
    let may_refuse = NOT_AFFINE.contains(&kernel) || (scale == 0 && DIVIDES.contains(&kernel));
    assert!(
        may_refuse || found.refused.is_empty(),
        "{what}: {:?}",
        found.refused
    );
    let agrees = match found.refused.is_empty() {
        true => is_same,
        false => is_within,
    };
    compare(tree, &found, &expected, what, agrees);
    let traced = enumerate(tree, &sizes, BUDGET).expect("it runs within the budget");
    compare(tree, &traced, &expected, what, is_same);
}

fn is_same(found: Counted, expected: Counted) -> bool {
    found == expected
}

/// Whether a number that is not exact allows for what is expected.
fn is_within(found: Counted, expected: Counted) -> bool {
    match (found.bounds(), expected.bounds()) {
        (Some((lower, upper)), Some((least, most))) => lower <= least && most <= upper,
        (found, _) => found.is_none(),
    }
}

fn compare(
    tree: &NestTree,
    found: &FunctionCounts,
    expected: &Executed,
    what: &str,
    agrees: fn(Counted, Counted) -> bool,
) {
    let all = |_: &Operation| true;
    for (scope, name) in scopes(tree) {
        let expected = expected_in(tree, expected, scope);
        let counts = found.of(scope);
        let operations = counts.operations(all);
        assert!(
            agrees(operations, expected[0]),
            "{what}: operations of {name}: {operations:?}, not {:?}",
            expected[0]
        );
        for (access, expected) in [AccessKind::Load, AccessKind::Store]
            .into_iter()
            .zip(&expected[1..])
        {
            let kinds = [
                premiss_operations::ElementKind::Integer,
                premiss_operations::ElementKind::Floating,
            ];
            let moved: Counted = kinds
                .map(|kind| counts.traffic(access, kind).elements)
                .into_iter()
                .sum();
            assert!(
                agrees(moved, *expected),
                "{what}: {access:?} of {name}: {moved:?}, not {expected:?}"
            );
        }
    }
}

fn scopes(tree: &NestTree) -> Vec<(Scope, String)> {
    let mut scopes = vec![(Scope::Function, "the function".to_owned())];
    for (id, header) in &tree.loops {
        scopes.push((
            Scope::Loop(id),
            format!("the loop over {}", header.iterator),
        ));
    }
    scopes
}

fn is_inside(tree: &NestTree, inside: Option<LoopId>, scope: Scope) -> bool {
    match scope {
        Scope::Function => true,
        Scope::Loop(id) => {
            let mut around = std::iter::successors(inside, |id| tree.loops[*id].inside);
            around.any(|x| x == id)
        }
        Scope::Statement(_) => false,
    }
}

/// Operations, loads and stores, summed here from how often each place was executed.
fn expected_in(tree: &NestTree, executed: &Executed, scope: Scope) -> [Counted; 3] {
    let mut is_open = false;
    let note = &mut |node: &Node| {
        is_open |= match node {
            Node::Opaque(_) => true,
            Node::Loop(inner) => inner.bound == premiss_tree::Expression::Data,
            _ => false,
        };
    };
    for node in &tree.work.body {
        node.walk(&mut |node| match (scope, node) {
            (Scope::Function, node) => note(node),
            (Scope::Loop(id), Node::Loop(inner)) if inner.id == id => node.walk(note),
            _ => {}
        });
    }
    let mut sums = [if is_open {
        Counted::Unknown
    } else {
        Counted::ZERO
    }; 3];
    for (id, times) in &executed.operations {
        let row = &tree.work.operations[*id];
        if is_inside(tree, row.inside, scope) {
            let each: u32 = row.arithmetic.performed.values().sum();
            (0..each).for_each(|_| sums[0] += times.counted());
        }
    }
    for (id, times) in &executed.references {
        let reference = &tree.references[*id];
        if is_inside(tree, reference.inside, scope) {
            let idx = match reference.kind {
                AccessKind::Load => 1,
                AccessKind::Store => 2,
            };
            sums[idx] += times.counted();
        }
    }
    sums
}

#[test]
fn kernels_in_c() {
    let kernels = Language::C.kernels().into_keys().collect();
    check_each(kernels, |kernel| check_kernel(kernel, Language::C));
}

#[test]
fn kernels_in_fortran() {
    let kernels = Language::Fortran.kernels().into_keys().collect();
    check_each(kernels, |kernel| check_kernel(kernel, Language::Fortran));
}

#[test]
fn kernels_in_rust() {
    let kernels = Language::Rust.kernels().into_keys().collect();
    check_each(kernels, |kernel| check_kernel(kernel, Language::Rust));
}

/// What a kernel computes with real numbers and with integers of its own, by kind.
fn own_arithmetic(tree: &NestTree) -> BTreeMap<(bool, OperationKind), Counted> {
    let counts = count(tree, &BTreeMap::new(), STEPS).expect("it has a closed form");
    let mut found = BTreeMap::new();
    for (operation, count) in counts.of(Scope::Function).by_operation() {
        if operation.role == Role::Data && count != Counted::ZERO {
            let is_real = !matches!(operation.operands, Operands::Integer(_));
            *found
                .entry((is_real, operation.kind.clone()))
                .or_insert(Counted::ZERO) += count;
        }
    }
    found
}

#[test]
fn languages_agree() {
    let [c, fortran, rust] = Language::ALL.map(Language::kernels);
    let in_all = |name: &String| fortran.contains_key(name) && rust.contains_key(name);
    let kernels: Vec<String> = c.into_keys().filter(in_all).collect();
    assert!(15 <= kernels.len(), "only {} kernels", kernels.len());
    check_each(kernels, |kernel| {
        let [c, fortran, rust] = Language::ALL.map(|language| {
            let read = Kernel::at_scale(kernel, language, 9);
            own_arithmetic(read.unit.functions.last().expect("a function"))
        });
        assert_eq!(fortran, c, "{kernel}: Fortran and C");
        assert_eq!(rust, c, "{kernel}: Rust and C");
    });
}

/// A triangle with a guard: the closed form in `n` is exact at every size, and no two sizes share one.
#[test]
fn triangles_and_guards_are_exact_in_symbols() {
    let text = "void f(int n, double a[n][n]) {\n\
                for (int i = 0; i < n; i++)\n\
                for (int j = 0; j <= i; j++)\n\
                if (j < i - 2) a[i][j] = a[i][j] * 2.0 + 1.0; else a[i][j] += 3.0;\n}\n";
    let read = Kernel::from_bytes("triangle.c", text.into(), &[], &[]);
    let tree = read.only_tree();
    let places = Places::derive(tree, &BTreeMap::new(), STEPS).expect("it is affine");
    assert_eq!(places.parameters.len(), 1);
    for n in 0..20_i128 {
        let counts = places.at(tree, &[n]);
        let counts = counts.of(Scope::Function);
        let below = if n < 3 { 0 } else { (n - 2) * (n - 3) / 2 };
        let all = n * (n + 1) / 2;
        let exact = |x: i128| Counted::Exact(u64::try_from(x).expect("not negative"));
        assert_eq!(
            counts.floating_point(&OperationKind::Multiply),
            exact(below),
            "n = {n}"
        );
        assert_eq!(
            counts.floating_point(&OperationKind::Add),
            exact(all),
            "n = {n}"
        );
        assert_eq!(counts.fused(), exact(below), "n = {n}");
    }
}

#[test]
fn no_closed_form_is_wrong_about_why() {
    let read = Kernel::from_bytes(
        "none.c",
        "void f(int n) { for (int i = 0; i < n; i++) ; }".into(),
        &[],
        &[],
    );
    let tree = read.only_tree();
    let refused = Places::derive(tree, &BTreeMap::new(), 0);
    assert!(matches!(refused, Err(NoPlaces::Refused(_))), "{refused:?}");
}
