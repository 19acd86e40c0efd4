//! Refactorings of Fortran that keep every loop's accesses.

use super::{Case, base_text, edited, last, try_all};

const EDITS: &[(&str, &[(&str, &str)])] = &[
    (
        "F subroutine renamed",
        &[("subroutine smooth", "subroutine relax")],
    ),
    (
        "F upper case",
        &[
            ("do i = 1, n", "DO I = 1, N"),
            ("c(i, j) = c(i, j)", "C(I, J) = c(I, j)"),
            ("end do", "END DO"),
        ],
    ),
    (
        "F iterators renamed",
        &[
            ("integer :: i, j, k", "integer :: row, col, k"),
            ("do j = 1, n\n    do k", "do col = 1, n\n    do k"),
            (
                "do i = 1, n\n        c(i, j) = c(i, j) + a(i, k) * b(k, j)",
                "do row = 1, n\n        c(row, col) = c(row, col) + a(row, k) * b(k, col)",
            ),
        ],
    ),
    (
        "F size renamed",
        &[
            ("(n, ", "(order, "),
            (":: n\n", ":: order\n"),
            ("order, n)", "order, order)"),
            (", n - 1", ", order - 1"),
            ("= 1, n", "= 1, order"),
        ],
    ),
    (
        "F arrays renamed",
        &[
            ("grid", "field_in"),
            ("next", "field_out"),
            ("list", "indices"),
        ],
    ),
    ("F enddo", &[("end do", "enddo")]),
    (
        "F labels",
        &[
            (
                "    do i = 2, n - 1\n      next",
                "    do 10 i = 2, n - 1\n      next",
            ),
            (
                "grid(i, j + 1))\n    end do",
                "grid(i, j + 1))\n10  continue",
            ),
        ],
    ),
    (
        "F continuation lines",
        &[(
            "+ grid(i + 1, j) +",
            "&\n        + grid(i + 1, j) + &\n       ",
        )],
    ),
    (
        "F comments",
        &[
            ("  do j = 2", "  ! all columns\n  do j = 2"),
            ("y(i) = x(list(i))", "y(i) = x(list(i)) ! gathered"),
        ],
    ),
    (
        "F implicit typing",
        &[
            (
                "  implicit none\n  integer, intent(in) :: m\n",
                "  integer, intent(in) :: m\n",
            ),
            ("  integer :: i\n", ""),
        ],
    ),
    (
        "F declarations split",
        &[
            (
                "  integer :: i, j, k\n",
                "  integer :: i\n  integer :: j\n  integer :: k\n",
            ),
            (
                ":: a(n, n), b(n, n)",
                ":: a(n, n)\n  real(8), intent(in) :: b(n, n)",
            ),
        ],
    ),
    (
        "F dimension attribute",
        &[(
            "real(8), intent(in) :: grid(n, n)",
            "real(8), intent(in), dimension(n, n) :: grid",
        )],
    ),
    ("F old kinds", &[("real(8)", "real*8")]),
    ("F double precision", &[("real(8)", "double precision")]),
    (
        "F intents dropped",
        &[
            (", intent(in)", ""),
            (", intent(out)", ""),
            (", intent(inout)", ""),
        ],
    ),
    (
        "F bound hoisted",
        &[(
            "  integer :: i, j\n  do j = 2, n - 1\n",
            "  integer :: i, j, last\n  last = n - 1\n  do j = 2, last\n",
        )],
    ),
    (
        "F explicit step",
        &[
            ("do i = 1, m", "do i = 1, m, 1"),
            ("do k = 1, n", "do k = 1, n, 1"),
        ],
    ),
    (
        "F do while",
        &[(
            "  do i = 1, m\n    y(i) = x(list(i))\n",
            "  i = 1\n  do while (i <= m)\n    y(i) = x(list(i))\n    i = i + 1\n",
        )],
    ),
    (
        "F sum commuted",
        &[(
            "0.25d0 * (grid(i - 1, j) + grid(i + 1, j) + grid(i, j - 1) + grid(i, j + 1))",
            "(grid(-1 + i, j) + grid(1 + i, j) + grid(i, -1 + j) + grid(i, 1 + j)) / 4",
        )],
    ),
    ("F parameter renamed", &[("size", "extent")]),
    (
        "F parameter computed",
        &[(
            "parameter :: size = 64",
            "parameter :: half = 32\n  integer, parameter :: size = 2 * half",
        )],
    ),
    (
        "F number for a parameter",
        &[
            ("  integer, parameter :: size = 64\n", ""),
            ("field(size, size)", "field(64, 64)"),
            ("= 1, size", "= 1, 64"),
        ],
    ),
    (
        "F loops named",
        &[(
            "  do j = 1, size\n    do i = 1, size\n      s = s + field(i, j)\n    end do\n  end do",
            "  columns: do j = 1, size\n    rows: do i = 1, size\n      s = s + field(i, j)\n    end do rows\n  end do columns",
        )],
    ),
    ("F common block renamed", &[("/fields/", "/state/")]),
    (
        "F statements between",
        &[("  s = 0\n", "  s = 1\n  s = s - 1\n")],
    ),
    (
        "F scalar hoisted",
        &[(
            "  integer :: i, j, k\n  do j = 1, n\n    do k = 1, n\n",
            "  integer :: i, j, k\n  real(8) :: factor\n  factor = 1\n  do j = 1, n\n    do k = 1, n\n",
        )],
    ),
    (
        "F subroutine added",
        &[(
            "subroutine gather",
            "subroutine zero(l, w)\n  integer, intent(in) :: l\n  real(8), intent(out) :: w(l)\n  integer :: i\n  do i = 1, l\n    w(i) = 0\n  end do\nend subroutine zero\n\nsubroutine gather",
        )],
    ),
    (
        "F in a module",
        &[
            (
                "subroutine smooth(n",
                "module solver\ncontains\nsubroutine smooth(n",
            ),
            (
                "end subroutine total",
                "end subroutine total\nend module solver",
            ),
        ],
    ),
    (
        "F plain end",
        &[
            ("end subroutine smooth", "end"),
            ("end subroutine multiply", "end subroutine"),
        ],
    ),
    (
        "F other lower bounds",
        &[(
            "real(8), intent(in) :: grid(n, n)",
            "real(8), intent(in) :: grid(1:n, 1:n)",
        )],
    ),
    ("F semicolons", &[("  s = 0\n  do", "  s = 0; do")]),
    (
        "F guarded",
        &[("  do i = 1, m\n", "  if (m < 1) return\n  do i = 1, m\n")],
    ),
    (
        "F array of assumed size",
        &[(
            "real(8), intent(out) :: y(m)",
            "real(8), intent(out) :: y(*)",
        )],
    ),
];

/// Free form as fixed form.
fn fixed(free: &str) -> String {
    let line = |line: &str| match line.strip_prefix('!') {
        Some(comment) => format!("C{comment}\n"),
        None if line.is_empty() => "\n".to_owned(),
        // A line has 72 columns, and column 6 says that it goes on.
        None => match line.trim_start().find(" + grid(i, j - 1)") {
            Some(at) => {
                let (first, second) = line.trim_start().split_at(at);
                format!("      {first}\n     &{second}\n")
            }
            None => format!("      {}\n", line.trim_start()),
        },
    };
    free.lines().map(line).collect()
}

fn all() -> Vec<Case> {
    let base = base_text("kernels.f90");
    let one = |(name, edits): &(&'static str, &[(&str, &str)])| {
        Case::keeps(name, "kernels.f90", &base, edited(&base, edits))
    };
    let mut cases: Vec<Case> = EDITS.iter().map(one).collect();
    let whole = |path: &str, text: &str| vec![(path.to_owned(), text.to_owned())];
    let free = || whole("kernels.f90", &base);
    let moved = last(&base, "subroutine multiply", "end subroutine multiply\n");
    cases.extend([
        Case::unharmed("F fixed form", free(), whole("kernels.f", &fixed(&base))),
        Case::unharmed("F free form", whole("kernels.f", &fixed(&base)), free()),
        Case::unharmed("F file renamed", free(), whole("solver.f90", &base)),
        Case::keeps("F subroutine moved", "kernels.f90", &base, moved),
    ]);
    cases
}

#[test]
fn what_keeps_accesses_in_fortran_is_no_regression_where_sizes_are_known() {
    try_all(&all(), &["-P", "n=40", "-P", "m=300"]);
}

#[test]
fn what_keeps_accesses_in_fortran_is_no_regression_where_no_size_is_known() {
    try_all(&all(), &[]);
}
