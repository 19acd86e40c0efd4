//! The least time as formulas: the picoseconds that each resource of a machine needs, and their maximum.
//!
//! [`premiss_time`] gives the time that a resource needs for each unit of work, in whole numbers; this module has the
//! amounts of work: operations from closed forms of how often places are executed, bytes from closed forms of reuse.
//! Each resource's time is rounded down, nothing else is. A resource without a time is a quantity with the reason in
//! place of its value.
//!
//! The bytes read by a level that is LRU, fully associative and sees all accesses are those of its misses. Any other
//! level of `h` lines reads at least all first accesses, and half the misses of a fully associative LRU cache of `2h`
//! lines: whatever a cache replaces, it misses no less than the optimal policy with `h` lines, and LRU with `k` lines
//! misses at most `k / (k - h + 1)` times as often as that (Sleator and Tarjan 1985, Theorem 6; both start empty, so
//! there is no additive term). For a level that does not see all accesses, the lines of the levels above it are added
//! to `h`.
//!
//! ```text
//! k = 2h:   misses >= LRU(2h) · (h + 1) / 2h >= LRU(2h) / 2
//! ```

use super::quantity::{CodeQuantity, CodeValue, Combination, QuantityTerm, of_bounds, quantity};
use crate::work::bounds;
use premiss_arithmetic::gcd;
use premiss_cache::{AllocationPolicy, CacheModel, Hierarchy};
use premiss_machine::{CacheChain, CacheLevel, Core, Machine, chains};
use premiss_operations::{Places, Quantity, Scope};
use premiss_time::{Amount, Linear, Picoseconds, Unit, divisions, passing, roots, simple, units};
use premiss_tree::NestTree;
use std::collections::BTreeMap;

/// The inputs of the times of a function.
pub(super) struct Timed<'a> {
    pub(super) tree: &'a NestTree,
    pub(super) places: &'a Result<Places, String>,
    pub(super) machine: &'a Machine,
    pub(super) hierarchy: Hierarchy,
    /// The bytes of the lines for which misses are derived.
    pub(super) line_size: u64,
    /// The index of the quantity of first accesses to lines.
    pub(super) cold: usize,
    /// The index of the quantity of misses at any capacity.
    pub(super) misses: usize,
}

/// The indices of quantities by unit of work and bytes of the operands, where they have a value.
type UnitQuantities = BTreeMap<(Unit, u64), usize>;

/// A resource's time: its name, its meaning, and its value.
type TimePart = (String, String, Result<Combination, String>);

impl Timed<'_> {
    /// Adds the amounts of work, the time of each resource, and the least time.
    pub(super) fn add_to(&self, quantities: &mut Vec<CodeQuantity>) {
        let Some(core) = self.machine.core() else {
            let why = self.says_nothing("how fast its core is");
            let meaning = "picoseconds that it takes at least";
            return quantities.push(quantity("least_picoseconds", meaning, Err(why)));
        };
        let start = quantities.len();
        let mut parts = match self.work(quantities) {
            Ok((work, uncounted)) => {
                let rest = uncounted.map(|why| not_known("uncounted", why));
                self.arithmetic(core, &work)
                    .into_iter()
                    .chain(rest)
                    .collect()
            }
            Err(why) => vec![not_known("arithmetic", why)],
        };
        let known = |index: usize| quantities[index].value.as_ref().err().cloned();
        let reuse = [known(self.cold), known(self.misses)];
        let caches = self.machine.caches().iter().enumerate();
        parts.extend(caches.map(|(idx, cache)| self.level(idx, cache, &reuse)));
        for (name, meaning, value) in parts {
            let meaning = format!("picoseconds at least for {meaning}");
            let value = value.map(CodeValue::Combined);
            quantities.push(quantity(&format!("picoseconds_{name}"), &meaning, value));
        }
        quantities.push(self.least(quantities, start));
    }

    /// The maximum over all resources.
    fn least(&self, quantities: &[CodeQuantity], start: usize) -> CodeQuantity {
        let parts = quantities.iter().enumerate().skip(start);
        let parts = parts.filter(|(_, x)| x.name.starts_with("picoseconds_"));
        let (known, others): (Vec<_>, Vec<_>) = parts.partition(|(_, x)| x.value.is_ok());
        let names = |parts: &[(usize, &CodeQuantity)]| {
            let names = parts.iter().map(|(_, x)| x.name.as_str());
            names.collect::<Vec<_>>().join(", ")
        };
        let machine = self.machine.id();
        let mut meaning = format!("picoseconds that it takes at least on {machine}");
        if !known.is_empty() {
            meaning.push_str(&format!(": the greatest of {}", names(&known)));
        }
        if !others.is_empty() {
            meaning.push_str(&format!("; left out: {}", names(&others)));
        }
        let of_one = |(index, _): &(usize, &CodeQuantity)| vec![term((1, (*index, None)))];
        let value = match known.is_empty() {
            true => Err(format!(
                "nothing that it does has a known time on {machine}"
            )),
            false => Ok(CodeValue::Combined(Combination {
                sum: vec![known.iter().map(of_one).collect()],
                denominator: 1,
            })),
        };
        quantity("least_picoseconds", &meaning, value)
    }

    /// Adds the least amount of each unit of work; returns why some of it is not counted, if so.
    fn work(
        &self,
        quantities: &mut Vec<CodeQuantity>,
    ) -> Result<(UnitQuantities, Option<String>), String> {
        let places = self.places.as_ref().map_err(Clone::clone)?;
        let mut uncounted = None;
        let mut shares: BTreeMap<(Unit, u64), Vec<(Quantity, u64)>> = BTreeMap::new();
        for counted in places.quantities(self.tree, Scope::Function) {
            let Some((bytes, units)) = units(&counted) else {
                continue;
            };
            // Work that is executed an unknown number of times counts as nothing, as in all lower bounds.
            let form = places.form(self.tree, Scope::Function, |x| *x == counted);
            if let Err(why) = bounds(self.tree, places, form) {
                uncounted = Some(why);
                continue;
            }
            for (unit, each) in units {
                let shares = shares.entry((*unit, bytes)).or_default();
                shares.push((counted.clone(), *each));
            }
        }
        let mut found = UnitQuantities::new();
        for ((unit, bytes), shares) in shares {
            let each = |x: &Quantity| {
                let share = shares.iter().find(|(counted, _)| counted == x);
                share.map_or(0, |(_, each)| *each)
            };
            let form = places.weighed(self.tree, Scope::Function, each);
            let value = of_bounds(places, bounds(self.tree, places, form)?)?;
            let (name, meaning) = words(unit);
            let name = format!("{name}_f{}", 8 * bytes);
            let meaning = format!("{meaning} of numbers of {bytes} bytes");
            found.insert((unit, bytes), quantities.len());
            quantities.push(quantity(&name, &meaning, Ok(value)));
        }
        Ok((found, uncounted))
    }

    /// The times of arithmetic: sums and products, divisions, and square roots, as far as there are any.
    fn arithmetic(&self, core: &Core, work: &UnitQuantities) -> Vec<TimePart> {
        let clock = core.frequency;
        let vector = |bytes: &u64| format!("{} of {bytes} bytes", core.lanes(*bytes));
        let part = |unit: Unit, name: &str, rate: Option<String>, of: PartOf| -> Option<TimePart> {
            let all = work.keys().filter(|(x, _)| *x == unit);
            let precisions: Vec<u64> = all.map(|(_, bytes)| *bytes).collect();
            if precisions.is_empty() {
                return None;
            }
            let figure = rate.clone().unwrap_or_default();
            let lanes: Vec<String> = precisions.iter().map(vector).collect();
            let meaning = format!(
                "{}: {figure} in a cycle of {clock}, {} in a vector",
                words(unit).1,
                lanes.join(", ")
            );
            let value = match rate {
                None => Err(self.says_nothing(&format!("how fast {} are", words(unit).1))),
                Some(_) => self.combined(of(core, &precisions), work),
            };
            Some((name.to_owned(), meaning, value))
        };
        // A core without the speed of sums and products has no bound on arithmetic at all.
        let floating = core.floating;
        let of_rate = |rate: Option<premiss_machine::Rate>| {
            let rate = rate.filter(|_| floating.is_some());
            rate.map(|rate| format!("{rate} numbers in double precision"))
        };
        let vectors = floating.map(|rate| format!("{rate} vectors, {} of them fused,", core.fused));
        let parts = [
            part(Unit::Simple, "arithmetic", vectors, simple),
            part(Unit::Division, "divisions", of_rate(core.divide), divisions),
            part(Unit::Root, "roots", of_rate(core.square_root), roots),
        ];
        parts.into_iter().flatten().collect()
    }

    /// A time in terms of units of work; an uncounted fused pair counts as none.
    fn combined(
        &self,
        time: Option<Picoseconds>,
        work: &UnitQuantities,
    ) -> Result<Combination, String> {
        let time = time.ok_or_else(does_not_fit)?;
        let terms = |linear: &Linear| {
            let known = linear.iter().filter_map(|(factor, amount)| match amount {
                Amount::Work(bytes, unit) => Some((*factor, (*work.get(&(*unit, *bytes))?, None))),
                Amount::Bytes => None,
            });
            known.map(term).collect()
        };
        let lists = time.sum.iter();
        Ok(Combination {
            sum: lists.map(|list| list.iter().map(terms).collect()).collect(),
            denominator: time.denominator,
        })
    }

    /// The time to transfer the lines that a cache reads from the level below.
    fn level(&self, idx: usize, cache: &CacheLevel, reuse: &[Option<String>; 2]) -> TimePart {
        let machine = self.machine;
        let (source, way, name) = match machine.caches().get(idx + 1) {
            Some(below) => {
                let name = below.name().to_owned();
                let way = below.transfer().bandwidth.map(|way| way.to_string());
                (name.clone(), way, format!("from_{name}"))
            }
            None => {
                let memory = machine.memory();
                let all = memory.bandwidth.map(|way| way.to_string());
                let one = memory
                    .core_bandwidth
                    .map(|way| format!("{way} for one core"));
                let way = all
                    .into_iter()
                    .chain(one)
                    .reduce(|a, b| format!("{a}, {b}"));
                ("memory".to_owned(), way, "memory".to_owned())
            }
        };
        let bytes = self.bytes(idx, cache, reuse);
        let what = bytes.as_ref().map_or("lines", |(_, what)| *what);
        let figure = way
            .as_ref()
            .map(|way| format!(" at {way}"))
            .unwrap_or_default();
        let meaning = format!("what {} reads from {source}{figure}: {what}", cache.name());
        let value = match (way, bytes) {
            (None, _) => Err(self.says_nothing(&format!("the bandwidth of {source}"))),
            (_, Err(why)) => Err(why),
            (Some(_), Ok((bytes, _))) => passing(machine, idx)
                .and_then(|time| of_bytes(&time, &bytes))
                .ok_or_else(does_not_fit),
        };
        (name, meaning, value)
    }

    /// The least bytes that a cache reads, as half the maximum of some terms, and a phrase for what they are.
    fn bytes(
        &self,
        idx: usize,
        cache: &CacheLevel,
        [no_cold, no_misses]: &[Option<String>; 2],
    ) -> Result<(Vec<QuantityTerm>, &'static str), String> {
        let chains = chains(self.machine, self.hierarchy);
        let caches = &chains[0];
        let (name, own) = (cache.name(), cache.line_size());
        if caches.levels[idx].allocation != AllocationPolicy::WriteAllocate {
            return Err(format!("{name} reads no line where a store misses"));
        }
        let (less, more) = (own.min(self.line_size), own.max(self.line_size));
        if more % less != 0 {
            let told = self.line_size;
            return Err(format!(
                "{name} has lines of {own} bytes, no multiple of those of {told}"
            ));
        }
        let is_told = |level: &CacheModel| level.geometry.line_size == self.line_size;
        let is_told = no_misses.is_none() && caches.levels[..=idx].iter().all(is_told);
        let misses = |lines: u64, halves: i128| {
            let factor = halves * i128::from(self.line_size);
            term((factor, (self.misses, Some(lines))))
        };
        let geometry = caches.levels[idx].geometry;
        if is_told && caches.heeds_distance(idx) && geometry.sets == 1 {
            return Ok((vec![misses(geometry.lines(), 2)], "its misses"));
        }
        if let Some(why) = no_cold {
            return Err(why.clone());
        }
        let cold = term((2 * i128::from(less), (self.cold, None)));
        Ok(match twice(caches, idx).filter(|_| is_told) {
            Some(twice) => (
                vec![cold, misses(twice, 1)],
                "first accesses, or half the misses of a fully associative LRU cache of twice the lines",
            ),
            None => (vec![cold], "first accesses"),
        })
    }

    fn says_nothing(&self, what: &str) -> String {
        format!("{} does not say {what}", self.machine.name())
    }
}

/// Twice the number of lines that may be present: those of a cache that sees all accesses; else also those of the
/// caches above, whose hits it does not see.
fn twice(caches: &CacheChain, idx: usize) -> Option<u64> {
    let first = match caches.hierarchy {
        Hierarchy::Independent => idx,
        _ => 0,
    };
    let lines = caches.levels[first..=idx]
        .iter()
        .map(|x| x.geometry.lines());
    lines.sum::<u64>().checked_mul(2)
}

type PartOf = fn(&Core, &[u64]) -> Option<Picoseconds>;

fn term((factor, (quantity, lines)): (i128, (usize, Option<u64>))) -> QuantityTerm {
    QuantityTerm {
        factor,
        quantity,
        lines,
    }
}

/// The time to transfer bytes that are half the maximum of some terms.
fn of_bytes(time: &Picoseconds, bytes: &[QuantityTerm]) -> Option<Combination> {
    let each = time
        .sum
        .iter()
        .flatten()
        .flatten()
        .map(|(factor, _)| *factor);
    let factor = each.max()?;
    let denominator = time.denominator.checked_mul(2)?;
    let factors = bytes.iter().map(|x| x.factor.checked_mul(factor));
    let factors: Vec<i128> = factors.collect::<Option<_>>()?;
    let common = factors.iter().fold(denominator, |a, b| gcd(a, *b));
    let scaled = bytes.iter().zip(factors).map(|(x, factor)| {
        let factor = factor / common;
        vec![QuantityTerm {
            factor,
            ..x.clone()
        }]
    });
    Some(Combination {
        sum: vec![scaled.collect()],
        denominator: denominator / common,
    })
}

/// Arithmetic whose amount is unknown.
fn not_known(name: &str, why: String) -> TimePart {
    let meaning = "arithmetic that runs an unknown number of times".to_owned();
    (name.to_owned(), meaning, Err(why))
}

fn does_not_fit() -> String {
    "a figure of the machine does not fit".to_owned()
}

/// A word and a phrase for a unit of work.
fn words(unit: Unit) -> (&'static str, &'static str) {
    match unit {
        Unit::Simple => ("simple", "sums, differences and products"),
        Unit::Fused => ("fused", "sums of products"),
        Unit::Division => ("divisions", "divisions"),
        Unit::Root => ("roots", "square roots"),
    }
}
