//! Fingerprints of the dependencies of a file's translation on other files.
//!
//! A file may call the external procedures whose names occur in it, and depends on their interfaces. A file that may
//! use anything else (modules, contained procedures, derived types) depends on the whole text of the files that define
//! it. If these are unchanged, the translation of an unchanged file is unchanged.

use super::index::{Procedure, ProgramIndex};
use super::inputs::{FileDefinitions, FileInput};
use super::symbols::ProcedureId;
use crate::intrinsics::is_intrinsic;
use crate::syntax::{self, WordSet};
use premiss_ast::syntax::UnitId;
use premiss_parallel as parallel;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// For each file, a fingerprint of everything in other files that its translation depends on; `included` has the
/// fingerprints of the texts that each file includes.
pub(crate) fn dependency_digests(
    index: &ProgramIndex,
    files: &[FileInput],
    own: &[FileDefinitions],
    included: &[u64],
) -> Vec<u64> {
    let digests = InterfaceDigests::new(index);
    let shared = digests.program_wide();
    let mut open = FxHasher::default();
    for (file, own) in files.iter().zip(own) {
        if let (FileInput::Parsed(source), false) = (file, own.is_plain) {
            (source.unit, source.text).hash(&mut open);
            digests.file_procedures(source.unit, &mut open);
        }
    }
    index.areas.digest(&mut open);
    let open = open.finish();
    let files = files.iter().zip(own).zip(included);
    parallel::map(files, |((file, own), included)| {
        let mut hasher = FxHasher::default();
        (shared, included).hash(&mut hasher);
        if !own.is_plain || may_see_modules(file.words(), index) {
            open.hash(&mut hasher);
        }
        digests.file_procedures(file.unit(), &mut hasher);
        digests.mentioned_externals(file.words()).hash(&mut hasher);
        hasher.finish()
    })
}

/// Fingerprints of the interfaces of all procedures.
struct InterfaceDigests<'i> {
    index: &'i ProgramIndex,
    all: Vec<u64>,
    /// The external procedures by the hashes of their names.
    by_word: FxHashMap<u32, u64>,
}

impl<'i> InterfaceDigests<'i> {
    fn new(index: &'i ProgramIndex) -> Self {
        let mut digests = Self {
            index,
            all: parallel::map(&index.procedures, interface_digest),
            by_word: FxHashMap::default(),
        };
        for (key, ids) in &index.externals {
            let of_name = digests.digest_of(ids);
            let of_word = digests.by_word.entry(syntax::digest(key)).or_default();
            *of_word = of_word.wrapping_add(of_name);
        }
        digests
    }

    /// The part that every file depends on.
    fn program_wide(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.index.run_time_lower_bounds.hash(&mut hasher);
        // A call translated as that of an intrinsic procedure need not mention its name in the text.
        let externals = self.index.externals.iter();
        let hidden = externals.filter(|(key, _)| is_intrinsic(key));
        let hidden = hidden.map(|(_, ids)| self.digest_of(ids));
        hidden.fold(0, u64::wrapping_add).hash(&mut hasher);
        hasher.finish()
    }

    /// Hashes the procedures of a file, the variables that they change directly or through calls, and their storage
    /// areas.
    fn file_procedures(&self, unit: UnitId, hasher: &mut FxHasher) {
        for (id, procedure) in self.index.of_unit(unit) {
            (self.all[id.0], &procedure.mod_set).hash(hasher);
            let areas = procedure.summary.areas.iter();
            areas.for_each(|area| self.index.areas.area(&area.name, hasher));
        }
    }

    /// A fingerprint of the external procedures whose names occur in a file.
    fn mentioned_externals(&self, words: &WordSet) -> u64 {
        let words = words.digests().iter();
        let called = words.filter_map(|word| self.by_word.get(word));
        called.copied().fold(0, u64::wrapping_add)
    }

    fn digest_of(&self, ids: &[ProcedureId]) -> u64 {
        let mut hasher = FxHasher::default();
        ids.iter().for_each(|id| self.all[id.0].hash(&mut hasher));
        hasher.finish()
    }
}

/// Whether a file may use declarations of modules, or a derived type of another file.
fn may_see_modules(words: &WordSet, index: &ProgramIndex) -> bool {
    words.contains("use") || index.types.keys().any(|name| words.contains(name))
}

/// A fingerprint of how a procedure is called.
fn interface_digest(procedure: &Procedure) -> u64 {
    let hasher = &mut FxHasher::default();
    let interface = &procedure.summary.interface;
    (procedure.unit, interface, &procedure.name, procedure.host).hash(hasher);
    (&procedure.passing, &procedure.host_associated).hash(hasher);
    for dummy in interface.dummies.iter().flatten() {
        procedure.mod_set.contains(&dummy.key).hash(hasher);
    }
    hasher.finish()
}
