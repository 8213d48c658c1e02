//! All tags of an account: which there are, and changing one of them everywhere.

use entities::ids::{AccountId, ItemId, ObjectId};
use entities::library_words::ObjectKind;
use entities::{library_tag, library_tagged};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, Value};

use super::tags::Tag;
use super::writing::Writing;
use super::{change, item};
use crate::code::Code;
use crate::error::{Error, Result};
use crate::handle::Domain;
use crate::statement::{execute, statement};

/// A tag and how many items have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagCount {
    /// What it is known by.
    pub key: String,
    /// As the account spells it.
    pub name: String,
    /// Items with it.
    pub count: i64,
}

/// At most `limit` tags of items after the one with the key `after`, by their letters; those that begin with `prefix`.
///
/// # Errors
/// What the database said.
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

/// Gives every object with the tag `from` the tag `to` instead; returns how many there were.
///
/// # Errors
/// `invalid_request` for a blank tag.
pub async fn rename_tag(domain: &Domain, account_id: AccountId, from: &str, to: &str) -> Result<u64> {
    let (from, to) = (named(from, "from")?, named(to, "to")?);
    let mut writing = Writing::begin(domain, account_id).await?;
    let touched = with(&writing, &from.key).await?;
    if from.key == to.key {
        respell(&writing, &to).await?;
    } else {
        let sql =
            "INSERT INTO library_tag (account_id, tag_key, name) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
        execute(writing.db(), sql, [account_id.into(), to.key.as_str().into(), to.name.into()]).await?;
        // Objects that have both keep one of them.
        let sql = "DELETE FROM library_tagged WHERE account_id = $1 AND tag_key = $2 AND object_id IN \
                   (SELECT g.object_id FROM library_tagged g WHERE g.account_id = $1 AND g.tag_key = $3)";
        let values: [Value; 3] = [account_id.into(), from.key.as_str().into(), to.key.as_str().into()];
        execute(writing.db(), sql, values.clone()).await?;
        let sql = "UPDATE library_tagged SET tag_key = $3 WHERE account_id = $1 AND tag_key = $2";
        execute(writing.db(), sql, values).await?;
        forget(&writing, &from.key).await?;
    }
    finish(&mut writing, &touched).await?;
    writing.commit().await?;
    Ok(touched.len() as u64)
}

/// Takes a tag off every object; returns how many there were.
///
/// # Errors
/// `invalid_request` for a blank tag.
pub async fn delete_tag(domain: &Domain, account_id: AccountId, name: &str) -> Result<u64> {
    let tag = named(name, "name")?;
    let mut writing = Writing::begin(domain, account_id).await?;
    let touched = with(&writing, &tag.key).await?;
    library_tagged::Entity::delete_many()
        .filter(library_tagged::Column::AccountId.eq(account_id))
        .filter(library_tagged::Column::TagKey.eq(&tag.key))
        .exec(writing.db())
        .await?;
    forget(&writing, &tag.key).await?;
    finish(&mut writing, &touched).await?;
    writing.commit().await?;
    Ok(touched.len() as u64)
}

fn named(text: &str, field: &'static str) -> Result<Tag> {
    Tag::of(text).ok_or_else(|| {
        let message = "A tag must have letters.";
        Error::new(Code::InvalidRequest, message).at(field, "must not be blank")
    })
}

/// Everything that has a tag.
async fn with(writing: &Writing, key: &str) -> Result<Vec<(ObjectId, ObjectKind)>> {
    let rows = library_tagged::Entity::owned_by(writing.account_id)
        .filter(library_tagged::Column::TagKey.eq(key))
        .all(writing.db())
        .await?;
    Ok(rows.into_iter().map(|row| (row.object_id, row.kind)).collect())
}

async fn respell(writing: &Writing, tag: &Tag) -> Result<()> {
    library_tag::Entity::update_many()
        .set(library_tag::ActiveModel { name: Set(tag.name.clone()), ..Default::default() })
        .filter(library_tag::Column::AccountId.eq(writing.account_id))
        .filter(library_tag::Column::TagKey.eq(&tag.key))
        .exec(writing.db())
        .await?;
    Ok(())
}

async fn forget(writing: &Writing, key: &str) -> Result<()> {
    library_tag::Entity::delete_many()
        .filter(library_tag::Column::AccountId.eq(writing.account_id))
        .filter(library_tag::Column::TagKey.eq(key))
        .exec(writing.db())
        .await?;
    Ok(())
}

/// Every touched object stands in the log, and is found by the tags that it has now.
async fn finish(writing: &mut Writing, touched: &[(ObjectId, ObjectKind)]) -> Result<()> {
    for (id, kind) in touched {
        let stamp = writing.stamp(*kind, *id);
        let table = match kind {
            ObjectKind::Item => "library_item",
            ObjectKind::Note => "library_note",
            ObjectKind::Highlight => "library_highlight",
        };
        let sql =
            format!("UPDATE {table} SET sequence = $3, updated_at = $4 WHERE id = $2 AND account_id = $1");
        let values: [Value; 4] =
            [writing.account_id.into(), (*id).into(), stamp.sequence.into(), stamp.updated_at.into()];
        execute(writing.db(), &sql, values).await?;
    }
    let of = |wanted: ObjectKind| {
        touched.iter().filter(move |(_, kind)| *kind == wanted).map(|(id, _)| id.as_uuid())
    };
    let items: Vec<ItemId> = of(ObjectKind::Item).map(ItemId::from).collect();
    for chunk in items.chunks(100) {
        let found = item::find_all(writing.db(), writing.account_id, chunk).await?;
        change::reindex(writing, &found).await?;
    }
    super::notes::reindex(writing, &of(ObjectKind::Note).map(Into::into).collect::<Vec<_>>()).await?;
    super::highlights::reindex(writing, &of(ObjectKind::Highlight).map(Into::into).collect::<Vec<_>>()).await
}
