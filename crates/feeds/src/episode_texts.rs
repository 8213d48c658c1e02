//! Chapters and transcripts of episodes. They are files at separate URLs, which are fetched and cached like
//! articles when a user requests them. The account of the first user is charged one fresh extraction.

use async_recursion::async_recursion as boxed;
use std::sync::Arc;

use entities::ids::EntryId;
use extract::Document;
use extract::feed::Episode;

use super::entries::visible_entry;
use super::full_text::{ArticleVersion, MAX_AGE_SECONDS, document_of};
use articles::{Address, Freshness, Payer, PendingText};
use jobs::Progress;
use kernel::error::not_found;
use kernel::{Domain, Result};

/// Part of an episode that is stored in a separate file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EpisodePart {
    /// Titles of chapters with their start times.
    Chapters,
    /// Transcript, by index in [`Episode::readable_transcripts`].
    Transcript(usize),
}

impl EpisodePart {
    fn url(self, episode: &Episode) -> Option<&str> {
        match self {
            Self::Chapters => episode.chapters_url.as_deref(),
            Self::Transcript(index) => {
                episode.readable_transcripts().get(index).copied().map(|file| file.url.as_str())
            }
        }
    }
}

/// Returns the cached text of a part. `None` if it is not cached.
#[boxed]
pub async fn episode_text(
    domain: &Domain,
    episode: &Episode,
    part: EpisodePart,
) -> Result<Option<Arc<Document>>> {
    match part.url(episode) {
        Some(url) => document_of(domain, url, &ArticleVersion::default()).await,
        None => Ok(None),
    }
}

/// Requests the text of a part: returns the cached text, or submits its download.
///
/// # Errors
/// `not_found` if the account cannot see the entry, or if the entry has no such part; an error if the address
/// is invalid or the download fails; `fresh_extraction_limit` if the account has no fresh extractions left.
#[boxed]
pub async fn request_episode_text(
    domain: &Domain,
    payer: Payer,
    entry_id: EntryId,
    part: EpisodePart,
) -> Result<Progress<PendingText>> {
    let entry = visible_entry(domain.db().read(), payer.account_id, entry_id).await?;
    let url = entry.episode.as_ref().and_then(|episode| part.url(episode));
    let address = Address::parse(domain, url.ok_or_else(|| not_found("part of the entry"))?)?;
    articles::request(domain, Some(payer), &address, Freshness::seconds(MAX_AGE_SECONDS)).await
}
