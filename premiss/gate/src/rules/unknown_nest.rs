//! PM009: nobody knows what deep loops access.

use crate::finding::{FindingPlace, Violation};
use crate::subject::Subject;
use premiss_analyze::{CoverageClass, NestCoverage};
use premiss_source::{Label, Span};
use premiss_tree::{LoopHeader, LoopId};

/// Loops so deep are where programs spend their time.
const DEEP: usize = 3;

/// Unknown nests of three loops or more, one in another.
pub(crate) fn check<'a>(subject: &Subject<'a>) -> Vec<Violation<'a>> {
    let nests = subject.function.nests.iter();
    let unknown = nests.filter(|nest| nest.class == CoverageClass::Unknown);
    unknown
        .filter_map(|nest| violation(subject, nest))
        .collect()
}

fn violation<'a>(subject: &Subject<'a>, nest: &'a NestCoverage) -> Option<Violation<'a>> {
    let why = nest
        .reasons
        .iter()
        .find(|reason| reason.class == CoverageClass::Unknown)?;
    let depth = depth(subject, nest.span);
    if depth < DEEP {
        return None;
    }
    Some(Violation {
        // Nobody knows how many: what is known is worth more attention.
        bytes: 0,
        place: FindingPlace {
            span: nest.span,
            text: "",
            inside: None,
            function: &nest.function,
        },
        label: format!("{depth} loops deep"),
        related: Some(Label {
            span: why.span,
            text: why.text.clone(),
        }),
        message: format!(
            "nothing is known of what this nest accesses: no number of `{}` has it",
            nest.function
        ),
        help: why.help.to_owned(),
    })
}

/// How many loops are in one another, at most, where a loop is the outermost of a nest: it and those around it
/// count, and those in it.
fn depth(subject: &Subject<'_>, nest: Span) -> usize {
    let loops = &subject.tree().loops;
    let around = |id: LoopId| std::iter::successors(Some(id), |id| loops[*id].inside);
    let is_nest = |header: &LoopHeader| header.span == nest;
    let inside = loops
        .keys()
        .filter(|id| around(*id).any(|id| is_nest(&loops[id])));
    inside.map(|id| around(id).count()).max().unwrap_or(1)
}
