//! Closed forms in sizes without a value, one residue class at a time.
//!
//! Where a row of an array has a symbolic length, which elements share lines depends on the remainder
//! of that length by the elements in a line. Such a size is `factor·x + residue`, and a derivation
//! holds for one residue. Sizes on which nothing of the kind depends are left as they are: which ones
//! these are is found by asking, with every refusal naming the size and the number that is missing.

use crate::closed_form::{Derivation, closed_form, question};
use crate::derivation_cache::Deriver;
use crate::disk_cache::DiskCache;
use crate::refusal::{Effort, NoClosedForm};
use premiss_arithmetic::lcm;
use premiss_dataflow::ReuseRelation;
use premiss_distance::SymbolicHistogram;
use premiss_scop::{Obstacle, Reject, Scop, ScopOptions, Size, lower};
use premiss_tree::{NestTree, ParameterId};
use std::collections::BTreeMap;

/// How often a factor is enlarged before giving up.
const MOST_ATTEMPTS: usize = 12;

/// The factors by which sizes are divided; 1 for those that are not there.
pub type ResidueFactors = BTreeMap<ParameterId, i64>;

/// How symbolic sizes are asked about.
#[derive(Clone, Copy, Debug)]
pub struct SymbolicOptions<'a> {
    /// Bytes in a line.
    pub line_size: u64,
    /// What all arrays start at multiples of; nothing where some have an address of their own.
    pub alignment: Option<u64>,
    /// How much work a derivation may take.
    pub effort: Effort,
    /// Where derivations are kept between runs, if anywhere.
    pub store: Option<&'a DiskCache>,
}

/// How closed forms are derived, for lines of any size.
#[derive(Clone, Copy, Debug)]
pub struct DerivationOptions<'a> {
    /// What all arrays start at multiples of; nothing where some have an address of their own.
    pub alignment: Option<u64>,
    /// How much work a derivation may take.
    pub effort: Effort,
    /// Where derivations are kept between runs, if anywhere.
    pub store: Option<&'a DiskCache>,
}

impl<'a> DerivationOptions<'a> {
    /// The same for lines of so many bytes.
    #[must_use]
    pub fn for_lines(self, line_size: u64) -> SymbolicOptions<'a> {
        SymbolicOptions {
            line_size,
            alignment: self.alignment,
            effort: self.effort,
            store: self.store,
        }
    }
}

/// The factors of the residue classes that a tree's closed forms fall into.
///
/// # Errors
/// The tree has no closed form in these sizes.
pub fn factors(
    tree: &NestTree,
    options: SymbolicOptions<'_>,
) -> Result<ResidueFactors, NoClosedForm> {
    let mut factors = ResidueFactors::new();
    for _ in 0..MOST_ATTEMPTS {
        let question = class_question(tree, &factors, &BTreeMap::new(), options)?;
        match lower(tree, &question) {
            Ok(_) => return Ok(factors),
            Err(Reject::Expression {
                obstacle: Obstacle::Residue(id, modulus),
                place,
            }) => {
                let factor = factors.entry(id).or_insert(1);
                let larger = lcm(*factor, modulus);
                match larger.filter(|larger| *factor < *larger && *larger <= 1 << 16) {
                    Some(larger) => *factor = larger,
                    None => {
                        return Err(NoClosedForm::Rejected(Reject::Expression {
                            obstacle: Obstacle::Residue(id, modulus),
                            place,
                        }));
                    }
                }
            }
            Err(other) => return Err(NoClosedForm::Rejected(other)),
        }
    }
    Err(NoClosedForm::Rejected(Reject::Question(
        "the sizes fall into too many residue classes".to_owned(),
    )))
}

/// The closed form of a tree in its sizes without a value, for the class of sizes that leave these
/// remainders when divided by their factors; 0 where none is given.
///
/// # Errors
/// There is none.
pub fn symbolic_form(
    tree: &NestTree,
    factors: &ResidueFactors,
    residues: &BTreeMap<ParameterId, i64>,
    options: SymbolicOptions<'_>,
) -> Result<Derivation, NoClosedForm> {
    let question = class_question(tree, factors, residues, options)?;
    closed_form(tree, &question, options.effort, options.store)
}

/// The same for the class of remainders 0, with the relation that it is derived from.
///
/// # Errors
/// There is none.
pub(crate) fn symbolic_relation(
    tree: &NestTree,
    factors: &ResidueFactors,
    options: SymbolicOptions<'_>,
) -> Result<(Scop, ReuseRelation, SymbolicHistogram), NoClosedForm> {
    let (scop, relation) = symbolic_reuse(tree, factors, options)?;
    let deriver = Deriver::new(&scop, options.effort, options.store);
    let histogram = deriver.histogram_of(&relation)?;
    Ok((scop, relation, histogram))
}

/// The tree as sets, for the class of remainders 0.
///
/// # Errors
/// The tree is outside the model.
pub(crate) fn symbolic_scop(
    tree: &NestTree,
    factors: &ResidueFactors,
    options: SymbolicOptions<'_>,
) -> Result<Scop, NoClosedForm> {
    let question = class_question(tree, factors, &BTreeMap::new(), options)?;
    lower(tree, &question).map_err(NoClosedForm::Rejected)
}

/// The tree as sets with its reuse relation, for the class of remainders 0.
///
/// # Errors
/// The tree is outside the model, or the effort did not suffice.
pub(crate) fn symbolic_reuse(
    tree: &NestTree,
    factors: &ResidueFactors,
    options: SymbolicOptions<'_>,
) -> Result<(Scop, ReuseRelation), NoClosedForm> {
    let scop = symbolic_scop(tree, factors, options)?;
    let relation = Deriver::new(&scop, options.effort, options.store).relation()?;
    Ok((scop, relation))
}

fn class_question(
    tree: &NestTree,
    factors: &ResidueFactors,
    residues: &BTreeMap<ParameterId, i64>,
    options: SymbolicOptions<'_>,
) -> Result<ScopOptions, NoClosedForm> {
    let used = tree.used_parameters().into_iter();
    let open = used.filter(|id| tree.parameters[*id].value.is_none());
    let size = |id: ParameterId| {
        let factor = factors.get(&id).copied().unwrap_or(1);
        let residue = residues.get(&id).copied().unwrap_or(0);
        let residue = residue.rem_euclid(factor);
        (id, Size::Symbolic { factor, residue })
    };
    question(
        options.line_size,
        options.alignment,
        open.map(size).collect(),
    )
}
