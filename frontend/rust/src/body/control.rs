//! Blocks, branches and jumps.

use super::{Body, build};
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::{At, Expression, Name, Statement, StatementKind};
use syn::{Block, Expr, Lifetime, Pat};

/// A loop or labelled block that jumps may leave.
#[derive(Debug)]
pub(crate) struct Around<'a> {
    label: Option<String>,
    is_loop: bool,
    /// How many loops are open in it.
    pub(super) n_loops: usize,
    /// How many are open in its body: an iterator may be several loops.
    pub(super) n_body_loops: usize,
    pub(super) behind: Name,
    pub(super) at_end: Name,
    pub(super) is_left: bool,
    pub(super) is_continued: bool,
    /// What it yields: variables, and their declarations.
    pub(super) result: Option<Value<'a>>,
    pub(super) declarations: Vec<Statement>,
}

/// Where a `return` leads.
#[derive(Debug, Clone)]
pub(crate) enum Returns<'a> {
    /// Out of the function that is made.
    Function,
    /// Behind the code that takes the place of a call.
    Inlined { result: Value<'a>, label: Name },
}

impl<'a> Body<'a, '_> {
    /// A block with names of its own.
    pub(super) fn scoped(&mut self, block: &'a Block) -> Value<'a> {
        let sees = self.sees.clone();
        let value = self.statements(block);
        self.sees = sees;
        value
    }

    pub(super) fn block_expression(&mut self, block: &'a syn::ExprBlock, at: At) -> Value<'a> {
        let Some(label) = &block.label else {
            return self.scoped(&block.block);
        };
        self.enter(Some(&label.name), false);
        let (mut statements, value) = self.aside(|body| {
            let value = body.statements(&block.block);
            body.leave_with(value, at)
        });
        let _ = value;
        let Some(around) = self.loops.pop() else {
            return Value::Unit;
        };
        for declaration in around.declarations {
            self.emit(declaration);
        }
        drop_last_jump(&mut statements, &around.behind);
        self.emit(build::block(at, statements));
        self.put_label(&around.behind, at);
        around.result.unwrap_or(Value::Unit)
    }

    /// Notes a loop or block that jumps may leave.
    pub(super) fn enter(&mut self, label: Option<&Lifetime>, is_loop: bool) {
        self.n_labels += 1;
        let number = self.n_labels;
        self.loops.push(Around {
            label: label.map(|label| label.ident.to_string()),
            is_loop,
            n_loops: self.n_loops + usize::from(is_loop),
            n_body_loops: self.n_loops + usize::from(is_loop),
            behind: format!("behind'{number}").into(),
            at_end: format!("end'{number}").into(),
            is_left: false,
            is_continued: false,
            result: None,
            declarations: Vec::new(),
        });
    }

    /// A label, with nothing behind it.
    pub(super) fn put_label(&mut self, label: &Name, at: At) {
        let place = At {
            start: at.end,
            ..at
        };
        let nothing = Box::new(build::statement(place, StatementKind::Empty));
        let kind = StatementKind::Label(label.clone(), nothing);
        self.emit(build::statement(place, kind));
    }

    fn target(&self, label: Option<&Lifetime>) -> Option<usize> {
        let name = label.map(|label| label.ident.to_string());
        self.loops.iter().rposition(|around| match &name {
            Some(name) => around.label.as_ref() == Some(name),
            None => around.is_loop,
        })
    }

    pub(super) fn break_from(&mut self, jump: &'a syn::ExprBreak, at: At) -> Value<'a> {
        let value = match &jump.expr {
            Some(value) => self.expression(value, None),
            None => Value::Unit,
        };
        match self.target(jump.label.as_ref()) {
            Some(target) => self.leave(target, &value, at),
            None => self.unsupported("a `break` outside of loops", at),
        }
    }

    fn leave_with(&mut self, value: Value<'a>, at: At) -> Value<'a> {
        match value {
            Value::Never => Value::Never,
            value => self.leave(self.loops.len() - 1, &value, at),
        }
    }

    fn leave(&mut self, target: usize, value: &Value<'a>, at: At) -> Value<'a> {
        if !matches!(value, Value::Unit | Value::Never) {
            self.give_result(target, value, at);
        }
        let around = &mut self.loops[target];
        let is_plain = around.is_loop && around.n_loops == self.n_loops;
        let kind = match is_plain {
            true => StatementKind::Break,
            false => {
                around.is_left = true;
                StatementKind::Goto(Some(around.behind.clone()))
            }
        };
        self.jump_statement(kind, at)
    }

    fn give_result(&mut self, target: usize, value: &Value<'a>, at: At) {
        if self.loops[target].result.is_none() {
            self.n_labels += 1;
            let name = format!("result'{}", self.n_labels);
            let (declarations, slot) = self.aside_keeping(|body| body.slot_for(value, &name, at));
            self.loops[target].declarations = declarations;
            self.loops[target].result = Some(slot);
        }
        if let Some(slot) = self.loops[target].result.clone() {
            self.assign_parts(&slot, value, at);
        }
    }

    pub(super) fn continue_from(&mut self, jump: &'a syn::ExprContinue, at: At) -> Value<'a> {
        let Some(target) = self.target(jump.label.as_ref()) else {
            return self.unsupported("a `continue` outside of loops", at);
        };
        let around = &mut self.loops[target];
        let kind = match around.n_body_loops == self.n_loops {
            true => StatementKind::Continue,
            false => {
                around.is_continued = true;
                StatementKind::Goto(Some(around.at_end.clone()))
            }
        };
        self.jump_statement(kind, at)
    }

    pub(super) fn return_expression(&mut self, jump: &'a syn::ExprReturn, at: At) -> Value<'a> {
        let expected = self.result.clone();
        let value = match &jump.expr {
            Some(value) => self.expression(value, Some(&expected)),
            None => Value::Unit,
        };
        if !matches!(value, Value::Never) {
            self.return_value(value, at);
        }
        Value::Never
    }

    /// Leaves the function with a value.
    pub(super) fn return_value(&mut self, value: Value<'a>, at: At) {
        match self.returns.clone() {
            Returns::Function => self.return_from_function(value, at),
            Returns::Inlined { result, label } => {
                let value = self.coerced(value, &result.kind());
                self.assign_parts(&result, &value, at);
                let jump = StatementKind::Goto(Some(label));
                self.emit(build::statement(at, jump));
            }
        }
    }

    /// `value?`
    pub(super) fn tried(&mut self, tried: &'a syn::ExprTry, at: At) -> Value<'a> {
        let value = self.expression(&tried.expr, None);
        let value = self.held(value, "tried");
        let is_some = self.is_some(&value, at, 1);
        if build::as_integer(&is_some) != Some(1) {
            let is_none = build::unary(at, premiss_ast::syntax::Unary::Not, is_some);
            let (list, ()) = self.aside(|body| {
                let nothing = Value::Unknown(body.result.clone());
                body.return_value(nothing, at);
            });
            self.emit_if(is_none, list, Vec::new(), at);
        }
        self.contained(value)
    }

    pub(super) fn emit_if(
        &mut self,
        condition: Expression,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
        at: At,
    ) {
        let otherwise = (!otherwise.is_empty()).then(|| Box::new(build::block(at, otherwise)));
        let kind = StatementKind::If {
            condition,
            then: Box::new(build::block(at, then)),
            otherwise,
        };
        self.emit(build::statement(at, kind));
    }

    pub(super) fn if_expression(
        &mut self,
        branch: &'a syn::ExprIf,
        at: At,
        expected: Option<&Ty>,
    ) -> Value<'a> {
        let sees = self.sees.clone();
        let condition = self.condition(&branch.cond);
        let lets = std::mem::take(&mut self.lets);
        let then = self.aside(|body| {
            for (pattern, value) in lets {
                body.bind(pattern, value);
            }
            body.statements_as(&branch.then_branch, expected)
        });
        self.sees = sees;
        let otherwise = match &branch.else_branch {
            Some((_, otherwise)) => self.aside(|body| body.expression(otherwise, expected)),
            None => (Vec::new(), Value::Unit),
        };
        self.choice(condition, then, otherwise, at)
    }

    pub(super) fn statements_as(&mut self, block: &'a Block, expected: Option<&Ty>) -> Value<'a> {
        match block.stmts.as_slice() {
            [syn::Stmt::Expr(value, None)] => self.expression(value, expected),
            _ => self.statements(block),
        }
    }

    /// What one of two arms yields.
    pub(super) fn choice(
        &mut self,
        condition: Expression,
        then: (Vec<Statement>, Value<'a>),
        otherwise: (Vec<Statement>, Value<'a>),
        at: At,
    ) -> Value<'a> {
        let is_bare = then.0.is_empty() && otherwise.0.is_empty();
        if let (true, Value::Plain(a, a_kind), Value::Plain(b, b_kind)) =
            (is_bare, &then.1, &otherwise.1)
        {
            let (a_kind, b_kind) = (self.solved(a_kind), self.solved(b_kind));
            let is_value = |kind: &Ty| kind.is_scalar() || matches!(kind, Ty::Pointer(_));
            if is_value(&a_kind) && is_value(&b_kind) {
                self.tell(&then.1.kind(), &otherwise.1.kind());
                let kind = if a_kind.is_weak() {
                    b_kind.clone()
                } else {
                    a_kind.clone()
                };
                let a = self.loaded(a.clone(), &a_kind);
                let b = self.loaded(b.clone(), &b_kind);
                return Value::Plain(build::conditional(at, [condition, a, b]), kind);
            }
        }
        let mut arms = vec![then, otherwise];
        let result = self.merged(&mut arms, at);
        let otherwise = arms.pop().map(|arm| arm.0).unwrap_or_default();
        let then = arms.pop().map(|arm| arm.0).unwrap_or_default();
        self.emit_if(condition, then, otherwise, at);
        result
    }

    /// Gives each arm statements that store what it yields to the same variables.
    pub(super) fn merged(&mut self, arms: &mut [(Vec<Statement>, Value<'a>)], at: At) -> Value<'a> {
        let yields = |value: &Value| !matches!(value, Value::Never);
        let mut shape: Option<Value<'a>> = None;
        for (_, value) in arms.iter().filter(|arm| yields(&arm.1)) {
            let is_better = match &shape {
                None => true,
                Some(shape) => known_parts(shape) < known_parts(value),
            };
            if is_better {
                shape = Some(value.clone());
            }
        }
        let Some(shape) = shape else {
            return Value::Never;
        };
        for (_, value) in arms.iter() {
            self.tell(&shape.kind(), &value.kind());
        }
        let n_arms = arms.iter().filter(|arm| yields(&arm.1)).count();
        if n_arms == 1 && matches!(shape, Value::Iterator(_) | Value::Closure(_)) {
            return shape;
        }
        let slot = match shape {
            Value::Unit => Value::Unit,
            Value::Iterator(_) | Value::Closure(_) => {
                return self.unsupported("an iterator or closure that a branch chooses", at);
            }
            Value::Unknown(kind) => Value::Unknown(kind),
            shape => self.slot_for(&shape, "chosen", at),
        };
        for (statements, value) in arms {
            let mut list = std::mem::take(statements);
            std::mem::swap(&mut self.block, &mut list);
            match &slot {
                _ if !yields(value) => {}
                Value::Unit | Value::Unknown(_) => {
                    self.evaluate(value.clone());
                }
                slot => {
                    let value = self.coerced(value.clone(), &slot.kind());
                    self.assign_parts(slot, &value, at);
                }
            }
            std::mem::swap(&mut self.block, &mut list);
            *statements = list;
        }
        slot
    }

    /// Variables that hold values like one.
    pub(super) fn slot_for(&mut self, value: &Value<'a>, wanted: &str, at: At) -> Value<'a> {
        let mut names = Vec::new();
        let kinds = match value {
            Value::Plain(_, kind @ Ty::Array(..)) => {
                let kind = kind.clone().pointer();
                self.parts_of(&kind)
            }
            value => self.part_kinds(value),
        };
        for (suffix, kind) in kinds {
            let name = self.new_name(&format!("{wanted}{suffix}"));
            self.changing.insert(name.clone());
            let place = self.fresh_at(at);
            self.emit(build::declaration(place, &name, kind, None));
            names.push(build::name(at, &name));
        }
        value.with_parts(&mut names.into_iter())
    }

    /// `let pattern = value` in a condition.
    pub(super) fn let_condition(&mut self, condition: &'a syn::ExprLet) -> Expression {
        let at = self.at(condition);
        let value = self.expression(&condition.expr, None);
        let value = self.held(value, "matched");
        let truth = self.matches(&condition.pat, &value);
        self.lets.push((&condition.pat, value));
        truth.unwrap_or_else(|| build::integer(at, 1))
    }

    /// `let pattern = value else { … };`
    pub(super) fn let_else(
        &mut self,
        pattern: &'a Pat,
        value: Value<'a>,
        otherwise: &'a Expr,
    ) -> Value<'a> {
        let at = self.at(otherwise);
        let value = self.held(value, "matched");
        if let Some(truth) = self.matches(pattern, &value) {
            let is_other = build::unary(at, premiss_ast::syntax::Unary::Not, truth);
            let (list, _) = self.aside(|body| body.expression(otherwise, None));
            self.emit_if(is_other, list, Vec::new(), at);
        }
        self.bind(pattern, value);
        Value::Unit
    }
}

/// How much of a value is known.
fn known_parts(value: &Value) -> usize {
    match value {
        Value::Unknown(_) | Value::Unit | Value::Never => 0,
        Value::Maybe(_, inner) => 1 + known_parts(inner),
        Value::Tuple(parts) => 1 + parts.iter().map(known_parts).sum::<usize>(),
        _ => 2,
    }
}

/// A jump to what comes next anyway says nothing.
pub(super) fn drop_last_jump(list: &mut Vec<Statement>, label: &Name) {
    if let Some(Statement {
        kind: StatementKind::Goto(Some(last)),
        ..
    }) = list.last()
        && last == label
    {
        list.pop();
    }
}
