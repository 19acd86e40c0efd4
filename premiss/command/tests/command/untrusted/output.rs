//! What a tree says through premiss: to terminals, CI servers and people.

use crate::{Folder, SCALE, premiss};
use std::fs;

/// Erases the screen, changes the title, reads backwards, and hides.
const CONTROLS: &str = "\u{1b}[2J\u{1b}]0;title\u{7}\u{9b}8m\u{202e}\u{2066}\u{200b}";

#[track_caller]
fn is_plain(text: &str) {
    let is_plain = |x: char| {
        let marks = ['\u{202e}', '\u{2066}', '\u{200b}'];
        x == '\n' || x == '\t' || !(x.is_control() || marks.contains(&x))
    };
    assert!(text.chars().all(is_plain), "{text:?}");
}

/// A file whose excerpts, messages and identifiers have all that might do something.
fn source() -> String {
    format!(
        "#error {CONTROLS} ::error::x @team\ndouble a[60][60]; // {CONTROLS}\nvoid f(void)\n{{\n  \
         for (int j = 0; j < 60; j++)\n    for (int i = 0; i < 60; i++)\n      \
         a[i][j] = 0; // {CONTROLS} ##[error]y\n  while (g(\"{CONTROLS}\")) a[0][0] = 1;\n}}\n"
    )
}

#[test]
fn nothing_of_a_source_controls_terminals_or_servers() {
    let folder = Folder::new("untrusted-controls");
    folder.write("a.c", &source());
    for format in [
        "text",
        "json",
        "sarif",
        "github",
        "gitlab",
        "junit",
        "markdown",
        "callgrind",
    ] {
        let run = folder.premiss(&["check", "a.c", "--format", format]);
        is_plain(&run.stdout);
        is_plain(&run.stderr);
        folder.premiss(&["check", "a.c", "--format", format, "-o", "out"]);
        is_plain(&folder.read("out"));
    }
    for arguments in [
        &["report", "a.c"][..],
        &["report", "a.c", "--format", "html"],
        &["report", "a.c", "--format", "json"],
        &["coverage", "a.c"],
        &["formula", "a.c"],
        &["dump", "a.c", "--stage", "tree"],
        &["explain", "a.c:7"],
        &["diff", "a.c", "a.c"],
    ] {
        let run = folder.premiss(arguments);
        is_plain(&run.stdout);
        is_plain(&run.stderr);
    }
    let run = folder.premiss(&["check", "a.c"]);
    assert!(
        run.stdout.contains("a[0][0]"),
        "excerpts are shown: {}",
        run.stderr
    );
}

#[test]
fn json_has_the_same_text_as_without_care() {
    let folder = Folder::new("untrusted-json");
    folder.write("a.c", &source());
    let run = folder.premiss(&["check", "a.c", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let text = json.to_string();
    assert!(text.contains('\u{202e}'), "{text}");
}

#[test]
fn no_line_commands_a_server() {
    let folder = Folder::new("untrusted-commands");
    let long = "x ".repeat(60);
    folder.write(
        "a.c",
        &format!("#error {long}::error::x {long}##[error]y ::stop-commands::z\n{SCALE}"),
    );
    for arguments in [
        &["check", "a.c"][..],
        &["report", "a.c"],
        &["check", "a.c", "--format", "github"],
    ] {
        let run = folder.premiss(arguments);
        let lines = run.stdout.lines().chain(run.stderr.lines());
        for line in lines.filter(|line| line.trim_start().starts_with("::")) {
            let own = [
                "::warning title=premiss",
                "::error title=premiss",
                "::notice title=premiss",
            ];
            assert!(own.iter().any(|own| line.starts_with(own)), "{line}");
        }
        assert!(
            !run.stdout.contains("##[") && !run.stderr.contains("##["),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn nobody_is_mentioned_in_markdown() {
    let folder = Folder::new("untrusted-mentions");
    folder.write("@team.c", &source());
    let run = folder.premiss(&["check", "--format", "markdown", "--", "@team.c"]);
    assert!(run.stdout.contains("@&#8203;team"), "{}", run.stdout);
    assert!(!run.stdout.contains("@team"), "{}", run.stdout);
}

#[test]
fn names_with_ends_of_lines_and_controls_are_refused() {
    let folder = Folder::new("untrusted-names");
    for name in ["a\n::error::x.c", "b\u{1b}[2J.c", "c\u{202e}c.h.c"] {
        folder.write(name, SCALE);
        for paths in [&[name][..], &["."]] {
            let run = folder.premiss(&[&["check", "--"], paths].concat()).exits(2);
            is_plain(&run.stderr);
            let run = run.tells("its name has characters that are invisible or end a line");
            assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        }
        folder.remove(name);
    }
    // Neither does a name that nobody has.
    let run = premiss(&["check", "--", "none\n::error::x.c"]).exits(2);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
}

#[test]
fn names_that_look_like_options_are_names() {
    let folder = Folder::new("untrusted-options");
    fs::create_dir_all(folder.0.join("out")).expect("a folder");
    let names = ["--exit-zero.c", "-oout", "--format=html", "@args.c"];
    for name in names {
        folder.write(name, SCALE);
    }
    folder.write("args.c", "--exit-zero\n");
    let arguments = ["coverage", "--response-files", "--"];
    let run = folder.premiss(&[&arguments[..], &names].concat()).exits(0);
    assert!(run.stdout.contains("Files: 4/4 parsed"), "{}", run.stdout);
    assert_eq!(
        fs::read_dir(folder.0.join("out"))
            .expect("a folder")
            .count(),
        0
    );
    // As options, they would be obeyed.
    folder
        .premiss(&["coverage", "--format=html", "args.c"])
        .exits(2);
}
