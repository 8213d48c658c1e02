//! Issues the tokens of a grant.

use entities::{oauth_access, oauth_grant, oauth_refresh};
use sea_orm::{ActiveValue::Set, ConnectionTrait, EntityTrait};

use super::audience::Audience;
use super::scopes;
use kernel::clock::{DAY, HOUR};
use kernel::{Domain, Millis, Result, Scopes, Secret, SecretKind};

/// Lifetime of an access token.
const ACCESS_LIFE: Millis = HOUR;
/// Lifetime of an unused refresh token.
const REFRESH_IDLE: Millis = 30 * DAY;

/// Response of the token endpoint.
#[derive(Debug)]
pub struct Tokens {
    pub access: Secret,
    /// Lifetime of the access token, in whole seconds.
    pub expires_in: u32,
    /// The refresh token. `None` if the app may not refresh.
    pub refresh: Option<Secret>,
    /// Scopes of the access token.
    pub scopes: Scopes,
}

/// Scopes and audience of an access token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TokenAccess {
    pub(super) scopes: Scopes,
    pub(super) audience: Audience,
}

impl TokenAccess {
    /// Text that is stored with a rotated refresh token, to recognise a repetition of the same request.
    pub(super) fn text(self) -> String {
        format!("{} {}", scopes::text(self.scopes), self.audience.as_str())
    }
}

/// Inserts an access token of `generation`. Returns the token and its expiry.
pub(super) async fn access(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    grant: &oauth_grant::Model,
    generation: i64,
    to: TokenAccess,
) -> Result<(Secret, Millis)> {
    let token = Secret::generate(domain, SecretKind::Access);
    let expires_at = (domain.now() + ACCESS_LIFE).min(grant.expires_at);
    let row = oauth_access::ActiveModel {
        hash: Set(token.hash().to_vec()),
        grant_id: Set(grant.id),
        generation: Set(generation),
        scopes: Set(scopes::text(to.scopes)),
        resources: Set(to.audience.as_str().to_owned()),
        expires_at: Set(expires_at),
    };
    oauth_access::Entity::insert(row).exec_without_returning(connection).await?;
    Ok((token, expires_at))
}

/// Inserts a refresh token of `generation`. Returns the time at which the token expires if it is not used.
pub(super) async fn refresh(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    grant: &oauth_grant::Model,
    token: &Secret,
    generation: i64,
) -> Result<Millis> {
    let expires_at = (domain.now() + REFRESH_IDLE).min(grant.expires_at);
    let row = oauth_refresh::ActiveModel {
        hash: Set(token.hash().to_vec()),
        grant_id: Set(grant.id),
        generation: Set(generation),
        expires_at: Set(expires_at),
        rotated_at: Set(None),
        rotated_for: Set(None),
    };
    oauth_refresh::Entity::insert(row).exec_without_returning(connection).await?;
    Ok(expires_at)
}

/// Whole seconds until `expires_at`.
pub(super) fn seconds_until(domain: &Domain, expires_at: Millis) -> u32 {
    u32::try_from((expires_at - domain.now()).max(0) / 1000).unwrap_or(0)
}
