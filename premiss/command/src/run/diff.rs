//! `premiss diff`

mod side;

use self::side::Read;
use super::selection::check_sizes;
use crate::arguments::{DiffArguments, Format};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::git::Revision;
use crate::output::{self, Colours};
use clap::ArgMatches;
use premiss_analyze::{Analysis, MeasureOptions, Program, ReadOptions, Wanted, measure};
use premiss_gate::{
    Delta, Kernel, Limits, Side, Verdict, delta_json, delta_text, kernels, matching, metric_names,
    share_sizes,
};
use premiss_report::{coverage_summary, render_diagnostics};
use premiss_source::{Diagnostic, Severity};
use std::collections::BTreeSet;

pub(crate) fn run(
    arguments: &DiffArguments,
    matches: &ArgMatches,
    colours: Colours,
) -> Result<Exit, Failure> {
    let reading = flags::reading(&arguments.reading, matches)?;
    let measuring = MeasureOptions {
        wanted: Wanted::Misses,
        ..flags::measuring(&arguments.measuring)?
    };
    let limits = limits(arguments, &measuring)?;
    let (mut base, mut head) = read(arguments, &reading)?;
    check_shared_sizes(&base, &head, &reading)?;
    let (old, new) = (kernels_of(&base), kernels_of(&head));
    let pairs = matching(&old, &new);
    let shared = share_sizes(
        &pairs,
        (&old, &mut base.program.functions),
        (&new, &mut head.program.functions),
    );
    say_one_sided(&base, &head, &reading, &shared);
    let unparsed = unparsed(&base, &head);
    let before = measure(std::mem::take(&mut base.program), &measuring);
    let after = measure(std::mem::take(&mut head.program), &measuring);
    let said = render_diagnostics(&head.sources, &after.diagnostics, colours.stderr);
    output::say(&said);
    let sides = (side(&base, &before, &old), side(&head, &after, &new));
    let delta = Delta::new(&pairs, sides, &limits, unparsed);
    let text = rendered(&delta, (&base.name, &head.name), &after, arguments);
    output::write(arguments.output.output.as_deref(), &text)?;
    Ok(match delta.verdict() {
        Verdict::Exceeds if arguments.exit_zero => Exit::Clean,
        Verdict::Exceeds => Exit::Findings,
        Verdict::Undecided => Exit::Inconclusive,
        Verdict::Within => Exit::Clean,
    })
}

fn rendered(
    delta: &Delta,
    (base, head): (&str, &str),
    after: &Analysis,
    arguments: &DiffArguments,
) -> String {
    let machine = after.machine.name();
    match arguments.output.format {
        Format::Json => delta_json(delta, base, head, machine),
        Format::Text => {
            let nests = after.functions.iter().flat_map(|x| x.nests.iter().cloned());
            delta_text(delta, base, head, machine) + &coverage_summary(&nests.collect::<Vec<_>>())
        }
    }
}

fn limits(arguments: &DiffArguments, measuring: &MeasureOptions) -> Result<Limits, Failure> {
    let Some(text) = &arguments.limit else {
        return Ok(Limits::default());
    };
    let limits = Limits::parse(text, &metric_names(&measuring.machine));
    limits.map_err(|error| Failure::usage(format!("--limit {error}")))
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
        .filter(|name| in_base.contains(name) || base.files.is_empty())
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
/// in those nobody compared.
fn unparsed(base: &Read, head: &Read) -> Option<String> {
    let places = |side: &Read, program: &Program| -> BTreeSet<(String, String)> {
        let is_lost = |x: &&Diagnostic| x.code == "syntax" || x.severity == Severity::Error;
        let lost = program.diagnostics.iter().filter(is_lost);
        let place = |x: &Diagnostic| {
            let span = x.labels.first().map(|label| label.span)?;
            let text = side.sources.text(span);
            Some((side.key(span.file), format!("{}{text}", x.message)))
        };
        lost.filter_map(place).collect()
    };
    let (old, new) = (places(base, &base.program), places(head, &head.program));
    let differs = old.symmetric_difference(&new).next();
    differs.map(|(file, _)| file.clone())
}

fn side<'a>(read: &'a Read, analysis: &'a Analysis, kernels: &'a [Kernel]) -> Side<'a> {
    Side {
        sources: &read.sources,
        functions: &analysis.functions,
        kernels,
    }
}
