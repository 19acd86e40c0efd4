//! The change of one function of the head, reference by reference.

use super::selection::FunctionPair;
use crate::delta::count::{Quantity, quantities};
use crate::delta::kernel_delta::{Delta, KernelDelta};
use crate::delta::program::ComparedProgram;
use crate::delta::reference_group::ReferenceGroup;
use crate::delta::worst::counterparts;
use crate::matching::{MatchKind, Pair};
use crate::verdict::Verdict;
use premiss_histogram::Counted;
use premiss_report::{ComparedFunction, PlainCounts};
use premiss_source::Severity;

pub(super) fn compared_function(
    (delta, pairs): (&Delta, &[Pair]),
    (base, head): (ComparedProgram<'_>, ComparedProgram<'_>),
    shown: FunctionPair,
) -> ComparedFunction {
    let is_of_it = |pair: &Pair| {
        let mut kernels = head.kernels_of(&pair.head);
        kernels.any(|kernel| kernel.function == shown.head)
    };
    let own = delta.kernels.iter().zip(pairs);
    let own: Vec<(&KernelDelta, &Pair)> = own.filter(|(_, pair)| is_of_it(pair)).collect();
    let levels = &head.functions[shown.head].levels;
    let all = quantities(levels).into_iter().map(|(_, quantity)| quantity);
    let misses: Vec<Quantity> = all.take(levels.len()).collect();
    let verdict = own.iter().map(|(kernel, _)| kernel.verdict()).max();
    let verdict = verdict.unwrap_or(Verdict::Within);
    let mut compared = ComparedFunction {
        head: shown.head,
        base: shown.base,
        verdict: verdict.name(),
        sentences: verdict_sentences(verdict, &own),
        findings: findings(delta),
        references: Vec::new(),
        gone: Vec::new(),
    };
    for (_, pair) in own {
        references(pair, (base, head), (shown.head, &misses), &mut compared);
    }
    compared
}

/// The verdict in sentences, and where the compared counts come from.
fn verdict_sentences(verdict: Verdict, own: &[(&KernelDelta, &Pair)]) -> Vec<String> {
    let mut sentences = vec![
        match verdict {
            Verdict::Exceeds => "Exceeds its limits.",
            Verdict::Undecided => "Undecided: it may exceed its limits.",
            Verdict::Within => "Within its limits.",
        }
        .to_owned(),
    ];
    for (kernel, _) in own {
        let Some(is) = kernel.head.first() else {
            continue;
        };
        let text = match kernel.base.first() {
            None => format!("The nest at line {} is new.", is.line),
            Some(was) if (&was.function, &was.path) != (&is.function, &is.path) => {
                let how = match kernel.match_kind {
                    MatchKind::Shape => "which does the same",
                    MatchKind::Likeness => "which is gone and looks alike",
                    MatchKind::Name | MatchKind::Nothing => "which has its name",
                };
                format!(
                    "The nest at line {} is compared with that of {} at {}:{}, {how}.",
                    is.line, was.function, was.path, was.line
                )
            }
            Some(_) => continue,
        };
        sentences.push(text);
    }
    sentences
}

/// The messages to show at lines.
fn findings(delta: &Delta) -> Vec<(premiss_source::Span, &'static str, String)> {
    let all = delta.findings().into_iter().map(|finding| {
        let verdict = match finding.diagnostic.severity {
            Severity::Error => Verdict::Exceeds,
            _ => Verdict::Undecided,
        };
        (finding.span(), verdict.name(), finding.diagnostic.message)
    });
    all.filter_map(|(span, verdict, message)| Some((span?, verdict, message)))
        .collect()
}

/// The references of a function in a pair with their counterparts, and those of the base that have none.
fn references(
    pair: &Pair,
    (base, head): (ComparedProgram<'_>, ComparedProgram<'_>),
    (function, misses): (usize, &[Quantity]),
    compared: &mut ComparedFunction,
) {
    let (old, new) = (
        parts(base, &pair.base, misses),
        parts(head, &pair.head, misses),
    );
    let Some((was, is)) = old.first().zip(new.first()) else {
        return;
    };
    let before = counterparts(was, is);
    for (part, before) in is.iter().zip(&before) {
        if part.function == function {
            let counts = before.map(|idx| counts(base, &old, idx));
            compared.references.push((part.ids.clone(), counts));
        }
    }
    let gone = (0..was.len()).filter(|idx| !before.contains(&Some(*idx)));
    compared.gone.extend(gone.map(|idx| {
        let part = &was[idx];
        let text = match part.span {
            None => part.text.to_owned(),
            Some(span) => {
                let path = base.sources.file(span.file).path();
                let line = base.sources.start(span).line;
                format!("{} {path}:{line}", part.text)
            }
        };
        (text, counts(base, &old, idx))
    }));
}

/// The references of nests by level.
fn parts<'a>(
    side: ComparedProgram<'a>,
    all: &[usize],
    misses: &[Quantity],
) -> Vec<Vec<ReferenceGroup<'a>>> {
    let of_level = |quantity: &Quantity| side.parts(all, (*quantity, None));
    misses.iter().map(of_level).collect()
}

/// The counts of a part; its accesses are unknown if the base was saved.
fn counts(
    side: ComparedProgram<'_>,
    levels: &[Vec<ReferenceGroup<'_>>],
    idx: usize,
) -> PlainCounts {
    let misses = levels.iter().map(|parts| parts[idx].count).collect();
    let part = &levels[0][idx];
    let function = side.functions.get(part.function);
    let accesses = function.filter(|_| side.saved.is_none()).map(|function| {
        let of_one = |id| {
            let mut rows = function.references.iter();
            rows.find(|row| row.id == id)
                .map_or(Counted::Unknown, |row| row.accesses)
        };
        part.ids.iter().map(|id| of_one(*id)).sum()
    });
    (accesses.unwrap_or(Counted::Unknown), misses)
}
