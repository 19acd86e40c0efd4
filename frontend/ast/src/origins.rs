//! Maps preprocessed text back to the source files.

use std::ops::Range;

use premiss_source::{FileId, Span};

/// Maps byte ranges of the preprocessed text of a unit to places in the source files.
///
/// The text is a sequence of runs. A *copied* run is byte for byte the text of its file; any other run comes from a
/// macro's replacement list, and its place is the whole outermost invocation.
#[derive(Clone, Debug)]
pub struct OriginMap {
    main: FileId,
    runs: Vec<Run>,
    /// A segment tree of the runs' places: leaves are `tree[n..]`, the parent of node `i` is `i / 2`.
    tree: Vec<Cover>,
}

/// A piece of the text with a single origin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// Its first byte in the preprocessed text.
    pub start: usize,
    /// The end of its bytes in the preprocessed text, exclusive.
    pub end: usize,
    /// Its place in a source file.
    pub span: Span,
    /// Whether its text equals that of `span` byte for byte.
    pub copied: bool,
}

/// The smallest span that covers several runs, where they are in the same file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cover {
    Nothing,
    One(Span),
    SeveralFiles,
}

impl OriginMap {
    /// A map of runs, which must be disjoint and sorted by position. With no runs, everything is at the start of
    /// `main`.
    pub fn new(main: FileId, runs: Vec<Run>) -> Self {
        let n = runs.len();
        let mut tree = vec![Cover::Nothing; n];
        tree.extend(runs.iter().map(|run| Cover::One(run.span)));
        for idx in (1..n).rev() {
            tree[idx] = tree[2 * idx].join(tree[2 * idx + 1]);
        }
        Self { main, runs, tree }
    }

    /// The file that the unit was made from, as opposed to the files that it includes.
    pub fn main(&self) -> FileId {
        self.main
    }

    /// The runs, sorted by their position in the text.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The source range of a byte range of the preprocessed text: from its first to its last token as written; if a
    /// part of it comes from a macro's replacement list, it includes the invocation.
    ///
    /// If the parts are in several files, the result covers those in the file of the first part.
    #[must_use]
    pub fn span(&self, range: Range<usize>) -> Span {
        let nowhere = Span {
            file: self.main,
            start: 0,
            end: 0,
        };
        let past_last = range.end.max(range.start.saturating_add(1));
        let first = self.runs.partition_point(|run| run.end <= range.start);
        let last = self.runs.partition_point(|run| run.start < past_last);
        if self.runs.is_empty() {
            return nowhere;
        }
        if last <= first {
            // White space between two runs: the end of the preceding run.
            let end = self.runs[first.saturating_sub(1).min(self.runs.len() - 1)].span;
            return Span {
                start: end.end,
                ..end
            };
        }
        let mut cover = self.runs[first].clipped(&range);
        if last - first > 1 {
            cover = self.cover_inner(first + 1, last - 1, cover);
            let end = self.runs[last - 1].clipped(&range);
            cover = cover.cover(end);
        }
        cover
    }

    /// Extends a span by the runs from `first` to `last` (exclusive) that are in its file.
    fn cover_inner(&self, first: usize, last: usize, mut cover: Span) -> Span {
        let n = self.runs.len();
        let (mut low, mut high) = (first + n, last + n);
        while low < high {
            if low % 2 == 1 {
                cover = self.cover_node(low, cover);
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                cover = self.cover_node(high, cover);
            }
            low /= 2;
            high /= 2;
        }
        cover
    }

    fn cover_node(&self, node: usize, mut cover: Span) -> Span {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            match self.tree[node] {
                Cover::Nothing => {}
                Cover::One(span) => cover = cover.cover(span),
                Cover::SeveralFiles => open.extend([2 * node, 2 * node + 1]),
            }
        }
        cover
    }
}

impl Run {
    /// The source range of the part of the run within `range`.
    fn clipped(&self, range: &Range<usize>) -> Span {
        if !self.copied {
            return self.span;
        }
        let offset = |at: usize| {
            let inside = at.clamp(self.start, self.end) - self.start;
            self.span.start + u32::try_from(inside).unwrap_or(0)
        };
        let start = offset(range.start);
        let end = offset(range.end).max(start);
        Span {
            start,
            end,
            ..self.span
        }
    }
}

impl Cover {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nothing, cover) | (cover, Self::Nothing) => cover,
            (Self::One(a), Self::One(b)) if a.file == b.file => Self::One(a.cover(b)),
            _ => Self::SeveralFiles,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(file: u32, start: u32, end: u32) -> Span {
        Span {
            file: FileId::from_u32(file),
            start,
            end,
        }
    }

    fn run(text: Range<usize>, span: Span, copied: bool) -> Run {
        Run {
            start: text.start,
            end: text.end,
            span,
            copied,
        }
    }

    fn map(runs: Vec<Run>) -> OriginMap {
        OriginMap::new(FileId::from_u32(0), runs)
    }

    #[test]
    fn a_part_of_a_copied_run_is_found_byte_by_byte_and_one_of_a_macro_as_a_whole() {
        // Ten bytes as they stand at byte 100 of the file, then five that `N(1)` at byte 110 expands to.
        let map = map(vec![
            run(0..10, span(0, 100, 110), true),
            run(10..15, span(0, 110, 114), false),
        ]);
        assert_eq!(map.span(3..5), span(0, 103, 105));
        assert_eq!(map.span(0..10), span(0, 100, 110));
        assert_eq!(map.span(11..12), span(0, 110, 114));
        assert_eq!(map.span(8..12), span(0, 108, 114));
        assert_eq!(map.span(4..4), span(0, 104, 104));
    }

    #[test]
    fn white_space_between_runs_is_at_the_end_of_the_one_before() {
        let map = map(vec![
            run(0..4, span(0, 10, 14), true),
            run(6..8, span(0, 20, 22), true),
        ]);
        assert_eq!(map.span(4..6), span(0, 14, 14));
        assert_eq!(map.span(8..9), span(0, 22, 22));
        assert_eq!(map.span(3..7), span(0, 13, 21));
    }

    #[test]
    fn without_runs_everything_is_at_the_start_of_the_file() {
        assert_eq!(map(Vec::new()).span(7..9), span(0, 0, 0));
    }

    #[test]
    fn a_range_covers_its_runs_in_the_file_of_the_first() {
        // Seven runs of two bytes; those of file 1 stand in another order than in the text.
        let places = [(1, 40), (2, 5), (1, 20), (1, 60), (2, 1), (1, 30), (2, 9)];
        let runs: Vec<Run> = places
            .iter()
            .enumerate()
            .map(|(idx, (file, start))| {
                run(2 * idx..2 * idx + 2, span(*file, *start, start + 2), true)
            })
            .collect();
        let map = map(runs.clone());
        for first in 0..7 {
            for last in first..7 {
                let own = runs[first].span.file;
                let same = runs[first..=last].iter().filter(|run| run.span.file == own);
                let starts = same.clone().map(|run| run.span.start);
                let expected = Span {
                    file: own,
                    start: starts.min().expect("the first is one"),
                    end: same.map(|run| run.span.end).max().expect("as above"),
                };
                assert_eq!(
                    map.span(2 * first..2 * last + 2),
                    expected,
                    "{first}..={last}"
                );
            }
        }
    }
}
