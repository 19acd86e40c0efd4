//! From a request to a comparison: reads both programs, matches and counts their nests, and compares the counts.

use super::comparison::{Comparison, kernels_of, side, symbolic};
use super::program::{DiffProgram, UnparsedTexts};
use super::request::DiffRequest;
use super::saved_base::{self, OpenedBase};
use crate::error::CheckError;
use crate::git::Revision;
use crate::host::Host;
use crate::measure_visibly::measure_visibly;
use crate::validate::{check_bases, check_sizes, mentions_size};
use premiss_analyze::{Analysis, MeasureOptions, ReadOptions};
use premiss_gate::{ComparedProgram, Delta, SavedBase, matching, share_saved_sizes, share_sizes};
use std::collections::BTreeSet;

/// The outcome of a request for a comparison.
pub enum DiffOutcome<'a> {
    /// There is nothing to compare with, for this reason.
    Inconclusive(String),
    /// Nothing was to be compared; the head was counted for a saved base.
    SavedAlone {
        /// The content of the saved base.
        json: String,
        /// The number of its nests.
        nests: usize,
    },
    /// Two programs were compared.
    Compared(Box<Comparison<'a>>),
}

/// Reads and counts two programs, and compares them nest by nest.
///
/// # Errors
///
/// A program cannot be read, or an option names a size or an array that neither program has.
pub fn diff<'a>(request: &DiffRequest<'a>) -> Result<DiffOutcome<'a>, CheckError> {
    let saved = match saved_base::open(request)? {
        OpenedBase::Saved(saved) => Some(saved),
        OpenedBase::NoFile => None,
        OpenedBase::Inconclusive(why) => return Ok(DiffOutcome::Inconclusive(why)),
    };
    if request.is_save_alone() {
        return save_alone(request);
    }
    let (base, head) = match &saved {
        Some(saved) => saved_base::read(request, saved)?,
        None => read(request)?,
    };
    check_shared_sizes(&base, &head, request.reading)?;
    let functions = [&base, &head].map(|side| &side.program.functions);
    check_bases(functions.into_iter().flatten(), request.measuring)?;
    let comparison = compare(request, saved, (base, head));
    Ok(DiffOutcome::Compared(Box::new(comparison)))
}

/// Counts a program for a saved base.
fn save_alone<'a>(request: &DiffRequest<'a>) -> Result<DiffOutcome<'a>, CheckError> {
    let mut head = saved_base::working_tree(request)?;
    let unused = head.program.unused_sizes.iter();
    let unused: Vec<String> = unused
        .filter(|name| mentions_size(request.reading, name))
        .cloned()
        .collect();
    check_sizes(&unused, &head.program.size_names, &head.name)?;
    check_bases(&head.program.functions, request.measuring)?;
    let (kernels, unparsed) = (kernels_of(&head), head.unparsed());
    let measuring = request.measuring.shared_by(&head.program.functions);
    let analysis = count(&mut head, &measuring, request.host);
    Ok(DiffOutcome::SavedAlone {
        json: saved_base::to_json(request, side(&head, &analysis, &kernels), unparsed),
        nests: kernels.len(),
    })
}

/// Reads the base and the head.
fn read(request: &DiffRequest<'_>) -> Result<(DiffProgram, DiffProgram), CheckError> {
    let files = request.files();
    match (request.base, request.paths) {
        (Some(name), paths) => {
            let revision = Revision::open(name)?;
            let head = DiffProgram::head(paths, files, &revision)?;
            let base = DiffProgram::base(name, &revision, (&head, paths), files)?;
            Ok((base, head))
        }
        (None, [base, head]) => {
            let base = DiffProgram::path(base, files)?;
            Ok((base, DiffProgram::path(head, files)?))
        }
        (None, _) => Err(CheckError::usage(
            "diff compares two files or folders, as in `premiss diff old.c new.c`, or files with a revision \
             of git, as in `premiss diff --base origin/main src/`",
        )),
    }
}

/// Matches the nests of both programs, counts these, and compares the counts.
fn compare<'a>(
    request: &DiffRequest<'a>,
    saved: Option<SavedBase>,
    (mut base, mut head): (DiffProgram, DiffProgram),
) -> Comparison<'a> {
    let new = kernels_of(&head);
    let old = saved
        .as_ref()
        .map_or_else(|| kernels_of(&base), SavedBase::kernels);
    let pairs = matching(&old, &new);
    let trees = &mut head.program.functions;
    let shared = match &saved {
        Some(saved) => share_saved_sizes(&pairs, saved, (&new, trees)),
        None => share_sizes(&pairs, (&old, &mut base.program.functions), (&new, trees)),
    };
    note_one_sided_sizes(&base, &head, request, &shared);
    let unparsed = head.unparsed();
    let unparsed_on_one_side = match &saved {
        Some(saved) => differing_file(&saved.conditions.unparsed, &unparsed),
        None => differing_file(&base.unparsed(), &unparsed),
    };
    let functions = [&base, &head].map(|side| &side.program.functions);
    let measuring = request.measuring.shared_by(functions.into_iter().flatten());
    let before = count(&mut base, &measuring, request.host);
    let after = count(&mut head, &measuring, request.host);
    let base_side = ComparedProgram {
        saved: saved.as_ref(),
        ..side(&base, &before, &old)
    };
    let sides = (base_side, side(&head, &after, &new));
    let options = symbolic(request.measuring);
    let delta = Delta {
        policy_changes: request.policy_changes.to_vec(),
        ..Delta::new(&pairs, sides, request.limits, options, unparsed_on_one_side)
    };
    Comparison {
        request: *request,
        delta,
        pairs,
        saved,
        unparsed,
        base: (base, before),
        head: (head, after),
        kernels: (old, new),
    }
}

/// Counts one side. `measuring` is for the functions of both: what can be counted is then the same on both.
fn count(side: &mut DiffProgram, measuring: &MeasureOptions, host: &dyn Host) -> Analysis {
    measure_visibly(std::mem::take(&mut side.program), measuring, host)
}

/// A size has to be used on one side at least: it may have had another name on the other.
fn check_shared_sizes(
    base: &DiffProgram,
    head: &DiffProgram,
    options: &ReadOptions,
) -> Result<(), CheckError> {
    let unused = head.program.unused_sizes.iter();
    let in_base = &base.program.unused_sizes;
    let unused: Vec<String> = unused
        .filter(|name| mentions_size(options, name))
        .filter(|name| in_base.contains(name) || base.is_empty())
        .cloned()
        .collect();
    check_sizes(&unused, &head.program.size_names, &head.name)
}

/// Notes the sizes that only one side uses: a renamed macro keeps its own value on the other.
fn note_one_sided_sizes(
    base: &DiffProgram,
    head: &DiffProgram,
    request: &DiffRequest<'_>,
    shared: &BTreeSet<String>,
) {
    for (side, name) in [(base, "head"), (head, "base")] {
        let unused = side.program.unused_sizes.iter();
        let unused = unused.filter(|size| mentions_size(request.reading, size));
        for size in unused.filter(|size| !shared.contains(*size)) {
            request.host.message(&format!(
                "note: -P {size}: only the {name} uses a size of that name; if it was renamed, give the other \
                 name the same value\n"
            ));
        }
    }
}

/// A file with a text that could not be parsed and that the other side has not as often among its unparsed texts, so
/// that it was not compared. The same text may have moved to another file.
fn differing_file(old: &UnparsedTexts, new: &UnparsedTexts) -> Option<String> {
    let n_of = |all: &UnparsedTexts, text: &str| all.get(text).map_or(0, Vec::len);
    let mut all = old.iter().chain(new);
    let differing = all.find(|(text, _)| n_of(old, text) != n_of(new, text));
    differing.and_then(|(_, files)| files.first().cloned())
}
