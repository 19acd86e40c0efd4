//! Generic functions: the types that are assumed for them, and functions of other files that take code.

use super::{check, read};
use crate::{Options, read_linked};
use premiss_source::{MemoryFiles, SourceMap};

/// The assumed types of a function.
fn assumed(text: &str, function: &str) -> Vec<String> {
    let unit = read(text, &[]);
    let tree = unit.functions.iter().find(|tree| tree.function == function);
    let assumed = &tree.expect("a tree").assumptions;
    let assumed = assumed.iter().map(|one| one.subject.split(" in ").next());
    assumed
        .map(|kind| kind.expect("a type").to_owned())
        .collect()
}

/// Of methods whose results alone differ, a closure calls the one that its context expects: `collect` into numbers.
#[test]
fn closures_call_the_method_whose_result_is_collected() {
    let text = "trait Dot<A, R> { fn dot(&self, other: &A) -> R; }
                impl Dot<Vec<f64>, f64> for Vec<f64> {
                    fn dot(&self, other: &Vec<f64>) -> f64 { self.iter().zip(other).map(|(x, y)| x * y).sum() }
                }
                impl Dot<Vec<f64>, Vec<f32>> for Vec<f64> {
                    fn dot(&self, other: &Vec<f64>) -> Vec<f32> { other.iter().map(|x| *x as f32).collect() }
                }
                pub fn rows(a: &[Vec<f64>], v: &Vec<f64>) -> Vec<f64> { a.iter().map(|row| row.dot(v)).collect() }";
    let unit = read(text, &[]);
    let tree = unit.functions.iter().find(|tree| tree.function == "rows");
    let tree = tree.expect("a tree").to_string();
    assert!(!tree.contains("dot` is not defined"), "{tree}");
    assert!(!tree.contains("unknown call"), "{tree}");
    assert!(!tree.contains("elements of 4"), "{tree}");
}

const BODY: &str = "for i in 0..a.len() { a[i] = b[i]; }";

#[test]
fn parameters_that_no_call_determines_are_assumed() {
    let of = |head: &str| {
        assumed(
            &format!("pub trait P: Copy {{}} impl P for u8 {{}} {head} {{ {BODY} }}"),
            "f",
        )
    };
    assert_eq!(of("fn f<T: Copy>(a: &mut [T], b: &[T])"), ["T = f64"]);
    assert_eq!(of("fn f<T: PrimInt>(a: &mut [T], b: &[T])"), ["T = i32"]);
    assert_eq!(of("fn f<T: P>(a: &mut [T], b: &[T])"), ["T = u8"]);
    assert_eq!(of("fn f<T>(a: &mut [T], b: &[T]) where T: P"), ["T = u8"]);
    assert_eq!(
        of("fn f<B: AsRef<[f32]>>(a: &mut [f32], b: B)"),
        ["B = &[f32]"]
    );
    assert!(of("fn f<F: Fn(usize)>(a: &mut [f64], b: &[f64], c: F)").is_empty());
    assert!(of("fn f(a: &mut [f64], b: &[f64])").is_empty());
}

/// What a call determines is not assumed, and what an assumed type determines rests on the assumption.
#[test]
fn calls_determine_types() {
    let generic = format!("fn g<T: Copy>(a: &mut [T], b: &[T]) {{ {BODY} }}");
    let concrete = format!("{generic} pub fn f(a: &mut [f32], b: &[f32]) {{ g(a, b); }}");
    assert!(assumed(&concrete, "g").is_empty());
    let open = format!("pub fn f<U: Copy>(a: &mut [U], b: &[U]) {{ g(a, b); }} {generic}");
    assert_eq!(assumed(&open, "g"), ["U = f64"]);
}

/// Of a call that leaves a parameter open, it is assumed as if nothing called the function, and told of both functions.
#[test]
fn parameters_that_a_call_leaves_open_are_assumed() {
    let text = format!(
        "pub trait P: Copy {{}} impl P for u8 {{}}
         fn g<T: P>(a: &mut [T], b: &[T]) {{ {BODY} }}
         pub fn f(n: usize, t: &Duration) {{
             let mut a = vec![t.subsec_nanos(); n];
             let b = vec![t.subsec_nanos(); n];
             for _ in 0..2 {{ g(&mut a, &b); }}
         }}"
    );
    assert_eq!(assumed(&text, "g"), ["T of `g` = u8"]);
    assert_eq!(assumed(&text, "f"), ["T of `g` = u8"]);
    // What a later statement tells is not assumed.
    let told = text.replace("for _", "a[0] = 7u16; for _");
    assert!(assumed(&told, "f").is_empty());
}

/// The trees of functions where the user states types.
fn with_types(text: &str, types: &[(&str, &str)]) -> String {
    let mut sources = SourceMap::new();
    let main = sources
        .add("a.rs", text.to_owned().into())
        .expect("a small file");
    let types = types.iter();
    let options = Options {
        types: types
            .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
            .collect(),
        ..Options::default()
    };
    let folder: MemoryFiles = std::iter::empty::<(&str, Vec<u8>)>().collect();
    let mut trees = String::new();
    read_linked(
        &mut sources,
        &[(main, options)],
        &folder,
        &mut |_, outcome| {
            let unit = outcome.into_read();
            trees.extend(
                unit.iter()
                    .flat_map(|unit| &unit.functions)
                    .map(ToString::to_string),
            );
        },
    );
    trees
}

/// The user states what a parameter is: of all functions, or of one.
#[test]
fn stated_types_go_before_assumed_ones() {
    let text = format!("pub fn f<T: Copy>(a: &mut [T], b: &[T]) {{ {BODY} }}");
    let of = |types: &[(&str, &str)]| with_types(&text, types);
    assert!(of(&[]).contains("array a parameter, elements of 8"));
    assert!(of(&[("T", "f32")]).contains("array a parameter, elements of 4"));
    assert!(of(&[("T", "f32"), ("f::T", "u8")]).contains("array a parameter, elements of 1"));
}

/// A function of another file that takes a closure has the accesses of one in the same file.
#[test]
fn code_is_passed_to_functions_of_other_files() {
    let callee = "pub const N: usize = 9;\n\
                  pub fn each(a: &mut [f64], f: impl Fn(usize) -> f64) { for i in 0..N { a[i] += f(i); } }\n\
                  pub fn middle(a: &[f64]) -> Option<&f64> { a.get(a.len() / 2) }\n";
    let caller = "pub fn f(a: &mut [f64], b: &[f64], k: usize) { each(a, |i| b[i + k]); }\n\
                  pub fn g(a: &mut [f64], b: &[f64; 5]) { for i in 0..9 { a[i] = *middle(b).unwrap(); } }\n";
    let of = |texts: &[&str]| {
        let mut sources = SourceMap::new();
        let files = texts.iter().enumerate().map(|(idx, text)| {
            let file = sources.add(format!("{idx}.rs"), (*text).into());
            (file.expect("a small file"), Options::default())
        });
        let files: Vec<_> = files.collect();
        let mut trees = Vec::new();
        read_linked(
            &mut sources,
            &files,
            &MemoryFiles::default(),
            &mut |_, outcome| {
                let functions = outcome
                    .into_read()
                    .into_iter()
                    .flat_map(|unit| unit.functions);
                let of_caller = functions.filter(|tree| ["f", "g"].contains(&&*tree.function));
                trees.extend(of_caller.map(|tree| tree.to_string()));
            },
        );
        trees
    };
    let (apart, together) = (of(&[caller, callee]), of(&[&format!("{caller}{callee}")]));
    assert_eq!(apart, together);
    assert_eq!(apart.len(), 2);
    assert!(!apart.concat().contains("reject"), "{apart:#?}");
}

#[test]
fn the_storage_of_an_array_of_ndarray_tells_its_elements() {
    check(
        "
        pub fn rows<D: Data<Elem = f32>>(x: &ArrayBase<D, Ix2>, y: &mut [f32], n: usize) {
            for i in 0..n { y[i] = x[[i, 0]]; }
        }
        ",
        "
        function rows
          size n
          size x.ncols()
          array x parameter, elements of 4
          array y parameter, elements of 4
          loop i = 0; i < n; i += 1
            load x + 4 * (i * x.ncols())   x[[i, 0]]
            store y + 4 * i   y[i]
        ",
    );
}

/// Numbers of traits access no array, whatever their type is.
#[test]
fn numbers_of_traits_are_numbers() {
    let tree = read(
        "pub fn f<N: RealField + Copy>(a: &mut [N], b: &[f32]) {
             let mut sum = N::zero();
             for i in 0..a.len() { sum += a[i] * N::pi() * na::convert(0.5); }
             let other: f32 = num_traits::cast(sum).unwrap();
             for i in 0..a.len() { a[i] = na::convert::<f64, N>(2.0) + N::default_epsilon(); }
             for i in 0..a.len() { let x: N = na::one(); a[i] = x; }
         }",
        &[],
    );
    let tree = tree.functions[0].to_string();
    assert!(!tree.contains("opaque"), "{tree}");
}

/// A number whose type only its name tells, and types that the user states for names.
#[test]
fn names_that_nothing_declares_have_stated_types() {
    let text = "pub struct Fluid { volumes: Vec<Real>, density: Real }
                pub fn f(m: &Fluid, y: &mut [Real]) { for i in 0..9 { y[i] = m.volumes[i] * m.density; } }
                pub fn g(a: &[Point<Real>], b: &mut [Point<Real>]) { for i in 0..9 { b[i] = a[i]; } }
                pub fn h(a: &mut [u8]) { for i in 0..9 { a[i] = 0; } }";
    assert_eq!(assumed(text, "f"), ["Real = f64"]);
    assert!(assumed(text, "h").is_empty());
    let unknown = read(text, &[]).functions[1].to_string();
    assert!(unknown.contains("unknown size"), "{unknown}");
    let trees = with_types(text, &[("Point", "[f32; 3]")]);
    assert!(!trees.contains("unknown size"), "{trees}");
    assert!(trees.contains("load a + 12 * i"), "{trees}");
}
