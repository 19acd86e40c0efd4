//! A [`SymbolicHistogram`] as text, with the names that its ids have in the source.
//!
//! ```text
//! R0 load a[i]
//!   cold: [n] -> { [] -> 1/8*n : 8 <= n }
//!   distance [n] -> { [i] -> i + 1 }
//!     accesses [n] -> { [i] -> 1 : 0 <= i and i <= n - 1 }
//! ```

use crate::form::{HistogramEntry, SymbolicHistogram};
use premiss_presburger::Notation;
use premiss_scop::ScopNames;
use std::fmt::{self, Display, Formatter};

/// A histogram with the names of its scop.
struct NamedHistogram<'a> {
    histogram: &'a SymbolicHistogram,
    names: ScopNames<'a>,
}

impl SymbolicHistogram {
    /// As text, with the names of the scop that it was derived from.
    #[must_use]
    pub fn display<'a>(&'a self, names: ScopNames<'a>) -> impl Display + use<'a> {
        NamedHistogram {
            histogram: self,
            names,
        }
    }
}

impl Display for NamedHistogram<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "lines of {} bytes", self.histogram.line_size)?;
        for definition in self.names.definitions() {
            writeln!(f, "size {definition}")?;
        }
        for reference in &self.histogram.references {
            let notation = self.names.notation_of(reference.reference);
            writeln!(f, "{}", self.names.reference(reference.reference))?;
            writeln!(f, "  cold: {}", notation.values(&[], &reference.cold))?;
            let entries = reference.entries.iter();
            let mut entries: Vec<String> = entries.map(|x| entry(x, &notation)).collect();
            entries.sort_unstable();
            entries.iter().try_for_each(|entry| f.write_str(entry))?;
        }
        Ok(())
    }
}

fn entry(entry: &HistogramEntry, notation: &Notation) -> String {
    let distance = notation.values(&entry.axes, std::slice::from_ref(&entry.distance));
    let accesses = notation.values(&entry.axes, &entry.multiplicity);
    format!("  distance {distance}\n    accesses {accesses}\n")
}
