//! Public pages of tags: a tag that its owner has published has a page and feeds at addresses that cannot be guessed.
//! Anyone who knows the address sees the newest items with the tag: title, address, beginning of the text, and time of
//! saving. Notes, highlights, other tags, and items without a web address (files, mail) are never part of the page.
//!
//! The rows of the page are read on each request, so an item that loses the tag, or whose deletion is pending,
//! disappears immediately. If the tag is no longer public, its addresses are unknown (404), and publishing it again
//! creates new ones. A renamed tag remains public, unless it was merged into another tag: a rename never publishes the
//! items of that tag.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, PublicTagId};
use entities::library_public_tag::{ActiveModel, Column, Entity, Model};
use entities::library_tag;
use monitors::{FeedContent, FeedFormat, FeedItem, RenderedFeed};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, IntoActiveModel,
    PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
};

use super::tag_items::{PageStart, TagItem, spelling, tag_items};
use super::tags::{self, Tag};
use identity::accounts;
use identity::limits::check_plan_limit;
use kernel::error::not_found;
use kernel::statement::delete_existing;
use kernel::{Domain, Error, Millis, Result};

/// Maximum number of public tags of an account.
const MAX_TAGS: u64 = 100;
/// Maximum number of items on a page and in a feed.
const MAX_ITEMS: u32 = 100;
/// Interval after which feed readers poll again, in minutes.
pub(super) const POLL_MINUTES: u32 = 60;

/// Tag with a public page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicTag {
    pub id: PublicTagId,
    /// Name in the account's spelling.
    pub name: String,
    /// Secret part of the addresses.
    pub token: String,
    pub created_at: Millis,
}

impl PublicTag {
    fn of(row: Model, name: Option<String>) -> Self {
        let name = name.unwrap_or(row.tag_key);
        Self { id: row.id, name, token: row.page_token, created_at: row.created_at }
    }

    pub fn page_url(&self, base_url: &str) -> String {
        page_url(base_url, &self.token)
    }

    /// URL of the feed in one format.
    pub fn feed_url(&self, base_url: &str, format: FeedFormat) -> String {
        feed_url(base_url, &self.token, format)
    }
}

/// Content of the page of a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicTagPage {
    pub name: String,
    /// Items, most recently saved first.
    pub items: Vec<TagItem>,
    /// True if the tag has more items than the page lists.
    pub is_cut: bool,
    /// URLs of the feed as RSS, Atom, and JSON Feed.
    pub feed_urls: [String; 3],
}

fn page_url(base_url: &str, token: &str) -> String {
    format!("{base_url}/feeds/tags/{token}")
}

fn feed_url(base_url: &str, token: &str, format: FeedFormat) -> String {
    format!("{}.{}", page_url(base_url, token), format.extension())
}

/// Lists the account's public tags by name.
#[boxed]
pub async fn list_public_tags(domain: &Domain, account_id: AccountId) -> Result<Vec<PublicTag>> {
    let connection = domain.db().read();
    let rows = Entity::owned_by(account_id).order_by_asc(Column::TagKey).all(connection).await?;
    let keys: Vec<&str> = rows.iter().map(|row| row.tag_key.as_str()).collect();
    let names: Vec<(String, String)> = library_tag::Entity::owned_by(account_id)
        .filter(library_tag::Column::TagKey.is_in(keys))
        .select_only()
        .columns([library_tag::Column::TagKey, library_tag::Column::Name])
        .into_tuple()
        .all(connection)
        .await?;
    let mut names: HashMap<String, String> = names.into_iter().collect();
    let tag = |row: Model| {
        let name = names.remove(&row.tag_key);
        PublicTag::of(row, name)
    };
    Ok(rows.into_iter().map(tag).collect())
}

/// Publishes a tag. If it is already public, its addresses are unchanged.
///
/// # Errors
/// `invalid_request` if the tag is blank; `not_found` if the account has no such tag; `limit_reached`.
#[boxed]
pub async fn publish_tag(domain: &Domain, account_id: AccountId, name: &str) -> Result<PublicTag> {
    let tag = Tag::of_name(name)?;
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let name = spelling(&transaction, account_id, &tag.key).await?;
    if let Some(row) = row_of(&transaction, account_id, &tag.key).await? {
        return Ok(PublicTag::of(row, name));
    }
    let name = name.ok_or_else(|| not_found("tag"))?;
    let used = Entity::owned_by(account_id).count(&transaction).await?;
    check_plan_limit("public tags", MAX_TAGS, used)?;
    let row = Model {
        id: domain.new_id(),
        account_id,
        tag_key: tag.key,
        page_token: monitors::new_feed_token(domain),
        created_at: domain.now(),
    };
    Entity::insert(row.clone().into_active_model()).exec_without_returning(&transaction).await?;
    transaction.commit().await?;
    Ok(PublicTag::of(row, Some(name)))
}

/// Makes a tag private. Its page and feeds answer `not_found` immediately.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn unpublish_tag(domain: &Domain, account_id: AccountId, id: PublicTagId) -> Result<()> {
    let row = Entity::delete_many().filter(Column::AccountId.eq(account_id)).filter(Column::Id.eq(id));
    delete_existing(domain.db().write(), row, "public tag").await
}

/// Updates the publication of the tag `from` before the tag is renamed or removed in the whole library. If the new tag
/// `to` is unused, it becomes public instead. Otherwise the old tag becomes private.
pub(crate) async fn apply_tag_change(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    from: &Tag,
    to: Option<&Tag>,
) -> Result<()> {
    if to.is_some_and(|to| to.key == from.key) {
        return Ok(());
    }
    let Some(row) = row_of(transaction, account_id, &from.key).await? else { return Ok(()) };
    if let Some(to) = to {
        let is_unused = !tags::is_used(transaction, account_id, to).await?;
        if is_unused && row_of(transaction, account_id, &to.key).await?.is_none() {
            Entity::update_many()
                .set(ActiveModel { tag_key: Set(to.key.clone()), ..Default::default() })
                .filter(Column::AccountId.eq(account_id))
                .filter(Column::Id.eq(row.id))
                .exec(transaction)
                .await?;
            return Ok(());
        }
    }
    Entity::delete_many()
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::Id.eq(row.id))
        .exec(transaction)
        .await?;
    Ok(())
}

/// Returns the content of the page of a tag.
///
/// # Errors
/// `not_found` if no public tag has the token.
#[boxed]
pub async fn view_public_tag(domain: &Domain, token: &str) -> Result<PublicTagPage> {
    let loaded = TagWithItems::load(domain, token).await?;
    let base_url = &domain.policy().base_url;
    let formats = [FeedFormat::Rss, FeedFormat::Atom, FeedFormat::Json];
    Ok(PublicTagPage {
        feed_urls: formats.map(|format| feed_url(base_url, token, format)),
        name: loaded.tag.name,
        items: loaded.items,
        is_cut: loaded.is_cut,
    })
}

/// Returns the feed of a tag in one format. If `known` accepts its validator, the body is omitted.
///
/// # Errors
/// Returns the errors of [`view_public_tag`].
pub async fn find_tag_feed(
    domain: &Domain,
    token: &str,
    format: FeedFormat,
    known: impl FnOnce(&str, Millis) -> bool,
) -> Result<RenderedFeed> {
    let loaded = TagWithItems::load(domain, token).await?;
    let base_url = &domain.policy().base_url;
    let (site_url, self_url) = (page_url(base_url, token), feed_url(base_url, token, format));
    let newest = loaded.items.iter().map(|item| item.saved_at).max();
    let updated_at = newest.unwrap_or(loaded.tag.created_at);
    let body = tokio::task::spawn_blocking(move || {
        let items: Vec<FeedItem> = loaded.items.iter().map(feed_item).collect();
        let about = format!("Saved pages with the tag {}", loaded.tag.name);
        let content = FeedContent {
            title: &loaded.tag.name,
            site_url: &site_url,
            self_url: &self_url,
            about: &about,
            id: loaded.tag.id.as_uuid(),
            interval_minutes: POLL_MINUTES,
            updated_at,
            items: &items,
        };
        monitors::write_feed(&content, format)
    });
    let body = body.await.map_err(Error::internal)?;
    // An item that is older than the newest one may get or lose the tag, so the time does not identify a
    // version.
    Ok(RenderedFeed::of_body(body, updated_at, |etag| known(etag, Millis::MAX)))
}

fn feed_item(item: &TagItem) -> FeedItem {
    let excerpt = item.excerpt.as_deref().unwrap_or(&item.url);
    let guid = format!("urn:uuid:{}", item.id);
    FeedItem::of_text(guid, item.url.clone(), item.label(), excerpt, item.saved_at)
}

/// Public tag with its items.
struct TagWithItems {
    tag: PublicTag,
    items: Vec<TagItem>,
    is_cut: bool,
}

impl TagWithItems {
    async fn load(domain: &Domain, token: &str) -> Result<Self> {
        if !monitors::is_feed_token(token) {
            return Err(not_found("page"));
        }
        let connection = domain.db().read();
        // The token authorizes reading the rows of its owner.
        let row = Entity::find().filter(Column::PageToken.eq(token)).one(connection).await?;
        let row = row.ok_or_else(|| not_found("page"))?;
        if !accounts::is_active(connection, row.account_id).await? {
            return Err(not_found("page"));
        }
        let page = tag_items(domain, row.account_id, &row.tag_key, PageStart::newest(MAX_ITEMS)).await?;
        let name = spelling(connection, row.account_id, &row.tag_key).await?;
        Ok(Self { tag: PublicTag::of(row, name), items: page.items, is_cut: page.next.is_some() })
    }
}

async fn row_of(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    tag_key: &str,
) -> Result<Option<Model>> {
    Ok(Entity::owned_by(account_id).filter(Column::TagKey.eq(tag_key)).one(connection).await?)
}
