//! Replay protection: consent pages, assertions of OAuth clients, challenges of passkeys, and sign-ins at an
//! OpenID provider are accepted only once.

use entities::oauth_once;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ConnectionTrait, EntityTrait};
use sha2::{Digest, Sha256};

use kernel::clock::MINUTE;
use kernel::retention::ExpiredRows;
use kernel::{Domain, Millis, Result};

/// Rows that are no longer needed.
const EXPIRED: ExpiredRows = ExpiredRows { table: "oauth_once", key: "hash", condition: "expires_at <= $1" };

/// Time for which a row is retained after its item has expired, because the clocks of processes may differ.
const RETENTION_MS: Millis = MINUTE;

/// Kind of a single-use item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SingleUse {
    ConsentPage,
    /// A client assertion.
    Assertion,
    PasskeyChallenge,
    /// A sign-in at an OpenID provider.
    OidcFlow,
}

/// Consumes the item. Of all concurrent callers in all processes, exactly one gets true. The row is deleted a minute
/// after `expires_at`, so the caller must reject expired items by itself.
pub(super) async fn consume(
    connection: &impl ConnectionTrait,
    what: SingleUse,
    name: &[u8],
    expires_at: Millis,
) -> Result<bool> {
    let mut digest = Sha256::new();
    digest.update(match what {
        SingleUse::ConsentPage => b"answer\0".as_slice(),
        SingleUse::Assertion => b"assertion\0",
        SingleUse::PasskeyChallenge => b"passkey challenge\0",
        SingleUse::OidcFlow => b"oidc flow\0",
    });
    digest.update(name);
    let row = oauth_once::ActiveModel {
        hash: Set(digest.finalize().to_vec()),
        expires_at: Set(expires_at.saturating_add(RETENTION_MS)),
    };
    let nothing = OnConflict::column(oauth_once::Column::Hash).do_nothing().to_owned();
    let inserted_rows =
        oauth_once::Entity::insert(row).on_conflict(nothing).exec_without_returning(connection).await?;
    Ok(inserted_rows > 0)
}

/// Deletes expired rows, and returns their number.
pub(super) async fn delete_expired(domain: &Domain) -> Result<u64> {
    EXPIRED.delete(domain.db().write(), &[domain.now().into()]).await
}
