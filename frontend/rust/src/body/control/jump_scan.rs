//! Whether a block contains a jump or a loop: a scan of its syntax before it is desugared.

use syn::visit::{self, Visit};
use syn::{Block, Expr, Item, Stmt};

/// Jumps that leave a piece of text.
#[derive(Default)]
struct JumpScan {
    depth: usize,
    breaks: bool,
    continues: bool,
    returns: bool,
}

impl<'a> Visit<'a> for JumpScan {
    fn visit_expr(&mut self, value: &'a Expr) {
        match value {
            Expr::Break(jump) => self.breaks |= self.depth == 0 || jump.label.is_some(),
            Expr::Continue(jump) => self.continues |= self.depth == 0 || jump.label.is_some(),
            Expr::Return(_) | Expr::Try(_) => self.returns = true,
            Expr::Closure(_) | Expr::Async(_) => return,
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => {
                self.depth += 1;
                visit::visit_expr(self, value);
                self.depth -= 1;
                return;
            }
            _ => {}
        }
        visit::visit_expr(self, value);
    }

    fn visit_item(&mut self, _: &'a Item) {}
}

/// Whether a block contains an exit of the loop of which it is the body.
pub(crate) fn contains_break(block: &Block) -> bool {
    let mut jumps = JumpScan::default();
    jumps.visit_block(block);
    jumps.breaks
}

/// Whether statements may end an iteration of the enclosing loop.
pub(crate) fn contains_continue(statements: &[Stmt]) -> bool {
    let mut jumps = JumpScan::default();
    statements.iter().for_each(|one| jumps.visit_stmt(one));
    jumps.continues
}

/// Whether the body of a loop contains a jump that may leave the loop.
pub(crate) fn contains_jump(body: &[Stmt]) -> bool {
    let mut jumps = JumpScan::default();
    body.iter().for_each(|one| jumps.visit_stmt(one));
    jumps.breaks || jumps.returns || jumps.continues
}

/// Whether a block returns before its end.
pub(crate) fn contains_return(block: &Block) -> bool {
    let mut jumps = JumpScan::default();
    jumps.visit_block(block);
    jumps.returns
}

/// Whether an expression contains a `return`.
pub(crate) fn value_contains_return(value: &Expr) -> bool {
    let mut jumps = JumpScan::default();
    jumps.visit_expr(value);
    jumps.returns
}

/// Whether a block contains a loop.
pub(crate) fn contains_loop(block: &Block) -> bool {
    struct Loops(bool);
    impl<'a> Visit<'a> for Loops {
        fn visit_expr(&mut self, value: &'a Expr) {
            self.0 |= matches!(value, Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_));
            visit::visit_expr(self, value);
        }
        fn visit_item(&mut self, _: &'a Item) {}
    }
    let mut loops = Loops(false);
    loops.visit_block(block);
    loops.0
}
