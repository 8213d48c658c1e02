//! Words that must stand together, or must not: looked for in the objects that have them all.

use std::collections::HashMap;
use std::sync::Arc;

use entities::ids::{ItemId, ObjectId};
use entities::library_words::ObjectKind;
use sea_orm::ConnectionTrait;

use super::index::counts_of;
use super::matches::{Library, Match, item_of};
use crate::{objects_text, text};
use kernel::error::Result;
use kernel::search::query::{Query, Term};
use kernel::search::words;

/// Objects that are looked at in one go, and those of them whose texts are in memory at once.
const AT_ONCE: usize = 250;
const TEXTS: usize = 25;

/// Those in whose texts the words of each phrase stand together, and those of unwanted phrases do not. A text is read only
/// where all words of a phrase stand in it: most objects are decided by their heads and their counts.
pub(super) async fn standing_together<C: ConnectionTrait>(
    library: &Library<'_, C>,
    query: &Query,
    candidates: Vec<Match>,
) -> Result<Vec<Match>> {
    let mut kept = Vec::new();
    for chunk in candidates.chunks(AT_ONCE) {
        let heads = objects_text::heads(library.connection, library.account_id, chunk).await?;
        let lines: HashMap<ObjectId, String> =
            heads.into_iter().map(|(id, head)| (id, head.lines().map(words::line).collect())).collect();
        let head_of = |found: &Match| lines.get(&found.id).map_or("", String::as_str);
        let undecided: Vec<ItemId> = chunk
            .iter()
            .filter(|found| found.kind == ObjectKind::Item && may_be_in_text(query, head_of(found), found))
            .map(|found| item_of(found.id))
            .collect();
        let mut verdicts: HashMap<ItemId, bool> = HashMap::new();
        for ids in undecided.chunks(TEXTS) {
            for text in text::load_all(library.connection, library.account_id, ids).await? {
                let document = Arc::clone(&text.document);
                let id = ObjectId::from(text.item_id.as_uuid());
                let head = lines.get(&id).map_or("", String::as_str);
                let line = format!("{head}{}", words::line(&extract::render::text(&document.blocks)));
                verdicts.insert(text.item_id, fulfils(query, &line));
            }
        }
        let holds = |found: &&Match| {
            let known = verdicts.get(&item_of(found.id)).copied();
            known.unwrap_or_else(|| fulfils(query, head_of(found)))
        };
        kept.extend(chunk.iter().filter(holds).cloned());
    }
    Ok(kept)
}

/// Whether a line has what is wanted and nothing that is not.
fn fulfils(query: &Query, line: &str) -> bool {
    query.terms.iter().all(|term| holds(term, line).unwrap_or(true))
        && !query.without.iter().any(|term| holds(term, line).unwrap_or(false))
}

/// Whether the words of a phrase stand together in a line; none for what is no phrase.
fn holds(term: &Term, line: &str) -> Option<bool> {
    term.phrase.as_ref().map(|phrase| line.contains(phrase.as_str()))
}

/// Whether the text of an item could change what its head says.
fn may_be_in_text(query: &Query, head: &str, found: &Match) -> bool {
    let in_text = |term: &&Term| {
        holds(term, head) == Some(false)
            && term.words.iter().all(|word| counts_of(&found.counts, word).text > 0)
    };
    query.terms.iter().chain(&query.without).any(|term| in_text(&term))
}
