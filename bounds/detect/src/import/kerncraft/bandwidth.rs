//! What its benchmarks measured in memory: `benchmarks`, `measurements`, `MEM`, one thread a core.

use super::KerncraftFile;
use crate::machine_file::MachineDescription;
use premiss_machine::Bandwidth;
use serde_json::Value;

pub(super) fn describe(
    file: &KerncraftFile,
    description: &mut MachineDescription,
    warnings: &mut Vec<String>,
) {
    let Some(run) = runs(&file.benchmarks) else {
        warnings.push("its benchmarks have no bandwidth of memory".to_owned());
        return;
    };
    let counts: Vec<u64> = list(run.get("cores")).filter_map(Value::as_u64).collect();
    let results = run.get("results").and_then(|x| x.get("load"));
    let loads: Vec<Option<Bandwidth>> = list(results).map(read).collect();
    if loads.is_empty() || counts.len() != loads.len() {
        warnings.push(
            "its benchmark `load` of memory is not a bandwidth for each number of cores".to_owned(),
        );
        return;
    }
    for (load, cores) in loads.iter().zip(&counts) {
        if load.is_none() {
            warnings.push(format!(
                "its benchmark `load` of memory on {cores} cores is no bandwidth"
            ));
        }
    }
    let best = loads.iter().flatten().max_by_key(|x| per_second(**x));
    if let Some(best) = best {
        let most = counts.iter().max().copied().unwrap_or(0);
        let source = format!("measured: load on up to {most} cores");
        description.memory.figure("bandwidth", best, &source);
        if file.cores.is_some_and(|cores| u64::from(cores) != most) {
            warnings.push(format!(
                "the bandwidth of memory is that of {most} cores, not of a socket"
            ));
        }
    }
    if let (Some(Some(one)), Some(1)) = (loads.first(), counts.first()) {
        description
            .memory
            .figure("core_bandwidth", one, "measured: load on one core");
    }
}

fn runs(benchmarks: &Value) -> Option<&Value> {
    let memory = benchmarks.get("measurements")?.get("MEM")?;
    memory.get("1")
}

fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

fn read(value: &Value) -> Option<Bandwidth> {
    Bandwidth::parse("load", value.as_str()?).ok()
}

fn per_second(bandwidth: Bandwidth) -> u64 {
    match bandwidth {
        Bandwidth::PerSecond(bytes) => bytes,
        Bandwidth::PerCycle(_) => 0,
    }
}
