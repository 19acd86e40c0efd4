//! Settings: what the command line leaves open is taken from the environment (`PREMISS_MACHINE`), and then from
//! the nearest `premiss.toml`.
//!
//! `file` makes a [`Layer`] of a file, `environment` one of variables; [`apply()`] puts what
//! they say into the places of options that the command line does not have, and tells what is in force.

mod apply;
mod environment;
mod file;
mod glob;
mod table;

pub(crate) use apply::apply;
use glob::PathGlob;

use crate::arguments::MissingFlags;
use premiss_source::Severity;
use std::collections::BTreeMap;

/// The text of a new `premiss.toml`: every setting, with what it is for.
pub(crate) const TEMPLATE: &str = include_str!("settings/premiss.toml");

/// The keys of a file.
const KEYS: [&str; 15] = [
    "machine",
    "cache",
    "tlb",
    "build",
    "missing-flags",
    "include",
    "define",
    "functions",
    "exclude",
    "min-coverage",
    "baseline",
    "limit",
    "limits",
    "params",
    "rules",
];

/// A value, and who says it.
#[derive(Clone, Debug)]
struct Set<T> {
    value: T,
    origin: Origin,
}

/// Where a value is from, strongest first.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Origin {
    CommandLine,
    /// The variable.
    Environment(&'static str),
    /// `premiss.toml:3`.
    File(String),
    Default,
}

/// What one source of settings says. Paths are as seen from the current folder.
#[derive(Debug, Default)]
struct Layer {
    machine: Option<Set<String>>,
    cache: Option<Set<Vec<String>>>,
    tlb: Option<Set<Vec<String>>>,
    build: Option<Set<String>>,
    missing_flags: Option<Set<MissingFlags>>,
    include: Option<Set<Vec<String>>>,
    define: Option<Set<Vec<String>>>,
    functions: Option<Set<Vec<String>>>,
    exclude: Option<Set<Vec<PathGlob>>>,
    min_coverage: Option<Set<f64>>,
    baseline: Option<Set<String>>,
    limit: Option<Set<String>>,
    /// Limits of kernels by patterns of their functions, in the order of the file: the first one that fits counts.
    limits: Vec<(String, Set<String>)>,
    params: BTreeMap<String, Set<i64>>,
    /// Sizes in some files, in the order of the file: what comes later counts.
    params_of: Vec<(PathGlob, BTreeMap<String, Set<i64>>)>,
    rules: RuleLevels<Set<Level>>,
}

/// What rules weigh, by their codes; the others keep their weight.
pub(crate) type RuleLevels<T = Level> = BTreeMap<&'static str, T>;

/// What the findings of a rule weigh.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Level {
    /// Nobody is told.
    Off,
    /// They are told at this severity; notes are no findings for the exit code.
    At(Severity),
}

/// What settings say of reading, beside the options of the command line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Configured {
    /// Macros, `NAME=VALUE`, which options come after.
    pub(crate) defines: Vec<String>,
    sizes: BTreeMap<String, i64>,
    sizes_of: Vec<(PathGlob, BTreeMap<String, i64>)>,
    exclude: Vec<PathGlob>,
}

impl Configured {
    /// The sizes of a file: those of all files, then those of the patterns that it fits, the last one first.
    pub(crate) fn sizes(&self, path: &str) -> BTreeMap<String, i64> {
        let mut sizes = self.sizes.clone();
        for (glob, own) in &self.sizes_of {
            if glob.has(path) {
                sizes.extend(own.clone());
            }
        }
        sizes
    }

    /// Whether a file in a folder, or of a build, is to be left out.
    pub(crate) fn excludes(&self, path: &str) -> bool {
        self.exclude.iter().any(|glob| glob.has(path))
    }
}

impl Layer {
    /// This one, and what it leaves open from another. Machines and levels are one choice.
    fn over(self, other: Self) -> Self {
        let has_levels = self.machine.is_some() || self.cache.is_some() || self.tlb.is_some();
        let (machine, cache, tlb) = match has_levels {
            true => (self.machine, self.cache, self.tlb),
            false => (other.machine, other.cache, other.tlb),
        };
        let mut params = other.params;
        params.extend(self.params);
        Self {
            machine,
            cache,
            tlb,
            build: self.build.or(other.build),
            missing_flags: self.missing_flags.or(other.missing_flags),
            include: self.include.or(other.include),
            define: self.define.or(other.define),
            functions: self.functions.or(other.functions),
            exclude: self.exclude.or(other.exclude),
            min_coverage: self.min_coverage.or(other.min_coverage),
            baseline: self.baseline.or(other.baseline),
            limit: self.limit.or(other.limit),
            limits: [other.limits, self.limits].concat(),
            params,
            params_of: [other.params_of, self.params_of].concat(),
            rules: other.rules.into_iter().chain(self.rules).collect(),
        }
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::CommandLine => f.write_str("command line"),
            Self::Environment(name) => f.write_str(name),
            Self::File(place) => f.write_str(place),
            Self::Default => f.write_str("default"),
        }
    }
}
