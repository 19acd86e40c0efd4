//! PM004: lines crowd in few sets while other sets have room.

use crate::finding::Violation;
use crate::subject::{LevelView, Site, Subject, most};
use premiss_arithmetic::gcd;
use premiss_histogram::Counted;
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
    let folded = step.and_then(|bytes| {
        let sets = sets_of_step(bytes, period, level.line())?;
        Some(format!(
            ": steps of {bytes} bytes use only {sets} of its {} sets",
            geometry.sets
        ))
    });
    Some(Violation {
        misses: Some(site.counted(level)),
        bytes,
        place: site.first.into(),
        label: format!(
            "{} of {} {name} misses are conflicts",
            match site.counted(level) {
                Counted::Estimate(_) => format!("at least ~{}", human(conflicts)),
                _ => human(conflicts),
            },
            site.misses_text(level)
        ),
        related: None,
        message: format!(
            "lines of {text} are evicted from {name} by set conflicts, while other sets have room{}",
            folded.unwrap_or_default()
        ),
        help: "pad the rows of the array by a line, or start arrays at different offsets within a way of the cache"
            .to_owned(),
    })
}

/// How many sets steps of this many bytes come to, where that is not all of them; `period` is the bytes after which sets
/// repeat.
///
/// The steps come to the multiples of `gcd(bytes, period)`. Where these are further apart than lines, each is in a set of
/// its own; where they are not, no set is left out.
fn sets_of_step(bytes: u64, period: u64, line: u64) -> Option<u64> {
    let apart = gcd(bytes, period);
    (0 < bytes && line < apart).then(|| period / apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sets that steps of this many bytes come to, one after the other.
    fn stepped(bytes: u64, sets: u64, line: u64) -> u64 {
        let visited = (0..sets * line).map(|step| step * bytes / line % sets);
        visited.collect::<std::collections::BTreeSet<_>>().len() as u64
    }

    #[test]
    fn a_step_comes_to_as_many_sets_as_are_counted_one_by_one() {
        for sets in [1, 3, 12, 16] {
            for bytes in 1..600 {
                let told = sets_of_step(bytes, sets * 64, 64);
                assert_eq!(
                    told.unwrap_or(sets),
                    stepped(bytes, sets, 64),
                    "{bytes} in {sets}"
                );
            }
        }
    }
}
