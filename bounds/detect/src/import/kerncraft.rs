//! The machine files of Kerncraft, in YAML.
//!
//! The keys that are read: `clock`, `cores per socket`, `FLOPs per cycle`, `memory hierarchy` (shape, sharing and
//! `upstream throughput` of each cache), and the bandwidths that its `benchmarks` measured in memory. Its
//! `kB` and `MB` are binary.

mod bandwidth;
mod core;

use super::missing_tlbs;
use crate::error::DetectError;
use crate::machine_file::{MachineDescription, MachineFile, TomlTable};
use premiss_machine::{format_bytes, parse_bytes};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Deserialize, Debug)]
struct KerncraftFile {
    #[serde(rename = "model name")]
    model_name: Option<String>,
    #[serde(rename = "model type")]
    model_type: Option<String>,
    clock: Option<String>,
    #[serde(rename = "cores per socket")]
    cores: Option<u32>,
    #[serde(rename = "FLOPs per cycle", default)]
    flops: BTreeMap<String, BTreeMap<String, f64>>,
    #[serde(rename = "memory hierarchy")]
    levels: Vec<Level>,
    #[serde(default)]
    benchmarks: Value,
}

#[derive(Deserialize, Debug)]
struct Level {
    level: String,
    #[serde(rename = "cache per group")]
    cache: Option<Cache>,
    #[serde(rename = "cores per group")]
    cores: Option<u32>,
    #[serde(rename = "size per group", default)]
    size: Value,
    #[serde(
        rename = "upstream throughput",
        alias = "non-overlap upstream throughput",
        default
    )]
    throughput: Vec<Value>,
}

#[derive(Deserialize, Debug)]
struct Cache {
    sets: u64,
    ways: u64,
    cl_size: u64,
    replacement_policy: Option<String>,
    write_allocate: Option<bool>,
    write_back: Option<bool>,
    /// The level that takes its victims.
    victims_to: Option<String>,
}

pub(super) fn import(name: &str, path: &str, text: &str) -> Result<MachineFile, DetectError> {
    let refuse = |why: String| DetectError::File(format!("`{path}`: {why}"));
    let file: KerncraftFile = serde_saphyr::from_str(text)
        .map_err(|error| refuse(format!("it is not a machine file of Kerncraft: {error}")))?;
    let mut warnings = Vec::new();
    let mut description = MachineDescription {
        comments: vec!["As a machine file of Kerncraft tells.".to_owned()],
        name: name.to_owned(),
        title: file.model_name.clone().or(file.model_type.clone()),
        ..MachineDescription::default()
    };
    for level in &file.levels {
        if let Some(cache) = &level.cache {
            let table = cache_table(level, cache, &file.levels, &mut warnings);
            description.caches.push(table.map_err(refuse)?);
        }
    }
    if description.caches.is_empty() {
        return Err(refuse(
            "no level of its `memory hierarchy` has a `cache per group`".to_owned(),
        ));
    }
    core::describe(&file, &mut description.core, &mut warnings).map_err(refuse)?;
    bandwidth::describe(&file, &mut description, &mut warnings);
    if !description.core.has("frequency") {
        forget_cycles(&mut description, &mut warnings);
    }
    warnings.push(missing_tlbs());
    warnings.push("Kerncraft has no latencies: add `latency` where it is known".to_owned());
    let toml = description.toml(&format!("`{path}`"))?;
    Ok(MachineFile { toml, warnings })
}

/// The shape, the policies and the speed of one cache.
fn cache_table(
    level: &Level,
    cache: &Cache,
    all: &[Level],
    warnings: &mut Vec<String>,
) -> Result<TomlTable, String> {
    let name = &level.level;
    let size = cache.sets.checked_mul(cache.ways);
    let size = size.and_then(|lines| lines.checked_mul(cache.cl_size));
    let size = size.ok_or_else(|| format!("{name}: its sets, ways and lines overflow"))?;
    let mut table = TomlTable::cache(name, size, Some(cache.ways), cache.cl_size);
    if let Some(said) = level.size.as_str().and_then(bytes)
        && said != size
    {
        warnings.push(format!(
            "{name} has {} by its sets, ways and lines, and {} by its `size per group`; the file has the \
             former",
            format_bytes(size),
            format_bytes(said)
        ));
    }
    kind(name, cache, all, &mut table, warnings);
    if let Some(text) = level.throughput.first().and_then(Value::as_str) {
        match text.strip_suffix("/cy") {
            Some(bytes) => table.figure(
                "bandwidth",
                format!("{}/cycle", bytes.trim()),
                "upstream throughput",
            ),
            // What the ports of the core can take needs a code analyser.
            None if text == "architecture code analyzer" => {}
            None => warnings.push(format!(
                "{name}: an `upstream throughput` of `{text}` says nothing without a benchmark"
            )),
        }
    }
    if let Some(cores) = level.cores {
        table.number("cores", cores);
    }
    Ok(table)
}

/// The policies of a cache.
fn kind(
    name: &str,
    cache: &Cache,
    all: &[Level],
    table: &mut TomlTable,
    warnings: &mut Vec<String>,
) {
    match cache.replacement_policy.as_deref() {
        None | Some("LRU") => {}
        Some("FIFO") => table.text("replacement", "fifo"),
        Some("RR") => table.text("replacement", "random"),
        Some(other) => warnings.push(format!(
            "{name}: there is no replacement policy `{other}` here: the file has LRU"
        )),
    }
    if cache.write_back == Some(false) {
        table.text("write", "through");
    }
    let takes_victims = all.iter().any(|level| {
        let victims = level.cache.as_ref().and_then(|x| x.victims_to.as_deref());
        victims == Some(name)
    });
    if takes_victims {
        warnings.push(format!(
            "{name} holds what the level above has thrown out: the file has it as any other; \
             `hierarchy = \"exclusive\"` comes nearer"
        ));
    } else if cache.write_allocate == Some(false) {
        table.flag("allocate", false);
    }
}

/// Cycles mean nothing without a clock.
fn forget_cycles(description: &mut MachineDescription, warnings: &mut Vec<String>) {
    warnings.push("it has no `clock`: figures in cycles are left out".to_owned());
    for cache in &mut description.caches {
        cache.forget("bandwidth");
    }
}

/// `32.00 kB` is 32 KiB.
fn bytes(text: &str) -> Option<u64> {
    let plain = text.trim().replace(".00", "");
    parse_bytes(&plain).ok().or_else(|| {
        // 1.25 MB
        let (number, unit) = plain.split_once(' ')?;
        let (whole, fraction) = number.split_once('.')?;
        let unit = parse_bytes(&format!("1{unit}")).ok()?;
        let tens = 10_u64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
        let digits: u64 = format!("{whole}{fraction}").parse().ok()?;
        Some(digits.checked_mul(unit)? / tens)
    })
}

#[cfg(test)]
mod tests;
