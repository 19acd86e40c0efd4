//! Explanations of references: where their lines come from and what that means for misses.

mod sets;

use crate::algebra::{SizeNames, Spelling};
use crate::formula::{classes, distance, no_formula, validity};
use crate::number::Number;
use crate::{Colour, SCHEMA_VERSION, style::Style};
use premiss_analyze::{
    CacheGeometry, DistanceCount, Explanation, Formula, FunctionAnalysis, LevelConflicts, NodeId,
    ReferenceExplanation, Refusal, ReuseExplanation, Sharing,
};
use premiss_histogram::Counted;
use premiss_source::{SourceMap, Span};
use premiss_tree::{AccessKind, NestTree, ReferenceId};
use schemars::JsonSchema;
use serde::Serialize;
use sets::{SetStory, SetsJson};
use std::fmt::Write as _;

/// A function whose references are explained.
#[derive(Clone, Copy)]
pub struct ExplainedFunction<'a> {
    /// Its tree.
    pub tree: &'a NestTree,
    /// The explanations.
    pub explanation: &'a Explanation,
    /// Its counts, where all of its sizes have values.
    pub counted: Option<&'a FunctionAnalysis>,
    /// What the sets of each level do to its references, as far as that is known.
    pub conflicts: &'a [Option<LevelConflicts>],
}

/// The explanations of references of some functions as text, with the levels of their formulas. Formulas are of fully
/// associative levels; counts in the sets of a level stand beside.
#[must_use]
pub fn explain_text(
    sources: &SourceMap,
    functions: &[ExplainedFunction<'_>],
    levels: &[(String, CacheGeometry)],
    colour: Colour,
) -> String {
    let mut text = String::new();
    for function in functions {
        let writer = ExplanationWriter {
            sources,
            tree: function.tree,
            explanation: function.explanation,
            levels,
            counted: function.counted,
            conflicts: function.conflicts,
            spelling: Spelling::Text,
        };
        for number in 0..function.explanation.references.len() {
            writer.text(number, colour, &mut text);
            text.push('\n');
        }
    }
    text
}

/// The same as one JSON object with a final line break.
///
/// # Panics
///
/// Never: the form has text for keys.
#[must_use]
pub fn explain_json(
    sources: &SourceMap,
    functions: &[ExplainedFunction<'_>],
    levels: &[(String, CacheGeometry)],
) -> String {
    let mut references = Vec::new();
    for function in functions {
        let writer = ExplanationWriter {
            sources,
            tree: function.tree,
            explanation: function.explanation,
            levels,
            counted: function.counted,
            conflicts: function.conflicts,
            spelling: Spelling::Plain,
        };
        references.extend(writer.all_json());
    }
    let report = Report {
        schema_version: SCHEMA_VERSION,
        references,
    };
    let mut json =
        serde_json::to_string_pretty(&report).expect("a report has nothing that JSON cannot say");
    json.push('\n');
    json
}

/// The explanations of one function as text formulas, with the path of its file.
pub(crate) fn stories(
    sources: &SourceMap,
    (tree, explanation): (&NestTree, &Explanation),
    levels: &[(String, CacheGeometry)],
) -> Vec<(String, StoryJson)> {
    let path = sources.file(tree.span.file).path();
    let writer = ExplanationWriter {
        sources,
        tree,
        explanation,
        levels,
        counted: None,
        conflicts: &[],
        spelling: Spelling::Text,
    };
    let stories = writer.all_json();
    stories.map(|story| (path.to_owned(), story)).collect()
}

struct ExplanationWriter<'a> {
    sources: &'a SourceMap,
    tree: &'a NestTree,
    explanation: &'a Explanation,
    levels: &'a [(String, CacheGeometry)],
    counted: Option<&'a FunctionAnalysis>,
    conflicts: &'a [Option<LevelConflicts>],
    spelling: Spelling,
}

impl ExplanationWriter<'_> {
    /// What the sets of a level do to a reference.
    fn sets(&self, level: usize, number: usize) -> Option<SetStory<'_>> {
        Some(SetStory {
            tree: self.tree,
            geometry: self.levels[level].1,
            level: self.conflicts.get(level)?.as_ref()?,
            number,
        })
    }

    fn text(&self, number: usize, colour: Colour, text: &mut String) {
        let story = &self.explanation.references[number];
        let row = &self.tree.references[story.id];
        let path = self.sources.file(row.span.file).path();
        let line_size = self.explanation.histogram.line_size;
        let mut head = format!(
            "{path}:{} {}  {} in {} · lines of {line_size} bytes",
            self.at(row.span),
            row.text,
            self.kind(story.id),
            self.tree.function
        );
        for class in classes(self.tree, &self.explanation.histogram) {
            let _ = write!(head, " · {class}");
        }
        if self.levels.iter().any(|(_, geometry)| 1 < geometry.sets) {
            head.push_str(" · levels as if fully associative");
        }
        text.push_str(&colour.paint(Style::Bold, &head));
        text.push('\n');
        if let Some(validity) = validity(self.tree, &self.explanation.histogram, self.spelling) {
            let _ = writeln!(text, " for {validity}");
        }
        let _ = writeln!(text, " accesses: {}", self.formula(&story.accesses));
        let _ = writeln!(
            text,
            " first to touch their line: {}",
            self.formula(&story.cold)
        );
        for reuse in 0..story.reuses.len() {
            self.reuse(number, reuse, text);
        }
        for (idx, ((level, geometry), misses)) in self.levels.iter().zip(&story.misses).enumerate()
        {
            let misses = self.formula(misses);
            let sets = self.sets(idx, number);
            let full = sets.and_then(|sets| sets.fully_associative());
            let misses = full.unwrap_or(misses);
            let _ = match self.counted_misses(story.id, level) {
                Some(counted) if 1 < geometry.sets => writeln!(
                    text,
                    " {level} misses: {} in its {} sets; as if fully associative {misses}{}",
                    labelled(counted),
                    geometry.sets,
                    sets.map_or_else(String::new, |sets| sets.text())
                ),
                _ => writeln!(text, " {level} misses: {misses}"),
            };
        }
    }

    fn reuse(&self, story: usize, number: usize, text: &mut String) {
        let sets = |level: usize| {
            let sets = self.sets(level, story)?;
            Some((sets, sets.reuse(number)?))
        };
        let story = &self.explanation.references[story];
        let reuse = &story.reuses[number];
        let source = &self.tree.references[reuse.source];
        let who = match reuse.source == story.id {
            true => "this reference itself".to_owned(),
            false => format!(
                "{} at {}, a {}",
                source.text,
                self.at(source.span),
                self.kind(reuse.source)
            ),
        };
        let when = match reuse.carrier {
            Some(id) => {
                let header = &self.tree.loops[id];
                let line = self.sources.start(header.span).line;
                format!(
                    "in an earlier iteration of the loop over {} (line {line})",
                    header.iterator
                )
            }
            None => "in the same iteration, or in an earlier nest".to_owned(),
        };
        let kind = reuse_kind(story, reuse);
        let _ = writeln!(text, " line last touched by {who}, {when}: {kind} reuse");
        for (array, lines) in &reuse.between {
            let name = &self.tree.arrays[*array].name;
            let written = self.distances(story.node, lines);
            let written: Vec<String> = written.into_iter().map(|(distance, _)| distance).collect();
            let mut unique: Vec<String> = Vec::new();
            for one in written {
                if !unique.contains(&one) {
                    unique.push(one);
                }
            }
            if unique != ["0"] {
                let _ = writeln!(
                    text,
                    "   in between: {name}, lines: {}",
                    unique.join(" or ")
                );
            }
        }
        for (distance, count) in self.distances(story.node, &reuse.distances) {
            let _ = writeln!(text, "   distance {distance}: {count} accesses");
        }
        for (idx, ((level, geometry), misses)) in self.levels.iter().zip(&reuse.misses).enumerate()
        {
            let misses = self.formula(misses);
            let Some((sets, own)) = sets(idx) else {
                let _ = writeln!(text, "   of these miss {level}: {misses}");
                continue;
            };
            let full = reuse.misses[idx].is_ok();
            let full = full.then(|| format!("; as if fully associative {misses}"));
            let _ = writeln!(
                text,
                "   of these miss {level}: {} in its {} sets{}",
                own.misses,
                geometry.sets,
                full.unwrap_or_default()
            );
            if let Some(lines) = &own.lines {
                let _ = writeln!(text, "{}", sets.shared(level, lines));
            }
        }
    }

    /// The distances with the number of accesses at each.
    fn distances(
        &self,
        node: NodeId,
        counts: &Result<Vec<DistanceCount>, Refusal>,
    ) -> Vec<(String, String)> {
        let counts = match counts {
            Ok(counts) => counts,
            Err(refusal) => return vec![(no_formula(*refusal), "?".to_owned())],
        };
        let form = (&self.explanation.histogram, &self.explanation.scop);
        let of_one = |count: &DistanceCount| {
            let distance = distance(self.tree, form, node, count, self.spelling);
            let distance = distance.unwrap_or_else(|refusal| format!("? ({refusal})"));
            (distance, self.formula(&Ok(count.accesses.clone())))
        };
        counts.iter().map(of_one).collect()
    }

    fn formula(&self, formula: &Result<Formula, Refusal>) -> String {
        let names = SizeNames::new(
            self.tree,
            &self.explanation.histogram.parameters,
            self.spelling,
        );
        let written = formula.as_ref().map_err(|refusal| *refusal);
        let written = written.and_then(|formula| names.line(formula));
        written.unwrap_or_else(no_formula)
    }

    fn at(&self, span: Span) -> String {
        let at = self.sources.start(span);
        format!("{}:{}", at.line, at.column)
    }

    fn kind(&self, id: ReferenceId) -> &'static str {
        match self.tree.references[id].kind {
            AccessKind::Load => "load",
            AccessKind::Store => "store",
        }
    }

    /// The misses of a reference in a level; `None` where they were not counted.
    fn counted_misses(&self, id: ReferenceId, level: &str) -> Option<Counted> {
        let counted = self.counted?;
        let idx = counted.levels.iter().position(|x| x.name == level)?;
        let reference = counted.references.iter().find(|x| x.id == id)?;
        let misses = reference.misses.get(idx).copied();
        misses.filter(|misses| *misses != Counted::Unknown)
    }

    fn all_json(&self) -> impl Iterator<Item = StoryJson> {
        (0..self.explanation.references.len()).map(|number| self.json(number))
    }

    fn json(&self, number: usize) -> StoryJson {
        let story = &self.explanation.references[number];
        let row = &self.tree.references[story.id];
        let at = self.sources.start(row.span);
        let levels = |all: &[Result<Formula, Refusal>], reuse: Option<usize>| {
            let all = self.levels.iter().zip(all).enumerate();
            let level = |(idx, ((name, _), misses)): (usize, (&(String, _), _))| LevelJson {
                name: name.clone(),
                misses: self.formula(misses),
                in_sets: self.sets(idx, number).and_then(|sets| match reuse {
                    None => {
                        let misses = self.counted_misses(story.id, name);
                        Some(sets.json(misses.unwrap_or(Counted::Unknown)))
                    }
                    Some(reuse) => Some(sets.reuse_json(sets.reuse(reuse)?)),
                }),
            };
            all.map(level).collect()
        };
        let reuse = |(idx, reuse): (usize, &ReuseExplanation)| {
            let source = &self.tree.references[reuse.source];
            let place = self.sources.start(source.span);
            let carrier = reuse.carrier.map(|id| &self.tree.loops[id]);
            let between = reuse.between.iter().map(|(array, lines)| BetweenJson {
                array: self.tree.arrays[*array].name.clone(),
                lines: self
                    .distances(story.node, lines)
                    .into_iter()
                    .map(|(lines, _)| lines)
                    .collect(),
            });
            let distances = self.distances(story.node, &reuse.distances);
            ReuseJson {
                source: source.text.clone(),
                line: place.line,
                column: place.column,
                carrier: carrier.map(|header| header.iterator.clone()),
                carrier_line: carrier.map(|header| self.sources.start(header.span).line),
                kind: reuse_kind(story, reuse),
                between: between.collect(),
                distances: distances
                    .into_iter()
                    .map(|(distance, count)| DistanceJson { distance, count })
                    .collect(),
                levels: levels(&reuse.misses, Some(idx)),
            }
        };
        StoryJson {
            function: self.tree.function.clone(),
            text: row.text.clone(),
            line: at.line,
            column: at.column,
            kind: self.kind(story.id),
            classes: classes(self.tree, &self.explanation.histogram),
            accesses: self.formula(&story.accesses),
            cold: self.formula(&story.cold),
            reuses: story.reuses.iter().enumerate().map(reuse).collect(),
            levels: levels(&story.misses, None),
        }
    }
}

/// A number with all digits.
fn labelled(counted: Counted) -> String {
    let number = Number::from(counted);
    match counted {
        Counted::Estimate(_) => format!("~{}", number.plain()),
        _ => number.plain(),
    }
}

/// `self-temporal`, `group-spatial` and so on.
fn reuse_kind(story: &ReferenceExplanation, reuse: &ReuseExplanation) -> &'static str {
    match (reuse.source == story.id, reuse.sharing) {
        (true, Sharing::Element) => "self-temporal",
        (true, Sharing::Line) => "self-spatial",
        (true, Sharing::AtLeastLine) => "self",
        (false, Sharing::Element) => "group-temporal",
        (false, Sharing::Line) => "group-spatial",
        (false, Sharing::AtLeastLine) => "group",
    }
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Report {
    schema_version: &'static str,
    references: Vec<StoryJson>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct StoryJson {
    pub(crate) function: String,
    pub(crate) text: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) kind: &'static str,
    pub(crate) classes: Vec<String>,
    pub(crate) accesses: String,
    pub(crate) cold: String,
    pub(crate) reuses: Vec<ReuseJson>,
    pub(crate) levels: Vec<LevelJson>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct ReuseJson {
    pub(crate) source: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) carrier: Option<String>,
    pub(crate) carrier_line: Option<u32>,
    pub(crate) kind: &'static str,
    pub(crate) between: Vec<BetweenJson>,
    pub(crate) distances: Vec<DistanceJson>,
    pub(crate) levels: Vec<LevelJson>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct BetweenJson {
    pub(crate) array: String,
    pub(crate) lines: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct DistanceJson {
    pub(crate) distance: String,
    pub(crate) count: String,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct LevelJson {
    pub(crate) name: String,
    /// As if it were fully associative.
    pub(crate) misses: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) in_sets: Option<SetsJson>,
}
