//! The comparison for one residue class of the sizes of both programs.

use super::difference::{Difference, growth};
use super::types::{CapacityLimit, MissGrowth, ReferenceSet, SizeRange, Witness};
use crate::formula::Formula;
use crate::formula_builder::FormulaBuilder;
use crate::residue_classes::{ResidueFactors, SymbolicOptions, symbolic_form};
use crate::size_conditions::holds_for_all_sizes;
use premiss_distance::{ReferenceHistogram, SymbolicHistogram};
use premiss_presburger::{Column, Rational, Refusal};
use premiss_tree::{NestTree, ParameterId, ReferenceId};
use std::collections::{BTreeMap, BTreeSet};

/// A size without a value: its id before and after.
pub(super) type Size = (Option<ParameterId>, Option<ParameterId>);

/// The sizes of the form `factor * x + residue`.
pub(super) struct SizeClass<'a> {
    pub(super) sizes: &'a [Size],
    pub(super) range: SizeRange,
    pub(super) factors: &'a [i64],
    pub(super) residues: &'a [i64],
}

impl SizeClass<'_> {
    /// How the misses at each capacity change in this class.
    pub(super) fn growths(
        &self,
        (before, after): (ReferenceSet<'_>, ReferenceSet<'_>),
        capacities: &[CapacityLimit<'_>],
        options: SymbolicOptions<'_>,
    ) -> Result<Vec<MissGrowth>, Refusal> {
        let old = self.form(before.tree, |size| size.0, options)?;
        let new = self.form(after.tree, |size| size.1, options)?;
        let sides = [
            self.version_form(before, &old, |size| size.0),
            self.version_form(after, &new, |size| size.1),
        ];
        let steps = options.effort.steps;
        let is_everywhere = [(before, &old), (after, &new)]
            .iter()
            .all(|(part, form)| holds_for_all_sizes(part.tree, form));
        let of_one = |capacity| match self.growth(&sides, capacity, steps) {
            Ok(MissGrowth::Never) if !is_everywhere => MissGrowth::Undecided,
            found => found.unwrap_or(MissGrowth::Undecided),
        };
        Ok(capacities.iter().map(of_one).collect())
    }

    /// The denominators of floors of sizes in the formulas, with the index of the size.
    pub(super) fn denominators(
        &self,
        (before, after): (ReferenceSet<'_>, ReferenceSet<'_>),
        capacities: &[CapacityLimit<'_>],
        options: SymbolicOptions<'_>,
    ) -> Result<BTreeSet<(usize, i64)>, Refusal> {
        let mut found = BTreeSet::new();
        let ids: [fn(&Size) -> Option<ParameterId>; 2] = [|size| size.0, |size| size.1];
        for (part, id) in [before, after].into_iter().zip(ids) {
            let form = self.form(part.tree, id, options)?;
            let side = self.version_form(part, &form, id);
            for capacity in capacities {
                let Ok(misses) = side.misses(part.references, capacity.lines, options.effort.steps)
                else {
                    continue;
                };
                for floor in misses.cases.iter().flat_map(|case| &case.domain.floors) {
                    let of_sizes = floor.numerator.support().map(Column::place);
                    let of_sizes = of_sizes.filter_map(|size| side.columns.get(size));
                    let places = of_sizes.filter_map(|column| column.number().checked_sub(1));
                    found.extend(places.map(|place| (place, floor.denominator)));
                }
            }
        }
        Ok(found)
    }

    fn version_form<'a>(
        &self,
        part: ReferenceSet<'a>,
        form: &'a SymbolicHistogram,
        id: fn(&Size) -> Option<ParameterId>,
    ) -> VersionForm<'a> {
        let place = |wanted| self.sizes.iter().position(|size| id(size) == Some(wanted));
        let of_one = |size: &premiss_scop::SymbolicParameter| {
            place(size.id).map_or(Column::CONSTANT, Column::at_place)
        };
        VersionForm {
            part,
            form,
            columns: form.parameters.iter().map(of_one).collect(),
        }
    }

    fn growth(
        &self,
        [old, new]: &[VersionForm<'_>; 2],
        capacity: &CapacityLimit<'_>,
        steps: u64,
    ) -> Result<MissGrowth, Refusal> {
        let minus_one = Rational::new(-1, 1)?;
        let misses = [
            old.misses(old.part.references, capacity.lines, steps)?,
            new.misses(new.part.references, capacity.lines, steps)?,
        ];
        // Both have to be passed: the share, and the number.
        let excess = |before: Rational, more: Rational| -> Result<Difference, Refusal> {
            let mut difference = Difference::new(self.sizes.len());
            difference.bound(self.range, self.factors, self.residues);
            let factors = [before.times(minus_one)?, Rational::ONE];
            for ((side, misses), times) in [old, new].into_iter().zip(&misses).zip(factors) {
                difference.take_context(&side.form.context, &side.columns)?;
                difference.add(misses, &side.columns, times)?;
            }
            difference.add_constant(more.times(minus_one)?);
            Ok(difference)
        };
        let zero = Rational::new(0, 1)?;
        let excesses = [
            excess(capacity.times, zero)?,
            excess(Rational::ONE, capacity.more)?,
        ];
        let witness = |point: &[i128]| -> Result<Option<Witness>, Refusal> {
            let (before, after) = (
                old.at(point, capacity.lines, steps)?,
                new.at(point, capacity.lines, steps)?,
            );
            let total = |all: &[(ReferenceId, u64)]| all.iter().map(|x| x.1).sum::<u64>();
            let sizes = self.named_sizes(point, (old.part.tree, new.part.tree));
            Ok(
                (capacity.exceeds)(total(&before), total(&after)).then_some(Witness {
                    sizes,
                    before,
                    after,
                }),
            )
        };
        growth(&excesses, &self.samples(), &witness)
    }

    /// The derived histogram of a function for this class.
    fn form(
        &self,
        tree: &NestTree,
        id: fn(&Size) -> Option<ParameterId>,
        options: SymbolicOptions<'_>,
    ) -> Result<SymbolicHistogram, Refusal> {
        let (mut factors, mut residues) = (ResidueFactors::new(), BTreeMap::new());
        for ((size, factor), residue) in self.sizes.iter().zip(self.factors).zip(self.residues) {
            if let Some(id) = id(size) {
                factors.insert(id, *factor);
                residues.insert(id, *residue);
            }
        }
        let form = symbolic_form(tree, &factors, &residues, options);
        form.map(|form| form.histogram)
            .map_err(|_| Refusal::NotAffine)
    }

    /// Sample columns at which sizes have values that are common in programs.
    fn samples(&self) -> Vec<Vec<i128>> {
        let near = |size: i64| {
            let column =
                |(factor, residue): (&i64, &i64)| i128::from(((size - residue) / factor).max(1));
            self.factors.iter().zip(self.residues).map(column).collect()
        };
        [8, 16, 32, 64, 100, 200, 500, 1000, 1024, 2000, 4096, 10_000]
            .map(near)
            .to_vec()
    }

    fn named_sizes(
        &self,
        point: &[i128],
        (before, after): (&NestTree, &NestTree),
    ) -> Vec<(String, i64)> {
        let of_one = |(idx, (was, is)): (usize, &Size)| {
            let name = match (was, is) {
                (_, Some(id)) => after.size_name(*id),
                (Some(id), None) => before.size_name(*id),
                (None, None) => "",
            };
            let value = i128::from(self.factors[idx]) * point[idx] + i128::from(self.residues[idx]);
            (name.to_owned(), i64::try_from(value).unwrap_or(i64::MAX))
        };
        self.sizes.iter().enumerate().map(of_one).collect()
    }
}

/// One of the two programs: its closed form, and the column of each of its sizes among the sizes of both.
struct VersionForm<'a> {
    part: ReferenceSet<'a>,
    form: &'a SymbolicHistogram,
    columns: Vec<Column>,
}

impl VersionForm<'_> {
    fn misses(
        &self,
        references: &[ReferenceId],
        lines: u64,
        steps: u64,
    ) -> Result<Formula, Refusal> {
        FormulaBuilder::new(self.form, steps).misses(&of(self.form, references), lines)
    }

    /// The misses of each reference at a point.
    fn at(
        &self,
        point: &[i128],
        lines: u64,
        steps: u64,
    ) -> Result<Vec<(ReferenceId, u64)>, Refusal> {
        let own: Vec<i128> = self
            .columns
            .iter()
            .map(|column| column.number().checked_sub(1).map_or(0, |x| point[x]))
            .collect();
        let of_one = |id: &ReferenceId| {
            let misses = self.misses(&[*id], lines, steps)?.at(&own)?;
            let misses = misses.to_integer().ok_or(Refusal::Overflow)?;
            Ok((*id, u64::try_from(misses).map_err(|_| Refusal::Overflow)?))
        };
        self.part.references.iter().map(of_one).collect()
    }
}

/// The histograms of references.
fn of<'a>(form: &'a SymbolicHistogram, references: &[ReferenceId]) -> Vec<&'a ReferenceHistogram> {
    let all = form.references.iter();
    all.filter(|part| references.contains(&part.reference))
        .collect()
}
