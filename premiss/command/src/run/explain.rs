//! `premiss explain`

use super::completeness::Completeness;
use super::left_out_levels::say_left_out;
use crate::arguments::{ExplainArguments, FileArguments, Format};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::invocation::Invocation;
use crate::output;
use premiss_analyze::{
    CacheGeometry, Explanation, FunctionAnalysis, MeasureOptions, MeasureScope, NoClosedForm,
    Program, ReadOptions, SymbolicOptions, explain, measure_function, no_closed_form,
    set_conflicts,
};
use premiss_check::{SymbolicProgram, check_bounds, check_sizes, lru_levels, open_files};
use premiss_gate::{RULES, Rule, rule_json};
use premiss_report::{ExplainedFunction, explain_json, explain_text, render_diagnostics};
use premiss_source::{FileId, SourceMap, Span};
use premiss_tree::{NestTree, ReferenceId};
use std::collections::BTreeSet;

pub(crate) fn run(
    arguments: &ExplainArguments,
    invocation: Invocation<'_>,
) -> Result<Exit, Failure> {
    if let Some(rule) = premiss_gate::rule(&arguments.place) {
        return page(rule, arguments);
    }
    let (path, line, column) = place(&arguments.place)?;
    let reading = flags::symbolic_reading(&arguments.reading, invocation.matches)?;
    let measuring = flags::measuring(&arguments.measuring)?;
    let mut sources = SourceMap::new();
    let file = FileArguments {
        files: vec![path.to_owned()],
        stdin_filename: "stdin.c".to_owned(),
    };
    let inputs = flags::input_options(&arguments.reading);
    let request = flags::file_request(&file, &inputs, &reading, invocation.host);
    let files = open_files(&mut sources, &request)?;
    let mut program = SymbolicProgram::read(&mut sources, &files, &reading, invocation.host);
    check_sizes(
        &program.symbolic.unused_sizes,
        &program.symbolic.size_names,
        path,
    )?;
    check_bounds(&sources, &program.symbolic, &|_| None)?;
    let line_size = flags::first_line_size(&measuring.machine);
    let levels: Vec<(String, CacheGeometry)> = lru_levels(&measuring.machine, line_size).collect();
    let geometries: Vec<CacheGeometry> = levels.iter().map(|(_, geometry)| *geometry).collect();
    say_left_out(&measuring.machine);
    let options = SymbolicOptions {
        line_size,
        alignment: measuring.alignment(),
        bound: None,
        effort: measuring.effort,
        store: measuring.store.as_deref(),
    };
    let is_there = |tree: &NestTree, id: ReferenceId| {
        let span = tree.references[id].span;
        let at = sources.start(span);
        let length = u32::try_from(sources.text(span).chars().count()).unwrap_or(u32::MAX);
        let within = |column: u32| at.column <= column && column < at.column.saturating_add(length);
        files.iter().any(|(file, _)| span.file == *file)
            && at.line == line
            && column.is_none_or(within)
    };
    let mut diagnostics = std::mem::take(&mut program.symbolic.diagnostics);
    let mut found: Vec<(&NestTree, Explanation)> = Vec::new();
    let mut is_known = false;
    for tree in &program.symbolic.functions {
        if !tree.references.keys().any(|id| is_there(tree, id)) {
            continue;
        }
        is_known = true;
        let explanation_of = |tree: &NestTree| -> Result<Explanation, NoClosedForm> {
            explain(tree, &|id| is_there(tree, id), &geometries, options)
        };
        let mut trees = std::iter::once(tree).chain(program.with_values(tree));
        let mut why = None;
        let explained = trees.find_map(|tree| match explanation_of(tree) {
            Ok(explanation) => Some((tree, explanation)),
            Err(refusal) => {
                why.get_or_insert(refusal);
                None
            }
        });
        match (explained, why) {
            (None, Some(why)) => diagnostics.push(no_closed_form(tree, &why)),
            (explained, _) => found.extend(explained),
        }
    }
    if !is_known {
        let place = &arguments.place;
        let near = nearest_lines(&sources, &program.symbolic, &files, line);
        return Err(Failure::usage(format!(
            "{place}: no array reference of a function with a loop nest starts there{near}"
        )));
    }
    output::say(&render_diagnostics(
        &sources,
        &diagnostics,
        invocation.colours.stderr,
    ));
    let explanations: Vec<(&NestTree, &Explanation)> =
        found.iter().map(|(tree, x)| (*tree, x)).collect();
    let counted = counted(&explanations, &measuring);
    let functions = explanations.iter().zip(&counted);
    let conflicts = functions.map(|((_, explanation), counted)| {
        let counted = counted.as_ref();
        counted.map(|counted| set_conflicts(counted, explanation, &levels, &measuring))
    });
    let conflicts: Vec<_> = conflicts.map(Option::unwrap_or_default).collect();
    let functions = explanations.iter().zip(&counted).zip(&conflicts);
    let functions: Vec<ExplainedFunction<'_>> = functions
        .map(
            |(((tree, explanation), counted), conflicts)| ExplainedFunction {
                tree,
                explanation,
                counted: counted.as_ref(),
                conflicts,
            },
        )
        .collect();
    let text = match arguments.output.format {
        Format::Json => explain_json(&sources, &functions, &levels),
        Format::Text => {
            let colour = invocation.colours.data(arguments.output.output.as_deref());
            explain_text(&sources, &functions, &levels, colour)
        }
    };
    output::write(arguments.output.output.as_deref(), &text)?;
    let completeness = Completeness {
        functions: program.symbolic.functions.len(),
        is_counted: !explanations.is_empty(),
        diagnostics: &diagnostics,
    };
    Ok(completeness.exit())
}

/// `; the nearest: line 12 and line 14`: lines of files on which array references start.
fn nearest_lines(
    sources: &SourceMap,
    program: &Program,
    files: &[(FileId, ReadOptions)],
    line: u32,
) -> String {
    let is_given = |span: &Span| files.iter().any(|(file, _)| span.file == *file);
    let references = program
        .functions
        .iter()
        .flat_map(|tree| tree.references.values());
    let spans = references.map(|reference| reference.span).filter(is_given);
    let lines: BTreeSet<u32> = spans.map(|span| sources.start(span).line).collect();
    let before = lines.range(..line).next_back();
    let near: Vec<String> = before
        .into_iter()
        .chain(lines.range(line..).next())
        .map(ToString::to_string)
        .collect();
    match near.is_empty() {
        true => String::new(),
        false => format!("; the nearest: line {}", near.join(" and line ")),
    }
}

/// The counts of the functions whose sizes all have values.
fn counted(
    functions: &[(&NestTree, &Explanation)],
    measuring: &MeasureOptions,
) -> Vec<Option<FunctionAnalysis>> {
    let options = MeasureOptions {
        scope: MeasureScope::Misses,
        ..measuring.clone()
    };
    let of_one = |(tree, _): &(&NestTree, &Explanation)| {
        let mut used = tree.used_parameters().into_iter();
        let has_values = used.all(|id| tree.parameters[id].value.is_some());
        has_values.then(|| measure_function((*tree).clone(), &options))
    };
    functions.iter().map(of_one).collect()
}

/// The manual page of a rule.
fn page(rule: &Rule, arguments: &ExplainArguments) -> Result<Exit, Failure> {
    let text = match arguments.output.format {
        Format::Text => rule.page.to_owned(),
        Format::Json => rule_json(rule),
    };
    output::write(arguments.output.output.as_deref(), &text)?;
    Ok(Exit::Clean)
}

/// Parses `gemm.c:13:30` or `gemm.c:13`.
fn place(text: &str) -> Result<(&str, u32, Option<u32>), Failure> {
    let number = |text: &str| text.parse::<u32>().ok().filter(|x| 0 < *x);
    let refuse = || {
        Failure::usage(format!(
            "{text}: a place has the form FILE:LINE or FILE:LINE:COL, as in gemm.c:13:30; a rule is one of {}",
            RULES.each_ref().map(|rule| rule.code).join(", ")
        ))
    };
    let (rest, last) = text.rsplit_once(':').ok_or_else(refuse)?;
    let last = number(last).ok_or_else(refuse)?;
    if let Some((file, line)) = rest.rsplit_once(':')
        && let Some(line) = number(line)
    {
        return Ok((file, line, Some(last)));
    }
    match rest.is_empty() {
        true => Err(refuse()),
        false => Ok((rest, last, None)),
    }
}
