//! The page of a comparison: the further analysis that its charts need.
//!
//! Only the functions that the page shows are analyzed further: their operations and times, and closed forms in
//! symbolic sizes. Included files are those that were read before, because those of a revision are kept in memory only.

use super::comparison::{Comparison, side, subtitle};
use super::program::DiffProgram;
use super::request::DiffRequest;
use crate::error::CheckError;
use crate::page_derivations::derive_first;
use crate::profiles::Profiles;
use crate::symbolic_program::ProgramSource;
use premiss_analyze::{Analysis, FunctionAnalysis};
use premiss_gate::{ComparedProgram, Page, delta_html, functions_of_page};
use premiss_report::{Compared, Derivations};
use std::collections::BTreeMap;

/// If no size has a value, misses are shown for sizes around this one.
const TYPICAL_SIZE: i64 = 256;

impl Comparison<'_> {
    /// The page of the comparison, a self-contained HTML document.
    ///
    /// # Errors
    ///
    /// A program cannot be read again with other sizes.
    pub fn into_page(mut self) -> Result<String, CheckError> {
        let shown = functions_of_page(&self.delta, &self.pairs, self.sides());
        let mut of_base = Vec::new();
        for idx in shown.iter().filter_map(|pair| pair.base) {
            if !of_base.contains(&idx) {
                of_base.push(idx);
            }
        }
        let of_head: Vec<usize> = shown.iter().map(|pair| pair.head).collect();
        let derived = [
            derive(&mut self.base, &of_base, &self.request)?,
            derive(&mut self.head, &of_head, &self.request)?,
        ];
        let after = &self.head.1;
        let page = Page {
            programs: (
                compared(&self.base, &derived[0]),
                compared(&self.head, &derived[1]),
            ),
            functions: &shown,
            machine: after.machine.name(),
            coverage: subtitle(after),
        };
        Ok(delta_html(&self.delta, &self.pairs, self.sides(), page))
    }

    fn sides(&self) -> (ComparedProgram<'_>, ComparedProgram<'_>) {
        let base = ComparedProgram {
            saved: self.saved.as_ref(),
            ..side(&self.base.0, &self.base.1, &self.kernels.0)
        };
        (base, side(&self.head.0, &self.head.1, &self.kernels.1))
    }
}

fn compared<'a>(
    (program, analysis): &'a (DiffProgram, Analysis),
    derivations: &'a Derivations,
) -> Compared<'a> {
    Compared {
        name: &program.name,
        sources: &program.sources,
        analysis,
        derivations,
    }
}

/// Computes the times of some functions, their closed forms, and their misses over sizes.
fn derive(
    (program, analysis): &mut (DiffProgram, Analysis),
    functions: &[usize],
    request: &DiffRequest<'_>,
) -> Result<Derivations, CheckError> {
    for idx in functions {
        analysis.functions[*idx].add_times(request.measuring);
    }
    if functions.is_empty() {
        return Ok(Derivations::default());
    }
    let functions: Vec<&FunctionAnalysis> = functions
        .iter()
        .map(|idx| &analysis.functions[*idx])
        .collect();
    let DiffProgram {
        sources,
        ids,
        included,
        ..
    } = program;
    let mut files = ids.clone();
    if request.reading.sizes.is_empty() {
        let open = typical_sizes(&functions);
        for (_, options) in files.iter_mut().filter(|(_, x)| x.sizes.is_empty()) {
            options.sizes.clone_from(&open);
        }
    }
    let source = ProgramSource {
        files: &files,
        included: &*included,
        function: None,
        profiles: &Profiles::default(),
        host: request.host,
    };
    derive_first(sources, &functions, &source, request.measuring)
}

/// A value for each size that has none, around which misses are shown; empty if a function has several such sizes,
/// because the result would depend on the values chosen for the others.
fn typical_sizes(functions: &[&FunctionAnalysis]) -> BTreeMap<String, i64> {
    let mut typical = BTreeMap::new();
    for function in functions {
        let tree = &function.tree;
        let used = tree.used_parameters();
        let sizes = used.iter().filter_map(|id| tree.parameters.get(*id));
        let open: Vec<&str> = sizes
            .filter(|size| size.value.is_none())
            .map(|size| size.name.as_str())
            .collect();
        match open.as_slice() {
            [] => {}
            [size] => {
                typical.insert((*size).to_owned(), TYPICAL_SIZE);
            }
            _ => return BTreeMap::new(),
        }
    }
    typical
}
