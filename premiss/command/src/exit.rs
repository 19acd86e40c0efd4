//! The outcome of a run, for shells and pipelines.

use std::process::ExitCode;

/// The exit codes. A gate never fails open: a run that could not do its job never exits with 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Exit {
    /// It ran, and there is nothing to report.
    Clean,
    /// There are findings.
    Findings,
    /// It could not do its job: usage, configuration, input and output, an internal error.
    Failure,
    /// It ran without a result: not one function could be counted.
    Inconclusive,
}

impl Exit {
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Findings => 1,
            Self::Failure => 2,
            Self::Inconclusive => 3,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn codes_are_as_promised() {
        let all = [
            Exit::Clean,
            Exit::Findings,
            Exit::Failure,
            Exit::Inconclusive,
        ];
        assert_eq!(all.map(Exit::code), [0, 1, 2, 3]);
    }
}
