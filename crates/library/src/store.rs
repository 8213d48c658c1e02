//! Third step of a save: matches the draft with existing items by its keys and writes the item. Both happen
//! in one transaction under the lock of the account, so that retries and concurrent clients create only one
//! item.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId};
use entities::library_item;
use entities::library_words::{
    ArticleStatus, CaptureMethod, ClassificationMethod, KeyKind, Lane, ObjectKind, TextOrigin, TextSource,
};

use super::classify::Classified;
use super::draft::{ExistingText, SaveDraft, TITLE_CHARS, cut};
use super::highlight_anchor;
use super::item::{self, Item};
use super::keys::{self, Holder, ItemKey};
use super::tags;
use super::text::{self, Original};
use super::text_request::{self, TextOutcome, TextRequest, UNTITLED};
use super::transaction::LibraryTransaction;
use super::{annotations, automatic_copies, change, pending_deletions, precedence, rule_queue, stars};
use articles::Address;
use kernel::clock::{DAY, MINUTE};
use kernel::{Code, Detail, Domain, Error, Millis, Result, address};
use notices::ListedItem;

/// Maximum time that an item waits for its file.
const PENDING: Millis = 7 * DAY;
/// Delay after which a worker requests a text that the caller of the save has not fetched.
const WORKER_DELAY: Millis = MINUTE;
/// Minimum time between a failure to obtain a text and a retry by another save of the item.
const FAILED_RETRY_AFTER: Millis = MINUTE;

/// Result of a stored save.
#[derive(Debug)]
pub struct StoredSave {
    pub item: Item,
    pub already_saved: bool,
    /// True if the item received its text from this save.
    pub is_read: bool,
    /// Address from which the caller should fetch the text, and the request for the text. `None` if no fetch
    /// is needed.
    pub fetch: Option<(Address, TextRequest)>,
}

/// Result of a save that is not committed yet.
#[derive(Clone, Copy, Debug)]
pub struct WrittenSave {
    pub id: ItemId,
    pub already_saved: bool,
    pub is_read: bool,
}

/// Stores a save. `read` is the outcome of the extraction from supplied content. If the item exists, removing its stars
/// no longer deletes it.
#[boxed]
pub async fn store_draft(
    domain: &Domain,
    account_id: AccountId,
    draft: SaveDraft,
    mut read: Option<TextOutcome>,
) -> Result<StoredSave> {
    if let Some(TextOutcome::Text(packed)) = &mut read {
        let keys = keys_of(&draft);
        highlight_anchor::compute_anchors(domain, account_id, (draft.own_id.as_slice(), &keys), packed)
            .await?;
    }
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    let worker_due_at = transaction.now + WORKER_DELAY;
    let WrittenSave { id, already_saved, is_read } =
        write_draft(domain, &mut transaction, &draft, read).await?;
    if already_saved {
        stars::retain_item(&transaction, id).await?;
    }
    let item = item::find(transaction.db(), account_id, id).await?;
    transaction.commit().await?;
    let is_requested =
        item.ask_from == Some(TextOrigin::Fetched) && item.article_status == ArticleStatus::Queued;
    let fetch = draft.address.filter(|_| is_requested && item.next_try_at == Some(worker_due_at));
    let fetch = fetch.map(|address| (address, TextRequest { account_id, item_id: id, number: item.ask }));
    Ok(StoredSave { item, already_saved, is_read, fetch })
}

/// Stores a save in an open transaction. If the item exists, its pending deletion is canceled.
#[boxed]
pub async fn write_draft(
    domain: &Domain,
    transaction: &mut LibraryTransaction,
    draft: &SaveDraft,
    read: Option<TextOutcome>,
) -> Result<WrittenSave> {
    if let Some(row) = find(transaction, draft).await? {
        let id = row.id;
        pending_deletions::retain_item(transaction, id).await?;
        let is_read = merge(transaction, row, draft, read).await?;
        rule_queue::release(transaction, id).await?;
        return Ok(WrittenSave { id, already_saved: true, is_read });
    }
    let id: ItemId = domain.new_id();
    let is_read = create(transaction, id, draft, read).await?;
    if draft.address.is_some() && draft.capture_method != CaptureMethod::Import {
        automatic_copies::request_copies(domain, transaction, id).await?;
    }
    rule_queue::enqueue(transaction, id, draft.status, &draft.tags).await?;
    if draft.capture_method != CaptureMethod::Import {
        notify_saved(domain, transaction, id).await?;
    }
    Ok(WrittenSave { id, already_saved: false, is_read })
}

/// Reports a new item to the channels that receive notices about saved items.
async fn notify_saved(domain: &Domain, transaction: &LibraryTransaction, id: ItemId) -> Result<()> {
    let (db, account_id) = (transaction.db(), transaction.account_id);
    if !notices::notifies_saved_items(db, account_id).await? {
        return Ok(());
    }
    let Item { row, tags } = item::find(db, account_id, id).await?;
    let url = Some(row.url).filter(|url| !url.starts_with("urn:"));
    let url = url.map(|url| address::without_user_info(&url).into_owned());
    let saved = ListedItem { id, url, title: row.title, tags, saved_at: row.saved_at };
    notices::item_saved(db, domain, account_id, saved).await
}

/// Finds the existing item that a save matches.
async fn find(transaction: &LibraryTransaction, draft: &SaveDraft) -> Result<Option<library_item::Model>> {
    let (db, account_id) = (transaction.db(), transaction.account_id);
    let by_id = match draft.own_id {
        Some(id) => item::row(db, account_id, id).await?,
        None => None,
    };
    if by_id.is_some() {
        return Ok(by_id);
    }
    let keys = keys_of(draft);
    let holders = keys::holders(db, account_id, &keys).await?;
    let item_with = |kind: KeyKind| {
        let holder =
            keys.iter().zip(&holders).find(|(key, _)| key.kind == kind).and_then(|(_, holder)| *holder);
        match holder {
            Some(Holder::Item(id)) => Some(id),
            Some(Holder::Deleted(_)) | None => None,
        }
    };
    let (by_url, by_content) = (item_with(KeyKind::Url), item_with(KeyKind::Content));
    if let Some(id) = item_with(KeyKind::External)
        && let Some(row) = item::row(db, account_id, id).await?
    {
        if let (Some(url), None) = (&draft.url, by_url) {
            let has_web_url = row.url.starts_with("http");
            if has_web_url && !address::is_same_site(&row.url, url.as_str()) {
                let message = "This externalId belongs to an item of another site.";
                let error = Error::new(Code::ExternalIdConflict, message);
                return Err(Error { detail: Some(Detail::Item(row.id)), ..error });
            }
        }
        return Ok(Some(row));
    }
    match by_url.or(by_content) {
        Some(id) => item::row(db, account_id, id).await,
        None => Ok(None),
    }
}

/// Returns the item to which a key of the draft belongs, or else the item to which one belonged and that was deleted from
/// this library.
pub(crate) async fn holder(transaction: &LibraryTransaction, draft: &SaveDraft) -> Result<Option<Holder>> {
    let holders = keys::holders(transaction.db(), transaction.account_id, &keys_of(draft)).await?;
    let holders: Vec<Holder> = holders.into_iter().flatten().collect();
    if let Some(existing) = holders.iter().find(|holder| holder.item().is_some()) {
        return Ok(Some(*existing));
    }
    let ids: Vec<ItemId> = holders.iter().copied().map(Holder::id).collect();
    let deleted = keys::deleted_in_library(transaction, &ids).await?;
    Ok(holders.into_iter().find(|holder| deleted.contains(&holder.id())))
}

fn keys_of(draft: &SaveDraft) -> Vec<ItemKey> {
    let external = draft.external_id.as_deref().map(ItemKey::external);
    let url = draft.url.as_ref().map(ItemKey::url);
    [external, url, draft.content_key.clone()].into_iter().flatten().collect()
}

/// Creates an item. Returns true if it received its text.
async fn create(
    transaction: &mut LibraryTransaction,
    id: ItemId,
    draft: &SaveDraft,
    read: Option<TextOutcome>,
) -> Result<bool> {
    transaction.require_capacity()?;
    let mut row = new_row(transaction, id, draft);
    let original = draft.original.as_ref().map_or(0, Original::bytes);
    row.stored_bytes = item::own_bytes(&row) + original;
    let packed = start_text(transaction, &mut row, draft, read).await?;
    let text_bytes = packed.as_ref().map_or(0, |packed| text::bytes_of(&packed.text.document));
    row.stored_bytes += text_bytes;
    transaction.count(0, row.stored_bytes);
    transaction.require_fit()?;
    let stamp = transaction.stamp(ObjectKind::Item, item::object(id));
    (row.sequence, row.updated_at) = (stamp.sequence, stamp.updated_at);
    insert(transaction, row.clone()).await?;
    tags::replace(transaction, ObjectKind::Item, &[(item::object(id), draft.tags.clone())]).await?;
    let url_key = draft.url.as_ref().map(ItemKey::url);
    annotations::reattach(transaction, url_key.as_slice(), id).await?;
    keys::assign(transaction, id, &keys_of(draft)).await?;
    if let Some(original) = &draft.original {
        text::put_original(transaction, id, original).await?;
    }
    if let Some(packed) = packed {
        text_request::write_with_text(transaction, row, packed).await?;
        return Ok(true);
    }
    let items = item::with_tags(transaction.db(), transaction.account_id, vec![row]).await?;
    item::index(transaction, &items, |_| None).await?;
    Ok(false)
}

async fn insert(transaction: &LibraryTransaction, row: library_item::Model) -> Result<()> {
    use sea_orm::{ActiveModelTrait, EntityTrait, IntoActiveModel};
    let row = row.into_active_model().reset_all();
    library_item::Entity::insert(row).exec_without_returning(transaction.db()).await?;
    Ok(())
}

/// Sets the state of a new item's text: available, requested, waiting for its file, or failed. Returns the
/// text if it is available.
async fn start_text(
    transaction: &mut LibraryTransaction,
    row: &mut library_item::Model,
    draft: &SaveDraft,
    read: Option<TextOutcome>,
) -> Result<Option<text::PackedText>> {
    match read {
        Some(TextOutcome::Text(packed)) => {
            text_request::fill_from_text(transaction, row, &packed).await?;
            return Ok(Some(*packed));
        }
        Some(TextOutcome::Failed(code) | TextOutcome::Transient(code)) => {
            row.article_status = ArticleStatus::Failed;
            row.article_error = Some(code.as_str().to_owned());
            row.failed_at = Some(transaction.now);
        }
        Some(TextOutcome::NoText) => {}
        Some(TextOutcome::Postponed(pause)) => {
            text_request::request_text(row, TextOrigin::Supplied, transaction.now + pause);
        }
        None if draft.address.is_some() => {
            text_request::request_text(row, TextOrigin::Fetched, transaction.now + WORKER_DELAY);
        }
        None => {
            row.article_status = ArticleStatus::AwaitingUpload;
            row.next_try_at = Some(transaction.now + PENDING);
        }
    }
    Ok(None)
}

fn new_row(transaction: &LibraryTransaction, id: ItemId, draft: &SaveDraft) -> library_item::Model {
    let url = draft.url.as_ref().map_or_else(|| format!("urn:uuid:{id}"), ToString::to_string);
    let (title, title_rank) = match &draft.title {
        Some(title) => (title.clone(), precedence::GIVEN),
        None => (fallback_title(draft), precedence::FALLBACK),
    };
    let given = |value: bool| if value { precedence::GIVEN } else { precedence::NONE };
    let kind = classified(draft);
    library_item::Model {
        original_url: draft.sent_url.clone().filter(|sent| *sent != url),
        url,
        domain: draft.url.as_ref().map_or_else(|| "upload".to_owned(), address::domain),
        title: cut(&title, TITLE_CHARS),
        title_rank,
        author: draft.author.clone(),
        author_rank: given(draft.author.is_some()),
        published_at: draft.published_at.clone(),
        published_rank: given(draft.published_at.is_some()),
        content_kind: kind.kind,
        kind_method: kind.method,
        kind_confidence: kind.confidence(),
        kind_at: transaction.updated_at,
        capture_method: draft.capture_method,
        format: draft.format,
        mime_type: draft.mime_type.clone(),
        file_name: draft.file_name.clone(),
        external_id: draft.external_id.clone(),
        metadata: draft.metadata.clone().map(|object| serde_json::Value::Object(object).to_string()),
        status: draft.status,
        render: draft.render,
        saved_at: draft.saved_at.map_or(transaction.now, |time| time.min(transaction.now)),
        updated_at: transaction.updated_at,
        ..item::blank(id, transaction.account_id, transaction.now)
    }
}

fn classified(draft: &SaveDraft) -> Classified {
    match draft.person_kind {
        Some(kind) => Classified { kind, method: ClassificationMethod::User },
        None => draft.classified,
    }
}

/// Derives the title of an item that was saved without a title: from the name of its file, or from its URL.
fn fallback_title(draft: &SaveDraft) -> String {
    let stem = |name: &String| name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem).to_owned();
    let url_title = || {
        let url = draft.url.as_ref()?;
        let path = url.path().trim_end_matches('/');
        let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
        Some(format!("{}{path}{query}", address::domain(url)))
    };
    let named =
        draft.file_name.as_ref().map(|name| stem(name).trim().to_owned()).filter(|stem| !stem.is_empty());
    named.or_else(url_title).unwrap_or_else(|| UNTITLED.to_owned())
}

/// Adds the values that an existing item lacks. Returns true if the item received its text.
async fn merge(
    transaction: &mut LibraryTransaction,
    mut row: library_item::Model,
    draft: &SaveDraft,
    read: Option<TextOutcome>,
) -> Result<bool> {
    let before = row.clone();
    let keys = keys_of(draft);
    let keys: Vec<(ItemId, &ItemKey)> = keys.iter().map(|key| (row.id, key)).collect();
    let returned = annotations::assign_keys_without_anchoring(transaction, keys).await?;
    fill_in(&mut row, draft, transaction.updated_at)?;
    let tags_grew = tags::add(transaction, ObjectKind::Item, item::object(row.id), &draft.tags).await?;
    let packed = new_content(transaction, &mut row, draft, read).await?;
    if packed.is_none() {
        annotations::anchor_returned(transaction, &returned).await?;
    }
    let failed_long_ago = row.failed_at.is_none_or(|at| transaction.now - at > FAILED_RETRY_AFTER);
    if draft.address.is_some() && row.article_status == ArticleStatus::Failed && failed_long_ago {
        text_request::request_text(&mut row, TextOrigin::Fetched, transaction.now + WORKER_DELAY);
    }
    let own = |row: &library_item::Model| item::own_bytes(row);
    row.stored_bytes += own(&row) - own(&before);
    if row == before && !tags_grew && packed.is_none() {
        return Ok(false);
    }
    transaction.count(before.stored_bytes, row.stored_bytes);
    transaction.require_fit()?;
    if let Some(packed) = packed {
        text_request::write_with_text(transaction, row, packed).await?;
        return Ok(true);
    }
    let needs_reindex = tags_grew || row.title != before.title || row.author != before.author;
    let row = item::write(transaction, row).await?;
    if needs_reindex {
        let items = item::with_tags(transaction.db(), transaction.account_id, vec![row]).await?;
        change::reindex(transaction, &items).await?;
    }
    Ok(false)
}

fn fill_in(row: &mut library_item::Model, draft: &SaveDraft, now: Millis) -> Result<()> {
    if let Some(title) = &draft.title {
        precedence::replace(&mut row.title, &mut row.title_rank, title.clone(), precedence::GIVEN);
    }
    if draft.author.is_some() {
        precedence::replace(&mut row.author, &mut row.author_rank, draft.author.clone(), precedence::GIVEN);
    }
    if draft.published_at.is_some() {
        let time = draft.published_at.clone();
        precedence::replace(&mut row.published_at, &mut row.published_rank, time, precedence::GIVEN);
    }
    if let Some(kind) = draft.person_kind
        && row.kind_method != ClassificationMethod::User
    {
        Classified { kind, method: ClassificationMethod::User }.write(row, now);
    }
    let fill = |value: &mut Option<String>, new: &Option<String>| {
        if value.is_none() {
            value.clone_from(new);
        }
    };
    if draft.render.is_some() {
        // A text that an import has requested is then fetched as the person chose.
        (row.render, row.lane) = (draft.render, Lane::Person);
    }
    fill(&mut row.external_id, &draft.external_id);
    fill(&mut row.mime_type, &draft.mime_type);
    fill(&mut row.file_name, &draft.file_name);
    if let Some(new) = &draft.metadata {
        let mut merged = row.metadata.as_deref().map(super::draft::metadata).transpose()?.unwrap_or_default();
        for (name, value) in new {
            merged.entry(name.clone()).or_insert_with(|| value.clone());
        }
        let text = serde_json::Value::Object(merged).to_string();
        super::draft::metadata(&text)?;
        if row.metadata.as_deref() != Some(text.as_str()) {
            row.metadata = Some(text);
        }
    }
    Ok(())
}

/// Replaces the text of an item with the text of supplied content, unless the item already has or requests the text of
/// the same content, or the save retains the existing text. Returns the new text if it is available.
async fn new_content(
    transaction: &mut LibraryTransaction,
    row: &mut library_item::Model,
    draft: &SaveDraft,
    read: Option<TextOutcome>,
) -> Result<Option<text::PackedText>> {
    let (Some(original), Some(read)) = (&draft.original, read) else { return Ok(None) };
    let old = text::original_row(transaction.db(), transaction.account_id, row.id).await?;
    let is_same = old.as_ref().is_some_and(|old| old.body_hash == original.hash);
    let gives_text = matches!(read, TextOutcome::Text(_) | TextOutcome::Postponed(_));
    let changes_nothing = is_same && !(gives_text && has_other_source(row));
    let keeps_existing = draft.existing_text == ExistingText::Keep && row.content_hash.is_some();
    if keeps_existing || (changes_nothing && row.article_status != ArticleStatus::Failed) {
        return Ok(None);
    }
    let old_text =
        text::load(transaction.db(), transaction.account_id, row.id).await?.map_or(0, |text| text.bytes);
    row.stored_bytes += original.bytes() - old.map_or(0, |old| old.body_bytes);
    text::put_original(transaction, row.id, original).await?;
    match read {
        TextOutcome::Text(packed) => {
            row.stored_bytes += text::bytes_of(&packed.text.document) - old_text;
            row.format = draft.format;
            row.ask += 1;
            text_request::fill_from_text(transaction, row, &packed).await?;
            Ok(Some(*packed))
        }
        // The request for the text of another source continues.
        TextOutcome::Failed(_) | TextOutcome::Transient(_)
            if text_request::is_waiting(row.article_status) && has_other_source(row) =>
        {
            Ok(None)
        }
        TextOutcome::Failed(code) | TextOutcome::Transient(code) => {
            row.ask += 1;
            row.article_error = Some(code.as_str().to_owned());
            if row.content_hash.is_none() {
                row.article_status = ArticleStatus::Failed;
                row.failed_at = Some(transaction.now);
                row.next_try_at = None;
            }
            Ok(None)
        }
        TextOutcome::NoText => Ok(None),
        TextOutcome::Postponed(pause) => {
            text_request::request_text(row, TextOrigin::Supplied, transaction.now + pause);
            Ok(None)
        }
    }
}

/// Returns true if an item has or requests a text that is not the text of its supplied content.
fn has_other_source(row: &library_item::Model) -> bool {
    match row.ask_from.filter(|_| text_request::is_waiting(row.article_status)) {
        Some(requested) => requested != TextOrigin::Supplied,
        None => row.extraction_source != Some(TextSource::Supplied),
    }
}
