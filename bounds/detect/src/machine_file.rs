//! Machine files as they are written: keys, values, and the source of each value as a comment.
//!
//! A [`MachineDescription`] is filled table by table and then written as TOML. What is written can be read back as a
//! [`Machine`]: [`MachineDescription::toml`] checks that.

use crate::error::DetectError;
use premiss_machine::Machine;
use std::fmt::{Display, Write as _};

/// What is known of a machine so far, by the tables of its file.
#[derive(Debug, Default)]
pub(crate) struct MachineDescription {
    /// Lines of comment at its head.
    pub(crate) comments: Vec<String>,
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) hierarchy: Option<&'static str>,
    /// Written only with a frequency: cycles mean nothing without one.
    pub(crate) core: TomlTable,
    pub(crate) caches: Vec<TomlTable>,
    pub(crate) tlbs: Vec<TomlTable>,
    pub(crate) memory: TomlTable,
}

/// One table of a machine file: keys with values as TOML writes them.
#[derive(Clone, Debug, Default)]
pub(crate) struct TomlTable {
    entries: Vec<KeyValue>,
}

#[derive(Clone, Debug)]
struct KeyValue {
    key: &'static str,
    value: String,
    source: Option<String>,
}

/// A machine file, and warnings about figures that are missing or contradict each other.
#[derive(Debug)]
pub struct MachineFile {
    /// The text of the file, for `--machine`.
    pub toml: String,
    /// The warnings, one line each, without a full stop at the end.
    pub warnings: Vec<String>,
}

impl TomlTable {
    /// A cache of `size` bytes in lines of `line` bytes; `ways` is `None` where it is fully associative.
    pub(crate) fn cache(name: &str, size: u64, ways: Option<u64>, line: u64) -> Self {
        let mut table = Self::default();
        table.text("name", name);
        table.number("size", size);
        table.ways(ways);
        table.number("line", line);
        table
    }

    /// A TLB for pages of `page` bytes; `ways` is `None` where it is fully associative.
    pub(crate) fn tlb(name: &str, entries: u64, ways: Option<u64>, page: u64) -> Self {
        let mut table = Self::default();
        table.text("name", name);
        table.number("entries", entries);
        table.ways(ways);
        table.number("page", page);
        table
    }

    fn ways(&mut self, ways: Option<u64>) {
        match ways {
            Some(ways) => self.number("ways", ways),
            None => self.text("ways", "full"),
        }
    }

    pub(crate) fn number(&mut self, key: &'static str, value: impl Display) {
        self.push(key, value.to_string(), None);
    }

    pub(crate) fn text(&mut self, key: &'static str, value: &str) {
        self.push(key, quoted(value), None);
    }

    /// A figure as people write it, with its source: `latency = "90 ns" # measured: …`.
    pub(crate) fn figure(&mut self, key: &'static str, value: impl Display, source: &str) {
        self.push(key, quoted(&value.to_string()), Some(one_line(source)));
    }

    /// A plain number, with its source.
    pub(crate) fn rate(&mut self, key: &'static str, value: impl Display, source: &str) {
        self.push(key, value.to_string(), Some(one_line(source)));
    }

    pub(crate) fn flag(&mut self, key: &'static str, value: bool) {
        self.push(key, value.to_string(), None);
    }

    pub(crate) fn forget(&mut self, key: &str) {
        self.entries.retain(|entry| entry.key != key);
    }

    fn push(&mut self, key: &'static str, value: String, source: Option<String>) {
        let entry = KeyValue { key, value, source };
        // The later value replaces the earlier one: it is the better known.
        match self.entries.iter_mut().find(|known| known.key == key) {
            Some(known) => *known = entry,
            None => self.entries.push(entry),
        }
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|entry| entry.key == key)
    }

    fn write(&self, text: &mut String, head: &str) {
        if self.entries.is_empty() {
            return;
        }
        let _ = writeln!(text, "\n{head}");
        for KeyValue { key, value, source } in &self.entries {
            match source {
                Some(source) => writeln!(text, "{key} = {value} # {source}"),
                None => writeln!(text, "{key} = {value}"),
            }
            .unwrap_or_default();
        }
    }
}

impl MachineDescription {
    /// The text of the file.
    ///
    /// # Errors
    /// [`DetectError::File`] where it describes no machine that can be; `from` names where the figures are from.
    pub(crate) fn toml(&self, from: &str) -> Result<String, DetectError> {
        let text = self.render();
        let refuse =
            |error| DetectError::File(format!("{from}: what it says is no machine: {error}"));
        Machine::from_toml(&text).map_err(refuse)?;
        Ok(text)
    }

    fn render(&self) -> String {
        let mut text = String::new();
        for comment in &self.comments {
            let _ = writeln!(text, "# {}", one_line(comment));
        }
        let _ = writeln!(text, "name = {}", quoted(&self.name));
        if let Some(title) = &self.title {
            let _ = writeln!(text, "title = {}", quoted(title));
        }
        if let Some(hierarchy) = self.hierarchy {
            let _ = writeln!(text, "hierarchy = {}", quoted(hierarchy));
        }
        if self.core.has("frequency") {
            self.core.write(&mut text, "[core]");
        }
        for cache in &self.caches {
            cache.write(&mut text, "[[cache]]");
        }
        for tlb in &self.tlbs {
            tlb.write(&mut text, "[[tlb]]");
        }
        self.memory.write(&mut text, "[memory]");
        text
    }
}

/// A TOML string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Without line breaks, which would end a comment.
fn one_line(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let mut description = MachineDescription {
            comments: vec!["of a\nfile".to_owned()],
            name: "m".to_owned(),
            title: Some("A \"processor\"\\".to_owned()),
            caches: vec![TomlTable::cache("L1", 32 << 10, Some(8), 64)],
            tlbs: vec![TomlTable::tlb("dTLB", 64, None, 4096)],
            ..MachineDescription::default()
        };
        let text = description.toml("x").unwrap();
        let machine = Machine::from_toml(&text).unwrap();
        assert_eq!(
            machine.canonical(),
            "cache L1=32768,8,64\ntlb dTLB=64,full,4096\n"
        );
        assert_eq!(machine.title(), "A \"processor\"\\");
        assert!(text.starts_with("# of a file\nname = \"m\"\n"), "{text}");
        description
            .caches
            .push(TomlTable::cache("L2", 1000, Some(8), 64));
        let message = description.toml("`f`").unwrap_err().to_string();
        assert!(
            message.contains("`f`") && message.contains("L2"),
            "{message}"
        );
    }

    #[test]
    fn figures_have_sources_and_the_last_one_counts() {
        let mut table = TomlTable::default();
        table.rate("issue", 4, "a");
        table.figure("latency", "5 cycles", "b\nc");
        table.rate("issue", 6, "d");
        let mut text = String::new();
        table.write(&mut text, "[x]");
        assert_eq!(text, "\n[x]\nissue = 6 # d\nlatency = \"5 cycles\" # b c\n");
    }

    #[test]
    fn a_core_without_a_clock_is_left_out() {
        let mut description = MachineDescription {
            name: "m".to_owned(),
            caches: vec![TomlTable::cache("L1", 4096, Some(1), 64)],
            ..MachineDescription::default()
        };
        description.core.number("cores", 4);
        assert!(!description.toml("x").unwrap().contains("cores"));
    }
}
