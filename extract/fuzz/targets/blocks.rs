//! Fuzz target: HTML to blocks, with all post-processing.
#![no_main]

libfuzzer_sys::fuzz_target!(init: inputs::allow_caught_panics(), |bytes: &[u8]| inputs::blocks(bytes));
