//! The machine at hand: what the kernel and the processor say of it, as a file for `--machine`.

mod cpuid;
mod sysfs;

use crate::failure::Failure;
use cpuid::Processor;
use premiss_machine::Machine;
use std::fmt::Write as _;
use sysfs::Cache;

/// Where Linux describes the caches of a processor.
const SYSFS: &str = "/sys/devices/system/cpu/cpu0/cache";

/// A machine file, and what is doubtful about it.
#[derive(Debug)]
pub(crate) struct Detected {
    pub(crate) toml: String,
    pub(crate) warnings: Vec<String>,
}

/// Describes this computer, or one whose sysfs folder was recorded: then no CPUID is asked.
pub(crate) fn detect(name: &str, recorded: Option<&str>) -> Result<Detected, Failure> {
    let folder = recorded.unwrap_or(SYSFS);
    let (caches, mut warnings) = sysfs::read(folder)?;
    let processor = match recorded {
        Some(_) => None,
        None => cpuid::read(),
    };
    if let Some(processor) = &processor {
        warnings.extend(doubts(&caches, processor));
    }
    let tlbs = processor.as_ref().map_or(&[][..], |x| &x.tlbs);
    if tlbs.is_empty() {
        let why = "its TLBs are not known: add [[tlb]] tables from the processor's manual";
        warnings.push(why.to_owned());
    }
    let toml = written(name, &caches, processor.as_ref());
    let refuse = |error| Failure::File(format!("`{folder}`: what it says is no machine: {error}"));
    Machine::from_toml(&toml).map_err(refuse)?;
    Ok(Detected { toml, warnings })
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

fn written(name: &str, caches: &[Cache], processor: Option<&Processor>) -> String {
    let mut text = String::from("# What one core sees, as sysfs and CPUID tell.\n");
    let _ = writeln!(text, "name = {}", quoted(name));
    if let Some(title) = processor.and_then(|x| x.title.as_deref()) {
        let _ = writeln!(text, "title = {}", quoted(title));
    }
    for cache in caches {
        let _ = writeln!(text, "\n[[cache]]");
        if let Some(shared) = &cache.shared {
            let _ = writeln!(text, "# shared by processors {shared}");
        }
        let _ = writeln!(text, "name = \"L{}\"", cache.level);
        let _ = writeln!(text, "size = {}", cache.size);
        match cache.ways {
            Some(ways) => writeln!(text, "ways = {ways}"),
            None => writeln!(text, "ways = \"full\""),
        }
        .unwrap_or_default();
        let _ = writeln!(text, "line = {}", cache.line);
    }
    for tlb in processor.map_or(&[][..], |x| &x.tlbs) {
        let _ = writeln!(text, "\n[[tlb]]\nname = \"{}\"", tlb.name);
        let _ = writeln!(text, "entries = {}", tlb.entries);
        match tlb.ways {
            Some(ways) => writeln!(text, "ways = {ways}"),
            None => writeln!(text, "ways = \"full\""),
        }
        .unwrap_or_default();
        let _ = writeln!(text, "page = 4096");
    }
    text
}

/// A TOML string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use cpuid::Tlb;

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
        }
    }

    #[test]
    fn what_is_written_can_be_read() {
        let caches = [cache(1, 32 << 10, 8), cache(2, 1 << 20, 16)];
        let toml = written("here", &caches, Some(&processor(Vec::new())));
        let machine = Machine::from_toml(&toml).unwrap();
        assert_eq!(
            machine.canonical(),
            "cache L1=32768,8,64\ncache L2=1048576,16,64\ntlb dTLB=64,full,4096\n"
        );
        assert_eq!(machine.title(), "A \"processor\"");
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
