//! What became of the misses of a program: nest by nest, each metric with its verdict.

mod json;
mod text;

pub(crate) use json::Comparison;
pub use json::delta_json;
pub use text::delta_text;

use crate::limits::{Limit, Limits};
use crate::matching::{Kernel, Pair};
use crate::verdict::{Verdict, verdict};
use premiss_analyze::{FunctionAnalysis, LevelCounts};
use premiss_histogram::Counted;
use premiss_machine::Machine;
use premiss_source::{SourceMap, Span};
use premiss_tree::{EntityRef, ReferenceId};

/// One of the two programs that are compared.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// Its texts.
    pub sources: &'a SourceMap,
    /// Its functions, counted.
    pub functions: &'a [FunctionAnalysis],
    /// Their nests.
    pub kernels: &'a [Kernel],
}

/// Two programs compared.
#[derive(Clone, Debug)]
pub struct Delta {
    /// Nests in the order of the head, then those that are gone.
    pub kernels: Vec<KernelDelta>,
    /// A file of which one side has places that could not be parsed: what is in them is not compared.
    pub unparsed: Option<String>,
}

/// What became of a nest.
#[derive(Clone, Debug)]
pub struct KernelDelta {
    /// Where it was; nothing where it is new.
    pub base: Vec<Place>,
    /// Where it is; nothing where it is gone.
    pub head: Vec<Place>,
    /// Whether it makes the same accesses as before, sizes aside.
    pub same_shape: bool,
    /// Misses by level, then bytes from memory.
    pub metrics: Vec<Metric>,
}

/// Where a nest is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The function that was entered.
    pub function: String,
    /// The file.
    pub path: String,
    /// The line of the outermost loop, from 1.
    pub line: u32,
}

/// A count before and after.
#[derive(Clone, Debug)]
pub struct Metric {
    /// Its name, as in limits.
    pub name: String,
    /// In the base.
    pub before: Counted,
    /// In the head.
    pub after: Counted,
    /// By how much it may grow.
    pub limit: Limit,
    /// Whether it grew beyond that.
    pub verdict: Verdict,
    /// Where it grew most, unless it is within its limit.
    pub worst: Option<Moved>,
}

/// References of one text in a nest, before and after.
#[derive(Clone, Debug)]
pub struct Moved {
    /// Where it is now.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// Its text, such as `a[i][j]`.
    pub text: String,
    /// Its part of the count in the base.
    pub before: Counted,
    /// Its part of the count in the head.
    pub after: Counted,
}

/// What can be limited on a machine: `l1_miss`, …, `mem_bytes`.
#[must_use]
pub fn metric_names(machine: &Machine) -> Vec<String> {
    let levels = machine.models().map(|(name, _)| metric_name(name));
    levels.chain([MEMORY.to_owned()]).collect()
}

const MEMORY: &str = "mem_bytes";

fn metric_name(level: &str) -> String {
    format!("{}_miss", level.to_lowercase())
}

impl Delta {
    /// Compares what was matched.
    #[must_use]
    pub fn new(
        pairs: &[Pair],
        (base, head): (Side<'_>, Side<'_>),
        limits: &Limits,
        unparsed: Option<String>,
    ) -> Self {
        let of_one = |pair: &Pair| KernelDelta {
            base: base.places(&pair.base),
            head: head.places(&pair.head),
            same_shape: pair.same_shape,
            metrics: metrics(pair, base, head, limits),
        };
        Self {
            kernels: pairs.iter().map(of_one).collect(),
            unparsed,
        }
    }

    /// The worst of all.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let all = self.kernels.iter().map(KernelDelta::verdict);
        let open = self.unparsed.iter().map(|_| Verdict::Undecided);
        all.chain(open).max().unwrap_or(Verdict::Within)
    }
}

impl KernelDelta {
    /// The worst of its metrics.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let all = self.metrics.iter().map(|metric| metric.verdict);
        all.max().unwrap_or(Verdict::Within)
    }

    /// What happened to it, in a word.
    #[must_use]
    pub fn status(&self) -> &'static str {
        let is_same = |metric: &Metric| metric.before == metric.after;
        match (self.base.is_empty(), self.head.is_empty()) {
            (true, _) => "added",
            (_, true) => "removed",
            _ if self.same_shape && self.metrics.iter().all(is_same) => "unchanged",
            _ => "changed",
        }
    }
}

/// What a metric counts.
#[derive(Clone, Copy)]
struct Quantity {
    level: usize,
    /// Bytes that each miss stands for.
    weight: u64,
}

fn metrics(pair: &Pair, base: Side<'_>, head: Side<'_>, limits: &Limits) -> Vec<Metric> {
    let some = head.kernels_of(&pair.head).next().map(|x| head.function(x));
    let some = some.or_else(|| base.kernels_of(&pair.base).next().map(|x| base.function(x)));
    let Some(function) = some else {
        return Vec::new();
    };
    let quantities = quantities(&function.levels).into_iter();
    let of_one = |(name, quantity): (String, Quantity)| {
        let sum = |side: Side<'_>, all: &[usize]| -> Counted {
            side.kernels_of(all).map(|x| side.count(x, quantity)).sum()
        };
        let (before, after) = (sum(base, &pair.base), sum(head, &pair.head));
        let limit = limits.of(&name);
        let is_compared = !pair.base.is_empty() && !pair.head.is_empty();
        let verdict = match is_compared && !(pair.same_shape && before == after) {
            true => verdict(before, after, &limit),
            false => Verdict::Within,
        };
        let worst = match verdict {
            Verdict::Within => None,
            Verdict::Undecided | Verdict::Exceeds => worst(pair, base, head, quantity),
        };
        Metric {
            name,
            before,
            after,
            limit,
            verdict,
            worst,
        }
    };
    quantities.map(of_one).collect()
}

/// The misses of every level, and what the last cache reads from memory.
fn quantities(levels: &[LevelCounts]) -> Vec<(String, Quantity)> {
    let misses = levels.iter().enumerate().map(|(level, counts)| {
        let quantity = Quantity { level, weight: 1 };
        (metric_name(&counts.name), quantity)
    });
    let last = levels.iter().rposition(|level| level.traffic.is_some());
    let memory = last.map(|level| {
        let weight = levels[level].geometry.line_size;
        (MEMORY.to_owned(), Quantity { level, weight })
    });
    misses.chain(memory).collect()
}

/// The references whose part grew most.
fn worst(pair: &Pair, base: Side<'_>, head: Side<'_>, quantity: Quantity) -> Option<Moved> {
    let (old, new) = (
        base.parts(&pair.base, quantity),
        head.parts(&pair.head, quantity),
    );
    let before = counterparts(&old, &new);
    let growth = |after: Counted, before: Counted| {
        let (after, before) = (after.magnitude(), before.magnitude());
        after.unwrap_or(f64::MAX) - before.unwrap_or(0.0)
    };
    let all = new.iter().zip(before).map(|(part, before)| {
        let before = before.map_or(Counted::ZERO, |idx| old[idx].count);
        (growth(part.count, before), part, before)
    });
    // The first of those that grew as much.
    let (_, part, before) = all.reduce(|a, b| if b.0 <= a.0 { a } else { b })?;
    let position = head.sources.start(part.span);
    Some(Moved {
        path: head.sources.file(part.span.file).path().to_owned(),
        line: position.line,
        column: position.column,
        text: part.text.to_owned(),
        before,
        after: part.count,
    })
}

/// What each part was before: the one of the same text, else of those left over the next one of the same
/// array, else where as many are left over on both sides the next one. `a[i][j]` became `a[j][i]` where
/// neither is on both sides.
fn counterparts(old: &[Part<'_>], new: &[Part<'_>]) -> Vec<Option<usize>> {
    let mut found: Vec<Option<usize>> = vec![None; new.len()];
    let mut match_by = |is_same: &dyn Fn(&Part<'_>, &Part<'_>) -> bool| {
        for (idx, part) in new.iter().enumerate() {
            if found[idx].is_none() {
                let mut open = (0..old.len()).filter(|x| !found.contains(&Some(*x)));
                let same = open.find(|x| is_same(&old[*x], part));
                found[idx] = same;
            }
        }
    };
    match_by(&|a, b| a.text == b.text);
    match_by(&|a, b| a.array == b.array);
    if old.len() == new.len() {
        match_by(&|_, _| true);
    }
    found
}

/// References of one text in kernels, with the place of the first and what they count together.
struct Part<'a> {
    text: &'a str,
    array: &'a str,
    span: Span,
    count: Counted,
}

impl<'a> Side<'a> {
    fn kernels_of(self, all: &[usize]) -> impl Iterator<Item = &'a Kernel> {
        all.iter().map(move |idx| &self.kernels[*idx])
    }

    fn function(self, kernel: &Kernel) -> &'a FunctionAnalysis {
        &self.functions[kernel.function]
    }

    fn places(self, all: &[usize]) -> Vec<Place> {
        let of_one = |kernel: &Kernel| {
            let tree = &self.function(kernel).tree;
            let span = kernel
                .nest
                .outermost
                .map_or(tree.span, |id| tree.loops[id].span);
            Place {
                function: kernel.name.clone(),
                path: self.sources.file(span.file).path().to_owned(),
                line: self.sources.start(span).line,
            }
        };
        self.kernels_of(all).map(of_one).collect()
    }

    /// A quantity in a kernel.
    fn count(self, kernel: &Kernel, quantity: Quantity) -> Counted {
        let function = self.function(kernel);
        let of_loop = kernel.nest.outermost.and_then(|id| {
            let mut loops = function.loops.iter();
            loops.find(|counts| counts.id == id)
        });
        let misses = match of_loop {
            Some(counts) => counts.misses[quantity.level],
            None if kernel.nest.is_opaque => Counted::Unknown,
            None => {
                let misses = kernel.nest.references.iter();
                misses.map(|id| misses_of(function, *id, quantity)).sum()
            }
        };
        times(misses, quantity.weight)
    }

    /// A quantity by the texts of references, in order of first appearance.
    fn parts(self, all: &[usize], quantity: Quantity) -> Vec<Part<'a>> {
        let mut parts: Vec<Part<'a>> = Vec::new();
        for kernel in self.kernels_of(all) {
            let function = self.function(kernel);
            for id in &kernel.nest.references {
                let reference = &function.tree.references[*id];
                let count = times(misses_of(function, *id, quantity), quantity.weight);
                match parts.iter_mut().find(|part| part.text == reference.text) {
                    Some(part) => part.count += count,
                    None => parts.push(Part {
                        text: &reference.text,
                        array: &function.tree.arrays[reference.array].name,
                        span: reference.span,
                        count,
                    }),
                }
            }
        }
        parts
    }
}

fn misses_of(function: &FunctionAnalysis, id: ReferenceId, quantity: Quantity) -> Counted {
    // Rows are in the order of the tree.
    let counts = function.references.get(id.index());
    counts.map_or(Counted::Unknown, |counts| counts.misses[quantity.level])
}

/// That many times a count; unknown where it does not fit.
#[expect(clippy::cast_precision_loss, reason = "estimates are floating point")]
fn times(count: Counted, weight: u64) -> Counted {
    match (count, count.bounds()) {
        (_, Some((lower, upper))) => match (lower.checked_mul(weight), upper.checked_mul(weight)) {
            (Some(lower), Some(upper)) => Counted::between(lower, upper),
            _ => Counted::Unknown,
        },
        (Counted::Estimate(value), _) => Counted::Estimate(value * weight as f64),
        _ => Counted::Unknown,
    }
}
