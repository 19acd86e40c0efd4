//! What there is to find in files: read as one program, counted function by function, held to rules.

use super::around::Surroundings;
use super::texts::Texts;
use crate::failure::Failure;
use crate::profile::Profiles;
use crate::progress::Progress;
use crate::run::gathered::{FileRow, Gathered, gather};
use crate::run::selection::{Opened, Told, check_bases, read_opened};
use premiss_analyze::{
    MeasureOptions, Memory, Program, ProgramMemory, ReadOptions, measure, parallel,
};
use premiss_gate::{Finding, findings, suppress, wants_operations};
use premiss_report::{CallgrindProfile, CoverageReport};
use premiss_source::{Diagnostic, FileId, Files, SourceFile, SourceMap, marks};
use std::collections::{BTreeMap, BTreeSet};

/// What the directives begin with that say how often something happens.
const ASSUME: &[u8] = b"assume";

/// How many files are counted at a time: most have little to count.
const FILES_TOGETHER: usize = 32;

/// What a check has to say, whatever the form.
#[derive(Debug, PartialEq)]
pub(super) struct Found {
    pub(super) report: CoverageReport,
    /// Most bytes first.
    pub(super) findings: Vec<Finding>,
    /// What could not be understood or counted, and comments that silence nothing.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// How many findings comments silence.
    pub(super) silenced: usize,
    /// What every line costs.
    pub(super) profile: CallgrindProfile,
}

/// What one file has, whatever other files say.
#[derive(Debug)]
pub(super) struct Looked {
    /// Whether a rule would have to know its arithmetic.
    pub(super) is_open: bool,
    /// Its diagnostics are what is to be said of its text, and of texts that it has to do with.
    pub(super) row: FileRow,
    /// What is assumed of its sizes and does not hold.
    pub(super) broken: Vec<Diagnostic>,
    /// Why something in it could not be counted.
    pub(super) uncounted: Vec<Diagnostic>,
}

/// What is asked of files.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) measuring: &'a MeasureOptions,
    pub(super) profile: &'a Profiles,
    /// The files whose loops are counted: all, or those of a shard. The others are there to be called.
    pub(super) part: Option<&'a BTreeSet<FileId>>,
}

/// What an earlier run left of the same files.
pub(super) struct Before {
    programs: Vec<ProgramMemory>,
    /// What each file says now, digested.
    meanings: Vec<u64>,
    /// The numbers of the files that say something else.
    changed: BTreeSet<u32>,
    /// The numbers of those that are the same in every byte.
    untouched: BTreeSet<u32>,
    /// What is there now of what was looked for besides them.
    around: Surroundings,
    /// What files have, by their numbers.
    rows: BTreeMap<u32, Looked>,
    /// The files of which that is not known.
    lost: BTreeSet<u32>,
}

impl Before {
    pub(super) fn new(
        texts: &Texts,
        around: Surroundings,
        opened: &Opened,
        programs: Vec<ProgramMemory>,
        rows: BTreeMap<u32, Looked>,
    ) -> Self {
        let files = opened.files.iter().map(|(file, _)| file.as_u32());
        Self {
            programs,
            meanings: texts.meanings(),
            changed: texts.changed().clone(),
            untouched: texts.untouched().clone(),
            around,
            lost: files.filter(|file| !rows.contains_key(file)).collect(),
            rows,
        }
    }
}

/// What this run leaves.
pub(super) struct After {
    /// Empty where nothing can be left.
    pub(super) programs: Vec<ProgramMemory>,
    pub(super) rows: Vec<Looked>,
    /// The numbers of the files that came to what an earlier run found.
    pub(super) known: BTreeSet<u32>,
}

/// Looks at files that are open, but at those that are as an earlier run left them; nothing is left for a later
/// one where nobody asks what an earlier one left.
///
/// # Errors
///
/// An option mentions a size or an array that nothing has, or a profile is of other files.
pub(super) fn look(
    sources: &mut SourceMap,
    opened: &Opened,
    question: Question<'_>,
    before: Option<Before>,
    included: &dyn Files,
) -> Result<After, Failure> {
    let needs_operations = |sources: &SourceMap| {
        let files: Vec<&SourceFile> = sources.files().map(|(_, file)| file).collect();
        let assuming = || parallel::map(&files, |file| assumes(file.text()));
        !question.profile.is_empty() || assuming().contains(&true)
    };
    // Arithmetic matters where something says how often data decide what, and where only variables may keep a
    // rule from speaking. Only the files that are read know which others they include.
    if !needs_operations(sources) {
        let opened = &without_operations(opened);
        let after = rows(sources, opened, question, before, included)?;
        let is_open = after.rows.iter().any(|looked| looked.is_open);
        if !is_open && !needs_operations(sources) {
            return Ok(after);
        }
        // What they include is read again.
        sources.truncate(opened.files.len());
    }
    rows(sources, opened, question, None, included)
}

/// Whether comments of a text may say how often something happens.
fn assumes(text: &str) -> bool {
    let is_assumption = |behind: &str| {
        let word = behind.trim_start().as_bytes().get(..ASSUME.len());
        word.is_some_and(|word| word.eq_ignore_ascii_case(ASSUME))
    };
    marks(text).any(is_assumption)
}

fn without_operations(opened: &Opened) -> Opened {
    let one = |options: &ReadOptions| ReadOptions {
        without_operations: true,
        ..options.clone()
    };
    let files = opened.files.iter();
    Opened {
        files: files.map(|(file, options)| (*file, one(options))).collect(),
        own: one(&opened.own),
    }
}

/// What files have.
fn rows(
    sources: &mut SourceMap,
    opened: &Opened,
    question: Question<'_>,
    before: Option<Before>,
    included: &dyn Files,
) -> Result<After, Failure> {
    let (memory, mut before) = match before {
        Some(before) => {
            let mut memory = Memory::new(before.meanings, before.programs, before.lost)
                .with_identical_texts(before.untouched);
            let Surroundings {
                texts,
                moved,
                nearby,
            } = before.around;
            if nearby.is_some() {
                memory = memory.with_included_texts(before.changed, texts, moved);
            }
            (Some(memory), before.rows)
        }
        None => (None, BTreeMap::new()),
    };
    let mut counted = Counted {
        measuring: question.measuring,
        rows: Vec::new(),
        open: Vec::new(),
    };
    let mut known = BTreeSet::new();
    let n_files = question.part.map_or(opened.files.len(), BTreeSet::len);
    let progress = Progress::new("reading", n_files);
    read_opened(
        sources,
        opened,
        memory.as_ref(),
        included,
        &mut |sources, (file, files), mut program| {
            if question.part.is_some_and(|part| !part.contains(&file)) {
                return Ok(());
            }
            progress.at(counted.rows.len(), "counting", sources.file(file).path());
            if program.is_known {
                counted.rows.push(before.remove(&file.as_u32()));
                known.insert(file.as_u32());
            } else {
                if files.len() == 1 {
                    check_bases(&program.functions, question.measuring, "--base")?;
                }
                question.profile.give(sources, files, &mut program)?;
                let row = FileRow::of(file, &mut program);
                counted.open(row, program);
            }
            // The last ones are counted while what they were read from goes.
            if counted.open.len() == FILES_TOGETHER || counted.rows.len() == n_files {
                counted.count(sources);
            }
            Ok(())
        },
    )?;
    counted.count(sources);
    Ok(After {
        programs: memory.map_or_else(Vec::new, Memory::into_records),
        rows: counted.rows.into_iter().flatten().collect(),
        known,
    })
}

/// Files with what they have, some of which are still to be counted.
struct Counted<'a> {
    measuring: &'a MeasureOptions,
    /// Those that are to be counted have their places here.
    rows: Vec<Option<Looked>>,
    open: Vec<(usize, FileRow, Program)>,
}

impl Counted<'_> {
    /// Takes in a file that is to be counted.
    fn open(&mut self, row: FileRow, program: Program) {
        self.open.push((self.rows.len(), row, program));
        self.rows.push(None);
    }

    /// Counts what is still to be counted, on all processors.
    fn count(&mut self, sources: &SourceMap) {
        let open = std::mem::take(&mut self.open);
        let counted = parallel::map(open, |(idx, row, program)| {
            (idx, looked(row, sources, program, self.measuring))
        });
        for (idx, looked) in counted {
            self.rows[idx] = Some(looked);
        }
    }
}

/// Counts what a file has.
fn looked(
    mut row: FileRow,
    sources: &SourceMap,
    mut program: Program,
    measuring: &MeasureOptions,
) -> Looked {
    row.diagnostics = std::mem::take(&mut program.diagnostics);
    let broken = program.broken_bounds();
    let analysis = measure(program, measuring);
    row.profile.add(sources, &analysis);
    row.findings = findings(&analysis, measuring);
    Looked {
        is_open: wants_operations(&analysis, measuring),
        row,
        broken,
        uncounted: analysis.diagnostics,
    }
}

/// Puts together what files have: says everything once, ranks what was found, and leaves out what comments
/// silence. `mains` are the files that were asked for.
pub(super) fn found(sources: &SourceMap, mains: &BTreeSet<FileId>, rows: Vec<Looked>) -> Found {
    let looked_at: BTreeSet<FileId> = rows.iter().map(|looked| looked.row.file).collect();
    let mut told = Told::default();
    let rows = rows.into_iter().map(|looked| {
        let mut row = looked.row;
        told.retain_new(&mut row.diagnostics);
        row.diagnostics.extend(looked.uncounted);
        row.diagnostics
            .sort_by_key(|x| x.labels.first().map(|label| label.span));
        row.diagnostics.splice(0..0, looked.broken);
        row
    });
    let Gathered {
        report,
        mut findings,
        diagnostics,
        profile,
    } = gather(sources, mains, rows.collect());
    // What misses most is read first; what could not be understood comes after it.
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.bytes));
    // A header is looked at where something was found in it.
    let places = findings.iter().filter_map(Finding::span);
    let read: BTreeSet<_> = looked_at
        .into_iter()
        .chain(places.map(|span| span.file))
        .collect();
    let kept = suppress(sources, &read, findings);
    Found {
        report,
        findings: kept.findings,
        diagnostics: kept.diagnostics.into_iter().chain(diagnostics).collect(),
        silenced: kept.silenced,
        profile,
    }
}
