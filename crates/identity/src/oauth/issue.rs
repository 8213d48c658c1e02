//! Tokens as they come out of a grant.

use entities::{oauth_access, oauth_grant, oauth_refresh};
use sea_orm::{ActiveValue::Set, ConnectionTrait, EntityTrait};

use super::audience::Audience;
use super::scopes;
use kernel::clock::{DAY, Millis};
use kernel::error::Result;
use kernel::handle::Domain;
use kernel::scope::Scopes;
use kernel::secret_text::{Secret, SecretKind};

/// How long an access token holds.
const ACCESS_LIFE: Millis = 3_600_000;
/// How long a refresh token holds that nobody uses.
const REFRESH_IDLE: Millis = 30 * DAY;

/// What an app gets at the token endpoint.
#[derive(Debug)]
pub struct Tokens {
    /// The access token.
    pub access: Secret,
    /// Whole seconds for which it holds.
    pub expires_in: u32,
    /// The refresh token, where the app has one.
    pub refresh: Option<Secret>,
    /// What the access token may be used for.
    pub scopes: Scopes,
}

/// For what an access token is to be good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Use {
    pub(super) scopes: Scopes,
    pub(super) audience: Audience,
}

impl Use {
    /// As it is noted where a refresh token was used.
    pub(super) fn text(self) -> String {
        format!("{} {}", scopes::text(self.scopes), self.audience.as_str())
    }
}

/// Writes an access token of `generation` down; returns it with the time at which it ends.
pub(super) async fn access(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    grant: &oauth_grant::Model,
    generation: i64,
    to: Use,
) -> Result<(Secret, Millis)> {
    let token = Secret::generate(domain, SecretKind::Access);
    let ends_at = (domain.now() + ACCESS_LIFE).min(grant.expires_at);
    let row = oauth_access::ActiveModel {
        hash: Set(token.hash().to_vec()),
        grant_id: Set(grant.id),
        generation: Set(generation),
        scopes: Set(scopes::text(to.scopes)),
        resources: Set(to.audience.as_str().to_owned()),
        expires_at: Set(ends_at),
    };
    oauth_access::Entity::insert(row).exec_without_returning(connection).await?;
    Ok((token, ends_at))
}

/// Writes a refresh token of `generation` down; returns the time at which it ends unless it is used.
pub(super) async fn refresh(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    grant: &oauth_grant::Model,
    token: &Secret,
    generation: i64,
) -> Result<Millis> {
    let ends_at = (domain.now() + REFRESH_IDLE).min(grant.expires_at);
    let row = oauth_refresh::ActiveModel {
        hash: Set(token.hash().to_vec()),
        grant_id: Set(grant.id),
        generation: Set(generation),
        expires_at: Set(ends_at),
        rotated_at: Set(None),
        rotated_for: Set(None),
    };
    oauth_refresh::Entity::insert(row).exec_without_returning(connection).await?;
    Ok(ends_at)
}

/// Whole seconds until `ends_at`.
pub(super) fn seconds_until(domain: &Domain, ends_at: Millis) -> u32 {
    u32::try_from((ends_at - domain.now()).max(0) / 1000).unwrap_or(0)
}
