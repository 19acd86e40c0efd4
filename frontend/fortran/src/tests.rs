//! Fortran in, trees out.

mod answers;

use crate::{Options, TranslationUnit, read_linked};
use premiss_source::{MemoryFiles, SourceMap};

/// Reads texts as files of those names.
fn read(files: &[(&str, &str)]) -> Vec<TranslationUnit> {
    let mut sources = SourceMap::new();
    let mut list = Vec::new();
    for (name, text) in files {
        let file = sources.add(*name, (*text).into()).expect("a small file");
        list.push((file, Options::default()));
    }
    let mut units = Vec::new();
    read_linked(&mut sources, &list, &MemoryFiles::new(), &mut |_, unit| {
        units.push(unit);
    });
    units
}

fn trees(files: &[(&str, &str)]) -> String {
    let units = read(files);
    let trees = units.iter().flat_map(|unit| &unit.functions);
    trees.map(ToString::to_string).collect()
}

/// Compares the trees of a file with what is expected; indentation of the whole does not count.
#[track_caller]
fn check(name: &str, text: &str, expected: &str) {
    let found = trees(&[(name, text)]);
    let plain = |text: &str| -> Vec<String> {
        let lines = text.lines().map(|line| line.trim().to_owned());
        lines.filter(|line| !line.is_empty()).collect()
    };
    assert!(
        plain(&found) == plain(expected),
        "found:\n{found}\nexpected:\n{expected}"
    );
}

#[test]
fn loops_share_labels_and_lines_continue() {
    check(
        "a.f",
        "C     A comment.\n      SUBROUTINE S(N, LDA, A)\n      DIMENSION A(LDA,*)\n\
         \x20     DO 10 J = 1, N\n      DO 10 I = 2, N,\n     & 3\n   10 A(I,J) = A(I-1,J) + 1\n      END\n",
        "
        function S
        size N
        size LDA
        array A parameter, elements of 4
        loop J = 1; J <= N; J += 1
        loop I = 2; I <= N; I += 3
        load A + 4 * LDA * (J - 1) + (4 * I - 8)   A(I-1,J)
        store A + 4 * LDA * (J - 1) + (4 * I - 4)   A(I,J)
        ",
    );
}

#[test]
fn blanks_may_stand_in_operators() {
    let plain = "      SUBROUTINE S(N, A)\n      DIMENSION A(N)\n      DO 10 I = 1, N\n\
                 \x20     IF (I.GE.2.AND.I.LE.1.OR.N.EQ.3) A(I) = 0\n   10 CONTINUE\n      END\n";
    let written = plain.replace(".GE.2", ". GE.2").replace(".LE.1", ".L E .1");
    let written = written.replace(".EQ.", " . EQ . ");
    let without_text = |trees: &str| -> String { trees.replace(' ', "") };
    let expected = trees(&[("a.f", plain)]);
    assert!(expected.contains("store"), "{expected}");
    assert_eq!(
        without_text(&trees(&[("a.f", &written)])),
        without_text(&expected)
    );
}

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
fn steps_that_are_not_known_give_a_number_of_iterations() {
    check(
        "a.f90",
        "subroutine s(n, k, a)\nreal a(*)\ndo i = 1, n, k\na(i) = 0\nend do\nend\n",
        "
        function s
        size n
        size k
        array a parameter, elements of 4
        loop iteration4 = 0; iteration4 < (n - 1 + k) / k; iteration4 += 1
        i := iteration4 * k + 1
        store a + 4 * i - 4   a(i)
        i := max((n - 1 + k) / k, 0) * k + 1
        ",
    );
}

#[test]
fn outer_loops_are_left_by_name() {
    check(
        "a.f90",
        "subroutine s(n, m, a)\nreal a(n)\nouter: do i = 1, n\ndo j = 1, n\nif (j == m) cycle outer\na(j) = 0\nend do\n\
         a(i) = 1\nend do outer\nend\n",
        "
        function s
        size n
        array a parameter, elements of 4, ends at 4 * n
        loop i = 1; i <= n; i += 1
        loop j = 1; j <= n; j += 1
        if data
        if data
        store a + 4 * j - 4   a(j)
        j := data
        if data
        store a + 4 * i - 4   a(i)
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
fn what_is_changed_is_a_reference() {
    let text = "subroutine caller(n, a)\nreal a(n)\nm = n\ncall halve(m)\ndo i = 1, m\na(i) = 0\nend do\nend\n\
                subroutine halve(k)\nk = k / 2\nend\n";
    let found = trees(&[("a.f90", text)]);
    assert!(found.contains("m := m / 2"), "{found}");
    assert!(found.contains("loop i = 1; i <= m; i += 1"), "{found}");
}

#[test]
fn statements_that_cannot_be_read_cost_only_themselves() {
    let units = read(&[(
        "a.f90",
        "subroutine s(n, a)\nreal a(n)\na(1) = = 2\ndo i = 1, n\na(i) = 0\nend do\nend\n",
    )]);
    let [unit] = &units[..] else {
        panic!("one file")
    };
    assert!(unit.diagnostics.iter().any(|found| found.code == "syntax"));
    let text: String = unit.functions.iter().map(ToString::to_string).collect();
    assert!(text.contains("loop i = 1; i <= n; i += 1"), "{text}");
}

#[test]
fn statuses_and_what_inquiries_tell_are_stored() {
    check(
        "a.f90",
        "subroutine s(n, a)\nreal a(*)\nreal, allocatable :: b(:)\n\
         k = 3\nallocate (b(n), stat=k)\ndo i = 0, k\na(i) = 0\nend do\n\
         k = 4\nread (5, *, iostat=k)\ndo i = 1, k\na(i) = 0\nend do\n\
         k = 5\nopen (newunit=k, file='x')\ndo i = 1, k\na(i) = 0\nend do\n\
         k = 6\ninquire (iolength=k) b\ndo i = 1, k\na(i) = 0\nend do\n\
         k = 7\ndeallocate (b, stat=k)\ndo i = 1, k\na(i) = 0\nend do\nend\n",
        "
        function s
        size n
        size k
        size k#2
        size k#3
        size k#4
        array a parameter, elements of 4
        array b local, elements of 1, ends at 4 * n
        k'2 := 3
        k'2 := 0
        loop i = 0; i <= 0; i += 1
        store a + 4 * i - 4   a(i)
        k'2 := 4
        k'2 := data
        k'2 := k
        loop i = 1; i <= k'2; i += 1
        store a + 4 * i - 4   a(i)
        k'2 := 5
        k'2 := data
        k'2 := k#2
        loop i = 1; i <= k'2; i += 1
        store a + 4 * i - 4   a(i)
        k'2 := 6
        k'2 := data
        k'2 := k#3
        loop i = 1; i <= k'2; i += 1
        store a + 4 * i - 4   a(i)
        k'2 := 7
        k'2 := data
        k'2 := k#4
        loop i = 1; i <= k'2; i += 1
        store a + 4 * i - 4   a(i)
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
fn variables_of_a_group_are_read_perhaps() {
    check(
        "a.f90",
        "subroutine s(a)\nreal a(*)\nnamelist /sizes/ n, m\nn = 3\nk = 4\nread (5, nml=sizes)\n\
         do i = 1, n\na(i) = k\nend do\nend\n",
        "
        function s
        size n
        array a parameter, elements of 4
        n'2 := 3
        if data
        n'2 := data
        n'2 := n
        loop i = 1; i <= n'2; i += 1
        store a + 4 * i - 4   a(i)
        ",
    );
}

#[test]
fn scattered_sections_are_handed_over_as_copies() {
    check(
        "a.f90",
        "subroutine reads(n, v)\ninteger, intent(in) :: n\nreal, intent(in) :: v(n)\nprint *, v(1)\nend\n\
         subroutine fills(n, v)\ninteger, intent(in) :: n\nreal, intent(out) :: v(n)\nv(1) = 0\nend\n\
         real function total(n, v)\ninteger, intent(in) :: n\nreal :: v(*)\nv(2) = v(1)\ntotal = 0\nend\n\
         subroutine s(n, p)\ninteger, intent(in) :: n\nreal p(n + 1, n)\n\
         call reads(n, p(1:n, 2:n))\ncall reads(n, p(:, 2:n))\ncall fills(n, p(3, :))\nx = total(n, p(3, 1:n:2))\nend\n",
        "
        function s
        size n
        array p parameter, elements of 4, ends at 4 * (n + 1) * n
        array argument1 local, elements of 4, ends at 4 * (n * (n - 1))
        array argument4 local, elements of 4, ends at 4 * n
        array argument6 local, elements of 4, ends at 4 * ((n + 1) / 2)
        loop :3 = 0; :3 < n - 1; :3 += 1
        loop :2 = 0; :2 < n; :2 += 1
        load p + 4 * (n + 1) * (:3 + 1) + 4 * :2   p(1:n, 2:n)
        store argument1 + 4 * (:2 + :3 * n)   p(1:n, 2:n)
        load argument1 + 0   v(1)   in reads
        load p + 4 * n + 4   v(1)   in reads
        store argument4 + 0   v(1)   in fills
        loop :5 = 0; :5 < n; :5 += 1
        load argument4 + 4 * :5   p(3, :)
        store p + 4 * (n + 1) * :5 + 8   p(3, :)
        loop :7 = 0; :7 < (n + 1) / 2; :7 += 1
        load p + 4 * (n + 1) * (2 * :7) + 8   p(3, 1:n:2)
        store argument6 + 4 * :7   p(3, 1:n:2)
        load argument6 + 0   v(1)   in total
        store argument6 + 4   v(2)   in total
        loop :8 = 0; :8 < (n + 1) / 2; :8 += 1
        load argument6 + 4 * :8   p(3, 1:n:2)
        store p + 4 * (n + 1) * (2 * :8) + 8   p(3, 1:n:2)
        ",
    );
}

#[test]
fn sizes_tell_whether_a_section_is_copied() {
    check(
        "a.f90",
        "subroutine w(n, v)\ninteger, intent(in) :: n\nreal v(n)\nv(1) = 0\nend\n\
         subroutine s(n, m, p)\ninteger, intent(in) :: n, m\nreal p(m, *)\ncall w(n, p(1:n, 1:2))\nend\n",
        "
        function s
        size n
        size m
        array p parameter, elements of 4
        array argument1 local, elements of 4, ends at 8 * n
        if n == m
        store p + 0   v(1)   in w
        else
        loop :3 = 0; :3 < 2; :3 += 1
        loop :2 = 0; :2 < n; :2 += 1
        load p + 4 * m * :3 + 4 * :2   p(1:n, 1:2)
        store argument1 + 4 * (:2 + :3 * n)   p(1:n, 1:2)
        store argument1 + 0   v(1)   in w
        loop :5 = 0; :5 < 2; :5 += 1
        loop :4 = 0; :4 < n; :4 += 1
        load argument1 + 4 * (:4 + :5 * n)   p(1:n, 1:2)
        store p + 4 * m * :5 + 4 * :4   p(1:n, 1:2)
        ",
    );
}

#[test]
fn subscripts_of_copied_sections_keep_their_values() {
    check(
        "a.f90",
        "subroutine w(k, v)\ninteger :: k\nreal v(*)\nv(1) = 0\nk = k + 1\nend\n\
         subroutine s(k, p)\nreal p(9, 9)\ncall w(k, p(k, :))\np(k, 1) = 0\nend\n",
        "
        function s
        size k
        array p parameter, elements of 4, ends at 324
        array argument2 local, elements of 4, ends at 36
        k'2 := k
        bound:1 := k'2
        loop :3 = 0; :3 < 9; :3 += 1
        load p + 36 * :3 + (4 * bound:1 - 4)   p(k, :)
        store argument2 + 4 * :3   p(k, :)
        store argument2 + 0   v(1)   in w
        k'2 := k'2 + 1
        loop :4 = 0; :4 < 9; :4 += 1
        load argument2 + 4 * :4   p(k, :)
        store p + 36 * :4 + (4 * bound:1 - 4)   p(k, :)
        store p + 4 * k'2 - 4   p(k, 1)
        ",
    );
}

#[test]
fn nobody_changes_a_variable_while_it_counts() {
    check(
        "a.f90",
        "module m\ninteger ii\nend module\n\
         subroutine s(n, a)\nuse m\nreal a(*)\n\
         do i = 1, n\ncall who(i)\nn = n - 1\na(i) = 0\nend do\n\
         do ii = 1, 8\ncall who(n)\na(ii) = 0\nend do\na(ii) = 0\n\
         do j = 1, 8\nend do\ncall who(j)\na(j) = 0\nend\n",
        "
        function s
        size n
        size ii
        array a parameter, elements of 4
        ii'2 := ii
        n'2 := n
        last2 := n'2
        loop i = 1; i <= last2; i += 1
        ii'2 := data
        n'2 := data
        j := data
        n'2 := data
        store a + 4 * i - 4   a(i)
        ii3 := data
        loop ii3 = 1; ii3 <= 8; ii3 += 1
        ii'2 := ii3
        ii'2 := data
        n'2 := data
        j := data
        store a + 4 * ii3 - 4   a(ii)
        ii'2 := ii3
        store a + 4 * ii'2 - 4   a(ii)
        loop j = 1; j <= 8; j += 1
        ii'2 := data
        n'2 := data
        j := data
        store a + data   a(j)
        ",
    );
}

#[test]
fn a_loop_may_count_to_its_own_variable() {
    check(
        "a.f90",
        "subroutine s(n, a)\nreal a(*)\ni = n\ndo i = 1, i\na(i) = 0\nend do\nend\n",
        "
        function s
        size n
        array a parameter, elements of 4
        i := n
        loop i = 1; i <= n; i += 1
        store a + 4 * i - 4   a(i)
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
fn a_constant_by_reference_decides_what_a_procedure_does() {
    let found = trees(&[(
        "a.f",
        "      SUBROUTINE S(N, C)\n      COMPLEX C(*), BETA\n      BETA = (1.0E+0, 0.0E+0)\n\
         \x20     CALL SCALED(N, BETA, C)\n      CALL SET(BETA)\n      CALL SCALED(N, BETA, C)\n\
         \x20     DO J = 1, N\n      IF (BETA.NE.0) C(J) = 1\n      END DO\n      END\n\
         \x20     SUBROUTINE SET(BETA)\n      COMPLEX BETA\n      BETA = 0\n      END\n\
         \x20     SUBROUTINE SCALED(N, BETA, C)\n      COMPLEX C(*), BETA\n      IF (BETA.EQ.1) RETURN\n\
         \x20     DO I = 1, N\n      IF (BETA.EQ.0) THEN\n      C(I) = 0\n      ELSE\n\
         \x20     C(I) = BETA*C(I)\n      END IF\n      END DO\n      END\n",
    )]);
    let own = found.split("function SCALED").next().unwrap_or_default();
    assert_eq!(own.matches("loop I = 1; I <= N").count(), 1, "{found}");
    assert_eq!(own.matches("store C").count(), 1, "{found}");
    assert!(!own.contains("if ") && !own.contains("load C"), "{found}");
}

#[test]
fn a_jump_back_is_a_loop_and_what_follows_is_still_known() {
    check(
        "a.f",
        "      SUBROUTINE S(N, A, X)\n      DOUBLE PRECISION A(*), X\n   10 CONTINUE\n      A(1) = X\n\
         \x20     IF (A(2).GT.X) GO TO 10\n      DO 20 I = 1, N\n   20 A(I) = X\n      END\n",
        "
        function S
        size N
        array A parameter, elements of 8
        loop while@ = 0; while@ < data; while@ += 1
        opaque uncounted-loop: the number of iterations is not known: `A(2).GT.X` does not compare a \
         variable that each iteration steps by the same amount
        store A + 0   A(1)
        load A + 8   A(2)
        loop I = 1; I <= N; I += 1
        store A + 8 * I - 8   A(I)
        ",
    );
}

#[test]
fn what_an_absent_procedure_changes_is_a_size_of_the_loops_behind_it() {
    check(
        "a.f90",
        "subroutine s(n, m, a)\nreal a(n, m)\ncall who(n, m)\ndo j = 1, m\ndo i = 1, n\na(i, j) = 0\nend do\nend do\nend\n",
        "
        function s
        size n
        size m
        size m#2
        size n#2
        array a parameter, elements of 4
        n'2 := n
        m'2 := m
        length := n'2
        n'2 := data
        m'2 := data
        m'2 := m#2
        n'2 := n#2
        loop j = 1; j <= m'2; j += 1
        loop i = 1; i <= n'2; i += 1
        store a + 4 * length * (j - 1) + (4 * i - 4)   a(i, j)
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
fn what_would_be_done_without_memory_is_not_looked_at() {
    check(
        "a.f90",
        "subroutine s(n, a, ierr)\nreal a(n)\ninteger, intent(out) :: ierr\nreal, allocatable :: b(:)\n\
         do i = 1, n\nallocate (b(i), stat=ierr)\nif (ierr /= 0) return\na(i) = 0\ndeallocate (b)\nend do\nend\n",
        "
        function s
        size n
        array a parameter, elements of 4, ends at 4 * n
        array b local, elements of 1
        loop i = 1; i <= n; i += 1
        store a + 4 * i - 4   a(i)
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

/// A subroutine of a file of its own that sets the elements of an array after so many other statements.
fn clearing(name: &str, n_statements: usize) -> String {
    let statements = "      T = T + X(1)\n".repeat(n_statements);
    format!(
        "      SUBROUTINE {name}(N, X)\n      REAL X(N)\n      T = 0\n{statements}\
         \x20     DO 10 I = 1, N\n   10 X(I) = T\n      END\n"
    )
}

#[test]
fn calls_that_lead_too_far_take_nothing_from_others() {
    let doubled = |level: usize| {
        let below = level - 1;
        format!(
            "      SUBROUTINE D{level}(N, X)\n      REAL X(N)\n      CALL D{below}(N, X)\n      CALL D{below}(N, X)\n      END\n"
        )
    };
    let far: String = (1..24).map(doubled).collect();
    let far = clearing("D0", 1) + &far;
    let near = clearing("NEAR", 60_000);
    let caller = "      SUBROUTINE S(N, X)\n      REAL X(N)\n      CALL D23(N, X)\n      CALL NEAR(N, X)\n      END\n\
                  \x20     SUBROUTINE L(N, X)\n      REAL X(N)\n      DO 10 I = 1, N\n   10 X(I) = I\n      CALL S(N, X)\n      END\n";
    let units = read(&[("s.f", caller), ("far.f", &far), ("near.f", &near)]);
    let tree = &units[0].functions[0];
    let functions: Vec<&str> = tree.loops.iter().map(|(_, row)| &*row.function).collect();
    assert_eq!(functions, ["L", "NEAR"]);
    assert_eq!(tree.rejections.len(), 1);
}

#[test]
fn functions_that_call_each_other_are_followed_once() {
    let text = |name: &str, other: &str| {
        format!(
            "      RECURSIVE SUBROUTINE {name}(N, X)\n      REAL X(N)\n      DO 10 I = 1, N\n   10 X(I) = I\n\
             \x20     IF (N.GT.9) CALL {other}(N - 9, X)\n      END\n"
        )
    };
    let caller = "      SUBROUTINE S(N, X)\n      REAL X(N)\n      DO 10 I = 1, N\n   10 X(I) = I\n      CALL A(N, X)\n      END\n";
    let (a, b) = (text("A", "B"), text("B", "A"));
    let units = read(&[("s.f", caller), ("a.f", &a), ("b.f", &b)]);
    let tree = &units[0].functions[0];
    let functions: Vec<&str> = tree.loops.iter().map(|(_, row)| &*row.function).collect();
    assert_eq!(functions, ["S", "A", "B"]);
    let codes: Vec<_> = tree
        .rejections
        .iter()
        .map(|(_, row)| row.reason.code())
        .collect();
    assert_eq!(codes, ["recursion"]);
}

#[test]
fn passes_over_a_loop_may_follow_the_same_calls() {
    // The first pass finds that `K` varies. It must not take what the second one needs.
    let near = clearing("NEAR", 21_000);
    let caller = "      SUBROUTINE S(N, X)\n      REAL X(N)\n      K = 1\n      DO 10 J = 1, N\n      X(K) = 0\n\
                  \x20     IF (X(J).GT.0.0) K = INT(X(2))\n      CALL NEAR(N, X)\n      CALL NEAR(N, X)\n\
                  \x20  10 CALL NEAR(N, X)\n      END\n";
    let units = read(&[("s.f", caller), ("near.f", &near)]);
    let functions = units[0].functions[0].loops.iter();
    let functions: Vec<&str> = functions.map(|(_, row)| &*row.function).collect();
    assert_eq!(functions, ["S", "NEAR"]);
}
