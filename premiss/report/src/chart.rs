//! What all charts share: axes, the plot area between them, and the formatting of numbers.
//!
//! A chart is a self-contained SVG document, so that it can be saved by itself; its colours follow the colour scheme of
//! the reader's system.

mod shapes;

pub(crate) use shapes::{COLOURS, escaped, paint, shape};

use std::fmt::Write as _;

/// Light or dark colours, by the colour scheme of the reader's system.
pub(crate) const STYLE: &str = "<style>\
    svg{background:#fff;color:#1a1a1a;font:13px sans-serif}\
    text{fill:currentColor}\
    .grid{stroke:currentColor;stroke-opacity:.15}\
    .roof{stroke:currentColor;stroke-width:2;fill:none}\
    .frame{stroke:currentColor;fill:none}\
    .name{font-size:11px;paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}\
    @media(prefers-color-scheme:dark){svg{background:#161616;color:#eee}.name{stroke:#161616}}\
    </style>";

/// The size of a chart, and its plot area.
pub(crate) struct Field {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

/// How values are mapped to positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scale {
    /// By the logarithm to this base; the ends are exponents.
    Logarithmic(u8),
    Linear,
}

/// An axis, and the positions where it begins and ends.
pub(crate) struct Axis {
    scale: Scale,
    first: f64,
    last: f64,
    from: f64,
    to: f64,
}

/// A number beside an axis.
pub(crate) struct Tick {
    pub(crate) place: f64,
    pub(crate) label: String,
}

impl Axis {
    /// An axis of whole decades that contains the values.
    pub(crate) fn decades(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        Self::powers(10, values, from, to)
    }

    /// An axis of whole powers of two that contains the values.
    pub(crate) fn doublings(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        Self::powers(2, values, from, to)
    }

    fn powers(base: u8, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let scale = Scale::Logarithmic(base);
        let logs: Vec<f64> = values
            .filter(|x| 0.0 < *x)
            .map(|x| scale.of(x).clamp(-300.0, 300.0))
            .collect();
        let first = logs.iter().copied().fold(f64::INFINITY, f64::min).floor();
        let first = if first.is_finite() { first } else { 0.0 };
        let last = logs.iter().copied().fold(first, f64::max).ceil();
        Self {
            scale,
            first,
            last: last.max(first + 1.0),
            from,
            to,
        }
    }

    /// An axis from 0 to a value or a little more.
    pub(crate) fn linear(most: f64, from: f64, to: f64) -> Self {
        let step = step(most);
        Self {
            scale: Scale::Linear,
            first: 0.0,
            last: (most / step).ceil().max(1.0) * step,
            from,
            to,
        }
    }

    /// The position of a value, clamped to the axis.
    pub(crate) fn place(&self, value: f64) -> f64 {
        let share = (self.scale.of(value) - self.first) / (self.last - self.first);
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    pub(crate) fn ends(&self) -> [f64; 2] {
        [self.first, self.last].map(|end| self.scale.value(end))
    }

    /// Round values with their labels; of powers, as many as fit.
    pub(crate) fn ticks(&self, label: impl Fn(f64) -> String) -> Vec<Tick> {
        let step = match self.scale {
            Scale::Linear => step(self.last),
            Scale::Logarithmic(_) => ((self.last - self.first) / 14.0).ceil().max(1.0),
        };
        let all = std::iter::successors(Some(self.first), |x| Some(x + step));
        let within = all.take_while(|x| *x <= self.last + step * 1e-6);
        let of_one = |x: f64| {
            let value = self.scale.value(x);
            Tick {
                place: self.place(value),
                label: label(value),
            }
        };
        within.map(of_one).collect()
    }
}

impl Scale {
    fn of(self, value: f64) -> f64 {
        match self {
            Self::Linear => value,
            Self::Logarithmic(2) => value.log2(),
            Self::Logarithmic(_) => value.log10(),
        }
    }

    fn value(self, place: f64) -> f64 {
        match self {
            Self::Linear => place,
            Self::Logarithmic(2) => place.exp2(),
            Self::Logarithmic(_) => 10_f64.powf(place),
        }
    }
}

/// A round step that divides the range up to a value into two to five parts.
fn step(most: f64) -> f64 {
    let most = if 0.0 < most { most } else { 1.0 };
    let decade = 10_f64.powf(most.log10().floor());
    let parts = [5.0, 2.0, 1.0, 0.5, 0.2].map(|part| part * decade);
    let fits = |part: &&f64| most / **part <= 5.0;
    parts.iter().rev().find(fits).copied().unwrap_or(decade)
}

/// The start of a chart, up to its heading.
pub(crate) fn begin(field: &Field, title: &str) -> String {
    let (Field { width, height, .. }, title) = (field, escaped(title));
    let left = field.left;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\">\n<title>{title}</title>\n{STYLE}\n\
         <text x=\"{left}\" y=\"28\" font-size=\"16\">{title}</text>\n"
    )
}

/// The grid lines of a chart with their numbers, and the titles of the axes.
pub(crate) fn grid(field: &Field, ticks: [&[Tick]; 2], titles: [&str; 2], svg: &mut String) {
    let Field {
        left,
        right,
        top,
        bottom,
        ..
    } = field;
    for Tick { place, label } in ticks[0] {
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{place:.1}\" y1=\"{top}\" x2=\"{place:.1}\" y2=\"{bottom}\"/>\
             <text x=\"{place:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"11\">{}</text>",
            bottom + 16.0,
            escaped(label)
        );
    }
    for Tick { place, label } in ticks[1] {
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{left}\" y1=\"{place:.1}\" x2=\"{right}\" y2=\"{place:.1}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"11\">{}</text>",
            left - 6.0,
            place + 4.0,
            escaped(label)
        );
    }
    let _ = writeln!(
        svg,
        "<rect class=\"frame\" x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\"/>\n\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n\
         <text transform=\"translate(20 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        right - left,
        bottom - top,
        f64::midpoint(*left, *right),
        bottom + 40.0,
        escaped(titles[0]),
        f64::midpoint(*top, *bottom),
        escaped(titles[1])
    );
}

/// `3.2 G`, `100 M`: at most three digits and a unit, with a trailing space if there is no prefix.
pub(crate) fn short(value: f64) -> String {
    let units = [(1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    let (size, unit) = units
        .into_iter()
        .find(|(size, _)| *size <= value * 1.000_001)
        .unwrap_or((1.0, ""));
    let digits = format!("{:.1}", value / size);
    let digits = digits.strip_suffix(".0").unwrap_or(&digits).to_owned();
    format!("{digits} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<String> {
        let ticks = axis.ticks(|value| value.to_string());
        ticks.into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn axes_have_round_numbers() {
        let axis = Axis::decades([0.5, 300.0].into_iter(), 0.0, 100.0);
        assert_eq!(labels(&axis), ["0.1", "1", "10", "100", "1000"]);
        let axis = Axis::doublings([3.0, 9.0].into_iter(), 0.0, 100.0);
        assert_eq!(labels(&axis), ["2", "4", "8", "16"]);
        let axis = Axis::linear(8.3, 0.0, 100.0);
        assert_eq!(labels(&axis), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(&Axis::linear(0.0, 0.0, 1.0))[0], "0");
    }

    #[test]
    fn nothing_leaves_the_field() {
        let axis = Axis::decades([1.0, 10.0].into_iter(), 50.0, 60.0);
        for (value, place) in [(0.0, 50.0), (1.0, 50.0), (10.0, 60.0), (1e9, 60.0)] {
            assert!((axis.place(value) - place).abs() < 1e-9);
        }
        let empty = Axis::decades(std::iter::empty(), 0.0, 1.0);
        assert_eq!(labels(&empty), ["1", "10"]);
    }
}
