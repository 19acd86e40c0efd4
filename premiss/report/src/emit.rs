//! Formulas as code: a file in some language, with one function for each quantity of each analysed function.
//!
//! ```text
//! CountForm ──lower──▶ Statement ──c, rust, python──▶ text
//!         └──────────json, symbolica──────────────────▶ text
//! ```
//!
//! Each function checks that its sizes are in the domain of its formula, computes in exact integers, and reports
//! numbers that do not fit. A quantity without a value has a comment with the reason in place of a function.

mod c;
mod json;
mod lower;
mod names;
mod pbound;
mod program;
mod python;
mod rust;
mod symbolica;
mod text;

pub(crate) use json::Code;

pub use pbound::emit_pbound;

use names::{mangled, unique};
use premiss_analyze::{
    CodeQuantity, CodeValue, Column, Combination, FunctionCode, QuantityTerm, ResidueClassForm,
    System,
};
use premiss_source::SourceMap;
use premiss_tree::{NestTree, ParameterKind};
use program::{Body, CodeFunction, Kernel, Statement};
use std::collections::BTreeSet;

/// A language in which formulas are emitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeLanguage {
    /// C11 with `__int128`.
    C,
    /// Rust without dependencies.
    Rust,
    /// Python 3.
    Python,
    /// The pieces as JSON.
    Json,
    /// Algebra in plain text, one expression on a line, for symbolica and other computer algebra systems.
    Symbolica,
}

/// The most values of loop variables that one evaluation enumerates.
const MOST_STEPS: u64 = 100_000_000;

/// Functions with their quantities.
pub type Emitted<'a> = [(&'a NestTree, &'a FunctionCode)];

/// The quantities of functions as the text of one file; `assumptions` become comments at its start.
#[must_use]
pub fn emit_code(
    sources: &SourceMap,
    functions: &Emitted<'_>,
    assumptions: &[String],
    language: CodeLanguage,
) -> String {
    match language {
        CodeLanguage::Json => return json::write(sources, functions, assumptions),
        CodeLanguage::Symbolica => return symbolica::write(sources, functions, assumptions),
        CodeLanguage::C | CodeLanguage::Rust | CodeLanguage::Python => {}
    }
    let mut taken = BTreeSet::new();
    let kernels = functions.iter();
    let kernels = kernels.map(|(tree, code)| kernel(sources, tree, code, &mut taken));
    let kernels: Vec<Kernel> = kernels.collect();
    match language {
        CodeLanguage::C => c::write(&kernels, assumptions),
        CodeLanguage::Rust => rust::write(&kernels, assumptions),
        _ => python::write(&kernels, assumptions),
    }
}

fn kernel(
    sources: &SourceMap,
    tree: &NestTree,
    code: &FunctionCode,
    taken: &mut BTreeSet<String>,
) -> Kernel {
    let arguments = arguments(tree, code);
    let prefix = unique(&tree.function, "kernel", taken);
    let names: Vec<String> = code
        .quantities
        .iter()
        .map(|quantity| unique(&format!("{prefix}_{}", quantity.name), "f", taken))
        .collect();
    let mut functions = Vec::new();
    for (quantity, name) in code.quantities.iter().zip(&names) {
        for mut written in function(quantity, name, &names, code, &arguments) {
            if let Some(why) = missing(&written, &functions) {
                written.body = Body::Unknown(why);
            }
            functions.push(written);
        }
    }
    Kernel {
        comment: comment_lines(sources, tree, code, &arguments),
        functions,
    }
}

/// Why a function cannot be emitted: it calls one that has no value.
fn missing(function: &CodeFunction, before: &[CodeFunction]) -> Option<String> {
    let Body::Steps(steps) = &function.body else {
        return None;
    };
    let calls = steps.iter().filter_map(|step| match step {
        Statement::Call { function, .. } => Some(function),
        _ => None,
    });
    let is_known = |name: &&String| {
        let mut known = before.iter().filter(|x| x.name == **name);
        known.any(|x| !matches!(x.body, Body::Unknown(_)))
    };
    let mut unknown = calls.filter(|name| !is_known(name));
    unknown.next().map(|name| format!("{name} is not"))
}

/// The names of the sizes as arguments.
fn arguments(tree: &NestTree, code: &FunctionCode) -> Vec<String> {
    let written = code.sizes.iter();
    let written = written.map(|id| tree.work.parameters[*id].name.as_str());
    mangled(written, "size")
}

/// The place of the function, and the assumptions of its formulas.
fn comment_lines(
    sources: &SourceMap,
    tree: &NestTree,
    code: &FunctionCode,
    arguments: &[String],
) -> Vec<String> {
    let path = sources.file(tree.span.file).path();
    let line = sources.start(tree.span).line;
    let mut about = vec![
        format!("{} in {path}:{line}", tree.function),
        format!("lines of {} bytes", code.line_size),
    ];
    for (id, argument) in code.sizes.iter().zip(arguments) {
        let name = &tree.work.parameters[*id].name;
        if name != argument {
            about.push(format!("{argument} is {name}"));
        }
    }
    let sizes = tree.work.parameters.values();
    for size in sizes.filter(|size| size.kind == ParameterKind::Size) {
        if let Some(value) = size.value {
            about.push(format!("{} is {value}", size.name));
        }
    }
    let left_out = code.left_out.iter();
    about.extend(left_out.map(|line| format!("left out: {line}")));
    about
}

/// The functions of a quantity: two where it is bounded.
fn function(
    quantity: &CodeQuantity,
    name: &str,
    names: &[String],
    code: &FunctionCode,
    arguments: &[String],
) -> Vec<CodeFunction> {
    let one = |name: &str, bound: Option<&str>, forms: &[ResidueClassForm], body: Body| {
        let mut about = vec![match bound {
            None => quantity.meaning.clone(),
            Some(bound) => format!("{}: {bound}, as data decide", quantity.meaning),
        }];
        about.extend(validity(forms, code, arguments));
        let with_capacity = matches!(quantity.value, Ok(CodeValue::OfCapacity(_)));
        let capacity = with_capacity.then(|| "capacity".to_owned());
        CodeFunction {
            name: name.to_owned(),
            comment: about,
            arguments: capacity.into_iter().chain(arguments.to_vec()).collect(),
            body,
        }
    };
    let classes = |forms: &[ResidueClassForm], capacity| body(forms, code, arguments, capacity);
    match &quantity.value {
        Err(why) => vec![one(name, None, &[], Body::Unknown(why.clone()))],
        Ok(CodeValue::Exact(forms)) => vec![one(name, None, forms, classes(forms, None))],
        Ok(CodeValue::OfCapacity(forms)) => {
            vec![one(name, None, forms, classes(forms, Some("capacity")))]
        }
        Ok(CodeValue::Between([lower, upper])) => {
            let [least, most] = ["least", "most"].map(|bound| format!("{name}_{bound}"));
            vec![
                one(
                    &least,
                    Some("at least so many"),
                    lower,
                    classes(lower, None),
                ),
                one(&most, Some("at most so many"), upper, classes(upper, None)),
            ]
        }
        Ok(CodeValue::AtCapacity {
            quantity,
            lines,
            times,
        }) => {
            let of = Combination {
                sum: vec![vec![vec![QuantityTerm {
                    factor: i128::from(*times),
                    quantity: *quantity,
                    lines: Some(*lines),
                }]]],
                denominator: 1,
            };
            vec![one(name, None, &[], steps(&of, names, code, arguments))]
        }
        Ok(CodeValue::Combined(of)) => {
            vec![one(name, None, &[], steps(of, names, code, arguments))]
        }
    }
}

/// A number computed from those of other functions; of bounded ones the lower bound is used.
fn steps(of: &Combination, names: &[String], code: &FunctionCode, arguments: &[String]) -> Body {
    let named = names.iter().zip(&code.quantities);
    let named = named.map(|(name, quantity)| match quantity.value {
        Ok(CodeValue::Between(_)) => format!("{name}_least"),
        _ => name.clone(),
    });
    match lower::combination(of, &named.collect::<Vec<_>>(), arguments) {
        Ok(statements) => Body::Steps(statements),
        Err(refusal) => Body::Unknown(refusal.to_string()),
    }
}

fn body(
    forms: &[ResidueClassForm],
    code: &FunctionCode,
    arguments: &[String],
    capacity: Option<&str>,
) -> Body {
    let own = |form: &ResidueClassForm| -> Vec<String> {
        let of_one = form.sizes.iter().filter_map(|size| {
            let place = code.sizes.iter().position(|id| *id == size.id);
            place.map(|place| arguments[place].clone())
        });
        of_one.collect()
    };
    let Some(first) = forms.first() else {
        return Body::Unknown("no class of sizes has a formula".to_owned());
    };
    let columns = lower::columns(first, &own(first), capacity);
    match forms.iter().map(lower::class).collect() {
        Ok(classes) => Body::Classes { columns, classes },
        Err(refusal) => Body::Unknown(refusal.to_string()),
    }
}

/// The sizes for which forms hold, as far as conditions on single sizes go: `N = 8x + 3 from 11 on`.
fn validity(forms: &[ResidueClassForm], code: &FunctionCode, arguments: &[String]) -> Vec<String> {
    let Some(first) = forms.first() else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    for (index, size) in first.sizes.iter().enumerate() {
        let place = code.sizes.iter().position(|id| *id == size.id);
        let Some(argument) = place.map(|place| &arguments[place]) else {
            continue;
        };
        let starts = forms.iter().map(|form| {
            let least = least(&form.context, Column::at_place(index));
            size.factor
                .saturating_mul(least)
                .saturating_add(form.sizes[index].residue)
        });
        let starts: BTreeSet<i64> = starts.collect();
        let residues: BTreeSet<i64> = forms.iter().map(|form| form.sizes[index].residue).collect();
        let class = match (size.factor, residues.len()) {
            (1, _) => String::new(),
            (factor, 1) => format!(", {argument} = {factor}x + {}", size_residue(&residues)),
            (factor, n) if i64::try_from(n) == Ok(factor) => String::new(),
            (factor, _) => {
                let list: Vec<String> = residues.iter().map(ToString::to_string).collect();
                format!(", {argument} = {factor}x + r, r one of {}", list.join(", "))
            }
        };
        let from = starts.first().copied().unwrap_or(0);
        let each = match starts.len() {
            1 => "",
            _ => " (each class from its first size of that kind)",
        };
        lines.push(format!("holds for {argument} >= {from}{class}{each}"));
    }
    lines
}

fn size_residue(residues: &BTreeSet<i64>) -> i64 {
    residues.first().copied().unwrap_or(0)
}

/// The least value of a column in a context.
fn least(context: &System, column: Column) -> i64 {
    let own = context
        .inequalities
        .iter()
        .filter(|form| form.support().eq([column]) && 0 < form.coefficient(column));
    let least = own.map(|form| -form.constant_term().div_euclid(form.coefficient(column)));
    least.max().unwrap_or(0).max(0)
}
