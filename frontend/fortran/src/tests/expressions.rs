//! Expressions: parentheses, components of sections, scalar operands of array expressions, associate names.

use super::{check, trees};

#[test]
fn an_expression_as_an_argument_is_a_copy() {
    // Fortran 2018, 15.5.2.3: what `inc` stores to a value is not stored to `j`.
    for (argument, stored) in [
        ("(j)", "store a + 0"),
        ("+j", "store a + 0"),
        ("((j))", "store a + 0"),
        ("j", "j := j + 2"),
    ] {
        let text = format!(
            "subroutine inc(i)\ni = i + 2\nend\n\
             subroutine s(a)\nreal :: a(*)\nj = 1\ncall inc({argument})\na(j) = 1\ndo k = 1, 9\na(k) = 0\nend do\nend\n"
        );
        let found = trees(&[("a.f90", &text)]);
        let own = found.split("function s").nth(1).unwrap_or("");
        assert!(own.contains(stored), "{argument}: {found}");
    }
}

#[test]
fn an_array_in_parentheses_is_a_copy() {
    check(
        "a.f90",
        "subroutine set(v)\nreal :: v(3)\nv(1) = 0\nend\n\
         subroutine s(a)\nreal :: a(3)\ncall set((a))\nend\n",
        "
        function s
        array a parameter, elements of 4, ends at 12
        array argument1 local, elements of 4, ends at 12
        loop :2 = 0; :2 < 3; :2 += 1
        load a + 4 * :2   a
        store argument1 + 4 * :2   (a)
        store argument1 + 0   v(1)   in set
        ",
    );
}

#[test]
fn elements_of_components_of_sections_are_accesses() {
    // a(2:n+1)%y(2) has n elements: 8 + 8 * 1 bytes into each structure of 32 bytes.
    check(
        "a.f90",
        "module m\ntype p\nreal(8) :: x, y(3)\nend type\ncontains\n\
         subroutine s(n, a, b)\ninteger, intent(in) :: n\ntype(p) :: a(n+1)\nreal(8) :: b(n), t\n\
         b(1:n) = a(2:n+1)%y(2)\na(1:n)%y(3) = b\nt = sum(a(1:n)%y(1))\nend subroutine\nend module\n",
        "
        function s
        size n
        array a parameter, elements of 32, ends at 32 * (n + 1)
        array b parameter, elements of 8, ends at 8 * n
        loop :1 = 0; :1 < n; :1 += 1
        load a + 32 * :1 + 48 (8 bytes)   a(2:n+1)%y(2)
        store b + 8 * :1   b(1:n)
        loop :2 = 0; :2 < n; :2 += 1
        load b + 8 * :2   b
        store a + 32 * :2 + 24 (8 bytes)   a(1:n)%y(3)
        loop :3 = 0; :3 < n; :3 += 1
        load a + 32 * :3 + 8 (8 bytes)   a(1:n)%y(1)
        ",
    );
}

#[test]
fn scalar_operands_are_loaded_once() {
    check(
        "a.f90",
        "subroutine s(n, a, b)\ninteger, intent(in) :: n\nreal :: a(n), b(n)\na(2:) = a(2:)/b(1) + a(1)\nend\n",
        "
        function s
        size n
        array a parameter, elements of 4, ends at 4 * n
        array b parameter, elements of 4, ends at 4 * n
        load b + 0   b(1)
        load a + 0   a(1)
        loop :3 = 0; :3 < n - 1; :3 += 1
        load a + 4 * :3 + 4   a(2:)
        store a + 4 * :3 + 4   a(2:)
        ",
    );
}

#[test]
fn associate_names_keep_what_they_are_on_entry() {
    // Fortran 2018, 11.1.3.3: `x` is the value of `k + 1`, and `y` the element `a(1)`, whatever `k` is later.
    let found = trees(&[(
        "a.f90",
        "subroutine s(a)\nreal :: a(*)\nk = 1\nassociate (x => k + 1, y => a(k))\nk = 7\n\
         do i = 1, x\ny = 0\nend do\nend associate\nend\n",
    )]);
    assert!(found.contains("loop i = 1; i <= 2; i += 1"), "{found}");
    assert!(found.contains("store a + 0"), "{found}");
    // A name that would be that of itself ends in a rejection.
    let own = trees(&[(
        "a.f90",
        "subroutine s(n, a)\nreal :: a(n)\nassociate (a => a(2:n))\ndo i = 1, 3\na(i) = 0\nend do\nend associate\nend\n",
    )]);
    assert!(own.contains("opaque") || own.is_empty(), "{own}");
}

#[test]
fn variables_of_implied_loops_count_in_input_and_output_alone() {
    // `i` is 4 after the items x(1) to x(3) (Fortran 2018, 12.6.3); in a constructor, it has a scope of its own.
    for (statement, is_changed) in [
        ("read (5, *) (x(i), i = 1, 3)", true),
        ("write (6, *) (x(i), i = 1, 3)", true),
        ("write (6, *) ((x(i), i = 1, 3), j = 1, 2)", true),
        ("inquire (iolength=k) (x(i), i = 1, 3)", true),
        ("y = [(x(i), i = 1, 3)]", false),
    ] {
        let text = format!(
            "subroutine s(x, y, a)\nreal :: x(*), y(3), a(*)\ni = 2\ndo l = 1, 2\n{statement}\ndo k = 1, i\na(k) = 0\nend do\nend do\nend\n"
        );
        let found = trees(&[("a.f90", &text)]);
        assert_eq!(
            !found.contains("k <= 2"),
            is_changed,
            "{statement}: {found}"
        );
    }
}

#[test]
fn what_input_and_output_change_is_no_bound_of_a_copied_section() {
    // The bound `i` is evaluated before the call (15.5.2.4), as `WRITE` counts with it in between.
    let found = trees(&[(
        "a.f90",
        "subroutine s(x, n)\ninteger :: n\nreal :: x(n)\ni = n\ndo j = 1, i\nwrite (6, *) (x(i), i = 1, 3)\nend do\nend\n",
    )]);
    assert!(found.contains("loop j = 1; j <= n"), "{found}");
}
