//! Loads from objects that never change: constants, and entries of tables.

use crate::context::Lowering;
use crate::domain::constant_image::TableLattice;
use crate::domain::constant_tables::{TableRow, lattice_position};
use crate::domain::values::{ArrayRow, Value};
use crate::eval::cell_names::cell_name;
use crate::syntax::TextRange;
use premiss_tree::{Expression, IntegerType, Table, TableId};

/// The value of a load from an array that never changes; `None` if it is unknown.
pub(crate) fn load_constant_entry(
    ctx: &mut Lowering,
    row: ArrayRow,
    offset: &Expression,
    kind: IntegerType,
    at: TextRange,
) -> Option<Value> {
    let image = ctx.constants.images.get(&row)?.clone()?;
    if let Some(offset) = offset.as_integer() {
        let value = image.read(offset, kind);
        return value.map(|value| Value::Integer(value.into(), kind));
    }
    if offset.any(|part| *part == Expression::Data) {
        return None;
    }
    let (lattice, index) = lattice_position(offset, kind)?;
    let id = match ctx.constants.ids.get(&(row, lattice)) {
        Some(id) => *id,
        None => {
            let entries = image.table(lattice)?;
            let name = table_name(ctx, row, lattice, at);
            let least = entries.iter().min().copied();
            let id = u32::try_from(ctx.constants.rows.len()).ok()?;
            let id = TableId::from_u32(id);
            let table = Table { name, entries };
            ctx.constants.rows.push(TableRow { table, least });
            ctx.constants.ids.insert((row, lattice), id);
            id
        }
    };
    Some(Value::Integer(Expression::entry(id, index), kind))
}

/// The name of a table: that of its array, with the member if its elements are structs.
fn table_name(ctx: &Lowering, row: ArrayRow, lattice: TableLattice, at: TextRange) -> String {
    let name = cell_name(ctx, row, lattice.start, at);
    name.replacen("[0]", "", 1)
}
