//! What a core does in a cycle, from `clock` and `FLOPs per cycle`.

use super::KerncraftFile;
use crate::machine_file::TomlTable;
use premiss_machine::Frequency;
use serde_json::Value;

/// Instruction sets as the names of benchmark kernels end, with the bytes of a vector: `load_avx512`.
const VECTORS: [(&str, u32); 5] = [
    ("avx512", 64),
    ("sve512", 64),
    ("avx", 32),
    ("neon", 16),
    ("sse", 16),
];

pub(super) fn describe(
    file: &KerncraftFile,
    core: &mut TomlTable,
    warnings: &mut Vec<String>,
) -> Result<(), String> {
    let Some(clock) = &file.clock else {
        return Ok(());
    };
    let frequency = Frequency::parse(clock).map_err(|error| format!("clock: {error}"))?;
    core.figure("frequency", frequency, "clock");
    if let Some(cores) = file.cores {
        core.rate("cores", cores, "cores per socket");
    }
    let Some(rates) = file.flops.get("DP") else {
        warnings.push("it has no `FLOPs per cycle` in double precision".to_owned());
        return Ok(());
    };
    let Some((bytes, kernel)) = vector(&file.benchmarks) else {
        warnings.push(
            "how long its vectors are is not known, as no name of a benchmark kernel ends in its \
             instruction set: add `vector`, `floating` and `fused`"
                .to_owned(),
        );
        return Ok(());
    };
    let rate = |key: &str| {
        rates
            .get(key)
            .copied()
            .filter(|x| x.is_finite() && 0.0 < *x)
    };
    let lanes = f64::from(bytes) / 8.0;
    let Some(total) = rate("total") else {
        warnings.push("`FLOPs per cycle` has no total in double precision".to_owned());
        return Ok(());
    };
    // Where pairs are fused, a core begins as many vectors as it can add or multiply alone; the rest of
    // the total is what fusing gains. Elsewhere every operation is an instruction.
    let (floating, fused) = match rate("FMA") {
        None => (total, 0.0),
        Some(_) => {
            let alone = rate("ADD")
                .into_iter()
                .chain(rate("MUL"))
                .fold(0.0, f64::max);
            (alone, total - alone)
        }
    };
    if floating <= 0.0 || fused < 0.0 || floating < fused {
        warnings.push("its `FLOPs per cycle` contradict each other: they are left out".to_owned());
        return Ok(());
    }
    core.rate("floating", floating / lanes, "FLOPs per cycle, DP");
    core.rate(
        "fused",
        fused / lanes,
        "FLOPs per cycle, DP: total beyond sums",
    );
    core.figure(
        "vector",
        format_args!("{bytes} B"),
        &format!("the kernel {kernel}"),
    );
    Ok(())
}

/// The longest vectors that a benchmark was best with, and its name.
fn vector(benchmarks: &Value) -> Option<(u32, String)> {
    let kernels = benchmarks.get("kernels")?.as_object()?;
    let names = kernels.values().filter_map(|kernel| {
        let name = kernel.get("fastest bench kernel")?.as_str()?;
        let mut parts = name.split('_');
        let bytes = parts.find_map(|part| {
            let known = VECTORS.iter().find(|(word, _)| *word == part);
            known.map(|(_, bytes)| *bytes)
        });
        Some((bytes?, name.to_owned()))
    });
    names.max_by_key(|(bytes, _)| *bytes)
}
