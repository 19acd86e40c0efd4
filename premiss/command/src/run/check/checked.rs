//! A program that was checked: for `check` and `baseline`.

use super::kept::look_or_recall;
use super::look::Found;
use crate::arguments::SubjectArguments;
use crate::failure::Failure;
use crate::flags;
use crate::output;
use crate::profile::Profiles;
use crate::repository::Repository;
use crate::run::selection::open_below;
use crate::settings::{Level, RuleLevels};
use clap::ArgMatches;
use premiss_analyze::{Coverage, MeasureOptions, NestCoverage, Wanted};
use premiss_gate::formats::{Conditions, Results};
use premiss_machine::Machine;
use premiss_report::{CallgrindProfile, CoverageReport, coverage_summary};
use premiss_source::{Diagnostic, SourceMap};
use std::collections::{BTreeMap, BTreeSet};

/// All that there is to say of a program.
pub(crate) struct Checked {
    pub(crate) sources: SourceMap,
    /// Findings, then diagnostics: the results are of the same, in this order.
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) results: Results,
    pub(crate) report: CoverageReport,
    /// What every line costs.
    pub(crate) profile: CallgrindProfile,
    pub(crate) machine: Machine,
    /// Nests of each file that was asked for, by its path from the root of the repository.
    pub(crate) coverage: BTreeMap<String, Coverage>,
    /// The files that were read, by the same paths.
    pub(crate) files: BTreeSet<String>,
    pub(crate) repository: Repository,
}

/// Reads and counts what the options name, and asks all rules.
///
/// # Errors
///
/// What keeps the files from being read.
pub(crate) fn checked(
    arguments: &SubjectArguments,
    matches: &ArgMatches,
) -> Result<Checked, Failure> {
    let current = std::env::current_dir().map_err(|error| Failure::file(".", &error))?;
    let repository = Repository::around(&current);
    let path_of = |path: &str| repository.path_of(path);
    let reading = flags::reading(&arguments.reading, matches)?;
    let measuring = MeasureOptions {
        wanted: Wanted::Misses,
        ..flags::measuring(&arguments.measuring)?
    };
    let profile = Profiles::read(&arguments.profile.profile)?;
    let mut sources = SourceMap::new();
    let options = (&arguments.reading, &reading);
    let opened = open_below(&mut sources, &arguments.input, options)?;
    let mut found = look_or_recall(&mut sources, &opened, &measuring, &profile)?;
    say_silenced(found.silenced);
    weigh(&mut found, &arguments.levels);
    let asked = opened.files.iter().map(|(file, _)| *file);
    let mut coverage: BTreeMap<String, Coverage> = asked
        .map(|file| (path_of(sources.file(file).path()), Coverage::default()))
        .collect();
    for nest in &found.report.nests {
        let path = path_of(sources.file(nest.span.file).path());
        *coverage.entry(path).or_default() += Coverage::of(std::slice::from_ref(nest));
    }
    let conditions = conditions(&measuring.machine, &found.report.nests);
    let (findings, diagnostics) = (found.findings, found.diagnostics);
    let results = Results::new(&sources, &path_of, &findings, &diagnostics, conditions);
    let of_rules = findings.into_iter().map(|finding| finding.diagnostic);
    let files = sources.files().map(|(_, file)| path_of(file.path()));
    Ok(Checked {
        diagnostics: of_rules.chain(diagnostics).collect(),
        results,
        report: found.report,
        profile: found.profile,
        machine: measuring.machine,
        coverage,
        files: files.collect(),
        repository,
        sources,
    })
}

fn say_silenced(findings: usize) {
    let findings = match findings {
        0 => return,
        1 => "1 finding".to_owned(),
        n => format!("{n} findings"),
    };
    output::say(&format!("note: comments silence {findings}\n"));
}

fn conditions(machine: &Machine, nests: &[NestCoverage]) -> Conditions {
    Conditions {
        machine: machine.name().to_owned(),
        machine_id: machine.id(),
        coverage: coverage_summary(nests).trim_end().to_owned(),
        held_back: None,
    }
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
    let findings = &mut found.findings;
    findings.retain_mut(|finding| is_told(&mut finding.diagnostic));
    found.diagnostics.retain_mut(is_told);
}
