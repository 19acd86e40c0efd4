//! Every loop of a text is counted, or a diagnostic names it.

use super::read;
use premiss_source::Severity;
use proc_macro2::{TokenStream, TokenTree};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The loops of a text: the place of the keyword, and the whole loop.
#[derive(Default)]
struct Loops(Vec<(usize, Range<usize>)>);

impl Loops {
    fn add(&mut self, keyword: proc_macro2::Span, whole: proc_macro2::Span) {
        self.0
            .push((keyword.byte_range().start, whole.byte_range()));
    }

    /// Keywords in the tokens of a macro; `for` is a loop if `in` comes before the next block.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut open = None;
        for token in tokens {
            match &token {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(word) if word == "for" => open = Some(token.span()),
                TokenTree::Ident(word) if word == "in" => {
                    open.take().into_iter().for_each(|at| self.add(at, at));
                }
                TokenTree::Ident(word) if word == "while" => self.add(token.span(), token.span()),
                _ => {}
            }
        }
    }
}

impl<'a> Visit<'a> for Loops {
    fn visit_expr_for_loop(&mut self, one: &'a syn::ExprForLoop) {
        self.add(one.for_token.span, one.span());
        visit::visit_expr_for_loop(self, one);
    }

    fn visit_expr_while(&mut self, one: &'a syn::ExprWhile) {
        self.add(one.while_token.span, one.span());
        visit::visit_expr_while(self, one);
    }

    fn visit_expr_loop(&mut self, one: &'a syn::ExprLoop) {
        self.add(one.loop_token.span, one.span());
        visit::visit_expr_loop(self, one);
    }

    fn visit_macro(&mut self, one: &'a syn::Macro) {
        self.tokens(one.tokens.clone());
    }

    fn visit_item_macro(&mut self, item: &'a syn::ItemMacro) {
        // A definition: its uses count.
        if item.ident.is_none() {
            self.visit_macro(&item.mac);
        }
    }
}

/// The loops that are neither counted nor named. A diagnostic names the loops in its label, and in a loop whose
/// keyword it labels.
fn silent_loops(text: &str) -> Vec<String> {
    let unit = read(text, &[]);
    let Ok(file) = syn::parse_file(text) else {
        let is_named = unit.diagnostics.iter().any(|found| found.code == "syntax");
        return (!is_named)
            .then(|| "syntax".to_owned())
            .into_iter()
            .collect();
    };
    let mut loops = Loops::default();
    loops.visit_file(&file);
    let counted = unit.functions.iter().flat_map(|tree| tree.loops.values());
    let counted: Vec<usize> = counted.map(|one| one.span.start as usize).collect();
    let labels: Vec<Range<usize>> = unit
        .diagnostics
        .iter()
        .flat_map(|found| &found.labels)
        .map(|label| label.span.start as usize..label.span.end as usize)
        .collect();
    let is_labelled = |start: &usize| labels.iter().any(|label| label.contains(start));
    let silent = loops.0.iter().filter(|(start, _)| {
        let mut around = loops.0.iter().filter(|(_, whole)| whole.contains(start));
        !counted.contains(start)
            && !is_labelled(start)
            && !around.any(|(start, _)| is_labelled(start))
    });
    silent
        .map(|(start, _)| text[*start..].chars().take(40).collect())
        .collect()
}

/// Texts in which `WALK` is a column walk of the parameters `ARRAYS`.
const TEXTS: &[&str] = &[
    "pub fn f(ARRAYS) { WALK }",
    "macro_rules! kernel { ($n:ident) => { pub fn $n(ARRAYS) { WALK } } } kernel!(colwalk); kernel!(other);",
    "macro_rules! m { ($($x:expr),*) => { $( for i in 0..8 { $x[i] = 1.0; } )* } } fn f(ARRAYS) { m!(b); }",
    "macro_rules! outer { ($e:expr) => { inner!($e) } } macro_rules! inner { ($e:expr) => { for i in 0..$e {} } } fn f() { outer!(4); }",
    "foo! { pub fn c(ARRAYS) { WALK } }",
    "mod m { foo! { fn c(ARRAYS) { WALK } } }",
    "struct A; impl A { foo! { fn c(ARRAYS) { WALK } } }",
    "fn f(ARRAYS) { foo!(WALK); }",
    "fn f(ARRAYS) { let x = foo!(for i in 0..8 { b[i] = 0.0; }); }",
    "fn f(ARRAYS) { debug!(\"{}\", { WALK 1 }); }",
    "fn f(ARRAYS) { assert!({ WALK true }); println!(\"{}\", { WALK 1 }); }",
    "pub fn c(ARRAYS) { std::thread::scope(|s| { s.spawn(|| { WALK }); }); }",
    "fn f(ARRAYS) { std::thread::spawn(move || { WALK }); }",
    "pub fn c(ARRAYS) { b.par_iter_mut().enumerate().for_each(|(j, x)| { for i in 0..8 { *x += a[i][j]; } }); }",
    "pub fn c(ARRAYS) { (0..8).into_par_iter().map(|j| { WALK }).collect::<Vec<_>>(); }",
    "fn f(ARRAYS) { rayon::join(|| { WALK }, || { WALK }); }",
    "fn f(ARRAYS) { lib(|| { WALK }); }",
    "fn f(ARRAYS) { x.with(|x| { WALK }).unwrap_or(0); }",
    "fn f(ARRAYS) { opt().map(|x| { WALK }); }",
    "fn f(ARRAYS) { b.iter_mut().for_each_x(|x| { WALK }); }",
    "fn f(ARRAYS) { a.cmp(b).then_with(|| { WALK }); }",
    "pub fn outer() -> impl Fn(&[[f64; 8]; 8], &mut [f64; 8]) { |a, b| { WALK } }",
    "pub fn outer() -> Box<dyn Fn(&[[f64; 8]; 8], &mut [f64; 8])> { Box::new(|a, b| { WALK }) }",
    "pub static K: fn(&[[f64; 8]; 8], &mut [f64; 8]) = |a, b| { WALK };",
    "static L: LazyLock<f64> = LazyLock::new(|| { let a = [1.0; 8]; let mut s = 0.0; for i in 0..8 { s += a[i]; } s });",
    "thread_local! { static K: f64 = { let a = [1.0; 8]; let mut s = 0.0; for j in 0..8 { s += a[j]; } s } }",
    "lazy_static! { static ref K: f64 = { let mut s = 0.0; for j in 0..8 { s += 1.0; } s }; }",
    "pub const C: f64 = { let a = [1.0; 8]; let mut s = 0.0; let mut j = 0; while j < 8 { s += a[j]; j += 1; } s };",
    "static C: usize = { let mut j = 0; while j < 8 { j += 1; } j };",
    "trait T { const N: usize = { let mut i = 0; while i < 3 { i += 1; } i }; }",
    "impl Foo { const N: usize = { let mut i = 0; while i < 3 { i += 1; } i }; }",
    "enum E { A = { let mut i = 0; while i < 3 { i += 1; } i } }",
    "fn f() { const T: usize = { let mut i = 0; while i < 4 { i += 1; } i }; static U: usize = { let mut i = 0; loop { i += 1; if i > 3 { break; } } i }; }",
    "fn f() { let x: [f64; { let mut i = 0; while i < 3 { i += 1; } i }] = [0.0; 3]; }",
    "fn f() { let x = const { let mut i = 0; while i < 3 { i += 1; } i }; }",
    "const _: () = { fn inner(ARRAYS) { WALK } };",
    "static S: usize = { fn inner(ARRAYS) { WALK } 1 };",
    "trait T { fn go(&self, ARRAYS) { WALK } }",
    "struct G<T>(T); impl<T> G<T> { fn go(&self, ARRAYS) { WALK } }",
    "impl<T: Foo> Bar for T { fn go(ARRAYS) { WALK } }",
    "impl<const N: usize> Bar<N> { fn go(ARRAYS) { for i in 0..N { b[i] = 0.0; } } }",
    "fn f() { fn g(ARRAYS) { WALK } struct S; impl S { fn h(ARRAYS) { WALK } } }",
    "fn f(ARRAYS) { let g = || { fn h(ARRAYS) { WALK } }; }",
    "struct R<F> { f: F } fn f(ARRAYS) { let r = R { f: || { WALK } }; }",
    "struct R { f: Box<dyn Fn()> } impl R { fn go(&self) { (self.f)(); } } fn f(ARRAYS) { R { f: Box::new(|| { WALK }) }.go(); }",
    "async fn f(ARRAYS) { WALK } fn g(ARRAYS) { f(a, b); }",
    "fn f(ARRAYS) { let x = async { WALK }; let y = async move |z| { WALK }; }",
    "unsafe fn f(ARRAYS) { unsafe { WALK } }",
    "const fn f(n: usize) -> usize { let mut s = 0; let mut i = 0; while i < n { s += i; i += 1; } s }",
    "extern \"C\" fn f(ARRAYS) { WALK }",
    "fn f(ARRAYS) { return; WALK }",
    "fn f(ARRAYS) { loop { } WALK }",
    "fn f(ARRAYS) { panic!(); WALK }",
    "fn f(ARRAYS) { 'o: { WALK break 'o; WALK } }",
    "fn f(ARRAYS) { for i in 0..8 { continue; WALK } }",
    "fn f(ARRAYS) { match 1 { x => { WALK } y => { WALK } } }",
    "fn f(ARRAYS) { let x = [{ WALK 0.0 }; 4]; let y = vec![{ WALK 0.0 }; 4]; let z = vec![{ WALK vec![0.0; 2] }; 4]; }",
    "fn f(ARRAYS) { if let Some(x) = lib() { WALK } else { WALK } }",
    "fn f(ARRAYS) { match lib() { Foo::A => { WALK } Foo::B(x) => { WALK } _ => {} } }",
    "fn f(ARRAYS) { let Some(x) = lib() else { WALK return; }; }",
    "fn f(ARRAYS) { let g = || { WALK }; }",
    "fn f(ARRAYS) { let g = |x: usize| { for i in 0..8 { b[i] += a[x][i]; } }; g(1); g(2); }",
    "fn f(ARRAYS) { let t = (|| { WALK }, 1); (t.0)(); }",
    "fn f(ARRAYS) { let v = [|| { WALK }, || { WALK }]; v[0](); }",
    "fn f(ARRAYS) { let g = if lib() { || { WALK } } else { || { WALK } }; g(); }",
    "fn f(ARRAYS) { let x = S { v: { WALK 1 }, w: |y| { WALK } }; }",
    "fn f(ARRAYS) { unknown({ WALK 1 }); a.unknown({ WALK 1 }); }",
    "fn f(ARRAYS) { let x = b[{ WALK 0 }]; b[{ WALK 0 }] = 1.0; }",
    "fn f(ARRAYS) { while { WALK false } {} for i in { WALK 0..3 } {} }",
    "fn f(ARRAYS) { let x = true && { WALK true }; let y = false || { WALK true }; let r = 0..{ WALK 3 }; }",
    "fn f(mut it: impl Iterator<Item = f64>) { while let Some(x) = it.next() { } for y in it { } }",
    "fn f(ARRAYS) { try { WALK } }",
    "gen fn f(ARRAYS) { WALK }",
    "fn f(ARRAYS) { vec![1, 2].iter().map(|x| { WALK 1 }); }",
    "fn each(n: usize, mut f: impl FnMut(usize)) { for i in 0..n { f(i); } } fn g(ARRAYS) { each(8, |i| { WALK }); }",
    "fn each(n: usize, mut f: impl FnMut(usize)) { for i in 0..n { f(i); } }",
    "fn each<T: Copy>(a: &mut [T], x: T) { for i in 0..a.len() { a[i] = x; } }",
    "fn f(ARRAYS) { #[allow(unused)] { WALK } #[cfg(feature = \"x\")] for i in 0..3 { b[i] = 0.0; } }",
    "#[cfg(feature = \"x\")] fn f(ARRAYS) { WALK } #[cfg(not(feature = \"x\"))] fn f(ARRAYS) { WALK }",
    "impl Drop for A { fn drop(&mut self) { let mut a = [0.0; 8]; for i in 0..8 { a[i] = 1.0; } } }",
    "fn f(ARRAYS) { let h: fn() = || { for i in 0..4 {} }; let o = Some(|| { WALK }); if let Some(g) = o { g(); } }",
];

#[test]
fn no_loop_is_passed_over_in_silence() {
    for text in TEXTS {
        let text = text.replace("ARRAYS", "a: &[[f64; 8]; 8], b: &mut [f64; 8]");
        let text = text.replace(
            "WALK",
            "for j in 0..8 { for i in 0..8 { b[j] += a[i][j]; } }",
        );
        assert_eq!(silent_loops(&text), Vec::<String>::new(), "{text}");
    }
}

/// The codes of the diagnostics about a text.
fn codes(text: &str) -> Vec<&'static str> {
    let unit = read(text, &[]);
    unit.diagnostics.iter().map(|found| found.code).collect()
}

#[test]
fn text_that_is_not_read_is_named() {
    assert_eq!(codes("include!(\"inc.rs\");"), ["not-read"]);
    assert_eq!(codes("kernel!(colwalk);"), ["not-read"]);
    assert_eq!(codes("mod other;"), ["not-read"]);
    assert_eq!(codes("#[path = \"/dev/zero\"] mod zero;"), ["not-read"]);
    assert_eq!(
        codes("macro_rules! m { () => { for i in 0..8 {} } }"),
        ["not-read"]
    );
    assert_eq!(
        codes("const C: usize = { let mut i = 0; while i < 9 { i += 1; } i };"),
        ["not-run"]
    );
    assert_eq!(codes("fn f() { return; for i in 0..9 {} }"), ["not-run"]);
    assert_eq!(
        codes("#[cfg(test)] mod tests; #[test] fn f() { for i in 0..9 { g!(); } }"),
        Vec::<&str>::new()
    );
}

#[test]
fn a_module_without_a_file_is_missing_text() {
    let severities = |text| {
        let unit = read(text, &[]);
        let found = unit.diagnostics.iter();
        found.map(|found| found.severity).collect::<Vec<_>>()
    };
    assert_eq!(severities("mod there;"), [Severity::Note]);
    assert_eq!(
        severities("#[path = \"there.rs\"] mod a;"),
        [Severity::Note]
    );
    assert_eq!(severities("mod elsewhere;"), [Severity::Warning]);
    assert_eq!(severities("mod a { mod there; }"), [Severity::Warning]);
    assert_eq!(
        severities("#[path = \"/dev/zero\"] mod zero;"),
        [Severity::Warning]
    );
}

#[test]
fn a_nest_that_is_not_followed_is_an_unknown_nest() {
    let unit = read(
        "fn f(a: &mut [f64]) { lib(|| { for x in a { *x = 0.0; } }); }",
        &[],
    );
    let found: String = unit.functions.iter().map(ToString::to_string).collect();
    assert!(found.contains("loop unknown@"), "{found}");
    assert!(found.contains("opaque unknown-call: `lib`"), "{found}");
}

#[test]
fn functions_after_many_instances_are_counted() {
    let mut text = "fn g<A, B>(a: A, b: B) { g((a, &b), b); g(b, [a; 3]); }\n".to_owned();
    text += "fn k() { g(1, 2.0); }\n";
    text += "fn last(a: &mut [f64]) { for i in 0..9 { a[i] = 0.0; } }\n";
    assert_eq!(silent_loops(&text), Vec::<String>::new());
}
