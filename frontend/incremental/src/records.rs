//! What a run leaves of a program and of each of its units, for the next one.

use premiss_ast::syntax::{GlobalName, Name, StructId, UnitId};
use premiss_link::{
    AgreedSizes, CachedPureCall, CallerRecord, Dependencies, NameDependencies, PureCall,
    PureCallResult, StepBounds, UnitSummary,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What a run leaves of the files of one language.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProgramRecord {
    /// The number of the first file.
    pub(crate) first: u32,
    /// How many texts there were when its files and all that they include were read.
    pub(crate) n_texts: usize,
    /// The paths that were looked for besides its files.
    pub(crate) looked_up_paths: BTreeSet<String>,
    /// A fingerprint of what all files depend on.
    pub(crate) environment: u64,
    /// Sizes that all callers agree on.
    pub(crate) sizes: Vec<SizeRecord>,
    pub(crate) units: Vec<UnitRecord>,
    pub(crate) summaries: Vec<SummaryRecord>,
    /// The results of pure calls that some unit used, and what they rest upon.
    pub(crate) pure_calls: Vec<(PureCallRecord, DependencyRecord)>,
    /// A fingerprint of the paths of all texts.
    pub(crate) paths: u64,
}

/// What linking has to know of one file, with what tells whether that still holds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SummaryRecord {
    /// The fingerprint of its text.
    pub(crate) text: u64,
    /// The fingerprint of what else its translation depends on.
    pub(crate) translation: u64,
    pub(crate) summary: UnitSummary,
    /// What its front end left of it, which holds for as long as its text is the same in every byte.
    pub(crate) frontend_summary: Vec<u8>,
}

impl SummaryRecord {
    /// What linking has to know of the file.
    #[must_use]
    pub fn summary(&self) -> &UnitSummary {
        &self.summary
    }
}

/// What a run leaves of one unit: what its result depends on, and the part of the result that others need.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct UnitRecord {
    /// Its own fingerprints.
    pub(crate) fingerprint: UnitFingerprint,
    /// What its functions read.
    pub(crate) dependencies: DependencyRecord,
    /// The results of pure calls that it used.
    pub(crate) pure_calls: Vec<PureCallRecord>,
    /// The names that can be given a value.
    pub(crate) size_names: Vec<String>,
    /// How many steps it took in bodies of other files.
    pub(crate) linked_work: u64,
    /// What its functions pass to others.
    pub(crate) callers: Vec<CallerRecord>,
}

/// Fingerprints of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct UnitFingerprint {
    /// Of what its text says and of what it was parsed to, wherever that stands.
    pub(crate) contents: u64,
    /// Of how its functions are called.
    pub(crate) signatures: u64,
}

/// What a computation read, each input with its value or a fingerprint of it.
///
/// Units are not: their fingerprints are in their own records.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct DependencyRecord {
    /// The units of which it read everything.
    pub(crate) units: Vec<UnitId>,
    /// The units of which it read no more than how their functions are called.
    pub(crate) signatures: Vec<UnitId>,
    /// The units that define functions by these names.
    pub(crate) functions: Vec<(Name, Vec<UnitId>)>,
    /// The units that define objects by these names, and the first that declares one.
    pub(crate) objects: Vec<(Name, Option<ObjectDefinitions>)>,
    /// Names at file scope of which it read what units declare, all of which it did not read.
    pub(crate) declarations: Vec<GlobalName>,
    /// The structs of such units that it read.
    pub(crate) structs: Vec<StructId>,
    /// A fingerprint of both.
    pub(crate) declarations_fingerprint: u64,
    /// Whether some function modifies these objects.
    pub(crate) modified: Vec<(GlobalName, bool)>,
    /// Fingerprints of call summaries.
    pub(crate) call_summaries: Vec<(GlobalName, u64)>,
    /// How many steps following functions takes.
    pub(crate) steps: Vec<(GlobalName, StepBounds)>,
    /// Given sizes that it has a name for.
    pub(crate) used_sizes: Vec<String>,
}

/// What a pure call comes to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct PureCallRecord {
    pub(crate) call: PureCall,
    pub(crate) result: PureCallResult,
}

/// A size that all callers agree on: function, parameter, value.
pub(crate) type SizeRecord = (GlobalName, Name, i64);

/// The units that define an object, and the first that declares it.
pub(crate) type ObjectDefinitions = (Vec<UnitId>, UnitId);

/// The sizes that all callers agree on, as they are recorded.
pub(crate) fn size_records(sizes: &AgreedSizes) -> impl Iterator<Item = SizeRecord> {
    let sizes = sizes.iter();
    sizes.map(|((function, parameter), value)| (function.clone(), parameter.clone(), *value))
}

impl PureCallRecord {
    /// That of a call whose body need not be followed.
    pub(crate) fn new(call: &PureCall, cached: &CachedPureCall) -> Option<Self> {
        Some(Self {
            call: call.clone(),
            result: cached.result.clone()?,
        })
    }
}

impl DependencyRecord {
    /// The units of whose declarations it read some.
    pub(crate) fn declaring_units(&self) -> impl Iterator<Item = UnitId> {
        let structs = self.structs.iter().map(|id| id.unit);
        let names = self.declarations.iter().map(|name| name.unit);
        names.chain(structs)
    }

    /// The inputs, without their values.
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
