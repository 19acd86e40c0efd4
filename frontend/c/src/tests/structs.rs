//! Structs: where members lie, and what copies and bit-fields access.

use super::{check, trees};

#[test]
fn arrays_in_structs_in_arrays_have_true_offsets() {
    check(
        "
        struct point { char tag; double at[3]; };
        struct cell { int n; struct point corner[2]; };
        void f(int n, struct cell c[n])
        {
          for (int i = 0; i < n; i++)
            c[i].corner[1].at[2] = c[i].corner[0].tag;
        }
        ",
        "
        function f
          size n
          array c parameter, elements of 72, ends at 72 * n
          loop i = 0; i < n; i += 1
            load c + 72 * i + 8 (1 bytes)   c[i].corner[0].tag
            store c + 72 * i + 64 (8 bytes)   c[i].corner[1].at[2]
        ",
    );
}

#[test]
fn a_copy_accesses_each_scalar_field_and_of_a_union_the_largest() {
    check(
        "
        struct item { char kind; union { int i[2]; double d; } value; };
        void f(int n, struct item a[n], struct item b[n])
        {
          for (int i = 0; i < n; i++)
            a[i] = b[i];
        }
        ",
        "
        function f
          size n
          array a parameter, elements of 16, ends at 16 * n
          array b parameter, elements of 16, ends at 16 * n
          loop i = 0; i < n; i += 1
            load b + 16 * i (1 bytes)   b[i]
            load b + 16 * i + 8 (4 bytes)   b[i]
            load b + 16 * i + 12 (4 bytes)   b[i]
            store a + 16 * i (1 bytes)   a[i]
            store a + 16 * i + 8 (4 bytes)   a[i]
            store a + 16 * i + 12 (4 bytes)   a[i]
        ",
    );
}

#[test]
fn storing_a_bit_field_may_load_what_is_beside_it() {
    check(
        "
        struct flags { unsigned a : 3, b : 8, : 0, c : 16; };
        void f(int n, struct flags *s)
        {
          for (int i = 0; i < n; i++) {
            s[i].b = s[i].a;
            s[i].c = 1;
          }
        }
        ",
        "
        function f
          size n
          array s parameter, elements of 8
          loop i = 0; i < n; i += 1
            load s + 8 * i (1 bytes)   s[i].a
            if data
              load s + 8 * i (2 bytes)   s[i].b
            store s + 8 * i (2 bytes)   s[i].b
            store s + 8 * i + 4 (2 bytes)   s[i].c
        ",
    );
}

#[test]
fn declarations_that_no_compiler_takes_end() {
    for declaration in [
        "int a : -1;",
        "int a : 99;",
        "int a : 9223372036854775807;",
        "int a : n;",
        "double a : 3;",
        "int a[-5]; char b;",
        "int a[4611686018427387904]; char b;",
        "int a __attribute__((aligned(3)));",
        "int a __attribute__((aligned(1L << 40)));",
        "int a __attribute__((aligned(-8)));",
        "int a __attribute__((aligned(int)));",
        "int a __attribute__((aligned(sizeof(struct s))));",
        "int a __attribute__((vector_size(0)));",
        "int a __attribute__((vector_size(-16)));",
        "int a __attribute__((vector_size(24)));",
        "int a __attribute__((mode(XX)));",
        "int a __attribute__((aligned));",
        "int a __attribute__((;",
        "struct s a; int b;",
        "struct s *a[2]; int b;",
        "enum { X = sizeof(struct s) } a;",
        "int a[];",
        "_Alignas(0) int a; _Alignas(double) char b;",
    ] {
        let text = format!(
            "#pragma pack(push\n#pragma pack(7)\n#pragma pack()\nstruct s {{ {declaration} }};
             void f(int n, struct s *p, char *q) {{
               for (int i = 0; i < n; i++) {{ p[i] = p[i + 1]; p[i].b = q[sizeof(struct s)]; p[i].a = 0; }}
             }}"
        );
        trees(&text);
    }
}

#[test]
fn members_of_types_that_nothing_declares_have_eight_bytes() {
    let found = trees(
        "struct s { MPI_Comm comm; int n; Handle h[2]; double *v; }; \
         void f(struct s *x) { for (int i = 0; i < x->n; i++) x->v[i] = 1; }",
    );
    for part in [
        "size x->n",
        "elements of 40",
        "load x + 32 (8 bytes)   x->v",
    ] {
        assert!(found.contains(part), "{part}\n{found}");
    }
}
