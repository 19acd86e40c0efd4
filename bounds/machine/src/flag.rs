//! Levels as options give them: `L1=32KiB,8,64`, `L1=32KiB,8,64,fifo,write-through`, `dTLB=64,4,4096`.

use crate::quantity::{parse_bytes, parse_number};
use crate::{CacheLevel, CachePolicy, MachineError, TlbLevel, Ways};

impl CacheLevel {
    /// Reads `NAME=SIZE,WAYS,LINE`, sizes in bytes, such as `L1=32KiB,8,64` or `L2=1M,full,64`, and words after it
    /// ([`CachePolicy::parse`]), such as `,fifo,write-through,no-allocate`.
    ///
    /// # Errors
    ///
    /// [`MachineError::Form`] for text of another form, [`MachineError::Quantity`] for a number that cannot be read;
    /// otherwise those of [`CacheLevel::new`], [`CachePolicy::parse`] and [`CacheLevel::of_kind`].
    pub fn parse(text: &str) -> Result<Self, MachineError> {
        let form = ("NAME=SIZE,WAYS,LINE[,KIND...]", "L1=32KiB,8,64");
        let ([name, size, ways, line], words) = parts(text, form)?;
        let (size, line) = (parse_bytes(size)?, parse_bytes(line)?);
        let level = Self::new(name, size, Ways::parse(ways)?, line)?;
        level.of_kind(CachePolicy::parse(name, &words)?)
    }
}

impl TlbLevel {
    /// Reads `NAME=ENTRIES,WAYS,PAGE`, such as `dTLB=64,4,4KiB` or `dTLB=64,full,4096`, and perhaps its replacement
    /// policy, such as `,fifo`.
    ///
    /// # Errors
    ///
    /// As for [`CacheLevel::parse`].
    pub fn parse(text: &str) -> Result<Self, MachineError> {
        let form = ("NAME=ENTRIES,WAYS,PAGE[,KIND]", "dTLB=64,4,4096");
        let ([name, entries, ways, page], words) = parts(text, form)?;
        let entries = parse_number(entries, "number of entries")?;
        let level = Self::new(name, entries, Ways::parse(ways)?, parse_bytes(page)?)?;
        level.of_kind(CachePolicy::parse(name, &words)?)
    }
}

impl Ways {
    /// Reads a number or `full`.
    ///
    /// # Errors
    ///
    /// [`MachineError::Quantity`] for any other text.
    pub fn parse(text: &str) -> Result<Self, MachineError> {
        if text.trim().eq_ignore_ascii_case("full") {
            return Ok(Self::Full);
        }
        parse_number(text, "number of ways, nor `full`").map(Self::Number)
    }
}

/// Name and shape, and the words behind them.
type Parts<'a> = ([&'a str; 4], Vec<&'a str>);

fn parts<'a>(
    text: &'a str,
    (form, example): (&'static str, &'static str),
) -> Result<Parts<'a>, MachineError> {
    let split = || {
        let (name, rest) = text.split_once('=')?;
        let mut parts = rest.split(',');
        let shape = [name.trim(), parts.next()?, parts.next()?, parts.next()?];
        Some((shape, parts.collect()))
    };
    split().ok_or_else(|| MachineError::Form {
        text: text.to_owned(),
        form,
        example,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_cache::CacheGeometry;

    fn check(text: &str, (sets, ways, line_size): (u64, u64, u64)) {
        let expected = CacheGeometry {
            line_size,
            sets,
            ways,
        };
        let level = CacheLevel::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(level.geometry(), expected, "{text}");
    }

    #[test]
    fn caches_of_any_shape() {
        check("L1=32KiB,8,64", (64, 8, 64));
        check("L1=4096,1,64", (64, 1, 64));
        check("L1=4K,full,64", (1, 64, 64));
        check("L3=105MiB,15,64", (114_688, 15, 64));
        check("L3=260M,20,64", (212_992, 20, 64));
        check("X=24,full,8", (1, 3, 8));
        check("odd=105,5,7", (3, 5, 7));
    }

    #[test]
    fn tlbs_count_entries() {
        let geometry = |text| TlbLevel::parse(text).unwrap().geometry();
        assert_eq!(geometry("t=64,4,4096").sets, 16);
        assert_eq!(geometry("t=64,full,4K").ways, 64);
    }

    #[test]
    fn words_make_other_kinds() {
        let level = CacheLevel::parse("L1=32K,8,64, fifo,write-through,no-allocate").unwrap();
        let shown = "L1 32 KiB 8-way, 64 B lines, fifo, write-through, no-allocate";
        assert_eq!(level.to_string(), shown);
        let plain = CacheLevel::parse("L1=32K,8,64,lru,write-back,allocate").unwrap();
        assert_eq!(plain, CacheLevel::parse("L1=32K,8,64").unwrap());
        let tlb = TlbLevel::parse("t=64,4,4096,nru").unwrap();
        assert_eq!(tlb.to_string(), "t 64 entries 4-way, 4 KiB pages, nru");
        let message = |text| CacheLevel::parse(text).unwrap_err().to_string();
        assert!(message("L1=48K,12,64,tree-plru").contains("8 or 16"));
        assert!(message("L1=32K,8,64,mru").contains("`mru`"));
        assert!(message("L1=32K,8,64,fifo,lru").contains("`lru`"));
        let message = TlbLevel::parse("t=64,4,4096,write-through").unwrap_err();
        assert!(message.to_string().contains("not stored to"), "{message}");
    }

    #[test]
    fn what_cannot_be_is_refused_with_the_numbers() {
        let message = |text| CacheLevel::parse(text).unwrap_err().to_string();
        assert_eq!(
            message("L1=33K,7,64"),
            "L1: 33 KiB cannot be divided into sets of 448 B (7 ways × 64 B); \
             nearest that can: 33600 B, 34048 B"
        );
    }

    #[test]
    fn malformed_levels_are_refused() {
        for text in [
            "",
            "L1",
            "L1=32K",
            "L1=32K,8",
            "L1=32K,8,64,1",
            "=32K,8,64",
            "L1=0,8,64",
            "L1=32K,0,64",
            "L1=32K,8,0",
            "L1=32K,8,48",
            "L1=100,full,64",
            "L1=32K,99999999999999999999,64",
            "L1=32K,17179869184,64",
            "L1=99999T,8,64",
            "L 1=32K,8,64",
            "L1=32K,half,64",
        ] {
            let error = CacheLevel::parse(text).expect_err(text).to_string();
            assert!(!error.is_empty() && !error.ends_with('.'), "{error}");
        }
        assert!(TlbLevel::parse("t=64,5,4096").is_err());
    }
}
