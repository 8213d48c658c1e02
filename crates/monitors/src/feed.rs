//! Feeds of monitors: an address that cannot be guessed, the newest changes in three forms, and the
//! addresses that are gone. Whoever knows the address may read the feed; nothing else is asked.

mod atom;
mod content;
mod json;
mod rss;

use data_encoding::HEXLOWER;
use entities::ids::{ChangeId, MonitorId};
use entities::{monitor, monitor_change, monitor_feed};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder, QuerySelect,
};
use sha2::{Digest, Sha256};

use self::content::Content;
use super::feed_form::{FeedForm, feed_url};
use super::monitor::Monitor;
use super::render::{self, Item, Links, token_hash};
use super::rows::owner_plan;
use kernel::clock::Millis;
use kernel::code::Code;
use kernel::error::{Error, Result, not_found};
use kernel::handle::Domain;

/// Characters of the secret part of an address.
const TOKEN: usize = 32;
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Changes in a feed.
pub(super) const NEWEST: u64 = 100;
/// Items in a feed: a change of a sitemap is one for each address.
const MOST_ITEMS: usize = 200;
/// What a change in how feeds are written raises, so that no reader keeps an old form.
const FORM_VERSION: &str = "2";

/// A feed as it is given out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feed {
    /// What stands for exactly this text, in quotes: a strong validator (RFC 9110, 8.8.3).
    pub etag: String,
    /// When it last changed.
    pub updated_at: Millis,
    /// The text; none when the caller has it already.
    pub body: Option<String>,
}

/// A secret of 32 letters and digits: 190 bits.
pub(super) fn new_token(domain: &Domain) -> String {
    let mut token = String::with_capacity(TOKEN);
    while token.len() < TOKEN {
        // Of 256 bytes the first four times 62 are taken, so that every character is as likely.
        let usable = domain.random::<32>().into_iter().filter(|byte| *byte < 248);
        let letters = usable.map(|byte| char::from(BASE62[usize::from(byte % 62)]));
        token.extend(letters.take(TOKEN - token.len()));
    }
    token
}

/// Takes note that an address was given out. What was given out once answers for ever: with the feed, or
/// with the word that it is gone.
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

/// The feed behind a secret, in one of its forms; without its text when `known` is its validator.
///
/// # Errors
/// `not_found` for a secret that never was; `feed_gone` for one that was replaced, or whose monitor was
/// deleted.
pub async fn find_feed(
    domain: &Domain,
    token: &str,
    form: FeedForm,
    known: impl FnOnce(&str) -> bool,
) -> Result<Feed> {
    if token.len() != TOKEN || !token.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(not_found("feed"));
    }
    let connection = domain.db().read();
    let given = monitor_feed::Entity::find_by_id(token_hash(token)).one(connection).await?;
    let given = given.ok_or_else(|| not_found("feed"))?;
    let row = monitor::Entity::of_any_owner(given.monitor_id)
        .filter(monitor::Column::FeedToken.eq(token))
        .one(connection)
        .await?;
    let row = row.ok_or_else(gone)?;
    let monitor = Monitor::of(&row, owner_plan(domain, row.account_id).await?)?;
    let newest = monitor_change::Entity::find()
        .filter(monitor_change::Column::MonitorId.eq(monitor.id))
        .order_by_desc(monitor_change::Column::Id)
        .limit(NEWEST)
        .all(connection)
        .await?;
    let etag = validator(&monitor, newest.first().map(|newest| newest.id), form, &domain.policy().base_url);
    let updated_at = newest.first().map_or(monitor.created_at, |newest| newest.detected_at);
    if known(&etag) {
        return Ok(Feed { etag, updated_at, body: None });
    }
    let links = Links::load(domain, &domain.policy().base_url, &monitor.feed_token).await?;
    let self_url = feed_url(&domain.policy().base_url, token, form);
    let body = tokio::task::spawn_blocking(move || {
        let mut items: Vec<Item> = Vec::new();
        for row in newest {
            items.extend(render::items(&row.try_into()?, &links));
        }
        items.truncate(MOST_ITEMS);
        let place = Place { self_url: &self_url, form };
        Ok::<_, Error>(write(&monitor, updated_at, place, &items))
    });
    let body = body.await.map_err(Error::internal)??;
    Ok(Feed { etag, updated_at, body: Some(body) })
}

/// Where a feed is found, and in which form.
#[derive(Clone, Copy)]
struct Place<'a> {
    self_url: &'a str,
    form: FeedForm,
}

fn write(monitor: &Monitor, updated_at: Millis, place: Place<'_>, items: &[Item]) -> String {
    let Place { self_url, form } = place;
    let about = format!("Changes of {}", monitor.target_url);
    let content = Content {
        title: &monitor.name,
        site_url: &monitor.target_url,
        self_url,
        about: &about,
        id: monitor.id,
        interval_minutes: monitor.interval_minutes,
        updated_at,
        items,
    };
    match form {
        FeedForm::Rss => rss::write(&content),
        FeedForm::Atom => atom::write(&content),
        FeedForm::Json => json::write(&content),
    }
}

/// Changes are never changed: what a feed says follows from the newest of them and the monitor's
/// name and interval.
fn validator(monitor: &Monitor, newest: Option<ChangeId>, form: FeedForm, base_url: &str) -> String {
    let newest = newest.unwrap_or(ChangeId::from_u128(0));
    let interval = monitor.interval_minutes.to_string();
    let parts = [FORM_VERSION, form.ending(), &monitor.feed_token, &monitor.name, &interval, base_url];
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part.as_bytes());
        digest.update([0]);
    }
    digest.update(newest.as_bytes());
    format!("\"{}\"", &HEXLOWER.encode(&digest.finalize())[..32])
}

/// The refusal of an address that was given out once.
pub(super) fn gone() -> Error {
    Error::new(Code::FeedGone, "This feed was given another address, or ended.")
}
