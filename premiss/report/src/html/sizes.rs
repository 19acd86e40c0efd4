//! Misses against a size of the program, both by their logarithm, with the sizes from which on a level no
//! longer holds what is used again.

use super::charts::{DASHES, FIELD, legend, vertical};
use super::figure::{Figure, file_name};
use super::number::count;
use super::{Context, SizeSweep, Subject};
use crate::chart::{Axis, COLOURS, begin, escaped, grid, paint, shape, short};
use crate::sweep::sentence;
use premiss_histogram::Counted;
use premiss_tree::NestTree;
use std::fmt::Write as _;

/// The most knees that the picture names.
const MOST_KNEES: usize = 6;

pub(super) fn figures(context: &Context<'_>, subject: Subject<'_>) -> String {
    let tree = &subject.function.tree;
    let key = |tree: &NestTree| {
        let path = context.sources.file(tree.span.file).path().to_owned();
        (tree.function.clone(), path, tree.span.start)
    };
    let own = key(tree);
    let is_of_it = |sweep: &&SizeSweep| key(&sweep.tree) == own;
    let sweeps = context.derivations.sweeps.iter().filter(is_of_it);
    sweeps.map(|sweep| figure(subject, sweep)).collect()
}

fn figure(Subject { index, function }: Subject<'_>, sweep: &SizeSweep) -> String {
    let mut notes: Vec<String> = Vec::new();
    for threshold in sweep.swept.thresholds.iter().take(MOST_KNEES) {
        notes.push(sentence(&sweep.tree, threshold, &sweep.machine));
    }
    let n_more = sweep.swept.thresholds.len().saturating_sub(MOST_KNEES);
    if 0 < n_more {
        notes.push(format!(
            "{n_more} more are left out; `premiss sweep` has them."
        ));
    }
    notes.extend(
        sweep
            .swept
            .reasons
            .iter()
            .map(|reason| format!("Note: {reason}.")),
    );
    let mut caption = "Solid marks are exact or upper bounds, hollow ones estimates; the size of this report stands \
                       on a vertical. TLBs are left out."
        .to_owned();
    for note in notes {
        let _ = write!(caption, "<br>{}", escaped(&note));
    }
    let size = &sweep.size;
    let title = format!("Misses against {size}");
    let name = &function.tree.function;
    let own = function.parameters.iter().find(|(known, _)| known == size);
    let own = own.and_then(|(_, value)| *value);
    let figure = Figure {
        name: file_name(name, index, &format!("misses-against-{}", plain(size))),
        title: &title,
        caption,
        svg: picture(&format!("{title}: {name}"), sweep, own),
        heads: vec!["Size", "Level", "Misses", "Kind"],
        rows: rows(sweep),
    };
    figure.html()
}

fn plain(name: &str) -> String {
    let word = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
    name.chars().filter(word).take(40).collect()
}

/// The values of the size, each with its misses by level.
fn values(
    sweep: &SizeSweep,
) -> impl Iterator<Item = (i64, &[(Counted, premiss_analyze::Answered)])> {
    let points = sweep.points.iter().zip(&sweep.swept.points);
    points.filter_map(|(point, found)| Some((*point.get(&sweep.size)?, found.levels.as_slice())))
}

fn picture(title: &str, sweep: &SizeSweep, own: Option<i64>) -> String {
    let sizes = values(sweep).map(|(value, _)| value as f64);
    let x = Axis::doublings(sizes.chain(own.map(|x| x as f64)), FIELD.left, FIELD.right);
    let misses = values(sweep).flat_map(|(_, levels)| levels);
    let y = Axis::decades(
        misses.filter_map(|(misses, _)| misses.magnitude()),
        FIELD.bottom,
        FIELD.top,
    );
    let mut svg = begin(&FIELD, title);
    let ticks = [x.ticks(|value| value.to_string()), y.ticks(short)];
    grid(
        &FIELD,
        [&ticks[0], &ticks[1]],
        [&sweep.size, "misses"],
        &mut svg,
    );
    let mut order = 0;
    if let Some(own) = own {
        vertical(
            x.place(own as f64),
            order,
            &format!("{} = {own}", sweep.size),
            &mut svg,
        );
        order += 1;
    }
    let names: Vec<&str> = sweep.machine.levels().map(|(name, _)| name).collect();
    for threshold in sweep.swept.thresholds.iter().take(MOST_KNEES) {
        let level = names.get(threshold.level).copied().unwrap_or("?");
        let reference = &sweep.tree.references[threshold.reference].text;
        let reference: String = reference.chars().take(24).collect();
        let text = format!(
            "{} = {}: {reference} leaves {level}",
            sweep.size, threshold.value
        );
        vertical(x.place(threshold.value as f64), order, &text, &mut svg);
        order += 1;
    }
    for (level, name) in names.iter().enumerate() {
        series(level, name, sweep, (&x, &y), &mut svg);
    }
    svg.push_str("</svg>\n");
    svg
}

/// One level: a line through its marks.
fn series(level: usize, name: &str, sweep: &SizeSweep, (x, y): (&Axis, &Axis), svg: &mut String) {
    let (colour, dash) = (COLOURS[level % COLOURS.len()], DASHES[level % DASHES.len()]);
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
            "{name}, {} = {value}: {}",
            sweep.size,
            crate::human::counted(*misses)
        );
        let _ = writeln!(
            marks,
            "<g><title>{}</title>{}</g>",
            escaped(&about),
            shape(level, px, py, &paint(colour, is_solid))
        );
    }
    let _ = writeln!(
        svg,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" stroke-dasharray=\"{dash}\"/>{marks}"
    );
    let symbol = shape(level, 0.0, 0.0, &paint(colour, true));
    legend(level, &symbol, name, svg);
}

fn rows(sweep: &SizeSweep) -> Vec<Vec<String>> {
    let names: Vec<&str> = sweep.machine.levels().map(|(name, _)| name).collect();
    let mut rows = Vec::new();
    for (value, levels) in values(sweep) {
        for (name, (misses, _)) in names.iter().zip(levels) {
            rows.push(vec![
                value.to_string(),
                escaped(name),
                count(*misses, ""),
                crate::number::Number::from(*misses).kind().to_owned(),
            ]);
        }
    }
    rows
}
