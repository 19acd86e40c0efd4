//! Points at which formulas are compared: the same ones in every run.

/// Which sizes are drawn for what takes its time.
#[derive(Clone, Copy)]
pub(crate) enum Sizes {
    Any,
    UpTo(i64),
}

/// Draws sizes.
pub(crate) struct Points {
    state: u64,
    n_sizes: usize,
    quick: Sizes,
}

impl Points {
    pub(crate) fn new(seed: &str, n_sizes: usize, quick: Sizes) -> Self {
        let fold = |state: u64, byte: u8| (state ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        Self {
            state: seed.bytes().fold(0xcbf2_9ce4_8422_2325, fold),
            n_sizes,
            quick,
        }
    }

    /// Sizes: small ones, multiples of eight and others, large ones, such as overflow, negative ones.
    pub(crate) fn draw(&mut self) -> Vec<i64> {
        let most = match self.quick {
            Sizes::Any => 3000,
            Sizes::UpTo(most) => most,
        };
        let kind = self.below(20);
        let mut sizes = Vec::new();
        for _ in 0..self.n_sizes {
            sizes.push(match kind {
                0..4 => self.below(9),
                4..12 => 8 * self.below(most / 8),
                12..16 => self.below(most),
                16 => 8 * self.below(1_000_000),
                17 => self.below(1 << 40),
                18 => i64::MAX - self.below(100),
                _ => self.below(40) - 20,
            });
        }
        sizes
    }

    /// Lines that a cache holds.
    pub(crate) fn capacity(&mut self) -> i64 {
        match self.below(4) {
            0 => self.below(8),
            1 => self.below(100),
            2 => self.below(100_000) - 10,
            _ => self.below(2000),
        }
    }

    /// Whether what goes through loop variables is asked for at these sizes.
    pub(crate) fn is_quick(&self, sizes: &[i64]) -> bool {
        match self.quick {
            Sizes::Any => true,
            Sizes::UpTo(most) => sizes.iter().all(|size| *size <= most),
        }
    }

    fn below(&mut self, end: i64) -> i64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        let end = u64::try_from(end.max(1)).expect("it is positive");
        i64::try_from((self.state >> 1) % end).expect("less than a number of 63 bits")
    }
}
