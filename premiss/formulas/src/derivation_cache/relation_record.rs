//! The serialised form of a reuse relation.

use super::records::{AffineRecord, SystemRecord, affine};
use premiss_dataflow::{AccessReuse, NodePart, Reuse, ReuseRelation, Segment};
use premiss_presburger::{Affine, System};
use premiss_scop::{EntityRef, LineSpaceId, NodeId, NodeKind, Scop};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub(crate) struct RelationRecord {
    accesses: Vec<AccessRecord>,
    footprints: Vec<((usize, PartRecord, usize), Vec<SystemRecord>)>,
}

#[derive(Serialize, Deserialize)]
struct AccessRecord {
    sink: usize,
    reuses: Vec<ReuseRecord>,
    cold: Vec<SystemRecord>,
}

#[derive(Serialize, Deserialize)]
struct ReuseRecord {
    domain: Vec<SystemRecord>,
    hull: SystemRecord,
    line: Vec<AffineRecord>,
    source: usize,
    map: Vec<AffineRecord>,
    carrier: Option<usize>,
    may_return: bool,
    between: Vec<(usize, PartRecord, Vec<AffineRecord>)>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
enum PartRecord {
    Whole,
    After,
    Before,
    Between,
}

impl From<&ReuseRelation> for RelationRecord {
    fn from(relation: &ReuseRelation) -> Self {
        let access = |access: &AccessReuse| AccessRecord {
            sink: access.sink.index(),
            reuses: access.reuses.iter().map(Into::into).collect(),
            cold: records(&access.cold),
        };
        let footprints = relation.footprints.iter();
        let footprints = footprints.map(|((node, part, space), systems)| {
            let key = (node.index(), PartRecord::from(*part), space.index());
            (key, records(systems))
        });
        Self {
            accesses: relation.accesses.iter().map(access).collect(),
            footprints: footprints.collect(),
        }
    }
}

impl From<&Reuse> for ReuseRecord {
    fn from(reuse: &Reuse) -> Self {
        let rows = |forms: &[Affine]| forms.iter().map(affine).collect();
        let segment = |segment: &Segment| {
            (
                segment.node.index(),
                segment.part.into(),
                rows(&segment.map),
            )
        };
        Self {
            domain: records(&reuse.domain),
            hull: (&reuse.hull).into(),
            line: rows(&reuse.line),
            source: reuse.source.index(),
            map: rows(&reuse.map),
            carrier: reuse.carrier.map(EntityRef::index),
            may_return: reuse.may_return,
            between: reuse.between.iter().map(segment).collect(),
        }
    }
}

fn records(systems: &[System]) -> Vec<SystemRecord> {
    systems.iter().map(Into::into).collect()
}

impl RelationRecord {
    /// The relation; `None` if it cannot be one of this scop.
    pub(crate) fn relation(self, scop: &Scop) -> Option<ReuseRelation> {
        let names = ScopIds { scop };
        let access = |access: AccessRecord| {
            let reuses = access.reuses.into_iter().map(|reuse| names.reuse(reuse));
            Some(AccessReuse {
                sink: names.access(access.sink)?,
                reuses: reuses.collect::<Option<_>>()?,
                cold: systems(access.cold)?,
            })
        };
        let footprint = |((node, part, space), all): ((usize, PartRecord, usize), _)| {
            let key = (names.node(node)?, part.into(), names.space(space)?);
            Some((key, systems(all)?))
        };
        let accesses = self.accesses.into_iter().map(access);
        let footprints = self.footprints.into_iter().map(footprint);
        Some(ReuseRelation {
            accesses: accesses.collect::<Option<_>>()?,
            footprints: footprints.collect::<Option<_>>()?,
        })
    }
}

/// Turns stored indices into ids of a scop.
struct ScopIds<'a> {
    scop: &'a Scop,
}

impl ScopIds<'_> {
    fn node(&self, idx: usize) -> Option<NodeId> {
        (idx < self.scop.nodes.len()).then(|| NodeId::new(idx))
    }

    fn access(&self, idx: usize) -> Option<NodeId> {
        let is_access = |node: &NodeId| matches!(self.scop.nodes[*node].kind, NodeKind::Access(_));
        self.node(idx).filter(is_access)
    }

    fn space(&self, idx: usize) -> Option<LineSpaceId> {
        (idx < self.scop.spaces.len()).then(|| LineSpaceId::new(idx))
    }

    fn reuse(&self, reuse: ReuseRecord) -> Option<Reuse> {
        let segment = |(node, part, map): (usize, PartRecord, _)| {
            Some(Segment {
                node: self.node(node)?,
                part: part.into(),
                map: forms(map)?,
            })
        };
        let carrier = match reuse.carrier {
            None => None,
            Some(idx) => Some(self.node(idx)?),
        };
        let between = reuse.between.into_iter().map(segment);
        Some(Reuse {
            domain: systems(reuse.domain)?,
            hull: reuse.hull.system()?,
            line: forms(reuse.line)?,
            source: self.access(reuse.source)?,
            map: forms(reuse.map)?,
            carrier,
            may_return: reuse.may_return,
            between: between.collect::<Option<_>>()?,
        })
    }
}

fn systems(records: Vec<SystemRecord>) -> Option<Vec<System>> {
    records.into_iter().map(SystemRecord::system).collect()
}

fn forms(rows: Vec<AffineRecord>) -> Option<Vec<Affine>> {
    let form = |row: AffineRecord| (!row.is_empty()).then(|| Affine::new(row));
    rows.into_iter().map(form).collect()
}

impl From<NodePart> for PartRecord {
    fn from(part: NodePart) -> Self {
        match part {
            NodePart::Whole => Self::Whole,
            NodePart::After => Self::After,
            NodePart::Before => Self::Before,
            NodePart::Between => Self::Between,
        }
    }
}

impl From<PartRecord> for NodePart {
    fn from(part: PartRecord) -> Self {
        match part {
            PartRecord::Whole => Self::Whole,
            PartRecord::After => Self::After,
            PartRecord::Before => Self::Before,
            PartRecord::Between => Self::Between,
        }
    }
}
