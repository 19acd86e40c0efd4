//! Trees written by hand or by chance, without a source text.
//!
//! A [`Sketch`] is a tree without ids: [`Sketch::tree`] numbers loops and references in the order in
//! which they stand, as front ends do.

use premiss_source::{FileId, Span};
use premiss_tree::{
    AccessKind, Array, ArrayId, BinaryOperator, Comparison, EntityRef, Expression, Loop,
    LoopHeader, LoopId, NestTree, Node, Parameter, PrimaryMap, Reference, RejectReason, Rejection,
    Storage, Variable, VariableId,
};
use std::collections::BTreeSet;

/// One step of a sketch; what its fields mean is said in [`Node`] and [`Loop`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A loop.
    Loop {
        /// The number of the iterator.
        variable: usize,
        /// Its first value.
        first: Expression,
        /// How it is compared.
        comparison: Comparison,
        /// With what.
        bound: Expression,
        /// What is added to it.
        step: Expression,
        /// What is repeated.
        body: Vec<Step>,
    },
    /// An access.
    Access {
        /// Whether it reads or writes.
        kind: AccessKind,
        /// The number of the array.
        array: usize,
        /// Byte offset.
        offset: Expression,
        /// Bytes.
        size: u32,
    },
    /// A choice.
    Branch {
        /// What decides.
        condition: Expression,
        /// Where it holds.
        then: Vec<Step>,
        /// Where it does not.
        otherwise: Vec<Step>,
    },
    /// A new value.
    Assign {
        /// The number of the variable.
        variable: usize,
        /// The value.
        value: Expression,
    },
    /// Something not understood.
    Opaque,
}

/// An array of a sketch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SketchedArray {
    /// Its name.
    pub name: String,
    /// Its group in the layout.
    pub storage: Storage,
    /// Bytes of an element.
    pub element_size: u32,
    /// Bytes of all, where declared.
    pub extent: Option<i64>,
}

/// A function without ids.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sketch {
    /// Its sizes with their values.
    pub parameters: Vec<(String, Option<i64>)>,
    /// Its variables.
    pub variables: Vec<String>,
    /// Its arrays.
    pub arrays: Vec<SketchedArray>,
    /// What it does.
    pub body: Vec<Step>,
}

impl Sketch {
    /// The same with ids.
    #[must_use]
    pub fn tree(&self) -> NestTree {
        let mut tree = NestTree {
            function: "sketch".to_owned(),
            span: nowhere(),
            parameters: PrimaryMap::new(),
            variables: PrimaryMap::new(),
            arrays: PrimaryMap::new(),
            tables: PrimaryMap::new(),
            loops: PrimaryMap::new(),
            bounding_ranges: std::collections::BTreeMap::new(),
            references: PrimaryMap::new(),
            rejections: PrimaryMap::new(),
            assumptions: BTreeSet::new(),
            bounds: Vec::new(),
            body: Vec::new(),
            work: premiss_tree::Work::default(),
        };
        for (name, value) in &self.parameters {
            tree.parameters.push(Parameter {
                kind: premiss_tree::ParameterKind::Size,
                name: name.clone(),
                value: *value,
                span: nowhere(),
            });
        }
        for name in &self.variables {
            tree.variables.push(Variable { name: name.clone() });
        }
        for array in &self.arrays {
            tree.arrays.push(Array {
                name: array.name.clone(),
                storage: array.storage,
                element_size: array.element_size,
                extent: array.extent.map(Expression::Integer),
                strides: Vec::new(),
                span: nowhere(),
            });
        }
        tree.body = nodes(&self.body, None, &mut tree);
        tree
    }
}

fn nodes(steps: &[Step], inside: Option<LoopId>, tree: &mut NestTree) -> Vec<Node> {
    steps.iter().map(|step| node(step, inside, tree)).collect()
}

fn node(step: &Step, inside: Option<LoopId>, tree: &mut NestTree) -> Node {
    match step {
        Step::Loop {
            variable,
            first,
            comparison,
            bound,
            step,
            body,
        } => {
            let variable = VariableId::new(*variable);
            let id = tree.loops.push(LoopHeader {
                iterator: tree.variables[variable].name.clone(),
                inside,
                span: nowhere(),
                function: tree.function.clone(),
            });
            Node::Loop(Loop {
                id,
                variable,
                first: first.clone(),
                comparison: *comparison,
                bound: bound.clone(),
                step: step.clone(),
                body: nodes(body, Some(id), tree),
            })
        }
        Step::Access {
            kind,
            array,
            offset,
            size,
        } => Node::Access(tree.references.push(Reference {
            array: ArrayId::new(*array),
            kind: *kind,
            offset: offset.clone(),
            size: *size,
            span: nowhere(),
            text: format!("R{}", tree.references.len()),
            inside,
            function: tree.function.clone(),
        })),
        Step::Branch {
            condition,
            then,
            otherwise,
        } => Node::Branch {
            condition: condition.clone(),
            then: nodes(then, inside, tree),
            otherwise: nodes(otherwise, inside, tree),
        },
        Step::Assign { variable, value } => Node::Assign {
            variable: VariableId::new(*variable),
            value: value.clone(),
        },
        Step::Opaque => Node::Opaque(tree.rejections.push(Rejection {
            reason: RejectReason::Syntax,
            span: nowhere(),
        })),
    }
}

fn nowhere() -> Span {
    Span {
        file: FileId::new(0),
        start: 0,
        end: 0,
    }
}

/// The current value of a variable.
#[must_use]
pub fn var(number: usize) -> Expression {
    Expression::Variable(VariableId::new(number))
}

/// `constant + sum of coefficient * variable`.
#[must_use]
pub fn affine(constant: i64, terms: &[(i64, usize)]) -> Expression {
    terms
        .iter()
        .fold(constant.into(), |sum, &(factor, number)| {
            let term = Expression::binary(BinaryOperator::Multiply, var(number), factor.into());
            Expression::binary(BinaryOperator::Add, sum, term)
        })
}

/// `for (variable = first; variable < bound; variable++) body`.
#[must_use]
pub fn count_up(
    variable: usize,
    first: impl Into<Expression>,
    bound: impl Into<Expression>,
    body: Vec<Step>,
) -> Step {
    Step::Loop {
        variable,
        first: first.into(),
        comparison: Comparison::Less,
        bound: bound.into(),
        step: 1.into(),
        body,
    }
}

/// Loads an 8-byte element.
#[must_use]
pub fn load(array: usize, offset: Expression) -> Step {
    Step::Access {
        kind: AccessKind::Load,
        array,
        offset,
        size: 8,
    }
}

/// Stores an 8-byte element.
#[must_use]
pub fn store(array: usize, offset: Expression) -> Step {
    Step::Access {
        kind: AccessKind::Store,
        array,
        offset,
        size: 8,
    }
}

/// An array parameter of doubles.
#[must_use]
pub fn doubles(name: &str, count: i64) -> SketchedArray {
    SketchedArray {
        name: name.to_owned(),
        storage: Storage::Parameter,
        element_size: 8,
        extent: Some(8 * count),
    }
}
