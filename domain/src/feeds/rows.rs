//! Statements written once for both databases, and the few that all files here need.

use sea_orm::{ConnectionTrait, DbBackend, Statement, Value};
use uuid::Uuid;

use crate::error::{Error, Result};

/// A statement with its values; `$1` and so on stand for them.
pub(super) fn sql(
    connection: &impl ConnectionTrait,
    text: &str,
    values: impl IntoIterator<Item = Value>,
) -> Statement {
    Statement::from_sql_and_values(connection.get_database_backend(), text, values)
}

/// `$first, $first+1, …` for `count` values.
pub(super) fn places(first: usize, count: usize) -> String {
    let names: Vec<String> = (first..first + count).map(|at| format!("${at}")).collect();
    names.join(", ")
}

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

/// Rows are held until the end of the transaction; on SQLite the transaction holds everything anyway.
pub(super) fn for_update(connection: &impl ConnectionTrait, what: &str) -> String {
    match connection.get_database_backend() {
        DbBackend::Postgres => format!(" FOR UPDATE OF {what}"),
        _ => String::new(),
    }
}

/// Runs a statement and tells how many rows it changed.
pub(super) async fn change(
    connection: &impl ConnectionTrait,
    text: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<u64> {
    Ok(connection.execute_raw(sql(connection, text, values)).await?.rows_affected())
}

/// The one number that a statement gives; 0 when it gives none.
pub(super) async fn number(
    connection: &impl ConnectionTrait,
    text: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<i64> {
    let row = connection.query_one_raw(sql(connection, text, values)).await?;
    Ok(row.map(|row| row.try_get_by_index::<Option<i64>>(0)).transpose()?.flatten().unwrap_or(0))
}

pub(super) fn not_found(what: &str) -> Error {
    Error::NotFound { code: "not_found", message: format!("There is no such {what}.") }
}

pub(super) fn invalid(pointer: &str, reason: &str) -> Error {
    Error::Invalid {
        code: "invalid_request",
        message: format!("The request is not valid: {pointer} {reason}."),
        details: Some(format!("{pointer}: {reason}")),
    }
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
    account_id: Uuid,
    feed_id: Option<i64>,
    collection_id: Option<i64>,
) -> Result<i64> {
    let text = format!(
        "SELECT CAST(COALESCE(SUM({UNREAD}), 0) AS BIGINT) FROM rss_subscription s WHERE s.account_id = $1 \
         AND ($2 = 0 OR s.feed_id = $2) AND ($3 = 0 OR s.collection_id = $3)"
    );
    let values = [account_id.into(), feed_id.unwrap_or(0).into(), collection_id.unwrap_or(0).into()];
    number(connection, &text, values).await
}
