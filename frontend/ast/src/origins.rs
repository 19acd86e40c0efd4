//! Where each piece of the preprocessed text was written.

use std::ops::Range;

use premiss_source::{FileId, Span};

/// Maps places in the preprocessed text back to the files.
///
/// The text is a sequence of runs. A run that was *copied* stands in its file exactly as in the
/// text; a run that was *made* comes from a macro's replacement list and has as its place the
/// whole of the outermost invocation.
#[derive(Clone, Debug)]
pub struct OriginMap {
    main: FileId,
    runs: Vec<Run>,
    /// Covers of ranges of runs: leaves are `tree[n..]`, the parent of `i` is `i / 2`.
    tree: Vec<Cover>,
}

/// A piece of the text with one origin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// Where it starts in the text.
    pub start: usize,
    /// Where it ends in the text.
    pub end: usize,
    /// Its place in a file.
    pub span: Span,
    /// Text and file agree byte for byte.
    pub copied: bool,
}

/// The places of several runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cover {
    Nothing,
    One(Span),
    SeveralFiles,
}

impl OriginMap {
    /// A map of runs, which lie in the text in order; what lies in none of them is at the start of `main`.
    pub fn new(main: FileId, runs: Vec<Run>) -> Self {
        let n = runs.len();
        let mut tree = vec![Cover::Nothing; n];
        tree.extend(runs.iter().map(|run| Cover::One(run.span)));
        for idx in (1..n).rev() {
            tree[idx] = tree[2 * idx].join(tree[2 * idx + 1]);
        }
        Self { main, runs, tree }
    }

    /// The file that the text is of, apart from what it includes.
    pub fn main(&self) -> FileId {
        self.main
    }

    /// The pieces of the text, in order.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The place of a range of the preprocessed text: from the first to the last of its tokens as
    /// written; where a part of it comes from a macro's replacement list, the invocation too.
    ///
    /// If the parts are in several files, those in the file of the first part count.
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
            // White space between two runs: the end of what stands before it.
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

    /// Adds the runs from `first` to `last` (exclusive) to a span, as far as they are in its file.
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
    /// The place of the part of the run that is in `range`.
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
