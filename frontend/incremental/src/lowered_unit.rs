//! Lowers one unit, function by function.

use premiss_ast::syntax::{Function, GlobalName, Item, Name, Unit, UnitId};
use premiss_link::{AgreedSizes, CallerRecord, Dependencies, Program, Queries};
use premiss_lower::{
    Allowance, ConstantImages, FunctionOutcome, MAX_LINKED_WORK_WITHOUT_LOOP, lower_function,
    lower_function_without_tree,
};
use premiss_tree::NestTree;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The maximum number of references in the trees that are held until all units are lowered.
const MAX_HELD_REFERENCES: usize = 1_000_000;

/// The result of lowering a unit.
pub(crate) struct LoweredUnit<'p> {
    pub(crate) functions: Vec<LoweredFunction<'p>>,
    /// The calls of its functions with their jump functions.
    pub(crate) callers: Vec<CallerRecord>,
    /// The inputs that were read.
    pub(crate) dependencies: Dependencies,
    /// The sizes of the user that it uses.
    pub(crate) used_sizes: BTreeSet<String>,
    /// The steps of its share that are left.
    pub(crate) left: u64,
    /// The steps taken in bodies of other files.
    pub(crate) linked_work: u64,
}

/// The result of lowering a function.
pub(crate) struct LoweredFunction<'p> {
    name: GlobalName,
    function: &'p Arc<Function>,
    has_tree: bool,
    /// Its tree, if it is held.
    tree: Option<NestTree>,
    /// Its allowance of steps.
    allowance: Allowance,
    outcome: FunctionOutcome,
}

/// Limits the memory of trees that are held.
#[derive(Default)]
pub(crate) struct TreeStore {
    n_references: AtomicUsize,
}

impl TreeStore {
    /// Keeps a tree if the limit permits; trees of the first unit are always kept.
    fn hold(&self, unit: UnitId, tree: NestTree) -> Option<NestTree> {
        let n_references = tree.references.len();
        let n_held = self.n_references.fetch_add(n_references, Ordering::Relaxed) + n_references;
        if n_held <= MAX_HELD_REFERENCES || unit == UnitId(0) {
            return Some(tree);
        }
        self.n_references.fetch_sub(n_references, Ordering::Relaxed);
        None
    }
}

/// Lowers a unit within `share` steps of its own and `linked` steps in bodies of other files.
pub(crate) fn lower_unit<'p>(
    program: &Program<'p>,
    unit: UnitId,
    share: u64,
    linked: u64,
    trees: &TreeStore,
) -> LoweredUnit<'p> {
    let mut functions = Vec::new();
    let mut linked_left = linked;
    let items = program.unit(unit);
    let left = lower_functions(program, items, share, &mut linked_left, &mut functions);
    let callers = functions.iter();
    let callers = callers.map(|x| x.outcome.caller_record(x.function));
    let callers = callers.collect();
    for function in &mut functions {
        let tree = function.tree.take();
        function.tree = tree.and_then(|tree| trees.hold(unit, tree));
    }
    LoweredUnit {
        functions,
        callers,
        dependencies: program.take_dependencies(),
        used_sizes: program.used_sizes(),
        left,
        linked_work: linked - linked_left,
    }
}

/// Lowers the functions of a unit within `share` steps; returns the steps that are left.
fn lower_functions<'p>(
    program: &Program<'p>,
    items: &'p Unit,
    share: u64,
    linked: &mut u64,
    lowered: &mut Vec<LoweredFunction<'p>>,
) -> u64 {
    let images = ConstantImages::default();
    let mut left = share;
    for item in &items.items {
        let Item::Function(function) = item else {
            continue;
        };
        if program.is_standard(function.at) {
            continue;
        }
        let name = function.global_name();
        let has_tree = program.syntax_facts(&name).has_loop;
        let budget = program.inline_budget();
        let (most, for_loops) = match has_tree {
            true => (budget.per_function, budget.for_loops),
            false => (MAX_LINKED_WORK_WITHOUT_LOOP, 0),
        };
        let allowance = Allowance {
            file: share,
            remaining: left,
            own_file: budget.own_body,
            linked: (*linked).min(most),
            linked_for_loops: linked.saturating_sub(most).min(for_loops),
        };
        let (tree, outcome) = if has_tree {
            let (tree, outcome) = lower_function(program, &images, function, allowance);
            (Some(tree), outcome)
        } else {
            let outcome = lower_function_without_tree(program, &images, function, allowance);
            (None, outcome)
        };
        *linked = linked.saturating_sub(outcome.linked_work());
        left = left.saturating_sub(outcome.own_work());
        lowered.push(LoweredFunction {
            name,
            function,
            has_tree,
            tree,
            allowance,
            outcome,
        });
    }
    left
}

impl LoweredFunction<'_> {
    /// The names of the sizes of the function.
    pub(crate) fn size_names(&self) -> impl Iterator<Item = String> {
        self.outcome.size_names()
    }

    /// The tree with the agreed sizes; lowers the function again if its tree was not held. `None` for a function
    /// without a loop.
    pub(crate) fn with_sizes(
        self,
        program: &Program,
        images: &ConstantImages,
        sizes: &AgreedSizes,
    ) -> Option<NestTree> {
        if !self.has_tree {
            return None;
        }
        let mut tree = self
            .tree
            .unwrap_or_else(|| lower_function(program, images, self.function, self.allowance).0);
        let size = |parameter: &Name| {
            let key = (self.name.clone(), parameter.clone());
            sizes.get(&key).copied()
        };
        self.outcome.give_sizes(&mut tree, size);
        Some(tree)
    }
}
