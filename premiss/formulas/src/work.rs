//! The operations, loads and stores of a function, as formulas in its sizes, in either convention.

use crate::formula::Formula;
use crate::formula_builder::FormulaBuilder;
use premiss_distance::{ReferenceHistogram, SymbolicHistogram};
use premiss_operations::{Form, NoPlaces, Places, Quantity, Scope, pbound, pbound_parts};
use premiss_presburger::Refusal;
use premiss_scop::{EntityRef, SymbolicParameter};
use premiss_tree::{AccessKind, LoopId, NestTree, OperationKind, ReferenceId, Role};
use std::collections::BTreeMap;

/// The convention by which operations, loads and stores are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Convention {
    /// That of the access model: loads and stores of array elements, and all operations as written.
    Elements,
    /// That of PBound (Narayanan, Norris, Hovland): scalars are loaded once, loop headers count, a fused pair is one
    /// operation.
    Pbound,
}

/// A quantity of work.
#[derive(Debug)]
pub struct WorkFormula {
    /// Its name in reports.
    pub name: String,
    /// The formula or two bounds; or why there is none, as a line without a final stop.
    pub bounds: Result<WorkBounds, String>,
}

/// A count as a formula, or as two that it lies between.
#[derive(Debug)]
pub enum WorkBounds {
    /// The count.
    Exact(Formula),
    /// A lower and an upper bound.
    Between([Formula; 2]),
}

/// The operations, loads and stores of one function.
#[derive(Debug)]
pub struct FunctionWork {
    /// The sizes, in the order of the columns of all formulas.
    pub parameters: Vec<SymbolicParameter>,
    /// The quantities of the whole function, in the order of reports; of operations only kinds that occur.
    pub quantities: Vec<WorkFormula>,
    /// In the convention of PBound, the counts of each loop without the loops inside it; else empty.
    pub loops: Vec<LoopWork>,
}

/// The counts of one loop, without the loops inside it.
#[derive(Debug)]
pub struct LoopWork {
    /// The loop.
    pub id: LoopId,
    /// The quantities that are not 0.
    pub quantities: Vec<WorkFormula>,
}

/// Derives the work of a function in its sizes without a value, with at most `steps` counting steps for each formula.
///
/// # Errors
/// How often the parts of the function run has no closed form; the reason is a line without a final stop.
pub fn work(tree: &NestTree, convention: Convention, steps: u64) -> Result<FunctionWork, String> {
    let places = derived(tree, steps)?;
    let found = match convention {
        Convention::Elements => elements(tree, &places),
        Convention::Pbound => of_pbound(tree, &places),
    };
    let found = found.map_err(|refusal| refusal.to_string())?;
    let loops = match convention {
        Convention::Elements => Ok(Vec::new()),
        Convention::Pbound => of_loops(tree, &places),
    };
    let all_formulated = |found: NamedBounds| {
        let found = found.into_iter().map(|(name, found)| WorkFormula {
            bounds: bounds(tree, &places, Ok(found)).and_then(|x| formulated(&places, x, steps)),
            name,
        });
        found.collect()
    };
    let loops = loops.map_err(|refusal| refusal.to_string())?;
    let loops = loops.into_iter().map(|(id, found)| LoopWork {
        id,
        quantities: all_formulated(found),
    });
    Ok(FunctionWork {
        quantities: all_formulated(found),
        loops: loops.collect(),
        parameters: places.parameters.clone(),
    })
}

/// A quantity that is counted for every function.
pub(crate) struct WorkCounted {
    /// Its identifier.
    pub(crate) name: &'static str,
    /// Its name in reports.
    title: &'static str,
    /// What it counts, as a phrase.
    pub(crate) meaning: &'static str,
    /// Which operations and accesses it counts.
    pub(crate) is_wanted: fn(&Quantity) -> bool,
}

/// The quantities that are counted for every function, in order.
pub(crate) const WORK: [WorkCounted; 6] = [
    WorkCounted {
        name: "accesses",
        title: "accesses",
        meaning: "array elements read and written",
        is_wanted: |x| matches!(x, Quantity::Elements(..)),
    },
    WorkCounted {
        name: "loads",
        title: "loads",
        meaning: "array elements read",
        is_wanted: |x| matches!(x, Quantity::Elements(AccessKind::Load, _)),
    },
    WorkCounted {
        name: "bytes_loaded",
        title: "  bytes of loads",
        meaning: "bytes of array elements read",
        is_wanted: |x| matches!(x, Quantity::Bytes(AccessKind::Load, _)),
    },
    WorkCounted {
        name: "stores",
        title: "stores",
        meaning: "array elements written",
        is_wanted: |x| matches!(x, Quantity::Elements(AccessKind::Store, _)),
    },
    WorkCounted {
        name: "bytes_stored",
        title: "  bytes of stores",
        meaning: "bytes of array elements written",
        is_wanted: |x| matches!(x, Quantity::Bytes(AccessKind::Store, _)),
    },
    WorkCounted {
        name: "flops",
        title: "flop",
        meaning: "operations on real and complex numbers",
        is_wanted: |x| matches!(x, Quantity::Operation(x) if x.operands.is_floating()),
    },
];

/// How often the parts of a function run; or why that is unknown.
pub(crate) fn derived(tree: &NestTree, steps: u64) -> Result<Places, String> {
    Places::derive(tree, &BTreeMap::new(), steps).map_err(|why| no_places(tree, why))
}

/// Bounds that were found, or why there are none.
pub(crate) fn bounds(
    tree: &NestTree,
    places: &Places,
    found: Result<Option<[Form; 2]>, Refusal>,
) -> Result<[Form; 2], String> {
    let found = found.map_err(|refusal| refusal.to_string())?;
    found.ok_or_else(|| {
        let why = places.refused.first().map(|reject| reject.message(tree));
        why.unwrap_or_else(|| "it runs an unknown number of times".to_owned())
    })
}

/// Why there is no closed form, as a line without a final stop.
pub(crate) fn no_places(tree: &NestTree, why: NoPlaces) -> String {
    match why {
        NoPlaces::Rejected(reject) => reject.message(tree),
        NoPlaces::Refused(refusal) => refusal.to_string(),
    }
}

/// Names with bounds, `None` where they are unknown.
type NamedBounds = Vec<(String, Option<[Form; 2]>)>;

fn elements(tree: &NestTree, places: &Places) -> Result<NamedBounds, Refusal> {
    let of = |wanted: &dyn Fn(&Quantity) -> bool| places.form(tree, Scope::Function, wanted);
    let mut found = NamedBounds::new();
    for counted in WORK {
        found.push((counted.title.to_owned(), of(&counted.is_wanted)?));
    }
    for (name, kind) in kinds(tree) {
        let of_kind = of(
            &|x| matches!(x, Quantity::Operation(x) if x.operands.is_floating() && x.kind == kind),
        )?;
        found.push((format!("  {name}"), of_kind));
    }
    let fused = of(&|x| matches!(x, Quantity::Fused(_)))?;
    if fused.as_ref() != Some(&[Form::default(), Form::default()]) {
        found.push(("  of these fused".to_owned(), fused));
    }
    for (name, role) in [
        ("integer operations", Role::Data),
        ("index operations", Role::Index),
    ] {
        let integers = of(
            &|x| matches!(x, Quantity::Operation(x) if !x.operands.is_floating() && x.role == role),
        )?;
        if integers.as_ref() != Some(&[Form::default(), Form::default()]) {
            found.push((name.to_owned(), integers));
        }
    }
    Ok(found)
}

/// The kinds of operations on real numbers that occur, with their names.
fn kinds(tree: &NestTree) -> BTreeMap<String, OperationKind> {
    let rows = tree.work.operations.values();
    let all = rows.flat_map(|row| row.arithmetic.performed.keys());
    let real = all.filter(|x| x.operands.is_floating() && x.role == Role::Data);
    real.map(|x| (x.kind.name().to_owned(), x.kind.clone()))
        .collect()
}

/// The quantities that PBound counts, in the order of its log.
const PBOUND: [&str; 6] = [
    "integer loads",
    "integer stores",
    "floating-point loads",
    "floating-point stores",
    "integer operations",
    "floating-point operations",
];

fn of_pbound(tree: &NestTree, places: &Places) -> Result<NamedBounds, Refusal> {
    let counts = pbound(tree, places)?;
    let forms = [
        counts.integer_loads,
        counts.integer_stores,
        counts.floating_loads,
        counts.floating_stores,
        counts.integer_operations,
        counts.floating_operations,
    ];
    let names = PBOUND.iter().map(|name| (*name).to_owned());
    Ok(names.zip(forms).collect())
}

/// The counts of each loop itself; `None` for a loop whose trip count is unknown.
fn of_loops(tree: &NestTree, places: &Places) -> Result<Vec<(LoopId, NamedBounds)>, Refusal> {
    let mut loops = Vec::new();
    for (id, part) in pbound_parts(tree, places)? {
        let Some(id) = id else { continue };
        let mut found = NamedBounds::new();
        match part {
            None => found.push(("all".to_owned(), None)),
            Some(part) => {
                let both = part.certain.into_iter().zip(part.possible);
                for (name, (least, possible)) in PBOUND.into_iter().zip(both) {
                    let mut most = least.clone();
                    most.pieces.extend(possible.pieces);
                    if !most.pieces.is_empty() {
                        found.push((name.to_owned(), Some([least, most])));
                    }
                }
            }
        }
        loops.push((id, found));
    }
    Ok(loops)
}

fn formulated(
    places: &Places,
    [lower, upper]: [Form; 2],
    steps: u64,
) -> Result<WorkBounds, String> {
    let of = |form: Form| formula(places, form, steps).map_err(|refusal| refusal.to_string());
    Ok(match lower == upper {
        true => WorkBounds::Exact(of(lower)?),
        false => WorkBounds::Between([of(lower)?, of(upper)?]),
    })
}

/// A form as a formula, with the pieces combined as those of a reference's cold accesses are.
fn formula(places: &Places, form: Form, steps: u64) -> Result<Formula, Refusal> {
    let histogram = SymbolicHistogram {
        line_size: 1,
        parameters: places.parameters.clone(),
        context: places.context.clone(),
        references: vec![ReferenceHistogram {
            reference: ReferenceId::new(0),
            cold: form.pieces,
            entries: Vec::new(),
        }],
    };
    FormulaBuilder::new(&histogram, steps).cold(&[&histogram.references[0]])
}
