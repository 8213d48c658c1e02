//! Violations that a check detected, with examples.

/// Maximum number of example rows per check.
const EXAMPLES: usize = 10;

/// Violations that one check detected.
#[derive(Default)]
pub(super) struct Violations {
    pub(super) count: u64,
    pub(super) examples: Vec<String>,
}

impl Violations {
    pub(super) fn add(&mut self, name: String) {
        self.count += 1;
        if self.examples.len() < EXAMPLES {
            self.examples.push(name);
        }
    }
}
