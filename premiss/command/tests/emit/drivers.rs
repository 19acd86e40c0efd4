//! Compiling and running what is emitted: a program in each language that reads calls and answers them.

use crate::expected::Answer;
use premiss_memo::computed_once;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    C,
    Rust,
    Python,
}

impl Language {
    pub(crate) const ALL: [Self; 3] = [Self::C, Self::Rust, Self::Python];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Rust => "rust",
            Self::Python => "python",
        }
    }

    /// The compiler or the interpreter.
    fn program(self) -> &'static str {
        match self {
            Self::C => "cc",
            Self::Rust => "rustc",
            Self::Python => "python3",
        }
    }
}

/// A function that is emitted.
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) arguments: Vec<String>,
}

/// A call of a function by its index.
pub(crate) struct Call {
    pub(crate) function: usize,
    pub(crate) arguments: Vec<i64>,
}

/// The functions, which are the same in all languages.
pub(crate) fn functions(texts: &[(Language, String)]) -> Vec<Function> {
    let of_one = |(language, text): &(Language, String)| {
        let start = match language {
            Language::C => "enum premiss_status premiss_",
            Language::Rust => "pub fn ",
            Language::Python => "def ",
        };
        let heads = text.lines().filter_map(|line| line.strip_prefix(start));
        let heads = heads.filter(|head| !head.starts_with('_') && !head.ends_with(';'));
        let functions = heads.filter_map(|head| {
            let (name, rest) = head.split_once('(')?;
            let (arguments, _) = rest.split_once(')')?;
            let arguments = arguments
                .split(", ")
                .map(|x| x.trim_start_matches("int64_t "));
            let arguments = arguments.map(|x| x.trim_end_matches(": i64").to_owned());
            let arguments = arguments.filter(|x| !x.is_empty() && !x.contains('*'));
            Some((name.to_owned(), arguments.collect::<Vec<_>>()))
        });
        functions.collect::<Vec<_>>()
    };
    let all: Vec<_> = texts.iter().map(of_one).collect();
    assert!(5 < all[0].len(), "{:?}", all[0]);
    assert!(all.iter().all(|other| *other == all[0]), "{all:?}");
    let functions = all[0].iter().cloned();
    functions
        .map(|(name, arguments)| Function { name, arguments })
        .collect()
}

/// What calls yield; nothing where the language is not installed.
pub(crate) fn answers(
    language: Language,
    kernel: &str,
    text: &str,
    functions: &[Function],
    calls: &[Call],
) -> Option<Vec<Answer>> {
    let name: String = kernel
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("emit_{name}"));
    fs::create_dir_all(&folder).expect("a folder");
    let driver = match language {
        Language::C => c_driver(text, functions),
        Language::Rust => rust_driver(functions),
        Language::Python => python_driver(text, functions),
    };
    let version = version(language.program())?;
    let mut input = String::new();
    for call in calls {
        let arguments = call.arguments.iter().map(i64::to_string);
        let arguments: Vec<String> = arguments.collect();
        let _ = writeln!(input, "{} {}", call.function, arguments.join(" "));
    }
    // The same code answers the same calls alike in later runs of the tests.
    let key = [&version, text, &driver, &input].map(|x| format!("{} {x}", x.len()));
    let output = computed_once(&folder.join("answers"), &key.concat(), || {
        run(&mut runnable(language, &folder, text, &driver), input)
    });
    let answers: Vec<Answer> = output.lines().map(answer).collect();
    assert_eq!(
        answers.len(),
        calls.len(),
        "{language:?}: an answer to each call"
    );
    Some(answers)
}

fn answer(line: &str) -> Answer {
    match line {
        "outside" => Answer::Outside,
        "overflow" => Answer::Overflow,
        // Python's integers have no end: what is beyond 128 bits is beyond 64.
        value if value.bytes().all(|x| x.is_ascii_digit()) && !value.is_empty() => {
            Answer::Value(value.parse().unwrap_or(u128::MAX))
        }
        other => panic!("{other:?} is no answer"),
    }
}

/// Runs a program on a text.
fn run(command: &mut Command, input: String) -> String {
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.expect("it starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    writer
        .join()
        .expect("the thread ends")
        .expect("it reads all");
    assert!(output.status.success(), "{}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

/// What a program says of its version; nothing, and a line, where it is not there.
fn version(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").output();
    let Some(output) = output.ok().filter(|output| output.status.success()) else {
        let _ = writeln!(std::io::stderr(), "skipped: there is no {program}");
        return None;
    };
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Code with its driver, compiled where the language is.
fn runnable(language: Language, folder: &Path, text: &str, driver: &str) -> Command {
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).expect("a file");
        path
    };
    let program = language.program();
    let binary = folder.join(format!("driver_{}", language.name()));
    match language {
        Language::C => {
            let source = file("driver.c", driver);
            let options = ["-O1", "-Wall", "-Werror", "-std=c11"];
            compile(program, &options, (&source, &binary));
            Command::new(binary)
        }
        Language::Rust => {
            file("emitted.rs", text);
            let source = file("driver.rs", driver);
            let options = ["--edition=2021", "-Copt-level=0", "-Dwarnings"];
            compile(program, &options, (&source, &binary));
            Command::new(binary)
        }
        Language::Python => {
            let mut command = Command::new(program);
            command.arg(file("driver.py", driver));
            command
        }
    }
}

fn compile(program: &str, arguments: &[&str], (source, binary): (&PathBuf, &PathBuf)) {
    let mut command = Command::new(program);
    let output = command
        .args(arguments)
        .arg(source)
        .arg("-o")
        .arg(binary)
        .output();
    let output = output.expect("the compiler starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {said}");
    assert!(said.is_empty(), "{program}: {said}");
}

fn c_driver(text: &str, functions: &[Function]) -> String {
    let mut cases = String::new();
    for (idx, function) in functions.iter().enumerate() {
        let arguments: String = (0..function.arguments.len())
            .map(|x| format!("a[{x}], "))
            .collect();
        let _ = writeln!(
            cases,
            "        case {idx}: s = premiss_{}({arguments}&v); break;",
            function.name
        );
    }
    format!(
        "{text}\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
         int main(void)\n{{\n    char line[400];\n    while (fgets(line, sizeof line, stdin)) {{\n\
         \x20       int64_t a[8] = {{0}};\n        char *at = line;\n\
         \x20       long k = strtol(at, &at, 10);\n\
         \x20       for (int i = 0; i < 8; i++)\n            a[i] = strtoll(at, &at, 10);\n\
         \x20       uint64_t v = 0;\n        enum premiss_status s = PREMISS_EFFORT;\n\
         \x20       switch (k) {{\n{cases}        }}\n\
         \x20       if (s == PREMISS_OK)\n            printf(\"%llu\\n\", (unsigned long long)v);\n\
         \x20       else\n\
         \x20           puts(s == PREMISS_OUTSIDE ? \"outside\" : s == PREMISS_OVERFLOW ? \"overflow\" : \"effort\");\n\
         \x20   }}\n    return 0;\n}}\n"
    )
}

fn rust_driver(functions: &[Function]) -> String {
    let mut cases = String::new();
    for (idx, function) in functions.iter().enumerate() {
        let arguments = (0..function.arguments.len()).map(|x| format!("a[{x}]"));
        let arguments: Vec<String> = arguments.collect();
        let name = &function.name;
        let _ = writeln!(
            cases,
            "            {idx} => emitted::{name}({}),",
            arguments.join(", ")
        );
    }
    format!(
        "#[path = \"emitted.rs\"]\nmod emitted;\nfn main() {{\n\
         \x20   for line in std::io::stdin().lines() {{\n\
         \x20       let line = line.expect(\"text\");\n\
         \x20       let a: Vec<i64> = line.split_whitespace().map(|x| x.parse().expect(\"a number\")).collect();\n\
         \x20       let (k, a) = (a[0], &a[1..]);\n\
         \x20       let found = match k {{\n{cases}            _ => Err(emitted::Error::Effort),\n        }};\n\
         \x20       match found {{\n            Ok(value) => println!(\"{{value}}\"),\n\
         \x20           Err(emitted::Error::Outside) => println!(\"outside\"),\n\
         \x20           Err(emitted::Error::Overflow) => println!(\"overflow\"),\n\
         \x20           Err(emitted::Error::Effort) => println!(\"effort\"),\n\
         \x20       }}\n    }}\n}}\n"
    )
}

fn python_driver(text: &str, functions: &[Function]) -> String {
    let names: Vec<&str> = functions.iter().map(|x| x.name.as_str()).collect();
    format!(
        "{text}\n\nimport sys\nfunctions = [{}]\nfor line in sys.stdin:\n\
         \x20   k, *a = map(int, line.split())\n    try:\n\
         \x20       print(functions[k](*a))\n    except OutsideDomain:\n        print(\"outside\")\n",
        names.join(", ")
    )
}

/// Reads misses and the least time of the only function from data and from algebra, at sizes and a capacity.
const READER: &str = include_str!("reader.py");

/// The misses as Python finds them in data and in algebra, and the least time; nothing where there is no
/// Python.
pub(crate) fn read_by_python(json: &str, algebra: &str, given: [i64; 3]) -> Option<[u128; 4]> {
    version("python3")?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emit_data");
    fs::create_dir_all(&folder).expect("a folder");
    let paths = ["reader.py", "code.json", "code.txt"].map(|name| folder.join(name));
    for (path, text) in paths.iter().zip([READER, json, algebra]) {
        fs::write(path, text).expect("a file");
    }
    let mut command = Command::new("python3");
    command.args(&paths).args(given.map(|x| x.to_string()));
    let output = run(&mut command, String::new());
    let values: Vec<u128> = output
        .lines()
        .map(|x| x.parse().expect("a number"))
        .collect();
    values.try_into().ok()
}
