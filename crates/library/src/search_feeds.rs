//! Private feeds of saved searches. The address of a feed cannot be guessed, and anyone who knows it can read the
//! newest results: titles, addresses without credentials, summaries and categories of entries, and beginnings of texts
//! that Carrel fetched itself. Notes, highlights, tags, texts that were supplied with a save, and the query, which can
//! contain tags, are never part of the feed.
//!
//! The results are read on each request. The previous address becomes unknown (404) if the feed gets a new address, or
//! if the search or the account is deleted.

use std::collections::{HashMap, HashSet};

use async_recursion::async_recursion as boxed;
use data_encoding::HEXLOWER;
use entities::ids::{AccountId, ItemId, SavedSearchId};
use entities::library_saved_search::{ActiveModel, Column, Entity, Model};
use entities::library_text;
use entities::library_words::TextOrigin;
use feeds::{Entry, EntryFilter};
use monitors::{FeedContent, FeedFormat, FeedItem, RenderedFeed};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QuerySelect};
use sha2::{Digest, Sha256};

use super::account_concurrency;
use super::item::Item;
use super::list::list_newest_matches;
use super::pending_deletions::pending_deletions;
use super::public_tags::POLL_MINUTES;
use super::public_url::{public_title, public_url};
use super::saved_searches::{SearchTarget, feed_url};
use identity::accounts;
use kernel::error::not_found;
use kernel::search::query::Query;
use kernel::{Domain, Error, Millis, Result};

/// Maximum number of results in a feed.
const MAX_RESULTS: u32 = 50;

/// Creates the feed of a saved search. If the search already has a feed, the address of the feed is replaced.
///
/// # Errors
/// `not_found`; `invalid_request` if the query is invalid.
#[boxed]
pub async fn create_search_feed(domain: &Domain, account_id: AccountId, id: SavedSearchId) -> Result<()> {
    let connection = domain.db().write();
    let row = Entity::owned_by(account_id).filter(Column::Id.eq(id)).one(connection).await?;
    Query::parse(&row.ok_or_else(|| not_found("saved search"))?.query)?;
    set_token(domain, account_id, id, Some(monitors::new_feed_token(domain))).await
}

/// Removes the feed of a saved search. Its address answers `not_found` immediately.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn delete_search_feed(domain: &Domain, account_id: AccountId, id: SavedSearchId) -> Result<()> {
    set_token(domain, account_id, id, None).await
}

async fn set_token(
    domain: &Domain,
    account_id: AccountId,
    id: SavedSearchId,
    token: Option<String>,
) -> Result<()> {
    let updated = Entity::update_many()
        .set(ActiveModel { feed_token: Set(token), ..Default::default() })
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::Id.eq(id))
        .exec(domain.db().write())
        .await?;
    if updated.rows_affected == 0 { Err(not_found("saved search")) } else { Ok(()) }
}

/// Returns the feed of a saved search in one format. If `known` accepts its validator, the body is omitted.
///
/// # Errors
/// `not_found` if no saved search of an active account has the token.
pub async fn find_search_feed(
    domain: &Domain,
    token: &str,
    format: FeedFormat,
    known: impl FnOnce(&str, Millis) -> bool,
) -> Result<RenderedFeed> {
    let row = search_of(domain, token).await?;
    let items = results(domain, &row).await?;
    let base_url = &domain.policy().base_url;
    let self_url = feed_url(base_url, token, format);
    let site_url = format!("{}/library/searches", domain.policy().account_url);
    let updated_at = items.iter().map(|item| item.at).max().unwrap_or(row.created_at);
    let body = tokio::task::spawn_blocking(move || {
        let content = FeedContent {
            title: &row.name,
            site_url: &site_url,
            self_url: &self_url,
            about: "Results of a saved search",
            id: row.id.as_uuid(),
            interval_minutes: POLL_MINUTES,
            updated_at,
            items: &items,
        };
        monitors::write_feed(&content, format)
    });
    let body = body.await.map_err(Error::internal)?;
    // An older item may match or no longer match, so the time does not identify a version.
    Ok(RenderedFeed::of_body(body, updated_at, |etag| known(etag, Millis::MAX)))
}

/// Returns the saved search whose feed has a token. The token authorizes searches on behalf of its owner.
async fn search_of(domain: &Domain, token: &str) -> Result<Model> {
    if !monitors::is_feed_token(token) {
        return Err(not_found("feed"));
    }
    let connection = domain.db().read();
    let row = Entity::find().filter(Column::FeedToken.eq(token)).one(connection).await?;
    let row = row.ok_or_else(|| not_found("feed"))?;
    if accounts::is_active(connection, row.account_id).await? { Ok(row) } else { Err(not_found("feed")) }
}

/// Returns the newest results of a saved search.
async fn results(domain: &Domain, search: &Model) -> Result<Vec<FeedItem>> {
    let account_id = search.account_id;
    let _feed_permit = account_concurrency::limit_feed_searches(domain, account_id).await;
    match SearchTarget::parse(&search.target).ok_or_else(|| not_found("feed"))? {
        SearchTarget::Library => {
            let mut items = list_newest_matches(domain, account_id, &search.query, MAX_RESULTS).await?;
            let deleted = pending_deletions(domain, account_id).await?;
            items.retain(|item| !deleted.contains_key(&item.id));
            let excerpts = excerpts(domain, account_id, &items).await?;
            Ok(items.iter().map(|item| of_item(domain, item, &excerpts)).collect())
        }
        SearchTarget::Entries => {
            let _permit = account_concurrency::limit_searches(domain, account_id).await;
            let filter = EntryFilter { query: Some(search.query.clone()), ..EntryFilter::default() };
            let page = feeds::list_entries(domain, account_id, &filter, None, MAX_RESULTS).await?;
            let items = page.entries.iter().map(|entry| of_entry(domain, entry));
            let mut ids = HashSet::new();
            Ok(items.filter(|item| ids.insert(item.guid.clone())).collect())
        }
    }
}

/// Returns the beginnings of the item texts that Carrel fetched itself.
async fn excerpts(
    domain: &Domain,
    account_id: AccountId,
    items: &[Item],
) -> Result<HashMap<ItemId, Option<String>>> {
    let rows: Vec<(ItemId, Option<String>)> = library_text::Entity::owned_by(account_id)
        .filter(library_text::Column::ItemId.is_in(items.iter().map(|item| item.id)))
        .filter(library_text::Column::Origin.eq(TextOrigin::Fetched))
        .select_only()
        .columns([library_text::Column::ItemId, library_text::Column::Excerpt])
        .into_tuple()
        .all(domain.db().read())
        .await?;
    Ok(rows.into_iter().collect())
}

fn of_item(domain: &Domain, item: &Item, excerpts: &HashMap<ItemId, Option<String>>) -> FeedItem {
    let own_page = || format!("{}/library/{}", domain.policy().account_url, item.id);
    let link = public_url(domain, &item.url).unwrap_or_else(own_page);
    let title = public_title(&item.title).unwrap_or(&link);
    let excerpt = excerpts.get(&item.id).and_then(Option::as_deref).unwrap_or_default();
    FeedItem::of_text(format!("urn:uuid:{}", item.id), link.clone(), title, excerpt, item.saved_at)
}

/// Converts an entry. If the account follows the feed of its own search, the copy of an entry has the id of the
/// original, so that it does not become a new entry on each poll.
fn of_entry(domain: &Domain, entry: &Entry) -> FeedItem {
    let own_page = || format!("{}/entries/{}", domain.policy().account_url, entry.id);
    let link = public_url(domain, &entry.url).unwrap_or_else(own_page);
    let hash = Sha256::digest(format!("{}\n{}", entry.url, entry.title).as_bytes());
    let id = format!("urn:sha256:{}", HEXLOWER.encode(&hash));
    let at = entry.published_at.unwrap_or(entry.discovered_at);
    let title = public_title(&entry.title).unwrap_or(&link);
    let summary = entry.summary.as_deref().unwrap_or_default();
    let categories = entry.categories.names.clone();
    FeedItem { categories, ..FeedItem::of_text(id, link.clone(), title, summary, at) }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use super::*;
    use crate::saved_searches::{NewSearch, list_saved_searches, save_search};
    use kernel::Backend;
    use kernel::testing::{TestDatabase, on_both, person};
    use kernel::tiers::Tier;

    on_both! {
        waiting_search_feed_does_not_block_searches_of_its_account,
    }

    async fn waiting_search_feed_does_not_block_searches_of_its_account(backend: Backend) {
        let database = TestDatabase::create(backend).await;
        let domain = &database.domain;
        let who = person(domain, Tier::Free).await;
        for target in [SearchTarget::Library, SearchTarget::Entries] {
            let new = NewSearch { target, name: "Boats".into(), query: "boats".into() };
            let id = save_search(domain, who, new).await.unwrap().id;
            create_search_feed(domain, who, id).await.unwrap();
        }
        for search in list_saved_searches(domain, who).await.unwrap() {
            let token = search.feed_token.unwrap();
            let other_feed = account_concurrency::limit_feed_searches(domain, who).await;
            let mut feed = pin!(find_search_feed(domain, &token, FeedFormat::Rss, |_, _| false));
            for _ in 0..3 {
                tokio::select! {
                    biased;
                    _ = &mut feed => panic!("the feed did not wait"),
                    items = list_newest_matches(domain, who, "boats", 1) => assert!(items.unwrap().is_empty()),
                }
            }
            drop(other_feed);
            assert!(feed.await.unwrap().body.is_some());
        }
    }
}
