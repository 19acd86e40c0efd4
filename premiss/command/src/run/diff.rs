//! `premiss diff`

use crate::arguments::DiffArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::invocation::Invocation;
use crate::output;
use crate::targets::Target;
use premiss_analyze::{MeasureOptions, MeasureScope};
use premiss_check::{
    Comparison, DiffOutcome, DiffRequest, FileList, InputRequest, OutputForm, diff, saved_base_file,
};
use premiss_gate::{KernelLimits, Limits, Verdict, metric_names};

pub(crate) fn run(arguments: &DiffArguments, invocation: Invocation<'_>) -> Result<Exit, Failure> {
    let targets = arguments.output.targets()?;
    if targets.iter().any(|x| x.form == OutputForm::Callgrind) {
        return Err(Failure::usage(
            "--format callgrind: a profile is of one program; `premiss check` writes it",
        ));
    }
    let reading = flags::reading(&arguments.reading, invocation.matches)?;
    let measuring = MeasureOptions {
        scope: MeasureScope::Misses,
        ..flags::measuring(&arguments.measuring)?
    };
    let request = DiffRequest {
        base: arguments.revision.as_deref(),
        paths: &arguments.paths,
        saves: arguments.save.is_some(),
        options: &flags::input_options(&arguments.reading),
        reading: &reading,
        measuring: &measuring,
        policy_changes: &arguments.policy_changes,
        limits: &limits(arguments, &measuring)?,
        host: invocation.host,
    };
    if arguments.show_files {
        return show_files(arguments, &request);
    }
    match diff(&request)? {
        DiffOutcome::Inconclusive(why) => {
            output::say(&format!("inconclusive: {why}\n"));
            Ok(Exit::Inconclusive)
        }
        DiffOutcome::SavedAlone { json, nests } => {
            if let Some(file) = &arguments.save {
                output::write(Some(file), &json)?;
                output::say(&format!("note: `{file}` has {nests} nests\n"));
            }
            Ok(Exit::Clean)
        }
        DiffOutcome::Compared(comparison) => {
            let verdict = comparison.verdict();
            write(arguments, &targets, *comparison, invocation)?;
            Ok(match verdict {
                Verdict::Exceeds if arguments.exit_zero => Exit::Clean,
                Verdict::Exceeds => Exit::Findings,
                Verdict::Undecided => Exit::Inconclusive,
                Verdict::Within => Exit::Clean,
            })
        }
    }
}

/// Lists the files of the head, or of both folders, and those that only the base has.
fn show_files(arguments: &DiffArguments, request: &DiffRequest<'_>) -> Result<Exit, Failure> {
    let current = [".".to_owned()];
    let inputs = InputRequest {
        paths: match arguments.paths.is_empty() {
            true => &current,
            false => &arguments.paths,
        },
        stdin_filename: "",
        options: request.options,
        reading: request.reading,
        host: request.host,
    };
    let revision = request.base.filter(|name| saved_base_file(name).is_none());
    let files = match revision {
        Some(revision) => FileList::new(&inputs)?.since(revision, &inputs)?,
        None => FileList::new(&inputs)?,
    };
    output::write(None, &files.text())?;
    Ok(Exit::Clean)
}

/// Writes a comparison in each form to its file; pages come last, because they take more work.
fn write(
    arguments: &DiffArguments,
    targets: &[Target],
    comparison: Comparison<'_>,
    invocation: Invocation<'_>,
) -> Result<(), Failure> {
    if comparison.verdict() == Verdict::Undecided {
        // Diagnostics explain unknown counts, so they are shown only where these matter.
        output::say(&comparison.diagnostics(invocation.colours.stderr));
    }
    write_forms(targets, &comparison)?;
    if let Some(file) = &arguments.save {
        output::write(Some(file), &comparison.saved_base())?;
    }
    let mut pages = targets
        .iter()
        .filter(|x| x.form == OutputForm::Html)
        .peekable();
    if pages.peek().is_none() {
        return Ok(());
    }
    let page = comparison.into_page()?;
    pages.try_for_each(|target| output::write(target.file.as_deref(), &page))
}

fn write_forms(targets: &[Target], comparison: &Comparison<'_>) -> Result<(), Failure> {
    let report = comparison.report();
    for Target { form, file } in targets {
        let Some(text) = report.render(*form) else {
            continue;
        };
        match form {
            OutputForm::Github => output::write_commands(file.as_deref(), &text)?,
            _ => output::write(file.as_deref(), &text)?,
        }
        if *form == OutputForm::Github && 0 < report.without_annotation() {
            output::summarise_step(&report.markdown())?;
        }
    }
    Ok(())
}

/// The limits of all kernels, and those that settings give to some by the names of their functions.
fn limits(arguments: &DiffArguments, measuring: &MeasureOptions) -> Result<KernelLimits, Failure> {
    let metrics = metric_names(&measuring.machine);
    let parse = |text: &str, what: &str| {
        let limits = Limits::parse(text, &metrics);
        limits.map_err(|error| Failure::usage(format!("{what} {error}")))
    };
    let all = match &arguments.limit {
        Some(text) => parse(text, "--limit")?,
        None => Limits::default(),
    };
    let of_some = arguments.limits.iter().map(|(glob, text)| {
        let what = format!("[limits] \"{glob}\":");
        Ok((glob.clone(), parse(text, &what)?))
    });
    let of_some = of_some.collect::<Result<_, Failure>>()?;
    let limits = KernelLimits::new(of_some, all);
    let mut limits = limits.map_err(|error| Failure::usage(format!("[limits] {error}")))?;
    limits.sizes = arguments.size_range;
    Ok(limits)
}
