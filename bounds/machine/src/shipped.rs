//! The machines that come with premiss.

use crate::{Machine, MachineError};

/// The machines that come with premiss: their names and their texts, with the sources in comments.
const TEXTS: [(&str, &str); 15] = [
    ("a64fx", include_str!("../shipped/a64fx.toml")),
    ("icx", include_str!("../shipped/icx.toml")),
    ("itanium2", include_str!("../shipped/itanium2.toml")),
    ("neoverse-n1", include_str!("../shipped/neoverse-n1.toml")),
    ("neoverse-v2", include_str!("../shipped/neoverse-v2.toml")),
    ("origin2000", include_str!("../shipped/origin2000.toml")),
    ("pentium3", include_str!("../shipped/pentium3.toml")),
    ("raptor-lake", include_str!("../shipped/raptor-lake.toml")),
    ("skx", include_str!("../shipped/skx.toml")),
    ("spr", include_str!("../shipped/spr.toml")),
    ("tiger-lake", include_str!("../shipped/tiger-lake.toml")),
    ("u74", include_str!("../shipped/u74.toml")),
    (
        "ultrasparc-iie",
        include_str!("../shipped/ultrasparc-iie.toml"),
    ),
    ("zen3", include_str!("../shipped/zen3.toml")),
    ("zen4", include_str!("../shipped/zen4.toml")),
];

/// The names of the machines that come with premiss.
pub const SHIPPED: [&str; TEXTS.len()] = names();

const fn names() -> [&'static str; TEXTS.len()] {
    let mut names = [""; TEXTS.len()];
    let mut idx = 0;
    while idx < names.len() {
        names[idx] = TEXTS[idx].0;
        idx += 1;
    }
    names
}

/// The TOML text of a machine that comes with premiss, with its sources in comments; `None` where there is none of that
/// name.
#[must_use]
pub fn shipped_text(name: &str) -> Option<&'static str> {
    let found = TEXTS.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text)
}

/// A machine that comes with premiss.
///
/// # Errors
///
/// [`MachineError::Unshipped`] where there is none of that name.
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
        // Computed from the files by a script that shares no code with this.
        let ids = SHIPPED.map(|name| shipped(name).unwrap().id());
        let expected = [
            "a64fx@3a4e",
            "icx@5525",
            "itanium2@1e00",
            "neoverse-n1@62d4",
            "neoverse-v2@51b6",
            "origin2000@c4c8",
            "pentium3@ca90",
            "raptor-lake@2d61",
            "skx@b2fb",
            "spr@5c17",
            "tiger-lake@51b2",
            "u74@5aa2",
            "ultrasparc-iie@90f3",
            "zen3@68ab",
            "zen4@93f9",
        ];
        assert_eq!(ids.each_ref().map(String::as_str), expected);
    }

    #[test]
    fn every_figure_of_speed_has_its_source_beside_it() {
        let keys = [
            "issue",
            "floating",
            "fused",
            "divide",
            "square_root",
            "loads",
            "stores",
            "vector",
            "fill_buffers",
            "latency",
            "bandwidth",
            "core_bandwidth",
            "miss",
        ];
        for (name, text) in TEXTS {
            for line in text.lines() {
                let key = line.split_once('=').map_or("", |(key, _)| key.trim());
                let has_source = line.contains(" # ");
                assert!(!keys.contains(&key) || has_source, "{name}: {line}");
            }
        }
    }

    #[test]
    fn every_shipped_machine_has_a_clock_and_knows_its_peak() {
        for name in SHIPPED {
            let machine = shipped(name).unwrap();
            let core = machine.core().unwrap_or_else(|| panic!("{name}: no core"));
            assert!(core.floating.is_some(), "{name}");
            assert!(core.fused <= core.floating.unwrap(), "{name}");
        }
    }
}
