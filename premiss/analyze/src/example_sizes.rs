//! Values to try for sizes that have none.

use premiss_source::UnknownSize;
use premiss_tree::{BinaryOperator, Comparison, Expression, Loop, NestTree, Node, ParameterId};

/// The sizes of a function that have no value and are among `names`, each with one to try: 1 for what is no length,
/// such as a flag, a lower bound or a step. Other values make up to 10^9 iterations in the deepest nest: 1000 in three
/// loops, 100 in four.
pub(crate) fn unknown_sizes(tree: &NestTree, names: &[String]) -> Vec<UnknownSize> {
    let unknown = tree.parameters.iter();
    let unknown = unknown.filter(|(_, size)| size.value.is_none() && names.contains(&size.name));
    let length = match depth(&tree.body) {
        0..=3 => 1000,
        4 => 100,
        5 => 50,
        _ => 20,
    };
    let with_example = unknown.map(|(id, size)| UnknownSize {
        name: size.name.clone(),
        example: if is_length(tree, id) { length } else { 1 },
        span: size.span,
    });
    with_example.collect()
}

/// The number of loops in the deepest nest, those left out that have a constant trip count.
fn depth(nodes: &[Node]) -> usize {
    let depths = nodes.iter().map(|node| match node {
        Node::Loop(inner) => {
            let header = [&inner.first, &inner.bound];
            let is_constant = header.iter().all(|x| x.as_integer().is_some());
            depth(&inner.body) + usize::from(!is_constant)
        }
        Node::Branch {
            then, otherwise, ..
        } => depth(then).max(depth(otherwise)),
        Node::Access(_) | Node::Assign { .. } | Node::Opaque(_) | Node::Operations(_) => 0,
    });
    depths.max().unwrap_or(0)
}

/// Whether a size is a number of elements: loops end at it, arrays have it as an extent, a subscript is multiplied by
/// it, or a guard compares it with a variable.
fn is_length(tree: &NestTree, id: ParameterId) -> bool {
    let mut is_length = tree
        .arrays
        .values()
        .filter_map(|array| array.extent.as_ref())
        .any(|extent| mentions(extent, id));
    let mut offsets = tree.references.values().map(|x| &x.offset);
    is_length |= offsets.any(|offset| offset.any(|part| is_scaled(part, id)));
    for node in &tree.body {
        node.walk(&mut |node| {
            is_length |= match node {
                Node::Loop(inner) => mentions(last(inner), id),
                Node::Branch { condition, .. } => condition.any(|part| is_guard(part, id)),
                Node::Assign { value, .. } => mentions(value, id),
                Node::Access(_) | Node::Opaque(_) | Node::Operations(_) => false,
            };
        });
    }
    is_length
}

/// The greater end of a loop.
fn last(inner: &Loop) -> &Expression {
    match inner.comparison {
        Comparison::Greater | Comparison::GreaterEqual => &inner.first,
        Comparison::Less | Comparison::LessEqual | Comparison::NotEqual => &inner.bound,
    }
}

fn mentions(expression: &Expression, id: ParameterId) -> bool {
    expression.any(|part| *part == Expression::Parameter(id))
}

fn varies(expression: &Expression) -> bool {
    expression.any(|part| matches!(part, Expression::Variable(_)))
}

/// `i * lda`
fn is_scaled(expression: &Expression, id: ParameterId) -> bool {
    match expression {
        Expression::Binary(BinaryOperator::Multiply, a, b) => {
            mentions(a, id) && varies(b) || mentions(b, id) && varies(a)
        }
        _ => false,
    }
}

/// `i < n`
fn is_guard(expression: &Expression, id: ParameterId) -> bool {
    use BinaryOperator::{Less, LessEqual, LessEqualUnsigned, LessUnsigned};
    match expression {
        Expression::Binary(Less | LessEqual | LessUnsigned | LessEqualUnsigned, a, b) => {
            varies(a) && mentions(b, id)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, read};
    use premiss_source::{MemoryFiles, SourceMap};

    fn examples(file: &str, text: &str) -> Vec<(String, i64)> {
        let mut sources = SourceMap::new();
        let file = sources.add(file, text.into()).expect("a small file");
        let program = read(
            &mut sources,
            file,
            &ReadOptions::default(),
            &MemoryFiles::new(),
        );
        let tree = &program.functions[0];
        let names: Vec<String> = tree.parameters.values().map(|x| x.name.clone()).collect();
        let sizes = unknown_sizes(tree, &names);
        sizes.into_iter().map(|x| (x.name, x.example)).collect()
    }

    fn example(text: &str) -> Vec<(String, i64)> {
        examples("f.c", text)
    }

    #[test]
    fn what_is_no_length_is_one() {
        let text = "void f(int lo, int hi, int mode, int step, int k, double *a) {
            if (mode) for (int i = lo; i < hi; i += step) a[i + k] = 0;
        }";
        let of = |name: &str| {
            let all = example(text);
            all.iter().find(|x| x.0 == name).map(|x| x.1)
        };
        for one in ["lo", "mode", "step", "k"] {
            assert!(of(one).is_none_or(|value| value == 1), "{one}");
        }
        assert_eq!([of("lo"), of("hi")], [Some(1), Some(1000)]);
    }

    #[test]
    fn a_row_length_and_a_guard_are_lengths() {
        let text = "void f(int n, int lda, int m, double *a) {
            for (int i = 0; i < n; i++) if (i < m) a[i * lda] = 0;
        }";
        let all = example(text);
        assert!(all.iter().all(|x| x.1 == 1000), "{all:?}");
        assert_eq!(all.len(), 3);
    }

    #[test]
    fn a_loop_that_counts_down_ends_at_its_lower_bound() {
        let text = "void f(int lo, int n, double *a) { for (int i = n; i >= lo; i--) a[i] = 0; }";
        let mut all = example(text);
        all.sort();
        assert_eq!(all, [("lo".to_owned(), 1), ("n".to_owned(), 1000)]);
    }

    #[test]
    fn deep_nests_get_small_values() {
        let text = "void f(int n, double *a) {
            for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++)
              for (int c = 0; c < 3; c++) for (int l = 0; l < n; l++) a[i + j + k + l + c] = 0;
        }";
        assert_eq!(example(text), [("n".to_owned(), 100)]);
    }
}
