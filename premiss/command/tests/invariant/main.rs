//! The gate never fails open: whatever is given and not counted makes the exit code other than 0, and is named. Every
//! input of which something is missing is given to every command.

#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../command/folder.rs"]
mod folder;
mod inputs;

use folder::Folder;
use inputs::{Input, Missing, complete, inputs};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a run left behind.
pub(crate) struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Run {
    fn new(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_premiss"));
    command.args(arguments).stdin(Stdio::null());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("PREMISS_")) {
        command.env_remove(name);
    }
    command
        .env_remove("HOME")
        .env_remove("XDG_CACHE_HOME")
        .env_remove("GITHUB_STEP_SUMMARY");
    command
}

/// How a command gets an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Argument {
    /// The folder `src`.
    Folder,
    /// The main file.
    File,
    /// A line of the main file.
    Line,
    /// `src` of the head, and of the base.
    Both,
    /// What a shard of a check wrote.
    Part,
}

/// A command, and its options.
struct Reader {
    arguments: &'static str,
    argument: Argument,
    /// What it notices if it is missing.
    notices: &'static [Missing],
}

use Missing::{Count, Exactness, File, Form, Level, Nest, Size, Text, Unread};

const fn reader(
    arguments: &'static str,
    argument: Argument,
    notices: &'static [Missing],
) -> Reader {
    Reader {
        arguments,
        argument,
        notices,
    }
}

const READERS: [Reader; 24] = [
    reader(
        "check -P n=100",
        Argument::Folder,
        &[Text, Nest, Count, Size, Form, Exactness, File, Unread],
    ),
    reader(
        "check -P n=100 --format sarif",
        Argument::Folder,
        &[Text, Nest, Count, Size, Form, Exactness, File, Unread],
    ),
    reader(
        "check -P n=100 --format github",
        Argument::Folder,
        &[Unread],
    ),
    reader(
        "check -P n=100 --format gitlab",
        Argument::Folder,
        &[Unread],
    ),
    reader("check -P n=100 --format junit", Argument::Folder, &[Unread]),
    reader(
        "check -P n=100 --format markdown",
        Argument::Folder,
        &[Unread],
    ),
    reader(
        "check -P n=100",
        Argument::File,
        &[Text, Nest, Count, Size, Form, Exactness],
    ),
    reader(
        "merge",
        Argument::Part,
        &[Text, Nest, Count, Size, Form, Exactness, File, Unread],
    ),
    reader("coverage", Argument::Folder, &[Text, Unread]),
    reader(
        "coverage --min-coverage 100",
        Argument::Folder,
        &[Text, Nest, Unread],
    ),
    reader(
        "report -P n=100",
        Argument::File,
        &[Text, Nest, Count, Size, Form, Level],
    ),
    reader(
        "report -P n=100 --format html",
        Argument::File,
        &[Text, Nest, Count, Size, Form, Level],
    ),
    reader("report -P n=100 --function good", Argument::File, &[Text]),
    reader("formula", Argument::File, &[Text, Nest, Form]),
    reader("formula --emit c", Argument::File, &[Text, Nest]),
    reader("formula --emit pbound", Argument::File, &[Text, Nest]),
    reader("sweep -P n=64..128", Argument::File, &[Text, Nest, Size]),
    reader("explain", Argument::Line, &[Text, Nest, Form]),
    reader(
        "dump --stage histogram",
        Argument::File,
        &[Text, Nest, Form],
    ),
    reader(
        "roofline -P n=100",
        Argument::File,
        &[Text, Nest, Count, Size, Form, Level],
    ),
    reader("trace -P n=100", Argument::File, &[Text, Nest]),
    reader(
        "diff -P n=100",
        Argument::Both,
        &[Text, Nest, Count, Size, Form, Exactness, File, Unread],
    ),
    reader(
        "diff -P n=100 --base HEAD",
        Argument::Folder,
        &[Text, Nest, Count, Size, Form, Exactness, File, Unread],
    ),
    reader(
        "diff -P n=100 --base base.json",
        Argument::Folder,
        &[Text, Nest, Count, Size, Form, Exactness, Unread],
    ),
];

/// Commands that count, and take the options for it.
fn counts(reader: &Reader) -> bool {
    !reader.arguments.starts_with("coverage") && reader.argument != Argument::Part
}

/// The input as a repository whose only commit is the base, of which `base.json` has the counts.
fn repository(input: &Input, number: usize) -> Folder {
    let folder = Folder::repository(&format!("invariant-{number}"));
    for (path, text) in &input.base {
        folder
            .write(&format!("src/{path}"), text)
            .write(&format!("base/src/{path}"), text);
    }
    folder.commit();
    let save = ["diff", "-P", "n=100", "--isolated", "--save", "base.json"];
    folder.premiss(&[&save[..], input.options, &["src"]].concat());
    for (path, _) in &input.base {
        folder.remove(&format!("src/{path}"));
    }
    for (path, text) in &input.head {
        folder.write(&format!("src/{path}"), text);
    }
    (input.arrange)(&folder);
    folder
}

fn arguments(reader: &Reader, input: &Input) -> Vec<String> {
    let mut arguments: Vec<String> = reader.arguments.split(' ').map(str::to_owned).collect();
    arguments.push("--isolated".to_owned());
    if counts(reader) {
        arguments.extend(input.options.iter().map(|x| (*x).to_owned()));
    }
    let main = format!("src/{}", input.main);
    arguments.extend(match reader.argument {
        Argument::Folder => vec!["src".to_owned()],
        Argument::File => vec![main],
        Argument::Line => vec![format!("{main}:{}", input.line)],
        Argument::Both => vec!["base/src".to_owned(), "src".to_owned()],
        Argument::Part => vec!["part.json".to_owned()],
    });
    if reader.arguments.starts_with("report") && reader.arguments.contains("html") {
        arguments.extend(["-o".to_owned(), "page.html".to_owned()]);
    }
    arguments
}

/// Writes what a merge reads.
fn write_part(folder: &Folder, input: &Input) -> Run {
    let fixed = [
        "check",
        "-P",
        "n=100",
        "--isolated",
        "--shard",
        "1/1",
        "--format",
        "json:part.json",
        "src",
    ];
    folder.premiss(&[&fixed[..], input.options].concat())
}

/// Runs a command with and without a reader of its output.
fn runs(folder: &Folder, input: &Input, arguments: &[String]) -> (Run, Option<i32>) {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    // What is written where is the same for all inputs.
    if !input.main.ends_with(".c") {
        let run = folder.premiss(&words);
        let code = run.code;
        return (run, code);
    }
    let mut unread = command(&words);
    unread
        .current_dir(&folder.0)
        .stdout(closed_pipe())
        .stderr(Stdio::null());
    let unread = unread.status().expect("it starts").code();
    (folder.premiss(&words), unread)
}

/// The end of a pipe that nobody reads.
fn closed_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("there are pipes");
    drop(reader);
    writer.into()
}

/// Whether a text names what is missing.
fn is_named(text: &str, input: &Input) -> bool {
    let Some(counted_lines) = input.counted_lines else {
        return text.contains(input.subject);
    };
    let behind = |mark: &str| {
        let mut places = text.split(mark).skip(1);
        places.any(|rest| {
            let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
            number.parse().is_ok_and(|line: usize| counted_lines < line)
        })
    };
    text.contains("`walk`") || behind(&format!("{}:", input.subject)) || behind("\"startLine\": ")
}

/// What is wrong with the runs of all commands on an input; `is_complete` if nothing is missing in it.
fn faults(input: &Input, number: usize, is_complete: bool, n_runs: &AtomicUsize) -> Vec<String> {
    let folder = repository(input, number);
    let mut faults = Vec::new();
    let part = write_part(&folder, input);
    for reader in &READERS {
        if !is_complete && !reader.notices.contains(&input.missing) {
            continue;
        }
        n_runs.fetch_add(1, Ordering::Relaxed);
        let arguments = arguments(reader, input);
        let (run, unread) = match reader.argument {
            Argument::Part if part.code != Some(0) => (
                Run {
                    code: part.code,
                    stdout: part.stdout.clone(),
                    stderr: part.stderr.clone(),
                },
                part.code,
            ),
            _ => runs(&folder, input, &arguments),
        };
        let page = match arguments.iter().any(|x| x == "page.html") {
            true => folder.read("page.html"),
            false => String::new(),
        };
        let is_named = [&run.stdout, &run.stderr, &page]
            .iter()
            .any(|text| is_named(text, input));
        let why = match run.code {
            Some(0) if is_complete => continue,
            Some(1..=3) if is_complete => "exits with other than 0",
            Some(0) => "exits with 0",
            Some(1..=3) if !is_named => "does not name it",
            Some(1..=3) if unread != run.code => "exits with another code if nobody reads",
            Some(1..=3) => continue,
            _ => "ends by itself",
        };
        let (name, arguments) = (&input.name, arguments.join(" "));
        let (code, stderr) = (run.code, run.stderr);
        faults.push(format!(
            "{name}: premiss {arguments}: {why} ({code:?}, {unread:?})\n{stderr}"
        ));
    }
    faults
}

/// The faults of all inputs, which are shared among threads.
fn all_faults(inputs: &[(Input, bool)], n_runs: &AtomicUsize) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let all = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some((input, is_complete)) = inputs.get(number) else {
                        return;
                    };
                    let found = faults(input, number, *is_complete, n_runs);
                    all.lock().expect("no thread panics").extend(found);
                }
            });
        }
    });
    all.into_inner().expect("no thread panics")
}

#[test]
fn whatever_is_not_counted_is_named_and_never_0() {
    let missing = inputs().into_iter().map(|input| (input, false));
    let complete = complete().into_iter().map(|input| (input, true));
    let all: Vec<(Input, bool)> = missing.chain(complete).collect();
    let n_runs = AtomicUsize::new(0);
    let faults = all_faults(&all, &n_runs);
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
    let n_runs = n_runs.into_inner();
    assert!(300 <= n_runs, "{n_runs} runs");
}
