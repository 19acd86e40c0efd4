//! From options as written to the options of the library.

use crate::arguments::{
    EngineChoice, FileArguments, HierarchyChoice, LayoutChoice, MeasuringArguments,
    MissingFlagsChoice, PathArguments, PlacingArguments, ReadingArguments,
};
use crate::cache::disk_cache;
use crate::failure::Failure;
use crate::functions;
use crate::named_contents::NamedContents;
use crate::output;
use crate::values::{DEFAULT_MACHINE, is_machine_file, named_size};
use clap::ArgMatches;
use premiss_analyze::{
    BudgetScope, Effort, Engine, Hierarchy, Layout, MacroFlag, MeasureOptions, MeasureScope,
    PreprocessorOptions, ReadOptions, is_rust_type,
};
use premiss_check::{Host, InputOptions, InputRequest, MissingFlags};
use premiss_machine::{CacheLevel, Machine, TlbLevel, shipped};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The options for reading. `matches` are those of the subcommand, which have the order of -D and -U.
pub(crate) fn reading(
    arguments: &ReadingArguments,
    matches: &ArgMatches,
) -> Result<ReadOptions, Failure> {
    reading_with(arguments, matches, &arguments.param)
}

/// The same with these sizes in place of those on the command line.
pub(crate) fn reading_with(
    arguments: &ReadingArguments,
    matches: &ArgMatches,
    params: &[String],
) -> Result<ReadOptions, Failure> {
    let mut sizes = BTreeMap::new();
    for text in params {
        let (name, value) = size(text)?;
        insert_size(&mut sizes, name, value);
    }
    Ok(ReadOptions {
        sizes,
        ..without_sizes(arguments, matches)?
    })
}

fn without_sizes(
    arguments: &ReadingArguments,
    matches: &ArgMatches,
) -> Result<ReadOptions, Failure> {
    Ok(ReadOptions {
        dense: arguments.dense,
        functions: functions::table(&arguments.functions, &arguments.contents)?,
        types: generic_types(&arguments.types)?,
        preprocessor: PreprocessorOptions {
            include_dirs: arguments.include.clone(),
            macros: macros(arguments, matches)?,
            ..PreprocessorOptions::default()
        },
        ..ReadOptions::default()
    })
}

/// The types of generic parameters by name; a later one replaces an earlier one.
fn generic_types(texts: &[String]) -> Result<BTreeMap<String, String>, Failure> {
    let one = |text: &String| {
        let (name, kind) = text.split_once('=').unwrap_or((text, ""));
        let (name, kind) = (name.trim(), kind.trim());
        match !name.is_empty() && is_rust_type(kind) {
            true => Ok((name.to_owned(), kind.to_owned())),
            false => Err(Failure::usage(format!(
                "--type {text}: a name and a type of Rust are expected, as in --type T=f32"
            ))),
        }
    };
    texts.iter().map(one).collect()
}

/// The options for reading a program for formulas: a size without `=` is symbolic. The second part has the names of
/// these.
pub(crate) fn symbolic_reading(
    arguments: &ReadingArguments,
    matches: &ArgMatches,
) -> Result<ReadOptions, Failure> {
    let mut options = without_sizes(arguments, matches)?;
    for text in &arguments.param {
        if text.contains('=') {
            let (name, value) = size(text)?;
            insert_size(&mut options.sizes, name, value);
        } else if text.trim().is_empty() {
            return Err(Failure::usage(
                "-P: the name of a size is missing, as in -P n",
            ));
        } else {
            options.symbolic.insert(text.trim().to_owned());
        }
    }
    if let Some(name) = options
        .symbolic
        .iter()
        .find(|name| options.sizes.contains_key(*name))
    {
        return Err(Failure::usage(format!(
            "-P {name}: it cannot be symbolic and have a value"
        )));
    }
    Ok(options)
}

/// Where to find the options of files, besides the command line.
pub(crate) fn input_options(arguments: &ReadingArguments) -> InputOptions {
    InputOptions {
        build: arguments.build.clone(),
        missing_flags: match arguments.missing_flags {
            MissingFlagsChoice::Error => MissingFlags::Error,
            MissingFlagsChoice::Skip => MissingFlags::Skip,
            MissingFlagsChoice::Guess => MissingFlags::Guess,
        },
        settings: arguments.settings.clone(),
    }
}

/// The files of a command that reads them as one program.
pub(crate) fn file_request<'a>(
    arguments: &'a FileArguments,
    options: &'a InputOptions,
    reading: &'a ReadOptions,
    host: &'a dyn Host,
) -> InputRequest<'a> {
    InputRequest {
        paths: &arguments.files,
        stdin_filename: &arguments.stdin_filename,
        options,
        reading,
        host,
    }
}

/// The files and folders of a command that reads file by file.
pub(crate) fn path_request<'a>(
    arguments: &'a PathArguments,
    options: &'a InputOptions,
    reading: &'a ReadOptions,
    host: &'a dyn Host,
) -> InputRequest<'a> {
    InputRequest {
        paths: &arguments.paths,
        stdin_filename: &arguments.stdin_filename,
        options,
        reading,
        host,
    }
}

/// Parses remainders, by the name of the size.
pub(crate) fn classes(texts: &[String]) -> Result<BTreeMap<String, i64>, Failure> {
    let parse = |text: &String| {
        let (name, residue) = text.split_once('=')?;
        let residue: i64 = residue.trim().parse().ok()?;
        (!name.trim().is_empty() && 0 <= residue).then(|| (name.trim().to_owned(), residue))
    };
    let of_one = |text: &String| {
        parse(text).ok_or_else(|| {
            Failure::usage(format!(
                "--class {text}: it has the form NAME=RESIDUE, as in --class N=3"
            ))
        })
    };
    texts.iter().map(of_one).collect()
}

fn macros(arguments: &ReadingArguments, matches: &ArgMatches) -> Result<Vec<MacroFlag>, Failure> {
    let indices = |id| matches.indices_of(id).into_iter().flatten();
    let defines = indices("define").zip(&arguments.define);
    let undefines = indices("undefine").zip(&arguments.undefine);
    let mut flags = Vec::new();
    for (idx, text) in defines {
        flags.push((idx, define(text, "-D")?));
    }
    for (idx, name) in undefines {
        let name = macro_name(name, "-U")?;
        flags.push((idx, MacroFlag::Undefine { name }));
    }
    flags.sort_by_key(|(idx, _)| *idx);
    let settings = arguments.configured_defines.iter();
    let settings = settings.map(|text| define(text, "define in the settings"));
    settings
        .chain(flags.into_iter().map(|(_, flag)| Ok(flag)))
        .collect()
}

/// Parses `NAME=VALUE`; a name without value is defined as 1.
fn define(text: &str, option: &str) -> Result<MacroFlag, Failure> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let (name, value) = (macro_name(name, option)?, value.to_owned());
    Ok(MacroFlag::Define { name, value })
}

fn macro_name(name: &str, option: &str) -> Result<String, Failure> {
    let starts = |c: char| c.is_ascii_alphabetic() || c == '_';
    if name.starts_with(starts) {
        Ok(name.to_owned())
    } else {
        Err(Failure::usage(format!(
            "{option}: `{name}` is not a macro name"
        )))
    }
}

/// Adds a size, with a warning where it replaces another value or is negative.
fn insert_size(sizes: &mut BTreeMap<String, i64>, name: String, value: i64) {
    if value < 0 {
        output::say(&format!(
            "warning: -P {name}={value}: the size is negative\n"
        ));
    }
    let again = format!("-P {name}={value}");
    match sizes.insert(name, value) {
        Some(before) if before != value => output::say(&format!(
            "warning: {again} replaces the value {before} given before\n"
        )),
        _ => {}
    }
}

fn size(text: &str) -> Result<(String, i64), Failure> {
    named_size(text).map_err(|why| Failure::usage(format!("-P {text}: {why}, as in -P n=1000")))
}

/// Steps for an answer in a few seconds. What they do not suffice for is estimated from a sample.
const ANSWER: u64 = 60_000_000;

/// Steps for counts that are compared or judged: estimates do not help there.
const COUNTS: u64 = 1_000_000_000;

/// The options for counting on a machine, where people wait for the answer.
pub(crate) fn reporting(arguments: &MeasuringArguments) -> Result<MeasureOptions, Failure> {
    measuring_within(arguments, ANSWER)
}

/// The options for counting on a machine, for counts that are compared or judged.
pub(crate) fn measuring(arguments: &MeasuringArguments) -> Result<MeasureOptions, Failure> {
    measuring_within(arguments, COUNTS)
}

fn measuring_within(arguments: &MeasuringArguments, usual: u64) -> Result<MeasureOptions, Failure> {
    let engine = match arguments.engine {
        EngineChoice::Auto => Engine::Auto,
        EngineChoice::Closed => Engine::Closed,
        EngineChoice::Trace => Engine::Trace,
    };
    let machine = chosen_machine(arguments)?;
    let hierarchy = hierarchy(&machine, arguments.hierarchy)?;
    let mut options = options(machine, hierarchy, engine, &arguments.placing, usual)?;
    if !arguments.no_cache {
        options.store = disk_cache().map(Arc::new);
    }
    Ok(options)
}

/// The bytes in a line of the first cache.
pub(crate) fn first_line_size(machine: &Machine) -> u64 {
    let first = machine.caches().first();
    first.map_or(64, |cache| cache.geometry().line_size)
}

/// The options for placing arrays in commands that count nothing: on the default machine.
pub(crate) fn placing(arguments: &PlacingArguments) -> Result<MeasureOptions, Failure> {
    let machine = machine(DEFAULT_MACHINE)?;
    options(
        machine,
        Hierarchy::Independent,
        Engine::Auto,
        arguments,
        COUNTS,
    )
}

/// The hierarchy of the option, or else of the machine.
fn hierarchy(machine: &Machine, choice: Option<HierarchyChoice>) -> Result<Hierarchy, Failure> {
    let hierarchy = match choice {
        None => machine.hierarchy(),
        Some(HierarchyChoice::Independent) => Hierarchy::Independent,
        Some(HierarchyChoice::Filtered) => Hierarchy::Filtered,
        Some(HierarchyChoice::Inclusive) => Hierarchy::Inclusive,
        Some(HierarchyChoice::Exclusive) => Hierarchy::Exclusive,
    };
    let refuse = |error| Failure::usage(format!("--hierarchy {}: {error}", hierarchy.name()));
    machine.admits(hierarchy).map_err(refuse)?;
    Ok(hierarchy)
}

fn options(
    machine: Machine,
    hierarchy: Hierarchy,
    engine: Engine,
    placing: &PlacingArguments,
    usual_budget: u64,
) -> Result<MeasureOptions, Failure> {
    let bases = placing.base.iter().map(|text| base(text));
    Ok(MeasureOptions {
        scope: MeasureScope::Everything,
        machine,
        hierarchy,
        layout: match placing.layout {
            LayoutChoice::Page4096 => Layout::Page4096,
            LayoutChoice::Packed64 => Layout::Packed64,
        },
        bases: bases.collect::<Result<_, _>>()?,
        engine,
        budget: match &placing.budget {
            _ if placing.exact => u64::MAX,
            Some(text) => budget("--budget", text)?,
            None => usual_budget,
        },
        effort: Effort {
            steps: budget("--effort", &placing.effort)?,
        },
        budget_scope: match placing.exact || placing.budget.is_some() {
            true => BudgetScope::Function,
            false => BudgetScope::Run,
        },
        store: None,
    })
}

/// The option that places an array.
const BASE_OPTION: &str = "--array-base";

fn base(text: &str) -> Result<(String, u64), Failure> {
    let parse = || {
        let (name, address) = text.split_once('=')?;
        let hexadecimal = address
            .strip_prefix("0x")
            .or_else(|| address.strip_prefix("0X"));
        let address = match hexadecimal {
            Some(digits) => u64::from_str_radix(digits, 16).ok()?,
            None => address.parse().ok()?,
        };
        (!name.is_empty()).then(|| (name.to_owned(), address))
    };
    parse().ok_or_else(|| {
        Failure::usage(format!(
            "{BASE_OPTION} {text}: it has the form NAME=ADDR, as in {BASE_OPTION} A=0x100000"
        ))
    })
}

/// Parses a number of steps: `20000000000`, `20e9`.
fn budget(option: &str, text: &str) -> Result<u64, Failure> {
    let parse = || {
        let Some((digits, exponent)) = text.split_once(['e', 'E']) else {
            return text.parse().ok();
        };
        let power = 10_u64.checked_pow(exponent.parse().ok()?)?;
        digits.parse::<u64>().ok()?.checked_mul(power)
    };
    parse().filter(|steps| 0 < *steps).ok_or_else(|| {
        Failure::usage(format!(
            "{option} {text}: it is a number of steps, as in {option} 5e9"
        ))
    })
}

fn chosen_machine(arguments: &MeasuringArguments) -> Result<Machine, Failure> {
    if arguments.cache.is_empty() && arguments.tlb.is_empty() {
        let name = arguments.machine.as_deref().unwrap_or(DEFAULT_MACHINE);
        return machine_of(name, &arguments.contents);
    }
    let refuse = |option: &str| {
        let option = option.to_owned();
        move |error| Failure::usage(format!("{option}: {error}"))
    };
    let caches = arguments
        .cache
        .iter()
        .map(|text| CacheLevel::parse(text).map_err(refuse("--cache")));
    let tlbs = arguments
        .tlb
        .iter()
        .map(|text| TlbLevel::parse(text).map_err(refuse("--tlb")));
    let caches = caches.collect::<Result<_, _>>()?;
    let tlbs = tlbs.collect::<Result<_, _>>()?;
    Machine::new("custom", "", caches, tlbs).map_err(refuse("--cache and --tlb"))
}

/// A machine included in premiss, or one in a file.
pub(crate) fn machine(name: &str) -> Result<Machine, Failure> {
    machine_of(name, &NamedContents::default())
}

fn machine_of(name: &str, contents: &NamedContents) -> Result<Machine, Failure> {
    if !is_machine_file(name) {
        return shipped(name).map_err(|error| Failure::usage(error.to_string()));
    }
    let text = String::from_utf8(contents.read(name)?);
    let text = text.map_err(|_| Failure::File(format!("`{name}`: it is not UTF-8 text")))?;
    Machine::from_toml(&text).map_err(|error| Failure::File(format!("`{name}`: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_bases_and_budgets_are_read() {
        assert_eq!(size("N=1000"), Ok(("N".to_owned(), 1000)));
        assert_eq!(size("N=-5"), Ok(("N".to_owned(), -5)));
        assert_eq!(base("A=0x100000"), Ok(("A".to_owned(), 0x10_0000)));
        assert_eq!(base("A=64"), Ok(("A".to_owned(), 64)));
        assert_eq!(budget("--budget", "20e9"), Ok(20_000_000_000));
        assert_eq!(budget("--budget", "7"), Ok(7));
    }

    #[test]
    fn what_is_none_is_refused() {
        for text in ["", "N", "=5", "N=", "N=x", "N=1.5", "N=9223372036854775808"] {
            assert!(size(text).is_err(), "{text}");
        }
        for text in ["", "A", "=1", "A=", "A=0x", "A=-1", "A=0x10000000000000000"] {
            assert!(base(text).is_err(), "{text}");
        }
        for text in ["", "0", "-1", "e", "1e99", "x"] {
            assert!(budget("--budget", text).is_err(), "{text}");
        }
    }
}
