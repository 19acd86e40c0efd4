//! Bounds on the intermediate results of an expression.

/// For inputs of at most `L`, where `L` is at least 1, a number and all its intermediate results are at most `factor ·
/// L^degree`: `n * (n - 1) + 3` is at most `5 · L^2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Growth {
    factor: u128,
    degree: u32,
}

impl Growth {
    /// A number up to 1.
    pub(super) const ONE: Self = Self {
        factor: 1,
        degree: 0,
    };

    /// An input.
    pub(super) const INPUT: Self = Self {
        factor: 1,
        degree: 1,
    };

    /// A constant.
    pub(super) fn constant(value: u128) -> Self {
        Self {
            factor: value.max(1),
            degree: 0,
        }
    }

    /// The bound of a sum.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            factor: self.factor.saturating_add(other.factor),
            degree: self.degree.max(other.degree),
        }
    }

    /// The bound of a product.
    pub(super) fn times(self, other: Self) -> Self {
        Self {
            factor: self.factor.saturating_mul(other.factor),
            degree: self.degree.saturating_add(other.degree),
        }
    }

    /// The largest inputs for which everything is less than `2^bits`, at most `2^62`; 0 if there are none.
    pub(super) fn limit(self, bits: u32) -> u64 {
        let fits = |input: u64| {
            let power = u128::from(input).checked_pow(self.degree);
            let most = power.and_then(|power| power.checked_mul(self.factor));
            most.is_some_and(|most| most < 1 << bits)
        };
        let (mut low, mut high) = (0, 1 << 62);
        if fits(high) {
            return high;
        }
        // `low` fits, or nothing does; `high` does not.
        while 1 < high - low {
            let middle = low + (high - low) / 2;
            match fits(middle) {
                true => low = middle,
                false => high = middle,
            }
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use super::Growth;

    #[test]
    fn limits_are_the_largest_that_fit() {
        let square = Growth::INPUT.times(Growth::INPUT);
        assert_eq!(square.limit(62), (1 << 31) - 1);
        let more = square.plus(Growth::constant(3));
        assert_eq!(more.limit(10), 15);
        assert_eq!(Growth::constant(7).limit(62), 1 << 62);
        assert_eq!(Growth::constant(1 << 70).limit(62), 0);
    }
}
