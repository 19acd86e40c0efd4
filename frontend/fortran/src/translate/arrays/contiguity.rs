//! The start addresses of array arguments, and whether their elements are contiguous.

use crate::build;
use crate::syntax::{ActualArgument, ArgumentValue, Expr, ExprKind};
use crate::translate::arrays::{bounds, designators, section_bounds};
use crate::translate::context::Translator;
use crate::translate::environment::NameEnvironment;
use premiss_ast::syntax::{Binary, Expression, ExpressionKind, TextRange};

/// Whether the elements of a section are contiguous.
pub(crate) enum Contiguity {
    Contiguous,
    Scattered,
    /// Contiguous if this condition is true.
    ContiguousIf(Expression),
}

impl Contiguity {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Scattered, _) | (_, Self::Scattered) => Self::Scattered,
            (Self::Contiguous, one) | (one, Self::Contiguous) => one,
            (Self::ContiguousIf(a), Self::ContiguousIf(b)) => Self::ContiguousIf(Expression::new(
                a.at,
                ExpressionKind::And(Box::new(a), Box::new(b)),
            )),
        }
    }
}

/// The address of the first element of an array argument; for an array element, the elements after it are passed as
/// well (sequence association).
pub(crate) fn start_address(ctx: &mut Translator, expr: &Expr) -> Result<Expression, String> {
    let at = expr.at;
    let rank = ctx.env.rank_of(expr);
    if rank == 0 {
        return match ctx.designator(expr).filter(build::is_addressable) {
            Some(place) => Ok(build::address_of(at, place)),
            // A constant is passed as an array of one element.
            None => Ok(build::cast(
                at,
                ctx.env.type_of(expr).pointer(),
                build::integer(at, 0),
            )),
        };
    }
    match contiguous_start(ctx, expr) {
        Some(start) => Ok(start),
        None => Err(
            "an array section that is not contiguous, or an expression, as an argument".to_owned(),
        ),
    }
}

/// The start of an array passed to an assumed-shape dummy: a section is passed with its strides, not as a copy.
pub(crate) fn start_of_assumed_shape(
    ctx: &mut Translator,
    expr: &Expr,
) -> Result<Expression, String> {
    let start = start_address(ctx, expr);
    start.map_err(|construct| match is_regular_section(&ctx.env, expr) {
        true => "a section that is not contiguous as an argument of assumed shape".to_owned(),
        false => construct,
    })
}

/// The address of the first element of a section.
pub(crate) fn first_element(ctx: &mut Translator, section: &Expr) -> Option<Expression> {
    match &section.kind {
        ExprKind::Apply(base, arguments) => first_of_section(ctx, base, arguments, section.at),
        _ => None,
    }
}

/// The start of a contiguous array.
pub(crate) fn contiguous_start(ctx: &mut Translator, expr: &Expr) -> Option<Expression> {
    let at = expr.at;
    match &expr.kind {
        ExprKind::Name(key) => {
            if let Some(value) = ctx.env.selector(key) {
                return contiguous_start(ctx, &value);
            }
            if let Some((key, _)) = ctx.env.named_constant_array(expr) {
                let symbol = ctx.env.symbol(&key)?;
                return Some(build::name(at, &symbol.name));
            }
            designators::array_object(ctx, expr).map(|array| array.base)
        }
        ExprKind::Member(base, _) if ctx.env.rank_of(base) == 0 => {
            designators::array_object(ctx, expr).map(|array| array.base)
        }
        ExprKind::Apply(base, arguments)
            if ctx.env.is_array_object(base) && ctx.env.rank_of_parts_before(base) == 0 =>
        {
            contiguous_section(ctx, base, arguments, at)
        }
        _ => None,
    }
}

/// The start of a contiguous section: all dimensions before the last triplet are whole, and scalar subscripts follow
/// it.
fn contiguous_section(
    ctx: &mut Translator,
    base: &Expr,
    arguments: &[ActualArgument],
    at: TextRange,
) -> Option<Expression> {
    let last = last_ranked(&ctx.env, arguments)?;
    for (dimension, argument) in arguments.iter().enumerate() {
        let is_in_line = match &argument.value {
            ArgumentValue::Section(section) => {
                let is_whole = section.first.is_none() && section.last.is_none();
                section.step.is_none() && (is_whole || last <= dimension)
            }
            ArgumentValue::Expr(subscript) => ctx.env.rank_of(subscript) == 0 && last < dimension,
            ArgumentValue::Label | ArgumentValue::Star => false,
        };
        if !is_in_line {
            return None;
        }
    }
    first_of_section(ctx, base, arguments, at)
}

/// The last dimension in which a section has more than one element.
fn last_ranked(env: &NameEnvironment, arguments: &[ActualArgument]) -> Option<usize> {
    let mut places = arguments.iter();
    places.rposition(|one| 0 < env.rank_of_subscript(one))
}

/// The first element of a section.
fn first_of_section(
    ctx: &mut Translator,
    base: &Expr,
    arguments: &[ActualArgument],
    at: TextRange,
) -> Option<Expression> {
    let array = designators::array_object(ctx, base)?;
    let mut positions = Vec::new();
    for (dimension, argument) in arguments.iter().enumerate() {
        let first = match &argument.value {
            ArgumentValue::Section(section) => section.first.as_ref(),
            ArgumentValue::Expr(subscript) if ctx.env.rank_of(subscript) == 0 => Some(subscript),
            _ => return None,
        };
        positions.push(match first {
            None => build::integer(at, 0),
            Some(first) => {
                let value = ctx.expression(first);
                bounds::offset_from_lower(ctx, &array, dimension, value, at)
            }
        });
    }
    let first = designators::element_object(ctx, array, positions, at)?;
    Some(build::address_of(at, first))
}

/// Whether a section is contiguous, by its strides and extents.
pub(crate) fn contiguity(ctx: &mut Translator, section: &Expr) -> Option<Contiguity> {
    let ExprKind::Apply(base, arguments) = &section.kind else {
        // A component of each element.
        return Some(Contiguity::Scattered);
    };
    if 0 < ctx.env.rank_of_parts_before(base) {
        return Some(Contiguity::Scattered);
    }
    let last = last_ranked(&ctx.env, arguments)?;
    let array = designators::array_object(ctx, base)?;
    let mut piece = Contiguity::Contiguous;
    for (dimension, argument) in arguments.iter().enumerate() {
        let at = section.at;
        let one = build::integer(at, 1);
        if let ArgumentValue::Section(part) = &argument.value
            && let Some(step) = &part.step
        {
            let step = ctx.expression(step);
            piece = piece.and(equal_extents(step, one.clone()));
        }
        if last <= dimension {
            continue;
        }
        let whole = bounds::extent(ctx, &array, dimension, at)?;
        let own = match &argument.value {
            ArgumentValue::Section(part) if part.first.is_none() && part.last.is_none() => {
                continue;
            }
            ArgumentValue::Section(part) => {
                section_bounds::section_extent(ctx, base, dimension, part)?
            }
            // One of several rows.
            _ if !matches!(whole.kind, ExpressionKind::Integer(1, _)) => {
                return Some(Contiguity::Scattered);
            }
            _ => continue,
        };
        piece = piece.and(equal_extents(own, whole));
    }
    Some(piece)
}

/// Whether an array expression is a part of an array selected by indices and triplets, without vector subscripts.
pub(crate) fn is_regular_section(env: &NameEnvironment, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(key) => match env.selector(key) {
            Some(value) => is_regular_section(env, &value),
            None => true,
        },
        ExprKind::Member(base, _) => is_regular_section(env, base),
        ExprKind::Apply(base, arguments) => {
            let is_plain = |one: &ActualArgument| match &one.value {
                ArgumentValue::Section(_) => true,
                ArgumentValue::Expr(subscript) => env.rank_of(subscript) == 0,
                ArgumentValue::Label | ArgumentValue::Star => false,
            };
            env.is_array_object(base)
                && is_regular_section(env, base)
                && arguments.iter().all(is_plain)
        }
        _ => false,
    }
}

/// Whether two extents are equal.
fn equal_extents(a: Expression, b: Expression) -> Contiguity {
    match (&a.kind, &b.kind) {
        (ExpressionKind::Integer(x, _), ExpressionKind::Integer(y, _)) if x == y => {
            Contiguity::Contiguous
        }
        (ExpressionKind::Integer(..), ExpressionKind::Integer(..)) => Contiguity::Scattered,
        _ => Contiguity::ContiguousIf(build::operation(a.at, Binary::Equal, a, b)),
    }
}
