//! Average trip counts and branch frequencies of a program, from a profile.

use crate::program::{Program, sort_by_place};
use premiss_profile::{Gap, GapReason, LocateError, LocatedProfile, Profile, averages};
use premiss_source::{Diagnostic, FileId, Label, Severity, SourceMap};
use premiss_tree::NestTree;
use std::collections::BTreeSet;

impl Program {
    /// What averages are based on, as a sentence without a final stop; `None` if no function has averages.
    #[must_use]
    pub fn estimates_rest_on(&self) -> Option<String> {
        let profile = self.profile.as_ref();
        let profile = profile.map(|name| format!("on average in {name}"));
        let assumed = match self.assumed_at.is_empty() {
            true => None,
            false => Some(format!(
                "premiss:assume says in {}",
                self.assumed_at.join(", ")
            )),
        };
        let sources: Vec<String> = profile.into_iter().chain(assumed).collect();
        let has_averages = |x: &NestTree| !x.work.averages.is_empty();
        let has_estimates = !sources.is_empty() && self.functions.iter().any(has_averages);
        has_estimates.then(|| {
            format!(
                "where data decide, loops repeat and arms run as often as {}",
                sources.join(", or else as ")
            )
        })
    }

    /// Adds the average trip counts of loops and frequencies of branch arms from a profile of `files`, which takes
    /// precedence over `premiss:assume` comments. `name` is the profile's name in reports. A diagnostic is added for
    /// each loop or arm that the profile has no count for.
    ///
    /// # Errors
    /// The profile is of other files, or of another version of a file.
    pub fn with_profile(
        mut self,
        sources: &SourceMap,
        files: &[FileId],
        profile: &Profile,
        name: &str,
    ) -> Result<Self, LocateError> {
        let located = LocatedProfile::new(profile, sources, files)?;
        for tree in &self.functions {
            located.check(tree)?;
        }
        let mut known = BTreeSet::new();
        for tree in &mut self.functions {
            let found = averages(tree, &located);
            let is_new = |gap: &Gap| known.insert((gap.span, gap.is_loop));
            let gaps = found.gaps.into_iter().filter(is_new);
            self.diagnostics.extend(gaps.map(describe));
            // Measured averages take precedence over assumed ones.
            let assumed = std::mem::take(&mut tree.work.averages);
            tree.work.averages = found.averages.or(assumed);
        }
        self.profile = Some(name.to_owned());
        sort_by_place(&mut self.diagnostics);
        Ok(self)
    }
}

fn describe(gap: Gap) -> Diagnostic {
    let what = match gap.is_loop {
        true => "how often this loop repeats",
        false => "how often this arm runs",
    };
    let (why, help) = match gap.reason {
        GapReason::NoFunction => (
            "it has no function here",
            "compile the file that this function is in with --coverage",
        ),
        GapReason::NeverReached => (
            "what decides was never reached",
            "run the program on data for which it is",
        ),
        GapReason::NoLine => (
            "its counts are of lines, and none is of this alone",
            "write conditions, arms and bodies of loops on lines of their own",
        ),
    };
    Diagnostic {
        code: "no-average",
        severity: Severity::Note,
        message: format!("the profile does not say {what}: {why}"),
        labels: vec![Label {
            span: gap.span,
            text: String::new(),
        }],
        help: Some(help.to_owned()),
        sizes: Vec::new(),
    }
}
