//! The symbols of a function: parameters, variables, pointers and arrays, in tables indexed by ids and names.
//!
//! Rows are never removed. Those that the finished tree does not mention are dropped by its numbering.

use crate::domain::types::{INT, StructLayout, Type};
use crate::domain::values::{ArrayRow, Slot};
use crate::syntax::{GlobalName, Name, StructId, TextRange};
use premiss_tree::{Expression, IntegerType, ParameterId, ParameterKind, Storage, VariableId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;
use std::rc::Rc;

/// The symbols of a function: what its tree may mention, and the meanings of names.
pub(crate) struct SymbolTable {
    /// Symbolic sizes, extrema and predicates, by [`ParameterId`].
    pub(crate) parameters: Vec<ParameterRow>,
    /// Integer variables, by [`VariableId`]; real variables have rows here too, which do not occur in trees.
    pub(crate) variables: Vec<VariableRow>,
    /// The offset variable of each pointer variable.
    pub(crate) pointers: Vec<VariableId>,
    pub(crate) arrays: Vec<ArrayData>,
    /// Arrays by their declaration or allocation and the calls that led to it.
    pub(crate) array_rows: BTreeMap<Vec<TextRange>, ArrayRow>,
    /// Names at file scope that were looked up, with their meanings.
    pub(crate) globals: FxHashMap<GlobalName, Slot>,
    /// Objects at file scope that no call of the program's own functions changes, but calls of others may.
    pub(crate) changed_outside: BTreeSet<GlobalName>,
    /// The values on entry of variables at file scope.
    pub(crate) entry: Vec<(VariableId, Expression)>,
    pub(crate) layouts: BTreeMap<StructId, Option<Rc<StructLayout>>>,
    /// Functions with array declarations, in the order of their first call.
    pub(crate) callees: Vec<GlobalName>,
    /// Arrays that are structs in registers.
    pub(crate) registers: BTreeSet<ArrayRow>,
    /// Structs in registers whose address was taken.
    pub(crate) addressed: BTreeSet<ArrayRow>,
    /// Arrays and structs in registers that are initialized with pointers.
    pub(crate) initial_pointers: BTreeSet<ArrayRow>,
    /// The place of declaration of the next variable.
    pub(crate) declared_at: TextRange,
}

impl SymbolTable {
    /// An empty table.
    pub(crate) fn new(start: TextRange) -> Self {
        Self {
            parameters: Vec::new(),
            variables: Vec::new(),
            pointers: Vec::new(),
            arrays: Vec::new(),
            array_rows: BTreeMap::new(),
            globals: FxHashMap::default(),
            changed_outside: BTreeSet::new(),
            entry: Vec::new(),
            layouts: BTreeMap::new(),
            callees: Vec::new(),
            registers: BTreeSet::new(),
            addressed: BTreeSet::new(),
            initial_pointers: BTreeSet::new(),
            declared_at: start,
        }
    }

    pub(crate) fn variable(&self, id: VariableId) -> &VariableRow {
        &self.variables[id.as_u32() as usize]
    }

    /// The id of the next variable.
    pub(crate) fn next_variable(&self) -> VariableId {
        VariableId::from_u32(u32::try_from(self.variables.len()).unwrap_or(u32::MAX))
    }

    /// The row of an array, added on first use. An array whose extent differs from call to call has no known extent.
    pub(crate) fn intern_array(&mut self, key: Vec<TextRange>, data: ArrayData) -> ArrayRow {
        if let Some(&row) = self.array_rows.get(&key) {
            if self.arrays[row.0].extent != data.extent {
                self.arrays[row.0].extent = None;
            }
            return row;
        }
        let row = ArrayRow(self.arrays.len());
        self.arrays.push(data);
        self.array_rows.insert(key, row);
        row
    }

    /// Makes the pointers that an array is initialized with unknown.
    pub(crate) fn havoc_initial_pointers(&mut self, row: ArrayRow) {
        self.initial_pointers.insert(row);
    }

    /// A size of the function: one of its parameters, or a constant at file scope.
    pub(crate) fn intern_parameter(
        &mut self,
        name: &Name,
        at: TextRange,
        kind: IntegerType,
        value: Option<i64>,
        is_global: bool,
    ) -> Expression {
        let is_it =
            |row: &ParameterRow| row.name == *name && row.is_global == is_global && row.at == at;
        match self.parameters.iter().position(is_it) {
            Some(idx) => parameter_of_row(idx),
            None => self.add_parameter(ParameterRow {
                name: name.clone(),
                at,
                kind,
                value,
                is_global,
                is_fresh: false,
                meaning: ParameterKind::Size,
            }),
        }
    }

    /// A fresh symbol: a size without a value, named after the expression that has its value.
    pub(crate) fn fresh_size(
        &mut self,
        name: &str,
        kind: IntegerType,
        at: TextRange,
    ) -> Expression {
        self.add_fresh(Name::from(name), kind, ParameterKind::Size, at)
    }

    /// A fresh predicate: the truth value of a condition with this text.
    pub(crate) fn fresh_predicate(&mut self, text: String, at: TextRange) -> Expression {
        self.add_fresh(Name::from(text), INT, ParameterKind::Predicate, at)
    }

    fn add_fresh(
        &mut self,
        name: Name,
        kind: IntegerType,
        meaning: ParameterKind,
        at: TextRange,
    ) -> Expression {
        self.add_parameter(ParameterRow {
            name,
            at,
            kind,
            value: None,
            is_global: true,
            is_fresh: true,
            meaning,
        })
    }

    fn add_parameter(&mut self, row: ParameterRow) -> Expression {
        self.parameters.push(row);
        parameter_of_row(self.parameters.len() - 1)
    }
}

pub(crate) struct ParameterRow {
    pub(crate) name: Name,
    pub(crate) at: TextRange,
    pub(crate) kind: IntegerType,
    pub(crate) value: Option<i64>,
    /// Whether it is declared at file scope. Parameters of the function come before globals, each in order of
    /// declaration.
    pub(crate) is_global: bool,
    /// Whether it is the value of a variable or memory cell at some place, rather than a parameter or global.
    pub(crate) is_fresh: bool,
    pub(crate) meaning: ParameterKind,
}

pub(crate) struct VariableRow {
    pub(crate) name: String,
    pub(crate) kind: IntegerType,
    pub(crate) frame: usize,
    /// Whether it may change other than by its name: its address is taken, or it is global.
    pub(crate) is_shared: bool,
    /// Whether it is never assigned after its creation.
    pub(crate) is_fixed: bool,
    pub(crate) origin: VariableOrigin,
}

pub(crate) struct ArrayData {
    pub(crate) name: Name,
    pub(crate) storage: Storage,
    /// The key for the order among arrays of the same storage.
    pub(crate) order: (usize, TextRange),
    pub(crate) kind: Type,
    pub(crate) extent: Option<Expression>,
    pub(crate) at: TextRange,
    pub(crate) frame: usize,
    pub(crate) is_used: bool,
    /// Whether it is the target of a pointer in memory.
    pub(crate) is_region: bool,
    /// Whether a pointer to it may be null, as far as its cell is known.
    pub(crate) may_be_missing: bool,
    /// Whether it is allocated in a loop, where its place does not tell one iteration from another.
    pub(crate) is_renewed: bool,
}

/// Identifies a variable of the program by a hash across passes: each pass over a loop creates the variables of
/// callees again.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct VariableOrigin(pub(crate) u64);

fn parameter_of_row(idx: usize) -> Expression {
    let id = ParameterId::from_u32(u32::try_from(idx).unwrap_or(u32::MAX));
    Expression::Parameter(id)
}
