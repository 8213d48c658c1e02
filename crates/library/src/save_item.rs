//! Saves an item, from the request to the response. `draft` validates the request, `content_extraction`
//! extracts the text of supplied content, `store` matches and writes the item in one transaction
//! (`transaction`), and `text_request` records the text that is fetched from the URL. The caller waits for
//! this text for a limited time.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, EntryId, ItemId};
use entities::library_words::TextSource;
use extract::sandbox::Pool;
use permits::KeyedPermit;

use super::content_extraction::{self, ContentInput, SAVE_TIMEOUT};
use super::draft::{Save, SaveDraft};
use super::item::{self, Item};
use super::store::{self, StoredSave};
use super::text::NewText;
use super::text_request::{self, TextOutcome, TextRequest};
use articles::{
    CacheAudience, CacheLookup, FetchPurpose, Freshness, ObtainedArticle, Payer, PendingText, ServedArticle,
    is_rendered_next, lookup, request_for, require_browser,
};
use feeds::SourceKind;
use kernel::{Code, Domain, Result};

use jobs::{Pending, Progress, WaitOutcome};

/// Result of a save.
#[derive(Clone, Debug)]
pub struct SavedItem {
    /// Current state of the item.
    pub item: Item,
    /// Origin of the text. `None` if the item received no text from this save.
    pub extraction: Option<TextProvenance>,
    /// True if the item already existed.
    pub already_saved: bool,
}

/// Origin of an item's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextProvenance {
    pub source: TextSource,
    /// True if nothing was downloaded.
    pub cache_hit: bool,
    /// Quality of the text. `None` if it is not rated.
    pub quality_status: Option<String>,
}

/// Save whose text is being fetched.
pub struct PendingSave {
    text: PendingText,
    ask: TextRequest,
    already_saved: bool,
    _wait: KeyedPermit<AccountId>,
}

/// Saves an item. A URL without content is stored first and then fetched while the caller waits.
///
/// # Errors
/// The errors of [`SaveDraft::of`]; `external_id_conflict`; `storage_limit_reached`; `unsupported_content` if a
/// rendering is required and there is no browser.
#[boxed]
pub async fn save(domain: &Domain, sandbox: &Pool, payer: Payer, new: Save) -> Result<Progress<PendingSave>> {
    require_browser(domain, new.render.unwrap_or_default())?;
    let draft = SaveDraft::of(domain, new).await?;
    let read = match &draft.original {
        None => None,
        Some(original) => {
            let content = ContentInput {
                bytes: original.body.clone(),
                mime: original.mime.clone(),
                url: draft.url.as_ref().map(ToString::to_string),
                origin: super::TextOrigin::Supplied,
            };
            let sandbox = sandbox.for_caller(Some(payer.account_id.to_string()));
            Some(content_extraction::extract_text(&sandbox, content, domain.now(), SAVE_TIMEOUT).await)
        }
    };
    let stored = store::store_draft(domain, payer.account_id, draft, read).await?;
    fetch(domain, payer, stored).await
}

/// Saves an entry of a feed that the account follows. If a shared cached text of the article exists, the item
/// receives it. An existing item only receives the values that it lacks.
///
/// # Errors
/// `not_found`; the errors of [`save()`].
#[boxed]
pub async fn save_entry(domain: &Domain, payer: Payer, id: EntryId) -> Result<Progress<PendingSave>> {
    let stored = store_entry(domain, payer.account_id, id).await?;
    if let Some((address, ask)) = &stored.fetch
        && let CacheLookup::Fresh(article) | CacheLookup::Stale(Some(article)) =
            lookup(domain, address, Freshness::HOUR, CacheAudience::Anyone).await?
    {
        let answer = ServedArticle { article, cache_hit: true };
        let obtained = Ok(ObtainedArticle { answer, age_s: None, fresh: None });
        let saved = finish(domain, *ask, obtained, stored.already_saved, stored.item.id).await?;
        return Ok(Progress::Done(saved));
    }
    fetch(domain, payer, stored).await
}

/// Saves an entry as [`save_entry`] does, but does not wait for the text. A worker requests the text
/// afterwards.
///
/// # Errors
/// `not_found`; the errors of [`save()`].
#[boxed]
pub async fn save_entry_deferred(domain: &Domain, account_id: AccountId, id: EntryId) -> Result<()> {
    store_entry(domain, account_id, id).await.map(drop)
}

/// Writes an entry to the library as an item.
async fn store_entry(domain: &Domain, account_id: AccountId, id: EntryId) -> Result<StoredSave> {
    let (draft, read) = entry_draft(domain, account_id, id, Vec::new()).await?;
    store::store_draft(domain, account_id, draft, read).await
}

/// Returns the draft that saves an entry with these tags, and the outcome of the extraction of its text.
pub(crate) async fn entry_draft(
    domain: &Domain,
    account_id: AccountId,
    id: EntryId,
    tags: Vec<String>,
) -> Result<(SaveDraft, Option<TextOutcome>)> {
    let (entry, _) = feeds::get_entry(domain, account_id, id, 0).await?;
    let kind = entry.source_kind;
    if kind != SourceKind::Newsletter {
        match SaveDraft::of(domain, Save { tags: tags.clone(), ..Save::of_entry(entry) }).await {
            // The entry links to no public page: usually to the page of its change on this service.
            Err(error) if kind == SourceKind::Monitor && is_url_refused(error.code) => {}
            draft => return Ok((draft?, None)),
        }
    }
    let draft = internal_draft(domain, account_id, id, tags).await?;
    Ok((draft, Some(TextOutcome::Postponed(0))))
}

fn is_url_refused(code: Code) -> bool {
    matches!(code, Code::UrlNotAllowed | Code::InvalidUrl | Code::CredentialInUrl)
}

/// Returns the draft of an entry of an internal feed with its text, because no public page contains the text.
async fn internal_draft(
    domain: &Domain,
    account_id: AccountId,
    id: EntryId,
    tags: Vec<String>,
) -> Result<SaveDraft> {
    let (entry, content) = feeds::get_entry(domain, account_id, id, usize::MAX).await?;
    let text = content.map(|content| content.text).filter(|text| !text.trim().is_empty());
    let text = text.unwrap_or_else(|| entry.title.clone());
    let save = Save {
        url: None,
        content: Some(text),
        mime_type: Some("text/plain".to_owned()),
        external_id: Some(format!("{}-entry:{id}", entry.source_kind.as_str())),
        tags,
        ..Save::of_entry(entry)
    };
    SaveDraft::of(domain, save).await
}

async fn fetch(domain: &Domain, payer: Payer, stored: StoredSave) -> Result<Progress<PendingSave>> {
    let StoredSave { item, already_saved, is_read, fetch } = stored;
    let Some((address, ask)) = fetch else {
        let extraction = is_read.then(|| extraction_of(&item, false)).flatten();
        return Ok(Progress::Done(SavedItem { item, extraction, already_saved }));
    };
    let Some(wait) = crate::account_concurrency::saves(domain).try_acquire(payer.account_id) else {
        text_request::conclude(domain, ask, TextOutcome::Postponed(0), None).await?;
        return Ok(Progress::Done(SavedItem { item, extraction: None, already_saved }));
    };
    match request_for(domain, FetchPurpose::Save, Some(payer), &address, Freshness::HOUR).await {
        Ok(Progress::Done(obtained)) => {
            Ok(Progress::Done(finish(domain, ask, Ok(obtained), already_saved, item.id).await?))
        }
        Ok(Progress::Waiting { job, pending }) => Ok(Progress::Waiting {
            job,
            pending: PendingSave { text: pending, ask, already_saved, _wait: wait },
        }),
        Err(error) => Ok(Progress::Done(finish(domain, ask, Err(error), already_saved, item.id).await?)),
    }
}

impl Pending for PendingSave {
    type Answer = SavedItem;

    async fn resume(self, domain: &Domain, outcome: WaitOutcome) -> Result<SavedItem> {
        let obtained = self.text.resume(domain, outcome).await;
        finish(domain, self.ask, obtained, self.already_saved, self.ask.item_id).await
    }
}

/// Records the result of a fetch and returns the item. If the item was deleted in the meantime, returns its
/// state before the fetch.
async fn finish(
    domain: &Domain,
    ask: TextRequest,
    obtained: Result<ObtainedArticle>,
    already_saved: bool,
    id: ItemId,
) -> Result<SavedItem> {
    let saved = item::find(domain.db().read(), ask.account_id, id).await;
    let render = saved.as_ref().ok().and_then(|item| item.render).unwrap_or_default();
    let (outcome, cache_hit) = if is_rendered_next(domain, render, &obtained) {
        // A worker renders the page, because the caller would have to wait too long.
        (TextOutcome::Postponed(0), false)
    } else {
        outcome_of(obtained).await
    };
    let is_given = text_request::conclude(domain, ask, outcome, None).await?;
    let item = match item::find(domain.db().read(), ask.account_id, id).await {
        Ok(item) => item,
        Err(_) => saved?,
    };
    let extraction = is_given.then(|| extraction_of(&item, cache_hit)).flatten();
    Ok(SavedItem { item, extraction, already_saved })
}

/// Converts the result of a fetch to the outcome for the item. The flag is true if nothing was downloaded.
pub(crate) async fn outcome_of(obtained: Result<ObtainedArticle>) -> (TextOutcome, bool) {
    let answer = match obtained {
        Ok(obtained) => obtained.answer,
        Err(error) => return (TextOutcome::of_error(&error), false),
    };
    let text = NewText {
        document: answer.article.document,
        origin: super::TextOrigin::Fetched,
        final_url: Some(answer.article.final_url),
        made_at: answer.article.fetched_at,
    };
    match text.pack().await {
        Ok(packed) => (TextOutcome::Text(Box::new(packed)), answer.cache_hit),
        Err(error) => (TextOutcome::of_error(&error), answer.cache_hit),
    }
}

fn extraction_of(item: &Item, cache_hit: bool) -> Option<TextProvenance> {
    let source = item.extraction_source?;
    Some(TextProvenance { source, cache_hit, quality_status: item.quality_status.clone() })
}
