//! Our derivation against the plain pipeline of `plain.py`, which is run out of process.

use crate::{kernels::LARGE, read};
use premiss_histogram::{Bin, Distance};
use premiss_testdata::closed::{by_reference, closed_form};
use std::collections::BTreeMap;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What is compared.
const COMPARED: [&str; 10] = [
    "gemm",
    "trmm",
    "mvt",
    "lu",
    "cholesky",
    "jacobi-2d",
    "seidel-2d",
    "doitgen",
    "atax",
    "trisolv",
];

/// The value of all parameters where every access is looked at; rows of so many elements of eight
/// bytes are whole lines, padded or not.
const SMALL: i64 = 16;

const LIMIT: Duration = Duration::from_secs(60);

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/closed/plain.py");

/// Prints both times of each kernel, and the geometric mean of their ratios.
pub(crate) fn compare() {
    if !has_islpy() {
        println!(
            "{} has no islpy that counts: `python3 -m venv venv && venv/bin/pip install \
             islpy-barvinok`, then PREMISS_PYTHON=venv/bin/python",
            python()
        );
        return;
    }
    println!("the plain pipeline pads rows to whole lines; ours are as they are");
    println!("kernel             ours s     plain s     ratio   at sizes of {SMALL}");
    let mut logarithms = Vec::new();
    for name in COMPARED {
        let known = LARGE.iter().find(|kernel| kernel.0 == name);
        let sizes = known.expect("a kernel of the table").1;
        let Some((ours, _)) = derived(name, sizes) else {
            println!("{name:15} no closed form");
            continue;
        };
        let agreement = agreement(name, sizes);
        match script_output(name, sizes, &[]).as_deref().and_then(seconds) {
            Some(plain) => {
                let ratio = plain / ours;
                logarithms.push(ratio.ln());
                println!("{name:15} {ours:9.3} {plain:11.3} {ratio:9.1}   {agreement}");
            }
            None => println!("{name:15} {ours:9.3}   not in 60 s            {agreement}"),
        }
    }
    let count: f64 = logarithms.iter().map(|_| 1.0).sum();
    if 0.0 < count {
        let mean = (logarithms.iter().sum::<f64>() / count).exp();
        println!("geometric mean of {count} ratios: {mean:.1}");
    }
}

fn python() -> String {
    std::env::var("PREMISS_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

fn has_islpy() -> bool {
    let mut command = Command::new(python());
    command.args(["-c", "import islpy; islpy.Set.card"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// What the script prints, unless it fails or takes too long.
fn script_output(name: &str, sizes: &[(&str, i64)], more: &[&str]) -> Option<String> {
    let mut command = Command::new(python());
    command.args([SCRIPT, name]).args(more);
    command.args(sizes.iter().map(|(name, value)| format!("{name}={value}")));
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    let started = Instant::now();
    while child.try_wait().ok()?.is_none() {
        if LIMIT < started.elapsed() {
            child.kill().ok()?;
            child.wait().ok()?;
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut text = String::new();
    child.stdout.take()?.read_to_string(&mut text).ok()?;
    child.wait().ok()?.success().then_some(text)
}

fn seconds(text: &str) -> Option<f64> {
    let first = text.split_whitespace().next()?;
    first.strip_prefix("seconds=")?.parse().ok()
}

/// How often each finite distance occurs, and how many accesses are cold.
type Distances = (BTreeMap<u64, u64>, u64);

/// What evaluates a closed form.
type Evaluate = Box<dyn Fn() -> Option<Distances>>;

/// The seconds from a tree to its closed form, and what evaluates it.
fn derived(name: &str, sizes: &[(&str, i64)]) -> Option<(f64, Evaluate)> {
    let kernel = read(name, sizes);
    let tree = kernel.unit.functions.last()?.clone();
    let (form, times) = closed_form(&tree, 64, &BTreeMap::new()).ok()?;
    let evaluate = move || {
        let histograms = by_reference(&tree, &form.at(&[]).ok()?).ok()?;
        let (mut finite, mut cold) = (BTreeMap::new(), 0);
        let bins = tree.references.keys().flat_map(|x| histograms[x].bins());
        for Bin { lower, certain, .. } in bins {
            match lower {
                Distance::Finite(distance) => *finite.entry(distance).or_default() += certain,
                Distance::Infinite => cold += certain,
            }
        }
        Some((finite, cold))
    };
    Some((times.total().as_secs_f64(), Box::new(evaluate)))
}

/// Whether both have the same histogram of all accesses where all sizes are small.
fn agreement(name: &str, sizes: &[(&str, i64)]) -> &'static str {
    let small: Vec<(&str, i64)> = sizes.iter().map(|size| (size.0, SMALL)).collect();
    let ours = derived(name, &small).and_then(|(_, evaluate)| evaluate());
    let theirs = script_output(name, &small, &["check"]);
    match (ours, theirs.as_deref().and_then(distances)) {
        (Some(ours), Some(theirs)) if ours == theirs => "agrees",
        (Some(_), Some(_)) => "differs",
        _ => "not compared",
    }
}

fn distances(text: &str) -> Option<Distances> {
    let mut lines = text.lines();
    let mut first = lines.next()?.split_whitespace();
    let cold = first.find_map(|x| x.strip_prefix("cold="))?.parse().ok()?;
    let pair = |line: &str| {
        let (distance, times) = line.split_once('=')?;
        Some((distance.parse().ok()?, times.parse().ok()?))
    };
    Some((lines.map(pair).collect::<Option<_>>()?, cold))
}
