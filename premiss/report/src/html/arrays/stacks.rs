//! Accesses by array and reuse distance.

use super::range::DistanceRange;
use crate::chart::escaped;
use crate::html::charts::ChartSide;
use crate::human::human;
use premiss_histogram::Bin;
use std::collections::BTreeMap;

/// Only the arrays with most accesses, up to this number, are shown separately.
const MOST_ARRAYS: usize = 7;

/// Certain accesses, and possible ones beyond these.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Accesses {
    pub(super) certain: u128,
    pub(super) possible: u128,
}

/// Accesses by array and range of distances, of one program or of two.
pub(super) struct Stacks {
    pub(super) arrays: Vec<String>,
    pub(super) sides: Vec<(ChartSide, ByRange)>,
}

/// Accesses by range, then by array.
pub(super) type ByRange = BTreeMap<DistanceRange, Vec<Accesses>>;

impl Stacks {
    pub(super) fn new(sides: &[(ChartSide, Vec<(&str, Bin)>)]) -> Self {
        let mut totals: BTreeMap<&str, u128> = BTreeMap::new();
        for (array, bin) in sides.iter().flat_map(|(_, bins)| bins) {
            *totals.entry(array).or_default() += u128::from(bin.certain) + u128::from(bin.possible);
        }
        let mut ranked: Vec<&str> = totals.keys().copied().collect();
        ranked.sort_by_key(|array| std::cmp::Reverse(totals[array]));
        let n_others = ranked.len().saturating_sub(MOST_ARRAYS);
        let named: Vec<&str> = ranked.into_iter().take(MOST_ARRAYS).collect();
        let n_stacked = named.len() + usize::from(0 < n_others);
        let of_side = |(side, bins): &(ChartSide, Vec<(&str, Bin)>)| {
            let mut by_range = ByRange::new();
            for (array, bin) in bins {
                let at = named.iter().position(|x| x == array);
                let stack = by_range.entry(DistanceRange::of(bin));
                let stack = stack.or_insert_with(|| vec![Accesses::default(); n_stacked]);
                let accesses = &mut stack[at.unwrap_or(named.len())];
                accesses.certain += u128::from(bin.certain);
                accesses.possible += u128::from(bin.possible);
            }
            (*side, by_range)
        };
        let sides = sides.iter().map(of_side).collect();
        let others = (0 < n_others).then(|| format!("{n_others} more arrays"));
        Self {
            arrays: named.into_iter().map(str::to_owned).chain(others).collect(),
            sides,
        }
    }

    pub(super) fn stacks(&self) -> impl Iterator<Item = (&DistanceRange, &Vec<Accesses>)> {
        self.sides.iter().flat_map(|(_, by_range)| by_range)
    }

    /// The bars from left to right, including empty ones in between.
    pub(super) fn ranges(&self) -> Vec<DistanceRange> {
        let powers = self.stacks().filter_map(|(range, _)| match range {
            DistanceRange::Power(log) => Some(*log),
            _ => None,
        });
        let has = |range: DistanceRange| self.stacks().any(|(x, _)| *x == range).then_some(range);
        let mut ranges = vec![DistanceRange::Zero];
        ranges.extend((0..=powers.max().unwrap_or(0)).map(DistanceRange::Power));
        ranges.extend(has(DistanceRange::Open));
        ranges.extend(has(DistanceRange::First));
        ranges
    }

    pub(super) fn rows(&self) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        for (side, by_range) in &self.sides {
            for (range, stack) in by_range {
                for (array, accesses) in self.arrays.iter().zip(stack) {
                    if accesses.certain + accesses.possible == 0 {
                        continue;
                    }
                    let [from, to] = range.ends();
                    let cell = |number: u128| {
                        format!("<data value=\"{number}\">{}</data>", count_text(number))
                    };
                    let cells = [
                        from,
                        to,
                        escaped(array),
                        cell(accesses.certain),
                        cell(accesses.possible),
                    ];
                    rows.push(side.cell().into_iter().chain(cells).collect());
                }
            }
        }
        rows
    }
}

pub(super) fn count_text(number: u128) -> String {
    u64::try_from(number).map_or_else(|_| number.to_string(), human)
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_histogram::Distance;

    #[test]
    fn no_access_is_lost() {
        let arrays = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
        let one = Bin {
            lower: Distance::Finite(5),
            upper: Distance::Finite(5),
            certain: 10,
            possible: 1,
        };
        let bins: Vec<(&str, Bin)> = arrays.iter().map(|array| (*array, one)).collect();
        let stacks = Stacks::new(&[(ChartSide::Only, bins)]);
        assert_eq!(stacks.arrays[MOST_ARRAYS], "2 more arrays");
        let all = stacks.stacks().flat_map(|(_, stack)| stack);
        assert_eq!(all.map(|x| x.certain + x.possible).sum::<u128>(), 99);
    }
}
