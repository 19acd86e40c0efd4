//! Any bytes as a C file: reading and running them ends without a panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use premiss_testdata::any_text::read_and_run;

fuzz_target!(|bytes: &[u8]| read_and_run("any.c", bytes.to_vec()));
