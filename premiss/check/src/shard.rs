//! The distribution of the files of a check over several runs.

use std::cmp::Reverse;
use std::collections::BTreeSet;

/// One of several runs that share the files of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Its number, from 1 to `total`.
    pub number: u32,
    /// The number of shards.
    pub total: u32,
}

impl Shard {
    /// Parses a shard such as `1/3`.
    ///
    /// # Errors
    ///
    /// A message with the expected form.
    pub fn parse(text: &str) -> Result<Self, String> {
        let form = "it has the form I/N: 1/3, 2/3 and 3/3 are the shards of three jobs";
        let parsed = text.split_once('/').and_then(|(number, of)| {
            let whole = |text: &str| text.trim().parse::<u32>().ok();
            Some((whole(number)?, whole(of)?))
        });
        match parsed {
            None => Err(form.to_owned()),
            Some((_, 0)) => Err(format!("there is no shard of none; {form}")),
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, total: of }),
            Some((_, of)) => Err(format!("shards count from 1 to {of}, as in 1/{of}")),
        }
    }

    /// The indices of this shard's files in a list of all files, given by path and bytes.
    ///
    /// Each file goes to the shard that has the fewest bytes so far, large files first. Bytes count rounded up to a
    /// power of two, and ties are broken by paths: an edit seldom moves a file to another shard, so that the caches of
    /// the jobs stay useful.
    #[must_use]
    pub fn files(self, files: &[(String, usize)]) -> BTreeSet<usize> {
        let weight = |idx: usize| files[idx].1.max(1).checked_next_power_of_two();
        let weight = |idx: usize| weight(idx).unwrap_or(usize::MAX) as u128;
        let mut order: Vec<usize> = (0..files.len()).collect();
        order.sort_by_key(|&idx| (Reverse(weight(idx)), &files[idx].0, idx));
        // Shards beyond the number of files are empty.
        let mut loads = vec![0_u128; files.len().min(self.total as usize)];
        let mut part = BTreeSet::new();
        for idx in order {
            let least = (0..loads.len()).min_by_key(|shard| loads[*shard]);
            let least = least.unwrap_or(0);
            loads[least] += weight(idx);
            if least + 1 == self.number as usize {
                part.insert(idx);
            }
        }
        part
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(sizes: &[usize]) -> Vec<(String, usize)> {
        let named = sizes.iter().enumerate();
        named
            .map(|(idx, size)| (format!("{idx}.c"), *size))
            .collect()
    }

    fn parts(files: &[(String, usize)], of: u32) -> Vec<BTreeSet<usize>> {
        let shards = (1..=of).map(|number| Shard { number, total: of });
        shards.map(|shard| shard.files(files)).collect()
    }

    #[test]
    fn each_file_is_in_one_shard() {
        let files = files(&[5, 900, 31, 0, 7, 7, 4000, 12, 900]);
        for of in 1..=12 {
            let parts = parts(&files, of);
            let mut all: Vec<usize> = parts.iter().flatten().copied().collect();
            all.sort_unstable();
            assert_eq!(all, (0..files.len()).collect::<Vec<_>>(), "{of}");
            assert_eq!(
                parts.iter().filter(|x| x.is_empty()).count(),
                (of as usize).saturating_sub(9)
            );
        }
    }

    #[test]
    fn shards_have_about_as_many_bytes_and_small_edits_move_nothing() {
        let sizes = [1000, 900, 800, 510, 500, 260, 255, 250, 130, 100];
        let before = parts(&files(&sizes), 3);
        let bytes = |part: &BTreeSet<usize>| part.iter().map(|idx| sizes[*idx]).sum::<usize>();
        assert!(
            before
                .iter()
                .all(|part| (1100..2000).contains(&bytes(part))),
            "{before:?}"
        );
        let edited = sizes.map(|size| size + 1);
        assert_eq!(before, parts(&files(&edited), 3));
        assert!(parts(&[], 2).iter().all(BTreeSet::is_empty));
    }

    #[test]
    fn what_is_no_shard_says_what_is_one() {
        assert_eq!(
            Shard::parse("2/3"),
            Ok(Shard {
                number: 2,
                total: 3
            })
        );
        for wrong in ["0/3", "4/3", "a/b", "1/0", "3", "", "1/2/3", "-1/3", "1/"] {
            let why = Shard::parse(wrong).expect_err(wrong);
            assert!(why.contains("1/"), "{wrong}: {why}");
        }
    }
}
