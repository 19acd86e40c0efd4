//! Entries of the same distance as one.
//!
//! Rows that start at different places in a line make many pieces, most of them with the same few
//! distances. What is asked of a histogram is asked of each of its entries.

use crate::form::Entry;
use premiss_presburger::{Piece, Refusal};
use std::collections::HashMap;

/// Entries that differ in their multiplicity only as one, in the order of the first of each.
pub(crate) fn gathered(entries: Vec<Entry>) -> Result<Vec<Entry>, Refusal> {
    let mut places: HashMap<(Vec<usize>, Piece), usize> = HashMap::new();
    let mut gathered: Vec<Entry> = Vec::new();
    for entry in entries {
        let key = (entry.axes.clone(), entry.distance.clone());
        match places.get(&key) {
            Some(place) => gathered[*place].multiplicity.extend(entry.multiplicity),
            None => {
                places.insert(key, gathered.len());
                gathered.push(entry);
            }
        }
    }
    for entry in &mut gathered {
        entry.multiplicity = united(std::mem::take(&mut entry.multiplicity))?;
    }
    gathered.retain(|entry| !entry.multiplicity.is_empty());
    Ok(gathered)
}

/// Pieces on one domain as one, without those that are nothing: their values add up.
pub(crate) fn united(pieces: Vec<Piece>) -> Result<Vec<Piece>, Refusal> {
    let mut places = HashMap::new();
    let mut united: Vec<Piece> = Vec::new();
    for piece in pieces {
        match places.get(&piece.domain) {
            Some(place) => {
                let known: &mut Piece = &mut united[*place];
                known.value = known.value.plus(&piece.value)?;
            }
            None => {
                places.insert(piece.domain.clone(), united.len());
                united.push(piece);
            }
        }
    }
    united.retain(|piece| !piece.value.is_zero());
    Ok(united)
}
