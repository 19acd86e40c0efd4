//! Whether `index` and `index_mut` find the same element, however each says it.
//!
//! ```text
//! fn index(&self, at: (usize, usize)) -> &f64 { &self.data[at.0 * self.n + at.1] }
//! fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 { &mut self.data[i * self.n + j] }
//! ```
//!
//! Both are put in the place of the subscript, and what they become is compared: with each name that they bind replaced
//! by its value, the texts are equal.

use crate::body::context::Body;
use crate::value::Value;
use premiss_ast::syntax::{
    Declaration, Expression, ExpressionKind as Kind, Initializer, Name, Statement, StatementKind,
    TextRange,
};
use std::collections::BTreeMap;

/// Whether two functions have the same result and the same accesses for these arguments.
pub(crate) fn do_the_same<'a>(
    ctx: &mut Body<'a, '_>,
    functions: [usize; 2],
    arguments: &[Value<'a>],
    at: TextRange,
) -> bool {
    let [one, other] = functions;
    let kinds: Vec<String> = arguments
        .iter()
        .map(|value| ctx.inference.resolve_deeply(&value.kind()).key())
        .collect();
    let key = (one, other, kinds.join(" "));
    if let Some(known) = ctx.program.same_elements.get(&key) {
        return *known;
    }
    if ctx.program.index.do_the_same(one, other) {
        ctx.program.same_elements.insert(key, true);
        return true;
    }
    let texts = functions.map(|function| {
        let (list, value) = ctx.emit_nothing(|ctx| {
            ctx.emit_aside(|ctx| ctx.inline_call(function, arguments.to_vec(), at))
        });
        let mut text = Text::default();
        text.statements(&list)?;
        let mut parts = Vec::new();
        value.parts(&mut parts);
        for part in &parts {
            let part = text.of(part)?;
            text.lines.push(part);
        }
        (!parts.is_empty()).then_some(text.lines)
    });
    let are_same = matches!(&texts, [Some(one), Some(other)] if one == other);
    ctx.program.same_elements.insert(key, are_same);
    are_same
}

/// Code as text without places and without the names that it binds.
#[derive(Default)]
struct Text {
    bound: BTreeMap<Name, String>,
    lines: Vec<String>,
}

impl Text {
    /// Adds statements; `None` if some are of another kind.
    fn statements(&mut self, list: &[Statement]) -> Option<()> {
        for statement in list {
            match &statement.kind {
                StatementKind::Declarations(list) => {
                    for one in list {
                        self.declaration(one)?;
                    }
                }
                StatementKind::Expression(value) => {
                    let line = self.of(value)?;
                    self.lines.push(line);
                }
                StatementKind::Block(list) => self.statements(list)?,
                _ => return None,
            }
        }
        Some(())
    }

    fn declaration(&mut self, one: &Declaration) -> Option<()> {
        let Declaration::Object(object) = one else {
            return None;
        };
        let Some(Initializer::Expression(value)) = &object.initializer else {
            return None;
        };
        let value = self.of(value)?;
        self.bound.insert(object.name.clone(), value);
        Some(())
    }

    /// An expression as text.
    fn of(&self, value: &Expression) -> Option<String> {
        Some(match &value.kind {
            Kind::Integer(value, _) => value.to_string(),
            Kind::Name(name) => match self.bound.get(name) {
                Some(value) => value.clone(),
                None => name.to_string(),
            },
            Kind::Unary(operator, x) => format!("({operator:?} {})", self.of(x)?),
            Kind::Binary(operator, a, b) => {
                format!("({} {operator:?} {})", self.of(a)?, self.of(b)?)
            }
            Kind::Cast(kind, x) => format!("({kind:?}: {})", self.of(x)?),
            Kind::AddressOf(x) => format!("(&{})", self.of(x)?),
            Kind::Dereference(x) => format!("(*{})", self.of(x)?),
            Kind::Index(a, b) => format!("{}[{}]", self.of(a)?, self.of(b)?),
            Kind::Member {
                base,
                name,
                through_pointer,
            } => format!("{}.{name}{through_pointer}", self.of(base)?),
            _ => return None,
        })
    }
}
