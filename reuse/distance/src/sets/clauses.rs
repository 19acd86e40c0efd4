//! The lines between two touches of a line, as blocks of lines relative to the sink's.

use super::block::{FormTables, Innermost, LineBlock};
use super::chambers::in_chambers;
use super::flatten::{LineStep, LineSystems};
use super::join::joined;
use super::slices::without_slices;
use crate::between::{LinesOfArray, Sink, arrays_between, system_of_line};
use crate::derive::context;
use premiss_dataflow::{AccessReuse, Reuse, ReuseRelation};
use premiss_presburger::{Affine, Budget, Refusal, System};
use premiss_scop::{LineSpaceId, NodeKind, Scop};

/// Where the lines of arrays lie: as numbers of lines, or as such numbers modulo the number of sets.
#[derive(Clone, Copy)]
pub(crate) struct LinePlacement<'a> {
    /// The line in which an array starts.
    pub(crate) first: &'a (dyn Fn(LineSpaceId) -> i64 + Sync),
    /// How many lines a step of each of its coordinates is.
    pub(crate) weights: &'a (dyn Fn(LineSpaceId) -> Result<Vec<i64>, Refusal> + Sync),
}

/// What derives the lines between two touches, for a scop with its relation.
#[derive(Clone, Copy)]
pub(crate) struct Derivation<'a> {
    pub(crate) scop: &'a Scop,
    pub(crate) relation: &'a ReuseRelation,
    pub(crate) placement: LinePlacement<'a>,
}

/// Iterations whose line was last touched by one source, and the lines touched since.
#[derive(Debug)]
pub(crate) struct ClauseBlocks {
    /// The iterations, over the sink's columns.
    pub(crate) domain: System,
    /// Over the sink's columns.
    pub(crate) tables: FormTables,
    pub(crate) blocks: Vec<LineBlock>,
    /// The sink's line, over its columns.
    pub(crate) sink_line: Affine,
    /// Whether the sink's line is in them, too.
    pub(crate) has_own_line: bool,
}

impl Derivation<'_> {
    /// A clause for each part of the iterations of each reuse.
    pub(crate) fn clauses(
        &self,
        access: &AccessReuse,
        budget: &mut Budget,
    ) -> Result<Vec<ClauseBlocks>, Refusal> {
        self.over_domains(access, budget, |lines, domain, budget| {
            Ok(vec![lines.clause(domain, budget)?])
        })
    }

    /// The same for each [chamber](in_chambers) of these parts.
    pub(crate) fn chambers(
        &self,
        access: &AccessReuse,
        budget: &mut Budget,
    ) -> Result<Vec<ClauseBlocks>, Refusal> {
        self.over_domains(access, budget, |lines, domain, budget| {
            in_chambers(lines, domain, &context(self.scop, domain), budget)
        })
    }

    /// The clauses that a function makes of each part of the iterations of each reuse.
    fn over_domains(
        &self,
        access: &AccessReuse,
        budget: &mut Budget,
        clauses_of: impl Fn(&LinesOfReuse, &System, &mut Budget) -> Result<Vec<ClauseBlocks>, Refusal>,
    ) -> Result<Vec<ClauseBlocks>, Refusal> {
        let mut clauses = Vec::new();
        for reuse in &access.reuses {
            let lines = self.lines_of(access, reuse, budget)?;
            for domain in &reuse.domain {
                clauses.extend(clauses_of(&lines, domain, budget)?);
            }
        }
        Ok(clauses)
    }

    /// The lines that are touched between the source and the sink of a reuse.
    fn lines_of(
        &self,
        access: &AccessReuse,
        reuse: &Reuse,
        budget: &mut Budget,
    ) -> Result<LinesOfReuse, Refusal> {
        let NodeKind::Access(touch) = &self.scop.nodes[access.sink].kind else {
            unreachable!("a sink is an access");
        };
        let space = touch.space;
        let sink = Sink::new(self.scop.parameters.len(), &reuse.hull)?;
        let width = 1 + reuse.hull.variables;
        let line = sink.map_columns(&reuse.line)?;
        let mut sink_line = Affine::constant(width, (self.placement.first)(space));
        for (form, weight) in line.iter().zip((self.placement.weights)(space)?) {
            sink_line = sink_line.plus(weight, form)?;
        }
        let mut arrays = Vec::new();
        let mut has_own_line = false;
        for mut array in arrays_between(self.scop, self.relation, reuse, &sink, budget)? {
            if array.space == space {
                if !reuse.may_return {
                    array.systems.push(system_of_line(&array.context, &line)?);
                }
                has_own_line = true;
            }
            // Each system is compared with each other one.
            budget.spend((array.systems.len() as u64).pow(2))?;
            let weights = (self.placement.weights)(array.space)?;
            let first = (self.placement.first)(array.space);
            let lines = JoinedLines::new(array, self.scop, &weights)?;
            arrays.push((lines, first));
        }
        Ok(LinesOfReuse {
            arrays,
            sink_line,
            has_own_line,
        })
    }
}

/// The lines that are touched between a source and a sink.
pub(super) struct LinesOfReuse {
    /// With the line in which each of them starts.
    arrays: Vec<(JoinedLines, i64)>,
    /// The sink's line, over its columns.
    sink_line: Affine,
    has_own_line: bool,
}

impl LinesOfReuse {
    /// The lines as blocks, for the sink's iterations in a domain.
    pub(super) fn clause(
        &self,
        domain: &System,
        budget: &mut Budget,
    ) -> Result<ClauseBlocks, Refusal> {
        let mut tables = FormTables::default();
        let mut blocks = Vec::new();
        for (array, first) in &self.arrays {
            budget.spend(array.n_systems().pow(2))?;
            let one = Affine::constant(self.sink_line.columns(), 1);
            let relative = self.sink_line.plus(-*first, &one)?;
            let innermost = Innermost::Longest;
            array.add_blocks(domain, &relative, innermost, &mut tables, &mut blocks)?;
        }
        Ok(ClauseBlocks {
            domain: domain.clone(),
            tables,
            blocks,
            sink_line: self.sink_line.clone(),
            has_own_line: self.has_own_line,
        })
    }
}

/// The lines of an array that are touched between a source and a sink.
pub(crate) struct JoinedLines {
    pub(super) space: LineSpaceId,
    pub(super) groups: Vec<LineSystems>,
    /// The sink's iterations.
    pub(super) context: System,
}

impl JoinedLines {
    /// The lines of an array by as few coordinates and in as few systems as they need, one step of each coordinate being so
    /// many lines as `weights` says.
    pub(super) fn new(array: LinesOfArray, scop: &Scop, weights: &[i64]) -> Result<Self, Refusal> {
        let coordinates = scop.spaces[array.space].coordinates.iter().zip(weights);
        let steps = coordinates.map(|(coordinate, lines)| {
            let exact = coordinate.weight.clone().ok_or(Refusal::NotAffine)?;
            Ok(Some(LineStep {
                lines: *lines,
                exact,
            }))
        });
        let lines = LineSystems {
            systems: array.systems,
            coordinates: steps.collect::<Result<_, Refusal>>()?,
        };
        let mut groups = lines.flattened()?;
        for group in &mut groups {
            let systems = std::mem::take(&mut group.systems);
            let systems = without_slices(systems, group.coordinates.len())?;
            group.systems = joined(systems, &array.context)?;
        }
        Ok(Self {
            space: array.space,
            groups,
            context: array.context,
        })
    }

    pub(super) fn n_systems(&self) -> u64 {
        let systems = self.groups.iter().map(|group| group.systems.len() as u64);
        systems.sum()
    }

    /// Adds the lines as blocks, for the sink's iterations in a domain; `relative` is the sink's line relative to the array's
    /// first one.
    pub(super) fn add_blocks(
        &self,
        domain: &System,
        relative: &Affine,
        innermost: Innermost,
        tables: &mut FormTables,
        blocks: &mut Vec<LineBlock>,
    ) -> Result<(), Refusal> {
        let mut context = self.context.clone();
        context.require(domain);
        for group in &self.groups {
            let plain = joined(group.systems.clone(), &context)?;
            let lean = lean(&plain, &context)?;
            let before = tables.clone();
            let weights = group.weights();
            let add = |systems: &[System], tables: &mut FormTables| {
                let own = systems
                    .iter()
                    .map(|system| LineBlock::new(system, &weights, relative, innermost, tables));
                own.collect::<Result<Vec<_>, _>>()
            };
            let own = match add(&lean, tables) {
                Err(Refusal::Unbounded) => {
                    // Where there are no integer points, what bounds them may be redundant.
                    *tables = before;
                    add(&plain, tables)?
                }
                own => own?,
            };
            blocks.extend(own.into_iter().flatten());
        }
        Ok(())
    }
}

/// The same systems without redundant constraints, and joined where these were in the way: of `c <= i` and `c <= i + 7` the
/// latter does not hold on what begins at `i + 1`.
fn lean(systems: &[System], context: &System) -> Result<Vec<System>, Refusal> {
    let all = |systems: &[System]| {
        let all = systems
            .iter()
            .map(|system| system.without_redundant(context));
        all.collect::<Result<Vec<_>, _>>()
    };
    let lean = all(systems)?;
    if lean.len() < 2 {
        return Ok(lean);
    }
    all(&joined(lean, context)?)
}
