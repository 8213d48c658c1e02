//! Items of a tag as other people see them: on a public page, or in a team. Items without a web address (files,
//! mail) and items whose deletion is pending are left out, and so are notes, highlights, and other tags.

use entities::ids::{AccountId, ItemId, ObjectId};
use entities::library_tag;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, Value};

use super::list_position::ListPosition;
use kernel::statement::statement;
use kernel::{Millis, Result};

/// Maximum number of tagged items that a page inspects.
const INSPECTED: u32 = 1_000;

/// Item of a tag, as displayed to other people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagItem {
    pub id: ItemId,
    pub title: String,
    /// Web address.
    pub url: String,
    /// Beginning of the text on one line.
    pub excerpt: Option<String>,
    pub saved_at: Millis,
}

impl TagItem {
    /// Title of the item, or its address if it has no title.
    pub fn label(&self) -> &str {
        if self.title.is_empty() { &self.url } else { &self.title }
    }
}

/// Page of a tag's items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagItemPage {
    /// Items, last saved first.
    pub items: Vec<TagItem>,
    /// Position of the next page. `None` on the last page.
    pub next: Option<ListPosition>,
}

/// Position at which a page starts, and its maximum number of items.
#[derive(Clone, Copy, Debug)]
pub struct PageStart {
    pub after: Option<ListPosition>,
    pub limit: u32,
}

impl PageStart {
    /// Returns the start of the first page.
    pub fn newest(limit: u32) -> Self {
        Self { after: None, limit }
    }
}

/// Returns a page of the items with a tag. The caller has checked that the items may be read. A page inspects a
/// bounded number of items, so it may have fewer items than its limit although another page follows.
pub(crate) async fn tag_items(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    tag_key: &str,
    start: PageStart,
) -> Result<TagItemPage> {
    let mut values: Vec<Value> = vec![account_id.into(), tag_key.into()];
    let mut position = "";
    if let Some(ListPosition::Key { at, id, .. }) = start.after {
        position = "AND (t.saved_at, t.object_id) < ($3, $4) ";
        values.extend([at.into(), ObjectId::from_u128(id).into()]);
    }
    let tagged = format!(
        "SELECT t.object_id, t.saved_at FROM library_tagged t \
         WHERE t.account_id = $1 AND t.tag_key = $2 AND t.kind = 'item' {position}\
         ORDER BY t.saved_at DESC, t.object_id DESC LIMIT"
    );
    // The cross join fixes the order in which the tables are read.
    let sql = format!(
        "SELECT i.id, i.title, i.url, g.saved_at, x.excerpt FROM ({tagged} {INSPECTED}) g \
         CROSS JOIN library_item i \
         LEFT JOIN library_text x ON x.account_id = i.account_id AND x.item_id = i.id \
         WHERE i.id = g.object_id AND i.account_id = $1 AND i.url LIKE 'http%' \
         AND NOT EXISTS (SELECT 1 FROM library_pending_deletion d WHERE d.item_id = i.id) \
         ORDER BY g.saved_at DESC, g.object_id DESC LIMIT {}",
        u64::from(start.limit) + 1
    );
    let mut items = Vec::new();
    for row in connection.query_all_raw(statement(connection, &sql, values.clone())).await? {
        items.push(TagItem {
            id: row.try_get_by_index(0)?,
            title: row.try_get_by_index(1)?,
            url: row.try_get_by_index(2)?,
            saved_at: row.try_get_by_index(3)?,
            excerpt: row.try_get_by_index(4)?,
        });
    }
    if items.len() > start.limit as usize {
        items.truncate(start.limit as usize);
        let key = |item: &TagItem| ListPosition::Key { at: item.saved_at, id: item.id.as_u128(), total: 0 };
        let next = items.last().map(key);
        return Ok(TagItemPage { items, next });
    }
    let last = format!("{tagged} 1 OFFSET {}", INSPECTED - 1);
    let last = connection.query_one_raw(statement(connection, &last, values)).await?;
    let next = last.map(|row| -> Result<ListPosition> {
        let (id, at): (ObjectId, Millis) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        Ok(ListPosition::Key { at, id: id.as_u128(), total: 0 })
    });
    Ok(TagItemPage { items, next: next.transpose()? })
}

/// Returns the account's spelling of a tag. `None` if the account does not have the tag.
pub(crate) async fn spelling(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    tag_key: &str,
) -> Result<Option<String>> {
    let tag = library_tag::Entity::owned_by(account_id)
        .filter(library_tag::Column::TagKey.eq(tag_key))
        .one(connection)
        .await?;
    Ok(tag.map(|tag| tag.name))
}
