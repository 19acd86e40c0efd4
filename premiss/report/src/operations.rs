//! The operations of functions, in text and in JSON.

use crate::human::counted;
use crate::number::Number;
use premiss_analyze::{Counts, ElementKind, FunctionAnalysis, Scope};
use premiss_histogram::Counted;
use premiss_source::Span;
use premiss_tree::{AccessKind, Operands, OperationKind, Role};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The operations on real numbers that are counted by name.
const FLOATING: [(&str, OperationKind); 7] = [
    ("add", OperationKind::Add),
    ("sub", OperationKind::Subtract),
    ("mul", OperationKind::Multiply),
    ("div", OperationKind::Divide),
    ("sqrt", OperationKind::SquareRoot),
    ("neg", OperationKind::Negate),
    ("compare", OperationKind::Compare),
];

/// The operations on integers that are counted by name.
const INTEGER: [(&str, OperationKind); 8] = [
    ("add", OperationKind::Add),
    ("sub", OperationKind::Subtract),
    ("mul", OperationKind::Multiply),
    ("div", OperationKind::Divide),
    ("mod", OperationKind::Remainder),
    ("neg", OperationKind::Negate),
    ("compare", OperationKind::Compare),
    ("bits", OperationKind::Bits),
];

/// Operations by kind. Of loops and statements only those that there are.
#[derive(Serialize, JsonSchema)]
pub(crate) struct OperationsJson {
    floating_point: BTreeMap<&'static str, Number>,
    integer: BTreeMap<&'static str, Number>,
    /// Arithmetic of subscripts.
    index: BTreeMap<&'static str, Number>,
    /// Operations on real numbers by what they compute with.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    by_type: BTreeMap<String, Number>,
    /// Calls of mathematical functions by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    functions: BTreeMap<String, Number>,
    /// Sums and differences that have a product for an operand; they count in `add`, `sub` and `mul` too.
    fused: Number,
    /// Array elements read and written, with their bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    elements: Option<BTreeMap<&'static str, MovedJson>>,
}

#[derive(Serialize, JsonSchema)]
struct MovedJson {
    loads: Number,
    load_bytes: Number,
    stores: Number,
    store_bytes: Number,
}

/// What a statement computes.
#[derive(Serialize, JsonSchema)]
pub(crate) struct StatementJson<'a> {
    line: u32,
    column: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    operations: OperationsJson,
}

impl<'a> StatementJson<'a> {
    pub(crate) fn new(
        (line, column): (u32, u32),
        file: Option<&'a str>,
        operations: OperationsJson,
    ) -> Self {
        Self {
            line,
            column,
            file,
            operations,
        }
    }
}

/// Whether kinds without any operation are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Zeros {
    Shown,
    Hidden,
}

/// The operations of a part of a function, in the form for JSON.
pub(crate) fn operations(counts: &Counts, zeros: Zeros) -> OperationsJson {
    let shown = |count: &Counted| zeros == Zeros::Shown || *count != Counted::ZERO;
    let table = |list: Vec<(&'static str, Counted)>| {
        let list = list.into_iter().filter(|(_, count)| shown(count));
        list.map(|(name, count)| (name, count.into())).collect()
    };
    let integers = |role| {
        let of_kind = INTEGER
            .iter()
            .map(|(name, kind)| (*name, counts.integer(kind, role)));
        let calls = ("call", counts.integer(&call(), role));
        table(of_kind.chain([calls]).collect())
    };
    let floating = FLOATING
        .iter()
        .map(|(name, kind)| (*name, counts.floating_point(kind)));
    let calls = ("call", counts.floating_point(&call()));
    OperationsJson {
        floating_point: table(floating.chain([calls]).collect()),
        integer: integers(Role::Data),
        index: integers(Role::Index),
        by_type: by_name(counts, |x| type_name(x.operands)),
        functions: by_name(counts, |x| match &x.kind {
            OperationKind::Call(name) => Some(name.to_string()),
            _ => None,
        }),
        fused: counts.fused().into(),
        elements: (zeros == Zeros::Shown).then(|| elements(counts)),
    }
}

fn call() -> OperationKind {
    OperationKind::Call("".into())
}

fn by_name(
    counts: &Counts,
    name: impl Fn(&premiss_tree::Operation) -> Option<String>,
) -> BTreeMap<String, Number> {
    let operations = counts.by_operation();
    let names: BTreeSet<String> = operations.filter_map(|(x, _)| name(x)).collect();
    let of_name = |wanted: String| {
        let sum = counts.operations(|x| name(x).as_ref() == Some(&wanted));
        (sum != Counted::ZERO).then(|| (wanted, sum.into()))
    };
    names.into_iter().filter_map(of_name).collect()
}

/// `float`, `double`, or `real16` for other sizes in bytes; `None` for integers.
fn type_name(operands: Operands) -> Option<String> {
    match operands {
        Operands::Floating(4) => Some("float".to_owned()),
        Operands::Floating(8) => Some("double".to_owned()),
        Operands::Floating(size) => Some(format!("real{size}")),
        Operands::Complex(part) => Some(format!("complex{}", 2 * part)),
        Operands::Integer(_) => None,
    }
}

fn elements(counts: &Counts) -> BTreeMap<&'static str, MovedJson> {
    let of = |kind| {
        let loads = counts.traffic(AccessKind::Load, kind);
        let stores = counts.traffic(AccessKind::Store, kind);
        MovedJson {
            loads: loads.elements.into(),
            load_bytes: loads.bytes.into(),
            stores: stores.elements.into(),
            store_bytes: stores.bytes.into(),
        }
    };
    BTreeMap::from([
        ("floating_point", of(ElementKind::Floating)),
        ("integer", of(ElementKind::Integer)),
    ])
}

/// The statements with operations, in the order of the text, each once.
pub(crate) fn statements(function: &FunctionAnalysis) -> BTreeMap<Span, Counts> {
    let mut statements: BTreeMap<Span, Counts> = BTreeMap::new();
    for (id, row) in &function.tree.work.operations {
        if row.arithmetic.performed.is_empty() {
            continue;
        }
        let counts = function.operations.of(Scope::Statement(id));
        let sum = match statements.get(&row.span) {
            Some(known) => known.plus(counts),
            None => counts.clone(),
        };
        statements.insert(row.span, sum);
    }
    statements
}

/// `operations: 2.00 Gflop (add 1.00 G, mul 1.00 G; 1.00 G fused), 3.00 M on integers (add 3.00 M)`; `None` if there
/// are none.
pub(crate) fn line(counts: &Counts) -> Option<String> {
    let floating = FLOATING
        .iter()
        .map(|(name, kind)| (*name, counts.floating_point(kind)));
    let calls = ("call", counts.floating_point(&call()));
    let mut parts = Vec::new();
    if let Some(mut kinds) = listed(floating.chain([calls])) {
        if counts.fused() != Counted::ZERO {
            kinds = format!("{kinds}; {} fused", counted(counts.fused()));
        }
        parts.push(format!("{}flop ({kinds})", unit(counts.flops())));
    }
    let integers = INTEGER
        .iter()
        .map(|(name, kind)| (*name, counts.integer(kind, Role::Data)));
    let calls = ("call", counts.integer(&call(), Role::Data));
    if let Some(kinds) = listed(integers.chain([calls])) {
        let all = counts.operations(|x| x.role == Role::Data && type_name(x.operands).is_none());
        parts.push(format!("{} on integers ({kinds})", counted(all)));
    }
    match (parts.is_empty(), counts.flops()) {
        (_, Counted::Unknown) => Some("operations: ?".to_owned()),
        (true, _) => None,
        (false, _) => Some(format!("operations: {}", parts.join(", "))),
    }
}

/// The kinds that occur; `None` if none does.
fn listed(kinds: impl Iterator<Item = (&'static str, Counted)>) -> Option<String> {
    let some = kinds.filter(|(_, count)| *count != Counted::ZERO);
    let list: Vec<String> = some
        .map(|(name, count)| format!("{name} {}", counted(count)))
        .collect();
    (!list.is_empty()).then(|| list.join(", "))
}

/// `2.00 G` before a unit, `120 ` if there is no prefix.
fn unit(count: Counted) -> String {
    let text = counted(count);
    match text.ends_with(|end: char| end.is_ascii_digit()) {
        true => format!("{text} "),
        false => text,
    }
}
