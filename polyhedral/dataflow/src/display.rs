//! A [`ReuseRelation`] as text, with the names that its ids have in the source.
//!
//! ```text
//! N1 R0 load a[i]
//!   from N1 carried by N0: [n] -> { N1[i] -> N1[i - 1] : 1 <= i and i <= n - 1 }
//!     after N2[i - 1]
//!   cold: [n] -> { N1[i] : 0 = i and 1 <= n }
//! footprints
//!   after N2 of S0: [n] -> { [i, c0] : … }
//! ```

use crate::footprint::NodePart;
use crate::relation::{AccessReuse, Reuse, ReuseRelation, Segment};
use premiss_presburger::Notation;
use premiss_scop::{NodeId, NodeKind, Scop, ScopNames};
use std::fmt::{self, Display, Formatter};

/// A relation with the names of its scop.
struct NamedRelation<'a> {
    relation: &'a ReuseRelation,
    scop: &'a Scop,
    names: ScopNames<'a>,
}

impl ReuseRelation {
    /// The relation as text. `scop` is the one that the relation was derived from, and `names` are its names.
    #[must_use]
    pub fn display<'a>(&'a self, scop: &'a Scop, names: ScopNames<'a>) -> impl Display + use<'a> {
        NamedRelation {
            relation: self,
            scop,
            names,
        }
    }
}

impl Display for NamedRelation<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let accesses = &self.relation.accesses;
        accesses
            .iter()
            .try_for_each(|access| self.access(f, access))?;
        self.footprints(f)
    }
}

impl NamedRelation<'_> {
    fn access(&self, f: &mut Formatter<'_>, access: &AccessReuse) -> fmt::Result {
        let sink = access.sink;
        writeln!(f, "{sink} {}", self.reference(sink))?;
        let notation = self.names.notation_at(sink);
        for reuse in &access.reuses {
            self.reuse(f, sink, reuse, &notation)?;
        }
        writeln!(
            f,
            "  cold: {}",
            notation.set(&sink.to_string(), &access.cold)
        )
    }

    fn reference(&self, node: NodeId) -> String {
        match &self.scop.nodes[node].kind {
            NodeKind::Access(access) => self.names.reference(access.reference),
            NodeKind::Loop { id, .. } => id.to_string(),
        }
    }

    fn reuse(
        &self,
        f: &mut Formatter<'_>,
        sink: NodeId,
        reuse: &Reuse,
        notation: &Notation,
    ) -> fmt::Result {
        let source = reuse.source;
        write!(f, "  from {source}")?;
        if let Some(carrier) = reuse.carrier {
            write!(f, " carried by {carrier}")?;
        }
        let tuples = (&*sink.to_string(), &*source.to_string());
        writeln!(f, ": {}", notation.map(tuples, &reuse.domain, &reuse.map))?;
        for segment in &reuse.between {
            writeln!(f, "    {}", segment_text(segment, notation))?;
        }
        Ok(())
    }

    fn footprints(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.relation.footprints.is_empty() {
            return Ok(());
        }
        writeln!(f, "footprints")?;
        for ((node, part, space), lines) in &self.relation.footprints {
            let mut notation = match part {
                NodePart::Whole => self.names.notation_at(*node),
                NodePart::After | NodePart::Before | NodePart::Between => {
                    self.names.notation_inside(*node)
                }
            };
            if *part == NodePart::Between {
                let earlier = notation.variables.last().cloned().unwrap_or_default();
                notation.variables.push(format!("{earlier}'"));
            }
            let n_coordinates = self.scop.spaces[*space].coordinates.len();
            let coordinates = (0..n_coordinates).map(|idx| format!("c{idx}"));
            notation.variables.extend(coordinates);
            let set = notation.set("", lines);
            writeln!(f, "  {} {node} of {space}: {set}", part_name(*part))?;
        }
        Ok(())
    }
}

fn segment_text(segment: &Segment, notation: &Notation) -> String {
    let values = segment.map.iter().map(|form| notation.affine(form));
    let values: Vec<String> = values.collect();
    let part = part_name(segment.part);
    format!("{part} {}[{}]", segment.node, values.join(", "))
}

fn part_name(part: NodePart) -> &'static str {
    match part {
        NodePart::Whole => "all of",
        NodePart::After => "after",
        NodePart::Before => "before",
        NodePart::Between => "between",
    }
}
