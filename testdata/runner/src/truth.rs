//! Numbers recorded from executed kernels (`testdata/truth`).

use premiss_cache::CacheGeometry;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder `testdata`.
#[must_use]
pub fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the runner lies in testdata")
        .to_path_buf()
}

/// What one cache did in one layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Alignment of arrays in bytes.
    pub alignment: u64,
    /// The name of the cache.
    pub cache: String,
    /// The cache.
    pub geometry: CacheGeometry,
    /// All accesses.
    pub accesses: u64,
    /// Loads.
    pub loads: u64,
    /// Stores.
    pub stores: u64,
    /// All misses.
    pub misses: u64,
    /// Misses of loads.
    pub load_misses: u64,
    /// Misses of stores.
    pub store_misses: u64,
    /// Lines touched.
    pub cold: u64,
    /// Where the arrays were.
    pub bases: BTreeMap<String, u64>,
}

/// One reference in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReferenceRow {
    /// As written.
    pub text: String,
    /// Whether it stores.
    pub is_store: bool,
    /// How often it was executed.
    pub accesses: u64,
    /// Misses by the name of the cache, arrays packed to 64 bytes.
    pub misses: BTreeMap<String, u64>,
}

/// The rows of a kernel at a size in one of the tables, such as `polybench_truth.csv`.
#[must_use]
pub fn rows(table: &str, kernel: &str, dataset: &str) -> Vec<Row> {
    let text = read(table);
    let rows: Vec<Row> = text
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>())
        .filter(|fields| fields[0] == kernel && fields[1] == dataset)
        .filter_map(|fields| row(&fields))
        .collect();
    assert!(!rows.is_empty(), "{table} knows no {kernel} at {dataset}");
    rows
}

/// A row; `None` in the layout `rowpad64`, which pads rows as the access model does not.
fn row(fields: &[&str]) -> Option<Row> {
    let number = |idx: usize| -> u64 { fields[idx].parse().expect("a number") };
    let (size, ways, line_size) = (number(4), number(5), number(6));
    Some(Row {
        alignment: match fields[2] {
            "packed64" => 64,
            "page4096" => 4096,
            _ => return None,
        },
        cache: fields[3].to_owned(),
        geometry: CacheGeometry {
            line_size,
            sets: size / (ways * line_size),
            ways,
        },
        accesses: number(7),
        loads: number(8),
        stores: number(9),
        misses: number(10),
        load_misses: number(11),
        store_misses: number(12),
        cold: number(13),
        bases: fields[14].split_whitespace().map(base).collect(),
    })
}

fn base(text: &str) -> (String, u64) {
    let (name, address) = text.split_once("@0x").expect("NAME@ADDRESS");
    let address = u64::from_str_radix(address, 16).expect("a hexadecimal address");
    (name.to_owned(), address)
}

/// The references of a kernel at a size, in source order.
#[must_use]
pub fn references(kernel: &str, dataset: &str) -> Vec<ReferenceRow> {
    let text = read(&format!("refs/refs_{kernel}_{dataset}.csv"));
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let caches = header[5..].iter().zip(&fields[5..]);
            ReferenceRow {
                text: fields[2].to_owned(),
                is_store: fields[3] == "W",
                accesses: fields[4].parse().expect("a number"),
                misses: caches
                    .map(|(name, misses)| ((*name).to_owned(), misses.parse().expect("a number")))
                    .collect(),
            }
        })
        .collect()
}

/// A reuse-distance histogram in lines of 64 bytes: counts by distance (`None`: no earlier access).
/// The files count the line itself; here the distance is that of the access model.
#[must_use]
pub fn histogram(kernel: &str, dataset: &str) -> BTreeMap<Option<u64>, u64> {
    let text = read(&format!("hist/hist_{kernel}_{dataset}.csv"));
    let counts = text.lines().skip(1).map(|line| {
        let (distance, count) = line.split_once(',').expect("two columns");
        let distance: Option<u64> = match distance {
            "cold" => None,
            distance => Some(distance.parse().expect("a number")),
        };
        let count = count.parse().expect("a number");
        (distance.map(|itself_too| itself_too - 1), count)
    });
    counts.collect()
}

fn read(file: &str) -> String {
    let path = testdata().join("truth").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
