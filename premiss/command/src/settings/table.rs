//! A table of settings, key by key. All that is wrong is told, each with its place.

use super::{KEYS, Layer, Level, Origin, PathGlob, RuleLevels, Set};
use crate::arguments::MissingFlags;
use crate::failure::suggest;
use crate::flags;
use crate::repository::{plain, relative};
use clap::ValueEnum;
use premiss_gate::{RULES, rule};
use premiss_source::{Diagnostic, FileId, Label, Severity, SourceMap, Span};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

type Key<'i> = Spanned<DeString<'i>>;
type Value<'i> = Spanned<DeValue<'i>>;

/// Reads a file, and notes what is wrong with it.
pub(super) struct Reader<'a> {
    sources: &'a SourceMap,
    file: FileId,
    /// The folder of the file, and the current one, absolute.
    folder: PathBuf,
    current: PathBuf,
    pub(super) told: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        sources: &'a SourceMap,
        file: FileId,
        folder: PathBuf,
        current: PathBuf,
    ) -> Self {
        Self {
            sources,
            file,
            folder,
            current,
            told: Vec::new(),
        }
    }

    /// All that a table says.
    pub(super) fn layer(&mut self, table: &DeTable<'_>) -> Layer {
        let mut layer = Layer::default();
        for (key, value) in in_order(table) {
            self.setting(&mut layer, key, value);
        }
        if let (Some(_), Some((key, _))) = (
            &layer.machine,
            table
                .iter()
                .find(|(key, _)| matches!(key.get_ref().as_ref(), "cache" | "tlb")),
        ) {
            let message = "`machine` has levels of its own".to_owned();
            self.refuse(key.span(), message, "leave one of both out");
        }
        layer
    }

    fn setting(&mut self, layer: &mut Layer, key: &Key<'_>, value: &Value<'_>) {
        match key.get_ref().as_ref() {
            "machine" => layer.machine = self.machine(value),
            "cache" => layer.cache = self.texts(value),
            "tlb" => layer.tlb = self.texts(value),
            "build" => layer.build = self.path(value),
            "missing-flags" => layer.missing_flags = self.missing_flags(value),
            "include" => layer.include = self.paths(value),
            "define" => layer.define = self.texts(value),
            "functions" => layer.functions = self.paths(value),
            "exclude" => layer.exclude = self.globs(value),
            "min-coverage" => layer.min_coverage = self.percent(value),
            "baseline" => layer.baseline = self.path(value),
            "limit" => layer.limit = self.text(value),
            "limits" => layer.limits = self.limits(value),
            "params" => self.params(layer, value),
            "rules" => layer.rules = self.rules(value),
            unknown => {
                let message = format!("there is no setting `{unknown}`{}", suggest(unknown, KEYS));
                self.refuse(key.span(), message, "");
            }
        }
    }

    /// Notes that something is wrong.
    pub(super) fn refuse(&mut self, span: Range<usize>, message: String, help: &str) {
        let at = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        let span = Span {
            file: self.file,
            start: at(span.start),
            end: at(span.end),
        };
        self.told.push(Diagnostic {
            code: "configuration",
            severity: Severity::Error,
            message,
            labels: vec![Label {
                span,
                text: String::new(),
            }],
            help: Some(help.to_owned()).filter(|help| !help.is_empty()),
        });
    }

    fn set<T>(&self, value: T, at: &Range<usize>) -> Set<T> {
        let offset = u32::try_from(at.start).unwrap_or(u32::MAX);
        let source = self.sources.file(self.file);
        let line = source.position(offset).line;
        let origin = Origin::File(format!("{}:{line}", source.path()));
        Set { value, origin }
    }

    fn text(&mut self, value: &Value<'_>) -> Option<Set<String>> {
        let Some(text) = value.get_ref().as_str() else {
            let found = value.get_ref().type_str();
            self.refuse(value.span(), format!("text is expected, not {found}"), "");
            return None;
        };
        Some(self.set(text.to_owned(), &value.span()))
    }

    /// A list of texts; one text is a list of one.
    fn texts(&mut self, value: &Value<'_>) -> Option<Set<Vec<String>>> {
        let Some(items) = value.get_ref().as_array() else {
            let one = self.text(value)?;
            return Some(self.set(vec![one.value], &value.span()));
        };
        let texts = items.iter().filter_map(|item| self.text(item));
        let texts: Vec<String> = texts.map(|text| text.value).collect();
        Some(self.set(texts, &value.span()))
    }

    /// A path from the folder of the file, as seen from the current one.
    fn path(&mut self, value: &Value<'_>) -> Option<Set<String>> {
        let text = self.text(value)?;
        let value = self.seen(&text.value);
        Some(Set { value, ..text })
    }

    fn paths(&mut self, value: &Value<'_>) -> Option<Set<Vec<String>>> {
        let texts = self.texts(value)?;
        let value = texts.value.iter().map(|text| self.seen(text)).collect();
        Some(Set { value, ..texts })
    }

    fn seen(&self, path: &str) -> String {
        relative(&plain(&self.folder.join(path)), &self.current)
    }

    /// A name, or a path.
    fn machine(&mut self, value: &Value<'_>) -> Option<Set<String>> {
        let text = self.text(value)?;
        match flags::is_machine_file(&text.value) {
            true => self.path(value),
            false => Some(text),
        }
    }

    fn missing_flags(&mut self, value: &Value<'_>) -> Option<Set<MissingFlags>> {
        let text = self.text(value)?;
        match MissingFlags::from_str(&text.value, false) {
            Ok(how) => Some(self.set(how, &value.span())),
            Err(_) => {
                let nearest = suggest(&text.value, ["error", "skip", "guess"]);
                let message = format!("`{}` is nothing to do{nearest}", text.value);
                self.refuse(value.span(), message, "");
                None
            }
        }
    }

    fn globs(&mut self, value: &Value<'_>) -> Option<Set<Vec<PathGlob>>> {
        let texts = self.texts(value)?;
        let globs = texts.value.iter();
        let globs = globs.filter_map(|text| self.glob(text, &value.span()));
        let globs: Vec<PathGlob> = globs.collect();
        Some(self.set(globs, &value.span()))
    }

    fn glob(&mut self, text: &str, at: &Range<usize>) -> Option<PathGlob> {
        let glob = PathGlob::new(text, &self.folder, &self.current);
        glob.map_err(|why| self.refuse(at.clone(), format!("`{text}` is no pattern: {why}"), ""))
            .ok()
    }

    /// `80`, `"80%"`.
    fn percent(&mut self, value: &Value<'_>) -> Option<Set<f64>> {
        let text = match value.get_ref() {
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            _ => self.text(value)?.value,
        };
        match flags::percent(&text) {
            Ok(share) => Some(self.set(share, &value.span())),
            Err(why) => {
                self.refuse(value.span(), why, "");
                None
            }
        }
    }

    fn table<'v, 'i>(&mut self, value: &'v Value<'i>, of: &str) -> Option<&'v DeTable<'i>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            let found = value.get_ref().type_str();
            self.refuse(
                value.span(),
                format!("a table of {of} is expected, not {found}"),
                "",
            );
        }
        table
    }

    /// `"blas_*" = "l1_miss=5%"`.
    fn limits(&mut self, value: &Value<'_>) -> Vec<(String, Set<String>)> {
        let Some(table) = self.table(value, "patterns with limits") else {
            return Vec::new();
        };
        let mut limits = Vec::new();
        for (key, value) in in_order(table) {
            // Whether it is a pattern is told here, where its place is known.
            let glob = self.glob(key.get_ref(), &key.span());
            let glob = glob.map(|glob| glob.text().to_owned());
            limits.extend(glob.zip(self.text(value)));
        }
        limits
    }

    /// `N = 1000`, and tables of such for patterns.
    fn params(&mut self, layer: &mut Layer, value: &Value<'_>) {
        let Some(table) = self.table(value, "sizes") else {
            return;
        };
        for (key, value) in in_order(table) {
            if let DeValue::Table(own) = value.get_ref() {
                let sizes = in_order(own).into_iter();
                let sizes: BTreeMap<_, _> = sizes
                    .filter_map(|(key, value)| self.size(key, value))
                    .collect();
                let glob = self.glob(key.get_ref(), &key.span());
                layer.params_of.extend(glob.map(|glob| (glob, sizes)));
            } else {
                layer.params.extend(self.size(key, value));
            }
        }
    }

    fn size(&mut self, key: &Key<'_>, value: &Value<'_>) -> Option<(String, Set<i64>)> {
        let number = value.get_ref().as_integer();
        let number =
            number.and_then(|number| i64::from_str_radix(number.as_str(), number.radix()).ok());
        let Some(number) = number else {
            let message = format!(
                "`{}` is a size: an integer that fits 64 bits",
                key.get_ref()
            );
            let help = "write NAME = 1000, or a table of sizes for the files of a pattern: \
                        [params.\"src/blas/*\"]";
            self.refuse(value.span(), message, help);
            return None;
        };
        let name = key.get_ref().clone().into_owned();
        Some((name, self.set(number, &value.span())))
    }

    /// `PM003 = "off"`.
    fn rules(&mut self, value: &Value<'_>) -> RuleLevels<Set<Level>> {
        let mut levels = RuleLevels::new();
        let Some(table) = self.table(value, "rules with levels") else {
            return levels;
        };
        for (key, value) in in_order(table) {
            let name = key.get_ref().as_ref();
            let known = rule(name).map(|rule| rule.code);
            if known.is_none() {
                let all = RULES.iter().flat_map(|rule| [rule.code, rule.name]);
                let message = format!("there is no rule `{name}`{}", suggest(name, all));
                self.refuse(key.span(), message, "");
            }
            let level = self.level(value);
            levels.extend(known.zip(level));
        }
        levels
    }

    fn level(&mut self, value: &Value<'_>) -> Option<Set<Level>> {
        let text = self.text(value)?.value;
        let level = match text.as_str() {
            "off" => Level::Off,
            "note" => Level::At(Severity::Note),
            "warning" => Level::At(Severity::Warning),
            "error" => Level::At(Severity::Error),
            other => {
                let nearest = suggest(other, ["off", "note", "warning", "error"]);
                self.refuse(value.span(), format!("`{other}` is no level{nearest}"), "");
                return None;
            }
        };
        Some(self.set(level, &value.span()))
    }
}

/// Entries in the order of the text.
fn in_order<'a, 'i>(table: &'a DeTable<'i>) -> Vec<(&'a Key<'i>, &'a Value<'i>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}
