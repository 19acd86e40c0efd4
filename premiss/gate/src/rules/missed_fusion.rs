//! PM006: a loop fetches again what the loop before it had fetched.
//!
//! Two loops that follow each other, run over the same iterations, and traverse an array in step: each iteration of the
//! second uses the lines that the same iteration of the first used. If everything that both iterations touch fits into
//! a cache, a fused loop would hit there.
//!
//! ```text
//! for (i = 0; i < n; i++) y[i] = a * x[i];
//! for (i = 0; i < n; i++) z[i] = y[i] + b;      y comes from memory again
//! ```

mod loop_accesses;
mod scalars;

use crate::finding::Violation;
use crate::subject::{LevelView, Site, Subject, least, most};
use loop_accesses::{LoopAccesses, can_fuse, same_iterations};
use premiss_report::human;
use premiss_source::Label;
use premiss_tree::{Loop, Node};

/// Pairs of loops that could be fused, where the second fetches more bytes again than a cache holds. None if the tree
/// has no operations, because variables may pass values from one loop to the other.
pub(crate) fn check<'a>(subject: &Subject<'a>) -> Vec<Violation<'a>> {
    match subject.tree().work.body.as_slice() {
        [] => Vec::new(),
        body => pairs(subject, body),
    }
}

/// Whether there might be a finding in a tree without operations, if no variable kept the loops apart.
pub(crate) fn is_open(subject: &Subject<'_>) -> bool {
    let tree = subject.tree();
    tree.work.body.is_empty() && !pairs(subject, &tree.body).is_empty()
}

fn pairs<'a>(subject: &Subject<'a>, body: &'a [Node]) -> Vec<Violation<'a>> {
    let sites = subject.sites();
    let mut found = Vec::new();
    in_lists(body, &mut |first, between, second| {
        // Most loops that follow each other have different iterations, which is cheap to detect.
        if !same_iterations(subject.tree(), first, second) {
            return;
        }
        let both = LoopAccesses::new(subject, first).zip(LoopAccesses::new(subject, second));
        if let Some((one, other)) =
            both.filter(|(one, other)| can_fuse(subject.tree(), one, between, other))
        {
            found.extend(violation(subject, &sites, &one, &other));
        }
    });
    found
}

/// Calls `each` with loops that follow each other and the nodes between them, in all lists of nodes.
fn in_lists<'a>(nodes: &'a [Node], each: &mut dyn FnMut(&'a Loop, &'a [Node], &'a Loop)) {
    let mut last: Option<(usize, &Loop)> = None;
    for (at, node) in nodes.iter().enumerate() {
        match node {
            Node::Loop(inner) => {
                if let Some((before, first)) = last {
                    each(first, &nodes[before + 1..at], inner);
                }
                last = Some((at, inner));
                in_lists(&inner.body, each);
            }
            Node::Branch {
                then, otherwise, ..
            } => {
                last = None;
                in_lists(then, each);
                in_lists(otherwise, each);
            }
            Node::Operations(_) => {}
            Node::Access(_) | Node::Assign { .. } | Node::Opaque(_) => last = None,
        }
    }
}

fn violation<'a>(
    subject: &Subject<'a>,
    sites: &[Site<'a>],
    first: &LoopAccesses<'_>,
    second: &LoopAccesses<'_>,
) -> Option<Violation<'a>> {
    let at = |level: LevelView<'a>| {
        let lines = level.counts.geometry.lines();
        let of_one = first
            .lines_of_iteration(level.line())
            .saturating_add(second.lines_of_iteration(level.line()));
        if lines < of_one {
            return None;
        }
        let refetched = refetched(subject, level, sites, first, second);
        let bytes: u64 = refetched
            .iter()
            .map(|(_, misses)| misses.saturating_mul(level.line()))
            .sum();
        (level.capacity() < bytes).then_some((level, refetched, bytes))
    };
    let levels = subject.caches().filter(|level| level.counts.has_causes);
    // The farthest level saves most time.
    let (level, refetched, bytes) = levels.filter_map(at).last()?;
    let (worst, misses) = refetched.iter().max_by_key(|(_, misses)| *misses)?;
    let name = level.name();
    Some(Violation {
        misses: None,
        bytes,
        place: worst.first.into(),
        label: format!(
            "{} {name} misses on what the loop before had",
            human(*misses)
        ),
        related: Some(Label {
            span: subject.tree().loops[first.inner.id].span,
            text: "the loop before".to_owned(),
        }),
        message: format!(
            "this loop goes over {} again after {name} has lost it",
            names(subject, &refetched)
        ),
        help: format!(
            "do both in one loop over {}: {} bytes need not be fetched again, and nothing of the first loop has to be \
             finished before",
            subject.tree().loops[second.inner.id].iterator,
            human(bytes)
        ),
    })
}

/// The arrays of sites: `x`, `x and y`, `x, y and z`.
fn names(subject: &Subject<'_>, sites: &[(&Site<'_>, u64)]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for (site, _) in sites {
        let name = subject.tree().arrays[site.first.array].name.as_str();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// The sites of the second loop with the same walk as one of the first, with the misses that are certainly on lines
/// touched before. A cache of that size evicts no line within an iteration, and no other iteration uses the same lines:
/// so they were touched before this loop.
fn refetched<'s, 'a>(
    subject: &Subject<'a>,
    level: LevelView<'_>,
    sites: &'s [Site<'a>],
    first: &LoopAccesses<'_>,
    second: &LoopAccesses<'_>,
) -> Vec<(&'s Site<'a>, u64)> {
    let lines = level.counts.geometry.lines();
    let misses = |site: &&'s Site<'a>| {
        let walk = second.of(site)?;
        if !first.has_same_walk(walk) || !second.keeps_apart(walk.array) {
            return None;
        }
        let distances = level.distances(subject.function, site)?;
        let cold = most(distances.cold())?;
        let certain = least(distances.misses(lines)).saturating_sub(cold);
        (0 < certain).then_some(certain)
    };
    let found = sites.iter().filter_map(|site| Some((site, misses(&site)?)));
    found.collect()
}
