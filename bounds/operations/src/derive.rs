//! How often each place is executed, as functions of the sizes.
//!
//! A place is one access of a tree that has no other accesses, so that lowering yields the iterations that execute it,
//! and counting these gives the number of executions. What lowering refuses is taken out, and lowering is tried again:
//! a loop that is not affine has an unknown trip count, and an arm that is chosen by other than affine conditions may
//! run or not. A nest that is not understood leaves the others exact.

use crate::marked::{Branches, ExecutionCount, Marked, NotAffine, PlaceOrigin, marked};
use premiss_presburger::{Budget, Column, Piece, Refusal, System, count, united};
use premiss_scop::{
    ArrayLayout, ExpressionSite, NodeKind, Obstacle, Reject, Scop, ScopOptions, Size,
    SymbolicParameter, lower,
};
use premiss_tree::{NestTree, ParameterId, ReferenceId, SecondaryMap};
use std::collections::BTreeMap;

/// How many loops and conditions are taken out before giving up.
const MOST_TAKEN_OUT: usize = 64;

/// How often the places of a function are executed, as functions of its symbolic sizes.
#[derive(Clone, Debug)]
pub struct Places {
    pub(crate) marked: Marked,
    /// The sizes that are symbolic, in the order of the columns of the pieces.
    pub parameters: Vec<SymbolicParameter>,
    /// The constraints that they are assumed to satisfy.
    pub context: System,
    /// For each place pieces that add up, over the columns of the sizes and of the loops around it; no piece depends on
    /// the latter.
    pub(crate) pieces: SecondaryMap<ReferenceId, Vec<Piece>>,
    /// What was taken out, and why.
    pub refused: Vec<Reject>,
}

/// Why there are no closed forms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoPlaces {
    /// The tree as a whole is outside the model.
    Rejected(Reject),
    /// Counting was given up.
    Refused(Refusal),
}

impl From<Refusal> for NoPlaces {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl Places {
    /// Derives how often each place of a function is executed, in at most `steps` counting steps. `sizes` has what is
    /// known of sizes that have no value in the tree; sizes without an entry stay symbolic.
    ///
    /// # Errors
    /// [`NoPlaces::Rejected`] where the tree as a whole is outside the model, [`NoPlaces::Refused`] where the steps do
    /// not suffice or a number does not fit.
    pub fn derive(
        tree: &NestTree,
        sizes: &BTreeMap<ParameterId, Size>,
        steps: u64,
    ) -> Result<Self, NoPlaces> {
        let mut not_affine = NotAffine::default();
        let mut refused = Vec::new();
        loop {
            let marked = marked(tree, Branches::Flattened, &not_affine);
            match lower(&marked.tree, &scop_options(&marked.tree, sizes)) {
                Ok(scop) => return Self::counted(marked, &scop, refused, steps),
                Err(reject) => {
                    let is_new = take_out(&reject, &marked, &mut not_affine);
                    let reject = in_program_terms(reject, &marked);
                    if !is_new || MOST_TAKEN_OUT <= refused.len() {
                        return Err(NoPlaces::Rejected(reject));
                    }
                    refused.push(reject);
                }
            }
        }
    }

    fn counted(
        marked: Marked,
        scop: &Scop,
        refused: Vec<Reject>,
        steps: u64,
    ) -> Result<Self, NoPlaces> {
        let mut budget = Budget::new(steps);
        let mut pieces: SecondaryMap<ReferenceId, Vec<Piece>> = SecondaryMap::new();
        let n_sizes = scop.parameters.len();
        for node in scop.nodes.values() {
            let NodeKind::Access(access) = &node.kind else {
                continue;
            };
            let over: Vec<Column> = (0..node.depth)
                .map(|depth| scop.variable_column(depth))
                .collect();
            let mut context = System::universe(n_sizes + node.depth);
            context.require(&scop.context);
            for piece in &access.pieces {
                let found = count(&piece.domain, &over, &context, &mut budget)?;
                pieces[access.reference].extend(found);
            }
            let all = std::mem::take(&mut pieces[access.reference]);
            pieces[access.reference] = united(all);
        }
        Ok(Self {
            marked,
            parameters: scop.parameters.clone(),
            context: scop.context.clone(),
            pieces,
            refused,
        })
    }

    /// What is known of a place.
    pub(crate) fn kind(&self, place: ReferenceId) -> ExecutionCount {
        self.marked.places[place]
    }
}

/// Notes what is at fault; returns whether that is new.
fn take_out(reject: &Reject, marked: &Marked, not_affine: &mut NotAffine) -> bool {
    match reject {
        Reject::Expression {
            obstacle: Obstacle::Residue(..),
            ..
        } => false,
        Reject::Expression {
            place: ExpressionSite::Header(id),
            ..
        }
        | Reject::Step(id)
        | Reject::EndlessLoop(id) => not_affine.loops.insert(*id),
        Reject::Expression {
            place: ExpressionSite::Condition(inside),
            ..
        } => not_affine.conditions.insert(*inside),
        // Places are reached from the outside in: what is wrong with a place lies in what it is itself.
        Reject::Expression {
            place: ExpressionSite::Address(place),
            ..
        } => match marked.origins[*place] {
            PlaceOrigin::Function | PlaceOrigin::Test => false,
            PlaceOrigin::Body(id) | PlaceOrigin::Repeated(id) => not_affine.loops.insert(id),
            PlaceOrigin::Arm => not_affine.arms.insert(*place),
        },
        _ => false,
    }
}

/// A rejection of a place in terms of the program: of a loop's header, or of a condition.
fn in_program_terms(reject: Reject, marked: &Marked) -> Reject {
    match reject {
        Reject::Expression {
            place: ExpressionSite::Address(place),
            obstacle,
        } => Reject::Expression {
            place: match marked.origins[place] {
                PlaceOrigin::Body(id) | PlaceOrigin::Repeated(id) => ExpressionSite::Header(id),
                PlaceOrigin::Function | PlaceOrigin::Test | PlaceOrigin::Arm => {
                    ExpressionSite::Condition(marked.tree.references[place].inside)
                }
            },
            obstacle,
        },
        other => other,
    }
}

fn scop_options(tree: &NestTree, sizes: &BTreeMap<ParameterId, Size>) -> ScopOptions {
    let used = tree.used_parameters().into_iter();
    let open = used.filter(|id| tree.parameters[*id].value.is_none());
    let whole = Size::Symbolic {
        factor: 1,
        residue: 0,
    };
    let size = |id: ParameterId| (id, sizes.get(&id).copied().unwrap_or(whole));
    ScopOptions {
        line_size: 1,
        layout: ArrayLayout::Aligned,
        sizes: open.map(size).collect(),
    }
}
