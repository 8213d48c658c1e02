//! The walk from markup to blocks, and everything that dresses them.
#![no_main]

libfuzzer_sys::fuzz_target!(init: inputs::allow_caught_panics(), |bytes: &[u8]| inputs::blocks(bytes));
