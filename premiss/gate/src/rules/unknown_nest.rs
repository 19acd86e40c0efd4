//! PM009: the accesses of deep loops are unknown.

use crate::finding::{FindingPlace, Violation};
use crate::subject::Subject;
use premiss_analyze::{CoverageClass, NestCoverage};
use premiss_source::{Label, Span};
use premiss_tree::{LoopHeader, LoopId};

/// Programs spend their time in loops of this depth.
const DEEP: usize = 3;

/// Unknown nests that are at least three loops deep.
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
        misses: None,
        // The bytes are unknown, and known findings deserve more attention.
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
            "what this nest accesses is unknown: no count of `{}` includes it",
            nest.function
        ),
        help: why.help.to_owned(),
    })
}

/// The depth of a nest: its outermost loop, the loops around it, and the most loops nested in it.
fn depth(subject: &Subject<'_>, nest: Span) -> usize {
    let loops = &subject.tree().loops;
    let around = |id: LoopId| std::iter::successors(Some(id), |id| loops[*id].inside);
    let is_nest = |header: &LoopHeader| header.span == nest;
    let inside = loops
        .keys()
        .filter(|id| around(*id).any(|id| is_nest(&loops[id])));
    inside.map(|id| around(id).count()).max().unwrap_or(1)
}
