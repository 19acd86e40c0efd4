//! Types that a build chooses: chains of `#if` whose groups all declare one type, none of which is selected.
//!
//! ```text
//! #if defined(SINGLE)
//! typedef float real;
//! #elif defined(DOUBLE)
//! typedef double real;     the group that is taken, as if DOUBLE were defined
//! #endif
//! ```
//!
//! The program needs the type, so that one of the macros must be defined where it is built. The group with `double` is
//! taken, else the first one, and this is told.

use super::directives::{Definer, define};
use super::report::Finding;
use super::state::{HeaderRole, Preprocessor};
use super::templates::is_name_part;
use premiss_source::{Severity, Span};

/// The most lines of a chain.
const MOST_LINES: usize = 200;

/// A group of a chain.
struct Group<'t> {
    /// The macro that selects it.
    selector: &'t str,
    /// The types that it declares outside of further groups, each with what it is.
    types: Vec<(&'t str, &'t str)>,
}

/// Defines the macro that selects a group of the chain that starts at `place`, if the chain is such a choice and nothing
/// selects a group.
pub(super) fn choose(ctx: &mut Preprocessor, place: Span) {
    let Some(reader) = ctx.readers.last() else {
        return;
    };
    if reader.role != HeaderRole::User {
        return;
    }
    let text = ctx.sources.file(place.file).text();
    let Some(text) = text.get(place.start as usize..) else {
        return;
    };
    let Some(groups) = groups(text) else {
        return;
    };
    let Some((name, selector)) = choice(&groups) else {
        return;
    };
    let (name, selector) = (name.to_owned(), selector.to_owned());
    let selectors: Vec<String> = groups.iter().map(|it| it.selector.to_owned()).collect();
    if selectors.iter().any(|selector| is_defined(ctx, selector)) {
        return;
    }
    let line = ctx.tokenise(&format!("{selector} 1"));
    define(ctx, &line, Definer::BuiltIn, Some(place));
    if ctx.by_name.insert(name.clone()) {
        ctx.report.add(Finding {
            code: "configuration-choice",
            severity: Severity::Note,
            message: format!(
                "nothing chooses what the type `{name}` is; it is read as if `{selector}` were defined"
            ),
            span: Some(place),
            help: Some("-D NAME defines the macro that chooses"),
        });
    }
}

fn is_defined(ctx: &mut Preprocessor, name: &str) -> bool {
    let tokens = ctx.tokenise(name);
    let name = tokens.first().map(|token| token.name);
    name.is_some_and(|name| ctx.macros.get(name).is_some())
}

/// The type that all groups of a chain declare, and the macro of the group to take.
fn choice<'t>(groups: &[Group<'t>]) -> Option<(&'t str, &'t str)> {
    let (first, rest) = groups.split_first()?;
    let declares = |group: &Group, name: &str| group.types.iter().any(|(other, _)| *other == name);
    let in_all = |name: &str| rest.iter().all(|group| declares(group, name));
    let (name, _) = first.types.iter().find(|(name, _)| in_all(name))?;
    let is_double = |group: &&Group| group.types.contains(&(*name, "double"));
    let chosen = groups.iter().find(is_double).unwrap_or(first);
    (!rest.is_empty()).then_some((*name, chosen.selector))
}

/// The groups of a chain without `#else`, each selected by a macro that is defined; `None` for any other chain.
fn groups(text: &str) -> Option<Vec<Group<'_>>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut depth = 0_usize;
    for line in text.lines().take(MOST_LINES) {
        let line = line.trim();
        let Some(directive) = line.strip_prefix('#') else {
            if depth == 1
                && let (Some(group), Some(found)) = (groups.last_mut(), declared(line))
            {
                group.types.push(found);
            }
            continue;
        };
        let directive = directive.trim_start();
        let is_start = groups.is_empty();
        match directive.split(|it: char| !it.is_alphabetic()).next()? {
            "if" | "ifdef" | "ifndef" if !is_start => depth += 1,
            "endif" => {
                depth -= 1;
                if depth == 0 {
                    return Some(groups);
                }
            }
            "else" if depth == 1 => return None,
            "if" | "ifdef" | "elif" | "elifdef" if is_start || depth == 1 => {
                if groups.last().is_some_and(|group| group.types.is_empty()) {
                    return None;
                }
                let selector = selector(directive)?;
                depth = 1;
                groups.push(Group {
                    selector,
                    types: Vec::new(),
                });
            }
            "ifndef" if is_start => return None,
            _ => {}
        }
    }
    None
}

/// The macro of `if defined(X)`, `elif defined X`, `ifdef X`.
fn selector(directive: &str) -> Option<&str> {
    let (directive, condition) = directive.split_once(|it| !is_name_part(it))?;
    let condition = condition.split("/*").next()?.split("//").next()?.trim();
    let name = match directive {
        "ifdef" | "elifdef" => condition,
        _ => {
            let operand = condition.strip_prefix("defined")?.trim();
            let inner = operand
                .strip_prefix('(')
                .and_then(|it| it.strip_suffix(')'));
            inner.unwrap_or(operand).trim()
        }
    };
    (!name.is_empty() && name.chars().all(is_name_part)).then_some(name)
}

/// The name that a line declares with `typedef`, and what it stands for.
fn declared(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("typedef")?;
    let (kind, name) = rest
        .split_once(';')?
        .0
        .trim()
        .rsplit_once(char::is_whitespace)?;
    let is_name = name.chars().all(is_name_part);
    is_name.then(|| (name, kind.trim()))
}

#[cfg(test)]
mod tests {
    use super::{choice, groups};

    fn choice_of(text: &str) -> Option<(&str, &str)> {
        choice(&groups(text)?)
    }

    #[test]
    fn a_choice_is_a_chain_whose_groups_declare_the_same_type() {
        let single = "#if defined(SINGLE)\n typedef float real;\n# if X\n#define R(x) x##F\n# else\n# endif\n";
        let double = "#elif defined DOUBLE /* usual */\ntypedef  double  real;\n";
        let both = format!("{single}{double}#endif\n");
        assert_eq!(choice_of(&both), Some(("real", "DOUBLE")));
        let integers =
            "#ifdef LONG\ntypedef long index;\n#elif defined(SHORT)\ntypedef short index;\n#endif";
        assert_eq!(choice_of(integers), Some(("index", "LONG")));
        for other in [
            format!("{single}#endif\n"),
            format!("{single}{double}#else\ntypedef int real;\n#endif\n"),
            format!("{single}#elif defined(INT)\ntypedef int other;\n#endif\n"),
            format!("{single}#elif WIDTH > 3\ntypedef double real;\n#endif\n"),
            format!("{single}{double}"),
            "#ifndef A\ntypedef int x;\n#elif defined(B)\ntypedef long x;\n#endif".to_owned(),
        ] {
            assert_eq!(choice_of(&other), None, "{other}");
        }
    }
}
