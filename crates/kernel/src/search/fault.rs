//! Faults of search queries, with their positions.

use crate::Error;

/// Fault of a query with operators, parentheses, dates, or filters by properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryFault {
    /// An opening parenthesis without a closing one.
    OpenGroup,
    /// An operator without words or filters on one of its sides.
    MissingOperand,
    /// Parentheses that are nested too deeply.
    TooDeep,
    /// Too many words and filters.
    TooManyWords,
    /// A date filter whose value is not a date.
    InvalidDate,
    /// A filter with an unknown value.
    InvalidValue,
}

/// Fault of a query, with its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryError {
    pub fault: QueryFault,
    /// Position in the query in code points, starting at 1.
    pub position: usize,
}

impl QueryError {
    /// Describes the fault, as the end of a sentence that starts with the name of the parameter.
    fn reason(self) -> String {
        let at = self.position;
        match self.fault {
            QueryFault::OpenGroup => {
                format!("has a parenthesis at character {at} that is never closed. Add `)` or quote it")
            }
            QueryFault::MissingOperand => {
                format!("has an operator at character {at} that needs words on both sides")
            }
            QueryFault::TooDeep => format!("has parentheses at character {at} that are nested too deeply"),
            QueryFault::TooManyWords => {
                format!(
                    "has too many words for a search with operators or parentheses; the limit is reached at character {at}"
                )
            }
            QueryFault::InvalidDate => {
                format!("has no valid date at character {at}. Write 2026, 2026-02, 2026-02-28 or 7d")
            }
            QueryFault::InvalidValue => {
                format!("has a filter at character {at} whose value is invalid. Correct or quote it")
            }
        }
    }
}

impl From<QueryError> for Error {
    fn from(error: QueryError) -> Self {
        Self::invalid_field("query", error.reason())
    }
}
