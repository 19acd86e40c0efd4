//! What the sets of a level do to references, in text and JSON.

use crate::number::{Integer, Number};
use premiss_analyze::{
    CacheGeometry, LayoutChange, LayoutRemedy, LevelConflicts, ReferenceConflicts, ReuseConflicts,
    SharedSet,
};
use premiss_histogram::Counted;
use premiss_misses::SignedCount;
use premiss_tree::{ArrayId, NestTree};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// What the sets of a level do to the reference with this number in its explanation.
#[derive(Clone, Copy)]
pub(super) struct SetStory<'a> {
    pub(super) tree: &'a NestTree,
    pub(super) geometry: CacheGeometry,
    pub(super) level: &'a LevelConflicts,
    pub(super) number: usize,
}

impl<'a> SetStory<'a> {
    fn reference(&self) -> &'a ReferenceConflicts {
        &self.level.references[self.number]
    }

    /// One of its reuses.
    pub(super) fn reuse(&self, number: usize) -> Option<&'a ReuseConflicts> {
        self.reference().reuses.get(number)?.as_ref()
    }

    /// The remedy, with the misses of the reference and of the function as they are: if it lowers both.
    fn remedy(&self) -> Option<(&'a LayoutRemedy, u64, u64)> {
        let remedy = self.level.remedy.as_ref()?;
        let own = self.reference().misses?;
        let is_of_use = 0 < self.reference().conflict()? && remedy.references[self.number] < own;
        is_of_use.then_some((remedy, own, self.level.misses?))
    }

    /// The misses as if there were one set.
    pub(super) fn fully_associative(&self) -> Option<String> {
        let misses = self.reference().fully_associative;
        misses.map(|misses| misses.to_string())
    }

    /// `: 229376 conflict misses`, and the remedy in a line of its own.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let conflict = self.reference().conflict();
        if let Some(conflict) = conflict.filter(|conflict| 0 < *conflict) {
            let _ = write!(text, ": {conflict} conflict misses");
        }
        if let Some((remedy, own, all)) = self.remedy() {
            let changes: Vec<String> = remedy.changes.iter().map(|x| self.change(*x)).collect();
            let _ = write!(
                text,
                "\n   {}: {} misses instead of {own}, in all of {} {} instead of {all}",
                changes.join(", and "),
                remedy.references[self.number],
                self.tree.function,
                remedy.misses,
            );
            let is_start = |change: &LayoutChange| matches!(change, LayoutChange::Start { .. });
            if remedy.changes.iter().any(is_start) {
                let moved = remedy.addresses.iter();
                let moved =
                    moved.map(|(id, base)| format!("--array-base {}={base:#x}", self.name(*id)));
                let _ = write!(
                    text,
                    "\n    as with {}",
                    moved.collect::<Vec<_>>().join(" ")
                );
            }
        }
        text
    }

    fn change(&self, change: LayoutChange) -> String {
        match change {
            LayoutChange::Rows {
                array,
                elements,
                padded,
            } => format!(
                "with rows of {padded} instead of {elements} elements in {}",
                self.name(array)
            ),
            LayoutChange::Start { array, bytes } => {
                format!("with {} starting {bytes} bytes later", self.name(array))
            }
        }
    }

    /// `   in the set of the line, of 12 ways: 15 or 16 other lines (A 15..16, x 0..1)`.
    pub(super) fn shared(&self, level: &str, lines: &SharedSet) -> String {
        let arrays = lines.arrays.iter().filter(|(_, (_, most))| 0 < *most);
        let arrays = arrays.map(|(id, own)| format!("{} {}", self.name(*id), range(*own)));
        format!(
            "   in the set of the line, of {} in {level}: {} ({})",
            counted(self.geometry.ways, "way"),
            match lines.all {
                (1, 1) => "1 other line".to_owned(),
                all => format!("{} other lines", range(all)),
            },
            arrays.collect::<Vec<_>>().join(", ")
        )
    }

    fn name(&self, array: ArrayId) -> &'a str {
        &self.tree.arrays[array].name
    }

    /// Of all accesses of the reference, with these misses.
    pub(super) fn json(&self, misses: Counted) -> SetsJson {
        let conflict = self.reference().conflict();
        let conflict = conflict.map(|misses| SignedCount::Exact(misses).into());
        let remedy = self.remedy();
        SetsJson {
            sets: self.geometry.sets,
            ways: self.geometry.ways,
            misses: misses.into(),
            conflict,
            lines: None,
            arrays: Vec::new(),
            remedy: remedy.map(|(remedy, _, all)| self.remedy_json(remedy, all)),
        }
    }

    pub(super) fn reuse_json(&self, reuse: &ReuseConflicts) -> SetsJson {
        let lines = reuse.lines.as_ref();
        let arrays = lines.map_or(&[][..], |lines| &lines.arrays).iter();
        let arrays = arrays.map(|(id, lines)| ArrayLinesJson {
            array: self.name(*id).to_owned(),
            lines: (*lines).into(),
        });
        SetsJson {
            sets: self.geometry.sets,
            ways: self.geometry.ways,
            misses: Counted::Exact(reuse.misses).into(),
            conflict: None,
            lines: lines.map(|lines| lines.all.into()),
            arrays: arrays.collect(),
            remedy: None,
        }
    }

    fn remedy_json(&self, remedy: &LayoutRemedy, before: u64) -> RemedyJson {
        let change = |change: &LayoutChange| {
            let (elements, padded, bytes) = match *change {
                LayoutChange::Rows {
                    elements, padded, ..
                } => (Some(elements), Some(padded), None),
                LayoutChange::Start { bytes, .. } => (None, None, Some(bytes)),
            };
            ChangeJson {
                array: self.name(change.array()).to_owned(),
                row_elements: elements.map(Integer::from),
                padded_row_elements: padded.map(Integer::from),
                starts_later_by_bytes: bytes.map(Integer::from),
            }
        };
        let moved = remedy.addresses.iter().map(|(id, base)| AddressJson {
            array: self.name(*id).to_owned(),
            address: (*base).into(),
        });
        RemedyJson {
            changes: remedy.changes.iter().map(change).collect(),
            addresses: moved.collect(),
            misses: Counted::Exact(remedy.references[self.number]).into(),
            function_misses_before: Counted::Exact(before).into(),
            function_misses: Counted::Exact(remedy.misses).into(),
        }
    }
}

/// `7`, `7 or 8`, or `7..12`.
fn range((least, most): (u64, u64)) -> String {
    match most - least {
        0 => least.to_string(),
        1 => format!("{least} or {most}"),
        _ => format!("{least}..{most}"),
    }
}

/// `1 way`, `12 ways`.
fn counted(number: u64, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

/// In the sets that a level has, where all sizes have values.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SetsJson {
    sets: u64,
    ways: u64,
    misses: Number,
    /// Those that as many lines in one set would not have; negative where they would have more.
    #[serde(skip_serializing_if = "Option::is_none")]
    conflict: Option<Number>,
    /// The other lines of a line's set that are touched between two touches of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<LinesJson>,
    /// The same, array by array.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    arrays: Vec<ArrayLinesJson>,
    /// A layout with fewer misses, if one was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<RemedyJson>,
}

#[derive(Serialize, JsonSchema)]
struct LinesJson {
    least: Integer,
    most: Integer,
}

impl From<(u64, u64)> for LinesJson {
    fn from((least, most): (u64, u64)) -> Self {
        Self {
            least: least.into(),
            most: most.into(),
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct ArrayLinesJson {
    array: String,
    lines: LinesJson,
}

#[derive(Serialize, JsonSchema)]
struct RemedyJson {
    changes: Vec<ChangeJson>,
    /// The arrays that start elsewhere then.
    addresses: Vec<AddressJson>,
    /// The misses of the reference then.
    misses: Number,
    /// The misses of all references of the function, as it is.
    function_misses_before: Number,
    /// The misses of all references of the function then.
    function_misses: Number,
}

#[derive(Serialize, JsonSchema)]
struct ChangeJson {
    array: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    row_elements: Option<Integer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    padded_row_elements: Option<Integer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    starts_later_by_bytes: Option<Integer>,
}

#[derive(Serialize, JsonSchema)]
struct AddressJson {
    array: String,
    address: Integer,
}
