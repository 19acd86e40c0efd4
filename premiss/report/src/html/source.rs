//! The source of a function with its heat, and below each line its references, which can be unfolded.

use super::change::{PreviousCounts, mark, previous_cell};
use super::context::{Context, Subject};
use super::derivation::Derivation;
use super::number::count;
use super::order::bytes_moved;
use crate::chart::escaped;
use crate::heat::blocks;
use crate::listing::{
    Counts, Merged, Section, Sections, WIDEST_LINE, excerpt, merged_by_text, sections, total,
};
use premiss_analyze::FunctionAnalysis;
use premiss_histogram::Counted;
use premiss_source::{FileId, Span};
use premiss_tree::{EntityRef, ReferenceId};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// At most this many lines without references or loops are shown in a row; beyond, they are left out.
const GAP: u32 = 12;
/// The most references of a function that have separate rows.
const MOST_REFERENCES: usize = 300;

/// The table of a function, with a note on what is left out of it.
pub(super) fn listing(context: &Context<'_>, subject: Subject<'_>) -> String {
    let function = subject.function;
    let sections = match context.is_compared() {
        true => merged_by_text(sections(context.sources, function)),
        false => sections(context.sources, function),
    };
    let all = sections.iter().flat_map(|(_, x)| x.references.values());
    let all: Vec<&Merged> = all.flatten().map(|(_, merged)| merged).collect();
    let listing = Listing {
        context,
        subject,
        most: most(context, subject, &sections),
        open_by_default: most_bytes(function, &all),
        derivation: Derivation::new(context, subject),
    };
    let mut html = listing.head();
    for ((file, name), section) in &sections {
        listing.section(*file, name, section, &mut html);
    }
    html.push_str("</tbody></table></div>\n");
    if MOST_REFERENCES < all.len() {
        let _ = writeln!(
            html,
            "<p>Left out: the rows of {} references that move fewer bytes; their lines count them.</p>",
            all.len() - MOST_REFERENCES
        );
    }
    html
}

/// The references that have a row, by the first of their ids.
fn most_bytes(function: &FunctionAnalysis, all: &[&Merged<'_>]) -> BTreeSet<ReferenceId> {
    let mut ranked: Vec<(f64, ReferenceId)> = all
        .iter()
        .map(|x| (bytes_moved(function, &x.counts.misses), x.ids[0]))
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let kept = ranked.into_iter().take(MOST_REFERENCES);
    kept.map(|(_, id)| id).collect()
}

/// For each level, the misses of the line that has most: in a comparison of both programs, so that equal heat means
/// equal misses.
fn most(context: &Context<'_>, subject: Subject<'_>, own: &Sections<'_>) -> Vec<f64> {
    let n_levels = subject.function.levels.len();
    let mut most = hottest(own, n_levels);
    if let Some((base, before)) = context.base.zip(context.before(subject)) {
        let other = hottest(&sections(base.sources, before), n_levels);
        for (most, other) in most.iter_mut().zip(other) {
            *most = most.max(other);
        }
    }
    most
}

/// For each level, the misses of the line that has most.
fn hottest(sections: &Sections<'_>, n_levels: usize) -> Vec<f64> {
    let mut most = vec![0.0; n_levels];
    for references in sections.iter().flat_map(|(_, x)| x.references.values()) {
        let Some(sum) = total(references) else {
            continue;
        };
        for (most, misses) in most.iter_mut().zip(&sum.misses) {
            *most = f64::max(*most, misses.magnitude().unwrap_or(0.0));
        }
    }
    most
}

struct Listing<'a> {
    context: &'a Context<'a>,
    subject: Subject<'a>,
    most: Vec<f64>,
    open_by_default: BTreeSet<ReferenceId>,
    derivation: Derivation<'a>,
}

impl Listing<'_> {
    fn head(&self) -> String {
        let name = escaped(&self.subject.function.tree.function);
        let mut html = format!(
            "<div class=\"scroll\"><table class=\"source\" data-level=\"0\"><caption>Source of {name} with misses by level: Enter or a \
             click on a reference unfolds where they come from; arrow keys walk through references</caption><colgroup><col><col>"
        );
        let levels = &self.subject.function.levels;
        for level in 0..levels.len() {
            let _ = write!(html, "<col data-level=\"{level}\">");
        }
        html.push_str(
            "<col><col></colgroup>\n<thead><tr><th scope=\"col\">Heat</th><th scope=\"col\">Accesses</th>",
        );
        for level in levels {
            let _ = write!(html, "<th scope=\"col\">{}</th>", escaped(&level.name));
        }
        html.push_str(
            "<th scope=\"col\">Line</th><th scope=\"col\">Source</th></tr></thead><tbody>\n",
        );
        html
    }

    fn section(&self, file: FileId, name: &str, section: &Section<'_>, html: &mut String) {
        let function = self.subject.function;
        let source = self.context.sources.file(file);
        let is_own = name == function.tree.function && file == function.tree.span.file;
        let mut lines = section.lines.clone();
        if is_own {
            lines.insert(self.context.sources.start(function.tree.span).line);
        } else {
            let text = format!("in {name}, {}", source.path());
            self.gap(&escaped(&text), html);
        }
        let mut previous: Option<u32> = None;
        for line in lines {
            let between = previous.map_or(line..line, |previous| previous + 1..line);
            let n_between = between.end.saturating_sub(between.start);
            if GAP < n_between {
                self.gap(&format!("⋮ {n_between} lines"), html);
            } else {
                between.for_each(|line| self.line(file, line, None, html));
            }
            previous = Some(line);
            let references = section.references.get(&line).map_or(&[][..], Vec::as_slice);
            self.line(file, line, Some(references), html);
            self.findings(file, line, html);
            for (_, merged) in references {
                if self.open_by_default.contains(&merged.ids[0]) {
                    self.reference(merged, html);
                }
            }
        }
    }

    fn gap(&self, text: &str, html: &mut String) {
        let blank = self.blank();
        let _ = writeln!(
            html,
            "<tr class=\"gap\">{blank}<td></td><td>{text}</td></tr>"
        );
    }

    /// The cells of a line without references.
    fn blank(&self) -> String {
        "<td></td>".repeat(self.most.len() + 2)
    }

    fn line(
        &self,
        file: FileId,
        line: u32,
        references: Option<&[(Span, Merged<'_>)]>,
        html: &mut String,
    ) {
        let text = excerpt(self.context.sources.file(file).line(line), WIDEST_LINE);
        html.push_str("<tr>");
        let sum = references.and_then(|all| Some((all, total(all)?)));
        match sum {
            Some((all, sum)) => {
                let ids = all.iter().flat_map(|(_, merged)| merged.ids.clone());
                let was = self.previous_counts(&ids.collect::<Vec<_>>());
                self.counts(&sum, None, &was, html);
            }
            None => html.push_str(&self.blank()),
        }
        let text = escaped(&text);
        let _ = writeln!(html, "<td class=\"number\">{line}</td><td>{text}</td></tr>");
    }

    /// The messages of a comparison on a line.
    fn findings(&self, file: FileId, line: u32, html: &mut String) {
        let Some(compared) = self.context.compared(self.subject) else {
            return;
        };
        for (span, verdict, text) in &compared.findings {
            if span.file == file && self.context.sources.start(*span).line == line {
                let (blank, text) = (self.blank(), escaped(text));
                let mark = mark(verdict);
                let _ = writeln!(
                    html,
                    "<tr class=\"finding {verdict}\">{blank}<td>{mark}</td><td>{text}</td></tr>"
                );
            }
        }
    }

    /// The earlier counts of references.
    fn previous_counts(&self, ids: &[ReferenceId]) -> PreviousCounts {
        let compared = self.context.compared(self.subject);
        compared.map_or(PreviousCounts::NotCompared, |compared| {
            compared.previous_counts(ids)
        })
    }

    fn reference(&self, merged: &Merged<'_>, html: &mut String) {
        let at = |id: &ReferenceId| {
            let what = format!("references/{}", id.index());
            self.context.pointer(self.subject, &what)
        };
        let only = match merged.ids.as_slice() {
            [id] => Some(at(id)).filter(|at| !at.is_empty()),
            _ => None,
        };
        html.push_str("<tr class=\"ref\">");
        let was = self.previous_counts(&merged.ids);
        self.counts(&merged.counts, only.as_deref(), &was, html);
        let text = escaped(&excerpt(merged.text, WIDEST_LINE));
        let _ = writeln!(
            html,
            "<td></td><td><details><summary id=\"{}\">{text}  {}</summary><div>{}</div></details></td></tr>",
            anchor(self.context, self.subject.index, merged.ids[0]),
            merged.kind(),
            self.derivation.html(merged)
        );
    }

    /// The cells of heat, accesses and misses.
    fn counts(&self, counts: &Counts, at: Option<&str>, was: &PreviousCounts, html: &mut String) {
        let heat = |(misses, most): (&Counted, &f64)| blocks(*misses, *most).chars().count();
        let heats: Vec<usize> = counts.misses.iter().zip(&self.most).map(heat).collect();
        let first = heats.first().copied().unwrap_or(0);
        let written: Vec<String> = heats.iter().map(ToString::to_string).collect();
        let place = |what: &str| at.map_or_else(String::new, |at| format!("{at}/{what}"));
        // A saved base has misses only.
        let was_accesses = match was {
            PreviousCounts::Counts(counts) if counts.accesses == Counted::Unknown => {
                &PreviousCounts::NotCompared
            }
            was => was,
        };
        let _ = write!(
            html,
            "<td class=\"heat\" data-heat=\"{}\"><span role=\"img\" class=\"h{first}\" \
             aria-label=\"heat {first} of 4\">{}</span></td><td>{}{}</td>",
            written.join(" "),
            "█".repeat(first),
            count(counts.accesses, &place("accesses")),
            previous_cell(counts.accesses, was_accesses, |was| was.accesses)
        );
        for (level, misses) in counts.misses.iter().enumerate() {
            let cell = count(*misses, &place(&format!("levels/{level}/misses")));
            let before = |was: &Counts| was.misses.get(level).copied().unwrap_or(Counted::Unknown);
            let _ = write!(
                html,
                "<td>{cell}{}</td>",
                previous_cell(*misses, was, before)
            );
        }
    }
}

/// The anchor of a reference, for links.
pub(super) fn anchor(context: &Context<'_>, function: usize, id: ReferenceId) -> String {
    let program = if context.is_base { "b" } else { "f" };
    format!("{program}{function}r{}", id.index())
}
