//! Tags of objects. Tags are compared without regard to case. A tag retains the spelling of its first use by the
//! account.

use std::collections::HashMap;

use entities::ids::{AccountId, ObjectId};
use entities::library_tagged;
use entities::library_words::ObjectKind;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, Value};

use super::transaction::LibraryTransaction;
use kernel::Result;
use kernel::statement::{execute, placeholders, statement};
pub use kernel::tag::Tag;

/// Tag of favorite items, which were starred in another service or in an app.
pub const FAVORITE: &str = "favorite";
/// Maximum number of tags of one object.
pub(crate) const MAX_TAGS: usize = kernel::bounds::OBJECT_TAGS;
const ROWS_PER_STATEMENT: usize = 500;

/// Loads the tags of objects, in the order in which each object lists them.
pub(crate) async fn of_objects(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    ids: &[ObjectId],
) -> Result<HashMap<ObjectId, Vec<String>>> {
    let mut tags: HashMap<ObjectId, Vec<String>> = HashMap::new();
    for chunk in ids.chunks(1_000) {
        let sql = format!(
            "SELECT g.object_id, t.name FROM library_tagged g JOIN library_tag t \
             ON t.account_id = g.account_id AND t.tag_key = g.tag_key \
             WHERE g.account_id = $1 AND g.object_id IN ({}) ORDER BY g.object_id, g.position",
            placeholders(2, chunk.len())
        );
        let values = std::iter::once(account_id.into()).chain(chunk.iter().map(|id| Value::from(*id)));
        for row in connection.query_all_raw(statement(connection, &sql, values)).await? {
            tags.entry(row.try_get_by_index(0)?).or_default().push(row.try_get_by_index(1)?);
        }
    }
    Ok(tags)
}

/// Replaces the tags of objects of one kind. The rows of the objects must already be written.
pub(crate) async fn replace(
    transaction: &LibraryTransaction,
    kind: ObjectKind,
    objects: &[(ObjectId, Vec<Tag>)],
) -> Result<()> {
    let ids: Vec<ObjectId> = objects.iter().map(|(id, _)| *id).collect();
    remove(transaction, &ids).await?;
    let names: Vec<&Tag> = objects.iter().flat_map(|(_, tags)| tags).collect();
    spell(transaction, &names).await?;
    let mut rows: Vec<[Value; 4]> = Vec::new();
    for (id, tags) in objects {
        for (position, tag) in (0_i16..).zip(tags) {
            rows.push([(*id).into(), tag.key.as_str().into(), kind.as_str().into(), position.into()]);
        }
    }
    let is_item = kind == ObjectKind::Item;
    for chunk in rows.chunks(ROWS_PER_STATEMENT) {
        let mut values: Vec<Value> = vec![transaction.account_id.into()];
        let mut tuples = Vec::with_capacity(chunk.len());
        for row in chunk {
            let at = values.len() + 1;
            let saved = format!("(SELECT i.saved_at FROM library_item i WHERE i.id = ${at})");
            let saved = if is_item { saved.as_str() } else { "0" };
            tuples.push(format!("($1, {}, {saved})", placeholders(at, 4)));
            values.extend(row.iter().cloned());
        }
        let sql = format!(
            "INSERT INTO library_tagged (account_id, object_id, tag_key, kind, position, saved_at) VALUES {} \
             ON CONFLICT DO NOTHING",
            tuples.join(", ")
        );
        execute(transaction.db(), &sql, values).await?;
    }
    Ok(())
}

/// Removes all tags of objects.
pub(crate) async fn remove(transaction: &LibraryTransaction, ids: &[ObjectId]) -> Result<()> {
    for chunk in ids.chunks(ROWS_PER_STATEMENT) {
        library_tagged::Entity::delete_many()
            .filter(library_tagged::Column::AccountId.eq(transaction.account_id))
            .filter(library_tagged::Column::ObjectId.is_in(chunk.to_vec()))
            .exec(transaction.db())
            .await?;
    }
    Ok(())
}

/// Stores the spelling of new tags. An existing spelling is retained.
async fn spell(transaction: &LibraryTransaction, tags: &[&Tag]) -> Result<()> {
    for chunk in tags.chunks(ROWS_PER_STATEMENT) {
        let mut values: Vec<Value> = vec![transaction.account_id.into()];
        let mut tuples = Vec::with_capacity(chunk.len());
        for tag in chunk {
            tuples.push(format!("($1, {})", placeholders(values.len() + 1, 2)));
            values.extend([tag.key.as_str().into(), tag.name.as_str().into()]);
        }
        let sql = format!(
            "INSERT INTO library_tag (account_id, tag_key, name) VALUES {} ON CONFLICT DO NOTHING",
            tuples.join(", ")
        );
        execute(transaction.db(), &sql, values).await?;
    }
    Ok(())
}

/// Loads the current tags of an object, in the account's spelling.
pub(crate) async fn current(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    object_id: ObjectId,
) -> Result<Vec<Tag>> {
    let mut tags = current_of(connection, account_id, &[object_id]).await?;
    Ok(tags.remove(&object_id).unwrap_or_default())
}

/// Returns the tags of many objects, as [`current`] does for one object. Objects without tags are omitted.
pub(crate) async fn current_of(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    ids: &[ObjectId],
) -> Result<HashMap<ObjectId, Vec<Tag>>> {
    let names = of_objects(connection, account_id, ids).await?;
    let tags = |names: Vec<String>| -> Vec<Tag> { names.iter().filter_map(|name| Tag::of(name)).collect() };
    Ok(names.into_iter().map(|(id, names)| (id, tags(names))).collect())
}

/// Adds tags to an object in the order of `new`, up to the maximum number. Returns true if a tag was added.
pub(crate) async fn add(
    transaction: &LibraryTransaction,
    kind: ObjectKind,
    object_id: ObjectId,
    new: &[Tag],
) -> Result<bool> {
    if new.is_empty() {
        return Ok(false);
    }
    let mut all = current(transaction.db(), transaction.account_id, object_id).await?;
    let had = all.len();
    for tag in new {
        if all.len() < MAX_TAGS && all.iter().all(|known| known.key != tag.key) {
            all.push(tag.clone());
        }
    }
    let grew = all.len() > had;
    if grew {
        replace(transaction, kind, &[(object_id, all)]).await?;
    }
    Ok(grew)
}

/// Returns true if an object has the tag.
pub(crate) async fn is_used(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    tag: &Tag,
) -> Result<bool> {
    let tagged = library_tagged::Entity::owned_by(account_id)
        .filter(library_tagged::Column::TagKey.eq(&tag.key))
        .one(connection)
        .await?;
    Ok(tagged.is_some())
}

/// Returns true if both lists contain the same tags in the same order, regardless of their spelling.
pub(crate) fn are_equal(new: &[Tag], old: &[Tag]) -> bool {
    new.iter().map(|tag| &tag.key).eq(old.iter().map(|tag| &tag.key))
}

/// Returns true if a tag of `old` is missing in `new`.
pub(crate) fn lacks_any(new: &[Tag], old: &[Tag]) -> bool {
    old.iter().any(|tag| new.iter().all(|known| known.key != tag.key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_compared_case_insensitively() {
        let list = ["  To  read\u{7} ", "TO READ", " ", "Straße", "STRASSE", "e\u{301}t\u{e9}"];
        let tags = Tag::list(&list.map(str::to_owned)).unwrap();
        let names: Vec<&str> = tags.iter().map(|tag| tag.name.as_str()).collect();
        assert_eq!(names, ["To read", "Straße", "\u{e9}t\u{e9}"]);
        assert!(Tag::list(&["a\0b".to_owned()]).is_err());
    }
}
