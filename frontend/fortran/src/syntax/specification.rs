//! Program units and their specification parts. Interface bodies are program units, too.

use super::expression::Expr;
use super::names::{Ident, NameKey};
use super::statement::Statement;
use premiss_ast::syntax::TextRange;
use serde::{Deserialize, Serialize};

/// A specification statement at a place.
#[derive(Debug)]
pub(crate) struct Specification {
    pub(crate) at: TextRange,
    pub(crate) kind: SpecificationKind,
}

/// What a specification statement is.
#[derive(Debug)]
pub(crate) enum SpecificationKind {
    /// `REAL, DIMENSION(10) :: a, b`
    Type {
        kind: TypeSpec,
        attributes: Vec<Attribute>,
        entities: Vec<EntityDeclaration>,
    },
    /// `DIMENSION a(10)`, `SAVE x`, …; no entities means all.
    Attribute(Attribute, Vec<EntityDeclaration>),
    /// The types of letters; empty for `IMPLICIT NONE`.
    Implicit(Vec<(TypeSpec, Vec<(u8, u8)>)>),
    Parameter(Vec<(Ident, Expr)>),
    /// Blocks by name; `""` is blank common.
    Common(Vec<(NameKey, Vec<EntityDeclaration>)>),
    Equivalence(Vec<Vec<Expr>>),
    /// Groups by name, with their variables.
    Namelist(Vec<(NameKey, Vec<NameKey>)>),
    Data(Vec<DataSet>),
    Use(UseStatement),
    DerivedType(DerivedType),
    Interface {
        generic: Option<NameKey>,
        bodies: Vec<ProgramUnit>,
        procedures: Vec<NameKey>,
    },
    /// `f(x) = x + 1`
    StatementFunction {
        name: Ident,
        dummies: Vec<Ident>,
        value: Expr,
    },
}

/// `USE module, ONLY: local => name`
#[derive(Debug)]
pub(crate) struct UseStatement {
    pub(crate) module: Ident,
    pub(crate) only: bool,
    /// Local names with the corresponding names in the module.
    pub(crate) names: Vec<(NameKey, NameKey)>,
}

/// Objects of a `DATA` statement with their values.
#[derive(Debug)]
pub(crate) struct DataSet {
    pub(crate) objects: Vec<Expr>,
    /// Each value with its repeat count.
    pub(crate) values: Vec<(Option<Expr>, Expr)>,
}

/// A derived type definition.
#[derive(Debug)]
pub(crate) struct DerivedType {
    pub(crate) name: Ident,
    pub(crate) extends: Option<NameKey>,
    pub(crate) members: Vec<Specification>,
    pub(crate) bindings: Vec<ProcedureBinding>,
    /// Generic names and operators, with the names of the bindings that they stand for.
    pub(crate) generics: Vec<(NameKey, Vec<NameKey>)>,
}

/// A type-bound procedure: `PROCEDURE :: name => target`
#[derive(Debug, Clone)]
pub(crate) struct ProcedureBinding {
    pub(crate) name: NameKey,
    pub(crate) target: NameKey,
    pub(crate) passed: PassedObject,
}

/// Which dummy argument a type-bound procedure gets its object for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PassedObject {
    First,
    /// `PASS (name)`
    Named(NameKey),
    /// `NOPASS`
    Nothing,
}

/// A name that is declared.
#[derive(Debug, Clone)]
pub(crate) struct EntityDeclaration {
    pub(crate) name: Ident,
    pub(crate) shape: Option<Vec<Dimension>>,
    /// `*8` or the length of a `CHARACTER`.
    pub(crate) length: Option<CharacterLength>,
    pub(crate) initial: Option<Expr>,
}

/// The bounds of a dimension.
#[derive(Debug, Clone)]
pub(crate) struct Dimension {
    pub(crate) lower: Option<Expr>,
    pub(crate) upper: UpperBound,
}

/// The upper bound of a dimension.
#[derive(Debug, Clone)]
pub(crate) enum UpperBound {
    Bound(Expr),
    /// `*`
    Assumed,
    /// `:`
    Deferred,
}

/// The length of a `CHARACTER`.
#[derive(Debug, Clone)]
pub(crate) enum CharacterLength {
    Expr(Expr),
    /// `*`
    Assumed,
    /// `:`
    Deferred,
}

/// An attribute of an entity (Fortran 2018, 8.5).
#[derive(Debug, Clone)]
pub(crate) enum Attribute {
    Dimension(Vec<Dimension>),
    Parameter,
    Allocatable,
    Pointer,
    Save,
    External,
    Value,
    Optional,
    Intent(Intent),
    /// An attribute without effect on accesses.
    Other,
}

/// The intent of a dummy argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Intent {
    In,
    Out,
    InOut,
}

/// A type as written.
#[derive(Debug, Clone)]
pub(crate) enum TypeSpec {
    Integer(KindSelector),
    Real(KindSelector),
    DoublePrecision,
    Complex(KindSelector),
    DoubleComplex,
    Logical(KindSelector),
    Character(Option<CharacterLength>),
    Derived(NameKey),
    /// `CLASS(name)`, or `CLASS(*)`.
    Class(Option<NameKey>),
    /// `PROCEDURE(…)`
    Procedure,
}

/// The kind of an intrinsic type, as written.
#[derive(Debug, Clone)]
pub(crate) enum KindSelector {
    Default,
    /// `*8`: the size of the whole value in bytes.
    Bytes(i64),
    Expr(Box<Expr>),
}

/// What a program unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum UnitKind {
    Program,
    Module,
    BlockData,
    Function,
    Subroutine,
}

/// A main program, module, block of data, function or subroutine.
#[derive(Debug)]
pub(crate) struct ProgramUnit {
    pub(crate) kind: UnitKind,
    pub(crate) name: Ident,
    /// Its first statement.
    pub(crate) at: TextRange,
    /// Its dummy arguments; `None` for a `*`, an alternate return.
    pub(crate) dummies: Vec<Option<Ident>>,
    /// The result variable of a function, if it is not named after the function.
    pub(crate) result: Option<Ident>,
    /// The type specification before `FUNCTION`.
    pub(crate) prefix: Option<TypeSpec>,
    pub(crate) is_elemental: bool,
    pub(crate) specifications: Vec<Specification>,
    pub(crate) body: Vec<Statement>,
    pub(crate) contained: Vec<ProgramUnit>,
    /// The names of its `ENTRY` statements.
    pub(crate) entries: Vec<Ident>,
}

impl ProgramUnit {
    /// The modules that it uses itself, in the order of the text.
    pub(crate) fn used_modules(&self) -> impl Iterator<Item = &Ident> {
        let specifications = self.specifications.iter();
        specifications.filter_map(|specification| match &specification.kind {
            SpecificationKind::Use(used) => Some(&used.module),
            _ => None,
        })
    }
}
