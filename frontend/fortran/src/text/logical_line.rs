//! Logical lines: the text of one statement with continuation lines joined and comments removed, and the places of its
//! parts in the file.

/// A statement with continuation lines joined and comments removed.
#[derive(Debug, Default)]
pub(crate) struct LogicalLine {
    pub(crate) label: Option<u32>,
    pub(crate) text: Vec<u8>,
    /// The starts of pieces of the text, in it and in the file.
    segments: Vec<(usize, usize)>,
    /// The opening quote of the current literal; `None` outside of literals.
    quote: Option<u8>,
}

impl LogicalLine {
    /// The position in the file of a byte of the statement.
    pub(crate) fn place(&self, position: usize) -> u32 {
        let n_before = self
            .segments
            .partition_point(|(start, _)| *start <= position);
        let place = match n_before
            .checked_sub(1)
            .and_then(|idx| self.segments.get(idx))
        {
            Some((start, place)) => place + (position - start),
            None => 0,
        };
        u32::try_from(place).unwrap_or(u32::MAX)
    }

    /// The quote that ends the current literal.
    pub(super) fn open_quote(&self) -> Option<u8> {
        self.quote
    }

    /// Whether the text so far ends within a literal.
    pub(super) fn is_in_literal(&self) -> bool {
        self.quote.is_some()
    }

    /// Appends a piece of the file that starts at an offset, without a trailing comment. Statements that end at a `;`
    /// in it are emitted.
    pub(super) fn append(&mut self, piece: &[u8], offset: usize, each: &mut dyn FnMut(Self)) {
        let mut start = 0;
        for (idx, byte) in piece.iter().enumerate() {
            match (self.quote, byte) {
                (Some(quote), byte) if *byte == quote => self.quote = None,
                (Some(_), _) => {}
                (None, b'\'' | b'"') => self.quote = Some(*byte),
                (None, b'!') => {
                    self.push(&piece[start..idx], offset + start);
                    return;
                }
                (None, b';') => {
                    self.push(&piece[start..idx], offset + start);
                    self.finish(each);
                    start = idx + 1;
                }
                _ => {}
            }
        }
        self.push(&piece[start..], offset + start);
    }

    /// The statement without blanks outside of literals, which mean nothing in fixed form: `1 000` is a number.
    pub(crate) fn without_blanks(&self) -> Self {
        let mut joined = Self {
            label: self.label,
            ..Self::default()
        };
        let mut quote = None;
        for (position, byte) in self.text.iter().enumerate() {
            match (quote, byte) {
                (Some(open), byte) if *byte == open => quote = None,
                (None, b'\'' | b'"') => quote = Some(*byte),
                (None, byte) if byte.is_ascii_whitespace() => continue,
                _ => {}
            }
            joined.push(&[*byte], self.place(position) as usize);
        }
        joined
    }

    fn push(&mut self, piece: &[u8], offset: usize) {
        if !piece.is_empty() {
            self.text.reserve(piece.len() + 1);
            self.segments.push((self.text.len(), offset));
            self.text.extend_from_slice(piece);
        }
    }

    /// Emits the current statement and starts a new one.
    pub(super) fn finish(&mut self, each: &mut dyn FnMut(Self)) {
        let done = std::mem::take(self);
        if done.text.iter().any(|byte| !byte.is_ascii_whitespace()) {
            each(done);
        }
    }
}

/// The lines of a text with their offsets, without line ends.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut offset = 0;
    text.split_inclusive(|byte| *byte == b'\n')
        .map(move |line| {
            let start = offset;
            offset += line.len();
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            (start, line.strip_suffix(b"\r").unwrap_or(line))
        })
}
