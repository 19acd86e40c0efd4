//! Arrays that hold constants, and what their initializers say.

use super::{check, read_c, trees};
use premiss_tree::{NestTree, Table};

/// The tables that the last function of a file looks up.
fn tables(text: &str) -> Vec<(String, Vec<i64>)> {
    let unit = read_c(text, &[]);
    let tree = unit.functions.last().expect("a function");
    let row = |table: &Table| (table.name.clone(), table.entries.to_vec());
    tree.tables.values().map(row).collect()
}

/// Checks which entries of `t`, declared as given, a loop over all of it finds.
#[track_caller]
fn check_entries(declaration: &str, load: &str, entries: &[i64]) {
    let body = format!("for (int i = 0; i < n; i++) s += a[{load}];");
    let function = "double f(int n, const double *a)";
    let at_file_scope = format!("{declaration} {function} {{ double s = 0; {body} return s; }}");
    let local = format!("{function} {{ double s = 0; {declaration} {body} return s; }}");
    for text in [at_file_scope, local] {
        let found = tables(&text);
        let found: Vec<&[i64]> = found.iter().map(|(_, entries)| &entries[..]).collect();
        assert_eq!(found, [entries], "{text}");
    }
}

/// Checks that nobody knows what is loaded.
#[track_caller]
fn check_unknown(text: &str) {
    let unit = read_c(text, &[]);
    let tree = unit.functions.last().expect("a function");
    assert!(tree.tables.is_empty(), "{text}\n{tree}");
    let is_data = |tree: &NestTree| tree.to_string().contains("data");
    assert!(is_data(tree), "{text}\n{tree}");
}

#[test]
fn a_load_from_a_constant_table_is_an_access_and_an_entry() {
    check(
        "
        static const int dx[4] = {1, 0, -1, 0};
        void f(int n, double *a) {
            for (int i = 1; i < n; i++)
                for (int k = 0; k < 4; k++)
                    a[i + dx[k]] = 0;
        }
        ",
        "
        function f
          size n
          array dx global, elements of 4, ends at 16
          array a parameter, elements of 8
          table dx = 1, 0, -1, 0
          loop i = 1; i < n; i += 1
            loop k = 0; k < 4; k += 1
              load dx + 4 * k   dx[k]
              store a + 8 * (i + dx[k])   a[i + dx[k]]
        ",
    );
}

#[test]
fn bounds_conditions_and_steps_come_from_tables() {
    check(
        "
        void f(int n, double *a) {
            static const int start[] = {0, 2, 5}, step[] = {2, 1};
            const _Bool mask[2] = {[1] = 1};
            for (int i = 0; i < 2; i++)
                for (int j = start[i]; j < start[i + 1]; j += step[i])
                    if (mask[i])
                        a[j] = 0;
        }
        ",
        "
        function f
          array start global, elements of 4, ends at 12
          array step global, elements of 4, ends at 8
          array a parameter, elements of 8
          array mask local, elements of 1, ends at 2
          table start = 0, 2, 5
          table step = 2, 1
          table mask = 0, 1
          loop i = 0; i < 2; i += 1
            load start + 4 * i   start[i]
            loop j = start[i]; j < start[i + 1]; j += step[i]
              load start + 4 * i + 4   start[i + 1]
              load mask + i   mask[i]
              if mask[i]
                store a + 8 * j   a[j]
              load step + 4 * i   step[i]
            load start + 4 * i + 4   start[i + 1]
        ",
    );
}

#[test]
fn initializers_say_what_is_where() {
    check_entries("const int t[] = {5, 6, 7};", "t[i]", &[5, 6, 7]);
    check_entries("const int t[5] = {5, 6};", "t[i]", &[5, 6, 0, 0, 0]);
    check_entries(
        "const int t[] = {[2] = 5, 6, [0] = 1};",
        "t[i]",
        &[1, 0, 5, 6],
    );
    check_entries("const int t[] = {[5] = 1};", "t[i]", &[0, 0, 0, 0, 0, 1]);
    check_entries(
        "const int t[] = {[1 ... 3] = 4, 5};",
        "t[i]",
        &[0, 4, 4, 4, 5],
    );
    check_entries("const int t[] = {1, [0] = 2, [0] = 3};", "t[i]", &[3]);
    check_entries("const int t[2] = {1, 2, 3};", "t[i]", &[1, 2]);
    check_entries(
        "enum { A = 3, B }; const int t[] = {A, B * 2, -A, 1 << B};",
        "t[i]",
        &[3, 8, -3, 16],
    );
    check_entries(
        "const unsigned char t[] = {-1, 256, 'a'};",
        "t[i]",
        &[255, 0, 97],
    );
    check_entries("const _Bool t[] = {2, 0};", "t[i]", &[1, 0]);
    check_entries("const unsigned long t[] = {-1, 1};", "t[i]", &[-1, 1]);
}

#[test]
fn braces_may_be_left_out() {
    check_entries("const int t[][2] = {{1, 2}, {3}};", "t[i][0]", &[1, 3]);
    check_entries("const int t[][2] = {1, 2, 3};", "t[i][1]", &[2, 0]);
    check_entries("const int t[2][2] = {{1}, 2, 3};", "t[0][i]", &[1, 0, 2, 3]);
    check_entries(
        "const int t[][2] = {[1] = {[1] = 7}, [0][1] = 5, 6};",
        "t[i][1]",
        &[5, 7],
    );
    check_entries(
        "const int t[][2] = {{1, 2}, [0] = {3}};",
        "t[0][i]",
        &[3, 0],
    );
    check_entries("const int t[2] = {{1}, {2}};", "t[i]", &[1, 2]);
}

#[test]
fn structs_have_tables_of_their_members() {
    let t = "const struct { int x; double w; struct { int n, v[2]; } in; } t[] = ";
    let entries = |initial: &str, load: &str, entries: &[i64]| {
        check_entries(&format!("{t}{initial};"), load, entries);
    };
    entries("{{1, 2.0, {3, 4, 5}}, {.x = 6}}", "t[i].x", &[1, 6]);
    entries("{1, 2.0, 3, 4, 5, 6}", "t[i].x", &[1, 6]);
    entries("{1, 2.0, 3, 4, 5, 6}", "t[i].in.v[1]", &[5, 0]);
    entries("{[2].in.v[1] = 4, 5}", "t[i].in.v[1]", &[0, 0, 4, 0]);
    entries("{[2].in.v[1] = 4, 5}", "t[i].x", &[0, 0, 0, 5]);
    entries("{[1].in = {.v = {1, 2}}}", "t[i].in.v[0]", &[0, 1]);
    check_entries(
        "const struct { union { int a; double d; }; int b; } t[] = {{3, 4}, {.d = 0.5, 5}};",
        "t[i].b",
        &[4, 5],
    );
    check_entries(
        "const struct { int b : 3; int : 2; int c : 3; int d; } t[] = {1, 2, 3, 4, 5, 6};",
        "t[i].d",
        &[3, 6],
    );
}

#[test]
fn constants_are_followed_through_pointers_and_calls() {
    let text = "
        static const int t[] = {3, 1, 2};
        static void set(double *a, const int *by, int k) { a[by[k]] = 0; }
        void f(double *a) {
            const int *p = t;
            for (int k = 0; k < 3; k++) { set(a, t, k); a[p[k]] = a[*(t + k)]; unknown(t); }
        }";
    let entries = vec![3, 1, 2];
    assert_eq!(tables(text), [("t".to_owned(), entries)]);
    assert!(!trees(text).contains("a + data"), "{}", trees(text));
}

#[test]
fn what_is_not_written_stays() {
    let loads = "for (int k = 0; k < 3; k++) a[t[k]] = sizeof t;";
    let text = format!("static int t[] = {{3, 1, 2}}; void f(double *a) {{ {loads} }}");
    assert_eq!(tables(&text), [("t".to_owned(), vec![3, 1, 2])]);
    // Another function's `t` is another object.
    let other = "void g(int *p) { int t[3]; t[0] = 1; p[0] = t[0]; }";
    assert_eq!(tables(&format!("{other} {text}")).len(), 1);
    let text = format!("void f(double *a) {{ int t[] = {{3, 1, 2}}; {loads} }}");
    assert_eq!(tables(&text).len(), 1);
}

#[test]
fn what_may_be_written_is_unknown() {
    let loads = "for (int k = 0; k < 3; k++) a[t[k]] = 0;";
    let f = format!("void f(double *a) {{ {loads} }}");
    let table = "static int t[] = {3, 1, 2};";
    for writer in [
        "void g(int i) { t[i] = 1; }",
        "void g(int i) { t[i]++; }",
        "void g(int i) { *t = 1; }",
        "void g(int i) { *(t + i) = 1; }",
        "void g(int i) { h(t); }",
        "void g(int i) { h(&t[1]); }",
        "void g(int **p) { *p = t; }",
        "int *p = t;",
        "struct { int *p; } s[] = { { t + 1 } };",
        "void g(int i) { asm(\"nop\"); }",
        "void g(int i) { i = ) 1; }",
        "void g(int i) { (i ? t : t)[0] = 1; }",
    ] {
        check_unknown(&format!("{table} {writer} {f}"));
    }
    // External objects may be written in files that are not there.
    check_unknown(&format!("int t[] = {{3, 1, 2}}; {f}"));
    check_unknown(&format!("extern const int t[3]; {f}"));
    check_unknown(&format!("static const volatile int t[] = {{3, 1, 2}}; {f}"));
    for statement in ["t[1] = 5;", "g(t);", "int *p = t; *p = 1;", "t[0] += 1;"] {
        check_unknown(&format!(
            "void f(double *a) {{ int t[] = {{3, 1, 2}}; {statement} {loads} }}"
        ));
    }
}

#[test]
fn rows_that_go_somewhere_are_written_there() {
    let loads = "for (int k = 0; k < 2; k++) a[t[k][0]] = 0;";
    let text = |other: &str| {
        format!("static int t[2][2] = {{1, 2, 3, 4}}; {other} void f(double *a) {{ {loads} }}")
    };
    assert_eq!(tables(&text("int g(int i) { return t[i][i]; }")).len(), 1);
    check_unknown(&text("int *g(int i) { return t[i]; }"));
    check_unknown(&text("void g(int i) { h(t[i]); }"));
    check_unknown(&text("void g(int i) { **t = 1; }"));
    let text = |other: &str| {
        format!(
            "struct s {{ int n, v[2]; }}; static struct s t[2] = {{1, 2, 3, 4}}; {other} \
             void f(double *a) {{ for (int k = 0; k < 2; k++) a[t[k].n] = 0; }}"
        )
    };
    assert_eq!(tables(&text("int g(int i) { return t->v[i]; }")).len(), 1);
    check_unknown(&text("int *g(int i) { return t->v; }"));
    check_unknown(&text("void g(struct s *p) { p->n = t[1].n = 2; }"));
}

#[test]
fn what_is_no_constant_integer_is_unknown() {
    let f = "void f(double *a) { for (int k = 0; k < 3; k++) a[(int)t[k]] = 0; }";
    for table in [
        "const double t[] = {1, 2, 3};",
        "const int t[] = {1, sizeof(struct nowhere), 3};",
        "const int t[3];",
        "const long t[] = {1, 2, (long)&t};",
    ] {
        check_unknown(&format!("{table} {f}"));
    }
    check_unknown(
        "void f(int n, double *a) { int t[] = {n, 2}; for (int k = 0; k < 2; k++) a[t[k]] = 0; }",
    );
    // An `int` read as two halves.
    check_unknown(
        "const int t[] = {1, 2};
         void f(double *a) { for (int k = 0; k < 4; k++) a[((const short *)t)[k]] = 0; }",
    );
    // Integers beside floating numbers, reached in a stride that meets both.
    check_unknown(
        "const struct { double w; int v[2]; } t[] = {{0.5, {1, 2}}};
         void f(double *a) {
             for (int k = 0; k < 1; k++) for (int j = 0; j < 2; j++) a[t[k].v[j]] = 0; }",
    );
    check_unknown(
        "const int t[] = {1, 2};
         void f(const int *i, double *a) { for (int k = 0; k < 2; k++) a[t[i[k]]] = 0; }",
    );
}

#[test]
fn tables_of_other_files_are_known_where_one_defines_them() {
    let outer =
        "extern const int t[]; void f(double *a) { for (int k = 0; k < 2; k++) a[t[k]] = 0; }";
    check_unknown(outer);
    let both = format!("{outer} const int t[] = {{4, 5}};");
    assert_eq!(tables(&both), [("t".to_owned(), vec![4, 5])]);
}

#[test]
fn values_that_differ_from_call_to_call_are_unknown() {
    let text = |second: i64| {
        format!(
            "static void set(int n, double *a) {{
                 const int t[] = {{n, n + 1}};
                 for (int k = 0; k < 2; k++) a[t[k]] = 0;
             }}
             void f(double *a) {{ set(1, a); for (int i = 0; i < 2; i++) set({second}, a); }}"
        )
    };
    assert_eq!(tables(&text(1)), [("t".to_owned(), vec![1, 2])]);
    let tree = trees(&text(5));
    assert!(tree.contains("a + data"), "{tree}");
}

#[test]
fn constant_subscripts_of_constants_are_numbers() {
    check(
        "
        static const struct { int x, y; } size = {3, .y = 4}, sizes[] = {{1, 2}, {5, 6}};
        void f(double *a) {
            struct { int n, m; } own = {.m = 2};
            for (int i = own.n + own.m; i < size.y; i++) a[i + sizes[1].x] = 0;
        }
        ",
        "
        function f
          array sizes global, elements of 8, ends at 16
          array a parameter, elements of 8
          loop i = 2; i < 4; i += 1
            load sizes + 8 (4 bytes)   sizes[1].x
            store a + 8 * i + 40   a[i + sizes[1].x]
        ",
    );
}

/// The entries of a table of a million numbers; reading it takes no more than it does anyway.
#[test]
fn a_million_entries_are_shared_by_all_functions() {
    use std::fmt::Write;
    let mut text = "static const int t[] = {".to_owned();
    for k in 0..1_000_000_u64 {
        let _ = write!(text, "{},", k * 7_919 % 1_000_000);
    }
    text += "};";
    for k in 0..20 {
        let _ = write!(
            text,
            "void f{k}(double *a) {{ for (int i = 0; i < 1000000; i++) a[t[i]] = 0; }}"
        );
    }
    let unit = read_c(&text, &[]);
    let tables: Vec<&Table> = unit
        .functions
        .iter()
        .flat_map(|x| x.tables.values())
        .collect();
    assert_eq!(tables.len(), 20);
    assert_eq!(tables[0].entry(3), Some(23_757));
    assert_eq!(tables[0].entry(1_000_000), None);
    let first = tables[0].entries.as_ptr();
    assert!(tables.iter().all(|table| table.entries.as_ptr() == first));
}

#[test]
fn ranges_without_end_are_no_trap() {
    let f = "void f(double *a) { for (int k = 0; k < 3; k++) a[t[k]] = 0; }";
    for table in [
        "const int t[] = {[0 ... 2000000000] = 1};",
        "const int t[] = {[9223372036854775807] = 1};",
        "const int t[] = {[-1] = 1};",
        "const int t[] = {[3 ... 1] = 1};",
        "struct none {}; const struct { struct none v[1000000000]; int n; } s = {{[0 ... 999999999] = {}}}; const double t[] = {0};",
    ] {
        check_unknown(&format!("{table} {f}"));
    }
    let part = "[0 ... 999999] = 1,".repeat(1000);
    check_unknown(&format!("const int t[] = {{{part}}}; {f}"));
}

#[test]
fn literals_have_the_size_of_their_characters() {
    check(
        "void f(double *x) { for (int i = 0; i < sizeof(\"abc\" \"d\") + sizeof \"\"; i++) x[i] = 0; }",
        "
        function f
          array x parameter, elements of 8
          loop i = 0; i < 6; i += 1
            store x + 8 * i   x[i]
        ",
    );
}
