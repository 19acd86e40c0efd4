//! The lists of nodes of a function with what stands in them, in the order of the tree.

use premiss_source::Span;
use premiss_tree::{
    Expression, ListId, LoopHeader, LoopId, NestTree, Node, PrimaryMap, RejectReason, Rejection,
    RejectionId,
};

/// A list of nodes.
pub(crate) struct Row {
    /// The list around it.
    pub(crate) around: Option<ListId>,
    pub(crate) origin: Origin,
    pub(crate) events: Vec<Event>,
    /// The first item in it or in a list inside of it.
    pub(crate) first: Option<Span>,
}

/// What a list is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    Function,
    Body(LoopId),
    /// The first or the second arm of the branch that is this event of the list around.
    Arm {
        event: usize,
        is_second: bool,
    },
}

/// A node.
pub(crate) enum Event {
    /// An access, or arithmetic.
    Item(Span),
    Loop {
        id: LoopId,
        body: ListId,
        /// Whether data decide how often it runs.
        is_open: bool,
    },
    Branch {
        arms: [ListId; 2],
        /// What data have to do with it.
        decided: Decided,
    },
}

/// By what an arm is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decided {
    Sizes,
    /// Data are part of the condition.
    Data,
    /// Nothing else is: so is what a jump may skip.
    DataAlone,
}

/// The lists of the work of a function.
pub(crate) fn lists(tree: &NestTree) -> PrimaryMap<ListId, Row> {
    let mut collector = Collector {
        tree,
        rows: PrimaryMap::new(),
    };
    collector.list(&tree.work.body, None, Origin::Function);
    collector.rows
}

struct Collector<'a> {
    tree: &'a NestTree,
    rows: PrimaryMap<ListId, Row>,
}

impl Collector<'_> {
    fn list(&mut self, nodes: &[Node], around: Option<ListId>, origin: Origin) -> ListId {
        let own = self.rows.push(Row {
            around,
            origin,
            events: Vec::new(),
            first: None,
        });
        for node in nodes {
            match node {
                Node::Operations(id) => self.item(own, self.tree.work.operations[*id].span),
                Node::Access(id) => self.item(own, self.tree.references[*id].span),
                Node::Assign { .. } | Node::Opaque(_) => {}
                Node::Loop(inner) => {
                    let body = self.list(&inner.body, Some(own), Origin::Body(inner.id));
                    let mut parts = node.expressions().into_iter();
                    let is_open = parts.any(has_data);
                    let id = inner.id;
                    self.rows[own]
                        .events
                        .push(Event::Loop { id, body, is_open });
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
        row.events.push(Event::Item(span));
        row.first = row.first.or(Some(span));
    }

    fn branch(&mut self, own: ListId, condition: &Expression, arms: [&[Node]; 2]) {
        let event = self.rows[own].events.len();
        let decided = match condition {
            Expression::Data => Decided::DataAlone,
            other if has_data(other) => Decided::Data,
            _ => Decided::Sizes,
        };
        let arm = |c: &mut Self, nodes: &[Node], is_second| {
            c.list(nodes, Some(own), Origin::Arm { event, is_second })
        };
        let arms = [arm(self, arms[0], false), arm(self, arms[1], true)];
        self.rows[own].events.push(Event::Branch { arms, decided });
        arms.into_iter()
            .for_each(|arm| self.inherit_first(own, arm));
    }

    fn inherit_first(&mut self, own: ListId, inner: ListId) {
        let first = self.rows[inner].first;
        let row = &mut self.rows[own];
        row.first = row.first.or(first);
    }
}

/// The arm that is all of the body of a loop that jumps leave: what they may skip.
pub(crate) fn skipped(rows: &PrimaryMap<ListId, Row>, body: ListId) -> Option<ListId> {
    match rows[body].events[..] {
        [
            Event::Branch {
                arms,
                decided: Decided::DataAlone,
            },
        ] if rows[arms[1]].events.is_empty() => Some(arms[0]),
        _ => None,
    }
}

/// Whether no size tells how often the loop of a body runs.
pub(crate) fn is_uncounted(
    rows: &PrimaryMap<ListId, Row>,
    rejections: &PrimaryMap<RejectionId, Rejection>,
    loops: &PrimaryMap<LoopId, LoopHeader>,
    body: ListId,
) -> bool {
    let (Origin::Body(id), Some(around)) = (rows[body].origin, rows[body].around) else {
        return false;
    };
    let mut events = rows[around].events.iter();
    let by_data = events
        .any(|event| matches!(event, Event::Loop { body: own, is_open: true, .. } if *own == body));
    let span = loops[id].span;
    let mut rejections = rejections.values();
    by_data
        || rejections.any(|row| {
            matches!(row.reason, RejectReason::UncountedLoop { .. }) && span.cover(row.span) == span
        })
}

/// Whether the header of a loop stands before its body: that of `do … while` is the condition alone.
pub(crate) fn is_tested_before(header: &str) -> bool {
    let header = header.to_ascii_lowercase();
    let words = ["for", "while", "do"];
    words.iter().any(|word| header.starts_with(word))
}

fn has_data(expression: &Expression) -> bool {
    expression.any(|part| *part == Expression::Data)
}
