//! The machine of a report.

use super::forms::{CacheJson, MachineJson, TlbJson};
use premiss_machine::{Machine, Ways};

pub(super) fn machine(machine: &Machine) -> MachineJson<'_> {
    let caches = machine.caches().iter().map(|cache| CacheJson {
        name: cache.name(),
        size: cache.size(),
        ways: cache.geometry().ways,
        sets: cache.geometry().sets,
        line_size: cache.line_size(),
        fully_associative: cache.ways() == Ways::Full,
        replacement: cache.kind().words()[0],
        write: cache.kind().words()[1],
        allocate: cache.kind().words()[2],
    });
    let tlbs = machine.tlbs().iter().map(|tlb| TlbJson {
        name: tlb.name(),
        entries: tlb.entries(),
        ways: tlb.geometry().ways,
        sets: tlb.geometry().sets,
        page_size: tlb.page_size(),
        fully_associative: tlb.ways() == Ways::Full,
        replacement: tlb.kind().words()[0],
    });
    MachineJson {
        name: machine.name(),
        id: machine.id(),
        hash: format!("{:016x}", machine.hash()),
        title: machine.title(),
        caches: caches.collect(),
        tlbs: tlbs.collect(),
    }
}
