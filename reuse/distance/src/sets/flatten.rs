//! Two coordinates as one, where they count on from each other.
//!
//! Rows are often named by blocks of eight, `row = 8q + r`, and lines by their row and their place in it. A block of lines
//! such as `{ 8q + r <= 8k + 3, 0 <= r <= 7 }` is simpler as `{ row <= 8k + 3 }`: its lines are one progression.

use premiss_presburger::{Affine, Column, Polynomial, Rational, Refusal, System};

/// Systems over the columns of a sink and the coordinates of lines.
#[derive(Clone, Debug)]
pub(crate) struct LineSystems {
    pub(crate) systems: Vec<System>,
    /// The coordinates; `None` for columns that are left out.
    pub(crate) coordinates: Vec<Option<LineStep>>,
}

/// A step of a coordinate.
#[derive(Clone, Debug)]
pub(crate) struct LineStep {
    /// How many lines it is, perhaps modulo the number of sets.
    pub(crate) lines: i64,
    /// How many it is as a function of sizes.
    pub(crate) exact: Polynomial,
}

impl LineStep {
    /// How many times another step it is, whatever the sizes are, if that is more than once.
    fn in_steps_of(&self, other: &Self) -> Option<i64> {
        let (_, own) = self.exact.terms().next()?;
        let (_, unit) = other.exact.terms().next()?;
        let inverse = Rational::new(unit.denominator(), unit.numerator()).ok()?;
        let multiple = own.times(inverse).ok()?;
        let is_multiple = other.exact.scaled(multiple).ok()? == self.exact;
        let multiple = i64::try_from(multiple.to_integer()?).ok()?;
        (is_multiple && 1 < multiple).then_some(multiple)
    }
}

impl LineSystems {
    /// How many lines a step of each column of coordinates is; nothing for those that are left out.
    pub(super) fn weights(&self) -> Vec<i64> {
        let steps = self.coordinates.iter();
        steps
            .map(|step| step.as_ref().map_or(0, |step| step.lines))
            .collect()
    }

    /// The same lines by fewer coordinates, as far as that goes. Systems that need more of them stand apart. Those that
    /// are left out stay as columns without constraints.
    ///
    /// # Errors
    /// A coefficient does not fit 64 bits.
    pub(crate) fn flattened(self) -> Result<Vec<Self>, Refusal> {
        let rank = self.coordinates.len();
        let systems = self.systems.into_iter().map(without_floors);
        let mut groups = vec![Self {
            systems: systems.collect::<Result<_, _>>()?,
            coordinates: self.coordinates,
        }];
        for inner in (1..rank).rev() {
            let mut next = Vec::new();
            for group in groups {
                let outer = (0..inner).rfind(|x| group.coordinates[*x].is_some());
                match outer.and_then(|outer| group.pair(outer, inner)) {
                    Some(pair) => next.extend(group.merged(pair)?),
                    None => next.push(group),
                }
            }
            groups = next;
        }
        groups.retain(|group| !group.systems.is_empty());
        Ok(groups)
    }

    /// Two coordinates of which the outer one has a multiple of the inner one's weight.
    fn pair(&self, outer: usize, inner: usize) -> Option<CoordinatePair> {
        let [Some(own), Some(other)] = [&self.coordinates[inner], &self.coordinates[outer]] else {
            return None;
        };
        let block = other.in_steps_of(own)?;
        let variables = self.systems.first()?.variables;
        let column = |idx: usize| Column::at_place(variables - self.coordinates.len() + idx);
        Some(CoordinatePair {
            x: column(outer),
            y: column(inner),
            block,
        })
    }

    /// With one coordinate for the two of a pair, where some system is a block of both, and the systems that need both.
    fn merged(self, pair: CoordinatePair) -> Result<[Self; 2], Refusal> {
        let first = self.systems.first().map_or(0, |x| x.variables) - self.coordinates.len();
        let (outer, inner) = (pair.x.place() - first, pair.y.place() - first);
        let mut coordinates = self.coordinates.clone();
        coordinates[outer] = coordinates[inner].take();
        let mut flat = Self {
            systems: Vec::new(),
            coordinates,
        };
        let mut rest = Self {
            systems: Vec::new(),
            coordinates: self.coordinates,
        };
        let mut has_block = false;
        let mut known = Vec::new();
        for system in self.systems {
            if !system.floors.is_empty() {
                rest.systems.push(system);
            } else if let Some(whole) = pair.with_whole(&system)? {
                has_block = true;
                flat.systems.push(whole);
            } else if let Some(one) = pair.with_known(&system)? {
                known.push((system, one));
            } else {
                rest.systems.push(system);
            }
        }
        let is_flat = has_block || rest.systems.is_empty();
        for (system, one) in known {
            match is_flat {
                true => flat.systems.push(one),
                false => rest.systems.push(system),
            }
        }
        Ok([flat, rest])
    }
}

/// Coordinates `x` and `y` that become `v = block·x + y`.
#[derive(Clone, Copy)]
struct CoordinatePair {
    x: Column,
    y: Column,
    block: i64,
}

impl CoordinatePair {
    /// The system over `v` in the place of `x` where an equality determines `x`, so that `y = v - block·x`.
    fn with_known(self, system: &System) -> Result<Option<System>, Refusal> {
        let mut equalities = system.equalities.iter();
        let known = equalities
            .position(|form| form.coefficient(self.x).abs() == 1 && form.coefficient(self.y) == 0);
        let Some(idx) = known else {
            return Ok(None);
        };
        let mut rest = system.clone();
        let equality = rest.equalities.remove(idx);
        let own = Affine::variable(equality.columns(), self.x);
        // x = -sign · (the rest of the equality)
        let x = own.plus(-equality.coefficient(self.x), &equality)?;
        let y = own.plus(-self.block, &x)?;
        self.replaced(&rest, &x, &y).map(Some)
    }

    /// The same where `y` takes all values from 0 to `block - 1`, whatever the others are.
    fn with_whole(self, system: &System) -> Result<Option<System>, Refusal> {
        let of_y = |form: &Affine| form.coefficient(self.y) != 0;
        let mut merged = System::universe(system.variables);
        let (mut is_from_zero, mut is_to_end) = (false, false);
        let forms = system.inequalities.iter().map(|form| (form, false));
        let forms = forms.chain(system.equalities.iter().map(|form| (form, true)));
        for (form, is_equality) in forms {
            let (x, y) = (form.coefficient(self.x), form.coefficient(self.y));
            let mut row = form.coefficients().to_vec();
            if of_y(form) {
                let is_alone = form.support().eq([self.y]);
                if is_alone && !is_equality {
                    match (form.constant_term(), y) {
                        (0, 1) => is_from_zero = true,
                        (end, -1) if end == self.block - 1 => is_to_end = true,
                        _ => return Ok(None),
                    }
                    continue;
                }
                if x != y.saturating_mul(self.block) {
                    return Ok(None);
                }
                (row[self.x], row[self.y]) = (y, 0);
            } else if x != 0 {
                // `x <= e` is `v <= block·e + block - 1`, and `e <= x` is `block·e <= v`.
                if is_equality || x.abs() != 1 {
                    return Ok(None);
                }
                row[self.x] = 0;
                let mut bound = Affine::new(row).times(self.block)?.coefficients().to_vec();
                if x == -1 {
                    bound[0] = bound[0]
                        .checked_add(self.block - 1)
                        .ok_or(Refusal::Overflow)?;
                }
                bound[self.x] = x;
                row = bound;
            }
            let row = Affine::new(row);
            match is_equality {
                true => merged.equalities.push(row),
                false => merged.inequalities.push(row),
            }
        }
        Ok((is_from_zero && is_to_end).then_some(merged))
    }

    /// A system with forms for `x` and `y`, over columns in which `x` stands for `v` and `y` for nothing.
    fn replaced(self, system: &System, x: &Affine, y: &Affine) -> Result<System, Refusal> {
        let replace = |form: &Affine| {
            let (of_x, of_y) = (form.coefficient(self.x), form.coefficient(self.y));
            let mut row = form.coefficients().to_vec();
            (row[self.x], row[self.y]) = (0, 0);
            Affine::new(row).plus(of_x, x)?.plus(of_y, y)
        };
        let all = |forms: &[Affine]| forms.iter().map(replace).collect::<Result<Vec<_>, _>>();
        Ok(System {
            variables: system.variables,
            floors: Vec::new(),
            equalities: all(&system.equalities)?,
            inequalities: all(&system.inequalities)?,
        })
    }
}

/// A system without the floors that bounds of their numerators replace: `floor(y/4) <= e` is `y <= 4e + 3`, and
/// `e <= floor(y/4)` is `4e <= y`.
fn without_floors(mut system: System) -> Result<System, Refusal> {
    while let Some(floor) = system.floors.pop() {
        let column = Column::at_place(system.variables + system.floors.len());
        let coefficients = |forms: &[Affine]| {
            let own = forms.iter().map(|form| form.coefficient(column));
            own.collect::<Vec<i64>>()
        };
        let is_bounded = coefficients(&system.equalities).iter().all(|x| *x == 0)
            && coefficients(&system.inequalities)
                .iter()
                .all(|x| x.abs() <= 1);
        if !is_bounded {
            system.floors.push(floor);
            return Ok(system);
        }
        let bounded = |form: &Affine| {
            let own = form.coefficient(column);
            let mut row = form.coefficients().to_vec();
            row[column] = 0;
            let mut bound = Affine::new(row);
            if own != 0 {
                bound = bound
                    .times(floor.denominator)?
                    .plus(own, &floor.numerator)?;
            }
            if own == -1 {
                let one = Affine::constant(bound.columns(), 1);
                bound = bound.plus(floor.denominator - 1, &one)?;
            }
            Ok::<_, Refusal>(narrowed(&bound))
        };
        let inequalities = system.inequalities.iter().map(bounded);
        system.inequalities = inequalities.collect::<Result<_, _>>()?;
        system.equalities = system.equalities.iter().map(narrowed).collect();
        for other in &mut system.floors {
            other.numerator = narrowed(&other.numerator);
        }
    }
    Ok(system)
}

/// A form without its last column, on which it does not depend.
fn narrowed(form: &Affine) -> Affine {
    let coefficients = form.coefficients();
    Affine::new(coefficients[..coefficients.len() - 1].to_vec())
}
