//! Refresh of the feeds of a list: makes them due within minutes. Feeds are shared and polls put load on
//! their servers, so an account can refresh only a bounded number of feeds at a time.

use async_recursion::async_recursion as boxed;
use entities::feed::{Column, Entity};
use entities::ids::{AccountId, FeedId};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect, Value,
};

use super::due::FEEDS;
use super::read_state::ReadScope;
use super::schedule::{REFRESH_PAUSE, spread};
use kernel::clock::SECOND;
use kernel::statement::{execute, placeholders, scalar, statement};
use kernel::{Domain, Millis, Result};

/// Maximum number of an account's feeds that are refreshed within [`REFRESH_PAUSE`].
const MAX_REFRESHED: u32 = 100;
/// Spacing of the polls of refreshed feeds, in milliseconds.
const SPACING: Millis = SECOND;
/// Followed feeds. `$1` is the account.
const FOLLOWED: &str = "rss_subscription s JOIN feed f ON f.id = s.feed_id WHERE s.account_id = $1";

/// Result of a refresh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScopeRefresh {
    /// Number of feeds that are polled within minutes.
    pub feeds: usize,
    /// True if feeds of the scope keep their schedule, because the limit was reached.
    pub is_limited: bool,
}

/// Makes the feeds of a scope due soon, the least recently polled ones first. Each feed is refreshed at most
/// once per `REFRESH_PAUSE`, and at most `MAX_REFRESHED` feeds of an account are refreshed.
#[boxed]
pub async fn refresh_scope(domain: &Domain, account_id: AccountId, scope: ReadScope) -> Result<ScopeRefresh> {
    let now = domain.now();
    let earliest = now - REFRESH_PAUSE;
    let transaction = domain.db().begin().await?;
    let recent = format!("SELECT COUNT(*) FROM {FOLLOWED} AND f.refreshed_at > $2");
    let recent = scalar(&transaction, &recent, [account_id.into(), earliest.into()]).await?;
    let most = usize::try_from(i64::from(MAX_REFRESHED) - recent).unwrap_or(0);
    let mut values: Vec<Value> = vec![account_id.into(), now.into(), earliest.into()];
    let condition = match scope {
        ReadScope::All => "",
        ReadScope::Feed(id) => {
            values.push(id.into());
            "AND s.feed_id = $4"
        }
        ReadScope::Collection(id) => {
            values.push(id.into());
            "AND s.collection_id = $4"
        }
    };
    let sql = format!(
        "SELECT f.id AS id FROM {FOLLOWED} AND f.next_poll_at > $2 \
         AND (f.refreshed_at IS NULL OR f.refreshed_at <= $3) {condition} \
         ORDER BY COALESCE(f.last_fetched_at, 0), f.id LIMIT {}",
        most + 1
    );
    let rows = transaction.query_all_raw(statement(&transaction, &sql, values)).await?;
    let mut ids = rows.iter().map(|row| Ok(row.try_get("", "id")?)).collect::<Result<Vec<FeedId>>>()?;
    let is_limited = ids.len() > most;
    ids.truncate(most);
    let feeds = make_due(&transaction, now, &ids).await?;
    transaction.commit().await?;
    Ok(ScopeRefresh { feeds, is_limited })
}

/// Distributes the next polls of feeds over the next minutes. Returns the number of feeds that no other
/// account refreshed in the meantime.
async fn make_due(transaction: &DatabaseTransaction, now: Millis, ids: &[FeedId]) -> Result<usize> {
    let rested =
        Condition::any().add(Column::RefreshedAt.is_null()).add(Column::RefreshedAt.lte(now - REFRESH_PAUSE));
    let feeds = Entity::find()
        .filter(Column::Id.is_in(ids.iter().copied()))
        .filter(Column::NextPollAt.gt(now))
        .filter(rested)
        .order_by_asc(Column::Id)
        .lock_exclusive()
        .all(transaction)
        .await?;
    if feeds.is_empty() {
        return Ok(0);
    }
    let window = SPACING * Millis::try_from(feeds.len()).unwrap_or(0);
    let times = feeds.iter().filter_map(|feed| {
        let at = now + spread(feed.id.as_i64(), window);
        Some((feed.id, at.min(feed.next_poll_at?)))
    });
    FEEDS.move_to(transaction, times.collect()).await?;
    let sql = format!("UPDATE feed SET refreshed_at = $1 WHERE id IN ({})", placeholders(2, feeds.len()));
    let mut values: Vec<Value> = vec![now.into()];
    values.extend(feeds.iter().map(|feed| Value::from(feed.id)));
    execute(transaction, &sql, values).await?;
    Ok(feeds.len())
}
