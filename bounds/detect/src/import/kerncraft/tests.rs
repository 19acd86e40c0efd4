//! Machine files of Kerncraft, and files that are none.

use super::*;
use premiss_machine::{Bandwidth, Machine, Rate};

/// Written in its documented format: a machine of two levels that there is not.
const FILE: &str = "\
kerncraft version: 0.8.15
model name: Imaginary 9000
clock: 2.5 GHz
sockets: 2
cores per socket: 4
in-core model: !!omap
  - OSACA: ZEN2
  - LLVM-MCA: -mcpu=znver2
FLOPs per cycle:
  DP: {ADD: 8, FMA: 16, MUL: 8, total: 16}
  SP: {ADD: 16, FMA: 32, MUL: 16, total: 32}
cacheline size: 64 B
memory hierarchy:
- level: L1
  cache per group:
    sets: 64
    ways: 8
    cl_size: 64
    replacement_policy: LRU
    write_allocate: true
    write_back: true
    load_from: L2
    store_to: L2
  cores per group: 1
  size per group: 32.00 kB
  upstream throughput: [architecture code analyzer, ['2D', '3D']]
- level: L2
  cache per group: {'sets': 2048, 'ways': 10, 'cl_size': 64, 'replacement_policy': 'LRU'}
  cores per group: 2
  size per group: 1.25 MB
  upstream throughput: [32 B/cy, half-duplex]
- level: MEM
  cores per group: 4
  upstream throughput: [full socket memory bandwidth, half-duplex]
  size per group:
benchmarks:
  kernels:
    load:
      fastest bench kernel: load_avx
  measurements:
    MEM:
      1:
        cores: [1, 2, 3, 4]
        results:
          load: [11.50 GB/s, 20.00 GB/s, 25.25 GB/s, 25.00 GB/s]
";

fn read(text: &str) -> Result<(Machine, Vec<String>), String> {
    let found = import("k", "k.yml", text).map_err(|error| error.to_string())?;
    Ok((Machine::from_toml(&found.toml).unwrap(), found.warnings))
}

#[test]
fn a_machine_file_is_read() {
    let (machine, warnings) = read(FILE).unwrap();
    assert_eq!(
        machine.canonical(),
        "cache L1=32768,8,64\ncache L2=1310720,10,64\n"
    );
    assert_eq!(machine.title(), "Imaginary 9000");
    let core = machine.core().unwrap();
    assert_eq!((core.frequency.0, core.cores), (2_500_000_000, 4));
    assert_eq!((core.floating, core.fused), (Some(Rate(2000)), Rate(2000)));
    assert_eq!(core.vector_double, 32);
    let [first, second] = machine.caches() else {
        panic!("two caches");
    };
    assert_eq!(first.transfer().bandwidth, None);
    assert_eq!(
        second.transfer().bandwidth,
        Some(Bandwidth::PerCycle(32_000))
    );
    assert_eq!(second.transfer().cores, Some(2));
    let memory = machine.memory();
    assert_eq!(memory.bandwidth, Some(Bandwidth::PerSecond(25_250_000_000)));
    assert_eq!(
        memory.core_bandwidth,
        Some(Bandwidth::PerSecond(11_500_000_000))
    );
    // TLBs and latencies, which Kerncraft never tells.
    assert_eq!(warnings.len(), 2, "{warnings:?}");
}

#[test]
fn without_fused_pairs_every_operation_is_one() {
    let text = FILE.replace(
        "{ADD: 8, FMA: 16, MUL: 8, total: 16}",
        "{ADD: 4, MUL: 4, total: 8}",
    );
    let (machine, _) = read(&text).unwrap();
    let core = machine.core().unwrap();
    assert_eq!((core.floating, core.fused), (Some(Rate(2000)), Rate::NONE));
}

#[test]
fn kinds_of_caches_are_read() {
    let text = FILE
        .replace("replacement_policy: LRU", "replacement_policy: FIFO")
        .replace("write_allocate: true", "write_allocate: false")
        .replace("write_back: true", "write_back: false");
    let (machine, _) = read(&text).unwrap();
    let expected = "cache L1=32768,8,64,fifo,write-through,no-allocate\n";
    assert!(machine.canonical().starts_with(expected));
}

#[test]
fn missing_or_doubtful_values_are_reported() {
    let warns = |from: &str, to: &str, what: &str| {
        let text = FILE.replace(from, to);
        assert_ne!(text, FILE, "{from}");
        let (_, warnings) = read(&text).unwrap();
        let is_said = warnings.iter().any(|x| x.contains(what));
        assert!(is_said, "{to}: {warnings:?}");
    };
    warns("clock: 2.5 GHz\n", "", "no `clock`");
    warns("load_avx", "load", "how long its vectors are");
    warns("total: 16", "total: 4", "contradict");
    warns("total: 16", "total: 999", "contradict");
    warns("total: 16", "rest: 16", "no total");
    warns("  DP:", "  QP:", "double precision");
    warns("32.00 kB", "64.00 kB", "L1 has 32 KiB");
    warns("32 B/cy", "some", "L2: an `upstream throughput` of `some`");
    warns(
        "replacement_policy: LRU",
        "replacement_policy: MRU",
        "`MRU`",
    );
    warns(
        "load_from: L2",
        "victims_to: L2",
        "L2 holds what the level above",
    );
    warns("    MEM:", "    RAM:", "no bandwidth of memory");
    warns(
        "cores: [1, 2, 3, 4]",
        "cores: [1, 2]",
        "for each number of cores",
    );
    warns("20.00 GB/s", "fast", "on 2 cores is no bandwidth");
    warns(
        "cores per socket: 4",
        "cores per socket: 8",
        "that of 4 cores",
    );
}

#[test]
fn what_cannot_be_read_names_the_place() {
    let refuses = |from: &str, to: &str, what: &[&str]| {
        let text = FILE.replace(from, to);
        assert_ne!(text, FILE, "{from}");
        let message = read(&text).unwrap_err();
        for what in what {
            assert!(message.contains(what), "{to}: {message}");
        }
    };
    refuses(
        "    sets: 64\n",
        "",
        &["k.yml", "line 22", "missing field `sets`"],
    );
    refuses("    sets: 64", "    sets: many", &["k.yml", "many"]);
    refuses("    sets: 64", "    sets: -1", &["k.yml"]);
    refuses("    sets: 64", "    sets: 0", &["L1: size of 0"]);
    refuses("    ways: 8", "    ways: 0", &["L1"]);
    refuses(
        "    sets: 64",
        "    sets: 18446744073709551615",
        &["overflow"],
    );
    refuses("- level: L2", "- level: L1", &["two levels are named `L1`"]);
    refuses("- level: L2", "- level: a b", &["`a b` cannot name"]);
    refuses("memory hierarchy:", "hierarchy:", &["memory hierarchy"]);
    refuses("cache per group", "cache of group", &["cache per group"]);
    refuses("2.5 GHz", "fast", &["clock", "`fast`"]);
    refuses("2.5 GHz", "0 GHz", &["clock"]);
    refuses("32 B/cy", "0 B/cy", &["L2: bandwidth"]);
    refuses("cores per group: 1", "cores per group: 0", &["L1: cores"]);
}

#[test]
fn no_yaml_and_hostile_yaml_is_refused() {
    for text in ["[", "a: b: c", "\t- x", "42", "[]", "{}", "\u{0}"] {
        let message = read(text).unwrap_err();
        assert!(message.contains("k.yml"), "{text}: {message}");
    }
    assert!(read(&"[".repeat(100_000)).is_err());
    assert!(read(&format!("benchmarks: {}1", "[".repeat(5_000))).is_err());
    // Each line repeats the one before eight times.
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x]\n");
    for i in 1..12 {
        let before = i - 1;
        let aliases = vec![format!("*a{before}"); 8].join(", ");
        bomb.push_str(&format!("a{i}: &a{i} [{aliases}]\n"));
    }
    bomb.push_str("benchmarks: *a11\n");
    assert!(read(&format!("{bomb}{FILE}")).is_err());
}

#[test]
fn sizes_are_binary_and_may_have_fractions() {
    assert_eq!(bytes("32.00 kB"), Some(32 << 10));
    assert_eq!(bytes("1.25 MB"), Some(1_310_720));
    assert_eq!(bytes("16 MB"), Some(16 << 20));
    assert_eq!(bytes("much"), None);
}
