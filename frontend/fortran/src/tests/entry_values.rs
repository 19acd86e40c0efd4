//! Bounds, which are those on entry; allocation by assignment.

use super::{check, trees};

#[test]
fn extents_are_those_on_entry() {
    // Fortran 2018, 8.5.8.2: size(a) is n before the assignment.
    check(
        "a.f90",
        "subroutine s(n, a)\ninteger :: n\nreal :: a(n)\nn = n - 3\ndo i = 1, size(a)\na(i) = 1\nend do\na = 2\nend\n",
        "
        function s
        size n
        array a parameter, elements of 4
        n'2 := n
        size(a,1) := n'2
        n'2 := n'2 - 3
        last1 := size(a,1)
        loop i = 1; i <= last1; i += 1
        store a + 4 * i - 4   a(i)
        loop :2 = 0; :2 < size(a,1); :2 += 1
        store a + 4 * :2   a
        ",
    );
}

#[test]
fn bounds_from_commons_and_modules_are_those_on_entry() {
    for (before, after) in [
        ("", "common /sizes/ n\n"),
        ("module sizes\ninteger :: n\nend module\n", "use sizes\n"),
    ] {
        let text = format!(
            "{before}subroutine s(a)\n{after}real :: a(n), t(0:n)\nn = 7\na = t(1:)\nend\n"
        );
        let found = trees(&[("a.f90", &text)]);
        assert!(found.contains("< size(a,1); "), "{found}");
    }
}

#[test]
fn lower_bounds_and_results_are_those_on_entry() {
    let found = trees(&[(
        "a.f90",
        "function f(k, n) result(r)\ninteger :: k, n\nreal :: r(k:n)\nk = 5\nn = 2\nr(7) = 1\nr = 0\nend\n",
    )]);
    assert!(found.contains("lbound(r,1) := k"), "{found}");
    assert!(found.contains("store r + 4 * (7 - lbound(r,1))"), "{found}");
    assert!(found.contains("< size(r,1); "), "{found}");
}

#[test]
fn contained_procedures_see_the_extents_of_their_host() {
    // `a` keeps its columns of the host's `n` on entry, whatever `inner` and the host do.
    let found = trees(&[(
        "a.f90",
        "subroutine s(n, a)\ninteger :: n\nreal :: a(n, n)\nn = 2\ncall inner\ncontains\n\
         subroutine inner\ninteger :: n\nn = 3\na(1, 2) = 0\na = 1\nend subroutine\nend subroutine\n",
    )]);
    let inner = found.split("function inner").nth(1).unwrap_or("");
    assert!(
        inner.contains("store a + 4 * size(a,1)   a(1, 2)"),
        "{found}"
    );
    assert!(inner.contains("< size(a,1); "), "{found}");
}

#[test]
fn arrays_of_blocks_have_the_bounds_on_entry_to_the_block() {
    let found = trees(&[(
        "a.f90",
        "subroutine s(n)\ninteger :: n\nn = n/2\nblock\nreal :: t(n)\nn = 0\nt = 1\nend block\nend\n",
    )]);
    let at = |text: &str| {
        found
            .find(text)
            .unwrap_or_else(|| panic!("{text}: {found}"))
    };
    assert!(at("n'2 := n'2 / 2") < at("size(t,1) := n'2"), "{found}");
    assert!(at("size(t,1) := n'2") < at("n'2 := 0"), "{found}");
    assert!(found.contains("< size(t,1); "), "{found}");
}

/// A subroutine with an allocatable `t`, which runs over it after these statements.
fn with_allocatable(statements: &str) -> String {
    let text = format!(
        "subroutine s(n, a, b, x)\ninteger, intent(in) :: n\nreal :: a(n), b(n), x\nreal, allocatable :: t(:)\n\
         {statements}\ndo i = 1, size(t)\nb(i) = t(i)\nend do\nend\n"
    );
    trees(&[("a.f90", &text)])
}

#[test]
fn assignments_allocate_where_shapes_differ() {
    // Fortran 2018, 10.2.1.3: `t` has the shape of the right side then.
    for statements in [
        "allocate (t(3))\nt = a(1:n)",
        "t = a(1:n/2)\nt = a",
        "t = a\nt = t + a",
        "t = a(2:n)\nt = sqrt(a)",
    ] {
        let found = with_allocatable(statements);
        assert!(
            found.contains("loop i = 1; i <= n; i += 1"),
            "{statements}: {found}"
        );
        assert!(!found.contains("opaque"), "{statements}: {found}");
    }
    let shorter = with_allocatable("t = a\nt = t(2:n)");
    assert!(
        shorter.contains("loop i = 1; i <= n - 1; i += 1"),
        "{shorter}"
    );
    // A scalar does not allocate what is allocated.
    let scalar = with_allocatable("allocate (t(3))\nt = x");
    assert!(scalar.contains("loop i = 1; i <= 3; i += 1"), "{scalar}");
}

#[test]
fn extents_that_are_not_known_are_not_those_of_before() {
    let found = with_allocatable("allocate (t(3))\nt = pack(a, a > 0)");
    assert!(found.contains("opaque"), "{found}");
    assert!(!found.contains("i <= 3;"), "{found}");
}

#[test]
fn constructors_have_as_many_elements_as_their_items() {
    let found = with_allocatable("allocate (t(3))\nt = [t, x]");
    assert!(found.contains("loop i = 1; i <= 4; i += 1"), "{found}");
    assert!(!found.contains("opaque"), "{found}");
}

#[test]
fn components_are_allocated_by_assignments() {
    let found = trees(&[(
        "a.f90",
        "module m\ntype box\nreal, allocatable :: c(:)\nend type\ncontains\n\
         subroutine s(n, a, b)\ninteger, intent(in) :: n\nreal :: a(n), b(n)\ntype(box) :: x\n\
         allocate (x%c(3))\nx%c = a\ndo i = 1, size(x%c)\nb(i) = x%c(i)\nend do\nend subroutine\nend module\n",
    )]);
    assert!(found.contains("loop i = 1; i <= n; i += 1"), "{found}");
}

/// Whether a subroutine accesses `t` at known places after these statements.
fn is_allocated(statements: &str) -> bool {
    let found = trees(&[(
        "a.f90",
        &format!(
            "subroutine s(n, a)\nuse elsewhere\nimplicit none\ninteger, intent(in) :: n\ninteger :: i\nreal :: a(n)\n\
             real, allocatable :: t(:)\n{statements}\ndo i = 1, n\na(i) = t(i)\nend do\nend\n"
        ),
    )]);
    found.contains("load t + 4 * i - 4   t(i)")
}

#[test]
fn what_is_not_known_allocates_what_nothing_before_it_may_have() {
    for statements in [
        "t = field(n)",
        "call read_field(t)",
        "call read_field(t)\ncall read_field(t)",
        "allocate (t(n))\ncall read_field(t)",
    ] {
        assert!(is_allocated(statements), "{statements}");
    }
    for statements in [
        "call read_field(a)",
        "do i = 1, n\nif (i > 1) then\nt = field(i)\nelse\nallocate (t(n))\nend if\nend do",
    ] {
        assert!(!is_allocated(statements), "{statements}");
    }
}
