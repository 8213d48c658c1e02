//! Items of a tag as other people see them: on a public page, or in a team. Items without a public web address (files,
//! mail, pages of private networks) and items whose deletion is pending are left out, as are notes, highlights, and
//! other tags. Addresses have no credentials. The beginning of a text is included only if Carrel fetched the text from
//! the address without signing in: a text that was supplied with a save, such as by the browser extension, may come
//! from behind a login. The same applies to an extracted title, which may be the beginning of the text.

use entities::ids::{AccountId, ItemId, ObjectId};
use entities::library_tag;
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QueryResult, Value};

use super::list_position::ListPosition;
use super::precedence::EXTRACTED;
use super::public_url::{public_title, public_url};
use kernel::statement::statement;
use kernel::{Domain, Millis, Result};

/// Maximum number of tagged items that a page inspects.
const INSPECTED: u32 = 1_000;

/// Item of a tag, as displayed to other people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagItem {
    pub id: ItemId,
    /// Title. Empty if it was derived from the address, from the name of a file, or from a supplied text.
    pub title: String,
    /// Web address without credentials.
    pub url: String,
    /// Beginning of the text on one line. `None` if the text was not fetched from the address.
    pub excerpt: Option<String>,
    pub saved_at: Millis,
}

impl TagItem {
    /// Returns the title of the item, or its address if it has no title.
    pub fn label(&self) -> &str {
        if self.title.is_empty() { &self.url } else { &self.title }
    }
}

/// Page of a tag's items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagItemPage {
    /// Items, most recently saved first.
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
    domain: &Domain,
    account_id: AccountId,
    tag_key: &str,
    start: PageStart,
) -> Result<TagItemPage> {
    let connection = domain.db().read();
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
        "SELECT i.id, CASE WHEN i.title_rank > {EXTRACTED} OR (i.title_rank = {EXTRACTED} AND \
         x.origin = 'fetched') THEN i.title ELSE '' END, i.url, g.saved_at, \
         CASE WHEN x.origin = 'fetched' THEN x.excerpt END FROM ({tagged} {INSPECTED}) g \
         CROSS JOIN library_item i \
         LEFT JOIN library_text x ON x.account_id = i.account_id AND x.item_id = i.id \
         WHERE i.id = g.object_id AND i.account_id = $1 AND i.url LIKE 'http%' \
         AND NOT EXISTS (SELECT 1 FROM library_pending_deletion d WHERE d.item_id = i.id) \
         ORDER BY g.saved_at DESC, g.object_id DESC LIMIT {}",
        u64::from(start.limit) + 1
    );
    let rows = connection.query_all_raw(statement(connection, &sql, values.clone())).await?;
    let mut items = rows.iter().map(read_item).collect::<Result<Vec<TagItem>>>()?;
    if items.len() > start.limit as usize {
        items.truncate(start.limit as usize);
        let key = |item: &TagItem| ListPosition::Key { at: item.saved_at, id: item.id.as_u128(), total: 0 };
        let next = items.last().map(key);
        return Ok(TagItemPage { items: with_public_urls(domain, items), next });
    }
    let last = format!("{tagged} 1 OFFSET {}", INSPECTED - 1);
    let last = connection.query_one_raw(statement(connection, &last, values)).await?;
    let next = last.map(|row| -> Result<ListPosition> {
        let (id, at): (ObjectId, Millis) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        Ok(ListPosition::Key { at, id: id.as_u128(), total: 0 })
    });
    Ok(TagItemPage { items: with_public_urls(domain, items), next: next.transpose()? })
}

fn read_item(row: &QueryResult) -> Result<TagItem> {
    Ok(TagItem {
        id: row.try_get_by_index(0)?,
        title: row.try_get_by_index(1)?,
        url: row.try_get_by_index(2)?,
        saved_at: row.try_get_by_index(3)?,
        excerpt: row.try_get_by_index(4)?,
    })
}

/// Returns the items whose address is public, without credentials in the addresses. A title that is an address
/// is removed.
fn with_public_urls(domain: &Domain, items: Vec<TagItem>) -> Vec<TagItem> {
    let with_url = |item: TagItem| {
        let url = public_url(domain, &item.url)?;
        let title = public_title(&item.title).unwrap_or_default().to_owned();
        Some(TagItem { title, url, ..item })
    };
    items.into_iter().filter_map(with_url).collect()
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

#[cfg(test)]
mod tests {
    use entities::library_item;
    use entities::library_words::ObjectKind;
    use sea_orm::{ActiveModelTrait, EntityTrait, IntoActiveModel};

    use super::*;
    use crate::tags::{self, Tag};
    use crate::{LibraryTransaction, item};
    use kernel::Domain;
    use kernel::db::Backend;
    use kernel::testing::{TestDatabase, on_both, person};
    use kernel::tiers::Tier;

    on_both! {
        items_with_a_web_address_are_paged_by_save_time,
        item_after_many_files_is_on_the_next_page,
    }

    /// Inserts items with the tag `desk`: their save times, and the path of their web address.
    async fn insert(domain: &Domain, account_id: AccountId, items: &[(Millis, Option<&str>)]) {
        let mut transaction = LibraryTransaction::begin(domain, account_id).await.unwrap();
        for (saved_at, path) in items {
            let id: ItemId = domain.new_id();
            let stamp = transaction.stamp(ObjectKind::Item, item::object(id));
            let blank = item::blank(id, account_id, *saved_at);
            let url = path.map_or_else(|| blank.url.clone(), |path| format!("https://example.org/{path}"));
            let (sequence, updated_at) = (stamp.sequence, stamp.updated_at);
            let row = library_item::Model { sequence, updated_at, url, ..blank };
            let row = row.into_active_model().reset_all();
            library_item::Entity::insert(row).exec_without_returning(transaction.db()).await.unwrap();
            let tag = Tag::of("desk").unwrap();
            tags::replace(&transaction, ObjectKind::Item, &[(item::object(id), vec![tag])]).await.unwrap();
        }
        transaction.commit().await.unwrap();
    }

    /// Returns the save times of each page, until the last page.
    async fn pages(domain: &Domain, account_id: AccountId, limit: u32) -> Vec<Vec<Millis>> {
        let (mut pages, mut start) = (Vec::new(), PageStart::newest(limit));
        loop {
            let page = tag_items(domain, account_id, "desk", start).await.unwrap();
            pages.push(page.items.iter().map(|item| item.saved_at).collect());
            start.after = page.next;
            if start.after.is_none() {
                return pages;
            }
        }
    }

    async fn items_with_a_web_address_are_paged_by_save_time(backend: Backend) {
        let database = TestDatabase::create(backend).await;
        let domain = &database.domain;
        let (who, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let items =
            [(20, Some("a")), (50, None), (40, Some("b")), (40, Some("c")), (30, None), (10, Some("d"))];
        insert(domain, who, &items).await;
        insert(domain, other, &[(45, Some("e"))]).await;
        assert_eq!(pages(domain, who, 3).await, [vec![40, 40, 20], vec![10]]);
        assert_eq!(pages(domain, who, 4).await, [vec![40, 40, 20, 10]]);
        assert_eq!(pages(domain, who, 1).await, [vec![40], vec![40], vec![20], vec![10]]);
    }

    async fn item_after_many_files_is_on_the_next_page(backend: Backend) {
        let database = TestDatabase::create(backend).await;
        let domain = &database.domain;
        let who = person(domain, Tier::Free).await;
        let files = Millis::from(INSPECTED);
        let mut items: Vec<(Millis, Option<&str>)> = (0..files).map(|number| (100 + number, None)).collect();
        items.push((50, Some("a")));
        insert(domain, who, &items).await;
        assert_eq!(pages(domain, who, 10).await, [vec![], vec![50]]);
    }
}
