//! The kernels of the table and their sizes.

/// A kernel and its sizes.
pub(crate) type Sized = (&'static str, &'static [(&'static str, i64)]);

/// All kernels with the LARGE data sets of PolyBench 4.2.
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
    ("jacobi-2d", &[("TSTEPS", 500), ("N", 1300)]),
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

/// The same kernels, in the same order, with the EXTRALARGE data sets.
pub(crate) const EXTRALARGE: [Sized; 30] = [
    (
        "2mm",
        &[("NI", 1600), ("NJ", 1800), ("NK", 2200), ("NL", 2400)],
    ),
    (
        "3mm",
        &[
            ("NI", 1600),
            ("NJ", 1800),
            ("NK", 2000),
            ("NL", 2200),
            ("NM", 2400),
        ],
    ),
    ("adi", &[("TSTEPS", 1000), ("N", 2000)]),
    ("atax", &[("M", 1800), ("N", 2200)]),
    ("bicg", &[("M", 1800), ("N", 2200)]),
    ("cholesky", &[("N", 4000)]),
    ("correlation", &[("M", 2600), ("N", 3000)]),
    ("covariance", &[("M", 2600), ("N", 3000)]),
    ("deriche", &[("W", 7680), ("H", 4320)]),
    ("doitgen", &[("NQ", 220), ("NR", 250), ("NP", 270)]),
    ("durbin", &[("N", 4000)]),
    ("fdtd-2d", &[("TMAX", 1000), ("NX", 2000), ("NY", 2600)]),
    ("floyd-warshall", &[("N", 5600)]),
    ("gemm", &[("NI", 2000), ("NJ", 2300), ("NK", 2600)]),
    ("gemver", &[("N", 4000)]),
    ("gesummv", &[("N", 2800)]),
    ("gramschmidt", &[("M", 2000), ("N", 2600)]),
    ("heat-3d", &[("TSTEPS", 1000), ("N", 200)]),
    ("jacobi-1d", &[("TSTEPS", 1000), ("N", 4000)]),
    ("jacobi-2d", &[("TSTEPS", 1000), ("N", 2800)]),
    ("lu", &[("N", 4000)]),
    ("ludcmp", &[("N", 4000)]),
    ("mvt", &[("N", 4000)]),
    ("nussinov", &[("N", 5500)]),
    ("seidel-2d", &[("TSTEPS", 1000), ("N", 4000)]),
    ("symm", &[("M", 2000), ("N", 2600)]),
    ("syr2k", &[("M", 2000), ("N", 2600)]),
    ("syrk", &[("M", 2000), ("N", 2600)]),
    ("trisolv", &[("N", 4000)]),
    ("trmm", &[("M", 2000), ("N", 2600)]),
];

/// The sizes of a kernel: those of the LARGE data set, and what arguments such as `NI=1000` say instead.
pub(crate) fn sizes_of<'a>(name: &str, arguments: &'a [String]) -> Vec<(&'a str, i64)> {
    let known = LARGE.iter().find(|kernel| kernel.0 == name);
    let mut sizes: Vec<(&str, i64)> = known.map_or(Vec::new(), |x| x.1.to_vec());
    for (name, value) in arguments.iter().filter_map(|x| x.split_once('=')) {
        sizes.retain(|size| size.0 != name);
        sizes.push((name, value.parse().expect("a number")));
    }
    sizes
}
