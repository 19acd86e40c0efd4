//! What patterns read: a place is read only where a pattern binds or tests it (the Rust Reference, "Place expressions").

use super::trees;

/// The accesses of a loop over `i` with this body: `L a` for a load of `a`, `S a` for a store.
fn accesses(body: &str) -> String {
    let text = format!(
        "fn g(x: f64) -> f64 {{ x }}
        fn f(n: usize, a: &[f64], b: &mut [f64], p: &[(f64, f64)], k: &[usize], o: &[Option<f64>], v: &[Vec<f64>]) {{
            for i in 0..n {{ {body} }}
        }}"
    );
    let found = trees(&text);
    let words = found.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        match words.next()? {
            "load" => Some(format!("L {}", words.next()?)),
            "store" => Some(format!("S {}", words.next()?)),
            "opaque" => Some(line.trim().to_owned()),
            _ => None,
        }
    });
    words.collect::<Vec<_>>().join(", ")
}

#[test]
fn an_underscore_reads_no_place() {
    for body in [
        "let _ = a[i];",
        "_ = a[i];",
        "let _: f64 = a[i];",
        "let (_) = a[i];",
        "let ref _r = a[i];",
        "let _ = &a[i];",
        "let _ = p[i];",
        "let (_, _) = p[i];",
        "let _ = p[i].0;",
        "let _ = o[i];",
        "let _ = v[i];",
        "match a[i] { _ => {} }",
        "match p[i] { (_, _) => {} }",
        "if let _ = a[i] {}",
        "let _ = a[i] else { return; };",
        "matches!(a[i], _);",
    ] {
        assert_eq!(accesses(body), "", "{body}");
    }
}

#[test]
fn subscripts_and_pointers_of_a_place_are_evaluated() {
    assert_eq!(accesses("let _ = a[k[i]];"), "L k");
    assert_eq!(accesses("_ = a[k[i]];"), "L k");
    assert_eq!(accesses("match a[k[i]] { _ => b[i] = 1.0 }"), "L k, S b");
    // The elements of a vector lie behind a pointer.
    assert_eq!(accesses("let _ = v[i][0];"), "L v");
}

#[test]
fn computed_values_and_names_read() {
    for body in [
        "let _ = a[i] + 1.0;",
        "let _ = g(a[i]);",
        "let _ = -a[i];",
        "let _ = { a[i] };",
        "let _ = (a[i], 1);",
        "(_, _) = (a[i], 1);",
        "let _x = a[i];",
        "match a[i] { x => { let _ = x; } }",
        "match a[i] { x if x > 0.0 => {} _ => {} }",
        "let (_, _x) = (a[i], 1.0);",
        "let _ = if n > 0 { a[i] } else { 0.0 };",
    ] {
        assert_eq!(accesses(body), "L a", "{body}");
    }
}

#[test]
fn of_a_tuple_the_parts_that_are_bound_are_read() {
    assert_eq!(accesses("let (_, y) = p[i]; b[i] = y;"), "L p, S b");
    assert_eq!(
        accesses("let (x, y) = p[i]; b[i] = x + y + y;"),
        "L p, L p, S b"
    );
    assert_eq!(accesses("let x; (x, _) = p[i]; b[i] = x;"), "L p, S b");
    assert_eq!(
        accesses("match p[i] { (_, y) if y > 0.0 => {} _ => {} }"),
        "L p"
    );
}

#[test]
fn names_behind_a_reference_are_references() {
    // `x` is a `&f64`: each `*x` loads.
    assert_eq!(
        accesses("let (x, _) = &p[i]; b[i] = *x + *x;"),
        "L p, L p, S b"
    );
    assert_eq!(accesses("for (x, _) in p { b[0] = *x; }"), "L p, S b");
    assert_eq!(accesses("for &(x, _) in p { b[0] = x + x; }"), "L p, S b");
    assert_eq!(accesses("for q in p { b[0] = q.1; }"), "L p, S b");
    assert_eq!(accesses("for &_ in a {}"), "");
    assert_eq!(
        trees("fn f(p: &mut [(f64, f64)]) { for (x, y) in p.iter_mut() { *x = *y; } }")
            .lines()
            .filter(|line| line.contains(" p + "))
            .count(),
        2
    );
}

#[test]
fn a_repeated_element_is_evaluated_once() {
    assert_eq!(accesses("let _t = [a[i]; 4];"), "L a");
    assert_eq!(accesses("let _t = vec![a[i]; 4];"), "L a");
}

#[test]
fn an_assignment_to_a_list_changes_what_it_names() {
    // x and y are exchanged: not the constants of before.
    let text = "fn f(a: &mut [f64]) { let mut x = 1; let mut y = 2; for _ in 0..9 { [x, y] = [y, x]; a[x] = 0.0; } }";
    let found = trees(text);
    assert!(found.contains("store a + data"), "{found}");
    assert!(found.contains("opaque unsupported-construct"), "{found}");
}
