//! The serialised forms of derivation results.
//!
//! Records are the content of cache files and the input of cache keys. They are written with postcard, where a number
//! takes as many bytes as it needs. Records that are read are validated as far as later stages rely on it.

use premiss_distance::{HistogramEntry, ReferenceHistogram};
use premiss_presburger::{Affine, Column, Floor, Monomial, Piece, Polynomial, System};
use serde::{Deserialize, Serialize};

/// An affine form: its constant, then its coefficients.
pub(crate) type AffineRecord = Vec<i64>;

/// The most columns that a system in a file may have.
const MOST_COLUMNS: usize = 1 << 16;

#[derive(Serialize, Deserialize, Debug)]
pub(crate) struct SystemRecord {
    variables: usize,
    floors: Vec<(AffineRecord, i64)>,
    equalities: Vec<AffineRecord>,
    inequalities: Vec<AffineRecord>,
}

/// Variables and integer coefficients of monomials, and the common denominator of the coefficients.
#[derive(Serialize, Deserialize, Debug)]
struct PolynomialRecord {
    terms: Vec<(u128, i128)>,
    denominator: i128,
}

#[derive(Serialize, Deserialize, Debug)]
pub(crate) struct PieceRecord {
    domain: SystemRecord,
    value: PolynomialRecord,
}

#[derive(Serialize, Deserialize, Debug)]
struct EntryRecord {
    axes: Vec<usize>,
    distance: PieceRecord,
    multiplicity: Vec<PieceRecord>,
}

/// The distances of one access; its reference is not stored.
#[derive(Serialize, Deserialize, Debug)]
pub(crate) struct DistancesRecord {
    cold: Vec<PieceRecord>,
    entries: Vec<EntryRecord>,
}

/// The serialised form of an affine form.
pub(crate) fn affine(form: &Affine) -> AffineRecord {
    form.coefficients().to_vec()
}

impl From<&System> for SystemRecord {
    fn from(system: &System) -> Self {
        let floor = |floor: &Floor| (affine(&floor.numerator), floor.denominator);
        Self {
            variables: system.variables,
            floors: system.floors.iter().map(floor).collect(),
            equalities: system.equalities.iter().map(affine).collect(),
            inequalities: system.inequalities.iter().map(affine).collect(),
        }
    }
}

impl SystemRecord {
    /// The system; `None` if its rows are inconsistent in length.
    pub(crate) fn system(self) -> Option<System> {
        let first = self.variables.checked_add(1)?;
        let width = first.checked_add(self.floors.len())?;
        let form = |row: AffineRecord| (row.len() == width).then(|| Affine::new(row));
        let forms = |rows: Vec<AffineRecord>| rows.into_iter().map(form).collect::<Option<_>>();
        let floor = |(column, (row, denominator)): (usize, (AffineRecord, i64))| {
            let numerator = form(row)?;
            let depends_on_known = numerator.support().all(|x| x.number() < column);
            (depends_on_known && 0 < denominator).then_some(Floor {
                numerator,
                denominator,
            })
        };
        if MOST_COLUMNS < width {
            return None;
        }
        let floors = (first..).zip(self.floors).map(floor);
        Some(System {
            variables: self.variables,
            floors: floors.collect::<Option<_>>()?,
            equalities: forms(self.equalities)?,
            inequalities: forms(self.inequalities)?,
        })
    }
}

impl From<&Piece> for PieceRecord {
    fn from(piece: &Piece) -> Self {
        let (terms, denominator) = piece.value.scaled_terms();
        let term = |(monomial, x): &(Monomial, i128)| (monomial.to_word(), *x);
        Self {
            domain: (&piece.domain).into(),
            value: PolynomialRecord {
                terms: terms.iter().map(term).collect(),
                denominator,
            },
        }
    }
}

impl PieceRecord {
    fn piece(self) -> Option<Piece> {
        let domain = self.domain.system()?;
        let mut terms = Vec::with_capacity(self.value.terms.len());
        for (word, coefficient) in self.value.terms {
            let monomial = Monomial::from_word(word)?;
            if !monomial
                .factors()
                .all(|column| column.number() < domain.columns())
            {
                return None;
            }
            terms.push((monomial, coefficient));
        }
        let value = Polynomial::from_scaled_terms(terms, self.value.denominator).ok()?;
        Some(Piece { domain, value })
    }
}

impl From<&ReferenceHistogram> for DistancesRecord {
    fn from(histogram: &ReferenceHistogram) -> Self {
        let pieces = |all: &[Piece]| all.iter().map(PieceRecord::from).collect();
        let entry = |entry: &HistogramEntry| EntryRecord {
            axes: entry.axes.iter().map(|axis| axis.number()).collect(),
            distance: (&entry.distance).into(),
            multiplicity: pieces(&entry.multiplicity),
        };
        Self {
            cold: pieces(&histogram.cold),
            entries: histogram.entries.iter().map(entry).collect(),
        }
    }
}

impl DistancesRecord {
    /// The distances as those of a reference.
    pub(crate) fn of(self, reference: premiss_tree::ReferenceId) -> Option<ReferenceHistogram> {
        let entries = self.entries.into_iter().map(EntryRecord::entry);
        Some(ReferenceHistogram {
            reference,
            cold: pieces(self.cold)?,
            entries: entries.collect::<Option<_>>()?,
        })
    }
}

impl EntryRecord {
    fn entry(self) -> Option<HistogramEntry> {
        let distance = self.distance.piece()?;
        let variables = 1..=distance.domain.variables;
        let are_variables = self.axes.iter().all(|axis| variables.contains(axis));
        (are_variables && self.axes.is_sorted_by(|a, b| a < b)).then_some(())?;
        Some(HistogramEntry {
            axes: self.axes.into_iter().map(Column::new).collect(),
            distance,
            multiplicity: pieces(self.multiplicity)?,
        })
    }
}

fn pieces(records: Vec<PieceRecord>) -> Option<Vec<Piece>> {
    records.into_iter().map(PieceRecord::piece).collect()
}
