//! What is expected: the evaluators of closed forms, which share no code with what is emitted, and the
//! trace, which shares none with either.

use crate::drivers::Language;
use premiss_analyze::{
    BudgetScope, Effort, Engine, Form, Hierarchy, Layout, MeasureOptions, MeasureScope, Places,
    Program, Quantity, ReadOptions, ResidueFactors, Scope, SymbolicHistogram, SymbolicOptions,
    factors, measure, read, symbolic_form,
};
use premiss_machine::{CacheLevel, Machine};
use premiss_source::{MemoryFiles, SourceMap};
use premiss_tree::{AccessKind, NestTree, Operands, OperationKind, ParameterId, ParameterKind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What a call yields.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Answer {
    Value(u128),
    /// So many picoseconds, rounded down, as far as numbers of 53 bits tell.
    Time(f64),
    Outside,
    Overflow,
    /// As soon as a number does not fit, or where all do, outside.
    OverflowOrOutside,
}

impl Answer {
    /// Whether a language may answer so: Python's integers do not overflow, and those of others may on
    /// the way to a value that fits.
    pub(crate) fn agrees(&self, found: &Self, language: Language) -> bool {
        match (self, found) {
            (Self::Overflow, Self::Value(value)) => {
                language == Language::Python && u128::from(u64::MAX) < *value
            }
            (Self::OverflowOrOutside, Self::Outside) => language == Language::Python,
            (Self::OverflowOrOutside, Self::Overflow) => language != Language::Python,
            (Self::Time(exact), Self::Value(value)) => {
                let slack = 1e-3_f64.max(exact * 1e-12);
                (exact - slack).floor() <= wide(*value) && wide(*value) <= (exact + slack).floor()
            }
            _ => self == found,
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "it is compared with slack")]
pub(crate) fn wide(number: u128) -> f64 {
    number as f64
}

/// The misses at columns and a capacity; nothing where they do not fit.
type Misses = Box<dyn Fn(&[i128], u64) -> Option<u64>>;

/// Evaluates quantities of a kernel at sizes.
pub(crate) struct Evaluator {
    text: Vec<u8>,
    pub(crate) tree: NestTree,
    sizes: Vec<ParameterId>,
    places: Places,
    /// By the remainders of the sizes; none where there is no closed form.
    histograms: BTreeMap<Vec<i64>, (SymbolicHistogram, Misses)>,
    factors: ResidueFactors,
    pub(crate) machine: Machine,
}

fn program(text: &[u8], options: &ReadOptions) -> Program {
    let mut sources = SourceMap::new();
    let file = sources
        .add("kernel.c", text.to_vec())
        .expect("a small file");
    read(&mut sources, file, options, &MemoryFiles::new())
}

impl Evaluator {
    pub(crate) fn new(path: &Path, options: &[&str], machine: Machine) -> Self {
        let text = std::fs::read(path).expect("a kernel");
        let plain = program(&text, &ReadOptions::default());
        let symbolic = ReadOptions {
            symbolic: plain.size_names.iter().cloned().collect::<BTreeSet<_>>(),
            ..ReadOptions::default()
        };
        let mut program = program(&text, &symbolic);
        let tree = program.functions.remove(0);
        let sizes = tree.work.parameters.iter();
        let sizes =
            sizes.filter(|(_, size)| size.value.is_none() && size.kind == ParameterKind::Size);
        let sizes: Vec<ParameterId> = sizes.map(|(id, _)| id).collect();
        let asked = SymbolicOptions {
            line_size: 64,
            alignment: Some(4096),
            bound: None,
            effort: Effort::DEFAULT,
            store: None,
        };
        let places = Places::derive(&tree, &BTreeMap::new(), 1_000_000).expect("places");
        let factors = factors(&tree, asked).unwrap_or_default();
        let classes = classes(&tree, &factors, options);
        let mut histograms = BTreeMap::new();
        for residues in classes {
            let key = sizes
                .iter()
                .map(|id| residues.get(id).copied().unwrap_or(0));
            if let Ok(form) = symbolic_form(&tree, &factors, &residues, asked) {
                let prepared = form.histogram.prepared();
                let misses: Misses = Box::new(move |columns, lines| {
                    let sized = prepared.at(columns).ok()?;
                    let mut parts = sized.references.iter();
                    parts.try_fold(0_u64, |sum, part| sum.checked_add(part.misses(lines).ok()?))
                });
                histograms.insert(key.collect(), (form.histogram, misses));
            }
        }
        Self {
            text,
            tree,
            sizes,
            places,
            histograms,
            factors,
            machine,
        }
    }

    /// The sizes in the order of arguments.
    pub(crate) fn sizes(&self) -> &[ParameterId] {
        &self.sizes
    }

    /// Whether no misses have a closed form.
    pub(crate) fn has_no_misses(&self) -> bool {
        self.histograms.is_empty()
    }

    /// What a function yields, by the end of its name.
    pub(crate) fn answer(&self, name: &str, arguments: &[i64]) -> Answer {
        if name.contains("picoseconds") {
            return self.time(name, arguments);
        }
        let ends = |end: &str| name.ends_with(end);
        for cache in self.machine.caches() {
            if ends(&format!("_{}", cache.name())) {
                let times = if name.contains("bytes") { 64 } else { 1 };
                return self.misses(arguments, lines(cache), times);
            }
        }
        if ends("misses") {
            return self.misses(&arguments[1..], arguments[0], 1);
        }
        if ends("cold") {
            return self.misses(arguments, i64::MAX, 1);
        }
        let bound = usize::from(ends("_most"));
        let form = self.form(name.trim_end_matches("_most").trim_end_matches("_least"));
        let value = |size: &premiss_analyze::SymbolicParameter| {
            let place = self.sizes.iter().position(|id| *id == size.id);
            i128::from(arguments[place.expect("a size")])
        };
        let columns: Vec<i128> = self.places.parameters.iter().map(value).collect();
        let is_negative = columns.iter().any(|x| *x < 0);
        if is_negative || !self.places.context.contains(&columns).expect("it fits") {
            return Answer::Outside;
        }
        let value = form[bound].at(&columns);
        value.map_or(Answer::Overflow, |value| Answer::Value(value.into()))
    }

    fn form(&self, name: &str) -> [Form; 2] {
        let ends = |end: &str| name.ends_with(end);
        let wanted = |x: &Quantity| match x {
            Quantity::Elements(kind, _) => {
                ends("accesses")
                    || ends("loads") && *kind == AccessKind::Load
                    || ends("stores") && *kind == AccessKind::Store
            }
            Quantity::Bytes(kind, _) => {
                ends("bytes_loaded") && *kind == AccessKind::Load
                    || ends("bytes_stored") && *kind == AccessKind::Store
            }
            Quantity::Operation(x) => {
                let is_real = !matches!(x.operands, Operands::Integer(_));
                let unit = match x.kind {
                    OperationKind::Add | OperationKind::Subtract | OperationKind::Multiply => {
                        "simple_f64"
                    }
                    OperationKind::Divide => "divisions_f64",
                    OperationKind::SquareRoot => "roots_f64",
                    _ => "nothing",
                };
                is_real && (ends("flops") || ends(unit))
            }
            Quantity::Fused(_) => ends("fused_f64"),
        };
        let form = self.places.form(&self.tree, Scope::Function, wanted);
        form.expect("it fits").expect("it is known")
    }

    pub(crate) fn misses(&self, sizes: &[i64], lines: i64, times: u64) -> Answer {
        if lines < 0 || sizes.iter().any(|size| *size < 0) {
            return Answer::Outside;
        }
        let remainders = sizes.iter().zip(&self.sizes);
        let remainders = remainders.map(|(x, id)| x % self.factors.get(id).copied().unwrap_or(1));
        let Some((histogram, misses)) = self.histograms.get(&remainders.collect::<Vec<_>>()) else {
            return Answer::Outside;
        };
        let column = |size: &premiss_analyze::SymbolicParameter| {
            let place = self.sizes.iter().position(|id| *id == size.id);
            i128::from(sizes[place.expect("a size")] / size.factor)
        };
        let columns: Vec<i128> = histogram.parameters.iter().map(column).collect();
        if !histogram.context.contains(&columns).expect("it fits") {
            return Answer::Outside;
        }
        let lines = u64::try_from(lines).expect("it is not negative");
        let found = misses(&columns, lines);
        match found.and_then(|misses| misses.checked_mul(times)) {
            Some(value) => Answer::Value(value.into()),
            None => Answer::Overflow,
        }
    }

    /// Compares the evaluators with what running the loops counts.
    pub(crate) fn compare_with_trace(&self, sizes: &[i64]) {
        let name = |id: &ParameterId| self.tree.work.parameters[*id].name.clone();
        let given = self.sizes.iter().map(name).zip(sizes.iter().copied());
        let options = ReadOptions {
            sizes: given.collect(),
            ..ReadOptions::default()
        };
        self.compare_times_with_sweep(sizes);
        let levels = [1, 5, 64].map(|lines| {
            CacheLevel::parse(&format!("L{lines}={},full,64", 64 * lines)).expect("a level")
        });
        let machine = Machine::new("test", "", levels.to_vec(), Vec::new()).expect("a machine");
        let analysis = measure(program(&self.text, &options), &measuring(machine));
        let traced = &analysis.functions[0];
        // Where data decide, the totals of a report are narrower than sums over references.
        let sum = |kinds: &[AccessKind]| {
            let references = traced.references.iter();
            let references =
                references.filter(|x| kinds.contains(&traced.tree.references[x.id].kind));
            references.map(|x| x.accesses).sum()
        };
        for (name, counted) in [
            ("accesses", sum(&[AccessKind::Load, AccessKind::Store])),
            ("loads", sum(&[AccessKind::Load])),
            ("stores", sum(&[AccessKind::Store])),
            ("flops", traced.operations.of(Scope::Function).flops()),
        ] {
            let (least, most) = counted.bounds().expect("it is known");
            let bounds = ["_least", "_most"].map(|end| self.answer(&format!("{name}{end}"), sizes));
            let expected = [least, most].map(|x| Answer::Value(x.into()));
            assert_eq!(bounds, expected, "{name} at {sizes:?}");
        }
        if self.histograms.is_empty() {
            return;
        }
        for level in &traced.levels {
            let lines = level.geometry.sets * level.geometry.ways;
            let lines = i64::try_from(lines).expect("few lines");
            let expected = level.misses.exact().expect("it is exact");
            let found = self.misses(sizes, lines, 1);
            assert_eq!(
                found,
                Answer::Value(expected.into()),
                "{lines} lines at {sizes:?}"
            );
        }
    }
}

pub(crate) fn lines(cache: &CacheLevel) -> i64 {
    let geometry = cache.geometry();
    i64::try_from(geometry.sets * geometry.ways).expect("few lines")
}

pub(crate) fn measuring(machine: Machine) -> MeasureOptions {
    MeasureOptions {
        scope: MeasureScope::Everything,
        machine,
        hierarchy: Hierarchy::Independent,
        layout: Layout::Page4096,
        bases: BTreeMap::new(),
        engine: Engine::Trace,
        budget: 1_000_000_000,
        effort: Effort::DEFAULT,
        budget_scope: BudgetScope::Function,
        store: None,
    }
}

/// The remainders of each class that options ask for.
fn classes(
    tree: &NestTree,
    factors: &ResidueFactors,
    options: &[&str],
) -> Vec<BTreeMap<ParameterId, i64>> {
    let mut all = vec![BTreeMap::new()];
    if options.contains(&"all") {
        for (id, factor) in factors {
            let with = |residues: &BTreeMap<ParameterId, i64>| {
                let residues = residues.clone();
                let each = (0..*factor).map(move |residue| {
                    let mut residues = residues.clone();
                    residues.insert(*id, residue);
                    residues
                });
                each.collect::<Vec<_>>()
            };
            all = all.iter().flat_map(with).collect();
        }
        return all;
    }
    for option in options.iter().filter_map(|option| option.split_once('=')) {
        let id = tree
            .parameters
            .iter()
            .find(|(_, size)| size.name == option.0);
        let residue = option.1.parse().expect("a number");
        all[0].insert(id.expect("a size").0, residue);
    }
    all
}
