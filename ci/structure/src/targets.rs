//! What the workspace is held to.

/// Lines that half of all files do not exceed.
pub const MEDIAN_FILE_LINES: usize = 180;
/// Lines that no file exceeds.
pub const MAX_FILE_LINES: usize = 700;
/// Lines that nine in ten functions do not exceed.
pub const P90_FUNCTION_LINES: usize = 30;
/// Methods that no type exceeds.
pub const MAX_METHODS: usize = 60;
/// Files that no cycle of modules exceeds.
pub const MAX_CYCLE_FILES: usize = 6;
/// Types that may bear one name.
pub const MAX_SHARED_NAMES: usize = 3;
