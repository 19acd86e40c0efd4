//! premiss against the interpreter of programs.

use super::generate::program;
use super::interpret::{Access, accesses};
use super::program::{Array, Program};
use super::text::Text;
use crate::kernel::Kernel;
use crate::language::Language;
use premiss_histogram::Counted;
use premiss_trace::{Execution, Placement};
use premiss_tree::{AccessKind, NestTree};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{ControlFlow, Range};

/// Steps that a program may take.
const STEPS: u64 = 1_000_000;

/// What comes of comparing programs.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Programs that end and stay within their arrays.
    pub programs: usize,
    /// Loads and stores of statements that are executed.
    pub counts: usize,
    /// How many of them are known exactly.
    pub exact: usize,
    /// How many of them are not even bounded.
    pub unknown: usize,
    /// Programs of which all is exact: their addresses were compared one by one.
    pub traced: usize,
    /// What differs, with the texts of the programs.
    pub differences: Vec<String>,
}

/// Loads or stores of a statement.
type Key = (usize, bool);

/// Compares the programs of these numbers in a language.
#[must_use]
pub fn judge(numbers: Range<u64>, language: Language) -> Verdict {
    let all = numbers.map(|number| program(number, language));
    let all = all.filter_map(|program| {
        let accesses = accesses(&program, language)?;
        (!accesses.is_empty()).then_some((program, accesses))
    });
    let (programs, truths): (Vec<Program>, Vec<Vec<Access>>) = all.unzip();
    let text = Text::of(&programs, language);
    let sizes: Vec<(String, i64)> = programs
        .iter()
        .flat_map(|program| [0, 1].map(|idx| (program.size(idx).name, program.sizes[idx])))
        .collect();
    let sizes: Vec<(&str, i64)> = sizes.iter().map(|(name, x)| (name.as_str(), *x)).collect();
    let name = match language {
        Language::C => "program.c",
        Language::Fortran => "program.f90",
        Language::Rust => "program.rs",
    };
    let kernel = Kernel::from_bytes(name, text.text.clone().into_bytes(), &[], &sizes);
    let mut verdict = Verdict::default();
    for (program, truth) in programs.iter().zip(&truths) {
        let n_differences = verdict.differences.len();
        verdict.programs += 1;
        verdict.judge_one(&kernel, &text, program, truth);
        let alone = Text::of(std::slice::from_ref(program), language);
        for difference in &mut verdict.differences[n_differences..] {
            let heads = format!("program {} {:?}", program.number, program.sizes);
            *difference = format!("{heads}: {difference}\n{}", alone.text);
        }
    }
    verdict
}

impl Verdict {
    fn judge_one(&mut self, kernel: &Kernel, text: &Text, program: &Program, truth: &[Access]) {
        let mut counted: BTreeMap<Key, u64> = BTreeMap::new();
        for access in truth {
            *counted
                .entry((access.statement, access.is_store))
                .or_default() += 1;
        }
        self.counts += counted.len();
        let name = format!("f{}", program.number);
        let mut trees = kernel.unit.functions.iter();
        let statement_of = |tree: &NestTree, id| {
            let line = kernel.sources.start(tree.references[id].span).line;
            text.statements.get(&line).map(|place| place.1)
        };
        let placement = Placement {
            alignment: 64,
            bases: BTreeMap::new(),
        };
        let Some(tree) = trees.find(|tree| tree.function == name) else {
            self.unknown += counted.len();
            return;
        };
        let Ok(execution) = Execution::new(tree, &BTreeMap::new(), &placement, STEPS) else {
            self.unknown += counted.len();
            return;
        };
        let Ok(all) = execution.accesses() else {
            self.unknown += counted.len();
            return;
        };
        let mut predicted: BTreeMap<Key, Counted> = BTreeMap::new();
        for (id, reference) in &tree.references {
            let Some(statement) = statement_of(tree, id) else {
                let message = "a reference is in no statement".to_owned();
                self.differences.push(message);
                continue;
            };
            let is_store = reference.kind == AccessKind::Store;
            *predicted
                .entry((statement, is_store))
                .or_insert(Counted::ZERO) += all[id];
        }
        let has_opaque = !tree.rejections.is_empty();
        let mut is_exact = !has_opaque;
        let keys: BTreeSet<Key> = counted.keys().chain(predicted.keys()).copied().collect();
        for key in &keys {
            let prediction = predicted.get(key).copied().unwrap_or(Counted::ZERO);
            let prediction = match has_opaque && prediction == Counted::ZERO {
                true => Counted::Unknown,
                false => prediction,
            };
            let truth = counted.get(key).copied().unwrap_or_default();
            is_exact &= self.compare(prediction, truth, *key);
        }
        for key in counted.keys() {
            match predicted.get(key) {
                Some(Counted::Exact(_)) => self.exact += 1,
                Some(Counted::Unknown) => self.unknown += 1,
                None if has_opaque => self.unknown += 1,
                _ => {}
            }
        }
        if is_exact {
            self.traced += 1;
            self.compare_addresses(tree, &execution, truth, &|id| statement_of(tree, id));
        }
    }

    /// Compares a number with what is counted; tells whether it is exact.
    fn compare(&mut self, predicted: Counted, counted: u64, (statement, is_store): Key) -> bool {
        let allows = predicted
            .bounds()
            .is_none_or(|(least, most)| least <= counted && counted <= most);
        if !allows {
            let kind = if is_store { "stores" } else { "loads" };
            self.differences.push(format!(
                "{kind} of statement {statement}: {predicted:?}, but {counted} are counted"
            ));
        }
        matches!(predicted, Counted::Exact(_))
    }

    /// Compares all accesses in order: the elements are those at the distances from the beginnings of their arrays.
    fn compare_addresses(
        &mut self,
        tree: &NestTree,
        execution: &Execution<'_>,
        truth: &[Access],
        statement_of: &dyn Fn(premiss_tree::ReferenceId) -> Option<usize>,
    ) {
        let bases = execution.bases();
        let mut shown = Vec::new();
        let visited = execution.for_each_access(&mut |access| {
            let base = bases[tree.references[access.reference].array];
            let offset = access
                .address
                .map(|address| address.wrapping_sub(base).cast_signed());
            let name = &tree.arrays[tree.references[access.reference].array].name;
            let array = match &**name {
                "a" => Array::A,
                _ => Array::B,
            };
            shown.push((
                statement_of(access.reference),
                access.kind == AccessKind::Store,
                array,
                offset,
            ));
            ControlFlow::Continue(())
        });
        let expected = truth.iter().map(|access| {
            let offset = Some(access.element * 8);
            (
                Some(access.statement),
                access.is_store,
                access.array,
                offset,
            )
        });
        let expected: Vec<_> = expected.collect();
        // An address that data decide may be any.
        for (shown, expected) in shown.iter_mut().zip(&expected) {
            if shown.3.is_none() {
                (shown.2, shown.3) = (expected.2, expected.3);
            }
        }
        if visited.is_ok() && shown != expected {
            let at = shown.iter().zip(&expected).position(|(a, b)| a != b);
            let at = at.unwrap_or(shown.len().min(expected.len()));
            self.differences.push(format!(
                "access {at}: {:?}, but {:?} is made",
                shown.get(at),
                expected.get(at)
            ));
        }
    }
}
