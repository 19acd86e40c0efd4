//! Entries of the same distance as one.
//!
//! Rows that start at different places in a line make many pieces, most of them with the same few distances. Every
//! evaluation of a histogram takes time for each of its entries.

use crate::form::HistogramEntry;
use crate::split_pieces::split_pieces;
use premiss_presburger::{Column, Piece, Refusal, united};
use std::collections::HashMap;

/// Merges entries that differ in their multiplicity only, in the order of the first of each.
///
/// # Errors
/// A number does not fit.
pub(crate) fn merge_entries(entries: Vec<HistogramEntry>) -> Result<Vec<HistogramEntry>, Refusal> {
    let mut places: HashMap<(Vec<Column>, Piece), usize> = HashMap::new();
    let mut merged: Vec<HistogramEntry> = Vec::new();
    let split: Result<Vec<Vec<HistogramEntry>>, Refusal> =
        entries.into_iter().map(split_pieces).collect();
    for entry in split?.into_iter().flatten() {
        let key = (entry.axes.clone(), entry.distance.clone());
        match places.get(&key) {
            Some(place) => merged[*place].multiplicity.extend(entry.multiplicity),
            None => {
                places.insert(key, merged.len());
                merged.push(entry);
            }
        }
    }
    for entry in &mut merged {
        entry.multiplicity = united(std::mem::take(&mut entry.multiplicity));
    }
    merged.retain(|entry| !entry.multiplicity.is_empty());
    Ok(merged)
}
