//! (temporary) decision tree
use premiss_isl::{Set, Shape};
use premiss_presburger::{Affine, Piece, Polynomial, Refusal, System};
use std::collections::BTreeMap;

pub(crate) fn disjoint(systems: Vec<System>) -> Result<Vec<System>, Refusal> {
    let Some(first) = systems.first() else {
        return Ok(Vec::new());
    };
    if systems.len() == 1 {
        return Ok(systems);
    }
    let shape = Shape {
        parameters: 0,
        variables: first.variables,
    };
    Set::from_systems(shape, &systems)?.disjoint()?.systems()
}

fn negated(form: &Affine) -> Affine {
    form.times(-1)
        .unwrap()
        .plus(-1, &Affine::constant(form.columns(), 1))
        .unwrap()
}

type Conditions = Vec<Affine>;

pub(crate) fn combine(domain: &System, parts: &[Piece]) -> Result<Vec<Piece>, Refusal> {
    let mut master = domain.clone();
    let mut pending: Vec<(Conditions, Polynomial)> = Vec::new();
    for part in parts {
        let before = (master.equalities.len(), master.inequalities.len());
        let mut columns: Vec<usize> = (0..=part.domain.variables).collect();
        for floor in &part.domain.floors {
            let mut numerator = Affine::constant(master.columns(), floor.numerator.constant_term());
            for c in floor.numerator.support() {
                numerator = numerator.plus(
                    floor.numerator.coefficient(c),
                    &Affine::variable(master.columns(), columns[c]),
                )?;
            }
            let found = master
                .floors
                .iter()
                .position(|f| f.denominator == floor.denominator && f.numerator == numerator);
            columns.push(match found {
                Some(i) => 1 + master.variables + i,
                None => master.add_floor(&numerator, floor.denominator),
            });
        }
        assert_eq!(before, (master.equalities.len(), master.inequalities.len()));
        let mv = |form: &Affine, width: usize| {
            let mut out = vec![0; width];
            out[0] = form.constant_term();
            for c in form.support() {
                out[columns[c]] = form.coefficient(c);
            }
            Affine::new(out)
        };
        let width = master.columns();
        let mut conditions: Conditions = part
            .domain
            .inequalities
            .iter()
            .map(|f| mv(f, width))
            .collect();
        for e in &part.domain.equalities {
            let f = mv(e, width);
            conditions.push(f.times(-1)?);
            conditions.push(f);
        }
        conditions.sort();
        conditions.dedup();
        let value = part.value.renumbered(|c| columns[c])?;
        pending.push((conditions, value));
    }
    let width = master.columns();
    for (c, _) in &mut pending {
        for f in c {
            *f = f.widened(width);
        }
    }
    // group
    let mut grouped: BTreeMap<Conditions, Polynomial> = BTreeMap::new();
    for (c, p) in pending {
        match grouped.entry(c) {
            std::collections::btree_map::Entry::Vacant(e) => {
                e.insert(p);
            }
            std::collections::btree_map::Entry::Occupied(mut e) => {
                let s = e.get().plus(&p)?;
                e.insert(s);
            }
        }
    }
    let mut out = Vec::new();
    split(
        master,
        grouped.into_iter().collect(),
        Polynomial::zero(),
        &mut out,
    )?;
    Ok(out)
}

fn split(
    mut domain: System,
    mut pending: Vec<(Conditions, Polynomial)>,
    mut sum: Polynomial,
    out: &mut Vec<Piece>,
) -> Result<(), Refusal> {
    loop {
        let mut rest = Vec::new();
        for (c, p) in pending {
            if c.is_empty() {
                sum = sum.plus(&p)?;
            } else {
                rest.push((c, p));
            }
        }
        pending = rest;
        let mut counts: BTreeMap<&Affine, usize> = BTreeMap::new();
        for (c, _) in &pending {
            for f in c {
                *counts.entry(f).or_default() += 1;
            }
        }
        let Some((form, _)) = counts.iter().max_by_key(|(_, n)| **n) else {
            out.push(Piece { domain, value: sum });
            return Ok(());
        };
        let form = (*form).clone();
        let not = negated(&form);
        let mut yes_domain = domain.clone();
        yes_domain.inequalities.push(form.clone());
        let mut no_domain = domain.clone();
        no_domain.inequalities.push(not.clone());
        let (yes, no) = (!yes_domain.is_infeasible(), !no_domain.is_infeasible());
        let take = |pending: &[(Conditions, Polynomial)],
                    form: &Affine,
                    not: &Affine|
         -> Vec<(Conditions, Polynomial)> {
            pending
                .iter()
                .filter(|(c, _)| !c.contains(not))
                .map(|(c, p)| {
                    (
                        c.iter().filter(|f| *f != form).cloned().collect(),
                        p.clone(),
                    )
                })
                .collect()
        };
        match (yes, no) {
            (true, true) => {
                split(yes_domain, take(&pending, &form, &not), sum.clone(), out)?;
                pending = take(&pending, &not, &form);
                domain = no_domain;
            }
            (true, false) => pending = take(&pending, &form, &not),
            (false, true) => pending = take(&pending, &not, &form),
            (false, false) => return Ok(()),
        }
    }
}
