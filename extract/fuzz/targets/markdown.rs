//! Fuzz target: the Markdown writer. The input is split into blocks.
#![no_main]

libfuzzer_sys::fuzz_target!(init: inputs::allow_caught_panics(), |bytes: &[u8]| inputs::markdown(bytes));
