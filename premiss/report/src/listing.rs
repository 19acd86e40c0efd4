//! The source of a function with the misses of each line and reference.

use crate::heat::{blocks, painted};
use crate::human::counted;
use crate::style::{Colour, Style};
use crate::wrap::WIDTH;
use premiss_analyze::FunctionAnalysis;
use premiss_histogram::Counted;
use premiss_source::{FileId, SourceMap, Span};
use premiss_tree::{AccessKind, ReferenceId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr;

/// At most this many lines between two relevant ones are shown; beyond, they are left out.
const GAP: u32 = 2;
/// The most columns of source text shown of a line.
pub(crate) const WIDEST_LINE: usize = 110;
/// The columns that source text has at least.
const NARROWEST_SOURCE: usize = 28;
/// The columns of the gutter.
const HEAT: usize = 5;

/// The accesses of a reference, line or function, and its misses by level.
#[derive(Clone, Debug)]
pub(crate) struct Counts {
    pub(crate) accesses: Counted,
    pub(crate) misses: Vec<Counted>,
}

/// References with the same place and text: `a[i] += x` loads and stores the same element.
#[derive(Debug)]
pub(crate) struct Merged<'a> {
    pub(crate) text: &'a str,
    pub(crate) ids: Vec<ReferenceId>,
    loads: bool,
    stores: bool,
    pub(crate) counts: Counts,
}

/// The lines of one function of the source that a report shows.
#[derive(Debug, Default)]
pub(crate) struct Section<'a> {
    pub(crate) lines: BTreeSet<u32>,
    pub(crate) references: BTreeMap<u32, Vec<(Span, Merged<'a>)>>,
}

/// One line of the table.
#[derive(Debug)]
struct ListingRow {
    heat: &'static str,
    cells: Vec<String>,
    source: String,
    is_reference: bool,
}

/// The table of a function, followed by those of the functions that it calls.
pub(crate) fn listing(sources: &SourceMap, function: &FunctionAnalysis, colour: Colour) -> String {
    let sections = sections(sources, function);
    let most = hottest(&sections);
    let mut rows = vec![header(function)];
    for ((file, name), section) in &sections {
        if *name != function.tree.function {
            let path = sources.file(*file).path();
            rows.push(plain(format!("   in {name}, {path}")));
        }
        rows.extend(section_rows(sources, *file, section, most));
    }
    render(&rows, colour)
}

pub(crate) type Sections<'a> = Vec<((FileId, &'a str), Section<'a>)>;

/// Loops and references by the function that they are written in, in order of first appearance.
pub(crate) fn sections<'a>(sources: &SourceMap, function: &'a FunctionAnalysis) -> Sections<'a> {
    let tree = &function.tree;
    let mut sections: Sections<'a> = Vec::new();
    let mut place = |span: Span, name: &'a str| {
        let key = (span.file, name);
        let known = sections.iter().position(|(known, _)| *known == key);
        known.unwrap_or_else(|| {
            sections.push((key, Section::default()));
            sections.len() - 1
        })
    };
    let loops = tree.loops.values().map(|x| (x.span, x.function.as_str()));
    let loops: Vec<_> = loops
        .map(|(span, name)| (place(span, name), span))
        .collect();
    let references = function.references.iter().map(|counts| {
        let reference = &tree.references[counts.id];
        (place(reference.span, &reference.function), counts)
    });
    let references: Vec<_> = references.collect();
    for (idx, span) in loops {
        sections[idx].1.lines.insert(sources.start(span).line);
    }
    for (idx, counts) in references {
        let reference = &tree.references[counts.id];
        let line = sources.start(reference.span).line;
        let section = &mut sections[idx].1;
        section.lines.insert(line);
        let at_line = section.references.entry(line).or_default();
        let merged = Merged {
            text: &reference.text,
            ids: vec![counts.id],
            loads: reference.kind == AccessKind::Load,
            stores: reference.kind == AccessKind::Store,
            counts: Counts {
                accesses: counts.accesses,
                misses: counts.misses.clone(),
            },
        };
        merge(at_line, reference.span, merged);
    }
    sections
}

fn merge<'a>(at_line: &mut Vec<(Span, Merged<'a>)>, span: Span, merged: Merged<'a>) {
    let same = |(known, other): &&mut (Span, Merged)| *known == span && other.text == merged.text;
    match at_line.iter_mut().find(same) {
        None => at_line.push((span, merged)),
        Some((_, known)) => known.absorb(merged),
    }
}

/// Merges references with the same text on a line, wherever on it they are.
pub(crate) fn merged_by_text<'a>(sections: Sections<'a>) -> Sections<'a> {
    let merged = |references: Vec<(Span, Merged<'a>)>| {
        let mut all: Vec<(Span, Merged<'a>)> = Vec::new();
        for (span, reference) in references {
            match all
                .iter_mut()
                .find(|(_, known)| known.text == reference.text)
            {
                None => all.push((span, reference)),
                Some((_, known)) => known.absorb(reference),
            }
        }
        all
    };
    let of_one = |(key, section): ((FileId, &'a str), Section<'a>)| {
        let references = section.references.into_iter();
        let references = references.map(|(line, all)| (line, merged(all))).collect();
        let lines = section.lines;
        (key, Section { lines, references })
    };
    sections.into_iter().map(of_one).collect()
}

impl Counts {
    pub(crate) fn add(&mut self, other: &Self) {
        self.accesses += other.accesses;
        for (sum, misses) in self.misses.iter_mut().zip(&other.misses) {
            *sum += *misses;
        }
    }

    fn first_level(&self) -> Counted {
        self.misses.first().copied().unwrap_or(Counted::ZERO)
    }

    fn cells(&self) -> Vec<String> {
        let all = std::iter::once(&self.accesses).chain(&self.misses);
        all.map(|count| counted(*count)).collect()
    }
}

impl Merged<'_> {
    fn absorb(&mut self, other: Self) {
        self.ids.extend(other.ids);
        self.loads |= other.loads;
        self.stores |= other.stores;
        self.counts.add(&other.counts);
    }

    pub(crate) fn kind(&self) -> &'static str {
        match (self.loads, self.stores) {
            (true, true) => "load, store",
            (false, true) => "store",
            _ => "load",
        }
    }
}

/// The sum over the references of a line.
pub(crate) fn total(references: &[(Span, Merged)]) -> Option<Counts> {
    let (_, first) = references.first()?;
    let mut sum = first.counts.clone();
    for (_, other) in &references[1..] {
        sum.add(&other.counts);
    }
    Some(sum)
}

/// The misses in the first level of the line that has most.
fn hottest(sections: &Sections) -> f64 {
    let lines = sections.iter().flat_map(|(_, x)| x.references.values());
    let misses = lines.filter_map(|x| total(x)?.first_level().magnitude());
    misses.fold(0.0, f64::max)
}

fn header(function: &FunctionAnalysis) -> ListingRow {
    let levels = function.levels.iter().enumerate();
    let mut cells = vec!["accesses".to_owned()];
    cells.extend(levels.map(|(idx, level)| match idx {
        0 => format!("{} miss", level.name),
        _ => level.name.clone(),
    }));
    ListingRow {
        heat: "heat",
        cells,
        source: String::new(),
        is_reference: false,
    }
}

fn plain(source: String) -> ListingRow {
    ListingRow {
        heat: "",
        cells: Vec::new(),
        source,
        is_reference: false,
    }
}

fn section_rows(
    sources: &SourceMap,
    file: FileId,
    section: &Section,
    most: f64,
) -> Vec<ListingRow> {
    let last = section.lines.last().copied().unwrap_or(0);
    let digits = last.to_string().len();
    let indent = common_indent(sources, file, section);
    let mut rows = Vec::new();
    let mut previous: Option<u32> = None;
    for &line in &section.lines {
        let between = previous.map_or(line..line, |previous| previous + 1..line);
        if GAP < between.end - between.start {
            rows.push(plain(format!("{:>digits$}", "⋮")));
        } else {
            let text = |line| source_line(sources, file, line, (digits, indent));
            rows.extend(between.map(|line| plain(text(line))));
        }
        previous = Some(line);
        let references = section.references.get(&line).map_or(&[][..], Vec::as_slice);
        rows.push(line_row(
            source_line(sources, file, line, (digits, indent)),
            references,
            most,
        ));
        if 1 < references.len() {
            let rows_of = references
                .iter()
                .map(|(_, x)| reference_row(x, digits, most));
            rows.extend(rows_of);
        }
    }
    rows
}

fn line_row(source: String, references: &[(Span, Merged)], most: f64) -> ListingRow {
    match total(references) {
        None => plain(source),
        Some(sum) => ListingRow {
            heat: blocks(sum.first_level(), most),
            cells: sum.cells(),
            source,
            is_reference: false,
        },
    }
}

fn reference_row(reference: &Merged, digits: usize, most: f64) -> ListingRow {
    let kind = reference.kind();
    let text = excerpt(reference.text, WIDEST_LINE);
    ListingRow {
        heat: blocks(reference.counts.first_level(), most),
        cells: reference.counts.cells(),
        source: format!("{:digits$}   {text}  {kind}", ""),
        is_reference: true,
    }
}

/// The blanks that all shown lines begin with.
fn common_indent(sources: &SourceMap, file: FileId, section: &Section) -> usize {
    let lines = section.lines.iter();
    let texts = lines.map(|line| excerpt(sources.file(file).line(*line), WIDEST_LINE));
    let indents = texts.map(|text| text.len() - text.trim_start_matches(' ').len());
    indents.min().unwrap_or(0)
}

/// A line with its number, without the first `indent` blanks.
fn source_line(
    sources: &SourceMap,
    file: FileId,
    line: u32,
    (digits, indent): (usize, usize),
) -> String {
    let text = excerpt(sources.file(file).line(line), WIDEST_LINE);
    let blanks = text.len() - text.trim_start_matches(' ').len();
    let text = &text[blanks.min(indent)..];
    format!("{line:>digits$} {text}").trim_end().to_owned()
}

/// Text of at most `widest` columns without control characters: tabs become four spaces, other control characters `?`.
pub(crate) fn excerpt(text: &str, widest: usize) -> String {
    let mut shown = String::new();
    let mut width = 0;
    for c in text.chars() {
        let piece = match c {
            '\t' => "    ".to_owned(),
            c if c.is_control() => "?".to_owned(),
            c => c.to_string(),
        };
        width += piece.width();
        if widest < width {
            shown.push('…');
            break;
        }
        shown.push_str(&piece);
    }
    shown
}

/// The widths of the columns that leave enough room for the source; `accesses` and the first level always do.
fn fitting(mut widths: Vec<usize>) -> Vec<usize> {
    let used = |widths: &[usize]| HEAT + 3 + widths.iter().map(|width| width + 2).sum::<usize>();
    while 2 < widths.len() && WIDTH < used(&widths) + NARROWEST_SOURCE {
        widths.pop();
    }
    widths
}

/// ` not shown for want of room: dTLB, STLB (…)`, where columns were left out.
fn left_out(header: &ListingRow, n_shown: usize) -> String {
    let names = header.cells.iter().skip(n_shown);
    let names: Vec<&str> = names.map(|cell| cell.trim_end_matches(" miss")).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!(
            " Not shown here for want of room: misses in {} (-o report.html and --format json have them).\n",
            names.join(", ")
        ),
    }
}

fn render(rows: &[ListingRow], colour: Colour) -> String {
    let n_cells = rows.first().map_or(0, |row| row.cells.len());
    let width = |idx: usize| {
        let cells = rows.iter().filter_map(|row| row.cells.get(idx));
        cells.map(|cell| cell.width()).max().unwrap_or(0)
    };
    let widths = fitting((0..n_cells).map(width).collect());
    let used = HEAT + 3 + widths.iter().map(|width| width + 2).sum::<usize>();
    let room = WIDTH.saturating_sub(used).max(NARROWEST_SOURCE);
    let mut text = String::new();
    for (row_idx, row) in rows.iter().enumerate() {
        let heat = match row_idx {
            0 => format!("{:<HEAT$}", row.heat),
            _ => painted(row.heat, HEAT, colour),
        };
        let mut line = format!(" {heat}");
        for (idx, width) in widths.iter().enumerate() {
            let cell = row.cells.get(idx).map_or("", String::as_str);
            let space = " ".repeat(width - cell.width());
            let _ = write!(line, "{space}{cell}  ");
        }
        let source = shortened(&row.source, room);
        let source = if row.is_reference {
            colour.paint(Style::Dim, &source)
        } else {
            source
        };
        let _ = write!(line, "│ {source}");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    if let Some(header) = rows.first() {
        text.push_str(&left_out(header, widths.len()));
    }
    text
}

/// The text, or its beginning and `…`, in at most `room` columns.
fn shortened(text: &str, room: usize) -> String {
    match text.width() <= room {
        true => text.to_owned(),
        false => excerpt(text, room.saturating_sub(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_and_width_do_not_break_the_table() {
        assert_eq!(excerpt("a\tb\u{1b}[1m", 99), "a    b?[1m");
        assert_eq!(excerpt("日本語", 4), "日本…");
    }
}
