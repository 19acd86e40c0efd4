//! The state of desugaring one body: the block under construction, the environment of names, and the targets of jumps.
//!
//! Expressions become expressions where the common syntax has them, else statements before the current one: they are
//! emitted into the block under construction, in order of evaluation. If an operand needs statements, the operands
//! before it are stored in variables, so that accesses keep their order.
//!
//! The passes are free functions that take a [`Body`] first. Calls of a pass above (an operand is an expression) go
//! through the methods in `recursion.rs`.

use crate::ast_builder;
use crate::body::inference::InferenceTable;
use crate::body::inlined_copies::InlinedCopies;
use crate::context::{ProgramContext, Substitution};
use crate::loop_accounting::{CoverageMark, rejected_nest};
use crate::positions::TextCopy;
use crate::types::Ty;
use crate::value::{Environment, InlinedCode, Value};
use premiss_ast::syntax::{Expression, ExpressionKind, Name, Statement, TextRange, TypeName};
use premiss_tree::RejectReason;
use proc_macro2::Span;
use std::collections::BTreeSet;
use std::sync::Arc;
use syn::spanned::Spanned;

/// The maximum depth of inlined calls.
pub(crate) const MAX_INLINED: usize = 32;
/// The maximum number of statements that the body of one function may become.
pub(crate) const MAX_STATEMENTS: usize = 50_000;
/// The maximum number of statements that all bodies together may become, counted once per instance.
pub(crate) const MAX_ALL_STATEMENTS: usize = 3_000_000;

/// A body being desugared.
pub(crate) struct Body<'a, 'c> {
    pub(crate) program: &'c mut ProgramContext<'a>,
    /// The values of the function's generic parameters.
    pub(crate) substitution: Arc<Substitution>,
    /// The index of its file, and the copy of its text.
    pub(crate) unit: usize,
    pub(crate) copy: TextCopy,
    pub(crate) environment: Environment<'a>,
    pub(crate) block: Vec<Statement>,
    /// The names of variables in each enclosing block.
    pub(crate) block_names: Vec<BTreeSet<Name>>,
    /// Mutable variables.
    pub(crate) mutable_names: BTreeSet<Name>,
    pub(crate) jump_targets: Vec<JumpTarget<'a>>,
    pub(crate) return_target: ReturnTarget<'a>,
    /// The functions and closures being inlined whose text encloses this place: for the body of a closure, those
    /// around its definition, wherever it is called.
    pub(crate) inline_stack: Vec<InlinedCode>,
    /// The number of functions and closures being inlined.
    pub(crate) n_inlined: usize,
    /// The result type of the current function.
    pub(crate) return_type: Ty,
    /// The name of the variable that is being initialized.
    pub(crate) target_name: Option<String>,
    /// Whether the next subscript is a place that is changed: `m[i] = x`, `m[i] += x`, `&mut m[i]`.
    pub(crate) is_changed_place: bool,
    /// The bindings of `let` conditions, for the code where they hold.
    pub(crate) let_bindings: Vec<(&'a syn::Pat, Value<'a>)>,
    /// Variables that hold newly constructed values and have no other name.
    pub(crate) fresh_variables: BTreeSet<Name>,
    /// The types of inference variables.
    pub(crate) inference: InferenceTable,
    pub(crate) copies: InlinedCopies,
    pub(crate) n_labels: usize,
    pub(crate) n_statements: usize,
    /// The number of open loops of the common syntax.
    pub(crate) n_loops: usize,
    /// The iterators that are being driven to their ends.
    pub(crate) item_exits: Vec<ItemExit>,
    /// What became of the text so far.
    pub(crate) marks: Vec<CoverageMark>,
    /// What generic parameters become that neither a call nor its context determines.
    pub(crate) open_parameters: OpenParameters,
    /// The types that were assumed for parameters of functions that it calls, as ``T of `scale` = f64``.
    pub(crate) assumed_types: BTreeSet<Name>,
}

/// What becomes of generic parameters of called functions that neither the call nor its context determines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum OpenParameters {
    /// They stay open: a later pass over the body may know them.
    #[default]
    Kept,
    /// They stay open, and there are some.
    Seen,
    /// They are what is assumed for functions that nothing calls: no later pass will know more.
    Assumed,
}

/// The place behind the loops over the items of an iterator, to which one of its stages may jump.
#[derive(Debug)]
pub(crate) struct ItemExit {
    /// The number of open loops around them.
    pub(crate) n_loops: usize,
    /// Whether several loops follow each other.
    pub(crate) has_next: bool,
    pub(crate) label: Name,
    pub(crate) is_used: bool,
}

/// A loop or labelled block that jumps may leave.
#[derive(Debug)]
pub(crate) struct JumpTarget<'a> {
    pub(crate) label: Option<String>,
    pub(crate) is_loop: bool,
    /// The number of open loops around it.
    pub(crate) n_loops: usize,
    /// The number of open loops in its body: an iterator may become several loops.
    pub(crate) n_body_loops: usize,
    pub(crate) break_label: Name,
    pub(crate) continue_label: Name,
    pub(crate) has_break: bool,
    pub(crate) has_continue: bool,
    /// The variables for its value, and their declarations.
    pub(crate) result: Option<Value<'a>>,
    pub(crate) declarations: Vec<Statement>,
}

/// The target of a `return`.
#[derive(Debug, Clone)]
pub(crate) enum ReturnTarget<'a> {
    /// The end of the function being built.
    Function,
    /// The end of the inlined code.
    Inlined { result: Value<'a>, label: Name },
}

impl<'a, 'c> Body<'a, 'c> {
    /// An empty body in the file `unit`; `substitution` has the values of generic parameters.
    pub(crate) fn new(
        program: &'c mut ProgramContext<'a>,
        unit: usize,
        substitution: Arc<Substitution>,
        copy: TextCopy,
    ) -> Self {
        program.text_unit.set(unit);
        Self {
            program,
            substitution,
            unit,
            copy,
            environment: Environment::default(),
            block: Vec::new(),
            block_names: vec![BTreeSet::new()],
            mutable_names: BTreeSet::new(),
            jump_targets: Vec::new(),
            return_target: ReturnTarget::Function,
            inline_stack: Vec::new(),
            n_inlined: 0,
            return_type: Ty::Unit,
            target_name: None,
            is_changed_place: false,
            let_bindings: Vec::new(),
            fresh_variables: BTreeSet::new(),
            inference: InferenceTable::default(),
            copies: InlinedCopies::default(),
            n_labels: 0,
            n_statements: 0,
            n_loops: 0,
            item_exits: Vec::new(),
            marks: Vec::new(),
            open_parameters: OpenParameters::Kept,
            assumed_types: BTreeSet::new(),
        }
    }
}

impl<'a> Body<'a, '_> {
    /// The place of a piece of syntax.
    pub(crate) fn at(&self, part: &impl Spanned) -> TextRange {
        self.place(part.span())
    }

    pub(crate) fn place(&self, span: Span) -> TextRange {
        self.program.positions[self.unit].at(self.copy, span.byte_range())
    }

    /// A unique place for code that is written once and desugared several times.
    pub(crate) fn fresh_at(&self, at: TextRange) -> TextRange {
        self.program.positions[self.unit].fresh(at)
    }

    pub(crate) fn emit(&mut self, statement: Statement) {
        self.spend();
        self.block.push(statement);
    }

    /// Counts a statement, or a call that is inlined: it may emit none and call others.
    pub(crate) fn spend(&mut self) {
        self.n_statements += 1;
        self.program.n_statements += 1;
    }

    /// The limit that a body has exceeded, if any.
    pub(crate) fn exceeded_limit(&self) -> Option<String> {
        let (own, all) = (MAX_STATEMENTS, MAX_ALL_STATEMENTS);
        if own < self.n_statements {
            return Some(format!("{own} statements that one function becomes"));
        }
        (all < self.program.n_statements)
            .then(|| format!("{all} statements that all functions become"))
    }

    /// Collects statements separately, in a new scope.
    pub(crate) fn emit_aside<T>(
        &mut self,
        make: impl FnOnce(&mut Self) -> T,
    ) -> (Vec<Statement>, T) {
        let around = std::mem::take(&mut self.block);
        let environment = self.environment.clone();
        self.block_names.push(BTreeSet::new());
        let made = make(self);
        self.block_names.pop();
        self.environment = environment;
        (std::mem::replace(&mut self.block, around), made)
    }

    /// Evaluates something whose statements are not needed, and so not counted.
    pub(crate) fn emit_nothing<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let n_marks = self.marks.len();
        let (_, made) = self.emit_aside(make);
        self.marks.truncate(n_marks);
        made
    }

    /// A unique name for a variable, the desired one if it is free.
    pub(crate) fn fresh_name(&mut self, wanted: &str) -> Name {
        let is_taken = |name: &str| self.block_names.iter().any(|block| block.contains(name));
        let numbered = |number: usize| format!("{wanted}'{number}");
        let name = match is_taken(wanted) {
            false => wanted.to_owned(),
            true => numbered(free_number(&|number| is_taken(&numbered(number)))),
        };
        let name = Name::from(name);
        if let Some(block) = self.block_names.last_mut() {
            block.insert(name.clone());
        }
        name
    }

    /// A new variable with an initial value.
    pub(crate) fn declare(
        &mut self,
        at: TextRange,
        wanted: &str,
        kind: TypeName,
        value: Expression,
    ) -> Expression {
        let name = self.fresh_name(wanted);
        let made = ast_builder::declaration(at, &name, kind, Some(value));
        self.emit(made);
        ast_builder::name(at, &name)
    }

    /// Whether an expression keeps its value regardless of later statements.
    pub(crate) fn is_stable(&self, expression: &Expression) -> bool {
        use ExpressionKind as Kind;
        match &expression.kind {
            Kind::Name(name) => !self.mutable_names.contains(name),
            Kind::Integer(..) | Kind::Floating(..) => true,
            Kind::Unary(_, x) | Kind::Cast(_, x) => self.is_stable(x),
            Kind::Binary(_, a, b) => self.is_stable(a) && self.is_stable(b),
            Kind::Conditional(operands) => operands.iter().all(|x| self.is_stable(x)),
            Kind::AddressOf(place) => match &place.kind {
                Kind::Index(a, b) => self.is_stable(a) && self.is_stable(b),
                Kind::Name(_) => true,
                _ => false,
            },
            _ => false,
        }
    }

    /// An integer in a form that keeps its value.
    pub(crate) fn stabilize(&mut self, expression: Expression, wanted: &str) -> Expression {
        if self.is_stable(&expression) {
            return expression;
        }
        let at = expression.at;
        let kept = self.declare(at, wanted, ast_builder::wide(), expression);
        Expression { at, ..kept }
    }

    /// A value whose parts keep their values and can be evaluated several times.
    pub(crate) fn hold(&mut self, value: Value<'a>, wanted: &str) -> Value<'a> {
        if let Value::Plain(expression, kind) = &value {
            let is_whole = matches!(kind, Ty::Array(..) | Ty::Record(..));
            if (is_whole && ast_builder::is_place(expression)) || self.is_stable(expression) {
                return value;
            }
        }
        let mut parts = Vec::new();
        value.parts(&mut parts);
        if parts.iter().all(|part| self.is_stable(part)) {
            return value;
        }
        let kinds = self.part_kinds(&value);
        let mut held = Vec::new();
        for (part, (suffix, kind)) in parts.into_iter().zip(kinds) {
            held.push(match self.is_stable(&part) {
                true => part,
                false => {
                    let at = part.at;
                    let name = format!("{wanted}{suffix}");
                    self.declare(at, &name, kind, part)
                }
            });
        }
        value.with_parts(&mut held.into_iter())
    }

    /// The types of the parts of a value, with the suffixes of their names.
    pub(crate) fn part_kinds(&mut self, value: &Value<'a>) -> Vec<(String, TypeName)> {
        match value {
            Value::Tuple(parts) => {
                let mut all = Vec::new();
                for (idx, part) in parts.iter().enumerate() {
                    let inner = self.part_kinds(part).into_iter();
                    all.extend(inner.map(|(name, kind)| (format!(".{idx}{name}"), kind)));
                }
                all
            }
            Value::Option(_, value) => {
                let inner = self.part_kinds(value);
                [(".is_some()".to_owned(), ast_builder::wide())]
                    .into_iter()
                    .chain(inner)
                    .collect()
            }
            Value::Alias(value) => self.part_kinds(value),
            Value::Range(range) => {
                let bound = |name: &str| (name.to_owned(), ast_builder::wide());
                let start = range.start.iter().map(|_| bound(".start"));
                start
                    .chain(range.end.iter().map(|_| bound(".end")))
                    .collect()
            }
            other => self.parts_of(&other.kind()),
        }
    }

    /// Evaluates operands in order. If a later one needs statements, those before it are stored in variables.
    pub(crate) fn evaluate_in_order<T>(
        &mut self,
        first: Value<'a>,
        then: impl FnOnce(&mut Self) -> T,
    ) -> (Value<'a>, T) {
        let place = self.block.len();
        let second = then(self);
        if place == self.block.len() {
            return (first, second);
        }
        let after = self.block.split_off(place);
        let first = self.hold(first, "held");
        self.block.extend(after);
        (first, second)
    }

    /// A rejection: a value that may access anything. Outside of loops, a nest in the rejected text is one of which
    /// nothing is known.
    pub(crate) fn reject(&mut self, reason: RejectReason, at: TextRange) -> Value<'a> {
        self.marks.push(CoverageMark::Rejected(at));
        let bytes = self.program.positions[self.unit].bytes(at);
        let is_nest = self.n_loops == 0 && self.program.texts[self.unit].has_nest(bytes);
        self.emit(match is_nest {
            true => rejected_nest(at, at, reason),
            false => ast_builder::evaluated(ast_builder::rejected(at, reason)),
        });
        Value::Unknown(Ty::rejected())
    }

    pub(crate) fn unsupported(&mut self, construct: impl Into<String>, at: TextRange) -> Value<'a> {
        let construct = construct.into();
        self.reject(RejectReason::Unsupported { construct }, at)
    }

    /// A data-dependent integer.
    pub(crate) fn unknown_integer(&self, at: TextRange) -> Expression {
        ast_builder::data(at, ast_builder::wide())
    }

    /// A data-dependent value of a type.
    pub(crate) fn unknown_value(&mut self, kind: &Ty, at: TextRange) -> Value<'a> {
        match self.inference.resolve(kind) {
            kind if kind.is_scalar() => {
                let memory = self.memory_type(&kind);
                Value::Plain(ast_builder::data(at, kind.variable(memory)), kind)
            }
            Ty::Unit => Value::Unit,
            kind => Value::Unknown(kind),
        }
    }

    /// Collects statements separately; bindings of names are kept.
    pub(crate) fn emit_aside_binding<T>(
        &mut self,
        make: impl FnOnce(&mut Self) -> T,
    ) -> (Vec<Statement>, T) {
        let around = std::mem::take(&mut self.block);
        let made = make(self);
        (std::mem::replace(&mut self.block, around), made)
    }

    /// A value after the statements that it needs.
    pub(crate) fn with_statements(
        &self,
        statements: Vec<Statement>,
        value: Expression,
    ) -> Expression {
        if statements.is_empty() {
            return value;
        }
        let at = value.at;
        let mut list = statements;
        list.push(ast_builder::evaluated(value));
        let block = Box::new(ast_builder::block(at, list));
        Expression::new(at, ExpressionKind::StatementExpression(block))
    }

    /// The type of an object in memory.
    pub(crate) fn memory_type(&mut self, kind: &Ty) -> TypeName {
        let kind = self.inference.resolve_deeply(kind);
        self.program.memory(&kind)
    }

    /// The parts of a type.
    pub(crate) fn parts_of(&mut self, kind: &Ty) -> Vec<(String, TypeName)> {
        let kind = self.inference.resolve_deeply(kind);
        self.program.parts(&kind)
    }

    /// The type of a local variable of a type.
    pub(crate) fn variable_type(&mut self, kind: &Ty) -> TypeName {
        let kind = self.inference.resolve(kind);
        let memory = self.memory_type(&kind);
        kind.variable(memory)
    }
}

/// A number from 2 on that is free where the one before it is taken: the least one if that is small. If thousands are
/// taken, looking at each of them for each new name would take too long.
fn free_number(is_taken: &dyn Fn(usize) -> bool) -> usize {
    const LINEAR: usize = 64;
    if let Some(number) = (2..LINEAR).find(|number| !is_taken(*number)) {
        return number;
    }
    let (mut taken, mut free) = (LINEAR - 1, LINEAR);
    while is_taken(free) {
        (taken, free) = (free, 2 * free);
    }
    while taken + 1 < free {
        let middle = taken.midpoint(free);
        match is_taken(middle) {
            true => taken = middle,
            false => free = middle,
        }
    }
    free
}
