//! Variables whose values go from one iteration to the next.
//!
//! A variable is carried where an iteration may read it before it has certainly written it, and some iteration writes
//! it. That hinders, with two exceptions: a variable that moves by the same amount in every iteration has a closed form
//! (`k += 2`), and one that is only combined with other values by one operation is a reduction (`s += x[i]`).

use super::Hindrance;
use premiss_tree::{
    AccessKind, Arithmetic, BinaryOperator, Combination, Expression, Loop, NestTree, Node, Operand,
    Operands, OperationKind, OperationsId, ReferenceId, ScalarId, VariableId,
};
use std::collections::{BTreeMap, BTreeSet};

/// The variables that a loop reduces.
///
/// # Errors
/// [`Hindrance::Scalar`] where a variable is carried in another way.
pub(super) fn reductions(tree: &NestTree, inner: &Loop) -> Result<BTreeSet<String>, Hindrance> {
    integers(tree, inner)?;
    let mut flow = ScalarFlow {
        tree,
        certain_writes: BTreeSet::new(),
        needed: BTreeSet::new(),
        rows: Vec::new(),
        in_branch: false,
        stores: Vec::new(),
    };
    let header = &tree.work.headers[inner.id];
    flow.row(header, None);
    flow.nodes(&inner.body);
    let mut uses: BTreeMap<ScalarId, Use> = BTreeMap::new();
    for row in &flow.rows {
        note(row, std::ptr::eq(row.arithmetic, header), &mut uses);
    }
    let iterator = &tree.loops[inner.id].iterator;
    let mut reduced = BTreeSet::new();
    for (id, used) in &uses {
        let scalar = &tree.work.scalars[*id];
        let is_iterator = scalar.name == *iterator && used.is_in_header;
        let goes_on = flow.needed.contains(id) || scalar.is_shadowed;
        if used.writes == 0 || !goes_on || is_iterator || used.moves_steadily(&uses, scalar.holds) {
            continue;
        }
        match used.combination() {
            Some(with) if !scalar.is_shadowed && flow.keeps_to_itself(*id, with) => {
                reduced.insert(scalar.name.clone())
            }
            _ => return Err(Hindrance::Scalar(scalar.name.clone())),
        };
    }
    Ok(reduced)
}

/// What an iteration does with variables.
struct ScalarFlow<'a> {
    tree: &'a NestTree,
    /// Certainly written by now.
    certain_writes: BTreeSet<ScalarId>,
    /// Perhaps read before.
    needed: BTreeSet<ScalarId>,
    /// All that is computed.
    rows: Vec<StatementUses<'a>>,
    in_branch: bool,
    /// The references that store.
    stores: Vec<ReferenceId>,
}

/// What a statement computes.
#[derive(Clone, Copy)]
struct StatementUses<'a> {
    arithmetic: &'a Arithmetic,
    /// The statement; `None` for the loop's header.
    statement: Option<OperationsId>,
    in_branch: bool,
}

impl<'a> ScalarFlow<'a> {
    fn nodes(&mut self, nodes: &'a [Node]) {
        for node in nodes {
            match node {
                Node::Operations(id) => {
                    let row = &self.tree.work.operations[*id];
                    self.row(&row.arithmetic, Some(*id));
                }
                Node::Access(id) if self.tree.references[*id].kind == AccessKind::Store => {
                    self.stores.push(*id);
                }
                Node::Branch {
                    then, otherwise, ..
                } => {
                    let around = std::mem::replace(&mut self.in_branch, true);
                    let before = self.certain_writes.clone();
                    self.nodes(then);
                    let after_then = std::mem::replace(&mut self.certain_writes, before);
                    self.nodes(otherwise);
                    self.certain_writes = &self.certain_writes & &after_then;
                    self.in_branch = around;
                }
                _ => {}
            }
        }
    }

    fn row(&mut self, row: &'a Arithmetic, statement: Option<OperationsId>) {
        let needed = row
            .needs
            .iter()
            .filter(|id| !self.certain_writes.contains(id));
        self.needed.extend(needed);
        self.certain_writes.extend(row.writes.keys());
        self.rows.push(StatementUses {
            arithmetic: row,
            statement,
            in_branch: self.in_branch,
        });
    }

    /// Whether no statement that combines a variable does more with its value, as `y[i] = s += x[i]`.
    fn keeps_to_itself(&self, id: ScalarId, with: Combination) -> bool {
        let is_extreme = matches!(with, Combination::Least | Combination::Greatest);
        let mut rows = self.rows.iter();
        rows.all(|row| {
            if !row.arithmetic.writes.contains_key(&id) {
                return true;
            }
            let mut performed = row.arithmetic.performed.keys();
            let compares = performed.any(|x| x.kind == OperationKind::Compare);
            let mut stores = self.stores.iter();
            let stores_inside = |statement: OperationsId| {
                let of = self.tree.work.operations[statement].span;
                stores.any(|id| {
                    let store = self.tree.references[*id].span;
                    store.file == of.file && of.start <= store.start && store.end <= of.end
                })
            };
            let has_store = row.statement.is_some_and(stores_inside);
            row.arithmetic.writes.len() == 1 && !has_store && (is_extreme || !compares)
        })
    }
}

/// What a loop does with one variable.
#[derive(Default)]
struct Use<'a> {
    reads: u32,
    writes: u32,
    /// What each statement that writes it combines it by.
    combined: Vec<Option<Combination>>,
    /// The statements that write it, with what each combines it with.
    statements: Vec<(&'a Arithmetic, Operand)>,
    is_in_branch: bool,
    is_in_header: bool,
}

fn note<'a>(of: &StatementUses<'a>, is_header: bool, uses: &mut BTreeMap<ScalarId, Use<'a>>) {
    let row = of.arithmetic;
    for (id, times) in &row.reads {
        uses.entry(*id).or_default().reads += times;
    }
    for (id, write) in &row.writes {
        let used = uses.entry(*id).or_default();
        used.writes += write.times;
        used.combined.push(write.combines);
        used.statements.push((row, write.with));
        used.is_in_branch |= of.in_branch;
        used.is_in_header |= is_header;
    }
}

impl Use<'_> {
    /// The one operation that it is combined by, where nothing else is done with it.
    fn combination(&self) -> Option<Combination> {
        let first = (*self.combined.first()?)?;
        let is_same = |with: &Option<Combination>| *with == Some(first);
        (self.combined.iter().all(is_same) && self.reads == self.writes).then_some(first)
    }

    /// Whether every iteration moves an integer by the same amount.
    fn moves_steadily(&self, uses: &BTreeMap<ScalarId, Use<'_>>, holds: Operands) -> bool {
        let is_integer = !holds.is_floating();
        let is_sum = |with: &Option<Combination>| *with == Some(Combination::Sum);
        let is_constant = |id: &ScalarId| uses.get(id).is_none_or(|used| used.writes == 0);
        let is_steady = |(row, with): &(&Arithmetic, Operand)| match with {
            Operand::Literals => true,
            // Beside itself, a statement that moves it reads variables that stay as they are.
            Operand::Variables => {
                let others = row.reads.keys().filter(|id| !row.writes.contains_key(id));
                let is_alone = row.writes.len() == 1 || self.is_in_header;
                is_alone && others.into_iter().all(is_constant)
            }
            Operand::Anything => false,
        };
        is_integer
            && !self.is_in_branch
            && self.combined.iter().all(is_sum)
            && self.statements.iter().all(is_steady)
    }
}

/// Refuses integers that decide where accesses go, or what is executed, and are carried other than by a fixed amount.
fn integers(tree: &NestTree, inner: &Loop) -> Result<(), Hindrance> {
    let mut changed = BTreeSet::new();
    Node::assigned(&inner.body, &mut changed);
    let mut needed = BTreeSet::new();
    needs(tree, &inner.body, &mut BTreeSet::new(), &mut needed);
    for id in needed.intersection(&changed) {
        if *id == inner.variable {
            continue;
        }
        let mut moves = true;
        for (idx, node) in inner.body.iter().enumerate() {
            node.walk(&mut |part| {
                if let Node::Assign { variable, value } = part
                    && variable == id
                {
                    let is_at_top = std::ptr::eq(part, &raw const inner.body[idx]);
                    moves &= is_at_top && is_moved(*id, value, &changed, inner.variable);
                }
            });
        }
        if !moves {
            let name = tree.work.variables[*id].name.trim_end_matches('@');
            return Err(Hindrance::Scalar(name.to_owned()));
        }
    }
    Ok(())
}

/// Whether a value is that of a variable and an amount that stays as it is.
fn is_moved(
    id: VariableId,
    value: &Expression,
    changed: &BTreeSet<VariableId>,
    iterator: VariableId,
) -> bool {
    let is_fixed = |part: &Expression| {
        !part.any(|x| match x {
            Expression::Data => true,
            Expression::Variable(id) => *id == iterator || changed.contains(id),
            _ => false,
        })
    };
    match value {
        Expression::Wrap(_, x) => is_moved(id, x, changed, iterator),
        Expression::Binary(BinaryOperator::Add, a, b) => {
            let is_it = |x: &Expression| *x == Expression::Variable(id);
            let is_deeper = |x: &Expression| is_it(x) || is_moved(id, x, changed, iterator);
            (is_deeper(a) && is_fixed(b)) || (is_deeper(b) && is_fixed(a))
        }
        Expression::Binary(BinaryOperator::Subtract, a, b) => {
            let is_it = **a == Expression::Variable(id) || is_moved(id, a, changed, iterator);
            is_it && is_fixed(b)
        }
        _ => false,
    }
}

/// The variables that an iteration may read before it has written them, but for their own next values.
fn needs(
    tree: &NestTree,
    nodes: &[Node],
    certain_writes: &mut BTreeSet<VariableId>,
    needed: &mut BTreeSet<VariableId>,
) {
    let note = |expression: &Expression,
                own: Option<VariableId>,
                certain_writes: &BTreeSet<VariableId>,
                needed: &mut BTreeSet<VariableId>| {
        expression.walk(&mut |part| {
            if let Expression::Variable(id) = part
                && Some(*id) != own
                && !certain_writes.contains(id)
            {
                needed.insert(*id);
            }
        });
    };
    for node in nodes {
        match node {
            Node::Access(id) => note(&tree.references[*id].offset, None, certain_writes, needed),
            Node::Assign { variable, value } => {
                note(value, Some(*variable), certain_writes, needed);
                certain_writes.insert(*variable);
            }
            Node::Branch {
                condition,
                then,
                otherwise,
            } => {
                note(condition, None, certain_writes, needed);
                let mut other = certain_writes.clone();
                needs(tree, then, certain_writes, needed);
                needs(tree, otherwise, &mut other, needed);
                *certain_writes = &*certain_writes & &other;
            }
            Node::Loop(_) | Node::Opaque(_) | Node::Operations(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_tree::{EntityRef, IntegerType, Write};

    fn binary(
        operator: BinaryOperator,
        a: impl Into<Expression>,
        b: impl Into<Expression>,
    ) -> Expression {
        Expression::Binary(operator, Box::new(a.into()), Box::new(b.into()))
    }

    fn var(id: VariableId) -> Expression {
        Expression::Variable(id)
    }

    #[test]
    fn a_variable_is_moved_by_what_stays_the_same_in_all_iterations() {
        use BinaryOperator::{Add, Multiply, Subtract};
        let [counter, fixed, other, iterator] = [0, 1, 2, 3].map(VariableId::new);
        let changed = BTreeSet::from([counter, other]);
        let moves = |value: &Expression| is_moved(counter, value, &changed, iterator);
        let k = || var(counter);
        let wide = IntegerType {
            bits: 32,
            signed: true,
        };
        for value in [
            binary(Add, k(), 2),
            binary(Add, 2, k()),
            binary(Subtract, k(), var(fixed)),
            binary(Add, binary(Subtract, k(), 1), var(fixed)),
            Expression::Wrap(wide, Box::new(binary(Add, k(), 1))),
        ] {
            assert!(moves(&value), "{value:?}");
        }
        for value in [
            binary(Subtract, 2, k()),
            binary(Multiply, k(), 2),
            binary(Add, k(), k()),
            binary(Add, k(), var(other)),
            binary(Add, k(), var(iterator)),
            binary(Add, k(), Expression::Data),
            binary(Add, var(fixed), 1),
            7.into(),
        ] {
            assert!(!moves(&value), "{value:?}");
        }
    }

    /// A statement that combines scalar 0 with something, and reads other scalars.
    fn update(combines: Option<Combination>, with: Operand, others: &[u32]) -> Arithmetic {
        let written = ScalarId::new(0);
        let write = Write {
            times: 1,
            combines,
            with,
        };
        let others = others.iter().map(|id| (ScalarId::from_u32(*id), 1));
        Arithmetic {
            reads: others.chain([(written, 1)]).collect(),
            needs: BTreeSet::from([written]),
            writes: BTreeMap::from([(written, write)]),
            ..Arithmetic::default()
        }
    }

    /// What is done with each scalar by some statements, all of them in a branch or none.
    fn uses(rows: &[Arithmetic], in_branch: bool) -> BTreeMap<ScalarId, Use<'_>> {
        let mut uses = BTreeMap::new();
        for arithmetic in rows {
            let row = StatementUses {
                arithmetic,
                statement: None,
                in_branch,
            };
            note(&row, false, &mut uses);
        }
        uses
    }

    #[test]
    fn a_scalar_is_reduced_where_every_statement_combines_it_by_one_operation() {
        let sum = || update(Some(Combination::Sum), Operand::Anything, &[]);
        let product = update(Some(Combination::Product), Operand::Anything, &[]);
        let read = Arithmetic {
            reads: BTreeMap::from([(ScalarId::new(0), 1)]),
            ..Arithmetic::default()
        };
        let other = update(None, Operand::Anything, &[]);
        let combination = |rows: &[Arithmetic]| uses(rows, false)[&ScalarId::new(0)].combination();
        assert_eq!(combination(&[sum()]), Some(Combination::Sum));
        assert_eq!(combination(&[sum(), sum()]), Some(Combination::Sum));
        assert_eq!(combination(&[sum(), product]), None);
        assert_eq!(combination(&[sum(), other]), None);
        assert_eq!(
            combination(&[sum(), read]),
            None,
            "its value is used in between"
        );
    }

    #[test]
    fn an_integer_moves_steadily_by_literals_and_by_variables_that_stay() {
        let whole = Operands::Integer(32);
        let moves = |row: Arithmetic, in_branch: bool, holds: Operands| {
            let changing = Arithmetic {
                writes: update(None, Operand::Anything, &[])
                    .writes
                    .into_values()
                    .map(|write| (ScalarId::new(2), write))
                    .collect(),
                ..Arithmetic::default()
            };
            let rows = [row, changing];
            let uses = uses(&rows, in_branch);
            uses[&ScalarId::new(0)].moves_steadily(&uses, holds)
        };
        let sum = |with: Operand, others: &[u32]| update(Some(Combination::Sum), with, others);
        assert!(moves(sum(Operand::Literals, &[]), false, whole));
        assert!(moves(sum(Operand::Variables, &[1]), false, whole));
        assert!(
            !moves(sum(Operand::Variables, &[2]), false, whole),
            "2 is written"
        );
        assert!(!moves(sum(Operand::Anything, &[]), false, whole));
        assert!(
            !moves(sum(Operand::Literals, &[]), true, whole),
            "not in each iteration"
        );
        let real = Operands::Floating(8);
        assert!(
            !moves(sum(Operand::Literals, &[]), false, real),
            "sums of reals round"
        );
        let product = update(Some(Combination::Product), Operand::Literals, &[]);
        assert!(!moves(product, false, whole));
    }
}
