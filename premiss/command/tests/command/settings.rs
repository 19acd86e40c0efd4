//! Settings: files, variables and options, and which of them counts.

use crate::{Folder, Run};

/// Misses on every element, where `n` has a value.
const COLUMNS: &str = "double s;\nvoid f(int n, double a[n][16])\n{\n  for (int j = 0; j < 16; j++)\n    \
                       for (int i = 0; i < n; i++)\n      s += a[i][j];\n}\n";

fn project(name: &str, settings: &str) -> Folder {
    let folder = Folder::repository(name);
    folder.write("src/k.c", COLUMNS);
    folder.write("premiss.toml", settings);
    folder
}

#[track_caller]
fn has(run: &Run, part: &str) {
    assert!(run.stdout.contains(part), "{part:?} not in {}", run.stdout);
}

#[test]
fn the_nearest_file_counts_up_to_the_root_of_the_repository() {
    let folder = Folder::repository("nearest");
    folder.write("k.c", COLUMNS).write("src/deep/k.c", COLUMNS);
    folder.write("premiss.toml", "[params]\nn = 200\n");
    let size = |below: &str| folder.premiss_in(below, &["report", "k.c"]);
    has(&size("").exits(0), "n=200");
    has(&size("src/deep").exits(0), "n=200");
    folder.write("src/.premiss.toml", "[params]\nn = 300\n");
    has(&size("src/deep").exits(0), "n=300");
    // Manifests count where they have a table for it.
    folder.write("src/deep/Cargo.toml", "[package]\nname = \"x\"\n");
    has(&size("src/deep").exits(0), "n=300");
    folder.write(
        "src/deep/Cargo.toml",
        "[workspace.metadata.premiss.params]\nn = 400\n",
    );
    has(&size("src/deep").exits(0), "n=400");
    folder.write(
        "src/deep/Cargo.toml",
        "[package.metadata.premiss.params]\nn = 500\n",
    );
    has(&size("src/deep").exits(0), "n=500");
    folder.remove("src/deep/Cargo.toml");
    folder.write(
        "src/deep/fpm.toml",
        "name = \"x\"\n[extra.premiss]\nparams = { n = 600 }\n",
    );
    has(&size("src/deep").exits(0), "n=600");
    folder
        .premiss_in("src/deep", &["report", "k.c", "--isolated"])
        .exits(3);
}

#[test]
fn nothing_is_read_beyond_the_repository() {
    let outer = Folder::new("beyond");
    outer.write("premiss.toml", "[params]\nn = 200\n");
    outer
        .write("inner/k.c", COLUMNS)
        .write("inner/.git/HEAD", "");
    outer.premiss_in("inner", &["report", "k.c"]).exits(3);
}

#[test]
fn options_count_before_variables_before_files_before_defaults() {
    let folder = project("order", "machine = \"zen4\"\nparams = { n = 200 }\n");
    let run = |variables: &[(&str, &str)], more: &[&str]| {
        let arguments = [&["check", "src", "--show-settings"][..], more].concat();
        folder.premiss_with(variables, &arguments).exits(0).stdout
    };
    let shown = run(&[], &[]);
    assert_eq!(
        shown,
        "machine = \"zen4\"         # premiss.toml:1\n\
         missing-flags = \"error\"  # default\n\
         params.n = 200           # premiss.toml:2\n"
    );
    let toml: toml::Table = shown.parse().expect("it is TOML itself");
    assert_eq!(toml["machine"].as_str(), Some("zen4"));
    let variables = [("PREMISS_MACHINE", "spr"), ("PREMISS_PARAMS", "n=300,m=1")];
    let shown = run(&variables, &["-P", "n=400"]);
    assert!(
        shown.contains("machine = \"spr\"          # PREMISS_MACHINE\n"),
        "{shown}"
    );
    assert!(
        shown.contains("params.n = 400           # command line\n"),
        "{shown}"
    );
    assert!(
        shown.contains("params.m = 1             # PREMISS_PARAMS\n"),
        "{shown}"
    );
    let shown = run(&variables, &["--cache", "L1=4KiB,full,64"]);
    assert!(shown.contains("cache = [\"L1=4KiB,full,64\"]"), "{shown}");
    assert!(!shown.contains("machine"), "{shown}");
    let shown = run(&[], &["--isolated"]);
    assert!(
        shown.contains("machine = \"spr\"          # default\n"),
        "{shown}"
    );
    assert!(!shown.contains("params"), "{shown}");
    folder.write("other.toml", "params = { n = 700 }\n");
    let shown = run(&[("PREMISS_CONFIG", "other.toml")], &[]);
    assert!(
        shown.contains("params.n = 700           # other.toml:1\n"),
        "{shown}"
    );
    let shown = run(
        &[("PREMISS_CONFIG", "none.toml")],
        &["--config", "other.toml"],
    );
    assert!(shown.contains("other.toml:1"), "{shown}");
}

#[test]
fn patterns_give_sizes_to_some_files() {
    let folder = project(
        "globs",
        "[params]\nn = 200\n[params.\"src/big/*\"]\nn = 300\n",
    );
    folder.write("src/big/b.c", COLUMNS);
    has(&folder.premiss(&["report", "src/k.c"]).exits(0), "n=200");
    has(
        &folder.premiss(&["report", "src/big/b.c"]).exits(0),
        "n=300",
    );
    let run = folder.premiss_in("src/big", &["report", "b.c", "-P", "n=400"]);
    has(&run.exits(0), "n=400");
    // A size that no file uses is no mistake there: others may.
    folder.write("premiss.toml", "[params]\nn = 200\nmore = 5\n");
    folder.premiss(&["report", "src/k.c"]).exits(0);
    let sweep = ["sweep", "src/k.c", "-P", "n=64..128"];
    has(&folder.premiss(&sweep).exits(0), " 64 ");
    has(
        &folder.premiss(&["formula", "src/k.c"]).exits(0),
        "at distance n − 1",
    );
}

#[test]
fn what_is_excluded_is_left_out_unless_it_is_named() {
    let folder = project(
        "exclude",
        "exclude = [\"old\", \"src/*_test.c\"]\n[params]\nn = 50\n",
    );
    folder
        .write("src/k_test.c", COLUMNS)
        .write("old/src/o.c", COLUMNS);
    let run = folder.premiss(&["coverage", "."]).exits(0);
    has(&run, "Files: 1/1 parsed");
    let run = folder
        .premiss(&["coverage", "src", "src/k_test.c"])
        .exits(0);
    has(&run, "Files: 2/2 parsed");
}

#[test]
fn paths_start_at_the_folder_of_the_file() {
    let settings =
        "include = [\"inc\"]\ndefine = [\"K=5\", \"N=7\"]\nmachine = \"machines/m.toml\"\n";
    let folder = project("paths", settings);
    folder.write("inc/size.h", "#define M 11\n");
    folder.write(
        "machines/m.toml",
        "name = 'm'\n[[cache]]\nname = 'L1'\nsize = 4096\nways = 'full'\nline = 64\n",
    );
    folder.write(
        "src/k.c",
        "#include \"size.h\"\nvoid f(double *a)\n{\n  for (int i = 0; i < M + K + N; i++)\n    a[i] = 0;\n}\n",
    );
    let run = folder
        .premiss_in("src", &["report", "k.c", "-D", "N=10"])
        .exits(0);
    has(&run, "26 accesses");
    has(&run, "m@");
}

#[test]
fn rules_weigh_what_settings_say() {
    let folder = project("rules", "[params]\nn = 2000\n");
    let codes = |settings: &str| {
        folder.write("premiss.toml", &format!("[params]\nn = 2000\n{settings}"));
        folder.premiss(&["check", "src"])
    };
    has(&codes("").exits(1), "PM007");
    let all =
        "[rules]\nPM007 = \"off\"\npoor-line-use = \"off\"\nPM005 = \"off\"\nPM003 = \"off\"\n";
    let run = codes(all).exits(0);
    assert!(!run.stdout.contains("PM00"), "{}", run.stdout);
    let notes = all.replace("off", "note");
    has(&codes(&notes).exits(0), "PM007");
    let errors = all.replace("PM007 = \"off\"", "PM007 = \"error\"");
    codes(&errors).exits(1);
    let run = folder
        .premiss(&["check", "src", "--format", "github"])
        .exits(1);
    has(&run, "::error title=premiss (PM007)");
}

#[test]
fn a_comment_about_a_rule_that_is_off_is_not_unused() {
    let settings = "[params]\nn = 2000\n[rules]\nPM007 = \"off\"\nPM002 = \"off\"\nPM003 = \"off\"\nPM005 = \"off\"\n";
    let folder = project("off", settings);
    let text = COLUMNS.replace(
        "      s +=",
        "      // premiss:ignore[PM007] rows are few\n      s +=",
    );
    folder.write("src/k.c", &text);
    folder.premiss(&["check", "src"]).exits(0);
}

#[test]
fn what_has_no_meaning_is_2_with_its_place() {
    let refuse = |settings: &str, says: &str, place: &str| {
        let folder = project("wrong", settings);
        folder
            .premiss(&["check", "src"])
            .exits(2)
            .says(says)
            .says(&format!("premiss.toml:{place}"));
    };
    refuse("machin = \"spr\"", "did you mean `machine`?", "1:1");
    refuse("\nmachine = 5", "text is expected, not integer", "2:11");
    refuse("missing-flags = \"skp\"", "did you mean `skip`?", "1:17");
    refuse("min-coverage = 101", "from 0 to 100", "1:16");
    refuse(
        "[rules]\nPM099 = \"off\"",
        "there is no rule `PM099`",
        "2:1",
    );
    refuse("[rules]\nPM001 = \"of\"", "did you mean `off`?", "2:9");
    refuse("[params]\nn = \"x\"", "an integer", "2:5");
    refuse("exclude = [\"a[\"]", "is no pattern", "1:11");
    refuse("params = 5", "a table of sizes", "1:10");
    refuse("machine = ", "", "1:");
    refuse(
        "cache = [\"L1=4K,8,64\"]\nmachine = \"spr\"",
        "levels of its own",
        "1:1",
    );
    let folder = project("wrong", "");
    folder
        .premiss(&["check", "src", "--config", "none.toml"])
        .exits(2)
        .says("no such file");
    folder.write("Cargo.toml", "[package]\nname = \"x\"\n");
    folder
        .premiss(&["check", "src", "--config", "Cargo.toml"])
        .exits(2)
        .says("no table of settings");
    folder
        .premiss_with(&[("PREMISS_PARAMS", "n")], &["check", "src"])
        .exits(2)
        .says("PREMISS_PARAMS");
    // All that is wrong is said at once.
    folder.write("premiss.toml", "machin = 1\nbuilt = 2\n");
    folder
        .premiss(&["check", "src"])
        .exits(2)
        .says("`machine`")
        .says("`build`");
}

#[test]
fn init_writes_settings_that_can_be_read() {
    let folder = Folder::repository("init");
    folder.write("src/k.c", COLUMNS);
    folder.premiss(&["init"]).exits(0);
    let text = folder.read("premiss.toml");
    folder
        .premiss(&["check", "src", "-P", "n=10", "--show-settings"])
        .exits(0);
    folder
        .premiss(&["init"])
        .exits(2)
        .says("it is there already");
    // Every setting is there to be uncommented, and means what the command understands.
    let is_example =
        |line: &str| line.contains(" = ") && !line.contains(',') || line.starts_with("# [");
    let plain: String = text
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(rest) if is_example(line) || rest.starts_with("\"init_") => format!("{rest}\n"),
            Some(rest) if rest.contains(" = [") || rest.starts_with("limit = ") => {
                format!("{rest}\n")
            }
            _ => format!("{line}\n"),
        })
        .collect();
    let keys: toml::Table = plain.parse().expect("it is TOML");
    let known = [
        "machine",
        "cache",
        "tlb",
        "build",
        "missing-flags",
        "include",
        "define",
        "functions",
        "exclude",
        "min-coverage",
        "baseline",
        "limit",
        "limits",
        "params",
        "rules",
    ];
    let found: Vec<&str> = keys.keys().map(String::as_str).collect();
    for key in known {
        assert!(found.contains(&key), "{key} is not explained: {found:?}");
    }
    // A machine and levels are one choice.
    let plain = plain.replace("machine = \"spr\"\n", "");
    folder.write("premiss.toml", &plain);
    folder
        .premiss(&["check", "src", "--show-settings"])
        .exits(0);
    folder
        .premiss(&["diff", "src", "src", "--show-settings"])
        .exits(0);
}

#[test]
fn limits_are_of_all_kernels_or_of_some() {
    let settings = "cache = [\"L1=4KiB,full,64\"]\nparams = { n = 2000 }\n";
    let folder = project("limits", settings);
    folder.write("src/k.c", &COLUMNS.replace("a[i][j]", "a[0][j]"));
    folder.commit().write("src/k.c", COLUMNS);
    let code = |more: &str, code: i32| {
        folder.write("premiss.toml", &format!("{settings}{more}"));
        folder
            .premiss(&["diff", "--base", "HEAD", "src", "--config", "premiss.toml"])
            .exits(code)
    };
    code("", 1);
    code("limit = \"l1_miss=1e9,mem_bytes=1e9\"\n", 0);
    code("[limits]\n\"f*\" = \"l1_miss=1e9,mem_bytes=1e9\"\n", 0);
    code("[limits]\n\"g*\" = \"l1_miss=1e9,mem_bytes=1e9\"\n", 1);
    code("limit = \"l7_miss=1\"\n", 2).says("l1_miss, mem_bytes");
    code("[limits]\n\"f*\" = \"l1_miss=x\"\n", 2).says("f*");
    code("[limits]\n\"f[\" = \"l1_miss=1\"\n", 2).says("premiss.toml:4:1");
}
