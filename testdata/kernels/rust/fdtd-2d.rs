//! Three fields on shifted grids, updated one after the other in each time step.
// -P tmax=20 -P nx=20 -P ny=30

pub fn kernel_fdtd_2d(
    tmax: usize,
    nx: usize,
    ny: usize,
    ex: &mut [f64],
    ey: &mut [f64],
    hz: &mut [f64],
    fict: &[f64],
) {
    for t in 0..tmax {
        for j in 0..ny {
            ey[j] = fict[t];
        }
        for i in 1..nx {
            for j in 0..ny {
                ey[i * ny + j] = ey[i * ny + j] - 0.5 * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
            }
        }
        for i in 0..nx {
            for j in 1..ny {
                ex[i * ny + j] = ex[i * ny + j] - 0.5 * (hz[i * ny + j] - hz[i * ny + j - 1]);
            }
        }
        for i in 0..nx - 1 {
            for j in 0..ny - 1 {
                hz[i * ny + j] = hz[i * ny + j]
                    - 0.7
                        * (ex[i * ny + j + 1] - ex[i * ny + j] + ey[(i + 1) * ny + j]
                            - ey[i * ny + j]);
            }
        }
    }
}
