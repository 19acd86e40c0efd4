//! Diagnostics for functions that could not be counted, with help.

use crate::budget_share::BudgetScope;
use crate::count_error::CountError;
use crate::example_sizes::unknown_sizes;
use crate::options::{Engine, MeasureOptions, MeasureScope};
use crate::shell_word::shell_word;
use crate::task::{Outcomes, Task, TaskOutcome, errors, steps_per_run};
use premiss_cache::CacheError;
use premiss_formulas::NoClosedForm;
use premiss_machine::{CacheChain, chains};
use premiss_presburger::Refusal;
use premiss_scop::{ExpressionSite, Reject};
use premiss_source::{Diagnostic, Label, Severity, Span, UnknownSize};
use premiss_trace::TraceError;
use premiss_tree::NestTree;

/// The code of notes on functions whose misses are estimated.
pub const ESTIMATED: &str = "estimated-levels";

/// The code of notes on functions of which levels are estimated from samples.
pub const SAMPLED: &str = "sampled-levels";

/// The code of notes on functions whose misses are counted, but not told apart by their causes.
const UNCLASSIFIED: &str = "unclassified-misses";

/// The code of diagnostics on functions whose share of the budget of a run does not suffice.
pub const SHARED_BUDGET: &str = "shared-budget";

/// One diagnostic for each way in which a task of the function failed.
pub(crate) fn describe(
    tree: &NestTree,
    outcomes: &Outcomes,
    options: &MeasureOptions,
) -> Vec<Diagnostic> {
    let has_accesses = options.engine != Engine::Trace
        && outcomes
            .iter()
            .any(|(task, outcome)| *task == Task::Accesses && outcome.is_ok());
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    // Unknown traffic between levels is shown as unknown, without a diagnostic.
    let counted = outcomes
        .iter()
        .filter(|(task, _)| !matches!(task, Task::Traffic(_)));
    let errors =
        counted.flat_map(|(task, outcome)| errors(outcome).map(move |error| (task, error)));
    for (task, error) in errors {
        let diagnostic = match error {
            CountError::Trace(TraceError::Budget(steps))
                if has_accesses && has_misses(task, outcomes) =>
            {
                // A report says so below its levels.
                if options.scope == MeasureScope::Everything {
                    continue;
                }
                unclassified(tree, task, *steps, options)
            }
            CountError::Trace(TraceError::Budget(_)) if has_accesses => {
                beyond_budget(tree, options)
            }
            CountError::Trace(error) => trace_error(tree, error, options),
            CountError::Closed(why) => no_closed_form(tree, why),
            CountError::Sets => undecided_sets(tree),
        };
        if !diagnostics.contains(&diagnostic) {
            diagnostics.push(diagnostic);
        }
    }
    // A report has intervals beside the levels.
    if options.scope != MeasureScope::Everything {
        diagnostics.extend(sampled(tree, outcomes, options));
    }
    diagnostics
}

/// The note on levels that are estimated from samples.
fn sampled(tree: &NestTree, outcomes: &Outcomes, options: &MeasureOptions) -> Option<Diagnostic> {
    let mut names = options.machine.levels().map(|(name, _)| name);
    let mut sampled = Vec::new();
    for chain in chains(&options.machine, options.hierarchy) {
        let of_chain: Vec<&str> = names.by_ref().take(chain.levels.len()).collect();
        let task = Task::Misses(chain);
        let own = outcomes.iter().find(|(other, _)| *other == task);
        if let Some((_, Ok(TaskOutcome::Misses(levels)))) = own {
            let levels = of_chain.into_iter().zip(levels);
            let levels =
                levels.filter(|(_, level)| level.as_ref().is_ok_and(|x| x.total.is_some()));
            sampled.extend(levels.map(|(name, _)| name));
        }
    }
    let help = shared_budget_help(options).unwrap_or_else(|| {
        "--exact counts on, and so does --budget with more steps; --effort lets closed forms decide more".to_owned()
    });
    (!sampled.is_empty()).then(|| Diagnostic {
        code: SAMPLED,
        severity: Severity::Note,
        message: format!(
            "misses of `{}` in {} are estimated from samples: what is judged by them holds with a probability of 95 %",
            tree.function,
            sampled.join(", ")
        ),
        labels: vec![label(tree.span, "counting takes more than its budget")],
        help: Some(help),
        sizes: Vec::new(),
    })
}

/// The diagnostic for a function whose accesses are known but whose trace exceeds the budget.
fn beyond_budget(tree: &NestTree, options: &MeasureOptions) -> Diagnostic {
    let function = &tree.function;
    let (steps, budget) = (steps_per_run(options), options.budget);
    let chains = chains(&options.machine, options.hierarchy);
    let has_estimates =
        |chain: &CacheChain| (0..chain.levels.len()).all(|idx| chain.heeds_distance(idx));
    let message = match chains.iter().all(has_estimates) {
        true => format!("some set-associative levels of `{function}` are estimated, not counted"),
        false => format!(
            "levels of `{function}` that have to be traced are not counted, or estimated where they are \
             LRU and see every access"
        ),
    };
    let help = shared_budget_help(options).unwrap_or_else(|| {
        format!(
            "one run takes more than {steps} steps, its share of the budget: raise --budget (now {budget}), or give \
             smaller sizes with -P"
        )
    });
    Diagnostic {
        code: shared_or(ESTIMATED, options),
        severity: Severity::Note,
        message,
        labels: vec![label(tree.span, "its trace exceeds the budget")],
        help: Some(help),
        sizes: Vec::new(),
    }
}

/// Whether a task counts distances of lines whose levels have their misses without them.
fn has_misses(task: &Task, outcomes: &Outcomes) -> bool {
    let Task::Histograms(line) = task else {
        return false;
    };
    outcomes.iter().all(|(task, outcome)| {
        let Task::Misses(chain) = task else {
            return true;
        };
        let is_counted = |idx: usize| match outcome {
            Ok(TaskOutcome::Misses(levels)) => levels
                .get(idx)
                .is_some_and(|level| level.as_ref().is_ok_and(|x| x.total.is_none())),
            _ => false,
        };
        let mut levels = chain.levels.iter().enumerate();
        levels.all(|(idx, level)| level.geometry.line_size != *line || is_counted(idx))
    })
}

/// The note that misses are counted, but not told apart by their causes, as distances take more than `steps` steps.
fn unclassified(tree: &NestTree, task: &Task, steps: u64, options: &MeasureOptions) -> Diagnostic {
    let levels = options.machine.levels();
    let levels = levels.filter(|(_, geometry)| *task == Task::Histograms(geometry.line_size));
    let names: Vec<&str> = levels.map(|(name, _)| name).collect();
    Diagnostic {
        code: UNCLASSIFIED,
        severity: Severity::Note,
        message: format!(
            "misses of `{}` in {} are counted, but which are for want of capacity is not known",
            tree.function,
            names.join(", ")
        ),
        labels: vec![label(
            tree.span,
            &format!("its reuse distances take more than {steps} steps to trace"),
        )],
        help: Some(
            "--exact traces them to the end, and so does --budget with more steps".to_owned(),
        ),
        sizes: Vec::new(),
    }
}

/// The code of a diagnostic on a budget that does not suffice.
fn shared_or(code: &'static str, options: &MeasureOptions) -> &'static str {
    match options.budget_scope {
        BudgetScope::Share(halvings) if 0 < halvings => SHARED_BUDGET,
        _ => code,
    }
}

/// What to do where the budget does not suffice because many functions share it; `None` where they do not.
fn shared_budget_help(options: &MeasureOptions) -> Option<String> {
    let BudgetScope::Share(halvings @ 1..) = options.budget_scope else {
        return None;
    };
    let part = 1_u64 << halvings;
    Some(format!(
        "the functions of this run share its budget, 1/{part} of it for each: give fewer files or smaller sizes (-P), or \
         count each by itself with --budget (1/{part}: {}) or --exact",
        options.budget
    ))
}

/// What to do without a closed form.
const TRACE_HELP: &str =
    "use `premiss report` with a value for each size (-P NAME=1000), which runs the loops";

/// The warning that a function has no closed form, for runs that use closed forms only.
#[must_use]
pub fn no_closed_form(tree: &NestTree, why: &NoClosedForm) -> Diagnostic {
    let function = &tree.function;
    let (span, text) = match why {
        NoClosedForm::Rejected(reject) => (place(tree, reject), "there is no closed form of this"),
        NoClosedForm::Refused { .. }
        | NoClosedForm::Placement(_)
        | NoClosedForm::ManyPieces(_)
        | NoClosedForm::SetPlacement => (tree.span, "its numbers are unknown"),
    };
    let help = match why {
        NoClosedForm::Rejected(_) => TRACE_HELP,
        NoClosedForm::Refused {
            refusal: Refusal::Budget,
            ..
        } => {
            "raise --effort, or use `premiss report` with a value for each size, which runs the loops"
        }
        NoClosedForm::Refused { .. } | NoClosedForm::ManyPieces(_) | NoClosedForm::SetPlacement => {
            TRACE_HELP
        }
        NoClosedForm::Placement(_) => {
            "choose another --layout, or use `premiss report` with a value for each size, which runs the loops"
        }
    };
    Diagnostic {
        code: "no-closed-form",
        severity: Severity::Warning,
        message: format!("`{function}` has no closed form: {}", why.message(tree)),
        labels: vec![label(span, text)],
        help: Some(help.to_owned()),
        sizes: Vec::new(),
    }
}

/// The diagnostic for a function whose misses in some level neither a closed form tells nor a trace that may be run.
fn undecided_sets(tree: &NestTree) -> Diagnostic {
    Diagnostic {
        code: "no-closed-form",
        severity: Severity::Warning,
        message: format!("not all misses of `{}` have a closed form", tree.function),
        labels: vec![label(
            tree.span,
            "its misses in levels that are not LRU, or where too many lines may share a set, are unknown",
        )],
        help: Some("leave out --engine closed, so that these levels are traced".to_owned()),
        sizes: Vec::new(),
    }
}

/// The place in the source that a rejection concerns.
fn place(tree: &NestTree, reject: &Reject) -> Span {
    match reject {
        Reject::Expression { place, .. } => match place {
            ExpressionSite::Address(id) => tree.references[*id].span,
            ExpressionSite::Header(id) | ExpressionSite::Condition(Some(id)) => {
                tree.loops[*id].span
            }
            ExpressionSite::Condition(None) => tree.span,
        },
        Reject::Opaque(id) => tree.rejections[*id].span,
        Reject::Step(id) | Reject::EndlessLoop(id) => tree.loops[*id].span,
        Reject::Straddles(id) | Reject::OutOfBounds(id) => tree.references[*id].span,
        Reject::UnalignedBase(id) | Reject::ShortRows(id) | Reject::SharedLine(id, _) => {
            tree.arrays[*id].span
        }
        Reject::MissingSize(id) => tree.parameters[*id].span,
        Reject::NoSizes | Reject::Question(_) => tree.span,
    }
}

/// The diagnostic for a function whose trace failed; `options` gives the budget that it names.
#[must_use]
pub fn trace_error(tree: &NestTree, error: &TraceError, options: &MeasureOptions) -> Diagnostic {
    let function = &tree.function;
    let whole = || vec![label(tree.span, "its numbers are unknown")];
    let sizes = match error {
        TraceError::MissingSizes(names) => unknown_sizes(tree, names),
        _ => Vec::new(),
    };
    let (code, message, labels, help) = match error {
        TraceError::MissingSizes(_) => missing_sizes(tree, &sizes),
        TraceError::Budget(steps) => (
            shared_or("budget-exhausted", options),
            format!(
                "a run over `{function}` takes more than {steps} steps, its share of the budget of {} steps",
                options.budget
            ),
            whole(),
            shared_budget_help(options).unwrap_or_else(|| {
                format!(
                    "raise --budget (now {}), or give smaller sizes with -P",
                    options.budget
                )
            }),
        ),
        TraceError::Memory(bytes) => (
            "too-much-memory",
            format!(
                "`{function}` touches too many lines: the trace would need more than {} MiB for them",
                bytes >> 20
            ),
            whole(),
            "give smaller sizes with -P, or a formula with --engine closed".to_owned(),
        ),
        TraceError::AddressOverflow(element) => (
            "address-overflow",
            format!("`{element}` of `{function}` does not fit a 63-bit address space"),
            whole(),
            "give smaller sizes with -P, or place the array elsewhere".to_owned(),
        ),
        TraceError::EndlessLoop(id) => (
            "endless-loop",
            format!("a loop of `{function}` never ends at these sizes"),
            vec![label(
                tree.loops[*id].span,
                "its step leads away from its bound, or over it, or an unsigned number in its bounds wraps around",
            )],
            "check the direction of the step and the comparison".to_owned(),
        ),
        TraceError::TooManyAccesses => (
            "too-many-accesses",
            format!("`{function}` makes more than 2^62 accesses, which are not counted"),
            whole(),
            "give smaller sizes with -P".to_owned(),
        ),
        TraceError::Cache(CacheError::Geometry(_)) => (
            "impossible-level",
            format!("`{function}`: {error}"),
            whole(),
            "describe a smaller level".to_owned(),
        ),
        TraceError::Cache(CacheError::TreeWays(_) | CacheError::Lines(_)) => (
            "impossible-level",
            format!("`{function}`: {error}"),
            whole(),
            "describe another level, or choose another --hierarchy".to_owned(),
        ),
    };
    Diagnostic {
        code,
        severity: Severity::Warning,
        message,
        labels,
        help: Some(help),
        sizes,
    }
}

fn missing_sizes(
    tree: &NestTree,
    sizes: &[UnknownSize],
) -> (&'static str, String, Vec<Label>, String) {
    let listed: Vec<_> = sizes.iter().map(|x| format!("`{}`", x.name)).collect();
    let message = format!(
        "`{}` cannot be counted without a value for {}",
        tree.function,
        listed.join(", ")
    );
    let labels = sizes.iter().map(|size| {
        let text = format!("the value of `{}` is not known", size.name);
        label(size.span, &text)
    });
    let flags: Vec<_> = sizes.iter().map(size_argument).collect();
    let help = format!("give it one, such as {}", flags.join(" "));
    ("missing-size", message, labels.collect(), help)
}

/// `-P n=1000`, quoted for a shell where its name needs it
#[must_use]
pub fn size_argument(size: &UnknownSize) -> String {
    let value = format!("{}={}", size.name, size.example);
    format!("-P {}", shell_word(&value))
}

fn label(span: Span, text: &str) -> Label {
    let text = text.to_owned();
    Label { span, text }
}
