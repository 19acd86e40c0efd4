use super::sizes::set;
use super::*;
use premiss_analyze::{ReadOptions, read};
use premiss_source::{MemoryFiles, SourceMap};
use premiss_tree::NestTree;

pub(crate) fn trees(source: &str) -> Vec<NestTree> {
    with_sources(source).1
}

fn with_sources(source: &str) -> (SourceMap, Vec<NestTree>) {
    let mut sources = SourceMap::new();
    let file = sources.add("a.c", source.into()).expect("it is short");
    let program = read(
        &mut sources,
        file,
        &ReadOptions::default(),
        &MemoryFiles::new(),
    );
    (sources, program.functions)
}

pub(crate) fn tree(source: &str) -> NestTree {
    trees(source).remove(0)
}

fn of(file: &str, source: &str) -> Vec<Kernel> {
    let (sources, trees) = with_sources(source);
    kernels(trees.iter(), &sources, |_| file.to_owned())
}

/// `f0 → g1` for each pair.
fn check(base: &[Kernel], head: &[Kernel], expected: &[&str]) {
    let name = |side: &[Kernel], all: &[usize]| {
        let names = all
            .iter()
            .map(|x| format!("{}{}", side[*x].name, side[*x].position));
        names.collect::<Vec<_>>().join("+")
    };
    let shown = matching(base, head).into_iter().map(|pair| {
        let arrow = if pair.same_shape() { "=" } else { "→" };
        let (base, head) = (name(base, &pair.base), name(head, &pair.head));
        format!("{base} {arrow} {head}")
    });
    assert_eq!(shown.collect::<Vec<_>>(), expected);
}

const UP: &str = "for (int i = 0; i < n; i++) a[i] = 0;";
const DOWN: &str = "for (int i = n; i > 0; i--) a[i] = 0;";
const ODD: &str = "for (int i = 1; i < n; i += 2) a[i] = 0;";

fn function(name: &str, body: &[&str]) -> String {
    format!("void {name}(int n, double *a) {{ {} }}\n", body.join("\n"))
}

#[test]
fn what_moves_is_found() {
    let base = of(
        "a.c",
        &(function("f", &[UP, DOWN]) + &function("g", &[ODD])),
    );
    let head = of(
        "b.c",
        &(function("h", &[ODD]) + &function("f", &[DOWN, UP])),
    );
    check(&base, &head, &["g0 = h0", "f1 = f0", "f0 = f1"]);
}

#[test]
fn what_changes_is_compared_with_what_it_was() {
    let base = of("a.c", &function("f", &[UP, DOWN]));
    check(
        &base,
        &of("a.c", &function("f", &[UP, ODD])),
        &["f0 = f0", "f1 → f1"],
    );
    check(&base, &of("b.c", &function("f", &[ODD])), &["f0+f1 → f0"]);
    check(
        &base,
        &of("a.c", &function("f", &[UP, DOWN, ODD])),
        &["f0+f1 → f0+f1+f2"],
    );
    check(
        &base,
        &of("a.c", &function("f", &[UP])),
        &["f0 = f0", "f1 → "],
    );
    let other = "void f(int n, double *a, double *b) {";
    check(
        &of("a.c", &format!("{other} {UP} }}")),
        &of(
            "a.c",
            &format!("{other} {UP} for (int i = 0; i < n; i++) b[i] = 1; }}"),
        ),
        &["f0 = f0", " → f1"],
    );
}

#[test]
fn what_was_renamed_and_changed_at_once_is_compared() {
    let base = of("a.c", &function("f", &[UP, DOWN]));
    check(&base, &of("b.c", &function("g", &[ODD])), &["f0+f1 → g0"]);
    check(
        &base,
        &of("b.c", &function("g", &[UP, ODD])),
        &["f0 = g0", "f1 → g1"],
    );
    // Nothing in common: one is gone, the other is new.
    let other =
        "void g(int m, float *q, float *r) { for (int k = 0; k < m; k++) q[k] = r[k] + r[k + 1]; }";
    check(&base, &of("a.c", other), &[" → g0", "f0 → ", "f1 → "]);
    // What was there went to another function, and what is in its place is worse.
    let copied = function("f", &[ODD]) + &function("old", &[UP]);
    check(
        &of("a.c", &function("f", &[UP])),
        &of("a.c", &copied),
        &["f0 → f0", "f0 = old0"],
    );
}

#[test]
fn renamed_sizes_keep_their_values() {
    let (mut old, mut new) = (
        trees(&function("f", &[UP])),
        trees("void f(int m, double *a) { for (int i = 0; i < m; i++) a[i] = 0; }"),
    );
    let (base, head) = (
        kernels(old.iter(), &SourceMap::new(), |_| String::new()),
        kernels(new.iter(), &SourceMap::new(), |_| String::new()),
    );
    set(&mut old[0], "n", 1000);
    share_sizes(
        &matching(&base, &head),
        (&base, &mut old),
        (&head, &mut new),
    );
    let id = head[0].nest.sizes[0];
    assert_eq!(new[0].parameters[id].value, Some(1000));
}

/// A nest around a call of a function that nothing defines, which gets this argument.
fn calling(argument: &str, more: &str) -> Vec<Kernel> {
    let source = format!(
        "double get(const double *p);\n{more}\
         double f(const double *x, int n) {{ double s = 0; for (int i = 0; i < n; i++) \
         s += get({argument}); return s; }}\n"
    );
    of("a.c", &source)
}

#[test]
fn a_nest_that_is_not_understood_is_the_same_if_its_text_is() {
    let base = calling("x + i", "");
    check(&base, &calling("x + /* all */ i", ""), &["f0 = f0"]);
    check(&base, &calling("x + n - i", ""), &["f0 → f0"]);
    check(&base, &calling("x + i", "int other;\n"), &["f0 = f0"]);
    let with_macro = |at: &str| calling("AT(i)", &format!("#define AT(i) {at}\n"));
    check(
        &with_macro("x + (i)"),
        &with_macro("x + (i) * 2"),
        &["f0 → f0"],
    );
    check(&with_macro("x + (i)"), &with_macro("x + (i)"), &["f0 = f0"]);
}
