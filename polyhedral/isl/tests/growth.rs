//! Sets that come and go leave nothing behind. Alone in its process, as it looks at all memory of it.

#![allow(clippy::disallowed_methods, reason = "reads the memory of its process")]
#![cfg(target_os = "linux")]

use premiss_isl::{Set, SetSpace, with_budget};
use premiss_presburger::{Affine, Column, Refusal, System};

/// Pages of memory that the process occupies.
fn pages() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").expect("the state of this process");
    let resident = text.split(' ').nth(1).expect("a second number");
    resident.parse().expect("a number")
}

/// Makes all kinds of objects; the last has a number that is too large.
fn turn() -> Result<(), Refusal> {
    let shape = SetSpace {
        parameters: 1,
        variables: 1,
    };
    let mut system = System::universe(2);
    let rows: [&[i64]; 2] = [&[0, 0, 1], &[-1, 1, -1]];
    system.inequalities = rows.map(|row| Affine::new(row.to_vec())).to_vec();
    let all = Set::from_systems(shape, std::slice::from_ref(&system))?;
    system.add_floor(&Affine::variable(3, Column::new(2)), 1 << 40);
    system.equalities.push(Affine::new(vec![0, 0, 1, -1]));
    let some = Set::from_systems(shape, &[system])?;
    let rest = all.subtract(&some)?.union(&some)?;
    rest.maximum(Column::new(2))?;
    rest.systems()?;
    assert!(!format!("{rest:?}").is_empty());
    rest.image(shape, &[Affine::new(vec![i64::MAX, 0, 3])])?
        .systems()
        .map(drop)
}

#[test]
fn sets_that_come_and_go_leave_no_growth() {
    let turns = |count: u64| {
        for turn_number in 0..count {
            // Broken off at various places, and then not.
            let _ = with_budget(turn_number % 500, turn);
            assert_eq!(turn(), Err(Refusal::Overflow));
        }
    };
    turns(1000);
    let before = pages();
    turns(4000);
    let grown = pages().saturating_sub(before);
    assert!(grown < 100, "{grown} pages more");
}
