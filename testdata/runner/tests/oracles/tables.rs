//! Tables of constants: what is looked up is what the text says, at every size, in both engines.

use premiss_scop::{ArrayLayout, ScopOptions, lower};
use premiss_testdata::closed::{check_fixed, closed_form};
use premiss_testdata::compare::{Depth, difference};
use premiss_testdata::judge::execute;
use premiss_testdata::kernel::Kernel;
use premiss_tree::NestTree;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Numbers that look random, the same ones every time.
struct Numbers(u64);

impl Numbers {
    /// A number of `0..most`.
    fn below(&mut self, most: i64) -> i64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        i64::try_from(self.0 >> 33).expect("31 bits") % most
    }

    fn list(&mut self, length: i64, most: i64) -> Vec<i64> {
        (0..length).map(|_| self.below(most)).collect()
    }
}

fn read(text: &str, sizes: &[(&str, i64)]) -> Kernel {
    Kernel::from_bytes("tables.c", text.as_bytes().to_vec(), &[], sizes)
}

/// The initializer of a list.
fn braces(list: &[i64]) -> String {
    let list: Vec<String> = list.iter().map(i64::to_string).collect();
    format!("{{{}}}", list.join(", "))
}

/// The elements of 8 bytes that a tree stores to, in order; `None` where only data tell.
fn stored(tree: &NestTree) -> Vec<Option<i64>> {
    let execution = execute(tree, 4096);
    let (id, _) = tree
        .arrays
        .iter()
        .find(|(_, row)| row.name == "a")
        .expect("`a`");
    let base = execution.bases()[id];
    let mut found = Vec::new();
    let show = &mut |access: premiss_trace::AddressedAccess| {
        if tree.references[access.reference].array == id {
            let element = |address: u64| (address.cast_signed() - base.cast_signed()) / 8;
            found.push(access.address.map(element));
        }
        ControlFlow::Continue(())
    };
    execution.for_each_access(show).expect("within budget");
    found
}

#[test]
fn entries_are_looked_up_and_what_lies_beyond_is_unknown() {
    let table = [4, 0, 7, 7, 1];
    let text = format!(
        "static const int t[] = {};
         void f(int n, double *a) {{ for (int i = -1; i < n; i++) if (i >= 0) a[t[i]] = 0; }}",
        braces(&table)
    );
    for n in 0..8 {
        let kernel = read(&text, &[("n", n)]);
        let length = usize::try_from(n).expect("a size");
        let known = table.iter().copied().map(Some);
        let expected: Vec<Option<i64>> = known.chain([None; 3]).take(length).collect();
        assert_eq!(stored(kernel.only_tree()), expected, "{n} of {table:?}");
    }
}

#[test]
fn a_cycle_is_followed_to_its_end() {
    let mut numbers = Numbers(1);
    for length in 1..9 {
        let next = numbers.list(length, length);
        let text = format!(
            "void f(int n, double *a) {{
                 const short next[] = {};
                 for (int i = 0, k = 0; i < n; i++) {{ a[k] = 0; k = next[k]; }}
             }}",
            braces(&next)
        );
        let mut place = 0;
        let mut expected = Vec::new();
        for _ in 0..20 {
            expected.push(Some(place));
            place = next[usize::try_from(place).expect("an index")];
        }
        let kernel = read(&text, &[("n", 20)]);
        assert_eq!(stored(kernel.only_tree()), expected, "{next:?}");
    }
}

/// Offsets, bounds and conditions of small random tables: the engine against the oracle access by
/// access, and closed forms against the engine.
#[test]
fn random_tables_have_closed_forms() {
    let mut numbers = Numbers(7);
    let mut n_forms = 0;
    for case in 0..12 {
        let length = 1 + numbers.below(5);
        let offsets = numbers.list(length, 9);
        let mut start = numbers.list(length + 1, 12);
        if case % 2 == 0 {
            start.sort_unstable();
        }
        let columns = numbers.list(12, 20);
        let mask = numbers.list(length, 2);
        let text = format!(
            "static const int offset[] = {}, start[] = {}, column[] = {};
             static const _Bool mask[] = {};
             void f(int n, double *a, double *b) {{
                 for (int i = 0; i < n; i++)
                     for (int k = 0; k < {length}; k++)
                         if (mask[k]) b[i] += a[i + offset[k]];
                 for (int i = 0; i < {length}; i++)
                     for (int j = start[i]; j < start[i + 1]; j++)
                         b[i] += a[column[j]];
             }}",
            braces(&offsets),
            braces(&start),
            braces(&columns),
            braces(&mask)
        );
        for n in [0, 1, 2, 13] {
            let kernel = read(&text, &[("n", n)]);
            let tree = kernel.only_tree();
            if let Some(difference) = difference(tree, 4096, Depth::Everything) {
                panic!("n = {n}: {difference}\n{text}");
            }
            // What falls into too many pieces is refused, and then traced.
            if closed_form(tree, 64, &BTreeMap::new()).is_ok() {
                check_fixed(tree, &format!("n = {n}\n{text}"));
                n_forms += 1;
            }
        }
    }
    assert!(24 <= n_forms, "{n_forms} of 48 have closed forms");
}

/// Why the tree of a text is no scop.
fn refusal(text: &str, n: i64) -> Option<String> {
    let kernel = read(text, &[("n", n)]);
    let question = ScopOptions {
        line_size: 64,
        layout: ArrayLayout::Aligned,
        sizes: BTreeMap::new(),
    };
    let tree = kernel.only_tree();
    let reject = lower(tree, &question).err()?;
    Some(format!("{}: {}", reject.code(), reject.message(tree)))
}

#[test]
fn closed_forms_do_not_look_beyond_a_table() {
    let text = "static const int t[3] = {0, 2, 1};
                void f(int n, double *a) { for (int i = 0; i < n; i++) a[t[i]] = 0; }";
    for n in 0..=3 {
        assert_eq!(refusal(text, n), None);
    }
    let expected = "outside-table: the address of `a[t[i]]` may look beyond the 3 entries of `t`";
    assert_eq!(refusal(text, 4).as_deref(), Some(expected));
    let guarded = "static const int t[3] = {0, 2, 1};
                   void f(int n, double *a) {
                       for (int i = 0; i < n; i++) {
                           if (i < 3 && t[i] != 2) a[i] = 0;
                           a[i < 3 ? t[i] : i] = 1;
                       }
                   }";
    assert_eq!(refusal(guarded, 9), None);
    let kernel = read(guarded, &[("n", 9)]);
    check_fixed(kernel.only_tree(), "a guarded table");
}

#[test]
fn a_table_of_many_pieces_is_left_to_the_trace() {
    let squares: Vec<i64> = (0..300).map(|k| k * k).collect();
    let text = format!(
        "static const int t[] = {};
         void f(int n, double *a) {{ for (int i = 0; i < n; i++) a[t[i]] = 0; }}",
        braces(&squares)
    );
    let expected = "too-many-cases: the address of `a[t[i]]` falls into more than 128 cases";
    assert_eq!(refusal(&text, 300).as_deref(), Some(expected));
    let kernel = read(&text, &[("n", 300)]);
    let expected: Vec<Option<i64>> = squares.into_iter().map(Some).collect();
    assert_eq!(stored(kernel.only_tree()), expected);
}
