//! Misses of pages, and of other lines that rows are no multiple of, at given sizes.
//!
//! Where rows begin at many places within a line, there is no histogram with coordinates for each of them. Misses in caches and
//! TLBs are decided all the same, array by array: each line is named by the element that it starts with.

use crate::closed_form::scop_of;
use crate::refusal::{DerivationStage, Effort, NoClosedForm};
use premiss_cache::CacheGeometry;
use premiss_dataflow::{DistanceBound, analyze_space};
use premiss_distance::{PageConflicts, page_conflicts};
use premiss_isl::with_budget;
use premiss_presburger::{Budget, Refusal};
use premiss_scop::{ArrayLayout, LineSpaceId, ScopOptions, page_scop};
use premiss_tree::{ArrayId, NestTree, Reference, ReferenceId, SecondaryMap};
use std::collections::BTreeMap;

/// For each access of a function whose sizes have values, the elements that are touched between two touches of its page.
#[derive(Debug)]
pub struct PageForm {
    arrays: Vec<PageConflicts>,
}

impl PageForm {
    /// Derives it for pages, or lines, of `page_size` bytes. `bases` has the address of each array's first byte; no two
    /// arrays share a page. Where data decide what executes, it has lower or upper bounds; without a `bound`, such trees are
    /// rejected.
    ///
    /// # Errors
    /// [`NoClosedForm::Rejected`] if the tree is outside the model, [`NoClosedForm::Placement`] if elements have several
    /// lengths or do not lie at multiples of theirs, [`NoClosedForm::Refused`] if the effort does not suffice.
    pub fn derive(
        tree: &NestTree,
        page_size: u64,
        bases: &SecondaryMap<ArrayId, u64>,
        bound: Option<DistanceBound>,
        effort: Effort,
    ) -> Result<Self, NoClosedForm> {
        let refused = |stage, refusal| NoClosedForm::Refused {
            stage,
            refusal,
            effort,
        };
        let line_size = element_size(tree, page_size, bases);
        let line_size = line_size.ok_or(NoClosedForm::Placement(page_size))?;
        let options = ScopOptions {
            line_size,
            layout: ArrayLayout::Aligned,
            sizes: BTreeMap::new(),
        };
        let elements = scop_of(tree, &options, bound).map_err(NoClosedForm::Rejected)?;
        let page = (page_size / line_size).cast_signed();
        let first = |space: LineSpaceId| {
            let base = bases[elements.spaces[space].array];
            (base / line_size).cast_signed()
        };
        let mut budget = Budget::new(effort.steps);
        let mut arrays = Vec::new();
        for space in elements.spaces.keys() {
            let pages = page_scop(&elements, space, page);
            let pages = pages.map_err(|_| NoClosedForm::Placement(page_size))?;
            let relation = with_budget(effort.operations(), || {
                analyze_space(
                    &pages.scop,
                    bound.unwrap_or(DistanceBound::Upper),
                    pages.page,
                )
            });
            let relation =
                relation.map_err(|refusal| refused(DerivationStage::Predecessors, refusal))?;
            let conflicts = page_conflicts(&pages, &relation, &first, page, &mut budget);
            arrays.push(conflicts.map_err(|refusal| refused(DerivationStage::Conflicts, refusal))?);
        }
        Ok(Self { arrays })
    }

    /// The misses of each access in an LRU cache or TLB with pages of that size that sees all accesses.
    ///
    /// # Errors
    /// [`Refusal::Budget`] where the budget runs out; another refusal where a number does not fit.
    pub fn misses(
        &self,
        geometry: CacheGeometry,
        budget: &mut Budget,
    ) -> Result<Vec<(ReferenceId, u64)>, Refusal> {
        let mut all = Vec::new();
        for array in &self.arrays {
            all.extend(array.misses(geometry, budget)?);
        }
        Ok(all)
    }
}

impl PageForm {
    /// The accesses of each reference.
    ///
    /// # Errors
    /// [`Refusal::Budget`] where adding them up takes too many steps; another refusal where a number does not fit.
    pub fn accesses(&self) -> Result<Vec<(ReferenceId, u64)>, Refusal> {
        let mut all = Vec::new();
        for array in &self.arrays {
            all.extend(array.accesses()?);
        }
        Ok(all)
    }

    /// The accesses of each reference that are the first to touch their page.
    ///
    /// # Errors
    /// [`Refusal::Overflow`] where a number does not fit.
    pub fn cold(&self) -> Result<Vec<(ReferenceId, u64)>, Refusal> {
        let mut all = Vec::new();
        for array in &self.arrays {
            all.extend(array.cold()?);
        }
        Ok(all)
    }

    /// At least or at most how many accesses miss in such a cache or TLB, as far as so many steps tell.
    ///
    /// # Errors
    /// [`Refusal::Budget`] where adding up accesses takes too many steps; another refusal where a number does not fit.
    pub fn bound(
        &self,
        geometry: CacheGeometry,
        bound: DistanceBound,
        steps: u64,
    ) -> Result<Vec<(ReferenceId, u64)>, Refusal> {
        let mut arrays = Vec::with_capacity(self.arrays.len());
        for array in &self.arrays {
            let accesses = array.accesses()?;
            arrays.push((
                array,
                accesses.iter().map(|x| u128::from(x.1)).sum::<u128>(),
            ));
        }
        let accesses: u128 = arrays.iter().map(|x| x.1).sum();
        let mut all = Vec::new();
        for (array, own) in arrays {
            let steps = u128::from(steps) * own / accesses.max(1);
            let steps = u64::try_from(steps).map_err(|_| Refusal::Overflow)?;
            all.extend(array.bound(geometry, bound, steps)?);
        }
        Ok(all)
    }
}

/// The length of all elements, if it is one, pages are made of whole elements, and all arrays start at a multiple of it.
fn element_size(
    tree: &NestTree,
    page_size: u64,
    bases: &SecondaryMap<ArrayId, u64>,
) -> Option<u64> {
    let used = tree.used_references().into_iter();
    let references: Vec<&Reference> = used.map(|id| &tree.references[id]).collect();
    let size = u64::from(references.first()?.size);
    let is_one = |base: u64| base.is_multiple_of(size);
    let fits = |x: &&Reference| u64::from(x.size) == size && is_one(bases[x.array]);
    (page_size.is_multiple_of(size) && references.iter().all(fits)).then_some(size)
}
