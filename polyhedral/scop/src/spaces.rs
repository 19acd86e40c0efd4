//! Arrays: their rows, how their lines are named, and which loops must be strip-mined for that.

use crate::build::ScopBuilder;
use crate::condition::{Conjunction, may_all_be};
use crate::delinearise::{Touch, rows};
use crate::evaluate::{Evaluator, Values};
use crate::execute::{AccessItem, NestItem, not_negative};
use crate::lines::Naming;
use crate::options::{ArrayLayout, ScopOptions};
use crate::polynomial::{Polynomial, Symbol};
use crate::reject::{ExpressionSite, Obstacle, Reject};
use crate::scop::{LineSpace, Scop, SymbolicParameter};
use crate::size_conditions::{Scale, preventing};
use crate::strip::{Dimension, Factors, Strip};
use premiss_arithmetic::gcd;
use premiss_presburger::System;
use premiss_tree::{ArrayId, NestTree, PrimaryMap, ReferenceId};
use std::collections::BTreeMap;

/// What is known of a tree once it has been executed.
pub(crate) struct Lowering<'a> {
    pub(crate) tree: &'a NestTree,
    pub(crate) line: i64,
    pub(crate) sizes: Vec<SymbolicParameter>,
    pub(crate) context: System,
    pub(crate) granted: Conjunction,
    /// Conditions on sizes that are not granted yet.
    pub(crate) required: Conjunction,
    pub(crate) evaluator: Evaluator,
    pub(crate) n_iterators: usize,
}

/// An array's accesses and how its lines are named.
pub(crate) struct Space {
    pub(crate) naming: Naming,
    /// The subscripts of each case of each access, accesses in the order of the tree.
    pub(crate) subscripts: Vec<Vec<Polynomial>>,
    /// Whether each access touches a whole line.
    is_of_elements: bool,
}

impl Space {
    /// The subscripts in each dimension, outermost first.
    fn dimensions(&self) -> Vec<Dimension<'_>> {
        let rank = self.subscripts.first().map_or(0, Vec::len);
        let dimension = |idx: usize| Dimension {
            subscripts: self.subscripts.iter().map(|all| &all[idx]).collect(),
            unit: if idx + 1 == rank { self.naming.line } else { 1 },
            is_of_elements: self.is_of_elements,
        };
        (0..rank).map(dimension).collect()
    }
}

impl Lowering<'_> {
    /// The scop of a tree that has become these items, or the conditions on sizes under which there is one.
    pub(crate) fn finish(
        mut self,
        question: &ScopOptions,
        parameters: Vec<SymbolicParameter>,
        items: &[NestItem],
    ) -> Result<Result<Scop, Conjunction>, Reject> {
        let mut accesses = Vec::new();
        collect(items, &mut accesses);
        let mut spaces = self.spaces(question, &accesses)?;
        if !self.required.is_empty() {
            return Ok(Err(self.required));
        }
        let strips = self.strips(&accesses, &mut spaces)?;
        let mut scop = Scop {
            line_size: question.line_size,
            parameters,
            context: self.context.clone(),
            spaces: PrimaryMap::new(),
            nodes: PrimaryMap::new(),
            roots: Vec::new(),
        };
        let mut ids = BTreeMap::new();
        for (array, space) in &spaces {
            let id = scop.spaces.push(LineSpace {
                array: *array,
                coordinates: space.naming.coordinates(),
            });
            ids.insert(*array, id);
        }
        let mut builder = ScopBuilder::new(&self, &spaces, ids, strips, scop);
        let roots = builder.items(items, None, 0)?;
        Ok(Ok(builder.finish(roots)))
    }

    fn spaces(
        &mut self,
        question: &ScopOptions,
        accesses: &[&AccessItem],
    ) -> Result<BTreeMap<ArrayId, Space>, Reject> {
        let mut by_array: BTreeMap<ArrayId, Vec<&AccessItem>> = BTreeMap::new();
        for access in accesses {
            let array = self.tree.references[access.reference].array;
            by_array.entry(array).or_default().push(access);
        }
        if let ArrayLayout::Bases(bases) = &question.layout {
            self.check_apart(bases, &by_array)?;
        }
        let is_declared_apart =
            1 < by_array.len() && matches!(question.layout, ArrayLayout::Aligned);
        let mut spaces = BTreeMap::new();
        for (array, accesses) in by_array {
            let start = self.start(question, array)?;
            let space = self.space(array, &accesses, start)?;
            if is_declared_apart {
                self.require_bounds(array, &accesses, &space)?;
            }
            spaces.insert(array, space);
        }
        Ok(spaces)
    }

    /// The place of an array's first byte in its line.
    fn start(&self, question: &ScopOptions, array: ArrayId) -> Result<i64, Reject> {
        match &question.layout {
            ArrayLayout::Aligned => Ok(0),
            ArrayLayout::Bases(bases) => {
                let place = bases[array] % self.line.cast_unsigned();
                i64::try_from(place).map_err(|_| Reject::UnalignedBase(array))
            }
        }
    }

    fn space(
        &mut self,
        array: ArrayId,
        accesses: &[&AccessItem],
        start: i64,
    ) -> Result<Space, Reject> {
        let place = ExpressionSite::Address(accesses[0].reference);
        let at = |obstacle: Obstacle| obstacle.at(place);
        let mut cases = Vec::new();
        for access in accesses {
            let size = i64::from(self.tree.references[access.reference].size);
            for (domain, offset) in &access.cases {
                self.check_straddling(access.reference, offset, start, size)?;
                let domain = self.evaluator.with_floors(domain, offset).map_err(at)?;
                cases.push((domain, offset, size));
            }
        }
        let touches = cases.iter().map(|(domain, offset, size)| Touch {
            domain,
            offset,
            size: *size,
        });
        let touches: Vec<Touch<'_>> = touches.collect();
        let mut declared = Vec::new();
        if start == 0 {
            let values = Values::new();
            for stride in &self.tree.arrays[array].strides {
                let stride = self.evaluator.value(stride, &values).map_err(at)?;
                declared.extend(stride.single().cloned());
            }
        }
        // An array that starts within a line has no rows and bands: its bytes are counted.
        let rows = if start == 0 {
            rows(&touches, &declared, self.line).map_err(at)?
        } else {
            let rows = rows(&touches, &declared, i64::MAX);
            let rows = rows.map_err(at)?;
            if !rows.strides.is_empty() {
                return Err(Reject::UnalignedBase(array));
            }
            rows
        };
        self.require(rows.required.clone()).map_err(at)?;
        let naming = Naming::new(&rows, self.line, start, &self.sizes).map_err(at)?;
        if let Some(row) = naming.shared() {
            let condition = self.is_line(row).map_err(at)?;
            self.require(condition.ok_or(Reject::ShortRows(array))?)
                .map_err(at)?;
        }
        Ok(Space {
            is_of_elements: touches.iter().all(|touch| touch.size == self.line),
            naming,
            subscripts: rows.subscripts,
        })
    }

    /// The conditions under which a row is at least as long as a line.
    fn is_line(&self, row: &Polynomial) -> Result<Option<Conjunction>, Obstacle> {
        let short = row.scaled(-1)?.plus_constant(self.line - 1)?;
        match may_all_be(self.granted.iter().chain(&not_negative(short.clone()))) {
            true => {
                let condition = preventing(&self.granted, &short, Scale::Any)?;
                Ok(condition.map(|condition| Conjunction::from([condition])))
            }
            false => Ok(Some(Conjunction::new())),
        }
    }

    /// Fails where an element may lie in two lines: where the offset is not known modulo enough to exclude it.
    fn check_straddling(
        &self,
        reference: ReferenceId,
        offset: &Polynomial,
        start: i64,
        size: i64,
    ) -> Result<(), Reject> {
        let coefficients = offset.terms().filter(|(product, _)| !product.is_empty());
        let known = coefficients.fold(self.line, |known, (_, coefficient)| gcd(known, coefficient));
        let place = offset
            .constant_term()
            .saturating_add(start)
            .rem_euclid(known);
        if place.saturating_add(size) <= known {
            Ok(())
        } else {
            Err(Reject::Straddles(reference))
        }
    }

    /// What becomes of each loop; subscripts made of blocks are split.
    fn strips(
        &self,
        accesses: &[&AccessItem],
        spaces: &mut BTreeMap<ArrayId, Space>,
    ) -> Result<Vec<Strip>, Reject> {
        let mut factors = Factors::new(self.n_iterators, &self.evaluator.floors);
        let mut seen: BTreeMap<ArrayId, usize> = BTreeMap::new();
        let mut domains = Vec::new();
        for access in accesses {
            let at = |obstacle: Obstacle| obstacle.at(ExpressionSite::Address(access.reference));
            let array = self.tree.references[access.reference].array;
            let Some(space) = spaces.get(&array) else {
                continue;
            };
            let next = seen.entry(array).or_default();
            for (domain, _) in &access.cases {
                let subscripts = &space.subscripts[*next];
                *next += 1;
                space.naming.require(subscripts, &mut factors).map_err(at)?;
                for constraint in domain {
                    self.require_floors(constraint.polynomial(), &mut factors)
                        .map_err(at)?;
                }
                for subscript in subscripts {
                    self.require_floors(subscript, &mut factors).map_err(at)?;
                }
                domains.push(domain);
            }
        }
        if let Some(first) = accesses.first() {
            let at = |obstacle: Obstacle| obstacle.at(ExpressionSite::Address(first.reference));
            let dimensions: Vec<Dimension<'_>> =
                spaces.values().flat_map(Space::dimensions).collect();
            factors.close(&domains, &dimensions).map_err(at)?;
            let checked = factors.check_sizes(&dimensions, &self.sizes);
            checked.map_err(at)?;
        }
        let strips = factors.strips(&domains);
        for space in spaces.values_mut() {
            let subscripts = std::mem::take(&mut space.subscripts);
            space.naming.split(&subscripts, &strips);
            space.subscripts = subscripts;
        }
        Ok(strips)
    }

    /// Makes the floors in a form known.
    fn require_floors(&self, form: &Polynomial, factors: &mut Factors<'_>) -> Result<(), Obstacle> {
        for (product, _) in form.terms() {
            if let [Symbol::Floor(_)] = product {
                factors.require(&Polynomial::symbol(product[0]), 1)?;
            }
        }
        Ok(())
    }
}

/// All accesses, in order.
pub(crate) fn collect<'a>(items: &'a [NestItem], accesses: &mut Vec<&'a AccessItem>) {
    for item in items {
        match item {
            NestItem::Loop { body, .. } => collect(body, accesses),
            NestItem::Access(access) => accesses.push(access),
        }
    }
}
