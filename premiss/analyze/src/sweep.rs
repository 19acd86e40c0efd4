//! Misses over sizes, from one derivation for each residue class.

use crate::attempt::Attempts;
use crate::averaged::Averages;
use crate::closed::{Derivation, NoForm};
use crate::formula::{Case, Cases, Formula, Formulas};
use crate::function::{Answered, LevelCounts, assemble};
use crate::measure::{attempt_all, run_all};
use crate::operations::{Arithmetic, counts_at, operations};
use crate::symbolic::{Factors, SymbolicOptions, factors, symbolic_form};
use crate::task::{Chain, Outcome, Task, chains, trace};
use crate::time::bound;
use crate::{Engine, MeasureOptions};
use premiss_cache::CacheGeometry;
use premiss_distance::{ReadyHistogram, SymbolicHistogram};
use premiss_histogram::Counted;
use premiss_misses::estimate;
use premiss_operations::{Counts, FunctionCounts, Scope};
use premiss_parallel as parallel;
use premiss_presburger::Refusal;
use premiss_time::Bound;
use premiss_trace::LevelRun;
use premiss_tree::{NestTree, ParameterId, ReferenceId};
use std::collections::{BTreeMap, BTreeSet};

/// A new formula is a threshold where it differs from the one before by more than a part of this.
const NOTABLE: i128 = 20;

/// The misses of a function at several sizes.
#[derive(Debug)]
pub struct FunctionSweep {
    /// The points, in the order asked for.
    pub points: Vec<SweepPoint>,
    /// How many closed forms were derived.
    pub derivations: usize,
    /// Why some points were not answered by closed forms; lines without a final stop.
    pub reasons: Vec<String>,
    /// Sizes from which on a level no longer holds what it held, by rising size.
    pub thresholds: Vec<Threshold>,
}

/// The misses at one point.
#[derive(Debug)]
pub struct SweepPoint {
    /// For each level its misses, and which engine counted them.
    pub levels: Vec<(Counted, Answered)>,
    /// Operations on real and complex numbers.
    pub flops: Counted,
    /// How long it takes at least; `None` where the machine tells nothing of its core.
    pub bound: Option<Bound>,
}

/// From a size on, a reference misses more often.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Threshold {
    /// The size.
    pub value: i64,
    /// Its name.
    pub size: String,
    /// The index of the level.
    pub level: usize,
    /// The reference.
    pub reference: ReferenceId,
}

/// Sizes by name.
pub type Point = BTreeMap<String, i64>;

/// Counts the misses of a function whose swept sizes have no value, at each of some points.
///
/// Closed forms are derived for the lines of the first level, which thresholds are told of, and for
/// those of levels that only they answer for. Other lines, such as pages, whose classes are many, are
/// derived where the trace runs out of its budget.
#[must_use]
pub fn sweep(tree: &NestTree, points: &[Point], options: &MeasureOptions) -> FunctionSweep {
    let mut forms = Forms::new(tree, options);
    let first = forms.classes(points, |forms, _, line_size| {
        forms.is_wanted_first(line_size)
    });
    forms.derive(&first);
    let traced = parallel::map(points, |point| forms.traced_chains(point));
    let chains = chains(&options.machine, options.hierarchy);
    let second = forms.classes(points, |_, point, line_size| {
        let has_lines = |chain: &Chain| chain.has_lines(line_size);
        let mut chains = chains.iter().zip(&traced[point]);
        chains.any(|(chain, traced)| traced.is_none() && has_lines(chain))
    });
    forms.derive(&second);
    let work: Vec<(&Point, &Traced)> = points.iter().zip(&traced).collect();
    let found = parallel::map(&work, |(point, traced)| forms.point(point, traced));
    let mut reasons = forms.reasons.clone();
    let mut swept = Vec::new();
    for ((levels, reason), counts) in found.into_iter().zip(counts(tree, points, options)) {
        if let Some(reason) = reason.filter(|reason| !reasons.contains(reason)) {
            reasons.push(reason);
        }
        let guaranteed: Vec<Counted> = levels.iter().map(|level| level.guaranteed).collect();
        let shown = levels.iter().map(|level| (level.misses, level.answered));
        swept.push(SweepPoint {
            levels: shown.collect(),
            flops: counts.flops(),
            bound: bound(&options.machine, &counts, &guaranteed),
        });
    }
    FunctionSweep {
        points: swept,
        derivations: forms.derived.values().filter(|form| form.is_ok()).count(),
        thresholds: forms.thresholds(points),
        reasons,
    }
}

/// What the function does at each point.
fn counts(tree: &NestTree, points: &[Point], options: &MeasureOptions) -> Vec<Counts> {
    counts_at(tree, points, options).unwrap_or_else(|| {
        parallel::map(points, |point| {
            let counts = operations(&at(tree, point), options);
            counts.of(Scope::Function).clone()
        })
    })
}

/// The misses of a level.
#[derive(Clone, Copy)]
struct Missed {
    /// As they are shown.
    misses: Counted,
    /// Without averages: what holds for every run.
    guaranteed: Counted,
    answered: Answered,
}

impl Missed {
    fn new(misses: Counted, answered: Answered) -> Self {
        Self {
            misses,
            guaranteed: misses,
            answered,
        }
    }
}

/// The misses of the levels of each chain, where its trace was run to its end.
type Traced = Vec<Option<Vec<Missed>>>;

/// A line size and the remainders of the sizes.
type Class = (u64, BTreeMap<ParameterId, i64>);

/// What is derived of a class, ready for its points.
struct Derived {
    histogram: SymbolicHistogram,
    ready: ReadyHistogram,
}

impl From<Derivation> for Derived {
    fn from(form: Derivation) -> Self {
        Self {
            ready: form.histogram.ready(),
            histogram: form.histogram,
        }
    }
}

struct Forms<'a> {
    tree: &'a NestTree,
    options: &'a MeasureOptions,
    /// By line size.
    factors: BTreeMap<u64, Result<Factors, NoForm>>,
    derived: BTreeMap<Class, Result<Derived, NoForm>>,
    reasons: Vec<String>,
}

impl<'a> Forms<'a> {
    fn new(tree: &'a NestTree, options: &'a MeasureOptions) -> Self {
        Self {
            tree,
            options,
            factors: BTreeMap::new(),
            derived: BTreeMap::new(),
            reasons: Vec::new(),
        }
    }

    /// Whether lines of this size are derived before anything is traced.
    fn is_wanted_first(&self, line_size: u64) -> bool {
        let mut levels = self.options.machine.levels().map(|(_, x)| x);
        let is_first = levels
            .next()
            .is_some_and(|first| first.line_size == line_size);
        let mut chains = self.chains().into_iter();
        is_first
            || self.options.engine == Engine::Closed
            || chains.any(|chain| {
                let all = 0..chain.levels.len();
                chain.has_lines(line_size) && all.into_iter().all(|idx| is_full(&chain, idx))
            })
    }

    fn chains(&self) -> Vec<Chain> {
        chains(&self.options.machine, self.options.hierarchy)
    }

    /// The classes that were not derived yet of those points, given by their index, and lines that
    /// are wanted, each once; none where nothing is to be derived.
    fn classes(
        &mut self,
        points: &[Point],
        is_wanted: impl Fn(&Self, usize, u64) -> bool,
    ) -> Vec<Class> {
        let mut classes = Vec::new();
        if self.options.engine == Engine::Trace {
            return classes;
        }
        let mut known = BTreeSet::new();
        for line_size in crate::task::line_sizes(&self.options.machine) {
            for (idx, point) in points.iter().enumerate() {
                if !is_wanted(self, idx, line_size) {
                    continue;
                }
                let Some(factors) = self.factors(line_size) else {
                    break;
                };
                let class = (line_size, residues(self.tree, &factors, point));
                if !self.derived.contains_key(&class) && known.insert(class.clone()) {
                    classes.push(class);
                }
            }
        }
        classes
    }

    /// The factors of the classes of sizes for lines of so many bytes.
    fn factors(&mut self, line_size: u64) -> Option<Factors> {
        let (tree, options) = (self.tree, self.options);
        if let Some(found) = self.factors.get(&line_size) {
            return found.as_ref().ok().cloned();
        }
        let found = factors(tree, symbolic(options, line_size));
        if let Err(why) = &found {
            self.note(why);
        }
        self.factors.insert(line_size, found.clone());
        found.ok()
    }

    /// The misses of each chain from the trace.
    fn traced_chains(&self, point: &Point) -> Traced {
        let chains = self.chains();
        let traced = chains.iter().map(|chain| self.traced(chain, point));
        traced.collect()
    }

    /// Derives the closed forms of classes, on all processors.
    fn derive(&mut self, classes: &[Class]) {
        let found = parallel::map(classes, |(line_size, residues)| {
            let factors = self.factors.get(line_size)?.as_ref().ok()?;
            let asked = symbolic(self.options, *line_size);
            Some(symbolic_form(self.tree, factors, residues, asked).map(Derived::from))
        });
        for (class, form) in classes.iter().zip(found) {
            let Some(form) = form else { continue };
            if let Err(why) = &form {
                self.note(why);
            }
            self.derived.insert(class.clone(), form);
        }
    }

    fn note(&mut self, why: &NoForm) {
        let reason = format!("no closed form: {}", why.message(self.tree));
        if !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }

    /// The closed form of a point's class, and the values of its columns there.
    fn form(&self, line_size: u64, point: &Point) -> Option<(&Derived, Vec<i128>)> {
        let factors = self.factors.get(&line_size)?.as_ref().ok()?;
        let class = (line_size, residues(self.tree, factors, point));
        let form = self.derived.get(&class)?.as_ref().ok()?;
        let mut values = Vec::new();
        for size in &form.histogram.parameters {
            let value = point.get(&self.tree.parameters[size.id].name)?;
            let above = value
                .checked_sub(size.residue)
                .filter(|above| 0 <= *above)?;
            values.push(i128::from(above / size.factor));
        }
        form.histogram
            .context
            .contains(&values)
            .ok()?
            .then_some((form, values))
    }

    fn point(&self, point: &Point, traced: &Traced) -> (Vec<Missed>, Option<String>) {
        let mut levels = Vec::new();
        let mut reason = None;
        let mut fixed = None;
        for (chain, traced) in self.chains().iter().zip(traced) {
            for (idx, model) in chain.levels.iter().enumerate() {
                let geometry = &model.geometry;
                let closed = if chain.heeds_distance(idx) {
                    self.closed(geometry, point)
                } else {
                    None
                };
                let exact = traced.as_ref().and_then(|traced| traced.get(idx).copied());
                levels.push(match (closed, exact) {
                    (Some(closed), _) if geometry.sets == 1 => {
                        Missed::new(closed, Answered::Closed)
                    }
                    (_, Some(traced)) => traced,
                    (Some(estimate), None) => {
                        reason = Some(format!(
                            "levels are estimated where tracing takes more than {} steps",
                            self.options.budget
                        ));
                        Missed::new(estimate, Answered::Estimate)
                    }
                    (None, None) => {
                        let all = fixed.get_or_insert_with(|| self.fixed(point));
                        all.get(levels.len())
                            .copied()
                            .unwrap_or(Missed::new(Counted::Unknown, Answered::Nobody))
                    }
                });
            }
        }
        (levels, reason)
    }

    /// The misses of a level from a closed form: exact where it is fully associative.
    fn closed(&self, geometry: &CacheGeometry, point: &Point) -> Option<Counted> {
        let (form, values) = self.form(geometry.line_size, point)?;
        let sized = form.ready.at(&values).ok()?;
        if geometry.sets == 1 {
            let misses = sized
                .references
                .iter()
                .map(|part| part.misses(geometry.ways));
            let total: Result<Vec<u64>, Refusal> = misses.collect();
            return Some(total.ok()?.into_iter().map(Counted::Exact).sum());
        }
        let counts = crate::closed::counts(self.tree, &form.ready, &values, &[]).ok()?;
        let histograms = counts.histograms?;
        let ids = self.tree.references.keys();
        Some(ids.map(|id| estimate(&histograms[id], *geometry)).sum())
    }

    /// The misses of a chain from the trace, where some of its levels have several sets or there is
    /// no closed form, and the budget suffices.
    fn traced(&self, chain: &Chain, point: &Point) -> Option<Vec<Missed>> {
        let is_closed = |idx: usize| {
            let line_size = chain.levels[idx].geometry.line_size;
            is_full(chain, idx) && self.form(line_size, point).is_some()
        };
        let mut all = 0..chain.levels.len();
        if self.options.engine == Engine::Closed || all.all(is_closed) {
            return None;
        }
        let tree = at(self.tree, point);
        let outcome = trace(&Task::Misses(chain.clone()), &tree, self.options);
        let Ok(Outcome::Misses(runs)) = outcome else {
            return None;
        };
        if !tree.rejections.is_empty() {
            let unknown = Missed::new(Counted::Unknown, Answered::Trace);
            return Some(vec![unknown; runs.len()]);
        }
        let counts = self.averages(&tree);
        let chains = std::slice::from_ref(chain);
        let averages = counts.as_ref();
        let averages = averages.and_then(|x| Averages::of(&tree, x, chains, self.options));
        let of_level = |(level, run): (usize, &LevelRun)| {
            let parts: Vec<_> = tree
                .references
                .keys()
                .map(|id| (id, run.misses[id]))
                .collect();
            let sum: Counted = parts.iter().map(|(_, misses)| *misses).sum();
            let misses = averages
                .as_ref()
                .map_or(sum, |x| x.total(level, sum, &parts));
            Missed {
                misses,
                ..Missed::new(sum, Answered::Trace)
            }
        };
        Some(runs.iter().enumerate().map(of_level).collect())
    }

    /// What a tree with sizes does, where averages make estimates of it.
    fn averages(&self, tree: &NestTree) -> Option<FunctionCounts> {
        let is_known = !tree.work.averages.is_empty();
        is_known.then(|| operations(tree, self.options))
    }

    /// All levels at one point, derived or traced for its sizes alone.
    fn fixed(&self, point: &Point) -> Vec<Missed> {
        let trees = [at(self.tree, point)];
        let attempts: Vec<Attempts> = attempt_all(&trees, self.options);
        let outcomes = run_all(&trees, &attempts, self.options);
        let [tree] = trees;
        let (Some(attempts), Some(outcomes)) = (attempts.first(), outcomes.first()) else {
            return Vec::new();
        };
        let operations = self.averages(&tree);
        let operations = operations.unwrap_or_else(FunctionCounts::unknown);
        let nothing = BTreeMap::new();
        let analysis = assemble(
            tree,
            &nothing,
            attempts,
            outcomes,
            Arithmetic {
                operations,
                vectors: BTreeMap::new(),
            },
            self.options,
        );
        let levels = analysis.levels.iter();
        let of_one = |level: &LevelCounts| Missed {
            misses: level.misses,
            guaranteed: level.guaranteed,
            answered: level.answered,
        };
        levels.map(of_one).collect()
    }

    /// Where one size is swept: where the formulas of references change notably, within the sweep.
    fn thresholds(&self, points: &[Point]) -> Vec<Threshold> {
        let mut thresholds = Vec::new();
        let Some(((line_size, _), Ok(form))) = self.derived.iter().find(|(_, form)| form.is_ok())
        else {
            return thresholds;
        };
        let [size] = form.histogram.parameters.as_slice() else {
            return thresholds;
        };
        let name = &self.tree.parameters[size.id].name;
        let swept: Vec<i64> = points
            .iter()
            .filter_map(|point| point.get(name))
            .copied()
            .collect();
        let (Some(least), Some(most)) = (swept.iter().min(), swept.iter().max()) else {
            return thresholds;
        };
        let mut maker = Formulas::new(&form.histogram, self.options.effort.steps);
        for (level, (_, model)) in self.options.machine.models().enumerate() {
            let geometry = model.geometry;
            if geometry.line_size != *line_size || !model.follows_reuse_distance() {
                continue;
            }
            let lines = geometry.lines();
            for reference in &form.histogram.references {
                let Ok(formula) = maker.misses(&[reference], lines) else {
                    continue;
                };
                for x in changes(&formula).unwrap_or_default() {
                    let value = i64::try_from(x)
                        .ok()
                        .and_then(|x| x.checked_mul(size.factor));
                    let value = value.and_then(|value| value.checked_add(size.residue));
                    if let Some(value) = value.filter(|x| least < x && x <= most) {
                        thresholds.push(Threshold {
                            value,
                            size: name.clone(),
                            level,
                            reference: reference.reference,
                        });
                    }
                }
            }
        }
        thresholds.sort();
        thresholds.dedup();
        thresholds
    }
}

/// Where a case of a formula in one column begins whose value is notably larger than that of the case
/// before would be.
fn changes(formula: &Formula) -> Result<Vec<i128>, Refusal> {
    if formula.cases_are != Cases::Apart {
        return Ok(Vec::new());
    }
    let mut found: Vec<i128> = Vec::new();
    for pair in formula.cases.windows(2) {
        let [before, after] = pair else { continue };
        let lower = |form: &premiss_presburger::Affine| {
            (form.coefficient(1) == 1).then(|| i128::from(-form.constant_term()))
        };
        let Some(start) = after.domain.inequalities.iter().find_map(lower) else {
            continue;
        };
        let value = |case: &Case| case.value.at(&case.domain.values(&[start])?);
        let (old, new) = (value(before)?.floor(), value(after)?.floor());
        if old + old / NOTABLE < new {
            found.push(start);
        }
    }
    Ok(found)
}

/// Whether closed forms tell the misses of a level.
fn is_full(chain: &Chain, idx: usize) -> bool {
    chain.heeds_distance(idx) && chain.levels[idx].geometry.sets == 1
}

/// What is asked of a closed form for lines of so many bytes.
fn symbolic(options: &MeasureOptions, line_size: u64) -> SymbolicOptions<'_> {
    SymbolicOptions {
        line_size,
        alignment: options.alignment(),
        effort: options.effort,
        store: options.store(),
    }
}

/// The remainders of a point's sizes by their factors.
fn residues(tree: &NestTree, factors: &Factors, point: &Point) -> BTreeMap<ParameterId, i64> {
    let residue = |(id, factor): (&ParameterId, &i64)| {
        let value = point.get(&tree.parameters[*id].name)?;
        Some((*id, value.rem_euclid(*factor)))
    };
    factors.iter().filter_map(residue).collect()
}

/// The tree at a point.
fn at(tree: &NestTree, point: &Point) -> NestTree {
    let mut tree = tree.clone();
    let all = tree.parameters.values_mut();
    for parameter in all.chain(tree.work.parameters.values_mut()) {
        if parameter.value.is_none() {
            parameter.value = point.get(&parameter.name).copied();
        }
    }
    tree
}
