//! The settings of one source (a file, or the environment), each value with its place, and the precedence of sources.

use super::toml_text::{bare, flags_name, globs, level_name, quoted, share, texts};
use crate::arguments::MissingFlagsChoice;
use premiss_check::{PathGlob, RuleLevel};
use std::collections::BTreeMap;

/// The keys of a file.
pub(super) const KEYS: [&str; 16] = [
    "machine",
    "cache",
    "tlb",
    "build",
    "missing-flags",
    "include",
    "define",
    "functions",
    "type",
    "exclude",
    "min-coverage",
    "baseline",
    "limit",
    "limits",
    "params",
    "rules",
];

/// A value, and its origin.
#[derive(Clone, Debug)]
pub(super) struct Set<T> {
    pub(super) value: T,
    pub(super) origin: Origin,
}

/// The origin of a value, in order of precedence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    CommandLine,
    /// The variable.
    Environment(&'static str),
    /// `premiss.toml:3`.
    File(String),
    Default,
}

/// The settings of one source. Paths are relative to the current folder.
#[derive(Debug, Default)]
pub(super) struct Layer {
    pub(super) machine: Option<Set<String>>,
    pub(super) cache: Option<Set<Vec<String>>>,
    pub(super) tlb: Option<Set<Vec<String>>>,
    pub(super) build: Option<Set<String>>,
    pub(super) missing_flags: Option<Set<MissingFlagsChoice>>,
    pub(super) include: Option<Set<Vec<String>>>,
    pub(super) define: Option<Set<Vec<String>>>,
    pub(super) functions: Option<Set<Vec<String>>>,
    pub(super) types: Option<Set<Vec<String>>>,
    pub(super) exclude: Option<Set<Vec<PathGlob>>>,
    pub(super) min_coverage: Option<Set<f64>>,
    pub(super) baseline: Option<Set<String>>,
    pub(super) limit: Option<Set<String>>,
    /// The limits of kernels by patterns of function names, in the order of the file: the first one that matches is
    /// used.
    pub(super) limits: Vec<(String, Set<String>)>,
    pub(super) params: BTreeMap<String, Set<i64>>,
    /// The sizes for some files, in the order of the file: later ones take precedence.
    pub(super) params_of: Vec<(PathGlob, BTreeMap<String, Set<i64>>)>,
    pub(super) rules: BTreeMap<&'static str, Set<RuleLevel>>,
}

impl Layer {
    /// The settings by key, with their values as TOML.
    pub(super) fn entries(&self) -> BTreeMap<String, String> {
        let text = |set: &Set<String>| quoted(&set.value);
        let list = |set: &Set<Vec<String>>| texts(&set.value);
        let single = [
            ("machine", self.machine.as_ref().map(text)),
            ("cache", self.cache.as_ref().map(list)),
            ("tlb", self.tlb.as_ref().map(list)),
            ("build", self.build.as_ref().map(text)),
            (
                "missing-flags",
                self.missing_flags.as_ref().map(|set| flags_name(set.value)),
            ),
            ("include", self.include.as_ref().map(list)),
            ("define", self.define.as_ref().map(list)),
            ("functions", self.functions.as_ref().map(list)),
            ("type", self.types.as_ref().map(list)),
            (
                "exclude",
                self.exclude.as_ref().map(|set| globs(&set.value)),
            ),
            (
                "min-coverage",
                self.min_coverage.as_ref().map(|set| share(set.value)),
            ),
            ("baseline", self.baseline.as_ref().map(text)),
            ("limit", self.limit.as_ref().map(text)),
        ];
        let single = single
            .into_iter()
            .filter_map(|(key, value)| Some((key.to_owned(), value?)));
        let mut entries: BTreeMap<String, String> = single.collect();
        for (place, (glob, limit)) in self.limits.iter().enumerate() {
            // The first pattern that matches is used, so that their order counts.
            let key = format!("limits.{}", quoted(glob));
            entries.insert(
                key,
                format!("{} (number {})", quoted(&limit.value), place + 1),
            );
        }
        let sizes =
            |entries: &mut BTreeMap<_, _>, prefix: &str, sizes: &BTreeMap<String, Set<i64>>| {
                entries.extend(sizes.iter().map(|(name, set)| {
                    (format!("{prefix}.{}", bare(name)), set.value.to_string())
                }));
            };
        sizes(&mut entries, "params", &self.params);
        for (glob, of_glob) in &self.params_of {
            sizes(
                &mut entries,
                &format!("params.{}", quoted(glob.text())),
                of_glob,
            );
        }
        let rules = self.rules.iter();
        entries.extend(rules.map(|(code, set)| (format!("rules.{code}"), level_name(set.value))));
        entries
    }

    /// This layer, with the settings that it leaves open from another one. Machines and levels are a single choice.
    pub(super) fn over(self, other: Self) -> Self {
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
            types: self.types.or(other.types),
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
