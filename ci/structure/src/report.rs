//! The measures of a workspace as text.

use std::fmt;

use crate::sizes::Sizes;
use crate::structure::Structure;

/// How many of the largest are listed.
const N_LARGEST: usize = 10;

impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_sizes(f, "lines by file", &self.files)?;
        write_sizes(f, "lines by function", &self.functions)?;
        write_sizes(f, "methods by type", &self.methods)?;
        writeln!(f, "cycles of modules: {}", self.cycles.len())?;
        for cycle in &self.cycles {
            writeln!(f, "{:6}  {}", cycle.files.len(), cycle.package)?;
            for file in &cycle.files {
                writeln!(f, "          {file}")?;
            }
        }
        writeln!(f, "banned names: {}", self.banned.len())?;
        for name in &self.banned {
            writeln!(f, "        {} {} {}", name.location, name.kind, name.name)?;
        }
        writeln!(f, "names of more than three types: {}", self.shared.len())?;
        for shared in &self.shared {
            writeln!(f, "{:6}  {}", shared.locations.len(), shared.name)?;
            for location in &shared.locations {
                writeln!(f, "          {location}")?;
            }
        }
        Ok(())
    }
}

fn write_sizes(f: &mut fmt::Formatter<'_>, title: &str, sizes: &Sizes) -> fmt::Result {
    writeln!(
        f,
        "{title}: {} measured, median {}, p90 {}, max {}",
        sizes.count, sizes.median, sizes.p90, sizes.max
    )?;
    for (size, name) in sizes.descending.iter().take(N_LARGEST) {
        writeln!(f, "{size:6}  {name}")?;
    }
    Ok(())
}
