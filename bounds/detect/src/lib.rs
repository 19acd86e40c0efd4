//! From a computer, or from what another tool wrote about one, to a machine file.
//!
//! [`detect()`] describes the computer that it runs on: what Linux reports in sysfs, what the processor reports by
//! CPUID, and, on request, what short loops measure. [`detect_recorded()`] does the same for a recorded sysfs folder,
//! and [`import()`] for files of Kerncraft and hwloc and for options of valgrind.
//!
//! The result is a [`MachineFile`]: TOML that [`premiss_machine::Machine`] reads (each conversion checks that), with
//! the source of each figure as a comment, and warnings about figures that are missing or contradict each other.
//! Nothing here prints. This is the only crate with assembly; all its `unsafe` code is in the measured loops.

mod cpuid;
mod error;
mod import;
mod machine_file;
mod measure;
mod sysfs;
mod this_machine;
mod topology;

pub use error::DetectError;
pub use import::{Description, import};
pub use machine_file::MachineFile;
pub use this_machine::{Speeds, detect, detect_recorded};
