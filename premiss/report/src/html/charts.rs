//! What pictures of one page share: levels as marks, patterns beside colours, and the roofline.

use super::Context;
use super::figure::Figure;
use super::number::seconds;
use crate::chart::{COLOURS, Field, escaped};
use crate::roofline_svg;
use premiss_analyze::Resource;
use std::fmt::Write as _;

/// The size of a picture, and of the field in it.
pub(super) const FIELD: Field = Field {
    width: 960.0,
    height: 430.0,
    left: 84.0,
    right: 680.0,
    top: 48.0,
    bottom: 370.0,
};

/// How lines are broken, so that colour does not tell them apart alone.
pub(super) const DASHES: [&str; 5] = ["", "7 4", "2 3", "10 3 2 3", "14 5"];

/// A fill with a pattern that is of its colour and of a hatching of its own.
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

/// A vertical with a name beside it, the names one below the other.
pub(super) fn vertical(place: f64, order: usize, name: &str, svg: &mut String) {
    let Field {
        top, bottom, right, ..
    } = FIELD;
    // Names that would leave the field stand on the other side.
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

/// The roofline of all functions, where the machine tells enough of its speed.
pub(super) fn roofline(context: &Context<'_>) -> String {
    let head = "<section aria-labelledby=\"roofline\">\n<h2 id=\"roofline\">Roofline</h2>\n";
    let svg = match roofline_svg(context.sources, context.analysis) {
        Ok(svg) => svg,
        Err(why) => {
            return format!(
                "{head}<p>None: {}.</p>\n</section>\n",
                escaped(&why.to_string())
            );
        }
    };
    let machine = &context.analysis.machine;
    let mut rows = Vec::new();
    for (index, function) in context.analysis.functions.iter().enumerate() {
        let Some(bound) = &function.times.function.bound else {
            continue;
        };
        for (place, ceiling) in bound.ceilings.iter().enumerate() {
            let intensity = match ceiling.resource {
                Resource::Arithmetic => None,
                Resource::Below(cache) => bound.intensity(cache),
            };
            let at = format!("/functions/{index}/time/least/ceilings/{place}/seconds");
            rows.push(vec![
                escaped(&function.tree.function),
                escaped(&crate::time::resource(ceiling.resource, machine)),
                seconds(ceiling.seconds, &at),
                intensity.map_or_else(String::new, |x| format!("{x:.3}")),
            ]);
        }
    }
    rows.truncate(400);
    let figure = Figure {
        name: "premiss-roofline".to_owned(),
        title: "How fast code can be, over the operations that it does for each byte",
        caption: "A function has a mark for each level: at its operations for each byte that crosses below that \
                  level, as high as its least time allows. Rising lines are bandwidths, horizontal ones peaks; the \
                  lowest roof above the marks of a function is what limits it."
            .to_owned(),
        svg,
        heads: vec!["Function", "Resource", "At least (s)", "flop/B"],
        rows,
    };
    format!("{head}{}</section>\n", figure.html())
}
