//! From a tree to a [`Scop`].

use crate::columns::Columns;
use crate::condition::{Conjunction, Constraint, may_all_be};
use crate::delinearise::{Touch, rows, stays_within};
use crate::evaluate::Evaluator;
use crate::execute::{AccessItem, Item, execute, not_negative};
use crate::lines::Naming;
use crate::polynomial::{Polynomial, Symbol};
use crate::question::{Layout, Question, Size};
use crate::reject::{Obstacle, Place, Reject};
use crate::scop::{
    Access, LineSpace, LineSpaceId, Node, NodeId, NodeKind, Piece, Scop, SymbolicParameter,
};
use crate::strip::{Factors, Strip};
use premiss_presburger::{Affine, System};
use premiss_tree::{
    ArrayId, Expression, NestTree, ParameterId, PrimaryMap, ReferenceId, SecondaryMap,
};
use std::collections::BTreeMap;

/// The longest line, in bytes.
const LONGEST_LINE: u64 = 1 << 16;

/// What a tree does to lines, as sets. Where accesses leave their arrays at the least sizes, the
/// scop's context is without these.
///
/// # Errors
/// The tree is not affine, not even in pieces, or the question leaves something open.
pub fn lower(tree: &NestTree, question: &Question) -> Result<Scop, Reject> {
    match lower_from(tree, question, 0) {
        // `a[0]` of `n` elements is an element of another array where `n` is zero.
        Err(Reject::OutOfBounds(_)) => lower_from(tree, question, 1),
        result => result,
    }
}

/// As [`lower`], for sizes whose columns have at least a value.
fn lower_from(tree: &NestTree, question: &Question, least: i64) -> Result<Scop, Reject> {
    let line = i64::try_from(question.line_size).ok();
    let line = line.filter(|line| (1..=LONGEST_LINE).contains(&line.cast_unsigned()));
    let line = line.ok_or_else(|| {
        Reject::Question(format!(
            "a line has 1 to {LONGEST_LINE} bytes, not {}",
            question.line_size
        ))
    })?;
    let (parameters, sizes) = sizes(tree, question)?;
    let mut evaluator = Evaluator {
        sizes,
        floors: Vec::new(),
        holes: Vec::new(),
    };
    let start = taken_for_granted(tree, &parameters, least);
    let (items, n_iterators) = execute(tree, &mut evaluator, &start)?;
    let lowering = Lowering {
        tree,
        line,
        sizes: parameters.clone(),
        context: context(&parameters, &start),
        granted: start,
        evaluator,
        n_iterators,
    };
    lowering.finish(question, parameters, &items)
}

/// All sizes as polynomials; `None` where nothing is said.
type Sizes = SecondaryMap<ParameterId, Option<Polynomial>>;

/// The symbolic sizes, and all sizes as polynomials.
fn sizes(tree: &NestTree, question: &Question) -> Result<(Vec<SymbolicParameter>, Sizes), Reject> {
    let used = tree.used_parameters();
    let mut symbolic = Vec::new();
    let mut sizes = SecondaryMap::new();
    for (id, parameter) in &tree.parameters {
        let given = question.sizes.get(&id).copied();
        let size = match parameter.value.map(Size::Fixed).or(given) {
            Some(size) => size,
            None if used.contains(&id) => return Err(Reject::MissingSize(id)),
            None => continue,
        };
        sizes[id] = Some(match size {
            Size::Fixed(value) => Polynomial::constant(value),
            Size::Symbolic { factor, residue } => {
                if factor < 1 || !(0..factor).contains(&residue) {
                    let name = &parameter.name;
                    return Err(Reject::Question(format!(
                        "`{name}` cannot be {factor}·x + {residue}"
                    )));
                }
                let column = Polynomial::symbol(Symbol::Size(symbolic.len()));
                symbolic.push(SymbolicParameter {
                    id,
                    factor,
                    residue,
                });
                let size = column.scaled(factor).and_then(|x| x.plus_constant(residue));
                size.map_err(|_| Reject::Question("a factor is too large".to_owned()))?
            }
        });
    }
    Ok((symbolic, sizes))
}

/// Sizes are not below the least ones; where types may wrap, they are at most 2^31 - 1.
fn taken_for_granted(tree: &NestTree, parameters: &[SymbolicParameter], least: i64) -> Conjunction {
    let wraps = |expression: &Expression| expression.any(|x| matches!(x, Expression::Wrap(..)));
    let mut found = tree
        .references
        .values()
        .any(|reference| wraps(&reference.offset));
    for node in &tree.body {
        node.walk(&mut |node| found |= node.expressions().into_iter().any(wraps));
    }
    let mut granted = Conjunction::new();
    for number in 0..parameters.len() {
        let size = Polynomial::symbol(Symbol::Size(number)).plus_constant(-least);
        granted.extend(size.map(Constraint::NotNegative));
    }
    for (number, parameter) in parameters.iter().enumerate().filter(|_| found) {
        let most = (i64::from(i32::MAX) - parameter.residue) / parameter.factor;
        let size = Polynomial::symbol(Symbol::Size(number)).scaled(-1);
        let below = size.and_then(|size| size.plus_constant(most));
        granted.extend(below.map(Constraint::NotNegative));
    }
    granted
}

fn context(parameters: &[SymbolicParameter], granted: &Conjunction) -> System {
    let width = 1 + parameters.len();
    let mut context = System::universe(parameters.len());
    for constraint in granted {
        let mut row = vec![0; width];
        for (product, coefficient) in constraint.polynomial().terms() {
            let column = match product.first() {
                Some(Symbol::Size(number)) => 1 + number,
                _ => 0,
            };
            row[column] = coefficient;
        }
        context.inequalities.push(Affine::new(row));
    }
    context
}

struct Lowering<'a> {
    tree: &'a NestTree,
    line: i64,
    sizes: Vec<SymbolicParameter>,
    context: System,
    granted: Conjunction,
    evaluator: Evaluator,
    n_iterators: usize,
}

/// An array's accesses and how its lines are named.
struct Space {
    naming: Naming,
    /// The subscripts of each case of each access, accesses in the order of the tree.
    subscripts: Vec<Vec<Polynomial>>,
}

impl Lowering<'_> {
    fn finish(
        mut self,
        question: &Question,
        parameters: Vec<SymbolicParameter>,
        items: &[Item],
    ) -> Result<Scop, Reject> {
        let mut accesses = Vec::new();
        collect(items, &mut accesses);
        let mut spaces = self.spaces(question, &accesses)?;
        let strips = self.strips(&accesses, &mut spaces)?;
        let mut scop = Scop {
            line_size: question.line_size,
            parameters,
            context: self.context.clone(),
            spaces: PrimaryMap::new(),
            nodes: PrimaryMap::new(),
            roots: Vec::new(),
        };
        let mut ids = BTreeMap::new();
        for (array, space) in &spaces {
            let id = scop.spaces.push(LineSpace {
                array: *array,
                coordinates: space.naming.coordinates(),
            });
            ids.insert(*array, id);
        }
        let mut builder = Builder {
            lowering: &mut self,
            spaces: &spaces,
            ids,
            strips,
            places: BTreeMap::new(),
            next: BTreeMap::new(),
            scop,
        };
        let roots = builder.items(items, None, 0)?;
        let mut scop = builder.scop;
        scop.roots = roots;
        Ok(scop)
    }

    fn spaces(
        &mut self,
        question: &Question,
        accesses: &[&AccessItem],
    ) -> Result<BTreeMap<ArrayId, Space>, Reject> {
        let mut by_array: BTreeMap<ArrayId, Vec<&AccessItem>> = BTreeMap::new();
        for access in accesses {
            let array = self.tree.references[access.reference].array;
            by_array.entry(array).or_default().push(access);
        }
        if let Layout::Bases(bases) = &question.layout {
            self.check_apart(bases, &by_array)?;
        }
        let is_declared_apart = 1 < by_array.len() && matches!(question.layout, Layout::Aligned);
        let mut spaces = BTreeMap::new();
        for (array, accesses) in by_array {
            let start = self.start(question, array)?;
            let space = self.space(array, &accesses, start)?;
            if is_declared_apart {
                self.check_bounds(array, &accesses, &space)?;
            }
            spaces.insert(array, space);
        }
        Ok(spaces)
    }

    /// The place of an array's first byte in its line.
    fn start(&self, question: &Question, array: ArrayId) -> Result<i64, Reject> {
        match &question.layout {
            Layout::Aligned => Ok(0),
            Layout::Bases(bases) => {
                let place = bases[array] % self.line.cast_unsigned();
                i64::try_from(place).map_err(|_| Reject::UnalignedBase(array))
            }
        }
    }

    fn space(
        &mut self,
        array: ArrayId,
        accesses: &[&AccessItem],
        start: i64,
    ) -> Result<Space, Reject> {
        let mut touches = Vec::new();
        for access in accesses {
            let size = i64::from(self.tree.references[access.reference].size);
            for (domain, offset) in &access.cases {
                self.check_straddling(access.reference, offset, start, size)?;
                touches.push(Touch {
                    domain,
                    offset,
                    size,
                });
            }
        }
        let place = Place::Address(accesses[0].reference);
        let at = |obstacle: Obstacle| obstacle.at(place);
        let mut declared = Vec::new();
        if start == 0 {
            let values = Vec::new();
            for stride in &self.tree.arrays[array].strides {
                let stride = self.evaluator.value(stride, &values).map_err(at)?;
                declared.extend(stride.single().cloned());
            }
        }
        // A row that starts within a line has no bands: only a line of bytes has.
        let rows = if start == 0 {
            rows(&touches, &declared, self.line).map_err(at)?
        } else {
            let rows = rows(&touches, &declared, i64::MAX);
            let rows = rows.map_err(at)?;
            if !rows.strides.is_empty() {
                return Err(Reject::UnalignedBase(array));
            }
            rows
        };
        let naming = Naming::new(&rows, self.line, start, &self.sizes).map_err(at)?;
        Ok(Space {
            naming,
            subscripts: rows.subscripts,
        })
    }

    /// Fails where an element may lie in two lines: where its place is not known well enough to see
    /// that it does not.
    fn check_straddling(
        &self,
        reference: ReferenceId,
        offset: &Polynomial,
        start: i64,
        size: i64,
    ) -> Result<(), Reject> {
        let coefficients = offset.terms().filter(|(product, _)| !product.is_empty());
        let known = coefficients.fold(self.line, |known, (_, coefficient)| {
            crate::strip::gcd(known, coefficient)
        });
        let place = offset
            .constant_term()
            .saturating_add(start)
            .rem_euclid(known);
        if place.saturating_add(size) <= known {
            Ok(())
        } else {
            Err(Reject::Straddles(reference))
        }
    }

    /// Fails where an access may lie beyond the array as declared, and so on lines of another.
    fn check_bounds(
        &mut self,
        array: ArrayId,
        accesses: &[&AccessItem],
        space: &Space,
    ) -> Result<(), Reject> {
        let Some(extent) = &self.tree.arrays[array].extent else {
            return Ok(());
        };
        let values = Vec::new();
        let extent = self.evaluator.value(extent, &values);
        let Some(extent) = extent.ok().and_then(|extent| extent.single().cloned()) else {
            return Ok(());
        };
        let one = Polynomial::constant(1);
        let mut subscripts = space.subscripts.iter();
        for access in accesses {
            let reference = access.reference;
            let at = |obstacle: Obstacle| obstacle.at(Place::Address(reference));
            let (stride, size) = match space.naming.strides.first() {
                Some(stride) => (stride, 1),
                None => (&one, i64::from(self.tree.references[reference].size)),
            };
            let (length, _) = extent.divided(stride).map_err(at)?;
            for (domain, _) in &access.cases {
                let Some(subscript) = subscripts.next() else {
                    continue;
                };
                let is_inside = length.is_affine()
                    && stays_within(domain, &subscript[0], &length, size).map_err(at)?;
                if !is_inside {
                    return Err(Reject::OutOfBounds(reference));
                }
            }
        }
        Ok(())
    }

    /// Fails where the lines of two arrays may meet.
    fn check_apart(
        &mut self,
        bases: &SecondaryMap<ArrayId, u64>,
        by_array: &BTreeMap<ArrayId, Vec<&AccessItem>>,
    ) -> Result<(), Reject> {
        let mut order: Vec<(i64, ArrayId)> = Vec::new();
        for array in by_array.keys() {
            let base = i64::try_from(bases[*array]).map_err(|_| Reject::UnalignedBase(*array))?;
            order.push((base, *array));
        }
        order.sort_unstable();
        for pair in order.windows(2) {
            let (below, above) = (pair[0], pair[1]);
            // Between them lies a border of lines: where one starts or the other ends.
            let start = above.0 - above.0.rem_euclid(self.line);
            let end = self
                .declared_end(below.1)
                .and_then(|end| end.checked_add(below.0));
            let end = end.and_then(|end| {
                let beyond = end.checked_add(self.line - 1)?;
                Some(beyond - beyond.rem_euclid(self.line))
            });
            let mut is_apart = false;
            for border in [Some(start), end].into_iter().flatten() {
                is_apart |= self.keeps_below(&by_array[&below.1], border - below.0)?
                    && self.keeps_above(&by_array[&above.1], border - above.0)?;
            }
            if !is_apart {
                return Err(Reject::SharedLine(below.1, above.1));
            }
        }
        Ok(())
    }

    /// The size of an array in bytes, where it is declared and a number.
    fn declared_end(&mut self, array: ArrayId) -> Option<i64> {
        let extent = self.tree.arrays[array].extent.as_ref()?;
        let extent = self.evaluator.value(extent, &Vec::new()).ok()?;
        extent.single()?.as_constant()
    }

    /// Whether no access to an array touches a byte from some offset on.
    fn keeps_below(&self, accesses: &[&AccessItem], offset: i64) -> Result<bool, Reject> {
        self.never(accesses, |access, own| {
            let size = i64::from(self.tree.references[access].size);
            own.plus_constant(size)?.plus_constant(-offset - 1)
        })
    }

    /// Whether no access to an array touches a byte before some offset.
    fn keeps_above(&self, accesses: &[&AccessItem], offset: i64) -> Result<bool, Reject> {
        self.never(accesses, |_, own| own.scaled(-1)?.plus_constant(offset - 1))
    }

    /// Whether a function of the offset of each access is always negative.
    fn never(
        &self,
        accesses: &[&AccessItem],
        function: impl Fn(ReferenceId, &Polynomial) -> Result<Polynomial, Obstacle>,
    ) -> Result<bool, Reject> {
        for access in accesses {
            let at = |obstacle: Obstacle| obstacle.at(Place::Address(access.reference));
            for (domain, offset) in &access.cases {
                let violation = function(access.reference, offset).map_err(at)?;
                let violation = not_negative(violation);
                if may_all_be(domain.iter().chain(&violation)) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// What becomes of each loop; subscripts made of blocks are split.
    fn strips(
        &self,
        accesses: &[&AccessItem],
        spaces: &mut BTreeMap<ArrayId, Space>,
    ) -> Result<Vec<Strip>, Reject> {
        let mut factors = Factors::new(self.n_iterators, &self.evaluator.floors);
        let mut seen: BTreeMap<ArrayId, usize> = BTreeMap::new();
        let mut domains = Vec::new();
        for access in accesses {
            let at = |obstacle: Obstacle| obstacle.at(Place::Address(access.reference));
            let array = self.tree.references[access.reference].array;
            let Some(space) = spaces.get(&array) else {
                continue;
            };
            let next = seen.entry(array).or_default();
            for (domain, _) in &access.cases {
                let subscripts = &space.subscripts[*next];
                *next += 1;
                space.naming.require(subscripts, &mut factors).map_err(at)?;
                for constraint in domain {
                    self.require_floors(constraint.polynomial(), &mut factors)
                        .map_err(at)?;
                }
                for subscript in subscripts {
                    self.require_floors(subscript, &mut factors).map_err(at)?;
                }
                domains.push(domain);
            }
        }
        if let Some(first) = accesses.first() {
            let at = |obstacle: Obstacle| obstacle.at(Place::Address(first.reference));
            factors.close(&domains).map_err(at)?;
        }
        let strips = factors.strips(&domains);
        for space in spaces.values_mut() {
            let subscripts = std::mem::take(&mut space.subscripts);
            space.naming.split(&subscripts, &strips);
            space.subscripts = subscripts;
        }
        Ok(strips)
    }

    /// Makes the floors in a form known.
    fn require_floors(&self, form: &Polynomial, factors: &mut Factors<'_>) -> Result<(), Obstacle> {
        for (product, _) in form.terms() {
            if let [Symbol::Floor(_)] = product {
                factors.require(&Polynomial::symbol(product[0]), 1)?;
            }
        }
        Ok(())
    }
}

fn collect<'a>(items: &'a [Item], accesses: &mut Vec<&'a AccessItem>) {
    for item in items {
        match item {
            Item::Loop { body, .. } => collect(body, accesses),
            Item::Access(access) => accesses.push(access),
        }
    }
}

struct Builder<'b, 'a> {
    lowering: &'b mut Lowering<'a>,
    spaces: &'b BTreeMap<ArrayId, Space>,
    ids: BTreeMap<ArrayId, LineSpaceId>,
    strips: Vec<Strip>,
    /// The first column of each iterator around.
    places: BTreeMap<usize, usize>,
    /// How many cases of each array have been built.
    next: BTreeMap<ArrayId, usize>,
    scop: Scop,
}

impl Builder<'_, '_> {
    fn items(
        &mut self,
        items: &[Item],
        parent: Option<NodeId>,
        depth: usize,
    ) -> Result<Vec<NodeId>, Reject> {
        let mut nodes = Vec::new();
        for item in items {
            match item {
                Item::Loop { body, .. } => {
                    let mut inside = Vec::new();
                    collect(body, &mut inside);
                    if !inside.is_empty() {
                        nodes.push(self.repeat(item, parent, depth)?);
                    }
                }
                Item::Access(access) => nodes.push(self.access(access, parent, depth)?),
            }
        }
        Ok(nodes)
    }

    fn repeat(
        &mut self,
        item: &Item,
        parent: Option<NodeId>,
        depth: usize,
    ) -> Result<NodeId, Reject> {
        let Item::Loop {
            id,
            iterator,
            direction,
            body,
        } = item
        else {
            unreachable!("only loops are repeated");
        };
        let ranges: &[Option<(i64, i64)>] = match self.strips[*iterator] {
            Strip::Whole => &[None],
            Strip::Few(first, last) => &[Some((first, last))],
            Strip::Blocks(factor) => &[None, Some((0, factor - 1))],
        };
        let place = 1 + self.scop.parameters.len() + depth;
        self.places.insert(*iterator, place);
        let mut chain: Vec<NodeId> = Vec::new();
        for (idx, range) in ranges.iter().enumerate() {
            let node = self.scop.nodes.push(Node {
                parent: chain.last().copied().or(parent),
                depth: depth + idx,
                kind: NodeKind::Loop {
                    id: *id,
                    direction: *direction,
                    range: *range,
                    children: Vec::new(),
                },
            });
            chain.push(node);
        }
        let mut below = self.items(body, chain.last().copied(), depth + ranges.len())?;
        self.places.remove(iterator);
        for node in chain.iter().rev() {
            if let NodeKind::Loop { children, .. } = &mut self.scop.nodes[*node].kind {
                *children = below;
            }
            below = vec![*node];
        }
        Ok(chain[0])
    }

    fn access(
        &mut self,
        access: &AccessItem,
        parent: Option<NodeId>,
        depth: usize,
    ) -> Result<NodeId, Reject> {
        let reference = access.reference;
        let array = self.lowering.tree.references[reference].array;
        let space = &self.spaces[&array];
        let columns = Columns {
            width: 1 + self.scop.parameters.len() + depth,
            sizes: &self.lowering.sizes,
            places: &self.places,
            strips: &self.strips,
            context: &self.lowering.context,
        };
        let mut pieces = Vec::new();
        for (domain, _) in &access.cases {
            let next = self.next.entry(array).or_default();
            let subscripts = &space.subscripts[*next];
            *next += 1;
            let domain = domain.difference(&self.lowering.granted).cloned().collect();
            let floors = &self.lowering.evaluator.floors;
            let parts = space.naming.parts(&columns, floors, &domain, subscripts);
            let parts = parts.map_err(|obstacle| obstacle.at(Place::Address(reference)))?;
            pieces.extend(parts.into_iter().map(|part| Piece {
                domain: columns.system(&part),
                line: part.line,
            }));
        }
        Ok(self.scop.nodes.push(Node {
            parent,
            depth,
            kind: NodeKind::Access(Access {
                reference,
                space: self.ids[&array],
                pieces,
            }),
        }))
    }
}
