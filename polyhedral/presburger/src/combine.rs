//! Sums of pieces as disjoint pieces.
//!
//! The pieces with conditions are told apart by a decision tree over the conditions, the most
//! frequent one first; what a branch decides of parallel conditions is used at once, and branches
//! without points are cut. At a leaf all remaining pieces hold everywhere and are added up.

use std::collections::BTreeMap;

use crate::elimination::Eliminator;
use crate::rows::{RowMatrix, add, is_constant, is_opposite, opposite, tighten};
use crate::space::Space;
use crate::{Budget, Column, Piece, Polynomial, Refusal, System};

/// The sum of pieces on a domain as pieces that have no point in common and cover the domain: where
/// no piece holds, the value is nothing. All are over the variables of the domain.
///
/// # Errors
/// The budget runs out, or a number does not fit.
pub fn combine(
    domain: &System,
    parts: &[Piece],
    budget: &mut Budget,
) -> Result<Vec<Piece>, Refusal> {
    let mut space = Space::new(domain.variables);
    let own = space.absorb(domain);
    let maps: Vec<Vec<Column>> = parts
        .iter()
        .map(|part| space.absorb(&part.domain))
        .collect();
    let mut pending = Vec::new();
    for (part, map) in parts.iter().zip(&maps) {
        pending.extend(conditional(&space, part, map)?);
    }
    let mut tree = Tree {
        equalities: space.rows(&domain.equalities, &own),
        inequalities: space.rows(&domain.inequalities, &own),
        budget,
        eliminator: Eliminator::default(),
        space: &space,
    };
    if tree.is_infeasible(&[], None)? {
        return Ok(Vec::new());
    }
    let leaves = tree.split(&mut Vec::new(), pending)?;
    let piece = |leaf: Leaf| {
        let mut inequalities = tree.inequalities.clone();
        for row in &leaf.conditions {
            push_tightest(&mut inequalities, row);
        }
        let (domain, value) = space.system(&tree.equalities, &inequalities, &leaf.value)?;
        Ok(Piece { domain, value })
    };
    leaves.into_iter().map(piece).collect()
}

/// Adds a constraint, of parallel ones the one that implies the others.
fn push_tightest(rows: &mut RowMatrix, row: &[i64]) {
    if rows
        .iter()
        .any(|other| other[1..] == row[1..] && other[0] <= row[0])
    {
        return;
    }
    rows.retain(|other| other[1..] != row[1..]);
    rows.push(row);
}

/// A value where all conditions hold.
#[derive(Clone, Debug)]
struct Leaf {
    /// Forms that are not negative.
    conditions: Vec<Vec<i64>>,
    value: Polynomial,
}

struct Tree<'a> {
    equalities: RowMatrix,
    inequalities: RowMatrix,
    budget: &'a mut Budget,
    eliminator: Eliminator,
    space: &'a Space,
}

/// What a condition that holds says of another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Implication {
    Holds,
    Fails,
    Open,
}

/// A piece as conditions and a value, if its conditions can hold at all.
fn conditional(space: &Space, part: &Piece, map: &[Column]) -> Result<Option<Leaf>, Refusal> {
    let mut conditions = Vec::new();
    for row in space.rows(&part.domain.equalities, map).iter() {
        conditions.push(row.to_vec());
        conditions.push(opposite(row)?);
    }
    let inequalities = space.rows(&part.domain.inequalities, map);
    conditions.extend(inequalities.iter().map(<[i64]>::to_vec));
    conditions.iter_mut().for_each(|row| tighten(row));
    if conditions.iter().any(|row| is_constant(row) && row[0] < 0) {
        return Ok(None);
    }
    conditions.retain(|row| !is_constant(row));
    conditions.sort_unstable();
    conditions.dedup();
    let value = part.value.renumbered(|column| map[column])?;
    Ok(Some(Leaf { conditions, value }))
}

impl Tree<'_> {
    /// The leaves below `path`, the conditions that hold; `pending` has what these leave open.
    fn split(
        &mut self,
        path: &mut Vec<Vec<i64>>,
        mut pending: Vec<Leaf>,
    ) -> Result<Vec<Leaf>, Refusal> {
        loop {
            pending = merge_leaves(pending)?;
            let Some(condition) = most_frequent(&pending) else {
                let value = pending
                    .pop()
                    .map_or_else(Polynomial::zero, |leaf| leaf.value);
                let conditions = path.clone();
                return Ok(vec![Leaf { conditions, value }]);
            };
            let mut negation = opposite(&condition)?;
            add(&mut negation, -1, &[1])?;
            let (yes, no) = (
                !self.is_infeasible(path, Some(&condition))?,
                !self.is_infeasible(path, Some(&negation))?,
            );
            match (yes, no) {
                (false, false) => return Ok(Vec::new()),
                (true, false) => pending = specialize(&pending, &condition),
                (false, true) => pending = specialize(&pending, &negation),
                (true, true) => {
                    let (above, below) = (
                        specialize(&pending, &condition),
                        specialize(&pending, &negation),
                    );
                    path.push(condition.clone());
                    let mut leaves = self.split(path, above)?;
                    path.pop();
                    path.push(negation.clone());
                    let others = self.split(path, below)?;
                    path.pop();
                    merge(&mut leaves, others, &condition, &negation);
                    return Ok(leaves);
                }
            }
        }
    }

    /// Whether the domain has no point where these conditions hold.
    fn is_infeasible(
        &mut self,
        path: &[Vec<i64>],
        also: Option<&Vec<i64>>,
    ) -> Result<bool, Refusal> {
        self.eliminator.start(self.space.width());
        for row in self.equalities.iter() {
            self.eliminator.equality(row);
        }
        for row in self.inequalities.iter() {
            self.eliminator.inequality(row);
        }
        for row in path.iter().chain(also) {
            self.eliminator.inequality(row);
        }
        self.space.define(&mut self.eliminator)?;
        let infeasible = self.eliminator.infeasible();
        self.budget.spend(self.eliminator.steps())?;
        Ok(infeasible)
    }
}

/// Leaves of the same conditions as one, that without conditions last.
fn merge_leaves(leaves: Vec<Leaf>) -> Result<Vec<Leaf>, Refusal> {
    let mut by_conditions: BTreeMap<Vec<Vec<i64>>, Polynomial> = BTreeMap::new();
    for leaf in leaves {
        let sum = by_conditions.entry(leaf.conditions).or_default();
        *sum = sum.plus(&leaf.value)?;
    }
    let whole = |(conditions, value)| Leaf { conditions, value };
    let mut merge_leaves: Vec<Leaf> = by_conditions.into_iter().map(whole).collect();
    let bare = |leaf: &Leaf| leaf.conditions.is_empty();
    merge_leaves.retain(|leaf| bare(leaf) || !leaf.value.is_zero());
    merge_leaves.sort_by_key(bare);
    Ok(merge_leaves)
}

/// The condition that most leaves have.
fn most_frequent(leaves: &[Leaf]) -> Option<Vec<i64>> {
    let mut counts: BTreeMap<&Vec<i64>, usize> = BTreeMap::new();
    for condition in leaves.iter().flat_map(|leaf| &leaf.conditions) {
        *counts.entry(condition).or_default() += 1;
    }
    let best = counts.into_iter().max_by_key(|(_, count)| *count);
    best.map(|(condition, _)| condition.clone())
}

/// The leaves that are left where a condition holds, without what it implies.
fn specialize(leaves: &[Leaf], fact: &[i64]) -> Vec<Leaf> {
    let mut left = Vec::new();
    for leaf in leaves {
        let verdicts: Vec<Implication> = leaf
            .conditions
            .iter()
            .map(|row| verdict(fact, row))
            .collect();
        if verdicts.contains(&Implication::Fails) {
            continue;
        }
        let open = leaf.conditions.iter().zip(verdicts);
        let open = open.filter(|(_, verdict)| *verdict == Implication::Open);
        left.push(Leaf {
            conditions: open.map(|(row, _)| row.clone()).collect(),
            value: leaf.value.clone(),
        });
    }
    left
}

/// Parallel conditions decide one another; others are open.
fn verdict(fact: &[i64], condition: &[i64]) -> Implication {
    if fact[1..] == condition[1..] {
        return match fact[0] <= condition[0] {
            true => Implication::Holds,
            false => Implication::Open,
        };
    }
    // Where 0 <= f + c, -f + d is at most c + d.
    let most = i128::from(fact[0]) + i128::from(condition[0]);
    match is_opposite(fact, condition) && most < 0 {
        true => Implication::Fails,
        false => Implication::Open,
    }
}

/// Adds the leaves of the other branch, one with a neighbour of the same value to that.
fn merge(leaves: &mut Vec<Leaf>, others: Vec<Leaf>, condition: &[i64], negation: &[i64]) {
    for other in others {
        let without = |leaf: &Leaf, row: &[i64]| -> Vec<Vec<i64>> {
            let rows = leaf.conditions.iter().filter(|own| *own != row);
            rows.cloned().collect()
        };
        let rest = without(&other, negation);
        let is_neighbour = |leaf: &&mut Leaf| {
            leaf.value == other.value
                && leaf.conditions.len() == other.conditions.len()
                && without(leaf, condition) == rest
        };
        match leaves.iter_mut().find(is_neighbour) {
            Some(neighbour) => neighbour.conditions = rest,
            None => leaves.push(other),
        }
    }
}
