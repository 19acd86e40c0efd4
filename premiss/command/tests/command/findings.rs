//! What rules find, and what they must not.

use crate::{premiss, premiss_on};

/// Small caches: 4 KiB of lines of 64 bytes, then 32 KiB, both fully associative.
pub(crate) const CACHES: [&str; 4] = ["--cache", "L1=4KiB,full,64", "--cache", "L2=32KiB,full,64"];

/// The codes of what `premiss check` says of a program, with the messages.
pub(crate) fn findings(source: &str, more: &[&str]) -> Vec<(String, String)> {
    let arguments = [&["check", "-", "--format", "json", "--exit-zero"], more].concat();
    let run = premiss_on(source, &arguments).exits(0);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let all = report["diagnostics"].as_array().expect("diagnostics");
    let text = |value: &serde_json::Value| value.as_str().expect("text").to_owned();
    let pairs = all.iter().map(|x| (text(&x["code"]), text(&x["message"])));
    pairs.collect()
}

pub(crate) fn codes(source: &str, more: &[&str]) -> Vec<String> {
    findings(source, more)
        .into_iter()
        .map(|(code, _)| code)
        .collect()
}

const BY_COLUMNS: &str = "double s;\nvoid f(double a[200][200])\n{\n  for (int j = 0; j < 200; j++)\n    \
                          for (int i = 0; i < 200; i++)\n      s += a[i][j];\n}\n";
const BY_ROWS: &str = "double s;\nvoid f(double a[200][200])\n{\n  for (int i = 0; i < 200; i++)\n    \
                       for (int j = 0; j < 200; j++)\n      s += a[i][j];\n}\n";

#[test]
fn strides_over_lines_are_found() {
    let found = findings(BY_COLUMNS, &CACHES);
    assert_eq!(found[0].0, "PM007", "{found:?}");
    assert!(
        found[0].1.contains(
            "a[i][j] goes across rows: it moves by 1600 bytes with the innermost loop, over i, and by 8"
        ),
        "{found:?}"
    );
    assert_eq!(codes(BY_ROWS, &CACHES), [""; 0]);
    // Everything fits: nothing is lost, however the loops go.
    let large = ["--cache", "L1=1MiB,full,64"];
    assert_eq!(codes(BY_COLUMNS, &large), [""; 0]);
}

#[test]
fn a_finding_is_shown_where_it_is_and_ends_with_1() {
    let arguments = [&["check", "-"][..], &CACHES].concat();
    let run = premiss_on(BY_COLUMNS, &arguments).exits(1);
    assert!(run.stdout.contains("PM007"), "{}", run.stdout);
    assert!(run.stdout.contains("stdin.c:6:12"), "{}", run.stdout);
    assert!(run.stdout.contains("40.0 k L1 misses"), "{}", run.stdout);
    assert!(run.stdout.contains("the loop over j"), "{}", run.stdout);
}

#[test]
fn parts_of_lines_are_found() {
    let structs = "struct p { double x, y, z, mass; };\ndouble s;\nvoid f(struct p p[4096])\n{\n  \
                   for (int i = 0; i < 4096; i++)\n    s += p[i].mass;\n}\n";
    let found = findings(structs, &CACHES);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "PM002");
    assert!(
        found[0].1.contains("16 bytes are used at most"),
        "{found:?}"
    );
    let all = structs.replace("p[i].mass", "p[i].x + p[i].y + p[i].z + p[i].mass");
    assert_eq!(codes(&all, &CACHES), [""; 0]);
}

#[test]
fn reuse_just_beyond_a_level_is_found() {
    // 96 lines come back each time; the first cache has 64.
    let again = "double s;\nvoid f(double x[768])\n{\n  for (int t = 0; t < 50; t++)\n    \
                 for (int i = 0; i < 768; i++)\n      s += x[i];\n}\n";
    let found = findings(again, &CACHES);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "PM003");
    assert!(
        found[0].1.contains("6 KiB would have to fit in 4 KiB"),
        "{found:?}"
    );
    let fits = again.replace("768", "448");
    assert_eq!(codes(&fits, &CACHES), [""; 0]);
    let far = again.replace("768", "1536");
    assert_eq!(
        codes(&far, &CACHES),
        [""; 0],
        "twice the size would not help"
    );
}

/// `x` comes back with each row of `a`.
const PRODUCT: &str = "void f(int n, int m, double y[m], double a[m][n], double x[n])\n{\n  \
                       for (int i = 0; i < m; i++)\n    for (int j = 0; j < n; j++)\n      \
                       y[i] += a[i][j] * x[j];\n}\n";

/// What traces count of `x[j]` in fully associative caches of so many lines.
fn traced(n: i64, lines: u64) -> u64 {
    let (size, cache) = (format!("n={n}"), format!("L1={},full,64", lines * 64));
    let options = ["report", "-", "-P", &size, "-P", "m=60", "--cache", &cache];
    let form = ["--engine", "trace", "--format", "json"];
    let run = premiss_on(PRODUCT, &[&options[..], &form].concat()).exits(0);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let references = report["functions"][0]["references"].as_array();
    let of_x = references
        .expect("references")
        .iter()
        .find(|x| x["text"] == "x[j]");
    of_x.expect("x[j]")["levels"][0]["misses"]["value"]
        .as_u64()
        .expect("exact")
}

#[test]
fn the_size_from_which_a_level_is_exceeded_is_reported() {
    let told = |cache: &str, n: &str, m: &str| {
        let options = ["-P", n, "-P", m, "--cache", cache];
        let found = findings(PRODUCT, &options);
        let found = found.iter().find(|x| x.0 == "PM003").expect("PM003");
        found.1.clone()
    };
    let full = "L1=4KiB,full,64";
    for now in ["n=400", "n=401", "n=389"] {
        let message = told(full, now, "m=60");
        let (_, end) = message
            .split_once("; they no longer fit from n = ")
            .expect(&message);
        let (value, rest) = end.split_once(' ').expect("a value");
        assert_eq!(
            rest,
            format!("on ({} here) [exact]", now.replace('=', " = "))
        );
        let value: i64 = value.parse().expect("a number");
        let is_lost = |n| traced(n, 128) * 2 <= traced(n, 64);
        assert!(!is_lost(value - 1) && is_lost(value), "{message}");
    }
    let message = told("L1=4KiB,4,64", "n=400", "m=60");
    assert!(
        message.ends_with("on (n = 400 here) [estimate]"),
        "{message}"
    );
}

#[test]
fn no_size_is_reported_where_several_decide_or_none_is_known() {
    let told = |source: &str, options: &[&str]| {
        let found = findings(source, &[options, &["--cache", "L1=4KiB,full,64"]].concat());
        let found = found.iter().find(|x| x.0 == "PM003").expect("PM003");
        found.1.contains("they no longer fit from")
    };
    let both = "double s;\nvoid f(int n, int m, double x[m][n])\n{\n  for (int t = 0; t < 50; t++)\n    \
                for (int i = 0; i < m; i++)\n      for (int j = 0; j < n; j++)\n        s += x[i][j];\n}\n";
    assert!(!told(both, &["-P", "n=32", "-P", "m=24"]));
    assert!(told(
        &both.replace("int m,", "").replace('m', "24"),
        &["-P", "n=32"]
    ));
    assert!(!told(
        PRODUCT,
        &["-P", "n=400", "-P", "m=60", "--engine", "trace"]
    ));
}

#[test]
fn crowded_sets_are_found() {
    let column = "double s;\nvoid f(double a[64][512])\n{\n  for (int t = 0; t < 50; t++)\n    \
                  for (int j = 0; j < 8; j++)\n      for (int i = 0; i < 64; i++)\n        s += a[i][j];\n}\n";
    let sets = ["--cache", "L1=8KiB,2,64"];
    let found = findings(column, &sets);
    let crowded: Vec<_> = found.iter().filter(|x| x.0 == "PM004").collect();
    assert_eq!(crowded.len(), 1, "{found:?}");
    assert!(
        crowded[0]
            .1
            .contains("steps of 4096 bytes use only 1 of its 64 sets"),
        "{found:?}"
    );
    // Two arrays at the same remainders conflict; steps of 72 bytes go through all sets.
    let pair = "double s;\nvoid f(double a[512][9], double b[512][9], double c[512][9])\n{\n  \
                for (int t = 0; t < 50; t++)\n    for (int i = 0; i < 24; i++)\n      \
                s += a[i][0] * b[i][0] * c[i][0];\n}\n";
    let found = findings(pair, &sets);
    let crowded: Vec<_> = found.iter().filter(|x| x.0 == "PM004").collect();
    assert!(!crowded.is_empty(), "{found:?}");
    assert!(
        crowded.iter().all(|x| !x.1.contains("steps of")),
        "{crowded:?}"
    );
    let padded = column.replace("[512]", "[520]");
    assert_eq!(codes(&padded, &sets), [""; 0]);
}

#[test]
fn pages_that_are_lost_are_found() {
    let levels = ["--cache", "L1=1MiB,full,64", "--tlb", "dTLB=16,full,4096"];
    let wide = BY_COLUMNS.replace("a[200][200]", "a[200][600]");
    assert_eq!(codes(&wide, &levels), ["PM005"]);
    let wide = BY_ROWS.replace("a[200][200]", "a[200][600]");
    assert_eq!(codes(&wide, &levels), [""; 0]);
}

#[test]
fn lines_fetched_to_be_overwritten_are_found() {
    let sum = "void f(double a[8192], double b[8192])\n{\n  for (int i = 0; i < 8192; i++)\n    b[i] = 2 * a[i];\n}\n";
    let found = findings(sum, &CACHES);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "PM008");
    assert_eq!(
        found[0].1,
        "`f` writes b[i] and does not read it: 65.5 kB are fetched from memory only to be overwritten"
    );
    // What is not understood may read it.
    let called = sum.replace("\n}\n", "\n  save(b);\n}\n");
    assert_eq!(codes(&called, &CACHES), ["unknown-call"]);
    let in_place = sum.replace("b[i] = 2 * a[i]", "b[i] = b[i] + a[i]");
    assert_eq!(codes(&in_place, &CACHES), [""; 0]);
}

/// The help beside the findings of a rule.
fn helps(source: &str, code: &str, more: &[&str]) -> Vec<String> {
    let arguments = [&["check", "-", "--format", "json", "--exit-zero"], more].concat();
    let run = premiss_on(source, &arguments).exits(0);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let all = report["diagnostics"].as_array().expect("diagnostics");
    let own = all.iter().filter(|x| x["code"] == code);
    own.map(|x| x["help"].as_str().expect("help").to_owned())
        .collect()
}

#[test]
fn help_names_the_loop_that_moves_within_lines() {
    // A byte of each pixel: the loop over j moves by four bytes, which is no element and less than a line.
    let pixels = "struct p { unsigned char r, g, b, a; };\nint s;\nvoid f(int n, struct p x[500][400], int w[400][500])\n{\n  \
                  for (int j = 0; j < 400; j++)\n    for (int i = 0; i < 500; i++)\n      s += x[i][j].r * w[j][i];\n}\n";
    let help = helps(pixels, "PM001", &CACHES);
    assert_eq!(help.len(), 1, "{help:?}");
    assert!(
        help[0].starts_with("it moves by 4 bytes with the loop over j"),
        "{help:?}"
    );
    // Where no other reference would lose, the loops are to be exchanged.
    let alone = pixels.replace(" * w[j][i]", "");
    assert!(codes(&alone, &CACHES).contains(&"PM007".to_owned()));
    let diagonal = pixels
        .replace("x[i][j].r", "x[i][20 * j % 400].r")
        .replace("j < 400", "j < 1");
    let help = helps(&diagonal, "PM001", &CACHES);
    assert!(!help.iter().any(|x| x.contains("it moves by")), "{help:?}");
}

#[test]
fn help_for_unused_bytes_is_about_their_cause() {
    let order = "double s;\nvoid f(double a[128][4096])\n{\n  for (int j = 0; j < 4096; j++)\n    \
                 for (int i = 0; i < 128; i++)\n      for (int k = 0; k < 2; k++)\n        s += a[i][j];\n}\n";
    let structs = "struct p { double x, y, z, mass; };\ndouble s;\nvoid f(struct p p[4096])\n{\n  \
                   for (int i = 0; i < 4096; i++)\n    s += p[i].mass;\n}\n";
    for (source, beginning) in [
        (order, "it moves by 8 bytes with the loop over j"),
        (structs, "keep what is used together in memory together"),
    ] {
        let help = helps(source, "PM002", &CACHES);
        assert_eq!(help.len(), 1, "{help:?}");
        assert!(help[0].starts_with(beginning), "{help:?}");
    }
}

#[test]
fn most_bytes_come_first() {
    let both = format!(
        "{BY_COLUMNS}void g(double b[300][300])\n{{\n  for (int j = 0; j < 300; j++)\n    \
                        for (int i = 0; i < 300; i++)\n      s += b[i][j];\n}}\n"
    );
    let found = findings(&both, &CACHES);
    let strided: Vec<_> = found.iter().filter(|x| x.0 == "PM007").collect();
    assert!(
        strided[0].1.starts_with("b[i][j]") && strided[1].1.starts_with("a[i][j]"),
        "{found:?}"
    );
}

#[test]
fn what_may_be_is_no_finding() {
    // Whether anything is read is for data to say.
    let guarded = BY_COLUMNS
        .replace("double a[200][200]", "int *p, double a[200][200]")
        .replace("s += a[i][j]", "if (p[i]) s += a[i][j]");
    assert!(!codes(&guarded, &CACHES).contains(&"PM007".to_owned()));
}

/// What is left of the findings in [`BY_COLUMNS`] where a comment stands before or on a line.
fn silenced(line: usize, before: bool, comment: &str) -> Vec<String> {
    let mut lines: Vec<String> = BY_COLUMNS.lines().map(str::to_owned).collect();
    if before {
        lines.insert(line - 1, comment.to_owned());
    } else {
        lines[line - 1] += comment;
    }
    codes(&(lines.join("\n") + "\n"), &CACHES)
}

#[test]
fn comments_silence_rules() {
    assert_eq!(
        silenced(6, false, " // premiss:ignore[PM007] why not"),
        [""; 0]
    );
    assert_eq!(
        silenced(6, true, "/* premiss:ignore[column-walk] why not */"),
        [""; 0]
    );
    // A loop with all that is in it, and a function.
    assert_eq!(
        silenced(4, true, "// premiss:ignore[PM007] why not"),
        [""; 0]
    );
    assert_eq!(
        silenced(2, true, "// premiss:ignore[PM007] why not"),
        [""; 0]
    );
    assert_eq!(
        silenced(1, true, "// premiss:ignore-file[PM007,PM002] why not"),
        ["PM900"]
    );
    assert_eq!(
        silenced(1, true, "// premiss:disable[PM007] why not"),
        [""; 0]
    );
    // Another place, another rule.
    assert_eq!(
        silenced(1, true, "// premiss:ignore[PM007] why not"),
        ["PM007", "PM900"]
    );
    assert_eq!(
        silenced(6, false, " // premiss:ignore[PM005] why not"),
        ["PM007", "PM900"]
    );
}

#[test]
fn regions_end() {
    let off = "// premiss:disable[PM007] why not\n";
    let on = "// premiss:enable[PM007]\n";
    assert_eq!(codes(&format!("{off}{BY_COLUMNS}{on}"), &CACHES), [""; 0]);
    assert_eq!(
        codes(&format!("{off}{on}{BY_COLUMNS}"), &CACHES),
        ["PM007", "PM900"]
    );
    assert_eq!(
        codes(&format!("{on}{BY_COLUMNS}"), &CACHES),
        ["PM007", "bad-directive"]
    );
}

#[test]
fn fortran_and_statements_of_several_lines_are_silenced() {
    let fortran = "subroutine f(a, s)\n  double precision a(200, 200), s\n  integer i, j\n  do i = 1, 200\n    \
                   do j = 1, 200\n      ! premiss:ignore[PM007] why not\n      s = s + &\n          a(i, j)\n    \
                   end do\n  end do\nend\n";
    let arguments = |name| [&["--stdin-filename", name][..], &CACHES].concat();
    assert_eq!(codes(fortran, &arguments("f.f90")), [""; 0]);
    let told = codes(
        &fortran.replace("ignore[PM007] why not", ""),
        &arguments("f.f90"),
    );
    assert_eq!(told, ["PM007", "bad-directive"]);
    let long = BY_COLUMNS.replace(
        "s += a",
        "// premiss:ignore[PM007] why not\n      s +=\n        a",
    );
    assert_eq!(codes(&long, &CACHES), [""; 0]);
}

#[test]
fn suppressions_name_rules_and_reasons() {
    for (comment, message) in [
        ("// premiss:ignore", "has to name the rules"),
        ("// premiss:ignore[PM007]", "has to say why"),
        ("// premiss:ignore[PM1] why", "there is no rule `PM1`"),
        ("// premiss:ignore[] why", "there is no rule ``"),
    ] {
        let source = format!("{comment}\n{BY_ROWS}");
        let told = findings(&source, &CACHES);
        assert_eq!(told.len(), 1, "{told:?}");
        assert_eq!(told[0].0, "bad-directive");
        assert!(told[0].1.contains(message), "{told:?}");
    }
}

#[test]
fn rules_have_pages() {
    let run = premiss(&["explain", "PM001"]).exits(0);
    assert!(
        run.stdout.starts_with("# PM001 strided-access\n"),
        "{}",
        run.stdout
    );
    let by_name = premiss(&["explain", "strided-access"]).exits(0);
    assert_eq!(by_name.stdout, run.stdout);
    let json = premiss(&["explain", "pm001", "--format", "json"]).exits(0);
    let page: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(page["page"], run.stdout);
    premiss(&["explain", "PM999"]).exits(2).says("PM001, PM002");
}

#[test]
fn more_than_ten_messages_are_a_line_for_each_kind() {
    let search = |number: u32| {
        format!("void f{number}(double *x)\n{{\n  while (x[0] > {number}) x[0] /= 2;\n}}\n")
    };
    let text: String = (0..11).map(search).collect();
    let run = premiss_on(&text, &["check", "-"]).exits(1);
    assert!(run.stdout.starts_with("11 messages"), "{}", run.stdout);
    let kind = "\n    11  uncounted-loop\n        stdin.c:3:3: ";
    assert!(run.stdout.contains(kind), "{}", run.stdout);
}
