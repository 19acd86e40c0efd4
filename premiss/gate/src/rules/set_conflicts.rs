//! PM004: lines crowd in few sets while other sets have room.

use crate::finding::Violation;
use crate::subject::{LevelView, Site, Subject, most};
use premiss_arithmetic::gcd;
use premiss_report::human;

/// Sites of whose misses in a cache at least a quarter would be hits if the cache were fully associative, if they fetch
/// more bytes than it holds.
pub(crate) fn check<'a>(subject: &Subject<'a>) -> Vec<Violation<'a>> {
    let sites = subject.sites();
    let mut found = Vec::new();
    let has_sets =
        |level: &LevelView<'_>| level.counts.has_causes && 1 < level.counts.geometry.sets;
    for level in subject.caches().filter(has_sets) {
        let violations = sites
            .iter()
            .filter_map(|site| violation(subject, level, site));
        found.extend(violations);
    }
    found
}

fn violation<'a>(
    subject: &Subject<'_>,
    level: LevelView<'_>,
    site: &Site<'a>,
) -> Option<Violation<'a>> {
    let geometry = level.counts.geometry;
    let distances = level.distances(subject.function, site)?;
    let misses = site.misses(level);
    let conflicts = misses.saturating_sub(most(distances.misses(geometry.lines()))?);
    let bytes = conflicts.saturating_mul(level.line());
    if conflicts.saturating_mul(4) < misses || bytes <= level.capacity() {
        return None;
    }
    let name = level.name();
    let text = &site.first.text;
    let period = geometry.sets.saturating_mul(level.line());
    let step = subject
        .innermost_stride(site)
        .map(|step| step.bytes.unsigned_abs());
    let folded = step.filter(|bytes| level.line() <= *bytes).map(|bytes| {
        let sets = period / gcd(bytes, period);
        format!(
            ": steps of {bytes} bytes come to {sets} of its {} sets",
            geometry.sets
        )
    });
    Some(Violation {
        bytes,
        place: site.first.into(),
        label: format!("{} of {} {name} misses are conflicts", human(conflicts), human(misses)),
        related: None,
        message: format!(
            "lines of {text} leave {name} for want of ways while other sets have room{}",
            folded.unwrap_or_default()
        ),
        help: "pad the rows of the array by a line, or start arrays at different remainders of the size of a way"
            .to_owned(),
    })
}
