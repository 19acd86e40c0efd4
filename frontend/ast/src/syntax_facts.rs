//! What one pass over the syntax of a function finds: the names that it changes, reads and calls, and its jumps.
//!
//! Names are told apart by scope: those that a block declares itself are not among the names "outside", which are
//! the parameters' callers' and the file's. Nothing is known of types or values, so the sets are upper bounds of what
//! executing the text does by name; what it does through pointers is not in them.

use crate::syntax::{
    At, Declaration, Designator, Expression, ExpressionKind, Function, Initializer, Lifetime, Name,
    Part, Statement, StatementKind,
};
use crate::visit::{has_label, is_run_once};
use std::collections::{BTreeMap, BTreeSet};

/// A step from an object to a part of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum AccessStep {
    /// An element of an array, or what a pointer leads to.
    Element,
    /// A member of a struct.
    Member(Name),
}

/// A place that loads a part of an object, or the address of one that is an array.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PartLoad {
    /// The object.
    pub name: Name,
    /// The steps from it to the part.
    pub steps: Vec<AccessStep>,
    /// Whether nothing in the text declares the name there.
    pub is_outside: bool,
}

/// What a piece of text may do.
#[derive(Debug, Default, Clone)]
pub struct SyntaxFacts {
    /// Names that are assigned to or whose address is taken.
    pub changed: BTreeSet<Name>,
    /// Those of them that are where nothing in the text declares them.
    pub changed_outside: BTreeSet<Name>,
    /// Names whose address is taken.
    pub addressed: BTreeSet<Name>,
    /// Names that stand in it.
    pub mentioned: BTreeSet<Name>,
    /// Those of them that stand where nothing in the text declares them.
    pub mentioned_outside: BTreeSet<Name>,
    /// Names that stand in it as arguments of a call and no more, with what is called.
    pub passed: BTreeSet<(Name, Name)>,
    /// Names that are subscripted or dereferenced.
    pub subscripted: BTreeSet<Name>,
    /// Names that stand in it in another way.
    pub bare: BTreeSet<Name>,
    /// Parts of named objects that are loaded.
    pub reads: BTreeSet<PartLoad>,
    /// Names of objects of which a part may be stored to, or whose address may go somewhere.
    pub escaping: BTreeSet<Name>,
    /// Those of them that are where nothing in the text declares them.
    pub escaping_outside: BTreeSet<Name>,
    /// Whether some of it could not be read.
    pub has_error: bool,
    /// How many statements and expressions there are.
    pub weight: u32,
    /// Names that are called, with how often that stands there.
    pub called: BTreeMap<Name, u32>,
    /// Whether something other than a name is called.
    pub calls_pointer: bool,
    /// Whether there is a loop, or what may have been one.
    pub has_loop: bool,
    /// Where the first label starts.
    first_label: Option<u32>,
    /// Where the last `goto` starts.
    last_goto: Option<u32>,
    has_label_in_loop: bool,
    /// The statements with labels.
    labels: BTreeMap<Name, At>,
    /// Jumps, with the labels that they lead to.
    gotos: Vec<(Option<Name>, At)>,
}

/// What is asked of a statement where it is lowered or given up: no more, as it is kept for each loop of a program.
pub struct NameUses {
    /// Names that stand in it, in order.
    pub names: Box<[Name]>,
    /// Those of them that are assigned to or whose address is taken.
    pub changed: BTreeSet<Name>,
    /// Names that are called.
    pub called: Box<[Name]>,
    /// Whether something other than a name is called.
    pub calls_pointer: bool,
}

impl From<SyntaxFacts> for NameUses {
    fn from(facts: SyntaxFacts) -> Self {
        Self {
            names: facts.mentioned.into_iter().collect(),
            changed: facts.changed,
            called: facts.called.into_keys().collect(),
            calls_pointer: facts.calls_pointer,
        }
    }
}

impl SyntaxFacts {
    /// The facts of a function's body, its parameters counted as declared.
    #[must_use]
    pub fn of_function(function: &Function) -> Self {
        let mut collector = Collector::default();
        let names = function.signature.parameters.iter();
        let names = names.filter_map(|p| p.name.clone()).collect();
        collector.scopes.push(names);
        collector.statement(&function.body);
        collector.facts
    }

    /// The facts of a statement.
    #[must_use]
    pub fn of_statement(statement: &Statement) -> Self {
        let mut collector = Collector::default();
        collector.statement(statement);
        collector.facts
    }

    /// The facts of an expression.
    #[must_use]
    pub fn of_expression(expression: &Expression) -> Self {
        let mut collector = Collector::default();
        collector.expression(expression);
        collector.facts
    }

    /// The facts of what objects start with.
    #[must_use]
    pub fn of_initializers<'a>(initializers: impl Iterator<Item = &'a Initializer>) -> Self {
        let mut collector = Collector::default();
        initializers.for_each(|initializer| collector.initializer(initializer));
        collector.facts
    }

    /// Whether every `goto` leads to a place behind all of them, and none into a loop.
    pub fn jumps_forward(&self) -> bool {
        !self.has_label_in_loop && self.last_goto < self.first_label
    }

    /// Whether no jump leads into a statement or out of it.
    pub fn keeps_jumps(&self, statement: &Statement) -> bool {
        self.gotos.iter().all(|(label, at)| {
            let label = label.as_ref().and_then(|label| self.labels.get(label));
            let is_target_within = label.map(|label| statement.at.covers(*label));
            is_target_within == Some(statement.at.covers(*at))
        })
    }

    /// Whether there is a `goto`.
    pub fn has_goto(&self) -> bool {
        self.last_goto.is_some()
    }
}

/// The pass that collects the facts, with the scopes around the place where it is.
#[derive(Default)]
struct Collector {
    facts: SyntaxFacts,
    /// The names that each block around declares, the innermost last.
    scopes: Vec<BTreeSet<Name>>,
}

impl Collector {
    fn statement(&mut self, statement: &Statement) {
        self.facts.weight += 1;
        match &statement.kind {
            StatementKind::Block(statements) => self.in_scope(|c| {
                statements.iter().for_each(|s| c.statement(s));
            }),
            StatementKind::Declarations(list) => list.iter().for_each(|d| self.declaration(d)),
            StatementKind::Expression(e) => self.expression(e),
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.expression(condition);
                self.statement(then);
                otherwise.iter().for_each(|s| self.statement(s));
            }
            StatementKind::For(head) => {
                self.facts.has_loop = true;
                self.facts.has_label_in_loop |= has_label(&head.body);
                self.in_scope(|c| {
                    c.statement(&head.initial);
                    head.condition.iter().for_each(|e| c.expression(e));
                    head.step.iter().for_each(|e| c.expression(e));
                    c.statement(&head.body);
                });
            }
            StatementKind::While { condition, body }
            | StatementKind::DoWhile { body, condition } => {
                self.facts.has_loop |= !is_run_once(statement);
                self.facts.has_label_in_loop |= has_label(body);
                self.expression(condition);
                self.statement(body);
            }
            StatementKind::Switch { value, body } => {
                self.expression(value);
                self.statement(body);
            }
            StatementKind::Case(value, body) => {
                value.iter().for_each(|e| self.expression(e));
                self.statement(body);
            }
            StatementKind::Label(name, body) => {
                self.facts.first_label.get_or_insert(statement.at.start);
                self.facts.labels.insert(name.clone(), statement.at);
                self.statement(body);
            }
            StatementKind::Return(value) => value.iter().for_each(|e| self.expression(e)),
            // There may have been a loop in what could not be read.
            StatementKind::Error(_) => {
                self.facts.has_loop = true;
                self.facts.has_error = true;
            }
            StatementKind::Goto(label) => {
                self.facts.last_goto = Some(statement.at.start);
                self.facts.gotos.push((label.clone(), statement.at));
            }
            StatementKind::Break | StatementKind::Continue | StatementKind::Empty => {}
        }
    }

    fn in_scope(&mut self, look: impl FnOnce(&mut Self)) {
        self.scopes.push(BTreeSet::new());
        look(self);
        self.scopes.pop();
    }

    fn is_declared(&self, name: &Name) -> bool {
        self.scopes.iter().any(|scope| scope.contains(name))
    }

    fn mention(&mut self, name: &Name) {
        self.facts.mentioned.insert(name.clone());
        if !self.is_declared(name) {
            self.facts.mentioned_outside.insert(name.clone());
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        if let Declaration::Object(object) = declaration {
            if let Some(scope) = self.scopes.last_mut()
                && object.lifetime != Lifetime::Extern
            {
                scope.insert(object.name.clone());
            }
            object.initializer.iter().for_each(|i| self.initializer(i));
        }
    }

    fn initializer(&mut self, initializer: &Initializer) {
        match initializer {
            Initializer::Expression(e) => self.expression(e),
            Initializer::List(list) => self.parts(list),
        }
    }

    fn parts(&mut self, parts: &[Part]) {
        for part in parts {
            for designator in &part.designators {
                match designator {
                    Designator::Member(_) => {}
                    Designator::Index(x) => self.expression(x),
                    Designator::Range(x, y) => {
                        self.expression(x);
                        self.expression(y);
                    }
                }
            }
            self.initializer(&part.value);
        }
    }

    fn expression(&mut self, expression: &Expression) {
        use ExpressionKind as Kind;
        self.facts.weight += 1;
        self.read(expression);
        match &expression.kind {
            Kind::Increment { operand, .. } => self.change(operand),
            Kind::Assign(_, left, right) => {
                self.change(left);
                self.expression(right);
            }
            Kind::AddressOf(operand) => {
                if let Some(name) = root(operand) {
                    self.facts.addressed.insert(name.clone());
                }
                self.change(operand);
            }
            Kind::Call(callee, arguments) => {
                match &callee.kind {
                    Kind::Name(name) => *self.facts.called.entry(name.clone()).or_default() += 1,
                    _ => self.facts.calls_pointer = true,
                }
                self.called_with(callee, arguments);
            }
            Kind::Dereference(x) => self.subscripted(x),
            Kind::Unary(_, x) | Kind::Cast(_, x) => self.expression(x),
            Kind::Member { base, .. } => self.subscripted(base),
            Kind::Index(a, b) => {
                self.subscripted(a);
                self.expression(b);
            }
            Kind::Binary(_, a, b) | Kind::And(a, b) | Kind::Or(a, b) | Kind::Comma(a, b) => {
                self.expression(a);
                self.expression(b);
            }
            Kind::Conditional(operands) => operands.iter().for_each(|e| self.expression(e)),
            Kind::Computed(_, _, operands) => operands.iter().for_each(|e| self.expression(e)),
            Kind::CompoundLiteral(_, list) => self.parts(list),
            Kind::StatementExpression(body) => self.statement(body),
            // Which one counts is known once there are types.
            Kind::Generic(_, list) => list.iter().for_each(|(_, e)| self.expression(e)),
            Kind::SizeofExpression(_)
            | Kind::SizeofType(_)
            | Kind::AlignofType(_)
            | Kind::AlignofExpression(_)
            | Kind::OffsetOf(..)
            | Kind::Integer(..)
            | Kind::Floating(..)
            | Kind::Text(_)
            | Kind::Unsupported(_)
            | Kind::Rejected(_) => {}
            Kind::Name(name) | Kind::Stepped(name, _) => {
                self.mention(name);
                self.escape(name);
                self.facts.bare.insert(name.clone());
            }
        }
    }

    /// Adds a part of an object that is loaded.
    fn read(&mut self, expression: &Expression) {
        let mut steps = Vec::new();
        if let Some(name) = path(expression, &mut steps)
            && !steps.is_empty()
        {
            self.facts.reads.insert(PartLoad {
                name: name.clone(),
                steps,
                is_outside: !self.is_declared(name),
            });
        }
    }

    fn escape(&mut self, name: &Name) {
        self.facts.escaping.insert(name.clone());
        if !self.is_declared(name) {
            self.facts.escaping_outside.insert(name.clone());
        }
    }

    fn called_with(&mut self, callee: &Expression, arguments: &[Expression]) {
        let name = match &callee.kind {
            ExpressionKind::Name(name) => name.clone(),
            _ => Name::from(""),
        };
        if name.is_empty() {
            self.expression(callee);
        }
        for argument in arguments {
            match &argument.kind {
                ExpressionKind::Name(passed) => {
                    self.mention(passed);
                    self.escape(passed);
                    self.facts.passed.insert((name.clone(), passed.clone()));
                }
                _ => self.expression(argument),
            }
        }
    }

    fn subscripted(&mut self, base: &Expression) {
        match &base.kind {
            ExpressionKind::Name(name) => {
                self.mention(name);
                self.facts.subscripted.insert(name.clone());
            }
            // Part of what is read there.
            ExpressionKind::Index(a, b) => {
                self.subscripted(a);
                self.expression(b);
            }
            ExpressionKind::Member { base, .. } => self.subscripted(base),
            ExpressionKind::Dereference(x) => self.subscripted(x),
            _ => self.expression(base),
        }
    }

    /// Adds the object that a place is in: a part of it may change.
    fn escape_roots(&mut self, place: &Expression) {
        use ExpressionKind as Kind;
        match &place.kind {
            Kind::Name(name) => self.escape(name),
            Kind::Index(x, _)
            | Kind::Dereference(x)
            | Kind::Member { base: x, .. }
            | Kind::Cast(_, x)
            | Kind::Comma(_, x) => self.escape_roots(x),
            Kind::Conditional(operands) => operands.iter().for_each(|x| self.escape_roots(x)),
            Kind::Generic(_, list) => list.iter().for_each(|(_, x)| self.escape_roots(x)),
            _ => {}
        }
    }

    fn change(&mut self, place: &Expression) {
        if let Some(name) = root(place) {
            self.facts.changed.insert(name.clone());
            if !self.is_declared(name) {
                self.facts.changed_outside.insert(name.clone());
            }
        }
        self.escape_roots(place);
        self.expression(place);
    }
}

/// The object that a place is part of, and the steps that lead there from it; `None` where it is none
/// that has a name.
fn path<'e>(place: &'e Expression, steps: &mut Vec<AccessStep>) -> Option<&'e Name> {
    match &place.kind {
        ExpressionKind::Name(name) => Some(name),
        ExpressionKind::Index(base, _) | ExpressionKind::Dereference(base) => {
            let name = path(base, steps)?;
            steps.push(AccessStep::Element);
            Some(name)
        }
        ExpressionKind::Member {
            base,
            name: member,
            through_pointer,
        } => {
            let name = path(base, steps)?;
            if *through_pointer {
                steps.push(AccessStep::Element);
            }
            steps.push(AccessStep::Member(member.clone()));
            Some(name)
        }
        _ => None,
    }
}

/// The variable that a place is part of; `None` for what a pointer or array leads to.
fn root(place: &Expression) -> Option<&Name> {
    match &place.kind {
        ExpressionKind::Name(name) => Some(name),
        ExpressionKind::Member {
            base,
            through_pointer: false,
            ..
        } => root(base),
        ExpressionKind::Cast(_, x) => root(x),
        ExpressionKind::Conditional(operands) => root(&operands[1]).or_else(|| root(&operands[2])),
        ExpressionKind::Comma(_, x) => root(x),
        ExpressionKind::Generic(_, list) => list.iter().find_map(|(_, x)| root(x)),
        _ => None,
    }
}
