//! Applies settings where the command line gives no option.

use super::environment::environment;
use super::file;
use super::layer::{Layer, Origin, Set};
use super::policy;
use super::toml_text::{bare, flags_name, globs, level_name, quoted, share, texts};
use crate::arguments::{
    Arguments, BaselineCommand, Command, DiffArguments, JudgingArguments, MeasuringArguments,
    MissingFlagsChoice, ReadingArguments,
};
use crate::failure::Failure;
use crate::host::CommandHost;
use crate::named_contents::NamedContents;
use crate::values::DEFAULT_MACHINE;
use clap::ArgMatches;
use clap::parser::ValueSource;
use premiss_check::{Host as _, RuleLevels, saved_base_file};
use premiss_report::Colour;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Completes arguments from the environment and the nearest file; returns the settings in force that the command uses,
/// as TOML with their origins as comments.
///
/// # Errors
///
/// A file cannot be read, or a setting is invalid.
pub(crate) fn apply(
    arguments: &mut Arguments,
    matches: &ArgMatches,
    host: &CommandHost,
    colour: Colour,
) -> Result<String, Failure> {
    let layer = layer(arguments, host, colour)?;
    let mut apply = SettingsMerge {
        layer: &layer,
        matches,
        in_force: Vec::new(),
    };
    match &mut arguments.command {
        Command::Check(x) => {
            apply.reading_and_measuring((&mut x.subject.reading, &mut x.subject.measuring));
            // Findings of shards are judged where the shards are merged.
            if x.shard.is_none() {
                apply.judging(&mut x.judging);
            }
            x.subject.levels = apply.levels();
        }
        Command::Merge(x) => {
            apply.judging(&mut x.judging);
            x.levels = apply.levels();
        }
        Command::Baseline { command } => {
            let (BaselineCommand::Write(x) | BaselineCommand::Prune(x)) = command;
            apply.reading_and_measuring((&mut x.subject.reading, &mut x.subject.measuring));
            apply.choose("baseline", &mut x.baseline, &layer.baseline, |x| quoted(x));
            x.subject.levels = apply.levels();
        }
        Command::Report(x) => apply.reading_and_measuring((&mut x.reading, &mut x.measuring)),
        Command::Diff(x) => {
            apply.reading_and_measuring((&mut x.reading, &mut x.measuring));
            apply.choose("limit", &mut x.limit, &layer.limit, |x| quoted(x));
            x.limits = apply.limits();
        }
        Command::Sweep(x) => apply.reading_and_measuring((&mut x.reading, &mut x.measuring)),
        Command::Roofline(x) => apply.reading_and_measuring((&mut x.reading, &mut x.measuring)),
        Command::Formula(x) => apply.without_sizes((&mut x.reading, &mut x.measuring)),
        Command::Explain(x) => apply.without_sizes((&mut x.reading, &mut x.measuring)),
        Command::Dump(x) => apply.without_sizes((&mut x.reading, &mut x.measuring)),
        Command::Coverage(x) => {
            apply.reading(&mut x.reading);
            apply.sizes(&mut x.reading);
            apply.share(&mut x.min_coverage);
        }
        Command::Trace(x) => {
            apply.reading(&mut x.reading);
            apply.sizes(&mut x.reading);
        }
        command => debug_assert!(has_no_settings(command)),
    }
    Ok(render(&apply.in_force))
}

/// The settings of the environment, over those of the file.
fn layer(arguments: &mut Arguments, host: &CommandHost, colour: Colour) -> Result<Layer, Failure> {
    let variable = |name: &str| std::env::var_os(name);
    let named = variable("PREMISS_CONFIG").filter(|path| !path.is_empty());
    let named = named.map(|path| path.to_string_lossy().into_owned());
    let file = match arguments.config.as_ref().or(named.as_ref()) {
        _ if arguments.isolated || has_no_settings(&arguments.command) => Layer::default(),
        Some(path) => file::at_path(path, host.current_dir(), colour)?,
        None => match &mut arguments.command {
            Command::Diff(diff) => of_comparison(diff, host, colour)?,
            _ => file::find(host.current_dir(), host.files(), colour)?,
        },
    };
    Ok(environment(&variable)?.over(file))
}

/// The settings for a comparison: those of the base where that is a revision.
fn of_comparison(
    arguments: &mut DiffArguments,
    host: &CommandHost,
    colour: Colour,
) -> Result<Layer, Failure> {
    let revision = arguments.revision.as_deref();
    let Some(revision) = revision.filter(|name| saved_base_file(name).is_none()) else {
        return file::find(host.current_dir(), host.files(), colour);
    };
    let policy = policy::of_revision(revision, host, colour)?;
    arguments.policy_changes = policy.changes;
    arguments.reading.contents = NamedContents(policy.contents.clone());
    arguments.measuring.contents = NamedContents(policy.contents);
    Ok(policy.layer)
}

/// Whether a command concerns no program: it works even if settings are malformed.
fn has_no_settings(command: &Command) -> bool {
    matches!(
        command,
        Command::Machine { .. }
            | Command::Init
            | Command::Schema { .. }
            | Command::Completions { .. }
            | Command::Man { .. }
    )
}

/// Puts settings into arguments.
struct SettingsMerge<'a> {
    layer: &'a Layer,
    matches: &'a ArgMatches,
    /// The settings in force: the key, its value as TOML, and its origin.
    in_force: Vec<(String, String, Origin)>,
}

impl SettingsMerge<'_> {
    fn reading_and_measuring(
        &mut self,
        (reading, measuring): (&mut ReadingArguments, &mut MeasuringArguments),
    ) {
        self.without_sizes((reading, measuring));
        self.sizes(reading);
    }

    /// Without sizes, because results are given in terms of sizes.
    fn without_sizes(
        &mut self,
        (reading, measuring): (&mut ReadingArguments, &mut MeasuringArguments),
    ) {
        self.measuring(measuring);
        self.reading(reading);
    }

    fn record(&mut self, key: impl Into<String>, value: String, origin: Origin) {
        self.in_force.push((key.into(), value, origin));
    }

    /// The option, or else the setting.
    fn choose<T: Clone>(
        &mut self,
        key: &str,
        option: &mut Option<T>,
        setting: &Option<Set<T>>,
        show: fn(&T) -> String,
    ) {
        match (&option, setting) {
            (Some(value), _) => self.record(key, show(value), Origin::CommandLine),
            (None, Some(Set { value, origin })) => {
                self.record(key, show(value), origin.clone());
                *option = Some(value.clone());
            }
            (None, None) => {}
        }
    }

    fn judging(&mut self, options: &mut JudgingArguments) {
        self.share(&mut options.min_coverage);
        let setting = &self.layer.baseline;
        self.choose("baseline", &mut options.baseline, setting, |x| quoted(x));
    }

    fn share(&mut self, option: &mut Option<f64>) {
        let setting = &self.layer.min_coverage;
        self.choose("min-coverage", option, setting, |x| share(*x));
    }

    /// The items of the option and those of the setting, in the order that `join` defines.
    fn extend(
        &mut self,
        key: &str,
        option: &[String],
        setting: &Option<Set<Vec<String>>>,
    ) -> Vec<String> {
        if !option.is_empty() {
            self.record(key, texts(option), Origin::CommandLine);
        }
        let Some(Set { value, origin }) = setting else {
            return Vec::new();
        };
        self.record(key, texts(value), origin.clone());
        value.clone()
    }

    fn measuring(&mut self, options: &mut MeasuringArguments) {
        let layer = self.layer;
        let is_open =
            options.machine.is_none() && options.cache.is_empty() && options.tlb.is_empty();
        let levels = [
            ("cache", &mut options.cache, &layer.cache),
            ("tlb", &mut options.tlb, &layer.tlb),
        ];
        for (key, option, setting) in levels {
            let setting = if is_open { setting } else { &None };
            let mut of_setting = self.extend(key, option, setting);
            option.append(&mut of_setting);
        }
        let machine = if is_open { &layer.machine } else { &None };
        self.choose("machine", &mut options.machine, machine, |x| quoted(x));
        if options.machine.is_none() && options.cache.is_empty() && options.tlb.is_empty() {
            self.record("machine", quoted(DEFAULT_MACHINE), Origin::Default);
        }
    }

    fn reading(&mut self, options: &mut ReadingArguments) {
        let layer = self.layer;
        self.choose("build", &mut options.build, &layer.build, |x| quoted(x));
        self.missing_flags(&mut options.missing_flags);
        // Folders of the command line are searched first, its macros come last.
        let mut include = self.extend("include", &options.include, &layer.include);
        options.include.append(&mut include);
        options.configured_defines = self.extend("define", &options.define, &layer.define);
        let functions = self.extend("functions", &options.functions, &layer.functions);
        options.functions.splice(0..0, functions);
        let types = self.extend("type", &options.types, &layer.types);
        options.types.splice(0..0, types);
        if let Some(Set { value, origin }) = &layer.exclude {
            self.record("exclude", globs(value), origin.clone());
            options.settings.exclude.clone_from(value);
        }
    }

    fn missing_flags(&mut self, option: &mut MissingFlagsChoice) {
        let show = |how: &MissingFlagsChoice| flags_name(*how);
        let is_given = self.matches.value_source("missing_flags") == Some(ValueSource::CommandLine);
        let mut given = is_given.then_some(*option);
        let setting = &self.layer.missing_flags;
        match setting.is_none() && !is_given {
            true => self.record("missing-flags", show(option), Origin::Default),
            false => self.choose("missing-flags", &mut given, setting, show),
        }
        *option = given.unwrap_or(*option);
    }

    fn sizes(&mut self, options: &mut ReadingArguments) {
        let layer = self.layer;
        let of_options = options.param.iter().filter_map(|x| x.rsplit_once('='));
        let given: BTreeMap<&str, &str> = of_options.map(|(x, y)| (x.trim(), y.trim())).collect();
        for (name, value) in &given {
            // A range of sizes is not a number.
            let is_number = value.parse::<i64>().is_ok();
            let value = if is_number {
                (*value).to_owned()
            } else {
                quoted(value)
            };
            self.record(format!("params.{}", bare(name)), value, Origin::CommandLine);
        }
        for (name, set) in &layer.params {
            if !given.contains_key(name.as_str()) {
                let key = format!("params.{}", bare(name));
                self.record(key, set.value.to_string(), set.origin.clone());
            }
        }
        let plain = |sizes: &BTreeMap<String, Set<i64>>| -> BTreeMap<String, i64> {
            let sizes = sizes.iter();
            sizes.map(|(name, set)| (name.clone(), set.value)).collect()
        };
        let settings = &mut options.settings;
        settings.sizes = plain(&layer.params);
        for (glob, sizes) in &layer.params_of {
            settings.sizes_of.push((glob.clone(), plain(sizes)));
            for (name, set) in sizes {
                let key = format!("params.{}.{}", quoted(glob.text()), bare(name));
                self.record(key, set.value.to_string(), set.origin.clone());
            }
        }
    }

    fn limits(&mut self) -> Vec<(String, String)> {
        let layer = self.layer;
        for (glob, limit) in &layer.limits {
            let key = format!("limits.{}", quoted(glob));
            self.record(key, quoted(&limit.value), limit.origin.clone());
        }
        let limits = layer.limits.iter();
        limits
            .map(|(glob, limit)| (glob.clone(), limit.value.clone()))
            .collect()
    }

    fn levels(&mut self) -> RuleLevels {
        let layer = self.layer;
        for (code, set) in &layer.rules {
            let level = level_name(set.value);
            self.record(format!("rules.{code}"), level, set.origin.clone());
        }
        let levels = layer.rules.iter();
        levels.map(|(code, set)| (*code, set.value)).collect()
    }
}

/// One line for each setting, with their origins in a column.
fn render(force: &[(String, String, Origin)]) -> String {
    let lines: Vec<String> = force
        .iter()
        .map(|(key, value, _)| format!("{key} = {value}"))
        .collect();
    let width = lines.iter().map(|line| line.chars().count()).max();
    let mut text = String::new();
    for (line, (_, _, origin)) in lines.iter().zip(force) {
        let _ = writeln!(text, "{line:0$}  # {origin}", width.unwrap_or(0));
    }
    text
}
