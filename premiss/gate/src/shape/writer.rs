//! Writes nests in canonical form.

use super::expression::{Atom, Sum, sum_of};
use premiss_tree::{
    ArrayId, Comparison, Expression, Loop, NestTree, Node, ParameterId, ReferenceId, TableId,
    VariableId,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The values of variables at a place; `None` for those that depend on loops or branches.
#[derive(Clone, Debug, Default)]
pub(super) struct Environment(BTreeMap<VariableId, Option<Sum>>);

impl Environment {
    pub(super) fn assign(&mut self, tree: &NestTree, variable: VariableId, value: &Expression) {
        let value = self.value(tree, value);
        self.0.insert(variable, value);
    }

    /// The value of an expression; `None` if it depends on an unknown variable.
    pub(super) fn value(&self, tree: &NestTree, expression: &Expression) -> Option<Sum> {
        let mut lost = BTreeSet::new();
        let value = sum_of(expression, &self.0, &mut lost, &|id| table(tree, id));
        lost.is_empty().then_some(value)
    }

    /// Removes the values of variables that nodes assign.
    pub(super) fn forget(&mut self, nodes: &[Node]) {
        let mut assigned = BTreeSet::new();
        Node::assigned(nodes, &mut assigned);
        self.0
            .extend(assigned.into_iter().map(|variable| (variable, None)));
    }
}

/// The numbers of sizes and arrays.
#[derive(Default)]
pub(super) struct CanonicalNumbers {
    pub(super) sizes: Vec<ParameterId>,
    pub(super) arrays: Vec<ArrayId>,
}

pub(super) struct Writer<'a> {
    tree: &'a NestTree,
    pub(super) text: String,
    environment: Environment,
    pub(super) names: CanonicalNumbers,
    n_loops: usize,
    pub(super) references: Vec<ReferenceId>,
    pub(super) is_opaque: bool,
    /// Whether all variables that were read have known values.
    pub(super) is_plain: bool,
    /// Whether the result is only compared and dropped, so that arms need not be sorted.
    is_draft: bool,
}

impl<'a> Writer<'a> {
    pub(super) fn new(tree: &'a NestTree, environment: Environment) -> Self {
        Self {
            tree,
            text: String::new(),
            environment,
            names: CanonicalNumbers::default(),
            n_loops: 0,
            references: Vec::new(),
            is_opaque: false,
            is_plain: true,
            is_draft: false,
        }
    }

    /// The conditions under which nodes are executed, without those that only say that the loop runs at all.
    pub(super) fn guards(&mut self, guards: &[(Sum, bool)], nodes: &[&Node]) -> String {
        let span = match nodes {
            [Node::Loop(inner)] => Header::of(inner, |x| self.sum(x)).map(|header| header.span),
            _ => None,
        };
        let mut text = String::new();
        for (condition, holds) in guards {
            let negated = if *holds { None } else { condition.negated() };
            let word = if *holds || negated.is_some() {
                "if"
            } else {
                "unless"
            };
            let condition = negated.unwrap_or_else(|| condition.clone());
            let is_said = span
                .as_ref()
                .is_some_and(|span| runs_only_if(span, &condition));
            if !(is_said && word == "if") {
                let shown = condition.to_text(self.tree, &mut self.names.sizes);
                let _ = write!(text, "{word} {shown} ");
            }
        }
        text
    }

    fn word(&mut self, word: impl std::fmt::Display) {
        let _ = write!(self.text, "{word} ");
    }

    fn sum(&mut self, expression: &Expression) -> Sum {
        let value = self.environment.value(self.tree, expression);
        self.is_plain &= value.is_some();
        value.unwrap_or_else(|| Sum::atom(Atom::Data))
    }

    fn write(&mut self, sum: &Sum) {
        let text = sum.to_text(self.tree, &mut self.names.sizes);
        self.word(text);
    }

    fn expression(&mut self, expression: &Expression) {
        let sum = self.sum(expression);
        self.write(&sum);
    }

    pub(super) fn node(&mut self, node: &Node) {
        match node {
            Node::Loop(inner) => self.counted_loop(inner),
            Node::Access(id) => self.access(*id),
            Node::Branch {
                condition,
                then,
                otherwise,
            } => self.branch(condition, then, otherwise),
            Node::Assign { variable, value } => {
                self.environment.assign(self.tree, *variable, value);
            }
            Node::Opaque(id) => {
                self.is_opaque = true;
                let code = self.tree.rejections[*id].reason.code();
                self.word(code);
            }
            Node::Operations(_) => {}
        }
    }

    /// Writes a block; variables that it assigns are unknown after it. Returns whether it does anything.
    fn block(&mut self, nodes: &[Node]) -> bool {
        self.word("{");
        let before = self.text.len();
        nodes.iter().for_each(|node| self.node(node));
        let does_something = before < self.text.len();
        self.word("}");
        self.environment.forget(nodes);
        does_something
    }

    fn branch(&mut self, condition: &Expression, then: &[Node], otherwise: &[Node]) {
        let common = self.common_end(then, otherwise);
        let (then, end) = then.split_at(then.len() - common);
        let otherwise = &otherwise[..otherwise.len() - common];
        let (start, loops, was_plain) = (self.text.len(), self.n_loops, self.is_plain);
        let condition = self.sum(condition);
        self.word("if");
        self.write(&condition);
        let before = self.environment.clone();
        // If data decide which arm runs, the order of the arms carries no meaning.
        let is_open = condition.has_data() && !self.is_draft;
        let (then, otherwise) = match is_open && self.arm(otherwise) < self.arm(then) {
            true => (otherwise, then),
            false => (then, otherwise),
        };
        let first = self.block(then);
        self.environment = before.clone();
        let second = self.block(otherwise);
        self.environment = before;
        self.environment.forget(then);
        self.environment.forget(otherwise);
        if !first && !second {
            self.text.truncate(start);
            (self.n_loops, self.is_plain) = (loops, was_plain);
        }
        end.iter().for_each(|node| self.node(node));
    }

    /// An arm written by itself, so that arms can be sorted.
    fn arm(&self, nodes: &[Node]) -> String {
        let mut writer = Self::new(self.tree, self.environment.clone());
        writer.is_draft = true;
        nodes.iter().for_each(|node| writer.node(node));
        writer.text
    }

    /// The number of accesses at the end of two arms that are the same: they happen whichever arm runs.
    fn common_end(&self, then: &[Node], otherwise: &[Node]) -> usize {
        let mut assigned = BTreeSet::new();
        Node::assigned(then, &mut assigned);
        Node::assigned(otherwise, &mut assigned);
        if !assigned.is_empty() {
            return 0;
        }
        let is_same = |(a, b): &(&Node, &Node)| match (a, b) {
            (Node::Access(a), Node::Access(b)) => {
                let (a, b) = (&self.tree.references[*a], &self.tree.references[*b]);
                let offset = |x| self.environment.value(self.tree, x);
                let (at, other) = (offset(&a.offset), offset(&b.offset));
                (a.array, a.kind, a.size) == (b.array, b.kind, b.size)
                    && at.is_some_and(|at| !at.has_data() && Some(at) == other)
            }
            _ => false,
        };
        then.iter()
            .rev()
            .zip(otherwise.iter().rev())
            .take_while(is_same)
            .count()
    }

    fn counted_loop(&mut self, inner: &Loop) {
        let (start, loops, was_plain) = (self.text.len(), self.n_loops, self.is_plain);
        let iteration = Sum::atom(Atom::Iteration(self.n_loops));
        self.n_loops += 1;
        self.word("loop");
        let header = Header::of(inner, |x| self.sum(x));
        let iterator = match &header {
            Some(Header { step, first, span }) => {
                self.word(step);
                self.write(span);
                let moved = iteration.times(&Sum::integer(*step));
                moved.and_then(|x| x.plus(first))
            }
            None => {
                self.open_header(inner);
                Some(iteration)
            }
        };
        self.environment.forget(&inner.body);
        self.environment.0.insert(inner.variable, iterator);
        let does_something = self.block(&inner.body);
        self.environment.0.insert(inner.variable, None);
        if !does_something {
            self.text.truncate(start);
            (self.n_loops, self.is_plain) = (loops, was_plain);
        }
    }

    /// A loop header that depends on data, or has a symbolic step. Known bounds of its range are not part of the form.
    fn open_header(&mut self, inner: &Loop) {
        let (comparison, by) = exclusive(inner.comparison);
        let bound = self.sum(&inner.bound);
        let bound = match bound.has_data() {
            true => Sum::atom(Atom::Data),
            false => bound.plus(&Sum::integer(by)).unwrap_or(bound),
        };
        self.expression(&inner.first);
        self.word(format_args!("{comparison:?}"));
        self.write(&bound);
        self.expression(&inner.step);
    }

    /// An access; if data decide which element it touches, the size of the array is written with it.
    fn access(&mut self, id: ReferenceId) {
        self.references.push(id);
        let tree = self.tree;
        let reference = &tree.references[id];
        let known = self.names.arrays.iter().position(|x| *x == reference.array);
        let number = known.unwrap_or_else(|| {
            self.names.arrays.push(reference.array);
            self.names.arrays.len() - 1
        });
        self.word(format_args!(
            "{:?} {} A{number}",
            reference.kind, reference.size
        ));
        let offset = self.sum(&reference.offset);
        self.write(&offset);
        if offset.has_data()
            && let Some(extent) = &tree.arrays[reference.array].extent
        {
            self.word("of");
            self.expression(extent);
        }
    }
}

/// A loop whose first value and step are known: iteration `k`, from 0, has `first + step * k`, and there are as many
/// iterations as `span` has steps.
struct Header {
    step: i64,
    first: Sum,
    span: Sum,
}

impl Header {
    fn of(inner: &Loop, mut sum: impl FnMut(&Expression) -> Sum) -> Option<Self> {
        let (first, bound) = (sum(&inner.first), sum(&inner.bound));
        let step = sum(&inner.step).to_integer()?;
        let (comparison, by) = exclusive(inner.comparison);
        let bound = bound.plus(&Sum::integer(by))?;
        let span = match (comparison, step) {
            (Comparison::Less, 1..) | (Comparison::NotEqual, 1) => bound.minus(&first),
            (Comparison::Greater, ..=-1) | (Comparison::NotEqual, -1) => first.minus(&bound),
            _ => None,
        }?;
        (!first.has_data() && !span.has_data()).then_some(Self { step, first, span })
    }
}

/// Whether a condition is implied by a first iteration, where `span` is at least 1.
fn runs_only_if(span: &Sum, condition: &Sum) -> bool {
    if *condition == span.clone().not_zero() {
        return true;
    }
    let compared = condition.compared().and_then(|inner| inner.plus(span));
    let at_most = compared.and_then(|sum| sum.to_integer());
    at_most.is_some_and(|most| most <= 1)
}

/// The comparison that excludes the bound, and what has to be added to the bound for it.
fn exclusive(comparison: Comparison) -> (Comparison, i64) {
    match comparison {
        Comparison::LessEqual => (Comparison::Less, 1),
        Comparison::GreaterEqual => (Comparison::Greater, -1),
        other => (other, 0),
    }
}

/// The numbers in a table.
fn table(tree: &NestTree, id: TableId) -> String {
    let mut hasher = blake3::Hasher::new();
    let entries: &[i64] = tree.tables.get(id).map_or(&[], |table| &table.entries);
    entries.iter().for_each(|entry| {
        hasher.update(&entry.to_le_bytes());
    });
    format!("entry:{}", hasher.finalize())
}

/// The code of a function up to some nodes, written literally: for nests with variables whose values are no
/// polynomials.
pub(super) fn raw(tree: &NestTree, nodes: &[&Node]) -> String {
    let mut text = String::new();
    for node in &tree.body {
        let _ = write!(text, "{node:?}");
        if nodes.iter().any(|x| std::ptr::eq(*x, node)) {
            break;
        }
    }
    for reference in tree.references.values() {
        let (kind, size, offset) = (reference.kind, reference.size, &reference.offset);
        let _ = write!(text, "{kind:?} {size} {} {offset:?}", reference.array);
    }
    text
}
