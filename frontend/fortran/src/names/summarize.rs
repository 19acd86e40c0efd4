//! Summaries of parsed files, in their stored form.

use super::index::ProgramIndex;
use super::inputs::{FileDefinitions, ParsedFile};
use super::lower_bounds::may_change_bounds;

/// The stored form of the summary of a file; empty if the file has to be parsed in each run.
pub(crate) fn summarize(
    source: &ParsedFile,
    own: &FileDefinitions,
    index: &ProgramIndex,
) -> Vec<u8> {
    if may_change_bounds(source, own) || !source.file.errors.is_empty() {
        return Vec::new();
    }
    let summaries = index.of_unit(source.unit).map(|(_, one)| &one.summary);
    let summaries: Vec<_> = summaries.collect();
    // A summary that cannot be stored is valid for this run only.
    postcard::to_stdvec(&(summaries, &source.file.words)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::summarize;
    use crate::names::{FileInput, FileSummary, ParsedFile, dependency_digests, link};
    use crate::parser::parse;
    use crate::syntax::FortranFile;
    use crate::text::SourceForm;
    use premiss_ast::syntax::UnitId;

    /// Files, the last two of which have to be parsed in each run.
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

    /// The results of linking all files, with summaries of those for which `is_summarized` holds.
    fn linked(
        files: &[FortranFile],
        summaries: &[Option<FileSummary>],
        is_summarized: impl Fn(usize) -> bool,
    ) -> String {
        let inputs = files
            .iter()
            .zip(TEXTS)
            .enumerate()
            .map(|(idx, (file, text))| {
                let unit = UnitId(u32::try_from(idx).expect("few files"));
                match &summaries[idx] {
                    Some(summary) if is_summarized(idx) => FileInput::Summarized(unit, summary),
                    _ => FileInput::Parsed(ParsedFile { unit, text, file }),
                }
            });
        let inputs: Vec<FileInput> = inputs.collect();
        let (index, own) = link(&inputs);
        let procedures = index.procedures.iter().map(|one| {
            let modified: Vec<_> = one.mod_set.iter().collect();
            format!("{} {:?} {modified:?}\n", one.name, one.passing)
        });
        let procedures: String = procedures.collect();
        let digests = dependency_digests(&index, &inputs, &own, &[0; TEXTS.len()]);
        format!("{procedures}{:?}{digests:x?}", index.areas)
    }

    #[test]
    fn a_summary_links_as_its_file_does() {
        let units = (0..).map(UnitId);
        let files: Vec<FortranFile> = units
            .zip(TEXTS)
            .map(|(unit, text)| parse(unit, text, SourceForm::Fixed))
            .collect();
        let sources = (0..).map(UnitId).zip(TEXTS).zip(&files);
        let sources: Vec<ParsedFile> = sources
            .map(|((unit, text), file)| ParsedFile { unit, text, file })
            .collect();
        let inputs: Vec<FileInput> = sources
            .iter()
            .map(|source| FileInput::Parsed(*source))
            .collect();
        let (index, own) = link(&inputs);
        let summaries = sources.iter().zip(&own);
        let summaries =
            summaries.map(|(source, own)| FileSummary::decode(&summarize(source, own, &index)));
        let summaries: Vec<Option<FileSummary>> = summaries.collect();
        let is_there: Vec<bool> = summaries.iter().map(Option::is_some).collect();
        assert_eq!(is_there, [true, true, true, true, false, false]);
        let read = linked(&files, &summaries, |_| false);
        assert_eq!(linked(&files, &summaries, |_| true), read);
        for idx in 0..TEXTS.len() {
            assert_eq!(linked(&files, &summaries, |one| one == idx), read, "{idx}");
        }
    }
}
