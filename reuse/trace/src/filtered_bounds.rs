//! Bounds on the misses of levels that see only the misses of the level before, where data decides what is executed.
//!
//! A line that a level fills is one request to the level below, and writing back the victim another,
//! which may miss there as well. So what a reference misses in a level is at most how many lines it
//! fills in the level above, twice where something is stored to. A line that was never accessed misses
//! in all levels, if the lines of those above lie within it.

use crate::TraceError;
use crate::execution::{Execution, PerReference};
use crate::program::ProgramStep;
use premiss_cache::CacheGeometry;
use premiss_histogram::Counted;
use premiss_tree::{AccessKind, ReferenceId};
use std::collections::BTreeMap;

impl Execution<'_> {
    /// Bounds on the misses of a filtered chain of levels of the access model.
    pub(crate) fn filtered_bounds(
        &self,
        levels: &[CacheGeometry],
    ) -> Result<Vec<PerReference<Counted>>, TraceError> {
        let nearest = self.level_misses(levels[0])?.of_references;
        let mut widths = BTreeMap::new();
        self.collect_widths(&self.program.body, levels[0].line_size, &mut widths);
        let width = |id: ReferenceId| widths.get(&id).copied().unwrap_or(1);
        let is_store = |id| self.tree.references[id].kind == AccessKind::Store;
        let stores = self.tree.references.keys().any(is_store) || !self.tree.rejections.is_empty();
        let requests: u64 = if stores { 2 } else { 1 };
        let mut all = vec![nearest.clone()];
        // How many lines of the level above are filled for each miss in the first.
        let mut fills: u64 = 1;
        for (idx, level) in levels.iter().enumerate().skip(1) {
            let histograms = self.histograms(level.line_size)?;
            let is_within = |above: &CacheGeometry| level.line_size.is_multiple_of(above.line_size);
            let nests = levels[..idx].iter().all(is_within);
            let asked = fills.saturating_mul(requests);
            all.push(self.per_reference(|id| {
                let compulsory = histograms[id].cold().bounds();
                match (compulsory, nearest[id].bounds()) {
                    (Some((first, _)), Some((_, misses))) => {
                        let upper = misses.saturating_mul(width(id)).saturating_mul(asked);
                        let lower = if nests { first } else { 0 };
                        Counted::between(lower.min(upper), upper)
                    }
                    _ => Counted::Unknown,
                }
            }));
            let lines = most_lines(levels[idx - 1].line_size, levels[idx]);
            fills = asked.saturating_mul(lines);
        }
        Ok(all)
    }

    /// Collects how many lines an access of each reference touches at most.
    fn collect_widths(
        &self,
        steps: &[ProgramStep],
        line_size: u64,
        widths: &mut BTreeMap<ReferenceId, u64>,
    ) {
        for step in steps {
            match step {
                ProgramStep::Access(access) => {
                    let lines = access.most_lines(line_size, self.bases[access.array]);
                    widths.insert(access.reference, lines);
                }
                ProgramStep::Loop(inner) => self.collect_widths(&inner.body, line_size, widths),
                ProgramStep::Branch {
                    then, otherwise, ..
                } => {
                    self.collect_widths(then, line_size, widths);
                    self.collect_widths(otherwise, line_size, widths);
                }
                ProgramStep::Assign { .. } | ProgramStep::Opaque => {}
            }
        }
    }
}

/// How many lines of a level a line of the one above touches at most.
fn most_lines(line_above: u64, level: CacheGeometry) -> u64 {
    if level.line_size.is_multiple_of(line_above) {
        return 1;
    }
    (line_above - 1).div_ceil(level.line_size) + 1
}
