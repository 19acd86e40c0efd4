//! Formulas as code: what is emitted is compiled, run at a thousand points of each kernel, and compared
//! with the evaluator of closed forms, and at small sizes with the trace.
//!
//! Each language reads the same calls and answers in the same words: a number, `outside`, `overflow` or
//! `effort`. Where there is no compiler for one, a line says so and the others are compared.

mod drivers;
mod expected;
mod machines;
mod points;
mod times;

use drivers::{Call, Function, Language, answers};
use expected::{Answer, Evaluator};
use machines::TimedMachine;
use points::{Points, Sizes};
use premiss_analyze::{Ceiling, Hierarchy, Resource};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// How many points of each kernel are compared.
const POINTS: usize = 1000;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn premiss(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_premiss"));
    // What a function costs is derived once for all languages.
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("emit").replace("::", "-");
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("emit-cache-of-{test}"));
    command.args(arguments).current_dir(root());
    command.env("PREMISS_CACHE_DIR", cache);
    command.output().expect("the command starts")
}

/// The file that is emitted; 3 says that some quantities have no function.
fn emitted(path: &str, language: &str, options: &[&str], on: TimedMachine) -> String {
    let fixed = ["formula", path, "--emit", language];
    let on = on.options();
    let on = [on[0].as_str(), on[1].as_str()];
    let output = premiss(&[&fixed[..], &on[..], options].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 3)), "{path} as {language}: {said}");
    String::from_utf8(output.stdout).expect("text")
}

/// A kernel, and what is asked of it.
struct Case {
    path: &'static str,
    /// Options of the command line.
    options: &'static [&'static str],
    machine: TimedMachine,
    /// Sizes up to which misses are asked for: where the code goes through loop variables, they take
    /// their time.
    sizes: Sizes,
    /// Sizes at which the trace is asked too.
    traced: &'static [&'static [i64]],
}

/// Compares all languages with the evaluator, and with the trace.
fn check(case: &Case) {
    let evaluator = Evaluator::new(
        &root().join(case.path),
        case.options,
        case.machine.machine(),
    );
    let languages: Vec<(Language, String)> = Language::ALL
        .into_iter()
        .map(|language| {
            let text = emitted(case.path, language.name(), case.options, case.machine);
            (language, text)
        })
        .collect();
    let functions = drivers::functions(&languages);
    let names = evaluator.sizes();
    let mut points = Points::new(case.path, names.len(), case.sizes);
    let calls = calls(&functions, &mut points, case.traced);
    let found: Vec<(Language, Vec<Answer>)> = languages
        .iter()
        .filter_map(|(language, text)| {
            let found = answers(*language, case.path, text, &functions, &calls);
            Some((*language, found?))
        })
        .collect();
    let (mut n_values, mut n_outside, mut n_overflows) = (0, 0, 0);
    for (idx, call) in calls.iter().enumerate() {
        let name = &functions[call.function].name;
        let expected = evaluator.answer(name, &call.arguments);
        match expected {
            Answer::Value(_) | Answer::Time(_) => n_values += 1,
            Answer::Outside => n_outside += 1,
            Answer::Overflow | Answer::OverflowOrOutside => n_overflows += 1,
        }
        for (language, found) in &found {
            let same = expected.agrees(&found[idx], *language);
            let at = &call.arguments;
            assert!(
                same,
                "{language:?} {name}{at:?}: {:?}, expected {expected:?}",
                found[idx]
            );
        }
    }
    assert!(POINTS * 2 < n_values, "{}: {n_values} values", case.path);
    assert!(100 < n_outside, "{}: {n_outside} outside", case.path);
    assert!(0 < n_overflows, "{}: no overflow", case.path);
    for sizes in case.traced {
        evaluator.compare_with_trace(sizes);
    }
}

/// Each function at each point; functions with a capacity at one of their own.
fn calls(functions: &[Function], points: &mut Points, traced: &[&[i64]]) -> Vec<Call> {
    let mut calls = Vec::new();
    let mut drawn: Vec<Vec<i64>> = (0..POINTS).map(|_| points.draw()).collect();
    drawn.extend(traced.iter().map(|sizes| sizes.to_vec()));
    for sizes in &drawn {
        for (idx, function) in functions.iter().enumerate() {
            let of_misses = ["misses", "bytes_L", "picoseconds"]
                .iter()
                .any(|x| function.name.contains(x));
            if of_misses && !points.is_quick(sizes) {
                continue;
            }
            let capacity = function.arguments.first().is_some_and(|x| x == "capacity");
            let capacity = capacity.then(|| points.capacity());
            let arguments = capacity.into_iter().chain(sizes.iter().copied()).collect();
            calls.push(Call {
                function: idx,
                arguments,
            });
        }
    }
    calls
}

#[test]
fn gemm() {
    for on in [
        TimedMachine::File("plain.toml"),
        TimedMachine::Shipped("zen4"),
    ] {
        gemm_on(on);
    }
}

fn gemm_on(on: TimedMachine) {
    check(&Case {
        path: "testdata/kernels/c/gemm.c",
        options: &[],
        machine: on,
        sizes: Sizes::Any,
        traced: &[&[3, 8, 16], &[16, 8, 8], &[7, 24, 16]],
    });
}

#[test]
fn a_triangle() {
    check(&Case {
        path: "testdata/kernels/c/trmm.c",
        options: &[],
        machine: TimedMachine::Bare,
        sizes: Sizes::UpTo(48),
        traced: &[&[8, 8], &[24, 16]],
    });
}

#[test]
fn a_stencil() {
    check(&Case {
        path: "testdata/kernels/c/jacobi-2d.c",
        options: &[],
        machine: TimedMachine::File("full.toml"),
        sizes: Sizes::UpTo(400),
        traced: &[&[16, 2], &[24, 3]],
    });
}

#[test]
fn divisions_and_roots() {
    check(&Case {
        path: "testdata/kernels/c/cholesky.c",
        options: &[],
        machine: TimedMachine::File("full.toml"),
        sizes: Sizes::UpTo(48),
        traced: &[&[8], &[40]],
    });
}

/// A kernel of these lines.
fn write_kernel(name: &str, text: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emit_kernels");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path.to_string_lossy().into_owned()
}

#[test]
fn what_data_decide_counts_as_far_as_it_is_certain() {
    let text = "void f(int n, double a[n], double b[n]) {\n\
                for (int i = 0; i < n; i++) {\n b[i] = a[i] * a[i] + b[i] / a[i];\n\
                if (0.0 < a[i]) b[i] = b[i] * 3.0 + a[i];\n }\n}\n";
    check(&Case {
        path: write_kernel("chosen.c", text).leak(),
        options: &[],
        machine: TimedMachine::File("full.toml"),
        sizes: Sizes::Any,
        traced: &[&[0], &[9]],
    });
}

#[test]
fn what_runs_nobody_knows_how_often_is_left_out_and_named() {
    let text = "void f(int n, double a[n]) {\n\
                for (int i = 0; i < n; i++) a[i] = a[i] * 2.0;\n\
                while (a[0] < 1.0) a[0] = a[0] / 3.0;\n}\n";
    let path = write_kernel("endless.c", text);
    let output = premiss(&["formula", &path, "--emit", "python", "-m", "zen4"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{text}");
    for line in [
        "# f_picoseconds_uncounted is not known: it runs an unknown number of times",
        "# f_least_picoseconds is not known: nothing that it does has a known time on zen4",
        "; left out: picoseconds_uncounted, picoseconds_from_L2",
    ] {
        assert!(text.contains(line), "{line:?} not in {text}");
    }
}

#[test]
fn times_are_bounds_in_every_hierarchy() {
    let path = "testdata/kernels/c/jacobi-2d.c";
    let points = [[16, 2], [24, 3], [72, 2], [136, 1]];
    for file in ["plain.toml", "full.toml"] {
        let on = TimedMachine::File(file);
        let evaluator = Evaluator::new(&root().join(path), &[], on.machine());
        for (name, hierarchy) in [
            ("filtered", Hierarchy::Filtered),
            ("inclusive", Hierarchy::Inclusive),
            ("exclusive", Hierarchy::Exclusive),
        ] {
            let text = emitted(path, "python", &["--hierarchy", name], on);
            let functions = drivers::functions(&[(Language::Python, text.clone())]);
            let ends = ["picoseconds_from_L2", "picoseconds_memory"];
            let parts = ends.map(|end| {
                let found = functions.iter().position(|x| x.name.ends_with(end));
                found.expect("a function")
            });
            let calls = points.iter().flat_map(|sizes| {
                parts.map(|function| Call {
                    function,
                    arguments: sizes.to_vec(),
                })
            });
            let calls: Vec<Call> = calls.collect();
            let folder = format!("{file} {name}");
            let Some(found) = answers(Language::Python, &folder, &text, &functions, &calls) else {
                return;
            };
            let swept = points.iter().flat_map(|sizes| {
                let below = |x: &Ceiling| x.resource != Resource::Arithmetic;
                let bound = evaluator.swept(sizes, hierarchy);
                bound.ceilings.into_iter().filter(below).collect::<Vec<_>>()
            });
            for (idx, most) in swept.enumerate() {
                let most = most.seconds * 1e12;
                let at = &calls[idx].arguments;
                let Answer::Value(found) = found[idx] else {
                    panic!("{name} {at:?}: {:?}", found[idx]);
                };
                let found = expected::wide(found);
                // Some of it is told, and no more than there is.
                let is_bound = most / 4.0 < found && found <= most.ceil();
                assert!(is_bound, "{file} {name} {idx} {at:?}: {found}, {most}");
            }
        }
    }
}

#[test]
fn what_a_machine_does_not_tell_is_left_out_and_named() {
    let kernel = "testdata/kernels/c/gemm.c";
    for language in ["c", "rust", "python", "json", "symbolica"] {
        let text = emitted(kernel, language, &[], TimedMachine::Shipped("zen4"));
        assert!(
            text.contains("zen4 does not say the bandwidth of L3"),
            "{text}"
        );
        assert!(text.contains("; left out: picoseconds_from_L3"), "{text}");
        let text = emitted(kernel, language, &[], TimedMachine::Bare);
        assert!(
            text.contains("custom does not say how fast its core is"),
            "{text}"
        );
        assert!(!text.contains("picoseconds_"), "{text}");
    }
}

#[test]
fn all_residue_classes() {
    check(&Case {
        path: "testdata/kernels/c/micro/transpose.c",
        options: &["--class", "all"],
        machine: TimedMachine::Bare,
        sizes: Sizes::UpTo(1200),
        traced: &[&[8], &[13], &[40], &[67]],
    });
}

#[test]
fn guards_and_data() {
    for path in [
        "testdata/kernels/c/floyd-warshall.c",
        "testdata/kernels/c/nussinov.c",
    ] {
        check(&Case {
            path,
            options: &[],
            machine: TimedMachine::Bare,
            sizes: Sizes::Any,
            traced: &[&[1], &[2], &[7], &[20]],
        });
    }
}

#[test]
fn what_is_not_known_has_no_function_and_says_why() {
    for language in Language::ALL {
        let text = emitted(
            "testdata/kernels/c/floyd-warshall.c",
            language.name(),
            &[],
            TimedMachine::Bare,
        );
        let line = text
            .lines()
            .find(|line| line.contains("floyd_warshall_cold is not known"));
        let line = line.unwrap_or_else(|| panic!("{language:?}: {text}"));
        assert!(line.contains("depends on data"), "{line}");
        assert!(text.contains("accesses_least"), "{language:?}");
    }
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let path = "testdata/kernels/c/gemm.c";
    let refuse = |options: &[&str], why: &str| {
        let output = premiss(&[&["formula", path][..], options].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(why), "{why:?} not in {said}");
    };
    refuse(&["--emit", "cobol"], "symbolica");
    refuse(&["--emit", "c", "--format", "json"], "--format");
    refuse(
        &["--emit", "c", "--class", "all", "--class", "NJ=1"],
        "every class",
    );
    refuse(&["--emit", "c", "--class", "QQ=1"], "QQ");
    refuse(&["--class", "all"], "--class all");
}

#[test]
fn algebra_and_data_have_the_same_values() {
    let path = "testdata/kernels/c/jacobi-2d.c";
    let on = TimedMachine::File("full.toml");
    let evaluator = Evaluator::new(&root().join(path), &[], on.machine());
    let json = emitted(path, "json", &[], on);
    let algebra = emitted(path, "symbolica", &[], on);
    for (n, steps, capacity) in [
        (8, 1, 3),
        (16, 2, 40),
        (24, 5, 64),
        (64, 3, 500),
        (40, 0, 1),
    ] {
        let given = [n, steps, capacity];
        let Some([data, text, time, time_text]) = drivers::read_by_python(&json, &algebra, given)
        else {
            return;
        };
        let expected = evaluator.answer("misses", &[capacity, n, steps]);
        assert_eq!(Answer::Value(data), expected, "{given:?}");
        assert_eq!(Answer::Value(text), expected, "{given:?}");
        let expected = evaluator.answer("least_picoseconds", &[n, steps]);
        for time in [time, time_text] {
            let found = Answer::Value(time);
            assert!(
                expected.agrees(&found, Language::Python),
                "{given:?}: {found:?}, {expected:?}"
            );
        }
    }
}
