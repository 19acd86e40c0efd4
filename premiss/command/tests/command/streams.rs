//! What goes where: data to standard output, the rest to standard error.

use crate::{Run, SCALE, command, premiss, premiss_on};
use std::io::{Read as _, Write as _};
use std::process::Stdio;

#[test]
fn a_reader_that_leaves_is_no_error() {
    let mut child = command(&["trace", "testdata/kernels/c/gemm.c", "-P", "NI=2000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 64];
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut first).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_2() {
    let gemm = "testdata/kernels/c/gemm.c";
    for arguments in [&["check", gemm][..], &["trace", gemm, "-P", "NI=2"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
        let mut command = command(arguments);
        let output = command.stdout(full.expect("it is there")).output();
        let run = Run::new(&output.expect("it starts"));
        run.exits(2).says("standard output");
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for format in ["text", "json"] {
        let arguments = [
            "report",
            "testdata/kernels/c/floyd-warshall.c",
            "--format",
            format,
            "--histogram",
        ];
        assert_eq!(premiss(&arguments).stdout, premiss(&arguments).stdout);
    }
}

#[test]
fn colour_only_where_it_is_wanted() {
    let report = ["report", "testdata/kernels/c/gemm.c"];
    let is_coloured = |option: &[&str]| {
        let arguments = [&report[..], option].concat();
        premiss(&arguments).stdout.contains('\u{1b}')
    };
    assert!(!is_coloured(&[]));
    assert!(!is_coloured(&["--color", "never"]));
    assert!(is_coloured(&["--color", "always"]));
    let forced = command(&report).env("FORCE_COLOR", "1").output().unwrap();
    assert!(forced.stdout.contains(&0x1b));
    let refused = command(&report)
        .env("FORCE_COLOR", "1")
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    assert!(!refused.stdout.contains(&0x1b));
}

#[test]
fn a_report_can_go_to_a_file() {
    let path = std::env::temp_dir().join(format!("premiss-{}.txt", std::process::id()));
    let shown = path.to_str().unwrap();
    let arguments = [
        "report", "-", "-P", "n=10", "--color", "always", "-o", shown,
    ];
    let run = premiss_on(SCALE, &arguments).exits(0);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(run.stdout.is_empty());
    assert!(text.contains("x[i] *= 2") && !text.contains('\u{1b}'));
}

#[test]
fn standard_input_has_the_name_it_is_given() {
    let arguments = [
        "report",
        "-",
        "-P",
        "n=10",
        "--stdin-filename",
        "dir/scale.c",
    ];
    let run = premiss_on(SCALE, &arguments).exits(0);
    assert!(
        run.stdout.starts_with("dir/scale.c:1 scale"),
        "{}",
        run.stdout
    );
}

#[test]
fn accesses_come_one_a_line() {
    let run = premiss_on(
        SCALE,
        &["trace", "-", "-P", "n=2", "--array-base", "x=0x2000"],
    )
    .exits(0);
    let expected = "L 0x2000 8 x[i]\nS 0x2000 8 x[i]\nL 0x2008 8 x[i]\nS 0x2008 8 x[i]\n";
    assert_eq!(run.stdout, expected);
}

#[test]
fn accesses_that_data_decides_are_marked() {
    let source = "void f(int n, const int *p, double *x)\n\
                  {\n  for (int i = 0; i < n; i++)\n    if (p[i])\n      x[p[i]] = 0;\n}\n";
    let run = premiss_on(source, &["trace", "-", "-P", "n=1"]).exits(0);
    let expected = "L 0x100000 4 p[i]\n?L 0x100000 4 p[i]\n?S ? 8 x[p[i]]\n";
    assert_eq!(run.stdout, expected);
}

#[test]
fn macros_are_defined_and_undefined_in_order() {
    let source = "#ifdef LONG\n#define T double\n#else\n#define T char\n#endif\n\
                  void f(T x[10])\n{\n  for (int i = 0; i < 1; i++)\n    x[i] = 0;\n}\n";
    let size = |flags: &[&str]| {
        let arguments = [&["trace", "-"], flags].concat();
        premiss_on(source, &arguments).exits(0).stdout
    };
    assert_eq!(size(&["-DLONG"]), "S 0x100000 8 x[i]\n");
    assert_eq!(size(&["-D", "LONG=1"]), "S 0x100000 8 x[i]\n");
    assert_eq!(size(&["-DLONG", "-ULONG"]), "S 0x100000 1 x[i]\n");
    assert_eq!(size(&["-U", "LONG", "-D", "LONG"]), "S 0x100000 8 x[i]\n");
}

#[test]
#[cfg(unix)]
fn a_trace_that_nobody_reads_is_0_only_if_there_is_one() {
    for (sizes, code) in [(&["-P", "n=1000000"][..], 0), (&[], 3)] {
        let mut trace = command(&[&["trace", "-"][..], sizes].concat());
        let mut trace = trace
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        drop(trace.stdout.take());
        let mut stdin = trace.stdin.take().expect("it is a pipe");
        stdin.write_all(SCALE.as_bytes()).expect("it reads");
        drop(stdin);
        let status = trace.wait().expect("it ends");
        assert_eq!(status.code(), Some(code), "{sizes:?}");
    }
}
