//! `for`, `while` and `loop`.

use super::{Body, build};
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::{At, Expression, For, Name, Statement, StatementKind, Unary};
use syn::{Expr, Stmt};

impl<'a> Body<'a, '_> {
    pub(super) fn for_loop(&mut self, one: &'a syn::ExprForLoop, at: At) -> Value<'a> {
        let items = self.expression(&one.expr, None);
        let expr_at = self.at(&one.expr);
        let header = self.place(one.for_token.span).to(expr_at);
        let Some(sequence) = self.sequence(items, expr_at) else {
            return self.uncounted_for(one, header);
        };
        let label = one.label.as_ref().map(|label| &label.name);
        self.enter(label, true);
        if let (Some(around), true) = (self.loops.last_mut(), sequence.then.is_some()) {
            // What leaves one of several loops that follow one another leaves them all.
            around.n_loops = usize::MAX;
        }
        let pattern = super::drive::Named::of(&one.pat);
        self.drive(sequence, header, &pattern, &mut |body, item| {
            let depth = body.n_loops;
            if let Some(around) = body.loops.last_mut() {
                around.n_body_loops = depth;
            }
            body.bind(&one.pat, item);
            let value = body.scoped(&one.body);
            body.evaluate(value);
        });
        self.close_loop(at);
        Value::Unit
    }

    /// What comes behind a loop that jumps may leave.
    pub(super) fn close_loop(&mut self, at: At) -> Value<'a> {
        let Some(around) = self.loops.pop() else {
            return Value::Unit;
        };
        if around.is_left {
            self.put_label(&around.behind, at);
        }
        around.result.unwrap_or(Value::Unit)
    }

    /// A loop over something whose items nobody knows the number of.
    fn uncounted_for(&mut self, one: &'a syn::ExprForLoop, header: At) -> Value<'a> {
        let at = self.at(&one.expr);
        let label = one.label.as_ref().map(|label| &label.name);
        self.enter(label, true);
        let condition = build::data(at, premiss_ast::syntax::TypeName::Bool);
        let body = self.loop_body(at, |body| {
            body.bind(&one.pat, Value::Unknown(Ty::unknown()));
            body.scoped(&one.body)
        });
        self.emit_while(header, condition, body);
        self.close_loop(header)
    }

    /// The statements of an iteration, with what ends it.
    pub(super) fn loop_body(
        &mut self,
        at: At,
        make: impl FnOnce(&mut Self) -> Value<'a>,
    ) -> Vec<Statement> {
        self.n_loops += 1;
        let (mut list, ()) = self.aside(|body| {
            let value = make(body);
            body.evaluate(value);
        });
        self.n_loops -= 1;
        self.end_iteration(&mut list, at);
        list
    }

    /// Puts the label at the end of an iteration that a `continue` from within leads to.
    pub(super) fn end_iteration(&mut self, list: &mut Vec<Statement>, at: At) {
        let Some(around) = self.loops.last() else {
            return;
        };
        if around.is_continued && around.n_body_loops == self.n_loops + 1 {
            let label = around.at_end.clone();
            let (labelled, ()) = self.aside_keeping(|body| body.put_label(&label, at));
            list.extend(labelled);
        }
    }

    fn emit_while(&mut self, at: At, condition: Expression, body: Vec<Statement>) {
        let place = body.last().map_or(at, |last| at.to(last.at));
        let kind = StatementKind::While {
            condition,
            body: Box::new(build::block(place, body)),
        };
        self.take_declarations();
        self.emit(build::statement(place, kind));
    }

    /// Declares what the innermost loop yields, before it.
    pub(super) fn take_declarations(&mut self) {
        let declarations = match self.loops.last_mut() {
            Some(around) => std::mem::take(&mut around.declarations),
            None => Vec::new(),
        };
        declarations.into_iter().for_each(|one| self.emit(one));
    }

    pub(super) fn while_loop(&mut self, one: &'a syn::ExprWhile, at: At) -> Value<'a> {
        let header = self.place(one.while_token.span).to(self.at(&one.cond));
        self.enter(one.label.as_ref().map(|label| &label.name), true);
        let sees = self.sees.clone();
        let (statements, condition) = self.aside_keeping(|body| body.condition(&one.cond));
        let lets = std::mem::take(&mut self.lets);
        let mut condition = self.after(statements, condition);
        let first = match (lets.is_empty(), one.body.stmts.split_first()) {
            (true, Some((first, _))) => self.step_down(first, &condition),
            _ => None,
        };
        let body = match first {
            Some(step) => {
                condition = build::and(condition.at, condition, step);
                self.loop_body(at, |body| body.list(&one.body.stmts[1..]))
            }
            None => self.loop_body(at, |body| {
                for (pattern, value) in lets {
                    body.bind(pattern, value);
                }
                body.statements(&one.body)
            }),
        };
        self.sees = sees;
        self.emit_while(header, condition, body);
        self.close_loop(at)
    }

    /// The first statement of `while i > 0 { i -= 1; … }` as part of the condition: it yields what `i` was,
    /// which is not 0.
    fn step_down(&mut self, first: &'a Stmt, condition: &Expression) -> Option<Expression> {
        use premiss_ast::syntax::{Binary, ExpressionKind as Kind};
        let Stmt::Expr(Expr::Binary(step), Some(_)) = first else {
            return None;
        };
        let is_step = matches!(step.op, syn::BinOp::SubAssign(_));
        let Kind::Binary(operator, compared, bound) = &condition.kind else {
            return None;
        };
        let is_natural = match operator {
            Binary::Greater => build::as_integer(bound).is_none_or(|bound| 0 <= bound),
            Binary::NotEqual => build::as_integer(bound) == Some(0),
            _ => false,
        };
        let (place, found) = self
            .aside(|body| body.expression(&step.left, None))
            .1
            .place()?;
        let by = self.aside(|body| body.integer(&step.right)).1;
        let (Kind::Name(counter), Kind::Name(name)) = (&compared.kind, &place.kind) else {
            return None;
        };
        let is_unsigned =
            matches!(self.solved(&found), Ty::Int(kind) if !kind.signed || kind.bits == 0);
        let is_it = counter == name && build::as_integer(&by) == Some(1);
        (is_step && is_natural && is_it && is_unsigned).then(|| {
            let kind = Kind::Increment {
                by: -1,
                is_prefix: false,
                operand: Box::new(place),
            };
            Expression::new(self.at(first), kind)
        })
    }

    /// `loop`: one that ends where its first or last statement says so is a `while`.
    pub(super) fn endless_loop(&mut self, one: &'a syn::ExprLoop, at: At) -> Value<'a> {
        let keyword = self.place(one.loop_token.span);
        self.enter(one.label.as_ref().map(|label| &label.name), true);
        let statements = one.body.stmts.as_slice();
        match (statements.split_first(), statements.split_last()) {
            (Some((first, rest)), _) if let Some(test) = ending(first) => {
                let header = keyword.to(self.at(test));
                let (before, condition) = self.aside_keeping(|body| body.condition(test));
                let condition = build::unary(condition.at, Unary::Not, condition);
                let condition = self.after(before, negated(condition));
                let body = self.loop_body(at, |body| body.list(rest));
                self.emit_while(header, condition, body);
            }
            (_, Some((last, rest)))
                if let Some(test) = ending(last)
                    && !super::bodies::continues(rest) =>
            {
                self.do_while(rest, test, keyword, at);
            }
            _ => {
                let condition = build::integer(keyword, 1);
                let body = self.loop_body(at, |body| body.statements(&one.body));
                self.emit_while(keyword, condition, body);
            }
        }
        let result = self.close_loop(at);
        match super::bodies::breaks(&one.body) {
            true => result,
            false => Value::Never,
        }
    }

    fn do_while(&mut self, rest: &'a [Stmt], test: &'a Expr, keyword: At, at: At) {
        let mut condition = None;
        let list = self.loop_body(at, |body| {
            let value = body.list(rest);
            body.evaluate(value);
            let (before, truth) = body.aside_keeping(|body| body.condition(test));
            let truth = build::unary(truth.at, Unary::Not, truth);
            condition = Some(body.after(before, negated(truth)));
            Value::Unit
        });
        let condition = condition.unwrap_or_else(|| build::integer(at, 0));
        // What the body declares is not there any more where the condition stands.
        let place = keyword.to(condition.at);
        let kind = StatementKind::DoWhile {
            body: Box::new(build::block(place, list)),
            condition,
        };
        self.take_declarations();
        self.emit(build::statement(place, kind));
    }

    /// Statements of a block of which some are dealt with already.
    fn list(&mut self, statements: &'a [Stmt]) -> Value<'a> {
        for statement in statements {
            if let Value::Never = self.one_statement(statement) {
                return Value::Never;
            }
        }
        Value::Unit
    }

    /// A loop of the imperative syntax that counts.
    pub(super) fn emit_for(&mut self, head: Head, body: Vec<Statement>) {
        let Head {
            at,
            iterator,
            first,
            condition,
            step,
        } = head;
        let initial = build::declaration(at, &iterator, build::wide(), Some(first));
        let place = body.last().map_or(at, |last| at.to(last.at));
        let one = For {
            header: at,
            initial,
            condition,
            step: Some(step),
            body: build::block(place, body),
        };
        self.emit(build::statement(place, StatementKind::For(Box::new(one))));
    }
}

/// The header of a loop that counts.
pub(super) struct Head {
    pub(super) at: At,
    pub(super) iterator: Name,
    pub(super) first: Expression,
    pub(super) condition: Option<Expression>,
    pub(super) step: Expression,
}

/// The condition of `if condition { break; }`.
fn ending(statement: &Stmt) -> Option<&Expr> {
    let Stmt::Expr(Expr::If(branch), _) = statement else {
        return None;
    };
    let is_break = match branch.then_branch.stmts.as_slice() {
        [Stmt::Expr(Expr::Break(jump), _)] => jump.label.is_none() && jump.expr.is_none(),
        _ => false,
    };
    let is_let = matches!(&*branch.cond, Expr::Let(_));
    (is_break && branch.else_branch.is_none() && !is_let).then_some(&*branch.cond)
}

/// `!(a >= b)` as `a < b`.
fn negated(expression: Expression) -> Expression {
    use premiss_ast::syntax::{Binary, ExpressionKind as Kind};
    let Kind::Unary(Unary::Not, inner) = &expression.kind else {
        return expression;
    };
    let Kind::Binary(operator, a, b) = &inner.kind else {
        return expression;
    };
    let opposite = match operator {
        Binary::Less => Binary::GreaterEqual,
        Binary::LessEqual => Binary::Greater,
        Binary::Greater => Binary::LessEqual,
        Binary::GreaterEqual => Binary::Less,
        Binary::Equal => Binary::NotEqual,
        Binary::NotEqual => Binary::Equal,
        _ => return expression,
    };
    let kind = Kind::Binary(opposite, a.clone(), b.clone());
    Expression::new(expression.at, kind)
}
