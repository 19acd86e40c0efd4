//! The picture of a roofline.

use super::shapes::{COLOURS, escaped, shape};
use std::fmt::Write as _;

/// The size of the picture, and of the field in it.
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 560.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 640.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 496.0;

/// Light and dark by what the reader's system says.
const STYLE: &str = "<style>\
    svg{background:#fff;color:#1a1a1a;font:13px sans-serif}\
    text{fill:currentColor}\
    .grid{stroke:currentColor;stroke-opacity:.15}\
    .roof{stroke:currentColor;stroke-width:2;fill:none}\
    .frame{stroke:currentColor;fill:none}\
    @media(prefers-color-scheme:dark){svg{background:#161616;color:#eee}}\
    </style>";

/// What limits code.
pub(super) enum Roof {
    /// Operations in a second.
    Peak(String, f64),
    /// Bytes in a second from a level.
    Bandwidth(String, f64),
}

/// One function at one level.
pub(super) struct Mark {
    pub(super) function: usize,
    pub(super) level: usize,
    /// Operations for each byte.
    pub(super) intensity: f64,
    /// Operations in a second.
    pub(super) performance: f64,
    pub(super) is_solid: bool,
}

/// What is drawn; there is a roof and a mark at least.
pub(super) struct Chart {
    pub(super) title: String,
    pub(super) roofs: Vec<Roof>,
    pub(super) marks: Vec<Mark>,
    /// The names of functions and levels, as marks number them.
    pub(super) functions: Vec<String>,
    pub(super) levels: Vec<String>,
    pub(super) n_left_out: usize,
}

/// Decades of an axis, and where on the picture they begin and end.
struct Axis {
    first: f64,
    last: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// Whole decades around some values.
    fn around(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let logs: Vec<f64> = values.filter(|x| 0.0 < *x).map(f64::log10).collect();
        let first = logs.iter().copied().fold(f64::INFINITY, f64::min).floor();
        let last = logs
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max)
            .ceil();
        Self {
            first,
            last: last.max(first + 1.0),
            from,
            to,
        }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (value.log10() - self.first) / (self.last - self.first);
        self.from + share * (self.to - self.from)
    }

    fn ends(&self) -> [f64; 2] {
        [self.first, self.last].map(|log| 10_f64.powf(log))
    }

    /// The powers of ten on it, as exponents.
    fn decades(&self) -> Vec<f64> {
        let all = std::iter::successors(Some(self.first), |log| Some(log + 1.0));
        all.take_while(|log| *log <= self.last).collect()
    }
}

impl Chart {
    pub(super) fn svg(&self) -> String {
        let (x, y) = self.axes();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\">\n<title>{}</title>\n{STYLE}\n",
            escaped(&self.title)
        );
        let _ = writeln!(
            svg,
            "<text x=\"{LEFT}\" y=\"28\" font-size=\"16\">{}</text>",
            escaped(&self.title)
        );
        grid(&x, &y, &mut svg);
        self.roofs(&x, &y, &mut svg);
        self.marks(&x, &y, &mut svg);
        self.legend(&mut svg);
        svg.push_str("</svg>\n");
        svg
    }

    /// Axes on which all marks have room, and all corners of roofs.
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
            Axis::around(intensities.chain(ridges), LEFT, RIGHT),
            Axis::around(performances.chain([top]), BOTTOM, TOP),
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
            // A rising roof begins where it enters the field, and ends at the highest peak.
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

    fn marks(&self, x: &Axis, y: &Axis, svg: &mut String) {
        for mark in &self.marks {
            let colour = COLOURS[mark.function % COLOURS.len()];
            let (px, py) = (x.place(mark.intensity), y.place(mark.performance));
            let paint = paint(colour, mark.is_solid);
            let name = self.functions.get(mark.function).map_or("", String::as_str);
            let level = self.levels.get(mark.level).map_or("", String::as_str);
            let what = if mark.is_solid { "at most" } else { "about" };
            let about = format!(
                "{name}, {level}: {:.3} flop/B, {what} {}flop/s",
                mark.intensity,
                short(mark.performance)
            );
            let _ = writeln!(
                svg,
                "<g><title>{}</title>{}<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"10\">{}</text></g>",
                escaped(&about),
                shape(mark.level, px, py, &paint),
                px + 8.0,
                py + 12.0,
                mark.function + 1
            );
        }
    }

    fn legend(&self, svg: &mut String) {
        let x = RIGHT + 28.0;
        let mut y = TOP + 8.0;
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
    }
}

fn paint(colour: &str, is_solid: bool) -> String {
    let fill = if is_solid { colour } else { "none" };
    format!("fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.5\"")
}

fn grid(x: &Axis, y: &Axis, svg: &mut String) {
    for log in x.decades() {
        let place = x.place(10_f64.powf(log));
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{place:.1}\" y1=\"{TOP}\" x2=\"{place:.1}\" y2=\"{BOTTOM}\"/>\
             <text x=\"{place:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"11\">{}</text>",
            BOTTOM + 16.0,
            10_f64.powf(log)
        );
    }
    for log in y.decades() {
        let value = 10_f64.powf(log);
        let place = y.place(value);
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{place:.1}\" x2=\"{RIGHT}\" y2=\"{place:.1}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"11\">{}</text>",
            LEFT - 6.0,
            place + 4.0,
            short(value)
        );
    }
    let _ = writeln!(
        svg,
        "<rect class=\"frame\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{}\"/>\n\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">operations for each byte moved</text>\n\
         <text transform=\"translate(20 {:.1}) rotate(-90)\" text-anchor=\"middle\">\
         operations in a second</text>",
        RIGHT - LEFT,
        BOTTOM - TOP,
        f64::midpoint(LEFT, RIGHT),
        BOTTOM + 40.0,
        f64::midpoint(TOP, BOTTOM)
    );
}

/// `3.2 G`, `100 M`: at most three digits and a unit, with a space before what follows.
fn short(value: f64) -> String {
    let units = [(1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    let (size, unit) = units
        .into_iter()
        .find(|(size, _)| *size <= value * 1.000_001)
        .unwrap_or((1.0, ""));
    let digits = format!("{:.1}", value / size);
    let digits = digits.strip_suffix(".0").unwrap_or(&digits).to_owned();
    format!("{digits} {unit}")
}
