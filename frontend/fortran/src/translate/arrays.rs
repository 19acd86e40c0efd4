//! Whole arrays and sections: expressions element by element, and the loops around them.
//!
//! `a(:, j) = b(:, j) + c` is `for k: a[k] = b[k] + c`, in array element order. Where the right side reads
//! elements that the loop has stored to by then, it goes through a temporary array.

use super::Translator;
use super::make::{
    assign, binary, block, cast, computed, computed_by, evaluate, index, integer, long_name, name,
    object, statement,
};
use super::mathematics::{accumulated, library_name, power};
use super::overlap::needs_temporary;
use crate::names::{Entity, Type};
use crate::syntax::{Argument, ArgumentValue, BinaryOperator as Op, Expr, ExprKind, Section};
use premiss_imperative::syntax::{
    At, Binary, Declaration, Expression, ExpressionKind as Kind, For, Name, Statement,
    StatementKind, TypeName, Unary,
};
use std::sync::Arc;

impl Translator<'_> {
    /// `left = right` where the left side is an array; `None` where that is not modelled.
    pub(super) fn assign_array(&mut self, left: &Expr, right: &Expr, at: At) -> Option<Statement> {
        if let ExprKind::Apply(base, arguments) = &right.kind
            && base
                .as_name()
                .is_some_and(|key| &**key == "matmul" && self.is_free(key))
        {
            return self.matmul(left, arguments, at);
        }
        if let Some(mut list) = self.allocated_by_assignment(left, right, at) {
            list.push(self.assign_elements(left, right, at)?);
            return Some(block(at, list));
        }
        self.assign_elements(left, right, at)
    }

    fn assign_elements(&mut self, left: &Expr, right: &Expr, at: At) -> Option<Statement> {
        let rank = self.rank_of(left);
        if needs_temporary(left, right) {
            return self.assign_through_temporary(left, right, rank, at);
        }
        let names = self.positions(rank);
        let stored = self.element_of(left, &names)?;
        let value = self.element_or_scalar(right, &names)?;
        let body = evaluate(assign(at, stored, value));
        self.over_all(left, &names, body, at)
    }

    fn assign_through_temporary(
        &mut self,
        left: &Expr,
        right: &Expr,
        rank: usize,
        at: At,
    ) -> Option<Statement> {
        let temporary = self.fresh("temporary");
        let mut kind = self.kind_of(left).name();
        for dimension in 0..rank {
            let extent = self.extent_of(left, dimension)?;
            kind = Arc::new(TypeName::Array(kind, Some(Arc::new(extent))));
        }
        let declared = Declaration::Object(object(at, &temporary, kind, None));
        let mut list = vec![statement(at, StatementKind::Declarations(vec![declared]))];
        let names = self.positions(rank);
        let element = |names: &[Name]| {
            let base = name(at, &temporary);
            let names = names.iter().rev();
            names.fold(base, |base, one| index(at, base, name(at, one)))
        };
        let value = self.element_or_scalar(right, &names)?;
        let fill = evaluate(assign(right.at, element(&names), value));
        list.push(self.over_all(left, &names, fill, at)?);
        let names = self.positions(rank);
        let stored = self.element_of(left, &names)?;
        let copy = evaluate(assign(left.at, stored, element(&names)));
        list.push(self.over_all(left, &names, copy, at)?);
        Some(block(at, list))
    }

    /// Names for positions in so many dimensions, counted from 0.
    pub(super) fn positions(&mut self, rank: usize) -> Vec<Name> {
        (0..rank).map(|_| self.fresh(":")).collect()
    }

    /// Loops over all elements of an array expression, the first dimension innermost.
    pub(super) fn over_all(
        &mut self,
        shape: &Expr,
        names: &[Name],
        body: Statement,
        at: At,
    ) -> Option<Statement> {
        let mut body = body;
        for (dimension, position) in names.iter().enumerate() {
            let extent = self.extent_of(shape, dimension)?;
            body = up_to(at, position, extent, body);
        }
        Some(body)
    }

    /// The extent of a dimension of an array expression.
    pub(super) fn extent_of(&mut self, expr: &Expr, dimension: usize) -> Option<Expression> {
        match &expr.kind {
            ExprKind::Name(key) => {
                if let Some(value) = self.associated(key) {
                    return self.extent_of(&value, dimension);
                }
                if let Some((_, value)) = self.constant_array(expr) {
                    return self.extent_of(&value, dimension);
                }
                let array = self.array(expr)?;
                self.extent(&array, dimension, expr.at)
            }
            ExprKind::Member(base, _) => match self.rank_of(base) {
                0 => {
                    let array = self.array(expr)?;
                    self.extent(&array, dimension, expr.at)
                }
                _ => self.extent_of(base, dimension),
            },
            ExprKind::Apply(base, arguments) if self.is_data(base) => {
                self.extent_of_section(base, arguments, dimension)
            }
            ExprKind::Apply(base, arguments) => self.extent_of_call(base, arguments, dimension),
            ExprKind::Unary(_, x) => self.extent_of(x, dimension),
            ExprKind::Binary(_, a, b) => match 0 < self.rank_of(a) {
                true => self.extent_of(a, dimension),
                false => self.extent_of(b, dimension),
            },
            ExprKind::Constructor(items) => {
                let are_scalar = items.iter().all(|item| {
                    self.rank_of(item) == 0 && !matches!(item.kind, ExprKind::ImpliedDo(_))
                });
                let length = i64::try_from(items.len()).ok().filter(|_| are_scalar)?;
                Some(integer(expr.at, length))
            }
            _ => None,
        }
    }

    fn extent_of_section(
        &mut self,
        base: &Expr,
        arguments: &[Argument],
        dimension: usize,
    ) -> Option<Expression> {
        let ranked = arguments.iter().enumerate();
        let mut ranked = ranked.filter(|(_, argument)| 0 < self.rank_of_argument(argument));
        let (place, argument) = ranked.nth(dimension)?;
        match &argument.value {
            ArgumentValue::Section(section) => self.section_extent(base, place, section),
            ArgumentValue::Expr(vector) => self.extent_of(vector, 0),
            ArgumentValue::Label | ArgumentValue::Star => None,
        }
    }

    /// `(last - first + step) / step`
    pub(super) fn section_extent(
        &mut self,
        base: &Expr,
        dimension: usize,
        section: &Section,
    ) -> Option<Expression> {
        let at = section.at;
        if section.first.is_none() && section.last.is_none() && section.step.is_none() {
            let array = self.array(base)?;
            return self.extent(&array, dimension, at);
        }
        let first = self.section_first(base, dimension, section)?;
        let last = self.section_last(base, dimension, section)?;
        let step = section.step.as_ref().map(|step| self.expr(step));
        let distance = binary(at, Binary::Subtract, last, first);
        Some(match step {
            None => binary(at, Binary::Add, distance, integer(at, 1)),
            Some(step) => {
                let more = section.step.as_ref().map(|step| self.expr(step))?;
                let sum = binary(at, Binary::Add, distance, more);
                binary(at, Binary::Divide, sum, step)
            }
        })
    }

    fn is_backwards(&self, section: &Section) -> bool {
        section.step.as_ref().is_some_and(|step| {
            crate::names::constants::integer(step, &self.scope).is_some_and(|step| step < 0)
        })
    }

    fn section_first(
        &mut self,
        base: &Expr,
        dimension: usize,
        section: &Section,
    ) -> Option<Expression> {
        match &section.first {
            Some(first) => Some(self.expr(first)),
            None => self.outer_bound(base, dimension, self.is_backwards(section), section.at),
        }
    }

    fn section_last(
        &mut self,
        base: &Expr,
        dimension: usize,
        section: &Section,
    ) -> Option<Expression> {
        match &section.last {
            Some(last) => Some(self.expr(last)),
            None => self.outer_bound(base, dimension, !self.is_backwards(section), section.at),
        }
    }

    /// The lower or upper bound of a dimension.
    fn outer_bound(
        &mut self,
        base: &Expr,
        dimension: usize,
        is_upper: bool,
        at: At,
    ) -> Option<Expression> {
        let array = self.array(base)?;
        let lower = self.lower_bound(&array, dimension, at);
        if !is_upper {
            return Some(lower);
        }
        let extent = self.extent(&array, dimension, at)?;
        let past = binary(at, Binary::Add, lower, extent);
        Some(binary(at, Binary::Subtract, past, integer(at, 1)))
    }

    fn extent_of_call(
        &mut self,
        base: &Expr,
        arguments: &[Argument],
        dimension: usize,
    ) -> Option<Expression> {
        let key = base.as_name().filter(|key| self.is_free(key))?;
        let first = arguments.first().and_then(Argument::expr);
        match (&**key, first) {
            ("transpose", Some(x)) => self.extent_of(x, 1 - dimension.min(1)),
            ("matmul", Some(a)) => {
                let b = arguments.get(1)?.expr()?;
                match dimension {
                    0 if 1 < self.rank_of(a) => self.extent_of(a, 0),
                    _ => self.extent_of(b, self.rank_of(b) - 1),
                }
            }
            ("spread" | "reshape" | "pack" | "unpack", _) => None,
            ("sum" | "product" | "maxval" | "minval" | "count" | "any" | "all", Some(x)) => {
                let reduced = self.reduced_dimension(arguments)?;
                self.extent_of(x, dimension + usize::from(reduced <= dimension))
            }
            _ => {
                let list = arguments.iter().filter_map(Argument::expr);
                let array = list.into_iter().find(|x| 0 < self.rank_of(x))?;
                self.extent_of(array, dimension)
            }
        }
    }

    /// The dimension that a reduction goes along, from 0.
    fn reduced_dimension(&self, arguments: &[Argument]) -> Option<usize> {
        let dimension = super::intrinsics::argument(arguments, 1, "dim")?;
        let value = crate::names::constants::integer(dimension, &self.scope)?;
        usize::try_from(value).ok()?.checked_sub(1)
    }

    fn element_or_scalar(&mut self, expr: &Expr, positions: &[Name]) -> Option<Expression> {
        match self.rank_of(expr) {
            0 => Some(self.expr(expr)),
            rank if rank == positions.len() => self.element_of(expr, positions),
            _ => None,
        }
    }

    /// The element of an array expression at positions that are counted from 0; `None` where that is
    /// not modelled.
    pub(super) fn element_of(&mut self, expr: &Expr, positions: &[Name]) -> Option<Expression> {
        let at = expr.at;
        match &expr.kind {
            ExprKind::Name(key) => {
                if let Some(value) = self.associated(key) {
                    return self.element_of(&value, positions);
                }
                if let Some((key, _)) = self.constant_array(expr) {
                    let symbol = self.symbol(&key)?;
                    let position = name(at, positions.first()?);
                    return Some(index(at, name(at, &symbol.name), position));
                }
                let array = self.array(expr)?;
                let positions = positions.iter().map(|one| name(at, one)).collect();
                self.checked_element(expr, array, positions)
            }
            ExprKind::Member(base, key) => {
                if 0 < self.rank_of(base) {
                    let inner = self.element_of(base, positions)?;
                    let name = self.member_name(base, key)?;
                    return Some(Expression::new(
                        at,
                        Kind::Member {
                            base: Box::new(inner),
                            name,
                            through_pointer: false,
                        },
                    ));
                }
                let array = self.array(expr)?;
                let positions = positions.iter().map(|one| name(at, one)).collect();
                self.checked_element(expr, array, positions)
            }
            ExprKind::Apply(base, arguments) if self.is_data(base) => {
                self.element_of_section(expr, base, arguments, positions)
            }
            ExprKind::Apply(base, arguments) => {
                self.element_of_call(expr, base, arguments, positions)
            }
            ExprKind::Unary(operator, x) => {
                let value = self.element_or_scalar(x, positions)?;
                let operator = match operator {
                    crate::syntax::UnaryOperator::Plus => return Some(value),
                    crate::syntax::UnaryOperator::Minus => Unary::Negate,
                    crate::syntax::UnaryOperator::Not => Unary::Not,
                };
                Some(Expression::new(at, Kind::Unary(operator, Box::new(value))))
            }
            ExprKind::Binary(op, a, b) => {
                let left = self.element_or_scalar(a, positions)?;
                let right = self.element_or_scalar(b, positions)?;
                Some(self.combined(expr, *op, left, right))
            }
            ExprKind::Constructor(items) => {
                let is_constant = |item: &Expr| {
                    matches!(
                        item.kind,
                        ExprKind::Integer(..) | ExprKind::Real(..) | ExprKind::Logical(_)
                    )
                };
                let kind = self.kind_of(expr).name();
                items
                    .iter()
                    .all(is_constant)
                    .then(|| computed(at, kind, Vec::new()))
            }
            _ => None,
        }
    }

    /// Texts make no accesses.
    fn checked_element(
        &mut self,
        expr: &Expr,
        array: super::place::Array,
        positions: Vec<Expression>,
    ) -> Option<Expression> {
        match self.kind_of(expr) {
            Type::Character(length) if length != Some(1) => {
                Some(computed(expr.at, Type::Character(None).name(), Vec::new()))
            }
            _ => self.element(array, positions, expr.at),
        }
    }

    /// An operation on two elements: the values of whole arrays are not followed.
    fn combined(&mut self, expr: &Expr, op: Op, left: Expression, right: Expression) -> Expression {
        let at = expr.at;
        match op {
            Op::And => Expression::new(at, Kind::And(Box::new(left), Box::new(right))),
            Op::Or => Expression::new(at, Kind::Or(Box::new(left), Box::new(right))),
            Op::Power => power(at, self.kind_of(expr).name(), vec![left, right]),
            _ => match super::expressions::arithmetic(op) {
                Some(op) if matches!(self.kind_of(expr), Type::Real(_) | Type::Complex(_)) => {
                    Expression::new(at, Kind::Binary(op, Box::new(left), Box::new(right)))
                }
                _ => computed(at, self.kind_of(expr).name(), vec![left, right]),
            },
        }
    }

    fn element_of_section(
        &mut self,
        expr: &Expr,
        base: &Expr,
        arguments: &[Argument],
        positions: &[Name],
    ) -> Option<Expression> {
        let array = self.array(base)?;
        let mut rest = positions.iter();
        let mut distances = Vec::new();
        for (dimension, argument) in arguments.iter().enumerate() {
            let at = expr.at;
            let distance = match &argument.value {
                ArgumentValue::Section(section) => {
                    let position = name(at, rest.next()?);
                    let step = section.step.as_ref().map(|step| self.expr(step));
                    let moved = match step {
                        Some(step) => binary(at, Binary::Multiply, position, step),
                        None => position,
                    };
                    match &section.first {
                        None if !self.is_backwards(section) => moved,
                        _ => {
                            let first = self.section_first(base, dimension, section)?;
                            let start = self.position(&array, dimension, first, at);
                            binary(at, Binary::Add, start, moved)
                        }
                    }
                }
                ArgumentValue::Expr(subscript) => {
                    let value = match self.rank_of(subscript) {
                        0 => self.expr(subscript),
                        _ => {
                            let position = rest.next()?.clone();
                            self.element_of(subscript, &[position])?
                        }
                    };
                    self.position(&array, dimension, value, at)
                }
                ArgumentValue::Label | ArgumentValue::Star => return None,
            };
            distances.push(distance);
        }
        self.checked_element(expr, array, distances)
    }

    fn element_of_call(
        &mut self,
        expr: &Expr,
        base: &Expr,
        arguments: &[Argument],
        positions: &[Name],
    ) -> Option<Expression> {
        let key = base.as_name().filter(|key| self.is_free(key))?.clone();
        let first = arguments.first().and_then(Argument::expr);
        match (&*key, first) {
            ("transpose", Some(x)) => {
                let [row, column] = positions else {
                    return None;
                };
                self.element_of(x, &[column.clone(), row.clone()])
            }
            ("spread", Some(x)) => {
                let dimension = self.reduced_dimension(arguments)?;
                let mut inner = positions.to_vec();
                (dimension < inner.len()).then(|| inner.remove(dimension))?;
                self.element_or_scalar(x, &inner)
            }
            ("sum" | "product" | "maxval" | "minval" | "count" | "any" | "all", Some(x)) => {
                let dimension = self.reduced_dimension(arguments)?;
                let along = self.fresh(":");
                let mut inner = positions.to_vec();
                (dimension <= inner.len()).then(|| inner.insert(dimension, along.clone()))?;
                let value = self.element_of(x, &inner)?;
                let value = accumulated(expr.at, &key, self.kind_of(expr).name(), value);
                let extent = self.extent_of(x, dimension)?;
                let sum = up_to(expr.at, &along, extent, evaluate(value));
                Some(self.after(sum, expr))
            }
            ("matmul" | "reshape" | "pack" | "unpack" | "cshift" | "eoshift", _) => None,
            _ => {
                let mut operands = Vec::new();
                for argument in arguments.iter().filter_map(Argument::expr) {
                    operands.push(self.element_or_scalar(argument, positions)?);
                }
                let kind = self.kind_of(expr).name();
                Some(match library_name(&key) {
                    Some(function) => computed_by(expr.at, function, kind, operands),
                    None => computed(expr.at, kind, operands),
                })
            }
        }
    }

    /// Whether a name means the intrinsic procedure of that name.
    pub(super) fn is_free(&self, key: &str) -> bool {
        let is_own = match self.scope.lookup(key).map(|symbol| &symbol.entity) {
            Some(Entity::External(_)) | None => false,
            Some(_) => true,
        };
        !is_own
            && super::is_intrinsic(key)
            && self.index.callees(&self.scope, &Arc::from(key)).is_empty()
    }

    /// The value of an expression once a statement is done.
    pub(super) fn after(&mut self, statement_before: Statement, expr: &Expr) -> Expression {
        let at = expr.at;
        let value = evaluate(computed(at, self.kind_of(expr).name(), Vec::new()));
        let body = block(at, vec![statement_before, value]);
        Expression::new(at, Kind::StatementExpression(Box::new(body)))
    }

    /// `SUM(a)` and its like: a loop over all elements.
    pub(super) fn reduction(
        &mut self,
        expr: &Expr,
        key: &str,
        arguments: &[Argument],
    ) -> Option<Expression> {
        let first = arguments.first()?.expr()?;
        let rank = self.rank_of(first);
        if rank == 0 {
            return None;
        }
        let names = self.positions(rank);
        let mut element = self.element_of(first, &names)?;
        if key == "dot_product" {
            let second = arguments.get(1)?.expr()?;
            let second = Box::new(self.element_of(second, &names)?);
            let product = Kind::Binary(Binary::Multiply, Box::new(element), second);
            element = Expression::new(expr.at, product);
        }
        let kind = self.kind_of(expr).name();
        let mut body = vec![evaluate(accumulated(expr.at, key, kind, element))];
        if let Some(mask) = super::intrinsics::argument(arguments, 2, "mask")
            && key != "dot_product"
        {
            let condition = self.element_or_scalar(mask, &names)?;
            let then = Box::new(block(expr.at, body));
            body = vec![statement(
                expr.at,
                StatementKind::If {
                    condition,
                    then,
                    otherwise: None,
                },
            )];
        }
        let body = block(expr.at, body);
        let all = self.over_all(first, &names, body, expr.at)?;
        Some(self.after(all, expr))
    }

    /// `c = MATMUL(a, b)`, column by column: for each `j`, `c(:, j) = 0`, then for each `k`
    /// `c(:, j) = c(:, j) + a(:, k) * b(k, j)`, as gfortran writes it out.
    fn matmul(&mut self, left: &Expr, arguments: &[Argument], at: At) -> Option<Statement> {
        let a = arguments.first()?.expr()?.clone();
        let b = arguments.get(1)?.expr()?.clone();
        let (a_rank, b_rank) = (self.rank_of(&a), self.rank_of(&b));
        if needs_temporary(left, &a) || needs_temporary(left, &b) {
            return None;
        }
        let (i, j, k) = (self.fresh(":"), self.fresh(":"), self.fresh(":"));
        let with = |list: &[(usize, &Name)]| -> Vec<Name> {
            let kept = list.iter().filter(|(is_there, _)| *is_there == 1);
            kept.map(|(_, name)| (*name).clone()).collect()
        };
        let has_rows = usize::from(a_rank == 2);
        let has_columns = usize::from(b_rank == 2);
        let of_c = with(&[(has_rows, &i), (has_columns, &j)]);
        let of_a = with(&[(has_rows, &i), (1, &k)]);
        let of_b = with(&[(1, &k), (has_columns, &j)]);
        let kind = self.kind_of(left).name();
        let zero = computed(at, kind, Vec::new());
        let cleared = evaluate(assign(left.at, self.element_of(left, &of_c)?, zero));
        let so_far = Box::new(self.element_of(left, &of_c)?);
        let factors = [self.element_of(&a, &of_a)?, self.element_of(&b, &of_b)?].map(Box::new);
        let [one, other] = factors;
        let product = Expression::new(at, Kind::Binary(Binary::Multiply, one, other));
        let sum = Expression::new(at, Kind::Binary(Binary::Add, so_far, Box::new(product)));
        let added = evaluate(assign(left.at, self.element_of(left, &of_c)?, sum));
        let (mut first, mut second) = (cleared, added);
        if has_rows == 1 {
            let rows = self.extent_of(left, 0)?;
            first = up_to(at, &i, rows, first);
            let rows = self.extent_of(left, 0)?;
            second = up_to(at, &i, rows, second);
        }
        let inner = self.extent_of(&b, 0)?;
        let mut all = block(at, vec![first, up_to(at, &k, inner, second)]);
        if has_columns == 1 {
            let columns = self.extent_of(left, has_rows)?;
            all = up_to(at, &j, columns, all);
        }
        Some(all)
    }
}

/// `for (position = 0; position < extent; position++) body`
pub(super) fn up_to(at: At, position: &Name, extent: Expression, body: Statement) -> Statement {
    let extent = cast(extent.at, long_name(), extent);
    up_to_of_kind(at, position, long_name(), extent, body)
}

/// The same with positions of a type.
pub(super) fn up_to_of_kind(
    at: At,
    position: &Name,
    kind: Arc<TypeName>,
    extent: Expression,
    body: Statement,
) -> Statement {
    let zero = integer(at, 0);
    let declared = Declaration::Object(object(at, position, kind, Some(zero)));
    let is_below = Kind::Binary(Binary::Less, Box::new(name(at, position)), Box::new(extent));
    let step = Kind::Assign(
        Some(Binary::Add),
        Box::new(name(at, position)),
        Box::new(integer(at, 1)),
    );
    statement(
        at,
        StatementKind::For(Box::new(For {
            header: at,
            initial: statement(at, StatementKind::Declarations(vec![declared])),
            condition: Some(Expression::new(at, is_below)),
            step: Some(Expression::new(at, step)),
            body: match body.kind {
                StatementKind::Block(_) => body,
                _ => block(body.at, vec![body]),
            },
        })),
    )
}
