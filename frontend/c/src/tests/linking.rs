//! Several files as one program.

use crate::{Options, TranslationUnit, read_linked};
use premiss_source::{MemoryFiles, SourceMap};
use premiss_tree::RejectReason;

/// Reads texts as files `0.c`, `1.c`, and so on.
fn linked(texts: &[&str]) -> Vec<TranslationUnit> {
    let mut sources = SourceMap::new();
    let add = |(idx, text): (usize, &&str)| {
        let file = sources.add(format!("{idx}.c"), text.as_bytes().to_vec());
        (file.expect("a small file"), Options::default())
    };
    let files: Vec<_> = texts.iter().enumerate().map(add).collect();
    let mut units = Vec::new();
    let none = MemoryFiles::new();
    read_linked(&mut sources, &files, None, &none, &mut |_, outcome| {
        units.extend(outcome.into_read());
    });
    units
}

fn trees(unit: &TranslationUnit) -> String {
    unit.functions.iter().map(ToString::to_string).collect()
}

/// The trees of the first of two files are those of one file with both texts.
#[track_caller]
fn same_as_one_file(first: &str, second: &str) {
    let two = linked(&[first, second]);
    let one = linked(&[&format!("{first}\n{second}")]);
    let n_first = two[0].functions.len();
    let of_one: String = one[0].functions[..n_first]
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(trees(&two[0]), of_one);
    assert!(
        two[0]
            .functions
            .iter()
            .all(|tree| tree.rejections.is_empty())
    );
}

#[test]
fn calls_lead_into_other_files() {
    same_as_one_file(
        "void row(int n, double *x, double a);
         void all(int n, double A[n][n]) { for (int i = 0; i < n; i++) row(n, A[i], 2.0); }",
        "static double scale(double a) { return a * 2; }
         void row(int n, double *x, double a) { for (int j = 0; j < n; j++) x[j] *= scale(a); }",
    );
}

#[test]
fn extern_arrays_are_those_of_the_file_that_defines_them() {
    same_as_one_file(
        "extern double A[][2]; extern int n;
         void clear(void);
         void f(void) { for (int i = 0; i < n; i++) A[i][0] += 1; clear(); }",
        "enum { SIZE = 100 };
         int n = SIZE; double A[SIZE][2];
         void clear(void) { for (int i = 0; i < SIZE; i++) A[i][1] = 0; }",
    );
}

#[test]
fn what_is_static_belongs_to_its_file() {
    let units = linked(&[
        "static int width(void) { return 3; }
         static double t[10];
         void g(double *x);
         void f(double *x) { for (int i = 0; i < width(); i++) { t[i] = x[i]; } g(x); }",
        "static int width(void) { return 5; }
         static double t[20];
         void g(double *x) { for (int i = 0; i < width(); i++) { t[i] = x[i]; } }",
    ]);
    let tree = &units[0].functions[0];
    assert!(tree.rejections.is_empty());
    assert_eq!(tree.loops.len(), 2);
    let text = tree.to_string();
    assert!(text.contains("i < 3") && text.contains("'2 < 5"), "{text}");
    let statics = tree.arrays.values().filter(|array| array.name == "t");
    assert_eq!(statics.count(), 2, "{text}");
}

#[test]
fn files_of_several_programs_do_not_disturb_each_other() {
    let program = "double A[8]; int n = 4;
         void step(void) { for (int i = 0; i < n; i++) A[i] = 0; }
         int main(void) { for (int t = 0; t < 3; t++) step(); }";
    let alone = linked(&[program]);
    let other = "double A[9]; int n; void step(void) { n = 7; } int main(void) { step(); }";
    let both = linked(&[program, other]);
    assert_eq!(trees(&alone[0]), trees(&both[0]));
}

#[test]
fn a_function_that_several_files_define_is_unknown_to_the_others() {
    let units = linked(&[
        "void step(double *x);
         void f(double *x) { for (int i = 0; i < 3; i++) { x[i] = 0; step(x); } }",
        "void step(double *x) { x[0] = 1; }",
        "void step(double *x) { x[1] = 1; }",
    ]);
    let reasons = units[0].functions[0].rejections.values();
    let reasons: Vec<&RejectReason> = reasons.map(|rejection| &rejection.reason).collect();
    assert!(
        matches!(reasons[..], [RejectReason::Unsupported { construct }] if construct.contains("several files")),
        "{reasons:?}"
    );
}

#[test]
fn sizes_are_those_that_all_files_agree_on() {
    let kernel = "void kernel(int n, double *x) { for (int i = 0; i < n; i++) x[i] = 0; }";
    let caller = |n: u32| {
        format!(
            "void kernel(int n, double *x); double b[99]; void call{n}(void) {{ kernel({n}, b); }}"
        )
    };
    let value = |units: &[TranslationUnit]| {
        let sizes = &units[0].functions[0].parameters;
        sizes.values().next().and_then(|size| size.value)
    };
    assert_eq!(value(&linked(&[kernel, &caller(7)])), Some(7));
    assert_eq!(value(&linked(&[kernel, &caller(7), &caller(8)])), None);
}

#[test]
fn a_variable_that_another_file_changes_is_a_size() {
    let user = "extern int n; double x[9]; void f(void) { for (int i = 0; i < n; i++) x[i] = 0; }";
    let owner = "int n = 5;";
    let setter = "extern int n; void set(int m) { n = m; }";
    let value = |units: &[TranslationUnit]| {
        let sizes = &units[0].functions[0].parameters;
        sizes.values().next().and_then(|size| size.value)
    };
    assert_eq!(value(&linked(&[user, owner])), Some(5));
    assert_eq!(value(&linked(&[user, owner, setter])), None);
}

#[test]
fn the_last_loop_of_a_function_may_call_other_files_as_the_first() {
    let long: String = (0..300).map(|idx| format!("a[{idx}] = x; ")).collect();
    let other = format!(
        "void fill(double *a, double x) {{ {long} }}
         double twice(double x) {{ return x > 0 ? 2 * x : 0; }}
         int other(int n, double *a) {{ int i; for (i = 0; i < n; i++) a[i] = 0; return i; }}"
    );
    let part = "fill(a, 1.0); for (int i = 0; i < 2; i++) b[i] = twice(b[i]);";
    let first = format!(
        "void fill(double *a, double x); double twice(double x);
         void f(double a[restrict 300], double b[restrict 2]) {{ {} }}",
        part.repeat(400)
    );
    let units = linked(&[&first, &other]);
    let tree = &units[0].functions[0];
    let of_calls = tree.rejections.iter().filter(|(_, rejection)| {
        let text = format!("{:?}", rejection.reason);
        text.contains("other files")
    });
    assert!(0 < of_calls.count(), "some calls of `fill` are too long");
    let text = tree.to_string();
    assert_eq!(text.matches("store b + 8 * i").count(), 400, "{text}");
}
