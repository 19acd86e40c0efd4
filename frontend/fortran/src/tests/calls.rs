//! Calls: how arguments are passed, and how far calls are followed.

use super::{check, read, trees};

#[test]
fn what_is_changed_is_a_reference() {
    let text = "subroutine caller(n, a)\nreal a(n)\nm = n\ncall halve(m)\ndo i = 1, m\na(i) = 0\nend do\nend\n\
                subroutine halve(k)\nk = k / 2\nend\n";
    let found = trees(&[("a.f90", text)]);
    assert!(found.contains("m := m / 2"), "{found}");
    assert!(found.contains("loop i = 1; i <= m; i += 1"), "{found}");
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
    let multiplied = |level: usize| {
        let below = level - 1;
        let calls = format!("      CALL D{below}(N, X)\n").repeat(8);
        format!("      SUBROUTINE D{level}(N, X)\n      REAL X(N)\n{calls}      END\n")
    };
    let far: String = (1..9).map(multiplied).collect();
    let far = clearing("D0", 1) + &far;
    let near = clearing("NEAR", 60_000);
    let caller = "      SUBROUTINE S(N, X)\n      REAL X(N)\n      CALL D8(N, X)\n      CALL NEAR(N, X)\n      END\n\
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
