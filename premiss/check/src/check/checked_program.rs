//! The result of a check: findings with the severities of the settings, in the forms of reports.

use super::analyze_file::CheckResult;
use super::shard_record::{MachineRecord, ShardRecord};
use crate::host::Host;
use crate::output_form::OutputForm;
use crate::repository::Repository;
use premiss_analyze::{Coverage, NestCoverage};
use premiss_gate::formats::{self, Conditions, Results};
use premiss_gate::open_rule;
use premiss_report::{
    CallgrindProfile, Colour, CoverageReport, brief_diagnostics, coverage_json, coverage_summary,
    part_json,
};
use premiss_source::{Diagnostic, FileId, Severity, SourceMap};
use std::collections::{BTreeMap, BTreeSet};

/// The severities of rules, by their codes; rules that are not in the map keep their own.
pub type RuleLevels = BTreeMap<&'static str, RuleLevel>;

/// The level that settings give to the findings of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleLevel {
    /// Findings are dropped.
    Off,
    /// Findings are reported at this severity; notes do not count as findings in the exit code.
    At(Severity),
}

/// The results of a check.
pub struct CheckedProgram {
    /// The source texts.
    pub sources: SourceMap,
    /// The diagnostics of findings, then other diagnostics, in the same order as in `results`.
    pub diagnostics: Vec<Diagnostic>,
    /// The same results for the formats of other tools.
    pub results: Results,
    /// The coverage of nests.
    pub report: CoverageReport,
    /// The counts of every line.
    pub profile: CallgrindProfile,
    /// The machine that was analysed.
    pub machine: MachineRecord,
    /// The number of nests in each class for each requested file, by its path from the root of the repository.
    pub coverage: BTreeMap<String, Coverage>,
    /// The files that were read, by paths from the root of the repository.
    pub files: BTreeSet<String>,
    /// The repository of the files.
    pub repository: Repository,
}

impl CheckedProgram {
    /// The results of the files `mains` on a machine, with the severities of the settings.
    pub(super) fn new(
        (repository, sources): (Repository, SourceMap),
        mains: &BTreeSet<FileId>,
        mut result: CheckResult,
        (machine, levels): (MachineRecord, &RuleLevels),
        host: &dyn Host,
    ) -> Self {
        let path_of = |path: &str| repository.path_of(path);
        note_silenced(result.silenced, host);
        apply_levels(&mut result, levels);
        let mut of_files: BTreeMap<FileId, Coverage> = mains
            .iter()
            .map(|file| (*file, Coverage::default()))
            .collect();
        for nest in &result.report.nests {
            *of_files.entry(nest.span.file).or_default() +=
                Coverage::of(std::slice::from_ref(nest));
        }
        let mut coverage: BTreeMap<String, Coverage> = BTreeMap::new();
        for (file, nests) in of_files {
            *coverage
                .entry(path_of(sources.file(file).path()))
                .or_default() += nests;
        }
        let conditions = conditions(&machine, &result.report.nests);
        let (findings, diagnostics) = (result.findings, result.diagnostics);
        let results = Results::new(&sources, &path_of, &findings, &diagnostics, conditions);
        let estimates = findings.iter().filter_map(|finding| {
            let estimate = finding.estimate?;
            Some(((finding.code(), finding.span()), estimate))
        });
        result.report.estimates = estimates.collect();
        let of_rules = findings.into_iter().map(|finding| finding.diagnostic);
        let files = sources.files().map(|(_, file)| path_of(file.path()));
        Self {
            diagnostics: of_rules.chain(diagnostics).collect(),
            results,
            report: result.report,
            profile: result.profile,
            machine,
            coverage,
            files: files.collect(),
            repository,
            sources,
        }
    }
}

impl CheckedProgram {
    /// The results in an output form; `baseline` is the name of the file with accepted findings. Empty for
    /// [`OutputForm::Html`].
    #[must_use]
    pub fn render(&self, form: OutputForm, baseline: Option<&str>, colour: Colour) -> String {
        let Self {
            sources,
            diagnostics,
            results,
            report,
            ..
        } = self;
        let path_of = |path: &str| self.repository.path_of(path);
        match form {
            OutputForm::Json => coverage_json(sources, &path_of, report, diagnostics),
            OutputForm::Text => {
                let text = brief_diagnostics(sources, diagnostics, colour);
                let held_back = results.held_back().zip(baseline);
                let held_back =
                    held_back.map(|(known, file)| format!("Baseline {file}: {known}\n"));
                text + &held_back.unwrap_or_default() + &coverage_summary(&report.nests)
            }
            OutputForm::Sarif => formats::sarif(results),
            OutputForm::Github => formats::github(results),
            OutputForm::Gitlab => formats::gitlab(results),
            OutputForm::Junit => formats::junit(results),
            OutputForm::Markdown => formats::markdown(results),
            OutputForm::Callgrind => {
                let machine = &self.machine;
                self.profile.text(&machine.id, &machine.levels, &path_of)
            }
            OutputForm::Html => String::new(),
        }
    }

    /// The results of a shard as JSON, with the record that [`merge_shards`](crate::merge_shards) needs.
    #[must_use]
    pub fn shard_json(&self, record: &ShardRecord) -> String {
        let path_of = |path: &str| self.repository.path_of(path);
        part_json(
            &self.sources,
            &path_of,
            &self.report,
            &self.diagnostics,
            record,
        )
    }

    /// Whether there is a diagnostic that counts as a finding for the exit code; notes do not.
    #[must_use]
    pub fn has_findings(&self) -> bool {
        let is_finding = |diagnostic: &Diagnostic| Severity::Note < diagnostic.severity;
        self.diagnostics.iter().any(is_finding)
    }
}

fn note_silenced(findings: usize, host: &dyn Host) {
    let findings = match findings {
        0 => return,
        1 => "1 finding".to_owned(),
        n => format!("{n} findings"),
    };
    host.message(&format!("note: comments silence {findings}\n"));
}

fn conditions(machine: &MachineRecord, nests: &[NestCoverage]) -> Conditions {
    Conditions {
        machine: machine.name.clone(),
        machine_id: machine.id.clone(),
        coverage: coverage_summary(nests).trim_end().to_owned(),
        held_back: None,
    }
}

/// Sets the severities of findings from the settings, and removes those of rules that are off.
fn apply_levels(result: &mut CheckResult, levels: &RuleLevels) {
    let is_reported = |diagnostic: &mut Diagnostic| match levels.get(diagnostic.code) {
        // What may be a finding is none that could fail a check.
        None => open_rule(diagnostic.code)
            .is_none_or(|rule| levels.get(rule.code) != Some(&RuleLevel::Off)),
        Some(RuleLevel::Off) => false,
        Some(RuleLevel::At(severity)) => {
            diagnostic.severity = *severity;
            true
        }
    };
    let findings = &mut result.findings;
    findings.retain_mut(|finding| is_reported(&mut finding.diagnostic));
    result.diagnostics.retain_mut(is_reported);
}
