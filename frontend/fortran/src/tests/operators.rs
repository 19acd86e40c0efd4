//! Operators and assignments that procedures define.

use super::{check, trees};

/// A module with a type, a function that adds two objects of it, and a subroutine that sets one to a number.
fn module(declarations: &str, rest: &str) -> String {
    format!(
        "module m\ntype v\nreal(8) :: x, y\n{declarations}contains\n\
         function add(a, b) result(c)\ntype(v), intent(in) :: a, b\ntype(v) :: c\n\
         c%x = a%x + b%x\nc%y = a%y + b%y\nend function\n\
         subroutine set(a, x)\ntype(v), intent(out) :: a\nreal(8), intent(in) :: x\na%x = x\na%y = x\nend subroutine\n\
         {rest}end module\n"
    )
}

const INTERFACES: &str = "end type\ninterface operator(+)\nmodule procedure add\nend interface\n\
                          interface operator(.plus.)\nprocedure add\nend interface\n\
                          interface assignment(=)\nmodule procedure set\nend interface\n";

#[test]
fn operators_of_types_are_calls() {
    // Fortran 2018, 10.1.6.1: the operation is a reference to the function, which loads each component once.
    let statement = |text: &str| {
        let rest = format!(
            "subroutine s(n, p, q)\ninteger, intent(in) :: n\ntype(v) :: p(n), q(n)\n\
             do i = 1, n\np(i) = {text}\nend do\nend subroutine\n"
        );
        trees(&[("a.f90", &module(INTERFACES, &rest))])
    };
    let sum = statement("p(i) + q(i)");
    for line in [
        "a%x   in add",
        "b%x   in add",
        "a%y   in add",
        "b%y   in add",
    ] {
        assert_eq!(sum.matches(line).count(), 1, "{line}: {sum}");
    }
    assert_eq!(sum.matches("store p").count(), 2, "{sum}");
    assert_eq!(sum.matches("load ").count(), 4, "{sum}");
    assert_eq!(statement("p(i) .plus. q(i)").matches("load ").count(), 4);
    // (p(i) + q(i)) + p(i) loads the components of q(i) once and those of p(i) twice.
    let twice = statement("p(i) + q(i) + p(i)");
    assert_eq!(twice.matches("load p").count(), 4, "{twice}");
    assert_eq!(twice.matches("load q").count(), 2, "{twice}");
}

#[test]
fn bindings_of_types_define_operators_and_assignments() {
    let bindings = "contains\nprocedure :: add\nprocedure :: set\ngeneric :: operator(-) => add\n\
                    generic, public :: assignment(=) => set\nend type\n";
    let rest = "subroutine s(n, p, q, x)\ninteger, intent(in) :: n\ntype(v) :: p(n), q(n)\nreal(8) :: x(n)\n\
                do i = 1, n\np(i) = p(i) - q(i)\np(i) = x(i)\nend do\nend subroutine\n";
    let found = trees(&[("a.f90", &module(bindings, rest))]);
    assert_eq!(found.matches("in add").count(), 4, "{found}");
    assert_eq!(found.matches("in set").count(), 2, "{found}");
    assert!(!found.contains("opaque"), "{found}");
}

#[test]
fn operators_are_imported_under_other_names() {
    let user = "subroutine s(n, p, q)\nuse m, only: v, operator(.with.) => operator(.plus.)\n\
                integer, intent(in) :: n\ntype(v) :: p(n), q(n)\n\
                do i = 1, n\np(i) = p(i) .with. q(i)\nend do\nend subroutine\n";
    let text = module(INTERFACES, "");
    let found = trees(&[("m.f90", &text), ("u.f90", user)]);
    assert_eq!(found.matches("in add").count(), 4, "{found}");
    // What is not imported is not known.
    let unknown = trees(&[
        ("m.f90", &text),
        ("u.f90", &user.replace(".with. q", "+ q")),
    ]);
    assert!(
        unknown.contains("opaque unsupported-construct: `+`"),
        "{unknown}"
    );
    // Nor is what a file defines that is not there.
    let alone = trees(&[("u.f90", user)]);
    assert!(
        alone.contains("opaque") && !alone.contains("in add"),
        "{alone}"
    );
}

#[test]
fn operators_of_numbers_stay_intrinsic() {
    let rest = "subroutine s(n, x, y)\ninteger, intent(in) :: n\nreal(8) :: x(n), y(n)\n\
                do i = 1, n\nx(i) = x(i) + y(i)\nend do\nend subroutine\n";
    check(
        "a.f90",
        &module(INTERFACES, rest),
        "
        function s
        size n
        array x parameter, elements of 8, ends at 8 * n
        array y parameter, elements of 8, ends at 8 * n
        loop i = 1; i <= n; i += 1
        load x + 8 * i - 8   x(i)
        load y + 8 * i - 8   y(i)
        store x + 8 * i - 8   x(i)
        ",
    );
}

#[test]
fn what_an_assignment_of_a_type_does_besides_copying_is_not_taken_for_a_copy() {
    // The elements of `c` are copied to a new allocation, as many as there are (Fortran 2018, 10.2.1.3).
    let found = trees(&[(
        "a.f90",
        "module m\ntype box\nreal, allocatable :: c(:)\nend type\ncontains\n\
         subroutine s(n, p, q)\ntype(box) :: p(n), q(n)\ndo i = 1, n\np(i) = q(i)\nend do\nend subroutine\nend module\n",
    )]);
    assert!(found.contains("opaque unsupported-construct"), "{found}");
}

#[test]
fn bound_procedures_get_their_object_where_the_binding_says() {
    let bindings = "contains\nprocedure, nopass :: first => add\nprocedure, pass(b) :: second => add\nend type\n";
    let rest = "subroutine s(n, p, q)\ninteger, intent(in) :: n\ntype(v) :: p(n), q(n)\n\
                do i = 1, n\np(i) = p(i)%first(q(i), q(i))\nend do\n\
                do i = 1, n\np(i) = p(i)%second(q(i))\nend do\nend subroutine\n";
    let found = trees(&[("a.f90", &module(bindings, rest))]);
    let (first, second) = found.split_at(found.rfind("loop").unwrap_or(0));
    assert_eq!(first.matches("load q").count(), 4, "{found}");
    assert!(
        second.contains("load q + 16 * i - 16 (8 bytes)   a%x"),
        "{found}"
    );
    assert!(
        second.contains("load p + 16 * i - 16 (8 bytes)   b%x"),
        "{found}"
    );
}
