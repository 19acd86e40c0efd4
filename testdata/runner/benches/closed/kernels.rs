//! The kernels of the table and their sizes.

/// A kernel and its sizes, those of the LARGE data sets of PolyBench 4.2.
pub(crate) type Sized = (&'static str, &'static [(&'static str, i64)]);

/// All kernels.
pub(crate) const LARGE: [Sized; 30] = [
    (
        "2mm",
        &[("NI", 800), ("NJ", 900), ("NK", 1100), ("NL", 1200)],
    ),
    (
        "3mm",
        &[
            ("NI", 800),
            ("NJ", 900),
            ("NK", 1000),
            ("NL", 1100),
            ("NM", 1200),
        ],
    ),
    ("adi", &[("TSTEPS", 500), ("N", 1000)]),
    ("atax", &[("M", 1900), ("N", 2100)]),
    ("bicg", &[("M", 1900), ("N", 2100)]),
    ("cholesky", &[("N", 2000)]),
    ("correlation", &[("M", 1200), ("N", 1400)]),
    ("covariance", &[("M", 1200), ("N", 1400)]),
    ("deriche", &[("W", 4096), ("H", 2160)]),
    ("doitgen", &[("NQ", 140), ("NR", 150), ("NP", 160)]),
    ("durbin", &[("N", 2000)]),
    ("fdtd-2d", &[("TMAX", 500), ("NX", 1000), ("NY", 1200)]),
    ("floyd-warshall", &[("N", 2800)]),
    ("gemm", &[("NI", 1000), ("NJ", 1100), ("NK", 1200)]),
    ("gemver", &[("N", 2000)]),
    ("gesummv", &[("N", 1300)]),
    ("gramschmidt", &[("M", 1000), ("N", 1200)]),
    ("heat-3d", &[("TSTEPS", 500), ("N", 120)]),
    ("jacobi-1d", &[("TSTEPS", 500), ("N", 2000)]),
    ("jacobi-2d", &[("TSTEPS", 250), ("N", 1300)]),
    ("lu", &[("N", 2000)]),
    ("ludcmp", &[("N", 2000)]),
    ("mvt", &[("N", 2000)]),
    ("nussinov", &[("N", 2500)]),
    ("seidel-2d", &[("TSTEPS", 500), ("N", 2000)]),
    ("symm", &[("M", 1000), ("N", 1200)]),
    ("syr2k", &[("M", 1000), ("N", 1200)]),
    ("syrk", &[("M", 1000), ("N", 1200)]),
    ("trisolv", &[("N", 2000)]),
    ("trmm", &[("M", 1000), ("N", 1200)]),
];
