//! Counts in the profile format of Callgrind (version 1), for KCachegrind and `callgrind_annotate`.
//!
//! Each analysed function is counted by itself, from cold caches; calls are not arcs: the costs of called functions
//! belong to the analysed one, at the lines where they are written. Costs are integers: bounded counts enter with their
//! lower bound, and unknown counts with 0, which `desc:` lines say.

use premiss_analyze::{Analysis, FunctionAnalysis};
use premiss_histogram::Counted;
use premiss_source::SourceMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Costs of lines, by file and number.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
struct Lines(
    #[serde(with = "pairs")]
    #[schemars(with = "Vec<((String, u32), Vec<u64>)>")]
    BTreeMap<(String, u32), Vec<u64>>,
);

/// Costs by place, of one program or several.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct CallgrindProfile {
    /// Accesses, then misses by level, of lines of files by the function that is entered: its file and name.
    #[serde(with = "pairs")]
    #[schemars(with = "Vec<((String, String), Lines)>")]
    costs: BTreeMap<(String, String), Lines>,
    /// Functions of which some cost is a lower bound.
    bounded: BTreeSet<String>,
    /// Functions of which some cost is an estimate.
    estimated: BTreeSet<String>,
    /// Functions of which some cost is unknown.
    unknown: BTreeSet<String>,
}

impl CallgrindProfile {
    /// Adds the counts of all functions of an analysis.
    pub fn add(&mut self, sources: &SourceMap, analysis: &Analysis) {
        for function in &analysis.functions {
            self.function(sources, function);
        }
    }

    /// Merges another profile. A function in a header counts once, however many files include it.
    pub fn merge(&mut self, other: Self) {
        for (function, costs) in other.costs {
            self.costs.entry(function).or_insert(costs);
        }
        self.bounded.extend(other.bounded);
        self.estimated.extend(other.estimated);
        self.unknown.extend(other.unknown);
    }

    /// The profile with lines renumbered: `place` maps a path and a line to the new line. `None` if it does not know
    /// some line.
    #[must_use]
    pub fn with_lines_mapped(mut self, place: &dyn Fn(&str, u32) -> Option<u32>) -> Option<Self> {
        for Lines(lines) in self.costs.values_mut() {
            let moved = std::mem::take(lines)
                .into_iter()
                .map(|((path, line), costs)| {
                    let line = place(&path, line)?;
                    Some(((path, line), costs))
                });
            *lines = moved.collect::<Option<_>>()?;
        }
        Some(self)
    }

    fn function(&mut self, sources: &SourceMap, function: &FunctionAnalysis) {
        let tree = &function.tree;
        let path = |file| sources.file(file).path().to_owned();
        let key = (path(tree.span.file), tree.function.clone());
        // A function in a header counts once, however many files include it.
        if self.costs.contains_key(&key) {
            return;
        }
        if function.failure.is_some() {
            self.unknown.insert(tree.function.clone());
        }
        for row in &function.references {
            let span = tree.references[row.id].span;
            let place = (path(span.file), sources.start(span).line);
            let counts = std::iter::once(row.accesses).chain(row.misses.iter().copied());
            let counts: Vec<u64> = counts
                .map(|count| self.cost(&tree.function, count))
                .collect();
            let lines = self.costs.entry(key.clone()).or_default();
            let line = lines
                .0
                .entry(place)
                .or_insert_with(|| vec![0; counts.len()]);
            for (sum, count) in line.iter_mut().zip(counts) {
                *sum = sum.saturating_add(count);
            }
        }
    }

    /// A count as an integer.
    fn cost(&mut self, function: &str, count: Counted) -> u64 {
        let told = match count {
            Counted::Exact(value) => return value,
            Counted::Bounded { .. } => &mut self.bounded,
            Counted::Estimate(_) => &mut self.estimated,
            Counted::Unknown => &mut self.unknown,
        };
        told.insert(function.to_owned());
        match count {
            Counted::Bounded { lower, .. } => lower,
            // Whole events, never negative.
            Counted::Estimate(estimate) => format!("{:.0}", estimate.value.max(0.0))
                .parse()
                .unwrap_or(u64::MAX),
            Counted::Exact(_) | Counted::Unknown => 0,
        }
    }

    /// The profile as text. `machine` is the machine's name with its fingerprint, `levels` are the names of its levels
    /// in the order of [`Analysis`] levels; `path_of` gives the path under which a file is shown.
    #[must_use]
    pub fn text(
        &self,
        machine_id: &str,
        levels: &[String],
        path_of: &dyn Fn(&str) -> String,
    ) -> String {
        let events: Vec<String> = levels.iter().map(|name| event(name)).collect();
        let mut text = format!(
            "# callgrind format\nversion: 1\ncreator: premiss {}\ncmd: premiss, on {}\npositions: line\n",
            env!("CARGO_PKG_VERSION"),
            machine_id
        );
        let kinds = [
            ("lower bounds", &self.bounded),
            ("estimates", &self.estimated),
            ("nothing known", &self.unknown),
        ];
        for (what, functions) in kinds {
            if !functions.is_empty() {
                let functions: Vec<&str> = functions.iter().map(String::as_str).collect();
                let _ = writeln!(text, "desc: Note: {what} in {}", functions.join(", "));
            }
        }
        let _ = writeln!(text, "event: Accesses : accesses to array elements");
        for (event, level) in events.iter().zip(levels) {
            let _ = writeln!(text, "event: {event} : misses of {level}");
        }
        let _ = writeln!(text, "events: Accesses {}", events.join(" "));
        let _ = writeln!(text, "summary: {}", joined(&self.sum(events.len() + 1)));
        for ((file, function), lines) in &self.costs {
            function_costs((file, function), lines, path_of, &mut text);
        }
        text
    }

    fn sum(&self, events: usize) -> Vec<u64> {
        let mut sum = vec![0_u64; events];
        for costs in self.costs.values().flat_map(|lines| lines.0.values()) {
            for (sum, cost) in sum.iter_mut().zip(costs) {
                *sum = sum.saturating_add(*cost);
            }
        }
        sum
    }
}

/// The lines of a function; those of other files follow the names of these files.
fn function_costs(
    (file, function): (&str, &str),
    lines: &Lines,
    path_of: &dyn Fn(&str) -> String,
    text: &mut String,
) {
    let _ = writeln!(text, "\nfl={}\nfn={function}", path_of(file));
    let (own, others): (Vec<_>, Vec<_>) = lines.0.iter().partition(|((path, _), _)| path == file);
    let mut current = file;
    for ((path, line), costs) in own.into_iter().chain(others) {
        if path != current {
            let _ = writeln!(text, "fi={}", path_of(path));
            current = path;
        }
        let _ = writeln!(text, "{line} {}", joined(costs));
    }
}

fn joined(costs: &[u64]) -> String {
    let costs: Vec<String> = costs.iter().map(u64::to_string).collect();
    costs.join(" ")
}

/// The event name for the misses of a level: `L1Misses`. Events have only letters and digits.
fn event(level: &str) -> String {
    let letters = level.chars().filter(char::is_ascii_alphanumeric);
    let name: String = letters.collect();
    match name.starts_with(|x: char| x.is_ascii_alphabetic()) {
        true => format!("{name}Misses"),
        false => format!("Level{name}Misses"),
    }
}

/// A map as a list of pairs, because JSON only has text as keys.
mod pairs {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::collections::BTreeMap;

    pub(super) fn serialize<K: Serialize, V: Serialize, S: Serializer>(
        map: &BTreeMap<K, V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub(super) fn deserialize<'de, K, V, D>(deserializer: D) -> Result<BTreeMap<K, V>, D::Error>
    where
        K: Deserialize<'de> + Ord,
        V: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        let pairs = Vec::<(K, V)>::deserialize(deserializer)?;
        Ok(pairs.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::event;

    #[test]
    fn names_of_events_have_letters_and_digits_alone() {
        assert_eq!(event("L1"), "L1Misses");
        assert_eq!(event("d-TLB_2"), "dTLB2Misses");
        assert_eq!(event("4k"), "Level4kMisses");
    }
}
