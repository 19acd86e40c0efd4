//! G = (A*B)*(C*D): three products, the last of two results, in slices with linearised subscripts.
// -P ni=16 -P nj=18 -P nk=20 -P nl=22 -P nm=24

#[allow(clippy::too_many_arguments)]
pub fn kernel_3mm(
    ni: usize,
    nj: usize,
    nk: usize,
    nl: usize,
    nm: usize,
    e: &mut [f64],
    a: &[f64],
    b: &[f64],
    f: &mut [f64],
    c: &[f64],
    d: &[f64],
    g: &mut [f64],
) {
    for i in 0..ni {
        for j in 0..nj {
            e[i * nj + j] = 0.0;
            for k in 0..nk {
                e[i * nj + j] += a[i * nk + k] * b[k * nj + j];
            }
        }
    }
    for i in 0..nj {
        for j in 0..nl {
            f[i * nl + j] = 0.0;
            for k in 0..nm {
                f[i * nl + j] += c[i * nm + k] * d[k * nl + j];
            }
        }
    }
    for i in 0..ni {
        for j in 0..nl {
            g[i * nl + j] = 0.0;
            for k in 0..nj {
                g[i * nl + j] += e[i * nj + k] * f[k * nl + j];
            }
        }
    }
}
