//! A comparison as a page: what its pictures need beside what is compared.
//!
//! Only the functions that the page shows are looked at again: their arithmetic and times, and both programs with
//! sizes kept symbolic. Included files are those that were read before: of a revision there are no others.

use super::side::Read;
use super::{Asked, side, written};
use crate::failure::Failure;
use crate::output;
use crate::profile::Profiles;
use crate::run::derivations::{Again, derive_first};
use crate::targets::{Form, Target};
use premiss_analyze::{Analysis, FunctionAnalysis};
use premiss_gate::{
    ComparedProgram, Delta, Kernel, Page, Pair, SavedBase, delta_html, functions_of_page,
};
use premiss_report::{Compared, Derivations};
use std::collections::BTreeMap;

/// Where no size has a value, misses are shown for sizes around this one.
const AROUND: i64 = 256;

/// What was compared, and what came of it.
pub(super) struct Outcome<'a> {
    pub(super) asked: &'a Asked<'a>,
    pub(super) delta: &'a Delta,
    pub(super) pairs: &'a [Pair],
    pub(super) saved: Option<&'a SavedBase>,
    /// The nests of the base and of the head.
    pub(super) kernels: (&'a [Kernel], &'a [Kernel]),
}

/// A program, read and counted.
type Counted<'a> = (&'a Read, &'a Analysis);

impl Outcome<'_> {
    fn sides<'b>(
        &'b self,
        (base, head): (Counted<'b>, Counted<'b>),
    ) -> (ComparedProgram<'b>, ComparedProgram<'b>) {
        let base = ComparedProgram {
            saved: self.saved,
            ..side(base.0, base.1, self.kernels.0)
        };
        (base, side(head.0, head.1, self.kernels.1))
    }
}

/// Writes pages to their files.
///
/// # Errors
///
/// A file cannot be written.
pub(super) fn write(
    targets: &[Target],
    outcome: &Outcome<'_>,
    base: (Read, Analysis),
    head: (Read, Analysis),
) -> Result<(), Failure> {
    let mut pages = targets.iter().filter(|x| x.form == Form::Html).peekable();
    if pages.peek().is_none() {
        return Ok(());
    }
    let text = html(outcome, base, head)?;
    pages.try_for_each(|target| output::write(target.file.as_deref(), &text))
}

fn html(
    outcome: &Outcome<'_>,
    (mut base, mut before): (Read, Analysis),
    (mut head, mut after): (Read, Analysis),
) -> Result<String, Failure> {
    let Outcome {
        asked,
        delta,
        pairs,
        ..
    } = *outcome;
    let sides = outcome.sides(((&base, &before), (&head, &after)));
    let shown = functions_of_page(delta, pairs, sides);
    let mut of_base = Vec::new();
    for idx in shown.iter().filter_map(|pair| pair.base) {
        if !of_base.contains(&idx) {
            of_base.push(idx);
        }
    }
    let of_head: Vec<usize> = shown.iter().map(|pair| pair.head).collect();
    let derived = [
        derive((&mut base, &mut before), &of_base, asked)?,
        derive((&mut head, &mut after), &of_head, asked)?,
    ];
    let page = Page {
        programs: (
            compared((&base, &before), &derived[0]),
            compared((&head, &after), &derived[1]),
        ),
        functions: &shown,
        machine: after.machine.name(),
        coverage: written::about(&after),
    };
    let sides = outcome.sides(((&base, &before), (&head, &after)));
    Ok(delta_html(delta, pairs, sides, page))
}

fn compared<'a>((read, analysis): Counted<'a>, derivations: &'a Derivations) -> Compared<'a> {
    Compared {
        name: &read.name,
        sources: &read.sources,
        analysis,
        derivations,
    }
}

/// The times of some functions, their closed forms, and their misses over sizes.
fn derive(
    (read, analysis): (&mut Read, &mut Analysis),
    functions: &[usize],
    asked: &Asked<'_>,
) -> Result<Derivations, Failure> {
    for idx in functions {
        analysis.functions[*idx].add_times(asked.measuring);
    }
    if functions.is_empty() {
        return Ok(Derivations::default());
    }
    let functions: Vec<&FunctionAnalysis> = functions
        .iter()
        .map(|idx| &analysis.functions[*idx])
        .collect();
    let Read {
        sources,
        ids,
        included,
        ..
    } = read;
    let mut files = ids.clone();
    if asked.reading.sizes.is_empty() {
        let open = open_sizes(&functions);
        for (_, options) in files.iter_mut().filter(|(_, x)| x.sizes.is_empty()) {
            options.sizes.clone_from(&open);
        }
    }
    let again = Again {
        files: &files,
        included,
        function: None,
        profiles: &Profiles::read(&[])?,
        measuring: asked.measuring,
    };
    derive_first(sources, &functions, &again)
}

/// A value for each size that has none, around which misses are shown; nothing where a function has several such sizes,
/// as what the others are would decide.
fn open_sizes(functions: &[&FunctionAnalysis]) -> BTreeMap<String, i64> {
    let mut open = BTreeMap::new();
    for function in functions {
        let tree = &function.tree;
        let used = tree.used_parameters();
        let sizes = used.iter().filter_map(|id| tree.parameters.get(*id));
        let own: Vec<&str> = sizes
            .filter(|size| size.value.is_none())
            .map(|size| size.name.as_str())
            .collect();
        match own.as_slice() {
            [] => {}
            [size] => {
                open.insert((*size).to_owned(), AROUND);
            }
            _ => return BTreeMap::new(),
        }
    }
    open
}
