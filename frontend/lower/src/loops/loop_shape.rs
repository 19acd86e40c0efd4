//! The shape of a loop's header: its induction variable, its step and its exit tests, as syntax.

use crate::domain::values::Target;
use crate::syntax::{
    Binary, Expression as Syntax, ExpressionKind, Name, Statement, StatementKind, TextRange,
    TypeName, Unary,
};
use premiss_ast::{InductionStep, geometric_step, induction_step, variable_name};
use premiss_tree::{Expression, IntegerType, VariableId};

/// The induction variable.
pub(crate) struct InductionVariable {
    pub(crate) id: VariableId,
    pub(crate) kind: IntegerType,
    /// For a pointer: its target, and the size in bytes of a step of one.
    pub(crate) pointer: Option<(Target, Expression)>,
}

/// When a loop's condition is tested.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TestPosition {
    /// Before each iteration.
    Before,
    /// After each iteration, so that there is at least one.
    After,
}

/// The parts of a loop as syntax: what is tested before or after each iteration, the body, and what follows the body.
pub(crate) struct LoopParts<'s> {
    /// The keyword and header; the condition of a `do`.
    pub(crate) header: TextRange,
    pub(crate) tested: TestPosition,
    pub(crate) initial: Option<&'s Statement>,
    pub(crate) condition: Option<&'s Syntax>,
    pub(crate) body: &'s [Statement],
    pub(crate) steps: Vec<&'s Syntax>,
}

impl<'s> LoopParts<'s> {
    fn take_step_from_body(&mut self) {
        let list = match self.body {
            [
                Statement {
                    kind: StatementKind::Block(list),
                    ..
                },
            ] => list,
            list => list,
        };
        if list.iter().any(premiss_ast::visit::continues) {
            return;
        }
        if let Some((last, before)) = list.split_last()
            && let StatementKind::Expression(step) = &last.kind
            && (induction_step(step).is_some() || geometric_step(step).is_some())
        {
            self.body = before;
            self.steps = vec![step];
        }
    }
}

/// One comparison of a loop's condition, turned so that the iterator is on the left.
pub(crate) struct ExitTest<'s> {
    pub(crate) operator: Binary,
    /// The terms added to the iterator there; subtracted if the flag is set.
    pub(crate) plus: Vec<(&'s Syntax, bool)>,
    /// The bound that it is compared with; `None` for zero.
    pub(crate) bound: Option<&'s Syntax>,
    /// `i-- > 0`: how the iterator changes before it is compared (`--i`) or after (`i--`).
    pub(crate) change: Option<TestUpdate>,
}

impl ExitTest<'_> {
    /// The same test for its place before the test that changes the iterator: as if it changed the iterator itself and
    /// compared the old value.
    fn before(mut self, changed_idx: Option<usize>, step: InductionStep) -> Self {
        if let (Some(_), None, InductionStep::Constant(by)) = (changed_idx, self.change, step) {
            self.change = Some(TestUpdate {
                step: by,
                is_prefix: false,
            });
        }
        self
    }
}

#[derive(Clone, Copy)]
pub(crate) struct TestUpdate {
    pub(crate) step: i64,
    pub(crate) is_prefix: bool,
}

/// The header of a counted loop.
pub(crate) struct LoopShape<'s> {
    pub(crate) iterator: Name,
    pub(crate) tested: TestPosition,
    pub(crate) step: InductionStep<'s>,
    pub(crate) tests: Vec<ExitTest<'s>>,
    /// The tests in the body that end the loop if they fail, before the iterator steps.
    pub(crate) inner_tests: Vec<ExitTest<'s>>,
    /// Conditions that do not involve the iterator.
    pub(crate) guards: Vec<&'s Syntax>,
    /// The index of the iterator's step among the steps; `None` if the condition changes the iterator.
    pub(crate) step_idx: Option<usize>,
    /// Whether the condition may end the loop before its change of the iterator: `0 < i && i--`.
    pub(crate) may_skip_step: bool,
    pub(crate) bounds: TestBounds,
}

/// What is required of the bounds that the iterator is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TestBounds {
    /// They are the same in every test.
    Invariant,
    /// They may differ from test to test: the greatest of them limits the trip count.
    ///
    /// ```text
    /// for (i = 0; i < *n; i++) { …; *n = f(i); }       within i = 0; i < max(*n)
    /// ```
    WithinRange,
}

pub(crate) type LinearForm<'s> = (Vec<(&'s Syntax, bool)>, Option<TestUpdate>);

/// Splits a loop statement into its parts. The step of a `while` is the last statement of its body, if no jump skips
/// it.
pub(crate) fn loop_parts(statement: &Statement) -> Option<LoopParts<'_>> {
    match &statement.kind {
        StatementKind::For(head) => {
            let mut steps = Vec::new();
            head.step
                .iter()
                .for_each(|step| flatten_steps(step, &mut steps));
            let mut parts = LoopParts {
                header: head.header,
                tested: TestPosition::Before,
                initial: Some(&head.initial),
                condition: head.condition.as_ref(),
                body: std::slice::from_ref(&head.body),
                steps,
            };
            if parts.steps.is_empty() {
                parts.take_step_from_body();
            }
            Some(parts)
        }
        StatementKind::While { condition, body } => {
            let end = TextRange {
                start: condition.at.end,
                end: condition.at.end + 1,
                ..condition.at
            };
            let mut parts = LoopParts {
                header: statement.at.to(end),
                tested: TestPosition::Before,
                initial: None,
                condition: Some(condition),
                body: std::slice::from_ref(&**body),
                steps: Vec::new(),
            };
            parts.take_step_from_body();
            Some(parts)
        }
        StatementKind::DoWhile { body, condition } => {
            let mut parts = LoopParts {
                header: condition.at,
                tested: TestPosition::After,
                initial: None,
                condition: Some(condition),
                body: std::slice::from_ref(&**body),
                steps: Vec::new(),
            };
            parts.take_step_from_body();
            Some(parts)
        }
        _ => None,
    }
}

/// Finds the iterator and its tests, or the reason why there are none.
pub(crate) fn loop_shape<'s>(
    parts: &LoopParts<'s>,
    text: impl Fn(TextRange) -> String,
) -> Result<LoopShape<'s>, String> {
    let condition = parts.condition.ok_or("it has no condition")?;
    if let ExpressionKind::Integer(..) | ExpressionKind::Computed(..) = condition.kind {
        return Err("jumps alone tell when it ends".to_owned());
    }
    let mut conjuncts = Vec::new();
    conjoin(condition, &mut conjuncts);
    let mut candidates = Vec::new();
    for (idx, step) in parts.steps.iter().enumerate() {
        if let Some((name, step)) = induction_step(step) {
            candidates.push((name.clone(), step, Some(idx)));
        }
    }
    for conjunct in &conjuncts {
        if let Some((name, by)) = changed_in(conjunct) {
            candidates.push((name.clone(), InductionStep::Constant(by), None));
        }
    }
    for (iterator, step, step_idx) in candidates {
        let mut tests = Vec::new();
        let mut guards = Vec::new();
        let changes = |conjunct: &&Syntax| changed_in(conjunct).is_some_and(|x| *x.0 == iterator);
        let changed_idx = conjuncts.iter().position(changes);
        for (idx, conjunct) in conjuncts.iter().enumerate() {
            match test_of(conjunct, &iterator) {
                Some(test) => tests.push(test.before(changed_idx.filter(|at| idx < *at), step)),
                None => guards.push(*conjunct),
            }
        }
        let is_changed_by_test = tests.iter().any(|test| test.change.is_some());
        if !tests.is_empty() && is_changed_by_test == step_idx.is_none() {
            return Ok(LoopShape {
                iterator,
                tested: parts.tested,
                step,
                tests,
                inner_tests: Vec::new(),
                guards,
                step_idx,
                may_skip_step: step_idx.is_none() && changed_idx != Some(0),
                bounds: TestBounds::Invariant,
            });
        }
    }
    Err(format!(
        "`{}` does not compare a variable that each iteration steps by the same amount, in a statement of its own at its end",
        text(condition.at)
    ))
}

/// The shape of a loop without a condition whose body ends it where one of these conditions holds; its iterator is the
/// first variable that a step changes and that all conditions compare.
pub(crate) fn endless_shape<'s>(
    parts: &LoopParts<'s>,
    leaving: &'s [Syntax],
) -> Option<LoopShape<'s>> {
    let endless = match parts.condition.map(|syntax| &syntax.kind) {
        None => true,
        Some(ExpressionKind::Integer(value, _)) => *value != 0,
        Some(_) => false,
    };
    let steps = parts.steps.iter().enumerate();
    let mut candidates = steps.filter_map(|(idx, step)| {
        let (name, step) = induction_step(step)?;
        let mut tests = leaving.iter().map(|syntax| staying_test(syntax, name));
        tests.all(|test| test.is_some()).then(|| LoopShape {
            iterator: name.clone(),
            tested: parts.tested,
            step,
            tests: Vec::new(),
            inner_tests: Vec::new(),
            guards: Vec::new(),
            step_idx: Some(idx),
            may_skip_step: false,
            bounds: TestBounds::Invariant,
        })
    });
    candidates.next().filter(|_| endless)
}

fn flatten_steps<'s>(syntax: &'s Syntax, steps: &mut Vec<&'s Syntax>) {
    match &syntax.kind {
        ExpressionKind::Comma(left, right) => {
            flatten_steps(left, steps);
            flatten_steps(right, steps);
        }
        _ => steps.push(syntax),
    }
}

/// Adds the conjuncts of a condition, in order.
pub(crate) fn conjoin<'s>(syntax: &'s Syntax, conjuncts: &mut Vec<&'s Syntax>) {
    match &syntax.kind {
        ExpressionKind::And(left, right) => {
            conjoin(left, conjuncts);
            conjoin(right, conjuncts);
        }
        _ => conjuncts.push(syntax),
    }
}

/// The variable that a test changes, as in `i-- > 0` or `i--`.
fn changed_in(syntax: &Syntax) -> Option<(&Name, i64)> {
    match &syntax.kind {
        ExpressionKind::Increment {
            step: by, operand, ..
        } => Some((variable_name(operand)?, *by)),
        ExpressionKind::Unary(Unary::Not, inner) => match inner.kind {
            ExpressionKind::Binary(..) => changed_in(inner),
            _ => None,
        },
        ExpressionKind::Binary(operator, a, b) if operator.is_comparison() => {
            let increment = |x: &'_ Syntax| matches!(x.kind, ExpressionKind::Increment { .. });
            if increment(a) {
                changed_in(a)
            } else if increment(b) {
                changed_in(b)
            } else {
                None
            }
        }
        _ => None,
    }
}

fn flip_comparison(operator: Binary) -> Binary {
    match operator {
        Binary::Less => Binary::Greater,
        Binary::LessEqual => Binary::GreaterEqual,
        Binary::Greater => Binary::Less,
        Binary::GreaterEqual => Binary::LessEqual,
        other => other,
    }
}

/// The comparison of integers that is the negation of another one, if it can be an exit test.
fn opposite_comparison(operator: Binary) -> Option<Binary> {
    Some(match operator {
        Binary::Less => Binary::GreaterEqual,
        Binary::LessEqual => Binary::Greater,
        Binary::Greater => Binary::LessEqual,
        Binary::GreaterEqual => Binary::Less,
        Binary::Equal => Binary::NotEqual,
        _ => return None,
    })
}

/// The test that fails where a condition holds, if that compares the iterator.
pub(crate) fn staying_test<'s>(leaving: &'s Syntax, iterator: &Name) -> Option<ExitTest<'s>> {
    let (leaving, is_negated) = match &leaving.kind {
        ExpressionKind::Unary(Unary::Not, inner) => (&**inner, true),
        _ => (leaving, false),
    };
    let ExpressionKind::Binary(operator, left, right) = &leaving.kind else {
        return None;
    };
    let staying = match is_negated {
        true => Some(*operator),
        false => opposite_comparison(*operator),
    };
    let operator = staying.filter(|_| operator.is_comparison())?;
    test_of_sides(operator, left, Some(right), iterator).filter(|test| test.change.is_none())
}

pub(crate) fn test_of<'s>(syntax: &'s Syntax, iterator: &Name) -> Option<ExitTest<'s>> {
    let (operator, left, right) = match &syntax.kind {
        ExpressionKind::Unary(Unary::Not, inner) => match &inner.kind {
            ExpressionKind::Binary(operator, left, right) if operator.is_comparison() => {
                (opposite_comparison(*operator)?, &**left, Some(&**right))
            }
            _ => return None,
        },
        ExpressionKind::Binary(operator, left, right)
            if operator.is_comparison() && *operator != Binary::Equal =>
        {
            (*operator, &**left, Some(&**right))
        }
        _ => (Binary::NotEqual, syntax, None),
    };
    test_of_sides(operator, left, right, iterator)
}

fn test_of_sides<'s>(
    operator: Binary,
    left: &'s Syntax,
    right: Option<&'s Syntax>,
    iterator: &Name,
) -> Option<ExitTest<'s>> {
    if let Some((plus, change)) = linear_in_iterator(left, iterator) {
        return Some(ExitTest {
            operator,
            plus,
            bound: right,
            change,
        });
    }
    let (plus, change) = linear_in_iterator(right?, iterator)?;
    Some(ExitTest {
        operator: flip_comparison(operator),
        plus,
        bound: Some(left),
        change,
    })
}

/// An expression as the iterator plus terms without it.
fn linear_in_iterator<'s>(syntax: &'s Syntax, iterator: &Name) -> Option<LinearForm<'s>> {
    match &syntax.kind {
        ExpressionKind::Name(name) if name == iterator => Some((Vec::new(), None)),
        ExpressionKind::Increment {
            step: by,
            is_prefix,
            operand,
        } if variable_name(operand) == Some(iterator) => {
            let change = TestUpdate {
                step: *by,
                is_prefix: *is_prefix,
            };
            Some((Vec::new(), Some(change)))
        }
        ExpressionKind::Cast(kind, inner) => match &**kind {
            TypeName::Integer(kind) if 32 <= kind.bits => linear_in_iterator(inner, iterator),
            _ => None,
        },
        ExpressionKind::Binary(Binary::Add, a, b) => {
            let ((mut plus, change), other) = match linear_in_iterator(a, iterator) {
                Some(found) => (found, b),
                None => (linear_in_iterator(b, iterator)?, a),
            };
            plus.push((other, false));
            Some((plus, change))
        }
        ExpressionKind::Binary(Binary::Subtract, a, b) => {
            let (mut plus, change) = linear_in_iterator(a, iterator)?;
            plus.push((b, true));
            Some((plus, change))
        }
        _ => None,
    }
}
