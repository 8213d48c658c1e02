//! A subscription, as displayed to its follower.

use entities::feed;
use entities::ids::{AccountId, ChannelId, CollectionId, FeedId, SubscriptionId};
use extract::TextParts;
use sea_orm::{ConnectionTrait, FromQueryResult, QueryResult, Value};

use super::entry_scope::{MAX_UNREAD_PER_FEED, NOT_DUPLICATE, UnreadCount};
use super::rewrites::{Rewrite, stored_rules};
use super::source_kind::SourceKind;
use articles::pictures::site_icon_url;
use kernel::error::not_found;
use kernel::statement::statement;
use kernel::tiers::{Tier, Tiers};
use kernel::{Millis, Result, rfc3339};

/// Subscription with its feed and its unread count.
#[expect(clippy::struct_excessive_bools, reason = "each field is an independent setting or fact")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// Sequential number, starting at 1.
    pub id: SubscriptionId,
    /// Feed, which other accounts may also follow.
    pub feed_id: FeedId,
    pub collection_id: CollectionId,
    /// URL from which the feed is fetched.
    pub feed_url: String,
    /// Web page of the feed.
    pub site_url: Option<String>,
    /// Title that the follower chose. Without one, the title of the feed, or else its URL.
    pub title: String,
    /// Description of the feed in one line.
    pub description: Option<String>,
    /// Time of the last successful fetch.
    pub last_fetched_at: Option<Millis>,
    /// Error code of the last poll. `None` if the last poll succeeded.
    pub last_error: Option<String>,
    /// Number of unread entries, up to a bound.
    pub unread_count: i64,
    /// True if there are more unread entries than `unread_count`.
    pub unread_partial: bool,
    /// Fixed interval in minutes, at least the minimum of the current plan. `None` for an adaptive interval.
    pub interval_minutes: Option<i32>,
    /// True to read the text of articles instead of the feed's summaries.
    pub full_text: bool,
    /// CSS selector of the article text. `None` for the main part of the pages.
    pub text_selector: Option<String>,
    /// CSS selectors of parts that are removed from the article text.
    pub text_removals: Vec<String>,
    /// True to render the pages of articles in a browser before their text is read.
    pub render_articles: bool,
    /// Number of days after which unread entries count as read. 0 means never, and `None` means that the
    /// setting of the collection applies.
    pub read_after_days: Option<u32>,
    /// True if clicking an entry in a list opens the publisher's page.
    pub show_original: bool,
    /// Channels that are notified of new entries. The channels of the collection, unless the subscription has its own.
    pub notify: Vec<ChannelId>,
    /// True if the subscription has its own channels.
    pub own_notify: bool,
    /// Number of entries that were omitted from the last body because it exceeded the limit.
    pub left_out: u32,
    /// Time at which the feed was followed.
    pub created_at: Millis,
    /// Previous feed. `None` unless the feed moved.
    pub moved_from: Option<MovedFrom>,
    pub source_kind: SourceKind,
    /// URL of the picture that the feed declares.
    pub image_url: Option<String>,
    /// `User-Agent` with which the feed is fetched for this account. `None` for the user agent of this
    /// service.
    pub user_agent: Option<String>,
    /// Names of the headers that are sent to the feed for this account.
    pub header_names: Vec<String>,
    /// Rewrite rules of this account, in the order in which they are applied.
    pub rewrites: Vec<Rewrite>,
    /// Time at which the rules exceeded their time limit. They are not applied until they are saved again.
    pub rewrites_stopped_at: Option<Millis>,
    /// Number of entries since the rules were saved that retained an original text, because a rule could not be
    /// applied.
    pub rewrites_skipped: u32,
}

impl Subscription {
    /// Returns the parts of articles that the follower reads.
    pub(super) fn text_parts(&self) -> TextParts {
        TextParts { selector: self.text_selector.clone(), removed: self.text_removals.clone() }
    }

    /// Returns the URLs at which there may be a picture of the feed, best first: the icon of its site, and
    /// the picture that the feed declares. Empty for an internal feed.
    pub fn picture_urls(&self) -> Vec<String> {
        if self.source_kind != SourceKind::Feed {
            return Vec::new();
        }
        let page = self.site_url.as_deref().unwrap_or(&self.feed_url);
        site_icon_url(page).into_iter().chain(self.image_url.clone()).collect()
    }
}

/// Previous feed of a subscription whose feed moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedFrom {
    /// Previous URL. Setting the subscription to this URL undoes the move.
    pub feed_url: String,
    /// Time of the move.
    pub at: Millis,
}

/// Returns a `SELECT` of all columns of subscriptions `s`. The caller adds a condition.
fn select() -> String {
    let most = MAX_UNREAD_PER_FEED + 1;
    let own_mark = "rss_entry_mark m WHERE m.account_id = s.account_id AND m.feed_id = s.feed_id";
    format!(
        "SELECT s.id AS s_id, s.feed_id AS s_feed_id, s.collection_id AS s_collection_id, s.title AS s_title, \
         s.interval_minutes AS s_interval_minutes, s.full_text AS s_full_text, s.text_selector AS s_text_selector, s.text_removals AS s_text_removals, s.render_articles AS s_render_articles, s.read_after_days AS s_read_after_days, s.show_original AS s_show_original, s.notify AS s_notify, s.own_notify AS s_own_notify, s.created_at AS s_created_at, \
         s.site_url AS s_site_url, a.tier AS a_tier, s.moved_at AS s_moved_at, was.url AS was_url, \
         l.user_agent AS l_user_agent, l.header_names AS l_header_names, l.rewrites AS l_rewrites, \
         l.rewrites_stopped_at AS l_rewrites_stopped_at, l.rewrites_skipped AS l_rewrites_skipped, \
         (SELECT count(*) FROM (SELECT 1 FROM feed_entry e WHERE e.feed_id = s.feed_id AND e.id > s.read_through \
         AND NOT EXISTS (SELECT 1 FROM {own_mark} AND m.entry_id = e.id AND NOT m.unread) LIMIT {most}) n) \
         + (SELECT count(*) FROM (SELECT 1 FROM {own_mark} AND m.entry_id <= s.read_through AND m.unread \
         LIMIT {most}) n) \
         + (SELECT count(*) FROM (SELECT 1 FROM rss_former_feed o JOIN feed_entry e ON e.feed_id = o.feed_id \
         AND e.id <= o.last_entry_id LEFT JOIN rss_entry_mark m ON m.account_id = o.account_id \
         AND m.feed_id = e.feed_id AND m.entry_id = e.id WHERE o.subscription_id = s.id \
         AND COALESCE(m.unread, e.id > o.read_through) AND {NOT_DUPLICATE} LIMIT {most}) n) AS unread, \
         f.* FROM rss_subscription s JOIN account a ON a.id = s.account_id JOIN feed f ON f.id = s.feed_id \
         LEFT JOIN feed was ON was.id = s.moved_from_id LEFT JOIN feed_login l ON l.feed_id = s.feed_id"
    )
}

/// Returns one subscription of the account.
pub(super) async fn load(
    connection: &impl ConnectionTrait,
    tiers: &Tiers,
    account_id: AccountId,
    id: SubscriptionId,
) -> Result<Subscription> {
    let condition = "s.account_id = $1 AND s.id = $2";
    let subscriptions = load_where(connection, tiers, condition, [account_id.into(), id.into()]).await?;
    subscriptions.into_iter().next().ok_or_else(|| not_found("subscription"))
}

/// Returns the subscriptions that satisfy a condition on `s`.
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
    let unread = UnreadCount::up_to(MAX_UNREAD_PER_FEED, row.try_get("", "unread")?);
    let was: (Option<String>, Option<Millis>) = (row.try_get("", "was_url")?, row.try_get("", "s_moved_at")?);
    let names: Option<String> = row.try_get("", "l_header_names")?;
    let days: Option<i32> = row.try_get("", "s_read_after_days")?;
    let removals: Option<String> = row.try_get("", "s_text_removals")?;
    let rewrites: Option<String> = row.try_get("", "l_rewrites")?;
    let skipped: Option<i32> = row.try_get("", "l_rewrites_skipped")?;
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
        image_url: feed.image_url,
        user_agent: row.try_get("", "l_user_agent")?,
        header_names: names.and_then(|list| serde_json::from_str(&list).ok()).unwrap_or_default(),
        rewrites: stored_rules(feed.id, rewrites.as_deref()),
        rewrites_stopped_at: row.try_get("", "l_rewrites_stopped_at")?,
        rewrites_skipped: skipped.and_then(|count| u32::try_from(count).ok()).unwrap_or(0),
        last_fetched_at: feed.last_fetched_at,
        unread_count: unread.count,
        unread_partial: unread.partial,
        interval_minutes: wished.map(|minutes| minutes.max(least)),
        full_text: row.try_get("", "s_full_text")?,
        text_selector: row.try_get("", "s_text_selector")?,
        text_removals: TextParts::parse(removals.as_deref().unwrap_or_default()).removed,
        render_articles: row.try_get("", "s_render_articles")?,
        read_after_days: days.and_then(|days| u32::try_from(days).ok()),
        show_original: row.try_get("", "s_show_original")?,
        notify: serde_json::from_str(&row.try_get::<String>("", "s_notify")?).unwrap_or_default(),
        own_notify: row.try_get("", "s_own_notify")?,
        left_out: feed.left_out.and_then(|count| u32::try_from(count).ok()).unwrap_or(0),
        created_at: row.try_get("", "s_created_at")?,
        moved_from: was.0.zip(was.1).map(|(feed_url, at)| MovedFrom { feed_url, at }),
    })
}

fn last_error(feed: &feed::Model) -> Option<String> {
    let code = feed.last_error_code.as_deref()?;
    Some(match feed.next_poll_at {
        Some(at) => format!("{code}: next try {}", rfc3339(at)),
        None => format!("{code}: no next try"),
    })
}
