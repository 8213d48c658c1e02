//! From the credentials of a request to its caller: which of them counts, and whose it is.

use crate::caller::Caller;
use crate::code::Code;
use crate::error::{Error, Result};
use crate::handle::Domain;
use crate::keys;

/// The credentials that came with a request to the Developer API.
#[derive(Clone, Copy, Default)]
pub struct Presented<'a> {
    /// What followed `Bearer` in `Authorization`.
    pub bearer: Option<&'a str>,
    /// `X-API-Key`.
    pub api_key: Option<&'a str>,
}

/// Finds out who presents these credentials.
///
/// # Errors
/// `missing_credential`, `conflicting_credentials`, `invalid_credential`, `expired_credential` or
/// `revoked_credential`; `Unavailable` when the database cannot tell.
pub async fn identify(domain: &Domain, presented: Presented<'_>) -> Result<Caller> {
    let credential = match (presented.bearer, presented.api_key) {
        (None, None) => {
            return Err(Error::new(Code::MissingCredential, "Send an API key."));
        }
        (Some(bearer), Some(key)) if bearer != key => {
            let message = "Two different credentials were sent. Send one.";
            return Err(Error::new(Code::ConflictingCredentials, message));
        }
        (Some(credential), _) | (None, Some(credential)) => credential,
    };
    keys::authenticate(domain, credential).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Backend;
    use crate::testing::TestDatabase;

    #[tokio::test]
    async fn no_two_and_odd_credentials_are_told_apart() {
        let test = TestDatabase::create(Backend::Sqlite).await;
        let code = async |bearer, api_key| {
            identify(&test.domain, Presented { bearer, api_key }).await.unwrap_err().code
        };
        assert_eq!(code(None, None).await, Code::MissingCredential);
        assert_eq!(code(Some("svc_a"), Some("svc_b")).await, Code::ConflictingCredentials);
        assert_eq!(code(Some("svc_a"), Some("svc_a")).await, Code::InvalidCredential);
        assert_eq!(code(Some(""), None).await, Code::InvalidCredential);
    }
}
