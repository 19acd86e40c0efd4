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
    AccessKind, Array, ArrayId, Expression, LoopId, NestTree, Node, OperationsId, PrimaryMap,
    Reference, ReferenceId, Storage, Variable, VariableId, Work,
};
use std::collections::{BTreeMap, BTreeSet};

/// What is done about branches that data decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Branches {
    /// They stay: who executes the tree has to know what to do.
    Kept,
    /// Both arms stand one after the other, and what stands in them is possible.
    Flattened,
}

/// What was found not to be affine, and is taken for data.
#[derive(Clone, Debug, Default)]
pub(crate) struct NotAffine {
    /// Loops that run nobody knows how often.
    pub(crate) loops: BTreeSet<LoopId>,
    /// Branches directly in these loops, or outside of all, are decided by data.
    pub(crate) conditions: BTreeSet<Option<LoopId>>,
    /// So are those of which one of these places is an arm.
    pub(crate) arms: BTreeSet<ReferenceId>,
}

/// A tree that marks its places. A place has the number of its reference.
#[derive(Clone, Debug)]
pub(crate) struct Marked {
    pub(crate) tree: NestTree,
    pub(crate) places: PrimaryMap<ReferenceId, Kind>,
    /// What decides how often each place is executed where the one around it is.
    pub(crate) origins: PrimaryMap<ReferenceId, Origin>,
    /// Where each node stands; a node may stand at several places.
    pub(crate) operations: BTreeMap<OperationsId, Vec<ReferenceId>>,
    pub(crate) references: BTreeMap<ReferenceId, Vec<ReferenceId>>,
    pub(crate) bodies: BTreeMap<LoopId, Vec<ReferenceId>>,
    /// Where each loop is entered.
    pub(crate) entries: BTreeMap<LoopId, Vec<ReferenceId>>,
    /// Whether something may run that no node stands for, and in which loops.
    pub(crate) is_open: bool,
    pub(crate) open_loops: BTreeSet<LoopId>,
}

/// What is known of how often a place is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// As often as counting says.
    Certain,
    /// At most as often.
    Possible,
    /// Nothing.
    Unknown,
}

/// What a place is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// The body of the function.
    Function,
    /// The body of a loop.
    Body(LoopId),
    /// An arm of a branch.
    Arm,
}

/// Marks the places of a function.
pub(crate) fn marked(tree: &NestTree, branches: Branches, not_affine: &NotAffine) -> Marked {
    let work = &tree.work;
    let mut marker = Marker {
        branches,
        not_affine,
        variables: work.variables.clone(),
        marked: Marked {
            tree: frame(tree, work),
            places: PrimaryMap::new(),
            origins: PrimaryMap::new(),
            operations: BTreeMap::new(),
            references: BTreeMap::new(),
            bodies: BTreeMap::new(),
            entries: BTreeMap::new(),
            is_open: false,
            open_loops: BTreeSet::new(),
        },
    };
    let body = marker.list(&work.body, Kind::Certain, None, Origin::Function);
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
        enclosures: BTreeMap::new(),
        references: PrimaryMap::new(),
        rejections: tree.rejections.clone(),
        is_dense: tree.is_dense,
        body: Vec::new(),
        work: Work::default(),
    }
}

struct Marker<'a> {
    branches: Branches,
    not_affine: &'a NotAffine,
    variables: PrimaryMap<VariableId, Variable>,
    marked: Marked,
}

impl Marker<'_> {
    /// A list of nodes, with its mark.
    fn list(
        &mut self,
        nodes: &[Node],
        kind: Kind,
        inside: Option<LoopId>,
        origin: Origin,
    ) -> Vec<Node> {
        let place = self.place(kind, inside, origin);
        if let Origin::Body(id) = origin {
            self.marked.bodies.entry(id).or_default().push(place);
        }
        let mut list = vec![Node::Access(place)];
        for node in nodes {
            match node {
                Node::Operations(id) => {
                    self.marked.operations.entry(*id).or_default().push(place);
                }
                Node::Access(id) => self.marked.references.entry(*id).or_default().push(place),
                Node::Assign { .. } => list.push(node.clone()),
                Node::Opaque(_) => self.open(inside),
                Node::Branch {
                    condition,
                    then,
                    otherwise,
                } => list.extend(self.branch(condition, [then, otherwise], kind, inside)),
                Node::Loop(inner) => {
                    self.marked.entries.entry(inner.id).or_default().push(place);
                    list.extend(self.repeat(node, inner, kind));
                }
            }
        }
        list
    }

    fn place(&mut self, kind: Kind, inside: Option<LoopId>, origin: Origin) -> ReferenceId {
        self.marked.places.push(kind);
        self.marked.origins.push(origin);
        self.marked.tree.references.push(Reference {
            array: ArrayId::from_u32(0),
            kind: AccessKind::Load,
            offset: 0.into(),
            size: 1,
            span: self.marked.tree.span,
            text: String::new(),
            inside,
            function: String::new(),
        })
    }

    fn open(&mut self, inside: Option<LoopId>) {
        self.marked.is_open = true;
        let loops = &self.marked.tree.loops;
        let around = std::iter::successors(inside, |id| loops[*id].inside);
        self.marked.open_loops.extend(around);
    }

    fn repeat(&mut self, node: &Node, inner: &premiss_tree::Loop, kind: Kind) -> Vec<Node> {
        let is_data = |expression: &&Expression| expression.any(|x| *x == Expression::Data);
        let by_data = node.expressions().iter().any(is_data);
        if by_data || self.not_affine.loops.contains(&inner.id) {
            self.open(Some(inner.id));
            // Nobody knows what is counted there: the nodes themselves are of no interest.
            self.list(
                &inner.body,
                Kind::Unknown,
                Some(inner.id),
                Origin::Body(inner.id),
            );
            return data(&assigned(std::slice::from_ref(node)));
        }
        let body = self.list(&inner.body, kind, Some(inner.id), Origin::Body(inner.id));
        vec![Node::Loop(premiss_tree::Loop {
            body,
            ..inner.clone()
        })]
    }

    fn branch(
        &mut self,
        condition: &Expression,
        [then, otherwise]: [&[Node]; 2],
        kind: Kind,
        inside: Option<LoopId>,
    ) -> Vec<Node> {
        // The arms get the next numbers, whatever becomes of them.
        let next = self.marked.places.next_key();
        let second = ReferenceId::from_u32(next.as_u32() + n_lists(then));
        let is_arm = |arm| self.not_affine.arms.contains(arm);
        let by_data = condition.any(|x| *x == Expression::Data)
            || self.not_affine.conditions.contains(&inside)
            || [next, second].iter().any(is_arm);
        if !by_data || self.branches == Branches::Kept {
            return vec![Node::Branch {
                condition: condition.clone(),
                then: self.list(then, kind, inside, Origin::Arm),
                otherwise: self.list(otherwise, kind, inside, Origin::Arm),
            }];
        }
        let kind = match kind {
            Kind::Certain => Kind::Possible,
            kind => kind,
        };
        let mut list = Vec::new();
        let mut restored = Vec::new();
        for id in assigned(then) {
            let name = format!("{}@before", self.variables[id].name);
            let copy = self.variables.push(Variable { name });
            list.push(assign(copy, Expression::Variable(id)));
            restored.push(assign(id, Expression::Variable(copy)));
        }
        list.extend(self.list(then, kind, inside, Origin::Arm));
        list.extend(restored);
        list.extend(self.list(otherwise, kind, inside, Origin::Arm));
        let mut changed = assigned(then);
        changed.append(&mut assigned(otherwise));
        list.extend(data(&changed));
        list
    }
}

/// How many places a list of nodes has, itself included.
fn n_lists(nodes: &[Node]) -> u32 {
    let mut n_lists = 1;
    for node in nodes {
        node.walk(&mut |node| match node {
            Node::Loop(_) => n_lists += 1,
            Node::Branch { .. } => n_lists += 2,
            _ => {}
        });
    }
    n_lists
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
