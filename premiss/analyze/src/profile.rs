//! What profiles say of a program's loops and branches.

use crate::Program;
use crate::measure::sort_by_place;
use premiss_profile::{Gap, LocateError, Located, Profile, Why, averages};
use premiss_source::{Diagnostic, FileId, Label, Severity, SourceMap};
use premiss_tree::NestTree;
use std::collections::BTreeSet;

impl Program {
    /// What averages rest on, if something has some; a sentence without a final stop.
    #[must_use]
    pub fn estimates_rest_on(&self) -> Option<String> {
        let profile = self.averages_of.as_ref();
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
        let is_known = !sources.is_empty() && self.functions.iter().any(has_averages);
        is_known.then(|| {
            format!(
                "where data decide, loops repeat and arms run as often as {}",
                sources.join(", or else as ")
            )
        })
    }

    /// Takes how often loops repeat and arms run on average from a profile of these files; `name` is what
    /// to call it. What it does not tell is noted.
    ///
    /// # Errors
    /// It is of other files, or of another version of one.
    pub fn take_averages(
        &mut self,
        sources: &SourceMap,
        files: &[FileId],
        profile: &Profile,
        name: &str,
    ) -> Result<(), LocateError> {
        let located = Located::new(profile, sources, files)?;
        for tree in &self.functions {
            located.check(tree)?;
        }
        let mut known = BTreeSet::new();
        for tree in &mut self.functions {
            let found = averages(tree, &located);
            let is_new = |gap: &Gap| known.insert((gap.span, gap.is_loop));
            let gaps = found.gaps.into_iter().filter(is_new);
            self.diagnostics.extend(gaps.map(describe));
            // What a run has measured counts before what is assumed.
            let assumed = std::mem::take(&mut tree.work.averages);
            tree.work.averages = found.averages.or(assumed);
        }
        self.averages_of = Some(name.to_owned());
        sort_by_place(&mut self.diagnostics);
        Ok(())
    }
}

fn describe(gap: Gap) -> Diagnostic {
    let what = match gap.is_loop {
        true => "how often this loop repeats",
        false => "how often this arm runs",
    };
    let (why, help) = match gap.why {
        Why::NoFunction => (
            "it has no function here",
            "compile the file that this function is in with --coverage",
        ),
        Why::NeverReached => (
            "what decides was never reached",
            "run the program on data for which it is",
        ),
        Why::NoLine => (
            "its counts are of lines, and none is of this alone",
            "write conditions, arms and bodies of loops on lines of their own",
        ),
    };
    Diagnostic {
        code: "no-average",
        severity: Severity::Note,
        message: format!("the profile does not tell {what}: {why}"),
        labels: vec![Label {
            span: gap.span,
            text: String::new(),
        }],
        help: Some(help.to_owned()),
    }
}
