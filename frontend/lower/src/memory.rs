//! What a run remembers of the files that it lowered, for the next one.
//!
//! Lowering a file is a function of what it asks of the program: texts of units, what names mean in the whole
//! of it, which objects somebody changes. A run notes what it asked for each file. Where the next run would get
//! the same answers, the file comes to the same, and is not lowered again.
//!
//! ```text
//! a.f calls g                 asked: units {a, b}, what `g` is defined by
//! b.f defines g, h            asked: units {b}
//! an edit of b.f              lowers both
//! an edit of a.f              lowers a.f; that it still passes the same sizes to `g` is checked afterwards
//! ```
//!
//! A call that does nothing but yield a number is asked for that number alone: an edit of a function that leaves what
//! it yields as it was does not concern the files that call it.
//!
//! Of a function that is not followed it is asked what its calls lead to: which objects are changed on the way, and whether
//! following it takes more steps than a call may. An edit after which it is the same does not concern those who call it.
//!
//! A digest of a file says nothing of where things stand in it: comments and empty lines may come and go.
//!
//! Sizes that callers agree on are equations between all files. Those of files that are not lowered are remembered,
//! and all are solved anew; files with functions whose callers agree on something else than before are lowered.

use crate::lowering::{Answer, Question, Steps, Surface};
use crate::passing::Passing;
use crate::syntax::{GlobalName, Name, StructId, UnitId};
use premiss_source::{FileId, Outline, SourceMap};
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

/// What is remembered from the run before, and what this one leaves.
#[derive(Debug, Default)]
pub struct Memory {
    /// What each of the first files says, digested, wherever it stands there.
    meanings: Vec<u64>,
    /// The numbers of those of them of which it is not known what the run before found.
    lost: BTreeSet<u32>,
    /// The numbers of those that say something else than then.
    changed: BTreeSet<u32>,
    /// The numbers of those whose texts are the same in every byte.
    untouched: BTreeSet<u32>,
    /// The texts that came to the first files then, in order, as they are now.
    further: Vec<Text>,
    /// The paths that were looked for then where something else is now; nothing where that cannot be told.
    moved: Option<BTreeSet<String>>,
    before: Vec<ProgramMemory>,
    after: Mutex<Vec<ProgramMemory>>,
}

/// The path of a text, and what is there.
pub type Text = (String, Vec<u8>);

/// The files of one language.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProgramMemory {
    /// The number of the first file.
    pub(crate) first: u32,
    /// How many texts there were when its files and all that they include were read.
    pub(crate) n_texts: usize,
    /// The paths that were looked for besides its files.
    pub(crate) looked_for: BTreeSet<String>,
    /// A digest of what all files depend on.
    pub(crate) environment: u64,
    /// Sizes that all callers agree on.
    pub(crate) sizes: Vec<SizeRecord>,
    pub(crate) units: Vec<UnitMemory>,
    pub(crate) summaries: Vec<UnitSummary>,
    /// What functions answered that some file asked, and what was asked to find it, by no unit in particular.
    pub(crate) answers: Vec<(AnswerRecord, UnitMemory)>,
    /// A digest of the paths of all texts.
    pub(crate) paths: u64,
}

/// What linking has to know of one file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct UnitSummary {
    /// A digest of what its text says.
    pub(crate) meaning: u64,
    /// A digest of what else its translation depends on.
    pub(crate) depends: u64,
    /// The functions that it defines and others see.
    pub(crate) functions: Vec<String>,
    /// The objects that it declares and others see, and whether it defines them.
    pub(crate) objects: Vec<(String, bool)>,
    /// How many of its functions have a loop.
    pub(crate) n_loops: u64,
    /// What others need to know of it who do not follow its functions.
    pub(crate) surface: Arc<Surface>,
    /// What its front end keeps of it, for as long as its text is the same in every byte.
    pub(crate) draft: Vec<u8>,
}

/// One file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnitMemory {
    /// A digest of what its text says and of what it was parsed to, wherever that stands.
    pub(crate) digest: u64,
    /// A digest of how its functions are called.
    pub(crate) signatures: u64,
    /// The units that it asked for.
    pub(crate) units: Vec<UnitId>,
    /// The units of which it asked for no more than how their functions are called.
    pub(crate) callees: Vec<UnitId>,
    /// The units that define functions by these names.
    pub(crate) functions: Vec<(Name, Vec<UnitId>)>,
    /// The units that define objects by these names, and the first that declares one.
    pub(crate) objects: Vec<(Name, Option<Definers>)>,
    /// Names at file scope of which it asked what units say, all of which it did not ask for.
    pub(crate) declared: Vec<GlobalName>,
    /// The structs of such units that it asked for.
    pub(crate) structs: Vec<StructId>,
    /// A digest of what is said about both.
    pub(crate) declarations: u64,
    /// Whether some function changes these objects.
    pub(crate) written: Vec<(GlobalName, bool)>,
    /// What functions answered.
    pub(crate) answers: Vec<AnswerRecord>,
    /// What functions reach, digested.
    pub(crate) reaches: Vec<(GlobalName, u64)>,
    /// How many steps following functions takes.
    pub(crate) steps: Vec<(GlobalName, Steps)>,
    /// Given sizes that it has a name for.
    pub(crate) used_sizes: Vec<String>,
    /// The names that can be given a value.
    pub(crate) names: Vec<String>,
    /// How many steps it took in bodies of other files.
    pub(crate) linked_work: u64,
    /// What its functions pass to others.
    pub(crate) passes: Vec<Passing>,
}

/// What a function yields for such arguments.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct AnswerRecord {
    pub(crate) question: Question,
    pub(crate) answer: Answer,
}

/// A size that all callers agree on: function, parameter, value.
pub(crate) type SizeRecord = (GlobalName, Name, i64);

/// The units that define an object, and the first that declares it.
pub(crate) type Definers = (Vec<UnitId>, UnitId);

impl Memory {
    /// For a run over files that say this, the first of its texts, with what the run before left. Of files that
    /// are `lost` it is not known what that found.
    #[must_use]
    pub fn new(meanings: Vec<u64>, before: Vec<ProgramMemory>, lost: BTreeSet<u32>) -> Self {
        Self {
            meanings,
            lost,
            changed: BTreeSet::new(),
            untouched: BTreeSet::new(),
            further: Vec::new(),
            moved: None,
            before,
            after: Mutex::default(),
        }
    }

    /// The same where the texts of the first files with the numbers in `files` are as they were in the run before, in
    /// every byte.
    #[must_use]
    pub fn with_untouched(self, files: BTreeSet<u32>) -> Self {
        Self {
            untouched: files,
            ..self
        }
    }

    /// The same where these texts came to the first files in the run before, as they are now. Of the first files, those
    /// with the numbers in `changed` say something else; of all paths that were looked for, something else is at those
    /// in `moved`, or nothing is any more.
    #[must_use]
    pub fn with_texts(
        mut self,
        changed: BTreeSet<u32>,
        further: Vec<Text>,
        moved: BTreeSet<String>,
    ) -> Self {
        self.changed = changed;
        self.further = further;
        self.moved = Some(moved);
        self
    }

    /// The texts that files of one language come with, all of them in order, where none of them has to be read: each
    /// says what it said, and what the run before found of it is known.
    pub fn unread(&self, sources: &SourceMap, files: &[FileId]) -> Option<&[Text]> {
        let before = self.before(files.first()?.as_u32())?;
        let is_same = |file: &FileId| {
            let number = file.as_u32();
            !self.changed.contains(&number) && !self.lost.contains(&number)
        };
        let all_are_text = sources.files().all(|(_, file)| file.invalid_bytes() == 0);
        if !all_are_text || !files.iter().all(is_same) {
            return None;
        }
        if !self.moved.as_ref()?.is_disjoint(&before.looked_for) {
            return None;
        }
        // Places name texts by their numbers.
        let n_first = self.meanings.len();
        let further = &self.further;
        let here = sources.files().count().checked_sub(n_first)?;
        let added = sources.files().skip(n_first).zip(further);
        let mut added = added.map(|((_, file), (path, _))| file.path() == path);
        if further.len() < here || !added.all(|is_same| is_same) {
            return None;
        }
        further.get(here..before.n_texts.checked_sub(n_first)?)
    }

    /// What linking had to know of each file of a program, in order. A summary still holds where
    /// [`Self::still_holds`].
    #[must_use]
    pub fn summaries(&self, sources: &SourceMap, files: &[FileId]) -> Option<&[UnitSummary]> {
        let before = self.before(files.first()?.as_u32())?;
        let all_are_text = sources.files().all(|(_, file)| file.invalid_bytes() == 0);
        let is_same = all_are_text && before.paths == Self::paths(sources);
        is_same.then_some(&before.summaries)
    }

    /// What their front end keeps of the files of a program, in order; nothing of those that are not as they were.
    #[must_use]
    pub fn drafts(&self, files: &[FileId]) -> Vec<&[u8]> {
        let first = files.first().map(|file| file.as_u32());
        let before = first.and_then(|first| self.before(first));
        let summaries = before.map_or(&[][..], |before| &before.summaries);
        let draft = |(idx, file): (usize, &FileId)| {
            let is_untouched = self.untouched.contains(&file.as_u32());
            let summary = summaries.get(idx).filter(|_| is_untouched);
            summary.map_or(&[][..], |summary| &summary.draft)
        };
        files.iter().enumerate().map(draft).collect()
    }

    /// Whether a file says what it said, and its translation depends on nothing else that is another.
    #[must_use]
    pub fn still_holds(&self, summary: &UnitSummary, file: FileId, depends: u64) -> bool {
        let meaning = self.meanings.get(file.as_u32() as usize);
        meaning == Some(&summary.meaning) && summary.depends == depends
    }

    /// A digest of the paths of all texts: places name texts by their numbers.
    pub(crate) fn paths(sources: &SourceMap) -> u64 {
        let mut hasher = FxHasher::default();
        let paths = sources.files().map(|(_, file)| file.path());
        paths.for_each(|path| path.hash(&mut hasher));
        hasher.finish()
    }

    /// Notes the paths that were looked for while the files of one language were read, the first of which is given.
    pub fn looked_for(&self, first: FileId, paths: BTreeSet<String>) {
        let mut after = self.after.lock().unwrap_or_else(PoisonError::into_inner);
        let mut programs = after.iter_mut();
        if let Some(program) = programs.find(|program| program.first == first.as_u32()) {
            program.looked_for = paths;
        }
    }

    /// Leaves what was left before of files that need not be read, the first of which is given.
    pub fn leave_as_before(&self, first: FileId) {
        self.before(first.as_u32())
            .cloned()
            .into_iter()
            .for_each(|program| self.leave(program));
    }

    /// What this run leaves.
    #[must_use]
    pub fn after(self) -> Vec<ProgramMemory> {
        self.after
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// What a file says, digested.
    pub(crate) fn meaning(&self, sources: &SourceMap, file: FileId) -> u64 {
        let known = self.meanings.get(file.as_u32() as usize).copied();
        known.unwrap_or_else(|| {
            let file = sources.file(file);
            let mut hasher = FxHasher::default();
            let outline = Outline::of(file.path(), file.text());
            outline.digest(file.text(), &mut hasher);
            hasher.finish()
        })
    }

    pub(crate) fn is_lost(&self, file: FileId) -> bool {
        self.lost.contains(&file.as_u32())
    }

    pub(crate) fn before(&self, first: u32) -> Option<&ProgramMemory> {
        self.before.iter().find(|program| program.first == first)
    }

    pub(crate) fn leave(&self, program: ProgramMemory) {
        let mut after = self.after.lock().unwrap_or_else(PoisonError::into_inner);
        after.push(program);
    }
}
