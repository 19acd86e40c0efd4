//! What operations on typical small sets cost: three loops, the line of an access, two parameters.

use divan::Bencher;
use premiss_isl::{Set, SetSpace};
use premiss_presburger::{Affine, Column, System};

fn main() {
    divan::main();
}

/// Parameters n, m; variables i, j, k, line.
const SHAPE: SetSpace = SetSpace {
    parameters: 2,
    variables: 4,
};

fn form(coefficients: &[i64]) -> Affine {
    Affine::new(coefficients.to_vec())
}

/// `0 <= i < n`, `0 <= j <= i`, `from <= k < m`, `line = floor((3j + k)/8)`.
fn accesses(from: i64) -> System {
    let mut system = System::universe(6);
    system.inequalities = vec![
        form(&[0, 0, 0, 1, 0, 0, 0]),
        form(&[-1, 1, 0, -1, 0, 0, 0]),
        form(&[0, 0, 0, 0, 1, 0, 0]),
        form(&[0, 0, 0, 1, -1, 0, 0]),
        form(&[-from, 0, 0, 0, 0, 1, 0]),
        form(&[-1, 0, 1, 0, 0, -1, 0]),
    ];
    let line = system.add_floor(&form(&[0, 0, 0, 0, 3, 1, 0]), 8);
    let mut at_line = vec![0; system.columns()];
    (at_line[6], at_line[line]) = (1, -1);
    system.equalities.push(Affine::new(at_line));
    system
}

/// `0 <= i < n`, `0 <= j <= i`, `from <= k < m`, `line = 0`.
fn plain(from: i64) -> System {
    let mut system = accesses(from);
    system.floors.clear();
    let drop_floor = |form: &Affine| Affine::new(form.coefficients()[..7].to_vec());
    system.inequalities = system.inequalities.iter().map(drop_floor).collect();
    system.equalities = system.equalities.iter().map(drop_floor).collect();
    system
}

fn set(system: System) -> Set {
    Set::from_systems(SHAPE, &[system]).expect("a set")
}

type Make = fn(i64) -> System;
const KINDS: [(&str, Make); 2] = [("plain", plain), ("floor", accesses)];

fn kind(name: &str) -> Make {
    let found = KINDS.iter().find(|kind| kind.0 == name);
    found.expect("a kind").1
}

#[divan::bench(args = ["plain", "floor"])]
fn from_systems(bencher: Bencher, name: &str) {
    let system = [kind(name)(0)];
    bencher.bench(|| Set::from_systems(SHAPE, &system).expect("a set"));
}

#[divan::bench(args = ["plain", "floor"])]
fn systems(bencher: Bencher, name: &str) {
    let set = set(kind(name)(0));
    bencher.bench_local(|| set.systems().expect("systems"));
}

#[divan::bench(args = ["plain", "floor"])]
fn intersect(bencher: Bencher, name: &str) {
    let (a, b) = (set(kind(name)(0)), set(plain(5)));
    bencher.bench_local(|| a.intersect(&b).expect("a set"));
}

#[divan::bench(args = ["plain", "floor"])]
fn subtract(bencher: Bencher, name: &str) {
    let (a, b) = (set(kind(name)(0)), set(kind(name)(5)));
    bencher.bench_local(|| a.subtract(&b).expect("a set"));
}

#[divan::bench(args = ["plain", "floor"])]
fn is_empty(bencher: Bencher, name: &str) {
    let (a, b) = (set(kind(name)(0)), set(plain(5)));
    bencher.bench_local(|| a.intersect(&b).expect("a set").is_empty().expect("known"));
}

#[divan::bench(args = ["plain", "floor"])]
fn maximum(bencher: Bencher, name: &str) {
    let set = set(kind(name)(0));
    bencher.bench_local(|| set.maximum(Column::new(5)).expect("bounded"));
}

#[divan::bench(args = ["plain", "floor"])]
fn project(bencher: Bencher, name: &str) {
    let set = set(kind(name)(0));
    bencher.bench_local(|| {
        set.project(Column::new(4), 2)
            .expect("a set")
            .systems()
            .expect("systems")
    });
}

#[divan::bench(args = ["plain", "floor"])]
fn image(bencher: Bencher, name: &str) {
    let set = set(kind(name)(0));
    let map = [3, 4, 5, 6].map(|column| Affine::variable(7, Column::new(column)));
    bencher.bench_local(|| set.image(SHAPE, &map).expect("a set"));
}
