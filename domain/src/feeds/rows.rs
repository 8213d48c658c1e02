//! What all files of this room need of the database: the shared statements, and how unread entries are
//! counted.

use entities::ids::{AccountId, CollectionId, FeedId};
use sea_orm::ConnectionTrait;

use crate::error::Result;
pub(super) use crate::error::not_found;
pub(super) use crate::statement::{execute, for_update, placeholders, scalar, scalar_optional, statement};

/// `($first, …), (…), …` for `count` rows of a `VALUES` list, with the types that the list has.
pub(super) fn rows_of(first: usize, count: usize, types: &[&str]) -> String {
    let row = |at: usize| {
        let cell = |(column, kind): (usize, &&str)| {
            let place = first + at * types.len() + column;
            // The first row's types are the list's.
            if at == 0 { format!("CAST(${place} AS {kind})") } else { format!("${place}") }
        };
        let cells: Vec<String> = types.iter().enumerate().map(cell).collect();
        format!("({})", cells.join(", "))
    };
    let rows: Vec<String> = (0..count).map(row).collect();
    rows.join(", ")
}

/// The unread entries of subscription `s`, as an expression.
pub(super) const UNREAD: &str = "((SELECT count(*) FROM feed_entry e WHERE e.feed_id = s.feed_id AND e.id > s.read_through) \
     - (SELECT count(*) FROM rss_entry_mark m WHERE m.account_id = s.account_id AND m.feed_id = s.feed_id \
        AND m.entry_id > s.read_through AND NOT m.unread) \
     + (SELECT count(*) FROM rss_entry_mark m WHERE m.account_id = s.account_id AND m.feed_id = s.feed_id \
        AND m.entry_id <= s.read_through AND m.unread))";

/// How many entries are unread in the subscriptions of an account, or of one feed or collection of it.
pub(super) async fn unread_total(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    feed_id: Option<FeedId>,
    collection_id: Option<CollectionId>,
) -> Result<i64> {
    let sql = format!(
        "SELECT CAST(COALESCE(SUM({UNREAD}), 0) AS BIGINT) FROM rss_subscription s WHERE s.account_id = $1 \
         AND ($2 = 0 OR s.feed_id = $2) AND ($3 = 0 OR s.collection_id = $3)"
    );
    let values = [
        account_id.into(),
        feed_id.map_or(0, FeedId::as_i64).into(),
        collection_id.map_or(0, CollectionId::as_i64).into(),
    ];
    scalar(connection, &sql, values).await
}
