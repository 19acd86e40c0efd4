//! `DO` loops: trip counts and DO variables.

use super::check;

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
        opaque unknown-call: `who` is not defined here and may touch any array
        ii'2 := data
        n'2 := data
        j := data
        n'2 := data
        store a + 4 * i - 4   a(i)
        ii3 := data
        loop ii3 = 1; ii3 <= 8; ii3 += 1
        ii'2 := ii3
        opaque unknown-call: `who` is not defined here and may touch any array
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
