//! What lies outside the model is rejected by the right name at the right place.

use super::read;
use std::collections::BTreeSet;

/// Lines and codes that the comments of a fixture ask for.
fn expected(text: &str) -> BTreeSet<(usize, String)> {
    let marks = (1..).zip(text.lines()).filter_map(|(line, text)| {
        let (_, code) = text.split_once("// rejects: ")?;
        Some((line, code.trim().to_owned()))
    });
    marks.collect()
}

#[track_caller]
fn check(text: &str) {
    let unit = read(text, &[]);
    let found = unit.diagnostics.iter().map(|found| {
        let start = found.labels[0].span.start as usize;
        let line = text[..start].lines().count().max(1);
        let is_at_start = text[..start].ends_with('\n');
        (line + usize::from(is_at_start), found.code.to_owned())
    });
    let found: BTreeSet<_> = found.collect();
    assert_eq!(found, expected(text), "{:#?}", unit.diagnostics);
}

macro_rules! fixture {
    ($name:ident) => {
        #[test]
        fn $name() {
            check(include_str!(concat!(
                "../../../../testdata/rejects/rust/",
                stringify!($name),
                ".rs"
            )));
        }
    };
}

fixture!(broken_statement);
fixture!(descent);
fixture!(hash_map);
fixture!(linked_list);
fixture!(other_crate);
fixture!(other_orders);
fixture!(recursion);
fixture!(syntax);
fixture!(trait_object);
fixture!(uncounted_loop);
fixture!(unknown_call);
fixture!(unknown_macro);
fixture!(unsupported_construct);
