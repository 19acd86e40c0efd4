//! Kernels in three languages against what they do when they are compiled.
//!
//! Of each kernel the compiled programs are compared with one another, element by element: that needs
//! nothing of premiss. Then what premiss derives from each text is compared with its program, address
//! by address. Without valgrind or a compiler a language is left out, which is said.

use premiss_testdata::language::Language;
use premiss_testdata::native::{self, Native, Program};
use premiss_tree::AccessKind;
use std::collections::BTreeMap;
use std::path::Path;

/// Bytes of an element: all of these kernels are in double precision.
const ELEMENT: u64 = 8;

/// An array: its name in C, its extents by the names of sizes or as numbers, and the name of what the
/// first of them is in Fortran, where that has a leading dimension.
type Array = (&'static str, &'static [&'static str], &'static str);

/// A kernel, and how it is called in C, Fortran and Rust.
struct Kernel {
    name: &'static str,
    sizes: &'static [(&'static str, i64)],
    arrays: &'static [Array],
    calls: [&'static str; 3],
}

/// Tests of each kernel: sizes, arrays, and the three calls.
macro_rules! kernels {
    ($($test:ident $name:literal [$($size:ident = $value:literal)*]
        [$($array:ident $([$extent:ident])* $(leading $leading:ident)?,)*]
        $c:literal $fortran:literal $rust:literal;)*) => {
        $(#[expect(non_upper_case_globals, reason = "tests have the same name")]
        const $test: Kernel = Kernel {
            name: $name,
            sizes: &[$((stringify!($size), $value)),*],
            arrays: &[$((
                stringify!($array),
                &[$(stringify!($extent)),*],
                concat!($(stringify!($leading))?),
            )),*],
            calls: [$c, $fortran, $rust],
        };)*
        mod machine {
            $(#[test]
            fn $test() {
                super::check_each_other(&super::$test);
            })*
        }
        mod fortran {
            $(#[test]
            fn $test() {
                super::check(&super::$test, super::Language::Fortran);
            })*
        }
        mod rust {
            $(#[test]
            fn $test() {
                super::check(&super::$test, super::Language::Rust);
            })*
        }
        const KERNELS: &[&str] = &[$($name),*];
    };
}

kernels! {
    gemm "gemm" [NI=7 NJ=9 NK=10] [C[NI][NJ], A[NI][NK], B[NK][NJ],]
        "kernel_gemm(1.5, 1.2, C, A, B)"
        "kernel_gemm_(&ni, &nj, &nk, &alpha, &beta, c, a, b)"
        "kernel_gemm::<NI, NJ, NK>(1.5, 1.2, c.array(), a.array(), b.array())";
    two_mm "2mm" [NI=5 NJ=6 NK=7 NL=9]
        [tmp[NI][NJ], A[NI][NK], B[NK][NJ], C[NJ][NL], D[NI][NL],]
        "kernel_2mm(1.5, 1.2, tmp, A, B, C, D)"
        "kernel_2mm_(&ni, &nj, &nk, &nl, &alpha, &beta, tmp, a, b, c, d)"
        "kernel_2mm::<NI, NJ, NK, NL>(1.5, 1.2, tmp.array(), a.array(), b.array(), c.array(), d.array())";
    three_mm "3mm" [NI=4 NJ=5 NK=6 NL=7 NM=9]
        [E[NI][NJ], A[NI][NK], B[NK][NJ], F[NJ][NL], C[NJ][NM], D[NM][NL], G[NI][NL],]
        "kernel_3mm(E, A, B, F, C, D, G)"
        "kernel_3mm_(&ni, &nj, &nk, &nl, &nm, e, a, b, f, c, d, g)"
        "kernel_3mm(NI, NJ, NK, NL, NM, e.slice(), a.slice(), b.slice(), f.slice(), c.slice(), d.slice(), g.slice())";
    atax "atax" [M=9 N=11] [A[M][N], x[N], y[N], tmp[M],]
        "kernel_atax(A, x, y, tmp)"
        "kernel_atax_(&m, &n, a, x, y, tmp)"
        "kernel_atax::<M, N>(a.array(), x.array(), y.array(), tmp.array())";
    bicg "bicg" [M=9 N=11] [A[N][M], s[M], q[N], p[M], r[N],]
        "kernel_bicg(A, s, q, p, r)"
        "kernel_bicg_(&m, &n, a, s, q, p, r)"
        "kernel_bicg::<N, M>(a.array(), s.array(), q.array(), p.array(), r.array())";
    gesummv "gesummv" [N=11] [A[N][N], B[N][N], tmp[N], x[N], y[N],]
        "kernel_gesummv(1.5, 1.2, A, B, tmp, x, y)"
        "kernel_gesummv_(&n, &alpha, &beta, a, b, tmp, x, y)"
        "kernel_gesummv(N, 1.5, 1.2, a.slice(), b.slice(), tmp.slice(), x.slice(), y.slice())";
    doitgen "doitgen" [NR=3 NQ=4 NP=9] [A[NR][NQ][NP], C4[NP][NP], sum[NP],]
        "kernel_doitgen(A, C4, sum)"
        "__tensor_MOD_kernel_doitgen(&nr, &nq, &np, a, c4, sum)"
        "kernel_doitgen::<NR, NQ, NP>(a.array(), c4.array(), sum.array())";
    covariance "covariance" [M=7 N=9] [data[N][M], cov[M][M], mean[M],]
        "kernel_covariance(3.0, data, cov, mean)"
        "kernel_covariance_(&m, &n, &float_n, data, cov, mean)"
        "kernel_covariance(M, N, 3.0, data.slice(), cov.slice(), mean.slice())";
    mvt "mvt" [N=11] [x1[N], x2[N], y_1[N], y_2[N], A[N][N],]
        "kernel_mvt(x1, x2, y_1, y_2, A)"
        "kernel_mvt_(&n, x1, x2, y_1, y_2, a)"
        "kernel_mvt(N, x1.slice(), x2.slice(), y_1.slice(), y_2.slice(), a.slice())";
    gemver "gemver" [N=9]
        [A[N][N], u1[N], v1[N], u2[N], v2[N], w[N], x[N], y[N], z[N],]
        "kernel_gemver(1.5, 1.2, A, u1, v1, u2, v2, w, x, y, z)"
        "kernel_gemver_(&n, &alpha, &beta, a, u1, v1, u2, v2, w, x, y, z)"
        "kernel_gemver::<N>(1.5, 1.2, a.array(), u1.array(), v1.array(), u2.array(), v2.array(), w.array(), x.array(), y.array(), z.array())";
    lu "lu" [N=11 LDA=14] [A[N][N] leading LDA,]
        "kernel_lu(A)"
        "kernel_lu_(&n, a, &lda)"
        "kernel_lu(N, a.slice())";
    cholesky "cholesky" [N=11] [A[N][N],]
        "kernel_cholesky(A)"
        "kernel_cholesky_(&n, a)"
        "kernel_cholesky::<N>(a.array())";
    trmm "trmm" [M=7 N=9] [A[M][M], B[M][N],]
        "kernel_trmm(1.5, A, B)"
        "kernel_trmm_(&m, &n, &alpha, a, b)"
        "kernel_trmm(M, N, 1.5, a.slice(), b.slice())";
    trisolv "trisolv" [N=11 LDA=14] [L[N][N] leading LDA, x[N], b[N],]
        "kernel_trisolv(L, x, b)"
        "kernel_trisolv_(&n, l, &lda, x, b)"
        "kernel_trisolv(N, l.slice(), x.slice(), b.slice())";
    symm "symm" [M=7 N=9 LDA=10] [C[M][N], A[M][M] leading LDA, B[M][N],]
        "kernel_symm(1.5, 1.2, C, A, B)"
        "kernel_symm_(&m, &n, &alpha, &beta, c, a, &lda, b)"
        "kernel_symm::<M, N>(1.5, 1.2, c.array(), a.array(), b.array())";
    syrk "syrk" [M=7 N=9] [C[N][N], A[N][M],]
        "kernel_syrk(1.5, 1.2, C, A)"
        "kernel_syrk_(&m, &n, &alpha, &beta, c, a)"
        "kernel_syrk(M, N, 1.5, 1.2, c.slice(), a.slice())";
    jacobi_1d "jacobi-1d" [TSTEPS=3 N=21] [A[N], B[N],]
        "kernel_jacobi_1d(A, B)"
        "kernel_jacobi_1d_(&tsteps, &n, a, b)"
        "kernel_jacobi_1d(TSTEPS, N, a.slice(), b.slice())";
    jacobi_2d "jacobi-2d" [TSTEPS=3 N=9] [A[N][N], B[N][N],]
        "kernel_jacobi_2d(A, B)"
        "__stencils_MOD_kernel_jacobi_2d(&tsteps, &n, a, b)"
        "kernel_jacobi_2d::<TSTEPS, N>(a.array(), b.array())";
    seidel_2d "seidel-2d" [TSTEPS=3 N=12] [A[N][N],]
        "kernel_seidel_2d(A)"
        "kernel_seidel_2d_(&tsteps, &n, a)"
        "kernel_seidel_2d(a.array())";
    heat_3d "heat-3d" [TSTEPS=2 N=6] [A[N][N][N], B[N][N][N],]
        "kernel_heat_3d(A, B)"
        "kernel_heat_3d_(&tsteps, &n, a, b)"
        "kernel_heat_3d::<TSTEPS, N>(a.array(), b.array())";
    fdtd_2d "fdtd-2d" [TMAX=3 NX=9 NY=11] [ex[NX][NY], ey[NX][NY], hz[NX][NY], fict[TMAX],]
        "kernel_fdtd_2d(ex, ey, hz, fict)"
        "kernel_fdtd_2d_()"
        "kernel_fdtd_2d(TMAX, NX, NY, ex.slice(), ey.slice(), hz.slice(), fict.slice())";
    red_black "shapes/red_black" [N=15] [u[N], f[N],]
        "red_black(N, u, f)"
        "red_black_(&n, u, f)"
        "red_black(N, u.slice(), f.slice())";
    transpose "micro/transpose" [N=11] [a[N][N], b[N][N],]
        "transpose(N, a, b)"
        "transpose_(&n, a, b)"
        "transpose(N, a.slice(), b.slice())";
    triad "micro/triad" [N=21] [a[N], b[N], c[N],]
        "triad(N, a, b, c)"
        "triad_(&n, a, b, c)"
        "triad::<N>(a.array(), b.array(), c.array())";
}

/// Kernels that read or write COMMON blocks: the block, and what lies where in it.
const COMMON: [(&str, &str, &str); 1] = [(
    "fdtd-2d",
    "fields",
    "extern char fields_[];\n\
     #define memory_fields fields_[0]\n\
     #define memory_ex fields_[0]\n\
     #define memory_ey fields_[8 * 9 * 11]\n\
     #define memory_hz fields_[8 * 2 * 9 * 11]\n\
     #define memory_fict fields_[8 * 3 * 9 * 11]\n",
)];

#[test]
fn every_kernel_in_three_languages_has_a_test() {
    let [c, fortran, rust] = Language::ALL.map(Language::kernels);
    let names = c
        .keys()
        .filter(|name| fortran.contains_key(*name) && rust.contains_key(*name));
    for name in names {
        assert!(KERNELS.contains(&name.as_str()), "{name} has no test");
    }
}

impl Kernel {
    fn size(&self, name: &str) -> u64 {
        let size = self.sizes.iter().find(|(size, _)| *size == name);
        let (_, value) = size.unwrap_or_else(|| panic!("{} has no size {name}", self.name));
        u64::try_from(*value).expect("sizes are natural numbers")
    }

    /// How many elements lie between neighbours in each dimension, and how many there are in all.
    fn strides(&self, (_, extents, leading): &Array, language: Language) -> (Vec<u64>, u64) {
        let mut lengths: Vec<u64> = extents.iter().map(|extent| self.size(extent)).collect();
        let mut order: Vec<usize> = (0..lengths.len()).rev().collect();
        if language == Language::Fortran {
            order.reverse();
            if !leading.is_empty() {
                lengths[0] = self.size(leading);
            }
        }
        let mut strides = vec![0; lengths.len()];
        let mut elements = 1;
        for dimension in order {
            strides[dimension] = elements;
            elements *= lengths[dimension];
        }
        (strides, elements)
    }

    /// Calls something with the program in a language.
    fn with_program<T>(&self, language: Language, work: impl FnOnce(&Program<'_>) -> T) -> T {
        let kernels = language.kernels();
        let common = COMMON.iter().find(|(name, ..)| *name == self.name);
        let common = common.filter(|_| language == Language::Fortran);
        let spelled: Vec<(String, u64)> = self
            .arrays
            .iter()
            .map(|array| {
                let (_, elements) = self.strides(array, language);
                (spelled(array.0, language), ELEMENT * elements)
            })
            .collect();
        let block = common.map(|(_, block, _)| (*block, spelled.iter().map(|x| x.1).sum()));
        let arrays = spelled.iter().map(|(name, bytes)| (name.as_str(), *bytes));
        let arrays: Vec<(&str, u64)> = arrays.chain(block).collect();
        let lower: Vec<(String, i64)> = self
            .sizes
            .iter()
            .map(|(name, value)| (name.to_lowercase(), *value))
            .collect();
        let lower: Vec<(&str, i64)> = lower.iter().map(|(name, x)| (name.as_str(), *x)).collect();
        // Of C kernels some have macros as sizes and some have parameters.
        let (macros, sizes) = match language {
            Language::C => (self.sizes, &lower[..]),
            Language::Fortran | Language::Rust => (&[][..], self.sizes),
        };
        let position = Language::ALL.iter().position(|other| *other == language);
        work(&Program {
            path: &kernels[self.name],
            arrays: &arrays,
            macros,
            sizes,
            statics: common.map_or("", |(_, _, statics)| statics),
            call: self.calls[position.expect("one of ours")],
        })
    }

    /// What a program does to elements: which array, which subscripts, and what.
    fn elements(&self, language: Language, native: &Native) -> Vec<Element> {
        let element = |access: &native::Access| {
            let (kind, address, size) = *access;
            assert_eq!(
                size, ELEMENT,
                "{}: every access is of one element",
                self.name
            );
            self.element(language, native, address, kind)
        };
        native.accesses.iter().map(element).collect()
    }

    fn element(
        &self,
        language: Language,
        native: &Native,
        address: u64,
        kind: AccessKind,
    ) -> Element {
        for array in self.arrays {
            let (strides, elements) = self.strides(array, language);
            let base = native.bases[&spelled(array.0, language)];
            if !(base..base + ELEMENT * elements).contains(&address) {
                continue;
            }
            let mut rest = (address - base) / ELEMENT;
            let mut subscripts = vec![0; strides.len()];
            let mut dimensions: Vec<usize> = (0..strides.len()).collect();
            dimensions.sort_by_key(|dimension| std::cmp::Reverse(strides[*dimension]));
            for dimension in dimensions {
                subscripts[dimension] = rest / strides[dimension];
                rest %= strides[dimension];
            }
            return (array.0, subscripts, kind);
        }
        panic!("{address:x} lies in no array of {}", self.name)
    }
}

/// An access to an element: its array, its subscripts from zero, and what is done to it.
type Element = (&'static str, Vec<u64>, AccessKind);

/// The name of an array in a driver.
fn spelled(name: &str, language: Language) -> String {
    match language {
        Language::C => name.to_owned(),
        Language::Fortran | Language::Rust => name.to_lowercase(),
    }
}

/// The compiled program in a language.
fn native(kernel: &Kernel, language: Language, scratch: &str) -> Option<Native> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(scratch);
    kernel.with_program(language, |program| native::native(program, &scratch))
}

/// Compares what premiss derives from the text with the program.
fn check(kernel: &Kernel, language: Language) {
    if let Some(native) = native(kernel, language, "by_language") {
        kernel.with_program(language, |program| {
            native::check(program, &native);
        });
    }
}

/// Compares the programs with each other, and premiss with the one in C.
///
/// Fortran has the order of C. Rust has its stores, and all of its accesses in some order, as the right
/// side of a compound assignment is evaluated first there.
fn check_each_other(kernel: &Kernel) {
    let Some(c) = native(kernel, Language::C, "machine") else {
        return;
    };
    kernel.with_program(Language::C, |program| {
        native::check(program, &c);
    });
    let c = kernel.elements(Language::C, &c);
    for language in [Language::Fortran, Language::Rust] {
        let Some(other) = native(kernel, language, "machine") else {
            continue;
        };
        let other = kernel.elements(language, &other);
        let what = format!("{}: C and {language:?}", kernel.name);
        if language == Language::Fortran {
            for (idx, (one, other)) in c.iter().zip(&other).enumerate() {
                assert_eq!(one, other, "{what}: access {idx}");
            }
        }
        assert!(stores(&c) == stores(&other), "{what}: other stores");
        assert_eq!(counts(&c), counts(&other), "{what}");
    }
}

fn stores(elements: &[Element]) -> Vec<&Element> {
    let is_store = |element: &&Element| element.2 == AccessKind::Store;
    elements.iter().filter(is_store).collect()
}

/// The order of the access model, written down by hand: loads from left to right and then the store,
/// but in Rust the left side of a compound assignment after the right one.
#[test]
fn order_of_evaluation() {
    let (ni, nj, nk) = (3, 4, 5);
    let kernel = Kernel {
        name: "gemm",
        sizes: &[("NI", 3), ("NJ", 4), ("NK", 5)],
        arrays: &[
            ("C", &["NI", "NJ"], ""),
            ("A", &["NI", "NK"], ""),
            ("B", &["NK", "NJ"], ""),
        ],
        calls: [
            "kernel_gemm(1.5, 1.2, C, A, B)",
            "kernel_gemm_(&ni, &nj, &nk, &alpha, &beta, c, a, b)",
            "kernel_gemm::<NI, NJ, NK>(1.5, 1.2, c.array(), a.array(), b.array())",
        ],
    };
    for language in Language::ALL {
        let Some(native) = native(&kernel, language, "order") else {
            continue;
        };
        let mut expected = Vec::new();
        for i in 0..ni {
            for j in 0..nj {
                expected.push(("C", vec![i, j], AccessKind::Load));
                expected.push(("C", vec![i, j], AccessKind::Store));
            }
            for k in 0..nk {
                for j in 0..nj {
                    let left = ("C", vec![i, j], AccessKind::Load);
                    let right = [("A", vec![i, k]), ("B", vec![k, j])];
                    let right = right.map(|(array, at)| (array, at, AccessKind::Load));
                    if language == Language::Rust {
                        expected.extend(right);
                        expected.push(left);
                    } else {
                        expected.push(left);
                        expected.extend(right);
                    }
                    expected.push(("C", vec![i, j], AccessKind::Store));
                }
            }
        }
        let found = kernel.elements(language, &native);
        assert_eq!(found, expected, "{language:?}");
    }
}

/// How often each element is loaded and stored.
fn counts(elements: &[Element]) -> BTreeMap<&Element, usize> {
    let mut counts = BTreeMap::new();
    for element in elements {
        *counts.entry(element).or_insert(0) += 1;
    }
    counts
}
