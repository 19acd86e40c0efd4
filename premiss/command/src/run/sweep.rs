//! `premiss sweep`

use super::completeness::Completeness;
use crate::arguments::{Format, SweepArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::invocation::Invocation;
use crate::output;
use crate::values::integer;
use premiss_analyze::{
    FunctionSweep, MeasureOptions, Point, Program, Provenance, shell_word, sweep,
};
use premiss_check::{Profiles, SelectedProgram, check_bounds, read_selected};
use premiss_report::{render_diagnostics, sweep_json, sweep_text};
use premiss_source::SourceMap;
use premiss_tree::NestTree;
use std::collections::BTreeMap;

/// The most points of one sweep.
const MOST_POINTS: usize = 100_000;
/// The budget of one point is the whole budget divided by this.
const POINTS_PER_BUDGET: u64 = 10;

pub(crate) fn run(arguments: &SweepArguments, invocation: Invocation<'_>) -> Result<Exit, Failure> {
    let (ranges, values) = split(&arguments.reading.param)?;
    let mut reading = flags::reading_with(&arguments.reading, invocation.matches, &values)?;
    reading.symbolic = ranges.iter().map(|range| range.name.clone()).collect();
    let measuring = measure_options(arguments)?;
    let points = points(&ranges, arguments.step.as_deref())?;
    let mut sources = SourceMap::new();
    let function = arguments.function.as_deref();
    let options = flags::input_options(&arguments.reading);
    let request = flags::file_request(&arguments.input, &options, &reading, invocation.host);
    let SelectedProgram {
        files, mut program, ..
    } = read_selected(&mut sources, &request, &measuring, function)?;
    Profiles::read(&arguments.profile.profile)?.apply(&sources, &files, &mut program)?;
    for point in &points {
        check_bounds(&sources, &program, &|name| point.get(name).copied())?;
    }
    output::say(&render_diagnostics(
        &sources,
        &program.diagnostics,
        invocation.colours.stderr,
    ));
    let (functions, left_out) = swept(&program, &points, &measuring);
    let machine = &measuring.machine;
    let text = match arguments.output.format {
        Format::Json => sweep_json(&sources, &functions, &points, machine),
        Format::Text => {
            let colour = invocation.colours.data(arguments.output.output.as_deref());
            sweep_text(&sources, &functions, &points, machine, colour)
        }
    };
    output::write(arguments.output.output.as_deref(), &text)?;
    let completeness = Completeness {
        functions: functions.len(),
        is_counted: left_out == 0 && is_counted(&functions),
        diagnostics: &program.diagnostics,
    };
    Ok(completeness.exit())
}

/// Sweeps the functions that depend on swept sizes alone; those that need another size too are left out, and counted in
/// the second part.
fn swept<'a>(
    program: &'a Program,
    points: &[Point],
    options: &MeasureOptions,
) -> (Vec<(&'a NestTree, FunctionSweep)>, usize) {
    let (mut functions, mut left_out) = (Vec::new(), 0);
    for tree in &program.functions {
        let used = tree.used_parameters();
        let open = used
            .iter()
            .filter(|id| tree.parameters[**id].value.is_none());
        let names: Vec<&str> = open.map(|id| tree.parameters[*id].name.as_str()).collect();
        let is_swept = |name: &&str| points.iter().all(|point| point.contains_key(*name));
        if names.is_empty() {
            let function = &tree.function;
            output::say(&format!(
                "note: `{function}` is left out: no size that is swept concerns it\n"
            ));
            continue;
        }
        let missing = names.iter().filter(|name| !is_swept(name));
        let flags = missing.map(|name| format!("-P {}", shell_word(&format!("{name}=1000"))));
        let flags: Vec<String> = flags.collect();
        if !flags.is_empty() {
            let (function, flags) = (&tree.function, flags.join(" "));
            output::say(&format!(
                "note: `{function}` is left out: it needs more sizes, such as {flags}\n"
            ));
            left_out += 1;
            continue;
        }
        let mut found = sweep(tree, points, options);
        if !tree.work.averages.is_empty() {
            found.reasons.extend(program.estimates_rest_on());
        }
        functions.push((tree, found));
    }
    (functions, left_out)
}

fn measure_options(arguments: &SweepArguments) -> Result<MeasureOptions, Failure> {
    let mut options = flags::measuring(&arguments.measuring)?;
    options.budget = (options.budget / POINTS_PER_BUDGET).max(1);
    if arguments.measuring.tlb.is_empty() {
        let caches = options.machine.clone().without_tlbs();
        options.machine = caches.map_err(|error| Failure::usage(error.to_string()))?;
    }
    Ok(options)
}

/// A range of values of a size.
struct Range {
    name: String,
    from: i64,
    to: i64,
}

/// The ranges, and all other values of -P.
fn split(texts: &[String]) -> Result<(Vec<Range>, Vec<String>), Failure> {
    let (mut ranges, mut values) = (Vec::new(), Vec::new());
    for text in texts {
        match text.split_once("..") {
            None => values.push(text.clone()),
            Some((start, end)) => {
                let range = range(start, end).ok_or_else(|| {
                    Failure::usage(format!(
                        "-P {text}: a range has the form NAME=FROM..TO with 1 <= FROM <= TO, as in -P N=64..8192"
                    ))
                })?;
                ranges.push(range);
            }
        }
    }
    match ranges.is_empty() {
        true => Err(Failure::usage(
            "a sweep needs a range of sizes, as in -P N=64..8192",
        )),
        false => Ok((ranges, values)),
    }
}

fn range(start: &str, end: &str) -> Option<Range> {
    let (name, from) = start.split_once('=')?;
    let from = integer(from.trim())?;
    let to = integer(end.trim_start_matches('=').trim())?;
    let name = name.trim().to_owned();
    (!name.is_empty() && 1 <= from && from <= to).then_some(Range { name, from, to })
}

/// All combinations of the sizes, the last one changing fastest.
fn points(ranges: &[Range], step: Option<&str>) -> Result<Vec<Point>, Failure> {
    let step = match step {
        None => None,
        Some(text) => {
            let step: Option<i64> = text.parse().ok().filter(|step| 0 < *step);
            Some(step.ok_or_else(|| {
                Failure::usage(format!("--step {text}: it is a number of at least 1"))
            })?)
        }
    };
    let mut points: Vec<Point> = vec![BTreeMap::new()];
    for range in ranges {
        let next = |x: &i64| match step {
            Some(step) => x.checked_add(step),
            None => x.checked_mul(2),
        };
        let values = std::iter::successors(Some(range.from), next);
        let values: Vec<i64> = values
            .take_while(|x| *x <= range.to)
            .take(MOST_POINTS + 1)
            .collect();
        if MOST_POINTS < points.len().saturating_mul(values.len()) {
            return Err(Failure::usage(format!(
                "the sweep has more than {MOST_POINTS} points; give it a larger --step"
            )));
        }
        let with = |point: &Point| {
            let point = point.clone();
            let name = range.name.clone();
            values.clone().into_iter().map(move |value| {
                let mut point = point.clone();
                point.insert(name.clone(), value);
                point
            })
        };
        points = points.iter().flat_map(with).collect();
    }
    Ok(points)
}

/// Whether every level is counted at every point.
fn is_counted(functions: &[(&NestTree, FunctionSweep)]) -> bool {
    let swept = functions.iter().flat_map(|(_, swept)| &swept.points);
    let mut answers = swept.flat_map(|point| &point.levels);
    answers.all(|(_, provenance)| *provenance != Provenance::Uncounted)
}
