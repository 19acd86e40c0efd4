//! A function as a tree that marks its places: every list of nodes in which something is to be counted
//! makes one access, to its own reference.
//!
//! The engines that count accesses count places then: what an access touches does not matter, and is
//! always the first byte of one array.
//!
//! ```text
//! loop i …                         loop i …
//!   operations 1 mul                 load R0
//!   if data                          copy := k
//!     k := 1                         load R1          possible
//!     operations 1 add       ──▶     k := 1
//!   else                             k := copy
//!     operations 1 sub               load R2          possible
//!                                    k := data
//! ```

use premiss_tree::{
    AccessKind, Array, ArrayId, Comparison, Expression, ListId, LoopId, NestTree, Node,
    OperationsId, PrimaryMap, Reference, ReferenceId, RejectReason, RejectionId, Storage, Variable,
    VariableId, Work,
};
use std::collections::{BTreeMap, BTreeSet};

/// What is done about branches that data decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Branches {
    /// They stay: an engine that executes the tree treats them.
    Kept,
    /// Both arms stand one after the other, and what stands in them is possible.
    Flattened,
}

/// What was found not to be affine, and is taken as decided by data.
#[derive(Clone, Debug, Default)]
pub(crate) struct NotAffine {
    /// Loops whose trip count is taken as unknown.
    pub(crate) loops: BTreeSet<LoopId>,
    /// The loops whose direct branches are taken as decided by data; `None` stands for those outside of all loops.
    pub(crate) conditions: BTreeSet<Option<LoopId>>,
    /// The arms whose branches are taken as decided by data.
    pub(crate) arms: BTreeSet<ReferenceId>,
}

/// A tree that marks its places. A place has the number of its reference.
#[derive(Clone, Debug)]
pub(crate) struct Marked {
    pub(crate) tree: NestTree,
    pub(crate) places: PrimaryMap<ReferenceId, ExecutionCount>,
    /// What decides how often each place is executed where the one around it is.
    pub(crate) origins: PrimaryMap<ReferenceId, PlaceOrigin>,
    /// The place around each.
    pub(crate) parent: PrimaryMap<ReferenceId, Option<ReferenceId>>,
    /// For each arm, the other arm of its branch.
    pub(crate) opposite_arms: BTreeMap<ReferenceId, ReferenceId>,
    /// The average number of executions of a place for each time that another place, given first, is executed.
    pub(crate) averages: BTreeMap<ReferenceId, (ReferenceId, f64)>,
    /// Where each node stands; a node may stand at several places.
    pub(crate) operations: BTreeMap<OperationsId, Vec<ReferenceId>>,
    pub(crate) references: BTreeMap<ReferenceId, Vec<ReferenceId>>,
    pub(crate) bodies: BTreeMap<LoopId, Vec<ReferenceId>>,
    /// Where each loop is entered.
    pub(crate) entries: BTreeMap<LoopId, Vec<ReferenceId>>,
    /// Whether something may run that no node represents, and in which loops.
    pub(crate) is_open: bool,
    pub(crate) open_loops: BTreeSet<LoopId>,
    /// The innermost of these loops, or none for outside of all.
    pub(crate) innermost_open_loops: BTreeSet<Option<LoopId>>,
}

/// What is known of how often a place is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExecutionCount {
    /// It is the number that is counted.
    Certain,
    /// It is at most the number that is counted.
    Possible,
    /// It is not known.
    Unknown,
}

/// What a place is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PlaceOrigin {
    /// The body of the function.
    Function,
    /// The body of a loop.
    Body(LoopId),
    /// The body of a loop of unknown trip count that has an average. The tree has one iteration of it.
    Repeated(LoopId),
    /// What such a loop tests before each iteration.
    Test,
    /// An arm of a branch.
    Arm,
}

/// Marks the places of a function.
pub(crate) fn marked(tree: &NestTree, branches: Branches, not_affine: &NotAffine) -> Marked {
    let work = &tree.work;
    let mut marker = Marker {
        branches,
        not_affine,
        work,
        references: &tree.references,
        lists: PrimaryMap::new(),
        variables: work.variables.clone(),
        marked: Marked {
            tree: frame(tree, work),
            places: PrimaryMap::new(),
            origins: PrimaryMap::new(),
            parent: PrimaryMap::new(),
            opposite_arms: BTreeMap::new(),
            averages: BTreeMap::new(),
            operations: BTreeMap::new(),
            references: BTreeMap::new(),
            bodies: BTreeMap::new(),
            entries: BTreeMap::new(),
            is_open: false,
            open_loops: BTreeSet::new(),
            innermost_open_loops: BTreeSet::new(),
        },
    };
    let frame = ListFrame {
        kind: ExecutionCount::Certain,
        inside: None,
        parent: None,
    };
    let body = marker.list(&work.body, frame, PlaceOrigin::Function);
    let mut marked = marker.marked;
    marked.tree.body = body;
    marked.tree.variables = marker.variables;
    marked
}

/// The tree without its body, with the array that marks touch.
fn frame(tree: &NestTree, work: &Work) -> NestTree {
    let mut arrays = PrimaryMap::new();
    arrays.push(Array {
        name: "places".to_owned(),
        storage: Storage::Local,
        element_size: 1,
        extent: Some(1.into()),
        strides: Vec::new(),
        span: tree.span,
    });
    NestTree {
        function: tree.function.clone(),
        span: tree.span,
        parameters: work.parameters.clone(),
        variables: PrimaryMap::new(),
        arrays,
        tables: work.tables.clone(),
        loops: tree.loops.clone(),
        bounding_ranges: BTreeMap::new(),
        references: PrimaryMap::new(),
        rejections: tree.rejections.clone(),
        assumptions: tree.assumptions.clone(),
        bounds: tree.bounds.clone(),
        body: Vec::new(),
        work: Work::default(),
    }
}

struct Marker<'a> {
    work: &'a Work,
    references: &'a PrimaryMap<ReferenceId, Reference>,
    branches: Branches,
    not_affine: &'a NotAffine,
    /// The place of each list of the work so far.
    lists: PrimaryMap<ListId, ReferenceId>,
    variables: PrimaryMap<VariableId, Variable>,
    marked: Marked,
}

/// Where a list stands.
#[derive(Clone, Copy)]
struct ListFrame {
    kind: ExecutionCount,
    /// The innermost loop around it.
    inside: Option<LoopId>,
    /// The place around it.
    parent: Option<ReferenceId>,
}

impl Marker<'_> {
    /// A list of nodes, with its mark.
    fn list(&mut self, nodes: &[Node], frame: ListFrame, origin: PlaceOrigin) -> Vec<Node> {
        let place = self.place(frame, origin);
        let list = self.lists.push(place);
        if let Some(average) = self.work.averages.lists.get(&list) {
            let of = self.lists[average.per];
            self.marked.averages.insert(place, (of, average.times));
        }
        if let PlaceOrigin::Body(id) | PlaceOrigin::Repeated(id) = origin {
            self.marked.bodies.entry(id).or_default().push(place);
        }
        let n_tested = match origin {
            PlaceOrigin::Repeated(id) => self.n_tested(nodes, id),
            _ => 0,
        };
        let mut list = vec![Node::Access(place)];
        let frame = ListFrame {
            parent: Some(place),
            ..frame
        };
        for (idx, node) in nodes.iter().enumerate() {
            // A test has the place before.
            let place = match idx < n_tested {
                true => ReferenceId::from_u32(place.as_u32() - 1),
                false => place,
            };
            match node {
                Node::Operations(id) => {
                    self.marked.operations.entry(*id).or_default().push(place);
                }
                Node::Access(id) => self.marked.references.entry(*id).or_default().push(place),
                Node::Assign { .. } => list.push(node.clone()),
                // The rejection at the head of an iteration only says why the trip count is unknown.
                Node::Opaque(id) => match origin {
                    PlaceOrigin::Repeated(_) if idx == 0 && self.is_count(*id) => {}
                    _ if self.is_about_next(*id, &nodes[idx..]) => {}
                    _ => self.open(frame.inside),
                },
                Node::Branch {
                    condition,
                    then,
                    otherwise,
                } => list.extend(self.branch(condition, [then, otherwise], frame)),
                Node::Loop(inner) => {
                    self.marked.entries.entry(inner.id).or_default().push(place);
                    list.extend(self.repeat(node, inner, frame));
                }
            }
        }
        list
    }

    fn place(&mut self, frame: ListFrame, origin: PlaceOrigin) -> ReferenceId {
        self.marked.places.push(frame.kind);
        self.marked.origins.push(origin);
        self.marked.parent.push(frame.parent);
        self.marked.tree.references.push(Reference {
            array: ArrayId::from_u32(0),
            kind: AccessKind::Load,
            offset: 0.into(),
            size: 1,
            span: self.marked.tree.span,
            text: String::new(),
            inside: frame.inside,
            function: String::new(),
        })
    }

    fn open(&mut self, inside: Option<LoopId>) {
        self.marked.is_open = true;
        self.marked.innermost_open_loops.insert(inside);
        let loops = &self.marked.tree.loops;
        let parent = std::iter::successors(inside, |id| loops[*id].inside);
        self.marked.open_loops.extend(parent);
    }

    fn repeat(&mut self, node: &Node, inner: &premiss_tree::Loop, frame: ListFrame) -> Vec<Node> {
        let inside = ListFrame {
            inside: Some(inner.id),
            ..frame
        };
        let test = self.test(inner.id, frame);
        if self.is_open(node, inner) {
            let unknown = ListFrame {
                kind: ExecutionCount::Unknown,
                ..inside
            };
            let changed = assigned(std::slice::from_ref(node));
            if let (Some(test), false) = (test, is_given_up(inner)) {
                return self.once(inner, unknown, test, &changed);
            }
            self.open(Some(inner.id));
            // What is counted there is unknown, so that the nodes themselves are dropped.
            self.list(&inner.body, unknown, PlaceOrigin::Body(inner.id));
            return data(&changed);
        }
        let body = self.list(&inner.body, inside, PlaceOrigin::Body(inner.id));
        vec![Node::Loop(inner.with_body(body))]
    }

    /// Whether the trip count of a loop is unknown.
    fn is_open(&self, node: &Node, inner: &premiss_tree::Loop) -> bool {
        let is_data = |expression: &&Expression| expression.any(|x| *x == Expression::Data);
        let by_data = node.expressions().iter().any(is_data);
        by_data || self.not_affine.loops.contains(&inner.id)
    }

    /// A place for what a loop tests, where there is an average of it. Loops that need none have one too,
    /// so that places keep their numbers whatever becomes of loops.
    fn test(&mut self, id: LoopId, frame: ListFrame) -> Option<ReferenceId> {
        let average = self.work.averages.tests.get(&id)?;
        let kind = ExecutionCount::Unknown;
        let test = self.place(ListFrame { kind, ..frame }, PlaceOrigin::Test);
        let of = self.lists[average.per];
        self.marked.averages.insert(test, (of, average.times));
        Some(test)
    }

    /// One iteration of a loop that has an average: any iteration, so that nothing is known of what iterations change.
    fn once(
        &mut self,
        inner: &premiss_tree::Loop,
        frame: ListFrame,
        test: ReferenceId,
        changed: &BTreeSet<VariableId>,
    ) -> Vec<Node> {
        let own = inner.variable;
        let others = changed.iter().copied().filter(|id| *id != own).collect();
        let mut body = data(&others);
        body.extend(self.list(&inner.body, frame, PlaceOrigin::Repeated(inner.id)));
        let once = Node::Loop(premiss_tree::Loop {
            first: 0.into(),
            comparison: Comparison::Less,
            bound: 1.into(),
            step: 1.into(),
            ..inner.with_body(body)
        });
        let mut list = vec![Node::Access(test), once];
        list.extend(data(changed));
        list
    }

    /// How many of the nodes at the head of an iteration stand in the loop's header.
    fn n_tested(&self, nodes: &[Node], id: LoopId) -> usize {
        let header = self.marked.tree.loops[id].span;
        let is_within = |span| header.cover(span) == header;
        let is_tested = |node: &&Node| match node {
            Node::Operations(id) => is_within(self.work.operations[*id].span),
            Node::Access(id) => is_within(self.references[*id].span),
            Node::Opaque(id) => self.is_count(*id),
            _ => false,
        };
        nodes.iter().take_while(is_tested).count()
    }

    /// Whether the rejection is about the trip count of the loop that these nodes come to, and there is an average of
    /// that.
    fn is_about_next(&self, id: RejectionId, nodes: &[Node]) -> bool {
        // Of most there is none, and thousands may stand behind each other.
        if self.work.averages.tests.is_empty() || !self.is_count(id) {
            return false;
        }
        let next = nodes.iter().find_map(|node| match node {
            Node::Loop(inner) => Some(inner),
            Node::Branch { then, .. } => match &then[..] {
                [Node::Loop(inner)] => Some(inner),
                _ => None,
            },
            _ => None,
        });
        let Some(next) = next.filter(|next| !is_given_up(next)) else {
            return false;
        };
        let header = self.marked.tree.loops[next.id].span;
        let is_within = header.cover(self.marked.tree.rejections[id].span) == header;
        is_within && self.work.averages.tests.contains_key(&next.id)
    }

    /// Whether the rejection is only about a trip count.
    fn is_count(&self, id: RejectionId) -> bool {
        let reason = &self.marked.tree.rejections[id].reason;
        matches!(reason, RejectReason::UncountedLoop { .. })
    }

    fn branch(
        &mut self,
        condition: &Expression,
        [then, otherwise]: [&[Node]; 2],
        frame: ListFrame,
    ) -> Vec<Node> {
        // The arms get the next numbers, whatever becomes of them.
        let next = self.marked.places.next_key();
        let second = ReferenceId::from_u32(next.as_u32() + self.n_places(then));
        self.marked
            .opposite_arms
            .extend([(next, second), (second, next)]);
        let is_arm = |arm| self.not_affine.arms.contains(arm);
        let by_data = condition.any(|x| *x == Expression::Data)
            || self.not_affine.conditions.contains(&frame.inside)
            || [next, second].iter().any(is_arm);
        if !by_data || self.branches == Branches::Kept {
            return vec![Node::Branch {
                condition: condition.clone(),
                then: self.list(then, frame, PlaceOrigin::Arm),
                otherwise: self.list(otherwise, frame, PlaceOrigin::Arm),
            }];
        }
        let frame = ListFrame {
            kind: match frame.kind {
                ExecutionCount::Certain => ExecutionCount::Possible,
                kind => kind,
            },
            ..frame
        };
        let mut list = Vec::new();
        let mut restored = Vec::new();
        for id in assigned(then) {
            let name = format!("{}@before", self.variables[id].name);
            let copy = self.variables.push(Variable { name });
            list.push(assign(copy, Expression::Variable(id)));
            restored.push(assign(id, Expression::Variable(copy)));
        }
        list.extend(self.list(then, frame, PlaceOrigin::Arm));
        list.extend(restored);
        list.extend(self.list(otherwise, frame, PlaceOrigin::Arm));
        let mut changed = assigned(then);
        changed.append(&mut assigned(otherwise));
        list.extend(data(&changed));
        list
    }

    /// How many places a list of nodes has, itself included.
    fn n_places(&self, nodes: &[Node]) -> u32 {
        let mut n_places = 1;
        for node in nodes {
            node.walk(&mut |node| match node {
                Node::Loop(inner) => {
                    let has_test = self.work.averages.tests.contains_key(&inner.id);
                    n_places += 1 + u32::from(has_test);
                }
                Node::Branch { .. } => n_places += 2,
                _ => {}
            });
        }
        n_places
    }
}

/// Whether nothing was understood of what a loop does.
fn is_given_up(inner: &premiss_tree::Loop) -> bool {
    let mut nodes = inner.body.iter();
    nodes.all(|node| matches!(node, Node::Opaque(_) | Node::Assign { .. }))
}

fn assign(variable: VariableId, value: Expression) -> Node {
    Node::Assign { variable, value }
}

/// Makes variables unknown.
fn data(variables: &BTreeSet<VariableId>) -> Vec<Node> {
    let unknown = |id: &VariableId| assign(*id, Expression::Data);
    variables.iter().map(unknown).collect()
}

/// The variables that nodes change.
fn assigned(nodes: &[Node]) -> BTreeSet<VariableId> {
    let mut found = BTreeSet::new();
    Node::assigned(nodes, &mut found);
    found
}
