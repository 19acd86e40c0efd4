//! The hierarchical roofline of functions: attainable performance over operational intensity (Williams, Waterman and
//! Patterson 2009, for each level).
//!
//! Both axes are logarithmic. A level with a bandwidth of B bytes per second limits performance to B times the
//! intensity, which is a rising line; peak arithmetic is a horizontal one. A function has a mark for each level, at its
//! intensity there and at the performance that its least time allows; a hollow mark is at that of the estimate. Marks
//! of functions differ in colour and number, those of levels in shape.

mod chart;

use chart::{Chart, Mark, Roof};
use premiss_analyze::{Analysis, FunctionAnalysis, Time, peak, roofs};
use premiss_machine::Machine;
use premiss_source::SourceMap;

/// The most functions that are drawn.
const MOST_FUNCTIONS: usize = 8;

/// Why there is no roofline.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoRoofline {
    /// The machine does not tell its peak.
    #[error(
        "machine `{0}` does not say how fast it computes: add `frequency` and `floating` to [core]"
    )]
    Peak(String),
    /// The machine does not tell any bandwidth.
    #[error(
        "machine `{0}` has no bandwidth: add `bandwidth` to a [[cache]] below the first or to [memory]"
    )]
    Bandwidth(String),
    /// No function has both operations and bytes.
    #[error(
        "no function is known to compute with real numbers and to move bytes; `premiss report` tells \
         what is missing"
    )]
    Functions,
}

/// The roofline of the functions with most operations, at most eight, as an SVG document.
///
/// # Errors
/// The machine description lacks the peak or all bandwidths, or no function has both operations and bytes.
pub fn roofline_svg(sources: &SourceMap, analysis: &Analysis) -> Result<String, NoRoofline> {
    let all = analysis.functions.iter().map(|function| RooflinePoint {
        sources,
        function,
        before: None,
    });
    svg_of(&analysis.machine, all.collect(), MOST_FUNCTIONS)
}

/// A function of a roofline.
#[derive(Clone, Copy)]
pub(crate) struct RooflinePoint<'a> {
    pub(crate) sources: &'a SourceMap,
    pub(crate) function: &'a FunctionAnalysis,
    /// Its version in the base, if it is compared.
    pub(crate) before: Option<&'a FunctionAnalysis>,
}

impl<'a> RooflinePoint<'a> {
    fn states(self) -> impl Iterator<Item = &'a FunctionAnalysis> {
        self.before.into_iter().chain([self.function])
    }
}

/// The roofline of the functions with most operations, at most `most`.
pub(crate) fn svg_of(
    machine: &Machine,
    mut functions: Vec<RooflinePoint<'_>>,
    most: usize,
) -> Result<String, NoRoofline> {
    functions.retain(|x| x.states().any(|x| performance(x).is_some_and(|x| 0.0 < x)));
    functions.sort_by(|a, b| operations(b.function).total_cmp(&operations(a.function)));
    let n_left_out = functions.len().saturating_sub(most);
    functions.truncate(most);
    let states: Vec<&FunctionAnalysis> = functions.iter().flat_map(|x| x.states()).collect();
    let roofs = all_roofs(machine, &states)?;
    let of_one = |(place, x): (usize, &RooflinePoint<'_>)| {
        let before = x.before.map(|x| marks(place, x, true));
        let now = marks(place, x.function, false);
        before.into_iter().flatten().chain(now).collect::<Vec<_>>()
    };
    let marks: Vec<Mark> = functions.iter().enumerate().flat_map(of_one).collect();
    if marks.is_empty() {
        return Err(NoRoofline::Functions);
    }
    let named = functions.iter().map(|x| legend(x.sources, x.function));
    let chart = Chart {
        title: format!("Roofline of one core of {}", described(machine)),
        roofs,
        marks,
        functions: named.collect(),
        levels: (0..machine.caches().len())
            .map(|cache| below(machine, cache))
            .collect(),
        n_left_out,
    };
    Ok(chart.svg())
}

/// The peaks of the precisions that occur, then the bandwidths of levels.
fn all_roofs(machine: &Machine, functions: &[&FunctionAnalysis]) -> Result<Vec<Roof>, NoRoofline> {
    let name = || machine.name().to_owned();
    let core = machine.core().ok_or_else(|| NoRoofline::Peak(name()))?;
    let occurs = |bytes: u64| {
        let works = functions
            .iter()
            .filter_map(|x| x.times.function.bound.as_ref());
        works
            .clone()
            .any(|bound| bound.work.by_precision.contains_key(&bytes))
    };
    let mut found = Vec::new();
    for (bytes, precision) in [(4, "single"), (8, "double")] {
        if occurs(bytes) || (bytes == 8 && !occurs(4)) {
            let peak = peak(core, bytes).ok_or_else(|| NoRoofline::Peak(name()))?;
            found.push(Roof::Peak(format!("peak, {precision} precision"), peak));
        }
    }
    let n_peaks = found.len();
    for (name, bandwidth) in roofs(machine) {
        found.extend(bandwidth.map(|bytes| Roof::Bandwidth(name, bytes)));
    }
    match found.len() == n_peaks {
        true => Err(NoRoofline::Bandwidth(name())),
        false => Ok(found),
    }
}

/// A mark for each level with traffic below it, solid at the performance that the bound allows, hollow at that of the
/// estimate.
fn marks(place: usize, function: &FunctionAnalysis, is_before: bool) -> Vec<Mark> {
    let time = &function.times.function;
    let Some(bound) = &time.bound else {
        return Vec::new();
    };
    let heights = [(performance(function), true), (estimated(time), false)];
    let mut marks = Vec::new();
    for level in 0..bound.traffic.len() {
        let Some(intensity) = bound.intensity(level) else {
            continue;
        };
        for (height, is_solid) in heights {
            // Logarithms do not exist for functions without operations.
            let height = height.filter(|x| x.is_finite() && 0.0 < *x && 0.0 < intensity);
            marks.extend(height.map(|height| Mark {
                function: place,
                level,
                intensity,
                performance: height,
                is_solid,
                is_before,
            }));
        }
    }
    marks
}

/// The estimated operations per second.
fn estimated(time: &Time) -> Option<f64> {
    Some(time.lanes?.operations / time.estimate()?)
}

/// The most operations per second that the bound allows.
fn performance(function: &FunctionAnalysis) -> Option<f64> {
    let bound = function.times.function.bound.as_ref()?;
    let least = bound.binding()?.seconds;
    let performance = bound.work.operations() / least;
    performance.is_finite().then_some(performance)
}

fn operations(function: &FunctionAnalysis) -> f64 {
    let bound = function.times.function.bound.as_ref();
    bound.map_or(0.0, |bound| bound.work.operations())
}

/// `gemm.c:12 kernel_gemm n=100`
fn legend(sources: &SourceMap, function: &FunctionAnalysis) -> String {
    let tree = &function.tree;
    let path = sources.file(tree.span.file).path();
    let name = path.rsplit('/').next().unwrap_or(path);
    let line = sources.start(tree.span).line;
    let sizes = function
        .parameters
        .iter()
        .filter_map(|(name, value)| value.map(|value| format!(" {name}={value}")));
    format!(
        "{name}:{line} {}{}",
        tree.function,
        sizes.collect::<String>()
    )
}

fn below(machine: &Machine, cache: usize) -> String {
    crate::time::resource(premiss_analyze::Resource::Below(cache), machine)
}

fn described(machine: &Machine) -> String {
    match machine.title() {
        "" => machine.name().to_owned(),
        title => title.to_owned(),
    }
}
