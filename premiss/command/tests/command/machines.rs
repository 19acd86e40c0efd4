//! Machines of every kind: in options, in files, found.

use crate::{premiss, premiss_on};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Stores to six lines of 64 bytes, one after another, twice.
const LINES: &str = "void lines(double *x)\n{\n  for (int t = 0; t < 2; t++)\n\
                     for (int i = 0; i < 6; i++)\n      x[8 * i] = t;\n}\n";

fn level(options: &[&str], idx: usize) -> Value {
    let run = premiss_on(
        LINES,
        &[&["report", "-", "--format", "json"], options].concat(),
    );
    let report: Value = serde_json::from_str(&run.exits(0).stdout).expect("JSON");
    report["functions"][0]["levels"][idx].clone()
}

fn value(level: &Value, name: &str) -> Value {
    level[name]["value"].clone()
}

#[test]
fn stores_go_where_the_level_sends_them() {
    // Twelve stores to six lines in a cache of four: all miss.
    let back = level(&["--cache", "L1=256,full,64"], 0);
    assert_eq!(value(&back, "misses"), json!(12));
    assert_eq!(value(&back, "write_backs"), json!(8));
    assert_eq!(value(&back, "bytes_read"), json!(12 * 64));
    assert_eq!(value(&back, "bytes_written"), json!(8 * 64));
    let through = level(&["--cache", "L1=256,full,64,write-through"], 0);
    assert_eq!(value(&through, "write_backs"), json!(0));
    assert_eq!(value(&through, "bytes_written"), json!(12 * 8));
    let around = level(&["--cache", "L1=256,full,64,write-through,no-allocate"], 0);
    assert_eq!(value(&around, "misses"), json!(12));
    assert_eq!(value(&around, "bytes_read"), json!(0));
    assert_eq!(value(&around, "bytes_written"), json!(12 * 8));
}

#[test]
fn hierarchies_differ() {
    let misses = |hierarchy: &str| {
        let options = ["--cache", "L1=256,full,64", "--cache", "L2=256,full,64"];
        let options = [&options[..], &["--hierarchy", hierarchy]].concat();
        [0, 1].map(|idx| value(&level(&options, idx), "misses"))
    };
    assert_eq!(misses("independent"), [json!(12), json!(12)]);
    // Together they hold all six lines.
    assert_eq!(misses("exclusive"), [json!(12), json!(6)]);
    // What is written back to the second level is recent there: lines 0 and 3 are there the second time,
    // and others have gone from the first level with it.
    assert_eq!(misses("inclusive"), [json!(12), json!(10)]);
}

#[test]
fn chance_is_an_estimate_with_its_spread() {
    let level = level(&["--cache", "L1=256,full,64,random"], 0);
    assert_eq!(level["misses"]["kind"], "estimate");
    assert_eq!(level["spread"]["seeds"], 8);
    let [least, largest] = ["least", "largest"].map(|end| {
        let end = &level["spread"]["misses"][end];
        end.as_u64().expect("a number")
    });
    let mean = value(&level, "misses").as_u64().expect("a number");
    assert!(6 <= least && least <= mean && mean <= largest && largest <= 12);
}

#[test]
fn what_distances_do_not_tell_is_not_shown() {
    let fifo = level(&["--cache", "L1=256,2,64,fifo"], 0);
    for name in ["compulsory", "capacity", "conflict", "estimate"] {
        assert_eq!(fifo[name]["kind"], "unknown", "{name}");
    }
    let options = ["report", "-", "--cache", "L1=256,2,64,fifo"];
    let text = premiss_on(LINES, &options).exits(0).stdout;
    assert!(text.contains("L1 256 B 2-way, fifo"), "{text}");
    assert!(text.contains("lines of 64 B"), "{text}");
    assert!(text.contains("–         –         –         –"), "{text}");
    let formula = ["formula", "-", "--cache", "L1=256,2,64,fifo", "--no-cache"];
    premiss_on(LINES, &formula).says("L1");
}

#[test]
fn where_data_decides_other_kinds_are_bounded() {
    let data = "void data(double *x, int *c)\n{\n  for (int i = 0; i < 64; i++)\n\
                    if (c[i]) x[i] = 0;\n}\n";
    let options = [
        "report",
        "-",
        "--format",
        "json",
        "--cache",
        "L1=256,2,64,nru",
        "--cache",
        "L2=512,2,64",
        "--hierarchy",
        "inclusive",
    ];
    let run = premiss_on(data, &options).exits(3);
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let function = &report["functions"][0];
    let first = &function["levels"][0]["misses"];
    // Four lines of `c` are read for sure; 64 loads and 64 stores may miss.
    assert_eq!(
        first,
        &json!({"value": null, "lower": 4, "upper": 128, "kind": "bounded"})
    );
    assert_eq!(function["levels"][1]["misses"]["kind"], "unknown");
    assert_eq!(function["levels"][0]["write_backs"]["kind"], "unknown");
    let reason = function["engine_reason"].as_str().expect("a reason");
    assert!(reason.contains("data decides"), "{reason}");
}

#[test]
fn kinds_that_cannot_be_say_what_can() {
    let refuses = |options: &[&str], message: &str| {
        let run = premiss_on(LINES, &[&["report", "-"], options].concat());
        run.exits(2).says(message);
    };
    refuses(&["--cache", "L1=48KiB,12,64,tree-plru"], "8 or 16");
    refuses(&["--cache", "L1=32KiB,8,64,mru"], "tree-plru");
    refuses(&["--cache", "L1=32KiB,8,64,fifo,nru"], "leave one out");
    refuses(&["--cache", "L1=32KiB,8"], "L1=32KiB,8,64");
    refuses(&["--tlb", "t=64,4,4096,no-allocate"], "not stored to");
    refuses(&["--hierarchy", "nine"], "inclusive");
    let lines = ["--cache", "L1=4K,1,64", "--cache", "L2=8K,1,128"];
    let exclusive = [&lines[..], &["--hierarchy", "exclusive"]].concat();
    refuses(&exclusive, "lines of one size");
    let shrinking = ["--cache", "L1=4K,1,64", "--cache", "L2=8K,1,32"];
    let inclusive = [&shrinking[..], &["--hierarchy", "inclusive"]].concat();
    refuses(&inclusive, "--hierarchy filtered");
}

/// A file of a machine, gone when the test ends.
pub(crate) struct File(PathBuf);

impl File {
    pub(crate) fn new(name: &str, content: impl AsRef<[u8]>) -> Self {
        let name = format!("{name}-{}.toml", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::write(&path, content).expect("the file is written");
        Self(path)
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().expect("a plain path")
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // Nothing depends on its being gone.
        let _ = fs::remove_file(&self.0);
    }
}

const FILE: &str = "name = \"m\"\nhierarchy = \"exclusive\"\n\n[[cache]]\nname = \"L1\"\nsize = 256\n\
                    ways = \"full\"\nline = 64\nreplacement = \"fifo\"\nwrite = \"back\"\nallocate = true\n\n\
                    [[cache]]\nname = \"L2\"\nsize = 256\nways = \"full\"\nline = 64\n";

#[test]
fn a_file_says_kinds_and_hierarchy() {
    let file = File::new("kinds", FILE);
    let second = level(&["--machine", file.path()], 1);
    assert_eq!(value(&second, "misses"), json!(6));
    // The option is over the file.
    let options = ["--machine", file.path(), "--hierarchy", "independent"];
    assert_eq!(value(&level(&options, 1), "misses"), json!(12));
    let shown = premiss(&["machine", "show", file.path()]).exits(0).stdout;
    assert!(
        shown.contains("fifo") && shown.contains("hierarchy: exclusive"),
        "{shown}"
    );
}

#[test]
fn files_that_cannot_be_name_place_and_way_out() {
    let refuses = |name: &str, from: &str, to: &str, messages: &[&str]| {
        assert!(FILE.contains(from));
        let file = File::new(name, FILE.replace(from, to));
        let run = premiss_on(LINES, &["report", "-", "--machine", file.path()]).exits(2);
        messages.iter().fold(run, |run, message| run.says(message));
    };
    refuses("r", "\"fifo\"", "\"mru\"", &["L1", "`mru`", "tree-plru"]);
    refuses(
        "w",
        "\"back\"",
        "\"around\"",
        &["L1", "`around`", "back, through"],
    );
    refuses(
        "a",
        "allocate = true",
        "allocate = 1",
        &["line 11", "boolean"],
    );
    refuses("h", "\"exclusive\"", "\"mixed\"", &["`mixed`", "inclusive"]);
    refuses("u", "write =", "writes =", &["line 10", "`writes`"]);
    refuses("t", "\"full\"", "3", &["L1", "nearest that can"]);
}

#[test]
fn a_recorded_computer_is_found_and_read_back() {
    let found = premiss(&[
        "machine",
        "detect",
        "--sysfs",
        "testdata/sysfs/epyc",
        "--name",
        "epyc",
    ]);
    let found = found.exits(0).says("TLBs are not known");
    assert!(
        found.stdout.contains("# shared by processors 0-1"),
        "{}",
        found.stdout
    );
    let file = File::new("epyc", &found.stdout);
    let shown = premiss(&["machine", "show", file.path()]).exits(0).stdout;
    for level in [
        "L1 32 KiB 8-way, 64 B lines, 64 sets",
        "L2 512 KiB 8-way, 64 B lines, 1024 sets",
        "L3 32 MiB 16-way, 64 B lines, 32768 sets",
    ] {
        assert!(shown.contains(level), "{shown}");
    }
}

#[test]
fn odd_folders_are_refused_by_name() {
    let refuses = |file: &str, content: Option<&[u8]>, message: &str| {
        let name = format!(
            "sysfs-{}-{}",
            file.replace('/', "_"),
            content.map_or(0, <[u8]>::len)
        );
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("index0")).expect("a folder");
        for (name, text) in [
            ("level", "1\n"),
            ("type", "Data\n"),
            ("size", "32K\n"),
            ("ways_of_associativity", "8\n"),
            ("coherency_line_size", "64\n"),
        ] {
            fs::write(folder.join("index0").join(name), text).expect("a file");
        }
        let path = folder.join(file);
        match content {
            Some(content) => fs::write(path, content).expect("a file"),
            None => fs::remove_file(path).expect("it was there"),
        }
        let shown = folder.to_str().expect("a plain path");
        let run = premiss(&["machine", "detect", "--sysfs", shown]).exits(2);
        run.says(message);
        let _ = fs::remove_dir_all(&folder);
    };
    refuses("index0/level", None, "there is no such file");
    refuses("index0/level", Some(b"first"), "`first` is not a number");
    refuses("index0/size", Some(b"much"), "`much`");
    refuses("index0/size", Some(b"1000"), "nearest that can");
    refuses("index0/type", Some(b"Other"), "neither Data nor Unified");
    refuses("index0/type", Some(b"Instruction"), "it tells of no cache");
    refuses("index0/type", Some(&[0xff, 0xfe]), "it is not text");
    refuses("index0/coherency_line_size", Some(b"0"), "outside");
    refuses(
        "index0/ways_of_associativity",
        Some(b"18446744073709551615"),
        "L1",
    );
    premiss(&["machine", "detect", "--sysfs", "no/such/folder"])
        .exits(2)
        .says("there is no such file");
    let bad_name = [
        "machine",
        "detect",
        "--sysfs",
        "testdata/sysfs/epyc",
        "--name",
        "a b",
    ];
    premiss(&bad_name).exits(2).says("cannot name");
}

#[test]
fn this_computer_is_detected_or_refused() {
    let run = premiss(&["machine", "detect"]);
    match run.code {
        Some(0) => {
            let file = File::new("here", &run.stdout);
            premiss(&["machine", "show", file.path()]).exits(0);
        }
        _ => {
            run.exits(2).says("error: ");
        }
    }
}

#[test]
fn this_computer_is_measured_or_refused() {
    let run = premiss(&["machine", "detect", "--measure"]);
    if run.code != Some(0) {
        run.exits(2).says("error: ");
        return;
    }
    assert!(run.stdout.contains("# measured: "), "{}", run.stdout);
    let file = File::new("measured", &run.stdout);
    let shown = premiss(&["machine", "show", file.path()]).exits(0).stdout;
    let first = shown.lines().nth(1).expect("a cache");
    let is_fast = first.contains("cycles, ") || first.contains("ns, ");
    assert!(is_fast, "{shown}");
    let both = ["machine", "detect", "--measure", "--sysfs", "x"];
    premiss(&both).exits(2).says("cannot be used with");
}

#[test]
fn speeds_that_cannot_be_name_the_figure() {
    const FAST: &str = "name = 'm'\n[core]\nfrequency = '2 GHz'\nfloating = 2\nfused = 2\n\
        [memory]\nlatency = '90 ns'\n[[cache]]\nname = 'L1'\nsize = 4096\nways = 4\nline = 64\n\
        latency = '4 cycles'\n";
    let run = |name: &str, text: &[u8]| {
        let file = File::new(name, text);
        premiss_on(LINES, &["report", "-", "--machine", file.path()])
    };
    // Bandwidths need not be known.
    run("fast", FAST.as_bytes()).exits(0);
    for (idx, (from, to, what)) in [
        ("'2 GHz'", "'0 GHz'", "frequency"),
        ("'2 GHz'", "'2'", "2.4 GHz"),
        ("floating = 2", "floating = 0", "floating"),
        ("floating = 2", "floating = 1e99", "floating"),
        ("floating = 2", "floating = 1", "fused beyond floating"),
        ("'90 ns'", "'-90 ns'", "-90 ns"),
        ("'90 ns'", "90", "line 7"),
        ("'4 cycles'", "'99999999999 cycles'", "L1: latency"),
        ("frequency = '2 GHz'\n", "", "frequency"),
        ("latency = '90 ns'", "latencies = '90 ns'", "latencies"),
    ]
    .into_iter()
    .enumerate()
    {
        let text = FAST.replace(from, to);
        assert_ne!(text, FAST, "{from}");
        run(&format!("slow{idx}"), text.as_bytes())
            .exits(2)
            .says(what);
    }
    run("empty", b"").exits(2).says("name");
    run("binary", &[0xff, 0xfe, 0])
        .exits(2)
        .says("not UTF-8 text");
}

#[test]
fn what_is_not_traced_to_its_end_is_unknown_with_a_reason() {
    let reason = |options: &[&str]| {
        let all = [
            "report",
            "-",
            "--format",
            "json",
            "--no-cache",
            "--cache",
            "L1=256,2,64,nru",
        ];
        let run = premiss_on(LINES, &[&all[..], options].concat()).exits(3);
        let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let function = &report["functions"][0];
        assert_eq!(function["levels"][0]["misses"]["kind"], "unknown");
        assert_eq!(function["levels"][0]["engine"], Value::Null);
        function["engine_reason"].to_string()
    };
    assert!(reason(&["--engine", "closed"]).contains("L1 is not counted: only LRU levels"));
    assert!(reason(&["--budget", "3"]).contains("L1 is not counted: it can only be traced"));
}
