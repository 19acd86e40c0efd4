//! A three-dimensional array times a matrix, through a vector that holds one row.
// -P NR=10 -P NQ=8 -P NP=12

pub fn kernel_doitgen<const NR: usize, const NQ: usize, const NP: usize>(
    a: &mut [[[f64; NP]; NQ]; NR],
    c4: &[[f64; NP]; NP],
    sum: &mut [f64; NP],
) {
    for r in 0..NR {
        for q in 0..NQ {
            for p in 0..NP {
                sum[p] = 0.0;
                for s in 0..NP {
                    sum[p] += a[r][q][s] * c4[s][p];
                }
            }
            for p in 0..NP {
                a[r][q][p] = sum[p];
            }
        }
    }
}
