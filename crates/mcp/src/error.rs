//! Error of an MCP request: a protocol error, or a refusal of an operation.

use super::message::RpcError;
use super::session::Refusal;
use api::error::ApiError;

/// Reason why a request has no result.
#[derive(Debug)]
pub(super) enum McpError {
    /// Protocol error.
    Rpc(RpcError),
    /// Refusal of an operation.
    Refused(Refusal),
}

impl From<RpcError> for McpError {
    fn from(error: RpcError) -> Self {
        Self::Rpc(error)
    }
}

impl From<Refusal> for McpError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<ApiError> for McpError {
    fn from(error: ApiError) -> Self {
        Self::Refused(error.into())
    }
}
