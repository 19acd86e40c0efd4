//! D = alpha*A*B*C + beta*D: the product of the first nest is the operand of the second.
// -P NI=16 -P NJ=18 -P NK=22 -P NL=24

type Matrix<const ROWS: usize, const COLUMNS: usize> = [[f64; COLUMNS]; ROWS];

pub fn kernel_2mm<const NI: usize, const NJ: usize, const NK: usize, const NL: usize>(
    alpha: f64,
    beta: f64,
    tmp: &mut Matrix<NI, NJ>,
    a: &Matrix<NI, NK>,
    b: &Matrix<NK, NJ>,
    c: &Matrix<NJ, NL>,
    d: &mut Matrix<NI, NL>,
) {
    for i in 0..NI {
        for j in 0..NJ {
            tmp[i][j] = 0.0;
            for k in 0..NK {
                tmp[i][j] += alpha * a[i][k] * b[k][j];
            }
        }
    }
    for i in 0..NI {
        for j in 0..NL {
            d[i][j] *= beta;
            for k in 0..NJ {
                d[i][j] += tmp[i][k] * c[k][j];
            }
        }
    }
}
