//! Descriptions of machines: the caches and TLBs that one core sees, and how fast all of it is.
//!
//! A [`Machine`] is shipped ([`shipped()`]), read from a TOML file ([`Machine::from_toml`]) or put
//! together from single levels ([`CacheLevel::parse`], [`TlbLevel::parse`], [`Machine::new`]).
//! However it came, it has passed the same checks: every level divides into whole sets, and no two
//! have the same name. Nothing here simulates accesses or counts misses.
//!
//! ```
//! use premiss_machine::{CacheLevel, Machine, MachineError};
//!
//! let l1 = CacheLevel::parse("L1=32KiB,8,64")?;
//! assert_eq!((l1.geometry().sets, l1.geometry().ways), (64, 8));
//! let machine = Machine::new("mine", "", vec![l1], Vec::new())?;
//! assert_eq!(machine.caches().len(), 1);
//!
//! let error = CacheLevel::parse("L1=1000,8,64").unwrap_err();
//! assert!(matches!(error, MachineError::Sets { .. }));
//! # Ok::<(), MachineError>(())
//! ```

mod chain;
mod error;
mod file;
mod flag;
mod kind;
mod level;
mod machine;
mod quantity;
mod rate;
mod shipped;
mod speeds;
mod timing;

pub use chain::{CacheChain, chains, line_sizes};
pub use error::MachineError;
pub use kind::CachePolicy;
pub use level::{CacheLevel, TlbLevel, Ways};
pub use machine::Machine;
pub use quantity::{format_bytes, parse_bytes};
pub use rate::{Bandwidth, Delay, Frequency, Rate};
pub use shipped::{SHIPPED, shipped, shipped_text};
pub use timing::{Core, Memory, Transfer};
