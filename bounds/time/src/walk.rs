//! The pattern of each reference of a function, from its strides and how often its loops run.
//!
//! Loops are examined from the inside out. Those in which a reference stands still repeat what is inside them; as long
//! as the next loop continues where the last one ends, blocks grow; the first that does not determines the stride, and
//! loops around it add blocks. References that move alike are one walk.
//!
//! ```text
//! for (i…n) for (j…n) for (k…n)     double B[n][n]
//!     … B[k][j] …                   k: blocks of 8 bytes, 8n apart; j goes on in the lines; i repeats
//! ```

use crate::pattern::{Blocks, Footprint, Pattern, PatternClass};
use premiss_scop::{Stride, formulae, similar, value_of};
use premiss_tree::{
    Expression, Loop, LoopId, NestTree, Node, ParameterId, ReferenceId, VariableId,
};
use std::collections::{BTreeMap, BTreeSet};

/// References that move alike, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct ReferencePattern {
    /// The references, in order of execution.
    pub references: Vec<ReferenceId>,
    /// How they move.
    pub pattern: Pattern,
}

/// A loop, as one reference sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
struct LoopStride {
    id: LoopId,
    /// Its mean trip count for each entry.
    trips: f64,
    /// Whether the trip count varies from entry to entry.
    varies: bool,
    /// By how many bytes the reference moves in an iteration; `None` where it is not known.
    stride: Option<i64>,
}

/// References that move alike, outermost loop first.
struct Group {
    references: Vec<ReferenceId>,
    size: f64,
    steps: Vec<LoopStride>,
}

/// The patterns of a function, one for each group of references that move alike. `trips` gives the mean trip count of a
/// loop for each entry, `sizes` the values of sizes that have none in the tree.
#[must_use]
pub fn patterns(
    tree: &NestTree,
    sizes: &BTreeMap<ParameterId, i64>,
    trips: &dyn Fn(LoopId) -> f64,
) -> Vec<ReferencePattern> {
    let formulae = formulae(tree);
    let mut by_reference = BTreeMap::new();
    for formula in &formulae {
        by_reference.entry(formula.reference).or_insert(formula);
    }
    let varying = varying(tree);
    let mut groups = Vec::new();
    for references in similar(tree, &formulae) {
        let first = &tree.references[references[0]];
        let Some(formula) = by_reference.get(&references[0]) else {
            continue;
        };
        let size = |id: ParameterId| tree.parameters[id].value.or(sizes.get(&id).copied());
        let step = |stride: &Stride| LoopStride {
            id: stride.id,
            trips: trips(stride.id),
            varies: varying.contains(&stride.id),
            stride: stride.bytes.as_ref().and_then(|x| value_of(x, size)),
        };
        groups.push(Group {
            size: f64::from(first.size),
            steps: formula.strides.iter().map(step).collect(),
            references,
        });
    }
    let mut footprints = Footprints {
        groups: &groups,
        by_loop: BTreeMap::new(),
    };
    let found = groups.iter().map(|group| ReferencePattern {
        references: group.references.clone(),
        pattern: pattern(group, &mut footprints),
    });
    found.collect()
}

fn pattern(group: &Group, footprints: &mut Footprints<'_>) -> Pattern {
    let (class, blocks) = walk(&group.steps, group.size);
    let moving = group.steps.iter().rposition(|step| step.stride != Some(0));
    let strided = strided(group);
    let outer = &group.steps[..moving.unwrap_or(0)];
    let repeats = outer
        .iter()
        .enumerate()
        .filter(|(_, x)| x.stride == Some(0));
    let repeated = repeats
        .map(|(depth, step)| (step.trips, footprints.within(step.id, depth)))
        .collect();
    // The loop that comes back to the lines that blocks are parts of.
    let back = strided.and_then(|(depth, stride)| {
        let closer = |x: &LoopStride| {
            x.stride
                .is_some_and(|s| s != 0 && s.unsigned_abs() < stride)
        };
        let outer = group.steps[..depth].iter().enumerate();
        outer
            .rev()
            .find(|(_, step)| closer(step))
            .map(|(depth, _)| depth)
    });
    let working_set = match (back, group.steps.first()) {
        (Some(depth), _) => footprints.within(group.steps[depth].id, depth),
        (None, Some(first)) => footprints.of_loop(first.id),
        (None, None) => Footprint::default(),
    };
    Pattern {
        class,
        blocks: vec![blocks],
        working_set,
        repeated,
    }
}

/// The loop whose stride is that between blocks, by its depth, with the stride.
fn strided(group: &Group) -> Option<(usize, u64)> {
    let mut bytes = group.size;
    for (depth, step) in group.steps.iter().enumerate().rev() {
        match step.stride {
            Some(0) => {}
            Some(stride) if is_next(stride, bytes) && !step.varies => bytes *= step.trips,
            Some(stride) => return Some((depth, stride.unsigned_abs())),
            None => return None,
        }
    }
    None
}

/// Class and blocks of one walk through loops, those left out that the reference stands still in.
fn walk(steps: &[LoopStride], size: f64) -> (PatternClass, Blocks) {
    let mut moving = steps
        .iter()
        .rev()
        .filter(|step| step.stride != Some(0))
        .peekable();
    if moving.peek().is_none() {
        let blocks = Blocks {
            number: 1.0,
            bytes: size,
            stride: 0.0,
        };
        return (PatternClass::Constant, blocks);
    }
    let (mut bytes, mut is_varying) = (size, false);
    let continues =
        |step: &&&LoopStride, bytes: f64| step.stride.is_some_and(|s| is_next(s, bytes));
    while let Some(step) = moving.next_if(|step| !is_varying && continues(&step, bytes)) {
        bytes *= step.trips;
        is_varying |= step.varies;
    }
    let Some(strided) = moving.next() else {
        let number = bytes / size;
        let blocks = Blocks {
            number,
            bytes: size,
            stride: size,
        };
        return (PatternClass::Contiguous, blocks);
    };
    let class = match (strided.stride, is_varying) {
        (Some(_), false) => PatternClass::FixedStride,
        (Some(_), true) => PatternClass::VariableBlock,
        (None, false) => PatternClass::VariableStride,
        (None, true) => PatternClass::VariableBoth,
    };
    let number = strided.trips * moving.map(|step| step.trips).product::<f64>();
    let stride = strided.stride.map_or(f64::INFINITY, |s| float(s).abs());
    let blocks = Blocks {
        number,
        bytes,
        stride,
    };
    (class, blocks)
}

/// The footprints of loops, each computed once.
struct Footprints<'a> {
    groups: &'a [Group],
    /// Those of a loop's walks, from the loop at a depth inwards.
    by_loop: BTreeMap<(LoopId, usize), Footprint>,
}

impl Footprints<'_> {
    /// The footprint of one iteration of a loop at a depth.
    fn within(&mut self, id: LoopId, depth: usize) -> Footprint {
        self.footprint(id, depth, depth + 1)
    }

    /// The footprint of all iterations of an outermost loop.
    fn of_loop(&mut self, id: LoopId) -> Footprint {
        self.footprint(id, 0, 0)
    }

    fn footprint(&mut self, id: LoopId, depth: usize, from: usize) -> Footprint {
        let groups = self.groups;
        let of_walks = || {
            let inside = groups
                .iter()
                .filter(|x| x.steps.get(depth).is_some_and(|step| step.id == id));
            let walks = inside.map(|group| walk(&group.steps[from..], group.size).1);
            Footprint {
                walks: walks.collect(),
            }
        };
        self.by_loop
            .entry((id, from))
            .or_insert_with(of_walks)
            .clone()
    }
}

/// Whether a block so long ends where the next begins, forwards or backwards.
fn is_next(stride: i64, bytes: f64) -> bool {
    (float(stride).abs() - bytes).abs() < 0.5
}

/// Loops that do not always run equally often: their headers mention what changes in loops, or data.
fn varying(tree: &NestTree) -> BTreeSet<LoopId> {
    let mut finder = Finder::default();
    finder.nodes(&tree.body, false);
    let changes = |part: &Expression| match part {
        Expression::Variable(id) => finder.moving.contains(id),
        Expression::Data => true,
        _ => false,
    };
    let varies = |inner: &&&Loop| {
        let mut header = [&inner.first, &inner.bound, &inner.step].into_iter();
        header.any(|expression| expression.any(changes))
    };
    let all = finder.loops.iter();
    all.filter(varies).map(|inner| inner.id).collect()
}

#[derive(Default)]
struct Finder<'a> {
    /// Variables that change in loops, iterators among them.
    moving: BTreeSet<VariableId>,
    loops: Vec<&'a Loop>,
}

impl<'a> Finder<'a> {
    fn nodes(&mut self, nodes: &'a [Node], is_repeated: bool) {
        for node in nodes {
            match node {
                Node::Loop(inner) => {
                    self.loops.push(inner);
                    self.moving.insert(inner.variable);
                    self.nodes(&inner.body, true);
                }
                Node::Branch {
                    then, otherwise, ..
                } => {
                    self.nodes(then, is_repeated);
                    self.nodes(otherwise, is_repeated);
                }
                Node::Assign { variable, .. } if is_repeated => {
                    self.moving.insert(*variable);
                }
                Node::Assign { .. } | Node::Access(_) | Node::Operations(_) | Node::Opaque(_) => {}
            }
        }
    }
}

/// Rounded where it has more than 53 bits.
#[expect(clippy::cast_precision_loss, reason = "models are not that exact")]
fn float(number: i64) -> f64 {
    number as f64
}
