//! Misses of pages, and of lines that rows are no multiple of, for each reference of a tree.
//!
//! Pages are counted in elements, which have to be of one length. Where data decide what executes, there are bounds anyway, and
//! arrays with elements of another length are counted apart: each of their lines may lie between two touches of a line, or none
//! of them. In `table[i][j] = max(table[i][j], table[i + 1][j - 1] + pair(seq[i], seq[j]))`, with 2,500 bytes of `seq` and rows
//! of 10,000 bytes, `seq` has at most one line in each of 64 sets. So of 12 ways, `table` has at least 11 for itself, and at most
//! all. LRU keeps what more ways keep less of (Mattson, Gecsei, Slutz and Traiger, *Evaluation techniques for storage hierarchies*,
//! 1970): misses lie between those in 12 ways and those in 11.

use crate::closed_counts::{all_between, per_reference, summed};
use crate::options::MeasureOptions;
use premiss_cache::CacheGeometry;
use premiss_dataflow::DistanceBound;
use premiss_formulas::PageForm;
use premiss_histogram::Counted;
use premiss_presburger::{Budget, Refusal};
use premiss_trace::{Execution, PerReference};
use premiss_tree::{ArrayId, EntityRef, NestTree, ReferenceId};
use std::collections::{BTreeMap, BTreeSet};

/// One of so many parts of the steps that an exact number may take is for bounds: more would hardly narrow them.
const BOUND_SHARE: u64 = 2;

/// The elements between two touches of each page, with arrays placed.
#[derive(Debug)]
pub(crate) struct Pages {
    form: Form,
    /// The first and the last page of each array.
    ranges: Vec<(u64, u64)>,
    /// No misses, for each reference.
    nothing: PerReference<Counted>,
}

#[derive(Debug)]
enum Form {
    Exact(PageForm),
    /// Where data decide what executes, for elements of each length.
    Bounded(Vec<BoundedForm>),
}

/// Bounds for arrays with elements of one length.
#[derive(Debug)]
struct BoundedForm {
    least: PageForm,
    most: PageForm,
    /// The first and the last page of each array with elements of another length.
    apart: Vec<(u64, u64)>,
}

impl Pages {
    /// Those of a tree with pages, or lines, of so many bytes, with arrays where an execution places them; `None` where
    /// two of them share a page, or nothing could be derived. There are bounds if `do_data_decide` what executes.
    pub(crate) fn of(
        tree: &NestTree,
        page_size: u64,
        do_data_decide: bool,
        execution: &Execution<'_>,
        options: &MeasureOptions,
    ) -> Option<Self> {
        let ranges = execution.line_ranges(page_size)?;
        let mut sorted = ranges.clone();
        sorted.sort_unstable();
        let are_apart = sorted.windows(2).all(|pair| pair[0].1 < pair[1].0);
        if !are_apart {
            return None;
        }
        let form = |tree: &NestTree, bound| {
            PageForm::derive(tree, page_size, execution.bases(), bound, options.effort).ok()
        };
        let form = match do_data_decide {
            false => Form::Exact(form(tree, None)?),
            true => {
                let mut all = Vec::new();
                for (arrays, tree) in by_element_size(tree) {
                    let is_apart = |idx: &usize| !arrays.contains(&ArrayId::new(*idx));
                    let apart = (0..ranges.len()).filter(is_apart);
                    all.push(BoundedForm {
                        least: form(&tree, Some(DistanceBound::Lower))?,
                        most: form(&tree, Some(DistanceBound::Upper))?,
                        apart: apart.map(|idx| ranges[idx]).collect(),
                    });
                }
                Form::Bounded(all)
            }
        };
        Some(Self {
            form,
            ranges,
            nothing: per_reference(tree, &Counted::ZERO),
        })
    }

    /// The accesses of each reference; `None` where adding them up takes too many steps.
    pub(crate) fn accesses(&self) -> Option<PerReference<Counted>> {
        match &self.form {
            Form::Exact(form) => Some(summed(&self.nothing, form.accesses().ok()?)),
            Form::Bounded(forms) => self.between(forms, |form, bound| form.of(bound).accesses()),
        }
    }

    /// The misses of a cache or TLB; `None` where they take more steps.
    pub(crate) fn decided(
        &self,
        geometry: CacheGeometry,
        steps: u64,
    ) -> Option<PerReference<Counted>> {
        match &self.form {
            Form::Exact(form) => {
                let misses = form.misses(geometry, &mut Budget::new(steps));
                Some(summed(&self.nothing, misses.ok()?))
            }
            Form::Bounded(forms) if geometry.holds(&self.ranges) => {
                self.between(forms, |form, bound| form.of(bound).cold())
            }
            Form::Bounded(forms) => {
                let steps = steps / BOUND_SHARE;
                self.between(forms, |form, bound| form.bound(geometry, bound, steps))
            }
        }
    }

    /// The numbers between lower and upper ones.
    fn between(
        &self,
        forms: &[BoundedForm],
        count: impl Fn(&BoundedForm, DistanceBound) -> Result<Vec<(ReferenceId, u64)>, Refusal>,
    ) -> Option<PerReference<Counted>> {
        let all = |bound| {
            let mut all = Vec::new();
            for form in forms {
                all.extend(count(form, bound).ok()?);
            }
            Some(summed(&self.nothing, all))
        };
        let (least, most) = (all(DistanceBound::Lower)?, all(DistanceBound::Upper)?);
        Some(all_between(&least, &most))
    }
}

impl BoundedForm {
    fn of(&self, bound: DistanceBound) -> &PageForm {
        match bound {
            DistanceBound::Lower => &self.least,
            DistanceBound::Upper => &self.most,
        }
    }

    /// At least or at most how many accesses miss.
    fn bound(
        &self,
        geometry: CacheGeometry,
        bound: DistanceBound,
        steps: u64,
    ) -> Result<Vec<(ReferenceId, u64)>, Refusal> {
        let form = self.of(bound);
        if bound == DistanceBound::Lower {
            return form.bound(geometry, bound, steps);
        }
        // Each of as many consecutive pages as there are sets is in another set.
        let of_array = |(first, last): &(u64, u64)| (last - first + 1).div_ceil(geometry.sets);
        let taken: u64 = self.apart.iter().map(of_array).sum();
        match geometry.ways.saturating_sub(taken) {
            0 => form.accesses(),
            ways => form.bound(CacheGeometry { ways, ..geometry }, bound, steps),
        }
    }
}

/// For each length of elements, the arrays that have it, and the tree with accesses to these alone.
fn by_element_size(tree: &NestTree) -> Vec<(BTreeSet<ArrayId>, NestTree)> {
    let mut sizes: BTreeMap<ArrayId, BTreeSet<u32>> = BTreeMap::new();
    for id in tree.used_references() {
        let reference = &tree.references[id];
        let of_array = sizes.entry(reference.array).or_default();
        of_array.insert(reference.size);
    }
    let mut by_size: BTreeMap<BTreeSet<u32>, BTreeSet<ArrayId>> = BTreeMap::new();
    for (array, sizes) in sizes {
        by_size.entry(sizes).or_default().insert(array);
    }
    let of_size = |arrays: BTreeSet<ArrayId>| {
        let tree = tree.with_references(&|id| arrays.contains(&tree.references[id].array));
        (arrays, tree)
    };
    by_size.into_values().map(of_size).collect()
}
