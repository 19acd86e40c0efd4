//! How many lines are touched between a source and a sink.

use crate::count_cache::{CountCache, CountQuery};
use premiss_dataflow::{Reuse, ReuseRelation};
use premiss_presburger::{
    Affine, Budget, Column, Floor, Piece, Polynomial, Refusal, System, count, disjoint,
};
use premiss_scop::{LineSpaceId, NodeKind, Scop};

/// The number of distinct lines other than the sink's that the segments of a reuse touch, as pieces that add up: over the
/// sink's columns, for its iterations in the reuse's hull.
pub(crate) fn lines_between(
    scop: &Scop,
    relation: &ReuseRelation,
    reuse: &Reuse,
    known: &CountCache,
    budget: &mut Budget,
) -> Result<Vec<Piece>, Refusal> {
    let sink = Sink::new(scop.parameters.len(), &reuse.hull)?;
    let mut pieces = Vec::new();
    for space in scop.spaces.keys() {
        let frame = LineColumns::new(scop, reuse, space);
        if let Some(question) = frame.question(scop, relation, reuse, &sink, space)? {
            let counted = known.answer(question, budget, |question, budget| {
                frame.number(question, budget)
            })?;
            pieces.extend_from_slice(&counted);
            if frame.has_own_line(scop, reuse, space) {
                pieces.push(minus_one(reuse.hull.variables)?);
            }
        }
    }
    Ok(pieces)
}

/// A line less, everywhere.
fn minus_one(variables: usize) -> Result<Piece, Refusal> {
    Ok(Piece {
        domain: System::universe(variables),
        value: Polynomial::from_affine(&Affine::constant(1 + variables, -1))?,
    })
}

/// The lines of one array that are touched between a source and a sink.
pub(crate) struct LinesOfArray {
    pub(crate) space: LineSpaceId,
    /// Disjoint systems over the sink's columns and the coordinates of the line, within the sink's iterations.
    pub(crate) systems: Vec<System>,
    /// The sink's iterations, over the same columns.
    pub(crate) context: System,
}

/// The distinct lines that the segments of a reuse touch, array by array; with the sink's own, where they may touch that.
pub(crate) fn arrays_between(
    scop: &Scop,
    relation: &ReuseRelation,
    reuse: &Reuse,
    sink: &Sink,
    budget: &mut Budget,
) -> Result<Vec<LinesOfArray>, Refusal> {
    let mut arrays = Vec::new();
    for space in scop.spaces.keys() {
        let frame = LineColumns::new(scop, reuse, space);
        if let Some(question) = frame.question(scop, relation, reuse, sink, space)? {
            arrays.push(LinesOfArray {
                space,
                systems: disjoint(&question.systems, &question.context, budget)?,
                context: question.context,
            });
        }
    }
    Ok(arrays)
}

/// A sink's iterations, with variables solved for where an equality determines them.
pub(crate) struct Sink {
    /// For each column but the constant one, the form that it equals.
    pub(crate) columns: Vec<Affine>,
    /// The other constraints.
    context: System,
}

impl Sink {
    /// Of a sink whose first columns are so many sizes.
    pub(crate) fn new(parameters: usize, context: &System) -> Result<Self, Refusal> {
        let width = 1 + context.variables;
        let mut sink = Self {
            columns: variables(width),
            context: context.clone(),
        };
        if !context.floors.is_empty() {
            return Ok(sink);
        }
        let equalities = std::mem::take(&mut sink.context.equalities);
        for form in equalities {
            let form = form.substituted(&sink.columns, width)?;
            let mut unsolved = Column::variables(width - 1).skip(parameters).rev();
            let Some(column) = unsolved.find(|x| form.coefficient(*x).abs() == 1) else {
                sink.context.equalities.push(form);
                continue;
            };
            let own = Affine::variable(width, column);
            let value = own.plus(-form.coefficient(column), &form)?;
            let mut replacement = variables(width);
            replacement[column.place()] = value;
            let replace = |form: &Affine| form.substituted(&replacement, width);
            for known in sink.columns.iter_mut().chain(&mut sink.context.equalities) {
                *known = replace(known)?;
            }
        }
        for form in &mut sink.context.inequalities {
            *form = form.substituted(&sink.columns, width)?;
        }
        let is_open = |form: &Affine| form.support().next().is_some() || form.constant_term() < 0;
        sink.context.inequalities.retain(is_open);
        Ok(sink)
    }

    /// Forms over the sink's columns, with the variables solved for.
    pub(crate) fn map_columns(&self, map: &[Affine]) -> Result<Vec<Affine>, Refusal> {
        let width = 1 + self.context.variables;
        let substituted = |form: &Affine| form.substituted(&self.columns, width);
        map.iter().map(substituted).collect()
    }
}

/// The variables of forms of so many columns.
fn variables(width: usize) -> Vec<Affine> {
    let columns = Column::variables(width - 1);
    columns
        .map(|column| Affine::variable(width, column))
        .collect()
}

/// The columns of sets of lines over a sink's iterations.
#[derive(Clone, Copy)]
struct LineColumns {
    /// How many columns are sizes.
    parameters: usize,
    /// How many columns the sink has, sizes included and the constant one not.
    sink: usize,
    /// How many coordinates a line has.
    rank: usize,
}

impl LineColumns {
    fn new(scop: &Scop, reuse: &Reuse, space: LineSpaceId) -> Self {
        Self {
            parameters: scop.parameters.len(),
            sink: reuse.hull.variables,
            rank: scop.spaces[space].coordinates.len(),
        }
    }

    /// Whether the sink's line counts as touched in the sink's array: whether the segments touch it differs from iteration
    /// to iteration, but all agree with it put in, and it is one line.
    fn has_own_line(self, scop: &Scop, reuse: &Reuse, space: LineSpaceId) -> bool {
        let NodeKind::Access(source) = &scop.nodes[reuse.source].kind else {
            unreachable!("a source is an access");
        };
        reuse.may_return && source.space == space
    }

    /// The query how many lines of an array a reuse's segments touch, the sink's own included where they may touch that;
    /// `None` where they touch none.
    fn question(
        self,
        scop: &Scop,
        relation: &ReuseRelation,
        reuse: &Reuse,
        sink: &Sink,
        space: LineSpaceId,
    ) -> Result<Option<CountQuery>, Refusal> {
        let mut context = System::universe(self.sink + self.rank);
        context.require(&sink.context);
        let mut systems = self.touched_lines(relation, reuse, sink, space, &context)?;
        if !systems.is_empty() && self.has_own_line(scop, reuse, space) {
            systems.push(system_of_line(&context, &sink.map_columns(&reuse.line)?)?);
        }
        Ok((!systems.is_empty()).then_some(CountQuery {
            sink: self.sink,
            systems,
            context,
        }))
    }

    /// The columns of a line's coordinates.
    fn coordinates(self) -> Vec<Column> {
        let columns = Column::variables(self.sink + self.rank);
        columns.skip(self.sink).collect()
    }

    /// The number of lines in a union, at the sink's iterations.
    fn number(self, union: &CountQuery, budget: &mut Budget) -> Result<Vec<Piece>, Refusal> {
        let mut pieces = Vec::new();
        for system in disjoint(&union.systems, &union.context, budget)? {
            let counted = count(&system, &self.coordinates(), &union.context, budget)?;
            for piece in &counted {
                pieces.push(self.of_sink(piece)?);
            }
        }
        Ok(pieces)
    }

    /// A piece without the columns of coordinates, on which it does not depend.
    fn of_sink(self, piece: &Piece) -> Result<Piece, Refusal> {
        let gone = self.sink + 1..=self.sink + self.rank;
        let narrow = |form: &Affine| {
            let kept = form.coefficients().iter().enumerate();
            let kept = kept.filter(|(column, _)| !gone.contains(column));
            Affine::new(kept.map(|(_, x)| *x).collect())
        };
        let floors = piece.domain.floors.iter();
        let value = piece
            .value
            .renumbered(|column| match column.place() < self.sink {
                true => column,
                false => Column::at_place(column.place() - self.rank),
            })?;
        Ok(Piece {
            domain: System {
                variables: self.sink,
                floors: floors
                    .map(|floor| Floor {
                        numerator: narrow(&floor.numerator),
                        denominator: floor.denominator,
                    })
                    .collect(),
                equalities: piece.domain.equalities.iter().map(narrow).collect(),
                inequalities: piece.domain.inequalities.iter().map(narrow).collect(),
            },
            value,
        })
    }

    /// The lines of an array that segments touch, as systems that may overlap.
    fn touched_lines(
        self,
        relation: &ReuseRelation,
        reuse: &Reuse,
        sink: &Sink,
        space: LineSpaceId,
        context: &System,
    ) -> Result<Vec<System>, Refusal> {
        let mut found = Vec::new();
        for segment in &reuse.between {
            let key = (segment.node, segment.part, space);
            let forms = self.forms(&sink.map_columns(&segment.map)?);
            for footprint in relation.footprints.get(&key).into_iter().flatten() {
                let variables = self.sink + self.rank;
                let Some(system) = footprint.preimage(variables, &forms)? else {
                    continue;
                };
                if !system.is_apart_from(context) && !found.contains(&system) {
                    found.push(system);
                }
            }
        }
        Ok(found)
    }

    /// The value at the sink of each variable of a footprint, given those of the part.
    fn forms(self, map: &[Affine]) -> Vec<Affine> {
        let columns = 1 + self.sink + self.rank;
        let stays = |column| Affine::variable(columns, column);
        let mut forms: Vec<Affine> = Column::variables(self.parameters).map(stays).collect();
        forms.extend(map.iter().map(|form| form.widened(columns)));
        forms.extend(self.coordinates().into_iter().map(stays));
        forms
    }
}

/// The sink's line, with its coordinates behind the sink's columns as in `context`.
pub(crate) fn system_of_line(context: &System, line: &[Affine]) -> Result<System, Refusal> {
    let mut system = System::universe(context.variables);
    let first = context.variables - line.len();
    for (idx, form) in line.iter().enumerate() {
        let coordinate = Affine::variable(system.columns(), Column::at_place(first + idx));
        let own = form.widened(system.columns());
        system.equalities.push(own.plus(-1, &coordinate)?);
    }
    Ok(system)
}
