//! Apps whose client id is the URL of a metadata document. A worker fetches the document on behalf of a
//! signed-in person only. The document is cached, and the token endpoint uses only the cached document.

use crate::limits::AccountLimits;
use async_recursion::async_recursion as boxed;
use std::time::Duration;

use entities::ids::AccountId;
use entities::oauth_client_document::{self, Column, Entity, Model};
use fetch::Fetched;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ConnectionTrait, EntityTrait, IntoActiveModel};

use super::client::{Client, Clients};
use super::document_rules::{self, ClientDocument, Keys, UNUSABLE};
use crate::limits::window::{Counter, RatePolicy};
use crate::replay;
use fetch::Fetcher;
use jobs::{Claimed, JobKind, NewJob, Pending, Progress, Submitted, WaitOutcome};
use kernel::clock::{DAY, MINUTE};
use kernel::retention::ExpiredRows;
use kernel::{Code, Domain, Error, Millis, Result};

/// Maximum size of a document, in bytes.
const MAX_DOCUMENT: usize = 5 * 1024;
/// Maximum size of a key set, in bytes.
const MAX_KEYS: usize = 64 * 1024;
/// Timeout of each fetch.
const DEADLINE: Duration = Duration::from_secs(5);
/// Minimum and maximum freshness lifetime of a document.
const FRESHNESS: std::ops::RangeInclusive<Millis> = 5 * MINUTE..=DAY;
/// Maximum age at which a document is still used if fetching it fails.
const MAX_STALE: Millis = DAY;
/// Cache lifetime of a failure.
const FAILURE_TTL: Millis = MINUTE;
/// Minimum time between two fetches of an app's keys because of an unknown key.
pub(super) const KEY_REFETCH_INTERVAL: Millis = 5 * MINUTE;
/// Limits on documents that are fetched for one account.
const PER_ACCOUNT: [RatePolicy; 2] =
    [RatePolicy::sliding("minute", 10, 60), RatePolicy::sliding("hour", 60, 3600)];
/// Documents that no live grant needs and that were not requested recently.
const UNUSED: ExpiredRows = ExpiredRows {
    table: "oauth_client_document",
    key: "client_id",
    condition: "fresh_until <= $1 AND failed_until <= $1 AND NOT EXISTS \
        (SELECT 1 FROM oauth_grant g WHERE g.client_id = oauth_client_document.client_id AND g.ended_at IS NULL)",
};
/// Message for a client id that was not issued by this server.
pub(super) const UNKNOWN: &str = "This app is unknown. Remove the connection in the app and add it again.";

/// Pending lookup of an app whose document a worker is fetching.
#[derive(Debug)]
pub struct PendingClient {
    client_id: String,
}

/// The app with a client id, or a sentence for the person that explains why the id cannot be used.
pub type ClientLookup = Result<Client, &'static str>;

/// Looks up the app with a client id for a signed-in person. If the client id is a URL, a worker may have to
/// fetch its document first.
///
/// # Errors
/// `rate_limited` if the person requests too many new apps; `capacity_exhausted`; `service_unavailable`.
#[boxed]
pub async fn request_client(
    domain: &Domain,
    account_id: AccountId,
    client_id: &str,
) -> kernel::error::Result<Progress<PendingClient>> {
    if let Some(client) = lookup_without_fetch(domain, client_id).await? {
        return Ok(Progress::Done(client));
    }
    let row = find(domain, client_id).await?;
    if let Some(client) = cached_client(row, client_id, domain.now()) {
        return Ok(Progress::Done(client));
    }
    let limits = domain.limits();
    let windows = limits.windows();
    let counter = Counter { key: format!("oauth-client:{account_id}"), policies: PER_ACCOUNT.to_vec() };
    let charges = windows.check_each(vec![counter], domain.now()).await;
    if let Some(refusal) = charges.refusal() {
        let message = "Too many new apps were requested with this account. Try again later.";
        return Err(Error::new(Code::RateLimited, message).retry_after(refusal.retry_after()));
    }
    let submitted = submit_fetch(domain, client_id).await;
    if !submitted.as_ref().is_ok_and(|job| !job.joined) {
        windows.refund_each(&charges).await;
    }
    Ok(Progress::Waiting { job: submitted?, pending: PendingClient { client_id: client_id.to_owned() } })
}

/// Looks up a client id without fetching anything. Returns the registered app, or a message that the id cannot be used;
/// `None` if the id is a URL that may be fetched.
///
/// # Errors
/// `service_unavailable`.
pub(super) async fn lookup_without_fetch(domain: &Domain, client_id: &str) -> Result<Option<ClientLookup>> {
    if document_rules::is_document_url(client_id) {
        let is_fetchable = document_rules::document_url(client_id, &domain.policy().fetch).is_some();
        return Ok((!is_fetchable).then_some(Err(UNUSABLE)));
    }
    let client = Clients::of(domain).await?.find(client_id);
    Ok(Some(client.ok_or(UNKNOWN)))
}

/// Submits a job that fetches a document, or joins the running one.
pub(super) async fn submit_fetch(domain: &Domain, client_id: &str) -> Result<Submitted> {
    let transaction = domain.db().begin().await?;
    let submitted = jobs::submit(&transaction, domain, NewJob::new(JobKind::OAuthClient, client_id)).await?;
    transaction.commit().await?;
    Ok(submitted)
}

impl Pending for PendingClient {
    type Answer = ClientLookup;

    async fn resume(self, domain: &Domain, outcome: WaitOutcome) -> Result<ClientLookup> {
        match outcome {
            WaitOutcome::Ended(_) => {
                let row = find(domain, &self.client_id).await?;
                Ok(cached_client(row, &self.client_id, domain.now()).unwrap_or(Err(UNUSABLE)))
            }
            WaitOutcome::TimedOut => Ok(Err(UNUSABLE)),
            WaitOutcome::Failed(error) => Err(error),
        }
    }
}

/// Loads the row of a document.
pub(super) async fn find(domain: &Domain, client_id: &str) -> Result<Option<Model>> {
    Ok(Entity::find_by_id(client_id).one(domain.db().write()).await?)
}

/// Returns the app of a row, regardless of the row's age. `None` if it has no valid document.
pub(super) fn client_of(row: &Model) -> Option<Client> {
    let document: ClientDocument = serde_json::from_str(row.document.as_deref()?).ok()?;
    Some(Client {
        id: row.client_id.clone(),
        name: document.name,
        redirect_uris: document.redirect_uris,
        auth: document.auth,
        may_refresh: document.may_refresh,
        document_host: fetch::Url::parse(&row.client_id).ok()?.host_str().map(str::to_owned),
    })
}

/// Returns the cached result for a document. `None` if it has to be fetched.
fn cached_client(row: Option<Model>, client_id: &str, now: Millis) -> Option<ClientLookup> {
    let row = row.filter(|row| row.client_id == client_id)?;
    let is_usable = row.document.is_some() && now < row.fetched_at + MAX_STALE;
    match (is_usable, now < row.fresh_until, now < row.failed_until) {
        (true, true, _) | (true, false, true) => Some(client_of(&row).ok_or(UNUSABLE)),
        (false, _, true) => Some(Err(UNUSABLE)),
        (true, false, false) | (false, _, false) => None,
    }
}

/// Fetches the document of a claimed job, and its keys.
///
/// # Errors
/// `service_unavailable` if the result could not be written.
#[boxed]
pub async fn fetch_client(domain: &Domain, fetcher: &Fetcher, claimed: &Claimed) -> Result<()> {
    let document = fetch_document(domain, fetcher, &claimed.key).await;
    let transaction = domain.db().begin().await?;
    write(&transaction, &claimed.key, document, domain.now()).await?;
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    Ok(())
}

/// A valid document.
struct FetchedDocument {
    document: ClientDocument,
    keys: Option<String>,
    fresh_ms: Millis,
}

async fn fetch_document(domain: &Domain, fetcher: &Fetcher, client_id: &str) -> Option<FetchedDocument> {
    let policy = domain.policy();
    document_rules::document_url(client_id, &policy.fetch)?;
    let fetched = fetcher.json(client_id, MAX_DOCUMENT, DEADLINE).await.ok()?;
    let origins = [policy.base_url.as_str(), policy.account_url.as_str()];
    let document = document_rules::parse(client_id, &fetched.body, &origins, &policy.fetch)?;
    let keys = match &document.keys {
        Keys::None => None,
        Keys::Inline(keys) => Some(keys.clone()),
        Keys::At(address) => {
            let keys = fetcher.json(address, MAX_KEYS, DEADLINE).await.ok();
            keys.and_then(|keys| String::from_utf8(keys.body.to_vec()).ok())
        }
    };
    Some(FetchedDocument { document, keys, fresh_ms: freshness(&fetched) })
}

/// Freshness lifetime from the headers of the response, clamped to [`FRESHNESS`].
fn freshness(fetched: &Fetched) -> Millis {
    let (cache, expires, date) = (&fetched.cache_control, &fetched.expires, &fetched.date);
    let lifetime = kernel::cache_control::freshness_ms(cache.as_deref(), expires.as_deref(), date.as_deref());
    lifetime.clamp(*FRESHNESS.start(), *FRESHNESS.end())
}

/// Writes the result of a fetch. After a failure, the cached document is retained, but the attempt counts as
/// a fetch of the keys.
async fn write(
    connection: &impl ConnectionTrait,
    client_id: &str,
    fetched: Option<FetchedDocument>,
    now: Millis,
) -> Result<()> {
    let (row, columns) = if let Some(good) = fetched {
        // If the keys could not be fetched this time, the stored keys may still be valid.
        let has_keys = good.keys.is_some() || !matches!(good.document.keys, Keys::At(_));
        let row = Model {
            client_id: client_id.to_owned(),
            document: Some(serde_json::to_string(&good.document).map_err(Error::internal)?),
            fetched_at: now,
            fresh_until: now + good.fresh_ms,
            failed_until: 0,
            keys: good.keys,
            keys_at: now,
        };
        let columns =
            [Column::Document, Column::FetchedAt, Column::FreshUntil, Column::FailedUntil, Column::KeysAt];
        (row, columns.into_iter().chain(has_keys.then_some(Column::Keys)).collect::<Vec<_>>())
    } else {
        let row = Model {
            client_id: client_id.to_owned(),
            document: None,
            fetched_at: 0,
            fresh_until: 0,
            failed_until: now + FAILURE_TTL,
            keys: None,
            keys_at: now,
        };
        (row, vec![Column::FailedUntil, Column::KeysAt])
    };
    let on_conflict = OnConflict::column(Column::ClientId).update_columns(columns).to_owned();
    let row = row.into_active_model();
    oauth_client_document::Entity::insert(row)
        .on_conflict(on_conflict)
        .exec_without_returning(connection)
        .await?;
    Ok(())
}

/// Deletes unused documents and expired replay-protection rows. Returns the number of deleted rows.
///
/// # Errors
/// Database errors.
#[boxed]
pub async fn remove_unused_clients(domain: &Domain) -> Result<u64> {
    let documents = UNUSED.delete(domain.db().write(), &[(domain.now() - MAX_STALE).into()]).await?;
    Ok(documents + replay::delete_expired(domain).await?)
}

#[cfg(test)]
mod tests {
    use super::super::client::ClientAuth;
    use super::*;

    const ID: &str = "https://example.org/client.json";

    fn row(fetched_at: Millis, fresh_until: Millis, failed_until: Millis) -> Model {
        let document = ClientDocument {
            name: "Reader".to_owned(),
            redirect_uris: vec!["https://example.org/back".to_owned()],
            auth: ClientAuth::Public,
            may_refresh: true,
            keys: Keys::None,
        };
        let document = (fetched_at > 0).then(|| serde_json::to_string(&document).unwrap());
        let client_id = ID.to_owned();
        Model { client_id, document, fetched_at, fresh_until, failed_until, keys: None, keys_at: 0 }
    }

    #[test]
    fn cached_document_is_used_while_fresh_and_for_a_day_if_its_source_fails() {
        let is_used = |row: Model, now| cached_client(Some(row), ID, now).map(|client| client.is_ok());
        assert_eq!(is_used(row(1_000, 2_000, 0), 1_500), Some(true));
        assert_eq!(is_used(row(1_000, 2_000, 0), 2_000), None, "a stale document is fetched again");
        assert_eq!(
            is_used(row(1_000, 2_000, 9_000), 3_000),
            Some(true),
            "a stale document is used while its source fails"
        );
        assert_eq!(
            is_used(row(1_000, 2_000, DAY + 9_000), DAY + 2_000),
            Some(false),
            "the source has failed for too long"
        );
        assert_eq!(is_used(row(0, 0, 9_000), 3_000), Some(false), "the document was never valid");
        assert_eq!(is_used(row(0, 0, 9_000), 9_000), None);
        assert_eq!(cached_client(None, ID, 0), None);
        let client = client_of(&row(1_000, 2_000, 0)).unwrap();
        assert_eq!((client.id.as_str(), client.document_host.as_deref()), (ID, Some("example.org")));
    }
}
