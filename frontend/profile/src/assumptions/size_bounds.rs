//! Assumed bounds of sizes, in the trees of the functions that a directive applies to.

use super::size_relation::SizeRelation;
use super::{DirectiveOutcome, Directives, ProgramSizes};
use premiss_source::Span;
use premiss_tree::{NestTree, ParameterId, SizeBound};
use std::collections::BTreeMap;

impl Directives<'_> {
    /// Adds bounds of sizes to a tree, if its function is the one after or around the directive.
    pub(super) fn assume_sizes(
        &self,
        tree: &mut NestTree,
        sizes: ProgramSizes<'_>,
        span: Span,
        relations: &[SizeRelation],
    ) -> DirectiveOutcome {
        if !self.is_in_force(span, tree) {
            return DirectiveOutcome::Unused;
        }
        let is_fortran = self
            .texts
            .get(&span.file)
            .is_some_and(|x| x.syntax.is_fortran());
        let names = match is_fortran {
            true => NameSpelling::AnyCase,
            false => NameSpelling::AsWritten,
        };
        let mut outcome = DirectiveOutcome::Used;
        for relation in relations {
            match bound(tree, sizes, (span, names), relation) {
                Ok(bound) => tree.bounds.push(bound),
                Err(why) => outcome = why,
            }
        }
        outcome
    }

    fn is_in_force(&self, span: Span, tree: &NestTree) -> bool {
        let name = tree.span;
        let Some(text) = self
            .texts
            .get(&span.file)
            .filter(|_| name.file == span.file)
        else {
            return false;
        };
        let is_before = span.end <= name.start;
        let code = match is_before {
            true => self.code(span.file, span.end, name.start),
            false => self.code(span.file, name.end, span.start),
        };
        match (text.syntax.is_fortran(), is_before) {
            (false, true) => !code.contains([';', '{', '}']),
            (false, false) => is_open(&code),
            // Only the words before the name, such as `pure subroutine`.
            (true, true) => code.trim_start().lines().count() < 2,
            (true, false) => !code.lines().any(ends_procedure),
        }
    }
}

/// Whether the text after the name of a function ends within its body.
fn is_open(code: &str) -> bool {
    let mut depth = 0_usize;
    for x in code.chars() {
        match x {
            '{' => depth += 1,
            '}' if depth < 2 => return false,
            '}' => depth -= 1,
            ';' if depth == 0 => return false,
            _ => {}
        }
    }
    0 < depth
}

/// Whether a line of Fortran ends a procedure or its own statements.
fn ends_procedure(line: &str) -> bool {
    let words: String = line.chars().filter(|x| !x.is_whitespace()).collect();
    let ends = ["endsubroutine", "endfunction", "endprogram", "endprocedure"];
    words == "end" || words == "contains" || ends.iter().any(|x| words.starts_with(x))
}

/// A relation in terms of the sizes of a tree.
fn bound(
    tree: &NestTree,
    sizes: ProgramSizes<'_>,
    (span, spelling): (Span, NameSpelling),
    relation: &SizeRelation,
) -> Result<SizeBound, DirectiveOutcome> {
    let mut found = SizeBound {
        sizes: BTreeMap::new(),
        constant: relation.constant,
        text: relation.text.clone(),
        span,
    };
    for (name, factor) in &relation.sizes {
        if let Some(id) = parameter(tree, name, spelling) {
            found.sizes.insert(id, *factor);
            continue;
        }
        let is_same = |x: &&String| spelling.is_same(x, name);
        let Some(size) = sizes.names.iter().find(is_same) else {
            return Err(unknown(tree, name));
        };
        let value = sizes.values.get(size);
        let value = value.ok_or_else(|| DirectiveOutcome::Fixed(name.clone()))?;
        let sum = value.checked_mul(*factor);
        let sum = sum.and_then(|x| x.checked_add(found.constant));
        found.constant = sum.unwrap_or(i64::MIN);
    }
    Ok(found)
}

fn parameter(tree: &NestTree, name: &str, spelling: NameSpelling) -> Option<ParameterId> {
    let own = tree.parameters.iter();
    let mut all = own.chain(tree.work.parameters.iter());
    all.find(|(_, size)| spelling.is_same(&size.name, name))
        .map(|(id, _)| id)
}

/// How names are compared; blanks do not matter.
#[derive(Clone, Copy)]
enum NameSpelling {
    AsWritten,
    AnyCase,
}

impl NameSpelling {
    fn is_same(self, one: &str, other: &str) -> bool {
        let letters = |text: &str| {
            let letters = text.chars().filter(|x| !x.is_whitespace());
            letters.collect::<String>()
        };
        let (one, other) = (letters(one), letters(other));
        match self {
            Self::AsWritten => one == other,
            Self::AnyCase => one.eq_ignore_ascii_case(&other),
        }
    }
}

fn unknown(tree: &NestTree, name: &str) -> DirectiveOutcome {
    let names: Vec<String> = tree
        .parameters
        .values()
        .map(|x| format!("`{}`", x.name))
        .collect();
    let there = match names.is_empty() {
        true => "it has none".to_owned(),
        false => format!("there are: {}", names.join(", ")),
    };
    let function = &tree.function;
    DirectiveOutcome::Useless(
        format!("nothing that `{function}` does to arrays depends on a size `{name}`; {there}"),
        "name sizes as -P does",
    )
}
