//! Why a tree is no scop.

use premiss_presburger::Refusal;
use premiss_tree::{
    ArrayId, LoopId, NestTree, ParameterId, ReferenceId, RejectionId, TableId, VariableId,
};

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpressionSite {
    /// It is the address of a reference.
    Address(ReferenceId),
    /// It is in the header of a loop.
    Header(LoopId),
    /// It is the condition of a branch in this loop; `None` for a branch outside of all loops.
    Condition(Option<LoopId>),
}

/// What keeps an expression from being a function that is affine on each of a few domains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// Its value is known only to the running program.
    Data,
    /// It is no affine function of iterators and sizes.
    NonAffine,
    /// It depends on a variable whose value is no affine function of iterators and sizes.
    Variable(VariableId),
    /// It may leave the range of its type.
    Wraps,
    /// It may index a table of constants beyond its entries.
    Outside(TableId),
    /// It depends on the remainder of a symbolic size by this number, which is not known. A
    /// [`Size::Symbolic`](crate::Size::Symbolic) whose factor is a multiple of the number makes it known.
    Residue(ParameterId, i64),
    /// It falls into more cases than this.
    Cases(usize),
    /// A case of it depends on more constraints than this.
    Constraints(usize),
    /// A product in it has more terms than this.
    Terms(usize),
    /// A term of it is a product of more sizes and iterators than this.
    Symbols(usize),
    /// A coefficient does not fit 64 bits.
    Overflow,
}

impl From<Refusal> for Obstacle {
    fn from(_: Refusal) -> Self {
        Self::Overflow
    }
}

impl Obstacle {
    pub(crate) fn at(self, place: ExpressionSite) -> Reject {
        Reject::Expression {
            place,
            obstacle: self,
        }
    }
}

/// Why a tree is no scop, with the construct at fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reject {
    /// An expression is not affine, not even in pieces.
    Expression {
        /// Where it stands.
        place: ExpressionSite,
        /// What is wrong with it.
        obstacle: Obstacle,
    },
    /// A construct that the front end did not understand.
    Opaque(RejectionId),
    /// A loop whose step is no constant.
    Step(LoopId),
    /// A loop that may never end.
    EndlessLoop(LoopId),
    /// An access whose element may lie in two lines.
    Straddles(ReferenceId),
    /// An access that may leave its array for another one's lines.
    OutOfBounds(ReferenceId),
    /// An array that starts within a line, and whose rows are of symbolic length.
    UnalignedBase(ArrayId),
    /// An array whose rows may be shorter than a line.
    ShortRows(ArrayId),
    /// Two arrays that may share a line.
    SharedLine(ArrayId, ArrayId),
    /// There are no sizes for which all accesses stay within their arrays and rows.
    NoSizes,
    /// A size that the tree uses, without a value or residue class.
    MissingSize(ParameterId),
    /// Options that cannot be met, such as an empty residue class or a line of zero bytes; with a message.
    Question(String),
}

impl Reject {
    /// A stable name in kebab case, such as `not-affine`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Expression { obstacle, .. } => match obstacle {
                Obstacle::Data => "depends-on-data",
                Obstacle::NonAffine => "not-affine",
                Obstacle::Variable(_) => "variable-not-affine",
                Obstacle::Wraps => "may-wrap",
                Obstacle::Outside(_) => "outside-table",
                Obstacle::Residue(..) => "unknown-residue",
                Obstacle::Cases(_) | Obstacle::Constraints(_) => "too-many-cases",
                Obstacle::Terms(_) | Obstacle::Symbols(_) => "too-many-terms",
                Obstacle::Overflow => "coefficient-overflow",
            },
            Self::Opaque(_) => "not-understood",
            Self::Step(_) => "unknown-step",
            Self::EndlessLoop(_) => "endless-loop",
            Self::Straddles(_) => "straddles-lines",
            Self::OutOfBounds(_) => "out-of-bounds",
            Self::UnalignedBase(_) => "unaligned-base",
            Self::ShortRows(_) => "short-rows",
            Self::SharedLine(..) => "shared-line",
            Self::NoSizes => "no-sizes",
            Self::MissingSize(_) => "missing-size",
            Self::Question(_) => "unusable-question",
        }
    }

    /// The reason as one line, which starts in lower case and has no full stop.
    #[must_use]
    pub fn message(&self, tree: &NestTree) -> String {
        match self {
            Self::Expression { place, obstacle } => {
                format!("{} {}", place.name(tree), obstacle.clause(tree))
            }
            Self::Opaque(id) => tree.rejections[*id].reason.message(),
            Self::Step(id) => format!(
                "the step of the loop over {} is no constant",
                iterator(tree, *id)
            ),
            Self::EndlessLoop(id) => format!("the loop over {} may never end", iterator(tree, *id)),
            Self::Straddles(id) => format!("{} may lie in two lines", text(tree, *id)),
            Self::OutOfBounds(id) => format!("{} may lie outside its array", text(tree, *id)),
            Self::UnalignedBase(id) => format!(
                "`{}` starts within a line, and the length of its rows is symbolic",
                tree.arrays[*id].name
            ),
            Self::ShortRows(id) => format!(
                "the rows of `{}` may be shorter than a line",
                tree.arrays[*id].name
            ),
            Self::SharedLine(a, b) => {
                let [a, b] = [a, b].map(|id| &tree.arrays[*id].name);
                format!("`{a}` and `{b}` may share a line")
            }
            Self::NoSizes => {
                "there are no sizes for which all accesses stay within their arrays and rows"
                    .to_owned()
            }
            Self::MissingSize(id) => {
                format!("nothing is said of size `{}`", tree.size_name(*id))
            }
            Self::Question(why) => why.clone(),
        }
    }
}

impl ExpressionSite {
    fn name(self, tree: &NestTree) -> String {
        match self {
            Self::Address(id) => format!("the address of {}", text(tree, id)),
            Self::Header(id) => format!("the header of the loop over {}", iterator(tree, id)),
            Self::Condition(Some(id)) => {
                format!("a condition in the loop over {}", iterator(tree, id))
            }
            Self::Condition(None) => "a condition".to_owned(),
        }
    }
}

impl Obstacle {
    fn clause(self, tree: &NestTree) -> String {
        match self {
            Self::Data => "depends on data".to_owned(),
            Self::NonAffine => "is no affine function of iterators and sizes".to_owned(),
            Self::Variable(id) => format!(
                "depends on {}, which is no affine function of iterators and sizes",
                variable(tree, id)
            ),
            Self::Wraps => "may leave the range of its type".to_owned(),
            Self::Outside(id) => match tree.tables.get(id).or(tree.work.tables.get(id)) {
                Some(table) => {
                    let length = table.entries.len();
                    format!("may look beyond the {length} entries of `{}`", table.name)
                }
                None => "may look beyond the entries of a table".to_owned(),
            },
            Self::Residue(id, modulus) => {
                let name = tree.size_name(id);
                format!("depends on the remainder of `{name}` by {modulus}, which is not known")
            }
            Self::Cases(limit) => format!("falls into more than {limit} cases"),
            Self::Constraints(limit) => {
                format!("has cases that depend on more than {limit} conditions")
            }
            Self::Terms(limit) => format!("has products of more than {limit} terms"),
            Self::Symbols(limit) => {
                format!("multiplies more than {limit} sizes and iterators")
            }
            Self::Overflow => "has coefficients that do not fit 64 bits".to_owned(),
        }
    }
}

/// The name of a variable of the tree or of its arithmetic; variables that an engine added have none.
fn variable(tree: &NestTree, id: VariableId) -> String {
    let own = tree.variables.get(id);
    match own.or_else(|| tree.work.variables.get(id)) {
        Some(variable) => format!("`{}`", variable.name.trim_end_matches('@')),
        None => "a variable".to_owned(),
    }
}

fn text(tree: &NestTree, id: ReferenceId) -> String {
    format!("`{}`", tree.references[id].text)
}

fn iterator(tree: &NestTree, id: LoopId) -> String {
    format!("`{}`", tree.loops[id].iterator)
}
