//! The `premiss` command: turns arguments into library calls, and results into output and exit codes.

mod arguments;
mod cache;
mod exit;
mod failure;
mod first_steps;
mod flags;
mod functions;
mod host;
mod invocation;
mod missing_sizes;
mod named_contents;
mod output;
mod progress;
mod run;
mod settings;
mod targets;
mod values;

use arguments::Arguments;
use clap::{CommandFactory, FromArgMatches};
use exit::Exit;
use failure::Failure;
use premiss_check::with_response_files;
use premiss_source::FileSystem;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::thread;

/// Reading allocates and frees many small objects: it takes a sixth less time with this allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Deep nests lead to deep recursion in more than one place; memory is only committed as it is used.
const STACK: usize = 512 << 20;

fn main() -> ExitCode {
    without_huge_pages();
    guarded(|| {
        let words = match words(std::env::args_os().collect()) {
            Ok(words) => words,
            Err(failure) => return finish(Err(failure)),
        };
        if words.len() <= 1 {
            output::say(&first_steps::text(Path::new(".")));
            return Exit::Failure;
        }
        let matches = match Arguments::command().try_get_matches_from(words) {
            Ok(matches) => matches,
            Err(error) => return usage(&error),
        };
        match Arguments::from_arg_matches(&matches) {
            Ok(arguments) => finish(run::run(arguments, &matches)),
            Err(error) => usage(&error),
        }
    })
    .into()
}

/// The words of the command line, with those of response files if the option for them is among them. Only then: `@a.c`
/// may be a file, and a list of files may come from somewhere else.
fn words(words: Vec<OsString>) -> Result<Vec<OsString>, Failure> {
    let options = words.iter().take_while(|word| *word != "--");
    if !options.into_iter().any(|word| word == "--response-files") {
        return Ok(words);
    }
    let texts = words.into_iter().map(OsString::into_string).collect();
    let texts: Result<Vec<String>, OsString> = texts;
    let texts = texts.map_err(|word| {
        Failure::usage(format!(
            "`{}`: it is not UTF-8 text",
            word.to_string_lossy()
        ))
    })?;
    let all = with_response_files(&FileSystem::unconfined(), texts, Path::new(""))?;
    Ok(all.into_iter().map(OsString::from).collect())
}

/// The allocator requests huge pages, and most of each stays empty: clearing them would take a third of the time of a
/// check after an edit.
#[cfg(target_os = "linux")]
fn without_huge_pages() {
    // If the system refuses, the run only takes longer.
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}

#[cfg(not(target_os = "linux"))]
fn without_huge_pages() {}

/// Help and version go to standard output and are no failure; everything else is a usage error.
fn usage(error: &clap::Error) -> Exit {
    let _ = error.print();
    if error.use_stderr() {
        Exit::Failure
    } else {
        Exit::Clean
    }
}

fn finish(result: Result<Exit, Failure>) -> Exit {
    match result {
        Ok(exit) => exit,
        Err(Failure::Rendered(text)) => {
            output::say(&text);
            Exit::Failure
        }
        Err(Failure::Inconclusive(why)) => {
            output::say(&format!("premiss: {why}\n"));
            Exit::Inconclusive
        }
        Err(failure) => {
            output::say(&format!("error: {failure}\n"));
            Exit::Failure
        }
    }
}

/// Runs with enough stack, and turns a panic into a message and an exit code.
fn guarded(job: impl FnOnce() -> Exit + Send) -> Exit {
    std::panic::set_hook(Box::new(|panic| {
        output::say(&format!(
            "error: premiss has a bug: {panic}\n\
             please report it, with the file and the options that led here\n"
        ));
    }));
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK);
        match thread.spawn_scoped(scope, job) {
            Ok(thread) => thread.join().unwrap_or(Exit::Failure),
            Err(error) => finish(Err(Failure::File(format!(
                "cannot start a thread: {error}"
            )))),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_help_names_every_command() {
        let mut command = Arguments::command();
        let help = command.render_help().to_string();
        for name in command.get_subcommands().map(clap::Command::get_name) {
            let is_named = |line: &str| line.starts_with(&format!("  {name} "));
            assert!(help.lines().any(is_named) || name == "help", "{name}");
        }
        assert!(
            help.lines().all(|line| line.chars().count() <= 100),
            "{help}"
        );
    }

    #[test]
    fn a_panic_is_a_failure() {
        assert_eq!(guarded(|| panic!("on purpose")), Exit::Failure);
        assert_eq!(guarded(|| Exit::Findings), Exit::Findings);
    }
}
