//! Side effects of one procedure by its own text: the variables that it changes, and those that it passes to
//! procedures that may change them.

use super::interface::{BoundsOfHost, DeclaredVariable};
use super::symbols::{ArraySpec, Entity, NameScope, ProcedureId, Storage, Variable};
use super::types::FortranType;
use crate::intrinsics::is_intrinsic;
use crate::syntax::visit::{expressions, statements, walk};
use crate::syntax::{
    ActualArgument, Expr, ExprKind, LoopControl, LoopCounter, NameKey, ProgramUnit, Statement,
    StatementKind as Kind, TransferDirection,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The side effects of one procedure by its own text.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct ModRefSummary {
    /// The variables that it changes directly.
    pub(super) mod_set: BTreeSet<NameKey>,
    /// Variables of its host that it uses, with their declarations.
    pub(super) host_associated: BTreeMap<NameKey, Option<DeclaredVariable>>,
    pub(super) passed_arguments: BTreeSet<PassedArgument>,
}

/// A variable or procedure that is an actual argument of a call.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct PassedArgument {
    pub(super) to: Callee,
    /// Whether it is an intrinsic function if no file defines it.
    pub(super) may_be_intrinsic: bool,
    pub(super) idx: usize,
    pub(super) keyword: Option<NameKey>,
    /// Its leftmost name.
    pub(super) root: NameKey,
    /// The procedure of that name, if it is not a variable.
    pub(super) procedure: Callee,
}

/// The target of a call, as far as the file of the call determines it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Callee {
    /// No procedure.
    Nothing,
    /// The external procedures of that name.
    External(NameKey),
    /// Procedures in modules and hosts; the ids are valid for this run only.
    #[serde(skip)]
    Contained(Vec<ProcedureId>),
    /// As [`Callee::Contained`], and external procedures by their names.
    #[serde(skip)]
    Generic(Vec<ProcedureId>, Vec<NameKey>),
}

impl Callee {
    /// The target of a call of a name in a scope.
    pub(super) fn resolve(scope: &NameScope, key: &NameKey) -> Self {
        match scope.lookup(key).map(|symbol| &symbol.entity) {
            Some(Entity::Procedure(id)) => Self::Contained(vec![*id]),
            Some(Entity::Generic(generic)) if generic.externals.is_empty() => {
                Self::Contained(generic.ids.clone())
            }
            Some(Entity::Generic(generic)) => {
                Self::Generic(generic.ids.clone(), generic.externals.clone())
            }
            Some(Entity::Variable(variable)) if variable.storage != Storage::Result => {
                Self::Nothing
            }
            Some(Entity::External(_) | Entity::Variable(_)) | None => Self::External(key.clone()),
            Some(_) => Self::Nothing,
        }
    }
}

impl ModRefSummary {
    /// Collects the side effects of a procedure with this scope. The enclosing scope is that of its host if
    /// `has_host`, else that of its module.
    pub(super) fn collect(ast: &ProgramUnit, scope: &NameScope, has_host: bool) -> Self {
        let mut search = EffectCollector {
            scope,
            effects: Self::default(),
        };
        search.procedure(&ast.body);
        if let Some(host) = scope.host.as_deref().filter(|_| has_host) {
            search.capture(&ast.body, host);
        }
        search.effects
    }
}

struct EffectCollector<'s> {
    scope: &'s NameScope,
    effects: ModRefSummary,
}

impl EffectCollector<'_> {
    fn procedure(&mut self, body: &[Statement]) {
        statements(body, &mut |statement| {
            self.statement(statement);
            let is_call = matches!(statement.kind, Kind::Call(..));
            for expr in expressions(statement)
                .into_iter()
                .skip(usize::from(is_call))
            {
                self.references(expr);
            }
        });
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            Kind::Assign(left, _) | Kind::PointTo(left, _) => self.change(left),
            Kind::Do(inner) => match &inner.control {
                LoopControl::Counted(counter) => self.change_counter(counter),
                LoopControl::Concurrent(counters, _) => {
                    counters
                        .iter()
                        .for_each(|counter| self.change_counter(counter));
                }
                LoopControl::While(_) | LoopControl::Forever => {}
            },
            Kind::Transfer(items) => {
                for (direction, item) in items {
                    match direction {
                        TransferDirection::In => self.change(item),
                        TransferDirection::GroupIn => self.change_group(item),
                        TransferDirection::Out => self.change_counters(item),
                        TransferDirection::GroupOut => {}
                    }
                }
            }
            Kind::Allocate(objects, options) | Kind::Deallocate(objects, options) => {
                let changed = objects.iter().chain(&options.reports);
                changed.for_each(|object| self.change(object));
            }
            Kind::Call(callee, arguments) => {
                let to = match &callee.kind {
                    ExprKind::Name(key) => Callee::resolve(self.scope, key),
                    _ => Callee::Nothing,
                };
                self.call(&to, false, arguments);
            }
            Kind::Error(unparsed) => unparsed.names.iter().for_each(|name| self.modify(name)),
            _ => {}
        }
    }

    fn change_group(&mut self, name: &Expr) {
        let group = name.as_name().and_then(|key| self.scope.group(key));
        if let Some(group) = group {
            self.effects.mod_set.extend(group.iter().cloned());
        }
    }

    fn change_counter(&mut self, counter: &LoopCounter) {
        self.change(&counter.variable);
    }

    /// The variables of implied DO loops in an item that is written: they count as those of `DO` loops do.
    fn change_counters(&mut self, item: &Expr) {
        if let ExprKind::ImpliedDo(inner) = &item.kind {
            inner
                .items
                .iter()
                .for_each(|item| self.change_counters(item));
            self.modify(&inner.variable);
        }
    }

    fn change(&mut self, place: &Expr) {
        if let ExprKind::ImpliedDo(inner) = &place.kind {
            inner.items.iter().for_each(|item| self.change(item));
            self.modify(&inner.variable);
            return;
        }
        if let Some(key) = place.root() {
            self.modify(key);
        }
    }

    fn modify(&mut self, key: &NameKey) {
        if !self.effects.mod_set.contains(key) {
            self.effects.mod_set.insert(key.clone());
        }
    }

    fn call(&mut self, to: &Callee, may_be_intrinsic: bool, arguments: &[ActualArgument]) {
        for (idx, argument) in arguments.iter().enumerate() {
            let Some(root) = argument.expr().and_then(variable_root) else {
                continue;
            };
            self.effects.passed_arguments.insert(PassedArgument {
                to: to.clone(),
                may_be_intrinsic,
                idx,
                keyword: argument.keyword.clone(),
                root: root.clone(),
                procedure: Callee::resolve(self.scope, root),
            });
        }
    }

    /// Collects the arguments of the function references in an expression.
    fn references(&mut self, expr: &Expr) {
        walk(expr, &mut |part| {
            if let ExprKind::Unparsed(_, names) = &part.kind {
                names.iter().for_each(|name| self.modify(name));
            }
            let ExprKind::Apply(base, arguments) = &part.kind else {
                return;
            };
            let Some(key) = base.as_name() else { return };
            let is_data = match self.scope.lookup(key).map(|x| &x.entity) {
                Some(Entity::Variable(x)) => {
                    x.shape.is_some() || matches!(x.kind, FortranType::Character(_))
                }
                Some(
                    Entity::StatementFunction(_) | Entity::DerivedType(_) | Entity::Constant { .. },
                ) => true,
                _ => false,
            };
            if !is_data {
                self.call(
                    &Callee::resolve(self.scope, key),
                    is_intrinsic(key),
                    arguments,
                );
            }
        });
    }

    /// Collects the variables of the host that the procedure uses, with the variables in the bounds of such arrays.
    fn capture(&mut self, body: &[Statement], host: &NameScope) {
        let names = self.mentioned_names(body);
        let mut open: Vec<NameKey> = names.into_iter().collect();
        open.retain(|key| is_of_host(key, self.scope, host));
        while let Some(key) = open.pop() {
            if self.effects.host_associated.contains_key(&key) {
                continue;
            }
            if let Some(variable) = host.variable(&key) {
                for bound in bounds(variable) {
                    walk(bound, &mut |part| {
                        if let ExprKind::Name(key) = &part.kind
                            && is_of_host(key, self.scope, host)
                        {
                            open.push(key.clone());
                        }
                    });
                }
            }
            let mut declared = DeclaredVariable::lookup(&key, self.scope);
            if let (Some(declared), Some(variable)) = (&mut declared, host.variable(&key)) {
                declared.bounds = bounds_of_host(variable, self.scope, host);
            }
            self.effects.host_associated.insert(key, declared);
        }
    }

    /// The names in statements and in the bounds of variables, including the members of mentioned groups.
    fn mentioned_names(&self, body: &[Statement]) -> BTreeSet<NameKey> {
        let mut names = BTreeSet::new();
        statements(body, &mut |statement| {
            for expr in expressions(statement) {
                record_names(expr, &mut names);
            }
            if let Kind::Error(unparsed) = &statement.kind {
                names.extend(unparsed.names.iter().cloned());
            }
        });
        for symbol in self.scope.symbols.values() {
            let mut record = |expr: &Expr| record_names(expr, &mut names);
            if let Entity::Variable(variable) = &symbol.entity {
                bounds(variable).into_iter().for_each(&mut record);
            }
        }
        let groups = names.iter().filter_map(|key| self.scope.group(key));
        let of_groups: Vec<NameKey> = groups.flat_map(|group| group.to_vec()).collect();
        names.extend(of_groups);
        names
    }
}

/// Adds the names in an expression.
fn record_names(expr: &Expr, names: &mut BTreeSet<NameKey>) {
    walk(expr, &mut |part| match &part.kind {
        ExprKind::Name(key) => {
            names.insert(key.clone());
        }
        ExprKind::ImpliedDo(inner) => {
            names.insert(inner.variable.clone());
        }
        ExprKind::Unparsed(_, words) => names.extend(words.iter().cloned()),
        _ => {}
    });
}

/// The variables that a statement itself changes, without those of its blocks and calls.
pub(crate) fn direct_changes(statement: &Statement, scope: &NameScope) -> BTreeSet<NameKey> {
    let mut search = EffectCollector {
        scope,
        effects: ModRefSummary::default(),
    };
    search.statement(statement);
    search.effects.mod_set
}

/// The variables that statements, those of their blocks included, may change directly or by calls.
pub(crate) fn possible_changes(list: &[Statement], scope: &NameScope) -> BTreeSet<NameKey> {
    let mut search = EffectCollector {
        scope,
        effects: ModRefSummary::default(),
    };
    search.procedure(list);
    let ModRefSummary {
        mut mod_set,
        passed_arguments,
        ..
    } = search.effects;
    let passed = passed_arguments.into_iter();
    mod_set.extend(
        passed
            .filter(|one| !one.may_be_intrinsic)
            .map(|one| one.root),
    );
    mod_set
}

/// What the extents of an array of the host depend on, seen from a contained procedure.
fn bounds_of_host(variable: &Variable, scope: &NameScope, host: &NameScope) -> BoundsOfHost {
    let mut names = BTreeSet::new();
    let mut is_plain = true;
    for bound in bounds(variable) {
        walk(bound, &mut |part| match &part.kind {
            ExprKind::Name(key) => {
                names.insert(key.clone());
            }
            ExprKind::Apply(..) | ExprKind::Member(..) => is_plain = false,
            _ => {}
        });
    }
    let is_constant = |key: &NameKey| {
        let entity = host.lookup(key).map(|symbol| &symbol.entity);
        matches!(entity, Some(Entity::Constant { .. }))
    };
    let is_kept = |key: &NameKey| is_constant(key) || is_of_host(key, scope, host);
    let is_plain = is_plain
        && names.iter().all(is_kept)
        && names.iter().all(|key| !scope.symbols.contains_key(key));
    names.retain(|key| !is_constant(key));
    match (is_plain, names.is_empty()) {
        (false, _) => BoundsOfHost::Other,
        (true, true) => BoundsOfHost::Constant,
        (true, false) => BoundsOfHost::Variables(names.into_iter().collect()),
    }
}

/// Whether a name is that of a variable or dummy procedure of the host that the procedure does not redeclare.
fn is_of_host(key: &NameKey, scope: &NameScope, host: &NameScope) -> bool {
    if scope.symbols.contains_key(key) {
        return false;
    }
    match host.symbols.get(key).map(|symbol| &symbol.entity) {
        Some(Entity::Variable(variable)) => matches!(
            variable.storage,
            Storage::Dummy | Storage::Local | Storage::Result | Storage::Saved
        ),
        Some(Entity::DummyProcedure(_)) => true,
        _ => false,
    }
}

/// The variable that an argument is or is part of.
fn variable_root(expr: &Expr) -> Option<&NameKey> {
    match &expr.kind {
        ExprKind::Name(_) | ExprKind::Apply(..) | ExprKind::Member(..) => expr.root(),
        _ => None,
    }
}

/// The expressions in the bounds of a variable.
fn bounds(variable: &Variable) -> Vec<&Expr> {
    match &variable.shape {
        Some(ArraySpec::Explicit(bounds)) => {
            bounds.iter().flat_map(|(a, b)| a.iter().chain(b)).collect()
        }
        Some(ArraySpec::Assumed(lower)) => lower.iter().flatten().collect(),
        _ => Vec::new(),
    }
}
