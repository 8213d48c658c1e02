//! Summaries of an account's collections, with unread counts up to a bound.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, CollectionId, FeedId};
use sea_orm::ConnectionTrait;

use super::entry_scope::{IS_UNREAD, MARKED_UNREAD, MARKS, NOT_DUPLICATE, SOURCES};
use super::previous_feeds;
use kernel::statement::{scalar_optional, statement};
use kernel::{Domain, Result, natural_order};

/// Upper bound of the number of unread entries in a collection. Counting stops at this value.
pub const COUNTED_UNREAD: i64 = 100;

/// Summary of one collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectionSummary {
    pub id: CollectionId,
    /// Displayed name.
    pub name: String,
    /// Number of feeds in the collection.
    pub feeds: i64,
    /// Number of unread entries, at most [`COUNTED_UNREAD`].
    pub unread: i64,
}

/// Returns the summaries of an account's collections, sorted by name.
#[boxed]
pub async fn collection_summaries(domain: &Domain, account_id: AccountId) -> Result<Vec<CollectionSummary>> {
    let connection = domain.db().read();
    let rows = connection.query_all_raw(statement(connection, &sql(), [account_id.into()])).await?;
    let read = |row: &sea_orm::QueryResult| -> Result<CollectionSummary> {
        Ok(CollectionSummary {
            id: row.try_get_by_index(0)?,
            name: row.try_get_by_index(1)?,
            feeds: row.try_get_by_index(2)?,
            unread: row.try_get_by_index(3)?,
        })
    };
    let mut summaries = rows.iter().map(read).collect::<Result<Vec<_>>>()?;
    summaries.sort_by(|one, other| natural_order::compare(&one.name, &other.name));
    Ok(summaries)
}

/// Returns one statement for all collections. It counts unread entries only up to the bound, however many
/// feeds there are.
fn sql() -> String {
    // Adapts the shared statements: the collection of the row replaces a parameter.
    let own = |text: &str| {
        text.replace("($2 = 0 OR s.feed_id = $2)", "1 = 1")
            .replace("($3 = 0 OR s.collection_id = $3)", "s.collection_id = c.id")
    };
    let sources = own(SOURCES);
    format!(
        "SELECT c.id, c.name, (SELECT count(*) FROM rss_subscription n WHERE n.collection_id = c.id), \
         (SELECT count(*) FROM (SELECT 1 AS one FROM ({sources}) o JOIN feed_entry e ON e.feed_id = o.feed_id \
         AND e.id > o.read_through AND e.id <= o.last_entry_id LEFT JOIN {MARKS} WHERE {IS_UNREAD} AND {NOT_DUPLICATE} \
         UNION ALL SELECT 1 FROM ({sources}) o {MARKED_UNREAD} WHERE {NOT_DUPLICATE} LIMIT {COUNTED_UNREAD}) u) \
         FROM rss_collection c WHERE c.account_id = $1"
    )
}

/// Returns the title of a followed feed as the account sees it. If the feed moved, returns the title of its
/// successor. `None` if the account follows neither.
#[boxed]
pub async fn title_of(domain: &Domain, account_id: AccountId, feed_id: FeedId) -> Result<Option<String>> {
    let connection = domain.db().read();
    let current = previous_feeds::current_id(connection, account_id, Some(feed_id)).await?;
    let sql = "SELECT COALESCE(s.title, f.title, f.url) FROM rss_subscription s JOIN feed f ON f.id = s.feed_id \
               WHERE s.account_id = $1 AND s.feed_id = $2";
    scalar_optional(connection, sql, [account_id.into(), current.unwrap_or(feed_id).into()]).await
}
