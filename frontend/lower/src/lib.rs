//! Lowering: abstract interpretation of one function to a [`NestTree`](premiss_tree::NestTree).
//!
//! [`lower_function`] reads the program through [`Queries`](premiss_link::Queries) alone and uses no results of other
//! functions or of earlier runs: the result for a function depends on its queries and on its [`Allowance`] of steps.
//!
//! A function is executed symbolically. Its integer variables become variables of the tree, its array references
//! become accesses, and calls are inlined. Apart from the tree, every point of the program has an *abstract state*
//! with what the tree does not contain: which variables are functions of sizes, what pointers point to, and the
//! contents of memory.
//!
//! # The abstract domain
//!
//! A state (`AbstractState`) maps each variable in scope to an element of a lattice of finite height. Below, `a ⊑ b`
//! means that `a` is at least as precise as `b`.
//!
//! | of | elements, the most precise first | join of different elements |
//! | --- | --- | --- |
//! | integers | `Symbolic(e)` ⊑ `Exact` ⊑ `Unknown` | `Exact`, or `Unknown` where one is |
//! | pointers | `Null` ⊑ `Array(a)`, `Fresh(a)`, `Register(r)`, `Scalar(s)`, `OneOf(c)` ⊑ `Several(a…)`, `Elsewhere` ⊑ `Ambiguous` | `Several` of few arrays and elsewhere, else `Ambiguous`, but `Null ⊔ t = t` |
//! | reals | `Constant(x)` ⊑ `General` ⊑ `Particular` | `General` or `Particular` |
//! | offsets of pointers that may be null | `Never` ⊑ `Symbolic(e)` ⊑ `Varies` | `Varies`, but `Never ⊔ x = x` |
//! | memory cells | `Value(v)` ⊑ `MaybePointer(p)`, `Since(version)` ⊑ `Since(Varying)` | `Since(Varying)` |
//!
//! `Symbolic(e)` is a value made of parameters and constants; `Exact` means that the tree's variable holds the value,
//! whatever it is; `Unknown` means that the value depends on data. Memory (`AbstractHeap`) maps arrays to contents:
//! cells by offset, and a *version* for the rest. Two loads of one cell at one version yield the same number, which
//! gets a fresh symbol.
//!
//! States are joined pointwise where paths meet; a variable that exists on one path only is out of scope.
//!
//! # Transfer functions
//!
//! * Assignment `v = e` is a strong update: `v` becomes `Symbolic(e)` where `e` is made of parameters and
//!   constants, `Unknown` where it is data, else `Exact`; the tree gets an assignment.
//! * A store to a known cell is a strong update of the cell; a store to an unknown place of an array is a weak update:
//!   the array gets a new version (`eval::heap_stores`). What is not understood clobbers the whole heap.
//! * A branch is lowered once per arm, and the states are joined (`control::branches`). If the condition is data,
//!   variables that either arm assigns become `Unknown`, unless both arms leave the same known value.
//! * A call is inlined (`calls::inlining`); a call that is not inlined clobbers what its callee may change
//!   (`domain::memory_version::Clobber`), or everything if that is not known.
//! * A loop's body is lowered from a candidate state at its head.
//!
//! # Why the fixpoint iteration over a loop terminates
//!
//! Let `before` be the state in front of the loop and `F` the transfer function of its header and body. The candidate
//! `h₀` is `before` with the integers that the body assigns by name widened from `Symbolic` to `Exact`, and the reals
//! to `General`; each pass computes `hₙ₊₁ = hₙ ⊔ F(hₙ)`, until `hₙ₊₁ = hₙ`: then `hₙ` holds in every iteration, by
//! induction. Every lattice above has finite height and joins of different elements go strictly up, so the join is its
//! own widening: a counter that steps is `Exact`, never a growing interval. A new kind of value must preserve this: a
//! lattice of infinite height, such as intervals, needs a widening operator instead of the join. The tree of the last
//! pass is kept, those of earlier passes are rolled back (`loops::loop_passes`).
//!
//! ```text
//! int k = 0;                                before: k = Symbolic(0)
//! for (i = 0; i < n; i++) {     pass 1      h₀: k = Exact, as the body assigns it;  at its end k = Unknown
//!     a[k] = 0;                             h₁ = h₀ ⊔ end: k = Unknown
//!     k = index[i];             pass 2      h₁: k = Unknown;                        at its end k = Unknown
//! }                                         h₂ = h₁, the fixpoint: the subscript of a is data
//! ```
//!
//! Two refinements save passes without changing the result: a pass that read nothing of what was lost would proceed in
//! the same way again (`loops::loop_head_reads`), and an inner loop starts from what it lost in the last pass over the
//! enclosing loops, as chaotic iteration permits (`loops::loop_fixpoint`; Cousot and Cousot, POPL 1977, section 9). If
//! the iterations turn out to rotate pointers, the passes start again from a state at the head that models the
//! rotation (`loops::pointer_rotation`). A loop without a fixpoint after `MAX_PASSES` passes, those included, becomes
//! opaque, as does a function that exhausts its `Budget`.
//!
//! # Soundness
//!
//! Anything that is not modelled is an opaque node with its rejection, after which everything that it may change is
//! `Unknown`, `Ambiguous` or of a new version. A subscript or bound that is `Unknown` is
//! [`Expression::Data`](premiss_tree::Expression::Data) in the tree, never a guess.
//!
//! # Modules
//!
//! `domain` has the lattices; `eval`, `control`, `loops` and `calls` the passes, which are free functions that take
//! the context (`Lowering`) first; `output` builds the tree. The passes are mutually recursive through the methods of
//! `judgments`, the only module that imports them all.
//!
//! # Loops
//!
//! The body of a loop is lowered until the state at its head holds in every iteration. Inner loops are not iterated to
//! a fixpoint separately: each starts without what it lost in the last pass over the outermost loop, and waits for the
//! next pass if it loses more (`loop_fixpoint`). So a nest takes a few passes, however deep it is. A pass is the last
//! one if it read nothing of what it lost, possibly because it assigned those variables first (`loop_head_reads`):
//! another pass would proceed in the same way.
//!
//! The part of a condition that does not compare the counter (`while (i < n && err > tol)`) becomes an exit in the
//! body if it depends on data (`exit_conditions`): the counter limits the trip count from above. A loop whose first
//! value or bound is loaded from an element with an unknown subscript gets a bounding range: a loop over sizes that
//! contains its iterations, of which data decide which ones execute. So does one from or to any other number that data
//! determine, or that its own body changes (`TestBounds`). A search through an array of constant length ends in it
//! (`searched_arrays`).
//!
//! # Memory
//!
//! The contents of memory are known since a version of it (`memory_version`): a loaded integer is a size, a loaded
//! pointer an array, and they stay the same until a store may have changed them. Variables of struct type make no
//! accesses. For a pointer whose target a branch selects, a selector variable holds which arm was taken, and an access
//! is a branch on it; pointers that the iterations of a loop exchange are modelled cycle by cycle
//! (`pointer_rotation`). Where nothing tells which of a few arrays it leads to, an access to each is possible; one that
//! may lead anywhere leads to a block of its own, an assumption that is told. A null pointer has an offset that no object has, so that a test for it is a comparison of
//! integers. A value stored to `tiles(t)%data` is known while `t` keeps its value.
//!
//! A variable that is unknown at the entry of a loop becomes a fresh symbol; symbols that are not used are removed at
//! the end (`fresh_symbols`).
//!
//! # Constants, predicates, reals
//!
//! Objects whose integers never differ from their initializers (`const` ones, and others that the text only loads
//! scalars from) are constant tables: a load is an access and yields an entry of a table of the tree, at an index that
//! the address is solved for. A comparison of invariant real numbers is a predicate: a size of 0 or 1, so that the
//! code that it guards is exact. Constants in real variables are propagated, too.
//!
//! # Calls
//!
//! A function of numbers that accesses and changes nothing but variables passed by reference is pure: it is
//! interpreted in isolation for arguments that are constants, sizes or data. If the results are constants or data,
//! they replace the call, and the body is not inlined; if they depend on sizes, it is. So `ILAENV(1, 'DGETRF', ' ', M,
//! N, -1, -1)` costs one step. Which functions are tried does not depend on the order of calls.
//!
//! Calls into other files have a separate budget. A call that exceeds it, or the budget of one function, is opaque and
//! may have changed anything. This budget is small, because large test programs would spend nine tenths of the time on
//! such calls and gain next to nothing. So it is spent where it helps: a call that is likely to take more steps than
//! are left is not started; a part is reserved for short calls; and each pass over an outermost loop may take half of
//! the steps that are left when the loop is entered.
//!
//! # Jumps
//!
//! A `return` outside of loops, and a `goto` to a label ahead, set a flag that the following code tests; the state of
//! an arm that returns is not joined. After any other jump, the following code is possible, and a loop that a jump may
//! end has possible iterations. Backward jumps have been rewritten as loops before (`premiss_ast`, `loop_recovery`).
//! If a statement is given up, each loop in it that no jump enters or leaves is lowered separately, as possible and
//! with nothing known about what that statement may change.

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
