//! Some nodes of a function as a function by itself, whose sizes are those of the function and the values of the
//! variables that the nodes read.

use super::variables::{Variables, live, with_data};
use super::{ClosedNest, NestInput};
use crate::capacity_sum::CountForm;
use premiss_operations::{Form, PboundPart, Places, pbound_parts};
use premiss_presburger::Refusal;
use premiss_tree::{
    Averages, BinaryOperator, Expression, NestTree, Node, Parameter, ParameterId, ParameterKind,
    PrimaryMap, Variable, VariableId, Work,
};
use std::collections::BTreeMap;

/// A function made of some nodes.
pub(super) struct Nest {
    pub(super) tree: NestTree,
    /// The meaning of the sizes that it has beyond those of the original function.
    inputs: BTreeMap<ParameterId, NestInput>,
}

impl Nest {
    /// Makes a function of some nodes. `known` variables have values that are functions of sizes; all others are data.
    pub(super) fn new(
        tree: &NestTree,
        variables: &PrimaryMap<VariableId, Variable>,
        natural: &Variables,
        nodes: &[Node],
        known: &Variables,
    ) -> Self {
        let mut nest = Self {
            tree: tree.clone(),
            inputs: BTreeMap::new(),
        };
        nest.tree.work = Work {
            variables: variables.clone(),
            averages: Averages::default(),
            ..tree.work.clone()
        };
        let mut body = Vec::new();
        let read = live(nodes, &Variables::new());
        for id in &read & known {
            let mut value = nest.size(NestInput::Variable(id), &variables[id].name);
            if !natural.contains(&id) {
                let negated = nest.size(NestInput::Negated(id), &variables[id].name);
                value = Expression::binary(BinaryOperator::Subtract, value, negated);
            }
            body.push(Node::Assign {
                variable: id,
                value,
            });
        }
        body.extend(with_data(nodes, &mut known.clone()));
        nest.tree.work.body = body;
        nest
    }

    fn size(&mut self, input: NestInput, name: &str) -> Expression {
        let id = self.tree.work.parameters.push(Parameter {
            name: name.to_owned(),
            value: None,
            kind: ParameterKind::Size,
            span: self.tree.span,
        });
        self.inputs.insert(id, input);
        Expression::Parameter(id)
    }

    /// The meaning of a size.
    pub(super) fn input(&self, id: ParameterId) -> Option<NestInput> {
        let own = self.inputs.get(&id).copied();
        own.or(Some(NestInput::Size(id)))
    }
}

/// What each loop of a function does itself, if nothing was left out and nothing is unknown.
pub(super) fn closed(
    tree: &NestTree,
    places: &Places,
    input: impl Fn(ParameterId) -> Option<NestInput>,
) -> Option<ClosedNest> {
    if !places.refused.is_empty() {
        return None;
    }
    let parts = pbound_parts(tree, places).ok()?;
    let parts: Vec<PboundPart> = parts.into_values().collect::<Option<_>>()?;
    let columns = places.parameters.len();
    let parts = parts.into_iter().map(|part| {
        Ok(PboundPart {
            certain: over(columns, part.certain)?,
            possible: over(columns, part.possible)?,
            ..part
        })
    });
    Some(ClosedNest {
        inputs: places
            .parameters
            .iter()
            .map(|size| input(size.id))
            .collect::<Option<_>>()?,
        context: places.context.clone(),
        parts: parts.collect::<Result<_, Refusal>>().ok()?,
    })
}

/// The forms over the columns of sizes only.
fn over(columns: usize, forms: [Form; 6]) -> Result<[Form; 6], Refusal> {
    let mut all: [Form; 6] = Default::default();
    for (form, found) in forms.into_iter().zip(&mut all) {
        found.pieces = CountForm::of_pieces(columns, &form.pieces)?.pieces;
    }
    Ok(all)
}

/// Moves what is certain to what is possible.
pub(super) fn make_possible(part: &mut PboundPart) {
    let certain = std::mem::take(&mut part.certain);
    for (form, more) in part.possible.iter_mut().zip(certain) {
        form.pieces.extend(more.pieces);
    }
}
