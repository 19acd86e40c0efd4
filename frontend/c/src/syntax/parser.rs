//! The state of the parser: tokens, scopes, and functions that its passes share.
//!
//! The passes are functions that take a [`Parser`] first, one module for each part of the grammar (C11, annex A);
//! recursion into a part above goes through `recursion.rs`.

use super::packing::Packings;
use super::token::{Token, TokenKind, tokens};
use super::{
    Expression, ExpressionKind, Name, Names, Struct, StructId, TextRange, TypeName, UnitId,
};
use crate::preprocess::Pragma;
use premiss_ast::is_program_end;
use premiss_tree::{IntegerType, RejectReason};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The maximum nesting depth of statements, expressions and declarators.
const MAX_NESTING: u32 = 250;
/// The maximum height of an expression tree; `a + b + … ` adds one per operator.
const MAX_HEIGHT: u32 = 500;

/// Text that could not be parsed.
#[derive(Debug, Clone)]
pub(crate) struct SyntaxError {
    pub(crate) at: TextRange,
    pub(crate) reason: RejectReason,
}

pub(super) type Parsed<T> = Result<T, SyntaxError>;

/// The meanings of the names in a block.
#[derive(Default)]
pub(crate) struct Scope {
    /// The type that a typedef name denotes; `None` for other names.
    pub(super) names: BTreeMap<Name, Option<Arc<TypeName>>>,
    pub(super) structs: BTreeMap<Name, StructId>,
    /// Functions that never return.
    pub(super) never_returning: BTreeSet<Name>,
    /// Enumerations with a type other than `int`.
    pub(super) enumerations: BTreeMap<Name, Arc<TypeName>>,
}

pub(super) struct Parser<'text> {
    pub(super) unit: UnitId,
    text: &'text str,
    /// The `#pragma pack` settings.
    pub(super) packings: Packings,
    tokens: Vec<Token>,
    pub(super) position: usize,
    pub(super) depth: u32,
    /// Whether a declaration must stand here, as in a list of members or parameters.
    pub(super) must_declare: bool,
    /// The scopes of the texts before this one.
    earlier: &'text [Arc<Scope>],
    /// The open scopes, starting with the file scope.
    pub(super) scopes: Vec<Scope>,
    pub(super) changes_earlier: bool,
    pub(super) structs: Vec<Struct>,
    pub(super) errors: Vec<SyntaxError>,
    pub(super) names: Names,
    /// How often each definition of a function occurs, from its name to its end.
    pub(super) definitions: BTreeMap<&'text str, usize>,
}

impl<'text> Parser<'text> {
    pub(super) fn new(
        unit: UnitId,
        (text, pragmas): (&'text str, &[Pragma]),
        earlier: &'text [Arc<Scope>],
        names: Names,
    ) -> Self {
        let file_scope = match earlier {
            [] => standard_types(),
            _ => Scope::default(),
        };
        Self {
            unit,
            text,
            packings: Packings::new(pragmas),
            tokens: tokens(text, unit),
            position: 0,
            depth: 0,
            must_declare: false,
            earlier,
            scopes: vec![file_scope],
            changes_earlier: false,
            structs: Vec::new(),
            errors: Vec::new(),
            names,
            definitions: BTreeMap::new(),
        }
    }

    /// The text from the start of one range to the end of another.
    pub(super) fn text_between(&self, first: TextRange, last: TextRange) -> &'text str {
        let range = first.start as usize..last.end as usize;
        self.text.get(range).unwrap_or_default()
    }

    pub(super) fn name_of(&mut self, text: &str) -> Name {
        self.names.of(text)
    }

    pub(super) fn token(&self) -> Token {
        self.token_after(0)
    }

    pub(super) fn token_after(&self, n: usize) -> Token {
        let last = self.tokens.len() - 1;
        self.tokens[(self.position + n).min(last)]
    }

    pub(super) fn kind(&self) -> TokenKind {
        self.token().kind
    }

    pub(super) fn at(&self) -> TextRange {
        self.token().at
    }

    /// The end of the last token.
    pub(super) fn before(&self) -> TextRange {
        self.tokens[self.position.saturating_sub(1)].at
    }

    pub(super) fn text_of(&self, token: Token) -> &'text str {
        self.text
            .get(token.at.start as usize..token.at.end as usize)
            .unwrap_or("")
    }

    /// The text of the current token if it is a name or keyword, else an empty text.
    pub(super) fn word(&self) -> &'text str {
        self.word_after(0)
    }

    pub(super) fn word_after(&self, n: usize) -> &'text str {
        match self.token_after(n) {
            token if token.kind == TokenKind::Word => self.text_of(token),
            _ => "",
        }
    }

    pub(super) fn advance(&mut self) -> Token {
        let token = self.token();
        self.position = (self.position + 1).min(self.tokens.len() - 1);
        token
    }

    pub(super) fn is(&self, punctuator: &str) -> bool {
        self.is_after(0, punctuator)
    }

    pub(super) fn is_after(&self, n: usize, punctuator: &str) -> bool {
        matches!(self.token_after(n).kind, TokenKind::Punctuator(text) if text == punctuator)
    }

    pub(super) fn accept(&mut self, punctuator: &str) -> bool {
        let found = self.is(punctuator);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let found = self.word() == word;
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, punctuator: &str) -> Parsed<()> {
        if self.accept(punctuator) {
            Ok(())
        } else {
            Err(self.error())
        }
    }

    /// An error at the current token.
    pub(super) fn error(&self) -> SyntaxError {
        SyntaxError {
            at: self.at(),
            reason: RejectReason::Syntax,
        }
    }

    /// Parses something recursive, up to a maximum nesting depth.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_NESTING {
            return Err(SyntaxError {
                at: self.at(),
                reason: RejectReason::Budget {
                    limit: format!("{MAX_NESTING} levels of nesting"),
                },
            });
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Parses in a new scope.
    pub(super) fn scoped<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let n_scopes = self.scopes.len();
        self.scopes.push(Scope::default());
        let result = read(self);
        self.scopes.truncate(n_scopes);
        result
    }

    /// The meaning of a name; `None` if it is not declared.
    pub(super) fn lookup(&self, name: &str) -> Option<&Option<Arc<TypeName>>> {
        self.all_scopes().find_map(|scope| scope.names.get(name))
    }

    /// The visible scopes, innermost first.
    pub(super) fn all_scopes(&self) -> impl Iterator<Item = &Scope> {
        let earlier = self.earlier.iter().rev().map(|scope| &**scope);
        self.scopes.iter().rev().chain(earlier)
    }

    /// Whether a function never returns.
    pub(super) fn never_returns(&self, name: &Name) -> bool {
        is_program_end(name)
            || self
                .all_scopes()
                .any(|scope| scope.never_returning.contains(name))
    }

    pub(super) fn is_at_file_scope(&self) -> bool {
        self.scopes.len() == 1
    }

    pub(super) fn declare(&mut self, name: &Name, typedef: Option<Arc<TypeName>>) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name.clone(), typedef);
        }
    }

    /// Notes whether a function of the current scope is one that never returns.
    pub(super) fn note_return(&mut self, name: &Name, never_returns: bool) {
        if never_returns && let Some(scope) = self.scopes.last_mut() {
            scope.never_returning.insert(name.clone());
        }
    }

    /// Creates a node, unless the tree gets too high.
    pub(super) fn make(&self, at: TextRange, kind: ExpressionKind) -> Parsed<Expression> {
        let made = Expression::new(at, kind);
        if made.height > MAX_HEIGHT {
            return Err(SyntaxError {
                at,
                reason: RejectReason::Budget {
                    limit: format!("{MAX_HEIGHT} operators in one expression"),
                },
            });
        }
        Ok(made)
    }

    /// Skips a parenthesis, bracket or brace with its contents; the current token opens it.
    pub(super) fn skip_balanced(&mut self) -> Parsed<()> {
        let mut open = 0_usize;
        loop {
            match self.kind() {
                TokenKind::Punctuator("(" | "[" | "{") => open += 1,
                TokenKind::Punctuator(")" | "]" | "}") => open = open.saturating_sub(1),
                TokenKind::End => return Err(self.error()),
                _ => {}
            }
            self.advance();
            if open == 0 {
                return Ok(());
            }
        }
    }

    /// Skips the rest of a malformed statement: up to its `;` or the enclosing `}`.
    pub(super) fn recover_in_block(&mut self, start: usize) {
        let mut open = 0_usize;
        if self.position == start && !self.is("}") && !self.is("{") {
            self.advance();
        }
        loop {
            match self.kind() {
                TokenKind::End => return,
                TokenKind::Punctuator("}") if open == 0 => return,
                TokenKind::Punctuator(";") if open == 0 => {
                    self.advance();
                    return;
                }
                TokenKind::Punctuator("{") => open += 1,
                TokenKind::Punctuator("}") => {
                    open -= 1;
                    if open == 0 && !self.is_after(1, ";") {
                        self.advance();
                        return;
                    }
                }
                _ => {}
            }
            self.advance();
        }
    }

    pub(super) fn recover_at_file_scope(&mut self, start: usize) {
        self.recover_in_block(start);
        if self.is("}") {
            self.advance();
        }
    }
}

/// The types that the standard headers declare, for programs whose headers are missing.
fn standard_types() -> Scope {
    let signed = |bits| (bits, true);
    let unsigned = |bits| (bits, false);
    let mut scope = Scope::default();
    let mut define = |name: &str, (bits, signed)| {
        let kind = TypeName::Integer(IntegerType { bits, signed });
        scope.names.insert(name.into(), Some(Arc::new(kind)));
    };
    for bits in [8, 16, 32, 64] {
        for middle in ["", "_least"] {
            define(&format!("int{middle}{bits}_t"), signed(bits));
            define(&format!("uint{middle}{bits}_t"), unsigned(bits));
        }
        let fast = if bits == 8 { 8 } else { 64 };
        define(&format!("int_fast{bits}_t"), signed(fast));
        define(&format!("uint_fast{bits}_t"), unsigned(fast));
    }
    for name in ["size_t", "uintptr_t", "uintmax_t"] {
        define(name, unsigned(64));
    }
    for name in [
        "ssize_t",
        "ptrdiff_t",
        "intptr_t",
        "intmax_t",
        "off_t",
        "time_t",
        "clock_t",
    ] {
        define(name, signed(64));
    }
    define("wchar_t", signed(32));
    let bool_type = Some(Arc::new(TypeName::Bool));
    scope.names.insert("bool".into(), bool_type);
    scope
}
