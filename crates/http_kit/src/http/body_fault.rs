//! Reasons why a request body is refused.

use super::fault::Fault;

/// Reason why a body is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BodyFault {
    /// Unsupported content type.
    ContentType(String),
    Missing,
    /// Larger than this many bytes.
    TooLarge(usize),
    /// The body could not be read to its end.
    Broken,
    /// The memory budget for bodies is currently exhausted.
    MemoryExhausted,
    /// Invalid for its content type, with the reason.
    Malformed(String),
    /// Invalid field.
    Field(Fault),
}
