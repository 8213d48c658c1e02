//! Phrase search: selects the matches that contain the phrases of a query. The index rows contain the order
//! of words. If an earlier version wrote the rows of an object, its text is searched instead.

use std::collections::HashMap;

use entities::ids::{ItemId, ObjectId};
use entities::library_words::ObjectKind;
use sea_orm::ConnectionTrait;

use super::index::counts_of;
use super::matches::{Match, PhraseResult, SearchIndex, item_of};
use super::object_heads;
use crate::text::{self, StoredText};
use kernel::search::query::{Query, Term};
use kernel::search::words;
use kernel::{Error, Result};

/// Maximum number of objects per step.
const OBJECTS_PER_STEP: usize = 250;

/// Returns the candidates that contain each phrase of the query and no excluded phrase.
pub(super) async fn retain_phrase_matches<C: ConnectionTrait>(
    library: &SearchIndex<'_, C>,
    query: &Query,
    candidates: Vec<Match>,
) -> Result<Vec<Match>> {
    let (unknown, mut matches): (Vec<Match>, Vec<Match>) =
        candidates.into_iter().partition(|candidate| candidate.phrases == PhraseResult::Unknown);
    matches.retain(|candidate| candidate.phrases == PhraseResult::Match);
    if !unknown.is_empty() {
        matches.extend(retain_by_text(library, query, &unknown).await?);
        matches.sort_unstable_by_key(|one| std::cmp::Reverse(one.row));
    }
    Ok(matches)
}

/// Returns the candidates whose heads and texts match the query. Loads a text only if it contains all words
/// of a phrase. For most objects, the head and the counts are sufficient.
async fn retain_by_text<C: ConnectionTrait>(
    library: &SearchIndex<'_, C>,
    query: &Query,
    candidates: &[Match],
) -> Result<Vec<Match>> {
    let mut matches = Vec::new();
    for chunk in candidates.chunks(OBJECTS_PER_STEP) {
        let heads = object_heads::heads(library.connection, library.account_id, chunk).await?;
        let lines: HashMap<ObjectId, String> =
            heads.into_iter().map(|(id, head)| (id, head.lines().map(words::line).collect())).collect();
        let head_of = |candidate: &Match| lines.get(&candidate.id).map_or("", String::as_str);
        let undecided: Vec<ItemId> = chunk
            .iter()
            .filter(|candidate| {
                candidate.kind == ObjectKind::Item && may_be_in_text(query, head_of(candidate), candidate)
            })
            .map(|candidate| item_of(candidate.id))
            .collect();
        let mut verdicts: HashMap<ItemId, bool> = HashMap::new();
        for ids in text::parts(library.connection, library.account_id, &undecided).await? {
            let texts = text::load_all(library.connection, library.account_id, &ids).await?;
            let heads: Vec<String> = texts
                .iter()
                .map(|text| ObjectId::from(text.item_id.as_uuid()))
                .map(|id| lines.get(&id).cloned().unwrap_or_default())
                .collect();
            verdicts.extend(decide(query.clone(), texts, heads).await?);
        }
        let holds = |candidate: &&Match| {
            let known = verdicts.get(&item_of(candidate.id)).copied();
            known.unwrap_or_else(|| fulfils(query, head_of(candidate)))
        };
        matches.extend(chunk.iter().filter(holds).cloned());
    }
    Ok(matches)
}

/// Checks each text and the line of its head against the query. Returns each item, with true if it matches.
/// Runs on a blocking thread.
async fn decide(query: Query, texts: Vec<StoredText>, heads: Vec<String>) -> Result<Vec<(ItemId, bool)>> {
    let work = move || {
        let decided = texts.iter().zip(heads).map(|(text, mut line)| {
            line.push_str(&words::line(&extract::render::text(&text.document.blocks)));
            (text.item_id, fulfils(&query, &line))
        });
        decided.collect()
    };
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)
}

/// Returns true if a line contains all phrases of the query and no excluded phrase.
fn fulfils(query: &Query, line: &str) -> bool {
    query.terms.iter().all(|term| holds(term, line).unwrap_or(true))
        && !query.without.iter().any(|term| holds(term, line).unwrap_or(false))
}

/// Returns true if a line contains the phrase of a term. `None` if the term is not a phrase.
fn holds(term: &Term, line: &str) -> Option<bool> {
    term.phrase.as_ref().map(|phrase| line.contains(phrase.as_str()))
}

/// Returns true if the text of an item could change the result for its head.
fn may_be_in_text(query: &Query, head: &str, candidate: &Match) -> bool {
    let in_text = |term: &&Term| {
        holds(term, head) == Some(false)
            && term
                .words
                .iter()
                .all(|word| word.forms().any(|form| counts_of(&candidate.counts, form).text > 0))
    };
    query.terms.iter().chain(&query.without).any(|term| in_text(&term))
}
