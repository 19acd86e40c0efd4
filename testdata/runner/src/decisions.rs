//! The decisions of what is random, from a number.

const INCREMENT: u64 = 0x9E37_79B9_7F4A_7C15;

fn mixed(state: u64) -> u64 {
    let x = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// A stream of numbers that a seed decides (Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators*,
/// 2014).
///
/// Each program is without about half of what programs may contain, or else hardly any would be without what makes its
/// numbers unknown (Groce and others, *Swarm Testing*, 2012).
pub(crate) struct Decisions {
    seed: u64,
    state: u64,
}

impl Decisions {
    /// Those of a number.
    pub(crate) fn of(seed: u64) -> Self {
        Self {
            seed,
            state: seed.wrapping_mul(INCREMENT),
        }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(INCREMENT);
        mixed(self.state)
    }

    /// One of the first `n` numbers, for alternatives of which this program is without some. It always has the last.
    pub(crate) fn choose(&mut self, what: &str, n: usize) -> usize {
        let of_what = what.bytes().fold(self.seed, |hash, byte| {
            mixed(hash.wrapping_add(INCREMENT).wrapping_add(u64::from(byte)))
        });
        let switches = mixed(of_what);
        let is_on = |alternative: &usize| switches >> (alternative % 64) & 1 == 1;
        let on: Vec<usize> = (0..n - 1).filter(is_on).chain([n - 1]).collect();
        on[self.below(on.len())]
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        let limit = limit.max(1) as u64;
        usize::try_from(self.next() % limit).expect("it is below a limit")
    }

    /// A number from `least` to `greatest`.
    pub(crate) fn within(&mut self, least: i64, greatest: i64) -> i64 {
        let count = usize::try_from(greatest - least + 1).expect("a range that is not empty");
        least + i64::try_from(self.below(count)).expect("it is below a limit")
    }

    /// One of these.
    pub(crate) fn one_of<'t>(&mut self, options: &[&'t str]) -> &'t str {
        options[self.below(options.len())]
    }

    /// One of these texts.
    pub(crate) fn one_name(&mut self, names: &[String]) -> String {
        names[self.below(names.len())].clone()
    }

    /// True once in `n` times.
    pub(crate) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}
