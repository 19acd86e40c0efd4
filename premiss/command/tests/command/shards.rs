//! Shards of a check, and what merging them comes to: the same as one check of everything, or nothing at all.

use crate::{Folder, Run, SCALE, command};
use serde_json::Value;
use std::fs;

/// Calls into another file, a finding in a header, and comments that silence something, nothing, and are none.
const FILES: [(&str, &str); 10] = [
    (
        "c/sizes.h",
        "#define N 300\nstatic double down(double a[N][N])\n{\n  double s = 0;\n  for (int j = 0; j < N; j++)\n    \
         for (int i = 0; i < N; i++)\n      s += a[i][j];\n  return s;\n}\n",
    ),
    (
        "c/main.c",
        "#include \"sizes.h\"\nvoid scale(int n, double x[N][N]);\ndouble a[N][N];\ndouble trace(void)\n{\n  \
         scale(N, a);\n  return down(a);\n}\n",
    ),
    (
        "c/scale.c",
        "#include \"sizes.h\"\nvoid scale(int n, double x[N][N])\n{\n  for (int j = 0; j < n; j++)\n    \
         for (int i = 0; i < n; i++)\n      x[i][j] *= 2; // premiss:ignore[PM007] few columns\n}\n\
         double again(double x[N][N]) { return down(x); }\n",
    ),
    (
        "c/search.c",
        "// premiss:ignore-file[PM005] nothing has it\nvoid search(double *x)\n{\n  \
         for (int i = 0; i < 9; i++)\n    while (x[i] > 0) x[i] /= 2; // premiss:ignore\n}\n",
    ),
    (
        "c/broken.c",
        "double z[2000][2000];\nvoid f(int n\n{\nvoid g(void)\n{\n  for (int j = 0; j < 2000; j++)\n    \
         for (int i = 0; i < 2000; i++)\n      z[i][j] = \"\u{e9}\"[0];\n}\n",
    ),
    ("c/bytes.c", "#include \"nowhere.h\"\nint unused;\n"),
    (
        "f/main.f90",
        "program main\n  real(8) :: a(400, 400)\n  call fill(400, a)\nend program\n",
    ),
    (
        "f/fill.f",
        "      SUBROUTINE FILL(N, A)\n      INTEGER N, I, J\n      REAL*8 A(N, N)\n      DO 10 I = 1, N\n        \
         DO 10 J = 1, N\n          A(I, J) = A(I, J) + 1\n10    CONTINUE\n      END\n",
    ),
    (
        "r/lib.rs",
        "pub fn whole(a: &mut [[f64; 500]; 500]) {\n    rows::each(a);\n}\npub mod rows;\n",
    ),
    (
        "r/rows.rs",
        "pub fn each(a: &mut [[f64; 500]; 500]) {\n    for j in 0..500 {\n        for i in 0..500 {\n            \
         a[i][j] += 1.0;\n        }\n    }\n}\n",
    ),
];
const FORMS: &str = "text,json:OUT.json,sarif:OUT.sarif,github:OUT.github,gitlab:OUT.gitlab,junit:OUT.xml,\
                     markdown:OUT.md,callgrind:OUT.callgrind";
const WRITTEN: [&str; 7] = [
    "json",
    "sarif",
    "github",
    "gitlab",
    "xml",
    "md",
    "callgrind",
];
const CACHE: [&str; 2] = ["--cache", "L1=4KiB,4,64"];

fn project(name: &str) -> Folder {
    let folder = Folder::repository(name);
    for (path, text) in FILES {
        folder.write(path, text);
    }
    // A byte that is no text.
    let bytes = [folder.read("c/bytes.c").as_bytes(), b"// \xff\n"].concat();
    fs::write(folder.0.join("c/bytes.c"), bytes).expect("it is ours");
    folder
}

/// What a shard of the whole project is asked.
fn of_shard<'a>(shard: &'a str, form: &'a str) -> [&'a str; 8] {
    ["check", "c", "f", "r", "--shard", shard, "--format", form]
}

/// Lets all shards write their parts, `part-1.json` and so on; yields what these are called.
fn shards(folder: &Folder, n: u32, more: &[&str]) -> Vec<String> {
    let one = |number: u32| {
        let part = format!("part-{number}.json");
        let (shard, form) = (format!("{number}/{n}"), format!("json:{part}"));
        folder
            .premiss(&[&of_shard(&shard, &form), more].concat())
            .exits(0);
        part
    };
    (1..=n).map(one).collect()
}

fn merge(folder: &Folder, parts: &[String], more: &[&str]) -> Run {
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    folder.premiss(&[&["merge"], &parts[..], more].concat())
}

/// All that a run leaves: in all forms, with the summary of its step.
fn outcome(folder: &Folder, arguments: &[&str], name: &str) -> (Option<i32>, Vec<String>) {
    let forms = FORMS.replace("OUT", name);
    let summary = format!("{name}.summary");
    let mut command = command(&[arguments, &["--format", &forms]].concat());
    command.env("GITHUB_STEP_SUMMARY", folder.0.join(&summary));
    let run = Run::new(&command.current_dir(&folder.0).output().expect("it starts"));
    let written = WRITTEN.iter().map(|form| format!("{name}.{form}"));
    // The command line to type next is that of the check.
    let said = run
        .stderr
        .lines()
        .filter(|line| !line.starts_with("next: "));
    let said: String = said.map(|line| line.to_owned() + "\n").collect();
    let mut all = vec![run.stdout, said];
    all.extend(written.map(|file| folder.read(&file)));
    all.push(fs::read_to_string(folder.0.join(&summary)).unwrap_or_default());
    (run.code, all)
}

#[track_caller]
fn come_to_the_same(folder: &Folder, judged: &[&str]) -> Option<i32> {
    let check = [&["check", "c", "f", "r"], &CACHE[..], judged].concat();
    let whole = outcome(folder, &check, "whole");
    for n in 1..=5 {
        let parts = shards(folder, n, &CACHE);
        let parts: Vec<&str> = parts.iter().rev().map(String::as_str).collect();
        let merged = outcome(folder, &[&["merge"], &parts[..], judged].concat(), "merged");
        let _ = fs::remove_file(folder.0.join("merged.summary"));
        assert_eq!(whole.0, merged.0, "{n}");
        for (a, b) in whole.1.iter().zip(&merged.1) {
            assert_eq!(a, b, "{n}");
        }
    }
    let _ = fs::remove_file(folder.0.join("whole.summary"));
    whole.0
}

#[test]
fn merged_shards_are_one_check_in_every_form() {
    let folder = project("shards");
    assert_eq!(come_to_the_same(&folder, &[]), Some(1));
    let text = folder.premiss(&[&["check", "c", "f", "r"], &CACHE[..]].concat());
    for told in [
        "PM001",
        "PM900",
        "bad-directive",
        "not-utf-8",
        "syntax",
        "sizes.h",
        "rows.rs",
        "fill.f",
    ] {
        assert!(text.stdout.contains(told), "{told} not in {}", text.stdout);
    }
    text.exits(1).says("comments silence 1 finding");
    assert_eq!(come_to_the_same(&folder, &["--exit-zero"]), Some(0));
    assert_eq!(
        come_to_the_same(&folder, &["--exit-zero", "--min-coverage", "99%"]),
        Some(3)
    );
    folder.write(
        "premiss.toml",
        "min-coverage = \"99%\"\n[rules]\nPM001 = \"off\"\nPM900 = \"note\"\n",
    );
    assert_eq!(come_to_the_same(&folder, &[]), Some(1));
}

#[test]
fn merged_shards_are_judged_by_a_baseline() {
    let folder = project("shards-baseline");
    let write = [&["baseline", "write", "c", "f", "r"], &CACHE[..]].concat();
    folder.premiss(&write).exits(0);
    let known = ["--baseline", "premiss-baseline.json"];
    assert_eq!(come_to_the_same(&folder, &known), Some(0));
    let rows = folder.read("r/rows.rs");
    folder.write("r/rows.rs", &rows.replace("500", "600"));
    let whole = folder.read("r/lib.rs");
    folder.write("r/lib.rs", &whole.replace("500", "600"));
    folder.write(
        "f/more.f90",
        &folder
            .read("f/fill.f")
            .replace("      ", "")
            .replace("10    CONTINUE", "10 CONTINUE"),
    );
    assert_eq!(come_to_the_same(&folder, &known), Some(1));
    folder.write("premiss.toml", "baseline = \"none.json\"\n");
    assert_eq!(come_to_the_same(&folder, &known), Some(1));
    let parts = shards(&folder, 2, &CACHE);
    merge(&folder, &parts, &[]).exits(3).says("none.json");
    let parts = shards(&folder, 2, &["--cache", "L1=8KiB,4,64"]);
    merge(&folder, &parts, &known)
        .exits(3)
        .says("it is of the machine custom@");
}

#[test]
fn what_a_comment_assumes_and_a_size_says_counts_in_all_shards() {
    let folder = project("shards-sizes");
    folder.write(
        "c/sum.c",
        "// premiss:assume 8 <= m <= 64\ndouble sum(int m, double *x)\n{\n  double s = 0;\n  \
         for (int i = 0; i < m; i++)\n    if (x[i] > 0.5) // premiss:assume probability 0.25\n      s += x[i];\n  \
         return s;\n}\n",
    );
    for m in ["m=32", "m=100"] {
        let options = [&["-P", m], &CACHE[..]].concat();
        let whole =
            folder.premiss(&[&["check", "c", "f", "r", "--format", "json"], &options[..]].concat());
        let parts = shards(&folder, 3, &options);
        assert_eq!(
            merge(&folder, &parts, &["--format", "json"]).stdout,
            whole.stdout
        );
    }
}

#[test]
fn shards_that_are_not_all_of_one_check_say_so() {
    let folder = project("shards-open");
    let parts = shards(&folder, 3, &CACHE);
    let of = |parts: &[&str]| folder.premiss(&[&["merge"], parts].concat());
    of(&["part-1.json", "part-3.json"])
        .exits(3)
        .says("shard 2 of 3 is missing");
    of(&["part-3.json"])
        .exits(3)
        .says("2 of 3 shards are missing, such as 1, 2");
    of(&["part-1.json", "part-2.json", "part-3.json", "part-2.json"])
        .exits(2)
        .says("are both shard 2/3: name each once");
    of(&[]).exits(2);
    of(&["part-4.json"]).exits(2).says("no such file");
    assert_eq!(parts.len(), 3);
    let second = |more: &[&str], paths: &[&str]| {
        let options = ["--shard", "2/3", "--format", "json:other.json"];
        folder
            .premiss(&[&["check"], paths, &options, more].concat())
            .exits(0);
        of(&["part-1.json", "other.json", "part-3.json"]).exits(3)
    };
    let all = ["c", "f", "r"];
    second(&["-m", "zen4"], &all).says("one is of the machine custom@");
    let cache = |more: &[&'static str]| [&CACHE[..], more].concat();
    second(&cache(&["-P", "N=8"]), &all).says("sizes (-P) are none in one, N=8 in the other");
    second(&cache(&["-D", "X=1"]), &all).says("options or settings for reading (-D");
    second(&cache(&["--layout", "packed64"]), &all).says("options for counting");
    second(&CACHE, &["c", "f"]).says("only one of them read `r/lib.rs`");
    second(&CACHE, &["f", "c", "r"]).says("another order");
    let options = [&of_shard("2/4", "json:other.json"), &CACHE[..]];
    folder.premiss(&options.concat()).exits(0);
    of(&["part-1.json", "other.json", "part-3.json"])
        .exits(3)
        .says("one is shard 1/3, the other 2/4");
    let scale = folder.read("c/scale.c");
    folder.write("c/scale.c", &scale.replace("*= 2", "*= 3"));
    second(&CACHE, &all).says("`c/scale.c` is not the same file in both");
    of(&["part-1.json", "part-2.json", "part-3.json"])
        .exits(3)
        .says("`c/scale.c`: it is not what the shards read");
    folder.remove("c/scale.c");
    of(&["part-1.json", "part-2.json", "part-3.json"])
        .exits(2)
        .says("sources are read again where shards are merged");
    folder.write("c/scale.c", &scale);
    of(&["part-1.json", "part-2.json", "part-3.json"]).exits(1);
    let below = [
        "merge",
        "../part-1.json",
        "../part-2.json",
        "../part-3.json",
    ];
    folder
        .premiss_in("c", &below)
        .exits(2)
        .says("in the root of the repository");
}

/// Writes the digest of a part into it.
fn seal(part: &mut Value) {
    let fields = part.as_object_mut().expect("an object");
    fields.remove("seal");
    part.sort_all_objects();
    let seal = blake3::hash(part.to_string().as_bytes());
    part["seal"] = seal.to_hex().as_str().into();
}

#[test]
fn a_part_whose_findings_were_taken_out_is_refused() {
    let folder = project("shards-emptied");
    shards(&folder, 2, &CACHE);
    let part = folder.read("part-2.json");
    let json: Value = serde_json::from_str(&part).expect("JSON");
    let merged = |json: &Value| {
        folder.write("edited.json", &json.to_string());
        folder.premiss(&["merge", "part-1.json", "edited.json"])
    };
    // The order of keys and blanks do not matter.
    merged(&json).exits(1);
    let rows = json["part"]["rows"].as_array().expect("rows");
    for key in ["findings", "diagnostics", "nests"] {
        let row = rows.iter().position(|row| row[key][0].is_object());
        let mut emptied = json.clone();
        emptied["part"]["rows"][row.expect(key)][key] = Value::Array(Vec::new());
        merged(&emptied)
            .exits(2)
            .says("something in it was changed");
    }
    let mut other = json.clone();
    other["part"]["seal"] = "".into();
    merged(&other).exits(2).says("something in it was changed");
}

#[test]
fn what_is_no_part_is_refused() {
    let folder = project("shards-broken");
    shards(&folder, 2, &CACHE);
    let part = folder.read("part-2.json");
    let merged = |text: &str| {
        folder.write("broken.json", text);
        folder.premiss(&["merge", "part-1.json", "broken.json"])
    };
    for broken in ["", "{", "[]", "{\"part\":3}", &part[..part.len() / 2]] {
        merged(broken)
            .exits(2)
            .says("`broken.json`: it is not a part of a check");
    }
    let whole = folder.premiss(&["check", "c", "--format", "json"]).stdout;
    merged(&whole)
        .exits(2)
        .says("and no part: `premiss check --shard 1/3");
    let version = env!("CARGO_PKG_VERSION");
    let program = format!("\"program\":\"{version} (");
    assert!(part.contains(&program), "{part}");
    merged(&part.replace(&program, "\"program\":\"9.0 ("))
        .exits(3)
        .says("premiss 9.0 (");
    // Numbers and places that are none.
    let json: Value = serde_json::from_str(&part).expect("JSON");
    let with = |change: &dyn Fn(&mut Value)| {
        let mut json = json.clone();
        change(&mut json["part"]);
        seal(&mut json["part"]);
        merged(&json.to_string())
    };
    with(&|part| part["shard"] = 3.into())
        .exits(2)
        .says("does not fit together");
    with(&|part| part["rows"][0]["file"] = 99.into())
        .exits(2)
        .says("does not fit together");
    with(&|part| part["rows"][0] = part["rows"][1].clone())
        .exits(2)
        .says("each file once");
    with(&|part| part["rows"] = Value::Array(Vec::new()))
        .exits(2)
        .says("each file once");
    let nest = |part: &Value| {
        let rows = part["rows"].as_array().expect("rows").iter();
        rows.clone()
            .position(|row| row["nests"][0].is_object())
            .expect("a nest")
    };
    with(&|part| {
        let row = nest(part);
        part["rows"][row]["nests"][0]["span"] = serde_json::json!([77, 0, 1]);
    })
    .exits(2)
    .says("about no file");
    // A place beyond the end of its file is shown as well as may be.
    let run = with(&|part| {
        let row = nest(part);
        part["rows"][row]["nests"][0]["span"][2] = 4_000_000_000_u32.into();
    });
    assert!(run.code == Some(1), "{}", run.stderr);
}

#[test]
fn a_shard_is_not_judged_and_wrong_ones_are_usage_errors() {
    let folder = project("shards-usage");
    let check = |more: &[&str]| folder.premiss(&[&["check", "c"], more].concat());
    for wrong in ["0/3", "4/3", "a/b", "1/0", "3", "-1/2"] {
        let run = check(&[&format!("--shard={wrong}"), "--format", "json"]).exits(2);
        assert!(run.stderr.contains("1/"), "{wrong}: {}", run.stderr);
    }
    check(&["--shard", "1/2"])
        .exits(2)
        .says("--format text,json:part-1.json");
    check(&["--shard", "1/2", "--format", "json", "--baseline", "x.json"])
        .exits(2)
        .says("give --baseline to `premiss merge`");
    check(&["--shard", "1/2", "--format", "json", "--min-coverage", "80"])
        .exits(2)
        .says("give --min-coverage to `premiss merge`");
    check(&["--shard", "1/2", "--watch"]).exits(2);
    let options = ["check", "-", "--shard", "1/2", "--format", "json"];
    folder.premiss(&options).exits(2).says("standard input");
    // What keeps all of it from being checked keeps each shard from it.
    fs::create_dir(folder.0.join("c/folder.c")).expect("it is ours");
    let unreadable = ["check", "c/main.c", "c/folder.c"];
    let whole = folder.premiss(&unreadable).exits(2).stderr;
    for shard in ["1/2", "2/2"] {
        let options = ["--shard", shard, "--format", "json:part.json"];
        let run = folder
            .premiss(&[&unreadable[..], &options].concat())
            .exits(2);
        assert_eq!(run.stderr, whole);
        assert!(!folder.0.join("part.json").exists());
    }
    // A size that nobody uses is told of by shards that have no file, too.
    let options = ["--shard", "9/9", "--format", "json", "-P", "sizze=3"];
    check(&options).exits(2).says("uses no size of that name");
}

#[test]
fn a_shard_tells_what_it_finds_itself() {
    let folder = project("shards-own");
    let one = |shard: &str| {
        let options = of_shard(shard, "text,json:part.json");
        let run = folder.premiss(&[&options, &CACHE[..]].concat()).exits(0);
        let json: Value = serde_json::from_str(&folder.read("part.json")).expect("JSON");
        let rows = json["part"]["rows"].as_array().expect("rows").len();
        (run.stdout, json, rows)
    };
    let shards = ["1/3", "2/3", "3/3"].map(one);
    let rows: Vec<usize> = shards.iter().map(|x| x.2).collect();
    assert_eq!(rows.iter().sum::<usize>(), 9, "{rows:?}");
    assert!(rows.iter().all(|rows| (2..=4).contains(rows)), "{rows:?}");
    let telling = shards.iter().filter(|x| x.0.contains("r/rows.rs"));
    assert_eq!(telling.count(), 1);
    for (text, json, _) in &shards {
        assert!(text.ends_with("unknown\n"), "{text}");
        assert!(json["nests"].is_array() && json["coverage"].is_object());
        assert!(
            !json["part"].to_string().contains("few columns"),
            "no source text"
        );
    }
    let (text, json, rows) = one("20/20");
    assert_eq!(
        (rows, &json["part"]["rows"]),
        (0, &Value::Array(Vec::new()))
    );
    assert_eq!(text, "Coverage: 0/0 nests exact, 0 bounded, 0 unknown\n");
}

#[test]
fn shards_of_two_folders_are_not_of_one_check() {
    let folder = Folder::repository("shards-folders");
    for (number, below) in ["a", "b"].iter().enumerate() {
        for file in ["k.c", "l.c"] {
            folder.write(&format!("{below}/{file}"), SCALE);
        }
        let (shard, form) = (
            format!("{}/2", number + 1),
            format!("json:../part-{below}.json"),
        );
        let options = ["check", "k.c", "l.c", "--shard", &shard, "--format", &form];
        folder.premiss_in(below, &options).exits(0);
    }
    folder
        .premiss_in("a", &["merge", "../part-a.json", "../part-b.json"])
        .exits(3)
        .says("one ran in the folder `a` of the repository, the other in `b`");
}
