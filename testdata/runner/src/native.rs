//! premiss against the machine: the addresses that compiled kernels touch, one by one.
//!
//! A kernel is compiled without optimisation, called by a [driver] and traced with valgrind's
//! lackey; of its trace, what falls into the arrays must be the sequence that premiss derives from the
//! text. What a language leaves to its compiler is left out: in C the order of call arguments and of
//! chained assignments, and in all of them what a library does.

mod driver;

use crate::kernel::Kernel;
use crate::language::Language;
use crate::memo::computed_once;
use crate::truth::testdata;
use driver::driver_text;
use premiss_trace::{AddressedAccess, Execution, Placement};
use premiss_tree::AccessKind;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Steps that premiss may take to run a kernel.
const STEPS: u64 = 10_000_000;

/// A load or store: its address, and of how many bytes.
pub type Access = (AccessKind, u64, u64);

/// A kernel, its arrays with their bytes, its sizes, and how to call it.
///
/// The call names each array as it is named here. In C, arrays are pointers to bytes, and `macros` are
/// defined. In Fortran it is the C name of the procedure that is called, with addresses: `sizes` and
/// some scalars are variables with lower-case names. In Rust each array has the methods `array` and
/// `slice`, the kernel is the module `kernel`, and sizes are constants with upper-case names.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    /// The kernel in `testdata`; its suffix says the language.
    pub path: &'a str,
    /// The arrays.
    pub arrays: &'a [(&'a str, u64)],
    /// Macros of the kernel.
    pub macros: &'a [(&'a str, i64)],
    /// Sizes of its function.
    pub sizes: &'a [(&'a str, i64)],
    /// Objects at file scope that the call needs; `memory_x` there is the array `x`.
    pub statics: &'a str,
    /// The call.
    pub call: &'a str,
}

/// What the compiled program does.
#[derive(Clone, Debug)]
pub struct Native {
    /// Its accesses to arrays, in order.
    pub accesses: Vec<Access>,
    /// Where its arrays are.
    pub bases: BTreeMap<String, u64>,
}

/// Compiles and traces a program in a new folder within `scratch`. `None` where tools are missing, which
/// is said.
///
/// # Panics
/// The program cannot be compiled or run, or does not touch its arrays.
#[must_use]
pub fn native(program: &Program<'_>, scratch: &Path) -> Option<Native> {
    let mut versions = String::new();
    let mut missing = Vec::new();
    for tool in tools(Language::of(program.path)) {
        match version(tool) {
            Some(version) => versions += &version,
            None => missing.push(*tool),
        }
    }
    if !missing.is_empty() {
        skipped(program, &missing);
        return None;
    }
    let kernel = fs::read_to_string(testdata().join(program.path)).expect("a kernel");
    let key = [versions, kernel, driver_text(program)].concat();
    let native = computed_once("native", &key, || traced(program, scratch).to_text());
    Some(Native::from_text(&native))
}

/// Compiles and traces a program.
fn traced(program: &Program<'_>, scratch: &Path) -> Native {
    let folder = Folder::new(program, scratch);
    folder.compile(program);
    let bases = folder.bases();
    let accesses = folder.trace(program, &bases);
    let path = program.path;
    assert!(!accesses.is_empty(), "the native trace of {path} is empty");
    Native { accesses, bases }
}

/// Compares what premiss derives from the text of a program, of which data decide nothing, with what
/// the compiled program does to its arrays. Yields the accesses to arrays that the program makes for itself,
/// such as copies of sections: where those lie natively nobody knows.
///
/// # Panics
/// They differ.
pub fn check(program: &Program<'_>, native: &Native) -> Vec<Access> {
    let path = program.path;
    let ranges = ranges(program, &native.bases);
    let is_array = |(_, address, _): &Access| ranges.iter().any(|one| one.contains(address));
    let (predicted, own): (Vec<Access>, Vec<Access>) = predict(program, &native.bases)
        .into_iter()
        .map(|(access, certain)| {
            assert!(certain, "{path}: nothing here depends on data");
            access
        })
        .partition(is_array);
    let both = native.accesses.iter().zip(&predicted);
    for (idx, (native, predicted)) in both.enumerate() {
        assert_eq!(predicted, native, "{path}: access {idx}");
    }
    assert_eq!(predicted.len(), native.accesses.len(), "accesses of {path}");
    own
}

/// Where the arrays of a program are.
fn ranges(program: &Program<'_>, bases: &BTreeMap<String, u64>) -> Vec<Range<u64>> {
    let arrays = program.arrays.iter();
    let ranges = arrays.map(|(name, bytes)| bases[*name]..bases[*name] + bytes);
    ranges.collect()
}

/// What premiss derives from the text, with the arrays where the native program has them, and whether
/// each access is certain.
///
/// # Panics
/// The text is not understood.
#[must_use]
pub fn predict(program: &Program<'_>, bases: &BTreeMap<String, u64>) -> Vec<(Access, bool)> {
    let kernel = Kernel::read(program.path, program.macros, program.sizes);
    let Some(tree) = kernel.main_tree(program.path) else {
        panic!("{} has no function that is read", program.path);
    };
    let placement = Placement {
        alignment: 64,
        bases: bases.iter().flat_map(spellings).collect(),
    };
    let execution =
        Execution::new(tree, &BTreeMap::new(), &placement, STEPS).expect("the sizes are given");
    let mut predicted = Vec::new();
    let show = &mut |access: AddressedAccess| {
        let address = access.address.expect("the address is known");
        let (kind, size) = (access.kind, u64::from(access.size));
        predicted.push(((kind, address, size), access.certain));
        ControlFlow::Continue(())
    };
    execution.for_each_access(show).expect("within budget");
    predicted
}

/// A name as it is, as it is in languages to which case means nothing or that have customs of it, and as
/// that of a COMMON block.
fn spellings((name, base): (&String, &u64)) -> [(String, u64); 4] {
    let block = format!("/{name}/");
    [
        name.clone(),
        name.to_lowercase(),
        name.to_uppercase(),
        block,
    ]
    .map(|name| (name, *base))
}

fn tools(language: Language) -> &'static [&'static str] {
    match language {
        Language::C => &["gcc", "valgrind"],
        Language::Fortran => &["gcc", "gfortran", "valgrind"],
        Language::Rust => &["rustc", "valgrind"],
    }
}

/// What a tool says of its version; nothing where it is not installed.
fn version(tool: &str) -> Option<String> {
    let output = Command::new(tool).arg("--version").output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

impl Native {
    /// Lines of `NAME ADDRESS`, an empty line, lines of `KIND ADDRESS SIZE`; numbers are hexadecimal.
    fn to_text(&self) -> String {
        let mut text = String::new();
        for (name, base) in &self.bases {
            text += &format!("{name} {base:x}\n");
        }
        text += "\n";
        for (kind, address, size) in &self.accesses {
            let kind = if *kind == AccessKind::Load { "L" } else { "S" };
            text += &format!("{kind} {address:x} {size:x}\n");
        }
        text
    }

    fn from_text(text: &str) -> Self {
        let (bases, accesses) = text.split_once("\n\n").expect("an empty line");
        let number = |word: &str| u64::from_str_radix(word, 16).expect("a hexadecimal number");
        let access = |line: &str| match line.split(' ').collect::<Vec<_>>()[..] {
            ["L", address, size] => (AccessKind::Load, number(address), number(size)),
            ["S", address, size] => (AccessKind::Store, number(address), number(size)),
            _ => panic!("no access: {line:?}"),
        };
        Self {
            bases: bases.lines().map(base).collect(),
            accesses: accesses.lines().map(access).collect(),
        }
    }
}

#[expect(clippy::print_stderr, reason = "a test that skips says so")]
fn skipped(program: &Program<'_>, missing: &[&str]) {
    eprintln!("skipped {}: it needs {}", program.path, missing.join(", "));
}

/// A folder of its own for a program, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(program: &Program<'_>, scratch: &Path) -> Self {
        let name = program.path.replace(['/', '.'], "_");
        let path = scratch.join(format!("{name}_{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for the program");
        Self(path)
    }

    fn program(&self) -> PathBuf {
        self.0.join("program")
    }

    fn compile(&self, program: &Program<'_>) {
        let language = Language::of(program.path);
        let suffix = if language == Language::Rust {
            "rs"
        } else {
            "c"
        };
        let driver = self.0.join("driver").with_extension(suffix);
        fs::write(&driver, driver_text(program)).expect("the driver is written");
        match language {
            Language::C => run(self
                .compiler("gcc", &["-std=c99", "-O0", "-no-pie", "-w"])
                .args([&self.program(), &driver])
                .arg("-lm")),
            Language::Fortran => {
                let object = self.0.join("driver.o");
                run(self
                    .compiler("gcc", &["-std=c99", "-O0", "-w", "-c"])
                    .args([&object, &driver]));
                run(self.compiler("gfortran", &["-O0", "-no-pie", "-w"]).args([
                    &self.program(),
                    &object,
                    &testdata().join(program.path),
                ]));
            }
            Language::Rust => {
                let options = "--edition=2024 -Copt-level=0 -Cdebug-assertions=off \
                               -Coverflow-checks=off -Crelocation-model=static --cap-lints=allow";
                let options: Vec<&str> = options.split_whitespace().collect();
                run(self
                    .compiler("rustc", &options)
                    .args([&self.program(), &driver]));
            }
        }
    }

    /// A compiler whose first file will be what it writes.
    fn compiler(&self, name: &str, options: &[&str]) -> Command {
        let mut command = Command::new(name);
        command.current_dir(&self.0).args(options).arg("-o");
        command
    }

    /// Where the program says that its arrays are.
    fn bases(&self) -> BTreeMap<String, u64> {
        let output = Command::new(self.program())
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "the program ends well");
        let text = String::from_utf8(output.stdout).expect("plain text");
        text.lines().map(base).collect()
    }

    /// The accesses to its arrays, in order.
    fn trace(&self, program: &Program<'_>, bases: &BTreeMap<String, u64>) -> Vec<Access> {
        let mut traced = Command::new("valgrind")
            .args(["--tool=lackey", "--trace-mem=yes", "--basic-counts=no"])
            .arg(self.program())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("valgrind runs");
        let ranges = ranges(program, bases);
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

fn run(command: &mut Command) {
    let status = command.status().expect("the compiler runs");
    assert!(status.success(), "{command:?} fails");
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
