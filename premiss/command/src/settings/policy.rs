//! Settings of the base of a comparison: a change is not judged by settings that it brings along.

use super::file;
use super::layer::Layer;
use crate::failure::Failure;
use crate::host::CommandHost;
use premiss_check::{Host as _, Revision};
use premiss_report::Colour;
use premiss_source::Files as _;
use std::collections::{BTreeMap, BTreeSet};

/// The settings of a revision, and how those of the working tree differ.
pub(super) struct BasePolicy {
    /// The settings of the nearest file of the revision.
    pub(super) layer: Layer,
    /// The settings that differ: `limit: "l1_miss=5%", now "l1_miss=50%"`.
    pub(super) changes: Vec<String>,
    /// The contents at the revision of files that its settings name, by path.
    pub(super) contents: BTreeMap<String, Vec<u8>>,
}

/// The settings of the files as they were at a revision.
///
/// # Errors
///
/// There is no such revision, or its settings are invalid. Those of the working tree may be anything.
pub(super) fn of_revision(
    name: &str,
    host: &CommandHost,
    colour: Colour,
) -> Result<BasePolicy, Failure> {
    let (current, now) = (host.current_dir(), host.files());
    let revision = Revision::open(name)?;
    let layer = file::find(current, &revision, colour)?;
    let mut changes = Vec::new();
    let mut files = named_files(&layer);
    match file::find(current, now, colour) {
        Ok(head) => {
            changes.extend(differences(&layer, &head));
            files.extend(named_files(&head));
        }
        Err(_) => changes.push("the settings of the working tree are invalid".to_owned()),
    }
    let mut contents = BTreeMap::new();
    for path in files {
        let before = revision.read(&path).ok();
        if before != now.read(&path).ok() && !revision.is_outside(&path) {
            changes.push(format!("`{path}` has other content"));
        }
        contents.extend(before.map(|bytes| (path, bytes)));
    }
    Ok(BasePolicy {
        layer,
        changes,
        contents,
    })
}

/// The files with settings of their own.
fn named_files(layer: &Layer) -> BTreeSet<String> {
    let machine = layer.machine.iter().map(|set| &set.value);
    let machine = machine.filter(|name| crate::values::is_machine_file(name));
    let functions = layer.functions.iter().flat_map(|set| &set.value);
    let baseline = layer.baseline.iter().map(|set| &set.value);
    machine.chain(functions).chain(baseline).cloned().collect()
}

/// One line for each setting that differs.
fn differences(base: &Layer, head: &Layer) -> Vec<String> {
    let (base, head) = (base.entries(), head.entries());
    let keys: BTreeSet<&String> = base.keys().chain(head.keys()).collect();
    let shown = |entries: &BTreeMap<String, String>, key: &String| {
        entries
            .get(key)
            .map_or("not set", String::as_str)
            .to_owned()
    };
    let differing = keys
        .into_iter()
        .filter(|key| base.get(*key) != head.get(*key));
    differing
        .map(|key| format!("`{key}`: {}, now {}", shown(&base, key), shown(&head, key)))
        .collect()
}
