//! One function: its counts by reference, loop, level and line size.

use crate::attempt::{Attempts, CountError, closed_level, closed_misses, summary};
use crate::averaged::Averages;
use crate::closed::per_reference;
use crate::coverage::{Coverage, NestCoverage, coverage};
use crate::operations::Arithmetic;
use crate::task::{Chain, Outcome, Outcomes, Task, chains, line_sizes};
use crate::time::{Known, LeastMoved, Times, times};
use crate::{Engine, MeasureOptions, Wanted};
use premiss_cache::{CacheGeometry, CacheModel};
use premiss_histogram::{Counted, ReuseDistanceHistogram};
use premiss_misses::{SignedCount, ThreeC, estimate, three_c, three_c_of};
use premiss_operations::{FunctionCounts, Scope, Vectorisable};
use premiss_trace::{LevelRun, PerReference, Spread, TraceError, Traffic};
use premiss_tree::{AccessKind, EntityRef, LoopId, NestTree, Node, Reference, ReferenceId};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// What one function, with the calls that it makes, does to caches and TLBs.
#[derive(Debug)]
pub struct FunctionAnalysis {
    /// The function.
    pub tree: NestTree,
    /// Its sizes by name, with the values that it was counted for: its own, in order of declaration,
    /// then those given to macros and constants of the file.
    pub parameters: Vec<(String, Option<i64>)>,
    /// Its nests.
    pub nests: Vec<NestCoverage>,
    /// Which engine counted.
    pub engine: Engine,
    /// Why a better one did not, and what other engines contributed; a line without a final stop.
    pub engine_reason: Option<String>,
    /// Why it could not be counted, or not wholly; what is missing is unknown, and a diagnostic says
    /// more.
    pub failure: Option<CountError>,
    /// How often it accesses array elements.
    pub accesses: Counted,
    /// How many of these read.
    pub loads: Counted,
    /// How many of these write.
    pub stores: Counted,
    /// Its reuse distances, for each line and page size of the machine.
    pub lines: Vec<LineCounts>,
    /// What it does to each level: the caches, then the TLBs, nearest first.
    pub levels: Vec<LevelCounts>,
    /// Its loops, in the order of the tree.
    pub loops: Vec<LoopCounts>,
    /// Its references, in the order of the tree.
    pub references: Vec<ReferenceCounts>,
    /// What it computes.
    pub operations: FunctionCounts,
    /// Its innermost loops, with whether they may be vectors.
    pub vectors: BTreeMap<LoopId, Vectorisable>,
    /// How long it takes.
    pub times: Times,
}

/// Reuse distances for one line size.
#[derive(Debug)]
pub struct LineCounts {
    /// Bytes in a line.
    pub line_size: u64,
    /// Of all accesses; `None` where they are not known.
    pub histogram: Option<ReuseDistanceHistogram>,
    /// Of each reference, in the order of the tree; empty where they are not known.
    pub by_reference: Vec<ReuseDistanceHistogram>,
}

/// What a function does to one level.
#[derive(Debug)]
pub struct LevelCounts {
    /// Its name.
    pub name: String,
    /// Its shape.
    pub geometry: CacheGeometry,
    /// Its shape and its kind.
    pub model: CacheModel,
    /// Which engine counted its misses.
    pub answered: Answered,
    /// Accesses that miss.
    pub misses: Counted,
    /// The same without averages: what holds for every run.
    pub guaranteed: Counted,
    /// Loads that miss.
    pub load_misses: Counted,
    /// Stores that miss.
    pub store_misses: Counted,
    /// Why they miss; unknown where [`LevelCounts::has_causes`] is false.
    pub three_c: ThreeC,
    /// About how many would miss if the sets of addresses were not known.
    pub estimate: Counted,
    /// Whether reuse distances tell why it misses: it is LRU, allocates on stores, and nothing but
    /// accesses has to do with its lines.
    pub has_causes: bool,
    /// What passes between it and the level below; `None` for TLBs.
    pub traffic: Option<Traffic>,
    /// Where chance decides what is replaced, how far apart the results are.
    pub spread: Option<Spread>,
}

/// What happens inside one loop.
#[derive(Debug)]
pub struct LoopCounts {
    /// The loop.
    pub id: LoopId,
    /// Accesses in it and in the loops inside it.
    pub accesses: Counted,
    /// How many of these read.
    pub loads: Counted,
    /// How many of these write.
    pub stores: Counted,
    /// Accesses that miss, by level.
    pub misses: Vec<Counted>,
}

/// What one reference does.
#[derive(Debug)]
pub struct ReferenceCounts {
    /// The reference.
    pub id: ReferenceId,
    /// How often it is executed.
    pub accesses: Counted,
    /// How often it misses, by level.
    pub misses: Vec<Counted>,
}

impl FunctionAnalysis {
    /// The nests, counted by class.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        Coverage::of(&self.nests)
    }

    /// Counts what it computes and how long that takes, where misses alone were wanted. Where these are averages, the
    /// least time takes none of them for certain.
    pub fn add_times(&mut self, options: &MeasureOptions) {
        let options = &MeasureOptions {
            wanted: Wanted::Everything,
            ..options.clone()
        };
        let Arithmetic {
            operations,
            vectors,
        } = Arithmetic::of(&self.tree, options);
        let known = Known {
            tree: &self.tree,
            operations: &operations,
            accesses: self.accesses,
            least: LeastMoved::of(&self.levels, &self.loops),
            loops: &self.loops,
            references: &self.references,
            vectors: &vectors,
        };
        self.times = times(&known, options);
        self.operations = operations;
        self.vectors = vectors;
    }
}

/// Puts together what the runs of a function counted.
pub(crate) fn assemble(
    tree: NestTree,
    given: &BTreeMap<String, i64>,
    attempts: &Attempts,
    outcomes: &Outcomes,
    arithmetic: Arithmetic,
    options: &MeasureOptions,
) -> FunctionAnalysis {
    let Arithmetic {
        operations,
        vectors,
    } = arithmetic;
    let (engine, mut reasons) = summary(&tree, attempts, options);
    let runs = Runs {
        tree: &tree,
        opaque: Opaque::of(&tree),
        attempts,
        outcomes,
        options,
    };
    let mut references = runs.references();
    let accesses = references.iter().map(|x| (x.id, x.accesses));
    let [mut accesses, mut loads, mut stores] = runs.totals(accesses);
    let lines = runs.lines(accesses);
    let mut levels = runs.levels(&references, &lines);
    let mut loops = runs.loops(&references);
    let least = LeastMoved::of(&levels, &loops);
    let chains = chains(&options.machine, options.hierarchy);
    if let Some(averages) = Averages::of(&tree, &operations, &chains, options) {
        averages.replace_accesses([&mut accesses, &mut loads, &mut stores], Scope::Function);
        averages.replace_misses(&mut references, &mut loops, &mut levels);
        averages.replace_in_parts(&mut references, &mut loops);
    }
    reasons.extend(about_levels(engine, &levels, options));
    reasons.extend(about_kinds(&levels, options));
    let known = Known {
        tree: &tree,
        operations: &operations,
        accesses,
        least,
        loops: &loops,
        references: &references,
        vectors: &vectors,
    };
    let times = match options.wanted {
        Wanted::Everything => times(&known, options),
        Wanted::Misses | Wanted::Findings => Times::unknown(loops.len()),
    };
    FunctionAnalysis {
        parameters: parameters(&tree, given),
        nests: coverage(&tree),
        engine,
        engine_reason: Some(reasons.join("; ")).filter(|text| !text.is_empty()),
        failure: failure(outcomes, options.engine),
        accesses,
        loads,
        stores,
        levels,
        loops,
        lines,
        references,
        operations,
        vectors,
        times,
        tree,
    }
}

fn parameters(tree: &NestTree, given: &BTreeMap<String, i64>) -> Vec<(String, Option<i64>)> {
    let own = tree.parameters.values().map(|x| (x.name.clone(), x.value));
    let mut parameters: Vec<_> = own.collect();
    for (name, value) in given {
        if parameters.iter().all(|(known, _)| known != name) {
            parameters.push((name.clone(), Some(*value)));
        }
    }
    parameters
}

/// What keeps a function from being counted. With closed forms, misses and histograms may be missing
/// where accesses are known.
fn failure(outcomes: &Outcomes, engine: Engine) -> Option<CountError> {
    let counts = |task: &Task| match task {
        Task::Accesses => true,
        Task::Traffic(_) => false,
        Task::Histograms(_) | Task::Misses(_) => engine == Engine::Trace,
    };
    let of_interest = outcomes.iter().filter(|(task, _)| counts(task));
    of_interest
        .filter_map(|(_, outcome)| outcome.as_ref().err())
        .next()
        .cloned()
}

/// Which engine has the misses of levels that have no closed form.
fn about_levels(
    engine: Engine,
    levels: &[LevelCounts],
    options: &MeasureOptions,
) -> Option<String> {
    if engine != Engine::Closed || options.engine == Engine::Closed {
        return None;
    }
    let n_of = |answered| levels.iter().filter(|x| x.answered == answered).count();
    match (n_of(Answered::Estimate), n_of(Answered::Trace)) {
        (0, 0) => None,
        (0, _) => Some("set-associative levels are traced".to_owned()),
        _ => Some(format!(
            "set-associative levels are estimated: tracing them takes more than the budget of {} steps",
            options.budget
        )),
    }
}

/// Why the misses of levels are not known that no reuse distance tells.
fn about_kinds(levels: &[LevelCounts], options: &MeasureOptions) -> Option<String> {
    let is_open = |level: &&LevelCounts| {
        let is_exact = matches!(level.misses, Counted::Exact(_) | Counted::Estimate(_));
        !level.has_causes && !is_exact && level.answered == Answered::Trace
    };
    let open: Vec<&str> = levels
        .iter()
        .filter(is_open)
        .map(|x| x.name.as_str())
        .collect();
    let uncounted = |level: &&LevelCounts| !level.has_causes && level.answered == Answered::Nobody;
    let lost: Vec<&str> = levels
        .iter()
        .filter(uncounted)
        .map(|x| x.name.as_str())
        .collect();
    if !lost.is_empty() {
        let why = match options.engine {
            Engine::Closed => "only LRU levels that see every access have closed forms",
            Engine::Auto | Engine::Trace => "it can only be traced, which did not come to its end",
        };
        return Some(format!("{} is not counted: {why}", lost.join(", ")));
    }
    if open.is_empty() {
        return None;
    }
    Some(format!(
        "data decides what is executed: what {} replaces is then not followed, and at most bounded \
         by first accesses and all accesses",
        open.join(", ")
    ))
}

/// Which engine a number is from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Answered {
    /// A closed form.
    Closed,
    /// The trace.
    Trace,
    /// The probabilistic model over a histogram.
    Estimate,
    /// None.
    Nobody,
}

struct Runs<'a> {
    tree: &'a NestTree,
    opaque: Opaque,
    attempts: &'a Attempts,
    outcomes: &'a Outcomes,
    options: &'a MeasureOptions,
}

/// The misses of a level by reference, where they are known, and whose they are.
type Level<'a> = (Answered, Option<Cow<'a, PerReference<Counted>>>);

impl Runs<'_> {
    /// All, loads, stores: the sums of a count over the references of the function; unknown where
    /// there may be accesses that no reference stands for.
    fn totals(&self, counts: impl Iterator<Item = (ReferenceId, Counted)>) -> [Counted; 3] {
        if self.opaque.somewhere {
            return [Counted::Unknown; 3];
        }
        let [mut loads, mut stores] = [Counted::ZERO; 2];
        for (id, count) in counts {
            match self.tree.references[id].kind {
                AccessKind::Load => loads += count,
                AccessKind::Store => stores += count,
            }
        }
        [loads + stores, loads, stores]
    }

    fn outcome(&self, task: &Task) -> Option<&Outcome> {
        let (_, outcome) = self.outcomes.iter().find(|(known, _)| known == task)?;
        outcome.as_ref().ok()
    }

    fn accesses(&self) -> Option<&PerReference<Counted>> {
        match self.outcome(&Task::Accesses)? {
            Outcome::Accesses(counts) => Some(counts),
            _ => None,
        }
    }

    fn histograms(&self, line_size: u64) -> Option<&PerReference<ReuseDistanceHistogram>> {
        match self.outcome(&Task::Histograms(line_size))? {
            Outcome::Histograms(histograms) => Some(histograms),
            _ => None,
        }
    }

    fn misses(&self, chain: &Chain) -> Option<&Vec<LevelRun>> {
        match self.outcome(&Task::Misses(chain.clone()))? {
            Outcome::Misses(runs) => Some(runs),
            _ => None,
        }
    }

    /// The misses of a level of a chain, by reference, and whose they are.
    fn level(&self, chain: &Chain, idx: usize) -> Level<'_> {
        if let Some(run) = self.misses(chain).and_then(|runs| runs.get(idx)) {
            let answered = match closed_misses(chain, self.attempts) {
                Some(_) => Answered::Closed,
                None => Answered::Trace,
            };
            return (answered, Some(Cow::Borrowed(&run.misses)));
        }
        if let Some(misses) = closed_level(chain, idx, self.attempts) {
            return (Answered::Closed, Some(Cow::Owned(misses)));
        }
        let geometry = chain.levels[idx].geometry;
        match self.histograms(geometry.line_size) {
            Some(histograms) if chain.heeds_distance(idx) && self.is_over_budget(chain) => {
                let mut misses = per_reference(self.tree, &Counted::ZERO);
                for id in self.tree.references.keys() {
                    misses[id] = estimate(&histograms[id], geometry);
                }
                (Answered::Estimate, Some(Cow::Owned(misses)))
            }
            _ => (Answered::Nobody, None),
        }
    }

    /// Whether the trace of a chain was broken off, and estimates were asked for then.
    fn is_over_budget(&self, chain: &Chain) -> bool {
        let task = Task::Misses(chain.clone());
        let outcome = self.outcomes.iter().find(|(known, _)| *known == task);
        self.options.engine == Engine::Auto
            && matches!(
                outcome,
                Some((_, Err(CountError::Trace(TraceError::Budget(_)))))
            )
    }

    /// What passes below a level of a chain; nothing is said of TLBs.
    fn traffic(&self, chain: &Chain, idx: usize) -> Option<Traffic> {
        let run = self.misses(chain).and_then(|runs| runs.get(idx));
        let known = run.and_then(|run| run.traffic);
        let alone = Task::Traffic(chain.levels[idx].geometry);
        let known = known.or_else(|| match self.outcome(&alone)? {
            Outcome::Traffic(traffic) => Some(*traffic),
            _ => None,
        });
        chain.has_data.then(|| known.unwrap_or(Traffic::UNKNOWN))
    }

    fn chains(&self) -> Vec<Chain> {
        chains(&self.options.machine, self.options.hierarchy)
    }

    /// For each level, in order, the misses by reference and whose they are.
    fn all_levels(&self) -> Vec<Level<'_>> {
        let mut levels = Vec::new();
        for chain in &self.chains() {
            levels.extend((0..chain.levels.len()).map(|idx| self.level(chain, idx)));
        }
        levels
    }

    fn references(&self) -> Vec<ReferenceCounts> {
        let levels = self.all_levels();
        let count = |counts: Option<&PerReference<Counted>>, id| {
            counts.map_or(Counted::Unknown, |counts| counts[id])
        };
        let of_one = |id| ReferenceCounts {
            id,
            accesses: count(self.accesses(), id),
            misses: levels
                .iter()
                .map(|(_, misses)| count(misses.as_deref(), id))
                .collect(),
        };
        self.tree.references.keys().map(of_one).collect()
    }

    fn lines(&self, accesses: Counted) -> Vec<LineCounts> {
        let of_one = |line_size| {
            let known = self
                .histograms(line_size)
                .filter(|_| accesses != Counted::Unknown);
            let ids = self.tree.references.keys();
            let by_reference: Vec<_> =
                known.map_or_else(Vec::new, |known| ids.map(|id| known[id].clone()).collect());
            let mut histogram = ReuseDistanceHistogram::default();
            by_reference.iter().for_each(|part| histogram.merge(part));
            LineCounts {
                line_size,
                histogram: known.is_some().then_some(histogram),
                by_reference,
            }
        };
        line_sizes(&self.options.machine)
            .into_iter()
            .map(of_one)
            .collect()
    }

    fn loops(&self, references: &[ReferenceCounts]) -> Vec<LoopCounts> {
        let n_levels = self.options.machine.levels().count();
        let start = |id| {
            let inside = self.opaque.loops.contains(&id);
            let start = if inside {
                Counted::Unknown
            } else {
                Counted::ZERO
            };
            LoopCounts {
                id,
                accesses: start,
                loads: start,
                stores: start,
                misses: vec![start; n_levels],
            }
        };
        let mut loops: Vec<_> = self.tree.loops.keys().map(start).collect();
        for reference in references {
            let Reference { kind, inside, .. } = self.tree.references[reference.id];
            let mut around = inside;
            while let Some(id) = around {
                let counts = &mut loops[id.index()];
                counts.accesses += reference.accesses;
                match kind {
                    AccessKind::Load => counts.loads += reference.accesses,
                    AccessKind::Store => counts.stores += reference.accesses,
                }
                for (sum, misses) in counts.misses.iter_mut().zip(&reference.misses) {
                    *sum += *misses;
                }
                around = self.tree.loops[id].inside;
            }
        }
        loops
    }

    fn levels(&self, references: &[ReferenceCounts], lines: &[LineCounts]) -> Vec<LevelCounts> {
        let names = self.options.machine.levels().map(|(name, _)| name);
        let mut names = names.map(str::to_owned);
        let mut levels = Vec::new();
        for chain in &self.chains() {
            for idx in 0..chain.levels.len() {
                let name = names.next().unwrap_or_default();
                let counts = references.iter().map(|x| (x.id, x.misses[levels.len()]));
                let misses = self.totals(counts);
                levels.push(self.level_counts(name, chain, idx, misses, lines));
            }
        }
        levels
    }

    /// What is known of a level, given all its misses, those of loads, and those of stores.
    fn level_counts(
        &self,
        name: String,
        chain: &Chain,
        idx: usize,
        [misses, load_misses, store_misses]: [Counted; 3],
        lines: &[LineCounts],
    ) -> LevelCounts {
        let model = chain.levels[idx];
        let line_size = model.geometry.line_size;
        let line = lines.iter().find(|x| x.line_size == line_size);
        let (three_c, estimate) = match line.and_then(|line| line.histogram.as_ref()) {
            Some(histogram) => self.causes(histogram, chain, idx, misses),
            None => (UNKNOWN, Counted::Unknown),
        };
        let run = self.misses(chain).and_then(|runs| runs.get(idx));
        LevelCounts {
            name,
            geometry: model.geometry,
            model,
            answered: self.level(chain, idx).0,
            misses,
            guaranteed: misses,
            load_misses,
            store_misses,
            three_c,
            estimate,
            has_causes: chain.heeds_distance(idx) || chain.is_usual_filter(),
            traffic: self.traffic(chain, idx),
            spread: run.and_then(|run| run.spread),
        }
    }

    /// Causes and estimate of the misses of a level. The histogram speaks of all accesses: below a
    /// level that filters them, the level is compared with a fully associative one in its place, and
    /// there is no estimate.
    fn causes(
        &self,
        histogram: &ReuseDistanceHistogram,
        chain: &Chain,
        idx: usize,
        misses: Counted,
    ) -> (ThreeC, Counted) {
        let geometry = chain.levels[idx].geometry;
        if chain.heeds_distance(idx) {
            let causes = three_c(histogram, geometry, misses);
            return (causes, estimate(histogram, geometry));
        }
        if !chain.is_usual_filter() {
            return (UNKNOWN, Counted::Unknown);
        }
        // The first access to a line misses in all levels above only if their lines lie within it.
        let within = |x: &CacheModel| geometry.line_size.is_multiple_of(x.geometry.line_size);
        let runs = self.misses(&chain.as_if_full(idx));
        match runs.and_then(|runs| runs.last()) {
            Some(full) if chain.levels[..idx].iter().all(within) => {
                let full = self.tree.references.keys().map(|id| full.misses[id]).sum();
                let causes = three_c_of(histogram.cold(), full, misses);
                (causes, Counted::Unknown)
            }
            _ => (UNKNOWN, Counted::Unknown),
        }
    }
}

/// Where something was not understood: there may be accesses there that no reference stands for.
struct Opaque {
    somewhere: bool,
    loops: BTreeSet<LoopId>,
}

impl Opaque {
    fn of(tree: &NestTree) -> Self {
        let mut opaque = Self {
            somewhere: false,
            loops: BTreeSet::new(),
        };
        opaque.collect(tree, &tree.body, None);
        opaque
    }

    fn collect(&mut self, tree: &NestTree, nodes: &[Node], inside: Option<LoopId>) {
        for node in nodes {
            match node {
                Node::Loop(node) => self.collect(tree, &node.body, Some(node.id)),
                Node::Branch {
                    then, otherwise, ..
                } => {
                    self.collect(tree, then, inside);
                    self.collect(tree, otherwise, inside);
                }
                Node::Opaque(_) => {
                    self.somewhere = true;
                    let around = std::iter::successors(inside, |id| tree.loops[*id].inside);
                    self.loops.extend(around);
                }
                Node::Access(_) | Node::Assign { .. } | Node::Operations(_) => {}
            }
        }
    }
}

const UNKNOWN: ThreeC = ThreeC {
    compulsory: Counted::Unknown,
    capacity: Counted::Unknown,
    conflict: SignedCount::Unknown,
};
