//! A subscription as its follower sees it.

use entities::feed;
use entities::ids::{AccountId, CollectionId, FeedId, SubscriptionId};
use sea_orm::{ConnectionTrait, FromQueryResult, QueryResult, Value};

use super::source_kind::SourceKind;
use super::sources::{MAX_COUNT_OF_FEED, NO_TWIN, UnreadCount};
use kernel::clock::{Millis, rfc3339};
use kernel::error::Result;
use kernel::error::not_found;
use kernel::statement::statement;
use kernel::tiers::{Tier, Tiers};

/// A followed feed as its follower sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// Counts from 1.
    pub id: SubscriptionId,
    /// The feed, which others may follow too.
    pub feed_id: FeedId,
    /// The one collection it lies in.
    pub collection_id: CollectionId,
    /// Where the feed is fetched.
    pub feed_url: String,
    /// The page of the feed.
    pub site_url: Option<String>,
    /// The follower's title, else the feed's, else its address.
    pub title: String,
    /// One line about the feed.
    pub description: Option<String>,
    /// When it last answered well.
    pub last_fetched_at: Option<Millis>,
    /// What is wrong with it, and when it is tried again.
    pub last_error: Option<String>,
    /// Entries not read yet, up to a bound.
    pub unread_count: i64,
    /// There are more than that.
    pub unread_partial: bool,
    /// A fixed interval in minutes, not shorter than the plan allows now; none for an adaptive one.
    pub interval_minutes: Option<i32>,
    /// Article text instead of the feed's summary.
    pub full_text: bool,
    /// When it was followed.
    pub created_at: Millis,
    /// The feed that it was before that one moved.
    pub moved_from: Option<MovedFrom>,
    /// What it is from.
    pub source_kind: SourceKind,
}

/// Where a feed was before it moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedFrom {
    /// Its address then: a change of the subscription to that one undoes the move.
    pub feed_url: String,
    /// When its followers were moved.
    pub at: Millis,
}

/// Everything about subscriptions `s`, to be followed by a condition.
fn select() -> String {
    let most = MAX_COUNT_OF_FEED + 1;
    let own_mark = "rss_entry_mark m WHERE m.account_id = s.account_id AND m.feed_id = s.feed_id";
    format!(
        "SELECT s.id AS s_id, s.feed_id AS s_feed_id, s.collection_id AS s_collection_id, s.title AS s_title, \
         s.interval_minutes AS s_interval_minutes, s.full_text AS s_full_text, s.created_at AS s_created_at, \
         s.site_url AS s_site_url, a.tier AS a_tier, s.moved_at AS s_moved_at, was.url AS was_url, \
         (SELECT count(*) FROM (SELECT 1 FROM feed_entry e WHERE e.feed_id = s.feed_id AND e.id > s.read_through \
         AND NOT EXISTS (SELECT 1 FROM {own_mark} AND m.entry_id = e.id AND NOT m.unread) LIMIT {most}) n) \
         + (SELECT count(*) FROM (SELECT 1 FROM {own_mark} AND m.entry_id <= s.read_through AND m.unread \
         LIMIT {most}) n) \
         + (SELECT count(*) FROM (SELECT 1 FROM rss_former_feed o JOIN feed_entry e ON e.feed_id = o.feed_id \
         AND e.id <= o.last_entry_id LEFT JOIN rss_entry_mark m ON m.account_id = o.account_id \
         AND m.feed_id = e.feed_id AND m.entry_id = e.id WHERE o.subscription_id = s.id \
         AND COALESCE(m.unread, e.id > o.read_through) AND {NO_TWIN} LIMIT {most}) n) AS unread, \
         f.* FROM rss_subscription s JOIN account a ON a.id = s.account_id JOIN feed f ON f.id = s.feed_id \
         LEFT JOIN feed was ON was.id = s.moved_from_id"
    )
}

/// One subscription of the account.
pub(super) async fn load(
    connection: &impl ConnectionTrait,
    tiers: &Tiers,
    account_id: AccountId,
    id: SubscriptionId,
) -> Result<Subscription> {
    let condition = "s.account_id = $1 AND s.id = $2";
    let found = load_where(connection, tiers, condition, [account_id.into(), id.into()]).await?;
    found.into_iter().next().ok_or_else(|| not_found("subscription"))
}

/// Subscriptions of the account that satisfy a condition, which goes by `s`.
pub(super) async fn load_where(
    connection: &impl ConnectionTrait,
    tiers: &Tiers,
    condition: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Vec<Subscription>> {
    let sql = format!("{} WHERE {condition}", select());
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    rows.iter().map(|row| read(tiers, row)).collect()
}

fn read(tiers: &Tiers, row: &QueryResult) -> Result<Subscription> {
    let feed = feed::Model::from_query_result(row, "")?;
    let own: Option<String> = row.try_get("", "s_title")?;
    let tier = Tier::parse(&row.try_get::<String>("", "a_tier")?).unwrap_or_default();
    let least = i32::try_from(tiers.of(tier).rss_minimum_interval_minutes).unwrap_or(i32::MAX);
    let wished: Option<i32> = row.try_get("", "s_interval_minutes")?;
    let unread = UnreadCount::up_to(MAX_COUNT_OF_FEED, row.try_get("", "unread")?);
    let was: (Option<String>, Option<Millis>) = (row.try_get("", "was_url")?, row.try_get("", "s_moved_at")?);
    Ok(Subscription {
        id: row.try_get("", "s_id")?,
        feed_id: row.try_get("", "s_feed_id")?,
        collection_id: row.try_get("", "s_collection_id")?,
        title: own.or_else(|| feed.title.clone()).unwrap_or_else(|| feed.url.clone()),
        last_error: last_error(&feed),
        source_kind: SourceKind::of_column(feed.kind.as_deref()),
        feed_url: feed.url,
        site_url: feed.site_url.or(row.try_get("", "s_site_url")?),
        description: feed.description,
        last_fetched_at: feed.last_fetched_at,
        unread_count: unread.count,
        unread_partial: unread.partial,
        interval_minutes: wished.map(|minutes| minutes.max(least)),
        full_text: row.try_get("", "s_full_text")?,
        created_at: row.try_get("", "s_created_at")?,
        moved_from: was.0.zip(was.1).map(|(feed_url, at)| MovedFrom { feed_url, at }),
    })
}

fn last_error(feed: &feed::Model) -> Option<String> {
    let code = feed.last_error_code.as_deref()?;
    Some(match feed.next_poll_at {
        Some(at) => format!("{code}: next try {}", rfc3339(at)),
        None => format!("{code}: not tried any more"),
    })
}
