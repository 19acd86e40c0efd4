//! Arrays of integers that hold from first to last what their initializers say.
//!
//! What is loaded from one is an entry of a [`Table`], looked up at the index that the address comes
//! from; the load itself is an access like any other:
//!
//! ```text
//! static const int dx[4] = { 1, 0, -1, 0 };
//! s += a[i + dx[k]];            load dx + 4 * k
//!                               load a + (8 * i + 8 * dx[k])
//! ```
//!
//! An object is such a constant if it is declared `const` (storing to it is undefined then, whoever
//! does it), or if it is a local or `static` one, and every place of the text that mentions it loads a
//! scalar from it: nothing stores to a part of it, takes its address, or passes it on.

use super::Lowering;
use super::integers::{plus, times};
use super::structs::find;
use super::types::Type;
use super::value::{ArrayRow, Value};
use crate::syntax::GlobalName;
use crate::syntax::{
    At, Expression as Syntax, ExpressionKind, Initializer, Lifetime, Name, Object, Unary,
};
use premiss_arithmetic::gcd;
use premiss_ast::{AccessStep, SyntaxFacts};
use premiss_link::Queries;
use premiss_tree::{BinaryOperator as Op, Expression, IntegerType, Table, TableId, UnaryOperator};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// How many bytes an object may have whose values are kept.
const MAX_BYTES: i64 = 1 << 24;

/// The bytes of an object that never change.
///
/// A scalar is read as it was written: of the same size, at the same place. What nothing was written
/// to is 0.
pub(super) struct Image {
    bytes: Vec<u8>,
    tags: Vec<u8>,
    /// The tables that were made of it, for all functions.
    tables: RefCell<BTreeMap<Lattice, Option<Arc<[i64]>>>>,
}

/// What a byte of an image belongs to: a scalar whose size is the tag starts with it, or one of these.
const ZERO: u8 = 0;
const CONTINUED: u8 = 64;
const LOST: u8 = 65;

/// Places that follow one another at a distance, with the type of what lies there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Lattice {
    start: i64,
    distance: i64,
    kind: IntegerType,
}

/// A row of the table of tables.
pub(super) struct TableRow {
    pub(super) table: Table,
    /// The least of its entries.
    least: Option<i64>,
}

/// The tables that a function looks up.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) rows: Vec<TableRow>,
    known: BTreeMap<(ArrayRow, Lattice), TableId>,
    /// The arrays that are constants; `None` for those whose values differ from call to call.
    images: BTreeMap<ArrayRow, Option<Rc<Image>>>,
}

impl Image {
    fn new(size: usize) -> Self {
        Self {
            bytes: vec![0; size],
            tags: vec![ZERO; size],
            tables: RefCell::default(),
        }
    }

    fn range(&self, offset: i64, size: i64) -> std::ops::Range<usize> {
        let place = |x: i64| usize::try_from(x).unwrap_or(0).min(self.bytes.len());
        place(offset)..place(offset.saturating_add(size))
    }

    /// Nothing is written there any more.
    pub(super) fn clear(&mut self, offset: i64, size: i64) {
        self.set(offset, size, ZERO);
    }

    /// Something is written there that is not known.
    pub(super) fn lose(&mut self, offset: i64, size: i64) {
        self.set(offset, size, LOST);
    }

    fn set(&mut self, offset: i64, size: i64, tag: u8) {
        let range = self.range(offset, size);
        self.bytes[range.clone()].fill(0);
        self.tags[range].fill(tag);
    }

    /// Writes an integer of so many bytes. What does not lie within is not there to be read.
    pub(super) fn put(&mut self, offset: i64, size: u32, value: i64) {
        self.set(offset, size.into(), CONTINUED);
        let range = self.range(offset, size.into());
        let bytes = value.to_le_bytes();
        if range.len() == size as usize && range.len() <= bytes.len() {
            self.tags[range.start] = u8::try_from(size).unwrap_or(LOST);
            let n_bytes = range.len();
            self.bytes[range].copy_from_slice(&bytes[..n_bytes]);
        }
    }

    /// Reads an integer.
    fn read(&self, offset: i64, kind: IntegerType) -> Option<i64> {
        let size = i64::from(kind.bits.div_ceil(8));
        let range = self.range(offset, size);
        if offset < 0 || i64::try_from(range.len()) != Ok(size) {
            return None;
        }
        let (first, rest) = self.tags[range.clone()].split_first()?;
        let is_written = i64::from(*first) == size && rest.iter().all(|tag| *tag == CONTINUED);
        let is_zero = *first == ZERO && rest.iter().all(|tag| *tag == ZERO);
        if !is_written && !is_zero {
            return None;
        }
        let mut bytes = [0; 8];
        bytes[..range.len()].copy_from_slice(&self.bytes[range]);
        Some(kind.wrap(i64::from_le_bytes(bytes)))
    }

    /// All integers of a lattice; `None` where one of them is not known.
    fn table(&self, lattice: Lattice) -> Option<Arc<[i64]>> {
        let known = self.tables.borrow().get(&lattice).cloned();
        known.unwrap_or_else(|| {
            let found = self.entries(lattice);
            self.tables.borrow_mut().insert(lattice, found.clone());
            found
        })
    }

    fn entries(&self, lattice: Lattice) -> Option<Arc<[i64]>> {
        let Lattice {
            start,
            distance,
            kind,
        } = lattice;
        let size = i64::from(kind.bits.div_ceil(8));
        let end = i64::try_from(self.bytes.len()).ok()?.checked_sub(size)?;
        let length = end
            .checked_sub(start)?
            .checked_div_euclid(distance)?
            .checked_add(1)?;
        let places = (0..length).map(|number| start + number * distance);
        places.map(|place| self.read(place, kind)).collect()
    }

    fn is_same(&self, other: &Self) -> bool {
        self.bytes == other.bytes && self.tags == other.tags
    }
}

impl Lowering<'_> {
    /// Notes the values of a local object that never change.
    pub(super) fn note_constant(&mut self, row: ArrayRow, object: &Object, kind: &Type) {
        let facts = self.frame_ref().changed.clone();
        let is_constant = object.is_const || only_loads(&facts, &object.name, kind);
        if !is_constant || object.is_volatile {
            return;
        }
        let image = match object.lifetime {
            // Its initializer means the same in every call.
            Lifetime::Static => {
                let (program, images) = (self.program, self.images);
                images.get_or_find(program, object.at, || self.image(object, kind))
            }
            _ => self.image(object, kind),
        };
        self.keep_image(row, image);
    }

    /// Notes the values of an object at file scope that never change.
    pub(super) fn note_global_constant(
        &mut self,
        row: ArrayRow,
        owner: &GlobalName,
        object: &Object,
        kind: &Type,
    ) {
        let (program, images) = (self.program, self.images);
        let image = images.get_or_find(program, object.at, || {
            let is_constant = object.is_const || is_only_loaded(program, owner, object, kind);
            if !is_constant || object.is_volatile {
                return None;
            }
            self.at_file_scope(owner.unit, |l| Ok(l.image(object, kind)))?
        });
        self.keep_image(row, image);
    }

    /// An array that starts with other values when it is declared again has none that are known.
    fn keep_image(&mut self, row: ArrayRow, image: Option<Rc<Image>>) {
        let images = &mut self.tables.images;
        let is_other = images.get(&row).is_some_and(|known| match (known, &image) {
            (Some(known), Some(image)) => !Rc::ptr_eq(known, image) && !known.is_same(image),
            _ => true,
        });
        if is_other {
            images.insert(row, None);
        } else if image.is_some() {
            images.insert(row, image);
        }
    }

    /// What an object starts with, where that is integers.
    fn image(&mut self, object: &Object, kind: &Type) -> Option<Rc<Image>> {
        let initializer = object.initializer.as_ref()?;
        let is_list = matches!(initializer, Initializer::List(_));
        let size = kind.size().and_then(|size| size.as_integer())?;
        if !is_list || !kind.holds_integer() || !(1..=MAX_BYTES).contains(&size) {
            return None;
        }
        let mut image = Image::new(usize::try_from(size).ok()?);
        let work = self.work;
        let checkpoint = self.checkpoint();
        let written = self.in_block(|l| {
            l.write_initial(kind, initializer, &mut image);
            Ok(())
        });
        self.roll_back(&checkpoint);
        // Written once for the whole program, whoever needs it first.
        self.work = work;
        written.ok().map(|_| Rc::new(image))
    }

    /// The value of a constant expression in an initializer.
    pub(super) fn constant_value(&mut self, syntax: &Syntax) -> Option<i64> {
        if let Some(value) = literal(syntax) {
            return Some(value);
        }
        let value = self.value(syntax).ok()?;
        self.as_offset(value).as_integer()
    }

    /// The same as an object of a type holds it.
    pub(super) fn constant_value_of(&mut self, syntax: &Syntax, kind: IntegerType) -> Option<i64> {
        if let Some(value) = literal(syntax) {
            return Some(match kind.bits {
                1 => i64::from(value != 0),
                _ => kind.wrap(value),
            });
        }
        let value = self.value(syntax).ok()?;
        match self.convert(value, &Type::Integer(kind)) {
            Value::Integer(Expression::Integer(value), _) => Some(value),
            _ => None,
        }
    }

    /// What a load from an array yields that never changes; `None` where nothing says.
    pub(super) fn constant_entry(
        &mut self,
        row: ArrayRow,
        offset: &Expression,
        kind: IntegerType,
        at: At,
    ) -> Option<Value> {
        let image = self.tables.images.get(&row)?.clone()?;
        if let Some(offset) = offset.as_integer() {
            let value = image.read(offset, kind);
            return value.map(|value| Value::Integer(value.into(), kind));
        }
        if offset.any(|part| *part == Expression::Data) {
            return None;
        }
        let (lattice, index) = place(offset, kind)?;
        let id = match self.tables.known.get(&(row, lattice)) {
            Some(id) => *id,
            None => {
                let entries = image.table(lattice)?;
                let name = self.table_name(row, lattice, at);
                let least = entries.iter().min().copied();
                let id = u32::try_from(self.tables.rows.len()).ok()?;
                let id = TableId::from_u32(id);
                let table = Table { name, entries };
                self.tables.rows.push(TableRow { table, least });
                self.tables.known.insert((row, lattice), id);
                id
            }
        };
        Some(Value::Integer(Expression::entry(id, index), kind))
    }

    /// A number that no entry of a table is less than.
    pub(super) fn least_entry(&self, id: TableId) -> Option<i64> {
        self.tables.rows[id.as_u32() as usize].least
    }

    /// The name of a table: that of its array, with the member where it has some.
    fn table_name(&self, row: ArrayRow, lattice: Lattice, at: At) -> String {
        let name = self.cell_name(row, lattice.start, at);
        name.replacen("[0]", "", 1)
    }
}

/// Whether all that happens to an object of a type is that scalars are loaded from it.
fn only_loads(facts: &SyntaxFacts, name: &Name, kind: &Type) -> bool {
    let mut loads = facts.reads.iter().filter(|load| load.name == *name);
    !facts.kept.contains(name) && loads.all(|load| leads_to_scalar(kind, &load.steps))
}

/// Whether all that a unit does with an object of its own is to load scalars from it; nobody else
/// sees it.
fn is_only_loaded(program: &dyn Queries, name: &GlobalName, object: &Object, kind: &Type) -> bool {
    let uses = program.uses_of_static(name, object);
    uses.is_some_and(|uses| {
        let mut uses = uses.into_iter();
        uses.all(|facts| only_loads_outside(facts, &name.name, kind))
    })
}

/// The same as [`only_loads`] for an object that is declared outside of the text.
fn only_loads_outside(facts: &SyntaxFacts, name: &Name, kind: &Type) -> bool {
    let mut loads = facts.reads.iter();
    !facts.kept_outside.contains(name)
        && loads.all(|load| {
            load.name != *name || !load.is_outside || leads_to_scalar(kind, &load.steps)
        })
}

/// Whether steps lead from an object to a scalar, not to an array, which would be a pointer to it.
fn leads_to_scalar(kind: &Type, steps: &[AccessStep]) -> bool {
    let Some((step, rest)) = steps.split_first() else {
        return !matches!(kind, Type::Array(..));
    };
    match (step, kind) {
        // What a pointer in it leads to is not part of it.
        (_, Type::Pointer(_)) => true,
        (AccessStep::Element, Type::Array(element, _)) => leads_to_scalar(element, rest),
        (AccessStep::Member(name), Type::Struct(_, layout)) => {
            find(layout, name).is_some_and(|member| leads_to_scalar(&member.kind, rest))
        }
        _ => false,
    }
}

/// An integer literal, with its sign.
fn literal(syntax: &Syntax) -> Option<i64> {
    match &syntax.kind {
        ExpressionKind::Integer(value, _) => Some(*value),
        ExpressionKind::Unary(Unary::Negate, operand) => match &operand.kind {
            ExpressionKind::Integer(value, kind) => Some(kind.wrap(value.checked_neg()?)),
            _ => None,
        },
        _ => None,
    }
}

/// An offset as a place of a lattice, with its number there:
/// `16 * i + 4 * j + 8` is number `4 * i + j + 2` of those at 0, 4, 8 and so on.
fn place(offset: &Expression, kind: IntegerType) -> Option<(Lattice, Expression)> {
    let mut sum = Sum::default();
    sum.add(1, offset)?;
    let distance = sum.terms.iter().fold(0_u64, |common, (factor, _)| {
        gcd(common, factor.unsigned_abs())
    });
    let distance = i64::try_from(distance)
        .ok()
        .filter(|distance| 0 < *distance)?;
    let lattice = Lattice {
        start: sum.constant.rem_euclid(distance),
        distance,
        kind,
    };
    let mut index = Expression::Integer(0);
    for (factor, term) in sum.terms {
        index = plus(index, times((factor / distance).into(), term));
    }
    let index = plus(index, sum.constant.div_euclid(distance).into());
    Some((lattice, index))
}

/// A sum of products with constants.
#[derive(Default)]
struct Sum {
    constant: i64,
    terms: Vec<(i64, Expression)>,
}

impl Sum {
    /// Adds a multiple of an expression; `None` where a factor does not fit.
    fn add(&mut self, factor: i64, expression: &Expression) -> Option<()> {
        match expression {
            Expression::Integer(value) => {
                self.constant = self.constant.checked_add(factor.checked_mul(*value)?)?;
            }
            Expression::Unary(UnaryOperator::Negate, x) => self.add(factor.checked_neg()?, x)?,
            Expression::Binary(Op::Add, a, b) => {
                self.add(factor, a)?;
                self.add(factor, b)?;
            }
            Expression::Binary(Op::Subtract, a, b) => {
                self.add(factor, a)?;
                self.add(factor.checked_neg()?, b)?;
            }
            Expression::Binary(Op::Multiply, a, b) => match (a.as_integer(), b.as_integer()) {
                (Some(a), _) => self.add(factor.checked_mul(a)?, b)?,
                (_, Some(b)) => self.add(factor.checked_mul(b)?, a)?,
                _ => self.terms.push((factor, expression.clone())),
            },
            _ => self.terms.push((factor, expression.clone())),
        }
        Some(())
    }
}
