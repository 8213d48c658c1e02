//! A person's approval: creates a grant, and the code that the app exchanges for tokens.

use entities::ids::{AccountId, GrantId};
use entities::oauth_grant::GrantEnd;
use entities::{oauth_code, oauth_grant};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};

use super::authorize::ValidatedRequest;
use super::consent::{self, ConsentPage};
use super::notices::{self, GrantNotice};
use super::scopes;
use crate::accounts::{self, Session};
use crate::agents::{self, ConnectionName};
use crate::caller::ClientHash;
use crate::granted_access::end_grant;
use crate::limits::Network;
use crate::security_notices::{self, SecurityEvent};
use jobs::Submitted;
use kernel::clock::DAY;
use kernel::{Code, Domain, Error, Millis, Result, Secret, SecretKind};

/// Lifetime of a code, in milliseconds.
const CODE_LIFE: Millis = 60_000;
/// Maximum age of a grant.
const GRANT_LIFE: Millis = 180 * DAY;
/// Maximum number of live grants of one person to one app. A new grant beyond it revokes the least recently used one.
const MAX_PER_CLIENT: usize = 50;
/// Maximum number of live grants of one person, to all apps.
const MAX_PER_ACCOUNT: usize = 500;

/// A person's approval.
#[derive(Clone, Copy, Debug)]
pub struct Approval<'a> {
    /// The signed-in browser session.
    pub session: &'a Session,
    /// Network of the browser.
    pub network: &'a Network,
    /// True if the person also grants write access.
    pub may_change: bool,
    /// The consent page that the person answered.
    pub page: &'a ConsentPage,
}

/// Result of an approval.
#[derive(Debug)]
pub struct Approved {
    /// The code for the app. Its text is only in this field; it is not stored.
    pub code: Secret,
    /// The job of the mail that notifies the person.
    pub mail: Option<Submitted>,
}

/// Creates the grant and consumes the consent page, so that it cannot be submitted again.
///
/// # Errors
/// `form_expired` if the page was already answered, or if the session expired or was closed in the meantime, for
/// example by a password change.
pub async fn approve(
    domain: &Domain,
    checked: &ValidatedRequest,
    approval: Approval<'_>,
) -> Result<Approved> {
    let account_id = approval.session.account.id;
    let client_hash = ClientHash::of(&checked.client.id);
    let now = domain.now();
    let code = Secret::generate(domain, SecretKind::Code);
    let id: GrantId = domain.new_id();
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    // A password change revokes sessions and grants under the same lock, so no grant can be created after it.
    let is_open = accounts::is_open(domain, &transaction, &approval.session.secret).await?;
    if !is_open || !accounts::is_active(&transaction, account_id).await? {
        return Err(Error::new(Code::FormExpired, "Your session has ended. Sign in again."));
    }
    consent::consume(&transaction, approval.page).await?;
    let live = || oauth_grant::Entity::owned_by(account_id).filter(oauth_grant::Column::EndedAt.is_null());
    let of_client = live().filter(oauth_grant::Column::ClientHash.eq(client_hash.to_vec()));
    end_least_recently_used(&transaction, of_client, MAX_PER_CLIENT, now).await?;
    end_least_recently_used(&transaction, live(), MAX_PER_ACCOUNT, now).await?;
    inherit_settings(&transaction, account_id, &client_hash, id).await?;
    let grant = oauth_grant::ActiveModel {
        id: Set(id),
        account_id: Set(account_id),
        client_id: Set(checked.client.id.clone()),
        client_hash: Set(client_hash.to_vec()),
        client_name: Set(checked.client.name.clone()),
        client_host: Set(checked.redirect.destination().name().to_owned()),
        scopes: Set(scopes::text(checked.scopes.granted(approval.may_change))),
        resources: Set(checked.audience.as_str().to_owned()),
        may_refresh: Set(checked.client.may_refresh),
        created_at: Set(now),
        created_from: Set(approval.network.as_str().to_owned()),
        begun_at: Set(None),
        last_used_at: Set(None),
        last_used_from: Set(None),
        used_generation: Set(-1),
        idle_at: Set(now + CODE_LIFE),
        expires_at: Set(now + GRANT_LIFE),
        ended_at: Set(None),
        ended_why: Set(None),
    };
    oauth_grant::Entity::insert(grant).exec_without_returning(&transaction).await?;
    let row = oauth_code::ActiveModel {
        hash: Set(code.hash().to_vec()),
        grant_id: Set(id),
        redirect_uri: Set(checked.redirect.redirect_uri.clone()),
        challenge: Set(checked.challenge.clone()),
        expires_at: Set(now + CODE_LIFE),
        used_at: Set(None),
    };
    oauth_code::Entity::insert(row).exec_without_returning(&transaction).await?;
    let mail = notices::notify(&transaction, domain, GrantNotice::Made, (id, account_id)).await?;
    let owner = (account_id, approval.session.account.email.as_str());
    let (owner_id, own_address) = owner;
    let event = SecurityEvent::GrantCreated { id, app: &checked.client.name, own_address };
    security_notices::notify(&transaction, domain, owner_id, event).await?;
    transaction.commit().await?;
    Ok(Approved { code, mail })
}

/// Copies the daily limit and the approval rules of the person's newest grant to the app, live or ended, to
/// the new grant `id`.
async fn inherit_settings(
    transaction: &impl ConnectionTrait,
    account_id: AccountId,
    client_hash: &ClientHash,
    id: GrantId,
) -> Result<()> {
    let previous: Option<GrantId> = oauth_grant::Entity::owned_by(account_id)
        .filter(oauth_grant::Column::ClientHash.eq(client_hash.to_vec()))
        .select_only()
        .column(oauth_grant::Column::Id)
        .order_by_desc(oauth_grant::Column::CreatedAt)
        .order_by_desc(oauth_grant::Column::Id)
        .into_tuple()
        .one(transaction)
        .await?;
    let Some(previous) = previous.map(ConnectionName::grant) else { return Ok(()) };
    let connection = ConnectionName::grant(id);
    agents::inherit_daily_limit(transaction, account_id, &previous, &connection).await?;
    agents::inherit_approval_rules(transaction, account_id, &previous, &connection).await
}

/// Revokes the least recently used grant if there are `max` or more.
async fn end_least_recently_used(
    transaction: &impl ConnectionTrait,
    live: sea_orm::Select<oauth_grant::Entity>,
    max: usize,
    now: Millis,
) -> Result<()> {
    let live: Vec<(GrantId, Option<Millis>, Millis)> = live
        .select_only()
        .columns([oauth_grant::Column::Id, oauth_grant::Column::LastUsedAt, oauth_grant::Column::CreatedAt])
        .into_tuple()
        .all(transaction)
        .await?;
    if live.len() >= max
        && let Some((oldest, _, _)) =
            live.iter().min_by_key(|(_, used_at, created_at)| used_at.unwrap_or(*created_at))
    {
        end_grant(transaction, *oldest, GrantEnd::Idle, now).await?;
    }
    Ok(())
}
