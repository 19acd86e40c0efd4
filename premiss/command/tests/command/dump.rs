//! `premiss dump`: the stages of a function as text.

use crate::{Run, SCALE, premiss, premiss_on};

fn dump(stage: &str, more: &[&str]) -> Run {
    let mut arguments = vec!["dump", "-", "--stage", stage, "--no-cache", "--isolated"];
    arguments.extend(more);
    premiss_on(SCALE, &arguments)
}

#[test]
fn each_stage_is_printed() {
    let tree = dump("tree", &[]).exits(0).stdout;
    assert!(tree.starts_with("function scale\n  size n\n"), "{tree}");
    let scop = dump("scop", &[]).exits(0).stdout;
    assert!(scop.contains("64 bytes") && scop.contains("->"), "{scop}");
    let reuse = dump("reuse", &[]).exits(0).stdout;
    assert!(reuse.contains("cold"), "{reuse}");
    let histogram = dump("histogram", &[]).exits(0).stdout;
    assert!(
        histogram.contains("distance") && histogram.contains("cold"),
        "{histogram}"
    );
}

#[test]
fn sizes_and_machines_are_as_the_options_say() {
    let tree = dump("tree", &["-P", "n=100"]).exits(0).stdout;
    assert!(tree.contains("size n = 100"), "{tree}");
    let scop = dump("scop", &["--cache", "L1=4KiB,8,32"]).exits(0).stdout;
    assert!(scop.contains("32 bytes"), "{scop}");
}

#[test]
fn functions_are_chosen_and_headed_by_their_names() {
    let two = format!("{SCALE}{}", SCALE.replace("scale", "again"));
    let arguments = ["dump", "-", "--stage", "tree", "--isolated"];
    let both = premiss_on(&two, &arguments).exits(0).stdout;
    assert!(
        both.contains("# scale\n") && both.contains("# again\n"),
        "{both}"
    );
    let one = premiss_on(&two, &[&arguments[..], &["--function", "again"]].concat());
    let one = one.exits(0).stdout;
    assert!(one.starts_with("function again\n"), "{one}");
    premiss_on(&two, &[&arguments[..], &["--function", "agein"]].concat())
        .exits(2)
        .says("did you mean `again`?");
}

#[test]
fn what_cannot_be_printed_has_its_exit_code() {
    premiss(&["dump", "no-such-file.c", "--stage", "tree"]).exits(2);
    premiss(&["dump", "x.c", "--stage", "forest"]).exits(2);
    let outside =
        "void f(int n, int *p, double *x)\n{\n  for (int i = 0; i < n; i++)\n    x[p[i]] = 0;\n}\n";
    let run = premiss_on(outside, &["dump", "-", "--stage", "scop", "--isolated"]);
    assert_eq!(run.exits(3).stdout, "");
    premiss(&["man", "dump"]).exits(0);
}
