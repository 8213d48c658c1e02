//! Feed addresses. Each address belongs to one feed. The feed is created when an account first follows the
//! address, or when another feed moves to it. Only feeds with followers are polled.

use std::borrow::Cow;

use data_encoding::HEXLOWER;
use entities::ids::FeedId;
use entities::{feed, feed_address};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter,
};
use sha2::{Digest, Sha256};

use super::schedule::spread;
use kernel::clock::SECOND;
use kernel::{Code, Error, Millis, Result};

/// Maximum length of a key that is stored as it is, in bytes. An index entry of PostgreSQL has at most 2,704 bytes.
const MAX_PLAIN_KEY_BYTES: usize = 2_600;

/// Returns the feed with this address. `None` if no such feed exists.
pub(super) async fn find_feed(connection: &impl ConnectionTrait, url: &str) -> Result<Option<FeedId>> {
    find_feed_of_key(connection, &key_of(url)?).await
}

/// Returns the feed whose address has this key. `None` if no such feed exists.
pub(super) async fn find_feed_of_key(connection: &impl ConnectionTrait, key: &str) -> Result<Option<FeedId>> {
    let stored = stored_key(key);
    let mut known = feed_address::Entity::find_by_id(&*stored).one(connection).await?;
    if known.is_none() && stored != key {
        // Earlier versions stored long keys as they are, if the database allowed it.
        known = feed_address::Entity::find_by_id(key).one(connection).await?;
    }
    Ok(known.map(|known| known.feed_id))
}

/// Returns the form in which a key is stored. A long key is replaced by its hash, which no key without a hash equals,
/// because the hash is not a port.
fn stored_key(key: &str) -> Cow<'_, str> {
    if key.len() <= MAX_PLAIN_KEY_BYTES {
        return Cow::Borrowed(key);
    }
    Cow::Owned(format!("sha256:{}", HEXLOWER.encode(&Sha256::digest(key.as_bytes()))))
}

/// Returns the key of the address of a shared feed.
pub(super) fn key_of(url: &str) -> Result<String> {
    extract::feed::feed_key(url).ok_or_else(|| {
        Error::new(Code::InvalidUrl, "The feed address must be an absolute http or https URL.")
    })
}

/// Address and initial title of a feed.
pub(super) struct NewFeedAddress<'a> {
    /// Key of the address.
    pub(super) key: &'a str,
    pub(super) url: &'a str,
    pub(super) title: Option<&'a str>,
}

/// Returns the feed with this address. Creates it if it does not exist.
pub(super) async fn find_or_create_feed(
    connection: &impl ConnectionTrait,
    now: Millis,
    new: NewFeedAddress<'_>,
) -> Result<FeedId> {
    let NewFeedAddress { key, url, title } = new;
    for _ in 0..2 {
        if let Some(known) = find_feed_of_key(connection, key).await? {
            return Ok(known);
        }
        let row = feed::ActiveModel {
            url: Set(url.to_owned()),
            host: Set(extract::feed::site(url).unwrap_or_default()),
            title: Set(title.map(str::to_owned)),
            trust_guid: Set(true),
            trust_url: Set(true),
            gone: Set(false),
            created_at: Set(now),
            ..Default::default()
        };
        let feed_id = row.insert(connection).await?.id;
        let address =
            feed_address::ActiveModel { url: Set(stored_key(key).into_owned()), feed_id: Set(feed_id) };
        let inserted = feed_address::Entity::insert(address)
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(connection)
            .await?;
        if inserted == 1 {
            return Ok(feed_id);
        }
        // Another transaction created the address first. Use the feed of that transaction.
        feed::Entity::delete_by_id(feed_id).exec(connection).await?;
    }
    Err(Error::internal("failed to find or create the feed address"))
}

/// Schedules a newly followed feed for a poll soon, if it was never polled or is polled rarely. Polls are
/// distributed over two seconds, so that many feeds are not polled at the same moment.
pub(super) async fn poll_soon(connection: &impl ConnectionTrait, now: Millis, feed_id: FeedId) -> Result<()> {
    let soon = now + spread(feed_id.as_i64(), 2 * SECOND);
    let seldom =
        Condition::any().add(feed::Column::Gone.eq(true)).add(feed::Column::SuccessorId.is_not_null());
    let rarely_polled = Condition::all().add(feed::Column::NextPollAt.gt(soon)).add(seldom);
    let resting = Condition::any().add(feed::Column::NextPollAt.is_null()).add(rarely_polled);
    let awake = feed::ActiveModel {
        next_poll_at: Set(Some(soon)),
        not_found: Set(0),
        not_found_since: Set(None),
        ..Default::default()
    };
    feed::Entity::update_many()
        .set(awake)
        .filter(feed::Column::Id.eq(feed_id))
        .filter(resting)
        .exec(connection)
        .await?;
    Ok(())
}
