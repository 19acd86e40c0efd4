//! The limits for the measures of the workspace.

/// The most lines of the median file.
pub const MEDIAN_FILE_LINES: usize = 180;
/// The most lines of a file.
pub const MAX_FILE_LINES: usize = 700;
/// The most lines of nine in ten functions.
pub const P90_FUNCTION_LINES: usize = 30;
/// The most methods of a type.
pub const MAX_METHODS: usize = 60;
/// The most files in a cycle of modules.
pub const MAX_CYCLE_FILES: usize = 6;
/// The most types that share a name.
pub const MAX_SHARED_NAMES: usize = 3;
