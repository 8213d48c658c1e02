//! Lists the tags of an account.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;
use sea_orm::{ConnectionTrait, Value};

use super::tags::Tag;
use kernel::statement::statement;
use kernel::{Domain, Result};

/// Tag with the number of its items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagCount {
    /// Case-folded name by which the tag is compared.
    pub key: String,
    /// Name in the account's spelling.
    pub name: String,
    pub count: i64,
}

/// Returns up to `limit` tags of items after the key `after`, in alphabetical order. If `prefix` is set, only
/// tags that start with it are returned.
#[boxed]
pub async fn list_tags(
    domain: &Domain,
    account_id: AccountId,
    prefix: Option<&str>,
    after: Option<&str>,
    limit: u32,
) -> Result<Vec<TagCount>> {
    let connection = domain.db().read();
    let prefix = prefix.and_then(Tag::of).map(|tag| tag.key).unwrap_or_default();
    let like = format!("{}%", prefix.replace('!', "!!").replace('%', "!%").replace('_', "!_"));
    let collation = match connection.get_database_backend() {
        sea_orm::DbBackend::Postgres => " COLLATE \"C\"",
        _ => "",
    };
    let sql = format!(
        "SELECT t.tag_key, t.name, COUNT(*) FROM library_tag t JOIN library_tagged g \
         ON g.account_id = t.account_id AND g.tag_key = t.tag_key AND g.kind = 'item' \
         WHERE t.account_id = $1 AND t.tag_key{collation} > $2 AND t.tag_key LIKE $3 ESCAPE '!' \
         GROUP BY t.tag_key, t.name ORDER BY t.tag_key{collation} LIMIT {limit}"
    );
    let values: [Value; 3] = [account_id.into(), after.unwrap_or_default().into(), like.into()];
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    let read = |row: &sea_orm::QueryResult| {
        let (key, name) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        Ok(TagCount { key, name, count: row.try_get_by_index(2)? })
    };
    rows.iter().map(read).collect()
}
