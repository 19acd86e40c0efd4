//! Numbers at given sizes, in the convention of the access model: array elements are loaded and stored,
//! scalars are in registers, and of the arithmetic all that is written counts, by what it is for.

use crate::averaged::{Averaged, averaged};
use crate::derive::{NoPlaces, Places};
use crate::forms::Form;
use crate::marked::{Branches, ExecutionCount, Marked, NotAffine, marked};
use crate::scope::{Quantity, Scope, weights};
use premiss_histogram::Counted;
use premiss_scop::Reject;
use premiss_trace::{Execution, Placement, TraceError};
use premiss_tree::{
    AccessKind, LoopId, NestTree, Operands, Operation, OperationKind, ParameterId, ReferenceId,
    Role, SecondaryMap,
};
use std::collections::BTreeMap;

/// What an array element holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ElementKind {
    /// An integer, a pointer, or something of unknown type.
    Integer,
    /// A real or complex number.
    Floating,
}

impl ElementKind {
    pub(crate) fn of(tree: &NestTree, id: ReferenceId) -> Self {
        match tree.work.elements[id] {
            Some(Operands::Floating(_) | Operands::Complex(_)) => Self::Floating,
            Some(Operands::Integer(_)) | None => Self::Integer,
        }
    }
}

/// Loads or stores of array elements.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ElementTraffic {
    /// How many elements are loaded or stored.
    pub elements: Counted,
    /// How many bytes these have.
    pub bytes: Counted,
}

/// How many operations, loads and stores a part of a function executes, at given sizes.
#[derive(Clone, PartialEq, Debug)]
pub struct Counts {
    by_quantity: BTreeMap<Quantity, Averaged>,
    /// The number of every quantity that is not in the table: zero, or unknown.
    of_others: Counted,
}

impl Counts {
    /// The number of executed operations that satisfy a condition.
    #[must_use]
    pub fn operations(&self, is_wanted: impl Fn(&Operation) -> bool) -> Counted {
        self.sum(|quantity| matches!(quantity, Quantity::Operation(x) if is_wanted(x)))
    }

    /// The number of operations of a kind on real and complex numbers; of calls, those of any function.
    #[must_use]
    pub fn floating_point(&self, kind: &OperationKind) -> Counted {
        self.operations(|x| x.operands.is_floating() && is_same(&x.kind, kind))
    }

    /// The number of operations of a kind on integers, for a purpose.
    #[must_use]
    pub fn integer(&self, kind: &OperationKind, role: Role) -> Counted {
        self.operations(|x| !x.operands.is_floating() && x.role == role && is_same(&x.kind, kind))
    }

    /// The number of all operations on real and complex numbers: a fused pair counts as two, an operation on complex
    /// numbers as one.
    #[must_use]
    pub fn flops(&self) -> Counted {
        self.operations(|x| x.operands.is_floating())
    }

    /// The number of sums and differences of real and complex numbers that have a product for an operand.
    #[must_use]
    pub fn fused(&self) -> Counted {
        self.sum(|quantity| matches!(quantity, Quantity::Fused(_)))
    }

    /// All quantities with their numbers.
    pub fn by_quantity(&self) -> impl Iterator<Item = (&Quantity, Counted)> {
        let all = self.by_quantity.iter();
        all.map(|(quantity, count)| (quantity, count.counted()))
    }

    /// The operations of each kind, with their numbers.
    pub fn by_operation(&self) -> impl Iterator<Item = (&Operation, Counted)> {
        self.by_quantity()
            .filter_map(|(quantity, count)| match quantity {
                Quantity::Operation(operation) => Some((operation, count)),
                _ => None,
            })
    }

    /// Loads or stores of elements of a kind.
    #[must_use]
    pub fn traffic(&self, access: AccessKind, kind: ElementKind) -> ElementTraffic {
        ElementTraffic {
            elements: self.sum(|x| *x == Quantity::Elements(access, kind)),
            bytes: self.sum(|x| *x == Quantity::Bytes(access, kind)),
        }
    }

    /// The same counts without averages: bounds that hold for every run.
    #[must_use]
    pub fn guaranteed(&self) -> Self {
        let quantities = self.by_quantity.iter();
        let bounds = quantities.map(|(x, count)| (x.clone(), count.guaranteed()));
        Self {
            by_quantity: bounds.collect(),
            of_others: self.of_others,
        }
    }

    /// The number of elements that are loaded or stored, of the accesses and kinds that satisfy a condition.
    #[must_use]
    pub fn elements(&self, is_wanted: impl Fn(AccessKind, ElementKind) -> bool) -> Counted {
        self.sum(|x| matches!(x, Quantity::Elements(access, kind) if is_wanted(*access, *kind)))
    }

    /// The sum of the counts of two parts.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let quantities = self.by_quantity.keys().chain(other.by_quantity.keys());
        let of = |counts: &Self, quantity: &Quantity| {
            let known = counts.by_quantity.get(quantity).copied();
            known.unwrap_or(Averaged::bounded(counts.of_others))
        };
        let sum = |quantity: &Quantity| {
            let sum = of(self, quantity).plus(of(other, quantity));
            (quantity.clone(), sum)
        };
        Self {
            by_quantity: quantities.map(sum).collect(),
            of_others: self.of_others + other.of_others,
        }
    }

    fn sum(&self, is_wanted: impl Fn(&Quantity) -> bool) -> Counted {
        let wanted = self
            .by_quantity
            .iter()
            .filter(|(quantity, _)| is_wanted(quantity));
        let start = Averaged::bounded(self.of_others);
        let sum = wanted.fold(start, |sum, (_, count)| sum.plus(*count));
        sum.counted()
    }
}

/// Whether two operations are of one kind; all calls are.
fn is_same(a: &OperationKind, b: &OperationKind) -> bool {
    matches!((a, b), (OperationKind::Call(_), OperationKind::Call(_))) || a == b
}

/// The counts of a function and of each of its parts.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionCounts {
    /// What closed forms did not cover: loops whose trip count is taken as unknown, and branches that are taken as
    /// decided by data.
    pub refused: Vec<Reject>,
    scopes: BTreeMap<Scope, Counts>,
    nothing: Counts,
    loops: BTreeMap<LoopId, Runs>,
    references: BTreeMap<ReferenceId, Averaged>,
}

/// How often a loop is entered, and its iterations.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Runs {
    /// How often it is entered.
    pub entries: Counted,
    /// How many iterations all entries make together.
    pub iterations: Counted,
}

impl FunctionCounts {
    /// The counts of a function of which nothing is known.
    #[must_use]
    pub fn unknown() -> Self {
        Self {
            refused: Vec::new(),
            scopes: BTreeMap::new(),
            nothing: Counts {
                by_quantity: BTreeMap::new(),
                of_others: Counted::Unknown,
            },
            loops: BTreeMap::new(),
            references: BTreeMap::new(),
        }
    }

    /// The number of executions of a reference.
    #[must_use]
    pub fn executions(&self, id: ReferenceId) -> Counted {
        let known = self.references.get(&id);
        known.map_or(Counted::Unknown, |x| x.counted())
    }

    /// Where between its bounds the number of a reference's executions is on average, from 0 to 1; 0.5 where the bounds
    /// meet. `None` where there is no average.
    #[must_use]
    pub fn share(&self, id: ReferenceId) -> Option<f64> {
        self.references.get(&id)?.share()
    }

    /// How often a loop is entered, and its iterations.
    #[must_use]
    pub fn runs(&self, id: LoopId) -> Runs {
        let unknown = Runs {
            entries: Counted::Unknown,
            iterations: Counted::Unknown,
        };
        self.loops.get(&id).copied().unwrap_or(unknown)
    }

    /// The counts of a part. Where nothing is counted in it, all are zero, or unknown for [`FunctionCounts::unknown`].
    #[must_use]
    pub fn of(&self, scope: Scope) -> &Counts {
        self.scopes.get(&scope).unwrap_or(&self.nothing)
    }
}

/// Counts by closed forms at given sizes, without executing anything, in at most `steps` counting steps. Sizes without
/// a value stay open and make unknown what depends on them.
///
/// # Errors
/// [`NoPlaces::Rejected`] where the tree as a whole is outside the model, [`NoPlaces::Refused`] where the steps do not
/// suffice or a number does not fit.
pub fn count(
    tree: &NestTree,
    sizes: &BTreeMap<ParameterId, i64>,
    steps: u64,
) -> Result<FunctionCounts, NoPlaces> {
    let fixed = |(id, value): (&ParameterId, &i64)| (*id, premiss_scop::Size::Fixed(*value));
    let places = Places::derive(tree, &sizes.iter().map(fixed).collect(), steps)?;
    Ok(places.at(tree, &[]))
}

/// Counts by executing the loops, without what stands in them, in at most `budget` steps of the trace.
///
/// # Errors
/// [`TraceError::Budget`] where the steps do not suffice, [`TraceError::MissingSizes`] where a size has no value, and
/// the other errors of [`Execution::accesses`].
pub fn enumerate(
    tree: &NestTree,
    sizes: &BTreeMap<ParameterId, i64>,
    budget: u64,
) -> Result<FunctionCounts, TraceError> {
    let marked = marked(tree, Branches::Kept, &NotAffine::default());
    let placement = Placement {
        alignment: 64,
        bases: BTreeMap::new(),
    };
    let execution = Execution::new(&marked.tree, sizes, &placement, budget)?;
    let accesses = execution.accesses()?;
    let bounds = |place: ReferenceId| match marked.places[place] {
        ExecutionCount::Unknown => Counted::Unknown,
        ExecutionCount::Certain | ExecutionCount::Possible => accesses[place],
    };
    let taken = |place: ReferenceId| accesses[place].bounds().map(|(_, upper)| upper);
    Ok(summed(tree, &marked, &averaged(&marked, bounds, taken)))
}

impl Places {
    /// The counts where the columns of the symbolic sizes, in the order of [`Places::parameters`], have these values.
    /// If some are missing, what depends on sizes is unknown.
    #[must_use]
    pub fn at(&self, tree: &NestTree, columns: &[i128]) -> FunctionCounts {
        let is_open = columns.len() < self.parameters.len();
        let mut taken: SecondaryMap<ReferenceId, Option<u64>> = SecondaryMap::new();
        for place in self.marked.places.keys() {
            let pieces = Form::of_pieces(self.pieces[place].clone());
            taken[place] = match is_open && pieces.depends_on_sizes(self.parameters.len()) {
                true => None,
                false => pieces.at(columns),
            };
        }
        let bounds = |place| match (self.marked.places[place], taken[place]) {
            (ExecutionCount::Certain, Some(value)) => Counted::Exact(value),
            (ExecutionCount::Possible, Some(value)) => Counted::between(0, value),
            _ => Counted::Unknown,
        };
        let executions = averaged(&self.marked, bounds, |place| taken[place]);
        let counts = summed(tree, &self.marked, &executions);
        FunctionCounts {
            refused: self.refused.clone(),
            ..counts
        }
    }
}

/// All counts, from how often places are executed.
fn summed(
    tree: &NestTree,
    marked: &Marked,
    executions: &SecondaryMap<ReferenceId, Option<Averaged>>,
) -> FunctionCounts {
    let start = |scope: Scope| {
        let is_open = match scope {
            Scope::Function => marked.is_open,
            Scope::Loop(id) => marked.open_loops.contains(&id),
            Scope::Statement(_) => false,
        };
        match is_open {
            true => Counted::Unknown,
            false => Counted::ZERO,
        }
    };
    let of_place = |place: ReferenceId| {
        let unknown = Averaged::bounded(Counted::Unknown);
        executions[place].unwrap_or(unknown)
    };
    let mut scopes = BTreeMap::new();
    for (scope, quantities) in weights(tree, marked) {
        let sum = |places: &BTreeMap<ReferenceId, u64>| {
            let terms = places
                .iter()
                .map(|(place, each)| of_place(*place).times(*each));
            let start = Averaged::bounded(start(scope));
            terms.fold(start, Averaged::plus)
        };
        let by_quantity = quantities
            .iter()
            .map(|(x, places)| (x.clone(), sum(places)));
        let counts = Counts {
            by_quantity: by_quantity.collect(),
            of_others: start(scope),
        };
        scopes.insert(scope, counts);
    }
    let nothing = |of_others| Counts {
        by_quantity: BTreeMap::new(),
        of_others,
    };
    let all = |places: &[ReferenceId]| {
        let terms = places.iter().map(|place| of_place(*place));
        terms.fold(Averaged::bounded(Counted::ZERO), Averaged::plus)
    };
    let runs = |id: LoopId| {
        let of = |places: &BTreeMap<LoopId, Vec<ReferenceId>>| {
            all(places.get(&id).map_or(&[], Vec::as_slice)).counted()
        };
        Runs {
            entries: of(&marked.entries),
            iterations: of(&marked.bodies),
        }
    };
    let loops = tree.loops.keys().map(Scope::Loop);
    for scope in loops.chain([Scope::Function]) {
        scopes.entry(scope).or_insert_with(|| nothing(start(scope)));
    }
    let references = marked.references.iter();
    let references = references.map(|(id, places)| (*id, all(places)));
    FunctionCounts {
        refused: Vec::new(),
        scopes,
        nothing: nothing(Counted::ZERO),
        loops: tree.loops.keys().map(|id| (id, runs(id))).collect(),
        references: references.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn operation(kind: OperationKind, operands: Operands, role: Role) -> Quantity {
        Quantity::Operation(Operation {
            kind,
            operands,
            role,
        })
    }

    fn of_doubles(kind: OperationKind) -> Quantity {
        operation(kind, Operands::Floating(8), Role::Data)
    }

    fn counts(of_others: Counted, rows: &[(Quantity, u64)]) -> Counts {
        let row = |(quantity, n): &(Quantity, u64)| {
            (quantity.clone(), Averaged::bounded(Counted::Exact(*n)))
        };
        Counts {
            by_quantity: rows.iter().map(row).collect(),
            of_others,
        }
    }

    #[test]
    fn operations_on_real_and_complex_numbers_are_flops_and_a_pair_is_two_of_them() {
        let complex = operation(OperationKind::Add, Operands::Complex(8), Role::Data);
        let header = operation(OperationKind::Add, Operands::Integer(32), Role::Header);
        let found = counts(
            Counted::ZERO,
            &[
                (of_doubles(OperationKind::Multiply), 10),
                (of_doubles(OperationKind::Add), 10),
                (Quantity::Fused(Operands::Floating(8)), 10),
                (complex, 3),
                (header, 100),
            ],
        );
        assert_eq!(found.flops(), Counted::Exact(23));
        assert_eq!(found.fused(), Counted::Exact(10));
        assert_eq!(
            found.floating_point(&OperationKind::Add),
            Counted::Exact(13)
        );
        assert_eq!(found.by_operation().count(), 4);
    }

    #[test]
    fn integer_operations_are_counted_by_their_purpose() {
        let add = |role| operation(OperationKind::Add, Operands::Integer(64), role);
        let rows = [
            (add(Role::Data), 1),
            (add(Role::Index), 2),
            (add(Role::Header), 4),
        ];
        let found = counts(Counted::ZERO, &rows);
        let of = |role| found.integer(&OperationKind::Add, role);
        assert_eq!(of(Role::Data), Counted::Exact(1));
        assert_eq!(of(Role::Index), Counted::Exact(2));
        assert_eq!(of(Role::Header), Counted::Exact(4));
        assert_eq!(
            found.integer(&OperationKind::Multiply, Role::Data),
            Counted::ZERO
        );
    }

    #[test]
    fn calls_of_any_function_are_one_kind() {
        let call = |name: &str| OperationKind::Call(Arc::from(name));
        let rows = [(of_doubles(call("exp")), 5), (of_doubles(call("sin")), 2)];
        let found = counts(Counted::ZERO, &rows);
        assert_eq!(found.floating_point(&call("")), Counted::Exact(7));
        assert_eq!(
            found.floating_point(&OperationKind::SquareRoot),
            Counted::ZERO
        );
    }

    #[test]
    fn traffic_has_the_elements_and_bytes_of_its_kind_and_direction() {
        let (load, store) = (AccessKind::Load, AccessKind::Store);
        let (real, integer) = (ElementKind::Floating, ElementKind::Integer);
        let found = counts(
            Counted::ZERO,
            &[
                (Quantity::Elements(load, real), 6),
                (Quantity::Bytes(load, real), 48),
                (Quantity::Elements(store, real), 3),
                (Quantity::Bytes(store, real), 24),
                (Quantity::Elements(load, integer), 5),
                (Quantity::Bytes(load, integer), 20),
            ],
        );
        let expected = ElementTraffic {
            elements: Counted::Exact(6),
            bytes: Counted::Exact(48),
        };
        assert_eq!(found.traffic(load, real), expected);
        assert_eq!(found.traffic(store, integer).bytes, Counted::ZERO);
        assert_eq!(found.elements(|_, kind| kind == real), Counted::Exact(9));
        assert_eq!(
            found.elements(|access, _| access == load),
            Counted::Exact(11)
        );
    }

    #[test]
    fn where_something_was_not_understood_every_sum_is_unknown() {
        let known = counts(Counted::ZERO, &[(of_doubles(OperationKind::Add), 3)]);
        let open = counts(Counted::Unknown, &[(of_doubles(OperationKind::Add), 3)]);
        assert_eq!(open.flops(), Counted::Unknown);
        assert_eq!(open.fused(), Counted::Unknown);
        let sum = known.plus(&open);
        assert_eq!(sum.flops(), Counted::Unknown);
        // Of what only one part has, the other has none, or nobody knows how much.
        let divided = counts(Counted::ZERO, &[(of_doubles(OperationKind::Divide), 2)]);
        assert_eq!(known.plus(&divided).flops(), Counted::Exact(5));
        let rows = open.plus(&divided);
        assert!(rows.by_quantity().all(|(x, n)| match x {
            Quantity::Operation(x) if x.kind == OperationKind::Divide => n == Counted::Unknown,
            _ => n == Counted::Exact(3),
        }));
        let nothing = FunctionCounts::unknown();
        assert_eq!(nothing.of(Scope::Function).flops(), Counted::Unknown);
        assert_eq!(
            nothing.executions(ReferenceId::from_u32(0)),
            Counted::Unknown
        );
    }

    #[test]
    fn guarantees_are_the_bounds_without_the_averages() {
        let add = of_doubles(OperationKind::Add);
        let average = Averaged::estimated(Counted::between(0, 10), Some(3.0));
        let found = Counts {
            by_quantity: BTreeMap::from([(add, average)]),
            of_others: Counted::ZERO,
        };
        assert_eq!(found.flops(), Counted::estimate(3.0));
        assert_eq!(found.guaranteed().flops(), Counted::between(0, 10));
    }
}
