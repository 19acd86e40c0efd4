//! Pointers of which data, or calls, decide where they point.

use super::{check, trees};

#[test]
fn a_function_that_data_let_return_null_returns_its_object() {
    check(
        "
        void *calloc(unsigned long, unsigned long);
        double *sorted(int n, const double *from)
        {
          double *x = calloc(n, sizeof(double));
          for (int i = 0; i < n - 1; i++)
            if (from[i] > from[i + 1]) return 0;
          return x;
        }
        void f(int n, double *from)
        {
          double *x = sorted(n, from);
          for (int i = 0; i < n; i++) x[i] = 1;
        }
        ",
        "
        function sorted
          size n
          array from parameter, elements of 8
          array x local, elements of 1, ends at 8 * n
          loop i = 0; i < n - 1; i += 1
            if i == 0 || data
              load from + 8 * i   from[i]
              load from + 8 * i + 8   from[i + 1]
          i := data
        function f
          size n
          array from parameter, elements of 8
          array x local, elements of 8, ends at 8 * n
          loop i = 0; i < n - 1; i += 1   in sorted
            if i == 0 || data
              load from + 8 * i   from[i]   in sorted
              load from + 8 * i + 8   from[i + 1]   in sorted
          i := data
          loop i'2 = 0; i'2 < n; i'2 += 1
            store x + 8 * i'2   x[i]
        ",
    );
}

#[test]
fn a_pointer_that_is_null_by_data_points_to_its_object_else() {
    check(
        "
        void f(int n, double *a, double *b)
        {
          double *p = 0;
          if (a[0] > 0) p = b + 2;
          if (p)
            for (int i = 0; i < n; i++) p[i] = 1;
        }
        ",
        "
        function f
          size n
          array a parameter, elements of 8
          array b parameter, elements of 8
          load a + 0   a[0]
          if data
            loop i = 0; i < n; i += 1
              store b + 8 * i + 16   p[i]
        ",
    );
}

#[test]
fn a_pointer_that_is_stored_by_data_leaves_those_beside_it() {
    check(
        "
        void *malloc(unsigned long);
        struct both { double *a, *b; };
        void f(int n, struct both *s)
        {
          if (s->a[0] > 0) s->a = malloc(8 * n);
          double *b = s->b;
          for (int i = 0; i < n; i++) b[i] = 1;
        }
        ",
        "
        function f
          size n
          array s parameter, elements of 16
          array s->a parameter, elements of 8
          array s->b parameter, elements of 8
          array allocated callee, elements of 1, ends at 8 * n
          load s + 0 (8 bytes)   s->a
          load s->a + 0   s->a[0]
          if data
            store s + 0 (8 bytes)   s->a
          load s + 8 (8 bytes)   s->b
          loop i = 0; i < n; i += 1
            store s->b + 8 * i   b[i]
        ",
    );
}

#[test]
fn pointers_that_a_declaration_stores_lead_to_no_arrays_of_their_own() {
    for start in [
        "static double *t[2] = { a, a + 8 };",
        "static struct { double *p, *q; } t = { a, a + 8 };",
        "static struct { double *p[2]; } t = { { a, a + 8 } };",
    ] {
        let first = match start {
            _ if start.contains("*p[2]") => "t.p[0]",
            _ if start.contains("struct") => "t.p",
            _ => "t[0]",
        };
        let body = format!("double *p = {first}; for (int i = 0; i < n; i++) p[i] = a[i];");
        for text in [
            format!("double a[100]; {start} void f(int n) {{ {body} }}"),
            format!("double a[100]; void f(int n) {{ {start} {body} }}"),
            format!("double a[100]; void f(int n) {{ {} {body} }}", &start[7..]),
        ] {
            let found = trees(&text);
            assert!(
                found.contains("opaque ambiguous-pointer"),
                "{text}\n{found}"
            );
        }
    }
}

#[test]
fn pointers_of_unknown_functions_lead_to_blocks_of_their_own() {
    for call in [
        "double *p = hidden(n);",
        "double *p; p = (double *)hidden(n);",
        "double *p; fill(&p);",
        "double *hidden(int n); double *p = hidden(n);",
    ] {
        let found = trees(&format!(
            "void f(int n, double *a) {{ {call} for (int i = 0; i < n; i++) p[i] = a[i]; }}"
        ));
        assert!(found.contains("array p local"), "{call}\n{found}");
        assert!(!found.contains("ambiguous"), "{call}\n{found}");
    }
}

#[test]
fn a_pointer_that_a_call_may_have_changed_leads_to_another_block() {
    let found = trees(
        "struct s { double *v; int n; }; \
         void f(struct s *x, int n) { x->v = big(n); f(x, n - 1); for (int i = 0; i < n; i++) x->v[i] = 1; }",
    );
    assert!(found.contains("array x->v"), "{found}");
    assert!(!found.contains("ambiguous"), "{found}");
}

#[test]
fn a_block_is_not_null_when_it_is_allocated_again() {
    check(
        "
        void *malloc(unsigned long);
        void fail(void);
        void f(int n, double *x, const int *k)
        {
          for (int i = 0; i < n; i++) {
            char *p;
            if (k[i] > 0) {
              p = malloc(8);
              if (!p) fail();
            } else p = 0;
            if (p) x[i] = 1;
          }
        }
        ",
        "
        function f
          size n
          array x parameter, elements of 8
          array k parameter, elements of 4
          array p local, elements of 1, ends at 8
          loop i = 0; i < n; i += 1
            load k + 4 * i   k[i]
            if data
              store x + 8 * i   x[i]
        ",
    );
}

#[test]
fn a_pointer_that_may_be_null_stays_so_when_its_block_is_allocated_again() {
    check(
        "
        void *malloc(unsigned long);
        void f(int n, double *x, const int *k)
        {
          char *p = 0;
          for (int i = 0; i < n; i++) {
            char *q = p;
            p = 0;
            if (k[i] > 0) p = malloc(8);
            if (!q) x[i] = 1;
          }
        }
        ",
        "
        function f
          size n
          array x parameter, elements of 8
          array k parameter, elements of 4
          array p local, elements of 1, ends at 8
          loop i = 0; i < n; i += 1
            load k + 4 * i   k[i]
            if data
              store x + 8 * i   x[i]
        ",
    );
}

#[test]
fn a_pointer_that_some_call_may_have_changed_leads_to_its_array_or_elsewhere() {
    check(
        "
        void *malloc(unsigned long);
        void allocate(int **p, int n) { *p = malloc(4 * n); }
        void search(int *k) { if (*k) search(k + 1); }
        void f(int n, double *x, int *k)
        {
          int *p;
          allocate(&p, n);
          for (int i = 0; i < n; i++)
            if (k[i]) search(k);
          for (int i = 0; i < n; i++) x[i] = p[i];
        }
        ",
        "
        function f
          size n
          array x parameter, elements of 8
          array k parameter, elements of 4
          array p local, elements of 4, ends at 4 * n
          array p local, elements of 4
          p@ := 0
          loop i = 0; i < n; i += 1
            load k + 4 * i   k[i]
            if data
              load k + 0   *k   in search
              if data
                opaque recursion: `search` calls itself
          loop i'2 = 0; i'2 < n; i'2 += 1
            if data
              load p + p@ + 4 * i'2   p[i]
            else
              if data
                load p + data   p[i]
            store x + 8 * i'2   x[i]
        ",
    );
}

#[test]
fn a_null_pointer_that_some_call_may_have_changed_has_no_offset() {
    let text = trees(
        "
        void *malloc(unsigned long);
        void clear(int **p) { *p = 0; }
        void search(int *k) { if (*k) search(k + 1); }
        void f(int n, double *x, int *k)
        {
          int *p;
          clear(&p);
          for (int i = 0; i < n; i++)
            if (k[i]) search(k);
          if (n > 5) p = malloc(4 * n);
          for (int i = 0; i < n; i++) x[i] = p[i];
        }
        ",
    );
    let [before, after] = ["  p@'2 := p@\n", "load p + p@'2 + 4 * i'2"].map(|x| text.find(x));
    assert!(before.is_some() && before < after, "{text}");
}

#[test]
fn a_block_that_grows_behind_a_pointer_in_a_struct_is_the_one_of_before_or_a_new_one() {
    let tree = trees(
        "#include <stdlib.h>\nstruct list { double *x; int n, room; };\n\
         void add(struct list *l, int n, const double *y) {\n\
           for (int i = 0; i < n; i++) {\n\
             if (l->n == l->room) {\n\
               double *x = malloc(2 * l->room * sizeof *x);\n\
               for (int k = 0; k < l->n; k++) x[k] = l->x[k];\n\
               free(l->x); l->x = x; l->room *= 2;\n\
             }\n\
             l->x[l->n++] = y[i];\n\
           }\n\
         }",
    );
    assert!(!tree.contains("opaque"), "{tree}");
    // The block that was allocated, that of before, or one of its own.
    assert_eq!(tree.matches("data   l->x[l->n++]").count(), 3, "{tree}");
}
