//! The miss ratio against the size of a cache.
//!
//! A reuse-distance histogram tells it for all sizes at once: an access at distance d misses in a fully
//! associative LRU cache of at most d lines. Levels of a machine are verticals, and marks where their own
//! misses are known, so that the way between a mark and the curve is what sets do to it.

use super::Subject;
use super::charts::{DASHES, FIELD, legend, vertical};
use super::figure::{Figure, file_name};
use super::number::count;
use crate::chart::{Axis, COLOURS, begin, escaped, grid, paint, shape};
use premiss_analyze::LineCounts;
use premiss_histogram::{Counted, Distance, ReuseDistanceHistogram};
use premiss_machine::format_bytes;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Beyond so many steps, a curve is drawn at eight capacities for each power of two.
const MOST_STEPS: usize = 120;

/// The misses of fully associative caches with lines of one size.
struct Curve {
    line_size: u64,
    /// By rising capacity in lines, from each up to the next.
    steps: Vec<(u64, Counted)>,
}

impl Curve {
    fn new(line_size: u64, histogram: &ReuseDistanceHistogram) -> Self {
        let mut capacities = BTreeSet::from([1]);
        for bin in histogram.bins() {
            for distance in [bin.lower, bin.upper] {
                if let Distance::Finite(lines) = distance {
                    capacities.insert(lines.saturating_add(1));
                }
            }
        }
        if MOST_STEPS < capacities.len() {
            let last = capacities.last().copied().unwrap_or(1);
            capacities = spread(last);
        }
        let mut steps: Vec<(u64, Counted)> = Vec::new();
        for lines in capacities {
            let misses = histogram.misses(lines);
            if steps.last().is_none_or(|(_, before)| *before != misses) {
                steps.push((lines, misses));
            }
        }
        Self { line_size, steps }
    }

    fn bytes(&self, lines: u64) -> f64 {
        lines as f64 * self.line_size as f64
    }
}

/// Eight capacities for each power of two, up to one.
fn spread(last: u64) -> BTreeSet<u64> {
    let mut capacities = BTreeSet::from([last]);
    let mut power = 1_u64;
    while power <= last {
        let parts = (0..8).map(|part| power + power / 8 * part + power % 8 * part / 8);
        capacities.extend(parts.filter(|lines| *lines <= last));
        match power.checked_mul(2) {
            Some(next) => power = next,
            None => break,
        }
    }
    capacities
}

/// A level as the picture shows it.
struct Mark<'a> {
    name: &'a str,
    bytes: f64,
    misses: Counted,
}

pub(super) fn figure(subject: Subject<'_>) -> String {
    let Subject { index, function } = subject;
    let of_line = |line: &LineCounts| Some(Curve::new(line.line_size, line.histogram.as_ref()?));
    let curves: Vec<Curve> = function.lines.iter().filter_map(of_line).collect();
    let all = function.accesses.magnitude().unwrap_or(0.0);
    if curves.is_empty() || all <= 0.0 {
        return "<p>Miss ratio against cache size: not known, as reuse distances are not.</p>\n"
            .to_owned();
    }
    let marks: Vec<Mark> = function
        .levels
        .iter()
        .map(|level| Mark {
            name: &level.name,
            bytes: level.geometry.lines() as f64 * level.geometry.line_size as f64,
            misses: level.misses,
        })
        .collect();
    let title = "Miss ratio against cache size";
    let name = &function.tree.function;
    let figure = Figure {
        name: file_name(name, index, "miss-ratio"),
        title,
        caption: "Fully associative LRU caches and TLBs of every size, from reuse distances. Verticals are the \
                  levels of the machine; a mark is what the level itself misses, with its sets and ways."
            .to_owned(),
        svg: picture(&format!("{title}: {name}"), &curves, &marks, all),
        heads: vec!["Bytes in a line", "Cache size (bytes)", "Misses", "Kind", "Miss ratio"],
        rows: rows(&curves, all),
    };
    figure.html()
}

fn picture(title: &str, curves: &[Curve], marks: &[Mark<'_>], all: f64) -> String {
    let ends = curves.iter().flat_map(|curve| {
        let lines = [curve.steps.first(), curve.steps.last()];
        lines
            .into_iter()
            .flatten()
            .map(|(lines, _)| curve.bytes(*lines) * 1.5)
    });
    let starts = curves.iter().map(|curve| curve.line_size as f64);
    let levels = marks.iter().map(|mark| mark.bytes * 1.2);
    let x = Axis::doublings(ends.chain(starts).chain(levels), FIELD.left, FIELD.right);
    let of_steps = curves.iter().flat_map(|curve| &curve.steps);
    let misses = of_steps
        .map(|(_, misses)| *misses)
        .chain(marks.iter().map(|mark| mark.misses));
    let ratios = misses.filter_map(|x| Some(x.magnitude()? / all));
    let y = Axis::decades(
        ratios.map(|x| x.max(1e-9)).chain([1.0]),
        FIELD.bottom,
        FIELD.top,
    );
    let mut svg = begin(&FIELD, title);
    let ticks = [x.ticks(size), y.ticks(percentage)];
    grid(
        &FIELD,
        [&ticks[0], &ticks[1]],
        ["cache size", "accesses that miss"],
        &mut svg,
    );
    let mut by_size: Vec<&Mark> = marks.iter().collect();
    by_size.sort_by(|a, b| a.bytes.total_cmp(&b.bytes));
    for (order, mark) in by_size.iter().enumerate() {
        let name = format!("{} {}", mark.name, size(mark.bytes));
        vertical(x.place(mark.bytes), order, &name, &mut svg);
    }
    for (kind, curve) in curves.iter().enumerate() {
        let (colour, dash) = (COLOURS[kind % COLOURS.len()], DASHES[kind % DASHES.len()]);
        let upper = path(curve, &x, &y, |misses| {
            misses.magnitude().unwrap_or(all) / all
        });
        let _ = writeln!(
            svg,
            "<path d=\"{upper}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.5\" stroke-dasharray=\"{dash}\"/>"
        );
        let is_bounded = |(_, misses): &(u64, Counted)| matches!(misses, Counted::Bounded { .. });
        if curve.steps.iter().any(is_bounded) {
            let least =
                |misses: Counted| misses.bounds().map_or(0.0, |(lower, _)| lower as f64) / all;
            let lower = path(curve, &x, &y, least);
            let _ = writeln!(
                svg,
                "<path d=\"{lower}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1\" stroke-dasharray=\"{dash}\"/>"
            );
        }
        let line = format!(
            "<line x1=\"-14\" x2=\"10\" y1=\"0\" y2=\"0\" stroke=\"{colour}\" stroke-width=\"2.5\" stroke-dasharray=\"{dash}\"/>"
        );
        let size = format_bytes(curve.line_size);
        legend(kind, &line, &format!("lines or pages of {size}"), &mut svg);
    }
    for (kind, mark) in marks.iter().enumerate() {
        let Some(ratio) = mark.misses.magnitude().map(|x| x / all) else {
            continue;
        };
        let is_solid = !matches!(mark.misses, Counted::Estimate(_));
        let paint = paint(COLOURS[1], is_solid);
        let text = format!("{}: {} of accesses miss", mark.name, percentage(ratio));
        let _ = writeln!(
            svg,
            "<g><title>{}</title>{}</g>",
            escaped(&text),
            shape(kind, x.place(mark.bytes), y.place(ratio), &paint)
        );
        legend(
            curves.len() + kind,
            &shape(kind, 0.0, 0.0, &paint),
            &text,
            &mut svg,
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// The steps of a curve, to the end of the field.
fn path(curve: &Curve, x: &Axis, y: &Axis, ratio: impl Fn(Counted) -> f64) -> String {
    let mut path = String::new();
    for (lines, misses) in &curve.steps {
        let place = x.place(curve.bytes(*lines));
        let height = y.place(ratio(*misses));
        let _ = match path.is_empty() {
            true => write!(path, "M{place:.1} {height:.1}"),
            false => write!(path, "H{place:.1}V{height:.1}"),
        };
    }
    let _ = write!(path, "H{:.1}", FIELD.right);
    path
}

/// The steps as a table: all where they are few, else what is drawn.
fn rows(curves: &[Curve], all: f64) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for curve in curves {
        for (lines, misses) in &curve.steps {
            let bytes = u128::from(*lines) * u128::from(curve.line_size);
            let ratio = misses
                .magnitude()
                .map_or_else(String::new, |x| format!("{:.6}", x / all));
            rows.push(vec![
                curve.line_size.to_string(),
                format!("<data value=\"{bytes}\">{}</data>", size(bytes as f64)),
                count(*misses, ""),
                crate::number::Number::from(*misses).kind().to_owned(),
                ratio,
            ]);
        }
    }
    rows
}

/// `48 KiB`, `1.5 MiB`.
fn size(bytes: f64) -> String {
    let units = [(30.0, "GiB"), (20.0, "MiB"), (10.0, "KiB")];
    let found = units.iter().find(|(log, _)| f64::exp2(*log) <= bytes);
    let (value, unit) = found.map_or((bytes, "B"), |(log, unit)| (bytes / f64::exp2(*log), *unit));
    let digits = format!("{value:.1}");
    format!("{} {unit}", digits.strip_suffix(".0").unwrap_or(&digits))
}

/// `3.2 %`, `0.001 %`.
fn percentage(ratio: f64) -> String {
    let percent = 100.0 * ratio;
    match percent {
        _ if percent <= 0.0 => "0 %".to_owned(),
        _ if 10.0 <= percent => format!("{percent:.0} %"),
        _ if 1.0 <= percent => format!("{percent:.1} %").replace(".0 ", " "),
        _ => {
            let digits = format!("{percent:.7}");
            let significant = digits
                .find(|c| ('1'..='9').contains(&c))
                .unwrap_or(digits.len());
            let cut = (significant + 2).min(digits.len());
            format!(
                "{} %",
                digits[..cut].trim_end_matches('0').trim_end_matches('.')
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_histogram::Bin;

    #[test]
    fn a_curve_is_the_misses_of_every_capacity() {
        let mut histogram = ReuseDistanceHistogram::default();
        for (lower, certain) in [
            (Distance::Infinite, 2),
            (Distance::Finite(3), 5),
            (Distance::Finite(100), 7),
        ] {
            histogram.add(Bin {
                lower,
                upper: lower,
                certain,
                possible: 0,
            });
        }
        let steps = Curve::new(64, &histogram).steps;
        let expected = [(1, 14), (4, 9), (101, 2)];
        assert_eq!(
            steps,
            expected.map(|(lines, misses)| (lines, Counted::Exact(misses)))
        );
        for (lines, misses) in steps {
            assert_eq!(histogram.misses(lines), misses);
        }
    }

    #[test]
    fn many_capacities_are_spread() {
        let all: Vec<u64> = spread(40).into_iter().collect();
        let expected = [
            1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 26, 28, 30, 32,
            36, 40,
        ];
        assert_eq!(all, expected);
    }

    #[test]
    fn shares_and_sizes_are_short() {
        let texts = [0.0, 1.0, 0.0317, 0.1, 0.01, 0.0009, 1e-5].map(percentage);
        assert_eq!(
            texts,
            ["0 %", "100 %", "3.2 %", "10 %", "1 %", "0.09 %", "0.001 %"]
        );
        assert_eq!(
            [64.0, 49_152.0, 1_572_864.0].map(size),
            ["64 B", "48 KiB", "1.5 MiB"]
        );
    }
}
