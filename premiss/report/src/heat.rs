//! The heat of a line, as one to four blocks.

use crate::style::{Colour, Style};
use premiss_histogram::Counted;

/// The blocks for a number of misses, where the line with most has `most`: four for more than three quarters, none for
/// less than a hundredth.
pub(crate) fn blocks(misses: Counted, most: f64) -> &'static str {
    let share = misses.magnitude().map_or(0.0, |misses| misses / most);
    match share {
        _ if most <= 0.0 || share < 0.01 => "",
        _ if share <= 0.25 => "█",
        _ if share <= 0.5 => "██",
        _ if share <= 0.75 => "███",
        _ => "████",
    }
}

/// The blocks in their colour.
pub(crate) fn painted(blocks: &str, width: usize, colour: Colour) -> String {
    let n_blocks = blocks.chars().count();
    let style = match n_blocks {
        0 | 1 => Style::Mild,
        2 => Style::Warm,
        _ => Style::Hot,
    };
    let space = " ".repeat(width.saturating_sub(n_blocks));
    format!("{}{space}", colour.paint(style, blocks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heat_grows_with_misses() {
        let blocks = |misses| blocks(Counted::Exact(misses), 1000.0).chars().count();
        let counts = [0, 9, 10, 250, 251, 500, 501, 750, 751, 1000].map(blocks);
        assert_eq!(counts, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
        assert_eq!(super::blocks(Counted::Unknown, 10.0), "");
        assert_eq!(super::blocks(Counted::ZERO, 0.0), "");
    }
}
