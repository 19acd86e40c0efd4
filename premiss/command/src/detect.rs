//! The machine at hand: what the kernel and the processor say of it, and what is measured, as a file for
//! `--machine`.

mod cpuid;
mod measure;
mod sysfs;
mod topology;

use crate::failure::Failure;
use crate::sheet::{Found, Sheet, Table};
use cpuid::Processor;
use measure::Plan;
use premiss_machine::Frequency;
use sysfs::Cache;
use topology::Topology;

/// Where Linux describes the caches of a processor.
const SYSFS: &str = "/sys/devices/system/cpu/cpu0/cache";

/// Whether to run loops to find out how fast it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Speeds {
    Told,
    Measured,
}

/// Describes this computer.
///
/// # Errors
/// The kernel tells of no caches, or of none that can be.
pub(crate) fn detect(name: &str, speeds: Speeds) -> Result<Found, Failure> {
    let (caches, mut warnings) = sysfs::read(SYSFS)?;
    let processor = cpuid::read();
    let topology = topology::read();
    if let Some(processor) = &processor {
        warnings.extend(doubts(&caches, processor));
    }
    let mut sheet = described(name, &caches, processor.as_ref());
    speeds_told(&mut sheet, (&caches, processor.as_ref()), &topology);
    match speeds {
        Speeds::Told => warnings.push(
            "how fast caches and memory are is not told: --measure measures it, for some seconds"
                .to_owned(),
        ),
        Speeds::Measured => {
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            let plan = Plan {
                caches: caches.iter().map(|cache| cache.size).collect(),
                threads,
                available: topology.available,
            };
            warnings.extend(measure::measure(&mut sheet, &plan));
        }
    }
    finished(&sheet, SYSFS, warnings)
}

/// Describes a computer whose sysfs folder was recorded: nothing is asked of this one.
///
/// # Errors
/// The folder tells of no caches, or of none that can be.
pub(crate) fn recorded(name: &str, folder: &str) -> Result<Found, Failure> {
    let (caches, warnings) = sysfs::read(folder)?;
    finished(&described(name, &caches, None), folder, warnings)
}

fn finished(sheet: &Sheet, folder: &str, mut warnings: Vec<String>) -> Result<Found, Failure> {
    if sheet.tlbs.is_empty() {
        let why = "its TLBs are not known: add [[tlb]] tables from the processor's manual";
        warnings.push(why.to_owned());
    }
    let toml = sheet.toml(&format!("`{folder}`"))?;
    Ok(Found { toml, warnings })
}

/// Why what the kernel says need not be so.
fn doubts(caches: &[Cache], processor: &Processor) -> Vec<String> {
    let mut doubts = Vec::new();
    if let Some(hypervisor) = &processor.hypervisor {
        doubts.push(format!(
            "this is a virtual machine ({hypervisor}): the caches and TLBs that it tells of need not be \
             those of the hardware"
        ));
    }
    for cache in caches {
        let same_level = |other: &&Cache| other.level == cache.level;
        let Some(other) = processor.caches.iter().find(same_level) else {
            if !processor.caches.is_empty() {
                let level = cache.level;
                doubts.push(format!("sysfs has an L{level} cache, CPUID has none"));
            }
            continue;
        };
        if (cache.size, cache.ways, cache.line) != (other.size, other.ways, other.line) {
            doubts.push(format!(
                "sysfs and CPUID disagree on L{}: {} and {}; the file has what sysfs says",
                cache.level,
                cache.described(),
                other.described()
            ));
        }
    }
    doubts
}

/// Shapes, and who shares them.
fn described(name: &str, caches: &[Cache], processor: Option<&Processor>) -> Sheet {
    let of_cache = |cache: &Cache| {
        let level = format!("L{}", cache.level);
        let mut table = Table::cache(&level, cache.size, cache.ways, cache.line);
        if let Some(shared) = &cache.shared {
            table.figure("name", &level, &format!("shared by processors {shared}"));
        }
        table
    };
    let tlbs = processor.map_or(&[][..], |x| &x.tlbs);
    let of_tlb = |tlb: &cpuid::Tlb| Table::tlb(tlb.name, tlb.entries, tlb.ways, 4096);
    Sheet {
        comments: vec!["What one core sees, as sysfs and CPUID tell.".to_owned()],
        name: name.to_owned(),
        title: processor.and_then(|x| x.title.clone()),
        caches: caches.iter().map(of_cache).collect(),
        tlbs: tlbs.iter().map(of_tlb).collect(),
        ..Sheet::default()
    }
}

/// The clock, the cores and the vectors; who shares a cache, in cores.
fn speeds_told(
    sheet: &mut Sheet,
    (caches, processor): (&[Cache], Option<&Processor>),
    topology: &Topology,
) {
    let base = processor.and_then(|x| x.base_megahertz);
    let base = base.map(|megahertz| (u64::from(megahertz) * 1000, "CPUID: base frequency"));
    let clock = base.or(topology.clock).filter(|(clock, _)| 0 < *clock);
    if let Some((kilohertz, source)) = clock {
        let frequency = Frequency(kilohertz.saturating_mul(1000));
        sheet.core.figure("frequency", frequency, source);
    }
    if let Some(cores) = topology.cores {
        sheet.core.rate("cores", cores, "sysfs: of this package");
    }
    if let Some((bytes, name)) = processor.and_then(|x| x.vector) {
        let source = format!("CPUID: {name}");
        sheet
            .core
            .figure("vector", format_args!("{bytes} B"), &source);
    }
    if processor.is_some_and(|x| !x.fuses) {
        sheet.core.rate("fused", 0, "CPUID: there is no FMA");
    }
    let threads = topology.threads.unwrap_or(1).max(1);
    for (table, cache) in sheet.caches.iter_mut().zip(caches) {
        let processors = cache.shared.as_deref().map_or(Some(1), topology::count);
        if let Some(processors) = processors {
            table.number("cores", (processors / threads).max(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cpuid::Tlb;
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
    fn what_is_told_can_be_read() {
        let mut caches = [cache(1, 32 << 10, 8), cache(2, 1 << 20, 16)];
        caches[1].shared = Some("0-3".to_owned());
        let processor = processor(Vec::new());
        let mut sheet = described("here", &caches, Some(&processor));
        let topology = Topology {
            cores: Some(4),
            threads: Some(2),
            ..Topology::default()
        };
        speeds_told(&mut sheet, (&caches, Some(&processor)), &topology);
        let machine = Machine::from_toml(&sheet.toml("x").unwrap()).unwrap();
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
    fn virtual_machines_and_disagreements_are_doubts() {
        let caches = [cache(1, 32 << 10, 8), cache(2, 1 << 20, 16)];
        assert!(doubts(&caches, &processor(caches.to_vec())).is_empty());
        let mut other = processor(vec![cache(1, 48 << 10, 12)]);
        other.hypervisor = Some("KVM".to_owned());
        let doubts = doubts(&caches, &other);
        assert!(doubts[0].contains("virtual machine (KVM)"));
        assert!(doubts[1].contains("disagree on L1: 32 KiB 8-way") && doubts[1].contains("48 KiB"));
        assert!(doubts[2].contains("CPUID has none"));
    }
}
