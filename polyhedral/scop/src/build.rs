//! The nodes of a scop, from what has been found out about loops and arrays.

use crate::columns::Columns;
use crate::execute::{AccessItem, NestItem};
use crate::reject::{ExpressionSite, Reject};
use crate::scop::{Access, LineSpaceId, Node, NodeId, NodeKind, Piece, Scop};
use crate::spaces::{Lowering, Space, collect};
use crate::strip::Strip;
use premiss_presburger::Column;
use premiss_tree::ArrayId;
use std::collections::BTreeMap;

/// A scop under construction.
pub(crate) struct ScopBuilder<'b, 'a> {
    lowering: &'b Lowering<'a>,
    spaces: &'b BTreeMap<ArrayId, Space>,
    ids: BTreeMap<ArrayId, LineSpaceId>,
    strips: Vec<Strip>,
    /// The first column of each iterator around.
    places: BTreeMap<usize, Column>,
    /// How many cases of each array have been built.
    next: BTreeMap<ArrayId, usize>,
    scop: Scop,
}

impl<'b, 'a> ScopBuilder<'b, 'a> {
    pub(crate) fn new(
        lowering: &'b Lowering<'a>,
        spaces: &'b BTreeMap<ArrayId, Space>,
        ids: BTreeMap<ArrayId, LineSpaceId>,
        strips: Vec<Strip>,
        scop: Scop,
    ) -> Self {
        Self {
            lowering,
            spaces,
            ids,
            strips,
            places: BTreeMap::new(),
            next: BTreeMap::new(),
            scop,
        }
    }

    /// The scop of these outermost nodes.
    pub(crate) fn finish(mut self, roots: Vec<NodeId>) -> Scop {
        self.scop.roots = roots;
        self.scop
    }

    /// The nodes of the items in loop `parent`, or of outermost items, with `depth` loop nodes around.
    pub(crate) fn items(
        &mut self,
        items: &[NestItem],
        parent: Option<NodeId>,
        depth: usize,
    ) -> Result<Vec<NodeId>, Reject> {
        let mut nodes = Vec::new();
        for item in items {
            match item {
                NestItem::Loop { body, .. } => {
                    let mut inside = Vec::new();
                    collect(body, &mut inside);
                    if !inside.is_empty() {
                        nodes.push(self.repeat(item, parent, depth)?);
                    }
                }
                NestItem::Access(access) => nodes.push(self.access(access, parent, depth)?),
            }
        }
        Ok(nodes)
    }

    fn repeat(
        &mut self,
        item: &NestItem,
        parent: Option<NodeId>,
        depth: usize,
    ) -> Result<NodeId, Reject> {
        let NestItem::Loop {
            id,
            iterator,
            direction,
            body,
        } = item
        else {
            unreachable!("only loops are repeated");
        };
        let ranges: &[Option<(i64, i64)>] = match self.strips[*iterator] {
            Strip::Whole => &[None],
            Strip::Few(first, last) => &[Some((first, last))],
            Strip::Blocks(factor) => &[None, Some((0, factor - 1))],
        };
        let place = self.scop.variable_column(depth);
        self.places.insert(*iterator, place);
        let mut chain: Vec<NodeId> = Vec::new();
        for (idx, range) in ranges.iter().enumerate() {
            let node = self.scop.nodes.push(Node {
                parent: chain.last().copied().or(parent),
                depth: depth + idx,
                kind: NodeKind::Loop {
                    id: *id,
                    direction: *direction,
                    range: *range,
                    children: Vec::new(),
                },
            });
            chain.push(node);
        }
        let mut below = self.items(body, chain.last().copied(), depth + ranges.len())?;
        self.places.remove(iterator);
        for node in chain.iter().rev() {
            if let NodeKind::Loop { children, .. } = &mut self.scop.nodes[*node].kind {
                *children = below;
            }
            below = vec![*node];
        }
        Ok(chain[0])
    }

    fn access(
        &mut self,
        access: &AccessItem,
        parent: Option<NodeId>,
        depth: usize,
    ) -> Result<NodeId, Reject> {
        let reference = access.reference;
        let array = self.lowering.tree.references[reference].array;
        let space = &self.spaces[&array];
        let columns = Columns {
            width: 1 + self.scop.parameters.len() + depth,
            sizes: &self.lowering.sizes,
            places: &self.places,
            strips: &self.strips,
            context: &self.lowering.context,
        };
        let mut pieces = Vec::new();
        for (domain, _) in &access.cases {
            let next = self.next.entry(array).or_default();
            let subscripts = &space.subscripts[*next];
            *next += 1;
            let domain = domain.difference(&self.lowering.granted).cloned().collect();
            let floors = &self.lowering.evaluator.floors;
            let parts = space.naming.parts(&columns, floors, &domain, subscripts);
            let parts =
                parts.map_err(|obstacle| obstacle.at(ExpressionSite::Address(reference)))?;
            pieces.extend(parts.into_iter().map(|part| Piece {
                domain: columns.system(&part),
                line: part.line,
            }));
        }
        Ok(self.scop.nodes.push(Node {
            parent,
            depth,
            kind: NodeKind::Access(Access {
                reference,
                certainty: access.certainty,
                space: self.ids[&array],
                pieces,
            }),
        }))
    }
}
