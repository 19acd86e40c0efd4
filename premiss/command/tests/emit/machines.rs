//! On what machines times are compared.

use crate::root;
use premiss_machine::{CacheLevel, Machine, shipped};

/// The machines that are asked for.
#[derive(Clone, Copy)]
pub(crate) enum TimedMachine {
    /// One cache of 64 lines, with nothing said of speeds.
    Bare,
    /// The one of a file below `testdata/machines`.
    File(&'static str),
    /// One that comes along.
    Shipped(&'static str),
}

const BARE: &str = "L1=4KiB,full,64";

impl TimedMachine {
    pub(crate) fn options(self) -> [String; 2] {
        match self {
            Self::Bare => ["--cache".to_owned(), BARE.to_owned()],
            Self::File(name) => ["-m".to_owned(), format!("testdata/machines/{name}")],
            Self::Shipped(name) => ["-m".to_owned(), name.to_owned()],
        }
    }

    pub(crate) fn machine(self) -> Machine {
        let machine = match self {
            Self::Bare => {
                let level = CacheLevel::parse(BARE).expect("a level");
                Machine::new("bare", "", vec![level], Vec::new())
            }
            Self::File(name) => {
                let path = root().join("testdata/machines").join(name);
                Machine::from_toml(&std::fs::read_to_string(path).expect("a file"))
            }
            Self::Shipped(name) => Ok(shipped(name).expect("it comes along")),
        };
        machine.expect("a machine")
    }
}
