//! A program that was checked: for `check`, `merge` and `baseline`.

use super::kept::{Keeping, look_or_recall};
use super::look::{Found, Question};
use super::part::MachineRecord;
use crate::arguments::SubjectArguments;
use crate::failure::Failure;
use crate::flags;
use crate::output;
use crate::profile::Profiles;
use crate::repository::Repository;
use crate::run::selection::{Opened, open_below};
use crate::settings::{Level, RuleLevels};
use clap::ArgMatches;
use premiss_analyze::{Coverage, MeasureOptions, MeasureScope, NestCoverage};
use premiss_gate::formats::{Conditions, Results};
use premiss_report::{CallgrindProfile, CoverageReport, coverage_summary};
use premiss_source::{Diagnostic, FileId, SourceMap};
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
    pub(crate) machine: MachineRecord,
    /// Nests of each file that was asked for, by its path from the root of the repository.
    pub(crate) coverage: BTreeMap<String, Coverage>,
    /// The files that were read, by the same paths.
    pub(crate) files: BTreeSet<String>,
    pub(crate) repository: Repository,
}

/// A program that is to be checked.
pub(super) struct Subject {
    pub(super) sources: SourceMap,
    pub(super) opened: Opened,
    pub(super) measuring: MeasureOptions,
    pub(super) profile: Profiles,
    pub(super) repository: Repository,
}

/// Reads and counts what the options name, and asks all rules. What is kept of it is written meanwhile.
///
/// # Errors
///
/// What keeps the files from being read.
pub(crate) fn checked(
    arguments: &SubjectArguments,
    matches: &ArgMatches,
) -> Result<(Checked, Keeping), Failure> {
    let mut subject = Subject::new(arguments, matches)?;
    let question = Question {
        measuring: &subject.measuring,
        profile: &subject.profile,
        part: None,
    };
    let (found, keeping) = look_or_recall(&mut subject.sources, &subject.opened, question)?;
    let machine = MachineRecord::of(&subject.measuring.machine);
    let mains = subject.opened.mains();
    let texts = (subject.repository, subject.sources);
    let told = (machine, &arguments.levels);
    Ok((Checked::new(texts, &mains, found, told), keeping))
}

impl Subject {
    /// Takes in the files that the options name.
    ///
    /// # Errors
    ///
    /// What keeps them from being read.
    pub(super) fn new(arguments: &SubjectArguments, matches: &ArgMatches) -> Result<Self, Failure> {
        let repository = Repository::here()?;
        let reading = flags::reading(&arguments.reading, matches)?;
        let measuring = MeasureOptions {
            scope: MeasureScope::Findings,
            ..flags::measuring(&arguments.measuring)?
        };
        let profile = Profiles::read(&arguments.profile.profile)?;
        let mut sources = SourceMap::new();
        let options = (&arguments.reading, &reading);
        let opened = open_below(&mut sources, &arguments.input, options)?;
        Ok(Self {
            sources,
            opened,
            measuring,
            profile,
            repository,
        })
    }
}

impl Checked {
    /// What was found on a machine in the files that were asked for, weighed as settings say.
    pub(super) fn new(
        (repository, sources): (Repository, SourceMap),
        mains: &BTreeSet<FileId>,
        mut found: Found,
        (machine, levels): (MachineRecord, &RuleLevels),
    ) -> Self {
        let path_of = |path: &str| repository.path_of(path);
        say_silenced(found.silenced);
        weigh(&mut found, levels);
        let mut of_files: BTreeMap<FileId, Coverage> = mains
            .iter()
            .map(|file| (*file, Coverage::default()))
            .collect();
        for nest in &found.report.nests {
            *of_files.entry(nest.span.file).or_default() +=
                Coverage::of(std::slice::from_ref(nest));
        }
        let mut coverage: BTreeMap<String, Coverage> = BTreeMap::new();
        for (file, nests) in of_files {
            *coverage
                .entry(path_of(sources.file(file).path()))
                .or_default() += nests;
        }
        let conditions = conditions(&machine, &found.report.nests);
        let (findings, diagnostics) = (found.findings, found.diagnostics);
        let results = Results::new(&sources, &path_of, &findings, &diagnostics, conditions);
        let of_rules = findings.into_iter().map(|finding| finding.diagnostic);
        let files = sources.files().map(|(_, file)| path_of(file.path()));
        Self {
            diagnostics: of_rules.chain(diagnostics).collect(),
            results,
            report: found.report,
            profile: found.profile,
            machine,
            coverage,
            files: files.collect(),
            repository,
            sources,
        }
    }
}

fn say_silenced(findings: usize) {
    let findings = match findings {
        0 => return,
        1 => "1 finding".to_owned(),
        n => format!("{n} findings"),
    };
    output::say(&format!("note: comments silence {findings}\n"));
}

fn conditions(machine: &MachineRecord, nests: &[NestCoverage]) -> Conditions {
    Conditions {
        machine: machine.name.clone(),
        machine_id: machine.id.clone(),
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
