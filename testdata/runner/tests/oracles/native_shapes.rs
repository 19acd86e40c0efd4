//! Ways of writing that only one language has, against what they do when they are compiled: as many
//! loads and stores as their comments say, and the addresses that premiss derives from the text. Of copies of
//! sections, which lie where the machine likes, the side that is in arrays is compared.
//!
//! Without valgrind or a compiler these tests pass and say that they were skipped.

use premiss_histogram::Counted;
use premiss_testdata::comments::{expected, sizes};
use premiss_testdata::language::Language;
use premiss_testdata::native::{self, Access, Program};
use premiss_testdata::truth::testdata;
use premiss_tree::AccessKind;
use std::fs;
use std::path::Path;

/// One test per file: its arrays with their bytes, and the call.
macro_rules! shapes {
    ($($name:ident $path:literal [$($array:ident $bytes:literal)*] $call:literal;)*) => {
        $(#[test]
        fn $name() {
            check($path, &[$((stringify!($array), $bytes)),*], $call);
        })*
    };
}

shapes! {
    sections "fortran/shapes/sections.f90" [a 800 b 800 c 80] "sections_(&n, a, b, c)";
    section_arguments "fortran/shapes/section_arguments.f90" [a 800 c 80] "section_arguments_(&n, a, c)";
    reductions "fortran/shapes/reductions.f90" [a 800 b 800 c 80] "reductions_(&n, a, b, c)";
    downward "fortran/shapes/downward.f90" [a 80 b 80] "downward_(&n, a, b)";
    select_case "fortran/shapes/select_case.f90" [a 80 b 80] "select_case_(&n, a, b)";
    pointers "fortran/shapes/pointers.f90" [a 800] "pointers_(&n, a)";
    exchanged_pairs "fortran/shapes/exchanged_pairs.f90" [u1 80 u2 80 v1 80 v2 80 p1 80 p2 80]
        "exchanged_pairs_(&n, u1, u2, v1, v2, p1, p2)";
    columns "fortran/shapes/columns.f90" [a 800] "columns_(&n, a)";
    idle_loops "fortran/shapes/idle_loops.f" [x 80] "idle_(&n, x)";
    chosen_ways "fortran/shapes/chosen_ways.f" [a 80 b 80] "ways_(&n, a, b)";
    typed_functions "fortran/shapes/typed_functions.f" [x 80] "typed_(&n, x)";
    jumps_back "fortran/shapes/jumps_back.f" [a 80 b 800] "back_(&n, a, b)";
    chunks "rust/shapes/chunks.rs" [a 800 b 80] "chunks(N, a.slice(), b.slice())";
    windows "rust/shapes/windows.rs" [x 80 y 80] "windows::<N>(x.array(), y.array())";
    reversed "rust/shapes/reversed.rs" [a 80 b 80] "reversed(N, a.slice(), b.slice())";
    sums "rust/shapes/sums.rs" [a 800 x 80 y 80] "sums(N, a.slice(), x.slice(), y.slice())";
    points "rust/shapes/points.rs" [bodies 560 masses 40] "points(N, 0.5, bodies.slice(), masses.slice())";
    closures "rust/shapes/closures.rs" [a 800 b 800] "closures(N, a.slice(), b.slice())";
    matrix_type "rust/shapes/matrix_type.rs" [a 800 b 800] "matrix_type(N, a.slice(), b.slice())";
}

fn check(path: &str, arrays: &[(&str, u64)], call: &str) {
    let path = format!("kernels/{path}");
    let text = fs::read_to_string(testdata().join(&path)).expect("a shape");
    let sizes = sizes(&text);
    let sizes: Vec<(&str, i64)> = sizes.iter().map(|(name, x)| (name.as_str(), *x)).collect();
    let program = Program {
        path: &path,
        arrays,
        macros: &[],
        sizes: &sizes,
        statics: "",
        call,
    };
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let Some(native) = native::native(&program, scratch) else {
        return;
    };
    let own = native::check(&program, &native);
    let lines = expected(&text, Language::of(&path));
    for (idx, kind) in [AccessKind::Load, AccessKind::Store]
        .into_iter()
        .enumerate()
    {
        let said: Counted = lines.values().map(|counts| counts[idx]).sum();
        let done = Counted::Exact(count(&native.accesses, kind) + count(&own, kind));
        assert_eq!(
            said, done,
            "{path}: {kind:?}s, by the comments and by the machine"
        );
    }
}

fn count(accesses: &[Access], kind: AccessKind) -> u64 {
    let of_kind = accesses.iter().filter(|access| access.0 == kind);
    of_kind.map(|_| 1).sum()
}
