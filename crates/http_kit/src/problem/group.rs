//! Groups of operations that share error codes and statuses.

use kernel::Code;

use super::catalogue::{ProblemEntry, StatusRule, row};

/// Operations that return the same codes with the same statuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorGroup {
    Reader,
    /// Article operations of the Developer API.
    Articles,
    /// All other operations of the Developer API.
    Developer,
}

impl ErrorGroup {
    /// Returns the status of an invalid request.
    pub const fn malformed(self) -> u16 {
        match self {
            Self::Reader | Self::Articles => 400,
            Self::Developer => 422,
        }
    }

    /// Returns the catalogue entry and the status of the response to `code` in this group.
    pub fn entry(self, code: Code) -> (ProblemEntry, u16) {
        let entry = row(code);
        let rule = match self {
            Self::Reader => entry.reader,
            Self::Articles | Self::Developer => entry.api,
        };
        match rule {
            StatusRule::Is(status) => (entry, status),
            StatusRule::Malformed => (entry, self.malformed()),
            StatusRule::As(other) => self.entry(other),
        }
    }

    /// Returns the codes of the group with their statuses, sorted by status.
    pub fn codes(self) -> Vec<(ProblemEntry, u16)> {
        let own = |code: &Code| Some(self.entry(*code)).filter(|(entry, _)| entry.code == *code);
        let mut codes: Vec<_> = Code::ALL.iter().filter_map(own).collect();
        codes.sort_by_key(|(_, status)| *status);
        codes
    }
}

#[cfg(test)]
mod tests;
