//! Facts that one pass over the syntax of a function collects: the names that it changes, reads and calls, and its
//! jumps.
//!
//! Names are resolved by scope: a name that a block of the text declares is not "outside"; outside names are those of
//! the callers and of the file. No types or values are known, so the sets are supersets of what executing the text
//! does to objects by their names; accesses through pointers are not included.

use crate::syntax::{
    Declaration, Designator, Expression, ExpressionKind, Function, Initializer, Lifetime, Name,
    Part, Statement, StatementKind, TextRange,
};
use crate::visit::{has_label, is_run_once};
use std::collections::{BTreeMap, BTreeSet};

/// A step from an object to one of its parts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum AccessStep {
    /// An element of an array, or the target of a pointer.
    Element,
    /// A member of a struct.
    Member(Name),
}

/// A load of a part of an object, or of the address of a part that is an array.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PartLoad {
    /// The object.
    pub name: Name,
    /// The steps from it to the part.
    pub steps: Vec<AccessStep>,
    /// Whether the name is not declared within the text.
    pub is_outside: bool,
}

/// Names, calls and jumps in a piece of syntax.
#[derive(Debug, Default, Clone)]
pub struct SyntaxFacts {
    /// Names that are assigned to or whose address is taken.
    pub changed: BTreeSet<Name>,
    /// Names in `changed` at places where the text does not declare them.
    pub changed_outside: BTreeSet<Name>,
    /// Names whose address is taken.
    pub addressed: BTreeSet<Name>,
    /// Names that occur other than as a callee.
    pub mentioned: BTreeSet<Name>,
    /// Names in `mentioned` at places where the text does not declare them.
    pub mentioned_outside: BTreeSet<Name>,
    /// Pairs of callee and argument, for arguments that are only a name; the callee is empty if it is not a name.
    pub passed: BTreeSet<(Name, Name)>,
    /// Names that are subscripted or dereferenced.
    pub subscripted: BTreeSet<Name>,
    /// Names that occur in any other way than as a base, an argument or a callee.
    pub bare: BTreeSet<Name>,
    /// Parts of named objects that are read.
    pub reads: BTreeSet<PartLoad>,
    /// Names of objects that may be stored to in part, or whose address may escape.
    pub escaping: BTreeSet<Name>,
    /// Names in `escaping` at places where the text does not declare them.
    pub escaping_outside: BTreeSet<Name>,
    /// Whether some statement could not be parsed.
    pub has_error: bool,
    /// The number of statements and expressions.
    pub weight: u32,
    /// Called names, with the number of calls in the text.
    pub called: BTreeMap<Name, u32>,
    /// Whether some callee is not a name.
    pub calls_pointer: bool,
    /// Whether there is a loop, or text that could not be parsed and may contain one. `do … while (0)` is no loop.
    pub has_loop: bool,
    /// Whether some statement ends the program.
    pub may_end_program: bool,
    /// Where the first label is, in bytes.
    first_label: Option<u32>,
    /// Where the last `goto` is, in bytes.
    last_goto: Option<u32>,
    has_label_in_loop: bool,
    /// The labelled statements.
    labels: BTreeMap<Name, TextRange>,
    /// The `goto` statements with their labels; `None` for computed ones.
    gotos: Vec<(Option<Name>, TextRange)>,
}

/// The facts of a statement that lowering needs, kept small because there is one per loop of a program.
pub struct NameUses {
    /// Names that occur in it other than as a callee, sorted.
    pub names: Box<[Name]>,
    /// Those of them that are assigned to or whose address is taken.
    pub changed: BTreeSet<Name>,
    /// Called names, sorted.
    pub called: Box<[Name]>,
    /// Whether some callee is not a name.
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
    /// Collects the facts of a function's body; its parameters count as declared.
    #[must_use]
    pub fn of_function(function: &Function) -> Self {
        let mut collector = Collector::default();
        let names = function.signature.parameters.iter();
        let names = names.filter_map(|p| p.name.clone()).collect();
        collector.scopes.push(names);
        collector.statement(&function.body);
        collector.facts
    }

    /// Collects the facts of a statement.
    #[must_use]
    pub fn of_statement(statement: &Statement) -> Self {
        let mut collector = Collector::default();
        collector.statement(statement);
        collector.facts
    }

    /// Collects the facts of an expression.
    #[must_use]
    pub fn of_expression(expression: &Expression) -> Self {
        let mut collector = Collector::default();
        collector.expression(expression);
        collector.facts
    }

    /// Collects the facts of initializers at file scope.
    #[must_use]
    pub fn of_initializers<'a>(initializers: impl Iterator<Item = &'a Initializer>) -> Self {
        let mut collector = Collector::default();
        initializers.for_each(|initializer| collector.initializer(initializer));
        collector.facts
    }

    /// Whether every `goto` precedes all labels in the text and none leads into a loop.
    pub fn jumps_forward(&self) -> bool {
        !self.has_label_in_loop && self.last_goto < self.first_label
    }

    /// Whether no `goto` leads into or out of a statement of this text; false if some `goto` has an unknown label.
    pub fn keeps_jumps(&self, statement: &Statement) -> bool {
        self.gotos.iter().all(|(label, at)| {
            let label = label.as_ref().and_then(|label| self.labels.get(label));
            let is_target_within = label.map(|label| statement.at.covers(*label));
            is_target_within == Some(statement.at.covers(*at))
        })
    }

    /// Whether there is a `goto`, computed or not.
    pub fn has_goto(&self) -> bool {
        self.last_goto.is_some()
    }
}

/// Collects facts in one pass, keeping the scopes around the current place.
#[derive(Default)]
struct Collector {
    facts: SyntaxFacts,
    /// The names that each enclosing block declares, innermost last.
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
            // Text that could not be parsed may contain a loop.
            StatementKind::Error(_) => {
                self.facts.has_loop = true;
                self.facts.has_error = true;
            }
            StatementKind::Goto(label) => {
                self.facts.last_goto = Some(statement.at.start);
                self.facts.gotos.push((label.clone(), statement.at));
            }
            StatementKind::Stop(_) => self.facts.may_end_program = true,
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
            // Which association is selected depends on types.
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

    /// Records an expression that loads a part of an object.
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
            // A part of the load that is recorded at the outermost expression.
            ExpressionKind::Index(a, b) => {
                self.subscripted(a);
                self.expression(b);
            }
            ExpressionKind::Member { base, .. } => self.subscripted(base),
            ExpressionKind::Dereference(x) => self.subscripted(x),
            _ => self.expression(base),
        }
    }

    /// Records the object that an lvalue is in as escaping: a part of it may change.
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

/// The object that an lvalue is part of, with the steps from it to the part; `None` if the object has no name.
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

/// The variable that an lvalue is part of; `None` for the targets of pointers and elements of arrays.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_syntax::{
        address, at, block, declared, do_while, expression, index, int, jump, label, local, name,
        set, statement, var, while_loop,
    };

    fn facts(list: Vec<Statement>) -> SyntaxFacts {
        SyntaxFacts::of_statement(&block(list))
    }

    fn member(base: Expression, member: &str, through_pointer: bool) -> Expression {
        expression(ExpressionKind::Member {
            base: Box::new(base),
            name: name(member),
            through_pointer,
        })
    }

    fn names(set: &BTreeSet<Name>) -> Vec<&str> {
        set.iter().map(|name| &**name).collect()
    }

    #[test]
    fn a_name_is_outside_where_no_block_around_declares_it() {
        let inner = block(vec![local("x"), set(var("x"), var("y"))]);
        let before = facts(vec![inner.clone()]);
        assert_eq!(names(&before.changed), ["x"]);
        assert_eq!(names(&before.changed_outside), [""; 0]);
        assert_eq!(names(&before.mentioned_outside), ["y"]);
        let behind = facts(vec![inner, set(var("x"), int(0))]);
        assert_eq!(names(&behind.changed_outside), ["x"]);
        // An `extern` declaration names an object of the file.
        let far = facts(vec![
            declared("x", 32, Lifetime::Extern),
            set(var("x"), int(0)),
        ]);
        assert_eq!(names(&far.changed_outside), ["x"]);
    }

    #[test]
    fn a_store_changes_the_object_that_it_is_in_and_not_what_points_there() {
        // s.m = 0; p->m = 0; a[i] = 0; q = &v;
        let found = facts(vec![
            set(member(var("s"), "m", false), int(0)),
            set(member(var("p"), "m", true), int(0)),
            set(index("a", var("i")), int(0)),
            set(var("q"), address("v")),
        ]);
        assert_eq!(names(&found.changed), ["q", "s", "v"]);
        assert_eq!(names(&found.addressed), ["v"]);
        assert_eq!(names(&found.escaping), ["a", "i", "p", "q", "s", "v"]);
        assert_eq!(names(&found.subscripted), ["a", "p", "s"]);
    }

    #[test]
    fn a_load_names_its_object_and_the_steps_to_the_part() {
        // x = t[i].n->m;
        let part = member(member(index("t", var("i")), "n", false), "m", true);
        let found = facts(vec![local("t"), set(var("x"), part)]);
        let steps = vec![
            AccessStep::Element,
            AccessStep::Member(name("n")),
            AccessStep::Element,
            AccessStep::Member(name("m")),
        ];
        let load = PartLoad {
            name: name("t"),
            steps,
            is_outside: false,
        };
        assert_eq!(found.reads, BTreeSet::from([load]));
    }

    #[test]
    fn what_runs_once_is_no_loop_and_what_was_not_parsed_may_be_one() {
        let plain = vec![set(var("x"), int(0))];
        assert!(!facts(plain.clone()).has_loop);
        assert!(!facts(vec![do_while(plain.clone(), int(0))]).has_loop);
        assert!(facts(vec![do_while(plain.clone(), int(1))]).has_loop);
        assert!(facts(vec![while_loop(int(0), plain)]).has_loop);
        let error = statement(StatementKind::Error(premiss_tree::RejectReason::Syntax));
        let found = facts(vec![error]);
        assert!(found.has_loop && found.has_error);
    }

    #[test]
    fn calls_are_counted_by_name_and_callees_are_not_mentioned() {
        let call = |callee: Expression, argument: Expression| {
            let call = ExpressionKind::Call(Box::new(callee), vec![argument]);
            statement(StatementKind::Expression(expression(call)))
        };
        let by_name = facts(vec![call(var("f"), var("x")), call(var("f"), int(1))]);
        assert_eq!(by_name.called, BTreeMap::from([(name("f"), 2)]));
        assert_eq!(by_name.passed, BTreeSet::from([(name("f"), name("x"))]));
        assert_eq!(names(&by_name.mentioned), ["x"]);
        assert!(!by_name.calls_pointer);
        let through_table = facts(vec![call(index("table", int(0)), var("x"))]);
        assert!(through_table.calls_pointer && through_table.called.is_empty());
    }

    #[test]
    fn jumps_lead_forward_if_all_precede_the_labels_and_stay_if_none_crosses_the_border() {
        let placed = |mut statement: Statement, start: u32, end: u32| {
            statement.at = at(start, end);
            statement
        };
        let target = || label("L", set(var("x"), int(0)));
        // goto L; … L: x = 0;
        let part = placed(block(Vec::new()), 0, 5);
        let ahead = [placed(jump("L"), 0, 5), placed(target(), 10, 15)];
        let ahead = facts(ahead.to_vec());
        assert!(ahead.jumps_forward() && ahead.has_goto());
        assert!(!ahead.keeps_jumps(&part), "it leaves the first bytes");
        assert!(ahead.keeps_jumps(&placed(block(Vec::new()), 0, 20)));
        assert!(ahead.keeps_jumps(&placed(block(Vec::new()), 5, 10)));
        let back = [placed(target(), 0, 5), placed(jump("L"), 10, 15)];
        assert!(!facts(back.to_vec()).jumps_forward());
        let into = while_loop(int(1), vec![placed(target(), 10, 15)]);
        assert!(!facts(vec![placed(jump("L"), 0, 5), into]).jumps_forward());
        let nowhere = facts(vec![placed(jump("other"), 0, 5)]);
        assert!(!nowhere.keeps_jumps(&part), "its label is not in the text");
    }
}
