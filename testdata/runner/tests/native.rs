//! premiss against the machine: the addresses that compiled kernels touch, one by one.
//!
//! Each kernel is compiled without optimisation and traced with valgrind's lackey; of its trace,
//! what falls into the arrays must be the sequence that premiss derives from the text. Left out is
//! what C leaves to the compiler: the order of call arguments and of chained assignments.
//!
//! Without gcc or valgrind these tests pass and say that they were skipped.

use premiss_testdata::kernel::Kernel;
use premiss_testdata::truth::testdata;
use premiss_trace::{Execution, Placement};
use premiss_tree::AccessKind;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A load or store of so many bytes.
type Access = (AccessKind, u64, u64);

/// A kernel, its arrays with their bytes, its sizes, and how to call it.
struct Program {
    path: &'static str,
    arrays: &'static [(&'static str, u64)],
    sizes: &'static [(&'static str, i64)],
    /// Objects at file scope that the call needs; `memory_x` there is the array `x`.
    statics: &'static str,
    call: &'static str,
}

#[test]
fn gemm() {
    check(&Program {
        path: "kernels/c/gemm.c",
        arrays: &[("C", 8 * 20 * 25), ("A", 8 * 20 * 30), ("B", 8 * 30 * 25)],
        sizes: &[],
        statics: "",
        call: "kernel_gemm(1.5, 1.2, C, A, B)",
    });
}

#[test]
fn lu() {
    check(&Program {
        path: "kernels/c/lu.c",
        arrays: &[("A", 8 * 40 * 40)],
        sizes: &[],
        statics: "",
        call: "kernel_lu(A)",
    });
}

#[test]
fn gemver() {
    check(&Program {
        path: "kernels/c/gemver.c",
        arrays: &[
            ("A", 8 * 40 * 40),
            ("u1", 320),
            ("v1", 320),
            ("u2", 320),
            ("v2", 320),
            ("w", 320),
            ("x", 320),
            ("y", 320),
            ("z", 320),
        ],
        sizes: &[],
        statics: "",
        call: "kernel_gemver(1.5, 1.2, A, u1, v1, u2, v2, w, x, y, z)",
    });
}

#[test]
fn guards() {
    check(&Program {
        path: "kernels/c/shapes/guards.c",
        arrays: &[("a", 8 * 12 * 12), ("edge", 8 * 23)],
        sizes: &[("n", 12)],
        statics: "",
        call: "guards(12, a, edge)",
    });
}

#[test]
fn packed_triangular() {
    check(&Program {
        path: "kernels/c/shapes/packed_triangular.c",
        arrays: &[("packed", 8 * 105), ("full", 8 * 14 * 14)],
        sizes: &[("n", 14)],
        statics: "",
        call: "packed_triangular(14, packed, full)",
    });
}

#[test]
fn tiles() {
    check(&Program {
        path: "kernels/c/shapes/tiles.c",
        arrays: &[("a", 8 * 10 * 10), ("b", 8 * 10 * 10)],
        sizes: &[("n", 10)],
        statics: "",
        call: "tiles(10, a, b)",
    });
}

#[test]
fn pointer_walk() {
    check(&Program {
        path: "kernels/c/shapes/pointer_walk.c",
        arrays: &[("a", 8 * 10 * 10), ("s", 8 * 20)],
        sizes: &[("n", 10)],
        statics: "",
        call: "pointer_walk(10, a, s)",
    });
}

#[test]
fn calls() {
    check(&Program {
        path: "kernels/c/shapes/calls.c",
        arrays: &[("a", 8 * 8 * 8), ("b", 8 * 8 * 8), ("c", 8 * 8 * 8)],
        sizes: &[("n", 8)],
        statics: "",
        call: "calls(8, a, b, c)",
    });
}

const STRUCT_VECTORS: Program = Program {
    path: "kernels/c/packages/struct_vectors.c",
    arrays: &[
        ("v", 24),
        ("v->data", 8 * 32),
        ("m", 32),
        ("m->data", 8 * 32),
        ("count", 8),
    ],
    sizes: &[
        ("v->size", 7),
        ("v->stride", 3),
        ("m->rows", 3),
        ("m->columns", 4),
        ("m->tda", 5),
        ("count[0]", 6),
    ],
    statics: "static double memory_v__data[32], memory_m__data[32];\n\
              static struct vector memory_v = { 7, 3, memory_v__data };\n\
              static struct matrix memory_m = { 3, 4, 5, memory_m__data };\n\
              static int memory_count[2] = { 6, 0 };\n",
    call: "struct_vectors(&memory_v, &memory_m, memory_count)",
};

/// Sizes and pointers in memory.
#[test]
fn struct_vectors() {
    check(&STRUCT_VECTORS);
}

/// Sizes and pointers in structs that are variables, passed and returned.
#[test]
fn struct_views() {
    check(&Program {
        path: "kernels/c/packages/struct_views.c",
        arrays: &[("a", 8 * 64)],
        sizes: &[("n", 9)],
        statics: "",
        call: "struct_views(9, a)",
    });
}

#[test]
fn continues() {
    check(&Program {
        path: "kernels/c/shapes/continues.c",
        arrays: &[("a", 8 * 12), ("b", 8 * 12)],
        sizes: &[("n", 12)],
        statics: "",
        call: "continues(12, a, b)",
    });
}

/// Tables of constants, in memory where the compiler puts them.
#[test]
fn constant_tables() {
    check(&Program {
        path: "kernels/c/shapes/constant_tables.c",
        arrays: &[
            ("dx", 16),
            ("dy", 16),
            ("start", 20),
            ("column", 9),
            ("parts", 32),
            ("is_open", 6),
            ("a", 8 * 20 * 3),
            ("b", 8 * 20),
        ],
        sizes: &[("n", 20)],
        statics: "extern const int memory_dx[4] __attribute__((alias(\"dx\")));\n\
                  extern int memory_dy[4] __attribute__((alias(\"dy\")));\n\
                  extern const int memory_start[5] __attribute__((alias(\"start\")));\n\
                  extern const unsigned char memory_column[9] __attribute__((alias(\"column\")));\n\
                  extern const char memory_parts[32] __attribute__((alias(\"parts\")));\n\
                  extern const _Bool memory_is_open[6] __attribute__((alias(\"is_open\")));\n",
        call: "constant_tables(20, a, b)",
    });
}

/// Where data end loops early, what executes is part of what is possible, in its order.
#[test]
fn early_exit() {
    let program = Program {
        path: "kernels/c/packages/early_exit.c",
        arrays: &[("x", 8 * 8), ("y", 8 * 8)],
        sizes: &[("n", 8)],
        statics: "static double memory_x[8] = { 1, 2, 3, 2, 9, 1, 1, 1 };\n\
                  static double memory_y[8] = { 0, 5, 1, 1, 1, 1, 1, 1 };\n",
        call: "early_exit(8, x, y)",
    };
    let Some((native, bases)) = native(&program) else {
        return;
    };
    let mut possible = predict(&program, &bases).into_iter();
    for (idx, access) in native.into_iter().enumerate() {
        let is_possible = possible.any(|(other, certain)| other == access && !certain);
        assert!(is_possible, "access {idx}, {access:?}, is not possible");
    }
}

/// The accesses of the compiled program, and where its arrays are; `None` where tools are missing.
fn native(program: &Program) -> Option<(Vec<Access>, BTreeMap<String, u64>)> {
    if !is_installed("gcc") || !is_installed("valgrind") {
        skipped(program);
        return None;
    }
    let folder = Folder::new(program);
    let bases = folder.compile(program);
    let native = folder.trace(program, &bases);
    assert!(
        !native.is_empty(),
        "the native trace of {} is empty",
        program.path
    );
    Some((native, bases))
}

fn check(program: &Program) {
    let Some((native, bases)) = native(program) else {
        return;
    };
    let predicted: Vec<Access> = predict(program, &bases)
        .into_iter()
        .map(|(access, certain)| {
            assert!(certain, "nothing here depends on data");
            access
        })
        .collect();
    let first = native
        .iter()
        .zip(&predicted)
        .position(|(native, predicted)| native != predicted);
    if let Some(idx) = first {
        let (native, predicted) = (native[idx], predicted[idx]);
        panic!(
            "{}: access {idx} is {native:?}, predicted {predicted:?}",
            program.path
        );
    }
    assert_eq!(
        native.len(),
        predicted.len(),
        "accesses of {}",
        program.path
    );
}

#[expect(clippy::print_stderr, reason = "a test that skips says so")]
fn skipped(program: &Program) {
    eprintln!("skipped {}: gcc and valgrind are needed", program.path);
}

fn is_installed(tool: &str) -> bool {
    let mut command = Command::new(tool);
    command
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// What premiss derives from the text, with the arrays where the native program has them.
fn predict(program: &Program, bases: &BTreeMap<String, u64>) -> Vec<(Access, bool)> {
    let kernel = Kernel::read(program.path, &[], program.sizes);
    let tree = kernel.unit.functions.last().expect("a function");
    let placement = Placement {
        alignment: 64,
        bases: bases.clone(),
    };
    let execution = Execution::new(tree, &BTreeMap::new(), &placement, 10_000_000)
        .expect("the sizes are given");
    let mut predicted = Vec::new();
    let show = &mut |access: premiss_trace::AddressedAccess| {
        let address = access.address.expect("the address is known");
        let (kind, size) = (access.kind, u64::from(access.size));
        predicted.push(((kind, address, size), access.certain));
        ControlFlow::Continue(())
    };
    execution.for_each_access(show).expect("within budget");
    predicted
}

/// A folder of its own for a program, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(program: &Program) -> Self {
        let name = program.path.replace(['/', '.'], "_");
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}_{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for the program");
        Self(path)
    }

    fn program(&self) -> PathBuf {
        self.0.join("program")
    }

    /// Compiles the program; returns where its arrays lie.
    fn compile(&self, program: &Program) -> BTreeMap<String, u64> {
        let driver = self.0.join("driver.c");
        fs::write(&driver, driver_text(program)).expect("the driver is written");
        let compiled = Command::new("gcc")
            .args(["-std=c99", "-O0", "-no-pie", "-w", "-o"])
            .args([&self.program(), &driver])
            .arg("-lm")
            .status();
        assert!(
            compiled.expect("gcc runs").success(),
            "gcc fails on {}",
            program.path
        );
        let output = Command::new(self.program())
            .output()
            .expect("the program runs");
        let text = String::from_utf8(output.stdout).expect("plain text");
        text.lines().map(base).collect()
    }

    /// The accesses to its arrays, in order.
    fn trace(&self, program: &Program, bases: &BTreeMap<String, u64>) -> Vec<Access> {
        let mut traced = Command::new("valgrind")
            .args(["--tool=lackey", "--trace-mem=yes", "--basic-counts=no"])
            .arg(self.program())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("valgrind runs");
        let ranges: Vec<_> = program
            .arrays
            .iter()
            .map(|(name, bytes)| bases[*name]..bases[*name] + bytes)
            .collect();
        let lines = BufReader::new(traced.stderr.take().expect("a pipe")).lines();
        let mut accesses = Vec::new();
        for line in lines {
            let Some((kinds, address, size)) = parse(&line.expect("plain text")) else {
                continue;
            };
            if ranges.iter().any(|range| range.contains(&address)) {
                accesses.extend(kinds.iter().map(|kind| (*kind, address, size)));
            }
        }
        assert!(traced.wait().expect("valgrind ends").success());
        accesses
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing depends on its being gone.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A `main` that says where the arrays are, then calls the kernel.
fn driver_text(program: &Program) -> String {
    let kernel = testdata().join(program.path);
    let mut text = format!("#include <stdio.h>\n#include \"{}\"\n", kernel.display());
    text += program.statics;
    for (name, bytes) in program.arrays {
        let memory = memory(name);
        if !program.statics.contains(&memory) {
            text += &format!("static char {memory}[{bytes}] __attribute__((aligned(4096)));\n");
        }
    }
    text += "int main(void) {\n";
    for (name, _) in program.arrays {
        let memory = memory(name);
        if !name.contains("->") {
            text += &format!("  void *{name} = (void *)&{memory};\n");
        }
        text += &format!("  printf(\"{name} %lx\\n\", (unsigned long)&{memory});\n");
    }
    text + &format!("  {};\n  return 0;\n}}\n", program.call)
}

/// The object that an array is in the driver.
fn memory(name: &str) -> String {
    format!("memory_{}", name.replace("->", "__"))
}

fn base(line: &str) -> (String, u64) {
    let (name, address) = line.split_once(' ').expect("NAME ADDRESS");
    let address = u64::from_str_radix(address, 16).expect("a hexadecimal address");
    (name.to_owned(), address)
}

/// What a line of lackey says: ` L 0400a000,8`; `M` is a load and a store.
fn parse(line: &str) -> Option<(&'static [AccessKind], u64, u64)> {
    let kinds: &[AccessKind] = match line.get(..3)? {
        " L " => &[AccessKind::Load],
        " S " => &[AccessKind::Store],
        " M " => &[AccessKind::Load, AccessKind::Store],
        _ => return None,
    };
    let (address, size) = line[3..].split_once(',')?;
    let address = u64::from_str_radix(address.trim(), 16).ok()?;
    Some((kinds, address, size.trim().parse().ok()?))
}
