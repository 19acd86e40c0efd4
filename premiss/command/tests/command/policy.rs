//! A change is not judged by settings that it brings along.

use crate::Folder;
use crate::diff::BY_ROWS;
use serde_json::Value;

const SETTINGS: &str = "cache = [\"L1=4KiB,full,64\"]\n";

/// A repository whose working tree goes by columns, with the settings of its commit.
fn with(name: &str, settings: &str) -> Folder {
    let folder = Folder::repository(&format!("policy-{name}"));
    folder
        .write("src/k.c", BY_ROWS)
        .write("premiss.toml", settings)
        .commit();
    folder.write("src/k.c", &BY_ROWS.replace("a[i][j]", "a[j][i]"));
    folder
}

const DIFF: [&str; 4] = ["diff", "--base", "HEAD", "src"];

#[test]
fn settings_of_the_head_do_not_count_and_are_reported() {
    for (name, change, said) in [
        (
            "limit",
            "limit = \"1e9\"\n",
            "`limit`: not set, now \"1e9\"",
        ),
        (
            "limits",
            "[limits]\n\"*\" = \"1e9\"\n",
            "`limits.\"*\"`: not set",
        ),
        (
            "exclude",
            "exclude = [\"k.c\"]\n",
            "`exclude`: not set, now [\"k.c\"]",
        ),
        ("params", "[params]\nN = 2\n", "`params.N`: not set, now 2"),
        (
            "rules",
            "[rules]\nPM001 = \"off\"\n",
            "`rules.PM001`: not set, now \"off\"",
        ),
        ("define", "define = [\"f(x)=\"]\n", "`define`: not set"),
        (
            "baseline",
            "baseline = \"b.json\"\n",
            "`baseline`: not set, now \"b.json\"",
        ),
        (
            "malformed",
            "limit = 5\n",
            "the settings of the working tree are invalid",
        ),
    ] {
        let folder = with(name, SETTINGS);
        folder.write("premiss.toml", &format!("{SETTINGS}{change}"));
        let run = folder.premiss(&DIFF).exits(1);
        assert!(run.stdout.contains(said), "{name}: {}", run.stdout);
        for form in ["markdown", "github", "sarif"] {
            let run = folder.premiss(&[&DIFF[..], &["--format", form]].concat());
            assert!(
                run.stdout.contains("settings change"),
                "{form}: {}",
                run.stdout
            );
        }
    }
    let folder = with("config", SETTINGS);
    folder.write("premiss.toml", &format!("{SETTINGS}limit = \"1e9\"\n"));
    let own = [&DIFF[..], &["--config", "premiss.toml"]].concat();
    let run = folder.premiss(&own).exits(0);
    assert!(!run.stdout.contains("settings change"), "{}", run.stdout);
    let run = folder
        .premiss(&[&DIFF[..], &["--format", "json"]].concat())
        .exits(1);
    let json: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(json["policy_changes"][0], "`limit`: not set, now \"1e9\"");
}

#[test]
fn settings_that_stay_are_not_reported() {
    let folder = with("same", SETTINGS);
    folder.write("premiss.toml", &format!("# why\n{SETTINGS}"));
    let run = folder.premiss(&DIFF).exits(1);
    assert!(!run.stdout.contains("settings change"), "{}", run.stdout);
}

#[test]
fn files_that_settings_name_are_those_of_the_base() {
    let machine = "machine = \"m.toml\"\n";
    let folder = with("machine", "");
    let small = folder.premiss(&["machine", "show", "spr"]).exits(0).stdout;
    folder
        .write("m.toml", &small)
        .write("premiss.toml", machine);
    folder.write("src/k.c", BY_ROWS).commit();
    folder.write("src/k.c", &BY_ROWS.replace("a[i][j]", "a[j][i]"));
    let before = folder.premiss(&DIFF);
    assert!(
        !before.stdout.contains("settings change"),
        "{}",
        before.stdout
    );
    // A malformed file would be an error if it were read.
    folder.write("m.toml", "no machine\n");
    let run = folder.premiss(&DIFF);
    assert_eq!(run.code, before.code, "{}", run.stderr);
    assert!(
        run.stdout.contains("`m.toml` has other content"),
        "{}",
        run.stdout
    );
    folder
        .premiss(&[&DIFF[..], &["--config", "premiss.toml"]].concat())
        .exits(2)
        .says("m.toml");
}

#[test]
fn paths_of_settings_stay_inside_the_repository() {
    for setting in [
        "baseline = \"../b.json\"",
        "include = [\"inc\", \"/usr/include\"]",
        "functions = \"src/../../f.toml\"",
        "machine = \"../m.toml\"",
        "build = \"..\"",
    ] {
        let folder = with("outside", SETTINGS);
        let settings = match setting.starts_with("machine") {
            true => format!("{setting}\n"),
            false => format!("{SETTINGS}{setting}\n"),
        };
        folder.write("premiss.toml", &settings);
        folder
            .premiss(&["check", "src"])
            .exits(2)
            .says("leads out of the repository");
        folder
            .premiss(&[
                "check",
                "src",
                "--show-settings",
                "--config",
                "premiss.toml",
            ])
            .exits(0);
    }
}

#[cfg(unix)]
#[test]
fn links_of_settings_stay_inside_the_repository() {
    let folder = with("link", SETTINGS);
    std::os::unix::fs::symlink("/usr", folder.0.join("usr")).expect("it is made");
    folder.write("premiss.toml", "include = [\"usr/include\"]\n");
    folder
        .premiss(&["check", "src"])
        .exits(2)
        .says("leads out of the repository");
}
