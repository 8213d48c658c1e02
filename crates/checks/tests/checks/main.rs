//! Checks of the source tree: shape of files, dependencies between crates, import cycles, and words.

mod circles;
mod tidy;
mod words;
