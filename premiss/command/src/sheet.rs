//! Machine files as they are written: keys, values, and where these are from.

use crate::failure::Failure;
use premiss_machine::Machine;
use std::fmt::{Display, Write as _};

/// A machine file in the making.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    /// Lines of comment at its head.
    pub(crate) comments: Vec<String>,
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) hierarchy: Option<&'static str>,
    /// Written where it has a frequency: cycles mean nothing without one.
    pub(crate) core: Table,
    pub(crate) caches: Vec<Table>,
    pub(crate) tlbs: Vec<Table>,
    pub(crate) memory: Table,
}

/// One table of it: keys with values as TOML writes them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    key: &'static str,
    value: String,
    source: Option<String>,
}

/// A machine file, and what is doubtful about it.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) toml: String,
    pub(crate) warnings: Vec<String>,
}

impl Table {
    /// A cache of this shape; no ways where all lines are one set.
    pub(crate) fn cache(name: &str, size: u64, ways: Option<u64>, line: u64) -> Self {
        let mut table = Self::default();
        table.text("name", name);
        table.number("size", size);
        table.ways(ways);
        table.number("line", line);
        table
    }

    /// A TLB for pages of so many bytes.
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
        let entry = Entry { key, value, source };
        // What is said later is known better.
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
        for Entry { key, value, source } in &self.entries {
            match source {
                Some(source) => writeln!(text, "{key} = {value} # {source}"),
                None => writeln!(text, "{key} = {value}"),
            }
            .unwrap_or_default();
        }
    }
}

impl Sheet {
    /// The text, which can be read back: that is made sure of.
    ///
    /// # Errors
    /// What it says is no machine; `from` is what it was read from.
    pub(crate) fn toml(&self, from: &str) -> Result<String, Failure> {
        let text = self.written();
        let refuse = |error| Failure::File(format!("{from}: what it says is no machine: {error}"));
        Machine::from_toml(&text).map_err(refuse)?;
        Ok(text)
    }

    fn written(&self) -> String {
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
        let mut sheet = Sheet {
            comments: vec!["of a\nfile".to_owned()],
            name: "m".to_owned(),
            title: Some("A \"processor\"\\".to_owned()),
            caches: vec![Table::cache("L1", 32 << 10, Some(8), 64)],
            tlbs: vec![Table::tlb("dTLB", 64, None, 4096)],
            ..Sheet::default()
        };
        let text = sheet.toml("x").unwrap();
        let machine = Machine::from_toml(&text).unwrap();
        assert_eq!(
            machine.canonical(),
            "cache L1=32768,8,64\ntlb dTLB=64,full,4096\n"
        );
        assert_eq!(machine.title(), "A \"processor\"\\");
        assert!(text.starts_with("# of a file\nname = \"m\"\n"), "{text}");
        sheet.caches.push(Table::cache("L2", 1000, Some(8), 64));
        let message = sheet.toml("`f`").unwrap_err().to_string();
        assert!(
            message.contains("`f`") && message.contains("L2"),
            "{message}"
        );
    }

    #[test]
    fn figures_have_sources_and_the_last_one_counts() {
        let mut table = Table::default();
        table.rate("issue", 4, "a");
        table.figure("latency", "5 cycles", "b\nc");
        table.rate("issue", 6, "d");
        let mut text = String::new();
        table.write(&mut text, "[x]");
        assert_eq!(text, "\n[x]\nissue = 6 # d\nlatency = \"5 cycles\" # b c\n");
    }

    #[test]
    fn a_core_without_a_clock_is_left_out() {
        let mut sheet = Sheet {
            name: "m".to_owned(),
            caches: vec![Table::cache("L1", 4096, Some(1), 64)],
            ..Sheet::default()
        };
        sheet.core.number("cores", 4);
        assert!(!sheet.toml("x").unwrap().contains("cores"));
    }
}
