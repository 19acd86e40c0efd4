//! Declarations and function definitions.

use super::{
    Designator, Expression, GlobalName, Name, Notation, Signature, Statement, Struct, TextRange,
    TypeName,
};
use std::sync::Arc;

/// A translation unit: a file with all that it includes.
#[derive(Debug, Default, Hash)]
pub struct Unit {
    /// The definitions and declarations at file scope, in order.
    pub items: Vec<Item>,
    /// Its structs and unions, indexed by [`StructId::row`](super::StructId::row).
    pub structs: Vec<Struct>,
    /// Whether some of its text could not be parsed.
    pub has_error: bool,
    /// How its language writes parts of objects.
    pub notation: Notation,
}

/// A definition or declaration at file scope.
#[derive(Debug, Hash)]
pub enum Item {
    /// A function definition.
    Function(Arc<Function>),
    /// A declaration.
    Declaration(Declaration),
}

/// A function definition.
#[derive(Debug, Hash)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// The place of its name.
    pub at: TextRange,
    /// Its parameters and result.
    pub signature: Arc<Signature>,
    /// Whether other units can call it.
    pub linkage: Linkage,
    /// Its body.
    pub body: Statement,
    /// The types that were assumed for its generic parameters, as `T = f64`: no call tells them.
    pub assumed_types: Vec<Name>,
    /// The kinds that no text defines, of whose numbers sizes were assumed, as `r8_kind`.
    pub assumed_kinds: Vec<Name>,
}

impl Function {
    /// The name that identifies this definition in the program.
    #[must_use]
    pub fn global_name(&self) -> GlobalName {
        GlobalName {
            unit: self.at.unit,
            name: self.name.clone(),
        }
    }
}

/// The linkage of a function (C11 6.2.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Linkage {
    /// Any unit can call it by its name.
    External,
    /// Only its own unit can call it by its name: it is `static`, or an `inline` definition where another unit has the
    /// external definition.
    Internal,
}

/// A declaration of one name.
#[derive(Debug, Clone, Hash)]
pub enum Declaration {
    /// An object or function.
    Object(Object),
    /// An enumeration constant: the value of `base` (0 where there is none) plus `plus`.
    Enumerator {
        /// Its name.
        name: Name,
        /// The expression that its value is relative to.
        base: Option<Arc<Expression>>,
        /// The constant added to that.
        plus: i64,
    },
}

/// A declared object or function.
#[derive(Debug, Clone, Hash)]
pub struct Object {
    /// Its name.
    pub name: Name,
    /// The place of its name.
    pub at: TextRange,
    /// Its type.
    pub kind: Arc<TypeName>,
    /// Its storage duration.
    pub lifetime: Lifetime,
    /// Whether it is declared constant.
    pub is_const: bool,
    /// Whether it is declared `volatile`.
    pub is_volatile: bool,
    /// Its initializer.
    pub initializer: Option<Initializer>,
}

/// The storage duration and linkage of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lifetime {
    /// The execution of its block.
    Automatic,
    /// The whole program; visible only in its unit or block.
    Static,
    /// Declared here and possibly defined elsewhere.
    Extern,
}

/// The initializer of an object (C11 6.7.9).
#[derive(Debug, Clone, Hash)]
pub enum Initializer {
    /// A value.
    Expression(Expression),
    /// A braced list, in order.
    List(Vec<Part>),
}

/// An entry of a braced initializer list.
#[derive(Debug, Clone, Hash)]
pub struct Part {
    /// The initialized part as a path into the object; empty for the part after that of the previous entry.
    pub designators: Vec<Designator>,
    /// Its initializer.
    pub value: Initializer,
}
