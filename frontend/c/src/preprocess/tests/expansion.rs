//! Macro expansion: the examples of C11 6.10.3 and what compilers add to it.

use super::{check, program};

#[test]
fn objects_and_functions() {
    check("#define N 100\nint a[N];", "int a[100];");
    check("#define f(x) (x)+1\nf(2) f (3) f", "(2)+1 (3)+1 f");
    check("#define f() g\nf() f( )", "g g");
    check("#define EMPTY\na EMPTY b", "a b");
    check("#define f(x) x\nf\n(\n1\n)\n2", "1 2");
    check("#define A -1\n-A", "- -1");
    check("#define A 1\n#undef A\nA", "A");
}

#[test]
fn recursion_stops_at_a_macros_own_name() {
    check("#define a a+b\na", "a+b");
    check("#define a b\n#define b a\na b", "a b");
    check("#define f(x) f(x+1)\nf(f(0))", "f(f(0+1)+1)");
    check("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2*9*g");
    check(
        "#define NIL(xxx) xxx\n#define G_0(arg) NIL(G_1)(arg)\n#define G_1(arg) NIL(arg)\nG_0(42)",
        "42",
    );
}

/// C11 6.10.3.5, EXAMPLE 3.
#[test]
fn rescanning_example_of_the_standard() {
    let definitions = "
        #define x 3
        #define f(a) f(x * (a))
        #undef x
        #define x 2
        #define g f
        #define z z[0]
        #define h g(~
        #define m(a) a(w)
        #define w 0,1
        #define t(a) a
        #define p() int
        #define q(x) x
        #define r(x,y) x ## y
        #define str(x) # x
    ";
    let example = |input: &str, expected: &str| check(&format!("{definitions}\n{input}"), expected);
    example(
        "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);",
        "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);",
    );
    example(
        "g(x+(3,4)-w) | h 5) & m\n(f)^m(m);",
        "f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);",
    );
    example(
        "p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };",
        "int i[] = { 1, 23, 4, 5, };",
    );
    example(
        "char c[2][6] = { str(hello), str() };",
        r#"char c[2][6] = { "hello", "" };"#,
    );
}

/// C11 6.10.3.5, EXAMPLE 4.
#[test]
fn stringification_example_of_the_standard() {
    let definitions = r##"
        #define str(s) # s
        #define xstr(s) str(s)
        #define debug(s, t) printf("x" # s "= %d, x" # t "= %s", \
                                   x ## s, x ## t)
        #define INCFILE(n) vers ## n
        #define glue(a, b) a ## b
        #define xglue(a, b) glue(a, b)
        #define HIGHLOW "hello"
        #define LOW LOW ", world"
    "##;
    let example = |input: &str, expected: &str| check(&format!("{definitions}\n{input}"), expected);
    example(
        "debug(1, 2);",
        r#"printf("x" "1" "= %d, x" "2" "= %s", x1, x2);"#,
    );
    example(
        r#"fputs(str(strncmp("abc\0d", "abc", '\4') // this goes away
            == 0) str(: @\n), s);"#,
        r#"fputs("strncmp(\"abc\\0d\", \"abc\", '\\4') == 0" ": @\n", s);"#,
    );
    example("xstr(INCFILE(2).h)", r#""vers2.h""#);
    example("glue(HIGH, LOW);", r#""hello";"#);
    example("xglue(HIGH, LOW)", r#""hello" ", world""#);
}

/// C11 6.10.3.5, EXAMPLE 5.
#[test]
fn placemarker_example_of_the_standard() {
    check(
        "#define t(x,y,z) x ## y ## z
         int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };",
        "int j[] = { 123, 45, 67, 89, 10, 11, 12, };",
    );
}

/// C11 6.10.3.5, EXAMPLE 7.
#[test]
fn variadic_example_of_the_standard() {
    check(
        r##"#define debug(...) fprintf(stderr, __VA_ARGS__)
            #define showlist(...) puts(#__VA_ARGS__)
            #define report(test, ...) ((test)?puts(#test): printf(__VA_ARGS__))
            debug("Flag");
            debug("X = %d\n", x);
            showlist(The first, second, and third items.);
            report(x>y, "x is %d but y is %d", x, y);"##,
        r#"fprintf(stderr, "Flag");
           fprintf(stderr, "X = %d\n", x);
           puts("The first, second, and third items.");
           ((x>y)?puts("x>y"): printf("x is %d but y is %d", x, y));"#,
    );
}

/// C11 6.10.3.3, the example of `hash_hash`.
#[test]
fn pasted_hashes_are_no_operator() {
    check(
        "#define hash_hash # ## #
         #define mkstr(a) # a
         #define in_between(a) mkstr(a)
         #define join(c, d) in_between(c hash_hash d)
         join(x, y);",
        r#""x ## y";"#,
    );
}

#[test]
fn variadic_macros_as_compilers_have_them() {
    let log = "#define log(f, ...) p(f, ##__VA_ARGS__)\n";
    check(
        &format!("{log}log(a) log(a,) log(a,b,c)"),
        "p(a) p(a) p(a,b,c)",
    );
    let named = "#define log(f, args...) p(f, args)\n";
    check(&format!("{named}log(a,b,c)"), "p(a, b,c)");
    let optional = "#define log(f, ...) p(f __VA_OPT__(,) __VA_ARGS__)\n";
    check(&format!("{optional}log(a) log(a,b)"), "p(a) p(a , b)");
    check(
        "#define s(...) #__VA_OPT__(x __VA_ARGS__)\ns() s(1)",
        r#""" "x 1""#,
    );
    check(
        "#define v(a, ...) x ## __VA_OPT__(a) y\nv(1) v(1, 2)",
        "x y x1 y",
    );
}

#[test]
fn places_and_counters() {
    check("#define L __LINE__\n__LINE__ L\n\nL", "2 2 4");
    check(
        "__FILE__ __COUNTER__ __COUNTER__ __INCLUDE_LEVEL__",
        r#""main.c" 0 1 0"#,
    );
    check("#line 99 \"x.c\"\n__LINE__", "2");
}

#[test]
fn splices_comments_and_digraphs() {
    check(
        "in\\\nt a/* x\n */b // c \\\n still a comment\nc",
        "int a b c",
    );
    check("#def\\\r\nine N\\\r\n 4\r\nN", "4");
    check("#define N 1 /* one\n more line */ + 2\nN", "1 + 2");
    check("%:define f(x) %:x\nf(a) <: :>", r#""a" [ ]"#);
    check("\"/*\" '\"' /* \" */ x", "\"/*\" '\"' x");
}

#[test]
fn directives_in_arguments_are_obeyed() {
    check("#define f(x) [x]\nf(\n#if 1\na\n#else\nb\n#endif\n)", "[a]");
}

#[test]
fn an_invocation_that_does_not_fit_is_left_alone() {
    program("#define f(x) x\nf(1,2) f()")
        .check("f(1,2)")
        .reports(&[("macro-invocation", "f(1,2)")]);
    program("#define g(x,y) x\n g(1) h")
        .check("g(1) h")
        .reports(&[("macro-invocation", "g(1)")]);
    program("#define f(x) x\nf(1, (2")
        .check("f(1, (2")
        .reports(&[("macro-invocation", "f")]);
    program("#define cat(x,y) x##y\ncat(+,/) z")
        .check("+/ z")
        .reports(&[("invalid-paste", "cat(+,/)")]);
}
