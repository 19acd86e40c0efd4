//! How long it takes to derive closed forms in which sizes are symbolic.

use crate::kernels::LARGE;
use crate::{CAPACITIES, evaluated, memory, prepare, summary};
use premiss_distance::SymbolicHistogram;
use premiss_scop::SymbolicParameter;
use premiss_testdata::closed::{Effort, Sizes, form_of, lower_in_class, with_parameters};
use std::time::Instant;

/// What the command lets a derivation take unless told otherwise.
const EFFORT: Effort = Effort {
    operations: 40_000_000,
    steps: 4_000_000,
};

/// About the sizes at which forms are evaluated.
const SIZE: i64 = 2000;

/// The table of one residue class of the sizes modulo the elements of a line: of all kernels, or of
/// those named after it, such as `gemm` or `shapes/banded`. Numbers of time steps stay as they are.
pub(crate) fn table(arguments: &[String]) {
    let residue = arguments.first().and_then(|x| x.parse().ok()).unwrap_or(0);
    let named = arguments.iter().skip(1).map(String::as_str);
    let names: Vec<&str> = match arguments.len() {
        0 | 1 => LARGE.iter().map(|kernel| kernel.0).collect(),
        _ => named.collect(),
    };
    println!(
        "kernel                          lower s   analyze s    derive s   entries   32 KiB µs    1 MiB µs"
    );
    let mut rows = Vec::new();
    for name in names {
        let read = with_parameters(&format!("kernels/c/{name}.c"), Sizes::Apart);
        let tree = read.unit.functions.last().expect("a function");
        let started = Instant::now();
        let scop = match lower_in_class(tree, residue) {
            Ok(scop) => scop,
            Err(reason) => {
                println!("{name:30} {reason:?}");
                continue;
            }
        };
        let lower = started.elapsed().as_secs_f64();
        let (form, times) = match form_of(&scop, EFFORT) {
            Ok(found) => found,
            Err(reason) => {
                let seconds = started.elapsed().as_secs_f64();
                println!("{name:30} {reason:?} after {seconds:.1} s");
                continue;
            }
        };
        let entries: usize = form.references.iter().map(|x| x.entries.len()).sum();
        let values = values_near(SIZE, &form);
        let (preparation, prepared) = prepare(&form);
        let [small, large] = CAPACITIES.map(|capacity| evaluated(&prepared, &values, capacity).0);
        let columns = [
            lower,
            times.analyze.as_secs_f64(),
            (times.derive + preparation).as_secs_f64(),
        ];
        println!(
            "{name:30} {:8.3} {:11.3} {:11.3} {entries:9} {small:11.1} {large:11.1}",
            columns[0], columns[1], columns[2],
        );
        let together = columns.iter().sum();
        rows.push([&columns[..], &[together, small, large]].concat());
    }
    if !rows.is_empty() {
        summary(
            &[
                "lower s",
                "analyze s",
                "derive s",
                "together s",
                "32 KiB µs",
                "1 MiB µs",
            ],
            &rows,
        );
    }
    memory::print_peak();
}

/// The values that make sizes about so large, each a little larger than the one before; numbers of
/// time steps are a tenth of it.
fn values_near(size: i64, form: &SymbolicHistogram) -> Vec<i128> {
    let value = |(more, parameter): (i64, &SymbolicParameter)| match parameter.factor {
        1 => i128::from(size / 10),
        factor => i128::from(size / factor + more),
    };
    (0..).zip(&form.parameters).map(value).collect()
}
