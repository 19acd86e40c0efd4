//! Which dummy arguments procedures change, themselves or by what they call.

use super::index::{Index, ProcedureId};
use super::mentioned::{expressions, statements, walk};
use super::{Entity, Scope, Storage};
use crate::syntax::{
    Argument, Control, Counter, Direction, Expr, ExprKind, Ident, Key, Statement,
    StatementKind as Kind,
};
use crate::translate::is_intrinsic;
use premiss_imperative::side_by_side;
use std::collections::BTreeSet;

/// What is found, by procedure.
pub(super) struct Found {
    pub(super) modified: Vec<BTreeSet<Key>>,
    /// Variables of its host that a contained procedure uses.
    pub(super) captured: Vec<BTreeSet<Key>>,
    pub(super) modified_captured: Vec<BTreeSet<Key>>,
    pub(super) escaping: BTreeSet<ProcedureId>,
}

/// A variable that a procedure hands to others: to be changed if they change what they get there.
struct Flow {
    from: usize,
    key: Key,
    to: ProcedureId,
    position: usize,
}

/// What the text of one procedure tells.
#[derive(Default)]
struct Own {
    modified: BTreeSet<Key>,
    captured: BTreeSet<Key>,
    escaping: BTreeSet<ProcedureId>,
    flows: Vec<Flow>,
}

pub(super) fn modified_dummies(index: &Index) -> Found {
    let of_texts = side_by_side(0..index.procedures.len(), |current| {
        let mut search = Search {
            index,
            own: Own::default(),
            current,
        };
        search.procedure(index.procedures[current].ast.body.as_slice());
        search.own
    });
    let mut found = Found {
        modified: Vec::new(),
        captured: Vec::new(),
        modified_captured: Vec::new(),
        escaping: BTreeSet::new(),
    };
    let mut flows = Vec::new();
    for own in of_texts {
        found.modified.push(own.modified);
        found.captured.push(own.captured);
        found.escaping.extend(own.escaping);
        flows.push(own.flows);
    }
    found.settle(index, &flows);
    found
}

struct Search<'i, 'a> {
    index: &'i Index<'a>,
    own: Own,
    current: usize,
}

impl Search<'_, '_> {
    fn scope(&self) -> &Scope {
        &self.index.procedures[self.current].scope
    }

    fn procedure(&mut self, body: &[Statement]) {
        let mut all = Vec::new();
        statements(body, &mut |statement| all.push(statement));
        for statement in all {
            self.statement(statement);
            let is_call = matches!(statement.kind, Kind::Call(..));
            for expr in expressions(statement)
                .into_iter()
                .skip(usize::from(is_call))
            {
                walk_references(expr, self);
            }
        }
        self.capture();
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            Kind::Assign(left, _) | Kind::PointTo(left, _) => self.change(left),
            Kind::Do(inner) => match &inner.control {
                Control::Counted(counter) => self.change_counter(counter),
                Control::Concurrent(counters, _) => {
                    counters
                        .iter()
                        .for_each(|counter| self.change_counter(counter));
                }
                Control::While(_) | Control::Forever => {}
            },
            Kind::Transfer(items) => {
                for (direction, item) in items {
                    match direction {
                        Direction::In => self.change(item),
                        Direction::GroupIn => self.change_group(item),
                        Direction::Out | Direction::GroupOut => {}
                    }
                }
            }
            Kind::Allocate(objects, options) | Kind::Deallocate(objects, options) => {
                let changed = objects.iter().chain(&options.reports);
                changed.for_each(|object| self.change(object));
            }
            Kind::Call(callee, arguments) => {
                let key = match &callee.kind {
                    ExprKind::Name(key) => Some(key),
                    _ => None,
                };
                self.call(key, arguments);
            }
            _ => {}
        }
    }

    fn change_group(&mut self, name: &Expr) {
        let group = name.as_name().and_then(|key| self.scope().group(key));
        if let Some(group) = group {
            self.own.modified.extend(group.iter().cloned());
        }
    }

    fn change_counter(&mut self, counter: &Counter) {
        self.change(&counter.variable);
    }

    fn change(&mut self, place: &Expr) {
        if let ExprKind::ImpliedDo(inner) = &place.kind {
            inner.items.iter().for_each(|item| self.change(item));
            self.own.modified.insert(inner.variable.clone());
            return;
        }
        if let Some(key) = place.root() {
            self.own.modified.insert(key.clone());
        }
    }

    fn call(&mut self, callee: Option<&Key>, arguments: &[Argument]) {
        let ids = match callee {
            Some(key) => self.index.callees(self.scope(), key),
            None => Vec::new(),
        };
        for (idx, argument) in arguments.iter().enumerate() {
            let Some(expr) = argument.expr() else {
                continue;
            };
            let Some(root) = variable_root(expr) else {
                continue;
            };
            self.note_escape(root);
            if ids.is_empty() {
                // Nobody knows what it does.
                self.own.modified.insert(root.clone());
                continue;
            }
            for id in &ids {
                let position = position(self.index, *id, idx, argument.keyword.as_ref());
                self.own.flows.push(Flow {
                    from: self.current,
                    key: root.clone(),
                    to: *id,
                    position,
                });
            }
        }
    }

    /// A procedure that is passed on may be called by somebody who knows no more than its type.
    fn note_escape(&mut self, key: &Key) {
        let is_variable = matches!(
            self.scope().lookup(key).map(|x| &x.entity),
            Some(Entity::Variable(x)) if x.storage != Storage::Result
        );
        if !is_variable {
            let ids = self.index.callees(self.scope(), key);
            self.own.escaping.extend(ids);
        }
    }

    /// The variables of its host that the procedure uses.
    fn capture(&mut self) {
        let procedure = &self.index.procedures[self.current];
        let Some(host) = procedure.host else { return };
        let host_scope = &self.index.procedure(host).scope;
        let mut names = BTreeSet::new();
        let mut note = |expr: &Expr| {
            walk(expr, &mut |part| match &part.kind {
                ExprKind::Name(key) => {
                    names.insert(key.clone());
                }
                ExprKind::ImpliedDo(inner) => {
                    names.insert(inner.variable.clone());
                }
                _ => {}
            });
        };
        statements(&procedure.ast.body, &mut |statement| {
            expressions(statement).into_iter().for_each(&mut note);
        });
        for symbol in procedure.scope.symbols.values() {
            if let Entity::Variable(variable) = &symbol.entity {
                bounds(variable).into_iter().for_each(&mut note);
            }
        }
        let groups = names.iter().filter_map(|key| procedure.scope.group(key));
        let of_groups: Vec<Key> = groups.flat_map(|group| group.to_vec()).collect();
        names.extend(of_groups);
        let is_of_host = |key: &Key| {
            !procedure.scope.symbols.contains_key(key)
                && host_scope
                    .symbols
                    .get(key)
                    .is_some_and(|symbol| match &symbol.entity {
                        Entity::Variable(variable) => matches!(
                            variable.storage,
                            Storage::Dummy | Storage::Local | Storage::Result | Storage::Saved
                        ),
                        Entity::DummyProcedure(_) => true,
                        _ => false,
                    })
        };
        // What the bounds of captured arrays need is captured with them.
        let mut open: Vec<Key> = names.into_iter().filter(is_of_host).collect();
        let captured = &mut self.own.captured;
        while let Some(key) = open.pop() {
            if !captured.insert(key.clone()) {
                continue;
            }
            if let Some(variable) = host_scope.variable(&key) {
                for bound in bounds(variable) {
                    walk(bound, &mut |part| {
                        if let ExprKind::Name(key) = &part.kind
                            && is_of_host(key)
                        {
                            open.push(key.clone());
                        }
                    });
                }
            }
        }
    }
}

impl Found {
    /// Follows flows until nothing new is found.
    fn settle(&mut self, index: &Index, flows: &[Vec<Flow>]) {
        let mut into: Vec<Vec<&Flow>> = index.procedures.iter().map(|_| Vec::new()).collect();
        let flows = flows.iter().flatten();
        flows.for_each(|flow| into[flow.to.0].push(flow));
        // Those that change more than when it was last asked what others get of that.
        let mut open: BTreeSet<usize> = (0..index.procedures.len()).collect();
        while let Some(changer) = open.pop_first() {
            for (procedure, key) in self.changed_by(changer, index, &mut into[changer]) {
                if self.modified[procedure].insert(key) {
                    open.insert(procedure);
                }
            }
        }
        self.modified_captured = self
            .captured
            .iter()
            .zip(&self.modified)
            .map(|(captured, modified)| captured.intersection(modified).cloned().collect())
            .collect();
    }

    /// What others change because one procedure changes what it does: callers what they hand to it, the host its
    /// variables, and external procedures of the same name, which are called in one way, arguments at the same
    /// positions. Flows that have told what they can are not asked again.
    fn changed_by(
        &self,
        changer: usize,
        index: &Index,
        flows: &mut Vec<&Flow>,
    ) -> Vec<(usize, Key)> {
        let procedure = &index.procedures[changer];
        let dummies = &procedure.ast.dummies;
        let modified = &self.modified[changer];
        let mut changed = Vec::new();
        let is_kept = |dummy: &Option<Ident>| {
            let dummy = dummy.as_ref();
            dummy.is_some_and(|dummy| !modified.contains(&dummy.key))
        };
        let kept: Vec<bool> = dummies.iter().map(is_kept).collect();
        flows.retain(|flow| {
            let is_changed = !kept.get(flow.position).is_some_and(|is_kept| *is_kept);
            if is_changed {
                changed.push((flow.from, flow.key.clone()));
            }
            !is_changed
        });
        if let Some(host) = procedure.host {
            let of_host = self.captured[changer].intersection(modified);
            changed.extend(of_host.map(|key| (host.0, key.clone())));
        }
        let same = index.externals.get(&procedure.ast.name.key);
        let same = same.filter(|ids| 1 < ids.len() && ids.contains(&ProcedureId(changer)));
        for (position, dummy) in dummies.iter().enumerate() {
            if !dummy.as_ref().is_some_and(|x| modified.contains(&x.key)) {
                continue;
            }
            for id in same.into_iter().flatten() {
                if let Some(Some(dummy)) = index.procedure(*id).ast.dummies.get(position) {
                    changed.push((id.0, dummy.key.clone()));
                }
            }
        }
        changed
    }
}

/// Finds function references in an expression, and what they are handed.
fn walk_references(expr: &Expr, search: &mut Search) {
    let mut calls: Vec<(&Key, &[Argument])> = Vec::new();
    walk(expr, &mut |part| {
        if let ExprKind::Apply(base, arguments) = &part.kind
            && let Some(key) = base.as_name()
        {
            calls.push((key, arguments));
        }
    });
    for (key, arguments) in calls {
        let is_data = match search.scope().lookup(key).map(|x| &x.entity) {
            Some(Entity::Variable(x)) => {
                x.shape.is_some() || matches!(x.kind, super::Type::Character(_))
            }
            Some(
                Entity::StatementFunction(_) | Entity::DerivedType(_) | Entity::Constant { .. },
            ) => true,
            _ => false,
        };
        if is_data {
            continue;
        }
        let is_known = search.index.callees(search.scope(), key).is_empty() && is_intrinsic(key);
        if !is_known {
            search.call(Some(key), arguments);
        }
    }
}

/// The variable that an argument is, or is part of.
fn variable_root(expr: &Expr) -> Option<&Key> {
    match &expr.kind {
        ExprKind::Name(_) | ExprKind::Apply(..) | ExprKind::Member(..) => expr.root(),
        _ => None,
    }
}

/// Which dummy argument an actual one is for.
pub(crate) fn position(index: &Index, id: ProcedureId, idx: usize, keyword: Option<&Key>) -> usize {
    let Some(keyword) = keyword else { return idx };
    let mut dummies = index.procedure(id).ast.dummies.iter();
    let found = dummies.position(|dummy| dummy.as_ref().is_some_and(|x| x.key == *keyword));
    found.unwrap_or(idx)
}

/// The expressions in the bounds of a variable.
fn bounds(variable: &super::Variable) -> Vec<&Expr> {
    match &variable.shape {
        Some(super::Shape::Explicit(bounds)) => {
            bounds.iter().flat_map(|(a, b)| a.iter().chain(b)).collect()
        }
        Some(super::Shape::Assumed(lower)) => lower.iter().flatten().collect(),
        _ => Vec::new(),
    }
}
