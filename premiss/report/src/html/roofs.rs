//! The roofline of all functions of a page.

use super::charts::ChartSide;
use super::context::{Context, Subject};
use super::figure::Figure;
use super::number::seconds;
use crate::chart::escaped;
use crate::roofline::{RooflinePoint, svg_of};
use premiss_analyze::{FunctionAnalysis, Resource};

/// The most functions that are drawn in a comparison.
const MOST_COMPARED: usize = 4;
/// The most functions that are drawn for one program.
const MOST_FUNCTIONS: usize = 8;
/// The most rows of the table.
const MOST_ROWS: usize = 400;

/// The roofline, if the machine description has enough speeds.
pub(super) fn section(context: &Context<'_>) -> String {
    let head = "<section aria-labelledby=\"roofline\">\n<h2 id=\"roofline\">Roofline</h2>\n";
    let functions = context.analysis.functions.iter().enumerate();
    let subjects = functions.map(|(index, function)| Subject { index, function });
    let subjects = subjects.filter(|x| !context.is_compared() || context.compared(*x).is_some());
    let subjects: Vec<Subject> = subjects.collect();
    let roofed = subjects.iter().map(|subject| RooflinePoint {
        sources: context.sources,
        function: subject.function,
        before: context.before(*subject),
    });
    let most = match context.is_compared() {
        true => MOST_COMPARED,
        false => MOST_FUNCTIONS,
    };
    let svg = match svg_of(&context.analysis.machine, roofed.collect(), most) {
        Ok(svg) => svg,
        Err(why) => {
            let why = escaped(&why.to_string());
            return format!("{head}<p>None: {why}.</p>\n</section>\n");
        }
    };
    let mut rows = Vec::new();
    for subject in &subjects {
        if let Some(before) = context.before(*subject) {
            rows.extend(resources(context, (*subject, before), ChartSide::Base));
        }
        let side = match context.is_compared() {
            true => ChartSide::Head,
            false => ChartSide::Only,
        };
        rows.extend(resources(context, (*subject, subject.function), side));
    }
    rows.truncate(MOST_ROWS);
    let mut caption = "A function has a mark for each level: at its operations for each byte that crosses below that \
                       level, as high as its least time allows. Rising lines are bandwidths, horizontal ones peaks; \
                       the lowest roof above the marks of a function is what limits it."
        .to_owned();
    if context.is_compared() {
        caption.push_str(" Dotted lines lead from the base, marked with b, to the head.");
    }
    let heads = ["Function", "Resource", "At least (s)", "flop/B"];
    let program = context.is_compared().then_some("Program");
    let figure = Figure {
        name: "premiss-roofline".to_owned(),
        title: "How fast code can be, over the operations that it does for each byte",
        caption,
        svg,
        heads: program.into_iter().chain(heads).collect(),
        rows,
    };
    format!("{head}{}</section>\n", figure.html())
}

/// The amounts that a function needs of each resource.
fn resources(
    context: &Context<'_>,
    (subject, function): (Subject<'_>, &FunctionAnalysis),
    side: ChartSide,
) -> Vec<Vec<String>> {
    let machine = &context.analysis.machine;
    let Some(bound) = &function.times.function.bound else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    for (place, ceiling) in bound.ceilings.iter().enumerate() {
        let intensity = match ceiling.resource {
            Resource::Arithmetic => None,
            Resource::Below(cache) => bound.intensity(cache),
        };
        let at = format!("time/least/ceilings/{place}/seconds");
        let cells = [
            escaped(&function.tree.function),
            escaped(&crate::time::resource(ceiling.resource, machine)),
            seconds(ceiling.seconds, &context.pointer(subject, &at)),
            intensity.map_or_else(String::new, |x| format!("{x:.3}")),
        ];
        rows.push(side.cell().into_iter().chain(cells).collect());
    }
    rows
}
