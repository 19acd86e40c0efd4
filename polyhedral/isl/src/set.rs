//! Unions of integer polyhedra.

use std::fmt;

use premiss_presburger::{Affine, Column, Refusal, System};

use crate::convert;
use crate::raw::{Dimension, RawForms, RawSet, RawSpace};

/// The columns of a set: column 0 is the constant one, the parameters follow, then the variables.
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

    /// The kind of a column in isl, and its position among the columns of that kind.
    fn place(self, column: Column) -> (Dimension, usize) {
        assert!(
            column != Column::CONSTANT && column.number() < self.columns(),
            "a column of the shape"
        );
        if column.place() < self.parameters {
            (Dimension::Parameter, column.place())
        } else {
            (Dimension::Variable, self.position(column))
        }
    }

    /// The position of a column among the variables; the column just behind them is allowed.
    pub(crate) fn position(self, column: Column) -> usize {
        assert!(
            self.parameters < column.number(),
            "the column of a variable"
        );
        column.place() - self.parameters
    }
}

/// A union of integer polyhedra over the columns of a [`SetSpace`].
///
/// Sets that an operation combines have the same shape; otherwise it panics. Any operation may fail with
/// [`Refusal::Budget`] where [`with_budget`](crate::with_budget) limits it, and with [`Refusal::Failed`] where isl
/// cannot do it ("isl fails" below); its operands stay as they are.
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

/// The result of an operation.
type Result<T> = std::result::Result<T, Refusal>;

impl Set {
    /// The set without points.
    ///
    /// # Errors
    /// isl fails.
    pub fn empty(shape: SetSpace) -> Result<Self> {
        Self::new(RawSet::empty(RawSpace::of_sets(shape)?)?, shape)
    }

    /// The set of all points.
    ///
    /// # Errors
    /// isl fails.
    pub fn universe(shape: SetSpace) -> Result<Self> {
        Self::new(RawSet::universe(RawSpace::of_sets(shape)?)?, shape)
    }

    /// The union of the points of `systems`, whose variables are the parameters and variables of the shape.
    ///
    /// # Errors
    /// isl fails, or a coefficient does not fit 64 bits.
    ///
    /// # Panics
    /// A system has another number of variables than the shape.
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

    /// The systems of which it is the union, floors defined explicitly; they may share points. See [`Set::disjoint`].
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

    /// The same points, in systems of which no two share a point.
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
    /// Systems without an integer point are left out first: isl 0.27 may write to a null pointer where one of them has
    /// rational points alone, as `0 <= x <= 1, 2 <= x + 64 y <= 20` has.
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

    /// One system that contains all its points and maybe more, made of translates of the constraints of its systems:
    /// isl's simple hull.
    ///
    /// # Errors
    /// isl fails.
    pub fn simple_hull(&self) -> Result<Self> {
        Self::new(self.raw.simple_hull()?, self.shape)
    }

    /// The same points, with the equalities that its inequalities imply made explicit.
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

    /// Whether `other` contains all its points.
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

    /// Whether a constraint mentions the parameter or variable at `column`.
    ///
    /// # Errors
    /// isl fails.
    ///
    /// # Panics
    /// `column` is that of no parameter or variable.
    pub fn involves(&self, column: Column) -> Result<bool> {
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

    /// The projection that drops the `count` variables from column `first` on.
    ///
    /// # Errors
    /// isl fails.
    ///
    /// # Panics
    /// One of these columns is not that of a variable.
    pub fn project(&self, first: Column, count: usize) -> Result<Self> {
        assert!(
            first.number() + count <= self.shape.columns(),
            "variables there are"
        );
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

    /// The same set with `count` more variables, of any value, before column `first`.
    ///
    /// # Errors
    /// isl fails.
    ///
    /// # Panics
    /// `first` is neither the column of a variable nor the one just behind the last.
    pub fn insert(&self, first: Column, count: usize) -> Result<Self> {
        assert!(
            first.number() <= self.shape.columns(),
            "a column or the end"
        );
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

    /// The points `x` of `shape` for which `map(x)` is in it; `map` has one form over the columns of `shape` for each
    /// of its variables. The parameters stay.
    ///
    /// # Errors
    /// isl fails.
    ///
    /// # Panics
    /// The shapes differ in their parameters, or `map` has other forms.
    pub fn preimage(&self, shape: SetSpace, map: &[Affine]) -> Result<Self> {
        Self::new(self.raw.preimage(forms(shape, self.shape, map)?)?, shape)
    }

    /// The points `map(x)` for `x` in it; `map` has one form over its columns for each variable of `shape`, the shape
    /// of the result. The parameters stay.
    ///
    /// # Errors
    /// isl fails.
    ///
    /// # Panics
    /// The shapes differ in their parameters, or `map` has other forms.
    pub fn image(&self, shape: SetSpace, map: &[Affine]) -> Result<Self> {
        Self::new(self.raw.image(forms(self.shape, shape, map)?)?, shape)
    }

    /// Its points for which the parameter or variable at `column` has the value.
    ///
    /// # Errors
    /// isl fails.
    ///
    /// # Panics
    /// `column` is that of no parameter or variable.
    pub fn fix(&self, column: Column, value: i64) -> Result<Self> {
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

/// A function between shapes as forms of isl, one for each variable of the range.
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
