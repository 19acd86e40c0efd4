//! What is expected: the evaluators of closed forms, which share no code with what is emitted, and the
//! trace, which shares none with either.

use crate::drivers::Language;
use premiss_analyze::{
    Arithmetic, Bound, Effort, Engine, Factors, Form, Hierarchy, Layout, MeasureOptions,
    MovedBytes, Places, Program, Quantity, ReadOptions, Resource, Scope, SymbolicHistogram,
    SymbolicOptions, Work, factors, measure, read, sweep, symbolic_form,
};
use premiss_machine::{CacheLevel, Machine};
use premiss_source::SourceMap;
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
fn wide(number: u128) -> f64 {
    number as f64
}

/// The misses at columns and a capacity; nothing where they do not fit.
type Misses = Box<dyn Fn(&[i128], u64) -> Option<u64>>;

/// Evaluates quantities of a kernel at sizes.
pub(crate) struct Evaluator {
    text: Vec<u8>,
    tree: NestTree,
    sizes: Vec<ParameterId>,
    places: Places,
    /// By the remainders of the sizes; none where there is no closed form.
    histograms: BTreeMap<Vec<i64>, (SymbolicHistogram, Misses)>,
    factors: Factors,
    machine: Machine,
}

fn program(text: &[u8], options: &ReadOptions) -> Program {
    let mut sources = SourceMap::new();
    let file = sources
        .add("kernel.c", text.to_vec())
        .expect("a small file");
    read(&mut sources, file, options, &mut |_| None)
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
                let ready = form.histogram.ready();
                let misses: Misses = Box::new(move |columns, lines| {
                    let sized = ready.at(columns).ok()?;
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

    /// The seconds of [`Bound`] in picoseconds, of one resource or the slowest.
    fn time(&self, name: &str, sizes: &[i64]) -> Answer {
        let (_, wanted) = name.split_once("picoseconds").expect("a time");
        let parts = self.parts(sizes);
        if !wanted.is_empty() {
            let mut parts = parts.into_iter();
            return parts.find(|(part, _)| part == wanted).expect("a part").1;
        }
        let mut overflow = false;
        let mut greatest = 0.0_f64;
        for (_, part) in parts {
            match part {
                Answer::Time(time) => greatest = greatest.max(time),
                Answer::Overflow => overflow = true,
                Answer::Outside if overflow => return Answer::OverflowOrOutside,
                other => return other,
            }
        }
        match overflow {
            true => Answer::Overflow,
            false => Answer::Time(greatest),
        }
    }

    /// What each resource of the machine takes, by the end of its name, in order.
    fn parts(&self, sizes: &[i64]) -> Vec<(String, Answer)> {
        let machine = &self.machine;
        let n_caches = machine.caches().len();
        // Of work alone, or of bytes below one cache alone.
        let alone = |work: Arithmetic, resource: Resource, read: f64| {
            let work = Work {
                by_precision: BTreeMap::from([(8, work)]),
            };
            let mut moved = vec![MovedBytes::default(); n_caches];
            if let Resource::Below(idx) = resource {
                moved[idx].read = read;
            }
            let bound = Bound::new(machine, &work, moved).expect("a machine with a core");
            let mut own = bound.ceilings.iter().filter(|x| x.resource == resource);
            own.next().map(|ceiling| ceiling.seconds * 1e12)
        };
        let units = ["simple", "fused", "divisions", "roots"];
        let units = units.map(|unit| self.answer(&format!("{unit}_f64"), sizes));
        let nothing = Arithmetic::default();
        let mut parts = Vec::new();
        for (part, of) in [
            ("_arithmetic", 0..2),
            ("_divisions", 2..3),
            ("_roots", 3..4),
        ] {
            parts.push((
                part.to_owned(),
                timed(&units[of.clone()], |numbers| {
                    let mut work = nothing;
                    match part {
                        "_arithmetic" => (work.simple, work.fused) = (numbers[0], numbers[1]),
                        "_divisions" => work.divisions = numbers[0],
                        _ => work.roots = numbers[0],
                    }
                    alone(work, Resource::Arithmetic, 0.0).expect("a rate")
                }),
            ));
        }
        for (idx, cache) in machine.caches().iter().enumerate() {
            let below = machine.caches().get(idx + 1);
            let name = below.map_or("_memory".to_owned(), |x| format!("_from_{}", x.name()));
            let resource = Resource::Below(idx);
            if alone(nothing, resource, 1.0).is_none() {
                continue;
            }
            let time = |bytes: f64| alone(nothing, resource, bytes).expect("a bandwidth");
            let is_full = cache.geometry().sets == 1;
            let all = match is_full {
                true => vec![self.misses(sizes, lines(cache), 1)],
                false => vec![
                    self.misses(sizes, i64::MAX, 1),
                    self.misses(sizes, 2 * lines(cache), 1),
                ],
            };
            parts.push((
                name,
                timed(&all, |misses| match is_full {
                    true => time(64.0 * misses[0]),
                    false => time((64.0 * misses[0]).max(32.0 * misses[1])),
                }),
            ));
        }
        parts
    }

    fn misses(&self, sizes: &[i64], lines: i64, times: u64) -> Answer {
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

    /// Compares the least time with that of the evaluator, whose misses are traced: they are the same
    /// where all caches are fully associative, and no greater elsewhere.
    fn compare_times_with_sweep(&self, sizes: &[i64]) {
        if self.machine.core().is_none() || self.histograms.is_empty() {
            return;
        }
        let name = |id: &ParameterId| self.tree.work.parameters[*id].name.clone();
        let point = self.sizes.iter().map(name).zip(sizes.iter().copied());
        let options = measuring(self.machine.clone());
        let swept = sweep(&self.tree, &[point.collect()], &options);
        let bound = swept.points[0].bound.as_ref().expect("a bound");
        let greatest = bound.binding().expect("a ceiling").seconds * 1e12;
        let found = self.time("least_picoseconds", sizes);
        let Answer::Time(found) = found else {
            panic!("{found:?} at {sizes:?}");
        };
        let caches = self.machine.caches();
        let is_exact = caches.iter().all(|cache| cache.geometry().sets == 1);
        let rest = (greatest - found) / greatest;
        assert!(-1e-12 < rest, "{found} beyond {greatest} at {sizes:?}");
        assert!(
            !is_exact || rest < 1e-12,
            "{found}, not {greatest} at {sizes:?}"
        );
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
        for (name, counted) in [
            ("accesses", traced.accesses),
            ("loads", traced.loads),
            ("stores", traced.stores),
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

fn lines(cache: &CacheLevel) -> i64 {
    let geometry = cache.geometry();
    i64::try_from(geometry.sets * geometry.ways).expect("few lines")
}

/// The time of some numbers; the first answer that is none otherwise.
fn timed(numbers: &[Answer], time: impl Fn(&[f64]) -> f64) -> Answer {
    let mut all = Vec::new();
    for number in numbers {
        match number {
            Answer::Value(value) => all.push(wide(*value)),
            other => return other.clone(),
        }
    }
    match time(&all) {
        time if time < 18_446_744_073_709_551_615.0 => Answer::Time(time),
        _ => Answer::Overflow,
    }
}

fn measuring(machine: Machine) -> MeasureOptions {
    MeasureOptions {
        machine,
        hierarchy: Hierarchy::Independent,
        layout: Layout::Page4096,
        bases: BTreeMap::new(),
        engine: Engine::Trace,
        budget: 1_000_000_000,
        effort: Effort::DEFAULT,
        store: None,
    }
}

/// The remainders of each class that options ask for.
fn classes(
    tree: &NestTree,
    factors: &Factors,
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
