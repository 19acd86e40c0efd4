//! From syntax to NestTree.
//!
//! [`lower_unit`] lowers every function of a file. A function is executed symbolically, once: its
//! integer variables become variables of the tree, its array references accesses, its calls the
//! bodies that they lead to. What is known at each point (constants, what a pointer points into) is
//! kept in a [`State`], joined where paths meet; a loop's body is lowered again until the state at
//! its head is one that holds in every iteration.

mod access;
mod asked_at_heads;
mod assign;
mod calls;
mod cell_name;
mod choices;
mod conditions;
mod constant_images;
mod constants;
mod content;
mod declare;
mod elements;
mod entry;
mod exchange;
mod exits;
mod expressions;
mod extremes;
mod finish;
mod function;
mod globals;
mod initial;
mod integers;
mod jump_functions;
mod jumps;
mod known;
mod loop_header;
mod loops;
mod memory;
mod minted;
mod opaque;
mod operations;
mod outcome;
mod pure_calls;
mod reals;
mod records;
mod repeated;
mod scalars;
mod settled;
mod shape;
mod shared_map;
mod statements;
mod structs;
mod switches;
mod text;
mod transfer;
mod truths;
mod types;
mod value;
mod work;

pub use constant_images::ConstantImages;
pub use outcome::{FunctionOutcome, lower_function, lower_function_without_tree};
pub use pure_calls::evaluate_pure_call;

use crate::syntax::{At, GlobalName, Name, UnitId};
use content::Lost;
use premiss_ast::SyntaxFacts;
use premiss_link::{CallSummary, Queries};
use premiss_tree::{
    AccessKind, Expression, IntegerType, Node, ParameterKind, RejectReason, Storage, VariableId,
};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;
use types::Type;
use value::{ArrayRow, Pointer, PointerId, Slot, State, Target};

/// How many nodes and expressions one function may take, its calls followed.
const MAX_WORK: u64 = 2_000_000;
/// How many nodes and expressions all functions of a file may take together.
pub const MAX_FILE_WORK: u64 = 20_000_000;
/// How many of these may go into bodies of other files for a function without a loop: only what it passes
/// to others is asked for.
pub const MAX_LINKED_WORK_WITHOUT_LOOP: u64 = 500;
/// How many nodes one function's tree may hold, its calls followed.
const MAX_NODES: u64 = 200_000;
/// How deep calls are followed.
const MAX_CALLS: usize = 64;
/// How deep statements and expressions may nest, calls followed.
const MAX_DEPTH: u32 = 1_500;

/// A construct that cannot be lowered where it stands; what is around it takes its place.
#[derive(Debug, Clone)]
struct Escape {
    reason: RejectReason,
    at: At,
    level: Level,
}

/// What has to be given up for an [`Escape`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    /// The innermost loop.
    Loop,
    /// The outermost loop of the function, and the certainty of what follows it.
    Function,
    /// The whole tree.
    Unit,
}

type Lowered<T> = Result<T, Escape>;

struct ParameterRow {
    name: Name,
    at: At,
    kind: IntegerType,
    value: Option<i64>,
    /// Parameters of the function come before globals, each in order of declaration.
    is_global: bool,
    /// Whether it is what a variable or memory holds at some place, rather than a parameter or global.
    is_minted: bool,
    meaning: ParameterKind,
}

struct VariableRow {
    name: String,
    kind: IntegerType,
    frame: usize,
    /// Whether it may change other than by name: its address is taken, or it is global.
    is_shared: bool,
    /// Whether it is set once and for all where it is made.
    is_fixed: bool,
    origin: settled::Origin,
}

struct ArrayData {
    name: Name,
    storage: Storage,
    /// Orders arrays of the same storage.
    order: (usize, At),
    kind: Type,
    extent: Option<Expression>,
    at: At,
    frame: usize,
    is_used: bool,
    /// Whether it is what a pointer in memory points to.
    is_region: bool,
    /// Whether a pointer to it may be null, as far as memory tells.
    may_be_missing: bool,
}

struct LoopRow {
    iterator: String,
    inside: Option<usize>,
    header: At,
    function: Name,
    /// What its header computes for each iteration.
    arithmetic: premiss_tree::Arithmetic,
    /// Whether only its iterations tell which is the last.
    ends_by_data: bool,
}

struct ReferenceRow {
    array: ArrayRow,
    kind: AccessKind,
    offset: Expression,
    size: u32,
    /// What is touched, where its type is known.
    holds: Option<premiss_tree::Operands>,
    /// How a store combines what was there with other values.
    combines: Option<premiss_tree::Combination>,
    at: At,
    inside: Option<usize>,
    function: Name,
}

/// A function that is being lowered: the unit's own, or one that a call led to.
struct Frame {
    unit: UnitId,
    function: Name,
    /// Where it was called.
    call: At,
    /// The calls that led here.
    path: settled::Path,
    scopes: Vec<FxHashMap<Name, Slot>>,
    /// Its structs in registers.
    records: BTreeSet<ArrayRow>,
    /// Names that it changes somewhere.
    changed: Arc<SyntaxFacts>,
    result_type: Type,
    result: Option<value::Value>,
    /// Where results go that depend on the path.
    result_slot: Option<Slot>,
    course: Course,
}

impl Frame {
    /// A function that is entered, by a call that stands there, with what its text tells.
    fn new(function: GlobalName, call: At, path: settled::Path, changed: Arc<SyntaxFacts>) -> Self {
        Self {
            unit: function.unit,
            function: function.name,
            call,
            path,
            scopes: vec![FxHashMap::default()],
            records: BTreeSet::new(),
            changed,
            result_type: Type::Void,
            result: None,
            result_slot: None,
            course: Course::default(),
        }
    }
}

/// How far the execution of a function has come.
#[derive(Clone, Default)]
struct Course {
    /// How many loops of this function are open.
    n_loops: usize,
    /// How many branches of this function are open.
    n_branches: usize,
    /// Whether it may have returned already, by data.
    may_have_returned: bool,
    /// The variable that is 1 where the function has returned; `None` outside of statements that may
    /// return before their end.
    returned: Option<VariableId>,
    /// What a jump may have done to the innermost loop.
    leaving: Leaving,
    /// The labels ahead that statements around lead to.
    ahead: Vec<jumps::Ahead>,
    /// Whether a `goto` may have led to a label that is not ahead of it in a statement around.
    has_jumped_anywhere: bool,
}

/// What jumps by data may have done to the innermost loop by some place in its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Leaving {
    /// The iteration may be over.
    iteration: bool,
    /// There may be no other iteration.
    stop: bool,
}

/// What a call passes, for the sizes that callers agree on.
struct CallRecord {
    callee: GlobalName,
    /// `None` where the argument's value is not known.
    arguments: Vec<Option<Expression>>,
}

/// The state of lowering one function.
struct Lowering<'p> {
    program: &'p dyn Queries,
    /// What constant objects hold.
    images: &'p ConstantImages,
    /// What following its calls comes to.
    call_summary: Arc<CallSummary>,
    /// What variables at file scope start with.
    entry: Vec<(VariableId, Expression)>,
    parameters: Vec<ParameterRow>,
    variables: Vec<VariableRow>,
    pointers: Vec<VariableId>,
    arrays: Vec<ArrayData>,
    array_rows: BTreeMap<Vec<At>, ArrayRow>,
    loops: Vec<LoopRow>,
    references: Vec<ReferenceRow>,
    rejections: Vec<(RejectReason, At)>,
    /// By where they start, too: the hash of a place does not say it.
    rejection_rows: HashMap<(u32, At, RejectReason), usize>,
    globals: FxHashMap<GlobalName, Slot>,
    layouts: BTreeMap<crate::syntax::StructId, Option<Rc<types::Layout>>>,
    /// Functions that declare arrays, in the order in which they were met.
    callees: Vec<GlobalName>,
    frames: Vec<Frame>,
    state: State,
    block: Vec<Node>,
    prelude: loops::Prelude,
    symbols: memory::Symbols,
    tables: constants::Tables,
    truths: truths::Truths,
    settled: settled::Settled,
    /// Passes over the loops around.
    passes: asked_at_heads::Passes,
    extremes: extremes::Extremes,
    /// Arrays that are none, but structs in registers.
    registers: BTreeSet<ArrayRow>,
    /// Those whose address was taken.
    addressed: BTreeSet<ArrayRow>,
    /// Arrays, and structs in registers, that start with pointers as their declarations say.
    starting_with_pointers: BTreeSet<ArrayRow>,
    /// Where the variable that is being made is declared.
    declared_at: At,
    /// Whether the header of a loop is being evaluated.
    in_header: bool,
    recorder: operations::Recorder,
    /// Iterators of the loops around, with their least values where known.
    open: BTreeMap<VariableId, Option<i64>>,
    open_loops: Vec<usize>,
    calls: Vec<CallRecord>,
    /// Calls whose arguments are not known, by callee.
    lost_calls: BTreeSet<GlobalName>,
    /// Whether something outside may have changed that the tree does not show.
    has_forgotten: bool,
    n_nodes: u64,
    work: u64,
    /// How much work this function may take.
    allowance: Allowance,
    /// How much work went into bodies of other files.
    linked_work: u64,
    /// How much work there may be, and why no more, while a call into another file is followed.
    linked_limit: Option<u64>,
    /// Functions of other files with numbers of steps that were too few to follow them.
    too_long: BTreeMap<GlobalName, u64>,
    depth: u32,
}

/// How much work a function may take.
#[derive(Clone, Copy)]
pub struct Allowance {
    /// The whole budget of its file.
    pub file: u64,
    /// What is left of its file's budget.
    pub own: u64,
    /// How much may go into bodies of other files.
    pub linked: u64,
}

/// What a failed attempt is undone to.
struct Checkpoint {
    n_loops: usize,
    n_references: usize,
    n_rejections: usize,
    n_frames: usize,
    n_scopes: usize,
    n_calls: usize,
    n_open_loops: usize,
    n_passes: usize,
    n_nodes: u64,
    depth: u32,
    course: Course,
    open: BTreeMap<VariableId, Option<i64>>,
    state: State,
    n_block: usize,
    n_operations: usize,
    /// The last row: what follows may have been added to it.
    last_operations: Option<operations::Row>,
}

impl Lowering<'_> {
    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a function is being lowered")
    }

    fn frame_ref(&self) -> &Frame {
        self.frames.last().expect("a function is being lowered")
    }

    /// Whether what is lowered here may be executed again and again.
    fn is_in_loop(&self) -> bool {
        self.in_header || !self.open_loops.is_empty()
    }

    /// The unit of the text that is being lowered.
    fn unit(&self) -> UnitId {
        self.frame_ref().unit
    }

    /// Counts a step of work; fails where the budget has run out.
    fn spend(&mut self, at: At) -> Lowered<()> {
        self.work += 1;
        let is_over = |limit: u64| limit < self.work;
        let limit = if self.linked_limit.is_some_and(is_over) {
            self.program.inline_budget().describe()
        } else if self.work - self.linked_work > self.allowance.own {
            format!(
                "{} steps for one file, with calls followed",
                self.allowance.file
            )
        } else if self.work > MAX_WORK {
            format!("{MAX_WORK} steps for one function with its calls")
        } else if self.n_nodes > MAX_NODES {
            format!("{MAX_NODES} accesses, loops and assignments in one function with its calls")
        } else {
            return Ok(());
        };
        Err(Escape {
            reason: RejectReason::Budget { limit },
            at,
            level: Level::Unit,
        })
    }

    /// Goes one level deeper.
    fn deeper<T>(&mut self, at: At, lower: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        self.spend(at)?;
        if self.depth >= MAX_DEPTH {
            let limit = format!("{MAX_DEPTH} levels of nesting, calls followed");
            return Err(Escape {
                reason: RejectReason::Budget { limit },
                at,
                level: Level::Unit,
            });
        }
        self.depth += 1;
        let result = lower(self);
        self.depth -= 1;
        result
    }

    fn emit(&mut self, node: Node) {
        self.n_nodes += 1;
        self.block.push(node);
    }

    /// Records what was not understood, and that it may do anything to arrays.
    fn reject(&mut self, reason: RejectReason, at: At) {
        self.note_rejection(reason, at);
        self.forget_shared_reals();
        self.forget_memory(Lost::Everything);
    }

    /// Records a call that was not followed: see [`Lost::Integers`].
    fn reject_call(&mut self, reason: RejectReason, at: At) {
        self.note_rejection(reason, at);
        self.forget_memory(Lost::Integers);
        self.forget_shared(Lost::Integers);
    }

    /// Records what was not understood where it stores nothing that the tree does not show.
    fn note_rejection(&mut self, reason: RejectReason, at: At) {
        let next = self.rejections.len();
        let row = *self
            .rejection_rows
            .entry((at.start, at, reason.clone()))
            .or_insert(next);
        if row == next {
            self.rejections.push((reason, at));
        }
        let id = u32::try_from(row).unwrap_or(u32::MAX);
        self.emit(Node::Opaque(premiss_tree::RejectionId::from_u32(id)));
    }

    fn reject_unsupported(&mut self, construct: &str, at: At) {
        let construct = construct.to_owned();
        self.reject(RejectReason::Unsupported { construct }, at);
    }

    /// Lowers into a block of its own.
    fn in_block<T>(
        &mut self,
        lower: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<(Vec<Node>, T)> {
        let outer = std::mem::take(&mut self.block);
        let result = lower(self);
        let inner = std::mem::replace(&mut self.block, outer);
        Ok((inner, result?))
    }

    /// Lowers with a scope of its own.
    fn in_scope<T>(&mut self, lower: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        self.frame().scopes.push(FxHashMap::default());
        let result = lower(self);
        if result.is_ok() {
            self.frame().scopes.pop();
        }
        result
    }

    fn checkpoint(&self) -> Checkpoint {
        let frame = self.frame_ref();
        Checkpoint {
            n_loops: self.loops.len(),
            n_references: self.references.len(),
            n_rejections: self.rejections.len(),
            n_frames: self.frames.len(),
            n_scopes: frame.scopes.len(),
            n_calls: self.calls.len(),
            n_open_loops: self.open_loops.len(),
            n_passes: self.passes.depth(),
            n_nodes: self.n_nodes,
            depth: self.depth,
            course: frame.course.clone(),
            open: self.open.clone(),
            state: self.state.clone(),
            n_block: self.block.len(),
            n_operations: self.recorder.rows.len(),
            last_operations: self.recorder.rows.last().cloned(),
        }
    }

    fn roll_back(&mut self, to: &Checkpoint) {
        self.loops.truncate(to.n_loops);
        self.references.truncate(to.n_references);
        for (reason, at) in self.rejections.drain(to.n_rejections..) {
            self.rejection_rows.remove(&(at.start, at, reason));
        }
        self.frames.truncate(to.n_frames);
        self.calls.truncate(to.n_calls);
        self.open_loops.truncate(to.n_open_loops);
        self.passes.truncate(to.n_passes);
        self.n_nodes = to.n_nodes;
        self.depth = to.depth;
        self.open.clone_from(&to.open);
        self.state = to.state.clone();
        self.block.truncate(to.n_block);
        self.recorder
            .roll_back(to.n_operations, to.last_operations.as_ref());
        let frame = self.frame();
        frame.scopes.truncate(to.n_scopes);
        frame.course.clone_from(&to.course);
    }

    fn variable(&self, id: VariableId) -> &VariableRow {
        &self.variables[id.as_u32() as usize]
    }

    /// The variable that is made next.
    fn next_variable(&self) -> VariableId {
        VariableId::from_u32(u32::try_from(self.variables.len()).unwrap_or(u32::MAX))
    }

    /// A new variable; nothing is known of its value.
    fn new_variable(&mut self, name: &str, kind: IntegerType, is_shared: bool) -> VariableId {
        let id = self.new_row(name, kind, is_shared);
        self.give(id, value::Knowledge::Unknown);
        id
    }

    fn new_row(&mut self, name: &str, kind: IntegerType, is_shared: bool) -> VariableId {
        let id = self.next_variable();
        let origin = self.origin_of(name);
        self.variables.push(VariableRow {
            name: name.to_owned(),
            kind,
            frame: self.frames.len(),
            is_shared,
            is_fixed: false,
            origin,
        });
        self.settled.note_variable(origin, id);
        id
    }

    fn new_pointer(&mut self, name: &str, is_shared: bool) -> PointerId {
        let offset = self.new_variable(&format!("{name}@"), types::LONG, is_shared);
        let id = PointerId(self.pointers.len());
        self.pointers.push(offset);
        self.state.pointers.insert(id, Target::Null);
        id
    }

    /// Whether an expression keeps its value while this function's names are in scope.
    fn is_stable(&self, expression: &Expression) -> bool {
        !expression.any(|part| match part {
            Expression::Data => true,
            Expression::Variable(id) => {
                let row = self.variable(*id);
                let is_outer = row.frame < self.frames.len() && !row.is_shared;
                !(is_outer || row.is_fixed || self.open.contains_key(id))
            }
            _ => false,
        })
    }

    /// The same value in a form that later assignments do not change.
    fn pin(&mut self, value: Expression, name: &str) -> Expression {
        if self.is_stable(&value) || value == Expression::Data {
            return value;
        }
        let id = self.new_variable(name, types::LONG, false);
        self.variables[id.as_u32() as usize].is_fixed = true;
        self.give(id, value::Knowledge::Exact);
        self.emit(Node::Assign {
            variable: id,
            value,
        });
        Expression::Variable(id)
    }

    fn pointer_to(&self, row: ArrayRow, offset: Expression, pointee: &Rc<Type>) -> Pointer {
        Pointer {
            target: Target::Array(row),
            offset,
            pointee: pointee.clone(),
        }
    }
}
