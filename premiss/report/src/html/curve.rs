//! The miss ratio against the size of a cache.
//!
//! A reuse-distance histogram gives it for all sizes at once: an access at distance d misses in a fully associative LRU
//! cache of at most d lines. Levels of a machine are vertical lines, with marks at their known misses, so that the gap
//! between a mark and the curve is the effect of the level's sets and policies.

mod steps;

use self::steps::Curve;
use super::charts::{ChartSide, FIELD, FunctionChart, legend, vertical};
use super::figure::{Figure, file_name};
use super::number::count;
use crate::chart::{Axis, COLOURS, begin, escaped, grid};
use crate::human::{binary_units, percent};
use premiss_analyze::FunctionAnalysis;
use premiss_histogram::Counted;
use premiss_machine::format_bytes;
use std::fmt::Write as _;

/// A level in the chart.
struct Mark<'a> {
    name: &'a str,
    bytes: f64,
    misses: Counted,
}

/// A program in the chart.
struct CurveSet<'a> {
    side: ChartSide,
    curves: Vec<Curve>,
    marks: Vec<Mark<'a>>,
    accesses: Counted,
}

impl<'a> CurveSet<'a> {
    /// `None` if reuse distances are not known.
    fn new(side: ChartSide, function: &'a FunctionAnalysis) -> Option<Self> {
        let known = function.lines.iter();
        let known = known.filter_map(|x| Some(Curve::new(x.line_size, x.histogram.as_ref()?)));
        let curves: Vec<Curve> = known.collect();
        let accesses = function.accesses;
        let has_accesses = accesses.magnitude().is_some_and(|all| 0.0 < all);
        let levels = function.levels.iter();
        let marks = levels.map(|level| Mark {
            name: &level.name,
            bytes: level.geometry.lines() as f64 * level.geometry.line_size as f64,
            misses: level.misses,
        });
        (!curves.is_empty() && has_accesses).then(|| Self {
            side,
            curves,
            marks: marks.collect(),
            accesses,
        })
    }

    /// Its number of accesses, at most.
    fn all(&self) -> f64 {
        self.accesses.magnitude().unwrap_or(1.0)
    }

    fn ratio(&self, misses: Counted) -> Option<f64> {
        Some(misses.magnitude()? / self.all())
    }

    /// The ratio in words: a range where misses or accesses have bounds.
    fn share(&self, misses: Counted) -> String {
        let is_exact = misses.exact().is_some() && self.accesses.exact().is_some();
        match self.ratio(misses).filter(|_| is_exact) {
            Some(ratio) => percentage(ratio),
            None => percent(misses, self.accesses),
        }
    }
}

pub(super) fn figure(chart: &FunctionChart<'_>) -> String {
    let states = chart.states.iter();
    let drawn = states.filter_map(|(side, function)| CurveSet::new(*side, function));
    let drawn: Vec<CurveSet> = drawn.collect();
    if drawn.is_empty() {
        return "<p>Miss ratio against cache size: not known, as reuse distances are not.</p>\n"
            .to_owned();
    }
    let title = "Miss ratio against cache size";
    let name = chart.name();
    let mut caption = "Fully associative LRU caches and TLBs of every size, from reuse distances. Verticals are the \
                       levels of the machine; a mark is what the level itself misses, with its sets and ways."
        .to_owned();
    if drawn.len() < chart.states.len() {
        caption.push_str(" Of the other program, reuse distances are not known.");
    }
    let heads = [
        "Bytes in a line",
        "Cache size (bytes)",
        "Misses",
        "Kind",
        "Miss ratio",
    ];
    let program = chart.is_compared().then_some("Program");
    let figure = Figure {
        name: file_name(name, chart.index, "miss-ratio"),
        title,
        caption,
        svg: picture(&format!("{title}: {name}"), &drawn),
        heads: program.into_iter().chain(heads).collect(),
        rows: drawn.iter().flat_map(rows).collect(),
    };
    figure.html()
}

fn picture(title: &str, drawn: &[CurveSet<'_>]) -> String {
    let (x, y) = axes(drawn);
    let mut svg = begin(&FIELD, title);
    let ticks = [x.ticks(binary_units), y.ticks(percentage)];
    grid(
        &FIELD,
        [&ticks[0], &ticks[1]],
        ["cache size", "accesses that miss"],
        &mut svg,
    );
    // Both programs run on the same machine.
    let levels = drawn.last().map_or(&[][..], |drawn| &drawn.marks);
    let mut by_size: Vec<&Mark> = levels.iter().collect();
    by_size.sort_by(|a, b| a.bytes.total_cmp(&b.bytes));
    for (order, mark) in by_size.iter().enumerate() {
        let name = format!("{} {}", mark.name, binary_units(mark.bytes));
        vertical(x.place(mark.bytes), order, &name, &mut svg);
    }
    let mut order = 0;
    for drawn in drawn {
        for (kind, curve) in drawn.curves.iter().enumerate() {
            let symbol = draw(drawn, kind, (&x, &y), &mut svg);
            let text = format!(
                "{}fully associative, {} lines",
                drawn.side.prefix(),
                format_bytes(curve.line_size)
            );
            legend(order, &symbol, &text, &mut svg);
            order += 1;
        }
    }
    for drawn in drawn {
        for (kind, mark) in drawn.marks.iter().enumerate() {
            order += mark_level(drawn, (kind, mark), (&x, &y), order, &mut svg);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Axes that contain all curves and all levels.
fn axes(drawn: &[CurveSet<'_>]) -> (Axis, Axis) {
    let curves = || drawn.iter().flat_map(|drawn| &drawn.curves);
    let ends = curves().flat_map(|curve| {
        let lines = [curve.steps.first(), curve.steps.last()];
        lines
            .into_iter()
            .flatten()
            .map(|(lines, _)| curve.bytes(*lines) * 1.5)
    });
    let starts = curves().map(|curve| curve.line_size as f64);
    let marks = drawn.iter().flat_map(|drawn| &drawn.marks);
    let levels = marks.map(|mark| mark.bytes * 1.2);
    let x = Axis::doublings(ends.chain(starts).chain(levels), FIELD.left, FIELD.right);
    let ratios = drawn.iter().flat_map(|drawn| {
        let of_steps = drawn.curves.iter().flat_map(|curve| &curve.steps);
        let misses = of_steps.map(|(_, misses)| *misses);
        let misses = misses.chain(drawn.marks.iter().map(|mark| mark.misses));
        misses.filter_map(|x| drawn.ratio(x))
    });
    let y = Axis::decades(
        ratios.map(|x| x.max(1e-9)).chain([1.0]),
        FIELD.bottom,
        FIELD.top,
    );
    (x, y)
}

/// Draws a curve, with a thin one below it for the lower bound of bounded counts; returns its symbol.
fn draw(drawn: &CurveSet<'_>, kind: usize, (x, y): (&Axis, &Axis), svg: &mut String) -> String {
    let (curve, all) = (&drawn.curves[kind], drawn.all());
    let (colour, dash) = drawn.side.stroke(kind);
    let upper = path(curve, x, y, |misses| {
        misses.magnitude().unwrap_or(all) / all
    });
    let _ = writeln!(
        svg,
        "<path d=\"{upper}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.5\" stroke-dasharray=\"{dash}\"/>"
    );
    let is_bounded = |(_, misses): &(u64, Counted)| matches!(misses, Counted::Bounded { .. });
    if curve.steps.iter().any(is_bounded) {
        let least = |misses: Counted| misses.bounds().map_or(0.0, |(lower, _)| lower as f64) / all;
        let lower = path(curve, x, y, least);
        let _ = writeln!(
            svg,
            "<path d=\"{lower}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1\" stroke-dasharray=\"{dash}\"/>"
        );
    }
    format!(
        "<line x1=\"-14\" x2=\"10\" y1=\"0\" y2=\"0\" stroke=\"{colour}\" stroke-width=\"2.5\" stroke-dasharray=\"{dash}\"/>"
    )
}

/// Draws the misses of a level, with a line of the legend; returns the number of such lines.
fn mark_level(
    drawn: &CurveSet<'_>,
    (kind, mark): (usize, &Mark<'_>),
    (x, y): (&Axis, &Axis),
    order: usize,
    svg: &mut String,
) -> usize {
    let Some(ratio) = drawn.ratio(mark.misses) else {
        return 0;
    };
    let is_solid = !matches!(mark.misses, Counted::Estimate(_));
    let colour = match drawn.side {
        ChartSide::Head => COLOURS[0],
        ChartSide::Only | ChartSide::Base => COLOURS[1],
    };
    let side = drawn.side;
    let text = format!(
        "{}{}: {} of accesses miss",
        side.prefix(),
        mark.name,
        drawn.share(mark.misses)
    );
    let place = (x.place(mark.bytes), y.place(ratio));
    let _ = writeln!(
        svg,
        "<g><title>{}</title>{}</g>",
        escaped(&text),
        side.mark(kind, place, colour, is_solid)
    );
    let symbol = side.mark(kind, (0.0, 0.0), colour, is_solid);
    legend(order, &symbol, &text, svg);
    1
}

/// The steps of a curve, up to the end of the plot area.
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

/// The steps as a table: all if they are few, else those that are drawn.
fn rows(drawn: &CurveSet<'_>) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for curve in &drawn.curves {
        for (lines, misses) in &curve.steps {
            let bytes = u128::from(*lines) * u128::from(curve.line_size);
            let cells = [
                curve.line_size.to_string(),
                format!(
                    "<data value=\"{bytes}\">{}</data>",
                    binary_units(bytes as f64)
                ),
                count(*misses, ""),
                crate::number::Number::from(*misses).kind().to_owned(),
                ratio_of(*misses, drawn.accesses),
            ];
            rows.push(drawn.side.cell().into_iter().chain(cells).collect());
        }
    }
    rows
}

/// `0.125000`; `0.125000..0.250000` where either has bounds.
fn ratio_of(misses: Counted, accesses: Counted) -> String {
    let ratio = |part: f64, whole: f64| format!("{:.6}", (part / whole).min(1.0));
    match (misses.bounds(), accesses.bounds()) {
        (Some((fewest, most)), Some((least, all))) if fewest < most || least < all => {
            let [fewest, most, least, all] = [fewest, most, least, all].map(|x| x as f64);
            format!("{}..{}", ratio(fewest, all), ratio(most, least.max(1.0)))
        }
        _ => match (misses.middle(), accesses.middle()) {
            (Some(misses), Some(all)) => ratio(misses, all),
            _ => String::new(),
        },
    }
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

    #[test]
    fn shares_and_sizes_are_short() {
        let texts = [0.0, 1.0, 0.0317, 0.1, 0.01, 0.0009, 1e-5].map(percentage);
        assert_eq!(
            texts,
            ["0 %", "100 %", "3.2 %", "10 %", "1 %", "0.09 %", "0.001 %"]
        );
        assert_eq!(
            [64.0, 49_152.0, 1_572_864.0].map(binary_units),
            ["64 B", "48 KiB", "1.5 MiB"]
        );
    }
}
