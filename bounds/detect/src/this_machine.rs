//! The machine at hand as a machine file: shapes of caches from sysfs, TLBs and vectors from CPUID, the clock and the
//! cores from either, and speeds from measurements on request.
//!
//! sysfs wins where both describe a cache; a contradiction between the two is a warning.

use crate::cpuid::{self, Processor};
use crate::error::DetectError;
use crate::machine_file::{MachineDescription, MachineFile, TomlTable};
use crate::measure::{self, MeasurementPlan};
use crate::sysfs::{self, Cache};
use crate::topology::{self, Topology};
use premiss_machine::Frequency;

/// Where Linux describes the caches of a processor.
const SYSFS: &str = "/sys/devices/system/cpu/cpu0/cache";

/// Whether to run loops to find out how fast the machine is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Speeds {
    /// Only what the kernel and the processor report.
    Reported,
    /// Also what loops measure, which run for some seconds.
    Measured,
}

/// Describes this computer; `name` becomes the name of the machine.
///
/// # Errors
/// [`DetectError::Io`] where sysfs cannot be read; [`DetectError::File`] where it describes no caches, or no machine
/// that can be.
pub fn detect(name: &str, speeds: Speeds) -> Result<MachineFile, DetectError> {
    let (caches, mut warnings) = sysfs::read(SYSFS)?;
    let processor = cpuid::read();
    let topology = topology::read();
    if let Some(processor) = &processor {
        warnings.extend(contradictions(&caches, processor));
    }
    let mut description = describe(name, &caches, processor.as_ref());
    reported_speeds(&mut description, (&caches, processor.as_ref()), &topology);
    match speeds {
        Speeds::Reported => warnings.push(
            "the speeds of caches and memory are missing: --measure measures them, in some seconds"
                .to_owned(),
        ),
        Speeds::Measured => {
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            let plan = MeasurementPlan {
                caches: caches.iter().map(|cache| cache.size).collect(),
                threads,
                available: topology.available,
            };
            warnings.extend(measure::measure(&mut description, &plan));
        }
    }
    finish(&description, SYSFS, warnings)
}

/// Describes a computer whose sysfs folder was recorded; neither the processor nor the kernel of this one matter.
///
/// # Errors
/// [`DetectError::Io`] where the folder cannot be read; [`DetectError::File`] where it describes no caches, or no
/// machine that can be.
pub fn detect_recorded(name: &str, folder: &str) -> Result<MachineFile, DetectError> {
    let (caches, warnings) = sysfs::read(folder)?;
    finish(&describe(name, &caches, None), folder, warnings)
}

fn finish(
    description: &MachineDescription,
    folder: &str,
    mut warnings: Vec<String>,
) -> Result<MachineFile, DetectError> {
    if description.tlbs.is_empty() {
        let why = "its TLBs are not known: add [[tlb]] tables from the processor's manual";
        warnings.push(why.to_owned());
    }
    let toml = description.toml(&format!("`{folder}`"))?;
    Ok(MachineFile { toml, warnings })
}

/// Reasons to doubt what the kernel reports: a hypervisor, or a processor that reports something else.
fn contradictions(caches: &[Cache], processor: &Processor) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(hypervisor) = &processor.hypervisor {
        warnings.push(format!(
            "this is a virtual machine ({hypervisor}): the caches and TLBs that it tells of need not be \
             those of the hardware"
        ));
    }
    for cache in caches {
        let same_level = |other: &&Cache| other.level == cache.level;
        let Some(other) = processor.caches.iter().find(same_level) else {
            if !processor.caches.is_empty() {
                let level = cache.level;
                warnings.push(format!("sysfs has an L{level} cache, CPUID has none"));
            }
            continue;
        };
        if (cache.size, cache.ways, cache.line) != (other.size, other.ways, other.line) {
            warnings.push(format!(
                "sysfs and CPUID disagree on L{}: {} and {}; the file has what sysfs says",
                cache.level,
                cache.shape(),
                other.shape()
            ));
        }
    }
    warnings
}

/// The shapes of caches and TLBs, and which processors share a cache.
fn describe(name: &str, caches: &[Cache], processor: Option<&Processor>) -> MachineDescription {
    let of_cache = |cache: &Cache| {
        let level = format!("L{}", cache.level);
        let mut table = TomlTable::cache(&level, cache.size, cache.ways, cache.line);
        if let Some(shared) = &cache.shared {
            table.figure("name", &level, &format!("shared by processors {shared}"));
        }
        table
    };
    let tlbs = processor.map_or(&[][..], |x| &x.tlbs);
    let of_tlb = |tlb: &cpuid::Tlb| TomlTable::tlb(tlb.name, tlb.entries, tlb.ways, 4096);
    MachineDescription {
        comments: vec!["What one core sees, as sysfs and CPUID tell.".to_owned()],
        name: name.to_owned(),
        title: processor.and_then(|x| x.title.clone()),
        caches: caches.iter().map(of_cache).collect(),
        tlbs: tlbs.iter().map(of_tlb).collect(),
        ..MachineDescription::default()
    }
}

/// Adds the clock, the number of cores, the length of vectors, and how many cores share each cache.
fn reported_speeds(
    description: &mut MachineDescription,
    (caches, processor): (&[Cache], Option<&Processor>),
    topology: &Topology,
) {
    let base = processor.and_then(|x| x.base_megahertz);
    let base = base.map(|megahertz| (u64::from(megahertz) * 1000, "CPUID: base frequency"));
    let clock = base.or(topology.clock).filter(|(clock, _)| 0 < *clock);
    if let Some((kilohertz, source)) = clock {
        let frequency = Frequency(kilohertz.saturating_mul(1000));
        description.core.figure("frequency", frequency, source);
    }
    if let Some(cores) = topology.cores {
        description
            .core
            .rate("cores", cores, "sysfs: of this package");
    }
    if let Some((bytes, name)) = processor.and_then(|x| x.vector) {
        let source = format!("CPUID: {name}");
        description
            .core
            .figure("vector", format_args!("{bytes} B"), &source);
    }
    if processor.is_some_and(|x| !x.fuses) {
        description.core.rate("fused", 0, "CPUID: there is no FMA");
    }
    let threads = topology.threads.unwrap_or(1).max(1);
    for (table, cache) in description.caches.iter_mut().zip(caches) {
        let processors = cache.shared.as_deref().map_or(Some(1), topology::count);
        if let Some(processors) = processors {
            table.number("cores", (processors / threads).max(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpuid::Tlb;
    use premiss_machine::Machine;

    fn cache(level: u64, size: u64, ways: u64) -> Cache {
        Cache {
            level,
            size,
            ways: Some(ways),
            line: 64,
            shared: None,
        }
    }

    fn processor(caches: Vec<Cache>) -> Processor {
        Processor {
            title: Some("A \"processor\"".to_owned()),
            hypervisor: None,
            caches,
            tlbs: vec![Tlb {
                name: "dTLB",
                entries: 64,
                ways: None,
            }],
            base_megahertz: Some(2400),
            vector: Some((32, "AVX2")),
            fuses: false,
        }
    }

    #[test]
    fn what_is_reported_can_be_read() {
        let mut caches = [cache(1, 32 << 10, 8), cache(2, 1 << 20, 16)];
        caches[1].shared = Some("0-3".to_owned());
        let processor = processor(Vec::new());
        let mut description = describe("here", &caches, Some(&processor));
        let topology = Topology {
            cores: Some(4),
            threads: Some(2),
            ..Topology::default()
        };
        reported_speeds(&mut description, (&caches, Some(&processor)), &topology);
        let machine = Machine::from_toml(&description.toml("x").unwrap()).unwrap();
        assert_eq!(
            machine.canonical(),
            "cache L1=32768,8,64\ncache L2=1048576,16,64\ntlb dTLB=64,full,4096\n"
        );
        assert_eq!(machine.title(), "A \"processor\"");
        let core = machine.core().unwrap();
        assert_eq!((core.frequency, core.cores), (Frequency(2_400_000_000), 4));
        assert_eq!((core.vector_double, core.floating), (32, None));
        let shared: Vec<_> = machine
            .caches()
            .iter()
            .map(|x| x.transfer().cores)
            .collect();
        assert_eq!(shared, [Some(1), Some(2)]);
    }

    #[test]
    fn virtual_machines_and_contradictions_are_warnings() {
        let caches = [cache(1, 32 << 10, 8), cache(2, 1 << 20, 16)];
        assert!(contradictions(&caches, &processor(caches.to_vec())).is_empty());
        let mut other = processor(vec![cache(1, 48 << 10, 12)]);
        other.hypervisor = Some("KVM".to_owned());
        let warnings = contradictions(&caches, &other);
        assert!(warnings[0].contains("virtual machine (KVM)"));
        assert!(
            warnings[1].contains("disagree on L1: 32 KiB 8-way") && warnings[1].contains("48 KiB")
        );
        assert!(warnings[2].contains("CPUID has none"));
    }
}
