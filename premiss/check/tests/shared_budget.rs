//! Checks of many functions that share a budget: what is cached and what shards count is what one run from scratch counts.
#![expect(
    clippy::disallowed_methods,
    reason = "the test writes the files that are checked"
)]

use premiss_analyze::{
    BudgetScope, CacheSecret, DiskCache, Effort, Engine, Hierarchy, Layout, MeasureOptions,
    MeasureScope, ReadOptions, SHARED_BUDGET,
};
use premiss_check::{
    CheckRequest, CheckedProgram, FileSettings, InputOptions, InputRequest, MissingFlags,
    OutputForm, Profiles, RuleLevels, Shard, SilentHost, check, check_shard,
};
use premiss_machine::{CacheLevel, Machine};
use premiss_report::Colour;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// A folder of files with one function each, which data keep from having a closed form.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("src")).expect("the folder is ours");
        Self(folder)
    }

    /// Writes a file whose function makes about `n`³ accesses.
    fn write(&self, number: usize, n: usize) {
        let text = format!(
            "double a{number}[{n}][{n}], b{number}[{n}][{n}];\nvoid f{number}(void) {{\n  \
             for (int i = 0; i < {n}; i++)\n    for (int j = 0; j < {n}; j++)\n      \
             for (int k = 0; k < {n}; k++)\n        \
             if (a{number}[i][k] > 0)\n          b{number}[k][j] = 1;\n}}\n"
        );
        let path = self.0.join(format!("src/f{number}.c"));
        fs::write(path, text).expect("the folder is ours");
    }

    fn store(&self) -> Arc<DiskCache> {
        let store = DiskCache::new(self.0.join("cache"), CacheSecret::of_text("of the test"));
        Arc::new(store.expect("the folder is ours"))
    }

    /// Passes the request for a check of all files to `run`.
    fn request<T>(
        &self,
        store: Option<Arc<DiskCache>>,
        run: impl FnOnce(&CheckRequest<'_>) -> T,
    ) -> T {
        let level = CacheLevel::parse("L1=4KiB,2,64").expect("a level");
        run(&CheckRequest {
            inputs: InputRequest {
                paths: &[self.0.join("src").display().to_string()],
                stdin_filename: "",
                options: &InputOptions {
                    build: None,
                    missing_flags: MissingFlags::Error,
                    settings: FileSettings::default(),
                },
                reading: &ReadOptions::default(),
                host: &SilentHost {
                    current_dir: &self.0,
                },
            },
            measuring: MeasureOptions {
                scope: MeasureScope::Findings,
                machine: Machine::new("test", "", vec![level], Vec::new()).expect("a machine"),
                hierarchy: Hierarchy::Independent,
                layout: Layout::Page4096,
                bases: BTreeMap::new(),
                engine: Engine::Auto,
                budget: 400_000,
                effort: Effort { steps: 4_000 },
                budget_scope: BudgetScope::Run,
                store,
            },
            profiles: Profiles::read(&[]).expect("there are none"),
            levels: &RuleLevels::new(),
        })
    }

    /// What a check counts, which is the same with results of earlier checks and without.
    #[track_caller]
    fn checked(&self) -> String {
        let counted = |store| {
            self.request(store, |request| {
                let (checked, _writer) = check(request).expect("it is checked");
                rendered(&checked)
            })
        };
        let with_cache = counted(Some(self.store()));
        assert_eq!(with_cache, counted(None));
        with_cache
    }
}

fn rendered(checked: &CheckedProgram) -> String {
    let forms = [OutputForm::Json, OutputForm::Callgrind];
    forms
        .map(|form| checked.render(form, None, Colour::Never))
        .concat()
}

#[test]
fn a_few_functions_have_all_of_the_budget_and_many_share_it_after_any_edit() {
    let folder = Folder::new("shared-edits");
    for number in 0..4 {
        folder.write(number, 60);
    }
    assert!(!folder.checked().contains(SHARED_BUDGET));
    // One more that takes as many steps, and one that hardly takes any.
    folder.write(4, 60);
    assert!(folder.checked().contains(SHARED_BUDGET));
    folder.write(5, 4);
    assert!(folder.checked().contains(SHARED_BUDGET));
    folder.write(3, 5);
    folder.write(4, 5);
    assert!(!folder.checked().contains(SHARED_BUDGET));
    for number in 6..20 {
        folder.write(number, 50);
    }
    let all = folder.checked();
    assert!(all.contains(SHARED_BUDGET));
    // An edit that leaves the share as it is.
    folder.write(2, 61);
    assert_ne!(folder.checked(), all);
}

#[test]
fn each_shard_gives_functions_the_share_that_they_have_in_one_run() {
    let folder = Folder::new("shared-shards");
    for number in 0..12 {
        folder.write(number, 60);
    }
    let n_limited = |checked: &CheckedProgram| {
        let diagnostics = checked.diagnostics.iter();
        diagnostics.filter(|x| x.code == SHARED_BUDGET).count()
    };
    let one_run = folder.request(None, |request| {
        n_limited(&check(request).expect("it is checked").0)
    });
    let shards = (1..=3).map(|number| {
        let shard = Shard::parse(&format!("{number}/3")).expect("a shard");
        folder.request(None, |request| {
            n_limited(&check_shard(request, shard).expect("it is checked").0)
        })
    });
    assert_eq!((12, 12), (one_run, shards.sum()));
}
