//! What rules find in a program, and what could not be understood or counted: for `check` and `baseline`.

use super::selection::{check_bases, read_all};
use crate::arguments::SubjectArguments;
use crate::failure::Failure;
use crate::flags;
use crate::output;
use crate::profile::Profiles;
use crate::repository::Repository;
use crate::settings::{Level, RuleLevels};
use clap::ArgMatches;
use premiss_analyze::{Coverage, MeasureOptions, NestCoverage, loop_coverage, measure};
use premiss_gate::formats::{Conditions, Results};
use premiss_gate::{Finding, findings, suppress};
use premiss_machine::Machine;
use premiss_report::{CallgrindProfile, CoverageReport, coverage_summary};
use premiss_source::{Diagnostic, FileId, SourceMap};
use std::collections::{BTreeMap, BTreeSet};

/// All that there is to say of a program.
pub(super) struct Checked {
    pub(super) sources: SourceMap,
    /// Findings, then diagnostics: the results are of the same, in this order.
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) results: Results,
    pub(super) report: CoverageReport,
    /// What every line costs.
    pub(super) profile: CallgrindProfile,
    pub(super) machine: Machine,
    /// Nests of each file that was asked for, by its path from the root of the repository.
    pub(super) coverage: BTreeMap<String, Coverage>,
    /// The files that were read, by the same paths.
    pub(super) files: BTreeSet<String>,
    pub(super) repository: Repository,
}

/// What was found, before anybody is told.
#[derive(Default)]
struct Found {
    sources: SourceMap,
    findings: Vec<Finding>,
    diagnostics: Vec<Diagnostic>,
    /// The files that were asked for.
    read: BTreeSet<FileId>,
    report: CoverageReport,
    profile: CallgrindProfile,
}

/// Reads and counts what the options name, and asks all rules.
///
/// # Errors
///
/// What keeps the files from being read.
pub(super) fn checked(
    arguments: &SubjectArguments,
    matches: &ArgMatches,
) -> Result<Checked, Failure> {
    let current = std::env::current_dir().map_err(|error| Failure::file(".", &error))?;
    let measuring = flags::measuring(&arguments.measuring)?;
    let repository = Repository::around(&current);
    let path_of = |path: &str| repository.path_of(path);
    let mut found = found(arguments, matches, &measuring, &path_of)?;
    let files = found.read.iter();
    let mut coverage: BTreeMap<String, Coverage> = files
        .map(|file| {
            (
                path_of(found.sources.file(*file).path()),
                Coverage::default(),
            )
        })
        .collect();
    for nest in &found.report.nests {
        let path = path_of(found.sources.file(nest.span.file).path());
        *coverage.entry(path).or_default() += Coverage::of(std::slice::from_ref(nest));
    }
    // What misses most is read first; what could not be understood comes after it.
    let bytes = |finding: &Finding| std::cmp::Reverse(finding.bytes);
    found.findings.sort_by_key(bytes);
    silence(&mut found);
    weigh(&mut found, &arguments.levels);
    let conditions = conditions(&measuring, &found.report.nests);
    let (sources, findings) = (found.sources, found.findings);
    let results = Results::new(
        &sources,
        &path_of,
        &findings,
        &found.diagnostics,
        conditions,
    );
    let of_rules = findings.into_iter().map(|finding| finding.diagnostic);
    let files = sources
        .files()
        .map(|(_, file)| path_of(file.path()))
        .collect();
    Ok(Checked {
        diagnostics: of_rules.chain(found.diagnostics).collect(),
        results,
        report: found.report,
        profile: found.profile,
        machine: measuring.machine,
        coverage,
        files,
        repository,
        sources,
    })
}

fn conditions(measuring: &MeasureOptions, nests: &[NestCoverage]) -> Conditions {
    Conditions {
        machine: measuring.machine.name().to_owned(),
        machine_id: measuring.machine.id(),
        coverage: coverage_summary(nests).trim_end().to_owned(),
        held_back: None,
    }
}

fn found(
    arguments: &SubjectArguments,
    matches: &ArgMatches,
    measuring: &MeasureOptions,
    path_of: &dyn Fn(&str) -> String,
) -> Result<Found, Failure> {
    let reading = flags::reading(&arguments.reading, matches)?;
    let profile = Profiles::read(&arguments.profile.profile)?;
    let mut found = Found::default();
    let mut sources = SourceMap::new();
    read_all(
        &mut sources,
        &arguments.input,
        (&arguments.reading, &reading),
        &mut |sources, (file, files), mut program| {
            if files.len() == 1 {
                check_bases(&program, measuring)?;
            }
            let report = &mut found.report;
            match program.diagnostics.iter().any(|x| x.code == "syntax") {
                true => report.partly_parsed.push(file),
                false => report.parsed += 1,
            }
            let loops = program.functions.iter().map(loop_coverage);
            report.without_arrays += loops.map(|found| found.without_arrays).sum::<u64>();
            profile.give(sources, files, &mut program)?;
            found.read.extend(files);
            let broken = program.broken_bounds();
            let analysis = measure(program, measuring);
            found.profile.add(sources, &analysis, path_of);
            found.diagnostics.extend(broken);
            found.findings.extend(findings(&analysis));
            found.diagnostics.extend(analysis.diagnostics);
            let nests = analysis.functions.into_iter().flat_map(|x| x.nests);
            report.nests.extend(nests);
            Ok(())
        },
    )?;
    Ok(Found { sources, ..found })
}

/// Takes out what comments silence, and says how much that is.
fn silence(found: &mut Found) {
    let findings = std::mem::take(&mut found.findings);
    // A header is looked at where something was found in it.
    let places = findings.iter().filter_map(Finding::span);
    let mut read = found.read.clone();
    read.extend(places.map(|span| span.file));
    let kept = suppress(&found.sources, &read, findings);
    if 0 < kept.silenced {
        let silenced = kept.silenced;
        output::say(&format!("note: comments silence {silenced} findings\n"));
    }
    found.findings = kept.findings;
    found.diagnostics.splice(0..0, kept.diagnostics);
}

/// Gives findings the weight that settings say.
fn weigh(found: &mut Found, levels: &RuleLevels) {
    let is_told = |said: &mut Diagnostic| match levels.get(said.code) {
        Some(Level::Off) => false,
        Some(Level::At(severity)) => {
            said.severity = *severity;
            true
        }
        None => true,
    };
    found
        .findings
        .retain_mut(|finding| is_told(&mut finding.diagnostic));
    found.diagnostics.retain_mut(is_told);
}
