//! Parses statements and assembles program units.
//!
//! Every statement is parsed separately, by its first words; blocks are assembled afterwards. A statement that cannot
//! be parsed becomes a [`StatementKind::Error`](crate::syntax::StatementKind::Error), and the surrounding ones are
//! kept.
//!
//! The parser is written by hand. Fortran's statements are recognized without a grammar (keywords are not reserved,
//! and fixed form needs no blanks) and separately, so that one that is not understood does not affect the others;
//! tree-sitter-fortran (0.6) does not support fixed form, and an error affects the surrounding statements.

mod builder;
mod construct_statements;
mod constructs;
mod cursor;
mod data_statements;
mod data_transfer;
mod declarations;
mod declared_names;
mod executables;
mod expressions;
mod flat_statement;
mod program_units;
mod recursion;
mod specifications;
mod split;
mod statements;
mod type_specs;
mod unit_headers;
mod unparsed;

use crate::syntax::{FortranFile, NameKey, WordSet};
use crate::text::{LogicalLine, SourceForm, Token, TokenKind, logical_lines, tokens};
use cursor::{Cursor, ParseFailure};
use flat_statement::{FlatStatement, ParsedStatement};
use premiss_ast::Names;
use premiss_ast::syntax::{TextRange, UnitId};
use std::collections::BTreeSet;

/// The approximate number of bytes per statement, comments included.
const BYTES_OF_STATEMENT: usize = 80;

/// Parses the text of a unit.
pub(crate) fn parse(unit: UnitId, text: &str, form: SourceForm) -> FortranFile {
    let mut lines = Vec::with_capacity(text.len() / BYTES_OF_STATEMENT);
    let mut names = Names::default();
    logical_lines(text, form, &mut |statement| {
        let all = tokens(&statement, unit, &mut names);
        let mut reader = StatementReader {
            unit,
            form,
            names: &mut names,
        };
        lines.extend(reader.line(&statement, &all));
    });
    FortranFile {
        words: WordSet::collect(&names),
        ..program_units::file(lines)
    }
}

/// Parses single statements of a file.
struct StatementReader<'n> {
    unit: UnitId,
    form: SourceForm,
    /// The names of the file.
    names: &'n mut Names,
}

impl StatementReader<'_> {
    fn line(&mut self, statement: &LogicalLine, all: &[Token]) -> Option<ParsedStatement> {
        let (first, last) = (all.first()?, all.last()?);
        let at = first.at.to(last.at);
        let (name, rest) = construct_name(all);
        let mut parsed = ParsedStatement {
            label: statement.label,
            name,
            at,
            names: Vec::new(),
            failure: None,
            flat: parse_statement(rest, at),
        };
        if parsed.flat.is_err() {
            self.read_again(statement, rest, &mut parsed);
        }
        Some(parsed)
    }

    /// Parses a statement that could not be parsed as it is written: with other splits of its words, and in fixed form
    /// without its blanks. If it still cannot be parsed, its first words may tell that it is a header.
    fn read_again(
        &mut self,
        statement: &LogicalLine,
        rest: &[Token],
        parsed: &mut ParsedStatement,
    ) {
        let mut spellings = vec![rest.to_vec()];
        if self.form == SourceForm::Fixed {
            if self.read_split(rest, statement, parsed) {
                return;
            }
            let line = statement.without_blanks();
            let joined = tokens(&line, self.unit, self.names);
            let (_, joined) = construct_name(&joined);
            parsed.flat = parse_statement(joined, parsed.at);
            if parsed.flat.is_ok() || self.read_split(joined, &line, parsed) {
                return;
            }
            spellings.push(joined.to_vec());
        }
        parsed.names = words(spellings.iter().flatten());
        let Err(failure) = parse_statement(rest, parsed.at) else {
            return;
        };
        let mut spellings = spellings.iter();
        let header = spellings.find_map(|tokens| unparsed::header(tokens, &parsed.names, &failure));
        parsed.flat = match header {
            Some(header) => {
                parsed.failure = Some(failure);
                Ok(header)
            }
            None => Err(failure),
        };
    }

    /// Parses a statement whose first words are joined; false if no split of them is a statement.
    fn read_split(
        &mut self,
        tokens: &[Token],
        line: &LogicalLine,
        parsed: &mut ParsedStatement,
    ) -> bool {
        for split in split::readings(tokens, line) {
            if let Ok(flat) = parse_statement(&split, parsed.at) {
                parsed.flat = Ok(flat);
                words(&split).iter().for_each(|name| {
                    self.names.of(name);
                });
                return true;
            }
        }
        false
    }
}

/// The distinct words among tokens.
fn words<'t>(tokens: impl IntoIterator<Item = &'t Token>) -> Vec<NameKey> {
    let names = tokens.into_iter().filter_map(|token| match &token.kind {
        TokenKind::Name(name) => Some(name.clone()),
        _ => None,
    });
    let distinct: BTreeSet<NameKey> = names.collect();
    distinct.into_iter().collect()
}

fn parse_statement(tokens: &[Token], at: TextRange) -> Result<FlatStatement, ParseFailure> {
    statements::statement(&mut Cursor::new(tokens, at))
}

/// `name: DO …`
fn construct_name(tokens: &[Token]) -> (Option<NameKey>, &[Token]) {
    match tokens {
        [first, colon, rest @ ..] if colon.kind == TokenKind::Mark(":") => match &first.kind {
            TokenKind::Name(name) => (Some(name.clone()), rest),
            _ => (None, tokens),
        },
        _ => (None, tokens),
    }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::syntax::{
        BinaryOperator as Op, Expr, ExprKind, FortranFile, StatementKind as Exec, UnaryOperator,
    };
    use crate::text::SourceForm;
    use premiss_ast::syntax::UnitId;

    fn file(text: &str, form: SourceForm) -> FortranFile {
        parse(UnitId(0), text, form)
    }

    /// An expression with parentheses around each operation.
    fn grouped(expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Name(key) => key.to_string(),
            ExprKind::Integer(value, _) => value.to_string(),
            ExprKind::Unary(UnaryOperator::Minus, x) => format!("(-{})", grouped(x)),
            ExprKind::Binary(op, a, b) => {
                let sign = match op {
                    Op::Add => "+",
                    Op::Multiply => "*",
                    Op::Power => "**",
                    Op::Less => "<",
                    Op::And => "&",
                    Op::Or => "|",
                    other => panic!("{other:?}"),
                };
                format!("({}{sign}{})", grouped(a), grouped(b))
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn operators_bind_as_the_standard_has_them() {
        for (text, expected) in [
            ("a + b * c", "(a+(b*c))"),
            ("a ** b ** c", "(a**(b**c))"),
            ("-a ** 2", "(-(a**2))"),
            ("a * -b", "(a*(-b))"),
            ("a < b + c .and. b < c .or. d", "(((a<(b+c))&(b<c))|d)"),
        ] {
            let file = file(&format!("x = {text}\nend\n"), SourceForm::Free);
            match &file.units[0].body[0].kind {
                Exec::Assign(_, right) => assert_eq!(grouped(right), expected, "{text}"),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn no_word_is_reserved() {
        let file = file("if = do\nend = if\ncall(1) = 2\nend\n", SourceForm::Free);
        let body = &file.units[0].body;
        assert!(file.errors.is_empty());
        assert_eq!(body.len(), 3);
        assert!(body.iter().all(|one| matches!(one.kind, Exec::Assign(..))));
    }

    #[test]
    fn fixed_form_needs_no_blanks() {
        let text = "      SUBROUTINES(N)\n      DO10I=1,N\n   10 CALLT(I)\n      GOTO20\n   20 RETURN\n      END\n";
        let file = file(text, SourceForm::Fixed);
        assert!(file.errors.is_empty());
        let unit = &file.units[0];
        assert_eq!(&*unit.name.key, "s");
        assert!(matches!(unit.body[0].kind, Exec::Do(_)));
        assert!(matches!(unit.body[1].kind, Exec::Goto(20)));
        assert!(matches!(unit.body[2].kind, Exec::Return));
    }

    #[test]
    fn a_statement_that_cannot_be_read_is_one_error() {
        let file = file("x = = 1\ny = 2\nend\n", SourceForm::Free);
        assert_eq!(file.errors.len(), 1);
        let body = &file.units[0].body;
        assert!(matches!(body[0].kind, Exec::Error(_)));
        assert!(matches!(body[1].kind, Exec::Assign(..)));
    }
}
