//! Pages of what a query finds: the newest matches ranked, older ones behind them from the newest on.

use std::collections::HashSet;
use std::sync::Arc;

use entities::ids::ObjectId;
use sea_orm::{ConnectionTrait, DbBackend};

use super::index::Field;
use super::matches::{Conditions, Library, Match, RANKED, item_of, score, without_spread};
use crate::error::Result;
use crate::library::text;
use crate::library::{ObjectKind, objects_text};
use crate::search::query::Query;
use crate::search::words;

/// Matches are counted up to this many.
pub(crate) const COUNTED: u32 = 10_000;
/// Objects whose texts are looked through for words that must stand together.
const LOOKED_THROUGH: u32 = 500;

/// Where a page of a search begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct After {
    /// The score of the last hit.
    pub(crate) score: u16,
    /// The last hit; in the tail the number of its row.
    pub(crate) id: u128,
    /// Rows from this one on are newer than the first page.
    pub(crate) end: i64,
    /// What was counted on the first page.
    pub(crate) total: u32,
}

/// A page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    pub(crate) hits: Vec<Hit>,
    pub(crate) total: u32,
    /// There are more than `total`.
    pub(crate) partial: bool,
    pub(crate) next: Option<After>,
}

/// An object that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) id: ObjectId,
    pub(crate) kind: ObjectKind,
    /// In ten-thousandths; 0 for those that were not ranked.
    pub(crate) score: u16,
    row: i64,
}

impl Hit {
    /// An object of a list that is not ranked.
    pub(crate) fn unranked(id: ObjectId, kind: ObjectKind) -> Self {
        Self { id, kind, score: 0, row: 0 }
    }
}

/// The page of what `query` finds after `after`, among objects for which `conditions` hold.
pub(crate) async fn page<C: ConnectionTrait>(
    library: Library<'_, C>,
    query: &Query,
    mut conditions: Conditions,
    after: Option<After>,
    limit: usize,
) -> Result<Page> {
    let backend = library.connection.get_database_backend();
    plan_for_these_words(&library).await?;
    conditions.extend(without_spread(backend, library.number, &query.without));
    let end = match after {
        Some(after) => after.end,
        None => next_row(&library).await?,
    };
    let most = if query.has_phrases() { LOOKED_THROUGH } else { RANKED };
    let newest = library.newest(query, Field::Any, &conditions, 0..end, most).await?;
    let boundary = if newest.len() == most as usize { newest.last().map_or(0, |last| last.row) } else { 0 };
    let mut candidates = newest;
    if boundary > 0 {
        candidates.extend(library.newest(query, Field::Head, &conditions, 0..boundary, most).await?);
    }
    candidates.extend(library.spread(query, &conditions).await?);
    if query.has_phrases() {
        candidates = standing_together(&library, query, candidates).await?;
    }
    let ranked = rank(query, &candidates);
    let (total, partial) = match after {
        Some(after) => (after.total.min(COUNTED), after.total > COUNTED),
        None => count(&library, query, &conditions, &candidates, boundary).await?,
    };
    let counted = if partial { COUNTED + 1 } else { total };
    let mut hits: Vec<Hit> =
        ranked.iter().filter(|hit| is_after(hit, after)).copied().take(limit + 1).collect();
    if hits.len() <= limit && boundary > 0 && !query.has_phrases() {
        let begin = match after {
            Some(After { score: 0, id, .. }) => i64::try_from(id).unwrap_or(boundary),
            Some(_) | None => boundary,
        };
        let known: HashSet<ObjectId> = ranked.iter().map(|hit| hit.id).collect();
        let most = u32::try_from(limit + 1).unwrap_or(u32::MAX).saturating_add(RANKED);
        let older = library.newest(query, Field::Any, &conditions, 0..begin, most).await?;
        let older = older.into_iter().filter(|found| !known.contains(&found.id));
        hits.extend(older.map(|found| Hit { id: found.id, kind: found.kind, score: 0, row: found.row }));
    }
    let has_more = hits.len() > limit;
    hits.truncate(limit);
    let next = hits.last().filter(|_| has_more).map(|last| After {
        score: last.score,
        id: if last.score == 0 { last.row.unsigned_abs().into() } else { last.id.as_u128() },
        end,
        total: counted,
    });
    Ok(Page { hits, total, partial, next })
}

/// Statements of this transaction are planned for the words that they look for. A plan for any words, which PostgreSQL
/// falls back to after five turns, gathers every row that has a common word.
async fn plan_for_these_words<C: ConnectionTrait>(library: &Library<'_, C>) -> Result<()> {
    if library.connection.get_database_backend() == DbBackend::Postgres {
        library.connection.execute_unprepared("SET LOCAL plan_cache_mode = force_custom_plan").await?;
    }
    Ok(())
}

/// The number that the next row of any library will have at least.
async fn next_row<C: ConnectionTrait>(library: &Library<'_, C>) -> Result<i64> {
    let sql = "SELECT MAX(id) FROM library_search WHERE account_id = $1";
    Ok(crate::statement::scalar(library.connection, sql, [library.account_id.into()]).await? + 1)
}

fn rank(query: &Query, candidates: &[Match]) -> Vec<Hit> {
    let mut hits: Vec<Hit> = candidates
        .iter()
        .map(|found| Hit {
            id: found.id,
            kind: found.kind,
            score: score(query, &found.counts),
            row: found.row,
        })
        .collect();
    hits.sort_unstable_by_key(|hit| std::cmp::Reverse((hit.score, hit.id)));
    hits.dedup_by_key(|hit| hit.id);
    hits
}

fn is_after(hit: &Hit, after: Option<After>) -> bool {
    match after {
        None => true,
        Some(After { score: 0, .. }) => false,
        Some(after) => (hit.score, hit.id.as_u128()) < (after.score, after.id),
    }
}

async fn count<C: ConnectionTrait>(
    library: &Library<'_, C>,
    query: &Query,
    conditions: &Conditions,
    candidates: &[Match],
    boundary: i64,
) -> Result<(u32, bool)> {
    let known = u32::try_from(candidates.len()).unwrap_or(u32::MAX);
    if boundary == 0 {
        return Ok((known.min(COUNTED), known > COUNTED));
    }
    if query.has_phrases() {
        return Ok((known, true));
    }
    let all = library.count(query, conditions, COUNTED + 1).await?;
    Ok((all.min(COUNTED), all > COUNTED))
}

/// Those in whose texts the words of each phrase stand together, and those of unwanted phrases do not.
async fn standing_together<C: ConnectionTrait>(
    library: &Library<'_, C>,
    query: &Query,
    candidates: Vec<Match>,
) -> Result<Vec<Match>> {
    let mut kept = Vec::new();
    for chunk in candidates.chunks(50) {
        let ids: Vec<_> =
            chunk.iter().filter(|one| one.kind == ObjectKind::Item).map(|one| item_of(one.id)).collect();
        let texts = text::load_all(library.connection, library.account_id, &ids).await?;
        let heads = objects_text::heads(library.connection, library.account_id, chunk).await?;
        for found in chunk {
            let text = texts.iter().find(|text| item_of(found.id) == text.item_id);
            let mut line =
                heads.get(&found.id).map_or("", String::as_str).lines().map(words::line).collect::<String>();
            if let Some(text) = text {
                let document = Arc::clone(&text.document);
                line.push_str(&words::line(&extract::render::text(&document.blocks)));
            }
            let holds =
                |phrase: &Option<String>| phrase.as_ref().is_none_or(|phrase| line.contains(phrase.as_str()));
            let is_unwanted = query.without.iter().any(|term| term.phrase.is_some() && holds(&term.phrase));
            if query.terms.iter().all(|term| holds(&term.phrase)) && !is_unwanted {
                kept.push(found.clone());
            }
        }
    }
    Ok(kept)
}
