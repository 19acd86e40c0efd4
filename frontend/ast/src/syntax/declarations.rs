//! What stands at file scope, and declarations.

use super::{
    At, Designator, Expression, GlobalName, Name, Notation, Signature, Statement, Struct, TypeName,
};
use std::sync::Arc;

/// A file with all that it includes.
#[derive(Debug, Default, Hash)]
pub struct Unit {
    /// What stands at file scope, in order.
    pub items: Vec<Item>,
    /// The structs that [`StructId`](super::StructId)s name.
    pub structs: Vec<Struct>,
    /// Whether some of it could not be read.
    pub has_error: bool,
    /// How its language writes parts of objects.
    pub notation: Notation,
}

/// Something at file scope.
#[derive(Debug, Hash)]
pub enum Item {
    /// A function with its body.
    Function(Arc<Function>),
    /// What is declared.
    Declaration(Declaration),
}

/// A function with its body.
#[derive(Debug, Hash)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// Where its name stands.
    pub at: At,
    /// What it takes and returns.
    pub signature: Arc<Signature>,
    /// Who can call it.
    pub linkage: Linkage,
    /// What it does.
    pub body: Statement,
}

impl Function {
    /// The name of this definition.
    #[must_use]
    pub fn global_name(&self) -> GlobalName {
        GlobalName {
            unit: self.at.unit,
            name: self.name.clone(),
        }
    }
}

/// Who can call a function by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Linkage {
    /// All units.
    External,
    /// Its own unit alone: it is `static`, or an `inline` definition beside that of another unit.
    Internal,
}

/// A declaration of one name, or an evaluation that a declaration asks for.
#[derive(Debug, Clone, Hash)]
pub enum Declaration {
    /// An object or function.
    Object(Object),
    /// An enumeration constant: the value of `base` (0 where there is none) plus `plus`.
    Enumerator {
        /// Its name.
        name: Name,
        /// The expression that it counts from.
        base: Option<Arc<Expression>>,
        /// What is added to that.
        plus: i64,
    },
}

/// An object (or function) that is declared.
#[derive(Debug, Clone, Hash)]
pub struct Object {
    /// Its name.
    pub name: Name,
    /// Where it stands.
    pub at: At,
    /// Its type.
    pub kind: Arc<TypeName>,
    /// How it is stored.
    pub lifetime: Lifetime,
    /// Whether it never changes.
    pub is_const: bool,
    /// Whether others may change it.
    pub is_volatile: bool,
    /// What it starts with.
    pub initializer: Option<Initializer>,
}

/// How an object is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lifetime {
    /// While its block is executed.
    Automatic,
    /// For the whole program, known to its unit or block alone.
    Static,
    /// Declared here, stored elsewhere.
    Extern,
}

/// What an object starts with.
#[derive(Debug, Clone, Hash)]
pub enum Initializer {
    /// A value.
    Expression(Expression),
    /// What stands in braces, in order.
    List(Vec<Part>),
}

/// What a part of an object starts with.
#[derive(Debug, Clone, Hash)]
pub struct Part {
    /// Which part, as a path into the object; empty for the one after the last.
    pub designators: Vec<Designator>,
    /// What it starts with.
    pub value: Initializer,
}
