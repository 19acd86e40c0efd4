//! How long it takes to derive closed forms and to evaluate them, kernel by kernel.
//!
//! `cargo bench -p premiss-testdata --bench closed -- large` for a table of all kernels,
//! `… -- extralarge` for one beside the next larger data sets, `… -- class 3` for one with symbolic sizes
//! that leave the remainder 3 when divided by the elements in a line,
//! `… -- gemm NI=1000 NJ=1100 NK=1200` for one; with `check` after it, its histograms are compared
//! with the trace's. `… -- plain` compares the times with those of the plain pipeline in `plain.py`,
//! run by PREMISS_PYTHON or python3 where that has `islpy-barvinok`. A cache is fully associative and has lines of 64 bytes.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod classes;
mod growth;
mod kernels;
mod memory;
mod plain;

use kernels::{LARGE, sizes_of};
use premiss_distance::{PreparedHistogram, SymbolicHistogram};
use premiss_testdata::closed::{NoForm, Times, by_reference, closed_form};
use premiss_testdata::judge::execute;
use premiss_testdata::kernel::Kernel;
use premiss_tree::NestTree;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Lines in 32 KiB and in 1 MiB.
const CAPACITIES: [u64; 2] = [512, 16384];

/// Evaluations of which the median is shown.
const REPETITIONS: usize = 5;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|x| x != "--bench")
        .collect();
    match arguments.first().map(String::as_str) {
        None => {}
        Some("large") => all(),
        Some("extralarge") => growth::table(&arguments[1..]),
        Some("plain") => plain::compare(),
        Some("class") => classes::table(&arguments[1..]),
        Some(name) => {
            let sizes = sizes_of(name, &arguments);
            println!("{HEADER}");
            let kernel = read(name, &sizes);
            let tree = kernel.unit.functions.last().expect("a function");
            if let Some((form, row)) = timed(name, tree) {
                row.print(name);
                if arguments.iter().any(|x| x == "check") {
                    compare(tree, &form);
                }
            }
        }
    }
}

const HEADER: &str = "kernel           lower s   analyze s    derive s   entries   32 KiB µs    1 MiB µs   32 KiB misses    1 MiB misses";

/// What is measured of one kernel.
struct Row {
    times: Times,
    entries: usize,
    /// Microseconds to evaluate all references at the sizes and one capacity, and the misses.
    evaluations: Vec<(f64, u64)>,
}

impl Row {
    fn print(&self, name: &str) {
        let [small, large] = &self.evaluations[..] else {
            unreachable!("there are two capacities");
        };
        println!(
            "{name:15} {:8.3} {:11.3} {:11.3} {:9} {:11.1} {:11.1} {:15} {:15}",
            self.times.lower.as_secs_f64(),
            self.times.analyze.as_secs_f64(),
            self.times.derive.as_secs_f64(),
            self.entries,
            small.0,
            large.0,
            small.1,
            large.1,
        );
    }

    fn columns(&self) -> Vec<f64> {
        let times = &self.times;
        let mut columns = vec![
            times.lower.as_secs_f64(),
            times.analyze.as_secs_f64(),
            times.derive.as_secs_f64(),
        ];
        columns.extend(self.evaluations.iter().map(|x| x.0));
        columns
    }
}

fn read(name: &str, sizes: &[(&str, i64)]) -> Kernel {
    Kernel::read(&format!("kernels/c/{name}.c"), sizes, sizes)
}

/// The table of all kernels and what sums it up.
fn all() {
    println!("{HEADER}");
    let mut rows = Vec::new();
    for (name, sizes) in LARGE {
        let kernel = read(name, sizes);
        let tree = kernel.unit.functions.last().expect("a function");
        if let Some((_, row)) = timed(name, tree) {
            row.print(name);
            rows.push(row.columns());
        }
    }
    println!(
        "{} of {} kernels have a closed form",
        rows.len(),
        LARGE.len()
    );
    if rows.is_empty() {
        return;
    }
    summary(
        &["lower s", "analyze s", "derive s", "32 KiB µs", "1 MiB µs"],
        &rows,
    );
    memory::print_peak();
}

/// The geometric mean, median, maximum and total of each column.
fn summary(names: &[&str], rows: &[Vec<f64>]) {
    println!("               geometric mean      median     maximum       total");
    for (index, name) in names.iter().enumerate() {
        let mut column: Vec<f64> = rows.iter().map(|row| row[index]).collect();
        column.sort_by(f64::total_cmp);
        let (total, count) = (
            column.iter().sum::<f64>(),
            rows.iter().map(|_| 1.0).sum::<f64>(),
        );
        let logarithms: f64 = column.iter().map(|x| x.ln()).sum();
        println!(
            "{name:17} {:11.4} {:11.4} {:11.4} {total:11.4}",
            (logarithms / count).exp(),
            column[column.len() / 2],
            column[column.len() - 1],
        );
    }
}

/// Derives and evaluates; nothing where there is no closed form.
fn timed(name: &str, tree: &NestTree) -> Option<(SymbolicHistogram, Row)> {
    let (form, times) = match closed_form(tree, 64, &BTreeMap::new()) {
        Ok(found) => found,
        Err(NoForm::Rejected(reason)) => {
            println!("{name:15} rejected: {reason}");
            return None;
        }
        Err(NoForm::Refused(stage, refusal)) => {
            println!("{name:15} refused by {stage}: {refusal}");
            return None;
        }
    };
    let (preparation, prepared) = prepare(&form);
    let evaluations = CAPACITIES
        .map(|capacity| evaluated(&prepared, &[], capacity))
        .to_vec();
    let entries = form.references.iter().map(|x| x.entries.len()).sum();
    let derive = times.derive + preparation;
    let row = Row {
        times: Times { derive, ..times },
        entries,
        evaluations,
    };
    Some((form, row))
}

/// A form prepared for evaluation, once for all sizes, and how long that took: it counts as deriving.
fn prepare(form: &SymbolicHistogram) -> (Duration, PreparedHistogram) {
    let started = Instant::now();
    let prepared = form.prepared();
    (started.elapsed(), prepared)
}

/// The median time in microseconds to evaluate at these values of the columns of sizes, and the misses
/// of all references.
fn evaluated(form: &PreparedHistogram, values: &[i128], capacity: u64) -> (f64, u64) {
    let mut times = Vec::with_capacity(REPETITIONS);
    let mut total = 0;
    for _ in 0..REPETITIONS {
        let started = Instant::now();
        let sized = form.at(values).expect("fits");
        let misses = sized.references.iter();
        total = misses.map(|x| x.misses(capacity).expect("fits")).sum();
        times.push(started.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    (times[REPETITIONS / 2], total)
}

/// Whether each reference's histogram is the trace's.
fn compare(tree: &NestTree, form: &SymbolicHistogram) {
    let sized = form.at(&[]).expect("fits");
    let found = by_reference(tree, &sized).expect("fits");
    let expected = execute(tree, 4096).histograms(64).expect("in budget");
    for (reference, row) in &tree.references {
        let equal = found[reference] == expected[reference];
        println!("  {} {:?} {equal}", row.text, row.kind);
        if !equal {
            println!("    {:?}\n    {:?}", found[reference], expected[reference]);
        }
    }
}
