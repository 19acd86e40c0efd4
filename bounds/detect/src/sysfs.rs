//! The caches of a processor as Linux describes them: a folder `index0`, `index1` … for each.
//!
//! Instruction caches are left out. Files that are missing or no numbers are errors that name the file.

use crate::error::DetectError;
use premiss_machine::{format_bytes, parse_bytes};
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// No such file is longer.
const LONGEST: u64 = 4096;

/// A cache for data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cache {
    pub(crate) level: u64,
    /// In bytes.
    pub(crate) size: u64,
    /// `None` where it is fully associative.
    pub(crate) ways: Option<u64>,
    /// In bytes.
    pub(crate) line: u64,
    /// The list of processors that share it, where more than one does.
    pub(crate) shared: Option<String>,
}

impl Cache {
    pub(crate) fn shape(&self) -> String {
        let size = format_bytes(self.size);
        let line = format_bytes(self.line);
        match self.ways {
            Some(ways) => format!("{size} {ways}-way, {line} lines"),
            None => format!("{size} fully associative, {line} lines"),
        }
    }
}

/// The caches for data in a folder, nearest first, and warnings about figures that contradict each other.
pub(crate) fn read(folder: &str) -> Result<(Vec<Cache>, Vec<String>), DetectError> {
    let mut caches = Vec::new();
    let mut warnings = Vec::new();
    for index in indices(folder)? {
        let kind = text(&index.join("type"))?;
        match kind.as_str() {
            "Instruction" => continue,
            "Data" | "Unified" => {}
            other => {
                let path = index.join("type").display().to_string();
                let why = "is neither Data nor Unified nor Instruction";
                return Err(DetectError::File(format!("`{path}`: `{other}` {why}")));
            }
        }
        let (cache, warning) = cache(&index)?;
        caches.push(cache);
        warnings.extend(warning);
    }
    if caches.is_empty() {
        return Err(DetectError::File(format!(
            "`{folder}`: it tells of no cache; describe the machine in a file, as \
             `premiss machine show spr` prints one"
        )));
    }
    caches.sort_by_key(|cache| cache.level);
    Ok((caches, warnings))
}

/// The folders of caches, by number.
fn indices(folder: &str) -> Result<Vec<PathBuf>, DetectError> {
    let refuse = |error| DetectError::io(folder, error);
    let mut indices = Vec::new();
    for entry in fs::read_dir(folder).map_err(refuse)? {
        let entry = entry.map_err(refuse)?;
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix("index"));
        if let Some(number) = number.and_then(|number| number.parse::<u32>().ok()) {
            indices.push((number, entry.path()));
        }
    }
    indices.sort();
    Ok(indices.into_iter().map(|(_, path)| path).collect())
}

/// One cache, and a warning where its figures contradict each other.
fn cache(index: &Path) -> Result<(Cache, Option<String>), DetectError> {
    let level = number(&index.join("level"))?;
    let size_file = index.join("size");
    let size = parse_bytes(&text(&size_file)?);
    let size = size.map_err(|error| refused(&size_file, &error.to_string()))?;
    let line = number(&index.join("coherency_line_size"))?;
    let ways = number(&index.join("ways_of_associativity"))?;
    let sets = number(&index.join("number_of_sets")).ok();
    let shared = text(&index.join("shared_cpu_list")).ok();
    let whole = sets.and_then(|sets| sets.checked_mul(ways)?.checked_mul(line));
    let warning = whole.filter(|whole| *whole != size && 0 < ways).map(|whole| {
        format!(
            "L{level} has {} by its size, and {} by its sets, ways and lines; the file has the former",
            format_bytes(size),
            format_bytes(whole)
        )
    });
    let cache = Cache {
        level,
        size,
        ways: Some(ways).filter(|ways| 0 < *ways),
        line,
        shared: shared.filter(|list| list.contains([',', '-'])),
    };
    Ok((cache, warning))
}

fn number(path: &Path) -> Result<u64, DetectError> {
    let text = text(path)?;
    let parsed = text.parse();
    parsed.map_err(|_| refused(path, &format!("`{text}` is not a number")))
}

/// The text of a file of one line.
fn text(path: &Path) -> Result<String, DetectError> {
    let shown = path.display().to_string();
    let refuse = |error| DetectError::io(&shown, error);
    let file = fs::File::open(path).map_err(refuse)?;
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes).map_err(refuse)?;
    let text = String::from_utf8(bytes).map_err(|_| refused(path, "it is not text"))?;
    let clean = text.trim();
    if clean.chars().any(char::is_control) {
        return Err(refused(path, "it has more than one line"));
    }
    Ok(clean.to_owned())
}

fn refused(path: &Path, why: &str) -> DetectError {
    DetectError::File(format!("`{}`: {why}", path.display()))
}
