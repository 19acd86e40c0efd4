//! Programs for tests: syntax without places of its own, and runs with the records of an earlier one.

use crate::{
    FrontendReport, IncrementalCache, IncrementalProgram, TranslationUnit, UnitInput, translate,
};
use premiss_ast::syntax::{
    Binary, Declaration, Expression, ExpressionKind as Kind, For, Function, Initializer, Item,
    Lifetime, Linkage, Name, Object, Parameter, Signature, Statement, StatementKind, TextRange,
    TypeName, Unit, UnitId,
};
use premiss_ast::{FunctionTable, OriginMap};
use premiss_link::{FunctionModels, InlineBudget, LazyUnit, LinkOptions, LinkUnit, SizeOptions};
use premiss_source::SourceMap;
use premiss_tree::IntegerType;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const INT: IntegerType = IntegerType {
    bits: 32,
    signed: true,
};

/// Writes the syntax of one unit; each node has the next byte of its text.
pub(crate) struct Writer {
    unit: UnitId,
    next: Cell<u32>,
}

impl Writer {
    fn at(&self) -> TextRange {
        let start = self.next.get();
        self.next.set(start + 1);
        TextRange {
            unit: self.unit,
            start,
            end: start + 1,
        }
    }

    /// Moves all that follows some bytes further.
    pub(crate) fn skip(&self, bytes: u32) {
        self.next.set(self.next.get() + bytes);
    }

    fn expression(&self, kind: Kind) -> Expression {
        Expression::new(self.at(), kind)
    }

    fn statement(&self, kind: StatementKind) -> Statement {
        Statement {
            at: self.at(),
            kind,
        }
    }

    pub(crate) fn int(&self, value: i64) -> Expression {
        self.expression(Kind::Integer(value, INT))
    }

    pub(crate) fn var(&self, name: &str) -> Expression {
        self.expression(Kind::Name(Name::from(name)))
    }

    pub(crate) fn sum(&self, a: Expression, b: Expression) -> Expression {
        self.expression(Kind::Binary(Binary::Add, Box::new(a), Box::new(b)))
    }

    fn index(&self, array: &str, subscript: Expression) -> Expression {
        self.expression(Kind::Index(Box::new(self.var(array)), Box::new(subscript)))
    }

    pub(crate) fn call(&self, function: &str, arguments: Vec<Expression>) -> Expression {
        let callee = Box::new(self.var(function));
        self.expression(Kind::Call(callee, arguments))
    }

    /// `function(…);`
    pub(crate) fn run(&self, function: &str, arguments: Vec<Expression>) -> Statement {
        self.statement(StatementKind::Expression(self.call(function, arguments)))
    }

    /// `to = value;`
    pub(crate) fn set(&self, to: &str, value: Expression) -> Statement {
        self.store(self.var(to), value)
    }

    fn store(&self, place: Expression, value: Expression) -> Statement {
        let assignment = Kind::Assign(None, Box::new(place), Box::new(value));
        self.statement(StatementKind::Expression(self.expression(assignment)))
    }

    /// `array[place] = 0;`
    pub(crate) fn clear(&self, array: &str, place: Expression) -> Statement {
        self.store(self.index(array, place), self.int(0))
    }

    pub(crate) fn give(&self, value: Expression) -> Statement {
        self.statement(StatementKind::Return(Some(value)))
    }

    fn block(&self, list: Vec<Statement>) -> Statement {
        self.statement(StatementKind::Block(list))
    }

    /// `for (int i = 0; i < bound; i++) { … }`
    pub(crate) fn count(&self, bound: Expression, body: Vec<Statement>) -> Statement {
        let first = Initializer::Expression(self.int(0));
        let iterator = self.object(
            "i",
            TypeName::Integer(INT),
            Lifetime::Automatic,
            Some(first),
        );
        let declarations = vec![Declaration::Object(iterator)];
        let (left, right) = (Box::new(self.var("i")), Box::new(bound));
        let step = Kind::Increment {
            step: 1,
            is_prefix: false,
            operand: Box::new(self.var("i")),
        };
        self.statement(StatementKind::For(Box::new(For {
            header: self.at(),
            initial: self.statement(StatementKind::Declarations(declarations)),
            condition: Some(self.expression(Kind::Binary(Binary::Less, left, right))),
            step: Some(self.expression(step)),
            body: self.block(body),
        })))
    }

    fn object(
        &self,
        name: &str,
        kind: TypeName,
        lifetime: Lifetime,
        initializer: Option<Initializer>,
    ) -> Object {
        Object {
            name: Name::from(name),
            at: self.at(),
            kind: Arc::new(kind),
            lifetime,
            is_const: false,
            is_volatile: false,
            initializer,
        }
    }

    /// `double name[100];`
    pub(crate) fn array(&self, name: &str) -> Item {
        let length = Arc::new(self.int(100));
        let kind = TypeName::Array(Arc::new(TypeName::Floating(8)), Some(length));
        let object = self.object(name, kind, Lifetime::Static, None);
        Item::Declaration(Declaration::Object(object))
    }

    /// `int name = value;`, or `extern int name;` without a value.
    pub(crate) fn number(&self, name: &str, value: Option<i64>) -> Item {
        let lifetime = match value {
            Some(_) => Lifetime::Automatic,
            None => Lifetime::Extern,
        };
        let initial = value.map(|value| Initializer::Expression(self.int(value)));
        let object = self.object(name, TypeName::Integer(INT), lifetime, initial);
        Item::Declaration(Declaration::Object(object))
    }

    /// A function of integers and, where it has a `*` before the name, of pointers to real numbers.
    pub(crate) fn function(
        &self,
        name: &str,
        parameters: &[&str],
        result: TypeName,
        body: Vec<Statement>,
    ) -> Item {
        let parameter = |text: &&str| {
            let (name, kind) = match text.strip_prefix('*') {
                Some(name) => (name, TypeName::Pointer(Arc::new(TypeName::Floating(8)))),
                None => (*text, TypeName::Integer(INT)),
            };
            Parameter {
                name: Some(Name::from(name)),
                at: self.at(),
                kind: Arc::new(kind),
            }
        };
        Item::Function(Arc::new(Function {
            name: Name::from(name),
            at: self.at(),
            signature: Arc::new(Signature {
                result: Arc::new(result),
                parameters: parameters.iter().map(parameter).collect(),
                order: Vec::new(),
            }),
            linkage: Linkage::External,
            body: self.block(body),
            assumed_types: Vec::new(),
            assumed_kinds: Vec::new(),
        }))
    }

    pub(crate) fn void(&self, name: &str, parameters: &[&str], body: Vec<Statement>) -> Item {
        self.function(name, parameters, TypeName::Void, body)
    }

    /// `int name(void) { return value; }`
    pub(crate) fn constant(&self, name: &str, value: Expression) -> Item {
        let body = vec![self.give(value)];
        self.function(name, &[], TypeName::Integer(INT), body)
    }
}

/// A file of a program: its path, its text, and what it declares.
#[derive(Clone, Copy)]
pub(crate) struct File<'f> {
    pub(crate) path: &'f str,
    pub(crate) text: &'f [u8],
    pub(crate) items: &'f dyn Fn(&Writer) -> Vec<Item>,
}

/// How a program is lowered.
#[derive(Clone, Default)]
pub(crate) struct RunOptions {
    /// Values of sizes that the user gives.
    pub(crate) sizes: BTreeMap<String, i64>,
    /// Steps for calls into other files from one function, where they are few.
    pub(crate) per_function: Option<u64>,
    /// Whether trees have no arithmetic.
    pub(crate) without_operations: bool,
}

/// Lowers a program; calls `look` with it first. Yields the trees of each file as text, or `None` where those of an
/// earlier run were found to hold.
pub(crate) fn run(
    files: &[File<'_>],
    options: &RunOptions,
    cache: Option<&IncrementalCache>,
    look: impl FnOnce(&IncrementalProgram<'_>),
) -> Vec<Option<Vec<String>>> {
    let mut sources = SourceMap::new();
    let builtin = File {
        path: "<builtin>",
        text: b"",
        items: &|_| Vec::new(),
    };
    let mut units = Vec::new();
    for (number, file) in (0..).zip(files.iter().chain([&builtin])) {
        let id = sources
            .add(file.path, file.text.to_vec())
            .expect("it is small");
        let writer = Writer {
            unit: UnitId(number),
            next: Cell::new(0),
        };
        let unit = Unit {
            items: (file.items)(&writer),
            ..Unit::default()
        };
        units.push((unit, OriginMap::new(id, Vec::new())));
    }
    let (macros, symbolic) = (BTreeMap::new(), BTreeSet::new());
    let input = |(unit, origins)| UnitInput {
        unit: LinkUnit {
            syntax: LazyUnit::Ready(unit),
            origins,
            size_macros: &macros,
            prelude: None,
        },
        translation: 0,
        included: 0,
        frontend_summary: &[],
    };
    let inputs = units.iter().map(|(unit, origins)| input((unit, origins)));
    let stated = FunctionTable::default();
    let link = LinkOptions {
        models: FunctionModels {
            stated: &stated,
            builtin: UnitId(u32::try_from(files.len()).expect("there are few")),
        },
        sizes: SizeOptions {
            values: &options.sizes,
            symbolic: &symbolic,
            dense: false,
            without_operations: options.without_operations,
        },
        budget: InlineBudget {
            per_function: options.per_function.unwrap_or(10_000),
            shared: 0,
            for_loops: 0,
            total: 1_000_000,
            own_bodies: u64::MAX,
            own_body: u64::MAX,
        },
    };
    let program = IncrementalProgram::link(inputs.collect(), link, &sources, cache);
    look(&program);
    let reports = files.iter().map(|_| FrontendReport::default()).collect();
    let mut outcomes = Vec::new();
    translate(&program, reports, &BTreeSet::new(), &mut |outcome| {
        outcomes.push(outcome.into_read().as_ref().map(trees));
    });
    outcomes
}

fn trees(unit: &TranslationUnit) -> Vec<String> {
    unit.functions.iter().map(ToString::to_string).collect()
}

/// The cache for the run after one of these files.
pub(crate) fn cache_after(
    files: &[File<'_>],
    options: &RunOptions,
    lost: BTreeSet<u32>,
) -> IncrementalCache {
    let first = IncrementalCache::default();
    let outcomes = run(files, options, Some(&first), |_| {});
    assert!(outcomes.iter().all(Option::is_some), "nothing is known yet");
    IncrementalCache::new(Vec::new(), first.into_records(), lost)
}

/// The paths of the files that are lowered again after an edit. Their trees are those of a run without memory.
pub(crate) fn lowered_again<'f>(before: &[File<'f>], after: &[File<'f>]) -> Vec<&'f str> {
    lowered_again_with(before, after, &RunOptions::default())
}

/// As [`lowered_again`], with options.
pub(crate) fn lowered_again_with<'f>(
    before: &[File<'f>],
    after: &[File<'f>],
    options: &RunOptions,
) -> Vec<&'f str> {
    let cache = cache_after(before, options, BTreeSet::new());
    let outcomes = run(after, options, Some(&cache), |_| {});
    let earlier = run(before, options, None, |_| {});
    let anew = run(after, options, None, |_| {});
    let mut paths = Vec::new();
    for (idx, outcome) in outcomes.iter().enumerate() {
        match outcome {
            Some(_) => {
                assert_eq!(*outcome, anew[idx], "{}", after[idx].path);
                paths.push(after[idx].path);
            }
            None => assert_eq!(earlier[idx], anew[idx], "{} is as before", after[idx].path),
        }
    }
    paths
}
