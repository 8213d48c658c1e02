//! A save from its beginning to its answer: what was sent is written down first, and its text is waited for a while.

use entities::ids::{AccountId, EntryId, ItemId};
use entities::library_words::TextSource;
use extract::sandbox::Pool;

use super::apply::{self, Ask, Outcome};
use super::at_once::Place;
use super::draft::{Draft, Save};
use super::item::Item;
use super::read::{self, Content, PATIENCE};
use super::save::{self, Stored};
use super::text::NewText;
use articles::{
    Answer, Asker, Freshness, Obtained, Payer, PendingText, Purpose, Stored as Kept, look_up, request_for,
};
use kernel::error::Result;

use jobs::{Pending, Progress, WaitOutcome};
use kernel::handle::Domain;

/// An item that was saved.
#[derive(Clone, Debug)]
pub struct Saved {
    /// As it is now.
    pub item: Item,
    /// How it was given its text, when this save gave it.
    pub extraction: Option<Extraction>,
    /// It was there before.
    pub already_saved: bool,
}

/// How an item was given its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extraction {
    /// Where its words were found.
    pub source: TextSource,
    /// Nothing was downloaded for it.
    pub cache_hit: bool,
    /// How good it is; none where that is not judged.
    pub quality_status: Option<String>,
}

/// A save whose text is being fetched.
pub struct PendingSave {
    text: PendingText,
    ask: Ask,
    already_saved: bool,
    _wait: Place,
}

/// Saves something. An address alone is written down first and then fetched, while the caller waits.
///
/// # Errors
/// What is wrong with what was sent; `external_id_conflict`; `storage_limit_reached`.
pub async fn save(domain: &Domain, sandbox: &Pool, payer: Payer, new: Save) -> Result<Progress<PendingSave>> {
    let draft = Draft::of(domain, new).await?;
    let read = match &draft.original {
        None => None,
        Some(original) => {
            let content = Content {
                bytes: original.body.clone(),
                mime: original.mime.clone(),
                url: draft.url.as_ref().map(ToString::to_string),
                origin: super::TextOrigin::Supplied,
            };
            Some(read::read(sandbox, content, domain.now(), PATIENCE).await)
        }
    };
    let stored = save::store(domain, payer.account_id, draft, read).await?;
    fetch(domain, payer, stored).await
}

/// Saves an entry of a feed that the account follows: with the article's text as it is kept for all, else by its address
/// alone. An item that is there only takes what it lacks.
///
/// # Errors
/// `not_found`; what a save has.
pub async fn save_entry(domain: &Domain, payer: Payer, id: EntryId) -> Result<Progress<PendingSave>> {
    let stored = store_entry(domain, payer.account_id, id).await?;
    if let Some((address, ask)) = &stored.fetch
        && let Kept::Fresh(article) | Kept::Stale(Some(article)) =
            look_up(domain, address, Freshness::HOUR, Asker::Anyone).await?
    {
        let answer = Answer { article, cache_hit: true };
        let obtained = Ok(Obtained { answer, age_s: None, fresh: None });
        let saved = finish(domain, *ask, obtained, stored.already_saved, stored.item.id).await?;
        return Ok(Progress::Done(saved));
    }
    fetch(domain, payer, stored).await
}

/// Saves an entry as [`save_entry`] does; nobody waits for its text, which a worker asks for in a while.
///
/// # Errors
/// `not_found`; what a save has.
pub async fn save_entry_later(domain: &Domain, account_id: AccountId, id: EntryId) -> Result<()> {
    store_entry(domain, account_id, id).await.map(drop)
}

/// Writes down that an entry is saved.
async fn store_entry(domain: &Domain, account_id: AccountId, id: EntryId) -> Result<Stored> {
    let (entry, _) = feeds::get_entry(domain, account_id, id, 0).await?;
    let draft = Draft::of(domain, Save::of_entry(entry)).await?;
    save::store(domain, account_id, draft, None).await
}

async fn fetch(domain: &Domain, payer: Payer, stored: Stored) -> Result<Progress<PendingSave>> {
    let Stored { item, already_saved, is_read, fetch } = stored;
    let Some((address, ask)) = fetch else {
        let extraction = is_read.then(|| extraction_of(&item, false)).flatten();
        return Ok(Progress::Done(Saved { item, extraction, already_saved }));
    };
    let Some(wait) = crate::at_once::saves(domain).begin(payer.account_id) else {
        apply::conclude(domain, ask, Outcome::Later(0), None).await?;
        return Ok(Progress::Done(Saved { item, extraction: None, already_saved }));
    };
    match request_for(domain, Purpose::Save, Some(payer), &address, Freshness::HOUR).await {
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
    type Answer = Saved;

    async fn resume(self, domain: &Domain, outcome: WaitOutcome) -> Result<Saved> {
        let obtained = self.text.resume(domain, outcome).await;
        finish(domain, self.ask, obtained, self.already_saved, self.ask.item_id).await
    }
}

/// Writes what came of the fetch, and answers with the item as it is then. One that was deleted meanwhile is answered
/// as it was saved.
async fn finish(
    domain: &Domain,
    ask: Ask,
    obtained: Result<Obtained>,
    already_saved: bool,
    id: ItemId,
) -> Result<Saved> {
    let saved = apply::present(domain, ask.account_id, id).await;
    let (outcome, cache_hit) = outcome_of(obtained).await;
    let is_given = apply::conclude(domain, ask, outcome, None).await?;
    let item = match apply::present(domain, ask.account_id, id).await {
        Ok(item) => item,
        Err(_) => saved?,
    };
    let extraction = is_given.then(|| extraction_of(&item, cache_hit)).flatten();
    Ok(Saved { item, extraction, already_saved })
}

/// What a fetch means for the item, and whether nothing was downloaded.
pub async fn outcome_of(obtained: Result<Obtained>) -> (Outcome, bool) {
    let answer = match obtained {
        Ok(obtained) => obtained.answer,
        Err(error) => return (Outcome::of_error(&error), false),
    };
    let text = NewText {
        document: answer.article.document,
        origin: super::TextOrigin::Fetched,
        final_url: Some(answer.article.final_url),
        made_at: answer.article.fetched_at,
    };
    match text.pack().await {
        Ok(packed) => (Outcome::Text(Box::new(packed)), answer.cache_hit),
        Err(error) => (Outcome::of_error(&error), answer.cache_hit),
    }
}

fn extraction_of(item: &Item, cache_hit: bool) -> Option<Extraction> {
    let source = item.extraction_source?;
    Some(Extraction { source, cache_hit, quality_status: item.quality_status.clone() })
}
