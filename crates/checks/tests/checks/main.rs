//! Checks of the source tree: shape of files, dependencies between crates, import cycles, and words.

mod import_cycles;
mod tidy;
mod words;
