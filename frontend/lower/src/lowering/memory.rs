//! What memory holds: integers and pointers behind pointers, as sizes and arrays with names.
//!
//! An integer in memory that is loaded and that nothing has stored since is one number, whatever it
//! is: it becomes a size, named as written, such as `v->size`. A pointer in memory becomes an array,
//! such as `v->data`. Distinct names are distinct arrays (rule 4 of the access model), so that a store
//! to `v->data[i]` leaves `v->size` as it is; a store to the same array at a place that may be the
//! same, or anything that was not understood, begins another [`Epoch`], with another size.
//!
//! ```text
//! for (i = 0; i < v->size; i++)    every test loads v->size, the same size each time
//!     v->data[i] = 0;              loads v->data, stores to the array v->data
//! v->size = f();                   a size of a new epoch: v->size#2
//! ```

use super::content::{Cell, Content, Epoch, Lost};
use super::integers::plus;
use super::shared_map::SharedMap;
use super::types::Type;
use super::value::{ArrayRow, Pointer, State, Target, Value, WhereSet};
use super::{ArrayData, Lowering};
use crate::syntax::{At, Name};
use imbl::ordmap::DiffItem;
use premiss_tree::{Expression, IntegerType, VariableId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How many values a branch may choose in memory.
const MAX_RECONCILED: usize = 64;

/// What all arrays hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    rows: SharedMap<ArrayRow, Row>,
    /// For arrays that have no row.
    base: Epoch,
}

/// What one array holds, shared with other states.
#[derive(Clone, Debug)]
struct Row(Rc<Content>);

/// A scalar in memory since an epoch: where it is, its bytes, and since when.
type Key = (ArrayRow, Option<i64>, u32, Epoch);

/// The names that values in memory were given.
#[derive(Default)]
pub(super) struct Symbols {
    sizes: BTreeMap<Key, Expression>,
    /// Those in elements whose places are no numbers.
    elements: FxHashMap<(ArrayRow, Expression, u8, Epoch), Expression>,
    regions: BTreeMap<Key, (ArrayRow, Expression)>,
    n_epochs: u32,
    /// Epochs that began at the head of a loop inside of another loop: their values are variables
    /// that nothing assigns, unknown but for the loop taken by itself.
    within_loops: BTreeSet<u32>,
}

/// What memory holds that a loop does not leave as it is: the base, and rows as they are before and at the head.
pub(super) struct MemoryLosses {
    base: Epoch,
    rows: Vec<(ArrayRow, Row, Row)>,
}

impl Symbols {
    /// How many moments there have been.
    pub(super) fn n_moments(&self) -> u32 {
        self.n_epochs
    }

    /// A moment that was not before.
    pub(super) fn next_moment(&mut self) -> u32 {
        self.n_epochs += 1;
        self.n_epochs
    }
}

impl Memory {
    /// What a loop does not leave as it is that was entered with this and has `head` at its head.
    pub(super) fn losses(&self, head: &Self) -> MemoryLosses {
        let lost = self.rows.diff(&head.rows);
        let lost = lost.map(|difference| match difference {
            DiffItem::Update { old: (row, _), .. }
            | DiffItem::Remove(row, _)
            | DiffItem::Add(row, _) => (*row, self.content(*row), head.content(*row)),
        });
        MemoryLosses {
            base: match self.base == head.base {
                true => Epoch::Entry,
                false => head.base,
            },
            rows: lost.collect(),
        }
    }

    /// Forgets what a loop did not leave as it was when it was lowered before.
    pub(super) fn lose_again(&mut self, losses: &MemoryLosses) {
        let base = match losses.base {
            Epoch::Varying => Epoch::Varying,
            _ => self.base,
        };
        for (row, before, head) in &losses.rows {
            let content = self.content_mut(*row);
            content.lose_again(before, head);
        }
        self.base = base;
    }

    /// Whether all that differs in `after` varies there.
    pub(super) fn loses_wholly(&self, after: &Self) -> bool {
        let mut differences = self.rows.diff(&after.rows);
        differences.all(|difference| match difference {
            DiffItem::Update { old: (row, _), .. }
            | DiffItem::Remove(row, _)
            | DiffItem::Add(row, _) => self.content(*row).loses_wholly(&after.content(*row)),
        })
    }

    /// Whether one array holds the same in both.
    pub(super) fn holds_same(&self, other: &Self, row: ArrayRow) -> bool {
        self.content(row) == other.content(row)
    }

    /// What is known where either may hold.
    pub(super) fn join(&self, other: &Self) -> Self {
        let base = self.base.join(other.base);
        // Arrays of which no more is known than of those without a row need none: a loop whose body
        // meets new ones in each pass over it would end with none.
        let plain = Content::new(base);
        let without_row = [self.base, other.base].map(Content::new);
        let mut rows = self.rows.clone();
        for difference in self.rows.diff(&other.rows) {
            let (row, joined) = match difference {
                DiffItem::Update { old, new } => (*old.0, Row::new(old.1.join(new.1))),
                DiffItem::Remove(row, a) if a.is_new => (*row, a.clone()),
                DiffItem::Remove(row, a) => (*row, Row::new(a.join(&without_row[1]))),
                DiffItem::Add(row, b) if b.is_new => (*row, b.clone()),
                DiffItem::Add(row, b) => (*row, Row::new(without_row[0].join(b))),
            };
            match *joined == plain {
                true => rows.remove(&row),
                false => rows.insert(row, joined),
            };
        }
        Self { rows, base }
    }

    /// Gives pointers at one place of memory that two paths leave in different arrays one target;
    /// whether there were any.
    pub(super) fn reconcile(first: &mut Self, second: &mut Self, selector: VariableId) -> bool {
        let mut found = Vec::new();
        for difference in first.rows.diff(&second.rows) {
            let DiffItem::Update {
                old: (row, a),
                new: (_, b),
            } = difference
            else {
                continue;
            };
            for (place, (size, cell)) in &a.cells {
                if let Some((other_size, other)) = b.cells.get(place)
                    && size == other_size
                    && found.len() < MAX_RECONCILED
                    && let Some(either) = cell.either(other, selector)
                {
                    found.push((*row, *place, *size, either));
                }
            }
        }
        for (row, place, size, cell) in &found {
            for memory in [&mut *first, &mut *second] {
                let cells = &mut memory.content_mut(*row).cells;
                cells.insert(*place, (*size, cell.clone()));
            }
        }
        !found.is_empty()
    }

    /// Forgets pointers whose targets depend on variables that are changed.
    pub(super) fn outlive(&mut self, is_changed: &impl Fn(VariableId) -> bool) {
        let depends = |content: &Content| {
            let mut targets = content
                .cells
                .values()
                .filter_map(|(_, cell)| cell.pointer());
            let mut stored = content.elements.cells().filter_map(Cell::pointer);
            targets.any(|pointer| pointer.target.depends_on(is_changed))
                || stored.any(|pointer| pointer.target.depends_on(is_changed))
                || content
                    .pointers
                    .as_ref()
                    .is_some_and(|x| x.depends_on(is_changed))
        };
        let rows = self.rows.iter().filter(|(_, content)| depends(content));
        let rows: Vec<ArrayRow> = rows.map(|(row, _)| *row).collect();
        for row in rows {
            let content = self.content_mut(row);
            content.pointers = Some(Target::Ambiguous);
            content.elements.forget_stored(|cell| {
                cell.pointer()
                    .is_some_and(|x| x.target.depends_on(is_changed))
            });
            for (_, cell) in content.cells.values_mut() {
                if cell
                    .pointer()
                    .is_some_and(|x| x.target.depends_on(is_changed))
                {
                    *cell = Cell::Since(Epoch::Varying);
                }
            }
        }
    }

    /// Whether a scalar is the same in every iteration of a loop with this at its head and `after` at
    /// its end. Where nobody knows which scalar, the whole array has to be.
    pub(super) fn is_steady(
        &self,
        after: &Self,
        row: ArrayRow,
        offset: Option<i64>,
        size: u32,
    ) -> bool {
        let head = self.content(row);
        match offset {
            Some(offset) => head.cell(offset, size) != Cell::Since(Epoch::Varying),
            None => head.is_settled() && head == after.content(row),
        }
    }

    /// Forgets an array.
    pub(super) fn drop_row(&mut self, row: ArrayRow) {
        self.rows.remove(&row);
    }

    fn content(&self, row: ArrayRow) -> Row {
        let known = self.rows.get(&row).cloned();
        known.unwrap_or_else(|| Row::new(Content::new(self.base)))
    }

    fn content_mut(&mut self, row: ArrayRow) -> &mut Content {
        let new = || Row::new(Content::new(self.base));
        Rc::make_mut(&mut self.rows.entry(row).or_insert_with(new).0)
    }
}

/// Whether two say the same, be it with a row or without.
impl PartialEq for Memory {
    fn eq(&self, other: &Self) -> bool {
        let plain = Content::new(self.base);
        self.base == other.base
            && self
                .rows
                .diff(&other.rows)
                .all(|difference| match difference {
                    DiffItem::Add(_, row) | DiffItem::Remove(_, row) => **row == plain,
                    DiffItem::Update { .. } => false,
                })
    }
}

impl Row {
    fn new(content: Content) -> Self {
        Self(Rc::new(content))
    }
}

impl std::ops::Deref for Row {
    type Target = Content;

    fn deref(&self) -> &Content {
        &self.0
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Lowering<'_> {
    /// Makes pointers in memory the same value that two paths leave the same, though one stored it
    /// and the other did not.
    pub(super) fn recognize(&mut self, first: &mut State) {
        let (mut a, mut b) = (std::mem::take(&mut first.memory), Memory::default());
        std::mem::swap(&mut b, &mut self.state.memory);
        self.recognize_stored(&a, &mut b);
        self.recognize_stored(&b, &mut a);
        first.memory = a;
        self.state.memory = b;
    }

    /// Notes what a memory holds since some moment where another one holds the same as stored.
    fn recognize_stored(&self, stored: &Memory, held: &mut Memory) {
        let mut found = Vec::new();
        for difference in stored.rows.diff(&held.rows) {
            let (row, content) = match difference {
                DiffItem::Update { old, .. } => old,
                DiffItem::Remove(row, content) => (row, content),
                DiffItem::Add(..) => continue,
            };
            let other = held.content(*row);
            for (place, (size, cell)) in &content.cells {
                let (Cell::Value(Value::Pointer(pointer)), Cell::Since(epoch)) =
                    (cell, other.cell(*place, *size))
                else {
                    continue;
                };
                let known = self
                    .symbols
                    .regions
                    .get(&(*row, Some(*place), *size, epoch));
                if known.is_some_and(|(region, offset)| {
                    pointer.target == Target::Array(*region) && pointer.offset == *offset
                }) {
                    found.push((*row, *place, *size, cell.clone()));
                }
            }
        }
        for (row, place, size, cell) in found {
            held.content_mut(row).put(place, size, cell);
        }
    }

    /// A moment that was not before; inside of a loop it comes again and again.
    fn moment(&mut self) -> Epoch {
        if self.is_in_loop() {
            return Epoch::Varying;
        }
        Epoch::At(self.symbols.next_moment())
    }

    /// Something may have stored anywhere.
    pub(super) fn forget_memory(&mut self, lost: Lost) {
        self.has_forgotten = true;
        let epoch = self.moment();
        let plain = Content::new(epoch);
        let memory = &mut self.state.memory;
        memory.base = epoch;
        let rows = memory.rows.iter().filter_map(|(row, content)| {
            let mut content = Content::clone(content);
            content.lose_all(lost, epoch);
            (content != plain).then(|| (*row, Row::new(content)))
        });
        memory.rows = rows.collect();
    }

    /// Something may have stored to one array, or to a struct in registers.
    pub(super) fn forget_row(&mut self, row: ArrayRow, lost: Lost) {
        let epoch = self.moment();
        let content = self.state.memory.content_mut(row);
        content.lose_all(lost, epoch);
    }

    /// Gives what memory holds a beginning at the head of a loop that is entered at that moment: there it is what it
    /// is, and stays so where the loop does not store.
    pub(super) fn settle_memory(&mut self, moment: u32) {
        if self.is_in_loop() {
            self.symbols.within_loops.insert(moment);
        }
        let epoch = Epoch::At(moment);
        let memory = &mut self.state.memory;
        if memory.base == Epoch::Varying {
            memory.base = epoch;
        }
        let rows = memory.rows.iter();
        let unsettled = rows.filter(|(_, content)| !content.is_settled());
        let unsettled: Vec<ArrayRow> = unsettled.map(|(row, _)| *row).collect();
        for row in unsettled {
            memory.content_mut(row).settle(epoch);
        }
    }

    /// A store of so many bytes of which nobody knows the value.
    pub(super) fn note_store(&mut self, row: ArrayRow, offset: &Expression, size: u32) {
        if self.holds_reals(row) {
            return;
        }
        let epoch = self.moment();
        let known = self.state.memory.rows.get(&row);
        if known.is_some_and(|known| known.is_lost(epoch)) {
            return;
        }
        let member = match offset {
            Expression::Integer(_) => None,
            offset => self.member_at(row, offset, size),
        };
        let content = self.state.memory.content_mut(row);
        match offset.as_integer() {
            Some(offset) => content.put(offset, size, Cell::Since(epoch)),
            None => match member {
                Some(member) => content.store_member(offset, member, epoch),
                None => content.forget(epoch),
            },
        }
    }

    /// Whether an array is one of real numbers: what they are does not matter, and anything else that is
    /// read from there is data.
    fn holds_reals(&self, row: ArrayRow) -> bool {
        matches!(self.arrays[row.0].kind.innermost(), Type::Floating(_))
    }

    /// An array was allocated just now.
    pub(super) fn note_allocation(&mut self, row: ArrayRow) {
        // Inside of a loop the same row stands for what earlier iterations allocated, too.
        if !self.is_in_loop() {
            *self.state.memory.content_mut(row) = Content {
                is_new: true,
                ..Content::new(Epoch::Allocated)
            };
        }
    }

    /// An array starts with pointers, of which nobody knows where they point.
    pub(super) fn lose_pointers(&mut self, row: ArrayRow) {
        self.starting_with_pointers.insert(row);
    }

    /// The value that was just stored at a place.
    pub(super) fn note_value(&mut self, row: ArrayRow, offset: &Expression, value: &Value) {
        let size = value.kind().scalar_size();
        let cell = self.kept(value);
        let member = match (offset, size) {
            (Expression::Integer(_), _) | (_, None) => None,
            (offset, Some(size)) if self.is_rigid(offset) => self.member_at(row, offset, size),
            _ => None,
        };
        let content = self.state.memory.content_mut(row);
        if let (Some(member), Some(cell)) = (member, &cell) {
            content.elements.remember(offset, member, cell.clone());
        }
        match (offset.as_integer(), size, cell, value) {
            (Some(offset), Some(size), Some(cell), _) => content.put(offset, size, cell),
            (_, _, _, Value::Pointer(pointer)) if pointer.target != Target::Null => {
                content.note_pointer(&pointer.target);
            }
            _ => {}
        }
    }

    /// What memory holds of a value that is stored; `None` where it is not known later on.
    fn kept(&self, value: &Value) -> Option<Cell> {
        let is_kept = match value {
            Value::Integer(expression, _) => self.is_constant(expression),
            Value::Pointer(pointer) => {
                if let Some((_, WhereSet::Known(offset))) = self.nullable(&pointer.offset) {
                    return Some(Cell::Perhaps(Pointer {
                        offset: offset.clone(),
                        ..pointer.clone()
                    }));
                }
                let is_null = pointer.target == Target::Null;
                is_null
                    || super::expressions::is_object(pointer) && self.is_constant(&pointer.offset)
            }
            _ => false,
        };
        is_kept.then(|| Cell::Value(value.clone()))
    }

    /// What a load of a scalar yields.
    pub(super) fn content(
        &mut self,
        target: &Target,
        offset: &Expression,
        kind: &Type,
        at: At,
    ) -> Option<Value> {
        let (Target::Array(row) | Target::Fresh(row) | Target::Register(row)) = target else {
            return None;
        };
        let (row, size) = (*row, kind.scalar_size()?);
        if let Some(integer) = kind.integer()
            && let Some(entry) = self.constant_entry(row, offset, integer, at)
        {
            return Some(entry);
        }
        if !matches!(kind, Type::Integer(_) | Type::Pointer(_)) || self.holds_reals(row) {
            return None;
        }
        let content = self.state.memory.rows.get(&row);
        let cell = match (offset.as_integer(), content) {
            (None, Some(content)) => {
                let stored = content.elements.stored_at(offset, size).cloned();
                stored.unwrap_or(Cell::Since(Epoch::Varying))
            }
            (None, None) => Cell::Since(Epoch::Varying),
            (Some(offset), Some(content)) => content.cell(offset, size),
            (Some(_), None) => Cell::Since(self.state.memory.base),
        };
        let pointers = content.and_then(|content| content.pointers.clone());
        if cell != Cell::Since(Epoch::Varying) || !matches!(kind, Type::Integer(_)) {
            let since = match cell {
                Cell::Since(epoch) => epoch,
                Cell::Value(_) | Cell::Perhaps(_) => Epoch::Entry,
            };
            self.ask_row(row, since);
        }
        let epoch = match cell {
            Cell::Value(value) => return Some(self.convert(value, kind)),
            Cell::Perhaps(pointer) => {
                for row in pointer.target.arrays() {
                    self.arrays[row.0].may_be_missing = true;
                }
                return Some(self.convert(Value::Pointer(pointer), kind));
            }
            Cell::Since(epoch) => epoch,
        };
        match kind {
            Type::Integer(integer) => self.stored_size(row, offset, *integer, epoch, at),
            Type::Pointer(pointee) => {
                self.stored_pointer(row, offset, pointee, epoch, pointers, at)
            }
            _ => None,
        }
    }

    fn stored_size(
        &mut self,
        row: ArrayRow,
        offset: &Expression,
        kind: IntegerType,
        epoch: Epoch,
        at: At,
    ) -> Option<Value> {
        let Some(offset) = offset.as_integer() else {
            return self.stored_element(row, offset, kind, at);
        };
        let epoch = self.begun(row, offset, u32::from(kind.bits).div_ceil(8), epoch)?;
        let key = (row, Some(offset), u32::from(kind.bits), epoch);
        if let Some(size) = self.symbols.sizes.get(&key) {
            return Some(Value::Integer(size.clone(), kind));
        }
        let name = self.cell_name(row, offset, at);
        let size = match self.is_within_loops(epoch) {
            true => Expression::Variable(self.unassigned(&name, kind)),
            false => self.minted(&name, kind, at),
        };
        self.symbols.sizes.insert(key, size.clone());
        Some(Value::Integer(size, kind))
    }

    /// A number in an element that is not told apart from others: a size where sizes say which element it
    /// is, as long as the array holds what it holds.
    fn stored_element(
        &mut self,
        row: ArrayRow,
        offset: &Expression,
        kind: IntegerType,
        at: At,
    ) -> Option<Value> {
        let content = self.state.memory.content(row);
        let member = self.member_at(row, offset, u32::from(kind.bits).div_ceil(8));
        let epochs = content.member_epochs(member);
        let varies = |epoch: &Epoch| *epoch == Epoch::Varying || self.is_within_loops(*epoch);
        if epochs.iter().any(varies) {
            return None;
        }
        self.ask_row(row, Epoch::Entry);
        let [epoch] = epochs[..] else {
            return self.loaded_between(row, kind, at);
        };
        if !self.is_constant(offset) || !content.cells.is_empty() {
            return self.loaded_between(row, kind, at);
        }
        let key = (row, offset.clone(), kind.bits, epoch);
        if let Some(size) = self.symbols.elements.get(&key) {
            return Some(Value::Integer(size.clone(), kind));
        }
        let name = self.reference_name(at);
        let size = self.minted(&name, kind, at);
        self.symbols.elements.insert(key, size.clone());
        Some(Value::Integer(size, kind))
    }

    /// The moment since which a scalar holds what it holds; one begins here where none is known and
    /// no loop is around.
    fn begun(&mut self, row: ArrayRow, offset: i64, size: u32, epoch: Epoch) -> Option<Epoch> {
        if epoch != Epoch::Varying {
            return Some(epoch);
        }
        let epoch = self.moment();
        if epoch == Epoch::Varying {
            return None;
        }
        let content = self.state.memory.content_mut(row);
        content.put(offset, size, Cell::Since(epoch));
        Some(epoch)
    }

    fn is_within_loops(&self, epoch: Epoch) -> bool {
        matches!(epoch, Epoch::At(number) if self.symbols.within_loops.contains(&number))
    }

    /// A variable that nothing assigns: its value is unknown.
    pub(super) fn unassigned(&mut self, name: &str, kind: IntegerType) -> VariableId {
        let id = self.new_variable(name, kind, false);
        let row = &mut self.variables[id.as_u32() as usize];
        row.is_fixed = true;
        row.frame = 0;
        self.give(id, super::value::Knowledge::Exact);
        id
    }

    /// A size without a value, that is named after what it is the value of.
    pub(super) fn minted(&mut self, name: &str, kind: IntegerType, at: At) -> Expression {
        let idx = u32::try_from(self.parameters.len()).unwrap_or(u32::MAX);
        self.parameters.push(super::ParameterRow {
            name: Name::from(name),
            at,
            kind,
            value: None,
            is_global: true,
            is_minted: true,
            meaning: premiss_tree::ParameterKind::Size,
        });
        Expression::Parameter(premiss_tree::ParameterId::from_u32(idx))
    }

    fn stored_pointer(
        &mut self,
        row: ArrayRow,
        offset: &Expression,
        pointee: &Rc<Type>,
        epoch: Epoch,
        pointers: Option<Target>,
        at: At,
    ) -> Option<Value> {
        if matches!(**pointee, Type::Function | Type::Unknown(_)) {
            return None;
        }
        let pointers = match self.starting_with_pointers.contains(&row) {
            true => Some(Target::Ambiguous),
            false => pointers.filter(|_| epoch != Epoch::Entry),
        };
        if let Some(target) = pointers {
            // A pointer that the program stored; where it was is not known any more.
            return Some(Value::Pointer(Pointer {
                target: self.only_target(row, target),
                offset: Expression::Data,
                pointee: pointee.clone(),
            }));
        }
        let place = offset.as_integer();
        let epoch = match place {
            Some(offset) => self.begun(row, offset, 8, epoch),
            None => None,
        };
        let key = match epoch {
            Some(epoch) => (row, place, 8, epoch),
            // One array for all that the pointers of this one point to.
            None => (row, None, 8, Epoch::Varying),
        };
        if let Some((region, offset)) = self.symbols.regions.get(&key).cloned() {
            return Some(Value::Pointer(Pointer {
                offset,
                ..self.pointer_to(region, 0.into(), pointee)
            }));
        }
        let name = match place {
            Some(offset) => self.cell_name(row, offset, at),
            None => self.reference_name(at),
        };
        let offset = match epoch {
            None => Expression::Data,
            Some(epoch) if self.is_within_loops(epoch) => {
                Expression::Variable(self.unassigned(&format!("{name}@"), super::types::LONG))
            }
            Some(_) => 0.into(),
        };
        let region = self.region(row, &name, pointee, at);
        self.symbols.regions.insert(key, (region, offset.clone()));
        Some(Value::Pointer(Pointer {
            offset: plus(offset, 0.into()),
            ..self.pointer_to(region, 0.into(), pointee)
        }))
    }

    /// Where a pointer points that was stored to a local array; of others nobody knows what they
    /// held before.
    fn only_target(&self, row: ArrayRow, target: Target) -> Target {
        let data = &self.arrays[row.0];
        let is_own = !data.is_region
            && matches!(
                data.storage,
                premiss_tree::Storage::Local | premiss_tree::Storage::Callee
            );
        if is_own { target } else { Target::Ambiguous }
    }

    /// An array that a pointer in another one points to, in the layout behind that one.
    fn region(&mut self, holder: ArrayRow, name: &str, pointee: &Rc<Type>, at: At) -> ArrayRow {
        let holder = &self.arrays[holder.0];
        let (storage, order, frame) = (holder.storage, holder.order, holder.frame);
        let row = ArrayRow(self.arrays.len());
        self.arrays.push(ArrayData {
            name: Name::from(name),
            storage,
            order,
            kind: (**pointee).clone(),
            extent: None,
            at,
            frame,
            is_used: false,
            is_region: true,
            may_be_missing: true,
        });
        row
    }

    /// A reference as written, without white space.
    pub(super) fn reference_name(&self, at: At) -> String {
        let text = self.program.text(at);
        text.chars().filter(|c| !c.is_whitespace()).collect()
    }
}
