//! Refactorings of C that keep every loop's accesses.

mod functions;
mod statements;

use super::{Case, base_text, edited, last, try_all};

/// What can be undone, and has another name then.
const UNDONE: &[(&str, &str)] = &[
    ("body extracted", "body inlined"),
    ("loop extracted", "loop inlined"),
    ("nest extracted", "nest inlined"),
    ("function added", "function removed"),
    ("linear subscripts", "linear subscripts folded"),
    ("while for for", "for for while"),
    ("guarded", "guard removed"),
];

/// Edits of the one file by name.
fn edits() -> impl Iterator<Item = &'static (&'static str, &'static [(&'static str, &'static str)])>
{
    statements::EDITS.iter().chain(functions::EDITS)
}

fn all() -> Vec<Case> {
    let base = base_text("kernels.c");
    let one = |(name, edits): &(&'static str, &[(&str, &str)])| {
        Case::keeps(name, "kernels.c", &base, edited(&base, edits))
    };
    let mut cases: Vec<Case> = edits().map(one).collect();
    for (name, other) in UNDONE {
        let edits = edits()
            .find(|(known, _)| known == name)
            .expect("it is there");
        cases.push(one(edits).reversed(other));
    }
    cases.extend(files(&base));
    cases
}

/// What moves within and between files.
fn files(base: &str) -> Vec<Case> {
    let whole = |path: &str| vec![(path.to_owned(), base.to_owned())];
    let at = |path: &str, text: String| (path.to_owned(), text);
    let moved = last(base, "void multiply", "}\n");
    let start = moved.rfind("void multiply").expect("it is last");
    let (rest, multiply) = moved.split_at(start);
    let (defines, others) = base.split_at(base.find("struct").expect("the struct"));
    vec![
        Case::unharmed("file renamed", whole("kernels.c"), whole("solver.c")),
        Case::unharmed("file moved", whole("kernels.c"), whole("deep/er/kernels.c")),
        Case::keeps("function moved", "kernels.c", base, moved.clone()),
        Case::unharmed(
            "function moved to another file",
            whole("kernels.c"),
            vec![at("kernels.c", rest.to_owned()), at("multiply.c", multiply.to_owned())],
        ),
        Case::unharmed(
            "function moved to another file and renamed",
            whole("kernels.c"),
            vec![at("kernels.c", rest.to_owned()), at("product.c", multiply.replace("multiply", "product"))],
        ),
        Case::unharmed(
            "files joined",
            vec![at("kernels.c", rest.to_owned()), at("multiply.c", multiply.to_owned())],
            whole("kernels.c"),
        ),
        Case::unharmed(
            "file added",
            whole("kernels.c"),
            vec![
                at("kernels.c", base.to_owned()),
                at("more.c", "void set(int many, int *w)\n{\n  for (int i = 0; i < many; i++)\n    w[i] = 7;\n}\n".to_owned()),
            ],
        ),
        Case::unharmed(
            "macros moved to a header",
            whole("kernels.c"),
            vec![at("kernels.c", format!("#include \"sizes.h\"\n{others}")), at("sizes.h", defines.to_owned())],
        ),
        Case::unharmed(
            "everything renamed at once",
            whole("kernels.c"),
            vec![at(
                "all.c",
                edited(
                    base,
                    &[("void smooth", "void relax"), ("void multiply", "void product"), ("double momentum", "double impulse"), ("void spmv", "void apply"), ("void histogram", "void tally"), ("void axpy", "void add"), ("grid", "field"), ("N", "SIZE"), ("start", "first"), ("column", "index")],
                ),
            )],
        ),
    ]
}

#[test]
fn what_keeps_accesses_is_no_regression_where_sizes_are_known() {
    let sizes = [
        "-P",
        "n=40",
        "-P",
        "count=500",
        "-P",
        "rows=50",
        "-P",
        "items=300",
        "-P",
        "len=700",
    ];
    try_all(&all(), &sizes);
}

#[test]
fn what_keeps_accesses_is_no_regression_where_no_size_is_known() {
    try_all(&all(), &[]);
}
