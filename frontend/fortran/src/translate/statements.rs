//! Statements.

use super::Translator;
use super::make::{
    assign, block, cast, computed, constant, empty, evaluate, integer, name, statement,
};
use crate::names::Type;
use crate::syntax::{
    BinaryOperator as Op, Case, CaseRange, Direction, Expr, ExprKind, Statement as Fortran,
    StatementKind as Exec,
};
use premiss_imperative::syntax::{
    At, Binary, Expression, ExpressionKind as Kind, Name, Statement, StatementKind,
};
use premiss_tree::RejectReason;

impl Translator<'_> {
    pub(super) fn statements(&mut self, list: &[Fortran]) -> Vec<Statement> {
        let before = std::iter::once(None).chain(list.iter().map(Some));
        let pairs = before.zip(list);
        let translated = pairs.map(|(before, one)| match before {
            // What would be done without memory.
            Some(before) if self.asks_for_failure(before, one) => empty(one.at),
            _ => self.statement(one),
        });
        translated.collect()
    }

    /// Whether a statement asks for nothing but whether the allocation just before it failed.
    fn asks_for_failure(&self, before: &Fortran, one: &Fortran) -> bool {
        let (Exec::Allocate(_, options), Exec::If(arms)) = (&before.kind, &one.kind) else {
            return false;
        };
        let is_reached = one.label.is_some_and(|label| self.targets.contains(&label));
        let [(Some(condition), _)] = &arms[..] else {
            return false;
        };
        let ExprKind::Binary(Op::NotEqual | Op::Greater, status, zero) = &condition.kind else {
            return false;
        };
        let is_status =
            |report: &Expr| report.as_name().is_some() && report.as_name() == status.as_name();
        let is_zero = matches!(zero.kind, ExprKind::Integer(0, _));
        !is_reached && is_zero && options.reports.iter().any(is_status)
    }

    /// Statements as one.
    pub(super) fn body(&mut self, list: &[Fortran], at: At) -> Statement {
        let at = match (list.first(), list.last()) {
            (Some(first), Some(last)) => first.at.to(last.at),
            _ => At {
                start: at.end,
                ..at
            },
        };
        let list = self.statements(list);
        block(at, list)
    }

    fn statement(&mut self, fortran: &Fortran) -> Statement {
        let translated = self.unlabelled(fortran);
        match fortran.label.filter(|label| self.targets.contains(label)) {
            Some(label) => statement(
                translated.at,
                StatementKind::Label(label_name(label), Box::new(translated)),
            ),
            None => translated,
        }
    }

    fn unlabelled(&mut self, fortran: &Fortran) -> Statement {
        let at = fortran.at;
        match &fortran.kind {
            Exec::Assign(left, right) => {
                let translated = self.with_hoisted(at, |translator, list| {
                    let right = translator.hoisted(right, list)?;
                    Some(translator.assignment(left, &right, at))
                });
                translated.unwrap_or_else(|| {
                    self.rejected("an assignment of this array expression".to_owned(), at)
                })
            }
            Exec::PointTo(left, right) => self.point_to(left, right, at),
            Exec::Call(callee, arguments) => {
                let translated = self.with_hoisted(at, |translator, list| {
                    let own = translator.hoisted_arguments(arguments, list)?;
                    Some(translator.call_statement(callee, &own, at))
                });
                translated.unwrap_or_else(|| {
                    self.rejected("an array expression as an argument".to_owned(), at)
                })
            }
            Exec::If(arms) => self.choice(arms, at),
            Exec::Do(inner) => self.do_loop(inner, at),
            Exec::Select(value, cases) => self.select(value, cases, at),
            Exec::SelectType(arms) => self.one_of(arms, at),
            Exec::Where(arms) => self.masked(arms, at),
            Exec::Forall(inner) => self.forall(inner, at),
            Exec::Cycle(target) => self.cycle(target.as_ref(), at),
            Exec::Exit(target) => self.exit(target.as_ref(), at),
            Exec::Goto(label) => self.goto(*label, at),
            Exec::ComputedGoto(labels, value) => self.computed_goto(labels, value, at),
            Exec::ArithmeticIf(value, labels) => self.arithmetic_if(value, *labels, at),
            Exec::AssignedGoto => statement(at, StatementKind::Error(jump("GO TO"))),
            Exec::Return => self.return_statement(at),
            Exec::AlternateReturn => self.rejected("an alternate RETURN".to_owned(), at),
            Exec::Entry => self.rejected("an ENTRY".to_owned(), at),
            Exec::Stop | Exec::Continue => empty(at),
            Exec::Allocate(objects, options) => self.allocate(objects, options, at),
            Exec::Deallocate(_, options) => self.deallocate(options, at),
            Exec::Transfer(items) => self.transfer(items, at),
            Exec::Block(name, body) => self.named_block(name.as_ref(), body, at),
            Exec::Associate(name, list, body) => {
                self.associate(list);
                let translated = self.named_block(name.as_ref(), body, at);
                self.end_associate();
                translated
            }
            Exec::Error(reason) => statement(at, StatementKind::Error(reason.clone())),
        }
    }

    fn assignment(&mut self, left: &Expr, right: &Expr, at: At) -> Statement {
        if 0 < self.rank_of(left) {
            let translated = self.assign_array(left, right, at);
            return translated.unwrap_or_else(|| {
                self.rejected("an assignment of this array expression".to_owned(), at)
            });
        }
        if matches!(self.kind_of(left), Type::Character(length) if length != Some(1)) {
            // Texts are not followed; what the right side calls is.
            let value = self.expr(right);
            return evaluate(value);
        }
        let value = match self.kind_of(left) {
            Type::Character(_) => self.first_character(right),
            _ => self.expr(right),
        };
        match self.place(left) {
            Some(place) => evaluate(assign(at, place, value)),
            None => self.rejected("an assignment to this object".to_owned(), at),
        }
    }

    fn choice(&mut self, arms: &[(Option<Expr>, Vec<Fortran>)], at: At) -> Statement {
        let Some(((condition, body), rest)) = arms.split_first() else {
            return empty(at);
        };
        let then = self.body(body, at);
        let Some(condition) = condition else {
            return then;
        };
        let condition = self.expr(condition);
        let otherwise = match rest {
            [] => None,
            rest => {
                let start = then.at.end.min(at.end);
                Some(Box::new(self.choice(rest, At { start, ..at })))
            }
        };
        statement(
            at,
            StatementKind::If {
                condition,
                then: Box::new(then),
                otherwise,
            },
        )
    }

    /// Blocks of which only running the program tells which one is executed.
    fn one_of(&mut self, arms: &[Vec<Fortran>], at: At) -> Statement {
        let mut whole = empty(at);
        for body in arms.iter().rev() {
            let then = self.body(body, at);
            whole = statement(
                at,
                StatementKind::If {
                    condition: computed(at, crate::names::types::LOGICAL.name(), Vec::new()),
                    then: Box::new(then),
                    otherwise: Some(Box::new(whole)),
                },
            );
        }
        whole
    }

    fn select(&mut self, value: &Expr, cases: &[Case], at: At) -> Statement {
        let kind = self.kind_of(value);
        let selected = self.fresh("selected");
        let first = self.expr(value);
        let declared = constant(value.at, &selected, kind.name(), first);
        let mut otherwise = empty(at);
        if let Some(default) = cases.iter().find(|case| case.ranges.is_empty()) {
            otherwise = self.body(&default.body, at);
        }
        let mut chain = otherwise;
        for case in cases.iter().rev().filter(|case| !case.ranges.is_empty()) {
            let condition = self.is_case(&selected, &kind, &case.ranges, value.at);
            let then = self.body(&case.body, at);
            chain = statement(
                at,
                StatementKind::If {
                    condition,
                    then: Box::new(then),
                    otherwise: Some(Box::new(chain)),
                },
            );
        }
        block(at, vec![declared, chain])
    }

    fn is_case(
        &mut self,
        selected: &Name,
        kind: &Type,
        ranges: &[CaseRange],
        at: At,
    ) -> Expression {
        let unknown = || computed(at, crate::names::types::LOGICAL.name(), Vec::new());
        if !kind.is_counted() {
            return unknown();
        }
        let compare = |op, a, b| Expression::new(at, Kind::Binary(op, Box::new(a), Box::new(b)));
        let own = || name(at, selected);
        let mut whole: Option<Expression> = None;
        for range in ranges {
            let one = match range {
                CaseRange::Value(value) => match (kind, self.kind_of(value)) {
                    (Type::Character(_), Type::Character(Some(1)))
                    | (Type::Integer(_), Type::Integer(_))
                    | (Type::Logical(_), Type::Logical(_)) => {
                        compare(Binary::Equal, own(), self.expr(value))
                    }
                    _ => unknown(),
                },
                CaseRange::Range(first, last) => {
                    let mut bounds = Vec::new();
                    if let Some(first) = first {
                        bounds.push(compare(Binary::GreaterEqual, own(), self.expr(first)));
                    }
                    if let Some(last) = last {
                        bounds.push(compare(Binary::LessEqual, own(), self.expr(last)));
                    }
                    let both = bounds
                        .into_iter()
                        .reduce(|a, b| Expression::new(at, Kind::And(Box::new(a), Box::new(b))));
                    both.unwrap_or_else(unknown)
                }
            };
            whole = Some(match whole {
                None => one,
                Some(before) => Expression::new(at, Kind::Or(Box::new(before), Box::new(one))),
            });
        }
        whole.unwrap_or_else(unknown)
    }

    fn goto(&mut self, label: u32, at: At) -> Statement {
        match self.ends_iteration(label) {
            true => statement(at, StatementKind::Continue),
            false => statement(at, StatementKind::Goto(Some(label_name(label)))),
        }
    }

    fn computed_goto(&mut self, labels: &[u32], value: &Expr, at: At) -> Statement {
        let selected = self.fresh("selected");
        let first = self.expr(value);
        let mut list = vec![constant(
            value.at,
            &selected,
            self.kind_of(value).name(),
            first,
        )];
        for (idx, label) in (1..).zip(labels) {
            let is_it = Kind::Binary(
                Binary::Equal,
                Box::new(name(at, &selected)),
                Box::new(integer(at, idx)),
            );
            let then = self.goto(*label, at);
            list.push(statement(
                at,
                StatementKind::If {
                    condition: Expression::new(at, is_it),
                    then: Box::new(then),
                    otherwise: None,
                },
            ));
        }
        block(at, list)
    }

    /// `IF (x) 10, 20, 30`: where it is negative, zero, positive.
    fn arithmetic_if(&mut self, value: &Expr, labels: [u32; 3], at: At) -> Statement {
        let kind = self.kind_of(value);
        let selected = self.fresh("selected");
        let first = self.expr(value);
        let declared = constant(value.at, &selected, kind.name(), first);
        let compare = |op| {
            let zero = cast(at, kind.name(), integer(at, 0));
            let own = name(at, &selected);
            Expression::new(at, Kind::Binary(op, Box::new(own), Box::new(zero)))
        };
        let [negative, zero, positive] = labels;
        let mut list = vec![declared];
        let mut jump_if = |translator: &mut Self, condition: Expression, label: u32| {
            let then = translator.goto(label, at);
            list.push(statement(
                at,
                StatementKind::If {
                    condition,
                    then: Box::new(then),
                    otherwise: None,
                },
            ));
        };
        match (negative == zero, zero == positive) {
            (true, true) => {}
            (true, false) => jump_if(self, compare(Binary::LessEqual), negative),
            (false, true) => jump_if(self, compare(Binary::Less), negative),
            (false, false) => {
                jump_if(self, compare(Binary::Less), negative);
                jump_if(self, compare(Binary::Equal), zero);
            }
        }
        list.push(self.goto(positive, at));
        block(at, list)
    }

    fn return_statement(&mut self, at: At) -> Statement {
        let result = self.result_value(at);
        statement(at, StatementKind::Return(result))
    }

    /// Input and output: what is written is loaded, and what is read is stored.
    fn transfer(&mut self, items: &[(Direction, Expr)], at: At) -> Statement {
        let mut list = Vec::new();
        for (direction, item) in items {
            match direction {
                Direction::GroupIn => list.push(self.transferred_group(Direction::In, item)),
                Direction::GroupOut => list.push(self.transferred_group(Direction::Out, item)),
                _ => list.extend(self.transferred(*direction, item)),
            }
        }
        block(at, list)
    }

    /// The variables of a `NAMELIST` group: those that the input names are read, and only data tell which.
    fn transferred_group(&mut self, direction: Direction, name: &Expr) -> Statement {
        let group = name.as_name().and_then(|key| self.scope.group(key));
        let mut list = Vec::new();
        for key in group.iter().flat_map(|group| group.iter()) {
            let item = Expr {
                at: name.at,
                kind: ExprKind::Name(key.clone()),
            };
            let Some(one) = self.transferred(direction, &item) else {
                continue;
            };
            list.push(match direction {
                Direction::In => perhaps(one),
                _ => one,
            });
        }
        block(name.at, list)
    }

    fn transferred(&mut self, direction: Direction, item: &Expr) -> Option<Statement> {
        if let ExprKind::ImpliedDo(inner) = &item.kind {
            let body = inner.items.iter();
            let body = body.filter_map(|item| self.transferred(direction, item));
            let body = block(item.at, body.collect());
            let variable = Expr {
                at: item.at,
                kind: ExprKind::Name(inner.variable.clone()),
            };
            let counter = crate::syntax::Counter {
                variable,
                first: inner.first.clone(),
                last: inner.last.clone(),
                step: inner.step.clone(),
            };
            return Some(self.counted(&counter, item.at, body, &[]));
        }
        // Texts are not followed, but single characters are.
        if matches!(self.kind_of(item), Type::Character(length) if length != Some(1)) {
            return None;
        }
        match direction {
            Direction::In | Direction::GroupIn => self.store_unknown(item),
            Direction::Out | Direction::GroupOut => match self.rank_of(item) {
                0 => {
                    let value = self.expr(item);
                    Some(evaluate(value))
                }
                rank => {
                    let names = self.positions(rank);
                    let value = self.element_of(item, &names)?;
                    self.over_all(item, &names, evaluate(value), item.at)
                }
            },
        }
    }

    /// A store of what nobody knows to a variable or to all elements of an array.
    pub(super) fn store_unknown(&mut self, place: &Expr) -> Option<Statement> {
        let at = place.at;
        let unknown = computed(at, self.kind_of(place).name(), Vec::new());
        match self.rank_of(place) {
            0 => {
                let place = self.place(place)?;
                Some(evaluate(assign(at, place, unknown)))
            }
            rank => {
                let names = self.positions(rank);
                let element = self.element_of(place, &names)?;
                let body = evaluate(assign(at, element, unknown));
                self.over_all(place, &names, body, at)
            }
        }
    }

    /// `WHERE`: each assignment goes through all elements, and stores where the mask says.
    fn masked(&mut self, arms: &[(Option<Expr>, Vec<Fortran>)], at: At) -> Statement {
        let mut list = Vec::new();
        for (mask, body) in arms {
            for one in body {
                let Exec::Assign(left, right) = &one.kind else {
                    list.push(self.rejected("this statement in WHERE".to_owned(), one.at));
                    continue;
                };
                let masks: Vec<&Expr> = arms
                    .iter()
                    .filter_map(|(other, _)| other.as_ref())
                    .take_while(|other| mask.as_ref().is_none_or(|own| !std::ptr::eq(*other, own)))
                    .collect();
                let translated = self.masked_assignment(mask.as_ref(), &masks, left, right, one.at);
                list.push(translated.unwrap_or_else(|| {
                    self.rejected("this assignment in WHERE".to_owned(), one.at)
                }));
            }
        }
        block(at, list)
    }

    fn masked_assignment(
        &mut self,
        mask: Option<&Expr>,
        before: &[&Expr],
        left: &Expr,
        right: &Expr,
        at: At,
    ) -> Option<Statement> {
        let reads_stored = |expr: &Expr| super::overlap::needs_temporary(left, expr);
        if reads_stored(right) || mask.is_some_and(reads_stored) {
            return None;
        }
        let names = self.positions(self.rank_of(left));
        let stored = self.element_of(left, &names)?;
        let value = match self.rank_of(right) {
            0 => self.expr(right),
            _ => self.element_of(right, &names)?,
        };
        let mut body = evaluate(assign(at, stored, value));
        if let Some(mask) = mask {
            let condition = self.element_of(mask, &names)?;
            body = statement(
                at,
                StatementKind::If {
                    condition,
                    then: Box::new(body),
                    otherwise: None,
                },
            );
        }
        for earlier in before.iter().rev() {
            let condition = self.element_of(earlier, &names)?;
            body = statement(
                at,
                StatementKind::If {
                    condition,
                    then: Box::new(empty(at)),
                    otherwise: Some(Box::new(body)),
                },
            );
        }
        self.over_all(left, &names, body, at)
    }

    fn named_block(
        &mut self,
        key: Option<&crate::syntax::Key>,
        body: &[Fortran],
        at: At,
    ) -> Statement {
        self.open_construct(key.cloned(), at);
        let translated = self.body(body, at);
        self.close_construct(translated, at)
    }
}

/// A label as a name.
pub(super) fn label_name(label: u32) -> Name {
    Name::from(label.to_string())
}

/// That a jump is not followed.
pub(super) fn jump(keyword: &'static str) -> RejectReason {
    RejectReason::Jump { keyword }
}

/// A statement that only running the program tells whether it is executed.
fn perhaps(one: Statement) -> Statement {
    let at = one.at;
    statement(
        at,
        StatementKind::If {
            condition: computed(at, crate::names::types::LOGICAL.name(), Vec::new()),
            then: Box::new(one),
            otherwise: None,
        },
    )
}
