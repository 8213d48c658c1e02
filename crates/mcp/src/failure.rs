//! Error of an MCP request: a protocol error, or a refusal of an operation.

use super::message::RpcError;
use super::session::Refusal;
use api::error::ApiError;

/// Reason why a request has no result.
#[derive(Debug)]
pub(super) enum Failure {
    /// Protocol error.
    Rpc(RpcError),
    /// Refusal of an operation.
    Refused(Refusal),
}

impl From<RpcError> for Failure {
    fn from(error: RpcError) -> Self {
        Self::Rpc(error)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        Self::Refused(error.into())
    }
}
