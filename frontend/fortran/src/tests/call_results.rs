//! Calls whose results are known without following them, and what they leave in variables of their callers.

use super::trees;

/// The trees of a routine that uses what a subroutine with this body leaves in variables; whether that is followed, as it
/// gets an array, too.
fn with_what_is_left(call: &str, body: &str, is_followed: bool) -> String {
    let (actual, dummy) = match is_followed {
        true => (", A", ", A)\n      REAL A(*"),
        false => ("", ""),
    };
    let text = format!(
        "      SUBROUTINE S(N, A, X, K)\n      REAL A(N)\n      NB = 3\n      Y = 1.0\n      CALL LEFT({call}{actual})\n\
         \x20     DO 10 I = 1, N, NB\n      IF (X.GT.Y) A(I) = A(I) + 1\n      IF (Y.EQ.1.0) A(I) = 2\n   10 A(I) = 3\n      END\n\
         \x20     SUBROUTINE LEFT(NB, X, Y, K{dummy})\n{body}      END\n"
    );
    trees(&[("s.f", &text)])
}

#[test]
fn what_a_call_leaves_in_variables_is_the_same_answered_and_followed() {
    for body in [
        "      NB = 16\n",
        "      NB = NB + 1\n",
        "      NB = K\n",
        "      NB = K + NB\n      X = 2.0\n",
        "      IF (X.GT.0.0) NB = 7\n",
        "      IF (K.GT.2) NB = 7\n",
        "      NB = INT(X)\n",
        "      X = 3.0\n      Y = 2.0\n",
        "      Y = 2*Y\n",
        "      IF (LOG10(X).GT.2000.) THEN\n        X = SQRT(X)\n        Y = SQRT(Y)\n      END IF\n",
        "      T = X\n      X = Y\n      Y = T\n",
        "      WRITE (*, *) X\n      READ (*, *) NB, Y\n",
        "      CALL NOBODY(NB)\n",
        "      SAVE M\n      M = M + 1\n      NB = M\n",
        "      Y = K\n      X = NB\n",
    ] {
        for call in [
            "NB, X, Y, K",
            "NB, X, X, K",
            "K, Y, X, NB",
            "K, Y, X, K",
            "NB, A(2), Y, 5",
        ] {
            let answered = with_what_is_left(call, body, false);
            assert_eq!(
                answered,
                with_what_is_left(call, body, true),
                "{call}: {body}"
            );
            assert!(answered.contains("store A"), "{call}: {body}");
        }
    }
}
