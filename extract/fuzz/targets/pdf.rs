//! Fuzz target: the PDF reader.
#![no_main]

libfuzzer_sys::fuzz_target!(init: inputs::allow_caught_panics(), |bytes: &[u8]| inputs::pdf(bytes));
