//! Statements: labels, continuation, jumps, input and output.

use super::{check, read, trees};

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
        if j == 1 || data
        if data
        store a + 4 * j - 4   a(j)
        j := data
        if data
        store a + 4 * i - 4   a(i)
        ",
    );
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
fn a_jump_back_is_a_loop_and_what_follows_is_still_known() {
    check(
        "a.f",
        "      SUBROUTINE S(N, A, X)\n      DOUBLE PRECISION A(*), X\n   10 CONTINUE\n      A(1) = X\n\
         \x20     IF (A(2).GT.X) GO TO 10\n      DO 20 I = 1, N\n   20 A(I) = X\n      END\n",
        "
        function S
          size N
          size iterations(A(2).GT.X)
          array A parameter, elements of 8
          loop while@ = 0; while@ < data; while@ += 1   within 0, iterations(A(2).GT.X) in steps of 1
            opaque uncounted-loop: the number of iterations is not known: `A(2).GT.X` does not compare a variable that each iteration steps by the same amount, in a statement of its own at its end
            store A + 0   A(1)
            load A + 8   A(2)
          loop I = 1; I <= N; I += 1
            store A + 8 * I - 8   A(I)
        ",
    );
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
