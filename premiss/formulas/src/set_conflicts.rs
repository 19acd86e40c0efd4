//! How lines of arrays share the sets of a cache, for arrays in one place or another.
//!
//! A reuse relation names lines by coordinates, such as the row and the line in it. Where an array starts, and how many lines
//! lie between two rows, are numbers that only come in when lines become sets. So rows of a line more (padding within an array)
//! and arrays that start later (padding between arrays) ask the same relation again, and nothing is derived anew.

use crate::explain::{Explanation, ReuseExplanation};
use premiss_cache::CacheGeometry;
use premiss_dataflow::{AccessReuse, ReuseRelation};
use premiss_distance::{ConflictSets, conflict_sets};
use premiss_presburger::{Budget, Polynomial, Refusal};
use premiss_scop::{LineCoordinate, LineSpaceId, NodeId, Scop};
use premiss_tree::{ArrayId, ReferenceId, SecondaryMap};
use std::collections::BTreeMap;

/// Where the lines of all arrays lie.
#[derive(Clone, Debug)]
pub struct LineLayout {
    /// The address of each array's first byte, which starts a line.
    pub bases: SecondaryMap<ArrayId, u64>,
    /// The arrays whose rows are longer than the program has them.
    pub padded: BTreeMap<ArrayId, RowPadding>,
}

/// Rows that are longer than they were.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowPadding {
    /// How many lines a row had.
    pub lines: u64,
    /// How many lines are added to each.
    pub added: u64,
}

impl Explanation {
    /// Whether all sizes have values, so that sets can be asked for.
    #[must_use]
    pub fn has_sets(&self) -> bool {
        self.scop.parameters.is_empty()
    }

    /// The misses of each access in a fully associative LRU cache of so many lines.
    ///
    /// # Errors
    /// Sizes are symbolic, or a number does not fit.
    pub fn fully_associative_misses(&self, lines: u64) -> Result<Vec<(ReferenceId, u64)>, Refusal> {
        if !self.has_sets() {
            return Err(Refusal::NotAffine);
        }
        let sized = self.histogram.prepared().at(&[])?;
        let references = sized.references.iter();
        let misses = references.map(|one| Ok((one.reference, one.misses(lines)?)));
        misses.collect()
    }

    /// Whether the rows of an array can be longer without changing what the program does: they are so many whole lines, and
    /// no access reaches beyond its row.
    #[must_use]
    pub fn has_rows(&self, array: ArrayId, lines: u64) -> bool {
        let padding = RowPadding { lines, added: 1 };
        1 < lines && padded(&self.scop, array, padding).is_some()
    }

    /// The misses of each access in an LRU cache that sees all of them, with arrays in a layout.
    ///
    /// # Errors
    /// [`Refusal::NotAffine`] where sizes are symbolic or rows cannot be padded, [`Refusal::Budget`] where the budget runs
    /// out; another refusal where a number does not fit.
    pub fn misses_in_sets(
        &self,
        layout: &LineLayout,
        geometry: CacheGeometry,
        budget: &mut Budget,
    ) -> Result<Vec<(ReferenceId, u64)>, Refusal> {
        let sets = self.sets(&self.relation, layout, budget)?;
        sets.misses(geometry, budget)
    }

    /// The lines in the set of a line that are touched between two touches of it.
    ///
    /// # Errors
    /// As for [`Explanation::misses_in_sets`].
    pub fn lines_in_set(
        &self,
        (node, reuse): (NodeId, &ReuseExplanation),
        layout: &LineLayout,
        budget: &mut Budget,
    ) -> Result<LinesInSet, Refusal> {
        let all = self.sets(&self.relation_of(node, reuse, None), layout, budget)?;
        let mut arrays = Vec::new();
        for (array, _) in &reuse.between {
            let own = self.relation_of(node, reuse, Some(*array));
            arrays.push((*array, self.sets(&own, layout, budget)?));
        }
        Ok(LinesInSet { all, arrays })
    }

    fn sets(
        &self,
        relation: &ReuseRelation,
        layout: &LineLayout,
        budget: &mut Budget,
    ) -> Result<ConflictSets, Refusal> {
        let mut scop = std::borrow::Cow::Borrowed(&self.scop);
        for (array, padding) in &layout.padded {
            let longer = padded(&scop, *array, *padding).ok_or(Refusal::NotAffine)?;
            scop = std::borrow::Cow::Owned(longer);
        }
        let first_line = |space: LineSpaceId| {
            let base = layout.bases[self.scop.spaces[space].array];
            (base / self.scop.line_size).cast_signed()
        };
        conflict_sets(&scop, relation, &first_line, budget)
    }

    /// One group of reuses, with the lines of one array in between, or of all.
    fn relation_of(
        &self,
        node: NodeId,
        reuse: &ReuseExplanation,
        array: Option<ArrayId>,
    ) -> ReuseRelation {
        let is_asked =
            |space: LineSpaceId| array.is_none_or(|array| self.scop.spaces[space].array == array);
        let footprints = self.relation.footprints.iter();
        let footprints = footprints.filter(|((_, _, space), _)| is_asked(*space));
        ReuseRelation {
            accesses: vec![AccessReuse {
                sink: node,
                reuses: reuse.reuses.clone(),
                cold: Vec::new(),
            }],
            footprints: footprints
                .map(|(key, systems)| (*key, systems.clone()))
                .collect(),
        }
    }
}

/// The lines in the set of a line that are touched between two touches of it, by one group of reuses.
#[derive(Debug)]
pub struct LinesInSet {
    all: ConflictSets,
    arrays: Vec<(ArrayId, ConflictSets)>,
}

impl LinesInSet {
    /// How many of the accesses miss.
    ///
    /// # Errors
    /// [`Refusal::Budget`] where the budget runs out; another refusal where a number does not fit.
    pub fn misses(&self, geometry: CacheGeometry, budget: &mut Budget) -> Result<u64, Refusal> {
        with_at_least(&self.all, geometry, budget)
    }

    /// The least and the most other lines in the set, of all arrays and of each.
    ///
    /// # Errors
    /// As for [`LinesInSet::misses`].
    #[expect(clippy::type_complexity, reason = "each part is named by the function")]
    pub fn least_and_most(
        &self,
        geometry: CacheGeometry,
        budget: &mut Budget,
    ) -> Result<((u64, u64), Vec<(ArrayId, (u64, u64))>), Refusal> {
        let all = least_and_most(&self.all, geometry, budget)?;
        let mut arrays = Vec::new();
        for (array, sets) in &self.arrays {
            arrays.push((*array, least_and_most(sets, geometry, budget)?));
        }
        Ok((all, arrays))
    }
}

/// How many accesses find at least as many lines in their set as there are ways.
fn with_at_least(
    sets: &ConflictSets,
    geometry: CacheGeometry,
    budget: &mut Budget,
) -> Result<u64, Refusal> {
    let counts = sets.misses(geometry, budget)?.into_iter();
    Ok(counts.map(|(_, count)| count).sum())
}

/// The least and the most lines that accesses find in their set. As many accesses as find `w` lines or more would miss in
/// `w` ways: all of them for the least number, and still some for the most. So both are found by bisection, and are as
/// exact as misses are.
fn least_and_most(
    sets: &ConflictSets,
    geometry: CacheGeometry,
    budget: &mut Budget,
) -> Result<(u64, u64), Refusal> {
    let mut accesses = |ways: u64| with_at_least(sets, CacheGeometry { ways, ..geometry }, budget);
    let all = accesses(0)?;
    let least = last_where(|ways| Ok(accesses(ways)? == all))?;
    let most = last_where(|ways| Ok(0 < accesses(ways)?))?;
    Ok((least, most))
}

/// The last number for which a question is answered by yes, as it is for 0 and all numbers up to that one.
fn last_where(mut holds: impl FnMut(u64) -> Result<bool, Refusal>) -> Result<u64, Refusal> {
    let mut beyond = 1_u64;
    while holds(beyond)? {
        beyond = beyond.checked_mul(2).ok_or(Refusal::Overflow)?;
    }
    let mut last = beyond / 2;
    while last + 1 < beyond {
        let middle = last.midpoint(beyond);
        match holds(middle)? {
            true => last = middle,
            false => beyond = middle,
        }
    }
    Ok(last)
}

/// The scop with longer rows of an array; `None` where it has no coordinate that counts rows of so many lines.
///
/// With rows of 128 lines, the coordinates of `A[i][j][k]` are worth 128·m, 128 and 1 lines; with a line more, 129·m, 129 and
/// 1. What counts lines in a row never reaches the next one.
fn padded(scop: &Scop, array: ArrayId, padding: RowPadding) -> Option<Scop> {
    let lines = i64::try_from(padding.lines)
        .ok()
        .filter(|lines| 0 < *lines)?;
    let added = i64::try_from(padding.added).ok()?;
    let mut scop = scop.clone();
    for space in scop
        .spaces
        .values_mut()
        .filter(|space| space.array == array)
    {
        let mut weights = space
            .coordinates
            .iter()
            .map(LineCoordinate::constant_weight);
        if !weights.any(|weight| weight == Some(lines)) {
            return None;
        }
        for coordinate in &mut space.coordinates {
            let weight = coordinate.constant_weight()?;
            if lines <= weight {
                let rows = (weight % lines == 0).then_some(weight / lines)?;
                let longer = weight.checked_add(rows.checked_mul(added)?)?;
                coordinate.weight = Some(Polynomial::integer(longer.into()));
            }
        }
    }
    Some(scop)
}
