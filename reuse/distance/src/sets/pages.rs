//! Misses of pages, or of any lines that rows are no multiple of, without running a loop.
//!
//! A row of 1,000 elements begins at each of 64 places of a page of 512, and where a page begins decides which of its
//! elements are in the next row. [`PageScop`] makes the first element of the page a parameter, by its row `k` and its place
//! `o`, so that all that happens between two touches of a page is affine in `k`, `o` and the iteration. What is left is
//! arithmetic: `1000·k + o` is a multiple of the page (`congruent_sum`), and the elements that are touched in between meet so
//! many pages of one set (`windows`, `block_shape`).
//!
//! `query` bisects the iterations until bounds decide, or goes through the pages where that takes fewer steps; of a single
//! page, cells of iterations are counted as for lines. `bounds` splits those with most accesses first, until its steps are used up.

mod block_shape;
mod bounds;
mod congruent_sum;
mod cover;
mod query;
mod windows;

use super::block::{FormTables, Innermost};
use super::clauses::JoinedLines;
use super::forms::{AxisForms, ConflictBox};
use super::join::joined;
use super::weights;
use crate::between::{LinesOfArray, Sink, arrays_between};
use crate::derive::iteration_columns;
use crate::frame::AxisFrame;
use crate::part::WeightedBox;
use crate::shares::Shares;
use congruent_sum::Congruence;
use cover::{ArrayBlocks, BlockForms};
use premiss_arithmetic::add;
use premiss_cache::CacheGeometry;
use premiss_dataflow::{AccessReuse, Reuse, ReuseRelation};
use premiss_presburger::{Affine, Budget, Column, Refusal, System, count, disjoint};
use premiss_scop::{LineSpaceId, NodeKind, PageScop, Scop};
use premiss_tree::ReferenceId;
use query::PageQuery;
use std::sync::OnceLock;
use windows::Windows;

/// The most steps for adding up the accesses of some iterations.
const STEPS_PER_SUM: u64 = 1 << 16;

/// For each access to one array, the elements that are touched between two touches of its page.
#[derive(Debug)]
pub struct PageConflicts {
    /// How many elements a page has.
    page: i64,
    references: Vec<ReferencePages>,
}

#[derive(Debug)]
struct ReferencePages {
    reference: ReferenceId,
    /// The accesses that are the first to touch their page.
    cold: i128,
    clauses: Vec<PageClause>,
}

/// Iterations whose page was last touched by one source.
#[derive(Debug)]
struct PageClause {
    arrays: Vec<ArrayBlocks>,
    n_bounds: usize,
    congruence: Congruence,
    parts: Vec<PagePart>,
}

#[derive(Debug)]
struct PagePart {
    part: ConflictBox,
    /// Its accesses, once they were counted, and the steps that it took.
    sum: OnceLock<(i128, u64)>,
}

/// The elements between two touches of each page of one array. `first` is the number of elements before an array, and `page`
/// that of the elements in a page. Accesses are done on all processors.
///
/// # Errors
/// [`Refusal::Budget`] where the budget runs out; another refusal where a number does not fit or a set cannot be counted.
pub fn page_conflicts(
    pages: &PageScop,
    relation: &ReuseRelation,
    first: &(dyn Fn(LineSpaceId) -> i64 + Sync),
    page: i64,
    budget: &mut Budget,
) -> Result<PageConflicts, Refusal> {
    let shares = Shares::new(budget, relation.accesses.len());
    let accesses: Vec<(usize, &AccessReuse)> = relation.accesses.iter().enumerate().collect();
    let derivation = PageDerivation {
        pages,
        relation,
        first,
        page,
    };
    let derived = premiss_parallel::map(&accesses, |(idx, access)| {
        shares.spend(*idx, |budget| derivation.reference(access, budget))
    });
    Ok(PageConflicts {
        page,
        references: shares.settle(derived, budget)?,
    })
}

impl PageConflicts {
    /// The misses of each access to the array in an LRU cache or TLB that sees all accesses.
    ///
    /// # Errors
    /// [`Refusal::Budget`] where the budget runs out; another refusal where a number does not fit.
    pub fn misses(
        &self,
        geometry: CacheGeometry,
        budget: &mut Budget,
    ) -> Result<Vec<(ReferenceId, u64)>, Refusal> {
        let sets = i64::try_from(geometry.sets).map_err(|_| Refusal::Overflow)?;
        let shares = Shares::new(budget, self.references.len());
        let all: Vec<(usize, &ReferencePages)> = self.references.iter().enumerate().collect();
        let counted = premiss_parallel::map(&all, |(idx, reference)| {
            shares.spend(*idx, |budget| {
                let windows = Windows::new(self.page, sets).ok_or(Refusal::Overflow)?;
                reference.misses(&windows, geometry.ways, budget)
            })
        });
        shares.settle(counted, budget)
    }
}

impl PageConflicts {
    /// The accesses to the array.
    ///
    /// # Errors
    /// [`Refusal::Budget`] where adding them up takes too many steps; another refusal where a number does not fit.
    pub fn accesses(&self) -> Result<Vec<(ReferenceId, u64)>, Refusal> {
        let of_one = |reference: &ReferencePages| {
            let accesses = u64::try_from(reference.accesses()?);
            Ok((
                reference.reference,
                accesses.map_err(|_| Refusal::Overflow)?,
            ))
        };
        self.references.iter().map(of_one).collect()
    }

    /// The accesses that are the first to touch their page.
    ///
    /// # Errors
    /// [`Refusal::Overflow`] where a number does not fit.
    pub fn cold(&self) -> Result<Vec<(ReferenceId, u64)>, Refusal> {
        let of_one = |reference: &ReferencePages| {
            let cold = u64::try_from(reference.cold);
            Ok((reference.reference, cold.map_err(|_| Refusal::Overflow)?))
        };
        self.references.iter().map(of_one).collect()
    }
}

impl ReferencePages {
    fn misses(
        &self,
        windows: &Windows,
        ways: u64,
        budget: &mut Budget,
    ) -> Result<(ReferenceId, u64), Refusal> {
        let mut misses = self.cold;
        for clause in &self.clauses {
            let query = clause.query(windows, ways);
            for part in &clause.parts {
                let sum = |budget: &mut Budget| part.sum(clause.congruence, budget);
                let scaled = query.misses(&part.part, sum, budget)?;
                misses = add(misses, scaled / part.part.multiplicity.denominator)?;
            }
        }
        let misses = u64::try_from(misses).map_err(|_| Refusal::Overflow)?;
        Ok((self.reference, misses))
    }

    /// Its accesses.
    fn accesses(&self) -> Result<i128, Refusal> {
        let mut accesses = self.cold;
        for clause in &self.clauses {
            for part in &clause.parts {
                let scaled = part.sum(clause.congruence, &mut Budget::new(STEPS_PER_SUM))?;
                accesses = add(accesses, scaled / part.part.multiplicity.denominator)?;
            }
        }
        Ok(accesses)
    }
}

impl PageClause {
    fn query<'a>(&'a self, windows: &'a Windows, ways: u64) -> PageQuery<'a> {
        PageQuery {
            arrays: &self.arrays,
            n_bounds: self.n_bounds,
            congruence: self.congruence,
            windows,
            ways: ways.saturating_add(1),
            is_by_page: false,
        }
    }
}

impl PagePart {
    fn sum(&self, congruence: Congruence, budget: &mut Budget) -> Result<i128, Refusal> {
        if let Some((sum, steps)) = self.sum.get() {
            budget.spend(*steps)?;
            return Ok(*sum);
        }
        let before = budget.left();
        let sum = congruence.sum(&self.part, budget)?;
        let _ = self.sum.set((sum, before - budget.left()));
        Ok(sum)
    }
}

struct PageDerivation<'a> {
    pages: &'a PageScop,
    relation: &'a ReuseRelation,
    first: &'a (dyn Fn(LineSpaceId) -> i64 + Sync),
    page: i64,
}

impl PageDerivation<'_> {
    fn scop(&self) -> &Scop {
        &self.pages.scop
    }

    fn reference(
        &self,
        access: &AccessReuse,
        budget: &mut Budget,
    ) -> Result<ReferencePages, Refusal> {
        let NodeKind::Access(sink) = &self.scop().nodes[access.sink].kind else {
            unreachable!("a sink is an access");
        };
        let mut cold = 0;
        for domain in &access.cold {
            let tables = FormTables::default();
            let (parts, congruence) = self.parts(domain, &tables, budget)?;
            for part in parts {
                let scaled = part.sum(congruence, budget)?;
                cold = add(cold, scaled / part.part.multiplicity.denominator)?;
            }
        }
        let mut clauses = Vec::new();
        for reuse in &access.reuses {
            self.clauses(reuse, &mut clauses, budget)?;
        }
        Ok(ReferencePages {
            reference: sink.reference,
            cold,
            clauses,
        })
    }

    /// Adds a clause for each part of the iterations of a reuse.
    fn clauses(
        &self,
        reuse: &Reuse,
        clauses: &mut Vec<PageClause>,
        budget: &mut Budget,
    ) -> Result<(), Refusal> {
        let scop = self.scop();
        let sink = Sink::new(scop.parameters.len(), &reuse.hull)?;
        let own = self.page_start(1 + reuse.hull.variables)?;
        let mut arrays = Vec::new();
        for mut array in arrays_between(scop, self.relation, reuse, &sink, budget)? {
            if array.space != self.pages.page {
                if array.space == self.pages.array {
                    self.add_page(&mut array, reuse.hull.variables, budget)?;
                }
                budget.spend((array.systems.len() as u64).pow(2))?;
                let weights = weights(scop, array.space)?;
                let mut lines = JoinedLines::new(array, scop, &weights)?;
                for group in &mut lines.groups {
                    // What is redundant keeps systems that are side by side from being joined.
                    let lean = |system: &System| system.without_redundant(&lines.context);
                    let systems = group.systems.iter().map(lean);
                    group.systems = joined(systems.collect::<Result<_, _>>()?, &lines.context)?;
                }
                arrays.push(lines);
            }
        }
        for domain in &reuse.domain {
            let mut tables = FormTables::default();
            let mut blocks = Vec::new();
            for array in &arrays {
                budget.spend(array.n_systems().pow(2))?;
                let one = Affine::constant(own.columns(), 1);
                let relative = own.plus(-(self.first)(array.space), &one)?;
                let mut of_array = Vec::new();
                array.add_blocks(
                    domain,
                    &relative,
                    Innermost::Nearest,
                    &mut tables,
                    &mut of_array,
                )?;
                let own_page = (array.space == self.pages.array).then_some(self.page);
                let mut forms = BlockForms {
                    tables: &mut tables,
                    domain,
                };
                blocks.push(forms.array(of_array, own_page)?);
            }
            let (parts, congruence) = self.parts(domain, &tables, budget)?;
            clauses.push(PageClause {
                arrays: blocks,
                n_bounds: tables.bounds.forms().len(),
                congruence,
                parts,
            });
        }
        Ok(())
    }

    /// Adds the elements of the page itself, which counts in any case: most often what is left are whole rows.
    ///
    /// Only those that satisfy what all others do: the union of both is simpler then.
    fn add_page(
        &self,
        array: &mut LinesOfArray,
        sink: usize,
        budget: &mut Budget,
    ) -> Result<(), Refusal> {
        let inside = array.systems.iter().map(|system| {
            let mut inside = system.clone();
            inside.require(&array.context);
            inside
        });
        let inside: Vec<System> = inside.collect();
        let mut common: Vec<Affine> = Vec::new();
        for system in &array.systems {
            let own = system.inequalities.iter().filter(|form| {
                form.support()
                    .all(|column| (sink..system.variables).contains(&column.place()))
            });
            for form in own {
                let form = Affine::new(form.coefficients()[..=system.variables].to_vec());
                let holds = |other: &System| other.implies(&form.widened(other.columns()));
                budget.spend(inside.len() as u64)?;
                if !common.contains(&form) && inside.iter().all(holds) {
                    common.push(form);
                }
            }
        }
        let mut systems = array.systems.clone();
        for mut system in self.pages.elements(sink)? {
            system.inequalities.extend(common.iter().cloned());
            if !system.is_apart_from(&array.context) {
                systems.push(system);
            }
        }
        array.systems = disjoint(&systems, &array.context, budget)?;
        Ok(())
    }

    /// The number of elements before the page.
    fn page_start(&self, width: usize) -> Result<Affine, Refusal> {
        let mut start = Affine::constant(width, (self.first)(self.pages.array));
        for (idx, weight) in self.pages.weights.iter().enumerate() {
            start = start.plus(*weight, &Affine::variable(width, Column::at_place(idx)))?;
        }
        Ok(start)
    }

    /// Iterations of a sink by the columns on which the forms of blocks depend, and where its page starts.
    fn parts(
        &self,
        domain: &System,
        tables: &FormTables,
        budget: &mut Budget,
    ) -> Result<(Vec<PagePart>, Congruence), Refusal> {
        let scop = self.scop();
        let start = self.page_start(1 + domain.variables)?;
        let forms = tables.bounds.forms().iter().chain(tables.starts.forms());
        let forms: Vec<&Affine> = forms.chain([&start]).collect();
        let congruence = Congruence {
            form: forms.len() - 1,
            modulus: self.page,
        };
        let is_axis = |column: &Column| forms.iter().any(|form| form.coefficient(*column) != 0);
        let columns = iteration_columns(scop, domain).into_iter();
        let (iterators, others): (Vec<Column>, Vec<Column>) = columns.partition(is_axis);
        let axes = Column::variables(scop.parameters.len()).chain(iterators);
        let axes: Vec<Column> = axes.collect();
        let frame = AxisFrame::new(&axes, domain.variables, &[])?;
        let mut parts = Vec::new();
        // Nothing is taken for granted of the page: its start is among the axes.
        let anything = System::universe(domain.variables);
        for piece in count(domain, &others, &anything, budget)? {
            let Some(shape) = frame.shape(&piece)? else {
                continue;
            };
            let rows = forms.iter().map(|form| shape.columns.row(form));
            let rows = AxisForms(rows.collect::<Result<_, _>>()?);
            let axes = shape.columns.axes();
            let part = WeightedBox::new(axes, shape.rows, rows, shape.value)?;
            parts.extend(part.map(|part| PagePart {
                part,
                sum: OnceLock::new(),
            }));
        }
        Ok((parts, congruence))
    }
}
