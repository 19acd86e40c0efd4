//! The machines that come with premiss.

use crate::{Machine, MachineError};

/// The names of the machines that come along.
pub const SHIPPED: [&str; 3] = ["neoverse-v2", "spr", "zen4"];

/// The TOML text of a machine that comes along, with its sources in comments.
#[must_use]
pub fn shipped_text(name: &str) -> Option<&'static str> {
    match name {
        "neoverse-v2" => Some(include_str!("../shipped/neoverse-v2.toml")),
        "spr" => Some(include_str!("../shipped/spr.toml")),
        "zen4" => Some(include_str!("../shipped/zen4.toml")),
        _ => None,
    }
}

/// A machine that comes along.
///
/// # Errors
///
/// There is none of that name.
pub fn shipped(name: &str) -> Result<Machine, MachineError> {
    let unshipped = || MachineError::Unshipped(name.to_owned());
    Machine::from_toml(shipped_text(name).ok_or_else(unshipped)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_machine_is_one_and_bears_its_name() {
        for name in SHIPPED {
            assert_eq!(shipped(name).unwrap().name(), name);
        }
        assert!(shipped("vax").is_err());
    }

    #[test]
    fn fingerprints_do_not_move() {
        let ids = SHIPPED.map(|name| shipped(name).unwrap().id());
        assert_eq!(ids, ["neoverse-v2@51b6", "spr@5c17", "zen4@93f9"]);
    }
}
