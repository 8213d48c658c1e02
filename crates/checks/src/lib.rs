//! Checks of the source tree that no compiler makes: dependencies between crates, import cycles, and words.
