//! Expressions.

use super::names::NameKey;
use premiss_ast::syntax::TextRange;
use premiss_tree::RejectReason;
use std::sync::Arc;

/// An expression at a place.
#[derive(Debug, Clone)]
pub(crate) struct Expr {
    pub(crate) at: TextRange,
    pub(crate) kind: ExprKind,
}

/// What an expression is.
#[derive(Debug, Clone)]
pub(crate) enum ExprKind {
    /// An integer with its kind suffix.
    Integer(i64, Option<NameKey>),
    /// A real number; the flag is set if its exponent letter is `D`; with its kind suffix.
    Real(f64, bool, Option<NameKey>),
    Text(Arc<[u8]>),
    Logical(bool),
    Name(NameKey),
    /// `f(a, b)`: an element, a section, a substring, a call or a constructor.
    Apply(Box<Expr>, Vec<ActualArgument>),
    /// `x%name`
    Member(Box<Expr>, NameKey),
    Unary(UnaryOperator, Box<Expr>),
    Binary(BinaryOperator, Box<Expr>, Box<Expr>),
    /// `(/ a, b /)` or `[a, b]`
    Constructor(Vec<Expr>),
    /// `(1.0, 2.0)`
    Complex(Box<Expr>, Box<Expr>),
    /// `(a(i), i = 1, n)`
    ImpliedDo(Box<ImpliedDo>),
    /// `(a)`: a value, although `a` is a variable.
    Parentheses(Box<Expr>),
    /// An operation with an operator of the program, by its generic name: `operator(.cross.)`.
    Defined(NameKey, Vec<Expr>),
    /// An expression of a header that could not be parsed, with the words of the header.
    Unparsed(RejectReason, Vec<NameKey>),
}

/// An implied DO in a list of items.
#[derive(Debug, Clone)]
pub(crate) struct ImpliedDo {
    pub(crate) items: Vec<Expr>,
    pub(crate) variable: NameKey,
    pub(crate) first: Expr,
    pub(crate) last: Expr,
    pub(crate) step: Option<Expr>,
}

/// An argument, subscript or section.
#[derive(Debug, Clone)]
pub(crate) struct ActualArgument {
    pub(crate) keyword: Option<NameKey>,
    pub(crate) value: ArgumentValue,
}

impl ActualArgument {
    /// The same argument or subscript, with its expression or the parts of its section replaced.
    pub(crate) fn map_expressions(&self, mut map: impl FnMut(&Expr) -> Expr) -> Self {
        let value = match &self.value {
            ArgumentValue::Expr(x) => ArgumentValue::Expr(map(x)),
            ArgumentValue::Section(section) => ArgumentValue::Section(Box::new(SubscriptTriplet {
                at: section.at,
                first: section.first.as_ref().map(&mut map),
                last: section.last.as_ref().map(&mut map),
                step: section.step.as_ref().map(&mut map),
            })),
            other => other.clone(),
        };
        Self {
            keyword: self.keyword.clone(),
            value,
        }
    }
}

/// The value of an argument or subscript.
#[derive(Debug, Clone)]
pub(crate) enum ArgumentValue {
    Expr(Expr),
    Section(Box<SubscriptTriplet>),
    /// A statement label for an alternate return.
    Label,
    /// `*`: the length of a `CHARACTER` or the last extent of an array.
    Star,
}

/// `first : last : step`
#[derive(Debug, Clone)]
pub(crate) struct SubscriptTriplet {
    pub(crate) at: TextRange,
    pub(crate) first: Option<Expr>,
    pub(crate) last: Option<Expr>,
    pub(crate) step: Option<Expr>,
}

/// The intrinsic operators of one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnaryOperator {
    Plus,
    Minus,
    Not,
}

/// The intrinsic operators of two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BinaryOperator {
    Power,
    Multiply,
    Divide,
    Add,
    Subtract,
    Concatenate,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
    Equivalent,
    NotEquivalent,
}

impl BinaryOperator {
    /// The generic name of the procedures that define the operator for other types.
    pub(crate) fn generic_name(self) -> &'static str {
        match self {
            Self::Power => "operator(**)",
            Self::Multiply => "operator(*)",
            Self::Divide => "operator(/)",
            Self::Add => "operator(+)",
            Self::Subtract => "operator(-)",
            Self::Concatenate => "operator(//)",
            Self::Equal => "operator(==)",
            Self::NotEqual => "operator(/=)",
            Self::Less => "operator(<)",
            Self::LessEqual => "operator(<=)",
            Self::Greater => "operator(>)",
            Self::GreaterEqual => "operator(>=)",
            Self::And => "operator(.and.)",
            Self::Or => "operator(.or.)",
            Self::Equivalent => "operator(.eqv.)",
            Self::NotEquivalent => "operator(.neqv.)",
        }
    }
}

impl UnaryOperator {
    /// The generic name of the procedures that define the operator for other types.
    pub(crate) fn generic_name(self) -> &'static str {
        match self {
            Self::Plus => "operator(+)",
            Self::Minus => "operator(-)",
            Self::Not => "operator(.not.)",
        }
    }
}

/// The generic name of the procedures that define assignments.
pub(crate) const ASSIGNMENT: &str = "assignment(=)";

/// The generic name of an operator between periods: `.eq.` is another spelling of `==`.
pub(crate) fn dotted_generic_name(name: &str) -> NameKey {
    let mark = match name {
        "eq" => "==",
        "ne" => "/=",
        "lt" => "<",
        "le" => "<=",
        "gt" => ">",
        "ge" => ">=",
        _ => return NameKey::from(format!("operator(.{name}.)")),
    };
    NameKey::from(format!("operator({mark})"))
}

impl Expr {
    /// The expression within all parentheses around it.
    pub(crate) fn without_parentheses(&self) -> &Self {
        match &self.kind {
            ExprKind::Parentheses(inner) => inner.without_parentheses(),
            _ => self,
        }
    }

    /// The name, if the expression is only a name.
    pub(crate) fn as_name(&self) -> Option<&NameKey> {
        match &self.kind {
            ExprKind::Name(key) => Some(key),
            _ => None,
        }
    }

    /// The leftmost name of a variable, element or section.
    pub(crate) fn root(&self) -> Option<&NameKey> {
        match &self.kind {
            ExprKind::Name(key) => Some(key),
            ExprKind::Apply(base, _) | ExprKind::Member(base, _) => base.root(),
            _ => None,
        }
    }
}

impl ActualArgument {
    /// The expression, if the argument is one.
    pub(crate) fn expr(&self) -> Option<&Expr> {
        match &self.value {
            ArgumentValue::Expr(expr) => Some(expr),
            _ => None,
        }
    }
}

/// The actual argument with that keyword, else the one without a keyword at that position, counted from 0.
pub(crate) fn find_argument<'e>(
    arguments: &'e [ActualArgument],
    position: usize,
    keyword: &str,
) -> Option<&'e Expr> {
    let mut by_keyword = arguments.iter();
    let by_keyword = by_keyword.find(|argument| argument.keyword.as_deref() == Some(keyword));
    let by_position = arguments.get(position);
    let by_position = by_position.filter(|argument| argument.keyword.is_none());
    by_keyword.or(by_position)?.expr()
}
