//! Unions of integer polyhedra.

use std::fmt;

use premiss_presburger::{Affine, Refusal, System};

use crate::convert;
use crate::raw::{Dimension, RawForms, RawSet, RawSpace};

/// Over what columns a set is: column 0 is the constant one, the parameters follow, then the
/// variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetSpace {
    /// How many parameters there are.
    pub parameters: usize,
    /// How many variables there are, without the parameters.
    pub variables: usize,
}

impl SetSpace {
    /// How many columns there are, the constant one included.
    #[must_use]
    pub fn columns(self) -> usize {
        1 + self.parameters + self.variables
    }

    /// What isl calls a column, and at which place it has it.
    fn place(self, column: usize) -> (Dimension, usize) {
        assert!(
            0 < column && column < self.columns(),
            "a column of the shape"
        );
        if column <= self.parameters {
            (Dimension::Parameter, column - 1)
        } else {
            (Dimension::Variable, self.position(column))
        }
    }

    /// Which of the variables a column is; the first column behind them is allowed.
    pub(crate) fn position(self, column: usize) -> usize {
        assert!(self.parameters < column, "the column of a variable");
        column - 1 - self.parameters
    }
}

/// A union of integer polyhedra over the columns of a [`SetSpace`].
///
/// Sets that an operation takes together have the same shape. Any operation may fail with
/// [`Refusal::Budget`] where [`with_budget`](crate::with_budget) limits it, and with
/// [`Refusal::Failed`] where isl cannot do it; its operands stay as they are.
///
/// A set stays on the thread that made it:
///
/// ```compile_fail,E0277
/// fn sent<T: Send>() {}
/// sent::<premiss_isl::Set>();
/// ```
/// ```compile_fail,E0277
/// fn shared<T: Sync>() {}
/// shared::<premiss_isl::Set>();
/// ```
#[derive(Clone)]
pub struct Set {
    raw: RawSet,
    shape: SetSpace,
}

/// What operations yield.
type Result<T> = std::result::Result<T, Refusal>;

impl Set {
    /// No point.
    ///
    /// # Errors
    /// isl fails.
    pub fn empty(shape: SetSpace) -> Result<Self> {
        Self::new(RawSet::empty(RawSpace::of_sets(shape)?)?, shape)
    }

    /// All points.
    ///
    /// # Errors
    /// isl fails.
    pub fn universe(shape: SetSpace) -> Result<Self> {
        Self::new(RawSet::universe(RawSpace::of_sets(shape)?)?, shape)
    }

    /// The points of any of some systems, whose variables are the parameters and variables of the
    /// shape.
    ///
    /// # Errors
    /// isl fails, or a coefficient does not fit 64 bits.
    pub fn from_systems(shape: SetSpace, systems: &[System]) -> Result<Self> {
        let mut union: Option<RawSet> = None;
        let space = RawSpace::of_sets(shape)?;
        for system in systems {
            let variables = shape.parameters + shape.variables;
            assert_eq!(system.variables, variables, "systems of the shape");
            let set = RawSet::of_basic_set(convert::basic_set(space.clone(), system)?)?;
            union = Some(match union {
                None => set,
                Some(union) => union.united(set)?,
            });
        }
        union.map_or_else(|| Self::empty(shape), |raw| Self::new(raw, shape))
    }

    /// Its columns.
    #[must_use]
    pub fn shape(&self) -> SetSpace {
        self.shape
    }

    /// Systems of which it is the union; they may share points. See [`Set::disjoint`].
    ///
    /// # Errors
    /// isl fails, or a coefficient does not fit 64 bits.
    pub fn systems(&self) -> Result<Vec<System>> {
        let explicit = self.raw.compute_divisions()?;
        let mut systems = Vec::new();
        for basic_set in explicit.basic_sets()? {
            if !basic_set.is_plainly_empty()? {
                systems.push(convert::system(self.shape, &basic_set)?);
            }
        }
        Ok(systems)
    }

    /// The same points, in systems that share none.
    ///
    /// # Errors
    /// isl fails.
    pub fn disjoint(&self) -> Result<Self> {
        Self::new(self.raw.disjoint()?, self.shape)
    }

    /// The points of either.
    ///
    /// # Errors
    /// isl fails.
    pub fn union(&self, other: &Self) -> Result<Self> {
        Self::new(self.raw.union(self.fellow(other))?, self.shape)
    }

    /// The points of both.
    ///
    /// # Errors
    /// isl fails.
    pub fn intersect(&self, other: &Self) -> Result<Self> {
        Self::new(self.raw.intersect(self.fellow(other))?, self.shape)
    }

    /// Its points that the other does not have.
    ///
    /// # Errors
    /// isl fails.
    pub fn subtract(&self, other: &Self) -> Result<Self> {
        Self::new(self.raw.subtract(self.fellow(other))?, self.shape)
    }

    /// A set that agrees with it on the points of the context, and is simpler where it can be.
    ///
    /// # Errors
    /// isl fails.
    pub fn gist(&self, context: &Self) -> Result<Self> {
        Self::new(self.raw.gist(self.fellow(context))?, self.shape)
    }

    /// The same points, in fewer systems where two can be one.
    ///
    /// Systems without an integer are left out before: isl 0.27 may write to a null pointer where one
    /// of them has rational points alone, as `0 <= x <= 1, 2 <= x + 64 y <= 20` has.
    ///
    /// # Errors
    /// isl fails.
    pub fn coalesce(&self) -> Result<Self> {
        let pieces = self.raw.basic_sets()?;
        let mut union = RawSet::empty(RawSpace::of_sets(self.shape)?)?;
        for piece in pieces {
            if !piece.is_empty()? {
                union = union.united(RawSet::of_basic_set(piece)?)?;
            }
        }
        Self::new(union.coalesce()?, self.shape)
    }

    /// One system that has all its points and may have more, made of its own constraints.
    ///
    /// # Errors
    /// isl fails.
    pub fn simple_hull(&self) -> Result<Self> {
        Self::new(self.raw.simple_hull()?, self.shape)
    }

    /// The same points, with the equalities that its inequalities imply.
    ///
    /// # Errors
    /// isl fails.
    pub fn detect_equalities(&self) -> Result<Self> {
        Self::new(self.raw.detect_equalities()?, self.shape)
    }

    /// The same points, without the constraints that others imply.
    ///
    /// # Errors
    /// isl fails.
    pub fn remove_redundancies(&self) -> Result<Self> {
        Self::new(self.raw.remove_redundancies()?, self.shape)
    }

    /// Whether it has no point, whatever the parameters.
    ///
    /// # Errors
    /// isl fails.
    pub fn is_empty(&self) -> Result<bool> {
        self.raw.is_empty()
    }

    /// Whether the other has all its points.
    ///
    /// # Errors
    /// isl fails.
    pub fn is_subset(&self, other: &Self) -> Result<bool> {
        self.raw.is_subset(self.fellow(other))
    }

    /// Whether both have the same points.
    ///
    /// # Errors
    /// isl fails.
    pub fn is_equal(&self, other: &Self) -> Result<bool> {
        self.raw.is_equal(self.fellow(other))
    }

    /// Whether a constraint mentions the parameter or variable of a column.
    ///
    /// # Errors
    /// isl fails.
    pub fn involves(&self, column: usize) -> Result<bool> {
        let (kind, position) = self.shape.place(column);
        self.raw.involves(kind, position)
    }

    /// Whether a constraint mentions a floor or another variable that exists only within it.
    ///
    /// # Errors
    /// isl fails.
    pub fn has_floors(&self) -> Result<bool> {
        self.raw.has_divisions()
    }

    /// The points that remain when the columns of so many variables are dropped.
    ///
    /// # Errors
    /// isl fails.
    pub fn project(&self, first: usize, count: usize) -> Result<Self> {
        assert!(first + count <= self.shape.columns(), "variables there are");
        let raw = self.raw.project(self.shape.position(first), count)?;
        let variables = self.shape.variables - count;
        Self::new(
            raw,
            SetSpace {
                variables,
                ..self.shape
            },
        )
    }

    /// The same set with so many more variables, of any value, before a column.
    ///
    /// # Errors
    /// isl fails.
    pub fn insert(&self, first: usize, count: usize) -> Result<Self> {
        assert!(first <= self.shape.columns(), "a column or the end");
        let raw = self.raw.insert(self.shape.position(first), count)?;
        let variables = self.shape.variables + count;
        Self::new(
            raw,
            SetSpace {
                variables,
                ..self.shape
            },
        )
    }

    /// The points `x` of a shape for which `map(x)` is in it: one form over the columns of the
    /// shape for each of its variables. The parameters stay.
    ///
    /// # Errors
    /// isl fails.
    pub fn preimage(&self, shape: SetSpace, map: &[Affine]) -> Result<Self> {
        Self::new(self.raw.preimage(forms(shape, self.shape, map)?)?, shape)
    }

    /// The points `map(x)` for `x` in it: one form over its columns for each variable of the shape
    /// of the result. The parameters stay.
    ///
    /// # Errors
    /// isl fails.
    pub fn image(&self, shape: SetSpace, map: &[Affine]) -> Result<Self> {
        Self::new(self.raw.image(forms(self.shape, shape, map)?)?, shape)
    }

    /// Its points for which the parameter or variable of a column has a value.
    ///
    /// # Errors
    /// isl fails.
    pub fn fix(&self, column: usize, value: i64) -> Result<Self> {
        let (kind, position) = self.shape.place(column);
        Self::new(self.raw.fix(kind, position, value)?, self.shape)
    }

    pub(crate) fn new(raw: RawSet, shape: SetSpace) -> Result<Self> {
        Ok(Self { raw, shape })
    }

    pub(crate) fn raw(&self) -> &RawSet {
        &self.raw
    }

    fn fellow<'a>(&self, other: &'a Self) -> &'a RawSet {
        assert_eq!(self.shape, other.shape, "sets of one shape");
        &other.raw
    }
}

/// A function between shapes, as isl has it.
fn forms(domain: SetSpace, range: SetSpace, map: &[Affine]) -> Result<RawForms> {
    assert_eq!(domain.parameters, range.parameters, "the parameters stay");
    assert_eq!(map.len(), range.variables, "one form for each variable");
    for form in map {
        assert_eq!(form.columns(), domain.columns(), "forms over the columns");
    }
    let coefficients = map.iter().map(Affine::coefficients);
    let (from, to) = (RawSpace::of_sets(domain)?, RawSpace::of_sets(range)?);
    RawForms::new(&from, to, domain.parameters, coefficients)
}

/// In isl's notation, the parameters being `p0`, `p1`, and so on.
impl fmt::Debug for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.raw.text() {
            Ok(text) => f.write_str(&text),
            Err(refusal) => write!(f, "a set ({refusal})"),
        }
    }
}
