//! From the tables of lowering to a tree: what nothing depends on goes, the rest is numbered.

use super::types::Type;
use super::value::ArrayRow;
use super::work::without_operations;
use super::{ArrayData, CallRecord, Lowering, ParameterRow};
use crate::syntax::Function;
use crate::syntax::GlobalName;
use premiss_tree::{
    Array, ArrayId, EntityRef, Expression, LoopHeader, LoopId, NestTree, Node, Parameter,
    ParameterId, PrimaryMap, Reference, Rejection, Storage, TableId, Variable, VariableId, Work,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is left of a lowered function beside its tree.
pub(super) struct Remains {
    pub(super) parameters: Vec<ParameterRow>,
    pub(super) calls: Vec<CallRecord>,
    pub(super) lost_calls: BTreeSet<GlobalName>,
    /// The tree's own parameters.
    pub(super) numbers: BTreeMap<ParameterId, ParameterId>,
    /// How many steps it took.
    pub(super) work: u64,
    /// How many of these went into bodies of other files.
    pub(super) linked_work: u64,
}

/// New ids for old ones.
pub(super) struct Numbering {
    pub(super) parameters: BTreeMap<ParameterId, ParameterId>,
    pub(super) variables: BTreeMap<VariableId, VariableId>,
    arrays: BTreeMap<ArrayRow, ArrayId>,
    pub(super) tables: BTreeMap<TableId, TableId>,
}

impl Lowering<'_> {
    /// The tree of the function.
    pub(super) fn finish(mut self, function: &Arc<Function>) -> (NestTree, Remains) {
        let computing = std::mem::take(&mut self.block);
        let (body, computing) = match self.program.has_operations() {
            true => (
                self.pruned(without_operations(&computing)),
                self.pruned(computing),
            ),
            false => (self.pruned(computing), Vec::new()),
        };
        let arrays = self.ordered_arrays();
        let mut used = BTreeSet::new();
        self.used_parameters(&body, &arrays, &mut used);
        let mut bounding_ranges = self.bounding_ranges(&body);
        Self::note_extremes(&bounding_ranges, &mut |id| {
            used.insert(id);
        });
        let mut all_used = used.clone();
        self.used_parameters(&computing, &arrays, &mut all_used);
        let ids = ordered_parameters(&self, &used);
        let further = ordered_parameters(&self, &all_used.difference(&used).copied().collect());
        self.name_minted(&[ids, further.clone()].concat());
        let mut numbering = self.numbering(&body, &arrays, &used);
        let mut body = body;
        renumber_nodes(&mut body, &numbering);
        for enclosure in bounding_ranges.values_mut() {
            renumber(&mut enclosure.first, &numbering);
            renumber(&mut enclosure.bound, &numbering);
        }
        let program = self.program;
        let mut tree = NestTree {
            function: function.name.to_string(),
            span: program.span(function.at),
            parameters: PrimaryMap::new(),
            variables: PrimaryMap::new(),
            arrays: PrimaryMap::new(),
            tables: PrimaryMap::new(),
            loops: PrimaryMap::new(),
            bounding_ranges,
            references: PrimaryMap::new(),
            rejections: PrimaryMap::new(),
            is_dense: self.truths.is_dense,
            bounds: Vec::new(),
            body,
            work: Work::default(),
        };
        for id in ordered_parameters(&self, &used) {
            tree.parameters.push(self.parameter_of(id));
        }
        for old in numbering.variables.keys() {
            let name = self.variable(*old).name.clone();
            tree.variables.push(Variable { name });
        }
        for old in numbering.tables.keys() {
            let row = &self.tables.rows[old.as_u32() as usize];
            tree.tables.push(row.table.clone());
        }
        for row in &arrays {
            let array = self.array(*row, &numbering);
            tree.arrays.push(array);
        }
        self.finish_tables(&mut tree, &numbering);
        if self.program.has_operations() {
            tree.work = self.work_of(&tree, computing, &further, &mut numbering);
        }
        (tree, self.remains(numbering.parameters))
    }

    /// Nodes without what nothing depends on.
    fn pruned(&self, mut nodes: Vec<Node>) -> Vec<Node> {
        self.without_unread(&mut nodes);
        let live = self.live_variables(&nodes);
        prune(&mut nodes, &live);
        nodes
    }

    pub(super) fn parameter_of(&self, id: ParameterId) -> Parameter {
        let row = &self.parameters[id.as_u32() as usize];
        Parameter {
            name: row.name.to_string(),
            value: row.value,
            kind: row.meaning,
            span: self.program.span_of_size(&row.name, row.at),
        }
    }

    /// What the callers' sizes need of a function without a tree.
    pub(super) fn finish_without_tree(self) -> Remains {
        self.remains(BTreeMap::new())
    }

    fn remains(self, numbers: BTreeMap<ParameterId, ParameterId>) -> Remains {
        Remains {
            parameters: self.parameters,
            calls: self.calls,
            lost_calls: self.lost_calls,
            numbers,
            work: self.work,
            linked_work: self.linked_work,
        }
    }

    fn finish_tables(&self, tree: &mut NestTree, numbering: &Numbering) {
        let program = self.program;
        let loop_id = |row: usize| LoopId::new(row);
        for row in &self.loops {
            tree.loops.push(LoopHeader {
                iterator: row.iterator.clone(),
                inside: row.inside.map(loop_id),
                span: program.span(row.header),
                function: row.function.to_string(),
            });
        }
        for row in &self.references {
            let mut offset = row.offset.clone();
            renumber(&mut offset, numbering);
            let Some(array) = numbering.arrays.get(&row.array) else {
                continue;
            };
            tree.references.push(Reference {
                array: *array,
                kind: row.kind,
                offset,
                size: row.size,
                span: program.span(row.at),
                text: program.text(row.at),
                inside: row.inside.map(loop_id),
                function: row.function.to_string(),
            });
        }
        for (reason, at) in &self.rejections {
            tree.rejections.push(Rejection {
                reason: reason.clone(),
                span: program.span(*at),
            });
        }
    }

    fn array(&self, row: ArrayRow, numbering: &Numbering) -> Array {
        let data = &self.arrays[row.0];
        let extent = data.extent.clone().map(|mut extent| {
            renumber(&mut extent, numbering);
            extent
        });
        let accessed = self.references.iter().find(|r| r.array == row);
        let element_size = data
            .kind
            .innermost()
            .scalar_size()
            .or(accessed.map(|reference| reference.size));
        Array {
            name: data.name.to_string(),
            storage: data.storage,
            element_size: element_size.unwrap_or(1).max(1),
            extent,
            strides: strides(data, numbering),
            span: self.program.span(data.at),
        }
    }

    /// The arrays of the tree, in the order of the layout.
    fn ordered_arrays(&self) -> Vec<ArrayRow> {
        let referenced: BTreeSet<ArrayRow> = self.references.iter().map(|r| r.array).collect();
        let is_kept = |(idx, data): (usize, &ArrayData)| {
            let row = ArrayRow(idx);
            let is_allocated = data.frame == usize::MAX;
            let is_text = &*data.name == "literal";
            let is_kept = referenced.contains(&row)
                || (data.is_used && !is_text && !(is_allocated && data.extent.is_none()));
            is_kept.then_some(row)
        };
        let rows = self.arrays.iter().enumerate();
        let mut rows: Vec<ArrayRow> = rows.filter_map(is_kept).collect();
        rows.sort_by_key(|row| {
            let data = &self.arrays[row.0];
            (data.storage, data.order, row.0)
        });
        debug_assert!(
            rows.windows(2)
                .all(|pair| self.arrays[pair[0].0].storage <= self.arrays[pair[1].0].storage),
            "groups of the layout in order, {:?} first",
            Storage::Global
        );
        rows
    }

    /// The variables that accesses, loops and branches depend on.
    fn live_variables(&self, body: &[Node]) -> BTreeSet<VariableId> {
        let mut live = BTreeSet::new();
        let mut assignments = BTreeMap::new();
        self.roots(body, &mut live, &mut assignments);
        let mut open: Vec<VariableId> = live.iter().copied().collect();
        while let Some(id) = open.pop() {
            for value in assignments.get(&id).into_iter().flatten() {
                for needed in variables_of(value) {
                    if live.insert(needed) {
                        open.push(needed);
                    }
                }
            }
        }
        live
    }

    fn roots<'n>(
        &self,
        nodes: &'n [Node],
        live: &mut BTreeSet<VariableId>,
        assignments: &mut BTreeMap<VariableId, Vec<&'n Expression>>,
    ) {
        for node in nodes {
            match node {
                Node::Loop(inner) => {
                    live.insert(inner.variable);
                    for part in [&inner.first, &inner.bound, &inner.step] {
                        live.extend(variables_of(part));
                    }
                    self.roots(&inner.body, live, assignments);
                }
                Node::Access(id) => {
                    let row = &self.references[id.as_u32() as usize];
                    live.extend(variables_of(&row.offset));
                }
                Node::Branch {
                    condition,
                    then,
                    otherwise,
                } => {
                    live.extend(variables_of(condition));
                    self.roots(then, live, assignments);
                    self.roots(otherwise, live, assignments);
                }
                Node::Assign { variable, value } => {
                    assignments.entry(*variable).or_default().push(value);
                }
                Node::Opaque(_) | Node::Operations(_) => {}
            }
        }
    }

    fn used_parameters(
        &self,
        nodes: &[Node],
        arrays: &[ArrayRow],
        used: &mut BTreeSet<ParameterId>,
    ) {
        let mut note = |expression: &Expression| {
            expression.walk(&mut |part| {
                if let Expression::Parameter(id) = part {
                    used.insert(*id);
                }
            });
        };
        self.references.iter().for_each(|row| note(&row.offset));
        for row in arrays {
            self.arrays[row.0].extent.iter().for_each(&mut note);
        }
        for_each_expression(nodes, &mut note);
    }

    fn numbering(
        &self,
        body: &[Node],
        arrays: &[ArrayRow],
        used: &BTreeSet<ParameterId>,
    ) -> Numbering {
        let mut variables = BTreeSet::new();
        for_each_expression(body, &mut |expression| {
            variables.extend(variables_of(expression));
        });
        Node::assigned(body, &mut variables);
        for row in &self.references {
            variables.extend(variables_of(&row.offset));
        }
        let mut tables = BTreeSet::new();
        let mut note = |expression: &Expression| {
            expression.walk(&mut |part| {
                if let Expression::Entry(id, _) = part {
                    tables.insert(*id);
                }
            });
        };
        for_each_expression(body, &mut note);
        self.references.iter().for_each(|row| note(&row.offset));
        let extents = arrays.iter().map(|row| &self.arrays[row.0]);
        extents.for_each(|data| data.extent.iter().for_each(&mut note));
        let parameters = ordered_parameters(self, used);
        Numbering {
            parameters: numbered(parameters, ParameterId::new),
            variables: numbered(variables, VariableId::new),
            arrays: numbered(arrays.iter().copied(), ArrayId::new),
            tables: numbered(tables, TableId::new),
        }
    }
}

/// The sizes of what the dimensions of an array hold, outermost first; none where one of them depends
/// on more than the tree's own parameters.
fn strides(data: &ArrayData, numbering: &Numbering) -> Vec<Expression> {
    let mut strides = Vec::new();
    let mut kind = &data.kind;
    loop {
        match kind.size() {
            // The whole array is an element of nothing.
            Some(size) if strides.is_empty() && Some(&size) == data.extent.as_ref() => {}
            Some(size) => strides.push(size),
            None => return Vec::new(),
        }
        match kind {
            Type::Array(element, _) => kind = element,
            Type::Void | Type::Function => return Vec::new(),
            _ => break,
        }
    }
    let is_foreign = |part: &Expression| match part {
        Expression::Parameter(id) => !numbering.parameters.contains_key(id),
        part => matches!(part, Expression::Variable(_) | Expression::Data),
    };
    if strides.iter().any(|stride| stride.any(is_foreign)) {
        return Vec::new();
    }
    strides
        .iter_mut()
        .for_each(|stride| renumber(stride, numbering));
    strides
}

fn numbered<K: Ord, V>(keys: impl IntoIterator<Item = K>, id: fn(usize) -> V) -> BTreeMap<K, V> {
    let numbered = keys.into_iter().enumerate();
    numbered.map(|(idx, key)| (key, id(idx))).collect()
}

/// The function's own sizes, then those at file scope, each in order of declaration.
fn ordered_parameters(lowering: &Lowering, used: &BTreeSet<ParameterId>) -> Vec<ParameterId> {
    let mut ids: Vec<ParameterId> = used.iter().copied().collect();
    ids.sort_by_key(|id| {
        let row = &lowering.parameters[id.as_u32() as usize];
        (row.is_global, row.at)
    });
    ids
}

pub(super) fn variables_of(expression: &Expression) -> Vec<VariableId> {
    let mut variables = Vec::new();
    expression.walk(&mut |part| {
        if let Expression::Variable(id) = part {
            variables.push(*id);
        }
    });
    variables
}

/// Removes assignments to variables that nothing depends on, and branches that do nothing.
fn prune(nodes: &mut Vec<Node>, live: &BTreeSet<VariableId>) {
    nodes.retain_mut(|node| match node {
        Node::Loop(inner) => {
            prune(&mut inner.body, live);
            true
        }
        Node::Branch {
            then, otherwise, ..
        } => {
            prune(then, live);
            prune(otherwise, live);
            !then.is_empty() || !otherwise.is_empty()
        }
        Node::Assign { variable, .. } => live.contains(variable),
        Node::Access(_) | Node::Opaque(_) | Node::Operations(_) => true,
    });
}

pub(super) fn for_each_expression(nodes: &[Node], visit: &mut dyn FnMut(&Expression)) {
    for node in nodes {
        match node {
            Node::Loop(inner) => {
                [&inner.first, &inner.bound, &inner.step]
                    .into_iter()
                    .for_each(&mut *visit);
                for_each_expression(&inner.body, visit);
            }
            Node::Branch {
                condition,
                then,
                otherwise,
            } => {
                visit(condition);
                for_each_expression(then, visit);
                for_each_expression(otherwise, visit);
            }
            Node::Assign { value, .. } => visit(value),
            Node::Access(_) | Node::Opaque(_) | Node::Operations(_) => {}
        }
    }
}

pub(super) fn renumber_nodes(nodes: &mut [Node], numbering: &Numbering) {
    let variable = |id: &mut VariableId| {
        if let Some(new) = numbering.variables.get(id) {
            *id = *new;
        }
    };
    for node in nodes {
        match node {
            Node::Loop(inner) => {
                variable(&mut inner.variable);
                renumber(&mut inner.first, numbering);
                renumber(&mut inner.bound, numbering);
                renumber(&mut inner.step, numbering);
                renumber_nodes(&mut inner.body, numbering);
            }
            Node::Branch {
                condition,
                then,
                otherwise,
            } => {
                renumber(condition, numbering);
                renumber_nodes(then, numbering);
                renumber_nodes(otherwise, numbering);
            }
            Node::Assign {
                variable: id,
                value,
            } => {
                variable(id);
                renumber(value, numbering);
            }
            Node::Access(_) | Node::Opaque(_) | Node::Operations(_) => {}
        }
    }
}

fn renumber(expression: &mut Expression, numbering: &Numbering) {
    match expression {
        Expression::Integer(_) | Expression::Data => {}
        Expression::Parameter(id) => {
            if let Some(new) = numbering.parameters.get(id) {
                *id = *new;
            }
        }
        Expression::Variable(id) => {
            if let Some(new) = numbering.variables.get(id) {
                *id = *new;
            }
        }
        Expression::Unary(_, x) | Expression::Wrap(_, x) => renumber(x, numbering),
        Expression::Entry(id, index) => {
            if let Some(new) = numbering.tables.get(id) {
                *id = *new;
            }
            renumber(index, numbering);
        }
        Expression::Binary(_, a, b) => {
            renumber(a, numbering);
            renumber(b, numbering);
        }
        Expression::Select(operands) => {
            operands.iter_mut().for_each(|x| renumber(x, numbering));
        }
    }
}
