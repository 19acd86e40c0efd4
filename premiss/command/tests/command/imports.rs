//! Descriptions of machines that others write: `premiss machine import`.

use crate::machines::File;
use crate::{premiss, premiss_on};
use std::fs;

const KERNCRAFT: &str = "\
model name: Imaginary 9000
clock: 2.5 GHz
cores per socket: 4
FLOPs per cycle:
  DP: {ADD: 8, FMA: 16, MUL: 8, total: 16}
memory hierarchy:
- level: L1
  cache per group: {sets: 64, ways: 8, cl_size: 64}
  cores per group: 1
- level: MEM
  cores per group: 4
";

const HWLOC: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine">
    <object type="L1Cache" cache_size="32768" depth="1" cache_linesize="64" cache_associativity="8" cache_type="1">
      <object type="Core"><object type="PU" os_index="0"/></object>
    </object>
  </object>
</topology>
"#;

/// What comes out can be shown, and analysed with.
fn imports(name: &str, arguments: &[&str], level: &str, warning: &str) {
    let run = premiss(&[&["machine", "import"], arguments].concat());
    let run = run.exits(0).says(warning);
    let file = File::new(name, &run.stdout);
    let shown = premiss(&["machine", "show", file.path()]).exits(0).stdout;
    assert!(shown.contains(level), "{shown}");
    let source = "void f(double *x) { for (int i = 0; i < 8; i++) x[i] = 0; }\n";
    premiss_on(source, &["report", "-", "--machine", file.path()]).exits(0);
}

#[test]
fn every_format_becomes_a_machine_file() {
    let level = "L1 32 KiB 8-way, 64 B lines, 64 sets";
    let tlbs = "TLBs are not known";
    let kerncraft = File::new("kerncraft", KERNCRAFT);
    let arguments = ["kerncraft", kerncraft.path(), "--name", "k"];
    imports("k", &arguments, level, "how long its vectors are");
    let hwloc = File::new("hwloc", HWLOC);
    imports("h", &["hwloc", hwloc.path()], level, "how fast");
    imports("s", &["sysfs", "testdata/sysfs/epyc"], level, tlbs);
    let apart = ["valgrind", "--D1=32768,8,64", "--LL=8388608,16,64"];
    imports("v", &apart, "LL 8 MiB 16-way, 64 B lines, 8192 sets", tlbs);
    let together = ["valgrind", "--D1=32768,8,64 --LL=8388608,16,64"];
    imports("w", &together, "# hierarchy: filtered", tlbs);
}

#[test]
fn sysfs_is_the_same_road_as_detect() {
    let import = [
        "machine",
        "import",
        "--name",
        "e",
        "sysfs",
        "testdata/sysfs/epyc",
    ];
    let detect = [
        "machine",
        "detect",
        "--name",
        "e",
        "--sysfs",
        "testdata/sysfs/epyc",
    ];
    let [import, detect] = [premiss(&import), premiss(&detect)];
    assert_eq!(import.exits(0).stdout, detect.exits(0).stdout);
}

#[test]
fn files_that_cannot_be_read_say_why() {
    let refuses = |format: &str, content: &[u8], what: &str| {
        let name = format!("bad-{format}-{}", content.len());
        let file = File::new(&name, content);
        let run = premiss(&["machine", "import", format, file.path()]);
        run.exits(2).says(what).says(&name);
    };
    for format in ["kerncraft", "hwloc"] {
        refuses(format, b"", "it is empty");
        refuses(format, &[b'<', 0xff, 0xfe], "not UTF-8 text at byte 1");
        refuses(format, b"[", "");
        refuses(format, b"<topology/>", "");
        let run = premiss(&["machine", "import", format, "no/such/file"]);
        run.exits(2).says("there is no such file");
        let run = premiss(&["machine", "import", format, "testdata"]);
        run.exits(2).says("folder");
    }
    let cut = &HWLOC[..HWLOC.len() / 2];
    refuses("hwloc", cut.as_bytes(), "not XML");
    let zero = HWLOC.replace("32768", "0");
    refuses("hwloc", zero.as_bytes(), "L1: size of 0");
    let odd = KERNCRAFT.replace("sets: 64", "sets: x");
    refuses("kerncraft", odd.as_bytes(), "line 8");
    premiss(&["machine", "import", "valgrind", "--D1=1,2"])
        .exits(2)
        .says("`--D1=1,2`");
    premiss(&["machine", "import", "valgrind"]).exits(2);
    premiss(&["machine", "import", "likwid", "x"])
        .exits(2)
        .says("likwid");
    let named = [
        "machine",
        "import",
        "--name",
        "a b",
        "valgrind",
        "--D1=4096,1,64",
    ];
    premiss(&named).exits(2).says("cannot name");
}

#[test]
fn a_huge_file_is_refused_before_it_is_parsed() {
    let file = File::new("huge", b"");
    let handle = fs::OpenOptions::new().write(true).open(file.path());
    let handle = handle.expect("it is there");
    handle.set_len(1 << 40).expect("a file of holes");
    for format in ["kerncraft", "hwloc"] {
        let run = premiss(&["machine", "import", format, file.path()]);
        run.exits(2).says("longer than 64 MiB");
    }
}
