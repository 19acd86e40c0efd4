//! The records that a run leaves of a program and of each of its units for the next run.

use premiss_ast::syntax::{GlobalName, Name, StructId, UnitId};
use premiss_link::{
    AgreedSizes, CachedPureCall, CallerRecord, Dependencies, NameDependencies, PureCall,
    PureCallResult, StepBounds, UnitSummary,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The record of the files of one language.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProgramRecord {
    /// The number of the first file.
    pub(crate) first: u32,
    /// The number of texts when its files and all their includes had been read.
    pub(crate) n_texts: usize,
    /// The paths that were looked up apart from its files.
    pub(crate) looked_up_paths: BTreeSet<String>,
    /// A fingerprint of the inputs that all files share.
    pub(crate) environment: u64,
    /// The agreed sizes.
    pub(crate) sizes: Vec<SizeRecord>,
    pub(crate) units: Vec<UnitRecord>,
    pub(crate) summaries: Vec<SummaryRecord>,
    /// The results of pure calls that some unit used, with their dependencies.
    pub(crate) pure_calls: Vec<(PureCallRecord, DependencyRecord)>,
    /// A fingerprint of the paths of all texts.
    pub(crate) paths: u64,
}

/// The record of a unit summary, with the fingerprints that validate it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SummaryRecord {
    /// The fingerprint of the file's contents.
    pub(crate) text: u64,
    /// The fingerprint of the other inputs of its translation.
    pub(crate) translation: u64,
    pub(crate) summary: UnitSummary,
    /// What the front end kept of the file; valid as long as the file is equal byte for byte.
    pub(crate) frontend_summary: Vec<u8>,
}

impl SummaryRecord {
    /// The unit summary.
    #[must_use]
    pub fn summary(&self) -> &UnitSummary {
        &self.summary
    }
}

/// The record of a unit: the inputs that its result depends on, and the part of the result that others need.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct UnitRecord {
    /// The fingerprints of the unit itself.
    pub(crate) fingerprint: UnitFingerprint,
    /// The inputs that lowering its functions read.
    pub(crate) dependencies: DependencyRecord,
    /// The results of pure calls that it used.
    pub(crate) pure_calls: Vec<PureCallRecord>,
    /// The names of sizes that the user can give a value.
    pub(crate) size_names: Vec<String>,
    /// The steps taken in bodies of other files.
    pub(crate) linked_work: u64,
    /// The calls of its functions with their jump functions.
    pub(crate) callers: Vec<CallerRecord>,
}

/// Fingerprints of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct UnitFingerprint {
    /// Of its contents and its syntax tree, independent of positions.
    pub(crate) contents: u64,
    /// Of the signatures of its functions.
    pub(crate) signatures: u64,
}

/// The inputs of a computation, each with its value or a fingerprint of it.
///
/// For units, the fingerprints are in their own records.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct DependencyRecord {
    /// The units that were read as a whole.
    pub(crate) units: Vec<UnitId>,
    /// The units of which only the signatures of functions were read.
    pub(crate) signatures: Vec<UnitId>,
    /// Looked-up functions with the units that define them.
    pub(crate) functions: Vec<(Name, Vec<UnitId>)>,
    /// Looked-up objects with the units that define them and the first that declares them.
    pub(crate) objects: Vec<(Name, Option<ObjectDefinitions>)>,
    /// Names at file scope whose declarations were read, in units that were not read as a whole.
    pub(crate) declarations: Vec<GlobalName>,
    /// Structs that were read, in such units.
    pub(crate) structs: Vec<StructId>,
    /// A fingerprint of these declarations and structs.
    pub(crate) declarations_fingerprint: u64,
    /// Objects with whether some function modifies them.
    pub(crate) modified: Vec<(GlobalName, bool)>,
    /// Functions with the fingerprints of their call summaries.
    pub(crate) call_summaries: Vec<(GlobalName, u64)>,
    /// Functions with bounds of the steps of inlining them.
    pub(crate) steps: Vec<(GlobalName, StepBounds)>,
    /// Sizes of the user that were used.
    pub(crate) used_sizes: Vec<String>,
}

/// The result of a pure call.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct PureCallRecord {
    pub(crate) call: PureCall,
    pub(crate) result: PureCallResult,
}

/// An agreed size: function, parameter, value.
pub(crate) type SizeRecord = (GlobalName, Name, i64);

/// The units that define an object, and the first that declares it.
pub(crate) type ObjectDefinitions = (Vec<UnitId>, UnitId);

/// The agreed sizes in the form of the record.
pub(crate) fn size_records(sizes: &AgreedSizes) -> impl Iterator<Item = SizeRecord> {
    let sizes = sizes.iter();
    sizes.map(|((function, parameter), value)| (function.clone(), parameter.clone(), *value))
}

impl PureCallRecord {
    /// The record of a call; `None` if the body has to be inlined.
    pub(crate) fn new(call: &PureCall, cached: &CachedPureCall) -> Option<Self> {
        Some(Self {
            call: call.clone(),
            result: cached.result.clone()?,
        })
    }
}

impl DependencyRecord {
    /// The units of whose declarations some were read.
    pub(crate) fn declaring_units(&self) -> impl Iterator<Item = UnitId> {
        let structs = self.structs.iter().map(|id| id.unit);
        let names = self.declarations.iter().map(|name| name.unit);
        names.chain(structs)
    }

    /// The inputs without their values.
    pub(crate) fn inputs(&self) -> Dependencies {
        let names = NameDependencies {
            functions: self.functions.iter().map(|x| x.0.clone()).collect(),
            objects: self.objects.iter().map(|x| x.0.clone()).collect(),
            declarations: self.declarations.iter().cloned().collect(),
            structs: self.structs.iter().copied().collect(),
            modified: self.modified.iter().map(|x| x.0.clone()).collect(),
            sizes: self.used_sizes.iter().cloned().collect(),
            pure_calls: BTreeSet::new(),
            call_summaries: self.call_summaries.iter().map(|x| x.0.clone()).collect(),
            steps: self.steps.iter().cloned().collect(),
        };
        Dependencies {
            units: self.units.clone(),
            signatures: self.signatures.clone(),
            names,
        }
    }
}
