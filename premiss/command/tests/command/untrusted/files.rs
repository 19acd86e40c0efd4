//! Files that a tree names, and that are none of it.

use super::ends;
use crate::{Folder, SCALE};
use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;

/// A repository in `tree`, beside which there is a file with what nobody shall see.
fn beside(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("outside/secret.h", "#define N 4\n#error the secret\n");
    folder.write("outside/machine.toml", "secret = 1\n");
    folder.write("tree/a.c", SCALE);
    let tree = Folder(folder.0.join("tree"));
    tree.git(&["init", "--quiet", "--initial-branch=main"])
        .commit();
    tree
}

/// What stands in messages about files that are not read.
const OUTSIDE: &str = "it is outside of the repository";

#[test]
fn included_files_do_not_lead_out() {
    let tree = beside("untrusted-include");
    let secret = tree.0.join("../outside/secret.h");
    let secret = secret
        .canonicalize()
        .expect("it is there")
        .display()
        .to_string();
    symlink(&secret, tree.0.join("link.h")).expect("a link");
    for name in ["../outside/secret.h", secret.as_str(), "link.h"] {
        tree.write("a.c", &format!("#include \"{name}\"\n{SCALE}"));
        tree.premiss(&["check", "a.c"]).tells("the secret");
        let run = tree
            .premiss(&["check", "--untrusted", "a.c"])
            .tells(OUTSIDE);
        assert!(!run.stdout.contains("the secret"), "{}", run.stdout);
        assert!(!run.stderr.contains("the secret"), "{}", run.stderr);
        // What the command line names is read.
        let named = ["check", "--untrusted", "-I", "../outside", "a.c"];
        tree.premiss(&named).tells("the secret");
    }
    tree.write(
        "f.f90",
        "subroutine f\n  include '../outside/secret.h'\nend subroutine\n",
    );
    tree.premiss(&["check", "--untrusted", "f.f90"])
        .tells(OUTSIDE);
}

#[test]
fn modules_of_rust_do_not_lead_out() {
    let tree = beside("untrusted-module");
    let module = "pub fn shift(x: &mut [f64]) {\n    for y in x {\n        *y *= 2.0;\n    }\n}\n";
    tree.write("../outside/m.rs", module)
        .write(
            "Cargo.toml",
            "[package]\nname = \"p\"\nedition = \"2021\"\n",
        )
        .write(
            "src/lib.rs",
            "#[path = \"../../outside/m.rs\"]\nmod m;\nmod n;\n",
        );
    symlink("../../outside/m.rs", tree.0.join("src/n.rs")).expect("a link");
    let run = tree.premiss(&["check", "--untrusted", "."]);
    // They are told as modules that are not there.
    let run = run.tells("../../outside/m.rs").tells("not-read");
    assert!(!run.stdout.contains("shift"), "{}", run.stdout);
}

#[test]
fn links_in_place_of_sources_are_refused() {
    let tree = beside("untrusted-link");
    symlink("../outside/secret.h", tree.0.join("b.c")).expect("a link");
    for paths in [&["b.c"][..], &["."], &["a.c", "b.c"]] {
        let run = tree.premiss(&[&["check", "--untrusted"], paths].concat());
        let run = run.exits(2).tells("b.c`: it is outside of the repository");
        assert!(!run.stdout.contains("the secret"), "{}", run.stdout);
        assert!(!run.stderr.contains("the secret"), "{}", run.stderr);
    }
    tree.remove("b.c");
    symlink("a.c", tree.0.join("b.c")).expect("a link");
    tree.premiss(&["coverage", "--untrusted", "b.c"]).exits(0);
}

#[test]
fn links_to_folders_are_not_followed_out() {
    let tree = beside("untrusted-folder");
    symlink("../outside", tree.0.join("link")).expect("a link");
    let list = ["check", "--show-files", "."];
    tree.premiss(&list).exits(0);
    let run = tree.premiss(&[&list[..], &["--untrusted"]].concat());
    run.exits(2).tells("link`: it is outside of the repository");
    let check = ["check", "--untrusted", "-P", "n=10", "."];
    let run = tree.premiss(&check);
    run.exits(2).tells("link`: it is outside of the repository");
}

#[test]
fn settings_do_not_lead_out() {
    let tree = beside("untrusted-settings");
    for setting in [
        "machine = \"../outside/machine.toml\"",
        "functions = \"../outside/machine.toml\"",
        "baseline = \"../outside/machine.toml\"",
        "build = \"../outside\"",
        "include = [\"../outside\"]",
        "include = [\"/usr/include\"]",
    ] {
        tree.write("premiss.toml", setting);
        let run = tree.premiss(&["check", "--untrusted", "a.c"]);
        run.exits(2)
            .tells("leads out of the repository")
            .tells("premiss.toml:1:");
    }
    tree.remove("premiss.toml");
    // The user may name what the tree may not.
    let named = [
        "check",
        "--untrusted",
        "--machine",
        "../outside/machine.toml",
        "a.c",
    ];
    tree.premiss(&named)
        .exits(2)
        .tells("`../outside/machine.toml`:");
    tree.write("../outside/own.toml", "machine = \"machine.toml\"\n");
    let named = [
        "check",
        "--untrusted",
        "--config",
        "../outside/own.toml",
        "a.c",
    ];
    tree.premiss(&named)
        .exits(2)
        .tells("`../outside/machine.toml`:");
    symlink("../outside/machine.toml", tree.0.join("premiss.toml")).expect("a link");
    let run = tree.premiss(&["check", "--untrusted", "a.c"]).exits(2);
    assert!(!run.stderr.contains("secret"), "{}", run.stderr);
}

#[test]
fn builds_do_not_lead_out() {
    let tree = beside("untrusted-build");
    tree.write("a.c", &format!("#include \"secret.h\"\n{SCALE}"));
    tree.write("flags.rsp", "-I../outside\n");
    for command in [
        "cc -I../outside -c a.c",
        "cc @flags.rsp -c a.c",
        "cc -include ../outside/secret.h -c a.c",
    ] {
        let entry =
            format!("[{{\"directory\": \".\", \"file\": \"a.c\", \"command\": \"{command}\"}}]");
        tree.write("compile_commands.json", &entry);
        tree.premiss(&["check", "a.c"]).tells("the secret");
        let run = tree
            .premiss(&["check", "--untrusted", "a.c"])
            .tells(OUTSIDE);
        assert!(!run.stdout.contains("the secret"), "{}", run.stdout);
        assert!(!run.stderr.contains("the secret"), "{}", run.stderr);
    }
    let outside = "[{\"directory\": \".\", \"file\": \"../outside/secret.h\", \"command\": \"cc -x c ../outside/secret.h\"}]";
    tree.write("compile_commands.json", outside);
    let run = tree.premiss(&["check", "--untrusted"]).exits(2);
    assert!(!run.stdout.contains("the secret"), "{}", run.stdout);
    assert!(!run.stderr.contains("the secret"), "{}", run.stderr);
}

#[test]
fn pipes_and_devices_hold_up_no_run() {
    let tree = beside("untrusted-pipe");
    let made = Command::new("mkfifo").arg(tree.0.join("pipe.h")).status();
    assert!(made.expect("mkfifo starts").success());
    symlink("/dev/zero", tree.0.join("zero.h")).expect("a link");
    for header in ["pipe.h", "zero.h", "/dev/zero", "/dev/tty"] {
        tree.write("b.c", &format!("#include \"{header}\"\n{SCALE}"));
        tree.write(
            "b.f90",
            &format!("subroutine f\n  include '{header}'\nend subroutine\n"),
        );
        for file in ["b.c", "b.f90"] {
            ends(&tree, &["check", file]).tells("it is a device, a pipe or a socket");
            ends(&tree, &["check", "--untrusted", file]).tells("is not read");
        }
    }
    fs::rename(tree.0.join("pipe.h"), tree.0.join("pipe.c")).expect("it is ours");
    for arguments in [["check", "pipe.c"], ["report", "pipe.c"]] {
        ends(&tree, &arguments)
            .exits(2)
            .tells("pipe.c`: it is a device, a pipe or a socket");
    }
    ends(&tree, &["check", "."]).tells("it is a device, a pipe or a socket");
    ends(&tree, &["diff", "--base", "HEAD", "."]).exits(3);
    for (setting, name) in [
        ("machine", "m.toml"),
        ("functions", "f.toml"),
        ("baseline", "b.json"),
    ] {
        fs::rename(tree.0.join("pipe.c"), tree.0.join(name)).expect("it is ours");
        tree.write("premiss.toml", &format!("{setting} = \"{name}\"\n"));
        ends(&tree, &["check", "a.c"])
            .exits(2)
            .tells("it is a device, a pipe or a socket");
        fs::rename(tree.0.join(name), tree.0.join("pipe.c")).expect("it is ours");
    }
    tree.remove("premiss.toml");
    fs::rename(tree.0.join("pipe.c"), tree.0.join("compile_commands.json")).expect("it is ours");
    ends(&tree, &["coverage", "a.c"]).exits(0);
}

#[test]
fn huge_files_are_not_read() {
    let tree = beside("untrusted-huge");
    let file = File::create(tree.0.join("huge.c")).expect("a file");
    file.set_len(65 << 20).expect("a length");
    let run = ends(&tree, &["check", "--untrusted", "huge.c"]);
    run.exits(2).tells("`huge.c`: it has more than 64 MiB");
    tree.write("a.c", &format!("#include \"huge.c\"\n{SCALE}"));
    ends(&tree, &["check", "--untrusted", "a.c"]).tells("it has more than 64 MiB");
}

#[test]
fn the_cache_is_the_user_s_own() {
    let tree = beside("untrusted-cache");
    let home = tree.0.join("home");
    fs::create_dir_all(&home).expect("a folder");
    let variables = [
        ("HOME", home.to_str().expect("text")),
        ("PREMISS_CACHE_KEY", ""),
    ];
    let check = || tree.premiss_with(&variables, &["check", "a.c", "-P", "n=100"]);
    let first = check();
    let mode = |path: &str| {
        let metadata = fs::metadata(home.join(path)).expect(path);
        metadata.permissions().mode() & 0o777
    };
    assert_eq!(mode(".local/state/premiss/cache.key"), 0o600);
    assert_eq!(mode(".cache/premiss"), 0o700);
    assert_eq!(check().stdout, first.stdout);
    let permit = |path: &str, mode| {
        fs::set_permissions(home.join(path), fs::Permissions::from_mode(mode)).expect(path);
    };
    permit(".cache/premiss", 0o777);
    check().tells("is not used: others may write to it");
    permit(".cache/premiss", 0o700);
    permit(".local/state/premiss/cache.key", 0o644);
    check().tells("cache.key`: others may access it");
}
