//! The caches of valgrind's cachegrind and callgrind: `--D1=size,associativity,line --LL=…`.

use super::missing_tlbs;
use crate::error::DetectError;
use crate::machine_file::{MachineDescription, MachineFile, TomlTable};
use premiss_machine::parse_bytes;

/// `--D1=32768,8,64 --LL=8388608,16,64`: LRU, and the last level sees what the first misses.
pub(super) fn import(name: &str, options: &[String]) -> Result<MachineFile, DetectError> {
    let mut caches: [Option<TomlTable>; 2] = [None, None];
    let mut warnings = Vec::new();
    let all = options.join(" ");
    for option in all.split_whitespace() {
        let (key, shape) = option.split_once('=').ok_or_else(|| refused(option))?;
        let (slot, level) = match key.trim_start_matches('-') {
            "D1" => (0, "D1"),
            // The name of LL before valgrind 3.6.
            "LL" | "L2" => (1, "LL"),
            "I1" => {
                warnings.push(format!("`{option}`: instructions are not counted"));
                continue;
            }
            _ => return Err(refused(option)),
        };
        let is_second = caches[slot].replace(cache(level, option, shape)?).is_some();
        if is_second {
            let why = format!("`{option}`: {level} is given twice; leave one out");
            return Err(DetectError::usage(why));
        }
    }
    if caches[0].is_none() {
        let why = "valgrind: there is no --D1=size,associativity,line, as in --D1=32768,8,64";
        return Err(DetectError::usage(why));
    }
    if caches[1].is_none() {
        warnings
            .push("there is no --LL: the file has one cache, valgrind simulates two".to_owned());
    }
    warnings.push(missing_tlbs());
    let description = MachineDescription {
        comments: vec![format!("As in valgrind {all}")],
        name: name.to_owned(),
        // It looks up in the last level what the first has missed.
        hierarchy: Some("filtered"),
        caches: caches.into_iter().flatten().collect(),
        ..MachineDescription::default()
    };
    let toml = description.toml(&format!("`{all}`"))?;
    Ok(MachineFile { toml, warnings })
}

fn cache(level: &str, option: &str, shape: &str) -> Result<TomlTable, DetectError> {
    let parts: Vec<&str> = shape.split(',').collect();
    let [size, ways, line] = parts[..] else {
        return Err(refused(option));
    };
    let number = |text: &str| parse_bytes(text).map_err(|_| refused(option));
    Ok(TomlTable::cache(
        level,
        number(size)?,
        Some(number(ways)?),
        number(line)?,
    ))
}

fn refused(option: &str) -> DetectError {
    DetectError::usage(format!(
        "`{option}`: expected --D1=size,associativity,line and --LL=size,associativity,line, as in \
         --D1=32768,8,64 --LL=8388608,16,64"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_machine::Machine;

    fn read(options: &str) -> Result<(Machine, Vec<String>), String> {
        let found = import("v", &[options.to_owned()]).map_err(|error| error.to_string())?;
        Ok((Machine::from_toml(&found.toml).unwrap(), found.warnings))
    }

    #[test]
    fn both_levels_are_read() {
        let (machine, warnings) = read("--D1=32768,8,64 --LL=8388608,16,64").unwrap();
        assert_eq!(
            machine.canonical(),
            "cache D1=32768,8,64\ncache LL=8388608,16,64\nhierarchy filtered\n"
        );
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        let (machine, warnings) = read("--I1=4096,1,64 --D1=4096,1,64").unwrap();
        assert_eq!(machine.caches().len(), 1);
        assert_eq!(warnings.len(), 3, "{warnings:?}");
    }

    #[test]
    fn what_is_no_option_is_named() {
        for (options, what) in [
            ("", "--D1"),
            ("--D1=32768,8", "`--D1=32768,8`"),
            ("--D1=32768,8,64,1", "`--D1=32768,8,64,1`"),
            ("--D1=a,8,64", "`--D1=a,8,64`"),
            ("--D1", "`--D1`"),
            ("--L3=4096,1,64", "`--L3=4096,1,64`"),
            ("--LL=4096,1,64", "no --D1"),
            ("--D1=4096,1,64 --D1=4096,1,64", "twice"),
            ("--D1=0,1,64", "D1: size of 0"),
            ("--D1=4096,0,64", "D1: ways of 0"),
            ("--D1=1000,8,64", "nearest that can"),
            ("--D1=99999999999999999999,8,64", "expected"),
        ] {
            let message = read(options).unwrap_err();
            assert!(message.contains(what), "{options}: {message}");
        }
    }
}
