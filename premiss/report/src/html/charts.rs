//! What the charts of one page share: marks of levels, patterns beside colours, and the distinction of two programs.

use crate::chart::{COLOURS, Field, escaped, paint, shape};
use premiss_analyze::FunctionAnalysis;
use std::fmt::Write as _;

/// The size of a chart, and its plot area.
pub(super) const FIELD: Field = Field {
    width: 960.0,
    height: 430.0,
    left: 84.0,
    right: 680.0,
    top: 48.0,
    bottom: 370.0,
};

/// Dash patterns of lines, so that colour is not the only distinction.
pub(super) const DASHES: [&str; 5] = ["", "7 4", "2 3", "10 3 2 3", "14 5"];

/// The program that a mark belongs to, if a chart has two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChartSide {
    /// The only program.
    Only,
    /// The base of a comparison.
    Base,
    /// The head of a comparison.
    Head,
}

/// A function in the charts of a page.
pub(super) struct FunctionChart<'a> {
    /// Its index among the functions of the page.
    pub(super) index: usize,
    /// The function, or both its versions.
    pub(super) states: Vec<(ChartSide, &'a FunctionAnalysis)>,
}

impl<'a> FunctionChart<'a> {
    /// Its name in the head.
    pub(super) fn name(&self) -> &'a str {
        let last = self.states.last();
        last.map_or("", |(_, function)| function.tree.function.as_str())
    }

    /// Whether both versions are shown.
    pub(super) fn is_compared(&self) -> bool {
        self.states.iter().any(|(side, _)| *side != ChartSide::Only)
    }
}

impl ChartSide {
    /// The prefix of the name of a mark.
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Self::Only => "",
            Self::Base => "base: ",
            Self::Head => "head: ",
        }
    }

    /// The table cell with the program of a row; `None` if there is one program.
    pub(super) fn cell(self) -> Option<String> {
        let name = self.prefix().trim_end_matches(": ");
        (!name.is_empty()).then(|| name.to_owned())
    }

    /// The colour and the dashes of a line: by `kind` if there is one program, else by program and `kind`.
    pub(super) fn stroke(self, kind: usize) -> (&'static str, &'static str) {
        let of = |dashes: &[&'static str]| dashes[kind % dashes.len()];
        match self {
            Self::Only => (COLOURS[kind % COLOURS.len()], of(&DASHES)),
            Self::Base => (COLOURS[1], of(&["7 4", "2 3", "2 3 7 3"])),
            Self::Head => (COLOURS[0], of(&["", "10 3 2 3", "14 5"])),
        }
    }

    /// The mark of a level. In a base it is larger, so that it is visible behind that of the head.
    pub(super) fn mark(
        self,
        kind: usize,
        (x, y): (f64, f64),
        colour: &str,
        is_solid: bool,
    ) -> String {
        let paint = paint(colour, is_solid);
        match self {
            Self::Base => format!(
                "<g transform=\"translate({x:.1} {y:.1}) scale(1.5)\">{}</g>",
                shape(kind, 0.0, 0.0, &paint)
            ),
            _ => shape(kind, x, y, &paint),
        }
    }
}

/// A fill pattern with its own colour and hatching.
pub(super) fn pattern(id: &str, kind: usize) -> String {
    let colour = COLOURS[kind % COLOURS.len()];
    let hatching = match kind % 4 {
        0 => "",
        1 => "<path d=\"M0 8L8 0\" stroke=\"#fff\" stroke-width=\"1.6\"/>",
        2 => "<circle cx=\"4\" cy=\"4\" r=\"1.7\" fill=\"#fff\"/>",
        _ => "<path d=\"M0 4H8\" stroke=\"#fff\" stroke-width=\"1.6\"/>",
    };
    format!(
        "<pattern id=\"{id}\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">\
         <rect width=\"8\" height=\"8\" fill=\"{colour}\"/>{hatching}</pattern>"
    )
}

/// A vertical line with a name beside it, the names one below the other.
pub(super) fn vertical(place: f64, order: usize, name: &str, svg: &mut String) {
    let Field {
        top, bottom, right, ..
    } = FIELD;
    // A name that would leave the plot area is placed on the other side.
    let (x, anchor) = match place + 120.0 < right {
        true => (place + 4.0, "start"),
        false => (place - 4.0, "end"),
    };
    let step = u32::try_from(order % 8).map_or(0.0, f64::from);
    let _ = writeln!(
        svg,
        "<line x1=\"{place:.1}\" y1=\"{top}\" x2=\"{place:.1}\" y2=\"{bottom}\" stroke=\"currentColor\" \
         stroke-dasharray=\"4 4\" stroke-opacity=\".6\"/>\
         <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" class=\"name\">{}</text>",
        top + 14.0 + 14.0 * step,
        escaped(name)
    );
}

/// A line of the legend on the right; `symbol` is drawn around the point 12 to the left of the text.
pub(super) fn legend(order: usize, symbol: &str, text: &str, svg: &mut String) {
    let x = FIELD.right + 28.0;
    let y = FIELD.top + 10.0 + 20.0 * u32::try_from(order).map_or(0.0, f64::from);
    let shown: String = text.chars().take(38).collect();
    let _ = writeln!(
        svg,
        "<g transform=\"translate({x:.1} {y:.1})\">{symbol}<text x=\"16\" y=\"4\" font-size=\"12\">{}</text></g>",
        escaped(&shown)
    );
}
