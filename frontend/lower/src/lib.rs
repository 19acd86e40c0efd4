//! Lowering: abstract interpretation of one function to a [`NestTree`](premiss_tree::NestTree).
//!
//! [`lower_function`] reads the program through [`Queries`](premiss_link::Queries) alone, and knows nothing of
//! other functions' results or of earlier runs: what comes of a function depends on the answers to its queries
//! and on its [`Allowance`] of steps.
//!
//! A function is executed symbolically. Its integer variables become variables of the tree, its array
//! references accesses, its calls the bodies that they lead to. Beside the tree, every point of the program
//! has an *abstract state*, which says what the tree alone does not: which variables are known from sizes,
//! where pointers point, what memory holds.
//!
//! # The abstract domain
//!
//! A state (`AbstractState`) maps each variable in scope to an element of a
//! lattice of finite height. Below, `a ⊑ b` reads "`a` says at least as much as `b`".
//!
//! | of | elements, the most precise first | join of different elements |
//! | --- | --- | --- |
//! | integers | `Symbolic(e)` ⊑ `Exact` ⊑ `Unknown` | `Exact`, or `Unknown` where one is |
//! | pointers | `Null` ⊑ `Array(a)`, `Fresh(a)`, `Register(r)`, `Scalar(s)`, `OneOf(c)` ⊑ `Ambiguous` | `Ambiguous`, but `Null ⊔ t = t` |
//! | reals | `Constant(x)` ⊑ `General` ⊑ `Particular` | `General` or `Particular` |
//! | offsets of pointers that may be null | `Never` ⊑ `Symbolic(e)` ⊑ `Varies` | `Varies`, but `Never ⊔ x = x` |
//! | memory cells | `Value(v)` ⊑ `MaybePointer(p)`, `Since(version)` ⊑ `Since(Varying)` | `Since(Varying)` |
//!
//! `Symbolic(e)` is a value made of parameters and constants; `Exact` says that the tree's own variable holds
//! the value, whatever it is; `Unknown` that only running the program would tell. Memory
//! (`AbstractHeap`) maps arrays to contents, cells by offset and a *version* for
//! the rest: two loads of one cell at one version yield the same number, which is given a fresh symbol.
//!
//! States are joined pointwise where paths meet; a variable of one path alone is out of scope.
//!
//! # Transfer functions
//!
//! * Assignment `v = e` is a strong update: `v` becomes `Symbolic(e)` where `e` is made of parameters and
//!   constants, `Unknown` where it is data, else `Exact`; the tree gets an assignment.
//! * A store to a known cell is a strong update of it, one to an unknown place of an array a weak one: the
//!   array gets a new version (`eval::heap_stores`). What is not understood clobbers the whole heap.
//! * A branch is lowered once per arm, and the states are joined (`control::branches`). Where data decide,
//!   variables that either arm assigns become `Unknown`, unless both arms leave the same known value.
//! * A call is the body of its callee (`calls::inlining`); a call that is not followed clobbers what its callee may
//!   change (`domain::memory_version::Clobber`), everything if that is not known.
//! * A loop's body is lowered from a candidate state at its head.
//!
//! # Why the fixpoint over a loop ends
//!
//! Let `before` be the state in front of the loop and `F` the transfer function of its header and body. The
//! candidate `h₀` is `before` with the integers that the body assigns by name widened from `Symbolic` to `Exact`, and
//! the reals to `General`; each pass takes `hₙ₊₁ = hₙ ⊔ F(hₙ)`, until `hₙ₊₁ = hₙ`: then `hₙ` holds in every
//! iteration, by induction. Every lattice above has finite height and joins of different elements go strictly up, so
//! that the join is its own widening: a counter that steps is `Exact`, never a growing interval. A new kind of value
//! has to keep this: a lattice without a finite height, such as intervals, needs a widening in the place of the join.
//! The tree of the last pass is kept, those before are rolled back (`loops::loop_passes`).
//!
//! ```text
//! int k = 0;                                before: k = Symbolic(0)
//! for (i = 0; i < n; i++) {     pass 1      h₀: k = Exact, as the body assigns it;  at its end k = Unknown
//!     a[k] = 0;                             h₁ = h₀ ⊔ end: k = Unknown
//!     k = index[i];             pass 2      h₁: k = Unknown;                        at its end k = Unknown
//! }                                         h₂ = h₁, the fixpoint: the subscript of a is data
//! ```
//!
//! Two refinements save passes and change no result: a pass that read nothing of what it lost would go the
//! same way again (`loops::loop_head_reads`), and an inner loop starts from what it lost in the last pass
//! over the loops around, as chaotic iteration permits (`loops::loop_fixpoint`; Cousot and Cousot, POPL 1977,
//! section 9). Where the iterations turn out to rotate pointers, the passes start again from a head that follows these
//! (`loops::pointer_rotation`). A loop that has found no fixpoint after `MAX_PASSES` passes, those included, becomes
//! opaque, and a function that exhausts its `Budget` too.
//!
//! # Soundness
//!
//! Whatever is not modelled is an opaque node with its rejection, after which everything that it may change is
//! `Unknown`, `Ambiguous` or of a new version. A subscript or bound that is `Unknown` is
//! [`Expression::Data`](premiss_tree::Expression::Data) in the tree, never a guess.
//!
//! # Rooms
//!
//! `domain` holds the lattices; `eval`, `control`, `loops` and `calls` the passes, free functions
//! that take the context (`Lowering`) first; `output` the tree. The passes recur into
//! each other through the methods of `judgments`, which alone imports them all.
//!
//! # Loops
//!
//! The body of a loop is lowered until the state at its head holds in every iteration. Loops inside are not brought to a fixpoint
//! by themselves: each begins without what it lost in the last pass over the outermost one, and waits for the next pass where it loses
//! more (`loop_fixpoint`). So a nest takes a few passes, however deep it is. A pass is the last where it read nothing of what it
//! lost, possibly because it assigned those variables first (`loop_head_reads`): another one would go the same way.
//!
//! What a condition asks besides comparing the counter (`while (i < n && err > tol)`) becomes an exit in the body where data decide
//! it (`exit_conditions`): the loop has at most as many iterations as the counter allows. A loop from or to a number that is loaded
//! from an element nobody knows gets a bounding range: a loop over sizes, of which data decide which iterations there are.
//!
//! # Memory
//!
//! What memory holds is known since a version of it (`memory_version`): an integer that is loaded is a size, and a pointer an array, the
//! same ones until something may have stored there. Structs that are variables make no access. Pointers of which a branch decides where
//! they point are followed by a variable that holds which arm was taken, and an access is a branch on it; pointers that the
//! iterations of a loop exchange are followed cycle by cycle (`pointer_rotation`). A null pointer has an offset that no object has, so
//! that testing it is a comparison of integers. What was stored to `tiles(t)%data` is known while `t` is.
//!
//! A variable that is unknown at the entry of a loop becomes a fresh symbol; symbols that nobody needs are taken out in the end
//! (`fresh_symbols`).
//!
//! # Constants, predicates, reals
//!
//! Objects whose integers are from first to last what their initializers say (`const` ones, and others of which every place in the
//! text loads scalars and does no more) are constant tables: a load is an access, and yields an entry of a table of the tree at an index
//! that the address is solved for. A comparison of real numbers that keep their value is a predicate: a size of 0 or 1, so that what
//! it guards is exact. Constants in real variables are followed too.
//!
//! # Calls
//!
//! A function of numbers that accesses and changes nothing but variables that it gets is a pure call: it is executed by itself, for
//! constants, sizes and data as the arguments are. Where that yields constants or data, these are what the call yields and leaves in
//! the variables, and the body is not followed; where sizes decide, it is. So `ILAENV(1, 'DGETRF', ' ', M, N, -1, -1)` costs one step.
//! Which functions are tried does not depend on which call comes first.
//!
//! Calls into other files have a budget of their own. A call that exceeds it, or what one function may take, is opaque and may have
//! changed anything. It is small, as big test programs would take nine tenths of the time with it, and learn next to nothing. So its
//! steps go where they are of use: a call is not begun that is likely to take more than is left; a part is kept for short calls; and
//! each pass over an outermost loop may take half of what is left when the loop is met.
//!
//! # Jumps
//!
//! A `return` outside of loops, and a `goto` to a label ahead, set a flag that what follows tests; what an arm leaves that returns is
//! not joined. What follows another jump is possible, and a loop that one may end has possible iterations. Jumps back are loops by
//! then (`premiss_ast`, `loop_recovery`). Where a statement is given up, each loop in it that jumps neither enter nor leave is
//! lowered by itself, as possible and with nothing known of what that statement may change.

mod bailout;
mod budget;
mod call_stack;
mod calls;
mod constant_images;
mod context;
mod control;
mod domain;
mod eval;
mod interpret;
mod judgments;
mod loops;
mod outcome;
mod output;
mod symbol_table;

pub use budget::{Allowance, MAX_FILE_WORK, MAX_LINKED_WORK_WITHOUT_LOOP};
pub use calls::pure_calls::evaluate_pure_call;
pub use constant_images::ConstantImages;
pub use outcome::{FunctionOutcome, lower_function, lower_function_without_tree};
pub(crate) use premiss_ast::syntax;
