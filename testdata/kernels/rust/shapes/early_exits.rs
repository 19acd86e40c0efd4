//! Loops that data end early: what comes before the exit is certain once, and what comes after it is possible.
// -P n=8

pub fn early_exits(n: usize, x: &[f64], y: &mut [f64], a: &[f64], counts: &mut [u32]) -> Option<u32> {
    for i in 0..n {
        if x[i] > 3.0 { // loads 1 to 8
            break;
        }
        y[i] = x[i]; // loads 0 to 8, stores 0 to 8
    }
    for i in 0..n {
        if x[i] < 0.0 { // loads 8
            continue;
        }
        y[i] += 1.0; // loads 0 to 8, stores 0 to 8
    }
    'rows: for i in 0..n {
        for j in 0..n {
            if a[i * n + j] == 0.0 { // loads 1 to 64
                break 'rows;
            }
        }
        y[i] = 0.0; // stores 0 to 8
    }
    for i in 0..n {
        counts[i] = counts[i].checked_sub(1)?; // loads 1 to 8, stores 0 to 8
    }
    y[0] = 1.0; // stores 0 to 1
    Some(0)
}
