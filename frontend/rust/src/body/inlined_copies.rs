//! The copies of texts for code that is inlined into a body.
//!
//! A call has the same copies in each pass over the body, so that the types that a pass infers in inlined code hold for
//! the next one: inference variables are places.
//!
//! ```text
//! fn row(n: usize) -> Vec<f64> { let mut r = Vec::new(); … r }
//! let a = row(3); let b = row(4);      two copies of the text of `row`, the same two in each pass
//! ```

use crate::positions::{PositionMap, TextCopy};
use crate::value::InlinedCode;
use premiss_ast::syntax::TextRange;
use std::collections::BTreeMap;

/// The copies made so far, by the place of the call and the code that it calls.
#[derive(Default)]
pub(crate) struct InlinedCopies(BTreeMap<(TextRange, InlinedCode), CopiesOfCall>);

/// The copies for a call, in order of use: a place may be desugared several times.
#[derive(Default)]
struct CopiesOfCall {
    copies: Vec<TextCopy>,
    /// How many of them this pass has used.
    n_used: usize,
}

impl InlinedCopies {
    /// The same copies, of which the next pass has used none.
    pub(crate) fn for_next_pass(mut self) -> Self {
        self.0.values_mut().for_each(|of_call| of_call.n_used = 0);
        self
    }

    /// A copy of `text`, which contains the code, for a call that inlines it; `None` if the text would become too large.
    pub(crate) fn next(
        &mut self,
        call: TextRange,
        code: InlinedCode,
        text: &PositionMap,
    ) -> Option<TextCopy> {
        let of_call = self.0.entry((call, code)).or_default();
        if of_call.copies.len() <= of_call.n_used {
            of_call.copies.push(text.copy()?);
        }
        of_call.n_used += 1;
        of_call.copies.get(of_call.n_used - 1).copied()
    }
}
