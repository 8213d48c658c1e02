//! Why a request of an agent has no result: an error of the protocol, or a refusal of an operation.

use super::message::RpcError;
use super::session::Refusal;
use api::error::ApiError;

/// Why there is no result.
#[derive(Debug)]
pub(super) enum Failure {
    /// The protocol says so.
    Rpc(RpcError),
    /// An operation says so.
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
