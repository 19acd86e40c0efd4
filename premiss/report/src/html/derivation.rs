//! The details of a reference: its exact counts, its strides, and the references that touched its lines last.

use super::context::{Context, Subject};
use super::number::exact_count;
use super::table::table;
use crate::chart::escaped;
use crate::explain::{BetweenJson, ReuseJson, StoryJson};
use crate::listing::Merged;
use premiss_analyze::{Provenance, ReferenceCounts, strides};
use premiss_histogram::Counted;
use premiss_tree::{AccessKind, EntityRef, LoopId, ReferenceId};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Writes the details of the references of one function.
pub(super) struct Derivation<'a> {
    context: &'a Context<'a>,
    subject: Subject<'a>,
    strides: BTreeMap<ReferenceId, Vec<(LoopId, Option<i64>)>>,
}

impl<'a> Derivation<'a> {
    pub(super) fn new(context: &'a Context<'a>, subject: Subject<'a>) -> Self {
        Self {
            context,
            subject,
            strides: strides(&subject.function.tree),
        }
    }

    pub(super) fn html(&self, merged: &Merged<'_>) -> String {
        let mut html = self.counts(merged);
        html.push_str(&self.moves(merged.ids[0]));
        for id in &merged.ids {
            if let Some(story) = self.story(*id) {
                html.push_str(&explanation_html(story, 1 < merged.ids.len()));
            }
        }
        html
    }

    /// The counts with all digits: a row for each level, a column for each of load and store.
    fn counts(&self, merged: &Merged<'_>) -> String {
        let function = self.subject.function;
        let all = function.references.iter();
        let parts: Vec<&ReferenceCounts> = all.filter(|x| merged.ids.contains(&x.id)).collect();
        let cells = |of: &dyn Fn(&ReferenceCounts) -> Counted, what: &str| {
            let cell = |x: &&ReferenceCounts| {
                let what = format!("references/{}/{what}", x.id.index());
                exact_count(of(x), &self.context.pointer(self.subject, &what))
            };
            parts.iter().map(cell).collect::<Vec<String>>()
        };
        let mut rows = vec![vec!["accesses".to_owned()]];
        rows[0].extend(cells(&|x| x.accesses, "accesses"));
        rows[0].push(function.engine.name().to_owned());
        for (place, level) in function.levels.iter().enumerate() {
            let misses =
                |x: &ReferenceCounts| x.misses.get(place).copied().unwrap_or(Counted::Unknown);
            let mut row = vec![format!("{} misses", escaped(&level.name))];
            row.extend(cells(&misses, &format!("levels/{place}/misses")));
            row.push(engine(level.provenance).to_owned());
            rows.push(row);
        }
        let mut heads = vec![""];
        heads.extend(parts.iter().map(|x| self.kind(x.id)));
        heads.push("counted by");
        let reference = &function.tree.references[merged.ids[0]];
        let array = &function.tree.arrays[reference.array].name;
        let at = self.context.sources.start(reference.span);
        let caption = format!("Array {array}, line {}, column {}", at.line, at.column);
        table(&caption, &heads, &rows)
    }

    /// The strides, and how much of each line is used.
    fn moves(&self, id: ReferenceId) -> String {
        let tree = &self.subject.function.tree;
        let Some(strides) = self.strides.get(&id).filter(|x| !x.is_empty()) else {
            return String::new();
        };
        let of_one = |(id, bytes): &(LoopId, Option<i64>)| {
            let header = &tree.loops[*id];
            let line = self.context.sources.start(header.span).line;
            let step = bytes.map_or("unknown".to_owned(), |bytes| format!("{bytes} B"));
            format!("{step} over {} (line {line})", header.iterator)
        };
        let inner_first: Vec<String> = strides.iter().rev().map(of_one).collect();
        let stride = format!("Stride: {}.", inner_first.join(", "));
        let size = u64::from(tree.references[id].size);
        let step = strides.last().and_then(|(_, bytes)| *bytes);
        format!("<p>{} {}</p>", escaped(&stride), self.line_use(size, step))
    }

    /// How much the innermost loop uses of the lines that it traverses.
    fn line_use(&self, size: u64, step: Option<i64>) -> String {
        let caches = self.context.analysis.machine.caches();
        let Some(line) = caches.first().map(premiss_machine::CacheLevel::line_size) else {
            return String::new();
        };
        let Some(step) = step.map(i64::unsigned_abs) else {
            return "Line use: unknown, as its innermost stride is.".to_owned();
        };
        if step == 0 {
            return "Line use: the innermost loop stays where it is.".to_owned();
        }
        // The elements of a line that are accessed: at least one, and no more than there are.
        let used = (line / step).max(1).saturating_mul(size).min(line);
        format!("Line use: the innermost loop uses {used} of the {line} bytes of each line.")
    }

    fn story(&self, id: ReferenceId) -> Option<&'a StoryJson> {
        let tree = &self.subject.function.tree;
        let reference = &tree.references[id];
        let sources = self.context.sources;
        let at = sources.start(reference.span);
        let key = (
            sources.file(tree.span.file).path().to_owned(),
            tree.function.clone(),
            at.line,
            at.column,
            reference.text.clone(),
            self.kind(id),
        );
        self.context.explanations.get(&key)
    }

    fn kind(&self, id: ReferenceId) -> &'static str {
        match self.subject.function.tree.references[id].kind {
            AccessKind::Load => "load",
            AccessKind::Store => "store",
        }
    }
}

/// The engine that counted the misses of a level.
fn engine(provenance: Provenance) -> &'static str {
    match provenance {
        Provenance::ClosedForm => "closed form",
        Provenance::Trace => "trace",
        Provenance::Sample => "sample",
        Provenance::Estimate => "estimate",
        Provenance::Uncounted => "not counted",
    }
}

/// The explanation of a reference, in formulas.
fn explanation_html(story: &StoryJson, is_one_of_several: bool) -> String {
    let mut head = match is_one_of_several {
        true => format!("The {}: ", story.kind),
        false => "Closed form: ".to_owned(),
    };
    let _ = write!(
        head,
        "{} accesses; the first to touch their line: {}.",
        story.accesses, story.cold
    );
    for class in &story.classes {
        let _ = write!(head, " Sizes {class}.");
    }
    let mut html = format!("<p>{}</p>", escaped(&head));
    if !story.reuses.is_empty() {
        html.push_str("<ul>");
        for reuse in &story.reuses {
            let _ = write!(html, "<li>{}</li>", escaped(&reuse_text(story, reuse)));
        }
        html.push_str("</ul>");
    }
    if !story.levels.is_empty() {
        html.push_str("<p>Misses, as if fully associative:</p><ul>");
        for level in &story.levels {
            let text = format!("{}: {}", level.name, level.misses);
            let _ = write!(html, "<li>{}</li>", escaped(&text));
        }
        html.push_str("</ul>");
    }
    html
}

fn reuse_text(story: &StoryJson, reuse: &ReuseJson) -> String {
    let is_same =
        (reuse.line, reuse.column, &reuse.source) == (story.line, story.column, &story.text);
    let who = match (is_same, reuse.kind.starts_with("self")) {
        (true, true) => "this reference itself".to_owned(),
        _ => format!("{} at {}:{}", reuse.source, reuse.line, reuse.column),
    };
    let when = match (&reuse.carrier, reuse.carrier_line) {
        (Some(name), Some(line)) => {
            format!("in an earlier iteration of the loop over {name} (line {line})")
        }
        _ => "in the same iteration, or in an earlier nest".to_owned(),
    };
    let mut text = format!("Line last touched by {who}, {when}: {} reuse.", reuse.kind);
    for distance in &reuse.distances {
        let _ = write!(
            text,
            " Distance {}: {} accesses.",
            distance.distance, distance.count
        );
    }
    let between = reuse.between.iter().filter_map(lines_of);
    let between: Vec<String> = between.collect();
    if !between.is_empty() {
        let _ = write!(text, " Lines in between: {}.", between.join(", "));
    }
    for level in &reuse.levels {
        if level.misses != "0" {
            let _ = write!(text, " Of these miss {}: {}.", level.name, level.misses);
        }
    }
    text
}

/// `1/8·N of B`; `None` if there are none.
fn lines_of(between: &BetweenJson) -> Option<String> {
    let mut unique: Vec<&str> = Vec::new();
    for lines in &between.lines {
        if !unique.contains(&lines.as_str()) {
            unique.push(lines);
        }
    }
    (unique != ["0"]).then(|| format!("{} of {}", unique.join(" or "), between.array))
}
