//! Constraints in the form in which equal ones look equal.

use crate::rows::{content, is_constant, is_opposite, tighten};
use crate::{Affine, Refusal, System};

impl System {
    /// The same points by constraints in lowest terms and in order, of parallel ones the tightest,
    /// opposite ones that meet as an equality; nothing where two of them or one plainly contradict.
    ///
    /// `{ 1 <= 2x, x <= y, y <= x, 0 <= x }` is `{ 1 <= x, y - x = 0 }`.
    ///
    /// # Errors
    /// A number does not fit 64 bits.
    pub fn tidied(&self) -> Result<Option<Self>, Refusal> {
        let mut equalities = self.equalities.clone();
        let mut kept: Vec<Affine> = Vec::with_capacity(self.inequalities.len());
        for form in &self.inequalities {
            let mut row = form.coefficients().to_vec();
            tighten(&mut row);
            match is_constant(&row) {
                true if row[0] < 0 => return Ok(None),
                true => {}
                false => keep_tightest(&mut kept, row),
            }
        }
        let Some(inequalities) = without_opposites(kept, &mut equalities)? else {
            return Ok(None);
        };
        let mut forms = Vec::with_capacity(equalities.len());
        for form in equalities {
            let Some(form) = lowest(&form)? else {
                return Ok(None);
            };
            if !form.is_constant() {
                forms.push(form);
            }
        }
        forms.sort_unstable();
        forms.dedup();
        Ok(Some(Self {
            variables: self.variables,
            floors: self.floors.clone(),
            equalities: forms,
            inequalities,
        }))
    }
}

/// Adds a row, of parallel ones only the tightest.
fn keep_tightest(kept: &mut Vec<Affine>, row: Vec<i64>) {
    let is_parallel = |form: &&mut Affine| form.coefficients()[1..] == row[1..];
    match kept.iter_mut().find(is_parallel) {
        Some(known) if known.constant_term() <= row[0] => {}
        Some(known) => *known = Affine::new(row),
        None => kept.push(Affine::new(row)),
    }
}

/// Rows in order, those that meet as equalities instead; nothing where two contradict.
fn without_opposites(
    mut rows: Vec<Affine>,
    equalities: &mut Vec<Affine>,
) -> Result<Option<Vec<Affine>>, Refusal> {
    rows.sort_unstable();
    let mut index = 0;
    while index < rows.len() {
        let row = rows[index].coefficients();
        let mut others = index + 1..rows.len();
        let Some(other) = others.find(|other| is_opposite(row, rows[*other].coefficients())) else {
            index += 1;
            continue;
        };
        let room =
            i128::from(rows[index].constant_term()) + i128::from(rows[other].constant_term());
        match room {
            ..0 => return Ok(None),
            0 => {
                rows.remove(other);
                equalities.push(rows.remove(index));
            }
            _ => index += 1,
        }
    }
    Ok(Some(rows))
}

/// A form that is zero in lowest terms, its last coefficient positive; nothing where it is never zero.
fn lowest(form: &Affine) -> Result<Option<Affine>, Refusal> {
    let mut row = form.coefficients().to_vec();
    let divisor = content(&row);
    let is_possible = match divisor {
        0 => row[0] == 0,
        _ => row[0] % divisor == 0,
    };
    if !is_possible {
        return Ok(None);
    }
    let last = row.iter().rfind(|x| **x != 0).copied().unwrap_or(0);
    let divisor = divisor.max(1) * if last < 0 { -1 } else { 1 };
    for x in &mut row {
        *x = x.checked_div(divisor).ok_or(Refusal::Overflow)?;
    }
    Ok(Some(Affine::new(row)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(equalities: &[[i64; 3]], inequalities: &[[i64; 3]]) -> System {
        let forms = |rows: &[[i64; 3]]| rows.iter().map(|row| Affine::new(row.to_vec())).collect();
        System {
            variables: 2,
            floors: Vec::new(),
            equalities: forms(equalities),
            inequalities: forms(inequalities),
        }
    }

    #[test]
    fn equal_constraints_look_equal() {
        let rows = [[-1, 2, 0], [0, -1, 1], [0, 1, -1], [0, 1, 0]];
        let expected = system(&[[0, -1, 1]], &[[-1, 1, 0]]);
        assert_eq!(system(&[], &rows).tidied(), Ok(Some(expected)));
        let doubled = system(&[[6, 2, -2]], &[]).tidied();
        assert_eq!(doubled, Ok(Some(system(&[[-3, -1, 1]], &[]))));
    }

    #[test]
    fn plain_contradictions_leave_nothing() {
        assert_eq!(system(&[], &[[-1, 0, 0]]).tidied(), Ok(None));
        assert_eq!(system(&[], &[[3, 1, 0], [-4, -1, 0]]).tidied(), Ok(None));
        assert_eq!(system(&[[1, 2, -2]], &[]).tidied(), Ok(None));
        assert_eq!(system(&[[1, 0, 0]], &[]).tidied(), Ok(None));
    }
}
