//! PM005: the TLB evicts pages before all accesses to them are done.

use crate::finding::Violation;
use crate::subject::{LevelView, Site, Subject, most};
use premiss_machine::format_bytes;
use premiss_report::human;

/// Sites that miss the first TLB in at least every fourth access, and more often than it has entries.
pub(crate) fn check<'a>(subject: &Subject<'a>) -> Vec<Violation<'a>> {
    let Some(first) = subject.tlbs().next() else {
        return Vec::new();
    };
    let sites = subject.sites();
    let violations = sites.iter().filter_map(|site| violation(first, site));
    violations.collect()
}

fn violation<'a>(first: LevelView<'_>, site: &Site<'a>) -> Option<Violation<'a>> {
    let (misses, accesses) = (site.misses(first), most(site.accesses())?);
    if misses.saturating_mul(4) < accesses || misses <= first.counts.geometry.lines() {
        return None;
    }
    let (name, text) = (first.name(), &site.first.text);
    Some(Violation {
        misses: Some(site.counted(first)),
        // A page walk reads at least one line; the page itself is not fetched.
        bytes: misses.saturating_mul(64),
        place: site.first.into(),
        label: format!("{} {name} misses", site.misses_text(first)),
        related: None,
        message: format!(
            "{text} misses {name} at {} of {} accesses: the {name} covers only {} pages of {}",
            site.misses_text(first),
            human(accesses),
            first.counts.geometry.lines(),
            format_bytes(first.line()),
        ),
        help: "go along pages, not across them: interchange or block loops; or use larger pages"
            .to_owned(),
    })
}
