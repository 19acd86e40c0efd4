//! What an edit invalidates and what it does not, on programs of a few files.

use crate::test_programs::{
    File, RunOptions, Writer, cache_after, lowered_again, lowered_again_with, run,
};
use premiss_ast::syntax::{GlobalName, Item, Name, UnitId};
use std::collections::{BTreeMap, BTreeSet};

type Items<'f> = &'f dyn Fn(&Writer) -> Vec<Item>;

const TEXT: &[u8] = b"void f(void);\n";

fn file<'f>(path: &'f str, items: Items<'f>) -> File<'f> {
    File {
        path,
        text: TEXT,
        items,
    }
}

/// `double name[100]; void function(void) { for (i = 0; i < 9; i++) { name[i + by] = 0; callee(); } }`
fn caller(w: &Writer, function: &str, callee: &str, by: i64) -> Vec<Item> {
    let array = format!("x_of_{function}");
    let place = w.sum(w.var("i"), w.int(by));
    let body = vec![w.clear(&array, place), w.run(callee, vec![])];
    vec![
        w.array(&array),
        w.void(function, &[], vec![w.count(w.int(9), body)]),
    ]
}

/// `double name[100]; void function(void) { name[place] = 0; }`
fn storing(w: &Writer, function: &str, place: i64) -> Vec<Item> {
    let array = format!("x_of_{function}");
    let body = vec![w.clear(&array, w.int(place))];
    vec![w.array(&array), w.void(function, &[], body)]
}

/// A file with a loop that knows no other file.
fn alone(w: &Writer) -> Vec<Item> {
    let body = vec![w.clear("lonely", w.var("i"))];
    vec![
        w.array("lonely"),
        w.void("alone", &[], vec![w.count(w.int(5), body)]),
    ]
}

#[test]
fn nothing_is_lowered_again_where_nothing_changed() {
    let files = [
        file("a.c", &|w| caller(w, "f", "g", 0)),
        file("b.c", &|w| storing(w, "g", 1)),
    ];
    assert_eq!(lowered_again(&files, &files), [""; 0]);
}

#[test]
fn an_edit_of_a_caller_is_its_own_and_one_of_a_callee_is_the_caller_s_too() {
    let (a, b) = (
        |w: &Writer| caller(w, "f", "g", 0),
        |w: &Writer| storing(w, "g", 1),
    );
    let before = [file("a.c", &a), file("b.c", &b), file("c.c", &alone)];
    let edited = |w: &Writer| caller(w, "f", "g", 7);
    let after = [file("a.c", &edited), before[1], before[2]];
    assert_eq!(lowered_again(&before, &after), ["a.c"]);
    let edited = |w: &Writer| storing(w, "g", 2);
    let after = [before[0], file("b.c", &edited), before[2]];
    assert_eq!(lowered_again(&before, &after), ["a.c", "b.c"]);
}

#[test]
fn comments_and_places_are_no_input() {
    let items = |w: &Writer| caller(w, "f", "g", 0);
    let moved = |w: &Writer| {
        w.skip(40);
        caller(w, "f", "g", 0)
    };
    let b = |w: &Writer| storing(w, "g", 1);
    let before = [file("a.c", &items), file("b.c", &b)];
    let commented = File {
        text: b"/* forty bytes of what is no input */\n\nvoid f(void);\n",
        ..file("a.c", &moved)
    };
    assert_eq!(lowered_again(&before, &[commented, before[1]]), [""; 0]);
    // What the syntax may not show is an input.
    let other = File {
        text: b"void f(int);\n",
        ..before[0]
    };
    assert_eq!(lowered_again(&before, &[other, before[1]]), ["a.c"]);
}

#[test]
fn a_pure_call_that_yields_the_same_is_the_same_input() {
    let a = |w: &Writer| {
        let body = vec![w.clear("x", w.var("i"))];
        let counted = w.count(w.call("g", vec![]), body);
        vec![w.array("x"), w.void("f", &[], vec![counted])]
    };
    let eight = |w: &Writer| vec![w.constant("g", w.int(8))];
    let sum = |w: &Writer| vec![w.constant("g", w.sum(w.int(3), w.int(5)))];
    let nine = |w: &Writer| vec![w.constant("g", w.int(9))];
    let with = |items| [file("a.c", &a), file("b.c", items)];
    let bare = RunOptions {
        without_operations: true,
        ..RunOptions::default()
    };
    let again = |items| lowered_again_with(&with(&eight), &with(items), &bare);
    assert_eq!(again(&sum), ["b.c"]);
    assert_eq!(again(&nine), ["a.c", "b.c"]);
    // Trees with operations have those of the body, too.
    assert_eq!(lowered_again(&with(&eight), &with(&sum)), ["a.c", "b.c"]);
}

#[test]
fn of_a_call_that_is_not_followed_only_the_summary_is_an_input() {
    // Longer than a call into another file may be.
    let long = |w: &Writer, place: i64, target: &str| {
        let mut body: Vec<_> = (0..30).map(|k| w.clear("p", w.int(k))).collect();
        body.push(w.clear("p", w.int(place)));
        body.push(w.set(target, w.int(1)));
        vec![
            w.number("m", Some(0)),
            w.number("n", Some(0)),
            w.void("g", &["*p"], body),
        ]
    };
    let a = |w: &Writer| {
        let body = vec![w.clear("x", w.var("i")), w.run("g", vec![w.var("x")])];
        vec![
            w.array("x"),
            w.void("f", &[], vec![w.count(w.int(9), body)]),
        ]
    };
    let b = |w: &Writer| long(w, 40, "m");
    let before = [file("a.c", &a), file("b.c", &b)];
    let short = RunOptions {
        per_function: Some(20),
        ..RunOptions::default()
    };
    let elsewhere = |w: &Writer| long(w, 41, "m");
    let after = [before[0], file("b.c", &elsewhere)];
    assert_eq!(lowered_again_with(&before, &after, &short), ["b.c"]);
    // With steps enough it is followed.
    assert_eq!(lowered_again(&before, &after), ["a.c", "b.c"]);
    let other_object = |w: &Writer| long(w, 40, "n");
    let after = [before[0], file("b.c", &other_object)];
    assert_eq!(lowered_again_with(&before, &after, &short), ["a.c", "b.c"]);
    // Short enough to be followed now.
    let brief = |w: &Writer| {
        let body = vec![w.clear("p", w.int(1)), w.set("m", w.int(1))];
        vec![
            w.number("m", Some(0)),
            w.number("n", Some(0)),
            w.void("g", &["*p"], body),
        ]
    };
    let after = [before[0], file("b.c", &brief)];
    assert_eq!(lowered_again_with(&before, &after, &short), ["a.c", "b.c"]);
}

#[test]
fn signatures_of_functions_that_are_called_and_not_followed_are_an_input() {
    let a = |w: &Writer| {
        let body = vec![w.clear("x", w.var("i")), w.run("g", vec![w.var("x")])];
        vec![
            w.array("x"),
            w.void("f", &[], vec![w.count(w.int(9), body)]),
        ]
    };
    let long = |w: &Writer, parameters: &[&str]| {
        let body = (0..30).map(|k| w.clear("p", w.int(k))).collect();
        vec![w.void("g", parameters, body)]
    };
    let (one, two) = (
        |w: &Writer| long(w, &["*p"]),
        |w: &Writer| long(w, &["*p", "n"]),
    );
    let with = |items| [file("a.c", &a), file("b.c", items)];
    let short = RunOptions {
        per_function: Some(20),
        ..RunOptions::default()
    };
    let again = lowered_again_with(&with(&one), &with(&two), &short);
    assert_eq!(again, ["a.c", "b.c"]);
}

#[test]
fn a_function_that_gets_a_definition_is_an_input_of_those_who_looked_for_it() {
    let a = |w: &Writer| caller(w, "f", "g", 0);
    let without = |w: &Writer| storing(w, "h", 1);
    let with = |w: &Writer| storing(w, "g", 1);
    let before = [file("a.c", &a), file("b.c", &without), file("c.c", &alone)];
    let after = [before[0], file("b.c", &with), before[2]];
    assert_eq!(lowered_again(&before, &after), ["a.c", "b.c"]);
    assert_eq!(lowered_again(&after, &before), ["a.c", "b.c"]);
}

#[test]
fn whether_anyone_modifies_an_object_is_an_input_and_who_does_is_none() {
    let b = |w: &Writer| vec![w.number("n", Some(8)), w.number("m", Some(8))];
    let setting = |w: &Writer, name: &str, value: i64| {
        let function = w.void("set", &["*p"], vec![w.set(name, w.int(value))]);
        vec![w.number("n", None), w.number("m", None), function]
    };
    let of_other = |w: &Writer| setting(w, "m", 9);
    let of_n = |w: &Writer| setting(w, "n", 9);
    let otherwise = |w: &Writer| setting(w, "n", 10);
    let with = |items| {
        [
            file("a.c", &counting_to_n),
            file("b.c", &b),
            file("c.c", items),
        ]
    };
    assert_eq!(
        lowered_again(&with(&of_other), &with(&of_n)),
        ["a.c", "c.c"]
    );
    assert_eq!(
        lowered_again(&with(&of_n), &with(&of_other)),
        ["a.c", "c.c"]
    );
    assert_eq!(lowered_again(&with(&of_n), &with(&otherwise)), ["c.c"]);
}

/// `extern int n; double x[100]; void f(void) { for (i = 0; i < n; i++) x[i] = 0; }`
fn counting_to_n(w: &Writer) -> Vec<Item> {
    let body = vec![w.clear("x", w.var("i"))];
    let function = w.void("f", &[], vec![w.count(w.var("n"), body)]);
    vec![w.number("n", None), w.array("x"), function]
}

#[test]
fn a_declaration_in_another_file_is_an_input_and_what_stands_behind_it_is_none() {
    let numbers = |w: &Writer, n: i64, m: i64| vec![w.number("n", Some(n)), w.number("m", Some(m))];
    let plain = |w: &Writer| numbers(w, 8, 8);
    let other_n = |w: &Writer| numbers(w, 9, 8);
    let other_m = |w: &Writer| numbers(w, 8, 9);
    let with = |items| [file("a.c", &counting_to_n), file("b.c", items)];
    assert_eq!(
        lowered_again(&with(&plain), &with(&other_n)),
        ["a.c", "b.c"]
    );
    // A file without functions depends on its own text.
    assert_eq!(lowered_again(&with(&plain), &with(&other_m)), ["b.c"]);
}

#[test]
fn an_object_that_gets_a_definition_is_an_input_of_those_who_declare_it() {
    let of_other = |w: &Writer| vec![w.number("m", Some(8))];
    let of_n = |w: &Writer| vec![w.number("n", Some(8))];
    let with = |items| [file("a.c", &counting_to_n), file("b.c", items)];
    assert_eq!(
        lowered_again(&with(&of_other), &with(&of_n)),
        ["a.c", "b.c"]
    );
    assert_eq!(
        lowered_again(&with(&of_n), &with(&of_other)),
        ["a.c", "b.c"]
    );
}

#[test]
fn a_size_that_callers_agree_on_is_an_input_of_the_callee() {
    // void g(int n, double *p) { for (i = 0; i < n; i++) p[i] = 0; }
    let b = |w: &Writer| {
        let body = vec![w.clear("p", w.var("i"))];
        vec![w.void("g", &["n", "*p"], vec![w.count(w.var("n"), body)])]
    };
    let passing = |w: &Writer, n: i64| {
        let body = vec![w.run("g", vec![w.int(n), w.var("x")])];
        vec![w.array("x"), w.void("main", &[], body)]
    };
    let (eight, nine) = (|w: &Writer| passing(w, 8), |w: &Writer| passing(w, 9));
    let twice = |w: &Writer| {
        let call = || w.run("g", vec![w.int(8), w.var("x")]);
        vec![w.array("x"), w.void("main", &[], vec![call(), call()])]
    };
    let with = |items| [file("a.c", items), file("b.c", &b)];
    assert_eq!(lowered_again(&with(&eight), &with(&nine)), ["a.c", "b.c"]);
    assert_eq!(lowered_again(&with(&eight), &with(&twice)), ["a.c"]);
}

#[test]
fn another_list_of_files_or_another_allowance_is_another_program() {
    let a = |w: &Writer| caller(w, "f", "g", 0);
    let before = [file("a.c", &a), file("b.c", &alone)];
    let renamed = [before[0], file("d.c", &alone)];
    assert_eq!(lowered_again(&before, &renamed), ["a.c", "d.c"]);
    let longer = [before[0], before[1], file("e.c", &|_| Vec::new())];
    assert_eq!(lowered_again(&before, &longer), ["a.c", "b.c", "e.c"]);
    let cache = cache_after(&before, &RunOptions::default(), BTreeSet::new());
    let generous = RunOptions {
        per_function: Some(20_000),
        ..RunOptions::default()
    };
    let outcomes = run(&before, &generous, Some(&cache), |_| {});
    assert!(outcomes.iter().all(Option::is_some));
}

#[test]
fn a_file_whose_results_are_lost_is_lowered_although_its_record_holds() {
    let a = |w: &Writer| caller(w, "f", "g", 0);
    let files = [file("a.c", &a), file("b.c", &alone)];
    let cache = cache_after(&files, &RunOptions::default(), BTreeSet::from([1]));
    let outcomes = run(&files, &RunOptions::default(), Some(&cache), |_| {});
    let is_lowered: Vec<bool> = outcomes.iter().map(Option::is_some).collect();
    assert_eq!(is_lowered, [false, true]);
}

#[test]
fn nothing_is_reused_or_recorded_where_a_file_has_bytes_that_are_no_text() {
    let a = |w: &Writer| caller(w, "f", "g", 0);
    let files = [file("a.c", &a), file("b.c", &alone)];
    let options = RunOptions::default();
    let cache = cache_after(&files, &options, BTreeSet::new());
    let odd = File {
        text: b"/* \xff */ void f(void);\n",
        ..files[1]
    };
    let outcomes = run(&[files[0], odd], &options, Some(&cache), |_| {});
    assert!(outcomes.iter().all(Option::is_some));
    assert!(cache.into_records().is_empty());
}

#[test]
fn a_record_survives_runs_that_reuse_it() {
    // void g(int n, double *p) { for (i = 0; i < n; i++) p[i] = 0; }, which `main` calls
    let callee = |w: &Writer| {
        let body = vec![w.clear("p", w.var("i"))];
        vec![w.void("g", &["n", "*p"], vec![w.count(w.var("n"), body)])]
    };
    let main = |w: &Writer| {
        let body = vec![w.run("g", vec![w.int(8), w.var("x")])];
        vec![w.array("x"), w.void("main", &[], body)]
    };
    let other = |w: &Writer| caller(w, "f", "h", 0);
    let before = [
        file("a.c", &main),
        file("b.c", &callee),
        file("c.c", &alone),
    ];
    let after = [before[0], before[1], file("c.c", &other)];
    let options = RunOptions::default();
    let mut cache = cache_after(&before, &options, BTreeSet::new());
    for (files, expected) in [
        (&after, [false, false, true]),
        (&after, [false; 3]),
        (&after, [false; 3]),
        (&before, [false, false, true]),
    ] {
        let outcomes = run(files, &options, Some(&cache), |_| {});
        let is_lowered: Vec<bool> = outcomes.iter().map(Option::is_some).collect();
        assert_eq!(is_lowered, expected);
        let records = cache.into_records();
        cache = crate::IncrementalCache::new(Vec::new(), records, BTreeSet::new());
    }
}

#[test]
fn a_record_has_what_was_read_with_its_value() {
    let a = |w: &Writer| caller(w, "f", "g", 0);
    let b = |w: &Writer| storing(w, "g", 1);
    let files = [file("a.c", &a), file("b.c", &b), file("c.c", &alone)];
    let cache = cache_after(&files, &RunOptions::default(), BTreeSet::new());
    let unit = |idx: usize| &cache.earlier(0).expect("it is recorded").units[idx];
    let of_caller = &unit(0).dependencies;
    assert_eq!(of_caller.units, [UnitId(0), UnitId(1)]);
    let definitions = (Name::from("g"), vec![UnitId(1)]);
    assert!(of_caller.functions.contains(&definitions), "{of_caller:?}");
    assert!(0 < unit(0).linked_work);
    assert_eq!(unit(2).dependencies.units, [UnitId(2)]);
    assert!(unit(2).dependencies.functions.is_empty());
    assert_eq!(unit(2).linked_work, 0);
    let inputs = of_caller.inputs();
    assert_eq!(inputs.units, of_caller.units);
    assert!(inputs.names.functions.contains(&Name::from("g")));
}

#[test]
fn a_size_of_the_user_that_a_reused_file_uses_is_still_used() {
    // void f(int n, double *p) { for (i = 0; i < n; i++) p[i] = 0; }
    let a = |w: &Writer| {
        let body = vec![w.clear("p", w.var("i"))];
        vec![w.void("f", &["n", "*p"], vec![w.count(w.var("n"), body)])]
    };
    let files = [file("a.c", &a), file("b.c", &alone)];
    let options = RunOptions {
        sizes: BTreeMap::from([("n".to_owned(), 8)]),
        ..RunOptions::default()
    };
    let cache = cache_after(&files, &options, BTreeSet::new());
    let earlier = cache.earlier(0).expect("it is recorded");
    let used: Vec<_> = earlier
        .units
        .iter()
        .map(|x| &x.dependencies.used_sizes)
        .collect();
    assert_eq!(used[0][..], ["n"]);
    assert!(used[1].is_empty());
    assert!(earlier.sizes.is_empty(), "nobody calls it");
    let is_reused = run(&files, &options, Some(&cache), |program| {
        let f = GlobalName {
            unit: UnitId(0),
            name: Name::from("f"),
        };
        let reusable = program.reusable_units().expect("the program is the same");
        assert!(reusable.record(f.unit).is_some());
        assert!(
            reusable.record(UnitId(2)).is_none(),
            "models of functions are no file"
        );
    });
    assert_eq!(is_reused, [None, None]);
}
