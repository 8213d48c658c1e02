//! Local day of an account. Accounts have no time zone, so the time zone of one of their channels is used.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;

use super::schedule;
use kernel::clock::LocalDay;
use kernel::statement::scalar_optional;
use kernel::{Domain, Result};

/// Selects a time zone of an account: the zone of a channel with a digest, or else a zone that the owner of a channel
/// has chosen.
const ZONE: &str = "SELECT zone FROM channel WHERE account_id = $1 \
                    ORDER BY digest_minute IS NULL, zone = 'UTC', id LIMIT 1";

/// Returns the current day of an account. The time zone is UTC if the account has no channel.
#[boxed]
pub async fn local_day(domain: &Domain, account_id: AccountId) -> Result<LocalDay> {
    let zone: Option<String> = scalar_optional(domain.db().read(), ZONE, [account_id.into()]).await?;
    Ok(schedule::local_day(domain.now(), zone.as_deref().unwrap_or("UTC")))
}
