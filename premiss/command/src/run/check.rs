//! `premiss check`

use super::selection::{check_bases, read_all};
use crate::arguments::CheckArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::output::{self, Colours};
use crate::profile::Profiles;
use crate::repository::Repository;
use crate::targets::{Form, Target};
use clap::ArgMatches;
use premiss_analyze::{loop_coverage, measure};
use premiss_gate::formats::{self, Conditions, Results};
use premiss_gate::{Finding, findings, suppress};
use premiss_report::{CoverageReport, coverage_json, coverage_summary, render_diagnostics};
use premiss_source::{Diagnostic, Severity, SourceMap};
use std::collections::BTreeSet;

pub(crate) fn run(
    arguments: &CheckArguments,
    matches: &ArgMatches,
    colours: Colours,
) -> Result<Exit, Failure> {
    let targets = arguments.output.targets()?;
    let current = std::env::current_dir().map_err(|error| Failure::file(".", &error))?;
    let reading = flags::reading(&arguments.reading, matches)?;
    let measuring = flags::measuring(&arguments.measuring)?;
    let profile = Profiles::read(&arguments.profile.profile)?;
    let mut sources = SourceMap::new();
    let mut diagnostics = Vec::new();
    let mut found: Vec<Finding> = Vec::new();
    let mut read = BTreeSet::new();
    let mut report = CoverageReport::default();
    read_all(
        &mut sources,
        &arguments.input,
        (&arguments.reading, &reading),
        &mut |sources, (file, files), mut program| {
            if files.len() == 1 {
                check_bases(&program.functions, &measuring, "--base")?;
            }
            match program.diagnostics.iter().any(|x| x.code == "syntax") {
                true => report.partly_parsed.push(file),
                false => report.parsed += 1,
            }
            let loops = program.functions.iter().map(loop_coverage);
            report.without_arrays += loops.map(|found| found.without_arrays).sum::<u64>();
            profile.give(sources, files, &mut program)?;
            read.extend(files);
            let broken = program.broken_bounds();
            let analysis = measure(program, &measuring);
            diagnostics.extend(broken);
            found.extend(findings(&analysis));
            diagnostics.extend(analysis.diagnostics);
            let nests = analysis.functions.into_iter().flat_map(|x| x.nests);
            report.nests.extend(nests);
            Ok(())
        },
    )?;
    // What misses most is read first; what could not be understood comes after it.
    found.sort_by_key(|finding| std::cmp::Reverse(finding.bytes));
    // A header is looked at where something was found in it.
    read.extend(found.iter().filter_map(Finding::span).map(|span| span.file));
    let kept = suppress(&sources, &read, found);
    if 0 < kept.silenced {
        output::say(&format!(
            "note: comments silence {} findings\n",
            kept.silenced
        ));
    }
    let found = kept.findings;
    let diagnostics: Vec<Diagnostic> = kept.diagnostics.into_iter().chain(diagnostics).collect();
    let conditions = Conditions {
        machine: measuring.machine.name().to_owned(),
        machine_id: measuring.machine.id(),
        coverage: coverage_summary(&report.nests).trim_end().to_owned(),
    };
    let repository = Repository::around(&current);
    let path_of = |path: &str| repository.path_of(path);
    let results = Results::new(&sources, &path_of, &found, &diagnostics, conditions);
    let found = found.into_iter().map(|finding| finding.diagnostic);
    let diagnostics: Vec<Diagnostic> = found.chain(diagnostics).collect();
    for Target { form, file } in &targets {
        let file = file.as_deref();
        let text = match form {
            Form::Json => coverage_json(&sources, &report, &diagnostics),
            Form::Text => {
                let text = render_diagnostics(&sources, &diagnostics, colours.data(file));
                text + &coverage_summary(&report.nests)
            }
            Form::Sarif => formats::sarif(&results),
            Form::Github => formats::github(&results),
            Form::Gitlab => formats::gitlab(&results),
            Form::Junit => formats::junit(&results),
            Form::Markdown => formats::markdown(&results),
        };
        output::write(file, &text)?;
        if *form == Form::Github && 0 < formats::without_annotation(&results) {
            output::summarise_step(&formats::markdown(&results))?;
        }
    }
    let is_finding = |diagnostic: &Diagnostic| Severity::Note < diagnostic.severity;
    Ok(match diagnostics.iter().any(is_finding) {
        true if !arguments.exit_zero => Exit::Findings,
        _ => Exit::Clean,
    })
}
