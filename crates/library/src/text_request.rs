//! Requests for the text of an item: starts a request, and records its outcome in the item. This is the last
//! step of a save whose text is fetched.

use std::sync::Arc;

use entities::ids::{AccountId, ItemId};
use entities::library_item;
use entities::library_words::{
    ArticleStatus, ClassificationMethod, ItemFormat, Lane, TextOrigin, TextSource,
};
use extract::{Document, Quality};
use url::Url;

use super::annotations;
use super::classify::{self, ItemFacts};
use super::draft::{TITLE_CHARS, cut};
use super::highlight_anchor;
use super::item;
use super::keys::{self, ItemKey};
use super::precedence;
use super::quote_match::SearchBudget;
use super::rule_queue;
use super::text::{self, PackedText};
use super::text_hook::TextedItem;
use super::transaction::LibraryTransaction;
use kernel::clock::{HOUR, MINUTE};
use kernel::{Class, Code, Domain, Error, Millis, Result, address};

/// Back-off after the first, second, third, and fourth transient failure.
const PAUSES: [Millis; 4] = [5 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR];
/// Minimum delay before a request that could not be started is retried.
const MIN_PAUSE: Millis = 5_000;
/// Maximum length of a URL that an item adopts from a redirect, in characters.
const MAX_URL_CHARS: usize = kernel::bounds::URL_CHARS;

/// Outcome of a request for a text.
#[derive(Debug)]
pub enum TextOutcome {
    Text(Box<PackedText>),
    /// The format of the item has no text.
    NoText,
    /// No text can be obtained. The request is not retried.
    Failed(Code),
    /// The source failed. The request is retried with back-off.
    Transient(Code),
    /// The request could not be started because of the capacity of this service or the quota of the account.
    /// It is retried after this delay.
    Postponed(Millis),
}

impl TextOutcome {
    /// Converts an error to the outcome of a request.
    pub fn of_error(error: &Error) -> Self {
        match error.class() {
            Class::Upstream => Self::Transient(error.code),
            Class::Limited | Class::Forbidden | Class::Unavailable | Class::Internal => {
                let seconds = error.retry_after.unwrap_or(60);
                Self::Postponed((Millis::from(seconds) * 1000).clamp(MIN_PAUSE, HOUR))
            }
            Class::NotFound
            | Class::Invalid
            | Class::Unauthenticated
            | Class::Conflict
            | Class::Gone
            | Class::Unreadable => Self::Failed(error.code),
        }
    }
}

/// Request for the text of an item. Its outcome is recorded only if `number` is still the number of the
/// item's latest request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextRequest {
    pub account_id: AccountId,
    pub item_id: ItemId,
    pub number: i64,
}

/// Requests the text of an item from the origin `from`. If no outcome is recorded by `retry_at`, a worker
/// retries the request.
pub(crate) fn request_text(row: &mut library_item::Model, from: TextOrigin, retry_at: Millis) {
    row.ask += 1;
    row.ask_from = Some(from);
    row.article_status = ArticleStatus::Queued;
    row.next_try_at = Some(retry_at);
    row.tries = 0;
}

/// Returns true if an item with this status waits for the outcome of its latest request.
pub(crate) fn is_waiting(status: ArticleStatus) -> bool {
    matches!(status, ArticleStatus::Queued | ArticleStatus::Extracting)
}

/// Records the outcome of a request and completes its job in the same transaction. Ignores an item that was
/// deleted or has a newer request. Returns true if the item received the text.
pub(crate) async fn conclude(
    domain: &Domain,
    request: TextRequest,
    mut outcome: TextOutcome,
    claimed: Option<&jobs::Claimed>,
) -> Result<bool> {
    if let TextOutcome::Text(packed) = &mut outcome {
        let ids = [request.item_id];
        highlight_anchor::compute_anchors(domain, request.account_id, (&ids, &[]), packed).await?;
    }
    let mut transaction = match LibraryTransaction::begin(domain, request.account_id).await {
        Ok(transaction) => transaction,
        // The items were deleted with the account.
        Err(error) if error.code == Code::NotFound => {
            if let Some(claimed) = claimed {
                jobs::complete(domain, claimed).await?;
            }
            return Ok(false);
        }
        Err(error) => return Err(error),
    };
    let row = item::row(transaction.db(), request.account_id, request.item_id).await?;
    let given = match row {
        Some(row) if row.ask == request.number && is_waiting(row.article_status) => {
            let given = write(&mut transaction, row, outcome).await?;
            rule_queue::release(&transaction, request.item_id).await?;
            given
        }
        Some(_) | None => false,
    };
    if let Some(claimed) = claimed {
        jobs::complete_in(transaction.db(), domain, claimed).await?;
    }
    transaction.commit().await?;
    Ok(given)
}

async fn write(
    transaction: &mut LibraryTransaction,
    mut row: library_item::Model,
    outcome: TextOutcome,
) -> Result<bool> {
    match outcome {
        TextOutcome::Text(packed) => return assign_text(transaction, row, *packed).await,
        TextOutcome::NoText => {
            let has_text = row.content_hash.is_some();
            row.article_status = if has_text { ArticleStatus::Ready } else { ArticleStatus::NotApplicable };
            row.article_error = None;
            end_request(&mut row);
            item::write(transaction, row).await?;
        }
        TextOutcome::Failed(code) => {
            end_without_text(&mut row, code, transaction.now);
            item::write(transaction, row).await?;
        }
        TextOutcome::Transient(code) => match PAUSES.get(usize::try_from(row.tries).unwrap_or(usize::MAX)) {
            // A refresh is not retried: the item already has a text.
            Some(pause) if row.content_hash.is_none() => {
                row.tries += 1;
                postpone(transaction, row, *pause).await?;
            }
            Some(_) | None => {
                end_without_text(&mut row, code, transaction.now);
                item::write(transaction, row).await?;
            }
        },
        TextOutcome::Postponed(pause) => postpone(transaction, row, pause).await?,
    }
    Ok(false)
}

/// Reschedules a request. Retries are not visible to clients, so no change is recorded in the log.
async fn postpone(
    transaction: &LibraryTransaction,
    mut row: library_item::Model,
    pause: Millis,
) -> Result<()> {
    row.article_status = ArticleStatus::Queued;
    row.next_try_at = Some(transaction.now + pause);
    item::write_silently(transaction, row).await?;
    Ok(())
}

/// Completes a request that returned no text. An existing text is retained.
fn end_without_text(row: &mut library_item::Model, code: Code, now: Millis) {
    let has_text = row.content_hash.is_some();
    row.article_status = if has_text { ArticleStatus::Ready } else { ArticleStatus::Failed };
    row.article_error = Some(code.as_str().to_owned());
    row.failed_at = Some(now);
    end_request(row);
}

fn end_request(row: &mut library_item::Model) {
    row.next_try_at = None;
    row.ask_from = None;
    row.tries = 0;
}

/// Assigns a requested text to an item, unless the existing text is better or the storage of the account is full.
/// Returns true if the text was assigned.
async fn assign_text(
    transaction: &mut LibraryTransaction,
    row: library_item::Model,
    packed: PackedText,
) -> Result<bool> {
    let old = text::load(transaction.db(), transaction.account_id, row.id).await?;
    let (mut row, document) = (row, Arc::clone(&packed.text.document));
    if old.as_ref().is_some_and(|old| is_worse(&document, &old.document)) {
        end_without_text(&mut row, Code::NoReadableText, transaction.now);
        item::write(transaction, row).await?;
        return Ok(false);
    }
    let before = old.as_ref().map_or(0, |old| old.bytes);
    let grown = text::bytes_of(&document) - before;
    transaction.count(0, grown);
    if transaction.require_fit().is_err() {
        transaction.count(grown, 0);
        end_without_text(&mut row, Code::StorageLimitReached, transaction.now);
        item::write(transaction, row).await?;
        return Ok(false);
    }
    row.stored_bytes += grown;
    fill_from_text(transaction, &mut row, &packed).await?;
    write_with_text(transaction, row, packed).await?;
    Ok(true)
}

/// Writes an item, its text, and its index rows. The row must already contain the metadata of the text.
pub(crate) async fn write_with_text(
    transaction: &mut LibraryTransaction,
    row: library_item::Model,
    mut packed: PackedText,
) -> Result<()> {
    let (document, words) = (Arc::clone(&packed.text.document), Arc::clone(&packed.words));
    let anchors = std::mem::take(&mut packed.anchors);
    text::put(transaction, row.id, packed).await?;
    let anchors = (anchors, SearchBudget::TRANSACTION);
    highlight_anchor::reanchor_highlights(transaction, row.id, &document, anchors).await?;
    let row = item::write(transaction, row).await?;
    let items = item::with_tags(transaction.db(), transaction.account_id, vec![row]).await?;
    item::index(transaction, &items, |_| Some(Arc::clone(&words))).await?;
    for item in &items {
        let (account_id, item_id) = (item.account_id, item.id);
        // An imported item that a person opens or refreshes leaves the import lane.
        let is_imported = item.lane == Lane::Import || item.import_mark.is_some();
        let texted =
            TextedItem { account_id, item_id, saved_at: item.saved_at, is_imported, tags: &item.tags };
        transaction.notify_stored_text(texted).await?;
    }
    Ok(())
}

/// Copies the metadata of a text to the row of its item. Values from a source of higher precedence are
/// retained.
pub(crate) async fn fill_from_text(
    transaction: &mut LibraryTransaction,
    row: &mut library_item::Model,
    packed: &PackedText,
) -> Result<()> {
    let document = &packed.text.document;
    let title = document.title.trim();
    if !title.is_empty() {
        precedence::replace(
            &mut row.title,
            &mut row.title_rank,
            cut(title, TITLE_CHARS),
            precedence::EXTRACTED,
        );
    } else if row.title == UNTITLED {
        let opening = document.blocks.iter().map(|block| block.text.trim()).find(|text| !text.is_empty());
        row.title = opening.map_or_else(|| UNTITLED.to_owned(), |text| cut(text, 80));
    }
    if let Some(author) = &document.author {
        precedence::replace(
            &mut row.author,
            &mut row.author_rank,
            Some(cut(author, 500)),
            precedence::EXTRACTED,
        );
    }
    if let Some(time) = &document.published_at {
        let time = Some(kernel::clock::source_time(time));
        precedence::replace(&mut row.published_at, &mut row.published_rank, time, precedence::EXTRACTED);
    }
    row.content_hash = Some(document.content_hash.clone());
    let is_rated = packed.text.origin != TextOrigin::Supplied;
    row.quality_status = document.quality.filter(|_| is_rated).map(|quality| quality.as_str().to_owned());
    row.extraction_source = Some(source_of(packed.text.origin, document));
    row.article_status = ArticleStatus::Ready;
    row.article_error = None;
    row.failed_at = None;
    end_request(row);
    if packed.text.origin == TextOrigin::Fetched {
        adopt_final_url(transaction, row, packed).await?;
    }
    reclassify(row, document, transaction.now);
    Ok(())
}

/// Title of an item from which no title can be derived.
pub(crate) const UNTITLED: &str = "Untitled";

/// Returns the extraction source that is reported for a text.
pub(crate) fn source_of(origin: TextOrigin, document: &Document) -> TextSource {
    match origin {
        TextOrigin::Supplied => TextSource::Supplied,
        TextOrigin::Fetched | TextOrigin::File => {
            TextSource::parse(document.source.as_str()).unwrap_or(TextSource::PlainText)
        }
    }
}

/// Adopts the final URL of a fetch. If the text is of low quality, or if the fetch was redirected to a home
/// page, the item retains its URL. If another item has the final URL, sets `duplicate_of` instead.
async fn adopt_final_url(
    transaction: &mut LibraryTransaction,
    row: &mut library_item::Model,
    packed: &PackedText,
) -> Result<()> {
    let document = &packed.text.document;
    if let Some(format) = classify::format_of_mime(&document.content_type) {
        row.format = format;
        row.mime_type.get_or_insert_with(|| document.content_type.clone());
    }
    let Some(last) = packed.text.final_url.as_deref().and_then(|url| Url::parse(url).ok()) else {
        return Ok(());
    };
    let Ok(current_item) = Url::parse(&row.url) else { return Ok(()) };
    let is_good = !matches!(document.quality, Some(Quality::Thin | Quality::Suspect));
    let is_specific = last.path() != "/" || current_item.path() == "/";
    if !is_good || !is_specific || last.as_str().chars().count() > MAX_URL_CHARS || !current_item.has_host() {
        return Ok(());
    }
    let key = ItemKey::url(&last);
    match keys::item_with(transaction.db(), transaction.account_id, &key).await? {
        Some(other) if other != row.id => row.duplicate_of = Some(other),
        Some(_) | None => {
            // The highlights are anchored when the text is written.
            annotations::reattach(transaction, std::slice::from_ref(&key), row.id).await?;
            keys::assign(transaction, row.id, std::slice::from_ref(&key)).await?;
            if ItemKey::url(&current_item) != key {
                if row.original_url.is_none() {
                    row.original_url = Some(row.url.clone());
                }
                row.url = last.into();
                row.domain = Url::parse(&row.url).map(|url| address::domain(&url)).unwrap_or_default();
            }
            row.duplicate_of = None;
        }
    }
    Ok(())
}

/// Reclassifies an item with the facts from its text. A kind that a person or an import has set is retained.
fn reclassify(row: &mut library_item::Model, document: &Document, now: Millis) {
    if matches!(row.kind_method, ClassificationMethod::User | ClassificationMethod::Legacy) {
        return;
    }
    let url = Url::parse(&row.url).ok().filter(Url::has_host);
    let classified = classify::classify(ItemFacts {
        url: url.as_ref(),
        mime: Some(row.mime_type.as_deref().unwrap_or(&document.content_type)),
        file_name: row.file_name.as_deref(),
        capture: Some(row.capture_method),
        category: document.category,
    });
    if classified.confidence() > row.kind_confidence {
        classified.write(row, now);
    }
    if row.format == ItemFormat::Unknown
        && let Some(format) = classify::format_of_mime(&document.content_type)
    {
        row.format = format;
    }
}

/// Returns true if only the new text is suspect, or if the new text has a lower quality and less than half
/// the length of the old text.
fn is_worse(new: &Document, old: &Document) -> bool {
    let worth = |document: &Document| match document.quality {
        None | Some(Quality::Complete) => 3,
        Some(Quality::Partial) => 2,
        Some(Quality::Thin) => 1,
        Some(Quality::Suspect) => 0,
    };
    let is_suspect = new.quality == Some(Quality::Suspect) && old.quality != Some(Quality::Suspect);
    is_suspect || (worth(new) < worth(old) && text::bytes_of(new) * 2 < text::bytes_of(old))
}
