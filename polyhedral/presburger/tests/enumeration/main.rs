//! Random systems: whatever is computed of them is what enumeration says.

mod common;
mod count;
mod sets;
mod unbounded;
mod variety;
