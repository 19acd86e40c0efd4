//! Names: COMMON blocks, modules, types and constants.

use super::{check, read, trees};
use crate::{Options, read_linked};
use premiss_source::{MemoryFiles, SourceMap};
use std::sync::Arc;

#[test]
fn commons_lie_in_storage_order() {
    check(
        "a.f90",
        "subroutine s\ncommon /blk/ n, a(10), x, b(5)\ndouble precision x\ndimension c(5)\nequivalence (c(3), b(3))\n\
         do i = 1, n\nb(i) = a(i) + c(i)\nend do\nend\n",
        "
        function s
        size n
        array /blk/ global, elements of 1, ends at 76
        loop i = 1; i <= n; i += 1
        load /blk/ + 4 * i (4 bytes)   a(i)
        load /blk/ + 4 * i + 52 (4 bytes)   c(i)
        store /blk/ + 4 * i + 52 (4 bytes)   b(i)
        ",
    );
}

#[test]
fn characters_are_sizes() {
    check(
        "a.f",
        "      SUBROUTINE S(UPLO, N, A)\n      CHARACTER UPLO\n      REAL A(N)\n      LOGICAL LSAME\n\
         \x20     EXTERNAL LSAME\n      IF (LSAME(UPLO, 'U')) THEN\n      DO 10 I = 1, N\n   10 A(I) = 0\n      END IF\n      END\n",
        "
        function S
        size UPLO
        size N
        array A parameter, elements of 4, ends at 4 * N
        if UPLO == 85 || UPLO == 117
        loop I = 1; I <= N; I += 1
        store A + 4 * I - 4   A(I)
        ",
    );
}

#[test]
fn modules_lead_from_file_to_file() {
    let found = trees(&[
        (
            "use.f90",
            "subroutine s\nuse sizes, only: rows => n, a\ndo i = 1, rows\na(i) = 0\nend do\nend\n",
        ),
        (
            "sizes.f90",
            "module sizes\ninteger, parameter :: n = 8\nreal, allocatable :: a(:)\nend module\n",
        ),
    ]);
    assert!(found.contains("loop i = 1; i <= 8; i += 1"), "{found}");
    assert!(found.contains("store a + "), "{found}");
}

#[test]
fn module_procedures_may_have_colons() {
    let found = trees(&[(
        "a.f90",
        "module m\ninterface mean\nmodule procedure :: first, second\nend interface\ncontains\n\
         subroutine first(n, a)\ninteger n\nreal a(n)\ndo i = 1, n\na(i) = 0\nend do\nend subroutine\n\
         subroutine second(a)\nreal a\nend subroutine\nend module\n",
    )]);
    assert!(found.contains("loop i = 1; i <= n; i += 1"), "{found}");
    assert!(!found.contains("syntax"), "{found}");
}

#[test]
fn functions_may_have_a_derived_type_in_front() {
    let found = trees(&[(
        "a.f90",
        "module m\ntype pair\nreal :: x(4)\nend type\ncontains\n\
         type(pair) function make(n) result(self)\ninteger, intent(in) :: n\n\
         do i = 1, 4\nself%x(i) = n\nend do\nend function make\n\
         pure class(pair) function kept(a)\nclass(pair), intent(in) :: a\nend function kept\n\
         subroutine s(n, a)\ninteger n\nreal a(n)\ndo i = 1, n\na(i) = 0\nend do\nend subroutine\nend module\n",
    )]);
    assert!(found.contains("function make"), "{found}");
    assert!(found.contains("loop i = 1; i <= 4; i += 1"), "{found}");
    assert!(found.contains("loop i = 1; i <= n; i += 1"), "{found}");
    assert!(!found.contains("syntax"), "{found}");
}

#[test]
fn parts_of_constants_are_constants() {
    check(
        "a.f",
        "      SUBROUTINE S(N, BETA, C)\n      COMPLEX C(*), ZERO\n      REAL BETA\n\
         \x20     PARAMETER (ZERO = (0.0E+0, 0.0E+0))\n      DO I = 1, N\n\
         \x20     IF (BETA.EQ.REAL(ZERO)) C(I) = ZERO\n      END DO\n      END\n",
        "
        function S
        size N
        size BETA==0
        array C parameter, elements of 8
        loop I = 1; I <= N; I += 1
        if BETA==0
        store C + 8 * I - 8   C(I)
        ",
    );
}

#[test]
fn signs_are_taken_from_numbers() {
    check(
        "a.f90",
        "subroutine s(n, k, a)\nreal a(n)\ndo i = 1, n\na(n + sign(i - 1, k)) = 0\nend do\nend\n",
        "
        function s
        size n
        size k
        array a parameter, elements of 4, ends at 4 * n
        loop i = 1; i <= n; i += 1
        store a + 4 * (n + select(k < 0, -select(i - 1 < 0, -(i - 1), i - 1), select(i - 1 < 0, -(i - 1), i - 1))) - 4   a(n + sign(i - 1, k))
        ",
    );
}

#[test]
fn a_module_that_no_file_defines_is_named_once() {
    let user = "subroutine f\nuse iso_fortran_env\nuse fields, only: u\nuse sizes\n\
                do i = 1, n\nu(i) = 0\nend do\nend\nsubroutine g\nuse fields\nend\n";
    let warnings = |files: &[(&str, &str)]| -> Vec<String> {
        let units = read(files);
        let all = units.iter().flat_map(|unit| &unit.diagnostics);
        let missing = all.filter(|x| x.code == "missing-module");
        missing.map(|x| x.message.clone()).collect()
    };
    let sizes = ("sizes.f90", "module sizes\ninteger :: n\nend module\n");
    let fields = ("fields.f90", "module fields\nreal :: u(100)\nend module\n");
    assert_eq!(warnings(&[("f.f90", user)]).len(), 2);
    assert_eq!(
        warnings(&[("f.f90", user), sizes]),
        ["module `fields` is in no file that was given, so its names are not known"]
    );
    assert!(warnings(&[("f.f90", user), sizes, fields]).is_empty());
}

#[test]
fn what_a_missing_module_may_declare_is_no_scalar_that_is_assigned_to() {
    let unknown = |body: &str| {
        let text = format!("subroutine f(y)\nuse fields\nreal :: y(9), s\n{body}\nend\n");
        trees(&[("f.f90", &text)]).contains("no given text declares")
    };
    for body in ["u = 0", "y = u", "y(1:3) = 2 * u"] {
        assert!(unknown(body), "{body}");
    }
    // What is assigned to a scalar is one; so is the variable of a loop.
    for body in ["s = u", "y(1) = u", "do i = 1, n\ny(i) = 0\nend do"] {
        assert!(!unknown(body), "{body}");
    }
    // Names that the statement or a block of it declares.
    for body in [
        "block\nreal :: t\nt = 0\nend block",
        "associate (q => s)\nq = 0\nend associate",
        "do concurrent (i = 1:9)\ny(i) = i\nend do",
        "do i = 1, 9\ny(1:i) = 0\nend do",
    ] {
        assert!(!unknown(body), "{body}");
    }
    for body in [
        "block\nreal :: t\nu = 0\nend block",
        "do concurrent (i = 1:9)\nu = i\nend do",
        "associate (q => s)\nu = q\nend associate",
        "associate (q => u)\nq = 0\nend associate",
    ] {
        assert!(unknown(body), "{body}");
    }
    // A module of one's own may be named as those of a library begin.
    let own = "subroutine f(y)\nuse mpi_fields\nreal :: y(9)\nu = 0\nend\n";
    assert!(trees(&[("f.f90", own)]).contains("no given text declares"));
    let named = "subroutine f(y)\nuse fields, only: v\nreal :: y(9)\nu = 0\nend\n";
    assert!(!trees(&[("f.f90", named)]).contains("no given text declares"));
}

#[test]
fn kinds_by_other_names_have_their_length_and_unknown_ones_8_bytes() {
    let copied = |head: &str, kind: &str| {
        let text = format!(
            "subroutine f(x, y, n)\n{head}\ninteger :: n, i\nreal({kind}) :: x(n), y(n)\n\
             do i = 1, n\ny(i) = x(i)\nend do\nend\n"
        );
        trees(&[("f.f90", &text)])
    };
    let known = copied("", "8");
    for (head, kind) in [
        (
            "use, intrinsic :: iso_fortran_env, only: dp => real64",
            "dp",
        ),
        ("use iso_fortran_env, wp => real64", "wp"),
        ("use iso_fortran_env, wp => real64", "real64"),
        ("use iso_c_binding, only: d => c_double", "d"),
    ] {
        assert_eq!(copied(head, kind), known, "{head}");
    }
    let module = "module kinds\nuse iso_fortran_env, only: wp => real64\nend module\n";
    let user = |kind: &str, used: &str| {
        let text = format!("subroutine f(x)\n{used}\nreal({kind}) :: x(9)\nx(2) = 0\nend\n");
        trees(&[("kinds.f90", module), ("f.f90", &text)])
    };
    assert_eq!(user("wp", "use kinds"), user("8", ""));
    let members = "subroutine f(p)\nuse kinds\ntype pair\nreal(wp) :: x, y\nend type\ntype(pair) :: p(9)\n\
                   do i = 1, 9\np(i)%y = 0\nend do\nend\n";
    let (unseen, seen) = (
        trees(&[("f.f90", members)]),
        trees(&[("kinds.f90", module), ("f.f90", members)]),
    );
    assert!(!unseen.contains("not modelled"), "{unseen}");
    assert_eq!(unseen, seen);
    for (head, kind, name) in [
        ("use kinds, only: wp", "wp", "wp"),
        ("", "real_kinds(2)", "kind"),
        ("", "merge(8, 4, flag == 1)", "kind"),
    ] {
        assert!(!copied(head, kind).contains("not modelled"), "{kind}");
        let text = format!("subroutine f(x)\n{head}\nreal({kind}) :: x(9)\nx(2:3) = 0\nend\n");
        let units = read(&[("f.f90", &text)]);
        let assumed = &units[0].functions[0].assumptions;
        let subjects: Vec<&str> = assumed.iter().map(|one| &*one.subject).collect();
        assert_eq!(subjects, [name], "{kind}");
    }
}

#[test]
fn included_files_are_found_by_their_names() {
    let text = "subroutine f(x)\ninclude 'sizes.inc'\nreal :: x(n)\nx = 0\nend\n";
    let mut included = MemoryFiles::new();
    let mut sources = SourceMap::new();
    let paths = ["b/one/sizes.inc", "b/two/sizes.inc", "c/sizes.inc"];
    for (n, path) in (7..).zip(paths) {
        included.insert(path, format!("integer, parameter :: n = {n}\n"));
    }
    let options = Options {
        nearby: Arc::new(paths.iter().map(ToString::to_string).collect()),
        ..Options::default()
    };
    let mut list = Vec::new();
    for path in ["b/f.f90", "c/d/f.f90"] {
        let file = sources.add(path, text.into()).expect("a small file");
        list.push((file, options.clone()));
    }
    let mut found = String::new();
    read_linked(&mut sources, &list, None, &included, &mut |_, outcome| {
        if let Some(unit) = outcome.into_read() {
            found += &unit.functions[0].to_string();
            for note in &unit.diagnostics {
                found += &note.message;
            }
        }
    });
    for part in [
        ":1 < 7",
        "the first of those that fit: b/one/sizes.inc, b/two/sizes.inc",
        ":1 < 9",
        "`sizes.inc` was found by its name alone: `c/sizes.inc`",
    ] {
        assert!(found.contains(part), "{part}: {found}");
    }
}

#[test]
fn arrays_of_texts_are_named() {
    let text = "subroutine f(x, n)\ncharacter(10) :: x(n)\ndo i = 1, n\nx(i) = x(i)\nend do\nend\n";
    assert!(trees(&[("f.f90", text)]).contains("an array of texts"));
}

#[test]
fn words_after_attributes_are_macros_unless_they_may_make_an_array() {
    let found = trees(&[(
        "a.F90",
        "subroutine s(x, n)\nreal, pointer CONTIG :: x(:)\ndo i = 1, n\nx(i) = 0\nend do\nend\n",
    )]);
    assert!(found.contains("store x + x@ + (4 * i - 4)"), "{found}");
    let found = trees(&[(
        "a.F90",
        "subroutine s(x, n)\nreal, pointer SHAPED :: x\ndo i = 1, n\nx = 0\nend do\nend\n",
    )]);
    assert!(!found.contains("store"), "{found}");
}

#[test]
fn of_several_definitions_of_a_module_the_nearest_is_used() {
    let module = |size: &str| {
        format!(
            "module field\nreal :: a({size})\ncontains\nsubroutine clear\na(:) = 0\nend subroutine\nend module\n"
        )
    };
    let found = trees(&[
        ("first.f90", &module("7")),
        ("second.f90", &module("9")),
        (
            "use.f90",
            "subroutine s\nuse field\ncall clear\na = 1\nend\n",
        ),
    ]);
    assert!(found.contains("function field@2::clear"), "{found}");
    assert_eq!(found.matches("< 7").count(), 1, "{found}");
    assert_eq!(found.matches("< 9").count(), 3, "{found}");
}

#[test]
fn arrays_of_the_same_name_keep_their_lower_bounds() {
    let module = |name: &str| {
        format!(
            "module {name}\nreal, allocatable :: a(:)\ncontains\nsubroutine fill_{name}(n)\nallocate (a(0:n))\n\
             do i = 0, n\na(i) = 0\nend do\nend subroutine\nend module\n"
        )
    };
    let found = trees(&[("p.f90", &module("p")), ("q.f90", &module("q"))]);
    assert!(found.contains("lbound(q::a,1)"), "{found}");
}
