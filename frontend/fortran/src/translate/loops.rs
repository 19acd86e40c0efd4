//! Loops, and the jumps that end their iterations.

use super::Translator;
use super::arrays::up_to_of_kind;
use super::make::{
    assign, binary, block, cast, constant, empty, evaluate, integer, long_name, name, object,
    statement,
};
use super::results::declared;
use super::statements::jump;
use crate::names::mentioned::{blocks, expressions, statements, walk};
use crate::names::{Storage, constants};
use crate::syntax::{
    Argument, Control, Counter, Direction, Do, Expr, ExprKind, Forall, Key, Statement as Fortran,
    StatementKind as Exec,
};
use premiss_imperative::syntax::{
    At, Binary, Expression, ExpressionKind as Kind, For, Name, Statement, StatementKind,
};
use std::collections::BTreeSet;

/// A loop or named block that is being translated.
pub(super) struct Open {
    name: Option<Key>,
    is_loop: bool,
    /// The label of its last statement, where that does nothing.
    last_label: Option<u32>,
    /// Where jumps lead that end it, or an iteration of it, from inside of another loop.
    exit: Name,
    cycle: Name,
    is_left: bool,
    is_cycled: bool,
}

/// A DO variable of which the loop is being translated: until it ends, nobody else may change it.
pub(super) struct Active {
    key: Key,
    /// The variable that counts in its place where procedures that are called could reach it.
    own: Option<Name>,
}

impl Translator<'_> {
    pub(super) fn do_loop(&mut self, inner: &Do, at: At) -> Statement {
        self.open(inner.name.clone(), true, last_label(&inner.body), at);
        let n_active = self.active.len();
        self.start_counting(inner);
        let body = self.body(&inner.body, inner.header);
        let body = self.with_cycle(body);
        let own = self.active.drain(n_active..).find_map(|one| one.own);
        let translated = match &inner.control {
            Control::Counted(counter) => match own {
                Some(own) => self.counted_apart(counter, inner, body, &own),
                None => self.counted(counter, inner.header, body, &inner.body),
            },
            Control::While(condition) => {
                let condition = self.expr(condition);
                let body = Box::new(body);
                statement(at, StatementKind::While { condition, body })
            }
            Control::Forever => {
                let condition = super::expressions::truth_value(inner.header, true);
                let body = Box::new(body);
                statement(at, StatementKind::While { condition, body })
            }
            Control::Concurrent(counters, mask) => {
                self.nested(counters, mask.as_ref(), body, inner.header, &inner.body)
            }
        };
        self.close_construct(translated, at)
    }

    fn start_counting(&mut self, inner: &Do) {
        let counters = match &inner.control {
            Control::Counted(counter) => std::slice::from_ref(counter),
            Control::Concurrent(counters, _) => counters,
            Control::While(_) | Control::Forever => &[],
        };
        for counter in counters {
            let Some(key) = counter.variable.as_name() else {
                continue;
            };
            let is_shared = self.scope.variable(key).is_some_and(|variable| {
                matches!(variable.storage, Storage::Module | Storage::Area(..))
            });
            let is_reached = self.kind_of(&counter.variable).is_integer()
                && self.may_call(&inner.body)
                && (is_shared || self.is_handed_over(key));
            let own = is_reached.then(|| self.fresh(key));
            let key = key.clone();
            self.active.push(Active { key, own });
        }
    }

    /// Whether a name is a DO variable of a loop around.
    pub(super) fn is_active(&self, key: &Key) -> bool {
        self.associated(key).is_none() && self.active.iter().any(|one| one.key == *key)
    }

    /// The variable that counts in place of a DO variable.
    pub(super) fn counting(&self, key: &Key) -> Option<Name> {
        let mut active = self.active.iter().rev();
        active.find(|one| one.key == *key)?.own.clone()
    }

    /// Whether some call gets a variable while it is no DO variable: who has it might change it later.
    fn is_handed_over(&self, key: &Key) -> bool {
        let Some(procedure) = self.procedure else {
            return false;
        };
        let mut found = false;
        outside_of_its_loops(&procedure.ast.body, key, &mut |one| {
            let is_it = |argument: &Argument| argument.expr().and_then(Expr::as_name) == Some(key);
            if let Exec::Call(_, arguments) = &one.kind {
                found |= arguments.iter().any(is_it);
            }
            for expr in expressions(one) {
                walk(expr, &mut |part| {
                    if let ExprKind::Apply(_, arguments) = &part.kind {
                        found |= self.is_call(part) && arguments.iter().any(is_it);
                    }
                });
            }
        });
        found
    }

    /// Whether statements may call procedures.
    fn may_call(&self, inside: &[Fortran]) -> bool {
        let mut found = false;
        statements(inside, &mut |one| {
            found |= matches!(one.kind, Exec::Call(..));
            for expr in expressions(one) {
                walk(expr, &mut |part| found |= self.is_call(part));
            }
        });
        found
    }

    /// Whether an expression is a reference to a function that is not intrinsic.
    fn is_call(&self, part: &Expr) -> bool {
        match &part.kind {
            ExprKind::Apply(base, _) => {
                !self.is_data(base) && !base.as_name().is_some_and(|key| self.is_free(key))
            }
            ExprKind::Defined(_) => true,
            _ => false,
        }
    }

    /// A loop with a variable that procedures could reach: another one counts, and what it has counted is
    /// stored before each iteration and behind the loop.
    fn counted_apart(
        &mut self,
        counter: &Counter,
        inner: &Do,
        body: Statement,
        own: &Name,
    ) -> Statement {
        let header = inner.header;
        let kind = self.kind_of(&counter.variable).name();
        let Some(variable) = self.place(&counter.variable) else {
            let construct = "a DO variable of this kind".to_owned();
            return self.rejected(construct, header);
        };
        let start = object(header, own, kind, Some(variable.clone()));
        let store = || evaluate(assign(header, variable.clone(), name(header, own)));
        let body = block(body.at, vec![store(), body]);
        let counted = self.counted_in(counter, header, name(header, own), body, &inner.body);
        let at = counted.at;
        block(at, vec![declared(header, start), counted, store()])
    }

    /// Loops over several counters, the first one innermost.
    fn nested(
        &mut self,
        counters: &[Counter],
        mask: Option<&Expr>,
        body: Statement,
        header: At,
        inside: &[Fortran],
    ) -> Statement {
        let mut body = body;
        if let Some(mask) = mask {
            let condition = self.expr(mask);
            body = statement(
                body.at,
                StatementKind::If {
                    condition,
                    then: Box::new(body),
                    otherwise: None,
                },
            );
        }
        for counter in counters {
            body = self.counted(counter, header, body, inside);
        }
        body
    }

    pub(super) fn forall(&mut self, inner: &Forall, at: At) -> Statement {
        // Each statement goes through all iterations before the next one does.
        let list = inner.body.iter().map(|one| {
            let body = self.body(std::slice::from_ref(one), at);
            self.nested(&inner.counters, inner.mask.as_ref(), body, at, &inner.body)
        });
        let list = list.collect();
        block(at, list)
    }

    /// `DO variable = first, last, step`: how often it runs is settled when it is entered.
    pub(super) fn counted(
        &mut self,
        counter: &Counter,
        header: At,
        body: Statement,
        inside: &[Fortran],
    ) -> Statement {
        if !self.kind_of(&counter.variable).is_integer() {
            let construct = "a DO variable that is no INTEGER".to_owned();
            return self.rejected(construct, header);
        }
        let Some(variable) = self.place(&counter.variable) else {
            let construct = "a DO variable of this kind".to_owned();
            return self.rejected(construct, header);
        };
        self.counted_in(counter, header, variable, body, inside)
    }

    /// The same where the variable is somewhere.
    fn counted_in(
        &mut self,
        counter: &Counter,
        header: At,
        variable: Expression,
        body: Statement,
        inside: &[Fortran],
    ) -> Statement {
        let first = self.expr(&counter.first);
        let step = match &counter.step {
            None => Some(1),
            Some(step) => constants::integer(step, &self.scope),
        };
        // What a dummy argument or a component counts has no name of its own.
        let has_name = matches!(variable.kind, Kind::Name(_));
        let Some(step) = step.filter(|step| *step != 0 && has_name) else {
            return self.counted_by(counter, header, variable, first, body);
        };
        let mut list = Vec::new();
        let last = match self.changes_last(counter, inside) {
            false => self.expr(&counter.last),
            true => {
                let own = self.fresh("last");
                let value = self.expr(&counter.last);
                list.push(constant(counter.last.at, &own, long_name(), value));
                name(counter.last.at, &own)
            }
        };
        let operator = if step < 0 {
            Binary::GreaterEqual
        } else {
            Binary::LessEqual
        };
        let tested = Box::new(variable.clone());
        let condition = Kind::Binary(operator, tested, Box::new(last));
        let stepped = Box::new(variable.clone());
        let by = Box::new(integer(header, step));
        let step = Kind::Assign(Some(Binary::Add), stepped, by);
        let at = header.to(body.at);
        list.push(statement(
            at,
            StatementKind::For(Box::new(For {
                header,
                initial: evaluate(assign(header, variable, first)),
                condition: Some(Expression::new(header, condition)),
                step: Some(Expression::new(header, step)),
                body,
            })),
        ));
        block(at, list)
    }

    /// A loop whose step is no constant: it runs `(last - first + step) / step` times.
    fn counted_by(
        &mut self,
        counter: &Counter,
        header: At,
        variable: Expression,
        first: Expression,
        body: Statement,
    ) -> Statement {
        let (start, step, count) = (self.fresh("first"), self.fresh("step"), self.fresh("count"));
        let position = self.fresh("iteration");
        // As wide as the variable: what does not fit there is an error of the program.
        let kind = self.kind_of(&counter.variable).name();
        let last = self.expr(&counter.last);
        let by = match &counter.step {
            Some(step) => self.expr(step),
            None => integer(header, 1),
        };
        let at_step = counter.step.as_ref().map_or(header, |step| step.at);
        let mut list = vec![
            constant(counter.first.at, &start, kind.clone(), first),
            constant(at_step, &step, kind.clone(), by),
        ];
        let distance = binary(header, Binary::Subtract, last, name(header, &start));
        let sum = binary(header, Binary::Add, distance, name(header, &step));
        let times = binary(header, Binary::Divide, sum, name(header, &step));
        list.push(constant(header, &count, kind.clone(), times));
        let moved = binary(
            header,
            Binary::Multiply,
            name(header, &position),
            name(header, &step),
        );
        let value = binary(header, Binary::Add, name(header, &start), moved);
        let set = evaluate(assign(header, variable.clone(), value));
        let at = body.at;
        let body = block(at, vec![set, body]);
        let at = header.to(body.at);
        let counted = up_to_of_kind(header, &position, kind.clone(), name(header, &count), body);
        list.push(Statement { at, ..counted });
        // What the variable is when the loop has ended.
        let runs = binary(
            header,
            Binary::Maximum,
            name(header, &count),
            cast(header, kind.clone(), integer(header, 0)),
        );
        let moved = binary(header, Binary::Multiply, runs, name(header, &step));
        let value = binary(header, Binary::Add, name(header, &start), moved);
        list.push(evaluate(assign(header, variable, value)));
        block(at, list)
    }

    /// Whether a loop changes what its last value is, or evaluating that makes accesses.
    fn changes_last(&self, counter: &Counter, inside: &[Fortran]) -> bool {
        let mut is_own = false;
        walk(&counter.last, &mut |part| {
            is_own |= part.as_name().is_some() && part.as_name() == counter.variable.as_name();
        });
        is_own || self.changes(&counter.last, inside)
    }

    /// Whether statements may change what an expression yields, or evaluating it makes accesses.
    fn changes(&self, expr: &Expr, inside: &[Fortran]) -> bool {
        let Some(variables) = self.plain_variables(expr) else {
            return true;
        };
        let mut changed = false;
        statements(inside, &mut |one| {
            let may_call = matches!(one.kind, Exec::Call(..));
            for key in &variables {
                changed |= may_call && !self.is_unchanged(key);
                changed |= stores_to(one, key);
            }
            for expr in expressions(one) {
                walk(expr, &mut |part| {
                    if self.is_call(part) {
                        changed |= variables.iter().any(|key| !self.is_unchanged(key));
                    }
                });
            }
        });
        changed
    }

    /// Whether evaluating an expression makes no access and yields the same whenever the procedure does it.
    pub(super) fn keeps_value(&self, expr: &Expr) -> bool {
        let variables = self.plain_variables(expr);
        variables.is_some_and(|keys| keys.iter().all(|key| self.is_unchanged(key)))
    }

    /// Whether an expression is no more than arithmetic on variables and constants.
    pub(super) fn is_plain(&self, expr: &Expr) -> bool {
        self.plain_variables(expr).is_some()
    }

    /// The variables that an expression mentions; `None` where it is more than arithmetic on variables and
    /// constants.
    fn plain_variables(&self, expr: &Expr) -> Option<Vec<Key>> {
        let mut names = BTreeSet::new();
        let mut is_plain = true;
        walk(expr, &mut |part| match &part.kind {
            ExprKind::Name(key) => {
                names.insert(key.clone());
            }
            ExprKind::Apply(base, _) => {
                let is_bound = base.as_name().is_some_and(|key| {
                    matches!(
                        &**key,
                        "min" | "max" | "mod" | "size" | "min0" | "max0" | "int"
                    ) && self.is_free(key)
                });
                is_plain &= is_bound;
            }
            ExprKind::Member(..) => is_plain = false,
            _ => {}
        });
        if !is_plain || names.iter().any(|key| self.associated(key).is_some()) {
            return None;
        }
        let is_variable = |key: &Key| {
            let entity = self.scope.lookup(key).map(|symbol| &symbol.entity);
            matches!(entity, Some(crate::names::Entity::Variable(_)))
        };
        Some(names.into_iter().filter(is_variable).collect())
    }

    pub(super) fn open_construct(&mut self, name: Option<Key>, at: At) {
        self.open(name, false, None, at);
    }

    fn open(&mut self, name: Option<Key>, is_loop: bool, last_label: Option<u32>, at: At) {
        let place = at.start;
        self.open.push(Open {
            name,
            is_loop,
            last_label,
            exit: Name::from(format!("exit@{place}")),
            cycle: Name::from(format!("cycle@{place}")),
            is_left: false,
            is_cycled: false,
        });
    }

    /// The body with the place behind it that a jump out of an inner loop leads to.
    fn with_cycle(&mut self, body: Statement) -> Statement {
        let Some(open) = self.open.last().filter(|open| open.is_cycled) else {
            return body;
        };
        let end = At {
            start: body.at.end,
            ..body.at
        };
        let label = StatementKind::Label(open.cycle.clone(), Box::new(empty(end)));
        block(body.at, vec![body, statement(end, label)])
    }

    /// The construct with the place behind it that jumps lead to.
    pub(super) fn close_construct(&mut self, translated: Statement, at: At) -> Statement {
        match self.open.pop().filter(|open| open.is_left) {
            None => translated,
            Some(open) => {
                let end = At {
                    start: at.end,
                    ..at
                };
                let label = StatementKind::Label(open.exit, Box::new(empty(end)));
                block(at, vec![translated, statement(end, label)])
            }
        }
    }

    pub(super) fn cycle(&mut self, target: Option<&Key>, at: At) -> Statement {
        match self.target(target) {
            Some((_, true)) => statement(at, StatementKind::Continue),
            Some((idx, false)) => {
                self.open[idx].is_cycled = true;
                let label = self.open[idx].cycle.clone();
                statement(at, StatementKind::Goto(Some(label)))
            }
            None => statement(at, StatementKind::Error(jump("CYCLE"))),
        }
    }

    pub(super) fn exit(&mut self, target: Option<&Key>, at: At) -> Statement {
        match self.target(target) {
            Some((idx, true)) if self.open[idx].is_loop => statement(at, StatementKind::Break),
            Some((idx, _)) => {
                self.open[idx].is_left = true;
                let label = self.open[idx].exit.clone();
                statement(at, StatementKind::Goto(Some(label)))
            }
            None => statement(at, StatementKind::Error(jump("EXIT"))),
        }
    }

    /// The construct that is meant, and whether it is the innermost loop.
    fn target(&self, name: Option<&Key>) -> Option<(usize, bool)> {
        let innermost = self.open.iter().rposition(|open| open.is_loop);
        let idx = match name {
            None => innermost?,
            Some(_) => self
                .open
                .iter()
                .rposition(|open| open.name.as_ref() == name)?,
        };
        Some((idx, Some(idx) == innermost))
    }

    /// Whether a jump to a label ends an iteration of the innermost loop, and no more.
    pub(super) fn ends_iteration(&self, label: u32) -> bool {
        let innermost = self.open.iter().rev().find(|open| open.is_loop);
        innermost.is_some_and(|open| open.last_label == Some(label))
    }
}

/// Calls `visit` on statements that do not stand in a loop that counts with a variable.
fn outside_of_its_loops<'s>(list: &'s [Fortran], key: &Key, visit: &mut dyn FnMut(&'s Fortran)) {
    for one in list {
        visit(one);
        let counts = matches!(&one.kind, Exec::Do(inner) if matches!(&inner.control,
            Control::Counted(counter) if counter.variable.as_name() == Some(key)));
        if !counts {
            for inner in blocks(&one.kind) {
                outside_of_its_loops(inner, key, visit);
            }
        }
    }
}

/// The label of the statement at the end of a loop's body, where that does nothing.
fn last_label(body: &[Fortran]) -> Option<u32> {
    let last = body.last()?;
    last.label.filter(|_| matches!(last.kind, Exec::Continue))
}

/// Whether a statement itself stores to a variable.
fn stores_to(one: &Fortran, key: &Key) -> bool {
    let is_it = |expr: &Expr| expr.root() == Some(key);
    match &one.kind {
        Exec::Assign(left, _) | Exec::PointTo(left, _) => is_it(left),
        Exec::Do(inner) => match &inner.control {
            Control::Counted(counter) => is_it(&counter.variable),
            Control::Concurrent(counters, _) => counters.iter().any(|one| is_it(&one.variable)),
            Control::While(_) | Control::Forever => false,
        },
        Exec::Transfer(items) => items
            .iter()
            .any(|(direction, item)| *direction == Direction::GroupIn || is_it(item)),
        Exec::Allocate(objects, options) | Exec::Deallocate(objects, options) => {
            objects.iter().chain(&options.reports).any(is_it)
        }
        _ => false,
    }
}

/// Labels that a procedure jumps to.
pub(super) fn targets(body: &[Fortran]) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    statements(body, &mut |one| match &one.kind {
        Exec::Goto(label) => {
            found.insert(*label);
        }
        Exec::ComputedGoto(labels, _) => found.extend(labels),
        Exec::ArithmeticIf(_, labels) => found.extend(labels),
        _ => {}
    });
    found
}
