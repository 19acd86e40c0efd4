//! `premiss diff`

mod page;
mod saved;
mod side;
mod written;

use self::saved::Opened;
use self::side::{Lost, Read};
use super::selection::{check_bases, check_sizes};
use crate::arguments::DiffArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::git::Revision;
use crate::output::{self, Colours};
use crate::progress::Progress;
use crate::targets::Form;
use clap::ArgMatches;
use premiss_analyze::{
    Analysis, MeasureOptions, MeasureScope, ReadOptions, SymbolicOptions, measure,
};
use premiss_gate::{
    ComparedProgram, Delta, Kernel, KernelLimits, Limits, SavedBase, Verdict, kernels, matching,
    metric_names, share_saved_sizes, share_sizes,
};
use premiss_report::render_diagnostics;
use std::collections::BTreeSet;

/// What places arrays here: `--base` names what is compared with.
const ARRAY_BASE: &str = "--array-base";

pub(crate) fn run(
    arguments: &DiffArguments,
    matches: &ArgMatches,
    colours: Colours,
) -> Result<Exit, Failure> {
    let targets = arguments.output.targets()?;
    if targets.iter().any(|target| target.form == Form::Callgrind) {
        return Err(Failure::usage(
            "--format callgrind: a profile is of one program; `premiss check` writes it",
        ));
    }
    let reading = flags::reading(&arguments.reading, matches)?;
    let measuring = MeasureOptions {
        scope: MeasureScope::Misses,
        ..flags::measuring_with(&arguments.measuring, ARRAY_BASE)?
    };
    let limits = limits(arguments, &measuring)?;
    let asked = Asked {
        arguments,
        reading: &reading,
        measuring: &measuring,
    };
    let saved = match saved::open(&asked)? {
        Opened::Base(saved) => Some(saved),
        Opened::NoFile => None,
        Opened::Inconclusive(why) => {
            output::say(&format!("inconclusive: {why}\n"));
            return Ok(Exit::Inconclusive);
        }
    };
    if saved::is_all(arguments) {
        return saved::save_alone(&asked);
    }
    let (mut base, mut head) = match &saved {
        Some(saved) => saved::read(&asked, saved)?,
        None => read(arguments, &reading)?,
    };
    check_shared_sizes(&base, &head, &reading)?;
    let functions = [&base, &head].map(|side| &side.program.functions);
    check_bases(functions.into_iter().flatten(), &measuring, ARRAY_BASE)?;
    let new = kernels_of(&head);
    let old = saved
        .as_ref()
        .map_or_else(|| kernels_of(&base), SavedBase::kernels);
    let pairs = matching(&old, &new);
    let trees = &mut head.program.functions;
    let shared = match &saved {
        Some(saved) => share_saved_sizes(&pairs, saved, (&new, trees)),
        None => share_sizes(&pairs, (&old, &mut base.program.functions), (&new, trees)),
    };
    say_one_sided(&base, &head, &reading, &shared);
    let lost = head.lost();
    let unparsed = match &saved {
        Some(saved) => differing(&saved.conditions.unparsed, &lost),
        None => differing(&base.lost(), &lost),
    };
    let before = counted(&mut base, &measuring);
    let after = counted(&mut head, &measuring);
    let base_side = ComparedProgram {
        saved: saved.as_ref(),
        ..side(&base, &before, &old)
    };
    let head_side = side(&head, &after, &new);
    let sides = (base_side, head_side);
    let delta = Delta::new(&pairs, sides, &limits, symbolic(&measuring), unparsed);
    if delta.verdict() == Verdict::Undecided {
        // Why something is not known is of interest where that matters.
        let said = render_diagnostics(&head.sources, &after.diagnostics, colours.stderr);
        output::say(&said);
    }
    written::write(&targets, &delta, (&base, &head), &after)?;
    if let Some(file) = &arguments.save {
        saved::write(file, &asked, head_side, lost)?;
    }
    let outcome = page::Outcome {
        asked: &asked,
        delta: &delta,
        pairs: &pairs,
        saved: saved.as_ref(),
        kernels: (&old, &new),
    };
    page::write(&targets, &outcome, (base, before), (head, after))?;
    Ok(match delta.verdict() {
        Verdict::Exceeds if arguments.exit_zero => Exit::Clean,
        Verdict::Exceeds => Exit::Findings,
        Verdict::Undecided => Exit::Inconclusive,
        Verdict::Within => Exit::Clean,
    })
}

fn counted(side: &mut Read, measuring: &MeasureOptions) -> Analysis {
    let _progress = Progress::new("counting", side.n_files());
    measure(std::mem::take(&mut side.program), measuring)
}

/// What a comparison is asked for.
struct Asked<'a> {
    arguments: &'a DiffArguments,
    reading: &'a ReadOptions,
    measuring: &'a MeasureOptions,
}

/// How closed forms are compared where sizes have no values.
fn symbolic(measuring: &MeasureOptions) -> SymbolicOptions<'_> {
    SymbolicOptions {
        line_size: 64,
        alignment: measuring.alignment(),
        effort: measuring.effort,
        store: measuring.store.as_deref(),
    }
}

/// Limits of all kernels, and those that settings give some by the names of their functions.
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
    KernelLimits::new(of_some, all).map_err(|error| Failure::usage(format!("[limits] {error}")))
}

/// Reads the base and the head.
fn read(arguments: &DiffArguments, options: &ReadOptions) -> Result<(Read, Read), Failure> {
    let reading = &arguments.reading;
    match (&arguments.revision, arguments.paths.as_slice()) {
        (Some(name), paths) => {
            let revision = Revision::open(name)?;
            let head = Read::head(paths, reading, options, &revision)?;
            let base = Read::base(name, revision, &head, (reading, options))?;
            Ok((base, head))
        }
        (None, [base, head]) => {
            let base = Read::path(base, reading, options)?;
            Ok((base, Read::path(head, reading, options)?))
        }
        (None, _) => Err(Failure::usage(
            "diff compares two files or folders, as in `premiss diff old.c new.c`, or files with a revision \
             of git, as in `premiss diff --base origin/main src/`",
        )),
    }
}

/// A size has to be used on one side: it may have had another name on the other.
fn check_shared_sizes(base: &Read, head: &Read, options: &ReadOptions) -> Result<(), Failure> {
    let unused = head.program.unused_sizes.iter();
    let in_base = &base.program.unused_sizes;
    let unused: Vec<String> = unused
        .filter(|name| flags::mention(options, name))
        .filter(|name| in_base.contains(name) || base.is_empty())
        .cloned()
        .collect();
    check_sizes(&unused, &head.program.size_names, &head.name)
}

/// Says which sizes only one side uses: a macro with another name has its own value there.
fn say_one_sided(base: &Read, head: &Read, options: &ReadOptions, shared: &BTreeSet<String>) {
    for (side, name) in [(base, "head"), (head, "base")] {
        let unused = side.program.unused_sizes.iter();
        let unused = unused.filter(|size| flags::mention(options, size));
        for size in unused.filter(|size| !shared.contains(*size)) {
            output::say(&format!(
                "note: -P {size}: only the {name} uses a size of that name; if it was renamed, give the other \
                 name the same value\n"
            ));
        }
    }
}

fn kernels_of(side: &Read) -> Vec<Kernel> {
    kernels(side.program.functions.iter(), |tree| {
        side.key(tree.span.file)
    })
}

/// A file of which parts were not parsed that were parsed on the other side, or may have been: what is
/// in those nobody compared. The same text may have moved to another file.
fn differing(old: &Lost, new: &Lost) -> Option<String> {
    let n_of = |all: &Lost, what: &str| all.get(what).map_or(0, Vec::len);
    let mut all = old.iter().chain(new);
    let differs = all.find(|(what, _)| n_of(old, what) != n_of(new, what));
    differs.and_then(|(_, files)| files.first().cloned())
}

fn side<'a>(read: &'a Read, analysis: &'a Analysis, kernels: &'a [Kernel]) -> ComparedProgram<'a> {
    ComparedProgram {
        sources: &read.sources,
        functions: &analysis.functions,
        kernels,
        saved: None,
    }
}
