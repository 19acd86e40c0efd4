//! The formulas of functions as text and JSON.

mod bounds;
mod work;

use crate::algebra::{SizeNames, Spelling};
use crate::{Colour, SCHEMA_VERSION, style::Style};
use bounds::{bound_lines, bounded, once_named};
use premiss_analyze::{
    Affine, Column, DistanceCount, EntityRef, FormulaResult, FunctionFormulas, FunctionWork,
    LevelFormula, NoClosedForm, NodeId, NodeKind, Piecewise, ReferenceFormulas, Refusal, Scop,
    SetClassForm, SymbolicHistogram, size_conditions,
};
use premiss_source::SourceMap;
use premiss_tree::{NestTree, ParameterId, SizeBound};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use work::{LoopJson, WorkJson, loops_json, work_json, work_text};

/// The operations, loads and stores of a function as formulas; or why there are none.
pub type Work = Result<FunctionWork, String>;

/// A function with the formulas of its cache behaviour, and of its work.
pub type Described<'a> = (&'a NestTree, &'a FunctionFormulas, &'a Work);

/// How much of a function is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Details {
    /// The function as a whole.
    Totals,
    /// Each of its references besides.
    References,
}

/// The formulas of functions as text, in the names of sizes of the source.
#[must_use]
pub fn formula_text(
    sources: &SourceMap,
    functions: &[Described<'_>],
    details: Details,
    colour: Colour,
) -> String {
    let mut text = String::new();
    for (tree, formulas, work) in functions {
        let path = sources.file(tree.span.file).path();
        let line = sources.start(tree.span).line;
        let line_size = formulas.histogram.line_size;
        let mut head = format!(
            "{path}:{line} {} · lines of {line_size} bytes",
            tree.function
        );
        let classes = classes(tree, &formulas.histogram);
        if !classes.is_empty() {
            let _ = write!(head, " · {}", classes.join(", "));
        }
        let is_as_if = |level: &LevelFormula| 1 < level.geometry.sets && level.sets.is_none();
        if formulas.levels.iter().any(is_as_if) {
            head.push_str(" · levels as if fully associative");
        }
        text.push_str(&colour.paint(Style::Bold, &head));
        text.push('\n');
        if let Some(validity) = validity(tree, &formulas.histogram, Spelling::Text) {
            let _ = writeln!(text, " for {validity}");
        }
        totals(sources, tree, formulas, work, &mut text);
        if details == Details::References {
            references(sources, tree, formulas, &mut text);
        }
        text.push('\n');
    }
    text
}

/// The formulas of a whole function.
fn totals(
    sources: &SourceMap,
    tree: &NestTree,
    formulas: &FunctionFormulas,
    work: &Work,
    text: &mut String,
) {
    let names = SizeNames::new(tree, &formulas.histogram.parameters, Spelling::Text);
    text.push_str(&work_text(sources, tree, work));
    let lower = formulas.lower.as_deref();
    let mut lines = |name: &str, formulas: Vec<String>| {
        for (name, formula) in once_named(name, formulas) {
            let _ = writeln!(text, " {name:<22} {formula}");
        }
    };
    let cold = lower.map(|lower| &lower.cold);
    lines("cold misses", bound_lines(&names, cold, &formulas.cold));
    for (idx, level) in formulas.levels.iter().enumerate() {
        let least = lower.map(|lower| &lower.levels[idx].misses);
        let misses = match &level.sets {
            None => bound_lines(&names, least, &level.misses),
            Some(sets) => vec![class_line(tree, level, sets)],
        };
        lines(&format!("{} misses", level.name), misses);
    }
}

/// The formulas of its references.
fn references(
    sources: &SourceMap,
    tree: &NestTree,
    formulas: &FunctionFormulas,
    text: &mut String,
) {
    let names = SizeNames::new(tree, &formulas.histogram.parameters, Spelling::Text);
    for (idx, reference) in formulas.references.iter().enumerate() {
        let row = &tree.references[reference.id];
        let at = sources.start(row.span);
        let kind = kind(tree, reference);
        let _ = writeln!(text, "\n {}:{} {}  {kind}", at.line, at.column, row.text);
        let mut lines = |name: &str, formulas: Vec<String>| {
            for (name, formula) in once_named(name, formulas) {
                let _ = writeln!(text, "   {name:<20} {formula}");
            }
        };
        let lower = formulas.lower.as_ref().map(|lower| &lower.references[idx]);
        let accesses = lower.map(|lower| &lower.accesses);
        let cold = lower.map(|lower| &lower.cold);
        lines(
            "accesses",
            bound_lines(&names, accesses, &reference.accesses),
        );
        lines(
            "first to its line",
            bound_lines(&names, cold, &reference.cold),
        );
        for (level_idx, (level, misses)) in
            formulas.levels.iter().zip(&reference.misses).enumerate()
        {
            let least = lower.map(|lower| &lower.misses[level_idx]);
            let misses = match &level.sets {
                None => bound_lines(&names, least, misses),
                Some(Ok(sets)) => vec![class_formula(tree, sets, &sets.references[idx])],
                // The reason stands beside the misses of the function.
                Some(Err(_)) => continue,
            };
            lines(&format!("{} misses", level.name), misses);
        }
        let at_most = if lower.is_some() { "at most " } else { "" };
        match &reference.distances {
            Ok(distances) => {
                for count in distances {
                    let written = distance(
                        tree,
                        (&formulas.histogram, &formulas.scop),
                        reference.node,
                        count,
                        Spelling::Text,
                    );
                    let name = written.unwrap_or_else(|refusal| format!("? ({refusal})"));
                    let accesses = names.line(&count.accesses);
                    let accesses = accesses.unwrap_or_else(|refusal| format!("? ({refusal})"));
                    let _ = writeln!(text, "   at distance {at_most}{name}: {accesses}");
                }
            }
            Err(refusal) => {
                let _ = writeln!(text, "   distances: {}", no_formula(*refusal));
            }
        }
    }
}

/// The misses of a set-associative level, with the class of sizes for which they hold: `N² [64 sets of 8 lines, N = 512·m]`.
fn class_line(
    tree: &NestTree,
    level: &LevelFormula,
    sets: &Result<SetClassForm, NoClosedForm>,
) -> String {
    let sets = match sets {
        Ok(sets) => sets,
        Err(why) => return format!("no formula: {}", why.message(tree)),
    };
    let mut held = vec![format!(
        "{} sets of {} lines",
        level.geometry.sets, level.geometry.ways
    )];
    held.extend(classes(tree, &sets.histogram));
    held.extend(validity(tree, &sets.histogram, Spelling::Text));
    let misses = class_formula(tree, sets, &sets.misses);
    format!("{misses} [{}]", held.join(", "))
}

/// A formula for sizes of one class in one line, or why there is none.
fn class_formula(tree: &NestTree, sets: &SetClassForm, formula: &FormulaResult) -> String {
    let sizes = &sets.histogram.parameters;
    if 1 < sizes.len() && formula.as_ref().err() == Some(&Refusal::NotAffine) {
        return "no formula in several sizes at a time; `-P NAME=VALUE` fixes one".to_owned();
    }
    formula_line(&SizeNames::new(tree, sizes, Spelling::Text), formula)
}

/// A formula in one line, or why there is none.
fn formula_line(names: &SizeNames<'_>, formula: &FormulaResult) -> String {
    let formula = formula.as_ref().map_err(|refusal| *refusal);
    let line = formula.and_then(|formula| names.line(formula));
    line.unwrap_or_else(no_formula)
}

/// Why there is no formula, and what to use in its place.
pub(crate) fn no_formula(refusal: Refusal) -> String {
    match refusal {
        Refusal::NotAffine => {
            "no formula in sizes alone; `premiss sweep` counts it at given ones".to_owned()
        }
        other => format!("no formula: {other}"),
    }
}

fn kind(tree: &NestTree, reference: &ReferenceFormulas) -> &'static str {
    match tree.references[reference.id].kind {
        premiss_tree::AccessKind::Load => "load",
        premiss_tree::AccessKind::Store => "store",
    }
}

/// `N = 8·m + 3` for each size for which only one class is covered.
pub(crate) fn classes(tree: &NestTree, histogram: &SymbolicHistogram) -> Vec<String> {
    let sizes = histogram.parameters.iter();
    // A letter that is no size of the function.
    let is_free = |letter: &&str| tree.parameters.values().all(|x| x.name != *letter);
    let mut letters = ["m", "k", "q", "t"].into_iter();
    let letter = letters.find(is_free).unwrap_or("class");
    let of_one = sizes.filter(|size| 1 < size.factor).map(|size| {
        let name = &tree.parameters[size.id].name;
        match size.residue {
            0 => format!("{name} = {}·{letter}", size.factor),
            residue => format!("{name} = {}·{letter} + {residue}", size.factor),
        }
    });
    of_one.collect()
}

/// The sizes for which formulas hold, if not all of their classes, with the conditions that the rows of arrays need:
/// `N >= 8 and m <= lda`. Formulas in several sizes hold from the first size that exceeds the remainder.
pub(crate) fn validity(
    tree: &NestTree,
    histogram: &SymbolicHistogram,
    spelling: Spelling,
) -> Option<String> {
    let (at_least, and) = match spelling {
        Spelling::Text => ("≥", ", "),
        Spelling::Plain => (">=", " and "),
    };
    let is_alone = histogram.parameters.len() < 2;
    let bounds = histogram.context.inequalities.iter();
    let of_one = Column::variables(histogram.parameters.len())
        .zip(&histogram.parameters)
        .filter_map(|(column, size)| {
            let is_of_one = |form: &&Affine| form.support().eq([column]);
            let own = bounds.clone().filter(is_of_one);
            let own = own.filter(|form| 0 < form.coefficient(column));
            let least = own.map(|form| -form.constant_term().div_euclid(form.coefficient(column)));
            let least = least.max().unwrap_or(0).max(i64::from(!is_alone));
            let name = &tree.parameters[size.id].name;
            let value = size
                .factor
                .saturating_mul(least)
                .saturating_add(size.residue);
            (0 < least).then(|| format!("{name} {at_least} {value}"))
        });
    let mut all: Vec<String> = of_one.collect();
    all.extend(assumed(tree, histogram, spelling));
    let names = SizeNames::new(tree, &histogram.parameters, spelling);
    for condition in size_conditions(tree, histogram) {
        let written = names.bound(&condition);
        all.extend(written.ok().filter(|written| !all.contains(written)));
    }
    (!all.is_empty()).then(|| all.join(and))
}

/// The assumptions of the source on sizes, except lower bounds of single ones.
fn assumed(tree: &NestTree, histogram: &SymbolicHistogram, spelling: Spelling) -> Vec<String> {
    let is_open = |id: &ParameterId| histogram.parameters.iter().any(|x| x.id == *id);
    let is_shown = |bound: &&SizeBound| {
        let is_least = bound.sizes.len() == 1 && bound.sizes.values().all(|factor| 0 < *factor);
        !is_least && bound.sizes.keys().any(is_open)
    };
    let mut found: Vec<String> = Vec::new();
    for bound in tree.bounds.iter().filter(is_shown) {
        let text = match spelling {
            Spelling::Text => bound.text.replace("<=", "≤").replace(">=", "≥"),
            Spelling::Plain => bound.text.clone(),
        };
        if !found.contains(&text) {
            found.push(text);
        }
    }
    found
}

/// A distance, with the loop variables that it depends on.
pub(crate) fn distance(
    tree: &NestTree,
    (histogram, scop): (&SymbolicHistogram, &Scop),
    node: NodeId,
    count: &DistanceCount,
    spelling: Spelling,
) -> Result<String, Refusal> {
    let mut names = SizeNames::new(tree, &histogram.parameters, spelling);
    names.variables = variables(tree, scop, node);
    names.polynomial(&count.distance.value, &count.distance.domain)
}

/// The names of the loop variables around a reference. For a loop over `i` that is split into blocks of eight, these
/// are `i/8` and `i%8`.
fn variables(tree: &NestTree, scop: &Scop, node: NodeId) -> Vec<String> {
    let nodes = &scop.nodes;
    let mut loops = Vec::new();
    let mut around = nodes[node].parent;
    while let Some(node) = around {
        if let NodeKind::Loop { id, range, .. } = &nodes[node].kind {
            loops.push((*id, *range));
        }
        around = nodes[node].parent;
    }
    loops.reverse();
    let of_one = loops.iter().enumerate().map(|(idx, (id, range))| {
        let iterator = &tree.loops[*id].iterator;
        let inner = loops.get(idx + 1).filter(|(next, _)| next == id);
        let outer = idx.checked_sub(1).and_then(|idx| loops.get(idx));
        let outer = outer.filter(|(before, _)| before == id);
        match (inner, outer, range) {
            (Some((_, Some((_, most)))), _, _) => format!("({iterator}/{})", most + 1),
            (_, Some(_), Some((_, most))) => format!("({iterator}%{})", most + 1),
            _ if iterator.is_empty() => format!("loop{}", id.index()),
            _ => iterator.clone(),
        }
    });
    of_one.collect()
}

/// The formulas of functions as one JSON object with a final line break; a function without closed form has the reason
/// instead.
///
/// # Panics
///
/// Never: the form has text for keys.
#[must_use]
pub fn formula_json(
    sources: &SourceMap,
    functions: &[(&NestTree, Result<&FunctionFormulas, String>, &Work)],
) -> String {
    let of_one =
        |(tree, formulas, work): &(&NestTree, Result<&FunctionFormulas, String>, &Work)| {
            FunctionJson {
                name: tree.function.clone(),
                file: sources.file(tree.span.file).path().to_owned(),
                line: sources.start(tree.span).line,
                engine: formulas.is_ok().then_some("closed"),
                reason: formulas.as_ref().err().cloned(),
                work: work_json(tree, work),
                loops: loops_json(sources, tree, work),
                formulas: formulas.as_ref().ok().map(|x| function(sources, tree, x)),
            }
        };
    let report = FormulaReport {
        schema_version: SCHEMA_VERSION,
        functions: functions.iter().map(of_one).collect(),
    };
    let mut json =
        serde_json::to_string_pretty(&report).expect("a report has nothing that JSON cannot say");
    json.push('\n');
    json
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Report")]
pub(crate) struct FormulaReport {
    schema_version: &'static str,
    functions: Vec<FunctionJson>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Function")]
struct FunctionJson {
    name: String,
    file: String,
    line: u32,
    engine: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// What it computes and moves, by name; of bounds the least number comes first.
    work: WorkJson,
    /// In the convention of PBound, what each loop does itself, without the loops inside: what is not 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    loops: Vec<LoopJson>,
    #[serde(flatten)]
    formulas: Option<Numbers>,
}

#[derive(Serialize, JsonSchema)]
struct Numbers {
    line_size: u64,
    /// The class of each size: `size = factor * m + residue`.
    sizes: BTreeMap<String, SizeClassJson>,
    /// Where the formulas hold, where there are several sizes.
    #[serde(skip_serializing_if = "Option::is_none")]
    valid: Option<String>,
    accesses: FormulaJson,
    cold: FormulaJson,
    levels: Vec<LevelFormulaJson>,
    references: Vec<Reference>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Class")]
struct SizeClassJson {
    factor: i64,
    residue: i64,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Level")]
struct LevelFormulaJson {
    name: String,
    /// The lines that it holds.
    lines: u64,
    /// As if it were fully associative.
    misses: FormulaJson,
    /// With its sets, where a class was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    in_sets: Option<InSetsJson>,
}

/// The misses of a set-associative level, for sizes of one class.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "LevelInSets")]
struct InSetsJson {
    sets: u64,
    ways: u64,
    /// The class of each size: `size = factor * m + residue`.
    sizes: BTreeMap<String, SizeClassJson>,
    /// Where the formulas hold, where that is not the whole class.
    #[serde(skip_serializing_if = "Option::is_none")]
    valid: Option<String>,
    misses: FormulaJson,
}

#[derive(Serialize, JsonSchema)]
struct Reference {
    text: String,
    line: u32,
    column: u32,
    kind: &'static str,
    accesses: FormulaJson,
    cold: FormulaJson,
    /// Null where there are no formulas.
    histogram: Option<Vec<Bin>>,
    misses: Vec<LevelFormulaJson>,
}

#[derive(Serialize, JsonSchema)]
struct Bin {
    distance: String,
    /// The loop variables that the distance depends on; the count is for all their values together.
    axes: Vec<String>,
    count: FormulaJson,
}

/// A number as a formula: `expr` where one formula is all, and else the cases. Where data decide what executes, its kind is
/// `bounded`, and there are two formulas instead.
#[derive(PartialEq, Serialize, JsonSchema)]
struct FormulaJson {
    value: Option<i64>,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    expr: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Whether the cases that hold add up; otherwise at most one does, and none means 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    sum: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cases: Vec<CaseJson>,
    /// It is at least this.
    #[serde(skip_serializing_if = "Option::is_none")]
    lower: Option<Box<FormulaJson>>,
    /// It is at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    upper: Option<Box<FormulaJson>>,
}

#[derive(PartialEq, Serialize, JsonSchema)]
struct CaseJson {
    when: String,
    expr: String,
}

fn function(sources: &SourceMap, tree: &NestTree, formulas: &FunctionFormulas) -> Numbers {
    let names = SizeNames::new(tree, &formulas.histogram.parameters, Spelling::Plain);
    let lower = formulas.lower.as_deref();
    let level = |idx: usize, place: Option<usize>| {
        let level = &formulas.levels[idx];
        let misses = |all: &FunctionFormulas| match place {
            None => formula(&names, &all.levels[idx].misses),
            Some(place) => formula(&names, &all.references[place].misses[idx]),
        };
        let sets = level.sets.as_ref();
        LevelFormulaJson {
            name: level.name.clone(),
            lines: level.geometry.lines(),
            misses: bounded(lower.map(misses), misses(formulas)),
            in_sets: sets.map(|sets| in_sets(tree, level, sets, place)),
        }
    };
    let bin = |reference: &ReferenceFormulas, count: &DistanceCount| -> Result<Bin, Refusal> {
        let all = variables(tree, &formulas.scop, reference.node);
        let n_sizes = formulas.histogram.parameters.len();
        let axes = count
            .axes
            .iter()
            .map(|axis| all.get(axis.place() - n_sizes));
        Ok(Bin {
            distance: distance(
                tree,
                (&formulas.histogram, &formulas.scop),
                reference.node,
                count,
                Spelling::Plain,
            )?,
            axes: axes.flatten().cloned().collect(),
            count: formula(&names, &Ok(count.accesses.clone())),
        })
    };
    let reference = |(idx, x): (usize, &ReferenceFormulas)| {
        let row = &tree.references[x.id];
        let at = sources.start(row.span);
        let least = lower.map(|lower| &lower.references[idx]);
        // Of bounds there is no list of distances that holds for each access.
        let histogram = x.distances.as_ref().ok().filter(|_| least.is_none());
        let histogram =
            histogram.and_then(|counts| counts.iter().map(|c| bin(x, c).ok()).collect());
        Reference {
            text: row.text.clone(),
            line: at.line,
            column: at.column,
            kind: kind(tree, x),
            accesses: bounded(
                least.map(|x| formula(&names, &x.accesses)),
                formula(&names, &x.accesses),
            ),
            cold: bounded(
                least.map(|x| formula(&names, &x.cold)),
                formula(&names, &x.cold),
            ),
            histogram,
            misses: (0..x.misses.len()).map(|of| level(of, Some(idx))).collect(),
        }
    };
    Numbers {
        line_size: formulas.histogram.line_size,
        sizes: size_classes(tree, &formulas.histogram),
        valid: validity(tree, &formulas.histogram, Spelling::Plain),
        accesses: bounded(
            lower.map(|x| formula(&names, &x.accesses)),
            formula(&names, &formulas.accesses),
        ),
        cold: bounded(
            lower.map(|x| formula(&names, &x.cold)),
            formula(&names, &formulas.cold),
        ),
        levels: (0..formulas.levels.len())
            .map(|idx| level(idx, None))
            .collect(),
        references: formulas
            .references
            .iter()
            .enumerate()
            .map(reference)
            .collect(),
    }
}

/// The class of each size that is symbolic.
fn size_classes(tree: &NestTree, histogram: &SymbolicHistogram) -> BTreeMap<String, SizeClassJson> {
    let sizes = histogram.parameters.iter().map(|size| {
        let class = SizeClassJson {
            factor: size.factor,
            residue: size.residue,
        };
        (tree.parameters[size.id].name.clone(), class)
    });
    sizes.collect()
}

/// The misses of a level with its sets: of one reference, by its place in order of execution, or of all.
fn in_sets(
    tree: &NestTree,
    level: &LevelFormula,
    sets: &Result<SetClassForm, NoClosedForm>,
    place: Option<usize>,
) -> InSetsJson {
    let class = sets.as_ref().ok();
    let misses = match sets {
        Ok(class) => {
            let names = SizeNames::new(tree, &class.histogram.parameters, Spelling::Plain);
            formula(
                &names,
                place.map_or(&class.misses, |idx| &class.references[idx]),
            )
        }
        Err(why) => unknown(why.message(tree)),
    };
    InSetsJson {
        sets: level.geometry.sets,
        ways: level.geometry.ways,
        sizes: class.map_or_else(BTreeMap::new, |x| size_classes(tree, &x.histogram)),
        valid: class.and_then(|x| validity(tree, &x.histogram, Spelling::Plain)),
        misses,
    }
}

fn unknown(reason: String) -> FormulaJson {
    FormulaJson {
        value: None,
        kind: "unknown",
        expr: None,
        reason: Some(reason),
        sum: None,
        cases: Vec::new(),
        lower: None,
        upper: None,
    }
}

fn formula(names: &SizeNames<'_>, formula: &FormulaResult) -> FormulaJson {
    let unknown = |refusal: Refusal| unknown(refusal.to_string());
    let formula = match formula {
        Ok(formula) => formula,
        Err(refusal) => return unknown(*refusal),
    };
    let cases = match names.cases(formula) {
        Ok(cases) => cases,
        Err(refusal) => return unknown(refusal),
    };
    let expr = match cases.as_slice() {
        [] => Some("0".to_owned()),
        [only] if only.condition.is_empty() => Some(only.expression.clone()),
        _ => None,
    };
    let value = expr.as_ref().and_then(|expr| expr.parse().ok());
    let is_sum = expr
        .is_none()
        .then_some(formula.piecewise == Piecewise::Sum);
    let cases = cases.into_iter().map(|written| CaseJson {
        when: written.condition,
        expr: written.expression,
    });
    FormulaJson {
        value,
        kind: "exact",
        reason: None,
        sum: is_sum,
        cases: if expr.is_some() {
            Vec::new()
        } else {
            cases.collect()
        },
        expr,
        lower: None,
        upper: None,
    }
}
