//! The lists of nodes of a function, in the order of the tree: its body, the bodies of its loops, the arms of its
//! branches.

use premiss_source::Span;
use premiss_tree::{
    Expression, ListId, LoopHeader, LoopId, NestTree, Node, PrimaryMap, RejectReason, Rejection,
    RejectionId,
};

/// A list of nodes.
pub(crate) struct NodeList {
    /// The enclosing list.
    pub(crate) parent: Option<ListId>,
    pub(crate) origin: ListOrigin,
    pub(crate) items: Vec<ListItem>,
    /// The first item in it or in a nested list.
    pub(crate) first: Option<Span>,
}

/// The origin of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ListOrigin {
    Function,
    Body(LoopId),
    /// The first or second arm of the branch with this index in the parent list.
    Arm {
        item: usize,
        is_second: bool,
    },
}

/// A node.
pub(crate) enum ListItem {
    /// An access or operation.
    Evaluation(Span),
    Loop {
        id: LoopId,
        body: ListId,
        /// Whether its trip count depends on data.
        is_open: bool,
    },
    Branch {
        arms: [ListId; 2],
        /// How the condition depends on data.
        decision: BranchDecision,
    },
}

/// What a condition depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BranchDecision {
    Sizes,
    /// It depends on data and other values.
    Data,
    /// It depends on data alone, like the condition of a part that a jump may skip.
    DataAlone,
}

/// The node lists of the work of a function.
pub(crate) fn node_lists(tree: &NestTree) -> PrimaryMap<ListId, NodeList> {
    let mut collector = NodeListCollector {
        tree,
        rows: PrimaryMap::new(),
    };
    collector.list(&tree.work.body, None, ListOrigin::Function);
    collector.rows
}

struct NodeListCollector<'a> {
    tree: &'a NestTree,
    rows: PrimaryMap<ListId, NodeList>,
}

impl NodeListCollector<'_> {
    fn list(&mut self, nodes: &[Node], parent: Option<ListId>, origin: ListOrigin) -> ListId {
        let own = self.rows.push(NodeList {
            parent,
            origin,
            items: Vec::new(),
            first: None,
        });
        for node in nodes {
            match node {
                Node::Operations(id) => self.item(own, self.tree.work.operations[*id].span),
                Node::Access(id) => self.item(own, self.tree.references[*id].span),
                Node::Assign { .. } | Node::Opaque(_) => {}
                Node::Loop(inner) => {
                    let body = self.list(&inner.body, Some(own), ListOrigin::Body(inner.id));
                    let mut parts = node.expressions().into_iter();
                    let is_open = parts.any(depends_on_data);
                    let id = inner.id;
                    self.rows[own]
                        .items
                        .push(ListItem::Loop { id, body, is_open });
                    self.inherit_first(own, body);
                }
                Node::Branch {
                    condition,
                    then,
                    otherwise,
                } => self.branch(own, condition, [then, otherwise]),
            }
        }
        own
    }

    fn item(&mut self, list: ListId, span: Span) {
        let row = &mut self.rows[list];
        row.items.push(ListItem::Evaluation(span));
        row.first = row.first.or(Some(span));
    }

    fn branch(&mut self, own: ListId, condition: &Expression, arms: [&[Node]; 2]) {
        let item = self.rows[own].items.len();
        let decision = match condition {
            Expression::Data => BranchDecision::DataAlone,
            other if depends_on_data(other) => BranchDecision::Data,
            _ => BranchDecision::Sizes,
        };
        let arm = |c: &mut Self, nodes: &[Node], is_second| {
            c.list(nodes, Some(own), ListOrigin::Arm { item, is_second })
        };
        let arms = [arm(self, arms[0], false), arm(self, arms[1], true)];
        self.rows[own]
            .items
            .push(ListItem::Branch { arms, decision });
        arms.into_iter()
            .for_each(|arm| self.inherit_first(own, arm));
    }

    fn inherit_first(&mut self, own: ListId, inner: ListId) {
        let first = self.rows[inner].first;
        let row = &mut self.rows[own];
        row.first = row.first.or(first);
    }
}

/// The arm that is the whole body of a loop that jumps leave: the part that they may skip.
pub(crate) fn skippable_arm(rows: &PrimaryMap<ListId, NodeList>, body: ListId) -> Option<ListId> {
    match rows[body].items[..] {
        [
            ListItem::Branch {
                arms,
                decision: BranchDecision::DataAlone,
            },
        ] if rows[arms[1]].items.is_empty() => Some(arms[0]),
        _ => None,
    }
}

/// What follows an exit that stands for a part of the condition of a loop, as `err > tol` in `while (err > tol && k < 20)`:
/// a list of what its `header` evaluates and then of the branch that data decide, the first arm of which is the exit.
pub(crate) fn behind_header_exit(
    rows: &PrimaryMap<ListId, NodeList>,
    list: ListId,
    header: Span,
) -> Option<ListId> {
    let (last, before) = rows[list].items.split_last()?;
    let ListItem::Branch {
        arms,
        decision: BranchDecision::DataAlone,
    } = last
    else {
        return None;
    };
    let is_of_header = |item: &ListItem| match item {
        ListItem::Evaluation(span) => header.cover(*span) == header,
        ListItem::Loop { .. } | ListItem::Branch { .. } => false,
    };
    let is_exit = rows[arms[0]].items.is_empty() && !before.is_empty();
    (is_exit && before.iter().all(is_of_header)).then_some(arms[1])
}

/// Whether the trip count of the loop of a body does not depend on sizes alone.
pub(crate) fn has_unknown_trip_count(
    rows: &PrimaryMap<ListId, NodeList>,
    rejections: &PrimaryMap<RejectionId, Rejection>,
    loops: &PrimaryMap<LoopId, LoopHeader>,
    body: ListId,
) -> bool {
    let (ListOrigin::Body(id), Some(around)) = (rows[body].origin, rows[body].parent) else {
        return false;
    };
    let mut items = rows[around].items.iter();
    let by_data = items.any(
        |item| matches!(item, ListItem::Loop { body: own, is_open: true, .. } if *own == body),
    );
    let span = loops[id].span;
    let mut rejections = rejections.values();
    by_data
        || rejections.any(|row| {
            matches!(row.reason, RejectReason::UncountedLoop { .. }) && span.cover(row.span) == span
        })
}

/// Whether the header of a loop precedes its body: that of `do … while` is the condition alone.
pub(crate) fn is_tested_first(header: &str) -> bool {
    let header = header.to_ascii_lowercase();
    let words = ["for", "while", "do"];
    words.iter().any(|word| header.starts_with(word))
}

fn depends_on_data(expression: &Expression) -> bool {
    expression.any(|part| *part == Expression::Data)
}
