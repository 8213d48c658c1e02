//! Authentication by API key.

use async_recursion::async_recursion as boxed;
use entities::ids::KeyId;
use entities::{account, api_key};
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter};
use subtle::ConstantTimeEq;

use crate::caller::{Caller, Credential};
use kernel::tiers::Tier;
use kernel::{Code, Domain, Error, Millis, Result, Scopes, Secret, SecretKind};

/// Shortest interval between two writes of `last_used_at`.
const LAST_USED_STEP_MS: Millis = 60_000;

/// Authenticates a caller by the text of an API key. The text, expiry, and owner are checked in this order.
/// Every unknown key gets the same error.
///
/// # Errors
/// `invalid_credential`, `revoked_credential`, `expired_credential`; `service_unavailable` if the database does not
/// answer.
#[boxed]
pub async fn authenticate(domain: &Domain, text: &str) -> Result<Caller> {
    let Some(secret) = Secret::parse(text, SecretKind::Key) else { return Err(invalid_credential()) };
    let hash = secret.hash();
    let key_and_owner = api_key::Entity::find()
        .filter(api_key::Column::Hash.eq(hash.to_vec()))
        .find_also_related(account::Entity)
        .one(domain.db().read())
        .await?;
    let Some((key, Some(owner))) = key_and_owner else { return Err(invalid_credential()) };
    if !bool::from(key.hash.ct_eq(&hash)) {
        return Err(invalid_credential());
    }
    caller_of(domain, &key, &owner)
}

/// Returns the caller of `key`, unless it is revoked, has expired, or belongs to a disabled account.
pub(super) fn caller_of(domain: &Domain, key: &api_key::Model, owner: &account::Model) -> Result<Caller> {
    if key.revoked_at.is_some() {
        return Err(Error::new(Code::RevokedCredential, "This API key was revoked."));
    }
    if key.expires_at.is_some_and(|at| at <= domain.now()) {
        return Err(Error::new(Code::ExpiredCredential, "This API key has expired."));
    }
    if owner.disabled_at.is_some() {
        return Err(Error::new(Code::RevokedCredential, "The account of this API key is disabled."));
    }
    record_use(domain, key);
    Ok(Caller {
        account_id: owner.id,
        tier: Tier::parse(&owner.tier).unwrap_or_default(),
        scopes: scopes(&key.scopes),
        credential: Credential::Key(key.id),
    })
}

/// Records the use of a key in a separate task, at most once per minute.
fn record_use(domain: &Domain, key: &api_key::Model) {
    let now = domain.now();
    if key.last_used_at.is_some_and(|at| now - at < LAST_USED_STEP_MS) {
        return;
    }
    let (domain, id) = (domain.clone(), key.id);
    tokio::spawn(async move {
        if let Err(error) = write_use(&domain, id, now).await {
            tracing::debug!(%error, "failed to record the last use of a key");
        }
    });
}

/// Records the use of a key, unless the recorded use is less than a minute before `now`, or after it.
async fn write_use(domain: &Domain, id: KeyId, now: Millis) -> Result<()> {
    let older = Condition::any()
        .add(api_key::Column::LastUsedAt.is_null())
        .add(api_key::Column::LastUsedAt.lte(now - LAST_USED_STEP_MS));
    api_key::Entity::update_many()
        .col_expr(api_key::Column::LastUsedAt, now.into())
        .filter(api_key::Column::Id.eq(id))
        .filter(older)
        .exec(domain.db().write())
        .await?;
    Ok(())
}

/// Error for an unknown credential.
pub(super) fn invalid_credential() -> Error {
    Error::new(Code::InvalidCredential, "This credential is not valid.")
}

/// Scopes of a key's row.
pub(super) fn scopes(stored: &str) -> Scopes {
    Scopes::parse(stored.split_whitespace()).unwrap_or(Scopes::READ)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::{AppAccess, NewKey, create, list};
    use kernel::testing::{TestDatabase, person};

    #[tokio::test]
    async fn concurrent_requests_record_one_use_and_never_an_earlier_time() {
        for test in TestDatabase::each().await {
            let (domain, now) = (&test.domain, test.domain.now());
            let owner = person(domain, Tier::Free).await;
            let (scopes, app_access) = (Scopes::ALL, AppAccess::KeyOnly);
            let new = NewKey { name: "laptop".into(), scopes, expires_in_days: None, app_access };
            let (key, _) = create(domain, owner, new).await.unwrap();
            let step = LAST_USED_STEP_MS;
            for (at, noted) in [(0, 0), (1, 0), (-5, 0), (step - 1, 0), (step, step)] {
                write_use(domain, key.id, now + at).await.unwrap();
                let last_used_at = list(domain, owner).await.unwrap()[0].last_used_at;
                assert_eq!(last_used_at, Some(now + noted), "{at}");
            }
        }
    }
}
