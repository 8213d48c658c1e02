//! Fuzz target: the EPUB reader. The input is split into the parts of a book.
#![no_main]

libfuzzer_sys::fuzz_target!(init: inputs::allow_caught_panics(), |bytes: &[u8]| inputs::epub(bytes));
