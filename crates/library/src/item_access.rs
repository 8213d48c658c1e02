//! Reads items and their texts, and requests newer texts.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId};
use entities::library_item;
use entities::library_words::{ArticleStatus, Lane, TextOrigin};
use identity::limits::AccountLimits;
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter};

use super::account_concurrency;
use super::item::{self, Item};
use super::text::{self, StoredText};
use super::text_request;
use super::transaction::LibraryTransaction;
use articles::{Address, Payer, Render, require_browser};
use jobs::{JobKind, NewJob, Priority, Submitted};
use kernel::clock::MINUTE;
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Millis, Result};

/// Minimum time between two refreshes of a text.
const REFRESH_PAUSE: Millis = MINUTE;
/// Time after which a refresh is retried if its job was lost.
const LEASE: Millis = 10 * MINUTE;

/// Source from which a text is refreshed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RefreshFrom {
    /// First of these sources that the item has: supplied content, file, URL.
    #[default]
    Own,
    Url,
}

/// Returns an item that a person opens. If an import has queued its text, the text gets priority.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn open(domain: &Domain, account_id: AccountId, id: ItemId) -> Result<Item> {
    let item = get(domain, account_id, id).await?;
    if item.lane == Lane::Import && item.article_status == ArticleStatus::Queued {
        prioritize(domain, &item).await?;
    }
    Ok(item)
}

/// Moves the text of an item from the import lane to the person lane. The lane is not visible to clients, so
/// no change is recorded.
async fn prioritize(domain: &Domain, item: &Item) -> Result<()> {
    let mut change = library_item::ActiveModel { lane: Set(Lane::Person), ..Default::default() };
    // The text may have been postponed to the next day because of the limit on imports, so it is due now. If
    // the source failed, the back-off still applies.
    if item.tries == 0 {
        change.next_try_at = Set(Some(domain.now()));
    }
    library_item::Entity::update_many()
        .set(change)
        .filter(library_item::Column::Id.eq(item.id))
        .filter(library_item::Column::AccountId.eq(item.account_id))
        .filter(library_item::Column::ArticleStatus.eq(ArticleStatus::Queued))
        .filter(library_item::Column::Lane.eq(Lane::Import))
        .exec(domain.db().write())
        .await?;
    Ok(())
}

#[boxed]
pub async fn get(domain: &Domain, account_id: AccountId, id: ItemId) -> Result<Item> {
    item::find(domain.db().read(), account_id, id).await
}

/// Returns the account's items among `ids`, in no particular order.
#[boxed]
pub async fn find(domain: &Domain, account_id: AccountId, ids: &[ItemId]) -> Result<Vec<Item>> {
    item::find_all(domain.db().read(), account_id, ids).await
}

/// Returns the text of an item. `None` if the item has no text.
#[boxed]
pub async fn stored_text(domain: &Domain, account_id: AccountId, id: ItemId) -> Result<Option<StoredText>> {
    text::load(domain.db().read(), account_id, id).await
}

/// Calls `visit` with the text of each item that has a text, in no particular order. Loads the texts in
/// parts, so that memory is bounded.
#[boxed]
pub async fn visit_texts(
    domain: &Domain,
    account_id: AccountId,
    ids: &[ItemId],
    visit: &mut (dyn FnMut(StoredText) + Send),
) -> Result<()> {
    let _permit = account_concurrency::limit_searches(domain, account_id).await;
    let connection = domain.db().read();
    for part in text::parts(connection, account_id, ids).await? {
        text::load_all(connection, account_id, &part).await?.into_iter().for_each(&mut *visit);
    }
    Ok(())
}

/// Returns an item with its text.
///
/// # Errors
/// `not_found`. If the item has no text, the error states the reason.
#[boxed]
pub async fn text_of(domain: &Domain, account_id: AccountId, id: ItemId) -> Result<(Item, StoredText)> {
    let item = open(domain, account_id, id).await?;
    let text = text::load(domain.db().read(), account_id, id).await?;
    let text = text.ok_or_else(|| text::missing(&item))?;
    Ok((item, text))
}

/// Requests a new text for an item. The existing text is retained until the new text is available. If `render` is
/// given, it replaces the choice of the item, and the text is fetched from the URL of the item even if a text was
/// already requested.
///
/// # Errors
/// `not_found`, `missing_source`, `url_not_allowed`, `fresh_extraction_limit`, `rate_limited`; `unsupported_content`
/// if a rendering is required and there is no browser.
#[boxed]
pub async fn refresh(
    domain: &Domain,
    payer: Payer,
    id: ItemId,
    from: RefreshFrom,
    render: Option<Render>,
) -> Result<(Item, Option<Submitted>)> {
    let account_id = payer.account_id;
    require_browser(domain, render.unwrap_or_default())?;
    let present = get(domain, account_id, id).await?;
    if text_request::is_waiting(present.article_status) && render.is_none() {
        return Ok((present, None));
    }
    let from = if render.is_some() { RefreshFrom::Url } else { from };
    let source = source_of(domain, &present, from).await?;
    if source == TextOrigin::Fetched {
        Address::parse(domain, &present.url)?;
        require_fresh(domain, payer).await?;
    }
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    let mut row = item::row(transaction.db(), account_id, id).await?.ok_or_else(|| not_found("item"))?;
    if text_request::is_waiting(row.article_status) && render.is_none() {
        return Ok((present, None));
    }
    let since = row.refreshed_at.map_or(Millis::MAX, |at| transaction.now - at);
    if since < REFRESH_PAUSE {
        let seconds = u32::try_from((REFRESH_PAUSE - since + 999) / 1000).unwrap_or(60);
        let message = "The text of an item can be refreshed once a minute.";
        return Err(Error::new(Code::RateLimited, message).retry_after(seconds));
    }
    row.refreshed_at = Some(transaction.now);
    row.lane = Lane::Person;
    row.render = render.or(row.render);
    text_request::request_text(&mut row, source, transaction.now + LEASE);
    let job = NewJob::new(JobKind::LibraryText, id.to_string()).priority(Priority::High).owner(account_id);
    let submitted = jobs::submit(transaction.db(), domain, job).await?;
    item::write(&mut transaction, row).await?;
    let item = item::find(transaction.db(), account_id, id).await?;
    transaction.commit().await?;
    Ok((item, Some(submitted)))
}

async fn source_of(domain: &Domain, item: &Item, from: RefreshFrom) -> Result<TextOrigin> {
    let has_url = item.url.starts_with("http");
    let own = match from {
        RefreshFrom::Url => None,
        RefreshFrom::Own => {
            let original = text::original_row(domain.db().read(), item.account_id, item.id).await?;
            let supplied = original.map(|_| TextOrigin::Supplied);
            supplied.or(item.asset_blob.as_ref().map(|_| TextOrigin::File))
        }
    };
    own.or(has_url.then_some(TextOrigin::Fetched)).ok_or_else(|| {
        Error::new(Code::MissingSource, "This item has no source from which a text can be extracted.")
    })
}

async fn require_fresh(domain: &Domain, payer: Payer) -> Result<()> {
    let states = domain.limits().states(domain, payer.account_id, payer.tier).await?;
    let empty = states.into_iter().find(|state| state.name.starts_with("fresh") && state.remaining == 0);
    match empty {
        None => Ok(()),
        Some(state) => {
            let message = "Your plan's limit of fresh extractions is used up. Retry later.";
            Err(Error::new(Code::FreshExtractionLimit, message).retry_after(state.reset_s.max(1)))
        }
    }
}
