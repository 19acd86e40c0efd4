//! What cannot be parsed, and what may be written without blanks.

use super::{read, trees};

#[test]
fn blanks_mean_nothing_in_fixed_form() {
    let plain = "      SUBROUTINE S(A, N)\n      REAL A(N)\n      NX = 30\n      DO 10 I = 1, NX\n   10 A(I) = 1.5E0\n\
                 \x20     IF (N.GT.1000000) GO TO 20\n      DO 15 J = 1, N\n   15 A(J) = 2\n   20 CONTINUE\n      END\n";
    let spaced = "      SUB ROUTINE S(A, N)\n      RE AL A(N)\n      N X = 3 0\n      D O 1 0 I = 1 , N X\n   10 A ( I ) = 1 . 5 E 0\n\
                  \x20     I F (N.GT.1 000 000) GOTO2 0\n      DO15J=1,N\n   15 A(J) = 2\n   20 CON TINUE\n      E N D\n";
    let without_blanks = |found: &str| -> String { found.replace([' ', '\n'], "") };
    let expected = trees(&[("a.f", plain)]);
    assert!(expected.contains("loop I = 1; I <= 30"), "{expected}");
    let found = trees(&[("a.f", spaced)]);
    assert_eq!(without_blanks(&found), without_blanks(&expected), "{found}");
}

#[test]
fn an_assignment_without_a_comma_is_no_loop() {
    // `DO 10 I = 1.5` assigns to the variable DO10I.
    let found = trees(&[(
        "a.f",
        "      SUBROUTINE S(A)\n      REAL A(*)\n      DO 10 I = 1.5\n      DO J = 1, 3\n      A(J) = 0\n      END DO\n   10 CONTINUE\n      END\n",
    )]);
    assert!(!found.contains("opaque"), "{found}");
    assert!(found.contains("loop J = 1; J <= 3"), "{found}");
}

/// The tree of a subroutine whose loop `DO j` is within a header that cannot be parsed.
fn guarded(before: &str, after: &str) -> String {
    let text = format!(
        "subroutine s(n, a)\nreal :: a(n)\n{before}\ndo j = 1, 9\na(j) = 0\nend do\n{after}\na(1) = 1\nend\n"
    );
    trees(&[("a.f90", &text)])
}

#[test]
fn what_an_unread_header_guards_is_possible() {
    for (before, after) in [
        ("if (n > 1 000) then", "end if"),
        ("if (n > 1) then\na(2) = 1\nelse if (n ? 2) then", "end if"),
        ("if (n ? 1) then\na(2) = 1\nelse", "end if"),
        ("select case (n ? 2)\ncase (1)", "end select"),
        ("select case (n)\ncase (1 ? 2)", "end select"),
        ("@if (n > 3)", "end if"),
    ] {
        let found = guarded(before, after);
        let own = found.split("loop j").next().unwrap_or("");
        assert!(
            own.contains("if data") || own.contains("else"),
            "{before}: {found}"
        );
        assert!(
            found.contains("syntax") || before.contains("case (1 ?"),
            "{before}: {found}"
        );
        // What follows is not guarded.
        assert!(
            found.contains("\n  store a + 0   a(1)"),
            "{before}: {found}"
        );
    }
}

#[test]
fn what_an_unread_header_repeats_is_unknown() {
    for (before, after) in [
        ("do i = 1 ? n", "end do"),
        ("do while (n ? 3)", "end do"),
        ("do 10 i = 1 ? n", "10 continue"),
        ("@do i = 1, 3", "end do"),
    ] {
        let found = guarded(before, after);
        let own = found.split("loop j").next().unwrap_or("");
        assert!(own.contains("< data; "), "{before}: {found}");
    }
    // The names in these blocks may mean anything.
    for (before, after) in [
        ("associate (n => a ?)", "end associate"),
        ("forall (i = 1 ? n)", "end forall"),
    ] {
        let found = guarded(before, after);
        assert!(!found.contains("loop j"), "{before}: {found}");
    }
}

#[test]
fn what_an_unread_statement_mentions_is_unknown_after_it() {
    let found = trees(&[(
        "a.f90",
        "subroutine s(a)\nreal :: a(*)\nm = 3\nm = = 4\ndo i = 1, m\na(i) = 0\nend do\nend\n",
    )]);
    assert!(!found.contains("i <= 3"), "{found}");
    // So is what a rejected loop changes.
    let real = trees(&[(
        "a.f90",
        "subroutine s(a)\nreal :: a(*), x\nm = 3\ndo x = 1.0, 2.0\nm = 5\nend do\ndo i = 1, m\na(i) = 0\nend do\nend\n",
    )]);
    assert!(!real.contains("i <= 3"), "{real}");
}

#[test]
fn unread_headers_are_reported() {
    let units = read(&[(
        "a.f90",
        "subroutine s(n, a)\nreal :: a(n)\nif (n > 1 000) then\na(1) = 0\nend if\nend\n",
    )]);
    let [unit] = &units[..] else {
        panic!("one file")
    };
    let codes: Vec<&str> = unit.diagnostics.iter().map(|found| found.code).collect();
    assert!(codes.contains(&"syntax"), "{codes:?}");
}
