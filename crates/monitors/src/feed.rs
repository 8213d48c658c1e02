//! Public feeds of monitors and groups: secret URLs, the newest changes in three formats, and revoked URLs.
//! Knowing the URL is sufficient to read the feed; there is no other authentication.

mod atom;
mod content;
mod group;
mod json;
mod rss;

use std::collections::HashMap;

use data_encoding::HEXLOWER;
use entities::ids::{ChangeId, MonitorId};
use entities::{monitor, monitor_change, monitor_feed};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder, QuerySelect,
};
use sha2::{Digest, Sha256};

pub use self::content::FeedContent;
pub use self::group::{PublishedChange, PublishedGroup, find_group_feed, view_group};
use super::change::Change;
use super::change_explanation::{self, ChangeExplanation};
use super::change_side::ChangeSide;
use super::feed_format::{FeedFormat, feed_url};
use super::monitor::{Monitor, TargetType};
use super::render::{self, FeedItem, FeedScreenshot, Links, token_hash};
use super::rows::owner_plan;
use super::screenshots;
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Millis, Result};

/// Number of characters of a feed token.
const TOKEN_CHARS: usize = 32;
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Maximum number of changes in a feed.
pub(super) const MAX_CHANGES: u64 = 100;
/// Maximum number of items in a feed. A change to a sitemap has one item per URL.
const MAX_ITEMS: usize = 200;
/// Part of the validator. It is increased when the format of feeds changes, so that clients do not reuse a
/// cached feed in the old format.
const FORMAT_VERSION: &str = "3";

/// Rendered feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedFeed {
    /// Strong validator in quotation marks (RFC 9110, section 8.8.3).
    pub etag: String,
    /// Time of the newest change. If there is no change, time at which the monitor was created.
    pub updated_at: Millis,
    /// Text of the feed. `None` if the caller already has this version.
    pub body: Option<String>,
}

impl RenderedFeed {
    /// Creates a feed whose validator is a hash of its text. If `known` accepts the validator, the text is omitted.
    pub fn of_body(body: String, updated_at: Millis, known: impl FnOnce(&str) -> bool) -> Self {
        let etag = format!("\"{}\"", &HEXLOWER.encode(&Sha256::digest(body.as_bytes()))[..32]);
        let is_known = known(&etag);
        Self { etag, updated_at, body: (!is_known).then_some(body) }
    }
}

/// Creates a secret of 32 letters and digits, about 190 bits.
pub fn new_token(domain: &Domain) -> String {
    let mut token = String::with_capacity(TOKEN_CHARS);
    while token.len() < TOKEN_CHARS {
        // Bytes from 248 are rejected. Otherwise, some characters would be more frequent than others.
        let usable = domain.random::<32>().into_iter().filter(|byte| *byte < 248);
        let letters = usable.map(|byte| char::from(BASE62[usize::from(byte % 62)]));
        token.extend(letters.take(TOKEN_CHARS - token.len()));
    }
    token
}

/// Returns true if a text has the format of the tokens that [`new_token`] creates.
pub fn is_token(text: &str) -> bool {
    text.len() == TOKEN_CHARS && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Records an issued token permanently. Requests with the token return the feed or `feed_gone`.
pub(super) async fn register_token(
    connection: &impl ConnectionTrait,
    now: Millis,
    monitor_id: MonitorId,
    token: &str,
) -> Result<()> {
    let given = monitor_feed::Model { token_hash: token_hash(token), monitor_id, given_at: now };
    monitor_feed::Entity::insert(given.into_active_model()).exec_without_returning(connection).await?;
    Ok(())
}

/// Returns the feed of a token in one format. If `known` matches the feed's validator or the time of its
/// newest change, the text is omitted.
///
/// # Errors
/// `not_found` if the token was never issued; `feed_gone` if it was replaced or its monitor was deleted.
pub async fn find_feed(
    domain: &Domain,
    token: &str,
    form: FeedFormat,
    known: impl FnOnce(&str, Millis) -> bool,
) -> Result<RenderedFeed> {
    let connection = domain.db().read();
    let row = monitor::Entity::of_any_owner(find_owner(connection, token).await?)
        .filter(monitor::Column::FeedToken.eq(token))
        .one(connection)
        .await?;
    let row = row.ok_or_else(gone)?;
    let monitor = Monitor::of(&row, &owner_plan(domain, row.account_id).await?)?;
    let newest = monitor_change::Entity::find()
        .filter(monitor_change::Column::MonitorId.eq(monitor.id))
        .order_by_desc(monitor_change::Column::Id)
        .limit(MAX_CHANGES)
        .all(connection)
        .await?;
    let mut explanations = explanations_of(connection, &row, &monitor).await?;
    let explained_at = explanations.values().filter_map(|explanation| explanation.finished_at).max();
    let newest_id = newest.first().map(|newest| newest.id);
    let etag = validator(&monitor, (newest_id, explained_at), form, &domain.policy().base_url);
    let changed_at = newest.first().map_or(monitor.created_at, |newest| newest.detected_at);
    let updated_at = changed_at.max(explained_at.unwrap_or(changed_at));
    if known(&etag, updated_at) {
        return Ok(RenderedFeed { etag, updated_at, body: None });
    }
    let links = Links::load(domain, &domain.policy().base_url, &monitor.feed_token).await?;
    let self_url = feed_url(&domain.policy().base_url, token, form);
    let screenshots = if monitor.target_type == TargetType::Visual {
        screenshots::of_monitor(connection, row.account_id, monitor.id).await?
    } else {
        HashMap::new()
    };
    let body = tokio::task::spawn_blocking(move || {
        let mut items: Vec<FeedItem> = Vec::new();
        for row in newest {
            let screenshot = row.after_hash.as_ref().and_then(|hash| screenshots.get(hash));
            let screenshot = screenshot.map(|screenshot| FeedScreenshot {
                url: format!("{}/{}", links.of(row.id), ChangeSide::After.file_name()),
                size_bytes: screenshot.size_bytes.unsigned_abs(),
            });
            let explanation = explanations.remove(&row.id);
            let change = Change { explanation, ..row.try_into()? };
            let of_change = render::items(&change, &links).into_iter();
            items.extend(of_change.map(|item| item.with_screenshot(screenshot.clone())));
        }
        items.truncate(MAX_ITEMS);
        let about = format!("Changes of {}", monitor.target_url);
        let content = FeedContent {
            title: &monitor.name,
            site_url: &monitor.target_url,
            self_url: &self_url,
            about: &about,
            id: monitor.id.as_uuid(),
            interval_minutes: monitor.interval_minutes,
            updated_at,
            items: &items,
        };
        Ok::<_, Error>(write(&content, form))
    });
    let body = body.await.map_err(Error::internal)??;
    Ok(RenderedFeed { etag, updated_at, body: Some(body) })
}

/// Loads the explanations of the newest changes of a monitor, if it explains its changes.
async fn explanations_of(
    connection: &impl ConnectionTrait,
    row: &monitor::Model,
    monitor: &Monitor,
) -> Result<HashMap<ChangeId, ChangeExplanation>> {
    match monitor.definition.explanation {
        Some(_) => change_explanation::newest(connection, row.account_id, row.id, MAX_CHANGES).await,
        None => Ok(HashMap::new()),
    }
}

/// Returns the monitor for which a token was issued. For the token of a group, returns the id of the group.
///
/// # Errors
/// `not_found` if the token was never issued.
async fn find_owner(connection: &impl ConnectionTrait, token: &str) -> Result<MonitorId> {
    if !is_token(token) {
        return Err(not_found("feed"));
    }
    let given = monitor_feed::Entity::find_by_id(token_hash(token)).one(connection).await?;
    given.map(|given| given.monitor_id).ok_or_else(|| not_found("feed"))
}

/// Writes a feed in one format.
pub fn write(content: &FeedContent<'_>, form: FeedFormat) -> String {
    match form {
        // XML cannot represent all characters that names may contain, such as U+FFFE, not even escaped.
        FeedFormat::Rss => render::clean(&rss::write(content)),
        FeedFormat::Atom => render::clean(&atom::write(content)),
        FeedFormat::Json => json::write(content),
    }
}

/// Validator of a feed. Changes are immutable, so the newest change, the time of the latest explanation, and the name and
/// interval of the monitor determine the text.
fn validator(
    monitor: &Monitor,
    (newest, explained_at): (Option<ChangeId>, Option<Millis>),
    form: FeedFormat,
    base_url: &str,
) -> String {
    let newest = newest.unwrap_or(ChangeId::from_u128(0));
    let interval = monitor.interval_minutes.to_string();
    let explained_at = explained_at.map(|at| at.to_string());
    let mut parts =
        vec![FORMAT_VERSION, form.extension(), &monitor.feed_token, &monitor.name, &interval, base_url];
    parts.extend(explained_at.as_deref());
    digest_of(&parts, newest.as_bytes())
}

/// Strong validator of a text that depends only on these parts and changes.
fn digest_of(parts: &[&str], changes: &[u8]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part.as_bytes());
        digest.update([0]);
    }
    digest.update(changes);
    format!("\"{}\"", &HEXLOWER.encode(&digest.finalize())[..32])
}

/// Error for the token of a feed that was revoked.
pub(super) fn gone() -> Error {
    Error::new(Code::FeedGone, "This feed was deleted or has a new address.")
}
