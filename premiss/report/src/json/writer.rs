//! From an analysis to the published form.

use super::forms::{
    FunctionJson, LineJson, LoopJson, PlaceJson, ReferenceJson, ReportJson, SCHEMA_VERSION,
};
use super::levels::{bin, level, misses};
use super::machine::machine;
use super::places::{as_given, diagnostics, nests};
use crate::Histograms;
use crate::number::Integer;
use crate::operations::{StatementJson, Zeros, operations, statements};
use crate::time::{patterns, time};
use crate::vector::{instructions, vectorisable};
use premiss_analyze::{
    Analysis, FunctionAnalysis, LineCounts, LoopCounts, ReferenceCounts, Scope, Time,
};
use premiss_histogram::{Counted, ReuseDistanceHistogram};
use premiss_machine::Machine;
use premiss_source::{SourceMap, Span};
use premiss_tree::{AccessKind, EntityRef, LoopId, NestTree};

/// Writes the JSON form of one analysis.
pub(super) struct ReportWriter<'a> {
    sources: &'a SourceMap,
    machine: &'a Machine,
    histograms: Histograms,
}

impl<'a> ReportWriter<'a> {
    pub(super) fn new(
        sources: &'a SourceMap,
        analysis: &'a Analysis,
        histograms: Histograms,
    ) -> Self {
        Self {
            sources,
            machine: &analysis.machine,
            histograms,
        }
    }

    pub(super) fn report(&self, analysis: &'a Analysis) -> ReportJson<'a> {
        let functions = analysis.functions.iter();
        ReportJson {
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

    fn function(&self, function: &'a FunctionAnalysis) -> FunctionJson<'a> {
        let tree = &function.tree;
        let parameters = function.parameters.iter();
        let value = |value: Option<i64>| value.map(|value| Integer(value.into()));
        FunctionJson {
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

    fn line(&self, line: &LineCounts) -> LineJson {
        let unknown = || LineJson {
            line_size: line.line_size,
            cold: Counted::Unknown.into(),
            histogram: None,
        };
        let histogram = line.histogram.as_ref();
        histogram.map_or_else(unknown, |x| self.histogram(line.line_size, x))
    }

    fn histogram(&self, line_size: u64, histogram: &ReuseDistanceHistogram) -> LineJson {
        let entries = || histogram.bins().filter_map(|x| bin(&x)).collect();
        LineJson {
            line_size,
            cold: histogram.cold().into(),
            histogram: (self.histograms == Histograms::Show).then(entries),
        }
    }

    fn counted_loop(
        &self,
        function: &'a FunctionAnalysis,
        counts: &LoopCounts,
        times: &Time,
    ) -> LoopJson<'a> {
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
        LoopJson {
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
            instructions: instructions(times),
            time: time(times, self.machine),
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

    fn reference(
        &self,
        function: &'a FunctionAnalysis,
        counts: &ReferenceCounts,
    ) -> ReferenceJson<'a> {
        let reference = &function.tree.references[counts.id];
        let of_this = |line: &LineCounts| {
            let histogram = &line.by_reference[counts.id.index()];
            self.histogram(line.line_size, histogram)
        };
        ReferenceJson {
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

    /// The place of a part of a function that was written in the function `written_in`.
    fn place(&self, function: &FunctionAnalysis, span: Span, written_in: &'a str) -> PlaceJson<'a> {
        let at = self.sources.start(span);
        PlaceJson {
            line: at.line,
            column: at.column,
            file: (span.file != function.tree.span.file).then(|| self.path(span)),
            function: (written_in != function.tree.function).then_some(written_in),
        }
    }

    /// The line sizes for which parts have histograms: none unless they are requested and known.
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

/// A loop and the loops around it, from the inside out.
fn ancestors(tree: &NestTree, innermost: Option<LoopId>) -> impl Iterator<Item = LoopId> {
    std::iter::successors(innermost, |id| tree.loops[*id].inside)
}
