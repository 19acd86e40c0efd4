//! Closed forms in sizes without a value, one residue class at a time.
//!
//! If a row of an array has a symbolic length, which elements share lines depends on the remainder of that length
//! modulo the elements in a line. Such a size is `factor·x + residue`, and a derivation holds for one residue. So is a
//! size that decides in which line a loop ends, where something after the loop meets that line again. All other sizes
//! stay as they are. Which sizes need a factor is found by trying: each refusal names a size and the factor that is
//! missing.

use crate::closed_form::{Derivation, closed_form, scop_of, scop_options};
use crate::derivation_cache::Deriver;
use crate::disk_cache::DiskCache;
use crate::refusal::{Effort, NoClosedForm};
use premiss_arithmetic::lcm;
use premiss_dataflow::{DistanceBound, ReuseRelation, accesses_in_order};
use premiss_distance::SymbolicHistogram;
use premiss_presburger::{Affine, Column, Refusal};
use premiss_scop::{Obstacle, Reject, Scop, ScopOptions, Size};
use premiss_tree::{NestTree, ParameterId};
use std::collections::BTreeMap;

/// How often a factor is enlarged before giving up.
const MOST_ATTEMPTS: usize = 12;

/// The modulus of the residue classes of each size; 1 for sizes that are not in the map.
pub type ResidueFactors = BTreeMap<ParameterId, i64>;

/// The options for deriving closed forms with symbolic sizes, for one line size.
#[derive(Clone, Copy, Debug)]
pub struct SymbolicOptions<'a> {
    /// Bytes in a line.
    pub line_size: u64,
    /// The alignment in bytes of all arrays; `None` if the user placed some array.
    pub alignment: Option<u64>,
    /// Which distances are derived where data decide what executes; `None` refuses such functions.
    pub bound: Option<DistanceBound>,
    /// How much work one derivation may take.
    pub effort: Effort,
    /// Where derivations are cached between runs, if anywhere.
    pub store: Option<&'a DiskCache>,
}

impl<'a> SymbolicOptions<'a> {
    /// What derives from a scop with these options.
    pub(crate) fn deriver(self, scop: &'a Scop) -> Deriver<'a> {
        let bound = self.bound.unwrap_or(DistanceBound::Upper);
        Deriver::new(scop, bound, self.effort, self.store)
    }
}

/// The options for deriving closed forms, for lines of any size.
#[derive(Clone, Copy, Debug)]
pub struct DerivationOptions<'a> {
    /// The alignment in bytes of all arrays; `None` if the user placed some array.
    pub alignment: Option<u64>,
    /// How much work one derivation may take.
    pub effort: Effort,
    /// Where derivations are cached between runs, if anywhere.
    pub store: Option<&'a DiskCache>,
}

impl<'a> DerivationOptions<'a> {
    /// The same options for lines of `line_size` bytes.
    #[must_use]
    pub fn for_lines(self, line_size: u64) -> SymbolicOptions<'a> {
        SymbolicOptions {
            line_size,
            alignment: self.alignment,
            bound: None,
            effort: self.effort,
            store: self.store,
        }
    }
}

/// The factors of the residue classes of sizes for which the tree has closed forms, found by trying repeatedly.
///
/// # Errors
/// The tree has no closed form in these sizes, or they fall into too many residue classes.
pub fn factors(
    tree: &NestTree,
    options: SymbolicOptions<'_>,
) -> Result<ResidueFactors, NoClosedForm> {
    let mut factors = ResidueFactors::new();
    for _ in 0..MOST_ATTEMPTS {
        let scop_options = class_scop_options(tree, &factors, &BTreeMap::new(), options)?;
        let missing = match scop_of(tree, &scop_options, options.bound) {
            Ok(scop) => missing_remainder(&scop, options),
            Err(reject) => Some(rejected(reject)?),
        };
        let Some(missing) = missing else {
            return Ok(factors);
        };
        let factor = factors.entry(missing.size).or_insert(1);
        let larger = lcm(*factor, missing.modulus);
        match larger.filter(|larger| *factor < *larger && *larger <= 1 << 16) {
            Some(larger) => *factor = larger,
            None => return Err(missing.refusal),
        }
    }
    Err(NoClosedForm::Rejected(Reject::Question(
        "the sizes fall into too many residue classes".to_owned(),
    )))
}

/// A size whose remainder must be known, and what is refused without it.
struct MissingRemainder {
    size: ParameterId,
    modulus: i64,
    refusal: NoClosedForm,
}

/// What a tree is rejected for, where that is a remainder.
fn rejected(reject: Reject) -> Result<MissingRemainder, NoClosedForm> {
    match reject {
        Reject::Expression {
            obstacle: Obstacle::Residue(size, modulus),
            ..
        } => Ok(MissingRemainder {
            size,
            modulus,
            refusal: NoClosedForm::Rejected(reject),
        }),
        other => Err(NoClosedForm::Rejected(other)),
    }
}

/// The remainder that finding the previous accesses of a scop fails for, if any.
fn missing_remainder(scop: &Scop, options: SymbolicOptions<'_>) -> Option<MissingRemainder> {
    if !rounds_sizes(scop) {
        return None;
    }
    let refused = options.deriver(scop).relation();
    let Err(refusal) = refused else {
        return None;
    };
    let NoClosedForm::Refused {
        refusal: Refusal::Remainder(column, modulus),
        ..
    } = refusal
    else {
        return None;
    };
    let size = scop.parameters.get(column.place())?;
    Some(MissingRemainder {
        size: size.id,
        modulus: modulus.checked_mul(size.factor)?,
        refusal,
    })
}

/// Whether a loop may end at the quotient of a size that is not known to be a multiple: `8·i + j <= n - 1`.
fn rounds_sizes(scop: &Scop) -> bool {
    let sizes = scop.parameters.len();
    let rounds = |form: &Affine| {
        let (sizes, loops): (Vec<Column>, Vec<Column>) =
            form.support().partition(|column| column.place() < sizes);
        let is_rounded = |size: &Column| {
            let mut of_loops = loops.iter().map(|column| form.coefficient(*column));
            of_loops.any(|of_loop| form.coefficient(*size) % of_loop != 0)
        };
        sizes.iter().any(is_rounded)
    };
    let accesses = accesses_in_order(scop).into_iter();
    let mut pieces = accesses.flat_map(|(_, access)| &access.pieces);
    pieces.any(|piece| piece.domain.inequalities.iter().any(rounds))
}

/// The closed form of a tree in its sizes without a value, for the class of sizes that leave these remainders when
/// divided by their factors; remainders that are not given are 0.
///
/// # Errors
/// There is no closed form.
pub fn symbolic_form(
    tree: &NestTree,
    factors: &ResidueFactors,
    residues: &BTreeMap<ParameterId, i64>,
    options: SymbolicOptions<'_>,
) -> Result<Derivation, NoClosedForm> {
    let scop_options = class_scop_options(tree, factors, residues, options)?;
    closed_form(
        tree,
        &scop_options,
        options.bound,
        options.effort,
        options.store,
    )
}

/// The same for the class of remainders 0, with the reuse relation.
///
/// # Errors
/// There is no closed form.
pub(crate) fn symbolic_relation(
    tree: &NestTree,
    factors: &ResidueFactors,
    options: SymbolicOptions<'_>,
) -> Result<(Scop, ReuseRelation, SymbolicHistogram), NoClosedForm> {
    let (scop, relation) = symbolic_reuse(tree, factors, options)?;
    let deriver = options.deriver(&scop);
    let histogram = deriver.histogram_of(&relation)?;
    Ok((scop, relation, histogram))
}

/// The scop of the tree, for the class of remainders 0.
///
/// # Errors
/// The tree is outside the model.
pub(crate) fn symbolic_scop(
    tree: &NestTree,
    factors: &ResidueFactors,
    options: SymbolicOptions<'_>,
) -> Result<Scop, NoClosedForm> {
    let scop_options = class_scop_options(tree, factors, &BTreeMap::new(), options)?;
    scop_of(tree, &scop_options, options.bound).map_err(NoClosedForm::Rejected)
}

/// The scop of the tree with its reuse relation, for the class of remainders 0.
///
/// # Errors
/// The tree is outside the model, or the effort did not suffice.
pub(crate) fn symbolic_reuse(
    tree: &NestTree,
    factors: &ResidueFactors,
    options: SymbolicOptions<'_>,
) -> Result<(Scop, ReuseRelation), NoClosedForm> {
    let scop = symbolic_scop(tree, factors, options)?;
    let relation = options.deriver(&scop).relation()?;
    Ok((scop, relation))
}

fn class_scop_options(
    tree: &NestTree,
    factors: &ResidueFactors,
    residues: &BTreeMap<ParameterId, i64>,
    options: SymbolicOptions<'_>,
) -> Result<ScopOptions, NoClosedForm> {
    let sizes = class_sizes(tree, factors, residues);
    scop_options(options.line_size, options.alignment, sizes)
}

/// The classes of the sizes without a value that a tree uses, by factors and residues; those that are not given are 1 and 0.
pub(crate) fn class_sizes(
    tree: &NestTree,
    factors: &ResidueFactors,
    residues: &BTreeMap<ParameterId, i64>,
) -> BTreeMap<ParameterId, Size> {
    let used = tree.used_parameters().into_iter();
    let open = used.filter(|id| tree.parameters[*id].value.is_none());
    let size = |id: ParameterId| {
        let factor = factors.get(&id).copied().unwrap_or(1);
        let residue = residues.get(&id).copied().unwrap_or(0);
        let residue = residue.rem_euclid(factor);
        (id, Size::Symbolic { factor, residue })
    };
    open.map(size).collect()
}
