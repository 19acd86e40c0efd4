//! From the options of `premiss check` and `premiss baseline` to a request for the engine.

use crate::arguments::SubjectArguments;
use crate::failure::Failure;
use crate::flags;
use crate::invocation::Invocation;
use premiss_analyze::{MeasureOptions, MeasureScope, ReadOptions};
use premiss_check::{CheckRequest, InputOptions, Profiles};

/// Where to find files, and how to read them.
pub(super) struct CheckOptions {
    inputs: InputOptions,
    reading: ReadOptions,
}

impl CheckOptions {
    /// The options of a command line.
    ///
    /// # Errors
    ///
    /// An option is invalid.
    pub(super) fn new(
        arguments: &SubjectArguments,
        invocation: Invocation<'_>,
    ) -> Result<Self, Failure> {
        Ok(Self {
            inputs: flags::input_options(&arguments.reading),
            reading: flags::reading(&arguments.reading, invocation.matches)?,
        })
    }

    /// The request for a check.
    ///
    /// # Errors
    ///
    /// An option is invalid, or a profile cannot be read.
    pub(super) fn request<'a>(
        &'a self,
        arguments: &'a SubjectArguments,
        invocation: Invocation<'a>,
    ) -> Result<CheckRequest<'a>, Failure> {
        let (inputs, host) = (&arguments.input, invocation.host);
        Ok(CheckRequest {
            inputs: flags::path_request(inputs, &self.inputs, &self.reading, host),
            measuring: MeasureOptions {
                scope: MeasureScope::Findings,
                ..flags::measuring(&arguments.measuring)?
            },
            profiles: Profiles::read(&arguments.profile.profile)?,
            levels: &arguments.levels,
        })
    }
}
