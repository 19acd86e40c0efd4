//! Closes the recursion of preprocessing: a directive may occur among the tokens read for an expansion, and an
//! argument is expanded separately.

use super::state::Preprocessor;
use super::token::Token;
use super::{directives, expand};

impl Preprocessor<'_> {
    /// Processes the directive whose `#` was just read.
    pub(super) fn directive(&mut self, hash: Token) {
        directives::directive(self, hash);
    }

    /// Expands tokens as if nothing followed them.
    pub(super) fn expand_whole(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        expand::expand_whole(self, tokens)
    }
}
