//! What the processor reports by CPUID: TLBs, caches, and whether it is a virtual one.

use super::sysfs::Cache;

/// A processor.
#[derive(Debug)]
pub(crate) struct Processor {
    /// Its brand name.
    pub(crate) title: Option<String>,
    /// Under which hypervisor it runs, if any.
    pub(crate) hypervisor: Option<String>,
    /// Caches for data.
    pub(crate) caches: Vec<Cache>,
    /// TLBs for data and pages of 4 KiB, nearest first.
    pub(crate) tlbs: Vec<Tlb>,
    /// Its clock without turbo.
    pub(crate) base_megahertz: Option<u32>,
    /// Bytes of the longest vectors of real numbers, and the name of the instruction set.
    pub(crate) vector: Option<(u32, &'static str)>,
    /// Whether it multiplies and adds in one instruction.
    pub(crate) fuses: bool,
}

/// A TLB.
#[derive(Debug)]
pub(crate) struct Tlb {
    pub(crate) name: &'static str,
    pub(crate) entries: u64,
    /// `None` where it is fully associative.
    pub(crate) ways: Option<u64>,
}

/// Asks the processor; other architectures have no CPUID.
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
pub(crate) fn read() -> Option<Processor> {
    None
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use x86::read;

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86 {
    use super::{Cache, Processor, Tlb};
    use raw_cpuid::{Associativity, CacheType, CpuId, CpuIdReaderNative, DatType};

    type Reader = CpuId<CpuIdReaderNative>;

    /// Asks the processor.
    pub(crate) fn read() -> Option<Processor> {
        let cpuid = CpuId::new();
        let brand = cpuid.get_processor_brand_string();
        let title = brand.map(|brand| brand.as_str().trim().to_owned());
        let is_virtual = cpuid
            .get_feature_info()
            .is_some_and(|features| features.has_hypervisor());
        let hypervisor = is_virtual.then(|| match cpuid.get_hypervisor_info() {
            Some(info) => match info.identify() {
                raw_cpuid::Hypervisor::Unknown(..) => "of an unknown kind".to_owned(),
                known => format!("{known:?}"),
            },
            None => "of an unknown kind".to_owned(),
        });
        let tlbs = match translation_tlbs(&cpuid) {
            tlbs if tlbs.is_empty() => extended_tlbs(&cpuid),
            tlbs => tlbs,
        };
        Some(Processor {
            title: title.filter(|title| !title.is_empty()),
            hypervisor,
            caches: caches(&cpuid),
            tlbs,
            base_megahertz: base_megahertz(&cpuid),
            vector: Some(vector(&cpuid)),
            fuses: cpuid.get_feature_info().is_some_and(|x| x.has_fma()),
        })
    }

    /// Leaf 0x16, where it says anything.
    fn base_megahertz(cpuid: &Reader) -> Option<u32> {
        let info = cpuid.get_processor_frequency_info()?;
        let base = u32::from(info.processor_base_frequency());
        Some(base).filter(|base| 0 < *base)
    }

    fn vector(cpuid: &Reader) -> (u32, &'static str) {
        let has_avx512 = cpuid
            .get_extended_feature_info()
            .is_some_and(|x| x.has_avx512f());
        let has_avx = cpuid.get_feature_info().is_some_and(|x| x.has_avx());
        match (has_avx512, has_avx) {
            (true, _) => (64, "AVX-512"),
            (false, true) => (32, "AVX"),
            (false, false) => (16, "SSE2"),
        }
    }

    /// Leaf 4, or 0x8000001D.
    fn caches(cpuid: &Reader) -> Vec<Cache> {
        let caches = cpuid.get_cache_parameters().into_iter().flatten().take(32);
        let for_data =
            caches.filter(|x| matches!(x.cache_type(), CacheType::Data | CacheType::Unified));
        let of_one = |x: raw_cpuid::CacheParameter| {
            let (ways, sets) = (to_u64(x.associativity()), to_u64(x.sets()));
            let line = to_u64(x.coherency_line_size());
            let partitions = to_u64(x.physical_line_partitions());
            let size = [sets, line, partitions]
                .iter()
                .try_fold(ways, |product, x| product.checked_mul(*x));
            Some(Cache {
                level: u64::from(x.level()),
                size: size?,
                ways: Some(ways).filter(|_| !x.is_fully_associative()),
                line,
                shared: None,
            })
        };
        for_data.filter_map(of_one).collect()
    }

    /// Leaf 0x18 (Intel): the first TLB of each level that takes loads and pages of 4 KiB.
    fn translation_tlbs(cpuid: &Reader) -> Vec<Tlb> {
        let mut tlbs = Vec::new();
        let all = cpuid.get_deterministic_address_translation_info();
        let all: Vec<_> = all.into_iter().flatten().take(64).collect();
        for (level, name) in [(1, "dTLB"), (2, "STLB")] {
            let mut fitting = all.iter().filter(|x| {
                x.cache_level() == level
                    && x.has_4k_entries()
                    && matches!(
                        x.cache_type(),
                        DatType::DataTLB | DatType::UnifiedTLB | DatType::LoadOnly
                    )
            });
            let Some(found) = fitting.next() else {
                continue;
            };
            let (ways, sets) = (u64::from(found.ways()), u64::from(found.sets()));
            tlbs.extend(tlb(
                name,
                ways * sets,
                Some(ways).filter(|ways| 1 < sets || *ways == 1),
            ));
        }
        tlbs
    }

    /// Leaves 0x80000005 and 0x80000006 (AMD).
    fn extended_tlbs(cpuid: &Reader) -> Vec<Tlb> {
        let first = cpuid.get_l1_cache_and_tlb_info().and_then(|x| {
            let ways = ways(&x.dtlb_4k_associativity())?;
            tlb("dTLB", u64::from(x.dtlb_4k_size()), ways)
        });
        let second = cpuid.get_l2_l3_cache_and_tlb_info().and_then(|x| {
            let ways = ways(&x.dtlb_4k_associativity())?;
            tlb("STLB", u64::from(x.dtlb_4k_size()), ways)
        });
        first.into_iter().chain(second).collect()
    }

    /// `None` where it is not known or there is nothing, `Some(None)` where all ways are one set.
    fn ways(associativity: &Associativity) -> Option<Option<u64>> {
        match associativity {
            Associativity::DirectMapped => Some(Some(1)),
            Associativity::NWay(ways) => Some(Some(u64::from(*ways))),
            Associativity::FullyAssociative => Some(None),
            Associativity::Disabled | Associativity::Unknown => None,
        }
    }

    /// A TLB, where its entries are whole sets.
    fn tlb(name: &'static str, entries: u64, ways: Option<u64>) -> Option<Tlb> {
        let is_whole = ways.is_none_or(|ways| 0 < ways && entries.is_multiple_of(ways));
        (0 < entries && is_whole).then_some(Tlb {
            name,
            entries,
            ways,
        })
    }

    fn to_u64(number: usize) -> u64 {
        u64::try_from(number).unwrap_or(u64::MAX)
    }
}
