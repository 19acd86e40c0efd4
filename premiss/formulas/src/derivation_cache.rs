//! Results of derivations, cached by scop.
//!
//! A derivation depends only on the scop, the effort and the version of premiss, and the cache key is made of these. A
//! scop has no names, no positions, and nothing of other functions, so that after an edit only those functions are
//! derived again whose accesses changed. Ids of references, loops, arrays and sizes are not part of the key either:
//! they are taken from the scop at hand.

mod records;
mod relation_record;

use crate::disk_cache::{CacheKey, DiskCache};
use crate::refusal::{DerivationStage, Effort, NoClosedForm};
use premiss_dataflow::{DistanceBound, ReuseRelation, accesses_in_order, analyze_bound};
use premiss_distance::{SymbolicHistogram, derive};
use premiss_isl::with_budget;
use premiss_presburger::{Budget, Column, Refusal};
use premiss_scop::{
    Certainty, Direction, EntityRef, Node, NodeKind, Piece, Scop, SymbolicParameter,
};
use records::{AffineRecord, DistancesRecord, SystemRecord, affine};
use relation_record::RelationRecord;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The version of premiss and a digest of its sources.
const PROGRAM: (&str, &str) = (env!("CARGO_PKG_VERSION"), env!("PREMISS_FINGERPRINT"));

/// Derives relations and histograms of a scop, unless they are cached.
pub(crate) struct Deriver<'a> {
    scop: &'a Scop,
    /// Makes no difference where all accesses are certain.
    bound: DistanceBound,
    effort: Effort,
    store: Option<&'a DiskCache>,
}

/// The result that is derived.
#[derive(Clone, Copy, Serialize)]
enum DerivationKind {
    Relation,
    Histogram,
}

/// The content of a cache file.
#[derive(Serialize, Deserialize)]
enum Answer<T> {
    Found(T),
    Refused(StageRecord, RefusalRecord),
}

#[derive(Clone, Copy, Serialize, Deserialize)]
enum StageRecord {
    Predecessors,
    Distances,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
enum RefusalRecord {
    Budget,
    Overflow,
    Unbounded,
    NotAffine,
    Remainder(usize, i64),
}

impl<'a> Deriver<'a> {
    pub(crate) fn new(
        scop: &'a Scop,
        bound: DistanceBound,
        effort: Effort,
        store: Option<&'a DiskCache>,
    ) -> Self {
        Self {
            scop,
            bound,
            effort,
            store,
        }
    }

    /// For each access, the access that touched its line last.
    ///
    /// # Errors
    /// The effort did not suffice.
    pub(crate) fn relation(&self) -> Result<ReuseRelation, NoClosedForm> {
        let read = |record: RelationRecord| record.relation(self.scop);
        self.cached(
            DerivationKind::Relation,
            read,
            |relation| RelationRecord::from(relation),
            || self.analyzed(),
        )
    }

    /// The number of accesses at each distance, and the relation, unless the histogram is cached.
    ///
    /// # Errors
    /// The effort did not suffice.
    pub(crate) fn histogram(
        &self,
    ) -> Result<(SymbolicHistogram, Option<ReuseRelation>), NoClosedForm> {
        let mut relation = None;
        let histogram = self.cached_histogram(|| {
            let analyzed = self.analyzed()?;
            let histogram = self.derived(&analyzed)?;
            relation = Some(analyzed);
            Ok(histogram)
        })?;
        Ok((histogram, relation))
    }

    /// The same, from a given relation.
    ///
    /// # Errors
    /// The effort did not suffice.
    pub(crate) fn histogram_of(
        &self,
        relation: &ReuseRelation,
    ) -> Result<SymbolicHistogram, NoClosedForm> {
        self.cached_histogram(|| self.derived(relation))
    }

    fn cached_histogram(
        &self,
        derive: impl FnOnce() -> Result<SymbolicHistogram, NoClosedForm>,
    ) -> Result<SymbolicHistogram, NoClosedForm> {
        let read = |record: Vec<DistancesRecord>| self.histogram_of_records(record);
        let write = |histogram: &SymbolicHistogram| -> Vec<DistancesRecord> {
            histogram.references.iter().map(Into::into).collect()
        };
        self.cached(DerivationKind::Histogram, read, write, derive)
    }

    fn analyzed(&self) -> Result<ReuseRelation, NoClosedForm> {
        let relation = with_budget(self.effort.operations(), || {
            analyze_bound(self.scop, self.bound)
        });
        relation.map_err(|refusal| self.refused(DerivationStage::Predecessors, refusal))
    }

    fn derived(&self, relation: &ReuseRelation) -> Result<SymbolicHistogram, NoClosedForm> {
        let mut budget = Budget::new(self.effort.steps);
        let histogram = derive(self.scop, relation, &mut budget);
        histogram.map_err(|refusal| self.refused(DerivationStage::Distances, refusal))
    }

    pub(crate) fn refused(&self, stage: DerivationStage, refusal: Refusal) -> NoClosedForm {
        NoClosedForm::Refused {
            stage,
            refusal,
            effort: self.effort,
        }
    }

    /// The cached result, or else a derived one, which is cached then.
    fn cached<T, R: Serialize + DeserializeOwned>(
        &self,
        kind: DerivationKind,
        read: impl Fn(R) -> Option<T>,
        write: impl Fn(&T) -> R,
        derive: impl FnOnce() -> Result<T, NoClosedForm>,
    ) -> Result<T, NoClosedForm> {
        let Some(store) = self.store else {
            return derive();
        };
        let Some(key) = self.key(kind) else {
            return derive();
        };
        let answer = |bytes: &[u8]| match postcard::from_bytes::<Answer<R>>(bytes).ok()? {
            Answer::Found(record) => read(record).map(Ok),
            Answer::Refused(stage, refusal) => {
                Some(Err(self.refused(stage.stage(), refusal.refusal())))
            }
        };
        if let Some(found) = store.get(key, answer) {
            return found;
        }
        let found = derive();
        let answer = match &found {
            Ok(found) => Some(Answer::Found(write(found))),
            Err(why) => refusal_record(why),
        };
        if let Some(bytes) = answer.and_then(|answer| postcard::to_stdvec(&answer).ok()) {
            store.put(key, &bytes);
        }
        found
    }

    /// The cache key of a derivation.
    fn key(&self, kind: DerivationKind) -> Option<CacheKey> {
        let whole = (
            PROGRAM,
            kind,
            self.bound == DistanceBound::Lower,
            self.effort.steps,
            ScopRecord::from(self.scop),
        );
        let bytes = postcard::to_stdvec(&whole).ok()?;
        Some(blake3::hash(&bytes))
    }

    /// Distances of the accesses in order, assigned to the scop's references.
    fn histogram_of_records(&self, records: Vec<DistancesRecord>) -> Option<SymbolicHistogram> {
        let accesses = accesses_in_order(self.scop);
        if accesses.len() != records.len() {
            return None;
        }
        let references = accesses.iter().zip(records);
        let references = references.map(|((_, access), record)| record.of(access.reference));
        Some(SymbolicHistogram {
            line_size: self.scop.line_size,
            parameters: self.scop.parameters.clone(),
            context: self.scop.context.clone(),
            references: references.collect::<Option<_>>()?,
        })
    }
}

/// The record of a failure: `None` where it might not happen again.
fn refusal_record<T>(why: &NoClosedForm) -> Option<Answer<T>> {
    let NoClosedForm::Refused { stage, refusal, .. } = why else {
        return None;
    };
    let stage = match stage {
        DerivationStage::Predecessors => StageRecord::Predecessors,
        DerivationStage::Distances => StageRecord::Distances,
        DerivationStage::Evaluation | DerivationStage::Conflicts => return None,
    };
    let refusal = match refusal {
        Refusal::Budget => RefusalRecord::Budget,
        Refusal::Overflow => RefusalRecord::Overflow,
        Refusal::Unbounded => RefusalRecord::Unbounded,
        Refusal::NotAffine => RefusalRecord::NotAffine,
        Refusal::Remainder(column, modulus) => RefusalRecord::Remainder(column.place(), *modulus),
        Refusal::Failed => return None,
    };
    Some(Answer::Refused(stage, refusal))
}

impl StageRecord {
    fn stage(self) -> DerivationStage {
        match self {
            Self::Predecessors => DerivationStage::Predecessors,
            Self::Distances => DerivationStage::Distances,
        }
    }
}

impl RefusalRecord {
    fn refusal(self) -> Refusal {
        match self {
            Self::Budget => Refusal::Budget,
            Self::Overflow => Refusal::Overflow,
            Self::Unbounded => Refusal::Unbounded,
            Self::NotAffine => Refusal::NotAffine,
            Self::Remainder(place, modulus) => Refusal::Remainder(Column::at_place(place), modulus),
        }
    }
}

/// All parts of a scop that a derivation depends on.
#[derive(Serialize)]
struct ScopRecord {
    line_size: u64,
    /// Factors and residues.
    parameters: Vec<(i64, i64)>,
    context: SystemRecord,
    /// The ranges of the coordinates.
    spaces: Vec<Vec<Option<(i64, i64)>>>,
    nodes: Vec<NodeRecord>,
    roots: Vec<usize>,
}

#[derive(Serialize)]
struct NodeRecord {
    parent: Option<usize>,
    depth: usize,
    kind: NodeKindRecord,
}

#[derive(Serialize)]
enum NodeKindRecord {
    Loop {
        ascending: bool,
        range: Option<(i64, i64)>,
        children: Vec<usize>,
    },
    Access {
        space: usize,
        possible: bool,
        pieces: Vec<(SystemRecord, Vec<AffineRecord>)>,
    },
}

impl From<&Scop> for ScopRecord {
    fn from(scop: &Scop) -> Self {
        let size = |size: &SymbolicParameter| (size.factor, size.residue);
        let spaces = scop.spaces.values();
        let ranges = spaces.map(|space| space.coordinates.iter().map(|x| x.range).collect());
        Self {
            line_size: scop.line_size,
            parameters: scop.parameters.iter().map(size).collect(),
            context: (&scop.context).into(),
            spaces: ranges.collect(),
            nodes: scop.nodes.values().map(Into::into).collect(),
            roots: scop.roots.iter().map(|node| node.index()).collect(),
        }
    }
}

impl From<&Node> for NodeRecord {
    fn from(node: &Node) -> Self {
        let kind = match &node.kind {
            NodeKind::Loop {
                id: _,
                direction,
                range,
                children,
            } => NodeKindRecord::Loop {
                ascending: *direction == Direction::Ascending,
                range: *range,
                children: children.iter().map(|child| child.index()).collect(),
            },
            NodeKind::Access(access) => {
                let piece = |piece: &Piece| {
                    let line = piece.line.iter().map(affine).collect();
                    ((&piece.domain).into(), line)
                };
                NodeKindRecord::Access {
                    space: access.space.index(),
                    possible: access.certainty == Certainty::Possible,
                    pieces: access.pieces.iter().map(piece).collect(),
                }
            }
        };
        Self {
            parent: node.parent.map(EntityRef::index),
            depth: node.depth,
            kind,
        }
    }
}
