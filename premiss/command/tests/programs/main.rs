//! Closed forms of the programs in `testdata/programs` against the trace, reference by reference: at no iteration, at one
//! and two, at sizes that divide the line and sizes that do not, and wherever a form has several cases.

use premiss_analyze::{
    BudgetScope, Effort, Engine, Hierarchy, Layout, MeasureOptions, MeasureScope, Program,
    ReadOptions, ResidueFactors, SymbolicHistogram, SymbolicOptions, factors, measure_function,
    read, symbolic_form,
};
use premiss_machine::{CacheLevel, Machine};
use premiss_source::{MemoryFiles, SourceMap};
use premiss_tree::{NestTree, ParameterId};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Capacities in lines, below and above the distances in small nests.
const CAPACITIES: [u64; 6] = [1, 2, 3, 7, 20, 64];

/// Values of all sizes at once, and how many more each has than the one before.
const POINTS: [(i64, i64); 12] = [
    (0, 0),
    (1, 0),
    (2, 0),
    (8, 0),
    (9, 1),
    (11, -1),
    (12, 8),
    (16, 0),
    (17, 0),
    (21, -3),
    (32, 1),
    (35, 16),
];

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/programs");
    let entries = fs::read_dir(folder).expect("the folder of programs");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| {
        let ends = ["c", "f", "f90", "rs"];
        ends.iter()
            .any(|end| path.extension().is_some_and(|x| x == *end))
    });
    paths.sort();
    paths
}

fn program(path: &Path, options: &ReadOptions) -> Program {
    let mut sources = SourceMap::new();
    let name = path.file_name().and_then(|name| name.to_str());
    let bytes = fs::read(path).expect("a program");
    let file = sources.add(name.expect("a plain name"), bytes);
    read(
        &mut sources,
        file.expect("a small file"),
        options,
        &MemoryFiles::new(),
    )
}

fn measuring() -> MeasureOptions {
    let level = |lines: &u64| {
        CacheLevel::parse(&format!("L{lines}={},full,64", 64 * lines)).expect("a level")
    };
    let levels = CAPACITIES.iter().map(level).collect();
    MeasureOptions {
        scope: MeasureScope::Everything,
        machine: Machine::new("test", "", levels, Vec::new()).expect("a machine"),
        hierarchy: Hierarchy::Independent,
        layout: Layout::Page4096,
        bases: BTreeMap::new(),
        engine: Engine::Trace,
        budget: 100_000_000,
        effort: Effort::DEFAULT,
        budget_scope: BudgetScope::Function,
        store: None,
    }
}

/// What takes more is left out.
const EFFORT: Effort = Effort { steps: 100_000 };

const ASKED: SymbolicOptions<'_> = SymbolicOptions {
    line_size: 64,
    alignment: Some(4096),
    bound: None,
    effort: EFFORT,
    store: None,
};

/// The forms of a function, by remainders of its sizes.
struct Forms<'a> {
    path: &'a Path,
    tree: &'a NestTree,
    factors: ResidueFactors,
    by_class: BTreeMap<BTreeMap<ParameterId, i64>, Option<SymbolicHistogram>>,
}

impl Forms<'_> {
    /// Compares the form with the trace where sizes have these values; whether it says anything of them.
    fn agree_at(&mut self, values: &BTreeMap<ParameterId, i64>) -> bool {
        let remainder = |(id, value): (&ParameterId, &i64)| {
            let factor = self.factors.get(id).copied().unwrap_or(1);
            (*id, value % factor)
        };
        let residues: BTreeMap<ParameterId, i64> = values.iter().map(remainder).collect();
        let tree = self.tree;
        if !self.by_class.contains_key(&residues) {
            let form = symbolic_form(tree, &self.factors, &residues, ASKED);
            let form = form.ok().map(|form| form.histogram);
            self.by_class.insert(residues.clone(), form);
        }
        let Some(form) = &self.by_class[&residues] else {
            return false; // It takes more than the effort.
        };
        let column = |size: &premiss_analyze::SymbolicParameter| {
            i128::from((values[&size.id] - size.residue) / size.factor)
        };
        let columns: Vec<i128> = form.parameters.iter().map(column).collect();
        if !form.context.contains(&columns).expect("it fits") {
            return false;
        }
        compare(self.path, tree, form, &columns, values);
        true
    }
}

fn compare(
    path: &Path,
    tree: &NestTree,
    form: &SymbolicHistogram,
    columns: &[i128],
    values: &BTreeMap<ParameterId, i64>,
) {
    let mut given = tree.clone();
    for (id, value) in values {
        given.parameters[*id].value = Some(*value);
    }
    let named = |(id, value): (&ParameterId, &i64)| format!("{} = {value}", tree.size_name(*id));
    let sizes: Vec<String> = values.iter().map(named).collect();
    let what = format!(
        "{} {} at {}",
        path.display(),
        tree.function,
        sizes.join(", ")
    );
    let traced = measure_function(given, &measuring());
    let sized = form.at(columns).expect("it fits");
    for part in &sized.references {
        let id = part.reference;
        let counts = traced.references.iter().find(|counts| counts.id == id);
        let counts = counts.expect("a reference");
        for (idx, lines) in CAPACITIES.iter().enumerate() {
            let expected = counts.misses[idx].exact();
            let found = part.misses(*lines).ok();
            let text = &tree.references[id].text;
            assert_eq!(found, expected, "{what}: {text} in {lines} lines");
        }
    }
}

/// Compares all functions of a program that have closed forms; yields at how many sizes.
fn check(path: &Path) -> usize {
    let plain = program(path, &ReadOptions::default());
    let options = ReadOptions {
        symbolic: plain.size_names.iter().cloned().collect::<BTreeSet<_>>(),
        ..ReadOptions::default()
    };
    let mut all = 0;
    for tree in &program(path, &options).functions {
        let Ok(factors) = factors(tree, ASKED) else {
            continue;
        };
        let mut forms = Forms {
            path,
            tree,
            factors,
            by_class: BTreeMap::new(),
        };
        let open = tree.used_parameters().into_iter();
        let open: Vec<ParameterId> = open
            .filter(|id| tree.parameters[*id].value.is_none())
            .collect();
        for (first, more) in POINTS {
            let value = |(place, id): (i64, &ParameterId)| (*id, (first + place * more).max(0));
            let values = (0..).zip(&open).map(value).collect();
            all += usize::from(forms.agree_at(&values));
        }
    }
    all
}

/// In so many tests, which run side by side, all programs are checked.
const PARTS: usize = 8;

fn check_part(part: usize) {
    let programs = programs();
    let own = programs.iter().skip(part).step_by(PARTS);
    let n_points: usize = own.map(|path| check(path)).sum();
    assert!(40 <= n_points, "{n_points} sizes were compared");
}

macro_rules! parts {
    ($($test:ident $part:literal,)*) => {
        $(#[test]
        fn $test() {
            check_part($part);
        })*
    };
}

parts! {
    forms_agree_with_the_trace_in_part_0 0,
    forms_agree_with_the_trace_in_part_1 1,
    forms_agree_with_the_trace_in_part_2 2,
    forms_agree_with_the_trace_in_part_3 3,
    forms_agree_with_the_trace_in_part_4 4,
    forms_agree_with_the_trace_in_part_5 5,
    forms_agree_with_the_trace_in_part_6 6,
    forms_agree_with_the_trace_in_part_7 7,
}
