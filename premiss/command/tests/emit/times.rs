//! What least times are expected: those of [`Bound`], from the misses of the evaluator and of the trace.

use crate::expected::{Answer, Evaluator, lines, measuring, wide};
use premiss_analyze::{
    Arithmetic, Bound, Hierarchy, LevelTraffic, MeasureOptions, Resource, Work, sweep,
};
use std::collections::BTreeMap;

impl Evaluator {
    /// The seconds of [`Bound`] in picoseconds, of one resource or the slowest.
    pub(crate) fn time(&self, name: &str, sizes: &[i64]) -> Answer {
        let (_, wanted) = name.split_once("picoseconds").expect("a time");
        let parts = self.parts(sizes);
        if !wanted.is_empty() {
            let mut parts = parts.into_iter();
            return parts.find(|(part, _)| part == wanted).expect("a part").1;
        }
        let mut overflow = false;
        let mut greatest = 0.0_f64;
        for (_, part) in parts {
            match part {
                Answer::Time(time) => greatest = greatest.max(time),
                Answer::Overflow => overflow = true,
                Answer::Outside if overflow => return Answer::OverflowOrOutside,
                other => return other,
            }
        }
        match overflow {
            true => Answer::Overflow,
            false => Answer::Time(greatest),
        }
    }

    /// What each resource of the machine takes, by the end of its name, in order.
    fn parts(&self, sizes: &[i64]) -> Vec<(String, Answer)> {
        let machine = &self.machine;
        let n_caches = machine.caches().len();
        // Of work alone, or of bytes below one cache alone.
        let alone = |work: Arithmetic, resource: Resource, read: f64| {
            let work = Work {
                by_precision: BTreeMap::from([(8, work)]),
            };
            let mut moved = vec![LevelTraffic::default(); n_caches];
            if let Resource::Below(idx) = resource {
                moved[idx].bytes_in = read;
            }
            let bound = Bound::new(machine, &work, moved).expect("a machine with a core");
            let mut own = bound.ceilings.iter().filter(|x| x.resource == resource);
            own.next().map(|ceiling| ceiling.seconds * 1e12)
        };
        let units = ["simple", "fused", "divisions", "roots"];
        let units = units.map(|unit| self.answer(&format!("{unit}_f64"), sizes));
        let nothing = Arithmetic::default();
        let mut parts = Vec::new();
        for (part, of) in [
            ("_arithmetic", 0..2),
            ("_divisions", 2..3),
            ("_roots", 3..4),
        ] {
            parts.push((
                part.to_owned(),
                timed(&units[of.clone()], |numbers| {
                    let mut work = nothing;
                    match part {
                        "_arithmetic" => (work.simple, work.fused) = (numbers[0], numbers[1]),
                        "_divisions" => work.divisions = numbers[0],
                        _ => work.roots = numbers[0],
                    }
                    alone(work, Resource::Arithmetic, 0.0).expect("a rate")
                }),
            ));
        }
        for (idx, cache) in machine.caches().iter().enumerate() {
            let below = machine.caches().get(idx + 1);
            let name = below.map_or("_memory".to_owned(), |x| format!("_from_{}", x.name()));
            let resource = Resource::Below(idx);
            if self.has_no_misses() || alone(nothing, resource, 1.0).is_none() {
                continue;
            }
            let time = |bytes: f64| alone(nothing, resource, bytes).expect("a bandwidth");
            let is_full = cache.geometry().sets == 1;
            let all = match is_full {
                true => vec![self.misses(sizes, lines(cache), 1)],
                false => vec![
                    self.misses(sizes, i64::MAX, 1),
                    self.misses(sizes, 2 * lines(cache), 1),
                ],
            };
            parts.push((
                name,
                timed(&all, |misses| match is_full {
                    true => time(64.0 * misses[0]),
                    false => time((64.0 * misses[0]).max(32.0 * misses[1])),
                }),
            ));
        }
        parts
    }

    /// The bound that the evaluator finds, with misses of such a hierarchy from the trace.
    pub(crate) fn swept(&self, sizes: &[i64], hierarchy: Hierarchy) -> Bound {
        let names = self.sizes().iter();
        let names = names.map(|id| self.tree.work.parameters[*id].name.clone());
        let point = names.zip(sizes.iter().copied()).collect();
        let options = MeasureOptions {
            hierarchy,
            ..measuring(self.machine.clone())
        };
        let mut swept = sweep(&self.tree, &[point], &options);
        swept.points.remove(0).bound.expect("a bound")
    }

    /// Compares the least time with that of the evaluator, whose misses are traced: they are the same
    /// where all caches are fully associative, and no greater elsewhere.
    pub(crate) fn compare_times_with_sweep(&self, sizes: &[i64]) {
        if self.machine.core().is_none() {
            return;
        }
        let bound = self.swept(sizes, Hierarchy::Independent);
        let greatest = bound.binding().expect("a ceiling").seconds * 1e12;
        let found = self.time("least_picoseconds", sizes);
        let Answer::Time(found) = found else {
            panic!("{found:?} at {sizes:?}");
        };
        let caches = self.machine.caches();
        let is_full = caches.iter().all(|cache| cache.geometry().sets == 1);
        let is_exact = is_full && !self.has_no_misses();
        let rest = (greatest - found) / greatest.max(1.0);
        assert!(-1e-12 < rest, "{found} beyond {greatest} at {sizes:?}");
        assert!(
            !is_exact || rest < 1e-12,
            "{found}, not {greatest} at {sizes:?}"
        );
    }
}

/// The time of some numbers; the first answer that is none otherwise.
fn timed(numbers: &[Answer], time: impl Fn(&[f64]) -> f64) -> Answer {
    let mut all = Vec::new();
    for number in numbers {
        match number {
            Answer::Value(value) => all.push(wide(*value)),
            other => return other.clone(),
        }
    }
    match time(&all) {
        time if time < 18_446_744_073_709_551_615.0 => Answer::Time(time),
        _ => Answer::Overflow,
    }
}
