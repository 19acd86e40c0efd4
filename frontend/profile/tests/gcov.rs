//! What is read, and what is refused: nothing that is no profile, or one of another text, leads to a number.

use flate2::Compression;
use flate2::write::GzEncoder;
use premiss_profile::{LocateError, LocatedProfile, Profile, ProfileError};
use premiss_source::{FileId, SourceMap, Span};
use premiss_tree::{NestTree, PrimaryMap, Work};
use std::collections::BTreeMap;
use std::io::Write as _;

const SOURCE: &str = "double x[9];\n\ndouble f(int n)\n{\n    return x[n];\n}\n";

/// A profile of a function that begins on a line, with a count of another line.
fn document(start: u32, line: u32, count: &str) -> String {
    format!(
        r#"{{"format_version": "1", "current_working_directory": "/app", "data_file": "f.c", "files": [
            {{"file": "src/f.c",
              "functions": [{{"name": "f", "start_line": {start}, "end_line": 6, "execution_count": 3}}],
              "lines": [{{"line_number": {line}, "count": {count}, "branches": [
                  {{"count": 1, "fallthrough": true, "throw": false, "source_block_id": 2}},
                  {{"count": 2, "fallthrough": false, "throw": false}}]}}]}}]}}"#
    )
}

fn packed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).expect("it is memory");
    encoder.finish().expect("it is memory")
}

fn sources(path: &str) -> (SourceMap, FileId) {
    let mut sources = SourceMap::new();
    let file = sources.add(path, SOURCE.into()).expect("it is small");
    (sources, file)
}

/// A function without anything, named where the text has it.
fn function(file: FileId) -> NestTree {
    let start = u32::try_from(SOURCE.find("f(int").expect("it is there")).expect("it is small");
    NestTree {
        function: "f".to_owned(),
        span: Span {
            file,
            start,
            end: start + 1,
        },
        parameters: PrimaryMap::new(),
        variables: PrimaryMap::new(),
        arrays: PrimaryMap::new(),
        tables: PrimaryMap::new(),
        loops: PrimaryMap::new(),
        references: PrimaryMap::new(),
        rejections: PrimaryMap::new(),
        assumptions: std::collections::BTreeSet::new(),
        bounds: Vec::new(),
        bounding_ranges: BTreeMap::new(),
        body: Vec::new(),
        work: Work::default(),
    }
}

#[test]
fn plain_and_packed_text_are_the_same() {
    let text = document(3, 5, "7");
    let plain = Profile::read(text.as_bytes()).expect("it is right");
    assert_eq!(Profile::read(&packed(&text)), Ok(plain.clone()));
    let file = &plain.files["/app/src/f.c"];
    let function = &file.functions[&(3, "f".to_owned())];
    assert_eq!((function.last_line, function.executions), (6, 3));
    assert_eq!(file.lines[&5].executions, 7);
    let ways: Vec<_> = file.lines[&5]
        .branches
        .iter()
        .map(|way| way.n_taken)
        .collect();
    assert_eq!(ways, [1, 2]);
}

#[test]
fn documents_and_profiles_add_up() {
    let text = document(3, 5, "7") + "\n" + &document(3, 5, "1");
    let mut twice = Profile::read(text.as_bytes()).expect("it is right");
    assert_eq!(twice.files["/app/src/f.c"].lines[&5].executions, 8);
    let once = Profile::read(document(3, 5, "7").as_bytes()).expect("it is right");
    twice.merge(once);
    let file = &twice.files["/app/src/f.c"];
    assert_eq!(file.lines[&5].executions, 15);
    assert_eq!(file.lines[&5].branches[1].n_taken, 6);
    assert_eq!(file.functions[&(3, "f".to_owned())].executions, 9);
}

#[test]
fn what_is_no_profile_is_refused() {
    assert_eq!(Profile::read(b""), Err(ProfileError::Empty));
    assert_eq!(Profile::read(b" \n"), Err(ProfileError::Empty));
    assert_eq!(Profile::read(&packed("")), Err(ProfileError::Empty));
    let mut cut = packed(&document(3, 5, "7"));
    cut.truncate(cut.len() / 2);
    assert!(matches!(Profile::read(&cut), Err(ProfileError::Packed(_))));
    let other_version =
        document(3, 5, "7").replace(r#""format_version": "1""#, r#""format_version": "9""#);
    let no_version = document(3, 5, "7").replace(r#""format_version": "1","#, "");
    let half = &document(3, 5, "7")[..200];
    for text in [
        "[1, 2]",
        r#"{"version": "2.1.0", "runs": []}"#,
        r#"{"files": [{"file": 3}]}"#,
        "        -:    0:Source:f.c",
        &other_version,
        &no_version,
        half,
    ] {
        let refused = Profile::read(text.as_bytes());
        let Err(ProfileError::Form(_)) = refused else {
            panic!("{text}: {refused:?}");
        };
    }
    let no_text = b"{\"format_version\": \"1\", \"files\": [{\"file\": \"\xff.c\", \"functions\": [], \"lines\": []}]}";
    assert!(matches!(Profile::read(no_text), Err(ProfileError::Form(_))));
    let shown = Profile::read(b"").unwrap_err().to_string();
    assert!(shown.contains("gcov -b --json-format"), "{shown}");
}

#[test]
fn counts_that_no_run_reaches_are_refused() {
    for count in [
        "-1",
        "9223372036854775808",
        "18446744073709551616",
        "1e300",
        "-0.5",
    ] {
        let refused = Profile::read(document(3, 5, count).as_bytes());
        let Err(error @ ProfileError::Count { .. }) = refused else {
            panic!("{count}: {refused:?}");
        };
        assert!(error.to_string().contains("line 5 of `src/f.c`"), "{error}");
    }
    for (count, value) in [("9223372036854775807", (1 << 63) - 1), ("1.5e6", 1_500_000)] {
        let read = Profile::read(document(3, 5, count).as_bytes()).expect("it is a count");
        assert_eq!(read.files["/app/src/f.c"].lines[&5].executions, value);
    }
}

#[test]
fn sums_beyond_64_bits_stay_at_the_greatest() {
    let text = document(3, 5, "9223372036854775807");
    let one = Profile::read(text.as_bytes()).expect("it is right");
    let mut sum = one.clone();
    sum.merge(one.clone());
    sum.merge(one);
    assert_eq!(sum.files["/app/src/f.c"].lines[&5].executions, u64::MAX);
}

#[test]
fn a_profile_of_this_text_is_taken() {
    let profile = Profile::read(document(3, 5, "7").as_bytes()).expect("it is right");
    for path in ["f.c", "src/f.c", "./src/f.c", "/app/src/f.c"] {
        let (sources, file) = sources(path);
        let located = LocatedProfile::new(&profile, &sources, &[file]).expect("it is the file");
        assert_eq!(located.check(&function(file)), Ok(()));
    }
}

#[test]
fn a_profile_of_other_files_is_refused() {
    let profile = Profile::read(document(3, 5, "7").as_bytes()).expect("it is right");
    let (sources, file) = sources("lib/f.c");
    let error = LocatedProfile::new(&profile, &sources, &[file]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the profile has nothing of `lib/f.c`; it is of: `/app/src/f.c`"
    );
}

#[test]
fn a_profile_of_another_version_is_refused() {
    let why = |start, line| {
        let profile = Profile::read(document(start, line, "7").as_bytes()).expect("it is right");
        let (sources, file) = sources("f.c");
        let located = LocatedProfile::new(&profile, &sources, &[file]);
        match located.and_then(|located| located.check(&function(file))) {
            Err(LocateError::OtherVersion { reason, .. }) => reason,
            other => panic!("{start}, {line}: {other:?}"),
        }
    };
    assert_eq!(why(3, 80), "it has counts of line 80, and the file has 7");
    assert_eq!(why(3, 0), "it has counts of line 0, and the file has 7");
    assert_eq!(why(3, 2), "it has counts of line 2, which has no code");
    assert_eq!(why(1, 5), "function `f` begins on line 1 in it, on 3 here");
}
