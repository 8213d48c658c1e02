//! The groups of operations that answer errors alike, and what each makes of a code.

use kernel::Code;

use super::catalogue::{Entry, Shown, row};

/// Operations that answer with the same codes and the same statuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorGroup {
    /// The public reader.
    Reader,
    /// The article operations of the Developer API.
    Articles,
    /// All other operations of the Developer API.
    Developer,
}

impl ErrorGroup {
    /// The status of a request that fails its schema.
    pub const fn malformed(self) -> u16 {
        match self {
            Self::Reader | Self::Articles => 400,
            Self::Developer => 422,
        }
    }

    /// The entry with which the group answers `code`, and its status.
    pub fn entry(self, code: Code) -> (Entry, u16) {
        let entry = row(code);
        let shown = match self {
            Self::Reader => entry.reader,
            Self::Articles | Self::Developer => entry.api,
        };
        match shown {
            Shown::Is(status) => (entry, status),
            Shown::Malformed => (entry, self.malformed()),
            Shown::As(other) => self.entry(other),
        }
    }

    /// The codes that the group answers with, and their statuses, by status.
    pub fn codes(self) -> Vec<(Entry, u16)> {
        let own = |code: &Code| Some(self.entry(*code)).filter(|(entry, _)| entry.code == *code);
        let mut codes: Vec<_> = Code::ALL.iter().filter_map(own).collect();
        codes.sort_by_key(|(_, status)| *status);
        codes
    }
}

#[cfg(test)]
mod tests;
