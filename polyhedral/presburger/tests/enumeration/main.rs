//! Random systems: whatever is computed of them is what enumeration says.

#![allow(
    clippy::disallowed_methods,
    reason = "a variable says how many samples"
)]

mod common;
mod count;
mod sets;
mod unbounded;
mod variety;
