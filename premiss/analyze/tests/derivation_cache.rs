//! Derivations kept between runs: found where nothing changed, made anew where something did, and
//! seen in no result.

#![allow(clippy::disallowed_methods, reason = "tests a folder")]

use premiss_analyze::{
    Analysis, BudgetScope, CacheSecret, DiskCache, Effort, Engine, Hierarchy, Layout, LevelCounts,
    MeasureOptions, MeasureScope, Program, ReadOptions, SymbolicOptions, explain, formulas,
    measure, read, sweep,
};
use premiss_machine::{CacheLevel, Machine};
use premiss_source::{MemoryFiles, SourceMap};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// A folder of its own that is gone with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }

    /// What a new run makes of it.
    fn store(&self) -> Arc<DiskCache> {
        let cache = DiskCache::new(self.0.clone(), CacheSecret::of_text("of the test"));
        Arc::new(cache.expect("the folder is ours"))
    }

    fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.0).expect("it was written to");
        let mut files: Vec<PathBuf> = entries.map(|x| x.expect("an entry").path()).collect();
        files.sort();
        files
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const TWO: &str = "
    #define N 40
    double A[N][N], B[N][N], x[N], y[N];
    void transpose(void) {
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
          B[j][i] = A[i][j];
    }
    void product(void) {
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
          y[i] += A[i][j] * x[j];
    }";

fn program(text: &str, symbolic: &[&str]) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", text.into()).expect("a small file");
    let options = ReadOptions {
        symbolic: symbolic.iter().map(ToString::to_string).collect(),
        ..ReadOptions::default()
    };
    read(&mut sources, file, &options, &MemoryFiles::new())
}

fn options(store: Option<Arc<DiskCache>>) -> MeasureOptions {
    let level = CacheLevel::parse("L1=4KiB,full,64").expect("a level");
    MeasureOptions {
        scope: MeasureScope::Everything,
        machine: Machine::new("test", "", vec![level], Vec::new()).expect("a machine"),
        hierarchy: Hierarchy::Independent,
        layout: Layout::Page4096,
        bases: BTreeMap::new(),
        engine: Engine::Closed,
        budget: 1_000_000_000,
        effort: Effort::DEFAULT,
        budget_scope: BudgetScope::Function,
        store,
    }
}

/// The analysis of a text in a new run, and how many derivations were found and made anew.
fn run(text: &str, folder: &Folder) -> (Analysis, u64, u64) {
    let store = folder.store();
    let analysis = measure(program(text, &[]), &options(Some(store.clone())));
    (analysis, store.hits(), store.misses())
}

/// All numbers of an analysis that closed forms have.
fn numbers(analysis: &Analysis) -> String {
    let functions = analysis.functions.iter();
    let of_one = functions.map(|x| {
        let levels = x.levels.iter();
        let levels: Vec<_> = levels
            .map(|level| {
                let LevelCounts {
                    misses,
                    load_misses,
                    store_misses,
                    three_c,
                    estimate,
                    ..
                } = level;
                (misses, load_misses, store_misses, three_c, estimate)
            })
            .collect();
        format!("{levels:?} {:?} {:?}", x.lines, x.references)
    });
    of_one.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_second_run_derives_nothing_and_says_the_same() {
    let folder = Folder::new("second");
    let without = measure(program(TWO, &[]), &options(None));
    let (first, found, missed) = run(TWO, &folder);
    assert_eq!((found, missed), (0, 2));
    let (second, found, missed) = run(TWO, &folder);
    assert_eq!((found, missed), (2, 0));
    assert_eq!(numbers(&first), numbers(&without));
    assert_eq!(numbers(&second), numbers(&without));
    assert!(!numbers(&without).contains("Unknown"));
}

#[test]
fn an_edit_derives_the_function_anew_that_it_changes() {
    let folder = Folder::new("edit");
    run(TWO, &folder);
    let edited = TWO.replace("B[j][i] = A[i][j]", "B[j][i] = A[i][j] + A[j][i]");
    let (analysis, found, missed) = run(&edited, &folder);
    assert_eq!((found, missed), (1, 1));
    let anew = measure(program(&edited, &[]), &options(None));
    assert_eq!(numbers(&analysis), numbers(&anew));
    let (_, found, missed) = run(TWO, &folder);
    assert_eq!((found, missed), (2, 0), "undoing it derives nothing");
}

#[test]
fn names_lines_and_the_order_of_functions_do_not_matter() {
    let folder = Folder::new("names");
    run(TWO, &folder);
    let (transpose, product) = TWO.split_at(TWO.find("void product").expect("it is there"));
    let (head, transpose) = transpose.split_at(transpose.find("void transpose").expect("it is"));
    let moved = format!("/* one\n more */\n{head}{product}\n\n\n{transpose}");
    let renamed = moved.replace("product", "mv").replace("A[", "matrix[");
    let (analysis, found, missed) = run(&renamed, &folder);
    assert_eq!((found, missed), (2, 0));
    let anew = measure(program(&renamed, &[]), &options(None));
    assert_eq!(numbers(&analysis), numbers(&anew));
}

#[test]
fn broken_files_are_ignored_and_overwritten() {
    let folder = Folder::new("broken");
    let (first, ..) = run(TWO, &folder);
    for file in folder.files() {
        let mut bytes = fs::read(&file).expect("it is ours");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x10;
        fs::write(&file, bytes).expect("it is ours");
    }
    let (second, found, missed) = run(TWO, &folder);
    assert_eq!((found, missed), (0, 2));
    assert_eq!(numbers(&second), numbers(&first));
    let (_, found, missed) = run(TWO, &folder);
    assert_eq!((found, missed), (2, 0));
}

#[test]
fn what_is_refused_is_kept_with_its_effort() {
    let folder = Folder::new("refused");
    let run = |steps| {
        let store = folder.store();
        let mut options = options(Some(store.clone()));
        options.effort = Effort { steps };
        let analysis = measure(program(TWO, &[]), &options);
        let messages = analysis.diagnostics.iter().map(|x| x.message.clone());
        (messages.collect::<Vec<_>>(), store.hits(), store.misses())
    };
    let (first, found, missed) = run(1);
    assert_eq!((found, missed, first.len()), (0, 2, 2));
    assert_eq!(run(1), (first, 2, 0));
    assert_eq!(run(2_000_000), (Vec::new(), 0, 2));
}

/// Formulas, stories and sweeps of a function with these sizes symbolic, in a new run.
fn symbolic(text: &str, store: Option<&Arc<DiskCache>>) -> String {
    let program = program(text, &["N"]);
    let mut told = String::new();
    let asked = SymbolicOptions {
        line_size: 64,
        alignment: Some(4096),
        bound: None,
        effort: Effort::DEFAULT,
        store: store.map(AsRef::as_ref),
    };
    let levels = vec![options(None).machine.levels().next().expect("one").1];
    for tree in &program.functions {
        let found = formulas(
            tree,
            &[("L1".to_owned(), levels[0])],
            &BTreeMap::new(),
            asked,
        );
        told += &format!("{found:?}\n");
        let story = explain(tree, &|_| true, &levels, asked).map(|x| x.references);
        told += &format!("{story:?}\n");
        let points: Vec<_> = (60..70)
            .map(|n| BTreeMap::from([("N".to_owned(), n)]))
            .collect();
        told += &format!("{:?}\n", sweep(tree, &points, &options(store.cloned())));
    }
    told
}

#[test]
fn formulas_stories_and_sweeps_are_the_same() {
    let folder = Folder::new("symbolic");
    let without = symbolic(TWO, None);
    assert_eq!(symbolic(TWO, Some(&folder.store())), without);
    let store = folder.store();
    assert_eq!(symbolic(TWO, Some(&store)), without);
    assert_eq!(store.misses(), 0);
    assert!(0 < store.hits());
}

#[test]
fn runs_side_by_side_do_not_disturb_each_other() {
    let folder = Folder::new("parallel");
    let expected = numbers(&measure(program(TWO, &[]), &options(None)));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(numbers(&run(TWO, &folder).0), expected));
        }
    });
    assert_eq!(folder.files().len(), 2);
}
