//! What other files have to know of a file, kept from run to run: one that is as it was is not read for their sake.

use super::commons::Area;
use super::deeds::Deeds;
use super::face::Face;
use super::index::{Index, Own, Source, Written};
use super::lowered::may_change_bounds;
use crate::syntax::Words;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What others have to know of a file that has no modules, contained procedures, derived types or arrays whose bounds
/// change, and uses no modules.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Draft {
    /// Of its procedures, in order.
    pub(crate) accounts: Vec<Arc<Account>>,
    pub(crate) words: Words,
}

/// What a procedure tells others, by its own text.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Account {
    pub(crate) face: Face,
    /// The COMMON blocks in which it has variables.
    pub(crate) areas: Vec<Arc<Area>>,
    pub(crate) deeds: Deeds,
}

impl Account {
    /// That of a procedure in a text; the scope around its own is that of its host, where it has one.
    pub(super) fn of(written: &Written, text: &str, has_host: bool) -> Self {
        let Written { ast, scope } = written;
        let areas = scope.areas.values();
        Self {
            face: Face::of(ast, scope, text),
            areas: areas.filter(|area| area.is_common).cloned().collect(),
            deeds: Deeds::of(ast, scope, has_host),
        }
    }
}

/// The draft of a file that was read, in the form in which it is kept; empty where it has to be read each time.
pub(crate) fn draft(source: &Source, own: &Own, index: &Index) -> Vec<u8> {
    if may_change_bounds(source, own) || !source.file.errors.is_empty() {
        return Vec::new();
    }
    let accounts = index.of_unit(source.unit).map(|(_, one)| &one.account);
    let accounts: Vec<_> = accounts.collect();
    // What has no such form is known in this run alone.
    postcard::to_stdvec(&(accounts, &source.file.words)).unwrap_or_default()
}

impl Draft {
    /// That which was kept, if it was.
    pub(crate) fn read(kept: &[u8]) -> Option<Self> {
        postcard::from_bytes(kept).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::{Draft, draft};
    use crate::names::{Index, Source, Told, depends};
    use crate::parser::parse;
    use crate::syntax::File;
    use crate::text::Form;
    use premiss_imperative::syntax::UnitId;

    /// Files of which the last two have to be read each time.
    const TEXTS: [&str; 6] = [
        "      PROGRAM MAIN\n      EXTERNAL HALVE\n      REAL X(10)\n      COMMON /AREA/ K, L, X\n\
         \x20     CALL APPLY(HALVE, X, K)\n      L = LENGTH(X, K) + ABS(L)\n      END\n",
        "      SUBROUTINE APPLY(F, X, N)\n      REAL X(N)\n      CALL F(X, N)\n      CALL COUNT(N)\n      END\n",
        "      SUBROUTINE HALVE(Y, M)\n      REAL Y(*)\n      COMMON /AREA/ I, J\n      DO 10 I = 1, M\n\
         \x20  10 Y(I) = Y(I)/2\n      READ (*, *) J\n      END\n      INTEGER FUNCTION LENGTH(X, N)\n\
         \x20     CHARACTER*(*) C\n      LENGTH = N\n      CALL NOBODY(X)\n      END\n",
        "      SUBROUTINE COUNT(N)\n      N = N + 1\n      END\n",
        "      SUBROUTINE COUNT(NAME)\n      USE SIZES\n      NAME = 2\n      END\n",
        "      SUBROUTINE BROKEN(N\n      DO 10 I = \n      END\n",
    ];

    /// What linking finds of all files, drafts of those for which `is_drafted` holds.
    fn linked(
        files: &[File],
        drafts: &[Option<Draft>],
        is_drafted: impl Fn(usize) -> bool,
    ) -> String {
        let told = files
            .iter()
            .zip(TEXTS)
            .enumerate()
            .map(|(idx, (file, text))| {
                let unit = UnitId(u32::try_from(idx).expect("few files"));
                match &drafts[idx] {
                    Some(draft) if is_drafted(idx) => Told::Drafted(unit, draft),
                    _ => Told::Read(Source { unit, text, file }),
                }
            });
        let told: Vec<Told> = told.collect();
        let (index, own) = Index::new(&told);
        let procedures = index.procedures.iter().map(|one| {
            let modified: Vec<_> = one.modified.iter().collect();
            format!("{} {:?} {modified:?}\n", one.name, one.passing)
        });
        let procedures: String = procedures.collect();
        let depends = depends(&index, &told, &own, &[0; TEXTS.len()]);
        format!("{procedures}{:?}{depends:x?}", index.areas)
    }

    #[test]
    fn a_draft_tells_others_what_its_file_tells() {
        let units = (0..).map(UnitId);
        let files: Vec<File> = units
            .zip(TEXTS)
            .map(|(unit, text)| parse(unit, text, Form::Fixed))
            .collect();
        let sources = (0..).map(UnitId).zip(TEXTS).zip(&files);
        let sources: Vec<Source> = sources
            .map(|((unit, text), file)| Source { unit, text, file })
            .collect();
        let told: Vec<Told> = sources.iter().map(|source| Told::Read(*source)).collect();
        let (index, own) = Index::new(&told);
        let drafts = sources.iter().zip(&own);
        let drafts = drafts.map(|(source, own)| Draft::read(&draft(source, own, &index)));
        let drafts: Vec<Option<Draft>> = drafts.collect();
        let is_there: Vec<bool> = drafts.iter().map(Option::is_some).collect();
        assert_eq!(is_there, [true, true, true, true, false, false]);
        let read = linked(&files, &drafts, |_| false);
        assert_eq!(linked(&files, &drafts, |_| true), read);
        for idx in 0..TEXTS.len() {
            assert_eq!(linked(&files, &drafts, |one| one == idx), read, "{idx}");
        }
    }
}
