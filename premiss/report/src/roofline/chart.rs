//! The chart of a roofline.

use crate::chart::{Axis, COLOURS, Field, begin, escaped, grid, paint, shape, short};
use std::fmt::Write as _;

/// The size of the chart, and its plot area.
const FIELD: Field = Field {
    width: 960.0,
    height: 560.0,
    left: 84.0,
    right: 640.0,
    top: 48.0,
    bottom: 496.0,
};

/// A limit of performance.
pub(super) enum Roof {
    /// Operations per second.
    Peak(String, f64),
    /// Bytes per second from a level.
    Bandwidth(String, f64),
}

/// One function at one level.
pub(super) struct Mark {
    pub(super) function: usize,
    pub(super) level: usize,
    /// Operations per byte.
    pub(super) intensity: f64,
    /// Operations per second.
    pub(super) performance: f64,
    pub(super) is_solid: bool,
    /// Whether it is of the base of a comparison.
    pub(super) is_before: bool,
}

/// The content of a chart; there is at least one roof and one mark.
pub(super) struct Chart {
    pub(super) title: String,
    pub(super) roofs: Vec<Roof>,
    pub(super) marks: Vec<Mark>,
    /// The names of functions and levels, in the numbering of marks.
    pub(super) functions: Vec<String>,
    pub(super) levels: Vec<String>,
    pub(super) n_left_out: usize,
}

impl Chart {
    pub(super) fn svg(&self) -> String {
        let (x, y) = self.axes();
        let mut svg = begin(&FIELD, &self.title);
        let ticks = [
            x.ticks(|value| value.to_string()),
            y.ticks(|value| (value / 1e9).to_string()),
        ];
        let titles = ["flop/B", "Gflop/s"];
        grid(&FIELD, [&ticks[0], &ticks[1]], titles, &mut svg);
        self.roofs(&x, &y, &mut svg);
        self.ways(&x, &y, &mut svg);
        self.marks(&x, &y, &mut svg);
        self.legend(&mut svg);
        svg.push_str("</svg>\n");
        svg
    }

    /// Axes that contain all marks and all corners of roofs.
    fn axes(&self) -> (Axis, Axis) {
        let peaks = self.roofs.iter().filter_map(|roof| match roof {
            Roof::Peak(_, peak) => Some(*peak),
            Roof::Bandwidth(..) => None,
        });
        let top = peaks.fold(0.0, f64::max);
        let ridges = self.roofs.iter().filter_map(|roof| match roof {
            Roof::Bandwidth(_, bytes) => Some(top / bytes),
            Roof::Peak(..) => None,
        });
        let intensities = self.marks.iter().map(|mark| mark.intensity);
        let performances = self.marks.iter().map(|mark| mark.performance);
        (
            Axis::decades(intensities.chain(ridges), FIELD.left, FIELD.right),
            Axis::decades(performances.chain([top]), FIELD.bottom, FIELD.top),
        )
    }

    fn roofs(&self, x: &Axis, y: &Axis, svg: &mut String) {
        let top = self.roofs.iter().map(|roof| match roof {
            Roof::Peak(_, peak) => *peak,
            Roof::Bandwidth(..) => 0.0,
        });
        let top = top.fold(0.0, f64::max);
        let [left, right] = x.ends();
        let bottom = y.ends()[0];
        for roof in &self.roofs {
            // A rising roof begins where it enters the plot area, and ends at the highest peak.
            let (name, from, to) = match roof {
                Roof::Peak(name, peak) => (
                    format!("{name}: {}flop/s", short(*peak)),
                    (left, *peak),
                    (right, *peak),
                ),
                Roof::Bandwidth(name, bytes) => {
                    let start = left.max(bottom / bytes);
                    let end = right.min(top / bytes);
                    let label = format!("{name}: {}B/s", short(*bytes));
                    (label, (start, start * bytes), (end, end * bytes))
                }
            };
            if to.0 <= from.0 {
                continue;
            }
            let [x1, x2] = [from.0, to.0].map(|value| x.place(value));
            let [y1, y2] = [from.1, to.1].map(|value| y.place(value));
            let _ = writeln!(
                svg,
                "<line class=\"roof\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
            );
            let text = escaped(&name);
            let _ = match roof {
                Roof::Peak(..) => writeln!(
                    svg,
                    "<text x=\"{x2:.1}\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"11\">{text}</text>",
                    y2 - 5.0
                ),
                Roof::Bandwidth(..) => {
                    let angle = (y2 - y1).atan2(x2 - x1).to_degrees();
                    let (x, y) = (x1 + 0.05 * (x2 - x1), y1 + 0.05 * (y2 - y1) - 5.0);
                    writeln!(
                        svg,
                        "<text font-size=\"11\" transform=\"translate({x:.1} {y:.1}) \
                         rotate({angle:.1})\">{text}</text>"
                    )
                }
            };
        }
    }

    /// Lines from marks of the base to those of the head.
    fn ways(&self, x: &Axis, y: &Axis, svg: &mut String) {
        for from in self.marks.iter().filter(|mark| mark.is_before) {
            let key = |x: &Mark| (x.function, x.level, x.is_solid);
            let is_same = |x: &&Mark| !x.is_before && key(x) == key(from);
            let Some(to) = self.marks.iter().find(is_same) else {
                continue;
            };
            let [x1, x2] = [from, to].map(|mark| x.place(mark.intensity));
            let [y1, y2] = [from, to].map(|mark| y.place(mark.performance));
            let colour = COLOURS[from.function % COLOURS.len()];
            let _ = writeln!(
                svg,
                "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\" \
                 stroke-dasharray=\"2 3\"/>"
            );
        }
    }

    fn marks(&self, x: &Axis, y: &Axis, svg: &mut String) {
        for mark in &self.marks {
            let colour = COLOURS[mark.function % COLOURS.len()];
            let (px, py) = (x.place(mark.intensity), y.place(mark.performance));
            let paint = paint(colour, mark.is_solid);
            let name = self.functions.get(mark.function).map_or("", String::as_str);
            let level = self.levels.get(mark.level).map_or("", String::as_str);
            let what = if mark.is_solid { "at most" } else { "about" };
            let (before, base) = match mark.is_before {
                true => ("b", "base, "),
                false => ("", ""),
            };
            let about = format!(
                "{base}{name}, {level}: {:.3} flop/B, {what} {}flop/s",
                mark.intensity,
                short(mark.performance)
            );
            let _ = writeln!(
                svg,
                "<g><title>{}</title>{}<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"10\">{}{before}</text></g>",
                escaped(&about),
                shape(mark.level, px, py, &paint),
                px + 8.0,
                py + 12.0,
                mark.function + 1
            );
        }
    }

    fn legend(&self, svg: &mut String) {
        let x = FIELD.right + 28.0;
        let mut y = FIELD.top + 8.0;
        let mut line = |svg: &mut String, symbol: Option<String>, text: &str| {
            let _ = writeln!(
                svg,
                "{}<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"12\">{}</text>",
                symbol.map_or_else(String::new, |symbol| symbol
                    .replace("@y", &format!("{y:.1}"))),
                x + 14.0,
                y + 4.0,
                escaped(text)
            );
            y += 20.0;
        };
        for (place, name) in self.functions.iter().enumerate() {
            let colour = COLOURS[place % COLOURS.len()];
            let symbol = format!(
                "<rect x=\"{:.1}\" y=\"@y\" width=\"10\" height=\"4\" fill=\"{colour}\"/>",
                x - 6.0
            );
            line(svg, Some(symbol), &format!("{} {name}", place + 1));
        }
        if 0 < self.n_left_out {
            let text = format!("{} with fewer operations left out", self.n_left_out);
            line(svg, None, &text);
        }
        let grey = paint("#7f7f7f", true);
        for (level, name) in self.levels.iter().enumerate() {
            let is_used = self.marks.iter().any(|mark| mark.level == level);
            if is_used {
                let shape = shape(level, x, 0.0, &grey);
                let symbol = format!("<g transform=\"translate(0 @y)\">{shape}</g>");
                line(svg, Some(symbol), name);
            }
        }
        line(svg, None, "solid: at most; hollow: about");
        if self.marks.iter().any(|mark| mark.is_before) {
            line(svg, None, "b: base; dotted: from base to head");
        }
    }
}
