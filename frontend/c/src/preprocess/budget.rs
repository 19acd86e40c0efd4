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
    /// Headers entered, in all; one that its guard keeps out does not count.
    Headers,
    /// Bytes of the headers entered, in all.
    HeaderText,
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
            Self::Headers => 20_000,
            Self::HeaderText => 128 << 20,
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
            Self::Headers => "files included by one file, directly or not",
            Self::HeaderText => "bytes of files included by one file, directly or not",
        }
    }
}

/// The headers entered so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HeaderTotals {
    n_headers: usize,
    n_bytes: usize,
}

impl HeaderTotals {
    /// Those entered since an earlier moment.
    pub(super) fn since(self, earlier: Self) -> Self {
        Self {
            n_headers: self.n_headers - earlier.n_headers,
            n_bytes: self.n_bytes - earlier.n_bytes,
        }
    }
}

/// The work so far, and whether it exceeds a limit.
#[derive(Debug, Default)]
pub(super) struct Budget {
    spent: usize,
    headers: HeaderTotals,
    /// Whether a header was left out because of a limit on all headers.
    has_header_over: bool,
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

    /// Accounts for a header of this many bytes, unless that would exceed a limit: then returns the limit.
    ///
    /// Headers without guards that include each other are entered exponentially often: twice as often with each level
    /// if each includes itself twice.
    pub(super) fn enter_header(&mut self, n_bytes: usize) -> Result<(), Limit> {
        let n_bytes = self.headers.n_bytes.saturating_add(n_bytes);
        if Limit::Headers.value() <= self.headers.n_headers {
            return Err(Limit::Headers);
        }
        if Limit::HeaderText.value() < n_bytes {
            return Err(Limit::HeaderText);
        }
        self.headers.n_headers += 1;
        self.headers.n_bytes = n_bytes;
        Ok(())
    }

    /// Accounts for the headers of a preamble that need not be read again.
    pub(super) fn charge_headers(&mut self, of_preamble: HeaderTotals) {
        let headers = &mut self.headers;
        headers.n_headers = headers.n_headers.saturating_add(of_preamble.n_headers);
        headers.n_bytes = headers.n_bytes.saturating_add(of_preamble.n_bytes);
    }

    /// The headers entered so far.
    pub(super) fn headers(&self) -> HeaderTotals {
        self.headers
    }

    /// Records that a header is left out because of a limit on all headers; returns whether it is the first one.
    pub(super) fn leave_out_header(&mut self) -> bool {
        !std::mem::replace(&mut self.has_header_over, true)
    }

    /// Whether a header was left out because of a limit on all headers.
    pub(super) fn has_header_over(&self) -> bool {
        self.has_header_over
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
