//! The table of rules.

use crate::finding::Violation;
use crate::rules;
use crate::subject::Subject;
use premiss_report::SCHEMA_VERSION;
use premiss_source::Severity;
use schemars::JsonSchema;
use serde::Serialize;

/// A rule: its names, its severity, its manual page and its check.
#[derive(Debug)]
pub struct Rule {
    /// Its code, never reused for another rule: `PM001`.
    pub code: &'static str,
    /// The code of a note on what may be one of its findings, as far as samples tell: `PM001-undecided`.
    pub(crate) open_code: &'static str,
    /// Its name in kebab case: `strided-access`.
    pub name: &'static str,
    /// What it finds, in one line.
    pub summary: &'static str,
    /// Its manual page in Markdown: the problem, an example with numbers, the conditions for a finding, what to do.
    pub page: &'static str,
    /// The severity of its findings; notes do not fail a check.
    pub severity: Severity,
    /// Whether it needs counts, and so does not apply to functions without any.
    pub(crate) needs_counts: bool,
    /// The violations in one function.
    pub(crate) check: for<'a> fn(&Subject<'a>) -> Vec<Violation<'a>>,
}

/// The rule whose finding a note on an interval of a sample leaves open; `None` for other codes.
#[must_use]
pub fn open_rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.open_code == code)
}

/// All rules, sorted by code.
pub static RULES: [Rule; 10] = [
    Rule {
        code: "PM001",
        open_code: "PM001-undecided",
        name: "strided-access",
        summary: "the innermost loop steps over whole lines",
        page: include_str!("../pages/PM001.md"),
        severity: Severity::Warning,
        needs_counts: true,
        check: rules::strided_access::check,
    },
    Rule {
        code: "PM002",
        open_code: "PM002-undecided",
        name: "poor-line-use",
        summary: "most bytes of the lines that are fetched are not used",
        page: include_str!("../pages/PM002.md"),
        severity: Severity::Warning,
        needs_counts: true,
        check: rules::line_use::check,
    },
    Rule {
        code: "PM003",
        open_code: "PM003-undecided",
        name: "reuse-just-beyond",
        summary: "lines come back just after a level has lost them",
        page: include_str!("../pages/PM003.md"),
        severity: Severity::Warning,
        needs_counts: true,
        check: rules::reuse_beyond::check,
    },
    Rule {
        code: "PM004",
        open_code: "PM004-undecided",
        name: "set-conflicts",
        summary: "lines crowd in few sets while others are free",
        page: include_str!("../pages/PM004.md"),
        severity: Severity::Warning,
        needs_counts: true,
        check: rules::set_conflicts::check,
    },
    Rule {
        code: "PM005",
        open_code: "PM005-undecided",
        name: "tlb-thrashing",
        summary: "pages are lost by the TLB before they are used up",
        page: include_str!("../pages/PM005.md"),
        severity: Severity::Warning,
        needs_counts: true,
        check: rules::tlb_thrashing::check,
    },
    Rule {
        code: "PM006",
        open_code: "PM006-undecided",
        name: "repeated-traversal",
        summary: "a loop fetches again what the loop before it had",
        page: include_str!("../pages/PM006.md"),
        severity: Severity::Warning,
        needs_counts: true,
        check: rules::missed_fusion::check,
    },
    Rule {
        code: "PM007",
        open_code: "PM007-undecided",
        name: "column-walk",
        summary: "loops go over arrays across their rows",
        page: include_str!("../pages/PM007.md"),
        severity: Severity::Warning,
        needs_counts: true,
        check: rules::column_walk::check,
    },
    Rule {
        code: "PM008",
        open_code: "PM008-undecided",
        name: "write-allocate-waste",
        summary: "lines are fetched only to be overwritten",
        page: include_str!("../pages/PM008.md"),
        severity: Severity::Warning,
        needs_counts: true,
        check: rules::write_allocate::check,
    },
    Rule {
        code: "PM009",
        open_code: "PM009-undecided",
        name: "unknown-nest",
        summary: "what deep loops access is unknown",
        page: include_str!("../pages/PM009.md"),
        severity: Severity::Note,
        needs_counts: false,
        check: rules::unknown_nest::check,
    },
    Rule {
        code: "PM900",
        open_code: "PM900-undecided",
        name: "unused-suppression",
        summary: "a comment silences what is not found",
        page: include_str!("../pages/PM900.md"),
        severity: Severity::Warning,
        needs_counts: true,
        // Reported once all findings are known: see `suppress`.
        check: |_| Vec::new(),
    },
];

/// The rule with this code or name, ignoring case.
#[must_use]
pub fn rule(name: &str) -> Option<&'static Rule> {
    let is_it =
        |rule: &&Rule| rule.code.eq_ignore_ascii_case(name) || rule.name.eq_ignore_ascii_case(name);
    RULES.iter().find(is_it)
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct RuleJson<'a> {
    schema_version: &'a str,
    code: &'a str,
    name: &'a str,
    summary: &'a str,
    page: &'a str,
}

/// A rule as JSON.
#[must_use]
pub fn rule_json(rule: &Rule) -> String {
    let form = RuleJson {
        schema_version: SCHEMA_VERSION,
        code: rule.code,
        name: rule.name,
        summary: rule.summary,
        page: rule.page,
    };
    let json = serde_json::to_string_pretty(&form);
    json.expect("a rule has nothing that JSON cannot say") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_in_order_and_each_has_its_page() {
        assert!(RULES.is_sorted_by(|a, b| a.code < b.code));
        for rule in &RULES {
            let title = format!("# {} {}\n", rule.code, rule.name);
            assert!(rule.page.starts_with(&title), "{}", rule.code);
            for part in ["## Example", "## When it speaks", "## What to do"] {
                assert!(rule.page.contains(part), "{} has no {part}", rule.code);
            }
        }
    }
}
