//! Reuse distances of a function, stacked by array.
//!
//! A bar is for the distances from one power of two up to the next, and shows how many accesses of each array have such
//! a distance; first accesses have a bar of their own, and so have those whose range is unknown.

mod range;
mod stacks;

use self::range::DistanceRange;
use self::stacks::{Accesses, Stacks, count_text};
use super::charts::{ChartSide, FIELD, FunctionChart, legend, pattern, vertical};
use super::figure::{Figure, file_name};
use crate::chart::{Axis, Tick, begin, escaped, grid, short};
use premiss_analyze::{FunctionAnalysis, LineCounts};
use premiss_histogram::Bin;
use premiss_machine::format_bytes;
use std::fmt::Write as _;

pub(super) fn figure(chart: &FunctionChart<'_>) -> String {
    let states = chart.states.iter();
    let known =
        states.filter_map(|(side, function)| Some((*side, *function, first_line(function)?)));
    let known: Vec<(ChartSide, &FunctionAnalysis, &LineCounts)> = known.collect();
    let Some((_, function, line)) = known.last() else {
        return "<p>Reuse distances: not known.</p>\n".to_owned();
    };
    let bins = known
        .iter()
        .map(|(side, function, line)| (*side, bins(function, line)));
    let stacks = Stacks::new(&bins.collect::<Vec<_>>());
    let title = "Reuse distances by array";
    let size = format_bytes(line.line_size);
    let levels = function.levels.iter();
    let levels = levels.filter(|x| x.geometry.line_size == line.line_size);
    let levels: Vec<(&str, u64)> = levels
        .map(|level| (level.name.as_str(), level.geometry.lines()))
        .collect();
    let name = chart.name();
    let heads = [
        "Distance from",
        "Distance to",
        "Array",
        "Accesses",
        "More that may happen",
    ];
    let program = chart.is_compared().then_some("Program");
    let figure = Figure {
        name: file_name(name, chart.index, "reuse-distances"),
        title,
        caption: escaped(&caption(&size, &known)),
        svg: stacks.picture(&format!("{title}: {name}, lines of {size}"), &levels),
        heads: program.into_iter().chain(heads).collect(),
        rows: stacks.rows(),
    };
    figure.html()
}

/// The first line size for which distances are known.
fn first_line(function: &FunctionAnalysis) -> Option<&LineCounts> {
    function.lines.iter().find(|line| line.histogram.is_some())
}

/// The bins of the accesses of each array.
fn bins<'a>(function: &'a FunctionAnalysis, line: &LineCounts) -> Vec<(&'a str, Bin)> {
    let tree = &function.tree;
    let arrays = tree.references.values();
    let arrays = arrays.map(|x| tree.arrays[x.array].name.as_str());
    let all = arrays.zip(&line.by_reference);
    all.flat_map(|(array, histogram)| histogram.bins().map(move |bin| (array, bin)))
        .collect()
}

fn caption(size: &str, known: &[(ChartSide, &FunctionAnalysis, &LineCounts)]) -> String {
    let mut text = format!(
        "How many other lines of {size} are touched between two accesses to one. What stands to the right of a \
         level's vertical misses there, as far as sets do not matter; “first” misses everywhere."
    );
    if let [(ChartSide::Base, ..), (ChartSide::Head, ..)] = known {
        text.push_str(
            " Of two bars side by side the left, pale one is the base, the right one the head.",
        );
    } else if let [(side @ (ChartSide::Base | ChartSide::Head), ..)] = known {
        text.push_str(&format!(
            " These are the distances of the {} alone.",
            side.prefix().trim_end_matches(": ")
        ));
    }
    text
}

impl Stacks {
    fn picture(&self, title: &str, levels: &[(&str, u64)]) -> String {
        let ranges = self.ranges();
        let width = (FIELD.right - FIELD.left) / ranges.len() as f64;
        let left = |idx: usize| FIELD.left + width * idx as f64;
        let sum =
            |stack: &Vec<Accesses>| stack.iter().map(|x| x.certain + x.possible).sum::<u128>();
        let most = self
            .stacks()
            .map(|(_, stack)| sum(stack))
            .max()
            .unwrap_or(0);
        let y = Axis::linear(most as f64, FIELD.bottom, FIELD.top);
        let mut svg = begin(&FIELD, title);
        let id: String = title.chars().filter(char::is_ascii_alphanumeric).collect();
        let used: Vec<String> = (0..self.arrays.len())
            .map(|kind| pattern(&format!("{id}{kind}"), kind))
            .collect();
        let _ = writeln!(svg, "<defs>{}</defs>", used.concat());
        grid(
            &FIELD,
            [&ticks(&ranges, left, width), &y.ticks(short)],
            ["lines in between, from", "accesses"],
            &mut svg,
        );
        let n_powers = ranges
            .iter()
            .filter(|x| matches!(x, DistanceRange::Power(_)))
            .count();
        for (order, (name, lines)) in levels.iter().enumerate() {
            // The mark of capacity 2^k is where the bar of 2^k begins.
            let place = 1.0 + (*lines as f64).log2();
            if place <= n_powers as f64 + 1.0 {
                vertical(FIELD.left + width * place, order, name, &mut svg);
            }
        }
        let part = width / self.sides.len() as f64;
        for (nth, (side, by_range)) in self.sides.iter().enumerate() {
            for (idx, range) in ranges.iter().enumerate() {
                if let Some(stack) = by_range.get(range) {
                    let from = left(idx) + part * nth as f64;
                    let bar = (from + 1.0, (part - 2.0).max(1.0));
                    self.bar((*side, *range, stack), bar, (&y, &id), &mut svg);
                }
            }
        }
        self.legends(&id, &mut svg);
        svg.push_str("</svg>\n");
        svg
    }

    /// A bar, with its arrays stacked.
    fn bar(
        &self,
        (side, range, stack): (ChartSide, DistanceRange, &[Accesses]),
        (left, width): (f64, f64),
        (y, id): (&Axis, &str),
        svg: &mut String,
    ) {
        let pale = match side {
            ChartSide::Base => " opacity=\".5\"",
            ChartSide::Only | ChartSide::Head => "",
        };
        let mut below = 0_u128;
        for (kind, accesses) in stack.iter().enumerate() {
            for (part, fill) in [
                (accesses.certain, format!("fill=\"url(#{id}{kind})\"")),
                (
                    accesses.possible,
                    "fill=\"none\" stroke-dasharray=\"3 2\"".to_owned(),
                ),
            ] {
                if part == 0 {
                    continue;
                }
                let (low, high) = (y.place(below as f64), y.place((below + part) as f64));
                below += part;
                let about = format!(
                    "{}{}, {}: {}",
                    side.prefix(),
                    self.arrays[kind],
                    range.ends().join(" to "),
                    count_text(part)
                );
                let _ = writeln!(
                    svg,
                    "<rect x=\"{left:.1}\" y=\"{high:.1}\" width=\"{width:.1}\" height=\"{:.1}\" {fill} \
                     stroke=\"currentColor\" stroke-width=\".5\"{pale}><title>{}</title></rect>",
                    low - high,
                    escaped(&about)
                );
            }
        }
    }

    fn legends(&self, id: &str, svg: &mut String) {
        let boxed = |paint: &str| {
            format!(
                "<rect x=\"-10\" y=\"-7\" width=\"18\" height=\"14\" {paint} stroke=\"currentColor\""
            )
        };
        for (kind, array) in self.arrays.iter().enumerate() {
            let fill = boxed(&format!("fill=\"url(#{id}{kind})\""));
            legend(kind, &format!("{fill} stroke-width=\".5\"/>"), array, svg);
        }
        let mut order = self.arrays.len();
        if self
            .stacks()
            .any(|(_, stack)| stack.iter().any(|x| 0 < x.possible))
        {
            let open = boxed("fill=\"none\"");
            let symbol = format!("{open} stroke-dasharray=\"3 2\"/>");
            legend(order, &symbol, "may happen: data decide", svg);
            order += 1;
        }
        if 1 < self.sides.len() {
            legend(order, "", "left, pale: base; right: head", svg);
        }
    }
}

/// The labels of bars, as many as fit.
fn ticks(ranges: &[DistanceRange], left: impl Fn(usize) -> f64, width: f64) -> Vec<Tick> {
    let every = ranges.len().div_ceil(16);
    let all = ranges.iter().enumerate();
    let shown = all.filter(|(idx, range)| {
        idx % every == 0 || matches!(range, DistanceRange::First | DistanceRange::Open)
    });
    shown
        .map(|(idx, range)| Tick {
            place: left(idx) + width / 2.0,
            label: range.label(),
        })
        .collect()
}
