//! PM003: lines are reused just after a level has evicted them.

use crate::finding::Violation;
use crate::subject::{LevelView, Site, Subject, least, most};
use premiss_analyze::CapacityThreshold;
use premiss_histogram::Distance;
use premiss_report::{binary_bytes, human};

/// Sites of whose misses in a cache at least half would be hits if the cache were twice as large, if they fetch more
/// bytes than it holds.
pub(crate) fn check<'a>(subject: &Subject<'a>) -> Vec<Violation<'a>> {
    let sites = subject.sites();
    let mut found = Vec::new();
    for level in subject.caches().filter(|level| level.counts.has_causes) {
        let violations = sites
            .iter()
            .filter_map(|site| violation(subject, level, site));
        found.extend(violations);
    }
    found
}

/// `; it loses them from n = 682 on (n = 1000 here) [exact]`, if that is known. Distances are for a fully associative
/// cache: for others it is an estimate.
fn threshold_remark(subject: &Subject<'_>, level: LevelView<'_>, site: &Site<'_>) -> String {
    let Some(CapacityThreshold {
        size,
        value,
        current,
    }) = subject.capacity_threshold(level, site)
    else {
        return String::new();
    };
    let kind = match level.counts.geometry.sets {
        1 => "exact",
        _ => "estimate",
    };
    format!("; they no longer fit from {size} = {value} on ({size} = {current} here) [{kind}]")
}

fn violation<'a>(
    subject: &Subject<'_>,
    level: LevelView<'_>,
    site: &Site<'a>,
) -> Option<Violation<'a>> {
    let distances = level.distances(subject.function, site)?;
    let lines = level.counts.geometry.lines();
    let twice = lines.saturating_mul(2);
    let misses = most(distances.misses(lines))?;
    let would_hit = least(distances.misses(lines)).saturating_sub(most(distances.misses(twice))?);
    let bytes = would_hit.saturating_mul(level.line());
    if misses > would_hit.saturating_mul(2) || bytes <= level.capacity() {
        return None;
    }
    let nearly = distances.bins().filter_map(|bin| match bin.upper {
        Distance::Finite(distance) if (lines..twice).contains(&distance) => Some(distance),
        _ => None,
    });
    let needed = nearly.max()?.saturating_add(1).saturating_mul(level.line());
    let name = level.name();
    let text = &site.first.text;
    Some(Violation {
        misses: None,
        bytes,
        place: site.first.into(),
        label: format!(
            "{} {name} misses would be hits in a cache of twice the size",
            human(would_hit)
        ),
        related: None,
        message: format!(
            "lines of {text} are used again just after {name} has evicted them: {} would have to fit in {}{}",
            binary_bytes(needed),
            binary_bytes(level.capacity()),
            threshold_remark(subject, level, site),
        ),
        help: "touch less data between the uses: block the loop that comes back to them; `premiss sweep` shows the \
               size from which on they no longer fit"
            .to_owned(),
    })
}
