//! The text of nests that were not understood: their tokens, and those of all that they name.
//!
//! The shape of such a nest has nothing of what was not understood. Whether that changed is seen in the text alone: in
//! its tokens, without comments and white space, and in the definitions in any file that it names, directly or not.
//!
//! ```text
//! #define BODY(i) t->a[i] = 0                  a definition of BODY
//! void f(thing *t, int n) {
//!     for (int i = 0; i < n; i++) BODY(i);     its text: this loop, and what thing, BODY and so on are defined as
//! }
//! ```
//!
//! Names are not resolved: each definition of a name counts. So what is the same text did not change; what is another
//! text may still do the same.

mod definitions;
mod tokens;

use self::definitions::Definition;
use self::tokens::{SourceToken, tokens};
use premiss_source::{CommentSyntax, FileId, SourceMap, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The texts of a program by their definitions.
pub(crate) struct ProgramText<'s> {
    files: BTreeMap<FileId, FileText<'s>>,
    /// The places of the definitions of each name.
    places: BTreeMap<String, Vec<DefinitionPlace>>,
}

/// The tokens of a file, and what it defines.
struct FileText<'s> {
    tokens: Vec<SourceToken<'s>>,
    definitions: Vec<Definition>,
}

/// A definition by its file and its index there.
type DefinitionPlace = (FileId, usize);

impl<'s> ProgramText<'s> {
    /// The texts of all files but built-in headers.
    pub(crate) fn new(sources: &'s SourceMap) -> Self {
        let own = sources
            .files()
            .filter(|(_, file)| !file.path().starts_with('<'));
        let files = own.map(|(id, file)| (id, FileText::new(file.path(), file.text())));
        let files: BTreeMap<FileId, FileText<'s>> = files.collect();
        let mut places: BTreeMap<String, Vec<DefinitionPlace>> = BTreeMap::new();
        for (id, file) in &files {
            for (idx, definition) in file.definitions.iter().enumerate() {
                for name in &definition.names {
                    places.entry(name.clone()).or_default().push((*id, idx));
                }
            }
        }
        Self { files, places }
    }

    /// A digest of the tokens from the start of each span to its end, or to the end of the definition that it is in,
    /// and of all definitions that they name.
    pub(crate) fn digest(&self, spans: &[Span]) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        let mut pending: Vec<&[SourceToken<'s>]> = Vec::new();
        let mut known: BTreeSet<DefinitionPlace> = BTreeSet::new();
        for span in spans {
            let (tokens, place) = self.tokens_of(*span);
            pending.push(tokens);
            known.extend(place);
        }
        let mut next = 0;
        while let Some(tokens) = pending.get(next).copied() {
            next += 1;
            for token in tokens {
                hasher.update(token.text.as_bytes());
                hasher.update(&[0]);
                let named = self.places.get(&*token.text).into_iter().flatten();
                for place in named.filter(|place| known.insert(**place)) {
                    pending.push(self.tokens_of_definition(*place));
                }
            }
            hasher.update(&[1]);
        }
        *hasher.finalize().as_bytes()
    }

    /// The tokens of a span within the definition that it starts in, and that definition.
    fn tokens_of(&self, span: Span) -> (&[SourceToken<'s>], Option<DefinitionPlace>) {
        let Some(file) = self.files.get(&span.file) else {
            return (&[], None);
        };
        let first = file.tokens.partition_point(|token| token.at < span.start);
        let within = |definition: &Definition| definition.tokens.contains(&first);
        let idx = file.definitions.iter().position(within);
        let end = idx.map_or(file.tokens.len(), |idx| file.definitions[idx].tokens.end);
        let last = file.tokens.partition_point(|token| token.at < span.end);
        let tokens = &file.tokens[first..last.clamp(first, end)];
        (tokens, idx.map(|idx| (span.file, idx)))
    }

    fn tokens_of_definition(&self, (file, idx): DefinitionPlace) -> &[SourceToken<'s>] {
        let file = &self.files[&file];
        &file.tokens[file.definitions[idx].tokens.clone()]
    }
}

impl<'s> FileText<'s> {
    fn new(path: &str, text: &'s str) -> Self {
        let syntax = CommentSyntax::of_file(path, text);
        let tokens = tokens(text, syntax);
        let definitions = match syntax.is_fortran() {
            true => definitions::of_fortran(&tokens),
            false => definitions::of_braces(&tokens, syntax),
        };
        Self {
            tokens,
            definitions,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a loop, from its first to its last place in the text, has the same text in two programs.
    fn is_same(path: &str, before: &str, after: &str, first: &str) -> bool {
        let digest = |text: &str| {
            let mut sources = SourceMap::new();
            let file = sources.add(path, text.into()).expect("it is short");
            let start = text.find(first).expect("it is in the text");
            let span = Span {
                file,
                start: u32::try_from(start).expect("it is short"),
                end: u32::MAX,
            };
            ProgramText::new(&sources).digest(&[span])
        };
        digest(before) == digest(after)
    }

    #[test]
    fn comments_white_space_and_other_functions_are_no_part_of_it() {
        let before = "int other(void) { return 1; }\nvoid f(int n) { for (;;) g(n); }\n";
        let after =
            "int other(void) { return 2; }\nvoid f(int n) {\n  for (; ; ) // all\n    g(n);\n}\n";
        assert!(is_same("a.c", before, after, "for ("));
        let swapped = before.replace("g(n)", "g(n + 1)");
        assert!(!is_same("a.c", before, &swapped, "for ("));
    }

    #[test]
    fn what_it_calls_and_expands_is_a_part_of_it() {
        let c = "#define BODY(i) g(i)\nstatic int h(int x) { return x; }\nint g(int x) { return h(x); }\n\
                 void f(int n) { for (;;) BODY(n); }\n";
        for (old, new) in [("g(i)", "g(i + 1)"), ("return x", "return -x")] {
            assert!(!is_same("a.c", c, &c.replace(old, new), "for ("), "{new}");
        }
        let rust =
            "macro_rules! kernel { ($n:ident) => { fn $n() { for i in 0..9 {} } } }\nkernel!(f);\n";
        let changed = rust.replace("0..9", "0..8");
        assert!(!is_same("a.rs", rust, &changed, "kernel!(f"));
        let fortran = "subroutine s(x)\n do i = 1, 9\n  call t(x)\n end do\nend subroutine\n\
                       subroutine t(x)\n x = 1\nend subroutine\nsubroutine u(x)\n x = 1\nend subroutine\n";
        let callee = fortran.replacen("x = 1", "x = 2", 1);
        assert!(!is_same("a.f90", fortran, &callee, "do i"));
        let last = fortran.rfind("x = 1").expect("it is there");
        let other = format!("{}x = 3{}", &fortran[..last], &fortran[last + 5..]);
        assert!(is_same("a.f90", fortran, &other, "do i"));
        assert!(is_same(
            "a.f90",
            fortran,
            &fortran.replace("call", "CALL"),
            "do i"
        ));
    }
}
