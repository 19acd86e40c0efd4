//! Reuse distances of a function, stacked by array.
//!
//! A bar is for the distances from one power of two up to the next, and shows how many accesses of which array
//! have one of them; first accesses have a bar of their own, and those of which not even that much is known.

use super::Subject;
use super::charts::{FIELD, legend, pattern, vertical};
use super::figure::{Figure, file_name};
use crate::chart::{Axis, Tick, begin, escaped, grid, short};
use crate::human::human;
use premiss_histogram::{Bin, Distance};
use premiss_machine::format_bytes;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Arrays beyond so many, those with most accesses first, are shown together.
const MOST_ARRAYS: usize = 7;

/// What a bar is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Range {
    /// No line in between.
    Zero,
    /// From 2 to this power up to twice that.
    Power(u32),
    /// More than one of these.
    Open,
    First,
}

/// Accesses that are sure to happen, and those that may besides.
#[derive(Clone, Copy, Default, Debug)]
struct Accesses {
    certain: u128,
    possible: u128,
}

/// Accesses by array and range.
struct Stacks {
    arrays: Vec<String>,
    by_range: BTreeMap<Range, Vec<Accesses>>,
}

pub(super) fn figure(Subject { index, function }: Subject<'_>) -> String {
    let known = function.lines.iter().find(|line| line.histogram.is_some());
    let Some(line) = known else {
        return "<p>Reuse distances: not known.</p>\n".to_owned();
    };
    let tree = &function.tree;
    let arrays = tree
        .references
        .values()
        .map(|x| tree.arrays[x.array].name.as_str());
    let stacks = Stacks::new(
        arrays
            .zip(&line.by_reference)
            .flat_map(|(array, histogram)| histogram.bins().map(move |bin| (array, bin))),
    );
    let title = "Reuse distances by array";
    let size = format_bytes(line.line_size);
    let levels = function.levels.iter();
    let levels = levels.filter(|x| x.geometry.line_size == line.line_size);
    let levels: Vec<(&str, u64)> = levels
        .map(|level| (level.name.as_str(), level.geometry.lines()))
        .collect();
    let name = &tree.function;
    let figure = Figure {
        name: file_name(name, index, "reuse-distances"),
        title,
        caption: escaped(&format!(
            "How many other lines of {size} are touched between two accesses to one. What stands to the right of a \
             level's vertical misses there, as far as sets do not matter; “first” misses everywhere."
        )),
        svg: stacks.picture(&format!("{title}: {name}, lines of {size}"), &levels),
        heads: vec![
            "Distance from",
            "Distance to",
            "Array",
            "Accesses",
            "More that may happen",
        ],
        rows: stacks.rows(),
    };
    figure.html()
}

impl Range {
    fn of(bin: &Bin) -> Self {
        let power = |lines: u64| lines.checked_ilog2().map_or(Self::Zero, Self::Power);
        match (bin.lower, bin.upper) {
            (Distance::Infinite, _) => Self::First,
            (Distance::Finite(lower), Distance::Finite(upper)) if power(lower) == power(upper) => {
                power(lower)
            }
            _ => Self::Open,
        }
    }

    fn ends(self) -> [String; 2] {
        match self {
            Self::Zero => ["0", "0"].map(str::to_owned),
            Self::Power(log) => {
                let least = 1_u64 << log;
                [least, least - 1 + least].map(|lines| lines.to_string())
            }
            Self::Open => ["not known", "not known"].map(str::to_owned),
            Self::First => ["first access", "first access"].map(str::to_owned),
        }
    }

    fn label(self) -> String {
        match self {
            Self::Zero => "0".to_owned(),
            Self::Power(log) => short(f64::from(log).exp2().round()).trim().to_owned(),
            Self::Open => "open".to_owned(),
            Self::First => "first".to_owned(),
        }
    }
}

impl Stacks {
    fn new<'a>(bins: impl Iterator<Item = (&'a str, Bin)>) -> Self {
        let mut found: BTreeMap<(&str, Range), Accesses> = BTreeMap::new();
        let mut totals: BTreeMap<&str, u128> = BTreeMap::new();
        for (array, bin) in bins {
            let accesses = found.entry((array, Range::of(&bin))).or_default();
            accesses.certain += u128::from(bin.certain);
            accesses.possible += u128::from(bin.possible);
            *totals.entry(array).or_default() += u128::from(bin.certain) + u128::from(bin.possible);
        }
        let mut ranked: Vec<&str> = totals.keys().copied().collect();
        ranked.sort_by_key(|array| std::cmp::Reverse(totals[array]));
        let n_others = ranked.len().saturating_sub(MOST_ARRAYS);
        let named: Vec<&str> = ranked.into_iter().take(MOST_ARRAYS).collect();
        let n_stacked = named.len() + usize::from(0 < n_others);
        let mut by_range: BTreeMap<Range, Vec<Accesses>> = BTreeMap::new();
        for ((array, range), accesses) in found {
            let at = named
                .iter()
                .position(|x| *x == array)
                .unwrap_or(named.len());
            let stack = by_range
                .entry(range)
                .or_insert_with(|| vec![Accesses::default(); n_stacked]);
            stack[at].certain += accesses.certain;
            stack[at].possible += accesses.possible;
        }
        let others = (0 < n_others).then(|| format!("{n_others} more arrays"));
        Self {
            arrays: named.into_iter().map(str::to_owned).chain(others).collect(),
            by_range,
        }
    }

    /// The bars from left to right, those without accesses in between too.
    fn ranges(&self) -> Vec<Range> {
        let powers = self.by_range.keys().filter_map(|range| match range {
            Range::Power(log) => Some(*log),
            _ => None,
        });
        let has = |range: Range| self.by_range.contains_key(&range).then_some(range);
        let mut ranges = vec![Range::Zero];
        ranges.extend((0..=powers.max().unwrap_or(0)).map(Range::Power));
        ranges.extend(has(Range::Open));
        ranges.extend(has(Range::First));
        ranges
    }

    fn picture(&self, title: &str, levels: &[(&str, u64)]) -> String {
        let ranges = self.ranges();
        let width = (FIELD.right - FIELD.left) / ranges.len() as f64;
        let left = |idx: usize| FIELD.left + width * idx as f64;
        let sum =
            |stack: &Vec<Accesses>| stack.iter().map(|x| x.certain + x.possible).sum::<u128>();
        let most = self.by_range.values().map(sum).max().unwrap_or(0);
        let y = Axis::linear(most as f64, FIELD.bottom, FIELD.top);
        let every = ranges.len().div_ceil(16);
        let ticks = ranges
            .iter()
            .enumerate()
            .filter(|(idx, range)| idx % every == 0 || matches!(range, Range::First | Range::Open));
        let ticks: Vec<Tick> = ticks
            .map(|(idx, range)| Tick {
                place: left(idx) + width / 2.0,
                label: range.label(),
            })
            .collect();
        let mut svg = begin(&FIELD, title);
        let id: String = title.chars().filter(char::is_ascii_alphanumeric).collect();
        let used: Vec<String> = (0..self.arrays.len())
            .map(|kind| pattern(&format!("{id}{kind}"), kind))
            .collect();
        let _ = writeln!(svg, "<defs>{}</defs>", used.concat());
        grid(
            &FIELD,
            [&ticks, &y.ticks(short)],
            ["lines in between, from", "accesses"],
            &mut svg,
        );
        let n_powers = ranges
            .iter()
            .filter(|x| matches!(x, Range::Power(_)))
            .count();
        for (order, (name, lines)) in levels.iter().enumerate() {
            // Capacity 2^k stands where the bar of 2^k begins.
            let place = 1.0 + (*lines as f64).log2();
            if place <= n_powers as f64 + 1.0 {
                vertical(FIELD.left + width * place, order, name, &mut svg);
            }
        }
        for (idx, range) in ranges.iter().enumerate() {
            let Some(stack) = self.by_range.get(range) else {
                continue;
            };
            let mut below = 0_u128;
            for (kind, accesses) in stack.iter().enumerate() {
                for (part, fill) in [
                    (accesses.certain, format!("fill=\"url(#{id}{kind})\"")),
                    (
                        accesses.possible,
                        "fill=\"none\" stroke-dasharray=\"3 2\"".to_owned(),
                    ),
                ] {
                    if part == 0 {
                        continue;
                    }
                    let (low, high) = (y.place(below as f64), y.place((below + part) as f64));
                    below += part;
                    let about = format!(
                        "{}, {}: {}",
                        self.arrays[kind],
                        range.ends().join(" to "),
                        shown(part)
                    );
                    let _ = writeln!(
                        svg,
                        "<rect x=\"{:.1}\" y=\"{high:.1}\" width=\"{:.1}\" height=\"{:.1}\" {fill} \
                         stroke=\"currentColor\" stroke-width=\".5\"><title>{}</title></rect>",
                        left(idx) + 1.0,
                        (width - 2.0).max(1.0),
                        low - high,
                        escaped(&about)
                    );
                }
            }
        }
        for (kind, array) in self.arrays.iter().enumerate() {
            let symbol = format!(
                "<rect x=\"-10\" y=\"-7\" width=\"18\" height=\"14\" fill=\"url(#{id}{kind})\" stroke=\"currentColor\" \
                 stroke-width=\".5\"/>"
            );
            legend(kind, &symbol, array, &mut svg);
        }
        let may = self.by_range.values().flatten().any(|x| 0 < x.possible);
        if may {
            let symbol = "<rect x=\"-10\" y=\"-7\" width=\"18\" height=\"14\" fill=\"none\" stroke=\"currentColor\" \
                          stroke-dasharray=\"3 2\"/>";
            legend(
                self.arrays.len(),
                symbol,
                "may happen: data decide",
                &mut svg,
            );
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        for (range, stack) in &self.by_range {
            for (array, accesses) in self.arrays.iter().zip(stack) {
                if accesses.certain + accesses.possible == 0 {
                    continue;
                }
                let [from, to] = range.ends();
                let cell =
                    |number: u128| format!("<data value=\"{number}\">{}</data>", shown(number));
                rows.push(vec![
                    from,
                    to,
                    escaped(array),
                    cell(accesses.certain),
                    cell(accesses.possible),
                ]);
            }
        }
        rows
    }
}

fn shown(number: u128) -> String {
    u64::try_from(number).map_or_else(|_| number.to_string(), human)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bin(lower: Distance, upper: Distance, certain: u64) -> Bin {
        Bin {
            lower,
            upper,
            certain,
            possible: 1,
        }
    }

    #[test]
    fn ranges_hold_their_distances() {
        let range =
            |lower, upper| Range::of(&bin(Distance::Finite(lower), Distance::Finite(upper), 1));
        assert_eq!(range(0, 0), Range::Zero);
        assert_eq!(range(4, 7), Range::Power(2));
        assert_eq!(range(4, 8), Range::Open);
        assert_eq!(Range::Power(2).ends(), ["4", "7"]);
        assert_eq!(Range::Power(63).ends()[1], u64::MAX.to_string());
        assert_eq!(
            Range::of(&bin(Distance::Infinite, Distance::Infinite, 1)),
            Range::First
        );
        assert_eq!(
            Range::of(&bin(Distance::Finite(3), Distance::Infinite, 1)),
            Range::Open
        );
    }

    #[test]
    fn no_access_is_lost() {
        let arrays = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
        let one = bin(Distance::Finite(5), Distance::Finite(5), 10);
        let stacks = Stacks::new(arrays.iter().map(|array| (*array, one)));
        assert_eq!(stacks.arrays[MOST_ARRAYS], "2 more arrays");
        let all = stacks.by_range.values().flatten();
        assert_eq!(all.map(|x| x.certain + x.possible).sum::<u128>(), 99);
    }
}
