//! Arrays: sections, allocation, bounds, results of functions.

use super::{check, trees};

#[test]
fn sections_are_loops_and_overlaps_go_through_a_temporary() {
    check(
        "a.f90",
        "subroutine s(n, a)\nreal a(n, n)\na(:, 1) = a(:, 2)\na(1:n-1, 1) = a(2:n, 1)\na(2:n, 1) = a(1:n-1, 1)\nend\n",
        "
        function s
        size n
        array a parameter, elements of 4, ends at 4 * n * n
        array temporary3 local, elements of 4, ends at 4 * (n - 1)
        loop :1 = 0; :1 < n; :1 += 1
        load a + 4 * n + 4 * :1   a(:, 2)
        store a + 4 * :1   a(:, 1)
        loop :2 = 0; :2 < n - 1; :2 += 1
        load a + 4 * :2 + 4   a(2:n, 1)
        store a + 4 * :2   a(1:n-1, 1)
        loop :4 = 0; :4 < n - 1; :4 += 1
        load a + 4 * :4   a(1:n-1, 1)
        store temporary3 + 4 * :4   a(2:n, 1) = a(1:n-1, 1)
        loop :5 = 0; :5 < n - 1; :5 += 1
        load temporary3 + 4 * :5   a(2:n, 1) = a(1:n-1, 1)
        store a + 4 * :5 + 4   a(2:n, 1)
        ",
    );
}

#[test]
fn shapes_come_from_the_caller() {
    check(
        "a.f90",
        "subroutine s(a)\nreal, intent(inout) :: a(:, 0:)\ninteger :: i, j\ndo j = 0, ubound(a, 2)\ndo i = 1, size(a, 1)\n\
         a(i, j) = 0\nend do\nend do\nend\n",
        "
        function s
        size size(a,1)
        size size(a,2)
        array a parameter, elements of 4
        loop j = 0; j <= size(a,2) - 1; j += 1
        loop i = 1; i <= size(a,1); i += 1
        store a + 4 * (i - 1 + j * size(a,1))   a(i, j)
        ",
    );
}

#[test]
fn what_a_procedure_allocates_is_seen_by_its_caller() {
    check(
        "a.f90",
        "subroutine make(n, b)\ninteger, intent(in) :: n\nreal, allocatable :: b(:,:)\n\
         allocate (b(0:n, 2))\nend\n\
         subroutine s(n)\nreal, allocatable :: a(:,:)\n\
         interface\nsubroutine make(n, b)\ninteger, intent(in) :: n\nreal, allocatable :: b(:,:)\nend\nend interface\n\
         call make(n, a)\ndo j = 1, size(a, 2)\ndo i = lbound(a, 1), ubound(a, 1)\na(i, j) = 0\nend do\nend do\nend\n",
        "
        function s
        size n
        array a local, elements of 4
        size(a,1) := n + 1
        lbound(a,1) := 0
        size(a,2) := 2
        lbound(a,2) := 1
        a@ := 0
        last2 := size(a,2)
        loop j = 1; j <= last2; j += 1
        last1 := lbound(a,1) + size(a,1) - 1
        loop i = i32(lbound(a,1)); i <= last1; i += 1
        store a + a@ + 4 * (i - lbound(a,1) + (j - lbound(a,2)) * size(a,1))   a(i, j)
        ",
    );
}

#[test]
fn bounds_are_handed_on_with_arrays() {
    check(
        "a.f90",
        "subroutine s(n, m)\nreal, allocatable :: a(:), b(:), c(:)\nreal, pointer :: p(:)\nreal, target :: t(-1:m)\n\
         allocate (a(0:n))\nallocate (b, source=a)\ncall move_alloc(b, c)\np => t\n\
         do i = 0, 1\nc(i) = p(i)\nend do\nend\n",
        "
        function s
        size n
        size m
        array t local, elements of 4, ends at 4 * (m + 2)
        array a local, elements of 4, ends at 4 * n + 4
        array b local, elements of 4, ends at 4 * n + 4
        loop :1 = 0; :1 < n + 1; :1 += 1
        load a + 4 * :1   a
        store b + 4 * :1   b
        loop i = 0; i <= 1; i += 1
        load t + 4 * i + 4   p(i)
        store b + 4 * i   c(i)
        ",
    );
}

#[test]
fn functions_hand_arrays_back() {
    check(
        "a.f90",
        "module m\ncontains\nfunction twice(x) result(y)\nreal, intent(in) :: x(:)\nreal :: y(size(x))\n\
         y = 2 * x\nend function\nend module\n\
         subroutine s(n, a, b)\nuse m\nreal a(n), b(n)\nreal, allocatable :: c(:)\n\
         a = b + twice(a + b)\nc = a\nend\n",
        "
        function twice
        size size(x,1)
        array x parameter, elements of 4
        array result(y) parameter, elements of 4
        array y local, elements of 4
        loop :1 = 0; :1 < size(x,1); :1 += 1
        load x + 4 * :1   x
        store y + 4 * :1   y
        function s
        size n
        array a parameter, elements of 4, ends at 4 * n
        array b parameter, elements of 4, ends at 4 * n
        array result3 local, elements of 4
        array argument1 local, elements of 4, ends at 4 * n
        array c local, elements of 4, ends at 4 * n
        loop :2 = 0; :2 < n; :2 += 1
        load a + 4 * :2   a
        load b + 4 * :2   b
        store argument1 + 4 * :2   a + b
        result3@ := 0
        loop :1 = 0; :1 < n; :1 += 1   in twice
        load argument1 + 4 * :1   x   in twice
        store result3 + 4 * :1   y   in twice
        loop :5 = 0; :5 < n; :5 += 1
        load b + 4 * :5   b
        load result3 + result3@ + 4 * :5   twice(a + b)
        store a + 4 * :5   a
        loop :6 = 0; :6 < n; :6 += 1
        load a + 4 * :6   a
        store c + 4 * :6   c
        ",
    );
}

#[test]
fn elemental_procedures_are_not_called_with_whole_arrays() {
    check(
        "a.f90",
        "module m\ncontains\nelemental real function f(x)\nreal, intent(in) :: x\nf = x\nend function\n\
         subroutine s(a, b)\nreal a(9), b(9)\na = f(b)\nend subroutine\nend module\n",
        "
        function s
        array a parameter, elements of 4, ends at 36
        array b parameter, elements of 4, ends at 36
        loop :1 = 0; :1 < 9; :1 += 1
        opaque unsupported-construct: an array for an argument that is no array is not modelled
        store a + 4 * :1   a
        ",
    );
}

#[test]
fn strides_of_assumed_shapes_are_not_followed() {
    let found = trees(&[(
        "a.f90",
        "module m\ncontains\nsubroutine w(v)\nreal v(:)\nv(1) = 0\nend\nend module\n\
         subroutine s(p)\nuse m\nreal p(9, 9)\ndo i = 1, 9\ncall w(p(i, :))\nend do\nend\n",
    )]);
    let construct = "a section that is not contiguous as an argument of assumed shape";
    assert!(found.contains(construct), "{found}");
}

#[test]
fn arrays_that_are_kept_between_calls_are_those_of_an_earlier_call() {
    check(
        "a.f90",
        "subroutine s(n)\nreal, allocatable, save :: w(:)\nif (.not. allocated(w)) allocate (w(n))\n\
         do i = 1, n\nw(i) = 0\nend do\nend\n",
        "
        function s
        size n
        size allocated(w)
        array w global, elements of 4
        array w local, elements of 4, ends at 4 * n
        if !allocated(w)
        arm? := 0
        else
        arm? := 1
        loop i = 1; i <= n; i += 1
        if arm? == 0
        store w + 4 * i - 4   w(i)
        else
        store w + 4 * i - 4   w(i)
        ",
    );
}
