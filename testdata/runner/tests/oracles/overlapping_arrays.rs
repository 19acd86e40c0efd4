//! References that leave their arrays and reach lines of another: what recurs for each array by
//! itself does not recur where their lines meet.

use premiss_testdata::compare::{Depth, difference};
use premiss_testdata::sketch::{Sketch, affine, count_up, doubles, load};
use premiss_tree::Storage;

/// `a` and `b` side by side, moving by `rows.0` and `rows.1` bytes per iteration of the middle loop
/// and by `rows.2` of the outer one; `a` starts `offset` bytes from its address.
fn check(trips: (i64, i64, i64), rows: (i64, i64, i64), offset: i64) {
    let body = vec![
        load(0, affine(offset, &[(8, 2), (rows.0, 1), (rows.2, 0)])),
        load(1, affine(0, &[(8, 2), (rows.1, 1), (rows.2, 0)])),
    ];
    let inner = count_up(1, 0, trips.1, vec![count_up(2, 0, trips.2, body)]);
    let mut local = doubles("a", 0);
    local.storage = Storage::Local;
    let tree = Sketch {
        parameters: Vec::new(),
        variables: ["i", "j", "k"].map(str::to_owned).to_vec(),
        arrays: vec![local, doubles("b", 64)],
        body: vec![count_up(0, 0, trips.0, vec![inner])],
    }
    .tree();
    let found = difference(&tree, 4096, Depth::UsualLines);
    assert_eq!(found, None, "{trips:?} {rows:?} {offset}");
}

#[test]
fn lines_that_two_arrays_meet_in_do_not_recur_for_either() {
    let all_rows = [
        (32768, 4096, 65536),
        (4096, 4096, 8192),
        (512, 64, 4096),
        (64, 512, 512),
        (512, 512, 512),
    ];
    for trips in [(10, 4, 9), (20, 8, 9), (10, 12, 9), (12, 16, 3)] {
        for rows in all_rows {
            for offset in [-8, 0, 8, 64] {
                check(trips, rows, offset);
            }
        }
    }
}
