//! The report as JSON. The types here are the published form: they only grow.

use crate::Histograms;
use crate::number::{Integer, Number};
use crate::operations::{OperationsJson, StatementJson, Zeros, operations, statements};
use crate::time::{PatternJson, TimeJson, patterns, time};
use crate::vector::{VectorJson, instructions, vectorisable};
use premiss_analyze::{
    Analysis, Answered, Class, Coverage, FunctionAnalysis, LevelCounts, LineCounts, LoopCounts,
    NestCoverage, ReferenceCounts, SEEDS, Scope, Spread, Time,
};
use premiss_histogram::{Bin, Counted, Distance, ReuseDistanceHistogram};
use premiss_machine::{Machine, Ways};
use premiss_source::{Diagnostic, FileId, Severity, SourceMap, Span};
use premiss_tree::{AccessKind, EntityRef, LoopId, NestTree};
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The version of the form: the first number changes where a reader could misunderstand.
pub const SCHEMA_VERSION: &str = "1.0";

/// The whole analysis as one JSON object with a line break after it.
///
/// # Panics
///
/// Never: the form has text for keys and finite numbers.
#[must_use]
pub fn report_json(sources: &SourceMap, analysis: &Analysis, histograms: Histograms) -> String {
    let report = Writer::new(sources, analysis, histograms).report(analysis);
    let mut json =
        serde_json::to_string_pretty(&report).expect("a report has nothing that JSON cannot say");
    json.push('\n');
    json
}

/// The same document without blanks.
pub(crate) fn compact_json(
    sources: &SourceMap,
    analysis: &Analysis,
    histograms: Histograms,
) -> String {
    let report = Writer::new(sources, analysis, histograms).report(analysis);
    serde_json::to_string(&report).expect("a report has nothing that JSON cannot say")
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Report<'a> {
    schema_version: &'static str,
    machine: MachineJson<'a>,
    hierarchy: &'static str,
    layout: &'static str,
    functions: Vec<Function<'a>>,
    coverage: CoverageJson,
    assumptions: &'a [String],
    diagnostics: Vec<DiagnosticJson<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct MachineJson<'a> {
    name: &'a str,
    id: String,
    hash: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    title: &'a str,
    caches: Vec<Cache<'a>>,
    tlbs: Vec<Tlb<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct Cache<'a> {
    name: &'a str,
    size: u64,
    ways: u64,
    sets: u64,
    line_size: u64,
    fully_associative: bool,
    replacement: &'static str,
    write: &'static str,
    allocate: &'static str,
}

#[derive(Serialize, JsonSchema)]
struct Tlb<'a> {
    name: &'a str,
    entries: u64,
    ways: u64,
    sets: u64,
    page_size: u64,
    fully_associative: bool,
    replacement: &'static str,
}

#[derive(Serialize, JsonSchema)]
struct Function<'a> {
    name: &'a str,
    file: &'a str,
    line: u32,
    parameters: BTreeMap<&'a str, Option<Integer>>,
    engine: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine_reason: Option<&'a str>,
    accesses: Number,
    loads: Number,
    stores: Number,
    lines: Vec<Line>,
    levels: Vec<Level<'a>>,
    operations: OperationsJson,
    time: TimeJson,
    loops: Vec<Loop<'a>>,
    references: Vec<Reference<'a>>,
    /// What statements compute, in the order of the text.
    statements: Vec<StatementJson<'a>>,
    /// How references move, with what that alone promises of misses.
    patterns: Vec<PatternJson<'a>>,
    nests: Vec<Nest<'a>>,
    coverage: CoverageJson,
}

#[derive(Serialize, JsonSchema)]
struct Line {
    line_size: u64,
    cold: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    histogram: Option<Vec<Entry>>,
}

#[derive(Serialize, JsonSchema)]
struct Entry {
    distance: DistanceJson,
    count: Count,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum DistanceJson {
    Known(Integer),
    Bounded {
        lower: Integer,
        /// Null where it may be the first access to its line.
        upper: Option<Integer>,
    },
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Count {
    Exact(Integer),
    Bounded(Number),
}

#[derive(Serialize, JsonSchema)]
struct Level<'a> {
    name: &'a str,
    /// Null where no engine has its misses.
    engine: Option<&'static str>,
    misses: Number,
    load_misses: Number,
    store_misses: Number,
    compulsory: Number,
    capacity: Number,
    conflict: Number,
    estimate: Number,
    /// Absent for TLBs, as are the bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    write_backs: Option<Number>,
    /// Bytes read from the level below.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_read: Option<Number>,
    /// Bytes written to the level below.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_written: Option<Number>,
    /// Present where chance decides what is replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    spread: Option<SpreadJson>,
}

/// The least and the largest results over several seeds.
#[derive(Serialize, JsonSchema)]
struct SpreadJson {
    seeds: usize,
    misses: Ends,
    #[serde(skip_serializing_if = "Option::is_none")]
    write_backs: Option<Ends>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_read: Option<Ends>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_written: Option<Ends>,
}

#[derive(Serialize, JsonSchema)]
struct Ends {
    least: Integer,
    largest: Integer,
}

impl From<(u64, u64)> for Ends {
    fn from((least, largest): (u64, u64)) -> Self {
        Self {
            least: least.into(),
            largest: largest.into(),
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct Misses<'a> {
    name: &'a str,
    misses: Number,
}

/// Where something of a function stands, with the file and function where those are others.
#[derive(Serialize, JsonSchema)]
struct Place<'a> {
    line: u32,
    column: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<&'a str>,
}

#[derive(Serialize, JsonSchema)]
struct Loop<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    iterator: &'a str,
    depth: usize,
    accesses: Number,
    loads: Number,
    stores: Number,
    operations: OperationsJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    vectorisable: Option<VectorJson>,
    /// Of the arithmetic on real numbers, with vectors and fused pairs for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<Number>,
    time: TimeJson,
    levels: Vec<Misses<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<Line>,
}

#[derive(Serialize, JsonSchema)]
struct Reference<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    text: &'a str,
    array: &'a str,
    kind: &'static str,
    accesses: Number,
    levels: Vec<Misses<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<Line>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Nest<'a> {
    file: Cow<'a, str>,
    line: u32,
    class: &'static str,
    /// Whether it stands inside of an unknown one, and counts by itself.
    is_inner: bool,
    reasons: Vec<ReasonJson<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct ReasonJson<'a> {
    file: Cow<'a, str>,
    line: u32,
    column: u32,
    class: &'static str,
    text: &'a str,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct CoverageJson {
    exact: u64,
    bounded: u64,
    unknown: u64,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct DiagnosticJson<'a> {
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

impl From<Coverage> for CoverageJson {
    fn from(coverage: Coverage) -> Self {
        Self {
            exact: coverage.exact,
            bounded: coverage.bounded,
            unknown: coverage.unknown,
        }
    }
}

struct Writer<'a> {
    sources: &'a SourceMap,
    machine: &'a Machine,
    histograms: Histograms,
}

impl<'a> Writer<'a> {
    fn new(sources: &'a SourceMap, analysis: &'a Analysis, histograms: Histograms) -> Self {
        Self {
            sources,
            machine: &analysis.machine,
            histograms,
        }
    }

    fn report(&self, analysis: &'a Analysis) -> Report<'a> {
        let functions = analysis.functions.iter();
        Report {
            schema_version: SCHEMA_VERSION,
            machine: machine(&analysis.machine),
            hierarchy: analysis.hierarchy.name(),
            layout: analysis.layout.name(),
            functions: functions.map(|x| self.function(x)).collect(),
            coverage: analysis.coverage.into(),
            assumptions: &analysis.assumptions,
            diagnostics: diagnostics(self.sources, &as_given(self.sources), &analysis.diagnostics),
        }
    }

    fn function(&self, function: &'a FunctionAnalysis) -> Function<'a> {
        let tree = &function.tree;
        let parameters = function.parameters.iter();
        let value = |value: Option<i64>| value.map(|value| Integer(value.into()));
        Function {
            name: &tree.function,
            file: self.path(tree.span),
            line: self.sources.start(tree.span).line,
            parameters: parameters
                .map(|(name, x)| (name.as_str(), value(*x)))
                .collect(),
            engine: function.engine.name(),
            engine_reason: function.engine_reason.as_deref(),
            accesses: function.accesses.into(),
            loads: function.loads.into(),
            stores: function.stores.into(),
            lines: function.lines.iter().map(|x| self.line(x)).collect(),
            levels: function.levels.iter().map(level).collect(),
            operations: operations(function.operations.of(Scope::Function), Zeros::Shown),
            time: time(&function.times.function, self.machine),
            statements: self.statements(function),
            patterns: patterns(self.sources, function),
            loops: function
                .loops
                .iter()
                .zip(&function.times.loops)
                .map(|(counts, time)| self.counted_loop(function, counts, time))
                .collect(),
            references: function
                .references
                .iter()
                .map(|x| self.reference(function, x))
                .collect(),
            nests: nests(self.sources, &as_given(self.sources), &function.nests),
            coverage: function.coverage().into(),
        }
    }

    fn line(&self, line: &LineCounts) -> Line {
        let unknown = || Line {
            line_size: line.line_size,
            cold: Counted::Unknown.into(),
            histogram: None,
        };
        let histogram = line.histogram.as_ref();
        histogram.map_or_else(unknown, |x| self.histogram(line.line_size, x))
    }

    fn histogram(&self, line_size: u64, histogram: &ReuseDistanceHistogram) -> Line {
        let entries = || histogram.bins().filter_map(|bin| entry(&bin)).collect();
        Line {
            line_size,
            cold: histogram.cold().into(),
            histogram: (self.histograms == Histograms::Show).then(entries),
        }
    }

    fn counted_loop(
        &self,
        function: &'a FunctionAnalysis,
        counts: &LoopCounts,
        taken: &Time,
    ) -> Loop<'a> {
        let header = &function.tree.loops[counts.id];
        let inside = |line: &LineCounts| {
            let mut sum = ReuseDistanceHistogram::default();
            for (id, part) in function.tree.references.keys().zip(&line.by_reference) {
                let innermost = function.tree.references[id].inside;
                if ancestors(&function.tree, innermost).any(|around| around == counts.id) {
                    sum.merge(part);
                }
            }
            self.histogram(line.line_size, &sum)
        };
        Loop {
            place: self.place(function, header.span, &header.function),
            iterator: &header.iterator,
            depth: ancestors(&function.tree, header.inside).count(),
            accesses: counts.accesses.into(),
            loads: counts.loads.into(),
            stores: counts.stores.into(),
            operations: operations(
                function.operations.of(Scope::Loop(counts.id)),
                Zeros::Hidden,
            ),
            vectorisable: vectorisable(function, counts.id),
            instructions: instructions(taken),
            time: time(taken, self.machine),
            levels: misses(function, &counts.misses),
            lines: match counts.accesses {
                Counted::Unknown => Vec::new(),
                _ => self.with_histograms(function).map(inside).collect(),
            },
        }
    }

    fn statements(&self, function: &'a FunctionAnalysis) -> Vec<StatementJson<'a>> {
        let of_one = |(span, counts): (Span, premiss_analyze::Counts)| {
            let at = self.sources.start(span);
            let file = (span.file != function.tree.span.file).then(|| self.path(span));
            let computed = operations(&counts, Zeros::Hidden);
            StatementJson::new((at.line, at.column), file, computed)
        };
        statements(function).into_iter().map(of_one).collect()
    }

    fn reference(&self, function: &'a FunctionAnalysis, counts: &ReferenceCounts) -> Reference<'a> {
        let reference = &function.tree.references[counts.id];
        let of_this = |line: &LineCounts| {
            let histogram = &line.by_reference[counts.id.index()];
            self.histogram(line.line_size, histogram)
        };
        Reference {
            place: self.place(function, reference.span, &reference.function),
            text: &reference.text,
            array: &function.tree.arrays[reference.array].name,
            kind: match reference.kind {
                AccessKind::Load => "load",
                AccessKind::Store => "store",
            },
            accesses: counts.accesses.into(),
            levels: misses(function, &counts.misses),
            lines: self.with_histograms(function).map(of_this).collect(),
        }
    }

    /// Where a part of a function stands that was written in the function `written_in`.
    fn place(&self, function: &FunctionAnalysis, span: Span, written_in: &'a str) -> Place<'a> {
        let at = self.sources.start(span);
        Place {
            line: at.line,
            column: at.column,
            file: (span.file != function.tree.span.file).then(|| self.path(span)),
            function: (written_in != function.tree.function).then_some(written_in),
        }
    }

    /// The line sizes to give histograms of parts for: none unless asked for and known.
    fn with_histograms<'f>(
        &self,
        function: &'f FunctionAnalysis,
    ) -> impl Iterator<Item = &'f LineCounts> {
        let show = self.histograms == Histograms::Show;
        let lines = function.lines.iter();
        lines.filter(move |line| show && line.histogram.is_some())
    }

    fn path(&self, span: Span) -> &'a str {
        self.sources.file(span.file).path()
    }
}

/// A loop, the one around it, and so on outwards.
fn ancestors(tree: &NestTree, innermost: Option<LoopId>) -> impl Iterator<Item = LoopId> {
    std::iter::successors(innermost, |id| tree.loops[*id].inside)
}

fn machine(machine: &Machine) -> MachineJson<'_> {
    let caches = machine.caches().iter().map(|cache| Cache {
        name: cache.name(),
        size: cache.size(),
        ways: cache.geometry().ways,
        sets: cache.geometry().sets,
        line_size: cache.line_size(),
        fully_associative: cache.ways() == Ways::Full,
        replacement: cache.kind().words()[0],
        write: cache.kind().words()[1],
        allocate: cache.kind().words()[2],
    });
    let tlbs = machine.tlbs().iter().map(|tlb| Tlb {
        name: tlb.name(),
        entries: tlb.entries(),
        ways: tlb.geometry().ways,
        sets: tlb.geometry().sets,
        page_size: tlb.page_size(),
        fully_associative: tlb.ways() == Ways::Full,
        replacement: tlb.kind().words()[0],
    });
    MachineJson {
        name: machine.name(),
        id: machine.id(),
        hash: format!("{:016x}", machine.hash()),
        title: machine.title(),
        caches: caches.collect(),
        tlbs: tlbs.collect(),
    }
}

fn level(level: &LevelCounts) -> Level<'_> {
    Level {
        name: &level.name,
        engine: match level.answered {
            Answered::Closed => Some("closed"),
            Answered::Trace => Some("trace"),
            Answered::Estimate => Some("estimate"),
            Answered::Nobody => None,
        },
        misses: level.misses.into(),
        load_misses: level.load_misses.into(),
        store_misses: level.store_misses.into(),
        compulsory: level.three_c.compulsory.into(),
        capacity: level.three_c.capacity.into(),
        conflict: level.three_c.conflict.into(),
        estimate: level.estimate.into(),
        write_backs: level.traffic.map(|x| x.write_backs.into()),
        bytes_read: level.traffic.map(|x| x.bytes_read.into()),
        bytes_written: level.traffic.map(|x| x.bytes_written.into()),
        spread: level.spread.map(|x| spread(&x, level.traffic.is_some())),
    }
}

fn spread(spread: &Spread, has_data: bool) -> SpreadJson {
    let of_data = |ends: (u64, u64)| has_data.then(|| ends.into());
    SpreadJson {
        seeds: SEEDS.count(),
        misses: spread.misses.into(),
        write_backs: of_data(spread.write_backs),
        bytes_read: of_data(spread.bytes_read),
        bytes_written: of_data(spread.bytes_written),
    }
}

fn misses<'a>(function: &'a FunctionAnalysis, misses: &[Counted]) -> Vec<Misses<'a>> {
    let levels = function.levels.iter().zip(misses);
    let of_one = |(level, misses): (&'a LevelCounts, &Counted)| Misses {
        name: &level.name,
        misses: (*misses).into(),
    };
    levels.map(of_one).collect()
}

/// A bin, unless it is of first accesses, which are reported as cold.
fn entry(bin: &Bin) -> Option<Entry> {
    let Distance::Finite(lower) = bin.lower else {
        return None;
    };
    let distance = match bin.upper {
        Distance::Finite(upper) if upper == lower => DistanceJson::Known(lower.into()),
        Distance::Finite(upper) => DistanceJson::Bounded {
            lower: lower.into(),
            upper: Some(upper.into()),
        },
        Distance::Infinite => DistanceJson::Bounded {
            lower: lower.into(),
            upper: None,
        },
    };
    let count = match Counted::between(bin.certain, bin.certain.saturating_add(bin.possible)) {
        Counted::Exact(count) => Count::Exact(count.into()),
        count => Count::Bounded(count.into()),
    };
    Some(Entry { distance, count })
}

/// What files are called.
pub(crate) type Paths<'p, 'a> = &'p dyn Fn(FileId) -> Cow<'a, str>;

/// Files as they were given.
pub(crate) fn as_given<'a>(sources: &'a SourceMap) -> impl Fn(FileId) -> Cow<'a, str> {
    |file| Cow::Borrowed(sources.file(file).path())
}

pub(crate) fn nests<'a>(
    sources: &SourceMap,
    path: Paths<'_, 'a>,
    nests: &'a [NestCoverage],
) -> Vec<Nest<'a>> {
    let of_one = |nest: &'a NestCoverage| Nest {
        file: path(nest.span.file),
        line: sources.start(nest.span).line,
        class: class_name(nest.class),
        is_inner: nest.is_inner,
        reasons: reasons(sources, path, nest),
    };
    nests.iter().map(of_one).collect()
}

fn reasons<'a>(
    sources: &SourceMap,
    path: Paths<'_, 'a>,
    nest: &'a NestCoverage,
) -> Vec<ReasonJson<'a>> {
    let of_one = |reason: &'a premiss_analyze::Reason| {
        let at = sources.start(reason.span);
        ReasonJson {
            file: path(reason.span.file),
            line: at.line,
            column: at.column,
            class: class_name(reason.class),
            text: &reason.text,
        }
    };
    nest.reasons.iter().map(of_one).collect()
}

pub(crate) fn class_name(class: Class) -> &'static str {
    match class {
        Class::Exact => "exact",
        Class::Bounded => "bounded",
        Class::Unknown => "unknown",
    }
}

pub(crate) fn diagnostics<'a>(
    sources: &SourceMap,
    path: Paths<'_, 'a>,
    diagnostics: &'a [Diagnostic],
) -> Vec<DiagnosticJson<'a>> {
    let of_one = |diagnostic: &'a Diagnostic| {
        let span = diagnostic.labels.first().map(|label| label.span);
        let at = span.map(|span| sources.start(span));
        DiagnosticJson {
            code: diagnostic.code,
            severity: match diagnostic.severity {
                Severity::Note => "note",
                Severity::Warning => "warning",
                Severity::Error => "error",
            },
            message: &diagnostic.message,
            file: span.map(|span| path(span.file)),
            line: at.map(|at| at.line),
            column: at.map(|at| at.column),
            help: diagnostic.help.as_deref(),
        }
    };
    diagnostics.iter().map(of_one).collect()
}
