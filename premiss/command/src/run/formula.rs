//! `premiss formula`

use super::completeness::Completeness;
use super::emit;
use super::formula_request::{FormulaRequest, check_classes};
use super::left_out_levels::say_left_out;
use crate::arguments::{ConventionChoice, EngineChoice, Format, FormulaArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::invocation::Invocation;
use crate::output;
use premiss_analyze::{
    Convention, FunctionFormulas, FunctionWork, MeasureOptions, NoClosedForm, no_closed_form,
    parallel, work,
};
use premiss_check::{
    SymbolicProgram, check_bounds, check_sizes, displayed_paths, open_files, select,
};
use premiss_report::{Details, formula_json, formula_text, render_diagnostics};
use premiss_source::{Diagnostic, Severity, SourceMap};
use premiss_tree::NestTree;
use std::collections::BTreeSet;

pub(crate) fn run(
    arguments: &FormulaArguments,
    invocation: Invocation<'_>,
) -> Result<Exit, Failure> {
    let reading = flags::symbolic_reading(&arguments.reading, invocation.matches)?;
    let measuring = flags::measuring(&arguments.measuring)?;
    if arguments.measuring.engine == EngineChoice::Trace {
        let why = "--engine trace: a trace counts at given sizes and has no formulas";
        return Err(Failure::usage(why));
    }
    let mut sources = SourceMap::new();
    let options = flags::input_options(&arguments.reading);
    let request = flags::file_request(&arguments.input, &options, &reading, invocation.host);
    let files = open_files(&mut sources, &request)?;
    let mut program = SymbolicProgram::read(&mut sources, &files, &reading, invocation.host);
    let paths = displayed_paths(&sources, &files);
    check_sizes(
        &program.symbolic.unused_sizes,
        &program.symbolic.size_names,
        &paths,
    )?;
    select(&mut program.symbolic, arguments.function.as_deref())?;
    check_bounds(&sources, &program.symbolic, &|_| None)?;
    if let Some(choice) = arguments.emit {
        let texts = (choice, &sources);
        return emit::run(arguments, &measuring, texts, &program.symbolic, invocation);
    }
    let classes = flags::classes(&arguments.class)?;
    check_classes(&program.symbolic, &classes)?;
    let request = FormulaRequest::new(arguments, &measuring, classes)?;
    say_left_out(&measuring.machine);
    let mut diagnostics = std::mem::take(&mut program.symbolic.diagnostics);
    let functions: Vec<&NestTree> = program.symbolic.functions.iter().collect();
    let mut answers = Vec::new();
    for (answer, diagnostic) in parallel::map(&functions, |tree| answer(&program, tree, &request)) {
        answers.push(answer);
        diagnostics.extend(diagnostic);
    }
    output::say(&render_diagnostics(
        &sources,
        &diagnostics,
        invocation.colours.stderr,
    ));
    let works = works(&answers, arguments.convention, &measuring);
    let text = match arguments.output.format {
        Format::Json => {
            let all = answers.iter().zip(&works).map(|((tree, answer), work)| {
                let answer = answer.as_ref().map_err(|why| why.message(tree));
                (*tree, answer, work)
            });
            formula_json(&sources, &all.collect::<Vec<_>>())
        }
        Format::Text => {
            let colour = invocation.colours.data(arguments.output.output.as_deref());
            let all = answers.iter().zip(&works);
            let found =
                all.filter_map(|((tree, answer), work)| Some((*tree, answer.as_ref().ok()?, work)));
            formula_text(
                &sources,
                &found.collect::<Vec<_>>(),
                Details::References,
                colour,
            )
        }
    };
    output::write(arguments.output.output.as_deref(), &text)?;
    let completeness = Completeness {
        functions: answers.len(),
        is_counted: answers.iter().all(|(_, answer)| answer.is_ok()),
        diagnostics: &diagnostics,
    };
    Ok(completeness.exit())
}

/// The operations, loads and stores of the functions.
fn works(
    answers: &[Answer<'_>],
    convention: ConventionChoice,
    measuring: &MeasureOptions,
) -> Vec<Result<FunctionWork, String>> {
    let convention = match convention {
        ConventionChoice::Elements => Convention::Elements,
        ConventionChoice::Pbound => Convention::Pbound,
    };
    let steps = measuring.effort.steps;
    parallel::map(answers, |(tree, _)| work(tree, convention, steps))
}

/// A function and its formulas.
type Answer<'a> = (&'a NestTree, Result<FunctionFormulas, NoClosedForm>);

/// The formulas of a function; if there are none in all of its sizes, those that hold for the values that the source
/// gives.
fn answer<'a>(
    program: &'a SymbolicProgram,
    tree: &'a NestTree,
    request: &FormulaRequest<'_>,
) -> (Answer<'a>, Option<Diagnostic>) {
    let why = match request.formulas(tree) {
        Ok(formulas) => return ((tree, Ok(formulas)), None),
        Err(why) => why,
    };
    for with_values in program.with_values(tree) {
        if let Ok(formulas) = request.formulas(with_values) {
            let mut diagnostic = no_closed_form(tree, &why);
            diagnostic.severity = Severity::Note;
            diagnostic.message = of_values(with_values, tree, &why);
            diagnostic.help = Some("name the sizes to keep symbolic with -P NAME".to_owned());
            return ((with_values, Ok(formulas)), Some(diagnostic));
        }
    }
    let diagnostic = no_closed_form(tree, &why);
    ((tree, Err(why)), Some(diagnostic))
}

/// What is said of a function that has its formulas with values of the source alone.
fn of_values(with_values: &NestTree, tree: &NestTree, why: &NoClosedForm) -> String {
    let open = |tree: &NestTree| {
        let used = tree.used_parameters().into_iter();
        used.filter(|id| tree.parameters[*id].value.is_none())
            .map(|id| tree.size_name(id).to_owned())
            .collect::<BTreeSet<String>>()
    };
    let (all, left) = (open(tree), open(with_values));
    let of = match left.is_empty() {
        true => "the sizes that the source gives alone".to_owned(),
        false => {
            let given: Vec<String> = all.difference(&left).map(|x| format!("`{x}`")).collect();
            format!("the value of {} that the source gives", given.join(", "))
        }
    };
    let function = &tree.function;
    format!(
        "`{function}` has its formulas for {of}: {}",
        why.message(tree)
    )
}
