//! Authentication: maps the credentials of a request to its caller.

use crate::caller::Caller;
use crate::keys;
use crate::limits::Network;
use crate::oauth::{self, Resource};
use kernel::{Code, Domain, Error, Result, SecretKind};

/// Credentials sent with a request.
#[derive(Clone, Copy, Default)]
pub struct Presented<'a> {
    /// Token after `Bearer` in `Authorization`: an API key or an access token.
    pub bearer: Option<&'a str>,
    /// Value of `X-API-Key`: an API key.
    pub api_key: Option<&'a str>,
    /// Network of the request. It is recorded and displayed to the account's owner.
    pub network: Option<&'a Network>,
}

/// Authenticates credentials for `resource`. An API key is valid for all resources, an access token only for
/// its audience.
///
/// # Errors
/// `missing_credential`, `conflicting_credentials`, `invalid_credential`, `expired_credential` or
/// `revoked_credential`.
pub async fn identify(domain: &Domain, presented: Presented<'_>, resource: Resource) -> Result<Caller> {
    match (presented.bearer, presented.api_key) {
        (None, None) => Err(Error::new(Code::MissingCredential, "Send an API key or an access token.")),
        (Some(bearer), Some(key)) if bearer != key => {
            let message = "Two different credentials were sent. Send one.";
            Err(Error::new(Code::ConflictingCredentials, message))
        }
        (Some(bearer), None) if bearer.starts_with(SecretKind::Access.prefix()) => {
            oauth::authenticate(domain, bearer, resource, presented.network).await
        }
        (Some(key), _) | (None, Some(key)) => keys::authenticate(domain, key).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::caller::Credential;
    use crate::keys::{AppAccess, NewKey};
    use kernel::Backend;
    use kernel::scope::Scopes;
    use kernel::testing::TestDatabase;
    use kernel::tiers::Tier;

    #[tokio::test]
    async fn missing_conflicting_and_invalid_credentials_are_distinguished() {
        let test = TestDatabase::create(Backend::Sqlite).await;
        let code = async |bearer, api_key| {
            let presented = Presented { bearer, api_key, network: None };
            identify(&test.domain, presented, Resource::Api).await.unwrap_err().code
        };
        assert_eq!(code(None, None).await, Code::MissingCredential);
        assert_eq!(code(Some("svc_a"), Some("svc_b")).await, Code::ConflictingCredentials);
        assert_eq!(code(Some("svc_a"), Some("svc_a")).await, Code::InvalidCredential);
        assert_eq!(code(Some(""), None).await, Code::InvalidCredential);
        assert_eq!(code(Some("svo_a"), None).await, Code::InvalidCredential);
        assert_eq!(code(Some("svo_a"), Some("svo_a")).await, Code::InvalidCredential);
        assert_eq!(code(None, Some("svo_a")).await, Code::InvalidCredential, "X-API-Key takes keys alone");
    }

    #[tokio::test]
    async fn api_key_is_valid_at_every_resource_and_in_both_headers() {
        let test = TestDatabase::create(Backend::Sqlite).await;
        let owner = kernel::testing::person(&test.domain, Tier::Free).await;
        let (scopes, app_access) = (Scopes::ALL, AppAccess::KeyOnly);
        let new = NewKey { name: "laptop".into(), scopes, expires_in_days: None, app_access };
        let (key, secret) = keys::create(&test.domain, owner, new).await.unwrap();
        let text = Some(secret.expose());
        for (bearer, api_key) in [(text, None), (None, text), (text, text)] {
            for resource in [Resource::Api, Resource::Mcp] {
                let presented = Presented { bearer, api_key, network: None };
                let caller = identify(&test.domain, presented, resource).await.unwrap();
                assert_eq!((caller.account_id, caller.credential), (owner, Credential::Key(key.id)));
            }
        }
    }
}
