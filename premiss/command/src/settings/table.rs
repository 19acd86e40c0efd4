//! From a table of settings to a [`Layer`], key by key. Every error becomes a diagnostic with its place.

use super::layer::{KEYS, Layer, Origin, Set};
use crate::arguments::MissingFlagsChoice;
use crate::values::{is_machine_file, percent};
use clap::ValueEnum;
use premiss_check::{PathGlob, RuleLevel, normalize, relative, suggest};
use premiss_gate::{RULES, rule};
use premiss_source::{Diagnostic, FileId, Label, Severity, SourceMap, Span};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

type TomlKey<'i> = Spanned<DeString<'i>>;
type TomlValue<'i> = Spanned<DeValue<'i>>;

/// Reads a table, and collects its errors.
pub(super) struct TableReader<'a> {
    sources: &'a SourceMap,
    file: FileId,
    /// The folder of the file, and the current folder, both absolute.
    folder: PathBuf,
    current: PathBuf,
    /// The folder that paths must not lead out of.
    root: Option<PathBuf>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl<'a> TableReader<'a> {
    pub(super) fn new(
        sources: &'a SourceMap,
        file: FileId,
        (folder, root): (PathBuf, Option<&Path>),
        current: PathBuf,
    ) -> Self {
        Self {
            sources,
            file,
            folder,
            current,
            root: root.map(Path::to_owned),
            diagnostics: Vec::new(),
        }
    }

    /// The settings of a table.
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

    fn setting(&mut self, layer: &mut Layer, key: &TomlKey<'_>, value: &TomlValue<'_>) {
        match key.get_ref().as_ref() {
            "machine" => layer.machine = self.machine(value),
            "cache" => layer.cache = self.texts(value),
            "tlb" => layer.tlb = self.texts(value),
            "build" => layer.build = self.path(value),
            "missing-flags" => layer.missing_flags = self.missing_flags(value),
            "include" => layer.include = self.paths(value),
            "define" => layer.define = self.texts(value),
            "functions" => layer.functions = self.paths(value),
            "type" => layer.types = self.texts(value),
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

    /// Adds an error at a place.
    pub(super) fn refuse(&mut self, span: Range<usize>, message: String, help: &str) {
        let at = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        let span = Span {
            file: self.file,
            start: at(span.start),
            end: at(span.end),
        };
        self.diagnostics.push(Diagnostic {
            code: "configuration",
            severity: Severity::Error,
            message,
            labels: vec![Label {
                span,
                text: String::new(),
            }],
            help: Some(help.to_owned()).filter(|help| !help.is_empty()),
            sizes: Vec::new(),
        });
    }

    fn set<T>(&self, value: T, at: &Range<usize>) -> Set<T> {
        let offset = u32::try_from(at.start).unwrap_or(u32::MAX);
        let source = self.sources.file(self.file);
        let line = source.position(offset).line;
        let origin = Origin::File(format!("{}:{line}", source.path()));
        Set { value, origin }
    }

    fn text(&mut self, value: &TomlValue<'_>) -> Option<Set<String>> {
        let Some(text) = value.get_ref().as_str() else {
            let found = value.get_ref().type_str();
            self.refuse(value.span(), format!("text is expected, not {found}"), "");
            return None;
        };
        Some(self.set(text.to_owned(), &value.span()))
    }

    /// A list of strings; a single string is a list of one.
    fn texts(&mut self, value: &TomlValue<'_>) -> Option<Set<Vec<String>>> {
        let Some(items) = value.get_ref().as_array() else {
            let one = self.text(value)?;
            return Some(self.set(vec![one.value], &value.span()));
        };
        let texts = items.iter().filter_map(|item| self.text(item));
        let texts: Vec<String> = texts.map(|text| text.value).collect();
        Some(self.set(texts, &value.span()))
    }

    /// A path relative to the folder of the file, converted to one relative to the current folder.
    fn path(&mut self, value: &TomlValue<'_>) -> Option<Set<String>> {
        let text = self.text(value)?;
        let value = self.relative_to_current(&text.value, &value.span())?;
        Some(Set { value, ..text })
    }

    fn paths(&mut self, value: &TomlValue<'_>) -> Option<Set<Vec<String>>> {
        let texts = self.texts(value)?;
        let all = texts.value.iter();
        let all = all.filter_map(|text| self.relative_to_current(text, &value.span()));
        let value = all.collect();
        Some(Set { value, ..texts })
    }

    /// Refuses a path that leads out of the repository, by its text or through a link.
    fn relative_to_current(&mut self, path: &str, at: &Range<usize>) -> Option<String> {
        let whole = normalize(&self.folder.join(path));
        let is_outside = |root: &PathBuf| {
            let real = whole.canonicalize().ok().zip(root.canonicalize().ok());
            !whole.starts_with(root) || real.is_some_and(|(path, root)| !path.starts_with(root))
        };
        if self.root.as_ref().is_some_and(is_outside) {
            let message = format!("`{path}` leads out of the repository");
            let help = "give it as an option, or name this file with --config";
            self.refuse(at.clone(), message, help);
            return None;
        }
        Some(relative(&whole, &self.current))
    }

    /// A name, or a path.
    fn machine(&mut self, value: &TomlValue<'_>) -> Option<Set<String>> {
        let text = self.text(value)?;
        match is_machine_file(&text.value) {
            true => self.path(value),
            false => Some(text),
        }
    }

    fn missing_flags(&mut self, value: &TomlValue<'_>) -> Option<Set<MissingFlagsChoice>> {
        let text = self.text(value)?;
        match MissingFlagsChoice::from_str(&text.value, false) {
            Ok(how) => Some(self.set(how, &value.span())),
            Err(_) => {
                let nearest = suggest(&text.value, ["error", "skip", "guess"]);
                let message = format!("`{}` is nothing to do{nearest}", text.value);
                self.refuse(value.span(), message, "");
                None
            }
        }
    }

    fn globs(&mut self, value: &TomlValue<'_>) -> Option<Set<Vec<PathGlob>>> {
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
    fn percent(&mut self, value: &TomlValue<'_>) -> Option<Set<f64>> {
        let text = match value.get_ref() {
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            _ => self.text(value)?.value,
        };
        match percent(&text) {
            Ok(share) => Some(self.set(share, &value.span())),
            Err(why) => {
                self.refuse(value.span(), why, "");
                None
            }
        }
    }

    fn table<'v, 'i>(&mut self, value: &'v TomlValue<'i>, of: &str) -> Option<&'v DeTable<'i>> {
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
    fn limits(&mut self, value: &TomlValue<'_>) -> Vec<(String, Set<String>)> {
        let Some(table) = self.table(value, "patterns with limits") else {
            return Vec::new();
        };
        let mut limits = Vec::new();
        for (key, value) in in_order(table) {
            // The pattern is checked here, where its place is known.
            let glob = self.glob(key.get_ref(), &key.span());
            let glob = glob.map(|glob| glob.text().to_owned());
            limits.extend(glob.zip(self.text(value)));
        }
        limits
    }

    /// `N = 1000`, and tables of such for patterns.
    fn params(&mut self, layer: &mut Layer, value: &TomlValue<'_>) {
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

    fn size(&mut self, key: &TomlKey<'_>, value: &TomlValue<'_>) -> Option<(String, Set<i64>)> {
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
    fn rules(&mut self, value: &TomlValue<'_>) -> BTreeMap<&'static str, Set<RuleLevel>> {
        let mut levels = BTreeMap::new();
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

    fn level(&mut self, value: &TomlValue<'_>) -> Option<Set<RuleLevel>> {
        let text = self.text(value)?.value;
        let level = match text.as_str() {
            "off" => RuleLevel::Off,
            "note" => RuleLevel::At(Severity::Note),
            "warning" => RuleLevel::At(Severity::Warning),
            "error" => RuleLevel::At(Severity::Error),
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
fn in_order<'a, 'i>(table: &'a DeTable<'i>) -> Vec<(&'a TomlKey<'i>, &'a TomlValue<'i>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}
