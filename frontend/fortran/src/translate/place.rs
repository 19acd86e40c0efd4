//! Where objects are: variables, elements, components.

use super::Translator;
use super::make::{
    address_of, binary, cast, computed, dereference, index, integer, long_name, name,
};
use crate::names::{Entity, Passing, Shape, Storage, Symbol, Type, Variable, constants};
use crate::syntax::{Argument, ArgumentValue, Expr, ExprKind, Key};
use premiss_imperative::syntax::{At, Binary, Expression, ExpressionKind, Name, TypeName};
use std::sync::Arc;

/// An array: where its elements are, and how they are found.
pub(super) struct Array {
    pub(super) variable: Arc<Variable>,
    /// Where its first element is.
    pub(super) base: Expression,
    /// What its bounds are called, where they are kept in variables: those of `a` are `size(a,1)` and
    /// `lbound(a,1)`.
    pub(super) bounds: BoundNames,
}

/// Where the bounds of an array are that has them at run time.
#[derive(Clone)]
pub(super) enum BoundNames {
    /// In variables, named after the array.
    Variables(Name),
    /// In the struct that the array is a component of.
    Members(Arc<Expr>, Name),
}

impl Translator<'_> {
    /// The object that an expression names; `None` where it names none.
    pub(super) fn place(&mut self, expr: &Expr) -> Option<Expression> {
        match &expr.kind {
            ExprKind::Name(key) => {
                if let Some(value) = self.associated(key) {
                    return self.place(&value);
                }
                self.variable_place(key, expr.at)
            }
            ExprKind::Apply(base, arguments) if self.is_data(base) => {
                if 0 < self.rank_of(expr) {
                    return None;
                }
                self.element_place(base, arguments, expr.at)
            }
            // A substring is as good as the whole.
            ExprKind::Apply(base, _) if matches!(self.kind_of(base), Type::Character(_)) => {
                self.place(base)
            }
            ExprKind::Member(base, key) => self.member_place(expr, base, key),
            _ => None,
        }
    }

    fn member_place(&mut self, expr: &Expr, base: &Expr, key: &Key) -> Option<Expression> {
        let variable = self.member(expr)?;
        let name = self.member_name(base, key)?;
        let inner = self.place(base)?;
        let member = Expression::new(
            expr.at,
            ExpressionKind::Member {
                base: Box::new(inner),
                name,
                through_pointer: false,
            },
        );
        let is_pointer =
            variable.shape.is_none() && (variable.is_pointer || variable.is_allocatable);
        Some(match is_pointer {
            true => dereference(expr.at, member),
            false => member,
        })
    }

    /// The name of a component as it is declared.
    pub(super) fn member_name(&self, base: &Expr, key: &Key) -> Option<Name> {
        let Type::Derived(kind, _) = self.kind_of(base) else {
            return None;
        };
        let found = self.derived(&kind)?;
        let mut members = found.members.iter();
        members
            .find(|(own, ..)| own == key)
            .map(|(_, name, _)| name.clone())
    }

    /// How a variable of this procedure or of its host is handed over, where it is.
    pub(super) fn passing_of(&self, key: &Key) -> Option<Passing> {
        if let Some(passing) = self.passing_of_result(key) {
            return Some(passing);
        }
        let procedure = self.procedure?.called;
        let mut dummies = procedure.account.face.dummies.iter().flatten();
        if let Some(idx) = dummies.position(|dummy| dummy.key == *key) {
            return procedure.passing.get(idx).copied();
        }
        let mut captured = procedure.captured.iter();
        captured
            .find(|(own, _)| own == key)
            .map(|(_, passing)| *passing)
    }

    pub(super) fn symbol(&self, key: &Key) -> Option<Symbol> {
        self.scope.lookup(key).cloned()
    }

    /// A variable by its name; for an array, a pointer to its first element or row.
    pub(super) fn variable_place(&mut self, key: &Key, at: At) -> Option<Expression> {
        if let Some(bound) = self.bound_argument(key) {
            return Some(name(at, &bound));
        }
        if let Some(own) = self.counting(key) {
            return Some(name(at, &own));
        }
        let symbol = self.symbol(key)?;
        let Entity::Variable(variable) = &symbol.entity else {
            return match symbol.entity {
                Entity::Constant { .. } => Some(name(at, &symbol.name)),
                _ => None,
            };
        };
        if let Storage::Area(area, offset) = &variable.storage {
            return self.in_area(variable, area, *offset, at);
        }
        let own = name(at, &symbol.name);
        let is_indirect = variable.shape.is_none()
            && (variable.is_pointer || variable.is_allocatable)
            && !matches!(variable.kind, Type::Character(_));
        Some(match self.passing_of(key) {
            Some(Passing::Reference | Passing::Descriptor(_)) => dereference(at, own),
            None if is_indirect => dereference(at, own),
            _ => own,
        })
    }

    /// An object in COMMON or EQUIVALENCE.
    fn in_area(
        &mut self,
        variable: &Variable,
        area: &Name,
        offset: i64,
        at: At,
    ) -> Option<Expression> {
        if variable.shape.is_none()
            && let Some(layout) = self.scope_area(area)
            && let Some(item) = self.index.areas.scalar(&layout, offset)
        {
            return Some(name(at, &item.name));
        }
        let start = address_of(at, index(at, name(at, area), integer(at, offset)));
        let kind = match &variable.shape {
            Some(shape) => self.row_type(&variable.kind, shape)?,
            None => variable.kind.name(),
        };
        let pointer = cast(at, Arc::new(TypeName::Pointer(kind)), start);
        Some(match variable.shape {
            Some(_) => pointer,
            None => dereference(at, pointer),
        })
    }

    /// The type of what lies behind one value of an array's last subscript.
    pub(super) fn row_type(&mut self, kind: &Type, shape: &Shape) -> Option<Arc<TypeName>> {
        let Shape::Explicit(bounds) = shape else {
            return None;
        };
        let mut row = kind.name();
        for (lower, upper) in &bounds[..bounds.len().saturating_sub(1)] {
            let extent = self.extent_between(lower.as_ref(), upper.as_ref())?;
            row = Arc::new(TypeName::Array(row, Some(Arc::new(extent))));
        }
        Some(row)
    }

    /// The type of an explicitly shaped array, its last extent left open where it is `*`.
    pub(super) fn array_type(&mut self, kind: &Type, shape: &Shape) -> Option<Arc<TypeName>> {
        let row = self.row_type(kind, shape)?;
        let Shape::Explicit(bounds) = shape else {
            return None;
        };
        let extent = match bounds.last() {
            Some((lower, Some(upper))) => {
                let extent = self.extent_between(lower.as_ref(), Some(upper))?;
                Some(Arc::new(extent))
            }
            _ => None,
        };
        Some(Arc::new(TypeName::Array(row, extent)))
    }

    /// `upper - lower + 1`
    fn extent_between(&mut self, lower: Option<&Expr>, upper: Option<&Expr>) -> Option<Expression> {
        let upper = upper?;
        let at = upper.at;
        let above = self.expr(upper);
        let below = match lower {
            Some(lower) => self.expr(lower),
            None => integer(at, 1),
        };
        let is_one = matches!(below.kind, ExpressionKind::Integer(1, _));
        Some(match is_one {
            true => above,
            false => {
                let distance = binary(at, Binary::Subtract, above, below);
                binary(at, Binary::Add, distance, integer(at, 1))
            }
        })
    }

    /// The array that an expression names, whole.
    pub(super) fn array(&mut self, expr: &Expr) -> Option<Array> {
        match &expr.kind {
            ExprKind::Name(key) => {
                if let Some(value) = self.associated(key) {
                    return self.array(&value);
                }
                let symbol = self.symbol(key)?;
                match &symbol.entity {
                    Entity::Variable(variable) => {
                        variable.shape.as_ref()?;
                        Some(Array {
                            variable: variable.clone(),
                            base: self.variable_place(key, expr.at)?,
                            bounds: BoundNames::Variables(symbol.name.clone()),
                        })
                    }
                    _ => None,
                }
            }
            ExprKind::Member(base, key) => {
                let variable = self.member(expr)?;
                variable.shape.as_ref()?;
                let name = self.member_name(base, key)?;
                let inner = self.place(base)?;
                let base_place = Expression::new(
                    expr.at,
                    ExpressionKind::Member {
                        base: Box::new(inner),
                        name: name.clone(),
                        through_pointer: false,
                    },
                );
                Some(Array {
                    variable,
                    base: base_place,
                    bounds: BoundNames::Members(Arc::new((**base).clone()), name),
                })
            }
            _ => None,
        }
    }

    fn element_place(&mut self, base: &Expr, arguments: &[Argument], at: At) -> Option<Expression> {
        if let Some((key, _)) = self.constant_array(base) {
            let symbol = self.symbol(&key)?;
            let first = arguments.first()?.expr()?;
            let subscript = self.expr(first);
            let position = binary(at, Binary::Subtract, subscript, integer(at, 1));
            return Some(index(at, name(at, &symbol.name), position));
        }
        let array = self.array(base)?;
        let mut positions = Vec::new();
        for (dimension, argument) in arguments.iter().enumerate() {
            let ArgumentValue::Expr(subscript) = &argument.value else {
                return None;
            };
            let value = self.expr(subscript);
            positions.push(self.position(&array, dimension, value, at));
        }
        self.element(array, positions, at)
    }

    /// A named constant that is an array of one dimension.
    pub(super) fn constant_array(&self, base: &Expr) -> Option<(Key, Arc<Expr>)> {
        let key = base.as_name()?;
        match &self.scope.lookup(key)?.entity {
            Entity::Constant {
                value,
                is_array: true,
                ..
            } => Some((key.clone(), value.clone())),
            _ => None,
        }
    }

    /// How far a subscript is from the lower bound of its dimension.
    pub(super) fn position(
        &mut self,
        array: &Array,
        dimension: usize,
        subscript: Expression,
        at: At,
    ) -> Expression {
        let lower = self.lower_bound(array, dimension, at);
        binary(at, Binary::Subtract, subscript, lower)
    }

    /// The element at distances from the lower bounds.
    pub(super) fn element(
        &mut self,
        array: Array,
        positions: Vec<Expression>,
        at: At,
    ) -> Option<Expression> {
        let rank = array.variable.shape.as_ref()?.rank();
        if positions.len() != rank {
            return None;
        }
        if matches!(array.variable.shape, Some(Shape::Explicit(_))) {
            let positions = positions.into_iter().rev();
            return Some(positions.fold(array.base, |base, one| index(at, base, one)));
        }
        let mut distance = integer(at, 0);
        for (dimension, position) in positions.into_iter().enumerate().rev() {
            if dimension + 1 < rank {
                let extent = self.run_time_extent(&array.bounds, dimension, at);
                distance = binary(at, Binary::Multiply, distance, extent);
            }
            distance = binary(at, Binary::Add, position, distance);
        }
        Some(index(at, array.base, distance))
    }

    /// The lower bound of a dimension.
    pub(super) fn lower_bound(&mut self, array: &Array, dimension: usize, at: At) -> Expression {
        match &array.variable.shape {
            Some(Shape::Explicit(bounds)) => match bounds.get(dimension) {
                Some((Some(lower), _)) => {
                    let lower = lower.clone();
                    self.bound(&lower)
                }
                _ => integer(at, 1),
            },
            Some(Shape::Assumed(lower)) => match lower.get(dimension) {
                Some(Some(lower)) => {
                    let lower = lower.clone();
                    self.bound(&lower)
                }
                _ => integer(at, 1),
            },
            _ => self.run_time_lower(&array.bounds, dimension, at),
        }
    }

    /// The extent of a dimension; `None` where it is `*`.
    pub(super) fn extent(&mut self, array: &Array, dimension: usize, at: At) -> Option<Expression> {
        match &array.variable.shape {
            Some(Shape::Explicit(bounds)) => {
                let (lower, upper) = bounds.get(dimension)?.clone();
                self.extent_between(lower.as_ref(), upper.as_ref())
            }
            _ => Some(self.run_time_extent(&array.bounds, dimension, at)),
        }
    }

    /// A bound, as an integer where it is one.
    fn bound(&mut self, expr: &Expr) -> Expression {
        match constants::integer(expr, &self.scope) {
            Some(value) if !self.is_kept_symbolic(expr) => integer(expr.at, value),
            _ => self.expr(expr),
        }
    }

    /// Whether an expression has the name of a constant, which the user may give another value.
    fn is_kept_symbolic(&self, expr: &Expr) -> bool {
        let mut has_name = false;
        crate::names::mentioned::walk(expr, &mut |part| {
            has_name |= matches!(part.kind, ExprKind::Name(_));
        });
        has_name
    }

    pub(super) fn run_time_extent(
        &mut self,
        bounds: &BoundNames,
        dimension: usize,
        at: At,
    ) -> Expression {
        self.run_time_bound(bounds, &extent_name, dimension, at)
    }

    /// The lower bound at run time: 1 where no statement of the program says otherwise.
    pub(super) fn run_time_lower(
        &mut self,
        bounds: &BoundNames,
        dimension: usize,
        at: At,
    ) -> Expression {
        let (BoundNames::Variables(array) | BoundNames::Members(_, array)) = bounds;
        if !self
            .index
            .lowered
            .contains(array.to_ascii_lowercase().as_str())
        {
            return integer(at, 1);
        }
        self.run_time_bound(bounds, &lower_name, dimension, at)
    }

    fn run_time_bound(
        &mut self,
        bounds: &BoundNames,
        named: &dyn Fn(&Name, usize) -> Name,
        dimension: usize,
        at: At,
    ) -> Expression {
        match bounds {
            BoundNames::Variables(array) => {
                let own = name(at, &named(array, dimension));
                let key = Key::from(array.to_ascii_lowercase());
                match self.passing_of(&key) {
                    Some(Passing::Descriptor(_)) => dereference(at, own),
                    _ => own,
                }
            }
            BoundNames::Members(base, member) => match self.place(base) {
                Some(inner) => Expression::new(
                    at,
                    ExpressionKind::Member {
                        base: Box::new(inner),
                        name: named(member, dimension),
                        through_pointer: false,
                    },
                ),
                None => computed(at, long_name(), Vec::new()),
            },
        }
    }
}

/// What the extent of a dimension is called: `size(a,1)`.
pub(crate) fn extent_name(array: &Name, dimension: usize) -> Name {
    Name::from(format!("size({array},{})", dimension + 1))
}

/// What the lower bound of a dimension is called: `lbound(a,1)`.
pub(crate) fn lower_name(array: &Name, dimension: usize) -> Name {
    Name::from(format!("lbound({array},{})", dimension + 1))
}
