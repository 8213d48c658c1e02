//! `WebSub` subscriber (W3C Recommendation of 2018): asks the hubs that feeds declare to push new entries.
//!
//! A message from a hub is accepted only if its signature is valid. The message makes the feed due
//! immediately, but entries are always read from the feed itself. While a lease is active, the feed is polled
//! daily.

mod sql;

use async_recursion::async_recursion as boxed;
use std::collections::HashMap;

use data_encoding::{BASE32_NOPAD, HEXLOWER};
use entities::feed_hub::Column;
use entities::ids::FeedId;
use entities::{feed, feed_hub};
use extract::feed::Hub;
use extract::feed::link_header::{self, HeaderLink};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, QueryFilter,
};
use subtle::ConstantTimeEq;

use super::schedule::REFRESH_PAUSE;
use articles::worker_tools::Tools;
use jobs::due;
use jobs::{JobKind, NewJob, Submitted};
use kernel::clock::{DAY, HOUR, MINUTE};
use kernel::statement::execute;
use kernel::{Code, Domain, Error, Millis, Result};

/// State of a hub that has not verified the subscription yet.
const PENDING: &str = "pending";
/// State of a hub that has verified the subscription.
const ACTIVE: &str = "active";
/// State of a hub to which no requests are sent for a week.
const FAILED: &str = "failed";
/// Requested duration of a lease in seconds.
const LEASE_SECONDS: u32 = 7 * 24 * 60 * 60;
/// Time before its expiry at which a lease is renewed, in milliseconds.
const RENEW_BEFORE: Millis = DAY;
/// Number of requests without verification after which no requests are sent to a hub for a week.
const MAX_ATTEMPTS: i32 = 5;
/// Maximum number of hub requests submitted per tick.
const STEP: u32 = 50;

/// Parameters of a hub's verification request, which is a GET request to our callback.
#[derive(Clone, Debug)]
pub struct Verification {
    /// `subscribe`, `unsubscribe`, or `denied`.
    pub mode: String,
    /// Topic URL of the feed.
    pub topic: String,
    /// Challenge that the response must repeat.
    pub challenge: Option<String>,
    /// Duration of the lease in seconds.
    pub lease_seconds: Option<u64>,
}

/// State of a feed's hub.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum HubState {
    /// The feed declares no hub.
    #[default]
    None,
    /// The feed declares a hub that has no active lease.
    Named,
    /// The hub of the feed has an active lease.
    Pushed,
}

/// Returns the hub states of feeds. Feeds that declare no hub are omitted.
pub(super) async fn states(
    connection: &impl ConnectionTrait,
    feed_ids: &[FeedId],
    now: Millis,
) -> Result<HashMap<FeedId, HubState>> {
    if feed_ids.is_empty() {
        return Ok(HashMap::new());
    }
    let named = feed_hub::Entity::find().filter(Column::FeedId.is_in(feed_ids.iter().copied()));
    let state = |hub: feed_hub::Model| {
        let is_live = hub.state == ACTIVE && hub.lease_until.is_some_and(|until| until > now);
        (hub.feed_id, if is_live { HubState::Pushed } else { HubState::Named })
    };
    Ok(named.all(connection).await?.into_iter().map(state).collect())
}

/// Records the first hub that can receive a secret, which requires TLS or a loopback address. A feed declares
/// hubs in its `Link` headers (RFC 8288) or its body. If the hub or topic changed, the subscription starts
/// over. If there is no such hub, the feed is no longer pushed.
pub(super) async fn record(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    feed: &feed::Model,
    before: HubState,
    hub: &Hub,
    links: &[String],
) -> Result<()> {
    let feed_id = feed.id;
    let linked: Vec<HeaderLink> = links.iter().flat_map(|line| link_header::parse(line)).collect();
    let header = |relation: &'static str| {
        linked.iter().filter(move |link| link.has_relation(relation)).map(|link| link.url.clone())
    };
    let mut hubs = header("hub").chain(hub.hubs.iter().cloned());
    let Some(hub_url) = hubs.find(|url| fetch::is_confidential(url)) else {
        if before != HubState::None {
            feed_hub::Entity::delete_by_id(feed_id).exec(transaction).await?;
        }
        return Ok(());
    };
    let topic = header("self").next().or_else(|| hub.topic.clone()).unwrap_or_else(|| feed.url.clone());
    let token = BASE32_NOPAD.encode(&domain.random::<20>()).to_lowercase();
    let secret = HEXLOWER.encode(&domain.random::<32>());
    let hub = feed_hub::Model {
        feed_id,
        hub_url,
        topic_url: topic,
        token,
        secret,
        state: PENDING.to_owned(),
        lease_until: None,
        next_try_at: Some(domain.now()),
        attempts: 0,
    };
    sql::upsert_if_changed(transaction, hub).await
}

/// Submits jobs for the hubs that are due.
#[boxed]
pub async fn claim_due(domain: &Domain) -> Result<Vec<Submitted>> {
    let transaction = domain.db().begin().await?;
    let now = due::current_time(&transaction, domain).await?;
    let mut jobs = Vec::new();
    for feed_id in sql::claim(&transaction, now, now + HOUR, STEP).await? {
        jobs.push(
            jobs::submit(&transaction, domain, NewJob::new(JobKind::FeedHub, feed_id.to_string())).await?,
        );
    }
    transaction.commit().await?;
    Ok(jobs)
}

/// Asks a hub, in a worker, to push a feed to our callback. Does nothing if the deployment has no public
/// callback URL. The hub verifies the subscription in a separate request; until then, the feed is polled as
/// usual.
///
/// # Errors
/// `Unavailable` or `Internal` if the result cannot be written.
#[boxed]
pub async fn subscribe(domain: &Domain, tools: &Tools, claimed: &jobs::Claimed) -> Result<()> {
    let feed_id: FeedId = claimed.key.parse().map_err(Error::internal)?;
    let hub = feed_hub::Entity::find_by_id(feed_id).one(domain.db().read()).await?;
    let hub = hub.filter(|hub| fetch::is_confidential(&hub.hub_url));
    let (Some(hub), Some(base_url)) = (hub, &tools.settings.callback_url) else {
        return jobs::complete(domain, claimed).await;
    };
    let callback = format!("{}/websub/{}", base_url.trim_end_matches('/'), hub.token);
    let fields = [
        ("hub.callback", callback),
        ("hub.mode", "subscribe".to_owned()),
        ("hub.topic", hub.topic_url.clone()),
        ("hub.secret", hub.secret.clone()),
        ("hub.lease_seconds", LEASE_SECONDS.to_string()),
    ];
    let accepted = tools.fetcher.post_form(&hub.hub_url, &fields, tools.settings.fetch_timeout).await.is_ok();
    let now = domain.now();
    let attempts = hub.attempts.saturating_add(1);
    let next = match (accepted, attempts < MAX_ATTEMPTS) {
        // The hub should verify within an hour. Otherwise the request is sent again.
        (true, true) => now + HOUR,
        (false, true) => now + ((10 * MINUTE) << attempts),
        (_, false) => now + 7 * DAY,
    };
    let attempts = if attempts < MAX_ATTEMPTS { attempts } else { 0 };
    let transaction = domain.db().begin().await?;
    sql::record_request(
        &transaction,
        &hub,
        sql::HubRequest { attempts, next, renewal_due: now + RENEW_BEFORE },
    )
    .await?;
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    Ok(())
}

/// Answers a hub's verification request. Returns the challenge.
///
/// # Errors
/// `not_found` if we did not request this subscription.
#[boxed]
pub async fn verify(domain: &Domain, token: &str, question: Verification) -> Result<String> {
    let hub = by_token(domain, token).await?;
    let now = domain.now();
    if question.mode == "denied" {
        let denied = feed_hub::ActiveModel {
            state: Set(FAILED.to_owned()),
            lease_until: Set(None),
            next_try_at: Set(Some(now + 7 * DAY)),
            ..Default::default()
        };
        update_hub(domain, hub.feed_id, denied).await?;
        return Ok(String::new());
    }
    let challenge = question.challenge.filter(|challenge| challenge.len() <= 4096);
    let (true, Some(challenge)) =
        (question.mode == "subscribe" && question.topic == hub.topic_url, challenge)
    else {
        return Err(unknown());
    };
    let seconds = question.lease_seconds.unwrap_or(u64::from(LEASE_SECONDS)).clamp(60, 30 * 24 * 60 * 60);
    let lease = i64::try_from(seconds).unwrap_or(0) * 1000;
    let renewal = (lease - RENEW_BEFORE).max(lease / 2);
    let promised = feed_hub::ActiveModel {
        state: Set(ACTIVE.to_owned()),
        lease_until: Set(Some(now + lease)),
        next_try_at: Set(Some(now + renewal)),
        attempts: Set(0),
        ..Default::default()
    };
    update_hub(domain, hub.feed_id, promised).await?;
    Ok(challenge)
}

/// Updates the hub of a feed if the feed still has one.
async fn update_hub(domain: &Domain, feed_id: FeedId, changes: feed_hub::ActiveModel) -> Result<()> {
    let hub = feed_hub::Entity::update_many().set(changes).filter(Column::FeedId.eq(feed_id));
    hub.exec(domain.db().write()).await?;
    Ok(())
}

/// Message from a hub while its body is being received. The body is hashed in pieces and not stored, because
/// only its signature matters.
pub struct HubDelivery {
    feed_id: FeedId,
    signature: Option<SignatureCheck>,
}

/// Incremental verification of a signature against the received body.
struct SignatureCheck {
    state: ring::hmac::Context,
    expected: Vec<u8>,
}

impl HubDelivery {
    /// Starts receiving a message for the callback `token`, before the body is read.
    ///
    /// # Errors
    /// `not_found` if the callback is unknown.
    #[boxed]
    pub async fn begin(domain: &Domain, token: &str, signature: Option<&str>) -> Result<Self> {
        let hub = by_token(domain, token).await?;
        let signature = signature.and_then(|signature| SignatureCheck::of(&hub.secret, signature));
        Ok(Self { feed_id: hub.feed_id, signature })
    }

    /// Returns the feed that the message is about.
    pub fn feed_id(&self) -> FeedId {
        self.feed_id
    }

    /// Hashes the next piece of the body.
    pub fn update(&mut self, piece: &[u8]) {
        if let Some(check) = &mut self.signature {
            check.state.update(piece);
        }
    }

    /// Completes the message. If the signature is valid, the feed becomes due: immediately, or, if no poll
    /// completed since the last message or refresh, five minutes after that. Without this delay, a feed whose
    /// hub sends messages faster than a poll completes would be claimed again before each result is written.
    /// If the signature is invalid, nothing changes, but the sender receives the same response (section 7.1.2
    /// of the recommendation). Returns whether the message was accepted.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    #[boxed]
    pub async fn finish(self, domain: &Domain) -> Result<bool> {
        if !self.signature.is_some_and(SignatureCheck::holds) {
            metrics::counter!("carrel_websub_total", "outcome" => "bad_signature").increment(1);
            return Ok(false);
        }
        let now = domain.now();
        let sql = "UPDATE feed SET refreshed_at = $1, next_poll_at = CASE WHEN next_poll_at > $1 THEN $1 \
                   ELSE next_poll_at END WHERE id = $2 AND next_poll_at IS NOT NULL \
                   AND (refreshed_at IS NULL OR refreshed_at < last_fetched_at OR refreshed_at <= $3)";
        let values = [now.into(), self.feed_id.into(), (now - REFRESH_PAUSE).into()];
        if execute(domain.db().write(), sql, values).await? == 0 {
            let sql = "UPDATE feed SET next_poll_at = refreshed_at + $1 WHERE id = $2 AND next_poll_at > refreshed_at + $1";
            execute(domain.db().write(), sql, [REFRESH_PAUSE.into(), self.feed_id.into()]).await?;
        }
        metrics::counter!("carrel_websub_total", "outcome" => "received").increment(1);
        Ok(true)
    }
}

impl SignatureCheck {
    /// Parses a signature such as `sha256=<hex>`. Accepts SHA-256, SHA-384, and SHA-512. SHA-1 is broken and
    /// rejected.
    fn of(secret: &str, signature: &str) -> Option<Self> {
        let (method, tag) = signature.split_once('=')?;
        let algorithm = match method.trim().to_ascii_lowercase().as_str() {
            "sha256" => ring::hmac::HMAC_SHA256,
            "sha384" => ring::hmac::HMAC_SHA384,
            "sha512" => ring::hmac::HMAC_SHA512,
            _ => return None,
        };
        let expected = HEXLOWER.decode(tag.trim().to_ascii_lowercase().as_bytes()).ok()?;
        let key = ring::hmac::Key::new(algorithm, secret.as_bytes());
        Some(Self { state: ring::hmac::Context::with_key(&key), expected })
    }

    fn holds(self) -> bool {
        self.state.sign().as_ref().ct_eq(&self.expected).into()
    }
}

async fn by_token(domain: &Domain, token: &str) -> Result<feed_hub::Model> {
    let hub =
        feed_hub::Entity::find().filter(feed_hub::Column::Token.eq(token)).one(domain.db().read()).await?;
    hub.ok_or_else(unknown)
}

fn unknown() -> Error {
    Error::new(Code::NotFound, "Unknown subscription.")
}
