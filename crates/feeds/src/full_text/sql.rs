//! SQL statements for requested articles.

use entities::ids::{AccountId, EntryId, FeedId};
use sea_orm::{ConnectionTrait, Value};

use super::article_version::ArticleVersion;
use crate::entry_scope::ARTICLE_VERSION;
use crate::subscription::Subscription;
use kernel::statement::{execute, scalar, statement};
use kernel::tiers::Tier;
use kernel::{Millis, Result};

/// Due request for the article of an entry.
#[derive(Clone, Debug)]
pub(super) struct EntryTextRequest {
    pub(super) entry_id: EntryId,
    pub(super) feed_id: FeedId,
    pub(super) url: String,
    /// Time at which the article was submitted. `None` if it was not submitted yet.
    pub(super) requested_at: Option<Millis>,
}

/// Requests the articles of the 50 newest entries of a feed after an entry.
pub(crate) async fn request_newest(
    connection: &impl ConnectionTrait,
    feed_id: FeedId,
    after: EntryId,
    now: Millis,
) -> Result<()> {
    let sql = "INSERT INTO feed_text_request (entry_id, wanted_at, next_try_at) \
                SELECT e.id, $3, $3 FROM feed_entry e WHERE e.feed_id = $1 AND e.id > $2 AND e.url IS NOT NULL \
                ORDER BY e.id DESC LIMIT 50 ON CONFLICT DO NOTHING";
    let values: [Value; 3] = [feed_id.into(), after.into(), now.into()];
    execute(connection, sql, values).await?;
    Ok(())
}

/// Requests the article of one entry.
pub(super) async fn insert_request(
    connection: &impl ConnectionTrait,
    entry_id: EntryId,
    now: Millis,
) -> Result<()> {
    let sql = "INSERT INTO feed_text_request (entry_id, wanted_at, next_try_at) VALUES ($1, $2, $2) \
                ON CONFLICT DO NOTHING";
    let values: [Value; 2] = [entry_id.into(), now.into()];
    execute(connection, sql, values).await?;
    Ok(())
}

/// Returns due requests, newest entries first.
pub(super) async fn due(
    connection: &impl ConnectionTrait,
    now: Millis,
    most: u32,
) -> Result<Vec<EntryTextRequest>> {
    let sql = "SELECT e.id, e.feed_id, e.url, r.asked_at FROM feed_text_request r JOIN feed_entry e ON e.id = r.entry_id \
                WHERE r.next_try_at <= $1 ORDER BY e.id DESC LIMIT $2";
    let values: [Value; 2] = [now.into(), i64::from(most).into()];
    let rows = connection.query_all_raw(statement(connection, sql, values)).await?;
    let requests = rows.iter().map(|row| {
        let url: Option<String> = row.try_get_by_index(2)?;
        let (entry_id, feed_id) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        let requested_at = row.try_get_by_index(3)?;
        Ok(EntryTextRequest { entry_id, feed_id, url: url.unwrap_or_default(), requested_at })
    });
    requests.collect()
}

/// Postpones a request that is due at `now`. Returns 1 for the first process that postpones it, and 0 for
/// other processes.
pub(super) async fn postpone(
    connection: &impl ConnectionTrait,
    entry_id: EntryId,
    now: Millis,
    next_try_at: Millis,
) -> Result<u64> {
    let sql = "UPDATE feed_text_request SET next_try_at = $3 WHERE entry_id = $1 AND next_try_at <= $2";
    let values: [Value; 3] = [entry_id.into(), now.into(), next_try_at.into()];
    execute(connection, sql, values).await
}

/// Records that a request was submitted, and sets the time of its next check.
pub(super) async fn mark_requested(
    connection: &impl ConnectionTrait,
    entry_id: EntryId,
    now: Millis,
    next_try_at: Millis,
) -> Result<()> {
    let sql = "UPDATE feed_text_request SET asked_at = $2, next_try_at = $3 WHERE entry_id = $1";
    let values: [Value; 3] = [entry_id.into(), now.into(), next_try_at.into()];
    execute(connection, sql, values).await?;
    Ok(())
}

/// Sets the search text of an entry if it is still `before`.
pub(super) async fn set_search_text(
    connection: &impl ConnectionTrait,
    entry_id: EntryId,
    before: &str,
    text: &str,
) -> Result<()> {
    let sql = "UPDATE feed_entry SET search_text = $3 WHERE id = $1 AND search_text = $2";
    let values: [Value; 3] = [entry_id.into(), before.into(), text.into()];
    execute(connection, sql, values).await?;
    Ok(())
}

/// Returns the versions of articles that the followers of a feed request, in the order in which the followers
/// followed the feed. The main part of the pages as served comes first.
pub(super) async fn versions(
    connection: &impl ConnectionTrait,
    feed_id: FeedId,
    most: u32,
) -> Result<Vec<ArticleVersion>> {
    let sql = format!(
        "SELECT {ARTICLE_VERSION} FROM rss_subscription s WHERE s.feed_id = $1 AND s.full_text \
         GROUP BY {ARTICLE_VERSION} ORDER BY CASE WHEN {ARTICLE_VERSION} = '' THEN 0 ELSE 1 END, MIN(s.id) LIMIT $2"
    );
    let values: [Value; 2] = [feed_id.into(), i64::from(most).into()];
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    rows.iter().map(|row| Ok(ArticleVersion::parse(&row.try_get_by_index::<String>(0)?))).collect()
}

/// Returns the number of versions among the other subscriptions to the feed of `subscription`. 0 if one of
/// them already has `version`.
pub(super) async fn count_other_versions(
    connection: &impl ConnectionTrait,
    subscription: &Subscription,
    version: &ArticleVersion,
) -> Result<i64> {
    let sql = format!(
        "SELECT CASE WHEN EXISTS (SELECT 1 FROM rss_subscription s \
         WHERE s.feed_id = $1 AND s.id <> $2 AND {ARTICLE_VERSION} = $3) THEN 0 \
         ELSE (SELECT count(DISTINCT NULLIF({ARTICLE_VERSION}, '')) FROM rss_subscription s \
         WHERE s.feed_id = $1 AND s.id <> $2) END"
    );
    let values: [Value; 3] = [subscription.feed_id.into(), subscription.id.into(), version.text().into()];
    scalar(connection, &sql, values).await
}

/// Returns up to `most` followers of a feed, with their tiers, who request this version of its articles.
pub(super) async fn payers(
    connection: &impl ConnectionTrait,
    feed_id: FeedId,
    version: &ArticleVersion,
    most: u32,
) -> Result<Vec<(AccountId, Tier)>> {
    let sql = format!(
        "SELECT s.account_id, a.tier FROM rss_subscription s JOIN account a ON a.id = s.account_id \
         WHERE s.feed_id = $1 AND s.full_text AND {ARTICLE_VERSION} = $2 \
         ORDER BY CASE a.tier WHEN 'pro' THEN 0 WHEN 'premium' THEN 1 ELSE 2 END, s.id DESC LIMIT $3"
    );
    let values: [Value; 3] = [feed_id.into(), version.text().into(), i64::from(most).into()];
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    let payers = rows.iter().map(|row| {
        let tier: String = row.try_get_by_index(1)?;
        Ok((row.try_get_by_index(0)?, Tier::parse(&tier).unwrap_or_default()))
    });
    payers.collect()
}
