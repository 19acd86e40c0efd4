//! Misses against a size of the program, both on logarithmic axes, with the sizes from which on a level no longer holds
//! lines until they are reused.

use super::charts::{ChartSide, DASHES, FIELD, FunctionChart, legend, vertical};
use super::context::Context;
use super::derivations::{Derivations, SizeSweep};
use super::figure::{Figure, file_name};
use super::number::count;
use crate::chart::{Axis, COLOURS, begin, escaped, grid, short};
use crate::sweep::sentence;
use premiss_analyze::FunctionAnalysis;
use premiss_histogram::Counted;
use premiss_source::SourceMap;
use premiss_tree::NestTree;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The most thresholds that the chart names.
const MOST_KNEES: usize = 6;

/// The misses of a program over a size.
type Swept<'a> = (ChartSide, &'a SizeSweep);

pub(super) fn figures(context: &Context<'_>, chart: &FunctionChart<'_>) -> String {
    let mut sweeps: Vec<Swept> = Vec::new();
    for (side, function) in &chart.states {
        let (sources, derivations) = match (side, context.base) {
            (ChartSide::Base, Some(base)) => (base.sources, base.derivations),
            _ => (context.sources, context.derivations),
        };
        let own = sweeps_of(sources, derivations, function);
        sweeps.extend(own.map(|sweep| (*side, sweep)));
    }
    let mut told = BTreeSet::new();
    let sizes = sweeps.iter().map(|(_, sweep)| sweep.size.as_str());
    let sizes = sizes.filter(|size| told.insert(*size));
    let figures = sizes.map(|size| {
        let of_size = sweeps.iter().filter(|(_, sweep)| sweep.size == size);
        figure(chart, size, &of_size.copied().collect::<Vec<_>>())
    });
    figures.collect()
}

/// The sweeps of a function.
fn sweeps_of<'a>(
    sources: &SourceMap,
    derivations: &'a Derivations,
    function: &FunctionAnalysis,
) -> impl Iterator<Item = &'a SizeSweep> {
    let key = |tree: &NestTree| {
        let path = sources.file(tree.span.file).path().to_owned();
        (tree.function.clone(), path, tree.span.start)
    };
    let own = key(&function.tree);
    let sweeps = derivations.sweeps.iter();
    sweeps.filter(move |sweep| key(&sweep.tree) == own)
}

fn figure(chart: &FunctionChart<'_>, size: &str, swept: &[Swept<'_>]) -> String {
    let title = format!("Misses against {size}");
    let name = chart.name();
    let values = chart.states.iter().flat_map(|(_, x)| &x.parameters);
    let mut own = values.filter(|(known, _)| known == size);
    let own = own.find_map(|(_, value)| *value);
    let program = chart.is_compared().then_some("Program");
    let heads = ["Size", "Level", "Misses", "Kind"];
    let figure = Figure {
        name: file_name(
            name,
            chart.index,
            &format!("misses-against-{}", plain(size)),
        ),
        title: &title,
        caption: caption(own, swept),
        svg: picture(&format!("{title}: {name}"), swept, own),
        heads: program.into_iter().chain(heads).collect(),
        rows: swept.iter().flat_map(rows).collect(),
    };
    figure.html()
}

fn caption(own: Option<i64>, swept: &[Swept<'_>]) -> String {
    let mut caption = "Solid marks are exact or upper bounds, hollow ones estimates.".to_owned();
    if own.is_some() {
        caption.push_str(" The size of this report stands on a vertical.");
    }
    caption.push_str(" TLBs are left out.");
    match swept {
        [(ChartSide::Base, _), ..] if 1 < swept.len() => {
            caption.push_str(" Dotted lines with large, pale marks are the base, others the head.");
        }
        [(side @ (ChartSide::Base | ChartSide::Head), _)] => {
            let _ = write!(
                caption,
                " {} alone.",
                capital(side.prefix().trim_end_matches(": "))
            );
        }
        _ => {}
    }
    let mut notes: Vec<String> = Vec::new();
    for (side, sweep) in swept {
        let thresholds = &sweep.swept.thresholds;
        for threshold in thresholds.iter().take(MOST_KNEES) {
            let text = sentence(&sweep.tree, threshold, &sweep.machine);
            notes.push(format!("{}{text}", capital(side.prefix())));
        }
        let n_more = thresholds.len().saturating_sub(MOST_KNEES);
        if 0 < n_more {
            notes.push(format!(
                "{n_more} more are left out; `premiss sweep` has them."
            ));
        }
        let reasons = sweep.swept.reasons.iter();
        notes.extend(reasons.map(|reason| format!("Note: {reason}.")));
    }
    let mut told = BTreeSet::new();
    for note in notes.iter().filter(|note| told.insert(*note)) {
        let _ = write!(caption, "<br>{}", escaped(note));
    }
    caption
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|x| x.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn plain(name: &str) -> String {
    let word = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
    name.chars().filter(word).take(40).collect()
}

/// The values of the size, each with its misses by level.
fn values(
    sweep: &SizeSweep,
) -> impl Iterator<Item = (i64, &[(Counted, premiss_analyze::Provenance)])> {
    let points = sweep.points.iter().zip(&sweep.swept.points);
    points.filter_map(|(point, found)| Some((*point.get(&sweep.size)?, found.levels.as_slice())))
}

fn picture(title: &str, swept: &[Swept<'_>], own: Option<i64>) -> String {
    let all = || swept.iter().flat_map(|(_, sweep)| values(sweep));
    let sizes = all().map(|(value, _)| value as f64);
    let x = Axis::doublings(sizes.chain(own.map(|x| x as f64)), FIELD.left, FIELD.right);
    let misses = all().flat_map(|(_, levels)| levels);
    let y = Axis::decades(
        misses.filter_map(|(misses, _)| misses.magnitude()),
        FIELD.bottom,
        FIELD.top,
    );
    let size = swept.first().map_or("", |(_, sweep)| sweep.size.as_str());
    let mut svg = begin(&FIELD, title);
    let ticks = [x.ticks(|value| value.to_string()), y.ticks(short)];
    grid(&FIELD, [&ticks[0], &ticks[1]], [size, "misses"], &mut svg);
    verticals(swept, (size, own), &x, &mut svg);
    for (side, sweep) in swept {
        for (level, (name, _)) in sweep.machine.levels().enumerate() {
            series(level, name, (*side, sweep), (&x, &y), &mut svg);
        }
    }
    // The marks of levels are the same in both programs.
    if let Some((side, sweep)) = swept.last() {
        let mut order = 0;
        for (level, (name, _)) in sweep.machine.levels().enumerate() {
            let colour = COLOURS[level % COLOURS.len()];
            let symbol = side.mark(level, (0.0, 0.0), colour, true);
            legend(order, &symbol, name, &mut svg);
            order += 1;
        }
        for (side, _) in swept.iter().filter(|_| 1 < swept.len()) {
            let dash = stroke(*side, 0).1;
            let symbol = format!(
                "<line x1=\"-14\" x2=\"10\" y1=\"0\" y2=\"0\" stroke=\"currentColor\" stroke-width=\"1.5\" \
                 stroke-dasharray=\"{dash}\"/>"
            );
            legend(
                order,
                &symbol,
                side.prefix().trim_end_matches(": "),
                &mut svg,
            );
            order += 1;
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// The size of the report, and the thresholds of levels; in a comparison those of the head.
fn verticals(swept: &[Swept<'_>], (size, own): (&str, Option<i64>), x: &Axis, svg: &mut String) {
    let mut order = 0;
    if let Some(own) = own {
        vertical(x.place(own as f64), order, &format!("{size} = {own}"), svg);
        order += 1;
    }
    let Some((_, sweep)) = swept.last() else {
        return;
    };
    let names: Vec<&str> = sweep.machine.levels().map(|(name, _)| name).collect();
    for threshold in sweep.swept.thresholds.iter().take(MOST_KNEES) {
        let level = names.get(threshold.level).copied().unwrap_or("?");
        let reference = &sweep.tree.references[threshold.reference].text;
        let reference: String = reference.chars().take(24).collect();
        let value = threshold.value;
        let text = format!("{size} = {value}: {reference} leaves {level}");
        vertical(x.place(value as f64), order, &text, svg);
        order += 1;
    }
}

/// The colour of a level, and dashes: also by level if there is one program.
fn stroke(side: ChartSide, level: usize) -> (&'static str, &'static str) {
    let dash = match side {
        ChartSide::Only => DASHES[level % DASHES.len()],
        ChartSide::Base => "2 3",
        ChartSide::Head => "",
    };
    (COLOURS[level % COLOURS.len()], dash)
}

/// One level: a line through its marks.
fn series(
    level: usize,
    name: &str,
    (side, sweep): Swept<'_>,
    (x, y): (&Axis, &Axis),
    svg: &mut String,
) {
    let (colour, dash) = stroke(side, level);
    let mut path = String::new();
    let mut marks = String::new();
    for (value, levels) in values(sweep) {
        let Some((misses, _)) = levels.get(level) else {
            continue;
        };
        let Some(number) = misses.magnitude().filter(|x| 0.0 < *x) else {
            continue;
        };
        let (px, py) = (x.place(value as f64), y.place(number));
        let step = if path.is_empty() { 'M' } else { 'L' };
        let _ = write!(path, "{step}{px:.1} {py:.1}");
        let is_solid = !matches!(misses, Counted::Estimate(_));
        let about = format!(
            "{}{name}, {} = {value}: {}",
            side.prefix(),
            sweep.size,
            crate::human::counted(*misses)
        );
        let _ = writeln!(
            marks,
            "<g><title>{}</title>{}</g>",
            escaped(&about),
            mark(side, level, (px, py), is_solid)
        );
    }
    let _ = writeln!(
        svg,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" stroke-dasharray=\"{dash}\"/>{marks}"
    );
}

/// The mark of a level at a size: pale in a base, because colours distinguish levels.
fn mark(side: ChartSide, level: usize, place: (f64, f64), is_solid: bool) -> String {
    let mark = side.mark(level, place, COLOURS[level % COLOURS.len()], is_solid);
    match side {
        ChartSide::Base => format!("<g opacity=\".45\">{mark}</g>"),
        ChartSide::Only | ChartSide::Head => mark,
    }
}

fn rows((side, sweep): &Swept<'_>) -> Vec<Vec<String>> {
    let names: Vec<&str> = sweep.machine.levels().map(|(name, _)| name).collect();
    let mut rows = Vec::new();
    for (value, levels) in values(sweep) {
        for (name, (misses, _)) in names.iter().zip(levels) {
            let cells = [
                value.to_string(),
                escaped(name),
                count(*misses, ""),
                crate::number::Number::from(*misses).kind().to_owned(),
            ];
            rows.push(side.cell().into_iter().chain(cells).collect());
        }
    }
    rows
}
