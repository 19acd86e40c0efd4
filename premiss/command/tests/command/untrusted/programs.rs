//! Programs that a tree names, and that nobody may run.

use crate::{Folder, SCALE};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

/// The file that exists if a program of the tree ran.
const TRACE: &str = "it-ran";

/// Writes a program to a path that leaves a trace in the folder, whatever its arguments are; returns its absolute path.
fn program(folder: &Folder, path: &str) -> String {
    let trace = folder.0.join(TRACE).display().to_string();
    folder.write(path, &format!("#!/bin/sh\necho \"$0\" >> '{trace}'\n"));
    let whole = folder.0.join(path);
    fs::set_permissions(&whole, fs::Permissions::from_mode(0o755)).expect("it is ours");
    whole.display().to_string()
}

/// Whether a program ran; forgets it.
fn ran(folder: &Folder) -> bool {
    fs::remove_file(folder.0.join(TRACE)).is_ok()
}

#[track_caller]
fn nothing_ran(folder: &Folder) {
    let trace = fs::read_to_string(folder.0.join(TRACE)).unwrap_or_default();
    assert_eq!(trace, "", "it ran");
}

/// A package whose settings of Cargo and rustup name programs of the tree.
fn package(name: &str) -> Folder {
    let folder = Folder::repository(name);
    folder
        .write(
            "Cargo.toml",
            "[package]\nname = \"p\"\nedition = \"2021\"\n",
        )
        .write(
            "src/lib.rs",
            "pub fn scale(x: &mut [f64]) {\n    for y in x {\n        *y *= 2.0;\n    }\n}\n",
        )
        .write("src/forgotten.rs", "")
        .write("build.rs", "fn main() {}\n");
    program(&folder, "chain/bin/cargo");
    program(&folder, "chain/bin/rustc");
    let wrapper = program(&folder, "wrapper");
    let chain = folder.0.join("chain").display().to_string();
    folder
        .write(
            "rust-toolchain.toml",
            &format!("[toolchain]\npath = \"{chain}\"\n"),
        )
        .write(
            ".cargo/config.toml",
            &format!("[build]\nrustc = \"{wrapper}\"\nrustc-wrapper = \"{wrapper}\"\n"),
        );
    folder
}

#[test]
fn a_package_is_read_without_its_toolchain() {
    let folder = package("untrusted-toolchain");
    let mut metadata = Command::new("cargo");
    metadata.args([
        "metadata",
        "--no-deps",
        "--offline",
        "--format-version",
        "1",
    ]);
    let _ = metadata
        .current_dir(&folder.0)
        .env_remove("RUSTUP_TOOLCHAIN")
        .output();
    // Without rustup, there is no toolchain file to obey.
    let is_obeyed = ran(&folder);
    let has_rustup = Command::new("rustup").arg("--version").output().is_ok();
    assert!(is_obeyed || !has_rustup, "Cargo obeys the tree");
    for arguments in [
        &["check", "."][..],
        &["coverage", "."],
        &["check", "--untrusted", "."],
    ] {
        let run = folder.premiss(arguments);
        nothing_ran(&folder);
        assert!(!run.stdout.contains("forgotten.rs"), "{}", run.stdout);
        assert!(!run.stderr.contains("all *.rs are read"), "{}", run.stderr);
    }
    let run = folder.premiss(&["coverage", "."]).exits(0);
    assert!(run.stdout.contains("Files: 1/1 parsed"), "{}", run.stdout);
}

/// A repository with a base, a change, and a configuration that names a program for all that git may run.
fn repository(name: &str) -> Folder {
    let folder = Folder::repository(name);
    // Git is asked whether the header and the source are ignored.
    let source = format!("#include \"gen.h\"\n{SCALE}");
    folder
        .write("a.c", &source)
        .write(".gitignore", "*.h\nb.c\n")
        .commit();
    let named = program(&folder, ".git/named");
    for hook in [
        "post-index-change",
        "pre-auto-gc",
        "reference-transaction",
        "post-checkout",
    ] {
        program(&folder, &format!(".git/hooks/{hook}"));
    }
    for key in [
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "core.gitProxy",
        "core.askPass",
        "core.editor",
        "core.alternateRefsCommand",
        "credential.helper",
        "diff.external",
        "diff.evil.textconv",
        "diff.evil.command",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "pager.ls-tree",
        "pager.cat-file",
        "gpg.program",
    ] {
        folder.git(&["config", key, &named]);
    }
    folder
        .write(".gitattributes", "* filter=evil diff=evil\n")
        .write("a.c", &source.replace("2", "3"))
        .write("gen.h", "#define N 3\n")
        .write("b.c", &source);
    folder
}

#[test]
fn git_runs_nothing_that_a_repository_names() {
    let folder = repository("untrusted-git");
    let git = Command::new("git")
        .args(["status"])
        .current_dir(&folder.0)
        .output();
    git.expect("git starts");
    assert!(ran(&folder), "git obeys the repository");
    for arguments in [
        &["diff", "--base", "HEAD", "."][..],
        &["diff", "--base", "main", "--untrusted"],
        &["check", "."],
    ] {
        folder.premiss(arguments);
        nothing_ran(&folder);
    }
    folder.premiss(&["diff", "--base", "HEAD", "a.c"]).exits(0);
}

#[test]
fn objects_that_are_missing_are_not_fetched_by_a_program_of_the_repository() {
    let folder = repository("untrusted-promisor");
    let helper = program(&folder, ".git/helper");
    for (key, value) in [
        ("extensions.partialClone", "origin"),
        ("core.repositoryFormatVersion", "1"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", &format!("ext::{helper}")),
        ("protocol.ext.allow", "always"),
        ("protocol.allow", "always"),
    ] {
        folder.git(&["config", key, value]);
    }
    let blob = Command::new("git")
        .args(["rev-parse", "HEAD:a.c"])
        .current_dir(&folder.0)
        .output();
    let blob = String::from_utf8(blob.expect("git starts").stdout).expect("a name");
    let (start, rest) = blob.trim().split_at(2);
    fs::remove_file(folder.0.join(".git/objects").join(start).join(rest)).expect("it is there");
    let fetched = Command::new("git")
        .args(["cat-file", "-p", "HEAD:a.c"])
        .current_dir(&folder.0)
        .output();
    fetched.expect("git starts");
    assert!(ran(&folder), "git fetches by a program");
    let run = folder.premiss(&["diff", "--base", "HEAD", "a.c"]).exits(2);
    nothing_ran(&folder);
    run.tells("`a.c`: git cannot read it as it was at HEAD: the repository lacks the object");
}

#[test]
fn a_folder_that_looks_like_the_inside_of_a_repository_is_none() {
    let folder = Folder::repository("untrusted-bare");
    folder.write("docs/a.c", SCALE);
    let named = program(&folder, "named");
    folder.git(&["init", "--quiet", "--bare", "docs"]);
    let inside = folder.0.join("docs");
    for (key, value) in [
        ("core.bare", "false"),
        ("core.worktree", inside.to_str().expect("text")),
        ("core.fsmonitor", &named),
    ] {
        folder.git(&["config", "--file", "docs/config", key, value]);
    }
    let git = Command::new("git")
        .args(["status"])
        .current_dir(&inside)
        .output();
    git.expect("git starts");
    assert!(ran(&folder), "git obeys the folder");
    let run = folder.premiss_in("docs", &["diff", "--base", "HEAD", "a.c"]);
    nothing_ran(&folder);
    run.exits(2).tells("cannot use bare repository");
}

#[test]
fn what_a_repository_says_of_objects_does_not_replace_them() {
    let folder = Folder::repository("untrusted-replace");
    folder.write(
        "a.c",
        "double x[100000];\nvoid f(void)\n{\n  for (int i = 0; i < 10; i++)\n    x[i] = 0;\n}\n",
    );
    folder.commit();
    folder
        .write("a.c", &folder.read("a.c").replace("10;", "100000;"))
        .commit();
    folder.git(&["replace", "HEAD~1", "HEAD"]);
    // The base is that of the history, and not the one that stands for it.
    folder
        .premiss(&["diff", "--base", "HEAD~1", "a.c"])
        .exits(1);
}

#[test]
fn repositories_of_others_are_those_that_the_user_declares_safe() {
    // Who owns a folder cannot be changed without privileges.
    let folder = Folder::repository("untrusted-owner");
    folder.write("a.c", SCALE).commit();
    let changed = Command::new("chown")
        .args(["-R", "12345"])
        .arg(&folder.0)
        .status();
    if !changed.is_ok_and(|status| status.success()) {
        return;
    }
    let home = folder.0.join("home");
    fs::create_dir_all(&home).expect("a folder");
    let home = home.display().to_string();
    let run =
        |home: &str| folder.premiss_with(&[("HOME", home)], &["diff", "--base", "HEAD", "a.c"]);
    run(&home).exits(2).tells("dubious ownership");
    // The word of the repository itself does not count.
    let own = format!("[safe]\n\tdirectory = {}\n", folder.0.display());
    let config = folder.read(".git/config");
    folder.write(".git/config", &format!("{config}{own}"));
    run(&home).exits(2).tells("dubious ownership");
    folder.write("home/.gitconfig", &own);
    run(&home).exits(0);
}
