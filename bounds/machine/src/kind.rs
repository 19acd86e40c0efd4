//! The words for kinds of caches, in options and in files: `fifo`, `write-through`, `no-allocate`.

use crate::MachineError;
use premiss_cache::{
    AllocationPolicy, CacheGeometry, CacheModel, Hierarchy, MAX_WAYS_WITH_BITS, ReplacementPolicy,
    WritePolicy,
};

/// The words for what a full set does.
const REPLACEMENTS: [(&str, ReplacementPolicy); 5] = [
    ("lru", ReplacementPolicy::Lru),
    ("fifo", ReplacementPolicy::Fifo),
    ("tree-plru", ReplacementPolicy::TreePlru),
    ("nru", ReplacementPolicy::Nru),
    ("random", ReplacementPolicy::Random),
];

/// The words for what stores do.
const WRITINGS: [(&str, WritePolicy); 2] = [
    ("write-back", WritePolicy::WriteBack),
    ("write-through", WritePolicy::WriteThrough),
];

/// The words for what fills lines.
const ALLOCATIONS: [(&str, AllocationPolicy); 2] = [
    ("allocate", AllocationPolicy::WriteAllocate),
    ("no-allocate", AllocationPolicy::NoWriteAllocate),
];

/// The ways in which levels are combined, by [`Hierarchy::name`].
const HIERARCHIES: [Hierarchy; 4] = [
    Hierarchy::Independent,
    Hierarchy::Filtered,
    Hierarchy::Inclusive,
    Hierarchy::Exclusive,
];

/// The policies of a level: all but its shape.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CachePolicy {
    /// Which line of a full set is replaced.
    pub replacement: ReplacementPolicy,
    /// What a store that hits, or has filled, does.
    pub writing: WritePolicy,
    /// Which misses fill a line.
    pub allocation: AllocationPolicy,
}

impl CachePolicy {
    /// LRU, write-back, write-allocate.
    pub const USUAL: Self = Self {
        replacement: ReplacementPolicy::Lru,
        writing: WritePolicy::WriteBack,
        allocation: AllocationPolicy::WriteAllocate,
    };

    /// Reads words such as `fifo`, `write-through` and `no-allocate`, at most one of each sort; the other policies are
    /// those of [`CachePolicy::USUAL`]. `level` names the level in errors.
    ///
    /// # Errors
    ///
    /// [`MachineError::Word`] for another word, [`MachineError::TwoWords`] for two of one sort.
    pub fn parse(level: &str, words: &[&str]) -> Result<Self, MachineError> {
        let (mut replacement, mut writing, mut allocation) = (None, None, None);
        for word in words.iter().map(|word| word.trim()) {
            let is_new = if let Some(found) = find(&REPLACEMENTS, word) {
                replacement.replace(found).is_none()
            } else if let Some(found) = find(&WRITINGS, word) {
                writing.replace(found).is_none()
            } else if let Some(found) = find(&ALLOCATIONS, word) {
                allocation.replace(found).is_none()
            } else {
                return Err(MachineError::Word {
                    level: level.to_owned(),
                    word: word.to_owned(),
                    choices: all_words(),
                });
            };
            if !is_new {
                return Err(MachineError::TwoWords {
                    level: level.to_owned(),
                    word: word.to_owned(),
                });
            }
        }
        Ok(Self {
            replacement: replacement.unwrap_or(ReplacementPolicy::Lru),
            writing: writing.unwrap_or(WritePolicy::WriteBack),
            allocation: allocation.unwrap_or(AllocationPolicy::WriteAllocate),
        })
    }

    /// The policy that the keys of a file give; a missing key is as in [`CachePolicy::USUAL`].
    pub(crate) fn of_keys(
        level: &str,
        replacement: Option<&str>,
        write: Option<&str>,
        allocate: Option<bool>,
    ) -> Result<Self, MachineError> {
        let unknown = |word: &str, choices: String| MachineError::Word {
            level: level.to_owned(),
            word: word.to_owned(),
            choices,
        };
        let mut kind = Self::USUAL;
        if let Some(word) = replacement {
            let found = find(&REPLACEMENTS, word.trim());
            kind.replacement = found.ok_or_else(|| unknown(word, replacement_words()))?;
        }
        if let Some(word) = write {
            let name = format!("write-{}", word.trim().trim_start_matches("write-"));
            let choices = || "back, through".to_owned();
            kind.writing = find(&WRITINGS, &name).ok_or_else(|| unknown(word, choices()))?;
        }
        if allocate == Some(false) {
            kind.allocation = AllocationPolicy::NoWriteAllocate;
        }
        Ok(kind)
    }

    /// The words for its policies: replacement, stores, allocation.
    #[must_use]
    pub fn words(self) -> [&'static str; 3] {
        [
            word(&REPLACEMENTS, self.replacement),
            word(&WRITINGS, self.writing),
            word(&ALLOCATIONS, self.allocation),
        ]
    }

    /// The words for the policies that differ from [`CachePolicy::USUAL`].
    #[must_use]
    pub fn unusual_words(self) -> Vec<&'static str> {
        let words = self.words().into_iter().zip(Self::USUAL.words());
        let unusual = words.filter(|(word, usual)| word != usual);
        unusual.map(|(word, _)| word).collect()
    }

    /// Checks that a level of `ways` ways can have this replacement policy.
    pub(crate) fn check(self, level: &str, ways: u64) -> Result<(), MachineError> {
        if self.replacement == ReplacementPolicy::TreePlru && !ways.is_power_of_two() {
            return Err(MachineError::TreeWays {
                level: level.to_owned(),
                ways,
                near: nearest_powers(ways),
            });
        }
        let keeps_bits = matches!(
            self.replacement,
            ReplacementPolicy::TreePlru | ReplacementPolicy::Nru
        );
        if keeps_bits && MAX_WAYS_WITH_BITS < ways {
            return Err(MachineError::Range {
                what: format!("{level}: ways of a {} set", self.words()[0]),
                value: ways,
                limit: MAX_WAYS_WITH_BITS,
            });
        }
        Ok(())
    }

    pub(crate) fn model(self, geometry: CacheGeometry) -> CacheModel {
        CacheModel {
            geometry,
            replacement: self.replacement,
            writing: self.writing,
            allocation: self.allocation,
        }
    }
}

/// Reads the name of a hierarchy.
///
/// # Errors
///
/// [`MachineError::Hierarchy`] for any other word.
pub(crate) fn parse_hierarchy(text: &str) -> Result<Hierarchy, MachineError> {
    let mut choices = HIERARCHIES.into_iter();
    let found = choices.find(|hierarchy| hierarchy.name() == text.trim());
    found.ok_or_else(|| MachineError::Hierarchy {
        word: text.to_owned(),
        choices: HIERARCHIES.map(Hierarchy::name).join(", "),
    })
}

fn find<T: Copy>(words: &[(&str, T)], text: &str) -> Option<T> {
    let found = words
        .iter()
        .find(|(word, _)| word.eq_ignore_ascii_case(text));
    found.map(|(_, meaning)| *meaning)
}

fn word<T: Copy + PartialEq>(words: &[(&'static str, T)], meaning: T) -> &'static str {
    let found = words.iter().find(|(_, choices)| *choices == meaning);
    found.map_or("", |(word, _)| word)
}

/// The words for what a full set does, as a list.
pub(crate) fn replacement_words() -> String {
    REPLACEMENTS.map(|(word, _)| word).join(", ")
}

fn all_words() -> String {
    let replacements = REPLACEMENTS.iter().map(|(word, _)| *word);
    let writings = WRITINGS.iter().map(|(word, _)| *word);
    let allocations = ALLOCATIONS.iter().map(|(word, _)| *word);
    let all: Vec<_> = replacements.chain(writings).chain(allocations).collect();
    all.join(", ")
}

/// The powers of two around a number that is none.
fn nearest_powers(number: u64) -> String {
    let above = number.checked_next_power_of_two();
    let below = 1_u64 << number.checked_ilog2().unwrap_or(0);
    above.map_or(below.to_string(), |above| format!("{below} or {above}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_has_a_word() {
        assert_eq!(
            REPLACEMENTS.map(|(_, policy)| policy),
            ReplacementPolicy::ALL
        );
    }

    #[test]
    fn words_are_read_and_written() {
        let kind = CachePolicy::parse("L1", &["no-allocate", "FIFO"]).unwrap();
        assert_eq!(kind.words(), ["fifo", "write-back", "no-allocate"]);
        assert_eq!(kind.unusual_words(), ["fifo", "no-allocate"]);
        assert_eq!(CachePolicy::parse("L1", &[]), Ok(CachePolicy::USUAL));
        let message = |words: &[&str]| CachePolicy::parse("L1", words).unwrap_err().to_string();
        assert!(message(&["mru"]).contains("tree-plru"));
        assert!(message(&["lru", "fifo"]).contains("fifo"));
    }

    #[test]
    fn trees_need_powers_of_two() {
        let kind = CachePolicy::parse("L1", &["tree-plru"]).unwrap();
        assert_eq!(kind.check("L1", 8), Ok(()));
        let message = kind.check("L1", 12).unwrap_err().to_string();
        assert!(message.contains("8 or 16"), "{message}");
        assert!(kind.check("L1", 1 << 20).is_err());
    }
}
