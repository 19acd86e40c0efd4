//! Limits of the work of one preprocessing, which ensure termination for every input.

use super::output::Mark;
use super::token::Token;

/// The limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Limit {
    /// Tokens read, expanded and rescanned, in all.
    Work,
    /// The same for a single macro invocation in a file.
    InvocationWork,
    /// Nested replacement lists.
    ExpansionDepth,
    /// Nested invocations in arguments.
    ArgumentDepth,
    /// Bytes of preprocessed text.
    Text,
    /// Files included in each other.
    IncludeDepth,
}

impl Limit {
    /// The value of the limit.
    pub(super) fn value(self) -> usize {
        match self {
            Self::Work => 50_000_000,
            Self::InvocationWork => 1_000_000,
            Self::ExpansionDepth => 10_000,
            Self::ArgumentDepth => 200,
            Self::Text => 64 << 20,
            Self::IncludeDepth => 200,
        }
    }

    /// The unit that the limit counts.
    pub(super) fn unit(self) -> &'static str {
        match self {
            Self::Work => "tokens in preprocessing",
            Self::InvocationWork => "tokens for one macro invocation",
            Self::ExpansionDepth => "macros expanded within each other",
            Self::ArgumentDepth => "macro invocations within each other's arguments",
            Self::Text => "bytes of preprocessed text",
            Self::IncludeDepth => "files included within each other",
        }
    }
}

/// The work so far, and whether it exceeds a limit.
#[derive(Debug, Default)]
pub(super) struct Budget {
    spent: usize,
    invocation: Option<PendingInvocation>,
    exceeded: Option<Limit>,
}

/// The macro invocation in a file that is being expanded.
#[derive(Clone, Copy, Debug)]
pub(super) struct PendingInvocation {
    pub(super) name: Token,
    /// The output before it.
    pub(super) mark: Mark,
    spent_before: usize,
}

impl Budget {
    /// Accounts for this many tokens.
    pub(super) fn charge(&mut self, n_tokens: usize) {
        self.spent = self.spent.saturating_add(n_tokens);
        if self.spent > Limit::Work.value() {
            self.exceed(Limit::Work);
        }
        let before = self
            .invocation
            .map_or(0, |invocation| invocation.spent_before);
        if self.invocation.is_some()
            && self.spent.saturating_sub(before) > Limit::InvocationWork.value()
        {
            self.exceed(Limit::InvocationWork);
        }
    }

    /// Accounts for tokens read from a file, which belong to no single invocation.
    pub(super) fn charge_reading(&mut self, n_tokens: usize) {
        if let Some(invocation) = &mut self.invocation {
            invocation.spent_before = invocation.spent_before.saturating_add(n_tokens);
        }
        self.charge(n_tokens);
    }

    /// Records that a limit was exceeded; the first one is kept, but that on all work takes precedence.
    pub(super) fn exceed(&mut self, limit: Limit) {
        if self.exceeded.is_none() || matches!(limit, Limit::Work | Limit::Text) {
            self.exceeded = Some(limit);
        }
    }

    /// Whether the current expansion must be given up.
    pub(super) fn is_over(&self) -> bool {
        self.exceeded.is_some()
    }

    /// Whether the whole run must be given up.
    pub(super) fn is_exhausted(&self) -> bool {
        matches!(self.exceeded, Some(Limit::Work | Limit::Text))
    }

    pub(super) fn start_invocation(&mut self, name: Token, mark: Mark) {
        let spent_before = self.spent;
        self.invocation = Some(PendingInvocation {
            name,
            mark,
            spent_before,
        });
    }

    /// Suspends the invocation whose arguments contain a directive.
    pub(super) fn suspend(&mut self) -> Option<PendingInvocation> {
        self.invocation.take()
    }

    /// Resumes a suspended invocation; work in between does not count for it.
    pub(super) fn resume(&mut self, invocation: Option<PendingInvocation>, spent_before: usize) {
        let meanwhile = self.spent.saturating_sub(spent_before);
        self.invocation = invocation.map(|mut invocation| {
            invocation.spent_before = invocation.spent_before.saturating_add(meanwhile);
            invocation
        });
    }

    /// What was spent so far.
    pub(super) fn spent(&self) -> usize {
        self.spent
    }

    /// Ends an invocation; returns the limit that it exceeded, and resets it for the next.
    pub(super) fn end_invocation(&mut self) -> Option<(Limit, Option<PendingInvocation>)> {
        let invocation = self.invocation.take();
        if self.is_exhausted() {
            return None;
        }
        Some((self.exceeded.take()?, invocation))
    }

    /// The limit that ended the run.
    pub(super) fn exhausted(&self) -> Option<Limit> {
        self.exceeded.filter(|_| self.is_exhausted())
    }
}
