//! Entries of the same distance as one.
//!
//! Rows that start at different places in a line make many pieces, most of them with the same few
//! distances. What is asked of a histogram is asked of each of its entries.

use crate::form::Entry;
use crate::solved::solved;
use premiss_presburger::{Piece, Refusal, united};
use std::collections::HashMap;

/// Entries that differ in their multiplicity only as one, in the order of the first of each.
///
/// # Errors
/// A number does not fit.
pub(crate) fn gathered(entries: Vec<Entry>) -> Result<Vec<Entry>, Refusal> {
    let mut places: HashMap<(Vec<usize>, Piece), usize> = HashMap::new();
    let mut gathered: Vec<Entry> = Vec::new();
    let solved: Result<Vec<Vec<Entry>>, Refusal> = entries.into_iter().map(solved).collect();
    for entry in solved?.into_iter().flatten() {
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
        entry.multiplicity = united(std::mem::take(&mut entry.multiplicity));
    }
    gathered.retain(|entry| !entry.multiplicity.is_empty());
    Ok(gathered)
}
