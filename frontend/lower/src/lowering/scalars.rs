//! Scalar variables that are read and written, noted beside the operations on them.
//!
//! Which values an iteration of a loop needs from the one before is told by who is read before it is
//! written: in `t = a[i]; a[i] = p; p = t` that is `p`. A variable is known by its name; what is used by
//! another way, through a pointer or as a part of a whole struct, is veiled.

use super::Lowering;
use super::operations::{held, operands};
use super::types::Type;
use super::value::{ArrayRow, Place, Slot, Target};
use crate::syntax::{Binary, Expression as Syntax, ExpressionKind, Name};
use premiss_tree::{Combination, Expression, Node, Operand, Operands, Scalar, ScalarId, Write};

/// What a scalar variable is known by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum ScalarKey {
    /// A name, with how many functions were open where it is declared; none at file scope.
    Named(usize, Name),
    /// The member at an offset of a struct in registers.
    Member(ArrayRow, i64),
}

/// What a variable gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Update {
    /// What its old value is combined with others by.
    pub(super) combines: Option<Combination>,
    /// What these are.
    pub(super) with: Operand,
}

impl Update {
    /// A value that has nothing to do with the old one, or nobody knows what.
    pub(super) const ANEW: Self = Self {
        combines: None,
        with: Operand::Anything,
    };
}

impl Lowering<'_> {
    /// Notes that what an expression names is read; it was found at this place.
    pub(super) fn note_used(&mut self, syntax: &Syntax, place: &Place) {
        if !self.program.has_operations() {
            return;
        }
        match (&syntax.kind, place) {
            (ExpressionKind::Name(name), Place::Slot(slot)) => self.note_read(name, slot),
            (ExpressionKind::CompoundLiteral(..), _) => {}
            (_, place) => {
                if let Some(id) = self.member_of(place) {
                    self.note_read_of(id);
                } else if is_veiled(place) {
                    self.arithmetic_here().is_veiled = true;
                }
            }
        }
    }

    /// Notes that the value of a variable is used.
    pub(super) fn note_read(&mut self, name: &Name, slot: &Slot) {
        if !self.program.has_operations() {
            return;
        }
        let value = match slot {
            Slot::Fixed(value) => operands(value),
            Slot::Record(..) => {
                self.arithmetic_here().is_veiled = true;
                None
            }
            slot => holds(slot),
        };
        let Some(holds) = value else { return };
        if !self.is_constant_name(name) {
            let id = self.named(name, holds);
            self.note_read_of(id);
        }
    }

    fn note_read_of(&mut self, id: ScalarId) {
        let here = self.arithmetic_here();
        *here.reads.entry(id).or_default() += 1;
        if !here.writes.contains_key(&id) {
            here.needs.insert(id);
        }
    }

    /// Notes that what an expression names gets a value; it was found at this place.
    pub(super) fn note_changed(&mut self, syntax: &Syntax, place: &Place, update: Update) {
        if !self.program.has_operations() {
            return;
        }
        if let (ExpressionKind::Name(name), Place::Slot(slot)) = (&syntax.kind, place) {
            self.note_write(name, slot, update);
        } else if let Some(id) = self.member_of(place) {
            self.note_write_of(id, update);
        } else if is_veiled(place) {
            self.arithmetic_here().is_veiled = true;
        } else if let (Place::Element { .. }, Some(combination)) = (place, update.combines) {
            self.note_update(combination);
        }
    }

    /// Notes that a variable gets a value.
    pub(super) fn note_write(&mut self, name: &Name, slot: &Slot, update: Update) {
        if !self.program.has_operations() {
            return;
        }
        if matches!(slot, Slot::Record(..)) {
            self.arithmetic_here().is_veiled = true;
        }
        if let Some(holds) = holds(slot) {
            let id = self.named(name, holds);
            self.note_write_of(id, update);
        }
    }

    fn note_write_of(&mut self, id: ScalarId, update: Update) {
        let write = Write {
            times: 0,
            combines: update.combines,
            with: update.with,
        };
        let here = self.arithmetic_here().writes.entry(id).or_insert(write);
        here.times += 1;
        here.with = here.with.max(update.with);
        if here.combines != update.combines {
            here.combines = None;
        }
    }

    /// Notes how the store that came last combines values.
    fn note_update(&mut self, combination: Combination) {
        let Some(Node::Access(id)) = self.block.last() else {
            return;
        };
        if let Some(row) = self.references.get_mut(id.as_u32() as usize) {
            row.combines = Some(combination);
        }
    }

    /// Remembers that a name is declared where another variable of that name is in scope.
    pub(super) fn note_shadow(&mut self, name: &Name) {
        let scopes = &self.frame_ref().scopes;
        let around = scopes.split_last().map_or(&[][..], |(_, around)| around);
        if around.iter().any(|scope| scope.contains_key(name)) {
            let id = self.row_of(
                ScalarKey::Named(self.frames.len(), name.clone()),
                name,
                Operands::Integer(64),
            );
            self.recorder.scalars[id.as_u32() as usize].is_shadowed = true;
        }
    }

    fn named(&mut self, name: &Name, holds: Operands) -> ScalarId {
        let scopes = &self.frame_ref().scopes;
        let depth = match scopes.iter().any(|scope| scope.contains_key(name)) {
            true => self.frames.len(),
            false => 0,
        };
        let id = self.row_of(ScalarKey::Named(depth, name.clone()), name, holds);
        self.recorder.scalars[id.as_u32() as usize].holds = holds;
        id
    }

    /// The member of a struct in registers that is at a place.
    fn member_of(&mut self, place: &Place) -> Option<ScalarId> {
        let Place::Element {
            target: Target::Register(row),
            offset: Expression::Integer(offset),
            kind,
            ..
        } = place
        else {
            return None;
        };
        let holds = held(kind).filter(|_| !matches!(kind, Type::Pointer(_)))?;
        let name = self.arrays[row.0].name.clone();
        let id = self.row_of(ScalarKey::Member(*row, *offset), &name, holds);
        self.recorder.scalars[id.as_u32() as usize].is_member = true;
        Some(id)
    }

    fn row_of(&mut self, key: ScalarKey, name: &Name, holds: Operands) -> ScalarId {
        let next = self.recorder.scalars.len();
        let next = ScalarId::from_u32(u32::try_from(next).unwrap_or(u32::MAX));
        let id = *self.recorder.scalar_rows.entry(key).or_insert(next);
        if id == next {
            self.recorder.scalars.push(Scalar {
                name: name.to_string(),
                holds,
                is_member: false,
                is_shadowed: false,
            });
        }
        id
    }
}

/// How an expression combines what another one names with more, as `s + a * b` does with `s`.
pub(super) fn update(left: &Syntax, right: &Syntax) -> Update {
    let combines = combination(left, right);
    Update {
        combines,
        with: operand(right),
    }
}

/// What `left op= right` does.
pub(super) fn compound(operator: Binary, right: &Syntax) -> Update {
    let combines = of_operator(operator);
    Update {
        combines,
        with: operand(right),
    }
}

fn of_operator(operator: Binary) -> Option<Combination> {
    match operator {
        Binary::Add | Binary::Subtract => Some(Combination::Sum),
        Binary::Multiply => Some(Combination::Product),
        Binary::Minimum => Some(Combination::Least),
        Binary::Maximum => Some(Combination::Greatest),
        _ => None,
    }
}

fn combination(left: &Syntax, right: &Syntax) -> Option<Combination> {
    let is_it = |with: Combination, part: &Syntax| {
        is_same(left, part) || combination(left, part) == Some(with)
    };
    match &right.kind {
        ExpressionKind::Cast(_, inner) => combination(left, inner),
        ExpressionKind::Binary(operator, a, b) => {
            let with = of_operator(*operator)?;
            let is_second = *operator != Binary::Subtract && is_it(with, b);
            (is_it(with, a) || is_second).then_some(with)
        }
        ExpressionKind::Computed(_, Some(function), operands) => {
            let with = of_function(function)?;
            operands.iter().any(|x| is_it(with, x)).then_some(with)
        }
        ExpressionKind::Call(callee, operands) => {
            let ExpressionKind::Name(function) = &callee.kind else {
                return None;
            };
            let with = of_function(function)?;
            operands.iter().any(|x| is_it(with, x)).then_some(with)
        }
        _ => None,
    }
}

fn of_function(name: &str) -> Option<Combination> {
    match name.trim_start_matches("__builtin_") {
        "fmin" | "fminf" | "fminl" => Some(Combination::Least),
        "fmax" | "fmaxf" | "fmaxl" => Some(Combination::Greatest),
        _ => None,
    }
}

/// Whether two expressions are written alike and change nothing.
fn is_same(a: &Syntax, b: &Syntax) -> bool {
    use ExpressionKind as Kind;
    match (&a.kind, &b.kind) {
        (Kind::Name(a), Kind::Name(b)) => a == b,
        (Kind::Integer(a, _), Kind::Integer(b, _)) => a == b,
        (Kind::Index(a, i), Kind::Index(b, j)) => is_same(a, b) && is_same(i, j),
        (Kind::Dereference(a), Kind::Dereference(b)) => is_same(a, b),
        (Kind::Cast(_, a), _) => is_same(a, b),
        (_, Kind::Cast(_, b)) => is_same(a, b),
        (Kind::Unary(one, a), Kind::Unary(other, b)) => one == other && is_same(a, b),
        (Kind::Binary(one, a, c), Kind::Binary(other, b, d)) => {
            one == other && is_same(a, b) && is_same(c, d)
        }
        (
            Kind::Member {
                base: a,
                name: one,
                through_pointer: through,
            },
            Kind::Member {
                base: b,
                name: other,
                through_pointer,
            },
        ) => one == other && through == through_pointer && is_same(a, b),
        _ => false,
    }
}

/// What an expression is made of.
fn operand(syntax: &Syntax) -> Operand {
    match &syntax.kind {
        ExpressionKind::Integer(..) | ExpressionKind::Floating(..) => Operand::Literals,
        ExpressionKind::Name(_) | ExpressionKind::Stepped(..) => Operand::Variables,
        ExpressionKind::Cast(_, x) | ExpressionKind::Unary(_, x) => operand(x),
        ExpressionKind::Binary(_, a, b) => operand(a).max(operand(b)),
        _ => Operand::Anything,
    }
}

/// What a variable holds, where that is a number.
fn holds(slot: &Slot) -> Option<Operands> {
    match slot {
        Slot::Integer(_, kind) => Some(Operands::Integer(kind.bits)),
        Slot::Real(_, kind) | Slot::Data(Type::Floating(kind)) => Some(kind.operands()),
        _ => None,
    }
}

/// Whether a place is a variable that its name does not tell.
fn is_veiled(place: &Place) -> bool {
    match place {
        Place::Slot(slot) => matches!(slot, Slot::Record(..)) || holds(slot).is_some(),
        Place::Element { target, kind, .. } => {
            matches!(target, Target::Register(_)) && !matches!(kind, Type::Pointer(_))
        }
        Place::Nowhere(_) => false,
    }
}
