//! Steps of loops that stand within expressions become statements of their own.
//!
//! ```text
//! while (lo < hi) {               while (lo < hi) {
//!     a[lo++] = b[hi--];              a[lo] = b[hi];
//! }                                   lo++;
//!                                     hi--;
//!                                 }
//! ```
//!
//! A step is taken out of an expression where it is evaluated once whatever the operands are, where the variable has no
//! other place in the expression, and where no call might see the variable. Only loops whose condition mentions the
//! variable need it.

use crate::SyntaxFacts;
use crate::induction_step::variable_name;
use crate::syntax::{Expression, ExpressionKind as Kind, Name, Statement, StatementKind};
use crate::visit::children_mut;
use std::collections::BTreeSet;

/// Takes the steps of all loops in a function's body out of expressions, where possible.
pub(crate) fn with_steps_apart(mut body: Statement) -> Statement {
    in_statement(&mut body);
    body
}

fn in_statement(statement: &mut Statement) {
    for child in children_mut(statement) {
        in_statement(child);
    }
    let (condition, body) = match &mut statement.kind {
        StatementKind::While { condition, body } | StatementKind::DoWhile { body, condition } => {
            (&*condition, &mut **body)
        }
        StatementKind::For(head) if head.step.is_none() => match &head.condition {
            Some(condition) => (condition, &mut head.body),
            None => return,
        },
        _ => return,
    };
    let tested = SyntaxFacts::of_expression(condition).mentioned;
    match &mut body.kind {
        StatementKind::Block(list) => {
            let apart = |one: Statement| apart(one, &tested);
            *list = std::mem::take(list).into_iter().flat_map(apart).collect();
        }
        StatementKind::Expression(_) => {
            let list = apart(body.clone(), &tested);
            if 1 < list.len() {
                body.kind = StatementKind::Block(list);
            }
        }
        _ => {}
    }
}

/// A statement with the steps that it has within an expression before and behind it.
fn apart(mut statement: Statement, tested: &BTreeSet<Name>) -> Vec<Statement> {
    let StatementKind::Expression(expression) = &mut statement.kind else {
        return vec![statement];
    };
    let mut taken = TakenSteps::default();
    let is_step = matches!(expression.kind, Kind::Increment { .. });
    let mut trial = expression.clone();
    if is_step || !taken.take(&mut trial) || !taken.steps.iter().any(|x| tested.contains(&x.name)) {
        return vec![statement];
    }
    let left = SyntaxFacts::of_expression(&trial);
    let mut names = BTreeSet::new();
    let is_only = |step: &TakenStep| {
        taken
            .places
            .iter()
            .filter(|name| **name == step.name)
            .count()
            == 1
            && !left.changed.contains(&step.name)
    };
    if !taken
        .steps
        .iter()
        .all(|step| is_only(step) && names.insert(step.name.clone()))
    {
        return vec![statement];
    }
    *expression = trial;
    let at = statement.at;
    let step = |step: TakenStep| Statement {
        at,
        kind: StatementKind::Expression(step.expression),
    };
    let (before, behind): (Vec<_>, Vec<_>) = taken.steps.into_iter().partition(|x| x.is_prefix);
    let before = before.into_iter().map(step);
    let list = before.chain([statement]);
    list.chain(behind.into_iter().map(step)).collect()
}

/// A step that was taken out of an expression.
struct TakenStep {
    name: Name,
    is_prefix: bool,
    expression: Expression,
}

/// The steps that are taken out of an expression, and all places of names in it.
#[derive(Default)]
struct TakenSteps {
    steps: Vec<TakenStep>,
    places: Vec<Name>,
}

impl TakenSteps {
    /// Replaces the steps in an expression by their variables; false where it has parts that are not analysed or that
    /// are not always evaluated.
    fn take(&mut self, expression: &mut Expression) -> bool {
        match &mut expression.kind {
            Kind::Increment {
                is_prefix, operand, ..
            } => {
                let Some(name) = variable_name(operand).cloned() else {
                    return false;
                };
                self.places.push(name.clone());
                let inner = Kind::Name(name.clone());
                let is_prefix = *is_prefix;
                let taken = expression.clone();
                self.steps.push(TakenStep {
                    name,
                    is_prefix,
                    expression: taken,
                });
                expression.kind = inner;
                true
            }
            Kind::Name(name) => {
                self.places.push(name.clone());
                true
            }
            Kind::Integer(..) | Kind::Floating(..) => true,
            Kind::Unary(_, x)
            | Kind::Dereference(x)
            | Kind::Member { base: x, .. }
            | Kind::Cast(_, x) => self.take(x),
            Kind::Binary(_, a, b) | Kind::Assign(_, a, b) | Kind::Index(a, b) => {
                self.take(a) && self.take(b)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Binary;
    use crate::test_syntax::{
        binary, block, expression, index, int, less, set, text, var, while_loop,
    };

    fn stepped(variable: &str, by: i64, is_prefix: bool) -> Expression {
        expression(Kind::Increment {
            step: by,
            is_prefix,
            operand: Box::new(var(variable)),
        })
    }

    fn separated(list: Vec<Statement>) -> String {
        let condition = less(var("lo"), var("hi"));
        text(&with_steps_apart(block(vec![while_loop(condition, list)])))
    }

    #[test]
    fn steps_stand_before_what_reads_the_new_value_and_behind_what_reads_the_old_one() {
        let store = set(
            index("a", stepped("lo", 1, false)),
            index("b", stepped("hi", -1, true)),
        );
        let one = |list: Vec<Statement>| {
            let condition = less(var("lo"), var("hi"));
            text(&block(vec![while_loop(condition, list)]))
        };
        let expected = one(vec![
            Statement {
                at: store.at,
                kind: StatementKind::Expression(stepped("hi", -1, true)),
            },
            set(index("a", var("lo")), index("b", var("hi"))),
            Statement {
                at: store.at,
                kind: StatementKind::Expression(stepped("lo", 1, false)),
            },
        ]);
        assert_eq!(separated(vec![store]), expected);
    }

    #[test]
    fn a_step_stays_where_its_variable_has_another_place_or_the_condition_does_not_mention_it() {
        let twice = binary(Binary::Add, var("lo"), stepped("lo", 1, false));
        for statement in [
            set(index("a", twice), int(0)),
            set(index("a", stepped("k", 1, false)), int(0)),
        ] {
            let condition = less(var("lo"), var("hi"));
            let unchanged = block(vec![while_loop(condition, vec![statement.clone()])]);
            assert_eq!(separated(vec![statement]), text(&unchanged));
        }
    }
}
