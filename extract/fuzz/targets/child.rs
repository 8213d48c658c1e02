//! Fuzz target: a frame for a child process, header and body.
#![no_main]

libfuzzer_sys::fuzz_target!(init: inputs::allow_caught_panics(), |bytes: &[u8]| inputs::child(bytes));
