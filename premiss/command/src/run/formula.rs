//! `premiss formula`

use super::emit;
use super::selection::{
    check_bounds, check_sizes, lru_levels, open_all, read_merged, say_left_out, select, shown,
};
use crate::arguments::{ConventionChoice, EngineChoice, Format, FormulaArguments};
use crate::exit::Exit;
use crate::failure::{Failure, suggest};
use crate::flags;
use crate::output::{self, Colours};
use clap::ArgMatches;
use premiss_analyze::{
    CacheGeometry, Convention, FunctionFormulas, FunctionWork, MeasureOptions, NoClosedForm,
    Program, ReadOptions, SymbolicOptions, formulas, no_closed_form, parallel, work,
};
use premiss_report::{formula_json, formula_text, render_diagnostics};
use premiss_source::{Diagnostic, FileId, Severity, SourceMap};
use premiss_tree::{NestTree, ParameterId};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) fn run(
    arguments: &FormulaArguments,
    matches: &ArgMatches,
    colours: Colours,
) -> Result<Exit, Failure> {
    let reading = flags::symbolic_reading(&arguments.reading, matches)?;
    let measuring = flags::measuring(&arguments.measuring)?;
    if arguments.measuring.engine == EngineChoice::Trace {
        let why = "--engine trace: a trace counts at given sizes and has no formulas";
        return Err(Failure::usage(why));
    }
    let mut sources = SourceMap::new();
    let files = open_all(
        &mut sources,
        &arguments.input,
        (&arguments.reading, &reading),
    )?;
    let mut inputs = Inputs::read(&mut sources, &files, &reading)?;
    let paths = shown(&sources, &files);
    check_sizes(
        &inputs.symbolic.unused_sizes,
        &inputs.symbolic.size_names,
        &paths,
    )?;
    select(&mut inputs.symbolic, arguments.function.as_deref())?;
    check_bounds(&sources, &inputs.symbolic, &|_| None)?;
    if let Some(choice) = arguments.emit {
        let texts = (choice, &sources);
        return emit::run(arguments, &measuring, texts, &inputs.symbolic, colours);
    }
    let classes = flags::classes(&arguments.class)?;
    check_classes(&inputs.symbolic, &classes)?;
    let question = Asked::new(arguments, &measuring, classes)?;
    say_left_out(&measuring.machine);
    let mut diagnostics = std::mem::take(&mut inputs.symbolic.diagnostics);
    let functions: Vec<&NestTree> = inputs.symbolic.functions.iter().collect();
    let mut answers = Vec::new();
    for (answer, diagnostic) in parallel::map(&functions, |tree| inputs.answer(tree, &question)) {
        answers.push(answer);
        diagnostics.extend(diagnostic);
    }
    output::say(&render_diagnostics(&sources, &diagnostics, colours.stderr));
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
            let colour = colours.data(arguments.output.output.as_deref());
            let all = answers.iter().zip(&works);
            let found =
                all.filter_map(|((tree, answer), work)| Some((*tree, answer.as_ref().ok()?, work)));
            formula_text(&sources, &found.collect::<Vec<_>>(), colour)
        }
    };
    output::write(arguments.output.output.as_deref(), &text)?;
    Ok(exit(&answers, &diagnostics))
}

/// What the functions compute.
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

/// What is asked of each function.
pub(super) struct Asked<'a> {
    pub(super) levels: Vec<(String, CacheGeometry)>,
    pub(super) options: SymbolicOptions<'a>,
    classes: BTreeMap<String, i64>,
}

impl<'a> Asked<'a> {
    pub(super) fn new(
        arguments: &FormulaArguments,
        measuring: &'a MeasureOptions,
        classes: BTreeMap<String, i64>,
    ) -> Result<Self, Failure> {
        let caches = measuring.machine.caches();
        let first = caches
            .first()
            .map_or(64, |cache| cache.geometry().line_size);
        let line_size = arguments.line.unwrap_or(first);
        if !(1..=1 << 16).contains(&line_size) {
            return Err(Failure::usage(format!(
                "--line {line_size}: a line has 1 to 65536 bytes"
            )));
        }
        let levels = lru_levels(&measuring.machine, line_size);
        Ok(Self {
            levels: levels.collect(),
            options: SymbolicOptions {
                line_size,
                alignment: measuring.alignment(),
                effort: measuring.effort,
                store: measuring.store.as_deref(),
            },
            classes,
        })
    }

    fn formulas(&self, tree: &NestTree) -> Result<FunctionFormulas, NoClosedForm> {
        formulas(tree, &self.levels, &self.residues(tree), self.options)
    }

    /// The class that is asked for, by the sizes of a function.
    pub(super) fn residues(&self, tree: &NestTree) -> BTreeMap<ParameterId, i64> {
        let residue = |(id, parameter): (ParameterId, &premiss_tree::Parameter)| {
            let is_open = parameter.value.is_none();
            let residue = self.classes.get(&parameter.name).filter(|_| is_open);
            residue.map(|residue| (id, *residue))
        };
        tree.parameters.iter().filter_map(residue).collect()
    }
}

/// The program with its sizes symbolic, and with the values that the source gives them.
pub(super) struct Inputs {
    pub(super) symbolic: Program,
    /// Where not even one name was said to be symbolic.
    plain: Option<Program>,
}

impl Inputs {
    pub(super) fn read(
        sources: &mut SourceMap,
        files: &[(FileId, ReadOptions)],
        options: &ReadOptions,
    ) -> Result<Self, Failure> {
        let plain = read_merged(sources, files);
        if !options.symbolic.is_empty() {
            return Ok(Self {
                symbolic: plain,
                plain: None,
            });
        }
        let names = plain.size_names.iter();
        let open: BTreeSet<String> = names
            .filter(|name| !options.sizes.contains_key(*name))
            .cloned()
            .collect();
        let mut all = files.to_vec();
        all.iter_mut()
            .for_each(|(_, x)| x.symbolic.clone_from(&open));
        let mut symbolic = read_merged(sources, &all);
        // What decides which lines of the text count keeps its value.
        let decides = |name: &String| {
            let quoted = format!("`{name}`");
            let notes = symbolic.diagnostics.iter();
            let mut notes = notes.filter(|note| note.code == "symbolic-size-in-condition");
            notes.any(|note| note.message.contains(&quoted))
        };
        let deciding: Vec<String> = open.iter().filter(|x| decides(x)).cloned().collect();
        if !deciding.is_empty() {
            for (_, options) in &mut all {
                options.symbolic.retain(|name| !deciding.contains(name));
            }
            symbolic = read_merged(sources, &all);
        }
        symbolic
            .unused_sizes
            .retain(|name| options.sizes.contains_key(name));
        Ok(Self {
            symbolic,
            plain: Some(plain),
        })
    }

    /// The same function with the values that the source gives to its sizes.
    pub(super) fn plain_of(&self, tree: &NestTree) -> Option<&NestTree> {
        let mut functions = self.plain.as_ref()?.functions.iter();
        functions.find(|plain| plain.function == tree.function)
    }

    /// The formulas of a function; where there are none in all of its sizes, those that hold for the
    /// values that the source gives.
    fn answer<'a>(
        &'a self,
        tree: &'a NestTree,
        asked: &Asked<'_>,
    ) -> (Answer<'a>, Option<Diagnostic>) {
        let why = match asked.formulas(tree) {
            Ok(found) => return ((tree, Ok(found)), None),
            Err(why) => why,
        };
        if let Some(plain) = self.plain_of(tree)
            && let Ok(found) = asked.formulas(plain)
        {
            let mut diagnostic = no_closed_form(tree, &why);
            diagnostic.severity = Severity::Note;
            diagnostic.message = format!(
                "`{}` has its formulas for the sizes that the source gives alone: {}",
                tree.function,
                why.message(tree)
            );
            diagnostic.help = Some("name the sizes to keep symbolic with -P NAME".to_owned());
            return ((plain, Ok(found)), Some(diagnostic));
        }
        let diagnostic = no_closed_form(tree, &why);
        ((tree, Err(why)), Some(diagnostic))
    }
}

pub(super) fn check_classes(
    program: &Program,
    classes: &BTreeMap<String, i64>,
) -> Result<(), Failure> {
    let trees = program.functions.iter();
    let open: BTreeSet<&str> = trees
        .flat_map(|tree| tree.parameters.values())
        .filter(|parameter| parameter.value.is_none())
        .map(|parameter| parameter.name.as_str())
        .collect();
    match classes.keys().find(|name| !open.contains(name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let suggestion = suggest(name, open);
            Err(Failure::usage(format!(
                "--class {name}: no function has a symbolic size of that name{suggestion}"
            )))
        }
    }
}

/// Inconclusive where there are functions and not one has formulas.
fn exit(answers: &[Answer<'_>], diagnostics: &[Diagnostic]) -> Exit {
    let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
    if answers.iter().any(|(_, answer)| answer.is_ok()) {
        Exit::Clean
    } else if !answers.is_empty() {
        Exit::Inconclusive
    } else if diagnostics.iter().any(is_error) {
        Exit::Failure
    } else {
        Exit::Clean
    }
}
