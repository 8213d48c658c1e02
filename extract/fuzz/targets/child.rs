//! What a child is sent over its pipe: a header and a body.
#![no_main]

libfuzzer_sys::fuzz_target!(init: inputs::allow_caught_panics(), |bytes: &[u8]| inputs::child(bytes));
